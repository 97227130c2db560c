"""Slopes of sets of points near lines, the quadratic numbers they may be, and the numeration systems they suggest.

The P-positions (a, b) of many games lie near a few lines b = s a through the origin, with s in a quadratic
field, and are recognized in a numeration system whose weights grow by a unit of that field (Fraenkel,
"Systems of numeration", Amer. Math. Monthly 92, 1985, for Wythoff's game and its (s,m) generalizations).

For a slope s, width(s) = max(y - s x) - min(y - s x) over the points is the width of the narrowest strip of that
slope that holds them.  It is convex and piecewise linear in s, with breaks at the slopes of the edges of the
convex hull, so the slopes for which it is at most some bound form one interval with rational ends.  The number is
the simplest one in it, by the coefficients of its equation.  All decisions are made in exact arithmetic.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, isqrt
from typing import NamedTuple

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import polled
from fibprover.base.values import value
from fibprover.infer.tree import integers_of
from fibprover.numeration.ostrowski import continued_fraction, ostrowski_name
from fibprover.numeration.quadratic import Quadratic
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem

#: Points near different lines differ in b/a by more than this over the least a.
GAP = 8

#: The least number of points of a line, the least part of all points, and the most lines that are searched.
LEAST_POINTS, LEAST_PART, MOST_LINES = 8, 50, 6

#: A slope is searched among those whose strip is at most this much wider than the narrowest.
SLACK = Fraction(1)

#: Suggestions may be wrong, so slopes that might be there by chance count, too (see `simplest_quadratic`).
CHANCE = Fraction(1)

#: The systems suggested if all slopes are rational.
BASES = ("msd_2", "msd_3")

#: Continued fractions with more terms, or larger ones, suggest no system; nor do recurrences with larger ones.
MOST_TERMS, LARGEST_TERM = 12, 30

#: The number of weights that are compared to decide whether two systems are the same.
COMPARED = 16

#: Points are near no line if every strip that holds them is wider than this, and than this part of the largest x.
NARROW, STRAY = 4, 8

#: The largest height of the quadratic equations that are tried.
MOST_HEIGHT = 60

#: The same where a rational number would be accepted: of quadratic integers, and of other quadratic numbers.
MOST_INTEGER, MOST_OTHER = 1 << 12, 1 << 8

#: A number is accepted if at most this many numbers at least as simple lie in an interval by chance, on average.
SIMPLE_CHANCE = Fraction(1, 4)

Point = tuple[int, int]


class SlopeInterval(NamedTuple):
    """The slopes between low and high, ends included."""

    low: Fraction
    high: Fraction


@value
class Cluster:
    """Points near one line: their number, the slopes they allow, and the simplest number among these, if any."""

    points: int
    slopes: SlopeInterval
    slope: Quadratic | None


def clusters(a: Sequence[int], b: Sequence[int]) -> tuple[Cluster, ...]:
    """Return the lines through the origin near which the points (a[i], b[i]) lie, those with most points first.

    The smaller coordinate counts as a; only the points of its upper half count.  O(n log n).
    """
    if len(a) != len(b):
        raise FibproverError(f"{len(a)} first coordinates but {len(b)} second coordinates")
    points = [(min(x, y), max(x, y)) for x, y in zip(integers_of(a), integers_of(b), strict=True)]
    bound = max((x for x, _ in points), default=0) // 2
    far = sorted((point for point in points if point[0] > bound), key=lambda point: Fraction(point[1], point[0]))
    found: list[list[Point]] = []
    for x, y in far:
        # y / x - b / a for the previous point (a, b), in integers.
        if found and (y * found[-1][-1][0] - found[-1][-1][1] * x) * bound <= GAP * x * found[-1][-1][0]:
            found[-1].append((x, y))
        else:
            found.append([(x, y)])
    least = max(LEAST_POINTS, len(far) // LEAST_PART)
    large = sorted((each for each in found if len(each) >= least), key=lambda each: -len(each))
    # A column has no slope.
    return tuple(_cluster(each) for each in large[:MOST_LINES] if len({x for x, _ in each}) > 1)


def _cluster(points: Sequence[Point]) -> Cluster:
    interval = slope_interval(points, SLACK)
    found = simplest_quadratic(interval, CHANCE) if is_line(points, interval) else None
    return Cluster(len(points), interval, None if found is None else found.number)


def suggested_systems(a: Sequence[int], b: Sequence[int]) -> list[str]:
    """Return names of numeration systems in which points may be recognized, the simplest first; none without a line.

    For every irrational slope: the systems of its own equation, where that is x^2 = p x + q, of its field's
    fundamental unit (x^2 = t x + 1 or t x - 1), and of its continued fraction; bases where all slopes are
    rational.  No two of them are the same system.  A suggestion may be wrong: a few points may be near a line by
    chance.
    """
    numbers = [cluster.slope for cluster in clusters(a, b) if cluster.slope is not None]
    irrational = [number for number in numbers if isqrt(number.d) ** 2 != number.d]
    if not irrational:
        return list(BASES) if numbers or _in_few_columns(a, b) else []
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
            except BudgetSpent:
                raise
            except FibproverError:
                continue
            if not any(_same(system, other) for other in known):
                known.append(system)
                names.append(queue[stage])
    return names


def _in_few_columns(a: Sequence[int], b: Sequence[int]) -> bool:
    """Return whether points have so few different smaller coordinates that they lie in columns, which have no slope."""
    return len(a) >= LEAST_POINTS * len({min(x, y) for x, y in zip(a, b, strict=True)}) > 0


def systems_of(number: Quadratic) -> Iterator[str]:
    """Yield names for the systems of one quadratic irrational, the simplest first; several may mean one, or none."""
    p, q = _monic(number)
    if p is not None and q is not None:
        yield from _recurrences(p, q)
    trace, norm = fundamental_unit(number)
    yield from _recurrences(trace, -norm)
    yield from _continued(number)


def _recurrences(p: int, q: int) -> Iterator[str]:
    """Yield the systems of x^2 = p x + q: those with names of their own, and those with the two usual initial terms."""
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
    """Yield the Ostrowski systems of 1 + 1/s and of s; if the coordinates are complementary, 1 + 1/s is lim a_n / n."""
    p, q, d = number
    # 1 + 1/s = (s + 1)/s, with 1/s = q (p - sqrt d) / (p^2 - d).
    norm = p * p - d
    sign = -1 if q > 0 else 1
    inverse = Quadratic(sign * q * p + sign * norm, sign * norm, q * q * d)
    for each in (inverse, number):
        try:
            before, period = continued_fraction(each)
        except BudgetSpent:
            raise
        except FibproverError:
            continue
        if len(before) + len(period) <= MOST_TERMS and max([*before, *period]) <= LARGEST_TERM:
            yield ostrowski_name(before, period)


def _monic(number: Quadratic) -> tuple[int, int] | tuple[None, None]:
    """Return p and q with number^2 = p number + q, if the number is the larger root of such an equation in integers."""
    p, q, d = number
    trace, norm = Fraction(2 * p, q), Fraction(p * p - d, q * q)
    if q < 0 or trace.denominator != 1 or norm.denominator != 1:
        return None, None
    return int(trace), -int(norm)


def fundamental_unit(number: Quadratic) -> tuple[int, int]:
    """Return trace and norm (1 or -1) of the least unit above 1 among the integers of the field of a number.

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
    """Return whether two systems have the same valid words and the same first weights."""
    if not one.valid.same_arrays(other.valid):
        return False
    return all(one.value((1, *(0,) * t)) == other.value((1, *(0,) * t)) for t in range(COMPARED))


def slope_interval(points: Iterable[Point], slack: Fraction) -> SlopeInterval:
    """Return the slopes for which the strip is at most `slack` wider than the narrowest one.

    points: integers, with at least two different x; slack: positive.  O(n log n).
    """
    above, below = convex_hulls(points)
    if len(above) < 2:
        raise FibproverError("points in one column have no slope")
    breaks = sorted({_slope(a, b) for side in (above, below) for a, b in pairwise(side)})
    # Beyond the outermost breaks the width is linear, and not constant.
    breaks = [breaks[0] - 1, *breaks, breaks[-1] + 1]

    def width(slope: Fraction) -> Fraction:
        return max(y - slope * x for x, y in above) - min(y - slope * x for x, y in below)

    least = bisect_left(range(len(breaks) - 1), True, key=lambda i: width(breaks[i]) <= width(breaks[i + 1]))
    bound = width(breaks[least]) + slack
    # The first break that is inside, and the first one after those inside; an outermost one may be inside, too.
    first = bisect_left(range(least), True, key=lambda i: width(breaks[i]) <= bound)
    last = bisect_left(range(least, len(breaks)), True, key=lambda i: width(breaks[i]) > bound) + least

    def crossing(here: Fraction, there: Fraction) -> Fraction:
        begin, end = width(here), width(there)
        return here + (there - here) * (bound - begin) / (end - begin)

    low = crossing(breaks[max(first - 1, 0)], breaks[max(first, 1)])
    high = crossing(breaks[min(last, len(breaks) - 1) - 1], breaks[min(last, len(breaks) - 1)])
    return SlopeInterval(low, high)


def is_line(points: Sequence[Point], interval: SlopeInterval) -> bool:
    """Return whether points lie near a line with one of these slopes, compared with their distance from x = 0."""
    middle = (interval.low + interval.high) / 2
    offsets = [y - middle * x for x, y in points]
    distance = max(abs(x) for x, _ in points)
    return bool(STRAY * (max(offsets) - min(offsets)) <= max(NARROW * STRAY, distance))


def convex_hulls(points: Iterable[Point]) -> tuple[list[Point], list[Point]]:
    """Return the upper and the lower convex hull, from left to right."""
    tops: dict[int, int] = {}
    bottoms: dict[int, int] = {}
    for x, y in points:
        tops[x] = max(tops.get(x, y), y)
        bottoms[x] = min(bottoms.get(x, y), y)
    return _chain(sorted(tops.items()), 1), _chain(sorted(bottoms.items()), -1)


def _chain(points: Sequence[Point], sign: int) -> list[Point]:
    """Return one side of the hull: slopes decrease on the upper one (sign 1) and increase on the lower one (-1)."""
    chain: list[Point] = []
    for x, y in points:
        while len(chain) > 1:
            (a, b), (c, d) = chain[-2:]
            if sign * ((d - b) * (x - c) - (y - d) * (c - a)) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def _slope(a: Point, b: Point) -> Fraction:
    return Fraction(b[1] - a[1], b[0] - a[0])


@value
class Candidate:
    """A number and its equation a x^2 + b x + c = 0, coprime; a is positive, or 0 if the number is rational."""

    number: Quadratic
    equation: tuple[int, int, int]

    @property
    def height(self) -> int:
        """The largest coefficient."""
        return max(map(abs, self.equation))


def simplest_quadratic(interval: SlopeInterval, chance: Fraction = SIMPLE_CHANCE) -> Candidate | None:
    """Return the simplest number in an interval, rational or quadratic; None if it may be there by chance.

    About h^2 w rational numbers, h^2 w quadratic integers and 2 h^3 w quadratic numbers of height up to h lie
    in an interval of length w around 1 or 2; for the number that is found this has to be at most `chance`.
    """
    width = interval.high - interval.low
    if width <= 0:
        return None
    rare, common = chance / width, chance / (2 * width)
    first = simplest_rational(interval)
    found = [first] if first.height**2 <= rare else []
    limit = found[0].height if found else MOST_HEIGHT
    found += quadratics(interval, range(1, 2), min(limit, isqrt(int(rare)), MOST_INTEGER))
    limit = min(limit, MOST_OTHER)
    most = next((h for h in range(limit) if (h + 1) ** 3 > common), limit)
    found += quadratics(interval, range(2, most + 1), most)
    return min(found, key=lambda each: (each.height, each.equation[0], sum(map(abs, each.equation))), default=None)


def simplest_rational(interval: SlopeInterval) -> Candidate:
    """Return the rational number with the least denominator in an interval, of several the least in absolute value."""
    low, high = interval
    if low <= 0 <= high:
        return Candidate(Quadratic(0, 1, 0), (0, 1, 0))
    if high < 0:
        p, q, _ = simplest_rational(SlopeInterval(-high, -low)).number
        return Candidate(Quadratic(-p, q, 0), (0, q, p))
    # Follow the continued fractions of both ends as long as they agree.
    terms = []
    while True:
        whole = low.numerator // low.denominator
        if whole == low or whole + 1 <= high:
            terms.append(whole if whole == low else whole + 1)
            break
        terms.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    number = Fraction(terms.pop())
    while terms:
        number = terms.pop() + 1 / number
    p, q = number.numerator, number.denominator
    return Candidate(Quadratic(p, q, 0), (0, q, -p))


def quadratics(interval: SlopeInterval, leading: Iterable[int], most: int) -> list[Candidate]:
    """Return the roots in an interval of irreducible equations with these leading coefficients and others up to `most`.

    O(most) for each leading coefficient, as few third coefficients fit two others.
    """
    found: list[Candidate] = []
    for a in leading:
        for b in polled(range(-most, most + 1), "a quadratic number"):
            for c in _constant_terms(a, b, interval, most):
                if gcd(a, b, c) == 1:
                    found += (Candidate(root, (a, b, c)) for root in roots(a, b, c) if _inside(root, interval))
    return found


def _constant_terms(a: int, b: int, interval: SlopeInterval, most: int) -> range:
    """Return the c for which a x^2 + b x + c has a root in the interval, from -most to most."""
    ends = [a * x * x + b * x for x in interval]
    if interval.low < Fraction(-b, 2 * a) < interval.high:
        ends.append(Fraction(-b * b, 4 * a))
    least, largest = -max(ends), -min(ends)
    return range(max(-(-least.numerator // least.denominator), -most), min(largest // 1, most) + 1)


def roots(a: int, b: int, c: int) -> list[Quadratic]:
    """Return the real roots of a x^2 + b x + c, unless they are rational."""
    d = b * b - 4 * a * c
    if d < 0 or isqrt(d) ** 2 == d:
        return []
    # (-b + sqrt d) / 2a and (-b - sqrt d) / 2a, without a common factor.
    return [_reduced(-b, 2 * a, d), _reduced(b, -2 * a, d)]


def _reduced(p: int, q: int, d: int) -> Quadratic:
    """Return (p + sqrt(d)) / q in lowest terms: p, q divided by the largest f such that f^2 divides d."""
    common = gcd(p, q)
    while d % (common * common):
        common = max(f for f in polled(range(1, common), "a quadratic number") if common % f == 0)
    return Quadratic(p // common, q // common, d // (common * common))


def _inside(number: Quadratic, interval: SlopeInterval) -> bool:
    return number.compare(interval.low) >= 0 and number.compare(interval.high) <= 0
