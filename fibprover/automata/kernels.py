"""The compiled kernels in terms of automata and tracks: the only door to `fibprover_ext.automata` but one.

Every function that returns a Dfa returns a new one, and takes a budget last.  Products and projections return what
they found, reachable but not minimal; `minimize` makes it canonical.  Functions that answer a question build no
automaton.  A spent budget is BudgetSpent, a size that no budget could allow LimitError, automata that do not fit
together AutomatonError; any other exception is an internal error.  `tests.oracle.kernels` has a slow twin of every
kernel.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from fibprover.automata.dfa import Dfa, Track, build, check_tracks
from fibprover.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.limits import UNBOUNDED, UNLIMITED, Budget
from fibprover_ext import automata as compiled
from fibprover_ext.automata import BudgetExhausted, Csr, InvalidArrayError, Meter, Recode, TooLargeError

#: What the compiled atoms know of a recurrence: feedback, terms, powers of the dominant root, error bounds.
RecurrenceArrays: TypeAlias = "tuple[memoryview, memoryview, memoryview[float], memoryview[float]]"


# Canonical form

def minimize(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The canonical automaton of the language: minimal, trim, states numbered breadth first.

    Outputs become 0 and 1.  O(m log n) for m transitions of n states, whatever their depth, sorting
    aside; beside a about 24 bytes a state and 12 a transition at most, the result included.  What is
    canonical already shares its arrays with the result.
    """
    with metered(budget, "a minimal automaton") as meter:
        arrays = compiled.minimize(csr(a), True, meter)
    return Dfa(a.tracks, *arrays)


def minimize_outputs(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """As `minimize` for a word automaton: outputs are told apart, only unreachable states removed."""
    with metered(budget, "a minimal automaton") as meter:
        arrays = compiled.minimize(csr(a), False, meter)
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
        arrays = compiled.reorder(csr(a), recode(a, tracks, meter), meter)
    return Dfa(tracks, *arrays)


def reverse(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a read backwards, determinized.  Exponential at worst."""
    with metered(budget, "a reversal") as meter:
        arrays = compiled.reverse(csr(trimmed(a, meter)), meter)
    return Dfa(a.tracks, *arrays)


def close_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a with any number of zero letters added to or removed from the front.

    Needs a system on every track.  By subset construction, as `project`.
    """
    zero = a.zero_code
    if zero is None:
        raise AutomatonError("zeros can be closed only where every track has a numeration system")
    with metered(budget, "a zero closure") as meter:
        a = trimmed(a, meter)
        arrays = compiled.determinize((csr(a),), (recode(a, a.tracks, meter),), zero, meter)
    return Dfa(a.tracks, *arrays)


# Boolean operations

def join(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Conjunction: the words whose part on a's tracks is in a, and whose part on b's tracks is in b.

    Tracks of the same name are one track and must agree in digits and system.  The result's tracks
    are sorted by name.  O(t log d) for t transitions of the result and rows of at most d.
    """
    tracks = merged_tracks(a, b)
    shared = tuple(track for track in a.tracks if track in b.tracks)
    with metered(budget, "a conjunction") as meter:
        arrays = compiled.join(
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
        codes = recode(a, tracks, meter), recode(b, tracks, meter)
        arrays = compiled.union(csr(a), csr(b), *codes, fitting(most, "the cap", 32), meter)
    return Dfa(tracks, *arrays)


def difference(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a whose part on b's tracks is not in b; b's tracks are among a's.

    The result's tracks are sorted by name.  O(t log d) as `join`.
    """
    tracks = guarded_tracks(a, b.tracks)
    with metered(budget, "a difference") as meter:
        arrays = compiled.difference(
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
        arrays = compiled.guarded_difference(
            csr(a),
            csr(b),
            recode(a, kept, meter),
            recode(a, tracks, meter),
            recode(b, kept, meter),
            zero,
            meter,
        )
    return Dfa(tracks, *arrays)


# Quantifiers

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
        arrays = compiled.determinize((csr(a),), (recode(a, kept, meter),), zero, meter)
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
        arrays = compiled.determinize(tuple(map(csr, parts)), codings, kept_zero(kept), meter)
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
        arrays = compiled.count_runs(csr(a), recode(a, kept, meter), zero, fitting(count, "the count"), exactly, meter)
    return Dfa(kept, *arrays)


# Linear atoms

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
    the dominant root, error bounds, see `fibprover_ext/linear.pxi`.  The result is not minimal.
    """
    (track,) = valid.tracks
    tracks = tuple(track._replace(name=str(index)) for index in range(len(coefficients)))
    with metered(budget, "a linear atom") as meter:
        atom = linear_constraint(track, coefficients, relation, constant)
        arrays = compiled.linear_atom(csr(valid), *atom, *recurrence, meter)
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
        arrays = compiled.join_linear(csr(a), weight, recode(a, tracks, meter), *atom, *recurrence, meter)
    return Dfa(tracks, *arrays)


def periodic_atom(
    valid: Dfa,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    recurrence: tuple[
        int,
        int,
        memoryview,
        memoryview,
        memoryview,
        memoryview,
        memoryview[float],
        memoryview[float],
        memoryview[float],
    ],
    budget: Budget = UNLIMITED,
) -> Dfa:
    """As `kernels.linear_atom` where steps depend on a phase, which is the first track of `valid` and of the result.

    valid: the representations over (phase, digit); recurrence: see `fibprover_ext/periodic.pxi`.
    """
    phase, track = valid.tracks
    tracks = (phase, *(track._replace(name=str(index)) for index in range(len(coefficients))))
    with metered(budget, "a linear atom") as meter:
        radix, array_, code, constant = linear_constraint(track, coefficients, relation, constant)
        arrays = compiled.periodic_atom(csr(valid), radix, array_, code, constant, *recurrence, meter)
    return Dfa(tracks, *arrays)


# Questions

def is_empty(a: Dfa) -> bool:
    """Whether a accepts no word.  O(states + transitions)."""
    with metered(UNLIMITED, "a test for emptiness") as meter:
        return compiled.is_empty(csr(a), meter)


def join_is_empty(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Whether join(a, b) accepts nothing: pairs of states are walked until one accepts, and no row is kept.

    Tracks as for `join`.  At most as many steps as `join`; about 30 bytes a pair.
    """
    merged_tracks(a, b)
    shared = tuple(track for track in a.tracks if track in b.tracks)
    with metered(budget, "a test for a common word") as meter:
        return compiled.join_is_empty(csr(a), csr(b), recode(a, shared, meter), recode(b, shared, meter), meter)


def difference_is_empty(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Whether every word of a is, on b's tracks, one of b: whether difference(a, b) accepts nothing.

    Tracks as for `difference`.  Ends at the first pair of states that tells a from b; as cheap as
    `join_is_empty`.
    """
    guarded_tracks(a, b.tracks)
    with metered(budget, "a test for inclusion") as meter:
        # A word that b cannot follow is one more only if a can complete it.
        a, b = trimmed(a, meter), trimmed(b, meter)
        keys = recode(a, b.tracks, meter), recode(b, b.tracks, meter)
        return compiled.difference_is_empty(csr(a), csr(b), *keys, meter)


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
        keys = recode(a, kept, meter), recode(b, kept, meter)
        return compiled.guarded_difference_is_empty(csr(a), csr(b), *keys, zero, meter)


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
        return compiled.join_linear_is_empty(csr(a), weight, *atom, *recurrence, meter)


def is_finite(a: Dfa) -> bool:
    """Whether finitely many words do not begin with the zero letter (plain tracks: finitely many words)."""
    with metered(UNLIMITED, "a test for finiteness") as meter:
        return compiled.is_finite(csr(a), zero_code(a), meter)


def shortest(a: Dfa) -> tuple[int, ...] | None:
    """Letter codes of the first word by length, then letter order; None if there is no word."""
    with metered(UNLIMITED, "a shortest word") as meter:
        return compiled.shortest_word(csr(a), meter)


def words(a: Dfa, count: int, budget: Budget = UNLIMITED) -> list[tuple[int, ...]]:
    """The first `count` words by length, then letter order, that do not begin with the zero letter.

    Plain tracks: the first of all words.  O(transitions) for each length up to the longest word.
    """
    with metered(budget, "a list of words") as meter:
        return compiled.first_words(csr(a), zero_code(a), min(count, UNBOUNDED), meter)


def count_words(a: Dfa, length: int) -> int:
    """How many words of exactly this length a accepts, zeros in front included.  O(length * transitions)."""
    with metered(UNLIMITED, "a count of words") as meter:
        return compiled.count_words(csr(a), fitting(length, "the length"), meter)


def collisions(a: Dfa, name: str, budget: Budget = UNLIMITED) -> int:
    """How many transitions fall together with another one of their state when a track is dropped.

    Of n transitions of one state whose letters differ in this track only, n - 1 are counted.  The
    more there are, the less is left of the automaton: `operations.exists_each` goes by that.
    O(m log d) for m transitions and rows of at most d.
    """
    kept = kept_tracks(a, [name])
    with metered(budget, "a count of collisions") as meter:
        return compiled.collisions(csr(a), recode(a, kept, meter), meter)


# Calls of a kernel: its budget, its arrays, its letters

@contextmanager
def metered(budget: Budget, during: str) -> Iterator[Meter]:
    """A meter for one kernel call; what the call raises becomes an error of ours."""
    gauge = budget.gauge
    try:
        meter = meter_of(budget)
        if gauge is not None:
            gauge.enter(during, meter)
        yield meter
    except BudgetExhausted as spent:
        # The kernel's share of the bytes, or the seconds that were left, mean nothing to a user.
        limit = budget.bytes if spent.resource == "bytes" else spent.limit
        raise BudgetSpent(
            spent.resource, limit, states=spent.states, transitions=spent.transitions, during=during
        ) from None
    except MemoryError:
        limit = budget.bytes if budget.bytes < UNBOUNDED else resident_bytes()
        raise BudgetSpent("bytes", limit, during=during) from None
    except TooLargeError as error:
        raise LimitError(f"{during} is too large: {error}") from None
    except InvalidArrayError as error:
        raise AutomatonError(str(error)) from None
    finally:
        if gauge is not None:
            gauge.leave()


def meter_of(budget: Budget) -> Meter:
    """What the budget leaves to a kernel: its bytes are those the process does not hold already."""
    room = UNBOUNDED
    if budget.bytes < UNBOUNDED:
        held = resident_bytes()
        if 2 * held > budget.bytes:
            compiled.give_back()
            held = resident_bytes()
        room = max(0, budget.bytes - held)
    return Meter(budget.states, budget.transitions, room, budget.deadline)


def resident_bytes() -> int:
    """Resident memory of this process; its peak where the present value cannot be read."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if os.uname().sysname == "Darwin" else peak * 1024


def fitting(value: int, what: str, bits: int = 64) -> int:
    """Return the value; LimitError if it does not fit into so many bits, as kernels take it."""
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise LimitError(f"{what} {value} does not fit into {bits} bits")
    return value


def csr(a: Dfa) -> Csr:
    fitting(a.letters, "the number of letters")
    return Csr(a.offsets, a.codes, a.targets, a.outputs, a.letters)


def trimmed(a: Dfa, meter: Meter) -> Dfa:
    return Dfa(a.tracks, *compiled.trim(csr(a), meter))


def recode(a: Dfa, tracks: Sequence[Track], meter: Meter, without: Sequence[Track] = ()) -> Recode:
    """The part of a's letters that belongs to `tracks`, coded in their order; `without` count as 0."""
    weights: dict[str, int] = {}
    letters = 1
    for track in reversed(tracks):
        weights[track.name] = letters
        letters *= len(track.digits)
    for track in without:
        weights[track.name] = 0
    fitting(letters, "the number of letters")
    return Recode(a.radices, tuple(weights.get(name, 0) for name in a.names), letters, a.transitions, meter)


def weighted(a: Dfa, weights: Mapping[str, int], meter: Meter) -> Recode:
    """The sum of weight times digit index over some tracks of a's letters; `letters` of the coding means nothing."""
    return Recode(a.radices, tuple(weights.get(name, 0) for name in a.names), 1, a.transitions, meter)


def linear_constraint(
    track: Track, coefficients: Sequence[int], relation: str, constant: int
) -> tuple[int, array[int], int, int]:
    """sum c_i x_i RELATION constant over tracks like this one, as the kernels take it."""
    fitting(constant, "the constant of a linear atom")
    return len(track.digits), integers(coefficients), ("=", "!=", "<").index(relation), constant


def integers(coefficients: Sequence[int]) -> array[int]:
    """The coefficients of a linear atom as an array."""
    return array("q", (fitting(value, "the coefficient of a linear atom") for value in coefficients))


def zero_code(a: Dfa) -> int:
    """Code of the zero letter, -1 where there is none."""
    zero = a.zero_code
    return -1 if zero is None else zero


def kept_zero(kept: tuple[Track, ...]) -> int:
    """Code of the zero letter over the kept tracks, -1 if one of them is plain and there is no zero closure.

    A plain track that is projected away does not matter: what is left are numbers, and a tuple of
    them is in the projection if some padding of it is.
    """
    if any(not track.system for track in kept):
        return -1
    code = 0
    for track in kept:
        code = code * len(track.digits) + track.digits.index(0)
    return code


def truth(value: bool) -> Dfa:
    """TRUE or FALSE: the automaton without tracks."""
    return build((), [{0: 0} if value else {}], [int(value)])


# Tracks of the operands

def track_names(a: Dfa) -> str:
    return ", ".join(a.names) or "(none)"


def merged_tracks(a: Dfa, b: Dfa) -> tuple[Track, ...]:
    """All tracks of both, sorted by name; AutomatonError if one name stands for two tracks."""
    by_name = {track.name: track for track in a.tracks}
    for track in b.tracks:
        other = by_name.setdefault(track.name, track)
        if other != track:
            raise AutomatonError(
                f"track {track.name} has digits {other.digits} of {other.system or 'a plain alphabet'} on one side, "
                f"{track.digits} of {track.system or 'a plain alphabet'} on the other"
            )
    tracks = tuple(by_name[name] for name in sorted(by_name))
    check_tracks(tracks)
    return tracks


def kept_tracks(a: Dfa, quantified: Collection[str]) -> tuple[Track, ...]:
    """a's tracks that are not quantified; all that are must be there."""
    foreign = set(quantified) - set(a.names)
    if foreign:
        raise AutomatonError(f"no track {', '.join(sorted(foreign))} to quantify among {track_names(a)}")
    return tuple(track for track in a.tracks if track.name not in quantified)


def union_tracks(automata: Sequence[Dfa], quantified: Collection[str]) -> tuple[Track, ...]:
    """The tracks that are not quantified, sorted by name: the same in all automata, of which there is one."""
    if not automata:
        raise AutomatonError("a disjunction of no automata has no tracks")
    by_name: dict[str, Track] = {}
    for a in automata:
        for track in a.tracks:
            if by_name.setdefault(track.name, track) != track:
                raise AutomatonError(f"track {track.name} is not the same in all parts of a disjunction")
    foreign = set(quantified) - set(by_name)
    if foreign:
        raise AutomatonError(f"no track {', '.join(sorted(foreign))} to quantify among {', '.join(sorted(by_name))}")
    kept = tuple(track for name, track in sorted(by_name.items()) if name not in quantified)
    for a in automata:
        missing = [track.name for track in kept if track.name not in a.names]
        if missing:
            raise AutomatonError(f"a disjunction needs track {', '.join(missing)} in all parts: {track_names(a)}")
    return kept


def guarded_tracks(a: Dfa, needed: Sequence[Track]) -> tuple[Track, ...]:
    """a's tracks sorted by name; AutomatonError unless all `needed` are among them."""
    by_name = {track.name: track for track in a.tracks}
    for track in needed:
        if by_name.get(track.name) != track:
            raise AutomatonError(f"the difference needs track {track.name} with the same digits on the left: {a!r}")
    return tuple(sorted(a.tracks))


def linear_tracks(a: Dfa, track: Track, coefficients: Sequence[int], names: Sequence[str]) -> tuple[Track, ...]:
    """a's tracks sorted by name; AutomatonError unless `names` are distinct ones like `track`, one a coefficient."""
    if not names or len(set(names)) != len(names) or len(names) != len(coefficients):
        raise AutomatonError(f"{len(coefficients)} coefficients need as many distinct tracks, not {list(names)}")
    by_name = {other.name: other for other in a.tracks}
    for name in names:
        if by_name.get(name) != track._replace(name=name):
            raise AutomatonError(f"a linear atom of {track.system} needs track {name} of that system: {a!r}")
    return tuple(sorted(a.tracks))
