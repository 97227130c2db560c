"""The cache: one entry for what differs in names only, and never one for what differs otherwise."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.limits import UNLIMITED
from fibprover.language.parser import parse_formula
from fibprover.prover import known as known_formulas
from fibprover.prover.environment import Sort
from fibprover.prover.evaluate.cache import Cache, Entry
from fibprover.prover.evaluate.executor import evaluate
from fibprover.prover.logic import Linear
from fibprover.prover.lower import resolve
from fibprover.prover.plan.optimize import optimized
from fibprover.prover.plan.steps import Block, Leaf, Numbering, Step, Union, key_of
from fibprover.prover.plan.textbook import textbook
from tests.plan.making import known, plan


def key(text: str) -> object:
    made = plan(text)
    return key_of(made.root, Numbering(made.sorts))


@pytest.mark.parametrize(("first", "second"), [
    ("x<=y", "y<=x"), ("x+y=z", "c+b=a"), ("$near(x,y)", "$near(b,a)"), ("T[x]=@1", "T[y]=@1"),
    ("T[x]=T[y]", "T[b]=T[a]"), ("Ez z<x & T[z]=@0", "Ew w<y & T[w]=@0"), ("x=1 & ~(Ez z+z=x)", "z=1 & ~(Ex x+x=z)"),
    ("Iz z>x", "Ix x>z"), ("x=1 | y=1", "y=1 | x=1"), ("x!=y & x<3", "b!=a & b<3"),
])
def test_names_do_not_matter(first: str, second: str) -> None:
    assert key(first) == key(second)


@pytest.mark.parametrize(("first", "second"), [
    ("x<=y", "x<y"), ("x<=x+y", "x<=y"), ("x<=3", "x<=4"), ("x=3", "x!=3"), ("?msd_2 x=3", "?msd_fib x=3"),
    ("?msd_2 x=3", "?msd_3 x=3"), ("2*x<=y", "x<=2*y"), ("$near(x,y)", "$near(x,x)"), ("$near(x,y)", "$half(x,y)"),
    ("$half(x,y)", "$halfF(x,y)"), ("T[x]=@1", "T[x]=@0"), ("T[x]=@1", "R[x]=@1"), ("T[x]=T[y]", "T[x]=T[x]"),
    ("T[x]=R[y]", "R[x]=T[y]"), ("T[x]<R[y]", "T[x]<=R[y]"), ("Ez z<x & T[z]=@0", "Ez z<x & T[x]=@0"),
    ("Ez z<x & T[z]=@0", "z<x & T[z]=@0"), ("x<9 & ~(Ez z+z=x)", "x<9 & ~(z+z=x)"), ("x=1 & ~y=2", "x=1 & y=2"),
    ("Iz z>x", "Ez z>x"), ("Iz z>x", "Ix z>x"), ("x=1 | y=1", "x=1 | x=1"), ("x=1 & y=1", "x=1 | y=1"),
    ("x=1 & y=1", "x=1 & x=1"), ("F[u]=T[x]", "T[x]=F[u]"), ("0=0", "0=1"), ("x-x=0", "x-x=0 & y-y=0"),
])
def test_everything_else_does(first: str, second: str) -> None:
    assert key(first) != key(second)


def test_names_within_a_step_are_told_apart() -> None:
    def atom(*names: str) -> Leaf:
        return Leaf(Linear("msd_2", (1, -1), names, "<=", 0), tuple(sorted(names)))

    kinds = dict.fromkeys("abcd", Sort("msd_2", (0, 1)))
    steps: list[Step] = [
        Block(("a",), (atom("a", "b"), atom("b", "c")), (), ("b", "c")),
        Block(("b",), (atom("a", "b"), atom("b", "c")), (), ("a", "c")),
        Block(("c",), (atom("a", "b"), atom("b", "c")), (), ("a", "b")),
        Block(("a", "b"), (atom("a", "b"), atom("b", "c")), (), ("c",)),
        Block(("a",), (atom("a", "b"), atom("c", "b")), (), ("b", "c")),
        Union((atom("a", "b"), atom("b", "c")), ("a", "b", "c")),
        Union((atom("a", "b"), atom("c", "b")), ("a", "b", "c")),
        Union((atom("a", "b"), atom("c", "d")), ("a", "b", "c", "d")),
    ]
    assert len({key_of(step, Numbering(kinds)) for step in steps}) == 8


def test_the_kind_of_a_variable_matters() -> None:
    step = Leaf(Linear("msd_2", (1,), ("a",), "<=", 0), ("a",))
    kinds = [Sort("msd_2", (0, 1)), Sort("msd_fib", (0, 1)), Sort("", (0, 1)), Sort("", (0, 1, 2))]
    assert len({key_of(step, Numbering({"a": kind})) for kind in kinds}) == 4


class TestContents:
    def automaton(self, states: int) -> Dfa:
        rows = [{0: state + 1} for state in range(states - 1)]
        return build((Track("0", (0, 1), "msd_2"),), [*rows, {}], [0] * (states - 1) + [1])

    def entry(self, states: int = 10, seconds: float = 0.01) -> Entry:
        return Entry(self.automaton(states), seconds, {})

    def test_what_is_worth_the_least_goes_first(self) -> None:
        cache = Cache(most_bytes=5 * self.entry().size)
        for number, seconds in enumerate([0.3, 0.1, 0.2, 0.4, 0.5]):
            cache.put(number, self.entry(seconds=seconds))
        cache.put(5, self.entry(seconds=0.6))
        cache.put(6, self.entry(seconds=0.7))
        assert set(cache.entries) == {0, 3, 4, 5, 6}
        assert cache.held == sum(entry.size for entry in cache.entries.values()) <= cache.most_bytes

    def test_a_large_one_is_worth_less(self) -> None:
        cache = Cache(most_bytes=self.entry(100).size * 5)
        cache.put("large", self.entry(100, 0.2))
        for number in range(40):
            cache.put(number, self.entry(1, 0.1))
        while "large" in cache.entries:
            cache.put(len(cache.entries), self.entry(1, 0.1))
        assert cache.held + self.entry(1).size > cache.most_bytes - self.entry(100).size

    def test_what_is_not_used_goes_in_the_end(self) -> None:
        cache = Cache(most_bytes=5 * self.entry().size)
        cache.put("once", self.entry(seconds=0.5))
        cache.put("often", self.entry(seconds=0.1))
        for number in range(200):
            cache.put(number, self.entry(seconds=0.05))
            cache.find("often")
        assert "often" in cache.entries and "once" not in cache.entries
        assert len(cache._order) < 200

    def test_what_would_fill_it_is_not_kept(self) -> None:
        cache = Cache(most_bytes=3 * self.entry().size)
        cache.put("large", self.entry())
        assert cache.find("large") is None and cache.held == 0 and (cache.hits, cache.misses) == (0, 1)

    def test_the_first_of_a_key_stays(self) -> None:
        cache = Cache()
        first = self.entry(3)
        cache.put("k", first)
        cache.put("k", self.entry(4))
        assert cache.find("k") is first and cache.held == first.size and (cache.hits, cache.misses) == (1, 0)


class TestUse:
    def test_calls_of_one_predicate_share_an_entry(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # Formulas are kept beside steps if they take long enough; here none is.
        monkeypatch.setattr(known_formulas, "LEAST_SECONDS", float("inf"))
        session = fp.Session("msd_2")
        session.define("near", "x+3<=y")
        first = session.relation("$near(x,y) & $near(y,z)")
        entries = len(session.cache.entries)
        second = session.relation("$near(b,c) & $near(a,b)".replace("b,c", "p,q").replace("a,b", "q,r"))
        assert len(session.cache.entries) == entries
        assert second == first.renamed(x="p", y="q", z="r")

    def test_renamed_results_are_right(self) -> None:
        cache = Cache()
        for text in ("x+2*y=z", "z+2*x=y", "y+2*z=x", "x+2*y=z", "b+2*a=c"):
            made = plan(text)
            shared = evaluate(made, known().namespace.system, cache, UNLIMITED).automaton
            alone = evaluate(made, known().namespace.system, Cache(), UNLIMITED).automaton
            assert shared == alone, text
        assert len(cache.entries) == 1

    def test_plans_do_not_share_what_differs(self) -> None:
        session = fp.Session("msd_fib")
        session.reg("raw", ["msd_fib"], "(0|1)*")
        for first, second in (("textbook", "optimized"), ("optimized", "textbook")):
            session.cache.clear()
            for name in (first, second):
                assert session.relation("$raw(x)", plan=name) == session.relation("x=x", plan=name)

    @pytest.mark.parametrize("text", [
        "$raw(x) & $raw(y)", "$raw(x) & ($raw(y) & x<4)", "Ez $raw(x) & $raw(z) & y=z", "~($raw(x) & $raw(y))",
        "($raw(x) & $raw(y)) | x=1", "($raw(x) & $raw(y)) ^ x=1", "($raw(x) & $raw(y)) => x=1",
        "Iz $raw(z) & $raw(x) & y=1",
        "x=1 => ($raw(x) & $raw(y))", "($raw(x) & $raw(y)) <=> x=y", "E=1 z $raw(z) & $raw(x) & z<1 & y=x",
        "$raw(x) & y=2",
    ])
    def test_words_that_are_no_numbers_stay_out(self, text: str) -> None:
        session = fp.Session("msd_fib")
        session.reg("raw", ["msd_fib"], "(0|1)*")
        expected = session.relation(text.replace("$raw(x)", "x=x").replace("$raw(y)", "y=y").replace("$raw(z)", "z=z"))
        for name in ("textbook", "optimized"):
            assert session.relation(text, plan=name) == expected, name

    def test_redefinitions(self) -> None:
        session = fp.Session("msd_2")
        session.define("p", "x<3")
        session.define_morphic_word("W", [[0, 1], [1, 0]], [0, 1])
        before = session.relation("$p(x) & W[x]=@1").values(9)
        session.define("p", "x<6")
        assert session.relation("$p(x) & W[x]=@1").values(9) == [1, 2, 4] != before
        session.define_morphic_word("W", [[0, 1], [0, 1]], [0, 1])
        assert session.relation("$p(x) & W[x]=@1").values(9) == [1, 3, 5]
        session.reg("p", ["msd_2"], "10*")
        assert session.relation("$p(x) & x<9").values(9) == [1, 2, 4, 8]
        session.reg("p", [[0, 1]], "11*")
        assert session.relation("$p(x) & x<9").values(9) == [1, 3, 7]

    def test_the_two_plans_of_one_formula(self) -> None:
        source = parse_formula("Ax (x<5 => (Ey y+y=x | y+y+1=x))")
        resolved = resolve(source, known().namespace.environment())
        cache = Cache()
        for made in (textbook(resolved), optimized(resolved), textbook(resolved)):
            assert evaluate(made, known().namespace.system, cache, UNLIMITED).automaton.outputs[0] == 1

    @pytest.mark.long
    def test_what_is_dropped_leaves_nothing(self) -> None:
        session = fp.Session("msd_fib")
        session.cache.most_bytes = 200_000
        for number in range(200):
            session.eval(f"Ey x+{number}=3*y & x>y")
        assert len(session.cache.entries) < 100
        assert sum(session.cache.shapes.values()) <= len(session.cache.entries) >= len(session.cache.shapes)
