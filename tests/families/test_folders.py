"""Predicates and words over families in the folders of a session: what is written is read again, and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata.prefixes import has_limit
from fibprover.base.errors import FormatError
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict


def session(folder: Path) -> fp.Session:
    made = fp.Session("msd_sturmian")
    made.namespace.use_folders(folder)
    return made


@pytest.mark.long
def test_another_session_reads_what_one_has_written(tmp_path: Path) -> None:
    first = session(tmp_path)
    first.define("feq", "Ak k<n => C[i+k]=C[j+k]")
    first.define_word("X", ["n"], "1-C[n]")
    first.slope("small", "[1-2]*")
    first.family("W", "0->01,1->10 | 0->01,1->00")
    first.slope("doubling", "?msd_2_choices_2 2*")
    second = session(tmp_path)
    for said in (
        "Ei,n n>0 & $feq(i,i+n,3*n)", "An X[n]!=C[n]", "$small() => ~(Ei,n n>0 & $feq(i,i+n,4*n))",
        "?msd_2_choices_2 Ei W[i]=1 & W[i+1]=1", "?msd_2_choices_2 $doubling()", "Ei,n n>0 & $feq_X(i,i+n,3*n)",
    ):
        one, other = first.eval(said), second.eval(said)
        assert isinstance(one, SlopeVerdict) and isinstance(other, SlopeVerdict)
        assert one.slopes == other.slopes, said
    relation = second.namespace.relation_of(second.namespace.stored_predicate("feq"))
    assert isinstance(relation, FamilyRelation)
    assert (0, 3, 2) in relation.at("[0; 2, (1)]")


#: Beginnings with an even number of partial quotients; those whose last partial quotient is 1, where n is 0; and a
#: track of the parameter that is not the last one.
WITHOUT_LIMIT = [
    "msd_slope\n0 1\n0 -> 0\n2 -> 1\n1 0\n0 -> 1\n1 -> 1\n2 -> 0\n",
    "msd_sturmian msd_slope\n0 0\n0 0 -> 0\n0 2 -> 1\n1 1\n0 2 -> 3\n0 0 -> 2\n0 1 -> 2\n2 0\n3 1\n0 0 -> 3\n"
    "0 1 -> 3\n0 2 -> 3\n",
    "msd_slope msd_sturmian\n0 1\n2 0 -> 0\n",
    "msd_sturmian\n0 1\n0 -> 0\n1 -> 0\n",
]


@pytest.mark.parametrize("text", WITHOUT_LIMIT)
@pytest.mark.parametrize("library", ["Automata Library", "Word Automata Library"])
def test_files_without_a_limit_are_refused(tmp_path: Path, library: str, text: str) -> None:
    session(tmp_path)
    (tmp_path / library / "a.txt").write_text(text)
    calls = {"Automata Library": ("$a()", "$a(n)"), "Word Automata Library": ("Ea[n]=1", "An a[n]=1")}[library]
    with pytest.raises(fp.FibproverError) as caught:
        session(tmp_path).eval(calls["sturmian" in text])
    if library == "Automata Library":
        assert isinstance(caught.value, FormatError)


@pytest.mark.long
@pytest.mark.parametrize("said", [
    "x+y=z", "x<y", "C[n]=1", "~(Ei,p p>0 & Ak k<3*p => C[i+k]=C[i+k+p])", "n<5 | C[0]=1", "Ei i>n & C[i]=1",
])
def test_relations_of_formulas_have_a_limit(said: str) -> None:
    found = fp.Session("msd_sturmian").eval(said)
    assert isinstance(found, SlopeVerdict | FamilyRelation)
    assert has_limit(found.slopes.automaton if isinstance(found, SlopeVerdict) else found.automaton)
