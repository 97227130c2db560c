"""Runs the console blocks and Python blocks of every page of the documentation, and compares what they print.

They run in a copy of the project's folders, so that they write their files there; pictures are compared with those of
the documentation. `make golden` writes the output of console blocks anew.
"""

from __future__ import annotations

import doctest
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

from fibprover.campaigns.theorems.chapter import claim_of
from fibprover.campaigns.theorems.scripts import collect, scripts
from tests.cli.command import answer
from tests.golden import renewing
from tests.pictures import GALLERY, PICTURES, alike, mirror, shown_on, written

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

#: Pages whose Python takes seconds: `make test-long` runs it.
SLOW_PAGES = ("invent.md", "paper.md", "sequences.md", "solve.md", "splithoff.md", "study.md")

#: What is in the commands that take half a second and more.
SLOW_COMMANDS = re.compile(
    r"invent |raleigh|a->ab, b->cb|--by p|blocking\(10\)|g\.tex|0->011, 1->0001|study sturmian|terminal\(1\)'$"
)

_BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[tuple[str, str]]:
    """Return the blocks of a kind, each with its page and line."""
    found = []
    for page in PAGES:
        text = page.read_text()
        for match in _BLOCK.finditer(text):
            if match[1] == kind:
                line = text.count("\n", 0, match.start()) + 1
                found.append((f"{page.relative_to(ROOT)}:{line}", match[2]))
    return found


COMMANDS = [
    pytest.param(
        ROOT / place.rsplit(":", 1)[0], command[1], command[2], id=f"{place} {command[1]}",
        marks=[pytest.mark.long] if SLOW_COMMANDS.search(command[1]) else [],
    )
    for place, text in blocks("console")
    for command in _COMMAND.finditer(text)
]


@pytest.mark.golden
@pytest.mark.parametrize(("page", "command", "output"), COMMANDS)
def test_console(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    page: Path, command: str, output: str,
) -> None:
    monkeypatch.chdir(mirror(tmp_path))
    program, *arguments = shlex.split(command)
    assert program == "fibprover"
    if command.endswith(".png"):
        pytest.importorskip("matplotlib")
    said = answer(capsys, *arguments)
    printed = said.out + said.err
    if renewing() and untimed(arguments, printed) != untimed(arguments, output):
        shown, now = (f"$ {command}\n{text}" for text in (output, printed))
        page.write_text(page.read_text().replace(shown, now, 1))
        output = printed
    assert untimed(arguments, printed) == untimed(arguments, output)
    check_pictures(tmp_path)


def check_pictures(folder: Path) -> None:
    """Check that the pictures drawn in a folder look like those of the documentation."""
    for file in written(folder):
        assert alike(file, PICTURES / file.name), file.name


def untimed(arguments: list[str], text: str) -> str:
    """Return the text without what differs by load.

    That is times that `explain` prints and the widths of its columns, the time of a sheet of `study`, and what `game`
    expects the next data to cost.
    """
    if arguments[0] == "study":
        return re.sub(r"\(\d+\.\d s\)$", "(time)", text, flags=re.MULTILINE)
    if arguments[0] == "game":
        head, next_data, costs = text.partition("\nNext.  ")
        return head + next_data + re.sub(r"\d+(\.\d+)? (s|KiB|MiB|GiB)|N\^\d\.\d", "(cost)", " ".join(costs.split()))
    if arguments[0] != "explain":
        return text
    return re.sub(r"(?<=\S) +", " ", re.sub(r" +\d+\.\d+", " (time)", text))


@pytest.mark.parametrize("page", [
    pytest.param(page, id=page.name, marks=[pytest.mark.long] if page.name in SLOW_PAGES else []) for page in PAGES
])
def test_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, page: Path) -> None:
    """The Python blocks of a page are one conversation."""
    monkeypatch.chdir(mirror(tmp_path))
    text = "".join(match[2] for match in _BLOCK.finditer(page.read_text()) if match[1] == "pycon")
    example = doctest.DocTestParser().get_doctest(text, {}, page.name, page.name, 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert outcome.failed == 0, "".join(said)
    check_pictures(tmp_path)


def test_the_gallery_draws_every_picture_that_it_shows() -> None:
    """By names; test_console and test_python compare the pictures."""
    text = GALLERY.read_text()
    drawn = set(re.findall(r"-o (\S+)", text)) | set(re.findall(r'\.save\("([^"]+)"\)', text))
    documents = {name for name in drawn if name.endswith(".tex")}
    assert shown_on(GALLERY) == drawn - documents | {f"{Path(name).stem}_tikz.png" for name in documents}
    assert len(drawn) >= 12


def test_there_is_something_to_run() -> None:
    assert len(COMMANDS) >= 10
    assert len(blocks("pycon")) >= 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = _FENCED.sub("", page.read_text())
    broken = [link for link in _LINK.findall(text) if not (page.parent / link).exists()]
    assert broken == []


@pytest.mark.parametrize("name", re.findall(r"^::: (\S+)$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE))
def test_names_of_the_api_exist(name: str) -> None:
    assert pkgutil.resolve_name(name) is not None


def test_the_readme_counts_the_theorems() -> None:
    chapters = collect(scripts([ROOT / "proofs"])).chapters
    claims = [step for chapter in chapters for step in chapter.declarations if claim_of(step) is not None]
    text = (ROOT / "README.md").read_text()
    assert re.findall(r"ships with ([\d,]+) checked statements", text) == [f"{len(claims):,}"]
