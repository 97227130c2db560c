"""Run one suite on the compiled kernels and on the reference implementation."""

from __future__ import annotations

from types import ModuleType

import pytest

from fibprover.automata import kernel_calls as compiled
from tests.oracle import kernels as reference


@pytest.fixture(params=[compiled, reference], ids=["compiled", "reference"])
def kernels(request: pytest.FixtureRequest) -> ModuleType:
    """The implementation under test."""
    module: ModuleType = request.param
    return module
