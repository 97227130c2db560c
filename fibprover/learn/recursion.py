"""Recursions: formulas that say when a relation holds in terms of the same relation, and measures that go down.

Several relations may call each other.  What is proved of a recursion is in `fibprover.learn.induction`.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fibprover.automata import operations
from fibprover.base.errors import ArityMismatch, NotSupported, SyntaxProblem, TextError, TypeMismatch
from fibprover.base.names import is_family
from fibprover.language.builder import call
from fibprover.language.parser import read, term_within
from fibprover.language.source import Occurrence, Source, free_occurrences, source_of
from fibprover.language.tree import (
    Arithmetic,
    Call,
    Formula,
    Node,
    Number,
    Reversed,
    SystemTerm,
    Term,
    Variable,
    all_names,
    conjunction,
    has_calls,
    map_children,
    substituted,
    term,
    unused,
)
from fibprover.prover.bind import bind, operand_occurrences
from fibprover.prover.environment import Definition, Environment, Sort


@dataclass(frozen=True, slots=True)
class Equation:
    """One relation of a recursion: its name, the formula that says when it holds, its parameters in order."""

    name: str
    source: Source
    parameters: tuple[str, ...]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The parameters as terms."""
        return tuple(map(Variable, self.parameters))

    @property
    def here(self) -> Call:
        """The call of the relation at its parameters."""
        return call(self.name, *self.variables)


@dataclass(frozen=True, slots=True)
class Measure:
    """A linear term with natural coefficients: that of each parameter, and the text as the user writes it."""

    text: str
    coefficients: Mapping[str, int]

    def of(self, arguments: Sequence[Term]) -> Term:
        """Return the term at arguments, which are given in the order of the parameters."""
        total: Term | None = None
        for coefficient, argument in zip(self.coefficients.values(), arguments, strict=True):
            if coefficient:
                part = argument if coefficient == 1 else Number(coefficient) * argument
                total = part if total is None else total + part
        return Number(0) if total is None else total

    def value(self, numbers: Sequence[int]) -> int:
        """Return the value at numbers, which are given in the order of the parameters."""
        return sum(c * number for c, number in zip(self.coefficients.values(), numbers, strict=True) if c)


@dataclass(frozen=True, slots=True)
class Recursion:
    """The relations that call each other, in order, and the sorts of their parameters."""

    equations: tuple[Equation, ...]
    sorts: Mapping[str, tuple[Sort, ...]]

    def equation(self, name: str) -> Equation:
        """Return the equation of a relation."""
        return next(each for each in self.equations if each.name == name)

    def environment(self, around: Environment, candidates: Mapping[str, Definition] | None = None) -> Environment:
        """Return the environment of formulas that call the relations: the candidates, or relations of these sorts."""
        own = candidates or {each.name: placeholder(each, self.sorts[each.name], around) for each in self.equations}
        # The predicates of words are made when they are looked up.
        return replace(around, definitions=ChainMap(own, around.definitions))  # type: ignore[arg-type]  # only read

    def may_repeat(self, caller: str, called: str) -> bool:
        """Return whether a call need not go down, but may have the same measure: that of an earlier relation."""
        names = [each.name for each in self.equations]
        return names.index(called) < names.index(caller)


def read_recursion(formulas: Mapping[str, str | Formula], environment: Environment) -> Recursion:
    """Return the recursion with these formulas by the names of the relations.  Raises TextErrors with the place."""
    equations = tuple(_equation(name, text, environment) for name, text in formulas.items())
    for each in equations:
        _check_calls(each, equations)
    try:
        sorts = _sorts(equations, environment)
    except TextError as problem:
        _raise_in_place(problem, equations, environment)
        raise
    recursion = Recursion(equations, sorts)
    for each in equations:
        bind(each.source, recursion.environment(environment))
        _check_sorts(each, sorts[each.name], environment)
    return recursion


def _equation(name: str, formula: str | Formula, environment: Environment) -> Equation:
    source = read(formula, environment.macros)
    parameters = source.formula.free
    if not parameters:
        raise NotSupported(
            f"{name} has no parameters: no variable is free in its formula", source.text, 0, len(source.text),
            hint="eval decides a formula without free variables",
        )
    return Equation(name, source, parameters)


def _check_calls(equation: Equation, equations: Sequence[Equation]) -> None:
    """Raise a TextError for a call of one of the relations that is malformed, or that a recursion cannot have."""
    text = equation.source.text
    known = {each.name: each.parameters for each in equations}
    for at in equation.source.root.all():
        node = at.node
        if isinstance(node, Reversed) and has_calls(node, known):
            raise NotSupported(
                "a reversal ` cannot hold a recursive call", text, at.span.start, at.span.end,
                hint="define the reversed part by def, or write the recursion without it",
            )
        if not isinstance(node, Call) or node.name not in known:
            continue
        parameters = known[node.name]
        if len(node.arguments) != len(parameters):
            raise ArityMismatch(
                f"${node.name} has the parameters {', '.join(parameters)}, and {len(node.arguments)} arguments here",
                text, at.span.start, at.span.end,
            )
        for argument in at.below:
            if has_calls(argument.node, known):
                raise NotSupported(
                    "an argument of a recursive call cannot hold a recursive call", text, argument.span.start,
                    argument.span.end, hint="name its value by a variable: Ey ... & $" + node.name,
                )
            if not isinstance(argument.node, Variable | Number | Arithmetic):
                raise NotSupported(
                    "an argument of a recursive call is a number without a numeration system of its own", text,
                    argument.span.start, argument.span.end, hint="name it by a variable: Ey y=... & $" + node.name,
                )


# -- the sorts of the parameters -------------------------------------------------------------


def placeholder(equation: Equation, sorts: Sequence[Sort], environment: Environment) -> Definition:
    """Return the relation that all tuples of parameters of these sorts have, under the name of the equation."""
    words = [
        environment.system(sort.system).values(name) for name, sort in zip(equation.parameters, sorts, strict=True)
    ]
    if any(is_family(sort.system) for sort in sorts):
        return Definition(equation.name, operations.cylinder(operations.true(), words))
    tracks = tuple(sort.track(name) for name, sort in zip(equation.parameters, sorts, strict=True))
    return Definition(equation.name, operations.cartesian_product(words).with_tracks(tracks))


def _sorts(equations: Sequence[Equation], environment: Environment) -> dict[str, tuple[Sort, ...]]:
    """Return the sorts of all parameters.

    They are those of one formula that holds all formulas, where each relation has parameters of its own, and each call
    has the equations of its arguments with the parameters in its place.
    """
    used = set[str]().union(*(all_names(each.source.formula) for each in equations))
    own: dict[str, dict[str, Variable]] = {}
    for each in equations:
        own[each.name] = {name: Variable(unused(f"{name}_", used)) for name in each.parameters}
        used.update(variable.name for variable in own[each.name].values())

    def without_calls(node: Node) -> Node:
        if isinstance(node, Call) and node.name in own:
            pairs = zip(node.arguments, own[node.name].values(), strict=True)
            return conjunction([term(without_calls(argument)).eq(target) for argument, target in pairs])
        return map_children(node, without_calls)

    parts = []
    for each in equations:
        formula = without_calls(substituted(each.source.formula, own[each.name]))
        assert isinstance(formula, Formula)
        parts.append(formula)
    bound = bind(source_of(conjunction(parts)), environment)
    return {each.name: tuple(bound.sorts[variable.name] for variable in own[each.name].values()) for each in equations}


def _raise_in_place(problem: TextError, equations: Sequence[Equation], environment: Environment) -> None:
    """Raise an error of this type, that a formula has by itself, with the place in its own text."""
    usual = environment.sort(environment.default_system)
    recursion = Recursion(tuple(equations), {each.name: (usual,) * len(each.parameters) for each in equations})
    around = recursion.environment(environment)
    for each in equations:
        try:
            bind(each.source, around)
        except TextError as own:
            if type(own) is type(problem):
                raise own from None


def _check_sorts(equation: Equation, sorts: Sequence[Sort], environment: Environment) -> None:
    for name, sort in zip(equation.parameters, sorts, strict=True):
        if not sort.system or environment.system(sort.system).signed:
            what = "a number that may be negative" if sort.system else "a word over a plain alphabet"
            place = next(at.span for at in free_occurrences(equation.source.root) if at.node == Variable(name))
            raise TypeMismatch(
                f"{name} is {what}, but the parameters of a recursion must be natural numbers", equation.source.text,
                place.start, place.end,
            )


# -- measures --------------------------------------------------------------------------------


def read_measure(by: str | Term, equation: Equation) -> Measure:
    """Return the measure that a text or a term is.  Raises TextErrors with the place."""
    return measure_in(by, equation.parameters, equation.name)


def measure_in(by: str | Term, parameters: Sequence[str], name: str) -> Measure:
    """Return the measure that a text or a term in these parameters of something is.  Raises TextErrors."""
    if isinstance(by, str):
        text, at = by, term_within(by, 0, len(by)) if by.strip() else None
    else:
        source = source_of(by)
        text, at = source.text, source.root
    if at is None or isinstance(at.node, SystemTerm):
        raise SyntaxProblem(
            "a measure is a linear term in the parameters", text, 0, len(text), hint=f"such as {parameters[0]}"
        )
    coefficients = _coefficients(at, text)
    for operand in operand_occurrences(at):
        if isinstance(operand.node, Variable) and operand.node.name not in parameters:
            raise NotSupported(
                f"{operand.node.name} is not a parameter of {name}", text, operand.span.start,
                operand.span.end, hint=f"its parameters are {', '.join(parameters)}",
            )
    return Measure(text.strip(), {each: coefficients.get(each, 0) for each in parameters})


def _coefficients(at: Occurrence, text: str) -> dict[str, int]:
    """Return the coefficients of a sum of multiples of variables; constants are left out, as both sides have them."""
    match at.node:
        case Variable(name=name):
            return {name: 1}
        case Number():
            return {}
        case Arithmetic(op="+"):
            left, right = (_coefficients(part, text) for part in at.below)
            return {name: left.get(name, 0) + right.get(name, 0) for name in [*left, *right]}
        case Arithmetic(op="*", left=Number(value=by)):
            return {name: by * c for name, c in _coefficients(at.below[1], text).items()}
        case Arithmetic(op="*", right=Number(value=by)):
            return {name: by * c for name, c in _coefficients(at.below[0], text).items()}
    raise NotSupported(
        "a measure is a sum of parameters and of multiples of them, so that it is never negative", text,
        at.span.start, at.span.end, hint="such as p+q or 2*p+q",
    )


def default_measures(recursion: Recursion) -> list[dict[str, Measure]]:
    """Return the measures to try in turn: each parameter that all relations have, then the sum of these."""
    first, *others = recursion.equations
    common = [name for name in first.parameters if all(name in each.parameters for each in others)]
    texts = common if len(common) == 1 else [*common, "+".join(common)]
    return [{each.name: read_measure(text, each) for each in recursion.equations} for text in texts if text]
