"""fibprover: a prover for first-order statements about numbers in numeration systems and automatic words.

    import fibprover as fp
    s = fp.Session("msd_fib")
    s.prove("An Ex x>n & x=2*x-x")

The names below are imported when first used, so that `import fibprover` is quick.
"""

from __future__ import annotations

from importlib import import_module

# As in typing, whose own import takes longer than all else here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from fibprover import games as games
    from fibprover import infer as infer
    from fibprover.automata import formats as formats
    from fibprover.automata.dfa import Dfa as Dfa
    from fibprover.automata.dfa import Track as Track
    from fibprover.base import errors as errors
    from fibprover.base.errors import BudgetSpent as BudgetSpent
    from fibprover.base.errors import FibproverError as FibproverError
    from fibprover.base.limits import Limits as Limits
    from fibprover.base.threads import threads as threads
    from fibprover.campaigns.sweeps.store import Store as Store
    from fibprover.campaigns.sweeps.sweep import sweep as sweep
    from fibprover.campaigns.theorems.chapter import Chapter as Chapter
    from fibprover.frontends.cli.main import prove_script as prove_script
    from fibprover.frontends.display.board import board as board
    from fibprover.frontends.display.drawing import draw as draw
    from fibprover.frontends.display.fluctuation import fluctuation as fluctuation
    from fibprover.frontends.display.watching import watched as watched
    from fibprover.games.positions import positions as positions
    from fibprover.games.rules import Game as Game
    from fibprover.games.theorem import Theorem as Theorem
    from fibprover.games.theorem import discover as discover
    from fibprover.invention.invent import Invention as Invention
    from fibprover.invention.invent import invent as invent
    from fibprover.invention.sources import positions_of_beatty as positions_of_beatty
    from fibprover.invention.sources import positions_of_letters as positions_of_letters
    from fibprover.invention.sources import positions_of_sequences as positions_of_sequences
    from fibprover.language.builder import at_least as at_least
    from fibprover.language.builder import at_most as at_most
    from fibprover.language.builder import call as call
    from fibprover.language.builder import exactly as exactly
    from fibprover.language.builder import exists as exists
    from fibprover.language.builder import forall as forall
    from fibprover.language.builder import infinitely_many as infinitely_many
    from fibprover.language.builder import letter as letter
    from fibprover.language.builder import variable as variable
    from fibprover.language.builder import variables as variables
    from fibprover.language.parser import formula as formula
    from fibprover.language.tree import Formula as Formula
    from fibprover.language.tree import Term as Term
    from fibprover.numeration.ostrowski import ostrowski as ostrowski
    from fibprover.numeration.ostrowski import ostrowski_system as ostrowski_system
    from fibprover.numeration.recurrence import recurrence_system as recurrence_system
    from fibprover.numeration.registry import system_named as system_named
    from fibprover.prover.verdict.evidence import Evidence as Evidence
    from fibprover.prover.verdict.nondeterministic import NondeterministicRelation as NondeterministicRelation
    from fibprover.prover.verdict.relation import Relation as Relation
    from fibprover.prover.verdict.verdict import Verdict as Verdict
    from fibprover.sequences.oeis import oeis as oeis
    from fibprover.sheets.sheet import Sheet as Sheet
    from fibprover.sheets.study import study as study
    from fibprover.words.automatic import AutomaticWord as AutomaticWord
    from fibprover.words.catalogue import word as word
    from fibprover.workspace.session import Session as Session

__version__ = "0.2.0"

_HOMES = {
    "AutomaticWord": "fibprover.words.automatic",
    "BudgetSpent": "fibprover.base.errors",
    "Chapter": "fibprover.campaigns.theorems.chapter",
    "Dfa": "fibprover.automata.dfa",
    "Evidence": "fibprover.prover.verdict.evidence",
    "FibproverError": "fibprover.base.errors",
    "Formula": "fibprover.language.tree",
    "Game": "fibprover.games.rules",
    "Invention": "fibprover.invention.invent",
    "Limits": "fibprover.base.limits",
    "NondeterministicRelation": "fibprover.prover.verdict.nondeterministic",
    "Relation": "fibprover.prover.verdict.relation",
    "Session": "fibprover.workspace.session",
    "Sheet": "fibprover.sheets.sheet",
    "Store": "fibprover.campaigns.sweeps.store",
    "Term": "fibprover.language.tree",
    "Theorem": "fibprover.games.theorem",
    "Track": "fibprover.automata.dfa",
    "Verdict": "fibprover.prover.verdict.verdict",
    "at_least": "fibprover.language.builder",
    "at_most": "fibprover.language.builder",
    "board": "fibprover.frontends.display.board",
    "call": "fibprover.language.builder",
    "discover": "fibprover.games.theorem",
    "draw": "fibprover.frontends.display.drawing",
    "exactly": "fibprover.language.builder",
    "exists": "fibprover.language.builder",
    "fluctuation": "fibprover.frontends.display.fluctuation",
    "forall": "fibprover.language.builder",
    "formula": "fibprover.language.parser",
    "infinitely_many": "fibprover.language.builder",
    "invent": "fibprover.invention.invent",
    "letter": "fibprover.language.builder",
    "load_ipython_extension": "fibprover.frontends.notebook.magic",
    "oeis": "fibprover.sequences.oeis",
    "ostrowski": "fibprover.numeration.ostrowski",
    "ostrowski_system": "fibprover.numeration.ostrowski",
    "positions": "fibprover.games.positions",
    "positions_of_beatty": "fibprover.invention.sources",
    "positions_of_letters": "fibprover.invention.sources",
    "positions_of_sequences": "fibprover.invention.sources",
    "prove_script": "fibprover.frontends.cli.main",
    "recurrence_system": "fibprover.numeration.recurrence",
    "study": "fibprover.sheets.study",
    "sweep": "fibprover.campaigns.sweeps.sweep",
    "system_named": "fibprover.numeration.registry",
    "threads": "fibprover.base.threads",
    "variable": "fibprover.language.builder",
    "variables": "fibprover.language.builder",
    "watched": "fibprover.frontends.display.watching",
    "word": "fibprover.words.catalogue",
}

#: Packages and modules that are attributes before anything has imported them.
_MODULES = {
    "backend": "fibprover.automata.kernels", "errors": "fibprover.base.errors", "formats": "fibprover.automata.formats",
    "games": "fibprover.games", "infer": "fibprover.infer",
}

__all__ = [
    "AutomaticWord", "BudgetSpent", "Chapter", "Dfa", "Evidence", "FibproverError", "Formula", "Game", "Invention",
    "Limits", "Relation", "Session", "Sheet", "Store", "Term", "Theorem", "Track", "Verdict", "__version__", "at_least",
    "at_most", "board", "call", "discover", "draw", "exactly", "exists", "fluctuation", "forall", "formula", "games",
    "infinitely_many", "invent", "letter", "oeis", "ostrowski", "ostrowski_system", "positions",
    "positions_of_beatty", "positions_of_letters", "positions_of_sequences", "prove_script", "recurrence_system",
    "study", "sweep", "system_named", "threads", "variable", "variables", "watched", "word",
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
