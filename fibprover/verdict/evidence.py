"""Evidence for closed formulas: the least witness of a true E, the least counterexample of a false A.

The outermost quantifiers are stripped.  The values are found one variable at a time: the first variable
gets its least possible value, the next one the least value that is possible together with it, and so on.
The numbers found are put into the formula and checked once more, atom by atom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fibprover.automata import language
from fibprover.automata.dfa import Dfa, build
from fibprover.errors import FibproverError
from fibprover.evaluate.atoms import Atoms
from fibprover.evaluate.cache import Cache
from fibprover.evaluate.executor import evaluate
from fibprover.evaluate.trace import Record
from fibprover.limits import Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.plan import logic
from fibprover.plan.environment import Definition
from fibprover.plan.logic import Logic, ResolvedFormula, free_variables
from fibprover.plan.lower import RELATIONS
from fibprover.plan.optimize import optimized
from fibprover.verdict.relation import Relation, Value, shown_value
from fibprover.words.automatic import AutomaticWord


class EvidenceError(FibproverError):
    """The evidence found does not satisfy the formula: a defect of fibprover, never hidden."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Numbers that show a verdict: a witness of a true E, a counterexample of a false A.

    kind: "witness" or "counterexample"; values: the least value of each variable, where the first variable
    is minimized first.
    """

    kind: str
    values: dict[str, Value]

    def __str__(self) -> str:
        listed = ", ".join(f"{name} = {shown_value(value)}" for name, value in self.values.items())
        return f"{self.kind}: {listed}"


@dataclass(frozen=True, slots=True)
class EvidenceSearch:
    """Searches for evidence for one closed formula that has been decided."""

    resolved: ResolvedFormula
    truth: bool
    system: Callable[[str], NumerationSystem]
    cache: Cache
    budget: Budget
    watch: Callable[[Record], None] | None = None

    def evidence(self) -> Evidence | None:
        """Return the least evidence, or None where the formula is not of a form that has any."""
        return self.decisive(self.resolved.logic, self.truth)

    def decisive(self, node: Logic, truth: bool) -> Evidence | None:
        """Return evidence for a closed formula of known truth, taken from the part that decides it."""
        match node:
            case logic.Not():
                return self.decisive(node.body, not truth)
            case logic.And() if not truth:
                return self.decisive(node.right if self.proved(node.left, {}) else node.left, False)
            case logic.Or() if truth:
                return self.decisive(node.left if self.proved(node.left, {}) else node.right, True)
            case logic.Implies() if not truth:
                return self.decisive(node.right, False)
            case logic.Implies():
                holds = self.proved(node.left, {})
                return self.decisive(node.right, True) if holds else self.decisive(node.left, False)
        variables, body = outermost(node, truth)
        return self.instantiated(variables, body, truth) if variables else None

    def instantiated(self, variables: tuple[str, ...], body: Logic, truth: bool) -> Evidence:
        """Return the least values of some variables that satisfy a formula; such values must exist."""
        found: dict[str, Dfa] = {}
        for name in variables:
            rest = [other for other in variables if other not in found and other != name]
            found[name] = self.least(name, rest, body, found)
        values = {name: self.value(name, found[name]) for name in variables}
        if not self.holds(body, found):
            raise EvidenceError(f"the evidence {values} does not satisfy the formula: please report this defect")
        kind = "witness" if truth else "counterexample"
        return Evidence(kind, {self.resolved.names.get(name, name): value for name, value in values.items()})

    def solve(self, body: Logic, free: tuple[str, ...]) -> Dfa:
        """Return the automaton of a formula over its free variables."""
        resolved = ResolvedFormula(body, self.resolved.sorts, free, self.resolved.names)
        return evaluate(optimized(resolved), self.system, self.cache, self.budget, self.watch).automaton

    def least(self, name: str, rest: list[str], body: Logic, known: dict[str, Dfa]) -> Dfa:
        """Return the automaton of the least value of a variable, given the known values."""
        constrained = logic.conjunction([*(fixed(other, known[other]) for other in known), body])
        inner = tuple(other for other in (*rest, *known) if other in free_variables(constrained))
        question = logic.Exists(inner, constrained) if inner else constrained
        automaton = self.solve(logic.And(question, logic.Universe((name,))), (name,))
        words = language.shortest(automaton)
        if words is None:
            raise EvidenceError(f"no value of {name} was found where one exists: please report this defect")
        return singleton(automaton, words)

    def value(self, name: str, automaton: Dfa) -> Value:
        """Return the value in an automaton of one track that accepts a single value."""
        values = Relation(automaton, self.system).least()
        if values is None:
            raise EvidenceError(f"no value of {name} was kept: please report this defect")
        return values[0]

    def holds(self, node: Logic, known: dict[str, Dfa]) -> bool:
        """Return the truth of a formula at known values; atoms are decided by arithmetic and by running automata."""
        match node:
            case logic.Truth():
                return node.value
            case logic.Universe():
                return True
            case logic.Linear():
                total = sum(
                    c * self.number(name, known) for c, name in zip(node.coefficients, node.variables, strict=True)
                )
                return RELATIONS[node.relation](total, node.constant)
            case logic.WordLetter():
                return self.letter(node.word, node.variables, known) in node.letters
            case logic.WordPair():
                left = self.letter(node.left, node.left_variables, known)
                right = self.letter(node.right, node.right_variables, known)
                return left is not None and right is not None and RELATIONS[node.relation](left, right)
            case logic.Not():
                return not self.holds(node.body, known)
            case logic.And():
                return self.holds(node.left, known) and self.holds(node.right, known)
            case logic.Or():
                return self.holds(node.left, known) or self.holds(node.right, known)
            case logic.Implies():
                return not self.holds(node.left, known) or self.holds(node.right, known)
            case logic.Iff():
                return self.holds(node.left, known) == self.holds(node.right, known)
            case logic.Xor():
                return self.holds(node.left, known) != self.holds(node.right, known)
            case _:
                return self.proved(node, known)

    def proved(self, node: Logic, known: dict[str, Dfa]) -> bool:
        """Return the truth of a quantified part or a predicate at known values, as a closed formula."""
        used = [name for name in known if name in free_variables(node)]
        closed = logic.conjunction([*(fixed(name, known[name]) for name in used), node])
        return bool(self.solve(logic.Exists(tuple(used), closed) if used else closed, ()).outputs[0])

    def number(self, name: str, known: dict[str, Dfa]) -> int:
        value = self.value(name, known[name])
        assert isinstance(value, int)
        return value

    def letter(self, word: AutomaticWord, names: tuple[str, ...], known: dict[str, Dfa]) -> int | None:
        """Return the letter of a word at known values, None where it has none."""
        atoms = Atoms(self.system, self.resolved.sorts, self.budget)
        return atoms.word(word, names).value(*self.padded(names, known))

    def padded(self, names: tuple[str, ...], known: dict[str, Dfa]) -> list[tuple[int, ...]]:
        """Return the digit words of variables, brought to one length where they are numbers."""
        words = []
        for name in names:
            value = self.value(name, known[name])
            system = self.resolved.sorts[name].system
            if isinstance(value, int):
                words.append(self.system(system).represent(value))
            else:
                words.append(value[::-1] if self.resolved.sorts[name].stored_reversed else value)
        length = max(len(word) for word in words)
        return [
            (0,) * (length - len(word)) + tuple(word) if self.resolved.sorts[name].system else tuple(word)
            for name, word in zip(names, words, strict=True)
        ]


def outermost(node: Logic, truth: bool) -> tuple[tuple[str, ...], Logic]:
    """Return the variables that evidence can instantiate, and the formula that their values satisfy.

    The variables are those of the leading E of a true formula, or of the negation of a false one.
    """
    variables: tuple[str, ...] = ()
    negated = not truth
    while True:
        match node:
            case logic.Not():
                node, negated = node.body, not negated
            case logic.Exists() if not negated and not variables_fresh(node):
                variables, node = variables + node.variables, node.body
            case logic.ForAll() if negated:
                variables, node = variables + node.variables, node.body
            case _:
                return variables, logic.Not(node) if negated else node


def variables_fresh(node: logic.Exists) -> bool:
    """Return whether these variables only name terms inside an atom, so that their values are no evidence."""
    return any(name.startswith("'") for name in node.variables)


def singleton(automaton: Dfa, words: language.Words) -> Dfa:
    """Return the automaton of one word of a one-track automaton, with leading zeros if that automaton accepts them."""
    (digits,) = words
    zero = automaton.zero_code
    codes = [automaton.code((digit,)) for digit in digits]
    rows: list[dict[int, int]] = [{code: place + 1} for place, code in enumerate(codes)] + [{}]
    if zero is not None:
        rows[0][zero] = 0
    return build(automaton.tracks, rows, [0] * len(codes) + [1])


def fixed(name: str, value: Dfa) -> logic.PredicateAtom:
    """Return the atom name = value."""
    return logic.PredicateAtom(Definition("value", value), (name,))
