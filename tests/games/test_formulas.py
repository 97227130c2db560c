"""What rules may say, and other variables put into them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from fibprover.base.errors import FibproverError, NotSupported, SyntaxProblem, TextError, TypeMismatch, UnknownName
from fibprover.games.formulas import check_rule, read_rule
from fibprover.language.builder import variables
from fibprover.language.tree import Formula
from tests.oracle.games import holds

from .rules_at_random import formulas

MOVES = ("i", "j")


def parse_rule(text: object, names: tuple[str, ...], what: str) -> Formula:
    source = read_rule(text, what)
    check_rule(source, names, what)
    return source.formula


@pytest.mark.parametrize(
    ("text", "error", "place"),
    [
        ("i=0 | x=1", UnknownName, "x"),
        ("i=0 | (Ei i=j) | p=i", UnknownName, "p"),
        ("i*j=3", TypeMismatch, "i*j"),
        ("i/j=3", TypeMismatch, "j"),
        ("i/0=3", TypeMismatch, "0"),
        ("$even(i)", NotSupported, "$even(i)"),
        ("F[i]=1", NotSupported, "F[i]"),
        ("F[i]=@1", NotSupported, "F[i]"),
        ("i=@1", NotSupported, "@1"),
        ("_i=j", NotSupported, "_i"),
        ("?msd_fib i=j", NotSupported, "?msd_fib i=j"),
        ("i=0 & `(i=j)", NotSupported, "`(i=j)"),
        ("I k k>i+j", NotSupported, "I k k>i+j"),
        ("i=", SyntaxProblem, "="),
        ("i", SyntaxProblem, "i"),
        ("", SyntaxProblem, ""),
    ],
)
def test_what_is_refused(text: str, error: type[TextError], place: str) -> None:
    with pytest.raises(error) as caught:
        parse_rule(text, MOVES, "the moves")
    assert text[caught.value.start : caught.value.end] == place
    assert "^" in str(caught.value)


@pytest.mark.parametrize("text", [None, 3, b"i=0", ["i=0"]])
def test_what_is_no_text(text: object) -> None:
    with pytest.raises(FibproverError, match="the moves must be a formula"):
        parse_rule(text, MOVES, "the moves")


def test_depth_is_an_error_of_ours() -> None:
    with pytest.raises(FibproverError):
        parse_rule("~" * 5000 + "i=0", MOVES, "the moves")
    with pytest.raises(FibproverError):
        parse_rule("&".join(["i=0"] * 5000), MOVES, "the moves")


@pytest.mark.long
@settings(max_examples=60)
@given(formulas(MOVES))
def test_what_is_put_in_means_the_same(text: str) -> None:
    p_, q_ = variables("p q")
    changed = str(parse_rule(text, MOVES, "the moves").substitute(i=p_ + 1, j=q_))
    for p in range(4):
        for q in range(4):
            assert bool(holds(text, {"i": p + 1, "j": q})) == bool(holds(changed, {"p": p, "q": q}))
