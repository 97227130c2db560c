"""Two sheets side by side."""

from __future__ import annotations

import fibprover as fp

IDS = ("complexity", "squares", "cubes", "square-orders", "recurrent", "critical-exponent")


def test_lines_are_matched_by_id() -> None:
    found = fp.study("T", only=IDS).beside(fp.study("PD", only=[*IDS, "rich"]))
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
    found = left.beside(right)
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
    found = left.beside(right)
    assert [sheet.name for sheet in found.sheets] == ["W", "V"] and left.system != right.system
    assert [pair.statement for pair in found.pairs] == ["X has a square."]
