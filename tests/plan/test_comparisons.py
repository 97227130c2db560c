"""The rule `recognize`: what is equality of factors or a palindrome, however it is written, and what is not."""

from __future__ import annotations

import random

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.language.parser import parse_formula
from fibprover.learn import bounded
from fibprover.prover.comparisons import Comparison, comparisons
from fibprover.prover.lower import Affine, resolve
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from tests.few import few
from tests.plan.making import resolved
from tests.seeds import chosen_seed


def affine(form: Affine) -> str:
    """The text of an affine form, its variables in order."""
    parts = [f"{c}*{name}" if c != 1 else name for name, c in sorted(form.coefficients.items())]
    return "+".join([*parts, *([str(form.constant)] if form.constant or not parts else [])])


def said(found: Comparison) -> str:
    return f"{found.name}({','.join(map(affine, found.arguments))})"


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        ("Ak k<n => T[i+k]=T[j+k]", "feq_T(i,j,n)"),
        ("Ak n>k => T[k+j]=T[i+k]", "feq_T(j,i,n)"),
        ("Ak k<=n => T[i+k]=T[j+k]", "feq_T(i,j,n+1)"),
        ("~Ek k<n & T[i+k]!=T[j+k]", "feq_T(i,j,n)"),
        ("~Ek T[i+k]!=T[j+k] & (n>k & k>=0)", "feq_T(i,j,n)"),
        ("Ek k<n & T[i+k]!=T[j+k]", "feq_T(i,j,n)"),
        ("Ek k<n & ~T[i+k]=T[j+k]", "feq_T(i,j,n)"),
        ("Ak k>=n | T[i+k]=T[j+k]", "feq_T(i,j,n)"),
        ("Ak k<n => ~T[i+k]!=T[j+k]", "feq_T(i,j,n)"),
        ("Ak k<3*n+2*j => T[2*i+j+k+4]=T[k]", "feq_T(2*i+j+4,0,2*j+3*n)"),
        ("Ak (i<=k & k<j) => T[k]=T[k+n]", "feq_T(i,i+n,-1*i+j)"),
        ("Ak (i<k & k<i+n) => T[k]=T[k+n]", "feq_T(i+1,i+n+1,n+-1)"),
        ("Ak k<n-p => T[i+k]=T[i+k+p]", "feq_T(i,i+p,n+-1*p)"),
        ("Ak k+p<n => T[i+k]=T[i+k+p]", "feq_T(i,i+p,n+-1*p)"),
        ("Ak k<m => T[k]=T[n-m+k]", "feq_T(0,-1*m+n,m)"),
        ("Ak k<m => T[i+k]=T[i+n-m+k]", "feq_T(i,i+-1*m+n,m)"),
        ("~(Ak k<m+2 => T[n+k-m]=T[i+k])", "feq_T(-1*m+n,i,m+2)"),
        ("Ek k<m & ~T[k]=T[n-m+k]", "feq_T(0,-1*m+n,m)"),
        ("Ak k<n => T[i+k]=T[i+n-1-k]", "pal_T(i,n)"),
        ("Ak k<n => T[i+n-(k+1)]=T[k+i]", "pal_T(i,n)"),
        ("Ak k<n => T[i+k]=T[j+n-1-k]", "rev_T(i,j,n)"),
        ("Ek k<=n & T[j+n-k]!=T[2*i+k+1]", "rev_T(2*i+1,j,n+1)"),
        ("Ak (i<=k & k<i+n) => T[k]=T[i+j+n-1-k]", "rev_T(i,j,n)"),
        ("Ak (i<=k & k<=i+n) => T[k]=T[2*i+n-k]", "pal_T(i,n+1)"),
        ("Ek k<n & T[i+k]!=T[i+n-1-k]", "pal_T(i,n)"),
        ("Ak k<n => (T[i+k]=@1 <=> T[j+k]=@1)", "feq_T(i,j,n)"),
        ("Ak k<n => ~(T[i+k]=@1 <=> T[j+k]=@0)", "feq_T(i,j,n)"),
        ("Ak k<n => (T[i+k]=@0 ^ T[j+k]=@1)", "feq_T(i,j,n)"),
        ("Ak k<n => VTM[i+k]=VTM[j+k]", "feq_VTM(i,j,n)"),
        ("?msd_fib Ak k<n => F[i+k]=F[j+k]", "feq_F(i,j,n)"),
        ("?lsd_fib Ak k<n => F[i+k]=F[j+k]", "feq_F(i,j,n)"),
        ("Ai,n n>0 => ~(Ak k<2*n => T[i+k]=T[i+n+k])", "feq_T(i,i+n,2*n)"),
        # Letters that differ, those of two words, some letters and some others.
        ("Ak k<n => T[i+k]!=T[j+k]", "feq_T_ne_T(i,j,n)"),
        ("Ek k<n & T[i+k]=T[j+k]", "feq_T_ne_T(i,j,n)"),
        ("Ak k<n => (T[i+k]=@0 <=> T[j+k]=@1)", "feq_T_ne_T(i,j,n)"),
        ("Ak k<n => T[i+k]!=T[i+n-1-k]", "rev_T_ne_T(i,i,n)"),
        ("Ak k<n => T[i+k]=RS[j+k]", "feq_T_RS(i,j,n)"),
        ("Ak k<n => RS[j+k]=T[i+k]", "feq_RS_T(j,i,n)"),
        ("Ek k<n & T[i+k]=RS[j+k]", "feq_T_ne_RS(i,j,n)"),
        ("Ak k<n => RS[j+n-1-k]=T[i+k]", "rev_T_RS(i,j,n)"),
        ("Ak k<n => T[i+k]=VTM[j+k]", "feq_T_VTM(i,j,n)"),
        ("Ak k<n => (VTM[i+k]=@1 <=> VTM[j+k]=@1)", "feq_VTM_1_iff_VTM_1(i,j,n)"),
        ("Ak k<n => (VTM[i+k]=@0 <=> VTM[j+k]=@0)", "feq_VTM_1_2_iff_VTM_1_2(i,j,n)"),
        ("Ak k<n => (VTM[i+k]=@1 ^ T[j+k]=@0)", "feq_VTM_1_iff_T_1(i,j,n)"),
        ("~Ek k<n & (VTM[i+k]=@0 ^ T[j+k]=@0)", "feq_VTM_1_2_iff_T_1(i,j,n)"),
    ],
)
def test_recognized(formula: str, found: str) -> None:
    assert [said(each) for each in comparisons(resolved(formula))] == [found]


@pytest.mark.parametrize(
    "formula",
    [
        # The index may be undefined within the range, or the range is of another form.
        "Ak k<n => T[i+k]=T[j-k]", "Ak k<n => T[i-k]=T[j-k]", "Ak k<=n => T[i+k]=T[i+n-1-k]",
        "Ak k<n => T[i+k]=T[i+k-p]", "Ak 2*k<n => T[i+k]=T[j+k]", "Ak k<n/2 => T[i+k]=T[j+k]",
        "Ak (k<n & k<p) => T[i+k]=T[j+k]", "Ak (k>i & k>j & k<n) => T[k]=T[k+p]", "Ak k>n => T[k]=T[k+i]",
        "Ak k<m => T[k]=T[n-2*m+k]", "Ak k<m => T[n-m+k]=T[i-m+k]", "~Ek k<m & T[k]!=T[n-m+k]",
        "Ak k<m => T[k]=T[n-m-1+k]", "Ak k<m => T[k]=T[n-m-j+k]",
        "i<m & (Ak (k<m & j<n) => T[k]=T[n-m+k])", "Ak k<m-n => T[k]=T[n-m+k]",
        "Ak k!=n => T[k]=T[k+i]", "Ak (i-j<=k & k<n) => T[k]=T[k+n]", "Ak k=n => T[k]=T[k+i]",
        # What is compared is not equality of letters or of classes of these, at a distance that is the same for all.
        "Ak k<n => VTM[i+k]!=VTM[j+k]", "Ak k<n => T[i+k]!=VTM[j+k]", "Ak k<n => T[i+k]<T[j+k]",
        "Ak k<n => T[2*k]=T[j+k]",
        "Ak k<n => T[i]=T[j+k]", "Ak k<n & T[i+k]=T[j+k]", "Ak k<n => T[i+k]=T[j+k/2]",
        "Ak k<n => (T[i+k]=@1 => T[j+k]=@1)", "Ik k<n & T[i+k]!=T[j+k]", "Ak k<m => T[k]!=T[n-m+k]",
        "Ak k<n => (T[i+k]=T[j+k] & T[k]=@0)", "E>=2 k k<n & T[i+k]!=T[j+k]",
        # A few letters are soon compared.
        "Ak k<5 => T[i+k]=T[j+k]",
    ],
)
def test_not_recognized(formula: str) -> None:
    assert comparisons(resolved(formula)) == []


def term(draw: random.Random, *names: str) -> str:
    """A term of some of the names, perhaps of none."""
    parts = [draw.choice([name, name, f"2*{name}"]) for name in names if draw.random() < 0.7]
    return "+".join([*parts, *([str(draw.randrange(4))] if draw.random() < 0.4 or not parts else [])])


def drawn(draw: random.Random, equal: str, different: str) -> str:
    """A formula that compares letters, many of them equality of factors or palindromes.

    equal, different: how letters at {0} and {1} compare.
    """
    low, high = term(draw, "i"), term(draw, "i", "n", "j")
    lower = draw.choice(["", "", f"k>={low} & ", f"{low}<k & "])
    upper = draw.choice([f"k<{high}", f"k<={high}", f"{high}>k", f"k+{low}<{high}", f"k<{high}-j", f"k<n-{low}"])
    first, other = f"{term(draw, 'i', 'j')}+k", draw.choice([f"{term(draw, 'i', 'j')}+k", f"{high}-k", f"{high}-(k+1)"])
    if draw.random() < 0.3:
        lower, upper, first, other = f"{low}<=k & ", f"k<{low}+n", "k", f"{low}+{low}+n-(k+1)"
    if draw.random() < 0.2:
        length = draw.choice(["j", "2*j", "j+1", "j+i", "j-i"])
        other = draw.choice(["n-j+k", "n+k-j", "n+k-2*j", "i+n-j+k"])
        lower, upper, first = "", f"k<{length}", f"{term(draw, 'i')}+k"
    equal, different = (each.format(first, other) for each in (equal, different))
    return draw.choice([
        f"Ak ({lower}{upper}) => {equal}", f"~(Ek {lower}{upper} & {different})", f"Ek {lower}{upper} & {different}",
        f"Ak ({lower}{upper}) => ~{different}", f"Ek {lower}{upper} & ~{equal}",
        f"j<9 & ~(Ak ({lower}{upper}) => {equal})", f"i=n <=> (Ak ({lower}{upper}) => {equal})",
        f"Ej j+1=n & ~(Ak ({lower}{upper}) => {equal})",
    ])


WORDS = ("T", "P", "F", "VTM", "H")

#: How letters are compared otherwise: equal, and different.
OTHER = [
    ("T[{0}]!=T[{1}]", "T[{0}]=T[{1}]"), ("T[{0}]=P[{1}]", "T[{0}]!=P[{1}]"), ("P[{0}]!=T[{1}]", "P[{0}]=T[{1}]"),
    ("T[{0}]=VTM[{1}]", "T[{0}]!=VTM[{1}]"), ("(VTM[{0}]=@1 <=> VTM[{1}]=@1)", "(VTM[{0}]=@1 ^ VTM[{1}]=@1)"),
    ("(VTM[{0}]=@0 ^ T[{1}]=@0)", "(VTM[{0}]=@0 <=> T[{1}]=@0)"),
]


@pytest.fixture(scope="module")
def knowing() -> fp.Session:
    """A session that knows predicates of some words, one of which has letters at powers of 2 only, and at 0."""
    session = fp.Session()
    session.run('reg power msd_2 "0*10*|0*";')
    session.namespace.add_word("H", session.namespace.definitions["power"].automaton)
    assert [session.namespace.words["H"].value(number) for number in range(5)] == [1, 1, 1, None, 1]
    for word in WORDS:
        for kind in ("feq", "rev", "pal"):
            session.namespace.predicate(f"{kind}_{word}")
    for equal, _ in OTHER:
        formula = f"Ak k<n => {equal.format('i+k', 'j+k')}"
        (found,) = comparisons(resolve(parse_formula(formula), session.namespace.environment()))
        for letters in (found.letters, found.letters.swapped()):
            for kind in ("feq", "rev"):
                session.namespace.word_predicates.made(kind, letters)
    return session


@pytest.fixture(scope="module")
def plain(knowing: fp.Session) -> fp.Session:
    """A session with the same names, in which nothing is recognized."""
    session = fp.Session(without=["recognize"])
    session.namespace = knowing.namespace
    return session


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize("word", few(WORDS, 4))
def test_the_relation_is_the_same(knowing: fp.Session, plain: fp.Session, word: str) -> None:
    systems = ["?msd_fib ", "?lsd_fib "] if word == "F" else ["", "?lsd_2 "]
    same(knowing, plain, systems, f"{word}[{{0}}]={word}[{{1}}]", f"{word}[{{0}}]!={word}[{{1}}]")


@pytest.mark.long
@pytest.mark.random
@pytest.mark.parametrize(("equal", "different"), few(OTHER, 4))
def test_the_relation_is_the_same_of_other_letters(
    knowing: fp.Session, plain: fp.Session, equal: str, different: str
) -> None:
    same(knowing, plain, ["", "?lsd_2 "], equal, different)


def same(knowing: fp.Session, plain: fp.Session, systems: list[str], equal: str, different: str) -> None:
    """Compares the relations of formulas that are drawn."""
    draw = random.Random(f"{chosen_seed()} {equal}")
    recognized = 0
    for _ in range(40):
        formula = draw.choice(systems) + drawn(draw, equal, different)
        found, expected = knowing.eval(formula), plain.eval(formula)
        assert isinstance(found, Relation) == isinstance(expected, Relation), formula
        if isinstance(found, Relation) and isinstance(expected, Relation):
            assert found.automaton == expected.automaton, formula
        else:
            assert bool(found) == bool(expected), formula
        environment = knowing.namespace.environment()
        recognized += bool(comparisons(resolve(parse_formula(formula), environment)))
    assert recognized > 8


@pytest.mark.parametrize("formula", [
    "Ak k<m => T[k]=T[n-m+k]", "Ek k<m & ~T[k]=T[n-m+k]", "~(Ak k<m => T[n-m+k]=T[k])", "~(Ek k<m & ~T[k]=T[n-m+k])",
    "(Ak k<m => T[k]=T[n-m+k]) <=> m<n", "n>2 => (Ek k<m & ~T[k]=T[n-m+k])", "?lsd_2 Ek k<m & ~T[k]=T[n-m+k]",
])
def test_borders_of_what_is_longer_than_a_prefix(knowing: fp.Session, plain: fp.Session, formula: str) -> None:
    """Where n is less than m, a letter does not exist: the parts are not equal."""
    found, expected = knowing.relation(formula), plain.relation(formula)
    assert found.automaton == expected.automaton
    assert [each.name for each in comparisons(resolved(formula))] == ["feq_T"]


def test_a_predicate_of_the_user_is_another_one(knowing: fp.Session) -> None:
    session = fp.Session()
    session.define("feq_T", "i=j & n=n")
    formula = "Ak k<n => T[i+k]=T[j+k]"
    assert session.namespace.word_predicates["feq_T"].automaton != session["feq_T"].automaton  # type: ignore[attr-defined]
    assert session.relation(formula).automaton == knowing.relation("$feq_T(i,j,n)").automaton


def test_a_word_that_is_defined_anew() -> None:
    session = fp.Session()
    formula = "Ak k<n => W[i+k]=W[j+k]"
    for machine in ("T", "RS"):
        session.namespace.add_word("W", session.namespace.library_words[machine].machine)
        assert session["feq_W"] == session.relation(formula) == session.relation(f"$feq_{machine}(i,j,n)")


def test_two_predicates_of_one_name() -> None:
    session = fp.Session()
    session.namespace.add_word("T_RS", session.namespace.library_words["P"].machine)
    formula = "(Ak k<n => T_RS[i+k]=T_RS[j+k]) | ~(Ak k<n => T[i+k]=RS[j+k])"
    found = comparisons(resolve(parse_formula(formula), session.namespace.environment()))
    predicates = session.namespace.word_predicates
    one, two = (predicates.made(each.kind, each.letters).automaton for each in found)
    assert one != two and [each.name for each in found] == ["feq_T_RS", "feq_T_RS"]
    assert [predicates.known(each.kind, each.letters) is not None for each in found] == [True, True]
    assert session.relation(formula).automaton == session.relation(formula, plan="textbook").automaton


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let formulas that spell out predicates have no time before these are made."""
    original = bounded._TimedEvaluation.decided

    def decided(self: bounded._TimedEvaluation, limits: Limits) -> Verdict | Relation:
        if limits.cpu_seconds == bounded.TURNS[0][0]:
            raise BudgetSpent("seconds", limits.cpu_seconds)
        return original(self, limits)

    monkeypatch.setattr(bounded._TimedEvaluation, "decided", decided)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("formula", "made"),
    [
        ("Ak k<n => VTM[i+k]=VTM[j+k]", ["[feq_VTM]"]),
        ("Ei,n n>0 & (Ak k<=n => VTM[i+k]=VTM[i+k+n])", ["[feq_VTM]"]),
        ("(Ak k<n => T[i+k]=T[i+n-1-k]) & (Ak k<n => T[i+k]=T[j+k])", ["[pal_T]", "[feq_T]"]),
        ("Ak k<n => T[i+k]!=T[j+k]", ["[feq_T_ne_T]"]),
        ("Ei,j (Ak k<n => T[i+k]=RS[j+k]) & n>3", ["[feq_T_RS]"]),
        ("En,i n>4 & (Ak k<n => (VTM[i+k]=@1 <=> T[i+n-1-k]=@0))", ["[rev_VTM_1_iff_T_0]"]),
    ],
)
def test_what_is_not_known_is_made(formula: str, made: list[str]) -> None:
    session = fp.Session()
    for expected in (made, []):
        found = session.eval(formula)
        assert found.trace is not None
        assert [record.label for record in found.trace.records if record.operation == "predicate"] == expected
    plain = fp.Session(without=["recognize"]).eval(formula)
    assert found == plain if isinstance(found, Relation) else bool(found) == bool(plain)
    written = fp.Session(plan="textbook").eval(formula).trace
    assert written is not None and all(record.operation != "predicate" for record in written.records)


def test_a_fourth_power_costs_what_the_predicate_costs() -> None:
    session, plain = fp.Session("msd_fib"), fp.Session("msd_fib", without=["recognize"])
    session.namespace.predicate("feq_F")
    for formula in (
        "Ei,n n>0 & (Ak k<3*n => F[i+k]=F[i+n+k])", "Ei,n n>0 & ~(Ek i<=k & k<i+3*n & F[k]!=F[n+k])",
    ):
        verdict, expected = session.prove(formula), plain.prove(formula)
        assert not verdict and not expected
        assert verdict.trace.largest < expected.trace.largest / 5
