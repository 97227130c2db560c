"""The copies of random recursions, as they are printed, against a three-valued evaluation of the formula.

The third value, None, stands for a call that does not go down.  The lower copy is true where the formula is certainly
true whatever these calls are, the upper one where it is not certainly false (Kleene's strong logic).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from fibprover.language.builder import call, variables
from fibprover.language.parser import parse_formula
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Not,
    Number,
    Quantified,
    Term,
    Variable,
    nodes,
)
from fibprover.learn.induction import solution_statements, statements
from fibprover.learn.recursion import Recursion, read_measure, read_recursion
from fibprover.workspace.session import Session
from tests.oracle.brute import COMPARISONS, Judge, World
from tests.seeds import chosen_seed

#: Numbers up to LARGEST are tried; no quantifier of a random formula looks beyond BOUND.
LARGEST, BOUND = 2, 4

P, Q, X, Y = variables("p q x y")
MEASURES = ("p", "q", "p+q", "2*p+q", "p+3*q")


class Made(NamedTuple):
    """A random recursion, and the measure of its relations."""

    formulas: dict[str, Formula]
    measure: str


class Maker:
    """Makes random recursions of one or two relations of p and q, with every kind of connective and quantifier."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = ["R", "S"][: random.randint(1, 2)]

    def made(self) -> Made:
        system = self.random.choice(["", "", "msd_3", "lsd_2", "msd_fib"])
        formulas: dict[str, Formula] = {}
        for name in self.names:
            formula = self.formula(self.random.choice([1, 2, 2, 3, 3]), [P, Q])
            # Both are parameters, also where the formula does not mention them.
            formula = formula & (P.eq(P) & Q.eq(Q))
            formulas[name] = formula.in_system(system) if system else formula
        return Made(formulas, self.random.choice(MEASURES))

    def term(self, scope: list[Variable]) -> Term:
        one = self.random.choice(scope)
        match self.random.randrange(8):
            case 0 | 1 | 2:
                return one
            case 3:
                return one - 1
            case 4:
                return one + 1
            case 5:
                return one - self.random.choice(scope)
            case 6:
                return Number(self.random.randrange(3))
            case _:
                return (one + self.random.choice(scope)) // 2

    def atom(self, scope: list[Variable]) -> Formula:
        if self.random.random() < 0.6:
            return call(self.random.choice(self.names), self.term(scope), self.term(scope))
        return Compare(self.random.choice(list(COMPARISONS)), self.term(scope), self.term(scope))

    def formula(self, depth: int, scope: list[Variable]) -> Formula:
        if depth == 0:
            return self.atom(scope)
        match self.random.randrange(9):
            case 0 | 1:
                return Not(self.formula(depth - 1, scope))
            case 2 | 3 | 4 | 5:
                op = self.random.choice(["&", "|", "^", "=>", "<=>"])
                return Binary(op, self.formula(depth - 1, scope), self.formula(depth - 1, scope))
            case _:
                return self.quantified(depth, scope)

    def quantified(self, depth: int, scope: list[Variable]) -> Formula:
        """Return a quantifier with a bound; the variable may hide a parameter, or one that is bound around it."""
        bound = self.random.choice([X, Y, P, Q])
        limit = self.random.choice([1, 2, BOUND])
        inner = [*(each for each in scope if each != bound), bound]
        body = self.formula(depth - 1, inner)
        if self.random.random() < 0.3:
            return Quantified("A", (bound,), (bound <= limit) >> body)
        relation = self.random.choice(["", ">=", "<=", "="])
        count = self.random.randrange(4) if relation else 0
        return Quantified("E", (bound,), (bound <= limit) & body, relation, count)


Value = bool | None


class Kleene:
    """The value of a formula where some calls of the relations are not known."""

    def __init__(self, known: Callable[[str, tuple[int, ...]], Value]) -> None:
        self.known = known

    def term(self, node: Term, values: Mapping[str, int]) -> int | None:
        match node:
            case Number(value=number):
                return number
            case Variable(name=name):
                return values[name]
            case Arithmetic(op=op):
                left, right = self.term(node.left, values), self.term(node.right, values)
                if left is None or right is None:
                    return None
                found = {"+": left + right, "-": left - right, "/": left // (right or 1)}[op]
                return found if found >= 0 else None
        raise AssertionError(node)

    def formula(self, node: Formula, values: Mapping[str, int]) -> Value:
        match node:
            case Compare():
                left, right = self.term(node.left, values), self.term(node.right, values)
                return left is not None and right is not None and COMPARISONS[node.op](left, right)
            case Call():
                arguments = [self.term(each, values) for each in node.arguments]  # type: ignore[arg-type]  # terms
                defined = tuple(each for each in arguments if each is not None)
                return self.known(node.name, defined) if len(defined) == len(arguments) else False
            case Not():
                return _not(self.formula(node.body, values))
            case InSystem():
                return self.formula(node.body, values)
            case Binary():
                return self.joined(node.op, self.formula(node.left, values), self.formula(node.right, values))
            case Quantified():
                return self.quantified(node, values)
        raise AssertionError(node)

    def joined(self, op: str, left: Value, right: Value) -> Value:
        if op == "&":
            return False if left is False or right is False else None if None in (left, right) else True
        if op == "|":
            return _not(self.joined("&", _not(left), _not(right)))
        if op == "=>":
            return self.joined("|", _not(left), right)
        if left is None or right is None:
            return None
        return (left == right) is (op == "<=>")

    def quantified(self, node: Quantified, values: Mapping[str, int]) -> Value:
        (name,) = node.names
        found = [self.formula(node.body, {**values, name: number}) for number in range(BOUND + 1)]
        sure, possible = found.count(True), len(found) - found.count(False)
        if node.kind == "A":
            return False if False in found else None if None in found else True
        least, most = {
            "": (1, len(found)), ">=": (node.count, len(found)), "<=": (0, node.count), "=": (node.count, node.count),
        }[node.relation]
        if sure >= least and possible <= most:
            return True
        return False if possible < least or sure > most else None


def _not(value: Value) -> Value:
    return None if value is None else not value


def candidate(name: str, numbers: tuple[int, ...], salt: int) -> bool:
    """An arbitrary relation."""
    a, b = numbers
    return (a * 7 + b * 13 + a * b * 5 + len(name) * salt + (name == "S") * 3 + salt) % 5 < 2


def candidate_of(name: str, salt: int, bound: int = 10**9) -> Callable[..., bool]:
    """The relation of a name as a function, false of numbers from the bound on."""
    return lambda *numbers: max(numbers) < bound and candidate(name, numbers, salt)


def check(made: Made, recursion: Recursion, salt: int) -> int:
    """Compare the copies of all relations at all small numbers; return how many values were not known."""
    measures = {each.name: read_measure(made.measure, each) for each in recursion.equations}
    world = World(predicates={name: candidate_of(name, salt) for name in made.formulas}, bound=BOUND)
    proof = statements(recursion, measures)
    unknown = 0
    for place, each in enumerate(recursion.equations):
        lower, upper, written = proof[2 * place].right, proof[2 * place + 1].left, solution_statements(recursion)[place]
        assert written.left == call(each.name, P, Q)
        copies = [Judge(parse_formula(str(copy)).formula, world) for copy in (lower, upper, written.right)]
        assert {copy.names for copy in copies} == {("p", "q")}
        for here in product(range(LARGEST + 1), repeat=2):
            def known(
                name: str, numbers: tuple[int, ...], here: tuple[int, ...] = here, caller: str = each.name
            ) -> Value:
                there, limit = measures[name].value(numbers), measures[caller].value(here)
                down = there <= limit if recursion.may_repeat(caller, name) else there < limit
                return candidate(name, numbers, salt) if down else None

            values = dict(zip("pq", here, strict=True))
            value = Kleene(known).formula(each.source.formula, values)
            plain = Kleene(lambda name, numbers: candidate(name, numbers, salt)).formula(each.source.formula, values)
            found = [copy(here) for copy in copies]
            assert found == [value is True, value is not False, plain], (made, each.name, here)
            unknown += value is None
    return unknown


def recursions(count: int, seed: int) -> list[Made]:
    return [Maker(Random(1000 * seed + number)).made() for number in range(count)]


@pytest.mark.random
@pytest.mark.parametrize("count", [
    80, pytest.param(700, marks=pytest.mark.long), pytest.param(2000, marks=pytest.mark.very_long),
])
def test_copies_are_the_three_valued_evaluation(count: int) -> None:
    environment = Session().namespace.environment()
    unknown = shadowed = 0
    for number, made in enumerate(recursions(count, chosen_seed())):
        unknown += check(made, read_recursion(made.formulas, environment), number % 7)
        bound = {name for tree in made.formulas.values() for node in nodes(tree) if isinstance(node, Quantified)
                 for name in node.names}
        shadowed += not bound.isdisjoint("pq")
    assert unknown > count and shadowed > count // 5


@pytest.mark.long
@pytest.mark.random
def test_the_prover_reads_the_copies_alike() -> None:
    """The same on automata, with numbers of other systems, read from either end."""
    session = Session()
    for made in recursions(10, chosen_seed() + 1):
        recursion = read_recursion(made.formulas, session.namespace.environment())
        measures = {each.name: read_measure(made.measure, each) for each in recursion.equations}
        system = next((str(each.system) for each in made.formulas.values() if isinstance(each, InSystem)), "msd_2")
        for name in made.formulas:
            listed = [numbers for numbers in product(range(12), repeat=2) if candidate(name, numbers, 1)]
            text = " | ".join(f"(p={a} & q={b})" for a, b in listed)
            session.define(name, f"?{recursion.sorts[name][0].system} {text}")
        world = World(predicates={name: candidate_of(name, 1, 12) for name in made.formulas}, bound=BOUND)
        for statement in statements(recursion, measures):
            for side in (statement.left, statement.right):
                relation = session.relation(side)
                judge = Judge(side, world)
                for here in product(range(LARGEST + 1), repeat=2):
                    assert (here in relation) == judge(here), (system, str(side), here)


def test_a_count_of_which_nothing_is_known_is_refused() -> None:
    """The grammar knows counts that the parser refuses, such as E<3: they are not monotone."""
    call_below = Quantified("E", (X,), call("R", X, Q) & (X < P), "<", 3)
    session = Session()
    recursion = read_recursion({"R": call_below & P.eq(P) & Q.eq(Q)}, session.namespace.environment())
    measures = {each.name: read_measure("p", each) for each in recursion.equations}
    with pytest.raises(AssertionError, match="E<"):
        statements(recursion, measures)
