"""Formulas that rules are written in: linear arithmetic on a few named numbers, in no numeration system.

They are checked when a game is made, so that an error shows its place in the user's text, and other
variables are put in by the places the parser found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fibprover.errors import FibproverError, NotSupported, UnknownName
from fibprover.numeration.registry import system_named
from fibprover.plan.bind import free_occurrences
from fibprover.plan.environment import Environment
from fibprover.plan.logic import ResolvedFormula
from fibprover.plan.lower import resolve
from fibprover.syntax.formula import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Negative,
    Not,
    Quantified,
    Reversed,
    Source,
    SystemTerm,
    Term,
    Variable,
    WordValue,
    nodes,
    parse_formula,
)

#: The system in which formulas are read; linear arithmetic means the same in all of them.
SYSTEM = "msd_2"

REFUSED: Mapping[type[Any], str] = {
    Call: "rules call no predicates",
    WordValue: "rules know no words",
    SystemTerm: "rules are about numbers, whatever numeration system they are written in",
    InSystem: "rules are about numbers, whatever numeration system they are written in",
    Reversed: "rules are about numbers, which have no reversal",
    Letter: "rules know no letters of words",
    Negative: "rules are about natural numbers",
}


def parse_rule(text: str, allowed: Sequence[str], what: str) -> Source:
    """The syntax tree of a rule; `what` says in errors what it is a rule of.

    Raises SyntaxProblem, UnknownName for free variables other than the allowed ones, NotSupported for
    anything beyond linear arithmetic with quantifiers, TypeMismatch for products of variables.
    """
    if not isinstance(text, str):
        raise FibproverError(f"{what} are a formula, as a text, and not {text!r}")
    source = parse_formula(text)
    try:
        for node in nodes(source.formula):
            place = (source.text, node.span.start, node.span.end)
            if type(node) in REFUSED:
                raise NotSupported(REFUSED[type(node)], *place, hint="there are +, -, *, /, comparisons, "
                                   "~, &, |, ^, =>, <=>, E and A")
            if isinstance(node, Quantified) and node.kind == "I":
                raise NotSupported("a rule is about finitely many positions", *place, hint="there are E and A")
        for variable in free_occurrences(source.formula):
            if variable.name not in allowed:
                names = " and ".join([", ".join(allowed[:-1]), allowed[-1]])
                raise UnknownName(
                    f"{what} are a formula in {names}, and {variable.name} is none of them",
                    source.text, variable.span.start, variable.span.end,
                )
    except RecursionError:
        raise FibproverError(f"the formula is nested too deeply: {what}") from None
    resolve_rule(text)
    return source


def resolve_rule(text: str) -> ResolvedFormula:
    """A rule with its terms taken apart, as the prover understands it."""
    try:
        return resolve(parse_formula(text), Environment(system_named, SYSTEM, {}, {}, {}))
    except RecursionError:
        raise FibproverError("the formula is nested too deeply") from None


def substitute_terms(source: Source, terms: Mapping[str, str]) -> str:
    """The text of a rule with terms in place of its free variables; bound ones step aside where names meet.

    A term that is more than a name or a number gets parentheses.
    """
    put = {name: term if re.fullmatch(r"\w+", term) else f"({term})" for name, term in terms.items()}
    taken = {name for term in terms.values() for name in re.findall(r"[a-zA-Z]\w*", term)}
    used = taken | {node.name for node in nodes(source.formula) if isinstance(node, Variable)}
    edits: list[tuple[int, int, str]] = []

    def visit(node: Formula | Term, names: Mapping[str, str]) -> None:
        match node:
            case Variable():
                edits.append((node.span.start, node.span.end, names.get(node.name, node.name)))
            case Compare() | Binary() | Arithmetic():
                visit(node.left, names)
                visit(node.right, names)
            case Not():
                visit(node.body, names)
            case Quantified():
                inner = dict(names)
                for variable in node.variables:
                    name = variable.name
                    if name in taken:
                        number = next(k for k in range(1, len(used) + 2) if f"{name}{k}" not in used)
                        name = f"{name}{number}"
                    inner[variable.name] = name
                    edits.append((variable.span.start, variable.span.end, name))
                visit(node.body, inner)

    visit(source.formula, put)
    pieces, end = [], 0
    for start, stop, new in sorted(edits):
        pieces += [source.text[end:start], new]
        end = stop
    return "".join([*pieces, source.text[end:]])

