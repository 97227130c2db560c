"""The joint spectral radius of matrices: between what products of some length say, and as it is known."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, isclose, log
from random import Random

import numpy as np
import pytest

import fibprover as fp
from fibprover.sequences.joint_spectral_radius import joint_spectral_radius
from fibprover.sequences.rational import Matrix, sparse
from fibprover.sequences.solution import SequenceSolution
from tests.seeds import chosen_seed


def matrix(*rows: tuple[int, ...]) -> Matrix:
    return sparse(rows)


def between(matrices: list[list[list[int]]], length: int) -> tuple[float, float]:
    """Return bounds of the joint spectral radius: of eigenvalues, and of norms, of products up to some length."""
    arrays = [np.array(each, dtype=float) for each in matrices]
    low, high = 0.0, float("inf")
    products = [np.eye(len(arrays[0]))]
    for count in range(1, length + 1):
        products = [one @ other for one, other in product(products, arrays)]
        low = max([low, *(max(abs(np.linalg.eigvals(each))) ** (1 / count) for each in products)])
        high = min(high, max(float(np.abs(each).sum(axis=1).max()) for each in products) ** (1 / count))
    return low, high


@pytest.mark.parametrize("count", [pytest.param(60, marks=pytest.mark.long)])
def test_against_products(count: int) -> None:
    """Random matrices: it is never below an eigenvalue nor above a norm, and some have a proof."""
    chance, found = Random(f"{chosen_seed()} radius"), 0
    for _ in range(count):
        size = chance.choice([1, 2, 2, 3])
        rows = [[[chance.randrange(-1, 3) for _ in range(size)] for _ in range(size)] for _ in range(2)]
        radius = joint_spectral_radius([sparse(map(tuple, each)) for each in rows])
        if radius is None:
            continue
        found += 1
        low, high = between(rows, 7)
        assert low * (1 - 1e-6) <= exp(radius.logarithm) <= high * (1 + 1e-6), rows
        assert radius.logarithms < size
    assert found > count // 5


def test_known_ones() -> None:
    """The golden ratio for two triangular matrices; 1 and no logarithm for rotations; a logarithm for a shear."""
    golden = joint_spectral_radius([matrix((1, 1), (0, 1)), matrix((1, 0), (1, 1))])
    assert golden is not None and golden.word in ((0, 1), (1, 0)) and golden.logarithms == 0
    assert isclose(golden.logarithm, log((1 + 5**0.5) / 2)) and str(golden.radius).startswith("(3+sqrt(5))/2")
    turned = joint_spectral_radius([matrix((0, 1), (1, 0)), matrix((0, -1), (-1, 0)), matrix((1, 0), (0, -1))])
    assert turned is not None and turned.radius == Fraction(1) and turned.logarithms == 0
    shear = joint_spectral_radius([matrix((1, 0), (0, 1)), matrix((1, 1), (0, 1))])
    assert shear is not None and shear.radius == Fraction(1) and shear.logarithms == 1
    apart = joint_spectral_radius([matrix((3, 1), (0, 2)), matrix((2, 5), (0, 2))])
    assert apart is not None and apart.radius == Fraction(3) and apart.logarithms == 0
    assert joint_spectral_radius([matrix((0, 1), (-1, 1))]) is None  # its eigenvalues are not real
    assert joint_spectral_radius([]) is None


@pytest.mark.parametrize(("texts", "said"), [
    (("a", "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)"),
     "at most like n^0.694, and like it at the numbers with the digits x(01)^j y"),
    (("a", "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1"), "at most like log n"),
    (("a", "a(0)=a(1)=0, a(n)=a(floor(n/2))+a(ceil(n/2))+n-1 for n>=2"), "at most like n log n"),
    (("a", "a(0)=0, a(1)=1, a(2n)=2a(n)-1, a(2n+1)=2a(n)+1"), "at most like n, and like it"),
    (("a", "a(0)=0, a(2n)=a(n)+s(n), a(2n+1)=a(n)+s(n)", "s", "s(0)=0, s(2n)=s(n), s(2n+1)=s(n)+1"),
     "at most like (log n)^2"),
    (("a", "?msd_fib a(0)=0, a(n.0)=2a(n), a(n.1)=2a(n)+1"), "at most like n^1.440, and like it"),
])
def test_sequences(texts: tuple[str, ...], said: str) -> None:
    """Stern, ones, mergesort, Josephus, places of ones, and numbers without neighbouring ones."""
    found = fp.Session().solve(*texts)
    assert isinstance(found, SequenceSolution)
    sequence = found.sequences["a"]
    growth = sequence.growth()
    assert str(growth).startswith(said)
    assert growth.exponent is not None and growth.radius is not None
    # No value exceeds the bound by more than a constant, and some are near it.
    power = growth.radius.logarithms
    quotients = [abs(sequence[n]) / (n**growth.exponent * log(n) ** power) for n in range(2, 600)]
    assert max(quotients[300:]) < 3 * max(quotients[:300]) + 1
    assert max(quotients[300:]) > 0.02


@pytest.mark.long
def test_an_exponent_near_an_integer_is_not_one() -> None:
    growth = str(fp.Session().solve("a", "?msd_fib a(0)=0, a(n.0)=123a(n), a(n.1)=123a(n)+1").sequence.growth())
    assert "n^10.00013" in growth
    growth = str(fp.Session().solve("a", "a(0)=0, a(2n)=4a(n), a(2n+1)=4a(n)+1").sequence.growth())
    assert "n^2" in growth and "n^2.0" not in growth
