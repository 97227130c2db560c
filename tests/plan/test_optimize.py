"""The rewrites of the optimized plan, one by one: what becomes of each connective under each sign."""

from __future__ import annotations

from typing import TypeVar

import pytest

import fibprover as fp
from fibprover.prover import logic
from fibprover.prover.environment import Sort
from fibprover.prover.logic import Linear, ResolvedFormula, negated_linear
from fibprover.prover.plan import steps
from fibprover.prover.plan.conjunction import MOST_BRANCHES, flattened, multiplied_out, union_of
from fibprover.prover.plan.optimize import optimized
from fibprover.prover.plan.steps import Block, Constant, Leaf, NegatedConjunct, Step, Union, Valid
from fibprover.prover.plan.textbook import textbook
from tests.plan.making import automaton, every, plan, resolved, root

S = TypeVar("S", bound=Step)


def is_a(step: Step, kind: type[S]) -> S:
    assert isinstance(step, kind), step
    return step


def relations(parts: tuple[Step, ...]) -> list[tuple[str, int]]:
    """Relation and constant of the linear atoms among steps."""
    return [(p.atom.relation, p.atom.constant) for p in parts if isinstance(p, Leaf) and isinstance(p.atom, Linear)]


def block(text: str) -> Block:
    return is_a(root(text), Block)


#: Every text of this module, so that each rewrite is compared with the plan that does not rewrite.
TEXTS = [
    "x=1 & y=2", "x=1 & ~y=2", "x=1 & y!=2", "~(x=1 => ~y=2)", "~(x=1 | y=2)", "~~x=1", "~~~x<1", "Ex,y x=1 & Ez y=z",
    "Az z<=x => (Ey y=z)", "~(Az z<=x => z=y)", "Ez (z=x | z=y) & z<3", "x<5 & ~(Ez (z=x | z+z=x) & z<3)",
    "x<5 & (y=1 | y=2)", "x=y ^ x=2", "~(x=y ^ x=2)", "x=y <=> x=2", "~(x=y <=> x=2)", "x-x=0 & x=3", "Ez z-z=x-x",
    "x=1 | $yes()", "x=1 & $no()", "~(0=1) & x=1", "x=1 & 0=0", "Iz z>x & y=1", "x=1 & ~(Iz z<x)",
    "Ez (z=x | (Ey y=z & x=3)) & (z=y | z=1) & z<9", "x=1 => y=2", "~(x=1 & y=2)", "~(Ez ~(Ey ~(y<z | y=x)))",
]


@pytest.mark.parametrize("text", TEXTS)
def test_same_relation_as_the_textbook_plan(text: str) -> None:
    assert automaton(plan(text)) == automaton(textbook(resolved(text)))


@pytest.mark.parametrize("text", [text for text in TEXTS if "^" not in text and "<=>" not in text])
def test_no_complement_is_built(text: str) -> None:
    kinds = {type(step) for step in every(root(text))}
    assert not kinds & {steps.Complement, steps.Combine, steps.Project}


class TestConjunctions:
    def test_atoms_stand_side_by_side(self) -> None:
        found = block("(x=1 & y=2) & (x=y & y=3)")
        assert [type(part) for part in found.parts] == [Leaf] * 4 and not found.negated and not found.quantified
        assert found.variables == ("x", "y")

    def test_a_negated_atom_is_negated(self) -> None:
        found = block("x=1 & ~T[y]=@0")
        assert [type(part.body) for part in found.negated] == [Leaf] and found.variables == ("x", "y")

    def test_inequality_excludes_equality(self) -> None:
        found = block("x<=1 & y!=2")
        assert relations(tuple(part.body for part in found.negated)) == [("=", 2)]

    def test_a_negated_comparison_is_a_comparison(self) -> None:
        found = block("x<=1 & ~y<=2")
        assert not found.negated and relations(found.parts) == [("<=", 1), ("<=", -3)]

    def test_negated_implication(self) -> None:
        assert relations(block("~(x=1 => ~y=2)").parts) == [("=", 1), ("=", 2)]

    def test_negated_disjunction(self) -> None:
        found = block("~(x=1 | y=2)")
        assert [part.body.variables for part in found.negated] == [("x",), ("y",)] and not found.parts

    def test_double_negation_leaves_no_trace(self) -> None:
        assert isinstance(root("~~x=1"), Leaf) and isinstance(root("~~~~T[x]=@1"), Leaf)

    def test_a_lone_part_needs_no_block(self) -> None:
        assert isinstance(root("x=1"), Leaf) and isinstance(root("x=1 | x=2"), Union)


class TestQuantifiers:
    def test_blocks_dissolve_into_the_outer_one(self) -> None:
        found = block("Ex,y x=1 & (Ez y=z & z<3)")
        assert set(found.quantified) == {"x", "y", "z"} and len(found.parts) == 3 and found.variables == ()

    def test_equal_names_stay_apart(self) -> None:
        found = block("(Ez z=x) & (Ez z=y) & z=3")
        assert len(set(found.quantified)) == 2 and "z" not in found.quantified
        assert found.variables == ("x", "y", "z")

    def test_for_all_under_a_negation_quantifies(self) -> None:
        found = block("~(Az z<=x => z=y)")
        assert found.quantified == ("z",) and len(found.parts) == 1 and len(found.negated) == 1

    def test_for_all_excludes_the_counterexamples(self) -> None:
        (part,) = block("Az z<=x => (Ey y=z)").negated
        assert part.quantified == ("z",) and part.variables == ("x",)
        inner = is_a(part.body, Block)
        assert len(inner.parts) == 1 and len(inner.negated) == 1

    def test_exists_goes_into_disjunctions(self) -> None:
        found = is_a(root("Ez (z=x | z=y) & z<3"), Union)
        assert [is_a(part, Block).quantified for part in found.parts] == [("z",), ("z",)]
        assert [part.variables for part in found.parts] == [("x",), ("y",)] and found.variables == ("x", "y")

    def test_a_branch_binds_only_its_own_variables(self) -> None:
        found = is_a(root("Ez (z=x | y=1)"), Union)
        assert [part.variables for part in found.parts] == [("x",), ("y",)]
        assert isinstance(found.parts[1], Leaf)

    def test_disjunctions_out_of_reach_stay(self) -> None:
        found = block("Ez z<x & (x=1 | x=2)")
        assert sum(isinstance(part, Union) for part in found.parts) == 1

    def test_negated_disjunctions_are_negated_branch_by_branch(self) -> None:
        assert len(block("x<5 & ~(Ez (z=x | z+z=x) & z<3)").negated) == 2
        assert len(block("x<5 & ~(Ez (z=x | z+z=x) & (z<3 | z>y))").negated) == 4

    def test_not_too_many_branches(self) -> None:
        texts = [" | ".join(f"z={5 * k + i}" for i in range(3)) for k in range(2)]
        assert MOST_BRANCHES == 8
        (part,) = block(f"x<5 & ~(Ez z<x & ({texts[0]}) & ({texts[1]}))").negated
        assert sum(isinstance(step, Union) for step in is_a(part.body, Block).parts) == 2

    def test_infinite_parts(self) -> None:
        found = block("x=1 & (Iz z>x)")
        assert isinstance(found.parts[1], steps.Infinite) and found.parts[1].variables == ("x",)
        assert isinstance(block("x=1 & ~(Iz z<x)").negated[0].body, steps.Infinite)


class TestConstants:
    @pytest.mark.parametrize("text", ["x=1 & 0=1", "~(x=1 => 0=0)", "x=1 & ~(0=0 | x=2)", "Ez z=x & 1=0"])
    def test_false(self, text: str) -> None:
        assert is_a(root(text), Constant).value is False

    @pytest.mark.parametrize("text", ["x=1 | 0=0", "0=1 => x=1", "~(x=1 & 0=1)", "Az 0=z => 1=1"])
    def test_true(self, text: str) -> None:
        found = automaton(plan(text))
        assert found.names == plan(text).free and found == automaton(textbook(resolved(text)))

    def test_variables_that_cancel_stay_free(self) -> None:
        assert plan("x-x=0").free == ("x",) and isinstance(root("x-x=0"), Valid)
        assert not any(isinstance(step, Valid) for step in every(root("x-x=0 & x=3")))

    def test_a_disjunction_drops_what_is_false_and_double(self) -> None:
        one, two = root("x=1"), root("y=2")
        assert union_of([one, Constant(False), one], "") == one
        assert union_of([one, Union((two, one), ("x", "y"))], "u") == Union((one, two), ("x", "y"), "u")
        assert union_of([one, Constant(True)], "u") == Constant(True, "u")
        assert union_of([], "u") == Constant(False, "u")


class TestEquivalences:
    @pytest.mark.parametrize("text", ["x=1 <=> (Ez z=x)", "x=1 ^ (Ez z=x)", "~(x=1 <=> (Ez z=x))", "~(x=1 ^ (Ez z=x))"])
    def test_scopes_of_the_copies_are_apart(self, text: str) -> None:
        bound = [name for step in every(root(text)) if isinstance(step, Block) for name in step.quantified]
        negated = [
            name for step in every(root(text)) if isinstance(step, Block) for part in step.negated
            for name in part.quantified
        ]
        assert len({*bound, *negated}) == len(bound) + len(negated)

    def test_deep_chains_stay_small(self) -> None:
        sizes = [len(every(root(" <=> ".join(f"(Ez z+{i}=x)" for i in range(count))))) for count in (8, 16)]
        assert sizes[1] <= 3 * sizes[0]

    def test_deep_chains_are_right(self) -> None:
        text = " ^ ".join(f"(Ez z+{i}=x)" for i in range(9))
        found = automaton(plan(text))
        assert found == automaton(textbook(resolved(text)))
        assert found == automaton(plan("Ez ((x=2*z & x<=8) | (x>8 & z=z))"))


class TestParts:
    LINEAR = Linear("msd_2", (3, 1, -2), ("a", "b", "c"), "<=", 4)

    def test_negated_comparison(self) -> None:
        assert negated_linear(self.LINEAR) == Linear("msd_2", (2, -1, -3), ("c", "b", "a"), "<=", -5)
        assert negated_linear(negated_linear(self.LINEAR)) == self.LINEAR

    @pytest.mark.parametrize(("relation", "opposite"), [("=", "!="), ("!=", "=")])
    def test_negated_equality(self, relation: str, opposite: str) -> None:
        atom = Linear("msd_2", (1, -1), ("a", "b"), relation, 0)
        assert negated_linear(atom) == Linear("msd_2", (1, -1), ("a", "b"), opposite, 0)

    def test_multiplied_out(self) -> None:
        one, two, three = root("x=1"), root("x=2"), root("y=3")
        either = union_of([one, two], "")
        assert multiplied_out([three, either], lambda part: True) == [[three, one], [three, two]]
        assert multiplied_out([three, either], lambda part: False) == [[three, either]]
        assert len(multiplied_out([either] * 3, lambda part: True)) == 8
        assert multiplied_out([either] * 4, lambda part: True) == [[either] * 4]

    def test_flattened(self) -> None:
        one = root("x=1")
        assert flattened([Constant(True), one, Constant(False)]) == [one, Constant(False)]

    def test_negated_variables(self) -> None:
        assert NegatedConjunct(("x",), root("x=y")).variables == ("y",)


def test_plain_variables_keep_the_textbook_plan() -> None:
    resolve = resolved("x=1 & y=2")
    plain = ResolvedFormula(resolve.logic, {**resolve.sorts, "w": Sort("", (0, 7))}, resolve.free, resolve.names)
    assert (optimized(plain).root, optimized(plain).name) == (textbook(plain).root, "textbook")


def test_plain_variables_are_determinized_by_all_strategies() -> None:
    """The reversal of paperfolding words meets 250,000 sets of states by subsets, and less than 1,000 from the end."""
    reversal = "?lsd_2 Ak k<n => PF[f][i+k]=PF[f][j+n-1-k]"
    found = fp.Session().relation(reversal)
    assert found.states == 214  # as by subsets
    assert found.trace is not None
    assert any("reverse" in dict(each.met) for record in found.trace.records for each in record.strategies)


def test_quantifiers_that_lost_their_variable() -> None:
    node = logic.Exists(("z",), logic.Linear("msd_2", (1,), ("x",), "=", 1))
    resolve = resolved("x=1 & z=z")
    made = optimized(ResolvedFormula(node, resolve.sorts, ("x",), resolve.names))
    assert automaton(made) == automaton(plan("x=1"))
