"""Relations as tables: the truth values at all tuples below a size, and how many members lie on a piece of a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

#: By how much each parameter changes from one tuple of a line to the next.
Direction = tuple[int, ...]


class Outside(Exception):
    """A tuple that is not below the size of its table, or whose value is not known yet."""


class Table:
    """The truth values of a relation at all tuples below a size; numbers of tuples are arrays, one for each place.

    For each direction in `directions` there are running sums: at a tuple, the number of members from the edge of the
    table on, in steps of this direction.
    """

    def __init__(self, numpy: Any, size: int, places: int, directions: Sequence[Direction]) -> None:
        self.numpy = numpy
        self.size = size
        self.strides = tuple(size ** (places - 1 - place) for place in range(places))
        self.values = numpy.zeros(size**places, bool)
        self.sums = {each: numpy.zeros(size**places, numpy.int32) for each in directions}

    def inside(self, tuples: Sequence[Any]) -> Any:
        """Return which tuples are below the size."""
        result = True
        for numbers in tuples:
            result = self.numpy.logical_and(result, (numbers >= 0) & (numbers < self.size))
        return result

    def places(self, tuples: Sequence[Any], wanted: Any) -> Any:
        """Return the places of tuples in the table, 0 where none is wanted; raise Outside for one that has none."""
        if not self.numpy.all(self.inside(tuples) | ~wanted):
            raise Outside
        return self.numpy.where(wanted, self._places(tuples), 0)

    def _places(self, tuples: Sequence[Any]) -> Any:
        return sum(numbers * stride for numbers, stride in zip(tuples, self.strides, strict=True))

    def set_layer(self, cells: Sequence[Any], values: Any, along: Sequence[Direction]) -> None:
        """Set the values at cells; the sums are known at the cells before them.

        The cells before are not among these, but for the directions in `along`, where these cells follow each other.
        """
        numpy, here = self.numpy, self._places(cells)
        self.values[here] = values
        for direction, sums in self.sums.items():
            if direction in along:
                sums[here] = numpy.cumsum(values)
            else:
                sums[here] = values + self._before(sums, cells, direction)

    def set_all(self, values: Any) -> None:
        """Set all values; each direction is positive at its first place that is not 0."""
        self.values = values.reshape(-1)
        shape = (self.size,) * len(self.strides)
        for direction, sums in self.sums.items():
            board = sums.reshape(shape)
            board[...] = self.values.reshape(shape)
            for here, before in _slices(direction, self.size):
                board[here] += board[before]

    def count(self, first: Sequence[Any], last: Sequence[Any], direction: Direction, wanted: Any) -> Any:
        """Return how many members lie on pieces of lines from `first` to `last`, 0 where none is wanted."""
        sums, numpy = self.sums[direction], self.numpy
        self.places(first, wanted)
        found = sums[self.places(last, wanted)] - self._before(sums, first, direction)
        return numpy.where(wanted, found, 0)

    def _before(self, sums: Any, tuples: Sequence[Any], direction: Direction) -> Any:
        """Return the sums one step before tuples: 0 outside of the table."""
        before = [numbers - step for numbers, step in zip(tuples, direction, strict=True)]
        inside = self.inside(before)
        return self.numpy.where(inside, sums[self.numpy.where(inside, self._places(before), 0)], 0)


def _slices(direction: Direction, size: int) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Yield pieces of a table and, for each, what lies one step before it, in an order such that this is complete."""
    lead = next(place for place, step in enumerate(direction) if step)
    for at in range(direction[lead], size):
        here: list[Any] = []
        before: list[Any] = []
        for place, step in enumerate(direction):
            if place == lead:
                here.append(at)
                before.append(at - step)
            else:
                here.append(slice(max(step, 0), size + min(step, 0)))
                before.append(slice(max(-step, 0), size - max(step, 0)))
        yield tuple(here), tuple(before)
