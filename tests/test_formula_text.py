"""No formula is made of pieces of text: what makes a formula makes a tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "fibprover"

#: What the text of a formula has, and hardly a sentence: connectives, calls, quantifiers, letters of words.
SIGNS = re.compile(
    r"=>|<=>|\$[a-zA-Z{]|(?<!\w)[AEI](?:>=|<=|=)?\{|(?<![\w.])(?!(?:As|At|If|In|Is|It) )[AEI][a-z](?:,[a-z])* "
    r"|\]=@| & ~?[($\w{]| \| ~?[($\w{]|~\("
)

#: Modules whose texts are shown, or are in another language, and are never read as formulas: printers, labels of steps
#: and of relations, the checker and its language, names in displays, errors about macros and syntax.
WRITERS = (
    "language/printer.py", "language/commands.py", "language/diagnose.py", "language/foreign.py",
    "language/sentences.py",
    "prover/plan/steps.py", "prover/certificate/core.py", "prover/certificate/writing.py", "prover/verdict/relation.py",
    "prover/certificate/lean_definitions.py",
    "checker/fibcheck.py", "frontends/",
)

#: Functions that show a call of a predicate, or a sentence with signs: no formula.
SHOWN = {
    ("prover/bind.py", "call"), ("prover/environment.py", "missing_word_hint"),
    ("prover/verdict/vacuity.py", "__str__"), ("learn/solving.py", "_explained"),
    ("workspace/commands/questions.py", "*"), ("workspace/commands/words.py", "_word_or_predicate"),
    ("games/rules.py", "check_decreasing"), ("games/script.py", "head"),
    ("sheets/comparison.py", "to_markdown"), ("sheets/sheet_latex.py", "_item"),
    ("sheets/sheet_latex.py", "_predicates"), ("sheets/script.py", "_recursion"),
    ("prover/formula_warnings.py", "_mixed_operators"), ("sequences/solution.py", "__str__"),
    ("sequences/solution.py", "to_latex"), ("prover/certificate/explained.py", "_names"),
    ("prover/certificate/sketch.py", "*"), ("sheets/predicates.py", "_not_defined"),
    ("language/tree.py", "_repr_latex_"), ("prover/certificate/atoms.py", "_other_meaning"),
}


def built(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield the texts with signs of formulas that are made of parts: the function, the line, the text."""
    tree = ast.parse(text)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        said = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        lineage = [node, *_lineage(node, above)]
        in_an_error = any(
            isinstance(each, ast.Raise) or (isinstance(each, ast.keyword) and each.arg == "hint") for each in lineage
        )
        if SIGNS.search(said) and not in_an_error:
            function = next((each.name for each in lineage if isinstance(each, ast.FunctionDef)), "")
            yield function, node.lineno, said


def _lineage(node: ast.AST, above: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while node in above:
        node = above[node]
        yield node


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('f"A{x} $p({x}) => {q}"', True), ('f"({left}) & ({right})"', True), ('f"E{names} {body}"', True),
        ('f"X[n]=@{letter}"', True), ('f"{count} states & more"', True), ('f"{count} states, of {name}"', False),
        ('"Ax x=x"', False),
    ],
)
def test_the_search_itself(line: str, found: bool) -> None:
    assert bool(list(built(f"def f():\n    return {line}\n"))) is found


def test_no_formula_is_made_of_pieces_of_text() -> None:
    found = [
        f"{place}:{line} ({function}): {said[:80]}"
        for file in sorted(ROOT.rglob("*.py"))
        if not (place := file.relative_to(ROOT).as_posix()).startswith(WRITERS)
        for function, line, said in built(file.read_text())
        if (place, function) not in SHOWN and (place, "*") not in SHOWN
    ]
    assert found == []
