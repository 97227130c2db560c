"""The named rules: what each does to a plan or its evaluation, and that none changes the relation."""

from __future__ import annotations

from itertools import combinations

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError
from fibprover.base.limits import UNLIMITED
from fibprover.prover.decide import Options
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.evaluate.trace import Record
from fibprover.prover.plan import rules, steps
from fibprover.prover.plan.textbook import textbook
from tests.few import few
from tests.plan.making import automaton, every, known, plan, resolved


def records(text: str, *off: str, cache: Cache | None = None) -> list[Record]:
    """What an evaluation does, in order."""
    return list(evaluate(plan(text, *off), known().namespace.system, cache or Cache(), UNLIMITED).trace.records)


def operations(text: str, *off: str) -> list[str]:
    return [record.operation for record in records(text, *off)]


class TestNames:
    def test_all_without_some(self) -> None:
        assert rules.without(()) == rules.ALL == frozenset(rules.RULES) and len(rules.ALL) == 14
        assert rules.without(["cache"]) == rules.ALL - {"cache"} == rules.without("cache")
        assert rules.without(rules.RULES) == frozenset()

    def test_unknown_names_are_refused_with_a_hint(self) -> None:
        with pytest.raises(FibproverError) as found:
            rules.without(["cashe"])
        assert "rule 'cashe'" in found.value.message and "cache" in found.value.hint
        with pytest.raises(FibproverError) as found:
            rules.without(["nothing like it"])
        assert all(rule in found.value.hint for rule in rules.RULES)

    def test_sessions_take_names(self) -> None:
        assert fp.Session(without="cache").options.without == {"cache"}
        assert fp.Session(without=["cache", "counting"]).options.without == {"cache", "counting"}
        for wrong in ("cash", ["cache", "x"]):
            with pytest.raises(FibproverError):
                fp.Session(without=wrong)
        with pytest.raises(FibproverError):
            Options(without=frozenset(["x"]))

    def test_plans_carry_their_rules(self) -> None:
        assert plan("x=1").rules == rules.ALL and plan("x=1", "cache").rules == rules.ALL - {"cache"}

    def test_every_rule_says_what_it_is_for(self) -> None:
        assert all(rules.PURPOSE[rule] and rules.PURPOSE[rule][0].islower() for rule in rules.RULES)


class TestNormalForm:
    TEXT = "x<9 & ~(Ey y<x & ~(~T[y]=@1 | y=3))"

    def test_negations_stay_where_they_are_without_it(self) -> None:
        off = ("share-terms", "normal-form")
        nested, moved = (
            sum(len(step.negated) for step in every(plan(self.TEXT, *off).root) if isinstance(step, steps.Block))
            for off in (off, ("share-terms",))
        )
        assert nested > moved

    def test_equivalences_stay_without_it(self) -> None:
        kinds = {type(step) for step in every(plan("T[x]=@1 <=> x<y", "normal-form").root)}
        assert steps.Combine in kinds
        assert steps.Combine not in {type(step) for step in every(plan("T[x]=@1 <=> x<y").root)}

    def test_quantifiers_stay_outside_disjunctions_without_it(self) -> None:
        assert isinstance(plan("Ez (z=x | z=y) & z<3").root, steps.Union)
        assert isinstance(plan("Ez (z=x | z=y) & z<3", "normal-form").root, steps.Block)


class TestGuardedDifference:
    def test_a_complement_is_built_without_it(self) -> None:
        text = "x<9 & ~(Ey 2*y=x)"
        assert "complement" not in operations(text) and "difference" in operations(text)
        assert "complement" in operations(text, "guarded-difference")

    def test_inequalities_are_atoms_without_it(self) -> None:
        assert isinstance(plan("x<9 & x!=y").root, steps.Block)
        parts = every(plan("x<9 & x!=y", "guarded-difference").root)
        atoms = [step.atom for step in parts if isinstance(step, steps.Leaf)]
        assert [getattr(atom, "relation", "") for atom in atoms].count("!=") == 1


class TestPushGuard:
    TEXT = "x<1 & z<1 & ~(Ey T[y]=T[x] & 17*y=15*z+x)"

    def test_what_is_negated_is_cut_down(self) -> None:
        with_it, without = (
            max(record.states for record in records(self.TEXT, *off) if record.operation in ("join", "exists"))
            for off in ((), ("push-guard",))
        )
        assert with_it < without
        assert automaton(plan(self.TEXT)) == automaton(plan(self.TEXT, "push-guard"))


class TestEmptyGuard:
    def test_nothing_is_joined_to_what_is_empty(self) -> None:
        text = "$no() & T[x]=@1 & T[y]=@1 & x<y"
        assert "join" not in operations(text)
        assert "join" in operations(text, "empty-guard")
        assert automaton(plan(text)) == automaton(plan(text, "empty-guard"))

    def test_nothing_is_taken_away_from_what_is_empty(self) -> None:
        text = "x<y & y<x & ~(Ez z<x & T[z]=T[y]) & ~T[x]=@1"
        off = ("share-terms",)
        assert "difference" not in operations(text, *off)
        assert "difference" in operations(text, *off, "empty-guard")


class TestJoinOrder:
    TEXT = "Ea,b a<x & T[b]=T[y] & a+b=z & b<5"

    def test_left_to_right_without_it(self) -> None:
        done = records(self.TEXT, "join-order", "share-terms")
        joins = [record.label for record in done if record.operation == "join"]
        assert joins == ["[a, x]", "[a, b, x, y]", "[a, b, x, y, z]", "[a, b, x, y, z]"]

    def test_projections_come_last_and_together_without_it(self) -> None:
        done = operations(self.TEXT, "join-order", "share-terms")
        assert done.count("exists") == 1 and done.index("exists") > max(i for i, op in enumerate(done) if op == "join")
        assert operations(self.TEXT).count("exists") == 2

    def test_nothing_is_expected_without_it(self) -> None:
        assert all(r.expected is None for r in records(self.TEXT, "join-order") if r.operation in ("join", "exists"))
        assert all(r.expected is not None for r in records(self.TEXT) if r.operation in ("join", "exists"))


class TestShareTerms:
    def test_fewer_tracks(self) -> None:
        text = "Ei,p T[p-i]=@1 & $power(p-i) & p<9 & i<x"
        tracks = [
            {name for record in records(text, *off) if record.operation == "join"
             for name in record.label[1:-1].split(", ")}
            for off in ((), ("share-terms",))
        ]
        assert len(tracks[0]) < len(tracks[1])


class TestCache:
    TEXT = "(Ey y<x & T[y]=@1 & y+y=x) | (Ew w<z & T[w]=@1 & w+w=z)"

    def test_equal_parts_are_known(self) -> None:
        assert any(record.cached and record.operation == "block" for record in records(self.TEXT))
        assert not any(record.cached for record in records(self.TEXT, "cache"))

    def test_nothing_is_stored_without_it(self) -> None:
        cache = Cache()
        records(self.TEXT, "cache", cache=cache)
        assert not cache.entries
        records(self.TEXT, cache=cache)
        assert cache.entries


class TestCounting:
    def test_copies(self) -> None:
        text = "Ea,b a<x & b<x & a!=b"
        assert isinstance(plan(text).root, steps.AtLeast)
        assert not any(isinstance(step, steps.AtLeast) for step in every(plan(text, "counting").root))

    def test_no_other(self) -> None:
        text = "T[x]=@1 & x<y & ~(Er r<y & T[r]=@1 & ~r=x)"
        assert "atleast" in operations(text) and "atleast" not in operations(text, "counting")


#: Formulas in which every rule has something to do.
TEXTS = [
    "x<9 & ~(Ey y<x & ~(~T[y]=@1 | y=3)) & (T[x]=@1 <=> Ez z<x & 2*z=x)",
    "Ea,b a<x & b<x & a!=b & T[x-a]=@1 & T[x-b]=@1",
    "T[x]=@1 & x<y & ~(Er r<y & T[r]=@1 & ~r=x) & $power(y-x)",
    "Ap p<x => (T[x-p]=@1 ^ ~(Eq q<p & T[p-q]=T[x-p]))",
]


@pytest.mark.parametrize("text", few(TEXTS, 3))
def test_no_rule_changes_the_relation(text: str) -> None:
    """Without each one, each two, all."""
    expected = automaton(textbook(resolved(text)))
    for off in [(), *((rule,) for rule in rules.RULES), *combinations(rules.RULES, 2), rules.RULES]:
        assert automaton(plan(text, *off)) == expected, off
