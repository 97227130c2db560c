"""What an evaluation did: one record a step, in order of completion."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fibprover.automata.dfa import Dfa


@dataclass(frozen=True, slots=True)
class Record:
    """One finished operation.

    label: the formula text it stands for, or a description in square brackets; states and
    transitions of the minimal result; seconds since the evaluation began; source: whether the
    label is text of the formula; depth: how many steps it is a part of, each of which is recorded
    after its parts; took: seconds of the step with its parts; expected: transitions that
    the planner reckoned with, None where it did not have to choose; cached: whether it was known.
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


@dataclass(frozen=True, slots=True)
class Trace:
    """The records of one evaluation, and the size of the largest automaton built."""

    records: tuple[Record, ...]
    largest: int
    seconds: float

    def steps(self) -> list[tuple[str, int]]:
        """Label and states of every step that stands for text of the formula."""
        return [(record.label, record.states) for record in self.records if record.source]

    def __str__(self) -> str:
        if not self.records:
            return "(no steps)"
        width = max(len(f"{record.states}") for record in self.records)
        return "\n".join(
            f"{record.seconds:9.3f} s  {record.states:>{width}} states  {record.operation:<12} {record.label}"
            for record in self.records
        )


@dataclass
class Recorder:
    """Collects records while an evaluation runs; `watch` is told of each, `keep` also given the automaton."""

    watch: Callable[[Record], None] | None = None
    keep: Callable[[Record, Dfa], None] | None = None
    records: list[Record] = field(default_factory=list)
    largest: int = 0
    begun: float = field(default_factory=time.monotonic)
    depth: int = 0
    last: float = field(default_factory=time.monotonic)

    @contextmanager
    def parts(self) -> Iterator[None]:
        """Around the parts of a step: what is recorded inside is one level deeper."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def now(self) -> float:
        """The moment at which a step begins, for `note`."""
        return time.monotonic()

    def note(
        self, label: str, operation: str, result: Dfa, *, source: bool = False, since: float | None = None,
        expected: float | None = None, cached: bool = False,
    ) -> None:
        """Records a finished operation; since: when it began, if not at the end of the last one."""
        moment = time.monotonic()
        took = moment - (self.last if since is None else since)
        self.last = moment
        record = Record(
            label or f"[{operation}]", operation, result.states, result.transitions, moment - self.begun, source,
            self.depth, took, expected, cached,
        )
        self.records.append(record)
        self.largest = max(self.largest, result.states)
        if self.watch is not None:
            self.watch(record)
        if self.keep is not None:
            self.keep(record, result)

    def trace(self) -> Trace:
        """What has been recorded so far."""
        return Trace(tuple(self.records), self.largest, time.monotonic() - self.begun)
