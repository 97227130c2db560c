"""A formula with its text: the place of each node, kept beside the tree for messages.

An `Occurrence` is a node at a place of a text, with the occurrences below it; equal trees at two places are two
occurrences, told apart by their numbers.  `Source` is a formula with its text and its occurrences.  The parser makes
one of a text, and `source_of` makes one of a tree, by means of the printer: so whatever has an error to report about a
part of a formula can show it, whether a user has written the formula or a program has made it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from fibprover.base.errors import LimitError, nested_too_deeply
from fibprover.base.values import value
from fibprover.language import printer
from fibprover.language.tree import (
    Binary,
    Call,
    Formula,
    Node,
    Quantified,
    Term,
    Variable,
    WordValue,
    children,
    with_children,
)

#: The most nodes of a tree that is made into a text.
MAX_NODES = 100_000

#: The greatest depth of a tree.  Later functions recurse over the tree with a few frames for each level, and Python
#: allows about 1000 frames in all.
MAX_DEPTH = 200


@value
class Span:
    """A place in the source text: offsets, end exclusive."""

    start: int
    end: int


@value
class Occurrence:
    """A node at a place of a text.

    names: the places of the variables that a quantifier binds, or of the name of a call or word; below: the
    occurrences of the node's children; number: its place among the occurrences of its tree, each before those below.
    """

    node: Node
    span: Span
    names: tuple[Span, ...] = ()
    below: tuple[Occurrence, ...] = ()
    number: int = 0

    def all(self) -> Iterator[Occurrence]:
        """Yield this occurrence and all below it, in the order of the text."""
        waiting = [self]
        while waiting:
            each = waiting.pop()
            yield each
            waiting += reversed(each.below)


@value
class Source:
    """A formula together with the text (after macro expansion) that its places point into."""

    text: str
    root: Occurrence

    @property
    def formula(self) -> Formula:
        """The formula as a tree."""
        return cast(Formula, self.root.node)

    def slice(self, span: Span) -> str:
        """Return the text at a place, with each run of white space as one blank."""
        return " ".join(self.text[span.start : span.end].split())

    def __str__(self) -> str:
        return self.text


#: What an automaton was made from: a formula, as it was written or as a tree; or what else it is, in words.
Origin = Source | Formula | str


def source_from(origin: Origin) -> Source | None:
    """Return the formula with its text, or None if there was none.  Raises LimitError as `source_of` does."""
    if isinstance(origin, str):
        return None
    return origin if isinstance(origin, Source) else source_of(origin)


def numbered(root: Occurrence) -> Occurrence:
    """Return occurrences with their numbers."""
    return placed(_draft(root))


class Draft(NamedTuple):
    """What an occurrence is made of before it has a number."""

    node: Node
    span: Span
    names: tuple[Span, ...]
    below: tuple[Draft, ...]


def _draft(each: Occurrence) -> Draft:
    return Draft(each.node, each.span, each.names, tuple(map(_draft, each.below)))


def placed(draft: Draft) -> Occurrence:
    """Return the occurrences that drafts describe."""
    return _placed(draft, 0)[0]


def _placed(draft: Draft, number: int) -> tuple[Occurrence, int]:
    node, span, names, drafts = draft
    following, below = number + 1, []
    for each in drafts:
        made, following = _placed(each, following)
        below.append(made)
    return Occurrence(node, span, names, tuple(below), number), following


def joined(op: str, left: Occurrence, right: Occurrence) -> Occurrence:
    """Return two formulas of one text joined by a connective; the result is to be numbered."""
    node = Binary(op, cast(Formula, left.node), cast(Formula, right.node))
    return Occurrence(node, Span(left.span.start, right.span.end), (), (left, right))


def made_at(node: Node, span: Span) -> Occurrence:
    """Return the occurrences of a tree that was made, all at one place of a text; they are to be numbered."""
    count = len(node.variables) if isinstance(node, Quantified) else isinstance(node, Call | WordValue)
    return Occurrence(node, span, (span,) * count, tuple(made_at(child, span) for child in children(node)))


def replaced_at(root: Occurrence, old: Occurrence, new: Occurrence) -> Occurrence:
    """Return occurrences with others in place of a node at its place; the result is to be numbered.

    old: of these occurrences, or of those that were there before others were replaced, so its number does not matter.
    """
    if root.span == old.span and root.node == old.node:
        return new
    below = tuple(replaced_at(each, old, new) for each in root.below)
    return Occurrence(with_children(root.node, tuple(each.node for each in below)), root.span, root.names, below)


def source_of(tree: Formula | Term) -> Source:
    """Return a tree with the text that the printer gives it.  Raises LimitError for a tree that is too deep."""
    check_size(tree)
    text, extents = printer.OWN.extents(tree)
    return Source(text, placed(_printed(tree, iter(extents))))


def _printed(node: Node, extents: Iterator[printer.Extent]) -> Draft:
    start, end, names = next(extents)
    below = tuple([_printed(child, extents) for child in children(node)])
    return Draft(node, Span(start, end), tuple(Span(*each) for each in names), below)


def check_size(tree: Node) -> None:
    """Raise LimitError for a tree deeper than MAX_DEPTH, or with more than MAX_NODES nodes.

    A node that stands in several places counts in each of them, but is looked at once.
    """
    level, total = {id(tree): (tree, 1)}, 0
    for _ in range(MAX_DEPTH):
        total += sum(count for _, count in level.values())
        if total > MAX_NODES:
            raise LimitError(f"the formula has more than {MAX_NODES} parts", hint="define a part of it by a name")
        below: dict[int, tuple[Node, int]] = {}
        for node, count in level.values():
            for child in children(node):
                below[id(child)] = child, below.get(id(child), (child, 0))[1] + count
        if not below:
            return
        level = below
    raise nested_too_deeply()


def free_occurrences(each: Occurrence, bound: frozenset[str] = frozenset()) -> Iterator[Occurrence]:
    """Yield every free occurrence of a variable in a formula or term, from left to right."""
    if isinstance(each.node, Variable):
        if each.node.name not in bound:
            yield each
        return
    if isinstance(each.node, Quantified):
        bound = bound.union(each.node.names)
    for child in each.below:
        yield from free_occurrences(child, bound)
