"""What is not covered over all slopes is an error that says so, and never a verdict."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

import fibprover as fp
from fibprover import Session
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, NotSupported, TextError, TypeMismatch
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.slopes import NEED_A_SLOPE, FamilyRelation


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session("msd_sturmian")
    made.define("feq", "Ak k<n => C[i+k]=C[j+k]")
    made.define("one", "C[n]=1")
    return made


def over_family(session: Session, formula: str) -> FamilyRelation:
    relation = session.eval(formula)
    assert isinstance(relation, FamilyRelation)
    return relation


#: Formulas that leave what beginnings of slopes settle, and the part that does.
LEAVING = [
    ("Ai Ej,p j>i & p>0 & $feq(j,j+p,3*p)", "Ai Ej,p j>i & p>0 & $feq(j,j+p,3*p)"),
    ("An Em m>n & $feq(0,m,2*m)", "An Em m>n & $feq(0,m,2*m)"),
    ("C[0]=1 & (Ii (Ej,p j>i & p>0 & $feq(j,j+p,3*p)))", "Ii (Ej,p j>i & p>0 & $feq(j,j+p,3*p))"),
]


@pytest.mark.parametrize(("formula", "part"), LEAVING, ids=[formula for formula, _ in LEAVING])
def test_quantifiers_that_look_at_all_of_the_slope(session: Session, formula: str, part: str) -> None:
    for plan in ("optimized", "textbook"):
        with pytest.raises(NotSupported) as caught:
            session.eval(formula, plan=plan)
        assert caught.value.text[caught.value.start : caught.value.end] == part
        assert caught.value.hint


#: Formulas with numbers of other systems, or with two slopes, and the part that is wrong.
MIXED = [
    ("An (?msd_2 n=1) | C[0]=1", "n"),
    ("(?msd_fib Ex x=3) & C[0]=1", "x"),
    ("C[i]=F[i]", "i"),
    ("C[0]=1 & (?msd_ost_0_2_per_1 Ex x=3)", "x"),
]


@pytest.mark.parametrize(("formula", "part"), MIXED, ids=[formula for formula, _ in MIXED])
def test_two_slopes_and_other_systems(session: Session, formula: str, part: str) -> None:
    with pytest.raises(TypeMismatch) as caught:
        session.eval(formula)
    assert caught.value.text[caught.value.start : caught.value.end] == part
    assert "one slope" in caught.value.hint or "one parameter" in caught.value.hint


#: What needs numbers, and therefore a slope, or is not done for families.
REFUSED: list[Callable[[Session], object]] = [
    lambda s: s.counts("n", "m<n & $one(m)"),
    lambda s: s.solve("g", "n=0 | Em n=m+1 & $g(m)"),
    lambda s: s.solve("g", "?msd_2 n=0 | (Em n=m+1 & $g(m) & ?msd_sturmian C[0]=1)"),
    lambda s: s.first("one"),
    lambda s: s.first_rej("one"),
    lambda s: s.count("one", 10),
    lambda s: s.inf("one"),
    lambda s: s.nondeterministic("Em C[n+m]=1"),
    lambda s: s.test("one", 3),
    lambda s: s.regex("one"),
    lambda s: s.union("u", "one", "one"),
    lambda s: s.star("u", "one"),
    lambda s: s.reverse("u", "$one"),
    lambda s: s.minimize("u", "C"),
    lambda s: s.convert("u", "msd_2", "C"),
    lambda s: s.combine("u", "one"),
    lambda s: s.define_word("u", ["n"], "C[2*n]+1"),
    lambda s: s.define_word("u", ["n"], "C[n-1]"),
    lambda s: s.reg("u", "msd_sturmian", "(0|1)*1"),
    lambda s: s.reg("u", "msd_slope", "(0|1)*1"),
    lambda s: s.solve("one", "n=0", data=lambda n: n == 0),
    lambda s: fp.board(s.eval("C[n]=C[m]")),
    lambda s: s.prove("An Em m>n").vacuity(),
    lambda s: fp.word("C")[3],
    lambda s: fp.word("C")[:3],
    lambda s: next(iter(fp.word("C"))),
    lambda s: fp.system_named("msd_sturmian").represent(3),
    lambda s: fp.system_named("msd_sturmian").value((1,)),
    lambda s: fp.system_named("msd_sturmian").verify(),
    lambda s: fp.system_named("lsd_slope"),
    lambda s: fp.system_named("msd_slope"),
    lambda s: s.eval("n=1000000"),
    lambda s: s.eval("101*n=m"),
    lambda s: over_family(s, "C[n]=1").at("[0; 1]"),
    lambda s: over_family(s, "~(Ej,p p>0 & $feq(j,j+p,3*p)) & n=n").at("[0; (1)]"),
]


@pytest.mark.parametrize("call", REFUSED, ids=[inspect.getsource(call).strip() for call in REFUSED])
def test_what_is_not_done_over_all_slopes(session: Session, call: Callable[[Session], object]) -> None:
    with pytest.raises(FibproverError) as caught:
        call(session)
    assert caught.value.message
    assert "u" not in session.namespace.definitions
    assert "u" not in session.namespace.words


def test_a_relation_over_a_family_answers_nothing_that_needs_numbers() -> None:
    allowed = {
        "at", "automaton", "default_system", "formula", "latex", "limits", "names", "origin", "origin_over",
        "own_systems", "sorts", "source", "states", "system", "text", "to_reading_order", "trace",
    }
    public = {name for name in dir(Relation) if not name.startswith("_")}
    assert public <= allowed | set(NEED_A_SLOPE)
    relation = Session("msd_sturmian").eval("C[n]=1")
    assert isinstance(relation, FamilyRelation)
    for operation in (lambda: 1 in relation, lambda: list(relation), lambda: len(relation), lambda: relation & relation,
                      lambda: ~relation, lambda: relation <= relation, lambda: bool(relation), lambda: relation(3)):
        with pytest.raises(FibproverError):
            operation()


def test_budgets(session: Session) -> None:
    with pytest.raises(BudgetSpent):
        session.eval("x=900", limits=fp.Limits(states=1000))
    with pytest.raises(BudgetSpent):
        Session("msd_sturmian").eval("Ak k<n => C[i+k]=C[j+k]", limits=fp.Limits(transitions=500))
    with pytest.raises((BudgetSpent, LimitError)):
        session.eval("x=1000 & 20*x=y", limits=fp.Limits(seconds=0.5))


def test_an_error_has_its_place(session: Session) -> None:
    with pytest.raises(TextError) as caught:
        session.eval("Ei $one(i,i)")
    assert "$one takes 1 argument" in caught.value.message
    with pytest.raises(TextError):
        session.eval("C[i][i]=1")


def test_automata_that_are_not_determinized_are_of_one_slope() -> None:
    with pytest.raises(fp.FibproverError, match="all slopes"):
        fp.Session("msd_sturmian").nondeterministic("Ey y=x+x")
