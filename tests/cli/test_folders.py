"""`fibprover run --home-dir --session-dir`: started as Walnut is started, and the paper's session."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata.digit_order import to_reading_order
from fibprover.frontends.conversation.completion import candidates
from fibprover.workspace.walnut import read_automaton, write_automaton
from tests.cli.command import answer
from tests.cli.terminal import Terminal

PROOFS = Path(__file__).parents[2] / "proofs"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for library in ("Automata Library", "Word Automata Library", "Command Files"):
        (tmp_path / "home" / library).mkdir(parents=True)
    (tmp_path / "home/Automata Library/even.txt").write_text("msd_2\n0 1\n0 -> 0\n1 -> 1\n1 0\n0 -> 0\n1 -> 1\n")
    (tmp_path / "home/Command Files/go.txt").write_text('def six "x<7 & $even(x)"; eval all "Ax $six(x) => x!=3";')
    return tmp_path / "home"


def test_a_script_of_the_home_folder(capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path) -> None:
    said = answer(capsys, "run", f"--home-dir={home}/", f"--session-dir={tmp_path}/s/", "go.txt")
    assert (said.status, said.err) == (0, "")
    assert said.out.endswith("eval all: TRUE\n")
    kept = sorted(path.relative_to(tmp_path / "s").as_posix() for path in (tmp_path / "s").rglob("*.txt"))
    assert kept == ["Automata Library/all.txt", "Automata Library/six.txt", "Result/all.txt", "Result/six.txt"]
    assert not (home / "Session").exists()


def test_a_script_somewhere_else(capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text('eval a "$even(6)"; load go.txt;')
    script = str(tmp_path / "other.txt")
    said = answer(capsys, "run", "--home-dir", str(home), "--session-dir", str(tmp_path / "s"), script)
    assert said.status == 0
    answers = [line for line in said.out.splitlines() if not line.startswith(" ")]
    assert [line.partition(": ")[0] for line in answers] == ["eval a", "def six", "eval all", "load go.txt"]
    assert "eval a: TRUE" in said.out and "eval all: TRUE" in said.out


def test_a_session_of_its_own_and_none(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    assert answer(capsys, "run", "--home-dir", str(home), "go.txt").status == 0
    (made,) = (home / "Session").iterdir()
    assert re.fullmatch(r"\d{4}(_\d\d){5}", made.name)
    assert (made / "Automata Library/six.txt").exists()
    assert not (home / "Automata Library/six.txt").exists()
    assert answer(capsys, "run", "--home-dir", str(home), "--global-session", "go.txt").status == 0
    assert (home / "Automata Library/six.txt").exists()


def test_a_name_of_an_earlier_session_says_where_it_is(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command lines of the hint find it."""
    assert answer(capsys, "run", "--home-dir", str(home), "go.txt").status == 0
    (made,) = (home / "Session").iterdir()
    (home / "Command Files/more.txt").write_text('eval a "Ax $six(x) => x<7";')
    monkeypatch.chdir(home)
    for line in (["run", "more.txt"], ["eval", "Ex $six(x)"], ["run", "--home-dir", str(home), "more.txt"]):
        said = answer(capsys, *line)
        assert said.status == 2
        assert "no predicate is called six" in said.err and f"--session-dir '{made}'" in said.err
        assert answer(capsys, line[0], "--session-dir", str(made), *line[1:]).status == 0


def test_a_folder_of_walnut_is_recognized(
    capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "bin").mkdir()
    monkeypatch.chdir(home / "bin")
    said = answer(capsys, "run", "go.txt")
    assert said.status == 0 and said.out.endswith("eval all: TRUE\n") and str(home) in said.err
    (made,) = (home / "Session").iterdir()
    assert (made / "Automata Library/six.txt").exists()
    monkeypatch.chdir(made)
    before = sorted(home.rglob("*"))
    found = answer(capsys, "eval", "$even(6)")
    assert (found.status, found.out) == (0, "TRUE\n") and str(home) in found.err
    assert answer(capsys, "eval", "--home-dir", "none", "$even(6)").status == 2
    assert sorted(home.rglob("*")) == before
    monkeypatch.chdir(tmp_path)
    assert answer(capsys, "run", str(home / "Command Files/go.txt")).status == 0
    missing = answer(capsys, "run", "go.txt")
    assert missing.status == 2 and "--home-dir" in missing.err
    assert answer(capsys, "eval", "$even(6)").status == 2


def test_a_script_that_is_named_by_its_path_is_that_one(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "go.txt").write_text('eval here "$even(8)";')
    monkeypatch.chdir(home)
    assert answer(capsys, "run", "go.txt").out == "eval here: TRUE\n"


def test_scripts_of_the_home_folder_complete(home: Path) -> None:
    session = fp.Session()
    session.use_folders(home)
    (home / "Command Files/sub").mkdir()
    assert candidates("load ", "", session) == ["go.txt", "sub/"]
    assert candidates("load ", "g", session) == ["go.txt"]


def test_formulas_and_drawings_find_names_there(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    """And write nothing: not even a folder for a session."""
    before = sorted(home.rglob("*"))
    place = ("--home-dir", str(home))
    found = answer(capsys, "eval", *place, "Ex $even(x) & x>2").out
    assert found.startswith("TRUE") and "x = 4" in found
    assert answer(capsys, "explain", *place, "Ex $even(x)").status == 0
    assert "digraph" in answer(capsys, "draw", *place, "even").out
    assert "<svg" in answer(capsys, "board", "--session-dir", str(home), "$even(x) & y<x").out
    assert answer(capsys, "eval", "--home-dir", str(home / "none"), "Ex $even(x)").status == 2
    assert sorted(home.rglob("*")) == before


def test_the_current_folder_is_the_home(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    assert answer(capsys, "run", "--session-dir", "../s", "go.txt").status == 0
    assert (home.parent / "s/Result/six.gv").exists()


def test_nothing_is_written_without_the_options(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    before = sorted(home.rglob("*"))
    (home / "Command Files/go.txt").write_text('def six "x<7"; eval all "Ax $six(x) => x!=9";')
    assert answer(capsys, "run", "--home-dir", "none", "Command Files/go.txt").status == 0
    assert sorted(home.rglob("*")) == before


def test_a_malformed_file_names_itself_and_the_line(
    capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path
) -> None:
    bad = home / "Automata Library/even.txt"
    bad.write_text("msd_2\n0 1\n0 -> 0\n1 -> 4\n")
    said = answer(capsys, "run", "--home-dir", str(home), "--session-dir", str(tmp_path / "s"), "go.txt")
    assert (said.status, said.out) == (2, "")
    assert f"{bad}, line 4: state 4 is not declared" in said.err
    assert not list((tmp_path / "s").rglob("*.txt"))


def test_a_home_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("")
    said = answer(capsys, "run", "--home-dir", str(tmp_path / "none"), str(tmp_path / "x.txt"))
    assert said.status == 2
    assert said.err.startswith(f"error: {tmp_path / 'none'} is not a folder")


def test_a_script_that_is_nowhere(capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path) -> None:
    for folder in (home, tmp_path / "none"):
        said = answer(capsys, "run", "--home-dir", str(folder), "--session-dir", str(tmp_path / "s"), "no.txt")
        assert said.status == 2
        assert said.err.startswith(f"error: {folder}/Command Files/no.txt cannot be read: No such file")


def test_the_prompt_has_the_same_folders(home: Path, tmp_path: Path) -> None:
    with Terminal(tmp_path, "prompt", f"--home-dir={home}", f"--session-dir={tmp_path}/s") as terminal:
        terminal.wait("fibprover> ")
        assert "TRUE" in terminal.say("$even(6)")
        assert "eval all: TRUE" in terminal.say("load go.txt;")
        terminal.type("exit\r")
        assert terminal.end() == 0
    assert (tmp_path / "s/Automata Library/six.txt").exists()


@pytest.mark.long
def test_the_papers_session(capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path) -> None:
    """The 72 printed commands, with the words as .txt files: every statement is true, as the paper says."""
    for name, word in fp.Session("msd_fib").load_words(PROOFS / "words.json").items():
        write_automaton(to_reading_order(word.machine, word=True), home / "Word Automata Library" / f"{name}.txt")
    script = (PROOFS / "paper_commands.txt").read_text()
    (home / "Command Files/paper.txt").write_text(script)
    said = answer(capsys, "run", f"--home-dir={home}", f"--session-dir={tmp_path}/s", "paper.txt")
    assert said.status == 0
    verdicts = [line for line in said.out.splitlines() if line.startswith("eval ")]
    assert len(verdicts) == len(re.findall("^eval ", script, re.MULTILINE)) > 30
    assert {line.rpartition(": ")[2] for line in verdicts} == {"TRUE"}
    digits = fp.Session().namespace.track
    sizes = {
        name: read_automaton(tmp_path / "s/Automata Library" / f"{name}.txt", digits).states
        for name in ("pposK2", "pposW2")
    }
    assert sizes == {"pposK2": 27, "pposW2": 73}  # as published


def test_an_eval_defines_its_name_and_a_failed_one_leaves_none(
    capsys: pytest.CaptureFixture[str], home: Path, tmp_path: Path
) -> None:
    (home / "Command Files/on.txt").write_text(
        'def foo "x=0"; eval foo "$nosuch(1)"; eval t "$foo(0)"; eval foo "x=0"; eval u "$foo(0)";'
    )
    said = answer(capsys, "run", "--keep-going", f"--home-dir={home}", f"--session-dir={tmp_path}/s", "on.txt")
    assert said.status == 2 and "foo is undefined because line 1 failed" in said.err
    assert "eval t" not in said.out and said.out.endswith("eval u: TRUE\n")
