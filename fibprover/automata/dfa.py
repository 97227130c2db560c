"""The one automaton type: an immutable, partial, deterministic automaton in CSR arrays.

A letter is one digit a track, all tracks read in step.  Its code is the mixed-radix number of
the digits' positions in their alphabets, first track most significant, so that codes of one
automaton are ordered as the letters are.  State s owns the transitions
`offsets[s] <= i < offsets[s + 1]`, sorted by code; a missing transition rejects; state 0 is
initial.  The arrays are read-only memoryviews over C integers (`q` = 64 bit, `i` = 32 bit):
`numpy.asarray` views them without a copy, and numpy is imported only when `Dfa.arrays` is called.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fibprover.base.errors import AutomatonError, DigitError, LimitError
from fibprover.base.limits import UNLIMITED, Budget, check_budget, poll, polled
from fibprover.base.values import RichlyDisplayed
from fibprover.base.wording import plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

S = TypeVar("S", bound=Hashable)

#: Transitions are copied in pieces of this size.
_AT_ONCE = 1 << 16

#: State numbers are `i`, and some kernels store a number plus one.
MOST_STATES = (1 << 31) - 2

#: Outputs are `i`.
LARGEST_OUTPUT = (1 << 31) - 1


class Track(NamedTuple):
    """One component of the letters of an automaton: a name, its digits in order, and the numeration system.

    Fields:

    - name: the variable
    - digits: in order
    - system: the system's name (such as "msd_fib") where the track holds numbers, and empty where it is a plain
      alphabet
    - stored_reversed: whether it is a plain alphabet whose words are kept last letter first, like those of an lsd
      system (see `fibprover.automata.digit_order`)
    - identity: the fingerprint of a system that a session or a file defines, empty for the built-in ones; two systems
      of one name are the same only if their identities are equal

    >>> fp.Track("x", (0, 1), "msd_fib") == fp.system_named("fib").track("x")
    True
    """

    name: str
    digits: tuple[int, ...]
    system: str = ""
    stored_reversed: bool = False
    identity: str = ""


#: Returns a track of the numeration system with a name, or raises a FibproverError.
TrackOfSystem = Callable[[str], Track]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dfa(RichlyDisplayed):
    """A deterministic automaton over the product of its tracks' digits.

    It is a compressed table of rows, in arrays that cannot be changed.

    Fields:

    - offsets: (states + 1) of `q`
    - codes: (transitions) of `q`
    - targets: (transitions) of `i`
    - outputs: (states) of `i`, where a relation accepts if the output is not 0
    - shown: what `fibprover.automata.digit_order.to_reading_order` has returned for it, if anything: a reversal is
      asked for by each file and each line that shows the automaton, and may cost more than the automaton itself

    >>> automaton = fp.Session("msd_fib").relation("Ey x=2*y").automaton
    >>> automaton.states, automaton.transitions, automaton.names
    (8, 12, ('x',))
    """

    tracks: tuple[Track, ...]
    offsets: memoryview[int]
    codes: memoryview[int]
    targets: memoryview[int]
    outputs: memoryview[int]
    shown: list[Dfa] = field(default_factory=list, init=False)

    @property
    def states(self) -> int:
        """Number of states, at least 1."""
        return len(self.outputs)

    @property
    def transitions(self) -> int:
        """Number of transitions."""
        return len(self.codes)

    @property
    def nbytes(self) -> int:
        """Bytes held by the four arrays."""
        return self.offsets.nbytes + self.codes.nbytes + self.targets.nbytes + self.outputs.nbytes

    @property
    def held(self) -> Dfa:
        """The automaton whose arrays are there from the beginning: this one, or that of the reversed words.

        Looking at it makes nothing.  See `fibprover.automata.turned`.
        """
        return self

    @property
    def backward(self) -> Dfa | None:
        """The automaton of the reversed words, over plain tracks, if the arrays are still to be made of it.

        See `fibprover.automata.turned`.
        """
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tracks, in order."""
        return tuple(track.name for track in self.tracks)

    @property
    def radices(self) -> tuple[int, ...]:
        """Alphabet sizes of the tracks, in order."""
        return tuple(len(track.digits) for track in self.tracks)

    @property
    def letters(self) -> int:
        """Number of letters: the product of the alphabet sizes (1 without tracks)."""
        return prod(self.radices)

    @property
    def zero_code(self) -> int | None:
        """Code of the all-zero letter if every track holds numbers, else None (no zero closure)."""
        if any(not track.system for track in self.tracks):
            return None
        return self.code((0,) * len(self.tracks))

    def code(self, letter: Sequence[int]) -> int:
        """Return the code of a letter, given as one digit a track.

        Raises DigitError if a digit is not in its alphabet.
        """
        if len(letter) != len(self.tracks):
            raise DigitError(f"a letter here has {plural(len(self.tracks), 'digit')}, not {len(letter)}")
        code = 0
        for digit, track in zip(letter, self.tracks, strict=True):
            try:
                index = track.digits.index(digit)
            except ValueError:
                raise DigitError(
                    f"{digit} is not a digit of track {track.name}", hint=f"it has {set(track.digits)}"
                ) from None
            code = code * len(track.digits) + index
        return code

    def letter(self, code: int) -> tuple[int, ...]:
        """Return the letter with this code, one digit a track."""
        digits = []
        for track in reversed(self.tracks):
            code, index = divmod(code, len(track.digits))
            digits.append(track.digits[index])
        return tuple(reversed(digits))

    def digit_words(self, codes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Return the word with these letter codes as one digit word a track."""
        letters = [self.letter(code) for code in codes]
        return tuple(tuple(letter[place] for letter in letters) for place in range(len(self.tracks)))

    def row(self, state: int) -> list[tuple[int, int]]:
        """Return the transitions of a state as (code, target), sorted by code."""
        begin, end = self.offsets[state], self.offsets[state + 1]
        row = list(zip(self.codes[begin : min(end, begin + _AT_ONCE)], self.targets[begin:end], strict=False))
        for at in range(begin + _AT_ONCE, end, _AT_ONCE):
            # The row of a relation of many variables may be larger than the memory.
            poll("the transitions of a state")
            row += zip(self.codes[at : min(end, at + _AT_ONCE)], self.targets[at:end], strict=False)
        return row

    def successor(self, state: int, code: int) -> int | None:
        """Return the state reached by one letter, or None.  O(log row)."""
        low, high = self.offsets[state], self.offsets[state + 1]
        while low < high:
            middle = (low + high) // 2
            if self.codes[middle] < code:
                low = middle + 1
            else:
                high = middle
        if low < self.offsets[state + 1] and self.codes[low] == code:
            return self.targets[low]
        return None

    def output(self, codes: Iterable[int]) -> int | None:
        """Return the output after these letter codes, None if a transition is missing."""
        state = 0
        for code in codes:
            following = self.successor(state, code)
            if following is None:
                return None
            state = following
        return self.outputs[state]

    def renamed(self, names: Sequence[str]) -> Dfa:
        """Return the automaton with its tracks renamed in order; it shares the arrays."""
        if len(names) != len(self.tracks) or len(set(names)) != len(names):
            raise AutomatonError(f"{len(self.tracks)} distinct track names are needed, got {list(names)}")
        tracks = tuple(track._replace(name=name) for track, name in zip(self.tracks, names, strict=True))
        return self.with_tracks(tracks)

    def with_tracks(self, tracks: tuple[Track, ...]) -> Dfa:
        """Return the automaton with other tracks of the same alphabet sizes; it shares the arrays."""
        if tuple(len(track.digits) for track in tracks) != self.radices:
            raise AutomatonError("the new tracks have other alphabet sizes")
        return Dfa(tracks, self.offsets, self.codes, self.targets, self.outputs)

    def with_outputs(self, outputs: Iterable[int]) -> Dfa:
        """Return the same automaton with other outputs, one a state."""
        return Dfa(self.tracks, self.offsets, self.codes, self.targets, frozen(array("i", outputs)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the four arrays as read-only numpy views: offsets, codes (int64), targets, outputs (int32)."""
        import numpy  # importing it takes longer than deciding most formulas

        names = ("offsets", "codes", "targets", "outputs")
        return {name: numpy.asarray(getattr(self, name)) for name in names}

    def __eq__(self, other: object) -> bool:
        """Structural equality: same tracks, same arrays (equal languages if both are minimal)."""
        if not isinstance(other, Dfa):
            return NotImplemented
        return self.tracks == other.tracks and self.same_arrays(other)

    def same_arrays(self, other: Dfa) -> bool:
        """Return whether the arrays are equal; the tracks may differ."""
        return (
            self.offsets == other.offsets
            and self.codes == other.codes
            and self.targets == other.targets
            and self.outputs == other.outputs
        )

    def __hash__(self) -> int:
        return hash((self.tracks, self.states, self.transitions, bytes(self.targets[:64])))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickle and copy, which can handle arrays but not views of them."""
        views = (self.offsets, self.codes, self.targets, self.outputs)
        return _restored, (self.tracks, *(array(view.format, view) for view in views))

    def __repr__(self) -> str:
        tracks = ", ".join(f"{t.name}:{t.system or set(t.digits)}" for t in self.tracks)
        return f"Dfa({tracks}; {plural(self.states, 'state')}, {plural(self.transitions, 'transition')})"


def build(
    tracks: Sequence[Track], rows: Sequence[Mapping[int, int]], outputs: Sequence[int]
) -> Dfa:
    """Return a Dfa from one {letter code: target} a state; check every invariant of the type."""
    tracks = tuple(tracks)
    check_tracks(tracks)
    letters = prod(len(track.digits) for track in tracks)
    if len(rows) != len(outputs) or not rows:
        raise AutomatonError("an automaton needs at least one state, and one output a state")
    offsets, codes, targets = array("q", [0]), array("q"), array("i")
    for row in rows:
        for code in polled(sorted(row), "an automaton") if len(row) > _AT_ONCE else sorted(row):
            if not 0 <= code < letters:
                raise AutomatonError(f"letter code {code} is outside 0..{letters - 1}")
            if not 0 <= row[code] < len(rows):
                raise AutomatonError(f"target {row[code]} is not a state")
            codes.append(code)
            targets.append(row[code])
        offsets.append(len(codes))
    largest = max(outputs, key=abs)
    if abs(largest) > LARGEST_OUTPUT:
        raise LimitError(f"{largest} is too large for an output", hint=f"outputs lie within {LARGEST_OUTPUT} of 0")
    return Dfa(tracks, frozen(offsets), frozen(codes), frozen(targets), frozen(array("i", outputs)))


def explored(
    start: S, steps: Callable[[S], Iterable[tuple[int, S]]], budget: Budget = UNLIMITED, during: str = "an automaton",
    *, most: float = inf, refused: Exception | None = None,
) -> Iterator[tuple[S, dict[int, int]]]:
    """Yield the states that a start leads to, as they are found, each with its row of an automaton: see `build`.

    steps(state): pairs of a letter code and the state after it.  refused: the error for more states than `most`.
    """
    numbers, found = {start: 0}, [start]
    for state in found:
        check_budget(budget, len(found), during)
        row = {}
        for code, after in steps(state):
            if after not in numbers:
                if len(found) >= budget.states:
                    raise budget.spent("states", states=len(found), during=during)
                if len(found) >= most and refused is not None:
                    raise refused
                numbers[after] = len(found)
                found.append(after)
            row[code] = numbers[after]
        yield state, row


def build_from(
    tracks: Sequence[Track], found: Iterable[tuple[S, Mapping[int, int]]], output: Callable[[S], int]
) -> Dfa:
    """Return the automaton of the states that `explored` finds, each with its output, whose errors end the search."""
    rows, outputs = [], []
    for state, row in found:
        rows.append(row)
        outputs.append(output(state))
    return build(tracks, rows, outputs)


def _restored(tracks: tuple[Track, ...], *arrays: array[int]) -> Dfa:
    return Dfa(tracks, *map(frozen, arrays))


def frozen(values: array[int]) -> memoryview[int]:
    """Return a read-only view of an array, which must not be changed afterwards."""
    return memoryview(values).toreadonly()


def check_tracks(tracks: Sequence[Track]) -> None:
    """Check that names are distinct, alphabets non-empty and strictly increasing, and letter codes within 62 bits.

    AutomatonError otherwise.
    """
    names = [track.name for track in tracks]
    if len(set(names)) != len(names):
        raise AutomatonError(f"track names repeat: {names}")
    for track in tracks:
        if not track.digits or any(a >= b for a, b in zip(track.digits, track.digits[1:], strict=False)):
            raise AutomatonError(f"the digits of track {track.name} must be increasing: {track.digits}")
    if prod(len(track.digits) for track in tracks) >= 1 << 62:
        raise AutomatonError(f"{len(tracks)} tracks have more than 2^62 letters")
