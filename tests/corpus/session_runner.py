"""The corpus through a session, as a script of commands."""

from __future__ import annotations

from pathlib import Path

import fibprover as fp
from fibprover.automata.dfa import Dfa
from fibprover.automata.reading import as_read
from fibprover.parse.commands import RegCommand

#: Far above what any case needs (the peer's own takes are below a second).
LIMITS = fp.Limits(states=2_000_000, seconds=120)


class SessionRunner:
    """One session for all cases; the peer's default system is msd_2, as ours."""

    def __init__(self, plan: str = "optimized", without: tuple[str, ...] = ()) -> None:
        self.session = fp.Session(plan=plan, limits=LIMITS, without=without)

    def load(self, path: Path) -> None:
        self.session.load(path)

    def command(self, text: str) -> Dfa | bool | None:
        ((command, outcome),) = self.session.run(text)
        if isinstance(command, RegCommand):
            # What a name stands for is the raw language, as the peer's files have it; the outcome is closed.
            return as_read(self.session.definitions[command.name].automaton)
        if isinstance(outcome, fp.Verdict):
            return outcome.truth
        return None if outcome is None else as_read(outcome.automaton)
