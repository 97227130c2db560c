"""The parser of formulas: from a text to a tree with its places.

Names are not resolved, systems are not inferred, and macros are expanded already (the expanded text is the source).
The grammar is in grammar.lark. It does not tell terms from formulas, since a parenthesis may hold either: `(x)+1=3`,
`(x=1) & y=2`. `Builder` makes the nodes while the LALR parser reduces, bottom up, and checks that every operand has
the type that its operator needs. Trees are at most MAX_DEPTH deep, so no nesting exhausts Python's stack.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, TypeVar

from fibprover.base.errors import FibproverError, SyntaxProblem, check_text
from fibprover.base.limits import polled
from fibprover.base.names import full_name
from fibprover.language.diagnose import unexpected
from fibprover.language.foreign import NO_POWERS, TRUTH_HINTS
from fibprover.language.lalr import NoToken, Parser
from fibprover.language.macros import expand_macros
from fibprover.language.source import MAX_DEPTH, Draft, Occurrence, Source, Span, placed, source_of
from fibprover.language.tables import tables
from fibprover.language.tokens import Token, formula_tokens
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Negative,
    Node,
    Not,
    Number,
    Quantified,
    Reversed,
    SystemTerm,
    Term,
    Variable,
    WordValue,
    all_names,
    free_names,
    unused,
)

# -- building the tree -----------------------------------------------------------------------

#: The most digits of a number (Python's own bound for exact conversion).
MAX_DIGITS = 4300

#: The most characters of a term that a hint repeats.
MOST_SHOWN = 60

#: A quantified name that looks like a variable and a second quantifier, as in `AxEy`.
RUN_TOGETHER = re.compile(r"\w+?[AEI][a-zA-Z]\w*")

SYSTEM_PLACE_HINT = "`?system` stands before a formula, an argument or an index"


class Misfit(Exception):
    """An error in a text that fits the grammar, such as a type error, with its place; the parser adds the text."""

    def __init__(self, message: str, start: int, end: int, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end
        self.hint = hint


class Item(NamedTuple):
    """What the parser has on its stack: a node at its place, its extent with parentheses, the depth of its tree."""

    made: Draft
    start: int
    end: int
    depth: int
    parenthesized: bool = False

    @property
    def node(self) -> Node:
        """The node."""
        return self.made.node


def _span(part: Item | Token) -> Span:
    return Span(part.start, part.end)


def _item(node: Node, span: Span, *below: Item, names: tuple[Span, ...] = ()) -> Item:
    """Return a new node with its children; raise Misfit for a tree deeper than MAX_DEPTH."""
    depth = 1 + max((child.depth for child in below), default=0)
    if depth > MAX_DEPTH:
        raise Misfit(
            f"this is nested more than {MAX_DEPTH} levels deep", span.start, span.end,
            "a chain such as a & b & c counts one level an operator; split the formula with def",
        )
    return Item(Draft(node, span, names, tuple([child.made for child in below])), span.start, span.end, depth)


def _term(item: Item, wanted: str) -> Term:
    """Return the node of an item that must be a number; `wanted` names, for the error, what needs the number."""
    node = item.node
    if isinstance(node, SystemTerm):
        raise Misfit(f"{wanted}; a numeration system cannot be named here", item.start, item.end, SYSTEM_PLACE_HINT)
    if isinstance(node, Term):
        return node
    raise Misfit(f"{wanted}; this is a truth value", item.start, item.end)


def _formula(item: Item, wanted: str, hint: str = "") -> Formula:
    """Return the node of an item that must be a truth value; `wanted` names, for the error, what needs it."""
    if isinstance(item.node, Term | SystemTerm):
        name = item.node.name if isinstance(item.node, Variable) else ""
        usual = hint or "a comparison makes a formula of it: x=1"
        raise Misfit(f"{wanted}; this is a number", item.start, item.end, TRUTH_HINTS.get(name, usual))
    return item.node


def _integer(digits: str, token: Token) -> int:
    """Return the value of a literal; Python may be set to convert fewer digits than MAX_DIGITS."""
    bound = min(MAX_DIGITS, sys.get_int_max_str_digits() or MAX_DIGITS)
    if len(digits.lstrip("+-")) > bound:
        raise Misfit(f"this number has more than {bound} digits", token.start, token.end)
    return int(digits)


def _occurs(name: str, item: Item) -> bool:
    """Return whether a variable with this name occurs in a tree, or is bound in it."""
    return name in all_names(item.node)


class Builder:
    """One method for each rule of grammar.lark; the class has no state."""

    def start(self, item: Item) -> Item:
        return item

    def logical(self, left: Item, operator: Token, right: Item) -> Item:
        if operator == "^" and any(isinstance(part.node, Term) for part in (left, right)):
            number = left if isinstance(left.node, Term) else right
            raise Misfit("`^` joins truth values; this is a number", number.start, number.end, NO_POWERS)
        wanted = f"`{operator}` joins truth values"
        node = Binary(str(operator), _formula(left, wanted), _formula(right, wanted))
        return _item(node, Span(left.start, right.end), left, right)

    def prefix(self, operator: Token, body: Item) -> Item:
        formula = _formula(body, f"`{operator}` needs a formula after it")
        kind = Not if operator == "~" else Reversed
        return _item(kind(formula), Span(operator.start, body.end), body)

    def names(self, *names: Token) -> tuple[Token, ...]:
        met = set[str]()
        for name in names:
            if name in met:
                raise Misfit(f"`{name}` is quantified twice here", name.start, name.end)
            met.add(name)
        return names

    def quantified(self, kind: Token, names: tuple[Token, ...], body: Item) -> Item:
        return self._quantified(kind, names, body, "", 0)

    def counted(self, kind: Token, relation: Token, count: Token, names: tuple[Token, ...], body: Item) -> Item:
        if kind != "E":
            raise Misfit(f"only `E` counts, not `{kind}`", kind.start, count.end, "E>=3 x: at least three x")
        if relation not in (">=", "<=", "="):
            raise Misfit(
                f"a quantifier does not count with `{relation}`", relation.start, relation.end,
                "write E>=k, E<=k or E=k",
            )
        return self._quantified(kind, names, body, str(relation), _integer(str(count), count))

    def _quantified(self, kind: Token, names: tuple[Token, ...], body: Item, relation: str, count: int) -> Item:
        for name in names:
            if RUN_TOGETHER.fullmatch(name) and not _occurs(str(name), body):
                raise Misfit(
                    f"`{name}` is read as one name, and it does not occur in what follows",
                    name.start, name.end, "leave a space between quantifiers: Ax Ey",
                )
        formula = _formula(body, f"the quantifier `{kind}` needs a formula after it")
        node = Quantified(str(kind), tuple(Variable(str(name)) for name in names), formula, relation, count)
        return _item(node, Span(kind.start, body.end), body, names=tuple(map(_span, names)))

    def in_system(self, system: Token, body: Item) -> Item:
        name = full_name(str(system)[1:])
        span = Span(system.start, body.end)
        if isinstance(body.node, SystemTerm):
            raise Misfit("two numeration systems are named for one number", system.start, body.end)
        if isinstance(body.node, Term):
            return _item(SystemTerm(name, body.node), span, body)
        return _item(InSystem(name, body.node), span, body)

    def compare(self, left: Item, relation: Token, right: Item) -> Item:
        if isinstance(left.node, Compare) and not left.parenthesized:
            raise Misfit("comparisons do not chain", relation.start, relation.end, "write a<b & b<c")
        wanted = f"`{relation}` compares numbers"
        node = Compare(str(relation), _term(left, wanted), _term(right, wanted))
        return _item(node, Span(left.start, right.end), left, right)

    def arithmetic(self, left: Item, operator: Token, right: Item) -> Item:
        wanted = f"`{operator}` computes with numbers"
        node = Arithmetic(str(operator), _term(left, wanted), _term(right, wanted))
        return _item(node, Span(left.start, right.end), left, right)

    def negative(self, sign: Token, body: Item) -> Item:
        return _item(Negative(_term(body, "`_` stands before a number")), Span(sign.start, body.end), body)

    def number(self, token: Token) -> Item:
        return _item(Number(_integer(str(token), token)), _span(token))

    def letter(self, token: Token) -> Item:
        return _item(Letter(_integer("".join(str(token)[1:].split()), token)), _span(token))

    def variable(self, token: Token) -> Item:
        return _item(Variable(str(token)), _span(token))

    def word(self, name: Token, *indices: Item) -> Item:
        bare = str(name).removeprefix(".")
        node = WordValue(bare, tuple(index.node for index in indices))
        place = Span(name.end - len(bare), name.end)
        return _item(node, Span(name.start, indices[-1].end), *indices, names=(place,))

    def index(self, opening: Token, item: Item, closing: Token) -> Item:
        return item._replace(start=opening.start, end=closing.end)

    def call(self, name: Token, *parts: Item | Token) -> Item:
        arguments = [part for part in parts if isinstance(part, Item)]
        node = Call(str(name)[1:], tuple(argument.node for argument in arguments))
        return _item(node, Span(name.start, parts[-1].end), *arguments, names=(_span(name),))

    def parenthesis(self, opening: Token, item: Item, closing: Token) -> Item:
        return item._replace(start=opening.start, end=closing.end, parenthesized=True)


# -- parsing ---------------------------------------------------------------------------------

def parse(text: str, macros: Mapping[str, str]) -> Source:
    """Return a formula with its places after the expansion of its macros.  Raise a TextError with the place."""
    return parse_formula(expand_macros(text, macros))


def read(formula: str | Formula | Source, macros: Mapping[str, str]) -> Source:
    """Return a formula with its text and places, however it is given: as a text, as a tree, or as this returns it.

    Raise a TextError with the place for a text that is no formula, FibproverError for anything else.
    """
    if isinstance(formula, Source):
        return formula
    if isinstance(formula, str):
        return parse(formula, macros)
    if isinstance(formula, Formula):
        return source_of(formula)
    raise no_formula(formula)


def no_formula(given: object) -> FibproverError:
    """Return the error about what is neither a text nor a tree."""
    hint = "x == y compares trees; the formula is x.eq(y)" if isinstance(given, bool) else 'such as "Ax Ey y>x"'
    return FibproverError(f"a formula is a text or a tree, not {given!r}", hint=hint)


def parse_formula(text: str) -> Source:
    """Return a formula (macros already expanded) with its text and its places.

    Raise SyntaxProblem, with the exact place, for anything that is not a formula, for a tree deeper than MAX_DEPTH
    and for a number of more than MAX_DIGITS digits.  Time linear in the length of the text.
    """
    return Source(text, placed(_read(text, _whole_formula)))


def formula(text: str) -> Formula:
    """Return the formula that a text is.

    Errors: SyntaxProblem with the place for a text that is none.

    >>> formula = fp.formula("x<y  =>  x+1 <= y")
    >>> print(formula, formula.free, formula == fp.formula(str(formula)))
    x<y => x+1<=y ('x', 'y') True
    >>> print(formula.substitute(y=7))
    x<7 => x+1<=7
    >>> print(formula.latex())
    x < y \\Rightarrow x + 1 \\leq y
    >>> print(formula.prose())
    if x < y, then x + 1 ≤ y
    """
    check_text(text, "a formula", hint='such as "Ax Ey y>x"')
    return parse_formula(text).formula


def formula_within(text: str, start: int, end: int) -> Occurrence:
    """Return the formula that a part of a text is; its places, and those of errors, are in the whole text."""
    return placed(_read_within(text, start, end, _whole_formula))


def term_within(text: str, start: int, end: int) -> Occurrence:
    """Return the term that a part of a text is; its places, and those of errors, are in the whole text."""
    return placed(_read_within(text, start, end, _whole_term))


def closed_term(text: str) -> Term | SystemTerm | None:
    """Return the term without variables that a text is, such as `T[5]` or `3+4`; None for any other text."""
    try:
        node = term_within(text, 0, len(text)).node
    except SyntaxProblem:
        return None
    return None if isinstance(node, Formula) or free_names(node) else node


def _whole_formula(item: Item) -> Draft:
    _formula(item, "a formula must be true or false", _value_of(item))
    return item.made


def _value_of(item: Item) -> str:
    """Return how to see the value of a short term that stands in place of a formula; "" for a formula or a variable."""
    term = item.node
    if not isinstance(term, Term) or isinstance(term, Variable) or item.end - item.start > MOST_SHOWN:
        return ""
    used = all_names(term)
    name = next((each for each in "xyzvw" if each not in used), unused("x", used))
    return f"{Variable(name).eq(term)} asks for its value"


def _whole_term(item: Item) -> Draft:
    if isinstance(item.node, Term | SystemTerm):
        return item.made
    raise Misfit("this is not a term; it is a truth value", item.start, item.end)


T = TypeVar("T")


def _read_within(text: str, start: int, end: int, node: Callable[[Item], T]) -> T:
    """Read a part of a text, with blanks in place of everything before it, so that all places stay the same."""
    if not text[start:end].strip():
        raise SyntaxProblem("expected a formula or a term", text, start, end)
    try:
        return _read(" " * start + text[start:end], node)
    except SyntaxProblem as problem:
        place = max(problem.start, start), problem.end
        raise SyntaxProblem(problem.message, text, *place, hint=problem.hint) from None


def _read(text: str, node: Callable[[Item], T]) -> T:
    """Return what `node` makes of the item that a text is; raise SyntaxProblem as `parse_formula` does."""
    try:
        return node(_parser().read(polled(formula_tokens(text), "a syntax tree")))
    except NoToken as problem:
        raise unexpected(text, problem.before, problem.token) from None
    except Misfit as problem:
        raise SyntaxProblem(problem.message, text, problem.start, problem.end, hint=problem.hint) from None


@cache
def _parser() -> Parser:
    """Return the parser, made when the first formula is read; it never changes."""
    return Parser(tables(), Builder())
