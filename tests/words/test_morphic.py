"""Words of morphisms and codings: letters of any kind, images of any length, against the words written out."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fibprover.base.errors import FibproverError, LimitError, SyntaxProblem
from fibprover.words.morphic import MorphicWord, morphic_word
from fibprover.words.rules import Rules, parse_rules
from tests.seeds import chosen_seed


def written_out(rules: Rules, coding: Rules | None, first: str, length: int) -> list[str]:
    """Return a prefix of the coded fixed point, as letters, by applying the rules."""
    word: Sequence[str] = (first,)
    while len(word) < length:
        word = [each for letter in word for each in rules[letter]]
    coded = word if coding is None else [each for letter in word for each in coding[letter]]
    return list(coded[:length])


def prefix(word: MorphicWord, length: int) -> list[int]:
    """Return a prefix of the word, by applying its images."""
    letters: Sequence[int] = (0,)
    while len(letters) < length:
        letters = [each for letter in letters for each in word.images[letter]]
    return [word.outputs[letter] for letter in letters[:length]]


@pytest.mark.parametrize(("text", "rules"), [
    ("a->ab, b->a", {"a": ("a", "b"), "b": ("a",)}), ("a->ab b->a", {"a": ("a", "b"), "b": ("a",)}),
    ("a→ab,b→a", {"a": ("a", "b"), "b": ("a",)}), ("é->éß, ß->é", {"é": ("é", "ß"), "ß": ("é",)}),
    ("0->0[12], 12->[-3]x, [-3]->[ + 7 ], x->1", {"0": ("0", "12"), "12": ("-3", "x"), "-3": ("7",), "x": ("1",)}),
    ("A -> A b B, b->b A", {"A": ("A", "b", "B"), "b": ("b", "A")}),
])
def test_rules(text: str, rules: dict[str, tuple[str, ...]]) -> None:
    assert parse_rules(text) == rules and list(parse_rules(text)) == list(rules)


@pytest.mark.parametrize(("text", "place"), [
    ("", 0), ("a", 1), ("a->ab, b=a", 8), ("a->, b->a", 0), ("a->ab, b->a, a->a", 13), ("a->ab, b->_", 7), ("->a", 0),
    ("a->b->c", 0), ("a->[b]", 0),
])
def test_no_rules(text: str, place: int) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_rules(text)
    assert caught.value.start == place


CODED = [
    ("a->ab, b->cb, c->a", "a->011, b->0, c->01", "a"), ("a->ab, b->a", "a->01, b->[12]", "a"),
    ("0->01, 1->10", "0->012, 1->3", "0"), ("0->012, 1->02, 2->1", None, "0"), ("a->ab, b->ba", "a->xyz, b->y", "a"),
    ("a->abc, b->a, c->b", "a->0, b->1010101010, c->2", "a"), ("a->ab, b->b", "a->0010, b->1", "a"),
    ("a->bc, b->ba, c->c", None, "b"), ("1->1000, 0->10", "1->12, 0->345", "1"), ("a->aab, b->b", "a->01, b->2", "a"),
    ("1->12, 2->20, 0->01", None, "0"), ("1->12, 2->20, 0->0", None, "1"),
]


@pytest.mark.parametrize(("morphism", "coding", "first"), CODED)
def test_the_word_is_what_the_rules_write(morphism: str, coding: str | None, first: str) -> None:
    rules, codes = parse_rules(morphism), None if coding is None else parse_rules(coding)
    word = morphic_word(rules, codes)
    number = dict(word.letters)
    expected = [number[each] if number else int(each) for each in written_out(rules, codes, first, 3000)]
    assert prefix(word, 3000) == expected
    assert word.images[0][0] == 0 and len(word.images[0]) > 1 and all(word.images)


@pytest.mark.random
def test_drawn_words() -> None:
    draw = random.Random(f"{chosen_seed()} morphic")
    done = 0
    for _ in range(300):
        letters = "abcd"[: draw.choice([2, 3, 4])]
        rules = {letter: tuple(draw.choices(letters, k=draw.choice([1, 2, 2, 3]))) for letter in letters}
        rules["a"] = ("a", *rules["a"])
        coding = {letter: tuple(draw.choices("0123", k=draw.choice([1, 1, 2, 3]))) for letter in letters}
        try:
            word = morphic_word(rules, coding)
        except FibproverError as problem:
            assert "shorter than its block" in problem.message
            continue
        assert prefix(word, 500) == list(map(int, written_out(rules, coding, "a", 500)))
        done += 1
    assert done > 150


@pytest.mark.parametrize(("morphism", "coding", "error"), [
    ("a->ab, b->c", None, FibproverError), ("a->ba, b->ab", None, FibproverError), ("a->a, b->a", None, FibproverError),
    ("a->ab, b->a", "a->0", FibproverError), ("a->abc, b->ab, c->c", "a->0, b->1, c->22", FibproverError),
    ("a->ab, b->ab", f"a->{'0' * 999}, b->01", LimitError),
])
def test_words_that_are_refused(morphism: str, coding: str | None, error: type[FibproverError]) -> None:
    with pytest.raises(error):
        morphic_word(parse_rules(morphism), None if coding is None else parse_rules(coding))
