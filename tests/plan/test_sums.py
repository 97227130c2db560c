"""The rule `split-sums`: which sums are taken term by term, and that the relation is the same."""

from __future__ import annotations

import random

import pytest

import fibprover as fp
from fibprover.prover.logic import Linear
from fibprover.prover.plan import steps
from fibprover.prover.plan.rules import SPLIT_SUMS
from tests.plan.making import every, plan
from tests.seeds import chosen_seed


def longest(text: str, *off: str) -> int:
    """The most variables of an equation in the plan of a formula."""
    atoms = [step.atom for step in every(plan(text, *off).root) if isinstance(step, steps.Leaf)]
    return max(len(atom.variables) for atom in atoms if isinstance(atom, Linear) and atom.relation == "=")


@pytest.mark.parametrize(("formula", "left"), [
    ("Ei,j,k,l n=i+j+k+l & T[i]=@1 & T[j]=@1 & T[k]=@1 & T[l]=@1", 3),
    ("Ei,j,k,l,m n=i+j+k+l+m & T[i]=@1 & T[j]=@1 & T[k]=@1 & T[l]=@1 & T[m]=@0", 3),
    ("Ei,j,k,l n+7=2*i+3*j+k+5*l & T[i]=@1 & T[j]=@1 & T[k]=@1 & (Em m<l & T[m+l]=@0)", 3),
    ("Ei,j,k,l n+i+j=k+l & T[i]=@1 & T[j]=@1 & T[k]=@1 & T[l]=@1", 3),
    ("Ei,j,k,l n=i+j+k+l & T[i]=T[j] & T[k]=@1 & T[l]=@0", 3),
    ("Ei,j,k,l n=i+j+k+l & ~(Em m+m=i) & T[j]=@1 & ~(Em m+m=k+l)", 3),
    ("~(Ei,j,k,l n=i+j+k+l & T[i]=@1 & T[j]=@1 & T[k]=@1 & T[l]=@1)", 3),
    # Terms that something else connects, with one another or with n; free ones; ones of which nothing is said.
    ("Ei,j,k,l n=i+j+k+l & T[i]=T[j] & T[j]=T[k] & T[k]=T[l]", 5),
    ("Ei,j,k,l n=i+j+k+l & T[i]=T[n] & T[j]=T[n] & T[k]=T[n] & T[l]=@1", 5),
    ("n=i+j+k+l & T[i]=@1 & T[j]=@1 & T[k]=@1 & T[l]=@1", 5), ("Ei,j,k,l n=9*i+20*j+21*k+35*l", 5),
    # One term on each side.
    ("Ei,j n+i+m+k=j & T[i]=@1 & T[j]=@1", 5),
    # Few variables.
    ("Ei,j,k n=i+j+k & T[i]=@1 & T[j]=@1 & T[k]=@1", 4),
])
def test_what_is_split(formula: str, left: int) -> None:
    assert longest(formula) == left and longest(formula, SPLIT_SUMS) >= 4


PARTS = [
    "T[{x}]=@1", "RS[{x}]=@0", "{x}>3", "(Eu u+u={x})", "~(Eu 3*u={x})", "T[{x}]=RS[{x}]", "T[{x}]=T[{y}]", "{x}<{y}+2",
    "~(Eu {x}=u+u & T[u]=@1)", "({x}=2 | {x}=7 | T[{x}]=@0)",
]


@pytest.mark.random
@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "msd_3", "msd_neg_2"])
def test_drawn_sums(system: str) -> None:
    draw = random.Random(f"{chosen_seed()} sums {system}")
    count = 0
    for _ in range(20):
        names = draw.sample("abcdef", draw.choice([4, 4, 5]))
        left = [f"{draw.choice(['', '', '2*'])}{name}" for name in names if draw.random() < 0.8]
        right = [name for name in names if name not in {each[-1] for each in left}]
        total = f"{'+'.join(['n', *right])}={'+'.join(left or ['3'])}+{draw.randrange(3)}"
        said = [part.format(x=name, y=draw.choice(names)) for name in names for part in draw.choices(PARTS, k=1)]
        words = system.endswith("_2") and "neg" not in system
        said = [part for part in said if words or "[" not in part]
        used = [name for name in names if any(name in part.replace("Eu", "") for part in [total, *said])]
        formula = f"?{system} E{','.join(used)} {' & '.join(draw.sample([total, *said], len(said) + 1))}"
        budget = fp.Limits(cpu_seconds=5)
        try:
            expected = fp.Session(without=["split-sums"], limits=budget).relation(formula)
        except fp.BudgetSpent:
            continue
        assert fp.Session().relation(formula) == expected, formula
        count += 1
    assert count > 10


def test_a_sum_of_six_letters() -> None:
    """Without the rule this spends any budget."""
    letters = " & ".join(f"TR[{name}]=@1" for name in "abcdef")
    session = fp.Session("msd_trib", limits=fp.Limits(cpu_seconds=20))
    found = session.relation(f"Ea,b,c,d,e,f n=a+b+c+d+e+f & {letters}")
    places = [place for place in range(60) if session.namespace.library_words["TR"][place] == 1]
    sums = {0}
    for _ in range(6):
        sums = {one + other for one in sums for other in places if one + other < 60}
    assert [n for n in found.values(60) if n < 60] == sorted(sums)
