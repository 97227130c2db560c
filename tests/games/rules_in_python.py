"""Take-away games on a board, by rules written in Python: nothing here knows formulas or automata."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

Position = tuple[int, int]
Options = Callable[[int, int], Iterator[Position]]


@dataclass(frozen=True)
class Rules:
    """The options of a position, which positions are terminal, how many options are blocked, who wins."""

    options: Options
    is_terminal: Callable[[int, int], bool] = lambda a, b: False
    blocked: int = 0
    misere: bool = False

    def has_ended(self, position: Position) -> bool:
        """Return whether play has ended."""
        return self.is_terminal(*position) or not any(True for _ in self.options(*position))

    def wants(self, position: Position, found: set[Position]) -> bool:
        """Return whether a position has to be in a set that has these options of it."""
        inside = sum(option in found for option in self.options(*position))
        if self.has_ended(position):
            return not self.misere
        return inside <= self.blocked

    def recursion(self, total: int) -> set[Position]:
        """The P-positions (a,b) with a + b <= total."""
        found: set[Position] = set()
        for now in range(total + 1):
            found |= {(a, now - a) for a in range(now + 1) if self.wants((a, now - a), found)}
        return found


def rows_and_columns(a: int, b: int) -> Iterator[Position]:
    """Moves of Nim."""
    yield from ((a - i, b) for i in range(1, a + 1))
    yield from ((a, b - j) for j in range(1, b + 1))


def queen(a: int, b: int) -> Iterator[Position]:
    """Moves of Wythoff's game."""
    yield from rows_and_columns(a, b)
    yield from ((a - i, b - i) for i in range(1, min(a, b) + 1))


def queen_of(m: int) -> Options:
    """Moves of m-Wythoff."""

    def options(a: int, b: int) -> Iterator[Position]:
        yield from rows_and_columns(a, b)
        for i in range(1, a + 1):
            yield from ((a - i, b - j) for j in range(max(1, i - m + 1), min(b, i + m - 1) + 1))

    return options


def splithoff(a: int, b: int) -> Iterator[Position]:
    """Wythoff's moves, and splits of what is left where a pile is cleared."""
    yield from queen(a, b)
    for first, second in ((a, b), (b, a)):
        # All of the first pile, as many of the second, whose rest is split; positions are ordered pairs.
        if 0 < first <= second:
            rest = second - first
            ways = {(r, rest - r) for r in range(rest + 1)}
            yield from ways - {(a - first, b - first)}
