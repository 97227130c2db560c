"""Games of Euclid, in which the smaller pile is taken up to m times from the larger: docs/discovery.md."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import factorial, gcd, prod

import pytest


@cache
def is_lost(p: int, q: int, m: int) -> bool:
    """Whether (p,q) with p <= q is a P-position, by its moves."""
    if p == 0:
        return True
    options = [sorted((p, q - times * p)) for times in range(1, m + 1) if times * p <= q]
    return not any(is_lost(*option, m) for option in options)


def by_quotients(p: int, q: int, m: int) -> bool:
    """The same by the quotients of Euclid's algorithm, as the page says."""
    if p == 0:
        return True
    return q // p % (m + 1) == (0 if by_quotients(q % p, p, m) else 1)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_positions_by_quotients(m: int) -> None:
    for p in range(60):
        for q in range(p, 150):
            assert is_lost(p, q, m) == by_quotients(p, q, m)


@pytest.mark.parametrize(("m", "n"), [(1, 24), (2, 128), (3, 60)])
def test_all_patterns_occur_in_a_column(m: int, n: int) -> None:
    square = (m + 1) ** 2
    primes = [i for i in range(n // 2, n) if i % square == (m + 2) % square and all(i % x for x in range(2, i))]
    assert len(primes) > 1
    p = factorial(n) * square
    rows = [p + i for i in primes]
    assert all(gcd(x, y) == 1 for x in rows for y in [*rows, m + 1] if x != y)
    moduli = [*rows, m + 1]
    whole = prod(moduli)
    for residues in product((0, m + 1), repeat=len(rows)):
        # The Chinese remainder, a multiple of m+1.
        q = sum(r * (whole // x) * pow(whole // x, -1, x) for r, x in zip((*residues, 0), moduli, strict=True)) % whole
        q += whole
        assert [by_quotients(x, q, m) for x in rows] == [r == 0 for r in residues]
