"""Learn the automaton of a relation from answers to questions whether it holds single tuples.

The method is that of D. Angluin with the discrimination tree of M. J. Kearns and U. V. Vazirani; counterexamples are
split as by R. L. Rivest and R. E. Schapire.  A state is a word that leads to it, its *access word*.  Two states are
different because of a *suffix*: one of the two words that it completes is in the relation, the other is not.  A leaf of
the tree is a state, an inner node a suffix.

Words that begin no representation of numbers lead nowhere and are never asked about.  States after which different
words are representations are told apart from the beginning: there is one tree for each state of the automaton of all
representations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul
from random import Random

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.limits import Budget, check_budget
from fibprover.numeration.system import NumerationSystem

#: Two numbers of a random tuple differ in one of their last so many digits.
FAR_DIGITS = 9

#: A word: the codes of its letters, of which each has one digit a track.
Word = tuple[int, ...]
Numbers = tuple[int, ...]


class State:
    """A leaf: the access word, the state of all representations after it, and where each letter leads."""

    __slots__ = ("accepting", "access", "follow", "incoming", "parent", "valid")

    def __init__(self, access: Word, valid: int) -> None:
        self.access = access
        self.valid = valid
        self.accepting = False
        self.follow: dict[int, State] = {}
        #: The transitions that lead here: states and letters.
        self.incoming: set[tuple[State, int]] = set()
        self.parent: tuple[_Inner, bool] | None = None


class _Inner:
    """An inner node: a suffix, and a node for each answer."""

    __slots__ = ("sides", "suffix")

    def __init__(self, suffix: Word) -> None:
        self.suffix = suffix
        self.sides: dict[bool, _Inner | State] = {}


class Words:
    """The words of some tracks that represent tuples of numbers, and their values."""

    def __init__(self, tracks: Sequence[Track], systems: Sequence[NumerationSystem], budget: Budget) -> None:
        self.tracks = tuple(tracks)
        self.systems = systems
        valid = [system.valid.renamed([track.name]) for track, system in zip(tracks, systems, strict=True)]
        self.valid = operations.cartesian_product(valid, budget).with_tracks(self.tracks)
        self.rows = [dict(self.valid.row(state)) for state in range(self.valid.states)]
        self.digits = [self.valid.letter(code) for code in range(self.valid.letters)]
        self._codes = {letter: code for code, letter in enumerate(self.digits)}
        #: The numbers by which two parameters of a random tuple may differ: values of single digits.
        self.steps = [[0, *(system.value((1, *[0] * zeros)) for zeros in range(FAR_DIGITS))] for system in systems]
        self._digits_of: list[dict[int, Word]] = [{} for _ in systems]
        #: The weights of the places, the last place last.
        self._weights = [tuple(reversed(system.short_weights())) for system in systems]

    def numbers(self, word: Word) -> Numbers:
        """Return the numbers that a word represents."""
        if not word:
            return (0,) * len(self.tracks)
        columns = zip(*[self.digits[code] for code in word], strict=True)
        found = []
        for column, weights, system in zip(columns, self._weights, self.systems, strict=True):
            if len(column) <= len(weights):
                found.append(sum(map(mul, column, weights[-len(column) :])))
            else:
                found.append(system.value(column))
        return tuple(found)

    def word(self, numbers: Numbers) -> Word:
        """Return the shortest word that represents numbers."""
        written = [self._written(place, number) for place, number in enumerate(numbers)]
        length = max(map(len, written))
        padded = [(0,) * (length - len(digits)) + digits for digits in written]
        return tuple([self._codes[letter] for letter in zip(*padded, strict=True)])

    def _written(self, place: int, number: int) -> Word:
        """Return the digits of a number on a track."""
        known = self._digits_of[place]
        if number not in known:
            known[number] = tuple(self.systems[place].represent(number))
        return known[number]

    def is_word(self, word: Word) -> bool:
        """Return whether a word represents numbers."""
        state = 0
        for code in word:
            following = self.rows[state].get(code)
            if following is None:
                return False
            state = following
        return bool(self.valid.outputs[state])


class Learner:
    """The states that are known of one relation.

    asked: returns whether the relation holds numbers.  questions: how many different tuples it was asked.
    """

    def __init__(self, words: Words, asked: Callable[[Numbers], bool], budget: Budget) -> None:
        self.words = words
        self.asked = asked
        self.budget = budget
        self.known: dict[Numbers, bool] = {}
        self._answers: dict[Word, bool] = {}
        self.states: list[State] = []
        self.suffixes: list[Word] = [()]
        self._roots: dict[int, _Inner | State] = {}
        self._new: list[State] = []
        self.start = self._sift((), 0)
        self._explore()

    @property
    def questions(self) -> int:
        """The number of tuples about which there was a question."""
        return len(self.known)

    def ask(self, word: Word) -> bool:
        """Return whether a word is in the relation; words that are no representation are not."""
        answer = self._answers.get(word)
        if answer is None:
            answer = self._answers[word] = self.words.is_word(word) and self.holds(self.words.numbers(word))
        return answer

    def holds(self, numbers: Numbers) -> bool:
        """Return whether numbers are in the relation."""
        answer = self.known.get(numbers)
        if answer is None:
            answer = self.known[numbers] = self.asked(numbers)
        return answer

    # -- the tree ----------------------------------------------------------------------------

    def _sift(self, word: Word, valid: int, node: _Inner | State | None = None) -> State:
        """Return the state that a word leads to, as far as the suffixes tell; a new one if no word was like it."""
        if node is None:
            node = self._roots.setdefault(valid, _Inner(()))
        while isinstance(node, _Inner):
            side = self.ask(word + node.suffix)
            following = node.sides.get(side)
            if following is None:
                return self._add(word, valid, node, side)
            node = following
        return node

    def _add(self, access: Word, valid: int, parent: _Inner, side: bool) -> State:
        state = State(access, valid)
        state.accepting = self.ask(access)
        state.parent = parent, side
        parent.sides[side] = state
        self.states.append(state)
        self._new.append(state)
        check_budget(self.budget, len(self.states), "an automaton from answers")
        return state

    def _explore(self) -> None:
        """Find where each letter leads from new states."""
        while self._new:
            state = self._new.pop()
            for code, valid in self.words.rows[state.valid].items():
                self._lead(state, code, self._sift((*state.access, code), valid))

    def _lead(self, state: State, code: int, target: State) -> None:
        state.follow[code] = target
        target.incoming.add((state, code))

    def _split(self, state: State, access: Word, suffix: Word) -> None:
        """Make two states of one: its access word and another one differ by a suffix."""
        if state.parent is None:
            raise AssertionError("a state without a place in the tree")
        parent, side = state.parent
        inner = _Inner(suffix)
        self.suffixes.append(suffix)
        parent.sides[side] = inner
        own = self.ask(state.access + suffix)
        inner.sides[own] = state
        state.parent = inner, own
        incoming, state.incoming = state.incoming, set()
        self._add(access, state.valid, inner, not own)
        for source, code in incoming:
            self._lead(source, code, self._sift((*source.access, code), state.valid, inner))
        if self.start is state and state.access:
            self.start = self._sift((), 0)

    # -- candidates and counterexamples ------------------------------------------------------

    def candidate_holds(self, word: Word) -> bool:
        """Return whether the candidate accepts a word that represents numbers."""
        state = self.start
        for code in word:
            state = state.follow[code]
        return state.accepting

    def correct(self, word: Word) -> bool:
        """Add states until the candidate is right about a word; return whether that was needed."""
        wrong = False
        while self.candidate_holds(word) != self.ask(word):
            wrong = True
            run = [self.start]
            for code in word:
                run.append(run[-1].follow[code])
            truth = self.ask(word)
            low, high = 0, len(word)
            # The access word of run[low] with the rest of the word has the answer of the word, that of run[high] not.
            while high - low > 1:
                middle = (low + high) // 2
                if self.ask(run[middle].access + word[middle:]) == truth:
                    low = middle
                else:
                    high = middle
            self._split(run[high], (*run[low].access, word[low]), word[high:])
            self._explore()
        return wrong

    def automaton(self) -> Dfa:
        """Return the candidate: the minimal automaton of the states."""
        number = {id(state): at for at, state in enumerate(self._reached())}
        rows: list[dict[int, int]] = [{} for _ in number]
        outputs = [0] * len(number)
        for state in self._reached():
            at = number[id(state)]
            outputs[at] = int(state.accepting)
            rows[at] = {code: number[id(target)] for code, target in sorted(state.follow.items())}
        return kernel_calls.minimize(build(self.words.tracks, rows, outputs), self.budget)

    def _reached(self) -> list[State]:
        """Return the states that words lead to, the initial one first."""
        found, seen = [self.start], {id(self.start)}
        for state in found:
            for target in state.follow.values():
                if id(target) not in seen:
                    seen.add(id(target))
                    found.append(target)
        return found

    def border(self, numbers: Numbers, place: int, bits: int) -> list[Word]:
        """Return two words that differ in one number, by 1, one of which is in the relation; none if none is found.

        A candidate is most often wrong where the relation begins or ends.
        """

        def with_value(value: int) -> Numbers:
            return (*numbers[:place], value, *numbers[place + 1 :])

        low, high = 0, 1 << bits
        first = self.holds(with_value(low))
        if first == self.holds(with_value(high)):
            return []
        while high - low > 1:
            middle = (low + high) // 2
            if self.holds(with_value(middle)) == first:
                low = middle
            else:
                high = middle
        return [self.words.word(with_value(low)), self.words.word(with_value(high))]

    def likely_counterexample(self, random: Random) -> Word:
        """Return a word that represents numbers: after some state, a letter, and letters that tell states apart.

        These words are short, so that the numbers are small.
        """
        state = random.choice(self.states)
        code = random.choice(list(state.follow)) if state.follow else 0
        word = (*state.access, code, *random.choice(self.suffixes))
        return word if self.words.is_word(word) else ()
