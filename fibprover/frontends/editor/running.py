"""Evaluation of statements on request, in a process of its own (`fibprover.frontends.cli.tool_process`).

Only what is requested is carried out, with the definitions that it uses: no other command of the document, and none
that writes a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fibprover.base.errors import FibproverError
from fibprover.base.folders import walnut_home
from fibprover.base.limits import Limits
from fibprover.base.values import decimal
from fibprover.frontends.conversation.output import json_of_error
from fibprover.frontends.conversation.session_names import show_text
from fibprover.frontends.display.text import outcome_text
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

#: An answer: its "text", and a "verdict" that is true, false or null.
Answer = dict[str, Any]

#: How many tuples of a relation are listed.
FIRST = 8

#: CPU seconds of what is computed to say more about a name.
CPU_SECONDS = 2.0

#: How many sessions are kept, so that what was defined once is there again.
MOST_SESSIONS = 8


def session_in(folder: str, make: Callable[[str], Session], system: str) -> Session:
    """Return a new session that reads Walnut's folders, if the document is in or below one, and writes none."""
    session = make(system)
    home = walnut_home(Path(folder)) if folder and session.namespace.folders is None else None
    if home is not None:
        session.use_folders(home, written=False)
    return session


class Evaluations:
    """Sessions by what was carried out in them; to be called by one thread.

    make: returns a new session, given the name of a numeration system; limits: of each call.
    """

    def __init__(self, make: Callable[[str], Session], limits: Limits) -> None:
        self.make, self.limits = make, limits
        self.sessions: dict[tuple[object, ...], Session] = {}

    def run(
        self, folder: str, system: str, before: Sequence[tuple[str, ...]], entry: tuple[str, ...], seconds: float
    ) -> Answer:
        """Carry out a statement after those that it needs; return its answer, or an error as JSON."""
        def answer() -> Answer:
            return _told(_carried_out(self._session(folder, system, before), entry))

        return self._answered(answer, seconds)

    def about(
        self, folder: str, system: str, before: Sequence[tuple[str, ...]], name: str, seconds: float
    ) -> Answer:
        """Return what a name is after these statements: size and first members."""
        def answer() -> Answer:
            return {"text": show_text(self._session(folder, system, before), name), "verdict": None}

        return self._answered(answer, seconds, CPU_SECONDS)

    def _answered(self, answer: Callable[[], Answer], seconds: float, cpu_seconds: float | None = None) -> Answer:
        limits = replace(self.limits, seconds=seconds, cpu_seconds=cpu_seconds)
        try:
            with enforced(limits):
                return answer()
        except FibproverError as problem:
            return json_of_error(problem)

    def _session(self, folder: str, system: str, before: Sequence[tuple[str, ...]]) -> Session:
        """Return a session in which these statements were carried out."""
        key = (folder, system, *before)
        session = self.sessions.pop(key, None)
        if session is None:
            session = session_in(folder, self.make, system)
            for entry in before:
                _carried_out(session, entry)
        self.sessions[key] = session
        while len(self.sessions) > MOST_SESSIONS:
            del self.sessions[next(iter(self.sessions))]
        return session


def _carried_out(session: Session, entry: tuple[str, ...]) -> object:
    """Carry out a statement, and return its value."""
    match entry:
        case ("command", text):
            (_, found), = session.run(text)
            return found
        case ("define", name, formula):
            return session.define(name, formula)
        case ("term", term):
            return decimal(session.value(term))
        case (_, formula):
            return session.eval(formula)
    raise AssertionError(f"unknown statement {entry}")


def _told(found: object) -> Answer:
    if isinstance(found, Verdict | Relation):
        return {"text": outcome_text(found, FIRST), "verdict": found.truth if isinstance(found, Verdict) else None}
    text = found.name if isinstance(found, NumerationSystem) else "done" if found is None else str(found)
    return {"text": text, "verdict": None}
