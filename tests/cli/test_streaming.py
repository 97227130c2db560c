"""Long lists of tuples: printed as they are found, to a reader that may go away, within the limits."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fibprover import Session
from fibprover.frontends.display.text import relation_parts, relation_text
from tests.few import few

COMMAND = (sys.executable, "-m", "fibprover")


def test_the_reader_goes_away() -> None:
    with subprocess.Popen(
        [*COMMAND, "eval", "x>=0", "-n", "100000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        lines = [process.stdout.readline() for _ in range(3)]
        process.stdout.close()
        said = process.stderr.read()
        status = process.wait(timeout=60)
    assert lines[0] == "{x:msd_2}: infinite, 1 state\n"
    assert lines[1] == "  " + " ".join(f"{x}," for x in range(20)) + "\n"
    assert (said, status) == ("", 141)


@pytest.mark.parametrize("form", few([[], ["--json"]], 2))
def test_a_limit(form: list[str]) -> None:
    done = subprocess.run(
        [*COMMAND, "eval", "x>=0", "-n", "100000000000", "--timeout", "1", *form],
        capture_output=True, text=True, check=False, timeout=120,
    )
    assert done.returncode == 3
    assert "1 s is spent" in done.stderr


def test_lines() -> None:
    relation = Session("msd_fib").relation("x<150")
    assert relation_text(relation, 100).count("\n") == 1
    assert relation_text(relation, 100).endswith(" 99, ...")
    whole = relation_text(relation, 149)
    assert whole.splitlines()[2:4] == [
        "  " + " ".join(f"{x}," for x in range(20, 40)), "  " + " ".join(f"{x}," for x in range(40, 60)),
    ]
    assert whole.endswith("\n  140, 141, 142, 143, 144, 145, 146, 147, 148, ...")
    assert relation_text(relation, 150).endswith(" 148, 149") == relation_text(relation, 10**6).endswith(" 148, 149")
    few = Session("msd_fib").relation("x<100")
    assert relation_text(few, 10**6).count("\n") == 1
    assert relation_text(Session().relation("x<y & y<30"), 10**6).splitlines()[1].startswith("  (0, 1), (0, 2), (0, 3)")


def test_the_first_part_is_small() -> None:
    parts = relation_parts(Session().relation("x>=0"), 10**9)
    assert next(parts).count("\n") < 10
    assert next(parts).count("\n") < 1000
