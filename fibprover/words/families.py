"""Words over a family of numeration systems, which have letters for each slope.

C is the characteristic word of the slope alpha = [0; a_1, a_2, ...]: C[n] = floor((n+2) alpha) - floor((n+1) alpha).
It is the limit of the standard words s_k = s_{k-1}^{a_k} s_{k-2} with s_0 = 0 and s_1 = 0^{a_1 - 1} 1 (J. Berstel, P.
Seebold, Sturmian words, in M. Lothaire, Algebraic Combinatorics on Words, chapter 2, 2002).  A number below q_k is a
place in s_k: its digit b_k says in which s_{k-1} the place is, or in s_{k-2} if b_k = a_k.  So the letter is 1 if the
last digit leads to the 1 at the end of s_1, b_1 = a_1 - 1, and the digit before it does not lead to s_0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType

from fibprover.automata.dfa import build_from, explored
from fibprover.numeration.sturmian import SLOPE_TRACK, sturmian_system
from fibprover.words.automatic import AutomaticWord, automatic_word

#: Whether the digit of the block before is its partial quotient, and by how much, up to 2, that of this block is less.
_Place = tuple[bool, int]


def characteristic_word() -> AutomaticWord:
    """Return the characteristic word of each slope, under the name C."""

    def steps(state: _Place | None) -> Iterator[tuple[int, _Place | None]]:
        if state is None:
            yield 0, None
        for bit, quotient in product((0, 1), (0, 1, 2)):
            if quotient == 2:
                full, below = state is not None and state[1] == 0, 0
            elif state is not None:
                full, below = state
            else:
                continue
            below = 2 * below + (quotient > 0) - bit
            if below >= 0:
                yield 3 * bit + quotient, (full, min(below, 2))

    tracks = (sturmian_system().track("n"), SLOPE_TRACK)
    machine = build_from(tracks, explored(None, steps), lambda state: int(state is not None and state == (False, 1)))
    return automatic_word("C", machine)


#: The words over families, by name, with their titles.
FAMILY_WORDS: Mapping[str, Callable[[], AutomaticWord]] = MappingProxyType({"C": characteristic_word})

#: The word that a sheet about a family is about, by the name of the family.
FAMILY_OF: Mapping[str, str] = MappingProxyType({"sturmian": "C", "msd_sturmian": "C"})
