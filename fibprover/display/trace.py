"""What an evaluation did: a tree of steps with sizes and times, below a summary with a small chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from fibprover.display.html import card, chart, code, folded, plural, quiet, styled, table
from fibprover.evaluate.trace import Node, Trace, explained, tree

#: Most steps that are listed.
MOST_STEPS = 400

_LABEL = 300


def html(trace: Trace) -> str:
    """The tree, unfolded."""
    return card(trace_html(trace, unfolded=True))


def text(trace: Trace) -> str:
    """The tree as text."""
    return explained(trace) if trace.records else str(trace)


def trace_html(trace: Trace | None, *, unfolded: bool = False) -> str:
    """The tree below a summary; "" where nothing was done."""
    if trace is None or not trace.records:
        return ""
    records = trace.records
    sizes = [(record.states, f"{plural(record.states, 'state')}: {_shortened(record.label)}") for record in records]
    said = f"{plural(len(records), 'step')}, largest automaton {plural(trace.largest, 'state')}, {trace.seconds:.3f} s"
    rows = list(_rows(tree(records), 0))
    more = quiet(f"and {len(rows) - MOST_STEPS} more steps") if len(rows) > MOST_STEPS else ""
    head = ("states", "transitions", "expected", "ms", "step")
    steps = table(head, rows[:MOST_STEPS], left=frozenset({4}))
    return folded(escape(said) + chart(sizes), steps + more, unfolded=unfolded)


def _rows(nodes: Sequence[Node], depth: int) -> Iterator[tuple[str, ...]]:
    """The steps above those made for them, which are indented."""
    for node in nodes:
        record = node.record
        expected = "" if record.expected is None else f"{record.expected:.0f}"
        remark = quiet(" (known)") if record.cached else ""
        what = styled(record.operation, f"padding-left:{1.2 * depth:.1f}em;white-space:nowrap")
        yield (
            str(record.states), str(record.transitions), expected, f"{1000 * record.took:.1f}",
            f"{what} {code(_shortened(record.label))}{remark}",
        )
        yield from _rows(node.parts, depth + 1)


def _shortened(label: str) -> str:
    """A label on one line, not too long."""
    flat = " ".join(label.split())
    return flat if len(flat) <= _LABEL else f"{flat[: _LABEL - 3]}..."
