"""The rule `ranges`: which inequalities become one atom, what the atom holds, and that the relation is the same."""

from __future__ import annotations

import random

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.base.errors import BudgetSpent, LimitError
from fibprover.base.limits import Budget
from fibprover.numeration.registry import system_named
from fibprover.prover.plan import steps
from fibprover.prover.plan.rules import RANGES
from tests.plan.making import every, plan
from tests.seeds import chosen_seed

SYSTEMS = [
    "msd_2", "lsd_3", "msd_fib", "lsd_fib", "msd_trib", "msd_pell", "msd_neg_2", "msd_neg_fib", "msd_ost_0_3_per_1_2",
]


def ranges(text: str, *off: str) -> list[steps.Range]:
    """Return the ranges in the plan of a formula."""
    atoms = [step.atom for step in every(plan(text, *off).root) if isinstance(step, steps.Leaf)]
    return [atom for atom in atoms if isinstance(atom, steps.Range)]


@pytest.mark.parametrize(("formula", "count"), [
    ("x=y/10", 1), ("3<=x & x<=8", 1), ("x<y+3 & y<x", 1), ("Ez x<z & z<=y & z<x+9", 1), ("~(x>=3 & x<10)", 1),
    ("Ax (3<=x & x<9) => T[x]=@1", 1), ("Ex,y,z,w x+y<=z+w & z+w<x+y+7 & T[x]=@1 & T[y]=@1 & T[z]=T[w]", 1),
    ("x<=3 & y>=2", 0), ("x<=y & y<=2*x", 0), ("x<=3 | x>=2", 0), ("x<=y+z & x>=y", 0),
    ("a+b+c<=d+e & d+e<=a+b+c+5 & T[a]=@1", 0),
])
def test_what_is_one_atom(formula: str, count: int) -> None:
    assert len(ranges(formula)) == count and not ranges(formula, RANGES)


def test_the_ends_are_those_of_the_inequalities() -> None:
    (found,) = ranges("x=y/1000")
    form = dict(zip(found.variables, found.coefficients, strict=True))
    assert (form, found.least, found.most) in [({"x": 1000, "y": -1}, -999, 0), ({"x": -1000, "y": 1}, 0, 999)]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_range_is_what_both_inequalities_allow(name: str) -> None:
    system, draw = system_named(name), random.Random(name)
    for _ in range(30):
        coefficients = tuple(draw.choice([-6, -3, -2, -1, 1, 2, 3, 4]) for _ in range(draw.choice([1, 1, 2, 2, 3])))
        least = draw.randint(-12, 12)
        most = least + draw.randint(-2, 14)
        above, below = system.linear(coefficients, ">=", least), system.linear(coefficients, "<=", most)
        both = kernel_calls.minimize(kernel_calls.join(above, below))
        assert system.between(coefficients, least, most) == both, (coefficients, least, most)


@pytest.mark.parametrize(
    ("least", "most"), [(3, 2), (7, 7), (-(1 << 40), 1 << 40), (0, 1 << 32), (1 << 33, (1 << 33) + 5)]
)
def test_ends_of_any_size(least: int, most: int) -> None:
    system = system_named("msd_fib")
    found = system.between((1,), least, most)
    for number in {max(each, 0) for end in (least, most) for each in (end - 1, end, end + 1)}:
        word = kernel_calls.join(found, system.linear((1,), "=", number))
        assert kernel_calls.is_empty(word) != (least <= number <= most)
    assert system.between((), least, most).outputs.tolist() == [least <= 0 <= most]


def test_budgets_and_limits() -> None:
    system = system_named("msd_trib")
    with pytest.raises(BudgetSpent):
        system.between((1000, -1), 0, 999, Budget(states=1000))
    with pytest.raises(LimitError):
        system.between((1 << 40, -1), 0, 999)


@pytest.mark.random
@pytest.mark.parametrize("system", ["msd_2", "msd_fib", "lsd_3", "msd_neg_2"])
def test_drawn_formulas(system: str) -> None:
    draw = random.Random(f"{chosen_seed()} ranges {system}")
    with_one = 0
    for _ in range(25):
        terms = [f"{draw.choice(['', '2*', '3*'])}{name}" for name in draw.sample("xyz", draw.choice([1, 2]))]
        left, right = "+".join(terms), draw.choice(["y", "z+1", "2*x", "4"])
        parts = [f"{left}+{draw.randrange(4)}<={right}+{draw.randrange(9)}", f"{right}<={left}+{draw.randrange(9)}"]
        parts.append(draw.choice(["x<9", "~(Eu u+u=x)", "(x=3 | y>2)", "~(y<=z & z<=y+2)"]))
        text = " & ".join(draw.sample([*parts, "w<=x"], 4))
        quantified = draw.choice(["", *(f"{q}{name} " for q in ("E", "A", "~E") for name in "xyz" if name in text)])
        formula = f"?{system} {quantified}({text})"
        with_one += bool(ranges(formula))
        assert fp.Session().relation(formula) == fp.Session(without=["ranges"]).relation(formula), formula
    assert with_one > 10


def test_a_range_for_all_slopes() -> None:
    family = system_named("msd_sturmian")
    both = kernel_calls.join(family.linear((1, -1), ">=", 2), family.linear((1, -1), "<=", 5))
    assert family.between((1, -1), 2, 5) == kernel_calls.minimize(both)
    assert str(fp.Session("msd_sturmian").eval("Ax Ey x+2<=y & y<=x+5")) == "TRUE for every slope"
