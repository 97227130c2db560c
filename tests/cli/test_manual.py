"""The manual page that `make man` writes has everything that the parser has."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fibprover.frontends.cli.main import complete_parser

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page, made by the command line in the Makefile."""
    file = tmp_path_factory.mktemp("man") / "fibprover.1"
    options = re.search(r"argparse-manpage (--module \S+ --function \S+)", (ROOT / "Makefile").read_text())
    assert options is not None
    subprocess.run([sys.executable, "-c", _MAIN, *options[1].split(), "--output", str(file)], cwd=ROOT, check=True)
    return file.read_text().replace(r"\-", "-")


#: What the program argparse-manpage does.
_MAIN = "from argparse_manpage.cli import main; main()"


def options(parser: argparse.ArgumentParser, command: str = "") -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from options(below, name)
        elif not isinstance(action, argparse._HelpAction):
            yield from ((command, option) for option in action.option_strings)


def test_the_page_has_every_option_of_every_command(page: str) -> None:
    sections = re.split(r"^\.SH COMMAND .*?'fibprover (\w+)'", re.sub(r"\\f.|\\[,/]", "", page), flags=re.MULTILINE)
    text = {"": page, **dict(zip(sections[1::2], sections[2::2], strict=True))}
    wanted = list(options(complete_parser()))
    assert len(wanted) >= 100
    assert [(command, option) for command, option in wanted if option not in text[command]] == []


def test_the_page_is_well_formed(page: str, tmp_path: Path) -> None:
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    file = tmp_path / "fibprover.1"
    file.write_text(page)
    command = ["mandoc", "-T", "lint", "-W", "error", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
