"""Questions to an automaton: emptiness, shortest word, finiteness, counts; and tracks put in another order."""

from __future__ import annotations

from array import array

from fibprover.automata.kernels.python.arrays import Arrays, Csr, Recode, exported
from fibprover.automata.kernels.python.budget import Meter
from fibprover.automata.kernels.python.trim import keep_useful, reached


def is_empty(a: Csr, meter: Meter) -> bool:
    """Return whether no accepting state is reachable.  O(states + transitions)."""
    meter.poll()
    if a.outputs[0]:
        return False
    if not any(a.outputs):
        return True
    marks = reached(a.rows(), meter)
    return not any(mark and output for mark, output in zip(marks, a.outputs, strict=True))


def shortest_word(a: Csr, meter: Meter) -> tuple[int, ...] | None:
    """Return the codes of the first accepted word by length, then letter codes; None if no word is accepted."""
    return word_from(a, 0, meter)


def word_from(a: Csr, start: int, meter: Meter) -> tuple[int, ...] | None:
    """Return the word of `shortest_word` from another state than the initial one."""
    meter.poll()
    if a.outputs[start]:
        return ()
    offsets, targets, outputs = a.offsets, a.targets, a.outputs
    # Of a state: where from, and by which transition, it was reached first.
    origins = {start: (start, -1)}
    queue = [start]
    for state in queue:
        begin, end = offsets[state], offsets[state + 1]
        meter.work(end - begin + 1)
        for place, target in enumerate(targets[begin:end], begin):
            if target in origins:
                continue
            origins[target] = state, place
            if outputs[target]:
                return _word_to(a, start, target, origins)
            queue.append(target)
    return None


def _word_to(a: Csr, start: int, state: int, origins: dict[int, tuple[int, int]]) -> tuple[int, ...]:
    """Return the codes on the way from the start to a state."""
    word = []
    while state != start:
        state, place = origins[state]
        word.append(a.codes[place])
    return tuple(reversed(word))


def inner_states(a: Csr, zero: int, meter: Meter) -> bytearray:
    """Return for every state 1 if it is useful and some word reaches it whose first letter is not `zero`, else 0."""
    rows = a.rows()
    useful = reached(rows, meter)
    keep_useful(a, rows, useful, meter)
    marks = bytearray(a.states)
    first = [target for code, target in zip(a.letters_of(0), rows[0], strict=True) if code != zero]
    layer = {target for target in first if useful[target]}
    while layer:
        following: set[int] = set()
        for state in layer:
            marks[state] = 1
            following.update(rows[state])
            meter.work(len(rows[state]) + 1)
        layer = {target for target in following if useful[target] and not marks[target]}
    return marks


def is_finite(a: Csr, zero: int, meter: Meter) -> bool:
    """Return whether finitely many words do not begin with the letter `zero` (-1: finitely many words)."""
    meter.poll()
    marks = inner_states(a, zero, meter)
    inner = [state for state, mark in enumerate(marks) if mark]
    # Finite if these states have no cycle: those without incoming transitions are removed until none is left.
    degrees = [0] * a.states
    for state in inner:
        row = a.row(state)
        meter.work(len(row) + 1)
        for target in row:
            degrees[target] += 1
    left = len(inner)
    stack = [state for state in inner if not degrees[state]]
    while stack:
        row = a.row(stack.pop())
        left -= 1
        meter.work(len(row) + 1)
        for target in row:
            degrees[target] -= 1
            if marks[target] and not degrees[target]:
                stack.append(target)
    return left == 0


def count_words(a: Csr, length: int, meter: Meter) -> int:
    """Return the exact number of accepted words of exactly this length.  O(length * transitions) big additions."""
    meter.poll()
    ways = [1 if output else 0 for output in a.outputs]
    rows = a.rows()
    for _ in range(length):
        longer = []
        following = ways.__getitem__
        for row in rows:
            longer.append(sum(map(following, row)))
            meter.work(len(row) + 1)
        ways = longer
    return ways[0]


def collisions(a: Csr, kept: Recode, meter: Meter) -> int:
    """Return the number of transitions minus that of pairs (state, kept letter)."""
    meter.poll()
    of_state, shapes = a.shapes()
    distinct = [len(set(kept.all(codes, meter))) for codes in shapes]
    return a.transitions - sum(distinct[shape] for shape in of_state)


def reorder(a: Csr, code: Recode, meter: Meter) -> Arrays:
    """Return the automaton with every letter recoded; sorts once for all rows of the same letters."""
    stop = meter.progress(0, 0)
    of_state, shapes = a.shapes()
    orders = []
    for before in shapes:
        recoded = code.all(before, meter)
        order = sorted(range(len(recoded)), key=recoded.__getitem__)
        orders.append((array("q", [recoded[place] for place in order]), order))
    codes, targets = array("q"), array("i")
    for state, shape in enumerate(of_state):
        row = a.row(state)
        letters, order = orders[shape]
        codes.extend(letters)
        targets.extend(map(row.__getitem__, order))
        if len(codes) > stop:
            stop = meter.progress(a.states, len(codes))
    meter.progress(a.states, len(codes))
    return exported(array("q", a.offsets), codes, targets, array("i", a.outputs))
