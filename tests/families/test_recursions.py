"""`solve` over a family proves that what a name means is the only relation that satisfies a recursion."""

from __future__ import annotations

from pathlib import Path

import pytest

from fibprover import Session
from fibprover.base.errors import NotSupported, TypeMismatch, Unsolved
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from fibprover.workspace.certificates import CertificateFolder

EQUALITY = "n=0 | Em n=m+1 & C[i]=C[j] & $feq(i+1,j+1,m)"


@pytest.fixture
def session() -> Session:
    made = Session("msd_sturmian")
    made.define("feq", "Ak k<n => C[i+k]=C[j+k]")
    made.define("even", "Em n=2*m")
    return made


@pytest.mark.parametrize(("name", "recursion"), [
    ("feq", EQUALITY), ("even", "n=0 | Em n=m+1 & ~$even(m)"), ("even", "n=0 | Em n=m+2 & $even(m)"),
])
def test_what_is_defined_is_proved(session: Session, name: str, recursion: str) -> None:
    before = session.namespace.definitions[name].automaton
    solution = session.solve(name, recursion, by="n")
    assert isinstance(solution.relation, FamilyRelation)
    assert solution.relation.automaton == before
    for statement in solution.theorem.statements:
        verdict = session.eval(statement)
        assert isinstance(verdict, SlopeVerdict)
        assert verdict


@pytest.mark.parametrize(("name", "recursion"), [
    ("feq", EQUALITY.replace("j+1", "j")), ("even", "Em n=m+1 & ~$even(m)"), ("even", "$even(n)"),
    ("even", "n=0 | (C[0]=1 & Em n=m+2 & $even(m)) | (C[0]=0 & Em n=m+1 & $even(m))"), ("u", "n=0 | $u(n-1)"),
])
def test_what_is_not_the_solution_is_refused(session: Session, name: str, recursion: str) -> None:
    """The fourth one is even for the slopes above 1/2 alone."""
    with pytest.raises(Unsolved) as caught:
        session.solve(name, recursion, by="n")
    assert caught.value.hint
    assert "u" not in session.namespace.definitions


def test_a_recursion_over_words_by_choices() -> None:
    session = Session("msd_2_choices_2")
    session.family("W", "0->01,1->10 | 0->01,1->00")
    session.define("weq", "Ak k<n => W[i+k]=W[j+k]")
    solution = session.solve("weq", "n=0 | Em n=m+1 & W[i]=W[j] & $weq(i+1,j+1,m)", by="n")
    assert isinstance(solution.relation, FamilyRelation)


def test_recursions_over_one_system_have_nothing_of_a_family(session: Session) -> None:
    session.slope("small", "[1-2]*")
    with pytest.raises(NotSupported):
        session.solve("q", "?msd_2 n=0 | ($small() & $q(n-1))")
    with pytest.raises(TypeMismatch):
        session.solve("q", "?msd_2 n=0 | (C[0]=1 & $q(n-1))")


def test_no_certificate_is_promised(session: Session, tmp_path: Path) -> None:
    session.certify = CertificateFolder(tmp_path)
    solution = session.solve("feq", EQUALITY, by="n")
    assert solution.theorem.certificate is not None and not solution.theorem.certificate.checked
    assert solution.theorem.certificate.reason
