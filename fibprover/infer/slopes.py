"""Numeration systems that the slopes of a set of points suggest.

The P-positions (a, b) of many games lie near a few lines b = s a through the origin, with s in a quadratic
field, and are recognized in a numeration system whose terms grow by a unit of that field (Fraenkel,
"Systems of numeration", Amer. Math. Monthly 92, 1985, for Wythoff's game and its (s,m) kin).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt

from fibprover.errors import FibproverError
from fibprover.infer.simple import simplest
from fibprover.infer.strip import Point, Slopes, is_line, slopes
from fibprover.infer.tree import integers_of
from fibprover.numeration.ostrowski import continued_fraction, ostrowski_name
from fibprover.numeration.quadratic import Quadratic
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.values import value

#: Points near different lines differ in b/a by more than this over the least a.
GAP = 8

#: A cluster of fewer points than this, or less than this part of all, is no line; and no more lines are looked for.
LEAST_POINTS, LEAST_PART, MOST_LINES = 8, 50, 6

#: A slope is looked for among those whose strip is at most this much wider than the narrowest.
SLACK = Fraction(1)

#: A suggestion may be wrong, and so slopes are taken that might be there by chance (see `simplest`).
CHANCE = Fraction(1)

#: What is suggested where all slopes are rational.
BASES = ("msd_2", "msd_3")

#: Continued fractions with more terms, or larger ones, suggest no system; nor do recurrences with larger ones.
MOST_TERMS, LARGEST_TERM = 12, 30

#: How many terms of two systems are compared to see that they are one.
COMPARED = 16


@value
class Cluster:
    """Points near one line: how many there were, the slopes they allow, and the simplest number among these, if any."""

    points: int
    between: Slopes
    slope: Quadratic | None


def clusters(a: Sequence[int], b: Sequence[int]) -> tuple[Cluster, ...]:
    """The lines through the origin near which the points (a[i], b[i]) lie, those with most points first.

    The smaller coordinate is taken for a; only the points of its upper half count.  O(n log n).
    """
    if len(a) != len(b):
        raise FibproverError(f"there are {len(a)} first and {len(b)} second coordinates")
    points = [(min(x, y), max(x, y)) for x, y in zip(integers_of(a), integers_of(b), strict=True)]
    bound = max((x for x, _ in points), default=0) // 2
    far = sorted((point for point in points if point[0] > bound), key=lambda point: Fraction(point[1], point[0]))
    found: list[list[Point]] = []
    for x, y in far:
        # y / x - b / a of the point before, in integers.
        if found and (y * found[-1][-1][0] - found[-1][-1][1] * x) * bound <= GAP * x * found[-1][-1][0]:
            found[-1].append((x, y))
        else:
            found.append([(x, y)])
    least = max(LEAST_POINTS, len(far) // LEAST_PART)
    large = sorted((each for each in found if len(each) >= least), key=lambda each: -len(each))
    return tuple(_cluster(each) for each in large[:MOST_LINES])


def _cluster(points: Sequence[Point]) -> Cluster:
    between = slopes(points, SLACK)
    found = simplest(between, CHANCE) if is_line(points, between) else None
    return Cluster(len(points), between, None if found is None else found.number)


def quadratic_of(points: Sequence[Point]) -> Quadratic | None:
    """The simplest rational or quadratic number that is the slope of points near one line; None if none is simple."""
    return _cluster([(int(x), int(y)) for x, y in points]).slope


def suggested_systems(a: Sequence[int], b: Sequence[int]) -> list[str]:
    """Names of numeration systems in which points might be recognized, the simplest first; none without a line.

    For every irrational slope: the systems of its own equation, where that is x^2 = p x + q, of its field's
    fundamental unit (x^2 = t x + 1 or t x - 1), and of its continued fraction; bases where all slopes are
    rational.  No two of them are the same system.  Suggestions are to be tried: a few points may be near a
    line by chance.
    """
    numbers = [cluster.slope for cluster in clusters(a, b) if cluster.slope is not None]
    irrational = [number for number in numbers if isqrt(number.d) ** 2 != number.d]
    if not irrational:
        return list(BASES) if numbers else []
    names: list[str] = []
    known: list[NumerationSystem] = []
    # The simplest of each slope, then the next of each.
    queues = [list(systems_of(number)) for number in irrational]
    for stage in range(max(map(len, queues))):
        for queue in queues:
            if stage >= len(queue):
                continue
            try:
                system = system_named(queue[stage])
            except FibproverError:
                continue
            if not any(_same(system, other) for other in known):
                known.append(system)
                names.append(queue[stage])
    return names


def systems_of(number: Quadratic) -> Iterator[str]:
    """Names for the systems of one quadratic irrational, the simplest first; some may mean the same, or none."""
    p, q = _monic(number)
    if p is not None and q is not None:
        yield from _recurrences(p, q)
    trace, norm = fundamental_unit(number)
    yield from _recurrences(trace, -norm)
    yield from _continued(number)


def _recurrences(p: int, q: int) -> Iterator[str]:
    """The systems of x^2 = p x + q: with the names that are known, and with the two usual initial terms."""
    if max(abs(p), abs(q)) > LARGEST_TERM:
        return
    if (p, q) == (1, 1):
        yield from ("msd_fib", "msd_lucas")
    elif q == 1:
        yield f"msd_wythoff_{p}"
        yield f"msd_rec_{p}_1_from_1_{p}" if p > 2 else "msd_pell"
    elif 0 < q <= p:
        yield f"msd_fraenkel_{q}_{p - q + 1}"
        yield f"msd_rec_{p}_{q}_from_1_{p}"
    elif q < 0 < p:
        yield f"msd_rec_{p}_m{-q}"
        yield f"msd_rec_{p}_m{-q}_from_1_{p}"


def _continued(number: Quadratic) -> Iterator[str]:
    """The Ostrowski systems of a slope s, and of 1 + 1/s: if the coordinates are complementary, that is lim a_n / n."""
    p, q, d = number
    # 1 + 1/s = (s + 1)/s, with 1/s = q (p - sqrt d) / (p^2 - d).
    norm = p * p - d
    sign = -1 if q > 0 else 1
    inverse = Quadratic(sign * q * p + sign * norm, sign * norm, q * q * d)
    for each in (inverse, number):
        try:
            before, period = continued_fraction(each)
        except FibproverError:
            continue
        if len(before) + len(period) <= MOST_TERMS and max([*before, *period]) <= LARGEST_TERM:
            yield ostrowski_name(before, period)


def _monic(number: Quadratic) -> tuple[int, int] | tuple[None, None]:
    """p and q with number^2 = p number + q, if it is the larger root of such an equation in integers."""
    p, q, d = number
    trace, norm = Fraction(2 * p, q), Fraction(p * p - d, q * q)
    if q < 0 or trace.denominator != 1 or norm.denominator != 1:
        return None, None
    return int(trace), -int(norm)


def fundamental_unit(number: Quadratic) -> tuple[int, int]:
    """Trace and norm (1 or -1) of the least unit above 1 among the integers of a number's field.

    From the convergents x/y of the root that generates these integers: the first with norm 1 or -1.
    """
    d = number.d
    for factor in range(isqrt(d), 1, -1):
        while d % (factor * factor) == 0:
            d //= factor * factor
    half = d % 4 == 1
    # Integers x + y w with w = sqrt(d), or (1 + sqrt(d)) / 2; the norm is x^2 + t x y - n y^2.
    t, n = (1, (d - 1) // 4) if half else (0, d)
    before, period = continued_fraction(Quadratic(-1, 2, d) if half else Quadratic(0, 1, d))
    x0, y0, x1, y1 = 0, 1, 1, 0
    place = 0
    while True:
        term = (before + period)[place] if place < len(before) else period[(place - len(before)) % len(period)]
        x0, y0, x1, y1 = x1, y1, term * x1 + x0, term * y1 + y0
        place += 1
        norm = x1 * x1 + t * x1 * y1 - n * y1 * y1
        if norm in (1, -1) and y1:
            return 2 * x1 + t * y1, norm


def _same(one: NumerationSystem, other: NumerationSystem) -> bool:
    """Whether two systems have the same words for the same numbers, as far as words and terms say."""
    if not one.valid.same_arrays(other.valid):
        return False
    return all(one.value((1, *(0,) * t)) == other.value((1, *(0,) * t)) for t in range(COMPARED))
