"""Characteristic words over Ostrowski systems: exponents and frequencies against the continued fraction and letters."""

from __future__ import annotations

from fractions import Fraction

import pytest

import fibprover as fp
from fibprover.sheets.suprema import supremum
from fibprover.words.automatic import AutomaticWord

#: Preperiod and period of [0; a_1, a_2, ...].
SLOPES = [
    ((3,), (1, 2)), ((2,), (1, 2)), ((2,), (1, 1, 3)), ((4,), (2, 1)), ((2, 1), (1, 3)), ((4,), (1,)), ((3,), (2,)),
]


def terms(slope: tuple[tuple[int, ...], tuple[int, ...]], count: int) -> list[int]:
    before, period = slope
    return (list(before) + list(period) * count)[:count]


def slope_of(slope: tuple[tuple[int, ...], tuple[int, ...]]) -> Fraction:
    found = Fraction(0)
    for term in reversed(terms(slope, 60)):
        found = 1 / (term + found)
    return found


def characteristic(slope: tuple[tuple[int, ...], tuple[int, ...]]) -> AutomaticWord:
    """The letter at n > 0 is 1 if n ends in an odd number of zeros: Allouche and Shallit 2003, theorem 9.1.15."""
    before, period = slope
    name = f"msd_ost_0_{'_'.join(map(str, before))}_per_{'_'.join(map(str, period))}"
    session = fp.Session(name)
    digits = session.namespace.system(name).digits
    session.reg("one", [name], f"({'|'.join(map(str, digits))})*({'|'.join(map(str, digits[1:]))})0(00)*")
    session.combine("C", "one")
    return session.namespace.words["C"]


@pytest.mark.parametrize("slope", SLOPES, ids=str)
def test_characteristic_words(slope: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    word, alpha = characteristic(slope), slope_of(slope)
    letters = word.prefix(400)
    assert letters[1:] == [int((n + 1) * alpha) - int(n * alpha) for n in range(1, 400)]
    sheet = fp.study(word, only=["critical-exponent", "asymptotic-critical-exponent", "letter-1-frequency"])
    values = {line.id: float(line.value.split(",")[0].split(" = ")[-1].removesuffix("...")) for line in sheet.lines}
    assert values["letter-1-frequency"] == pytest.approx(float(alpha), abs=1e-9)
    # Carpi and de Luca 2000, Damanik and Lenz 2002: the supremum of 2 + a_(i+1) + (q_(i-1) - 2)/q_i.
    a, q = terms(slope, 60), [0, 1]
    for term in a:
        q.append(term * q[-1] + q[-2])
    exponents = [2 + a[i] + Fraction(q[i] - 2, q[i + 1]) for i in range(60)]
    assert values["critical-exponent"] == pytest.approx(float(max(exponents)), abs=1e-9)
    limit = max(float(2 + a[i] + Fraction(q[i], q[i + 1])) for i in range(50, 50 + len(slope[1])))
    assert values["asymptotic-critical-exponent"] == pytest.approx(limit, abs=1e-9)
    for period in range(1, 60):
        run = longest = 0
        for i in range(len(letters) - period):
            run = run + 1 if letters[i] == letters[i + period] else 0
            longest = max(longest, run)
        assert (longest + period) / period <= values["critical-exponent"] + 1e-9


@pytest.mark.parametrize("system", ["msd_ost_0_3_per_1_2", "lsd_ost_0_2_per_1_1_3"])
def test_suprema_of_other_relations(system: str) -> None:
    session = fp.Session(system)
    for formula, value, attained in (
        ("p>0 & 2*n<5*p", Fraction(5, 2), False), ("p>2 & n<=2*p+4", Fraction(10, 3), True),
        ("p>4 & n<=p & p<40", Fraction(1), True),
    ):
        found = supremum(session.relation(formula))
        assert found is not None and found.value is not None
        assert found.value.rational == value and found.attained == attained
