"""`fibprover game`."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from fibprover.games.theorem import discover
from tests.cli.command import answer, finished, started

#: Renard & Rigo, Table 3: representations of the first few P-positions in K^1.
TABLE_3 = """\
0 - 1 1
2 10 4 101
3 100 6 1001
5 1000 9 10001
7 1010 12 10101
8 10000 14 100001
10 10010 17 100101
11 10100 19 101001
13 100000 22 1000001
15 100010 25 1000101
"""

TABLE_4 = {
    "n": [*range(18)],
    "a_n": [4, 5, 6, 7, 9, 11, 13, 15, 16, 18, 19, 21, 22, 24, 25, 27, 29, 30],
    "b_n": [8, 10, 12, 14, 17, 20, 23, 26, 28, 31, 33, 36, 38, 41, 43, 46, 49, 51],
}

#: A search that ends soon without an answer.
UNDECIDED = ("terminal(2)", "--system", "msd_3", "--largest", "1000", "--max-states", "1000")


def test_a_theorem(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "terminal(1)")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith("Game.  terminal(1), the game K^1.  Two players")
    assert "by an automaton with 5 states" in " ".join(said.out.split())
    assert "\n1. The P-positions" in said.out


@pytest.mark.long
def test_the_same_game_by_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """The theorem depends on the rules and not on what the game is called."""
    one = answer(capsys, "game", "terminal(1)", "--json", "-")
    other = answer(capsys, "game", "j=0 | i=j | i=0", "--terminal", "a+b<2", "--json", "-")
    first, second = json.loads(one.out), json.loads(other.out)
    assert (one.status, other.status) == (0, 0)
    assert first["automaton"] == second["automaton"]
    assert [finding["statement"] for finding in first["findings"]] == [
        finding["statement"] for finding in second["findings"]
    ]


def test_blocking_by_option(capsys: pytest.CaptureFixture[str]) -> None:
    one = answer(capsys, "game", "blocking(3)", "--no-findings", "--json", "-")
    other = answer(capsys, "game", "i=0 | j=0 | i=j", "--blocked", "2", "--no-findings", "--json", "-")
    assert json.loads(one.out)["automaton"] == json.loads(other.out)["automaton"]


def test_no_findings(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "terminal(1)", "--no-findings")
    assert said.status == 0
    assert "\n1. " not in said.out


def test_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", *UNDECIDED)
    assert said.status == 3
    assert "No theorem: undecided." in said.out
    assert "msd_3" in said.out and "too large" in said.out
    assert "Theorem." not in said.out


def test_no_automaton(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "blocking(5)", "--system", "msd_5", "--largest", "16384")
    assert said.status == 1
    assert "No theorem: no automaton." in said.out
    assert "no proof" in " ".join(said.out.split())
    assert "msd_5" in said.out and "grows" in said.out


def test_json_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "k1.json"
    said = answer(capsys, "game", "terminal(1)", "--json", str(file))
    assert said.status == 0
    assert said.out.startswith("Game.")
    found = json.loads(file.read_text())
    assert (found["status"], found["system"], found["states"], found["data_bound"]) == ("proved", "msd_fib", 5, 3000)
    undecided = answer(capsys, "game", *UNDECIDED, "--json", str(file))
    assert (undecided.status, json.loads(file.read_text())["status"]) == (3, "undecided")


@pytest.mark.long
def test_the_proof_as_a_script(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Game, script, `fibprover run`: all is TRUE; and FALSE with another automaton."""
    file = tmp_path / "k2.txt"
    said = answer(capsys, "game", "terminal(2)", "--script", str(file))
    assert said.status == 0
    automata = [str(tmp_path / f"k2_{name}.txt") for name in "PAB"]
    loads = [word for automaton in automata for word in ("--load", automaton)]
    done = answer(capsys, "run", *loads, str(file))
    assert (done.status, done.err) == (0, "")
    assert done.out.count(": TRUE") == file.read_text().count("\neval ") > 10
    text = Path(automata[0]).read_text()
    assert "\n4 1\n" in text or "\n3 1\n" in text
    accepting = next(line for line in text.splitlines() if line.endswith(" 1") and "->" not in line)
    Path(automata[0]).write_text(text.replace(f"\n{accepting}\n", f"\n{accepting[:-1]}0\n"))
    tampered = answer(capsys, "run", *loads, str(file))
    assert tampered.status == 1
    assert ": FALSE" in tampered.out


@pytest.mark.long
def test_misere_play(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Wythoff's game in which who cannot move wins: (0,1), (1,0) and (2,2) in place of (0,0), (1,2) and (2,1)."""
    file, certificate = tmp_path / "m.txt", tmp_path / "P.jsonl.gz"
    asked = ("game", "wythoff()", "--misere", "--json", "-", "--script", str(file), "--certify", str(tmp_path))
    said = answer(capsys, *asked)
    found = json.loads(said.out)
    assert (said.status, found["status"], found["states"], found["rules"]["misere"]) == (0, "proved", 13, True)
    assert found["findings"][0]["name"] == "sequences"
    automata = [word for name in "PAB" for word in ("--load", str(tmp_path / f"m_{name}.txt"))]
    done = answer(capsys, "run", *automata, str(file))
    assert (done.status, done.out.count(": TRUE")) == (0, file.read_text().count("\neval "))
    assert answer(capsys, "check", str(certificate)).out.splitlines()[-1] == "VALID"
    usual, misere = (
        {tuple(row) for row in json.loads(answer(capsys, "game", "wythoff()", *more, "--positions", "60",
                                                 "--format", "json").out)["rows"]}
        for more in ((), ("--misere",))
    )
    assert usual - misere == {(0, 0), (1, 2), (2, 1)}
    assert misere - usual == {(0, 1), (1, 0), (2, 2)}
    refused = answer(capsys, "game", "wythoff()", "--misere", "--value", "1")
    assert refused.status == 2 and "misere" in refused.err


def test_the_automaton_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("k1.svg", "k1.dot"):
        assert answer(capsys, "game", "terminal(1)", "--no-findings", "--automaton", str(tmp_path / name)).status == 0
    assert (tmp_path / "k1.svg").read_text().startswith("<")
    assert (tmp_path / "k1.dot").read_text().startswith('digraph "terminal(1)"')


def test_nothing_is_written_that_is_not_proved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = ("--script", str(tmp_path / "x.txt"), "--automaton", str(tmp_path / "x.dot"))
    said = answer(capsys, "game", *UNDECIDED, *files)
    assert said.status == 3
    assert said.err.count("was not written: nothing is proved") == 2
    assert list(tmp_path.iterdir()) == []


def test_boards(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The figure with K^2 and K^3: three colours, as the command `board` draws them."""
    file = tmp_path / "k2k3.svg"
    said = answer(
        capsys, "game", "terminal(2)", "--positions", "8", "--board", str(file), "--compare", "terminal(3)",
        "--size", "12",
    )
    assert said.status == 0
    drawn = file.read_text()
    for legend in ("terminal(2) only", "terminal(3) only", ">both<"):
        assert legend in drawn
    assert answer(capsys, "game", "terminal(2)", "--positions", "0", "--board", str(file)).status == 0
    assert "only" not in file.read_text()


# -- lists -------------------------------------------------------------------------------------------------


def test_table_3(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--table", "--representations", "--from", "-1", "--count", "10")
    said = answer(capsys, "game", "terminal(1)", *options)
    assert said.status == 0
    rows = [line.replace("|", "").split() for line in said.out.splitlines()]
    assert rows[0] == ["a_n", "rep(a_n)", "b_n", "rep(b_n)"]
    assert rows[2:] == [line.replace("-", "\u03b5").split() for line in TABLE_3.splitlines()]
    assert answer(capsys, "game", "terminal(1)", *options, "--system", "fib").out == said.out


def test_table_4(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "terminal(3)", "--table")
    assert (said.status, said.err) == (0, "")
    rows = [line.split("|") for line in said.out.splitlines()]
    assert {name.strip(): [int(number) for number in numbers.split()] for name, numbers in rows} == TABLE_4


def test_table_5(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "terminal(4)", "--table", "--format", "json")
    rows = json.loads(said.out)["rows"]
    assert [a for _, a, _ in rows] == [5, 6, 7, 8, 9, 11, 13, 15, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31]
    assert [b for _, _, b in rows] == [10, 12, 14, 16, 18, 21, 24, 27, 30, 33, 35, 38, 40, 43, 45, 48, 50, 53]


def test_positions(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "terminal(1)", "--positions", "6", "--format", "csv")
    assert (said.status, said.out) == (0, "a,b\n0,0\n0,1\n1,0\n2,4\n4,2\n")
    found = json.loads(answer(capsys, "game", "terminal(1)", "--positions", "6", "--format", "json").out)
    assert (found["game"], found["bound"], found["terminal"]) == ("terminal(1)", 6, 3)
    assert found["rows"][3] == [2, 4]


def test_a_theorem_in_another_format(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    theorem = discover("terminal(1)", with_findings=False)
    asked = ("game", "terminal(1)", "--no-findings", "--format")
    assert answer(capsys, *asked, "latex").out == theorem.to_latex()
    script = answer(capsys, *asked, "latex", "--script", str(tmp_path / "k1.txt"))
    assert script.out == theorem.to_latex("k1") and "k1_P" in (tmp_path / "k1.txt").read_text()
    file = tmp_path / "k1.json"
    found = json.loads(answer(capsys, *asked, "json", "--json", str(file)).out)
    assert (found["game"], found["states"]) == ("terminal(1)", 5)
    assert json.loads(file.read_text())["automaton"] == found["automaton"]


def test_what_is_not_proved_is_no_latex(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", *UNDECIDED, "--format", "latex")
    assert (said.status, said.out) == (3, "") and "No theorem" in said.err


def test_help_takes_no_numpy() -> None:
    check = (
        "import sys; sys.modules['numpy'] = None\n"
        "from fibprover.frontends.cli.main import main\n"
        "main(['game', '--help'])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "ready-made games" in done.stdout


def test_grundy_values(capsys: pytest.CaptureFixture[str]) -> None:
    """Wythoff's game."""
    pytest.importorskip("fibprover.games.positions")
    said = answer(capsys, "game", "wythoff()", "--grundy", "4", "--format", "csv")
    assert (said.status, said.out) == (0, ",0,1,2,3\n0,0,1,2,3\n1,1,2,0,4\n2,2,0,1,5\n3,3,4,5,6\n")
    found = json.loads(answer(capsys, "game", "wythoff()", "--grundy", "3", "--format", "json").out)
    assert found["rows"] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    refused = answer(capsys, "game", "blocking(2)", "--grundy", "3")
    assert refused.status == 2
    assert "no Sprague-Grundy values" in refused.err


# -- what goes wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("terminal(2)", "--table", "--json", "x"), "--table prints a list"),
        (("terminal(2)", "--positions", "5", "--script", "x.txt"), "--positions prints a list"),
        (("terminal(2)", "--count", "5"), "need --table"),
        (("terminal(2)", "--format", "csv"), "CSV is for lists"),
        (("terminal(2)", "--format", "latex", "--json", "-"), "not both"),
        (("terminal(2)", "--compare", "terminal(3)"), "--compare needs a board"),
        (("terminal(2)", "--board", "x.bmp"), "the name of a board must be *.svg"),
        (("terminal(2)", "--board", "x.svg", "--size", "100000"), "100000 columns"),
        (("terminal(2)", "--automaton", "x.bmp"), "the name of a drawing must be"),
        (("terminal(2)", "--script", "2.txt"), "the script's name begins all names in it"),
        (("terminal(2)", "--terminal", "a<1"), "terminal positions of its own"),
        (("terminal(-1)",), "not a natural number"),
        (("chess(2)",), "unknown game chess"),
        (("i=0 | x=0",), "x is not among these variables"),
        (("i=0 | j=0 &",), "expected a formula after"),
        (("p=r",), "need not end"),
        (("terminal(2)", "--system", "msd_none"), "there is no numeration system msd_none"),
        (("terminal(2)", "--table", "--representations", "--system", "msd_2,msd_3"), "in one system"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    said = answer(capsys, "game", *arguments)
    assert said.status == 2
    assert message in said.err
    assert "Traceback" not in said.err and "internal error" not in said.err


def test_a_mistake_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "i=0 | x=0", "--json", "-")
    assert said.status == 2
    assert json.loads(said.out)["error"] == "UnknownName"


def test_a_file_that_cannot_be_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The theorem is said first."""
    said = answer(capsys, "game", "terminal(1)", "--no-findings", "--json", str(tmp_path / "no" / "x.json"))
    assert said.status == 2
    assert "cannot be written" in said.err
    assert "Theorem." in said.out


def test_a_spent_budget(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "terminal(2)", "--timeout", "0.000001")
    assert said.status == 3
    assert said.err.startswith("budget spent: the budget of 1e-06 s")


# -- processes ---------------------------------------------------------------------------------------------


@pytest.mark.long
def test_nothing_but_the_answer_in_a_pipe() -> None:
    said = finished(started("game", "terminal(1)", "--no-findings"))
    assert (said.status, said.err) == (0, "")
    assert "\x1b" not in said.out


def test_other_commands_import_no_games() -> None:
    check = "print(sorted(name for name in sys.modules if name.startswith('fibprover.games') or name == 'numpy'))\n"
    said = finished(started("eval", "Ax,y x+y=y+x", afterwards=check))
    assert (said.status, said.out) == (0, "TRUE\n[]\n")


def test_progress_on_a_terminal() -> None:
    """The line says what is done, and is erased at the end."""
    ours, theirs = pty.openpty()
    with started("game", "blocking(10)", "--system", "msd_fib", stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        try:
            while b"positions" not in seen:
                seen += os.read(ours, 4096)
        finally:
            process.terminate()
            process.communicate(timeout=300)
            os.close(ours)
    assert b"\x1b[K" in seen
    assert b"step 0" not in seen
