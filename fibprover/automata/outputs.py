"""Combine word automata letter by letter: products whose outputs are chosen by a function.

A word here is a complete automaton: it has an output for every word over its tracks, 0 unless stated otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build, build_from, explored
from fibprover.automata.kernel_calls import merged_tracks
from fibprover.automata.operations import alphabets
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import UNLIMITED, Budget, check_budget, polled

#: Most letters of an automaton that is completed, since every state then has a transition on each.
_MOST_LETTERS = 1 << 16


def constant(tracks: Sequence[Track], output: int) -> Dfa:
    """Return the word all of whose letters are the same."""
    letters = 1
    for track in tracks:
        letters *= len(track.digits)
    _check_letters(letters)
    return build(tracks, [dict.fromkeys(range(letters), 0)], [output])


def completed(a: Dfa, output: int = 0, budget: Budget = UNLIMITED) -> Dfa:
    """Complete the automaton: missing transitions lead to a further state with this output."""
    if a.transitions == a.states * a.letters:
        return a
    _check_letters(a.letters)
    check_budget(budget, a.states + 1, "a complete automaton")
    sink = a.states
    rows = [dict.fromkeys(range(a.letters), sink) | dict(a.row(state)) for state in range(a.states)]
    rows.append(dict.fromkeys(range(a.letters), sink))
    return kernel_calls.minimize_outputs(build(a.tracks, rows, [*a.outputs, output]), budget)


def paired(a: Dfa, b: Dfa, merge: Callable[[int, int], int], budget: Budget = UNLIMITED) -> Dfa:
    """Return the word merge(a's letter, b's letter) over the tracks of both; tracks of the same name are one track.

    a, b: complete automata.  Tracks sorted by name; minimal.  O(letters) for each pair of states.
    """
    tracks = merged_tracks(a, b)
    letters = 1
    for track in tracks:
        letters *= len(track.digits)
    _check_letters(letters)
    left, right = _letter_parts(a, tracks), _letter_parts(b, tracks)

    def steps(pair: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        first, second = dict(a.row(pair[0])), dict(b.row(pair[1]))
        return ((code, (first[left[code]], second[right[code]])) for code in range(letters))

    found = explored((0, 0), steps, budget, "a product of words")
    made = build_from(tracks, found, lambda pair: merge(a.outputs[pair[0]], b.outputs[pair[1]]))
    return kernel_calls.minimize_outputs(made, budget)


def from_parts(parts: Mapping[int, Dfa], tracks: Sequence[Track], budget: Budget = UNLIMITED) -> Dfa:
    """Return the word that has the letter v where parts[v] accepts, and 0 elsewhere.

    parts: over these tracks, in any order; where several accept, the last one decides.
    """
    result = reduce(
        lambda word, part: paired(word, completed(_with_output(*part), 0, budget), lambda old, new: new or old, budget),
        ((letter, part) for letter, part in parts.items() if letter),
        constant(tuple(sorted(tracks)), 0),
    )
    return kernel_calls.minimize_outputs(kernel_calls.reorder(result, [track.name for track in tracks], budget), budget)


def combined(parts: Sequence[tuple[Dfa, int]], budget: Budget = UNLIMITED, *, otherwise: int = 0) -> Dfa:
    """Return the word whose letter is the value of the last relation that accepts the index, or `otherwise`.

    parts: relations over the same alphabets with their values, which may be 0; the tracks are those of the first.
    """
    if not parts:
        raise AutomatonError("a combination needs at least one predicate")
    tracks = parts[0][0].tracks
    result = constant(tracks, otherwise)
    for relation, value in parts:
        if [track[1:] for track in relation.tracks] != [track[1:] for track in tracks]:
            raise AutomatonError(
                f"the automata need the same alphabets: {alphabets(parts[0][0])} and {alphabets(relation)} differ"
            )
        indicator = completed(relation.with_tracks(tracks), 0, budget)
        result = paired(result, indicator, lambda old, new, value=value: value if new else old, budget)  # type: ignore[misc]
    return kernel_calls.minimize_outputs(kernel_calls.reorder(result, [track.name for track in tracks], budget), budget)


def joined(parts: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Return the word whose letter is the first letter of the parts that is not 0.

    Tracks of the same name are one track; the result's tracks are sorted by name.
    """
    if not parts:
        raise AutomatonError("a join needs at least one word")
    complete = [completed(part, 0, budget) for part in parts]
    first = kernel_calls.reorder(complete[0], sorted(complete[0].names), budget)
    result = reduce(lambda word, part: paired(word, part, lambda old, new: old or new, budget), complete[1:], first)
    return kernel_calls.minimize_outputs(result, budget)


def _with_output(letter: int, part: Dfa) -> Dfa:
    """Return the automaton with this output where it accepts."""
    return part.with_outputs(letter if output else 0 for output in part.outputs)


def _letter_parts(a: Dfa, tracks: Sequence[Track]) -> list[int]:
    """Return, for every letter over these tracks, the code of its part on a's tracks."""
    places = [tracks.index(track) for track in a.tracks]
    digits = [range(len(track.digits)) for track in tracks]
    codes = []
    for letter in polled(product(*digits), "a word"):
        code = 0
        for place, track in zip(places, a.tracks, strict=True):
            code = code * len(track.digits) + letter[place]
        codes.append(code)
    return codes


def _check_letters(letters: int) -> None:
    if letters > _MOST_LETTERS:
        raise AutomatonError(f"a word over {letters} letters is too wide: at most {_MOST_LETTERS} letters are possible")
