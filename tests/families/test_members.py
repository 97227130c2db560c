"""Members of the family: relations at one slope are those of the Ostrowski system of the slope."""

from __future__ import annotations

from itertools import product

import pytest

from fibprover import Relation, Session
from fibprover.automata import kernel_calls
from fibprover.base.errors import TypeMismatch
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from tests.families.oracle import characteristic
from tests.few import few

#: Slopes, and the names of their Ostrowski systems.
SLOPES = [
    ("[0; 2, (1)]", "msd_ost_0_2_per_1"),
    ("[0; (1)]", "msd_ost_0_per_1"),
    ("[0; (2)]", "msd_ost_0_per_2"),
    ("[0; (1, 3)]", "msd_ost_0_per_1_3"),
    ("[0; 3, (1, 2)]", "msd_ost_0_3_per_1_2"),
    ("[0; 1, (4)]", "msd_ost_0_1_per_4"),
    ("[0; 1, 1, (2, 5)]", "msd_ost_0_1_1_per_2_5"),
    ("[0; 7, 1, (1, 1, 6)]", "msd_ost_0_7_1_per_1_1_6"),
    ("(3-sqrt(5))/2", "msd_ost_0_2_per_1"),
    ("sqrt(2)/2", "msd_ost_0_1_per_2"),
]

FORMULAS = ["x+y=z", "x<y", "2*x=y+3", "Ey x=2*y", "x=7", "x/2=y", "3*x-2*y<=1", "Ey y<x & 2*x=3*y+z", "~(Ey x=3*y)"]


@pytest.mark.parametrize("formula", few(FORMULAS, 3))
@pytest.mark.parametrize(("slope", "system"), SLOPES)
def test_arithmetic_is_that_of_the_ostrowski_system(slope: str, system: str, formula: str) -> None:
    family = Session("msd_sturmian").eval(formula)
    assert isinstance(family, FamilyRelation)
    member, own = family.at(slope), Session(system).relation(formula)
    assert member.automaton == own.automaton


@pytest.mark.parametrize(("slope", "system"), SLOPES[:2])
def test_the_fibonacci_word(slope: str, system: str) -> None:
    session = Session("msd_sturmian")
    session.define("feq", "Ak k<n => C[i+k]=C[j+k]")
    fibonacci = Session("msd_fib")
    letter, other = ("1", "1") if system.endswith("2_per_1") else ("1", "0")
    for over_all, of_one in (
        (f"C[i]={letter}", f"F[i]={other}"),
        ("$feq(i,j,n)", "$feq_F(i,j,n)"),
        ("Ej j<i & $feq(i,j,n)", "Ej j<i & $feq_F(i,j,n)"),
    ):
        family = session.eval(over_all)
        assert isinstance(family, FamilyRelation)
        member, own = family.at(slope), fibonacci.relation(of_one)
        assert member.first(40) == own.first(40)
        if system.endswith("2_per_1"):  # digits and valid words are those of msd_fib
            assert kernel_calls.minimize(member.automaton).same_arrays(own.automaton)


def test_the_relation_is_one_of_the_ostrowski_system() -> None:
    family = Session("msd_sturmian").eval("C[n]=1")
    assert isinstance(family, FamilyRelation)
    member = family.at("[0; 2, (1)]")
    session = Session("msd_ost_0_2_per_1")
    session.define("one", member)
    assert session.prove("An $one(n) => ~$one(n+1)")
    assert str(member.sorts[0]) == "msd_ost_0_2_per_1"


#: Systems of one slope, with its partial quotients: what comes first, and what repeats.
SYSTEMS = {
    "msd_ost_0_2_per_1": ([2], [1]), "msd_ost_0_1_per_1": ([1], [1]), "msd_ost_0_per_2": ([], [2]),
    "msd_ost_0_3_1_per_1_4": ([3, 1], [1, 4]), "msd_ost_0_1_2_per_3": ([1, 2], [3]), "lsd_ost_0_2_per_1": ([2], [1]),
}


@pytest.mark.parametrize("system", few(SYSTEMS, 3))
def test_formulas_over_one_slope_call_what_is_over_all(system: str) -> None:
    before, period = SYSTEMS[system]
    word = characteristic([*before, *period * 40], 300)
    session = Session("msd_sturmian")
    session.define("equal", "Ak k<n => C[i+k]=C[j+k]")
    session.define_word("X", ["n"], "1-C[n]")
    ones = session.eval(f"?{system} C[n]=1 & X[n]=0")
    assert isinstance(ones, Relation) and not isinstance(ones, FamilyRelation)
    assert ones.values(40) == [n for n, letter in enumerate(word) if letter][:40]
    equal = session.eval(f"?{system} $equal(i,j,n)")
    assert isinstance(equal, Relation)
    for i, j, n in product(range(12), range(12), range(9)):
        assert ((i, j, n) in equal) == (word[i : i + n] == word[j : j + n]), (i, j, n)
    assert equal == session.eval(f"?{system} Ak k<n => C[i+k]=C[j+k]")
    for formula in ("Ei,p p>0 & $equal(i,i+p,3*p)", "Ei,p p>0 & $feq_C(i,i+p,2*p)", "Ei,j C[i]=1 & C[i+1]=1 & i<j"):
        everywhere = session.eval(formula)
        assert isinstance(everywhere, SlopeVerdict)
        slope = f"[0; {', '.join(map(str, before))}{', ' if before else ''}({', '.join(map(str, period))})]"
        for plan in ("optimized", "textbook"):
            assert bool(session.eval(f"?{system} {formula}", plan=plan)) == (slope in everywhere.slopes), formula


def test_the_slope_of_the_session() -> None:
    session = Session("msd_ost_0_2_per_1")
    assert session.eval("Ai C[i]=0 | C[i+1]=0")
    assert isinstance(session.eval("?msd_sturmian Ai C[i]=0 | C[i+1]=0"), SlopeVerdict)
    verdict = session.prove("Ei,n n>0 & $feq_C(i,i+n,n)")
    assert verdict.certificate().lines and session.truths("Ei C[i]=1").truth
    for formula in ("?msd_fib C[i]=1", "?msd_ost_0_3_per_1 C[i]=C[j] & (?msd_ost_0_2_per_1 C[i]=1)"):
        with pytest.raises(TypeMismatch):
            session.eval(formula)
