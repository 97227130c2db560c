"""Words of coefficients of power series, against numbers by their recurrences and sums of binomials."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from math import comb

import pytest

import fibprover as fp
from fibprover.base.errors import LimitError, TextError
from fibprover.words.automatic import AutomaticWord
from tests.few import few


def word(text: str) -> AutomaticWord:
    return fp.Session().define_word("W", [], text)


def by_recurrence(first: list[int], step: Callable[[int, int, int], int]) -> Iterator[int]:
    """Yield numbers by step(n, a(n-1), a(n-2)), exactly."""
    last, before = first[-1], first[-2] if len(first) > 1 else 0
    yield from first
    n = len(first)
    while True:
        before, last = last, step(n, last, before)
        yield last
        n += 1


def catalan() -> Iterator[int]:
    return by_recurrence([1], lambda n, a, _: 2 * (2 * n - 1) * a // (n + 1))


def motzkin() -> Iterator[int]:
    return by_recurrence([1, 1], lambda n, a, b: ((2 * n + 1) * a + (3 * n - 3) * b) // (n + 2))


def trinomial() -> Iterator[int]:
    return by_recurrence([1, 1], lambda n, a, b: ((2 * n - 1) * a + 3 * (n - 1) * b) // n)


def riordan() -> Iterator[int]:
    return by_recurrence([1, 0], lambda n, a, b: (n - 1) * (2 * a + 3 * b) // (n + 1))


def fine() -> Iterator[int]:
    """Fine's numbers: C(n) = 2 F(n) + F(n-1)."""
    before = 0
    for n, number in enumerate(catalan()):
        before = (number - before) // 2 if n else 1
        yield before


def schroeder() -> Iterator[int]:
    return by_recurrence([1, 2], lambda n, a, b: (3 * (2 * n - 1) * a - (n - 2) * b) // (n + 1))


def delannoy() -> Iterator[int]:
    return by_recurrence([1, 3], lambda n, a, b: (3 * (2 * n - 1) * a - (n - 1) * b) // n)


def binomial() -> Iterator[int]:
    return by_recurrence([1], lambda n, a, _: 2 * (2 * n - 1) * a // n)


def apery() -> Iterator[int]:
    return by_recurrence(
        [1, 5], lambda n, a, b: ((34 * n**3 - 51 * n**2 + 27 * n - 5) * a - (n - 1) ** 3 * b) // n**3
    )


def apery_2() -> Iterator[int]:
    return by_recurrence([1, 3], lambda n, a, b: ((11 * n**2 - 11 * n + 3) * a + (n - 1) ** 2 * b) // n**2)


CATALAN, MOTZKIN = "coefficients of y=1+x*y^2", "coefficients of y = 1 + x*y + x^2*y^2"
TRINOMIAL = "constant terms of (x+1+1/x)^n"
APERY = "constant terms of ((1+x)*(1+y)*(1+z)*(1+y+z+y*z+x*y*z)/(x*y*z))^n"

#: Words and their numbers; the first ones are those of proofs/coefficients.py.
WORDS = [
    *((CATALAN, modulus, catalan) for modulus in (4, 8, 16, 9, 25, 49)),
    *((MOTZKIN, modulus, motzkin) for modulus in (4, 8, 9)),
    ("coefficients of y=1+x*y+x*y^2", 4, schroeder), ("diagonal of 1/(1-x-y-x*y)", 8, delannoy),
    *(("constant terms of (x+2+1/x)^n", modulus, binomial) for modulus in (8, 9, 25, 49)), (APERY, 8, apery),
    (TRINOMIAL, 9, trinomial), (TRINOMIAL, 8, trinomial), (f"{TRINOMIAL}*(1-x)", 4, riordan),
    (f"{TRINOMIAL}*(1-x)", 9, riordan), ("coefficients of x*(2+x)*y^2 - (1+2x)*y + 1 = 0", 8, fine),
    ("coefficients of (1-2x-3x^2)*y^2=1, y(0)=1", 9, trinomial),
    ("constant terms of ((1+x)*(1+y)*(1+x+y)/(x*y))^n", 8, apery_2), ("diagonal of 1/(1-x-y)", 27, binomial),
]

#: Those that take seconds.
LONG = [(MOTZKIN, 25, motzkin), ("coefficients of (1-2x-3x^2)*y^2=1, y(0)=1", 25, trinomial)]


@pytest.mark.parametrize(("text", "modulus", "numbers"), few(WORDS, 3))
def test_ten_thousand_coefficients(text: str, modulus: int, numbers: Callable[[], Iterator[int]]) -> None:
    found = word(f"{text} mod {modulus}")
    count = 10_000 if numbers not in (apery, fine) else 3_000
    assert found.prefix(count) == [number % modulus for number in islice(numbers(), count)]


@pytest.mark.long
@pytest.mark.parametrize(("text", "modulus", "numbers"), [*(each for each in WORDS if each[2] in (apery, fine)), *LONG])
def test_ten_thousand_that_take_long(text: str, modulus: int, numbers: Callable[[], Iterator[int]]) -> None:
    assert word(f"{text} mod {modulus}").prefix(10_000) == [each % modulus for each in islice(numbers(), 10_000)]


def test_three_commands() -> None:
    script = f'word M8 = {MOTZKIN} mod 8; eval never "An M8[n]!=0"; eval sometimes "En M8[n]=4";'
    answers = [str(answer) for _, answer in fp.Session().run(script)]
    assert answers[1:] == ["TRUE", "TRUE"]


def test_diagonals_of_several_variables() -> None:
    found = word("diagonal of 1/(1-x-y-z) mod 9")
    assert found.prefix(60) == [comb(3 * n, n) * comb(2 * n, n) % 9 for n in range(60)]
    squares = word("diagonal of (1+2x)^2/(1-x-y)^2 mod 8").prefix(12)
    series = [
        sum((1, 4, 4)[i] * (n - i + n + 1) * comb(2 * n - i, n) for i in range(min(n, 2) + 1)) % 8 for n in range(12)
    ]
    assert squares == series


def test_all_digits_of_a_first_coefficient_are_read() -> None:
    assert word("coefficients of y^3=y+x, y(0)=0000000001 mod 5").prefix(1) == [1]


WRONG = [
    ("coefficients of y=1+x*y^2 mod 6", "6"), ("coefficients of y=1+x*y^2 mod 1", "1"),
    ("coefficients of y=1+z*y^2 mod 8", "y"), ("coefficients of y^2=1+x mod 8", "y"),
    ("coefficients of y^2=1+x, y(0)=1 mod 8", "y"), ("coefficients of y^2=1+x, y(0)=3 mod 9", "y"),
    ("coefficients of y=y mod 8", "y"), ("coefficients of y=1+x*y^2", "coefficients"),
    ("coefficients of y=(1+x mod 8", "mod"), ("diagonal of 1/(2-x-y) mod 8", "1"), ("diagonal of 1/0 mod 8", "/"),
    ("constant terms of x+1/x mod 8", "constant"), ("constant terms of (x+1/(1-x))^n mod 8", "^"),
    ("constant terms of (x+1/x)^n+1 mod 8", "+"), ("diagonal of x^99 mod 8", "99"),
    ("coefficients of y=1+x*y^2 mod 1000003", "1000003"), ("constant terms of ((x+1/x)^n)^n mod 8", "^n mod"),
    ("constant terms of ((x+1/x)^n)^2*(x+1)^n mod 8", "^2"), ("diagonal of 1/(1-x^n 3-n) mod 8", "n 3"),
    ("coefficients of y^3=y+x, y(0)=0000000000001 mod 3", "0000000000001"),
]


@pytest.mark.parametrize(("text", "place"), WRONG)
def test_wrong_texts_are_errors_with_a_place(text: str, place: str) -> None:
    session = fp.Session()
    with pytest.raises(TextError) as caught:
        session.run(f"word W = {text};")
    problem = caught.value
    assert problem.text[problem.start : problem.start + len(place)] == place and "W" not in session


def test_what_is_too_large_ends() -> None:
    with pytest.raises((LimitError, fp.BudgetSpent)):
        fp.Session(limits=fp.Limits(seconds=0.3)).define_word("W", [], f"{APERY} mod 32")
    with pytest.raises(fp.FibproverError, match="no index"):
        fp.Session().define_word("W", [], "T[n]")
    with pytest.raises(TextError):
        fp.Session().run("word W = T[n];")
