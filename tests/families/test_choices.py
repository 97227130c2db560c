"""Families of words by choices of morphisms, and paperfolding words, against words that are made by their definitions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

import fibprover as fp
from fibprover import Session
from fibprover.base.errors import BudgetSpent, FibproverError, NotSupported, SyntaxProblem, TypeMismatch
from fibprover.numeration.parameters import ChoiceSequence
from fibprover.numeration.slope_expressions import slopes_of
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from tests.families.test_random_formulas import LIMITS, formula

Word = list[int]

#: Families by their morphisms.
FAMILIES = {
    "thue": "0->01,1->10 | 0->01,1->00",
    "three": "0->012,1->120,2->201 | 0->001,1->210,2->102 | 0->010,1->111,2->022",
    "one": "0->01,1->10",
    "rudin": "a->ab,b->ac,c->db,d->dc | a->ac,b->ab,c->dc,d->db",
}


def random_choices(rng: random.Random, count: int) -> ChoiceSequence:
    preperiod, period = (tuple(rng.randint(1, count) for _ in range(rng.randint(*size))) for size in ((0, 3), (1, 3)))
    return ChoiceSequence(preperiod, period)


def composed(morphisms: str, choices: ChoiceSequence, length: int) -> Word:
    """Return a prefix of s_1(s_2(... a)); letters are numbered in the order of the rules unless they are digits."""
    parts = [dict(rule.strip().split("->") for rule in part.split(",")) for part in morphisms.split("|")]
    letters = list(parts[0])
    chosen = [*choices.preperiod, *choices.period * length]
    depth = 0
    while len(parts[0][letters[0]]) ** depth < length:
        depth += 1
    word = letters[0]
    for choice in reversed(chosen[:depth]):
        word = "".join(parts[choice - 1][letter] for letter in word)
    return [int(letter) if letter.isdigit() else letters.index(letter) for letter in word[:length]]


def folded(choices: ChoiceSequence, length: int) -> Word:
    """Return the first letters of a paperfolding word, made by folding: w, a fold, and w reversed and complemented."""
    word: Word = []
    for choice in [*choices.preperiod, *choices.period * length]:
        word = [*word, choice - 1, *(1 - letter for letter in reversed(word))]
        if len(word) >= length:
            return word[:length]
    raise AssertionError


def family(name: str) -> tuple[Session, str, Callable[[ChoiceSequence, int], Word], int]:
    """Return a session with the family W, its system, its words, and the number of choices."""
    if name == "paper":
        session = Session("msd_2_choices_2")
        session.define_word("W", ["n"], "PAPER[n]")
        return session, "msd_2", folded, 2
    count = FAMILIES[name].count("|") + 1
    base = len(FAMILIES[name].split(",")[0].split("->")[1])
    session = Session(f"msd_{base}_choices_{count}")
    session.family("W", FAMILIES[name])
    return session, f"msd_{base}", lambda choices, length: composed(FAMILIES[name], choices, length), count


def test_folding_is_what_the_library_says() -> None:
    """PF has folds 1 and -1; as values its digit words are in stored order, last letter first."""
    word = fp.word("PF")
    choices = ChoiceSequence((1, 2, 2), (1, 2))
    folds = tuple(3 - 2 * choice for choice in [*choices.preperiod, *choices.period * 3])[::-1]
    assert [word.value(folds, n + 1) for n in range(200)] == [1 - 2 * letter for letter in folded(choices, 200)]


@pytest.mark.parametrize("name", [*FAMILIES, "paper"])
def test_words_at_choices(name: str) -> None:
    session, system, words, count = family(name)
    relations = {letter: session.eval(f"W[n]={letter}") for letter in session.namespace.words["W"].outputs}
    rng = random.Random(name)
    for _ in range(8):
        choices = random_choices(rng, count)
        expected = words(choices, 300)
        for letter, relation in relations.items():
            assert isinstance(relation, FamilyRelation)
            member = relation.at(str(choices))
            assert [str(sort) for sort in member.sorts] == [system]
            assert [n for n in range(300) if n in member] == [n for n in range(300) if expected[n] == letter]


@pytest.mark.parametrize("said", ["x+y=z", "x<y", "2*x=y+3", "x=7", "Ey y<x & 2*x=3*y+z", "~(Ey x=3*y)"])
def test_arithmetic_is_that_of_the_base(said: str) -> None:
    for system, base in (("msd_2_choices_2", "msd_2"), ("msd_3_choices_1", "msd_3")):
        relation = Session(system).eval(said)
        assert isinstance(relation, FamilyRelation)
        assert relation.at("(1)").automaton == Session(base).relation(said).automaton


@pytest.mark.parametrize("seed", range(12))
def test_random_formulas(seed: int) -> None:
    """Bounded quantifiers; both plans have the same numbers at each sequence of choices."""
    rng = random.Random(seed)
    session, _, words, count = family(rng.choice(["thue", "paper"]))
    made = formula(rng, ["i", "j"], 2)
    text = f"i=i & j=j & ({made.text.replace('C[', 'W[')})"
    try:
        relations = [session.eval(text, plan=plan, limits=LIMITS) for plan in ("optimized", "textbook")]
    except (BudgetSpent, NotSupported):
        return
    for _ in range(3):
        choices = random_choices(rng, count)
        word = words(choices, 400)
        for relation in relations:
            assert isinstance(relation, FamilyRelation)
            member = relation.at(str(choices))
            for _ in range(30):
                i, j = rng.randrange(20), rng.randrange(20)
                assert ((i, j) in member) == made.truth(word, {"i": i, "j": j}), (text, choices, i, j)


def power(w: Word, above: int, below: int) -> bool:
    """Whether a factor of length n has a period p with n/p at least above/below."""
    for p in range(1, 40):
        run = longest = 0
        for i in range(len(w) - p):
            run = run + 1 if w[i] == w[i + p] else 0
            longest = max(longest, run)
        if longest and below * (longest + p) >= above * p:
            return True
    return False


#: Closed formulas about W, and their truth by a prefix.
CLOSED: list[tuple[str, Callable[[Word], bool]]] = [
    ("Ei,n $per_W(i,n,p) & n>=2*p & p>0", lambda w: True),
    ("Ei W[i]=1 & W[i+1]=1", lambda w: (1, 1) in pairwise(w)),
    ("Ei,n,p $per_W(i,n,p) & n>=3*p", lambda w: power(w, 3, 1)),
    ("Ei,n,p $per_W(i,n,p) & 2*n>=5*p", lambda w: power(w, 5, 2)),
    ("Ei,n,p $per_W(i,n,p) & n>=4*p", lambda w: power(w, 4, 1)),
    ("Ei,n n>0 & $feq_W(i,i+n,n+1)", lambda w: any(
        w[i : i + n + 1] == w[i + n : i + 2 * n + 1] for n in range(1, 40) for i in range(len(w) - 2 * n))),
    ("W[0]=W[1]", lambda w: w[0] == w[1]),
    ("Ei i>0 & $feq_W(0,i,4) & i<20", lambda w: any(w[:4] == w[i : i + 4] for i in range(1, 20))),
]


@pytest.mark.parametrize("name", ["thue", "paper", "one"])
def test_closed_formulas(name: str) -> None:
    session, _, words, count = family(name)
    rng = random.Random(name)
    found = [(session.eval(said), truth) for said, truth in CLOSED[1:]]
    for _ in range(25):
        choices = random_choices(rng, count)
        word = words(choices, 600)
        for verdict, truth in found:
            assert isinstance(verdict, SlopeVerdict)
            assert (str(choices) in verdict.slopes) == truth(word), (verdict.text, choices)


@pytest.mark.parametrize("name", ["thue", "paper"])
def test_sets_of_choices(name: str) -> None:
    session, *_ = family(name)
    for said, _ in CLOSED[1:]:
        verdict = session.eval(said)
        assert isinstance(verdict, SlopeVerdict)
        found = verdict.slopes
        assert found.choices == 2
        assert (found.plural if found.answer == "some" else found.noun) in str(verdict)
        assert found.expression is not None
        assert slopes_of(found.expression, track=session.namespace.parameter("msd_2_choices_2")) == found
        assert found.complement.complement == found
        for choices, inside in ((found.least, True), (found.least_outside, False)):
            if choices is not None:
                assert isinstance(choices, ChoiceSequence)
                assert (choices in found) is inside and (choices in found.complement) is not inside


EXPRESSIONS: list[tuple[str, Callable[[Sequence[int]], bool]]] = [
    ("1*", lambda a: set(a) == {1}),
    (".* 3 .*", lambda a: 3 in a),
    ("[1,3] .*", lambda a: a[0] != 2),
    ("(1 | 2 [>=2])*", lambda a: all(a[i] == 1 for i in pairs(a))),
]


def pairs(a: Sequence[int]) -> list[int]:
    """The places where a part of (1 | 2 [>=2])* begins that is no pair; a part that is none is there with its letter.
    """
    found, i = [], 0
    while i + 1 < len(a):
        if a[i] == 2 and a[i + 1] >= 2:
            i += 2
        else:
            found.append(i)
            i += 1
    return found


@pytest.mark.parametrize(("expression", "expected"), EXPRESSIONS, ids=[each for each, _ in EXPRESSIONS])
def test_expressions(expression: str, expected: Callable[[Sequence[int]], bool]) -> None:
    session = Session("msd_2_choices_3")
    found = session.slope("x", f"?msd_2_choices_3 {expression}")
    assert isinstance(found, SlopeSet)
    rng = random.Random(expression)
    for _ in range(60):
        choices = random_choices(rng, 3)
        assert (choices in found) == expected([*choices.preperiod, *choices.period * 20]), choices
    assert str(session.eval("$x()")) == "TRUE for exactly these sequences of choices"


@pytest.mark.parametrize("morphisms", [
    "0->01,1->10 | 0->01,2->00", "0->01,1->1", "0->1,1->0", "0->01,1->10 | 0->10,1->01", "0->012,1->102", "",
    "0->01,1->10 |",
])
def test_morphisms_that_are_no_family(morphisms: str) -> None:
    session = Session()
    with pytest.raises(FibproverError):
        session.family("W", morphisms)
    assert "W" not in session.namespace.words


def test_errors() -> None:
    session = Session("msd_2_choices_2")
    session.family("W", FAMILIES["thue"])
    with pytest.raises(TypeMismatch):
        session.eval("?msd_2_choices_2 Ex x>0 & (?msd_2_choices_3 Ey y>1)")
    session.slope("other", "?msd_2_choices_3 1*")
    session.slope("golden", "1*")
    for said in ("$other() & W[0]=0", "$golden() & W[0]=0", "W[n]=C[n]", "W[0]=0 & C[0]=0"):
        with pytest.raises(TypeMismatch):
            session.eval(said)
    with pytest.raises(NotSupported):
        session.slope("often", "?msd_2_choices_2 (.* 2)*")
    with pytest.raises(SyntaxProblem):
        session.slope("many", "?msd_2_choices_2 3*")
    for text in ("4 (1)", "1 2", "[0; (1)]", "()"):
        with pytest.raises(FibproverError):
            assert text in SlopeSet(session.namespace.definitions["other"].automaton)
        relation = session.eval("W[n]=1")
        assert isinstance(relation, FamilyRelation)
        with pytest.raises(FibproverError):
            relation.at(text)
    for system in ("msd_1_choices_2", "msd_2_choices_0", "msd_70_choices_2", "lsd_1_choices_2", "msd_choice"):
        with pytest.raises(FibproverError):
            session.eval(f"?{system} x=1")
    with pytest.raises(FibproverError):
        session.namespace.parameter("msd_2")
