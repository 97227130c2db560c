"""The words of an automaton, one after the other: by length, then letter codes; as codes, or as tuples of numbers."""

from __future__ import annotations

from array import array

from fibprover.automata.kernels.python.arrays import Csr, Integers
from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter
from fibprover.automata.kernels.python.questions import inner_states


class WordSearch:
    """A search for the words that do not begin with the letter `zero` (-1: for all words), which can be continued.

    radices: the alphabet sizes of the tracks, first track most significant; weights: what digit 1 is worth at the last
    place, the last but one, ..., `places` of them for each track.  Words that are longer are found as codes.  No
    places: all words are found as codes.  `ended`: there are no longer words.
    """

    def __init__(
        self, a: Csr, zero: int, radices: tuple[int, ...], weights: Integers, places: int, meter: Meter
    ) -> None:
        if places < 0 or len(weights) != len(radices) * places or min((1, *radices)) < 1:
            raise InvalidArrayError("there must be one weight for each place of each track")
        meter.poll()
        self.a, self.zero, self.radices, self.places = a, zero, radices, places
        #: Of each place from the last one: what digit 1 of each track is worth.
        self.weights = [[weights[track * places + place] for track in range(len(radices))] for place in range(places)]
        self.ended = False
        self.begun = False
        self.length = 0
        #: How many letters are chosen, less one; -1: the words of this length are done.
        self.depth = -1
        self.marks = inner_states(a, zero, meter)
        #: For each length, which of the marked states accept a word of so many letters.
        self.levels: list[bytearray] = []
        self.states = [0]
        self.tried = [0]
        self.sums = [(0,) * len(radices)]
        self.digits: dict[int, tuple[int, ...]] = {}

    def numbers(self, count: int, meter: Meter) -> memoryview[int]:
        """Return the next tuples, at most `count`, one after the other; fewer if there are no others of few digits."""
        meter.poll()
        found = array("q")
        rows = 0
        if self._begins(count):
            found.extend((0,) * len(self.radices))
            rows = 1
        while rows < count and not self.ended and self.length <= self.places:
            if self.depth < 0 and (self.length == self.places or not self._lengthen(meter)):
                break
            if self._step(meter):
                found.extend(self.sums[self.length])
                rows += 1
        return memoryview(found).toreadonly()

    def codes(self, count: int, meter: Meter) -> tuple[int, int, memoryview[int]]:
        """Return the length, the number and the letter codes of the next words of one length, at most `count`.

        None are returned only if there are no others, or if `count` is 0.
        """
        meter.poll()
        found = array("q")
        words = 0
        if self._begins(count):
            words = count = 1
        while words < count and not self.ended:
            if self.depth < 0 and (words or not self._lengthen(meter)):
                break
            if self._step(meter):
                found.extend(self.a.codes[place - 1] for place in self.tried[: self.length])
                words += 1
                meter.work(self.length)
        return self.length, words, memoryview(found).toreadonly()

    def _begins(self, count: int) -> bool:
        """Return whether the empty word is the first one, and has not been returned."""
        if self.begun or count <= 0:
            return False
        self.begun = True
        return bool(self.a.outputs[0])

    def _lengthen(self, meter: Meter) -> bool:
        """Go on to the words with one more letter; return False if no word is that long or longer."""
        a, marks = self.a, self.marks
        if self.length:
            before = self.levels[-1].__getitem__
            level = bytearray(a.states)
            for state, mark in enumerate(marks):
                if mark:
                    row = a.row(state)
                    level[state] = any(map(before, row))
                    meter.work(len(row) + 1)
        else:
            level = bytearray(1 if mark and output else 0 for mark, output in zip(marks, a.outputs, strict=True))
        meter.work(a.states)
        meter.hold(a.states * (len(self.levels) + 1))
        if not any(level):
            self.ended = True
            return False
        self.levels.append(level)
        self.length += 1
        self.states.append(0)
        self.tried.append(0)
        self.sums.append(self.sums[0])
        self.tried[0] = a.offsets[0]
        self.depth = 0
        return True

    def _step(self, meter: Meter) -> bool:
        """Go on to the next word of this length; return False, with depth -1, if there is none."""
        offsets, codes, targets = self.a.offsets, self.a.codes, self.a.targets
        states, tried, length, depth = self.states, self.tried, self.length, self.depth
        while depth >= 0:
            place, end = tried[depth], offsets[states[depth] + 1]
            level = self.levels[length - 1 - depth]
            begun = place
            while place < end and (not level[targets[place]] or (depth == 0 and codes[place] == self.zero)):
                place += 1
            meter.work(place - begun + 1)
            if place == end:
                depth -= 1
                continue
            tried[depth] = place + 1
            if length <= self.places:
                self._add_digits(codes[place], depth)
            depth += 1
            if depth == length:
                self.depth = depth - 1
                return True
            states[depth] = targets[place]
            tried[depth] = offsets[targets[place]]
        self.depth = -1
        return False

    def _add_digits(self, code: int, depth: int) -> None:
        """Add what the digits of a letter are worth to the sums of those before it."""
        digits = self.digits.get(code)
        if digits is None:
            rest, found = code, []
            for radix in reversed(self.radices):
                rest, digit = divmod(rest, radix)
                found.append(digit)
            digits = self.digits[code] = tuple(reversed(found))
        weights = self.weights[self.length - 1 - depth]
        self.sums[depth + 1] = tuple(
            [total + digit * weight for total, digit, weight in zip(self.sums[depth], digits, weights, strict=True)]
        )
