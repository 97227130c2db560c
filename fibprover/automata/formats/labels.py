"""Short labels for the letters of an edge: few boxes instead of many letters.

A box has a set of digits for each track and contains all letters with these digits: `[0,*]`, `[01,1]`.
The boxes of an edge may overlap; together they contain exactly the letters of the edge.  Beyond MOST_BOXES a label
is the number of letters: no drawing is readable with more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import permutations, product
from math import prod

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.nondeterministic import Nfa
from fibprover.base.limits import polled
from fibprover.base.wording import plural

#: The digits allowed on each track.
Box = tuple[tuple[int, ...], ...]

#: The most boxes that the label of an edge lists.  The adder of base 10 needs 55.
MOST_BOXES = 64

#: The most boolean variables for which espresso takes well under 0.1 s.
_ESPRESSO_VARIABLES = 10

#: Edges of more letters than this, which is more than espresso is given, are made shorter where that is possible.
_MANY = 1 << _ESPRESSO_VARIABLES

#: How many letters of such an edge are looked at first.
_DECIDING = 256

#: Sums of floating-point numbers are off by much less.
_ROUNDING = 0.5


def edge_boxes(a: Dfa, codes: Collection[int]) -> list[Box]:
    """Return boxes, sorted, that together contain exactly the letters with these codes.

    Up to 10 boolean variables (one for a track of two digits, else one for each digit of a track), espresso finds a
    small number of boxes, which are maximal and may overlap.  Beyond that the boxes are disjoint: boxes that differ in
    one track are merged, in the best of the track orders tried.  So they are where pyeda is missing, which the extra
    `labels` installs.
    """
    if not codes:
        return []
    if not a.tracks:
        return [()]
    letters = [a.letter(code) for code in polled(sorted(codes), "labels")]
    boxes = merged(letters, a.tracks)
    if len(boxes) > 1 and sum(map(_variables, a.tracks)) <= _ESPRESSO_VARIABLES:
        found = _by_espresso(letters, a.tracks)
        if len(found) <= len(boxes) and expanded(found) == set(letters):
            boxes = found
    return sorted(boxes)


def expanded(boxes: Iterable[Box]) -> set[tuple[int, ...]]:
    """Return all letters in the boxes."""
    return {letter for box in boxes for letter in product(*box)}


def merged(letters: Sequence[tuple[int, ...]], tracks: Sequence[Track]) -> list[Box]:
    """Return disjoint boxes that contain exactly these letters, merged track by track so that they are few.

    Time O(orders * tracks * letters).  All orders of up to 4 tracks are tried, for more tracks one order for each
    first track.
    """
    count = len(tracks)
    orders: Iterable[tuple[int, ...]]
    if count <= 4:
        orders = permutations(range(count))
    else:
        orders = (tuple((first + step) % count for step in range(count)) for first in range(count))
    places = [{digit: 1 << place for place, digit in enumerate(track.digits)} for track in tracks]
    points = [tuple(bits[digit] for bits, digit in zip(places, letter, strict=True)) for letter in letters]
    best: list[Box] = []
    for order in orders:
        masks = _merged_in(points, order)
        if not best or len(masks) <= len(best):
            boxes = sorted(tuple(map(_digits, box, tracks)) for box in masks)
            best = min(best or boxes, boxes, key=lambda found: (len(found), found))
        if len(best) == 1:
            break
    return best


def _merged_in(boxes: list[tuple[int, ...]], order: Sequence[int]) -> list[tuple[int, ...]]:
    """Merge the boxes that differ in one track only, for each track in order, until no two such boxes are left.

    The digits of a box on a track are the bits of a number.
    """
    while True:
        before = len(boxes)
        for track in order:
            groups: dict[tuple[int, ...], int] = {}
            for box in polled(boxes, "labels"):
                rest = box[:track] + box[track + 1 :]
                groups[rest] = groups.get(rest, 0) | box[track]
            if len(groups) < len(boxes):
                boxes = [(*rest[:track], mask, *rest[track:]) for rest, mask in groups.items()]
        if len(boxes) == before:
            return boxes


def _digits(mask: int, track: Track) -> tuple[int, ...]:
    """Return the digits of a track whose bits are set in a number."""
    return tuple(digit for place, digit in enumerate(track.digits) if mask >> place & 1)


def _variables(track: Track) -> int:
    """Return the number of boolean variables that encode the digit of a track: 0 if only one digit is possible."""
    return {1: 0, 2: 1}.get(len(track.digits), len(track.digits))


def _by_espresso(letters: Sequence[tuple[int, ...]], tracks: Sequence[Track]) -> list[Box]:
    """Return a near-minimal cover of a non-empty set of letters; [] where pyeda is missing (the extra `labels`).

    A track of three or more digits has one variable for each digit, of which exactly one is true: a product of literals
    can then allow any set of digits. Values that encode no digit, or two digits, are "don't care".
    """
    # Only the compiled core of pyeda is imported, which takes some milliseconds; its main interface builds
    # expressions, which are not needed here.
    try:
        from pyeda.boolalg.espresso import DTYPE, FTYPE, espresso  # type: ignore[import-untyped]
    except ImportError:
        return []

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
    """Return the values of the variables for a letter."""
    bits: list[int] = []
    for digit, track in zip(letter, tracks, strict=True):
        if len(track.digits) == 2:
            bits.append(1 + track.digits.index(digit))
        elif len(track.digits) > 2:
            bits += [2 if digit == one else 1 for one in track.digits]
    return tuple(bits)


def _box(product_of_literals: tuple[int, ...], tracks: Sequence[Track]) -> Box:
    """Return the box of the letters that a product of literals allows; it is empty if a track has no digit left."""
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
    """Return a box as text: `[0,*]`, with bars where a text may have two characters; for one track the digits: `0,1`.

    Four digits in a row, or more, are `1..4`.
    """
    if len(tracks) == 1:
        digits = tracks[0].digits
        return "*" if len(box[0]) == len(digits) > 4 else ",".join(_runs(box[0]))
    parts = []
    for digits, track in zip(box, tracks, strict=True):
        if digits == track.digits and len(digits) > 1:
            parts.append("*")
        else:
            texts = _runs(digits)
            single = min(digits) >= 0 and max(track.digits) <= 9 and all(len(text) == 1 for text in texts)
            parts.append(("" if single else "|").join(texts))
    return f"[{','.join(parts)}]"


def _runs(digits: Sequence[int]) -> list[str]:
    """Return increasing digits as texts, four or more in a row as one text: 1..4."""
    texts: list[str] = []
    begin = 0
    for place in range(1, len(digits) + 1):
        if place == len(digits) or digits[place] != digits[place - 1] + 1:
            run = digits[begin:place]
            texts += [f"{run[0]}..{run[-1]}"] if len(run) >= 4 else map(str, run)
            begin = place
    return texts


def edges(a: Dfa) -> dict[tuple[int, int], list[str]]:
    """Return the labels of each edge (source, target), sorted by edge; parallel transitions are one edge."""
    # Many edges have the same set of letters.
    known: dict[bytes, list[str]] = {}
    result: dict[tuple[int, int], list[str]] = {}
    for source, target, codes in polled(kernel_calls.edges(a), "labels"):
        key = codes.tobytes()
        if key not in known:
            known[key] = _texts(a, codes)
        result[source, target] = known[key]
    return result


def nondeterministic_edges(a: Nfa) -> dict[tuple[int, int], list[str]]:
    """Return the labels of each edge of a nondeterministic automaton; see `edges`."""
    found: dict[tuple[int, int], list[int]] = {}
    for source, row in enumerate(polled(a.rows, "labels")):
        for code, targets in row:
            for target in targets:
                found.setdefault((source, target), []).append(code)
    letters = build(a.tracks, [{}], [0])
    return {edge: _texts(letters, found[edge]) for edge in sorted(found)}


def _texts(a: Dfa, codes: Sequence[int]) -> list[str]:
    """Return the labels of an edge: its boxes, or the number of its letters if there would be too many boxes."""
    counted = [plural(len(codes), "letter")]
    if len(codes) > _MANY and _bound_exceeds(a, codes, codes[:_DECIDING], MOST_BOXES):
        return counted
    narrow, free = _narrowed(a, codes)
    if needs_more_boxes(a, narrow, MOST_BOXES):
        return counted
    boxes = edge_boxes(a, narrow)
    if len(boxes) > MOST_BOXES:
        return counted
    whole = [tuple(free.get(track, digits) for track, digits in enumerate(box)) for box in boxes]
    return [box_text(box, a.tracks) for box in whole]


def _narrowed(a: Dfa, codes: Sequence[int]) -> tuple[Sequence[int], dict[int, tuple[int, ...]]]:
    """Return the letters of an edge that have the first possible digit on each track that does not matter.

    With them the tracks, each with its possible digits: the edge has all letters with one of these digits in the place
    of that one.  So its boxes are those of the letters returned, with these digits.  Short edges are left as they are.
    """
    free: dict[int, tuple[int, ...]] = {}
    for track, (radix, weight) in enumerate(zip(a.radices, _weights(a), strict=True)):
        if len(codes) <= _MANY:
            break
        found = [code // weight % radix for code in polled(codes, "labels")]
        digits = sorted(set(found))
        rests = {code - digit * weight for code, digit in zip(codes, found, strict=True)}
        if len(rests) * len(digits) == len(codes):
            free[track] = tuple(a.tracks[track].digits[digit] for digit in digits)
            codes = sorted(rest + digits[0] * weight for rest in rests)
    return codes, free


def needs_more_boxes(a: Dfa, codes: Sequence[int], most: int) -> bool:
    """Return whether a lower bound on the boxes that contain exactly these letters, in order, exceeds `most`.

    A box that contains a letter has, on each track, at most the digits that may replace the letter's own; their product
    bounds the letters of the box.  So the inverses of these products, summed over the letters of a box, are at most 1,
    and summed over any of the letters they are a lower bound on the number of boxes.  Most sums are decided
    by few letters.
    """
    if len(codes) <= most:
        return False
    if len(codes) <= _MANY:
        return _bound_exceeds(a, codes, codes, most)
    if _bound_exceeds(a, codes, codes[:_DECIDING], most):
        return True
    sizes = [1] * len(codes)
    for radix, weight in zip(a.radices, _weights(a), strict=True):
        rests = [code - code // weight % radix * weight for code in polled(codes, "labels")]
        lines = Counter(rests)
        sizes = [size * lines[rest] for size, rest in polled(zip(sizes, rests, strict=True), "labels")]
    return sum(1 / size for size in sizes) > most + _ROUNDING


def _bound_exceeds(a: Dfa, codes: Sequence[int], summed: Sequence[int], most: int) -> bool:
    """Return whether the sum over some of the letters exceeds `most`."""
    bound = 0.0
    weights = _weights(a)
    for code in polled(summed, "labels"):
        largest = 1
        for radix, weight in zip(a.radices, weights, strict=True):
            first = code - code // weight % radix * weight
            largest *= _among(codes, range(first, first + radix * weight, weight))
        bound += 1 / largest
        if bound > most + _ROUNDING:
            return True
    return False


def _weights(a: Dfa) -> list[int]:
    """Return what the place of a digit counts in the code of a letter, for each track."""
    return [prod(a.radices[track + 1 :]) for track in range(len(a.tracks))]


def _among(codes: Sequence[int], wanted: range) -> int:
    """Return how many of these numbers are among the codes, which are rising."""
    if wanted.step == 1:
        return bisect_left(codes, wanted.stop) - bisect_left(codes, wanted.start)
    found = at = 0
    for code in wanted:
        at = bisect_left(codes, code, at)
        found += at < len(codes) and codes[at] == code
    return found
