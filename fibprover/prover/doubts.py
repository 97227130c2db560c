"""Warnings about formulas that need the meanings of names: an overridden `?`, a letter that a word does not have."""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.base.errors import FibproverError
from fibprover.language.lint import Remark
from fibprover.language.source import Source
from fibprover.language.tree import Compare, Letter, Number, Term, WordValue
from fibprover.prover.bind import bind
from fibprover.prover.environment import Environment


def doubts(source: Source, environment: Environment) -> tuple[Remark, ...]:
    """Return the warnings about a formula; none if it cannot be bound, since its evaluation reports why."""
    try:
        overridden = bind(source, environment).overridden
    except FibproverError:
        return ()
    found = [Remark(str(each), each.hint, each.span) for each in overridden]
    return (*found, *_missing_letters(source, environment))


def _missing_letters(source: Source, environment: Environment) -> Iterator[Remark]:
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
                yield Remark(
                    f"{word.word} has no letter {value}", f"its letters are {', '.join(map(str, letters))}", at.span
                )


def _constant(term: Term) -> int | None:
    """Return the value of a number or letter, None for any other term."""
    return term.value if isinstance(term, Number | Letter) else None
