"""Linear equations with some variables projected away, without building the automaton of the whole equation.

E y . sum a_i x_i + sum b_j y_j = c says that n = c - sum a_i x_i is a sum of the b_j, each as often as one likes: a
multiple of their gcd and, if the b_j have one sign, no number that is too small or a gap of the numerical semigroup
of the b_j, such as 7 for 3 and 5.

The automaton of a congruence modulo m has up to m^d states for each state of the valid words, where d is the order of
the recurrence.  That is least possible in most systems (Charlier, Rampersad, Rigo and Waxweiler, "The
minimal automaton recognizing mN in a linear numeration system", Integers 11B (2011)), but the equation has as many
states for the sum of all coefficients in the place of m, and more tracks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.limits import Budget, poll
from fibprover.numeration.linear import constant_word

if TYPE_CHECKING:
    from fibprover.numeration.recurrence import RecurrenceSystem

#: Equations with one variable to project whose automata have fewer states, by an estimate from above, are built.  With
#: more variables that takes up to a thousand times as long.
SMALL = 100_000

#: Most pairs of a remainder and a state of the words for which a congruence is built.
MOST_PAIRS = 1 << 28

#: Most variables that are kept: the names of more tracks would not be in alphabetical order.
MOST_KEPT = 10

#: Sums of numbers are looked for modulo the least of them, which may be as large, times the coefficient of their sum.
MOST_REMAINDERS = 1 << 18

#: So many numbers that are no sums are taken away one by one.
MOST_GAPS = 1000

#: More of them are below this: a byte stands for each.
MOST_MARKED = 1 << 25


def solvable(
    system: RecurrenceSystem, kept: Sequence[int], lost: Sequence[int], constant: int, budget: Budget
) -> Dfa | None:
    """Return the canonical automaton of E y . sum kept_i x_i + sum lost_j y_j = constant, or None if that is not easy.

    No coefficient is 0, and there is one of each kind; tracks "0", "1", ... for the x_i; the system has one recurrence.
    """
    order, states = system.recurrence.order, system.valid.states
    if len(lost) == 1 and sum(map(abs, (*kept, *lost))) ** order * states ** (len(kept) + 1) < SMALL:
        return None
    if max(lost) < 0:
        kept, lost, constant = [-c for c in kept], [-c for c in lost], -constant
    divisor = gcd(*lost)
    if len(kept) > MOST_KEPT or states ** len(kept) * divisor**order > MOST_PAIRS:
        return None
    if min(lost) < 0:
        return congruence(system, kept, divisor, constant, budget)
    coins = [c // divisor for c in lost]
    if min(coins) > 1 and (len(kept) > 1 or min(coins) > MOST_REMAINDERS):
        return None
    excluded = without_sum(system, least_sums(coins), kept[0], divisor, constant, budget) if min(coins) > 1 else ()
    if excluded is None:
        return None
    result = congruence(system, kept, divisor, constant, budget)
    # constant - sum kept_i x_i is a multiple of the divisor, so it is not negative if it is above -divisor.
    if max(kept) > 0 or constant <= -divisor:
        at_least = system.linear(tuple(kept), "<=", constant, budget)
        result = operations.conjunction(result, at_least, budget)
    return operations.difference(result, operations.exists_union(excluded, (), budget), budget) if excluded else result


def without_sum(
    system: RecurrenceSystem, least: Sequence[int], kept: int, divisor: int, constant: int, budget: Budget
) -> list[Dfa] | None:
    """Return automata of the x for which (constant - kept x) / divisor is a gap; None if these are too many and large.

    least: the least sums.  A few numbers, which may be large, have an automaton each.
    """
    modulus = len(least)
    if sum(number // modulus for number in least) <= MOST_GAPS:
        gaps = (gap for remainder, number in enumerate(least) for gap in range(remainder, number, modulus))
        found = (divmod(constant - divisor * gap, kept) for gap in gaps)
        return [constant_word(system, x, "0") for x in sorted(x for x, rest in found if not rest and x >= 0)]
    marks = gaps_marked(least, kept, divisor, constant) if abs(kept) * modulus <= MOST_REMAINDERS else None
    if marks is None:
        return None
    return [numbers_marked(system, marks, budget)] if any(marks) else []


def numbers_marked(system: RecurrenceSystem, marks: bytearray, budget: Budget) -> Dfa:
    """Return the canonical automaton of the numbers with marks, on the track "0".  O(len(marks)).

    The greedy representations of 0, 1, 2, ..., padded to one length, are in lexicographic order.
    """
    valid = system.valid.renamed(["0"])
    length = len(system.represent(len(marks) - 1))
    return operations.as_relation(kernel_calls.numbered_words(valid, marks, length, budget), [valid], budget)


def congruence(
    system: RecurrenceSystem, coefficients: Sequence[int], modulus: int, residue: int, budget: Budget
) -> Dfa:
    """Return the canonical automaton of sum c_i x_i congruent to the residue; at most MOST_KEPT tracks "0", "1", ..."""
    common = gcd(*coefficients, modulus)
    words = [system.valid.renamed([str(index)]) for index in range(len(coefficients))]
    every = operations.cartesian_product(words, budget)
    if residue % common:
        return operations.empty(every.tracks)
    coefficients, modulus, residue = [c // common for c in coefficients], modulus // common, residue // common
    if modulus == 1:
        return every
    constants = system.recurrence.constants
    found = kernel_calls.join_congruence(
        every, coefficients, modulus, residue % modulus, constants, every.names, budget
    )
    return found if is_minimal(system, modulus) else kernel_calls.minimize(found, budget)


def is_minimal(system: RecurrenceSystem, modulus: int) -> bool:
    """Return whether the pairs of a remainder modulo m and a state of the valid words are known to be inequivalent.

    Let d + 1 or more zeros lead from every state of the valid words to the first, and all states accept.  Then any
    numbers can follow at a distance, which have every residue if the coefficients have no common factor with m.  So
    every pair leads to acceptance; two pairs of different states are told apart by a word that one state does not
    allow.  Pairs of one state would have to agree in the values of their remainders with all large numbers t of digits
    to come: sum e_j U_{t+j} = 0 modulo m for their difference e.  If q_d is a unit, that goes back to all t, and
    e = 0 if the Hankel determinant of U_0, ..., U_{2d-2} is a unit too.
    """
    valid, recurrence = system.valid, system.recurrence
    if not all(valid.outputs):
        return False
    zeros = {state: target for state in range(valid.states) for digit, target in valid.row(state) if digit == 0}
    states = set(range(valid.states))
    for _ in range(valid.states):
        states = {zeros[state] for state in states if state in zeros}
    if states != {0} or len(zeros) < valid.states:
        return False
    order = recurrence.order
    terms = recurrence.terms(2 * order - 1)
    hankel = determinant([terms[row : row + order] for row in range(order)])
    return gcd(recurrence.coefficients[-1] * hankel, modulus) == 1


def determinant(matrix: Sequence[Sequence[int]]) -> int:
    """Return the determinant of a square matrix of integers, by Bareiss's elimination."""
    rows = [list(row) for row in matrix]
    sign, before = 1, 1
    for k in range(len(rows) - 1):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], -sign
        for i in range(k + 1, len(rows)):
            for j in range(k + 1, len(rows)):
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) // before
        before = rows[k][k]
    return sign * rows[-1][-1]


def least_sums(generators: Sequence[int]) -> list[int]:
    """Return, for each remainder modulo the least generator, the least number with it that is a sum of the generators.

    They are positive and coprime.  A number is a sum if it is not below the one with its remainder.
    O(least * generators), by the residue table of Boecker and Liptak, "The money changing problem revisited: computing
    the Frobenius number in time O(k a_1)" (2005).
    """
    modulus, *others = sorted(generators)
    # Of as many other generators as the modulus says, some have a sum that it divides; so least sums have fewer.
    bound = modulus * max(generators)
    least = [0] + [bound] * (modulus - 1)
    for generator in others:
        poll("the gaps of a semigroup")
        common = gcd(modulus, generator)
        for first in range(common):
            number = min(least[first::common])
            for _ in range(modulus // common - 1 if number < bound else 0):
                number += generator
                remainder = number % modulus
                number = least[remainder] = min(number, least[remainder])
    return least


def gaps_marked(least: Sequence[int], kept: int, divisor: int, constant: int) -> bytearray | None:
    """Return marks at the x for which (constant - kept x) / divisor is a gap; None if some x is too large.

    least: the least sums; a gap is a number below the one with its remainder.
    """
    modulus, marks = len(least), bytearray()
    for remainder, number in enumerate(least):
        poll("the gaps of a semigroup")
        # (constant - kept x) / divisor = remainder + modulus t is a linear equation in x and t.
        for gap in range(remainder, min(number, remainder + abs(kept) * modulus), modulus):
            x, rest = divmod(constant - divisor * gap, kept)
            if rest:
                continue
            last = number - 1 - (number - 1 - gap) % (abs(kept) * modulus)
            step = divisor * modulus * (-1 if kept > 0 else 1)
            found = range(x, (constant - divisor * last) // kept + step, step)
            found = found if step > 0 else found[::-1]
            found = found[max(0, -(found.start // found.step)):]
            if found and found[-1] >= MOST_MARKED:
                return None
            if found and found[-1] >= len(marks):
                marks.extend(bytes(found[-1] + 1 - len(marks)))
            marks[found.start : found.stop : found.step] = b"\1" * len(found)
    return marks
