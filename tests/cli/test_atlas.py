"""`fibprover atlas`."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path

import pytest

from fibprover.campaigns.atlas import run
from fibprover.campaigns.sweeps.store import TaskRecord
from fibprover.games.catalogue import game_of
from fibprover.games.positions import positions
from tests.cli.command import answer, finished, started

NIM = """
[[game]]
id = "nim"
name = "Nim <on> two piles"
moves = "nim()"
source = { authors = "C. L. Bouton", title = "Nim", year = 1901 }
known = "The P-positions are the pairs of equal piles."
earlier = "proved"
expected = { status = "proved", system = "msd_2", states = 1 }
"""

KING = """
[[game]]
id = "king"
name = "A king"
moves = "i<=1 & j<=1"
source = { authors = "nobody", title = "a test", year = 2026, where = "here" }
known = "Nothing."
earlier = "none known"
"""

#: A game about which nothing is proved, at once: few data.
OPEN = """
[[game]]
id = "open"
name = "W^5"
moves = "blocking(5)"
systems = ["msd_2"]
largest = 3000
source = { authors = "U. Larsson", title = "Blocking Wythoff Nim", year = 2011 }
known = "Nothing."
earlier = "none known"
"""

TITLE = 'title = "A small atlas"\nabout = "For the tests."\n'


@pytest.fixture
def atlas(tmp_path: Path) -> Path:
    file = tmp_path / "small.toml"
    file.write_text(TITLE + NIM + KING)
    return file


def result(file: Path, name: str) -> Path:
    return file.parent / "results" / f"{name}.json"


def test_a_small_atlas(atlas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "atlas", str(atlas), "--json", str(atlas.with_name("all.json")))
    assert (said.status, said.err) == (0, "")
    first, second, last = said.out.splitlines()
    assert first.split()[:6] == ["nim", "proved", "1", "state", "in", "msd_2"]
    assert second.split()[:2] == ["king", "proved"]
    assert last.startswith("2 games: 2 proved")
    nim, king = json.loads(atlas.with_name("all.json").read_text())
    assert (nim["id"], nim["status"], nim["states"], nim["mark"], nim["as_expected"]) == ("nim", "proved", 1, "", True)
    assert king["expected"] is None
    assert "no earlier proof" in king["mark"]
    assert json.loads(result(atlas, "nim").read_text())["automaton"] == nim["automaton"]


def test_games_by_the_size_of_the_proof(atlas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, "atlas", str(atlas))
    sizes = {}
    for key in ("proof", "states"):
        lines = answer(capsys, "atlas", str(atlas), "--sort", key).out.splitlines()[:2]
        sizes[key] = [int(line.split()[6 if key == "proof" else 2]) for line in lines]
    assert sizes["proof"] == sorted(sizes["proof"])
    assert sizes["states"] == sorted(sizes["states"])
    found = json.loads(answer(capsys, "atlas", str(atlas), "--sort", "proof", "--json", "-").out)
    assert [each["proof_states"] for each in found] == sizes["proof"]


@pytest.mark.long
def test_results_are_used_again(atlas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, "atlas", str(atlas))
    before = [result(atlas, name).stat().st_mtime_ns for name in ("nim", "king")]
    said = answer(capsys, "atlas", str(atlas), "--timeout", "500")
    assert said.status == 0
    assert said.out.count("known") == 2
    assert [result(atlas, name).stat().st_mtime_ns for name in ("nim", "king")] == before
    again = answer(capsys, "atlas", str(atlas), "--only", "king", "--again")
    assert "known" not in again.out
    assert result(atlas, "nim").stat().st_mtime_ns == before[0]
    assert result(atlas, "king").stat().st_mtime_ns != before[1]


@pytest.mark.long
def test_other_rules_are_another_question(atlas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, "atlas", str(atlas))
    atlas.write_text(TITLE + NIM + KING.replace("i<=1 & j<=1", "i<=1 & j<=1 & i+j<=1"))
    first, second, _ = answer(capsys, "atlas", str(atlas)).out.splitlines()
    assert first.endswith("known")
    assert "known" not in second
    assert json.loads(result(atlas, "king").read_text())["question"]["moves"] == "i<=1 & j<=1 & i+j<=1"


def test_an_open_game_is_tried_again_with_larger_limits_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "open.toml"
    file.write_text(TITLE + OPEN)
    said = answer(capsys, "atlas", str(file), "--timeout", "20")
    assert said.status == 0
    status = json.loads(result(file, "open").read_text())["status"]
    assert status != "proved"
    assert "known" in answer(capsys, "atlas", str(file), "--timeout", "10").out
    assert "known" in answer(capsys, "atlas", str(file), "--timeout", "20").out
    assert "known" not in answer(capsys, "atlas", str(file), "--timeout", "30").out


def test_another_outcome_than_expected(atlas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    atlas.write_text(TITLE + NIM.replace("states = 1", "states = 2") + KING)
    said = answer(capsys, "atlas", str(atlas))
    assert said.status == 1
    assert "EXPECTED" in said.out.splitlines()[0]
    assert "not as expected: nim" in said.out.splitlines()[-1]
    assert answer(capsys, "atlas", str(atlas), "--only", "king").status == 0


def test_json_on_standard_output(atlas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "atlas", str(atlas), "--json", "-", "--only", "nim", "--only", "king")
    assert [each["id"] for each in json.loads(said.out)] == ["nim", "king"]


def test_a_folder_of_files_and_another_folder_of_results(
    atlas: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "more.toml").write_text(TITLE + OPEN)
    said = answer(capsys, "atlas", str(tmp_path), "--only", "nim", "--results", str(tmp_path / "kept" / "here"))
    assert said.status == 0
    assert [file.name for file in (tmp_path / "kept" / "here").iterdir()] == ["nim.json"]


#: A change of the atlas (what is replaced, by what), the line of the error, and a word of it.
MALFORMED = [
    ('id = "king"', 'id = "nim"', 14, "nim"),
    ('id = "king"', 'id = "../king"', 14, "../king"),
    ('id = "king"', 'id = "king', None, "TOML"),
    ('earlier = "none known"', 'earlier = "maybe"', 19, "maybe"),
    ('earlier = "none known"', 'earliest = "none known"', 19, "earliest"),
    ('known = "Nothing."', "", 13, "known"),
    ('known = "Nothing."', "known = 5", 18, "known"),
    ('moves = "i<=1 & j<=1"', 'moves = "i<=1 & m<=1"', 16, "m is not among"),
    ('moves = "i<=1 & j<=1"', 'moves = "p+q=r+s & r<p"', 16, "as many counters"),
    ('moves = "i<=1 & j<=1"', 'moves = "nimm()"', 16, "nimm"),
    ('where = "here"', 'place = "here"', 17, "place"),
    ("year = 2026, ", "", 17, "year"),
    ("year = 2026", 'year = "2026"', 17, "year"),
    ('name = "A king"', 'name = "A king"\nvalue = -1', 16, "value"),
    ('name = "A king"', 'name = "A king"\nvalue = 1\nblocked = 1', 16, "value"),
    ('name = "A king"', 'name = "A king"\nblocked = true', 16, "blocked"),
    ('name = "A king"', 'name = "A king"\nmisere = 1', 16, "misere"),
    ('name = "A king"', 'name = "A king"\nsystems = "msd_2"', 16, "systems"),
    ('name = "A king"', 'name = "A king"\nsystems = ["msd_fibb"]', 16, "msd_fibb"),
    ('name = "A king"', 'name = "A king"\nlargest = 0', 16, "largest"),
    ('name = "A king"', 'name = "A king"\nexpected = { status = "proved" }', 16, "states"),
    ('name = "A king"', 'name = "A king"\nexpected = { status = "undecided", states = 3 }', 16, "states"),
    ("states = 1", "stats = 1", 11, "stats"),
    ('title = "A small atlas"', 'titel = "A small atlas"', 1, "titel"),
    ("[[game]]", "[[games]]", None, "game"),
]


@pytest.mark.parametrize(("old", "new", "line", "word"), MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_files(
    atlas: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, line: int | None, word: str,
) -> None:
    text = atlas.read_text()
    assert old in text
    atlas.write_text(text.replace(old, new))
    said = answer(capsys, "atlas", str(atlas))
    assert (said.status, said.out) == (2, "")
    assert str(atlas) in said.err
    assert word in said.err
    found = re.search(r"small\.toml, line (\d+)", said.err)
    assert (None if found is None else int(found[1])) == line
    assert not (atlas.parent / "results").exists()


def test_an_id_in_two_files(atlas: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "zzz.toml").write_text(TITLE + KING)
    said = answer(capsys, "atlas", str(tmp_path))
    assert said.status == 2
    assert "zzz.toml, line 5" in said.err
    assert "small.toml" in said.err


@pytest.mark.parametrize("arguments", [("--only", "kink"), ("--only", "nim,"), ("--timeout", "0")])
def test_wrong_arguments(atlas: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    said = answer(capsys, "atlas", str(atlas), *arguments)
    assert said.status == 2
    assert not (atlas.parent / "results").exists()


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "atlas", str(tmp_path / "none.toml")).status == 2
    assert answer(capsys, "atlas", str(tmp_path)).status == 2


@pytest.mark.parametrize("change", ["", "{", "[]", '{"id": "nim"}', "system", "question"])
def test_a_file_that_is_no_result(atlas: Path, capsys: pytest.CaptureFixture[str], change: str) -> None:
    """A result that cannot be read is told with its file, and not replaced."""
    answer(capsys, "atlas", str(atlas), "--only", "nim")
    file = result(atlas, "nim")
    if change in ("system", "question"):
        found = json.loads(file.read_text())
        found[change] = None
        change = json.dumps(found)
    file.write_text(change)
    said = answer(capsys, "atlas", str(atlas))
    assert said.status == 2
    assert str(file) in said.err
    assert file.read_text() == change


@pytest.mark.long
def test_an_interrupted_run_leaves_what_existed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C in the second search: the first result is whole, nothing else is there, and the next run continues."""
    slow = OPEN.replace("blocking(5)", "i=0 | j=0 | (i=j & Ek i=2*k)").replace("largest = 3000\n", "")
    file = tmp_path / "slow.toml"
    file.write_text(TITLE + NIM + slow)
    process = started("atlas", str(file), "--timeout", "100")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("nim ")
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    said = finished(process)
    assert said.status == 130
    assert [each.name for each in result(file, "nim").parent.iterdir()] == ["nim.json"]
    assert json.loads(result(file, "nim").read_text())["status"] == "proved"
    file.write_text(TITLE + NIM + KING)
    first, second, _ = answer(capsys, "atlas", str(file)).out.splitlines()
    assert first.endswith("known")
    assert second.split()[:2] == ["king", "proved"]


def test_the_page(atlas: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    atlas.write_text(TITLE + NIM + KING + OPEN)
    said = answer(capsys, "atlas", str(atlas), "--html", str(tmp_path / "page"), "--timeout", "10")
    assert said.status == 0
    text = (tmp_path / "page" / "index.html").read_text()
    cards = dict(re.findall(r'<article class="card" id="(\w+)">(.*?)</article>', text, re.DOTALL))
    assert list(cards) == ["nim", "king", "open"]
    assert re.findall("<script[^>]*>", text) == ['<script type="application/json" id="content">', "<script>"]
    assert "Nim &lt;on&gt; two piles" in text
    assert "no earlier proof known" in cards["king"]
    assert "no earlier proof known" not in cards["nim"] + cards["open"]
    assert "<table>" in cards["open"]
    assert painted(cards["open"]) == set(positions(game_of("blocking(5)"), 50))


def painted(card: str) -> set[tuple[int, int]]:
    """Return the cells that the board of a card shows."""
    found = re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", card)
    assert found
    return {(x, 49 - int(top)) for left, top, width, _ in found for x in range(int(left), int(left) + int(width))}


def test_a_foreign_page_stays(atlas: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.html").write_text("mine")
    said = answer(capsys, "atlas", str(atlas), "--html", str(tmp_path))
    assert said.status == 2
    assert (tmp_path / "index.html").read_text() == "mine"
    assert not (tmp_path / "results").exists()


def test_searches_are_kept_in_a_store_too(atlas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = atlas.with_name("work.sqlite")
    first = answer(capsys, "atlas", str(atlas), "--store", str(store), "-j", "2")
    assert first.status == 0
    before = result(atlas, "king").read_text()
    for name in ("nim", "king"):
        result(atlas, name).unlink()
    again = answer(capsys, "atlas", str(atlas), "--store", str(store))
    assert again.status == 0 and "known" not in again.out
    assert result(atlas, "king").read_text() == before, "the result is that of the first search, its seconds included"
    listed = answer(capsys, "store", str(store))
    assert {"nim", "king"} <= set(listed.out.split())
    assert answer(capsys, "atlas", str(atlas), "--store", str(store), "--again").status == 2


def test_lines_are_in_the_order_of_the_file_whatever_ends_first(
    atlas: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    atlas.write_text(TITLE + OPEN + NIM + KING)
    said = answer(capsys, "atlas", str(atlas), "-j", "2", "--timeout", "20")
    assert [line.split()[0] for line in said.out.splitlines()[:-1]] == ["open", "nim", "king"]


def test_searches_on_dask(atlas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    said = answer(capsys, "atlas", str(atlas), "--dask", "local", "-j", "2")
    assert said.status == 0 and said.out.splitlines()[-1].startswith("2 games: 2 proved")


def test_a_search_that_fails_is_an_error(
    atlas: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = TaskRecord("key", "king", "failed", error="no such luck")
    monkeypatch.setattr(run, "sweep", lambda *_, **__: [failed])
    said = answer(capsys, "atlas", str(atlas))
    assert said.status == 2 and "king" in said.err and "no such luck" in said.err
