"""How far terms confirm a word that was guessed from them, by terms that the guess was not made from.

A transition of the machine says that what follows a number and a digit is what follows a state.  The terms that tell
the state from all others are those from which this was guessed; terms that lie deeper below confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from fibprover.automata.dfa import Dfa
from fibprover.infer.tree import Integers, tree_of
from fibprover.infer.words import states_at_nodes
from fibprover.numeration.system import NumerationSystem

#: Terms are also predicted by up to so many of those before.
_MOST_CONTEXT = 3


def confirmed_depth(machine: Dfa, terms: Sequence[int], system: NumerationSystem) -> int:
    """Return how many digits deeper than what tells its target from other states each transition was seen, at least.

    machine: reads the numbers of the system, and gives the terms.  Negative if a transition was not seen so far that
    the terms tell its target from each other state.  O(terms) for each digit, and O(states) for each depth.
    """
    tree = tree_of(system, terms)
    table = _table(machine, len(system.digits))
    images = [[None if target < 0 else int(target) for target in row] for row in table]
    states = states_at_nodes(tree, images)
    seen = numpy.full(table.shape, -1, dtype=numpy.int64)
    for digit, edge in enumerate(tree.edges):
        owners = states[edge.owners]
        known = owners >= 0
        numpy.maximum.at(seen[:, digit], owners[known], tree.trust[edge.children[known]])
    apart = _apart(table, numpy.array(machine.outputs))
    used = table >= 0
    return int((seen[used] - apart[table[used]]).min(initial=int(tree.trust[0])))


def _table(machine: Dfa, digits: int) -> Integers:
    """Return the target of each state by each digit, -1 for none."""
    table = numpy.full((machine.states, digits), -1, dtype=numpy.int64)
    for state in range(machine.states):
        for code, target in machine.row(state):
            table[state, code] = target
    return table


def _apart(table: Integers, outputs: Integers) -> Integers:
    """Return for each state the number of digits that tell it from all other states of a minimal machine."""
    _, classes = numpy.unique(outputs, return_inverse=True)
    found = numpy.full(len(table), -1, dtype=numpy.int64)
    for depth in range(len(table)):
        found[(found < 0) & (numpy.bincount(classes)[classes] == 1)] = depth
        targets = numpy.where(table >= 0, classes[table] + 1, 0)
        _, finer = numpy.unique(numpy.column_stack([classes, targets]), axis=0, return_inverse=True)
        finer = finer.reshape(-1)
        if finer.max() == classes.max():
            break
        classes = finer
    return found


def bits_of_terms(terms: Sequence[int]) -> float:
    """Return how many bits the terms take at least, by their numbers or those of terms after up to three others."""
    _, row = numpy.unique(numpy.array(terms), return_inverse=True)
    row = row.reshape(-1).astype(numpy.int64)
    before = numpy.zeros(len(row), dtype=numpy.int64)
    bits = []
    for _ in range(min(_MOST_CONTEXT, len(row) - 1) + 1):
        bits.append(_bits(numpy.column_stack([before, row])) - _bits(before))
        later = numpy.zeros(len(row), dtype=numpy.int64)
        # What was before the first letters is one context more.
        later[1:] = before[:-1] * (int(row.max()) + 2) + row[:-1] + 1
        before = numpy.unique(later, return_inverse=True)[1]
        before = before.reshape(-1)
    return min(bits)


def _bits(rows: Any) -> float:
    """Return the bits of the places of rows by their frequencies."""
    _, counts = numpy.unique(rows, axis=0, return_counts=True)
    return float((counts * numpy.log2(len(rows) / counts)).sum())
