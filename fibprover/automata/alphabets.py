"""Change the alphabets that an automaton reads, or the end of a word that it reads first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import reversal
from fibprover.automata.operations import fitted
from fibprover.automata.outputs import completed
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.names import system_name


def language_over(a: Dfa, tracks: Sequence[Track], valid: Sequence[Dfa | None], budget: Budget = UNLIMITED) -> Dfa:
    """Return the words of a that are words over other alphabets, and representations where these hold numbers.

    a: in reading order; tracks: the new tracks; valid: for each track the representations of its numbers, in the
    digit order of its system, None for a plain alphabet.
    """
    result = fitted(a, tracks, "another alphabet")
    for track, words in zip(tracks, valid, strict=True):
        if words is not None:
            result = kernel_calls.join(result, words.renamed([track.name]), budget)
    return kernel_calls.minimize(kernel_calls.reorder(result, [track.name for track in tracks], budget), budget)


def word_over(machine: Dfa, tracks: Sequence[Track], budget: Budget = UNLIMITED) -> Dfa:
    """Return a word over other alphabets: its letter is 0 at every index with a digit that is not in the old ones."""
    fit = fitted(completed(machine, 0, budget), tracks, "another alphabet")
    return kernel_calls.minimize_outputs(completed(fit, 0, budget), budget)


def digits_only(a: Dfa) -> Dfa:
    """Return the same language, with base k in place of every other system of k digits.

    Walnut does this for concatenations, which contain words that represent no number; the command `alphabet`
    then states what the digits mean.
    """
    return a.with_tracks(tuple(_digits_only(track) for track in a.tracks))


def _digits_only(track: Track) -> Track:
    name = system_name(track.system)
    if not track.system or re.fullmatch(r"[0-9]+", name.base):
        return track
    return track._replace(system=name._replace(base=str(len(track.digits))).full)


def opposite_order(track: Track) -> Track:
    """Return the track in the opposite digit order: of the same numbers, or of a plain alphabet reversed."""
    if not track.system:
        return track._replace(stored_reversed=not track.stored_reversed)
    return track._replace(system=system_name(track.system).reversed().full)


def reversed_automaton(a: Dfa, budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """Reverse the words that users see; msd systems become lsd systems and vice versa.

    a and the result: in stored order; word: outputs are letters.  Tracks that hold numbers are only relabelled,
    since they are stored most significant digit first in every system; reversing plain alphabets is exponential
    at worst.
    """
    if all(not track.system for track in a.tracks):
        return reversal(a, budget, word=word)
    if any(not track.system for track in a.tracks) and word:
        raise AutomatonError("a word with numbers and plain letters as indices cannot be reversed")
    return a.with_tracks(tuple(map(opposite_order, a.tracks)))
