"""A process that carries out steps for another one: it gets jobs through one pipe and answers through a second.

Messages are pickled, with their length in front.  A worker keeps the chapter of its last job, so
that names have to be sent once.  It ends as soon as its pipe of jobs does, even in the middle of
a step: then the process that gave the jobs has gone.
"""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

from fibprover.evaluate.trace import Record
from fibprover.theorems.attempt import ChapterRun, ProofSettings
from fibprover.theorems.chapter import Chapter
from fibprover.theorems.collect import Problem
from fibprover.theorems.counts import TextbookCounts
from fibprover.theorems.names import unpacked
from fibprover.theorems.report import Row

#: Seconds between two messages about the steps of an evaluation.
_PERIOD = 0.2

#: Bytes of the length in front of a message.
_HEAD = 8


@dataclass(frozen=True, slots=True)
class Start:
    """The first message: chapters with their counts, how to run theorems, whether to tell of steps."""

    parts: tuple[tuple[Chapter, TextbookCounts], ...]
    settings: ProofSettings
    telling: bool


@dataclass(frozen=True, slots=True)
class Job:
    """A step to carry out, with names the worker has not seen yet; most_bytes: of its memory."""

    part: int
    step: int
    names: tuple[tuple[int, bytes], ...]
    most_bytes: int | None


@dataclass(frozen=True, slots=True)
class Ready:
    """The first answer: the worker is there."""


@dataclass(frozen=True, slots=True)
class ProgressMessage:
    """How far a job is: steps of the evaluation finished, states of the last automaton."""

    steps: int
    states: int


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a job (see Attempt); packed: the names it made known, None if they are too large."""

    result: Row | Problem | None
    short: bool
    packed: bytes | None


@dataclass(frozen=True, slots=True)
class Failed:
    """Why nothing came of a job: a defect of fibprover, or no memory even for the answer."""

    why: str
    short: bool


Message = Ready | ProgressMessage | Done | Failed


# -- frames ------------------------------------------------------------------------------------------


def send(pipe: int, message: object) -> None:
    """Writes a message, all of it."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    rest = memoryview(len(content).to_bytes(_HEAD, "big") + content)
    while rest:
        rest = rest[os.write(pipe, rest) :]


def messages(buffer: bytearray) -> Iterator[Any]:
    """Takes the messages that are complete off the front of a buffer."""
    while len(buffer) >= _HEAD:
        end = _HEAD + int.from_bytes(buffer[:_HEAD], "big")
        if len(buffer) < end:
            return
        content = bytes(buffer[_HEAD:end])
        del buffer[:end]
        yield pickle.loads(content)


# -- the worker --------------------------------------------------------------------------------------


def main(jobs: int, answers: int) -> None:
    """A worker that was started as a program of its own; the arguments are its ends of the pipes."""
    received = _listening(jobs)
    start = received.get()
    assert isinstance(start, Start)
    _serve(start, received, answers)


def serve(start: Start, jobs: int, answers: int) -> None:
    """A worker that is a copy of the process that gives the jobs; never returns."""
    _serve(start, _listening(jobs), answers)


def _serve(start: Start, received: SimpleQueue[Any], answers: int) -> None:
    send(answers, Ready())
    settings = replace(start.settings, watch=_teller(answers) if start.telling else None)
    run: ChapterRun | None = None
    while True:
        job = received.get()
        chapter, counts = start.parts[job.part]
        if run is None or run.chapter is not chapter:
            run = None  # its automata are to go before the next chapter's come
            run = ChapterRun(chapter, settings, counts)
            run.begin()
        send(answers, _answer(run, job))


def _answer(run: ChapterRun, job: Job) -> Done | Failed:
    try:
        run.names.update((step, unpacked(packed)) for step, packed in job.names)
        attempt = run.attempt(job.step, job.most_bytes)
        made = run.names.get(job.step)
        return Done(attempt.result, attempt.short, None if made is None else made.packed())
    except MemoryError:
        return Failed("no memory is left", short=True)
    except Exception as defect:
        return Failed(f"internal error: {type(defect).__name__}: {defect}", short=False)


def _listening(jobs: int) -> SimpleQueue[Any]:
    """What comes through a pipe; a thread waits for it, since the end of the pipe is the end of the process."""
    received: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        buffer = bytearray()
        while data := os.read(jobs, 1 << 16):
            buffer += data
            for message in messages(buffer):
                received.put(message)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return received


def _teller(answers: int) -> Callable[[Record], None]:
    steps, told = 0, time.monotonic()

    def tell(record: Record) -> None:
        nonlocal steps, told
        steps += 1
        now = time.monotonic()
        if now >= told + _PERIOD:
            told = now
            send(answers, ProgressMessage(steps, record.states))

    return tell
