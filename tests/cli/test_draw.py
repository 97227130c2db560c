"""`fibprover draw NAME`."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.cli.command import answer

WORDS = '{"Z": {"morphism": [[0, 1], [0]], "coding": [0, 1], "system": "msd_fib"}}'


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    """Options that define a word Z and predicates Z and even."""
    words, script = tmp_path / "words.json", tmp_path / "script.txt"
    words.write_text(WORDS)
    script.write_text('def even "Ey x=2*y"; def Z "z<4";')
    return ["--words", str(words), "--load", str(script)]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("even", ['digraph "even"', "doublecircle"]),
        ("Z", ['label="0/0"', 'label="1/1"']),
        ("$Z", ["doublecircle"]),
        ("Z[n]=1", ["doublecircle"]),
        ("msd_fib", ['digraph "msd_fib"', "0 -> 1"]),
    ],
)
def test_dot(capsys: pytest.CaptureFixture[str], given: list[str], name: str, parts: list[str]) -> None:
    system = ["--system", "msd_fib"]
    said = answer(capsys, "draw", *given, *system, name)
    assert (said.status, said.err) == (0, "")
    assert said.out.endswith("}\n")
    for part in parts:
        assert part in said.out


def test_files(capsys: pytest.CaptureFixture[str], given: list[str], tmp_path: Path) -> None:
    svg, dot = tmp_path / "out.svg", tmp_path / "out.gv"
    for file in (svg, dot):
        said = answer(capsys, "draw", *given, "even", "-o", str(file))
        assert (said.status, said.out, said.err) == (0, "", "")
    assert ElementTree.fromstring(svg.read_text()).tag == "{http://www.w3.org/2000/svg}svg"
    assert dot.read_text() == answer(capsys, "draw", *given, "even").out


@pytest.mark.parametrize(
    ("arguments", "status", "part"),
    [
        (["nothing"], 2, "no word or predicate nothing"),
        (["evem"], 2, "did you mean even?"),
        (["$Zz"], 2, "did you mean Z?"),
        (["Ax x>=0"], 2, "it is TRUE"),
        (["x=y &"], 2, "  x=y &\n"),
        (["msd_nine"], 2, "no numeration system msd_nine"),
        (["x<100", "--limit", "3"], 2, "--limit"),
        (["even", "-o", "{folder}/out.bmp"], 2, "*.svg, *.png, *.pdf, *.dot, *.gv, *.tex, *.tikz"),
        (["even", "-o", "{folder}/no/such/out.svg"], 2, "cannot be written"),
        (["x=1000001*y", "--max-states", "100", "-o", "{folder}/out.svg"], 3, "100 states"),
    ],
    ids=range(10),
)
def test_an_error_writes_nothing(
    capsys: pytest.CaptureFixture[str], given: list[str], tmp_path: Path, arguments: list[str], status: int, part: str
) -> None:
    (tmp_path / "out.svg").write_text("as it was")
    before = sorted(tmp_path.rglob("*"))
    said = answer(capsys, "draw", *given, *(text.replace("{folder}", str(tmp_path)) for text in arguments))
    assert (said.status, said.out) == (status, "")
    assert part in said.err
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "out.svg").read_text() == "as it was"
