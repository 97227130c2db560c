"""docs/language.md tries every construct of the grammar: each rule, each token, each operator."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from fibprover.language.commands import WORDS
from fibprover.language.regular_expression import Empty, Regex, Repeat, parse_regex
from fibprover.language.tokens import FOREIGN

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "fibprover" / "language" / "grammar.lark"
PAGE = ROOT / "docs" / "language.md"

#: What operators a token stands for, of those that stand for several.
OPERATORS = {
    "JUNCTION": set("&|^"), "PREFIX": set("~`"), "RELATION": {"=", "!=", "<", "<=", ">", ">="}, "SIGN": set("+-"),
    "TIMES": set("*/"), "QUANTIFIER": set("AEI"),
}


def examples() -> list[doctest.Example]:
    """The Python of the page."""
    blocks = "".join(re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    return doctest.DocTestParser().get_examples(blocks)


def texts() -> Iterator[str]:
    """All strings in the Python of the page, and what is quoted in its scripts."""
    for example in examples():
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
                yield from re.findall('"([^"]*)"', node.value)


@pytest.fixture(scope="module")
def trees() -> list[Tree[Token]]:
    parser = Lark(GRAMMAR.read_text(), parser="lalr", lexer="contextual", maybe_placeholders=False)
    found = []
    for text in texts():
        try:
            found.append(parser.parse(text))
        except UnexpectedInput:
            continue  # a name, a regular expression, an example of a mistake
    return found


def tokens(trees: list[Tree[Token]]) -> list[Token]:
    return [token for tree in trees for token in tree.scan_values(lambda value: isinstance(value, Token))]


def test_every_rule_is_tried(trees: list[Tree[Token]]) -> None:
    rules = set(re.findall(r"-> (\w+)", GRAMMAR.read_text()))
    assert len(rules) > 10
    assert rules - {str(tree.data) for whole in trees for tree in whole.iter_subtrees()} == set()


def test_every_token_is_tried(trees: list[Tree[Token]]) -> None:
    kinds = set(re.findall(r"^([A-Z]+):", GRAMMAR.read_text(), re.MULTILINE)) - {"WS"} - FOREIGN
    brackets = {"LPAR", "RPAR", "LBRACKET", "RBRACKET"}  # which trees do not keep, but their rules are tried
    assert kinds - {token.type for token in tokens(trees)} - brackets == set()


@pytest.mark.parametrize("kind", OPERATORS)
def test_every_operator_is_tried(trees: list[Tree[Token]], kind: str) -> None:
    assert {str(token) for token in tokens(trees) if token.type == kind} == OPERATORS[kind]


def test_signs_of_letters_and_sorts_of_counts_are_tried(trees: list[Tree[Token]]) -> None:
    assert {"@1", "@-1", "@+1"} <= {str(token) for token in tokens(trees) if token.type == "LETTER"}
    counted = [tree for whole in trees for tree in whole.find_data("counted")]
    assert {str(tree.children[1]) for tree in counted} == {">=", "<=", "="}


def test_words_of_several_indices_and_calls_without_parameters_are_tried(trees: list[Tree[Token]]) -> None:
    assert any(len(tree.children) == 3 for whole in trees for tree in whole.find_data("word"))
    calls = [tree for whole in trees for tree in whole.find_data("call")]
    assert {len([each for each in tree.children if isinstance(each, Tree)]) for tree in calls} >= {0, 1, 2}


def regular_expressions() -> Iterator[tuple[str, list[list[int]]]]:
    """What the page gives to `accepted`, with the alphabets."""
    for node in ast.walk(ast.parse("".join(each.source for each in examples()))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "accepted":
            digits, regex = node.args
            assert isinstance(regex, ast.Constant) and isinstance(regex.value, str)
            yield regex.value, [list(eval(ast.unparse(digits)))]  # a list or a range, of our own page


def test_every_kind_of_regular_expression_is_tried() -> None:
    tried = dict(regular_expressions())
    nodes = [node for regex, digits in tried.items() for node in every(parse_regex(regex, digits))]
    kinds = set(get_args(Regex)) - {Empty}  # which nobody writes
    assert {type(node) for node in nodes} == kinds
    counts = {(node.least, node.most) for node in nodes if isinstance(node, Repeat)}
    assert {(0, None), (1, None), (0, 1), (2, 2), (2, None), (2, 3)} <= counts
    for written in ("[-1]", "[10]", "[5-6]", "[^01]", "()", "."):
        assert any(written in regex for regex in tried)


def every(node: Any) -> Iterator[Any]:
    """A node of a regular expression and all below it."""
    yield node
    for part in (*getattr(node, "parts", ()), *([node.body] if hasattr(node, "body") else [])):
        yield from every(part)


def test_every_command_has_its_place() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    assert [word for word in WORDS if f"    {WORDS[word].usage}\n" not in page] == []
