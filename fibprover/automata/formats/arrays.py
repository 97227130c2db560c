"""Automata as NumPy arrays, and as one table of targets.

`Dfa.arrays()` returns the four arrays of an automaton, and `from_arrays` makes an automaton of them: the transitions of
state q have the letters codes[offsets[q]:offsets[q+1]], and the targets at the same positions.  The code of a letter is
a number whose most significant digit is for the first track; a digit is given by its position in its track's digits.
Over two tracks of digits 0, 1 the letters (0,0), (0,1), (1,0), (1,1) have the codes 0, 1, 2, 3.
State 0 is initial.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from fibprover.automata.dfa import LARGEST_OUTPUT, MOST_STATES, Dfa, Track, check_tracks, frozen
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.base.wording import plural

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

#: The most entries of a table: 2 GB.
_LARGEST_TABLE = 1 << 29


def from_arrays(tracks: Sequence[Track], arrays: Mapping[str, ArrayLike]) -> Dfa:
    """Return the automaton of the arrays offsets, codes, targets and outputs.

    The lengths are states + 1 for offsets, states for outputs, and the number of transitions for codes and targets.
    The automaton is neither trimmed nor minimized.  Raises AutomatonError, with the state, for arrays that are not a
    deterministic automaton; LimitError for outputs that are too large.  Time O(transitions).
    """
    import numpy

    missing = [name for name in ("offsets", "codes", "targets", "outputs") if name not in arrays]
    if missing:
        raise AutomatonError(f"the array {missing[0]} is missing", hint="offsets, codes, targets, outputs are needed")
    tracks = tuple(tracks)
    check_tracks(tracks)
    offsets, codes, targets, outputs = (
        _integers(arrays[name], name) for name in ("offsets", "codes", "targets", "outputs")
    )
    states, letters = len(outputs), _letters(tracks)
    if not 1 <= states <= MOST_STATES:
        raise AutomatonError(f"an automaton has 1 to {MOST_STATES} states, not {states} (one for each output)")
    if len(offsets) != states + 1 or offsets[0] != 0 or offsets[-1] != len(codes) or (offsets[1:] < offsets[:-1]).any():
        raise AutomatonError(
            f"offsets must be {plural(states + 1, 'number')} that rise from 0 to the number of transitions"
        )
    if len(targets) != len(codes):
        raise AutomatonError(
            f"{plural(len(codes), 'code')} but {plural(len(targets), 'target')}: the numbers must be equal"
        )
    sources = numpy.repeat(numpy.arange(states), numpy.diff(offsets))
    for what, wrong in (
        (f"a letter code outside 0..{letters - 1}", (codes < 0) | (codes >= letters)),
        ("a target that is not a state", (targets < 0) | (targets >= states)),
    ):
        if wrong.any():
            raise AutomatonError(f"state {sources[numpy.argmax(wrong)]} has {what}")
    twice = (sources[1:] == sources[:-1]) & (codes[1:] <= codes[:-1])
    if twice.any():
        raise AutomatonError(f"state {sources[1:][numpy.argmax(twice)]} has codes that do not increase")
    if (abs(outputs) > LARGEST_OUTPUT).any():
        raise LimitError("an output is too large", hint=f"outputs lie within {LARGEST_OUTPUT} of 0")
    return Dfa(
        tracks, _frozen("q", offsets), _frozen("q", codes), _frozen("i", targets), _frozen("i", outputs)
    )


def to_table(a: Dfa) -> NDArray[Any]:
    """Return the targets as an int32 table of states by letter codes; -1 where there is no transition.

    Raises LimitError for a table of more than 2^29 entries.
    """
    import numpy

    if a.states * a.letters > _LARGEST_TABLE:
        raise LimitError(f"a table of {plural(a.states, 'state')} and {plural(a.letters, 'letter')} is too large")
    table = numpy.full((a.states, a.letters), -1, dtype=numpy.int32)
    arrays = a.arrays()
    sources = numpy.repeat(numpy.arange(a.states), numpy.diff(arrays["offsets"]))
    table[sources, arrays["codes"]] = arrays["targets"]
    return table


def from_table(tracks: Sequence[Track], table: ArrayLike, outputs: ArrayLike) -> Dfa:
    """Return the automaton of a table such as that of `to_table` and of outputs; errors as in `from_arrays`."""
    import numpy

    tracks = tuple(tracks)
    check_tracks(tracks)
    try:
        rows = numpy.asarray(table)
    except ValueError as error:
        raise AutomatonError(f"the table has rows of several lengths: {error}") from None
    if rows.ndim != 2 or rows.shape[1] != _letters(tracks) or rows.dtype.kind not in "iu":
        wanted = f"a table of integers with {_letters(tracks)} columns, one a letter"
        raise AutomatonError(f"{wanted}, is needed, not {rows.dtype} {rows.shape}")
    if (rows < -1).any():
        raise AutomatonError(f"state {numpy.argmax((rows < -1).any(axis=1))} has a target that is not a state")
    present = rows >= 0
    offsets = numpy.concatenate([[0], numpy.cumsum(present.sum(axis=1))])
    codes = numpy.nonzero(present)[1]
    return from_arrays(
        tracks, {"offsets": offsets, "codes": codes, "targets": rows[present], "outputs": outputs}
    )


def _letters(tracks: Sequence[Track]) -> int:
    return prod(len(track.digits) for track in tracks)


def _integers(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return values as int64 if they are integers that fit; an empty list counts as integers, too."""
    import numpy

    try:
        given = numpy.asarray(values)
    except ValueError as error:
        raise AutomatonError(f"{name} is not an array of integers: {error}") from None
    fits = given.dtype.kind in "ib" or (given.dtype.kind == "u" and (not given.size or int(given.max()) < 1 << 63))
    if given.ndim != 1 or not (fits or not given.size):
        raise AutomatonError(f"{name} has to be one row of integers, not {given.dtype} {given.shape}")
    return given.astype(numpy.int64)


def _frozen(kind: str, values: NDArray[Any]) -> memoryview[int]:
    import numpy

    made = array(kind)
    made.frombytes(values.astype(numpy.int64 if kind == "q" else numpy.int32).tobytes())
    return frozen(made)
