"""Remainders of a linear atom: the nodes that its automaton pairs with states of words.

What has been read is a remainder: a vector r worth sum r_j U_{t+j}, where the number t of digits still to come is not
known.  For each t the final sum lies in an interval, so the relation holds for all continuations, for none, or is open.
If it is open for some t, the remainder is kept.  If it is settled for every t, only the answers matter ("true for
t <= 3"): such remainders become a pattern of answers, of which there are few.  Where neither can be proved the
remainder is kept: the automaton is larger than it need be, and right.

In Ostrowski systems and negative bases a step depends on the position.  Then t is not known, but its phase is: the
positions below `transient` are phases of their own, the others fall into `period` classes.  Coming from class 0 the
next position may be the last of the other class or, if t was the least, the transient one; so a node leads to a
node in each phase that may follow.  The answers of a pattern are for the t of its phase, counted from the least.

Numbers are integers of any size; what is an estimate is a float, computed as in the compiled kernel, so that the same
remainders are kept and the same sizes are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Any, NamedTuple

from fibprover.automata.kernels.python.arrays import Integers, Numbering
from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter, TooLargeError

#: Whether the relation holds, for one number of digits to come.
NO, YES, OPEN = range(3)

EQUAL, UNEQUAL, LESS = range(3)

#: What a node is; a START is the remainder 0 before the first digit, which any phase may follow.
REMAINDER, PATTERN, REVERSED_PATTERN, START = range(4)

#: Patterns hold the answers for fewer t than this, and one answer for all others.
HORIZON = 120

#: Sums up to the first bound and entries of remainders up to the second are allowed.
EXACT = 4e18
ENTRY = 4e15

#: Bounds the relative error of the few dozen floating point operations of each estimate.
SLACK = 1e-12

#: The node that no continuation satisfies.
DEAD = -1

#: A kind, a phase, and a remainder, or of a pattern a bit where the answer for the i-th t of the phase differs from
#: that for large t.
Node = tuple[int, int, tuple[int, ...], int]


class Recurrence:
    """The weights U_t of positions, and what is known of the values of t digits; made once for many atoms.

    transient: as above; order: the order d; feedback (d for each phase): in phase i, U_{t+d-1} = sum_j feedback[i][j]
    U_{t-1+j}; terms: U_0, U_1, ...; lows, highs: the extreme values of t valid digits; powers (d for each phase): the
    limit of U_{t+j} / U_t in the phase; spread: bounds from above on |U_{t+j} - power U_t|; ranges (3 for each
    phase): the limits of lows[t] / |U_t| and highs[t] / |U_t|, and a bound from above on how far lows and highs are
    from those times |U_t|.  In a transient phase powers, spread and ranges are not used.  In each class the terms and
    extremes have to be a constant and a sum of at most max(d, 2) powers.
    """

    def __init__(
        self,
        transient: int,
        order: int,
        feedback: Sequence[int],
        terms: Sequence[int],
        lows: Sequence[int],
        highs: Sequence[int],
        powers: Sequence[float],
        spread: Sequence[float],
        ranges: Sequence[float],
    ) -> None:
        phases = len(ranges) // 3
        if order < 1 or not 0 <= transient < phases or len(ranges) != 3 * phases:
            raise InvalidArrayError("the phases of a linear atom do not fit together")
        if not len(feedback) == len(powers) == len(spread) == phases * order:
            raise InvalidArrayError("the recurrence of a linear atom does not fit together")
        if len(terms) < phases - 1 + order or not len(lows) == len(highs) == len(terms):
            raise InvalidArrayError("the terms of a linear atom do not fit together")
        self.transient, self.order, self.phases, self.period = transient, order, phases, phases - transient
        self.arguments = (transient, order, feedback, terms, lows, highs, powers, spread, ranges)
        self.terms, self.lows, self.highs = list(terms), list(lows), list(highs)
        self.feedback = [tuple(feedback[phase * order : (phase + 1) * order]) for phase in range(phases)]
        self.powers, self.spread = (
            [tuple(items[phase * order : (phase + 1) * order]) for phase in range(phases)]
            for items in (powers, spread)
        )
        self.ranges = [tuple(ranges[3 * phase : 3 * phase + 3]) for phase in range(phases)]
        #: For each t: U_t, ..., U_{t+d-1}; the largest of their absolute values; |lows[t]| + |highs[t]|.
        self.windows = [tuple(terms[t : t + order]) for t in range(len(terms) - order + 1)]
        self.reach = [float(max(map(abs, window))) for window in self.windows]
        self.span = [abs(float(lows[t])) + abs(float(highs[t])) for t in range(len(self.windows))]

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickle and copy by the arguments."""
        return Recurrence, self.arguments


class Nodes:
    """One constraint, and the nodes found so far, numbered as found."""

    def __init__(
        self,
        coefficients: Integers,
        relation: int,
        constant: int,
        extent: int,
        radix: int,
        recurrence: Recurrence,
        meter: Meter,
    ) -> None:
        if not 0 <= relation <= 2:
            raise InvalidArrayError("a linear atom needs a known relation")
        if extent < 0 or (extent and relation == LESS):
            raise InvalidArrayError("a linear atom does not compare with such a range")
        if abs(float(constant)) + float(extent) > ENTRY:
            raise TooLargeError("the constant of a linear atom exceeds 2^51")
        if 0 in coefficients:
            raise InvalidArrayError("a coefficient of a linear atom is 0")
        if any(abs(float(c)) * float(radix) > ENTRY / 64 for c in coefficients):
            raise TooLargeError("a coefficient of a linear atom is too large")
        self.meter = meter
        self.recurrence = recurrence
        #: The sum is compared with the numbers from `constant` to `most`.
        self.relation, self.constant, self.most = relation, constant, constant + extent
        self.rises = sum(c for c in coefficients if c > 0)
        self.falls = -sum(c for c in coefficients if c < 0)
        self.room = float(self.rises) + float(self.falls)
        self.numbers: Numbering[Node] = Numbering(meter)
        self.steps: dict[tuple[int, int], Steps] = {}

    def start(self) -> int:
        """Return the node before anything is read, DEAD if nothing satisfies the relation."""
        zero = (0,) * self.recurrence.order
        if self.recurrence.phases == 1:
            # Known to be followed by this phase, it is a remainder like those that are found later.
            return self.of_remainder(0, zero)
        return self.numbers[START, 0, zero, 0]

    def following(self, number: int) -> list[int]:
        """Return the phases that may follow a node's phase, increasing."""
        kind, phase, _, _ = self.numbers.found[number]
        transient, phases = self.recurrence.transient, self.recurrence.phases
        if kind == START:
            return list(range(phases))
        if phase != transient:
            return [phase - 1] if phase else []
        return [transient - 1, phases - 1] if transient else [phases - 1]

    def holds(self, number: int) -> bool:
        """Return whether the relation holds with no digit to come."""
        kind, phase, remainder, bits = self.numbers.found[number]
        if phase:
            return False
        if kind in (PATTERN, REVERSED_PATTERN):
            return bool(bits & 1) != (kind == REVERSED_PATTERN)
        value = sum(map(mul, remainder, self.recurrence.terms))
        return self._judge(value, value) == YES

    def steps_of(self, number: int, phase: int) -> Steps:
        """Return where a node leads to in a phase that may follow."""
        steps = self.steps.get((number, phase))
        if steps is None:
            steps = self.steps[number, phase] = self._steps(self.numbers.found[number], phase)
        return steps

    def _steps(self, node: Node, phase: int) -> Steps:
        kind, before, remainder, bits = node
        transient = self.recurrence.transient
        if kind in (PATTERN, REVERSED_PATTERN):
            rest = kind == REVERSED_PATTERN
            if before == transient and phase < before:
                # From the least t of the class.
                bits, rest = (bits & 1) ^ rest, False
            elif phase >= before:
                # From each t of the phase but the least.
                bits >>= 1
            return Steps(self, phase, (), self.of_pattern(phase, bits, rest))
        feedback = self.recurrence.feedback[before]
        top = remainder[-1]
        shifted = tuple(
            [checked_sum(top, factor, low) for factor, low in zip(feedback, (0, *remainder[:-1]), strict=True)]
        )
        return Steps(self, phase, shifted, DEAD)

    def of_pattern(self, phase: int, bits: int, rest: bool) -> int:
        """Return the node of a pattern; rest: the answer for large t."""
        if not bits and not rest:
            return DEAD
        return self.numbers[REVERSED_PATTERN if rest else PATTERN, phase, (), bits]

    def of_remainder(self, phase: int, remainder: tuple[int, ...]) -> int:
        """Return the node of a remainder, DEAD if no continuation satisfies the relation."""
        recurrence = self.recurrence
        windows, lows, highs, count = recurrence.windows, recurrence.lows, recurrence.highs, len(recurrence.windows)
        rises, falls, size = self.rises, self.falls, float(sum(map(abs, remainder)))
        growth: Growth | None = None
        bits = 0
        t = phase
        for i in range(HORIZON):
            if t >= count or (
                size * recurrence.reach[t] + self.room * recurrence.span[t] > EXACT and not self._fits(remainder, t)
            ):
                if i == 0:
                    raise TooLargeError("the values of a linear atom exceed 64 bits")
                break
            value = sum(map(mul, remainder, windows[t]))
            least = value + rises * lows[t] - falls * highs[t]
            most = value + rises * highs[t] - falls * lows[t]
            answer = self._judge(least, most)
            if answer == OPEN:
                break
            bits |= (answer == YES) << i
            if growth is None:
                if phase < recurrence.transient:
                    return self.of_pattern(phase, bits, False)
                # Not before, as most remainders that are kept are open at once.
                growth = self._growth(phase, remainder)
            rest = self._settled(remainder, t, least, most, growth)
            if rest is not None:
                if rest:
                    # Store the differences from the answer for all larger t.
                    bits = ~bits & ((1 << (i + 1)) - 1)
                return self.of_pattern(phase, bits, rest)
            t += recurrence.period
        return self.numbers[REMAINDER, phase, remainder, 0]

    def _growth(self, phase: int, remainder: tuple[int, ...]) -> Growth:
        """Return how the extreme final values grow, with the bounds of the errors."""
        recurrence = self.recurrence
        powers, spread, ranges = recurrence.powers[phase], recurrence.spread[phase], recurrence.ranges[phase]
        rho = sizes = error = 0.0
        for entry, power, width in zip(remainder, powers, spread, strict=True):
            rho += float(entry) * power
            sizes += abs(float(entry)) * abs(power)
            error += abs(float(entry)) * width
        if recurrence.terms[phase] < 0:
            rho = -rho
        return Growth(
            rho + self.rises * ranges[0] - self.falls * ranges[1],
            rho + self.rises * ranges[1] - self.falls * ranges[0],
            SLACK * (sizes + self.room * (abs(ranges[0]) + abs(ranges[1]))),
            (error + self.room * ranges[2] + max(abs(float(self.constant)), abs(float(self.most))))
            * ((1 + SLACK) * (1 + SLACK)),
        )

    def _settled(
        self, remainder: tuple[int, ...], t: int, least: int, most: int, growth: Growth
    ) -> bool | None:
        """Return the answer for t digits to come and all larger t of its phase, None if that is not known.

        The sum then moves away from the numbers with |U_t|, which grows, or stays.
        """
        constant, relation = self.constant, self.relation
        term = abs(float(self.recurrence.terms[t])) * (1 - SLACK)
        if (growth.least - growth.norm) * term > growth.bound:
            return relation == UNEQUAL
        if least > self.most or (relation == LESS and least == constant):
            stays = abs(growth.least) <= growth.norm and self._constant_from(remainder, t, -self.falls, self.rises)
            if stays:
                return relation == UNEQUAL
        if (growth.most + growth.norm) * term < -growth.bound:
            return relation != EQUAL
        if most < constant:
            stays = abs(growth.most) <= growth.norm and self._constant_from(remainder, t, self.rises, -self.falls)
            if stays:
                return relation != EQUAL
        return None

    def _constant_from(self, remainder: tuple[int, ...], t: int, up: int, down: int) -> bool:
        """Return whether numbers worth up * highs[t] + down * lows[t] lead to one final value for t and all later ones.

        In one phase these values are a constant and a sum of at most max(d, 2) powers: if one more of them in a row are
        equal, the sum is 0.
        """
        recurrence = self.recurrence
        values = set()
        for _ in range(max(recurrence.order, 2) + 1):
            if not self._fits(remainder, t):
                return False
            values.add(
                up * recurrence.highs[t] + down * recurrence.lows[t] + sum(map(mul, remainder, recurrence.windows[t]))
            )
            if len(values) > 1:
                return False
            t += recurrence.period
        return True

    def _fits(self, remainder: tuple[int, ...], t: int) -> bool:
        """Return whether the extreme final values with t digits to come are known and not too large."""
        if t >= len(self.recurrence.span):
            return False
        size = 0.0
        for entry, term in zip(remainder, self.recurrence.windows[t], strict=True):
            size += abs(float(entry)) * abs(float(term))
        return size + self.room * self.recurrence.span[t] <= EXACT

    def _judge(self, least: int, most: int) -> int:
        """Return what the relation is if the final value lies between these and may be either."""
        constant = self.constant
        if self.relation == LESS:
            return YES if most < constant else NO if least >= constant else OPEN
        if least > self.most or most < constant:
            return YES if self.relation == UNEQUAL else NO
        if least >= constant and most <= self.most:
            return NO if self.relation == UNEQUAL else YES
        return OPEN


class Growth(NamedTuple):
    """The least and greatest final values divided by |U_t|, up to `norm`, constants and the errors in `bound`."""

    least: float
    most: float
    norm: float
    bound: float


class Steps(dict[int, int]):
    """Where a node leads to in one phase, by the weight of the letter; computed when it is asked for first.

    shifted: the remainder after a letter of weight 0, () where all letters lead to `settled`.
    """

    __slots__ = ("nodes", "phase", "settled", "shifted")

    def __init__(self, nodes: Nodes, phase: int, shifted: tuple[int, ...], settled: int) -> None:
        super().__init__()
        self.nodes, self.phase, self.shifted, self.settled = nodes, phase, shifted, settled

    def __missing__(self, weight: int) -> int:
        found = self.settled
        if self.shifted:
            low, *others = self.shifted
            found = self.nodes.of_remainder(self.phase, (checked_sum(low, 1, weight), *others))
            self.nodes.meter.work(16)
        self[weight] = found
        return found


def checked_sum(a: int, b: int, c: int) -> int:
    """Return a b + c; raises TooLargeError if it is too large for an entry of a remainder."""
    if abs(float(a) * float(b)) + abs(float(c)) > ENTRY:
        raise TooLargeError("the remainders of a linear atom exceed 2^51")
    return a * b + c
