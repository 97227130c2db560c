"""Families read least significant digit first: the same numbers and slopes, in automata that read the other end first.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import FibproverError
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict

#: Closed formulas over both families, and with a predicate that is defined below.
CLOSED = {
    "sturmian": [
        "Ei C[i]=1 & C[i+1]=1", "Ei,p p>0 & $equal(i,i+p,3*p)", "Ai,n Ej j>i & $equal(i,j,n)", "Ex,y x+y=7 & x=6*y",
        "An E=1 i $pal_C(i,2*n) & $first_C(i,2*n)", "Ej,n n>0 & $feq_C(j,j+n,2*n)", "$small() & C[4]=0",
    ],
    "2_choices_2": [
        "En n>0 & $feq_PAPER(0,n,n)", "PAPER[0]=PAPER[2*3+1]", "Ai Ej j>i & PAPER[i]!=PAPER[j]", "$small()",
    ],
}
RELATIONS = {
    "sturmian": ["C[n]=1", "C[n]=C[m] & n<m", "x+y=z", "$equal(i,j,n)", "`(C[n]=1)"],
    "2_choices_2": ["PAPER[n]=1", "$equal(i,j,n)", "x+1=y & PAPER[x]=PAPER[y]"],
}


def session(order: str, family: str) -> fp.Session:
    made = fp.Session(f"{order}_{family}")
    word = "C" if family == "sturmian" else "PAPER"
    made.define("equal", f"Ak k<n => {word}[i+k]={word}[j+k]")
    made.slope("small", "[1-2]*" if family == "sturmian" else "?msd_2_choices_2 1 1 [1-2]*")
    return made


@pytest.mark.long
@pytest.mark.parametrize("family", CLOSED)
def test_the_same_slopes(family: str) -> None:
    one, other = session("msd", family), session("lsd", family)
    for formula in CLOSED[family]:
        first, second = one.eval(formula), other.eval(formula)
        assert isinstance(first, SlopeVerdict) and isinstance(second, SlopeVerdict)
        assert first.slopes == second.slopes and bool(first) == bool(second), formula


@pytest.mark.parametrize("family", RELATIONS)
def test_the_same_numbers_and_reversed_words(family: str) -> None:
    one, other = session("msd", family), session("lsd", family)
    at = "[0; 2, (1)]" if family == "sturmian" else "1 (2)"
    for formula in RELATIONS[family]:
        first, second = one.eval(formula), other.eval(formula)
        assert isinstance(first, FamilyRelation) and isinstance(second, FamilyRelation)
        a, shown = first.automaton, to_reading_order(second.automaton)
        assert second.at(at) == first.at(at), formula
        if "`" in formula:
            continue  # in an msd session its numbers are read the other way
        letters = range(a.letters)
        for word in (each for length in range(4) for each in product(letters, repeat=length)):
            accepted = bool(a.output(word))
            assert accepted == bool(shown.output(tuple(reversed(word)))), (formula, word)


def test_folders(tmp_path: Path) -> None:
    first = fp.Session("lsd_sturmian")
    first.namespace.use_folders(tmp_path)
    first.define("equal", "Ak k<n => C[i+k]=C[j+k]")
    first.define_word("X", ["n"], "1-C[n]")
    second = fp.Session("lsd_sturmian")
    second.namespace.use_folders(tmp_path)
    for formula in ("Ei,n n>0 & $equal(i,i+n,3*n)", "An X[n]!=C[n]", "Ei X[i]=0 & X[i+1]=0"):
        one, other = first.eval(formula), second.eval(formula)
        assert isinstance(one, SlopeVerdict) and isinstance(other, SlopeVerdict)
        assert one.slopes == other.slopes, formula
    library = tmp_path / "Automata Library"
    text = (library / "equal.txt").read_text()
    assert text.startswith("lsd_sturmian lsd_sturmian lsd_sturmian lsd_slope")
    for header in ("lsd_sturmian msd_slope", "msd_sturmian lsd_slope"):
        (library / "mixed.txt").write_text(f"{header}\n0 1\n0 0 -> 0\n")
        with pytest.raises(FibproverError):
            second.eval("$mixed(n)")


@pytest.mark.parametrize("call", [
    "?msd_sturmian Ei C[i]=1 & Ej ?lsd_sturmian j>i", "?msd_sturmian `(C[i]=1) & i<j",
    "?lsd_sturmian C[0]=0 & Ex ?lsd_fib x=3",
])
def test_one_formula_has_one_order(call: str) -> None:
    with pytest.raises(FibproverError):
        fp.Session().eval(call)


@pytest.mark.parametrize("system", ["lsd_sturmian", "lsd_slope", "lsd_choice_2", "lsd_2_choices_2"])
def test_commands_that_do_not_take_families(system: str) -> None:
    with pytest.raises(FibproverError):
        fp.Session().reg("u", system, "(0|1)*1")
