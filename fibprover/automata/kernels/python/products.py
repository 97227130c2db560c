"""Products of two automata: conjunction, disjunction with sums of outputs, difference.

A pair of states is one integer.  Which letters lead on from a pair, and in which order, depends on the letters of both
states alone: it is found once for two shapes (see `Csr.shapes`), as a `Match`, and the targets of all other
pairs of these shapes are only picked.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from operator import add
from typing import NamedTuple

from fibprover.automata.kernels.python.arrays import (
    Arrays,
    Csr,
    Numbering,
    Picker,
    Recode,
    exported,
    extend_long,
    picker,
)
from fibprover.automata.kernels.python.budget import FUEL, Meter

#: Letters in all matches that are kept at a time.
MOST_MATCHED = 1 << 20


class Operand:
    """The rows of an automaton, and the letters of its shapes as keys, which are compared, and parts of new letters.

    Targets are multiplied by `factor`.  missing: number states from 1 on, put a state without transitions before them,
    and end each row with 0, the target of a missing transition.
    """

    def __init__(self, a: Csr, key: Recode, part: Recode, factor: int, meter: Meter, *, missing: bool) -> None:
        self.shape_of, shapes = a.shapes()
        end: tuple[int, ...] = ()
        if missing:
            self.shape_of = [len(shapes), *(self.shape_of)]
            shapes.append(())
            scaled = [(target + 1) * factor for target in a.targets]
            end = (0,)
        else:
            scaled = [target * factor for target in a.targets]
        self.shapes = len(shapes)
        self.keys = [key.all(shape, meter) for shape in shapes]
        self.parts = [part.all(shape, meter) for shape in shapes]
        offsets = a.offsets
        self.rows = [(*scaled[offsets[s] : offsets[s + 1]], *end) for s in range(a.states)]
        if missing:
            self.rows.insert(0, (0,))
        self.widths = list(map(len, self.keys))


class Match(NamedTuple):
    """The letters that lead on from two shapes, and how to pick their targets from a row of each."""

    codes: array[int]
    left: Picker
    right: Picker


class Matcher:
    """Letters under construction, with the places of their targets in a row of each operand."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.codes: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.begun = meter.transitions
        self.stop = FUEL

    def look(self) -> None:
        """Look at the budget: a single row may be longer than it allows."""
        if len(self.codes) > self.stop:
            self.meter.progress(self.meter.states, self.begun + len(self.codes))
            self.stop = len(self.codes) + FUEL

    def done(self, left_width: int, right_width: int) -> Match:
        """Return the letters in order; the widths are those of the operands' rows."""
        codes = self.codes
        order = sorted(range(len(codes)), key=codes.__getitem__)
        self.meter.work(2 * len(codes))
        return Match(
            array("q", map(codes.__getitem__, order)),
            picker(list(map(self.left.__getitem__, order)), left_width),
            picker(list(map(self.right.__getitem__, order)), right_width),
        )


def walk(
    left: Operand, right: Operand, match: Callable[[int, int], Match], first: int, width: int, meter: Meter
) -> tuple[list[int], array[int], array[int], array[int]]:
    """Return all pairs reached from the first one, as left * width + right; and offsets, codes and targets."""
    numbers = Numbering(meter, first)
    number = numbers.__getitem__
    offsets, codes, targets = array("q", [0]), array("q"), array("i")
    matches: dict[int, Match] = {}
    matched = 0
    most, stop = meter.max_states, meter.progress(1, 0)
    left_rows, right_rows, left_shapes, right_shapes = left.rows, right.rows, left.shape_of, right.shape_of
    shapes = right.shapes
    for pair in numbers.found:
        p, q = divmod(pair, width)
        both = left_shapes[p] * shapes + right_shapes[q]
        if both in matches:
            letters, pick_left, pick_right = matches[both]
        else:
            meter.states, meter.transitions = len(numbers), len(codes)
            letters, pick_left, pick_right = match(left_shapes[p], right_shapes[q])
            matched += len(letters)
            if matched > MOST_MATCHED:
                matches.clear()
                matched = len(letters)
            matches[both] = Match(letters, pick_left, pick_right)
        codes.extend(letters)
        row = map(number, map(add, pick_left(left_rows[p]), pick_right(right_rows[q])))
        if len(letters) > FUEL:
            extend_long(targets, row, meter)
        else:
            targets.extend(row)
        offsets.append(len(codes))
        if len(codes) > stop or len(numbers) > most:
            stop = meter.progress(len(numbers), len(codes))
    meter.progress(len(numbers), len(codes))
    return numbers.found, offsets, codes, targets


def join(a: Csr, b: Csr, key_a: Recode, part_a: Recode, key_b: Recode, part_b: Recode, meter: Meter) -> Arrays:
    """Return all reachable pairs (p, q); a letter of the result is an a-letter and a b-letter of equal key.

    key_*: the digits of the shared tracks; part_*: contribution to the result's code, where the shared tracks are a's.
    The result is not trimmed.
    """
    meter.poll()
    left = Operand(a, key_a, part_a, b.states, meter, missing=False)
    right = Operand(b, key_b, part_b, 1, meter, missing=False)
    by_key: dict[int, dict[int, list[int]]] = {}

    def match(k: int, m: int) -> Match:
        matcher = Matcher(meter)
        keyed = by_key.get(m)
        if keyed is None:
            keyed = by_key[m] = places_by_key(right.keys[m])
        parts = right.parts[m]
        for i, (key, part) in enumerate(zip(left.keys[k], left.parts[k], strict=True)):
            places = keyed.get(key)
            if places:
                matcher.codes += [part + parts[j] for j in places]
                matcher.left += [i] * len(places)
                matcher.right += places
                matcher.look()
        return matcher.done(left.widths[k], right.widths[m])

    found, offsets, codes, targets = walk(left, right, match, 0, b.states, meter)
    outputs = [
        1 if a.outputs[pair // b.states] and b.outputs[pair % b.states] else 0 for pair in found
    ]
    return exported(offsets, codes, targets, array("i", outputs))


def union(a: Csr, b: Csr, code_a: Recode, code_b: Recode, most: int, meter: Meter) -> Arrays:
    """Return all reachable pairs (p, q), where one of them may be missing for ever.

    code_*: an operand's letter in the result's coding.  The output of a pair is the sum of the operands' outputs, which
    are not negative, but at most `most` >= 1; up to 1 any outputs will do, and all but 0 count as 1.  The result is
    not trimmed.
    """
    meter.poll()
    none = Recode((), (), 1, 0, meter)
    width = b.states + 1
    left = Operand(a, code_a, none, width, meter, missing=True)
    right = Operand(b, code_b, none, 1, meter, missing=True)

    def match(k: int, m: int) -> Match:
        matcher = Matcher(meter)
        mine = {code: place for place, code in enumerate(left.keys[k])}
        others = {code: place for place, code in enumerate(right.keys[m])}
        matcher.codes += {**mine, **others}
        matcher.left += [mine.get(code, -1) for code in matcher.codes]
        matcher.right += [others.get(code, -1) for code in matcher.codes]
        matcher.look()
        return matcher.done(left.widths[k], right.widths[m])

    found, offsets, codes, targets = walk(left, right, match, width + 1, width, meter)
    of_a, of_b = ([0, *(summand(output, most) for output in csr.outputs)] for csr in (a, b))
    outputs = [min(of_a[pair // width] + of_b[pair % width], most) for pair in found]
    return exported(offsets, codes, targets, array("i", outputs))


def summand(output: int, most: int) -> int:
    """Return what an output adds to a sum of at most `most`."""
    return output if most > 1 or not output else 1


def difference(a: Csr, b: Csr, key_a: Recode, part_a: Recode, key_b: Recode, meter: Meter) -> Arrays:
    """Return all reachable pairs (p, q), where q may be missing: then b rejects all continuations.

    key_*: the letter as b reads it; part_a: an a-letter in the result's coding.  The result is not trimmed.
    """
    meter.poll()
    width = b.states + 1
    left = Operand(a, key_a, part_a, width, meter, missing=False)
    right = Operand(b, key_b, key_b, 1, meter, missing=True)

    def match(k: int, m: int) -> Match:
        matcher = Matcher(meter)
        places = {key: place for place, key in enumerate(right.keys[m])}
        matcher.codes += left.parts[k]
        matcher.left += range(len(matcher.codes))
        matcher.right += [places.get(key, -1) for key in left.keys[k]]
        matcher.look()
        return matcher.done(left.widths[k], right.widths[m])

    found, offsets, codes, targets = walk(left, right, match, 1, width, meter)
    rejects = [1, *(0 if output else 1 for output in b.outputs)]
    outputs = [rejects[pair % width] if a.outputs[pair // width] else 0 for pair in found]
    return exported(offsets, codes, targets, array("i", outputs))


def places_by_key(keys: Sequence[int]) -> dict[int, list[int]]:
    """Return for every key its places among the keys of a row."""
    places: dict[int, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return places
