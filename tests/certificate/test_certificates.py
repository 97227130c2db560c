"""What is certified, what the checker says of it, and what is not certified."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.automata import determinization, operations
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.checker import fibcheck
from fibprover.prover.certificate import checking, projection, proof
from fibprover.prover.certificate.projection import projected
from fibprover.prover.certificate.tables import NotCertified, TooMuchWork
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.plan import rewrite, steps
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import Meaning, checked, checked_lines
from tests.certificate.verified import PROGRAM, verdicts

STATEMENTS = [
    ("msd_2", "Ax Ey y<x"),
    ("msd_2", "Ax,y,z (x+y)+z=x+(y+z)"),
    ("msd_2", "Ax,y x<y <=> Ez z>0 & x+z=y"),
    ("msd_2", "Ax 3*x+2<=5*x+7"),
    ("msd_2", "Ax Ey,z x=3*y+z & z<3"),
    ("msd_2", "Ex 7*x=100"),
    ("msd_2", "Ax T[2*x]!=T[2*x+1]"),
    ("msd_2", "Ix T[x]=T[x+1]"),
    ("msd_2", "Ex,n n>0 & Ai i<=n => T[x+i]=T[x+n+i]"),
    ("msd_2", "E>=3 x x<5 & T[x]=@1"),
    ("msd_2", "E>=4 x x<5 & T[x]=@1"),
    ("msd_2", "An (E>=2 x,y x+y=n) | n<1"),
    ("msd_3", "Ax,y x>y | x<y | x=y"),
    ("msd_fib", "Ax,y x+y=y+x+0"),
    ("msd_fib", "Ax Ey F[y]=@1 & y>x"),
    ("msd_fib", "Ax F[x]=@1 => F[x+1]=@0"),
    ("msd_fib", "Ex F[x]=@1 & F[x+1]=@1"),
    ("msd_trib", "Ax Ey x=2*y | x=2*y+1"),
    ("msd_2", "Ax (x>3 ^ x<=3) & (T[x]=@0 <=> ~T[x]=@1)"),
]


def verdict(session: fp.Session, formula: str) -> Verdict:
    found = session.eval(formula)
    assert isinstance(found, Verdict)
    return found


@pytest.mark.parametrize(("system", "formula"), STATEMENTS)
def test_checked(tmp_path: Path, system: str, formula: str) -> None:
    """A verdict and its certificate say the same, and what it says of small numbers is so."""
    session = fp.Session(system)
    if system == "msd_fib":
        session.define_morphic_word("F", [[0, 1], [0]], [0, 1])
    found = verdict(session, formula)
    certificate = found.certificate()
    assert certificate.truth == found.truth
    checker = checked(certificate.content, tmp_path)
    assert checker.statement is not None
    if not found.truth:
        assert checker.statement[1].startswith("(E " if formula.startswith("A") else "~")
    assert set(checker.systems) == {system}
    words = Meaning(checker, 20).words[system]
    assert [len(word) for word in words[:3]] == [0, 1, {"msd_2": 2, "msd_3": 1, "msd_fib": 2, "msd_trib": 2}[system]]


#: Conjunctions below a quantifier, with parts that are negated, under guards.
GUARDED = (
    "Ax,y x<y => Ez x<=z & z<=y & ~(Eu,v x<u & u<v & v<z & ~(T[u]=T[v] & T[v]=T[x]))",
    "Ax,n n>0 => ~(Ey y>x & y<x+n & (Ak k<n => T[x+k]=T[y+k]) & ~(Ez z<y & z>x & ~T[z]=T[x]))",
    "Ex,y x<y & (Az (z>x & z<y) => Eu u<z & ~(u+x=y & T[u]=@1) & ~(Ev v>u & v+v=z))",
    "Ax Ey,z y<z & x<y & ~(Eu u>x & u<y & ~(Ev v<u & v+x=y & ~T[v]=T[z]))",
)


@pytest.mark.parametrize("formula", GUARDED)
def test_guards_that_come_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, formula: str) -> None:
    """All ways to write a proof are right: guards that are joined last, and relations that are restricted early."""
    session = fp.Session("msd_2")
    found = verdict(session, formula)
    usual = found.certificate()
    monkeypatch.setattr(proof, "_MUCH_WORK", 0)
    monkeypatch.setattr(proof, "_LARGE", 0)
    tried, last = list[bool](), proof._Join.proved

    def noted(join: Any) -> Any:
        tried.append(join.last is not None)
        return last(join)

    monkeypatch.setattr(proof._Join, "proved", noted)
    other = found.certificate()
    assert any(tried) and not all(tried)
    assert usual.truth == other.truth == found.truth
    for certificate in (usual, other):
        checker = checked(certificate.content, tmp_path)
        assert checker.statement is not None and checker.statement[1] == str(usual.lines[-1]["statement"])


def with_numbered_variables(certificate: Certificate) -> str:
    """Return the lines of a certificate as a text in which variables are called by their places."""
    header, *_ = certificate.lines
    numbers = {name: f"v{place}" for place, name in enumerate(header["variables"])}
    return re.sub(r"\w+", lambda word: numbers.get(word[0], word[0]), json.dumps(certificate.lines))


@pytest.mark.parametrize("formula", [
    *GUARDED, "Ax,y x<y => Ez x<=z & z<=y & ~(Eu,v ?msd_fib u+2<v & v+1<9 & ~(v=u+3 & F[v]=@1)) & ~(z+z=x & T[z+1]=@0)",
])
def test_what_is_tried_and_given_up_leaves_nothing(monkeypatch: pytest.MonkeyPatch, formula: str) -> None:
    """All that a trial has written is gone: claims, automata, names and what is known of them."""
    found = verdict(fp.Session("msd_2"), formula)
    monkeypatch.setattr(proof, "_MUCH_WORK", sys.maxsize)
    usual = found.certificate()
    monkeypatch.setattr(proof, "_MUCH_WORK", 0)
    given_up, proved = list[Any](), proof._Join.proved

    def never(join: Any) -> Any:
        if join.last is None:
            return proved(join)
        given_up.append(join)
        proved(join)
        raise TooMuchWork

    monkeypatch.setattr(proof._Join, "proved", never)
    other = found.certificate()
    assert given_up and with_numbered_variables(other) == with_numbered_variables(usual)


def test_a_relation_is_restricted_before_it_is_projected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Positions of few p are projected rather than those of all."""
    session = fp.Session("msd_fib")
    session.define("few", "p=3 | p=8")
    session.define("some", "p+q=r+s & q<s")
    found = verdict(session, "Ap ~($few(p) & (Eq,r,s $some(p,q,r,s) & r>p & s>8))")
    usual = found.certificate()
    monkeypatch.setattr(proof, "_LARGE", 10)
    restricted = found.certificate()
    assert len(restricted.lines) > len(usual.lines)
    for certificate in (usual, restricted):
        checked(certificate.content, tmp_path)


@pytest.mark.parametrize(
    "term", ["n+1", "2*n", "n+m", *(pytest.param(each, marks=pytest.mark.long) for each in ("n+2", "3*n+m"))]
)
@pytest.mark.parametrize("atom", ["PD[{}]=@1", "T[{}]=T[m]", "$p({})", "{}>4", "(Ek k<{} & T[k]=T[m])"])
def test_terms_on_both_sides_are_shared(tmp_path: Path, atom: str, term: str) -> None:
    """A tautology says the same twice; its certificate once contradicted the verdict."""
    session = fp.Session()
    session.define("p", "n>3")
    said = atom.format(term)
    for formula in (
        f"An,m n+m>=m & ({said} => {said})", f"An,m ~({said} & ~{said}) & m+n>=0", f"An,m {said} <=> ({said} & n+m>=m)",
    ):
        found = verdict(session, formula)
        assert found.truth
        certificate = found.certificate()
        assert certificate.truth
        assert checked(certificate.content, tmp_path).statement is not None


def test_definitions_are_proved(tmp_path: Path) -> None:
    session = fp.Session("msd_fib")
    session.reg("shift", [[0, 1], [0, 1]], "([0,0]|[0,1][1,1]*[1,0])*")
    session.define("phin", "(s=0 & n=0) | Ex $shift(n-1,x) & s=x+1")
    session.define("twice", "$phin(n,s) & $phin(n,t)")
    checker = checked(verdict(session, "An,s,t $twice(n,s,t) => s=t").certificate().content, tmp_path)
    assert set(checker.definitions) == {"phin", "twice"}
    assert {"shift"} <= set(checker.predicates)


def test_names_that_are_quantifiers_too(tmp_path: Path) -> None:
    session = fp.Session("msd_2")
    session.define_morphic_word("E", [[0, 1], [1, 0]], [0, 1])
    session.define("A", "x=2*y")
    checker = checked(verdict(session, "Ax (.E[x]=@0 | .E[x]=@1) & Ey $A(y,x)").certificate().content, tmp_path)
    assert set(checker.words) == {"E"}
    assert set(checker.definitions) == {"A"}


def with_both_orders() -> fp.Session:
    """A session with predicates of lsd and msd systems."""
    session = fp.Session()
    session.define("half", "?lsd_2 y+y=x")
    session.define("double", "?msd_2 x+x=y")
    session.reg("odd", "lsd_2", "1(0|1)*")
    session.reg("even", "msd_2", "(0|1)*0")
    session.reg("next", ["lsd_2", "lsd_2"], "[1,0]*[0,1]([0,0]|[1,1])*")
    return session


@pytest.mark.parametrize(("formula", "truth"), [
    ("?lsd_fib Ax,y Ez z=x+y & z>=x", True), ("?lsd_2 Ax Ey y<x", False), ("Ax $odd(x) <=> ~$even(x)", True),
    ("?lsd_2 Ax $odd(x) <=> Ey x=2*y+1", True), ("Ax,y $half(x,y) <=> $double(y,x)", True),
    ("Ax,y $next(x,y) <=> y=x+1", True), ("?lsd_2 Ax (E>=4 y y<x) <=> x>3", True),
    ("Ei i>9 & PR[i]!=T[i] & $odd(i)", True), ("(?msd_2 Ex x>3) & ?lsd_2 Ey y=2", True),
])
def test_numbers_of_lsd_systems_are_those_of_msd_systems(tmp_path: Path, formula: str, truth: bool) -> None:
    found = verdict(with_both_orders(), formula)
    certificate = found.certificate()
    checker = checked(certificate.content, tmp_path)
    assert bool(found) is truth is certificate.truth
    assert not any(name.startswith("lsd") for name in (*checker.systems, *checker.variables.values()))
    said = list(checker.understood())
    for name, text in {"odd": "(0|1)*1;", "even": "(0|1)*0;", "next": "([0,0]|[1,1])*[0,1][1,0]*;"}.items():
        assert all(text in line for line in said if line.startswith(f"predicate {name}:"))
    assert all("the fixed point of" in line for line in said if line.startswith("word "))


@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "lsd_3"])
def test_an_expression_over_a_plain_alphabet_is_read_as_the_numbers_are(tmp_path: Path, system: str) -> None:
    session = fp.Session()
    session.reg("end", [(0, 1)], "0*11(0|1)*")
    found = verdict(session, f"?{system} Ex x>9 & $end(x)")
    checker = checked(found.certificate().content, tmp_path)
    (said,) = [line for line in checker.understood() if line.startswith("predicate end:")]
    assert ("0*11(0|1)*" if system == "msd_2" else "(0|1)*110*") in said


@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "msd_3", "lsd_3", "msd_fib"])
def test_intersections_and_complements(tmp_path: Path, system: str) -> None:
    """All other words are those over the alphabet of the expression, which may have fewer digits than the system."""
    session = fp.Session()
    session.reg("own", [(0, 1)], "0*(1.*&~(.*11.*))(00)*")
    session.reg("pairs", [system, system], "~(.*[1,1].*)&([0,0]|[1,0]|[0,1]|[1,1])*")
    found = verdict(session, f"?{system} Ex,y x>4 & $own(x) & $pairs(x,y) & $pairs(y,x) & y>x")
    checker = checked(found.certificate().content, tmp_path)
    said = [line for line in checker.understood() if line.startswith(("predicate own", "predicate pairs"))]
    assert found and len(said) >= 2 and not any("digest" in line for line in said)
    assert any("&~(" in line for line in said)


def test_an_expression_over_a_plain_alphabet_is_read_in_one_order() -> None:
    session = fp.Session()
    session.reg("one", [(0, 1)], "0*1")
    formula = "(?lsd_2 Ex $one(x) & x=2) | (?msd_2 Ey $one(y) & y=1)"
    with pytest.raises(NotCertified, match="several systems"):
        verdict(session, formula).certificate()


def test_an_expression_of_the_other_order_is_refused(tmp_path: Path) -> None:
    """The expression is the one of the words that begin with the most significant digit."""
    lines = list(verdict(with_both_orders(), "Ax $odd(x) <=> ~$even(x)").certificate().lines)
    checked_lines(lines, tmp_path)
    (place,) = [place for place, line in enumerate(lines) if line.get("predicate") == "odd"]
    kind, *parts = lines[place]["expression"]
    lines[place] = {**lines[place], "expression": [kind, *reversed(parts)]}
    with pytest.raises(fibcheck.Invalid, match="odd"):
        checked_lines(lines, tmp_path)


def test_kinds_of_moves_are_proved_one_by_one(tmp_path: Path) -> None:
    """No relation is about all four piles, as one that joins the set with all kinds of moves would be."""
    session = fp.Session("msd_fib")
    session.define("P", "x+y<9 | x=2*y")
    found = verdict(session, "Ap,q ~$P(p,q) => Er,s $P(r,s) & ((p=r & s<q) | (q=s & r<p))")
    checker = checked(found.certificate().content, tmp_path)
    assert not any({"p", "q", "r", "s"} <= {name[0] for name in claim.relation.names} for claim in checker.claims)


def test_a_definition_by_an_earlier_one_of_its_name(tmp_path: Path) -> None:
    session = fp.Session()
    session.define("small", "x<9")
    session.define("small", "$small(x) & x>3")
    with pytest.raises(NotCertified, match="small") as refused:
        verdict(session, "Ex $small(x)").certificate()
    assert "name" in refused.value.hint
    session.define("less", "x<9")
    session.define("small", "$less(x) & x>3")
    checked(verdict(session, "Ex $small(x)").certificate().content, tmp_path)


def test_a_definition_whose_names_have_changed() -> None:
    """The automaton of a definition is older than that of a predicate that it calls."""
    session = fp.Session()
    session.define("small", "x<3")
    session.define("few", "$small(x) & x>0")
    session.define("small", "x<9")
    with pytest.raises(NotCertified, match="few"):
        verdict(session, "Ax $few(x) => x<3").certificate()


@pytest.mark.parametrize(("system", "formula"), [
    ("msd_fib", "Eu u<=4 & (E=1 v v<=5 & u/1!=v & F[1*u]=F[1*v])"),
    ("msd_2", "Eu,y u<=4 & y<=4 & (E=1 v v<=5 & (u+v)/2=y)"),
])
def test_the_last_wrong_verdict(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, formula: str
) -> None:
    """Where the planner has the mistake again that it once had, no certificate comes out, but one of the truth does."""
    session = fp.Session(system)
    right = verdict(session, formula)
    monkeypatch.setattr(rewrite._Rewriting, "apart", lambda self, node: node)
    monkeypatch.setattr(steps, "extend_scope", lambda scope, names: scope.union(names))
    wrong = verdict(fp.Session(system), formula)
    assert wrong.truth is not right.truth
    with pytest.raises(FibproverError, match="contradicts"):
        wrong.certificate()
    assert checked(right.certificate().content, tmp_path).claims


def test_limits_hold() -> None:
    found = verdict(fp.Session("msd_fib"), "Ax,y Ez x+2*z>=5*y")
    with pytest.raises(BudgetSpent):
        replace(found, limits=fp.Limits(seconds=1e-6)).certificate()


def test_certificates_are_equal_if_their_verdicts_are() -> None:
    first, second = (verdict(fp.Session("msd_fib"), "Ax Ey y=2*x+3").certificate().content for _ in range(2))
    assert first == second


def test_backward_trial_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A projection whose trial from the end meets too many sets is the one that was found, to be checked forward."""
    relation = fp.Session().eval("?msd_fib x+y=z & F[y]=@1 & F[z]=@0")
    assert not isinstance(relation, Verdict)
    monkeypatch.setattr(projection, "MANY_SETS", -1)
    monkeypatch.setattr(projection, "MORE_SETS", 0)
    automaton = relation.automaton
    trials: list[Budget] = []
    exists = operations.exists

    def noted(*arguments: Any) -> Any:
        trials.append(arguments[2])
        return exists(*arguments)

    monkeypatch.setattr(operations, "exists", noted)
    monkeypatch.setattr(projection, "losses", lambda *_: None)
    found = projected(automaton, ["y"], UNLIMITED)
    assert found.automaton == exists(automaton, ["y"], UNLIMITED) and not found.backward
    assert len(trials) == 2
    with determinization.forced("reverse"), pytest.raises(BudgetSpent, match="states"):
        exists(automaton, ["y"], trials[1])


@pytest.mark.parametrize("tried", [0, 10])
def test_projections_that_grow_are_put_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tried: int) -> None:
    """What the set is joined with comes first; a trial that meets too many sets is given up."""
    session = fp.Session("msd_2")
    session.define("move", "(p=r & s<q) | (q=s & r<p)")
    found = verdict(session, "Ap,q,r,s (p=2*q+1 & r+1=2*s & p+s>r) => ~$move(p,q,r,s)")
    sizes = []
    for grown, small in ((2, 1000), (0, 0)):
        monkeypatch.setattr(proof, "_GROWN", grown)
        monkeypatch.setattr(proof, "_SMALL", small)
        monkeypatch.setattr(proof, "_TRIED", tried if grown == 0 else 10)
        checker = checked(found.certificate().content, tmp_path)
        piles = [{name[0] for name in claim.relation.names} for claim in checker.claims]
        sizes.append(sum({"p", "q", "r", "s"} <= names for names in piles))
    assert sizes[0] < sizes[1]


def test_other_limits_end_a_backward_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the bound of the trial itself is no error."""
    relation = fp.Session().eval("?msd_fib x+y=z & F[y]=@1 & F[z]=@0")
    assert not isinstance(relation, Verdict)
    monkeypatch.setattr(projection, "MANY_SETS", -1)
    monkeypatch.setattr(projection, "MORE_SETS", 0)
    exists = operations.exists

    def late(automaton: Any, names: Any, budget: Budget) -> Any:
        if budget.states < UNLIMITED.states:
            raise BudgetSpent("seconds", 1.0)
        return exists(automaton, names, budget)

    monkeypatch.setattr(operations, "exists", late)
    with pytest.raises(BudgetSpent, match="s is spent"):
        projected(relation.automaton, ["y"], UNLIMITED)


@pytest.mark.parametrize(("formula", "truth"), [
    ("$some() & Ex x>3", True), ("~$some() | $none()", False), ("Ax,y $third(x,y) => y<3", True),
    ("Ax,y $any(x,y)", True), ("Ax $third(x,x) <=> x<3", True),
    ("Ay (Ex $third(x,y)) <=> y<3", True), ("E>=3 x,y $third(x,y) & x<2", True),
    ("E>=3 x $third(x,2)", True), ("E>=3 x ~$any(x,2)", False), ("E>=4 x,y y<1 & x=x", True), ("E>=4 x x<x+1", True),
    ("An (E>=2 x n<5 & x*0=0) <=> n<5", True), ("Ax,y $both(x,y) <=> y<3", True),
])
def test_what_does_not_occur(tmp_path: Path, formula: str, truth: bool) -> None:
    """Calls without arguments, parameters that a definition does not mention, and variables that are counted only."""
    session = fp.Session("msd_2")
    session.define("some", "Ex x<5 & T[x]=@1")
    session.define("none", "$some() & Ex x<5 & x>7")
    session.define("third", "x=x & y<3")
    session.define("any", "x=x & y=y")
    session.define("both", "$third(x,y) & x*0=0 & $some()")
    certificate = verdict(session, formula).certificate()
    assert certificate.truth is truth
    checked(certificate.content, tmp_path)
    if PROGRAM.exists():
        assert verdicts([tmp_path / "certificate.jsonl.gz"]) == ["VALID"]


def test_a_call_without_arguments_whose_formula_means_something_else_now() -> None:
    session = fp.Session("msd_2")
    session.define("less", "x<3")
    session.define("some", "Ex $less(x)")
    session.define("less", "x<0")
    with pytest.raises(NotCertified, match="no longer has the meaning"):
        session.prove("$some()").certificate()


def test_a_verified_checker_that_cannot_be_started_accepts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text("garbage")
    program.chmod(0o755)
    monkeypatch.setattr(checking, "verified_checker", lambda: str(program))
    verdict = fp.Session().prove("Ax Ey y>x")
    found = checking.certify(verdict.certificate, str(tmp_path / "c.gz"), 20)
    assert found.checked and not found.verified
