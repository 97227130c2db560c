"""Cells that two pages change: one list of both, in which nothing that either wrote is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.frontends.web.saved import Cell, merged

Texts = st.lists(st.sampled_from("abcdef"), max_size=7)


def cells(texts: str | list[str]) -> list[Cell]:
    return [{"kind": "commands", "text": text} for text in texts]


@pytest.mark.parametrize(
    ("before", "mine", "theirs", "found"),
    [
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
    ],
)
def test_changes_are_merged(before: str, mine: str, theirs: str, found: str) -> None:
    assert merged(cells(before), cells(mine), cells(theirs)) == cells(found)


@given(Texts, Texts, Texts)
def test_nothing_that_is_new_is_lost(before: list[str], mine: list[str], theirs: list[str]) -> None:
    found = [cell["text"] for cell in merged(cells(before), cells(mine), cells(theirs))]
    assert {*mine, *theirs} - {*before} <= {*found} <= {*mine, *theirs}
    assert {*mine} & {*theirs} <= {*found}
    assert merged(cells(before), cells(mine), cells(before)) == cells(mine)
    assert merged(cells(before), cells(before), cells(theirs)) == cells(theirs)
    assert merged(cells(before), cells(mine), cells(mine)) == cells(mine)
