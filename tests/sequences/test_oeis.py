"""Sequences that the library knows: each is found by its own equations, and others are not."""

from __future__ import annotations

import sys
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

import fibprover as fp
from fibprover.base.errors import NotInstalled
from fibprover.sequences.catalogue import KNOWN
from fibprover.sequences.series import Series
from tests.sequences.regular import EXAMPLES, first
from tests.sequences.test_catalogue import BOTH

NUMBERS = ["A000120", "A002487", "A001855", "A003714", "A022290", "A000201", "A030101"]


def solved(number: str) -> Series:
    texts = [part for pair in KNOWN[number].by_name.items() for part in pair]
    found: Series = fp.Session().solve(*texts).sequences["a"]
    return found


def test_first_terms() -> None:
    """The terms of the library are those by definitions; test_catalogue.py looks at the others."""
    assert {each.name for each in EXAMPLES} <= set(KNOWN) <= {*(each.name for each in EXAMPLES), *BOTH}
    for each in EXAMPLES:
        assert list(KNOWN[each.name].terms) == first(each, len(KNOWN[each.name].terms)), each.name


@pytest.mark.parametrize("number", NUMBERS)
def test_found_by_another_way(number: str) -> None:
    """A multiple, less the same, is the sequence in another representation."""
    sequence = solved(number)
    assert number in [each.number for each in fp.oeis(2 * sequence - sequence)]
    assert number not in [each.number for each in fp.oeis(sequence + 1)]


def test_the_same_first_terms_are_no_proof() -> None:
    session = fp.Session()
    almost = solved("A000120") + session.counts("n", "n=40 & i=0")
    assert almost[:40] == solved("A000120")[:40]
    assert fp.oeis(almost) == []


def test_powers_of_a_base_and_words() -> None:
    session = fp.Session()
    ones = session.solve("a", "a(0)=0, a(4n)=a(n), a(4n+1)=a(4n+2)=a(n)+1, a(4n+3)=a(n)+2").sequence
    assert ones.system.name == "msd_4"
    assert [str(each) for each in fp.oeis(ones)] == ["A000120, ones in base 2"]
    parity = session.solve("t", "t(0)=0, t(2n)=t(n), t(2n+1)=1-t(n)").sequence
    assert [each.number for each in fp.oeis(parity)] == ["A010060"]
    (changes,) = fp.oeis(session.solve("u", "u(n)=1+T[n+1]-T[n]").sequence)
    assert changes.number == "A036577" and changes.relation


# -- other libraries, of which these have what is needed ----------------------------------------


def test_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    def frame(columns: dict[str, list[Any]], dtype: Any) -> dict[str, list[Any]]:
        assert dtype is object
        return columns

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=frame))
    session = fp.Session()
    assert (session.counts("n", "i<n") * Fraction(1, 2)).to_pandas(3) == {
        "n": [0, 1, 2], "value": [0, Fraction(1, 2), 1],
    }
    pairs = session.counts(["z", "y"], "x<y & x<z")
    found = pairs.to_pandas(9)
    assert found["value"] == [min(y, z) for y, z in zip(found["y"], found["z"], strict=True)]


def test_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    library = SimpleNamespace(Matrix=list, Rational=Fraction)
    monkeypatch.setitem(sys.modules, "sympy", library)
    for sequence in (solved("A002487"), fp.Session("lsd_2").counts("n", "i<n") * Fraction(1, 3)):
        v, matrices, w = sequence.to_sympy()
        assert [[*map(Fraction, sequence.v)]] == v and [[Fraction(each)] for each in sequence.w] == w
        assert matrices[1,] == [[*map(Fraction, row)] for row in sequence.matrices[1,]]


def test_the_real_pandas() -> None:
    pytest.importorskip("pandas")
    frame = solved("A002487").to_pandas(10)
    assert frame["value"].tolist() == [0, 1, 1, 2, 1, 3, 2, 3, 1, 4]
    assert frame["n"].tolist() == list(range(10))
    assert (fp.Session().counts("n", "i<n") * Fraction(1, 3)).to_pandas(3)["value"].sum() == 1


def test_the_real_sympy() -> None:
    sympy = pytest.importorskip("sympy")
    sequence = solved("A002487")
    v, matrices, w = sequence.to_sympy()
    row = v
    for digit in f"{10**9:b}":
        row = row * matrices[int(digit),]
    assert (row * w)[0] == sequence[10**9]
    # The sums below 2^k are 1/2*3^k - 1/2.
    assert (matrices[0,] + matrices[1,]).eigenvals() == {sympy.Integer(1): 1, sympy.Integer(3): 1}


@pytest.mark.parametrize("name", ["pandas", "sympy"])
def test_without_libraries(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    numbers = fp.Session().counts("n", "i<n")
    with pytest.raises(NotInstalled, match=name):
        numbers.to_pandas(3) if name == "pandas" else numbers.to_sympy()
