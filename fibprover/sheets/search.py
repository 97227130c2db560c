"""The search for what terms are: `fibprover infer` and `fibprover study --terms` both begin here.

A word of the library, a word over one of several systems (`conjecture.py`), or numbers (`sequence.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.base.errors import BudgetSpent
from fibprover.base.folders import naming, read_script
from fibprover.base.limits import Limits
from fibprover.infer.choice import MOST_LETTERS
from fibprover.language.equation_parser import are_equations
from fibprover.numeration.system import NumerationSystem
from fibprover.sheets.conjecture import Conjecture, conjecture
from fibprover.sheets.conjectured_numbers import are_numbers, conjecture_of_numbers
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.subject import SEQUENCE, UNNAMED
from fibprover.sheets.terms import Terms, is_list, read_terms, terms_from
from fibprover.workspace.guard import enforced


def suggested(
    terms: str | Terms | Sequence[int], definition: str, systems: Sequence[str | NumerationSystem], limits: Limits,
    name: str = UNNAMED, *, morphisms: bool = True,
) -> Conjecture:
    """Return the word of the terms of a list or a b-file, or their sequence.

    name: of the word, unless it is one of the library; morphisms: whether it may be one over the system of a morphism,
    which has a name in its session only.  Terms of few values may be the letters of a word, and numbers
    if they are none.  Others are counted by their definition; without one the word of their differences is looked for
    first.  NoAutomaton with what was tried.
    """
    with enforced(limits):
        given = given_terms(terms)
    without: NoAutomaton | BudgetSpent | None = None
    letters = len(set(given.run)) <= MOST_LETTERS and not are_equations(SEQUENCE, definition)
    if letters or not definition:
        try:
            with enforced(limits):
                return conjecture(
                    given, definition, systems=systems, limits=limits,
                    are_numbers=lambda system: not definition and are_numbers(system, given),
                    name=name, morphisms=morphisms and not systems,
                )
        except (NoAutomaton, BudgetSpent) as problem:
            without = problem
    try:
        return conjecture_of_numbers(given, definition, systems=systems, limits=limits)
    except NoAutomaton as none:
        if isinstance(without, BudgetSpent):
            of = "" if letters else " of the differences"
            without = NoAutomaton(f"no automaton{of}: {without.message}", (), is_spent=True)
        if without is None:
            raise
        raise NoAutomaton(
            f"{without.message}\n{none.message}", without.attempts, hint=none.hint, is_spent=without.is_spent
        ) from None


def given_terms(terms: str | Terms | Sequence[int]) -> Terms:
    """Return the terms of a list, of a text such as "0, 1, 1", or of a file, which may be a b-file."""
    if isinstance(terms, str) and is_list(terms):
        return read_terms(terms)
    if isinstance(terms, str):
        text = read_script(terms)
        with naming(terms, text):
            return read_terms(text)
    return terms if isinstance(terms, Terms) else terms_from(terms)
