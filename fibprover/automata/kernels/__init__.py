"""The kernels: compiled, or in Python where the extension is missing.

In: arrays.  Out: arrays.  `automata`, `games` and `inference` are the modules of the backend in use, by the contract of
the stubs in `fibprover_ext`; each is imported when it is first asked for.  The backend in Python has `automata` alone:
NotInstalled for the others (docs/decisions/0050).  NAME says which backend it is, and
FALLBACK whether it is the one in Python because the extension is missing.  The environment variable FIBPROVER_BACKEND
demands one of them: `compiled` or `python`.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError, NotInstalled, did_you_mean

if TYPE_CHECKING:
    from fibprover_ext import automata as automata
    from fibprover_ext import games as games
    from fibprover_ext import inference as inference

#: The environment variable that demands a backend.
VARIABLE = "FIBPROVER_BACKEND"

_HOMES = {"compiled": "fibprover_ext", "python": "fibprover.automata.kernels.python"}

_MODULES = ("automata", "games", "inference")


def chosen(wanted: str) -> str:
    """Return the name of the backend to use; wanted: one that is demanded, or ""."""
    if wanted not in ("", *_HOMES):
        raise FibproverError(
            f"{VARIABLE}={wanted} is not a backend of fibprover",
            hint=did_you_mean(wanted, list(_HOMES), kind="backends"),
        )
    if wanted == "python":
        return wanted
    problem = _defect()
    if not problem:
        return "compiled"
    if wanted:
        raise FibproverError(
            f"{VARIABLE} demands the compiled backend, which cannot be imported: {problem}",
            hint=f"install fibprover with a C++ compiler, or set {VARIABLE}=python",
        )
    return "python"


def _defect() -> str:
    """Return why the extension cannot be used, "" if it can."""
    try:
        import fibprover_ext.automata  # noqa: F401
    except ImportError as problem:
        return str(problem)
    # These are not always needed, hence sought, but not imported.
    missing = [name for name in ("games", "inference") if find_spec(f"fibprover_ext.{name}") is None]
    return f"it lacks {' and '.join(missing)}" if missing else ""


#: The backend in use: "compiled" or "python".
NAME = chosen(os.environ.get(VARIABLE, ""))

#: Whether Python stands in for the extension, which is missing.
FALLBACK = NAME == "python" and not os.environ.get(VARIABLE)


def __getattr__(name: str) -> ModuleType:
    if name not in _MODULES:
        raise AttributeError(f"module 'fibprover.automata.kernels' has no attribute {name!r}")
    if NAME == "python" and name != "automata":
        raise NotInstalled(
            "games and inference need the compiled kernels",
            hint="install fibprover from a wheel for this platform, or with a C++ compiler" if FALLBACK
            else f"{VARIABLE}=python demands the others",
        )
    return import_module(f"{_HOMES[NAME]}.{name}")
