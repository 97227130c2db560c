"""Sequences with linear representations: arithmetic against counting, equality, sets of values."""

from __future__ import annotations

from fractions import Fraction

import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.sequences.series import constant
from tests.few import few

SYSTEMS = ("msd_3", "lsd_2", "msd_fib", "lsd_fib")


@pytest.mark.long
@pytest.mark.parametrize("system", few(reversed(SYSTEMS), 2))
def test_arithmetic(system: str) -> None:
    s = fp.Session(system)
    a, b = s.counts("n", "i<n & Ej i=2*j"), s.counts("n", "i<=3*n+1")
    for n in range(40):
        x, y = (n + 1) // 2, 3 * n + 2
        assert a[n] == x and b[n] == y
        assert (a + b)[n] == x + y and (a - b)[n] == x - y and (a * b)[n] == x * y
        assert (5 - a * Fraction(1, 3))[n] == 5 - Fraction(x, 3)
    assert (a + b)[10**40] == 10**40 // 2 + 3 * 10**40 + 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_equality_is_that_of_functions(system: str) -> None:
    s = fp.Session(system)
    n = s.counts("n", "i<n")
    squares = s.counts("n", "i<n & j<n")
    assert n * n == squares and hash(n * n) == hash(squares)
    assert (n + 1) * (n - 1) == squares - 1
    assert s.counts("n", "i<j & j<n") * 2 == squares - n
    assert s.counts("n", "i<n & n!=23") != n
    assert not (n - n).dimension and (n - n)[7] == 0
    assert constant(n.system, 4) == n * 0 + 4


def brute_complexity(letters: list[int], length: int) -> int:
    return len({tuple(letters[i : i + length]) for i in range(len(letters) - length)})


@pytest.mark.parametrize(
    ("system", "word", "expected"),
    # Thue and Morse: 2 and 4 (and 1 at 0), Brlek 1989; Fibonacci is Sturmian; Tribonacci is of Arnoux-Rauzy.
    # The sets of the others are held against the differences at the first 60 numbers.
    [
        ("msd_2", "T", {1, 2, 4}), ("msd_fib", "F", {1}), pytest.param("msd_trib", "TR", {2}, marks=pytest.mark.long),
        ("msd_2", "PD", {1, 2}),
        ("msd_2", "P", {1, 2, 4, 5, 6}), ("msd_2", "RS", {1, 2, 4, 8, 10, 12}),
    ],
)
def test_differences_of_factor_complexity(system: str, word: str, expected: set[int]) -> None:
    s = fp.Session(system)
    s.define("again", f"Ek k<i & Aj j<n => {word}[i+j]={word}[k+j]")
    here, following = s.counts("n", "~$again(i,n)"), s.counts("n", "~$again(i,n+1)")
    assert sorted((following - here).values()) == sorted(expected)
    letters = [int(letter) for letter in s.namespace.library_words[word][:1500]]
    counted = [brute_complexity(letters, n) for n in range(20)]
    assert [here[n] for n in range(20)] == counted
    assert {here[n + 1] - here[n] for n in range(60)} == expected


@pytest.mark.parametrize(
    ("word", "start", "factor", "shift"),
    # Allouche and Shallit 1993: 8(n-1) factors of Rudin and Shapiro's word; Allouche 1992: 4n of the paperfolding word.
    [("RS", 8, 8, -8), ("P", 7, 4, 0)],
)
def test_complexities_in_closed_form(word: str, start: int, factor: int, shift: int) -> None:
    s = fp.Session("msd_2")
    s.define("again", f"Ek k<i & Aj j<n => {word}[i+j]={word}[k+j]")
    complexity, n = s.counts("n", "~$again(i,n)"), s.counts("n", "i<n")
    late, earlier = (s.counts("n", f"i=0 & n>={first}") for first in (start, start - 1))
    assert late * complexity == late * (factor * n + shift)
    assert earlier * complexity != earlier * (factor * n + shift)


def test_sets_of_values_leave_out_words_that_are_no_numbers() -> None:
    one = fp.Session("msd_fib").counts("n", "i=n")
    assert one.values() == [1] and one == constant(one.system, 1)


def test_what_has_no_answer_is_an_error() -> None:
    n = fp.Session().counts("n", "i<n")
    with pytest.raises(LimitError):
        n.values(most=50)
    with pytest.raises(LimitError):
        n.values(60, most=50)
    assert n.values(20, most=50) == list(range(20))
    with pytest.raises(AutomatonError):
        n[-1]
    with pytest.raises(AutomatonError):
        n + fp.Session("msd_fib").counts("n", "i<n")
    with pytest.raises(TypeError):
        n + "1"
    assert n != fp.Session("msd_fib").counts("n", "i<n")


@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "msd_fib"])
def test_values_at_long_numbers(system: str) -> None:
    n = fp.Session(system).counts("n", "i<n & j<=n")
    for number in (10**1500 + 7, 3**4000):
        assert n[number] == number * (number + 1)
