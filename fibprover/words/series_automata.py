"""The automatic words of coefficients of power series modulo a power of a prime, with their construction as proof.

Let f = R/Q be a rational function in some variables, q = p^e and N = p^(e-1).  As Q^q = Q(x^p)^N modulo q, the
coefficients of s/Q^N at exponents of one residue modulo p are those of s'/Q^N, where s' is made of the terms of
s Q^(N(p-1)) with these exponents, divided by p.  So polynomials s are the states of an automaton that reads n in base
p, least significant digit first; it begins with R Q^(N-1), and a state's output is the constant of s/Q^N.  Exponents
are bounded, so the states are finitely many.  For diagonals the exponents of all variables have the residue that is
read; for constant terms of P^n Q, which are those of Q/(1 - tP), that of t has, and all others are divisible by p.

Rowland and Yassawi, Automatic congruences for diagonals of rational functions (2015), sections 2 and 3.  For constant
terms see Rowland and Zeilberger, A case study in meta-automation (2014).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build, explored
from fibprover.automata.digit_order import reversal
from fibprover.base.errors import LimitError
from fibprover.base.limits import UNLIMITED, Budget, poll
from fibprover.words.laurent import Exponents, by_residues, power, reduced, times
from fibprover.words.series_text import SeriesModulo

#: The most polynomials that are states.
MOST_STATES = 50_000

#: So many coefficients of an algebraic series are put into its equation.
CHECKED = 48

_State = tuple[tuple[Exponents, int], ...]


def word_of_series(series: SeriesModulo, track: Track, budget: Budget = UNLIMITED) -> Dfa:
    """Return the automaton that reads n, most significant digit first, with the coefficient modulo q as its output.

    track: of the index, over base p.  LimitError for more than MOST_STATES states.
    """
    rows, outputs = _polynomials(series, budget)
    one_way = kernel_calls.minimize_outputs(build([track], rows, outputs), budget)
    found = reversal(one_way, budget, word=True)
    _check_equation(series, found, track)
    return found


def _polynomials(series: SeriesModulo, budget: Budget) -> tuple[list[dict[int, int]], list[int]]:
    """Return the rows and outputs of the automaton whose states are polynomials."""
    prime, modulus = series.prime, series.modulus
    height = prime ** (series.exponent - 1)
    denominator = reduced(dict(series.denominator), modulus)
    count = len(series.steps)
    origin = (0,) * count
    factor = by_residues(power(denominator, height * (prime - 1), count, modulus), prime)
    start = times(dict(series.numerator), power(denominator, height - 1, count, modulus), modulus)
    unit = pow(denominator[origin], -height, modulus)

    def steps(state: _State) -> Iterator[tuple[int, _State]]:
        for digit in range(prime):
            residues = tuple(digit * step for step in series.steps)
            yield digit, _section(state, factor, residues, prime, modulus)

    too_many = LimitError(
        f"the coefficients modulo {modulus} need more than {MOST_STATES} polynomials", hint="take a smaller modulus"
    )
    found = list(explored(
        tuple(sorted(start.items())), steps, budget, "the polynomials of a series", most=MOST_STATES, refused=too_many
    ))
    outputs = [dict(state).get(origin, 0) * unit % modulus for state, _ in found]
    return [row for _, row in found], outputs


def _section(
    state: _State, factor: Mapping[Exponents, Sequence[tuple[Exponents, int]]], residues: Exponents, prime: int,
    modulus: int,
) -> _State:
    """Return the terms of a product whose exponents have some residues, with the exponents divided by the prime."""
    total: dict[Exponents, int] = {}
    for at, coefficient in state:
        poll("the polynomials of a series")
        wanted = tuple((residue - each) % prime for residue, each in zip(residues, at, strict=True))
        for other, second in factor.get(wanted, ()):
            place = tuple(
                (one + two - residue) // prime for one, two, residue in zip(at, other, residues, strict=True)
            )
            total[place] = total.get(place, 0) + coefficient * second
    return tuple(sorted((at, each % modulus) for at, each in total.items() if each % modulus))


def _check_equation(series: SeriesModulo, machine: Dfa, track: Track) -> None:
    """Put the first coefficients into the equation of an algebraic series, which they alone satisfy."""
    if not series.equation:
        return
    modulus, prime = series.modulus, series.prime
    coefficients = []
    for n in range(CHECKED):
        digits: list[int] = []
        while n:
            n, digit = divmod(n, prime)
            digits.insert(0, digit)
        coefficients.append(machine.output(digits) or 0)
    powers = [[1] + [0] * (CHECKED - 1)]
    for _ in range(max(y for (_, y), _ in series.equation)):
        powers.append(_product(powers[-1], coefficients, modulus))
    total = [0] * CHECKED
    for (x, y), coefficient in series.equation:
        for place in range(x, CHECKED):
            total[place] += coefficient * powers[y][place - x]
    if any(each % modulus for each in total):
        raise AssertionError(f"{series.text}: the coefficients of the automaton do not satisfy the equation")


def _product(one: Sequence[int], two: Sequence[int], modulus: int) -> list[int]:
    """Return the product of two power series as far as they are given."""
    return [sum(one[i] * two[n - i] for i in range(n + 1)) % modulus for n in range(len(one))]
