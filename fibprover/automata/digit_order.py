"""Reading order: which end of a word comes first.

Inside, all automata read most significant digit first, those of lsd systems too: a relation of
msd_fib and one of lsd_fib are the same arrays under other names of the tracks.  So leading zeros,
quantifiers and counting exist once.  Users see an lsd relation read least significant digit first;
the two functions here stand where automata come from users and go to them.

A plain track beside numbers of an lsd system is stored backwards, too, and says so (`Track.stored_reversed`).
"""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.limits import UNLIMITED, Budget
from fibprover.names import system_name

#: Most different sections of a relation between numbers read in opposite orders, when it is shown.
MOST_SECTIONS = 100


def lsd_first(track: Track) -> bool:
    """Whether users read this track's words from the end: those of lsd systems, and plain ones beside them."""
    return track.stored_reversed or system_name(track.system).lsd_first


def to_reading_order(a: Dfa, budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """The automaton that reads every track in its own order, from one as it is kept inside.

    word: the outputs are letters of a word, all of which matter.  The same object where all tracks
    are read most significant digit first; else minimal.  Where both orders meet, the numbers on
    either side may depend on each other in finitely many ways only (as formulas make them), and the
    words of all lengths at which all of them fit are accepted; LimitError for more than
    MOST_SECTIONS ways.  Reversal is exponential at worst.
    """
    turned = [track for track in a.tracks if lsd_first(track)]
    if not turned:
        return a
    tracks = tuple(track._replace(stored_reversed=False) for track in a.tracks)
    if len(turned) == len(a.tracks):
        return reversal(a, budget, word=word).with_tracks(tracks)
    if word or any(not track.system for track in a.tracks):
        raise AutomatonError(
            "no automaton reads some tracks most and others least significant digit first here",
            hint="take the msd or the lsd system for all variables",
        )
    result = operations.empty(a.tracks)
    for forward, backward in _sections(a, {track.name for track in turned}, budget):
        part = kernels.join(forward, reversal(backward, budget), budget)
        result = kernels.minimize(kernels.union(result, part, budget), budget)
    return kernels.reorder(result, a.names, budget)


def from_reading_order(a: Dfa, budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """An automaton that a user gave, as it is kept inside: the inverse of `to_reading_order`.

    AutomatonError where both orders meet: what such a language says of numbers is not regular.
    """
    turned = [lsd_first(track) for track in a.tracks]
    if not any(turned):
        return a
    if any(track.system and not lsd_first(track) for track in a.tracks):
        raise AutomatonError(
            "msd and lsd tracks in one automaton are not possible: which numbers it relates is not regular",
            hint="take the msd or the lsd system for all tracks",
        )
    tracks = tuple(track._replace(stored_reversed=not track.system) for track in a.tracks)
    return reversal(a, budget, word=word).with_tracks(tracks)


def match_order(a: Dfa, tracks: Sequence[Track], budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """a, whose plain tracks fill these tracks, read backwards where the order demands it.

    AutomatonError if some of its tracks would have to be turned and others not.
    """
    turns = [
        not own.system and own.stored_reversed != lsd_first(other) for own, other in zip(a.tracks, tracks, strict=True)
    ]
    if not any(turns):
        return a
    if not all(turns):
        raise AutomatonError(
            "a predicate or word reads its tracks together, and here some are read most and others least"
            " significant digit first",
            hint="use the msd or the lsd system for all its arguments",
        )
    return reversal(a, budget, word=word)


def reversal(a: Dfa, budget: Budget = UNLIMITED, *, word: bool = False) -> Dfa:
    """The minimal automaton of the words read backwards; for a word, one that gives the same outputs."""
    if not word:
        return kernels.minimize(kernels.reverse(a, budget), budget)
    # The outputs that the states would give after what was read, letter by letter from the end.
    rows = [dict(a.row(state)) for state in range(a.states)]
    letters = sorted({code for row in rows for code in row})
    start: tuple[int | None, ...] = tuple(a.outputs)
    numbers = {start: 0}
    pending = [start]
    found: list[dict[int, int]] = []
    outputs: list[int] = []
    for values in pending:
        output = values[0]
        if output is None:
            raise AutomatonError("a word that is undefined at some indices cannot be read backwards")
        outputs.append(output)
        row = {}
        for code in letters:
            after = tuple(values[own[code]] if code in own else None for own in rows)
            if all(value is None for value in after):
                continue
            if after not in numbers:
                if len(numbers) >= budget.states:
                    raise BudgetSpent("states", budget.states, states=len(numbers), during="a reversal")
                numbers[after] = len(pending)
                pending.append(after)
            row[code] = numbers[after]
        found.append(row)
    return kernels.minimize_outputs(build(a.tracks, found, outputs), budget)


def _sections(a: Dfa, names: set[str], budget: Budget) -> list[tuple[Dfa, Dfa]]:
    """Pairs (A, B) with a = union of A x B, B over the named tracks, all B disjoint."""
    others = [name for name in a.names if name not in names]
    parts: list[tuple[Dfa, Dfa]] = []
    rest = a
    while not kernels.is_empty(rest):
        domain = operations.exists(rest, others, budget)
        if len(parts) == MOST_SECTIONS:
            raise LimitError(
                f"more than {MOST_SECTIONS} ways in which numbers read in opposite orders depend on each other",
                hint="take the msd or the lsd system for all variables",
            )
        least = _one(domain)
        section = operations.exists(operations.conjunction(rest, least, budget), names, budget)
        product = operations.conjunction(section, domain, budget)
        unlike = operations.exists(operations.symmetric_difference(rest, product, budget), others, budget)
        alike = operations.difference(domain, unlike, budget)
        parts.append((section, alike))
        rest = operations.difference(rest, alike, budget)
    return parts


def _one(a: Dfa) -> Dfa:
    """The first tuple of numbers of a relation that is not empty."""
    codes = kernels.shortest(a)
    assert codes is not None
    rows: list[dict[int, int]] = [{code: place + 1} for place, code in enumerate(codes)] + [{}]
    zero = a.zero_code
    assert zero is not None
    rows[0][zero] = 0
    return build(a.tracks, rows, [0] * len(codes) + [1])
