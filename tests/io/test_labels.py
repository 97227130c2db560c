"""Edge labels: boxes hold exactly the letters of the edge, and are few."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.io.labels import box_text, edge_boxes, edges, expanded, merged

BINARY = (0, 1)


def over(*alphabets: tuple[int, ...]) -> tuple[Track, ...]:
    return tuple(Track(f"t{place:02d}", digits) for place, digits in enumerate(alphabets))


def one_state(tracks: tuple[Track, ...], codes: set[int]) -> Dfa:
    return build(tracks, [dict.fromkeys(codes, 0)], [1])


def texts(tracks: tuple[Track, ...], codes: set[int]) -> list[str]:
    return edges(one_state(tracks, codes)).get((0, 0), [])


@st.composite
def letter_sets(draw: st.DrawFn) -> tuple[tuple[Track, ...], set[int]]:
    alphabets = st.sampled_from([BINARY, BINARY, (-1, 1), (0, 1, 2), (5,)])
    tracks = over(*draw(st.lists(alphabets, min_size=1, max_size=5)))
    letters = build(tracks, [{}], [0]).letters
    return tracks, draw(st.sets(st.integers(0, letters - 1)))


@given(letter_sets())
def test_boxes_expand_to_the_letters_again(case: tuple[tuple[Track, ...], set[int]]) -> None:
    tracks, codes = case
    a = one_state(tracks, codes)
    letters = {a.letter(code) for code in codes}
    boxes = edge_boxes(a, codes)
    assert expanded(boxes) == letters
    disjoint = merged(sorted(letters), tracks) if letters else []
    assert expanded(disjoint) == letters
    assert sum(len(list(product(*box))) for box in disjoint) == len(letters)
    assert len(boxes) <= len(disjoint) <= len(letters)
    assert boxes == sorted(set(boxes))


TEXTS = [
    (over(BINARY), {0}, ["0"]),
    (over(BINARY), {0, 1}, ["0,1"]),
    (over(tuple(range(10))), set(range(10)), ["*"]),
    (over(tuple(range(10))), set(range(9)), ["0..8"]),
    (over(tuple(range(10))), {0, 2, 3, 4, 5, 7, 8, 9}, ["0,2..5,7,8,9"]),
    (over(tuple(range(-3, 4))), {0, 1, 2, 3}, ["-3..0"]),
    (over(BINARY, BINARY), {0, 1, 2, 3}, ["[*,*]"]),
    (over(BINARY, BINARY), {0, 1}, ["[0,*]"]),
    (over(BINARY, BINARY), {1, 3}, ["[*,1]"]),
    (over(BINARY, BINARY), {1, 2, 3}, ["[*,1]", "[1,*]"]),
    (over(BINARY, BINARY), {0, 3}, ["[0,0]", "[1,1]"]),
    (over((0, 1, 2), BINARY), {1, 3}, ["[01,1]"]),
    (over((0, 1, 2), BINARY), {1, 3, 5}, ["[*,1]"]),
    (over((-1, 0, 1), BINARY), {1, 5}, ["[-1|1,1]"]),
    (over(tuple(range(12)), BINARY), {21, 23}, ["[10|11,1]"]),
    (over(tuple(range(14)), BINARY), {3, 5}, ["[1|2,1]"]),  # and not [12,1], which is the digit 12
    (over(tuple(range(14)), BINARY), {25}, ["[12,1]"]),
    (over(tuple(range(14)), BINARY), {3, 5, 7, 9, 13}, ["[1..4|6,1]"]),
    (over(tuple(range(10)), BINARY), {3, 5, 7, 9, 13}, ["[1..4|6,1]"]),
    (over((0, 1, 2), (0, 1, 2), (0, 1, 2)), set(range(27)) - {26}, ["[01,*,*]", "[*,01,*]", "[*,*,01]"]),
    (over((3,), BINARY), {0, 1}, ["[3,*]"]),
]


@pytest.mark.parametrize(("tracks", "codes", "expected"), TEXTS, ids=[case[2][0] for case in TEXTS])
def test_the_text_of_labels(tracks: tuple[Track, ...], codes: set[int], expected: list[str]) -> None:
    assert texts(tracks, codes) == expected


def test_no_letters_and_no_tracks() -> None:
    assert edge_boxes(one_state(over(BINARY), set()), set()) == []
    assert edge_boxes(one_state((), {0}), {0}) == [()]
    assert box_text((), ()) == "[]"
    assert edges(build(over(BINARY), [{}], [0])) == {}


def test_parallel_transitions_are_one_edge() -> None:
    a = build(over(BINARY, BINARY), [{0: 0, 1: 1, 2: 1, 3: 1}, {0: 0, 3: 0}], [0, 1])
    assert edges(a) == {(0, 0): ["[0,0]"], (0, 1): ["[*,1]", "[1,*]"], (1, 0): ["[0,0]", "[1,1]"]}


def test_espresso_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    tracks = over(*[BINARY] * 8)
    for codes in ({0, 3, 5}, set(range(256)), set(range(255)), {code for code in range(256) if code.bit_count() > 3}):
        a = one_state(tracks, codes)
        assert expanded(edge_boxes(a, codes)) == {a.letter(code) for code in codes}
    captured = capfd.readouterr()
    assert captured.out == captured.err == ""


def test_many_tracks_do_without_espresso() -> None:
    tracks = over(*[BINARY] * 14)
    assert texts(tracks, set(range(1 << 13))) == ["[0" + ",*" * 13 + "]"]
