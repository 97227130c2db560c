"""Numeration systems: how numbers are written, ordered and added by automata.

In: a name such as msd_fib, the coefficients of a recurrence, a continued fraction, a substitution, or the automata of
an adder. Out: a `NumerationSystem`, which knows its valid words, their order, and the automata of linear constraints.
Begin with `system.py`, the interface, then `recurrence.py`, the usual systems; `registry.py` has the names.
`weights.py` and `pisot.py` have the arithmetic of recurrences, `linear.py` the common part of linear constraints. Every
system checks itself by `verify.py`.
"""

from fibprover.numeration.linear import RELATIONS
from fibprover.numeration.recurrence import RecurrenceSystem, recurrence_system
from fibprover.numeration.registry import DEFAULT_SYSTEM, UnknownSystemError, system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.numeration.verify import Verification

__all__ = [
    "DEFAULT_SYSTEM",
    "RELATIONS",
    "NumerationSystem",
    "RecurrenceSystem",
    "UnknownSystemError",
    "Verification",
    "recurrence_system",
    "system_named",
]
