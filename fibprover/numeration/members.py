"""Members of families: what a relation over a family says of one quadratic slope, or of one sequence of choices.

The slope's partial quotients repeat, as do choices.  An automaton over digits, most significant first, guesses the
position of the first one and reads each digit as the bits of a block of the family, beside those of the partial
quotient there; with choices a block is the digit, beside the choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from fibprover.automata import kernel_calls, operations, prefixes
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError, NumerationError
from fibprover.base.limits import UNLIMITED, Budget, check_budget
from fibprover.base.names import PARAMETER, is_slope, parameter_name
from fibprover.numeration.ostrowski import continued_fraction, ostrowski_name
from fibprover.numeration.parameters import ChoiceSequence, Parameter, choices_named
from fibprover.numeration.quadratic import quadratic
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import ContinuedFraction, NumerationSystem

_WRITTEN = re.compile(r"\[\s*0\s*;\s*((?:[0-9]{1,6}\s*,\s*)*)\(\s*([0-9]{1,6}(?:\s*,\s*[0-9]{1,6})*)\s*\)\s*\]")

#: A position, counted from 1, and a state of the automaton of the family.
_State = tuple[int, int]


def slope_named(written: str) -> ContinuedFraction:
    """Return the slope that is written as [0; 2, (1)] or as (3-sqrt(5))/2.

    Raises NumerationError for what is no irrational number between 0 and 1.
    """
    found = _WRITTEN.fullmatch(written.strip())
    if found is None and written.strip().startswith("["):
        raise NumerationError(
            f"{written} is not a continued fraction of a quadratic number between 0 and 1",
            hint="such as [0; 2, (1)], where what repeats is in brackets",
        )
    if found is None:
        before, cycle = continued_fraction(quadratic(written))
        if not before or before[0] != 0:
            raise NumerationError(f"{written} is not between 0 and 1, as a slope is")
        return ContinuedFraction(tuple(before[1:]), tuple(cycle))
    first, period = ([int(part) for part in re.findall("[0-9]+", text)] for text in found.groups())
    if min([*first, *period]) < 1:
        raise NumerationError(f"{written}: partial quotients after the first one are at least 1")
    return ContinuedFraction(tuple(first), tuple(period))


def at_parameter(a: Dfa, written: str, budget: Budget = UNLIMITED) -> tuple[Dfa, NumerationSystem]:
    """Return the relation of numbers for one parameter, over the system that the family is there, and that system.

    a: a relation over the family with a number at least, right in the limit; written: a slope, or choices as in 1 (2).
    Raises NumerationError for another text, FibproverError if no beginning of the parameter settles the relation.
    """
    track = next(track for track in a.tracks if track.name == PARAMETER)
    kept = prefixes.settled(a, budget)
    if prefixes.is_endless(kernel_calls.difference(a, kept, budget)):
        raise FibproverError(
            f"no beginning of a {parameter_name(track.system)} settles whether numbers are in this relation",
            hint="take its negation",
        )
    member: _Member
    if is_slope(track.system):
        slope = slope_named(written)
        system = system_named(ostrowski_name([0, *slope.preperiod], slope.period))
        member = _Member(kept, slope, len(system.digits))
    else:
        base = next(len(track.digits) for track in a.tracks if track.name != PARAMETER)
        system = system_named(f"msd_{base}")
        member = _ChosenMember(kept, choices_named(written, len(track.digits) - 1), base)
    return _of_member(member, system, budget), system


def _of_member(member: _Member, system: NumerationSystem, budget: Budget) -> Dfa:
    """Return the relation that a member reads."""
    names = [track.name for track in member.a.tracks if track.name != PARAMETER]
    tracks = [system.track(name) for name in names]
    rows: list[set[tuple[int, int]]] = []
    number: dict[_State, int] = {}
    order: list[_State] = []

    def numbered(state: _State) -> int:
        if state not in number:
            number[state] = len(order) + 1
            order.append(state)
        return number[state]

    rows.append({(code, numbered(after)) for top in member.tops() for code, after in member.steps((top, 0))})
    for state in order:
        check_budget(budget, len(order), "a member of a family")
        rows.append({(code, numbered(after)) for code, after in member.steps(state)})
    outputs = [0, *(member.accepts(state) for state in order)]
    raw = kernel_calls.determinize(tracks, rows, outputs, budget)
    return operations.as_relation(raw, [system.values(name) for name in names], budget)


class _Member:
    """The automaton that reads digits at a slope, or at a sequence of choices.

    Positions count from 1: those of the preperiod, then those of one period, which repeats.  Where a_1 = 1, the first
    digit is always 0, and the Ostrowski system has no place for it.
    """

    def __init__(self, a: Dfa, slope: Parameter, digits: int) -> None:
        self.a = a
        before = list(slope.preperiod)
        self.quotients = [*before, *slope.period] if before else [*slope.period, *slope.period]
        self.preperiod = len(before) if before else len(slope.period)
        self.omitted = self.quotients[0] == 1
        if self.preperiod == 1 and self.omitted:
            self.quotients = [*self.quotients, *slope.period]
            self.preperiod += len(slope.period)
        self.digits = digits
        self.tracks = len(a.tracks) - 1
        self.last = 2 if self.omitted else 1

    def tops(self) -> range:
        """Return the positions that a first digit may have."""
        return range(self.last, len(self.quotients) + 1)

    def steps(self, state: _State) -> Iterator[tuple[int, _State]]:
        """Yield a digit on each track, as a letter code, with the states after it."""
        position, inner = state
        if position < self.last:
            return
        for digits in product(self.digits_at(position), repeat=self.tracks):
            after = self.block(inner, position, digits)
            if after is None:
                continue
            code = 0
            for digit in digits:
                code = code * self.digits + digit
            yield from ((code, (before, after)) for before in self.positions_before(position))

    def digits_at(self, position: int) -> range:
        """Return the digits that there may be at a position."""
        return range(min(self.digits, self.quotients[position - 1] + 1))

    def positions_before(self, position: int) -> list[int]:
        """Return the positions that may be next, towards the first one."""
        if position == self.preperiod + 1:
            return [position - 1, len(self.quotients)]
        return [position - 1]

    def block(self, state: int, position: int, digits: tuple[int, ...]) -> int | None:
        """Return the state after a block: a partial quotient, and a digit of each number."""
        quotient = self.quotients[position - 1]
        place = [track.name == PARAMETER for track in self.a.tracks].index(True)
        found: int | None = state
        for bit in reversed(range(quotient.bit_length())):
            letter = [digit >> bit & 1 for digit in digits]
            letter.insert(place, 2 if bit == quotient.bit_length() - 1 else quotient >> bit & 1)
            found = None if found is None else self.a.successor(found, self.a.code(letter))
        return found

    def accepts(self, state: _State) -> int:
        """Return whether the digits end here, and the numbers are in the relation."""
        position, inner = state
        end: int | None = inner
        if position >= self.last:
            return 0
        if self.omitted:
            end = self.block(inner, 1, (0,) * self.tracks)
        return int(end is not None and self.a.outputs[end] != 0)


class _ChosenMember(_Member):
    """The automaton that reads digits at a sequence of choices: each position has a digit and a choice."""

    def __init__(self, a: Dfa, choices: ChoiceSequence, digits: int) -> None:
        super().__init__(a, choices, digits)
        self.omitted, self.last = False, 1

    def digits_at(self, position: int) -> range:
        """Return the digits that there may be at a position."""
        return range(self.digits)

    def block(self, state: int, position: int, digits: tuple[int, ...]) -> int | None:
        """Return the state after a position."""
        place = [track.name == PARAMETER for track in self.a.tracks].index(True)
        letter = list(digits)
        letter.insert(place, self.quotients[position - 1])
        return self.a.successor(state, self.a.code(letter))
