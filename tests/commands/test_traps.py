"""Where the peer is known to err: the right answer, one test a trap (docs/walnut.md lists them)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError, SyntaxProblem, TypeMismatch


@pytest.fixture
def session() -> fp.Session:
    return fp.Session()


@pytest.mark.parametrize("plan", ["optimized", "textbook"])
def test_infinitely_many_keeps_free_variables(session: fp.Session, plan: str) -> None:
    assert not session.prove("Ex Iy y<x", plan=plan)
    assert session.prove("Ax Iy y>x", plan=plan)
    # The peer says true of the first one, as it forgets x.
    assert session.relation("Iy y<x | (y>4 & x<3)", plan=plan).values(9) == [0, 1, 2]


def test_digits_that_are_no_number_have_no_letter(session: fp.Session, tmp_path: Path) -> None:
    """The machine gives the letter 5 to words with 11 only, which no number has in Fibonacci numeration."""
    (tmp_path / "W.txt").write_text(
        "msd_fib\n\n0 0\n0 -> 0\n1 -> 1\n\n1 1\n0 -> 0\n1 -> 2\n\n2 5\n0 -> 2\n1 -> 2\n"
    )
    session.namespace.load_word(tmp_path / "W.txt")
    assert not session.prove("?msd_fib Ex W[x]=@5")
    assert session.prove("?msd_fib Ax W[x]=@0 | W[x]=@1")


@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "msd_fib", "lsd_fib"])
def test_linear_representations_of_lsd_systems_count(system: str) -> None:
    found = fp.Session(system).counts("n", "m<3*n")
    assert [found(n) for n in range(20)] == [3 * n for n in range(20)]


def test_a_morphism_without_a_fixed_point_from_0_is_refused(session: fp.Session) -> None:
    session.morphism("h", "0->10 1->01")
    with pytest.raises(FibproverError, match="no fixed point from 0"):
        session.promote("W", "h")


def test_concatenation_needs_both_parts(session: fp.Session) -> None:
    session.reg("zero", ["msd_2"], "0")
    session.reg("one", ["msd_2"], "1")
    session.concat("both", "zero", "one")
    session.concat("turned", "one", "zero")
    session.reg("expected", ["msd_2"], "01")
    session.reg("other", ["msd_2"], "10")
    assert session.namespace.definitions["both"].automaton == session.namespace.definitions["expected"].automaton
    assert session.namespace.definitions["turned"].automaton == session.namespace.definitions["other"].automaton


def test_leading_zeros_are_added_in_front_and_nowhere_else(session: fp.Session) -> None:
    """A loop on zero at the initial state of 1*, which words come back to, would make it (0|1)*."""
    session.reg("ones", ["msd_2"], "1*")
    assert session.relation("?msd_2 $ones(x)").values(5) == [0, 1, 3, 7, 15]
    assert not session.prove("?msd_2 $ones(5)")


def test_automata_that_accept_nothing(session: fp.Session) -> None:
    """Their initial state leads nowhere."""
    session.reg("a", ["msd_2"], "10*")
    session.reg("b", ["msd_2"], "110*")
    assert session.intersect("c", "a", "b").is_empty()
    for command in ("star s c;", "concat s c a;", "concat s a c;", "union s c c;", "reverse s $c;", "leftquo s a c;"):
        session.run(command)
        assert not session.eval("Ex $s(x) & x>0") and session.inf("s") is None
    session.combine("C", "c")
    assert session.namespace.words["C"].outputs == (0,)


def test_quotients_by_other_alphabets_compare_letters_and_not_their_places(session: fp.Session) -> None:
    session.reg("words", [(0, 1, 2)], "021")
    session.reg("prefix", [(0, 2)], "02")
    session.leftquo("rest", "words", "prefix")
    assert str(session.test("rest", 2)) == "1\n(no others)"


def test_bases_are_compared_exactly(session: fp.Session) -> None:
    session.define("three", "?msd_10 Ex n=3*x")
    session.convert("T", "msd_1000", "$three")
    assert session.prove("?msd_1000 An T[n]=@1 <=> Ex n=3*x")


@pytest.mark.parametrize("formula", ["F[a][b", "F[a]b", "F[a]]", "x=1 y", "(x=1", "x=1)", "x=1 &"])
def test_nothing_may_follow_a_formula_or_be_left_open(session: fp.Session, formula: str) -> None:
    session.define_morphic_word("F", [[0, 1], [0]], [0, 1], "msd_fib")
    with pytest.raises(SyntaxProblem):
        session.eval(formula)


def test_letters_outside_the_alphabet(session: fp.Session) -> None:
    for regex, error in (("0*typo", SyntaxProblem), ("100*(271)*", TypeMismatch)):
        with pytest.raises(error):
            session.reg("r", ["lsd_2"], regex)


def test_state_numbers_may_have_gaps(session: fp.Session, tmp_path: Path) -> None:
    (tmp_path / "T.txt").write_text("msd_2\n\n7 0\n0 -> 7\n1 -> 3\n\n3 1\n0 -> 3\n1 -> 7\n")
    session.namespace.load_word(tmp_path / "T.txt")
    names = session.namespace
    assert names.words["T"].prefix(8, names.system("msd_2").represent) == [0, 1, 1, 0, 1, 0, 0, 1]


def test_names_that_begin_like_quantifiers(session: fp.Session) -> None:
    for name in ("A1", "E", "Iy", "All"):
        session.define(name, "x=3")
        assert session.prove(f"Ex ${name}(x) & Ey ${name}(y)")


def test_a_number_is_in_one_system(session: fp.Session) -> None:
    with pytest.raises(TypeMismatch):
        session.eval("Ex (?msd_fib x=3) & (?msd_2 x=4)")
    session.define_morphic_word("T", [[0, 1], [1, 0]], [0, 1])
    with pytest.raises(TypeMismatch):
        session.eval("?msd_fib En T[n+1]=@1")
    # Reading the digits in the other system has to be said.
    session.alphabet("TF", ["msd_fib"], "T")
    assert session.prove("?msd_fib En TF[n+1]=@1")


def test_words_without_a_system_are_words() -> None:
    """Two languages with the same numbers are two languages, unless a system is asked for."""
    session = fp.Session()
    session.reg("a", [(0, 1)], "1")
    session.reg("b", [(0, 1)], "01")
    assert not session.prove("Ax $a(x) <=> $b(x)")
    assert session.prove("?msd_2 Ax $a(x) <=> $b(x)")
    chosen = fp.Session("msd_2")
    chosen.reg("a", [(0, 1)], "1")
    chosen.reg("b", [(0, 1)], "01")
    assert chosen.prove("Ax $a(x) <=> $b(x)")


def test_remarks_in_matrix_files_are_remarks_there() -> None:
    """The peer writes # into files for Mathematica, where that is no remark."""
    text = fp.Session().counts("n", "m<n").text("wl")
    assert "#" not in text and text.startswith("(* ")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.combine("C"), "at least one predicate"),
        (lambda s: s.join("J"), "at least one word"),
        (lambda s: s.split("M", "T", ["*"]), "'\\*' is not a sign"),
        (lambda s: s.rsplit("M", ["up"], "T"), "'up' is not a sign"),
        (lambda s: s.test("even", -1), "cannot be negative: -1"),
        (lambda s: s.ost("o", [0.5], [1]), "must be integers, not 0.5"),
        (lambda s: s.count("even", 1.5), "a bound must be an integer, not 1.5"),
        (lambda s: s.reg("r", ["msd_2"], ["1*"]), "a regular expression is a text, not \\['1\\*'\\]"),
        (lambda s: s.macro("m", 5), "a macro must be a text, not 5"),
    ],
)
def test_methods_refuse_what_scripts_cannot_say(call: Callable[[fp.Session], object], message: str) -> None:
    session = fp.Session()
    session.define("even", "Em n=2*m")
    with pytest.raises(fp.FibproverError, match=message):
        call(session)
    assert not (session.namespace.words or session.namespace.systems or session.namespace.macros)
