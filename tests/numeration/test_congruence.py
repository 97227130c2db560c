"""Congruences, and equations of which variables are projected away, against the whole equation and plain arithmetic."""

from __future__ import annotations

import random
from itertools import product

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls, operations
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.numeration import NumerationSystem, RecurrenceSystem, system_named
from fibprover.numeration import congruence as module
from fibprover.numeration.congruence import (
    congruence,
    determinant,
    gaps_marked,
    is_minimal,
    least_sums,
    numbers_marked,
)
from tests.few import few
from tests.numeration.systems import SMALL, accepts, system

SYSTEMS = {name: system(name) for name in (*SMALL, "narayana")}
FIB = SYSTEMS["fib"]


def some_integer(rng: random.Random, most: int) -> int:
    return rng.choice([-1, 1]) * rng.randint(1, most)


def by_projection(numeration: NumerationSystem, kept: list[int], lost: list[int], constant: int) -> fp.Dfa:
    """E y . sum kept_i x_i + sum lost_j y_j = constant, from the automaton of the whole equation."""
    names = [*map(str, range(len(kept))), *(f"y{index}" for index in range(len(lost)))]
    equation = numeration.linear((*kept, *lost), "=", constant).renamed(names)
    return operations.exists(equation, names[len(kept) :])


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 6))])
def test_solvable_is_the_projection_of_the_equation(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of odd seeds the gaps are never taken away one by one."""
    monkeypatch.setattr(module, "SMALL", 0)
    if seed % 2:
        monkeypatch.setattr(module, "MOST_GAPS", -1)
    numeration, rng = SYSTEMS[name], random.Random(f"{name} {seed}")
    most = 4 if numeration.recurrence.order > 2 else 7
    for _ in range(4):
        kept = [some_integer(rng, most) for _ in range(rng.choice([1, 1, 2]))]
        sign = rng.choice([-1, 1, 1])
        lost = [
            rng.choice([1, sign]) * rng.choice([1, 2]) * rng.randint(1, most // 2)
            for _ in range(rng.randint(1, 2))
        ]
        constant = rng.choice([0, 1, -1, rng.randint(-30, 30)])
        found = numeration.solvable(kept, lost, constant)
        if found is None:
            assert len(kept) > 1 and min(map(abs, lost)) > 1
        else:
            assert found == by_projection(numeration, kept, lost, constant), (kept, lost, constant)


@pytest.mark.parametrize("most", [1000, -1], ids=["one by one", "at once"])
@pytest.mark.parametrize("name", few(SYSTEMS, 4))
def test_coins(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SMALL", 0)
    monkeypatch.setattr(module, "MOST_GAPS", most)
    numeration = SYSTEMS[name]
    for kept, lost, constant in [(-1, (3, 5), 0), (2, (-4, -6, -10), 7), (-2, (-6, -9), 100), (3, (4, 7), 60)]:
        found = numeration.solvable((kept,), lost, constant)
        assert found is not None and found == kernel_calls.minimize(found)
        sums = {sum(c * n for c, n in zip(lost, y, strict=True)) for y in product(range(60), repeat=len(lost))}
        for x in range(60):
            assert accepts(found, numeration, (x,)) == (constant - kept * x in sums), (kept, lost, constant, x)


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("seed", range(3))
def test_congruences(name: str, seed: int) -> None:
    numeration, rng = SYSTEMS[name], random.Random(f"{name} {seed}")
    for _ in range(6):
        tracks, modulus, residue = rng.randint(1, 2), rng.randint(1, 6), rng.randint(-10, 10)
        coefficients = [some_integer(rng, 9) for _ in range(tracks)]
        found = congruence(numeration, coefficients, modulus, residue, UNLIMITED)
        assert found == kernel_calls.minimize(found), (coefficients, modulus)
        for numbers in product(range(12), repeat=tracks):
            total = sum(c * n for c, n in zip(coefficients, numbers, strict=True))
            assert accepts(found, numeration, numbers) == ((total - residue) % modulus == 0)


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_said_to_be_minimal_is(name: str) -> None:
    numeration = SYSTEMS[name]
    valid = numeration.valid
    for modulus in range(2, 14 if numeration.recurrence.order < 3 else 6):
        constants = numeration.recurrence.constants
        raw = kernel_calls.join_congruence(valid, (1,), modulus, modulus - 1, constants, valid.names)
        small = kernel_calls.minimize(raw)
        assert small == raw or not is_minimal(numeration, modulus)
        assert raw.states <= valid.states * modulus**numeration.recurrence.order


def test_sizes_in_fibonacci_and_tribonacci() -> None:
    """The multiples of m have 2m^2 and 3m^3 states (Charlier, Rampersad, Rigo and Waxweiler)."""
    trib = SYSTEMS["tribonacci"]
    for m in (2, 3, 10, 17):
        assert is_minimal(FIB, m) and congruence(FIB, [1], m, 0, UNLIMITED).states == 2 * m**2
        assert is_minimal(trib, m) and congruence(trib, [1], m, 0, UNLIMITED).states == 3 * m**3


def test_small_equations_are_left_to_the_usual_way() -> None:
    assert FIB.solvable((1,), (-3,), 0) is None
    assert system_named("msd_fib").solvable((1,), (-1000,), 5) is not None


@pytest.mark.long
def test_sums_of_coins() -> None:
    assert least_sums([1]) == least_sums([5, 1]) == [0]
    assert least_sums([3, 5]) == [0, 10, 5]
    assert least_sums([6, 9, 20]) == [0, 49, 20, 9, 40, 29]  # 43 is the greatest number that is no sum
    rng = random.Random(5)
    for _ in range(20):
        generators = [rng.randint(2, 12), rng.randint(2, 12), 13]
        sums = {a * generators[0] + b * generators[1] + c * 13 for a, b, c in product(range(80), repeat=3)}
        found = least_sums(generators)
        assert {n for n in range(150) if n >= found[n % len(found)]} == {n for n in range(150) if n in sums}


def test_a_few_gaps_may_be_large_or_have_a_large_coefficient() -> None:
    """They are taken away one by one."""
    session = fp.Session("msd_fib", limits=fp.Limits(cpu_seconds=20))
    large = session.relation("Ey,z,w x+21*y+34*z+55*w=1000000000")
    assert [d for d in range(60) if 10**9 - d not in large] == [*{*range(60)} - {0, 21, 34, 42, 55}]
    multiples = session.relation("Ey,z 200000*x=2*y+3*z")
    assert multiples.values(4) == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(40))
def test_marks_of_gaps(seed: int) -> None:
    rng = random.Random(f"marks {seed}")
    coins = [rng.randint(2, 9), rng.randint(2, 9), 11]
    kept, divisor, constant = rng.choice([-1, 1, -2, 3, -6, 4]), rng.randint(1, 4), rng.randint(-50, 90)
    least = least_sums(coins)
    marks = gaps_marked(least, kept, divisor, constant)
    assert marks is not None
    gaps = {divisor * n for n in range(max(least)) if n < least[n % len(least)]}
    assert {x for x, mark in enumerate(marks) if mark} == {x for x in range(500) if constant - kept * x in gaps}


def test_gaps_that_are_too_large() -> None:
    assert gaps_marked(least_sums([99991, 99989]), -1, 1, 0) is None
    assert system_named("msd_2").solvable((-1,), (99991, 99989), 0) is None
    assert system_named("msd_2").solvable((-1000,), (997, 1009), 0) is None


@pytest.mark.parametrize("name", ["msd_2", "msd_fib", "msd_pell", "msd_trib"])
def test_marked_numbers(name: str) -> None:
    system, rng = system_named(name), random.Random(name)
    assert isinstance(system, RecurrenceSystem)
    for size in (1, 2, 30, 1000):
        marks = bytearray([*(rng.randrange(2) for _ in range(size - 1)), 1])
        found = numbers_marked(system, marks, UNLIMITED)
        assert found == kernel_calls.minimize(found)
        assert [n for n in range(2 * size) if accepts(found, system, (n,))] == [n for n in range(size) if marks[n]]


def test_large_coins_are_quick() -> None:
    """The automaton of the equation has 64 letters and 35,000 states."""
    coins = fp.Session("msd_2", limits=fp.Limits(cpu_seconds=30)).relation(
        "Ea,b,c,d,e n=5021*a+6007*b+7001*c+8009*d+9001*e"
    )
    assert [n for n in (0, 5021, 5022, 300051, 300052, 10**20) if n in coins] == [0, 5021, 300052, 10**20]


def test_determinants() -> None:
    assert determinant([[7]]) == 7
    assert determinant([[0, 2], [3, 4]]) == -6
    assert determinant([[1, 2, 4], [2, 4, 7], [4, 7, 13]]) == -1
    assert determinant([[0, 0], [0, 5]]) == 0


LARGE = [
    "Ey x=40*y+7", "Ey x+300=40*y", "Ey x+40*y=300", "Ey 3*x+40*y=301", "Ey,z x+40*y=60*z+20", "Ea,b x=6*a+15*b+3",
    "Ez x+2*y=30*z+1", "Ez 2*x=y+20*z", "Ez x<50 & 2*y+20=x+24*z", "~Ey x=40*y+7", "x<200 & ~(Ea,b x=14*a+35*b)",
    "Ay y>20 => Ea,b y=4*a+9*b", "Ey x>3 & (Ez x=30*z+y & y<3)", "Ex,y x=40*y+7 & x>90",
]


@pytest.mark.parametrize("name", ["msd_fib", "lsd_fib", "msd_2"])
@pytest.mark.parametrize("text", LARGE)
def test_formulas_have_the_relation_of_the_textbook_plan(
    text: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SMALL", 0)
    first, second = (fp.Session(name).eval(text, plan=plan) for plan in ("optimized", "textbook"))
    if isinstance(first, fp.Verdict):
        assert isinstance(second, fp.Verdict) and first.truth is second.truth
    else:
        assert isinstance(second, fp.Relation) and first == second


def test_the_equation_is_not_built() -> None:
    session = fp.Session("msd_fib", limits=fp.Limits(states=2 * 255**2))
    found, coins = session.eval("Ey x=255*y+17"), session.eval("Ex Ay y>x => Ea,b,c y=60*a+90*b+7*c")
    assert isinstance(found, fp.Relation) and found.automaton.states == 2 * 255**2
    assert isinstance(coins, fp.Verdict) and coins.truth


def test_a_witness_of_a_projected_equation_is_found() -> None:
    verdict = fp.Session("msd_fib").eval("Ex x>1000 & Ey x=300*y+17")
    assert isinstance(verdict, fp.Verdict) and verdict.truth and verdict.evidence is not None
    x = verdict.evidence.values["x"]
    assert isinstance(x, int) and x > 1000 and x % 300 == 17


def test_what_the_kernel_refuses() -> None:
    valid, constants = FIB.valid, FIB.recurrence.constants
    for coefficients, names in [((1,), ("z",)), ((1, 1), ("x",)), ((), ())]:
        with pytest.raises(AutomatonError):
            kernel_calls.join_congruence(valid, coefficients, 3, 0, constants, names)
    with pytest.raises(AutomatonError):
        kernel_calls.join_congruence(valid, (1,), 3, 3, constants, ("x",))
    with pytest.raises(LimitError):
        kernel_calls.join_congruence(valid, (1,), 1 << 20, 0, constants, ("x",))


@pytest.mark.parametrize("budget", [Budget(states=100), Budget(transitions=100), Budget(deadline=0.0)])
def test_budgets(budget: Budget) -> None:
    with pytest.raises(BudgetSpent):
        congruence(FIB, [1], 40, 0, budget)


def test_only_naturals_with_one_recurrence() -> None:
    assert all(isinstance(numeration, RecurrenceSystem) for numeration in SYSTEMS.values())
    for name in ("msd_neg_2", "lsd_neg_fib", "msd_ost_0_3_per_1_2"):
        assert system_named(name).solvable((1,), (-1000,), 5) is None
