"""Questions about the language of an automaton; nothing here builds a new relation.

A word of a k-track automaton is given and returned as k digit words, one a track, most significant
digit first.  Numbers may be given in any lengths: tracks that hold numbers are padded with leading
zeros.  Lists of words omit those that begin with the all-zero letter, so that each tuple of numbers
is listed once; over plain alphabets, which have no such letter, all words are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import AutomatonError, DigitError
from fibprover.base.limits import UNLIMITED, Budget, check_budget

#: One digit word a track.
Words = tuple[tuple[int, ...], ...]


def letter_codes(a: Dfa, words: Sequence[Sequence[int]]) -> list[int]:
    """Return the codes of the word that these digit words form, padded to one length, tracks in order.

    Raises DigitError for a wrong number of words, a digit that is not in its alphabet, or a word of a plain track
    (which cannot be padded) that is shorter than another one.
    """
    if len(words) != len(a.tracks):
        raise DigitError(f"{len(a.tracks)} digit words are needed, one a track, not {len(words)}")
    length = max((len(word) for word in words), default=0)
    codes = [0] * length
    for word, track in zip(words, a.tracks, strict=True):
        index_of = {digit: index for index, digit in enumerate(track.digits)}
        padding = length - len(word)
        if padding and not track.system:
            raise DigitError(f"track {track.name} is a plain alphabet: {length} letters are needed, not {len(word)}")
        radix = len(track.digits)
        for place in range(length):
            digit = word[place - padding] if place >= padding else 0
            if digit not in index_of:
                raise DigitError(
                    f"{digit} is not a digit of track {track.name}",
                    hint="its digits are " + ", ".join(map(str, track.digits)),
                )
            codes[place] = codes[place] * radix + index_of[digit]
    return codes


def output(a: Dfa, words: Sequence[Sequence[int]]) -> int | None:
    """Return the output after these digit words, or None if a transition is missing."""
    codes = letter_codes(a, words)
    return a.output(codes) if a.backward is None else a.backward.output(reversed(codes))


def accepts(a: Dfa, words: Sequence[Sequence[int]]) -> bool:
    """Return whether the tuple of these digit words is in the relation.  O(digits * log row)."""
    return bool(output(a, words))


def is_empty(a: Dfa) -> bool:
    """Return whether no word is accepted."""
    return kernel_calls.is_empty(a)


def is_finite(a: Dfa) -> bool:
    """Return whether finitely many tuples of numbers (over plain alphabets: words) are accepted."""
    return kernel_calls.is_finite(a)


def shortest(a: Dfa) -> Words | None:
    """Return the first accepted word by length, then lexicographic order, or None if there is none.

    This is the least number for one track of a system in which that is the order of the numbers.
    """
    codes = kernel_calls.shortest(a)
    return None if codes is None else a.digit_words(codes)


def first_words(a: Dfa, count: int, budget: Budget = UNLIMITED) -> list[Words]:
    """Return the first `count` accepted words, or all if there are fewer, in the order of `shortest`."""
    return [a.digit_words(codes) for codes in kernel_calls.words(a, count, budget)]


def count_words(a: Dfa, length: int) -> int:
    """Return the exact number of accepted words of this length, leading zeros included."""
    return kernel_calls.count_words(a, length)


def suffix_counts(a: Dfa) -> Iterator[list[int]]:
    """Yield for t = 0, 1, ..., without end, how many words of t letters are accepted from each state."""
    counts = [int(output != 0) for output in a.outputs]
    while True:
        yield counts
        counts = [sum(counts[target] for _, target in a.row(state)) for state in range(a.states)]


def count_all(a: Dfa, budget: Budget = UNLIMITED) -> int:
    """Return the number of words that do not begin with the zero letter (plain alphabets: of all words).

    Raises AutomatonError if there are infinitely many.  O(transitions) additions.
    """
    if not is_finite(a):
        raise AutomatonError("infinitely many words cannot be counted")
    a = kernel_calls.trim(a, budget)
    zero = a.zero_code
    starts = [target for code, target in a.row(0) if code != zero]
    # After a first letter that is not zero there is no cycle, so every state is counted after its successors.
    ways: dict[int, int] = {}
    pending = list(starts)
    while pending:
        check_budget(budget, a.states, "a count")
        state = pending[-1]
        waiting = [target for _, target in a.row(state) if target not in ways] if state not in ways else []
        if waiting:
            pending += waiting
            continue
        if state not in ways:
            ways[state] = int(a.outputs[state] != 0) + sum(ways[target] for _, target in a.row(state))
        pending.pop()
    return int(a.outputs[0] != 0) + sum(ways[target] for target in starts)


def single_word(track: Track, word: Sequence[int]) -> Dfa:
    """Accept one word over a track, most significant digit first; on a track of numbers also with leading zeros.

    The word of a number has no leading zeros itself.
    """
    rows = [{track.digits.index(digit): place + 1} for place, digit in enumerate(word)] + [{}]
    if track.system:
        rows[0][track.digits.index(0)] = 0
    return build([track], rows, [0] * len(word) + [1])


def words_of_length(track: Track, length: int) -> Dfa:
    """Accept all words of this length over one track."""
    letters = range(len(track.digits))
    rows: list[dict[int, int]] = [dict.fromkeys(letters, place + 1) for place in range(length)]
    return build([track], [*rows, {}], [0] * length + [1])
