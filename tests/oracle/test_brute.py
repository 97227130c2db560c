"""The brute-force evaluator on formulas whose truth is plain arithmetic."""

from __future__ import annotations

from typing import Any

import pytest

from fibprover.language.tree import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Formula,
    InSystem,
    Letter,
    Negative,
    Not,
    Number,
    Quantified,
    Reversed,
    SystemTerm,
    Term,
    Variable,
    WordValue,
)
from tests.oracle.brute import Judge, OracleError, World, free_variables, holds

x, y, z = (Variable(name) for name in "xyz")

WORLD = World(
    words={"T": lambda n: n.bit_count() % 2, "D": lambda n, m: n * m, "P": lambda n: n if n < 5 else None},
    predicates={"less": lambda a, b: a < b, "even": lambda a: a % 2 == 0},
    bound=12,
)


def n(value: int) -> Number:
    return Number(value)


def term(left: Term, op: str, right: Term) -> Term:
    return Arithmetic(op, left, right)


def atom(left: Term, op: str, right: Term) -> Formula:
    return Compare(op, left, right)


def both(left: Formula, op: str, right: Formula) -> Formula:
    return Binary(op, left, right)


def some(kind: str, variables: list[Variable], body: Formula, relation: str = "", count: int = 0) -> Formula:
    return Quantified(kind, tuple(variables), body, relation, count)


def word(name: str, *indices: Term | Formula) -> Term:
    return WordValue(name, indices)


def call(name: str, *arguments: Any) -> Formula:
    return Call(name, arguments)


def negated(formula: Formula) -> Formula:
    return Not(formula)


def truths(formula: Formula, largest: int = 9) -> list[int]:
    """Values of the one free variable at which the formula is true."""
    return [values[0] for values, truth in Judge(formula, WORLD).table(largest).items() if truth]


def test_comparisons() -> None:
    for sign, expected in {
        "=": [3],
        "!=": [0, 1, 2, 4, 5],
        "<": [0, 1, 2],
        "<=": [0, 1, 2, 3],
        ">": [4, 5],
        ">=": [3, 4, 5],
    }.items():
        assert truths(atom(x, sign, n(3)), 5) == expected


def test_an_undefined_difference_makes_the_atom_false_and_its_negation_true() -> None:
    wrong = atom(term(x, "-", n(4)), "<=", n(1))
    assert truths(wrong) == [4, 5]
    assert truths(negated(wrong)) == [0, 1, 2, 3, 6, 7, 8, 9]
    assert truths(atom(term(x, "-", n(4)), "!=", n(1))) == [4, 6, 7, 8, 9]
    assert truths(atom(term(x, "-", term(x, "+", n(1))), ">=", n(0))) == []


def test_intermediate_differences_count() -> None:
    assert truths(atom(term(term(x, "-", n(5)), "+", n(3)), "=", n(1))) == []
    assert truths(atom(term(term(x, "+", n(3)), "-", n(5)), "=", n(1))) == [3]
    assert truths(atom(term(x, "-", term(n(5), "-", n(3))), "=", n(1))) == [3]
    assert truths(atom(term(n(0), "*", term(x, "-", n(5))), "=", n(0))) == [5, 6, 7, 8, 9]


def test_division_floors() -> None:
    assert truths(atom(term(x, "/", n(3)), "=", n(2))) == [6, 7, 8]
    assert truths(atom(term(term(x, "-", n(2)), "/", n(3)), "=", n(0))) == [2, 3, 4]
    with pytest.raises(OracleError, match="division by 0"):
        truths(atom(term(x, "/", n(0)), "=", n(2)))


def test_unary_minus_is_a_difference_from_zero() -> None:
    assert truths(atom(Negative(x), "=", n(0))) == [0]


def test_words() -> None:
    assert truths(atom(word("T", x), "=", Letter(1))) == [1, 2, 4, 7, 8]
    assert truths(atom(word("T", x), "!=", word("T", term(x, "+", n(1))))) == [0, 2, 3, 4, 6, 8]
    assert truths(atom(term(word("T", x), "+", word("T", term(x, "+", n(1)))), "=", n(1))) == [0, 2, 3, 4, 6, 8]
    assert truths(atom(word("T", term(x, "-", n(7))), "<=", n(1))) == [7, 8, 9]
    assert truths(atom(word("P", x), ">=", Letter(-1))) == [0, 1, 2, 3, 4]
    assert truths(atom(word("D", x, term(x, "+", n(1))), "=", n(12))) == [3]
    assert truths(atom(Letter(-10), "=", word("T", x))) == []


def test_calls() -> None:
    assert truths(call("less", x, n(3))) == [0, 1, 2]
    assert truths(call("less", term(x, "-", n(2)), n(3))) == [2, 3, 4]
    assert truths(negated(call("less", term(x, "-", n(2)), n(3)))) == [0, 1, 5, 6, 7, 8, 9]
    assert truths(call("less", SystemTerm("msd_3", x), n(2))) == [0, 1]


def test_a_formula_as_an_argument_is_its_variable_and_a_condition() -> None:
    argument = both(atom(x, "<", n(8)), "&", atom(x, ">=", n(3)))
    assert truths(call("even", argument)) == [4, 6]
    assert truths(negated(call("even", argument))) == [0, 1, 2, 3, 5, 7, 8, 9]
    assert truths(atom(word("T", argument), "=", n(1))) == [4, 7]
    assert truths(negated(atom(word("T", argument), "=", n(1)))) == [0, 1, 2, 3, 5, 6, 8, 9]
    with pytest.raises(OracleError, match="one free variable"):
        truths(call("even", atom(x, "=", y)))


def test_connectives() -> None:
    p, q = atom(x, "<", n(2)), both(atom(x, "=", n(0)), "|", atom(x, "=", n(2)))
    expected = {"&": [0], "|": [0, 1, 2], "^": [1, 2], "=>": [0, 2, 3], "<=>": [0, 3]}
    for sign, values in expected.items():
        assert truths(both(p, sign, q), 3) == values


def test_quantifiers() -> None:
    assert truths(some("E", [y], both(atom(y, "<=", n(3)), "&", atom(x, "=", term(n(2), "*", y))))) == [0, 2, 4, 6]
    assert truths(some("A", [y], both(atom(y, "<=", n(3)), "=>", atom(x, ">=", term(n(2), "*", y))))) == [6, 7, 8, 9]
    pairs = both(atom(y, "<=", z), "&", atom(term(y, "+", z), "=", x))
    assert truths(some("E", [y, z], both(pairs, "&", atom(y, ">", n(2))))) == [6, 7, 8, 9]


def test_a_name_bound_again_is_another_variable() -> None:
    inner = some("E", [x], both(atom(x, "<=", n(12)), "&", atom(x, "=", n(7))))
    assert truths(both(inner, "&", atom(x, "=", n(2)))) == [2]
    assert truths(both(atom(x, "=", n(2)), "&", inner)) == [2]
    shadow = some("E", [x], both(atom(x, "=", n(3)), "&", some("E", [x], atom(x, "=", y))))
    assert truths(shadow) == list(range(10))


def test_counting_quantifiers() -> None:
    pairs = both(atom(y, "<=", z), "&", atom(term(y, "+", z), "=", x))
    assert truths(some("E", [y, z], pairs, ">=", 3)) == [4, 5, 6, 7, 8, 9]
    assert truths(some("E", [y, z], pairs, "=", 2)) == [2, 3]
    assert truths(some("E", [y, z], pairs, "<=", 1)) == [0, 1]
    assert truths(some("E", [y], atom(y, "<", x), "=", 0)) == [0]
    assert truths(some("E", [y], atom(y, "<", x), ">=", 0)) == list(range(10))


def test_an_assignment_by_name_and_closed_formulas() -> None:
    assert holds(atom(x, "<", y), {"x": 1, "y": 2}, WORLD)
    assert not holds(atom(x, "<", y), {"x": 2, "y": 2}, WORLD)
    closed = some("A", [x], both(atom(x, "<=", n(12)), "=>", some("E", [y], atom(x, "=", y))))
    assert free_variables(closed) == frozenset()
    assert holds(InSystem("msd_fib", closed), {}, WORLD)
    with pytest.raises(OracleError, match="no value"):
        holds(atom(x, "<", y), {"x": 1}, WORLD)


def test_formulas_that_cannot_be_decided_are_refused() -> None:
    for formula in (
        some("I", [x], atom(x, ">", n(2))),
        Reversed(atom(x, ">", n(2))),
        call("unknown", x),
        atom(word("Unknown", x), "=", n(0)),
    ):
        with pytest.raises(OracleError):
            Judge(formula, WORLD).table(1)
