"""The rule `learn`: bounded quantifiers are found, learned where they take long, and mean what they meant."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.language.parser import parse_formula
from fibprover.learn import bounded
from fibprover.learn.bounded import bounded_quantifiers
from fibprover.prover.evaluate.trace import Record
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.session import Session
from tests.few import few


def learned(outcome: Verdict | Relation) -> list[str]:
    """What was learned on the way."""
    assert outcome.trace is not None
    return [record.label for record in outcome.trace.records if record.operation == "learn"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first evaluation of each formula end at once, call no quantifier quick, and give learning enough time."""
    monkeypatch.setattr(bounded, "QUICK", 1e-12)
    original = bounded._TimedEvaluation.decided

    def decided(self: bounded._TimedEvaluation, limits: Limits) -> Verdict | Relation:
        if not self.records and limits.cpu_seconds == bounded.FIRST_SECONDS:
            raise BudgetSpent("seconds", bounded.FIRST_SECONDS)
        return original(self, limits)

    monkeypatch.setattr(bounded._TimedEvaluation, "decided", decided)


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        ("Ak k<n => T[i+k]=T[j+k]", ["Ak k<z => T[i+k]=T[j+k]"]),
        ("Ek k<=n+1 & T[k]=@1", ["Ek k<z & T[k]=@1"]),
        ("Ek T[k]=@1 & 2*n>=k & k>i", ["Ek k<z & (T[k]=@1 & k>i)"]),
        ("?msd_fib Ai,j (i<j & (Ak (i<=k & k<j) => F[k]=@0)) => j<5", ["?msd_fib Ak k<z => ~(i<=k) | F[k]=@0"]),
        ("Ak k<n => (El l<k & T[l]=T[k+i])", ["El l<z & T[l]=T[k+i]"]),
        # No bound, a bound that may be undefined, a bound on nothing else, several variables, a count.
        ("Ak k>n => T[k]=@0", []), ("Ak k<n-1 => T[k]=@0", []), ("Ek k<n/2 & T[k]=@0", []), ("Ek k<n & n>3", []),
        ("Ak k<k+n => T[k]=@0", []), ("Ak,l (k<n & l<n) => T[k]=T[l]", []), ("E>=2 k k<n & T[k]=@0", []),
        ("Ak k<n <=> T[k]=@0", []), ("Ik k<n & T[k]=@0", []),
    ],
)
def test_bounded_quantifiers(formula: str, found: list[str]) -> None:
    assert [str(each.formula("z")) for each in bounded_quantifiers(parse_formula(formula))] == found


CASES = [
    "Ak k<n => T[i+k]=T[j+k]",
    "Ek k<=n+2 & i<=k & T[k]=@1",
    "Ei,n n>0 & (Ak k<=n => T[i+k]=T[i+k+n])",
    "Ei,n n>0 & (Ak k<n => T[i+k]=T[i+k+n])",
    "?msd_fib Ak (i<=k & k<j) => F[k]=@0",
    "Ak n>k => (El l<k & T[l]=T[k+i])",
    "Ai,n n>5 => ~(Ak k<n => T[i+k]=T[i+n+k+1])",
    "?msd_fib n>2 & (Ak k<2*n => F[k]!=F[k+n]) & i=n",
    "An Ei (Ak k<n => F[i+k]=F[k]) & i>n",
    "(Ak k<n => P[k+i]=@0) | (Ek k<i & P[k+n]=@1)",
    "Ak k<n => (k<3 | RS[k]=RS[i])",
]


@pytest.mark.parametrize("formula", few(CASES, 4))
@pytest.mark.usefixtures("impatient")
def test_the_answer_is_the_same(formula: str) -> None:
    found = Session("msd_2", without="recognize").eval(formula)
    plain = Session("msd_2", without=["learn", "recognize"]).eval(formula)
    assert learned(found) and not learned(plain)
    if isinstance(found, Verdict) and isinstance(plain, Verdict):
        assert found.truth == plain.truth and found.text == plain.text == formula
        assert (found.evidence is None) == (plain.evidence is None)
        if found.evidence is not None and plain.evidence is not None:
            assert found.evidence.values == plain.evidence.values
        assert pickle.loads(pickle.dumps(found)).truth == found.truth
    else:
        assert isinstance(found, Relation) and isinstance(plain, Relation)
        assert found.automaton == plain.automaton and found.text == formula


@pytest.mark.long
@pytest.mark.usefixtures("impatient")
def test_what_is_said() -> None:
    session = Session("msd_2", without="recognize")
    (label,) = learned(session.eval("Ei,n n>0 & (Ak k<=n => T[i+k]=T[i+k+n])"))
    assert label.startswith("[Ak k<=n => T[i+k]=T[i+k+n]: learned, ") and label.endswith("proved by induction on z]")
    seen: list[Record] = []
    session.options = replace(session.options, watch=seen.append)
    session.eval("Ak k<n => T[k]=T[j+k]")
    assert any(record.operation == "learn" for record in seen)


@pytest.mark.usefixtures("impatient")
def test_where_it_does_not_learn() -> None:
    """Switched off; in the textbook plan; where digits are shared; where steps have the numbers of the formula."""
    formula = "Ak k<n => T[k]=T[j+k]"
    assert not learned(Session("msd_2", without=["learn"]).eval(formula))
    assert not learned(Session("msd_2", plan="textbook").eval(formula))
    assert not learned(Session("msd_2", shared_digits=True).eval(formula))
    session = Session("msd_2")
    kept: list[Dfa] = []
    session.options = replace(session.options, keep=lambda record, automaton: kept.append(automaton))
    assert not learned(session.eval(formula)) and kept


@pytest.mark.usefixtures("impatient")
def test_what_is_decided_at_once_is_not_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = "(Ak k<n => T[k]=T[j+k]) & j>n"
    assert learned(Session("msd_2", without="recognize").eval(formula))
    monkeypatch.setattr(bounded, "QUICK", 1.0)
    assert not learned(Session("msd_2", without="recognize").eval(formula))


@pytest.mark.usefixtures("impatient")
def test_what_cannot_be_learned_is_built() -> None:
    """A negative base: the recursion is about natural numbers; a recursion without an automaton of its own."""
    assert not learned(Session("msd_neg_2").eval("Ak k<n => k!=i"))
    session = Session("msd_2")
    session.define("nothing", "k+i<0 & n<0")
    assert isinstance(session.eval("Ek k<n & $nothing(k,i,n)"), Relation)


def test_limits_of_the_user_hold() -> None:
    session = Session("msd_fib", limits=Limits(seconds=0.3))
    session.define_morphic_word("W", [[0, 1], [2], [3, 4], [5, 1], [0], [3, 1]], [0, 1, 1, 0, 1, 0])
    with pytest.raises(BudgetSpent) as spent:
        session.eval("Ai,j,n (Ak k<n => W[i+2*k+j]=W[3*j+k]) => n<9")
    assert "0.3 s" in str(spent.value)
    with pytest.raises(BudgetSpent):
        Session("msd_2", limits=Limits(seconds=1e-9)).eval("?msd_narayana Ax x=x")


def test_a_formula_that_is_too_large_to_be_built() -> None:
    """Two letters of a word with ten states at different speeds, in few states: the subsets on the way are many."""
    session = Session("msd_fib", limits=Limits(transitions=20000))
    images = [[0, 7], [3, 8], [1, 5], [4, 9], [2, 6], [1], [3], [4], [0], [2]]
    session.define_morphic_word("W", images, list(range(10)))
    formula = "Ak k<n => W[i+2*k]=W[k]"
    outcome = session.relation(formula)
    assert learned(outcome)
    without = Session("msd_fib", limits=session.options.limits, without="learn")
    without.define_morphic_word("W", images, list(range(10)))
    with pytest.raises(BudgetSpent):
        without.relation(formula)
    letters = session.namespace.words["W"][:200]
    for i in range(40):
        most = next((k for k in range(60) if letters[i + 2 * k] != letters[k]), 60)
        assert all(((i, n) in outcome) == (n <= most) for n in range(12))


#: A formula with a bound that is a term, so that the relation is not a part of it as it stands.
AGAIN = "Ei,n n>0 & (Ak k<=n => T[i+2*k]=T[i+k+n])"


@pytest.mark.long
@pytest.mark.usefixtures("impatient")
def test_what_was_learned_is_known_in_other_formulas_of_the_session() -> None:
    session = Session("msd_2", without="recognize")
    first = session.eval(AGAIN)
    assert [": learned, " in label for label in learned(first)] == [True]
    for other in (AGAIN, "Al l<a+b => T[c+2*l]=T[c+l+a]", "Ak k<n => T[i+2*k]=T[i+k+m]"):
        again = session.eval(other)
        assert [": learned before]" in label for label in learned(again)] == [True], other
        plain = Session("msd_2", without=["learn", "recognize"]).eval(other)
        if isinstance(again, Relation) and isinstance(plain, Relation):
            assert again.automaton == plain.automaton
        else:
            assert isinstance(again, Verdict) and isinstance(plain, Verdict) and again.truth == plain.truth
    assert ": learned, " in learned(session.eval("Ak k<=n => T[i+3*k]=T[i+k+n]"))[0], "this is another one"
    session.define_morphic_word("T", [[0, 1], [0, 0]], [0, 1])
    assert ": learned, " in learned(session.eval(AGAIN))[0], "the word is another one"


@pytest.mark.long
@pytest.mark.usefixtures("impatient")
def test_what_was_learned_is_proved_again_in_other_sessions_of_a_folder(tmp_path: Path) -> None:
    formula = "Ak k<=n => T[i+2*k]=T[i+k+n]"

    def session() -> Session:
        made = Session("msd_2", without="recognize")
        made.use_folders(tmp_path)
        return made

    first = session().relation(formula)
    assert ": learned, " in learned(first)[0]
    (file,) = tmp_path.glob("Result/learned_*.txt")
    again = session().relation(formula)
    assert ": read from a file, proved by induction]" in learned(again)[0]
    assert again.automaton == first.automaton
    # What is in the file is wrong: one state accepts that should not, or the file is none.
    text = file.read_text()
    place = text.rindex(" 0\n")
    for wrong in (text[:place] + " 1\n" + text[place + 3 :], text[:100], "?"):
        file.write_text(wrong)
        other = session().relation(formula)
        assert ": learned, " in learned(other)[0]
        assert other.automaton == first.automaton and file.read_text() == text
    # The text means something else.
    changed = session()
    changed.define_morphic_word("T", [[0, 1], [0, 0]], [0, 1])
    other = changed.relation(formula)
    assert ": learned, " in learned(other)[0]
    plain = Session("msd_2", without=["learn", "recognize"])
    plain.define_morphic_word("T", [[0, 1], [0, 0]], [0, 1])
    assert other.automaton == plain.relation(formula).automaton
