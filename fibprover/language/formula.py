"""Formulas: from the text to the syntax tree.

The nodes are frozen and have their places in the text. They represent the text only: names are not resolved, systems
are not inferred, and macros are expanded already (the expanded text is the source). Terms denote numbers, formulas
denote truth values.

The grammar is in grammar.lark. It does not tell terms from formulas, since a parenthesis may hold either: `(x)+1=3`,
`(x=1) & y=2`. `Builder` makes the nodes while the LALR parser reduces, bottom up, and checks that every operand has
the type that its operator needs. No function here recurses over a tree, so no nesting exhausts Python's stack.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken, v_args

from fibprover.base.errors import SyntaxProblem
from fibprover.base.limits import polled
from fibprover.base.names import full_name
from fibprover.base.values import value
from fibprover.language.diagnose import END, unexpected, unknown_character
from fibprover.language.foreign import NO_POWERS, TRUTH_HINTS
from fibprover.language.macros import expand_macros


@value
class Span:
    """A place in the source text: offsets, end exclusive."""

    start: int
    end: int


@value
class Number:
    """A natural number literal."""

    value: int
    span: Span


@value
class Letter:
    """`@c`: a constant that is compared with letters of words; it may be negative."""

    value: int
    span: Span


@value
class Variable:
    """A variable where a term is expected, or a name bound by a quantifier."""

    name: str
    span: Span


@value
class Arithmetic:
    """`left op right`, op one of + - * /."""

    op: str
    left: Term
    right: Term
    span: Span


@value
class Negative:
    """`_term`, the unary minus."""

    term: Term
    span: Span


@value
class WordValue:
    """`W[t]`, `W[t][u]`: the letter of an automatic word at an index.

    An index is a term, or a formula whose one free variable is the index.
    """

    word: str
    indices: tuple[Term | SystemTerm | Formula, ...]
    span: Span


@value
class SystemTerm:
    """`?sys term`: a term read in another numeration system (an argument or an index)."""

    system: str
    term: Term
    span: Span


Term = Number | Letter | Variable | Arithmetic | Negative | WordValue


@value
class Compare:
    """`left op right`, op one of = != < <= > >=."""

    op: str
    left: Term
    right: Term
    span: Span


@value
class Call:
    """`$name(a, b, ...)`; an argument is a term, or a formula with one free variable."""

    name: str
    arguments: tuple[Term | SystemTerm | Formula, ...]
    span: Span
    name_span: Span


@value
class Not:
    """`~ body`."""

    body: Formula
    span: Span


@value
class Reversed:
    """A backtick before a formula: the automaton of the reversed words."""

    body: Formula
    span: Span


@value
class Binary:
    """`left op right`, op one of & | ^ => <=>."""

    op: str
    left: Formula
    right: Formula
    span: Span


@value
class Quantified:
    """`E x,y body`, `A x body`, `I x body`; a counting quantifier also has `E relation count`.

    kind: "E", "A" or "I"; relation and count: for `E>=k`, `E<=k`, `E=k` the relation and k, otherwise "" and 0.
    """

    kind: str
    variables: tuple[Variable, ...]
    body: Formula
    span: Span
    relation: str = ""
    count: int = 0


@value
class InSystem:
    """`?sys formula`: the numeration system of all parts of the formula that have no `?sys` themselves."""

    system: str
    body: Formula
    span: Span


Formula = Compare | Call | Not | Reversed | Binary | Quantified | InSystem


@value
class Source:
    """A parsed formula together with the text (after macro expansion) its spans point into."""

    text: str
    formula: Formula

    def slice(self, span: Span) -> str:
        """Return the text at a place, with each run of white space as one blank."""
        return " ".join(self.text[span.start : span.end].split())


def children(node: Formula | Term | SystemTerm) -> tuple[Formula | Term | SystemTerm, ...]:
    """Return the nodes directly below a node, in the order of the text; not the variables that a quantifier binds."""
    match node:
        case Quantified() | Not() | Reversed() | InSystem():
            return (node.body,)
        case Binary() | Compare() | Arithmetic():
            return (node.left, node.right)
        case Call():
            return node.arguments
        case WordValue():
            return node.indices
        case Negative() | SystemTerm():
            return (node.term,)
        case _:
            return ()


def nodes(formula: Formula | Term | SystemTerm) -> Iterator[Formula | Term | SystemTerm]:
    """Yield all nodes of a tree of any depth, in the order of the text, each before its children."""
    waiting = [formula]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(children(node))


# -- building the tree -----------------------------------------------------------------------

#: The greatest depth of a tree.  Later functions recurse over the tree with a few frames for each level, and Python
#: allows about 1000 frames in all.
MAX_DEPTH = 200

#: The most digits of a number (Python's own bound for exact conversion).
MAX_DIGITS = 4300

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
    """A node on the parser's stack: its extent with parentheses, and the depth of its tree."""

    node: Term | SystemTerm | Formula
    start: int
    end: int
    depth: int
    parenthesized: bool = False


def _start(part: Item | Token) -> int:
    return part.start if isinstance(part, Item) else part.start_pos or 0


def _end(part: Item | Token) -> int:
    return part.end if isinstance(part, Item) else part.end_pos or 0


def _span(part: Item | Token) -> Span:
    return Span(_start(part), _end(part))


def _item(node: Term | SystemTerm | Formula, *children: Item) -> Item:
    """Return a new node with its children; raise Misfit for a tree deeper than MAX_DEPTH."""
    depth = 1 + max((child.depth for child in children), default=0)
    if depth > MAX_DEPTH:
        raise Misfit(
            f"this is nested more than {MAX_DEPTH} levels deep", node.span.start, node.span.end,
            "a chain such as a & b & c counts one level an operator; split the formula with def",
        )
    return Item(node, node.span.start, node.span.end, depth)


def _term(item: Item, wanted: str) -> Term:
    """Return the node of an item that must be a number; `wanted` names, for the error, what needs the number."""
    node = item.node
    if isinstance(node, SystemTerm):
        raise Misfit(f"{wanted}; a numeration system cannot be named here", item.start, item.end, SYSTEM_PLACE_HINT)
    if isinstance(node, Term):
        return node
    raise Misfit(f"{wanted}; this is a truth value", item.start, item.end)


def _formula(item: Item, wanted: str) -> Formula:
    """Return the node of an item that must be a truth value; `wanted` names, for the error, what needs it."""
    if isinstance(item.node, Term | SystemTerm):
        name = item.node.name if isinstance(item.node, Variable) else ""
        hint = TRUTH_HINTS.get(name, "a comparison makes a formula of it: x=1")
        raise Misfit(f"{wanted}; this is a number", item.start, item.end, hint)
    return item.node


def _integer(digits: str, token: Token) -> int:
    """Return the value of a literal; Python may be set to convert fewer digits than MAX_DIGITS."""
    bound = min(MAX_DIGITS, sys.get_int_max_str_digits() or MAX_DIGITS)
    if len(digits.lstrip("+-")) > bound:
        raise Misfit(f"this number has more than {bound} digits", _start(token), _end(token))
    return int(digits)


def _occurs(name: str, item: Item) -> bool:
    """Return whether a variable with this name occurs in a tree.  Time linear in the size of the tree."""
    waiting: list[Any] = [item.node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Variable) and node.name == name:
            return True
        if isinstance(node, tuple):
            waiting.extend(node)
        else:
            waiting.extend(getattr(node, field) for field in getattr(node, "__match_args__", ()))
    return False


@v_args(inline=True)
class Builder(Transformer[Token, Item]):
    """One method for each rule of grammar.lark; the class has no state."""

    def start(self, item: Item) -> Item:
        return item

    def logical(self, left: Item, operator: Token, right: Item) -> Item:
        if operator == "^" and any(isinstance(part.node, Term) for part in (left, right)):
            number = left if isinstance(left.node, Term) else right
            raise Misfit("`^` joins truth values; this is a number", number.start, number.end, NO_POWERS)
        wanted = f"`{operator}` joins truth values"
        node = Binary(str(operator), _formula(left, wanted), _formula(right, wanted), Span(left.start, right.end))
        return _item(node, left, right)

    def prefix(self, operator: Token, body: Item) -> Item:
        formula = _formula(body, f"`{operator}` stands before a truth value")
        kind = Not if operator == "~" else Reversed
        return _item(kind(formula, Span(_start(operator), body.end)), body)

    def names(self, *names: Token) -> tuple[Variable, ...]:
        for place, name in enumerate(names):
            if name in names[:place]:
                raise Misfit(f"`{name}` is quantified twice here", _start(name), _end(name))
        return tuple(Variable(str(name), _span(name)) for name in names)

    def quantified(self, kind: Token, names: tuple[Variable, ...], body: Item) -> Item:
        return self._quantified(kind, names, body, "", 0)

    def counted(
        self, kind: Token, relation: Token, count: Token, names: tuple[Variable, ...], body: Item
    ) -> Item:
        if kind != "E":
            raise Misfit(f"only `E` counts, not `{kind}`", _start(kind), _end(count), "E>=3 x: at least three x")
        if relation not in (">=", "<=", "="):
            raise Misfit(
                f"a quantifier does not count with `{relation}`", _start(relation), _end(relation),
                "write E>=k, E<=k or E=k",
            )
        return self._quantified(kind, names, body, str(relation), _integer(str(count), count))

    def _quantified(self, kind: Token, names: tuple[Variable, ...], body: Item, relation: str, count: int) -> Item:
        for variable in names:
            if RUN_TOGETHER.fullmatch(variable.name) and not _occurs(variable.name, body):
                raise Misfit(
                    f"`{variable.name}` is read as one name, and it does not occur in what follows",
                    variable.span.start, variable.span.end, "leave a space between quantifiers: Ax Ey",
                )
        formula = _formula(body, f"the quantifier `{kind}` stands before a truth value")
        return _item(Quantified(str(kind), names, formula, Span(_start(kind), body.end), relation, count), body)

    def in_system(self, system: Token, body: Item) -> Item:
        name = full_name(str(system)[1:])
        span = Span(_start(system), body.end)
        if isinstance(body.node, SystemTerm):
            raise Misfit("two numeration systems are named for one number", _start(system), body.end)
        if isinstance(body.node, Term):
            return _item(SystemTerm(name, body.node, span), body)
        return _item(InSystem(name, body.node, span), body)

    def compare(self, left: Item, relation: Token, right: Item) -> Item:
        if isinstance(left.node, Compare) and not left.parenthesized:
            raise Misfit("comparisons do not chain", _start(relation), _end(relation), "write a<b & b<c")
        wanted = f"`{relation}` compares numbers"
        node = Compare(str(relation), _term(left, wanted), _term(right, wanted), Span(left.start, right.end))
        return _item(node, left, right)

    def arithmetic(self, left: Item, operator: Token, right: Item) -> Item:
        wanted = f"`{operator}` computes with numbers"
        node = Arithmetic(str(operator), _term(left, wanted), _term(right, wanted), Span(left.start, right.end))
        return _item(node, left, right)

    def negative(self, sign: Token, body: Item) -> Item:
        return _item(Negative(_term(body, "`_` stands before a number"), Span(_start(sign), body.end)), body)

    def number(self, token: Token) -> Item:
        return _item(Number(_integer(str(token), token), _span(token)))

    def letter(self, token: Token) -> Item:
        return _item(Letter(_integer("".join(str(token)[1:].split()), token), _span(token)))

    def variable(self, token: Token) -> Item:
        return _item(Variable(str(token), _span(token)))

    def word(self, name: Token, *indices: Item) -> Item:
        node = WordValue(
            str(name).removeprefix("."), tuple(index.node for index in indices), Span(_start(name), indices[-1].end)
        )
        return _item(node, *indices)

    def index(self, opening: Token, item: Item, closing: Token) -> Item:
        return item._replace(start=_start(opening), end=_end(closing))

    def call(self, name: Token, *parts: Item | Token) -> Item:
        arguments = [part for part in parts if isinstance(part, Item)]
        nodes = tuple(argument.node for argument in arguments)
        return _item(Call(str(name)[1:], nodes, Span(_start(name), _end(parts[-1])), _span(name)), *arguments)

    def parenthesis(self, opening: Token, item: Item, closing: Token) -> Item:
        return item._replace(start=_start(opening), end=_end(closing), parenthesized=True)


# -- parsing ---------------------------------------------------------------------------------

def parse(text: str, macros: Mapping[str, str]) -> Source:
    """Return the syntax tree of a formula after the expansion of its macros.  Raise a TextError with the place."""
    return parse_formula(expand_macros(text, macros))


def parse_formula(text: str) -> Source:
    """Return the syntax tree of a formula (macros already expanded), with its text.

    Raise SyntaxProblem, with the exact place, for anything that is not a formula, for a tree deeper than MAX_DEPTH
    and for a number of more than MAX_DIGITS digits.  Time linear in the length of the text.
    """
    return Source(text, _read(text, _whole_formula))


def formula_within(text: str, start: int, end: int) -> Formula:
    """Return the syntax tree of a part of a text that is a formula; its spans, and those of errors, are in the text."""
    return _read_within(text, start, end, _whole_formula)


def term_within(text: str, start: int, end: int) -> Term | SystemTerm:
    """Return the syntax tree of a part of a text that is a term; its spans, and those of errors, are in the text."""
    return _read_within(text, start, end, _whole_term)


def _whole_formula(item: Item) -> Formula:
    return _formula(item, "a formula must be true or false")


def _whole_term(item: Item) -> Term | SystemTerm:
    if isinstance(item.node, Term | SystemTerm):
        return item.node
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
    interactive = _parser().parse_interactive(text)
    tokens: list[Token] = []
    try:
        for token in polled(interactive.iter_parse(), "a syntax tree"):
            tokens.append(token)  # before the parser sees it: the last token may be the wrong one
        return node(interactive.feed_token(Token(END, "")))
    except UnexpectedCharacters as problem:
        raise unknown_character(text, cast(int, problem.pos_in_stream)) from None
    except UnexpectedToken as problem:
        read = [token for token in tokens if token is not problem.token]
        raise unexpected(text, read, problem.token) from None
    except Misfit as problem:
        raise SyntaxProblem(problem.message, text, problem.start, problem.end, hint=problem.hint) from None


@cache
def _parser() -> Lark:
    """Return the parser; its LALR tables are made when the first formula is read (about 40 ms) and never change."""
    return Lark.open(
        "grammar.lark", rel_to=__file__, parser="lalr", lexer="contextual", maybe_placeholders=False,
        transformer=Builder(),
    )
