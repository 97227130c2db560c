"""Closed forms of the number of factors, against counting in a prefix."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import fibprover as fp

WORDS = ("T", "F", "P", "VTM", "0->001, 1->100")
SLOW = ("RS", "TTM", "prouhet3", "BS", "HC", "TR", "LE", "arshon", "NA", "TH")
SLOWEST = "NA"

#: Factors of up to LENGTH letters all occur among the first PREFIX letters.
PREFIX, LENGTH = 20_000, 60


def value(text: str, **variables: int) -> Fraction:
    """The value of a sum such as 2n - 3x/4 + 1."""
    total = Fraction(0)
    for sign, number, unit, below in re.findall(r"([+-]?)(\d*)([a-z]?)(?:/(\d+))?", text.replace(" ", "")):
        if number or unit:
            size = Fraction(int(number or 1), int(below or 1)) * variables.get(unit, 1)
            total += -size if sign == "-" else size
    return total


def counted(said: str, n: int) -> int | None:
    """The number of factors of length n by a closed form."""
    said, _, before = said.removesuffix(".").partition("; before, ")
    if before and n < len(before.split(", ")):
        return int(before.split(", ")[n])
    if " for n >= " in said:
        form, _, least = said.partition(" for n >= ")
        assert n >= int(least)
        return int(value(form, n=n))
    said, _, power = said.partition(", with x = ")
    found = re.fullmatch(r"(?:(\d+)\*)?(\d+)\^k, k >= 0", power)
    assert found is not None
    values = []
    for k in range(12):
        x = int(found[1] or 1) * int(found[2]) ** k
        for part in said.split(", "):
            form, low, high = re.fullmatch(r"(.*) for (.*) <= n <= (.*)", part).groups()  # type: ignore[union-attr]
            if value(low, x=x) <= n <= value(high, x=x):
                values.append(value(form, n=n, x=x))
    assert len(values) == 1, "each n belongs to one piece"
    return int(values[0])


@pytest.mark.parametrize("name", [
    *WORDS,
    *(pytest.param(word, marks=pytest.mark.very_long if word == SLOWEST else pytest.mark.long) for word in SLOW),
])
def test_closed_forms(name: str) -> None:
    sheet = fp.study(name, only=["complexity-formula"], limits=fp.Limits(seconds=8))
    (line,) = sheet.lines
    assert line.status == "proved", line
    letters = bytes(sheet.word.prefix(PREFIX))
    for n in range(LENGTH):
        assert counted(line.value, n) == len({letters[i : i + n] for i in range(PREFIX - n + 1)}), n
    script = fp.Session().run(sheet.to_script())
    assert script[-1][1]


#: Allouche and Shallit, "Automatic Sequences" (2003), for RS and P; Sturmian words have n + 1 factors.
KNOWN = {"F": "n + 1 for n >= 0.", "RS": "8n - 8 for n >= 8", "P": "4n for n >= 7"}


@pytest.mark.parametrize("name", KNOWN)
def test_published_forms(name: str) -> None:
    assert fp.study(name, only=["complexity-formula"]).lines[0].value.startswith(KNOWN[name])


def test_a_word_without_a_closed_form() -> None:
    (line,) = fp.study("FTM", only=["complexity-formula"]).lines
    assert line.by == "desubstitution" and "no closed form" in line.value
    assert line.text.startswith("Factor complexity: the limit inferior of p(n)/n is 9-sqrt(5)")
