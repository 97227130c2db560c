"""Worker processes: started, given jobs, listened to, and ended without leaving one behind.

A worker is a fork of this process where that is safe.  Beside other threads, and on macOS, whose
system libraries do not survive it, a worker is a program of its own, which is sent what a fork has
anyway.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal

from fibprover.syntax.formula import parse_formula
from fibprover.theorems.work import Task
from fibprover.theorems.worker import Job, Message, ProgressMessage, Start, messages, send, serve

#: How a worker comes into being.
Method = Literal["fork", "spawn"]


def method(start: Start) -> Method | None:
    """How this process can start workers; None if it cannot."""
    if not hasattr(os, "fork"):
        return None
    if sys.platform != "darwin" and threading.active_count() == 1:
        return "fork"
    if not sys.executable or not hasattr(os, "posix_spawn"):
        return None
    try:
        pickle.dumps(start, pickle.HIGHEST_PROTOCOL)
    except Exception:  # pickle raises what it likes
        return None
    return "spawn"


@dataclass(eq=False)
class Worker:
    """A process at work: its pipes, whether it has begun, the step it has been given, how far it is with that.

    part, sent: the chapter it holds, and the steps of it whose names it knows.
    """

    number: int
    pid: int
    jobs: int
    answers: int
    buffer: bytearray = field(default_factory=bytearray)
    ready: bool = False
    task: Task | None = None
    doing: ProgressMessage | None = None
    part: int | None = None
    sent: set[int] = field(default_factory=set)


class Pool:
    """The workers of one run; a context manager that ends them all, whatever happens."""

    def __init__(self, start: Start, how: Method) -> None:
        self.start = start
        self.how = how
        self.workers: dict[int, Worker] = {}
        if how == "fork":
            parse_formula("0=0")  # builds the parser, once for all workers
        self.selector = selectors.DefaultSelector()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _undisturbed():
            for worker in list(self.workers.values()):
                self.end(worker)
            self.selector.close()

    def add(self, number: int) -> Worker:
        """Starts a worker.  OSError where the system allows no further process."""
        with _undisturbed():
            pipes: list[int] = []
            try:
                pipes += os.pipe()
                pipes += os.pipe()
                its_jobs, jobs, answers, its_answers = pipes
                worker = Worker(number, 0, jobs, answers)
                if self.how == "fork":
                    worker.pid = self._forked(worker, its_jobs, its_answers)
                else:
                    worker.pid = _spawned(its_jobs, its_answers)
            except OSError:
                for pipe in pipes:
                    os.close(pipe)
                raise
            os.close(its_jobs)
            os.close(its_answers)
            self.workers[number] = worker
            self.selector.register(answers, selectors.EVENT_READ, worker)
        if self.how == "spawn":
            self.tell(worker, self.start)
        return worker

    def _forked(self, worker: Worker, its_jobs: int, its_answers: int) -> int:
        with warnings.catch_warnings():
            # Threads that Python does not know, those of numerical libraries, wait for work and do no harm.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid:
            return pid
        try:
            # Ctrl-C reaches every process of a terminal; the one that gives the jobs sees to it.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for known in (worker, *self.workers.values()):
                # Else the pipes would not end with the process that gives the jobs.
                os.close(known.jobs)
                os.close(known.answers)
            serve(self.start, its_jobs, its_answers)
        finally:
            os._exit(1)

    def give(self, worker: Worker, task: Task, names: Sequence[tuple[int, bytes]], most_bytes: int | None) -> None:
        """Gives a worker a step; the names are those that the step may refer to."""
        if worker.part != task.part:
            worker.part, worker.sent = task.part, set()
        worker.task, worker.doing = task, None
        fresh = tuple((step, packed) for step, packed in names if step not in worker.sent)
        worker.sent.update(step for step, _ in fresh)
        self.tell(worker, Job(task.part, task.step, fresh, most_bytes))

    def tell(self, worker: Worker, message: Start | Job) -> None:
        """Sends a message; that the worker has gone is noticed when it is listened to."""
        with contextlib.suppress(BrokenPipeError):
            send(worker.jobs, message)

    def heard(self, seconds: float | None) -> Iterator[tuple[Worker, list[Message], bool]]:
        """Waits for answers: who has some, what they are, and whether the worker has gone."""
        for key, _ in self.selector.select(seconds):
            worker: Worker = key.data
            data = os.read(worker.answers, 1 << 20)
            worker.buffer += data
            yield worker, list(messages(worker.buffer)), not data

    def end(self, worker: Worker, *, by_force: bool = True) -> str:
        """Ends a worker, or waits for one that has gone by itself; says how it ended."""
        del self.workers[worker.number]
        self.selector.unregister(worker.answers)
        os.close(worker.jobs)
        os.close(worker.answers)
        if by_force:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGKILL)
        try:
            _, status = os.waitpid(worker.pid, 0)
        except ChildProcessError:  # somebody else has waited for it
            return "ended"
        code = os.waitstatus_to_exitcode(status)
        if code >= 0:
            return f"ended with status {code}"
        names = {int(known): known.name for known in signal.Signals}
        return f"was killed by {names.get(-code, f'signal {-code}')}"


def _spawned(jobs: int, answers: int) -> int:
    program = (
        f"import sys; sys.path[:] = {sys.path!r}; from fibprover.theorems.worker import main; main({jobs}, {answers})"
    )
    for pipe in (jobs, answers):
        os.set_inheritable(pipe, True)
    return os.posix_spawn(
        sys.executable, [sys.executable, "-c", program], os.environ,
        setsigmask={signal.SIGINT}, setsigdef={signal.SIGTERM},
    )


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits until a worker is known to the pool, or has ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
