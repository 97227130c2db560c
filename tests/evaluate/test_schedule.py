"""The pieces of a conjunction: what its quantifiers divide is evaluated by itself."""

from __future__ import annotations

import pytest

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.evaluate.schedule import apart
from fibprover.prover.plan.rules import JOIN_ORDER
from fibprover.prover.plan.steps import Block, NegatedConjunct, Step
from fibprover.prover.plan.textbook import textbook
from tests.evaluate.test_blocks import HALF, ORDER, SMALL, SUM, atom, same
from tests.plan.making import automaton, known, plan, resolved


def pieces(quantified: str, parts: list[Step], negated: list[NegatedConjunct]) -> tuple[list[Block], int, int]:
    """The blocks taken out, and how many parts and negated conjuncts stay."""
    left, negated_left = apart(set(quantified), tuple(parts), tuple(negated))
    blocks = [part for part in left if isinstance(part, Block)]
    return blocks, len(left) - len(blocks), len(negated_left)


LESS = atom("<=", 0, b=1, c=-1)
NOT_A, NOT_B = (NegatedConjunct((), atom("=", 3, **{name: 1})) for name in "ab")
TWO: list[Step] = [atom("<=", 0, a=1, c=-1), LESS]


def test_independent_pieces_with_exclusions() -> None:
    blocks, parts, negated_left = pieces("ab", TWO, [NOT_A, NOT_B])
    assert [block.quantified for block in blocks] == [("a",), ("b",)] and (parts, negated_left) == (0, 0)
    assert [block.variables for block in blocks] == [("c",), ("c",)]
    same(Block(("a", "b"), tuple(TWO), (NOT_A, NOT_B), ("c",)))


def test_what_is_about_free_variables_stays_and_goes_along() -> None:
    """It cuts the pieces down, too."""
    beside = NegatedConjunct((), atom("=", 4, c=1))
    blocks, parts, negated_left = pieces("ab", [*TWO, SMALL], [NOT_A, NOT_B, beside])
    assert [len(block.parts) for block in blocks] == [2, 2] and (parts, negated_left) == (1, 1)
    same(Block(("a", "b"), (*TWO, SMALL), (NOT_A, NOT_B, beside), ("c",)))


@pytest.mark.parametrize(
    ("quantified", "parts", "negated"),
    [
        # one piece, by a part or by a negated conjunct
        ("ab", [*TWO, ORDER], [NOT_A, NOT_B]),
        ("ab", TWO, [NOT_A, NegatedConjunct((), ORDER)]),
        ("ab", TWO, [NOT_A, NOT_B, NegatedConjunct(("d",), Block((), (SUM, HALF), (), ("a", "b", "c", "d")))]),
        # nothing negated from the second one; its variable is projected early
        ("ab", TWO, [NOT_A]),
        # nothing but negated conjuncts is said of the second one: alone it were a complement
        ("ab", TWO[:1], [NOT_A, NOT_B]),
        # not quantified
        ("a", TWO, [NOT_A, NOT_B]),
        ("", TWO, [NOT_A, NOT_B]),
    ],
)
def test_the_rest_stays_together(quantified: str, parts: list[Step], negated: list[NegatedConjunct]) -> None:
    assert apart(set(quantified), tuple(parts), tuple(negated)) == (tuple(parts), tuple(negated))
    names = {name for part in (*parts, *negated) for name in part.variables} - set(quantified)
    same(Block(tuple(quantified), tuple(parts), tuple(negated), tuple(sorted(names))))


#: Three independent pairs with negated conjuncts: their product has thousands of states.
PRODUCT = "Ea1,a2,b1,b2,c1,c2 " + " & ".join(
    f"{m}1<x & {m}2<x & T[{m}1]=T[{m}2] & {m}1!={m}2+1 & {m}1!=2*{m}2+{k}" for k, m in enumerate("abc")
)


@pytest.mark.parametrize("text", [PRODUCT, f"x<40 & ~({PRODUCT})"])
def test_the_product_of_independent_pieces_is_not_built(text: str) -> None:
    found = evaluate(plan(text), known().namespace.system, Cache(), Limits(states=500).start())
    assert found.automaton == automaton(textbook(resolved(text)))
    with pytest.raises(BudgetSpent):
        evaluate(plan(text, JOIN_ORDER), known().namespace.system, Cache(), Limits(states=500).start())
