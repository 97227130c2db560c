"""Numeration systems of substitutions, after Dumont and Thomas.

Let the image of a letter a begin with a.  Every n is the length of exactly one prefix of the fixed point that has the
form s^k(p_k) ... s(p_1) p_0, where p_k is a proper prefix of the image of a, and each further p_i is a proper
prefix of the image of the letter after p_(i+1).  The digits of n are the lengths of these p_i (J.-M. Dumont, A.
Thomas, Systemes de numeration et fonctions fractales relatifs aux substitutions, Theoret. Comput. Sci. 65, 1989).

The adder follows a difference: after each digit of x, y and z, the numbers of the letters in the prefixes of x and y
minus those in the prefix of z.  Two differences are one if all their images have the same length; what of a difference
no length shows, such as an eigenvalue that is not below 1, need not be bounded.  If the others are bounded whenever
x + y = z, addition is regular.  The bound is not computed but tried, unless some sums have larger differences: a system
verifies itself, and fails to with a bound that is too small.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm
from operator import mul
from random import Random

from fibprover.automata.dfa import Dfa, Track, build, build_from, explored
from fibprover.base.errors import LimitError, NumerationError
from fibprover.base.limits import UNLIMITED, Budget, check_budget, polled
from fibprover.numeration.composed import given_system
from fibprover.numeration.system import NumerationSystem

#: Bounds of the differences that are tried by default.
BOUNDS = (1, 2, 4, 8)

#: The largest number of states of the adder before it is minimized.
MOST_STATES = 200_000

#: So many sums, of numbers up to this one, say which bounds are too small.
SUMS, GREATEST = 300, 1_000_000

#: Words of more digits are not looked at: a word with images that are empty may not grow.
_MOST_DIGITS = 400

#: Eigenvalues are off by less.
_ROUNDING = 1e-6

#: What lengths do not show is left out of differences for so many letters at most: to find it takes as many operations
#: on fractions as the fourth power of their number at worst, 0.4 s for 50 letters and 33 s for 160.
MOST_REDUCED = 50

#: Letters by their numbers, and the image of each.
Images = tuple[tuple[int, ...], ...]

#: The letters after three prefixes, and what is seen of the difference of the numbers of letters in them.
State = tuple[tuple[int, ...], tuple[int, ...]]


def dumont_thomas(
    name: str, substitution: Mapping[str, Sequence[str]], bound: int | None = None, budget: Budget = UNLIMITED
) -> tuple[NumerationSystem, Dfa]:
    """Return the system of a substitution from its first letter, verified, and the machine of its fixed point.

    name: such as msd_blop; substitution: the image of every letter, as a text or a sequence of letters; bound: of the
    differences in an addition; by default several are tried.  A letter of the fixed point is 0, 1, ... in the order of
    the substitution, but a letter that is a digit is that number.  Raises NumerationError if a letter has no image, if
    the image of the first letter is not that letter followed by others, or if no adder is found with the bound.
    """
    letters = list(substitution)
    for letter in sorted({each for image in substitution.values() for each in image} - substitution.keys()):
        raise NumerationError(f"the letter {letter} of the substitution has no image")
    images: Images = tuple(tuple(map(letters.index, substitution[letter])) for letter in letters)
    if images[0][:1] != (0,) or len(images[0]) < 2:
        raise NumerationError(
            f"the image of {letters[0]} has to be {letters[0]} and more, so that the substitution has a fixed point"
        )
    track = Track("x", tuple(range(max(map(len, images)))), "")
    used = _reached(images)
    outputs = [int(letter) if letter.isdecimal() and letter.isascii() else i for i, letter in enumerate(letters)]
    rows = [{digit: used.index(target) for digit, target in enumerate(images[letter])} for letter in used]
    valid = build((track,), rows, [1] * len(used))
    bounds = BOUNDS if bound is None else (bound,)
    seen = _seen_by_lengths(images)
    least = _least_bound(images, seen, bounds[-1], budget)
    for tried in bounds:
        if tried < least:
            continue
        try:
            adder = _adder(images, seen, track, tried, budget)
            system = given_system(name, valid, adder, None, budget)
        except NumerationError:
            continue
        return system, build((system.track("n"),), rows, [outputs[letter] for letter in used])
    large = _large_eigenvalue(seen)
    because = f": the eigenvalue {large} of the morphism is not below 1 in absolute value" if large else ""
    raise NumerationError(
        f"{name}: differences up to {bounds[-1]} do not suffice for its addition, which may not be regular{because}",
        hint=(
            "if no bound suffices, `fibprover study` decides questions about the word without addition" if large
            else "give a larger bound" if bound is not None else "give a bound, such as 30"
        ),
    )


def _reached(images: Images) -> list[int]:
    """Return the letters of the fixed point, the first one first."""
    found = [0]
    for letter in found:
        found += sorted(set(images[letter]) - set(found))
    return found


@dataclass(frozen=True, slots=True)
class _Seen:
    """What lengths show of a vector of numbers of letters: one of the same lengths, times `scale`, on few letters.

    rows: of the matrix that makes it; step: of the matrix, times `scale`, that the morphism becomes.
    """

    scale: int
    rows: tuple[tuple[int, ...], ...]
    step: tuple[tuple[int, ...], ...]

    def of(self, counts: Sequence[int]) -> tuple[int, ...]:
        """Return what is seen of numbers of letters."""
        return tuple(sum(map(mul, row, counts)) for row in self.rows)

    def grown(self, difference: Sequence[int]) -> list[int]:
        """Return what is seen of the images of letters of which this is seen."""
        return [sum(map(mul, line, difference)) // self.scale for line in self.step]


def _seen_by_lengths(images: Images) -> _Seen:
    """Return what the lengths of all images of the letters of the fixed point show.

    The rows of these lengths span a space that the morphism maps into itself.  Its reduced basis is 1 at one letter and
    0 at those of the other rows, so that a vector has the same lengths as one on these letters only.  For more than
    MOST_REDUCED letters the vectors stay as they are.
    """
    used = _reached(images)
    if len(used) > MOST_REDUCED:
        units = tuple(tuple(int(letter == other) for other in range(len(images))) for letter in used)
        return _Seen(1, units, tuple(tuple(images[other].count(letter) for other in used) for letter in used))
    lengths = [Fraction(letter in used) for letter in range(len(images))]
    basis: list[list[Fraction]] = []
    while (row := _reduced(lengths, basis)) is not None:
        basis = [_without(other, row) for other in basis] + [row]
        lengths = [
            sum((lengths[each] for each in image), Fraction(0)) if letter in used else Fraction(0)
            for letter, image in enumerate(images)
        ]
    basis.sort(reverse=True)
    kept = [_first_letter(row) for row in basis]
    scale = lcm(*(entry.denominator for row in basis for entry in row))
    rows = tuple(tuple(int(scale * entry) for entry in row) for row in basis)
    step = tuple(tuple(sum(row[each] for each in images[letter]) for letter in kept) for row in rows)
    return _Seen(scale, rows, step)


def _first_letter(row: Sequence[Fraction]) -> int:
    return next(place for place, entry in enumerate(row) if entry)


def _without(row: Sequence[Fraction], other: Sequence[Fraction]) -> list[Fraction]:
    """Return a row minus a multiple of another one, so that it is 0 where that one is first not 0, and 1."""
    factor = row[_first_letter(other)]
    return [entry - factor * unit for entry, unit in zip(row, other, strict=True)]


def _reduced(row: Sequence[Fraction], basis: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """Return a row minus multiples of those of a reduced basis, divided by its first entry; None if nothing is left."""
    left = reduce(_without, basis, list(row))
    first = next(filter(None, left), None)
    return None if first is None else [entry / first for entry in left]


def _least_bound(images: Images, seen: _Seen, most: int, budget: Budget) -> int:
    """Return the greatest difference in some sums x + y = z; after one that exceeds `most` no others are looked at."""
    lengths = [[1] * len(images)]
    while lengths[-1][0] <= 2 * GREATEST:
        lengths.append([sum(lengths[-1][letter] for letter in image) for image in images])
        if len(lengths) > _MOST_DIGITS:
            return 0
    chance = Random(len(images))
    greatest = 0
    for number in range(SUMS):
        check_budget(budget, 0, "the adder of a substitution")
        x, y = (chance.randrange(GREATEST >> number % 16) for _ in range(2))
        paths = [map(seen.of, _counts(images, lengths, each)) for each in (x, y, x + y)]
        greatest = max(
            greatest, *(abs(i + j - k) for at in zip(*paths, strict=True) for i, j, k in zip(*at, strict=True))
        )
        if greatest > most * seen.scale:
            break
    return -(-greatest // seen.scale)


def _counts(images: Images, lengths: Sequence[Sequence[int]], number: int) -> list[list[int]]:
    """Return the numbers of the letters in the prefix after each digit of a number; lengths: of s^k of each letter."""
    counts = [0] * len(images)
    letter, found = 0, []
    for row in lengths[-2::-1]:
        grown = [0] * len(images)
        for each, count in enumerate(counts):
            for other in images[each] if count else ():
                grown[other] += count
        for following in images[letter]:
            if number < row[following]:
                break
            number -= row[following]
            grown[following] += 1
        letter, counts = following, grown
        found.append(counts)
    return found


def _large_eigenvalue(seen: _Seen) -> str:
    """Return an eigenvalue, other than the greatest one, of absolute value 1 or more; "" if there is none."""
    import numpy as np

    values = sorted(np.linalg.eigvals(np.array(seen.step, dtype=float) / seen.scale), key=abs, reverse=True)[1:]
    if not values or abs(values[0]) < 1 - _ROUNDING:
        return ""
    real, imaginary = float(values[0].real), abs(float(values[0].imag))
    return _rounded(real) if imaginary < _ROUNDING else f"{_rounded(real)} + {_rounded(imaginary)}i"


def _rounded(number: float) -> str:
    """Return a number with three decimals, or none if it is an integer up to rounding."""
    return str(round(number)) if abs(number - round(number)) < _ROUNDING else f"{number:.3f}"


def _adder(images: Images, seen: _Seen, track: Track, bound: int, budget: Budget) -> Dfa:
    """Return the words x, y, z with x + y = z whose differences are within the bound.  Tracks "0", "1", "2".

    O(transitions): 0.2 s for 4,700 states with 18,600 of them.
    """
    count = len(images)
    prefixes = [
        [seen.of([image[:digit].count(letter) for letter in range(count)]) for digit in range(len(image))]
        for image in images
    ]
    size, most = len(track.digits), bound * seen.scale
    what = "the adder of a substitution"

    def steps(state: State) -> Iterator[tuple[int, State]]:
        at, difference = state
        moved = seen.grown(difference)
        for digits in polled(product(*(range(len(images[letter])) for letter in at)), what):
            x, y, z = (prefixes[letter][digit] for letter, digit in zip(at, digits, strict=True))
            now = tuple(m + i + j - k for m, i, j, k in zip(moved, x, y, z, strict=True))
            if -most <= min(now) and max(now) <= most:
                after = tuple(images[letter][digit] for letter, digit in zip(at, digits, strict=True))
                yield (digits[0] * size + digits[1]) * size + digits[2], (after, now)

    first: State = ((0, 0, 0), (0,) * len(seen.rows))
    too_many = LimitError(f"the addition of the system takes more than {MOST_STATES} states to find")
    found = explored(first, steps, budget, what, most=MOST_STATES, refused=too_many)
    return build_from([track._replace(name=name) for name in "012"], found, lambda state: sum(state[1]) == 0)
