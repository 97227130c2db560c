"""Names of files that are made of ids, names of words and of theorems: one function makes them all."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fibprover as fp
from fibprover.base.names import file_name
from fibprover.campaigns.atlas.results import file_of
from tests.cli.command import answer

ROOT = Path(__file__).resolve().parents[2]

#: Ids that are paths, devices, options, hidden files, no files at all, or too long for one.
IDS = (
    "a/b", "a+2Fb", "../x", "..", ".", "/etc/x", "a\\b", "C:x", "-x", ".x", "con", "NUL.x", "", " ", "x ", "x\0y",
    "x\ny", "\x1b[31m", "ä", "a\u0308", "\udc80", "long" * 100, "long" * 101, "A", "*",
)


@pytest.mark.parametrize("name", IDS)
def test_a_name_is_one_file_in_its_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / file_name(name, ".jsonl.gz")).write_text("x")
    (made,) = tmp_path.rglob("*.gz")
    assert made.parent == folder
    assert made.name.isascii()
    assert not made.name.startswith((".", "-"))


def test_different_names_have_different_files() -> None:
    assert len({file_name(name) for name in IDS}) == len(IDS)


@given(st.text(max_size=250), st.text(max_size=250))
def test_any_two_names(one: str, other: str) -> None:
    assert (file_name(one) == file_name(other)) is (one == other)
    assert len(file_name(one)) <= 200


@given(st.from_regex(r"[a-zA-Z0-9][\w.-]{0,60}", fullmatch=True))
def test_plain_names_stay(name: str) -> None:
    if name.isascii() and name[:3].lower() not in ("con", "prn", "aux", "nul", "com", "lpt"):
        assert file_name(name) == name


def test_certificates_of_theorems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "script.py"
    ids = ("a/b", "../x", "/x", ".x", "e\u0301", "long" * 100)
    lines = [f"c.theorem({name!r}, 'Ax Ey y>x', statement='None.')" for name in ids]
    script.write_text("\n".join(["import fibprover as fp", "c = fp.Chapter('Names')", *lines]))
    folder, page = tmp_path / "sub" / "certificates", tmp_path / "page"
    said = answer(
        capsys, "prove", str(script), "--certificates", str(folder), "--html", str(page), "--jobs", "1",
        "--json", str(tmp_path / "out.json"),
    )
    assert said.status == 0, said.err
    assert {path.parent for path in tmp_path.rglob("*.gz")} == {folder}
    files = [row["certificate"]["file"] for row in json.loads((tmp_path / "out.json").read_text())]
    assert sorted(map(Path, files)) == sorted(folder.iterdir())
    assert len(files) == len(ids)


@pytest.mark.long
def test_certificates_of_sheets_and_recursions(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    sheet = fp.study("T", only=["squares"], certify=folder)
    assert [line.certificate is not None and line.certificate.checked for line in sheet.lines] == [True]
    fp.Session("msd_2", certify=folder).solve("R", "n=0 | n>1 & $R(n-2)", by="n")
    assert {path.parent for path in tmp_path.rglob("*.gz")} == {folder}
    assert len(list(folder.iterdir())) == 2


def test_results_of_the_atlas(tmp_path: Path) -> None:
    assert {file_of(tmp_path, name).parent for name in IDS} == {tmp_path}


#: The places that make names of files in another way, and why they may.
OTHERS = {
    "base/files.py": "the temporary file beside one that is written",
    "base/folders.py": "names that it has compared with those of definitions, as Walnut has them",
    "workspace/commands/files.py": "a file that a user may have meant",
    "workspace/walnut.py": "the further files of a base, beside the first",
    "frontends/cli/game.py": "automata of a proof script, which have names of predicates",
}


def composed(tree: ast.AST) -> Iterator[str]:
    """Yield the names of files that are made of texts: `folder / f"..."`, `Path.with_name(f"...")`."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=ast.Div(), right=ast.JoinedStr() as name) | ast.AugAssign(
                op=ast.Div(), value=ast.JoinedStr() as name
            ):
                yield ast.unparse(name)
            case ast.Call(func=ast.Attribute(attr="with_name" | "joinpath"), args=[ast.JoinedStr() as name]):
                yield ast.unparse(name)


def test_one_function_makes_the_names_of_files() -> None:
    package = ROOT / "fibprover"
    found = {
        file.relative_to(package).as_posix() for file in package.rglob("*.py")
        if any(composed(ast.parse(file.read_text())))
    }
    assert found == set(OTHERS)
