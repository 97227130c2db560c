"""A sequence of numbers that terms suggest: one with a linear representation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, Unsolved
from fibprover.base.limits import Limits
from fibprover.infer.systems import SYSTEMS
from fibprover.language.tree import Formula
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.guess import FEWEST, SequenceGuess, guess_sequence
from fibprover.sequences.oeis import alike
from fibprover.sheets.confirmed_numbers import confirmed_columns
from fibprover.sheets.conjecture import CONJECTURE, Conjecture
from fibprover.sheets.defined import by_equations, by_relation
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.subject import Numbers, Subject
from fibprover.sheets.terms import Terms
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

#: If the first index is at most this, the terms are also tried as a(0), a(1), ... with zeros before the first one.
_MOST_BEFORE = 16

#: A representation with this many times fewer entries than terms is no accident: no other system is tried.
_FEW = 2

#: So many columns more than it was made from have to confirm each row of a representation.
LEAST_CONFIRMED = 1


class _Guessed(NamedTuple):
    """A guess for the terms with some zeros before the first one; is_confirmed: by columns that did not make it."""

    guess: SequenceGuess
    before: int
    is_confirmed: bool


def conjecture_of_numbers(
    terms: Terms, definition: str = "", *, systems: Sequence[str | NumerationSystem] = (), limits: Limits
) -> Conjecture:
    """Return the sequence with a linear representation that terms suggest; NoAutomaton if there is none.

    definition: a formula with the free variable n, whose other variables are counted: a(n) is how many values of these
    there are; or a recursion: equations such as a(2n) = a(n), or a formula that calls $a(n,v).  Then the conjecture is
    proved or refuted, by an equality of linear representations.
    """
    session = Session(limits=limits)
    with enforced(limits):
        found, tried = _guessed(session, terms, systems or SYSTEMS, will_be_proved=bool(definition))
    guess, before = found.guess, found.before
    numbers = Numbers(guess.sequence, terms.first - before, before)
    about = Subject(session, numbers, guess.sequence.system.name, f"{len(terms)} terms")
    statement = (
        f"The terms {numbers.term} are the sequence over {about.system} with a linear representation of dimension"
        f" {guess.rank}."
    )
    if not numbers.shift and not before and (known := next(alike(guess.sequence), None)) is not None:
        statement += f" They begin like {known}."
    evidence = (
        f"{CONJECTURE} {len(terms)} terms, rank {guess.rank}: the representation of the first "
        f"{guess.known - before} is right about the others. Tried: {', '.join(tried)}."
    )
    way = "" if definition else "It is proved by its recursion, or by a definition, if the terms count something."
    suggested = Conjecture(about, statement, evidence, way, states=guess.rank)
    if not definition:
        return suggested
    compared = _by_definition(suggested, terms.first, definition)
    if compared.status == "open" and not found.is_confirmed:
        raise NoAutomaton(
            f"no linear representation that the terms confirm. {compared.evidence}", (), hint="give more terms"
        )
    return compared


def _guessed(
    session: Session, terms: Terms, systems: Sequence[str | NumerationSystem], *, will_be_proved: bool
) -> tuple[_Guessed, list[str]]:
    """Return the guess of least rank, and the systems that were tried."""
    run = terms.run
    best: _Guessed | None = None
    tried: list[str] = []
    for name in systems if len(run) >= FEWEST else ():
        system = session.namespace.chosen_system(name)
        try:
            found = list(_over(system, terms, will_be_proved=will_be_proved))
        except BudgetSpent:
            if best is None:
                raise
            break
        tried.append(system.name)
        best = min([*([best] if best else []), *found], key=lambda each: each.guess.rank, default=None)
        if best is not None and best.is_confirmed and _is_sure(best, system, terms):
            break
    if best is None:
        said = f"tried {', '.join(tried)}, with {len(run)} terms" if tried else f"too few terms ({len(run)})"
        raise NoAutomaton(f"no linear representation: {said}", (), hint="give more terms, or other systems")
    return best, tried


def are_numbers(system: NumerationSystem, terms: Terms) -> bool:
    """Return whether terms suggest a sequence over a system, whose representation is no accident."""
    if len(terms.run) < FEWEST:
        return False
    return any(_is_sure(each, system, terms) for each in _over(system, terms))


def _is_sure(found: _Guessed, system: NumerationSystem, terms: Terms) -> bool:
    return _FEW * found.guess.rank**2 * len(system.digits) <= len(terms.run)


def _over(system: NumerationSystem, terms: Terms, *, will_be_proved: bool = False) -> Iterator[_Guessed]:
    """Yield the guesses over a system that are right about all terms, also after a gap.

    Each row is confirmed by a column more than make it, unless the guess will be proved or refuted by a definition.
    """
    for before in (terms.first, 0) if 0 < terms.first <= _MOST_BEFORE else (0,):
        guess = guess_sequence([0] * before + list(terms.run), system)
        shift = terms.first - before
        if guess is None or any(guess.sequence[index - shift] != term for index, term in terms.beyond):
            continue
        is_confirmed = confirmed_columns(guess.sequence, guess.count) >= LEAST_CONFIRMED
        if is_confirmed or will_be_proved:
            yield _Guessed(guess, before, is_confirmed)


def _by_definition(found: Conjecture, first: int, definition: str) -> Conjecture:
    """Compare a sequence with the one of a definition from the first term on."""
    if first < 0:
        raise FibproverError(f"the first term is a({first}), and a definition is about natural numbers")
    session, numbers = found.about.session, found.about.numbers
    formula: Formula | None = None
    try:
        with enforced(session.options.limits):
            defined = by_equations(session, found.about.system, definition)
            if defined is None:
                formula = found.defined_by(definition)
                defined = by_relation(session, formula) or session.counts("n", formula)
            difference = defined.subsequence(1, first) - numbers.sequence.subsequence(1, numbers.before)
            place = difference.first_nonzero()
    except (BudgetSpent, LimitError, Unsolved) as problem:
        return found.undecided(problem, formula)
    if place is not None:
        at = place[0] + first
        return found.refuted(f"{defined[at]} at n = {at}", formula)
    return found.proved(definition, formula)
