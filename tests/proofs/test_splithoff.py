"""Splithoff and 2-Splithoff by direct recursion on their rules, and the k-bonacci tables letter by letter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

import fibprover as fp
from tests.proofs.chapters import session, theorem

Position = tuple[int, int]

SIZE = 300

GAMES = {1: "Splithoff", 2: "2-Splithoff"}

# -- the games -----------------------------------------------------------------------------------------


def options(p: int, q: int, a: int, kinds: Sequence[int] | None = None) -> set[Position]:
    """Where one move of a-Splithoff leads from (p,q).

    kinds: for which differences a split is allowed, of what the double takes from the other pile and what
    from the one it clears; for all unless given.
    """
    found = {(p - i, q) for i in range(1, p + 1)} | {(p, q - j) for j in range(1, q + 1)}
    for i, j in product(range(1, p + 1), range(1, q + 1)):
        if abs(i - j) < a:
            found.add((p - i, q - j))
            left = p + q - i - j
            cleared = ([j - i] if i == p else []) + ([i - j] if j == q else [])
            if any(kinds is None or difference in kinds for difference in cleared):
                found |= {(r, left - r) for r in range(left + 1)}
    return found


def by_recursion(a: int, size: int, kinds: Sequence[int] | None = None) -> set[Position]:
    """The P-positions with less than `size` counters a pile, each position by its options."""
    found: set[Position] = set()
    for total in range(2 * size - 1):
        for p in range(max(0, total - size + 1), min(size, total + 1)):
            if found.isdisjoint(options(p, total - p, a, kinds)):
                found.add((p, total - p))
    return found


def by_marking(a: int, size: int, kinds: Sequence[int] | None = None) -> set[Position]:
    """The same the other way around: every P-position marks all from which a move leads to it."""
    marked = np.zeros((size, size), dtype=bool)
    found: set[Position] = set()
    for total in range(2 * size - 1):
        for r in range(max(0, total - size + 1), min(size, total + 1)):
            s = total - r
            if marked[r, s]:
                continue
            found.add((r, s))
            marked[r + 1 :, s] = marked[r, s + 1 :] = True
            for k in range(1, size - r):
                for other in range(max(1, k - a + 1), min(k + a, size - s)):
                    marked[r + k, s + other] = True
            for difference in range(1 - a, a) if kinds is None else kinds:
                for k in range(max(1, 1 - difference), min(size, size - total - difference)):
                    marked[k, k + difference + total] = marked[k + difference + total, k] = True
    return found


def members(relation: fp.Relation) -> set[Position]:
    return {(p, q) for p, q in relation}


@pytest.mark.parametrize("a", [1, 2, 3])
def test_marking_finds_what_recursion_finds(a: int) -> None:
    assert by_marking(a, 45) == by_recursion(a, 45)


@pytest.mark.parametrize("a", [1, 2])
def test_the_set_is_that_of_the_game(a: int) -> None:
    relation = session(GAMES[a]).relation(f"$P(p,q) & p<={SIZE} & q<={SIZE}")
    assert members(relation) == by_marking(a, SIZE + 1)


@pytest.mark.parametrize(("a", "name"), [(1, "splithoff"), (2, "2splithoff")])
def test_the_moves_of_the_formulas_are_those_of_the_game(a: int, name: str) -> None:
    _, moves = theorem(f"{name}.stable").formula.split("=> ~")
    relation = session(GAMES[a]).relation(f"p<=10 & q<=10 & {moves}")
    expected = {(p, q, *option) for p, q in product(range(11), repeat=2) for option in options(p, q, a)}
    assert set(relation) == expected


@pytest.mark.parametrize(
    ("kinds", "same"), [((-1, 0), False), ((-1, 1), False), ((0, 1), True), ((0,), False), ((1,), False)]
)
def test_the_splits_that_2_splithoff_needs(kinds: tuple[int, ...], same: bool) -> None:
    assert (by_marking(2, 100, kinds) == by_marking(2, 100)) is same


# -- the tables of the paper that its text gives ---------------------------------------------------------

GRUNDY = """
0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
1 2 0 4 5 3 7 8 6 10 11 12 9 14 15 16 17 13
2 0 1 5 3 4 8 6 7 11 9 10 13 12 16 14 15 18
3 4 5 6 2 0 1 9 10 12 8 13 7 11 17 18 19 20
4 5 3 2 7 6 9 10 0 1 13 14 11 8 18 19 20 12
5 3 4 0 6 8 10 1 2 7 12 9 15 16 13 17 14 11
6 7 8 1 9 10 3 4 5 13 2 0 14 17 12 20 21 15
7 8 6 9 10 1 4 5 3 14 15 16 2 0 19 21 12 22
8 6 7 10 0 2 5 3 4 15 16 17 18 9 1 12 22 14
9 10 11 12 1 7 13 14 15 16 17 6 8 5 3 2 0 4
10 11 9 8 13 12 2 15 16 17 14 7 19 6 20 4 5 1
11 12 10 13 14 9 0 16 17 6 7 15 20 18 21 22 8 19
12 9 13 7 11 15 14 2 18 8 19 20 10 21 22 23 6 16
13 14 12 11 8 16 17 0 9 5 6 18 21 19 23 7 24 10
14 15 16 17 18 13 12 19 1 3 20 21 22 23 9 8 10 7
15 16 14 18 19 17 20 21 12 2 4 22 23 7 8 11 9 24
16 17 15 19 20 14 21 12 22 0 5 8 6 24 10 9 13 25
17 13 18 20 12 11 15 22 14 4 1 19 16 10 7 24 25 21
"""


@cache
def grundy(p: int, q: int) -> int:
    values = {grundy(*option) for option in options(p, q, 1)}
    return min(set(range(len(values) + 1)) - values)


def test_the_sprague_grundy_values_are_those_of_table_6() -> None:
    printed = [[int(value) for value in row.split()] for row in GRUNDY.strip().splitlines()]
    assert [[grundy(p, q) for q in range(18)] for p in range(18)] == printed
    zeros = {(p, q) for p, q in product(range(18), repeat=2) if printed[p][q] == 0}
    assert members(session("Splithoff").relation("$P(p,q) & p<18 & q<18")) == zeros


def board(size: int) -> NDArray[np.int64]:
    """The Sprague-Grundy values of Splithoff with less than `size` counters a pile, by what the options have seen."""
    found = np.zeros((size, size), np.int64)
    splits: list[set[int]] = [set() for _ in range(2 * size)]
    for total in range(2 * size - 1):
        for p in range(max(0, total - size + 1), total // 2 + 1):
            q = total - p
            least = np.arange(p)
            seen = {*found[:p, q].tolist(), *found[p, :q].tolist(), *found[least, q - p + least].tolist()}
            if p > 0:
                seen |= splits[q - p]
            value = next(number for number in range(len(seen) + 1) if number not in seen)
            found[p, q] = found[q, p] = value
            splits[total].add(value)
    return found


def test_marking_finds_the_values_that_recursion_finds() -> None:
    small = board(18)
    assert all(small[p, q] == grundy(p, q) for p, q in product(range(18), repeat=2))


def test_the_positions_of_values_0_and_1_are_those_of_the_board() -> None:
    values = board(200)
    for name, value in (("P", 0), ("V", 1)):
        relation = session("Sprague-Grundy values of Splithoff").relation(f"${name}(p,q) & p<200 & q<200")
        assert members(relation) == {(int(p), int(q)) for p, q in np.argwhere(values == value)}


def test_every_value_is_in_every_row_as_soon_as_the_proof_says() -> None:
    values = board(200)
    for row, p in zip(values, range(40), strict=False):
        assert len(set(row.tolist())) == 200
        for value in range((200 - 5 * p - 3) // 2):
            assert value in row[: 2 * value + 5 * p + 4]
    diagonal = [int(values[a, a + 3]) for a in range(197)]
    assert 0 not in diagonal



def column(title: str, name: str, count: int) -> list[int]:
    """The first numbers of a row."""
    made = session(title)
    found = members(made.relation(f"${name}(n,x) & n<={count}"))
    assert [n for n, _ in sorted(found)] == list(range(1, count + 1))
    return [x for _, x in sorted(found)]


TABLES = {
    "The tables of the trib word": {
        "x0": "1 3 5 7 8 10 12 14 16 18 20 21 23 25 27 29",
        "x1": "2 6 9 13 15 19 22 26 30 33 37 39 43 46 50 53",
        "x2": "4 11 17 24 28 35 41 48 55 61 68 72 79 85 92 98",
    },
    "The tables of the 4bonacci word": {
        "x0": "1 3 5 7 9 11 13 15 16 18 20 22 24 26",
        "x1": "2 6 10 14 17 21 25 29 31 35 39 43 46 50",
        "x2": "4 12 19 27 33 41 48 56 60 68 75 83 89 97",
        "x3": "8 23 37 52 64 79 93 108 116 131 145 160 172 187",
        "dd0": "1 3 4 6 8 10 11 13 14 16 17 19 21 23 24",
        "dd1": "2 5 9 12 15 18 22 25 27 30 34 37 40 43 47",
        "sigma": "7 20 32 45 55 68 80 93 100 113 125 138 148 161 173",
    },
    "2-Splithoff": {
        "an": "1 2 4 5 6 7 9 10 11 13 14 15 16 18 19 21",
        "bn": "3 8 12 17 20 25 29 34 39 43 48 51 56 60 65 69",
    },
}


@pytest.mark.parametrize(
    ("title", "name", "printed"), [(title, *row) for title, table in TABLES.items() for row in table.items()]
)
def test_the_rows_of_tables_2_3_5_and_7(title: str, name: str, printed: str) -> None:
    expected = [int(number) for number in printed.split()]
    assert column(title, name, len(expected)) == expected


# -- the k-bonacci words, letter by letter ---------------------------------------------------------------


def positions(k: int, columns: int) -> list[list[int]]:
    """The first columns of the positions table, read off the word."""
    word = [0]
    while word.count(k - 1) < columns:
        word = [letter for j in word for letter in ([0, j + 1] if j < k - 1 else [0])]
    return [[place for place, letter in enumerate(word, 1) if letter == i][:columns] for i in range(k)]


def differences(rows: list[list[int]]) -> list[list[int]]:
    return [[y - x for x, y in zip(*pair, strict=True)] for pair in pairwise(rows)]


@pytest.mark.parametrize(("k", "name"), [(3, "trib"), (4, "4bonacci"), (5, "5bonacci")])
def test_the_tables_are_those_of_the_word(k: int, name: str) -> None:
    title = f"The tables of the {name} word"
    x = positions(k, 200)
    d = differences(x)
    expected = {f"x{i}": row for i, row in enumerate(x)} | {f"d{i}": row for i, row in enumerate(d)}
    expected |= {f"dd{i}": row for i, row in enumerate(differences(d))}
    expected["sigma"] = [sum(numbers) for numbers in zip(*d, strict=True)]
    assert {row: column(title, row, 200) for row in expected} == expected


def least_without(*rows: list[int]) -> int:
    used = {number for row in rows for number in row}
    return min(set(range(1, len(used) + 2)) - used)


def by_theorem_4(columns: int, *, third_difference: bool = True) -> list[list[int]]:
    """The positions table of the 4-bonacci word by the rules; without the rule for dDelta^1 as printed."""
    x: list[list[int]] = [[], [], [], []]
    a: list[list[int]] = [[], [], []]
    b: list[list[int]] = [[], []]
    sigma: list[int] = []
    for n in range(1, columns + 1):
        a0, b0, x0 = least_without(*a), least_without(*b, sigma), least_without(*x)
        a1, x1 = a0 + b0, x0 + a0
        x2 = x1 + a1
        x3 = x0 + x1 + x2 + n
        a2 = x3 - x2
        column = (x0, x1, x2, x3, a0, a1, a2, b0, a0 + a1 + a2)
        for row, number in zip((*x, *a, b[0], sigma), column, strict=True):
            row.append(number)
        if third_difference:
            b[1].append(a2 - a1)
    return x


def test_the_rules_of_theorem_4_generate_the_table_and_as_printed_they_do_not() -> None:
    assert by_theorem_4(300) == positions(4, 300)
    printed = by_theorem_4(300, third_difference=False)
    assert [row[:1] for row in printed] == [[1], [2], [4], [8]]
    assert [row[1] for row in printed] != [row[1] for row in positions(4, 2)]
