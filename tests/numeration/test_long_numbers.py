"""Long numbers by halves, against the greedy algorithm digit by digit."""

from __future__ import annotations

import random

import pytest

from fibprover.numeration.long_numbers import represent_by_halves
from fibprover.numeration.recurrence import LONG
from fibprover.numeration.registry import system_named

#: Systems in which each first part of a greedy representation is one, and two in which this is not so.
SYSTEMS = ("msd_2", "msd_10", "msd_fib", "msd_trib", "msd_narayana", "msd_wythoff_2", "msd_rec_2_2", "msd_4bonacci")
OTHERS = ("msd_lucas", "msd_pell")


def greedy(terms: list[int], number: int) -> tuple[int, ...]:
    digits: list[int] = []
    for term in reversed(terms):
        if digits or term <= number:
            digits.append(number // term)
            number %= term
    return tuple(digits)


@pytest.mark.parametrize("name", [*SYSTEMS, *OTHERS])
def test_representations(name: str) -> None:
    system = system_named(name)
    assert system.recurrence is not None
    terms = system.recurrence.terms(4500)
    generator = random.Random(name)
    numbers = [generator.getrandbits(generator.randrange(1, 2500)) for _ in range(8)]
    numbers += [terms[place] + add for place in (63, 64, 65, 127, 128, 512, 700) for add in (-1, 0, 1)]
    numbers += [0, 1, (1 << LONG) - 1, 1 << LONG]
    for number in numbers:
        found = represent_by_halves(system.recurrence, system.valid, number)
        expected = greedy(terms, number)
        assert found == expected or (found is None and name in OTHERS)
        assert system.represent(number) == expected
