"""Compiling regular expressions: syntax tree to canonical automaton over given tracks.

An expression describes a raw language of words of letters: valid representations and leading
zeros play no part in this module.  The construction is Thompson's (one fragment a node, joined by
silent moves).  Then silent moves are removed and states with the same moves are merged, which gives the
follow automaton of Ilie and Yu (2003), and subsets of its states are taken.  Intersections and complements
are taken of the automata of their parts, which enter the surrounding expression as fragments.  Repetition
counts are unfolded, so the cost of a counted repetition is its number of fragment states, which is bounded
by the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import prod

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build, check_tracks
from fibprover.base.errors import BudgetSpent, DigitError
from fibprover.base.limits import UNLIMITED, Budget, check_budget, effective
from fibprover.language.regular_expression import (
    Complement,
    Concat,
    Empty,
    Epsilon,
    Intersection,
    Letters,
    Regex,
    RegexLetter,
    Repeat,
    Union,
)

#: Most states of fragments and most letters under a complement, whatever the budget: some seconds.
MOST_FRAGMENT_STATES = 500_000
_POLL = 0x3FF


def compile_regex(regex: Regex, tracks: Sequence[Track], budget: Budget = UNLIMITED) -> Dfa:
    """Return the minimal automaton of the words that `regex` describes, over `tracks` in their order.

    DigitError for a letter outside the alphabet; BudgetSpent if unfolded repetitions, subsets or
    a complement's alphabet exceed the budget (or MOST_FRAGMENT_STATES).  Exponential in the size of
    the expression at worst, as any determinization.
    """
    check_tracks(tracks)
    # Kernels sort tracks by name, so the tracks get names that sort in the given order.
    ordered = tuple(track._replace(name=f"{place:04d}") for place, track in enumerate(tracks))
    return _Compiler(ordered, effective(budget)).automaton(regex).with_tracks(tuple(tracks))


@dataclass(slots=True)
class _Fragments:
    """A nondeterministic automaton under construction: silent moves and moves by letter code."""

    limit: int
    budget: Budget
    silent: list[list[int]] = field(default_factory=list)
    moves: list[list[tuple[int, int]]] = field(default_factory=list)

    def state(self) -> int:
        """Return a new state."""
        number = len(self.silent)
        if number >= self.limit:
            raise BudgetSpent("states", self.limit, states=number, during="a regular expression")
        if not number & _POLL:
            check_budget(self.budget, number, "a regular expression")
        self.silent.append([])
        self.moves.append([])
        return number

    def ends_of_silence(self) -> list[int]:
        """Return for each state the one that its silent moves lead to without a choice and without other moves."""
        ends = [-1] * len(self.silent)
        for state in range(len(ends)):
            path = []
            # A state on the path is marked as its own end, so that a cycle of silent moves stops there.
            while ends[state] < 0:
                path.append(state)
                ends[state] = state
                if len(self.silent[state]) == 1 and not self.moves[state]:
                    (state,) = self.silent[state]
            for passed in path:
                ends[passed] = ends[state]
        return ends

    def closure(self, state: int) -> set[int]:
        """Return the states reached by silent moves, this one included."""
        reached = {state}
        todo = [state]
        done = 0
        while todo:
            done += 1
            if not done & _POLL:
                check_budget(self.budget, 0, "a regular expression")
            for target in self.silent[todo.pop()]:
                if target not in reached:
                    reached.add(target)
                    todo.append(target)
        return reached

    def without_silent(self, start: int, end: int) -> tuple[list[frozenset[tuple[int, int]]], list[int]]:
        """Return the moves (letter code, target) and the outputs of an equivalent automaton without silent moves.

        States that have the same moves and the same output are one; state 0 is the initial one.
        """
        ends = self.ends_of_silence()
        numbers: dict[tuple[frozenset[tuple[int, int]], bool], int] = {}
        number_of: dict[int, int] = {}
        transitions = 0
        for state in self.entered(ends, start):
            reached = self.closure(state)
            row = frozenset((code, ends[target]) for one in reached for code, target in self.moves[one])
            number_of[state] = numbers.setdefault((row, end in reached), len(numbers))
            transitions += len(row)
            self.poll(len(number_of), transitions)
        rows = [frozenset((code, number_of[target]) for code, target in row) for row, _ in numbers]
        return rows, [int(accepts) for _, accepts in numbers]

    def entered(self, ends: list[int], start: int) -> list[int]:
        """Return the initial state and, after it, those that a letter leads to."""
        states = {ends[start]: None}
        for row in self.moves:
            states.update((ends[target], None) for _, target in row)
        return list(states)

    def poll(self, states: int, transitions: int) -> None:
        """Stop when the budget is spent."""
        check_budget(self.budget, states, "a regular expression")
        if transitions > self.budget.transitions:
            raise self.budget.spent(
                "transitions", states=states, transitions=transitions, during="a regular expression"
            )


@dataclass(slots=True)
class _Compiler:
    """Compiles expressions over one alphabet."""

    tracks: tuple[Track, ...]
    budget: Budget

    def automaton(self, regex: Regex) -> Dfa:
        """Return the canonical automaton of an expression."""
        match regex:
            case Intersection(parts):
                joined = reduce(lambda a, b: kernel_calls.join(a, b, self.budget), map(self.automaton, parts))
                return kernel_calls.minimize(joined, self.budget)
            case Complement(body):
                inside = self.automaton(body)
                return kernel_calls.minimize(kernel_calls.difference(self.universe(), inside, self.budget), self.budget)
        fragments = _Fragments(min(self.budget.states, MOST_FRAGMENT_STATES), self.budget)
        start = fragments.state()
        end = self.fragment(regex, start, fragments)
        rows, outputs = fragments.without_silent(start, end)
        return kernel_calls.minimize(kernel_calls.determinize(self.tracks, rows, outputs, self.budget), self.budget)

    def universe(self) -> Dfa:
        """Return all words over the alphabet."""
        letters = prod(len(track.digits) for track in self.tracks)
        limit = min(self.budget.transitions, MOST_FRAGMENT_STATES)
        if letters > limit:
            raise BudgetSpent("transitions", limit, transitions=letters, during="the complement of an expression")
        return build(self.tracks, [dict.fromkeys(range(letters), 0)], [1])

    def fragment(self, regex: Regex, start: int, fragments: _Fragments) -> int:
        """Add a fragment that reads `regex` from `start`; return the state in which it ends.

        Nothing is ever added that leaves the returned state or enters `start`, except by the caller.
        """
        match regex:
            case Empty():
                return fragments.state()
            case Epsilon():
                end = fragments.state()
                fragments.silent[start].append(end)
                return end
            case Letters(letters):
                end = fragments.state()
                fragments.moves[start].extend((self.code(letter), end) for letter in sorted(letters))
                return end
            case Concat(parts):
                for part in parts:
                    start = self.fragment(part, start, fragments)
                return start
            case Union(parts):
                ends = []
                for part in parts:
                    branch = fragments.state()
                    fragments.silent[start].append(branch)
                    ends.append(self.fragment(part, branch, fragments))
                end = fragments.state()
                for one in ends:
                    fragments.silent[one].append(end)
                return end
            case Repeat(body, least, most):
                return self.repetition(body, least, most, start, fragments)
            case Intersection() | Complement():
                return self.embedded(self.automaton(regex), start, fragments)

    def repetition(self, body: Regex, least: int, most: int | None, start: int, fragments: _Fragments) -> int:
        """Add the body `least` times, then as often as `most` allows; return the state in which this ends."""
        if most is not None and most < least:
            return fragments.state()
        copy = self.copier(body, least > 1 or (most or 0) > 1, fragments)
        for _ in range(least):
            start = copy(start)
        end = fragments.state()
        if most is None:
            # The loop gets states of its own: other fragments may share `start`.
            again = fragments.state()
            fragments.silent[start].append(again)
            fragments.silent[copy(again)].append(again)
            fragments.silent[again].append(end)
            return end
        fragments.silent[start].append(end)
        for _ in range(most - least):
            start = copy(start)
            fragments.silent[start].append(end)
        return end

    def copier(self, body: Regex, many: bool, fragments: _Fragments) -> Callable[[int], int]:
        """Return a function that adds one more copy of the body at a state and returns the state where the copy ends.

        If there are many copies, the compiled body is copied: it is no larger than the tree, and often smaller.
        """
        if many and not isinstance(body, Letters | Epsilon | Empty):
            compiled = self.automaton(body)
            return lambda start: self.embedded(compiled, start, fragments)
        return lambda start: self.fragment(body, start, fragments)

    def embedded(self, dfa: Dfa, start: int, fragments: _Fragments) -> int:
        """Add a copy of an automaton as a fragment; return the state in which it ends."""
        numbers = [fragments.state() for _ in range(dfa.states)]
        end = fragments.state()
        fragments.silent[start].append(numbers[0])
        for state, number in enumerate(numbers):
            fragments.moves[number].extend((code, numbers[target]) for code, target in dfa.row(state))
            if dfa.outputs[state]:
                fragments.silent[number].append(end)
        return end

    def code(self, letter: RegexLetter) -> int:
        """Return the code of a letter of the expression."""
        if len(letter) != len(self.tracks):
            raise DigitError(f"the letter {list(letter)} has {len(letter)} digits for {len(self.tracks)} tracks")
        code = 0
        for digit, track in zip(letter, self.tracks, strict=True):
            if digit not in track.digits:
                raise DigitError(f"{digit} is not among the digits {track.digits} of track {int(track.name) + 1}")
            code = code * len(track.digits) + track.digits.index(digit)
        return code
