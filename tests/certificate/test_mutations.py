"""Changed certificates are refused, or what they say is true: decided by brute force."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker.fibcheck import Checker, Invalid, Malformed
from fibprover.verdict.verdict import Verdict
from tests.certificate.meaning import Meaning, checked_lines
from tests.seeds import chosen_seed

#: Statements whose quantifiers reach as far as a small number: brute force decides them, whatever the words are.
STATEMENTS = [
    ("msd_2", "Ax x<4 => Ey y<5 & y=x+1"),
    ("msd_2", "Ax x<5 => (T[x]=@1 <=> ~T[x]=@0)"),
    ("msd_2", "Ex,y x<4 & y<4 & x!=y & T[x]=T[y]"),
    ("msd_2", "E>=2 x x<5 & T[x]=@1"),
    ("msd_fib", "Ax,y (x<4 & y<4 & x+y<5) => y+x<6"),
    ("msd_fib", "Ax x<5 => (F[x]=@1 => x>0)"),
    ("msd_fib", "Ex x<6 & $odd(x)"),
    ("msd_fib", "Ax x<4 => ($twice(x,2*x) & ~$twice(x,2*x+1))"),
]
#: Numbers in these statements are at most this, sums included.
BOUND = 12

Lines = list[dict[str, Any]]


@cache
def certificates() -> tuple[Lines, ...]:
    """The lines of a certificate for each statement."""
    made = []
    for system, formula in STATEMENTS:
        session = fp.Session(system)
        if system == "msd_fib":
            session.define_morphic_word("F", [[0, 1], [0]], [0, 1])
            session.reg("odd", [[0, 1]], "0*(0|1)*1")
            session.define("twice", "b=2*a")
        found = session.eval(formula)
        assert isinstance(found, Verdict)
        assert found.truth, formula
        made.append(list(found.certificate().lines))
    return tuple(made)


def tables(lines: Lines) -> Lines:
    return [line for line in lines if "rows" in line]


def claims(lines: Lines) -> Lines:
    return [line for line in lines if "rule" in line]


def move_transition(lines: Lines, chance: random.Random) -> None:
    line = chance.choice(tables(lines))
    row = chance.choice([row for row in line["rows"] if row] or [[0, 0]])
    row[2 * chance.randrange(len(row) // 2) + 1] = chance.randrange(len(line["rows"]))


def drop_transition(lines: Lines, chance: random.Random) -> None:
    row = chance.choice([row for line in tables(lines) for row in line["rows"] if row])
    place = 2 * chance.randrange(len(row) // 2)
    del row[place : place + 2]


def add_transition(lines: Lines, chance: random.Random) -> None:
    line = chance.choice(tables(lines))
    chance.choice(line["rows"]).extend([chance.randrange(8), chance.randrange(len(line["rows"]))])


def flip_output(lines: Lines, chance: random.Random) -> None:
    outputs = chance.choice(tables(lines))["outputs"]
    outputs[chance.randrange(len(outputs))] ^= 1


def drop_guard(lines: Lines, chance: random.Random) -> None:
    guarded = [line for line in claims(lines) if "guards" in line]
    if guarded:
        del chance.choice(guarded)["guards"]


def exchange_guard(lines: Lines, chance: random.Random) -> None:
    line, other = chance.choice(claims(lines)), chance.choice(claims(lines))
    line["guards"] = [copy.deepcopy(other["relation"])]


def rename_rule(lines: Lines, chance: random.Random) -> None:
    chance.choice(claims(lines))["rule"] = chance.choice(claims(lines))["rule"]


def swap_lines(lines: Lines, chance: random.Random) -> None:
    i, j = chance.randrange(1, len(lines)), chance.randrange(1, len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def use_another_claim(lines: Lines, chance: random.Random) -> None:
    line = chance.choice([line for line in claims(lines) if line.get("of")])
    line["of"][chance.randrange(len(line["of"]))] = chance.randrange(len(claims(lines)))


def use_another_relation(lines: Lines, chance: random.Random) -> None:
    chance.choice(claims(lines))["relation"][0] = chance.randrange(sum("automaton" in line for line in lines))


def rename_variable(lines: Lines, chance: random.Random) -> None:
    names = list(lines[0]["variables"])
    line = chance.choice(claims(lines))
    places = [line["relation"][1], *([line["bound"]] if "bound" in line else []), line.get("arguments", [])]
    chosen = chance.choice([place for place in places if place] or [["x"]])
    chosen[chance.randrange(len(chosen))] = chance.choice(names)


def change_formula(lines: Lines, chance: random.Random) -> None:
    line = chance.choice([line for line in lines if "formula" in line])
    line["formula"] = chance.choice([other for other in lines if "formula" in other])["formula"]


def change_sign(lines: Lines, chance: random.Random) -> None:
    line = chance.choice([line for line in lines if "formula" in line or "statement" in line])
    key = "formula" if "formula" in line else "statement"
    old = chance.choice(["<=", "<", "=", "~", "&", "|", "@0", "@1", "+1", "E ", "A ", "E>=2"])
    line[key] = line[key].replace(old, chance.choice(["<", "=", "!=", "<=", "", "&", "|", "@1", "+2", "A ", "E "]), 1)


def deny_statement(lines: Lines, chance: random.Random) -> None:
    lines[-1]["statement"] = "~" + lines[-1]["statement"]


MUTATIONS: list[Callable[[Lines, random.Random], None]] = [
    move_transition, drop_transition, add_transition, flip_output, drop_guard, exchange_guard, rename_rule, swap_lines,
    use_another_claim, use_another_relation, rename_variable, change_formula, change_sign, deny_statement,
]


def is_true(checker: Checker) -> bool:
    """Whether the statement of a certificate is true of numbers as far as BOUND."""
    assert checker.statement is not None
    return Meaning(checker, BOUND).holds(checker.statement[0], {})


def test_the_statements_are_true(tmp_path: Path) -> None:
    for lines in certificates():
        assert is_true(checked_lines(lines, tmp_path))


@pytest.mark.random
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_change(tmp_path: Path, mutation: Callable[[Lines, random.Random], None]) -> None:
    """One kind of change, in places that are drawn."""
    chance = random.Random(f"{chosen_seed()} {mutation.__name__}")
    refused = 0
    for number in range(32):
        lines = copy.deepcopy(certificates()[number % len(STATEMENTS)])
        before = copy.deepcopy(lines)
        mutation(lines, chance)
        try:
            checker = checked_lines(lines, tmp_path)
        except (Invalid, Malformed):
            refused += lines != before
            continue
        assert is_true(checker), [line for line, old in zip(lines, before, strict=True) if line != old]
    assert refused > 0 or mutation is drop_guard


@pytest.mark.random
def test_a_false_statement_in_place_of_a_true_one(tmp_path: Path) -> None:
    """Nothing that is changed elsewhere lets the denied statement pass."""
    chance = random.Random(f"{chosen_seed()} false")
    steps = [mutation for mutation in MUTATIONS if mutation not in (deny_statement, change_sign)]
    for number in range(100):
        lines = copy.deepcopy(certificates()[number % len(STATEMENTS)])
        deny_statement(lines, chance)
        final = lines[-1]
        for _ in range(chance.choice((1, 2))):
            chance.choice(steps)([line for line in lines if line is not final], chance)
        try:
            checker = checked_lines(lines, tmp_path)
        except (Invalid, Malformed):
            continue
        assert is_true(checker), lines[-1]
