"""The writer of certificates never contradicts a verdict: random theorems whose parts share terms."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fibprover.base.errors import FibproverError
from fibprover.prover.certificate import writing
from fibprover.prover.certificate.checking import certify
from fibprover.prover.certificate.normal import negation, normal
from fibprover.workspace.session import Session
from tests.certificate.theorems import SYSTEMS, Certified, Maker, Theorem, campaign, certified, session
from tests.seeds import chosen_seed


def defects(found: list[Certified]) -> list[str]:
    return [f"?{each.theorem.system} {each.theorem.formula}: {each.problem}" for each in found if each.problem]


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("part", range(3))
def test_theorems_have_certificates(part: int, tmp_path: Path) -> None:
    """Each has one that both checkers accept, or a reason that is true."""
    found = campaign([f"{chosen_seed()} {part} {number}" for number in range(5)], tmp_path)
    assert defects(found) == []
    assert sum(each.file is not None for each in found) >= 3


@pytest.mark.random
@pytest.mark.parametrize("system", sorted({*SYSTEMS}))
def test_each_system(system: str, tmp_path: Path) -> None:
    drawn = Maker(random.Random(f"{chosen_seed()} {system}"), system).theorem()
    found = certified(drawn, tmp_path / "theorem.jsonl.gz")
    assert defects([found]) == []


@pytest.mark.parametrize(("system", "text"), [
    ("msd_fib", "Am,n (m+1!=m+1 => (2*n=n <=> n!=2*n)) & ((2*n=n <=> n!=2*n) => F[m+1]=@0) => (m+1!=m+1 => F[m+1]=@0)"),
    ("msd_2", "Am,n ((T[m]=@0 | T[n]=@0) & (T[n]=@0 | T[m]=@0)) | m=n | T[m]=T[n]"),
    ("msd_2", "Am,n (m<n <=> ~(m<n)) => T[n+m]=@0"), ("msd_2", "Am,n (~(m!=n) <=> ~(n=m)) & (m=n <=> ~(n!=m))"),
    ("msd_2", "Em,n ((m=n & T[m]=@0) <=> (T[m]=@0 & n=m)) & m<n"),
    ("msd_2", "Em,n ~(~(m<n) <=> ~T[m]=@0) & (~T[m]=@0 <=> m>=n)"),
    # The guard with other names of its tracks is the same automaton.
    ("msd_fib", "Am ~~(((($q(2*m,2*m) => ~(m+1<=m+1)) => (F[m+1]!=@1 => F[m+1]=@1)) => ($q(2*m,2*m) => ~(m+1<=m+1))) "
     "=> ($q(2*m,2*m) => ~(m+1<=m+1)))"),
    # A comparison and the denial of the opposite one are one part.
    ("msd_2", "An ~((n<3 | ~(n>=3)) <=> n<=2)"), ("msd_2", "Em,n ~((m<=n | ~(n<m)) ^ ~(m>n & ~(m<=n)))"),
])
def test_what_the_checker_takes_for_one_part(system: str, text: str, tmp_path: Path) -> None:
    """Its normal form puts ~ before <=>, and knows no order of conjuncts; the writer has the same."""
    verdict = session(system).prove(text)
    assert certify(verdict.certificate, str(tmp_path / "x.jsonl.gz")).checked


def test_a_writer_that_is_wrong_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has proved then is not offered as a reason, or as a certificate of the negation, but is an error."""
    verdict = Session().prove("An T[n]=@0 => T[n]=@0")
    monkeypatch.setattr(writing, "normal", lambda formula: negation(normal(formula)))
    with pytest.raises(FibproverError, match="contradicts the verdict"):
        certify(verdict.certificate, str(tmp_path / "x.jsonl.gz"))
    assert not list(tmp_path.iterdir())
    found = certified(Theorem("msd_2", verdict.source.formula, True, "a => a"), tmp_path / "y.jsonl.gz")
    assert "contradicts the verdict" in found.problem
