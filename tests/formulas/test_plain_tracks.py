"""Quantified words over a plain alphabet beside numbers: what stays is a relation of numbers.

The word V reads a word f over {5,7} along the digits of n and gives the letter of f at the least
significant digit of n that is not 0.  So f assigns 5 or 7 to every power of 2, and what formulas
say of V is about the greatest power of 2 that divides a number.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import fibprover as fp

PLANS = ("textbook", "optimized")
LARGEST = 20

V_TEXT = """{5, 7} msd_2

0 0
* 0 -> 0
5 1 -> 1
7 1 -> 2

1 5
* 0 -> 1
5 1 -> 1
7 1 -> 2

2 7
* 0 -> 2
5 1 -> 1
7 1 -> 2
"""


@cache
def v2(n: int) -> int:
    """Exponent of the greatest power of 2 that divides n; -1 for n = 0, of which V says 0."""
    return (n & -n).bit_length() - 1


#: (formula, truth at the values of its free variables in order)
FAMILIES: list[tuple[str, Callable[..., bool]]] = [
    ("Ef V[f][x]=@7", lambda x: x > 0),
    ("Ef V[f][x]=@0", lambda x: x == 0),
    ("Ef V[f][x]=@0 | x=3", lambda x: x in (0, 3)),
    ("Af V[f][x]=@0", lambda x: x == 0),
    ("~Ef V[f][x]=@7", lambda x: x == 0),
    ("x<=4 & ~Ef V[f][x]=@7", lambda x: x == 0),
    ("Ef V[f][x]=@5 & V[f][y]=@7", lambda x, y: x > 0 and y > 0 and v2(x) != v2(y)),
    ("Ef V[f][x]!=V[f][y]", lambda x, y: v2(x) != v2(y)),
    ("Af V[f][x]=V[f][y]", lambda x, y: v2(x) == v2(y)),
    ("~Ef V[f][x]=@5 & V[f][y]=@7", lambda x, y: not (x > 0 and y > 0 and v2(x) != v2(y))),
    ("Ef,x V[f][x]=@7 & y=x+3 & V[f][y]=@5", lambda y: y > 3),
    # Where a term is longer than the variables that stay, the word is as long as the term.
    ("Ef V[f][x]=@7 & V[f][x+3]=@5", lambda x: x > 0),
    ("Ef V[f][x]=@7 & V[f][3*x+y]=@5", lambda x, y: x > 0 and v2(x) != v2(3 * x + y)),
    ("Ef,x V[f][x]=@7 & V[f][x+y]=@5", lambda y: y > 0),
    ("Ef,x x>=y & V[f][x]=@7 & V[f][x+1]=@5", lambda y: True),
    ("y<6 & ~Ef V[f][y]=@7 & V[f][y+7]=@5", lambda y: y == 0),
    ("~Ef V[f][y]=@7 & V[f][y+7]=@5", lambda y: y == 0),
    ("y>3 & Ef,x (x>y & (Az z<y => V[f][x+z+1]!=@0))", lambda y: y > 3),
    ("Ef,x V[f][x]=@7 & y=x+2 & V[f][y]=@7 & V[f][1]=@5", lambda y: y > 2 and y % 2 == 0),
    ("Ex Ef V[f][x]=@7 & y=x+3 & V[f][y]=@5", lambda y: y > 3),
    ("Ef Ax (x<=y & x>0) => V[f][x]=@7", lambda y: True),
    ("Ef V[f][y]=@5 & (Ax (x<y & x>0) => V[f][x]=@7)", lambda y: y > 0 and y & (y - 1) == 0),
    ("Ef V[f][y]=@7 & (Ex x<y & V[f][x]=@5)", lambda y: y > 1),
    ("y<=8 & (Ef V[f][y]=@5 & (Ax (x<y & x>0) => V[f][x]=@7))", lambda y: y in (1, 2, 4, 8)),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> fp.Session:
    file: Path = tmp_path_factory.mktemp("words") / "V.txt"
    file.write_text(V_TEXT, encoding="utf-8")
    made = fp.Session("msd_2")
    made.namespace.load_word(file)
    return made


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(("text", "truth"), FAMILIES, ids=[text for text, _ in FAMILIES])
def test_relation(session: fp.Session, text: str, truth: Callable[..., bool], plan: str) -> None:
    found = session.relation(text, plan=plan)
    numbers = [place for place, sort in enumerate(found.sorts) if sort.system]
    assert len(numbers) == len(found.sorts), f"{found} still speaks of f"
    every = list(product(range(LARGEST), repeat=len(numbers)))
    assert [values for values in every if values in found] == [values for values in every if truth(*values)]


@pytest.mark.parametrize(("text", "truth"), FAMILIES, ids=[text for text, _ in FAMILIES])
def test_plans_agree(session: fp.Session, text: str, truth: Callable[..., bool]) -> None:
    assert session.relation(text, plan="textbook") == session.relation(text, plan="optimized")


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("Ax x>0 => Ef V[f][x]=@7", True),
        # Beside f a number has as many digits as f has letters, in the peer as here: f stands for
        # the beginning of an infinite word, and x for the numbers that it reaches.
        ("Ef Ax x>0 => V[f][x]=@7", True),
        # So a part without f must not be taken out from under the word's quantifier.
        ("Ef Ax V[f][1]=@9 | x<5", True),
        ("Ef (V[f][1]=@7 & Ax x<5)", False),
        ("Af Ex V[f][1]=@0 & x>5", False),
        ("Ax Ef Ay (y>0 & y<=x) => V[f][y]=@7", True),
        ("Ex,f V[f][x]=@7 & V[f][2*x]=@7 & V[f][4*x]=@5", True),
        ("Ef,x V[f][x]=@7 & V[f][3*x]=@5", False),
    ],
)
def test_closed(session: fp.Session, text: str, truth: bool, plan: str) -> None:
    assert bool(session.eval(text, plan=plan)) is truth
