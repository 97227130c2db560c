"""Scripts of theorems written for the tests, and what a report says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

HEAD = "import fibprover as fp\nc = fp.Chapter('T', source='S', system='msd_fib')\n"
TRUE = HEAD + "c.theorem('t.true', 'Ax,y x+y=y+x', statement='sums commute')\n"
#: A theorem that says nothing about m>n.
EMPTY = "c.theorem('v', 'An Em (m=n+1 => m>n)', statement='s', form='printed')\n"

KEYS = [
    "id", "source", "statement", "form", "expected", "verdict", "skipped", "vacuous", "evidence", "states_textbook",
    "states_paper", "states_built", "seconds", "peak_bytes",
]

#: Writes a file of a folder of scripts.
Write = Callable[..., Path]
#: Runs `fibprover prove`: exit status, JSON objects, standard output and error.
Prove = Callable[..., tuple[int, list[dict[str, Any]], str, str]]


def cells(out: str, name: str) -> dict[str, str]:
    """The short columns of a row of the table, from the right: those after the texts."""
    lines = [line.replace("not measured", "not_measured") for line in out.splitlines()]
    (heads,) = (line.split() for line in lines if line.startswith("id "))
    heads = heads[heads.index("form") :]
    (row,) = (line for line in lines if line.split()[:1] == [name] and len(line.split()) > len(heads))
    return dict(zip(heads, row.split()[-len(heads) :], strict=True))


def verdicts(objects: list[dict[str, Any]]) -> dict[str, bool | None]:
    return {row["id"]: row["verdict"] for row in objects}
