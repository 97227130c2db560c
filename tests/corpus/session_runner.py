"""The corpus through a session, as a script of commands."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

import fibprover as fp
from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import to_reading_order
from fibprover.language.commands import DefCommand, EvalCommand, OperationCommand, RegCommand
from fibprover.numeration.system import NumerationSystem
from fibprover.sequences.series import Series
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.session import Session

#: Far above what any case needs (the peer's own takes are below a second).
LIMITS = fp.Limits(states=2_000_000, seconds=120)


class SessionRunner:
    """One session for all cases; the peer's default system is msd_2, as ours."""

    def __init__(self, plan: str = "optimized", without: tuple[str, ...] = ()) -> None:
        self.session = fp.Session(plan=plan, limits=LIMITS, without=without)
        self.always_shared = False
        # Commands write files into a folder that goes with the runner.
        self.session.namespace.folder = Path(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, self.session.namespace.folder, True)

    def load(self, path: Path, name: str = "") -> None:
        """Makes a file of the library known, or an automaton as a predicate of this name."""
        if name:
            self.session.namespace.load_predicate(path, name)
            return
        loaders = {
            "Word Automata Library": self.session.namespace.load_word,
            "Automata Library": self.session.namespace.load_predicate,
            "Morphism Library": self.session.namespace.load_morphism,
            "Transducer Library": self.session.namespace.load_transducer,
        }
        if path.parent.name in loaders:
            loaders[path.parent.name](path)

    def command(
        self, text: str, *, shared: bool = False
    ) -> Dfa | tuple[Series, Dfa] | NumerationSystem | bool | None:
        self.session.namespace.shared_digits = shared or self.always_shared
        ((command, outcome),) = self.session.run(text)
        session = self.session
        if isinstance(command, RegCommand):
            # What a name stands for is the raw language, as the peer's files have it; the outcome is closed.
            return to_reading_order(session.namespace.definitions[command.name].automaton)
        if isinstance(command, OperationCommand):
            return made(command, outcome, session)
        if isinstance(outcome, Series):
            assert isinstance(command, DefCommand | EvalCommand)
            with session.overridable():
                return outcome, session.relation(command.text).to_reading_order()
        if isinstance(outcome, fp.Verdict):
            return outcome.truth
        return to_reading_order(outcome.automaton) if isinstance(outcome, fp.Relation) else None


def made(command: OperationCommand, outcome: object, session: Session) -> Dfa | NumerationSystem | None:
    """The automaton that an operation made, or the one it was asked about."""
    name = str(command.arguments[0])
    if isinstance(outcome, NumerationSystem):
        return outcome
    if isinstance(outcome, AutomaticWord):
        return to_reading_order(outcome.machine, word=True)
    if isinstance(outcome, fp.Relation):
        return to_reading_order(session.namespace.definitions[name.removeprefix("$")].automaton)
    if command.word in ("describe", "export", "inf", "test"):
        names = session.namespace
        return names.language(name) if name.startswith("$") else to_reading_order(names.machine(name), word=True)
    return None
