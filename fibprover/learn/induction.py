"""The induction on a measure: the one place where a candidate becomes what a recursion defines.

Let R(x) <=> F(R)(x) be the recursion, C a candidate and m a measure, a linear term with natural values.  In the *lower*
copy of F each positive call of R at t is `$C(t) & m(t)<m(x)`, each negative one `$C(t) | m(t)>=m(x)`; the *upper* copy
is the other way round.  If C(x) => lower(x) and upper(x) => C(x) for all x, then C is the only relation that satisfies
the recursion.  For let R satisfy it and agree with C where m is less than m(x): F is monotone in positive calls and
antitone in negative ones, so lower(x) => F(R)(x) => upper(x), and R agrees with C at x, too.  And C satisfies it, as
the same holds for R = C.  Calls that do not go down are allowed as long as they do not matter.  Of several relations, a
call of an earlier one may have the same measure.

`refutation` decides these formulas, and beside them the recursion as it was written, `Ax C(x) <=> F(C)(x)`: that
follows from the others, but shares nothing with the copies.  Nothing else calls a candidate proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fibprover.language.builder import forall
from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Formula,
    Node,
    Not,
    Quantified,
    Term,
    Variable,
    conjunction,
    has_calls,
    map_children,
    nodes,
    renamed_apart,
    term,
)
from fibprover.learn.recursion import Equation, Measure, Recursion
from fibprover.prover.decide import Options, decide
from fibprover.prover.environment import Definition, Environment
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.verdict import Verdict

#: The quantifiers that are true of more if their bodies are.
MONOTONE = ("E", "A", "I")


@dataclass(frozen=True, slots=True)
class Statement:
    """A closed formula of a proof: for all parameters of a relation the left side implies the right one.

    both_ways: whether the right side implies the left one, too.
    """

    name: str
    variables: tuple[Variable, ...]
    left: Formula
    right: Formula
    both_ways: bool = False

    @property
    def formula(self) -> Formula:
        """The formula."""
        return forall(*self.variables, self.left.iff(self.right) if self.both_ways else self.left >> self.right)

    @property
    def fails(self) -> Formula:
        """The formula that is true of the counterexamples."""
        return self.left ^ self.right if self.both_ways else self.left & ~self.right


def statements(recursion: Recursion, measures: Mapping[str, Measure]) -> list[Statement]:
    """Return the formulas from which it follows that a candidate is the only solution, two for each relation.

    The candidates have the names of the relations.
    """
    found = []
    for each in recursion.equations:
        lower = _Copy(each, recursion, measures, lower=True).formula()
        upper = _Copy(each, recursion, measures, lower=False).formula()
        found.append(Statement(each.name, each.variables, each.here, lower))
        found.append(Statement(each.name, each.variables, upper, each.here))
    return found


def solution_statements(recursion: Recursion) -> list[Statement]:
    """Return the formulas that say that candidates satisfy the recursion as it was written."""
    return [
        Statement(each.name, each.variables, each.here, renamed_apart(each.source.formula, each.parameters), True)
        for each in recursion.equations
    ]


@dataclass(frozen=True, slots=True)
class Refutation:
    """A formula of a proof that is FALSE of the candidates, with the verdict."""

    statement: Statement
    verdict: Verdict


def refutation(
    recursion: Recursion, measures: Mapping[str, Measure], candidates: Mapping[str, Definition],
    environment: Environment, options: Options,
) -> Refutation | None:
    """Return the first formula of the proof that is FALSE of the candidates; None if they are what is defined.

    Raises BudgetSpent.
    """
    around, cache = recursion.environment(environment, candidates), Cache()
    for statement in (*statements(recursion, measures), *solution_statements(recursion)):
        verdict = decide(statement.formula, around, cache, options)
        if not isinstance(verdict, Verdict):
            raise AssertionError("a statement of the proof is closed")
        if not verdict:
            return Refutation(statement, verdict)
    return None


class _Copy:
    """Makes the lower or the upper copy of the formula of an equation."""

    def __init__(
        self, equation: Equation, recursion: Recursion, measures: Mapping[str, Measure], *, lower: bool
    ) -> None:
        self.equation = equation
        self.recursion = recursion
        self.measures = measures
        self.lower = lower
        self.names = frozenset(each.name for each in recursion.equations)

    def formula(self) -> Formula:
        """Return the copy."""
        # The measure of the parameters is written at each call, where no quantifier may hide a parameter.
        return self.copy(renamed_apart(self.equation.source.formula, self.equation.parameters), True)

    def copy(self, node: Formula, positive: bool) -> Formula:
        """Return the copy of a part that occurs positively or negatively."""
        match node:
            case Call() if node.name in self.names:
                return self.call(node, positive)
            case Not():
                return Not(self.copy(node.body, not positive))
            case Binary(op="=>"):
                return self.copy(node.left, not positive) >> self.copy(node.right, positive)
            case Binary(op="<=>" | "^") if has_calls(node, self.names):
                return self.both_ways(node, positive)
            case Quantified(relation="=" | "<=") if has_calls(node, self.names):
                return self.counted(node, positive)
            case Quantified() if node.kind not in MONOTONE or (
                node.relation not in ("", ">=") and has_calls(node, self.names)
            ):
                raise AssertionError(f"nothing is known of the signs of calls below {node.kind}{node.relation}")
        return map_children(node, lambda each: self.within(each, positive))

    def within(self, node: Node, positive: bool) -> Node:
        """Return the copy of a formula or term: a term may hold a formula as an index, which occurs positively."""
        if isinstance(node, Formula):
            return self.copy(node, positive)
        return map_children(node, lambda each: self.within(each, positive))

    def both_ways(self, node: Binary, positive: bool) -> Formula:
        """Return `<=>` and `^` in terms of connectives whose sides have one sign each."""
        (left, right), (no_left, no_right) = (
            [self.copy(side, sign) for side in (node.left, node.right)] for sign in (positive, not positive)
        )
        if node.op == "<=>":
            return (no_left >> right) & (no_right >> left)
        return (left | right) & ~(no_left & no_right)

    def counted(self, node: Quantified, positive: bool) -> Formula:
        """Return `E=k` and `E<=k` in terms of "at least", which is monotone."""

        def at_least(count: int, sign: bool) -> Formula:
            return Quantified("E", node.variables, self.copy(node.body, sign), ">=", count)

        fewer = ~at_least(node.count + 1, not positive)
        return fewer if node.relation == "<=" else at_least(node.count, positive) & fewer

    def call(self, node: Call, positive: bool) -> Formula:
        """Return the call of a candidate, with the condition that its measure is less."""
        arguments = [term(argument) for argument in node.arguments]
        there = self.measures[node.name].of(arguments)
        here = self.measures[self.equation.name].of(self.equation.variables)
        repeats = self.recursion.may_repeat(self.equation.name, node.name)
        if positive == self.lower:
            return node & (there <= here if repeats else there < here)
        # A call with an argument that is undefined is false whatever the relation is.
        others = [there > here if repeats else there >= here]
        others += [each.eq(each) for each in arguments if _may_be_undefined(each)]
        return node | conjunction(others)


def _may_be_undefined(argument: Term) -> bool:
    """Return whether a term may have no natural value: it has a difference."""
    return any(isinstance(each, Arithmetic) and each.op == "-" for each in nodes(argument))
