"""The systems of the numeration tests, and numbers as words for automata."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache

from fibprover.automata.dfa import Dfa
from fibprover.numeration import NumerationSystem, RecurrenceSystem, recurrence_system

#: name: coefficients, initial terms
RECURRENCES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "fib": ((1, 1), (1, 2)),
    "two": ((2,), (1,)),
    "three": ((3,), (1,)),
    "ten": ((10,), (1,)),
    "pell": ((2, 1), (1, 3)),
    "wythoff4": ((4, 1), (1, 5)),
    "wythoff8": ((8, 1), (1, 9)),
    "lucas": ((1, 1), (1, 3)),
    "fraenkel": ((2, 2), (1, 3)),
    "square": ((3, -1), (1, 3)),
    "transient": ((2, 0), (1, 3)),
    "tribonacci": ((1, 1, 1), (1, 2, 4)),
    "narayana": ((1, 0, 1), (1, 2, 3)),
    # Initial terms far from the dominant root's powers, and a root so small that terms grow slowly.
    "skewed": ((1, 1), (1, 9)),
    "slow": ((1, 0, 0, 1), (1, 2, 3, 4)),
    "fourbonacci": ((1, 1, 1, 1), (1, 2, 4, 8)),
}

#: Those whose atoms stay small.
SMALL = (
    "fib",
    "two",
    "three",
    "ten",
    "pell",
    "wythoff4",
    "lucas",
    "fraenkel",
    "square",
    "transient",
    "skewed",
    "tribonacci",
)

HOLDS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def system(name: str) -> RecurrenceSystem:
    """Return a new system of RECURRENCES."""
    return recurrence_system(name, *RECURRENCES[name])


@lru_cache(1 << 16)
def represented(numeration: NumerationSystem, number: int) -> tuple[int, ...]:
    """Return the representation of a number; tests ask for the same small numbers again and again."""
    return numeration.represent(number)


def letters(numeration: NumerationSystem, numbers: Sequence[int], *, zeros: int = 0) -> list[tuple[int, ...]]:
    """Return the letters of several representations, padded to one length and by more zeros."""
    words = [represented(numeration, number) for number in numbers]
    length = max(map(len, words), default=0) + zeros
    return list(zip(*((0,) * (length - len(word)) + word for word in words), strict=True))


def accepts(automaton: Dfa, numeration: NumerationSystem, numbers: Sequence[int], *, zeros: int = 0) -> bool:
    """Return whether an automaton with one track for each number accepts these numbers."""
    return bool(automaton.output(automaton.code(letter) for letter in letters(numeration, numbers, zeros=zeros)))
