"""Take-away games on two piles: rules, P-positions to a bound, Sprague-Grundy values, theorems.

    import fibprover as fp
    print(fp.discover(fp.games.blocking(4)))

The ready-made games are names of this package, imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fibprover.games.ready import blocking as blocking
    from fibprover.games.ready import nim as nim
    from fibprover.games.ready import splithoff as splithoff
    from fibprover.games.ready import terminal as terminal
    from fibprover.games.ready import wythoff as wythoff

__all__ = ["blocking", "nim", "splithoff", "terminal", "wythoff"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fibprover.games' has no attribute {name!r}")
    return getattr(import_module("fibprover.games.ready"), name)
