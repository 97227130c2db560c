"""Vacuity: every finding confirmed, and every part that does not matter found, by another way.

The other way is text: each occurrence of each subformula is overwritten by `a!=a` or `a=a` in the
formula's own text, and the textbook plan evaluates that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import fibprover as fp
from fibprover.base import limits
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits, spending
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.runner import run
from fibprover.campaigns.theorems.scripts import collect, scripts
from fibprover.campaigns.theorems.task import ProofSettings
from fibprover.language import source
from fibprover.language.parser import parse_formula
from fibprover.language.tree import Binary, InSystem, Not, Quantified
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.verdict import evidence, vacuity
from fibprover.prover.verdict.vacuity import UNDECIDED, UNUSED, VACUOUS, VacuousPart
from tests.formulas import prover
from tests.formulas.campaign import MANY, campaign
from tests.oracle.definitions import SYSTEMS
from tests.oracle.render import render
from tests.oracle.strategies import DEPTHS, Case, Style, formulas

PROOFS = Path(__file__).resolve().parents[2] / "proofs"

Graded = set[tuple[str, int, int]]


def graded(findings: tuple[VacuousPart, ...]) -> Graded:
    return {(finding.grade, finding.span.start, finding.span.end) for finding in findings}


def said(session: fp.Session, formula: str, *, deep: bool = False) -> list[tuple[str, str]]:
    return [(finding.grade, finding.text) for finding in session.prove(formula).vacuity(deep=deep)]


# -- the other way -----------------------------------------------------------------------------------


class Occurrence:
    """A subformula of a parsed formula; sign: 1 positive, -1 negative, 0 both."""

    def __init__(self, at: source.Occurrence, sign: int, consequent: bool, above: Occurrence | None) -> None:
        self.at, self.node, self.span = at, at.node, at.span
        self.sign, self.consequent, self.above = sign, consequent, above

    def lineage(self) -> Iterator[Occurrence]:
        """What it is part of, innermost first."""
        above = self.above
        while above is not None:
            yield above
            above = above.above


def occurrences(
    at: source.Occurrence, sign: int, above: Occurrence | None, consequent: bool = False
) -> Iterator[Occurrence]:
    here = Occurrence(at, sign, consequent, above)
    yield here
    match at.node:
        case Not():
            yield from occurrences(at.below[0], -sign, here)
        case InSystem():
            yield from occurrences(at.below[0], sign, here)
        case Binary(op="=>"):
            yield from occurrences(at.below[0], -sign, here)
            yield from occurrences(at.below[1], sign, here, consequent=sign > 0)
        case Binary(op=op):
            both = 0 if op in ("^", "<=>") else sign
            for part in at.below:
                yield from occurrences(part, both, here)
        case Quantified(relation=relation, count=count):
            signs = {"": sign, ">=": sign, "<=": -sign, "=": 0 if count else -sign}
            yield from occurrences(at.below[0], signs[relation], here)


def overwritten(text: str, at: source.Occurrence, truth: bool) -> str:
    names = at.node.free
    if not names:
        worst = "0=0" if truth else "0=1"
    else:
        worst = " & ".join(f"{name}={name}" for name in names) if truth else " | ".join(f"{n}!={n}" for n in names)
    return f"{text[: at.span.start]} ({worst}) {text[at.span.end :]}"


def expected(case: Case) -> Graded:
    """What does not matter in a true formula, from the definition."""
    _, *rest = occurrences(parse_formula(case.text).root, 1, None)
    idle = [
        item
        for item in rest
        if item.sign and prover.truth(replace(case, text=overwritten(case.text, item.at, item.sign < 0)), "textbook")
    ]
    found: Graded = set()
    for item in idle:
        span = item.span
        if item.consequent and not any(above in idle and above.consequent for above in item.lineage()):
            found.add((VACUOUS, span.start, span.end))
        if not item.consequent and not any(above in idle for above in item.lineage()):
            never = any(is_never_true(case, part, item.sign) for part in beside(item))
            found.add((VACUOUS if never else UNUSED, span.start, span.end))
    return found


def beside(item: Occurrence) -> Iterator[source.Occurrence]:
    """The disjuncts of the claim, or the conjuncts of the assumption, that an occurrence is one of."""
    here = item
    for above in item.lineage():
        if not isinstance(above.node, Binary) or above.node.op != ("|" if item.sign > 0 else "&"):
            return
        left, right = above.at.below
        yield from joined(right if here.at is left else left, above.node.op)
        here = above


def joined(at: source.Occurrence, op: str) -> Iterator[source.Occurrence]:
    if isinstance(at.node, Binary) and at.node.op == op:
        for part in at.below:
            yield from joined(part, op)
    else:
        yield at


def is_never_true(case: Case, part: source.Occurrence, sign: int) -> bool:
    """Whether a part denies (as a disjunct) or assumes (as a conjunct) what is true of no numbers."""
    inside = part
    while isinstance(inside.node, InSystem):
        inside = inside.below[0]
    if isinstance(inside.node, Not) != (sign > 0):
        return False
    names = part.node.free
    text = case.text[part.span.start : part.span.end]
    whole = f"{'A' if sign > 0 else 'E'}{','.join(names)} ({text})" if names else text
    return prover.truth(replace(case, text=whole), "textbook") is (sign > 0)


def true_form(case: Case) -> Case:
    """The formula, or its negation."""
    return case if prover.truth(case, "textbook") else replace(case, text=f"~({case.text})")


@st.composite
def closed_cases(draw: DrawFn) -> Case:
    """Closed formulas, with counting quantifiers."""
    system = draw(st.sampled_from(SYSTEMS))
    formula = draw(formulas(Style(system, counting=True), (), draw(st.sampled_from(DEPTHS))))
    return Case(system, formula, render(formula, full=draw(st.booleans())), ())


def agrees(case: Case) -> None:
    case = true_form(case)
    for plan in ("optimized", "textbook"):
        verdict = prover.session(case.system).prove(case.text, plan=plan)
        findings = verdict.vacuity()
        for finding in findings:
            word = "0=0" if finding.replaced_by else "0=1"
            assert finding.text == " ".join(case.text[finding.span.start : finding.span.end].split())
            assert finding.formula == case.text and finding.within == ()
            assert ("true" if finding.replaced_by else "false") in finding.sentence, word
        assert graded(findings) == expected(case), f"{plan}, {case}"


def enters(case: Case) -> None:
    """A part under a name of its own, entered: what is found is what is found without the name."""
    case = true_form(case)
    session = prover.session(case.system)
    whole = session.prove(case.text).vacuity()
    _, *rest = occurrences(parse_formula(case.text).root, 1, None)
    for item in [item for item in rest if item.sign and isinstance(item.node, Binary | Quantified)][:3]:
        span = item.span
        if any(finding.span.start <= span.start and span.end <= finding.span.end for finding in whole):
            continue  # it does not matter, so it is not entered
        session.define("part", case.text[span.start : span.end])
        names = ",".join(item.node.free)
        text = f"{case.text[: span.start]} $part({names}) {case.text[span.end :]}"
        deep = session.prove(text).vacuity(deep=True)
        inside = [finding for finding in whole if span.start <= finding.span.start and finding.span.end <= span.end]
        entered = [finding for finding in deep if finding.within == ("part",)]
        assert [(f.grade, f.text) for f in entered] == [(f.grade, f.text) for f in inside], text
        outside = len([finding for finding in deep if not finding.within])
        assert outside == len(whole) - len(inside), text


@pytest.mark.long
@pytest.mark.random
def test_random_formulas() -> None:
    campaign(closed_cases(), agrees, 8)


@pytest.mark.long
@pytest.mark.random
def test_random_parts_under_a_name() -> None:
    campaign(closed_cases(), enters, 20)


@MANY
@pytest.mark.random
def test_many_random_formulas(times: int) -> None:
    campaign(closed_cases(), agrees, 60 * times)
    campaign(closed_cases(), enters, 30 * times)


def test_the_comparison_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fibprover.prover.verdict.vacuity.VACUOUS", UNUSED)
    with pytest.raises(AssertionError):
        campaign(closed_cases(), agrees, 60, seed=1, shrink=False)


# -- formulas made to be vacuous, and not ----------------------------------------------------------------

SMALL = [
    ("An Em m=n+1 => m>n", [("unused", "m=n+1"), ("vacuous", "m>n")]),
    ("An n<5 => n<9", []),
    ("An n<5 & n<7 => n<9", [("unused", "n<5"), ("unused", "n<7")]),
    ("An n<5 => (n<9 | n=20)", [("unused", "n=20")]),
    ("An n<0 => n=3", [("vacuous", "n=3")]),
    ("An n<=9 | n>7 | (n>0 => n=0)", [("unused", "n>0 => n=0"), ("vacuous", "n=0")]),
    ("An n<=9 | n>7 | ~(n>0 & ~(n>0 => n=0))", [("unused", "~(n>0 & ~(n>0 => n=0))"), ("vacuous", "n=0")]),
    ("An ~(n<0 & n!=3)", [("vacuous", "n!=3")]),
    ("An ~(n<0) | n=77", [("vacuous", "n=77")]),
    ("An ~(n=1 & n!=3 & n<0)", [("vacuous", "n=1 & n!=3")]),
    ("An ~(n<0 & n=1 & n!=3)", [("vacuous", "n=1"), ("vacuous", "n!=3")]),
    ("An ~(n<5 & n>7 & n!=3)", [("unused", "n!=3")]),
    ("An ~(n<5 & n<9) | n<7", [("unused", "n<9")]),
    ("An n>=0 | n=3", [("unused", "n=3")]),
    ("An ~(n<3 & ~(n>=0))", [("unused", "n<3")]),
    ("An (n>4 & ~(n<0)) => n>3", [("unused", "~(n<0)")]),
    ("~(En n<0 & n=7)", [("vacuous", "n=7")]),
    ("~~(An n<0 => n=3)", [("vacuous", "n=3")]),
    ("?msd_fib An ?msd_fib n<0 => ?msd_fib n=3", [("vacuous", "?msd_fib n=3")]),
    # In a hypothesis an implication is the other way round: its right side true is the worst case.
    ("An (n>=3 => n>8) => n!=5", []),
    ("(An (n<3 => n<9)) => 1=1", [("unused", "An (n<3 => n<9)")]),
    ("An ((n<9 => n<2) & n<2) => n<9", [("unused", "n<9 => n<2")]),
    # Both signs: left out.
    ("An (n<5 | n=20 | n<3) <=> (n<5 | n=20)", []),
    ("An (n<0 => n=3) ^ n<0", []),
    ("E=5 n n<5 & (n<9 | n=20)", []),
    # Counting quantifiers.
    ("E>=3 n n<5 & (n<9 | n=20)", [("unused", "n=20")]),
    ("E<=5 n n<5 & n<9", [("unused", "n<9")]),
    ("E=0 n n<0 & n<9", [("vacuous", "n<9")]),
    ("E>=0 n n<5", [("unused", "n<5")]),
    ("In n>5 | n=3", [("unused", "n=3")]),
    ("Im,n m>5 & (n>m | n=3)", [("unused", "n=3")]),
    # A variable that occurs nowhere else, and a formula in place of an argument.
    ("Ax,y (x<=y | x>y | x=5)", [("unused", "x=5")]),
    ("An Em (m>n | m=5)", [("unused", "m>n"), ("unused", "m=5")]),  # either by itself, not both together
]


@pytest.mark.parametrize(("formula", "found"), SMALL, ids=[formula for formula, _ in SMALL])
def test_small_formulas(formula: str, found: list[tuple[str, str]]) -> None:
    session = fp.Session()
    assert session.prove(formula)
    assert said(session, formula) == found
    assert said(fp.Session(plan="textbook"), formula) == found


def test_a_finding_says_where_and_gives_the_sentence_that_is_still_true() -> None:
    (finding, other) = fp.Session().prove("An (En n<5) &\n  Em (m=n+1  => m>n)").vacuity()
    assert (finding.grade, finding.replaced_by, finding.within) == (UNUSED, True, ())
    assert other.sentence == "An (En n<5) & Em (m=n+1 => false)"
    assert str(other) == (
        "vacuous: what this => implies may be false\n    Em (m=n+1  => m>n)\n                  ^^^"
    )


def test_a_quantified_variable_that_is_left_without_an_occurrence_is_no_error() -> None:
    assert said(fp.Session("msd_fib"), "Ax,z (x<z | x>=z) & Ew (w=z & (w=x | w>=0))") == [("unused", "w=x")]


def test_words_over_plain_alphabets() -> None:
    session = fp.Session("msd_fib")
    session.reg("bits", [(0, 1, 2)], "(0|2)*")
    session.reg("some", [(0, 1, 2)], "2(0|2)*")
    assert said(session, "Ax ($some(x) => ($bits(x) & $some(x)))") == []
    assert said(session, "Ax ($some(x) => ~(~$bits(x) & $some(x)))") == [("unused", "$some(x)")] * 2


@pytest.mark.parametrize("formula", ["An n<5", "1=2"])
def test_false_formulas_have_no_vacuity(formula: str) -> None:
    with pytest.raises(fp.FibproverError, match="true closed formulas, but this one is FALSE"):
        fp.Session().prove(formula).vacuity()


def test_a_spent_budget_leaves_an_occurrence_undecided() -> None:
    undecided = fp.Session(limits=fp.Limits(states=60)).prove("Ax x<0 => Ey x=107*y").vacuity()
    assert [(finding.grade, finding.text) for finding in undecided] == [
        (UNDECIDED, "x<0"), (VACUOUS, "Ey x=107*y"),
    ]
    assert "undecided within the limits" in str(undecided[0])


@pytest.mark.parametrize("spent", [1, 2, 3])
def test_a_budget_spent_on_an_assumption_leaves_the_part_undecided(
    monkeypatch: pytest.MonkeyPatch, spent: int
) -> None:
    session = fp.Session()
    session.define("never", "n<0")
    verdict = session.prove("An ~$never(n) | n>3")
    assert ("vacuous", "n>3") in [(part.grade, part.text) for part in verdict.vacuity()]
    calls = 0

    def poor(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == spent:
            raise fp.BudgetSpent("seconds", 1)
        return evaluate(*arguments)

    monkeypatch.setattr(vacuity, "evaluate", poor)
    graded = {part.text: part.grade for part in verdict.vacuity()}
    assert UNDECIDED in graded.values() and graded.get("n>3") in ("vacuous", UNDECIDED)


def test_an_assumption_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    denials = " | ".join(f"~(n>{number} & n<9)" for number in range(1, 7))
    verdict = fp.Session().prove(f"An n=n | {denials}")
    calls = 0

    def counted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        return evaluate(*arguments)

    monkeypatch.setattr(vacuity, "evaluate", counted)
    assert len(verdict.vacuity()) == 6
    assert calls <= 3 * 7  # one for each part and each other part: 42


def test_plans_for_evidence_and_vacuity_are_within_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = fp.Session(limits=fp.Limits(seconds=30)).prove("Ex x>3 | x=1")
    deadlines: list[float] = []

    def looked(*arguments: Any) -> Any:
        deadlines.append(limits._BUDGETS.get()[-1].deadline)
        return evaluate(*arguments)

    monkeypatch.setattr(vacuity, "evaluate", looked)
    monkeypatch.setattr(evidence, "evaluate", looked)
    assert verdict.vacuity() and verdict.evidence is not None
    assert len(deadlines) > 2 and max(deadlines) < float("inf")


# -- definitions -------------------------------------------------------------------------------------------


def test_calls_are_atoms_unless_they_are_entered() -> None:
    session = fp.Session()
    session.define("small", "x<5 | x=2")
    session.define("tiny", "$small(x) & x<3")
    formula = "Ax $tiny(x) => $small(x)"
    assert said(session, formula) == []
    found = session.prove(formula).vacuity(deep=True)
    assert [(f.grade, f.text, f.within) for f in found] == [
        ("unused", "$small(x)", ("tiny",)),
        ("unused", "x<3", ("tiny",)),
        ("unused", "x=2", ("small",)),
    ]
    assert found[-1].formula == "x<5 | x=2" and found[-1].sentence == "x<5 | false"
    assert "(in the definition of small)" in str(found[-1])


def test_definitions_without_a_formula_or_with_another_meaning_now_are_atoms() -> None:
    session = fp.Session()
    session.reg("power", ["msd_2"], "0*10*")
    session.define("small", "x<5 | x=2")
    session.define("tiny", "$small(x) & (x<3 | x=1)")
    relation = session.relation("x<3 | x=1")
    session.define("lost", fp.Relation(relation.automaton, relation.system))
    session.define("renamed", relation.renamed(x="y"))
    assert said(session, "Ex $power(x) & $lost(x)", deep=True) == []
    assert said(session, "Ex $power(x) & $renamed(x)", deep=True) != []
    assert said(session, "Ex $tiny(x)", deep=True) != []
    session.define("small", "x<2")  # what tiny says is now another set than tiny is
    assert said(session, "Ex $tiny(x)", deep=True) == []


def test_a_definition_by_one_of_its_own_name_is_entered_once() -> None:
    session = fp.Session()
    session.define("small", "x<5 | x=2")
    session.define("small", "$small(x) | x=3")
    assert said(session, "Ex $small(x)", deep=True) == [("unused", "$small(x)"), ("unused", "x=3")]


def test_a_call_with_a_term_that_may_have_no_value() -> None:
    """`$small(x-9)` true of every number is not the same as the call true: x-9 need not be one."""
    session = fp.Session()
    session.define("small", "x<5")
    assert said(session, "Ax (x>=9 | ~$small(x-9))", deep=True) == [("unused", "x<5")]
    assert said(session, "Ax (x>=9 | ~$small(x-9))") == []


# -- the paper ---------------------------------------------------------------------------------------------

#: Every printed formula of the paper that is vacuous, by the name its script gives it.
PRINTED: dict[str, str | None] = {
    **{f"K{k}.{name}.printed": None for k in (1, 2, 3) for name in ("matcha", "matchb")},
    **{f"K{k}.{name}.printed": f"~$pposK{k}(r,s)" for k in (1, 2, 3, 4) for name in ("nr_1", "nr_2")},
    "K2.alinkb.printed": "$pposK2_bn(x+n+3,n)",
    "W2.stable.printed": "Aa,b ($optW(p,q,a,b) & $pposW2(a,b)) => (a=r&b=s)",
    "W3.stable.printed": "Aa,b ($optW(p,q,a,b) & $pposW3(a,b)) => ((a=r&b=s)|(a=t&r=u))",
}


def rows(select: Callable[[str], bool]) -> dict[str, Row]:
    """The rows of some theorems, with vacuity."""

    class Selected(ProofSettings):
        def selects(self, name: str) -> bool:
            return select(name)

    found = collect(scripts([PROOFS]))
    assert not found.problems
    results = list(run(found.chapters, Selected(vacuity=True)))
    assert all(isinstance(result, Row) for result in results)
    return {result.claim.id: result for result in results if isinstance(result, Row)}


def check(found: dict[str, Row], printed: dict[str, str | None]) -> None:
    flagged = {name: row.vacuous for name, row in found.items() if row.vacuous}
    assert {row.form for row in found.values() if row.vacuous} == {"printed"}
    assert set(flagged) == set(printed)
    for name, part in printed.items():
        assert part is None or flagged[name] == (part,)
    undecided = [name for name, row in found.items() if row.vacuity is not None and row.vacuous is None]
    assert undecided == []


@pytest.mark.parametrize("game", ["K1", pytest.param("K2", marks=pytest.mark.long)])
def test_the_vacuous_formulas_of_these_games_and_no_other(game: str) -> None:
    def selected(name: str) -> bool:
        return name.partition(".")[0] == game

    check(rows(selected), {name: part for name, part in PRINTED.items() if selected(name)})


@pytest.mark.very_long
def test_the_vacuous_formulas_of_the_paper_and_no_other_at_all() -> None:
    check(rows(lambda name: True), PRINTED)


@pytest.fixture(scope="module")
def blocking() -> fp.Session:
    """Blocking Wythoff as printed."""
    session = fp.Session("msd_fib")
    session.run(
        """reg shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*":
        def phin "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1":
        def phi2n "?msd_fib (s=0 & n=0) | Ex,y $shift(n-1,x) & $shift(x,y) & s=y+2":
        def optW "?msd_fib (c=a & d<b) | (c<a & d=b) | (a+d=c+b & c<a)":
        def pposW2_asym "?msd_fib En,a,b ((x=0 & y=0) | (x=n & y=2*n+1)
            | ($phin(n,a) & $phi2n(n,b) & x=2*a+2 & y=2*b+2))":
        def pposW2 "?msd_fib $pposW2_asym(a,b) | $pposW2_asym(b,a)":
        def everything "?msd_fib a=a & b=b":
        """
    )
    return session


STABLE_W2 = (
    "?msd_fib Ap,q ($pposW2(p,q) => (Er,s ($pposW2(r,s) & $optW(p,q,r,s)) => "
    "(Aa,b ($optW(p,q,a,b) & $pposW2(a,b)) => (a=r&b=s))))"
)


@pytest.mark.long
def test_the_printed_stability_of_w2_is_vacuous_and_true_of_all_positions(blocking: fp.Session) -> None:
    """What is said of R by a formula that any set satisfies?  The analogue that shows it: all of N x N."""
    found = blocking.prove(STABLE_W2).vacuity()
    assert [f.text for f in found if f.grade == VACUOUS] == ["Aa,b ($optW(p,q,a,b) & $pposW2(a,b)) => (a=r&b=s)"]
    assert blocking.prove(STABLE_W2.replace("$pposW2(", "$everything("))
    meant = "Ap,q,r,s,a,b ($P(p,q) & $P(r,s) & $optW(p,q,r,s) & $P(a,b) & $optW(p,q,a,b)) => (a=r & b=s)"
    assert not blocking.prove(meant.replace("$P(", "$everything("))
    strong = blocking.prove(meant.replace("$P(", "$pposW2("))
    assert not [finding for finding in strong.vacuity() if finding.grade == VACUOUS]


def test_the_search_ends_with_the_budget_around_it() -> None:
    """Not with a line for each part that it can no longer decide."""
    verdict = fp.Session().prove("Ax (x>5 & x>4) => (x>3 | x=2)")
    assert verdict.vacuity()
    with spending(Limits(seconds=1e-9).start()), pytest.raises(BudgetSpent):
        verdict.vacuity()
