"""Pairs of numeration systems, recursions as people write them, closed forms, and convolutions."""

from __future__ import annotations

import re
from functools import cache
from math import isqrt

import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.sequences.across import over_power
from fibprover.sequences.series import Series
from fibprover.sequences.written import closed_form, written_recursion
from tests.sequences.regular import EXAMPLES, first

BY_NAME = {each.name: each for each in EXAMPLES}


@cache
def sequence(name: str) -> Series:
    arguments = []
    for text in BY_NAME[name].equations:
        named = re.match(r"(\?\w+ )?(\w+)\(", text)
        assert named is not None
        arguments += [named[2], text]
    found: Series = fp.Session().solve(*arguments).sequences["a"]
    return found


PAIRS = [
    ("A020986", "msd_4", "msd_2", 7), ("A000695", "msd_2", "msd_4", 1), ("A005823", "msd_2", "msd_3", 1),
    ("A005836", "msd_2", "msd_3", 1), ("A003714", "msd_fib", "msd_2", 2), ("A022290", "msd_2", "msd_fib", 4),
    ("A007088", "msd_2", "msd_10", 1), ("A006257", "msd_2", "msd_2", 3), ("A003188", "msd_2", "msd_2", 2),
]


@pytest.mark.parametrize(("name", "of_index", "of_values", "states"), PAIRS)
def test_pairs_of_systems(name: str, of_index: str, of_values: str, states: int) -> None:
    found = sequence(name).synchronized()
    assert found.systems == (of_index, of_values) and found.above.states == states and found.is_natural
    terms = first(BY_NAME[name], 300)
    assert all((n, int(term)) in found.above and (n, int(term) + 1) not in found.above for n, term in enumerate(terms))
    assert terms[200] in sequence(name)


def test_negative_values_have_two_automata() -> None:
    found = sequence("A117966").synchronized()
    assert not found.is_natural and "a(n) <= 0" in str(found)
    for n, term in enumerate(first(BY_NAME["A117966"], 200)):
        pair = n, abs(int(term))
        assert (pair in found.above) == (term >= 0)
        assert (pair in found.below) == (term <= 0)


def test_what_fits_no_pair_of_systems() -> None:
    with pytest.raises(LimitError, match="no pair"):
        sequence("A000120").synchronized()


def test_a_base_and_its_power() -> None:
    a = sequence("A005187")
    assert over_power(a, 2)[:100] == a[:100] and over_power(a, 3).system.name == "msd_8"


def test_comparisons_across_systems() -> None:
    sums = sequence("A020986")
    assert sums >= 1
    assert not sums >= 2
    assert 10**6 in sums
    assert 0 not in sums


WRITTEN = [
    "A000120", "A002487", "A005187", "A001855", "A006520", "A065363", "A007953", "A000788", "A006165", "A053645",
    "A003714", "A007895", "A278043",
]


@pytest.mark.parametrize("name", WRITTEN)
def test_written_recursions_determine_the_sequence(name: str) -> None:
    found = written_recursion(sequence(name))
    assert found is not None
    system = sequence(name).system.name
    assert fp.Session().solve("a", f"?{system} {', '.join(found)}").sequence == sequence(name)


def test_terms_that_are_given_come_first() -> None:
    text = "?msd_fib a(0)=3, a(1)=9, a(n.0)=-a(n), a(n.01)=a(n)+1"
    found = fp.Session().solve("a", text).sequence
    written = written_recursion(found)
    assert written == ("a(0) = 3", "a(1) = 9", "a(n.0) = -a(n)", "a(n.1) = -a(n) + 1")
    assert fp.Session().solve("a", f"?msd_fib {', '.join(written)}").sequence == found


def test_written_as_people_write() -> None:
    assert written_recursion(sequence("A006520")) == ("a(0) = 0", "a(2n) = 2 a(n) + n", "a(2n+1) = 2 a(n) + n + 1")
    assert written_recursion(sequence("A003714")) == ("a(0) = 0", "a(n.0) = 2 a(n)", "a(n.1) = 2 a(n) + 1")


CLOSED = [
    ("A006257", "a(n) = 2 n - 2*2^m + 1 for 2^m <= n < 2^(m+1)"), ("A000217", "a(n) = 1/2 n^2 + 1/2 n"),
    ("A001855", "a(n) = n m + n - 2*2^m + 1 for 2^m <= n < 2^(m+1)"), ("A002487", None),
    ("A029837", "a(n+1) = m + 1 for 2^m <= n < 2^(m+1)"),
]


@pytest.mark.parametrize(("name", "text"), CLOSED)
def test_closed_forms(name: str, text: str | None) -> None:
    assert closed_form(sequence(name)) == text
    if text is None:
        return
    right = text.split("=", 1)[1].split(" for ")[0].strip()
    python = _python(right)
    for n in range(1, 300):
        value = eval(python, {}, {"n": n, "m": n.bit_length() - 1})
        assert value == sequence(name)[n + ("n+1" in text.split("=")[0])]


@pytest.mark.parametrize(("name", "text"), [
    ("A000201", "a(n) = floor(n phi), phi = (1+sqrt(5))/2"),
    ("A060144", "a(n) = -floor(n phi) + 2 n - 1 for n >= 1, phi = (1+sqrt(5))/2"), ("A003714", None),
])
def test_floors(name: str, text: str | None) -> None:
    found = sequence(name)
    assert closed_form(found) == text
    if text is not None:
        lower = [(n + isqrt(5 * n * n)) // 2 for n in range(1000)]
        sign, twice, rest = (1, 0, 0) if name == "A000201" else (-1, 2, -1)
        assert found[1:1000] == [sign * floor + twice * n + rest for n, floor in enumerate(lower)][1:]


#: The last one has another slope for each first digit in base 3.
PIECES = [
    "a(0)=0, a(1)=1, a(2)=1, a(2n)=2a(n), a(2n+1)=a(n)+a(n+1)",
    "a(0)=0, a(1)=1, a(2)=a(3)=2, a(2n)=2a(n), a(2n+1)=a(n)+a(n+1)",
    "a(0)=0, a(1)=1, a(2)=5, a(3n)=3a(n), a(3n+1)=2a(n)+a(n+1), a(3n+2)=a(n)+2a(n+1)",
]


@pytest.mark.parametrize("text", PIECES)
def test_pieces(text: str) -> None:
    """Each piece is true of the numbers between its bounds, and they are all numbers but few."""
    found = fp.Session().solve("a", text).sequence
    said = closed_form(found)
    assert said is not None
    pieces = re.findall(r"a\(n\) = (.*?) for (.*?) <= n < (.*?)(?:, |$)", said)
    assert len(pieces) == 2
    seen = set()
    for m in range(1, 6):
        for right, least, most in pieces:
            values = [eval(_python(part), {}, {"m": m}) for part in (least, most)]
            numbers = range(int(values[0]), int(values[1]))
            seen |= {*numbers}
            assert [eval(_python(right), {}, {"n": n, "m": m}) for n in numbers] == [found[n] for n in numbers]
    assert seen >= {*range(3, 2**6)}


def _python(text: str) -> str:
    return re.sub(r"(\d+/\d+|\d+|\bn) (?=[nm])", r"\1*", text).replace("^", "**")


@pytest.mark.long
@pytest.mark.parametrize("system", ["msd_2", "lsd_3", "msd_fib"])
def test_convolutions(system: str) -> None:
    session = fp.Session(system)
    n = session.counts("n", "i<n")
    other = n if system == "msd_fib" else session.counts("n", "i<=n & Ej i=3*j")
    found = n.convolution(other)
    one, two = n[:50], other[:50]
    assert found[:50] == [sum(one[i] * two[m - i] for i in range(m + 1)) for m in range(50)]
    if system != "msd_fib":
        with pytest.raises(LimitError, match="rows"):
            (n**20).convolution(n**20)
    with pytest.raises(AutomatonError):
        n.convolution("n")  # type: ignore[arg-type]
