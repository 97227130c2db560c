"""A trace as a tree: what was done for what, with the sizes expected and found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fibprover.evaluate.trace import Record, Trace


@dataclass(frozen=True, slots=True)
class Node:
    """A step and the steps that were made for it, in order."""

    record: Record
    parts: tuple[Node, ...]

    def as_json(self) -> dict[str, Any]:
        """The step for programs."""
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
            "parts": [part.as_json() for part in self.parts],
        }


def tree(records: Sequence[Record]) -> tuple[Node, ...]:
    """The outermost steps of a trace.  A record comes after its parts, which are one level deeper."""
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
    """The tree for people: sizes in columns, then the steps, parts indented below what they are for."""
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
    remark = "  (known)" if record.cached else ""
    text = f"{first}{record.operation}  {' '.join(record.label.split())}{remark}"
    yield (str(record.states), str(record.transitions), expected, f"{1000 * record.took:.1f}", text)
    for place, part in enumerate(node.parts):
        last = place == len(node.parts) - 1
        yield from _rows(part, rest + ("└ " if last else "├ "), rest + ("  " if last else "│ "))


def _rounded(size: float) -> str:
    """A reckoned size: two digits tell enough of it."""
    return str(round(size)) if size < 100_000 else f"{size:.1e}"
