"""Evaluation of a recursion at single tuples of numbers: what the learner asks.

All values of the relation are kept.  Answers are data, from which a candidate is made; the proof does not rest on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import add
from typing import Any

from fibprover.base.limits import Budget, check_budget
from fibprover.learn.boards import Board
from fibprover.learn.layers import NoBoard
from fibprover.learn.lines import Line, TooFar, line_of
from fibprover.learn.programs import Program, Task
from fibprover.learn.reading import Letters, Reader
from fibprover.learn.recursion import Measure, Recursion
from fibprover.prover.bind import bind
from fibprover.prover.environment import Definition, Environment
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.lower import lower
from fibprover.words.automatic import AutomaticWord

#: Evaluations of the relation inside each other; beyond this they are done one after the other.
DEPTH = 20

#: Steps of a line that are computed one by one before many are at once.
STEPS_ALONE = 6


#: To compute a value that asks for so many others takes as long as to compute two that ask for few.
ASKED = 16


#: The most rows of a sample.
MOST_ROWS = 1 << 17


class _Deeper(Exception):
    """A value that has to be computed first, since too many evaluations are inside each other."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.task = task


class _Logged(dict[Task, Any]):
    """Known values, of which those that are asked for are noted."""

    def __init__(self, known: dict[Task, Any], log: list[Task]) -> None:
        super().__init__(known)
        self.log = log

    def get(self, task: Task, default: Any = None) -> Any:
        self.log.append(task)
        return super().get(task, default)


class Evaluator:
    """Computes a recursion with a measure at tuples of numbers.

    Raises NotGoingDown where the measure is none, CannotEvaluate for formulas that are no programs.  computed: how many
    values and rows were computed; asked: how many others they asked for.
    """

    def __init__(
        self, recursion: Recursion, measures: Mapping[str, Measure], environment: Environment, budget: Budget
    ) -> None:
        self.environment = recursion.environment(environment)
        self.budget = budget
        self.computed = self.asked = 0
        self._depth = 0
        #: The answer to all calls meanwhile.
        self._stub: bool | None = None
        self._known: dict[Task, Any] = {}
        self._words: dict[str, Letters | Reader] = {}
        self._predicates: dict[int, tuple[Definition, Reader]] = {}
        self.programs: dict[str, Program] = {}
        for each in recursion.equations:
            repeats = {other.name: recursion.may_repeat(each.name, other.name) for other in recursion.equations}
            resolved = lower(bind(each.source, self.environment), self.environment)
            self.programs[each.name] = Program(each, resolved, measures[each.name], self, repeats)
        self._compile_rows()
        #: Values that are known, as they were computed on a board.
        self.board: Board | None = None
        self._lines: dict[str, Line | None] = {
            name: None if program.row else line_of(program, self.letters) for name, program in self.programs.items()
        }

    def source(self) -> Board | Rows | None:
        """Return what computes all values below a size: rows, or a board, whose values are used later; or None."""
        if all(program.row and len(program.measured) == 1 for program in self.programs.values()):
            try:
                return Rows(self)
            except ImportError:
                return None  # Nothing can be inferred without numpy.
        if any(program.row or self._lines[name] for name, program in self.programs.items()):
            return None
        try:
            self.board = Board(self.programs, self.budget)
        except NoBoard:
            return None
        return self.board

    def row(self, name: str, measured: int) -> frozenset[tuple[int, ...]]:
        """Return the tuples of a relation with rows that have this measured number."""
        program = self.programs[name]
        others: frozenset[tuple[int, ...]] = self._finished((True, name, (measured,)))
        return frozenset(program.joined((measured,), each) for each in others)

    def _compile_rows(self) -> None:
        """Find the relations with rows: the largest set such that the rows of each need those of the set alone."""
        for program in self.programs.values():
            program.programs = self.programs
        while True:
            failed = [each for each in self.programs.values() if each.row and not each.compile_row()]
            for program in failed:
                program.row = False
            if not failed:
                return

    @property
    def work(self) -> int:
        """The amount of work so far, in values that ask for few others."""
        return self.computed + self.asked // ASKED

    def __call__(self, name: str, values: tuple[int, ...]) -> bool:
        """Return whether the relation holds the numbers, as its recursion says."""
        program = self.programs[name]
        known = self.board.holds(name, values) if self.board is not None else None
        if known is not None:
            return known
        if program.row:
            measured, others = program.parted(values)
            return others in self._finished((True, name, measured))
        line = self._lines[name]
        if line is not None:
            task = False, name, values
            if task not in self._known:
                self._known[task] = self._on_line(program, line, values)
            return bool(self._known[task])
        return bool(self._finished((False, name, values)))

    def _on_line(self, program: Program, line: Line, values: tuple[int, ...]) -> bool:
        """Return a value by the steps from a tuple: the first few one by one, which often suffices."""
        for _ in range(STEPS_ALONE):
            here = self._stubbed(program, values, False)
            if here == self._stubbed(program, values, True):
                return here
            values = tuple(map(add, values, line.step))
        self.computed += 1
        try:
            return line(values)
        except TooFar:
            return bool(self._finished((False, program.equation.name, values)))

    def _stubbed(self, program: Program, values: tuple[int, ...], answer: bool) -> bool:
        """Return what the formula says of a tuple if all calls have this answer."""
        self._stub = answer
        try:
            return program.value(values)
        finally:
            self._stub = None

    def calls(self, name: str, values: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the tuples that the formula asks for at a tuple and that are known; of rows, their members."""
        log: list[Task] = []
        known, self._known = self._known, _Logged(self._known, log)
        try:
            self.programs[name].value(values)
        except _Deeper:
            pass
        finally:
            self._known = known
        for is_row, called, asked in dict.fromkeys(log):
            if not is_row:
                yield called, asked
            else:
                for others in known.get((is_row, called, asked), ()):
                    yield called, self.programs[called].joined(asked, others)

    def with_value(self, name: str, values: tuple[int, ...], assumed: bool) -> bool | None:
        """Return what the formula says of a tuple if its own value is assumed to be this one; None if it asks on."""
        program, task = self.programs[name], (False, name, values)
        program.assumed, self._known[task] = values, assumed
        try:
            return program.value(values)
        except _Deeper:
            return None
        finally:
            program.assumed = None
            del self._known[task]

    def _finished(self, wanted: Task) -> Any:
        waiting = [wanted]
        while waiting:
            task = waiting[-1]
            if task not in self._known:
                self._depth = 0
                try:
                    self._known[task] = self._compute(task)
                except _Deeper as deeper:
                    waiting.append(deeper.task)
                    continue
            waiting.pop()
        return self._known[wanted]

    def _compute(self, task: Task) -> Any:
        self.computed += 1
        if not self.computed & 63:
            check_budget(self.budget, 0, "values of a recursion")
        is_row, name, values = task
        program = self.programs[name]
        return program.listed(values) if is_row else program.value(values)

    def inner(self, task: Task) -> Any:
        """Return a value that another evaluation needs."""
        if self._stub is not None:
            return self._stub
        self.asked += 1
        known = self._known.get(task)
        if known is None and self.board is not None and not task[0]:
            known = self.board.holds(task[1], task[2])
        if known is not None:
            return known
        if self._depth >= DEPTH:
            raise _Deeper(task)
        self._depth += 1
        try:
            value = self._known[task] = self._compute(task)
        finally:
            self._depth -= 1
        return value

    def letters(self, word: AutomaticWord) -> Letters | Reader:
        """Return the letters of a word."""
        if word.name not in self._words:
            systems = [self.environment.system(track.system) for track in word.tracks]
            self._words[word.name] = (
                Letters(word.machine, systems[0], self.budget) if len(systems) == 1
                else Reader(word.machine, self.environment.system)
            )
        return self._words[word.name]

    def predicate(self, definition: Definition) -> Reader:
        """Return the automaton of a defined predicate."""
        if id(definition) not in self._predicates:
            automaton = definition.automaton
            if definition.raw:
                sorts = dict(zip(automaton.names, definition.sorts, strict=True))
                automaton = Atoms(self.environment.system, sorts, self.budget).relation(automaton, automaton.names)
            # The definition is kept, so that no other one gets its identity.
            self._predicates[id(definition)] = definition, Reader(automaton, self.environment.system)
        return self._predicates[id(definition)][1]


class Rows:
    """The rows of relations below a size, all of which are measured by one parameter."""

    most = MOST_ROWS
    every = False

    def __init__(self, evaluator: Evaluator) -> None:
        import numpy

        self._numpy = numpy
        self._evaluator = evaluator
        self.size = 0

    def fill(self, size: int) -> None:
        """Compute the rows of all numbers below a size."""
        self.size = size
        for number in range(size):
            for name in self._evaluator.programs:
                self._evaluator.row(name, number)

    def square(self, name: str) -> int:
        """Return the bound below which all tuples of a relation are known."""
        return self.size

    def members(self, name: str, bound: int) -> Any:
        """Return the members of a relation whose numbers are below a bound: an array of one row for each."""
        found = [
            each for number in range(bound) for each in sorted(self._evaluator.row(name, number)) if max(each) < bound
        ]
        places = len(self._evaluator.programs[name].equation.parameters)
        return self._numpy.array(found, self._numpy.int64).reshape(len(found), places)
