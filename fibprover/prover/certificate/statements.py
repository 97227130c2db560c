"""Formulas of a certificate as trees: read in the checker's language, and made shorter for readers.

What is made shorter stays equivalent: a bound variable that equals a sum gives way to it, and letters that are compared
one by one are compared at once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import count
from typing import Any, cast

from fibprover.base.errors import FibproverError, nested_too_deeply
from fibprover.checker import fibcheck
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    Letter,
    Node,
    Not,
    Number,
    Quantified,
    Term,
    Variable,
    WordValue,
    children,
    conjunction,
    disjunction,
    free_names,
    map_children,
    substituted,
)

TRUE, FALSE = Compare("=", Number(0), Number(0)), Compare("=", Number(0), Number(1))

_DENIED = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}

#: A variable of a certificate is one of the user's with a number, so that each is bound once.
_NUMBER = re.compile(r"_\d+$", re.ASCII)


# -- reading ---------------------------------------------------------------------------------


def read(text: str) -> Formula:
    """Return the tree of a formula in the checker's language.  Raises FibproverError if it cannot be one."""
    reader = _Reader(text)
    try:
        found = reader.formula()
    except RecursionError:
        raise nested_too_deeply() from None
    if reader.at < len(text):
        raise reader.problem()
    return found


class _Reader:
    """Reads a formula as the checker does, by the same patterns, and keeps its connectives and quantifiers."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def problem(self) -> FibproverError:
        return FibproverError(f"a formula cannot be read at {self.text[self.at : self.at + 20]!r}")

    def takes(self, pattern: str) -> Any:
        """Return what the text goes on with, if it is what a pattern says: then it is taken."""
        found = re.compile(pattern, re.ASCII).match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found

    def needs(self, pattern: str) -> Any:
        found = self.takes(pattern)
        if not found:
            raise self.problem()
        return found

    def formula(self) -> Formula:
        if self.takes("~"):
            return Not(self.formula())
        if found := self.takes(fibcheck.QUANTIFIER):
            body, _ = self.formula(), self.needs(r"\)")
            variables = tuple(map(Variable, found[2].split(",")))
            counted = found[1] is not None
            return Quantified(found[0][1], variables, body, ">=" if counted else "", int(found[1] or 0))
        if self.takes(r"\("):
            left, found, right, _ = self.formula(), self.needs(fibcheck.CONNECTIVE), self.formula(), self.needs(r"\)")
            return Binary(found[1], left, right)
        if found := self.takes(fibcheck.CALL):
            return Call(found[1], tuple(map(Variable, found[2].split(",") if found[2] else ())))
        if found := self.takes(fibcheck.LETTER):
            value = int(found[3])
            indices = tuple(map(Variable, found[2].split("][")))
            return Compare("=", WordValue(found[1], indices), Letter(value))
        if found := self.takes(fibcheck.COMPARISON):
            left_side, sign, right_side = found.groups()
            return Compare(sign, _sum(left_side), _sum(right_side))
        return TRUE if self.needs("true|false")[0] == "true" else FALSE


def _sum(text: str) -> Term:
    """Return a sum of variables with coefficients, and numbers."""
    whole: Term | None = None
    for factor, _, name in (term.rpartition("*") for term in text.split("+")):
        one: Term = Number(int(name)) if name.isdigit() and not factor else Variable(name)
        one = Arithmetic("*", Number(int(factor)), one) if factor else one
        whole = one if whole is None else Arithmetic("+", whole, one)
    assert whole is not None
    return whole


# -- making shorter --------------------------------------------------------------------------


def shortened(tree: Formula, letters: Mapping[str, Collection[int]], natural: bool = True) -> Formula:
    """Return an equivalent formula that is easier to read.

    letters: those of the words; natural: whether all variables are natural numbers, and none an integer.
    """
    shortening = _Shortening(letters, natural)
    try:
        while (shorter := cast(Formula, shortening.node(tree))) != tree:
            tree = shorter
    except RecursionError:
        raise nested_too_deeply() from None
    return tree


class _Shortening:
    def __init__(self, letters: Mapping[str, Collection[int]], natural: bool) -> None:
        self.letters, self.natural = letters, natural

    def node(self, node: Node) -> Node:
        if isinstance(node, Not | Binary) and (compared := self.letters_compared(node)) is not None:
            return compared
        if isinstance(node, Not) and isinstance(node.body, Binary) and node.body.op == "&":
            parts = _conjuncts(node.body)
            if all(isinstance(part, Not) for part in parts):
                return self.node(disjunction(part.body for part in parts if isinstance(part, Not)))
        node = map_children(node, self.node)
        match node:
            case Not(Not(body)):
                return body
            case Not(Compare(op, left, right)):
                return self.truth(Compare(_DENIED[op], left, right))
            case Not(Quantified("E", variables, body, ">=", least)):
                return Quantified("E", variables, body, "<=", least - 1)
            case Arithmetic("+", Number(one), Number(other)):
                return Number(one + other)
            case Compare():
                return self.truth(node)
            case Binary():
                return _joined(node)
            case Quantified("E", _, _, ""):
                return _without_sums(node)
        return node

    def truth(self, node: Compare) -> Formula:
        """Return a comparison; true where natural numbers leave nothing else, and x < y for x+1 <= y."""
        match node:
            case Compare("=" | "<=", left, right) if left == right:
                return TRUE
            case Compare("<=", Number(0), _) if self.natural:
                return TRUE
            case Compare("<=", Arithmetic("+", left, Number(1)), right):
                return Compare("<", left, right)
        return node

    def letters_compared(self, node: Formula) -> Formula | None:
        """Return that two letters are equal, or differ, if a formula says so by what each of them is."""
        values = dict[WordValue, None]()
        waiting: list[Node] = [node]
        while waiting:
            match waiting.pop():
                case Compare("=", WordValue() as value, Letter()):
                    values[value] = None
                case (Not() | Binary()) as part:
                    waiting += reversed(children(part))
                case _:
                    return None
            if len(values) > 2:
                return None
        if len(values) < 2:
            return None
        one, other = values
        pairs = [(a, b) for a in self.letters[one.word] for b in self.letters[other.word]]
        truths = [_holds(node, {one: a, other: b}) for a, b in pairs]
        for op, wanted in (("=", [a == b for a, b in pairs]), ("!=", [a != b for a, b in pairs])):
            if truths == wanted and len(set(wanted)) > 1:
                return Compare(op, one, other)
        return None


def _holds(node: Node, values: Mapping[WordValue, int]) -> bool:
    """Return the truth of a formula about letters alone."""
    match node:
        case Compare(_, WordValue() as value, Letter(letter)):
            return values[value] == letter
        case Not(body):
            return not _holds(body, values)
        case Binary(op, left, right):
            one, other = _holds(left, values), _holds(right, values)
            return {"&": one and other, "|": one or other, "=>": other or not one, "<=>": one is other}[op]
    raise AssertionError(node)


def _conjuncts(node: Formula) -> list[Formula]:
    """Return the parts of a conjunction."""
    if isinstance(node, Binary) and node.op == "&":
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _joined(node: Binary) -> Formula:
    """Return two formulas that are joined, without what is true or false anyway; exactly k for k and not k+1."""
    left, right = node.left, node.right
    if node.op == "&":
        if TRUE in (left, right):
            return right if left == TRUE else left
        match left, right:
            case Quantified("E", names, body, "" | ">=", least), Quantified("E", others, other, "<=", most):
                renamed = dict(zip((each.name for each in others), names, strict=False))
                if max(least, 1) == most and len(names) == len(others) and substituted(other, renamed) == body:
                    return Quantified("E", names, body, "=", most)
    return node


def _without_sums(node: Quantified) -> Formula:
    """Return E x F without the variables that a part of F says to be sums of others: they are numbers, too."""
    names, parts = list(node.names), _conjuncts(node.body)
    found = _equation(names, parts)
    while found is not None:
        name, term, place = found
        names.remove(name)
        parts = [substituted(part, {name: term}) for at, part in enumerate(parts) if at != place]
        found = _equation(names, parts)
    body = conjunction(parts) if parts else TRUE
    used = free_names(body)
    variables = tuple(each for each in node.variables if each.name in names and each.name in used)
    return Quantified("E", variables, body) if variables else body


def _equation(names: Collection[str], parts: list[Formula]) -> tuple[str, Term, int] | None:
    """Return a bound variable, the sum that it equals, and the place of the equation; None if there is none."""
    for place, part in enumerate(parts):
        if isinstance(part, Compare) and part.op == "=":
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if isinstance(one, Variable) and one.name in names and one.name not in free_names(other):
                    return one.name, other, place
    return None


# -- names -----------------------------------------------------------------------------------


def plainly_named(
    tree: Formula, taken: Collection[str] = (), parameters: Collection[str] = ()
) -> tuple[Formula, tuple[str, ...]]:
    """Return a formula whose variables have lost the numbers of the certificate where no two are mixed up by that.

    taken: names that no variable gets; parameters: free variables that choose first: their names are returned, too.
    """
    names = dict[str, str]()
    for free in dict.fromkeys([*parameters, *sorted(free_names(tree))]):
        names[free] = _plain(free, {*taken, *names.values()})
    renamed = cast(Formula, _renamed(tree, names, frozenset(taken)))
    return renamed, tuple(names[each] for each in parameters)


def bare(name: str) -> str:
    """Return the name of a variable without its number."""
    return _NUMBER.sub("", name)


def _plain(name: str, taken: Collection[str]) -> str:
    """Return a name without its number, with another one if it is taken."""
    plain = bare(name)
    return next(one for number in count() if (one := f"{plain}_{number}" if number else plain) not in taken)


def _renamed(node: Node, names: Mapping[str, str], taken: frozenset[str]) -> Node:
    match node:
        case Variable(name):
            return Variable(names[name])
        case Quantified(kind, variables, body, relation, number):
            inner = dict(names)
            for each in variables:
                inner[each.name] = _plain(each.name, taken.union(inner.values()))
            new = tuple(Variable(inner[each.name]) for each in variables)
            return Quantified(kind, new, cast(Formula, _renamed(body, inner, taken)), relation, number)
    return map_children(node, lambda child: _renamed(child, names, taken))
