"""Warnings about formulas that are well formed and say less than they seem to.

    Er,s ($p(r,s) => ...)

is true as soon as some r, s are not in p, whatever is on the right of `=>`: the quantifier applies
to the whole implication.  If that is meant, `Er,s (~$p(r,s) | ...)` says so without a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.base.errors import caret_lines
from fibprover.base.values import value
from fibprover.language.source import Occurrence, Source, Span
from fibprover.language.tree import Binary, Formula, InSystem, Quantified


@value
class Remark:
    """A warning about a place of a formula's text."""

    message: str
    hint: str
    span: Span

    def shown(self, text: str) -> str:
        """Return the warning with the line of the text that it is about, and carets below the place."""
        lines = caret_lines(text, self.span.start, self.span.end)
        return "\n".join([self.message, *lines, f"  hint: {self.hint}"])


def warnings(source: Source) -> tuple[Remark, ...]:
    """Return a warning for each implication directly under an existential quantifier, in the order of the text."""
    return tuple(
        Remark(
            "an implication directly under E: true as soon as its left side is false of " + _some_values(node),
            "for values with both properties write &, for all values with the first write A; "
            "if it is meant, ~ and | say so",
            at.span,
        )
        for at, node in _existential_implications(source)
    )


def _existential_implications(source: Source) -> Iterator[tuple[Occurrence, Quantified]]:
    for at in source.root.all():
        if isinstance(at.node, Quantified) and _is_existential(at.node) and _is_implication(at.node.body):
            yield at, at.node


def _is_existential(node: Quantified) -> bool:
    """Return whether a quantifier is true if some values exist, one or more."""
    return node.kind == "E" and (not node.relation or (node.relation == ">=" and node.count > 0))


def _some_values(node: Quantified) -> str:
    """Return a description of the values whose existence makes the quantifier true."""
    names = ", ".join(node.names)
    return f"some {names}" if node.count < 2 else f"{node.count} values of {names}"


def _is_implication(formula: Formula) -> bool:
    """Return whether a formula is an implication, possibly after a `?sys`."""
    while isinstance(formula, InSystem):
        formula = formula.body
    return isinstance(formula, Binary) and formula.op == "=>"
