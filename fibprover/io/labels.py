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

#: Most boolean variables that espresso minimizes well within 0.1 s.
_ESPRESSO_VARIABLES = 10


def edge_boxes(a: Dfa, codes: Collection[int]) -> list[Box]:
    """Boxes that together hold exactly the letters with these codes, sorted.

    Up to 10 boolean variables (one for a track of two digits, else one for each digit of a track): as few
    boxes as espresso finds, which are maximal and may overlap.  Otherwise disjoint boxes by merging those
    that differ in one track, in the best of the track orders tried.
    """
    if not codes:
        return []
    if not a.tracks:
        return [()]
    letters = [a.letter(code) for code in sorted(codes)]
    boxes = merged(letters, a.tracks)
    if len(boxes) > 1 and sum(map(_variables, a.tracks)) <= _ESPRESSO_VARIABLES:
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


def _variables(track: Track) -> int:
    """Boolean variables that say which digit a track has: none where there is one digit only."""
    return {1: 0, 2: 1}.get(len(track.digits), len(track.digits))


def _by_espresso(letters: Sequence[tuple[int, ...]], tracks: Sequence[Track]) -> list[Box]:
    """A near-minimal cover of a non-empty set of letters.

    A track of three digits or more has a variable a digit, exactly one of them true: a product of
    literals then leaves any set of digits, and what is no digit or two does not matter.
    """
    # Only its compiled core is imported, which takes some milliseconds; the package's own interface
    # builds expressions, which are not needed here.
    from pyeda.boolalg.espresso import DTYPE, FTYPE, espresso  # type: ignore[import-untyped]

    # Positional notation: 1 is false, 2 is true, 3 is either.
    cover = {(_bits(letter, tracks), (1,)) for letter in letters}
    first = 0
    width = sum(map(_variables, tracks))
    for track in tracks:
        count = _variables(track)
        if count > 2:
            none = tuple(1 if first <= place < first + count else 3 for place in range(width))
            cover.add((none, (2,)))
            for one in range(first, first + count):
                for other in range(one + 1, first + count):
                    cover.add((tuple(2 if place in (one, other) else 3 for place in range(width)), (2,)))
        first += count
    minimal = espresso(width, 1, cover, intype=FTYPE | DTYPE)
    boxes = [_box(inputs, tracks) for inputs, outputs in minimal if outputs[0] == 1]
    return [box for box in boxes if all(box)]


def _bits(letter: Sequence[int], tracks: Sequence[Track]) -> tuple[int, ...]:
    """A letter as the values of the variables."""
    bits: list[int] = []
    for digit, track in zip(letter, tracks, strict=True):
        if len(track.digits) == 2:
            bits.append(1 + track.digits.index(digit))
        elif len(track.digits) > 2:
            bits += [2 if digit == one else 1 for one in track.digits]
    return tuple(bits)


def _box(product_of_literals: tuple[int, ...], tracks: Sequence[Track]) -> Box:
    """The letters that a product of literals admits: none if a track has no digit left."""
    box = []
    first = 0
    for track in tracks:
        literals = product_of_literals[first : first + _variables(track)]
        first += len(literals)
        if len(literals) == 1:
            kept = [digit for bit, digit in enumerate(track.digits) if literals[0] >> bit & 1]
        else:
            wanted = 2 if 2 in literals else 3
            kept = [digit for digit, one in zip(track.digits, literals or (3,), strict=True) if one == wanted]
        box.append(tuple(kept))
    return tuple(box)


def box_text(box: Box, tracks: Sequence[Track]) -> str:
    """A box as text: `[0,*]`, with bars where a digit may have two characters; over one track the digits: `0,1`."""
    if len(tracks) == 1:
        digits = tracks[0].digits
        return "*" if len(box[0]) == len(digits) > 4 else ",".join(map(str, box[0]))
    parts = []
    for digits, track in zip(box, tracks, strict=True):
        if digits == track.digits and len(digits) > 1:
            parts.append("*")
        elif min(digits) >= 0 and max(track.digits) <= 9:
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
