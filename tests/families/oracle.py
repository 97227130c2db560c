"""Sturmian words and Ostrowski numbers for one slope, by their definitions: nothing here knows automata."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from fibprover.automata.dfa import Dfa


def characteristic(quotients: Sequence[int], length: int) -> list[int]:
    """Return the first letters of the limit of s_k = s_{k-1}^{a_k} s_{k-2}, with s_{-1} = 1 and s_0 = 0."""
    before, word = [1], [0]
    for place, a in enumerate(quotients):
        before, word = word, word * (a - (place == 0)) + before
        if len(word) >= length + 2 and len(before) >= length + 2:
            break
    assert len(word) >= length
    return word[:length]


def by_floors(slope: float, length: int) -> list[int]:
    """Return floor((n+2) slope) - floor((n+1) slope) for n = 0, 1, ..."""
    return [int((n + 2) * slope) - int((n + 1) * slope) for n in range(length)]


def denominators(quotients: Sequence[int]) -> list[int]:
    """Return q_0, q_1, ..., q_k."""
    before, found = 0, [1]
    for a in quotients:
        before, new = found[-1], a * found[-1] + before
        found.append(new)
    return found


def digits(number: int, quotients: Sequence[int]) -> list[int]:
    """Return the digits b_1, b_2, ..., b_k of a number below q_k, by the greedy algorithm."""
    weights = denominators(quotients)
    assert number < weights[-1]
    found = []
    for weight in reversed(weights[:-1]):
        digit, number = divmod(number, weight)
        found.append(digit)
    return found[::-1]


def holds(a: Dfa, quotients: Sequence[int], *numbers: int) -> bool:
    """Return whether an automaton of the family accepts numbers, its tracks but the last, for this beginning."""
    words = [digits(number, quotients) for number in numbers]
    letters = []
    for place in reversed(range(len(quotients))):
        quotient = quotients[place]
        for bit in reversed(range(quotient.bit_length())):
            mark = 2 if bit == quotient.bit_length() - 1 else quotient >> bit & 1
            letters.append((*(word[place] >> bit & 1 for word in words), mark))
    return bool(a.output([a.code(letter) for letter in letters]))


def random_quotients(rng: random.Random, least: int, largest: int = 9) -> list[int]:
    """Return partial quotients with q_k >= least; small ones are likelier."""
    found: list[int] = []
    while not found or denominators(found)[-1] < least:
        found.append(min(rng.randint(1, largest) for _ in range(2)))
    return found


def agree(a: Dfa, expected: Callable[..., bool], arity: int, *, largest: int, slopes: int, seed: int) -> None:
    """Check an automaton against a function of a word and of numbers below a bound, for random slopes."""
    rng = random.Random(seed)
    for _ in range(slopes):
        quotients = random_quotients(rng, 300 * largest)
        word = characteristic(quotients, 20 * largest)
        for _ in range(60):
            numbers = [rng.randrange(largest) for _ in range(arity)]
            assert holds(a, quotients, *numbers) == expected(word, *numbers), (quotients, numbers)
