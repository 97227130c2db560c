"""fibprover: a prover for first-order statements about numbers in numeration systems and automatic words.

    import fibprover as fp
    s = fp.Session("msd_fib")
    s.eval("An Ex x>n & F[x]=0")

The names below are imported when first used, so that `import fibprover` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fibprover import games as games
    from fibprover import infer as infer
    from fibprover.automata import formats as formats
    from fibprover.automata.dfa import Dfa as Dfa
    from fibprover.automata.dfa import Track as Track
    from fibprover.base import errors as errors
    from fibprover.base.errors import BudgetSpent as BudgetSpent
    from fibprover.base.errors import FibproverError as FibproverError
    from fibprover.base.limits import Limits as Limits
    from fibprover.campaigns.sweeps.store import Store as Store
    from fibprover.campaigns.sweeps.sweep import sweep as sweep
    from fibprover.campaigns.theorems.chapter import Chapter as Chapter
    from fibprover.frontends.cli.main import prove_script as prove_script
    from fibprover.frontends.display.board import board as board
    from fibprover.frontends.display.drawing import draw as draw
    from fibprover.frontends.display.watching import watched as watched
    from fibprover.games.positions import positions as positions
    from fibprover.games.rules import Game as Game
    from fibprover.games.theorem import Theorem as Theorem
    from fibprover.games.theorem import discover as discover
    from fibprover.numeration.ostrowski import ostrowski as ostrowski
    from fibprover.numeration.ostrowski import ostrowski_system as ostrowski_system
    from fibprover.numeration.recurrence import recurrence_system as recurrence_system
    from fibprover.numeration.registry import system_named as system_named
    from fibprover.prover.verdict.evidence import Evidence as Evidence
    from fibprover.prover.verdict.relation import Relation as Relation
    from fibprover.prover.verdict.verdict import Verdict as Verdict
    from fibprover.sheets.sheet import Sheet as Sheet
    from fibprover.sheets.sheet import study as study
    from fibprover.words.automatic import AutomaticWord as AutomaticWord
    from fibprover.workspace.session import Session as Session

__version__ = "0.1.0"

_HOMES = {
    "AutomaticWord": "fibprover.words.automatic",
    "BudgetSpent": "fibprover.base.errors",
    "Chapter": "fibprover.campaigns.theorems.chapter",
    "Dfa": "fibprover.automata.dfa",
    "Evidence": "fibprover.prover.verdict.evidence",
    "FibproverError": "fibprover.base.errors",
    "Game": "fibprover.games.rules",
    "Limits": "fibprover.base.limits",
    "Relation": "fibprover.prover.verdict.relation",
    "Session": "fibprover.workspace.session",
    "Sheet": "fibprover.sheets.sheet",
    "Store": "fibprover.campaigns.sweeps.store",
    "Theorem": "fibprover.games.theorem",
    "Track": "fibprover.automata.dfa",
    "Verdict": "fibprover.prover.verdict.verdict",
    "board": "fibprover.frontends.display.board",
    "discover": "fibprover.games.theorem",
    "draw": "fibprover.frontends.display.drawing",
    "load_ipython_extension": "fibprover.frontends.notebook.magic",
    "ostrowski": "fibprover.numeration.ostrowski",
    "ostrowski_system": "fibprover.numeration.ostrowski",
    "positions": "fibprover.games.positions",
    "prove_script": "fibprover.frontends.cli.main",
    "recurrence_system": "fibprover.numeration.recurrence",
    "study": "fibprover.sheets.sheet",
    "sweep": "fibprover.campaigns.sweeps.sweep",
    "system_named": "fibprover.numeration.registry",
    "watched": "fibprover.frontends.display.watching",
}

#: Packages and modules that are attributes before anything has imported them.
_MODULES = {
    "backend": "fibprover.automata.kernels", "errors": "fibprover.base.errors", "formats": "fibprover.automata.formats",
    "games": "fibprover.games", "infer": "fibprover.infer",
}

__all__ = [
    "AutomaticWord", "BudgetSpent", "Chapter", "Dfa", "Evidence", "FibproverError", "Game", "Limits", "Relation",
    "Session", "Sheet", "Store", "Theorem", "Track", "Verdict", "__version__", "board", "discover", "draw", "games",
    "ostrowski", "ostrowski_system", "positions", "prove_script", "recurrence_system", "study", "sweep", "system_named",
    "watched",
]


def __dir__() -> list[str]:
    """Return what there is for users: their shells complete these names, imported already or not."""
    return sorted({*__all__, *_MODULES})


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(_MODULES[name])
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'fibprover' has no attribute {name!r}")
    return getattr(import_module(home), name)
