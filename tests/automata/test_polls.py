"""Kernels look at the clock in proportion to their work: counted in looks, not in seconds."""

from __future__ import annotations

from array import array

import fibprover_ext.automata as compiled
from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, Track, build, frozen
from fibprover_ext.automata import Meter

#: Steps between two looks; FUEL in `budget.pxi`.
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
    search = compiled.WordSearch(kernels.csr(a), -1, (), array("q"), 0, Meter())
    meter = Meter()
    length, words, codes = search.codes(200_000, meter)
    assert (length, words) == (1, 200_000) and codes.tolist() == list(range(200_000))
    assert meter.polls > 2 * 200_000 // FUEL
    # The words of length 2, of which there are none.
    meter = Meter()
    assert search.codes(1, meter)[1] == 0
    assert 0 < meter.polls <= 4
