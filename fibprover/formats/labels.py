"""Short labels for the letters of an edge: few boxes instead of many letters.

A box is a set of digits a track and stands for all letters with these digits: `[0,*]`, `[01,1]`.
The boxes of an edge may overlap, but together they hold exactly its letters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import permutations, product

from fibprover.automata.dfa import Dfa, Track

#: Digits allowed on each track.
Box = tuple[tuple[int, ...], ...]

#: Most tracks that espresso minimizes well within 0.1 s.
_ESPRESSO_TRACKS = 10


def edge_boxes(a: Dfa, codes: Collection[int]) -> list[Box]:
    """Boxes that together hold exactly the letters with these codes, sorted.

    Binary alphabets, at most 10 tracks: as few boxes as espresso finds, which are maximal and may
    overlap.  Otherwise disjoint boxes by merging those that differ in one track, in the best of the
    track orders tried.
    """
    if not codes:
        return []
    if not a.tracks:
        return [()]
    letters = [a.letter(code) for code in sorted(codes)]
    boxes = merged(letters, a.tracks)
    if len(boxes) > 1 and len(a.tracks) <= _ESPRESSO_TRACKS and all(len(track.digits) == 2 for track in a.tracks):
        found = _by_espresso(letters, a.tracks)
        if len(found) <= len(boxes) and expanded(found) == set(letters):
            boxes = found
    return sorted(boxes)


def expanded(boxes: Iterable[Box]) -> set[tuple[int, ...]]:
    """All letters in the boxes."""
    return {letter for box in boxes for letter in product(*box)}


def merged(letters: Sequence[tuple[int, ...]], tracks: Sequence[Track]) -> list[Box]:
    """Disjoint boxes that hold exactly these letters, of few by merging track after track.

    O(orders * tracks * letters); all orders of up to 4 tracks, else each track once as the first.
    """
    count = len(tracks)
    orders: Iterable[tuple[int, ...]]
    if count <= 4:
        orders = permutations(range(count))
    else:
        orders = (tuple((first + step) % count for step in range(count)) for first in range(count))
    points: list[Box] = [tuple((digit,) for digit in letter) for letter in letters]
    return min((_merged_in(points, order) for order in orders), key=lambda boxes: (len(boxes), boxes))


def _merged_in(boxes: list[Box], order: Sequence[int]) -> list[Box]:
    """Merge the boxes that differ in one track only, for each track in order, until none is left."""
    while True:
        before = len(boxes)
        for track in order:
            groups: dict[Box, set[int]] = {}
            for box in boxes:
                groups.setdefault(box[:track] + box[track + 1 :], set()).update(box[track])
            boxes = [(*rest[:track], tuple(sorted(digits)), *rest[track:]) for rest, digits in groups.items()]
        if len(boxes) == before:
            return sorted(boxes)


def _by_espresso(letters: Sequence[tuple[int, ...]], tracks: Sequence[Track]) -> list[Box]:
    """A near-minimal cover of a non-empty set of letters over binary tracks."""
    # Only its compiled core is imported, which takes some milliseconds; the package's own interface
    # builds expressions, which are not needed here.
    from pyeda.boolalg.espresso import FTYPE, espresso  # type: ignore[import-untyped]

    # Positional notation: bit 1 admits the first digit, bit 2 the second.
    cover = {
        (tuple(1 + track.digits.index(digit) for digit, track in zip(letter, tracks, strict=True)), (1,))
        for letter in letters
    }
    minimal = espresso(len(tracks), 1, cover, intype=FTYPE)
    return [
        tuple(
            tuple(digit for bit, digit in enumerate(track.digits) if admitted >> bit & 1)
            for admitted, track in zip(inputs, tracks, strict=True)
        )
        for inputs, outputs in minimal
        if outputs[0]
    ]


def box_text(box: Box, tracks: Sequence[Track]) -> str:
    """A box as text: `[0,*]`; over one track the digits alone: `0,1`."""
    if len(tracks) == 1:
        digits = tracks[0].digits
        return "*" if len(box[0]) == len(digits) > 4 else ",".join(map(str, box[0]))
    parts = []
    for digits, track in zip(box, tracks, strict=True):
        if digits == track.digits and len(digits) > 1:
            parts.append("*")
        elif all(0 <= digit <= 9 for digit in digits):
            parts.append("".join(map(str, digits)))
        else:
            parts.append("|".join(map(str, digits)))
    return f"[{','.join(parts)}]"


def edges(a: Dfa) -> dict[tuple[int, int], list[str]]:
    """The label texts of each edge (source, target), parallel transitions merged; sorted by edge."""
    parallel: dict[tuple[int, int], list[int]] = {}
    for state in range(a.states):
        for code, target in a.row(state):
            parallel.setdefault((state, target), []).append(code)
    # Few sets of letters occur on many edges.
    known: dict[tuple[int, ...], list[str]] = {}
    result: dict[tuple[int, int], list[str]] = {}
    for edge, codes in sorted(parallel.items()):
        key = tuple(codes)
        if key not in known:
            known[key] = [box_text(box, a.tracks) for box in edge_boxes(a, codes)]
        result[edge] = known[key]
    return result
