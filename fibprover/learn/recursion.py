"""Recursions: formulas that say when a relation holds in terms of the same relation, and the two copies for the proof.

Let R(x) <=> F(R)(x) be the recursion, C a candidate and m a measure, a linear term with natural values.  In the *lower*
copy of F each positive call of R at t is `$C(t) & m(t)<m(x)`, each negative one `$C(t) | m(t)>=m(x)`; the *upper* copy
is the other way round.  If C(x) => lower(x) and upper(x) => C(x) for all x, then C is the only relation that satisfies
the recursion.  For let R satisfy it and agree with C where m is less than m(x): F is monotone in positive calls and
antitone in negative ones, so lower(x) => F(R)(x) => upper(x), and R agrees with C at x, too.  And C satisfies it, as
the same holds for R = C.  Calls that do not go down are allowed as long as they do not matter.

Several relations may call each other.  A call of an earlier one may have the same measure.

Everything here is text for text, so that the copies are formulas that can be printed and decided by any prover.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fibprover.automata import operations
from fibprover.base.errors import ArityMismatch, NotSupported, SyntaxProblem, TextError, TypeMismatch
from fibprover.language.formula import (
    Arithmetic,
    Binary,
    Call,
    Formula,
    Not,
    Number,
    Quantified,
    Reversed,
    Source,
    Span,
    SystemTerm,
    Term,
    Variable,
    WordValue,
    children,
    nodes,
    parse,
    parse_formula,
    term_within,
)
from fibprover.prover.bind import bind, free_occurrences, operands
from fibprover.prover.environment import Definition, Environment, Sort


@dataclass(frozen=True, slots=True)
class Equation:
    """One relation of a recursion: its name, the formula that says when it holds, its parameters in order."""

    name: str
    source: Source
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A linear term with natural coefficients: that of each parameter, and the text as the user writes it."""

    text: str
    coefficients: Mapping[str, int]

    def of(self, arguments: Sequence[str]) -> str:
        """Return the term at arguments, which are given in the order of the parameters."""
        parts = []
        for coefficient, argument in zip(self.coefficients.values(), arguments, strict=True):
            if coefficient:
                simple = argument if argument.replace("_", "").isalnum() else f"({argument})"
                parts.append(simple if coefficient == 1 else f"{coefficient}*{simple}")
        return "+".join(parts)

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


def read_recursion(formulas: Mapping[str, str], environment: Environment) -> Recursion:
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


def _equation(name: str, text: str, environment: Environment) -> Equation:
    source = parse(text, environment.macros)
    parameters = tuple(sorted({variable.name for variable in free_occurrences(source.formula)}))
    if not parameters:
        raise NotSupported(
            f"{name} has no parameters: no variable is free in its formula", source.text, 0, len(source.text),
            hint="eval decides a formula without free variables",
        )
    return Equation(name, source, parameters)


def own_calls(node: Formula | Term | SystemTerm, names: Sequence[str]) -> Iterator[Call]:
    """Yield the calls of relations with these names in a formula."""
    for each in nodes(node):
        if isinstance(each, Call) and each.name in names:
            yield each


def _check_calls(equation: Equation, equations: Sequence[Equation]) -> None:
    """Raise a TextError for a call of one of the relations that is malformed, or that a recursion cannot have."""
    text = equation.source.text
    known = {each.name: each.parameters for each in equations}
    for call in own_calls(equation.source.formula, list(known)):
        parameters = known[call.name]
        if len(call.arguments) != len(parameters):
            raise ArityMismatch(
                f"${call.name} has the parameters {', '.join(parameters)}, and {len(call.arguments)} arguments here",
                text, call.span.start, call.span.end,
            )
        for argument in call.arguments:
            if not isinstance(argument, Variable | Number | Arithmetic):
                raise NotSupported(
                    "an argument of a recursive call is a number without a numeration system of its own", text,
                    argument.span.start, argument.span.end, hint="name it by a variable: Ey y=... & $" + call.name,
                )
    for node in nodes(equation.source.formula):
        if isinstance(node, Reversed) and any(own_calls(node, list(known))):
            raise NotSupported(
                "a reversal ` cannot hold a recursive call", text, node.span.start, node.span.end,
                hint="define the reversed part by def, or write the recursion without it",
            )


# -- the sorts of the parameters -------------------------------------------------------------


def placeholder(equation: Equation, sorts: Sequence[Sort], environment: Environment) -> Definition:
    """Return the relation that all tuples of parameters of these sorts have, under the name of the equation."""
    words = [
        environment.system(sort.system).valid.renamed([name])
        for name, sort in zip(equation.parameters, sorts, strict=True)
    ]
    tracks = tuple(sort.track(name) for name, sort in zip(equation.parameters, sorts, strict=True))
    return Definition(equation.name, operations.cartesian_product(words).with_tracks(tracks))


def _sorts(equations: Sequence[Equation], environment: Environment) -> dict[str, tuple[Sort, ...]]:
    """Return the sorts of all parameters.

    They are those of one formula that holds all formulas, where each relation has parameters of its own, and each call
    has the equations of its arguments with the parameters in its place.
    """
    own = {each.name: {name: f"{name}__{at}" for name in each.parameters} for at, each in enumerate(equations)}
    text = " & ".join(f"({_Copy(each, own=own).text()})" for each in equations)
    bound = bind(parse_formula(text), environment)
    return {each.name: tuple(bound.sorts[own[each.name][name]] for name in each.parameters) for each in equations}


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
            place = next(each.span for each in free_occurrences(equation.source.formula) if each.name == name)
            raise TypeMismatch(
                f"{name} is {what}, and the parameters of a recursion are natural numbers", equation.source.text,
                place.start, place.end,
            )


# -- measures --------------------------------------------------------------------------------


def read_measure(text: str, equation: Equation) -> Measure:
    """Return the measure that a text is.  Raises TextErrors with the place."""
    term = term_within(text, 0, len(text)) if text.strip() else None
    if term is None or isinstance(term, SystemTerm):
        raise SyntaxProblem(
            "a measure is a linear term in the parameters", text, 0, len(text), hint=f"such as {equation.parameters[0]}"
        )
    coefficients = _coefficients(term, text)
    for variable in operands(term):
        if isinstance(variable, Variable) and variable.name not in equation.parameters:
            raise NotSupported(
                f"{variable.name} is not a parameter of {equation.name}", text, variable.span.start, variable.span.end,
                hint=f"its parameters are {', '.join(equation.parameters)}",
            )
    return Measure(text.strip(), {name: coefficients.get(name, 0) for name in equation.parameters})


def _coefficients(term: Term, text: str) -> dict[str, int]:
    """Return the coefficients of a sum of multiples of variables; constants are left out, as both sides have them."""
    match term:
        case Variable():
            return {term.name: 1}
        case Number():
            return {}
        case Arithmetic(op="+"):
            left, right = _coefficients(term.left, text), _coefficients(term.right, text)
            return {name: left.get(name, 0) + right.get(name, 0) for name in [*left, *right]}
        case Arithmetic(op="*") if isinstance(term.left, Number) or isinstance(term.right, Number):
            by, of = (term.left, term.right) if isinstance(term.left, Number) else (term.right, term.left)
            return {name: by.value * c for name, c in _coefficients(of, text).items()} if isinstance(by, Number) else {}
    raise NotSupported(
        "a measure is a sum of parameters and of multiples of them, so that it is never negative", text,
        term.span.start, term.span.end, hint="such as p+q or 2*p+q",
    )


def default_measures(recursion: Recursion) -> list[dict[str, Measure]]:
    """Return the measures to try in turn: each parameter that all relations have, then the sum of these."""
    first, *others = recursion.equations
    common = [name for name in first.parameters if all(name in each.parameters for each in others)]
    texts = common if len(common) == 1 else [*common, "+".join(common)]
    return [{each.name: read_measure(text, each) for each in recursion.equations} for text in texts if text]


# -- the two copies --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Statement:
    """A closed formula of a proof, and the relation that it is about."""

    name: str
    text: str
    parameters: tuple[str, ...]
    #: The same without the quantifiers, and whether its left side is the candidate.
    left: str
    right: str


def statements(recursion: Recursion, measures: Mapping[str, Measure]) -> list[Statement]:
    """Return the closed formulas that prove a candidate, two for each relation; the candidates have their names."""
    found = []
    for each in recursion.equations:
        here = f"${each.name}({','.join(each.parameters)})"
        lower = _Copy(each, recursion, measures, lower=True).text()
        upper = _Copy(each, recursion, measures, lower=False).text()
        for left, right in ((here, f"({lower})"), (f"({upper})", here)):
            text = f"A{','.join(each.parameters)} {left} => {right}"
            found.append(Statement(each.name, text, each.parameters, left, right))
    return found


def fixpoint_statements(recursion: Recursion) -> list[str]:
    """Return the closed formulas that say that the candidates satisfy the recursion as it was written.

    They follow from `statements`, and are made from the text of the user alone: a mistake in a copy is found by them.
    """
    return [
        f"A{','.join(each.parameters)} ${each.name}({','.join(each.parameters)}) <=> ({each.source.text})"
        for each in recursion.equations
    ]


class _Copy:
    """Writes the formula of an equation with other text in place of the calls of its relations.

    With a recursion and measures: the lower or the upper copy.  With names of its own for the parameters of each
    relation: the equations of arguments and parameters, as `_sorts` needs them.
    """

    def __init__(
        self, equation: Equation, recursion: Recursion | None = None, measures: Mapping[str, Measure] | None = None,
        *, lower: bool = True, own: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.equation = equation
        self.recursion = recursion
        self.measures = measures or {}
        self.lower = lower
        self.own = own or {}
        self.names = [each.name for each in recursion.equations] if recursion else list(self.own)
        self.source = equation.source
        self.used = {node.name for node in nodes(self.source.formula) if isinstance(node, Variable)} | {
            variable.name for node in nodes(self.source.formula) if isinstance(node, Quantified)
            for variable in node.variables
        }

    def text(self) -> str:
        return self.write(self.source.formula, True, self.own.get(self.equation.name, {}))

    def write(self, node: Formula | Term | SystemTerm, positive: bool, renamed: Mapping[str, str]) -> str:
        """Return the text of a node; renamed: bound variables that would hide a parameter, and their new names."""
        own = any(own_calls(node, self.names))
        match node:
            case Variable():
                return renamed.get(node.name, node.name)
            case Call() if node.name in self.names:
                return self.call(node, positive, renamed)
            case Not():
                return self.spliced(node.span, [node.body], [not positive], renamed)
            case Binary(op="=>"):
                return self.spliced(node.span, [node.left, node.right], [not positive, positive], renamed)
            case Binary(op="<=>" | "^") if own:
                return self.both_ways(node, positive, renamed)
            case Quantified():
                return self.quantified(node, positive, renamed, own)
            case WordValue() | Call():
                parts = list(node.indices if isinstance(node, WordValue) else node.arguments)
                return self.spliced(node.span, parts, [positive] * len(parts), renamed)
            case _:
                parts = list(children(node))
                return self.spliced(node.span, parts, [positive] * len(parts), renamed)

    def spliced(
        self, span: Span, parts: Sequence[Formula | Term | SystemTerm], signs: Sequence[bool],
        renamed: Mapping[str, str], begin: int | None = None,
    ) -> str:
        """Return the text at a place with the parts written anew."""
        at = span.start if begin is None else begin
        written = []
        for part, sign in zip(parts, signs, strict=True):
            written += [self.source.text[at : part.span.start], self.write(part, sign, renamed)]
            at = part.span.end
        return "".join([*written, self.source.text[at : span.end]])

    def both_ways(self, node: Binary, positive: bool, renamed: Mapping[str, str]) -> str:
        """Return `<=>` and `^` in terms of connectives whose sides have one sign each."""
        (left, right), (no_left, no_right) = (
            [f"({self.write(side, sign, renamed)})" for side in (node.left, node.right)]
            for sign in (positive, not positive)
        )
        if node.op == "<=>":
            return f"(({no_left} => {right}) & ({no_right} => {left}))"
        return f"(({left} | {right}) & ~({no_left} & {no_right}))"

    def quantified(self, node: Quantified, positive: bool, renamed: Mapping[str, str], own: bool) -> str:
        inner = {name: new for name, new in renamed.items() if name not in {each.name for each in node.variables}}
        for variable in node.variables:
            if variable.name in self.equation.parameters:
                inner[variable.name] = self.unused(variable.name)
        names = ",".join(inner.get(each.name, each.name) for each in node.variables)

        def body(sign: bool) -> str:
            return self.write(node.body, sign, inner)

        if not node.relation:
            return f"{node.kind}{names} ({body(positive)})"
        if node.relation == ">=" or not own:
            return f"E{node.relation}{node.count} {names} ({body(positive)})"
        more = f"~E>={node.count + 1} {names} ({body(not positive)})"
        # A quantifier reaches to the end of its bracket, so the first count needs one of its own.
        return more if node.relation == "<=" else f"((E>={node.count} {names} ({body(positive)})) & {more})"

    def unused(self, name: str) -> str:
        while name in self.used:
            name += "_"
        self.used.add(name)
        return name

    def call(self, node: Call, positive: bool, renamed: Mapping[str, str]) -> str:
        arguments = [self.write(argument, True, renamed) for argument in node.arguments]
        if self.recursion is None:
            pairs = zip(arguments, self.own[node.name].values(), strict=True)
            return "(" + " & ".join(f"{argument}={target}" for argument, target in pairs) + ")"
        there = self.measures[node.name].of(arguments)
        here = self.measures[self.equation.name].of(self.equation.parameters)
        repeats = self.recursion.may_repeat(self.equation.name, node.name)
        candidate = f"${node.name}({','.join(arguments)})"
        if positive == self.lower:
            return f"({candidate} & {there}{'<=' if repeats else '<'}{here})"
        # A call with an argument that is undefined is false whatever the relation is.
        conditions = [f"{there}{'>' if repeats else '>='}{here}"]
        conditions += [f"({text})=({text})" for text in arguments if "-" in text]
        other = conditions[0] if len(conditions) == 1 else f"({' & '.join(conditions)})"
        return f"({candidate} | {other})"
