"""The automaton of the words with marked numbers: both backends against a list of the words."""

from __future__ import annotations

from itertools import product
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.kernels import automata as backend
from fibprover.automata.kernels.python import automata as python
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.numeration import system_named

from .small import automata

LETTERS = Track("a", (0, 1, 2))

MODULES = pytest.mark.parametrize("module", [backend, python], ids=["in use", "Python"])


def words(a: Dfa, length: int) -> list[tuple[int, ...]]:
    """The words of a length that are accepted, in lexicographic order."""
    return [word for word in product(range(a.letters), repeat=length) if accepted(a, word)]


def accepted(a: Dfa, word: tuple[int, ...]) -> bool:
    state = 0
    for code in word:
        targets = dict(a.row(state))
        if code not in targets:
            return False
        state = targets[code]
    return bool(a.outputs[state])


@given(a=automata([LETTERS]), marks=st.binary(max_size=12), length=st.integers(0, 4))
def test_against_a_list_of_the_words(a: Dfa, marks: bytes, length: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        found = []
        for module in (backend, python):
            patch.setattr(kernel_calls, "backend", module)
            found.append(kernel_calls.numbered_words(a, marks, length))
    assert found[0] == found[1]
    assert words(found[0], length) == [word for word, mark in zip(words(a, length), marks, strict=False) if mark]
    assert not any(words(found[0], other) for other in range(5) if other != length)
    assert kernel_calls.minimize(found[0]).states == found[0].states


@MODULES
def test_what_is_refused(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "backend", module)
    a = build([LETTERS], [{0: 0, 1: 0}], [1])
    for length in (-1, 2**63 - 1):
        with pytest.raises(module.InvalidArrayError):
            module.numbered_words(kernel_calls.csr(a), b"\1", length, module.Meter())
    wide = build([Track("a", (0, 1)), *(Track(f"t{i}", tuple(range(1 << 10))) for i in range(4))], [{1 << 32: 0}], [1])
    with pytest.raises(module.TooLargeError):
        module.numbered_words(kernel_calls.csr(wide), b"\1", 1, module.Meter())


@MODULES
@pytest.mark.parametrize(
    "budget", [Budget(states=10), Budget(transitions=10), Budget(deadline=0.0)]
)
def test_budgets(module: ModuleType, budget: Budget, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a walk that finds few states."""
    monkeypatch.setattr(kernel_calls, "backend", module)
    valid = system_named("msd_fib").valid
    marks = bytes(n * n % 7 == 2 for n in range(60_000))
    with pytest.raises(BudgetSpent):
        kernel_calls.numbered_words(valid, marks, 24, budget)
    if budget.deadline == 0:
        with pytest.raises(BudgetSpent):
            kernel_calls.numbered_words(valid, bytes(60_000), 24, budget)


@MODULES
def test_memory_counts(module: ModuleType) -> None:
    """The automaton of these numbers has some 10,000 states."""
    csr = module.Csr(*kernel_calls.csr(system_named("msd_fib").valid).export(), 2)
    marks = bytes(n * n % 7 == 2 and n * n % 11 < 5 for n in range(60_000))
    module.numbered_words(csr, marks, 24, module.Meter(bytes=1 << 26))
    with pytest.raises(module.BudgetExhausted) as spent:
        module.numbered_words(csr, marks, 24, module.Meter(bytes=5000))
    assert spent.value.resource == "bytes"
