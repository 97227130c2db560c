"""Automatic words: letters, relations between letters, and padding."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import AutomatonError, DigitError
from fibprover.words.automatic import AutomaticWord, automatic_word
from tests.automata.small import accepted, automata, everything, less, tracks


def binary(value: int) -> list[int]:
    return [int(bit) for bit in f"{value:b}"] if value else []


def word(rows: list[dict[int, int]], outputs: list[int], names: str = "i") -> AutomaticWord:
    return automatic_word("W", build(tracks(names), rows, outputs))


THUE_MORSE = word([{0: 0, 1: 1}, {0: 1, 1: 0}], [0, 1])
RULER_PARITY = word([{0: 1, 1: 0}, {0: 0, 1: 0}], [-1, 5])  # by the parity of the zeros at the end


def test_letters_and_prefixes() -> None:
    assert THUE_MORSE.prefix(16, binary) == [bin(n).count("1") % 2 for n in range(16)]
    assert THUE_MORSE.outputs == (0, 1)
    assert RULER_PARITY.outputs == (-1, 5)
    assert THUE_MORSE.value([0, 0, 1, 1, 1]) == 1
    with pytest.raises(DigitError, match="2 is not a digit"):
        THUE_MORSE.value([2])
    with pytest.raises(DigitError, match="1 digit words are needed"):
        THUE_MORSE.value([1], [1])


def test_the_machine_is_minimal_for_all_outputs() -> None:
    copied = word([{0: 2, 1: 1}, {0: 3, 1: 2}, {0: 0, 1: 3}, {0: 1, 1: 0}], [4, 7, 4, 7])
    assert copied.machine.states == 2
    assert copied.outputs == (4, 7)
    # letters that are never used are gone, a letter 0 is a letter
    unused = word([{0: 0, 1: 0}, {}], [0, 9])
    assert unused.outputs == (0,)
    assert unused.prefix(3, binary) == [0, 0, 0]


def test_two_indices() -> None:
    smaller = automatic_word("M", less("i", "j"))
    assert smaller.value(binary(3), binary(5)) == 1
    assert smaller.value(binary(5), binary(3)) is None
    assert smaller.value(binary(5), binary(5)) == 0
    with pytest.raises(AutomatonError, match="2 indices"):
        smaller.prefix(3, binary)


def test_an_index_without_a_letter_passes_no_test() -> None:
    partial = word([{0: 0, 1: 1}, {0: 0}], [0, 1])
    assert partial.value([1, 1]) is None
    for test in (lambda letter: letter != 1, lambda letter: letter == 1, lambda letter: True):
        assert partial.where(test).output([1, 1]) is None
    assert partial.pairs_where(THUE_MORSE.renamed(["j"]), lambda u, v: True).output([0b11, 0b10]) is None


def test_where() -> None:
    odious = THUE_MORSE.where({1})
    assert accepted(odious, 4) == {w for w in accepted(everything("i"), 4) if sum(w) % 2}
    assert odious == THUE_MORSE.where(lambda letter: letter > 0) == kernel_calls.minimize(odious)
    assert THUE_MORSE.where([]) == operations.empty(tracks("i"))
    assert THUE_MORSE.where({3}) == operations.empty(tracks("i"))
    assert THUE_MORSE.where(lambda letter: True) == everything("i")
    assert accepted(RULER_PARITY.where([-1]), 3) | accepted(RULER_PARITY.where([5]), 3) == accepted(everything("i"), 3)


COMPARISONS: list[Callable[[int, int], bool]] = [
    lambda u, v: u == v,
    lambda u, v: u != v,
    lambda u, v: u < v,
    lambda u, v: u + v == 1,
    lambda u, v: False,
]


@given(
    automata(tracks("b"), outputs=(-1, 0, 1, 2)), automata(tracks("a"), outputs=(-1, 0, 1, 2)),
    st.sampled_from(COMPARISONS),
)
def test_pairs_of_letters(first: Dfa, second: Dfa, test: Callable[[int, int], bool]) -> None:
    u, v = automatic_word("U", first), automatic_word("V", second)
    relation = u.pairs_where(v, test)
    assert relation.names == ("a", "b")
    assert kernel_calls.minimize(relation) == relation
    expected = set()
    for codes in accepted(everything("ab"), 3):
        left, right = u.value([code & 1 for code in codes]), v.value([code >> 1 for code in codes])
        if left is not None and right is not None and test(left, right):
            expected.add(codes)
    assert accepted(relation, 3) == expected


def test_a_shared_index_is_one_track() -> None:
    same = THUE_MORSE.pairs_where(RULER_PARITY, lambda u, v: (u == 0) == (v == 5))
    assert same.names == ("i",)
    assert accepted(same, 4) == {
        w for w in accepted(everything("i"), 4) if (THUE_MORSE.value(w) == 0) == (RULER_PARITY.value(w) == 5)
    }


def test_padding() -> None:
    assert not THUE_MORSE.padding_matters
    raw = AutomaticWord("W", build(tracks("i"), [{0: 1, 1: 0}, {0: 0, 1: 0}], [-1, 5]))
    assert raw.padding_matters and not RULER_PARITY.padding_matters
    assert AutomaticWord("W", build(tracks("i"), [{1: 0}], [3])).padding_matters  # no transition on a leading zero
    assert word([{0: 1, 1: 2}, {0: 0, 1: 2}, {0: 2, 1: 2}], [0, 0, 1]).padding_matters is False


def test_renaming_keeps_the_order_of_the_indices() -> None:
    renamed = automatic_word("M", less("i", "j")).renamed(["z", "a"])
    assert renamed.machine.names == ("z", "a")
    assert renamed.value(binary(3), binary(5)) == 1
    assert renamed.where({1}).names == ("z", "a")


def test_a_machine_that_does_not_skip_leading_zeros_is_read_without_them() -> None:
    index = Track("n", (0, 1), "msd_2")
    # 1 -> 5, everything else 7, and a leading zero would lead astray (to 9).
    machine = build([index], [{0: 1, 1: 2}, {0: 1, 1: 1}, {0: 3, 1: 3}, {0: 3, 1: 3}], [6, 9, 5, 7])
    word = automatic_word("W", machine)
    assert [word.value(digits) for digits in ([], [0], [1], [0, 0, 1], [1, 0], [0, 1, 1])] == [6, 6, 5, 5, 7, 7]
    assert not word.padding_matters


def test_a_machine_without_a_transition_on_a_leading_zero_is_read_without_it() -> None:
    index = Track("n", (0, 1), "msd_2")
    machine = build([index], [{1: 1}, {0: 1, 1: 1}], [3, 4])
    word = automatic_word("W", machine)
    assert [word.value(digits) for digits in ([], [0, 0], [0, 1], [1, 0])] == [3, 3, 4, 4]
