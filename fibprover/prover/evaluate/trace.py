"""Traces of evaluations: a record for each step, in order of completion, or as a tree (`tree`, `explained`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from fibprover.automata.determinization import Outcome
from fibprover.automata.dfa import Dfa
from fibprover.automata.kernel_calls import Digits
from fibprover.base.limits import Gauge, cpu_clock
from fibprover.base.values import RichlyDisplayed, value


@value
class Record:
    """One finished operation.

    label: the formula text of the operation, or a description in square brackets; states and
    transitions of the minimal result (the textbook plan has other states for closed formulas, see
    `fibprover.prover.evaluate.closed_sizes`); seconds since the evaluation began; source: whether the
    label is text of the formula; depth: the number of steps that contain it, each of which is recorded
    after its parts; took: seconds of the step with its parts; expected: transitions that the
    planner estimated, None if it had no choice; cached: whether the result was in the cache; strategies: how the
    automata were made deterministic that subsets alone did not do quickly; since: of a known part of a formula, what
    has evaluated it.
    """

    label: str
    operation: str
    states: int
    transitions: int
    seconds: float
    source: bool
    depth: int = 0
    took: float = 0.0
    expected: float | None = None
    cached: bool = False
    strategies: tuple[Outcome, ...] = ()
    since: str = ""

    @property
    def remark(self) -> str:
        """The strategies as text, "" if there are none."""
        return "".join(f"  ({outcome})" for outcome in self.strategies)


@value
class Trace(RichlyDisplayed):
    """The records of one evaluation, the size of the largest automaton built, and the wall and CPU time.

    while_built: states of the largest automaton while it was built, before it was minimized, by any strategy.
    """

    records: tuple[Record, ...]
    largest: int
    seconds: float
    cpu_seconds: float = 0.0
    while_built: int = 0

    def steps(self) -> list[tuple[str, int]]:
        """Return the label and states of every step whose label is text of the formula."""
        return [(record.label, record.states) for record in self.records if record.source]

    def __str__(self) -> str:
        if not self.records:
            return "(no steps)"
        width = max(len(f"{record.states}") for record in self.records)
        return "\n".join(
            f"{record.seconds:9.3f} s  {record.states:>{width}} states  {record.operation:<12} "
            f"{record.label}{record.remark}"
            for record in self.records
        )


@dataclass
class Recorder:
    """Collects records while an evaluation runs.

    watch: called with each record, also of attempts that are given up; keep: called with each record of the trace and
    its automaton, in the order of the trace; gauge: shows the progress; attempts: how many are under way;
    held: what `keep` is called with when they have ended;
    met: the digits of variables in the words by which searches showed that a closed part is not empty;
    outcomes: the determinizations since the last record.
    """

    watch: Callable[[Record], None] | None = None
    keep: Callable[[Record, Dfa], None] | None = None
    records: list[Record] = field(default_factory=list)
    largest: int = 0
    while_built: int = 0
    begun: float = field(default_factory=time.monotonic)
    depth: int = 0
    last: float = field(default_factory=time.monotonic)
    gauge: Gauge | None = None
    met: Digits = field(default_factory=dict)
    attempts: int = 0
    held: list[tuple[Record, Dfa]] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    cpu_begun: float = field(default_factory=cpu_clock)

    def meet(self, word: Digits | None) -> bool:
        """Keep the word that a search has found; return whether there is one."""
        if word is None:
            return False
        self.met |= word
        return True

    def forget(self, names: Iterable[str]) -> None:
        """Drop the digits of variables of a part that turned out to be empty."""
        for name in names:
            self.met.pop(name, None)

    @contextmanager
    def parts(self, label: str = "") -> Iterator[None]:
        """Enclose the parts of a step whose text is `label`: records made inside are one level deeper."""
        shown = self.gauge if label else None
        self.depth += 1
        if shown is not None:
            shown.texts.append(label)
        try:
            yield
        finally:
            self.depth -= 1
            if shown is not None:
                shown.texts.pop()

    @contextmanager
    def attempt(self) -> Iterator[Callable[[], None]]:
        """Enclose an attempt that may be given up: yield a function that drops the records made in the block."""
        records, held = len(self.records), len(self.held)

        def drop() -> None:
            del self.records[records:], self.held[held:]

        self.attempts += 1
        try:
            yield drop
        finally:
            self.attempts -= 1
            if self.keep is not None:
                self._hand_over(self.keep)

    def now(self) -> float:
        """Return the time at which a step begins, for `note`."""
        return time.monotonic()

    def note(
        self, label: str, operation: str, result: Dfa, *, source: bool = False, since: float | None = None,
        expected: float | None = None, cached: bool = False, states: int | None = None, known_since: str = "",
    ) -> None:
        """Record a finished operation.

        since: when it began, if not at the end of the last one; states: what is logged, if not those of the result;
        known_since: see `Record.since`.
        """
        moment = time.monotonic()
        took = moment - (self.last if since is None else since)
        self.last = moment
        record = Record(
            label or f"[{operation}]", operation, result.states if states is None else states, result.transitions,
            moment - self.begun, source, self.depth, took, expected, cached,
            tuple(outcome for outcome in self.outcomes if not outcome.is_plain), known_since,
        )
        self.largest = max(self.largest, result.states)
        sets = (met for outcome in self.outcomes for _, met in outcome.met)
        self.while_built = max(self.while_built, self.largest, *sets)
        self.outcomes.clear()
        self.records.append(record)
        if self.watch is not None:
            self.watch(record)
        if self.keep is not None:
            self.held.append((record, result))
            self._hand_over(self.keep)

    def _hand_over(self, keep: Callable[[Record, Dfa], None]) -> None:
        """Call `keep` with what is held, unless it may still be dropped."""
        while self.held and not self.attempts:
            keep(*self.held.pop(0))

    def trace(self) -> Trace:
        """Return the records so far."""
        seconds, cpu_seconds = time.monotonic() - self.begun, cpu_clock() - self.cpu_begun
        return Trace(tuple(self.records), self.largest, seconds, cpu_seconds, self.while_built)


@value
class Node:
    """A step and the steps that were made for it, in order."""

    record: Record
    parts: tuple[Node, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the step as an object of JSON."""
        record = self.record
        return {
            "operation": record.operation,
            "label": record.label,
            "source": record.source,
            "states": record.states,
            "transitions": record.transitions,
            "expected": None if record.expected is None else round(record.expected),
            "seconds": round(record.took, 6),
            "cached": record.cached,
            **({"since": record.since} if record.since else {}),
            "strategies": [{"strategy": each.strategy, "met": dict(each.met)} for each in record.strategies],
            "parts": [part.as_json() for part in self.parts],
        }


def tree(records: Sequence[Record]) -> tuple[Node, ...]:
    """Return the outermost steps of a trace.  A record comes after its parts, which are one level deeper."""
    waiting: list[tuple[int, Node]] = []
    for record in records:
        first = len(waiting)
        while first and waiting[first - 1][0] > record.depth:
            first -= 1
        parts = tuple(node for _, node in waiting[first:])
        del waiting[first:]
        waiting.append((record.depth, Node(record, parts)))
    return tuple(node for _, node in waiting)


def explained(trace: Trace) -> str:
    """Return the tree as text: sizes in columns, then the steps, with the parts of a step indented below it."""
    rows = [("states", "transitions", "expected", "ms", "step")]
    for node in tree(trace.records):
        rows += _rows(node, "", "")
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        "  ".join([*(text.rjust(width) for text, width in zip(row[:4], widths, strict=True)), row[4]]).rstrip()
        for row in rows
    )


def _rows(node: Node, first: str, rest: str) -> Iterator[tuple[str, str, str, str, str]]:
    record = node.record
    expected = "" if record.expected is None else _rounded(record.expected)
    remark = f"  (known since {record.since})" if record.since else "  (known)" if record.cached else ""
    text = f"{first}{record.operation}  {' '.join(record.label.split())}{record.remark}{remark}"
    yield (str(record.states), str(record.transitions), expected, f"{1000 * record.took:.1f}", text)
    for place, part in enumerate(node.parts):
        last = place == len(node.parts) - 1
        yield from _rows(part, rest + ("└ " if last else "├ "), rest + ("  " if last else "│ "))


def _rounded(size: float) -> str:
    """Return the text of an estimated size, rounded to two digits."""
    return str(round(size)) if size < 100_000 else f"{size:.1e}"
