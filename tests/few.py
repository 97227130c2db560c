"""Parameters of tests of which `make test` tries some, and `make test-long` all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def few(values: Iterable[Any], step: int) -> list[Any]:
    """Return the values for `parametrize`: every one but the first of each `step` of them is long."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long if place % step else ())
        for place, value in enumerate(values)
    ]
