"""Sums of powers for recurrences: against the recurrence, and as texts."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import fibprover as fp
from fibprover.sequences.powers import PowerSum, power_sum
from fibprover.sequences.rational import Number
from fibprover.sequences.recurrence_along import Recurrence
from tests.seeds import chosen_seed


def recurrence_of(roots: list[Fraction], golden: bool) -> tuple[Number, ...]:
    """Return the coefficients of the recurrence whose characteristic polynomial has these roots."""
    polynomial = [Fraction(1)]
    for factor in [*([-root, Fraction(1)] for root in roots), *([[Fraction(-1), Fraction(-1), Fraction(1)]] * golden)]:
        product = [Fraction(0)] * (len(polynomial) + len(factor) - 1)
        for i, x in enumerate(polynomial):
            for j, y in enumerate(factor):
                product[i + j] += x * y
        polynomial = product
    return tuple(-each for each in reversed(polynomial[:-1]))


def test_against_recurrences() -> None:
    chance = Random(f"{chosen_seed()} powers")
    for _ in range(60):
        golden = chance.random() < 0.4
        roots = [chance.choice([Fraction(n) for n in (0, 0, 1, 1, -1, 2, 3, -2)] + [Fraction(1, 2), Fraction(-3, 2)])
                 for _ in range(chance.randrange(0 if golden else 1, 5))]
        coefficients = recurrence_of(roots, golden)
        initial = tuple(chance.randrange(-9, 10) for _ in coefficients)
        found = power_sum(coefficients, initial)
        assert found is not None, roots
        terms = Recurrence(coefficients, initial).terms(16)
        assert [found[k] for k in range(found.start, 16)] == terms[found.start:], roots
        assert found.start == roots.count(Fraction(0))


def test_other_roots() -> None:
    assert power_sum((1, 1, 1), (0, 0, 1)) is None
    assert power_sum((2, 2), (0, 1)) is None


@pytest.mark.parametrize(("found", "text", "latex"), [
    (PowerSum(((Fraction(1, 2), 0, 3), (-1, 0, 1)), ()), "3^k/2 - 1", r"\frac{1}{2} \cdot 3^k - 1"),
    (PowerSum(((1, 1, 2), (-1, 2, 1)), ()), "k 2^k - k^2", r"k \cdot 2^k - k^{2}"),
    (PowerSum(((-1, 0, -2), (2, 0, Fraction(1, 2))), ()), "-(-2)^k + 2*(1/2)^k",
     r"-\left(-2\right)^k + 2 \cdot \left(\frac{1}{2}\right)^k"),
    (PowerSum((), ((1, 0), (-2, 1)), 3), "F(k) - 2 F(k+1) for k >= 3", r"F_k - 2 \cdot F_{k+1} \quad (k \geq 3)"),
    (PowerSum((), ()), "0", "0"),
])
def test_texts(found: PowerSum, text: str, latex: str) -> None:
    assert str(found) == text and found.to_latex() == latex


def test_values_of_sequences() -> None:
    """Sums of Stern's sequence and mergesort at 2^k; floor(n phi) at the Fibonacci numbers."""
    session = fp.Session()
    stern = session.solve("a", "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)").sequence
    assert str(stern.partial_sums().recurrence().closed_form()) == "3^k/2 - 1/2"
    merge = session.solve("m", "m(0)=m(1)=0, m(n)=m(floor(n/2))+m(ceil(n/2))+n-1 for n>=2").sequence
    assert str(merge.recurrence().closed_form()) == "k 2^k - 2^k + 1"
    wythoff = session.solve("w", "?msd_fib w(0)=0, w(1)=1, w(n)=w(n-1)+2-F[n-2] for n>=2").sequence
    closed = wythoff.recurrence().closed_form()
    assert closed is not None and closed.fibonacci
    weights = [1, 2, 3, 5, 8, 13, 21, 34]
    assert [closed[k] for k in range(8)] == [wythoff[n] for n in weights]
