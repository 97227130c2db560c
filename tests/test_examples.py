"""Checks that every example of the documentation is tested: each block is of a kind that is run, each command exists.

tests/test_docs.py runs console blocks and Python sessions, tests/cli/test_help.py transcripts of fibprover's prompt.
"""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest

from fibprover.frontends.cli import main as program
from tests.cli.command import answer
from tests.test_docs import PAGES, ROOT, blocks

_FENCE = re.compile(r"^ *(`{3,}|~{3,})([^\n`]*)\n(.*?)^ *\1$", re.MULTILINE | re.DOTALL)


def test_python_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Prove the scripts of theorems that pages show, and run other Python files."""
    scripts = [body for _, kind, body in all_blocks() if kind == "python"]
    assert scripts
    for body in scripts:
        (tmp_path / "script.py").write_text(body)
        if "Chapter(" not in body:
            runpy.run_path(str(tmp_path / "script.py"))
            continue
        said = answer(capsys, "prove", str(tmp_path / "script.py"), "--long", "-j", "1")
        assert said.status == 0, said.out + said.err


def all_blocks() -> list[tuple[str, str, str]]:
    """Return page, kind and text of every fenced block."""
    texts = ((str(page.relative_to(ROOT)), page.read_text()) for page in PAGES)
    return [(page, match[2], match[3]) for page, text in texts for match in _FENCE.finditer(text)]


def test_no_block_is_left_out() -> None:
    """Every fenced block is of a kind that a test runs."""
    files = [file.read_text() for pattern in ("*.txt", "*.jsonl") for file in (ROOT / "docs").glob(pattern)]
    stated = (ROOT / "docs" / "K2.stable.lean").read_text()
    left = []
    for page, kind, body in all_blocks():
        run_here = kind in ("console", "pycon", "python")
        at_the_prompt = kind == "text" and body.startswith("fibprover> ")  # tests/cli/test_help.py
        a_file = kind in ("text", "fibprover", "json") and body in files  # which the page runs
        one_after_another = page == "docs/certificates.md" and body.startswith("$ ")  # tests/certificate/test_files.py
        kinds = ("system ", "word ", "sequence ", "predicate ")
        printed = page == "docs/certificates.md" and body.startswith(kinds)  # tests/certificate/test_counted_lines.py
        lean = page == "docs/lean.md" and (body.startswith("$ ") or body in stated)  # tests/certificate/test_lean.py
        a_game = (page, kind) == ("docs/atlas.md", "toml")  # tests/games/test_atlas.py
        if not (run_here or at_the_prompt or a_file or one_after_another or printed or a_game or lean):
            left.append((page, kind, body))
        if run_here and kind != "python":
            assert (f"```{kind}\n{body}```\n") in (ROOT / page).read_text(), "unknown to tests/test_docs.py"
    assert left == []


def test_console_blocks_begin_with_a_command() -> None:
    assert [place for place, text in blocks("console") if not text.startswith("$ ")] == []


def commands_shown() -> list[tuple[str, str]]:
    """Return page and text of the commands that are shown without output, as they are long or write files."""
    shown = []
    for page in PAGES:
        for line in _FENCE.sub("", page.read_text()).splitlines():
            match = re.fullmatch(r"    (fibprover (?:.*?))(?: {2,}.*|  #.*)?", line)
            if match:
                shown.append((page.name, match[1]))
    return shown


@pytest.mark.parametrize(("page", "command"), commands_shown())
def test_commands_shown_exist(page: str, command: str) -> None:
    """The program has the command and its options."""
    words = shlex.split(re.sub(r" [12]?>.*", "", command))[1:]
    if not words or not words[0].islower():
        return  # the program alone, or a placeholder
    if words[0].startswith("--"):
        assert words[0] in {option for action in program.parser([])._actions for option in action.option_strings}
        return
    assert words[0] in program.COMMANDS
    (choices,) = (action.choices for action in program.parser(words)._actions if action.dest == "command")
    assert isinstance(choices, dict)
    options = {option for action in choices[words[0]]._actions for option in action.option_strings}
    used = {re.split("=| ", word)[0] for word in words if re.match("--?[a-z]", word)}
    assert used <= options
