"""The table of words and predicates: the prover's side of an entry against Python's."""

from __future__ import annotations

from itertools import product

import pytest

from tests.oracle.definitions import (
    PREDICATES,
    SYSTEMS,
    WORDS,
    Predicate,
    Word,
    fibonacci_value,
    hofstadter,
    predicates_of,
    read_word,
    representation,
    zeckendorf,
)


@pytest.mark.parametrize("word", WORDS, ids=lambda word: f"{word.system}-{word.name}")
def test_tables_give_the_described_letters(word: Word) -> None:
    assert [read_word(word, n) for n in range(2000)] == [word.letter(n) for n in range(2000)]


def test_representations() -> None:
    assert [zeckendorf(n) for n in range(8)] == ["", "1", "10", "100", "101", "1000", "1001", "1010"]
    assert all(fibonacci_value(zeckendorf(n)) == n and "11" not in zeckendorf(n) for n in range(1000))
    assert [representation(n, "msd_3") for n in (0, 2, 3, 17)] == ["", "2", "10", "122"]


def test_hofstadter_begins_as_known() -> None:
    assert [hofstadter(n) for n in range(13)] == [0, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 8]


@pytest.mark.parametrize("predicate", PREDICATES, ids=lambda predicate: f"{predicate.system}-{predicate.name}")
def test_predicates_are_neither_empty_nor_full(predicate: Predicate) -> None:
    seen = {predicate.truth(*values) for values in product(range(9), repeat=predicate.arity)}
    assert seen == {True, False}


def test_names_are_distinct_within_a_system() -> None:
    for system in SYSTEMS:
        assert len(predicates_of(system)) == sum(predicate.system == system for predicate in PREDICATES)
