"""Every node knows its place, and the text there reads as that node."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from fibprover.base.errors import TextError
from fibprover.language.commands import DefCommand, EvalCommand, MacroCommand, RegCommand, parse_script
from fibprover.language.macros import expand_macros
from fibprover.language.parser import parse_formula
from fibprover.language.regular_expression import parse_regex
from fibprover.language.source import Source
from fibprover.language.tree import Call, Compare, Quantified, SystemTerm, Term, Variable, WordValue, nodes
from tests.oracle.render import render
from tests.oracle.strategies import Case, cases

SHARED = Path(__file__).resolve().parents[3] / "shared"
BESIDE = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no material beside the checkout: no {SHARED}")

FORMULAS = [
    "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1",
    " ( Ex,y ((x)) < (y + 1)*_2 ) <=> ~ `$f( ?msd_3 (c) , Eb (a = b) ,T[ i ][j<5] ) ",
    "E>=3 x , y ( .A[n] = @ - 3 => x!=y )",
]


def check(source: Source) -> None:
    """The text at the place of every node parses to that node again."""
    found = list(source.root.all())
    assert [at.node for at in found] == list(nodes(source.formula))
    assert [at.number for at in found] == list(range(len(found)))
    for at in found:
        text = source.text[at.span.start : at.span.end]
        assert text == text.strip(), at
        if isinstance(at.node, SystemTerm):
            call = parse_formula(f"$f({text})").formula
            again: Any = call.arguments[0]  # type: ignore[union-attr]
        elif isinstance(at.node, Term):
            comparison = parse_formula(f"({text})=0").formula
            assert isinstance(comparison, Compare)
            again = comparison.left
        else:
            again = parse_formula(text).formula
        assert again == at.node, text
        named = [source.slice(place) for place in at.names]
        match at.node:
            case Quantified(names=names):
                assert named == list(names)
            case Call(name=name):
                assert named == [f"${name}"]
            case WordValue(word=word):
                assert named == [word]
            case _:
                assert named == []


@pytest.mark.parametrize("text", FORMULAS)
def test_the_text_of_a_node_is_the_node(text: str) -> None:
    check(parse_formula(text))


@given(case=cases())
def test_generated_formulas(case: Case) -> None:
    check(parse_formula(render(case.formula)))
    check(parse_formula(render(case.formula, full=True)))


def test_places() -> None:
    source = parse_formula("(a + 1) = T[ b ] & Ex , y $f( x )")
    places = {type(at.node).__name__: source.slice(at.span) for at in source.root.all()}
    assert places["Binary"] == "(a + 1) = T[ b ] & Ex , y $f( x )"
    assert places["Compare"] == "(a + 1) = T[ b ]"
    assert places["Arithmetic"] == "a + 1"
    assert places["WordValue"] == "T[ b ]"
    assert places["Quantified"] == "Ex , y $f( x )"
    assert places["Call"] == "$f( x )"
    variables = [at.span for at in source.root.all() if isinstance(at.node, Variable)]
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
@pytest.mark.long
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
