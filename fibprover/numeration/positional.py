"""Base k, most significant digit first: the recurrence of order 1."""

from __future__ import annotations

from fibprover.errors import NumerationError
from fibprover.numeration.recurrence import RecurrenceSystem, recurrence_system


def positional_system(base: int) -> RecurrenceSystem:
    """The system "msd_k" of base k >= 2."""
    if base < 2:
        raise NumerationError(f"base {base} is no numeration system here", hint="the base must be at least 2")
    return recurrence_system(f"msd_{base}", (base,), (1,))
