"""`fibprover draw NAME`."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from fibprover.frontends.cli.main import main
from tests.cli.command import answer
from tests.display.structure import of_dot, of_svg, of_tikz

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


def test_tikz(capsys: pytest.CaptureFixture[str], given: list[str], tmp_path: Path) -> None:
    bare = answer(capsys, "draw", *given, "even", "--format", "tikz").out
    assert of_tikz(bare) == of_dot(answer(capsys, "draw", *given, "even").out)
    assert bare.startswith("% even (x)\n")
    for name, options in (("a.tex", ["--standalone"]), ("b.tikz", []), ("c.txt", ["--format", "tikz"])):
        file = tmp_path / name
        said = answer(capsys, "draw", *given, "even", "-o", str(file), *options)
        assert (said.status, said.out, said.err) == (0, "", "")
        assert file.read_text() == bare or file.read_text().startswith("\\documentclass{article}\n")
        assert (file.read_text() == bare) is (name != "a.tex")


def test_svg_of_our_own(capsys: pytest.CaptureFixture[str], given: list[str]) -> None:
    drawn = answer(capsys, "draw", *given, "even", "--format", "svg", "--layout", "own").out
    assert of_svg(drawn) == of_dot(answer(capsys, "draw", *given, "even").out)


@pytest.mark.parametrize(("form", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_images(
    capfdbinary: pytest.CaptureFixture[bytes], given: list[str], tmp_path: Path, form: str, start: bytes
) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"x.{form}"
    assert main(["draw", *given, "even", "--layout", "own", "-o", str(file)]) == 0
    assert capfdbinary.readouterr().out == b""
    assert main(["draw", *given, "even", "--layout", "own", "--format", form]) == 0
    said = capfdbinary.readouterr()
    assert said.out == file.read_bytes()
    assert said.out.startswith(start)
    assert said.err == b""


@pytest.mark.parametrize("option", ["--timeout", "--cpu-timeout"])
def test_graphviz_is_given_the_time_of_the_command(
    option: str, capsys: pytest.CaptureFixture[str], given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\nwhile :; do :; done\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    said = answer(capsys, "draw", *given, "even", "--format", "svg", option, "0.5")
    assert said.status == 3
    assert "0.5 s" in said.err and "graphviz" in said.err and "--layout own" in said.err


@pytest.mark.parametrize(
    ("arguments", "status", "part"),
    [
        (["nothing"], 2, "unknown word or predicate nothing"),
        (["evem"], 2, "did you mean even?"),
        (["$Zz"], 2, "did you mean Z?"),
        (["Ax x>=0"], 2, "the formula is TRUE"),
        (["x=y &"], 2, "  x=y &\n"),
        (["msd_nine"], 2, "no numeration system msd_nine"),
        (["x<100", "--limit", "3"], 2, "11 states: not drawn\n  hint: use limit=11 (--limit 11 on the command line)"),
        (["even", "--standalone"], 2, "--standalone works only with TikZ"),
        (["even", "--layout", "graphviz", "--format", "svg"], 2, "dot of graphviz is not installed"),
        (["even", "-o", "{folder}/out.png"], 2, "pip install 'fibprover[drawing]'"),
        (["even", "--format", "png"], 2, "needs graphviz or matplotlib"),
        (["even", "-o", "{folder}/out.bmp"], 2, "*.svg, *.png, *.pdf, *.dot, *.gv, *.tex, *.tikz"),
        (["even", "-o", "{folder}/no/such/out.svg"], 2, "cannot be written"),
        (["x=1000001*y", "--max-states", "100", "-o", "{folder}/out.svg"], 3, "100 states"),
    ],
    ids=range(14),
)
def test_an_error_writes_nothing(
    capsys: pytest.CaptureFixture[str], given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], status: int, part: str,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    (tmp_path / "out.svg").write_text("as it was")
    before = sorted(tmp_path.rglob("*"))
    said = answer(capsys, "draw", *given, *(text.replace("{folder}", str(tmp_path)) for text in arguments))
    assert (said.status, said.out) == (status, "")
    assert part in said.err
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "out.svg").read_text() == "as it was"
