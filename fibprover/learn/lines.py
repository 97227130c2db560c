"""Recursions with one call, always at the same distance: many steps at once, by numpy.

`n=0 | Em n=m+1 & $R(i,j,m) & X[i+m]=X[j+m]` asks (i,j,n) for (i,j,n-1), that for (i,j,n-2), and so on: a line of
tuples, on which all terms are linear in the number of steps, so that letters of words lie at regular distances in a
prefix.  The formula is computed for a piece of the line at a time, once with a call that is false and once with a call
that is true; the first tuple at which both agree decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from fibprover.learn.cases import Form
from fibprover.learn.connectives import conjuncts
from fibprover.learn.programs import Program
from fibprover.learn.reading import MOST_LETTERS, NO_LETTER, Letters, Reader
from fibprover.prover import logic
from fibprover.prover.logic import Logic, free_variables
from fibprover.prover.lower import RELATIONS
from fibprover.words.automatic import AutomaticWord

#: The steps in the first piece of a line; each further one has GROWTH times as many.
FIRST_STEPS = 32
GROWTH = 16

#: Computes a formula at `lo`, ..., `hi` - 1 steps from a tuple: an array, or one truth value for all.
OnLine = Callable[[Sequence[int], int, int], Any]


class TooFar(Exception):
    """Letters that lie beyond the longest prefix."""


class _NoLine(Exception):
    """The recursion is not of this form."""


def line_of(program: Program, letters: Callable[[AutomaticWord], Letters | Reader]) -> Line | None:
    """Return the function for a recursion of this form; None for any other, and where numpy is missing."""
    try:
        import numpy
    except ImportError:
        return None
    try:
        return Line(program, letters, numpy)
    except _NoLine:
        return None


class Line:
    """Computes a recursion at a tuple by the steps from it.  Raises TooFar."""

    def __init__(self, program: Program, letters: Callable[[AutomaticWord], Letters | Reader], numpy: Any) -> None:
        self.program = program
        self.letters = letters
        self.numpy = numpy
        parameters = program.equation.parameters
        self._units = {name: Form({name: 1}, 0) for name in parameters}
        self._places = {name: place for place, name in enumerate(parameters)}
        self._arguments: list[tuple[Form, ...]] = []
        self._called = False
        # The step is needed by the functions, and known only once the call has been seen.
        self.step: tuple[int, ...] = ()
        self._without = self.on_line(program.resolved.logic, self._units, True)
        if len(self._arguments) != 1:
            raise _NoLine
        self._called = True
        self._with = self.on_line(program.resolved.logic, self._units, True)
        (arguments,) = self._arguments[:1]
        units = [self._units[name] for name in parameters]
        if any(form.coefficients != unit.coefficients for form, unit in zip(arguments, units, strict=True)):
            raise _NoLine
        self.step = tuple(form.constant for form in arguments)
        self.down = -program.measure.value(self.step)
        if self.down <= 0:
            raise _NoLine

    def __call__(self, values: tuple[int, ...]) -> bool:
        """Return whether the relation holds a tuple."""
        steps = self.program.measure.value(values) // self.down + 1
        begin, size = 0, FIRST_STEPS
        while begin < steps:
            end = min(begin + size, steps)
            without, with_call = self._without(values, begin, end), self._with(values, begin, end)
            decided = self.numpy.broadcast_to(self.numpy.equal(without, with_call), (end - begin,))
            first = int(decided.argmax())
            if decided[first]:
                return bool(self.numpy.broadcast_to(without, (end - begin,))[first])
            begin, size = end, size * GROWTH
        return False

    def on_line(self, node: Logic, known: Mapping[str, Form], positive: bool) -> OnLine:
        """Return the function that computes a formula on a line; raise _NoLine for one that is not of this form."""
        match node:
            case logic.Truth():
                truth = node.value
                return lambda values, lo, hi: truth
            case logic.Universe():
                return lambda values, lo, hi: True
            case logic.Linear():
                return self.linear(node, known)
            case logic.WordLetter():
                return self.letter(node, known)
            case logic.WordPair():
                return self.pair(node, known)
            case logic.PredicateAtom() if self.is_own_call(node) and positive:
                self._arguments.append(tuple(known[name] for name in node.variables))
                called = self._called
                return lambda values, lo, hi: called
            case logic.Not():
                body, negation = self.on_line(node.body, known, not positive), self.numpy.logical_not
                return lambda values, lo, hi: negation(body(values, lo, hi))
            case logic.Implies():
                return self.on_line(logic.Or(logic.Not(node.left), node.right), known, positive)
            case logic.And() | logic.Or():
                left, right = self.on_line(node.left, known, positive), self.on_line(node.right, known, positive)
                join = self.numpy.logical_and if isinstance(node, logic.And) else self.numpy.logical_or
                return lambda values, lo, hi: join(left(values, lo, hi), right(values, lo, hi))
            case logic.Iff() | logic.Xor() if not self.program.has_call(node):
                left, right = self.on_line(node.left, known, positive), self.on_line(node.right, known, positive)
                agree = self.numpy.equal if isinstance(node, logic.Iff) else self.numpy.not_equal
                return lambda values, lo, hi: agree(left(values, lo, hi), right(values, lo, hi))
            case logic.Exists():
                return self.exists(node, known, positive)
        raise _NoLine

    def is_own_call(self, node: logic.PredicateAtom) -> bool:
        """Return whether an atom calls the relation itself, and not another one that is solved with it."""
        return self.program.is_call(node) and node.definition.name == self.program.equation.name

    def exists(self, node: logic.Exists, known: Mapping[str, Form], positive: bool) -> OnLine:
        """Return the function of a formula whose bound variables are determined by equations."""
        parts = conjuncts(node)
        unknown = set().union(*map(free_variables, parts)) - known.keys()
        forms, natural = dict(known), []
        while unknown:
            found = next((each for part in parts if (each := _determined(part, forms, unknown))), None)
            if found is None:
                raise _NoLine
            name, form = found
            forms[name] = form
            unknown.remove(name)
            natural.append(self.compared(form.plus(form, -2), "<=", 0))
        whole = [self.on_line(part, forms, positive) for part in parts]

        def all_of(values: Sequence[int], lo: int, hi: int) -> Any:
            result: Any = True
            for part in [*natural, *whole]:
                result = self.numpy.logical_and(result, part(values, lo, hi))
                if not self.numpy.any(result):
                    return False
            return result

        return all_of

    def linear(self, node: logic.Linear, known: Mapping[str, Form]) -> OnLine:
        total = Form({}, 0)
        for coefficient, name in zip(node.coefficients, node.variables, strict=True):
            total = total.plus(known[name], coefficient)
        return self.compared(total, node.relation, node.constant)

    def compared(self, form: Form, relation: str, constant: int) -> OnLine:
        """Return the function of a comparison."""
        holds, arange = RELATIONS[relation], self.numpy.arange

        def on_line(values: Sequence[int], lo: int, hi: int) -> Any:
            first, slope = self.weighed(form, values) + form.constant, self.weighed(form, self.step)
            return holds(first + slope * arange(lo, hi), constant) if slope else holds(first, constant)

        return on_line

    def weighed(self, form: Form, values: Sequence[int]) -> int:
        """Return a form without its constant at the values of the parameters; at a step, by how much it changes."""
        return sum(c * values[self._places[name]] for name, c in form.coefficients.items())

    def letters_on_line(self, word: AutomaticWord, form: Form) -> OnLine:
        """Return the function that gives the letters of a word with one index, which is a form."""
        letters = self.letters(word)
        if not isinstance(letters, Letters):
            raise _NoLine

        def on_line(values: Sequence[int], lo: int, hi: int) -> Any:
            slope = self.weighed(form, self.step)
            first = self.weighed(form, values) + form.constant + slope * lo
            greatest = max(first, first + slope * (hi - lo - 1))
            if greatest >= MOST_LETTERS:
                raise TooFar
            return self.taken(letters.array(greatest + 1), first, slope, hi - lo)

        return on_line

    def taken(self, array: Any, first: int, slope: int, count: int) -> Any:
        """Return an array at regular distances; what lies before its begin does not matter, as terms are natural."""
        if not slope:
            return array[max(first, 0)]
        last = first + slope * (count - 1)
        if min(first, last) < 0:
            places = first + slope * self.numpy.arange(count)
            return array[places.clip(0)]
        end = last + slope
        return array[first : (None if end < 0 else end) : slope]

    def letter(self, node: logic.WordLetter, known: Mapping[str, Form]) -> OnLine:
        letters, wanted = self.letters_on_line(node.word, known[node.variables[0]]), [*node.letters]
        return lambda values, lo, hi: self.numpy.isin(letters(values, lo, hi), wanted)

    def pair(self, node: logic.WordPair, known: Mapping[str, Form]) -> OnLine:
        left = self.letters_on_line(node.left, known[node.left_variables[0]])
        right = self.letters_on_line(node.right, known[node.right_variables[0]])
        holds = RELATIONS[node.relation]

        def on_line(values: Sequence[int], lo: int, hi: int) -> Any:
            first, second = left(values, lo, hi), right(values, lo, hi)
            return (first != NO_LETTER) & (second != NO_LETTER) & holds(first, second)

        return on_line


def _determined(part: Logic, known: Mapping[str, Form], unknown: Collection[str]) -> tuple[str, Form] | None:
    """Return the unknown variable that an equation with coefficient 1 or -1 determines, and its linear form."""
    if not isinstance(part, logic.Linear) or part.relation != "=":
        return None
    terms = dict(zip(part.variables, part.coefficients, strict=True))
    missing = [name for name in terms if name in unknown]
    if len(missing) != 1 or abs(terms[missing[0]]) != 1:
        return None
    sign = terms.pop(missing[0])
    form = Form({}, sign * part.constant)
    for name, coefficient in terms.items():
        form = form.plus(known[name], -sign * coefficient)
    return missing[0], form
