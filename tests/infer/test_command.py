"""`fibprover infer`: input, output, files and exit statuses."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from fibprover.workspace.session import Session
from tests.cli.command import answer, finished, started
from tests.infer.positions import offsets, published


@pytest.fixture
def g(tmp_path: Path) -> Path:
    file = tmp_path / "g.txt"
    file.write_text(" ".join(map(str, offsets(2, 300))))
    return file


def test_output(capsys: pytest.CaptureFixture[str], g: Path) -> None:
    said = answer(capsys, "infer", str(g), "--system", "fib", "--name", "G")
    assert (said.status, said.err) == (0, "")
    by_types = (
        "G: 6 letters over msd_fib, by 2-types\n"
        "  morphism: 0 -> 0 1, 1 -> 2, 2 -> 3 1, 3 -> 4 5, 4 -> 3 5, 5 -> 4\n"
        "  coding: 1 4 -> 0, 0 2 3 5 -> 1\n"
        "  data: all 300 values agree; margin 4; the rarest letter, 2, at 4 places, first at 2\n"
    )
    assert said.out.startswith(by_types) and "Conjecture, from 300 terms: the word of the first 200" in said.out
    only_types = answer(capsys, "infer", str(g), "--system", "fib", "--name", "G", "--margin", "1")
    assert (only_types.status, only_types.out) == (0, by_types)


def test_the_search_is_that_of_study(capsys: pytest.CaptureFixture[str], g: Path) -> None:
    """Systems, words of the library, numbers and b-files."""
    found = json.loads(answer(capsys, "infer", str(g), "--json").out)
    assert (found["system"], found["letters"]) == ("msd_fib", 6) and "msd_3, msd_fib" in found["evidence"]
    g.write_text("# A000120\n" + "".join(f"{n} {n.bit_count()}\n" for n in range(200)))
    found = json.loads(answer(capsys, "infer", str(g), "--json").out)
    assert (found["kind"], found["system"], found["dimension"]) == ("numbers", "msd_2", 2)
    assert "A000120" in found["statement"] and "A000120" in answer(capsys, "infer", str(g)).out
    refused = answer(capsys, "infer", str(g), "--out", str(g))
    assert refused.status == 2 and "numbers" in refused.err


def test_a_word_of_the_library_in_a_file_of_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    letters = [n.bit_count() % 2 for n in range(600)]
    file, out = tmp_path / "terms.txt", tmp_path / "words.json"
    file.write_text(", ".join(str(2 - letter) for letter in letters[3:]))
    said = answer(capsys, "infer", str(file), "--name", "V", "--out", str(out))
    assert said.status == 0 and "Thue-Morse" in said.out
    session = Session()
    session.load_words(out)
    assert list(session.namespace.words["V"].prefix(597)) == [2 - letter for letter in letters[3:]]


def test_json(capsys: pytest.CaptureFixture[str], g: Path) -> None:
    said = answer(capsys, "infer", str(g), "--system", "fib", "--json")
    found = json.loads(said.out)
    assert (found["kind"], found["name"], found["system"]) == ("word", "w", "msd_fib")
    assert found["morphism"] == published()["G"]["morphism"]
    assert found["coding"] == published()["G"]["coding"]
    assert (found["letters"], found["minimal"], found["depth"], found["values"]) == (6, 6, 2, 300)
    assert [each["first"] for each in found["support"]] == [0, 1, 2, 3, 5, 6]
    assert found["types"] == [2, 5, 6, 6]


def test_a_file_of_words(capsys: pytest.CaptureFixture[str], g: Path, tmp_path: Path) -> None:
    out = tmp_path / "words.json"
    assert answer(capsys, "infer", str(g), "--system", "fib", "--name", "G", "--out", str(out)).status == 0
    session = Session("msd_fib")
    session.load_words(out)
    paper = Session("msd_fib")
    paper.load_words({"G": published()["G"]})
    assert session.namespace.words["G"].machine.same_arrays(paper.namespace.words["G"].machine)
    used = answer(capsys, "eval", "--words", str(out), "G[n]=0", "-n", "3")
    assert used.out.endswith("1, 4, 5, ...\n")


def test_standard_input() -> None:
    text = ",".join(str(n.bit_count() % 2) for n in range(64))
    said = finished(started("infer", "-", "--json", stdin=-1), text)
    assert said.status == 0
    assert json.loads(said.out)["morphism"] == [[0, 1], [1, 0]]


def test_nothing_found(capsys: pytest.CaptureFixture[str], g: Path, tmp_path: Path) -> None:
    out = tmp_path / "words.json"
    said = answer(capsys, "infer", str(g), "--system", "msd_3", "--out", str(out))
    assert said.status == 1
    assert said.out.startswith("no automaton: tried msd_3, with 300 terms") and "no linear representation" in said.out
    found = json.loads(answer(capsys, "infer", str(g), "--system", "msd_3", "--json").out)
    assert (found["kind"], found["attempts"][0]["system"]) == ("none", "msd_3")
    assert not out.exists()
    said = answer(capsys, "infer", str(g), "--system", "fib", "--depth", "0", "--depth", "1", "--json")
    found = json.loads(said.out)
    assert (said.status, found["kind"]) == (1, "none")
    assert [(each["depth"], each["types"], each["kind"]) for each in found["attempts"]] == [
        (0, 2, "conflict"), (1, 5, "conflict"),
    ]


def test_margin_and_depth(capsys: pytest.CaptureFixture[str], g: Path) -> None:
    assert answer(capsys, "infer", str(g), "--system", "fib", "--margin", "4").status == 0
    assert answer(capsys, "infer", str(g), "--system", "fib", "--margin", "5").status == 1
    assert "by 3-types" in answer(capsys, "infer", str(g), "--system", "fib", "--depth", "3").out


def test_integers_of_either_sign(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "parity.txt"
    file.write_text(" ".join(str(n % 2) for n in range(-100, 100)))
    said = answer(capsys, "infer", str(file), "--system", "neg_2", "--first=-100")
    assert said.status == 0
    assert "2 letters over msd_neg_2" in said.out


def test_an_error_shows_the_place_of_a_value(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("1 0 1\n0, 1.5, 0\n")
    said = answer(capsys, "infer", str(file))
    assert said.status == 2
    assert said.err.splitlines()[:3] == [
        f"error: {file}, line 2: this is not an integer", "  0, 1.5, 0", "     ^^^",
    ]


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        ("", [], "no terms"),
        ("0 1 2 x", [], "this is not an integer"),
        ("0 1 2 99999999999", ["--margin", "1"], "too large for a letter"),
        ("0 1 2 3", [], "at least 32"),
        ("0 1 2 3", ["--margin", "1", "--system", "msd_2", "--system", "msd_3"], "one --system"),
        ("0 1\n1 1\n3 0\n", ["--margin", "1"], "gap"),
        ("0 1", ["--name", "2x"], "'2x' is not a name"),
        ("0 1", ["--system", "nonsense"], "no numeration system"),
        ("0 1 1", ["--first=5"], "begin with 0"),
        ("0 1", ["--first=x"], "not a whole number"),
        ("0 1", ["--depth=-1"], "not a whole number"),
    ],
)
def test_invalid_arguments(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str, arguments: list[str], said: str
) -> None:
    file = tmp_path / "data.txt"
    file.write_text(content)
    given = answer(capsys, "infer", str(file), *arguments)
    assert given.status == 2
    assert said in given.err
    assert "Traceback" not in given.err


def test_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = answer(capsys, "infer", str(tmp_path / "none.txt"))
    assert (given.status, "cannot be read" in given.err) == (2, True)


def test_output_file_that_cannot_be_written(capsys: pytest.CaptureFixture[str], g: Path, tmp_path: Path) -> None:
    given = answer(capsys, "infer", str(g), "--system", "fib", "--out", str(tmp_path / "no" / "words.json"))
    assert (given.status, "cannot be written" in given.err) == (2, True)


def test_a_word_of_differences_is_called_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "numbers.txt"
    file.write_text(" ".join(map(str, range(300))))
    found = json.loads(answer(capsys, "infer", str(file), "--json").out)
    assert (found["kind"], found["of"], found["values"]) == ("word", "differences", 299)
    said = answer(capsys, "infer", str(file), "--out", str(tmp_path / "w.json"))
    assert said.status == 2 and not (tmp_path / "w.json").exists()


@pytest.mark.long
def test_terms_that_begin_later(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "b.txt"
    file.write_text("".join(f"{n + 7} {value}\n" for n, value in enumerate(offsets(2, 400))))
    found = json.loads(answer(capsys, "infer", str(file), "--json").out)
    assert (found["first"], found["of"]) == (7, "terms")
    assert "a(n+7)" in answer(capsys, "infer", str(file)).out
    kept = tmp_path / "w.json"
    assert answer(capsys, "infer", str(file), "--out", str(kept)).status == 0
    assert "a(n+7)" in json.loads(kept.read_text())["w"]["for"]


@pytest.mark.long
def test_a_spent_budget(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = Random(2)
    file = tmp_path / "random.txt"
    file.write_text(" ".join(str(source.randrange(3)) for _ in range(300)))
    assert answer(capsys, "infer", str(file)).status == 1
    for more in ((), ("--json",)):
        assert answer(capsys, "infer", str(file), "--max-states", "5", *more).status == 3


@pytest.mark.parametrize("name", ["X", "V", "W", "T"])
def test_the_word_has_its_name_in_what_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """V and W are names that the search uses itself; T is the word of which the first terms are an image."""
    file = tmp_path / "terms.txt"
    file.write_text(" ".join(str(1 - n.bit_count() % 2) for n in range(1, 200)))
    said = json.loads(answer(capsys, "infer", str(file), "--name", name, "--json").out)["statement"]
    assert f"{'W' if name == 'T' else name}[n] is the term a(n)." in said
    file.write_text("".join(f"{n} {(n & -n).bit_length() % 3}\n" for n in range(1, 200)))
    found = json.loads(answer(capsys, "infer", str(file), "--name", name, "--json").out)
    assert found["name"] == name and f"{name}[n] is the term a(n+1)." in found["statement"]
