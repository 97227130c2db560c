"""Closing a language under zeros at one end, whatever its tracks hold; automata as users see them."""

from __future__ import annotations

from array import array

from fibprover.automata import kernels
from fibprover.automata.arcs import arcs_of, assembled
from fibprover.automata.dfa import Dfa, build
from fibprover.commands.languages import concatenation
from fibprover.errors import AutomatonError
from fibprover.limits import UNLIMITED, Budget


def fix_leading_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a with any number of zero letters added in front or taken away.  Exponential at worst."""
    _zero(a)
    # The kernel asks only whether there is a zero letter, and tells that by the tracks' systems.
    numbers = tuple(track._replace(system="msd_zeros") for track in a.tracks)
    closed = kernels.close_zeros(a.with_tracks(numbers), budget)
    return kernels.minimize(closed, budget).with_tracks(a.tracks)


def fix_trailing_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a with any number of zero letters added at the end or taken away.  Exponential at worst."""
    zero = _zero(a)
    arcs = arcs_of(a)
    outputs = array("b", (int(output != 0) for output in a.outputs))
    before: dict[int, list[int]] = {}
    for source, target in zip(arcs.sources[arcs.codes == zero], arcs.targets[arcs.codes == zero], strict=True):
        before.setdefault(int(target), []).append(int(source))
    todo = [state for state in range(a.states) if outputs[state]]
    while todo:
        for state in before.get(todo.pop(), ()):
            if not outputs[state]:
                outputs[state] = 1
                todo.append(state)
    without = assembled(a.tracks, outputs, [arcs])
    return concatenation([without, build(a.tracks, [{zero: 0}], [1])], budget)


def _zero(a: Dfa) -> int:
    """The code of the letter that is 0 on every track."""
    missing = [track for track in a.tracks if 0 not in track.digits]
    if missing or not a.tracks:
        what = f"the alphabet of track {missing[0].name} has no 0" if missing else "a closed formula has no tracks"
        raise AutomatonError(f"there are no zeros to add or take away: {what}")
    return a.code((0,) * len(a.tracks))
