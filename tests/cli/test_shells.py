"""Completion scripts, run by the shells that they are for; a shell that is not installed is skipped."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from fibprover.frontends.cli.main import COMMANDS, complete_parser
from fibprover.frontends.cli.shells import SHELLS, completion_script
from tests.cli.command import answer

#: Runs the function that the script has registered, as bash does, and prints what it proposes.
_BASH = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
registered=$(complete -p fibprover); registered=${registered#*-F }
"${registered%% *}" fibprover "${@: -1}" "${@: -2:1}"
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module", params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return str(request.param)


@pytest.fixture(scope="module")
def script(shell: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp(shell) / "_fibprover"
    file.write_text(completion_script(complete_parser(), shell))
    return file


def completed(shell: str, script: Path, line: str, folder: Path) -> set[str]:
    """Return the words that a shell proposes for the last word of a command line."""
    if shell == "zsh":
        return completed_by_zsh(script, line, folder)
    if shell == "bash":
        command = ["bash", "--norc", "-c", _BASH, "bash", str(script), *line.split(" ")]
    else:
        command = ["fish", "--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', str(script), line]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "HOME": str(folder)},
        capture_output=True, text=True, check=True, timeout=60,
    )
    assert done.stderr == ""
    return {proposed.partition("\t")[0].rstrip("/") for proposed in done.stdout.splitlines() if proposed}


def completed_by_zsh(script: Path, line: str, folder: Path) -> set[str]:
    """Type the line and a Tab into zsh, on a terminal; return the words of the line that it makes of it."""
    pid, ours = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "HOME": str(folder), "TERM": "dumb", "PS1": ""})
    setup = f"fpath=({script.parent} $fpath); autoload -Uz compinit; compinit -D -u\n"
    setup += "fibprover() { print -l MADE: $@ :END; }\n"
    shown = b""
    try:
        os.write(ours, setup.encode() + b"print REA''DY\n")
        until = time.monotonic() + 60
        while b"READY\r" not in shown and time.monotonic() < until:
            shown += os.read(ours, 10000)
        os.write(ours, f"{line}\t\n".encode())
        while b":END\r" not in shown and time.monotonic() < until:
            shown += os.read(ours, 10000)
    finally:
        os.close(ours)
        os.waitpid(pid, 0)
    words = shown.decode(errors="replace").replace("\r", "").partition("MADE:\n")[2].partition(":END")[0].split("\n")
    return {words[-2]}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("fibprover wor", "words"),
        ("fibprover eval --max-s", "--max-states"),
        ("fibprover eval --system msd_tri", "msd_trib"),
        ("fibprover system verify lsd_fi", "lsd_fib"),
        ("fibprover system verif", "verify"),
        pytest.param("fibprover words RF", "RF", marks=pytest.mark.long),
        pytest.param("fibprover draw --format sv", "svg", marks=pytest.mark.long),
        pytest.param("fibprover draw msd_tri", "msd_trib", marks=pytest.mark.long),
        pytest.param("fibprover explain --without push", "push-guard", marks=pytest.mark.long),
        ("fibprover eval --load defin", "definitions.txt"),
        ("fibprover prove --html fol", "folder"),
        ("fibprover --vers", "--version"),
    ],
)
def test_a_shell_completes(shell: str, script: Path, tmp_path: Path, line: str, expected: str) -> None:
    (tmp_path / "definitions.txt").touch()
    (tmp_path / "folder").mkdir()
    assert {word.rstrip("/") for word in completed(shell, script, line, tmp_path)} == {expected}


def test_every_command_and_option_is_completed(shell: str, script: Path) -> None:
    text = script.read_text()
    for command in COMMANDS:
        assert command in text
    limited = [name for name in COMMANDS if name not in ("words", "kernel", "store")]
    assert text.count("-l max-memory" if shell == "fish" else "--max-memory") >= len(limited)


def test_the_option_prints_the_script(capsys: pytest.CaptureFixture[str], shell: str, script: Path) -> None:
    said = answer(capsys, "--print-completion", shell)
    assert (said.status, said.err) == (0, "")
    assert said.out.rstrip() == script.read_text().rstrip()
