"""Negative bases: every integer has one representation, and no sign is written.

Base -k has the terms (-k)^t and the digits 0, ..., k - 1 in any order; negaFibonacci has the terms
1, -1, 2, -3, 5, -8, ... and no two 1s side by side (Bunder, "Zeckendorf representations using
negative Fibonacci numbers", Fibonacci Quarterly 30, 1992).  The order is not lexicographic: at a
position whose term is negative the greater digit makes the smaller number.  The phase of a
position is its parity.
"""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.automata.dfa import Track
from fibprover.errors import NumerationError
from fibprover.numeration.phased import PhasedSystem
from fibprover.numeration.phases import phased_words, phases, without_phase


def negative_base(base: int, name: str = "") -> PhasedSystem:
    """The system of base -k, for k >= 2; called msd_neg_k unless a name is given."""
    if base < 2:
        raise NumerationError(f"base -{base} is no numeration system here", hint="the base must be at most -2")

    def extremes(t: int, _terms: Sequence[int]) -> tuple[int, int]:
        """All greatest digits at odd positions, or at even ones: a geometric sum each."""
        even, odd = t + t % 2, t - t % 2
        return -base * (base**odd - 1) // (base + 1), (base**even - 1) // (base + 1)

    positions = phases(0, 2, [(-base,)] * 2, (1,), extremes)
    name = name or f"msd_neg_{base}"
    words = phased_words(Track("x", tuple(range(base)), name), positions, lambda _state, _phase, _digit: True, True)
    about = f"base -{base}, most significant digit first; all integers"
    valid = without_phase(words)
    return PhasedSystem(name, valid.tracks[0].digits, valid, words, positions, about, signed=True)


def negative_fibonacci(name: str = "msd_neg_fib") -> PhasedSystem:
    """negaFibonacci: U_0 = 1, U_1 = -1, U_{t+2} = U_t - U_{t+1}."""

    def extremes(t: int, terms: Sequence[int]) -> tuple[int, int]:
        """A 1 at every odd position, or at every even one: f(2) + f(4) + ... and f(1) + f(3) + ..."""
        here = abs(terms[t])
        below = abs(terms[t - 1]) if t else 0
        return (1 - below, here) if t % 2 else (1 - here, below)

    positions = phases(0, 2, [(1, -1)] * 2, (1, -1), extremes)
    words = phased_words(
        Track("x", (0, 1), name), positions, lambda state, _phase, digit: None if state and digit else digit, 0
    )
    about = "negaFibonacci, most significant digit first; all integers\n  U[t] = U[t-2] - U[t-1]"
    valid = without_phase(words)
    return PhasedSystem(name, valid.tracks[0].digits, valid, words, positions, about, signed=True)
