"""Numeration systems: how naturals are written, ordered and added by automata."""

from fibprover.numeration.recurrence import RecurrenceSystem, recurrence_system
from fibprover.numeration.registry import DEFAULT_SYSTEM, UnknownSystemError, system_named
from fibprover.numeration.system import RELATIONS, NumerationSystem
from fibprover.numeration.verify import Report

__all__ = [
    "DEFAULT_SYSTEM",
    "RELATIONS",
    "NumerationSystem",
    "RecurrenceSystem",
    "Report",
    "UnknownSystemError",
    "recurrence_system",
    "system_named",
]
