"""Sheets of words from papers, by whatever method decides a line, against a prefix of 20,000 letters."""

from __future__ import annotations

import pytest

import fibprover as fp
from benchmarks.paper_words import PAPER_WORDS, Result, table
from fibprover.base.limits import limits_of_part
from tests.sheets.test_against_prefixes import ONE_INDEX, check, first_letters
from tests.sheets.test_desubstitution import (
    PREFIX,
    Seen,
    check_bispecial_factors,
    check_factors,
    check_lines,
    check_powers,
    check_recurrence,
)

QUICK = ("hiccup, 2 and 3", "Toeplitz, 1 2 ?")

#: Lines that these words decide at once.
LINES = ("complexity", "right-special", "palindromes", "square-orders", "overlaps", "critical-exponent", "gaps")

#: A prefix of 20,000 letters has not all of their factors of 14 letters, or distances between letters.
LONG_PREFIX = {"Keranen": 400_000, "Klouda, five letters": 100_000}


@pytest.mark.parametrize("name", QUICK)
def test_some_lines_of_some_words(name: str) -> None:
    word = PAPER_WORDS[name]
    sheet = fp.study(word.rules, coding=word.coding, only=LINES)
    assert sheet.count("open") == 0
    assert check_lines({line.id: line for line in sheet.lines}, Seen(first_letters(sheet, PREFIX))) == len(LINES)


@pytest.mark.very_long
@pytest.mark.parametrize("name", [name for name, word in PAPER_WORDS.items() if not word.library])
def test_whole_sheets(name: str) -> None:
    word = PAPER_WORDS[name]
    sheet = fp.study(word.rules, coding=word.coding, limits=limits_of_part(4), cpu_seconds=60)
    letters = LONG_PREFIX.get(name, PREFIX)
    assert check(sheet, letters) >= 5
    decided = {line.id: line for line in sheet.lines if line.status != "open"}
    assert check_lines(decided, Seen(first_letters(sheet, letters))) >= 10


@pytest.mark.very_long
@pytest.mark.parametrize("name", ONE_INDEX)
def test_whole_sheets_of_the_library(name: str) -> None:
    """Words that are not recurrent have factors that a count from the second letter on does not see."""
    sheet = fp.study(name, limits=limits_of_part(4), cpu_seconds=60)
    assert check(sheet, PREFIX) >= 5
    decided = {line.id: line for line in sheet.lines if line.status != "open"}
    if "recurrent" in decided and decided["recurrent"].status == "proved":
        seen = Seen(first_letters(sheet, PREFIX))
        for compare in (check_factors, check_bispecial_factors, check_powers, check_recurrence):
            compare(decided, seen)


def test_the_table() -> None:
    rows = table([Result("Chacon", 30, 4, 2, 34, 1.5, 90)]).splitlines()
    assert [cell.strip() for cell in rows[2].split("|")[1:-1]][3:] == ["36", "34", "34", "1.5", "90"]
    assert sum(not word.library for word in PAPER_WORDS.values()) >= 30


@pytest.mark.long
def test_what_counts_letters_over_a_system_with_a_smaller_addition() -> None:
    """The word over msd_trib has the same letters, and the line says what a prefix does."""
    sheet = fp.study("0->01, 1->20, 2->0", only=["balance-0", "complexity"])
    own, other = sheet.words
    assert (own.name, other.name) == ("W", "Ws") and list(own.prefix(2000)) == list(other.prefix(2000))
    assert "?msd_trib" in sheet["balance-0"].formula and "?msd_w" in sheet["complexity"].formula
    assert "Ws is the same word over msd_trib" in str(sheet)
    assert check(sheet, PREFIX) == 2
