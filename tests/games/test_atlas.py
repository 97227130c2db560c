"""The atlas of the project: files, results, and theorems against boards that share no code with the search."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fibprover.automata.dfa import Dfa
from fibprover.campaigns.atlas.entries import AtlasChapter, Entry, read_atlas
from fibprover.campaigns.atlas.results import Result, question_of, read_result
from fibprover.campaigns.atlas.run import SECONDS
from fibprover.campaigns.atlas.summaries import attempts_of, mark_of
from fibprover.games.proof import session_for
from fibprover.games.search import BOUNDS
from fibprover.numeration.registry import system_named
from fibprover.workspace.walnut import parse_automaton
from tests.oracle import games as reference
from website import atlas as page

ROOT = Path(__file__).resolve().parent.parent.parent
ATLAS = ROOT / "proofs" / "atlas"
CHAPTERS = read_atlas([ATLAS])
ENTRIES = [entry for chapter in CHAPTERS for entry in chapter.entries]
PROVED = [entry for entry in ENTRIES if entry.expected is not None and entry.expected.status == "proved"]

#: The values of the games of these are computed with many moves for each position.
SLOW = ("ho-extension-value-1", "ho-restriction-value-1")

#: The sides of the boards that are always compared, and of those of the long test.
SIDE, LONG_SIDE = 20, 100

#: The sides of cubes that are compared, always.
THREE_PILES_SIDE = 10


def result_of(entry: Entry) -> Result:
    found = read_result(ATLAS / "results", entry.id)
    assert found is not None
    return found


def test_the_atlas_is_large_and_every_game_has_a_source() -> None:
    assert len(ENTRIES) >= 60
    assert len(PROVED) >= 60
    assert all(entry.source.year >= 1901 and entry.known for entry in ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_results_answer_the_questions_as_expected(entry: Entry) -> None:
    found = result_of(entry)
    assert found.id == entry.id
    assert found.answers(question_of(entry, SECONDS, BOUNDS[-1]))
    assert entry.expected is not None
    assert found.agrees(entry.expected)


@pytest.mark.parametrize(
    ("moves", "terminal", "same"),
    [("i=0|(j=0) |  i=j", "a+b<=2", True), ("i=0 | j=0 | j=i", "a+b<=2", False), ("i=0 | j=0 | i=j", "", False),
     ("i=0 |", "a+b<=2", False)],
)
def test_a_result_is_that_of_its_rules_in_any_spelling(moves: str, terminal: str, same: bool) -> None:
    (entry,) = (entry for entry in ENTRIES if entry.id == "terminal-2")
    asked = question_of(entry, SECONDS, BOUNDS[-1])
    assert result_of(entry).answers(replace(asked, moves=moves, terminal=terminal)) is same


def test_there_is_no_result_without_a_game() -> None:
    assert {file.stem for file in (ATLAS / "results").iterdir()} == {entry.id for entry in ENTRIES}


def parsed(result: Result) -> Dfa:
    assert result.automaton is not None
    tracks = tuple("abc")[: len(result.automaton.split("\n", 1)[0].split())]
    return parse_automaton(result.automaton, result.id, lambda system: system_named(system).track("x"), tracks)


def disagreement(entry: Entry, side: int) -> set[tuple[int, ...]]:
    """Return the positions on which the automaton of a result and a board computed from the rules differ."""
    result = result_of(entry)
    assert result.system is not None
    system = system_named(result.system)
    automaton = parsed(result)
    assert automaton.states == result.states
    session = session_for(automaton, system)
    if entry.game.piles == 3:
        side = min(side, THREE_PILES_SIDE)
        members = set(session.relation(f"$P(a,b,c) & a<{side} & b<{side} & c<{side}"))
    else:
        members = set(session.relation(f"$P(a,b) & a<{side} & b<{side}"))
    return members ^ {tuple(map(int, each)) for each in np.argwhere(board_of(entry, side))}


#: How many times as many as were taken may be taken next, by the moves of a game.
FACTORS = {"r<p & s+2*r=2*p & p<=q+r": 2, "r<p & s+r=p & p<=q+r": 1}


def board_with_a_memory(entry: Entry, side: int) -> reference.Board:
    """Return the positions of a game in which up to q of p counters may be taken, then a multiple of those taken."""
    factor = FACTORS[str(entry.game.moves)]

    @cache
    def value(p: int, q: int) -> int:
        options = {value(p - k, factor * k) for k in range(1, min(p, q) + 1)}
        if not options and entry.game.misere:
            return 1
        return next(g for g in range(len(options) + 1) if g not in options)

    return np.array([[value(p, q) == entry.value for q in range(side)] for p in range(side)])


def board_of(entry: Entry, side: int) -> reference.Board:
    """Return the positions of a game below `side`, computed from the rules."""
    if entry.game.by:
        return board_with_a_memory(entry, side)
    if entry.game.piles == 3:
        return reference.p_positions_of_three_piles(entry.game, side, value=entry.value)
    if entry.game.passes:
        return reference.p_positions_with_pass(entry.game, side)
    if entry.value:
        board: reference.Board = reference.grundy(entry.game, side) == entry.value
        return board
    return reference.p_positions(entry.game, side)


@pytest.mark.parametrize("entry", PROVED, ids=lambda entry: entry.id)
def test_theorems_agree_with_small_boards(entry: Entry) -> None:
    assert disagreement(entry, SIDE) == set()


@pytest.mark.long
@pytest.mark.parametrize(
    "entry",
    [pytest.param(entry, marks=[pytest.mark.very_long] if entry.id in SLOW else []) for entry in PROVED],
    ids=lambda entry: entry.id,
)
def test_theorems_agree_with_boards(entry: Entry) -> None:
    assert disagreement(entry, LONG_SIDE) == set()


def test_a_wrong_automaton_does_not_agree() -> None:
    """The comparison sees the difference of two games: Nim's automaton is not that of Wythoff's game."""
    nim, wythoff = (next(entry for entry in ENTRIES if entry.id == name) for name in ("nim", "wythoff"))
    session = session_for(parsed(result_of(nim)), system_named("msd_2"))
    members = set(session.relation(f"$P(a,b) & a<{SIDE} & b<{SIDE}"))
    board = reference.p_positions(wythoff.game, SIDE)
    assert members != {(int(a), int(b)) for a, b in np.argwhere(board)}


def test_marks_are_for_theorems_whose_earlier_proofs_were_looked_for() -> None:
    marked = [entry for entry in ENTRIES if mark_of(entry, result_of(entry))]
    assert marked
    assert all(entry.earlier == "none known" and result_of(entry).status == "proved" for entry in marked)


def test_open_games_say_what_was_tried() -> None:
    for entry in ENTRIES:
        found = result_of(entry)
        if found.status == "proved":
            continue
        head, rows = attempts_of(found)
        assert found.data_bound > 0
        assert len(head) >= 3
        assert rows
        assert all(len(row) == len(head) for row in rows)


@pytest.fixture(scope="module")
def written() -> str:
    """The page as it is written now."""
    return page.page(CHAPTERS)


def test_the_page_of_the_atlas_is_up_to_date(written: str) -> None:
    """`python website/atlas.py` writes it anew."""
    assert (ROOT / "docs" / "atlas.md").read_text() == written


def test_the_example_on_the_page_is_a_file_of_an_atlas(tmp_path: Path, written: str) -> None:
    example = re.search(r"```toml\n(.*?)```", written, re.DOTALL)
    assert example is not None
    file = tmp_path / "example.toml"
    file.write_text(example[1])
    (chapter,) = read_atlas([file])
    (entry,) = chapter.entries
    assert (entry.game.terminal, entry.value, entry.systems) == ("a+b<=1", 1, ("msd_fib",))
    known = next(each for each in ENTRIES if each.id == entry.id)
    assert entry.expected == known.expected


def test_the_page_has_every_game_once(written: str) -> None:
    counts = Counter(line.split("`")[1] for line in written.splitlines() if line.startswith("| `"))
    assert counts == Counter(entry.id for entry in ENTRIES)


def test_chapters_have_titles() -> None:
    def titled(chapter: AtlasChapter) -> bool:
        return bool(chapter.title and chapter.about and chapter.entries)

    assert all(map(titled, CHAPTERS))
