"""Automata of the pairs (n, a(n)), and comparisons that need them; against counts of factors of prefixes of words."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.sequences.series import Series, constant
from fibprover.sequences.synchronized import graphs

WORDS = [("msd_2", "T"), ("msd_2", "PD"), ("msd_2", "P"), ("msd_fib", "F"), ("lsd_2", "T")]


@cache
def complexity(system: str, word: str) -> Series:
    s = fp.Session(system)
    s.define("again", f"Ek k<i & Aj j<n => {word}[i+j]={word}[k+j]")
    return s.counts("n", "~$again(i,n)")


def factors(word: str, length: int, prefix: int = 1500) -> int:
    letters = bytes(int(letter) for letter in fp.Session().namespace.library_words[word][:prefix])
    return len({letters[i : i + length] for i in range(len(letters) - length)})


def natural(system: str) -> Series:
    return constant(fp.system_named(system), 1).partial_sums()


@pytest.mark.parametrize(("system", "word"), WORDS)
def test_graphs_of_complexities(system: str, word: str) -> None:
    if system == "lsd_2":
        half = fp.Session(system).counts("n", "i<n & Ej i=2*j").graph()
        assert half.first(40) == sorted(half.first(40), key=max) and all((n, (n + 1) // 2) in half for n in range(50))
        return
    graph = complexity(system, word).graph()
    for n in range(14):
        assert [v for v in range(80) if (n, v) in graph] == [factors(word, n)]
    # The counts of the automaton are the sequence again.
    s = fp.Session(system)
    s.define("graph", graph)
    assert s.counts("n", "Ev $graph(n,v) & u<v") == complexity(system, word)


@pytest.mark.parametrize(
    ("system", "word", "low", "high", "scale"),
    # From the second number on: Brlek 1989 and de Luca and Varricchio 1989 for Thue and Morse; the bounds of the
    # others are those of their first 300 values.
    [
        ("msd_2", "T", (3, -3), (10, -10), (1, 3)), ("msd_2", "PD", (3, 0), (5, 0), (2, 3)),
        ("msd_2", "P", (2, 0), (9, 0), (1, 2)), ("msd_fib", "F", (1, 1), (1, 1), (1, 1)),
        ("msd_fib", "RF", (2, 0), (2, 0), (1, 1)),
    ],
)
def test_bounds_of_complexities(
    system: str, word: str, low: tuple[int, int], high: tuple[int, int], scale: tuple[int, int]
) -> None:
    """The first three values are put right by hand, so that no value is below 0."""
    n, p = natural(system), complexity(system, word)
    s = fp.Session(system)
    early = s.counts("n", "n<3 & i<30")
    for difference in (scale[0] * p - (low[0] * n + low[1]), (high[0] * n + high[1]) - scale[1] * p):
        assert (difference + early).first_negative() is None
        assert all(difference[k] + early[k] >= 0 for k in range(300))
        # One less at all n is below 0 somewhere, or the bound is not attained among the first numbers.
        attained = [k for k in range(3, 300) if difference[k] == 0]
        if attained:
            assert (difference + early - 1).first_negative() == (attained[0], -1)


@pytest.mark.long
def test_a_late_place_where_a_comparison_fails() -> None:
    """No number below 300 may fail; among the others 3(n-1) factors are too few for 3n - 2."""
    n, p = natural("msd_2"), complexity("msd_2", "T")
    early = fp.Session().counts("n", "n<300 & i<9")
    difference = p - 3 * n + 2 + early
    found = difference.first_negative()
    assert found is not None
    number, value = found
    assert number >= 300 and value == factors("T", number, 5000) - 3 * number + 2 < 0
    assert all(difference[k] >= 0 for k in range(number))
    assert not p + early + 2 >= 3 * n


@pytest.mark.long
def test_values_of_both_signs_and_fractions() -> None:
    n = natural("msd_fib")
    s = fp.Session("msd_fib")
    odd = s.counts("n", "Ej n=2*j+1 & i<3")  # 0 at even numbers, 3 at odd ones
    scale, above, below = graphs((odd - 1) * n + 4)
    assert scale == 1
    for number in range(60):
        value = number * (2 if number % 2 else -1) + 4
        assert (number, abs(value)) in (above if value > 0 else below)
    scale, above, _ = graphs(n * Fraction(1, 3))
    assert scale == 3 and all((number, number) in above for number in range(40))
    with pytest.raises(AutomatonError, match="not natural numbers"):
        (n * Fraction(1, 2)).graph()
    with pytest.raises(AutomatonError, match="not natural numbers"):
        (n - 5).graph()


def test_what_is_not_synchronized() -> None:
    n = natural("msd_2")
    with pytest.raises(LimitError):
        (n * n).graph()
    with pytest.raises(LimitError, match="natural numbers"):
        fp.Session("msd_neg_2").counts("n", "i=n").graph()
