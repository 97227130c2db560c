"""Word files whose letters depend on leading zeros, or on trailing ones in lsd systems."""

from __future__ import annotations

import pickle
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, build
from fibprover.words.padding import ChangedLetter, changed_letter
from tests.cli.command import answer

#: A file in which zeros in front change the letter at 2: 10 has the letter 1, and 010 the letter 0.
CONFLICT = "{order}_2\n0 0\n0 -> 1\n1 -> 2\n1 0\n0 -> 1\n1 -> 1\n2 0\n0 -> 3\n1 -> 3\n3 1\n0 -> 3\n1 -> 3\n"
#: The same letters, whatever zeros are in front.
NO_CONFLICT = "{order}_2\n0 0\n0 -> 0\n1 -> 1\n1 1\n0 -> 1\n1 -> 0\n"
#: It reads no zeros in front.
PARTIAL = "{order}_2\n0 0\n1 -> 1\n1 1\n0 -> 1\n1 -> 1\n"


def output(machine: Dfa, words: list[list[int]]) -> int | None:
    """The letter for digits of the same number on each track."""
    state: int | None = 0
    for letter in zip(*words, strict=True):
        assert state is not None
        state = machine.successor(state, machine.code(letter))
        if state is None:
            return None
    return machine.outputs[state or 0]


def changed(machine: Dfa, most: int, zeros: int) -> bool:
    """Whether some zeros change a letter at numbers below `most`, by trying them."""
    systems = [fp.system_named(track.system).msd_first for track in machine.tracks]
    for numbers in product(range(most), repeat=len(systems)):
        words = [list(system.represent(number)) for system, number in zip(systems, numbers, strict=True)]
        longest = max(map(len, words))
        found = {
            output(machine, [[0] * (longest + count - len(word)) + word for word in words]) for count in range(zeros)
        }
        plain = output(machine, [[0] * (longest - len(word)) + word for word in words])
        if plain is not None and len(found - {None}) > 1:
            return True
    return False


@st.composite
def machines(draw: st.DrawFn) -> Dfa:
    """Small machines with one index or two, some of whose letters are missing."""
    systems = draw(st.sampled_from([("msd_2",), ("lsd_2",), ("msd_fib",), ("msd_3",), ("msd_2", "msd_fib")]))
    tracks = tuple(fp.system_named(name).track(f"x{number}") for number, name in enumerate(systems))
    codes = range(build(tracks, [{}], [0]).letters)
    states = draw(st.integers(1, 4))
    target = st.none() | st.integers(0, states - 1)
    rows = [{code: draw(target) for code in codes} for _ in range(states)]
    outputs = draw(st.lists(st.integers(-1, 2), min_size=states, max_size=states))
    made = build(tracks, [{c: t for c, t in row.items() if t is not None} for row in rows], outputs)
    return kernel_calls.minimize_outputs(made)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(machines())
def test_a_letter_is_found_if_one_changes(machine: Dfa) -> None:
    found = changed_letter(machine, fp.system_named)
    assert (found is not None) >= changed(machine, 9, 6)
    if found is None:
        return
    systems = [fp.system_named(track.system) for track in machine.tracks]
    lsd = [track.system.startswith("lsd") for track in machine.tracks]

    def of(texts: tuple[str, ...]) -> int | None:
        digits = [[*map(int, text)][::-1 if turned else 1] for text, turned in zip(texts, lsd, strict=True)]
        return output(machine, digits)

    assert (of(found.digits), of(found.padded)) == (found.letter, found.other)
    assert found.letter != found.other
    for system, number, text in zip(systems, found.index, found.digits, strict=True):
        assert system.value([*map(int, text)]) == number and system.is_valid([*map(int, text)])


def written(folder: Path, text: str, order: str) -> Path:
    file = folder / "Word Automata Library" / "W.txt"
    file.parent.mkdir(parents=True)
    file.write_text(text.format(order=order))
    return file


@pytest.mark.parametrize("order", ["msd", "lsd"])
@pytest.mark.parametrize("way", ["folder", "load"])
def test_one_warning_for_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: str, way: str
) -> None:
    """It names the number and both letters; the word has the letter that it had."""
    file = written(tmp_path, CONFLICT, "msd") if order == "msd" else written(
        tmp_path, "lsd_2\n0 0\n0 -> 1\n1 -> 2\n1 0\n0 -> 1\n1 -> 3\n2 1\n0 -> 4\n1 -> 3\n3 1\n0 -> 3\n1 -> 3\n"
        "4 2\n0 -> 4\n1 -> 3\n", "lsd",
    )
    script = tmp_path / "script.txt"
    script.write_text(f'eval a "?{order}_2 En W[n]=@1"; eval b "?{order}_2 En W[n]=@0"; def c "?{order}_2 W[n]=@1";')
    options = {"folder": ["--home-dir", str(tmp_path), "--global-session"], "load": ["--load", str(file)]}[way]
    place = str(script) if way == "load" else "../script.txt"
    if way == "folder":
        (tmp_path / "Command Files").mkdir()
        script.rename(tmp_path / "Command Files" / "script.txt")
        place = "script.txt"
    said = answer(capsys, "run", *options, place)
    assert said.status == 0
    warned = [line for line in said.err.splitlines() if "zeros" in line]
    assert len(warned) == 1 and str(file) in warned[0] and warned[0].startswith("warning: ")
    number, letters = (r"at 2 .* 1 for 10 and 0 for 010", "leading") if order == "msd" else (
        r"at 1 .* 1 for 1 and 2 for 10", "trailing"
    )
    assert letters in warned[0] and re.search(number, warned[0])


@pytest.mark.parametrize(("text", "order"), [(NO_CONFLICT, "msd"), (NO_CONFLICT, "lsd"), (PARTIAL, "msd")])
def test_no_warning_where_no_letter_changes(tmp_path: Path, text: str, order: str) -> None:
    """Warnings are errors in tests."""
    session = fp.Session(f"{order}_2")
    session.namespace.load_word(written(tmp_path, text, order))
    assert session.namespace.words["W"][0] == 0


def test_python_has_a_warning(tmp_path: Path) -> None:
    """Also a session that was copied; numbers of several digits are written apart."""
    file = written(tmp_path, CONFLICT.replace("_2", "_12"), "msd")
    session = fp.Session()
    session.use_folders(tmp_path, tmp_path / "session")
    for each in (session, pickle.loads(pickle.dumps(session))):
        with pytest.warns(UserWarning, match="leading zeros") as caught:
            found = [bool(each.prove(f"?msd_12 En W[n]=@{letter}")) for letter in (0, 1)]
        assert all(found)
        assert len(caught) == 1 and str(file) in str(caught[0].message)


def test_the_empty_word_has_a_name() -> None:
    assert "no digits" in str(ChangedLetter((0,), ("",), ("0",), 1, 2))
