"""Sequences that are known by their numbers: their equations have the terms of other definitions."""

from __future__ import annotations

import pytest

import fibprover as fp
from benchmarks.known_sequences import SEQUENCES
from fibprover.sequences.catalogue import KNOWN
from tests.few import few

#: Those that benchmarks/known_sequences.py defines, too.
BOTH = sorted(KNOWN.keys() & {each.number for each in SEQUENCES})


@pytest.mark.parametrize("number", few(BOTH, 4))
def test_the_equations_have_the_terms_of_the_other_definition(number: str) -> None:
    named = KNOWN[number].by_name
    sequence = fp.Session().solve(*(text for pair in named.items() for text in pair)).sequences["a"]
    (known,) = (each for each in SEQUENCES if each.number == number)
    begin = known.first - KNOWN[number].shift
    assert known.terms(200) == sequence[begin : begin + 200]
    assert number in [each.number for each in fp.oeis(sequence)]


def test_many_have_two_definitions() -> None:
    assert len(BOTH) > 20
