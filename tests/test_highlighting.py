"""The lexer for Pygments and the TextMate grammar, on all formulas and scripts of the project."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, _TokenType

from fibprover.campaigns.theorems.chapter import claim_of
from fibprover.campaigns.theorems.scripts import collect, scripts
from fibprover.frontends.highlighting import FibproverLexer
from fibprover.language.commands import WORDS

ROOT = Path(__file__).resolve().parent.parent

FORMULA = "?msd_fib An n>=2 => (Es $h(n-2,s) & F[n]=@1)"
SCRIPT = f"""# A remark.
def h "{FORMULA}"; // and another
reg power msd_2 "0*10*";
[export * BA]eval t n "#border(n,%0)"::
"""


def formulas() -> list[str]:
    """Return the formulas of all theorems in proofs/."""
    chapters = collect(scripts([ROOT / "proofs"])).chapters
    claims = [claim_of(step) for chapter in chapters for step in chapter.declarations]
    return [claim.formula for claim in claims if claim is not None]


def written_scripts() -> list[Path]:
    return [ROOT / "proofs" / "paper_commands.txt", ROOT / "docs" / "tour.txt", ROOT / "docs" / "definitions.txt"]


def tokens(text: str) -> list[tuple[_TokenType, str]]:
    return [(kind, part) for kind, part in FibproverLexer().get_tokens(text) if part.strip()]


def test_the_parts_of_a_formula() -> None:
    found = {part: kind for kind, part in tokens(FORMULA)}
    assert found["?msd_fib"] == Keyword.Type
    assert found["A"] == found["E"] == Keyword
    assert found["n"] == found["s"] == Name.Variable
    assert found["$h"] == Name.Function
    assert found["F"] == Name.Class
    assert found["=>"] == found[">="] == Operator
    assert found["&"] == Operator.Word
    assert found["2"] == found["@1"] == Number.Integer


def test_the_parts_of_a_script() -> None:
    found = tokens(SCRIPT)
    assert [part for kind, part in found if kind is Comment.Single] == ["# A remark.", "// and another"]
    assert [part for kind, part in found if kind is Keyword.Declaration] == ["def", "reg", "eval"]
    assert [part for kind, part in found if kind is Name.Function.Magic] == ["#border"]
    assert [part for kind, part in found if kind is Name.Decorator] == ["[export * BA]"]
    assert sum(kind is String.Delimiter for kind, _ in found) == 6


def test_the_name_of_a_command_can_be_a_variable() -> None:
    assert tokens("Etest test=2*reg") == [
        (Keyword, "E"), (Name.Variable, "test"), (Name.Variable, "test"), (Operator, "="), (Number.Integer, "2"),
        (Operator, "*"), (Name.Variable, "reg"),
    ]


@pytest.mark.long
def test_every_formula_and_script_of_the_project_is_understood() -> None:
    examples = [usage.example for usage in WORDS.values()]
    texts = [*formulas(), *(file.read_text() for file in written_scripts()), *examples]
    assert len(texts) > 1000
    for text in texts:
        parts = list(FibproverLexer(stripnl=False, ensurenl=False).get_tokens(text))
        assert "".join(part for _, part in parts) == text
        assert [part for kind, part in parts if kind is Error] == [], text


def test_pygments_finds_it() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["pygments.lexers"]
    loaded = [EntryPoint(name, value, "pygments.lexers").load() for name, value in points.items()]
    assert loaded == [FibproverLexer]
    assert {"fibprover", "walnut"} == set(FibproverLexer.aliases)


# -- the TextMate grammar ---------------------------------------------------------------------------------


GRAMMAR: dict[str, Any] = json.loads((ROOT / "editors" / "fibprover.tmLanguage.json").read_text())


def rules(patterns: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield rules in order, with those that are included in their places."""
    for rule in patterns:
        if "include" in rule:
            included = GRAMMAR["repository"][rule["include"].removeprefix("#")]
            yield from rules(included["patterns"]) if "patterns" in included and "begin" not in included else [included]
        else:
            yield rule


def scopes(line: str) -> list[tuple[str, str]]:
    """Return the parts of a line with their scopes as an editor does: the first rule that matches earliest wins."""
    found: list[tuple[str, str]] = []
    inside: list[dict[str, Any]] = []
    at = 0
    while at <= len(line):
        here = [*rules(inside[-1]["patterns"] if inside else GRAMMAR["patterns"])]
        tried = [(re.compile(str(rule.get("match", rule.get("begin")))).search(line, at), rule) for rule in here]
        ended = re.compile(inside[-1]["end"]).search(line, at) if inside else None
        matches = [(match.start(), place, match, rule) for place, (match, rule) in enumerate(tried) if match]
        first = min(matches, key=lambda each: each[:2], default=None)
        if ended is not None and (first is None or ended.start() <= first[0]):
            rule = inside.pop()
            found.extend(captured(ended, rule.get("endCaptures", {})))
            at = ended.end()
        elif first is not None:
            _, _, match, rule = first
            found.extend(captured(match, rule.get("captures", rule.get("beginCaptures", {}))))
            if "begin" in rule:
                inside.append(rule)
            elif "name" in rule:
                found.append((match[0], rule["name"]))
            at = max(match.end(), at + (not match[0] and "begin" not in rule))
        else:
            break
    return found


def captured(match: re.Match[str], names: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    return [(match[int(number)], scope["name"]) for number, scope in names.items() if match[int(number)] is not None]


def kinds(line: str) -> dict[str, str]:
    return {part: scope.removesuffix(".fibprover") for part, scope in scopes(line)}


def test_the_grammar_classifies_a_formula() -> None:
    found = kinds(FORMULA)
    assert found["?msd_fib"] == "storage.type"
    assert found["A"] == found["E"] == "keyword.operator.quantifier"
    assert found["n"] == found["s"] == "variable.other"
    assert found["$h"] == "entity.name.function"
    assert found["F"] == "entity.name.type"
    assert found["=>"] == found["&"] == "keyword.operator.logical"
    assert found[">="] == "keyword.operator.comparison"
    assert found["@1"] == "constant.numeric"


@pytest.mark.parametrize(
    ("line", "part", "kind"),
    [
        ("# A remark.", "# A remark.", "comment.line"),
        ('def h "x>1"; // remark', "def", "keyword.control"),
        ('def h "x>1"; // remark', "// remark", "comment.line"),
        ('def h "x>1"; // remark', ";", "punctuation.terminator"),
        ('reg power msd_2 "0*10*";', "msd_2", "storage.type"),
        ('eval t "#border(n,%0)"::', "#border", "entity.name.function.preprocessor"),
        ('eval t "#border(n,%0)"::', "%0", "variable.parameter"),
        ('eval t "#border(n,%0)"::', "::", "punctuation.terminator"),
        ('[export * BA]eval t "x=1"::', "[export * BA]", "entity.other.attribute-name"),
        ('[export * BA]eval t "x=1"::', "eval", "keyword.control"),
        ("test=2*reg", "test", "variable.other"),
    ],
)
def test_the_grammar_classifies_a_script(line: str, part: str, kind: str) -> None:
    assert kinds(line).get(part) == kind


def test_the_grammar_has_every_command() -> None:
    begins = GRAMMAR["repository"]["command"]["begin"]
    for word in WORDS:
        if not word.startswith("["):
            assert kinds(f'{word} a "b";').get(word) == "keyword.control", begins


def test_the_grammar_leaves_nothing_of_a_formula_without_a_kind() -> None:
    for formula in formulas()[::50]:
        text = " ".join(formula.split())
        assert "".join(part for part, _ in scopes(text)) == text.replace(" ", "")
