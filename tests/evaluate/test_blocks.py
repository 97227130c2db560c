"""Blocks made by hand: any order of joins, projections and negated conjuncts gives the relation they mean."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.automata import determinization, kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.campaigns.theorems.chapter import DeclaredTheorem
from fibprover.campaigns.theorems.scripts import collect
from fibprover.campaigns.theorems.task import DeclarationRunner, ProofSettings
from fibprover.prover.environment import Sort
from fibprover.prover.evaluate import joining, projection
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.blocks import Blocks
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import Executor
from fibprover.prover.evaluate.projection import Projection
from fibprover.prover.evaluate.schedule import cheapest_pair, expected_cost, preferred_pair
from fibprover.prover.evaluate.trace import Recorder
from fibprover.prover.logic import Linear
from fibprover.prover.plan.steps import Block, Constant, Leaf, NegatedConjunct, Step, Union, Valid
from tests.automata.test_kernels_limits import worst
from tests.plan.making import known
from tests.seeds import chosen_seed

NAMES = ("a", "b", "c", "d", "e")

PROOFS = Path(__file__).parents[2] / "proofs"


def executor(system: str = "msd_2", cache: Cache | None = None) -> Executor:
    """An executor over variables of one system."""
    kind = Sort(system, known().namespace.system(system).digits)
    kinds = dict.fromkeys(NAMES, kind)
    atoms = Atoms(known().namespace.system, kinds, UNLIMITED)
    return Executor(kinds, atoms, cache or Cache(), UNLIMITED, Recorder(), sharing=True)


def atom(relation: str, constant: int, system: str = "msd_2", /, **coefficients: int) -> Leaf:
    """A linear atom."""
    names = tuple(coefficients)
    return Leaf(Linear(system, tuple(coefficients.values()), names, relation, constant), tuple(sorted(names)))


def plain(step: Step, running: Executor) -> Dfa:
    """What a step means, by complements and projections in the order in which it is written."""
    match step:
        case Block():
            result = operations.true()
            for part in step.parts:
                result = operations.conjunction(result, plain(part, running))
            every = sorted({*step.variables, *step.quantified})
            result = running.atoms.cylindrify(result, every)
            for negated in step.negated:
                body = plain(negated.body, running)
                body = operations.exists(body, [name for name in negated.quantified if name in body.names])
                result = operations.difference(result, body)
            return operations.exists(result, step.quantified)
        case Union():
            result = operations.empty([running.sorts[name].track(name) for name in step.variables])
            for part in step.parts:
                result = operations.disjunction(result, running.atoms.cylindrify(plain(part, running), step.variables))
            return result
    return running.result(step)


def same(step: Step, system: str = "msd_2", meaning: Step | None = None) -> None:
    """The evaluator's answer is the plain one; meaning: of another step that means the same, if one is given."""
    running = executor(system)
    found = running.result(step)
    expected = plain(meaning or step, executor(system))
    assert sorted(found.names) == sorted(step.variables)
    order = sorted(step.variables)
    left, right = kernel_calls.reorder(found, order), kernel_calls.reorder(expected, order)
    assert kernel_calls.minimize(left) == kernel_calls.minimize(right), step


def block(quantified: str, parts: list[Step], negated: list[NegatedConjunct]) -> Block:
    """A block that remembers its variables."""
    names = {name for part in (*parts, *negated) for name in part.variables}
    bound = tuple(name for name in quantified if name in names)
    return Block(bound, tuple(parts), tuple(negated), tuple(sorted(names - set(bound))))


def inner(parts: list[Step], negated: list[NegatedConjunct] | None = None) -> Block:
    """The body of a negated part: nothing quantified by itself."""
    return block("", parts, negated or [])


SUM = atom("=", 0, a=1, b=1, c=-1)
ORDER = atom("<=", 0, a=1, b=-1)
SMALL = atom("<=", 6, c=1)
DOUBLE = atom("=", 0, c=1, d=-2)
HALF = atom("=", 0, a=1, d=-2)
THIRD = atom("=", 0, a=3, c=-1)

CHOSEN: list[Callable[[], Step]] = [
    lambda: block("", [], []),
    lambda: block("", [SUM], []),
    lambda: block("a", [SUM, ORDER], []),
    lambda: block("abc", [SUM, ORDER, SMALL], []),
    lambda: block("abc", [SUM, atom("<=", -1, c=1)], []),
    lambda: block("", [Constant(True), SUM], []),
    lambda: block("a", [Constant(False), SUM], []),
    lambda: block("", [Valid(("a", "b")), SUM], []),
    lambda: block("", [], [NegatedConjunct((), ORDER)]),
    lambda: block("a", [], [NegatedConjunct((), ORDER)]),
    lambda: block("ab", [], [NegatedConjunct((), ORDER)]),
    # All of the negated part's variables are its own: it is true or false.
    lambda: block("", [SMALL], [NegatedConjunct(("a", "b"), ORDER)]),
    lambda: block("", [SMALL], [NegatedConjunct(("a", "b"), inner([ORDER, atom("<=", -1, a=1)]))]),
    lambda: block("", [SMALL], [NegatedConjunct((), Constant(True))]),
    lambda: block("", [SMALL], [NegatedConjunct((), Constant(False))]),
    # The negated part has variables that no part mentions.
    lambda: block("", [SMALL], [NegatedConjunct(("a",), SUM)]),
    lambda: block("c", [SMALL], [NegatedConjunct(("a",), inner([SUM, ORDER]))]),
    lambda: block("d", [SMALL, DOUBLE], [
        NegatedConjunct(("a",), inner([SUM])), NegatedConjunct((), atom("=", 3, d=1)),
    ]),
    # Negated conjuncts within negated conjuncts, with and without what the guard says.
    lambda: block("", [SMALL], [NegatedConjunct(("a", "b"), inner([SUM], [NegatedConjunct((), ORDER)]))]),
    lambda: block("", [SMALL], [NegatedConjunct(("a", "b"), inner([SUM], [NegatedConjunct(("d",), inner([HALF]))]))]),
    lambda: block("", [], [NegatedConjunct(("a",), inner([], [NegatedConjunct(("c",), inner([SUM]))]))]),
    # Two negated conjuncts bind variables of one name: copies of one branch.
    lambda: block("", [SMALL], [NegatedConjunct(("a",), inner([SUM])), NegatedConjunct(("a",), inner([ORDER, THIRD]))]),
    lambda: block("b", [SMALL, ORDER], [
        NegatedConjunct(("d",), inner([HALF])), NegatedConjunct(("d",), inner([SUM, DOUBLE])),
    ]),
    # Branches that lack variables.
    lambda: Union((SUM, SMALL, atom("=", 2, a=1)), ("a", "b", "c")),
    lambda: block("a", [Union((ORDER, SMALL), ("a", "b", "c")), SUM], []),
    lambda: Union((Constant(False), SMALL), ("c",)),
    # Parts that occur twice.
    lambda: block("a", [SUM, SUM, ORDER, ORDER], []),
    lambda: block("a", [ORDER, ORDER], []),
]


@pytest.mark.parametrize("number", range(len(CHOSEN)))
@pytest.mark.parametrize("system", ["msd_2", "msd_fib"])
def test_chosen_blocks(number: int, system: str) -> None:
    same(in_system(CHOSEN[number](), system), system)


def in_system(step: Step, system: str) -> Step:
    """The same step about numbers of another system."""
    match step:
        case Leaf(atom=Linear() as linear):
            moved = Linear(system, linear.coefficients, linear.variables, linear.relation, linear.constant)
            return Leaf(moved, step.variables)
        case Block():
            parts = tuple(in_system(part, system) for part in step.parts)
            negated = tuple(NegatedConjunct(part.quantified, in_system(part.body, system)) for part in step.negated)
            return Block(step.quantified, parts, negated, step.variables)
        case Union():
            return Union(tuple(in_system(part, system) for part in step.parts), step.variables)
    return step


def some_atom(chance: random.Random, names: tuple[str, ...]) -> Leaf:
    chosen = chance.sample(names, min(len(names), chance.choice((1, 2, 2, 3))))
    coefficients = {name: chance.choice((1, 1, 2, -1, -1, -2)) for name in chosen}
    return atom(chance.choice(("=", "<=", "<=", "!=")), chance.randint(-3, 8), **coefficients)


def some_block(chance: random.Random, depth: int) -> Block:
    """A block over a, b, c and, the deeper it is negated, d and e; a part binds only the last of its names."""
    names = NAMES[: len(NAMES) - depth]
    parts: list[Step] = [some_atom(chance, names) for _ in range(chance.choice((0, 1, 2, 3)))]
    if chance.random() < 0.3:
        first, second = some_atom(chance, names), some_atom(chance, names)
        parts.append(Union((first, second), tuple(sorted({*first.variables, *second.variables}))))
    negated = []
    for _ in range(chance.choice((0, 1, 1, 2)) if depth else 0):
        body = some_block(chance, depth - 1)
        bound = NAMES[len(NAMES) - depth]
        negated.append(NegatedConjunct((bound,) if bound in body.variables else (), body))
    return block("", parts, negated)


@pytest.mark.random
def test_random_blocks() -> None:
    seed = chosen_seed()
    for number in range(150):
        chance = random.Random(seed + number)
        try:
            made = some_block(chance, chance.choice((1, 2)))
            same(block("".join(name for name in "abc" if chance.random() < 0.3), list(made.parts), list(made.negated)))
        except AssertionError as problem:
            raise AssertionError(f"block {number} of seed {seed}") from problem


@pytest.mark.parametrize("number", range(len(CHOSEN)))
def test_chosen_blocks_with_every_projection_put_off(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put_off(monkeypatch)
    same(CHOSEN[number](), "msd_2")


@pytest.mark.random
def test_random_blocks_with_every_projection_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    put_off(monkeypatch)
    test_random_blocks()


def put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every projection count as one that makes the automaton larger."""
    monkeypatch.setattr(projection, "POSTPONE_AT_LEAST", -1)
    monkeypatch.setattr(projection, "POSTPONE_FACTOR", 0)


@pytest.mark.parametrize("number", range(len(CHOSEN)))
def test_chosen_blocks_with_every_projection_given_up(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    give_up(monkeypatch)
    same(CHOSEN[number](), "msd_2")


@pytest.mark.random
def test_random_blocks_with_every_projection_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    give_up(monkeypatch)
    test_random_blocks()


def give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hardly any subsets be made in an attempt at an early projection, or of an order of projections."""
    monkeypatch.setattr(projection, "FIRST_AT_LEAST", 1)
    monkeypatch.setattr(projection, "FIRST_FACTOR", 0)
    monkeypatch.setattr(projection, "TRY_FACTOR", 0)


def test_the_subsets_of_an_early_projection_count(monkeypatch: pytest.MonkeyPatch) -> None:
    running = executor()
    sums = running.result(SUM)
    variable = sums.names[0]
    assert running.blocks.projection.not_larger(sums, {variable}) is not None
    give_up(monkeypatch)
    assert running.blocks.projection.not_larger(sums, {variable}) is None


def test_a_projection_that_explodes_is_put_off() -> None:
    # "The digit of x ten places from the end is 1": y has to say where that is, or all ten digits are remembered.
    session = fp.Session()
    session.reg("far", ["msd_2", "msd_2"], "([0,0]|[1,0])*[1,1]" + "([0,0]|[1,0])" * 10)
    formula = "z>x & ~Ey ($far(z,y) & ~Ey $far(z+x,y))"
    found, expected = session.relation(formula), session.relation(formula, plan="textbook")
    assert found.automaton == expected.automaton
    assert found.trace is not None and expected.trace is not None
    joins = [record.states for record in found.trace.records if record.operation == "join"]
    assert joins and max(joins) < 100 < found.trace.largest
    assert found.trace.largest <= 1.1 * expected.trace.largest


class TestOrder:
    def test_a_product_that_loses_a_variable_comes_first(self) -> None:
        running = executor()
        one, other = running.result(atom("=", 1, a=1, b=-1)), running.result(atom("=", 2, a=1, c=-1))
        far = running.result(atom("=", 3, d=3, b=5, e=-1))
        pool = [far, one, other]
        assert set(cheapest_pair(pool)) == {one, other}
        assert preferred_pair(pool, {"b"}, []) == (far, one)
        assert preferred_pair(pool, {"b"}, [(far, one)]) is None
        assert preferred_pair(pool, {"e"}, []) is None

    def test_where_all_orders_take_long_the_result_is_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        formula = "Er,s T[r]=@1 & T[s]=@1 & r<=s & a=r+s & b>r"
        expected = fp.Session("msd_2").relation(formula).automaton
        for name in ("ALONE", "ALONE_FOR_EACH", "GIVING_UP", "GIVING_UP_FACTOR"):
            monkeypatch.setattr(determinization, name, 1)
        assert fp.Session("msd_2").relation(formula).automaton == expected
        with pytest.raises(fp.BudgetSpent) as spent:
            fp.Session("msd_2", limits=fp.Limits(transitions=100)).relation(formula)
        assert spent.value.resource == "transitions"

    @pytest.mark.long
    def test_a_preferred_product_that_is_too_large_is_not_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # v and then u could be projected if either position were joined with the sum first, which is large.
        formula = "Eu,v $d0(n,u) & $d1(n,v) & x=u+v"
        chapter = next(each for each in collect([PROOFS / "kbonacci.py"]).chapters if "5bonacci" in each.title)
        session = fp.Session(chapter.system)
        runner = DeclarationRunner(session, ProofSettings())
        for step in chapter.declarations:
            if getattr(step, "name", "") == "d0_d1":
                break
            if not isinstance(step, DeclaredTheorem):
                runner.declare(step)
        bounded = session.relation(formula)
        monkeypatch.setattr(joining, "PREFERRED_FACTOR", 1 << 40)
        session.cache = Cache()
        whole = session.relation(formula)
        assert bounded.automaton == whole.automaton
        assert bounded.trace is not None and whole.trace is not None
        assert 10 * bounded.trace.largest < whole.trace.largest

    def test_sharing_comes_before_size(self) -> None:
        running = executor()
        small, large, apart = (running.result(part) for part in (ORDER, SUM, atom("=", 0, d=1, e=-1)))
        assert set(cheapest_pair([small, large, apart])) == {small, large}
        assert expected_cost(small, large) < expected_cost(small, apart)

    def test_small_ones_first(self) -> None:
        running = executor()
        one, two, three = (running.result(atom("=", constant, a=1)) for constant in (1, 70_000, 1_000_003))
        assert set(cheapest_pair([three, one, two])) == {one, two}

    def test_atoms_are_evaluated_before_blocks_and_emptiness_ends_it(self) -> None:
        running = executor()
        expensive = block("", [atom("=", 1, d=1, e=1), atom("=", 2, d=1, e=2)], [])
        assert kernel_calls.is_empty(running.result(block("", [expensive, atom("<=", -1, a=1)], [])))
        built = {record.operation for record in running.recorder.records}
        assert "join" not in built and "difference" not in built

    def test_one_part_only_is_not_joined(self) -> None:
        running = executor()
        recorder = Recorder()
        blocks = Blocks(running.result, running.blocks_within, running.atoms, UNLIMITED, recorder)
        found = blocks.relation(block("ab", [atom("<=", 0, a=1, b=1, c=-1)], []))
        assert found == running.atoms.valid("c")
        assert [record.operation for record in recorder.records] == ["exists", "exists"]


def anything_or_worst() -> Dfa:
    """Over (p, z, d): d is p, and the first z says whether worst(14) accepts what follows, or everything is accepted.
    """
    late = worst(14)
    offsets, codes, targets = late.offsets.tolist(), late.codes.tolist(), late.targets.tolist()
    every = late.states + 1
    rows = [{0: 1, 2: every, 5: 1, 7: every}]
    for state in range(late.states):
        places = range(offsets[state], offsets[state + 1])
        rows.append({2 * codes[place] + codes[place] // 2: targets[place] + 1 for place in places})
    rows.append(dict.fromkeys((0, 2, 5, 7), every))
    return build((*late.tracks, Track("d", (0, 1))), rows, [1, *late.outputs.tolist(), 1])


@pytest.mark.parametrize("budget", [Budget(states=1000), Budget(transitions=1000)])
def test_other_strategies_keep_a_bound_of_the_user_that_subsets_meet(budget: Budget) -> None:
    """Where all orders of projections are tried: subsets are given up there, but nothing is an error yet."""
    relation, recorder = anything_or_worst(), Recorder()
    with determinization.forced("subsets"), pytest.raises(BudgetSpent):
        Projection(budget, Recorder()).projected(relation, ["z", "d"])
    found = Projection(budget, recorder).projected(relation, ["z", "d"])
    assert found == build(relation.tracks[:1], [dict.fromkeys((0, 1), 0)], [1])
    assert [record.operation for record in recorder.records] == ["exists", "exists"]
    part = Projection(budget, Recorder()).not_larger(relation, ["z", "d"])
    assert part is None or part == found
