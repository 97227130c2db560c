"""Small files that would take hours, or all memory, and files whose numbers are too long to be printed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Malformed
from tests.certificate.hostile import CHECKER, measured
from tests.certificate.test_forged import Lines, Written
from tests.certificate.verified import PROGRAM


def begun(digits: int, variables: str) -> Written:
    """Lines about numbers in a base."""
    row = [number for digit in range(digits) for number in (digit, 0)]
    return Written([
        {"certificate": 2, "variables": dict.fromkeys(variables, "s")},
        {"system": "s", "digits": digits, "outputs": [1], "rows": [row]},
    ])


def formula_that_doubles() -> Lines:
    """Each claim has both claims before it: written out, the last formula has millions of millions of atoms."""
    lines = begun(2, "xy")
    one, other = lines.claim("atom", formula="x=y"), lines.claim("atom", formula="x<y")
    for _ in range(80):
        one, other = other, lines.claim("iff", of=[one, other])
    lines.claim("exists", of=[other], bound=["x"])
    return lines.lines


def recursion_of_equivalences() -> Lines:
    """Each <=> of a recursion has two copies of both sides."""
    lines = begun(2, "xyz")
    lines.add(predicate="P", systems=["s"], outputs=[1], rows=[[0, 0, 1, 0]])
    formula = "$P(x)"
    for number in range(60):
        formula = f"({formula} <=> x={number})"
    lines.claim("recursion", of=[], recursion=[{"name": "P", "parameters": ["x"], "formula": formula, "weights": [1]}])
    return lines.lines


def letters_of_both() -> Lines:
    """Two places of an expression read a hundred thousand letters each, and have none in common."""
    lines = begun(1024, "x")
    one, other = ([[digit % 512 + more] for digit in range(100_000)] for more in (0, 512))
    lines.add(predicate="P", systems=["s"], outputs=[0], rows=[[0, 0]],
              expression=["and", ["repeat", ["letters", *one], 90, 90], ["repeat", ["letters", *other], 90, 90]])
    return lines.lines


def index_that_does_not_occur() -> Lines:
    """A matrix for each digit of an index that does not occur: a thousand times the transitions of the relation."""
    lines, states = begun(1024, "ni"), 200
    rows = [[number for there in range(states) for number in (there, there)] for _ in range(states)]
    own = {"systems": ["s"], "outputs": [1] * states, "rows": rows}
    lines.add(predicate="P", **own)
    lines.add(automaton=0, **own)
    lines.claim("atom", formula="$P(i)", relation=[0, ["i"]])
    lines.add(sequence="p", over="s", counts="$P(i)", index="n", bound=["i"], claim=0)
    return lines.lines


def written(lines: Lines, folder: Path) -> Path:
    file = folder / "certificate.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


@pytest.mark.parametrize("make", [
    formula_that_doubles, recursion_of_equivalences, letters_of_both, index_that_does_not_occur])
def test_limits_are_asked(make: Callable[[], Lines], tmp_path: Path) -> None:
    """A file that takes long is refused soon after its time is over, or at once."""
    with pytest.raises((fibcheck.Invalid, Malformed)):
        fibcheck.check(str(written(make(), tmp_path)), seconds=3.0, steps=1 << 40)


def test_memory_of_counts(tmp_path: Path) -> None:
    """The limit is asked before there is a matrix for each digit of the index."""
    status, peak, _ = measured(CHECKER, written(index_that_does_not_occur(), tmp_path))
    assert status == 1 and peak < 200


# -- numbers that are too long ---------------------------------------------------------------

def sequence(entry: int) -> Lines:
    """n is represented by 3n ones, so the 15th term is the 45th power of an entry."""
    lines = begun(2, "n")
    lines.lines[1] |= {"outputs": [1, 0, 0, 1], "rows": [[0, 0, 1, 1], [1, 2], [1, 3], [1, 1]]}
    lines.add(sequence="a", over="s", row=[1], column=[1], matrices=[[[0, 1]], [[0, entry]]])
    lines.claim("and", of=[])
    lines.add(statement="true")
    return lines.lines


@pytest.mark.parametrize(("entry", "status"), [(1 << 317, 0), (1 << 318, 2), ([1, 1 << 318], 2)])
def test_long_terms(entry: Any, status: int, tmp_path: Path) -> None:
    """Both refuse a file whose terms have too many digits to be printed; fibcheck.py ended with a traceback."""
    file = written(sequence(entry), tmp_path)
    for program in ([sys.executable, str(CHECKER[-1])], *([[str(PROGRAM)]] if PROGRAM.exists() else [])):
        done = subprocess.run([*program, str(file)], capture_output=True, text=True, check=False)
        assert done.returncode == status and "Traceback" not in done.stderr, done
        assert ("too many digits" in done.stderr) is (status == 2)
