"""Automata in CSR arrays, recoded letters, and the numbering of objects in the order in which they are found."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import compress, islice, pairwise
from operator import ge, gt, itemgetter
from typing import TypeAlias, TypeVar

from fibprover.automata.kernels.python.budget import FUEL, InvalidArrayError, Meter, TooLargeError

Key = TypeVar("Key", bound=Hashable)

#: Offsets, codes, targets and outputs of an automaton.
Arrays: TypeAlias = "tuple[memoryview[int], memoryview[int], memoryview[int], memoryview[int]]"

Integers: TypeAlias = "memoryview[int] | array[int]"

#: Returns some items of a row.
Picker: TypeAlias = Callable[[Sequence[int]], Sequence[int]]

#: Tables of recoded letters have at most so many entries, and a letter so many parts.
LARGEST_TABLE = 1 << 16
MOST_PARTS = 64


class Csr:
    """A deterministic automaton: what every kernel takes.

    offsets, codes: of format "q"; targets, outputs: of format "i"; letters: number of letters the codes may range
    over.  Raises InvalidArrayError if the arrays are no automaton.  O(states + transitions).
    """

    __slots__ = ("arrays", "codes", "letters", "offsets", "outputs", "states", "targets", "transitions")

    def __init__(
        self,
        offsets: memoryview[int],
        codes: memoryview[int],
        targets: memoryview[int],
        outputs: memoryview[int],
        letters: int,
    ) -> None:
        self.arrays: Arrays | None = (offsets, codes, targets, outputs)
        self.offsets = offsets.tolist()
        self.codes = codes.tolist()
        self.targets = targets.tolist()
        self.outputs = outputs.tolist()
        self.states = len(self.outputs)
        self.transitions = len(self.codes)
        self.letters = letters
        if self.states < 1 or len(self.offsets) != self.states + 1 or len(self.targets) != self.transitions:
            raise InvalidArrayError("the arrays of an automaton do not fit together")
        if not self._well_formed(letters):
            raise InvalidArrayError(
                "the offsets, codes or targets of an automaton are out of order or out of range"
            )

    @classmethod
    def of(cls, offsets: list[int], codes: list[int], targets: list[int], outputs: list[int]) -> Csr:
        """Return an automaton whose lists need no check."""
        made = cls.__new__(cls)
        made.arrays = None
        made.offsets, made.codes, made.targets, made.outputs = offsets, codes, targets, outputs
        made.states, made.transitions = len(outputs), len(codes)
        return made

    def _well_formed(self, letters: int) -> bool:
        """Return whether offsets rise from 0 to the end, rows are strictly sorted, codes and targets in range."""
        offsets, codes, targets = self.offsets, self.codes, self.targets
        if offsets[0] != 0 or offsets[-1] != len(codes) or any(map(gt, offsets, offsets[1:])):
            return False
        if not codes:
            return True
        if min(codes) < 0 or max(codes) >= letters or min(targets) < 0 or max(targets) >= self.states:
            return False
        # Codes may fall only where a row begins.
        return set(compress(range(1, len(codes)), map(ge, codes, codes[1:]))).issubset(offsets)

    def export(self) -> Arrays:
        """Return the four arrays as read-only memoryviews of "q", "q", "i", "i"."""
        if self.arrays is None:
            self.arrays = exported(
                array("q", self.offsets), array("q", self.codes), array("i", self.targets), array("i", self.outputs)
            )
        return self.arrays

    def row(self, state: int) -> list[int]:
        """Return the targets of a state, by letter code."""
        return self.targets[self.offsets[state] : self.offsets[state + 1]]

    def rows(self) -> list[list[int]]:
        """Return the targets of all states."""
        targets = self.targets
        return [targets[begin:end] for begin, end in pairwise(self.offsets)]

    def letters_of(self, state: int) -> list[int]:
        """Return the letter codes of a state."""
        return self.codes[self.offsets[state] : self.offsets[state + 1]]

    def shapes(self) -> tuple[list[int], list[tuple[int, ...]]]:
        """Return the shape of each state, and the letter codes of each shape.

        States with the same letters have the same shape; there are far fewer shapes than states in most automata,
        and what depends on letters alone is done once a shape.
        """
        codes = self.codes
        numbers: dict[tuple[int, ...], int] = {}
        of_state = [
            numbers.setdefault(tuple(codes[begin:end]), len(numbers)) for begin, end in pairwise(self.offsets)
        ]
        return of_state, list(numbers)


def exported(offsets: array[int], codes: array[int], targets: array[int], outputs: array[int]) -> Arrays:
    """Return read-only views of arrays, which must not be changed afterwards."""
    return (
        memoryview(offsets).toreadonly(),
        memoryview(codes).toreadonly(),
        memoryview(targets).toreadonly(),
        memoryview(outputs).toreadonly(),
    )


def nothing(meter: Meter) -> Arrays:
    """Return the automaton of the empty language: one state without transitions."""
    meter.progress(1, 0)
    return exported(array("q", [0, 0]), array("q"), array("i"), array("i", [0]))


class Numbering(dict[Key, int]):
    """Numbers keys in the order in which they are first looked up: `found` lists them by number."""

    __slots__ = ("found", "meter")

    def __init__(self, meter: Meter, *first: Key) -> None:
        super().__init__()
        self.meter = meter
        self.found: list[Key] = []
        for key in first:
            self[key]

    def __missing__(self, key: Key) -> int:
        number = len(self.found)
        if number >= self.meter.ceiling:
            raise self.meter.too_many()
        self[key] = number
        self.found.append(key)
        return number


class Recode:
    """Maps a letter code to the sum of digit index * weight over the tracks.

    radices, weights: one a track, first track most significant; a weight of 0 drops the track; letters: number of
    results; uses: about how many codes will be recoded.  Neighbouring tracks share a table.
    """

    __slots__ = ("identity", "letters", "parts")

    def __init__(
        self, radices: tuple[int, ...], weights: tuple[int, ...], letters: int, uses: int, meter: Meter
    ) -> None:
        self.letters = letters
        self.identity = True
        natural = 1
        for radix, weight in zip(reversed(radices), reversed(weights), strict=True):
            if radix > 1 and weight != natural:
                self.identity = False
            natural *= radix
        #: Tables of the results for parts of the letter, least significant first.
        self.parts: list[Sequence[int]] = []
        if not self.identity:
            self._tabulate(radices, weights, min(LARGEST_TABLE, max(32, 2 * uses)))
            if len(self.parts) > MOST_PARTS:
                raise TooLargeError(f"letters of more than {MOST_PARTS} parts")

    def _tabulate(self, radices: tuple[int, ...], weights: tuple[int, ...], limit: int) -> None:
        for radix, weight in zip(reversed(radices), reversed(weights), strict=True):
            if radix == 1:
                continue
            single = range(0, radix * weight, weight) if weight else [0] * radix
            if self.parts and len(self.parts[-1]) * radix <= limit:
                low = self.parts.pop()
                self.parts.append([high + value for high in single for value in low])
            else:
                self.parts.append(single)

    def one(self, code: int) -> int:
        """Return the new code of a letter."""
        if self.identity:
            return code
        result = 0
        for part in self.parts:
            code, value = divmod(code, len(part))
            result += part[value]
        return result

    def all(self, codes: Sequence[int], meter: Meter) -> Sequence[int]:
        """Return the new codes of letters."""
        meter.work(len(codes))
        if self.identity:
            return codes
        if len(self.parts) == 1:
            return list(map(self.parts[0].__getitem__, codes))
        result: list[int] = []
        one = self.one
        for begin in range(0, len(codes), FUEL):
            result.extend(map(one, codes[begin : begin + FUEL]))
            meter.poll()
        return result


def picker(places: Sequence[int], width: int) -> Picker:
    """Return a function that picks the items at these places of a sequence of at least `width` items as a tuple."""
    if len(places) == 1:
        (place,) = places
        return itemgetter(slice(place, place + 1 or None))
    if len(places) == width and list(places) == list(range(width)):
        return itemgetter(slice(0, width))
    return itemgetter(*places) if places else itemgetter(slice(0, 0))


def extend_long(row: array[int], items: Iterable[int], meter: Meter) -> None:
    """Append items to an array piece by piece: a single row may be longer than the time allows."""
    iterator: Iterator[int] = iter(items)
    size = -1
    while size < len(row):
        size = len(row)
        row.extend(islice(iterator, FUEL))
        meter.poll()
