"""Random formulas over all slopes, under both plans, against their truth for words of random slopes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import pytest

from fibprover import Limits, Session
from fibprover.base.errors import BudgetSpent, NotSupported
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.prover.verdict.slopes import SlopeVerdict
from tests.families.oracle import agree
from tests.seeds import chosen_seed, is_fixed

Word = list[int]
Values = dict[str, int]


class Made(NamedTuple):
    """A formula as a text, and its truth for a word and values of its variables."""

    text: str
    truth: Callable[[Word, Values], bool]


def term(rng: random.Random, names: list[str]) -> tuple[str, Callable[[Values], int]]:
    """Return a term, a sum of at most two variables and a constant."""
    chosen = rng.sample(names, rng.randint(1, min(2, len(names))))
    factors = [rng.choice((1, 1, 1, 2)) for _ in chosen]
    constant = rng.randint(0, 2)
    parts = [name if factor == 1 else f"{factor}*{name}" for name, factor in zip(chosen, factors, strict=True)]
    text = "+".join([*parts, *([str(constant)] if constant else [])])
    return text, lambda v: sum(f * v[name] for name, f in zip(chosen, factors, strict=True)) + constant


def atom(rng: random.Random, names: list[str]) -> Made:
    (left, one), (right, other) = term(rng, names), term(rng, names)
    match rng.randrange(5):
        case 0:
            return Made(f"C[{left}]=1", lambda w, v: w[one(v)] == 1)
        case 1:
            return Made(f"C[{left}]=C[{right}]", lambda w, v: w[one(v)] == w[other(v)])
        case 2:
            return Made(f"C[{left}]<C[{right}]", lambda w, v: w[one(v)] < w[other(v)])
        case 3:
            return Made(f"{left}<{right}", lambda w, v: one(v) < other(v))
    return Made(f"{left}={right}", lambda w, v: one(v) == other(v))


def formula(rng: random.Random, names: list[str], depth: int) -> Made:
    if depth == 0:
        return atom(rng, names)
    match rng.randrange(6):
        case 0:
            inner = formula(rng, names, depth - 1)
            return Made(f"~({inner.text})", lambda w, v: not inner.truth(w, v))
        case 1 | 2:
            op = rng.choice(("&", "|", "=>", "<=>", "^"))
            a, b = formula(rng, names, depth - 1), formula(rng, names, depth - 1)
            return Made(f"({a.text}) {op} ({b.text})", lambda w, v: joined(op, a.truth(w, v), b.truth(w, v)))
    return quantified(rng, names, depth)


def joined(op: str, a: bool, b: bool) -> bool:
    match op:
        case "&":
            return a and b
        case "|":
            return a or b
        case "=>":
            return b or not a
        case "<=>":
            return a == b
    return a != b


def quantified(rng: random.Random, names: list[str], depth: int) -> Made:
    """Return a bounded quantifier, or one that counts, over a formula with one variable more."""
    new = next(name for name in "klmpq" if name not in names)
    text, bound = term(rng, names)
    inner = formula(rng, [*names, new], depth - 1)

    def values(w: Word, v: Values) -> list[bool]:
        return [inner.truth(w, {**v, new: value}) for value in range(bound(v))]

    match rng.randrange(4):
        case 0:
            return Made(f"(A{new} {new}<{text} => ({inner.text}))", lambda w, v: all(values(w, v)))
        case 1:
            return Made(f"(E>=2 {new} {new}<{text} & ({inner.text}))", lambda w, v: sum(values(w, v)) >= 2)
    return Made(f"(E{new} {new}<{text} & ({inner.text}))", lambda w, v: any(values(w, v)))


#: A few formulas need large automata.
LIMITS = Limits(states=6000, transitions=60_000)

SEED = 20261126 if is_fixed() else chosen_seed()


@pytest.mark.random
@pytest.mark.parametrize("number", [
    pytest.param(number, marks=[pytest.mark.long] if number >= 20 else []) for number in range(60)
])
def test_random_formulas(number: int) -> None:
    rng = random.Random(SEED * 1000 + number)
    names = ["i", "j"][: rng.randint(1, 2)]
    made = formula(rng, names, rng.randint(1, 3))
    used = f"({made.text}) & " + " & ".join(f"{name}={name}" for name in names)
    session = Session("msd_sturmian", limits=LIMITS)
    for plan in ("optimized", "textbook"):
        try:
            relation = session.relation(used, plan=plan)
        except BudgetSpent:
            continue
        agree(
            relation.automaton, lambda w, *v: made.truth(w, dict(zip(names, v, strict=True))), len(names),
            largest=6, slopes=12, seed=number,
        )


@pytest.mark.random
@pytest.mark.parametrize("number", [
    pytest.param(number, marks=[pytest.mark.long] if number >= 15 else []) for number in range(40)
])
def test_both_plans_on_closed_formulas(number: int) -> None:
    """With unbounded quantifiers in front, so that the slopes are open and closed sets of all kinds."""
    rng = random.Random(SEED * 2000 + number)
    names = ["i", "j"]
    made = formula(rng, names, rng.randint(1, 2))
    prefix = rng.choice(("Ei,j ", "Ai,j ", "Ei Aj j<=i => ", "Ai Ej j<=i & ", "Ai Ej j>i & "))
    session = Session("msd_sturmian", limits=LIMITS)
    answers: list[SlopeSet] = []
    for plan in ("optimized", "textbook"):
        try:
            verdict = session.eval(f"{prefix}(i=i & j=j & ({made.text}))", plan=plan)
        except (NotSupported, BudgetSpent):
            continue
        assert isinstance(verdict, SlopeVerdict)
        answers.append(verdict.slopes)
    assert answers[:1] == answers[-1:]
