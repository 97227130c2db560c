"""A page about a store: how many tasks there are in which state, the slowest, what is under way, and what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from fibprover.base.errors import size_text
from fibprover.base.wording import plural
from fibprover.campaigns.sweeps.store import STATES, State, TaskRecord

#: The slowest tasks that are listed.
_SLOWEST = 20

_HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">{refresh}<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0; overflow-wrap: anywhere; }}
td.number, th.number {{ text-align: right; white-space: nowrap; }}
pre {{ margin: 0; white-space: pre-wrap; }}
</style></head><body>
<h1>{title}</h1>
"""


def sweep_page(records: Sequence[TaskRecord], title: str, written: str, every: float | None = None) -> str:
    """Return the page; written: the time, for readers; every: after how many seconds a browser loads it again."""
    refresh = "" if every is None else f'<meta http-equiv="refresh" content="{max(1, round(every))}">'
    counts = Counter(record.state for record in records)
    seconds = sum(record.seconds or 0.0 for record in records)
    numbers = ", ".join(f"{counts[state]} {_NAMES[state]}" for state in STATES)
    parts = [
        _HEAD.format(refresh=refresh, title=escape(title)),
        f"<p>{plural(len(records), 'task')}: {numbers}; {seconds:.1f} s of work. Written {escape(written)}.</p>\n",
        _failures([record for record in records if record.state == "failed"]),
        _under_way([record for record in records if record.state == "claimed"]),
        _slowest([record for record in records if record.seconds is not None]),
        "</body></html>\n",
    ]
    return "".join(parts)


#: The states in words.
_NAMES: dict[State, str] = {"claimed": "under way", "done": "done", "failed": "failed"}


def _failures(records: Sequence[TaskRecord]) -> str:
    rows = [f"<td>{escape(record.what)}</td><td><pre>{escape(record.error)}</pre></td>" for record in records]
    return _table("Failed", "<th>task</th><th>reason</th>", rows)


def _under_way(records: Sequence[TaskRecord]) -> str:
    return _table("Under way", "<th>task</th>", [f"<td>{escape(record.what)}</td>" for record in records])


def _slowest(records: Sequence[TaskRecord]) -> str:
    slowest = sorted(records, key=lambda record: -(record.seconds or 0.0))[:_SLOWEST]
    rows = [
        f'<td>{escape(record.what)}</td><td class="number">{record.seconds:.2f}</td><td class="number">'
        f'{"" if record.peak_bytes is None else size_text(record.peak_bytes)}</td><td>{escape(record.host)}</td>'
        for record in slowest
    ]
    head = '<th>task</th><th class="number">seconds</th><th class="number">peak</th><th>machine</th>'
    return _table("Slowest", head, rows)


def _table(title: str, head: str, rows: Sequence[str]) -> str:
    """Return a section with a table, nothing without rows."""
    if not rows:
        return ""
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<h2>{title}</h2>\n<table><tr>{head}</tr>\n{body}\n</table>\n"
