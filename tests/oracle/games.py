"""Reference implementation of the solvers of games: positions and values directly from the rules, on a board.

It shares only the parser with them: formulas are evaluated on arrays of numbers, node by node, and the
moves to each P-position are added up on the whole board.  Quantified variables run up to a bound (`reach`)
that suffices for rules whose witnesses are not much larger than the numbers that the rules mention.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from fibprover.language.parser import parse_formula
from fibprover.language.tree import Arithmetic, Binary, Compare, Formula, Not, Number, Quantified, Term, Variable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fibprover.games.rules import Game

    Board = NDArray[np.bool_]
    Numbers = NDArray[np.int64]

COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}


def holds(formula: str, numbers: Mapping[str, Any], reach: int = 0) -> Any:
    """Where a formula of linear arithmetic is true, for arrays of numbers; quantified variables are at most `reach`."""
    return _holds(_parsed(formula), dict(numbers), reach)


@cache
def _parsed(formula: str) -> Formula:
    """The tree of a formula, which is evaluated position by position, but parsed once."""
    return parse_formula(formula).formula


def _holds(node: Formula, numbers: Mapping[str, Any], reach: int) -> Any:
    match node:
        case Compare():
            (left, left_there), (right, right_there) = _value(node.left, numbers), _value(node.right, numbers)
            return COMPARISONS[node.op](left, right) & left_there & right_there
        case Not():
            return ~_holds(node.body, numbers, reach)
        case Binary():
            left, right = _holds(node.left, numbers, reach), _holds(node.right, numbers, reach)
            if node.op == "&":
                return left & right
            if node.op == "|":
                return left | right
            if node.op == "=>":
                return ~left | right
            return left ^ right if node.op == "^" else ~(left ^ right)
        case Quantified():
            return _quantified(node, numbers, reach)
    raise ValueError(f"no rule says {node!r}")


def _quantified(node: Quantified, numbers: Mapping[str, Any], reach: int) -> Any:
    found: Any = np.int64(0)
    choices = [dict(numbers)]
    for variable in node.variables:
        choices = [{**choice, variable.name: np.int64(k)} for choice in choices for k in range(reach + 1)]
    for choice in choices:
        truth = _holds(node.body, choice, reach)
        found = found + (truth if node.kind == "E" else ~truth)
    if node.relation:
        return COMPARISONS[node.relation](found, node.count)
    return found > 0 if node.kind == "E" else found == 0


def _value(node: Term, numbers: Mapping[str, Any]) -> tuple[Any, Any]:
    """The value of a term, and where it has one: a difference has to be natural."""
    match node:
        case Number():
            return np.int64(node.value), np.bool_(True)
        case Variable():
            return numbers[node.name], np.bool_(True)
        case Arithmetic():
            (left, left_there), (right, right_there) = _value(node.left, numbers), _value(node.right, numbers)
            there = left_there & right_there
            if node.op == "-":
                return left - right, there & (left >= right)
            if node.op == "/":
                return left // right, there
            return (left + right if node.op == "+" else left * right), there
    raise ValueError(f"no rule says {node!r}")


def reach_of(formula: str, size: int) -> int:
    """How far quantified variables run on a board: as far as a number times a multiple that the formula mentions."""
    digits = "".join(c if c.isdigit() else " " for c in formula).split()
    return size * (1 + max(map(int, digits), default=0))


def _grid(size: int) -> tuple[Numbers, Numbers]:
    numbers = np.arange(size, dtype=np.int64)
    return numbers[:, None], numbers[None, :]


def _on_board(formula: str, names: tuple[str, str], size: int) -> Board:
    """Where a formula in two variables holds, by both below `size`."""
    if not formula:
        return np.zeros((size, size), bool)
    numbers = dict(zip(names, _grid(size), strict=True))
    found: Board = np.broadcast_to(holds(formula, numbers, reach_of(formula, size)), (size, size))
    return found


class _Moves:
    """The moves of a game on a board of this size, by their start or by their end."""

    def __init__(self, game: Game, size: int) -> None:
        self.game = game
        self.size = size
        self.rows, self.columns = _grid(size)
        moves = game.moves
        self.table: Board | None = None
        if game.form == "vectors":
            self.table = _on_board(str(moves), ("i", "j"), size).copy()
        elif game.form == "vector function" and callable(moves):
            self.table = np.array([[bool(moves(i, j)) for j in range(size)] for i in range(size)])
        if self.table is not None:
            self.table[0, 0] = False

    def steps(self, **fixed: int) -> Board:
        """The steps from (p,q), or into (r,s), whichever is given, as a board of the others."""
        names = ("r", "s") if "p" in fixed else ("p", "q")
        numbers: dict[str, Any] = {**fixed, **dict(zip(names, (self.rows, self.columns), strict=True))}
        text = str(self.game.moves)
        if self.game.form == "vectors at positions":
            i, j = numbers["p"] - numbers["r"], numbers["q"] - numbers["s"]
            there = (i >= 0) & (j >= 0) & (i + j > 0)
            taken = {"p": numbers["p"], "q": numbers["q"], "i": np.maximum(i, 0), "j": np.maximum(j, 0)}
            held = there & holds(text, taken, reach_of(text, self.size))
            return np.broadcast_to(held, (self.size, self.size))
        found: Board = np.broadcast_to(holds(text, numbers, reach_of(text, self.size)), (self.size, self.size))
        return found

    def options(self, p: int, q: int) -> Board:
        """The options of a position."""
        found = np.zeros((self.size, self.size), bool)
        if self.table is not None:
            found[: p + 1, : q + 1] = self.table[: p + 1, : q + 1][::-1, ::-1]
        elif self.game.form in ("steps", "vectors at positions"):
            found |= self.steps(p=p, q=q)
        elif callable(self.game.moves):
            for r, s in self.game.moves(p, q):  # type: ignore[union-attr]
                found[r, s] = True
        return found

    def add_sources(self, r: int, s: int, counts: NDArray[np.int32]) -> None:
        """One more for every position from which a move leads to (r,s)."""
        if self.table is not None:
            counts[r:, s:] += self.table[: self.size - r, : self.size - s]
        else:
            counts += self.steps(r=r, s=s)


def _size(game: Game, bound: int, wide: bool) -> int:
    return 2 * bound - 1 if wide and game.form in ("steps", "options function") else bound


def _by_sums(size: int, bound: int) -> list[tuple[int, int]]:
    """The positions in order of their sums; on a larger board, only those that matter below the bound."""
    cells = [(p, q) for p in range(size) for q in range(size) if size == bound or p + q < 2 * bound - 1]
    return sorted(cells, key=sum)


def p_positions(game: Game, bound: int, *, wide: bool = True) -> Board:
    """The P-positions of a game below a bound, as a board.

    wide: whether moves may lead to a pile larger than both: then all positions with smaller sums are
    solved.  O(bound^2) a P-position; bound^2 calls of a function.
    """
    size = _size(game, bound, wide)
    moves = _Moves(game, size)
    terminal = _on_board(game.terminal, ("a", "b"), size)
    found = np.zeros((size, size), bool)
    counts = np.zeros((size, size), np.int32)
    for p, q in _by_sums(size, bound):
        if game.form == "options function" and not terminal[p, q]:
            counts[p, q] = found[moves.options(p, q)].sum()
        if not game.misere:
            lost = bool(terminal[p, q]) or counts[p, q] <= game.blocked
        else:
            lost = not terminal[p, q] and bool(moves.options(p, q).any()) and counts[p, q] <= game.blocked
        if lost:
            found[p, q] = True
            if game.form != "options function":
                moves.add_sources(p, q, counts)
    return found[:bound, :bound]


def grundy(game: Game, bound: int, *, wide: bool = True) -> NDArray[np.int64]:
    """The Sprague-Grundy values of a game without blocking below a bound, as a board; `wide` as above."""
    size = _size(game, bound, wide)
    moves = _Moves(game, size)
    terminal = _on_board(game.terminal, ("a", "b"), size)
    values = np.zeros((size, size), np.int64)
    for p, q in _by_sums(size, bound):
        if not terminal[p, q]:
            there = set(values[moves.options(p, q)].tolist())
            values[p, q] = next(k for k in range(len(there) + 1) if k not in there)
    return values[:bound, :bound]


def p_positions_with_pass(game: Game, bound: int, *, wide: bool = True) -> Board:
    """The P-positions below a bound of a game in which once, one of the players may pass; `wide` as above.

    Each position is one in which the pass is left, or one in which it is used, and is looked at option by option.
    """
    size = _size(game, bound, wide)
    moves = _Moves(game, size)
    terminal = _on_board(game.terminal, ("a", "b"), size)
    used, left = np.zeros((size, size), bool), np.zeros((size, size), bool)
    for p, q in _by_sums(size, bound):
        options = moves.options(p, q)
        if terminal[p, q] or not options.any():
            used[p, q] = left[p, q] = not game.misere
        else:
            used[p, q] = not used[options].any()
            left[p, q] = not left[options].any() and not used[p, q]
    return left[:bound, :bound]


def p_positions_of_three_piles(game: Game, bound: int, *, value: int = 0) -> Board:
    """The P-positions of a game on three piles below a bound, as a cube, or those of another Sprague-Grundy value.

    No move makes a pile larger; values are those in normal play.
    """
    piles = np.arange(bound, dtype=np.int64)
    grid = (piles[:, None, None], piles[None, :, None], piles[None, None, :])
    shape = (bound, bound, bound)
    moves = str(game.moves)

    def on_cube(formula: str, names: str, **fixed: int) -> Board:
        numbers = {**fixed, **dict(zip(names, grid, strict=True))}
        return np.broadcast_to(holds(formula, numbers, reach_of(formula, bound)), shape).copy()

    table = on_cube(moves, "ijk") if game.form == "vectors" else np.zeros(shape, bool)
    table[0, 0, 0] = False
    terminal = on_cube(game.terminal, "abc") if game.terminal else np.zeros(shape, bool)
    values = np.zeros(shape, np.int64)
    for p, q, r in np.ndindex(shape):
        if game.form == "vectors":
            options = np.zeros(shape, bool)
            options[: p + 1, : q + 1, : r + 1] = table[: p + 1, : q + 1, : r + 1][::-1, ::-1, ::-1]
        else:
            options = on_cube(moves, "stu", p=p, q=q, r=r)
        if terminal[p, q, r] or not options.any():
            values[p, q, r] = int(game.misere)
        else:
            there = set(values[options].tolist())
            values[p, q, r] = next(k for k in range(len(there) + 1) if k not in there)
    found: Board = values == value
    return found
