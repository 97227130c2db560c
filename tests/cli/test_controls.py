"""Control characters: whatever texts, names and files hold, a terminal shows them, and does not carry them out."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.base.screen import EscapingStream, Verbatim, escaped
from fibprover.campaigns.sweeps.store import Store, TaskRecord
from fibprover.checker import fibcheck
from fibprover.frontends.display.values import traceback_lines
from fibprover.prover.certificate.checking import verified_checker
from tests.cli.command import answer
from tests.cli.terminal import Terminal

#: An escape sequence that retitles a window, C1, marks of bidirectional text, a return to the first column, a bell.
HOSTILE = "\x1b]0;owned\x07\x9b31m\u202e\u2066\u200f\u2028\r\x7f\x08\U000e0041"


def acting(text: str) -> set[str]:
    """The characters of a text that a terminal does not show."""
    return {sign for sign in text if sign not in "\n\t" and unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp")}


def test_all_of_these_act() -> None:
    assert acting(HOSTILE) == {*HOSTILE} - {*"]0;owned31m"}


@given(st.text())
def test_an_escaped_text(text: str) -> None:
    assert not acting(escaped(text))
    if not acting(text):
        assert escaped(text) == text


@given(st.text(), st.text())
def test_what_the_program_paints_is_written_and_what_is_around_it_is_escaped(before: str, after: str) -> None:
    stream = StringIO()
    green = Verbatim("\x1b[32mTRUE\x1b[0m")
    print(before + green + after, file=EscapingStream(stream), end="")
    assert stream.getvalue() == escaped(before) + "\x1b[32mTRUE\x1b[0m" + escaped(after)


def script(folder: Path) -> Sequence[str]:
    file = folder / f"{HOSTILE.translate({0x2028: None})}.txt"
    file.write_text(f'eval a "Ax x=x";\neval b "Ax {HOSTILE}";')
    return "run", str(file)


def words(folder: Path) -> Sequence[str]:
    file = folder / "words.json"
    file.write_text(json.dumps({f"W{HOSTILE}": {"morphism": HOSTILE}}))
    return "eval", "--words", str(file), "x=1"


def automaton(folder: Path) -> Sequence[str]:
    file = folder / "even.txt"
    file.write_text(f"msd_2\n{HOSTILE}\n")
    return "eval", "--load", str(file), "$even(x)"


def theorems(folder: Path) -> Sequence[str]:
    file = folder / "script.py"
    file.write_text(
        f"import fibprover as fp\nc = fp.Chapter({HOSTILE!r})\n"
        f"c.theorem({HOSTILE!r}, 'Ax Ey y>x', statement={HOSTILE!r}, source={HOSTILE!r})\n"
        f"c.theorem({HOSTILE * 2!r}, 'Ax Ey y<x', statement={HOSTILE!r})\n"
        f"c.theorem('third', {'Ax ' + HOSTILE!r}, statement={HOSTILE!r})\n"
    )
    return "prove", str(file), "--jobs", "1", "--certificates", str(folder / "certificates")


def store(folder: Path) -> Sequence[str]:
    with Store(folder / "store.sqlite") as made:
        made.finish(TaskRecord(HOSTILE, HOSTILE, "failed", error=HOSTILE, host=HOSTILE))
    return "store", str(folder / "store.sqlite")


def damaged_store(folder: Path) -> Sequence[str]:
    store(folder)
    with sqlite3.connect(folder / "store.sqlite") as made:
        made.execute("UPDATE tasks SET result = ?, state = ?", (HOSTILE, HOSTILE))
    made.close()
    return "store", str(folder / "store.sqlite")


def certificate(folder: Path) -> Sequence[str]:
    file = folder / "c.jsonl"
    file.write_text(json.dumps({"certificate": 1, "variables": {}}) + "\n" + json.dumps({HOSTILE: HOSTILE}) + "\n")
    return "check", str(file)


def atlas(folder: Path) -> Sequence[str]:
    file = folder / "atlas.toml"
    text = json.dumps(HOSTILE).replace("\\ud", "\\\\ud")
    file.write_text(
        f'title = {text}\nabout = {text}\n[[game]]\nid = {text}\nname = {text}\nmoves = "nim()"\nknown = {text}\n'
        f'source = {{ authors = {text}, title = {text}, year = 1901 }}\nearlier = "proved"\n'
        'expected = { status = "proved", system = "msd_2", states = 7 }\n'
    )
    return "atlas", str(file)


def formula(_folder: Path) -> Sequence[str]:
    return "eval", f"Ax x=x & {HOSTILE}"


def option(_folder: Path) -> Sequence[str]:
    return "eval", f"--{HOSTILE}", "x=1"


def missing(folder: Path) -> Sequence[str]:
    return "check", str(folder / HOSTILE)


def game(_folder: Path) -> Sequence[str]:
    return "game", f"i=1 {HOSTILE}"


def terms(folder: Path) -> Sequence[str]:
    (folder / "terms.txt").write_text(f"1 {HOSTILE} 3\n")
    return "study", "--terms", str(folder / "terms.txt")


WAYS = (
    script, words, automaton, theorems, store, damaged_store, certificate, atlas, formula, option, missing, game, terms,
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("progress", ["none", "plain"])
def test_no_command_writes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], way: Callable[[Path], Sequence[str]], progress: str
) -> None:
    given = list(way(tmp_path))
    if given[0] not in ("store", "check"):
        given[1:1] = ["--progress", progress]
    said = answer(capsys, *given)
    assert not acting(said.out + said.err)
    assert "owned" in said.out + said.err, "it is shown"


def test_json_stays_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "script.txt").write_text(f'eval b "Ax {HOSTILE}";')
    said = answer(capsys, "run", "--json", str(tmp_path / "script.txt"))
    assert not acting(said.out)
    assert HOSTILE.replace("\r", "\n") in json.loads(said.out)["text"]


def test_a_terminal_gets_the_sequences_of_the_program_only(tmp_path: Path) -> None:
    (tmp_path / "load.txt").write_text(f'eval b "Ax x=x & {HOSTILE}";')
    with Terminal(tmp_path) as terminal:
        terminal.wait("fibprover> ")
        assert "TRUE" in terminal.say("Ax x=x")
        assert "owned" in terminal.say("load load.txt;")
        terminal.type("\x04")
        terminal.end()
    shown = terminal.shown.decode()
    assert "\x1b[1;32mTRUE\x1b[0m" in shown
    assert not re.search("\x1b(?!\\[)|\x07", shown)
    assert not {sign for sign in acting(shown) if ord(sign) >= 0x7F}


@pytest.mark.parametrize("key", ["word", "formula", "statement", "define", "certificate"])
@pytest.mark.parametrize("added", [HOSTILE, "\nVALID", "\x0b\x0c\u2029", "\nowned\r"])
def test_checkers_show_what_a_line_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str, added: str
) -> None:
    """Nothing of it acts, adds a line such as VALID, or hides one."""
    session = fp.Session()
    session.define("even", "?msd_2 Ey x=2*y")
    made = session.prove("?msd_2 En T[n]=@1 & T[n+1]=@1 & $even(n)").certificate().lines
    lines = [{**line, key: f"{line[key]}{added}"} if key in line else line for line in made]
    assert lines != list(made)
    file = tmp_path / "c.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    commands = [[sys.executable, fibcheck.__file__, str(file)]]
    source = Path(__file__).parents[2] / "checker" / "coq" / "verified.ml"
    if (program := verified_checker()) is not None and Path(program).stat().st_mtime > source.stat().st_mtime:
        commands.append([program, str(file)])
    for command in commands:
        done = subprocess.run(command, capture_output=True, check=False)
        said = (done.stdout + done.stderr).decode()
        assert not acting(said)
        assert said.splitlines().count("VALID") == (done.returncode == 0)
    checked = answer(capsys, "check", str(file))
    assert not acting(checked.out + checked.err)
    assert checked.out.splitlines().count("VALID") == (checked.status == 0)


def test_errors_in_notebooks() -> None:
    assert not acting("".join(traceback_lines(FibproverError(HOSTILE, hint=HOSTILE))))
