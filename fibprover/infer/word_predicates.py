"""Predicates of words, guessed from experiments: equality of factors, reversals, and palindromes.

Factors are those of one word, or one is of another word; letters are compared by a `LetterComparison`.

A state of a predicate is what may follow a prefix of the representations of its numbers.  An *experiment* (e, r, s)
puts e more digits after it: of all numbers with this prefix of the first representation, which are as many in a row as
there are valid words of e letters, it takes the r-th, and the s-th of the second.  The answer is whether W[i..j) is a
palindrome.  For equality of factors, W[i..i+n) = W[j..j+n), the answers for all n with the same prefix follow from one
number: how far the factors at i and j are equal, clipped to these n.  So do those for reversals, by where they end.

Where prefixes have the same answers to all experiments, they are taken for one state.  Where what follows these has
different answers, there is an experiment with one digit more that tells them apart; where the prover refutes a guess,
there is one in its counterexample (Rivest and Schapire, Inference of finite automata using homing sequences, 1993).

Numbers may be as large as 2^60, as the kernel keeps hashes of blocks and no letters (`fibprover_ext/extensions.pxi`).
The order of valid words must be that of the numbers.  Nothing here is proved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from fibprover.automata import kernel_calls, kernels
from fibprover.automata.dfa import Dfa, build, explored
from fibprover.base.errors import FibproverError
from fibprover.base.limits import UNLIMITED, Budget, check_budget

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fibprover.words.automatic import AutomaticWord
    from fibprover.words.letter_comparison import LetterComparison

    Longs = NDArray[Any]

#: Numbers in blocks are below this one, and larger numbers count as this one: nothing is known of these.
BOUND = 1 << 60

#: Answers of the kernel where numbers are too large, and where an experiment has no such place.
BEYOND, NOWHERE = -2, -3

#: The most levels: numbers of so many digits may still be below BEYOND, where they grow slowly.
MOST_LEVELS = 128

#: The first experiments are all those of at most so many digits that there are no more than this; of one in any case.
FIRST_EXPERIMENTS = 100

#: So many pairs of prefixes that were taken for one state are compared before a guess; of those that differ, so many
#: give an experiment.
COMPARED, TAKEN = 2000, 40

#: What is said of a budget that is spent here.
DURING = "a guess at a predicate of a word"

#: What is said of a word that would need larger numbers.
TOO_LARGE = "numbers beyond 2^60 would be needed for a guess at a predicate of a word"

#: So many questions are asked at once.
AT_ONCE = 1 << 19

#: The point where the kernel evaluates the polynomials that are hashes.
POINT = 1016691793 * 1099616717

#: Nothing is guessed of systems with more digits: there are experiments for each pair of digits, and building is sooner
#: done.
MOST_DIGITS = 16


class Guess(ABC):
    """A guess at a predicate of words, which gets better by experiments.

    letters: of words with one index, a natural number, of one system; FibproverError if one has no letter at some
    number, if leading zeros change a letter, or where no compiled kernels or no numpy are; budget: of all that is done.
    """

    #: The names of the numbers of the predicate, of which experiments choose the first two.
    names: ClassVar[tuple[str, ...]]
    #: Whether these two may be exchanged, where the factors are those of one word.
    exchangeable: ClassVar[bool]

    def __init__(self, letters: LetterComparison, budget: Budget = UNLIMITED) -> None:
        try:
            import numpy
        except ImportError:
            raise FibproverError("a guess at a predicate of a word needs numpy") from None
        self.np = numpy
        self.budget = budget
        self.symmetric = self.exchangeable and letters.is_plain
        self.system = letters.left.system(letters.left.tracks[0])
        self.valid = self.system.msd_first.valid
        self.digits = len(self.system.digits)
        if self.digits > MOST_DIGITS:
            raise FibproverError(f"{self.digits} digits are too many for a guess at a predicate of a word")
        self.extensions = self._kernel(*self._blocks(letters))
        self.steps = self._table(self.valid)
        self.before = self._before(self.steps, [int(each != 0) for each in self.valid.outputs], self.levels)
        self.size = self.before[:, :, -1]
        self.random = numpy.random.default_rng(1)
        self.questions = 0
        #: The valid letters of all tracks, and the valid states after them, by the valid states before.
        self.letters_after: dict[tuple[int, ...], tuple[Longs, Longs]] = {}
        self._begin()

    # -- the word and its blocks -------------------------------------------------------------------

    def _blocks(self, letters: LetterComparison) -> tuple[Longs, list[int], int]:
        """Return the targets of pairs of a state of a word and one of valid words, the letter of each, and the first
        pair of the second word.
        """
        self.accepting: list[int] = []
        classes = letters.classes()
        targets, found = self._blocks_of(letters.left, classes[0])
        if letters.is_plain:
            return targets, found, 0
        others, more = self._blocks_of(letters.right, classes[1])
        others[others >= 0] += len(targets)
        return self.np.concatenate([targets, others]), found + more, len(targets)

    def _blocks_of(self, word: AutomaticWord, numbers: Mapping[int, int]) -> tuple[Longs, list[int]]:
        """Return the targets and the letters of a word."""
        machine, valid = word.machine, self.valid
        if word.padding_matters:
            raise FibproverError(f"leading zeros change letters of {word.name}")

        def steps(pair: tuple[int, int]) -> list[tuple[int, tuple[int, int]]]:
            found = []
            for code, target in valid.row(pair[1]):
                after = machine.successor(pair[0], code)
                if after is None:
                    raise FibproverError(f"{word.name} has no letter at some number")
                found.append((code, (after, target)))
            return found

        pairs, rows = [], []
        for pair, row in explored((0, 0), steps, self.budget, "the blocks of a word"):
            pairs.append(pair)
            rows.append(row)
        targets = self.np.full((len(rows), self.digits), -1, self.np.int32)
        for number, row in enumerate(rows):
            for code, target in row.items():
                targets[number, code] = target
        if targets[0, 0] != 0:
            raise FibproverError(f"leading zeros change letters of {word.name}")
        self.accepting += [int(valid.outputs[pair[1]] != 0) for pair in pairs]
        return targets, [numbers[machine.outputs[pair[0]]] for pair in pairs]

    def _kernel(self, targets: Longs, letters: list[int], other: int) -> Any:
        before = self._before(targets, self.accepting, MOST_LEVELS)
        self.levels = len(before)
        with kernel_calls.metered(self.budget, "the blocks of a word") as meter:
            letter_numbers = array("q", letters)
            return kernels.inference.Extensions(
                targets.reshape(-1), before.reshape(-1), letter_numbers, self.digits, other, POINT, meter
            )

    def _table(self, a: Dfa) -> Longs:
        table = self.np.full((a.states, self.digits), -1, self.np.int32)
        for state in range(a.states):
            for code, target in a.row(state):
                table[state, code] = target
        return table

    def _before(self, targets: Longs, accepting: Sequence[int], most: int) -> Longs:
        """Return, of each level e, state and digit d, how many words of e letters begin with a digit below d.

        There are as many levels as have numbers below BOUND, and at most so many.
        """
        np = self.np
        first = np.zeros((len(targets), self.digits + 1), np.int64)
        first[:, -1] = accepting
        levels = [first]
        while len(levels) < most:
            size = levels[-1][:, -1]
            parts = np.where(targets >= 0, size[targets], 0)
            if parts.astype(float).sum(axis=1).max() >= BOUND:
                break
            levels.append(np.concatenate([np.zeros((len(targets), 1), np.int64), np.cumsum(parts, axis=1)], axis=1))
        before: Longs = np.array(levels)
        return before

    # -- states and experiments --------------------------------------------------------------------

    def _begin(self) -> None:
        """Begin with the empty prefix, and all experiments of few digits."""
        np = self.np
        digits = 1
        sizes = [int(self.size[e].max()) for e in range(self.levels)]
        while digits + 1 < self.levels and sum(size**2 for size in sizes[: digits + 2]) <= FIRST_EXPERIMENTS:
            digits += 1
        self.experiments: list[tuple[int, int, int]] = []
        self.known: set[tuple[int, int, int]] = set()
        #: Of the prefix that leads to each state: the valid states, and for each e the first number with e digits more.
        tracks = len(self.names)
        self.states = np.zeros((1, tracks), np.int32)
        self.starts = np.zeros((1, tracks, self.levels), np.int64)
        #: The rows: a state's prefix and one letter more; the valid states after it, its answers and its target.
        self.parents, self.letters = np.zeros(0, np.int32), np.zeros((0, tracks), np.int32)
        self.after, self.hashes = np.zeros((0, tracks), np.int32), np.zeros(0, np.uint64)
        self.targets = np.zeros(0, np.int64)
        #: The first row of each state, and after the last one.
        self.first_rows = [0]
        self.start_hash = np.zeros(1, np.uint64)
        #: The row that led to each state.
        self.access = [-1]
        first = [
            (e, r, s) for e in range(digits + 1) for r in range(sizes[e]) for s in range(sizes[e])
        ]
        self._ask(first)

    def _ask(self, experiments: Sequence[tuple[int, int, int]]) -> int:
        """Add experiments, and find the states that they tell apart; return how many are new."""
        np = self.np
        if self.symmetric:
            experiments = [each for e, r, s in experiments for each in ((e, r, s), (e, s, r))]
        new = [each for each in dict.fromkeys(experiments) if each not in self.known]
        if not new:
            return 0
        place, asked = len(self.experiments), np.array(new, np.int64)
        tracks = len(self.names)
        root = self._answers(np.zeros((1, tracks), np.int32), lambda e: np.zeros((1, tracks, len(e)), np.int64), asked)
        more = self._row_hashes(self.parents, self.letters, self.after, asked, place)
        # Nothing that a budget may end comes before all of this is known.
        self.start_hash, self.hashes = self.start_hash + self._hashed(root, place), self.hashes + more
        self.experiments += new
        self.known.update(new)
        self._close()
        return len(new)

    def resume(self, budget: Budget) -> None:
        """Go on with another budget, after one is spent."""
        self.budget = budget
        self._close()

    def _close(self) -> None:
        """Find the state of each row, and the rows of each state."""
        np = self.np
        numbers: dict[tuple[int, ...], int] = {(int(self.start_hash[0]), *(0 for _ in self.names)): 0}
        for state, row in enumerate(self.access):
            if state:
                numbers[int(self.hashes[row]), *self.after[row].tolist()] = state
        self._enter(numbers, 0)
        done = len(self.first_rows) - 1
        asked = np.array(self.experiments, np.int64)
        while done < len(self.access):
            check_budget(self.budget, len(self.access), DURING)
            some = range(done, min(len(self.access), done + 256))
            place = len(self.parents)
            self._add_rows(some, asked)
            self._enter(numbers, place)
            done = some.stop

    def _enter(self, numbers: dict[tuple[int, ...], int], place: int) -> None:
        """Give each row from a place on its target; a row that is like no other is the prefix of a new state."""
        np = self.np
        keys = zip(self.hashes[place:].tolist(), *self.after[place:].T.tolist(), strict=True)
        found, fresh = [], []
        for row, key in enumerate(keys, place):
            state = numbers.setdefault(key, len(self.access))
            if state == len(self.access):
                self.access.append(row)
                fresh.append(row)
            found.append(state)
        self.targets = np.concatenate([self.targets[:place], np.array(found, np.int64)])
        if fresh:
            states, starts = self._after_rows(np.array(fresh))
            self.states = np.concatenate([self.states, states])
            self.starts = np.concatenate([self.starts, starts])

    def _add_rows(self, states: range, asked: Longs) -> None:
        """Add the rows of states, with their answers to all experiments."""
        np = self.np
        steps = [self._letters_after(tuple(self.states[state].tolist())) for state in states]
        parents = np.repeat(np.array(states, np.int32), [len(letters) for letters, _ in steps])
        letters, after = (np.concatenate(each) for each in zip(*steps, strict=True))
        hashes = self._row_hashes(parents, letters, after, asked, 0)
        self.parents, self.letters = np.concatenate([self.parents, parents]), np.concatenate([self.letters, letters])
        self.after, self.hashes = np.concatenate([self.after, after]), np.concatenate([self.hashes, hashes])
        for letters, _ in steps:
            self.first_rows.append(self.first_rows[-1] + len(letters))

    def _letters_after(self, states: tuple[int, ...]) -> tuple[Longs, Longs]:
        """Return the letters of valid digits after such states, and the states after these."""
        np = self.np
        if states not in self.letters_after:
            digits = [np.nonzero(self.steps[state] >= 0)[0] for state in states]
            letters = np.array(np.meshgrid(*digits, indexing="ij")).reshape(len(states), -1).T
            after = self.steps[np.array(states), letters]
            self.letters_after[states] = letters.astype(np.int32), after.astype(np.int32)
        return self.letters_after[states]

    # -- answers -------------------------------------------------------------------------------------

    def _step(self, states: Longs, starts: Longs, letters: Longs) -> tuple[Longs, Longs]:
        """Return the valid states of prefixes with one letter more, and their first numbers."""
        np = self.np
        above = np.full_like(starts, BOUND)
        more = np.moveaxis(self.before[1:, states, letters], 0, -1)
        above[:, :, :-1] = np.minimum(starts[:, :, 1:] + more, BOUND)
        return self.steps[states, letters], above

    def _after_rows(self, rows: Longs) -> tuple[Longs, Longs]:
        parents = self.parents[rows]
        return self._step(self.states[parents], self.starts[parents], self.letters[rows])

    def _answers(self, states: Longs, starts: Any, asked: Longs) -> Longs:
        """Return the answers of prefixes, one a row, to experiments, one a column.

        starts: returns for some e the first numbers with e digits more.
        """
        np = self.np
        e, r, s = asked.T
        first = starts(e)
        size = self.size[e][:, states]
        there = ((r[:, None] < size[:, :, 0]) & (s[:, None] < size[:, :, 1])).T
        i, j = (np.where(there, first[:, place] + each, 0).reshape(-1) for place, each in ((0, r), (1, s)))
        self.questions += len(i)
        found = self._values(i, j, first, np.swapaxes(size, 0, 1))
        if (found == BEYOND).any():
            raise FibproverError(TOO_LARGE)
        answers: Longs = np.where(there, found.reshape(there.shape), NOWHERE)
        return answers

    @abstractmethod
    def _values(self, i: Longs, j: Longs, first: Longs, size: Longs) -> Longs:
        """Return the answers at numbers that experiments have chosen, BEYOND where they are too large.

        first, size: of each prefix, experiment and track the first number, and how many there are.
        """

    @abstractmethod
    def _holds(self, answer: int, last: int) -> bool:
        """Return whether a predicate holds, by an answer; last: the rank of the last number with its prefix."""

    def _row_hashes(
        self, parents_of: Longs, letters_of: Longs, after: Longs, asked: Longs, place: int
    ) -> Longs:
        """Return the hashes of the answers of rows to experiments, of which the first one has a place.

        parents_of, letters_of, after: of each row, as they are kept.
        """
        np = self.np
        found = [np.zeros(0, np.uint64)]
        together = max(1, AT_ONCE // len(asked))
        for begin in range(0, len(after), together):
            some = slice(begin, begin + together)
            parents, letters = parents_of[some], letters_of[some]
            states = self.states[parents]

            def starts(e: Longs, parents: Longs = parents, states: Longs = states, letters: Longs = letters) -> Longs:
                beyond = e + 1 >= self.levels
                above = np.where(beyond, 0, e + 1)
                more = np.moveaxis(self.before[:, states, letters][above], 0, -1)
                first: Longs = np.minimum(self.starts[parents][:, :, above] + more, BOUND)
                first[:, :, beyond] = BOUND
                return first

            found.append(self._hashed(self._answers(after[some], starts, asked), place))
        hashes: Longs = np.concatenate(found)
        return hashes

    def _hashed(self, answers: Longs, place: int) -> Longs:
        """Return one number for each row of answers, the sum of hashes of each with its place."""
        np = self.np
        places = np.arange(place + 1, place + 1 + answers.shape[1], dtype=np.uint64)
        mixed = (answers.astype(np.uint64) + places * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
        hashes: Longs = mixed.sum(axis=1, dtype=np.uint64)
        return hashes

    # -- better guesses ------------------------------------------------------------------------------

    def compare(self) -> int:
        """Compare what follows some prefixes that were taken for one state; return how many experiments are new."""
        np = self.np
        rows = self.random.integers(len(self.parents), size=COMPARED)
        same, firsts = self.targets[rows], np.array(self.first_rows)
        # Nothing follows a state without rows: all of its digits are read.
        some = (np.array(self.access)[same] != rows) & (firsts[same + 1] > firsts[same])
        rows, same = rows[some], same[some]
        if not len(rows):
            return 0
        next_rows = firsts[same] + self.random.integers(firsts[same + 1] - firsts[same])
        letters = self.letters[next_rows]
        states, starts = self._step(*self._after_rows(rows), letters)
        asked = np.array(self.experiments, np.int64)
        new: list[tuple[int, int, int]] = []
        together = max(1, AT_ONCE // len(asked))
        for begin in range(0, len(rows), together):
            part = slice(begin, begin + together)
            answers = self._answers(states[part], lambda e, part=part: starts[part][:, :, e], asked)
            apart = np.nonzero(self._hashed(answers, 0) != self.hashes[next_rows[part]])[0]
            for place in apart[: TAKEN - len(new)]:
                row = next_rows[part][place]
                other = self._answers(
                    self.after[[row]], lambda e, row=row: self._after_rows(np.array([row]))[1][:, :, e], asked
                )
                which = int(np.nonzero(other[0] != answers[place])[0][0])
                new.append(self._longer(asked[which], self.states[same[begin + place]], self.letters[row]))
        return self._ask(new)

    def _check_levels(self, length: int) -> None:
        """Raise FibproverError for words of so many letters that not all represent numbers below BOUND."""
        if length >= self.levels:
            raise FibproverError(TOO_LARGE)

    def _longer(self, experiment: Longs, states: Longs, letter: Longs) -> tuple[int, int, int]:
        """Return the experiment that is another one after a letter, from such states."""
        e, *places = experiment.tolist()
        self._check_levels(e + 1)
        r, s = (int(self.before[e + 1, states[t], letter[t]]) + places[t] for t in (0, 1))
        return e + 1, r, s

    def learn_from(self, numbers: Sequence[int]) -> bool:
        """Learn from numbers where the guess may be wrong; return whether it was."""
        np = self.np
        words = [self.system.msd_first.represent(number) for number in numbers]
        length = max(map(len, words))
        self._check_levels(length)
        word = [[0] * (length - len(each)) + list(each) for each in words]
        suffixes = self._ranks(word, length)
        states = [0]
        for letter in zip(*word, strict=True):
            begin, end = self.first_rows[states[-1]], self.first_rows[states[-1] + 1]
            (place,) = np.nonzero((self.letters[begin:end] == letter).all(axis=1))[0]
            states.append(int(self.targets[begin + place]))
        holds = []
        for place, state in enumerate(states):
            asked = np.array([[length - place, *suffixes[place][:2]]], np.int64)
            answer = self._answers(
                self.states[[state]], lambda e, state=state: self.starts[[state]][:, :, e], asked
            )
            holds.append(self._holds(int(answer[0, 0]), suffixes[place][-1]))
        for place in range(length):
            if holds[place] != holds[place + 1]:
                e, (r, s, *_) = length - place - 1, suffixes[place + 1]
                self._ask([(e, r, s)])
                return True
        return False

    def _ranks(self, word: Sequence[Sequence[int]], length: int) -> list[list[int]]:
        """Return, for each place, which of the words of the remaining length each of the words has from there on."""
        ranks = [[0] * (length + 1) for _ in word]
        for track, digits in enumerate(word):
            states = [0]
            for digit in digits:
                states.append(int(self.steps[states[-1], digit]))
            for place in reversed(range(length)):
                below = int(self.before[length - place, states[place], digits[place]])
                ranks[track][place] = below + ranks[track][place + 1]
        return [[each[place] for each in ranks] for place in range(length + 1)]

    # -- the guess -------------------------------------------------------------------------------------

    def automaton(self) -> Dfa:
        """Return the guess, over tracks with the names."""
        np = self.np
        weights = self.digits ** np.arange(len(self.names))[::-1]
        codes, targets, firsts = (self.letters @ weights).tolist(), self.targets.tolist(), self.first_rows
        rows = [
            dict(zip(codes[firsts[state] : firsts[state + 1]], targets[firsts[state] : firsts[state + 1]], strict=True))
            for state in range(len(self.access))
        ]
        answers = self._answers(self.states, lambda e: self.starts[:, :, e], np.array([(0, 0, 0)], np.int64))
        outputs = [int(self._holds(answer, 0)) for answer in answers[:, 0].tolist()]
        return build([self.system.track(name) for name in self.names], rows, outputs)


class _UpToALength(Guess):
    """A guess at a relation that holds for i, j and all lengths n up to one: this one is the answer."""

    names = ("i", "j", "n")

    def _values(self, i: Longs, j: Longs, first: Longs, size: Longs) -> Longs:
        n, windows = (self.np.ascontiguousarray(each).reshape(-1) for each in (first[:, 2], size[:, :, 2]))
        return self._lengths(i, j, n, windows)

    @abstractmethod
    def _lengths(self, i: Longs, j: Longs, n: Longs, windows: Longs) -> Longs:
        """Return how much longer than n each length is, at most one less than the window, and -1 if it is less."""

    def _holds(self, answer: int, last: int) -> bool:
        return answer >= last


class EqualityOfFactors(_UpToALength):
    """A guess at equality of factors: V[i..i+n) = W[j..j+n)."""

    exchangeable = True

    def _lengths(self, i: Longs, j: Longs, n: Longs, windows: Longs) -> Longs:
        with kernel_calls.metered(self.budget, DURING) as meter:
            return cast("Longs", self.np.asarray(self.extensions.clipped(i, j, n, windows, meter)))


class Reversals(_UpToALength):
    """A guess at reversals of factors by the ends of these: n <= j, and V[i..i+n) is the reversal of W[j-n..j)."""

    exchangeable = False

    def _lengths(self, i: Longs, j: Longs, n: Longs, windows: Longs) -> Longs:
        with kernel_calls.metered(self.budget, DURING) as meter:
            return cast("Longs", self.np.asarray(self.extensions.reversals(i, j, n, windows, meter)))


class Palindromes(Guess):
    """A guess at palindromes by their ends: i <= j, and W[i..j) is its own reversal.

    By the first letter and the length there may be far more states, as their sum is where a palindrome ends: 1,444 for
    the 5-bonacci word, and 29 by the ends.
    """

    names = ("i", "j")
    exchangeable = False

    def _values(self, i: Longs, j: Longs, first: Longs, size: Longs) -> Longs:
        np = self.np
        with kernel_calls.metered(self.budget, DURING) as meter:
            found: Longs = np.array(self.extensions.reversals(i, j, np.maximum(j - i, 0), np.ones_like(i), meter))
        found[j < i] = -1
        return found

    def _holds(self, answer: int, last: int) -> bool:
        return answer == 0
