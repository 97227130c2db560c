"""The relation of Hajdu and Tijdeman, which `python -m benchmarks.determinize` makes, and its projection."""

from __future__ import annotations

from itertools import product

import pytest

from benchmarks.determinize import vanishing_coefficients
from fibprover.automata import determinization, kernel_calls
from fibprover.automata.determinization import STRATEGIES
from fibprover.automata.dfa import Dfa


def has_zeros(p: int, exponents: tuple[int, ...]) -> bool:
    """Return whether the product of (x-r)^a_r modulo p has a coefficient 0, one factor after the other."""
    found = [1]
    for r, a in enumerate(exponents, 1):
        for _ in range(a):
            found = [(before - r * here) % p for before, here in zip([0, *found], [*found, 0], strict=True)]
    return 0 in found


def accepts(a: Dfa, numbers: tuple[int, ...], base: int) -> bool:
    state: int | None = 0
    for place in reversed(range(3)):
        code = 0
        for number in numbers:
            code = code * base + number // base**place % base
        state = None if state is None else a.successor(state, code)
    return state is not None and a.outputs[state] != 0


@pytest.mark.parametrize(("p", "least"), [(2, 0), (3, 2), pytest.param(5, 432, marks=pytest.mark.long)])
def test_products_with_a_coefficient_zero(p: int, least: int) -> None:
    relation = kernel_calls.minimize(kernel_calls.reverse(vanishing_coefficients(p)))
    with determinization.forced("reverse-first"):
        found = kernel_calls.minimize(kernel_calls.project(relation, ["k"]))
    below = {2: range(8), 3: range(20), 5: range(5)}[p]
    cases = list(product(below, repeat=p - 1))
    assert [accepts(found, one, p) for one in cases] == [has_zeros(p, one) for one in cases]
    assert sum(has_zeros(p, one) for one in product(range(p), repeat=p - 1)) == least


@pytest.mark.parametrize("strategy", ["", *STRATEGIES])
def test_all_strategies_agree(strategy: str) -> None:
    relation = kernel_calls.minimize(kernel_calls.reverse(vanishing_coefficients(3)))
    with determinization.forced("subsets"):
        wanted = kernel_calls.minimize(kernel_calls.project(relation, ["k"]))
    with determinization.forced(strategy):
        assert kernel_calls.minimize(kernel_calls.project(relation, ["k"])) == wanted
