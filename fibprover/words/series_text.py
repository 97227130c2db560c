"""Power series that are written out: algebraic ones, diagonals of rational functions, and constant terms of powers.

    coefficients of y = 1 + x*y^2 mod 8              the series y in x, with y(0) = 1
    diagonal of 1/(1-x-y) mod 9                      the coefficients at x^n y^n
    constant terms of (x+1+1/x)^n*(1-x^2) mod 25     of the powers of a Laurent polynomial, times another one

`read_series` makes a `SeriesModulo` of such a text: a rational function, and which of its coefficients are the letters
of a word, modulo a power of a prime.
"""

from __future__ import annotations

from fibprover.base.values import value
from fibprover.language.tokens import END, WORD, Token, TokenReader
from fibprover.words.laurent import (
    Exponents,
    Polynomial,
    added,
    constant,
    derivative,
    least_exponents,
    mapped,
    monomial,
    power,
    times,
)

#: What a text of a series begins with.
BEGINNINGS = ("coefficients", "diagonal", "constant")

_FORMS = "coefficients of y=1+x*y^2 mod 8, diagonal of 1/(1-x-y) mod 9, or constant terms of (x+1+1/x)^n mod 25"

#: The largest modulus, exponent and number of variables.
MOST_MODULUS, _MOST_EXPONENT, _MOST_VARIABLES = 10_000, 64, 6

#: How deep brackets may be nested.
_MOST_DEPTH = 50


@value
class SeriesModulo:
    """Coefficients of numerator / denominator modulo a power of a prime.

    steps: for each variable 1 if its exponent is n, and 0 if it is 0, in the coefficients that are wanted; kind: of the
    text; equation: of an algebraic series, a polynomial in x and y, and first: its coefficient at 0; text: as written.
    """

    kind: str
    numerator: tuple[tuple[Exponents, int], ...]
    denominator: tuple[tuple[Exponents, int], ...]
    steps: tuple[int, ...]
    prime: int
    exponent: int
    text: str
    equation: tuple[tuple[Exponents, int], ...] = ()
    first: int = 0

    @property
    def modulus(self) -> int:
        """The power of the prime."""
        return int(self.prime**self.exponent)


class _Rational:
    """A quotient of Laurent polynomials, and the polynomial whose power n is a factor, if there is one."""

    def __init__(self, above: Polynomial, under: Polynomial, base: Polynomial | None = None) -> None:
        self.above, self.under, self.base = above, under, base


def is_series(text: str) -> bool:
    """Return whether a text begins like that of a power series."""
    first, *others = text.split(maxsplit=2) or [""]
    return first in BEGINNINGS and bool(others)


def read_series(text: str) -> SeriesModulo:
    """Return the series that a text says; SyntaxProblem, with the place, for any other text."""
    return _Reader(text).series()


class _Reader(TokenReader):
    """The reader of a series."""

    def __init__(self, text: str) -> None:
        super().__init__(text, f"such as {_FORMS}")
        self.names: list[str] = []

    # -- the three kinds -----------------------------------------------------------------------

    def series(self) -> SeriesModulo:
        prime, exponent = self.modulus()
        begin = self.token
        if self.take("coefficients") is not None:
            self.expect("of")
            return self.algebraic(prime, exponent)
        if self.take("diagonal") is not None:
            self.expect("of")
            return self.diagonal(prime, exponent)
        self.expect("constant", "terms", "of")
        self.variables("n")
        found = self.sum()
        self.end()
        if found.base is None:
            self.fail("constant terms are those of a power with the exponent n", begin, "such as (x+1+1/x)^n*(1-x^2)")
        return self.constant_terms(found, begin, prime, exponent)

    def modulus(self) -> tuple[int, int]:
        """Read `mod 8` at the end, and take it from the tokens."""
        places = [place for place, token in enumerate(self.tokens) if token == "mod"]
        if not places or places[-1] != len(self.tokens) - 3 or self.tokens[-2].type != "NUMBER":
            self.fail("the text ends in the modulus", self.tokens[-1], "such as: mod 8")
        written = self.tokens[-2]
        number = int(written[:9])
        if len(written) > 9 or not 2 <= number <= MOST_MODULUS:
            self.fail(f"the modulus is a power of a prime, at most {MOST_MODULUS}", written)
        prime = next(each for each in range(2, number + 1) if not number % each)
        exponent = next(each for each in range(1, number) if prime**each >= number)
        if prime**exponent != number:
            self.fail(f"{number} is no power of a prime", written, "take the powers of its primes one by one")
        self.tokens[-3:] = [Token(END, "", self.tokens[-3].start, self.tokens[-3].start)]
        return prime, exponent

    def end(self) -> None:
        if self.token.type != END:
            self.fail(f"`{self.token}` cannot follow here")

    def variables(self, *without: str) -> None:
        """Note the variables that occur, in order."""
        found = dict.fromkeys(
            str(token) for token in self.tokens[self.place :] if token.type == WORD and token not in without
        )
        self.names = [*found]
        if len(self.names) > _MOST_VARIABLES:
            self.fail(f"a series has at most {_MOST_VARIABLES} variables")

    def algebraic(self, prime: int, exponent: int) -> SeriesModulo:
        self.variables()
        if sorted(self.names) != ["x", "y"]:
            self.fail("the equation of a series y is one of x and y", hint="such as y=1+x*y^2")
        self.names = ["x", "y"]
        start = self.token
        left = self.sum()
        self.expect("=")
        right = self.sum()
        # P(x, y) = 0 as a polynomial: without denominators.
        above = added(times(left.above, right.under), times(right.above, left.under), -1)
        if not above:
            self.fail("this equation holds for every y", start)
        least = least_exponents(above)
        equation = {tuple(each - low for each, low in zip(at, (min(least[0], 0), min(least[1], 0)), strict=True)): c
                    for at, c in above.items()}
        first = self.first_coefficient(equation, prime, start)
        self.end()
        moved = _shifted(equation, first)
        slope = derivative(moved, 1)
        if not slope.get((0, 0), 0) % prime:
            self.fail(
                f"the equation does not determine the series modulo {prime}: its derivative by y is divisible by "
                f"{prime} at x = 0, y = {first}", start,
                "it may be the diagonal of a rational function, or constant terms",
            )
        # Furstenberg (1967): y is the diagonal of y^2 P_y(xy, y) / P(xy, y).
        under = times(mapped(moved, ((1, 1), (0, 1))), {(0, -1): 1})
        numerator = times(mapped(slope, ((1, 1), (0, 1))), {(0, 1): 1})
        numerator = added(numerator, under, first)
        return self.made("coefficients", numerator, under, (1, 1), prime, exponent, equation, first)

    def first_coefficient(self, equation: Polynomial, prime: int, start: Token) -> int:
        """Return the coefficient of x^0, which is given after a comma or the only integer that is possible."""
        given = None
        if self.take(",") is not None:
            self.expect("y", "(", "0", ")", "=")
            sign = -1 if self.take("-") is not None else 1
            if self.token.type != "NUMBER" or len(self.token) > 12:
                self.fail("the first coefficient is an integer of at most 12 digits", hint="such as y(0)=1")
            given = sign * int(self.token)
            self.place += 1
        at_zero = {at[1]: coefficient for at, coefficient in equation.items() if not at[0]}
        largest = max(map(abs, at_zero.values()), default=0)
        roots = [
            number for number in (range(-largest, largest + 1) if given is None else (given,))
            if not sum(coefficient * number**at for at, coefficient in at_zero.items())
        ] if largest <= MOST_MODULUS else []
        if given is not None and not roots:
            self.fail(f"y(0) = {given} does not satisfy the equation at x = 0", start)
        if len(roots) != 1:
            listed = " or ".join(map(str, roots)) or "no integer"
            hint = "add it, as in: y=1+x*y^2, y(0)=1"
            self.fail(f"the first coefficient of y is {listed} by this equation", start, hint)
        return roots[0]

    def diagonal(self, prime: int, exponent: int) -> SeriesModulo:
        self.variables()
        start = self.token
        found = self.sum()
        self.end()
        above, under = found.above, found.under
        low = least_exponents({**above, **under}) if above else least_exponents(under)
        moved = {tuple(-min(each, 0) for each in low): 1}
        above, under = times(above, moved), times(under, moved)
        count = len(self.names)
        if not count or not under.get((0,) * count, 0) % prime:
            self.fail(
                f"the denominator has to have a constant that {prime} does not divide, to be a power series", start,
                "such as diagonal of 1/(1-x-y) mod 9",
            )
        return self.made("diagonal", above, under, (1,) * count, prime, exponent)

    def constant_terms(self, found: _Rational, begin: Token, prime: int, exponent: int) -> SeriesModulo:
        count = len(self.names)
        if len(found.under) != 1 or abs(next(iter(found.under.values()))) != 1:
            self.fail("a constant term is one of a Laurent polynomial: only monomials can be divisors", begin)
        ((at, coefficient),) = found.under.items()
        factor = times(found.above, {tuple(-each for each in at): coefficient})
        # The sum of t^n P^n Q is Q/(1 - t P).
        numerator = {(0, *at): each for at, each in factor.items()}
        powers = {(1, *at): -each for at, each in (found.base or {}).items()}
        return self.made(
            "constant terms", numerator, added(constant(count + 1, 1), powers), (1, *(0,) * count), prime, exponent
        )

    def made(
        self, kind: str, numerator: Polynomial, denominator: Polynomial, steps: tuple[int, ...], prime: int,
        exponent: int, equation: Polynomial | None = None, first: int = 0,
    ) -> SeriesModulo:
        return SeriesModulo(
            kind, tuple(sorted(numerator.items())), tuple(sorted(denominator.items())), steps, prime, exponent,
            " ".join(self.text.split()), tuple(sorted((equation or {}).items())), first,
        )

    # -- rational functions ----------------------------------------------------------------------

    def number_of(self, number: int) -> _Rational:
        count = len(self.names)
        return _Rational(constant(count, number), constant(count, 1))

    def sum(self) -> _Rational:
        found = self.product()
        while (sign := self.take("+", "-")) is not None:
            following = self.product()
            if found.base is not None or following.base is not None:
                self.fail("the power n has to be a factor of the whole", sign)
            above = added(
                times(found.above, following.under), times(following.above, found.under), -1 if sign == "-" else 1
            )
            found = _Rational(above, times(found.under, following.under))
        return found

    def product(self) -> _Rational:
        found = self.factor()
        while True:
            if self.take("*") is not None:
                following = self.factor()
            elif (sign := self.take("/")) is not None:
                inverse = self.factor()
                if not inverse.above or inverse.base is not None:
                    self.fail("a divisor is a polynomial other than 0", sign)
                following = _Rational(inverse.under, inverse.above)
            elif self.token.type in ("LPAR", "NUMBER") or (self.token.type == WORD and self.token in self.names):
                following = self.factor()
            else:
                return found
            if found.base is not None and following.base is not None:
                self.fail("only one factor can have the exponent n")
            base = found.base if following.base is None else following.base
            found = _Rational(times(found.above, following.above), times(found.under, following.under), base)

    def factor(self) -> _Rational:
        if self.take("-") is not None:
            if self.token == "-":
                self.fail("two signs follow each other")
            found = self.factor()
            return _Rational(times(found.above, constant(len(self.names), -1)), found.under, found.base)
        found = self.atom()
        if (sign := self.take("^")) is None:
            return found
        if found.base is not None:
            self.fail("the power n cannot have another exponent", sign, "such as (x+1+1/x)^n*(1-x^2)")
        if "n" not in self.names and self.take("n") is not None:
            return self.power_n(found, sign)
        negative = self.take("-") is not None
        if self.token.type != "NUMBER" or len(self.token) > 3 or int(self.token) > _MOST_EXPONENT:
            self.fail(f"an exponent is an integer, at most {_MOST_EXPONENT}")
        exponent = int(self.token)
        self.place += 1
        count = len(self.names)
        above, under = power(found.above, exponent, count), power(found.under, exponent, count)
        if negative and not above:
            self.fail("0 has no negative powers", sign)
        return _Rational(under, above) if negative else _Rational(above, under)

    def power_n(self, found: _Rational, sign: Token) -> _Rational:
        if len(found.under) != 1 or abs(next(iter(found.under.values()))) != 1:
            self.fail("the base of the power n is a Laurent polynomial: only monomials can be divisors", sign)
        ((at, coefficient),) = found.under.items()
        count = len(self.names)
        base = times(found.above, {tuple(-each for each in at): coefficient})
        return _Rational(constant(count, 1), constant(count, 1), base)

    def atom(self) -> _Rational:
        token = self.token
        if self.take("(") is not None:
            self.depth += 1
            if self.depth > _MOST_DEPTH:
                self.fail("the series is nested too deeply")
            found = self.sum()
            self.expect(")")
            self.depth -= 1
            return found
        if token.type == "NUMBER":
            self.place += 1
            if len(token) > 12:
                self.fail("this number has more than 12 digits", token)
            return self.number_of(int(token))
        if token.type == WORD and token in self.names:
            self.place += 1
            count = len(self.names)
            return _Rational(monomial(count, self.names.index(token)), constant(count, 1))
        self.fail("a number, a variable or a bracket is expected here")


def _shifted(equation: Polynomial, first: int) -> dict[Exponents, int]:
    """Return P(x, y + first)."""
    total: dict[Exponents, int] = {}
    moved: dict[Exponents, int] = {(0, 1): 1, (0, 0): first} if first else {(0, 1): 1}
    for (x, y), coefficient in equation.items():
        total = added(total, times({(x, 0): coefficient}, power(moved, y, 2)))
    return total
