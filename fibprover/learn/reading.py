"""Automata that are asked for single numbers many times: words, predicates, and the letters of a prefix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fibprover.automata.dfa import Dfa
from fibprover.base.limits import Budget, check_budget, poll
from fibprover.numeration.system import NumerationSystem

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The most letters of a prefix that are kept; letters beyond are computed one by one.
MOST_LETTERS = 1 << 23

#: The letters that are kept as a list, too, from which single ones are taken faster.
LISTED = 1 << 14

#: More digits than the known numbers of a tuple have that are tried for the others.
MORE_DIGITS = 2

#: The letter at an index where the word has none.
NO_LETTER = -(1 << 31)


class Reader:
    """An automaton whose tracks hold natural numbers, as dictionaries, which are faster for single words than arrays.

    Answers are kept.
    """

    def __init__(self, automaton: Dfa, system: Callable[[str], NumerationSystem]) -> None:
        self.automaton = automaton
        self.systems = [system(track.system) for track in automaton.tracks]
        self.radices = automaton.radices
        self.rows = [dict(automaton.row(state)) for state in range(automaton.states)]
        self.digits: list[dict[int, tuple[int, ...]]] = [{} for _ in self.systems]
        self.answers: dict[tuple[int, ...], int] = {}
        self.found: dict[tuple[int | None, ...], list[tuple[int, ...]]] = {}
        self._by_known: dict[tuple[bool, ...], list[dict[tuple[int, ...], list[tuple[int, int]]]]] = {}

    def written(self, place: int, number: int) -> tuple[int, ...]:
        """Return the digits of a number on a track."""
        known = self.digits[place]
        if number not in known:
            known[number] = self.systems[place].represent(number)
        return known[number]

    def output(self, values: tuple[int, ...]) -> int:
        """Return the output for numbers, NO_LETTER where the automaton has no run."""
        answer = self.answers.get(values)
        if answer is None:
            answer = self.answers[values] = self._run(values)
        return answer

    def _run(self, values: Sequence[int]) -> int:
        words = [self.written(place, number) for place, number in enumerate(values)]
        length = max(map(len, words), default=0)
        state: int | None = 0
        for letter in zip(*((0,) * (length - len(word)) + word for word in words), strict=True):
            code = 0
            for digit, radix in zip(letter, self.radices, strict=True):
                code = code * radix + digit
            state = self.rows[state].get(code) if state is not None else None
            if state is None:
                return NO_LETTER
        return self.automaton.outputs[state or 0]

    def accepts(self, values: tuple[int, ...]) -> bool:
        """Return whether a relation holds numbers."""
        return self.output(values) not in (0, NO_LETTER)

    def completions(self, known: tuple[int | None, ...]) -> list[tuple[int, ...]]:
        """Return the tuples of a relation with these numbers at the known places.

        The others may have MORE_DIGITS digits more.  A tuple with a larger number is not found: data may be wrong.
        """
        if known not in self.found:
            self.found[known] = list(self._completions(known))
        return self.found[known]

    def _completions(self, known: tuple[int | None, ...]) -> Iterator[tuple[int, ...]]:
        written = [None if number is None else self.written(place, number) for place, number in enumerate(known)]
        length = max((len(word) for word in written if word is not None), default=0) + MORE_DIGITS
        words = [(0,) * (length - len(word)) + word for word in written if word is not None]
        steps = self._steps(tuple(number is not None for number in known))
        level: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        for fixed in zip(*words, strict=True) if words else [()] * length:
            poll("tuples of a relation", len(level))
            level = [
                (target, (*codes, code))
                for state, codes in level for code, target in steps[state].get(fixed, ())
            ]
        for state, codes in level:
            if self.automaton.outputs[state]:
                columns = zip(*(self.automaton.letter(code) for code in codes), strict=True)
                yield tuple(system.value(column) for system, column in zip(self.systems, columns, strict=True))

    def _steps(self, known: tuple[bool, ...]) -> list[dict[tuple[int, ...], list[tuple[int, int]]]]:
        """Return the transitions of each state by the digits of the known tracks: letters and targets."""
        if known not in self._by_known:
            by_digits: list[dict[tuple[int, ...], list[tuple[int, int]]]] = []
            for row in self.rows:
                grouped: dict[tuple[int, ...], list[tuple[int, int]]] = {}
                for code, target in row.items():
                    letter = zip(self.automaton.letter(code), known, strict=True)
                    digits = tuple(digit for digit, is_known in letter if is_known)
                    grouped.setdefault(digits, []).append((code, target))
                by_digits.append(grouped)
            self._by_known[known] = by_digits
        return self._by_known[known]


class Letters:
    """The letters of a word with one index: a prefix that doubles when it is needed."""

    def __init__(self, machine: Dfa, system: NumerationSystem, budget: Budget) -> None:
        self.reader = Reader(machine, lambda _: system)
        self.machine = machine
        self.system = system
        self.budget = budget
        self.listed: list[int] = []
        self._array: Any = None
        self._levels: tuple[Any, Any] | None = None

    def __call__(self, values: tuple[int, ...]) -> int:
        """Return the letter at an index, NO_LETTER where there is none."""
        number = values[0]
        if number >= LISTED:
            if self._array is not None and number < MOST_LETTERS:
                return int(self.array(number + 1)[number])
            return self.reader.output(values)
        while number >= len(self.listed):
            at = len(self.listed)
            self.listed += [self.reader.output((n,)) for n in range(at, min(LISTED, max(64, 2 * at)))]
        return self.listed[number]

    def array(self, length: int) -> NDArray[Any]:
        """Return an array of at least so many letters; `length` is at most MOST_LETTERS."""
        import numpy

        if self._array is None or len(self._array) < length:
            self._extend(numpy, max(length, 1 << 12))
        made: NDArray[Any] = self._array
        return made

    def _extend(self, numpy: Any, length: int) -> None:
        """Read all words of one more digit, in the order of their numbers, until there are enough of them."""
        valid, steps = transition_table(numpy, self.system.valid), transition_table(numpy, self.machine)
        # The last state stands for no run.
        inside, state = self._levels or (numpy.zeros(1, numpy.int32), numpy.zeros(1, numpy.int32))
        while len(inside) < length:
            check_budget(self.budget, 0, "a prefix of a word")  # letters are no states
            following = valid[inside]
            row, digit = numpy.nonzero(following < len(valid) - 1)
            inside, state = following[row, digit], steps[state[row], digit]
        outputs = numpy.array([*self.machine.outputs, NO_LETTER], numpy.int32)
        accepted = numpy.array([*self.system.valid.outputs, 0], numpy.bool_)
        self._levels = inside, state
        self._array = outputs[state[accepted[inside]]]


def transition_table(numpy: Any, automaton: Dfa) -> Any:
    """Return the next state by state, then by letter, with one more state for missing transitions."""
    states = automaton.states
    table = numpy.full((states + 1, automaton.letters), states, numpy.int32)
    sources = numpy.repeat(numpy.arange(states), numpy.diff(numpy.asarray(automaton.offsets)))
    table[sources, numpy.asarray(automaton.codes)] = numpy.asarray(automaton.targets)
    return table
