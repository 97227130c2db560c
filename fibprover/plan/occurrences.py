"""Where variables occur in formulas and terms."""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.parse.syntax import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Negative,
    Not,
    Number,
    Quantified,
    Reversed,
    SystemTerm,
    Term,
    Variable,
    WordValue,
)


def numeric_variables(term: Term) -> Iterator[Variable]:
    """The variables whose numbers a term computes with; those inside word indices are not."""
    match term:
        case Variable():
            yield term
        case Arithmetic():
            yield from numeric_variables(term.left)
            yield from numeric_variables(term.right)
        case Negative():
            yield from numeric_variables(term.term)


def free_occurrences(
    node_: Formula | Term | SystemTerm, bound: frozenset[str] = frozenset()
) -> Iterator[Variable]:
    """Every free occurrence of a variable in a formula or term, from left to right."""
    match node_:
        case Variable():
            if node_.name not in bound:
                yield node_
        case Compare() | Binary() | Arithmetic():
            yield from free_occurrences(node_.left, bound)
            yield from free_occurrences(node_.right, bound)
        case Call():
            for argument in node_.arguments:
                yield from free_occurrences(argument, bound)
        case WordValue():
            for index in node_.indices:
                yield from free_occurrences(index, bound)
        case Not() | Reversed() | InSystem():
            yield from free_occurrences(node_.body, bound)
        case Quantified():
            yield from free_occurrences(node_.body, bound | {variable.name for variable in node_.variables})
        case Negative() | SystemTerm():
            yield from free_occurrences(node_.term, bound)


def words_of(term: Term) -> Iterator[WordValue]:
    """The words whose letters a term computes with; not those inside the indices of words."""
    match term:
        case WordValue():
            yield term
        case Arithmetic():
            yield from words_of(term.left)
            yield from words_of(term.right)
        case Negative():
            yield from words_of(term.term)


def varies(term: Term) -> bool:
    """Whether a term computes with a variable or a word, so that it is no constant."""
    match term:
        case Number() | Letter():
            return False
        case Variable() | WordValue():
            return True
        case Negative():
            return varies(term.term)
        case Arithmetic():
            return varies(term.left) or varies(term.right)
