"""Negative bases: integers without a sign."""

from __future__ import annotations

import random
from itertools import product

import pytest

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Track
from fibprover.base.errors import FibproverError
from fibprover.numeration import RELATIONS, system_named
from fibprover.workspace.walnut import read_automaton
from tests.automata.comparing import same_language
from tests.corpus.replay import CORPUS
from tests.numeration.systems import HOLDS, accepts

NAMES = ("neg_2", "neg_3", "neg_10", "neg_fib")


@pytest.mark.parametrize("name", NAMES)
def test_representations(name: str) -> None:
    system = system_named(name)
    assert system.signed
    seen = set()
    for number in [*range(-300, 300), 10**40, -(10**40) - 7]:
        word = system.represent(number)
        assert system.value(word) == number
        assert system.is_valid(word)
        assert word[:1] != (0,)
        seen.add(word)
    assert len(seen) == 602


@pytest.mark.parametrize(
    ("name", "number", "word"),
    [
        ("neg_2", 5, (1, 0, 1)),
        ("neg_2", -5, (1, 1, 1, 1)),
        ("neg_10", 15, (1, 9, 5)),
        ("neg_fib", 4, (1, 0, 0, 1, 0)),
        ("neg_fib", -11, (1, 0, 1, 0, 0, 0)),
    ],
)
def test_known_words(name: str, number: int, word: tuple[int, ...]) -> None:
    assert system_named(name).represent(number) == word


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in (3, 4, 5))])
def test_small_integers(name: str, seed: int) -> None:
    system = system_named(name)
    rng = random.Random(f"{name} {seed}")
    count = 1 + seed % 3
    coefficients = tuple(rng.choice([-1, 1]) * rng.randint(1, 5) for _ in range(count))
    constant = rng.choice([0, 1, -1, rng.randint(-40, 40)])
    bound = {1: 120, 2: 15, 3: 5}[count]
    for relation in RELATIONS:
        automaton = system.linear(coefficients, relation, constant)
        assert automaton == kernel_calls.minimize(kernel_calls.close_zeros(automaton))
        for numbers in product(range(-bound, bound), repeat=count):
            total = sum(c * x for c, x in zip(coefficients, numbers, strict=True))
            expected = HOLDS[relation](total, constant)
            assert accepts(automaton, system, numbers, zeros=seed % 2) == expected, (coefficients, relation, numbers)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_huge_integers_and_constants(name: str) -> None:
    system = system_named(name)
    rng = random.Random(name)
    for _ in range(15):
        coefficients = tuple(rng.choice([-1, 1]) * rng.randint(1, 4) for _ in range(rng.randint(1, 3)))
        numbers = [rng.randint(-(10**30), 10**30) for _ in coefficients]
        total = sum(c * x for c, x in zip(coefficients, numbers, strict=True))
        relation, off = rng.choice(RELATIONS), rng.randint(-2, 2)
        automaton = system.linear(coefficients, relation, total + off)
        assert accepts(automaton, system, numbers) == HOLDS[relation](total, total + off)


@pytest.mark.parametrize("name", NAMES)
def test_systems_verify(name: str) -> None:
    report = system_named(name).verify()
    assert report, report
    assert "every number is a successor" in str(report)


@pytest.mark.parametrize("name", ["neg_0", "neg_1", "neg_1000", "neg_99999", "neg_", "neg_foo", "neg_-2"])
def test_invalid_negative_bases(name: str) -> None:
    with pytest.raises(FibproverError, match="there is no numeration system"):
        system_named(name)


@pytest.mark.skipif(not (CORPUS / "cases.jsonl").is_file(), reason=f"no {CORPUS} beside the checkout")
def test_order_and_words_equal_those_of_the_peer() -> None:
    system = system_named("neg_fib")
    folder = CORPUS / "library" / "Custom Bases"
    for file, names, ours in (
        ("msd_neg_fib.txt", ("x",), system.valid),
        ("msd_neg_fib_less_than.txt", ("0", "1"), system.less()),
        ("msd_neg_fib_addition.txt", ("0", "1", "2"), system.linear((1, 1, -1), "=", 0)),
    ):
        theirs = read_automaton(folder / file, lambda _: Track("", system.digits, system.name), names)
        cut = theirs.with_tracks(ours.tracks)
        for track in ours.tracks:
            cut = kernel_calls.join(cut, system.valid.renamed([track.name]))
        assert same_language(cut, ours), file
