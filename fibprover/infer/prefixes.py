"""The automaton of a set of pairs of numbers, inferred from sums over the residuals of prefixes.

Where all members below a bound are too many for memory, their residuals can be summed while they are computed: for each
depth j, the pairs of prefixes whose completions by j digits are members, each with a sum of hashes of these
completions.  Prefixes with the same sums for all depths up to some depth d are taken for the same state
(Myhill-Nerode).  States are found from the empty prefix on, each by its least prefix; the residual of each prefix with
one letter more has to be known to the depth d, too, which a larger bound or a smaller depth ensures.

In contrast to `residuals.py` the depth is the same for all prefixes, and few prefixes are kept for many members.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import LimitError
from fibprover.base.limits import UNLIMITED, Budget, check_budget
from fibprover.base.wording import plural
from fibprover.infer.residuals import InferredSet, check_system, digit_weights, members_below, separating_depth
from fibprover.numeration.system import NumerationSystem

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The most digits by which prefixes may exceed half of the digits of the members.
MORE_THAN_HALF = 2

#: The least number of digits of members.
LEAST_DIGITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """For each depth j, the beginnings of blocks of numbers: those whose representations are a prefix and j digits.

    The k-th block has the k-th prefix, the representation of k.  starts: for depth j those of all blocks and the end of
    the last one, at begins[j] to begins[j+1]; int64.  children: the first number of each block of depth 1, which are
    the prefixes with one digit more, and the end.  digits: of all members, which are less than `bound`.
    """

    starts: NDArray[np.int64]
    begins: NDArray[np.int64]
    children: NDArray[np.int64]
    bound: int
    digits: int

    @property
    def depths(self) -> int:
        """The number of depths, from 0 on."""
        return len(self.begins) - 1

    def prefixes(self, depth: int) -> int:
        """Return the number of prefixes all of whose completions by this many digits are below the bound."""
        return int(self.begins[depth + 1] - self.begins[depth]) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """The pairs of blocks that have a member, in any order, with repetitions.

    depths, first, second: int32, the depth and the numbers of the blocks; sums: int64, of hashes of the members,
    modulo 2^64; members: how many there are.
    """

    depths: NDArray[np.int32]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    sums: NDArray[np.int64]
    members: int


def prefix_blocks(system: NumerationSystem, digits: int) -> Blocks:
    """Return the blocks for members of at most so many digits: prefixes and depths of about half of them.

    Raises FibproverError for systems that are not greedy, LimitError for bounds that are refused.
    """
    check_system(system)
    weights = [1]
    while len(weights) <= digits:
        weights = digit_weights(system, weights[-1] + 1)
    if digits < LEAST_DIGITS:
        raise LimitError(f"members of {plural(digits, 'digit')} are too short to infer an automaton")
    longest = digits // 2 + MORE_THAN_HALF
    numbers = np.arange(weights[longest] + 1, dtype=np.int64)
    places = np.empty((longest + 1, len(numbers)), np.int64)
    left = numbers.copy()
    for place in reversed(range(longest + 1)):
        places[place], left = np.divmod(left, weights[place])
    known = [*weights, *(0 for _ in range(longest + 1))]
    tables = []
    for depth in range(longest + 1):
        within = weights[min(longest, digits - depth)] + 1
        tables.append(np.array(known[depth : depth + longest + 1], np.int64) @ places[:, :within])
    begins = np.cumsum([0, *map(len, tables)], dtype=np.int64)
    return Blocks(np.concatenate(tables), begins, tables[1], weights[digits], digits)


def infer_from_sums(
    sums: Sums, blocks: Blocks, system: NumerationSystem, names: Sequence[str], budget: Budget = UNLIMITED
) -> InferredSet:
    """Return the automaton inferred from the residuals of prefixes, to the greatest depth for which it is complete.

    names: of the two tracks.  If it is wrong at members, or no depth is enough to know all transitions, then that with
    the most states is returned, whose `unknown` or `errors` are not 0.
    """
    tables = _SumTables(sums, blocks)
    closures = []
    for depth in reversed(range(1, blocks.depths)):
        closures.append((depth, tables.closure(depth, budget)))
        if not closures[-1][1].unknown:
            found = _inferred(*closures[-1], sums, blocks, system, names, budget)
            if not found.errors:
                return found
            break
    depth, most = max(closures, key=lambda each: len(each[1].outputs))
    return _inferred(depth, most, sums, blocks, system, names, budget)


def _inferred(
    depth: int, closure: _FoundStates, sums: Sums, blocks: Blocks, system: NumerationSystem, names: Sequence[str],
    budget: Budget,
) -> InferredSet:
    """Return the automaton of states and transitions, and how far it can be trusted."""
    tracks = tuple(system.track(name) for name in names)
    offsets = np.searchsorted(closure.sources, np.arange(len(closure.outputs) + 1))
    raw = Dfa(tracks, *(
        memoryview(array(kind, items.tolist()))
        for kind, items in zip("qqii", (offsets, closure.codes, closure.targets, closure.outputs), strict=True)
    ))
    automaton = operations.as_relation(raw, [system.valid.renamed([name]) for name in names], budget)
    errors = abs(members_below(automaton, blocks.bound, system, budget) - sums.members)
    return InferredSet(
        automaton, sums.members, blocks.bound, depth, depth, separating_depth(automaton, budget), closure.unknown,
        len(sums.sums), errors,
    )


def symmetric(found: InferredSet, system: NumerationSystem, budget: Budget = UNLIMITED) -> InferredSet:
    """Return what is inferred about the pairs (a,b) and (b,a), from what was inferred about the pairs with a <= b."""
    a, b = found.automaton.names
    other = kernel_calls.reorder(found.automaton.renamed((b, a)), (a, b), budget)
    automaton = operations.disjunction(found.automaton, other, budget)
    positions = 2 * found.positions - members_below(
        operations.conjunction(found.automaton, other, budget), found.bound, system, budget
    )
    apart = separating_depth(automaton, budget)
    return replace(found, automaton=automaton, positions=positions, apart=apart, errors=2 * found.errors)


@dataclass(frozen=True, slots=True, eq=False)
class _FoundStates:
    """States and transitions, by source, then by letter; unknown: the states about which nothing is known."""

    sources: NDArray[np.int64]
    codes: NDArray[np.int64]
    targets: NDArray[np.int64]
    outputs: NDArray[np.int64]
    unknown: int


class _SumTables:
    """The sums by depth and pair of prefixes."""

    def __init__(self, sums: Sums, blocks: Blocks) -> None:
        self.blocks = blocks
        self.keys: list[NDArray[np.int64]] = []
        self.sums: list[NDArray[np.uint64]] = []
        self.width = blocks.prefixes(0) + 1
        for depth in range(blocks.depths):
            here = np.flatnonzero(sums.depths == depth)
            keys = sums.first[here].astype(np.int64) * self.width + sums.second[here]
            order = np.argsort(keys, kind="stable")
            keys, starts = np.unique(keys[order], return_index=True)
            values = sums.sums[here][order].view(np.uint64)
            self.keys.append(keys)
            self.sums.append(np.add.reduceat(values, starts) if len(keys) else values)

    def residuals(self, keys: NDArray[np.int64], depth: int) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """Return a hash of the residuals of pairs of prefixes to a depth, and which are not empty."""
        hashed = np.zeros(len(keys), np.uint64)
        some = np.zeros(len(keys), bool)
        for each in range(depth + 1):
            found, present = self._sums(keys, each)
            some |= present
            hashed += _mixed(found + np.uint64(each) * present)
        return hashed, some

    def _sums(self, keys: NDArray[np.int64], depth: int) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """Return the sums of pairs of prefixes for one depth, 0 for those that have none, and which have one."""
        table = self.keys[depth]
        if not len(table):
            return np.zeros(len(keys), np.uint64), np.zeros(len(keys), bool)
        places = np.minimum(np.searchsorted(table, keys), len(table) - 1)
        present = table[places] == keys
        return np.where(present, self.sums[depth][places], np.uint64(0)), present

    def closure(self, depth: int, budget: Budget) -> _FoundStates:
        """Return the states that are found from the empty prefix on, with residuals to a depth."""
        first = np.zeros(1, np.int64)
        states = {int(self.residuals(first, depth)[0][0]): 0}
        frontier, access, parts = first, [first], []
        unknown = 0
        within = self.blocks.prefixes(depth)
        done = 0
        while len(frontier):
            check_budget(budget, len(states), "an automaton from residuals")
            sources, codes, children, missing = self._children(frontier, within)
            unknown += missing
            hashed, some = self.residuals(children, depth)
            sources, codes, children, hashed = sources[some], codes[some], children[some], hashed[some]
            known = len(states)
            targets = np.array([states.setdefault(each, len(states)) for each in hashed.tolist()], np.int64)
            parts.append((sources + done, codes, targets))
            done += len(frontier)
            new, at = np.unique(targets, return_index=True)
            frontier = children[at[new >= known]]
            access.append(frontier)
        _, outputs = self._sums(np.concatenate(access), 0)
        sources, codes, targets = (np.concatenate(each) for each in zip(*parts, strict=True))
        return _FoundStates(sources, codes, targets, outputs.astype(np.int64), unknown)

    def _children(
        self, pairs: NDArray[np.int64], within: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]:
        """Return pairs with a letter more: the places of the shorter pairs, letters, keys; how many are not known.

        within: prefixes from this number on are not known.
        """
        starts = self.blocks.children
        radix = int(np.diff(starts).max())
        first, second = np.divmod(pairs, self.width)
        found: list[tuple[NDArray[np.int64], ...]] = []
        unknown = 0
        for x in range(radix):
            for y in range(radix):
                a, b = starts[first] + x, starts[second] + y
                real = (a < starts[first + 1]) & (b < starts[second + 1])
                known = real & (a < within) & (b < within)
                unknown += int(real.sum() - known.sum())
                at = np.flatnonzero(known)
                found.append((at, np.full(len(at), x * radix + y, np.int64), a[at] * self.width + b[at]))
        places, codes, keys = (np.concatenate(each) for each in zip(*found, strict=True))
        order = np.lexsort((codes, places))
        return places[order], codes[order], keys[order], unknown


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a hash of 64 bits of each number, 0 for 0."""
    x = (x ^ (x >> np.uint64(31))) * np.uint64(0x7FB5D329728EA185)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x81DADEF4BC2DD44D)
    return x ^ (x >> np.uint64(33))
