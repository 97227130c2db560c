"""In which numeration systems the indices of a word by a term are: its cases, taken together, say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from fibprover.errors import TextError, TypeMismatch
from fibprover.parse.macros import expand_macros
from fibprover.parse.parser import parse_formula
from fibprover.plan.environment import Environment
from fibprover.plan.occurrences import free_occurrences
from fibprover.plan.scope import bind


class Part(NamedTuple):
    """A term or a condition, and where it stands in the whole text."""

    text: str
    at: int
    condition: bool


def systems_of(parts: Sequence[Part], environment: Environment, whole: str) -> dict[str, str]:
    """The system of every index that is a number, by its name.

    TypeMismatch, at the part that contradicts others; nothing where a part is no term or formula, which is for
    those to say who evaluate it.
    """
    pieces: list[str] = []
    places: list[tuple[int, Part]] = []
    length = 0
    try:
        for part in parts:
            text = expand_macros(part.text, environment.macros)
            piece = f"({text})" if part.condition else f"({text}=0)"
            places.append((length + 1, part))
            pieces.append(piece)
            length += len(piece) + len(" & ")
        binding = bind(parse_formula(" & ".join(pieces)), environment)
    except TypeMismatch as problem:
        start, part = next((start, part) for start, part in reversed(places) if start <= max(problem.start, 1))
        if whole[part.at : part.at + len(part.text)] != part.text or "#" in part.text:
            raise
        first, last = (min(max(place - start, 0), len(part.text)) for place in (problem.start, problem.end))
        raise TypeMismatch(problem.message, whole, part.at + first, part.at + last, hint=problem.hint) from None
    except TextError:
        return {}
    return {name: binding.kinds[name].system for name in binding.free if binding.kinds[name].system}


def pinned(names: Iterable[str], systems: Mapping[str, str]) -> str:
    """What, behind a formula in brackets, says of its variables in which systems they are."""
    return "".join(f" & (?{systems[name]} {name}={name})" for name in sorted(set(names)) if name in systems)


def pinned_condition(condition: str, systems: Mapping[str, str], environment: Environment) -> str:
    """The condition, and in which systems its variables are."""
    try:
        formula = parse_formula(expand_macros(condition, environment.macros)).formula
    except TextError:
        return condition
    suffix = pinned((variable.name for variable in free_occurrences(formula)), systems)
    return f"({condition}){suffix}" if suffix else condition
