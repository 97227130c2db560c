"""Checks of a guessed automaton: how deep its states differ, and how many tuples below a bound it accepts."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from fibprover.automata.kernels.python.arrays import Csr
from fibprover.automata.kernels.python.budget import Meter, TooLargeError

MOST_COMPONENTS = 30
MODULUS = 1 << 64


def separating_depth(a: Csr, meter: Meter) -> int:
    """Return the least length such that words up to it tell any two states apart, and a state from a missing one.

    Moore's rounds: after round d, two states are in one class if they accept the same words of at most d letters; class
    0 accepts none of them.  O(depth * transitions).
    """
    meter.poll()
    classes = [1 if output else 0 for output in a.outputs]
    found, before, depth = len({0, *classes}), 1, -1
    while found > before:
        before = found
        depth += 1
        numbers: dict[Hashable, int] = {}
        following = []
        for state in range(a.states):
            letters = zip(a.letters_of(state), map(classes.__getitem__, a.row(state)), strict=True)
            live = tuple([letter for letter in letters if letter[1]])
            meter.work(a.offsets[state + 1] - a.offsets[state] + 1)
            if live or classes[state]:
                following.append(numbers.setdefault((classes[state], live), len(numbers) + 1))
            else:
                following.append(0)
        classes = following
        found = len(numbers) + 1
    return max(depth, 0)


def accepted_up_to(a: Csr, greatest: Any, width: int, digits: int, meter: Meter) -> int:
    """Return how many words of one length have no component that is lexicographically greater than a given word.

    greatest: that word; a: over `width` tracks of digits 0 .. digits - 1, must accept the words.  Modulo 2^64.
    """
    if not 1 <= width <= MOST_COMPONENTS:
        raise TooLargeError(f"{width} components")
    meter.poll()
    rows = a.rows()
    # Words are counted by the state they lead to; those with components that may still become too great, apart: by the
    # set of these components, as bits, and the state.
    free: dict[int, int] = {}
    bounded = {((1 << width) - 1, 0): 1}
    for place in range(len(greatest)):
        longer: dict[int, int] = {}
        for state, count in free.items():
            for target in rows[state]:
                longer[target] = longer.get(target, 0) + count
            meter.work(len(rows[state]))
        following: dict[tuple[int, int], int] = {}
        for (mask, state), count in bounded.items():
            for code, target in zip(a.letters_of(state), rows[state], strict=True):
                left = still_bounded(mask, code, int(greatest[place]), width, digits)
                if left == 0:
                    longer[target] = longer.get(target, 0) + count
                elif left > 0:
                    following[left, target] = following.get((left, target), 0) + count
            meter.work(8 * len(rows[state]) + 8)
        free, bounded = longer, following
    total = sum(count for state, count in free.items() if a.outputs[state])
    total += sum(count for (_, state), count in bounded.items() if a.outputs[state])
    return total % MODULUS


def still_bounded(mask: int, code: int, greatest: int, width: int, digits: int) -> int:
    """Return the components that are as great as possible after one more letter, -1 if one of them is too great."""
    for k in range(width):
        code, digit = divmod(code, digits)
        if mask >> k & 1 and digit != greatest:
            if digit > greatest:
                return -1
            mask &= ~(1 << k)
    return mask
