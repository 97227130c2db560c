"""Sequences that are known by their numbers: their equations, first terms, and an independent list."""

from __future__ import annotations

import pytest

import fibprover as fp
from benchmarks.known_sequences import SEQUENCES
from fibprover.sequences.catalogue import ENTRIES, known_sequence


@pytest.mark.parametrize("number", ENTRIES)
def test_the_equations_have_the_first_terms_and_those_of_the_other_definition(number: str) -> None:
    entry = ENTRIES[number]
    sequence = fp.Session().solve("a", f"?{entry.system} {entry.equations}").sequence
    assert tuple(sequence[: len(entry.first)]) == entry.first
    (known,) = (each for each in SEQUENCES if each.number == number)
    assert sequence[:200] == known.terms(200)
    assert known_sequence(sequence) == entry
