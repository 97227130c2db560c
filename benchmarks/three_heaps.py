"""Infer the automata of proofs/three_heaps.py: `python -m benchmarks.three_heaps MOST FOLDER`.

The pairs (a,b) of Wythoff's game on three heaps, for first heaps 0, 1, ..., MOST, are computed below a small bound and
continued: from some pair on the differences b-a are seen to grow by one, so that a is the least number that is in no
pair before.  That they do so is a guess; the automata inferred from it are proved, or refuted, by the chapter.
"""

from __future__ import annotations

import argparse
from array import array
from collections.abc import Iterator
from math import isqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import fibprover as fp
from fibprover.infer.residuals import infer_set
from fibprover.workspace.walnut import write_automaton

#: Pairs are computed below this bound, and continued to the other one.
COMPUTED, CONTINUED = 6000, 300_000

NONE = 1 << 40

Pairs = list[tuple[int, int]]


def slices(most: int, bound: int) -> Iterator[Pairs]:
    """Yield, for each first heap up to `most`, the pairs a <= b with a below the bound.

    A diagonal has at most one pair for each first heap, so that the moves from a pair into those for smaller first
    heaps are looked up diagonal by diagonal.  O(bound * most^2) and little more.
    """
    middle = 2 * bound + 4 * most + 200
    #: For each first heap and each diagonal b-a, from -middle on, the a of its pair.
    diagonals = np.full((most + 1, 2 * middle + 1), NONE, np.int64)
    for m in range(most + 1):
        yield _slice(m, bound, diagonals)


def _slice(m: int, bound: int, diagonals: NDArray[np.int64]) -> Pairs:
    """Return the pairs of one first heap, and enter them into `diagonals`."""
    middle = diagonals.shape[1] // 2
    # A move that takes x from the first heap takes j and k of which j-k is from -x to x.
    moves = np.array([(m - x, e, x) for x in range(1, m + 1) for e in range(-x, x + 1)], np.int64).reshape(-1, 3)
    places = moves[:, 0] * diagonals.shape[1] + middle + moves[:, 1]
    flat = diagonals.reshape(-1)
    found: Pairs = []
    used: set[int] = set()
    #: By difference: itself while no pair has it, else a greater one before which all are taken.
    free = list(range(2 * bound + 4 * m + 200))

    def into_earlier(a: int, d: int) -> bool:
        j = a - flat[places + d]
        k = j - moves[:, 1]
        return bool(((j >= 0) & (k >= 0) & (((j ^ k) == moves[:, 2]) | ((j == 0) & (k == 0)))).any())

    def first_free(d: int) -> int:
        while free[d] != d:
            free[d] = free[free[d]]
            d = free[d]
        return d

    for a in range(bound):
        if a in used:
            continue
        d = first_free(0)
        while a + d in used or into_earlier(a, d):
            d = first_free(d + 1)
        found.append((a, a + d))
        used |= {a, a + d}
        free[d] = d + 1
        diagonals[m, middle + d], diagonals[m, middle - d] = a, a + d
    return found


def continued(pairs: Pairs, bound: int) -> NDArray[np.int64]:
    """Return all pairs below a larger bound, of shape (n, 2); differences grow by one from the last of `pairs` on."""
    used = bytearray(bound)
    for number in {number for pair in pairs for number in pair if number < bound}:
        used[number] = 1
    first = array("q", [a for a, _ in pairs])
    second = array("q", [b for _, b in pairs])
    b, d = pairs[-1][1], pairs[-1][1] - pairs[-1][0]
    while b < bound:
        a = used.index(0, first[-1])
        d += 1
        b = a + d
        first.append(a)
        second.append(b)
        used[a] = 1
        if b < bound:
            used[b] = 1
    found = np.column_stack([first, second])
    return found[found[:, 1] < bound]


def eventually(pairs: NDArray[np.int64]) -> tuple[int, int, int, int, int]:
    """Return what EVENTUALLY of the chapter says of a first heap, as seen in its pairs.

    The constant is the middle of a - floor(d*phi) over the last half of the pairs, d the difference of a pair.
    """
    first, difference = pairs[:, 0], pairs[:, 1] - pairs[:, 0]
    jumps = np.flatnonzero(np.diff(difference) != 1)
    start = jumps[-1] + 1 if len(jumps) else 0
    # floor(d*phi) by integers: phi = (1+sqrt 5)/2.
    golden = np.array([(d + isqrt(5 * d * d)) // 2 for d in difference.tolist()], np.int64)
    excess = first - golden
    constant = (int(excess[len(excess) // 2 :].min()) + int(excess[len(excess) // 2 :].max())) // 2
    off = np.flatnonzero(abs(excess - constant) > 1)
    near = off[-1] + 1 if len(off) else 0
    return int(first[start]), int(first[max(start - 1, 0)]), constant, int(first[near]), int(first[max(near - 1, 0)])


def main() -> None:
    """Write the automata into a folder, and print their states and what the chapter says of the first heaps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("most", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--computed", type=int, default=COMPUTED)
    parser.add_argument("--bound", type=int, default=CONTINUED)
    given = parser.parse_args()
    system = fp.system_named("msd_fib")
    given.folder.mkdir(parents=True, exist_ok=True)
    for m, pairs in enumerate(slices(given.most, given.computed)):
        if m < given.first:
            continue
        below = continued(pairs, given.bound)
        table = np.unique(np.concatenate([below, below[:, ::-1]]), axis=0)
        found = infer_set(table, given.bound, system, ("a", "b"))
        write_automaton(found.automaton, given.folder / f"{m}.txt")
        print(f"{m}: {found.states} states, {found.errors} errors, margin {found.margin}; ", end="")
        print(f"partner of 0: {pairs[0][1]}; eventually: {eventually(below)}", flush=True)


if __name__ == "__main__":
    main()
