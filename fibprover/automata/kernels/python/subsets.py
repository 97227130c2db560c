"""Nondeterministic automata, and the successors of a set of their states.

These are the unions of the states' successors, letter by letter; states of the same letters are taken together.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Generic

from fibprover.automata.kernels.python.arrays import Csr, Recode
from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter
from fibprover.automata.kernels.python.sets import S, Sets, sets_of

#: What it costs to look up a row, in steps.
STEPS_OF_ROW = 4


class Nfa(Generic[S]):
    """A nondeterministic automaton: for every state its letters, increasing, and a set of targets for each of them.

    `Nfa(parts, kept, zero, meter)` is the one of some automata side by side that reads `kept` of every letter; state 0
    of each begins.  kept: a coding for each part; zero: the kept code of the all-zero letter, or -1.  With it, a new
    state begins, which stands for all that zeros reach, and loops on zero: the language is closed under adding and
    removing zeros in front.

    An automaton that is made of another one has no parts.

    letters: of each shape; shape_of, targets, outputs: of each state, its shape, its sets and its output; initial: the
    set that begins.
    """

    initial: S

    def __init__(self, parts: tuple[Csr, ...], kept: tuple[Recode, ...], zero: int, meter: Meter) -> None:
        meter.poll()
        states = sum(a.states for a in parts)
        if not parts:
            raise InvalidArrayError("no automaton where one is needed")
        if states >= meter.ceiling:
            raise meter.too_many()
        if zero >= max(code.letters for code in kept):
            raise InvalidArrayError("a zero that is no letter")
        self._begin(states + 1, meter, parts, kept, zero)
        entries = []
        for a, code in zip(parts, kept, strict=True):
            entries.append(len(self.outputs))
            self._add_part(a, code)
        self.initial = self.sets.of(entries) if zero < 0 else self._begin_with(entries, zero)

    def _begin(
        self, most: int, meter: Meter, parts: tuple[Csr, ...] = (), kept: tuple[Recode, ...] = (), zero: int = -1
    ) -> None:
        """Begin without states; at most so many may be added."""
        self.parts, self.kept, self.zero = parts, kept, zero
        self.meter = meter
        self.sets: Sets[S] = sets_of(most)
        self.letters: list[array[int]] = []
        #: Of a set of one state: the state.
        self.singles: dict[S, int] = {}
        self.shape_of: list[int] = []
        self.targets: list[list[S]] = []
        self.outputs: list[int] = []
        self.transitions = 0
        self._shapes: dict[tuple[int, ...], int] = {}
        self._known: dict[S, S] = {}
        #: The bytes that it takes.
        self.held = 0

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.outputs)

    def reversed(self, meter: Meter) -> Nfa[S]:
        """Return the automaton of the reversed words; states that no word reaches are left out of its rows."""
        reached = self._reached(meter)
        rows: list[dict[int, list[int]]] = [{} for _ in self.outputs]
        members = self.sets.members
        for state in sorted(reached):
            for letter, targets in self.row(state).items():
                single = self.singles.get(targets)
                sources = (single,) if single is not None else members(targets)
                meter.work(4 * len(sources))
                for target in sources:
                    rows[target].setdefault(letter, []).append(state)
        result: Nfa[S] = Nfa.__new__(Nfa)
        result._begin(self.states, meter)
        initial = set(members(self.initial))
        for state, row in enumerate(rows):
            result._add_row(row, int(state in initial))
        result.initial = result.sets.of(state for state in sorted(reached) if self.outputs[state])
        return result

    def removing(self, letter: int, meter: Meter) -> Nfa[S]:
        """Return the automaton of its words and of what is left of them without some last letters that are this one."""
        back = self.reversed(meter)
        back.initial = back.sets.of(sorted(back._closed(back.sets.members(back.initial), letter)))
        return back.reversed(meter)

    def with_sets(self, initial: S, targets: Iterable[Iterable[S]], meter: Meter) -> Nfa[S]:
        """Return the automaton of the same states, letters and outputs, with other targets and initial states."""
        result: Nfa[S] = Nfa.__new__(Nfa)
        result._begin(self.states, meter)
        for shape, sets, output in zip(self.shape_of, targets, self.outputs, strict=True):
            result._add_sets(tuple(self.letters[shape]), sets, output)
        result.initial = initial
        return result

    def row(self, state: int) -> dict[int, S]:
        """Return the targets of a state by letter."""
        letters = self.letters[self.shape_of[state]]
        self.meter.work(len(letters) + 1)
        return dict(zip(letters, self.targets[state], strict=True))

    def _reached(self, meter: Meter) -> set[int]:
        """Return the states that words reach."""
        found = set(self.sets.members(self.initial))
        todo = list(found)
        while todo:
            targets = self.targets[todo.pop()]
            for each in set(targets):
                single = self.singles.get(each)
                new = {single} if single is not None else set(self.sets.members(each))
                new -= found
                found |= new
                todo += new
            meter.work(2 * len(targets) + 1)
        return found

    def _add_row(self, row: dict[int, list[int]], output: int) -> None:
        """Append a state: letters with their targets, and its output."""
        letters = tuple(sorted(row))
        self._add_sets(letters, [self.sets.of(row[letter]) for letter in letters], output)

    def _add_sets(self, letters: tuple[int, ...], targets: Iterable[S], output: int) -> None:
        """Append a state with these letters, which increase, their targets and this output."""
        shape = self._shapes.setdefault(letters, len(self.letters))
        if shape == len(self.letters):
            self.letters.append(array("q", letters))
        self.singles[self.sets.of((len(self.outputs),))] = len(self.outputs)
        before, keep = len(self._known), self._known.setdefault
        own = [keep(each, each) for each in targets]
        self.targets.append(own)
        self.transitions += sum(map(self.sets.count, own))
        if len(self._known) > before:
            self.held += self.sets.size(own[-1]) * (len(self._known) - before)
        self.held += 8 * len(own)
        self.outputs.append(output)
        self.shape_of.append(shape)
        self.meter.work(2 * len(letters) + 1)

    def _add_part(self, a: Csr, kept: Recode) -> None:
        """Append the states of an automaton that reads `kept` of every letter."""
        first = len(self.shape_of)
        shape_of, shapes = a.shapes()
        recoded = [kept.all(codes, self.meter) for codes in shapes]
        simple = [all(map(int.__lt__, codes, codes[1:])) for codes in recoded]
        singles = [self.sets.of((first + target,)) for target in range(a.states)]
        for state, shape in enumerate(shape_of):
            codes = recoded[shape]
            if simple[shape]:
                self._add_sets(tuple(codes), map(singles.__getitem__, a.row(state)), a.outputs[state])
                continue
            row: dict[int, list[int]] = {}
            for code, target in zip(codes, a.row(state), strict=True):
                row.setdefault(code, []).append(first + target)
            self._add_row(row, a.outputs[state])
        self.meter.hold(self.held)

    def successors(self, states: S) -> tuple[Sequence[int], Iterable[S], int]:
        """Return the letters that lead on from a set, increasing, the set that each leads to, and the steps it took."""
        shape_of, targets, unions = self.shape_of, self.targets, self.sets.unions
        single = self.singles.get(states)
        if single is not None:
            letters = self.letters[shape_of[single]]
            return letters, targets[single], len(letters)
        by_shape: dict[int, list[list[S]]] = {}
        members = self.sets.members(states)
        for state in members:
            by_shape.setdefault(shape_of[state], []).append(targets[state])
        if len(by_shape) == 1:
            ((shape, rows),) = by_shape.items()
            letters = self.letters[shape]
            return letters, unions(rows), len(members) * (STEPS_OF_ROW + len(letters))
        merged: dict[int, S] = {}
        steps = STEPS_OF_ROW * len(members)
        for shape, rows in by_shape.items():
            letters = self.letters[shape]
            steps += len(rows) * len(letters)
            for letter, reached in zip(letters, unions(rows), strict=True):
                known = merged.get(letter)
                merged[letter] = reached if known is None else known | reached
        found = sorted(merged)
        return found, map(merged.__getitem__, found), steps

    def _begin_with(self, entries: Iterable[int], zero: int) -> S:
        """Append a state that stands for all that zeros reach from the entries, and loops on zero; return its set."""
        closed = self._closed(entries, zero)
        found, reached, _ = self.successors(self.sets.of(closed))
        start = self.sets.of((len(self.outputs),))
        row = dict(zip(found, reached, strict=True)) | {zero: start}
        letters = tuple(sorted(row))
        accepts = any(self.outputs[state] for state in closed)
        self._add_sets(letters, map(row.__getitem__, letters), int(accepts))
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
