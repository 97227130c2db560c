"""Words as infinite sequences: letters at numbers, slices, iteration, and tables of several indices."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

import fibprover as fp
from fibprover.base.errors import AutomatonError, DigitError, FibproverError, NoLetter


def word(name: str) -> fp.AutomaticWord:
    return fp.Session().namespace.library_words[name]


T, F = word("T"), word("F")


def thue_morse(n: int) -> int:
    return bin(n).count("1") % 2


def test_letters() -> None:
    assert [T[n] for n in range(100)] == [thue_morse(n) for n in range(100)] == T[:100] == T.prefix(100)
    assert T[10**30] == thue_morse(10**30)
    assert T[np.int64(5)] == T[5] == T.value(5) == T.value((1, 0, 1)) == 0
    assert list(islice(T, 10)) == [0, 1, 1, 0, 1, 0, 0, 1, 1, 0]
    assert T[5] + 1 == 1


@pytest.mark.parametrize("system", ["msd_2", "msd_fib", "lsd_fib", "msd_10", "msd_trib", "msd_neg_2", "msd_pell"])
def test_against_indices_one_by_one(system: str) -> None:
    session = fp.Session(system)
    session.define("p", "(Ey n=3*y+1) | n=7")
    session.run("combine W p;")
    made = session.namespace.words["W"]
    expected = [int(n % 3 == 1 or n == 7) for n in range(3000)]
    assert made.prefix(3000) == list(islice(made, 3000)) == expected == [made[n] for n in range(3000)]
    assert made[5:50:7] == expected[5:50:7]
    assert made[2990:2995] == expected[2990:2995]
    assert made[10:2:-3] == expected[10:2:-3]
    assert made[10**20 : 10**20 + 3] == [int(n % 3 == 1) for n in range(10**20, 10**20 + 3)]


def test_slices_without_letters() -> None:
    assert T[5:5] == T[7:3] == T[:0] == []
    assert T[3::-1] == [0, 1, 1, 0]


@pytest.mark.parametrize("at", [-1, slice(None), slice(3, None), slice(-3, 5), slice(0, -1), slice(None, 3, -1)])
def test_where_there_is_no_letter(at: Any) -> None:
    with pytest.raises(NoLetter, match="T has no ") as raised:
        T[at]
    assert isinstance(raised.value, IndexError)


@pytest.mark.parametrize("at", ["3", 1.5, None, (1, 2), (), slice(0, 9, 0), slice(0, "9")])
def test_what_is_no_index(at: Any) -> None:
    with pytest.raises(FibproverError):
        T[at]


def test_a_word_that_is_not_everywhere() -> None:
    session = fp.Session()
    session.run('reg odd msd_2 "(0|1)*1"; combine W odd=5;')
    made = session.namespace.words["W"]
    assert made[3] == 5
    assert made.value(3) == 5


def test_integers_as_indices() -> None:
    session = fp.Session("msd_neg_2")
    session.define("p", "n=_2")
    session.run("combine W p;")
    made = session.namespace.words["W"]
    assert made[-2] == 1
    assert made[-3:2] == [0, 1, 0, 0, 0]


def test_several_indices() -> None:
    session = fp.Session("msd_fib")
    session.define("p", "x+1=y")
    session.run("combine W p;")
    made = session.namespace.words["W"]
    assert made[3, 4] == made.value(3, 4) == 1
    assert made[3, 5] == 0
    for wrong in (3, (1, 2, 3)):
        with pytest.raises(DigitError, match="2 indices"):
            made[wrong]
    for ask in (lambda: made[:3], lambda: next(iter(made)), lambda: made.prefix(3)):
        with pytest.raises(AutomatonError, match="2 indices"):
            ask()


def test_a_system_of_the_session() -> None:
    session = fp.Session()
    session.add_system(fp.recurrence_system("msd_own", (3, 1), (1, 4)))
    made = session.define_morphic_word("W", [[0, 1], [1, 0]], [0, 1], "msd_2")
    assert made[3] == 0
    session.define("p", "?msd_own n>=3")
    session.run("combine V p;")
    assert session.namespace.words["V"][:6] == [0, 0, 0, 1, 1, 1]


def test_text() -> None:
    assert str(T).splitlines()[1].startswith("  0110100110010110")
    assert str(F).splitlines()[0] == "word over msd_fib: 2 states, letters 0, 1"
