"""Quadratic numbers: read from text, written, compared and multiplied in exact arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction
from math import gcd, isqrt
from typing import NamedTuple

from fibprover.base.errors import SyntaxProblem

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]{1,18})|(?P<sqrt>sqrt|\u221a)|(?P<phi>phi\b)|(?P<sign>[-+*/()]))", re.ASCII)


class Quadratic(NamedTuple):
    """(p + sqrt(d)) / q, in integers, q not 0 and d not negative; may be rational."""

    p: int
    q: int
    d: int

    def compare(self, other: Fraction) -> int:
        """Return -1, 0 or 1 as the number is smaller than, equal to or larger than a rational number."""
        # (p + sqrt(d)) / q - other has the sign of q, or its opposite, times that of sqrt(d) - rest.
        rest = other * self.q - self.p
        square = rest * abs(rest)
        sign = (self.d > square) - (self.d < square)
        return sign if self.q > 0 else -sign

    def floor_multiple(self, factor: int) -> int:
        """Return floor(factor times the number)."""
        p, q, d = self
        # With q negative, (p + sqrt d) / q = (-p - sqrt d) / -q.
        negated = q < 0
        if negated:
            p, q = -p, -q
        square = factor * factor * d
        root = isqrt(square)
        if (factor < 0) != negated:
            # The floor of the negative root.
            root = -root - (root * root != square)
        return (factor * p + root) // q

    def __str__(self) -> str:
        p, q, d = self
        root = isqrt(d)
        if root * root == d:
            return str(Fraction(p + root, q))
        if q < 0:
            top = f"{-p}-sqrt({d})" if p else f"-sqrt({d})"
            q = -q
        else:
            top = f"{p}+sqrt({d})" if p else f"sqrt({d})"
        return top if q == 1 else f"({top})/{q}"


class _RootSum(NamedTuple):
    """a + b sqrt(d)."""

    a: Fraction
    b: Fraction
    d: int


def quadratic(text: str) -> Quadratic:
    """Return the number that a text such as "(5+sqrt(13))/6" or "sqrt(2)-1" denotes; raises SyntaxProblem if there is
    none.

    A text has + - * /, parentheses, and sqrt of a natural number, the same one everywhere; phi is (1+sqrt(5))/2.
    """
    value = _Reader(text).whole()
    common = value.a.denominator * value.b.denominator // gcd(value.a.denominator, value.b.denominator)
    p, factor = int(value.a * common), int(value.b * common)
    # p + f sqrt(d) = (+-p + sqrt(f^2 d)) over a common denominator of the same sign.
    sign = -1 if factor < 0 else 1
    return Quadratic(sign * p, sign * common, factor * factor * value.d)


class _Reader:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int, int]] = []
        place = 0
        while place < len(text.rstrip()):
            token = _TOKEN.match(text, place)
            if token is None:
                start = place + len(text[place:]) - len(text[place:].lstrip())
                raise self.problem("this is not part of a number such as (5+sqrt(13))/6", start, start + 1)
            begin = token.start(token.lastgroup or 0)
            self.tokens.append((token[token.lastgroup or 0], begin, token.end()))
            place = token.end()
        self.tokens.append(("", len(text), len(text)))
        self.next = 0
        self.depth = 0

    def problem(self, message: str, start: int, end: int) -> SyntaxProblem:
        return SyntaxProblem(message, self.text, start, end)

    def take(self, *expected: str) -> bool:
        """Consume the next token if it is one of these, and return whether it is."""
        if self.tokens[self.next][0] in expected:
            self.next += 1
            return True
        return False

    def demand(self, expected: str) -> None:
        token, start, end = self.tokens[self.next]
        if not self.take(expected):
            raise self.problem(f"{expected!r} is expected here, not {token or 'the end'!r}", start, end)

    def whole(self) -> _RootSum:
        value = self.sum()
        token, start, end = self.tokens[self.next]
        if token:
            raise self.problem(f"{token!r} is not expected here", start, end)
        return value

    def sum(self) -> _RootSum:
        self.depth += 1
        if self.depth > 50:
            raise self.problem("these parentheses are nested too deeply", 0, len(self.text))
        value = self.negated() if self.take("-") else self.product()
        while self.tokens[self.next][0] in ("+", "-"):
            token, start, end = self.tokens[self.next]
            self.next += 1
            other = self.product() if token == "+" else self.negated()
            value = _RootSum(value.a + other.a, value.b + other.b, self.root(value, other, start, end))
        self.depth -= 1
        return value

    def negated(self) -> _RootSum:
        value = self.product()
        return _RootSum(-value.a, -value.b, value.d)

    def product(self) -> _RootSum:
        value = self.factor()
        while self.tokens[self.next][0] in ("*", "/"):
            token, start, end = self.tokens[self.next]
            self.next += 1
            other = self.factor()
            d = self.root(value, other, start, end)
            if token == "/":
                norm = other.a * other.a - other.b * other.b * d
                if not norm:
                    raise self.problem("this divides by 0", start, end)
                other = _RootSum(other.a / norm, -other.b / norm, d)
            value = _RootSum(value.a * other.a + value.b * other.b * d, value.a * other.b + value.b * other.a, d)
        return value

    def factor(self) -> _RootSum:
        token, start, end = self.tokens[self.next]
        if self.take("("):
            value = self.sum()
            self.demand(")")
            return value
        if self.take("sqrt", "\u221a"):
            bracket = self.take("(")
            number, start, end = self.tokens[self.next]
            if not number.isdigit():
                raise self.problem("a square root of a natural number is expected", start, end)
            self.next += 1
            if bracket:
                self.demand(")")
            return _RootSum(Fraction(0), Fraction(1), int(number))
        if self.take("phi"):
            return _RootSum(Fraction(1, 2), Fraction(1, 2), 5)
        if token.isdigit():
            self.next += 1
            return _RootSum(Fraction(int(token)), Fraction(0), 0)
        raise self.problem(f"a number is expected here, not {token or 'the end'!r}", start, end)

    def root(self, first: _RootSum, second: _RootSum, start: int, end: int) -> int:
        """Return the number under the square root that both have in common; raises SyntaxProblem if they differ."""
        if first.b and second.b and first.d != second.d:
            raise self.problem("the square roots of two numbers make no quadratic number here", start, end)
        return first.d if first.b else second.d
