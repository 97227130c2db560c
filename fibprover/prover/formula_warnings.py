"""Warnings about formulas that are well formed and say less than they seem to.

    Er,s ($p(r,s) => ...)

is true as soon as some r, s are not in p, whatever is on the right of `=>`: the quantifier applies to the whole
implication.  If that is meant, `Er,s (~$p(r,s) | ...)` says so without a warning.

    x=1 | x=2 & y=3

is read from the left, as `(x=1 | x=2) & y=3`; elsewhere `&` goes first.

    (Ex x>5) & x<3

has a free variable beside the quantified one, which ends at the bracket.  The meanings of names tell more: a `?` that
the system of a word overrides, and a letter that a word does not have.
"""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.base.errors import FibproverError, caret_lines
from fibprover.base.values import value
from fibprover.language.source import Occurrence, Source, Span, free_occurrences
from fibprover.language.tree import Binary, Compare, Formula, InSystem, Letter, Number, Quantified, Term, WordValue
from fibprover.prover.bind import bind
from fibprover.prover.environment import Environment


@value
class FormulaWarning:
    """A warning about a place of a formula's text."""

    message: str
    hint: str
    span: Span

    def shown(self, text: str) -> str:
        """Return the warning with the line of the text that it is about, and carets below the place."""
        lines = caret_lines(text, self.span.start, self.span.end)
        return "\n".join([self.message, *lines, f"  hint: {self.hint}"])


def formula_warnings(source: Source, environment: Environment) -> tuple[FormulaWarning, ...]:
    """Return the warnings about a formula, those about what is written first.

    There are no others if the formula cannot be bound, since its evaluation reports why.
    """
    found = (*implications_under_exists(source), *_mixed_operators(source), *_free_beside_quantifiers(source))
    try:
        overridden = bind(source, environment).overridden
    except FibproverError:
        return found
    systems = (FormulaWarning(str(each), each.hint, each.span) for each in overridden)
    return (*found, *systems, *_missing_letters(source, environment))


def implications_under_exists(source: Source) -> tuple[FormulaWarning, ...]:
    """Return a warning for each implication directly under an existential quantifier, in the order of the text."""
    return tuple(
        FormulaWarning(
            "an implication directly under E: true as soon as its left side is false of " + _some_values(node),
            "for values with both properties, write &; for all values with the first property, write A; "
            "if the implication is meant, write it with ~ and |",
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


def _mixed_operators(source: Source) -> Iterator[FormulaWarning]:
    """Yield a warning for each `&` whose left side is an `|` or `^` without brackets."""
    for at in source.root.all():
        if not isinstance(at.node, Binary) or at.node.op != "&":
            continue
        left = at.below[0]
        if isinstance(left.node, Binary) and left.node.op in "|^" and left.span.start == at.span.start:
            yield FormulaWarning(
                f"{left.node.op} and & are read from the left: this means ({source.slice(left.span)}) & ...",
                "put brackets around what belongs together", at.span,
            )


def _free_beside_quantifiers(source: Source) -> Iterator[FormulaWarning]:
    """Yield a warning for each name that a quantifier binds, and that is free elsewhere, at its first free place."""
    bound = {name for at in source.root.all() if isinstance(at.node, Quantified) for name in at.node.names}
    seen = set[str]()
    for at in free_occurrences(source.root):
        name = str(at.node)
        if name in bound and name not in seen:
            seen.add(name)
            yield FormulaWarning(
                f"{name} is free here: a quantifier has the same name, and ends before or begins later",
                "put all that the quantifier is about into its brackets, or give one of the two another name", at.span,
            )


def _missing_letters(source: Source, environment: Environment) -> Iterator[FormulaWarning]:
    """Yield a warning for each comparison of a letter of a word with a number that is no letter of it."""
    for at in source.root.all():
        node = at.node
        if not isinstance(node, Compare):
            continue
        for word, other in ((node.left, node.right), (node.right, node.left)):
            value = _constant(other)
            if not isinstance(word, WordValue) or value is None:
                continue
            letters = environment.words[word.word].outputs
            if value not in letters and node.op in ("=", "!="):
                yield FormulaWarning(
                    f"{word.word} has no letter {value}", f"its letters are {', '.join(map(str, letters))}", at.span
                )


def _constant(term: Term) -> int | None:
    """Return the value of a number or letter, None for any other term."""
    return term.value if isinstance(term, Number | Letter) else None
