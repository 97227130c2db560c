"""The tables of the parser: those that were kept, and new ones where the grammar has changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from fibprover.base.errors import SyntaxProblem
from fibprover.language import tables
from fibprover.language.parser import parse_formula
from tests.language.trees import formulas

GRAMMAR = tables.GRAMMAR.read_text()
LARK = Lark(GRAMMAR, parser="lalr", lexer="contextual", maybe_placeholders=False)

PIECES = [
    "x", "y", "A", "E", "I", "Ex", "T[", "]", "(", ")", ",", "&", "|", "=>", "<=>", "=", "<", "<=", "!=", "+", "-", "*",
    "/", "_", "~", "`", "$f(", "?msd_2", "@1", "@-", "7", ".Evil[", " ", "  ", ">=", "!", "#", "1x", "E>=2 x", "^",
]


def is_read(text: str) -> bool:
    """Whether lark reads a text by the grammar alone."""
    try:
        LARK.parse(text)
    except UnexpectedInput:
        return False
    return True


@pytest.mark.long
@settings(max_examples=400)
@given(text=st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_texts_that_the_grammar_refuses_are_refused(text: str) -> None:
    """The builder refuses more: a number in place of a truth value, say."""
    try:
        parse_formula(text)
    except SyntaxProblem:
        return
    assert is_read(text)


@given(tree=formulas(3))
def test_formulas_are_read_by_both(tree: object) -> None:
    assert is_read(str(tree))
    parse_formula(str(tree))


def test_kept_tables_are_used_if_they_are_of_this_grammar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tables.made(GRAMMAR)
    kept = tmp_path / "grammar.json"
    monkeypatch.setattr(tables, "TABLES", kept)
    for text in (None, "", "[", "[]", "{}", json.dumps({**made, "grammar": "another"})):
        if text is not None:
            kept.write_text(text)
        found = tables.read_tables()
        assert found["grammar"] == made["grammar"] and found.keys() == made.keys(), text
        assert len(found["states"]) == len(made["states"]), text
    kept.write_text(json.dumps({**made, "mark": 1}))
    assert tables.read_tables()["mark"] == 1
