"""Compiled kernels that answer a question and build no automaton; `kernels` offers them too."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fibprover.automata.calls import (
    RecurrenceArrays,
    csr,
    guarded_tracks,
    kept_tracks,
    kept_zero,
    linear_constraint,
    linear_tracks,
    merged_tracks,
    metered,
    recode,
    trimmed,
    truth,
    weighted,
    zero_code,
)
from fibprover.automata.dfa import Dfa
from fibprover.limits import UNBOUNDED, UNLIMITED, Budget
from fibprover_ext import collisions as _collisions
from fibprover_ext import difference as _difference
from fibprover_ext import guarded_difference as _guarded_difference
from fibprover_ext import join as _join
from fibprover_ext import join_linear as _join_linear
from fibprover_ext import reach as _reach


def is_empty(a: Dfa) -> bool:
    """Whether a accepts no word.  O(states + transitions)."""
    with metered(UNLIMITED, "a test for emptiness") as meter:
        return _reach.empty(csr(a), meter)


def join_is_empty(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Whether join(a, b) accepts nothing: pairs of states are walked until one accepts, and no row is kept.

    Tracks as for `join`.  At most as many steps as `join`; about 30 bytes a pair.
    """
    merged_tracks(a, b)
    shared = tuple(track for track in a.tracks if track in b.tracks)
    with metered(budget, "a test for a common word") as meter:
        return _join.empty(csr(a), csr(b), recode(a, shared, meter), recode(b, shared, meter), meter)


def difference_is_empty(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Whether every word of a is, on b's tracks, one of b: whether difference(a, b) accepts nothing.

    Tracks as for `difference`.  Ends at the first pair of states that tells a from b; as cheap as
    `join_is_empty`.
    """
    guarded_tracks(a, b.tracks)
    with metered(budget, "a test for inclusion") as meter:
        # A word that b cannot follow is one more only if a can complete it.
        a, b = trimmed(a, meter), trimmed(b, meter)
        return _difference.empty(csr(a), csr(b), recode(a, b.tracks, meter), recode(b, b.tracks, meter), meter)


def guarded_difference_is_empty(a: Dfa, b: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> bool:
    """Whether every word of a is, on the kept tracks, one of (exists quantified . b).

    Tracks as for `guarded_difference`, whose sets of states are walked until one tells them apart.
    """
    kept = kept_tracks(b, quantified)
    guarded_tracks(a, kept)
    if not kept:
        return difference_is_empty(a, truth(not is_empty(b)), budget)
    zero = kept_zero(kept)
    with metered(budget, "a test for guarded inclusion") as meter:
        a, b = trimmed(a, meter), trimmed(b, meter)
        return _guarded_difference.empty(csr(a), csr(b), recode(a, kept, meter), recode(b, kept, meter), zero, meter)


def join_linear_is_empty(
    a: Dfa,
    valid: Dfa,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    recurrence: RecurrenceArrays,
    names: Sequence[str],
    budget: Budget = UNLIMITED,
) -> bool:
    """Whether no tuple of a satisfies a linear constraint: arguments as for `join_linear`, ends at the first one."""
    (track,) = valid.tracks
    linear_tracks(a, track, coefficients, names)
    with metered(budget, "a test of a linear atom") as meter:
        atom = linear_constraint(track, coefficients, relation, constant)
        weight = weighted(a, dict(zip(names, coefficients, strict=True)), meter)
        return _join_linear.empty(csr(a), weight, *atom, *recurrence, meter)


def collisions(a: Dfa, name: str, budget: Budget = UNLIMITED) -> int:
    """How many transitions fall together with another one of their state when a track is dropped.

    Of n transitions of one state whose letters differ in this track only, n - 1 are counted.  The
    more there are, the less is left of the automaton: `operations.exists_each` goes by that.
    O(m log d) for m transitions and rows of at most d.
    """
    kept = kept_tracks(a, [name])
    with metered(budget, "a count of collisions") as meter:
        return _collisions.collisions(csr(a), recode(a, kept, meter), meter)


def shortest(a: Dfa) -> tuple[int, ...] | None:
    """Letter codes of the first word by length, then letter order; None if there is no word."""
    with metered(UNLIMITED, "a shortest word") as meter:
        return _reach.shortest(csr(a), meter)


def is_finite(a: Dfa) -> bool:
    """Whether finitely many words do not begin with the zero letter (plain tracks: finitely many words)."""
    with metered(UNLIMITED, "a test for finiteness") as meter:
        return _reach.finite(csr(a), zero_code(a), meter)


def words(a: Dfa, count: int, budget: Budget = UNLIMITED) -> list[tuple[int, ...]]:
    """The first `count` words by length, then letter order, that do not begin with the zero letter.

    Plain tracks: the first of all words.  O(transitions) for each length up to the longest word.
    """
    with metered(budget, "a list of words") as meter:
        return _reach.words(csr(a), zero_code(a), min(count, UNBOUNDED), meter)


def count_words(a: Dfa, length: int) -> int:
    """How many words of exactly this length a accepts, zeros in front included.  O(length * transitions)."""
    with metered(UNLIMITED, "a count of words") as meter:
        return _reach.count(csr(a), length, meter)
