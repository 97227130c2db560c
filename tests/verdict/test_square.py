"""The pairs of a relation on a square board."""

from __future__ import annotations

import pytest

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits
from fibprover.frontends.cli.main import main
from fibprover.prover.verdict.relation import pairs_in_square
from fibprover.workspace.session import Session


@pytest.mark.parametrize("size", [1, 2, 3, 21])
@pytest.mark.parametrize(
    "formula",
    [
        "?msd_2 a<b", "?msd_fib a=b+1 | b>2*a", "?lsd_3 b=2*a+1", "?msd_neg_2 a+b=3", "?msd_neg_fib a<b",
        "?msd_2 a>b+b", "?msd_4 a<0 & b=b", "?msd_neg_2 a<0 & b<0", "?msd_trib a=0 & b=b",
        "a=a & ?msd_fib b>=3",
    ],
)
def test_the_pairs_are_those_in_the_relation(formula: str, size: int) -> None:
    relation = Session("msd_2").relation(formula)
    expected = {(x, y) for x in range(size) for y in range(size) if (x, y) in relation}
    assert pairs_in_square(relation, size) == expected
    less = size // 2 + 1
    assert pairs_in_square(relation, size, second=less) == {(x, y) for x, y in expected if y < less}


def test_integers_end(capsys: pytest.CaptureFixture[str]) -> None:
    # Listing all pairs of integers below a bound has no end: it has to be a square.
    assert main(["board", "?msd_neg_2 a=b", "--size", "3", "--timeout", "20", "--max-memory", "16G"]) == 0
    assert "M34 34h10v10h-10zM44 24h10v10h-10zM54 14h10v10h-10z" in capsys.readouterr().out


@pytest.mark.long
def test_a_large_dense_board() -> None:
    pairs = pairs_in_square(Session("msd_fib").relation("a<=b"), 1000)
    assert len(pairs) == 500_500


def test_the_clock_is_looked_at() -> None:
    relation = Session("msd_2").relation("a<b")
    with pytest.raises(BudgetSpent, match="the list of pairs below 1000"):
        pairs_in_square(relation, 1000, Limits(seconds=1e-9))
