"""Minimization: the unique least automaton of a language, numbered canonically.

Partition refinement in two stages.  While a good part of the states moves, whole rounds compare the targets of all
states; once few move, only states with a transition to one that has moved are looked at, and of the parts of a class
the largest keeps its number, which bounds deep chains.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter

from fibprover.automata.kernels.python.arrays import Arrays, Csr, Numbering, exported, extend_long, nothing
from fibprover.automata.kernels.python.budget import FUEL, Meter
from fibprover.automata.kernels.python.trim import trimmed

#: Whole rounds end with the third one in which at most one state in eight changes its class.
FEW = 8
PATIENCE = 3


def minimize(a: Csr, as_relation: bool, meter: Meter) -> Arrays:
    """Return the canonical minimal automaton: states in breadth-first order by letter code.

    as_relation: output 0 rejects, all others are one, and states that lead nowhere are removed; otherwise all outputs
    are told apart and only unreachable states are removed.  An automaton that is canonical already is returned itself.
    O(m log n) look-ups of rows for n states and m transitions.
    """
    meter.poll()
    kept = trimmed(a, meter.of_a_part(), useful_only=as_relation)
    if kept is None:
        return nothing(meter)
    outputs = [1 if output else 0 for output in kept.outputs] if as_relation else kept.outputs
    shape_of, shapes = kept.shapes()
    classes = Classes(kept.rows(), list(zip(outputs, shape_of, strict=True)), meter)
    classes.refine()
    if classes.count == a.states and outputs == a.outputs and is_canonical(a, meter):
        return a.export()
    return quotient(classes.of_state, classes.rows, outputs, [array("q", shapes[shape]) for shape in shape_of], meter)


def renumber(a: Csr, meter: Meter) -> Arrays:
    """Return what `minimize` would of a relation that is trim and minimal; O(states + transitions)."""
    meter.poll()
    outputs = [1 if output else 0 for output in a.outputs]
    if outputs == a.outputs and is_canonical(a, meter):
        return a.export()
    shape_of, shapes = a.shapes()
    return quotient(range(a.states), a.rows(), outputs, [array("q", shapes[shape]) for shape in shape_of], meter)


class Classes:
    """Classes of states that may be equivalent: `of_state`, numbered from 0 to `count` - 1."""

    def __init__(self, rows: list[list[int]], colors: Sequence[Hashable], meter: Meter) -> None:
        self.meter = meter
        self.rows = rows
        numbers: dict[Hashable, int] = {}
        self.of_state = [numbers.setdefault(color, len(numbers)) for color in colors]
        self.count = len(numbers)
        #: Of a state: the classes of its targets.
        self.look: list[Callable[[list[int]], Hashable]] = [
            itemgetter(*row) if row else itemgetter(0) for row in rows
        ]
        #: Classes of several states that have transitions: others cannot be divided.
        self.blocks: dict[int, set[int]] = {}
        members: list[list[int]] = [[] for _ in range(self.count)]
        for state, c in enumerate(self.of_state):
            members[c].append(state)
        for c, block in enumerate(members):
            if len(block) > 1 and rows[block[0]]:
                self.blocks[c] = set(block)

    def refine(self) -> None:
        """Divide classes until states of one class lead to the same classes."""
        patience = PATIENCE
        while patience:
            moved = self._round()
            if not moved:
                return
            if FEW * len(moved) <= len(self.rows):
                patience -= 1
        sources = self._sources()
        while moved:
            moved = self._look_again(self._changes(moved, sources))
            self.meter.poll()

    def _round(self) -> list[int]:
        """Divide every class once; return the states that have another class now."""
        moved: list[int] = []
        look, of_state = self.look, self.of_state
        for c, block in list(self.blocks.items()):
            self.meter.work(sum(map(len, map(self.rows.__getitem__, block))))
            if len({look[state](of_state) for state in block}) == 1:
                continue
            parts: dict[Hashable, list[int]] = {}
            for state in block:
                parts.setdefault(look[state](of_state), []).append(state)
            moved += self._divide(c, list(parts.values()))
        return moved

    def _look_again(self, changes: dict[int, list[int]]) -> list[int]:
        """Divide classes whose states lead to states that have moved since the last look, as `_changes` lists them."""
        by_class: dict[int, dict[Hashable, list[int]]] = {}
        for state, change in changes.items():
            key = change[0] if len(change) == 1 else frozenset(change)
            by_class.setdefault(self.of_state[state], {}).setdefault(key, []).append(state)
        moved: list[int] = []
        for c, parts in by_class.items():
            moved += self._part(c, list(parts.values()))
        return moved

    def _changes(self, moved: list[int], sources: list[list[int]]) -> dict[int, list[int]]:
        """Return for states that can be told from others the transitions to states that have moved.

        A transition is its place p in the row and the class it leads to, as p * (number of states) + class: states of
        one class have the same letters.
        """
        changes: dict[int, list[int]] = {}
        count, of_state, blocks = len(self.rows), self.of_state, self.blocks
        for target in moved:
            c = of_state[target]
            entries = sources[target]
            self.meter.work(2 * len(entries) + 1)
            for entry in entries:
                state = entry % count
                if of_state[state] in blocks:
                    changes.setdefault(state, []).append(entry - state + c)
        return changes

    def _part(self, c: int, parts: list[list[int]]) -> list[int]:
        """Divide a class into parts and what remains; return the states whose class has changed."""
        block = self.blocks[c]
        size = sum(map(len, parts))
        if size == len(block):
            return self._divide(c, parts) if len(parts) > 1 else []
        if 2 * size > len(block):
            return self._divide(c, [*parts, list(block.difference(*parts))])
        moved: list[int] = []
        for part in parts:
            block.difference_update(part)
            moved += self._found(part)
        if len(block) == 1:
            del self.blocks[c]
        return moved

    def _divide(self, c: int, parts: list[list[int]]) -> list[int]:
        """Make parts classes; the largest of them keeps the number of the class."""
        parts.sort(key=len)
        largest = parts.pop()
        if len(largest) > 1:
            self.blocks[c] = set(largest)
        else:
            del self.blocks[c]
        moved: list[int] = []
        for part in parts:
            moved += self._found(part)
        return moved

    def _found(self, part: list[int]) -> list[int]:
        """Make a new class of these states, and return them."""
        c = self.count
        self.count += 1
        for state in part:
            self.of_state[state] = c
        if len(part) > 1:
            self.blocks[c] = set(part)
        return part

    def _sources(self) -> list[list[int]]:
        """Return for every state its incoming transitions: p * (number of states) + source, p the place in the row."""
        sources: list[list[int]] = [[] for _ in self.rows]
        count = len(self.rows)
        for state, row in enumerate(self.rows):
            self.meter.work(2 * len(row) + 1)
            for place, target in enumerate(row):
                sources[target].append(place * count + state)
        return sources


def is_canonical(a: Csr, meter: Meter) -> bool:
    """Return whether the states are numbered breadth first."""
    found = 1
    for begin in range(0, a.transitions, FUEL):
        for target in a.targets[begin : begin + FUEL]:
            if target >= found:
                if target > found:
                    return False
                found += 1
        meter.work(FUEL)
    meter.progress(a.states, a.transitions)
    return True


def quotient(
    of_state: Sequence[int], rows: list[list[int]], outputs: list[int], letters: list[array[int]], meter: Meter
) -> Arrays:
    """Return the automaton of the classes in breadth-first order by letter code.

    of_state: the class of each state; rows: its targets; letters: their codes.
    """
    members = dict(zip(of_state, range(len(rows)), strict=True))
    numbers = Numbering(meter, of_state[0])
    number, class_of = numbers.__getitem__, of_state.__getitem__
    offsets, codes, targets = array("q", [0]), array("q"), array("i")
    most, stop = meter.max_states, meter.progress(1, 0)
    for c in numbers.found:
        state = members[c]
        row = rows[state]
        codes.extend(letters[state])
        if len(row) > FUEL:
            extend_long(targets, map(number, map(class_of, row)), meter)
        else:
            targets.extend(map(number, map(class_of, row)))
        offsets.append(len(codes))
        if len(codes) > stop or len(numbers) > most:
            stop = meter.progress(len(numbers), len(codes))
    meter.progress(len(numbers), len(codes))
    return exported(offsets, codes, targets, array("i", [outputs[members[c]] for c in numbers.found]))
