"""Numeration systems whose weights obey a periodic recurrence: Ostrowski systems and negative bases.

Digits, valid words, order and linear atoms follow from the weights (`PeriodicRecurrence`), from a rule for the
digits, and from the least and greatest value of t digits.  The position is not known when the first digit
is read, so automata read the phase of the position on a track of its own, which is projected away in the end.

Negative bases represent every integer, without a sign.  Base -k has the weights (-k)^t and the digits
0, ..., k - 1 in any order; negaFibonacci has the weights 1, -1, 2, -3, 5, -8, ... and no two adjacent 1s (Bunder,
"Zeckendorf representations using negative Fibonacci numbers", Fibonacci Quarterly 30, 1992).  Their order is
not lexicographic: at a position whose weight is negative the greater digit makes the smaller number.  The
phase of a position is its parity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build_from, explored
from fibprover.base.errors import DigitError, NumerationError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.numeration.system import ContinuedFraction, PositionalSystem, by_first_difference, with_identity
from fibprover.numeration.weights import LinearRecurrence, PeriodicRecurrence, Weights

#: The track of phases; no variable has this name.
PHASE = "#phase"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PeriodicSystem(PositionalSystem):
    """A system whose weights obey a periodic recurrence; made by `ostrowski_system` and for negative bases.

    words: the valid words over (phase, digit); title: the first line of the description; signed: whether the
    numbers are all integers, the weights at odd positions being negative.
    """

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    words: Dfa
    periodic: PeriodicRecurrence
    title: str
    signed: bool = False
    recurrence: LinearRecurrence | None = None
    continued_fraction: ContinuedFraction | None = None
    identity: str = ""

    def with_identity(self, identity: str) -> PeriodicSystem:
        """Return the same system with another identity; see `NumerationSystem.with_identity`."""
        valid, words = with_identity(self.valid, identity), with_identity(self.words, identity)
        return replace(self, valid=valid, words=words, identity=identity)

    @property
    def weights(self) -> Weights:
        """The weights U_0, U_1, ..."""
        return self.periodic

    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Return the order of two valid words of one length by their first difference; tracks "0" < "1".

        The smaller digit makes the smaller number, except where the weight at that position is negative.
        """
        tracks = (self.words.tracks[0], self.track("0"), self.track("1"))
        pairs = by_first_difference(self.words, tracks, len(self.digits), alternating=self.signed)
        return without_phase(pairs, budget)

    def reduced_atom(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget) -> Dfa:
        """Return the atom by remainders, with its phases projected away; see `NumerationSystem.reduced_atom`."""
        atom = kernel_calls.linear_atom(self.words, coefficients, relation, constant, self.periodic.constants, budget)
        return without_phase(kernel_calls.minimize(atom, budget), budget)

    def reduced_range(self, coefficients: tuple[int, ...], least: int, most: int, budget: Budget) -> Dfa | None:
        """Return the range by remainders, with its phases projected away; see `NumerationSystem.reduced_range`."""
        constants, extent = self.periodic.constants, most - least
        atom = kernel_calls.linear_atom(self.words, coefficients, "=", least, constants, budget, extent=extent)
        return without_phase(kernel_calls.minimize(atom, budget), budget)

    def word_counts(self, lengths: int) -> list[int]:
        """Return how many numbers lie between the least and the greatest value of 0, 1, ... digits."""
        terms = self.periodic.terms(lengths)
        bounds = [self.periodic.extremes(t, terms) for t in range(lengths)]
        return [high - low + 1 for low, high in bounds]

    def represent(self, number: int) -> tuple[int, ...]:
        """Return the representation, most significant digit first, () for 0.  Quadratic in the number of digits."""
        if number < 0 and not self.signed:
            raise DigitError(f"{number} is negative; {self.name} represents the naturals")
        terms: list[int] = []
        bounds: list[tuple[int, int]] = []
        for term in self.periodic.walk():
            terms.append(term)
            bounds.append(self.periodic.extremes(len(bounds), terms))
            if bounds[-1][0] <= number <= bounds[-1][1]:
                break
        digits = []
        for position in range(len(terms) - 2, -1, -1):
            term, (low, high) = terms[position], bounds[position]
            # The least digit such that the digits after it can represent the rest.
            digit = max(0, -((high - number) // term) if term > 0 else -((number - low) // -term))
            digits.append(digit)
            number -= digit * term
        return tuple(digits)

    def describe(self) -> str:
        """Return the definition, the first weights, the digits and the size of the language of valid words."""
        lines = [f"{self.name}: {self.title}"]
        if self.continued_fraction is not None:
            lines.append(f"continued fraction {self.continued_fraction}")
        elif self.recurrence is not None and self.recurrence.order > 1:
            lines.append(str(self.recurrence))
        lines.append(f"U = {', '.join(map(str, self.periodic.terms(8)))}, ...")
        return "\n  ".join([*lines, self.describe_words()])


def periodic_system(
    name: str,
    largest_digit: int,
    periodic: PeriodicRecurrence,
    follow: Callable[[object, int, int], object | None],
    start: object,
    title: str,
    *,
    recurrence: LinearRecurrence | None = None,
    continued_fraction: ContinuedFraction | None = None,
) -> PeriodicSystem:
    """Return the system of these weights and a rule for the digits.

    follow, start: see `periodic_words`; recurrence: that of a negative base, whose numbers are all integers.
    """
    words = periodic_words(Track("x", tuple(range(largest_digit + 1)), name), periodic, follow, start)
    valid = without_phase(words)
    signed = recurrence is not None
    digits = valid.tracks[0].digits
    return PeriodicSystem(name, digits, valid, words, periodic, title, signed, recurrence, continued_fraction)


def periodic_words(
    track: Track, periodic: PeriodicRecurrence, follow: Callable[[object, int, int], object | None], start: object
) -> Dfa:
    """Return the automaton over (phase, digit) of words whose digits obey a rule at every position.

    follow(state, phase, digit): the state of the rule after a digit at a position of some phase, None where the
    digit is not allowed there; start: the state before the first digit.  A word may begin in any phase, and ends at
    position 0.
    """
    size = len(track.digits)

    def steps(at: tuple[int, object]) -> Iterator[tuple[int, tuple[int, object]]]:
        phase, state = at
        for following in range(periodic.phases) if phase < 0 else periodic.following(phase):
            for digit in range(size):
                after = follow(state, following, digit)
                if after is not None:
                    yield following * size + digit, (following, after)

    tracks = (Track(PHASE, tuple(range(periodic.phases))), track)
    return kernel_calls.minimize(build_from(tracks, explored((-1, start), steps), lambda at: at[0] <= 0))


def without_phase(automaton: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the canonical automaton of the words that have a phase at which they are accepted."""
    return kernel_calls.minimize(kernel_calls.project(kernel_calls.trim(automaton, budget), [PHASE], budget), budget)


# The extreme values are functions of the module, and no closures, so that systems can be pickled.


def _base_extremes(base: int, t: int, _terms: Sequence[int]) -> tuple[int, int]:
    """Return the values of t greatest digits at odd positions only, and at even ones: a geometric sum each."""
    even, odd = t + t % 2, t - t % 2
    return -base * (base**odd - 1) // (base + 1), (base**even - 1) // (base + 1)


def _fibonacci_extremes(t: int, terms: Sequence[int]) -> tuple[int, int]:
    """Return the values of 1s at all odd positions, and at all even ones: -f(2) - f(4) - ... and f(1) + f(3) + ..."""
    here = abs(terms[t])
    below = abs(terms[t - 1]) if t else 0
    return (1 - below, here) if t % 2 else (1 - here, below)


def negative_base(base: int, name: str = "") -> PeriodicSystem:
    """Return the system of base -k, for k >= 2; called msd_neg_k unless a name is given."""
    if base < 2:
        raise NumerationError(f"base -{base} is not a numeration system here", hint="the base must be at most -2")

    return periodic_system(
        name or f"msd_neg_{base}",
        base - 1,
        PeriodicRecurrence(0, 2, ((-base,), (-base,)), (1,), partial(_base_extremes, base)),
        lambda _state, _phase, _digit: True,
        True,
        f"base -{base}, most significant digit first; all integers",
        recurrence=LinearRecurrence((-base,), (1,)),
    )


def negative_fibonacci(name: str = "msd_neg_fib") -> PeriodicSystem:
    """Return negaFibonacci: U_0 = 1, U_1 = -1, U_{t+2} = U_t - U_{t+1}."""
    return periodic_system(
        name,
        1,
        PeriodicRecurrence(0, 2, ((1, -1), (1, -1)), (1, -1), _fibonacci_extremes),
        lambda state, _phase, digit: None if state and digit else digit,
        0,
        "negaFibonacci, most significant digit first; all integers",
        recurrence=LinearRecurrence((-1, 1), (1, -1)),
    )
