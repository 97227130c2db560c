"""Longest common extensions of factors of an automatic word, and of reversed ones, from its letters one by one."""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter

#: What the longest common extension is where numbers are too large for the blocks.
BEYOND = -2


class Extensions:
    """The letters of a word, by contract of the kernel; a number is read by its rank among all words of a length."""

    def __init__(
        self, targets: Sequence[int], before: Sequence[int], letters: Sequence[int], digits: int, other: int,
        point: int, meter: Meter,
    ) -> None:
        self.targets, self.before, self.letters, self.digits, self.other = targets, before, letters, digits, other
        self.row = len(letters) * (digits + 1)
        self.levels = len(before) // self.row
        self.most = int(before[(self.levels - 1) * self.row + digits])
        meter.work(len(before))

    def letter(self, number: int, state: int = 0) -> int:
        """Return the letter at a number, from a first state."""
        for level in range(self.levels - 1, 0, -1):
            at = level * self.row + state * (self.digits + 1)
            digit = max(d for d in range(self.digits) if self.before[at + d] <= number < self.before[at + d + 1])
            number -= int(self.before[at + digit])
            state = int(self.targets[state * self.digits + digit])
        return int(self.letters[state])

    def clipped(
        self, i: Sequence[int], j: Sequence[int], n: Sequence[int], windows: Sequence[int], meter: Meter
    ) -> list[int]:
        """Return how far, beyond n letters, factors are equal, at most one less than the window; -1 if not so far."""
        found = []
        for start, other, length, window in zip(i, j, n, windows, strict=True):
            if min(start, other, length, window) < 0:
                raise InvalidArrayError("a negative number")
            if max(start, other) + length + window > self.most:
                found.append(BEYOND)
                continue
            equal, most = 0, length + window - 1
            same = start == other and self.other == 0
            while equal < most and (same or self.letter(start + equal) == self.letter(other + equal, self.other)):
                equal += 1
            found.append(min(max(equal - length, -1), window - 1))
            meter.work(equal)
        return found

    def reversals(
        self, i: Sequence[int], ends: Sequence[int], n: Sequence[int], windows: Sequence[int], meter: Meter
    ) -> list[int]:
        """Return how far, beyond n letters, factors are reversals of those that end before `ends`."""
        found = []
        for start, end, length, window in zip(i, ends, n, windows, strict=True):
            if min(start, end, length, window) < 0:
                raise InvalidArrayError("a negative number")
            if max(start + length + window, end) > self.most:
                found.append(BEYOND)
                continue
            equal, most = 0, min(length + window - 1, end)
            while equal < most and self.letter(int(start + equal)) == self.letter(
                int(end - 1 - equal), self.other
            ):
                equal += 1
            found.append(max(min(equal, most) - length, -1))
            meter.work(equal)
        return found
