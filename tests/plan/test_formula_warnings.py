"""Warnings that need the meanings of names, and errors in Python where scripts get warnings."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.base.errors import TypeMismatch
from fibprover.prover.formula_warnings import formula_warnings
from tests.cli.command import answer

OVERRIDDEN = {
    "?msd_fib En T[n]=@1": "n",
    "?lsd_fib En F[n]=@1": "n",
    "Ax ?msd_2 $even(x)": "x",
    "?msd_3 Ax,y $even(x) => y=y": "x",
    "?msd_fib Ei,n n>0 & T[i]=@0 & F[n]=@0": "i",
}
RESPECTED = [
    "?msd_2 En T[n]=@1", "En T[n]=@1", "?msd_fib En F[n]=@1 & n>3", "Ax ?msd_fib $even(x)", "Ax $even(x)",
    "?msd_fib En F[n]=@1 & (?msd_2 Em T[m]=@1)", "?msd_fib En,m F[n]=@1 & T[?msd_2 m]=@1",
    "En ?msd_fib (?msd_2 n=1) & T[n]=@1", "?msd_2 En `(T[n]=@1)",
]


@pytest.fixture
def session() -> fp.Session:
    made = fp.Session()
    made.define("even", "?msd_fib Ey x=2*y")
    return made


@pytest.mark.parametrize("formula", OVERRIDDEN)
def test_a_system_that_is_written_is_not_overridden_in_silence(session: fp.Session, formula: str) -> None:
    with pytest.raises(TypeMismatch) as caught:
        session.eval(formula)
    assert formula[caught.value.start : caught.value.end] == OVERRIDDEN[formula]
    (warning,) = formula_warnings(session.parse(formula), session.namespace.environment())
    assert formula[warning.span.start : warning.span.end] == OVERRIDDEN[formula]
    # A script says what it always said: the system of the word or predicate is meant.
    ((_, outcome),) = session.run(f'eval a "{formula}":')
    assert isinstance(outcome, fp.Verdict) and outcome.truth is (formula != "Ax ?msd_2 $even(x)")
    with pytest.raises(TypeMismatch):
        session.eval(formula)


def test_the_system_that_is_written_below_a_reversal_is_named_as_written(session: fp.Session) -> None:
    with pytest.raises(TypeMismatch) as caught:
        session.eval("?lsd_fib `$even(n)")
    assert "?lsd_fib is written" in caught.value.message and "?msd_fib" in caught.value.hint
    session.eval("?msd_fib `$even(n)")


@pytest.mark.parametrize("formula", RESPECTED)
def test_no_warning_where_every_number_is_in_the_system_that_is_written(session: fp.Session, formula: str) -> None:
    session.eval(formula)
    assert formula_warnings(session.parse(formula), session.namespace.environment()) == ()


@pytest.mark.parametrize("formula", ["En T[n]=2", "En @2=T[n]", "An T[n]!=@7", "En T[n]=@0 & F[n]=@2"])
def test_letters_that_a_word_has_not(session: fp.Session, formula: str) -> None:
    formula = formula if "F" not in formula else "En T[n]=@0 | (?msd_fib Em F[m]=@2)"
    (warning,) = formula_warnings(session.parse(formula), session.namespace.environment())
    assert warning.message.split()[0] in ("T", "F") and "0, 1" in warning.hint


@pytest.mark.parametrize("words", [
    ("explain", "?msd_fib En T[n]=@1"), ("draw", "?msd_fib T[n]=@1", "--format", "dot"),
    ("board", "?msd_fib T[n]=@1 & m<3", "--size", "4"),
])
def test_every_command_that_decides_a_formula_warns(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    said = answer(capsys, *words)
    assert said.status == 0 and "msd_2" in said.err and "^" in said.err


def test_the_command_line_warns_and_answers(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "eval", "?msd_fib En T[n]=@1")
    assert said.out.startswith("TRUE") and "msd_2" in said.err and "^" in said.err
    assert answer(capsys, "eval", "?msd_2 En T[n]=@1").err == ""


@pytest.mark.parametrize(("formula", "place"), [
    ("x=1 | x=2 & y=3", "x=1 | x=2 & y=3"), ("Ex x=1 ^ x=2 & x=3", "x=1 ^ x=2 & x=3"),
    ("x=1 | x=2 & y=3 & y=4", "x=1 | x=2 & y=3"), ("?msd_fib x=1|(x=2)&(y=3)", "x=1|(x=2)&(y=3)"),
])
def test_operators_that_are_read_from_the_left(session: fp.Session, formula: str, place: str) -> None:
    (warning,) = formula_warnings(session.parse(formula), session.namespace.environment())
    assert formula[warning.span.start : warning.span.end] == place


@pytest.mark.parametrize("formula", [
    "(x=1 | x=2) & y=3", "x=1 | (x=2 & y=3)", "x=1 & x=2 | y=3", "(x=1) | (x=2) | y=3", "((x=1 | x=2)) & (y=3)",
    "x=1 | x=2 => y=3",
])
def test_operators_that_nobody_misreads(session: fp.Session, formula: str) -> None:
    assert formula_warnings(session.parse(formula), session.namespace.environment()) == ()


@pytest.mark.parametrize(("formula", "places"), [
    ("(Ex x>5) & x<3", [11]), ("x<3 & (Ex x>5) & x=1", [0]), ("(Ax $even(x)) | x=1 & (Ey y=z)", [16]),
    ("Ex x>5 & x<3", []), ("(Ex x>5) & (Ax x<3)", []), ("(Ex x=y) & y=2", []),
])
def test_a_variable_that_is_free_beside_its_quantifier(session: fp.Session, formula: str, places: list[int]) -> None:
    found = formula_warnings(session.parse(formula), session.namespace.environment())
    assert [each.span.start for each in found if "free here" in each.message] == places
