"""A closed form of the number of factors of length n, where its differences are few and change at few places.

Where the differences become constant, the number is a linear function of n.  In base b they may be constant between
numbers ax+c, with powers x of b or of a power of b; then it is piecewise linear.  The places are guessed from the first
differences.  A formula proves them for all n, and the pieces follow, since each one ends where the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

from fibprover.base.errors import LimitError
from fibprover.language.builder import at_least, exactly, exists, forall, variable
from fibprover.language.tree import Arithmetic, Formula, Variable, conjunction, disjunction
from fibprover.sequences.certified_counts import CountEquation
from fibprover.sequences.series import Series
from fibprover.sheets.line import Answer
from fibprover.sheets.question import FormulaQuestion
from fibprover.sheets.subject import Subject
from fibprover.sheets.vocabulary import Vocabulary, i, j, n

#: The number of differences examined, the most pieces, and the greatest exponent of the power of the base with which
#: they repeat.
SEEN, MOST_PIECES, MOST_EXPONENT = 2200, 12, 3

#: The most values before the first piece that are listed.
MOST_BEFORE = 24

_NONE_FOUND = "no closed form was found"

#: The powers x.
_X = variable("x")

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

    @property
    def value(self) -> tuple[tuple[Fraction, Variable | None], ...]:
        """The number of factors, as an equation has it."""
        return (Fraction(self.slope), n), (self.rest.a, _X), (self.rest.c, None)


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


class FoundForm(NamedTuple):
    """A closed form of the number of factors of length n, which a formula proves for n >= start.

    said: its text; before: the numbers of factors of lengths below start; equations: all values, also those before.
    """

    formula: Formula
    said: str
    start: int
    before: tuple[int, ...]
    equations: tuple[CountEquation, ...]


@dataclass(frozen=True, slots=True)
class ClosedForm(FormulaQuestion, kind="closed form"):
    """A closed form of the number of factors of length n."""

    def answer(self, about: Subject) -> Answer:
        found = closed_form(about)
        verdict = about.prove(found.formula)
        if not verdict:
            raise LimitError(_NONE_FOUND)
        said = found.said + (f"; before, {', '.join(map(str, found.before))}" if found.before else "")
        return Answer(
            "proved", f"{said}.", verdict.trace.largest, formula=about.stated(found.formula),
            sentence=f"Factor complexity: p(n) = {said}.",
        )


def closed_form(about: Subject) -> FoundForm:
    """Return a closed form of the number of factors of a word that agrees with the first numbers, not yet proved.

    A predicate of powers that it needs is defined.  Raises LimitError if there is none.
    """
    x = Vocabulary(about.word.name)
    numbers = about.session.counts("n", about.relation(x.first(i, n)))
    differences = numbers.subsequence(1, 1) - numbers
    first = differences.word("D").prefix(SEEN)  # LimitError if there are infinitely many
    runs = [0, *(n for n, (a, b) in enumerate(pairwise(first), 1) if a != b)]
    if 4 * runs[-1] < SEEN:
        start, slope = runs[-1], int(first[-1])
        rest = int(numbers[start]) - slope * start
        formula: Formula = forall(n, (n >= start) >> exactly(slope, j, _difference(x)))
        said = f"{sum_text((slope, 'n'), (rest, ''))} for n >= {start}"
        equations = [CountEquation(n >= start, ((Fraction(slope), n), (Fraction(rest), None)))]
    else:
        base = about.session.namespace.system(about.system).integer_base
        found = _guess(numbers, first, runs, base) if base else None
        if base is None or found is None or not found.are_continuous():
            raise LimitError(_NONE_FOUND)
        start = int(found.pieces[0].start(found.least))
        name = _name(found)
        about.session.reg(x.predicate(name), about.system, power_expression(name, base))
        formula, said = _formula(x, found, start, sorted(set(first[start:]))), _said(found)
        equations = [CountEquation(x.call(name, _X) & within, piece.value) for piece, within in _places(found)]
    if start > MOST_BEFORE:
        raise LimitError(_NONE_FOUND)
    before = tuple(int(numbers[n]) for n in range(start))
    single = [CountEquation(n.eq(place), ((Fraction(number), None),)) for place, number in enumerate(before)]
    return FoundForm(formula, said, start, before, (*single, *equations))


def complexity_formula(x: Vocabulary) -> ClosedForm:
    """Return the question about a word."""
    return ClosedForm(
        "complexity-formula", "factors",
        "The factor complexity p(n) in closed form: linear from some n on, or between multiples of powers x of the"
        " base.",
        forall(n, at_least(1, j, _difference(x))),
    )


def _difference(x: Vocabulary) -> Formula:
    """Return the formula that a factor of length n+1 is new at j, and that of length n is not.

    There are as many such j as the difference of the numbers of factors of lengths n+1 and n.
    """
    return x.first(j, n + 1) & ~x.first(j, n)


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


def _formula(x: Vocabulary, found: Pieces, start: int, slopes: Sequence[int]) -> Formula:
    """Return the formula that the differences are the slopes from a number on."""
    places: dict[int, list[Formula]] = {slope: [] for slope in slopes}
    for piece, within in _places(found):
        places.setdefault(piece.slope, []).append(within)
    power = x.call(_name(found), _X)
    claims = [
        exactly(slope, j, _difference(x)).iff(exists(_X, power & disjunction(parts))) for slope, parts in places.items()
    ]
    return forall(n, (n >= start) >> conjunction(claims))


def _places(found: Pieces) -> Iterator[tuple[Piece, Formula]]:
    """Yield each piece with the formula that n is in it."""
    for piece, end in found.ends():
        lower, upper = (_sides(bound) for bound in (piece.start, end))
        yield piece, (lower[0] >= lower[1]) & (upper[0] < upper[1])


def _sides(bound: Linear) -> tuple[Arithmetic | Variable, Arithmetic | Variable]:
    """Return n and the function of x with one factor for both, and what is subtracted added to the other side."""
    scale = lcm(bound.a.denominator, bound.c.denominator)
    a, c = int(bound.a * scale), int(bound.c * scale)
    left, right = (n if scale == 1 else scale * n), (_X if a == 1 else a * _X)
    return (left + -c if c < 0 else left), (right + c if c > 0 else right)


def _said(found: Pieces) -> str:
    """Return the pieces as text."""
    parts = []
    for piece, end in found.ends():
        value = sum_text((piece.slope, "n"), (piece.rest.a, "x"), (piece.rest.c, ""))
        start, last = sum_text((piece.start.a, "x"), (piece.start.c, "")), sum_text((end.a, "x"), (end.c - 1, ""))
        parts.append(f"{value} for {start} <= n <= {last}")
    power = f"{found.ratio}^k" if found.least == 1 else f"{found.least}*{found.ratio}^k"
    return f"{', '.join(parts)}, with x = {power}, k >= 0"


def sum_text(*terms: tuple[int | Fraction, str]) -> str:
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
