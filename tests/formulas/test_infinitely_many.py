"""`I x`: true where infinitely many x satisfy the rest, on families whose answers are known.

Brute force cannot see infinity; here the answers come from arithmetic, from theorems about the
words, and from the definition: infinitely many means beyond every bound.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from fibprover.language.parser import parse_formula
from tests.formulas import prover
from tests.formulas.campaign import MANY, campaign
from tests.oracle.brute import free_variables
from tests.oracle.definitions import SYSTEMS, fibonacci_word, words_of, zeckendorf
from tests.oracle.strategies import NAMES, Case, cases

PLANS = ("textbook", "optimized")
LARGEST = 25

#: (formula, the y at which it is true); numbers only, so in every system.
NUMBERS: list[tuple[str, Callable[[int], bool]]] = [
    ("Ix x>y", lambda y: True),
    ("Ix x<y", lambda y: False),
    ("Ix x<=y", lambda y: False),
    ("Ix x=y", lambda y: False),
    ("Ix x!=y", lambda y: True),
    ("~Ix x!=y", lambda y: False),
    ("Ix x-y>=7", lambda y: True),
    ("Ix y-x>=0", lambda y: False),
    ("Ix ~y-x>=0", lambda y: True),
    ("Ix x>y & y<5", lambda y: y < 5),
    ("Ix x>y | y<5", lambda y: True),
    ("Ix x<y | y<5", lambda y: y < 5),
    ("Ix x>3 => y=2", lambda y: y == 2),
    ("Ix x>3 <=> y=2", lambda y: y == 2),
    ("Ix x<3 <=> y=2", lambda y: y != 2),
    ("Ix x/3=y", lambda y: False),
    ("Ix x/3>=y", lambda y: True),
    ("Ix 0*x=y-4", lambda y: y == 4),
    ("Ix 2*x+3>5*y & Ez y=3*z", lambda y: y % 3 == 0),
    ("Ix Ez x=3*z+y", lambda y: True),
    ("Ix Ez (x=3*z & z<y)", lambda y: False),
    ("Ix Az z<=y => z<x", lambda y: True),
    ("Ix Iz z>x+y", lambda y: True),
    ("Ix Iz z<x+y", lambda y: False),
    ("Iz Ix x>=y*2 & z>=y", lambda y: True),
    ("(Ix x>y) & ~(Iz z<y) & y>=4", lambda y: y >= 4),
    ("Iy y<x | x=3", lambda x: x == 3),
    ("Ex (x<4 & Iz z+x>y & y>x)", lambda y: y > 0),
    ("Ax (x<4 => Iz (z>x & y>x))", lambda y: y > 3),
]

#: (formula, truth) of closed formulas.
CLOSED: list[tuple[str, bool]] = [
    ("Ex Iy y<x", False),
    ("Ax Iy y>x", True),
    ("Ix Ey y<x", True),
    ("Ix Ay y<x", False),
    ("Ix x=x", True),
    ("Ix x!=x", False),
    ("Ix x<20", False),
    ("Ix Ey x=5*y+3", True),
    ("Ix 3*x=7", False),
    ("~Ix x>=20", False),
    ("Ix,y x<y", True),
    ("Ix,y x>y", False),
    ("Ax,y x<y => Iz (z>x & z>y)", True),
    ("Ex Iz z=x", False),
]

#: (system, formula, the y at which it is true), by theorems about the words.
WORDS: list[tuple[str, str, Callable[[int], bool]]] = [
    ("msd_2", "Ix T[x]!=T[x+y]", lambda y: y > 0),
    ("msd_2", "Ix T[x]=T[x+y]", lambda y: True),
    ("msd_2", "Ix R[x]!=R[x+y]", lambda y: y % 3 != 0),
    ("msd_2", "Ix N[x]=@-1 & N[y]=@-1", lambda y: y > 0 and y & (y - 1) == 0),
    ("msd_2", "Ix N[x]=@-1 & N[x+y]=@-1", lambda y: y == 0),
    ("msd_2", "Ix T[x]+R[x]=y", lambda y: y <= 3),
    ("msd_2", "Ix $power(x) & x>y", lambda y: True),
    ("msd_2", "Ix $power(x) & $power(x+y)", lambda y: y == 0),
    # Squares of Thue-Morse have the orders 2^k and 3*2^k; overlaps there are none.
    ("msd_2", "Ix y>0 & Ak (k<y => T[x+k]=T[x+y+k])", lambda y: y in {1, 2, 3, 4, 6, 8, 12, 16, 24}),
    ("msd_2", "Ix y>0 & Ak (k<=y => T[x+k]=T[x+y+k])", lambda y: False),
    # Palindromes of odd length are at most 3 long.
    ("msd_2", "Ix Ak k<2*y+1 => T[x+k]=T[x+2*y-k]", lambda y: y <= 1),
    ("msd_3", "Ix C[x]=@1 & x>y", lambda y: True),
    ("msd_3", "Ix C[x]=@1 & C[x+1]=@1", lambda y: False),
    ("msd_3", "Ix S[x]!=S[x+y]", lambda y: y > 0),
    ("msd_3", "Ix $power(x) & $power(x+2*y)", lambda y: y == 0),
    # The word recurs, so what occurs once does so infinitely often.
    ("msd_fib", "Ix F[x]=@1 & F[x+y]=@1", lambda y: any(fibonacci_word(x) * fibonacci_word(x + y) for x in range(200))),
    ("msd_fib", "Ix $power(x) & x>y", lambda y: True),
    ("msd_fib", "Ix $shift(y,x)", lambda y: False),
    ("msd_fib", "Ix x>y & Ez $shift(z,x)", lambda y: True),
    # Squares of the Fibonacci word have Fibonacci numbers as their orders.
    ("msd_fib", "Ix y>0 & Ak (k<y => F[x+k]=F[x+y+k])", lambda y: y > 0 and zeckendorf(y).rstrip("0") == "1"),
]


def check(system: str, text: str, truth: Callable[[int], bool], plan: str) -> None:
    """Compares with the known answer; one that names no y holds for the formula as a whole."""
    session = prover.session(system)
    free = free_variables(parse_formula(text).formula)
    if not free:
        assert bool(session.eval(text, plan=plan)) is truth(0), text
        return
    found = session.relation(text, plan=plan)
    assert found.names == tuple(free)
    assert [value for value in range(LARGEST) if value in found] == list(filter(truth, range(LARGEST))), text


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_numbers(system: str, plan: str) -> None:
    for text, truth in NUMBERS:
        check(system, text, truth, plan)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_closed_formulas(system: str, plan: str) -> None:
    for text, truth in CLOSED:
        assert bool(prover.session(system).eval(text, plan=plan)) is truth, text


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(("system", "text", "truth"), WORDS, ids=lambda value: value if isinstance(value, str) else "")
def test_words(system: str, text: str, truth: Callable[[int], bool], plan: str) -> None:
    check(system, text, truth, plan)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_letter_that_occurs_does_so_infinitely_often(system: str, plan: str) -> None:
    for word in words_of(system).values():
        for letter in (*sorted(set(word.outputs)), 7):
            occurs = letter in word.outputs
            session = prover.session(system)
            assert bool(session.eval(f"Ix {word.name}[x]=@{letter}", plan=plan)) is occurs, (word, letter)
            assert not session.eval(f"Ix {word.name}[x]=@{letter} & x<30", plan=plan)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_linear_families(system: str, plan: str) -> None:
    session = prover.session(system)
    for k, c, d in product(range(4), (0, 1, 5), (0, 3)):
        found = session.relation(f"Ix {k}*x+{c}<=y+{d}", plan=plan)
        assert [y in found for y in range(9)] == [k == 0 and c <= y + d for y in range(9)], (k, c, d)
        found = session.relation(f"Ix {k}*x+{c}>=y+{d}", plan=plan)
        assert [y in found for y in range(9)] == [k > 0 or c >= y + d for y in range(9)], (k, c, d)


def means_beyond_every_bound(case: Case) -> None:
    """`Ix P` against `Am Ex (x>m & P)`, as languages."""
    name = min(case.free)
    infinitely = f"I{name} ({case.text})"
    unbounded = f"Am E{name} ({name}>m & ({case.text}))"
    session = prover.session(case.system)
    for plan in PLANS:
        if len(case.free) == 1:
            assert bool(session.eval(infinitely, plan=plan)) is bool(session.eval(unbounded, plan=plan)), (plan, case)
        else:
            one, other = session.relation(infinitely, plan=plan), session.relation(unbounded, plan=plan)
            assert one.names == tuple(sorted(set(case.free) - {name})), (plan, case)
            assert one == other, (plan, case)


@pytest.mark.long
@pytest.mark.random
def test_infinitely_many_means_beyond_every_bound() -> None:
    assert "m" not in NAMES
    campaign(cases(guarded=False).filter(lambda case: bool(case.free)), means_beyond_every_bound, 15)


@MANY
@pytest.mark.random
def test_it_means_that_for_many_formulas(times: int) -> None:
    campaign(cases(guarded=False).filter(lambda case: bool(case.free)), means_beyond_every_bound, 200 * times)
