"""The compiled kernels: what they take and return, in terms of tracks.

Every function that returns a Dfa returns a new one and takes a budget last.  The products and
projections return what they found, reachable but not minimal; `minimize` makes it canonical.  A
spent budget is BudgetSpent, a size no budget could allow LimitError, automata that do not fit
AutomatonError.  `fibprover.automata.reference` has a slow twin of every function here.
"""

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
    track_names,
    trimmed,
    truth,
    union_tracks,
    weighted,
)
from fibprover.automata.calls import resident_bytes as resident_bytes
from fibprover.automata.dfa import Dfa, build
from fibprover.automata.questions import collisions as collisions
from fibprover.automata.questions import count_words as count_words
from fibprover.automata.questions import difference_is_empty as difference_is_empty
from fibprover.automata.questions import guarded_difference_is_empty as guarded_difference_is_empty
from fibprover.automata.questions import is_empty as is_empty
from fibprover.automata.questions import is_finite as is_finite
from fibprover.automata.questions import join_is_empty as join_is_empty
from fibprover.automata.questions import join_linear_is_empty as join_linear_is_empty
from fibprover.automata.questions import shortest as shortest
from fibprover.automata.questions import words as words
from fibprover.errors import AutomatonError
from fibprover.limits import UNLIMITED, Budget
from fibprover_ext import counting as _counting
from fibprover_ext import determinize as _determinize
from fibprover_ext import difference as _difference
from fibprover_ext import guarded_difference as _guarded_difference
from fibprover_ext import join as _join
from fibprover_ext import join_linear as _join_linear
from fibprover_ext import linear as _linear
from fibprover_ext import minimize as _minimize
from fibprover_ext import reorder as _reorder
from fibprover_ext import reverse as _reverse
from fibprover_ext import union as _union


def join(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Conjunction: the words whose part on a's tracks is in a, and whose part on b's tracks is in b.

    Tracks of the same name are one track and must agree in digits and system.  The result's tracks
    are sorted by name.  O(t log d) for t transitions of the result and rows of at most d.
    """
    tracks = merged_tracks(a, b)
    shared = tuple(track for track in a.tracks if track in b.tracks)
    with metered(budget, "a conjunction") as meter:
        arrays = _join.join(
            csr(a),
            csr(b),
            recode(a, shared, meter),
            recode(a, tracks, meter),
            recode(b, shared, meter),
            recode(b, tracks, meter, without=shared),
            meter,
        )
    return Dfa(tracks, *arrays)


def union(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Disjunction of two automata over the same tracks, which may come in any order.

    The result's tracks are sorted by name.  O(t log d) as `join`.
    """
    return _united(a, b, 1, "a disjunction", budget)


def sums(a: Dfa, b: Dfa, most: int, budget: Budget = UNLIMITED) -> Dfa:
    """The outputs of two automata over the same tracks, added and capped at `most` >= 1; rejection counts as 0.

    Outputs must not be negative.  Tracks and cost as for `union`; neither trim nor minimal.
    """
    return _united(a, b, most, "a sum of counts", budget)


def _united(a: Dfa, b: Dfa, most: int, during: str, budget: Budget) -> Dfa:
    tracks = merged_tracks(a, b)
    if len(tracks) != len(a.tracks) or len(tracks) != len(b.tracks):
        raise AutomatonError(f"{during} needs the same tracks on both sides: {track_names(a)} and {track_names(b)}")
    with metered(budget, during) as meter:
        arrays = _union.union(csr(a), csr(b), recode(a, tracks, meter), recode(b, tracks, meter), most, meter)
    return Dfa(tracks, *arrays)


def difference(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a whose part on b's tracks is not in b; b's tracks are among a's.

    The result's tracks are sorted by name.  O(t log d) as `join`.
    """
    tracks = guarded_tracks(a, b.tracks)
    with metered(budget, "a difference") as meter:
        arrays = _difference.difference(
            csr(a),
            csr(b),
            recode(a, b.tracks, meter),
            recode(a, tracks, meter),
            recode(b, b.tracks, meter),
            meter,
        )
    return Dfa(tracks, *arrays)


def guarded_difference(a: Dfa, b: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """a & ~(exists quantified . b): b's subset construction follows only letters that a allows.

    b's tracks that are not quantified are among a's.  Same language as
    difference(a, project(b, quantified)).  The result's tracks are sorted by name.
    """
    kept = kept_tracks(b, quantified)
    tracks = guarded_tracks(a, kept)
    if not kept:
        # Without tracks the projection is TRUE or FALSE, whatever the lengths of b's words.
        return difference(a, truth(not is_empty(b)), budget)
    zero = kept_zero(kept)
    with metered(budget, "a guarded difference") as meter:
        # States that lead nowhere would make sets different that are not.
        a, b = trimmed(a, meter), trimmed(b, meter)
        arrays = _guarded_difference.guarded_difference(
            csr(a),
            csr(b),
            recode(a, kept, meter),
            recode(a, tracks, meter),
            recode(b, kept, meter),
            zero,
            meter,
        )
    return Dfa(tracks, *arrays)


def project(a: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """exists quantified . a, by subset construction.

    If all tracks that are kept hold numbers the result is closed under zeros in front: witnesses longer
    than the other numbers are found.  Quantifying all tracks gives TRUE or FALSE without tracks.
    Exponential at worst; O(log(subset size)) a gathered transition.
    """
    kept = kept_tracks(a, quantified)
    if not kept:
        return truth(not is_empty(a))
    zero = kept_zero(kept)
    with metered(budget, "a projection") as meter:
        a = trimmed(a, meter)
        arrays = _determinize.determinize((csr(a),), (recode(a, kept, meter),), zero, meter)
    return Dfa(kept, *arrays)


def project_union(automata: Sequence[Dfa], quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """exists quantified . a1 | a2 | ..., by one subset construction over the automata side by side.

    automata: at least one; all have the same tracks beside those quantified, in any order, and each
    quantified track is one of some of them.  Zeros in front are treated as in `project`, also if
    nothing is quantified.  The result's tracks are sorted by name.
    """
    kept = union_tracks(automata, quantified)
    if not kept:
        return truth(not all(is_empty(a) for a in automata))
    with metered(budget, "a projection of a disjunction") as meter:
        # What accepts nothing would only make sets larger.
        parts = [part for part in (trimmed(a, meter) for a in automata) if part.transitions or part.outputs[0]]
        if not parts:
            return build(kept, [{}], [0])
        codings = tuple(recode(part, kept, meter) for part in parts)
        arrays = _determinize.determinize(tuple(map(csr, parts)), codings, kept_zero(kept), meter)
    return Dfa(kept, *arrays)


def at_least(a: Dfa, quantified: Collection[str], count: int, budget: Budget = UNLIMITED) -> Dfa:
    """The words over the kept tracks to which words of a with outputs of at least `count` >= 1 in sum are projected.

    a: a relation (outputs 1), or what `counts` returned; where all kept tracks hold numbers it must be
    closed under leading zeros, with a loop on the zero letter at state 0 (as canonical relations
    have), so that each tuple of values is one run.  A track has to be kept.  Exponential in states *
    log(count) at worst.
    """
    return _counted(a, quantified, count, budget, exactly=False)


def counts(a: Dfa, quantified: Collection[str], most: int, budget: Budget = UNLIMITED) -> Dfa:
    """As `at_least`, but the outputs of the result are the sums, up to `most`.  Not minimal."""
    return _counted(a, quantified, most, budget, exactly=True)


def _counted(a: Dfa, quantified: Collection[str], count: int, budget: Budget, *, exactly: bool) -> Dfa:
    kept = kept_tracks(a, quantified)
    if not kept:
        raise AutomatonError("a track has to remain beside those that are counted")
    zero = kept_zero(kept)
    with metered(budget, "a count") as meter:
        a = trimmed(a, meter)
        if is_empty(a):
            return build(kept, [{}], [0])
        if zero >= 0 and (a.zero_code is None or a.successor(0, a.zero_code) != 0):
            raise AutomatonError("runs are counted only of relations closed under leading zeros")
        arrays = _counting.count_runs(csr(a), recode(a, kept, meter), zero, count, exactly, meter)
    return Dfa(kept, *arrays)


def close_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a with any number of zero letters added to or removed from the front.

    Needs a system on every track.  By subset construction, as `project`.
    """
    zero = a.zero_code
    if zero is None:
        raise AutomatonError("zeros can be closed only where every track has a numeration system")
    with metered(budget, "a zero closure") as meter:
        a = trimmed(a, meter)
        arrays = _determinize.determinize((csr(a),), (recode(a, a.tracks, meter),), zero, meter)
    return Dfa(a.tracks, *arrays)


def reverse(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a read backwards, determinized.  Exponential at worst."""
    with metered(budget, "a reversal") as meter:
        arrays = _reverse.reverse(csr(trimmed(a, meter)), meter)
    return Dfa(a.tracks, *arrays)


def minimize(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The canonical automaton of the language: minimal, trim, states numbered breadth first.

    Outputs become 0 and 1.  O(m log n) for m transitions of n states, whatever their depth, sorting
    aside; beside a about 24 bytes a state and 12 a transition at most, the result included.  What is
    canonical already shares its arrays with the result.
    """
    with metered(budget, "a minimal automaton") as meter:
        arrays = _minimize.minimize(csr(a), True, meter)
    return Dfa(a.tracks, *arrays)


def minimize_outputs(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """As `minimize` for a word automaton: outputs are told apart, only unreachable states removed."""
    with metered(budget, "a minimal automaton") as meter:
        arrays = _minimize.minimize(csr(a), False, meter)
    return Dfa(a.tracks, *arrays)


def trim(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Without the states that no word reaches or that lead to no acceptance.  O(states + transitions)."""
    with metered(budget, "a trim automaton") as meter:
        return trimmed(a, meter)


def reorder(a: Dfa, names: Sequence[str], budget: Budget = UNLIMITED) -> Dfa:
    """The same automaton with its tracks in the order of `names`.  O(m log d)."""
    by_name = {track.name: track for track in a.tracks}
    if sorted(names) != sorted(by_name):
        raise AutomatonError(f"the tracks {track_names(a)} cannot be put in the order {', '.join(names)}")
    tracks = tuple(by_name[name] for name in names)
    with metered(budget, "a reordering") as meter:
        arrays = _reorder.reorder(csr(a), recode(a, tracks, meter), meter)
    return Dfa(tracks, *arrays)


def linear_atom(
    valid: Dfa,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    recurrence: RecurrenceArrays,
    budget: Budget = UNLIMITED,
) -> Dfa:
    """sum c_i x_i RELATION constant inside valid^k, RELATION one of = != <; tracks "0", "1", ...

    valid: the representations of the naturals, one track; recurrence: feedback, terms, powers of
    the dominant root, error bounds, see `fibprover_ext.linear`.  The result is not minimal.
    """
    (track,) = valid.tracks
    tracks = tuple(track._replace(name=str(index)) for index in range(len(coefficients)))
    with metered(budget, "a linear atom") as meter:
        atom = linear_constraint(track, coefficients, relation, constant)
        arrays = _linear.linear(csr(valid), *atom, *recurrence, meter)
    return Dfa(tracks, *arrays)


def join_linear(
    a: Dfa,
    valid: Dfa,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    recurrence: RecurrenceArrays,
    names: Sequence[str],
    budget: Budget = UNLIMITED,
) -> Dfa:
    """a & sum c_i names_i RELATION constant, without building the atom; RELATION one of = != <.

    valid, recurrence: as for `linear_atom`; names: distinct tracks of a, one a coefficient, which
    hold valid representations in every word of a.  The result's tracks are sorted by name.
    O(t log d) for t transitions of the result and rows of at most d, as `join`.
    """
    (track,) = valid.tracks
    tracks = linear_tracks(a, track, coefficients, names)
    with metered(budget, "a conjunction with a linear atom") as meter:
        atom = linear_constraint(track, coefficients, relation, constant)
        weight = weighted(a, dict(zip(names, coefficients, strict=True)), meter)
        arrays = _join_linear.join_linear(csr(a), weight, recode(a, tracks, meter), *atom, *recurrence, meter)
    return Dfa(tracks, *arrays)
