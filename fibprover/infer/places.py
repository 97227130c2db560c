"""What the places of a numeration system are worth, as the kernel that infers automata takes it."""

from __future__ import annotations

from fibprover.automata.dfa import Dfa
from fibprover.errors import DigitError, FibproverError, LimitError
from fibprover.numeration.system import NumerationSystem

#: Bounds the kernels calculate with: products of them with nothing, sums of two of them.
MOST_BOUND = 1 << 62

#: Numbers that are written in two ways to see whether they are the same.
COMPARED = 100


def check_system(system: NumerationSystem) -> None:
    """FibproverError for systems that are signed or read from the other end."""
    if not isinstance(system, NumerationSystem):
        raise FibproverError(f"a numeration system is needed, not {system!r}", hint="system_named makes one of a name")
    if system.signed or system.name.startswith("lsd_"):
        raise FibproverError(
            f"automata are inferred in systems of natural numbers, most significant digit first, not in {system.name}"
        )


def weights(system: NumerationSystem, bound: int) -> list[int]:
    """What a digit 1 is worth with 0, 1, ... digits behind it, up to the first not below the bound.

    FibproverError where numbers are not written greedily with such weights, LimitError for a bound above 2^62.
    """
    if bound > MOST_BOUND:
        raise LimitError(f"the bound {bound} is too large for an inference", hint=f"the largest one is {MOST_BOUND}")
    worth: list[int] = []
    try:
        while not worth or worth[-1] < bound:
            worth.append(system.value((1, *(0 for _ in worth))))
    except DigitError:
        worth = []
    if not worth or not _written_greedily(system, worth):
        raise FibproverError(
            f"digits of {system.name} are not worth the same in all numbers, so nothing is inferred in it",
            hint="systems of linear recurrences and Ostrowski systems will do",
        )
    return worth


def _written_greedily(system: NumerationSystem, worth: list[int]) -> bool:
    """Whether small numbers, and those around the weights, are written greedily."""
    numbers = {*range(COMPARED), *(number + d for number in worth for d in (-1, 0, 1))}
    return all(system.represent(number) == greedy(number, worth) for number in numbers if number < worth[-1])


def greedy(number: int, worth: list[int]) -> tuple[int, ...]:
    """A number below the last weight, written with the largest digit that is possible from the top on."""
    digits: list[int] = []
    for weight in reversed(worth):
        digit, number = divmod(number, weight)
        if digit or digits:
            digits.append(digit)
    return tuple(digits)


def slack(valid: Dfa, worth: list[int], bound: int) -> list[int]:
    """By validity state and j: the greatest number that j further digits can be worth, `bound` if it is more.

    At state * len(worth) + j, -1 where no j digits go on validly.  O(transitions * len(worth)).
    """
    greatest = [0 if output else -1 for output in valid.outputs]
    columns = [greatest]
    for weight in worth[:-1]:
        following = []
        for state in range(valid.states):
            values = [digit * weight + greatest[to] for digit, to in valid.row(state) if greatest[to] >= 0]
            following.append(min(max(values, default=-1), bound))
        greatest = following
        columns.append(greatest)
    return [min(column[state], bound) for state in range(valid.states) for column in columns]
