"""Relations that `solve` has found: that they are the only ones that satisfy their recursion is proved and checked."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker.fibcheck import Invalid, Malformed
from fibprover.prover.certificate.tables import NotCertified
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import checked, checked_lines

SOLVED: list[tuple[str, tuple[str, ...], str | None, str]] = [
    ("msd_2", ("fe", "n=0 | Em n=m+1 & $fe(i,j,m) & T[i+m]=T[j+m]"), None, "~Ei,n n>0 & $fe(i,i+n,n+1)"),
    ("msd_fib", ("G", "(n=0 & v=0) | Em,a,b n=m+1 & $G(m,a) & $G(a,b) & v+b=n"), None, "Av $G(5,v) => v=3"),
    ("msd_fib", ("M", "(n=0 & v=0) | Em,a,b n=m+1 & $M(m,a) & $Fe(a,b) & v+b=n",
                 "Fe", "(n=0 & v=1) | Em,a,b n=m+1 & $Fe(m,a) & $M(a,b) & v+b=n"), None,
     "An,v $M(n,v) => ($Fe(n,v) | $Fe(n,v+1))"),
    ("msd_fib", ("P", "~Er,s ((r<p & s=q) | (r=p & s<q) | (Ek k>0 & p=r+k & q=s+k)) & $P(r,s)"), "p+q", "$P(5,3)"),
    ("msd_2", ("P", "~E>=2 k (k<n & k+4>=n & $P(k))"), None, "An $P(5*n)"),
    # Calls below <=> and ^, which help and hinder: every third number, and the sums of the digits.
    ("msd_2", ("T", "n=0 | (n>2 & Em n=m+1 & ~($T(m) <=> (Ek n=k+2 & ~$T(k))))"), None, "An $T(3*n)"),
    ("msd_2", ("odd", "n>0 & Em,r n=2*m+r & r<2 & ($odd(m) ^ r=1)"), None, "An $odd(n) <=> T[n]=@1"),
    ("msd_fib", ("even", "n=0 | Em n=m+1 & (($even(m) <=> n<1) & (Ex n=x+1))"), None, "An $even(2*n)"),
]


def verdict(system: str, formulas: tuple[str, ...], by: str | None, question: str) -> Verdict:
    session = fp.Session(system)
    name, formula, *more = formulas
    session.solve(name, formula, *more, by=by)
    found = session.eval(question)
    assert isinstance(found, Verdict)
    assert found.truth
    return found


@pytest.mark.parametrize("solved", SOLVED, ids=lambda solved: solved[1][0])
def test_certified(tmp_path: Path, solved: tuple[str, tuple[str, ...], str | None, str]) -> None:
    checker = checked(verdict(*solved).certificate().content, tmp_path)
    (joint,) = checker.recursions
    assert {equation.split("(")[0] for equation in joint.split("; ")} == {f"${name}" for name in solved[1][::2]}


def complements(*claims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines of a certificate with the recursions P(x) <=> ~N(x) and N(x) <=> ~P(x), in one claim or in two."""
    every, none = [[0, 0, 1, 1], [0, 0, 1, 1]], [[0, 0]]
    no, yes = [2, []], [3, []]
    return [
        {"certificate": 1, "variables": {"x": "binary"}},
        {"system": "binary", "digits": 2, "outputs": [1], "rows": [[0, 0, 1, 0]]},
        {"predicate": "P", "systems": ["binary"], "outputs": [1, 0], "rows": every},
        {"predicate": "N", "systems": ["binary"], "outputs": [0, 1], "rows": every},
        {"automaton": 0, "systems": ["binary"], "outputs": [1, 0], "rows": every},
        {"automaton": 1, "systems": ["binary"], "outputs": [0, 1], "rows": every},
        {"automaton": 2, "systems": [], "outputs": [0], "rows": none},
        {"automaton": 3, "systems": [], "outputs": [1], "rows": none},
        {"rule": "atom", "formula": "$P(x)", "relation": [0, ["x"]]},
        {"rule": "atom", "formula": "$N(x)", "relation": [1, ["x"]]},
        {"rule": "and", "of": [0, 1], "relation": no},
        {"rule": "exists", "of": [2], "bound": ["x"], "relation": no},
        {"rule": "not", "of": [3], "relation": yes},
        {"rule": "not", "of": [0], "relation": [1, ["x"]]},
        {"rule": "not", "of": [1], "relation": [0, ["x"]]},
        {"rule": "and", "of": [5, 6], "relation": no},
        {"rule": "exists", "of": [7], "bound": ["x"], "relation": no},
        {"rule": "not", "of": [8], "relation": yes},
        *({"rule": "recursion", "of": [4, 9], "recursion": claim, "relation": yes} for claim in claims),
        {"rule": "and", "of": [], "relation": yes},
        {"statement": "true"},
    ]


P_IS = {"name": "P", "parameters": ["x"], "formula": "~$N(x)", "weights": [0]}
N_IS = {"name": "N", "parameters": ["x"], "formula": "~$P(x)", "weights": [0]}


def test_two_recursions_are_not_one(tmp_path: Path) -> None:
    """Each of two sets is the complement of the other one, which determines neither unless the other one is given."""
    said = list(checked_lines(complements([P_IS], [N_IS]), tmp_path).understood())
    assert [line.split(": ")[1] for line in said if line.startswith("by induction")] == [
        "$P(x) <=> ~$N(x)", "$N(x) <=> ~$P(x)",
    ]
    with pytest.raises(Invalid):
        checked_lines(complements([P_IS, N_IS]), tmp_path)


@cache
def certificate(number: int) -> tuple[dict[str, Any], ...]:
    return tuple(verdict(*SOLVED[number]).certificate().lines)


def lines_of(number: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The lines of a certificate, copied, and that of the recursion among them."""
    lines = [copy.deepcopy(line) for line in certificate(number)]
    return lines, next(line for line in lines if line.get("rule") == "recursion")


def refused(lines: list[dict[str, Any]], folder: Path) -> None:
    with pytest.raises((Invalid, Malformed)):
        checked_lines(lines, folder)


def test_both_implications_are_needed(tmp_path: Path) -> None:
    for place in (0, 1):
        lines, line = lines_of(4)
        checked_lines(lines, tmp_path)
        line["of"] = [line["of"][place]] * 2
        refused(lines, tmp_path)


def test_calls_have_to_go_down(tmp_path: Path) -> None:
    """With another measure the copies are others, which have not been proved."""
    lines, line = lines_of(0)
    assert line["recursion"][0]["weights"] == [0, 0, 1]
    line["recursion"][0]["weights"] = [1, 0, 0]
    refused(lines, tmp_path)
    line["recursion"][0]["weights"] = [0, 0, -1]
    refused(lines, tmp_path)


def test_relations_that_are_defined_together_have_an_order(tmp_path: Path) -> None:
    """G(a) is called where a may equal n: allowed of an earlier relation, not of a later one."""
    lines, line = lines_of(2)
    line["recursion"].reverse()
    refused(lines, tmp_path)


def test_another_formula(tmp_path: Path) -> None:
    lines, line = lines_of(4)
    line["recursion"][0]["formula"] = line["recursion"][0]["formula"].replace("E>=2", "E>=3")
    refused(lines, tmp_path)


def test_a_recursion_that_any_relation_satisfies(tmp_path: Path) -> None:
    """P(x) <=> P(x) by a definition that calls P: the definition is not part of the copies."""
    every = {"outputs": [1], "rows": [[0, 0, 1, 0]]}
    lines: list[dict[str, Any]] = [
        {"certificate": 1, "variables": {"x": "n", "y": "n"}}, {"system": "n", "digits": 2, **every},
        {"predicate": "P", "systems": ["n"], **every},
        {"define": "Q", "parameters": ["y"], "formula": "$P(y)"},
        {"automaton": 0, "systems": ["n"], **every}, {"automaton": 1, "systems": [], "outputs": [1], "rows": [[0, 0]]},
        {"automaton": 2, "systems": ["n"], "outputs": [0], "rows": [[0, 0]]},
        {"automaton": 3, "systems": [], "outputs": [0], "rows": [[0, 0]]},
        {"rule": "atom", "formula": "$P(x)", "relation": [0, ["x"]]},
        {"rule": "atom", "formula": "$P(y)", "relation": [0, ["y"]]},
        {"rule": "definition", "name": "Q", "arguments": ["x"], "of": [1], "relation": [0, ["x"]]},
        {"rule": "not", "of": [2], "relation": [2, ["x"]]}, {"rule": "and", "of": [0, 3], "relation": [2, ["x"]]},
        {"rule": "exists", "of": [4], "bound": ["x"], "relation": [3, []]},
        {"rule": "not", "of": [5], "relation": [1, []]},
        {"rule": "not", "of": [0], "relation": [2, ["x"]]}, {"rule": "and", "of": [2, 7], "relation": [2, ["x"]]},
        {"rule": "exists", "of": [8], "bound": ["x"], "relation": [3, []]},
        {"rule": "not", "of": [9], "relation": [1, []]},
    ]
    end: list[dict[str, Any]] = [{"rule": "and", "relation": [1, []]}, {"statement": "true"}]
    assert len(checked_lines([*lines, *end], tmp_path).claims) == 12
    recursion = {"name": "P", "parameters": ["x"], "formula": "$Q(x)", "weights": [1]}
    step = {"rule": "recursion", "of": [6, 10], "recursion": [recursion], "relation": [1, []]}
    refused([*lines, step, *end], tmp_path)


def captured() -> list[dict[str, Any]]:
    """P(x,y) <=> (A x P(y,x)) & Q(y), with no pair in P and every number in Q: with every pair in P it is true, too.

    There is a measure only if the two x are taken for one number: that of P(x,y) is x, so it would be y in the call.
    """
    every, pairs = {"outputs": [1], "rows": [[0, 0, 1, 0]]}, [0, 0, 1, 0, 2, 0, 3, 0]
    ones = [0, 1, 1, 1, 2, 1, 3, 1]
    none, true, false, refused_y = [0, ["x", "y"]], [1, []], [2, []], [6, ["y"]]
    return [
        {"certificate": 1, "variables": {"x": "n", "y": "n"}}, {"system": "n", "digits": 2, **every},
        {"predicate": "P", "systems": ["n", "n"], "outputs": [0], "rows": [[0, 0]]},
        {"predicate": "Q", "systems": ["n"], **every},
        {"automaton": 0, "systems": ["n", "n"], "outputs": [0], "rows": [[0, 0]]},
        {"automaton": 1, "systems": [], "outputs": [1], "rows": [[0, 0]]},
        {"automaton": 2, "systems": [], "outputs": [0], "rows": [[0, 0]]},
        {"automaton": 3, "systems": ["n", "n"], "outputs": [1], "rows": [pairs]},
        {"automaton": 4, "systems": ["n", "n"], "outputs": [0, 1], "rows": [[0, 0, 1, 1, 3, 0], ones]},
        {"automaton": 5, "systems": ["n"], **every},
        {"automaton": 6, "systems": ["n"], "outputs": [0], "rows": [[0, 0]]},
        # P(x,y) implies the lower copy ...
        {"rule": "atom", "formula": "$P(x,y)", "relation": none},
        {"rule": "any", "formula": "~((A x ($P(y,x) & y<x)) & $Q(y))", "guards": [none], "relation": none},
        {"rule": "and", "of": [0, 1], "relation": none},
        {"rule": "exists", "of": [2], "bound": ["x", "y"], "relation": false},
        {"rule": "not", "of": [3], "relation": true},
        # ... and the upper one implies it.
        {"rule": "atom", "formula": "$P(y,x)", "relation": [0, ["y", "x"]]},
        {"rule": "not", "of": [5], "relation": [3, ["y", "x"]]},
        {"rule": "atom", "formula": "y<x", "relation": [4, ["y", "x"]]},
        {"rule": "and", "of": [6, 7], "relation": [4, ["y", "x"]]},
        {"rule": "exists", "of": [8], "bound": ["x"], "relation": [5, ["y"]]},
        {"rule": "not", "of": [9], "relation": refused_y},
        {"rule": "any", "formula": "($Q(y) & ~$P(x,y))", "guards": [refused_y], "relation": none},
        {"rule": "and", "of": [10, 11], "relation": refused_y},
        {"rule": "exists", "of": [12], "bound": ["x", "y"], "relation": false},
        {"rule": "not", "of": [13], "relation": true},
        {"rule": "recursion", "of": [4, 14], "relation": true, "recursion": [
            {"name": "P", "parameters": ["x", "y"], "formula": "((A x $P(y,x)) & $Q(y))", "weights": [1, 0]}]},
        {"statement": "true"},
    ]


def test_a_formula_that_binds_a_parameter(tmp_path: Path) -> None:
    lines = captured()
    refused(lines, tmp_path)
    del lines[-2]
    lines.insert(-1, {"rule": "and", "relation": [1, []]})
    assert len(checked_lines(lines, tmp_path).claims) == 16


def test_two_equations_for_one_relation(tmp_path: Path) -> None:
    lines, line = lines_of(4)
    line["recursion"] *= 2
    refused(lines, tmp_path)


def test_a_relation_that_has_another_meaning_now() -> None:
    session = fp.Session("msd_fib")
    session.solve(*SOLVED[2][1])
    found = session.eval("Ev $M(3,v)")
    assert isinstance(found, Verdict)
    found.certificate()
    session.define("Fe", "n=v")
    found = session.eval("Ev $M(3,v)")
    assert isinstance(found, Verdict)
    with pytest.raises(NotCertified, match="M"):
        found.certificate()
