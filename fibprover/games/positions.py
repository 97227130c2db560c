"""The P-positions and the Sprague-Grundy values of a game below a bound, by the solver that suits its moves.

Also the P-positions in the order in which papers number them: in a game that is symmetric in its piles only positions
with a <= b are numbered, as by Renard & Rigo (section 4); the order is by a, then by b; n = 0 is the first position
that is not terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from fibprover.base.errors import FibproverError, LimitError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.values import RichlyDisplayed, value
from fibprover.games import boards, kernel_calls
from fibprover.games.boards import (
    board_rows,
    by_measure,
    by_sums,
    formula_board,
    function_board,
    least_missing,
    positions_by_layers,
    step_positions,
    step_values,
    values_by_options,
)
from fibprover.games.catalogue import as_game
from fibprover.games.formulas import SYSTEM, rule_automaton
from fibprover.games.passing import Excluded, ended, excluded, without_pass
from fibprover.games.rules import OPTIONS_FUNCTION, STEPS, VECTOR_FUNCTION, VECTORS, VECTORS_AT, Game
from fibprover.games.shapes import (
    Intervals,
    Lines,
    cube_rows,
    lines_of,
    point_intervals,
    stays_in_box,
    step_rows,
    step_rows_by_sum,
)
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    #: The arrays a and b of positions.
    Coordinates = tuple[NDArray[np.int64], NDArray[np.int64]]

    #: The arrays of positions, one for each pile.
    Columns = tuple[NDArray[np.int64], ...]

#: The largest bound where a pile may grow.
MOST_BOUND_BY_MEASURE = 512

#: Larger bounds would take arrays larger than any memory.
MOST_BOUND = 1 << 28

#: The largest bound where positions are decided one by one, by an automaton or a Python function.
MOST_BOUND_ONE_BY_ONE = 1 << 12

#: The largest Sprague-Grundy value whose positions are computed.
MOST_VALUE = 100

#: How many positions are listed where all of them are shown as text.
SHOWN = 12

#: `numbered_positions` begins with this bound, or with so many times the number of positions requested.
LEAST_BOUND, PER_POSITION = 256, 16

#: It compares the result with that for a bound so many times larger, at most so often.
FARTHER, ROUNDS = 4, 3


@dataclass(frozen=True, eq=False, repr=False)
class Positions(RichlyDisplayed):
    """All P-positions (a[k],b[k]) of a game with both coordinates below `bound`, ordered by a, then b.

    On three piles they are (a[k],b[k],c[k]).  a, b, c: read-only int64 arrays, c None on two piles; terminal: how many
    of the positions satisfy the formula of terminal ones; value: their Sprague-Grundy value, 0 for the P-positions.
    """

    game: Game
    bound: int
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    terminal: int
    value: int = 0
    c: NDArray[np.int64] | None = None

    @property
    def columns(self) -> Columns:
        """The arrays, one for each pile."""
        return (self.a, self.b) if self.c is None else (self.a, self.b, self.c)

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """The positions (a,b) of a game on two piles; raises FibproverError for one on three."""
        check_two_piles(self.game, "a board")
        return zip(self.a.tolist(), self.b.tolist(), strict=True)

    def __len__(self) -> int:
        return len(self.a)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the positions (a,b) in their order, as Python's integers."""
        return zip(*(column.tolist() for column in self.columns), strict=True)

    def __contains__(self, position: object) -> bool:
        """Return whether (a,b) is one of them; raises FibproverError for a position that is not below the bound."""
        if not isinstance(position, tuple) or len(position) != self.game.piles:
            return False
        if not all(isinstance(pile, int | np.integer) for pile in position):
            return False
        if max(position) >= self.bound:
            shown = ",".join(map(str, position))
            raise FibproverError(f"the positions are known below {self.bound} only, and ({shown}) is not below it")
        first, last = 0, len(self)
        for pile, column in zip(position, self.columns, strict=True):
            places = np.searchsorted(column[first:last], [int(pile), int(pile) + 1])
            first, last = first + int(places[0]), first + int(places[1])
        return first < last

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickle and copy, which would make the arrays writeable."""
        return _made, (self.game, self.bound, self.columns, self.terminal, self.value)

    def __str__(self) -> str:
        """Return their number and the first ones."""
        head = f"{len(self)} {named(self.value, 's')} of {self.game} below {self.bound}"
        first = ", ".join(map(str, islice(self, SHOWN)))
        return f"{head}\n  {first}{', ...' if len(self) > SHOWN else ''}" if first else head

    def __repr__(self) -> str:
        return f"Positions({self.game}, {len(self)} below {self.bound}, {self.terminal} of them terminal)"


def named(value: int, plural: str = "") -> str:
    """Return "P-position", or "position of value 1"; plural: "s" for several of them."""
    return f"position{plural} of value {value}" if value else f"P-position{plural}"


def positions(game: Game | str, bound: int, budget: Budget = UNLIMITED, *, value: int = 0) -> Positions:
    """Return all P-positions (a,b) of a game with a < bound and b < bound, or (a,b,c) of one on three piles.

    Moves that are full lines (rows, columns, diagonals and bands of them) take a second for bounds of 10^5; other
    moves that are linear in i,j or p,q,r,s, and vectors of any other formula, take seconds for 10^4; steps that are
    not linear take seconds for 10^3; a Python function is called once for each vector or position. Three piles take
    seconds for 500.

    Parameters:

    - game: a Game, or what `fibprover game` calls it, such as "terminal(2)"
    - bound: a natural number
    - budget: what the call may spend
    - value: the Sprague-Grundy value of the positions (see `positions_of_value`)

    Errors: LimitError for a bound that is not a natural number or too large; BudgetSpent.

    >>> found = fp.positions("wythoff()", 8)
    >>> list(found), (4, 7) in found
    ([(0, 0), (1, 2), (2, 1), (3, 5), (4, 7), (5, 3), (7, 4)], True)
    """
    game = as_game(game)
    check_bound(bound, MOST_BOUND)
    if value:
        return positions_of_value(game, bound, value, budget)
    if bound == 0:
        return _made(game, bound, tuple(np.zeros(0, np.int64) for _ in range(game.piles)), 0)
    if game.piles == 3:
        return _made(game, bound, _in_cube(game, bound, budget), _terminal_count(game, bound, budget))
    if game.form == OPTIONS_FUNCTION:
        return _by_options(game, bound, budget)
    if game.passes:
        return _with_pass(game, bound, budget)
    return _made(game, bound, _solved(game, bound, budget), _terminal_count(game, bound, budget))


def _in_cube(game: Game, bound: int, budget: Budget, left_out: Intervals | None = None) -> Columns:
    """Return the P-positions of a game on three piles; left_out: those left out, in place of those given."""
    check_bound(bound, kernel_calls.MOST_BOUND_OF_CUBES)
    if game.step_regions is None or boards.given_regions(game) is None:
        raise FibproverError(
            f"on three piles, the rules of {game} have to be linear comparisons",
            hint="without division, counting, and quantifiers that need one of these",
        )
    given = boards.terminal_rows(game, bound, budget) if left_out is None else left_out
    gone = game.misere or left_out is not None
    return kernel_calls.cube_positions(cube_rows(game.step_regions), bound, given, budget, left_out=gone)


def _solved(game: Game, bound: int, budget: Budget, left_out: Excluded | None = None) -> Coordinates:
    """Return the P-positions below a bound, by a, then b.

    left_out: positions that are left out as if no move led to them, in place of those whose outcome is given.
    """
    gone = game.misere or left_out is not None
    lines = _lines(game)
    if lines is not None and game.blocked <= kernel_calls.MOST_BLOCKED_ON_LINES:
        given = boards.terminal_rows(game, bound, budget) if left_out is None else left_out.rows(bound)
        return kernel_calls.line_positions(lines, bound, game.blocked, given, budget, left_out=gone)[:2]
    if game.form not in (VECTORS, VECTOR_FUNCTION) or game.step_regions is not None:
        return _by_steps(game, bound, budget, left_out)
    check_bound(bound, kernel_calls.MOST_BOUND_OF_TABLES)
    if game.blocked > kernel_calls.MOST_BLOCKED_IN_TABLES:
        raise LimitError(f"{game.blocked} blocked options are too many for moves that are not linear")
    table = vector_table(game, bound, budget)
    given = boards.terminal_rows(game, bound, budget) if left_out is None else left_out.rows(bound)
    return kernel_calls.table_positions(table, game.blocked, given, budget, left_out=gone)[:2]


def _with_pass(game: Game, bound: int, budget: Budget) -> Positions:
    """Return the P-positions of a game with a pass that nobody has used, from those of the game without it."""
    wide = game.form not in (VECTORS, VECTOR_FUNCTION) and not steps_stay_in_box(game)
    size = 2 * bound - 1 if wide else bound
    plain = positions(without_pass(game), size, budget)
    a, b = _solved(game, bound, budget, excluded(game, size, (plain.a, plain.b), budget))
    if not game.misere:
        first, second = ended(game, bound, budget)
        a, b = np.concatenate([a, first]), np.concatenate([b, second])
        order = np.lexsort((b, a))
        a, b = a[order], b[order]
    return _made(game, bound, (a, b), _terminal_count(game, bound, budget))


def positions_of_value(game: Game, bound: int, value: int, budget: Budget = UNLIMITED) -> Positions:
    """Return all positions of a Sprague-Grundy value below a bound.

    They are the P-positions of the game without the positions of smaller values.  Where the moves are full lines the
    cost is that of P-positions for each value up to this one, else that of all values (`grundy`).
    Raises FibproverError for a game with blocking, LimitError for a value or a bound that is too large; BudgetSpent.
    """
    check_value(game, value)
    if game.by:
        check_bound(bound, MOST_BOUND_BY_MEASURE)
        return _made(game, bound, _by_measure(game, bound, budget, None, value), 0, value)
    lines = _lines(game)
    if bound and game.piles == 2 and lines is None:
        return _made(game, bound, np.nonzero(grundy(game, bound, budget) == value), 0, value)
    smaller = found = positions(game, bound, budget).columns
    for _ in range(value if bound else 0):
        known = point_intervals(smaller, bound)
        if game.piles == 2:
            assert lines is not None
            found = kernel_calls.line_positions(lines, bound, 0, known, budget, left_out=True)[:2]
        else:
            found = _in_cube(game, bound, budget, known)
        smaller = tuple(map(np.concatenate, zip(smaller, found, strict=True)))
    return _made(game, bound, found, 0, value)


def grundy(game: Game | str, bound: int, budget: Budget = UNLIMITED) -> NDArray[np.int32]:
    """Return the Sprague-Grundy values of the positions (p,q) with p, q < bound: an int32 array, bound x bound.

    The value of a position is the least natural number that is not the value of an option; terminal positions have 0.
    O(bound^2 n) for n options of a position: a second for bounds of some hundreds.
    game: as for `positions`.  Raises FibproverError for a game with blocking, LimitError for an invalid bound,
    BudgetSpent.
    """
    game = as_game(game)
    check_values(game)
    check_two_piles(game, "a table of Sprague-Grundy values")
    check_bound(bound, kernel_calls.MOST_BOUND_OF_VALUES)
    if bound == 0:
        return np.zeros((0, 0), np.int32)
    if game.form == OPTIONS_FUNCTION:
        known = values_by_options(game, bound, _value, 0, budget)
        return np.array([[known[p, q] for q in range(bound)] for p in range(bound)], np.int32)
    if game.by:
        check_bound(bound, MOST_BOUND_BY_MEASURE)
        size, order = by_measure(game, bound)
        values = step_values(game, size, budget, order)
        return np.ascontiguousarray(values[:bound, :bound])
    if game.form not in (VECTORS, VECTOR_FUNCTION) or game.step_regions is not None:
        box = steps_stay_in_box(game)
        size = bound if box else 2 * bound - 1
        check_bound(size, kernel_calls.MOST_BOUND_OF_VALUES)
        if game.step_regions is None:
            values = step_values(game, size, budget, by_sums(size, box=box))
        else:
            terminal = boards.terminal_antidiagonals(game, size, budget, box=box)
            values = kernel_calls.region_grundy(*step_rows(game.step_regions), size, terminal, box=box, budget=budget)
        return np.ascontiguousarray(values[:bound, :bound])
    vectors = board_rows(vector_table(game, bound, budget))
    return kernel_calls.table_grundy(vectors, bound, boards.terminal_rows(game, bound, budget), budget)


@value
class NumberedPositions:
    """Rows (n, a_n, b_n) in order; symmetric: whether only positions with a <= b are numbered."""

    rows: tuple[tuple[int, int, int], ...]
    symmetric: bool


def numbered_positions(
    game: Game, count: int, first: int = 0, budget: Budget = UNLIMITED, *, value: int = 0
) -> NumberedPositions:
    """Return `count` P-positions with numbers from `first` on; terminal positions have negative numbers.

    value: or positions of another Sprague-Grundy value.

    The bound on the piles is raised until a bound four times as large changes nothing: a position is missed in a game
    whose piles grow much faster than that.  Raises FibproverError if the positions still change after ROUNDS rounds.
    """
    check_two_piles(game, "a numbered table of positions")
    bound = max(LEAST_BOUND, PER_POSITION * (count + abs(first)))
    known = _below(game, bound, count, first, budget, value)
    for _ in range(ROUNDS):
        bound *= FARTHER
        wider = _below(game, bound, count, first, budget, value)
        if wider == known and len(wider.rows) == count:
            return known
        known = wider
    raise FibproverError(
        f"{count} {named(value, 's')} of {game} from number {first} on are not settled by the piles below {bound}",
        hint="request fewer, or list all below a bound",
    )


def check_value(game: Game, value: object) -> None:
    """Raise FibproverError unless this can be the Sprague-Grundy value of positions that are wanted."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_VALUE:
        raise LimitError(f"a Sprague-Grundy value is a number from 0 to {MOST_VALUE} here, not {value!r}")
    if value:
        check_values(game)


def check_values(game: Game) -> None:
    """Raise FibproverError for a game whose positions have no Sprague-Grundy values."""
    if game.blocked or game.misere or game.passes:
        raise FibproverError(
            f"{game} has no Sprague-Grundy values here: " + (
                "in a sum of games with blocking, it matters what is blocked" if game.blocked
                else "in misere play, they do not say who wins a sum" if game.misere
                else "with a pass, they depend on whether it is used"
            ),
            hint="its P-positions can be computed",
        )


def check_two_piles(game: Game, what: str) -> None:
    """Raise FibproverError for a game on three piles."""
    if game.piles != 2:
        raise FibproverError(f"{what} is for games on two piles", hint="positions below a bound can be listed")


def marks_lines(game: Game) -> bool:
    """Return whether the moves are full lines: then the cost is proportional to the P-positions, not to all cells."""
    return _lines(game) is not None


def _lines(game: Game) -> Lines | None:
    """Return the moves as full lines; None where they are not, and on three piles."""
    return lines_of(game.vector_regions) if game.piles == 2 and game.vector_regions is not None else None


def largest_bound(game: Game, value: int = 0) -> int:
    """Return the largest bound below which the positions of a value can be computed."""
    if game.piles == 3:
        return kernel_calls.MOST_BOUND_OF_CUBES
    if game.by:
        return MOST_BOUND_BY_MEASURE
    if game.form == OPTIONS_FUNCTION or by_automaton(game):
        return MOST_BOUND_ONE_BY_ONE
    if marks_lines(game) and game.blocked <= kernel_calls.MOST_BLOCKED_ON_LINES:
        # Given positions that are no polyhedra are found on a board.
        return MOST_BOUND if boards.given_regions(game) is not None else boards.MOST_BOARD
    by_table = boards.MOST_BOARD if game.form == VECTORS else kernel_calls.MOST_BOUND_OF_TABLES
    most = by_table if game.step_regions is None else kernel_calls.MOST_BOUND_OF_REGIONS
    if value:
        most = min(most, kernel_calls.MOST_BOUND_OF_VALUES)
    if boards.given_regions(game) is None:
        most = min(most, boards.MOST_BOARD)
    return most


def by_automaton(game: Game) -> bool:
    """Return whether the moves are no polyhedra, and depend on more than the counters taken: the slowest solver."""
    return game.form in (STEPS, VECTORS_AT) and game.step_regions is None


def check_bound(bound: object, most: int) -> None:
    """Raise LimitError unless a bound is an integer from 0 to `most`."""
    if not isinstance(bound, int) or isinstance(bound, bool):
        raise LimitError(f"a bound must be a natural number, not {bound!r}")
    if bound < 0:
        raise LimitError(f"a bound must not be negative, as {bound} is")
    if bound > most:
        raise LimitError(f"a bound of {bound} is too large here", hint=f"the largest one is {most}")


def steps_stay_in_box(game: Game) -> bool:
    """Return whether no move makes the larger pile larger: then the positions below a bound determine each other."""
    if game.form == VECTORS_AT:
        return True
    regions = game.step_regions
    return regions is not None and stays_in_box(regions)


def vector_table(game: Game, bound: int, budget: Budget) -> NDArray[np.uint8]:
    """Return a table by i and j below the bound: 1 where (i,j) is a move, otherwise 0."""
    if game.form == VECTORS:
        board = formula_board(game.tree, ("i", "j"), boards.check_board_bound(bound), budget)
    else:
        board = function_board(game.moves, bound, budget)
    board[0, 0] = False
    return board.view(np.uint8)


def _by_steps(game: Game, bound: int, budget: Budget, left_out: Excluded | None) -> Coordinates:
    """Return the P-positions of a game of steps; where a pile can grow, all positions of smaller sums are solved."""
    if game.by:
        check_bound(bound, MOST_BOUND_BY_MEASURE)
        return _by_measure(game, bound, budget, left_out)
    regions = game.step_regions
    check_bound(bound, MOST_BOUND_ONE_BY_ONE if regions is None else kernel_calls.MOST_BOUND_OF_REGIONS)
    box = steps_stay_in_box(game)
    size = bound if box else 2 * bound - 1
    if regions is None:
        found = positions_by_layers(game, size, budget) if box and left_out is None else None
        if found is None:
            board = None if left_out is None else left_out.whole_board(size)
            found = step_positions(game, size, budget, by_sums(size, box=box), board)
        a, b = np.nonzero(found)
    else:
        given = (
            boards.terminal_antidiagonals(game, size, budget, box=box) if left_out is None
            else left_out.antidiagonals(size, box=box)
        )
        a, b, _ = kernel_calls.region_positions(
            *step_rows_by_sum(regions, size, box=box), size, game.blocked, given, box=box, budget=budget,
            left_out=game.misere or left_out is not None,
        )
    inside = (a < bound) & (b < bound)
    a, b = a[inside], b[inside]
    order = np.lexsort((b, a))
    return a[order], b[order]


def _by_measure(
    game: Game, bound: int, budget: Budget, left_out: Excluded | None, value: int = 0
) -> Coordinates:
    """Return the positions of a value of a game with a measure of its own, solved in the order of that."""
    size, order = by_measure(game, bound)
    board = None if left_out is None else left_out.whole_board(size)
    found = step_positions(game, size, budget, order, board)
    for _ in range(value):
        board = found if board is None else board | found
        found = step_positions(game, size, budget, order, board)
    a, b = np.nonzero(found[:bound, :bound])
    return a, b


def _terminal_count(game: Game, bound: int, budget: Budget) -> int:
    """Return how many P-positions below a bound are terminal."""
    return 0 if game.misere else boards.terminal_rows(game, bound, budget).points()


def _by_options(game: Game, bound: int, budget: Budget) -> Positions:
    """Return the P-positions of a game whose options a Python function gives."""
    check_bound(bound, MOST_BOUND_ONE_BY_ONE)

    def outcome(options: list[tuple[bool, bool]]) -> tuple[bool, bool]:
        """Return whether a position is a P-position, and whether it is one while nobody has passed."""
        if not options:
            return last
        lost = sum(option[0] for option in options) <= game.blocked
        return lost, not lost and not any(option[1] for option in options)

    last = (not game.misere, not game.misere)
    known = values_by_options(game, bound, outcome, last, budget)
    board = np.array([[known[p, q][game.passes] for q in range(bound)] for p in range(bound)])
    a, b = np.nonzero(board)
    return _made(game, bound, (a, b), _terminal_count(game, bound, budget))


def _made(game: Game, bound: int, columns: Columns, terminal: int, value: int = 0) -> Positions:
    """Return positions whose arrays are read-only."""
    for coordinates in columns:
        coordinates.flags.writeable = False
    return Positions(game, bound, columns[0], columns[1], terminal, value, *columns[2:])


def _value(options: list[int]) -> int:
    return least_missing(np.array(options, np.int32))



def _below(game: Game, bound: int, count: int, first: int, budget: Budget, value: int) -> NumberedPositions:
    """Return the numbered positions as far as the positions below a bound determine them."""
    found = positions(game, bound, budget, value=value)
    pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
    swapped = {(b, a) for a, b in pairs}
    symmetric = all(pair in swapped for pair in pairs)
    if symmetric:
        pairs = [(a, b) for a, b in pairs if a <= b]
    ended = None if value else _terminal(game, budget)
    terminal: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    for pair in pairs:
        if len(others) == first + count and first >= 0:
            break
        (terminal if ended is not None and pair in ended else others).append(pair)
    rows = [(n, a, b) for n, (a, b) in enumerate(terminal + others, start=-len(terminal)) if n >= first]
    return NumberedPositions(tuple(rows[:count]), symmetric)


def _terminal(game: Game, budget: Budget) -> Relation | None:
    """Return the terminal P-positions as a relation of a and b; None if there are none."""
    if game.end is None or game.misere:
        return None
    session = Session(SYSTEM)
    automaton = rule_automaton(session, game.end.formula, ("a", "b"), budget.remaining())
    return Relation(automaton, session.namespace.system, "terminal positions")


def representation(system: NumerationSystem, number: int) -> str:
    """Write a number in a system as papers do: the empty word for 0, digits above 9 in brackets."""
    return "".join(str(digit) if digit < 10 else f"[{digit}]" for digit in system.write(number)) or "\u03b5"
