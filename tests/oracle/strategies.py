"""Hypothesis strategies for formulas: small trees, and their text as a user would type it.

At most three variables, four connectives deep, coefficients -5..5, constants 0..20, division by
1..4, words and predicates of definitions.py.  Every choice puts the simplest first, so that
failures shrink to a short formula.  The tree is generated and the text rendered from it; what
the parser makes of the text can then be compared with the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Not,
    Number,
    Quantified,
    SystemTerm,
    Term,
    Variable,
    WordValue,
)
from tests.oracle.brute import World, free_variables
from tests.oracle.definitions import SYSTEMS, WORDS, predicates_of, words_of
from tests.oracle.render import render

#: Code-unit order (Z before a) is not the alphabet's.
NAMES = ("a", "Z", "b")
#: For the second part of a formula over two systems.
OTHER_NAMES = ("u", "Y", "t1")
#: Largest value of a guarded variable.
GUARD = 12
#: How deep connectives nest; one is drawn for each formula.
DEPTHS = (1, 2, 3, 3, 4)
#: Bounds of guards: all of 0..GUARD, but not uniformly, since small ones decide little.
BOUNDS = (5, 8, 12, 3, *range(GUARD + 1))
#: Coefficients; with the signs below they cover -5..5.
FACTORS = (2, 3, 1, 5, 4, 0)
#: Fewer differences than sums: most are undefined, and their atoms then simply false.
SIGNS = "+++-"
COMPARISON_SIGNS = ("=", "<", "<=", ">", ">=", "!=")
CONNECTIVE_SIGNS = ("&", "|", "=>", "<=>", "^")


@dataclass(frozen=True)
class Case:
    """A generated formula. free: its free variables in code-unit order."""

    system: str
    formula: Formula
    text: str
    free: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Case({self.system}: {self.text})"


@dataclass(frozen=True)
class Style:
    """The constructs that may occur. guarded: quantified variables are bounded by GUARD, and `I` does not occur."""

    system: str
    guarded: bool = True
    counting: bool = False
    calls: bool = True


def world_of(system: str, bound: int = GUARD) -> World:
    """Words and predicates of a system for brute force; no system: the words of all, no predicates."""
    if not system:
        return World({word.name: word.letter for word in WORDS}, {}, bound)
    return World(
        words={name: word.letter for name, word in words_of(system).items()},
        predicates={name: predicate.truth for name, predicate in predicates_of(system).items()},
        bound=bound,
    )


@st.composite
def cases(draw: DrawFn, *, guarded: bool = True, counting: bool = False, systems: tuple[str, ...] = SYSTEMS) -> Case:
    """Formulas with 0 to 3 free variables over one of the systems."""
    style = Style(draw(st.sampled_from(systems)), guarded, counting)
    scopes = [scope for size in (2, 3, 1, 2, 3, 0) for scope in combinations(NAMES, size)]
    formula = draw(formulas(style, draw(st.sampled_from(scopes)), draw(st.sampled_from(DEPTHS))))
    if draw(st.integers(0, 5)) == 5:
        formula = InSystem(style.system, formula)
    text = render(formula, full=draw(st.booleans()))
    return Case(style.system, formula, text, tuple(sorted(free_variables(formula))))


@st.composite
def mixed_cases(draw: DrawFn) -> Case:
    """Guarded formulas of two parts over different systems, joined by connectives and quantifiers.

    A variable belongs to one part; calls are left out, since predicates of one name differ.
    """
    first, second = draw(st.sampled_from(list(permutations(SYSTEMS, 2))))
    parts: list[Formula] = []
    for system, names in ((first, NAMES), (second, OTHER_NAMES)):
        scope = NAMES[: draw(st.integers(1, 2))]
        part = draw(formulas(Style(system, calls=False), scope, draw(st.integers(0, 2))))
        renamed = with_names(part, dict(zip(NAMES, names, strict=True)))
        assert isinstance(renamed, Formula)
        parts.append(InSystem(system, renamed))
    formula: Formula = Binary(draw(st.sampled_from(CONNECTIVE_SIGNS)), parts[0], parts[1])
    for name in draw(st.lists(st.sampled_from(sorted(free_variables(formula)) or ["a"]), max_size=2, unique=True)):
        kind = draw(st.sampled_from("EA"))
        system = first if name in NAMES else second
        guarded = InSystem(system, draw(guards(name)))
        formula = Quantified(
            kind, _variables((name,)), Binary("&" if kind == "E" else "=>", guarded, formula)
        )
    if draw(st.booleans()):
        formula = Not(formula)
    text = render(formula, full=draw(st.booleans()))
    return Case("", formula, text, tuple(sorted(free_variables(formula))))


def with_names(node: Any, names: Mapping[str, str]) -> Any:
    """A tree with its variables renamed."""
    if isinstance(node, Variable):
        return Variable(names[node.name])
    if isinstance(node, tuple):
        return tuple(with_names(part, names) for part in node)
    parts: tuple[str, ...] = getattr(node, "__match_args__", ())
    return type(node)(*(with_names(getattr(node, part), names) for part in parts)) if parts else node


@st.composite
def formulas(draw: DrawFn, style: Style, scope: tuple[str, ...], depth: int) -> Formula:
    """Formulas whose free variables are among `scope`, at most `depth` connectives deep."""
    if depth <= 0:
        return draw(atoms(style, scope))
    kinds = ["atom", "not", *["binary"] * 5, *["quantified"] * 5, "system"]
    match draw(st.sampled_from(kinds if scope else ["quantified"])):
        case "not":
            return Not(draw(formulas(style, scope, depth - 1)))
        case "binary":
            left = draw(formulas(style, scope, depth - 1))
            right = draw(formulas(style, scope, draw(st.integers(0, depth - 1))))
            return Binary(draw(st.sampled_from(CONNECTIVE_SIGNS)), left, right)
        case "quantified":
            return draw(guarded_quantifiers(style, scope, depth) if style.guarded else quantifiers(style, scope, depth))
        case "system":
            return InSystem(style.system, draw(formulas(style, scope, depth - 1)))
        case _:
            return draw(atoms(style, scope))


@st.composite
def bound_names(draw: DrawFn, scope: tuple[str, ...]) -> tuple[str, ...]:
    """One or two names to quantify; new ones first, but a name in scope may be bound again."""
    fresh = [name for name in NAMES if name not in scope] or list(NAMES)
    if draw(st.integers(0, 9)) == 9:
        fresh = list(NAMES)
    names = draw(st.lists(st.sampled_from(fresh), min_size=1, max_size=2, unique=True))
    return tuple(names)


@st.composite
def guarded_quantifiers(draw: DrawFn, style: Style, scope: tuple[str, ...], depth: int) -> Formula:
    """`Ex (x<=B & ...)` and `Ax (x<=B => ...)`: numbers above GUARD never matter."""
    names = draw(bound_names(scope))
    kind = draw(st.sampled_from(("E", "A")))
    body = draw(formulas(style, tuple(dict.fromkeys((*scope, *names))), depth - 1))
    for name in reversed(names):
        guard = draw(guards(name))
        body = Binary("&" if kind == "E" else "=>", guard, body)
    relation, count = draw(counts()) if style.counting and kind == "E" else ("", 0)
    return Quantified(kind, _variables(names), body, relation, count)


@st.composite
def counts(draw: DrawFn) -> tuple[str, int]:
    """What may follow E: nothing, or `>=2` and the like."""
    relation = draw(st.sampled_from(("", ">=", "<=", "=")))
    return relation, draw(st.integers(0, 4)) if relation else 0


@st.composite
def guards(draw: DrawFn, name: str) -> Formula:
    """`x<=B`, `x<B+1` or `B>=x` with B <= GUARD."""
    bound = draw(st.sampled_from(BOUNDS))
    variable = Variable(name)
    match draw(st.integers(0, 5)):
        case 4:
            return Compare("<", variable, _number(bound + 1))
        case 5:
            return Compare(">=", _number(bound), variable)
        case _:
            return Compare("<=", variable, _number(bound))


@st.composite
def quantifiers(draw: DrawFn, style: Style, scope: tuple[str, ...], depth: int) -> Formula:
    """Quantifiers without a bound; every bound name occurs, since one that does not is an error."""
    names = draw(bound_names(scope))
    inner = tuple(dict.fromkeys((*scope, *names)))
    body = draw(formulas(style, inner, depth - 1))
    for name in names:
        if name not in free_variables(body):
            occurrence = Compare(
                draw(st.sampled_from(COMPARISON_SIGNS)), Variable(name), draw(sums(style, inner, 0))
            )
            body = Binary(draw(st.sampled_from(("&", "=>", "|"))), occurrence, body)
    kind = draw(st.sampled_from(("E", "A", "E", "A", "I")))
    relation, count = draw(counts()) if style.counting and kind == "E" else ("", 0)
    return Quantified(kind, _variables(names), body, relation, count)


@st.composite
def atoms(draw: DrawFn, style: Style, scope: tuple[str, ...]) -> Formula:
    """Comparisons of numbers, of words and of both; calls."""
    words = words_of(style.system)
    match draw(st.sampled_from(("numbers", "numbers", "letters", "constant", "arithmetic", "call", "call"))):
        case "letters":
            left, right = draw(letters(style, scope)), draw(letters(style, scope))
            return Compare(draw(st.sampled_from(COMPARISON_SIGNS)), left, right)
        case "constant":
            left = draw(letters(style, scope))
            assert isinstance(left, WordValue)
            value = draw(st.sampled_from((*sorted(set(words[left.word].outputs)), 3)))
            plain = value >= 0 and draw(st.booleans())
            sides: list[Term] = [left, _number(value) if plain else Letter(value)]
            if draw(st.integers(0, 3)) == 3:
                sides.reverse()
            return Compare(draw(st.sampled_from(COMPARISON_SIGNS)), sides[0], sides[1])
        case "arithmetic":
            sides = [draw(word_sums(style, scope)), draw(sums(style, scope, 0))]
            if draw(st.integers(0, 3)) == 3:
                sides.reverse()
            return Compare(draw(st.sampled_from(COMPARISON_SIGNS)), sides[0], sides[1])
        case "call" if style.calls:
            return draw(calls(style, scope))
        case _:
            left, right = draw(sums(style, scope, 1)), draw(sums(style, scope, 1))
            return Compare(draw(st.sampled_from(COMPARISON_SIGNS)), left, right)


@st.composite
def calls(draw: DrawFn, style: Style, scope: tuple[str, ...]) -> Formula:
    """`$p(t, ...)`; now and then an argument is a condition on one variable."""
    predicate = draw(st.sampled_from(list(predicates_of(style.system).values())))
    arguments: list[Term | SystemTerm | Formula] = []
    for _ in range(predicate.arity):
        choice = draw(st.integers(0, 19))
        if choice == 19 and scope:
            arguments.append(draw(conditions(scope)))
        elif choice == 18:
            arguments.append(SystemTerm(style.system, draw(sums(style, scope, 0))))
        else:
            arguments.append(draw(sums(style, scope, int(choice > 12))))
    return Call(predicate.name, tuple(arguments))


@st.composite
def conditions(draw: DrawFn, scope: tuple[str, ...]) -> Formula:
    """`x>=A & x<B`, as an argument in place of a term."""
    variable = Variable(draw(st.sampled_from(scope)))
    low = Compare(">=", variable, _number(draw(st.integers(0, 6))))
    high = Compare("<", variable, _number(draw(st.integers(0, 12))))
    return Binary("&", low, high)


@st.composite
def letters(draw: DrawFn, style: Style, scope: tuple[str, ...]) -> Term:
    """`W[t]`; now and then the index is a condition on one variable."""
    name = draw(st.sampled_from(list(words_of(style.system))))
    if scope and draw(st.integers(0, 15)) == 15:
        return WordValue(name, (draw(conditions(scope)),))
    return WordValue(name, (draw(sums(style, scope, draw(st.integers(0, 1)))),))


@st.composite
def word_sums(draw: DrawFn, style: Style, scope: tuple[str, ...]) -> Term:
    """A letter combined with another or a number; only words over naturals."""
    natural = [name for name, word in words_of(style.system).items() if min(word.outputs) >= 0]

    def letter() -> Term:
        term: Term = WordValue(draw(st.sampled_from(natural)), (draw(sums(style, scope, 0)),))
        factor = draw(st.integers(1, 3))
        return term if factor == 1 else Arithmetic("*", _number(factor), term)

    first = letter()
    match draw(st.integers(0, 5)):
        case 5:
            return Arithmetic("*", first, draw(sums(style, scope, 0)))
        case 4:
            return Arithmetic("/", first, _number(draw(st.integers(1, 4))))
        case 0:
            return Arithmetic("+", first, letter())
        case 1:
            return Arithmetic("+", first, draw(sums(style, scope, 0)))
        case 2:
            return Arithmetic("-", draw(sums(style, scope, 0)), first)
        case _:
            return Arithmetic("-", first, letter())


@st.composite
def sums(draw: DrawFn, style: Style, scope: tuple[str, ...], depth: int) -> Term:
    """Linear terms: one to three items joined by + and -; depth: how far items may be compound."""
    total: Term = draw(items(style, scope, depth))
    for _ in range(draw(st.sampled_from((0, 0, 1, 1, 2)))):
        operation = draw(st.sampled_from(SIGNS))
        total = Arithmetic(operation, total, draw(items(style, scope, depth)))
    return total


@st.composite
def items(draw: DrawFn, style: Style, scope: tuple[str, ...], depth: int) -> Term:
    """A variable, a number, a multiple of a variable, a quotient or a sum in parentheses."""
    kinds = ["variable", "variable", "number", "multiple", "multiple"] if scope else ["number"]
    if depth > 0:
        kinds += ["quotient", "sum", "multiple of sum"]
    match draw(st.sampled_from(kinds)):
        case "variable":
            return Variable(draw(st.sampled_from(scope)))
        case "multiple":
            factors: list[Term] = [
                _number(draw(st.sampled_from(FACTORS))),
                Variable(draw(st.sampled_from(scope))),
            ]
            if draw(st.integers(0, 3)) == 3:
                factors.reverse()
            return Arithmetic("*", factors[0], factors[1])
        case "quotient":
            divided = draw(sums(style, scope, depth - 1))
            return Arithmetic("/", divided, _number(draw(st.integers(1, 4))))
        case "sum":
            return draw(sums(style, scope, depth - 1))
        case "multiple of sum":
            return Arithmetic("*", _number(draw(st.integers(1, 3))), draw(sums(style, scope, depth - 1)))
        case _:
            return _number(draw(st.one_of(st.integers(0, 5), st.integers(0, 20))))


def _number(value: int) -> Number:
    return Number(value)


def _variables(names: tuple[str, ...]) -> tuple[Variable, ...]:
    return tuple(Variable(name) for name in names)


def rendered_again(case: Case, *, full: bool) -> Case:
    """The same formula with other parentheses."""
    return replace(case, text=render(case.formula, full=full))
