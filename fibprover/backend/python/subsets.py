"""Subset constructions: existential quantification, closure under leading zeros, reversal.

The successors of a set of states are the unions of its states' successors, letter by letter; states of the same letters
are taken together.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Generic

from fibprover.backend.python.arrays import Arrays, Csr, Numbering, Recode, exported, extend_long, nothing
from fibprover.backend.python.budget import FUEL, InvalidArrayError, Meter
from fibprover.backend.python.sets import S, Sets, sets_of


class Nfa(Generic[S]):
    """A nondeterministic automaton: for every state its letters, increasing, and a set of targets for each of them.

    letters: of each shape; shape_of, targets, outputs: of each state, its shape, its sets and its output.  states: how
    many there will be.
    """

    def __init__(self, states: int, meter: Meter) -> None:
        self.meter = meter
        self.sets: Sets[S] = sets_of(states)
        self.letters: list[array[int]] = []
        #: Of a set of one state: the state.
        self.singles: dict[S, int] = {}
        self.shape_of: list[int] = []
        self.targets: list[list[S]] = []
        self.outputs: list[int] = []
        self.shapes: dict[tuple[int, ...], int] = {}
        self.known: dict[S, S] = {}
        self.held = 0

    def add_row(self, row: dict[int, list[int]], output: int) -> None:
        """Append a state: letters with their targets, and its output."""
        letters = tuple(sorted(row))
        self.add_sets(letters, [self.sets.of(row[letter]) for letter in letters], output)

    def add_sets(self, letters: tuple[int, ...], targets: Iterable[S], output: int) -> None:
        """Append a state with these letters, which increase, their targets and this output."""
        shape = self.shapes.setdefault(letters, len(self.letters))
        if shape == len(self.letters):
            self.letters.append(array("q", letters))
        self.singles[self.sets.of((len(self.outputs),))] = len(self.outputs)
        before, keep = len(self.known), self.known.setdefault
        self.targets.append([keep(each, each) for each in targets])
        if len(self.known) > before:
            self.held += self.sets.size(self.targets[-1][-1]) * (len(self.known) - before)
        self.outputs.append(output)
        self.shape_of.append(shape)
        self.meter.work(2 * len(letters) + 1)

    def add_part(self, a: Csr, kept: Recode) -> None:
        """Append the states of an automaton that reads `kept` of every letter."""
        first = len(self.shape_of)
        shape_of, shapes = a.shapes()
        recoded = [kept.all(codes, self.meter) for codes in shapes]
        simple = [all(map(int.__lt__, codes, codes[1:])) for codes in recoded]
        singles = [self.sets.of((first + target,)) for target in range(a.states)]
        for state, shape in enumerate(shape_of):
            codes = recoded[shape]
            if simple[shape]:
                self.add_sets(tuple(codes), map(singles.__getitem__, a.row(state)), a.outputs[state])
                continue
            row: dict[int, list[int]] = {}
            for code, target in zip(codes, a.row(state), strict=True):
                row.setdefault(code, []).append(first + target)
            self.add_row(row, a.outputs[state])
        self.meter.hold(self.held + 8 * sum(map(len, self.targets)))

    def successors(self, states: S) -> tuple[Sequence[int], Iterable[S]]:
        """Return the letters that lead on from a set, increasing, and the set that each leads to."""
        shape_of, targets, unions = self.shape_of, self.targets, self.sets.unions
        single = self.singles.get(states)
        if single is not None:
            return self.letters[shape_of[single]], targets[single]
        by_shape: dict[int, list[list[S]]] = {}
        for state in self.sets.members(states):
            by_shape.setdefault(shape_of[state], []).append(targets[state])
        if len(by_shape) == 1:
            ((shape, rows),) = by_shape.items()
            return self.letters[shape], unions(rows)
        merged: dict[int, S] = {}
        for shape, rows in by_shape.items():
            for letter, reached in zip(self.letters[shape], unions(rows), strict=True):
                known = merged.get(letter)
                merged[letter] = reached if known is None else known | reached
        letters = sorted(merged)
        return letters, map(merged.__getitem__, letters)

    def initial(self, entries: Iterable[int], zero: int) -> S:
        """Return the initial set; zero: a letter, or -1.

        With it, a new state is appended, which stands for all that zeros reach from the entries, and loops on zero.
        """
        if zero < 0:
            return self.sets.of(entries)
        closed = self._closed(entries, zero)
        found, reached = self.successors(self.sets.of(closed))
        start = self.sets.of((len(self.outputs),))
        row = dict(zip(found, reached, strict=True)) | {zero: start}
        letters = tuple(sorted(row))
        accepts = any(self.outputs[state] for state in closed)
        self.add_sets(letters, map(row.__getitem__, letters), int(accepts))
        return start

    def _closed(self, entries: Iterable[int], letter: int) -> set[int]:
        """Return the entries and all states that are reached from them by one letter."""
        found = set(entries)
        stack = list(found)
        while stack:
            state = stack.pop()
            letters = self.letters[self.shape_of[state]]
            self.meter.work(len(letters) + 1)
            if letter in letters:
                new = set(self.sets.members(self.targets[state][letters.index(letter)])) - found
                found |= new
                stack += new
        return found

    def accepting(self) -> S:
        """Return the states whose output is not 0."""
        return self.sets.of(state for state, output in enumerate(self.outputs) if output)


def determinize(parts: tuple[Csr, ...], kept: tuple[Recode, ...], zero: int, meter: Meter) -> Arrays:
    """Return the sets of states that kept letters lead to, in any of the automata `parts` (at least one).

    kept: a coding for each part; zero: the kept code of the all-zero letter, or -1.  With it, the initial state stands
    for all states reached by zeros, loops on zero, and is a state of its own: the result is closed under adding and
    removing zeros in front.
    """
    meter.poll()
    if not parts:
        raise InvalidArrayError("no automaton where one is needed")
    states = sum(a.states for a in parts)
    if states > meter.ceiling:
        raise meter.too_many()
    nfa: Nfa[Any] = Nfa(states + 1, meter)
    entries = []
    for a, code in zip(parts, kept, strict=True):
        entries.append(len(nfa.outputs))
        nfa.add_part(a, code)
    return subset_construction(nfa, nfa.initial(entries, zero), meter)


def reverse(a: Csr, meter: Meter) -> Arrays:
    """Turn all transitions round, begin at the accepting states, end at state 0; subset construction."""
    meter.poll()
    initial = [state for state, output in enumerate(a.outputs) if output]
    if not initial:
        return nothing(meter)
    rows: list[dict[int, list[int]]] = [{} for _ in range(a.states)]
    for state in range(a.states):
        meter.work(4 * (a.offsets[state + 1] - a.offsets[state]) + 1)
        for code, target in zip(a.letters_of(state), a.row(state), strict=True):
            rows[target].setdefault(code, []).append(state)
    nfa: Nfa[Any] = Nfa(a.states, meter)
    for state, row in enumerate(rows):
        nfa.add_row(row, 0 if state else 1)
    return subset_construction(nfa, nfa.sets.of(initial), meter)


def subset_construction(nfa: Nfa[S], initial: S, meter: Meter) -> Arrays:
    """Return the reachable sets; `initial` is not empty; a set accepts if one of its states does."""
    numbers: Numbering[S] = Numbering(meter, initial)
    number, found = numbers.__getitem__, numbers.found
    offsets, codes, targets = array("q", [0]), array("q"), array("i")
    most, stop = meter.max_states, meter.progress(1, 0)
    size, held = nfa.sets.size, nfa.held
    for states in found:
        letters, reached = nfa.successors(states)
        held += size(states)
        codes.extend(letters)
        if len(letters) > FUEL:
            extend_long(targets, map(number, reached), meter)
        else:
            targets.extend(map(number, reached))
        offsets.append(len(codes))
        if len(codes) > stop or len(found) > most:
            stop = meter.progress(len(found), len(codes), held)
    meter.progress(len(found), len(codes), held)
    accepting, meet = nfa.accepting(), nfa.sets.meet
    return exported(offsets, codes, targets, array("i", [1 if meet(states, accepting) else 0 for states in found]))
