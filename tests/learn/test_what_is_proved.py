"""Whatever `solve` calls proved satisfies its recursion, whatever the data say, and is what recursion computes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest

from fibprover.base.errors import Unsolved
from fibprover.base.limits import Limits
from fibprover.language.builder import call, exists, forall, variables
from fibprover.language.tree import Formula, Quantified, with_names
from fibprover.learn import induction, solving
from fibprover.learn.induction import Statement
from fibprover.sheets.conjecture import conjecture
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.terms import terms_from
from fibprover.workspace.session import Session
from tests.few import few
from tests.seeds import chosen_seed, is_fixed

N, K, M = variables("n k m")
LIMITS = Limits(seconds=2)

#: How far a recursion is computed.
COMPUTED = 140

#: How numbers of values are compared: E>=c, E=c, E<=c, and E, ~E, A.
COUNTS: dict[str, Callable[[int, int], bool]] = {
    ">=": lambda found, count: found >= count, "=": lambda found, count: found == count,
    "<=": lambda found, count: found <= count,
}


class Made(NamedTuple):
    """A recursion of R as a formula, and what it says of n, given the values below n."""

    formula: Formula
    holds: Callable[[int, list[bool]], bool]


def counted(random: Random) -> Made:
    """A number of smaller k, near n or from a number on, that are in R, or are not."""
    relation, count = random.choice(list(COUNTS)), random.choice((0, 0, 1, 1, 2))
    reach, start, inside = random.choice((1, 3, 5, 200)), random.choice((0, 0, 4, 64)), random.random() < 0.7
    body = (K < N) & (K + reach >= N) & (start <= K)
    body &= call("R", K) if inside else ~call("R", K)

    def holds(n: int, known: list[bool]) -> bool:
        found = sum(known[k] is inside for k in range(max(start, n - reach), n))
        return COUNTS[relation](found, count)

    return Made(Quantified("E", (K,), body, relation, count), holds)


def stepped(random: Random) -> Made:
    """What is true of the number some steps before, or of the least numbers."""
    step, inside = random.choice((1, 2, 3)), random.random() < 0.5
    before = call("R", M) if inside else ~call("R", M)
    if random.random() < 0.5:
        return Made(
            (step > N) | exists(M, N.eq(M + step) & before), lambda n, known: n < step or known[n - step] is inside
        )
    return Made(
        forall(M, N.eq(M + step) >> before), lambda n, known: n < step or known[n - step] is inside
    )


def made(random: Random) -> Made:
    """A recursion of one or two parts."""
    one = random.choice((counted, counted, stepped))(random)
    if random.random() < 0.5:
        return one
    other = random.choice((counted, stepped))(random)
    match random.choice(("&", "|", "<=>", "^", "~")):
        case "&":
            return Made(one.formula & other.formula, lambda n, known: one.holds(n, known) and other.holds(n, known))
        case "|":
            return Made(one.formula | other.formula, lambda n, known: one.holds(n, known) or other.holds(n, known))
        case "<=>":
            return Made(one.formula.iff(other.formula), lambda n, known: one.holds(n, known) is other.holds(n, known))
        case "^":
            return Made(one.formula ^ other.formula, lambda n, known: one.holds(n, known) is not other.holds(n, known))
    return Made(~one.formula, lambda n, known: not one.holds(n, known))


def computed(recursion: Made) -> list[bool]:
    """The values of a recursion, one after the other."""
    known: list[bool] = []
    for n in range(COMPUTED):
        known.append(recursion.holds(n, known))
    return known


#: Data about R, true ones and others.
DATA: dict[str, Callable[[list[bool]], Callable[[int], bool | None] | None]] = {
    "none": lambda right: None,
    "always": lambda right: lambda n: True,
    "never": lambda right: lambda n: False,
    "right": lambda right: lambda n: right[n] if n < len(right) else None,
    "wrong at 3": lambda right: lambda n: right[n] ^ (n == 3) if n < len(right) else None,
    "wrong from 70 on": lambda right: lambda n: right[n] if n < 70 else False,
}


@pytest.mark.random
@pytest.mark.parametrize("data", few(DATA, 3))
def test_what_is_solved(data: str) -> None:
    random = Random(f"{chosen_seed()} {data}")
    solved = 0
    for _ in range(3 if data in ("none", "right") else 2):
        recursion, session = made(random), Session("msd_2", limits=LIMITS)
        right = computed(recursion)
        try:
            found = session.solve("R", recursion.formula, by=N, data=DATA[data](right), limits=LIMITS)
        except Unsolved:
            assert "R" not in session.namespace.definitions
            continue
        assert session.prove(forall(N, call("R", N).iff(recursion.formula))), str(recursion.formula)
        assert [n in found for n in range(COMPUTED)] == right, str(recursion.formula)
        solved += 1
    assert solved > 1 or data not in ("none", "right")


@pytest.mark.long
@pytest.mark.random
def test_what_terms_are_proved_to_be() -> None:
    """Terms that follow a definition for a while do not make it say what it does not say."""
    random = Random(f"{chosen_seed()} terms")
    statuses = set()
    for _ in range(4):
        recursion = made(random)
        right = computed(recursion)
        changed = [*right[:60], *(random.random() < 0.5 for _ in range(3)), *right[63:]]
        for terms in (right, [right[59]] * COMPUTED, changed):
            definition = str(with_names(recursion.formula, {}, {"R": "a"}))
            try:
                found = conjecture(terms_from(list(map(int, terms))), definition, systems=["msd_2"], limits=LIMITS)
            except NoAutomaton:
                continue
            assert found.status != "proved" or list(map(bool, found.about.word.prefix(COMPUTED))) == right
            assert found.status != "refuted" or list(map(bool, found.about.word.prefix(COMPUTED))) != right or (
                found.formula is not None and not found.about.session.prove(found.formula))
            statuses.add(found.status)
    assert statuses and (not is_fixed() or {"proved", "refuted"} <= statuses)


@pytest.mark.parametrize("left_out", ["statements", "solution_statements"])
def test_each_half_of_the_proof_is_decided(left_out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the induction nor the recursion as it was written is taken for granted."""
    decided: list[Statement] = []
    right = getattr(induction, left_out)

    def false(*given: object) -> list[Statement]:
        found: list[Statement] = right(*given)
        decided.extend(found)
        return [Statement(each.name, each.variables, each.left, ~each.right, each.both_ways) for each in found]

    monkeypatch.setattr(induction, left_out, false)
    monkeypatch.setattr(solving, "LAST_SECONDS", 1.0)
    with pytest.raises(Unsolved):
        Session("msd_2").solve("R", "n=0 | Em n=m+1 & ~$R(m)", limits=Limits(seconds=1.5))
    assert decided
