"""The tests' own reader of automata and its equality, on small cases and against each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

from fibprover.automata.dfa import Track, build
from tests.oracle.automata import Table, constant, difference, read_table, table_of

EVEN_ONES = """# numbers with an even count of ones
msd_2

7 1
0 -> 7
1 -> 3
3 0
0 -> 3
1 -> 7
"""


def written(folder: Path, text: str) -> Table:
    file = folder / "automaton.txt"
    file.write_text(text, encoding="utf-8")
    table = read_table(file)
    assert isinstance(table, Table)
    return table


def test_a_file_and_an_automaton_of_the_project(tmp_path: Path) -> None:
    table = written(tmp_path, EVEN_ONES)
    assert (table.systems, table.outputs) == (("msd_2",), (1, 0))
    same = build([Track("x", (0, 1), "msd_2")], [{0: 0, 1: 1}, {0: 1, 1: 0}], [1, 0])
    assert table_of(same) == table
    unfolded = build(
        [Track("x", (0, 1), "msd_2")], [{0: 2, 1: 1}, {0: 1, 1: 2}, {0: 0, 1: 1}, {0: 0}], [1, 0, 1, 1]
    )
    assert difference(table, table_of(unfolded)) is None


def test_a_difference_is_found_with_a_shortest_word(tmp_path: Path) -> None:
    table = written(tmp_path, EVEN_ONES)
    partial = replace(table, rows=(table.rows[0], {(0,): 1}))
    assert difference(table, partial) == [(1,), (1,)] == difference(partial, table)
    assert difference(table, replace(table, outputs=(0, 1))) == []
    assert difference(table, replace(table, outputs=(1, 1))) == [(1,)]


def test_outputs_count_only_as_the_caller_says(tmp_path: Path) -> None:
    table = written(tmp_path, EVEN_ONES)
    five = replace(table, outputs=(5, 0))
    assert difference(table, five) is None
    assert difference(table, five, lambda output: output) == []


def test_several_tracks_wildcards_and_negative_letters(tmp_path: Path) -> None:
    table = written(tmp_path, "{-1, 1} msd_3\n0 0\n* 2 -> 1\n-1 0 -> 0\n1 -1\n")
    assert table.systems == ("", "msd_3")
    assert table.alphabets == (frozenset({-1, 1}), frozenset({0, 1, 2}))
    assert table.rows == ({(-1, 2): 1, (1, 2): 1, (-1, 0): 0}, {})
    dfa = build([Track("f", (-1, 1)), Track("x", (0, 1, 2), "msd_3")], [{0: 0, 2: 1, 5: 1}, {}], [0, -1])
    assert table_of(dfa) == table


def test_truth_values(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("true\n")
    (tmp_path / "f.txt").write_text("\nfalse")
    assert read_table(tmp_path / "t.txt") is True
    assert read_table(tmp_path / "f.txt") is False


def test_everything_and_nothing() -> None:
    everything = constant(("msd_fib", "msd_3"), True)
    accepted = [
        (first, second)
        for first in product(everything.rows[0], repeat=1)
        for second in everything.rows[everything.rows[0][first[0]]]
    ]
    # Two digits: 00, 01, 10 on the first track, nine words on the second.
    assert len(accepted) == 3 * 9
    assert difference(everything, constant(("msd_fib", "msd_3"), False)) == []
    loop = Table(("msd_2",), (frozenset({0, 1}),), ({(0,): 0, (1,): 0},), (7,))
    assert difference(constant(("msd_2",), True), loop) is None
