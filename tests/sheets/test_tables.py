"""Sheets of words with two indices, against a square of their letters."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

import fibprover as fp
from fibprover.sheets.sheet_text import markdown_of

#: The letters of pascal and SCA by their definitions, and those of a table that is not symmetric and has three letters.
LETTERS: dict[str, Callable[[int, int], int]] = {
    "pascal": lambda i, j: int(i & j == j),
    "SCA": lambda i, j: int(not any(a == b == 1 for a, b in zip(digits(i), digits(j), strict=True))),
    "mixed": lambda i, j: i.bit_count() % 2 + (j + 1).bit_count() % 2,
}
SIZE = 128


def digits(number: int) -> list[int]:
    return [number // 3**k % 3 for k in range(12)]


def studied(name: str) -> fp.Sheet:
    if name != "mixed":
        return fp.study(name)
    return fp.study(fp.Session("msd_2").define_word("mixed", ["i", "j"], "T[i]+T[j+1]"))


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[] if name == "pascal" else [pytest.mark.long]) for name in LETTERS],
)
def sheet(request: pytest.FixtureRequest) -> fp.Sheet:
    return studied(str(request.param))


@pytest.fixture(scope="module")
def table(sheet: fp.Sheet) -> list[list[int]]:
    return [[LETTERS[sheet.name](i, j) for j in range(SIZE)] for i in range(SIZE)]


def members(sheet: fp.Sheet, name: str, bound: int) -> set[int]:
    return {each for each in sheet[name].terms if each is not None and each < bound}


def test_the_head(sheet: fp.Sheet, table: list[list[int]]) -> None:
    rows = " / ".join("".join(map(str, row[:8])) for row in table[:8])
    assert str(sheet).startswith(f"{sheet.name}, over {sheet.system}: {rows}...") and not sheet.count("open")


def test_symmetry(sheet: fp.Sheet, table: list[list[int]]) -> None:
    columns = [list(column) for column in zip(*table, strict=True)]
    assert (sheet["symmetric"].status == "proved") == (table == columns)
    same = {n for n in range(40) if table[n] == columns[n]}
    assert members(sheet, "row-is-column", 40) == same


def test_rows_and_columns(sheet: fp.Sheet, table: list[list[int]]) -> None:
    for name, lines in (("row", table), ("column", [list(column) for column in zip(*table, strict=True)])):
        new = {n for n in range(30) if lines[n] not in lines[:n]}
        assert members(sheet, f"new-{name}s", 30) == new
        assert (sheet[f"{name}s-distinct"].status == "proved") == (len(new) == 30)
        assert members(sheet, f"constant-{name}s", 30) == {n for n in range(30) if len(set(lines[n])) == 1}
        for number in range(4):
            check_line(sheet[f"{name}-{number}"].value, lines[number])
            is_periodic = "with period" in sheet[f"{name}-{number}"].value
            assert (number in members(sheet, f"periodic-{name}s", 4)) == is_periodic


def check_line(value: str, letters: list[int]) -> None:
    first, _, said = value.partition("..., ")
    assert [int(each) for each in first] == letters[:30]
    if said.startswith("with period "):
        period, _, start = said.removeprefix("with period ").removesuffix(" on").partition(" from n = ")
        p, k = int(period), int(start or 0)
        assert all(letters[n] == letters[n + p] for n in range(k, len(letters) - p))
        assert not k or letters[k - 1] != letters[k - 1 + p]
        shorter = (q for q in range(1, p) if all(letters[n] == letters[n + q] for n in range(k, len(letters) - q)))
        assert not list(shorter)
    elif said.startswith("which is "):
        place, _, coding = said.removeprefix("which is ").partition(" with ")
        name, _, shift = place.removesuffix(" on, counted from 0").partition(" from its letter ")
        pairs = [each.split(" -> ") for each in coding.split(", ")] if coding else []
        images = {int(a): int(b) for a, b in pairs}
        word = fp.Session().namespace.library_words[name].prefix(len(letters) + int(shift or 0))[int(shift or 0) :]
        assert [images.get(letter, letter) for letter in word] == letters
    else:
        assert said == "not eventually periodic"


def test_diagonals(sheet: fp.Sheet, table: list[list[int]]) -> None:
    check_line(sheet["diagonal"].value, [table[n][n] for n in range(SIZE)])
    for k in range(1, 4):
        check_line(sheet[f"diagonal-above-{k}"].value, [table[n][n + k] for n in range(SIZE - k)])
        check_line(sheet[f"diagonal-below-{k}"].value, [table[n + k][n] for n in range(SIZE - k)])
    for name, test in (
        ("constant", lambda each: len(set(each)) == 1), ("palindromic", lambda each: each == each[::-1]),
    ):
        found = {n for n in range(60) if test([table[i][n - i] for i in range(n + 1)])}
        assert members(sheet, f"{name}-antidiagonals", 60) == found


def test_blocks(sheet: fp.Sheet, table: list[list[int]]) -> None:
    for size in range(1, 4):
        blocks = {
            tuple(table[i + a][j + b] for a in range(size) for b in range(size))
            for i, j in itertools.product(range(SIZE - size), repeat=2)
        }
        assert sheet[f"blocks-{size}"].value == str(len(blocks))


def test_formulas_are_theorems() -> None:
    sheet, session = fp.study("SCA", only=["diagonal", "column-1", "diagonal-above-1"]), fp.Session()
    for line in sheet.lines:
        assert session.prove(line.formula).truth
    assert not session.prove(sheet["column-1"].formula.replace("n+3", "n+2")).truth
    assert session.run(sheet.to_script())[-1][1]


@pytest.mark.parametrize(("name", "said"), [("PF", "-1,1"), ("FOLD", "-1,0,1")])
def test_other_indices_have_no_sheet(name: str, said: str) -> None:
    with pytest.raises(fp.FibproverError, match=said):
        fp.study(name)


def test_indices_are_no_references_in_markdown() -> None:
    page = markdown_of(fp.study("pascal", only=["symmetric"]))
    (row,) = (line for line in page.splitlines() if line.startswith(("| proved", "| refuted")))
    assert "][" not in "".join(row.split("`")[::2])
    assert "pascal[i][j]" in row.split("`")[1]
