"""Infer the automata of proofs/three_heaps.py: `python -m benchmarks.three_heaps MOST FOLDER [--bound N]`.

The pairs (a,b) of Wythoff's game on three heaps, for first heaps 0, 1, ..., MOST, are computed below a small bound and
continued: from some pair on the differences b-a are seen to grow by one, so that a is the least number that is in no
pair before.  That they do so is a guess; the automata inferred from it are proved, or refuted, by the chapter.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import fibprover as fp
from fibprover.infer.residuals import infer_set
from fibprover.io.walnut import write_automaton

#: Pairs are computed below this bound, and continued to the other one.
COMPUTED, CONTINUED = 6000, 300_000

NONE = 1 << 40

Pairs = list[tuple[int, int]]


def slices(most: int, bound: int) -> list[Pairs]:
    """Return, for each first heap up to `most`, the pairs a <= b with a below the bound.

    A diagonal has at most one pair for each first heap, so that the moves from a pair into those for smaller first
    heaps are looked up diagonal by diagonal.  O(bound * most^2) and little more.
    """
    middle = 2 * bound + 4 * most + 200
    #: For each first heap and each diagonal b-a, from -middle on, the a of its pair.
    diagonals = np.full((most + 1, 2 * middle + 1), NONE, np.int64)
    return [_slice(m, bound, diagonals) for m in range(most + 1)]


def _slice(m: int, bound: int, diagonals: NDArray[np.int64]) -> Pairs:
    """Return the pairs of one first heap, and enter them into `diagonals`."""
    middle = diagonals.shape[1] // 2
    # A move that takes x from the first heap takes j and k of which j-k is from -x to x.
    moves = np.array([(m - x, e, x) for x in range(1, m + 1) for e in range(-x, x + 1)], np.int64).reshape(-1, 3)
    places = moves[:, 0] * diagonals.shape[1] + middle + moves[:, 1]
    flat = diagonals.reshape(-1)
    found: Pairs = []
    used: set[int] = set()
    taken: set[int] = set()
    free = 0

    def into_earlier(a: int, d: int) -> bool:
        j = a - flat[places + d]
        k = j - moves[:, 1]
        return bool(((j >= 0) & (k >= 0) & (((j ^ k) == moves[:, 2]) | ((j == 0) & (k == 0)))).any())

    for a in range(bound):
        if a in used:
            continue
        d = free
        while d in taken or a + d in used or into_earlier(a, d):
            d += 1
        found.append((a, a + d))
        used |= {a, a + d}
        taken.add(d)
        while free in taken:
            free += 1
        diagonals[m, middle + d], diagonals[m, middle - d] = a, a + d
    return found


def continued(pairs: Pairs, bound: int) -> Pairs:
    """Return pairs to a larger bound, with differences that grow by one from the last pair on."""
    found = list(pairs)
    used = {number for pair in found for number in pair}
    a, d = found[-1][0], found[-1][1] - found[-1][0]
    while a + 1 < bound:
        a += 1
        if a not in used:
            d += 1
            found.append((a, a + d))
            used |= {a, a + d}
    return found


def main() -> None:
    """Write the automata into a folder, and print their states."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("most", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bound", type=int, default=CONTINUED)
    given = parser.parse_args()
    system = fp.system_named("msd_fib")
    given.folder.mkdir(parents=True, exist_ok=True)
    for m, pairs in enumerate(slices(given.most, COMPUTED)):
        below = {pair for pair in continued(pairs, given.bound) if pair[1] < given.bound}
        table = np.array(sorted(below | {(b, a) for a, b in below}), np.int64)
        found = infer_set(table, given.bound, system, ("a", "b"))
        write_automaton(found.automaton, given.folder / f"{m}.txt")
        print(f"{m}: {found.states} states, {found.errors} errors, margin {found.margin}")


if __name__ == "__main__":
    main()
