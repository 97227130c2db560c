"""Quadratic numbers as people write them: a small reader with exact arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from fibprover.errors import SyntaxProblem

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]{1,18})|(?P<sqrt>sqrt|\u221a)|(?P<phi>phi\b)|(?P<sign>[-+*/()]))", re.ASCII)


class Quadratic(NamedTuple):
    """(p + sqrt(d)) / q, in integers, q not 0 and d not negative."""

    p: int
    q: int
    d: int


class _Value(NamedTuple):
    """a + b sqrt(d)."""

    a: Fraction
    b: Fraction
    d: int


def quadratic(text: str) -> Quadratic:
    """The number that a text such as "(5+sqrt(13))/6" or "sqrt(2)-1" writes; SyntaxProblem where it is none.

    There are + - * /, parentheses, and sqrt of a natural number, always of the same one; phi is (1+sqrt(5))/2.
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
                raise self.problem("this is no part of a number such as (5+sqrt(13))/6", start, start + 1)
            begin = token.start(token.lastgroup or 0)
            self.tokens.append((token[token.lastgroup or 0], begin, token.end()))
            place = token.end()
        self.tokens.append(("", len(text), len(text)))
        self.next = 0
        self.depth = 0

    def problem(self, message: str, start: int, end: int) -> SyntaxProblem:
        return SyntaxProblem(message, self.text, start, end)

    def take(self, *expected: str) -> bool:
        """Whether one of these tokens is next; it is consumed."""
        if self.tokens[self.next][0] in expected:
            self.next += 1
            return True
        return False

    def demand(self, expected: str) -> None:
        token, start, end = self.tokens[self.next]
        if not self.take(expected):
            raise self.problem(f"{expected!r} is expected here, not {token or 'the end'!r}", start, end)

    def whole(self) -> _Value:
        value = self.sum()
        token, start, end = self.tokens[self.next]
        if token:
            raise self.problem(f"{token!r} is not expected here", start, end)
        return value

    def sum(self) -> _Value:
        self.depth += 1
        if self.depth > 50:
            raise self.problem("these parentheses are nested too deeply", 0, len(self.text))
        value = self.negated() if self.take("-") else self.product()
        while self.tokens[self.next][0] in ("+", "-"):
            token, start, end = self.tokens[self.next]
            self.next += 1
            other = self.product() if token == "+" else self.negated()
            value = _Value(value.a + other.a, value.b + other.b, self.root(value, other, start, end))
        self.depth -= 1
        return value

    def negated(self) -> _Value:
        value = self.product()
        return _Value(-value.a, -value.b, value.d)

    def product(self) -> _Value:
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
                other = _Value(other.a / norm, -other.b / norm, d)
            value = _Value(value.a * other.a + value.b * other.b * d, value.a * other.b + value.b * other.a, d)
        return value

    def factor(self) -> _Value:
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
            return _Value(Fraction(0), Fraction(1), int(number))
        if self.take("phi"):
            return _Value(Fraction(1, 2), Fraction(1, 2), 5)
        if token.isdigit():
            self.next += 1
            return _Value(Fraction(int(token)), Fraction(0), 0)
        raise self.problem(f"a number is expected here, not {token or 'the end'!r}", start, end)

    def root(self, first: _Value, second: _Value, start: int, end: int) -> int:
        """The number under the square root that both have in common."""
        if first.b and second.b and first.d != second.d:
            raise self.problem("the square roots of two numbers make no quadratic number here", start, end)
        return first.d if first.b else second.d
