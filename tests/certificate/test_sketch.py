"""What is said of the states of small automata in a certificate is true of all words that lead there."""

from __future__ import annotations

import json
import re
from math import floor, isqrt
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Automaton, Checker, Relation
from fibprover.prover.certificate import sketch as sketches
from fibprover.prover.certificate.sketch import NamedStates, sketch
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import checked_lines

SCRIPT = """
reg shift msd_fib msd_fib "([0,0]|[0,1][1,1]*[1,0])*":
def phin "?msd_fib (s=0 & n=0) | Ex $shift(n-1,x) & s=x+1":
def twice "?msd_fib y=2*x":
def half "?msd_3 2*y=x":
def big "?msd_2 x=10000":
def less "?msd_2 x<y":
"""


def lines_of(statement: str) -> list[dict[str, Any]]:
    session = fp.Session()
    session.run(SCRIPT)
    verdict = session.eval(statement)
    assert isinstance(verdict, Verdict)
    found: list[dict[str, Any]] = json.loads(json.dumps(verdict.certificate().lines))
    return found


def sketched(checker: Checker) -> dict[str, NamedStates]:
    return {each.name: each for each in sketch(checker, fibcheck.Budget(60, 1 << 26))}


#: Statements of certificates, by the names of these.
STATEMENTS = {
    "fibonacci": "?msd_fib An,m,k $phin(n,m) & $twice(m,k) => k>=n",
    "ternary": "?msd_3 Ax,y $half(x,y) => y<=x",
    "negative": "?msd_neg_3 Ax,y Ez x+z=2*y",
    "negafibonacci": "?msd_neg_fib Ax,y Ez x+z=y",
}


@pytest.fixture(scope="module")
def checkers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checker]:
    return {name: checked_lines(lines_of(said), tmp_path_factory.mktemp(name)) for name, said in STATEMENTS.items()}


def integer(system: str, word: tuple[int, ...]) -> int:
    """Return the integer of a word, by the weights of its places."""
    weights = [(-3) ** place for place in range(len(word))]
    if system == "msd_neg_fib":
        weights = [1, -1]
        while len(weights) < len(word):
            weights.append(weights[-2] - weights[-1])
    return sum(digit * weight for digit, weight in zip(reversed(word), weights, strict=False))


def holds(sentence: str, values: dict[str, int]) -> bool:
    """Whether equations are true of numbers."""
    names = {"floor": floor, "sqrt": lambda d: isqrt(d * 10**24) / 10**12, **values}
    return all(eval(one.replace("=", "=="), {"__builtins__": {}}, names) for one in sentence.split(" and "))


@pytest.mark.parametrize("certificate", STATEMENTS)
def test_sentences_are_true(certificate: str, checkers: dict[str, Checker]) -> None:
    checker = checkers[certificate]
    tried = 0
    for name, found in sketched(checker).items():
        parameters = name[name.index("(") + 1 : -1].split(",")
        systems = checker.arguments[name[1 : name.index("(")]]
        words: dict[int, list[tuple[tuple[int, ...], ...]]] = {0: [((),) * len(parameters)]}
        for _ in range(4):
            longer: dict[int, list[tuple[tuple[int, ...], ...]]] = {}
            for one in found.states:
                for letter, there in one.leads:
                    digits = [int(digit) for digit in letter.split(",")]
                    longer.setdefault(there, []).extend(
                        tuple((*word, digit) for word, digit in zip(tracks, digits, strict=True))
                        for tracks in words.get(one.state, []))
            words = longer
            for one in found.states:
                for tracks in words.get(one.state, []):
                    values = [
                        integer(system, word) if "neg" in system else checker.systems[system].place(word)
                        for system, word in zip(systems, tracks, strict=True)
                    ]
                    if "one of" not in one.sentence:
                        tried += 1
                        assert holds(one.sentence, dict(zip(parameters, values, strict=True))), (name, one, values)
    assert tried > 100


def test_which_sentences_are_found(checkers: dict[str, Checker]) -> None:
    found = sketched(checkers["fibonacci"])
    assert found["$twice(x,y)"].states[0].sentence in ("2*x-y = 0", "x = 0 and y = 0")
    assert {"s-floor(n*(1+sqrt(5))/2) = -1", "s-floor(n*(1+sqrt(5))/2) = 1"} <= {
        one.sentence for one in found["$phin(n,s)"].states}
    accepting = [one.sentence for one in found["$plus_msd_fib(x,y,z)"].states if one.accepts]
    assert set(accepting) == {"x+y-z = 0"}
    assert {one.sentence for one in sketched(checkers["ternary"])["$half(x,y)"].states} == {"x-2*y = 0", "x-2*y = 1"}


@pytest.mark.parametrize("system", ["negative", "negafibonacci"])
def test_sentences_of_comparisons_are_about_integers(system: str, checkers: dict[str, Checker]) -> None:
    compared, = [states for name, states in sketched(checkers[system]).items() if "compare" in name]
    accepted, = {one.sentence for one in compared.states if one.accepts}
    assert accepted.endswith(" = 0") and len(compared.states) > 2
    assert all("one of" not in one.sentence for one in compared.states)


def test_states_that_only_long_words_reach_have_sentences(tmp_path: Path) -> None:
    lines = lines_of("?msd_2 Ax $big(x) => x>5000")
    states = sketched(checked_lines(lines, tmp_path))["$big(x)"].states
    assert [one.sentence for one in states if one.accepts] == ["x = 10000"]
    assert not any("no words" in one.sentence for one in states)


def test_two_parameters_have_two_names(tmp_path: Path) -> None:
    """A sentence of x_1 and x_2 is not one of x and x."""
    text = json.dumps(lines_of("?msd_2 Ax,y $less(x,y) => ~$less(y,x)"))
    first, second = next(line["parameters"] for line in json.loads(text) if line.get("define") == "less")
    for old, new in ((first, "v_1"), (second, "v_2")):
        text = re.sub(rf"(?<!\w){old}(?!\w)", new, text)
    states = sketched(checked_lines(json.loads(text), tmp_path))["$less(v_1,v_2)"].states
    assert states[0].sentence == "v_1-v_2 = 0"


def test_a_number_is_how_many_words_come_before(checkers: dict[str, Checker]) -> None:
    system, = checkers["fibonacci"].systems.values()
    numbers = sketches._value_of(system)
    for number in range(200):
        assert numbers.term(system.representation(number)) == number


def test_an_automaton_that_reads_other_words_has_no_sentences(checkers: dict[str, Checker]) -> None:
    """Nothing is said of words that are no numbers, nor of automata with more states than are read with pleasure."""
    fibonacci = checkers["fibonacci"]
    names = [next(iter(fibonacci.variables))]
    budget = fibcheck.Budget(60, 1 << 26)
    for rows, small in (([{(0,): 0, (1,): 1}, {(0,): 0}], True), ([{(0,): 0, (1,): 0}], False)):
        relation = Relation(Automaton(rows, [1] * len(rows)), names)
        assert sketches._is_small(fibonacci, relation, budget) is small
    many: list[dict[tuple[int, ...], int]] = [{(0,): 0}] * (sketches.MOST_STATES + 1)
    assert not sketches._is_small(fibonacci, Relation(Automaton(many, [1] * len(many)), names), budget)
