"""Edge labels: boxes hold exactly the letters of the edge, and are few."""

from __future__ import annotations

import sys
from itertools import product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.formats.labels import (
    MOST_BOXES,
    box_text,
    edge_boxes,
    edges,
    expanded,
    merged,
    needs_more_boxes,
)

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
    # The lower bound is one: it never asks for more boxes than there are.
    assert not needs_more_boxes(a, sorted(codes), len(boxes))


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


DIGITS = tuple(range(10))


@pytest.mark.parametrize("bound", [0, 1, 4, 62])
def test_the_bound_on_boxes_is_sharp_for_functions(bound: int) -> None:
    tracks = over(tuple(range(63)), tuple(range(63)))
    function = [64 * place for place in range(63)]
    assert needs_more_boxes(one_state(tracks, set(function)), function, bound)
    assert not needs_more_boxes(one_state(tracks, set(function)), function, 63)


@given(letter_sets(), st.data())
def test_edges_of_many_letters_have_the_labels_of_short_ones(
    case: tuple[tuple[Track, ...], set[int]], data: st.DataObject
) -> None:
    """Tracks that do not matter are left out first, and the bound is computed otherwise."""
    tracks, codes = case
    free = data.draw(st.sampled_from([(0, 1, 2), (-2, 0), (7,)]))
    place = data.draw(st.integers(0, len(tracks)))
    longer = tuple(
        track._replace(name=f"t{number:02d}")
        for number, track in enumerate((*tracks[:place], Track("", free), *tracks[place:]))
    )
    chosen = data.draw(st.sets(st.sampled_from(free), min_size=1))
    before, after = one_state(tracks, set()), one_state(longer, set())
    letters = [before.letter(code) for code in codes]
    wide = {after.code((*letter[:place], digit, *letter[place:])) for letter in letters for digit in chosen}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fibprover.automata.formats.labels._ESPRESSO_VARIABLES", -1)
        wanted = texts(longer, wide)
        patch.setattr("fibprover.automata.formats.labels._MANY", 1)
        assert texts(longer, wide) == wanted
        for most in range(1, 9):
            patch.setattr("fibprover.automata.formats.labels._DECIDING", most)
            found = needs_more_boxes(after, sorted(wide), most)
            patch.setattr("fibprover.automata.formats.labels._MANY", len(wide))
            assert needs_more_boxes(after, sorted(wide), most) == found
            patch.setattr("fibprover.automata.formats.labels._MANY", 1)


@pytest.mark.long
def test_edges_of_many_letters_are_labelled_at_once() -> None:
    """Almost a million letters, in one box and in 29."""
    tracks = over(*[tuple(range(30))] * 4)
    every = build(tracks, [dict.fromkeys(range(30**4), 0)], [1])
    begun = process_time()
    assert edges(every) == {(0, 0): ["[*,*,*,*]"]}
    less = {code for code in range(30**4) if code // 900 // 30 < code // 900 % 30}
    found = texts(tracks, less)
    assert len(found) == 29 and found[0] == "[0,1,*,*]" and found[-1] == "[0..28,29,*,*]"
    assert process_time() - begun < 10


def test_a_label_of_too_many_boxes_is_the_number_of_its_letters() -> None:
    adder = {100 * x + 10 * y + x + y for x in DIGITS for y in DIGITS if x + y < 10}
    assert len(texts(over(DIGITS, DIGITS, DIGITS), adder)) == len(adder) == 55 <= MOST_BOXES
    tracks = over(*[tuple(range(MOST_BOXES + 1))] * 2)
    diagonal = [(MOST_BOXES + 2) * place for place in range(MOST_BOXES + 1)]
    assert texts(tracks, set(diagonal[1:]))[:2] == ["[1,1]", "[2,2]"]
    assert texts(tracks, set(diagonal)) == [f"{MOST_BOXES + 1} letters"]


def test_many_letters_in_few_boxes_are_listed() -> None:
    tracks = over(*[DIGITS] * 4)
    assert texts(tracks, set(range(10_000))) == ["[*,*,*,*]"]
    assert texts(tracks, {code for code in range(10_000) if code % 10 < 9}) == ["[*,*,*,0..8]"]


def test_letters_that_need_more_boxes_than_the_bound_sees_are_counted() -> None:
    tracks = over(DIGITS, DIGITS, DIGITS)
    letters = {code for code in range(1000) if pow(7, code, 1009) % 2}
    assert not needs_more_boxes(one_state(tracks, letters), sorted(letters), MOST_BOXES)
    assert texts(tracks, letters) == [f"{len(letters)} letters"]


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


def test_without_pyeda_labels_are_plain_and_hold_the_same_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """pyeda is an extra: where it is missing, boxes do not overlap, and there may be more of them."""
    tracks, codes = over(BINARY, BINARY), {1, 2, 3}
    cycle = {1, 2, 3, 4, 5, 6}
    assert (texts(tracks, codes), len(texts(over(*[BINARY] * 3), cycle))) == (["[*,1]", "[1,*]"], 3)
    for name in ("pyeda", "pyeda.boolalg", "pyeda.boolalg.espresso"):
        monkeypatch.setitem(sys.modules, name, None)  # so that importing it fails
    assert (texts(tracks, codes), len(texts(over(*[BINARY] * 3), cycle))) == (["[0,1]", "[1,*]"], 4)
    for some in (codes, cycle):
        a = one_state(over(*[BINARY] * 3), some)
        letters = [letter for box in edge_boxes(a, some) for letter in product(*box)]
        assert sorted(letters) == [a.letter(code) for code in sorted(some)]


def test_many_tracks_do_without_espresso() -> None:
    tracks = over(*[BINARY] * 14)
    assert texts(tracks, set(range(1 << 13))) == ["[0" + ",*" * 13 + "]"]
