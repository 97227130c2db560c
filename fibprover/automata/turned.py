"""Automata that are known by the automaton of the reversed words, and made when somebody looks at them.

A language that a user gives least significant digit first may have a small automaton where that of the reversed words,
which is the one in stored order (`digit_order`), is exponentially larger.  Such a language is kept as it was given:
`Turned` is a `Dfa` whose arrays are made on demand.  What can be answered in either direction asks `Dfa.backward`.

The operations on automata of reversed words take them over plain tracks, so that no kernel adds zeros in front of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build_from, explored
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import UNLIMITED, Budget

#: An automaton is turned at once if the result has at most so many states, or so many times as many as it has itself.
MOST_STATES = 1 << 14
MOST_TIMES = 4


class Turned(Dfa):
    """A minimal automaton that is given by that of the reversed words: its arrays are made when they are first used.

    Making them is exponential at worst; it is done within the limits of the calculation that asks.  Two are equal if
    those of the reversed words are.

    - backward: the minimal automaton of the reversed words over plain tracks, None once the arrays were made

    >>> lsd = fp.Session("lsd_2")
    >>> late = lsd.reg("late", "lsd_2", "(0|1)" * 40 + "1(0|1)*")        # bit 40 is set: 2^41 states in stored order
    >>> late.states, lsd.prove("Ex $late(x)").evidence.values["x"] == 2**40
    (42, True)
    """

    __slots__ = ("_given", "_made")
    _given: Dfa
    _made: list[Dfa]

    def __init__(self, tracks: Sequence[Track], given: Dfa) -> None:
        given = given.with_tracks(plain(tracks))
        for name, held in (("tracks", tuple(tracks)), ("shown", []), ("_given", given), ("_made", [])):
            object.__setattr__(self, name, held)

    @property
    def held(self) -> Dfa:
        return self._given

    @property
    def backward(self) -> Dfa | None:
        return None if self._made else self._given

    def made(self) -> Dfa:
        """Return the automaton with its arrays."""
        if not self._made:
            self._made.append(reversed_words(self._given).with_tracks(self.tracks))
        return self._made[0]

    @property
    def offsets(self) -> memoryview[int]:
        return self.made().offsets

    @property
    def codes(self) -> memoryview[int]:
        return self.made().codes

    @property
    def targets(self) -> memoryview[int]:
        return self.made().targets

    @property
    def outputs(self) -> memoryview[int]:
        return self.made().outputs

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in (self._given, *self._made))

    def with_tracks(self, tracks: tuple[Track, ...]) -> Dfa:
        return self._made[0].with_tracks(tracks) if self._made else Turned(tracks, self._given)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Turned) and self.tracks == other.tracks:
            return self._given.same_arrays(other._given)
        return Dfa.__eq__(self, other)

    __hash__ = Dfa.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Turned, (self.tracks, self._given)

    def __repr__(self) -> str:
        return f"Turned({self._given!r})"


def plain(tracks: Iterable[Track]) -> tuple[Track, ...]:
    """Return the tracks of automata of reversed words: the same names and digits without a system."""
    return tuple(Track(track.name, track.digits) for track in tracks)


def reversed_words(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the minimal automaton of the reversed words, over plain tracks.  Exponential at worst."""
    if isinstance(a, Turned):
        return a.held
    return kernel_calls.minimize(kernel_calls.reverse(a.with_tracks(plain(a.tracks)), budget), budget)


def turned(tracks: Sequence[Track], given: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the minimal automaton of the reversed words of one, over such tracks, as in stored order.

    It is made at once if it has at most MOST_STATES or MOST_TIMES as many states, else when it is looked at.
    """
    most = max(MOST_STATES, MOST_TIMES * given.states)
    bounded = replace(budget, states=min(most, budget.states))
    try:
        backward = kernel_calls.reverse(given.with_tracks(plain(tracks)), bounded)
    except BudgetSpent as spent:
        if spent.resource != "states" or budget.states <= most:
            raise
        return Turned(tracks, kernel_calls.minimize(given, budget))
    return kernel_calls.minimize(backward, budget).with_tracks(tuple(tracks))


def relation_backward(given: Dfa, valid: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Return the reversed words of what `operations.as_relation` returns.

    given: the automaton of the reversed words of a raw language; valid: the valid words of each of its tracks.
    """
    inside = given
    for one in valid:
        inside = kernel_calls.join(inside, reversed_words(one, budget), budget)
    inside = kernel_calls.reorder(inside, given.names, budget)
    return closed_at_end(inside, [track for one in valid for track in one.tracks], budget)


def projected_backward(a: Dfa, quantified: Sequence[str], tracks: Sequence[Track], budget: Budget = UNLIMITED) -> Dfa:
    """Return the reversed words of a projection; tracks: those of the relation, of whose reversed words a is."""
    kept = [track for track in tracks if track.name not in quantified]
    return closed_at_end(kernel_calls.project(a, quantified, budget), kept, budget)


def closed_at_end(a: Dfa, tracks: Sequence[Track], budget: Budget = UNLIMITED) -> Dfa:
    """Accept the words of a with any number of zero letters added to or removed from the end.

    tracks: those of the relation; if one of them does not hold numbers, the words are those of a.  The result is
    minimal.  O(states + transitions).
    """
    zero = a.with_tracks(tuple(tracks)).zero_code if tracks else None
    if zero is None:
        return kernel_calls.minimize(a, budget)
    after = [a.successor(state, zero) for state in range(a.states)]
    holds = _leads_to(after, [bool(output) for output in a.outputs])
    if all(not held or (then is not None and holds[then]) for held, then in zip(holds, after, strict=True)):
        return kernel_calls.minimize(a.with_outputs(map(int, holds)), budget)

    # A state holds whether the word up to its last letter other than zero is in the result.
    def steps(state: tuple[int | None, bool]) -> Iterator[tuple[int, tuple[int | None, bool]]]:
        place, held = state
        if held and (place is None or after[place] is None):
            yield zero, (None, True)
        for code, target in a.row(place) if place is not None else ():
            yield code, (target, held if code == zero else holds[target])

    start: tuple[int | None, bool] = (0, holds[0])
    found = explored(start, steps, budget, "a closure under zeros")
    return kernel_calls.minimize(build_from(a.tracks, found, lambda state: int(state[1])), budget)


def _leads_to(after: Sequence[int | None], accepts: Sequence[bool]) -> list[bool]:
    """Return, for each place, whether it or one of those that follow it accepts."""
    holds: list[bool | None] = [True if accepted else None for accepted in accepts]
    for begin in range(len(after)):
        path: list[int] = []
        place: int | None = begin
        while place is not None and holds[place] is None:
            holds[place] = False  # so that a cycle ends
            path.append(place)
            place = after[place]
        if place is not None and holds[place]:
            for each in path:
                holds[each] = True
    return [bool(held) for held in holds]
