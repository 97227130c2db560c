"""Ten systems that are wrong, each in one way; none of them verifies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa, build
from fibprover.numeration import NumerationSystem, RecurrenceSystem, system_named
from fibprover.numeration.ostrowski import ostrowski_system
from fibprover.numeration.periodic import PeriodicSystem, without_phase
from fibprover.numeration.system import LsdSystem, lsd_system
from fibprover.numeration.weights import pisot_recurrence


def fib() -> RecurrenceSystem:
    found = system_named("fib")
    assert isinstance(found, RecurrenceSystem)
    return found


def periodic(name: str) -> PeriodicSystem:
    found = system_named(name)
    assert isinstance(found, PeriodicSystem)
    return found


def with_words(system: PeriodicSystem, change: Callable[[int, int], int | None]) -> PeriodicSystem:
    """The system with edges of its words, given as (phase, digit), moved to other digits or dropped."""
    size = len(system.digits)
    rows = []
    for state in range(system.words.states):
        row = {}
        for code, target in system.words.row(state):
            digit = change(*divmod(code, size))
            if digit is not None:
                row[code - code % size + digit] = target
        rows.append(row)
    words = kernels.minimize(build(system.words.tracks, rows, system.words.outputs))
    return replace(system, words=words, valid=without_phase(words))


def digit_bound() -> NumerationSystem:
    """Tribonacci's words without their 1s at every other place: the greatest digit is too small."""
    pell = system_named("pell")
    assert isinstance(pell, RecurrenceSystem)
    words = build(pell.valid.tracks, [{0: 0, 1: 0}], [1])
    return replace(pell, valid=words)


def swapped_coefficients() -> NumerationSystem:
    """U[t] = U[t-1] + 2 U[t-2] would be the swap of Pell's; Fraenkel's 3, 1 for 1, 3 is of Pisot type."""
    system = system_named("rec_3_1")
    assert isinstance(system, RecurrenceSystem)
    return replace(system, recurrence=pisot_recurrence((2, 1), (1, 4)))


def not_greedy() -> NumerationSystem:
    """Lazy Fibonacci words (no two 0s behind the first 1) in place of greedy ones."""
    lazy = build(fib().valid.tracks, [{0: 0, 1: 1}, {1: 1, 0: 2}, {1: 1}], [1, 1, 1])
    return replace(fib(), valid=kernels.minimize(lazy))


def other_initial_terms() -> NumerationSystem:
    """Fibonacci's words with Lucas' terms."""
    return replace(fib(), recurrence=pisot_recurrence((1, 1), (1, 3)))


def later_phase() -> NumerationSystem:
    """The words of [0; 3, (1, 2)] with the terms of [0; 3, (2, 1)]."""
    system, other = periodic("ost_0_3_per_1_2"), ostrowski_system("other", [0, 3], [2, 1])
    assert isinstance(other, PeriodicSystem)
    return replace(system, periodic=other.periodic)


def too_many_digits() -> NumerationSystem:
    """Every digit 1 of a phase counts as 2 there."""
    return with_words(periodic("ost_0_3_per_1_2"), lambda phase, digit: 2 if (phase, digit) == (1, 1) else digit)


def missing_zero_behind_the_greatest() -> NumerationSystem:
    """All digits up to the bounds of [0; 3, (1, 2)], whatever stands beside them."""
    system = periodic("ost_0_3_per_1_2")
    size, bounds = len(system.digits), (2, 1, 2)
    rows: list[dict[int, int]] = []
    for state in range(4):
        following = range(3) if state == 3 else system.periodic.following(state)
        rows.append({phase * size + digit: phase for phase in following for digit in range(bounds[phase] + 1)})
    # State 3 begins, so it comes first.
    order = [3, 0, 1, 2]
    rows = [{code: order.index(target) for code, target in rows[state].items()} for state in order]
    words = kernels.minimize(build(system.words.tracks, rows, [1, 1, 0, 0]))
    return replace(system, words=words, valid=without_phase(words))


def unsigned() -> NumerationSystem:
    """Base -2 taken for a system of the naturals."""
    return replace(periodic("neg_2"), signed=False)


def narrow_range() -> NumerationSystem:
    """negaFibonacci, said to be worth at least -1 for any number of digits: what is pruned is lost."""
    system = periodic("neg_fib")
    inner = system.periodic
    wrong = replace(inner, extremes=lambda t, terms: (max(-1, inner.extremes(t, terms)[0]), abs(terms[t])))
    return replace(system, periodic=wrong)


def one_edge() -> NumerationSystem:
    """Fibonacci's words with one edge moved: 101 is not valid, 11 is."""
    rows = [dict(fib().valid.row(state)) for state in range(2)]
    rows[1] = {1: 0}
    return replace(fib(), valid=kernels.minimize(build(fib().valid.tracks, rows, [1, 1])))


WRONG: tuple[Callable[[], NumerationSystem], ...] = (
    digit_bound, swapped_coefficients, not_greedy, other_initial_terms, later_phase, too_many_digits,
    missing_zero_behind_the_greatest, unsigned, narrow_range, one_edge,
)


@pytest.mark.parametrize("make", WRONG, ids=lambda make: make.__name__)
def test_a_wrong_system_does_not_verify(make: Callable[[], NumerationSystem]) -> None:
    system = make()
    report = system.verify()
    assert not report
    assert report.failed
    assert not lsd_system(system).verify()


def test_an_lsd_system_that_is_none() -> None:
    """Reversing an adder twice gives another automaton if the adder is not canonical."""

    class Padded(RecurrenceSystem):
        __slots__ = ()

        def linear(self, *arguments: object, **keywords: object) -> Dfa:
            found = super().linear(*arguments, **keywords)  # type: ignore[arg-type]
            rows = [dict(found.row(state)) for state in range(found.states)]
            return build(found.tracks, [*rows, {}], [*found.outputs, 0])

    base = fib()
    padded = Padded(base.name, base.digits, base.valid, base.recurrence)
    wrong = LsdSystem("lsd_fib", base.digits, base.valid, padded, signed=False)
    assert any(check.startswith("reversing") for check in wrong.verify().failed)
