"""Questions about languages against enumeration."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata import kernel_calls, language, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import AutomatonError, DigitError
from tests.automata.comparing import includes, same_language
from tests.automata.small import accepted, automata, everything, less, table, tracks

XY = tracks("xy")
PLAIN = (Track("p", (-1, 1)),)
LESS = less("x", "y")


def number(value: int) -> list[int]:
    return [int(bit) for bit in f"{value:b}"] if value else []


def test_membership_pads_numbers() -> None:
    for x in range(9):
        for y in range(9):
            assert language.accepts(LESS, [number(x), number(y)]) == (x < y)
            assert language.accepts(LESS, ([0, 0, *number(x)], (0, *number(y)))) == (x < y)


def test_membership_of_closed_and_plain_automata() -> None:
    assert language.accepts(operations.true(), [])
    assert not language.accepts(operations.false(), [])
    mixed = build([Track("p", (-1, 1)), Track("x", (0, 1), "msd_2")], [{2: 0, 3: 0}], [7])
    assert language.output(mixed, [[1, 1], [1]]) == 7
    assert language.output(mixed, [[-1], [1]]) is None
    assert not language.accepts(mixed, [[1, -1], []])
    with pytest.raises(DigitError, match="p is a plain alphabet: 2 letters are needed, not 1"):
        language.accepts(mixed, [[1], [1, 1]])


@pytest.mark.parametrize(
    ("words", "cause"),
    [([[1]], "2 digit words are needed"), ([[1], [1], [1]], "not 3"), ([[2], []], "2 is not a digit of track x")],
)
def test_words_that_do_not_fit(words: list[list[int]], cause: str) -> None:
    with pytest.raises(DigitError, match=cause):
        language.accepts(LESS, words)


@given(automata(XY), st.lists(st.integers(0, 3), max_size=6))
def test_words_and_codes_are_inverse(a: Dfa, codes: list[int]) -> None:
    assert language.letter_codes(a, a.digit_words(codes)) == codes
    assert language.accepts(a, a.digit_words(codes)) == bool(a.output(codes))


@given(automata(XY, outputs=(-1, 0, 1, 2)), automata(XY, outputs=(-1, 0, 1, 2)))
def test_comparisons(a: Dfa, b: Dfa) -> None:
    # Automata of n and m states that differ do so on a word shorter than n + m; 4 + 4 is too long to
    # enumerate, so inclusion is checked in the direction that enumeration can refute.
    in_a, in_b = accepted(a, 4), accepted(b, 4)
    reordered = kernel_calls.reorder(b, ["y", "x"])
    if includes(a, reordered):
        assert in_b <= in_a
    else:
        assert accepted(kernel_calls.difference(b, a), 4) == in_b - in_a
        assert not language.is_empty(kernel_calls.difference(b, a))
    assert same_language(a, reordered) == (includes(a, b) and includes(b, a))
    if in_a != in_b:
        assert not same_language(a, b)


def test_equal_languages_of_different_automata() -> None:
    twice = table("xy", {"e": "00>f 11>e 01>l", "f": "00>e 11>f 01>k", "l": "00>k 01>l 10>l 11>l",
                         "k": "00>l 01>l 10>k 11>l"}, "lk")
    assert same_language(LESS, twice)
    assert includes(LESS, twice)
    assert not same_language(LESS, less("y", "x"))
    assert not includes(LESS, everything("xy"))
    assert includes(everything("yx"), LESS)
    assert same_language(kernel_calls.reorder(LESS, ["y", "x"]), LESS)


def test_automata_over_different_tracks_cannot_be_compared() -> None:
    with pytest.raises(AutomatonError, match="different tracks"):
        same_language(LESS, less("x", "z"))
    with pytest.raises(AutomatonError, match="different tracks"):
        includes(everything("x"), build(tracks("x", system="msd_fib"), [{0: 0, 1: 0}], [1]))


@given(automata(XY))
def test_words_in_order_and_counts(a: Dfa) -> None:
    in_order = [word for word in sorted(accepted(a, 4), key=lambda w: (len(w), w)) if not word or word[0]]
    found = language.first_words(a, len(in_order))
    assert found == [a.digit_words(word) for word in in_order]
    for length in range(5):
        assert language.count_words(a, length) == sum(len(word) == length for word in accepted(a, 4))
    first = language.shortest(a)
    assert (first is None) == language.is_empty(a)
    if first is not None:
        codes = language.letter_codes(a, first)
        assert len(codes) > 4 or tuple(codes) == min(accepted(a, 4), key=lambda w: (len(w), w))
    if language.is_finite(a):
        # 4 states: no word without a cycle is longer than 3
        assert all(len(word) <= 4 for word in in_order)
        assert len(language.first_words(a, 10_000)) < 10_000
    else:
        assert len(language.first_words(a, 50)) == 50


@given(automata(PLAIN, outputs=(0, 1)))
def test_words_over_a_plain_alphabet_may_begin_with_anything(a: Dfa) -> None:
    in_order = sorted(accepted(a, 4), key=lambda w: (len(w), w))
    assert language.first_words(a, len(in_order)) == [a.digit_words(word) for word in in_order]


def test_counts_are_exact_however_large() -> None:
    assert language.count_words(everything("xy"), 200) == 4**200
    assert language.count_words(LESS, 100) == (4**100 - 2**100) // 2
    assert language.count_words(operations.true(), 3) == 1


def test_a_finite_relation_of_numbers_has_infinitely_many_words() -> None:
    four = table("x", {"z": "0>z 1>a", "a": "0>b", "b": "0>c", "c": ""}, "c")
    assert language.is_finite(four)
    assert language.first_words(four, 5) == [((1, 0, 0),)]
    assert language.shortest(four) == ((1, 0, 0),)
    assert not language.is_finite(less("y", "x"))
