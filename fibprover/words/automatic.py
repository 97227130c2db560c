"""Automatic words: the letter at an index is the output of an automaton that reads the index.

A word has one or more index tracks; index tuples are read most significant digit first, all padded
with zeros to one length.  Its machine may be partial: an index without a run has no letter, and every
comparison with it is false.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice, product
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, cast, overload

from fibprover.automata import kernel_calls, language, operations
from fibprover.automata.dfa import Dfa, Track, build, build_from, explored
from fibprover.automata.digit_order import from_reading_order
from fibprover.base.errors import AutomatonError, BudgetSpent, DigitError, FibproverError, LimitError, NoLetter
from fibprover.base.limits import UNLIMITED, Budget, Limits
from fibprover.base.names import is_parameter, parameter_name
from fibprover.base.values import RichlyDisplayed
from fibprover.language import builder
from fibprover.language.tree import Argument, Call, FormulaMethods, Operand, TermMethods, WordValue
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem, system_of
from fibprover.words.letters import letters_in_order

if TYPE_CHECKING:
    from fibprover.learn.standard import WordPredicate
    from fibprover.words.series_text import SeriesModulo

S = TypeVar("S", bound=Hashable)

#: A definition with more states than this is refused: probably it remembers everything it has read.
MOST_STATES = 10_000


@dataclass(frozen=True, slots=True)
class AutomaticWord(RichlyDisplayed):
    """A named automatic word: `machine` reads an index, and the output of its last state is the letter.

    A word with one index is an infinite sequence: `w[5]`, `w[:10]`, `for letter in w`; with several it is a table,
    `w[3, 5]`. `automatic_word` builds one, and minimizes the machine with respect to all its outputs.

    Fields:

    - name: of the word, in formulas
    - machine: the automaton with output
    - systems: the numeration systems of indices that are not built in, by name
    - series: the power series whose coefficients the letters are, if the word was made so

    >>> word = fp.word("T")
    >>> word[:10], word[10**30], 2 in word
    ([0, 1, 1, 0, 1, 0, 0, 1, 1, 0], 1, False)
    """

    name: str
    machine: Dfa
    systems: Mapping[str, NumerationSystem] = field(default_factory=dict, compare=False, repr=False)
    series: SeriesModulo | None = field(default=None, compare=False, repr=False)

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The index tracks, in the order in which `W[t][u]` is written."""
        return self.machine.tracks

    @property
    def indices(self) -> tuple[Track, ...]:
        """The tracks of the indices that formulas write: all but the parameter of a family.

        >>> [track.system for track in fp.word("C").indices]
        ['msd_sturmian']
        """
        return tuple(track for track in self.tracks if not is_parameter(track.system))

    @property
    def outputs(self) -> tuple[int, ...]:
        """The distinct letters of the word, increasing."""
        return tuple(sorted(set(self.machine.outputs)))

    @property
    def padding_matters(self) -> bool:
        """Whether leading zeros change a letter of the word, so that it is not a function of numbers.

        False if a track is a plain alphabet.
        """
        zero = self.machine.zero_code
        if zero is None:
            return False
        after = self.machine.successor(0, zero)
        if after is None:
            return True
        # The machine is minimal and its states are all reachable, so equivalent states are equal.
        return after != 0

    def value(self, *index: object) -> int | None:
        """Return the letter at an index: a number or a digit word for each track; None where the word has none."""
        self._without_slope()
        digits = [
            self.system(track).represent(number_at(self.name, at)) if hasattr(at, "__index__") and track.system else at
            for track, at in zip(self.tracks, index, strict=False)
        ]
        if not all(isinstance(word, Sequence) for word in digits):
            raise DigitError(f"an index of {self.name} is a number or a digit word for each track, not {index!r}")
        return language.output(self.machine, cast("list[Sequence[int]]", [*digits, *index[len(digits) :]]))

    def system(self, track: Track) -> NumerationSystem:
        """Return the numeration system of an index.

        Raises UnknownSystemError if it is neither built in nor known here.
        """
        return self.systems.get(track.system) or system_named(track.system)

    def with_systems(self, system: Callable[[str], NumerationSystem]) -> AutomaticWord:
        """Return the word with the systems of its indices that are not built in.

        Raises AutomatonError if one is another.
        """
        own = {track.system: system_of(track, system) for track in self.tracks if track.identity}
        return replace(self, systems=own) if own else self

    @overload
    def __getitem__(self, at: SupportsIndex | tuple[SupportsIndex, ...]) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> list[int]: ...

    @overload
    def __getitem__(self, at: Argument | tuple[Argument, ...]) -> WordValue: ...

    def __getitem__(self, at: Any) -> int | list[int] | WordValue:
        """Return the letter at a number, or at as many numbers as there are indices; or those of a slice with an end.

        With a term, such as a variable, as an index, it is the term of formulas for the letter there:

        >>> T, n = fp.word("T"), fp.variable("n")
        >>> T[3], T[:8]
        (0, [0, 1, 1, 0, 1, 0, 0, 1])
        >>> print(T[2*n].eq(T[n]))
        T[2*n]=T[n]

        NoLetter, an IndexError, where the word has no letter.
        """
        if isinstance(at, slice):
            return self._between(at)
        index = at if isinstance(at, tuple) else (at,)
        if any(isinstance(each, TermMethods | FormulaMethods) for each in index) and len(index) == len(self.indices):
            return builder.letter(self.name, *index)
        self._without_slope()
        if len(index) != len(self.tracks):
            hint = f"such as {self.name}[{', '.join('37'[: len(self.tracks)] or '3')}]"
            raise DigitError(f"{self.name} has {len(self.tracks)} indices, not {len(index)}", hint=hint)
        numbers = tuple(number_at(self.name, each) for each in index)
        for track, number in zip(self.tracks, numbers, strict=True):
            if not track.system:
                raise DigitError(
                    f"an index of {self.name} is a word over {set(track.digits)}, not a number",
                    hint=f"give its letters: {self.name}.value((...))",
                )
            if number < 0 and not self.system(track).signed:
                raise NoLetter(f"{self.name} has no letter at {number}: its indices are the natural numbers")
        found = self.value(*numbers)
        if found is None:
            raise NoLetter(f"{self.name} has no letter at {', '.join(map(str, numbers))}")
        return found

    def _between(self, part: slice) -> list[int]:
        """Return the letters of a slice."""
        self._one_index()
        step = 1 if part.step is None else number_at(self.name, part.step)
        if not step:
            raise DigitError("the step of a slice cannot be 0")
        ends = part.stop if step > 0 else part.start
        if ends is None:
            raise NoLetter(
                f"{self.name} has no end: a slice of it needs one",
                hint=f"as in {self.name}[:10]; iteration goes on without end",
            )
        start = 0 if part.start is None else number_at(self.name, part.start)
        stop = -1 if part.stop is None else number_at(self.name, part.stop)
        places = range(start, stop, step)
        signed = self.system(self.tracks[0]).signed
        if not signed and (start < 0 or (part.stop is not None and stop < 0)):
            raise NoLetter(f"{self.name} has no letters before 0, and no end to count from")
        if not signed and places and step > 0 and stop <= 4 * step * len(places):
            return [self._present(letter, start + step * k) for k, letter in enumerate(
                islice(self._letters(), start, stop, step)
            )]
        return [self[place] for place in places]

    def _present(self, letter: int | None, place: int) -> int:
        if letter is None:
            raise NoLetter(f"{self.name} has no letter at {place}")
        return letter

    def _without_slope(self) -> None:
        if len(self.indices) < len(self.tracks):
            raise AutomatonError(
                f"{self.name} is a word for each {parameter_name(self.tracks[-1].system)}, and has letters at one only",
                hint='as in fp.Session("msd_sturmian").eval("C[n]=1").at("[0; 2, (1)]"), the places of 1',
            )

    def _one_index(self) -> None:
        self._without_slope()
        if len(self.tracks) != 1 or not self.tracks[0].system:
            held = f"{len(self.tracks)} indices" if len(self.tracks) != 1 else "words as its indices"
            raise AutomatonError(
                f"{self.name} has {held}, so it is not a sequence", hint="give an index for each, [i, j]"
            )

    def _letters(self) -> Iterator[int | None]:
        """Yield the letters at 0, 1, 2, ..., None at positions without a letter."""
        self._one_index()
        system = self.system(self.tracks[0])
        if system.signed:
            return (self.value(number) for number in count())
        return letters_in_order(self.machine, system.valid)

    def __iter__(self) -> Iterator[int]:
        """Yield the letters at 0, 1, 2, ..., without end; raises NoLetter where the word has none."""
        return (self._present(letter, place) for place, letter in enumerate(self._letters()))

    def __contains__(self, letter: object) -> bool:
        """Return whether a letter occurs at some index of a sequence; iteration would not end where it does not."""
        self._one_index()
        if letter not in self.outputs:
            return False
        (track,) = self.tracks
        valid = self.system(track).valid.renamed([track.name])
        return not kernel_calls.is_empty(kernel_calls.join(self.where(lambda other: other == letter), valid))

    def __str__(self) -> str:
        """Return the indices, the size and, of a sequence, the first letters."""
        head = self._head()
        try:
            first = ["?" if letter is None else str(letter) for letter in islice(self._letters(), 60)]
        except BudgetSpent:
            raise
        except FibproverError:
            return head
        note = "\n  ? marks a place without a letter" if "?" in first else ""
        return f"{head}\n  {('' if all(len(letter) == 1 for letter in first) else ' ').join(first)}...{note}"

    def _head(self) -> str:
        indices = ", ".join(track.system or "{" + ",".join(map(str, track.digits)) + "}" for track in self.indices)
        letters = ", ".join(map(str, self.outputs))
        states = f"{self.machine.states} state{'' if self.machine.states == 1 else 's'}"
        return f"word over {indices or 'nothing'}: {states}, letters {letters}"

    def renamed(self, names: Sequence[str]) -> AutomaticWord:
        """Return the same word with its index tracks renamed in order."""
        return replace(self, machine=self.machine.renamed(names))

    def where(self, test: Callable[[int], bool] | Collection[int], budget: Budget = UNLIMITED) -> Dfa:
        """Return the indices whose letter passes the test (or is in a set), as a canonical automaton.

        A raw language over the index tracks: it may hold words that represent no number, and need not
        be closed under leading zeros; `operations.as_relation` makes a relation of it.
        """
        passes = test if callable(test) else set(test).__contains__
        return operations.where(self.machine, passes, budget)

    def pairs_where(
        self, other: AutomaticWord, test: Callable[[int, int], bool], budget: Budget = UNLIMITED
    ) -> Dfa:
        """Return the index pairs (i, j) with test(self[i], other[j]): raw, canonical, tracks sorted by name.

        Tracks of equal name (and alphabet) are one track: W[n] against V[n].  The letters of `self`
        that admit the same letters of `other` form a class, and there is one product for each class.
        """
        classes: dict[tuple[int, ...], list[int]] = {}
        for letter in self.outputs:
            partners = tuple(partner for partner in other.outputs if test(letter, partner))
            if partners:
                classes.setdefault(partners, []).append(letter)
        result: Dfa | None = None
        for partners, letters in classes.items():
            part = operations.conjunction(self.where(letters, budget), other.where(partners, budget), budget)
            result = part if result is None else operations.disjunction(result, part, budget)
        if result is not None:
            return result
        tracks = {track.name: track for track in (*self.tracks, *other.tracks)}
        return operations.empty([tracks[name] for name in sorted(tracks)])

    @overload
    def prefix(self, count: int) -> list[int]: ...

    @overload
    def prefix(self, count: int, represent: Callable[[int], Sequence[int]]) -> list[int | None]: ...

    def prefix(
        self, count: int, represent: Callable[[int], Sequence[int]] | None = None
    ) -> list[int] | list[int | None]:
        """Return the first letters W[0], ..., W[count - 1] of a word with one index, as `w[:count]` does.

        represent: returns the digit word of a number in another system than that of the index; the result has None
        where the word then has no letter.
        """
        if represent is None:
            return self[:count]
        if len(self.tracks) != 1:
            raise AutomatonError(f"the word {self.name} has {len(self.tracks)} indices; a prefix needs one")
        return [self.value(represent(number)) for number in range(count)]

    # -- predicates: relations between positions of the word; only these methods know them ---------------------------

    def factor_equality(self, limits: Limits | None = None) -> WordPredicate:
        """Return (i, j, n): the factors of length n at i and at j are equal; in formulas `$feq_X(i,j,n)`."""
        return self._predicate("feq", limits)

    def reversals(self, limits: Limits | None = None) -> WordPredicate:
        """Return (i, j, n): the factor of length n at i is the reversal of that at j; in formulas `$rev_X(i,j,n)`."""
        return self._predicate("rev", limits)

    def palindromes(self, limits: Limits | None = None) -> WordPredicate:
        """Return (i, n): the factor of length n at i is a palindrome; in formulas `$pal_X(i,n)`."""
        return self._predicate("pal", limits)

    def periods(self, limits: Limits | None = None) -> WordPredicate:
        """Return (i, n, p): the factor of length n at i has the period p, 1 <= p <= n; in formulas `$per_X(i,n,p)`."""
        return self._predicate("per", limits)

    def borders(self, limits: Limits | None = None) -> WordPredicate:
        """Return (i, m, n): the factor of length n at i has a border of length m, 1 <= m < n; `$border_X(i,m,n)`."""
        return self._predicate("border", limits)

    def first_occurrences(self, limits: Limits | None = None) -> WordPredicate:
        """Return (i, n): the factor of length n at i does not occur before i; in formulas `$first_X(i,n)`."""
        return self._predicate("first", limits)

    # -- formulas --------------------------------------------------------------------------

    def equal_factors(self, i: Operand, j: Operand, n: Operand) -> Call:
        """Return the formula that the factors of length n at i and j are equal: `$feq_X(i,j,n)`."""
        return builder.call(f"feq_{self.name}", i, j, n)

    def is_reversal(self, i: Operand, j: Operand, n: Operand) -> Call:
        """Return the formula that the factor of length n at i is the reversal of that at j: `$rev_X(i,j,n)`."""
        return builder.call(f"rev_{self.name}", i, j, n)

    def is_palindrome(self, i: Operand, n: Operand) -> Call:
        """Return the formula that the factor of length n at i is a palindrome: `$pal_X(i,n)`."""
        return builder.call(f"pal_{self.name}", i, n)

    def has_period(self, i: Operand, n: Operand, p: Operand) -> Call:
        """Return the formula that the factor of length n at i has the period p: `$per_X(i,n,p)`."""
        return builder.call(f"per_{self.name}", i, n, p)

    def has_border(self, i: Operand, m: Operand, n: Operand) -> Call:
        """Return the formula that the factor of length n at i has a border of length m: `$border_X(i,m,n)`."""
        return builder.call(f"border_{self.name}", i, m, n)

    def is_first(self, i: Operand, n: Operand) -> Call:
        """Return the formula that the factor of length n at i does not occur before i: `$first_X(i,n)`."""
        return builder.call(f"first_{self.name}", i, n)

    def _predicate(self, kind: str, limits: Limits | None) -> WordPredicate:
        from fibprover.learn.standard import predicate_of  # a higher layer: see docs/decisions/0037
        from fibprover.words.letter_comparison import equal_letters

        return predicate_of(kind, equal_letters(self), limits)


def number_at(name: str, at: object) -> int:
    """Return any kind of integer as Python's; raises DigitError for anything else."""
    try:
        return index(at)  # type: ignore[arg-type]
    except TypeError:
        raise DigitError(f"an index of {name} is an integer, not {at!r}") from None


def automatic_word(
    name: str, machine: Dfa, budget: Budget = UNLIMITED, changing: Callable[[Dfa], None] | None = None
) -> AutomaticWord:
    """Return a word from its machine, minimized with respect to all outputs.

    The letter at an index is the output of the machine for the representation without leading zeros; a machine
    that treats leading zeros differently (or does not read them) is changed to skip them, after it was shown to
    `changing`.
    """
    word = AutomaticWord(name, kernel_calls.minimize_outputs(machine, budget))
    if not word.padding_matters:
        return word
    if changing is not None:
        changing(word.machine)
    return AutomaticWord(name, kernel_calls.minimize_outputs(_skipping_zeros(word.machine), budget))


def _skipping_zeros(machine: Dfa) -> Dfa:
    """Return the machine with a new initial state that has a loop for leading zeros."""
    zero = machine.zero_code
    assert zero is not None
    rows = [{code: target + 1 for code, target in machine.row(0)}]
    rows[0][zero] = 0
    rows += [{code: target + 1 for code, target in machine.row(state)} for state in range(machine.states)]
    return build(machine.tracks, rows, [machine.outputs[0], *machine.outputs])


def from_transition_function(
    name: str,
    tracks: tuple[Track, ...],
    start: S,
    step: Callable[..., S | None],
    letter: Callable[[S], int],
    budget: Budget = UNLIMITED,
) -> AutomaticWord:
    """Return the word whose letter at an index is that of the state after the index has been read from `start`.

    step(state, digit, ...): the state after one more digit on each track, None where no index continues so.
    Each track is read in its own digit order.  Raises LimitError for more than MOST_STATES states.  For example the
    Rudin-Shapiro word: the state is the last digit and the parity of the number of 11 so far.
    """
    letters = list(product(*(track.digits for track in tracks)))

    def steps(state: S) -> Iterator[tuple[int, S]]:
        return ((code, after) for code, digits in enumerate(letters) if (after := step(state, *digits)) is not None)

    too_many = LimitError(f"the definition of a word has more than {MOST_STATES} states")
    made = build_from(tracks, explored(start, steps, most=MOST_STATES, refused=too_many), letter)
    return automatic_word(name, from_reading_order(made, budget, word=True), budget)
