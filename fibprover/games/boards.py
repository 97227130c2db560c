"""Rules on a board: truth values cell by cell, terminal positions, and games solved position by position.

This is the way for rules that are neither lines nor polyhedra: formulas with divisibility, Python functions.  A formula
is evaluated on a whole board by its automaton, digit by digit: the board for the first k+1 digits has four cells for
each cell of the board for the first k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from operator import mul
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from fibprover.base.errors import FibproverError, LimitError
from fibprover.base.limits import Budget, Limits, check_budget, check_room, poll
from fibprover.games import shapes
from fibprover.games.formulas import NEVER, SYSTEM, rule_automaton
from fibprover.games.polyhedra import Polyhedron
from fibprover.games.rules import FORMULAS, SECONDS, Game, Position
from fibprover.games.shapes import Intervals
from fibprover.language.builder import forall, variables
from fibprover.language.tree import Formula
from fibprover.learn.evaluation import Evaluator
from fibprover.learn.programs import CannotEvaluate, NotGoingDown
from fibprover.learn.reading import transition_table
from fibprover.learn.recursion import read_measure, read_recursion
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: A formula that is not a union of polyhedra is evaluated cell by cell, on a board of at most this size.
MOST_BOARD = 1 << 14

#: How many times larger than the bound piles may become where a move may let them grow.
FACTORS = (1, 2, 3, 4, 8)

T = TypeVar("T")


def by_sums(size: int, *, box: bool) -> Iterator[Position]:
    """Yield the positions by their sums, with p, q < size if `box`, otherwise with p+q < size."""
    for total in range(2 * size - 1 if box else size):
        for p in range(max(0, total - size + 1) if box else 0, min(total, size - 1) + 1):
            yield p, total - p


def by_measure(game: Game, bound: int) -> tuple[int, list[Position]]:
    """Return the positions below a bound, and all that moves lead to from them, each after its options.

    Before these stands the size of the board that they need.  They are those with p < c*bound and q < d*bound, for the
    least c and d of `FACTORS` for which no move leaves such a rectangle, which the prover decides for all bounds at
    once.  Raises FibproverError if there are none.
    """
    p, q, r, s, n = variables("p q r s n")
    session = Session(SYSTEM, limits=Limits(cpu_seconds=SECONDS))
    for c, d in sorted(product(FACTORS, repeat=2), key=lambda pair: (pair[0] * pair[1], pair)):
        inside = (p < c * n) & (q < d * n)
        claims = (forall(n, p, q, r, s, (kind & inside) >> ((r < c * n) & (s < d * n))) for kind in game.kinds)
        if all(session.prove(claim) for claim in claims):
            there = product(range(c * bound), range(d * bound))
            return max(c, d) * bound, sorted(there, key=lambda place: sum(map(mul, game.weights, place)))
    raise FibproverError(
        f"the piles of {game} may grow to more than {FACTORS[-1]} times their size: no board has its positions below a "
        "bound",
        hint="`solve` finds relations by recursion without a board",
    )


def step_positions(
    game: Game, size: int, budget: Budget, order: Iterable[Position], left_out: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Return where the P-positions are: each adds an option to all positions from which a step leads to it.

    order: the positions that are solved, each after its options; left_out: positions that are left out, in place of
    those whose outcome is given.  O(size^2) for each position.
    """
    steps = RuleAutomaton(game.step, ("p", "q", "r", "s"), budget)
    ended = ended_board(game, size, budget) if left_out is None else left_out
    lost = not game.misere and left_out is None
    found = np.zeros((size, size), bool)
    options = np.zeros((size, size), np.int32)
    for r, s in order:
        check_budget(budget, 0, f"the positions on a board of size {size}")
        if lost if ended[r, s] else options[r, s] <= game.blocked:
            found[r, s] = True
            options += steps.board(("p", "q"), size, r=r, s=s)
    return found


def positions_by_layers(game: Game, size: int, budget: Budget) -> NDArray[np.bool_] | None:
    """Return where the P-positions p, q < size are, sum by sum, by the engine of `solve`; None where it has no board.

    It has none for counts of options, and where a pile grows beyond the size.  O(size^2) numbers in 2 size steps.
    """
    if game.blocked:
        return None
    environment = Session(SYSTEM).namespace.environment()
    recursion = read_recursion({"P": game.recursion}, environment)
    measures = {each.name: read_measure("p+q", each) for each in recursion.equations}
    try:
        board = Evaluator(recursion, measures, environment, budget).source()
    except (CannotEvaluate, NotGoingDown):
        return None
    if board is None or size > board.most:
        return None
    board.fill(size)
    if board.square("P") < size:
        return None
    found = np.zeros((size, size), bool)
    found[tuple(board.members("P", size).T)] = True
    return found


def step_values(game: Game, size: int, budget: Budget, order: Iterable[Position]) -> NDArray[np.int32]:
    """Return the Sprague-Grundy values by the automaton of the steps; order as above.  O(size^2) for each position."""
    steps = RuleAutomaton(game.step, ("p", "q", "r", "s"), budget)
    terminal = formula_board(game.terminal_formula(), ("a", "b"), size, budget)
    values = np.full((size, size), -1, np.int32)
    for p, q in order:
        check_budget(budget, 0, f"the values on a board of size {size}")
        options = steps.board(("r", "s"), size, p=p, q=q)
        values[p, q] = 0 if terminal[p, q] else least_missing(values[options])
    return values


def least_missing(values: NDArray[np.int32]) -> int:
    """Return the least natural number that is not among the values."""
    there = np.zeros(len(values) + 1, bool)
    there[values[values <= len(values)]] = True
    return int(np.argmin(there))


def values_by_options(
    game: Game, bound: int, value_of: Callable[[list[T]], T], last: T, budget: Budget
) -> dict[Position, T]:
    """Return by position a value computed from the values of its options; terminal positions have the value `last`.

    All positions below the bound are solved, and others that they lead to: an option may be any position with a smaller
    sum.  The function of the game is called once for each position.
    """
    terminal = formula_board(game.terminal_formula(), ("a", "b"), 2 * bound, budget)
    known: dict[Position, T] = {}
    found: dict[Position, set[Position]] = {}
    for start in by_sums(bound, box=True):
        waiting = [start]
        check_budget(budget, 0, f"the positions below {bound}")
        while waiting:
            position = waiting.pop()
            if position in known:
                continue
            if terminal[position]:
                known[position] = last
                continue
            options = found.pop(position, None) or options_of(game.moves, *position)
            unknown = [option for option in options if option not in known]
            if unknown:
                found[position] = options
                waiting += [position, *unknown]
            else:
                known[position] = value_of([known[option] for option in options])
    return known


def options_of(moves: object, p: int, q: int) -> set[Position]:
    """Return the options that a Python function gives for (p,q).

    Raises FibproverError unless they have fewer counters.
    """
    if not callable(moves):
        raise AssertionError("a game by its options has a function")
    given = moves(p, q)
    try:
        options = list(given)
    except TypeError:
        raise FibproverError(f"the options of ({p},{q}) must be a list of positions, not {given!r}") from None
    found: set[Position] = set()
    for option in options:
        try:
            r, s = map(int, option)
        except (TypeError, ValueError):
            raise FibproverError(f"an option of ({p},{q}) must be a position (r,s), not {option!r}") from None
        if r < 0 or s < 0 or r + s >= p + q:
            raise FibproverError(
                f"a move leads from ({p},{q}) to ({r},{s}), which is not a position with fewer counters",
                hint="an option is a pair of natural numbers with a smaller sum",
            )
        found.add((r, s))
    return found


def terminal_rows(game: Game, bound: int, budget: Budget) -> Intervals:
    """Return the positions whose outcome is given (k,x), with both coordinates below the bound, by k.

    They are the terminal positions, P-positions; in misere play all at which play has ended, N-positions.
    """
    regions = given_regions(game)
    if regions is not None:
        check_room(budget, _interval_bytes(bound ** (game.piles - 1), regions), f"the positions below {bound}")
        return (shapes.cube_intervals if game.piles == 3 else shapes.row_intervals)(regions, bound)
    return board_rows(ended_board(game, check_board_bound(bound), budget))


def terminal_antidiagonals(game: Game, bound: int, budget: Budget, *, box: bool) -> Intervals:
    """Return the same positions (x,k-x) by k: `box` as in `shapes.antidiagonal_intervals`."""
    regions = given_regions(game)
    if regions is not None:
        check_room(budget, _interval_bytes(2 * bound if box else bound, regions), f"the positions below {bound}")
        return shapes.antidiagonal_intervals(regions, bound, box=box)
    board = ended_board(game, check_board_bound(bound), budget)
    return board_antidiagonals(board, 2 * bound - 1 if box else bound)


def _interval_bytes(sections: int, regions: Sequence[Polyhedron]) -> int:
    """Return the bytes of the arrays that intervals of polyhedra are made with: a few numbers for each section."""
    return 24 * sections * (1 + len(regions))


def given_regions(game: Game) -> tuple[Polyhedron, ...] | None:
    """Return the positions whose outcome is given, as polyhedra; None if they are not a union of polyhedra."""
    if not game.misere:
        return game.terminal_regions
    return game.ended_regions if game.form in FORMULAS else None


def ended_board(game: Game, size: int, budget: Budget) -> NDArray[np.bool_]:
    """Return the positions whose outcome is given, on a board."""
    if not game.misere:
        return formula_board(game.terminal_formula(), ("a", "b"), size, budget)
    if game.form in FORMULAS:
        return formula_board(game.ended, ("p", "q"), size, budget)
    table = function_board(game.moves, size, budget)
    table[0, 0] = False
    moving = np.logical_or.accumulate(np.logical_or.accumulate(table, axis=0), axis=1)
    return ~moving | formula_board(game.terminal_formula(), ("a", "b"), size, budget)


def check_board_bound(bound: int) -> int:
    """Return the bound; raises LimitError if a board of this size is too large."""
    if bound > MOST_BOARD:
        raise LimitError(
            f"a bound of {bound} is too large for rules that are evaluated cell by cell",
            hint=f"the largest one is {MOST_BOARD}; rules without quantifiers and divisions allow more",
        )
    return bound


class RuleAutomaton:
    """A formula as a transition table over binary numbers; names: variables, among them all of the formula."""

    def __init__(self, formula: Formula, names: tuple[str, ...], budget: Budget) -> None:
        check_budget(budget, 0, "the automaton of a rule")
        automaton = rule_automaton(Session(SYSTEM), formula, names, budget.remaining())
        self.names = names
        self.budget = budget
        #: By letter, then state.
        self.table: NDArray[np.int32] = np.ascontiguousarray(transition_table(np, automaton).T)
        self.accepting = np.append(np.asarray(automaton.outputs) != 0, False)
        # In the code of a letter the digit of a variable counts as often as the tracks after its own have letters.
        self.weights = {name: 1 << (len(names) - 1 - place) for place, name in enumerate(automaton.names)}

    def board(self, free: tuple[str, str], size: int, **fixed: int) -> NDArray[np.bool_]:
        """Return where the rule holds, by two of its variables below `size`; the others are fixed numbers."""
        digits = max(size - 1, 1, *fixed.values()).bit_length()
        check_room(self.budget, 2 * size * size, f"a board of {size} x {size} cells")
        rows, columns = (self.weights[name] for name in free)
        states: NDArray[Any] = np.zeros((1, 1), np.int32)
        for place in reversed(range(digits)):
            there = ((size - 1) >> place) + 1
            given = sum(self.weights[name] * (number >> place & 1) for name, number in fixed.items())
            # The last digit decides: a truth value takes less memory than a state.
            wider: NDArray[Any] = np.empty((2 * len(states), 2 * len(states)), np.int32 if place else np.bool_)
            for x in (0, 1):
                for y in (0, 1):
                    poll(f"a board of {size} x {size} cells")
                    after = self.table[given + x * rows + y * columns]
                    wider[x::2, y::2] = (after if place else self.accepting[after])[states]
            states = wider[:there, :there]
        return np.ascontiguousarray(states)


def formula_board(formula: Formula, names: tuple[str, str], size: int, budget: Budget) -> NDArray[np.bool_]:
    """Return where a formula in two variables holds, both below `size`."""
    if formula == NEVER:
        check_room(budget, size * size, f"a board of {size} x {size} cells")
        return np.zeros((size, size), bool)
    return RuleAutomaton(formula, names, budget).board(names, size)


def function_board(function: object, size: int, budget: Budget) -> NDArray[np.bool_]:
    """Return where a Python function of two numbers below `size` is true."""
    if not callable(function):
        raise AssertionError("a game by its vectors has a function")
    check_room(budget, size * size, "the table of moves")
    board = np.empty((size, size), bool)
    for i in range(size):
        check_budget(budget, 0, "the table of moves")
        for j in range(size):
            board[i, j] = bool(function(i, j))
    return board


def board_rows(board: NDArray[Any]) -> Intervals:
    """Return the true cells of a board, row by row: the runs in each row."""
    padded = np.zeros((len(board), board.shape[1] + 2), np.int8)
    padded[:, 1:-1] = board
    change = np.diff(padded, axis=1)
    rows, starts = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1] - 1
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(board)))])
    return Intervals(offsets.astype(np.int64), starts.astype(np.int64), ends.astype(np.int64))


def board_antidiagonals(board: NDArray[np.bool_], sums: int) -> Intervals:
    """Return the true cells (x,k-x) of a square board, by k < sums."""
    size = len(board)
    slanted = np.zeros((2 * size - 1, size), bool)
    for x in range(size):
        slanted[x : x + size, x] = board[x]
    return board_rows(slanted[:sums])
