"""Means of sequences over the numbers below the weights of places, compared with sums of terms."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, count, takewhile

import pytest

import fibprover as fp
from fibprover.base.errors import DigitError

SEQUENCES = [
    "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1", "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)",
    "a(0)=1, a(2n)=a(n), a(2n+1)=(-1)^n a(n)", "a(0)=7/3, a(n)=a(n-1) for n>0",
    "?msd_3 a(0)=0, a(n)=a(floor(n/3))+n mod 3 for n>0",
    "?msd_fib a(0)=0, a(n.0)=2a(n), a(n.1)=2a(n)+1", "?msd_trib a(0)=0, a(n.0)=a(n), a(n.1)=a(n)+1",
    "a(0)=0, a(n)=0 for n>0",
    "a(0)=1, a(2n)=-a(n)/2, a(2n+1)=a(n)/2",
]


@pytest.mark.parametrize("text", SEQUENCES)
def test_means(text: str) -> None:
    sequence = fp.Session().solve("a", text).sequence
    found = sequence.mean_values()
    system = sequence.system
    weights = list(takewhile(lambda weight: weight < 400, (system.value((1, *(0,) * place)) for place in count())))
    sums = [0, *accumulate(sequence[:400])]
    assert [found[k] for k in range(len(weights))] == [Fraction(sums[weight]) / weight for weight in weights]
    closed = found.closed_form()
    if closed is not None:
        assert [closed[k] for k in range(closed.start, 12)] == [found[k] for k in range(closed.start, 12)]
        limit = found.limit()
        if limit is not None:
            assert abs(found[200] - limit) < Fraction(1, 10**9)


def test_limits() -> None:
    found = [fp.Session().solve("a", text).sequence.mean_values() for text in SEQUENCES]
    assert [str(each) for each in found[:2]] == ["k/2", "(3/2)^k/2 - (1/2)^k/2"]
    assert found[0].limit() is None and found[1].limit() is None
    assert found[3].limit() == Fraction(7, 3) and str(found[3]) == "7/3"
    assert found[5].closed_form() is None and found[5].limit() is None and "S(k)/U_k" in str(found[5])
    assert found[7].limit() == 0
    with pytest.raises(DigitError):
        found[0][-1]
