"""Words in arithmetic whose letters may be negative: a letter may be -1, a term that is computed may not."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from tests.plan.making import known

PLANS = ("textbook", "optimized")


def letter(n: int) -> int:
    """N: -1 at powers of two, 2 elsewhere."""
    return -1 if n > 0 and n & (n - 1) == 0 else 2


def natural(value: int) -> bool:
    return value >= 0


#: Formula, truth over x and y.
TABLE: list[tuple[str, Callable[[int, int], bool]]] = [
    ("N[x]=y", lambda x, y: letter(x) == y),
    ("N[x]<y", lambda x, y: letter(x) < y),
    ("N[x]<=y-3", lambda x, y: y >= 3 and letter(x) <= y - 3),
    ("~N[x]<=y-3", lambda x, y: not (y >= 3 and letter(x) <= y - 3)),
    ("N[x]+3=y", lambda x, y: letter(x) + 3 == y),
    ("N[x]+y=3", lambda x, y: letter(x) + y == 3),
    ("N[x]+y<2", lambda x, y: natural(letter(x) + y) and letter(x) + y < 2),
    ("~N[x]+y<2", lambda x, y: not (natural(letter(x) + y) and letter(x) + y < 2)),
    ("N[x]+y>=N[y]", lambda x, y: natural(letter(x) + y) and letter(x) + y >= letter(y)),
    ("N[x]+0=@-1 | y=1", lambda x, y: y == 1),
    ("~(N[x]+0=@-1) & y=1", lambda x, y: y == 1),
    ("N[x]+0!=@-1 & y=y", lambda x, y: letter(x) >= 0),
    ("N[x]+1=0 & y=y", lambda x, y: letter(x) == -1),
    ("(N[x]+0)+1=0 | y=1", lambda x, y: y == 1),
    ("N[x]+N[y]<0", lambda x, y: False),
    ("N[x]+N[y]=1", lambda x, y: letter(x) + letter(y) == 1),
    ("N[x]-N[y]=3", lambda x, y: letter(x) - letter(y) == 3),
    ("N[x]-N[y]<=0", lambda x, y: letter(x) == letter(y)),
    ("N[x]*N[y]=1", lambda x, y: letter(x) == letter(y) == -1),
    ("N[x]*N[y]<1", lambda x, y: False),
    ("N[x]*y=0", lambda x, y: y == 0),
    ("N[x]*y<=4", lambda x, y: y == 0 or (letter(x) == 2 and y <= 2)),
    ("N[x]*y!=4", lambda x, y: y == 0 or (letter(x) == 2 and y != 2)),
    ("N[x]/2=0 | y=1", lambda x, y: y == 1),
    ("N[x]/2=@-1 | y=1", lambda x, y: y == 1),
    ("N[x]/2<1 | y=1", lambda x, y: y == 1),
    ("N[x]/2=1 & y=y", lambda x, y: letter(x) == 2),
    ("~N[x]/2=0 & y=y", lambda x, y: True),
    ("(N[x]+y)/2=1", lambda x, y: natural(letter(x) + y) and (letter(x) + y) // 2 == 1),
    ("x-N[y]=y", lambda x, y: x - letter(y) == y),
    ("x-3=y-5", lambda x, y: x >= 3 and y >= 5 and x - 3 == y - 5),
    ("~x-3=y-5", lambda x, y: not (x >= 3 and y >= 5 and x - 3 == y - 5)),
    ("x-3=y-3", lambda x, y: x >= 3 and x == y),
    ("x-3!=y-5", lambda x, y: x >= 3 and y >= 5 and x - 3 != y - 5),
    ("x-2-y=1", lambda x, y: x - 2 - y == 1),
    ("x-(2+y)<=1", lambda x, y: 0 <= x - 2 - y <= 1),
    ("2*(x-2)=y-2", lambda x, y: x >= 2 and y >= 2 and 2 * (x - 2) == y - 2),
    ("0*(x-2)=y-2", lambda x, y: x >= 2 and y == 2),
    ("(x-2)*0=0 & y=y", lambda x, y: x >= 2),
    ("0/(5-3)=x-2 & y=y", lambda x, y: x == 2),
    ("(3-5)/2=x | y=1", lambda x, y: y == 1),
]


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(("text", "truth"), TABLE, ids=[text for text, _ in TABLE])
def test_terms(text: str, truth: Callable[[int, int], bool], plan: str) -> None:
    found = known().relation(text, plan=plan)
    assert found.names == ("x", "y")
    wrong = [values for values in product(range(9), repeat=2) if (values in found) is not truth(*values)]
    assert not wrong
