"""Parts of rules: lines, diagonals, wedges and single moves that the differences of a set leave free.

A shape is a set of vectors on which n says how far out they are, such as (0,n) or (n,n+2).  Where the differences meet
it, it begins later, or has only the n of some residue classes.  In a set that does not depend on the order of the
piles a part has the vectors of its shape in all orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from fibprover.base.values import value
from fibprover.games.rules import VARIABLES
from fibprover.invention.differences import Board
from fibprover.language.builder import exists
from fibprover.language.tree import Formula, Term, Variable, conjunction, disjunction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fibprover.invention.differences import Mask

#: Shapes with larger numbers are not tried.
MOST_DIAGONAL, MOST_ROW, MOST_SLOPE, MOST_WEDGE, MOST_WIDTH = 12, 4, 3, 4, 12

#: The residue classes of at most this modulus, with so many members on the board at least.
MOST_MODULUS, LEAST_MEMBERS = 6, 4


@value
class Part:
    """Some moves, in words and as a formula; needed: a position from which no other part leads into the set."""

    words: str
    formula: Formula
    needed: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, eq=False)
class Candidate:
    """A part on a board: its vectors, and the positions from which it leads into the set."""

    part: Part
    reached: Mask


@dataclass(frozen=True, eq=False)
class Shape:
    """The vectors that satisfy a formula; n: how far out they are; whole: whether it has no smaller part."""

    words: str
    formula: Formula
    n: Term
    mask: Mask
    far: NDArray[np.int64]
    whole: bool = False

    def turned(self, order: Sequence[int], names: Sequence[str]) -> Shape:
        """Return the shape with another order of the piles."""
        to = {name: Variable(names[place]) for name, place in zip(names, order, strict=True)}
        inverse = np.argsort(order)
        return Shape(
            self.words, self.formula.substitute(to), self.n.substitute(to), self.mask.transpose(inverse),
            self.far.transpose(inverse), self.whole,
        )


@value
class Restriction:
    """The n from a start on, in some residue classes; all of them for the modulus 1."""

    start: int
    modulus: int
    residues: tuple[int, ...]

    def holds(self, n: NDArray[np.int64]) -> Mask:
        """Return where numbers satisfy it."""
        return (n >= self.start) & np.isin(n % self.modulus, self.residues)

    def formula(self, n: Term) -> list[Formula]:
        """Return that a term satisfies it."""
        turn = Variable("h")
        parts: list[Formula] = [n >= self.start] if self.start > 1 else []
        if self.modulus > 1:
            parts.append(exists(turn, disjunction(n.eq(self.modulus * turn + r) for r in self.residues)))
        return parts

    def words(self, n: str = "n") -> str:
        """Return it as the end of a phrase."""
        ends = [f"{n} >= {self.start}"] if self.start > 1 else []
        if self.modulus > 1:
            ends.append(f"{n} = {' or '.join(map(str, self.residues))} modulo {self.modulus}")
        return "".join(f", {end}" for end in ends)


def candidates(board: Board, *, symmetric: bool) -> Iterator[Candidate]:
    """Yield the parts that the differences leave free on a board, the simple ones first.

    symmetric: whether the set, and so each part, does not depend on the order of the piles.
    """
    names = VARIABLES[board.piles].vector
    orders = list(permutations(range(board.piles)))
    seen: set[bytes] = set()
    for shape in shapes(board):
        turned = [shape.turned(order, names) for order in orders]
        for group in [turned] if symmetric else [[each] for each in turned]:
            found = _candidate(board, group, one=symmetric)
            if found is not None and (key := found.reached.tobytes()) not in seen:
                seen.add(key)
                yield found


def _candidate(board: Board, group: Sequence[Shape], *, one: bool) -> Candidate | None:
    """Return the largest simple part of a shape, in the orders of a group, that has no difference."""
    shape = group[0]
    met = np.unique(np.concatenate([each.far[each.mask & board.differences] for each in group]))
    if shape.whole:
        # The zero vector is no move, whether it satisfies a formula or not.
        if sum(int((each.mask & board.differences).sum() - each.mask.flat[0]) for each in group):
            return None
        kept = Restriction(0, 1, (0,))
    else:
        found = restriction(np.unique(shape.far[shape.mask]), met)
        if found is None:
            return None
        kept = found
    branches: dict[bytes, tuple[Formula, Mask]] = {}
    for each in group:
        mask = each.mask & kept.holds(each.far) & ~board.differences
        branches.setdefault(mask.tobytes(), (conjunction([each.formula, *kept.formula(each.n)]), mask))
    formula = disjunction(each for each, _ in branches.values())
    reached = board.reached(np.any([mask for _, mask in branches.values()], axis=0))
    words = shape.words + kept.words()
    return Candidate(Part(words if one else f"{words}: {formula}", formula), reached & board.outside)


def restriction(there: NDArray[np.int64], met: NDArray[np.int64]) -> Restriction | None:
    """Return which n of a shape are free: from a quarter of the board on at the latest, by the least modulus.

    there: the n of the shape on the board; met: those with a difference.  None if there are too few.
    """
    last = int(there.max(initial=0))
    for modulus in range(1, MOST_MODULUS + 1):
        residues, start = [], 0
        for residue in range(modulus):
            members = there[there % modulus == residue]
            lost = met[met % modulus == residue].max(initial=-1)
            if lost <= last // 4 and (members > lost).sum() >= LEAST_MEMBERS:
                residues.append(residue)
                start = max(start, int(lost) + 1)
        if residues:
            return Restriction(start, modulus, tuple(residues))
    return None


def shapes(board: Board) -> Iterator[Shape]:
    """Yield shapes for the piles of a board in one order of the piles, the simple ones first."""
    yield from _shapes_of_two(board) if board.piles == 2 else _shapes_of_three(board)


def _shapes_of_two(board: Board) -> Iterator[Shape]:
    i, j = map(Variable, VARIABLES[2].vector)
    x, y = np.indices((board.bound,) * 2)

    def diagonal(k: int) -> Shape:
        words = f"n from one pile and n+{k} from the other" if k else "n from both piles"
        return Shape(words, j.eq(i + k if k else i), i, y == x + k, x)

    yield Shape("n from one pile", i.eq(0), j, x == 0, y)
    yield diagonal(0)
    for s in range(1, MOST_WEDGE + 1):
        for width in range(MOST_WIDTH, 0, -1):
            mask = (x > 0) & (x <= y) & (y < s * x + width)
            if not (mask & board.differences).any() and (s, width) != (1, 1):
                upper = f"{s if s > 1 else ''}k+{width}"
                formula = (i > 0) & (i <= j) & (j < (s * i if s > 1 else i) + width)
                yield Shape(f"k from one pile and l from the other, 0 < k <= l < {upper}", formula, i, mask, x, True)
                break
    yield from map(diagonal, range(1, MOST_DIAGONAL + 1))
    for c in range(1, MOST_ROW + 1):
        yield Shape(f"{c} from one pile and n from the other", i.eq(c), j, x == c, y)
    for v in range(2, MOST_SLOPE + 1):
        for u in range(1, v):
            if gcd(u, v) == 1:
                words = f"n from one pile and {v if u == 1 else f'{v}/{u}'} n from the other"
                yield Shape(words, (u * j).eq(v * i), i, u * y == v * x, x)


def _shapes_of_three(board: Board) -> Iterator[Shape]:
    i, j, k = map(Variable, VARIABLES[3].vector)
    x, y, z = np.indices((board.bound,) * 3)
    yield Shape("n from one pile", i.eq(0) & j.eq(0), k, (x == 0) & (y == 0), z)
    yield Shape("n from two piles each", i.eq(0) & j.eq(k), k, (x == 0) & (y == z), z)
    yield Shape("n from each pile", i.eq(j) & j.eq(k), k, (x == y) & (y == z), z)
    yield Shape("any numbers from two piles", i.eq(0), k, x == 0, z, True)
    words = "n from two piles each and any number from the third"
    yield Shape(words, j.eq(k) & (k > 0), k, (y == z) & (z > 0), z, True)
    for c in range(1, MOST_ROW + 1):
        yield Shape(f"n from one pile and n+{c} from another", i.eq(0) & k.eq(j + c), j, (x == 0) & (z == y + c), y)


def single(board: Board, vector: tuple[int, ...], *, symmetric: bool) -> Candidate:
    """Return one vector as a part: in all orders of the piles if the set is symmetric."""
    names = VARIABLES[board.piles].vector
    taken = sorted(set(permutations(vector))) if symmetric else [vector]
    mask = np.zeros_like(board.inside)
    for each in taken:
        mask[each] = True
    formula = disjunction(
        conjunction(Variable(name).eq(x) for name, x in zip(names, each, strict=True)) for each in taken
    )
    words = " or ".join(f"({','.join(map(str, each))})" for each in taken)
    return Candidate(Part(words, formula), board.reached(mask) & board.outside)
