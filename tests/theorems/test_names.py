"""Names and messages on their way from one process to another."""

from __future__ import annotations

import copy
import os
import pickle

import pytest

import fibprover as fp
from fibprover.theorems import names
from fibprover.theorems.names import NOTHING, SessionDelta, names_of, set_names, unpacked
from fibprover.theorems.worker import ProgressMessage, messages, send


def session() -> fp.Session:
    made = fp.Session("msd_fib")
    made.define("f", "x=2*y")
    made.reg("r", ["msd_fib"], "0*10*")
    made.define_morphic_word("W", [[0, 1], [0]], [0, 1])
    made.macro("m", "%0=%1")
    return made


def test_names_arrive_as_they_were_and_mean_the_same() -> None:
    one = session()
    packed = names_of(one).packed()
    assert packed is not None
    other = fp.Session("msd_fib")
    assert set_names(other, [unpacked(packed)]) == names_of(one)
    theirs, mine = other.namespace, one.namespace
    assert (theirs.definitions, theirs.words, theirs.macros) == (mine.definitions, mine.words, mine.macros)
    assert hash(theirs.definitions["f"]) == hash(mine.definitions["f"])
    assert other.prove("Ax,y $f(x,y) => #m(x,y+y) | $r(0) | W[x]=0")


def test_the_arrays_of_an_automaton_that_arrives_are_read_only() -> None:
    automaton = session().namespace.definitions["f"].automaton
    for again in (pickle.loads(pickle.dumps(automaton)), copy.deepcopy(automaton)):
        assert again == automaton
        for array in (again.offsets, again.codes, again.targets, again.outputs):
            assert isinstance(array, memoryview) and array.readonly
        assert [again.offsets.format, again.codes.format, again.targets.format] == ["q", "q", "i"]


def test_only_what_is_new_or_other_is_sent() -> None:
    one = session()
    before = names_of(one)
    one.define("f", "x=3*y")
    one.define("g", "x=1")
    made = names_of(one).since(before)
    assert set(made.definitions) == {"f", "g"} and not made.words and not made.macros
    assert set_names(one, [before]).definitions == before.definitions
    assert set(one.namespace.definitions) == {"f", "r"}
    assert set_names(one, [before, made]).definitions["f"] is made.definitions["f"]


@pytest.mark.parametrize("kind", ["definitions", "words"])
def test_what_is_too_large_is_not_sent(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    found = names_of(session())
    part = SessionDelta(**{kind: getattr(found, kind)})
    automata = [*(one.automaton for one in part.definitions.values()), *(one.machine for one in part.words.values())]
    size = sum(automaton.nbytes for automaton in automata)
    monkeypatch.setattr(names, "MOST_BYTES", size)
    assert part.packed() is not None
    monkeypatch.setattr(names, "MOST_BYTES", size - 1)
    assert part.packed() is None
    assert unpacked(NOTHING) == SessionDelta()


@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_messages_arrive_whole_however_they_are_cut(piece: int) -> None:
    reading, writing = os.pipe()
    sent = [ProgressMessage(i, 1 << (3 * i)) for i in range(20)]
    for message in sent:
        send(writing, message)
    os.close(writing)
    buffer, arrived = bytearray(), list[object]()
    while data := os.read(reading, piece):
        buffer += data
        arrived += messages(buffer)
    os.close(reading)
    assert arrived == sent and not buffer
