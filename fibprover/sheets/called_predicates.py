"""The predicates of a word that the lines of a sheet call, with their definitions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fibprover.base.names import word_predicate
from fibprover.language.tree import Call, Formula, nodes
from fibprover.learn.standard import formula_of
from fibprover.sheets.closed_form import power_expression
from fibprover.sheets.line import Line
from fibprover.sheets.vocabulary import Vocabulary
from fibprover.words.automatic import AutomaticWord
from fibprover.words.letter_comparison import equal_letters


@dataclass(frozen=True, slots=True)
class CalledPredicate:
    """A predicate of a word.

    formula: what it means, None if it is the language of an expression; is_recursive: whether the formula calls the
    predicate, which is the only one that satisfies it.
    """

    name: str
    formula: Formula | None
    expression: str = ""
    is_recursive: bool = False


def called_predicates(word: AutomaticWord, lines: Iterable[Line]) -> list[CalledPredicate]:
    """Return the predicates of a word that lines call, each after those that it calls itself."""
    found: dict[str, CalledPredicate | None] = {}
    system = word.indices[0].system
    base = word.system(word.indices[0]).integer_base
    x = Vocabulary(word.name)
    recursions = x.recursions(word.outputs)

    def add(formula: Formula) -> None:
        for name in (each.name for each in nodes(formula) if isinstance(each, Call) and each.name not in found):
            parts = word_predicate(name)
            kind, _, of = name.partition("_")
            if parts is not None and parts[1] == word.name:
                own = formula_of(parts[0], equal_letters(word))
                add(own)
                found[name] = CalledPredicate(name, own)
            elif name in recursions:
                recursion = recursions[name].in_system(system)
                found[name] = None  # as it calls itself; the place comes after what else it calls
                add(recursion)
                del found[name]
                found[name] = CalledPredicate(name, recursion, is_recursive=True)
            elif (definition := x.definition(name, word.outputs)) is not None:
                own = definition.in_system(system)
                add(own)
                found[name] = CalledPredicate(name, own)
            elif of == word.name and base and (expression := power_expression(kind, base)):
                found[name] = CalledPredicate(name, None, expression)

    for line in lines:
        if line.tree is not None:
            add(line.tree)
    return [each for each in found.values() if each is not None]
