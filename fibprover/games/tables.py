"""P-positions in the order in which papers number them, for tables.

In a game that is symmetric in its piles only positions with a <= b are numbered, as by Renard & Rigo
(section 4); the order is by a, then by b; n = 0 is the first position that is not terminal.
"""

from __future__ import annotations

from fibprover.errors import FibproverError
from fibprover.games.positions import positions
from fibprover.games.rules import Game
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.session import Session
from fibprover.values import value

#: Positions below this bound, or so many times as many as are wanted, are looked at first.
LEAST_BOUND, PER_POSITION = 256, 16

#: They are compared with those below a bound so many times as large, at most so often.
FARTHER, ROUNDS = 4, 3


@value
class Numbered:
    """(n, a_n, b_n) in order; symmetric: whether only positions with a <= b are numbered."""

    rows: tuple[tuple[int, int, int], ...]
    symmetric: bool


def numbered(game: Game, count: int, first: int = 0, budget: Budget = UNLIMITED) -> Numbered:
    """The P-positions with numbers from `first` on, `count` of them; numbers below 0 are those of terminal ones.

    The piles that are looked at are the larger, until a bound four times as large changes nothing: for the piles of
    a game that grow much faster than that, a position is missing.  FibproverError if there is no end of changes.
    """
    bound = max(LEAST_BOUND, PER_POSITION * (count + abs(first)))
    known = _below(game, bound, count, first, budget)
    for _ in range(ROUNDS):
        bound *= FARTHER
        wider = _below(game, bound, count, first, budget)
        if wider == known and len(wider.rows) == count:
            return known
        known = wider
    raise FibproverError(
        f"{game} has no {count} P-positions from number {first} on that are settled by the piles below {bound}",
        hint="ask for fewer, or list all P-positions below a bound",
    )


def _below(game: Game, bound: int, count: int, first: int, budget: Budget) -> Numbered:
    """What the positions below a bound say."""
    found = positions(game, bound, budget)
    pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
    swapped = {(b, a) for a, b in pairs}
    symmetric = all(pair in swapped for pair in pairs)
    if symmetric:
        pairs = [(a, b) for a, b in pairs if a <= b]
    ended = Session().relation(f"a>=0 & b>=0 & ({game.terminal_formula()})")
    terminal: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    for pair in pairs:
        if len(others) == first + count and first >= 0:
            break
        (terminal if pair in ended else others).append(pair)
    rows = [(n, a, b) for n, (a, b) in enumerate(terminal + others, start=-len(terminal)) if n >= first]
    return Numbered(tuple(rows[:count]), symmetric)


def representation(system: NumerationSystem, number: int) -> str:
    """A number in a system as papers write it: the empty word for 0, digits of several figures in brackets."""
    return "".join(str(digit) if digit < 10 else f"[{digit}]" for digit in system.write(number)) or "\u03b5"
