"""Carries out one script and says where its time went: `python -m benchmarks.parts SCRIPT ANSWER.json`.

The process loads hardly anything that `fibprover run` does not load, and notes the processor seconds of each part.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

PARTS = ("start", "plan", "engine", "evidence", "writing")


class Clock:
    """Processor seconds by part: a part within evidence or writing belongs to these."""

    def __init__(self) -> None:
        self.since = 0.0  # the processor time of Python itself is that of the start
        self.spent = dict.fromkeys(PARTS, 0.0)
        self.open = ["start"]

    def turn(self) -> None:
        """Give the time since the last turn to the part that is open."""
        now = time.process_time()
        self.spent[self.open[-1]] += now - self.since
        self.since = now

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count the time of a block."""
        self.turn()
        self.open.append(self.open[-1] if self.open[-1] in ("evidence", "writing") and name != "evidence" else name)
        try:
            yield
        finally:
            self.turn()
            self.open.pop()

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, its time counted."""
        @wraps(function)
        def counted(*arguments: Any, **keywords: Any) -> Any:
            with self.part(name):
                return function(*arguments, **keywords)

        return counted


def carry_out(script: Path) -> dict[str, Any]:
    """Carry out a script as the command line does; return the seconds of its parts, the look-ups, and the peak."""
    clock = Clock()
    from fibprover.base.limits import peak_bytes
    from fibprover.frontends.cli import main, run
    from fibprover.prover import decide
    from fibprover.prover.plan import optimize
    from fibprover.prover.verdict.evidence import EvidenceSearch
    from fibprover.workspace import session, storage

    sessions: list[session.Session] = []
    made = session.Session.__init__

    def noted(self: session.Session, *arguments: Any, **keywords: Any) -> None:
        made(self, *arguments, **keywords)
        sessions.append(self)

    for place, name, part in (
        (run, "_execute", "engine"), (run, "lines", "writing"), (storage, "_write", "writing"),
        (EvidenceSearch, "evidence", "evidence"), (decide, "read", "plan"), (decide, "bind", "plan"),
        (decide, "lower", "plan"), (decide, "with_known_predicates", "plan"), (decide, "with_known_parts", "plan"),
    ):
        setattr(place, name, clock.timed(part, getattr(place, name)))
    plans = {name: clock.timed("plan", plan) for name, plan in optimize.PLANS.items()}
    decide.PLANS = plans  # type: ignore[attr-defined]
    session.Session.__init__ = noted  # type: ignore[method-assign]
    command = ["run", str(script), "--words", "proofs/words.json", "--home-dir", str(script.parent), "--keep-going"]
    status = main.main(command)
    clock.turn()
    caches = [each.cache for each in sessions]
    return {
        "parts": clock.spent, "status": status, "hits": sum(each.hits for each in caches),
        "misses": sum(each.misses for each in caches), "peak": peak_bytes(),
    }


if __name__ == "__main__":
    _, script, answer = sys.argv
    Path(answer).write_text(json.dumps(carry_out(Path(script))))
