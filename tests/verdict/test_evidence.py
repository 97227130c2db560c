"""Evidence: a witness or counterexample, of the part of a formula that decides, re-checked; the least one if cheap."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace

import pytest

import fibprover as fp
from fibprover.automata.operations import empty
from fibprover.base.errors import LimitError
from fibprover.base.values import replaced
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.logic import Truth
from fibprover.prover.verdict import evidence
from fibprover.prover.verdict.evidence import EvidenceError, EvidenceSearch, outermost
from fibprover.prover.verdict.relation import Value
from fibprover.prover.verdict.verdict import Verdict
from tests.plan.making import known, resolved

PLANS = ("textbook", "optimized")


def shown(text: str, plan: str = "optimized", session: fp.Session | None = None) -> tuple[str, dict[str, Value]] | None:
    found = (session or known()).prove(text, plan=plan).evidence
    return None if found is None else (found.kind, found.values)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(("text", "values"), [
    ("Ex x>3", {"x": 4}),
    ("Ex x=0", {"x": 0}),
    ("Ex,y x+y=9 & x>y+2", {"x": 6, "y": 3}),
    ("Ey,x x+y=9 & x>y+2", {"y": 0, "x": 9}),
    ("Ex Ey Ez x+y+z=9 & x>y & y>z", {"x": 4, "y": 3, "z": 2}),
    ("Ex x*0=0", {"x": 0}),
    ("Ex (Ay y>=x) & x=x", {"x": 0}),
    ("Ex x>2 & (Ex x>5)", {"x": 3}),
    ("Ex T[x]=@1 & T[x+1]=@1", {"x": 1}),
    ("Eu F[u]=@1 & u>2", {"u": 4}),
    ("Ex,u F[u]=T[x] & u>3 & x>2", {"x": 3, "u": 5}),
    ("Ex P[x]!=P[x+1] & x>2", {"x": 4}),
    ("Ex D[x][x]=@-1 & x>0", {"x": 7}),
    ("Ex N[x]=@-1 & x>5", {"x": 8}),
    ("~Ax x<7", {"x": 7}),
    ("~~Ex x>3", {"x": 4}),
    ("Ex ~Ay x!=y+3", {"x": 3, "y": 0}),
    ("Ex,y $sum(y,x,x>2)", {"x": 3, "y": 6}),
    ("Ex x-5=2", {"x": 7}),
    ("Ex ~x-5>=0", {"x": 0}),
    ("Ex (x/3=2)", {"x": 6}),
    ("Ex x>2 & (Iy y>x)", {"x": 3}),
    ("(Ex x>3) | (Ay y>3)", {"x": 4}),
    ("(Ay y>3) | (Ex x>3)", {"x": 4}),
    ("(Ay y>3) => (Ex x>3)", {"y": 0}),
    ("Ex x=1208925819614629174706176", {"x": 2**80}),
])
def test_of_true_formulas(text: str, values: dict[str, int], plan: str) -> None:
    found = shown(text, plan)
    assert found is not None and found[1] == values
    assert list(found[1]) == list(values)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(("text", "kind", "values"), [
    ("Ax x>3", "counterexample", {"x": 0}),
    ("Ax x<3", "counterexample", {"x": 3}),
    ("Ax,y x+y>3 => x>0", "counterexample", {"x": 0, "y": 4}),
    ("Ax Ay Az x+y=z => z!=5 | x<4", "counterexample", {"x": 4, "y": 1, "z": 5}),
    ("Ax Ey y<x", "counterexample", {"x": 0}),
    ("Ax x>2 => (Ey 2*y=x)", "counterexample", {"x": 3}),
    ("~Ex x>3", "witness", {"x": 4}),
    ("(Ax x>3) & (Ex x>3)", "counterexample", {"x": 0}),
    ("(Ex x>3) & (Ax x>3)", "counterexample", {"x": 0}),
    ("(Ex x>3) => (Ax x!=9)", "counterexample", {"x": 9}),
    ("Ax T[x]=T[x+1] | x<3", "counterexample", {"x": 3}),
    ("Ax ~Ey y+y=x", "counterexample", {"x": 0, "y": 0}),
])
def test_of_false_formulas(text: str, kind: str, values: dict[str, int], plan: str) -> None:
    assert shown(text, plan) == (kind, values)


@pytest.mark.parametrize("text", [
    "0=0", "0=1", "Ex x<0", "Ax x>=0", "$no()", "~$yes()", "Ix x>3", "T[5]=@0", "T[5]=T[6]", "$sum(5,2,3)",
    "(Ex x=1) <=> (Ey y=2)", "(Ex x=1) ^ (Ey y<0)", "(Ex x=1) & (Ey y=2)", "5-3=2", "7/2=3", "$half(7-1,3)",
])
def test_none_where_the_form_has_none(text: str) -> None:
    assert shown(text) is None


def test_text() -> None:
    assert str(known().prove("Ey,x x>y+2").evidence) == "least witness: y = 0, x = 3"
    session = fp.Session()
    session.reg("w", [(0, 7, 12)], "7[12]")
    session.reg("e", [(0, 7)], "()")
    assert shown("Ew $w(w)", session=session) == ("witness", {"w": (7, 12)})
    assert str(session.prove("Ew $w(w)").evidence) == "least witness: w = 7[12]"
    assert str(session.prove("Ew $e(w)").evidence) == "least witness: w = ()"
    assert shown("Aw ~$e(w)", session=session) == ("counterexample", {"w": ()})


def test_the_least_is_not_claimed_of_integers() -> None:
    """The shortest word in a negative base is not that of the number nearest to 0."""
    session = fp.Session()
    for text, wrong in (("?msd_neg_2 Ax x<3", range(3)), ("?msd_neg_2 Ex x>5", range(6)), ("?msd_neg_2 Ex x<0", ())):
        found = session.prove(text).evidence
        assert found is not None and not found.least
        assert found.values["x"] not in wrong
    mixed = session.prove("?msd_2 Ex x>5").evidence
    assert mixed is not None and mixed.least and mixed.values == {"x": 6}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("text", [
    "Ex x>3", "Ey,x x+y=9 & x>y+2", "Ex x>2 & (Ex x>5)", "Ex,y x>3 & y>5", "Ex,y (x>3 & x<2 & y=x) | (x=5 & y=2)",
    "Ex,y (x=1 & y=7) | (x=5 & y=2)", "Ex ~Ay x!=y+3", "Ex,y,z x+y=z & T[z]=@1 & ~(Eu u+u=x)", "Ax,y x+y>3 => x>0",
    "Ax (x<9 | T[x]=@1) & (x<5 | T[x]=@0)", "(Ax x>3) & (Ex x>3)", "Ex ~x-5>=0", "Ex x=1208925819614629174706176",
    "Ex,y,z,u x+y+z=u & u<9 & x>1", "Ex P[x]!=P[x+1] & x>2", "Ex x*0=0",
])
def test_a_witness_from_the_searches_of_the_verdict(text: str, plan: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without time for the least one; twice, since the second verdict is in the cache."""
    session = known()
    least = session.prove(text, plan=plan).evidence
    assert least is not None and least.least and str(least).startswith("least ")
    monkeypatch.setattr(EvidenceSearch, "least_within", lambda *arguments: None)
    for verdict in (session.prove(text, plan=plan), known().prove(text, plan=plan)):
        found = verdict.evidence
        assert found is not None and not found.least and str(found).startswith(f"a {least.kind}: "), text
        assert list(found.values) == list(least.values) and not verdict.evidence_is_missing


def test_evidence_where_the_least_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EvidenceSearch, "least_within", lambda *arguments: None)
    verdict = fp.Session().prove("?msd_4 Ei,n n>0 & Ak (k<n) => HC[i+k]=HC[i+k+n]")
    assert verdict.truth and verdict.evidence is not None and not verdict.evidence.least
    i, n = verdict.evidence.values["i"], verdict.evidence.values["n"]
    assert isinstance(i, int) and isinstance(n, int) and n > 0
    assert all(fp.Session().prove(f"?msd_4 HC[{k}]=HC[{k + n}]") for k in range(i, i + n))


def test_no_limit_makes_the_property_raise() -> None:
    verdict = known().prove("Ex,y,z x+y=z & T[z]=@1 & z>9 & ~(Eu u+u+u=x)")
    for limits in (fp.Limits(states=1), fp.Limits(seconds=1e-9), fp.Limits(bytes=1)):
        poor = replace(verdict, limits=limits, cache=Cache(), met={})
        assert poor.evidence is None and poor.evidence_is_missing
        error = pickle.loads(pickle.dumps(poor)).evidence_error
        assert isinstance(error, fp.BudgetSpent) and str(error) == str(poor.evidence_error)
    assert not known().prove("Ax x>=0").evidence_is_missing


@pytest.mark.parametrize("error", [MemoryError, RecursionError, LimitError])
def test_nothing_else_that_is_too_much_does(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: EvidenceSearch) -> None:
        raise error("too much")

    monkeypatch.setattr(EvidenceSearch, "evidence", fail)
    verdict = known().prove("Ex x>3")
    assert verdict.evidence is None and verdict.evidence_is_missing
    kind = MemoryError if error is MemoryError else LimitError
    assert isinstance(verdict.evidence_error, kind) and verdict.evidence_error.__traceback__ is None


def test_what_is_the_least_does_not_depend_on_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """It depends on the states of the automata, which the verdict's were allowed too."""
    text = "Ex,y x+y=9 & x>y+2 & T[x]=@1"
    for seconds in (1e-6, 1e3):
        verdict = fp.Session().prove(text)
        shown = replace(verdict, trace=replaced(verdict.trace, cpu_seconds=seconds)).evidence
        assert shown is not None and shown.least
    monkeypatch.setattr(evidence, "LEAST_STATES", 1)
    verdict = fp.Session().prove(text)
    for seconds in (1e-6, 1e3):
        trace = replaced(verdict.trace, cpu_seconds=seconds, while_built=1)
        shown = replace(verdict, trace=trace, cache=Cache()).evidence
        assert shown is not None and not shown.least


def test_none_where_none_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(EvidenceSearch, "evidence", lambda search: asked.append(search))
    for verdict in (
        fp.Session(evidence=False).prove("Ex x>3"), fp.Session().prove("Ex x>3", evidence=False),
        fp.Session().eval("Ax x<3", evidence=False),
    ):
        assert isinstance(verdict, Verdict)
        assert verdict.evidence is None and not verdict.evidence_is_missing and verdict.evidence_error is None
    assert not asked
    assert fp.Session(evidence=False).eval("Ex x>3", evidence=True).evidence is None and asked  # type: ignore[union-attr]


def test_a_certificate_has_the_counterexample_that_was_not_asked_for() -> None:
    assert fp.Session(evidence=False).prove("Ax x<3").certificate().truth is False


def test_it_is_computed_once() -> None:
    verdict = known().prove("Ex x>3")
    assert verdict.evidence is verdict.evidence


def test_numbers_beside_words() -> None:
    session = fp.Session("msd_2")
    session.reg("r", [(0, 7), "msd_2"], "[7,0][7,1]")
    assert shown("Ex Ew $r(w,x)", session=session) == ("witness", {"x": 1, "w": (7, 7)})
    assert session.prove("Ax x=1 => (Ew $r(w,x))") and not session.prove("Ax x=1 => ~(Ew $r(w,x))")


class TestSearch:
    def search(self, text: str, truth: bool = True) -> EvidenceSearch:
        from fibprover.base.limits import UNLIMITED

        return EvidenceSearch(resolved(text), truth, known().namespace.system, Cache(), UNLIMITED)

    def test_a_wrong_verdict_is_noticed(self) -> None:
        with pytest.raises(EvidenceError):
            self.search("Ex x<0").evidence()
        with pytest.raises(EvidenceError):
            self.search("Ax x>=0", truth=False).evidence()

    def test_wrong_values_are_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        wrong = self.search("Ex x>3")
        two = known().relation("x=2").automaton
        monkeypatch.setattr(EvidenceSearch, "least", lambda *arguments: two)
        with pytest.raises(EvidenceError, match="2"):
            wrong.evidence()

    def test_nothing_found_is_noticed(self) -> None:
        nothing = empty([known().relation("x=2").automaton.tracks[0]])
        with pytest.raises(EvidenceError):
            self.search("Ex x>3").value("x", nothing)

    def test_formulas_at_numbers(self) -> None:
        """Connective by connective, at all of 0..4."""
        cases: list[tuple[str, Callable[[int], bool]]] = [
            ("x<3 & T[x]=@1", lambda x: x in (1, 2)), ("x<3 | x=4", lambda x: x != 3),
            ("x<3 => x=1", lambda x: x in (1, 3, 4)),
            ("x<3 <=> x=1", lambda x: x in (1, 3, 4)), ("x<3 ^ x=1", lambda x: x in (0, 2)), ("~x<3", lambda x: x > 2),
            ("x-2<=1", lambda x: x in (2, 3)), ("Ey y<x & y>1", lambda x: x > 2),
            ("$power(x)", lambda x: x in (1, 2, 4)),
            ("P[x]=P[x]", lambda x: x != 3), ("P[x]=T[x]", lambda x: x in (2, 4)), ("x*0=0", lambda x: True),
            ("D[x][1]=@0", lambda x: x in (1, 3)), ("0=1 | x=2", lambda x: x == 2), ("Iy y>x", lambda x: True),
        ]
        for text, truth in cases:
            search = self.search(text)
            for x in range(5):
                value = known().relation(f"x={x}").automaton
                assert search.holds(search.resolved.logic, {"x": value}) is truth(x), (text, x)


def test_outermost() -> None:
    def names(text: str, truth: bool) -> tuple[str, ...]:
        return outermost(resolved(text).logic, truth)[0]

    assert names("Ex,y x<y & (Ez z=x)", True) == ("x", "y")
    assert names("Ex,y x<y & (Ez z=x)", False) == ()
    assert names("Ax ~Ey x=y", False) == ("x", "y") and names("Ax ~Ey x=y", True) == ()
    assert names("Ex Ay x=y", True) == ("x",) and names("~Ex ~Ay x=y", False) == ("x", "y")
    assert names("$half(x-1,3)", True) == () and names("Ex $half(x-1,3)", True) == ("x",)
    assert outermost(Truth(True), True) == ((), Truth(True))
