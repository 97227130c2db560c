"""Tuples of relations as they are asked for: their order, numbers on both sides of 2^63, and budgets."""

from __future__ import annotations

import sys
from itertools import islice, product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.base.errors import AutomatonError, BudgetSpent, DigitError, NotFinite, NotInstalled
from fibprover.base.limits import UNLIMITED, Limits
from fibprover.numeration.composed import ComposedSystem
from tests.oracle import kernels as oracle

SYSTEMS = [
    "msd_2", "msd_3", "msd_10", "msd_fib", "msd_trib", "lsd_fib", "lsd_3", "msd_neg_2", "msd_neg_fib", "msd_pell",
    "msd_ost_0_3_per_1_2", "msd_wythoff_3",
]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("formula", ["x=x", "x<y", "x+y=z", "x<3", "x+y=5 & z=x", "x<0", "Ey x=3*y+1"])
def test_against_the_plain_twin(system: str, formula: str) -> None:
    relation = fp.Session(system).relation(formula)
    count = 150
    a, expected = relation.automaton, []
    for codes in oracle.words(a, count):
        words = tuple(zip(*map(a.letter, codes), strict=True)) or ((),) * len(a.tracks)
        expected.append(tuple(map(fp.system_named(system).value, words)))
    assert relation.first(count) == list(islice(relation, count)) == list(islice(relation.tuples(), count)) == expected


@pytest.mark.parametrize("system", ["msd_2", "msd_fib", "msd_neg_2", "lsd_10"])
def test_numbers_of_any_size(system: str) -> None:
    """The numbers around 2^63 come from the kernel and from Python; their order does not show which."""
    session = fp.Session(system)
    for low in (2**62 - 3, 2**63 - 40, 2**64 - 3, 10**30):
        found = session.relation(f"x>={low} & x<{low + 90} & y+x={2 * low}")
        listed = found.first(200)
        assert {x for x, _ in listed} <= set(range(low, low + 90))
        assert all(x + y == 2 * low for x, y in listed)
        assert len(set(listed)) == len(listed) == len(found) == found.count()
        assert len(found) == (90 if found.sorts[0].system.startswith("msd_neg") else min(90, low + 1))
    values = session.relation(f"x>={2**63 - 10} & x<{2**63 + 10}").values()
    assert sorted(values) == list(range(2**63 - 10, 2**63 + 10))


def test_a_continued_search_is_one_search() -> None:
    a = fp.Session("msd_fib").relation("x<=y").automaton
    weights = fp.system_named("msd_fib").short_weights()
    whole = kernel_calls.WordStream(a, UNLIMITED, [weights, weights]).numbers(1000)
    stream = kernel_calls.WordStream(a, UNLIMITED, [weights, weights])
    parts = [stream.numbers(size) for size in (0, 1, 1, 2, 7, 500, 489)]
    assert [number for part in parts for number in part] == whole
    short = kernel_calls.WordStream(a, UNLIMITED, [weights[:3]] * 2)
    few = short.numbers(1000)
    assert [tuple(few[i : i + 2]) for i in range(0, len(few), 2)] == [
        pair for pair in sorted(product(range(5), repeat=2), key=lambda p: whole_index(whole, p)) if pair[0] <= pair[1]
    ]
    assert short.words(1) == [oracle.words(a, len(few) // 2 + 1)[-1]]


def whole_index(whole: list[int], pair: tuple[int, ...]) -> int:
    pairs = list(zip(whole[::2], whole[1::2], strict=True))
    return pairs.index(pair) if pair in pairs else -1


def test_a_sparse_relation() -> None:
    session = fp.Session("msd_2")
    session.reg("power", ["msd_2"], "0*10*")
    assert session.relation("$power(x)").values(200) == [2**n for n in range(200)]


@pytest.mark.long
def test_a_system_of_automata_alone() -> None:
    fib = fp.system_named("msd_fib")
    system = ComposedSystem("msd_own", fib.digits, fib.valid.with_tracks(
        (fib.valid.tracks[0]._replace(system="msd_own"),)
    ), fib.linear((1, 1, -1), "=", 0).with_tracks(
        tuple(track._replace(system="msd_own") for track in fib.linear((1, 1, -1), "=", 0).tracks)
    ))
    session = fp.Session()
    session.add_system(system)
    assert session.relation("?msd_own x<=y").first(300) == fp.Session("msd_fib").relation("x<=y").first(300)


class TestSizes:
    def test_finite(self) -> None:
        session = fp.Session("msd_fib")
        for formula, size in [("x<1000", 1000), ("x<y & y<40", 780), ("x<0", 0), ("x=0", 1), (f"x<{10**30}", 10**30)]:
            assert session.relation(formula).count() == size
        assert len(session.relation("x<1000")) == 1000
        words = fp.Session().reg("w", [(0, 7)], "(0|7)(0|7)|()")
        assert len(words) == 5 == len(list(words))

    def test_infinite(self) -> None:
        relation = fp.Session().relation("x>3")
        for size in (lambda: len(relation), relation.count, relation.values, relation.to_numpy, lambda: list(relation)):
            with pytest.raises(NotFinite, match="infinitely many") as raised:
                size()
            assert isinstance(raised.value, OverflowError)
            assert "first(n)" in raised.value.hint

    def test_values_without_a_count(self) -> None:
        assert fp.Session("msd_fib").relation("x>3 & x<9").values() == [4, 5, 6, 7, 8]
        assert fp.Session("msd_neg_2").relation("x>_3 & x<2").values() == [0, 1, -2, -1]


class TestBudgets:
    def test_seconds(self) -> None:
        relation = fp.Session().relation("x>=0")
        with pytest.raises(BudgetSpent) as raised:
            relation.first(10**12, Limits(seconds=0.2))
        assert raised.value.resource == "seconds"
        with pytest.raises(BudgetSpent):
            for _ in relation.tuples(Limits(seconds=0.1)):
                pass

    def test_bytes(self) -> None:
        relation = fp.Session().relation("x>=0")
        room = kernel_calls.resident_bytes() + (64 << 20)
        with pytest.raises(BudgetSpent) as raised:
            relation.first(10**12, Limits(bytes=room, seconds=60))
        assert raised.value.resource == "bytes"
        assert kernel_calls.resident_bytes() < room + (50 << 20)

    def test_lists_that_no_computer_holds_do_not_begin_with_room_for_them(self) -> None:
        assert fp.Session().relation("x<4").first(10**30) == [(0,), (1,), (2,), (3,)]

    def test_nothing_is_computed_before_it_is_asked_for(self) -> None:
        """Four tuples of a relation whose fifth takes a search through 10^6 lengths and more."""
        relation = fp.Session("msd_10").relation(f"x<4 | x={10**300}")
        assert [next(relation.tuples()) for _ in range(3)] == [(0,)] * 3
        assert relation.least() == (0,)


class TestFixing:
    def test_where(self) -> None:
        session = fp.Session("msd_fib")
        less = session.relation("x<y")
        assert less.where(y=5) == less(y=5) == session.relation("x<5")
        assert less.where(x=0) == session.relation("y>0")
        assert session.relation("x+y=z & w<z").where(z=7, w=3) == session.relation("x+y=7")
        assert session.relation("x+y=z & w<z").where(z=3, w=3).is_empty()
        assert less.where(y=10**40).count() == 10**40
        assert less(1, 2) is True
        assert less(2, 1) is False
        assert fp.Session("lsd_fib").relation("x<y").where(y=6).values() == [0, 1, 2, 3, 4, 5]
        assert fp.Session("msd_neg_2").relation("x+y=0").where(y=-4).values() == [4]

    def test_words(self) -> None:
        session = fp.Session("msd_2")
        found = session.reg("r", [(0, 7), "msd_2"], "[7,0]*[7,1]")
        assert found.where(x0=(7, 7)).values() == [1]
        assert found.where(x0=(0, 7)).is_empty()
        assert next(found.where(x1=1).tuples()) == ((7,),)

    @pytest.mark.parametrize(
        ("values", "error", "says"),
        [
            ({"z": 3}, AutomatonError, "no variable z"), ({"x": 1, "y": 2}, AutomatonError, "no relation is left"),
            ({"x": -1}, DigitError, "negative"), ({"x": "3"}, DigitError, "'3'"), ({"x": True}, DigitError, "True"),
        ],
    )
    def test_what_cannot_be_fixed(self, values: dict[str, object], error: type[Exception], says: str) -> None:
        with pytest.raises(error, match=says):
            fp.Session().relation("x<y").where(**values)

    def test_both_ways_of_calling(self) -> None:
        with pytest.raises(AutomatonError, match="by name"):
            fp.Session().relation("x<y")(1, y=2)  # type: ignore[call-overload]


class TestIntegers:
    def test_lists_and_arrays_are_tuples(self) -> None:
        less = fp.Session().relation("x<y")
        assert [1, 2] in less
        assert [2, 1] not in less
        assert np.array([1, 2]) in less
        assert (np.int64(1), np.uint8(2)) in less
        assert np.int32(3) in fp.Session().relation("x<5")
        with pytest.raises(DigitError):
            [1, 2, 3] in less  # noqa: B015

    def test_everywhere(self) -> None:
        relation = fp.Session().relation("x<100")
        five: Any = np.int64(5)
        assert relation.first(five) == relation.first(5)
        assert relation.values(five) == relation.values(5)
        assert relation.count(five) == 5
        assert fp.Session().relation("x<y").where(x=five) == fp.Session().relation("x<y").where(x=5)
        with pytest.raises(DigitError, match="integer"):
            relation.first(2.5)  # type: ignore[arg-type]


class TestTables:
    def test_numpy(self) -> None:
        relation = fp.Session("msd_fib").relation("x<y & y<4")
        assert relation.to_numpy().tolist() == [list(pair) for pair in relation]
        assert relation.to_numpy().dtype == np.int64
        assert relation.to_numpy(2).shape == (2, 2)
        assert fp.Session().relation("x<0").to_numpy().shape == (0, 1)
        large = fp.Session().relation(f"x>={2**70} & x<{2**70 + 2}").to_numpy()
        assert large.tolist() == [[2**70], [2**70 + 1]]
        assert large.dtype == object
        assert fp.Session("msd_neg_2").relation(f"x=_{2**62}").to_numpy().tolist() == [[-(2**62)]]
        with pytest.raises(AutomatonError, match="words"):
            fp.Session().reg("w", [(0, 7)], "7").to_numpy()

    def test_pandas(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With a module that takes the place of pandas."""
        module: Any = ModuleType("pandas")
        module.DataFrame = lambda data, columns: (data.tolist(), columns)
        monkeypatch.setitem(sys.modules, "pandas", module)
        assert fp.Session().relation("x<y & y<3").to_pandas() == ([[0, 1], [0, 2], [1, 2]], ["x", "y"])
        monkeypatch.setitem(sys.modules, "pandas", None)
        with pytest.raises(NotInstalled, match="pandas"):
            fp.Session().relation("x<3").to_pandas()
