"""A closed form of the number of factors of length n, where its differences are few and change at few places.

Where the differences become constant, the number is a linear function of n.  In base b they may be constant between
numbers ax+c, with powers x of b or of a power of b; then it is piecewise linear.  The places are guessed from the first
differences.  A formula proves them for all n, and the pieces follow, since each one ends where the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from fibprover.base.errors import LimitError
from fibprover.sequences.series import Series
from fibprover.sheets.answer import Answer, formula_about
from fibprover.sheets.question import Question
from fibprover.sheets.subject import Subject

#: The number of differences examined, the most pieces, and the greatest exponent of the power of the base with which
#: they repeat.
SEEN, MOST_PIECES, MOST_EXPONENT = 2200, 12, 3

#: The most values before the first piece that are listed.
MOST_BEFORE = 24

#: The difference of the numbers of factors of lengths n+1 and n is the number of the places j where a factor of length
#: n+1 is new, and that of length n is not.
DIFFERENCE = "j ((Ai i<j => ~$feq_X(j,i,n+1)) & (Ei i<j & $feq_X(j,i,n)))"

CLOSED_FORM = Question(
    "complexity-formula", "factors", "closed form",
    "The factor complexity p(n) in closed form: linear from some n on, or between multiples of powers x of the base.",
    f"An E>=1 {DIFFERENCE}",
)


#: The name of the predicate of the powers x, up to that of the word.
_POWERS = re.compile(r"power(\d+)times(\d+)")


class Linear(NamedTuple):
    """The function ax + c of a power x."""

    a: Fraction
    c: Fraction

    def __call__(self, x: int) -> Fraction:
        return self.a * x + self.c


class Piece(NamedTuple):
    """From start on the number of factors is slope n + rest; both are functions of x, which is the same for all pieces.

    The last piece ends where the first one begins with the next x.
    """

    start: Linear
    slope: int
    rest: Linear


class Pieces(NamedTuple):
    """The pieces for x = least, least ratio, least ratio^2, ..."""

    least: int
    ratio: int
    pieces: tuple[Piece, ...]

    def ends(self) -> Iterator[tuple[Piece, Linear]]:
        """Yield each piece with the start of the next one."""
        starts = [piece.start for piece in self.pieces]
        yield from zip(self.pieces, [*starts[1:], Linear(starts[0].a * self.ratio, starts[0].c)], strict=True)

    def are_continuous(self) -> bool:
        """Return whether each piece has the value of the next one where that begins, for all x."""
        first = self.pieces[0]
        following = [*self.pieces[1:], first._replace(rest=Linear(first.rest.a * self.ratio, first.rest.c))]
        return all(
            piece.slope * end.a + piece.rest.a == other.slope * end.a + other.rest.a
            and piece.slope * end.c + piece.rest.c == other.slope * end.c + other.rest.c
            for (piece, end), other in zip(self.ends(), following, strict=True)
        )


def closed_form(about: Subject, question: Question) -> Answer:
    """Return the closed form; raises LimitError if none of these forms fits."""
    text = formula_about(about, "Aj j<i => ~$feq_X(i,j,n)")
    numbers = about.session.counts("n", text)
    differences = numbers.subsequence(1, 1) - numbers
    first = differences.word("D").prefix(SEEN)  # LimitError if there are infinitely many
    runs = [0, *(n for n, (a, b) in enumerate(pairwise(first), 1) if a != b)]
    if 4 * runs[-1] < SEEN:
        start, slope = runs[-1], int(first[-1])
        rest = int(numbers[start]) - slope * start
        formula = f"An n>={start} => E={slope} {DIFFERENCE}"
        said = f"{_sum((slope, 'n'), (rest, ''))} for n >= {start}"
    else:
        base = about.session.namespace.system(about.system).integer_base
        found = _guess(numbers, first, runs, base) if base else None
        if base is None or found is None or not found.are_continuous():
            raise LimitError("no closed form was found")
        start = int(found.pieces[0].start(found.least))
        name = _name(found)
        about.session.reg(f"{name}_{about.word.name}", about.system, power_expression(name, base))
        formula, said = _formula(found, start, sorted(set(first[start:]))), _said(found)
    verdict = about.session.prove(formula_about(about, formula)) if start <= MOST_BEFORE else None
    if not verdict:
        raise LimitError("no closed form was found")
    before = ", ".join(str(numbers[n]) for n in range(start))
    said += f"; before, {before}" if before else ""
    return Answer(
        "proved", f"{said}.", verdict.trace.largest, formula=formula_about(about, formula),
        sentence=f"Factor complexity: p(n) = {said}.",
    )


def _guess(numbers: Series, first: Sequence[int], runs: Sequence[int], base: int) -> Pieces | None:
    """Return pieces that agree with the first differences; they begin as early as possible."""
    for exponent in range(1, MOST_EXPONENT + 1):
        ratio = base**exponent
        for count in range(1, MOST_PIECES + 1):
            for begin in range(len(runs) - 2 * count):
                found = _from(numbers, first, runs[begin:], count, ratio, base)
                if found is not None:
                    return found
    return None


def _from(
    numbers: Series, first: Sequence[int], runs: Sequence[int], count: int, ratio: int, base: int
) -> Pieces | None:
    """Return this many pieces, beginning with the first run, if the runs repeat up to the last one."""
    constants = [Fraction(ratio * here - there, ratio - 1) for here, there in zip(runs, runs[count:], strict=False)]
    if len(constants) <= count or any(a != b for a, b in zip(constants, constants[count:], strict=False)):
        return None
    if any(first[here] != first[there] for here, there in zip(runs, runs[count:], strict=False)):
        return None
    least = 1
    while least * base <= runs[0] - constants[0]:
        least *= base
    pieces = []
    for place, constant in enumerate(constants[:count]):
        start = Linear((runs[place] - constant) / least, constant)
        slope = int(first[runs[place]])
        rest, later = (
            Fraction(numbers[number]) - slope * number
            for number in (int(start(least)), int(start(least * ratio)))
        )
        growth = (later - rest) / (least * (ratio - 1))
        pieces.append(Piece(start, slope, Linear(growth, rest - growth * least)))
    return Pieces(least, ratio, tuple(pieces)) if runs[0] > constants[0] else None


def power_expression(name: str, base: int) -> str:
    """Return the regular expression of a predicate of powers, by its name up to that of the word; "" for others."""
    found = _POWERS.fullmatch(name)
    if found is None:
        return ""
    least, ratio = ("0" * _exponent(int(number), base) for number in found.groups())
    return f"0*1{least}({ratio})*"


def _exponent(power: int, base: int) -> int:
    return 0 if power < base else 1 + _exponent(power // base, base)


def _name(found: Pieces) -> str:
    """Return the name, up to that of the word, of the predicate of the numbers x."""
    return f"power{found.least}times{found.ratio}"


def _formula(found: Pieces, start: int, slopes: Sequence[int]) -> str:
    """Return the formula that the differences are the slopes from a number on."""
    places: dict[int, list[str]] = {slope: [] for slope in slopes}
    for piece, end in found.ends():
        places.setdefault(piece.slope, []).append(f"({_bound(piece.start, '>=')} & {_bound(end, '<')})")
    claims = (
        f"((E={slope} {DIFFERENCE}) <=> (Ex ${_name(found)}_X(x) & ({' | '.join(parts)})))"
        for slope, parts in places.items()
    )
    return f"An n>={start} => ({' & '.join(claims)})"


def _bound(bound: Linear, sign: str) -> str:
    """Return the comparison of n with a function of x, in natural numbers."""
    scale = lcm(bound.a.denominator, bound.c.denominator)
    a, c = int(bound.a * scale), int(bound.c * scale)
    left, right = (f"+{-c}", "") if c < 0 else ("", f"+{c}" if c else "")
    return f"{scale}*n{left}{sign}{a}*x{right}"


def _said(found: Pieces) -> str:
    """Return the pieces as text."""
    parts = []
    for piece, end in found.ends():
        value = _sum((piece.slope, "n"), (piece.rest.a, "x"), (piece.rest.c, ""))
        start, last = _sum((piece.start.a, "x"), (piece.start.c, "")), _sum((end.a, "x"), (end.c - 1, ""))
        parts.append(f"{value} for {start} <= n <= {last}")
    power = f"{found.ratio}^k" if found.least == 1 else f"{found.least}*{found.ratio}^k"
    return f"{', '.join(parts)}, with x = {power}, k >= 0"


def _sum(*terms: tuple[int | Fraction, str]) -> str:
    """Return a sum of multiples, such as 3x/2 + 1."""
    said = ""
    for number, unit in terms:
        if not number:
            continue
        size = abs(Fraction(number))
        top = str(size.numerator) if size.numerator != 1 or not unit else ""
        below = f"/{size.denominator}" if size.denominator != 1 else ""
        sign = ("-" if number < 0 else "") if not said else (" - " if number < 0 else " + ")
        said += f"{sign}{top}{unit}{below}"
    return said or "0"
