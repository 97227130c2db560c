"""Evidence for closed formulas: a witness of a true E, a counterexample of a false A, the least one if that is cheap.

The outermost quantifiers are stripped. The least values are found one variable at a time: the first variable gets its
least possible value, the next one the least value that is possible together with it, and so on. This asks for all
values of a variable, which may cost much more than the verdict, which asked only whether there are any; so its
automata may be as large as those of the verdict, or of LEAST_STATES states, but no larger. If that does not suffice,
the words are used by which the searches of the verdict ended: they hold values of some variables. The others, which
had been projected by then, come from the same question with these numbers put in, which makes it small. The numbers
found are put into the formula and checked once more, atom by atom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fibprover.automata import language
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError
from fibprover.base.limits import Budget, spending
from fibprover.numeration.system import NumerationSystem
from fibprover.prover import logic
from fibprover.prover.comparisons import with_known_predicates
from fibprover.prover.environment import Definition, PredicatesOfWords
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.evaluate.executor import Evaluation, evaluate
from fibprover.prover.evaluate.trace import Record
from fibprover.prover.known import with_known_parts
from fibprover.prover.logic import Logic, ResolvedFormula, free_variables
from fibprover.prover.lower import RELATIONS
from fibprover.prover.plan.optimize import optimized
from fibprover.prover.verdict.relation import Relation, Value, shown_value
from fibprover.words.automatic import AutomaticWord

#: The search for the least values may make automata with as many states as those of the verdict, and at least so many,
#: while they are built; so what is found hardly depends on the machine: only where LEAST_TIMES ends the search.
LEAST_STATES = 100_000

#: It may take so many times the CPU seconds of the verdict, or of LEAST_ALLOWANCE if that is more.
LEAST_TIMES = 2
LEAST_ALLOWANCE = 0.2

#: The whole search gives up after this multiple of the verdict's CPU seconds, and a constant.
MOST_TIMES = 3
MOST_BEYOND = 1.0


class EvidenceError(FibproverError):
    """The evidence found does not satisfy the formula: a defect of fibprover, never hidden."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Numbers that show a verdict: a witness of a true E, a counterexample of a false A.

    Fields:

    - kind: "witness" or "counterexample"
    - values: a value of each variable
    - least: whether these are the least values, where the first variable is minimized first; they are not if finding
      those would have taken much longer than the verdict

    >>> evidence = fp.Session().prove("Ax x<5").evidence
    >>> evidence.kind, evidence.values, evidence.least
    ('counterexample', {'x': 5}, True)
    """

    kind: str
    values: dict[str, Value]
    least: bool = True

    def __str__(self) -> str:
        listed = ", ".join(f"{name} = {shown_value(value)}" for name, value in self.values.items())
        return f"{'least' if self.least else 'a'} {self.kind}: {listed}"


@dataclass(frozen=True, slots=True)
class EvidenceSearch:
    """Searches for evidence for one closed formula that has been decided.

    seconds: the CPU time that the verdict took; states: of its largest automaton; met: the words by which its searches
    ended (`Evaluation.met`); of_words: the predicates of words, of which those that were made before are used.
    """

    resolved: ResolvedFormula
    truth: bool
    system: Callable[[str], NumerationSystem]
    cache: Cache
    budget: Budget
    watch: Callable[[Record], None] | None = None
    seconds: float = 0.0
    states: int = 0
    met: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    of_words: PredicatesOfWords | None = None

    def evidence(self) -> Evidence | None:
        """Return evidence, or None where the formula is not of a form that has any.

        Raises BudgetSpent or LimitError if it cannot be found within the budget.
        """
        patient = self.within(MOST_TIMES * self.seconds + MOST_BEYOND)
        return patient.decisive(self.resolved.logic, self.truth)

    def within(self, seconds: float) -> EvidenceSearch:
        """Return the same search with no more than so many CPU seconds from now on."""
        return replace(self, budget=self.budget.within(seconds))

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
        """Return values of some variables that satisfy a formula; such values must exist."""
        # The order of words is that of the numbers only where numbers are not negative.
        least = not any(self.is_signed(name) for name in variables)
        found = self.least_within(max(self.states, LEAST_STATES), variables, body)
        if found is None:
            some = self.completed(variables, body, self.met) or self.completed(variables, body, {})
            least = least and some is None
            found = self.least_values(variables, body) if some is None else some
        values = {name: self.value(name, found[name]) for name in variables}
        if not self.holds(body, found):
            raise EvidenceError(f"the evidence {values} does not satisfy the formula: please report this defect")
        kind = "witness" if truth else "counterexample"
        return Evidence(kind, {self.resolved.names.get(name, name): value for name, value in values.items()}, least)

    def least_within(self, states: int, variables: tuple[str, ...], body: Logic) -> dict[str, Dfa] | None:
        """Return the least values if they are found with automata of so many states at most, else None."""
        search = self.within(LEAST_TIMES * max(self.seconds, LEAST_ALLOWANCE))
        budget = replace(search.budget, states=min(states, search.budget.states))
        try:
            return replace(search, budget=budget).least_values(variables, body)
        except (BudgetSpent, LimitError):
            return None

    def least_values(self, variables: tuple[str, ...], body: Logic) -> dict[str, Dfa]:
        """Return the least values that satisfy a formula, the first variable minimized first."""
        found: dict[str, Dfa] = {}
        for name in variables:
            rest = [other for other in variables if other not in found and other != name]
            found[name] = self.least(name, rest, body, found)
        return found

    def completed(
        self, variables: tuple[str, ...], body: Logic, met: Mapping[str, tuple[int, ...]]
    ) -> dict[str, Dfa] | None:
        """Return values that satisfy a formula, with those that were met already; None if these belong to no witness.

        Each round puts the numbers in and asks whether there are values of the others; the search that answers this
        meets further values.
        """
        found: dict[str, Dfa] = {}
        while True:
            found |= {name: self.one_value(name, met[name]) for name in variables if name in met and name not in found}
            rest = [name for name in variables if name not in found]
            if not rest:
                return found if self.holds(body, found) else None
            evaluation = self.evaluated(closed_under([*rest, *found], body, found), ())
            if not evaluation.automaton.outputs[0]:
                return None
            met = evaluation.met
            if not any(name in met for name in rest):
                found[rest[0]] = self.least(rest[0], rest[1:], body, found)

    def solve(self, body: Logic, free: tuple[str, ...]) -> Dfa:
        """Return the automaton of a formula over its free variables."""
        return self.evaluated(body, free).automaton

    def evaluated(self, body: Logic, free: tuple[str, ...]) -> Evaluation:
        """Evaluate a formula over its free variables."""
        resolved = ResolvedFormula(body, self.resolved.sorts, free, self.resolved.names)
        with spending(self.budget):
            resolved = with_known_parts(with_known_predicates(resolved, self.of_words), self.cache)
            return evaluate(optimized(resolved), self.system, self.cache, self.budget, self.watch)

    def least(self, name: str, rest: list[str], body: Logic, known: dict[str, Dfa]) -> Dfa:
        """Return the automaton of the least value of a variable, given the known values."""
        question = closed_under([*rest, *known], body, known)
        automaton = self.solve(logic.And(question, logic.Universe((name,))), (name,))
        words = language.shortest(automaton)
        if words is None:
            raise EvidenceError(f"no value of {name} was found where one exists: please report this defect")
        return singleton(automaton.tracks[0], words[0])

    def one_value(self, name: str, digits: tuple[int, ...]) -> Dfa:
        """Return the automaton of a value given by its digits, of a number perhaps after leading zeros."""
        track = self.resolved.sorts[name].track(name)
        begin = 0
        while track.system and begin < len(digits) and digits[begin] == 0:
            begin += 1
        return singleton(track, digits[begin:])

    def is_signed(self, name: str) -> bool:
        """Return whether a variable stands for integers, negative ones too."""
        system = self.resolved.sorts[name].system
        return bool(system) and self.system(system).signed

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


def singleton(track: Track, digits: Sequence[int]) -> Dfa:
    """Return the automaton of one word, with leading zeros if it is a number."""
    codes = [track.digits.index(digit) for digit in digits]
    rows: list[dict[int, int]] = [{code: place + 1} for place, code in enumerate(codes)] + [{}]
    if track.system:
        rows[0][track.digits.index(0)] = 0
    return build([track], rows, [0] * len(codes) + [1])


def closed_under(names: Sequence[str], body: Logic, known: Mapping[str, Dfa]) -> Logic:
    """Return E names . body with the known values put in."""
    constrained = logic.conjunction([*(fixed(name, known[name]) for name in known), body])
    inside = free_variables(constrained)
    inner = tuple(name for name in names if name in inside)
    return logic.Exists(inner, constrained) if inner else constrained


def fixed(name: str, value: Dfa) -> logic.PredicateAtom:
    """Return the atom name = value."""
    return logic.PredicateAtom(Definition("value", value), (name,))
