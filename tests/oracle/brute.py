"""Truth of formulas on numbers, by trying all values of the quantified variables.

Nothing here knows automata, plans or numeration systems: a formula is a tree, a variable is a
Python integer, a word and a predicate are Python functions.  Only the tree is shared with the
prover.  Quantifiers run over 0..bound, so the answer is the true one exactly where every
quantifier is guarded by a bound that is not larger.

A term without a value (a negative difference, a word outside its domain) is None, and an atom
that contains such a term is false.  Cost: (bound + 1) to the number of variables, with the truth values
of quantified subformulas remembered.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product

from fibprover.language.tree import (
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

#: The argument of a compiled node: one value a variable, in a list indexed by slots.
Values = list[int]
TermCode = Callable[[Values], int | None]
TruthCode = Callable[[Values], bool]

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

CONNECTIVES: Mapping[str, Callable[[bool, bool], bool]] = {
    "&": lambda p, q: p and q,
    "|": lambda p, q: p or q,
    "^": lambda p, q: p != q,
    "=>": lambda p, q: not p or q,
    "<=>": lambda p, q: p == q,
}

#: Connectives decided by their left side alone: left value -> value of the whole.
SHORT_CIRCUITS: Mapping[str, tuple[bool, bool]] = {"&": (False, False), "|": (True, True), "=>": (False, True)}


class OracleError(Exception):
    """The formula has no value here: unknown names, division by 0, `I`, reversal."""


@dataclass(frozen=True)
class World:
    """The meaning of names, and the bound of quantifiers.

    words: name -> function of the indices, None where the word has no letter;
    predicates: name -> function of the arguments; bound: largest value a quantifier tries.
    """

    words: Mapping[str, Callable[..., int | None]] = field(default_factory=dict)
    predicates: Mapping[str, Callable[..., bool]] = field(default_factory=dict)
    bound: int = 12


def holds(formula: Formula, assignment: Mapping[str, int], world: World) -> bool:
    """Return whether the formula is true when its free variables have these values."""
    names = sorted(free_variables(formula))
    missing = [name for name in names if name not in assignment]
    if missing:
        raise OracleError(f"no value for {missing}")
    return Judge(formula, world)(tuple(assignment[name] for name in names))


class Judge:
    """A formula as a function from the values of its free variables, in code-unit order, to its truth."""

    def __init__(self, formula: Formula, world: World) -> None:
        self.names: tuple[str, ...] = tuple(sorted(free_variables(formula)))
        compiler = _Compiler(world)
        self._slots = [compiler.slot(name) for name in self.names]
        self._code = compiler.formula(formula)
        self._values = [0] * len(compiler.slots)

    def __call__(self, values: tuple[int, ...]) -> bool:
        for slot, value in zip(self._slots, values, strict=True):
            self._values[slot] = value
        return self._code(self._values)

    def table(self, largest: int) -> dict[tuple[int, ...], bool]:
        """Truth at every assignment with values 0..largest."""
        return {values: self(values) for values in product(range(largest + 1), repeat=len(self.names))}


def free_variables(node: Formula | Term | SystemTerm) -> frozenset[str]:
    """Names that occur outside the quantifiers that bind them."""
    match node:
        case Variable(name=name):
            return frozenset({name})
        case Number() | Letter():
            return frozenset()
        case Arithmetic(left=left, right=right) | Compare(left=left, right=right) | Binary(left=left, right=right):
            return free_variables(left) | free_variables(right)
        case Negative(term=term) | SystemTerm(term=term):
            return free_variables(term)
        case WordValue(indices=parts) | Call(arguments=parts):
            return frozenset().union(*(free_variables(part) for part in parts))
        case Not(body=body) | Reversed(body=body) | InSystem(body=body):
            return free_variables(body)
        case Quantified(variables=variables, body=body):
            return free_variables(body) - {variable.name for variable in variables}
    raise OracleError(f"not a node: {node!r}")


class _Compiler:
    """Turns nodes into closures over a list of values; equal names share a slot."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.slots: dict[str, int] = {}

    def slot(self, name: str) -> int:
        return self.slots.setdefault(name, len(self.slots))

    def formula(self, node: Formula) -> TruthCode:
        match node:
            case Compare(op=op, left=left, right=right):
                return self._comparison(COMPARISONS[op], self.term(left), self.term(right))
            case Call():
                return self._call(node)
            case Not(body=body):
                code = self.formula(body)
                return lambda values: not code(values)
            case InSystem(body=body):
                return self.formula(body)
            case Binary(op=op, left=left, right=right):
                return self._connective(op, self.formula(left), self.formula(right))
            case Quantified():
                return self._quantified(node)
            case Reversed():
                raise OracleError("reversal speaks of words, not of numbers")
        raise OracleError(f"not a formula: {node!r}")

    def term(self, node: Term | SystemTerm) -> TermCode:
        match node:
            case Number(value=value) | Letter(value=value):
                return lambda values: value
            case Variable(name=name):
                slot = self.slot(name)
                return lambda values: values[slot]
            case SystemTerm(term=term):
                return self.term(term)
            case Negative(term=term):
                return self._arithmetic("-", lambda values: 0, self.term(term))
            case Arithmetic(op=op, left=left, right=right):
                return self._arithmetic(op, self.term(left), self.term(right))
            case WordValue(word=word, indices=indices):
                if word not in self.world.words:
                    raise OracleError(f"no word {word}")
                return self._applied(self.world.words[word], [self._argument(index) for index in indices])
        raise OracleError(f"not a term: {node!r}")

    @staticmethod
    def _arithmetic(op: str, left: TermCode, right: TermCode) -> TermCode:
        def evaluate(values: Values) -> int | None:
            a, b = left(values), right(values)
            if a is None or b is None:
                return None
            if op == "+":
                return a + b
            if op == "*":
                return a * b
            if op == "-":
                return a - b if a >= b else None
            if b == 0:
                raise OracleError("division by 0")
            return a // b

        if op not in "+-*/":
            raise OracleError(f"no operation {op}")
        return evaluate

    @staticmethod
    def _applied(function: Callable[..., int | None], arguments: list[TermCode]) -> TermCode:
        def evaluate(values: Values) -> int | None:
            numbers = [argument(values) for argument in arguments]
            return None if None in numbers else function(*numbers)

        return evaluate

    @staticmethod
    def _comparison(compare: Callable[[int, int], bool], left: TermCode, right: TermCode) -> TruthCode:
        def evaluate(values: Values) -> bool:
            a, b = left(values), right(values)
            return a is not None and b is not None and compare(a, b)

        return evaluate

    def _call(self, node: Call) -> TruthCode:
        if node.name not in self.world.predicates:
            raise OracleError(f"no predicate {node.name}")
        predicate = self.world.predicates[node.name]
        arguments = [self._argument(argument) for argument in node.arguments]

        def evaluate(values: Values) -> bool:
            numbers = [argument(values) for argument in arguments]
            return None not in numbers and predicate(*numbers)

        return evaluate

    def _argument(self, node: Term | SystemTerm | Formula) -> TermCode:
        """A formula stands for the value of its one free variable, and has none where it is false."""
        if not isinstance(node, Compare | Call | Not | Reversed | Binary | Quantified | InSystem):
            return self.term(node)
        names = free_variables(node)
        if len(names) != 1:
            raise OracleError(f"a formula as an argument needs one free variable, this has {sorted(names)}")
        slot = self.slot(min(names))
        condition = self.formula(node)
        return lambda values: values[slot] if condition(values) else None

    @staticmethod
    def _connective(op: str, left: TruthCode, right: TruthCode) -> TruthCode:
        combine = CONNECTIVES[op]
        deciding, result = SHORT_CIRCUITS.get(op, (None, False))

        def evaluate(values: Values) -> bool:
            first = left(values)
            return result if first is deciding else combine(first, right(values))

        return evaluate

    def _quantified(self, node: Quantified) -> TruthCode:
        if node.kind not in "EA":
            raise OracleError(f"{node.kind} cannot be decided by trying numbers up to a bound")
        bound_slots = [self.slot(variable.name) for variable in node.variables]
        kept_slots = [self.slot(name) for name in sorted(free_variables(node))]
        body = self.formula(node.body)
        candidates = range(self.world.bound + 1)
        known: dict[tuple[int, ...], bool] = {}

        def witnesses(values: Values) -> int:
            """Number of tuples that satisfy the body, counted no further than the answer needs."""
            enough = node.count + 1 if node.relation else 1
            found = 0
            wanted = node.kind == "E"
            for choice in product(candidates, repeat=len(bound_slots)):
                for slot, value in zip(bound_slots, choice, strict=True):
                    values[slot] = value
                found += body(values) is wanted
                if found >= enough:
                    break
            return found

        def evaluate(values: Values) -> bool:
            key = tuple(values[slot] for slot in kept_slots)
            if key not in known:
                # A name may be bound here and free outside: restore its outer value afterwards.
                before = [values[slot] for slot in bound_slots]
                found = witnesses(values)
                for slot, value in zip(bound_slots, before, strict=True):
                    values[slot] = value
                if node.relation:
                    known[key] = COMPARISONS[node.relation](found, node.count)
                else:
                    known[key] = (found > 0) is (node.kind == "E")
            return known[key]

        return evaluate
