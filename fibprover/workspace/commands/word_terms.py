"""`word X[n] = T[2*n+3] + RS[3*n+4] if n>5 else 0;`: words whose letters are computed from letters of other words.

A term becomes an automaton with the value as its output: the letter of a word at an index comes from the prover, one
relation for each letter, and operations are products of automata. The numeration systems of the indices are inferred
from all cases of the term together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import LARGEST_OUTPUT, Dfa, Track
from fibprover.automata.outputs import combined, completed, constant, paired
from fibprover.base.errors import LimitError, NotSupported, SyntaxProblem, UnknownName, check_text
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.names import PARAMETER
from fibprover.language.macros import expand_macros
from fibprover.language.parser import formula_within, term_within
from fibprover.language.source import Occurrence, Source, free_occurrences, joined, numbered
from fibprover.language.tokens import formula_tokens
from fibprover.language.tree import (
    Arithmetic,
    Compare,
    InSystem,
    Letter,
    Negative,
    Number,
    SystemTerm,
    Term,
    Variable,
    WordValue,
)
from fibprover.prover.bind import bind
from fibprover.prover.environment import Environment
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict

#: The output for an index where a term has no value, or where the next case applies.
_UNDEFINED, _OTHERWISE = -LARGEST_OUTPUT, -LARGEST_OUTPUT + 1


class Evaluator(Protocol):
    """Decides formulas, such as `Session.eval`."""

    def __call__(self, formula: Source, *, systems: Mapping[str, str]) -> Verdict | Relation:
        """Decide a formula; systems: numeration systems of free variables by name."""


def word_by_term(
    indices: Sequence[str], text: str, environment: Environment, evaluate: Evaluator, budget: Budget = UNLIMITED
) -> Dfa:
    """Return the automaton of the word whose letter at the indices is the value of a term.

    text: a term of letters of words, numbers and + - * / (which rounds down), possibly as `TERM if FORMULA
    else TERM`.  evaluate: decides a formula.  Raise a TextError with the place in the text (after the expansion of
    macros), and NotSupported, with an example, if the term has no value at some index.
    """
    check_text(text, "a term", hint='such as "1-T[n]"; infer_word takes values')
    text = expand_macros(text, environment.macros)
    cases = _cases(text)
    _check_indices(cases, indices, text)
    systems = _systems(cases, environment, text)
    machine = constant((), _OTHERWISE)
    for case in cases:
        with_value = _Terms(text, case.system, environment, systems, evaluate, budget).of(case.term)
        if case.condition is not None:
            holds = _indicator(evaluate(Source(text, numbered(case.condition)), systems=systems), budget)
            with_value = paired(holds, with_value, lambda holds, value: value if holds else _OTHERWISE, budget)
        machine = paired(machine, with_value, lambda old, new: new if old == _OTHERWISE else old, budget)
    system = environment.system(environment.default_system)
    for name in indices:
        if name not in machine.names:
            free = constant((system.track(name),), 0)
            machine = paired(machine, free, lambda old, _: old, budget)
    slope = [name for name in machine.names if name == PARAMETER]
    machine = kernel_calls.reorder(machine, [*indices, *slope], budget)
    _check_defined(machine, environment, text, budget)
    return _replaced(machine, {_UNDEFINED: 0}, budget)


# -- the cases -------------------------------------------------------------------------------


class _Case(NamedTuple):
    """`TERM if CONDITION`; no condition in the last case; system: the one that a `?` before the term names, or ""."""

    term: Occurrence
    system: str
    condition: Occurrence | None

    def formulas(self) -> list[Occurrence]:
        """Return the formulas that are about the indices: the condition, and the term compared with a number."""
        about = _compared(self.system, self.term, Number(0))
        return [about] if self.condition is None else [about, self.condition]


def _cases(text: str) -> list[_Case]:
    """Return the cases of a text; spans are places in it.  Raise a TextError for anything else."""
    keywords = [token for token in formula_tokens(text) if token.type == "NAME" and token in ("if", "else")]
    for number, keyword in enumerate(keywords):
        if keyword != ("if", "else")[number % 2]:
            raise SyntaxProblem(
                f"`{keyword}` is not expected here", text, keyword.start, keyword.end,
                hint="write TERM if FORMULA else TERM",
            )
    if len(keywords) % 2:
        raise SyntaxProblem("the case that is left has no value", text, len(text), hint="add else TERM at the end")
    starts = [0, *(keyword.end for keyword in keywords)]
    ends = [*(keyword.start for keyword in keywords), len(text)]
    places = list(zip(starts, ends, strict=True))
    cases: list[_Case] = []
    for number in range(0, len(places), 2):
        written = term_within(text, *places[number])
        condition = formula_within(text, *places[number + 1]) if number + 1 < len(places) else None
        if isinstance(written.node, SystemTerm):
            cases.append(_Case(written.below[0], written.node.system, condition))
        else:
            cases.append(_Case(written, "", condition))
    return cases


def _check_indices(cases: Sequence[_Case], indices: Sequence[str], text: str) -> None:
    """Raise UnknownName at the first free variable that is not an index."""
    for case in cases:
        for formula in case.formulas():
            for at in free_occurrences(formula):
                if isinstance(at.node, Variable) and at.node.name not in indices:
                    raise UnknownName(
                        f"{at.node.name} is not an index of the word", text, at.span.start, at.span.end,
                        hint=f"its indices are {', '.join(indices)}",
                    )


def _systems(cases: Sequence[_Case], environment: Environment, text: str) -> dict[str, str]:
    """Return the numeration system of every index that is a number, which all cases together decide.

    Raise a TextError where a case contradicts an earlier one.
    """
    together = _conjunction([formula for case in cases for formula in case.formulas()])
    binding = bind(Source(text, numbered(together)), environment)
    return {name: binding.sorts[name].system for name in binding.free if binding.sorts[name].system}


def _conjunction(formulas: Sequence[Occurrence]) -> Occurrence:
    """Return the conjunction as a tree of least depth: there may be more cases than levels that recursion allows."""
    if len(formulas) == 1:
        return formulas[0]
    middle = len(formulas) // 2
    left, right = _conjunction(formulas[:middle]), _conjunction(formulas[middle:])
    return joined("&", left, right)


def _compared(system: str, term: Occurrence, constant: Number | Letter) -> Occurrence:
    """Return the formula that a term equals a constant, at the place of the term, in a numeration system."""
    assert isinstance(term.node, Term)
    equation = Compare("=", term.node, constant)
    at = Occurrence(equation, term.span, (), (term, Occurrence(constant, term.span)))
    return Occurrence(InSystem(system, equation), term.span, (), (at,)) if system else at


# -- the automata of terms -------------------------------------------------------------------


class _Terms:
    """The automata of a term and of its parts; text: what their spans are places in."""

    def __init__(
        self, text: str, system: str, environment: Environment, systems: Mapping[str, str], evaluate: Evaluator,
        budget: Budget,
    ) -> None:
        self.text = text
        self.system = system
        self.environment = environment
        self.systems = systems
        self.evaluate = evaluate
        self.budget = budget

    def of(self, at: Occurrence) -> Dfa:
        """Return the automaton of a term."""
        match at.node:
            case Number(value=number) | Letter(value=number):
                self.check(number, at)
                return constant((), number)
            case Negative():
                return _replaced(self.of(at.below[0]), None, self.budget)
            case Arithmetic(op=op):
                left, right = map(self.of, at.below)
                operation = _OPERATIONS[op]

                def value(a: int, b: int) -> int:
                    if _UNDEFINED in (a, b):
                        return _UNDEFINED
                    result = operation(a, b)
                    if result != _UNDEFINED:
                        self.check(result, at)
                    return result

                return paired(left, right, value, self.budget)
            case WordValue(word=word):
                return self.letter(at, word)
        raise NotSupported(
            f"{self.written(at)} is a number, and a letter is needed", self.text, at.span.start, at.span.end,
            hint="letters are those of words, as in T[n], and constants",
        )

    def letter(self, at: Occurrence, word: str) -> Dfa:
        """Return the automaton of the letter of a word at an index, from one relation for each letter."""
        parts: list[tuple[Dfa, int]] = []
        for letter in self.environment.words[word].outputs:
            formula = Source(self.text, numbered(_compared(self.system, at, Letter(letter))))
            outcome = self.evaluate(formula, systems=self.systems)
            if isinstance(outcome, Relation):
                parts.append((outcome.automaton, letter))
            elif outcome.truth:
                return constant((), letter)
        return combined(parts, self.budget, otherwise=_UNDEFINED) if parts else constant((), _UNDEFINED)

    def check(self, value: int, at: Occurrence) -> None:
        if not -LARGEST_OUTPUT + 1 < value <= LARGEST_OUTPUT:
            raise LimitError(f"{value} is too large for a letter, as a value of {self.written(at)}")

    def written(self, at: Occurrence) -> str:
        return " ".join(self.text[at.span.start : at.span.end].split())


def _divided(a: int, b: int) -> int:
    return a // b if b else _UNDEFINED


#: The operations on letters.
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
}


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
    return kernel_calls.reorder(paired(machine, constant((), 0), new, budget), order, budget)


def _check_settled(machine: Dfa, environment: Environment, text: str, budget: Budget) -> None:
    """Raise NotSupported if some beginning of a slope that an index needs does not settle the letter there."""
    found = _replaced(machine, {letter: int(letter == _UNDEFINED) for letter in machine.outputs}, budget)
    for track in machine.tracks:
        if track.name != PARAMETER:
            found = kernel_calls.join(found, environment.system(track.system).values(track.name), budget)
    if not kernel_calls.is_empty(found):
        raise NotSupported(
            "the term has no value at some index and slope, or none that the partial quotients which the index needs"
            " would settle", text, 0, len(text),
            hint="define a predicate for each letter, or give it a value, as in TERM if FORMULA else 0",
        )


def _check_defined(machine: Dfa, environment: Environment, text: str, budget: Budget) -> None:
    """Raise NotSupported, with the first such index, if the word has no value at some index."""
    if PARAMETER in machine.names:
        _check_settled(machine, environment, text, budget)
        return
    tracks: tuple[Track, ...] = machine.tracks
    undefined = _replaced(machine, {letter: int(letter == _UNDEFINED) for letter in machine.outputs}, budget)
    relation = Relation(operations.empty(tracks), environment.system)
    found = kernel_calls.join(relation.valid(budget), undefined, budget)
    reordered = kernel_calls.reorder(found, machine.names, budget)
    first = Relation(kernel_calls.minimize(reordered, budget), environment.system)
    values = first.least()
    if values is not None:
        at = ", ".join(f"{track.name} = {value}" for track, value in zip(tracks, values, strict=True))
        raise NotSupported(
            f"the term has no value at {at}", text, 0, len(text), hint="give it one there, as in TERM if FORMULA else 0"
        )
