"""Two sheets side by side."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.sheets.common_factors import COMMON, MOST_LENGTH, common_factors, common_lines
from tests.cli.command import answer
from tests.cli.test_study import Watched
from tests.sheets.test_against_prefixes import first_letters

IDS = ("complexity", "squares", "cubes", "square-orders", "recurrent", "critical-exponent")


def test_lines_are_matched_by_id() -> None:
    found = fp.study("T", only=IDS).beside(fp.study("PD", only=[*IDS, "rich"]), common=False)
    differs = {pair.id: pair.differs for pair in found.pairs}
    assert differs == {
        "complexity": True, "squares": False, "cubes": True, "square-orders": True, "recurrent": False,
        "critical-exponent": True, "rich": None,
    }
    assert [pair.id for pair in found.pairs][:3] == ["recurrent", "complexity", "rich"]
    for pair in found.pairs:
        for sheet, line in zip(found.sheets, pair.lines, strict=True):
            assert line == next((each for each in sheet.lines if each.id == pair.id), None)


def test_forms() -> None:
    left, right = (fp.study(name, only=IDS[:3], unnamed=name[-1]) for name in ("T", "PD"))
    found = left.beside(right, common=False)
    text, page, rows = str(found), found.to_markdown(), found.as_json()
    assert "    * X has a cube." in text or "  * X has a cube." in text
    assert "  * X has a square." not in text and "2 differ" in text
    assert "**X has a cube.**" in page and page.startswith("# T and PD\n")
    assert [row["differs"] for row in rows] == [True, False, True]
    assert [row["lines"][1]["value"] for row in rows] == [line.value for line in right.lines]


def test_two_words_without_names() -> None:
    left, right = (
        fp.study(rules, only=["squares"], unnamed=name) for rules, name in (("0->01, 1->0", "W"), ("0->001, 1->0", "V"))
    )
    found = left.beside(right, common=False)
    assert [sheet.name for sheet in found.sheets] == ["W", "V"] and left.system != right.system
    assert [pair.statement for pair in found.pairs] == ["X has a square."]


@pytest.mark.parametrize(("one", "two"), [("F", "T"), ("pell", "0->0010, 1->1"), ("VTM", "TR"), ("T", "TTM")])
def test_common_factors_of_each_length(one: str, two: str) -> None:
    """Also of words over different systems, or without addition, against prefixes."""
    left, right = fp.study(one, only=["letter-0-gaps"]), fp.study(two, only=["letter-0-gaps"], unnamed="V")
    found = common_factors(left, right)
    assert found is not None
    letters = [tuple(first_letters(sheet, 20_000)) for sheet in (left, right)]
    for length, counts in enumerate(zip(found.left, found.right, found.common, strict=True)):
        mine, others = ({word[i : i + length] for i in range(len(word) - length)} for word in letters)
        assert counts == (len(mine), len(others), len(mine & others))
    assert (found.none_from is None) == (len(found.common) == MOST_LENGTH + 1)
    pair = left.beside(right).pairs[-1]
    assert pair.id == COMMON and None not in pair.lines
    assert ("undecidable" in pair.statement) == ({one, two} in ({"F", "T"}, {"VTM", "TR"}))


def test_what_is_no_fixed_point_has_no_common_factors() -> None:
    numbers, word = fp.study("A000120", only=["recursion"]), fp.study("T", only=["squares"])
    assert common_factors(numbers, word) is None and numbers.beside(word).common is None
    assert common_factors(fp.study("pascal", only=["symmetric"]), word) is None


def test_pairs_are_printed_when_both_lines_are_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = str(fp.study("F", only=["cubes"]).beside(fp.study("T", only=["cubes"]), common=False))
    assert whole + "\n" == answer(capsys, "study", "F", "T", "--only", "cubes").out
    watched = Watched(monkeypatch, capsys)
    said = answer(capsys, "study", "F", "T", "--only", "squares,cubes,letter-0-gaps")
    assert watched.answered == [name for name in ("letter-0-gaps", "squares", "cubes") for _ in range(2)]
    before = "".join(watched.output)
    assert before.count("X has a square.") == 1 and "cube" not in before and "X has a cube." in said.out
    assert before.index("F, over") < before.index("T, over") < before.index("Letters") < before.index("Repetitions")
    assert said.out.endswith("3 lines of F and T: 2 differ (*), 0 unknown\n")


@pytest.mark.parametrize(("words", "is_undecidable"), [
    (("T", "F"), True), (("T", "0->012, 1->112, 2->001"), True), (("T", "0->0110, 1->0010"), False),
    (("F", "TR"), False),
])
def test_sums_are_called_undecidable_where_that_is_known(words: tuple[str, str], is_undecidable: bool) -> None:
    left, right = (fp.study(word, only=["letter-0"]) for word in words)
    found = common_lines(left, right)
    assert found is not None and ("undecidable" in found[0].statement) == is_undecidable
