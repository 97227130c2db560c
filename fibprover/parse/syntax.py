"""The syntax tree of a formula: frozen nodes, each with its place in the source text.

The tree says what was written and nothing more: names are not resolved, systems not inferred,
macros already expanded (their text is the source).  Terms denote numbers, formulas truth values.
"""

from __future__ import annotations

from fibprover.values import value


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
    """`@c`: a constant that is compared with letters of words; may be negative."""

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

    kind: "E", "A" or "I"; relation and count: "" and 0, or for `E>=k`, `E<=k`, `E=k` its parts.
    """

    kind: str
    variables: tuple[Variable, ...]
    body: Formula
    span: Span
    relation: str = ""
    count: int = 0


@value
class InSystem:
    """`?sys formula`: the numeration system of everything within that does not say otherwise."""

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
        """The text at a place, white space folded."""
        return " ".join(self.text[span.start : span.end].split())
