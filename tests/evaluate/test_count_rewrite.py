"""'No other one': the negated conjuncts that a count replaces, and those that it must not."""

from __future__ import annotations

import pytest

from fibprover.base.limits import UNLIMITED
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.plan import steps
from fibprover.prover.plan.counting import CountRewrite, count_rewrite
from fibprover.prover.plan.rules import COUNTING, SHARE_TERMS
from fibprover.prover.plan.textbook import textbook
from tests.plan.making import automaton, every, known, plan, resolved


def forms(text: str, *off: str) -> list[CountRewrite]:
    """The negated conjuncts that have the form of 'no other one'."""
    blocks = [step for step in every(plan(text, *off).root) if isinstance(step, steps.Block)]
    return [found for block in blocks for part in block.negated for found in [count_rewrite(part)] if found]


def counted(text: str) -> bool:
    """Return whether the evaluation replaced a negated conjunct by a count."""
    made = plan(text)
    records = evaluate(made, known().namespace.system, Cache(), UNLIMITED).trace.records
    return any(record.label.startswith("[no more than") for record in records)


def same(text: str) -> None:
    expected = automaton(textbook(resolved(text)))
    for off in ((), (COUNTING,), (SHARE_TERMS,)):
        assert automaton(plan(text, *off)) == expected, (text, off)


#: The known tuples satisfy the condition and differ wherever the rest of the formula holds.
COUNTED = [
    "T[x]=@1 & x<y & ~(Er r<y & T[r]=@1 & ~r=x)",
    "x<y & Ar r<y => r=x",
    "T[x]=@1 & x<y & (Ar r<y & T[r]=@1 => r=x)",
    "T[x]=@1 & x<y & (Ar r<y & T[r]=@1 => x=r)",
    "T[x]=@1 & T[z]=@1 & x<z & z<y & (Ar r<y & T[r]=@1 => r=x | r=z)",
    "x+y=z & x<2 & (Ar,s r+s=z & r<2 => r=x & s=y)",
    "x+y=z & x<3 & v+w=z & v<3 & ~(x=v & y=w) & (Ar,s r+s=z & r<3 => (r=x & s=y) | (r=v & s=w))",
    # terms in place of variables
    "T[x+1]=@1 & x+1<y & (Ar r<y & T[r]=@1 => r=x+1)",
    "x>=z & T[x-z]=@1 & x-z<y & (Ar r<y & T[r]=@1 => r=x-z)",
    # with a variable of the condition's own
    "x<y & (Ew w<3 & T[w]=T[x]) & (Ar,w r<y & w<3 & T[w]=T[r] => r=x)",
    "x<y & (Ar,s r<y & s<y => r=x)",
    # no condition at all
    "(Ar r=r => r=x) & x<y",
]

#: The form is there, but not the knowledge, or something is amiss with the form: the reason is before each.
NOT_COUNTED = [
    # x need not satisfy the condition
    "x<y & ~(Er r<y & T[r]=@1 & ~r=x)",
    "Ar r<y & T[r]=@1 => r=x",
    "~(Er r<y & T[r]=@1 & ~r=x & ~r=z)",
    # the two may be the same
    "T[x]=@1 & T[z]=@1 & x<y & z<y & (Ar r<y & T[r]=@1 => r=x | r=z)",
    "T[x]=@1 & x<y & (Ar r<y & T[r]=@1 => r=x | r=x)",
    "x+y=z & v+w=z & (Ar,s r+s=z => (r=x & s=y) | (r=v & s=w))",
    # the term may be undefined
    "x<y & z<y & (Ar r<y & T[r]=@1 => r=x-z)",
    # not a tuple
    "x<y & (Ar,s r+s=y => r+s=x)",
    "x<y & (Ar r<y => 2*r=x)",
    "x<y & (Ar r<y => r=x | r<3)",
    "x<y & (Ar,s r<y & s<y => (r=x & s=z) | r=z)",
    "x<y & (Ar,s r<y & s<y => r=s)",
    # an equation that says something else besides
    "x<y & (Ar r<y => r=x & x=3)",
    "x<y & (Ar r<y => r=x & r=z)",
]


@pytest.mark.parametrize("text", COUNTED)
def test_counted(text: str) -> None:
    assert counted(text)
    same(text)


@pytest.mark.parametrize("text", NOT_COUNTED)
def test_not_counted(text: str) -> None:
    assert not counted(text)
    same(text)


class TestForm:
    def test_parts(self) -> None:
        (found,) = forms("T[x]=@1 & x<y & ~(Er,w r<y & T[r]=T[w] & w<3 & ~r=x & ~r=y)", SHARE_TERMS)
        assert found.quantified == ("r",) and found.condition.quantified == ("w",)
        assert len(found.tuples) == 2 and not found.condition.negated
        assert found.others().count == 3 and found.others().variables == ("y",)

    def test_exclusions_that_are_no_tuples_belong_to_the_condition(self) -> None:
        (found,) = forms("x<y & ~(Er r<y & ~T[r]=@1 & ~r=x & ~(r<3 & r>z))", SHARE_TERMS)
        assert len(found.condition.negated) == 2 and len(found.tuples) == 1

    @pytest.mark.parametrize("equation", ["r=x", "x=r", "r+x=y", "y=r+x", "x+y=r+3", "r=5", "a+r=y"])
    def test_any_variable_may_stand_first(self, equation: str) -> None:
        """What is quantified is looked for, whatever the others are called."""
        (found,) = forms(f"a<y & x<y & ~(Er r<y & ~{equation})", SHARE_TERMS)
        assert found.quantified == ("r",) and len(found.tuples) == 1

    @pytest.mark.parametrize(
        "text",
        ["x<y & ~(Er r<y & T[r]=@1)", "x<y & ~x=3", "~(Er ~r=x)", "x<y & ~(Er r<y & ~2*r=x)", "~(Er,s r<s & ~r=s)"],
    )
    def test_other_exclusions(self, text: str) -> None:
        assert not forms(text, SHARE_TERMS)
        same(text)
