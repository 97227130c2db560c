"""The subsequence a(kn + b) of a sequence, by the relation of n and the index.

The automaton of m = pn + c has some p states in base k, and p^2 in a quadratic system; that of m = 1000000 n would be
too large.  So the prime factors p of the factor are taken one by one, the largest at last, as dimensions grow, each
with a c below p; what is left of the start is a step m = n + c of its own.
"""

from __future__ import annotations

from dataclasses import replace
from math import isqrt
from typing import TYPE_CHECKING

from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.limits import Limits, poll
from fibprover.base.wording import plural
from fibprover.sequences.rational import times, transposed

if TYPE_CHECKING:
    from fibprover.sequences.series import Series

#: The most states of an automaton times the dimension of the sequence.
MOST_ENTRIES = 500_000

#: The most entries, times the square of the dimension of the subsequence: about a minute.
MOST_WORK = 3 * 10**8

#: Up to here a prime factor is small: no factor without it would be much easier.
SMALL_PRIME = 7

_HINT = "a factor with small prime factors takes smaller steps"


def followed(sequence: Series, word: tuple[int, ...]) -> Series:
    """Return the sequence of n whose value is that of the word n.w, most significant digit first."""
    digits = sequence.system.digits
    column = sequence.leaving
    for digit in reversed(word):
        column = times(column, transposed(sequence.parts[digits.index(digit)]))
    return replace(sequence, leaving=column)


def subsequence(sequence: Series, factor: int, start: int) -> Series:
    """Return a(factor n + start), both natural numbers and the factor not 0.

    Raises LimitError if a step is too large.
    """
    found, rest = sequence, start
    for prime in _prime_factors(factor):
        # a(n), n = p m + c and m = (factor/p) n' + rest: each step is about the index of the one before.
        rest, shift = divmod(rest, prime)
        found = _step(found, prime, shift)
    return _step(found, 1, rest) if rest else found


def _step(sequence: Series, factor: int, start: int) -> Series:
    """Return a(factor n + start), by one automaton."""
    multiple = "n" if factor == 1 else f"{factor}n"
    what = f"a({multiple}{start:+d}) of a sequence of dimension {sequence.dimension}"
    states = max(MOST_ENTRIES // max(sequence.dimension, 1), 1)
    system = sequence.system
    hint = _HINT if factor > SMALL_PRIME else ""
    try:
        relation = system.linear((factor, -1), "=", -start, Limits(states=states).start())
        most = isqrt(MOST_WORK // (relation.states * max(sequence.dimension, 1)))
        return sequence.summed(relation.with_tracks((system.track("n"), system.track("to"))), most)
    except LimitError as problem:
        raise LimitError(f"{what}: {problem.message}", hint=hint) from None
    except BudgetSpent as spent:
        if spent.resource != "states" or spent.limit != states:
            raise
        raise LimitError(f"{what} needs an automaton with more than {plural(states, 'state')}", hint=hint) from None


def _prime_factors(number: int) -> list[int]:
    """Return the prime factors of a number, in order.

    Raises LimitError if one of them is too large for an automaton.
    """
    found = []
    prime = 2
    while prime * prime <= number and prime <= MOST_ENTRIES:
        if number % prime:
            prime += 1
            continue
        found.append(prime)
        number //= prime
        poll("the factors of an index")
    if number > MOST_ENTRIES:
        raise LimitError(
            f"the factor has a prime factor of more than {MOST_ENTRIES}, the states of an automaton", hint=_HINT
        )
    return [*found, number] if number > 1 else found
