"""Morphisms that are read from the terms of their fixed points."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

import fibprover as fp
from fibprover.infer.fixed_points import fixed_point_of
from fibprover.words.morphic import morphic_word
from fibprover.words.rules import parse_rules


def letters(rules: str, count: int) -> list[int]:
    return morphic_word(parse_rules(rules)).prefix(count)


@pytest.mark.parametrize(("rules", "images"), [
    ("0->01, 1->20, 2->0", {0: (0, 1), 1: (2, 0), 2: (0,)}),
    ("0->012, 1->22, 2->0", {0: (0, 1, 2), 1: (2, 2), 2: (0,)}),
    ("0->01, 1->100", {0: (0, 1), 1: (1, 0, 0)}), ("0->0010, 1->1", {0: (0, 0, 1, 0), 1: (1,)}),
    ("0->01, 1->23, 2->2, 3->0", {0: (0, 1), 1: (2, 3), 2: (2,), 3: (0,)}),
])
def test_morphisms_from_200_terms(rules: str, images: dict[int, tuple[int, ...]]) -> None:
    found = fixed_point_of(letters(rules, 200))
    assert found is not None and found.images == images
    assert found.prefix(5000) == letters(rules, 5000)


def morphisms() -> Iterator[str]:
    """Yield morphisms of two letters, with images of up to three letters, that have an infinite fixed point."""
    words = ["".join(word) for size in (1, 2, 3) for word in product("01", repeat=size)]
    for one, other in product(words, repeat=2):
        if one[0] == "0" and len(one) > 1 and "1" in one and len(one) != len(other):
            yield f"0->{one}, 1->{other}"


def test_what_is_found_goes_on_as_the_word() -> None:
    found = {rules: fixed_point_of(letters(rules, 120)) for rules in morphisms()}
    known = {rules: each for rules, each in found.items() if each is not None}
    assert len(known) >= 20
    for rules, each in known.items():
        assert each.prefix(3000) == letters(rules, 3000), rules


@pytest.mark.parametrize("terms", [
    [0, 1, 2] * 60, [0, 1] + [0] * 150, letters("0->01, 1->10", 200), letters("0->01, 1->0", 12),
    [int(n ** 0.5) ** 2 == n for n in range(200)], [len(bin(n)) % 5 for n in range(200)], [],
])
def test_terms_of_no_such_word(terms: list[int]) -> None:
    """Periodic ones, those over a base, too few, and places of squares."""
    assert fixed_point_of(terms) is None


def test_a_letter_that_is_not_read_before_the_terms_end_has_no_image() -> None:
    """The 1 of 2 -> 1222 has none: nothing says how the word goes on."""
    assert fixed_point_of(letters("0->0000002, 1->001, 2->1222", 132)) is None


def test_a_sheet_of_terms_whose_system_is_not_among_those_that_are_tried() -> None:
    sheet = fp.study(terms=letters("0->01, 1->20, 2->0", 200), only=["complexity"])
    assert "0->01, 1->20, 2->0" in sheet.lines[0].statement and sheet.lines[0].status == "open"
    assert sheet["complexity"].status == "proved"
