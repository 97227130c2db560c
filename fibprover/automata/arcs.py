"""Automata as flat lists of transitions, for constructions that put automata together.

Three numpy arrays of one length: where each transition begins, its letter code, where it leads.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fibprover.automata.dfa import MOST_STATES, Dfa, Track, check_tracks, frozen
from fibprover.errors import LimitError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Arcs(NamedTuple):
    """Transitions in any order: sources, letter codes and targets, all int64."""

    sources: NDArray[Any]
    codes: NDArray[Any]
    targets: NDArray[Any]

    def moved(self, states: int, letters: int = 1, letter: int = 0) -> Arcs:
        """With state numbers raised, and codes as they are with a further last track of so many letters."""
        return Arcs(self.sources + states, self.codes * letters + letter, self.targets + states)

    def of(self, state: int) -> Arcs:
        """The transitions of one state."""
        chosen = self.sources == state
        return Arcs(self.sources[chosen], self.codes[chosen], self.targets[chosen])

    def copied(self, sources: Sequence[int]) -> Arcs:
        """These transitions once for every one of these sources in place of their own."""
        import numpy

        count = len(self.codes)
        begin = numpy.repeat(numpy.asarray(sources, dtype=numpy.int64), count)
        return Arcs(begin, numpy.tile(self.codes, len(sources)), numpy.tile(self.targets, len(sources)))


def arcs_of(a: Dfa) -> Arcs:
    """The transitions of an automaton."""
    import numpy  # late, as everywhere

    arrays = a.arrays()
    sources = numpy.repeat(numpy.arange(a.states, dtype=numpy.int64), numpy.diff(arrays["offsets"]))
    return Arcs(sources, arrays["codes"].astype(numpy.int64), arrays["targets"].astype(numpy.int64))


def assembled(tracks: Sequence[Track], outputs: Sequence[int], parts: Sequence[Arcs]) -> Dfa:
    """The automaton with these transitions, of which no two may share source and letter.

    outputs: one a state; state 0 is initial.  O(m log m) for m transitions.
    """
    import numpy

    check_tracks(tracks)
    if len(outputs) > MOST_STATES:
        raise LimitError(f"an automaton of more than {MOST_STATES} states")
    sources, codes, targets = (numpy.concatenate(column) for column in zip(*parts, strict=True))
    order = numpy.lexsort((codes, sources))
    offsets = numpy.zeros(len(outputs) + 1, dtype=numpy.int64)
    numpy.cumsum(numpy.bincount(sources, minlength=len(outputs)), out=offsets[1:])
    return Dfa(
        tuple(tracks),
        frozen(array("q", offsets.tobytes())),
        frozen(array("q", codes[order].astype(numpy.int64).tobytes())),
        frozen(array("i", targets[order].astype(numpy.int32).tobytes())),
        frozen(array("i", outputs)),
    )
