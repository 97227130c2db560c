"""The comparison with another program: fibprover stands in for it, and programs that fail are reported."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from benchmarks.groups import Group, paper_groups
from benchmarks.peer import LIBRARY, compared, tried, write_words
from benchmarks.run import main

GROUPS = {group.name: group for group in paper_groups()}
SMALL = Group("small", "a small one", ('def even "?msd_2 Ey x=2*y":', 'eval t "?msd_2 Ax $even(2*x)":'), (True,))
#: With a word that not everybody knows.
WORDED = Group(
    "worded", "one with a word", ('eval one "?msd_fib G[0]=@1":', 'eval other "?msd_fib En G[n]=@0":'), (True, True)
)

FIBPROVER = f"{shlex.quote(sys.executable)} -m fibprover run"

#: A program that reads commands from standard input and words from a library of text files.
READER = """
import sys
from pathlib import Path
import fibprover as fp
s = fp.Session()
for file in Path(sys.argv[1]).glob("*/*.txt"):
    s.namespace.load_word(file)
for _, outcome in s.run(sys.stdin.read()):
    if isinstance(outcome, fp.Verdict):
        print(outcome)
"""


def python(code: str, *arguments: str) -> str:
    return shlex.join([sys.executable, "-c", code, *arguments])


@pytest.mark.long
@pytest.mark.parametrize("peer", [f"{FIBPROVER} {{file}}", f"{FIBPROVER} -"])
def test_a_peer_reads_a_file_or_its_input(peer: str) -> None:
    mine, theirs = compared(SMALL, peer, 2, 600.0)
    assert (mine.failure, theirs.failure) == ("", "") and (len(mine.runs), len(theirs.runs)) == (2, 2)
    assert mine.seconds > 0 and theirs.seconds > 0 and theirs.peak > 1 << 20


@pytest.mark.long
def test_words_are_in_the_folder_that_the_peer_is_told() -> None:
    mine, theirs = compared(WORDED, python(READER, "{home}"), 1, 600.0)
    assert (mine.failure, theirs.failure) == ("", "")


def test_the_files_of_words(tmp_path: Path) -> None:
    write_words(tmp_path, GROUPS["K"].words)
    files = sorted((tmp_path / LIBRARY).iterdir())
    assert [file.name for file in files] == ["G.txt", "K3.txt", "K4.txt"]
    assert all(file.read_text().startswith("msd_fib\n\n0 ") for file in files)


@pytest.mark.parametrize(
    ("peer", "failure"),
    [
        (f"{FIBPROVER} {{file}}", r"failed: exit status 2, .*"),
        (python("raise SystemExit('no word G')"), r"failed: exit status 1, no word G"),
        (python("import sys; print('no word G', file=sys.stderr)"), r"failed: 0 verdicts instead of \d+, no word G"),
        (python("print('TRUE')"), "failed: 1 verdicts instead of 2"),
        (python("print('TRUE FALSE')"), "failed: wrong verdicts"),
        ("/no/such/program {file}", "failed: /no/such/program cannot be run: No such file or directory"),
    ],
)
@pytest.mark.long
def test_a_peer_that_fails_is_reported(peer: str, failure: str) -> None:
    mine, theirs = compared(WORDED, peer, 1, 600.0)
    assert mine.failure == "" and len(mine.runs) == 1
    assert re.fullmatch(failure, theirs.failure) and theirs.runs == ()


@pytest.mark.long
def test_it_is_not_run_again(tmp_path: Path) -> None:
    file = tmp_path / "runs"
    mine, theirs = compared(SMALL, python("import sys; print(1, file=open(sys.argv[1], 'a'))", str(file)), 3, 600.0)
    assert (len(mine.runs), theirs.runs, file.read_text()) == (3, (), "1\n")


@pytest.mark.long
def test_a_peer_that_does_not_end_is_stopped() -> None:
    assert tried([sys.executable, "-c", "import signal; signal.pause()"], "", (True,), 0.5) == "> 0.5 s"


@pytest.mark.long
def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "peer.md"
    peer = f"{FIBPROVER} {{file}}"
    assert main(["--peer", peer, "--runs", "1", "--only", "W3", "wythoff-2", "K", "-o", str(file)]) == 0
    assert file.read_text() == capsys.readouterr().out
    lines = [line.split(" | ") for line in file.read_text().splitlines() if line.startswith("|")]
    assert [line[0] for line in lines[2:]] == [
        "| K^1 to K^4: definitions, stable, absorbing", "| W^3: stable, absorbing", "| m-Wythoff, m = 2"
    ]
    without_words, others = lines[2], lines[3:]
    assert without_words[2].startswith("failed: exit status 2") and without_words[3:6:2] == ["-", "-"]
    for line in others:
        assert float(line[3]) > 0 and float(line[1]) > 0 and line[-1] == "1 |"
