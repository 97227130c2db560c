"""The only door to the compiled kernels: tracks become letter codings, failures become errors.py.

Every function returns a new Dfa and takes a budget last.  The products and projections return
what they found, reachable but not minimal; `minimize` makes it canonical.  A spent budget is
BudgetSpent, a size no budget could allow LimitError, automata that do not fit AutomatonError.
`fibprover.automata.reference` has a slow twin of every function here.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from fibprover.automata.dfa import Dfa, Track, build, check_tracks
from fibprover.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.limits import UNBOUNDED, UNLIMITED, Budget
from fibprover_ext import counting as _counting
from fibprover_ext import determinize as _determinize
from fibprover_ext import difference as _difference
from fibprover_ext import guarded_difference as _guarded_difference
from fibprover_ext import join as _join
from fibprover_ext import linear as _linear
from fibprover_ext import minimize as _minimize
from fibprover_ext import reach as _reach
from fibprover_ext import reorder as _reorder
from fibprover_ext import reverse as _reverse
from fibprover_ext import trim as _trim
from fibprover_ext import union as _union
from fibprover_ext._budget import BudgetExhausted, Meter, give_back
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode


def join(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Conjunction: the words whose part on a's tracks is in a, and whose part on b's tracks is in b.

    Tracks of the same name are one track and must agree in digits and system.  The result's tracks
    are sorted by name.  O(t log d) for t transitions of the result and rows of at most d.
    """
    tracks = _merged_tracks(a, b)
    shared = tuple(track for track in a.tracks if track in b.tracks)
    with _metered(budget, "a conjunction") as meter:
        arrays = _join.join(
            _csr(a),
            _csr(b),
            _recode(a, shared, meter),
            _recode(a, tracks, meter),
            _recode(b, shared, meter),
            _recode(b, tracks, meter, without=shared),
            meter,
        )
    return Dfa(tracks, *arrays)


def union(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Disjunction of two automata over the same tracks, which may come in any order.

    The result's tracks are sorted by name.  O(t log d) as `join`.
    """
    tracks = _merged_tracks(a, b)
    if len(tracks) != len(a.tracks) or len(tracks) != len(b.tracks):
        raise AutomatonError(f"a union needs the same tracks on both sides: {_names(a)} and {_names(b)}")
    with _metered(budget, "a disjunction") as meter:
        arrays = _union.union(_csr(a), _csr(b), _recode(a, tracks, meter), _recode(b, tracks, meter), meter)
    return Dfa(tracks, *arrays)


def difference(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a whose part on b's tracks is not in b; b's tracks are among a's.

    The result's tracks are sorted by name.  O(t log d) as `join`.
    """
    tracks = _guarded_tracks(a, b.tracks)
    with _metered(budget, "a difference") as meter:
        arrays = _difference.difference(
            _csr(a),
            _csr(b),
            _recode(a, b.tracks, meter),
            _recode(a, tracks, meter),
            _recode(b, b.tracks, meter),
            meter,
        )
    return Dfa(tracks, *arrays)


def guarded_difference(a: Dfa, b: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """a & ~(exists quantified . b): b's subset construction follows only letters that a allows.

    b's tracks that are not quantified are among a's.  Same language as
    difference(a, project(b, quantified)).  The result's tracks are sorted by name.
    """
    kept = _kept_tracks(b, quantified)
    tracks = _guarded_tracks(a, kept)
    if not kept:
        # Without tracks the projection is TRUE or FALSE, whatever the lengths of b's words.
        return difference(a, _closed(not is_empty(b)), budget)
    zero = _kept_zero(kept)
    with _metered(budget, "a guarded difference") as meter:
        # States that lead nowhere would make sets different that are not.
        a, b = _trimmed(a, meter), _trimmed(b, meter)
        arrays = _guarded_difference.guarded_difference(
            _csr(a),
            _csr(b),
            _recode(a, kept, meter),
            _recode(a, tracks, meter),
            _recode(b, kept, meter),
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
    kept = _kept_tracks(a, quantified)
    if not kept:
        return _closed(not is_empty(a))
    zero = _kept_zero(kept)
    with _metered(budget, "a projection") as meter:
        a = _trimmed(a, meter)
        arrays = _determinize.determinize(_csr(a), _recode(a, kept, meter), zero, meter)
    return Dfa(kept, *arrays)


def at_least(a: Dfa, quantified: Collection[str], count: int, budget: Budget = UNLIMITED) -> Dfa:
    """The words over the kept tracks that at least `count` >= 1 words of a are projected to.

    a: a relation; where all kept tracks hold numbers it must be closed under leading zeros, with a
    loop on the zero letter at state 0 (as canonical relations have), so that each tuple of values is
    one run.  A track has to be kept.  Exponential in states * log(count) at worst.
    """
    kept = _kept_tracks(a, quantified)
    if not kept:
        raise AutomatonError("a track has to remain beside those that are counted")
    zero = _kept_zero(kept)
    with _metered(budget, "a count") as meter:
        a = _trimmed(a, meter)
        if is_empty(a):
            return build(kept, [{}], [0])
        if zero >= 0 and (a.zero_code is None or a.successor(0, a.zero_code) != 0):
            raise AutomatonError("runs are counted only of relations closed under leading zeros")
        arrays = _counting.count_at_least(_csr(a), _recode(a, kept, meter), zero, count, meter)
    return Dfa(kept, *arrays)


def close_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a with any number of zero letters added to or removed from the front.

    Needs a system on every track.  By subset construction, as `project`.
    """
    zero = a.zero_code
    if zero is None:
        raise AutomatonError("zeros can be closed only where every track has a numeration system")
    with _metered(budget, "a zero closure") as meter:
        a = _trimmed(a, meter)
        arrays = _determinize.determinize(_csr(a), _recode(a, a.tracks, meter), zero, meter)
    return Dfa(a.tracks, *arrays)


def reverse(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a read backwards, determinized.  Exponential at worst."""
    with _metered(budget, "a reversal") as meter:
        arrays = _reverse.reverse(_csr(_trimmed(a, meter)), meter)
    return Dfa(a.tracks, *arrays)


def minimize(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The canonical automaton of the language: minimal, trim, states numbered breadth first.

    Outputs become 0 and 1.  O(m d log n) for m transitions of n states with at most d a state.
    """
    with _metered(budget, "a minimal automaton") as meter:
        arrays = _minimize.minimize(_csr(a), True, meter)
    return Dfa(a.tracks, *arrays)


def minimize_outputs(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """As `minimize` for a word automaton: outputs are told apart, only unreachable states removed."""
    with _metered(budget, "a minimal automaton") as meter:
        arrays = _minimize.minimize(_csr(a), False, meter)
    return Dfa(a.tracks, *arrays)


def trim(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Without the states that no word reaches or that lead to no acceptance.  O(states + transitions)."""
    with _metered(budget, "a trim automaton") as meter:
        return _trimmed(a, meter)


def reorder(a: Dfa, names: Sequence[str], budget: Budget = UNLIMITED) -> Dfa:
    """The same automaton with its tracks in the order of `names`.  O(m log d)."""
    by_name = {track.name: track for track in a.tracks}
    if sorted(names) != sorted(by_name):
        raise AutomatonError(f"the tracks {_names(a)} cannot be put in the order {', '.join(names)}")
    tracks = tuple(by_name[name] for name in names)
    with _metered(budget, "a reordering") as meter:
        arrays = _reorder.reorder(_csr(a), _recode(a, tracks, meter), meter)
    return Dfa(tracks, *arrays)


def is_empty(a: Dfa) -> bool:
    """Whether a accepts no word.  O(states + transitions)."""
    with _metered(UNLIMITED, "a test for emptiness") as meter:
        return _reach.empty(_csr(a), meter)


def shortest(a: Dfa) -> tuple[int, ...] | None:
    """Letter codes of the first word by length, then letter order; None if there is no word."""
    with _metered(UNLIMITED, "a shortest word") as meter:
        return _reach.shortest(_csr(a), meter)


def is_finite(a: Dfa) -> bool:
    """Whether finitely many words do not begin with the zero letter (plain tracks: finitely many words)."""
    with _metered(UNLIMITED, "a test for finiteness") as meter:
        return _reach.finite(_csr(a), _zero(a), meter)


def words(a: Dfa, count: int, budget: Budget = UNLIMITED) -> list[tuple[int, ...]]:
    """The first `count` words by length, then letter order, that do not begin with the zero letter.

    Plain tracks: the first of all words.  O(transitions) for each length up to the longest word.
    """
    with _metered(budget, "a list of words") as meter:
        return _reach.words(_csr(a), _zero(a), min(count, UNBOUNDED), meter)


def count_words(a: Dfa, length: int) -> int:
    """How many words of exactly this length a accepts, zeros in front included.  O(length * transitions)."""
    with _metered(UNLIMITED, "a count of words") as meter:
        return _reach.count(_csr(a), length, meter)


def linear_atom(
    valid: Dfa,
    coefficients: Sequence[int],
    relation: str,
    constant: int,
    recurrence: tuple[memoryview, memoryview, memoryview[float], memoryview[float]],
    budget: Budget = UNLIMITED,
) -> Dfa:
    """sum c_i x_i RELATION constant inside valid^k, RELATION one of = != <; tracks "0", "1", ...

    valid: the representations of the naturals, one track; recurrence: feedback, terms, powers of
    the dominant root, error bounds, see `fibprover_ext.linear`.  The result is not minimal.
    """
    (track,) = valid.tracks
    tracks = tuple(track._replace(name=str(index)) for index in range(len(coefficients)))
    with _metered(budget, "a linear atom") as meter:
        arrays = _linear.linear(
            _csr(valid),
            len(track.digits),
            array("q", coefficients),
            ("=", "!=", "<").index(relation),
            constant,
            *recurrence,
            meter,
        )
    return Dfa(tracks, *arrays)


@contextmanager
def _metered(budget: Budget, during: str) -> Iterator[Meter]:
    """A meter for one kernel call; what the call raises becomes an error of ours."""
    try:
        yield _meter(budget)
    except BudgetExhausted as spent:
        # The kernel's share of the bytes, or the seconds that were left, mean nothing to a user.
        limit = budget.bytes if spent.resource == "bytes" else spent.limit
        raise BudgetSpent(
            spent.resource, limit, states=spent.states, transitions=spent.transitions, during=during
        ) from None
    except MemoryError:
        limit = budget.bytes if budget.bytes < UNBOUNDED else resident_bytes()
        raise BudgetSpent("bytes", limit, during=during) from None
    except OverflowError as error:
        raise LimitError(f"{during} is too large: {error}") from None
    except RuntimeError as error:
        raise AutomatonError(str(error)) from None


def _meter(budget: Budget) -> Meter:
    """What the budget leaves to a kernel: its bytes are those the process does not hold already."""
    room = UNBOUNDED
    if budget.bytes < UNBOUNDED:
        held = resident_bytes()
        if 2 * held > budget.bytes:
            give_back()
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


def _csr(a: Dfa) -> Csr:
    return Csr(a.offsets, a.codes, a.targets, a.outputs, a.letters)


def _trimmed(a: Dfa, meter: Meter) -> Dfa:
    return Dfa(a.tracks, *_trim.trim(_csr(a), meter))


def _recode(a: Dfa, tracks: Sequence[Track], meter: Meter, without: Sequence[Track] = ()) -> Recode:
    """The part of a's letters that belongs to `tracks`, coded in their order; `without` count as 0."""
    weights: dict[str, int] = {}
    letters = 1
    for track in reversed(tracks):
        weights[track.name] = letters
        letters *= len(track.digits)
    for track in without:
        weights[track.name] = 0
    return Recode(a.radices, tuple(weights.get(name, 0) for name in a.names), letters, a.transitions, meter)


def _zero(a: Dfa) -> int:
    """Code of the zero letter, -1 where there is none."""
    zero = a.zero_code
    return -1 if zero is None else zero


def _kept_zero(kept: tuple[Track, ...]) -> int:
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


def _closed(truth: bool) -> Dfa:
    """TRUE or FALSE: the automaton without tracks."""
    return build((), [{0: 0} if truth else {}], [int(truth)])


def _names(a: Dfa) -> str:
    return ", ".join(a.names) or "(none)"


def _merged_tracks(a: Dfa, b: Dfa) -> tuple[Track, ...]:
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


def _kept_tracks(a: Dfa, quantified: Collection[str]) -> tuple[Track, ...]:
    """a's tracks that are not quantified; all that are must be there."""
    foreign = set(quantified) - set(a.names)
    if foreign:
        raise AutomatonError(f"no track {', '.join(sorted(foreign))} to quantify among {_names(a)}")
    return tuple(track for track in a.tracks if track.name not in quantified)


def _guarded_tracks(a: Dfa, needed: Sequence[Track]) -> tuple[Track, ...]:
    """a's tracks sorted by name; AutomatonError unless all `needed` are among them."""
    by_name = {track.name: track for track in a.tracks}
    for track in needed:
        if by_name.get(track.name) != track:
            raise AutomatonError(f"the difference needs track {track.name} with the same digits on the left: {a!r}")
    return tuple(sorted(a.tracks))
