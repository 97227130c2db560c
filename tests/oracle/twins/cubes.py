"""P-positions on three piles where the moves are a union of polyhedra and make no pile larger.

Positions are decided in lexicographic order; from a P-position, those from which a move leads to it are marked.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError
from tests.oracle.twins.boards import Found, Intervals, Regions, narrow

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_CUBE = 2048

#: Columns of the rows of moves: r, q, p, s, t, u, constant; of what follows from them for q; and for p.
WIDTHS = (7, 6, 5)

CubeSolution = tuple["memoryview[int]", "memoryview[int]", "memoryview[int]", int]


def cube_positions(
    bound: int, moves: Regions, seconds: Regions, firsts: Regions, terminal: Intervals, left_out: bool, meter: Meter
) -> CubeSolution:
    """Return all P-positions (p,q,r): three memoryviews of "q", in lexicographic order; how many are terminal.

    moves: from (p,q,r) to (s,t,u), polyhedra by bounds on r, q, p, s, t, u, where s <= p, t <= q, u <= r and not all
    are equal; seconds: for each what follows for q, p, s, t, u; firsts: for p, s, t, u.  terminal: those of (p,q) in
    row p bound + q; left_out: whether these positions are left out instead, as if no move led to them.  For M positions
    and n polyhedra at most O(M n bound^3), a byte a position.
    """
    if not 0 < bound <= MOST_CUBE:
        raise TooLargeError(f"a bound of {bound}")
    if (moves.width, seconds.width, firsts.width) != WIDTHS:
        raise InvalidArrayError("these are no moves on three piles")
    if not moves.regions == seconds.regions == firsts.regions:
        raise InvalidArrayError("the polyhedra of the moves do not fit together")
    if terminal.rows != bound * bound:
        raise InvalidArrayError("the terminal positions do not fit the bound")
    meter.hold(bound**3)
    meter.poll()
    marked = np.zeros((bound, bound, bound), np.bool_)
    polyhedra = list(zip(moves.of_region, seconds.of_region, firsts.of_region, strict=True))
    found = Found()
    third: list[int] = []
    for row in range(bound * bound):
        p, q = divmod(row, bound)
        ends = terminal.marks(row, 0, bound - 1)
        r = -1
        while True:
            free = ~(marked[p, q] | ends) if left_out else ~marked[p, q] | ends
            later = np.flatnonzero(free[r + 1 :])
            if not len(later):
                break
            r += 1 + int(later[0])
            found.first.append(p)
            found.second.append(q)
            third.append(r)
            for polyhedron in polyhedra:
                mark(marked, polyhedron, (p, q, r), meter)
        found.terminal += 0 if left_out else int(ends.sum())
        meter.work(16)
    first, second, count = found.export()
    return first, second, memoryview(array("q", third)).toreadonly(), count


def mark(
    marked: NDArray[np.bool_], polyhedron: tuple[list[list[int]], ...], target: tuple[int, int, int],
    meter: Meter,
) -> None:
    """Mark the positions from which a move of a polyhedron leads to a target."""
    moves, seconds, firsts = polyhedron
    s, t, u = target
    most = len(marked) - 1
    for p in range(*_between(firsts, (s, t, u), s, most)):
        q = np.arange(*_between(seconds, (p, s, t, u), t, most))
        low, high = np.full(len(q), u), np.full(len(q), most)
        for slope, of_q, of_p, of_s, of_t, of_u, constant in moves:
            low, high = narrow(slope, of_q * q + (of_p * p + of_s * s + of_t * t + of_u * u + constant), low, high)
        for second, least, greatest in zip(q.tolist(), low.tolist(), high.tolist(), strict=True):
            if least <= greatest:
                marked[p, second, least : greatest + 1] = True
        meter.work(4 + len(q))


def _between(rows: list[list[int]], others: tuple[int, ...], low: int, high: int) -> tuple[int, int]:
    """Return the range of the x from low to high that satisfy all rows: x, the others, a constant."""
    for slope, *factors, constant in rows:
        rest = sum(factor * other for factor, other in zip(factors, others, strict=True)) + constant
        least, most = narrow(slope, rest, low, high)
        low, high = int(least), int(most)
    return low, high + 1
