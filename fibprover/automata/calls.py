"""What every call of a compiled kernel needs: a meter, arrays, codings of letters, tracks that fit.

A spent budget becomes BudgetSpent, a size no budget could allow LimitError, automata that do not
fit AutomatonError.  Only this module, `kernels` and `questions` know the compiled kernels.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from fibprover.automata.dfa import Dfa, Track, build, check_tracks
from fibprover.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.limits import UNBOUNDED, Budget
from fibprover_ext import trim as _trim
from fibprover_ext._budget import BudgetExhausted, Meter, give_back
from fibprover_ext._csr import Csr
from fibprover_ext._recode import Recode

#: What the compiled atoms know of a recurrence: feedback, terms, powers of the dominant root, error bounds.
RecurrenceArrays: TypeAlias = "tuple[memoryview, memoryview, memoryview[float], memoryview[float]]"


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
    except OverflowError as error:
        raise LimitError(f"{during} is too large: {error}") from None
    except RuntimeError as error:
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


def csr(a: Dfa) -> Csr:
    return Csr(a.offsets, a.codes, a.targets, a.outputs, a.letters)


def trimmed(a: Dfa, meter: Meter) -> Dfa:
    return Dfa(a.tracks, *_trim.trim(csr(a), meter))


def recode(a: Dfa, tracks: Sequence[Track], meter: Meter, without: Sequence[Track] = ()) -> Recode:
    """The part of a's letters that belongs to `tracks`, coded in their order; `without` count as 0."""
    weights: dict[str, int] = {}
    letters = 1
    for track in reversed(tracks):
        weights[track.name] = letters
        letters *= len(track.digits)
    for track in without:
        weights[track.name] = 0
    return Recode(a.radices, tuple(weights.get(name, 0) for name in a.names), letters, a.transitions, meter)


def weighted(a: Dfa, weights: Mapping[str, int], meter: Meter) -> Recode:
    """The sum of weight times digit index over some tracks of a's letters; `letters` of the coding means nothing."""
    return Recode(a.radices, tuple(weights.get(name, 0) for name in a.names), 1, a.transitions, meter)


def linear_constraint(
    track: Track, coefficients: Sequence[int], relation: str, constant: int
) -> tuple[int, array[int], int, int]:
    """sum c_i x_i RELATION constant over tracks like this one, as the kernels take it."""
    return len(track.digits), array("q", coefficients), ("=", "!=", "<").index(relation), constant


def linear_tracks(a: Dfa, track: Track, coefficients: Sequence[int], names: Sequence[str]) -> tuple[Track, ...]:
    """a's tracks sorted by name; AutomatonError unless `names` are distinct ones like `track`, one a coefficient."""
    if not names or len(set(names)) != len(names) or len(names) != len(coefficients):
        raise AutomatonError(f"{len(coefficients)} coefficients need as many distinct tracks, not {list(names)}")
    by_name = {other.name: other for other in a.tracks}
    for name in names:
        if by_name.get(name) != track._replace(name=name):
            raise AutomatonError(f"a linear atom of {track.system} needs track {name} of that system: {a!r}")
    return tuple(sorted(a.tracks))


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
