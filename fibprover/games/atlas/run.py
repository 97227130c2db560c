"""Run an atlas: search for the theorem of each game that has no result yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from fibprover.errors import BudgetSpent
from fibprover.games.atlas.entries import Entry
from fibprover.games.atlas.results import Question, Result, SystemAttempt, question_of, read_result, write_result
from fibprover.games.report import statement_and_proof
from fibprover.games.search import BOUNDS, Notify
from fibprover.games.theorem import discover
from fibprover.io.walnut import automaton_text
from fibprover.limits import Limits

#: Seconds for each game unless it has its own.
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Finished:
    """A game and its result; kept: whether the result was there before."""

    entry: Entry
    result: Result
    kept: bool


def run_atlas(
    entries: Sequence[Entry], folder: str | Path, *, seconds: float = SECONDS, limits: Limits | None = None,
    again: bool = False, notify: Notify | None = None, version: str = "",
) -> Iterator[Finished]:
    """Yield the results of games in order; search for those that the folder has not, and write them there.

    seconds: of each search, unless the game has its own; limits: further limits of each search; again: search for all,
    whatever is there; notify: called with a line on each stage; version: of fibprover, to be kept in the results.

    Each result is written, to a temporary file that is renamed, before the next search begins: whatever ends the
    program, the next run continues.  FileProblem, FormatError for a file in the folder that is no result.
    """
    for entry in entries:
        question = question_of(entry, seconds, BOUNDS[-1])
        known = None if again else read_result(folder, entry.id)
        if known is not None and known.answers(question):
            yield Finished(entry, known, kept=True)
            continue
        result = searched(entry, question, limits or Limits(), notify, version)
        write_result(result, folder)
        yield Finished(entry, result, kept=False)


def searched(
    entry: Entry, question: Question, limits: Limits, notify: Notify | None = None, version: str = ""
) -> Result:
    """Search for the theorem of a game, and return the result; limits: those besides the seconds of the question."""
    begun = perf_counter()
    try:
        theorem = discover(
            entry.game, list(question.systems) or "auto", limits=replace(limits, seconds=question.seconds),
            largest=question.largest, with_findings=False, notify=notify, value=question.value,
        )
    except BudgetSpent as spent:
        # The limits did not suffice for the first data.
        return Result(
            entry.id, question, "undecided", None, None, None, 0, 0,
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
        entry.id, question, theorem.status, theorem.system.name if proved else None,
        theorem.automaton.states if proved else None,
        found.proof.states if proved and found.proof is not None else None,
        found.data.bound, len(found.data), statement, proof, attempts,
        automaton_text(theorem.automaton) if proved else None, round(perf_counter() - begun, 2), version,
    )
