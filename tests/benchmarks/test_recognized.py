"""Known sequences and how many of them are recognized: a small part of `python -m benchmarks.recognized`."""

from __future__ import annotations

import pytest

from benchmarks.known_sequences import SEQUENCES, is_kept
from benchmarks.recognized import Result, first_wrong, recognized, table
from fibprover.base.limits import limits_of_part
from fibprover.sheets.search import suggested
from fibprover.sheets.terms import terms_from
from tests.few import few

#: Numbers, and what is found from 200 terms, "" for nothing.
FOUND = {
    "A000120": "numbers", "A010060": "word", "A000201": "differences", "A003849": "word", "A002487": "numbers",
    "A007895": "numbers", "A010052": "", "A006337": "word",
}


def place_of(number: str) -> int:
    (place,) = (place for place, each in enumerate(SEQUENCES) if each.number == number)
    return place


def test_the_list() -> None:
    numbers = [each.number for each in SEQUENCES if each.number]
    assert len(SEQUENCES) == 400 and len(set(numbers)) == len(numbers) == 239
    assert sum(is_kept(place) for place in range(400)) == 100
    assert all(len(each.terms(20)) == 20 for each in SEQUENCES)


@pytest.mark.parametrize("number", FOUND)
def test_what_is_recognized(number: str) -> None:
    result = recognized(place_of(number), 200, checked=2000, seconds=20)
    assert (result.found, result.wrong) == (FOUND[number], None)


@pytest.mark.long
@pytest.mark.parametrize("place", range(0, 400, 16))
def test_nothing_is_recognized_wrongly(place: int) -> None:
    assert recognized(place, 1000, checked=20_000).wrong is None


@pytest.mark.parametrize(("number", "terms"), few([
    ("A110591", 200), ("A110591", 1000), ("A110592", 2000), ("A055642", 1000), ("A049320", 1000),
], 5))
def test_what_was_recognized_wrongly(number: str, terms: int) -> None:
    """Letters that are first seen late, and words that the terms fit by chance."""
    result = recognized(place_of(number), terms, checked=20_000)
    assert result.wrong is None
    assert result.found == {"A110591": "numbers", "A110592": "numbers"}.get(number, "")


@pytest.mark.parametrize(("number", "kind"), [("A000120", "numbers"), ("A007895", "numbers"), ("A010060", "word")])
def test_a_wrong_term_is_found(number: str, kind: str) -> None:
    known = SEQUENCES[place_of(number)]
    found = suggested(terms_from(known.terms(300), known.first), "", (), limits_of_part(20))
    right = known.terms(1500)
    assert first_wrong(found, kind, right) is None
    right[1234] += 1
    assert first_wrong(found, kind, right) == 1234


def test_the_table() -> None:
    rows = table([
        Result(0, 200, "word", None, 1.0), Result(1, 200, "", None, 3.0), Result(2, 200, "numbers", 7, 1.0),
        Result(3, 200, "numbers", None, 1.0),
    ]).splitlines()
    assert [cell.strip() for cell in rows[2].split("|")[1:-1]] == [
        "200", "3", "1", "1", "0", "0", "1", "1", "1", "1.00", "3.0",
    ]
