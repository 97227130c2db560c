"""Questions about linear representations: whether two of them agree everywhere, and words of their values.

Both are linear algebra over the rationals, exact.  Berstel and Reutenauer, Noncommutative Rational Series with
Applications, chapter 2: what a series does behind a word is a vector, of which finitely many matter for equality;
and a series has finitely many such vectors exactly if it is the word of an automaton with output.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.reading import from_read, last_first
from fibprover.commands.linear_representation import Digits, LinearRepresentation
from fibprover.commands.spending import spend
from fibprover.errors import AutomatonError, LimitError
from fibprover.limits import UNLIMITED, Budget

#: Most states of the word of a representation, unless the caller asks for more.
MOST_STATES = 10_000

Vector = tuple[int, ...]


class _Space:
    """A space of vectors, known by a basis in echelon form."""

    def __init__(self) -> None:
        self.rows: dict[int, list[Fraction]] = {}

    def add(self, vector: Sequence[int]) -> bool:
        """Whether a vector was not in the space, which it now is.  O(dimension^2)."""
        row = [Fraction(entry) for entry in vector]
        for place in range(len(row)):
            if not row[place]:
                continue
            known = self.rows.get(place)
            if known is None:
                pivot = row[place]
                self.rows[place] = [entry / pivot for entry in row]
                return True
            factor = row[place]
            row = [entry - factor * other for entry, other in zip(row, known, strict=True)]
        return False


def first_difference(a: LinearRepresentation, b: LinearRepresentation) -> tuple[int, ...] | None:
    """Numbers of the variables at which two representations differ, with the shortest digits; None if nowhere.

    AutomatonError unless their variables are, in order, of the same systems.  O(dimension^3) for each letter.
    """
    if [track._replace(name="") for track in tracks(a)] != [track._replace(name="") for track in tracks(b)]:
        raise AutomatonError(f"{a} and {b} are about numbers of different systems, or about more of them")
    space = _Space()
    ahead: list[tuple[Vector, tuple[Digits, ...]]] = [((*a.entering, *b.entering), ())]
    value = (*a.leaving, *(-entry for entry in b.leaving))
    for row, word in ahead:
        if not space.add(row):
            continue
        if _product(row, value):
            return _numbers(a, word)
        for digits in sorted(a.arcs):
            left, right = _stepped(a, row[: a.states], digits), _stepped(b, row[a.states :], digits)
            ahead.append(((*left, *right), (*word, digits)))
    return None


def word_of_values(
    representation: LinearRepresentation, most: int = MOST_STATES, budget: Budget = UNLIMITED
) -> Dfa:
    """The machine, as kept inside, of the word whose letters are the values of a representation.

    It exists if the values behind a word differ in finitely many ways.  LimitError beyond `most` states, AutomatonError
    for values that are no letters, BudgetSpent.
    """
    columns = list(_continuations(representation))
    start = representation.entering
    numbers = {_seen(start, columns): 0}
    order: list[Vector] = [start]
    rows: list[dict[int, int]] = []
    index = tracks(representation)
    letters = sorted(representation.arcs, key=lambda digits: _code(index, digits))
    for row in order:
        spend(budget, len(order), "the word of a linear representation")
        found = {}
        for code, digits in enumerate(letters):
            following = _stepped(representation, row, digits)
            seen = _seen(following, columns)
            if seen not in numbers:
                if len(numbers) >= most:
                    raise LimitError(
                        f"{representation} takes more than {most} states as a word",
                        hint="if it has finitely many values at all; ask for more states",
                    )
                numbers[seen] = len(numbers)
                order.append(following)
            found[code] = numbers[seen]
        rows.append(found)
    outputs = [_product(row, representation.leaving) for row in order]
    return from_read(build(index, rows, outputs), budget, word=True)


def tracks(representation: LinearRepresentation) -> tuple[Track, ...]:
    """The tracks of the variables, in their order."""
    by_name = {track.name: track for track in representation.relation.automaton.tracks}
    return tuple(by_name[name] for name in representation.variables)


def _code(index: Sequence[Track], digits: Digits) -> int:
    """The code of a letter over these tracks."""
    code = 0
    for track, digit in zip(index, digits, strict=True):
        code = code * len(track.digits) + track.digits.index(digit)
    return code


def _stepped(representation: LinearRepresentation, row: Sequence[int], digits: Digits) -> Vector:
    """A row times the matrix of a letter."""
    following = [0] * representation.states
    for source, target, count in representation.arcs[digits]:
        following[target] += row[source] * count
    return tuple(following)


def _continuations(representation: LinearRepresentation) -> Iterator[Vector]:
    """A basis of the columns M[word] w: two rows that agree on these are continued to the same values."""
    space = _Space()
    ahead: list[Vector] = [representation.leaving]
    for column in ahead:
        if not space.add(column):
            continue
        yield column
        for entries in representation.arcs.values():
            before = [0] * representation.states
            for source, target, count in entries:
                before[source] += count * column[target]
            ahead.append(tuple(before))


def _seen(row: Vector, columns: Sequence[Vector]) -> Vector:
    return tuple(_product(row, column) for column in columns)


def _product(row: Sequence[int], column: Sequence[int]) -> int:
    return sum(left * right for left, right in zip(row, column, strict=True) if left)


def _numbers(representation: LinearRepresentation, word: Sequence[Digits]) -> tuple[int, ...]:
    """The numbers that a word over the variables stands for."""
    written = zip(*word, strict=True) if word else [()] * len(representation.variables)
    values = []
    for track, digits in zip(tracks(representation), written, strict=True):
        read = tuple(digits)[::-1] if last_first(track) else tuple(digits)
        values.append(representation.relation.system(track.system).value(read))
    return tuple(values)
