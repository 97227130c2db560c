"""Take-away games on two or three piles, from their rules to proved theorems.

In: the rules of a game, as a `Game` (`rules`) or as the name of a ready-made one (`catalogue`). Out: the P-positions
and Sprague-Grundy values below a bound (`positions`), or a `Theorem` (`theorem`) with the automaton of all P-positions,
its proof (`search`, `proof`) and further theorems (`findings`). Begin with `theorem.discover`:

    import fibprover as fp
    print(fp.discover(fp.games.blocking(4)))

The ready-made games are names of this package, imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fibprover.games.catalogue import blocking as blocking
    from fibprover.games.catalogue import mark as mark
    from fibprover.games.catalogue import nim as nim
    from fibprover.games.catalogue import nim3 as nim3
    from fibprover.games.catalogue import queen as queen
    from fibprover.games.catalogue import raleigh as raleigh
    from fibprover.games.catalogue import splithoff as splithoff
    from fibprover.games.catalogue import terminal as terminal
    from fibprover.games.catalogue import tribonacci as tribonacci
    from fibprover.games.catalogue import wythoff as wythoff

__all__ = [
    "blocking", "mark", "nim", "nim3", "queen", "raleigh", "splithoff", "terminal", "tribonacci", "wythoff",
]


def __dir__() -> list[str]:
    """Return the ready-made games: shells complete their names, imported already or not."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fibprover.games' has no attribute {name!r}")
    return getattr(import_module("fibprover.games.catalogue"), name)
