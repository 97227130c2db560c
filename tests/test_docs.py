"""Whatever the documentation shows has been run: console blocks and Python blocks of every page.

Blocks of other kinds are run elsewhere, or are no examples: `test_no_block_is_left_out` has the list.
"""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from fibprover.cli import main as program
from tests.cli.command import answer

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_ANY = re.compile(r"^ *(`{3,}|~{3,})([^\n`]*)\n(.*?)^ *\1$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[tuple[str, str]]:
    """Blocks of a kind, each with its page and line."""
    found = []
    for page in PAGES:
        text = page.read_text()
        for match in _BLOCK.finditer(text):
            if match[1] == kind:
                line = text.count("\n", 0, match.start()) + 1
                found.append((f"{page.relative_to(ROOT)}:{line}", match[2]))
    return found


COMMANDS = [
    pytest.param(command[1], command[2], id=f"{place} {command[1]}")
    for place, text in blocks("console")
    for command in _COMMAND.finditer(text)
]


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_console(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str, output: str
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    assert program == "fibprover"
    said = answer(capsys, *arguments)
    assert untimed(arguments, said.out + said.err) == untimed(arguments, output)


def untimed(arguments: list[str], text: str) -> str:
    """What is printed, without the times that `explain` shows (they differ from run to run)."""
    return re.sub(r" +\d+\.\d+", " (time)", text) if arguments[0] == "explain" else text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python(monkeypatch: pytest.MonkeyPatch, page: Path) -> None:
    """The Python blocks of a page are one conversation."""
    monkeypatch.chdir(ROOT)
    text = "".join(match[2] for match in _BLOCK.finditer(page.read_text()) if match[1] == "pycon")
    example = doctest.DocTestParser().get_doctest(text, {}, page.name, page.name, 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert outcome.failed == 0, "".join(said)


def test_python_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The scripts of theorems that pages show are proved."""
    scripts = [body for _, kind, body in all_blocks() if kind == "python"]
    assert scripts
    for body in scripts:
        (tmp_path / "script.py").write_text(body)
        said = answer(capsys, "prove", str(tmp_path / "script.py"), "--long", "-j", "1")
        assert said.status == 0, said.out + said.err


def all_blocks() -> list[tuple[str, str, str]]:
    """Page, kind and text of every fenced block."""
    return [
        (str(page.relative_to(ROOT)), match[2], match[3]) for page in PAGES for match in _ANY.finditer(page.read_text())
    ]


def test_no_block_is_left_out() -> None:
    """Every fenced block is one that is run."""
    files = [file.read_text() for file in (ROOT / "docs").glob("*.txt")]
    left = []
    for page, kind, body in all_blocks():
        run_here = kind in ("console", "pycon", "python")
        at_the_prompt = kind == "text" and body.startswith("fibprover> ")  # tests/cli/test_help.py
        a_file = kind == "text" and body in files  # which the page runs
        if not (run_here or at_the_prompt or a_file):
            left.append((page, kind, body))
        if run_here and kind != "python":
            assert (f"```{kind}\n{body}```\n") in (ROOT / page).read_text(), "not as the tests look for it"
    assert left == []


def test_console_blocks_begin_with_a_command() -> None:
    assert [place for place, text in blocks("console") if not text.startswith("$ ")] == []


def commands_shown() -> list[tuple[str, str]]:
    """Page and text of commands that are shown without what they print, as they are long or write files."""
    shown = []
    for page in PAGES:
        for line in _FENCED.sub("", page.read_text()).splitlines():
            match = re.fullmatch(r"    (fibprover (?:.*?))(?: {2,}.*|  #.*)?", line)
            if match:
                shown.append((page.name, match[1]))
    return shown


@pytest.mark.parametrize(("page", "command"), commands_shown())
def test_commands_shown_exist(page: str, command: str) -> None:
    """Their options are those of the program."""
    words = shlex.split(re.sub(r" [12]?>.*", "", command))[1:]
    if not words or not words[0].islower():
        return  # the program alone, or a placeholder
    assert words[0] in program.COMMANDS
    (choices,) = (action.choices for action in program.parser(words)._actions if action.dest == "command")
    options = {option for action in choices[words[0]]._actions for option in action.option_strings}
    used = {re.split("=| ", word)[0] for word in words if re.match("--?[a-z]", word)}
    assert used <= options


def test_there_is_something_to_run() -> None:
    assert len(COMMANDS) >= 10
    assert len(blocks("pycon")) >= 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = _FENCED.sub("", page.read_text())
    broken = [link for link in _LINK.findall(text) if not (page.parent / link).exists()]
    assert broken == []
