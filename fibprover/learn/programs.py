"""Programs: the formula of a recursion as functions of numbers.

A formula becomes a tree of functions once, and is then computed as a program would: equations determine variables,
inequalities bound them, predicates and earlier values of the relation list them.

A variable is listed only if something in the formula bounds it; CannotEvaluate names one that nothing does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from fibprover.base.errors import FibproverError
from fibprover.learn.connectives import conjuncts, parts_of
from fibprover.learn.reading import NO_LETTER, Letters, Reader
from fibprover.learn.recursion import Equation, Measure
from fibprover.prover import logic
from fibprover.prover.environment import Definition
from fibprover.prover.logic import Logic, ResolvedFormula, free_variables
from fibprover.prover.lower import RELATIONS
from fibprover.words.automatic import AutomaticWord

#: The values of the variables of one evaluation: the measure, the parameters' values, then a place for each variable.
Env = list[Any]
Test = Callable[[Env], bool]

MEASURE, VALUES = 0, 1

#: What is computed: whether a row (the tuples with these measured parameters) is meant, the name, the values.
Task = tuple[bool, str, tuple[int, ...]]


class CannotEvaluate(FibproverError):
    """A formula that cannot be computed for single numbers, as nothing bounds one of its variables."""


class NotGoingDown(Exception):
    """A call that matters, and whose measure is not less than that of the tuple it is asked for."""

    def __init__(self, name: str, values: tuple[int, ...], called: str, arguments: tuple[int, ...]) -> None:
        super().__init__(name, values, called, arguments)
        self.name, self.values, self.called, self.arguments = name, values, called, arguments


class Values(Protocol):
    """What a program needs of the evaluator: values of other tuples, and the automata that formulas name."""

    def inner(self, task: Task) -> Any:
        """Return the value or the row of a tuple."""

    def letters(self, word: AutomaticWord) -> Letters | Reader:
        """Return the letters of a word."""

    def predicate(self, definition: Definition) -> Reader:
        """Return the automaton of a defined predicate."""


class Program:
    """The formula of one equation as functions of its parameters' values.

    row: whether there is a function that lists the tuples of the other parameters for given values of the measured
    ones, and does so without a search.
    """

    def __init__(
        self, equation: Equation, resolved: ResolvedFormula, measure: Measure, values: Values,
        repeats: Mapping[str, bool],
    ) -> None:
        self.equation = equation
        self.resolved = resolved
        self.measure = measure
        self.values = values
        #: The relations that may be called, and whether with the same measure.
        self.repeats = repeats
        self.programs: Mapping[str, Program] = {}
        self.slots: dict[str, int] = {}
        self.size = 2
        self.measured = [name for name in equation.parameters if measure.coefficients[name]]
        self.others = [name for name in equation.parameters if not measure.coefficients[name]]
        #: For each parameter: whether it is measured, and its place among those or the others.
        self._places = [
            (name in self.measured, (self.measured if name in self.measured else self.others).index(name))
            for name in equation.parameters
        ]
        self.parameters = [self.slot(name) for name in equation.parameters]
        self.row = bool(self.others)
        #: A tuple whose own value may be asked for, as it is assumed.
        self.assumed: tuple[int, ...] | None = None
        self._searches = False
        self._test: Test | None = None
        self._row: Test | None = None
        self._row_slot = self.new_slot()

    def compile_row(self) -> bool:
        """Make the function for rows; return whether the measured parameters determine the others without a search.

        `programs` must be known by then.
        """
        slots = [self.slot(name) for name in self.others]
        place = self._row_slot

        def collect(env: Env) -> bool:
            env[place].add(tuple([env[slot] for slot in slots]))
            return False

        self._searches = False
        try:
            self._row = self.search([self.resolved.logic], frozenset(self.measured), collect, frozenset(self.others))
        except CannotEvaluate:
            return False
        return not self._searches

    def parted(self, values: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the values of the measured parameters, and those of the others."""
        pairs = list(zip(self._places, values, strict=True))
        return tuple(v for (is_in, _), v in pairs if is_in), tuple(v for (is_in, _), v in pairs if not is_in)

    def joined(self, measured: Sequence[Any], others: Sequence[Any]) -> tuple[Any, ...]:
        """Return the values of all parameters in order."""
        return tuple((measured if is_in else others)[at] for is_in, at in self._places)

    def value(self, values: tuple[int, ...]) -> bool:
        """Return what the formula says of a tuple."""
        if self._test is None:
            self._test = self.test(self.resolved.logic, frozenset(self.equation.parameters))
        env: Env = [None] * self.size
        env[MEASURE], env[VALUES] = self.measure.value(values), values
        for slot, number in zip(self.parameters, values, strict=True):
            env[slot] = number
        return self._test(env)

    def listed(self, measured: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
        """Return the tuples of the other parameters."""
        if self._row is None:
            raise AssertionError("there is no function for rows")
        env: Env = [None] * self.size
        values = self.joined(measured, (0,) * len(self.others))
        env[MEASURE], env[VALUES] = self.measure.value(values), values
        env[self._row_slot] = set()
        for name, number in zip(self.measured, measured, strict=True):
            env[self.slot(name)] = number
        self._row(env)
        return frozenset(env[self._row_slot])

    # -- places of variables -----------------------------------------------------------------

    def slot(self, variable: str) -> int:
        """Return the place of a variable."""
        if variable not in self.slots:
            self.slots[variable] = self.new_slot()
        return self.slots[variable]

    def new_slot(self) -> int:
        """Return a new place."""
        self.size += 1
        return self.size - 1

    def is_call(self, node: Logic) -> bool:
        """Return whether an atom is a recursive call."""
        return isinstance(node, logic.PredicateAtom) and node.definition.name in self.repeats

    def has_call(self, node: Logic) -> bool:
        """Return whether a recursive call is in a formula."""
        return self.is_call(node) or any(self.has_call(child) for child in logic.children(node))

    # -- formulas without unknown variables --------------------------------------------------

    def test(self, node: Logic, known: frozenset[str]) -> Test:
        """Return the function that decides a formula whose free variables are known."""
        match node:
            case logic.Truth():
                truth = node.value
                return lambda env: truth
            case logic.Universe():
                return lambda env: True
            case logic.Linear():
                return self.linear_test(node)
            case logic.WordLetter():
                letter, letters = self.letter(node.word, node.variables), node.letters
                return lambda env: letter(env) in letters
            case logic.WordPair():
                return self.pair_test(node)
            case logic.PredicateAtom():
                return self.call_test(node) if self.is_call(node) else self.predicate_test(node)
            case logic.Not():
                body = self.test(node.body, known)
                return lambda env: not body(env)
            case logic.And() | logic.Or():
                return self.joined_test(node, known)
            case logic.Implies():
                return self.test(logic.Or(logic.Not(node.left), node.right), known)
            case logic.Iff() | logic.Xor():
                left, right, same = self.test(node.left, known), self.test(node.right, known), type(node) is logic.Iff
                return lambda env: (left(env) == right(env)) is same
            case logic.Exists():
                return self.search([node], known, lambda env: True, frozenset())
            case logic.ForAll():
                wrong = self.search([logic.Not(node)], known, lambda env: True, frozenset())
                return lambda env: not wrong(env)
            case logic.AtLeast():
                return self.counting_test(node, known)
        raise CannotEvaluate("`I` asks about infinitely many numbers, so values of the recursion cannot be computed")

    def linear_test(self, node: logic.Linear) -> Test:
        terms = [(c, self.slot(name)) for c, name in zip(node.coefficients, node.variables, strict=True)]
        relation, constant = RELATIONS[node.relation], node.constant
        if len(terms) == 2:
            (c, first), (d, second) = terms
            return lambda env: relation(c * env[first] + d * env[second], constant)
        return lambda env: relation(sum([c * env[slot] for c, slot in terms]), constant)

    def letter(self, word: AutomaticWord, variables: Sequence[str]) -> Callable[[Env], int]:
        """Return the function that is the letter of a word at indices."""
        letters, slots = self.values.letters(word), [self.slot(name) for name in variables]
        read = letters if isinstance(letters, Letters) else letters.output
        if len(slots) == 1:
            (only,) = slots
            return lambda env: read((env[only],))
        return lambda env: read(tuple([env[slot] for slot in slots]))

    def pair_test(self, node: logic.WordPair) -> Test:
        left, right = self.letter(node.left, node.left_variables), self.letter(node.right, node.right_variables)
        relation = RELATIONS[node.relation]

        def compared(env: Env) -> bool:
            first, second = left(env), right(env)
            return first != NO_LETTER and second != NO_LETTER and relation(first, second)

        return compared

    def predicate_test(self, node: logic.PredicateAtom) -> Test:
        reader, slots = self.values.predicate(node.definition), [self.slot(name) for name in node.variables]
        return lambda env: reader.accepts(tuple([env[slot] for slot in slots]))

    def call_test(self, node: logic.PredicateAtom) -> Test:
        called, slots = self.programs[node.definition.name], [self.slot(name) for name in node.variables]
        inner, name, check = self.values.inner, node.definition.name, self.check(node)
        if called.row:
            parted = called.parted

            def in_row(env: Env) -> bool:
                arguments = tuple([env[slot] for slot in slots])
                check(env, arguments)
                measured, others = parted(arguments)
                return others in inner((True, name, measured))

            return in_row

        def asked(env: Env) -> bool:
            arguments = tuple([env[slot] for slot in slots])
            check(env, arguments)
            return bool(inner((False, name, arguments)))

        return asked

    def check(self, node: logic.PredicateAtom) -> Callable[[Env, tuple[int, ...]], None]:
        """Return the function that raises NotGoingDown unless a call goes down."""
        name, caller = node.definition.name, self.equation.name
        measure, repeats = self.programs[name].measure.value, self.repeats[name]

        def check(env: Env, arguments: tuple[int, ...]) -> None:
            there, here = measure(arguments), env[MEASURE]
            if (there > here or (there == here and not repeats)) and arguments != self.assumed:
                raise NotGoingDown(caller, env[VALUES], name, arguments)

        return check

    def joined_test(self, node: logic.And | logic.Or, known: frozenset[str]) -> Test:
        """Return the test of a conjunction or disjunction.

        Parts with calls come last, and a call that does not go down is no error where another part decides.
        """
        decisive = isinstance(node, logic.Or)
        parts = sorted(parts_of(node, type(node)), key=self.cost)
        tests = [self.test(part, known) for part in parts]

        def joined(env: Env) -> bool:
            wrong: NotGoingDown | None = None
            for test in tests:
                try:
                    if test(env) is decisive:
                        return decisive
                except NotGoingDown as problem:
                    wrong = wrong or problem
            if wrong is not None:
                raise wrong
            return not decisive

        return joined

    def cost(self, node: Logic) -> int:
        """Return a rank of the cost of deciding a formula."""
        if self.has_call(node):
            return 3
        match node:
            case logic.Exists() | logic.ForAll() | logic.AtLeast() | logic.Infinite():
                return 2
            case logic.PredicateAtom():
                return 1
        return max((self.cost(child) for child in logic.children(node)), default=0)

    def counting_test(self, node: logic.AtLeast, known: frozenset[str]) -> Test:
        slots, place, count = [self.slot(name) for name in node.variables], self.new_slot(), node.count

        def collect(env: Env) -> bool:
            env[place].add(tuple([env[slot] for slot in slots]))
            return len(env[place]) >= count

        search = self.search([node.body], known, collect, frozenset(node.variables))

        def counted(env: Env) -> bool:
            env[place] = set()
            return search(env)

        return counted

    # -- searches ----------------------------------------------------------------------------

    def search(self, parts: Sequence[Logic], known: frozenset[str], found: Test, wanted: frozenset[str]) -> Test:
        """Return the function that gives the unknown variables values that satisfy all parts, until `found` is true.

        wanted: the variables that `found` reads.
        """
        parts = [each for part in parts for each in conjuncts(part)]
        if not parts:
            self.require(wanted - known)
            return found
        unknown = [free_variables(part) - known for part in parts]
        for rank in range(4):
            for at, part in enumerate(parts):
                rest = [*parts[:at], *parts[at + 1 :]]
                if not unknown[at] and self.cost(part) <= rank:
                    return self.first(self.test(part, known), self.search(rest, known, found, wanted))
                if rank == 0 and len(unknown[at]) == 1 and isinstance(part, logic.Linear) and part.relation == "=":
                    (name,) = unknown[at]
                    return self.determined(part, name, self.search(rest, known | {name}, found, wanted))
        for at, part in enumerate(parts):
            rest = [*parts[:at], *parts[at + 1 :]]
            if isinstance(part, logic.PredicateAtom) and self.lists(part, known):
                following = self.search(rest, known | set(part.variables), found, wanted)
                return self.from_row(part, known, following) if self.is_call(part) else (
                    self.from_predicate(part, known, following)
                )
        for name in sorted(frozenset().union(*unknown)):
            bounds = [bound for part in parts if (bound := self.bound(part, name, known)) is not None]
            if bounds:
                self._searches = True
                begins = [least for part in parts if (least := self.least(part, name, known)) is not None]
                return self.ranged(name, begins, bounds, self.search(parts, known | {name}, found, wanted))
        return self.by_cases(parts, unknown, known, found, wanted)

    def by_cases(
        self, parts: Sequence[Logic], unknown: Sequence[frozenset[str]], known: frozenset[str], found: Test,
        wanted: frozenset[str],
    ) -> Test:
        """Return a search for each side of a disjunction; CannotEvaluate if there is none."""
        for at, part in enumerate(parts):
            if isinstance(part, logic.Or):
                rest = [*parts[:at], *parts[at + 1 :]]
                sides = [self.search([side, *rest], known, found, wanted) for side in parts_of(part, logic.Or)]
                return lambda env: any(side(env) for side in sides)
        self.require(frozenset().union(*unknown))
        raise AssertionError("a part that is neither decided nor unknown")

    def require(self, missing: frozenset[str]) -> None:
        """Raise CannotEvaluate for variables that nothing bounds."""
        if missing:
            named = sorted({self.resolved.names.get(name, name) for name in missing})
            raise CannotEvaluate(
                f"nothing bounds {', '.join(named)} in the recursion of {self.equation.name}, so its values cannot be"
                " computed one by one",
                hint=f"the parameters of {self.equation.name} are {', '.join(self.equation.parameters)}, in this order;"
                " bound other variables, as in k<n, or give the data: solve(name, formula, data=...)",
            )

    @staticmethod
    def first(test: Test, following: Test) -> Test:
        """Return the test of both, the second only where the first holds."""
        return lambda env: test(env) and following(env)

    def determined(self, part: logic.Linear, name: str, following: Test) -> Test:
        """Return the search that goes on with the one value of a variable that satisfies an equation."""
        terms = {n: c for c, n in zip(part.coefficients, part.variables, strict=True)}
        own, slot, constant = terms.pop(name), self.slot(name), part.constant
        others = [(c, self.slot(n)) for n, c in terms.items()]

        def go_on(env: Env) -> bool:
            value, rest = divmod(constant - sum([c * env[at] for c, at in others]), own)
            if rest or value < 0:
                return False
            env[slot] = value
            return following(env)

        return go_on

    def lists(self, part: logic.PredicateAtom, known: frozenset[str]) -> bool:
        """Return whether a predicate or call lists the values of its unknown variables."""
        if not self.is_call(part):
            return any(name in known for name in part.variables)
        called = self.programs[part.definition.name]
        names = dict(zip(called.equation.parameters, part.variables, strict=True))
        return called.row and all(names[name] in known for name in called.measured)

    def from_row(self, part: logic.PredicateAtom, known: frozenset[str], following: Test) -> Test:
        """Return the search through the tuples that the relation has with known measured arguments."""
        called, name, inner = self.programs[part.definition.name], part.definition.name, self.values.inner
        names = dict(zip(called.equation.parameters, part.variables, strict=True))
        measured = [self.slot(names[each]) for each in called.measured]
        fill = self.filling([names[each] for each in called.others], known)
        check, zeros = self.check(part), (0,) * len(called.others)

        def go_on(env: Env) -> bool:
            values = tuple([env[slot] for slot in measured])
            check(env, called.joined(values, zeros))
            return any(fill(env, others) and following(env) for others in inner((True, name, values)))

        return go_on

    def from_predicate(self, part: logic.PredicateAtom, known: frozenset[str], following: Test) -> Test:
        """Return the search through the tuples of a defined predicate."""
        reader = self.values.predicate(part.definition)
        slots = [self.slot(name) if name in known else None for name in part.variables]
        fill = self.filling(part.variables, known)

        def go_on(env: Env) -> bool:
            fixed = tuple([None if slot is None else env[slot] for slot in slots])
            return any(fill(env, values) and following(env) for values in reader.completions(fixed))

        return go_on

    def filling(self, names: Sequence[str], known: frozenset[str]) -> Callable[[Env, tuple[int, ...]], bool]:
        """Return the function that gives variables values, and returns whether the known ones have these values."""
        places: list[tuple[int, bool]] = []
        seen = set(known)
        for name in names:
            places.append((self.slot(name), name in seen))
            seen.add(name)

        def fill(env: Env, values: tuple[int, ...]) -> bool:
            for (slot, fixed), value in zip(places, values, strict=True):
                if not fixed:
                    env[slot] = value
                elif env[slot] != value:
                    return False
            return True

        return fill

    def bound(self, part: Logic, name: str, known: frozenset[str]) -> Callable[[Env], int] | None:
        """Return the function that is an upper bound of a variable by a part, None if the part bounds it not."""
        if not isinstance(part, logic.Linear) or name not in part.variables or part.relation == "!=":
            return None
        terms = {n: c for c, n in zip(part.coefficients, part.variables, strict=True)}
        constant = part.constant
        if part.relation == "=" and terms[name] < 0:
            terms, constant = {n: -c for n, c in terms.items()}, -constant
        own = terms.pop(name)
        if own < 0 or any(c < 0 for n, c in terms.items() if n not in known):
            return None
        others = [(c, self.slot(n)) for n, c in terms.items() if n in known]
        return lambda env: (constant - sum([c * env[at] for c, at in others])) // own

    def least(self, part: Logic, name: str, known: frozenset[str]) -> Callable[[Env], int] | None:
        """Return the function that is a lower bound of a variable where a part bounds it by known ones, else None."""
        if not isinstance(part, logic.Linear) or name not in part.variables or part.relation != "<=":
            return None
        terms = {n: c for c, n in zip(part.coefficients, part.variables, strict=True)}
        own, constant = terms.pop(name), part.constant
        if own > 0 or not known.issuperset(terms):
            return None
        others = [(c, self.slot(n)) for n, c in terms.items()]
        return lambda env: -((constant - sum([c * env[at] for c, at in others])) // -own)

    def ranged(
        self, name: str, begins: Sequence[Callable[[Env], int]], bounds: Sequence[Callable[[Env], int]],
        following: Test,
    ) -> Test:
        """Return the search through the values of a variable between the greatest of some and the least of others."""
        slot = self.slot(name)

        def go_on(env: Env) -> bool:
            begin = max([0, *(least(env) for least in begins)])
            for value in range(begin, min([bound(env) for bound in bounds]) + 1):
                env[slot] = value
                if following(env):
                    return True
            return False

        return go_on
