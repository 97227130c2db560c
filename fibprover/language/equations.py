"""Equations between the terms of sequences, such as a(2n+1) = a(n) + a(n+1), as values.

An `Equation` says what the terms at some indices are: at one number, at K n + r for all n, or at all words that end in
some digits.  Its right side is an `Expression`: of the index n, of terms of sequences and of letters of words, with
sums, products, floors, residues, least and greatest values.  `read_equations` of `fibprover.language.equation_parser`
makes them of a text; `latex` writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from fibprover.base.values import value
from fibprover.language import tree
from fibprover.language.source import Source, Span
from fibprover.language.tree import Term, Variable

Rational = int | Fraction


@value
class Constant:
    """A rational number."""

    number: Rational


@value
class Index:
    """The variable of an equation."""


@value
class Digits:
    """The number of a word n.w: n is any word of digits, and w is digits that follow it."""

    word: tuple[int, ...]


@value
class TermAt:
    """The term of a sequence at an index, such as a(n+1), or a(n.01); place: where it is written."""

    name: str
    at: Expression | Digits
    place: Span


@value
class LetterAt:
    """The letter of a word, as a number, such as T[n+1]."""

    word: str
    at: Expression
    place: Span


@value
class Plus:
    """A sum."""

    left: Expression
    right: Expression


@value
class Times:
    """A product."""

    left: Expression
    right: Expression


@value
class Power:
    """A power with a natural number as its exponent."""

    of: Expression
    exponent: int


@value
class Alternating:
    """The number -1 to the power of an integer."""

    exponent: Expression


@value
class Floor:
    """The greatest integer that is at most a quotient."""

    of: Expression
    divisor: int


@value
class Residue:
    """What is left of an integer modulo a positive one: 0 <= r < modulus."""

    of: Expression
    modulus: int


@value
class Extreme:
    """The least or the greatest of two numbers."""

    left: Expression
    right: Expression
    greatest: bool


Expression = Constant | Index | TermAt | LetterAt | Plus | Times | Power | Alternating | Floor | Residue | Extreme


@value
class Left:
    """The indices that an equation is about: factor n + start for all n; one number, if factor is 0; or n.word."""

    factor: int
    start: int
    word: tuple[int, ...] | None = None


@value
class Equation:
    """The terms of a sequence at some indices.

    name: of the sequence; variable: what n is called, "" if the equation has no variable; condition: a formula about
    the variable, for whose values the equation holds; text: as it is written; place: in the text of all equations.
    """

    name: str
    left: Left
    right: Expression
    variable: str
    condition: Source | None
    text: str
    place: Span


@value
class Equations:
    """The equations of one sequence; system: a numeration system that they name, "" if they name none."""

    name: str
    system: str
    equations: tuple[Equation, ...]
    text: str


def below(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions that an expression is made of."""
    match expression:
        case Plus(left, right) | Times(left, right) | Extreme(left, right, _):
            return left, right
        case Power(of, _) | Floor(of, _) | Residue(of, _) | Alternating(of):
            return (of,)
        case TermAt(_, at, _) | LetterAt(_, at, _):
            return () if isinstance(at, Digits) else (at,)
    return ()


def all_parts(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all that it is made of."""
    yield expression
    for part in below(expression):
        yield from all_parts(part)


def terms_of(expression: Expression) -> list[TermAt]:
    """Return the terms of sequences in an expression, in order; the inner ones of nested terms, too."""
    return [part for part in all_parts(expression) if isinstance(part, TermAt)]


def minus(expression: Expression) -> Expression:
    """Return an expression with the other sign."""
    return Constant(-expression.number) if isinstance(expression, Constant) else Times(Constant(-1), expression)


def whole(expression: Expression) -> tuple[Expression, int]:
    """Return a multiple of an expression without fractions, and the positive factor."""
    match expression:
        case Constant(number):
            return Constant(number.numerator), number.denominator
        case Plus(left, right):
            (one, first), (two, second) = whole(left), whole(right)
            common = lcm(first, second)
            return Plus(_multiple(common // first, one), _multiple(common // second, two)), common
        case Times(left, right):
            (one, first), (two, second) = whole(left), whole(right)
            if isinstance(one, Constant) and one.number == 1:
                return two, first * second
            return Times(one, two), first * second
        case Power(of, exponent):
            one, first = whole(of)
            return Power(one, exponent), first**exponent
    return expression, 1


def _multiple(factor: int, expression: Expression) -> Expression:
    return expression if factor == 1 else Times(Constant(factor), expression)


# -- indices as terms of formulas --------------------------------------------------------------

#: A sum of multiples of terms of formulas, and a number.
_Sum = tuple[dict[Term, int], int]


def index_term(expression: Expression, variable: Variable) -> Term | None:
    """Return an index as a term of a formula; None if it is none: only sums of multiples and of floors are."""
    found = _linear(expression, variable)
    return None if found is None else _term_of(*found)


def linear_index(expression: Expression) -> tuple[int, int] | None:
    """Return (K, r) for an index K n + r; None for any other one."""
    n = Variable("n")
    found = _linear(expression, n)
    if found is None or set(found[0]) - {n}:
        return None
    return found[0].get(n, 0), found[1]


def _linear(expression: Expression, variable: Variable) -> _Sum | None:
    match expression:
        case Constant(int(number)):
            return {}, number
        case Index():
            return {variable: 1}, 0
        case Plus(left, right):
            one, two = _linear(left, variable), _linear(right, variable)
            if one is None or two is None:
                return None
            return _added(one[0], two[0]), one[1] + two[1]
        case Times(left, right):
            one, two = _linear(left, variable), _linear(right, variable)
            if one is None or two is None or (one[0] and two[0]):
                return None
            (terms, number), factor = (two, one[1]) if not one[0] else (one, two[1])
            return {each: factor * count for each, count in terms.items() if factor}, factor * number
        case Floor(of, divisor):
            inner = _linear(of, variable)
            if inner is None:
                return None
            return _floor(*inner, divisor)
    return None


def _floor(terms: dict[Term, int], number: int, divisor: int) -> _Sum:
    """Return the floor of a quotient of a sum; what is subtracted is taken out, so that no dividend is less than 0."""
    outside: dict[Term, int] = {}
    inside: dict[Term, int] = {}
    for each, count in terms.items():
        taken, left = (count // divisor, count % divisor) if count < 0 else (0, count)
        outside |= {each: taken} if taken else {}
        inside |= {each: left} if left else {}
    whole_number, rest = divmod(number, divisor)
    return _added(outside, {_term_of(inside, rest) // divisor: 1} if inside else {}), whole_number


def _added(one: dict[Term, int], two: dict[Term, int]) -> dict[Term, int]:
    total = {each: one.get(each, 0) + two.get(each, 0) for each in (*one, *two)}
    return {each: count for each, count in total.items() if count}


def _term_of(terms: dict[Term, int], number: int) -> Term:
    """Return a sum as a term, what is subtracted at last."""
    added = [_scaled(count, each) for each, count in terms.items() if count > 0]
    taken = [_scaled(-count, each) for each, count in terms.items() if count < 0]
    if number > 0 or not (added or taken or number):
        added.append(tree.Number(number))
    elif number < 0:
        taken.append(tree.Number(-number))
    first, *rest = added or [tree.Number(0)]
    for each in rest:
        first = first + each
    for each in taken:
        first = first - each
    return first


def _scaled(count: int, each: Term) -> Term:
    return each if count == 1 else count * each


# -- LaTeX ---------------------------------------------------------------------------------------


def latex_of(equation: Equation) -> str:
    """Return an equation in LaTeX."""
    n = equation.variable or "n"
    left = equation.left
    if left.word is not None:
        at = _digits_latex(n, left.word)
    else:
        at = _latex(Plus(Times(Constant(left.factor), Index()), Constant(left.start)), n, 0)
    said = f"{_name(equation.name)}({at}) = {_latex(equation.right, n, 0)}"
    if equation.condition is not None:
        said += rf" \quad ({equation.condition.formula.latex()})"
    return said


def _name(name: str) -> str:
    escaped = name.replace("_", r"\_")
    return name if len(name) == 1 else rf"\mathrm{{{escaped}}}"


def _digits_latex(n: str, word: tuple[int, ...]) -> str:
    return rf"{n}.{''.join(map(str, word))}"


def _latex(expression: Expression, n: str, level: int) -> str:
    """Return an expression in LaTeX; level: 0 in a sum, 1 in a product, 2 as a base."""
    match expression:
        case Constant(number):
            size = str(abs(number)) if number.denominator == 1 else (
                rf"\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
            )
            said = f"-{size}" if number < 0 else size
            return f"({said})" if number < 0 and level else said
        case Index():
            return n
        case TermAt(name, index, _):
            at = _digits_latex(n, index.word) if isinstance(index, Digits) else _latex(index, n, 0)
            return f"{_name(name)}({at})"
        case LetterAt(word, place, _):
            return f"{_name(word)}[{_latex(place, n, 0)}]"
        case Plus(left, right):
            said = _sum_latex(left, right, n)
            return f"({said})" if level else said
        case Times(Constant(number), right) if number.denominator == 1:
            size = "" if abs(number) == 1 else str(abs(number))
            said = f"{'-' if number < 0 else ''}{size} {_latex(right, n, 1)}".replace("- ", "-").strip()
            return f"({said})" if (number < 0 and level) or level > 1 else (said if number else "0")
        case Times(left, right):
            said = f"{_latex(left, n, 1)} {_latex(right, n, 1)}"
            return f"({said})" if level > 1 else said
        case Power(of, exponent):
            return f"{_latex(of, n, 2)}^{{{exponent}}}"
        case Alternating(exponent):
            return f"(-1)^{{{_latex(exponent, n, 0)}}}"
        case Floor(of, divisor):
            inside = _latex(of, n, 0) if divisor == 1 else rf"\frac{{{_latex(of, n, 0)}}}{{{divisor}}}"
            return rf"\left\lfloor {inside} \right\rfloor"
        case Residue(of, modulus):
            return rf"({_latex(of, n, 0)} \bmod {modulus})"
        case Extreme(left, right, greatest):
            return rf"\{'max' if greatest else 'min'}({_latex(left, n, 0)}, {_latex(right, n, 0)})"
    raise AssertionError(f"unknown expression {expression!r}")


def _sum_latex(left: Expression, right: Expression, n: str) -> str:
    zero = Constant(0)
    if left in (zero, Times(zero, Index())):
        return _latex(right, n, 0)
    if right == zero:
        return _latex(left, n, 0)
    one = "n" if left == Times(Constant(1), Index()) else ""
    first, second = one.replace("n", n) or _latex(left, n, 0), _latex(right, n, 0)
    return f"{first} - {second[1:]}" if second.startswith("-") else f"{first} + {second}"
