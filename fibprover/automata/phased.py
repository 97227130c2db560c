"""The kernel of linear atoms whose steps depend on a phase; a part of `kernels` with a file of its own."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from fibprover.automata.calls import csr, metered
from fibprover.automata.dfa import Dfa
from fibprover.limits import UNLIMITED, Budget
from fibprover_ext import phased as _phased


def phased_atom(
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

    valid: the representations over (phase, digit); recurrence: see `fibprover_ext.phased`.
    """
    phase, track = valid.tracks
    tracks = (phase, *(track._replace(name=str(index)) for index in range(len(coefficients))))
    with metered(budget, "a linear atom") as meter:
        arrays = _phased.phased(
            csr(valid),
            len(track.digits),
            array("q", coefficients),
            ("=", "!=", "<").index(relation),
            constant,
            *recurrence,
            meter,
        )
    return Dfa(tracks, *arrays)
