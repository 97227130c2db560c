"""The greatest and the least s^2/p of pairs: against all pairs with few digits, and for sequences that papers have."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

import fibprover as fp
from fibprover.automata.dfa import Dfa, build
from fibprover.base.limits import Limits
from fibprover.numeration.registry import system_named
from fibprover.sequences.solution import SequenceSolution
from fibprover.sheets.bounds import bounds
from fibprover.sheets.square_quotients import square_quotient
from tests.seeds import chosen_seed

#: By state and digit of n, the digit of the value and the next state.
Machine = Sequence[Sequence[tuple[int, int]]]


def transducer(chance: Random) -> Machine:
    """Return a machine that writes a digit 0 or 1 for each digit in base 4, and 0 for zeros in front."""
    rows = [[(chance.randrange(2), chance.randrange(3)) for _ in range(4)] for _ in range(3)]
    rows[0][0] = 0, 0
    return rows


def pairs_of(machine: Machine) -> Dfa:
    rows = [{2 * digit + j: there for digit, (j, there) in enumerate(row)} for row in machine]
    tracks = [system_named("msd_4").track("n"), system_named("msd_2").track("v")]
    return build(tracks, rows, [1] * len(machine))


def values(machine: Machine, digits: int) -> list[int]:
    found = [(0, 0)]
    for _ in range(digits):
        found = [(2 * s + machine[state][i][0], machine[state][i][1]) for s, state in found for i in range(4)]
    return [s for s, _ in found]


@pytest.mark.long
def test_against_pairs() -> None:
    """The quotient bounds those of all pairs, is near some, and is that of a pair exactly where it says so."""
    chance = Random(f"{chosen_seed()} quotients")
    for _ in range(8):
        machine = transducer(chance)
        quotients = [Fraction(s * s, n) for n, s in enumerate(values(machine, 6)) if n]
        for greatest in (True, False):
            best = max(quotients) if greatest else min(quotients)
            found = square_quotient(pairs_of(machine), 2, greatest=greatest)
            assert found is not None
            assert found.value >= best if greatest else found.value <= best
            assert abs(found.value - best) <= Fraction(1, 5) * max(Fraction(1), found.value), machine
            assert (found.value == best) is found.attained or (found.attained and found.pair is None)
            if found.pair is not None:
                n, s = found.pair
                assert Fraction(s * s, n) == found.value


def bounds_of(name: str, *texts: str) -> list[str]:
    session = fp.Session("msd_2")
    found = session.solve(name, *texts)
    assert isinstance(found, SequenceSolution)
    return bounds(session, found.sequences[name], Limits())


RUDIN_SHAPIRO = "r(0)=1, r(2n)=r(n), r(2n+1)=(-1)^n r(n)"


def test_rudin_and_shapiro() -> None:
    """Brillhart and Morton (1978): sqrt(3n/5) < s(n) < sqrt(6n) and t(n) < sqrt(3n), with the best constants."""
    said = bounds_of("s", "s(0)=1, s(n)=s(n-1)+r(n) for n>0", "r", RUDIN_SHAPIRO)
    assert [line.split(",")[0] for line in said] == [
        "Theta(n^(1/2))", "a(n) <= sqrt(6 n) for n > 0", "a(n) >= sqrt(3/5 n) for n > 0",
    ]
    assert all(line.endswith("not attained") for line in said[1:])
    said = bounds_of("t", "t(0)=1, t(n)=t(n-1)+(-1)^n r(n) for n>0", "r", RUDIN_SHAPIRO)
    assert [line.split(",")[0] for line in said] == ["at most like n^(1/2)", "a(n) <= sqrt(3 n) for n > 0"]


@pytest.mark.parametrize(("text", "first"), [
    ("m(0)=0, m(2n)=4m(n), m(2n+1)=4m(n)+1", ["Theta(n^2)", "a(n) >= 1/3 n^2 for n > 0", "a(n) <= n^2 for n > 0"]),
    ("m(0)=0, m(2n)=3m(n), m(2n+1)=3m(n)+2", ["Theta(n^(log 3/log 2))"]),
    ("m(0)=0, m(1)=1, m(2n)=2m(n)-1, m(2n+1)=2m(n)+1", ["a(n) <= n for n > 0"]),
    ("m(0)=m(1)=0, m(2)=4, m(3)=5, m(2n)=4m(n), m(2n+1)=4m(n)+1", ["Theta(n^2)", "a(n) <= n^2 for n > 0"]),
    ("m(0)=0, m(4n)=m(4n+1)=2m(n), m(4n+2)=m(4n+3)=2m(n)+1",
     ["at most like n^(1/2)", "a(n) <= sqrt(3/2 n) for n > 0"]),
])
def test_other_bounds(text: str, first: list[str]) -> None:
    """Moser and de Bruijn, Cantor, Josephus; one that is 0 at 1 alone; and one that is 0 at 1, 4, 16, ...: no Theta."""
    said = bounds_of("m", text)
    assert [line.split(",")[0] for line in said] == first
