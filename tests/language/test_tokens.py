"""The tokens of formulas and scripts: nothing is lost, and they are what the parser and the reader of scripts see."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark

from fibprover.base.errors import SyntaxProblem, TextError, UnknownName
from fibprover.base.names import NAME, SYSTEM, VARIABLE
from fibprover.language import tables
from fibprover.language.commands import EvalCommand, parse_script
from fibprover.language.parser import parse_formula
from fibprover.language.tokens import (
    COMMENT,
    FOREIGN,
    Token,
    formula_tokens,
    names_used,
    script_tokens,
    tokens,
    words,
)
from fibprover.language.undefined import UndefinedNames
from tests.language.trees import formulas

GRAMMAR = tables.GRAMMAR.read_text()
LARK = Lark(GRAMMAR, parser="lalr", lexer="contextual", maybe_placeholders=False)

#: Texts of any characters, and texts of what formulas and scripts are made of.
TEXTS = st.one_of(
    st.text(),
    st.lists(st.sampled_from([
        "x", "Evil", "A", "Ex", "T[", "]", "(", ")", ",", "=>", "<=>", "<", "<=", "!=", "$f(", "$", "?msd_2", "?", "@1",
        "@", ".Evil[", ".", " ", "\n", "\n  ", "#", "#m(", "//", "%0", "%", '"', ";", ":", "::", "{", "}", "def f ",
        "é", "1",
    ])).map("".join),
)


@given(text=TEXTS)
def test_the_tokens_of_a_text_are_the_text(text: str) -> None:
    for take in (tokens, words, script_tokens):
        found = list(take(text))
        assert "".join(found) == text
        at = 0
        for token in found:
            assert (token.start, text[token.start : token.end]) == (at, token) and token.type
            at = token.end


@given(text=TEXTS, start=st.integers(0, 20), length=st.integers(0, 20))
def test_the_tokens_of_a_part_are_the_part(text: str, start: int, length: int) -> None:
    for take in (tokens, words):
        assert "".join(take(text, start, min(start + length, len(text)))) == text[start : start + length]


@given(tree=formulas(3))
def test_the_tokens_of_a_formula_are_those_that_the_parser_sees(tree: object) -> None:
    """lark reads them by the terminals that may follow, one by one; here a text alone says what its tokens are."""
    text = str(tree)
    parsing = LARK.parse_interactive(text).iter_parse()
    seen = [(token.type, str(token), token.start_pos, token.end_pos) for token in parsing]
    found = list(formula_tokens(text))
    assert [(token.type, str(token), token.start, token.end) for token in found] == seen
    assert not FOREIGN & {token.type for token in found}
    quoted = f'eval t "{text}";'
    inside = [token for token in script_tokens(quoted) if 8 <= token.start < len(quoted) - 2 and token.type != "WS"]
    assert [(token.type, str(token)) for token in inside] == [(token.type, str(token)) for token in found]


def test_no_token_of_formulas_is_foreign_and_all_others_are() -> None:
    used = {terminal.name for terminal in LARK.terminals}
    assert set(re.compile(tables.tables()["lexer"]).groupindex) - used == FOREIGN


def test_names_are_written_as_the_grammar_has_them() -> None:
    terminals = {each.name: each.pattern.to_regexp() for each in LARK.terminals}
    assert terminals["NAME"] == VARIABLE.pattern
    for terminal, sign, name in (("DOTTED", r"\.", NAME), ("CALL", r"\$", NAME), ("SYSTEM", r"\?", SYSTEM)):
        assert terminals[terminal] == sign + name.pattern


@pytest.mark.parametrize(("script", "comments"), [
    ("# one\n  // two\nx", ["# one", "// two"]),
    ('def f "x=1"; # it\'s "one"\ndef g "x=2";', ['# it\'s "one"']),
    ("load a//b#c.txt; // load", ["// load"]),
    ('eval t "x=1\n# (one)\n & #m(x)\n #m (x)\n// two";', ["# (one)", "// two"]),
    ('eval t "# x";', []),
    ("#m(x)", ["#m(x)"]),
])
def test_where_comments_are(script: str, comments: list[str]) -> None:
    assert [str(token) for token in script_tokens(script) if token.type == COMMENT] == comments


def test_words_of_scripts_begin_with_any_letter() -> None:
    found = [(token.type, str(token)) for token in script_tokens('def Evil "Evil";') if not token.isspace()]
    assert found == [
        ("WORD", "def"), ("WORD", "Evil"), ("QUOTE", '"'), ("QUANTIFIER", "E"), ("NAME", "vil"), ("QUOTE", '"'),
        ("TERMINATOR", ";"),
    ]


def test_names_that_are_used() -> None:
    used = names_used("?msd_fib Ax #m(x) & $Evil(T[x], .Evil[x]) & y [x]=1 & $ f(x)=E[x]")
    assert [str(name) for name in used] == ["?msd_fib", "#m", "$Evil", "T", ".Evil", "y"]


# -- where readers of their own disagreed with the parser -----------------------------------------------------------


@pytest.mark.parametrize("text", ["$ foo(x)", "? foo x=1", "Evil[x]=1"])
def test_what_only_looks_like_a_name_is_a_syntax_error(text: str) -> None:
    """No undefined name is reported there: the parser says what is wrong."""
    UndefinedNames({"foo": "line 3", "Evil": "line 4"}).check_formula(text, {})
    with pytest.raises(SyntaxProblem):
        parse_formula(text)


def test_a_quantifier_is_no_part_of_an_undefined_name() -> None:
    with pytest.raises(UnknownName) as caught:
        UndefinedNames({"foo": "line 3"}).check_formula("E=2 x,y foo[x]=y", {})
    assert caught.value.start == 8


def test_a_remark_in_a_formula_may_hold_a_word_before_a_bracket() -> None:
    (command,) = parse_script('eval t "x=1\n# by (3)\n";')
    assert isinstance(command, EvalCommand) and command.text.split() == ["x=1"]


@pytest.mark.parametrize("number", ["9" * 5000, "3"])
def test_a_remainder_by_a_long_number(number: str) -> None:
    with pytest.raises(TextError, match="remainders"):
        parse_formula(f"x%{number}={number}")


def test_tokens_are_texts() -> None:
    token = Token("NAME", "x", 3, 4)
    assert token == "x" and (token.type, token.start, token.end) == ("NAME", 3, 4)
