"""Relations that a certificate leaves out: the checker builds them."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Sequence

import pytest

import fibprover as fp
from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Automaton, Budget, Checker, Invalid, Letter, Malformed, Relation, Sets
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.mutants import Lines, checked_in_memory, written_out
from tests.seeds import chosen_seed


def plenty() -> Budget:
    """A budget whose minute begins now."""
    return Budget(60, 1 << 30)


def drawn(chance: random.Random, tracks: int) -> Automaton:
    """An automaton over bits, with a loop of zeros at state 0."""
    states = chance.randrange(1, 6)
    letters = list(itertools.product((0, 1), repeat=tracks))
    rows = [{letter: chance.randrange(states) for letter in letters if chance.random() < 0.8} for _ in range(states)]
    rows[0][(0,) * tracks] = 0
    return Automaton(rows, [chance.randrange(2) for _ in range(states)])


def accepts(automaton: Automaton, word: Sequence[Letter]) -> bool:
    state = 0
    for letter in word:
        state = automaton.rows[state].get(letter, -1) if state >= 0 else -1
    return automaton.accepts(state)


def words(names: Sequence[str], length: int) -> list[list[dict[str, int]]]:
    """All words of a length: a digit of each name at each place."""
    letters = [dict(zip(names, digits, strict=True)) for digits in itertools.product((0, 1), repeat=len(names))]
    return [list(word) for word in itertools.product(letters, repeat=length)]


def has(relation: Relation, word: Sequence[dict[str, int]]) -> bool:
    return accepts(relation.automaton, [tuple([letter[name] for name in relation.names]) for letter in word])


CONDITIONS: list[Callable[[list[bool]], bool]] = [all, any, lambda found: found.count(True) % 2 == 1]


@pytest.mark.random
@pytest.mark.parametrize("seed", range(12))
def test_a_product(seed: int) -> None:
    """What is built accepts what it should, on all words of up to 3 letters, and cannot be made smaller."""
    chance = random.Random(f"{chosen_seed()} {seed}")
    parts = [Relation(drawn(chance, 2), ["y", "x"]), Relation(drawn(chance, 1), [chance.choice(["x", "z"])])]
    others = [Relation(drawn(chance, 2), chance.choice([["x", "y"], ["y", "y"]])), Relation(drawn(chance, 1), ["x"])]
    holds = chance.choice(CONDITIONS)
    found = fibcheck.joined(parts, others, holds, plenty())
    names = sorted({name for part in parts for name in part.names})
    assert list(found.names) == names
    for length in range(4):
        for word in words(names, length):
            expected = all(has(part, word) for part in parts) and holds([has(other, word) for other in others])
            assert has(found, word) == expected
    again = fibcheck.joined([found], [], all, plenty())
    assert len(again.automaton.rows) == len(found.automaton.rows)


@pytest.mark.random
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("backward", [False, True])
def test_a_projection(seed: int, backward: bool) -> None:
    """Words of three digits, with witnesses of up to five."""
    chance = random.Random(f"{chosen_seed()} {seed}")
    automaton = drawn(chance, 2)
    found = fibcheck.without(Sets(automaton, [1], plenty(), 1, backward), ["y"], plenty())
    for length in range(4):
        for word in itertools.product((0, 1), repeat=length):
            padded = (0,) * 12 + word
            states = {0}
            for digit in padded:
                states = {there for state in states for letter, there in automaton.rows[state].items()
                          if letter[1] == digit}
            expected = any(map(automaton.accepts, states))
            assert accepts(found.automaton, [(digit,) for digit in word]) == expected


def test_states_that_are_merged_wrongly_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tells states apart need not be trusted: here it merges one that accepts with one that refuses, or moves."""
    pairs = list(itertools.product((0, 1), repeat=2))
    order = Relation(Automaton([{(0, 0): 0, (1, 1): 0, (0, 1): 1}, dict.fromkeys(pairs, 1)], [0, 1]), ["x", "y"])
    assert len(fibcheck.joined([order], [], all, plenty()).automaton.rows) == 2
    everything = dict.fromkeys((0, 1, 1 << fibcheck.BITS, 1 | 1 << fibcheck.BITS), 0)
    for forged in (([everything], [0, 0]), ([{0: 0}], [-1, -1]), ([{0: 0}, everything], [0, 1])):
        monkeypatch.setattr(fibcheck, "minimal", lambda rows, outputs, budget, forged=forged: forged)
        with pytest.raises(Invalid):
            fibcheck.joined([order], [], all, plenty())


@pytest.fixture(scope="module")
def lines() -> Lines:
    session = fp.Session("msd_2")
    session.define("double", "b=a+a")
    verdict = session.eval("Ax Ey $double(x,y) & (x>0 => y>x) & ~(Ez z<x & $double(z,y))")
    assert isinstance(verdict, Verdict) and verdict.truth
    found: Lines = json.loads(json.dumps(list(verdict.certificate().lines)))
    return found


def test_both_versions_say_the_same(lines: Lines) -> None:
    old = written_out(lines)
    assert old[0]["certificate"] == 1 and lines[0]["certificate"] == 2
    assert all("relation" in line for line in old if "rule" in line)
    assert not all("relation" in line for line in lines if "rule" in line)
    assert list(checked_in_memory(old).understood()) == list(checked_in_memory(lines).understood())


def test_sets_that_lose_all_states(lines: Lines) -> None:
    """What is built of them is too small: what the relation accepts that is projected is no longer in it."""
    claims = checked_in_memory(lines).claims
    refused = 0
    for place, line in enumerate(lines):
        if line.get("rule") != "exists" or "relation" in line:
            continue
        outputs = claims[line["of"][0]].relation.automaton.outputs
        if any(outputs):
            states = range(len(outputs))
            changed = {**line, "loses": [[state, state] for state in states]}
            with pytest.raises(Invalid, match="accept"):
                checked_in_memory([*lines[:place], changed, *lines[place + 1:]])
            refused += 1
    assert refused > 0


@pytest.mark.parametrize("version", [0, 1, 3, "2", True, None])
def test_another_version(lines: Lines, version: object) -> None:
    """Version 1 has no claims without relation; of others the message names the versions that are known."""
    with pytest.raises(Malformed, match="relation" if version == 1 and version is not True else "version"):
        checked_in_memory([{**lines[0], "certificate": version}, *lines[1:]])


@pytest.mark.parametrize("line", [
    {"make": "and", "of": [[0, ["x"]], [0, ["y"]], [0, ["z"]]]},
    {"rule": "and", "numbers": ["x", "y", "z"]},
    {"rule": "and", "guards": [[0, ["x"]], [0, ["y"]], [0, ["z"]]]},
])
def test_what_would_have_too_many_letters_is_not_begun(line: dict[str, object]) -> None:
    """Three tracks of 256 digits each: one state alone would have 16 million transitions."""
    every = {"outputs": [1], "rows": [[number for digit in range(256) for number in (digit, 0)]]}
    checker = Checker(Budget(60, 1 << 24))
    for known in ({"certificate": 2, "variables": dict.fromkeys("xyz", "s")}, {"system": "s", "digits": 256, **every},
                  {"automaton": 0, "systems": ["s"], **every}):
        checker.line(known)
    with pytest.raises(Malformed, match="too many tracks"):
        checker.line(line)
    with pytest.raises(Malformed, match="memory"):  # one that the file gives is compared with what it follows from
        checker.line({"rule": "and", "relation": [0, ["x"]], "guards": [[0, ["y"]], [0, ["z"]]]})
    assert checker.budget.left > (1 << 24) - 500_000
