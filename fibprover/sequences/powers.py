"""Sums of powers, as 3^k/2 + k 2^k - 1, for recurrences whose characteristic polynomial has rational roots.

Fibonacci numbers are added for a factor x^2 - x - 1.  The sum has as many coefficients as the recurrence has first
terms, and obeys it, so that it has all terms if it has the first ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from fibprover.base.values import PlainlyDisplayed, value
from fibprover.sequences.rational import Number, Vector, plain, solution

#: Roots have numerators and denominators up to this.
_LARGEST = 200


@value
class PowerSum(PlainlyDisplayed):
    """A sum of terms c k^i r^k and c F(k+i), for k from `start` on, where F are the Fibonacci numbers 0, 1, 1, 2, ...

    powers: (c, i, r) for each of the former; fibonacci: (c, i), i = 0 or 1, for each of the latter.
    """

    powers: tuple[tuple[Number, int, Number], ...]
    fibonacci: tuple[tuple[Number, int], ...]
    start: int = 0

    def __getitem__(self, k: int) -> Number:
        """Return the sum at k."""
        a, b = 0, 1
        for _ in range(k):
            a, b = b, a + b
        found: Number = sum(c * k**i * r**k for c, i, r in self.powers) + sum(c * (a, b)[i] for c, i in self.fibonacci)
        return plain(found)

    def __str__(self) -> str:
        terms: list[tuple[Number, str]] = [
            (c, " ".join([*_power("k", i), *_of_root(r, "({})^k", "{}^k")])) for c, i, r in self.powers
        ]
        terms += [(c, "F(k+1)" if i else "F(k)") for c, i in self.fibonacci]
        said = _joined(terms, str)
        return f"{said} for k >= {self.start}" if self.start else said

    def to_latex(self) -> str:
        """Return the sum in LaTeX; the Fibonacci numbers are F_k."""
        def number(size: Number) -> str:
            return str(size) if size.denominator == 1 else rf"\frac{{{size.numerator}}}{{{size.denominator}}}"

        terms: list[tuple[Number, str]] = [
            (c, r" \cdot ".join([*_power("k", i, "{}^{{{}}}"), *_of_root(r, r"\left({}\right)^k", "{}^k", number)]))
            for c, i, r in self.powers
        ]
        terms += [(c, "F_{k+1}" if i else "F_k") for c, i in self.fibonacci]
        said = _joined(terms, number, r" \cdot ")
        return rf"{said} \quad (k \geq {self.start})" if self.start else said


def power_sum(coefficients: Sequence[Number], initial: Sequence[Number]) -> PowerSum | None:
    """Return the sum that a recurrence has as its solution; None if the roots are others.

    coefficients, initial: c_1, ..., c_r and s(0), ..., s(r-1) of s(k+r) = c_1 s(k+r-1) + ... + c_r s(k).
    """
    # The characteristic polynomial, its constant term first.
    polynomial: list[Fraction] = [*(-Fraction(each) for each in reversed(coefficients)), Fraction(1)]
    start = next(place for place, each in enumerate(polynomial) if each)
    polynomial = polynomial[start:]
    order = len(polynomial) - 1
    roots: list[Fraction] = []
    while (root := _rational_root(polynomial)) is not None:
        roots.append(root)
        polynomial = _divided(polynomial, root)
    golden = polynomial == [-1, -1, 1]
    if len(polynomial) > 1 and not golden:
        return None
    terms = list(initial)
    while len(terms) < order + start:
        last = terms[: -len(coefficients) - 1 : -1]
        terms.append(sum(c * s for c, s in zip(coefficients, last, strict=True)))
    kinds = [(roots[:place].count(root), plain(root)) for place, root in enumerate(roots)]
    parts = [PowerSum(((1, i, r),), ()) for i, r in kinds] + [PowerSum((), ((1, i),)) for i in (0, 1) if golden]
    if not parts:
        return PowerSum((), (), start)
    rows: list[Vector] = [tuple(part[k] for k in range(start, start + order)) for part in parts]
    factors = solution(rows, tuple(terms[start : start + order]))
    powers = [(c, i, r) for c, (i, r) in zip(factors, kinds, strict=False) if c]
    powers.sort(key=lambda each: (abs(each[2]), each[2], each[1]), reverse=True)
    fibonacci = [(c, i) for i, c in enumerate(factors[len(kinds):]) if c]
    return PowerSum(tuple(powers), tuple(fibonacci), start)


def _rational_root(polynomial: Sequence[Fraction]) -> Fraction | None:
    """Return a root that is a fraction of small numbers."""
    if len(polynomial) < 2:
        return None
    common = lcm(*(each.denominator for each in polynomial))
    first, last = int(polynomial[0] * common), int(polynomial[-1] * common)
    for below in range(1, min(abs(last), _LARGEST) + 1):
        for above in range(1, min(abs(first), _LARGEST) + 1):
            if last % below or first % above:
                continue
            for root in (Fraction(above, below), Fraction(-above, below)):
                if not sum(each * root**place for place, each in enumerate(polynomial)):
                    return root
    return None


def _divided(polynomial: Sequence[Fraction], root: Fraction) -> list[Fraction]:
    """Return the quotient by x - root, which divides a polynomial."""
    found = [polynomial[-1]]
    for each in reversed(polynomial[1:-1]):
        found.append(each + root * found[-1])
    return found[::-1]


def _power(of: str, exponent: int, form: str = "{}^{}") -> list[str]:
    return [] if not exponent else [of if exponent == 1 else form.format(of, exponent)]


def _of_root(root: Number, bracketed: str, bare: str, shown: Callable[[Number], str] = str) -> list[str]:
    """Return the power of a root, none for 1."""
    if root == 1:
        return []
    said = shown(root)
    return [(bare if root > 0 and root.denominator == 1 else bracketed).format(said)]


def _joined(terms: Sequence[tuple[Number, str]], shown: Callable[[Number], str], between: str = "") -> str:
    """Return a sum with signs between its terms."""
    said = ""
    for factor, term in terms:
        size = factor if factor > 0 else -factor
        sign = between or ("*" if term[:1].isdigit() or term[:1] == "(" else " ")
        if not between and term and size.numerator == 1:
            text = term if size == 1 else f"{term}/{size.denominator}"
        else:
            text = shown(size) if not term else term if size == 1 else f"{shown(size)}{sign}{term}"
        said += (f" {'-' if factor < 0 else '+'} " if said else "-" if factor < 0 else "") + text
    return said or "0"
