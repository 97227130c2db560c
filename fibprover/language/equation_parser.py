"""The reader of equations such as `a(0) = 0, a(2n) = a(n), a(2n+1) = a(n) + a(n+1) for n >= 1`.

Equations are separated by commas or semicolons; `a(0) = a(1) = 1` is two.  A factor may stand directly before what it
multiplies.  `for`, `if` or `when` begins a condition, a formula of the language about the variable of the equation.
The tokens are those of formulas (`fibprover.language.tokens`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import islice

from fibprover.base.errors import TextError
from fibprover.base.names import full_name
from fibprover.language.equations import (
    Alternating,
    Constant,
    Digits,
    Equation,
    Equations,
    Expression,
    Extreme,
    Floor,
    Index,
    Left,
    LetterAt,
    Plus,
    Power,
    Residue,
    TermAt,
    Times,
    linear_index,
    minus,
    terms_of,
    whole,
)
from fibprover.language.parser import parse
from fibprover.language.source import Source, Span
from fibprover.language.tokens import END, WORD, Token, TokenReader, words

_CONDITION = ("for", "if", "when")
_FUNCTIONS = ("floor", "ceil", "min", "max", "abs")
_FORM = "write equations such as a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1"

#: The most digits of a number, the largest exponent, and how deep expressions may be nested.
_MOST_DIGITS, _MOST_EXPONENT, _MOST_DEPTH = 1000, 12, 60


def are_equations(name: str, text: str) -> bool:
    """Return whether a text begins like equations of a sequence with this name, and not like a formula."""
    found = [token for token in islice(words(text), 40) if token.type != "WS"]
    if found and found[0].type == "SYSTEM":
        del found[0]
    begins = [str(token) for token in found[:2]] == [name, "("]
    # `Ex (...)` begins a formula unless an equals sign follows the bracket.
    depth = 0
    for place, token in enumerate(found):
        depth += (token == "(") - (token == ")")
        if begins and place and not depth:
            return found[place + 1 : place + 2] == ["="]
    return begins and not any(token.type == "CALL" for token in found)


def read_equations(name: str, text: str, macros: Mapping[str, str] | None = None) -> Equations:
    """Return the equations of a sequence that a text has; SyntaxProblem, with the place, for what is none.

    macros: those of the session, for conditions.
    """
    return _Reader(name, text, macros or {}).equations()


class _Reader(TokenReader):
    """The reader of the equations of a name."""

    def __init__(self, name: str, text: str, macros: Mapping[str, str]) -> None:
        super().__init__(text, _FORM)
        self.name = name
        self.macros = macros
        self.variable = ""
        self.of_words = False

    # -- equations ---------------------------------------------------------------------------

    def equations(self) -> Equations:
        system = ""
        if self.token.type == "SYSTEM":
            system = full_name(self.token[1:])
            self.place += 1
        found: list[Equation] = []
        while self.token.type != END:
            found += self.equation()
            if self.token.type != END and self.take(",", ";") is None:
                self.fail(f"`{self.token}` cannot follow here")
        if not found:
            self.fail(f"there is no equation of {self.name}")
        return Equations(self.name, system, tuple(found), self.text)

    def equation(self) -> list[Equation]:
        """Read an equation, or several with one right side."""
        self.variable, self.of_words = "", False
        start = self.token.start
        lefts: list[tuple[Left, str]] = [self.left()]
        self.expect("=")
        while self.begins_left():
            lefts.append(self.left())
            self.expect("=")
        right = self.sum()
        condition = self.condition()
        place = Span(start, self.tokens[self.place - 1].end)
        tail = self.text[self.right_start : place.end].strip()
        return [
            Equation(self.name, left, right, self.variable, condition, f"{said} = {' '.join(tail.split())}", place)
            for left, said in lefts
        ]

    def begins_left(self) -> bool:
        """Return whether a term of this sequence and an equals sign follow, as in `a(0) = a(1) = 1`."""
        if self.token != self.name:
            return False
        depth = 0
        for place in range(self.place + 1, len(self.tokens)):
            depth += (self.tokens[place] == "(") - (self.tokens[place] == ")")
            if depth < 0 or self.tokens[place].type == END:
                return False
            if not depth:
                return self.tokens[place + 1] == "=" if place + 1 < len(self.tokens) else False
        return False

    def left(self) -> tuple[Left, str]:
        """Read a(3), a(2n+1) or a(n.01), and return it with its text."""
        first = self.token
        if first != self.name:
            self.fail(f"an equation of {self.name} begins with {self.name}(...)")
        term = self.atom()
        if not isinstance(term, TermAt):
            self.fail(f"an equation of {self.name} begins with {self.name}(...)", first)
        said = " ".join(self.text[term.place.start : term.place.end].split())
        self.right_start = self.tokens[self.place].end
        if isinstance(term.at, Digits):
            self.of_words = True
            return Left(1, 0, term.at.word), said
        found = linear_index(term.at)
        if found is None or found[0] < 0 or (not found[0] and found[1] < 0):
            self.fail(
                "the left side has the index of an equation: a natural number, or a multiple of n and a number",
                term.place, "such as a(3), a(2n+1) or a(n)",
            )
        return Left(*found), said

    def condition(self) -> Source | None:
        """Read a condition up to the next equation."""
        if self.take(*_CONDITION) is None:
            return None
        self.take("all")
        start, depth = self.token.start, 0
        while (token := self.token).type != END:
            depth += token.type in ("LPAR", "LBRACKET")
            depth -= token.type in ("RPAR", "RBRACKET")
            following = self.tokens[self.place + 1 : self.place + 3]
            if not depth and (token == ";" or (token == "," and following and following[0] == self.name)):
                break
            self.place += 1
        end = self.tokens[self.place - 1].end if self.token.start > start else start
        if end == start:
            self.fail("a condition is missing here", hint="such as: for n>=1")
        try:
            return parse(self.text[start:end], self.macros)
        except TextError as problem:
            # Macros may have changed the text, whose places then are not those of the equations.
            if problem.text != self.text[start:end]:
                raise
            raise type(problem)(
                problem.message, self.text, start + problem.start, start + problem.end, hint=problem.hint
            ) from None

    # -- expressions -------------------------------------------------------------------------

    def sum(self) -> Expression:
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            self.fail("the expression is nested too deeply")
        found = self.product()
        while (sign := self.take("+", "-")) is not None:
            following = self.product()
            found = Plus(found, minus(following) if sign == "-" else following)
        self.depth -= 1
        return found

    def product(self) -> Expression:
        found = self.power()
        while True:
            if self.take("*") is not None:
                found = _times(found, self.power())
            elif (sign := self.take("/")) is not None:
                divisor = self.power()
                if not isinstance(divisor, Constant) or not divisor.number:
                    self.fail("only a number other than 0 can be a divisor", sign)
                found = _times(Constant(Fraction(1) / divisor.number), found)
            elif self.token.type == "PARAMETER":
                found = Residue(found, self.positive(self.token[1:]))
                self.place += 1
            elif self.take("mod", "%") is not None:
                found = Residue(found, self.positive(self.token))
                self.place += 1
            elif self.token.type == "LPAR" or self.begins_factor():
                found = _times(found, self.power())
            else:
                return found

    def begins_factor(self) -> bool:
        """Return whether a name follows that a factor may stand before, as in 2n or 2a(n)."""
        return self.token.type == WORD and self.token not in (*_CONDITION, "mod")

    def positive(self, written: str) -> int:
        if not (written.isascii() and written.isdecimal()) or not int(written[:_MOST_DIGITS]):
            self.fail("the modulus is a positive number")
        return self.number(written)

    def number(self, written: str) -> int:
        if len(written) > _MOST_DIGITS:
            self.fail(f"this number has more than {_MOST_DIGITS} digits")
        return int(written)

    def power(self) -> Expression:
        """Read a power; a sign in front is that of the whole power, as in 2*-n^2."""
        if self.negative():
            return minus(self.power())
        base = self.atom()
        if (sign := self.take("^")) is None:
            return base
        exponent = minus(self.atom()) if self.negative() else self.atom()
        if base == Constant(-1):
            if whole(exponent)[1] != 1:
                self.fail("the exponent of -1 is an integer", sign)
            return Alternating(exponent)
        if not isinstance(exponent, Constant) or exponent.number.denominator != 1 or exponent.number < 0:
            self.fail("an exponent is a natural number, or the base is (-1)", sign, "such as n^2, or (-1)^n")
        if exponent.number > _MOST_EXPONENT:
            self.fail(f"an exponent is at most {_MOST_EXPONENT}", sign)
        return Power(base, int(exponent.number))

    def negative(self) -> bool:
        """Read a sign -, and return whether there is one."""
        if self.take("-") is None:
            return False
        if self.token == "-":
            self.fail("two signs follow each other")
        return True

    def atom(self) -> Expression:
        token = self.token
        if token.type == "NUMBER":
            self.place += 1
            return Constant(self.number(token))
        if self.take("(") is not None:
            found = self.sum()
            self.expect(")")
            return found
        if token.type != WORD or token in (*_CONDITION, "mod"):
            self.fail("a number, n, or a term such as a(n) is expected here" if token.type != END else
                      "the equation ends where a number or a term is expected")
        self.place += 1
        if self.token.type == "LBRACKET":
            self.place += 1
            at = self.sum()
            end = self.expect("]")
            return LetterAt(str(token), at, Span(token.start, end.end))
        if self.token.type == "LPAR" and token != self.variable:
            return self.function(token) if token in _FUNCTIONS and token != self.name else self.term(token)
        if self.variable not in ("", str(token)):
            self.fail(
                f"an equation has one variable, and this one has {self.variable} and {token}", token,
                "the term of a sequence has its index in brackets, as in a(n)",
            )
        if not self.variable and token[0] in "AEI":
            self.fail(f"{token} begins like a quantifier, and is no variable", token, "such as n, as in a(2n)")
        self.variable = str(token)
        return Index()

    def term(self, name: Token) -> TermAt:
        self.expect("(")
        digits = self.digits()
        at: Expression | Digits = self.sum() if digits is None else digits
        if self.of_words and isinstance(at, Index):
            at = Digits(())
        end = self.expect(")")
        return TermAt(str(name), at, Span(name.start, end.end))

    def digits(self) -> Digits | None:
        """Read `n.01`, or None if the index is another one; digits may be apart, as in `n.1 12`."""
        variable, dot = self.token, self.tokens[self.place + 1 : self.place + 2]
        if variable.type != WORD or dot != ["."]:
            return None
        if self.variable not in ("", str(variable)):
            self.fail(f"an equation has one variable, and this one has {self.variable} and {variable}")
        self.variable = str(variable)
        self.place += 2
        found: list[str] = []
        while self.token.type == "NUMBER":
            found.append(str(self.token))
            self.place += 1
        if not found:
            self.fail("the digits after n are missing", hint="such as a(n.01)")
        return Digits(tuple(map(self.number, found)) if len(found) > 1 else tuple(map(int, found[0])))

    def function(self, name: Token) -> Expression:
        """Read floor(x), ceil(x), abs(x), min(x,y,...) or max(x,y,...)."""
        self.expect("(")
        first, *others = [self.sum()]
        while self.take(",") is not None:
            others.append(self.sum())
        self.expect(")")
        if name in ("min", "max"):
            if not others:
                self.fail(f"{name} takes two numbers or more", name)
            for each in others:
                first = Extreme(first, each, name == "max")
            return first
        if others:
            self.fail(f"{name} takes one number", name)
        if name == "abs":
            return Extreme(first, minus(first), True)
        inside, divisor = whole(first)
        if terms_of(first):
            # The terms of a sequence may be fractions.
            return Floor(inside, divisor) if name == "floor" else minus(Floor(minus(inside), divisor))
        if name == "ceil":
            inside = Plus(inside, Constant(divisor - 1))
        return inside if divisor == 1 else Floor(inside, divisor)


def _times(left: Expression, right: Expression) -> Expression:
    """Return a product, with a number in front."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        product = Fraction(left.number) * right.number
        return Constant(product.numerator if product.denominator == 1 else product)
    return Times(right, left) if isinstance(right, Constant) else Times(left, right)


def names_in(equations: Collection[Equations]) -> list[str]:
    """Return the names of the sequences that equations are about."""
    return [each.name for each in equations]
