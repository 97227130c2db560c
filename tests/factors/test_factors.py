"""Factors of fixed points by desubstitution, against counting in long prefixes, for drawn morphisms."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from fibprover.base.errors import FibproverError
from fibprover.factors.language import FixedPoint, Substitution
from fibprover.factors.perron import is_primitive
from fibprover.factors.word import Desubstituted, multiplicity

#: Letters of the prefixes, and the length up to which factors are counted.
PREFIX, LENGTH = 20_000, 18

Around = dict[str, set[tuple[str, str]]]


def drawn(seed: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return a primitive morphism whose letter 0 begins its image, and a coding, both with short images."""
    draw = random.Random(seed)
    while True:
        size = draw.choice((2, 2, 3))
        images = [[draw.randrange(size) for _ in range(draw.randint(1, 4))] for _ in range(size)]
        images[0] = [0, draw.randrange(1, size), *images[0][2:]]
        texts = ["".join(map(chr, image)) for image in images]
        if not all(any(letter in image for image in images) for letter in range(size)):
            continue
        if is_primitive(Substitution(texts).matrix) and Substitution(texts).is_injective:
            break
    if seed % 3:
        return images, [[letter] for letter in range(size)]
    return images, [[draw.randrange(2) for _ in range(draw.randint(1, 2))] for _ in range(size)]


def around(text: str, length: int) -> Around:
    found: Around = {}
    for place in range(1, len(text) - length):
        found.setdefault(text[place : place + length], set()).add((text[place - 1], text[place + length]))
    return found


def words() -> Iterator[tuple[int, Desubstituted]]:
    for seed in range(36):
        try:
            word = Desubstituted(*drawn(seed))
            assert word.bispecials.synchronizing > 0
        except FibproverError:
            continue
        yield seed, word


@pytest.fixture(scope="module")
def known() -> list[tuple[int, Desubstituted]]:
    return list(words())


def test_most_drawn_morphisms_are_known(known: list[tuple[int, Desubstituted]]) -> None:
    """Others have periodic fixed points, or images under the coding that cannot be read."""
    assert len(known) >= 15 and sum(word.outer is not None for _, word in known) >= 4


def test_factors_are_those_of_a_prefix(known: list[tuple[int, Desubstituted]]) -> None:
    for seed, word in known[::4]:
        text = word.language.prefix(PREFIX)
        for length in range(0, LENGTH, 5):
            windows = {text[place : place + length] for place in range(len(text) - length)}
            assert word.language.factors(length) == windows, seed


@pytest.mark.long
def test_bispecial_factors_with_their_multiplicities(known: list[tuple[int, Desubstituted]]) -> None:
    for seed, word in known[::2]:
        text = word.language.prefix(PREFIX)
        found = word.bispecials
        for length in range(LENGTH):
            seen = Counter(
                multiplicity(frozenset(pairs)) for pairs in around(text, length).values()
                if len({a for a, _ in pairs}) > 1 and len({b for _, b in pairs}) > 1
            )
            single = [each.around for each in found.single if len(each.word) == length]
            family = [each.around for each in found.families if length in each.orbit.below(length + 1)]
            assert Counter(map(multiplicity, [*single, *family])) == seen, (seed, length)


def test_numbers_of_factors_and_special_factors(known: list[tuple[int, Desubstituted]]) -> None:
    compared = 0
    for seed, word in known:
        try:
            growth, specials = word.growth, word.specials(1)
        except FibproverError:
            continue
        factors = [len(word.language.factors(length)) for length in range(LENGTH + 1)]
        differences = [b - a for a, b in pairwise(factors)]
        assert growth.first(LENGTH) == differences, seed
        assert set(growth.first(3000)) <= growth.values()
        longer = word.language.factors(9)
        assert specials.first(9)[8] == sum(
            len({each[-1] for each in longer if each[:-1] == factor}) > 1 for factor in word.language.factors(8)
        ), seed
        compared += 1
    assert compared >= 12


def test_frequencies_are_those_of_a_prefix(known: list[tuple[int, Desubstituted]]) -> None:
    for seed, word in known[::3]:
        text = word.language.prefix(PREFIX)
        for letter, frequency in enumerate(word.frequencies().values()):
            assert abs(text.count(chr(letter)) / PREFIX - float(frequency)) < 0.02, seed


def test_periodic_fixed_points_have_no_synchronizing_points() -> None:
    with pytest.raises(FibproverError):
        assert Desubstituted([[0, 1, 0], [1, 0, 1]], [[0], [1]]).bispecials.families == ()


def test_a_morphism_that_is_not_primitive_is_read_by_return_words() -> None:
    word = Desubstituted([[0, 0, 1, 0], [1]], [[0], [1]])
    assert word.outer is not None and word.inner.morphism.images != ("\0\0\1\0", "\1")
    assert [ord(letter) for letter in word.language.prefix(13)] == [0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0]


@pytest.mark.parametrize("images", [
    [[0, 1], [1, 2], [2]],  # 0 occurs once
    [[0, 1, 0], [1, 1, 1]],  # longer and longer words without 0
    [[0, 1], [0, 1]],  # two letters with one image
])
def test_what_the_method_does_not_decide(images: list[list[int]]) -> None:
    with pytest.raises(FibproverError):
        assert Desubstituted(images, [[letter] for letter in range(len(images))]).bispecials.families == ()


def test_codes() -> None:
    assert Substitution(["\0\1", "\0"]).is_injective
    assert not Substitution(["\0", "\0\1", "\1\0"]).is_injective
    assert FixedPoint(Substitution(["\0\1", "\0"])).factors(2) == {"\0\0", "\0\1", "\1\0"}
