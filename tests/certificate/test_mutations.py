"""Changed certificates are refused, or what they say is true: decided by brute force."""

from __future__ import annotations

import json
import random

import pytest

from fibprover.checker.fibcheck import Invalid, Malformed
from tests.certificate.mutants import (
    MUTATIONS,
    Lines,
    Mutation,
    certificates,
    change_integers,
    change_recursion,
    change_sign,
    checked_in_memory,
    deny_statement,
    is_true,
)
from tests.seeds import chosen_seed


def copied(number: int) -> Lines:
    """The lines of a certificate."""
    lines: Lines = json.loads(certificates()[number % len(certificates())])
    return lines


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 40))])
def test_the_statements_are_true(part: int) -> None:
    """Every fortieth one, each system and each sort of statement among them; all of them in `make test-long`."""
    for number in range(part, len(certificates()), 40):
        assert is_true(checked_in_memory(copied(number)))


@pytest.mark.random
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_change(mutation: Mutation) -> None:
    """One kind of change, in places that are drawn."""
    chance = random.Random(f"{chosen_seed()} {mutation.__name__}")
    needed: dict[Mutation, str] = {change_recursion: '"recursion"', change_integers: '"integers"'}
    numbers = [number for number, text in enumerate(certificates()) if needed.get(mutation, "") in text]
    refused = 0
    for _ in range(10):
        number = chance.choice(numbers)
        lines, before = copied(number), copied(number)
        mutation(lines, chance)
        try:
            checker = checked_in_memory(lines)
        except (Invalid, Malformed):
            refused += lines != before
            continue
        assert is_true(checker), [line for line in lines if line not in before]
    assert refused > 0


@pytest.mark.long
@pytest.mark.random
def test_a_false_statement_in_place_of_a_true_one() -> None:
    """Nothing that is changed elsewhere lets the denied statement pass."""
    chance = random.Random(f"{chosen_seed()} false")
    steps = [mutation for mutation in MUTATIONS if mutation not in (deny_statement, change_sign)]
    for _ in range(100):
        lines = copied(chance.randrange(len(certificates())))
        deny_statement(lines, chance)
        final = lines.pop()
        for _ in range(chance.choice((1, 2))):
            chance.choice(steps)(lines, chance)
        try:
            checker = checked_in_memory([*lines, final])
        except (Invalid, Malformed):
            continue
        assert is_true(checker), final
