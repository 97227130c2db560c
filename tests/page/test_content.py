"""What the page is made of, compared with the JSON of the same run."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.cli.command import answer
from tests.page.made import NASTY_ID, NASTY_STATEMENT, SCRIPT, Made, content_of
from tests.theorems.scripts import TRUE

PROOFS = Path(__file__).resolve().parents[2] / "proofs"


def test_items_hold_the_rows(odd: Made) -> None:
    assert odd.status == 2
    content = odd.content
    assert (content["kind"], content["title"]) == ("theorems", "Theorems decided by automata")
    assert content["lead"] and content["parts"] == [{"title": "", "about": ""}]
    items = content["items"]
    assert len(items) == len(odd.rows()) == 10
    for item, row in zip(items, odd.rows(), strict=True):
        assert item | row == item
    assert content["summary"].startswith("7 of 9 theorems as expected, 1 skipped")
    assert any("no predicate is called odd" in line for line in content["remarks"])
    assert "verdicts" in content["about"]
    assert [group["system"] for group in content["groups"]] == ["lsd_fib", "msd_neg_2", "msd_2"]


def test_the_contents_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.py").write_text(TRUE.replace("t.true", f"{name}.true").replace("'T'", f"'{name}'"))
    (tmp_path / "contents.toml").write_text(
        'title = "A folder"\nabout = "A <b>paragraph</b>."\n[[part]]\ntitle = "First"\nscripts = ["c.py", "a.py"]\n'
    )
    assert answer(capsys, "prove", str(tmp_path), "--html", str(tmp_path)).status == 0
    content = content_of(tmp_path / "index.html")
    assert (content["title"], content["lead"]) == ("A folder", "A <b>paragraph</b>.")
    assert [Path(group["place"]).name for group in content["groups"]] == ["c.py", "a.py", "b.py"]
    parts = [content["parts"][group["part"]]["title"] for group in content["groups"]]
    assert parts == ["First", "First", "Other theorems"]
    assert [word for word, _ in content["legend"]] == ["as expected", "strong"]
    # Of a script by itself it is the chapter's title that says what it is.
    assert answer(capsys, "prove", str(tmp_path / "b.py"), "--html", str(tmp_path)).status == 0
    content = content_of(tmp_path / "index.html")
    assert content["title"] == f"Theorems: {content['groups'][0]['title']}"


def test_every_chapter_has_its_place() -> None:
    """The page of the project has no part of other theorems."""
    parts = tomllib.loads((PROOFS / "contents.toml").read_text())["part"]
    listed = [name for part in parts for name in part["scripts"]]
    assert sorted(listed) == sorted(path.name for path in PROOFS.glob("[!_]*.py"))


def test_what_items_say_beside_that(odd: Made) -> None:
    items = {item["id"]: item for item in odd.content["items"]}
    assert items[NASTY_ID]["statement"] == NASTY_STATEMENT
    assert items["t.macro"]["expanded"] == "Ax,y x+x=y => $even(y)"
    assert items["t.wrong"]["example"] == "least counterexample: x = 1"
    assert (items["t.wrong"]["good"], items["t.error"]["good"], items["t.long"]["good"]) == (False, False, True)
    assert (items["t.error"]["label"], items["t.long"]["label"]) == ("ERROR", "skipped")
    assert "no predicate is called odd" in items["t.error"]["problem"]
    assert items["w.ones"]["example"].startswith("least witness: n = 1")
    (part,) = [part for part in items["t.vacuous"]["parts"] if part["grade"] == "vacuous"]
    assert items["t.vacuous"]["formula"][part["start"] : part["end"]] == part["text"] == "m>n"


def test_evidence_is_in_the_json(odd: Made) -> None:
    evidence = {row["id"]: row["evidence"] for row in odd.rows()}
    assert evidence["t.wrong"] == {"kind": "counterexample", "values": {"x": 1}, "least": True}
    assert evidence[NASTY_ID] is None


def test_names_lead_to_what_they_mean(odd: Made) -> None:
    content = odd.content
    names = {entry["name"]: entry for entry in content["names"]}
    assert {name: entry["kind"] for name, entry in names.items()} == {
        "shift": "language", "less": "predicate", "even": "predicate", "line": "predicate", "sums": "predicate",
        "T": "word", "wide": "predicate", "big": "predicate",
    }
    items = {item["id"]: item for item in content["items"]}
    for theorem, called in ((NASTY_ID, "$less"), ("t.macro", "$even"), ("w.ones", "T"), ("n.sums", "$sums")):
        entry = content["names"][items[theorem]["calls"][called]]
        assert entry["name"] == called.removeprefix("$")
    assert (names["sums"]["variables"], names["sums"]["systems"]) == (["x", "y", "z"], ["msd_neg_2"] * 3)
    assert names["even"]["text"] == "Ey x=2*y"


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_process_or_several(tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str, odd: Made) -> None:
    """Names get to the page from wherever they were made."""
    file = tmp_path / "odd.py"
    file.write_text(SCRIPT)
    made = answer(capsys, "prove", str(file), "--html", str(tmp_path), "-j", jobs)
    assert made.status == 2 and (tmp_path / "index.html").exists(), made.err
    names = content_of(tmp_path / "index.html")["names"]
    assert [{**entry, "place": ""} for entry in names] == [{**entry, "place": ""} for entry in odd.content["names"]]


def test_names_mean_what_they_meant_at_their_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = (
        "import fibprover as fp\nc = fp.Chapter('T')\n"
        "c.define('p', 'x<3')\nc.theorem('one', 'Ex $p(x)', statement='s')\n"
        "c.define('p', '$p(x) | x=7', states_paper=5)\nc.theorem('two', 'Ex $p(x)', statement='s')\n"
        "c.script('def q \"$p(x) & x>1\"; def r \"$q(x)\";')\nc.theorem('three', 'Ex $r(x)', statement='s')\n"
    )
    (tmp_path / "t.py").write_text(script)
    answer(capsys, "prove", str(tmp_path / "t.py"), "--html", str(tmp_path))
    content = content_of(tmp_path / "index.html")
    names = content["names"]
    items = {item["id"]: item for item in content["items"]}
    assert [entry["name"] for entry in names] == ["p", "p", "q", "r"]
    assert items["one"]["calls"] == {"$p": 0}
    assert items["two"]["calls"] == {"$p": 1}
    assert items["p"]["defines"] == 1
    assert [entry["calls"] for entry in names] == [{}, {"$p": 0}, {"$p": 1}, {"$q": 2}]


@pytest.mark.long
def test_without_a_page_no_evidence_is_looked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd.py").write_text(SCRIPT)
    answer(capsys, "prove", str(tmp_path / "odd.py"), "--json", str(tmp_path / "x.json"))
    assert all(row["evidence"] is None for row in json.loads((tmp_path / "x.json").read_text()))


# -- games ---------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_game(game: Made) -> None:
    content, found = game.content, game.found
    assert (content["kind"], content["title"]) == ("game", "terminal(2), the game K^2")
    main, *findings = content["items"]
    assert f"automaton with {found['states']} states" in main["statement"]
    assert (main["seconds"], main["attempts"]) == (found["seconds"], found["attempts"])
    said = [next(iter(item["said"]), item["statement"]) for item in findings]  # long ones in full below their row
    shown = [text.casefold().rstrip(".") for text in said]
    assert shown == [finding["statement"].casefold().rstrip(".") for finding in found["findings"]]
    positions = content["names"][main["board"]["entry"]]
    assert (positions["name"], positions["states"]) == ("P", found["states"])
    assert content["names"][positions["terminal"]]["name"] == "T"
    assert [data["name"] for data in content["data"]] == ["terminal(3)"]
    commands = {command["name"]: command for command in main["commands"]}
    assert {"T", "moves", "terminal", "absorbing"} <= set(commands)
    assert commands["terminal"]["text"] == "?msd_fib Ap,q $T(p,q) => $P(p,q)"
    assert all(name.removeprefix("$") == content["names"][entry]["name"] for name, entry in main["calls"].items())
    scripts = [[command["text"] for command in item["commands"]] for item in findings]
    assert scripts[0] == [line.split('"')[1] for line in found["findings"][0]["script"]]


def test_a_game_without_an_automaton(unsolved: Made) -> None:
    content = unsolved.content
    assert unsolved.status == 1
    (item,) = content["items"]
    assert item["label"] == "NO AUTOMATON"
    assert "faster than" in item["statement"]
    assert content["automata"] == [] and content["names"] == []
    places = [sum(item["board"]["data"]["gaps"][: i + 1]) for i in range(20)]
    assert places[:1] == [0] and places == sorted(set(places))
    assert item["attempts"] == unsolved.found["attempts"] != []


# -- command lines ---------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_meant_is_refused_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.py").write_text(TRUE)
    for command in (("prove", str(tmp_path / "x.py")), ("game", "terminal(1)")):
        said = answer(capsys, *command, "--html", str(tmp_path / "x.py"))
        assert said.status == 2
        assert "is not a folder" in said.err and said.out == ""
    (tmp_path / "index.html").write_text("mine")
    said = answer(capsys, "prove", str(tmp_path / "x.py"), "--html", str(tmp_path))
    assert said.status == 2 and "was not written by fibprover" in said.err
    assert (tmp_path / "index.html").read_text() == "mine"


def test_a_list_has_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "game", "terminal(1)", "--table", "--html", str(tmp_path))
    assert said.status == 2
    assert "--table prints a list, but --html needs a theorem" in said.err


def test_a_script_that_fails_has_a_page_with_the_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.py").write_text("import nothing_of_this_name\n")
    said = answer(capsys, "prove", str(tmp_path / "x.py"), "--html", str(tmp_path))
    assert said.status == 2
    content = content_of(tmp_path / "index.html")
    assert content["items"] == [] and "nothing_of_this_name" in content["remarks"][0]
