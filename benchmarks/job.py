"""One measured process: runs a script in one session and reports the cost of every command.

    python -m benchmarks.job < JOB.json

The job is an object {"script", "words", "recurrences", "plan", "without", "seconds", "bytes"}; see Job.
The answer is one line of JSON: {"commands": [{"name", "seconds", "largest", "states", "transitions", "verdict"}],
"peak", "spent", "error"}.  The exit status is 0 if all commands were carried out or a budget was
spent on the way (`spent` says which), 1 for an error (`error` says which).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fibprover.workspace.session import Session


@dataclass(frozen=True, slots=True)
class Job:
    """The work of one process.

    script: its commands; words: a JSON file of words, if the commands need any; recurrences: numeration
    systems by name, each [coefficients, initial values], for those names that mean none yet; plan and
    without: as Session takes them; seconds, bytes: the budget of all commands together, None for none.
    """

    script: str
    words: str | None = None
    recurrences: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)
    plan: str = "optimized"
    without: tuple[str, ...] = ()
    seconds: float | None = None
    bytes: int | None = None

    def text(self) -> str:
        """Return the job as JSON."""
        return json.dumps(asdict(self))


def carried_out(job: Mapping[str, Any]) -> dict[str, Any]:
    """Run the job in this process; return the answer as an object."""
    from fibprover import BudgetSpent, FibproverError
    from fibprover.base.limits import peak_bytes
    from fibprover.language.commands import iterate_script

    done: list[dict[str, Any]] = []
    answer: dict[str, Any] = {"commands": done, "peak": None, "spent": "", "error": ""}
    try:
        session = made(job)
        for command in iterate_script(job["script"]):
            begun = time.perf_counter()
            outcome = session.execute(command, job["script"])
            seconds = time.perf_counter() - begun
            trace = getattr(outcome, "trace", None)
            automaton = getattr(outcome, "automaton", None)
            solved = getattr(outcome, "relations", {}).values()
            states = sum(each.automaton.states for each in solved) or (1 if automaton is None else automaton.states)
            theorem = getattr(outcome, "theorem", None)
            effort = ("rounds", "questions", "learning", "proving")
            learned = {} if theorem is None else {name: getattr(theorem, name) for name in effort}
            done.append({
                "name": getattr(command, "name", ""), "seconds": seconds, "states": states,
                "transitions": 0 if automaton is None else automaton.transitions,
                "largest": states if trace is None else trace.largest, "verdict": getattr(outcome, "truth", None),
                **learned,
            })
    except BudgetSpent as error:
        answer["spent"] = error.resource
    except MemoryError:
        answer["spent"] = "bytes"
    except FibproverError as error:
        answer["error"] = str(error)
    answer["peak"] = peak_bytes()
    return answer


def made(job: Mapping[str, Any]) -> Session:
    """Return the session that a job needs; its seconds begin to count now."""
    from fibprover import FibproverError, Session, recurrence_system
    from fibprover.base.limits import SharedLimits

    seconds = job["seconds"]
    deadline = float("inf") if seconds is None else time.monotonic() + seconds
    session = Session(
        plan=job["plan"], limits=SharedLimits(bytes=job["bytes"], seconds=seconds, deadline=deadline),
        **({"without": job["without"]} if job["without"] else {}),
    )
    for name, (coefficients, initial) in job["recurrences"].items():
        try:
            session.namespace.system(name)
        except FibproverError:
            session.add_system(recurrence_system(name, coefficients, initial))
    if job["words"]:
        session.load_words(job["words"])
    return session


def main() -> int:
    """Read a job from standard input, and write the answer."""
    answer = carried_out(json.load(sys.stdin))
    print(json.dumps(answer))
    return 1 if answer["error"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
