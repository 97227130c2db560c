"""Operations on words that change the numeration system: `convert`, `split` and `rsplit`.

The word over base b^m for one over base b^n has the same letter at the same number.  A word over a negative
system is split into words over the positive system, by the sign of the index, and back; these systems are base -k
and base k, or negaFibonacci and Fibonacci.  Machines read most significant digit first and are insensitive to
leading zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import gcd

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build, build_from, explored
from fibprover.automata.outputs import completed, from_parts
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import UNLIMITED, Budget, check_budget, polled
from fibprover.base.names import SystemName
from fibprover.base.wording import plural
from fibprover.numeration.system import NumerationSystem

#: Finds the numeration system with a name.
Systems = Callable[[str], NumerationSystem]

#: Coefficients and initial terms of Fibonacci and negaFibonacci.
_FIBONACCI, _NEGATIVE_FIBONACCI = ((1, 1), (1, 2)), ((-1, 1), (1, -1))

#: For each case a state of a machine, and the number of the digits that it has not read yet.
_Components = tuple[tuple[int, int], ...]

#: The excess with an even number of digits to come, that with an odd one, and the last digits of both numbers.
_FibonacciState = tuple[tuple[int, int] | None, tuple[int, int] | None, int, int]

#: An excess in `fibonacci_equality` beyond this cannot become 0 any more; minimization removes needless states.
_LARGEST_EXCESS = 10


def convert_base(machine: Dfa, system: NumerationSystem, systems: Systems, budget: Budget = UNLIMITED) -> Dfa:
    """Return the machine of a word over base k^i as one over base k^j, the base of `system`; its track is "n".

    Raises AutomatonError for several indices, a system that is no base, or bases that are not powers of one
    number.  The result has at most n * k^i states for a smaller base and at most n for a larger one.
    """
    if len(machine.tracks) != 1:
        raise AutomatonError(f"a word with one index is needed; this word has {len(machine.tracks)} indices")
    name = machine.tracks[0].system
    old, new = _base(systems(name)) if name else None, _base(system)
    if old is None or new is None:
        wrong = name or "a plain alphabet"
        raise AutomatonError(f"{wrong if old is None else system.name} is not a base", hint="bases are msd_k and lsd_k")
    powers = exponents(old, new)
    if powers is None:
        raise AutomatonError(f"{old} and {new} are not powers of one number", hint="such as 4 and 8, powers of 2")
    complete = completed(machine, 0, budget)
    common = gcd(*powers)
    small = complete
    if powers[0] != common:
        digits = round(old ** (common / powers[0]))
        small = _digits_apart(complete, digits, powers[0] // common, budget)
    large = _digits_together(small, powers[1] // common, system.track("n"), budget)
    return kernel_calls.minimize_outputs(large, budget)


def _base(system: NumerationSystem) -> int | None:
    """Return k for base k; None for any other system, base -k among them."""
    base = system.integer_base
    return base if base is not None and base > 0 else None


def exponents(one: int, other: int) -> tuple[int, int] | None:
    """Return the least i and j with one = k^i and other = k^j for some k, None if there are none."""
    for exponent in range(one.bit_length(), 0, -1):
        root = round(one ** (1 / exponent))
        if root > 1 and root**exponent == one:
            power, count = root, 1
            while power < other:
                power, count = power * root, count + 1
            return (exponent, count) if power == other else None
    return None


def _digits_apart(machine: Dfa, base: int, count: int, budget: Budget) -> Dfa:
    """Return the machine for base^count as one for base, with `count` digits for each of the old ones.

    The end of the word decides which digits belong together, so a state has a component for every case: component
    j is a state of the machine and the number of the j digits that it has not read yet.
    """
    what = "a word over a smaller base"

    def steps(components: _Components) -> Iterator[tuple[int, _Components]]:
        for digit in polled(range(base), what):
            state, pending = components[-1]
            target = machine.successor(state, pending * base + digit)
            assert target is not None
            yield digit, ((target, 0), *((state, pending * base + digit) for state, pending in components[:-1]))

    found = explored(((0, 0),) * count, steps, budget, what)
    track = Track(machine.tracks[0].name, tuple(range(base)), machine.tracks[0].system)
    made = build_from([track], found, lambda components: machine.outputs[components[0][0]])
    return kernel_calls.minimize_outputs(made, budget)


def _digits_together(machine: Dfa, count: int, track: Track, budget: Budget) -> Dfa:
    """Return the machine for a base as one for base^count, each digit of which is `count` old ones."""
    base = len(machine.tracks[0].digits)
    rows = []
    for state in range(machine.states):
        check_budget(budget, machine.states, "a word over a larger base")
        reached = [state]
        for _ in range(count):
            reached = [
                target for source in polled(reached, "a word over a larger base") for _, target in machine.row(source)
            ]
        assert len(reached) == base**count
        rows.append(dict(enumerate(reached)))
    return build([track], rows, machine.outputs)


def split_word(machine: Dfa, signs: Sequence[str], systems: Systems, budget: Budget = UNLIMITED) -> Dfa:
    """Return the word M with M[x]...[z] = N[+-x]...[z], from the machine of N over negative systems.

    signs: "+", "-" or "" (the index stays as it is), one for each track.  The digits of a track over a positive
    system are read as those of the negative one.  Raises AutomatonError for other systems.
    """
    return _with_signs(machine, signs, systems, budget, negative=False)


def negative_system(system: NumerationSystem) -> str:
    """Return the name of the system of numbers of both signs for one of positive numbers; "" if there is none."""
    base = system.integer_base
    if base is not None and base > 0:
        return SystemName(system.lsd_first, f"neg_{base}").full
    recurrence = system.recurrence
    if recurrence and (recurrence.coefficients, recurrence.initial) == _FIBONACCI:
        return SystemName(system.lsd_first, "neg_fib").full
    return ""


def rsplit_word(machine: Dfa, signs: Sequence[str], systems: Systems, budget: Budget = UNLIMITED) -> Dfa:
    """Return the word N over negative systems with N[+-x]...[z] = M[x]...[z], and 0 at indices of the other sign."""
    for track, sign in zip(machine.tracks, signs, strict=False):
        if sign and track.system and systems(track.system).signed:
            raise AutomatonError(
                f"rsplit needs a positive system where there is a sign, but {track.system} is negative"
            )
    return _with_signs(machine, signs, systems, budget, negative=True)


def _with_signs(machine: Dfa, signs: Sequence[str], systems: Systems, budget: Budget, *, negative: bool) -> Dfa:
    """Return the word over the new systems, by the pairs of an old and a new number that are equal or opposite.

    negative: whether the new systems are the negative ones.
    """
    if len(signs) != len(machine.tracks):
        raise AutomatonError(
            f"the word has {plural(len(machine.tracks), 'track')}, but {plural(len(signs), 'sign')} given"
        )
    for sign in signs:
        if sign not in ("+", "-", ""):
            raise AutomatonError(f"{sign!r} is not a sign: a track has '+', '-' or ''")
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
        old = track._replace(name=old_names[number])
        new, relation = _sign_relation(old, new_names[number], sign, systems(track.system), budget, negative=negative)
        tracks.append(new)
        relations.append(relation)
    removed = [name for name, new_name in zip(old_names, new_names, strict=True) if name != new_name]
    parts = {}
    for letter in sorted(set(machine.outputs) - {0}):
        part = operations.where(machine, letter.__eq__, budget).renamed(old_names)
        for relation in relations:
            part = kernel_calls.join(part, relation, budget)
        parts[letter] = operations.exists(part, removed, budget) if removed else kernel_calls.minimize(part, budget)
    word = from_parts(parts, tracks, budget)
    return word.renamed(machine.names)


def _sign_relation(
    old: Track, name: str, sign: str, system: NumerationSystem, budget: Budget, *, negative: bool
) -> tuple[Track, Dfa]:
    """Return the new track, over the other of a negative and a positive system, and its relation to the old track.

    system: that of the old track.  The digits of the old track are read as those of the system with the opposite sign
    of the new one.
    """
    base, recurrence = system.integer_base, system.recurrence
    if base is not None:
        name_of_base = str(abs(base))
    elif recurrence and (recurrence.coefficients, recurrence.initial) in (_FIBONACCI, _NEGATIVE_FIBONACCI):
        name_of_base = "fib"
    else:
        raise AutomatonError(
            f"a sign needs a track over a base such as msd_neg_2, or over msd_neg_fib, not over {system.name}"
        )
    new_base = f"neg_{name_of_base}" if negative else name_of_base
    new = Track(name, old.digits, SystemName(system.lsd_first, new_base).full)
    factor = 1 if sign == "+" else -1
    same = fibonacci_equality(factor) if base is None else signed_equality(abs(base), factor, budget)
    by_name = {"x": old, "y": new} if negative else {"x": new, "y": old}
    return new, same.with_tracks(tuple(by_name[name] for name in same.names))


def signed_equality(base: int, sign: int, budget: Budget = UNLIMITED) -> Dfa:
    """Return the pairs x in base k and y in base -k, k = `base`, with y = sign * x; plain tracks "x", "y".

    With t digits to come, the value of the digits read of y exceeds that of sign * x by R * base^t, where R depends
    on whether t is even: both cases are followed.  The digits to come are worth less than 2 * base^t in absolute
    value, so a case with |R| > 1 is dropped.
    """
    digits = tuple(range(base))
    start: tuple[int | None, int | None] = (0, 0)

    def steps(excess: tuple[int | None, int | None]) -> Iterator[tuple[int, tuple[int | None, int | None]]]:
        even, odd = excess
        for x in polled(digits, "a word over a system of the other sign"):
            for y in _near(even, odd, base, sign * x):
                # An odd number of digits to come becomes an even one, and vice versa.
                after = (_next_excess(odd, base, y - sign * x), _next_excess(even, base, -y - sign * x))
                yield x * base + y, after

    tracks = [Track("x", digits), Track("y", digits)]
    return kernel_calls.minimize(build_from(tracks, explored(start, steps), lambda excess: excess[0] == 0), budget)


def _near(even: int | None, odd: int | None, base: int, x: int) -> list[int]:
    """Return the digits y after which at least one of the two cases is not dropped, for a digit of this signed value.

    These are few: y lies beside a number that the excess determines.
    """
    middles = [x - base * odd] if odd is not None else []
    middles += [base * even - x] if even is not None else []
    return sorted({y for middle in middles for y in range(middle - 1, middle + 2) if 0 <= y < base})


def fibonacci_equality(sign: int) -> Dfa:
    """Return the pairs x in Fibonacci and y in negaFibonacci with y = sign * x; plain tracks "x", "y".

    With t digits to come, the value of the digits read of y exceeds that of sign * x by a * f(t+1) + b * f(t),
    where f(1) = f(2) = 1: digit t of x, counted from 0 at the end, is worth f(t+2) and that of y f(t+1), with a minus
    where t is odd.  The digits to come are worth about 4 * f(t) at most, and b is bounded by itself.
    """
    start: _FibonacciState = ((0, 0), (0, 0), 0, 0)

    def steps(state: _FibonacciState) -> Iterator[tuple[int, _FibonacciState]]:
        even, odd, last_x, last_y = state
        for x, y in product((0, 1), repeat=2):
            after = (_next_fibonacci_excess(odd, sign * x, y), _next_fibonacci_excess(even, sign * x, -y), x, y)
            if not (x & last_x or y & last_y) and after[:2] != (None, None):
                yield 2 * x + y, after

    tracks = [Track("x", (0, 1)), Track("y", (0, 1))]
    found = build_from(tracks, explored(start, steps), lambda state: state[0] is not None and state[0][0] == 0)
    return kernel_calls.minimize(found)


def _next_fibonacci_excess(excess: tuple[int, int] | None, x: int, y: int) -> tuple[int, int] | None:
    """Return the excess after one more digit each; None if it is too large to vanish."""
    if excess is None:
        return None
    a, b = excess[0] + excess[1] + y - x, excess[0] - x
    # 1.618 * a + b, without fractions.
    return (a, b) if abs(1618 * a + 1000 * b) <= 1000 * _LARGEST_EXCESS else None


def _next_excess(excess: int | None, base: int, digits: int) -> int | None:
    """Return R after digits that differ by `digits`; None if it is too large to vanish."""
    if excess is None or abs(base * excess + digits) > 1:
        return None
    return base * excess + digits
