"""Run an atlas: search for the theorem of each game that has no result yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from operator import itemgetter
from pathlib import Path
from time import perf_counter
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import limits_of_part
from fibprover.campaigns.atlas.entries import Entry
from fibprover.campaigns.atlas.results import (
    Question,
    Result,
    SystemAttempt,
    question_of,
    read_result,
    result_of,
    write_result,
)
from fibprover.campaigns.sweeps.store import TaskRecord
from fibprover.campaigns.sweeps.sweep import sweep
from fibprover.games.rules import Game
from fibprover.games.search import BOUNDS
from fibprover.games.theorem import discover
from fibprover.games.theorem_text import statement_and_proof
from fibprover.workspace.walnut import automaton_text

#: Seconds for each game unless it has its own.
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Finished:
    """A game and its result; kept: whether the result was there before."""

    entry: Entry
    result: Result
    kept: bool


def run_atlas(
    entries: Sequence[Entry], folder: str | Path, *, seconds: float = SECONDS, memory: int | None = None,
    again: bool = False, version: str = "", store: str | None = None, dask: str | None = None, jobs: int | None = None,
    show: Callable[[Finished], None] | None = None,
) -> list[Finished]:
    """Return the results of games in order; search for those missing from the folder, and write them there.

    seconds: of each search, unless the game has its own; memory: bytes of all processes together; again: search for
    all, even if they are there; version: of fibprover, to be kept in the results; store, dask, jobs: as in `sweep`,
    whose tasks the searches are; show: called with each result once those before it are there.

    Each result is written, to a temporary file that is renamed, as soon as its search ends: whatever ends the program,
    the next run continues.  Raises FileProblem, FormatError for a file in the folder that is no result; FibproverError,
    after the others have ended, if a search ended with an error.
    """
    found: dict[str, Finished] = {}
    cases: list[dict[str, Any]] = []
    by_id = {entry.id: entry for entry in entries}
    waiting = list(entries)

    def take(finished: Finished) -> None:
        found[finished.entry.id] = finished
        while waiting and waiting[0].id in found:
            shown = found[waiting.pop(0).id]
            if show is not None:
                show(shown)

    def ended(record: TaskRecord) -> None:
        if record.state == "done":
            result = result_of(record.result)
            write_result(result, folder)
            take(Finished(by_id[result.id], result, kept=False))

    for entry in entries:
        question = question_of(entry, seconds, BOUNDS[-1])
        known = None if again else read_result(folder, entry.id)
        if known is not None and known.answers(question):
            take(Finished(entry, known, kept=True))
        else:
            # What was read of the rules is read again from their texts.
            game = {each.name: getattr(entry.game, each.name) for each in fields(entry.game) if each.compare}
            cases.append({"id": entry.id, "game": game, "question": asdict(question), "version": version})
    records = sweep(
        searched, cases, store=store, dask=dask, jobs=jobs, memory=memory, retry=True, watch=ended,
        name=itemgetter("id"),
    ) if cases else []
    for record in records:
        if record.state == "failed":
            raise FibproverError(f"the search for {record.what} failed: {record.error}")
    return [found[entry.id] for entry in entries]


def searched(case: dict[str, Any]) -> dict[str, Any]:
    """Search for the theorem of a game, and return the result; case: the id, the game, the question, the version."""
    given = case["question"]
    question = Question(**(given | {"systems": tuple(given["systems"])}))
    return asdict(_searched(case["id"], Game(**case["game"]), question, case["version"]))


def _searched(name: str, game: Game, question: Question, version: str) -> Result:
    begun = perf_counter()
    try:
        theorem = discover(
            game, list(question.systems) or "auto", limits=limits_of_part(question.seconds),
            largest=question.largest, with_findings=False, value=question.value,
        )
    except BudgetSpent as spent:
        # The limits did not suffice for the first data.
        return Result(
            name, question, "undecided", None, None, None, 0, 0,
            f"There are no data within the limits: {spent}.", "", (), None, round(perf_counter() - begun, 2), version,
        )
    found = theorem.discovery
    statement, proof = statement_and_proof(theorem)
    attempts = tuple(
        SystemAttempt(attempt.system, attempt.bound, attempt.states, attempt.outcome)
        for attempt in found.attempts if attempt.outcome != "refused"
    )
    proved = bool(theorem)
    return Result(
        name, question, theorem.status, theorem.system.name if proved else None,
        theorem.automaton.states if proved else None,
        found.proof.states if proved and found.proof is not None else None,
        found.data.bound, len(found.data), statement, proof, attempts,
        automaton_text(theorem.automaton) if proved else None, round(perf_counter() - begun, 2), version,
    )
