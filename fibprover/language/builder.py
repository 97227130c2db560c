"""Make formulas from Python, without a text: variables, quantifiers, letters of words, calls of predicates.

    i, j, n = variables("i j n")
    forall(i, n, exists(j, (j > i) & call("feq_T", i, j, n)))

Terms and formulas combine with the operators of `fibprover.language.tree`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce

from fibprover.base.errors import FibproverError, check_text
from fibprover.language.tree import (
    Call,
    Formula,
    Operand,
    Quantified,
    Term,
    Variable,
    WordValue,
    argument,
)


def variable(name: str) -> Variable:
    """Return a variable.

    Errors: FibproverError for what is no name, or begins with A, E or I.

    >>> x = fp.variable("x")
    >>> print(x + 2*x < 7)
    x+2*x<7
    """
    return Variable(name)


def variables(names: str) -> tuple[Variable, ...]:
    """Return variables with names that blanks or commas separate.

    Errors: FibproverError for what is no name, or begins with A, E or I.

    >>> x, y = fp.variables("x y")
    >>> fp.Session().relation((x + 2*y).eq(5)).first(2)
    [(1, 2), (3, 1)]
    """
    check_text(names, "a list of names", hint='such as "x y"')
    return tuple(Variable(name) for name in re.split(r"[\s,]+", names.strip()) if name)


def total(terms: Iterable[Term]) -> Term:
    """Return the sum of terms, of which there has to be one at least."""
    return reduce(lambda left, right: left + right, terms)


def letter(word: str, *indices: Operand | Formula) -> WordValue:
    """Return the letter of an automatic word, given by name, at an index, or at several for a word that has several.

    An index is a term or a number. Errors: FibproverError for any other index, and without one.

    >>> n = fp.variable("n")
    >>> print(fp.letter("T", n + 1).eq(0))
    T[n+1]=0
    """
    if not indices:
        raise FibproverError(f"a letter of {word} needs an index")
    return WordValue(word, tuple(map(argument, indices)))


def call(predicate: str, *arguments: Operand | Formula) -> Call:
    """Return the call of a predicate, given by name.

    An argument is a term or a number. Errors: FibproverError for any other argument.

    >>> n = fp.variable("n")
    >>> s = fp.Session()
    >>> even = s.define("even", "Em n=2*m")
    >>> s.prove(fp.forall(n, fp.call("even", n) ^ fp.call("even", n + 1)))
    Verdict(TRUE, 'An $even(n) ^ $even(n+1)')
    """
    check_text(predicate, "the name of a predicate")
    return Call(predicate.removeprefix("$"), tuple(map(argument, arguments)))


def forall(*parts: Variable | Formula) -> Quantified:
    """Return the formula that its last argument holds for all values of the variables before it.

    Errors: FibproverError unless variables and then a formula are given; so for all quantifiers.

    >>> x, y = fp.variables("x y")
    >>> print(fp.forall(x, fp.exists(y, y > x)))
    Ax Ey y>x
    """
    return _quantified("A", parts)


def exists(*parts: Variable | Formula) -> Quantified:
    """Return the formula that its last argument holds for some values of the variables before it.

    >>> x, y = fp.variables("x y")
    >>> fp.Session().relation(fp.exists(x, y.eq(3*x))).first(3)
    [(0,), (3,), (6,)]
    """
    return _quantified("E", parts)


def infinitely_many(*parts: Variable | Formula) -> Quantified:
    """Return the formula that its last argument holds for infinitely many values of the variable before it.

    >>> n = fp.variable("n")
    >>> fp.Session().prove(fp.infinitely_many(n, fp.letter("T", n).eq(1)))
    Verdict(TRUE, 'In T[n]=1')
    """
    return _quantified("I", parts)


def at_least(count: int, *parts: Variable | Formula) -> Quantified:
    """Return the formula that its last argument holds for `count` or more values of the variables before it.

    >>> x, n = fp.variables("x n")
    >>> print(fp.at_least(2, x, x < n))
    E>=2 x x<n
    """
    return _quantified("E", parts, ">=", count)


def at_most(count: int, *parts: Variable | Formula) -> Quantified:
    """Return the formula that its last argument holds for `count` or fewer values of the variables before it.

    >>> x, n = fp.variables("x n")
    >>> fp.Session().relation(fp.at_most(2, x, x < n)).first(5)
    [(0,), (1,), (2,)]
    """
    return _quantified("E", parts, "<=", count)


def exactly(count: int, *parts: Variable | Formula) -> Quantified:
    """Return the formula that its last argument holds for `count` values of the variables before it.

    >>> x, n = fp.variables("x n")
    >>> fp.Session().relation(fp.exactly(2, x, x < n)).first(5)
    [(2,)]
    """
    return _quantified("E", parts, "=", count)


def _is_count(count: object) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and count >= 0


def _quantified(kind: str, parts: tuple[Variable | Formula, ...], relation: str = "", count: int = 0) -> Quantified:
    """Return a quantified formula.  Raises FibproverError unless there are variables and, at last, a formula."""
    *bound, body = parts or (None,)
    if not isinstance(body, Formula) or not bound:
        raise FibproverError(
            "a quantifier takes variables, then a formula, and this has " + (", ".join(map(str, parts)) or "nothing"),
            hint="such as forall(x, y, x + y >= x)",
        )
    if not _is_count(count):
        raise FibproverError(f"a quantifier counts to a natural number, not to {count!r}")
    names: list[Variable] = []
    for each in bound:
        if not isinstance(each, Variable):
            raise FibproverError(f"a quantifier binds variables, not {each}")
        if each in names:
            raise FibproverError(f"{each} is quantified twice here")
        names.append(each)
    return Quantified(kind, tuple(names), body, relation, count)
