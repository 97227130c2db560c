"""Inference: the compiled kernels against their twins in Python, on the same input."""

from __future__ import annotations

from array import array
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings

from fibprover.automata.dfa import Dfa
from fibprover.automata.kernels.python import automata as python_automata
from fibprover.infer.residuals import digit_weights, greatest_suffixes
from fibprover.numeration import NumerationSystem
from tests.oracle.twins import inference as twin

from .sets import Numbers, relations, small_sets, table
from .test_residuals_limits import CHANCE, FIB


def modules() -> list[tuple[ModuleType, ModuleType]]:
    """Return the compiled modules and the twins: for inference, and for automata."""
    return [
        (import_module("fibprover_ext.inference"), import_module("fibprover_ext.automata")),
        (twin, python_automata),
    ]


def csr(automata: ModuleType, a: Dfa) -> Any:
    return automata.Csr(a.offsets, a.codes, a.targets, a.outputs, a.letters)


@settings(max_examples=50)
@given(small_sets())
def test_inference(case: tuple[list[Numbers], int, int, NumerationSystem]) -> None:
    rows, width, bound, system = case
    weights = digit_weights(system, bound)
    capped = array("q", [min(weight, max(bound, 1)) for weight in weights])
    slack = array("q", greatest_suffixes(system.valid, weights, bound))
    found = [
        inference.infer(
            table(rows, width).reshape(-1), width, bound, capped, slack, csr(automata, system.valid),
            len(system.digits), automata.Meter(),
        )
        for inference, automata in modules()
    ]
    assert found[0] == found[1]


@settings(max_examples=30)
@given(relations())
def test_checks_of_guesses(case: tuple[Dfa, NumerationSystem]) -> None:
    relation, system = case
    width, digits = len(relation.tracks), len(system.digits)
    depths, counts = [], []
    for inference, automata in modules():
        depths.append(inference.separating_depth(csr(automata, relation), automata.Meter()))
        counts.append([
            inference.accepted_up_to(
                csr(automata, relation), array("q", system.represent(number)), width, digits, automata.Meter()
            )
            for number in (0, 1, 12, 10**9)
        ])
    assert depths[0] == depths[1] and counts[0] == counts[1]


@pytest.mark.parametrize(("name", "limit"), [("states", 100), ("transitions", 150)])
def test_budgets(name: str, limit: int) -> None:
    rows = CHANCE[:3000]
    weights = array("q", digit_weights(FIB, 50_000))
    slack = array("q", greatest_suffixes(FIB.valid, weights, 50_000))
    outcomes = []
    for inference, automata in modules():
        meter = automata.Meter(**{name: limit})
        with pytest.raises(automata.BudgetExhausted) as caught:
            inference.infer(rows.reshape(-1), 2, 50_000, weights, slack, csr(automata, FIB.valid), 2, meter)
        outcomes.append((caught.value.resource, caught.value.limit))
    assert outcomes == [(name, limit)] * 2
