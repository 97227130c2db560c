"""What Python programmers do before they have read about the library: habits work, and mistakes are said."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fibprover as fp
from fibprover.base.errors import FibproverError, LimitError
from fibprover.workspace.walnut import read_automaton

#: Lines of their own, for what happens in a new process.
_FRESH = """
import fibprover as fp
assert {"Session", "discover", "errors", "games"} <= set(dir(fp)), dir(fp)
assert not {"import_module", "TYPE_CHECKING", "Any"} & set(dir(fp)), dir(fp)
assert dir(fp.games) == [
    "blocking", "mark", "nim", "nim3", "queen", "raleigh", "splithoff", "terminal", "tribonacci", "wythoff",
], dir(fp.games)
assert fp.backend.NAME in ("compiled", "python")
assert issubclass(fp.errors.UnknownName, fp.FibproverError)
"""


def test_names_are_completed_before_they_are_imported() -> None:
    root = Path(__file__).resolve().parent.parent
    subprocess.run([sys.executable, "-c", _FRESH], check=True, env={**os.environ, "PYTHONPATH": str(root)})


def test_a_letter_is_in_a_word_or_not() -> None:
    words = fp.Session().namespace.library_words
    assert 1 in words["T"] and 0 in words["F"] and np.int64(2) in words["VTM"]
    assert 2 not in words["T"] and "1" not in words["T"] and None not in words["T"]
    with pytest.raises(FibproverError):
        _ = 1 in words["pascal"]


def test_a_letter_at_no_valid_index_is_not_in_a_word() -> None:
    session = fp.Session("msd_fib")
    word = session.define_morphic_word("V", [[0, 1], [2, 3], [2, 1], [3, 3]], [0, 0, 0, 1])
    assert 1 in word.outputs and 1 not in word and 0 in word
    assert 1 not in word[:300]


def test_verdicts_on_one_formula_are_equal() -> None:
    session = fp.Session("msd_fib")
    one, other = session.prove("Ax Ey y>x"), session.prove("Ax Ey y>x")
    assert one == other and len({one, other}) == 1
    assert one != session.prove("Ax Ey y>=x") != session.prove("?msd_2 Ax Ey y>=x")
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_session_takes_a_system_itself() -> None:
    assert fp.Session(fp.system_named("fib")).relation("x<5") == fp.Session("msd_fib").relation("x<5")
    own = fp.recurrence_system("mine", [3, 1], [1, 4])
    assert fp.Session(own).relation("x<5").values() == [0, 1, 2, 3, 4]
    assert fp.Session(own).namespace.default_system == "msd_mine"


def test_games_are_given_by_their_names() -> None:
    assert list(fp.positions("terminal(1)", 6)) == [(0, 0), (0, 1), (1, 0), (2, 4), (4, 2)]
    assert list(fp.positions(fp.games.wythoff(), 6)) == list(fp.positions("i=0 | j=0 | i=j", 6))


def test_arrays_are_lists() -> None:
    session = fp.Session("msd_2")
    word = session.define_morphic_word("W", np.array([[0, 1], [1, 0]]), np.array([0, 1]))  # type: ignore[arg-type]
    assert word == session.define_morphic_word("W", [[0, 1], [1, 0]], [0, 1])
    assert session.infer_word("V", np.array(word[:200])).word[:50] == word[:50]  # type: ignore[arg-type]


def test_one_alphabet_may_be_a_name() -> None:
    assert fp.Session().reg("one", "msd_fib", "0*1") == fp.Session().reg("two", ["msd_fib"], "0*1")


def test_drawings_of_systems() -> None:
    assert fp.draw(fp.system_named("msd_fib")).automaton.states == 2


def test_files_of_automata_are_read_without_more_ado(tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text("msd_fib\n0 1\n0 -> 0\n")
    assert read_automaton(file).tracks[0].system == "msd_fib"


MISTAKES: list[tuple[str, Callable[[fp.Session], Any], str]] = [
    ("system", lambda s: fp.Session(2), "system"),  # type: ignore[arg-type]
    ("named", lambda s: fp.system_named(2), "system"),  # type: ignore[arg-type]
    ("systems", lambda s: s.eval("n>0", systems={"n": 2}), "system"),  # type: ignore[dict-item]
    ("systems-text", lambda s: s.eval("n>0", systems="msd_2"), "msd_2"),  # type: ignore[arg-type]
    ("seconds", lambda s: fp.Limits(seconds="5"), "seconds"),  # type: ignore[arg-type]
    ("limits", lambda s: fp.Session(limits=5), "Limits"),  # type: ignore[arg-type]
    ("limits-of-eval", lambda s: s.eval("x=1", limits=5), "Limits"),  # type: ignore[arg-type]
    ("limits-of-discover", lambda s: fp.discover("wythoff()", limits=5), "Limits"),  # type: ignore[arg-type]
    ("images-dict", lambda s: s.define_morphic_word("W", {0: [0, 1], 1: [0]}, [0, 1]), "list"),  # type: ignore[arg-type]
    ("images-texts", lambda s: s.define_morphic_word("W", ["01", "0"], [0, 1]), "'01'"),  # type: ignore[list-item]
    ("coding", lambda s: s.define_morphic_word("W", [[0, 1], [0]], [0, 1.5]), "1.5"),  # type: ignore[list-item]
    ("function", lambda s: s.infer_word("W", lambda n: n % 2), "list"),  # type: ignore[arg-type]
    ("generator", lambda s: s.infer_word("W", (n % 2 for n in range(99))), "list"),  # type: ignore[arg-type]
    ("a-set", lambda s: s.infer_word("W", {0, 1}), "list"),  # type: ignore[arg-type]
    ("term", lambda s: s.define_word("W", ["n"], lambda n: n % 2), "term"),  # type: ignore[arg-type]
    ("digits", lambda s: s.reg("e", [0, 1], "0*"), "[[0, 1]]"),  # type: ignore[list-item]
    ("relation", lambda s: s.union("u", s.relation("x<5"), "e"), "predicate"),  # type: ignore[arg-type]
    ("word", lambda s: s.join("V", (s.namespace.library_words["F"], "n")), "text"),  # type: ignore[arg-type]
    ("path", lambda s: s.run(Path("x.txt")), "load"),  # type: ignore[arg-type]
    ("game-list", lambda s: fp.discover([(1, 0), (0, 1)]), "Game"),  # type: ignore[arg-type]
    ("game-uncalled", lambda s: fp.positions(fp.games.wythoff, 8), "call"),  # type: ignore[arg-type]
    ("board", lambda s: fp.board("wythoff()", size="40"), "'40'"),  # type: ignore[arg-type]
    ("drawn", lambda s: fp.draw("x<5"), "relation"),
]


@pytest.mark.parametrize(("mistake", "said"), [pytest.param(each, said, id=name) for name, each, said in MISTAKES])
def test_mistakes_are_said(mistake: Callable[[fp.Session], Any], said: str) -> None:
    with pytest.raises(FibproverError) as error:
        mistake(fp.Session("msd_fib"))
    assert said in str(error.value)


@pytest.mark.parametrize("limit", ["5", [5], int])
def test_limits_are_numbers(limit: Any) -> None:
    with pytest.raises(LimitError):
        fp.Limits(states=limit)
