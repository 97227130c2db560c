"""Deep and long texts give a result or a clean error, and never exhaust the stack or the clock."""

from __future__ import annotations

import pytest

from fibprover.base.errors import LimitError, SyntaxProblem
from fibprover.language.macros import expand_macros
from fibprover.language.parser import parse_formula
from fibprover.language.regular_expression import MAX_DEPTH as MAX_REGEX_DEPTH
from fibprover.language.regular_expression import parse_regex
from fibprover.language.source import MAX_DEPTH

BIT = [(0, 1)]


def test_parentheses_do_not_count() -> None:
    plain = parse_formula("x=1").formula
    deep = parse_formula("(" * 10_000 + "x=1" + ")" * 10_000).formula
    assert deep == plain


@pytest.mark.parametrize(
    "text",
    [
        "~" * 100_000 + "x=1",
        "`" * 100_000 + "x=1",
        "x=" + "_" * 100_000 + "1",
        "x=1" + " & x=1" * 10_000,
        "x=1" + " => x=1" * 10_000,
        "x=1" + "+1" * 10_000,
        "Ex " * 10_000 + "x=1",
        "?msd_2 " * 10_000 + "x=1",
        "$f(" * 10_000 + "x" + ")" * 10_000,
        "T[" * 10_000 + "x" + "]" * 10_000 + "=1",
    ],
    ids=lambda text: text[:8],
)
def test_deep_trees_are_refused(text: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula(text)
    assert caught.value.message == f"this is nested more than {MAX_DEPTH} levels deep"


def test_the_deepest_tree() -> None:
    """A comparison is two levels; equality, hashing and printing of the tree still work."""
    formula = parse_formula("~" * (MAX_DEPTH - 2) + "x=1").formula
    assert hash(formula) == hash(parse_formula("~" * (MAX_DEPTH - 2) + "x=1").formula)
    assert repr(formula).count("Not(") == MAX_DEPTH - 2
    with pytest.raises(SyntaxProblem, match="nested more than"):
        parse_formula("~" * (MAX_DEPTH - 1) + "x=1")


@pytest.mark.parametrize("text", ["(" * 100_000, "[" * 1000, ")" * 1000, "x" * 100_000, "$f(" * 5_000, "x=1 " * 1000])
def test_long_nonsense(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        parse_formula(text)


def test_long_numbers() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_formula("y=2 & x=" + "9" * 4301)
    assert (caught.value.message, caught.value.start) == ("this number has more than 4300 digits", 8)
    with pytest.raises(SyntaxProblem, match="more than 4300 digits"):
        parse_formula("x=@-" + "9" * 4301)
    with pytest.raises(SyntaxProblem, match="more than 4300 digits"):
        parse_formula("E>=" + "9" * 4301 + " x x=1")


def test_deep_regular_expressions() -> None:
    assert parse_regex("(" * 20_000 + "0" + ")" * 20_000, BIT) == parse_regex("0", BIT)
    for text in ("~" * 20_000 + "0", "0" + "*" * 20_000, "(0|" * 20_000 + "1" + ")" * 20_000):
        with pytest.raises(SyntaxProblem) as caught:
            parse_regex(text, BIT)
        assert caught.value.message == f"this is nested more than {MAX_REGEX_DEPTH} levels deep"
    with pytest.raises(SyntaxProblem, match="never closed"):
        parse_regex("(" * 50_000, BIT)


def test_a_dot_over_too_many_letters() -> None:
    with pytest.raises(LimitError):
        parse_regex(".", [tuple(range(10))] * 10)


@pytest.mark.long
def test_macros_that_explode() -> None:
    doubling = {"m0": "%0" * 500} | {f"m{i}": f"#m{i - 1}(%0)#m{i - 1}(%0)" for i in range(1, 49)}
    with pytest.raises(SyntaxProblem, match="expand to more than 1000000 characters"):
        expand_macros("#m48(x)", doubling)
    silent = {"m0": ""} | {f"m{i}": f"#m{i - 1}()#m{i - 1}()" for i in range(1, 49)}
    with pytest.raises(SyntaxProblem, match="called more than 10000 times"):
        expand_macros("#m48()", silent)
    with pytest.raises(SyntaxProblem, match="nested 50 deep"):
        expand_macros("#id(" * 1000 + "x" + ")" * 1000, {"id": "%0"})
