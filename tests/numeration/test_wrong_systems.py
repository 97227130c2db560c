"""Ten wrong systems, each with one error; none of them verifies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fibprover.automata import kernel_calls
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
    """Return the system with transitions of its words, given as (phase, digit), moved to other digits or removed."""
    size = len(system.digits)
    rows = []
    for state in range(system.words.states):
        row = {}
        for code, target in system.words.row(state):
            digit = change(*divmod(code, size))
            if digit is not None:
                row[code - code % size + digit] = target
        rows.append(row)
    words = kernel_calls.minimize(build(system.words.tracks, rows, system.words.outputs))
    return replace(system, words=words, valid=without_phase(words))


def digit_bound() -> NumerationSystem:
    """Pell's weights with digits up to 1: the greatest digit is too small."""
    pell = system_named("pell")
    assert isinstance(pell, RecurrenceSystem)
    words = build(pell.valid.tracks, [{0: 0, 1: 0}], [1])
    return replace(pell, valid=words)


def swapped_coefficients() -> NumerationSystem:
    """The words of U[t] = 3 U[t-1] + U[t-2] with the weights of U[t] = 2 U[t-1] + U[t-2]."""
    system = system_named("rec_3_1")
    assert isinstance(system, RecurrenceSystem)
    return replace(system, recurrence=pisot_recurrence((2, 1), (1, 4)))


def not_greedy() -> NumerationSystem:
    """Lazy Fibonacci words (no two 0s after the first 1) in place of greedy ones."""
    lazy = build(fib().valid.tracks, [{0: 0, 1: 1}, {1: 1, 0: 2}, {1: 1}], [1, 1, 1])
    return replace(fib(), valid=kernel_calls.minimize(lazy))


def other_initial_terms() -> NumerationSystem:
    """The words of Fibonacci with the weights of Lucas."""
    return replace(fib(), recurrence=pisot_recurrence((1, 1), (1, 3)))


def later_phase() -> NumerationSystem:
    """The words of [0; 3, (1, 2)] with the weights of [0; 3, (2, 1)]."""
    system, other = periodic("ost_0_3_per_1_2"), ostrowski_system("other", [0, 3], [2, 1])
    assert isinstance(other, PeriodicSystem)
    return replace(system, periodic=other.periodic)


def too_many_digits() -> NumerationSystem:
    """Every digit 1 of one phase becomes 2."""
    return with_words(periodic("ost_0_3_per_1_2"), lambda phase, digit: 2 if (phase, digit) == (1, 1) else digit)


def missing_zero_after_the_greatest() -> NumerationSystem:
    """All digits up to the bounds of [0; 3, (1, 2)], also after a greatest digit."""
    system = periodic("ost_0_3_per_1_2")
    size, bounds = len(system.digits), (2, 1, 2)
    rows: list[dict[int, int]] = []
    for state in range(4):
        following = range(3) if state == 3 else system.periodic.following(state)
        rows.append({phase * size + digit: phase for phase in following for digit in range(bounds[phase] + 1)})
    # State 3 is initial, so it comes first.
    order = [3, 0, 1, 2]
    rows = [{code: order.index(target) for code, target in rows[state].items()} for state in order]
    words = kernel_calls.minimize(build(system.words.tracks, rows, [1, 1, 0, 0]))
    return replace(system, words=words, valid=without_phase(words))


def unsigned() -> NumerationSystem:
    """Base -2 as a system of the naturals."""
    return replace(periodic("neg_2"), signed=False)


def narrow_range() -> NumerationSystem:
    """negaFibonacci with -1 as the least value of any number of digits: pruning removes numbers."""
    system = periodic("neg_fib")
    inner = system.periodic
    wrong = replace(inner, extremes=lambda t, terms: (max(-1, inner.extremes(t, terms)[0]), abs(terms[t])))
    return replace(system, periodic=wrong)


def one_edge() -> NumerationSystem:
    """The words of Fibonacci with one transition moved: 101 is not valid, 11 is."""
    rows = [dict(fib().valid.row(state)) for state in range(2)]
    rows[1] = {1: 0}
    return replace(fib(), valid=kernel_calls.minimize(build(fib().valid.tracks, rows, [1, 1])))


WRONG: tuple[Callable[[], NumerationSystem], ...] = (
    digit_bound, swapped_coefficients, not_greedy, other_initial_terms, later_phase, too_many_digits,
    missing_zero_after_the_greatest, unsigned, narrow_range, one_edge,
)


@pytest.mark.parametrize("make", WRONG, ids=lambda make: make.__name__)
def test_a_wrong_system_does_not_verify(make: Callable[[], NumerationSystem]) -> None:
    system = make()
    report = system.verify()
    assert not report
    assert report.failed
    assert not lsd_system(system).verify()


def test_an_lsd_system_with_an_adder_that_is_not_canonical() -> None:
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
