"""The automaton of a set of number tuples, inferred from all its members below a bound.

The method merges prefixes of representations with equal residuals; `fibprover_ext/residuals.pyx` says
how.  What comes out fits everything known and is a guess about everything else.  Since the data are
complete, a difference between two residuals is never an error: a wrong guess has too few states, never
too many.  How far it can be trusted is measured by the *margin*: what was merged was seen to be equal to
at least so many letters more than any two states need to be told apart.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fibprover.automata import calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.errors import FibproverError
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover_ext import residuals as _residuals

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Inferred:
    """A guess at the automaton of a set, and what it rests on.

    automaton: canonical, inside the valid representations; positions: how many members were known, all those
    whose components are below `bound`; merged, dead: the least depth to which two residuals that were merged, or
    one that was taken to be empty, are known; apart: the least depth that tells all states from each other and from no state; unknown: how many transitions
    nothing is known of; nodes: of the trie of representations.
    """

    automaton: Dfa
    positions: int
    bound: int
    merged: int
    dead: int
    apart: int
    unknown: int
    nodes: int

    @property
    def states(self) -> int:
        """States of the automaton."""
        return self.automaton.states

    @property
    def margin(self) -> int:
        """How much deeper merges were seen to be right than states need to be told apart; negative if unknown."""
        return -1 if self.unknown else min(self.merged, self.dead) - self.apart


def weights(system: NumerationSystem, bound: int) -> list[int]:
    """What a digit 1 is worth with 0, 1, ... digits behind it; the last one is the first not below the bound."""
    worth: list[int] = []
    while not worth or worth[-1] < bound:
        worth.append(system.value((1, *(0 for _ in worth))))
    return worth


def infer_set(
    members: NDArray, bound: int, system: NumerationSystem, names: Sequence[str], budget: Budget = UNLIMITED
) -> Inferred:
    """The automaton inferred from the members of a set of number tuples.

    members: integers, one row a tuple, all members whose components are below `bound` and no others; system: an
    msd system of the naturals; names: of the tracks, one a column.  O(members) words of memory.
    """
    import numpy

    if system.signed or not system.name.startswith("msd_"):
        raise FibproverError(
            f"automata are inferred in systems of natural numbers, most significant digit first, not in {system.name}"
        )
    table = numpy.ascontiguousarray(members, dtype=numpy.int64)
    if table.ndim != 2 or table.shape[1] != len(names) or not names:
        raise FibproverError(f"{len(names)} names need a table of as many columns, not one of shape {table.shape}")
    if table.size and (table.min() < 0 or table.max() >= bound):
        raise FibproverError(f"members must lie from 0 to {bound - 1}")
    worth = weights(system, bound)
    tracks = tuple(system.track(name) for name in names)
    with calls.metered(budget, "the inference of an automaton") as meter:
        arrays, _, merged, dead, unknown, nodes = _residuals.infer(
            table.reshape(-1), len(names), bound, array("q", worth), calls.csr(system.valid), len(system.digits), meter
        )
    words = operations.free_product([system.valid.renamed([name]) for name in names], budget)
    automaton = operations.conjunction(Dfa(tracks, *arrays), words, budget)
    return Inferred(automaton, len(table), bound, merged, dead, separating_depth(automaton), unknown, nodes)


def separating_depth(a: Dfa) -> int:
    """The least length such that any two states, or a state and none, differ on a word of at most this length.

    For a minimal automaton; O(depth * transitions).
    """
    classes = [1 if output else 0 for output in a.outputs]
    count, depth = len(set(classes) | {0}), 0
    rows = [a.row(state) for state in range(a.states)]
    while True:
        numbers: dict[tuple[object, ...], int] = {(0,): 0}
        refined = []
        for state, row in enumerate(rows):
            key = (int(a.outputs[state] != 0), *((code, classes[to]) for code, to in row if classes[to]))
            refined.append(numbers.setdefault(key, len(numbers)))
        if len(numbers) == count:
            return depth
        classes, count, depth = refined, len(numbers), depth + 1
