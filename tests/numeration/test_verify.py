"""Systems verify themselves, and wrong ones do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, build
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.numeration import RecurrenceSystem
from fibprover.numeration.verify import LinearAtoms, Verification, verify
from tests.numeration.systems import RECURRENCES, SMALL, system


@pytest.mark.parametrize("name", sorted(RECURRENCES.keys() - {"slow"}))  # its adder has 13,000 states
def test_systems_verify(name: str) -> None:
    report = system(name).verify()
    assert report, str(report)
    assert report.failed == ()
    assert len(report.checks) >= 30


def check(
    numeration: RecurrenceSystem,
    *,
    valid: Dfa | None = None,
    less: Dfa | None = None,
    linear: LinearAtoms | None = None,
    lengths: list[int] | None = None,
) -> Verification:
    """Return the verification of a system with some of its automata replaced."""
    return verify(
        valid or numeration.valid,
        less or numeration.less(),
        linear or numeration.linear,
        lengths or numeration.recurrence.terms(20),
    )


def exchanged(numeration: RecurrenceSystem, atom: tuple[tuple[int, ...], str, int], wrong: Dfa) -> LinearAtoms:
    """Return the atoms of the system with one of them replaced."""

    def linear(coefficients: tuple[int, ...], relation: str, constant: int) -> Dfa:
        if (coefficients, relation, constant) == atom:
            return wrong
        return numeration.linear(coefficients, relation, constant)

    return linear


ADDER = ((1, 1, -1), "=", 0)


@pytest.mark.parametrize("name", ["fib", "two", "ten", "tribonacci"])
def test_unchanged_automata_pass(name: str) -> None:
    assert check(system(name))


def test_wrong_adder() -> None:
    fib = system("fib")
    report = check(fib, linear=exchanged(fib, ADDER, fib.linear((1, 1, -1), "=", 1)))
    assert not report
    assert "x + 0 = x" in report.failed


def test_empty_adder() -> None:
    fib = system("fib")
    assert not check(fib, linear=exchanged(fib, ADDER, fib.linear((1, 1, 1), "<", 0)))


def test_every_moved_transition_of_the_adder_is_detected() -> None:
    fib = system("fib")
    adder = fib.linear(*ADDER)
    rows = [dict(adder.row(state)) for state in range(adder.states)]
    for state in range(0, adder.states, 2):
        for code in list(rows[state])[:1]:
            moved = [dict(row) for row in rows]
            moved[state][code] = (moved[state][code] + 1) % adder.states
            wrong = kernel_calls.minimize(build(adder.tracks, moved, list(adder.outputs)))
            assert wrong != adder
            assert not check(fib, linear=exchanged(fib, ADDER, wrong)), (state, code)


def test_dropped_digit() -> None:
    three = system("three")
    words = build(three.valid.tracks, [{0: 0, 1: 0}], [1])
    assert not check(three, valid=words)
    assert "order is total" in check(three, valid=words).failed


def test_language_that_is_not_greedy() -> None:
    fib = system("fib")
    everything = build(fib.valid.tracks, [{0: 0, 1: 0}], [1])
    report = check(fib, valid=everything)
    assert not report
    assert report.failed[0].startswith("valid words of length t")
    # Lazy representations instead of greedy ones: as many words, another language.
    lazy = kernel_calls.minimize(build(fib.valid.tracks, [{0: 0, 1: 1}, {1: 1, 0: 2}, {1: 1}], [1, 1, 1]))
    assert not check(fib, valid=lazy)


def test_language_not_closed_under_zeros() -> None:
    two = system("two")
    no_leading_zeros = build(two.valid.tracks, [{1: 1}, {0: 1, 1: 1}], [1, 1])
    assert not check(two, valid=no_leading_zeros)


def test_swapped_coefficients() -> None:
    fib = system("fib")
    assert not check(fib, linear=lambda coefficients, relation, c: fib.linear(coefficients[::-1], relation, c))


@pytest.mark.parametrize(
    "change",
    [
        lambda c, r, k: (c, r, k + 1 if len(c) == 2 and c[0] == 2 else k),
        lambda c, r, k: (c, "<" if r == "<=" and len(c) > 1 else r, k),
        lambda c, r, k: (tuple(abs(x) for x in c) if c == (-3, 1) else c, r, k),
        lambda c, r, k: (c, "=" if r == "!=" and c == (-3,) else r, k),
        lambda c, r, k: ((2, -1) if c == (2, -3) else c, r, k),
    ],
)
def test_one_family_of_wrong_atoms(
    change: Callable[[tuple[int, ...], str, int], tuple[tuple[int, ...], str, int]],
) -> None:
    for name in ("fib", "ten"):
        numeration = system(name)
        report = check(numeration, linear=lambda c, r, k, s=numeration: s.linear(*change(c, r, k)))  # type: ignore[misc]
        assert not report
        assert all("as composed from the adder" in failure for failure in report.failed)


@pytest.mark.long
def test_atoms_that_lose_words() -> None:
    # What bad pruning does: the language is too small, everything else fits.
    square = system("square")
    atom = ((2, -3), "<", -2)
    good = square.linear(*atom)
    for state in range(1, good.states, 5):
        rows = [dict(good.row(s)) for s in range(good.states)]
        rows[state].pop(next(iter(rows[state])))
        wrong = kernel_calls.minimize(build(good.tracks, rows, list(good.outputs)))
        assert wrong != good
        report = check(square, linear=exchanged(square, atom, wrong))
        assert len(report.failed) == 1, state


def test_atoms_of_another_system() -> None:
    pell, fraenkel = system("pell"), system("fraenkel")

    def linear(coefficients: tuple[int, ...], relation: str, constant: int) -> Dfa:
        automaton = fraenkel.linear(coefficients, relation, constant)
        return automaton.with_tracks(tuple(t._replace(system=pell.name) for t in automaton.tracks))

    assert not check(pell, linear=linear)


def test_automata_that_do_not_fit_together() -> None:
    pell, fib = system("pell"), system("fib")
    report = check(pell, linear=fib.linear)
    assert not report


def test_wrong_order() -> None:
    fib = system("fib")
    less = fib.less()
    backwards = kernel_calls.reorder(less, ["1", "0"]).renamed(["0", "1"])
    assert not check(fib, less=backwards)
    assert not check(fib, less=fib.linear((1, -1), "<=", 0))
    assert not check(fib, less=fib.linear((1, -1), "<", -1))


def test_wrong_counts() -> None:
    fib = system("fib")
    report = check(fib, lengths=system("lucas").recurrence.terms(20))
    assert report.failed == ("valid words of length t number U_t for t < 20",)


def test_report() -> None:
    report = Verification((("one", True), ("two", False)))
    assert not report
    assert str(report) == "ok   one\nFAIL two"
    assert Verification((("one", True),))


def test_budgets_reach_the_checks() -> None:
    with pytest.raises(BudgetSpent):
        system("tribonacci").verify(Limits(states=100).start())


def test_every_small_system_is_named() -> None:
    assert set(SMALL) <= set(RECURRENCES)
