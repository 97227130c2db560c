"""Formulas as functions of a layer: of all cells of a board that have one measure, by numpy.

What a quantifier says is counted: a case of it (`fibprover.learn.cases`) with one variable left is about a piece of a
line through the board, on which running sums say how many members lie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, Protocol

from fibprover.base.limits import Budget, check_budget
from fibprover.learn.cases import Case, Form, cases_of
from fibprover.learn.connectives import parts_of
from fibprover.learn.programs import Program
from fibprover.learn.reading import MOST_LETTERS, NO_LETTER, Letters, Reader
from fibprover.learn.recursion import Measure
from fibprover.learn.tables import Direction, Outside, Table
from fibprover.prover import logic
from fibprover.prover.logic import Logic
from fibprover.prover.lower import RELATIONS
from fibprover.words.automatic import AutomaticWord

#: The variables of the cells of a layer: arrays of one number for each cell.
Env = dict[str, Any]
#: Returns for which of the wanted cells a formula holds, or for how many values of its unknown variables.
OnLayer = Callable[[Env, Any], Any]

#: The measure of the cells of a layer; no variable has this name.
HERE = "<="


#: Cells are taken out of a layer where they are at most this part of it.
FEW = 3

#: More values of a variable than these are not tried.  The first so many are tried at once, then twice as many, and so
#: on, for at most so many pairs of a cell and a value.
MOST_VALUES, FIRST_VALUES, LANES = 1 << 14, 8, 1 << 16


class NoBoard(Exception):
    """The values of a recursion cannot be computed on a board."""


@dataclass(frozen=True, slots=True)
class _Called:
    """A relation that a formula calls.

    key: of its table, the name of a relation that is solved, or of a defined predicate its identity; measure: None for
    a defined predicate; strict: whether a call has to go down.
    """

    key: str | int
    measure: Measure | None
    strict: bool


class Surroundings(Protocol):
    """What a compiler needs of a board."""

    numpy: Any
    budget: Budget
    programs: Mapping[str, Program]
    tables: dict[str | int, Table]

    def predicate(self, reader: Reader) -> int:
        """Return the key of the table of a defined predicate."""

    def add_direction(self, key: str | int, direction: Direction) -> None:
        """Ask for running sums along a direction."""


class Compiler:
    """Makes functions of the formulas of one equation."""

    def __init__(self, board: Surroundings, program: Program) -> None:
        self.board = board
        self.program = program
        self.numpy = board.numpy

    def formula(self, node: Logic, known: frozenset[str]) -> OnLayer:
        """Return the function that says for which cells a formula holds; its free variables are known."""
        match node:
            case logic.Truth():
                truth = node.value
                return lambda env, wanted: wanted & truth
            case logic.Universe():
                return lambda env, wanted: wanted
            case logic.Linear():
                return self.linear(node)
            case logic.WordLetter() | logic.WordPair():
                return self.letters(node)
            case logic.PredicateAtom():
                return self.lookup(node)
            case logic.Not():
                body = self.formula(node.body, known)
                return lambda env, wanted: wanted & ~body(env, wanted)
            case logic.And() | logic.Or():
                return self.joined(parts_of(node, type(node)), known, isinstance(node, logic.Or))
            case logic.Implies():
                return self.formula(logic.Or(logic.Not(node.left), node.right), known)
            case logic.Iff() | logic.Xor():
                left, right = self.formula(node.left, known), self.formula(node.right, known)
                same = isinstance(node, logic.Iff)
                return lambda env, wanted: wanted & ((left(env, wanted) == right(env, wanted)) == same)
            case logic.Exists():
                return self.at_least(1, [node], known, None)
            case logic.ForAll():
                body = self.at_least(1, [logic.Not(node)], known, None)
                return lambda env, wanted: wanted & ~body(env, wanted)
            case logic.AtLeast():
                return self.at_least(node.count, [node.body], known, frozenset(node.variables))
        raise NoBoard

    def joined(self, parts: Sequence[Logic], known: frozenset[str], decisive: bool) -> OnLayer:
        """Return the function of a conjunction, or of a disjunction if `decisive`; parts with calls come last."""
        sides = [self.formula(part, known) for part in sorted(parts, key=self.program.cost)]

        def joined(env: Env, wanted: Any) -> Any:
            open_cells = wanted
            for side in sides:
                found = side(env, open_cells)
                open_cells = open_cells & ~found if decisive else open_cells & found
                if not open_cells.any():
                    break
            return wanted & ~open_cells if decisive else open_cells

        return joined

    def linear(self, node: logic.Linear) -> OnLayer:
        terms, relation = [*zip(node.coefficients, node.variables, strict=True)], RELATIONS[node.relation]
        constant = node.constant
        return lambda env, wanted: wanted & relation(sum(c * env[name] for c, name in terms), constant)

    def letters(self, node: logic.WordLetter | logic.WordPair) -> OnLayer:
        """Return the function of an atom about letters of words with one index."""
        if isinstance(node, logic.WordLetter):
            letter, allowed = self.letter(node.word, node.variables), [*node.letters]
            return lambda env, wanted: wanted & self.numpy.isin(letter(env, wanted), allowed)
        left, right = self.letter(node.left, node.left_variables), self.letter(node.right, node.right_variables)
        relation = RELATIONS[node.relation]

        def compared(env: Env, wanted: Any) -> Any:
            first, second = left(env, wanted), right(env, wanted)
            return wanted & (first != NO_LETTER) & (second != NO_LETTER) & relation(first, second)

        return compared

    def letter(self, word: AutomaticWord, variables: Sequence[str]) -> OnLayer:
        found = self.program.values.letters(word)
        if not isinstance(found, Letters):
            raise NoBoard
        (name,) = variables

        def at(env: Env, wanted: Any) -> Any:
            index = self.numpy.where(wanted, env[name], 0)
            if index.max() >= MOST_LETTERS:
                raise Outside
            return found.array(int(index.max()) + 1)[index]

        return at

    # -- predicates and calls ----------------------------------------------------------------

    def called(self, node: logic.PredicateAtom) -> _Called:
        """Return the relation that an atom calls."""
        if not self.program.is_call(node):
            return _Called(self.board.predicate(self.program.values.predicate(node.definition)), None, False)
        name = node.definition.name
        return _Called(name, self.board.programs[name].measure, not self.program.repeats[name])

    def check(self, called: _Called, env: Env, tuples: Sequence[Any], wanted: Any) -> None:
        """Raise Outside for a call that does not go down."""
        if called.measure is not None:
            there = called.measure.value(tuples)
            if self.numpy.any(wanted & (there >= env[HERE] if called.strict else there > env[HERE])):
                raise Outside

    def lookup(self, node: logic.PredicateAtom) -> OnLayer:
        """Return the function of a call or predicate whose arguments are known."""
        called, tables = self.called(node), self.board

        def there(env: Env, wanted: Any) -> Any:
            tuples, table = [env[name] for name in node.variables], tables.tables[called.key]
            self.check(called, env, tuples, wanted)
            return wanted & table.values[table.places(tuples, wanted)]

        return there

    # -- quantifiers -------------------------------------------------------------------------

    def at_least(
        self, count: int, parts: Sequence[Logic], known: frozenset[str], counted: frozenset[str] | None
    ) -> OnLayer:
        """Return the function that says where so many tuples of values satisfy all parts; `counted` as in cases_of."""
        counts = [self.count(case, known, count) for case in cases_of(parts, known, counted)]

        def enough(env: Env, wanted: Any) -> Any:
            total, open_cells = self.numpy.zeros(wanted.shape, int), wanted
            for each in counts:
                self.add_count(each, env, open_cells, total)
                open_cells = wanted & (total < count)
                if not open_cells.any():
                    break
            return wanted & ~open_cells

        return enough

    def add_count(self, count: OnLayer, env: Env, wanted: Any, total: Any) -> None:
        """Add to the total what a function counts; few wanted cells are taken out of the layer first."""
        cells = self.numpy.flatnonzero(wanted)
        if FEW * len(cells) > len(wanted):
            total += count(env, wanted)
        elif len(cells):
            few = {name: numbers if name == HERE else numbers[cells] for name, numbers in env.items()}
            total[cells] += count(few, wanted[cells])

    def count(self, case: Case, known: frozenset[str], most: int) -> OnLayer:
        """Return the function that counts the values of the free variables of a case; `most` are enough."""
        if not case.free:
            return self.determined(case, known)
        for name in case.free:
            bounds = self.interval(case, name)
            if bounds is None:
                continue
            touched = [part for part in case.others if case.touches(part, name)]
            if len(case.free) == 1 and len(touched) <= 1:
                line = self.line(case, name, touched, bounds, known)
                if line is not None:
                    return line
            return self.each_value(case, name, bounds, known, most)
        raise NoBoard

    def determined(self, case: Case, known: frozenset[str]) -> OnLayer:
        """Return the function of a case without free variables: 1 where it holds."""
        evaluated = self.evaluated(case)
        others = self.joined(case.others, known | frozenset(case.eliminated), False)

        def holds(env: Env, wanted: Any) -> Any:
            inner, wanted = evaluated(env, wanted)
            return others(inner, wanted).astype(int) if wanted.any() else wanted

        return holds

    def evaluated(self, case: Case) -> Callable[[Env, Any], tuple[Env, Any]]:
        """Return the function that adds the eliminated variables, and says where all forms are at most 0."""
        conditions = [_value_of(form) for form in case.at_most_0]
        values = {name: _value_of(form) for name, form in case.eliminated.items()}

        def evaluated(env: Env, wanted: Any) -> tuple[Env, Any]:
            for condition in conditions:
                wanted = wanted & (condition(env) <= 0)
            # What is not wanted may be negative, and is no index.
            return {**env, **{name: self.numpy.where(wanted, value(env), 0) for name, value in values.items()}}, wanted

        return evaluated

    def interval(self, case: Case, name: str) -> Callable[[Env], tuple[Any, Any]] | None:
        """Return the function for an interval that holds all values of a free variable; None where it has no end."""
        others = set(case.free) - {name}
        lows: list[tuple[int, Callable[[Env], Any]]] = []
        highs: list[tuple[int, Callable[[Env], Any]]] = []
        for form in case.at_most_0:
            factor = form.of(name)
            signs = [form.of(other) for other in others if form.of(other)]
            # A bound that names other free variables is one without them, too, where these make it smaller.
            if not factor or (signs and (factor < 0 or min(signs) < 0)):
                continue
            rest = Form({n: c for n, c in form.coefficients.items() if n != name and n not in others}, form.constant)
            (highs if factor > 0 else lows).append((abs(factor), _value_of(rest)))
        if not highs:
            return None

        def interval(env: Env) -> tuple[Any, Any]:
            low: Any = 0
            for factor, rest in lows:
                low = self.numpy.maximum(low, -(-rest(env) // factor))
            high = None
            for factor, rest in highs:
                end = -rest(env) // factor
                high = end if high is None else self.numpy.minimum(high, end)
            return low, high

        return interval

    def line(
        self, case: Case, name: str, touched: Sequence[Logic], bounds: Callable[[Env], tuple[Any, Any]],
        known: frozenset[str],
    ) -> OnLayer | None:
        """Return the function that counts the values of one variable by running sums; None where it cannot."""
        constant = Case(
            tuple(form for form in case.at_most_0 if not form.of(name)),
            tuple(part for part in case.others if part not in touched), (),
            {each: form for each, form in case.eliminated.items() if not form.of(name)},
        )
        once = self.determined(constant, known)
        members = None
        negated = False
        if touched:
            part = touched[0]
            negated = isinstance(part, logic.Not)
            atom = part.body if isinstance(part, logic.Not) else part
            if not isinstance(atom, logic.PredicateAtom):
                return None
            members = self.members_on_line(case, name, atom)
            if members is None:
                return None

        def count(env: Env, wanted: Any) -> Any:
            low, high = bounds(env)
            wanted = wanted & (low <= high)
            wanted = wanted & (once(env, wanted) > 0) if wanted.any() else wanted
            if not wanted.any():
                return wanted.astype(int)
            length = self.numpy.where(wanted, high - low + 1, 0)
            if members is None:
                return length
            found = members(env, low, high, wanted)
            return length - found if negated else found

        return count

    def members_on_line(
        self, case: Case, name: str, atom: logic.PredicateAtom
    ) -> Callable[[Env, Any, Any, Any], Any] | None:
        """Return the function that counts the members of a relation between two values of a variable."""
        called = self.called(atom)
        forms = [case.form(each) for each in atom.variables]
        direction = tuple(form.of(name) for form in forms)
        rise = called.measure.value(direction) if called.measure is not None else 0
        forward = rise > 0 or (rise == 0 and next(step for step in direction if step) > 0)
        if rise == 0 and called.measure is not None and gcd(*direction) > 1:
            return None
        if not forward:
            direction = tuple(-step for step in direction)
        self.board.add_direction(called.key, direction)
        values, board = [_value_of(form) for form in forms], self.board

        def members(env: Env, low: Any, high: Any, wanted: Any) -> Any:
            ends = [[value({**env, name: end}) + 0 * wanted for value in values] for end in (low, high)]
            first, last = ends if forward else reversed(ends)
            self.check(called, env, last, wanted)
            return board.tables[called.key].count(first, last, direction, wanted)

        return members

    def each_value(
        self, case: Case, name: str, bounds: Callable[[Env], tuple[Any, Any]], known: frozenset[str], most: int
    ) -> OnLayer:
        """Return the function that tries all values of one variable."""
        others = tuple(each for each in case.free if each != name)
        inner = self.count(Case(case.at_most_0, case.others, others, case.eliminated), known | {name}, most)

        def count(env: Env, wanted: Any) -> Any:
            numpy = self.numpy
            total = numpy.zeros(wanted.shape, int)
            low, high = (end + total for end in bounds(env))
            if wanted.any() and int((high - low)[wanted].max()) > MOST_VALUES:
                raise Outside
            block = FIRST_VALUES
            while len(cells := numpy.flatnonzero(wanted & (low <= high) & (total < most))):
                check_budget(self.board.budget, 0, "values of a recursion")
                # One lane for each cell and each of its next values.
                counts = numpy.minimum(high[cells] - low[cells] + 1, max(1, min(block, LANES // len(cells))))
                lanes = numpy.repeat(cells, counts)
                before = numpy.repeat(numpy.cumsum(counts) - counts, counts)
                values = low[lanes] + numpy.arange(len(lanes)) - before
                few = {each: numbers if each == HERE else numbers[lanes] for each, numbers in env.items()}
                found = inner({**few, name: values}, numpy.ones(len(lanes), bool))
                total += numpy.bincount(lanes, found, len(total)).astype(int)
                low[cells] += counts
                block *= 2
            return total

        return count


def _value_of(form: Form) -> Callable[[Env], Any]:
    """Return the function that is the value of a form."""
    terms, constant = [*form.coefficients.items()], form.constant
    return lambda env: sum([c * env[name] for name, c in terms], constant)
