"""Sessions: names, redefinition, what an error leaves behind, files, scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import unwrap
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.errors import (
    BudgetSpent,
    FibproverError,
    FileProblem,
    FormatError,
    LimitError,
    NotSupported,
    TextError,
    TypeMismatch,
)
from fibprover.base.limits import Limits
from fibprover.numeration.recurrence import recurrence_system

PLANS = ("textbook", "optimized")
THUE_MORSE = [[0, 1], [1, 0]]
BAD_NAMES = ["", "1a", "a b", "x-y", "é", "_x", "a.b", "$p", "p\n", "a'"]


@pytest.fixture
def session() -> fp.Session:
    made = fp.Session("msd_2")
    made.define("less", "x<y")
    made.define_morphic_word("T", THUE_MORSE, [0, 1])
    made.macro("twice", "%0=2*%1")
    return made


def contents(session: fp.Session) -> tuple[object, ...]:
    """Everything that formulas can refer to."""
    names = session.namespace
    return dict(names.definitions), dict(names.words), dict(names.macros), dict(names.systems), names.default_system


class TestNames:
    @pytest.mark.parametrize("name", BAD_NAMES)
    def test_bad_names(self, session: fp.Session, name: str, tmp_path: Path) -> None:
        before = contents(session)
        (tmp_path / "w.txt").write_text("msd_2\n\n0 1\n0 -> 0\n1 -> 0\n")
        actions: list[Callable[[], object]] = [
            lambda: session.define(name, "x=1"),
            lambda: session.reg(name, ["msd_2"], "1"),
            lambda: session.define_morphic_word(name, THUE_MORSE, [0, 1]),
            lambda: session.macro(name, "1"),
            lambda: session.namespace.load_word(tmp_path / "w.txt", name or "1"),
            lambda: session.namespace.load_predicate(tmp_path / "w.txt", name or "1"),
            lambda: session.load_words({"W": {"morphism": THUE_MORSE, "coding": [0, 1]},
                                        name: {"morphism": THUE_MORSE, "coding": [0, 1]}}),
        ]
        for action in actions:
            with pytest.raises(FibproverError):
                action()
        assert contents(session) == before

    @pytest.mark.parametrize("name", ["A1", "E", "Iy", "a_b", "Z9", "x"])
    def test_good_names(self, session: fp.Session, name: str) -> None:
        session.define(name, "x=3")
        assert session.relation(f"${name}(y)").values(2) == [3]
        session.define_morphic_word(name, THUE_MORSE, [0, 1])
        assert session.relation(f".{name}[y]=@1").values(3) == [1, 2, 4]

    def test_kinds_of_names_do_not_meet(self, session: fp.Session) -> None:
        session.define("T", "x=5")
        assert session.relation("$T(x) | (T[x]=@1 & x<3)").values(9) == [1, 2, 5]


class TestDefinitions:
    def test_parameters_go_by_code_units(self, session: fp.Session) -> None:
        session.define("sum", "a+b=Q")
        assert session.eval("$sum(5,2,3) & ~$sum(2,3,5)")

    def test_they_are_replaced(self, session: fp.Session) -> None:
        session.define("less", "x>y")
        assert session.eval("$less(2,1)")
        session.define("less", "x=1")
        assert session.eval("$less(1)")

    def test_what_is_defined_stays_what_it_was(self, session: fp.Session) -> None:
        session.define("more", "$less(y,x)")
        session.define("less", "x=y")
        assert session.eval("$more(2,1) & ~$more(2,2)")

    def test_a_definition_by_itself(self, session: fp.Session) -> None:
        session.define("less", "$less(x,y) | x=y")
        assert session.eval("$less(2,2) & $less(1,2) & ~$less(2,1)")

    @pytest.mark.parametrize(("text", "truth"), [("0=0", True), ("0=1", False), ("Ax Ey y>x", True)])
    def test_closed_ones(self, session: fp.Session, text: str, truth: bool) -> None:
        outcome = session.define("c", text)
        assert isinstance(outcome, fp.Verdict) and bool(outcome) is truth
        for plan in PLANS:
            assert bool(session.prove("$c()", plan=plan)) is truth
            assert bool(session.prove("~$c()", plan=plan)) is not truth
            assert session.relation("$c() & x<3", plan=plan).count(9) == 3 * truth
            assert session.relation("x<3 | $c()", plan=plan).count(9) == (9 if truth else 3)
            assert session.relation("$c() => x<3", plan=plan).count(9) == (3 if truth else 9)
            assert session.relation("$c() ^ x<3", plan=plan).count(9) == (6 if truth else 3)
            assert session.relation("Ey (y<x & $c())", plan=plan).count(9) == (8 if truth else 0)
            assert session.relation("Ay (y<x => $c())", plan=plan).count(9) == (9 if truth else 1)

    def test_relations_and_verdicts_can_be_defined(self, session: fp.Session) -> None:
        session.define("near", session.relation("x<y") & session.relation("y<=x+2"))
        assert session.eval("$near(3,5) & ~$near(3,6)")
        session.define("none", session.relation("x<y").exists("x", "y"))
        assert session.eval("$none()")

    def test_a_failing_definition_changes_nothing(self, session: fp.Session) -> None:
        before = contents(session)
        for text in ("x<", "$unknown(x)", "U[x]=1", "Ex y=1", "$less(x)", "(?msd_2 x=1) & (?msd_3 x=1)", "#no(x)"):
            with pytest.raises(FibproverError):
                session.define("less", text)
        with pytest.raises(BudgetSpent):
            session.define("less", "17*x+23*y=5*z", limits=Limits(states=5))
        with pytest.raises(FibproverError):
            session.reg("less", ["msd_2"], "(1")
        with pytest.raises(FibproverError):
            session.reg("less", ["msd_2", "msd_none"], "[1,1]")
        with pytest.raises(FibproverError):
            session.define_morphic_word("T", [[0, 1], [1]], [0])
        assert contents(session) == before
        assert session.eval("$less(1,2)")

    def test_prove_and_relation_say_what_they_need(self, session: fp.Session) -> None:
        with pytest.raises(FibproverError, match="free variables"):
            session.prove("x<y")
        with pytest.raises(FibproverError, match="no free variable"):
            session.relation("Ax x=x")

    def test_sessions_know_nothing_of_each_other(self, session: fp.Session) -> None:
        other = fp.Session("msd_3")
        with pytest.raises(FibproverError, match="less"):
            other.eval("$less(1,2)")
        other.define("less", "x>y")
        assert other.eval("$less(2,1)") and session.eval("$less(1,2)")
        assert other.relation("x=1").sorts != session.relation("x=1").sorts

    def test_plans_and_limits(self) -> None:
        with pytest.raises(FibproverError, match="optimized and textbook"):
            fp.Session(plan="fast")
        with pytest.raises(FibproverError):
            fp.Session().eval("0=0", plan="fast")
        with pytest.raises(LimitError):
            fp.Limits(states=0)
        with pytest.raises(BudgetSpent):
            fp.Session(limits=Limits(states=3)).eval("x+y=17*z")
        made = fp.Session(plan="textbook")
        assert made.prove("0=0").plan == "textbook" and made.prove("0=0", plan="optimized").plan == "optimized"


class TestSystems:
    def test_abbreviations(self) -> None:
        assert fp.Session("fib").namespace.default_system == "msd_fib"
        assert fp.Session("10").namespace.default_system == "msd_10"
        with pytest.raises(FibproverError, match="msd_k"):
            fp.Session("msd_nothing")

    @pytest.mark.long
    def test_added_systems(self) -> None:
        session = fp.Session("msd_2")
        tribonacci = recurrence_system("msd_mine", (1, 1, 1), (1, 2, 4))
        session.add_system(tribonacci)
        assert session.eval("?mine Ex x=7 & x+x=14") and session.relation("?msd_mine x<7").count(100) == 7
        session.add_system(tribonacci)
        before = contents(session)
        # Definitions and cached automata go by the name of a system.
        with pytest.raises(FibproverError, match="already"):
            session.add_system(recurrence_system("msd_mine", (1, 0, 1), (1, 2, 3)))
        with pytest.raises(FibproverError, match="already"):
            session.add_system(recurrence_system("msd_fib", (1, 1, 1), (1, 2, 4)))
        assert contents(session) == before

    def test_a_variable_has_one_system(self, session: fp.Session) -> None:
        session.reg("z", [(0, 1)], "10*")
        session.reg("p", ["msd_2"], "10*")
        session.define_morphic_word("F", [[0, 1], [0]], [0, 1], "msd_fib")
        for text in (
            "Ex (?msd_fib x=3) & (?msd_2 x=4)", "Ex (?msd_3 $z(x)) & (?msd_2 $z(x))",
            "Ex (?msd_3 $z(x)) & (?msd_2 x=4)", "Ex $p(?msd_3 x)", "Ex $p(?msd_3 x+1)", "Ex T[x]=F[x]",
            "Ex,y F[x]=@1 & T[y]=@1 & x=y", "Ex ?msd_fib T[x+1]=@1",
        ):
            with pytest.raises(TextError):
                session.eval(text)

    def test_what_fits(self, session: fp.Session) -> None:
        session.reg("z", [(0, 1)], "10*")
        session.define_morphic_word("F", [[0, 1], [0]], [0, 1], "msd_fib")
        assert session.eval("Ex,u T[x]=F[u] & x=1") and session.eval("F[4]=@1") and session.eval("F[?msd_fib 2+2]=@1")
        assert session.relation("$z(x)").values(4) == [1, 2, 4, 8]
        assert session.relation("?msd_fib $z(x)").values(5) == [1, 2, 3, 5, 8]
        assert session.relation("?msd_fib $z(x) & x>2").values(2) == [3, 5]
        assert session.relation("?msd_3 $z(x)").values(4) == [1, 3, 9, 27]
        assert session.eval("(?msd_3 Ex $z(x) & x=9) & (?msd_fib ~Ex $z(x) & x=9)")


class TestPlainAlphabets:
    """Plans agree, and a word over a plain alphabet is one length with what stands beside it."""

    @pytest.mark.parametrize("text", [
        "Ew,v $one(w) & $two(v)", "Ew $none(w) & x=1", "Ew $one(w) & x=5", "Ew $one(w) & (Ev $two(v))",
        "Ew $two(w) & x=1",
        "Aw $one(w) => (Ev $two(v))", "~Ew $two(w) & ~$one(w)", "Ew ($one(w) | $two(w)) & x<9 & ~x=1",
    ])
    def test_plans_agree(self, text: str) -> None:
        session = fp.Session("msd_2")
        for name, regex in (("one", "7"), ("two", "77"), ("none", "()")):
            session.reg(name, [(0, 7)], regex)
        first, second = (session.eval(text, plan=plan) for plan in PLANS)
        if isinstance(first, fp.Verdict):
            assert bool(first) is bool(second)
        else:
            assert first == second

    def test_numbers_left_over_are_numbers(self) -> None:
        session = fp.Session("msd_2")
        session.reg("r", [(0, 7), "msd_2"], "[7,0][7,1]")
        for plan in PLANS:
            assert session.relation("Ew $r(w,x)", plan=plan) == session.relation("x=1")
            assert session.relation("~Ew $r(w,x)", plan=plan) == session.relation("x!=1")

    def test_a_word_has_one_letter_at_a_number(self, tmp_path: Path) -> None:
        """The machine reads leading zeros otherwise; what counts is the index without them."""
        (tmp_path / "W.txt").write_text(
            "{0,1}\n\n0 0\n0 -> 1\n1 -> 2\n\n1 1\n0 -> 1\n1 -> 2\n\n2 1\n0 -> 2\n1 -> 0\n", encoding="utf-8"
        )
        session = fp.Session("msd_2")
        session.namespace.load_word(tmp_path / "W.txt")
        for plan in PLANS:
            assert not session.eval("Ex W[x]=@0 & W[x]=@1", plan=plan)
            assert session.eval("Ax W[x]=@0 | W[x]=@1", plan=plan) and session.eval("Ax W[x]=W[x]", plan=plan)
            assert session.relation("W[x]=@0", plan=plan).values(4) == [0, 3, 5, 9]
            assert session.prove("Ex W[x]=@0 & x>3", plan=plan).evidence.values == {"x": 5}  # type: ignore[union-attr]


class TestFiles:
    def test_words_from_json(self, session: fp.Session, tmp_path: Path) -> None:
        file = tmp_path / "words.json"
        file.write_text(json.dumps({"V": {"morphism": THUE_MORSE, "coding": [1, 0], "system": "msd_2"}}))
        assert list(session.load_words(file)) == ["V"]
        assert session.eval("Ax V[x]!=T[x]")

    @pytest.mark.parametrize("text", ["", "{", "[]", '{"V": 3}', '{"V": {"morphism": [[0, 9]], "coding": [0]}}',
                                      '{"W": {"morphism": [[0, 1], [1, 0]], "coding": [0, 1]}, "V": {}}'])
    def test_bad_json_changes_nothing(self, session: fp.Session, tmp_path: Path, text: str) -> None:
        before = contents(session)
        (tmp_path / "words.json").write_text(text)
        with pytest.raises(FibproverError):
            session.load_words(tmp_path / "words.json")
        assert contents(session) == before

    @pytest.mark.parametrize("text", ["", "msd_nothing\n\n0 1\n", "msd_2\n\n0 1\n2 -> 0\n", "msd_2\n\n0 1\n0 -> 7\n"])
    def test_bad_automata_change_nothing(self, session: fp.Session, tmp_path: Path, text: str) -> None:
        before = contents(session)
        (tmp_path / "T.txt").write_text(text)
        for load in (session.namespace.load_word, session.namespace.load_predicate):
            with pytest.raises(FibproverError):
                load(tmp_path / "T.txt")
        assert contents(session) == before

    def test_missing_files(self, session: fp.Session, tmp_path: Path) -> None:
        for load in (session.load, session.namespace.load_predicate, session.load_words):
            with pytest.raises((FileProblem, FormatError)):
                load(tmp_path / "none.txt")

    def test_predicates_from_files(self, session: fp.Session, tmp_path: Path) -> None:
        """Like `reg`, a file holds a raw language: here 1 and 001 are accepted, 01 is not."""
        (tmp_path / "p.txt").write_text("msd_2\n\n0 0\n0 -> 1\n1 -> 2\n\n1 0\n0 -> 0\n\n2 1\n0 -> 2\n")
        found = session.namespace.load_predicate(tmp_path / "p.txt")
        assert found.values(3) == [1, 2, 4]
        for plan in PLANS:
            assert session.relation("$p(x)", plan=plan).values(3) == [1, 2, 4]
            assert (1, 9) in session.relation("$p(x) & y=9", plan=plan)


class TestScripts:
    def test_all_commands(self, session: fp.Session) -> None:
        script = (
            'reg power msd_2 "0*10*":\nmacro inc "%0=%1+1":\ndef next "#inc(y,x)":\n'
            'eval check "Ax $power(x) => (Ey $next(x,y))":\ndef few "x<3";'
        )
        outcomes = session.run(script)
        kinds = [type(outcome).__name__ for _, outcome in outcomes]
        assert kinds == ["Relation", "NoneType", "Relation", "Verdict", "Relation"]
        assert outcomes[3][1] and session.relation("$few(x)").values(9) == [0, 1, 2]

    def test_an_error_is_shown_in_the_script_and_stops_it(self, session: fp.Session) -> None:
        script = 'def one "x=1":\ndef two "$on(x)":\ndef three "x=3":\n'
        with pytest.raises(TextError) as problem:
            session.run(script)
        assert script[problem.value.start : problem.value.end] == "$on" and "one" in problem.value.hint
        assert "one" in session.namespace.definitions and not {"two", "three"} & set(session.namespace.definitions)

    def test_macros(self, session: fp.Session) -> None:
        assert session.eval("Ex #twice(x,3) & x=6")
        session.macro("twice", "%0=%1+%1+1")
        assert session.eval("Ex #twice(x,3) & x=7")


@pytest.mark.parametrize(("plan", "depth"), [("textbook", 190), ("optimized", 50)])
def test_deep_formulas_are_an_answer_or_an_error(session: fp.Session, plan: str, depth: int) -> None:
    text = "x"
    for _ in range(depth):
        text = f"T[{text}]"
    try:
        assert session.eval(f"Ex {text}=1", plan=plan, limits=Limits(seconds=60))
    except FibproverError as problem:
        assert "deep" in problem.message


@pytest.mark.parametrize("plan", PLANS)
def test_alternating_quantifiers_do_not_pile_up(session: fp.Session, plan: str) -> None:
    """The variables of outer blocks are no burden inside: 2^16 letters would be."""
    text = "x0>=0"
    for level in range(16):
        text = f"({'EA'[level % 2]}x{level} x{level}>=x{level + 1} & {text})"
    text = text.replace("x16", "5")
    assert not session.eval(text, plan=plan, limits=Limits(transitions=1_000_000))


def test_a_session_says_what_it_holds() -> None:
    session = fp.Session("msd_fib")
    assert repr(session) == "Session(msd_fib; 0 predicates, 0 words)"
    session.define("zero", "x=0")
    assert repr(session) == "Session(msd_fib; 1 predicate, 0 words)"


def test_every_command_has_a_usage_a_function_and_a_method() -> None:
    from fibprover.language.commands import WORDS
    from fibprover.workspace.commands.table import COMMANDS

    of_the_session = {"eval", "def", "cls", "clear", "quit", "exit"}
    assert {word for word in WORDS if not word.startswith("[")} == {*COMMANDS, *of_the_session}
    for word, function in COMMANDS.items():
        method = getattr(fp.Session, {"word": "define_word"}.get(word, word))
        assert unwrap(method) is function and method.__doc__


def test_systems_of_free_variables_are_given_as_data() -> None:
    s = fp.Session()
    assert s.eval("x<5", systems={"x": "msd_fib"}) == s.eval("?msd_fib x<5") != s.eval("x<5")
    found = s.eval("x<5 & (Ey y=x) & z=z", systems={"z": "lsd_3", "y": "msd_fib"})
    assert isinstance(found, fp.Relation) and [str(sort) for sort in found.sorts] == ["msd_2", "lsd_3"]
    with pytest.raises(TypeMismatch, match="x is in msd_3 here, but has to be in msd_fib because of") as caught:
        s.eval("y=1 & (?msd_fib x<5)", systems={"x": "msd_3"})
    assert (caught.value.start, caught.value.end) == (16, 17)
    with pytest.raises(FibproverError, match="msd_none"):
        s.eval("x=1", systems={"x": "msd_none"})


SYSTEMS = ("msd_2", "lsd_2", "msd_fib", "lsd_fib", "msd_neg_2")


@pytest.mark.parametrize("default", ["msd_2", "msd_fib", "lsd_fib"])
@pytest.mark.parametrize("formula", [
    "x<5", "x<5 & z=z", "x=y | x+1=y", "(Ey y=x) & ~z=3", "?msd_fib x=1 => x=2", "(?msd_2 z<3) & x<5", "F[x]=@1 & z=1",
    "x=z & T[y]=@1", "$feq_F(x,y,z)", "`x<3",
])
def test_the_formula_of_a_relation_says_the_systems_that_were_given(default: str, formula: str) -> None:
    """Printed and read again it is the same relation."""
    s, compared = fp.Session(default), 0
    for first, second in product(SYSTEMS, repeat=2):
        try:
            found = s.eval(formula, systems={"x": first, "z": second, "k": "msd_3"})
        except (TypeMismatch, NotSupported):
            continue
        assert isinstance(found, fp.Relation) and found.formula is not None
        again = s.relation(str(found.formula))
        assert (again, again.sorts) == (found, found.sorts), found.formula
        assert s.relation(found.text).sorts == found.sorts
        compared += 1
    assert compared


@pytest.mark.parametrize("formula", [None, 5, b"x=1", ["x=1"]])
def test_what_is_no_formula(formula: Any) -> None:
    for ask in (fp.Session().eval, fp.Session().prove, fp.Session().relation):
        with pytest.raises(fp.FibproverError, match="a formula is a text") as raised:
            ask(formula)
        assert repr(formula) in str(raised.value)


def test_values_of_terms() -> None:
    s = fp.Session()
    s.run('morphism h "0->01, 1->12, 2->20"; promote W h;')
    assert [s.value(f"W[{n}]") for n in range(12)] == [n.bit_count() % 3 for n in range(12)]
    assert [s.value(term) for term in ("7/2*2", "2*(3+4)", "W[5]+W[7]", "?msd_fib F[F[1]]")] == [6, 14, 2, 1]
    assert fp.Session("msd_neg_2").value("3-4") == -1
    for text in ("3-4", "W[x]", "x=3", "W[2", "", "X[3]"):
        with pytest.raises(FibproverError):
            s.value(text)


def test_values_of_negative_letters() -> None:
    s = fp.Session()
    s.run('def odious "T[n]=1"; combine Q odious=-1;')
    assert [s.value(f"Q[{n}]") for n in range(4)] == [-(n.bit_count() % 2) for n in range(4)]
