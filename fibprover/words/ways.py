"""Two ways of digits side by side: places of two fixed points, and by how much something before the one exceeds it.

A morphism s, whose fixed point begins with 0, numbers the places of that word: the way to a place is s^k(p_k) ... p_0,
where each p_i is a proper prefix of the image of the letter after the one before (J.-M. Dumont, A. Thomas, Systemes de
numeration et fonctions fractales relatifs aux substitutions, Theoret. Comput. Sci. 65, 1989).  Let each letter have a
weight.  The weights of the images s^t(a) satisfy, for all letters of two morphisms, one linear recurrence, so that
the excess of the weight before the one place over that before the other is followed from digit to digit: now, and after
each further application of the morphisms.  All this is exact.

If the recurrence is that of a Pisot number, perhaps after some first terms, finitely many excesses lead to a small one.
How far they may go before they return is tried here; whether it is enough has to be proved by what uses the automaton.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul

from fibprover.automata.dfa import Dfa, explored
from fibprover.base.errors import LimitError, NumerationError
from fibprover.base.limits import Budget, polled
from fibprover.numeration.equations import MOST_ORDER, solved
from fibprover.numeration.pisot import check_pisot, dominant_root

#: The images of the letters; the fixed point begins with 0.
Images = Sequence[Sequence[int]]

#: The letters after the two ways, and the excesses.
State = tuple[int, int, tuple[int, ...]]

#: Excesses that may go so many times as far as one digit, and then on by what is still to come, are tried.
REACHES = (1, 4)

#: By what excesses grow is known to so many bits.
_BITS = 64

#: The most states.
MOST_STATES = 100_000


def ways_of(machine: Dfa) -> Images | None:
    """Return the states after those of an automaton of one track, by the digits, which have to be 0, 1, ... in order.

    So the valid words of a system are ways to the places of a word of states: that of the number n leads to place n if
    states after which no number may end have weight 0.
    """
    images = []
    for state in range(machine.states):
        row = machine.row(state)
        if [code for code, _ in row] != list(range(len(row))):
            return None
        images.append([target for _, target in row])
    return images if images[0][:1] == [0] else None


@dataclass(frozen=True)
class Pair:
    """Two morphisms and the weights of their letters; what is said of an excess is about the second minus the first."""

    first: Images
    weights: Sequence[int]
    second: Images
    others: Sequence[int]

    @cached_property
    def _images(self) -> list[list[int]]:
        """The images of the letters of both, those of the second one after those of the first one."""
        return [*map(list, self.first), *([len(self.first) + letter for letter in image] for image in self.second)]

    @cached_property
    def _rows(self) -> tuple[list[list[int]], list[int]]:
        """The weights of s^t(a), for each t a row with one for each letter, and the recurrence of the rows.

        Its coefficients are those of the rows, in order, in the one that follows.  Raises NumerationError for a long
        recurrence: numbers of its system are not added, and a search for it takes long where there are many letters.
        """
        rows = [[*(-each for each in self.weights), *self.others]]
        while True:
            following = [sum(rows[-1][each] for each in image) for image in self._images]
            table = [[Fraction(row[letter]) for row in (*rows, following)] for letter in range(len(following))]
            found = solved(table)
            if found is not None:
                return rows, list(map(int, found))
            if len(rows) > MOST_ORDER:
                raise NumerationError("the lengths of the images of the morphism satisfy no short recurrence")
            rows.append(following)

    @property
    def recurrence(self) -> list[int]:
        """The coefficients of U_t, ..., U_{t+d-1} in U_{t+d}, which the weights of all images satisfy.

        Raises NumerationError for a long recurrence.
        """
        return self._rows[1]

    def _following(self, terms: Sequence[int]) -> list[int]:
        return [*terms[1:], sum(map(mul, self.recurrence, terms))]

    def _of(self, letters: Sequence[int]) -> list[int]:
        """Return the weights of a word of letters, and of its images."""
        return [sum(row[letter] for letter in letters) for row in self._rows[0]]

    def _growth(self) -> tuple[float, list[float]]:
        """Return by what excesses grow, about, and the factors of a sum of excesses that grows by exactly this.

        Raises NumerationError if other parts of them need not become small.
        """
        polynomial = (*(-each for each in self.recurrence), 1)
        while not polynomial[0]:
            polynomial = polynomial[1:]
        try:
            check_pisot(polynomial)
        except NumerationError as problem:
            raise NumerationError(
                "the lengths of the images of the morphism are not those of a Pisot number"
            ) from problem
        root = sum(dominant_root(polynomial, _BITS)) / 2 ** (_BITS + 1)
        factors = [1.0]
        for each in self.recurrence[:0:-1]:
            factors.append(root * factors[-1] - each)
        return root, factors[::-1]

    def states(self, reach: int, budget: Budget, width: int) -> Iterator[tuple[State, dict[int, int]]]:
        """Yield the states of an automaton of the two ways, with their rows; codes: place * width + place.

        Raises NumerationError if there need not be finitely many; LimitError, if there are too many.
        """
        root, factors = self._growth()
        size = len(self.first)
        prefixes = [[self._of(image[:place]) for place in range(len(image))] for image in self._images]

        def worth(excesses: Sequence[int]) -> float:
            return sum(factor * each for factor, each in zip(factors, excesses, strict=True))

        farthest = sum(
            max(abs(worth(prefix)) for image in part for prefix in image)
            for part in (prefixes[:size], prefixes[size:])
        )
        most = farthest * (reach + 1 / (root - 1))
        what = "the ways to places of a word"

        def steps(state: State) -> Iterator[tuple[int, State]]:
            one, two, excesses = state
            moved = self._following(excesses)
            for place, prefix in enumerate(polled(prefixes[one], what)):
                here = list(map(int.__add__, moved, prefix))
                for other, further in enumerate(prefixes[size + two]):
                    now = tuple(map(int.__add__, here, further))
                    if abs(worth(now)) <= most:
                        yield place * width + other, (self.first[one][place], self.second[two][other], now)

        start: State = (0, 0, (0,) * len(self.recurrence))
        too_many = LimitError(f"the ways to places of a word need more than {MOST_STATES} states")
        return explored(start, steps, budget, what, most=MOST_STATES, refused=too_many)
