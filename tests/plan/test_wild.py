"""Wild formulas: brute force, both plans and the evidence say the same."""

from __future__ import annotations

from itertools import product

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent
from fibprover.language.parser import parse_formula
from fibprover.language.tree import Formula, InSystem, Not, Quantified
from tests.formulas.campaign import MANY
from tests.oracle.brute import Judge
from tests.plan.wild import BOUND, Wild, session, world
from tests.seeds import chosen_seed

#: Largest value of a free variable that is tried.
LARGEST = 6


@pytest.fixture(scope="module")
def known() -> fp.Session:
    return session()


def compare(known: fp.Session, text: str) -> bool:
    """Return whether the formula was checked to the end; fails where an answer is wrong."""
    judge = Judge(parse_formula(text).formula, world())
    expected = judge.table(LARGEST)
    try:
        textbook, optimized = (known.eval(text, plan=plan) for plan in ("textbook", "optimized"))
    except BudgetSpent:
        return False
    for found in (textbook, optimized):
        if isinstance(found, fp.Verdict):
            assert bool(found) is expected[()], f"{found.plan}: {text}"
            continue
        assert found.names == judge.names, text
        wrong = [values for values, truth in expected.items() if (values in found) is not truth]
        assert not wrong, f"{text} at {judge.names} = {wrong[0]}: brute force says {expected[wrong[0]]}"
    assert isinstance(textbook, fp.Verdict) or textbook == optimized, text
    return True


def outermost(formula: Formula, truth: bool) -> tuple[list[str], Formula, bool]:
    """Leading variables that a witness or counterexample has values for, what they satisfy, whether negated."""
    names: list[str] = []
    negated = not truth
    while True:
        match formula:
            case InSystem():
                formula = formula.body
            case Not():
                formula, negated = formula.body, not negated
            case Quantified(kind=kind, relation="") if kind == ("A" if negated else "E"):
                names += [variable.name for variable in formula.variables]
                formula = formula.body
            case _:
                return names, formula, negated


def leading_negations(formula: Formula) -> int:
    return 1 + leading_negations(formula.body) if isinstance(formula, Not) else 0


def compare_evidence(known: fp.Session, text: str) -> bool:
    """Return whether evidence was compared with the least that brute force finds."""
    formula = parse_formula(text).formula
    truth = Judge(formula, world())(())
    names, body, negated = outermost(formula, truth)
    try:
        verdict = known.prove(text)
        assert bool(verdict) is truth, text
        found = verdict.evidence
    except BudgetSpent:
        return False
    if not names:
        assert found is None, text
        return False
    judge = Judge(body, world())
    for values in product(range(min(8, BOUND)), repeat=len(names)):
        known_values = dict(zip(names, values, strict=True))
        if judge(tuple(known_values[name] for name in judge.names)) is not negated:
            assert found is not None and found.values == known_values, (text, found)
            # Of `~E..` it is the E inside that has a witness.
            inside = truth is (leading_negations(formula) % 2 == 0)
            assert found.kind == ("witness" if inside else "counterexample"), text
            return True
    raise AssertionError(f"{text}: brute force has no evidence, {found} was given")


def run(known: fp.Session, formulas: int, evident: int) -> None:
    first = chosen_seed()
    checked = sum(compare(known, Wild(first + number).text()) for number in range(formulas))
    assert checked >= 0.9 * formulas, f"seed {first}"
    shown = sum(compare_evidence(known, Wild(first + number).evident()) for number in range(evident))
    assert shown >= 0.4 * evident, f"seed {first}"


@pytest.mark.long
@pytest.mark.random
def test_wild_formulas(known: fp.Session) -> None:
    run(known, 60, 20)


@MANY
def test_many_wild_formulas(known: fp.Session, times: int) -> None:
    run(known, 350 * times, 100 * times)


#: Formulas that were wrong once, or look as if they could be.
CHOSEN = [
    # One name in several scopes, side by side, inside one another, and free.
    "x<3 & (Ex x<=5 & x>3) & x>0",
    "(Ex x<=5 & x>3) <=> (Ax x<=5 => x<y)",
    "Ex (x<=5 & (Ex x<=2 & x=y) & x>y) & (Ax x<=4 => x+y>=x)",
    "(Ex x<=7 & x=y) ^ (Ex x<=7 & x=y+1) ^ (Ex x<=7 & x=y+2)",
    "~((Ex x<=7 & x=2*y) <=> ((Ex x<=7 & x=y+4) ^ (Ey y<=3 & y=x)))",
    "Ey (y<=4 & ((Ex x<=4 & x<y) | (Ex x<=4 & x>y & (Ay y<=3 => y<x+2))) & y!=x)",
    "~Ey (y<=6 & (x=y | (Ez z<=6 & z=y & x=z+1)) & (y=2 | (Ez z<=6 & z+y=x)) & (y=x | (Ez z<=3 & z!=y)))",
    # Branches with different free variables, or none.
    "(x=1) | (y=2)", "(x=1) | $yes()", "~((x=1) | $no()) & ~(y=2)", "Ez (z<=5 & (x=z | y=1 | $no()))",
    "Ez (z<=5 & (x=z | $yes()) & (y=1 | z=3))", "~Ez (z<=5 & (x=z | y=1) & (y=z | x>3))",
    # Variables that cancel.
    "x-x=0", "~x-x=0", "x-x=1", "Ey (y<=3 & y-y=x-x)", "0*x=0*y", "~0*x!=0", "Ay (y<=2 => y*0=x*0)",
    "x*0=1 | y=2", "(x-x=0 & y=1) | (x=2 & y*0=0)", "y*(x*0)=0",
    # Undefined terms, and their negations.
    "x-5=2", "~x-5=2", "x-5!=2", "~x-5!=2", "x-5+3=1", "x-(5-y)=y", "(x-3)-(y-2)=x-y", "x-y=y-x", "x-3<y-2",
    "~x-3<y-2", "(x-4)/2=0", "~(x-4)/2=0", "(x-y)/2=(y-x)/3", "2*(x-3)=y", "T[x-3]=T[y-2]", "~T[x-3]=T[y-2]",
    "T[x-3]=@0", "~T[(x-3)/2]!=@0", "$half(x-2,y-1)", "~$half(x-2,y-1)", "~$half(x-2,(y-1)/2)", "5-7=x", "~5-7=x",
    "T[x]=5-7", "~T[x]=5-7", "T[x]!=5-7", "x=3-(1+1)",
    # Words: equal sides, gaps, negative letters, several of them in one term.
    "T[x]=T[x]", "T[x]!=T[x]", "P[x]=P[x]", "~P[x]=P[x]", "P[x]!=P[x]", "~P[x]!=P[x]", "D[x][x]=D[x][x]",
    "D[x][x]!=@-1", "~D[x][x]=@-1", "D[x][y]<D[y][x]", "~D[x][y]<=D[y][x]", "D[x][y]>=@-1", "N[x]<T[y]", "N[x]=y",
    "N[x]<x", "~N[x]>=x", "P[x]-P[y]=1", "~P[x]-P[y]=1", "P[x]-P[y]<1", "P[x]*P[y]=x", "P[x]+P[x]=P[y]*y",
    "P[x]/2=T[y]",
    "T[T[x]+y]=T[P[y]]", "T[x>2]=@1", "~T[x>2]=@1", "T[x]*y=x", "T[x]*y-x=0", "x-T[x]=y",
    # Calls with the same variable several times, or none.
    "$sum(x,x,x)", "~$sum(x,x,y)", "$sum(x,x+y,y+x)", "$shift(x,x)", "$between(x,y,x)", "$power(x) => ~$shift(x,x+1)",
    "$sum(3,1,2) & x=1", "~$sum(3,1,1) & x=1", "$sum(x>2,x<5,y)", "$yes() => x=1", "$no() <=> x=1", "($yes()) ^ (x=1)",
    # Counted: the body occurs twice in the plan.
    "E=1 z (z<=x & z>=y)", "~E=1 z (z<=x & (Ez z<=3 & z=y))", "E<=2 z,y (z+y=x & z<=5 & y<=5)", "E=2 x (x<=5 & x!=y)",
    "(E=1 z z<=5 & z=x) <=> (E=1 z z<=5 & z+z=x)", "E=0 z (z<x & z<=5)", "E>=2 z (z<=5 & x*0=0)", "E=3 z (z<=2 & u=u)",
    "E>=1 z (z<=5 & z=x+2)", "E=1 z (E=1 y (z<=4 & y<=4 & z+y=x))", "E<=0 z (z<=5 & z=x)", "E>=0 z (z<=5 & z=x)",
    # What is a variable of its own within the body is one in each of its copies.
    "Ey,u y<=4 & u<=4 & (E=1 v v<=5 & (u/1!=1 <=> 3*u>=3*v-(0-v)+1) & G[1*u]-y=y)",
    "Eu u<=4 & (E=1 v v<=5 & u/1!=v & G[1*u]=G[1*v])", "Eu u<=4 & (E=2 v v<=5 & (u+v)/2!=1 & G[1*u]=@0)",
    # Two systems.
    "u=2 | x=3", "~(u=2 & x=3) & u<4", "Eu (u<=5 & F[u]=T[x])", "Au (u<=4 => Ex (x<=4 & G[u]=R[x]))",
]


@pytest.mark.parametrize("text", CHOSEN)
def test_chosen_formulas(known: fp.Session, text: str) -> None:
    assert compare(known, text)
