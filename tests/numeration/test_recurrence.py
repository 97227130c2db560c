"""Systems of recurrences: which are accepted and refused, digits, valid words, and conversion of numbers."""

from __future__ import annotations

import random
from itertools import product

import pytest

from fibprover.automata import kernel_calls
from fibprover.base.errors import DigitError, LimitError, NumerationError
from fibprover.numeration import recurrence_system, system_named
from tests.numeration.systems import RECURRENCES, system


@pytest.mark.parametrize("name", RECURRENCES)
def test_valid_words_are_the_greedy_representations(name: str) -> None:
    numeration = system(name)
    length = 4 if len(numeration.digits) > 4 else 6
    terms = numeration.recurrence.terms(length + 1)
    count = terms[length]
    greedy = {(0,) * (length - len(word)) + word for word in map(numeration.represent, range(count))}
    assert len(greedy) == count
    for word in product(range(len(numeration.digits)), repeat=length):
        assert numeration.is_valid(word) == (word in greedy), word
    assert max(map(max, greedy)) == len(numeration.digits) - 1


@pytest.mark.parametrize("name", RECURRENCES)
def test_as_many_valid_words_of_length_t_as_the_term(name: str) -> None:
    numeration = system(name)
    for t, term in enumerate(numeration.recurrence.terms(60)):
        assert kernel_calls.count_words(numeration.valid, t) == term


@pytest.mark.parametrize("name", RECURRENCES)
def test_numbers_around_the_weights_that_are_kept(name: str) -> None:
    """Beyond these the weights are computed anew; greedy here is by the recurrence as it is written."""
    numeration = system(name)
    q, weights = numeration.recurrence.coefficients, [*numeration.recurrence.initial]
    while weights[-1] < 1 << 70:
        weights.append(sum(each * weight for each, weight in zip(q, weights[::-1], strict=False)))
    kept = len(numeration.short_weights())
    assert kept < len(weights) - 2
    for number in {weight + add for weight in weights[kept - 3 : kept + 2] for add in (-1, 0, 1)}:
        rest, digits = number, []
        for weight in [each for each in weights if each <= number][::-1]:
            digit, rest = divmod(rest, weight)
            digits.append(digit)
        assert numeration.represent(number) == tuple(digits)
        assert numeration.value(digits) == number


@pytest.mark.parametrize("name", RECURRENCES)
def test_representations_order_numbers(name: str) -> None:
    numeration = system(name)
    words = [numeration.represent(number) for number in range(300)]
    assert words[0] == ()
    assert all(word[0] for word in words[1:])
    assert words == sorted(words, key=lambda word: (len(word), word))
    assert [numeration.value(word) for word in words] == list(range(300))
    assert all(numeration.is_valid((0, 0, *word)) for word in words)


@pytest.mark.parametrize("name", RECURRENCES)
def test_conversion_of_huge_numbers(name: str) -> None:
    numeration = system(name)
    rng = random.Random(11)
    for number in (10**1000, 10**1000 - 1, rng.getrandbits(3300), *(rng.getrandbits(b) for b in range(60, 200, 7))):
        word = numeration.represent(number)
        assert numeration.value(word) == number
        assert word[0] and numeration.is_valid(word)


def test_digits_and_valid_words_of_known_systems() -> None:
    sizes = {name: (len(system(name).digits), system(name).valid.states) for name in RECURRENCES}
    assert sizes["fib"] == (2, 2)
    assert sizes["two"] == (2, 1)
    assert sizes["ten"] == (10, 1)
    assert sizes["pell"] == (3, 2)
    assert sizes["wythoff8"] == (9, 2)
    assert sizes["lucas"] == (3, 3)  # the digit 2 occurs at the last place only
    assert sizes["tribonacci"] == (2, 3)
    assert sizes["narayana"] == (2, 3)
    assert sizes["fourbonacci"] == (2, 4)


@pytest.mark.parametrize("parameter", range(1, 9))
def test_wythoff_systems(parameter: int) -> None:
    numeration = system_named(f"msd_wythoff_{parameter}")
    assert numeration.name == f"msd_wythoff_{parameter}"
    assert numeration.digits == tuple(range(parameter + 1))
    assert numeration.value((1, 0)) == parameter + 1
    assert numeration.linear((1, 1, -1), "=", 0).states == 16


def test_value_of_invalid_words() -> None:
    fib = system_named("fib")
    assert fib.value((1, 1)) == 3
    assert not fib.is_valid((1, 1))
    assert fib.is_valid((0, 1, 0, 1))
    assert fib.value(()) == 0 and fib.is_valid(())


def test_foreign_digits_and_negative_numbers() -> None:
    fib = system_named("fib")
    with pytest.raises(DigitError, match="2 is not a digit of msd_fib"):
        fib.value((1, 0, 2))
    with pytest.raises(DigitError, match="-1 is not a digit"):
        fib.is_valid((-1,))
    with pytest.raises(DigitError, match="-5 is negative"):
        fib.represent(-5)


def test_large_bases() -> None:
    numeration = system_named("1000")
    assert numeration.represent(10**12 + 7) == (1, 0, 0, 0, 7)
    assert numeration.linear((1, -2), "=", 3).states > 1
    big = system_named("msd_70000")
    assert big.value((69999, 0)) == 69999 * 70000
    with pytest.raises(LimitError):
        recurrence_system("big", (1 << 40,), (1,))


REFUSED = [
    # Not Pisot: a second root outside the unit disk, on the circle, or paired with its inverse.
    ((1, 3), (1, 2), "x^2 - x - 3 has 0 of its 2 roots inside the unit disk"),
    ((0, 2), (1, 2), "x^2 - 2 has 0 of its 2 roots inside the unit disk"),
    ((1, 0, 0, 0, 0, 1), (1, 2, 3, 4, 5, 6), "3 of its 6 roots inside"),
    ((1, 2), (1, 3), "x^2 - x - 2 has the factor x + 1"),
    ((2, 0, -1), (1, 2, 4), "x^3 - 2x^2 + 1 has the factor x - 1"),
    ((1, 1, -1, 1, 1), (1, 2, 3, 4, 5), "the factor x^3 + 1"),
    ((1, 1, 1, -1), (1, 2, 4, 8), "x^4 - x^3 - x^2 - x + 1 has roots in pairs z, 1/z"),
    # Reducible without a root on the circle: (x^2 - x - 1)(x + 2) and (x^2 - x - 1)(x^2 - 2x - 1).
    ((-1, 3, 2), (1, 2, 3), "1 of its 3 roots inside"),
    ((3, 0, -3, -1), (1, 3, 8, 22), "the value at 1 must be negative"),
    # No root above 1.
    ((2, -1), (1, 2), "the value at 1 must be negative"),
    ((1, -1), (1, 2), "the value at 1 must be negative"),
    ((3, -2), (1, 3), "x^2 - 3x + 2 has the factor x - 1"),
    ((1,), (1,), "x - 1 has the factor x - 1"),
    ((-2,), (1,), "the value at 1 must be negative"),
    ((0, 0), (1, 2), "all coefficients are 0"),
    # Terms.
    ((1, 1), (2, 3), "the first term must be 1, not 2"),
    ((1, 1), (1, 1), "the terms must increase, and 1, 1 do not"),
    ((3, 1), (1, 0), "the terms must increase, and 1, 0 do not"),
    ((0, 1, 1), (1, 2, 3), "do not increase: 3 is followed by 3"),
    ((1, 1), (1,), "2 coefficients need as many initial terms, not 1"),
    ((), (), "0 coefficients need as many initial terms"),
]


@pytest.mark.parametrize(("coefficients", "initial", "reason"), REFUSED)
def test_refused_recurrences(coefficients: tuple[int, ...], initial: tuple[int, ...], reason: str) -> None:
    with pytest.raises(NumerationError) as caught:
        recurrence_system("refused", coefficients, initial)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("coefficients", "initial"),
    [((1, 0, 1), (1, 5, 6)), ((3, -1), (1, 2)), ((4, -2), (1, 4)), ((1, 1), (1, 7)), ((1, 1, 0), (1, 2, 5))],
)
def test_unusual_systems_are_accepted(coefficients: tuple[int, ...], initial: tuple[int, ...]) -> None:
    report = recurrence_system("unusual", coefficients, initial).verify()
    assert report, str(report)


def test_names() -> None:
    assert recurrence_system("pell", (2, 1), (1, 3)).name == "msd_pell"
    assert recurrence_system("msd_pell", (2, 1), (1, 3)).name == "msd_pell"
    for name in ("lsd_pell", "a b", "msd_", "é"):
        with pytest.raises(NumerationError, match="cannot name a system"):
            recurrence_system(name, (2, 1), (1, 3))


def test_description() -> None:
    text = system("square").describe()
    assert "U[t] = 3U[t-1] - U[t-2]; U = 1, 3, 8, 21" in text
    assert "x^2 - 3x + 1" in text and "2.618034" in text and "digits 0 to 2" in text
    assert "U[t] = 10U[t-1]; U = 1, 10, 100" in system("ten").describe()
