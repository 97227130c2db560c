"""The pieces of a conjunction: what its quantifiers divide is evaluated by itself."""

from __future__ import annotations

import random

import pytest

import fibprover as fp
from fibprover.automata import kernels
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.base.values import replaced
from fibprover.prover.evaluate import blocks
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.evaluate.schedule import apart, inner
from fibprover.prover.plan.rules import JOIN_ORDER
from fibprover.prover.plan.steps import Block, NegatedConjunct, Step
from fibprover.prover.plan.textbook import textbook
from tests.evaluate.test_blocks import HALF, ORDER, SMALL, SUM, atom, block, same, some_atom, some_block
from tests.plan.making import automaton, known, plan, resolved
from tests.seeds import chosen_seed


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


#: d meets only a, and e only b.
LEFT, RIGHT = atom("=", 0, a=1, d=-2), atom("=", 1, b=1, e=-2)
NOT_D, NOT_E = (NegatedConjunct((), atom("=", 3, **{name: 1})) for name in "de")
UNEQUAL = NegatedConjunct((), atom("=", 0, a=1, b=-1))


@pytest.mark.parametrize(
    ("quantified", "parts", "negated", "expected"),
    [
        ("abde", [LEFT, RIGHT], [NOT_D, NOT_E, UNEQUAL], ["d", "e"]),
        # c is in no negated conjunct, and goes with d
        ("abcde", [atom("=", 0, a=1, c=1, d=-1), RIGHT], [NOT_D, NOT_E, UNEQUAL], ["e", "cd"]),
        # c would take b along, which all needs
        ("abcd", [LEFT, atom("=", 0, b=1, c=1, d=-1)], [NOT_D, UNEQUAL], []),
        # d and e meet each other: one of them is inside, the other one is not
        ("abde", [atom("=", 2, a=1, d=-1, e=1), ORDER], [NOT_D, NOT_E, UNEQUAL], ["b", "d"]),
        # nothing but negated conjuncts is said of a and d together
        ("ad", [atom("<=", 9, d=1), ORDER], [NegatedConjunct((), LEFT), UNEQUAL], []),
        # all variables of the guard are met
        ("ad", [LEFT], [NOT_D, NOT_A], []),
        # nothing is negated
        ("ad", [LEFT], [], []),
    ],
)
def test_variables_that_meet_few_others_have_blocks_of_their_own(
    quantified: str, parts: list[Step], negated: list[NegatedConjunct], expected: list[str]
) -> None:
    names = {name for part in (*parts, *negated) for name in part.variables} - set(quantified)
    whole = Block(tuple(quantified), tuple(parts), tuple(negated), tuple(sorted(names)))
    made = divided(whole)
    inside = [] if made is None else [part for part in made.parts if isinstance(part, Block)]
    assert ["".join(block.quantified) for block in inside] == expected
    same(whole)
    if made is not None:
        same(made, meaning=whole)


def divided(block: Block) -> Block | None:
    """The same block with others inside, if there are any."""
    found = inner(set(block.quantified), block.parts, block.negated)
    return None if found is None else replaced(block, parts=found[0], negated=found[1])


def a_block_of_pairs(chance: random.Random) -> Block:
    """A block over a, b, c, d and e, where d and e meet few of the others, or each other."""
    parts: list[Step] = [some_atom(chance, tuple("abc"))]
    negated = [NegatedConjunct((), some_atom(chance, tuple("abc")))]
    for late in "de":
        others = chance.sample("abcde".replace(late, ""), chance.choice((1, 1, 2)))
        parts.append(atom(chance.choice(("=", "<=")), chance.randint(-2, 3), **{late: -1}, **dict.fromkeys(others, 1)))
        negated.append(NegatedConjunct((), some_atom(chance, (late, *others[:1]))))
        if chance.random() < 0.3:
            negated.append(NegatedConjunct((), block("", [some_atom(chance, (late, "c"))], [])))
    names = {name for part in (*parts, *negated) for name in part.variables}
    bound = [name for name in "abcde" if name in names and (name in "de" or chance.random() < 0.7)]
    return Block(tuple(bound), tuple(parts), tuple(negated), tuple(sorted(names.difference(bound))))


@pytest.mark.random
def test_random_blocks_with_others_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """They mean the same, and so does what is tried in turn within bounds so small that both are needed."""
    monkeypatch.setattr(blocks, "TURNS_FIRST", 1)
    seed, found = chosen_seed(), 0
    for number in range(120):
        whole = a_block_of_pairs(random.Random(seed + number))
        made = divided(whole)
        if made is None:
            continue
        found += 1
        try:
            same(whole)
            same(made, meaning=whole)
        except AssertionError as problem:
            raise AssertionError(f"block {number} of seed {seed}") from problem
    assert found > 10


@pytest.mark.random
def test_random_blocks_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound of the first turn is so small that no block keeps to it."""
    monkeypatch.setattr(blocks, "TURNS_FIRST", 1)
    seed = chosen_seed()
    for number in range(150):
        chance = random.Random(seed + number)
        made = some_block(chance, 2)
        quantified = {name for name in "abc" if chance.random() < 0.6}
        free = tuple(name for name in made.variables if name not in quantified)
        try:
            same(Block(tuple(quantified.intersection(made.variables)), made.parts, made.negated, free))
        except AssertionError as problem:
            raise AssertionError(f"block {number} of seed {seed}") from problem


#: From the first occurrence j of a factor of length n and its return word on, that of the factor at i comes after d.
RETURN = (
    "(Ed d>0 & $same(i,{0},n) & $same({0},{0}+d,n) & (Am m>0 & m<d => ~$same({0},{0}+m,n)) "
    "& Al l<{0} => ~$same(l,{0},n+d))"
)


#: Within so many transitions the block with others inside is carried out; the kernels in Python need more of them.
LEAST = 100_000 if kernels.NAME == "compiled" else 1_000_000


@pytest.mark.parametrize("limits", [fp.Limits(transitions=LEAST), fp.Limits(states=40_000)])
def test_two_of_a_kind_are_not_carried_out_in_one_product(limits: fp.Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two return words in one product have over 400 million transitions, and the relation of one has a few states."""
    session = fp.Session(limits=limits, without=["learn"])
    session.run('ost root3 [0 1] [1 2]; def odd "?msd_root3 Ey n=2*y+1"; combine O odd;')
    session.run('def same "?msd_root3 Ak k<n => O[i+k]=O[j+k]":')
    two = f"?msd_root3 Ej,k {RETURN.format('j')} & {RETURN.format('k')} & j!=k"
    with monkeypatch.context() as without:
        without.setattr(blocks, "inner", lambda quantified, parts, negated: None)
        with pytest.raises(BudgetSpent):
            session.eval(two)
    assert session.eval(two) == session.eval("?msd_root3 i=i & n=0")


def test_where_the_blocks_inside_are_too_large_the_block_is_carried_out_as_it_is() -> None:
    """The limit of the states holds for the one, and the bound of the first turns for the other."""
    session = fp.Session("msd_10", limits=fp.Limits(states=2000), without=["learn"])
    session.run('def p97 "Ea x=97*a+3"; def p89 "Eb x=89*b+5";')
    small = "v1<=v2 & v2<=v3 & v3<=v4 & ~(v1=2 & x=v4) & x+w<10 & $p97(x)"
    # The block as it is has up to 161 states and 3.6 million transitions; what is inside needs more than 2000 states.
    found = session.relation(f"Ed {small} & $p89(d) & d<=x+1000 & ~(d=3*x+4)")
    assert found == session.relation(small)
