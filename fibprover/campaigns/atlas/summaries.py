"""Sentences and tables about the results of an atlas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from fibprover.base.wording import plural
from fibprover.campaigns.atlas.entries import Entry
from fibprover.campaigns.atlas.results import Result
from fibprover.campaigns.atlas.run import Finished
from fibprover.games.theorem_text import listed

#: The mark of a theorem for which somebody looked for an earlier proof.
FOUND_HERE = "found here; no earlier proof known to us"

#: How many systems a table of attempts shows.
ROWS = 8


def line_of(finished: Finished) -> str:
    """Return the line of a game on a terminal: outcome, seconds, and what was expected instead if anything was."""
    entry, result = finished.entry, finished.result
    remarks = [] if result.agrees(entry.expected) else [f"EXPECTED {entry.expected}"]
    remarks += ["known"] if finished.kept else []
    proof = f"{result.proof_states:7} in the proof" if result.proof_states is not None else ""
    text = (
        f"{entry.id:26} {result.status:12} {outcome_of(result):36} {proof:20} {result.seconds:7.1f} s  "
        f"{'; '.join(remarks)}"
    )
    return text.rstrip()


#: What `fibprover atlas --sort` sorts by.
SORTS: Mapping[str, Callable[[Result], float | None]] = {
    "proof": lambda result: result.proof_states,
    "states": lambda result: result.states,
    "seconds": lambda result: result.seconds,
}


def sorted_by(key: str, all_finished: Sequence[Finished]) -> list[Finished]:
    """Return games by one of SORTS, the smallest first; those without a theorem are last."""

    def place(finished: Finished) -> tuple[bool, float]:
        size = SORTS[key](finished.result)
        return size is None, size or 0

    return sorted(all_finished, key=place)


def outcome_of(result: Result) -> str:
    """Return the automaton of a theorem, or how far the data went."""
    if result.status == "proved" and result.states is not None:
        return f"{plural(result.states, 'state')} in {result.system}"
    return f"data below {result.data_bound}"


def summary_of(all_finished: Sequence[Finished]) -> str:
    """Return how many games there are, with which outcomes, and how many are as expected."""
    statuses = Counter(each.result.status for each in all_finished)
    counted = [
        f"{number} {'without an automaton' if status == 'no automaton' else status}"
        for status, number in sorted(statuses.items(), key=lambda item: -item[1])
    ]
    wrong = [each.entry.id for each in all_finished if not each.result.agrees(each.entry.expected)]
    new = sum(1 for each in all_finished if each.entry.expected is None)
    said = f"{plural(len(all_finished), 'game')}: {listed(counted)}"
    said += f"; not as expected: {', '.join(wrong)}" if wrong else "; all as expected" if not new else ""
    return said + (f"; {new} without an expected outcome" if new else "")


def mark_of(entry: Entry, result: Result) -> str:
    """Return the mark of a theorem without a known earlier proof; "" for any other result."""
    return FOUND_HERE if result.status == "proved" and entry.earlier == "none known" else ""


def known_of(entry: Entry) -> str:
    """Return what was known before, and whether anybody looked for an earlier proof."""
    open_question = " Whether there is an earlier proof was not looked up."
    return entry.known + (open_question if entry.earlier == "not looked up" else "")


def attempts_of(result: Result) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the head and the rows of the table of attempts: systems, states at each bound, and the last outcome.

    The systems with the largest last bound come first, then those with the fewest states; at most ROWS of them.
    """
    bounds = sorted({attempt.bound for attempt in result.attempts})
    cells: dict[str, dict[int, str]] = {}
    order: dict[str, tuple[int, int]] = {}
    ends: dict[str, str] = {}
    for attempt in result.attempts:
        cells.setdefault(attempt.system, {})[attempt.bound] = str(attempt.states)
        order[attempt.system] = (-attempt.bound, attempt.states)
        ends[attempt.system] = attempt.outcome
    rows = [
        (system, *(cells[system].get(bound, "") for bound in bounds), ends[system])
        for system in sorted(cells, key=lambda system: order[system])
    ]
    head = ("system", *(f"below {bound}" for bound in bounds), "outcome")
    if len(rows) > ROWS:
        left = f"and {plural(len(rows) - ROWS, 'more system')}"
        rows = [*rows[:ROWS], (left, *("" for _ in bounds), "")]
    return head, tuple(rows)


def json_of(finished: Finished) -> dict[str, Any]:
    """Return a game and its result as an object of JSON; see docs/cli.md."""
    entry, result = finished.entry, finished.result
    return asdict(result) | {
        "name": entry.name, "game": entry.game.name, "source": asdict(entry.source), "known": entry.known,
        "earlier": entry.earlier, "mark": mark_of(entry, result),
        "expected": None if entry.expected is None else asdict(entry.expected),
        "as_expected": result.agrees(entry.expected),
    }
