"""The file: one, whole, and nothing in it is taken for what it is not."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from fibprover.base.errors import FileProblem
from fibprover.frontends.display.page import document
from fibprover.frontends.display.page.document import FILE, SCRIPTS, STYLES, asset, check_folder, embedded, write_page

ASSETS = Path(document.__file__).parent / "assets"

EMPTY: dict[str, Any] = {"title": "A title", "items": []}


def test_every_asset_is_used() -> None:
    there = {file.name for file in ASSETS.iterdir()}
    assert there == {*SCRIPTS, *STYLES, "page.html", "theme.js", "atlas.css", "atlas.js"}


@pytest.mark.parametrize("file", sorted(ASSETS.iterdir()), ids=lambda file: file.name)
def test_no_asset_refers_to_anything_outside(file: Path) -> None:
    text = file.read_text().replace("http://www.w3.org/2000/svg", "")
    outside = r"https?:|url\((?!#)|@import|src=|fetch\(|XMLHttpRequest|innerHTML|insertAdjacent|eval\("
    assert not re.search(outside, text)
    assert len(text.splitlines()) <= 410


def test_no_name_is_declared_twice() -> None:
    """The files are one script, in which a later function of the same name would replace an earlier one."""
    names = [
        name for script in SCRIPTS
        for name in re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", asset(script), re.MULTILINE)
    ]
    assert len(names) > 100
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_what_may_run_is_named_by_its_hash() -> None:
    text = document.document(EMPTY)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    allowed = policy[1].replace("&#x27;", "'")
    assert allowed.startswith("default-src 'none';")
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert (len(scripts), len(styles)) == (2, 1)
    for part in scripts + styles:
        assert f"sha256-{b64encode(sha256(part.encode()).digest()).decode()}" in allowed
    assert "unsafe" not in allowed


@pytest.mark.parametrize(
    "text",
    [
        "</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;&amp;", "\u2028\u2029", "%%SCRIPT%%",
        "\\u003c", "\ud800",
    ],
)
def test_a_text_in_the_content_is_only_a_text(text: str) -> None:
    inside = embedded({"text": text})
    assert not re.search(r"[<>&\u2028\u2029]", inside)
    assert json.loads(inside)["text"] == text.replace("\ud800", "\ufffd" * 3)
    assert document.document({"title": text, "text": text}).count("</script>") == 3


def test_other_files_in_the_folder_stay(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    file = write_page(EMPTY, folder)
    assert file == folder / FILE
    (folder / "own.txt").write_text("mine")
    before = file.read_text()
    write_page({**EMPTY, "title": "Another"}, folder)
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "own.txt"]
    assert (folder / "own.txt").read_text() == "mine"
    assert "<title>Another</title>" in file.read_text() != before


def test_a_page_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("<title>My cats</title>")
    with pytest.raises(FileProblem, match="was not written by fibprover"):
        write_page(EMPTY, tmp_path)
    assert (tmp_path / FILE).read_text() == "<title>My cats</title>"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileProblem, match="is not a folder"):
        check_folder(tmp_path / "file")
    with pytest.raises(FileProblem, match="cannot be made"):
        write_page(EMPTY, tmp_path / "file" / "below")


def test_a_failure_leaves_the_old_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_page(EMPTY, tmp_path)
    before = file.read_bytes()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(FileProblem, match="No space left"):
        write_page({**EMPTY, "title": "new"}, tmp_path)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_a_folder_that_cannot_be_written(unwritable: Path) -> None:
    with pytest.raises(FileProblem, match="cannot be made"):
        write_page(EMPTY, unwritable / "page")
