"""Removal of states that no word reaches or that lead nowhere."""

from __future__ import annotations

from itertools import pairwise

from fibprover.automata.kernels.python.arrays import Arrays, Csr, nothing
from fibprover.automata.kernels.python.budget import FUEL, Meter

#: Passes over all rows before usefulness is decided by walking the reversed transitions instead.
SWEEPS = 6


def trim(a: Csr, meter: Meter) -> Arrays:
    """Keep the states that are reachable and lead to acceptance, in the old order; O(states + transitions).

    The empty language is one state without transitions.
    """
    meter.poll()
    kept = trimmed(a, meter)
    return nothing(meter) if kept is None else kept.export()


def trimmed(a: Csr, meter: Meter, *, useful_only: bool = True) -> Csr | None:
    """Return the automaton without the states that `trim` removes, None if it accepts nothing.

    It is `a` itself if nothing falls away; not useful_only: keep all that is reachable.
    """
    rows = a.rows()
    marks = reached(rows, meter)
    if useful_only:
        keep_useful(a, rows, marks, meter)
        if not marks[0]:
            return None
    if all(marks):
        return a
    return cut_out(a, marks, meter)


def reached(rows: list[list[int]], meter: Meter) -> bytearray:
    """Return for every state 1 if a word reaches it, else 0."""
    marks = bytearray(len(rows))
    layer = [0]
    seen = {0}
    while layer:
        following: set[int] = set()
        for begin in range(0, len(layer), FUEL):
            piece = [rows[state] for state in layer[begin : begin + FUEL]]
            following.update(*piece)
            meter.work(sum(map(len, piece)) + len(piece))
        following -= seen
        seen |= following
        layer = list(following)
    for state in seen:
        marks[state] = 1
    return marks


def keep_useful(a: Csr, rows: list[list[int]], marks: bytearray, meter: Meter) -> None:
    """Clear the marks of states that lead to no accepting one."""
    useful = bytearray(1 if mark and output else 0 for mark, output in zip(marks, a.outputs, strict=True))
    is_useful = useful.__getitem__
    left = [state for state in range(a.states - 1, -1, -1) if marks[state] and not useful[state]]
    # Kernels number states as they find them, so that most transitions go up and a pass downwards settles nearly all.
    for _ in range(SWEEPS):
        before = len(left)
        unsettled = []
        for state in left:
            row = rows[state]
            meter.work(len(row) + 1)
            if any(map(is_useful, row)):
                useful[state] = 1
            else:
                unsettled.append(state)
        left = unsettled[::-1]
        if not left or len(left) == before:
            break
    else:
        walk_back(rows, left, useful, meter)
    marks[:] = useful


def walk_back(rows: list[list[int]], left: list[int], useful: bytearray, meter: Meter) -> None:
    """Mark as useful those of the states `left` from which a useful one is reached."""
    sources: dict[int, list[int]] = {}
    stack = []
    for state in left:
        meter.work(len(rows[state]) + 1)
        for target in set(rows[state]):
            sources.setdefault(target, []).append(state)
    stack = [state for state in sources if useful[state]]
    while stack:
        state = stack.pop()
        for source in sources.get(state, ()):
            if not useful[source]:
                useful[source] = 1
                stack.append(source)
        meter.work(1)


def cut_out(a: Csr, marks: bytearray, meter: Meter) -> Csr:
    """Return the automaton of the marked states, state 0 among them, and the transitions between them."""
    numbers = []
    kept = 0
    for mark in marks:
        numbers.append(kept if mark else -1)
        kept += mark
    offsets, codes, targets, outputs = [0], [], [], []
    stop = meter.progress(0, 0)
    for state, (begin, end) in enumerate(pairwise(a.offsets)):
        if not marks[state]:
            continue
        row = list(map(numbers.__getitem__, a.targets[begin:end]))
        if -1 in row:
            codes += [code for code, target in zip(a.codes[begin:end], row, strict=True) if target >= 0]
            targets += [target for target in row if target >= 0]
        else:
            codes += a.codes[begin:end]
            targets += row
        offsets.append(len(codes))
        outputs.append(a.outputs[state])
        if len(codes) > stop:
            stop = meter.progress(kept, len(codes))
    meter.progress(kept, len(codes))
    return Csr.of(offsets, codes, targets, outputs)
