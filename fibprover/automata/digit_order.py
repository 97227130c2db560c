"""Digit order: convert automata between stored order and reading order.

Stored order: every automaton reads the most significant digit first, even one of an lsd system, so that relations of
msd_fib and lsd_fib differ only in their tracks, and leading zeros, quantifiers and counting are implemented once.
Reading order: users see an lsd relation read least significant digit first.  `from_reading_order` converts automata
that users give, `to_reading_order` those that are shown to users.

A plain track beside numbers of an lsd system is stored reversed, too, and marked `Track.stored_reversed`.
"""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.turned import reversed_words, turned
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.names import system_name

#: Most different sections of a relation between numbers in opposite digit orders that is converted.
MOST_SECTIONS = 100


def lsd_first(track: Track) -> bool:
    """Return whether users read this track's words from the end: tracks of lsd systems, and plain tracks beside them.
    """
    return track.stored_reversed or system_name(track.system).lsd_first


def to_reading_order(a: Dfa, budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """Convert an automaton from stored order to reading order.

    word: the outputs are letters of a word, and all are kept.  Returns a itself if all tracks are read most
    significant digit first, else a minimal automaton.  If msd and lsd tracks occur together, the numbers of one
    kind may depend on those of the other in finitely many ways only (as in relations that formulas define), and
    words of every length in which all numbers can be written are accepted; raises LimitError for more than
    MOST_SECTIONS ways.  Reversal is exponential at worst; it is done once for each automaton.
    """
    lsd_tracks = [track for track in a.tracks if lsd_first(track)]
    if not lsd_tracks:
        return a
    if word:
        return _turned(a, lsd_tracks, budget, word=True)
    if not a.shown:
        a.shown.append(_turned(a, lsd_tracks, budget, word=False))
    return a.shown[0]


def _turned(a: Dfa, lsd_tracks: Sequence[Track], budget: Budget, *, word: bool) -> Dfa:
    """Return what `to_reading_order` does for an automaton with lsd tracks."""
    tracks = tuple(track._replace(stored_reversed=False) for track in a.tracks)
    if len(lsd_tracks) == len(a.tracks):
        return reversal(a, budget, word=word).with_tracks(tracks)
    if word or any(not track.system for track in a.tracks):
        raise AutomatonError(
            "an automaton cannot read some of these tracks most and others least significant digit first",
            hint="take the msd or the lsd system for all variables",
        )
    result = operations.empty(a.tracks)
    for forward, backward in _sections(a, {track.name for track in lsd_tracks}, budget):
        part = kernel_calls.join(forward, reversal(backward, budget), budget)
        result = kernel_calls.minimize(kernel_calls.union(result, part, budget), budget)
    return kernel_calls.reorder(result, a.names, budget)


def from_reading_order(a: Dfa, budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """Convert an automaton that a user gave to stored order: the inverse of `to_reading_order`.

    One of a language that would be far larger is converted when it is looked at (`fibprover.automata.turned`).
    Raises AutomatonError if msd and lsd tracks occur together: the relation of numbers need not be regular then.
    """
    if not any(map(lsd_first, a.tracks)):
        return a
    if any(track.system and not lsd_first(track) for track in a.tracks):
        raise AutomatonError(
            "an automaton cannot have both msd and lsd tracks: its relation between numbers may not be regular",
            hint="take the msd or the lsd system for all tracks",
        )
    tracks = tuple(track._replace(stored_reversed=not track.system) for track in a.tracks)
    if word:
        return reversal(a, budget, word=True).with_tracks(tracks)
    a = kernel_calls.minimize(a, budget)
    stored = turned(tracks, a, budget)
    stored.shown.append(a)
    return stored


def match_order(a: Dfa, tracks: Sequence[Track], budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """Reverse a if its plain tracks are stored in the opposite order of the tracks that they take the place of.

    tracks: these tracks, one for each track of a.  Raises AutomatonError if only some tracks would have to be reversed.
    """
    opposite = [
        not own.system and own.stored_reversed != lsd_first(other) for own, other in zip(a.tracks, tracks, strict=True)
    ]
    if not any(opposite):
        return a
    if not all(opposite):
        raise AutomatonError(
            "a predicate or word reads its tracks together, and here some are read most and others least"
            " significant digit first",
            hint="use the msd or the lsd system for all its arguments",
        )
    return reversal(a, budget, word=word)


def reversal(a: Dfa, budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """Return the minimal automaton of the reversed words.

    word: the outputs are letters, and the result gives for each reversed word the output of the word.
    """
    if not word:
        return reversed_words(a, budget).with_tracks(a.tracks)
    return kernel_calls.minimize_outputs(kernel_calls.reverse_outputs(a, budget), budget)


def _sections(a: Dfa, names: set[str], budget: Budget) -> list[tuple[Dfa, Dfa]]:
    """Return pairs (A, B) such that a is the union of all A x B, where the B are disjoint and over the named tracks."""
    others = [name for name in a.names if name not in names]
    parts: list[tuple[Dfa, Dfa]] = []
    rest = a
    while not kernel_calls.is_empty(rest):
        domain = operations.exists(rest, others, budget)
        if len(parts) == MOST_SECTIONS:
            raise LimitError(
                f"more than {MOST_SECTIONS} ways in which numbers read in opposite orders depend on each other",
                hint="take the msd or the lsd system for all variables",
            )
        least = _first_tuple(domain)
        section = operations.exists(operations.conjunction(rest, least, budget), names, budget)
        product = operations.conjunction(section, domain, budget)
        unlike = operations.exists(operations.symmetric_difference(rest, product, budget), others, budget)
        alike = operations.difference(domain, unlike, budget)
        parts.append((section, alike))
        rest = operations.difference(rest, alike, budget)
    return parts


def _first_tuple(a: Dfa) -> Dfa:
    """Return the relation of only the first tuple of a relation that is not empty."""
    codes = kernel_calls.shortest(a)
    assert codes is not None
    rows: list[dict[int, int]] = [{code: place + 1} for place, code in enumerate(codes)] + [{}]
    zero = a.zero_code
    assert zero is not None
    rows[0][zero] = 0
    return build(a.tracks, rows, [0] * len(codes) + [1])
