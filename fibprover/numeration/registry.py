"""The numeration systems that exist by name."""

from __future__ import annotations

import re
from functools import lru_cache

from fibprover.errors import FibproverError
from fibprover.numeration.positional import positional_system
from fibprover.numeration.recurrence import RecurrenceSystem, recurrence_system
from fibprover.numeration.remainder import MOST_DIGITS
from fibprover.numeration.system import NumerationSystem
from fibprover.numeration.system import canonical_name as canonical_name

#: What the registry offers, as messages name it.
AVAILABLE = ("msd_k for k >= 2 (such as msd_2, msd_10)", "msd_fib", "msd_wythoff_m for m >= 1 (such as msd_wythoff_3)")

#: The system of a formula that names none.
DEFAULT_SYSTEM = "msd_2"

#: Names that mean a numeration system elsewhere and have none here yet.
_PLANNED = re.compile(r"lsd(_.*)?|msd_(neg_.*|neg|trib|pell|rt|ost.*|nar.*|[a-z]*bonacci)|ost.*|neg_.*|trib|pell|rt")


class UnknownSystemError(FibproverError):
    """A name that no numeration system has; the message says what there is."""


def system_named(name: str) -> NumerationSystem:
    """The system with this name or abbreviation; UnknownSystemError where there is none.

    Systems are immutable values, and the same name gives the same object.
    """
    full = canonical_name(name)
    found = re.fullmatch(r"msd_(0|[1-9][0-9]*)", full)
    if found is not None:
        base = int(found[1]) if len(found[1]) <= len(str(MOST_DIGITS)) else MOST_DIGITS
        if not 2 <= base < MOST_DIGITS:
            raise UnknownSystemError(
                f"there is no numeration system {name}: a base lies between 2 and {MOST_DIGITS - 1}"
            )
        return _positional(base)
    if full == "msd_fib":
        return _fibonacci()
    found = re.fullmatch(r"msd_wythoff_([1-9][0-9]{0,3})", full)
    if found is not None:
        return _wythoff(int(found[1]))
    known = "; ".join(AVAILABLE)
    if _PLANNED.fullmatch(name) or _PLANNED.fullmatch(full):
        raise UnknownSystemError(f"the numeration system {name} is not available yet", hint=f"there is {known}")
    raise UnknownSystemError(f"there is no numeration system {name}", hint=f"there is {known}")


@lru_cache(maxsize=64)
def _positional(base: int) -> RecurrenceSystem:
    return positional_system(base)


@lru_cache(maxsize=1)
def _fibonacci() -> RecurrenceSystem:
    return recurrence_system("msd_fib", (1, 1), (1, 2))


@lru_cache(maxsize=64)
def _wythoff(parameter: int) -> RecurrenceSystem:
    """U_0 = 1, U_1 = m + 1, U_{t+2} = m U_{t+1} + U_t: the p-system of [1; m, m, ...]."""
    return recurrence_system(f"msd_wythoff_{parameter}", (parameter, 1), (1, parameter + 1))
