"""Words over one base in another: b^m for b^n, where one and the same number gets the same letter.

Machines are as kept inside: most significant digit first, complete, insensitive to leading zeros.
"""

from __future__ import annotations

import re
from math import gcd

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.commands.outputs import completed
from fibprover.commands.spending import spend
from fibprover.errors import AutomatonError
from fibprover.limits import UNLIMITED, Budget


def base_of(system: str) -> int | None:
    """The base of msd_k or lsd_k, None for any other system."""
    found = re.fullmatch(r"[ml]sd_(0|[1-9][0-9]{0,8})", system)
    return int(found[1]) if found else None


def converted(machine: Dfa, track: Track, budget: Budget = UNLIMITED) -> Dfa:
    """The machine of a word over base k^i as one over base k^j, the base of `track`.

    AutomatonError for several indices, a system that is no base, or bases that are not powers of one
    number.  The states are at most n * k^i for a smaller base and those there are for a larger one.
    """
    if len(machine.tracks) != 1:
        raise AutomatonError(f"a word with one index is needed, and this one has {len(machine.tracks)}")
    old, new = base_of(machine.tracks[0].system), base_of(track.system)
    if old is None or new is None:
        wrong = machine.tracks[0].system or "a plain alphabet"
        raise AutomatonError(f"{wrong if old is None else track.system} is no base", hint="bases are msd_k and lsd_k")
    powers = exponents(old, new)
    if powers is None:
        raise AutomatonError(f"{old} and {new} are not powers of one number", hint="such as 4 and 8, powers of 2")
    complete = completed(machine, 0, budget)
    common = gcd(*powers)
    small = complete
    if powers[0] != common:
        digits = round(old ** (common / powers[0]))
        small = _digits_apart(complete, digits, powers[0] // common, budget)
    large = _digits_together(small, powers[1] // common, track, budget)
    return kernels.minimize_outputs(large, budget)


def exponents(one: int, other: int) -> tuple[int, int] | None:
    """The least i and j with one = k^i and other = k^j for some k, None if there are none."""
    for exponent in range(one.bit_length(), 0, -1):
        root = round(one ** (1 / exponent))
        if root > 1 and root**exponent == one:
            power, count = root, 1
            while power < other:
                power, count = power * root, count + 1
            return (exponent, count) if power == other else None
    return None


def _digits_apart(machine: Dfa, base: int, count: int, budget: Budget) -> Dfa:
    """The machine for base^count as one for base, whose digits come `count` to each of the old ones.

    Which digits belong together is not known until the end, so all cases are followed: component j is
    the machine, and the j digits it has not read yet.
    """
    start = tuple((0, 0) for _ in range(count))
    numbers = {start: 0}
    order = [start]
    rows: list[dict[int, int]] = []
    for components in order:
        spend(budget, len(order), "a word over a smaller base")
        row = {}
        for digit in range(base):
            state, pending = components[-1]
            target = machine.successor(state, pending * base + digit)
            assert target is not None
            after = ((target, 0), *((state, pending * base + digit) for state, pending in components[:-1]))
            if after not in numbers:
                numbers[after] = len(order)
                order.append(after)
            row[digit] = numbers[after]
        rows.append(row)
    track = Track(machine.tracks[0].name, tuple(range(base)), machine.tracks[0].system)
    outputs = [machine.outputs[components[0][0]] for components in order]
    return kernels.minimize_outputs(build([track], rows, outputs), budget)


def _digits_together(machine: Dfa, count: int, track: Track, budget: Budget) -> Dfa:
    """The machine for a base as one for base^count, whose digits are read as `count` old ones each."""
    base = len(machine.tracks[0].digits)
    rows = []
    for state in range(machine.states):
        spend(budget, machine.states, "a word over a larger base")
        reached = [state]
        for _ in range(count):
            reached = [target for source in reached for _, target in machine.row(source)]
        assert len(reached) == base**count
        rows.append(dict(enumerate(reached)))
    return build([track], rows, machine.outputs)
