"""`word X[n] = T[2*n+3] + RS[3*n+4] if n>5 else 0;`: words whose letters are computed from letters of other words.

A term becomes an automaton with the value as its output: the letter of a word at an index comes from the prover, one
relation for each letter, and operations are products of automata. The numeration systems of the indices are inferred
from all cases of the term together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, NoReturn, TypeVar

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import LARGEST_OUTPUT, Dfa, Track
from fibprover.automata.outputs import combined, completed, constant, paired
from fibprover.errors import LimitError, NotSupported, SyntaxProblem, TextError, TypeMismatch, UnknownName
from fibprover.limits import UNLIMITED, Budget
from fibprover.plan.bind import bind, free_occurrences
from fibprover.plan.environment import Environment
from fibprover.syntax.formula import (
    Arithmetic,
    Compare,
    InSystem,
    Letter,
    Negative,
    Number,
    Source,
    Term,
    WordValue,
    parse_formula,
)
from fibprover.syntax.macros import expand_macros
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict

#: The output for an index where a term has no value, or where the next case applies.
_UNDEFINED, _OTHERWISE = -LARGEST_OUTPUT, -LARGEST_OUTPUT + 1

_KEYWORD = re.compile(r"\b(if|else)\b")

T = TypeVar("T")

#: The value of a formula.
Evaluator = Callable[[str], Verdict | Relation]


def word_by_term(
    indices: Sequence[str], text: str, environment: Environment, evaluate: Evaluator, budget: Budget = UNLIMITED
) -> Dfa:
    """Return the automaton of the word whose letter at the indices is the value of a term.

    text: a term of letters of words, numbers and + - * / (which rounds down), possibly as `TERM if FORMULA
    else TERM`.  evaluate: decides a formula.  Raise a TextError with the place in the text, and
    NotSupported, with an example, if the term has no value at some index.
    """
    machine = constant((), _OTHERWISE)
    cases = _cases(text)
    systems = systems_of(_parts(cases), environment, text)
    for value, value_at, condition, condition_at in cases:
        with_value = _Terms(text, value, value_at, environment, systems, evaluate, budget).machine()
        if condition is not None:
            asked = pinned_condition(condition, systems, environment)
            outcome = _shown(text, condition_at, condition, partial(evaluate, asked), int(asked != condition))
            holds = _indicator(outcome, budget)
            with_value = paired(holds, with_value, lambda holds, value: value if holds else _OTHERWISE, budget)
        machine = paired(machine, with_value, lambda old, new: new if old == _OTHERWISE else old, budget)
    for name in machine.names:
        if name not in indices:
            raise UnknownName(
                f"{name} is not an index of the word", text, *_found(text, name),
                hint=f"its indices are {', '.join(indices)}",
            )
    system = environment.system(environment.default_system)
    for name in indices:
        if name not in machine.names:
            free = constant((system.track(name),), 0)
            machine = paired(machine, free, lambda old, _: old, budget)
    machine = kernels.reorder(machine, list(indices), budget)
    _check_defined(machine, environment, text, budget)
    return _replaced(machine, {_UNDEFINED: 0}, budget)


def _cases(text: str) -> list[tuple[str, int, str | None, int]]:
    """Return the values with their conditions (None for the last one), each with its offset."""
    parts = _KEYWORD.split(text)
    offsets, at = [], 0
    for part in parts:
        offsets.append(at)
        at += len(part)
    keywords = parts[1::2]
    for number, keyword in enumerate(keywords):
        if keyword != ("if", "else")[number % 2]:
            place = offsets[2 * number + 1]
            raise SyntaxProblem(
                f"`{keyword}` is not expected here", text, place, place + len(keyword),
                hint="write TERM if FORMULA else TERM",
            )
    if len(keywords) % 2:
        raise SyntaxProblem("the case that is left has no value", text, len(text), hint="add else TERM at the end")
    cases: list[tuple[str, int, str | None, int]] = []
    for place in range(0, len(parts), 4):
        condition = parts[place + 2] if place + 2 < len(parts) else None
        cases.append((parts[place], offsets[place], condition, offsets[min(place + 2, len(parts) - 1)]))
    return cases


def _parts(cases: Sequence[tuple[str, int, str | None, int]]) -> list[Part]:
    """Return the terms and conditions of all cases."""
    parts: list[Part] = []
    for value, value_at, condition, condition_at in cases:
        parts.append(Part(value, value_at, condition=False))
        if condition is not None:
            parts.append(Part(condition, condition_at, condition=True))
    return parts


class _Terms:
    """One term, and the automata of its parts."""

    def __init__(
        self, whole: str, text: str, at: int, environment: Environment, systems: Mapping[str, str],
        evaluate: Evaluator, budget: Budget,
    ) -> None:
        self.whole = whole
        self.at = at
        self.environment = environment
        self.systems = systems
        self.evaluate = evaluate
        self.budget = budget
        self.text = text
        self.system = ""
        expanded = _shown(whole, at, text, lambda: expand_macros(text, environment.macros))
        if _is_formula(expanded):
            self.refuse()
        # A text is a term if it can be compared.
        self.source = _shown(whole, at, text, lambda: parse_formula(f"{expanded}=0"))

    def machine(self) -> Dfa:
        """Return the automaton of the term."""
        formula = self.source.formula
        while isinstance(formula, InSystem):
            self.system, formula = formula.system, formula.body
        if not isinstance(formula, Compare) or not _is_zero(formula, self.source):
            self.refuse()
        return self.of(formula.left)

    def of(self, term: Term) -> Dfa:
        match term:
            case Number() | Letter():
                self.check(term.value, term)
                return constant((), term.value)
            case Negative():
                return _replaced(self.of(term.term), None, self.budget)
            case Arithmetic():
                left, right = self.of(term.left), self.of(term.right)
                operation = _OPERATIONS[term.op]

                def value(a: int, b: int) -> int:
                    if _UNDEFINED in (a, b):
                        return _UNDEFINED
                    result = operation(a, b)
                    if result != _UNDEFINED:
                        self.check(result, term)
                    return result

                return paired(left, right, value, self.budget)
            case WordValue():
                return self.letter(term)
        self.fail(
            f"{self.source.slice(term.span)} is a number, and a letter is needed", term.span.start, term.span.end,
            "letters are those of words, as in T[n], and constants",
        )

    def letter(self, term: WordValue) -> Dfa:
        """Return the automaton of the letter of a word at an index, from one relation for each letter."""
        word = self.environment.words.get(term.word)
        written = self.source.slice(term.span)
        prefix = f"(?{self.system} " if self.system else "("
        suffix = ")" + pinned((variable.name for variable in free_occurrences(term)), self.systems)
        letters = word.outputs if word is not None else (0,)
        parts: list[tuple[Dfa, int]] = []
        for letter in letters:
            outcome = _shown(
                self.whole, self.at + term.span.start, written,
                partial(self.evaluate, f"{prefix}{written}=@{letter}{suffix}"),
                len(prefix),
            )
            if isinstance(outcome, Relation):
                parts.append((outcome.automaton, letter))
            elif outcome.truth:
                return constant((), letter)
        return combined(parts, self.budget, otherwise=_UNDEFINED) if parts else constant((), _UNDEFINED)

    def check(self, value: int, term: Term) -> None:
        if not -LARGEST_OUTPUT + 1 < value <= LARGEST_OUTPUT:
            raise LimitError(f"{value} is too large for a letter, as a value of {self.source.slice(term.span)}")

    def refuse(self) -> NoReturn:
        """Raise NotSupported: the text as a whole is not a term."""
        blank = len(self.text) - len(self.text.lstrip())
        hint = "write letters of words and numbers, as in T[n+1]+2"
        self.fail("this is not a term", blank, len(self.text.rstrip()), hint)

    def fail(self, message: str, start: int, end: int, hint: str) -> NoReturn:
        end = min(end, len(self.text))
        raise NotSupported(message, self.whole, self.at + start, self.at + end, hint=hint)


def _divided(a: int, b: int) -> int:
    return a // b if b else _UNDEFINED


def _is_formula(text: str) -> bool:
    """Return whether a text is a formula by itself, and so not a term."""
    try:
        parse_formula(text)
    except TextError:
        return False
    return True


#: The operations on letters.
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
}


def _is_zero(formula: Compare, source: Source) -> bool:
    """Return whether the comparison is the one that was added at the end of the text."""
    right = formula.right
    return formula.op == "=" and isinstance(right, Number) and right.span.end == len(source.text)


def _indicator(outcome: Verdict | Relation, budget: Budget) -> Dfa:
    """Return the automaton with output 1 where a condition holds, and 0 elsewhere."""
    if isinstance(outcome, Relation):
        return completed(outcome.automaton, 0, budget)
    return constant((), int(outcome.truth))


def _replaced(machine: Dfa, letters: Mapping[int, int] | None, budget: Budget) -> Dfa:
    """Return the automaton with outputs replaced as in `letters`; None: each by its opposite number."""

    def new(old: int, _: int) -> int:
        if letters is None:
            return old if old == _UNDEFINED else -old
        return letters.get(old, old)

    order = machine.names
    return kernels.reorder(paired(machine, constant((), 0), new, budget), order, budget)


def _check_defined(machine: Dfa, environment: Environment, text: str, budget: Budget) -> None:
    """Raise NotSupported, with the first such index, if the word has no value at some index."""
    tracks: tuple[Track, ...] = machine.tracks
    undefined = _replaced(machine, {letter: int(letter == _UNDEFINED) for letter in machine.outputs}, budget)
    relation = Relation(operations.empty(tracks), environment.system)
    found = kernels.join(relation.valid(budget), undefined, budget)
    first = Relation(kernels.minimize(kernels.reorder(found, machine.names, budget), budget), environment.system)
    values = first.least()
    if values is not None:
        at = ", ".join(f"{track.name} = {value}" for track, value in zip(tracks, values, strict=True))
        raise NotSupported(
            f"the term has no value at {at}", text, 0, len(text), hint="give it one there, as in TERM if FORMULA else 0"
        )


def _found(text: str, name: str) -> tuple[int, int]:
    place = re.search(rf"\b{re.escape(name)}\b", text)
    return place.span() if place else (0, len(text))


def _shown(whole: str, at: int, part: str, action: Callable[[], T], before: int = 0) -> T:
    """Return the value of an action on a part of the text; its errors are shown in the whole text.

    before: how many characters the action has put in front of the part.
    """
    try:
        return action()
    except TextError as problem:
        if part.strip() not in problem.text:
            raise
        start, end = (min(max(place - before, 0), len(part)) for place in (problem.start, problem.end))
        raise type(problem)(problem.message, whole, at + start, at + end, hint=problem.hint) from None


# -- the numeration systems of the indices ---------------------------------------------------

class Part(NamedTuple):
    """A term or a condition, and its place in the whole text."""

    text: str
    at: int
    condition: bool


def systems_of(parts: Sequence[Part], environment: Environment, whole: str) -> dict[str, str]:
    """Return the numeration system of every index that is a number, by the name of the index.

    Raise TypeMismatch at a part that contradicts others. The result is empty if a part is not a term or a formula; the
    evaluation of the part then raises the error.
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
    """Return the suffix of a formula in brackets that fixes the systems of its variables."""
    return "".join(f" & (?{systems[name]} {name}={name})" for name in sorted(set(names)) if name in systems)


def pinned_condition(condition: str, systems: Mapping[str, str], environment: Environment) -> str:
    """Return the condition with the systems of its variables fixed."""
    try:
        formula = parse_formula(expand_macros(condition, environment.macros)).formula
    except TextError:
        return condition
    suffix = pinned((variable.name for variable in free_occurrences(formula)), systems)
    return f"({condition}){suffix}" if suffix else condition
