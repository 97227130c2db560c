"""Words over one base in another: b^m for b^n, where one and the same number gets the same letter.

Machines are as kept inside: most significant digit first, complete, insensitive to leading zeros.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from math import gcd

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.outputs import completed, from_parts
from fibprover.errors import AutomatonError
from fibprover.limits import UNLIMITED, Budget, spend


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



# ---- signs
# Words over a negative system as words over the positive one, and back: `split` and `rsplit`.
#
# The systems are base -k and base k, or negaFibonacci and Fibonacci.
#
# Machines are as kept inside, most significant digit first, and of words that every padding leaves alone.

_BASE = re.compile(r"([ml]sd)_(neg_)?(fib|0|[1-9][0-9]{0,8})")

#: Far outside of what can become 0 again, in `fibonacci_equality`; what is followed for nothing is minimized away.
_FARTHEST = 10


def split_word(machine: Dfa, signs: Sequence[str], budget: Budget = UNLIMITED) -> Dfa:
    """The word M with M[x]...[z] = N[+-x]...[z], from the machine of N over negative systems.

    signs: "+", "-" or "" (the index stays as it is) a track.  The digits of a track over a positive
    system are taken as those of the negative one.  AutomatonError for other systems.
    """
    return _exchanged(machine, signs, lambda base, order: f"{order}_{base}", budget)


def rsplit_word(machine: Dfa, signs: Sequence[str], budget: Budget = UNLIMITED) -> Dfa:
    """The word N over negative systems with N[+-x]...[z] = M[x]...[z], and 0 where an index has the other sign."""
    for track, sign in zip(machine.tracks, signs, strict=False):
        if sign and "neg" in track.system:
            raise AutomatonError(f"rsplit needs a positive system for a sign, and {track.system} is negative")
    return _exchanged(machine, signs, lambda base, order: f"{order}_neg_{base}", budget)


def _exchanged(machine: Dfa, signs: Sequence[str], new_system: Callable[[str, str], str], budget: Budget) -> Dfa:
    """The word over the new systems, for the pairs of numbers that are equal or opposite."""
    if len(signs) != len(machine.tracks):
        raise AutomatonError(f"the word has {len(machine.tracks)} tracks, and there are {len(signs)} signs")
    for sign in signs:
        if sign not in ("+", "-", ""):
            raise AutomatonError(f"{sign!r} is no sign: a track has '+', '-' or ''")
    if any(signs) and any(not track.system for track in machine.tracks):
        raise AutomatonError("signs need numbers as indices, and this word has letters of a plain alphabet, too")
    old_names = [f"old{number:03d}" for number in range(len(signs))]
    new_names = [f"new{number:03d}" for number in range(len(signs))]
    tracks, relations = [], []
    for number, (track, sign) in enumerate(zip(machine.tracks, signs, strict=True)):
        if not sign:
            old_names[number] = new_names[number]
            tracks.append(track._replace(name=new_names[number]))
            continue
        found = _BASE.fullmatch(track.system)
        if found is None:
            where = track.system or "a plain alphabet"
            raise AutomatonError(
                f"a sign needs a track over a base such as msd_neg_2, or over msd_neg_fib, not over {where}"
            )
        base, system = found[3], new_system(found[3], found[1])
        new = Track(new_names[number], track.digits, system)
        tracks.append(new)
        to_negative = "neg" in system
        positive, negative = (old_names[number], new.name) if to_negative else (new.name, old_names[number])
        factor = 1 if sign == "+" else -1
        same = fibonacci_equality(factor) if base == "fib" else signed_equality(int(base), factor)
        by_name = {"x": new._replace(name=positive), "y": new._replace(name=negative)}
        # The track that goes has the word's own system, whatever its digits are taken for.
        by_name["x" if to_negative else "y"] = track._replace(name=old_names[number])
        relations.append(same.with_tracks(tuple(by_name[name] for name in same.names)))
    gone = [name for name, new in zip(old_names, new_names, strict=True) if name != new]
    parts = {}
    for letter in sorted(set(machine.outputs) - {0}):
        part = operations.where(machine, letter.__eq__, budget).renamed(old_names)
        for relation in relations:
            part = kernels.join(part, relation, budget)
        parts[letter] = operations.exists(part, gone, budget) if gone else kernels.minimize(part, budget)
    word = from_parts(parts, tracks, budget)
    return word.renamed(machine.names)


def signed_equality(base: int, sign: int) -> Dfa:
    """The pairs x in base `base` and y in base -`base` with y = sign * x; plain tracks "x", "y" of equal lengths.

    With t digits to come, what has been read of y exceeds that of sign * x by R * base^t, where R
    depends on whether t is even: both cases are followed.  What comes is worth less than 2 * base^t
    in absolute value, so |R| <= 1, or the case is lost.
    """
    digits = tuple(range(base))
    start: tuple[int | None, int | None] = (0, 0)
    numbers = {start: 0}
    order = [start]
    rows: list[dict[int, int]] = []
    for even, odd in order:
        row = {}
        for x in digits:
            for y in digits:
                # What was an odd number of digits to come is an even one now, and the other way round.
                after = (_carried(odd, base, y - sign * x), _carried(even, base, -y - sign * x))
                if after == (None, None):
                    continue
                if after not in numbers:
                    numbers[after] = len(order)
                    order.append(after)
                row[x * base + y] = numbers[after]
        rows.append(row)
    outputs = [int(even == 0) for even, _ in order]
    return kernels.minimize(build([Track("x", digits), Track("y", digits)], rows, outputs))


def fibonacci_equality(sign: int) -> Dfa:
    """The pairs x in Fibonacci and y in negaFibonacci with y = sign * x; plain tracks "x", "y" of equal lengths.

    With t digits to come, what has been read of y exceeds that of sign * x by a * f(t+1) + b * f(t), where
    f(1) = f(2) = 1: digit t of x, counted from 0 at the end, is worth f(t+2) and that of y f(t+1), with a minus
    where t is odd.  What comes is worth about 4 * f(t) at most, and b stays small by itself.
    """
    start: tuple[tuple[int, int] | None, tuple[int, int] | None, int, int] = ((0, 0), (0, 0), 0, 0)
    numbers = {start: 0}
    order = [start]
    rows: list[dict[int, int]] = []
    for even, odd, last_x, last_y in order:
        row = {}
        for x, y in product((0, 1), repeat=2):
            if x & last_x or y & last_y:
                continue
            after = (_approached(odd, sign * x, y), _approached(even, sign * x, -y), x, y)
            if after[:2] == (None, None):
                continue
            if after not in numbers:
                numbers[after] = len(order)
                order.append(after)
            row[2 * x + y] = numbers[after]
        rows.append(row)
    outputs = [int(even is not None and even[0] == 0) for even, *_ in order]
    return kernels.minimize(build([Track("x", (0, 1)), Track("y", (0, 1))], rows, outputs))


def _approached(excess: tuple[int, int] | None, x: int, y: int) -> tuple[int, int] | None:
    """The excess after one more digit each; None if it is too large to vanish."""
    if excess is None:
        return None
    a, b = excess[0] + excess[1] + y - x, excess[0] - x
    # 1.618 * a + b, without fractions.
    return (a, b) if abs(1618 * a + 1000 * b) <= 1000 * _FARTHEST else None


def _carried(excess: int | None, base: int, digits: int) -> int | None:
    if excess is None or abs(base * excess + digits) > 1:
        return None
    return base * excess + digits
