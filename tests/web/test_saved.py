"""Cells that two pages change: one list of both, in which nothing that either wrote is lost."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.base.errors import FileProblem
from fibprover.base.locks import locked
from fibprover.frontends.web.files import asset
from fibprover.frontends.web.saved import FILE, LOCK, Cell, merged, save_cells, saved_cells

Texts = st.lists(st.sampled_from("abcdef"), max_size=7)


def cells(texts: str | list[str]) -> list[Cell]:
    return [{"kind": "commands", "text": text} for text in texts]


#: What two pages have made of a list of cells, and what becomes of it.
CASES = [
    ("abc", "abc", "abc", "abc"),
    ("abc", "aXc", "abc", "aXc"),
    ("abc", "abc", "abY", "abY"),
    ("abc", "Xbc", "abY", "XbY"),  # each has changed another cell
    ("abc", "aXc", "aYc", "aXYc"),  # both have changed the same one
    ("abc", "ac", "abc", "ac"),  # removed here
    ("abc", "ac", "aYc", "aYc"),  # removed here, changed there
    ("ab", "Xb", "aY", "XY"),  # each has changed one of two neighbours
    ("abc", "abcd", "abce", "abcde"),
    ("", "x", "y", "xy"),
    ("ab", "ba", "ab", "ba"),  # moved
    ("a", "aa", "a", "aa"),
    ("cebcebe", "eb", "cdbce", "edb"),  # of equal cells each has removed another one
]


@pytest.mark.parametrize(("before", "mine", "theirs", "found"), CASES)
def test_changes_are_merged(before: str, mine: str, theirs: str, found: str) -> None:
    assert merged(cells(before), cells(mine), cells(theirs)) == cells(found)


def is_whole(before: list[str], mine: list[str], theirs: list[str], found: list[str]) -> bool:
    """Return whether two versions are merged without a loss of what is new in one of them, or is in both."""
    return {*mine, *theirs} - {*before} | {*mine} & {*theirs} <= {*found} <= {*mine, *theirs}


@given(Texts, Texts, Texts)
def test_nothing_that_is_new_is_lost(before: list[str], mine: list[str], theirs: list[str]) -> None:
    assert is_whole(before, mine, theirs, [cell["text"] for cell in merged(cells(before), cells(mine), cells(theirs))])
    assert merged(cells(before), cells(mine), cells(before)) == cells(mine)
    assert merged(cells(before), cells(before), cells(theirs)) == cells(theirs)
    assert merged(cells(before), cells(mine), cells(mine)) == cells(mine)


def test_many_equal_cells_are_merged_in_seconds() -> None:
    before, mine, theirs = (cells(text * 200) for text in ("ab", "ba", "abb"))
    begun = time.process_time()
    found = merged(before, mine, theirs)
    assert {cell["text"] for cell in found} == {*"ab"} and time.process_time() - begun < 5


_NODE = """
import fs from "node:fs";
import { merged } from "./kept.js";
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0)).map((versions) => merged(...versions))));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_two_tabs_of_a_browser_are_merged_as_well(tmp_path: Path) -> None:
    draw = random.Random(4)
    drawn = [tuple(draw.choices("abcdef", k=draw.randrange(8)) for _ in range(3)) for _ in range(2000)]
    drawn += [(before, mine, before) for before, mine, _ in drawn]
    drawn += [(before, before, theirs) for before, _, theirs in drawn]
    given = [(list(before), list(mine), list(theirs)) for before, mine, theirs, _ in CASES] + drawn
    (tmp_path / "kept.js").write_text(asset("kept.js"))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "main.js").write_text(_NODE)
    done = subprocess.run(
        ["node", "main.js"], input=json.dumps([[*map(cells, versions)] for versions in given]), text=True,
        stdout=subprocess.PIPE, cwd=tmp_path, check=True, timeout=60,
    )
    found = [[cell["text"] for cell in merged_cells] for merged_cells in json.loads(done.stdout)]
    assert found[: len(CASES)] == [list(expected) for *_, expected in CASES]
    for (before, mine, theirs), result in zip(given, found, strict=True):
        assert is_whole(before, mine, theirs, result), (before, mine, theirs)
        if theirs == before or mine == before:
            assert result == (mine if theirs == before else theirs)


#: A server whose page adds one cell after the other, without a look at those of others.
_PAGE = """
import sys
from fibprover.frontends.web.saved import save_cells
folder, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
cells = []
print("ready", flush=True)
sys.stdin.readline()
for number in range(count):
    before, cells = cells, [*cells, {"kind": "commands", "text": f"{name} {number}"}]
    save_cells(folder, {"cells": cells, "before": before})
"""


def test_two_servers_on_one_folder_lose_no_cells(tmp_path: Path) -> None:
    names, count = ("a", "b"), 40
    pages = [
        subprocess.Popen(
            [sys.executable, "-c", _PAGE, str(tmp_path), name, str(count)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for name in names
    ]
    for page in pages:
        assert page.stdout is not None and page.stdout.readline() == "ready\n"
    for page in pages:
        assert page.stdin is not None
        page.stdin.write("go\n")
        page.stdin.flush()
    for page in pages:
        page.communicate(timeout=60)
        assert page.returncode == 0
    found = [cell["text"] for cell in saved_cells(tmp_path)]
    assert sorted(found) == sorted(f"{name} {number}" for name in names for number in range(count))


def test_a_lock_is_waited_for_but_not_for_ever(tmp_path: Path) -> None:
    file, lock, entered = tmp_path / FILE, tmp_path / LOCK, threading.Event()
    with locked(lock):
        with pytest.raises(FileProblem, match=LOCK), locked(lock, seconds=0.05):
            entered.set()
        waits = threading.Thread(target=save_cells, args=(tmp_path, {"cells": cells("a")}))
        waits.start()
        waits.join(0.1)
        assert waits.is_alive() and not file.exists()
    waits.join(10)
    assert not entered.is_set() and json.loads(file.read_text())["cells"] == cells("a")


def test_a_page_without_kept_cells_loses_none_of_those_that_it_began_with(tmp_path: Path) -> None:
    assert save_cells(tmp_path, {"cells": cells("ab"), "before": cells("a")}) == cells("ab")
    assert saved_cells(tmp_path) == cells("ab")


def test_a_lock_of_another_user_is_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, opens = tmp_path / LOCK, os.open
    before = os.umask(0o022)
    try:
        with locked(lock):
            pass
    finally:
        os.umask(before)
    assert lock.stat().st_mode & 0o444 == 0o444  # others can read it

    def of_another_user(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opens(path, flags, mode)

    with locked(lock):
        monkeypatch.setattr(os, "open", of_another_user)
        with pytest.raises(FileProblem, match="another program"), locked(lock, seconds=0.05):
            pass
    with locked(lock):
        pass


_NODE_STORED = """
import { store, stored } from "./kept.js";
let text = null, writes = 0;
globalThis.localStorage = { getItem: () => text, setItem: (_, value) => { text = value; writes += 1; } };
const found = JSON.parse(process.argv[2]).map((each) => { text = each; return stored(); });
text = JSON.stringify({ cells: [{ kind: "commands", text: "a" }] });
await store(stored(), stored(), true);
console.log(JSON.stringify({ found, writes }));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_what_is_not_cells_in_a_browser_is_none(tmp_path: Path) -> None:
    texts = ["", "{", "null", "5", '{"cells": 5}', '{"cells": [null]}', '{"cells": [{"kind": "x", "text": "a"}]}',
             '{"cells": [{"kind": "python", "text": 3}]}']
    (tmp_path / "kept.js").write_text(asset("kept.js"))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "main.js").write_text(_NODE_STORED)
    done = subprocess.run(
        ["node", "main.js", json.dumps(texts)], text=True, stdout=subprocess.PIPE, cwd=tmp_path, check=True, timeout=60
    )
    # What has not changed is not written: other tabs would hear of it.
    assert json.loads(done.stdout) == {"found": [None] * len(texts), "writes": 0}


def test_a_link_in_place_of_the_lock_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / LOCK).symlink_to(tmp_path / "victim")
    with pytest.raises(FileProblem):
        save_cells(tmp_path, {"cells": cells("a")})
    assert not (tmp_path / "victim").exists()
