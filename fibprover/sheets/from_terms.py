"""What terms suggest: a word, or a sequence of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.base.errors import BudgetSpent
from fibprover.base.folders import naming, read_script
from fibprover.base.limits import Limits, spending
from fibprover.infer.choice import MOST_LETTERS
from fibprover.sheets.conjecture import Conjecture, conjecture
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.sequence import conjecture_of_numbers
from fibprover.sheets.terms import Terms, read_terms, terms_from


def suggested(
    terms: str | Terms | Sequence[int], definition: str, systems: Sequence[str], limits: Limits
) -> Conjecture:
    """Return the word of the terms of a list or a b-file, or their sequence.

    Terms that are numbers are counted by their definition; without one the word of their differences is looked for
    first.  NoAutomaton with what was tried in both ways.
    """
    given = _given(terms)
    without = None
    if len(set(given.run)) <= MOST_LETTERS or not definition:
        try:
            with spending(limits.start()):
                return conjecture(given, definition, systems=systems, limits=limits)
        except (NoAutomaton, BudgetSpent) as problem:
            if len(set(given.run)) <= MOST_LETTERS:
                raise
            without = problem
    try:
        return conjecture_of_numbers(given, definition, systems=systems, limits=limits)
    except NoAutomaton as none:
        if isinstance(without, BudgetSpent):
            without = NoAutomaton(f"no automaton of the differences: {without.message}", ())
        if without is None:
            raise
        raise NoAutomaton(f"{without.message}\n{none.message}", without.attempts, hint=none.hint) from None


def _given(terms: str | Terms | Sequence[int]) -> Terms:
    if isinstance(terms, str):
        text = read_script(terms)
        with naming(terms, text):
            return read_terms(text)
    return terms if isinstance(terms, Terms) else terms_from(terms)
