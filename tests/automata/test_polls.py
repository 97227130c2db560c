"""Kernels look at the clock in proportion to their work: counted in looks, not in seconds."""

from __future__ import annotations

import tracemalloc
from array import array
from collections.abc import Callable
from typing import TypeAlias

import pytest

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, frozen
from fibprover.automata.kernels import NAME
from fibprover.automata.kernels import automata as backend

#: Most steps between two looks; FUEL in `budget.pxi`.
FUEL = 1 << 13

LETTERS = 1 << 18
WIDE = Track("w", tuple(range(LETTERS)))


def fan(leaves: int, letters: int) -> Dfa:
    """State 0 has so many letters, which lead to states that accept and have no letters."""
    return Dfa(
        (WIDE,),
        frozen(array("q", [0] + [letters] * (leaves + 1))),
        frozen(array("q", range(letters))),
        frozen(array("i", (1 + code % leaves for code in range(letters)))),
        frozen(array("i", [0] + [1] * leaves)),
    )


def test_a_list_of_words_with_states_without_letters() -> None:
    """Their rows are empty: what is looked at there must not depend on the row that was looked at before."""
    a = fan(3000, 200_000)
    search = backend.WordSearch(kernel_calls.csr(a), -1, (), array("q"), 0, backend.Meter())
    meter = backend.Meter()
    length, words, codes = search.codes(200_000, meter)
    assert (length, words) == (1, 200_000) and codes.tolist() == list(range(200_000))
    assert meter.polls > 2 * 200_000 // FUEL
    # The words of length 2, of which there are none.
    meter = backend.Meter()
    assert search.codes(1, meter)[1] == 0
    assert 0 < meter.polls <= 4


def climb(height: int, staying: int, letters: int, last: int) -> Dfa:
    """From each state the first `staying` letters stay, all others lead one up; only the last state accepts, if any."""
    codes = list(range(letters)) * height
    targets = [state + (code >= staying) for state in range(height) for code in range(letters)]
    return Dfa(
        (WIDE,),
        frozen(array("q", [min(state, height) * letters for state in range(height + 2)])),
        frozen(array("q", codes)),
        frozen(array("i", targets)),
        frozen(array("i", [0] * height + [last])),
    )


HEIGHT = 12
ROW = 1 << 14

Operands: TypeAlias = "tuple[backend.Csr, backend.Csr, backend.Recode, backend.Recode]"

#: Searches for a word, and whether a's and b's last states accept if there is one, and if there is none.  Nothing is
#: trimmed, so that searches with a word and without one take equally many steps before the way back.
SEARCHES: dict[str, tuple[Callable[[Operands, backend.Meter], object], tuple[int, int], tuple[int, int]]] = {
    "join": (lambda operands, meter: backend.join_word(*operands, meter), (1, 1), (0, 1)),
    "difference": (lambda operands, meter: backend.difference_word(*operands, meter), (1, 0), (1, 1)),
    "guarded difference": (
        lambda operands, meter: backend.guarded_difference_word(*operands, -1, meter), (1, 0), (1, 1)
    ),
}


def operands(staying: int, lasts: tuple[int, int]) -> Operands:
    a, b = (climb(HEIGHT, staying, ROW, last) for last in lasts)
    meter = backend.Meter()
    recoded = kernel_calls.recode(a, a.tracks, meter), kernel_calls.recode(b, b.tracks, meter)
    return kernel_calls.csr(a), kernel_calls.csr(b), *recoded


@pytest.mark.parametrize("name", SEARCHES)
def test_the_way_back_of_a_search_is_counted(name: str) -> None:
    """The letter that leads on is the last one of each row."""
    search, some, none = SEARCHES[name]
    with_word, without = backend.Meter(), backend.Meter()
    last = ROW - 1
    assert search(operands(last, some), with_word) in ((last,) * HEIGHT, ((last, last),) * HEIGHT)
    assert search(operands(last, none), without) is None
    assert with_word.polls - without.polls >= HEIGHT * ROW // FUEL // 2


@pytest.mark.skipif(NAME == "python", reason="its rows are Python's own memory, and kept")
@pytest.mark.parametrize("name", SEARCHES)
def test_the_way_back_of_a_search_does_not_copy_rows(name: str) -> None:
    """Every letter leads on.  Python's own memory is not counted against a budget."""
    search, some, _ = SEARCHES[name]
    given = operands(0, some)
    tracemalloc.start()
    try:
        word = search(given, backend.Meter())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(word, tuple) and len(word) == HEIGHT
    assert most < ROW


def test_counts_over_long_rows() -> None:
    """Rows of 2^17 transitions, which have to be sorted: an even letter has three companions, an odd one has one."""
    letters = 1 << 16
    wide = Track("w", tuple(range(letters)))
    codes = [z * letters + code for z in range(3) for code in range(letters) if not code % 2 or not z]
    a = Dfa(
        (Track("z", (0, 1, 2)), wide),
        frozen(array("q", [0, len(codes), len(codes)])),
        frozen(array("q", codes)),
        frozen(array("i", [1] * len(codes))),
        frozen(array("i", [0, 1])),
    )
    for least, many in ((1, letters), (2, letters // 2), (3, letters // 2), (4, 0)):
        assert kernel_calls.count_words(kernel_calls.at_least(a, ["z"], least), 1) == many
