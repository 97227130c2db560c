"""The letters of a word at the indices 0, 1, 2, ..., one after the other, in little time for each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from fibprover.automata.dfa import Dfa
from fibprover.automata.language import suffix_counts
from fibprover.base.limits import poll

#: The most letters that are computed together.
AT_ONCE = 4096

#: The most letters that are remembered.
REMEMBERED = 1 << 20

#: A state of the machine, None after a transition that it does not have.
_State = int | None


def letters_in_order(machine: Dfa, valid: Dfa) -> Iterator[int | None]:
    """Yield the outputs of a machine over one track for all valid words in order; None where it has none.

    The order is by length, then digits.  valid: the representations of numbers; both are read most significant digit
    first.  Words that differ in their first digits only share what follows.
    """
    return chain.from_iterable(_Blocks(machine, valid).all())


class _Blocks:
    """Lists of outputs that follow one another; the lists for the same states and number of digits are made once."""

    def __init__(self, machine: Dfa, valid: Dfa) -> None:
        self.machine, self.valid = machine, valid
        self.counts = suffix_counts(valid)
        self.sizes: list[list[int]] = []
        self.known: dict[tuple[int, _State, int], list[int | None]] = {}
        self.held = 0

    def all(self) -> Iterator[list[int | None]]:
        """Yield the lists in order, without end."""
        yield [self.machine.outputs[0]]
        length = 0
        while True:
            for digit, target in self.valid.row(0):
                if digit:
                    yield from self.parts(target, self.after(0, digit), length)
            length += 1

    def after(self, state: _State, digit: int) -> _State:
        return None if state is None else self.machine.successor(state, digit)

    def size(self, state: int, length: int) -> int:
        """Return how many valid words of a length begin at a state."""
        while len(self.sizes) <= length:
            self.sizes.append(next(self.counts))
        return self.sizes[length][state]

    def parts(self, state: int, there: _State, length: int) -> Iterator[list[int | None]]:
        """Yield lists of the outputs of the words of a length that begin at these states."""
        poll("the letters of a word")
        if self.size(state, length) <= AT_ONCE or not length:
            yield self.block(state, there, length)
            return
        for digit, target in self.valid.row(state):
            yield from self.parts(target, self.after(there, digit), length - 1)

    def block(self, state: int, there: _State, length: int) -> list[int | None]:
        """Return one list."""
        if not length:
            return [None if there is None else self.machine.outputs[there]] if self.valid.outputs[state] else []
        key = state, there, length
        if key not in self.known:
            made: list[int | None] = []
            for digit, target in self.valid.row(state):
                made += self.block(target, self.after(there, digit), length - 1)
            if self.held + len(made) > REMEMBERED:
                self.known.clear()
                self.held = 0
            self.known[key] = made
            self.held += len(made)
            return made
        return self.known[key]
