"""Relations over all slopes against words that are made from the definition, for random slopes, under both plans."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fibprover import Session
from tests.families import oracle
from tests.families.oracle import agree, by_floors, characteristic
from tests.few import few

Word = list[int]


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session("msd_sturmian")
    made.define("feq", "Ak k<n => C[i+k]=C[j+k]")
    made.define("pal", "Ak k<n => C[i+k]=C[i+n-1-k]")
    return made


def test_the_words_of_the_oracle_are_those_of_floors() -> None:
    assert characteristic([2, *[1] * 20], 500) == by_floors((3 - 5**0.5) / 2, 500)
    assert characteristic([1, 2, *[3] * 15], 500) == by_floors(1 / (1 + 1 / (2 + (13**0.5 - 3) / 2)), 500)
    assert characteristic([1, *[2] * 15], 500) == by_floors(1 / 2**0.5, 500)


@pytest.mark.long
def test_the_letters_of_the_characteristic_word(session: Session) -> None:
    agree(session.relation("C[n]=1").automaton, lambda w, n: w[n] == 1, 1, largest=240, slopes=200, seed=1)


#: Formulas with functions of a word and of the free variables.
CASES: list[tuple[str, Callable[..., bool]]] = [
    ("x+y=z", lambda w, x, y, z: x + y == z),
    ("x<y", lambda w, x, y: x < y),
    ("2*x<y+3", lambda w, x, y: 2 * x < y + 3),
    ("3*x-5*y=2", lambda w, x, y: 3 * x - 5 * y == 2),
    ("x/3=y", lambda w, x, y: x // 3 == y),
    ("x-2=y", lambda w, x, y: x - 2 == y),
    ("x!=y+1", lambda w, x, y: x != y + 1),
    ("x=17", lambda w, x: x == 17),
    ("x*0=0 & C[x]=1", lambda w, x: w[x] == 1),
    ("2*x=2*y+1", lambda w, x, y: False),
    ("2*x!=2*y+1", lambda w, x, y: True),
    ("C[x]!=C[x]", lambda w, x: False),
    ("C[x-3]=1", lambda w, x: x >= 3 and w[x - 3] == 1),
    ("C[x]+C[y]=1", lambda w, x, y: w[x] + w[y] == 1),
    ("C[2*x]=C[y] <=> C[3*y+1]=1", lambda w, x, y: (w[2 * x] == w[y]) == (w[3 * y + 1] == 1)),
    ("Ak k<n => C[i+k]=C[j+k]", lambda w, i, j, n: w[i : i + n] == w[j : j + n]),
    ("Ak k<n => C[i+k]=C[i+n-1-k]", lambda w, i, n: w[i : i + n] == w[i : i + n][::-1]),
    ("$feq(i,i+p,n)", lambda w, i, n, p: w[i : i + n] == w[i + p : i + p + n]),
    ("Ek k<x & C[k]!=C[y+k]", lambda w, x, y: w[:x] != w[y : y + x]),
    ("Ej j<i & $feq(i,j,n)", lambda w, i, n: any(w[i : i + n] == w[j : j + n] for j in range(i))),
    ("~(Ej j<i & $feq(i,j,n))", lambda w, i, n: all(w[i : i + n] != w[j : j + n] for j in range(i))),
    ("E>=2 j j<i & $feq(i,j,n)", lambda w, i, n: sum(w[i : i + n] == w[j : j + n] for j in range(i)) >= 2),
    ("E=3 j j<i & C[j]=1", lambda w, i: sum(w[:i]) == 3),
    ("Ej j>i & $feq(i,j,n)", lambda w, i, n: True),
    ("Ij $feq(i,j,n)", lambda w, i, n: True),
    ("~(Aj Ek k>j & C[k]=C[i])", lambda w, i: False),
    ("Aj j<=i => Ek k>j & C[k]!=C[j]", lambda w, i: True),
    ("En n>i & $pal(0,n) & C[n]=C[n+1]", lambda w, i: any(
        w[:n] == w[:n][::-1] and w[n] == w[n + 1] for n in range(i + 1, len(w) - 1)
    )),
]


@pytest.mark.parametrize("plan", ["optimized", "textbook"])
@pytest.mark.parametrize(("formula", "expected"), few(CASES, 4), ids=[formula for formula, _ in CASES])
def test_against_words(session: Session, formula: str, expected: Callable[..., bool], plan: str) -> None:
    relation = session.relation(formula, plan=plan)
    agree(relation.automaton, expected, len(relation.names), largest=14, slopes=60, seed=len(formula))


def test_the_oracle_notices_a_wrong_formula(session: Session) -> None:
    wrong = session.relation("Ak k<n => C[i+k]=C[j+k+1]").automaton
    with pytest.raises(AssertionError):
        agree(wrong, lambda w, i, j, n: w[i : i + n] == w[j : j + n], 3, largest=14, slopes=60, seed=1)


def test_numbers_of_the_oracle() -> None:
    assert oracle.denominators([2, 1, 1, 3]) == [1, 2, 3, 5, 18]
    assert oracle.digits(17, [2, 1, 1, 3]) == [0, 1, 0, 3]


#: Words that are defined by terms, and their letters.
TERMS: list[tuple[str, Callable[[Word, int], int]]] = [
    ("1-C[n]", lambda w, n: 1 - w[n]),
    ("2*C[n]+1 if n>3 else 5", lambda w, n: 2 * w[n] + 1 if n > 3 else 5),
    ("C[n] if (Em m<n & C[m]=1) else 7", lambda w, n: w[n] if 1 in w[:n] else 7),
]


@pytest.mark.parametrize(("term", "letter"), TERMS, ids=[term for term, _ in TERMS])
def test_words_by_terms(term: str, letter: Callable[[Word, int], int]) -> None:
    session = Session("msd_sturmian")
    word = session.define_word("X", ["n"], term)
    for value in word.outputs:
        relation = session.relation(f"X[n]=@{value}")
        agree(relation.automaton, lambda w, n, value=value: letter(w, n) == value, 1, largest=40, slopes=40, seed=3)
    both = session.relation("X[n]=X[m] & ~(X[n]<C[m])")
    agree(
        both.automaton, lambda w, m, n: letter(w, n) == letter(w, m) and letter(w, n) >= w[m], 2, largest=20, slopes=40,
        seed=4,
    )
