"""Values that notebooks show as HTML and terminals as text.

A value only knows the name of the module that shows it, which is imported when it is shown for the first time: the
modules of `fibprover.display` stand above all values, and a start of the command line needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar


class Shown:
    """Has `shown_by`, a module with `html(value)` and `text(value)`; the methods are what IPython asks for."""

    __slots__ = ()

    shown_by: ClassVar[str]

    def __init_subclass__(cls) -> None:
        # IPython prefers a class's own __repr__ to what it inherits.
        cls._repr_pretty_ = Shown._repr_pretty_  # type: ignore[method-assign]

    def _repr_html_(self) -> str:
        return str(import_module(self.shown_by).html(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a terminal of IPython prints; `repr` stays short, for values inside of others."""
        printer.text(str(import_module(self.shown_by).text(self)))
