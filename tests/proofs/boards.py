"""P-positions of games on two piles by the recursion that defines them, on a finite board."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Position = tuple[int, int]

#: Whether a player may take so many from the first pile and so many from the second.
Rule = Callable[[int, int], bool]


def moves(rule: Rule, size: int) -> NDArray[np.bool_]:
    """The moves of a rule that take less than `size` from each pile."""
    table = np.fromiter((rule(i, j) for i in range(size) for j in range(size)), np.bool_, size * size)
    table[0] = False
    return table.reshape(size, size)


def p_positions(allowed: NDArray[np.bool_], blocked: int = 0) -> set[Position]:
    """The positions on the board from which at most `blocked` allowed moves lead to other ones of them.

    By increasing sums: a position that few earlier ones have marked is a P-position, and marks those from
    which a move leads to it.
    """
    size = len(allowed)
    marks = np.zeros((size, size), np.int32)
    found = set()
    for total in range(2 * size - 1):
        for x in range(max(0, total - size + 1), min(total, size - 1) + 1):
            y = total - x
            if marks[x, y] <= blocked:
                found.add((x, y))
                marks[x:, y:] += allowed[: size - x, : size - y]
    return found
