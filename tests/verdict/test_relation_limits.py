"""A relation has the seconds and the bytes of its session in every method that may take long."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import islice

import pytest

import fibprover as fp

SOON = fp.Limits(seconds=1e-9)


def test_relations_have_the_limits_of_their_session() -> None:
    limits = fp.Limits(seconds=30)
    s = fp.Session("msd_fib", limits=limits)
    even = s.relation("Ey x=2*y")
    defined = s.define("even", even)
    less = s.relation("x<y")
    made = (
        even, defined, s["even"], s["$even"], ~even, even & less, even | less, even - less, less.exists("y"),
        less.where(y=5), less.renamed(x="z"), s.reg("one", "msd_fib", "0*1"),
    )
    for relation in made:
        assert isinstance(relation, fp.Relation) and relation.limits == limits
    assert s.relation("x<5", limits=fp.Limits(seconds=3)).limits == fp.Limits(seconds=3)
    assert pickle.loads(pickle.dumps(even)).limits == limits


def test_methods_end_by_the_limits() -> None:
    slow = fp.Session("msd_fib").relation("Ew 7*x=5*y+w & w<9 & z<y")
    late = replace(slow, limits=SOON)
    for spent in (
        lambda: late.first(5000), lambda: late.count(below=10**30), lambda: ~late, lambda: late | late.renamed(x="u"),
        lambda: late.exists("y"), lambda: late - late.renamed(x="u"), lambda: slow.first(5000, SOON),
    ):
        with pytest.raises(fp.BudgetSpent):
            spent()
    assert late.first(3, fp.Limits(seconds=60)) == slow.first(3) == list(islice(late, 3))


def test_the_states_of_a_session_are_no_limit_of_lists() -> None:
    s = fp.Session("msd_fib", limits=fp.Limits(states=60))
    assert s.relation("x<y").first(1000) == fp.Session("msd_fib").relation("x<y").first(1000)
