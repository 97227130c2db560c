"""The language of certificates: lowered formulas in full parentheses, each variable bound once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fibprover.base.names import PARAMETER
from fibprover.prover import logic
from fibprover.prover.certificate.normal import Conjunction, Count, Equivalence, Negation, Node, free, normal
from fibprover.prover.logic import Linear, Logic, PredicateAtom, WordLetter, WordPair, rename_atom

_CONNECTIVES = {logic.And: "&", logic.Or: "|", logic.Implies: "=>", logic.Iff: "<=>"}
_TURNED = {">": "<", ">=": "<="}


@dataclass
class Renaming:
    """Renames the variables of a formula, and binds each once; `Infinite` is written by two quantifiers.

    new: returns a new variable like another one; beyond: says of two variables that the first is beyond the other, for
    infinitely many values.
    """

    new: Callable[[str], str]
    beyond: Callable[[str, str], Logic]
    bound: set[str] = field(default_factory=set)

    def __call__(self, formula: Logic, names: Mapping[str, str]) -> Logic:
        """Return a formula with other variables; names: those of the free ones."""
        match formula:
            case logic.Infinite(variable, body):
                bound = self.new(variable)
                inner, (own,) = self.binding((variable,), names)
                found = logic.Exists((own,), logic.And(self.beyond(own, bound), self(body, inner)))
                return logic.ForAll((bound,), found)
            case logic.Exists(variables, body):
                inner, new = self.binding(variables, names)
                return logic.Exists(new, self(body, inner))
            case logic.ForAll(variables, body):
                inner, new = self.binding(variables, names)
                return logic.ForAll(new, self(body, inner))
            case logic.AtLeast(variables, count, body):
                inner, new = self.binding(variables, names)
                return logic.AtLeast(new, count, self(body, inner))
            case logic.Not(body):
                return logic.Not(self(body, names))
            case logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return type(formula)(self(formula.left, names), self(formula.right, names))
            case _:
                return rename_atom(formula, names)

    def binding(
        self, variables: tuple[str, ...], names: Mapping[str, str]
    ) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Return the names inside a quantifier, and its variables."""
        new = tuple(map(self.new, variables))
        return {**names, **dict(zip(variables, new, strict=True))}, new


def text_of(formula: Logic) -> str:
    """Return a lowered formula in the language of certificates."""
    match formula:
        case logic.Truth(holds):
            return "true" if holds else "false"
        case logic.Universe():
            return "true"
        case logic.Not(body):
            return f"~{text_of(body)}"
        case logic.Xor(left, right):
            return f"~({text_of(left)} <=> {text_of(right)})"
        case logic.And() | logic.Or() | logic.Implies() | logic.Iff():
            return f"({text_of(formula.left)} {_CONNECTIVES[type(formula)]} {text_of(formula.right)})"
        case logic.Exists(names, body):
            return f"(E {','.join(names)} {text_of(body)})"
        case logic.ForAll(names, body):
            return f"(A {','.join(names)} {text_of(body)})"
        case logic.AtLeast(names, count, body):
            if not set(names) <= free(normal(body)):  # then there are infinitely many, or none
                return text_of(logic.Exists(names, body))
            return f"(E>={count} {','.join(names)} {text_of(body)})"
        case Linear():
            return _comparison(formula)
        case WordLetter(word, variables, letters):
            texts = [f"{_indexed(word.name, variables)}=@{one}" for one in sorted(letters)] or ["false"]
            whole = texts[0]
            for text in texts[1:]:
                whole = f"({whole} | {text})"
            return whole
        case WordPair():
            return text_of_node(normal(formula))
        case PredicateAtom():
            return f"${formula.definition.name}({','.join(without_parameter(formula.variables))})"
    raise AssertionError(formula)


def text_of_node(node: Node) -> str:
    """Return a formula in normal form in the language of certificates."""
    match node:
        case Negation(body):
            return f"~{text_of_node(body)}"
        case Equivalence(left, right):
            return f"({text_of_node(left)} <=> {text_of_node(right)})"
        case Count(bound, count, body):
            return f"(E>={count} {','.join(bound)} {text_of_node(body)})"
        case Conjunction(bound, parts):
            whole = text_of_node(parts[0]) if parts else "true"
            for part in parts[1:]:
                whole = f"({whole} & {text_of_node(part)})"
            return f"(E {','.join(bound)} {whole})" if bound else whole
        case _:
            return text_of(node)


def _indexed(word: str, variables: tuple[str, ...]) -> str:
    return word + "".join(f"[{name}]" for name in without_parameter(variables))


def without_parameter(names: Iterable[str]) -> list[str]:
    """Return variables without the parameter of a family, which formulas do not name."""
    return [name for name in names if name != PARAMETER]


def _comparison(atom: Linear) -> str:
    terms = list(zip(atom.coefficients, atom.variables, strict=True))
    left = _sum([(c, x) for c, x in terms if c > 0], -atom.constant)
    right = _sum([(-c, x) for c, x in terms if c < 0], atom.constant)
    return f"{right}{_TURNED[atom.relation]}{left}" if atom.relation in _TURNED else f"{left}{atom.relation}{right}"


def _sum(terms: list[tuple[int, str]], constant: int) -> str:
    texts = [x if c == 1 else f"{c}*{x}" for c, x in terms]
    return "+".join([*texts, *([str(max(0, constant))] if constant > 0 or not texts else [])])


def joined(connective: str, texts: Sequence[str]) -> str:
    """Return the conjunction or the disjunction of formulas of certificates."""
    whole = texts[0]
    for text in texts[1:]:
        whole = f"({whole} {connective} {text})"
    return whole
