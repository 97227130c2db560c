"""Values of recursions on a whole board, by layers: all tuples of one measure at a time, by numpy.

A formula is computed for all cells of a layer at once (`fibprover.learn.layers`).  A cell costs about as much as the
formula is long where quantifiers are about lines through the board, even if a player has many moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fibprover.base.limits import Budget, check_budget
from fibprover.learn.cases import NoCases
from fibprover.learn.layers import HERE, Compiler, Env, NoBoard, OnLayer
from fibprover.learn.programs import CannotEvaluate, Program
from fibprover.learn.reading import Reader, transition_table
from fibprover.learn.tables import Direction, Outside, Table

#: The largest size: a board takes a byte a tuple, and four more for each direction of lines.
MOST_SIZE = 4096


class Board:
    """The relations of a recursion on a board.  Raises NoBoard for recursions without one.

    After `fill`, `values` are right for tuples of numbers below `size` and of a measure below `known`.
    """

    most = MOST_SIZE
    every = True

    def __init__(self, programs: Mapping[str, Program], budget: Budget) -> None:
        try:
            import numpy
        except ImportError:
            raise NoBoard from None
        self.numpy: Any = numpy
        self.programs = programs
        self.budget = budget
        self.size = self.known = 0
        self.tables: dict[str | int, Table] = {}
        self._directions: dict[str | int, set[Direction]] = {name: set() for name in programs}
        self._predicates: dict[int, Reader] = {}
        self._formulas: dict[str, OnLayer] = {}
        for name, program in programs.items():
            if len(program.equation.parameters) > 2 or not any(program.measure.coefficients.values()):
                raise NoBoard
            try:
                known = frozenset(program.equation.parameters)
                self._formulas[name] = Compiler(self, program).formula(program.resolved.logic, known)
            except (CannotEvaluate, NoCases):
                raise NoBoard from None

    def holds(self, name: str, numbers: Sequence[int]) -> bool | None:
        """Return whether a relation holds numbers, None where this is not known."""
        if max(numbers) >= self.size or self.programs[name].measure.value(numbers) >= self.known:
            return None
        table = self.tables[name]
        return bool(table.values[sum(x * stride for x, stride in zip(numbers, table.strides, strict=True))])

    def square(self, name: str) -> int:
        """Return the bound below which all tuples of a relation are known."""
        total = sum(self.programs[name].measure.coefficients.values())
        return min(self.size, (self.known - 1) // total + 1)

    def members(self, name: str, bound: int) -> Any:
        """Return the members of a relation whose numbers are below a bound: an array of one row for each."""
        shape = (self.size,) * len(self.tables[name].strides)
        inside = self.tables[name].values.reshape(shape)[(slice(bound),) * len(shape)]
        return self.numpy.argwhere(inside)

    # -- predicates and directions -----------------------------------------------------------

    def predicate(self, reader: Reader) -> int:
        """Return the key of the table of a defined predicate."""
        if len(reader.systems) > 2 or any(system.signed for system in reader.systems):
            raise NoBoard
        key = id(reader)
        self._predicates[key] = reader
        self._directions.setdefault(key, set())
        return key

    def add_direction(self, key: str | int, direction: Direction) -> None:
        """Ask for running sums along a direction."""
        self._directions[key].add(direction)

    # -- the layers --------------------------------------------------------------------------

    def fill(self, size: int) -> None:
        """Compute all values below a size, layer by layer, up to the first that asks for a tuple outside."""
        self.size, self.known = size, 0
        self.tables = {}
        for key, directions in self._directions.items():
            places = len(self.programs[key].equation.parameters) if isinstance(key, str) else (
                len(self._predicates[key].systems)
            )
            self.tables[key] = Table(self.numpy, size, places, sorted(directions))
        for predicate, reader in self._predicates.items():
            self.tables[predicate].set_all(self._truth(reader, size))
        last = max(sum(each.measure.coefficients.values()) * (size - 1) for each in self.programs.values())
        for here in range(last + 1):
            check_budget(self.budget, 0, "values of a recursion")
            try:
                for name, program in self.programs.items():
                    self._fill_layer(name, program, here)
            except Outside:
                break
            self.known = here + 1

    def _fill_layer(self, name: str, program: Program, here: int) -> None:
        measure = program.measure
        cells = self._layer([*measure.coefficients.values()], here)
        if not len(cells[0]):
            return
        env: Env = dict(zip(program.equation.parameters, cells, strict=True))
        env[HERE] = here
        values = self._formulas[name](env, self.numpy.ones(len(cells[0]), bool))
        along = [each for each in self._directions[name] if not measure.value(each)]
        self.tables[name].set_layer(cells, values, along)

    def _layer(self, weights: Sequence[int], here: int) -> list[Any]:
        """Return the tuples of one measure, ordered by the first number, then by the second."""
        numpy, size = self.numpy, self.size
        everything = numpy.arange(size)
        if len(weights) == 1:
            at, rest = divmod(here, weights[0])
            return [everything[at : at + 1] if not rest else everything[:0]]
        first, second = weights
        if not first or not second:
            weight = first or second
            at = here // weight
            count = size if here % weight == 0 and at < size else 0
            fixed, other = numpy.full(count, at), everything[:count]
            return [fixed, other] if first else [other, fixed]
        begin = max(0, -((second * (size - 1) - here) // first))
        numbers = numpy.arange(begin, min(size, here // first + 1))
        rest, remainder = (here - first * numbers) // second, (here - first * numbers) % second
        wanted = (remainder == 0) & (rest < size)
        return [numbers[wanted], rest[wanted]]

    def _truth(self, reader: Reader, size: int) -> Any:
        """Return where a predicate holds: its automaton reads a digit of all tuples at a time."""
        numpy, automaton = self.numpy, reader.automaton
        table = transition_table(numpy, automaton)
        words = [[system.represent(number) for number in range(size)] for system in reader.systems]
        length = max((len(word) for track in words for word in track), default=0)
        columns = [
            numpy.array([(0,) * (length - len(word)) + tuple(word) for word in track], int).reshape(size, length)
            for track in words
        ]
        states = numpy.zeros((size,) * len(columns), numpy.int32)
        for place in range(length):
            codes = numpy.zeros((1,) * len(columns), numpy.int32)
            for track, (column, radix) in enumerate(zip(columns, automaton.radices, strict=True)):
                shape = [size if other == track else 1 for other in range(len(columns))]
                codes = codes * radix + column[:, place].reshape(shape)
            states = table[states, codes]
        return numpy.array([*automaton.outputs, 0], bool)[states]
