"""Copies with pairwise `!=` become counts, and nothing that only looks like them does."""

from __future__ import annotations

import pytest

from fibprover.base.limits import UNLIMITED
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.plan import steps
from fibprover.prover.plan.conjunction import alternatives
from fibprover.prover.plan.rules import COUNTING
from fibprover.prover.plan.textbook import textbook
from tests.plan.making import automaton, every, known, plan, resolved


def counts(text: str, *off: str) -> list[tuple[int, int]]:
    """The number and the width of the tuples of every count in the plan."""
    found = [step for step in every(plan(text, *off).root) if isinstance(step, steps.AtLeast)]
    return [(step.count, len(step.quantified)) for step in found]


def same(text: str) -> None:
    """The plan means what the textbook's does, with counts and without."""
    expected = automaton(textbook(resolved(text)))
    assert automaton(plan(text)) == expected, text
    assert automaton(plan(text, COUNTING)) == expected, text


#: Formulas made of copies: what they come to.
COPIES = [
    ("Ea,b a<x & b<x & a!=b", [(2, 1)]),
    ("Ea,b T[a]=T[x] & a<x & T[b]=T[x] & b<x & ~(a=b)", [(2, 1)]),
    ("Ea,b,c a<x & b<x & c<x & a!=b & a!=c & b!=c", [(3, 1)]),
    ("Ea,b,c,d a<x & b<x & c<x & d<x & a!=b & a!=c & b!=c & d!=a & d!=b & d!=c", [(4, 1)]),
    ("Ea,b,c,d a+b=x & c+d=x & ~(a=c & b=d)", [(2, 2)]),
    ("Ea,b,c,d a+b=x & c+d=x & (a!=c | b!=d)", [(2, 2)]),
    ("Ea,b,c,d,e,f a+2*b=x & c+2*d=x & e+2*f=x & ~(a=c & b=d) & ~(a=e & b=f) & ~(c=e & d=f)", [(3, 2)]),
    ("Ea,b a<x & ~(Ey y<a & T[y]=@1) & b<x & ~(Ez z<b & T[z]=@1) & a!=b", [(2, 1)]),
    # Two of the four branches are made of copies.
    ("Ea,b (a=x | a=5) & (b=x | b=5) & y<3 & a!=b", [(2, 1), (2, 1)]),
    # What is beside the copies stays.
    ("Ea,b,w a<x & b<x & a!=b & w+w=y", [(2, 1)]),
    ("Ea,b,c,d a<x & b<x & a!=b & c<y & d<y & c!=d", [(2, 1), (2, 1)]),
]


@pytest.mark.parametrize(("text", "expected"), COPIES)
def test_copies_are_counted(text: str, expected: list[tuple[int, int]]) -> None:
    assert sorted(counts(text)) == expected and counts(text, COUNTING) == []
    same(text)


#: Like copies, and not to be counted: the reason is before each.
NO_COPIES = [
    # other conditions
    "Ea,b a<x & b<y & a!=b",
    "Ea,b a<x & b<=x & a!=b",
    "Ea,b a<x & b<x & b>1 & a!=b",
    "Ea,b a<x & 2*b<x & a!=b",
    "Ea,b T[a]=@1 & a<x & T[b]=@0 & b<x & a!=b",
    "Ea,b a<x & ~T[a]=@1 & b<x & T[b]=@1 & a!=b",
    # an order between the copies, or a condition on both
    "Ea,b a<x & b<x & a<b",
    "Ea,b a<x & b<x & a!=b & a+b=x",
    "Ea,b a<x & b<x & a!=b & ~(a+b=x)",
    "Ea,b a<x & b<x & 2*a!=b",
    "Ea,b a<x & b<x & a+1!=b",
    # conditions with variables of their own
    "Ea,b (Ey a=2*y & y<x) & (Ez b=2*z & z<x) & a!=b",
    # not all differ
    "Ea,b,c a<x & b<x & c<x & a!=b & b!=c",
    # tuples that differ in one place, or crosswise
    "Ea,b,c,d a+b=x & c+d=x & a!=c",
    "Ea,b,c,d a+b=x & c+d=x & a!=c & b!=d",
    "Ea,b,c,d a+b=x & c+d=x & ~(a=c & a=d)",
    # what is quantified is nothing beyond the inequality
    "Ea,b a!=b & x=x",
    "Ea,b a<x & a!=b",
]


@pytest.mark.parametrize("text", NO_COPIES)
def test_what_is_no_copy_is_not_counted(text: str) -> None:
    assert counts(text) == []
    same(text)


class TestMoreIsSaidOfTheCopies:
    """Copies that differ not only from one another: a count of them alone said too little."""

    def test_tuples_that_differ_crosswise_as_well(self) -> None:
        text = "Ea,b,c,d a+b=x & a>0 & b>0 & c+d=x & c>0 & d>0 & ~(a=c & b=d) & ~(a=d & b=c)"
        assert counts(text) == []
        same(text)

    def test_copies_that_differ_from_something_else(self) -> None:
        text = "Ea,b,c,d a>=1 & a<=2 & b>=1 & b<=2 & a!=b & c<x & c>y & d>x & d<x+y & b!=c & b!=d"
        assert counts(text) == []
        same(text)

    def test_three_tuples_of_which_two_are_paired_crosswise(self) -> None:
        ranges = " & ".join(f"{m}+{n}=3 & {m}>=x & {n}>=x" for m, n in ("ab", "cd", "ef"))
        text = f"Ea,b,c,d,e,f {ranges} & ~(a=c & b=d) & ~(a=e & b=f) & ~(c=f & d=e)"
        assert counts(text) == []
        same(text)


#: Counts of alternatives: how many there are, and whether the same tuple may satisfy two of them.
ALTERNATIVES = [
    ("E>=2 a,b (a=x & b<y) | (b=y & a<x)", 2),
    ("E>=3 a,b T[a]=T[b] & ((a=x & b<y) | (b=y & a<x) | (a<x & b<y & a+y=b+x))", 3),
    ("E=2 a (a<x & T[a]=@1) | (x<a & a<y)", 2),
    ("E>=2 a (a<x | a<y) & T[a]=@0", 2),
    ("E>=2 a (a<x | a<y | a<z) & z<9", 3),
    ("E>=2 a,b (a<x | b=y) & b<4 & a<y", 2),
    # some values of one alternative are infinitely many
    ("E>=5 a (a<x | a>y)", 2),
    ("E>=2 a,b (a=x | b=y) & a+b<z", 2),
    # a hidden variable, and a part that has nothing to do with what is counted
    ("E>=2 a (Ew w<3 & (a=x+w | a=y+w)) & z<5", 2),
    ("E>=2 a a<x & (z<5 | y<5)", 1),
    # no alternatives
    ("E>=2 a a<x & a<y", 1),
    # too many
    (f"E>=2 a {' | '.join(f'a=x+{number}' for number in range(9))}", 1),
    # among alternatives, none of which is possible
    ("E>=2 a (a<x & x<a) | (a<y & y<a)", 2),
]


@pytest.mark.parametrize(("text", "number"), ALTERNATIVES)
def test_alternatives_are_counted_apart(text: str, number: int) -> None:
    found = [len(alternatives(step)) for step in every(plan(text).root) if isinstance(step, steps.AtLeast)]
    assert max(found) == number
    same(text)


def test_alternatives_need_not_be_counted_together() -> None:
    """The states of the counts are added, not multiplied: what is built without the rule is larger."""
    text = "E>=6 a,b T[a]=T[b] & ((a=x & b<y) | (b=y & a<x) | (a<x & b<y & a+y=b+x))"
    assert largest(text) < largest(text, COUNTING)


def largest(text: str, *off: str) -> int:
    """The largest automaton of an evaluation."""
    return evaluate(plan(text, *off), known().namespace.system, Cache(), UNLIMITED).trace.largest
