"""Automata as lines of text, and their edges: both backends against plain writers, and the plain reader of lines."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from array import array
from collections import deque
from collections.abc import Callable
from itertools import repeat
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build, frozen
from fibprover.automata.formats.exports import to_ba
from fibprover.automata.kernels import automata as backend
from fibprover.automata.kernels.python import automata as python
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Budget
from fibprover.numeration import system_named
from fibprover.workspace.walnut import automaton_pieces, automaton_text, parse_automaton, write_automaton
from tests.oracle import lines as plain

from .small import automata

#: Systems and alphabets: a large base, negative digits, negative bases, a single digit, gaps.
TRACKS = (
    *(system_named(name).track("x") for name in ("msd_2", "lsd_fib", "msd_30", "msd_neg_3", "lsd_pell")),
    Track("x", (-1, 0, 1)), Track("x", (5,)), Track("x", (-12, -3, 0, 7, 1000)),
)

#: Outputs of words.
OUTPUTS = (0, 1, -7, 12, (1 << 31) - 1, 1 - (1 << 31))


@st.composite
def drawn(draw: st.DrawFn) -> Dfa:
    """Any automaton over up to four of the tracks, also with outputs other than 0 and 1, and with up to 12 states."""
    chosen = draw(st.lists(st.sampled_from(TRACKS), max_size=4))
    tracks = [track._replace(name=f"t{place}") for place, track in enumerate(chosen)]
    return draw(automata(tracks, most=12, outputs=draw(st.sampled_from([(0, 1), OUTPUTS]))))


def track_of_system(name: str) -> Track:
    return system_named(name).track("x")


def modules() -> list[ModuleType]:
    """Return the backends: the one in use, and the one in Python."""
    return [backend, python]


def on(module: ModuleType, function: Callable[[Dfa], object], a: Dfa) -> object:
    """Return what a function returns where the kernels are those of a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_calls, "backend", module)
        return function(a)


def listed(a: Dfa) -> list[tuple[int, int, list[int]]]:
    return [(source, target, codes.tolist()) for source, target, codes in kernel_calls.edges(a)]


@given(drawn())
def test_texts_and_edges_are_those_of_the_plain_writers(a: Dfa) -> None:
    for module in modules():
        assert on(module, automaton_text, a) == plain.walnut_text(a)
        assert on(module, to_ba, a) == plain.ba_text(a)
        assert on(module, listed, a) == plain.edges(a)
        assert on(module, kernel_calls.edge_count, a) == len(plain.edges(a))


@given(drawn(), st.integers(1, 40))
def test_pieces_of_any_size_are_the_whole_text(a: Dfa, size: int) -> None:
    if not a.tracks:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_calls, "_PIECE", size)
        for module in modules():
            patch.setattr(kernel_calls, "backend", module)
            _, *pieces = automaton_pieces(a)
            longest = max(map(len, plain.walnut_text(a).encode().splitlines(keepends=True))) + 1
            assert all(len(piece) < size + longest for piece in pieces)
            assert b"".join(automaton_pieces(a)).decode() == plain.walnut_text(a)


# -- reading -----------------------------------------------------------------------------------


def general(text: str) -> Dfa:
    """Read an automaton line by line, as one that is not plain is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_calls, "read_lines", lambda *_: None)
        return parse_automaton(text, "f", track_of_system)


def plainly(text: str, tracks: tuple[Track, ...]) -> Dfa | None:
    """Return what both backends read from the second line on, which has to be the same."""
    found = []
    for module in modules():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel_calls, "backend", module)
            found.append(kernel_calls.read_lines(text, text.index("\n") + 1, tracks))
    assert found[0] == found[1]
    return found[0]


@given(drawn())
def test_what_is_written_is_plain(a: Dfa) -> None:
    if a.tracks:
        assert plainly(automaton_text(a), a.tracks) == a


@given(drawn(), st.data())
def test_a_changed_text_is_read_as_line_by_line_or_not_plain(a: Dfa, data: st.DataObject) -> None:
    if not a.tracks:
        return
    text = automaton_text(a)
    first = text.index("\n") + 1
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(first, len(text)))
        end = min(len(text), begin + data.draw(st.integers(0, 3)))
        text = text[:begin] + data.draw(st.text("0123 -*>\n\t#\r\x0b\u0663", max_size=3)) + text[end:]
    found = plainly(text, a.tracks)
    if found is not None:
        assert found == general(text).renamed(a.names).with_tracks(a.tracks)


@pytest.mark.parametrize("body", [
    "", "\n", "# only\n",
    "0 -> 0\n", "0 0 0\n", "1 0\n", "0 1\n0 1\n", "0 1\n0 -> 1\n", "0 1\n0 -> 0 0\n", "0 1\n* -> 0\n",
    "0 1\n1 -> 0\n0 -> 0\n", "0 1\n0 -> 0\n0 -> 0\n", "0 1\n2 -> 0\n", "0 1\n-> 0\n", "0 1\n0 0 -> 0\n", "0 1\n0 ->\n",
    "0 1\n0 -> -1\n", "0 1\n0 - > 0\n", "0 1\n0 -> 0 # c\n", "0 1 # c\n", "0 2147483648\n", "0 1\n0 -> 2147483648\n",
    "0 1234567890123456789\n",
    "0 1\n1234567890123456789 -> 0\n", "0 +1\n", "0 1\n0 -> -> 0\n", "-1 1\n", "0 1\nx -> 0\n",
    "0 1\n\u0660 -> 0\n", "0 -", "0 1\n0 -",
])
def test_lines_that_are_not_plain(body: str) -> None:
    assert plainly(f"msd_2\n{body}", (track_of_system("msd_2"),)) is None


def test_plain_lines_with_blanks_and_comments() -> None:
    track = track_of_system("msd_2")
    wanted = build((track,), [{0: 1, 1: 0}, {}], [-1, 2])
    text = "msd_2\n# 0 1\n \t0\t-1 \n0->1\n\n  # -> \n01 -> 00\n1 2"
    assert plainly(text, (track,)) == wanted
    assert parse_automaton(text, "f", track_of_system, ["x"]) == wanted


def test_alphabets_that_the_kernels_do_not_take_are_read_line_by_line() -> None:
    text = "{0, 1, 123456789012345678}\n0 1\n123456789012345678 -> 0\n"
    assert parse_automaton(text, "f", track_of_system).codes.tolist() == [2]
    wide = Track("w", (0, 1 << 70))
    many = tuple(Track(f"t{place}", tuple(range(1 << 16))) for place in range(5))
    assert plainly("w\n0 1\n", (wide,)) is None and plainly("t\n0 1\n", many) is None


# -- limits ------------------------------------------------------------------------------------


LETTERS = 1 << 19

#: A state with half a million letters.
LONG = Dfa(
    (Track("w", tuple(range(LETTERS))),), frozen(array("q", [0, LETTERS])), frozen(array("q", range(LETTERS))),
    frozen(array("i", [0]) * LETTERS), frozen(array("i", [1])),
)
HEAD = "{0}\n0 1\n"


@pytest.fixture(scope="module")
def long_text() -> str:
    return HEAD + "".join(f"{digit} -> 0\n" for digit in range(LETTERS))


def test_a_deadline_within_a_long_row(long_text: str) -> None:
    late = Budget(deadline=time.monotonic() - 1)
    for work in (
        lambda budget: list(kernel_calls.lines(LONG, [["0 "] * LETTERS], None, ("\n",), budget)),
        lambda budget: kernel_calls.edges(LONG, budget),
        lambda budget: kernel_calls.read_lines(long_text, len("{0}\n"), LONG.tracks, budget),
    ):
        with pytest.raises(BudgetSpent) as caught:
            work(late)
        assert caught.value.resource == "seconds"


def test_kernels_look_at_the_clock_within_a_long_row(long_text: str) -> None:
    a = kernel_calls.csr(LONG)
    for work in (
        lambda meter: backend.LineWriter(a, ((b"0 ",) * LETTERS,), (), (b"\n",), meter).piece(1 << 24, meter),
        lambda meter: backend.edges(a, meter),
        lambda meter: backend.read_lines(long_text, len("{0}\n"), (LONG.tracks[0].digits,), meter),
    ):
        meter = backend.Meter()
        work(meter)
        assert meter.polls >= LETTERS >> 13


@pytest.mark.skipif(backend is python, reason="the kernels in Python do not count what they hold while they run")
def test_memory_counts(long_text: str) -> None:
    a = kernel_calls.csr(LONG)
    for work in (
        lambda meter: backend.LineWriter(a, ((b"0",),), (), (b"\n",), meter).piece(1 << 24, meter),
        lambda meter: backend.edges(a, meter),
        lambda meter: backend.read_lines(long_text, len("{0}\n"), (LONG.tracks[0].digits,), meter),
    ):
        with pytest.raises(backend.BudgetExhausted) as caught:
            work(backend.Meter(bytes=1 << 20))
        assert caught.value.resource == "bytes"


def test_transitions_that_are_read_count_against_the_budget(long_text: str) -> None:
    for module in modules():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel_calls, "backend", module)
            with pytest.raises(BudgetSpent) as caught:
                kernel_calls.read_lines(long_text, len("{0}\n"), LONG.tracks, Budget(transitions=1000))
            assert (caught.value.resource, caught.value.states, caught.value.transitions) == ("transitions", 1, 1001)


@pytest.mark.long
def test_a_file_is_written_in_small_pieces(tmp_path: Path) -> None:
    """The whole text is never in memory."""
    file = tmp_path / "long.txt"
    write_automaton(LONG, file)
    assert file.read_text() == plain.walnut_text(LONG)
    pieces = list(map(len, automaton_pieces(LONG)))
    assert max(pieces[1:]) < 1.1 * (1 << 20) and sum(pieces) > 6 * max(pieces[1:])


def test_arguments_that_do_not_fit() -> None:
    a = kernel_calls.csr(build((Track("x", (0, 1, 2)),), [{2: 0}], [1]))
    for module in modules():
        meter = module.Meter()
        one = module.Csr(*a.export(), 3)
        for digits, state_line, ends in (
            ((), (), (b"",)), (((),), (), (b"",)), (((b"0",),), (b"",), (b"",)), (((b"0",),), (), ()),
            (((b"0",),), (), (b"", b"", b"")),
        ):
            with pytest.raises(module.InvalidArrayError):
                module.LineWriter(one, digits, state_line, ends, meter)
        writer = module.LineWriter(one, ((b"0", b"1"),), (), (b"\n",), meter)
        with pytest.raises(module.InvalidArrayError):
            writer.piece(100, meter)
        with pytest.raises(module.InvalidArrayError):
            module.LineWriter(one, ((b"0", b"1", b"2"),), (), (b"\n",), meter).piece(0, meter)
        assert module.LineWriter(one, ((b"", b"", b""),), (), (b"",), meter).piece(1, meter) == b"0"


def test_an_interrupt_is_heard_while_edges_are_gathered() -> None:
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        deque(map(kernel_calls.edges, repeat(LONG)), maxlen=0)
    timer.join()


def test_the_largest_numbers() -> None:
    largest = (1 << 31) - 1
    a = build((Track("x", (-(1 << 62), sys.maxsize)),), [{0: 0, 1: 0}], [-largest])
    assert automaton_text(a).split("\n", 1)[1] == f"\n0 -{largest}\n{-(1 << 62)} -> 0\n{sys.maxsize} -> 0\n"
