"""Every node knows its place, and the text there reads as that node."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from fibprover.base.errors import TextError
from fibprover.language.commands import DefCommand, EvalCommand, MacroCommand, RegCommand, parse_script
from fibprover.language.formula import Compare, Source, SystemTerm, Term, Variable, parse_formula
from fibprover.language.macros import expand_macros
from fibprover.language.regular_expression import parse_regex
from tests.oracle.render import render, without_spans
from tests.oracle.strategies import Case, cases

SHARED = Path(__file__).resolve().parents[3] / "shared"
BESIDE = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no material beside the checkout: no {SHARED}")

FORMULAS = [
    "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1",
    " ( Ex,y ((x)) < (y + 1)*_2 ) <=> ~ `$f( ?msd_3 (c) , Eb (a = b) ,T[ i ][j<5] ) ",
    "E>=3 x , y ( .A[n] = @ - 3 => x!=y )",
]


def nodes(node: Any) -> Iterator[Any]:
    """Every node of a tree, spans left out."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes(part)
    elif hasattr(node, "span"):
        yield node
        for name in type(node).__match_args__:
            yield from nodes(getattr(node, name))


def check(source: Source) -> None:
    """The text at the place of every node parses to that node again."""
    found = list(nodes(source.formula))
    assert found[0] is source.formula
    for node in found:
        text = source.text[node.span.start : node.span.end]
        assert text == text.strip(), node
        if isinstance(node, SystemTerm):
            call = parse_formula(f"$f({text})").formula
            again: Any = call.arguments[0]  # type: ignore[union-attr]
        elif isinstance(node, Term):
            comparison = parse_formula(f"({text})=0").formula
            assert isinstance(comparison, Compare)
            again = comparison.left
        else:
            again = parse_formula(text).formula
        assert without_spans(again) == without_spans(node), text


@pytest.mark.parametrize("text", FORMULAS)
def test_the_text_of_a_node_is_the_node(text: str) -> None:
    check(parse_formula(text))


@given(case=cases())
def test_generated_formulas(case: Case) -> None:
    check(parse_formula(render(case.formula)))
    check(parse_formula(render(case.formula, full=True)))


def test_places() -> None:
    source = parse_formula("(a + 1) = T[ b ] & Ex , y $f( x )")
    places = {type(node).__name__: source.slice(node.span) for node in nodes(source.formula)}
    assert places["Binary"] == "(a + 1) = T[ b ] & Ex , y $f( x )"
    assert places["Compare"] == "(a + 1) = T[ b ]"
    assert places["Arithmetic"] == "a + 1"
    assert places["WordValue"] == "T[ b ]"
    assert places["Quantified"] == "Ex , y $f( x )"
    assert places["Call"] == "$f( x )"
    [call] = [node for node in nodes(source.formula) if type(node).__name__ == "Call"]
    assert source.slice(call.name_span) == "$f"
    variables = [node.span for node in nodes(source.formula) if isinstance(node, Variable)]
    assert len(set(variables)) == len(variables)


@BESIDE
def test_all_formulas_of_the_paper() -> None:
    commands = parse_script((SHARED / "paper" / "commands.txt").read_text(encoding="utf-8"))
    formulas = [command for command in commands if isinstance(command, DefCommand | EvalCommand)]
    assert len(formulas) == 69
    for command in formulas:
        check(parse_formula(command.text))
    regexes = [command for command in commands if isinstance(command, RegCommand)]
    assert len(regexes) == 3
    assert len(commands) == 72


@BESIDE
def test_all_commands_of_the_corpus() -> None:
    """What the peer accepts is read; a regex with a digit outside its alphabet (id 150) we refuse."""
    macros: dict[str, str] = {}
    refused: list[int] = []
    formulas = 0
    for line in (SHARED / "corpus" / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        try:
            [command] = parse_script(entry["command"])
            if isinstance(command, MacroCommand):
                macros[command.name] = command.text
            elif isinstance(command, DefCommand | EvalCommand):
                check(parse_formula(expand_macros(command.text, macros)))
                formulas += 1
            elif isinstance(command, RegCommand):
                parse_regex(command.text, [digits(part) for part in command.alphabets])
        except TextError:
            if entry["expect"] != "error":
                refused.append(entry["id"])
    assert refused == [150]
    assert formulas > 500


def digits(alphabet: str | tuple[int, ...]) -> tuple[int, ...]:
    """The digits of the alphabets that occur: sets, Fibonacci and base k."""
    if isinstance(alphabet, tuple):
        return alphabet
    base = re.fullmatch(r"[ml]sd_(\d+)", alphabet)
    return tuple(range(int(base[1]))) if base else (0, 1)
