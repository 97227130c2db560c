"""A pool of processes on this machine, with `concurrent.futures`, that says which task a process died of.

Tasks are functions of values that can be pickled, under keys.  A function that runs in a process of the pool may
`send` messages to the process that made the pool.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from typing import Any, Literal

from fibprover.base.limits import resident_bytes
from fibprover.base.threads import threads
from fibprover.workspace.supervision import KILLED, supervise_this_process

#: A pool of Python cannot wait for more processes on Windows.
MOST_PROCESSES_ON_WINDOWS = 61

#: Bytes below which a process's share of the memory is useless: an interpreter alone has 20 MB.
LEAST_SHARE = 64 << 20

#: Seconds between two checks for messages.
_LOOK_PERIOD = 0.25

#: The name of a method to start processes.
StartMethod = Literal["fork", "spawn"]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a process about the task `key`; content is None when the process begins the task."""

    process: int
    key: Hashable
    content: object = None


def startable(jobs: int) -> int:
    """Return the number of processes, `jobs` at most, that a pool may have on this system."""
    return min(jobs, MOST_PROCESSES_ON_WINDOWS) if sys.platform == "win32" else jobs


def affordable(jobs: int, most_bytes: int | None) -> int:
    """Return the number of processes, `jobs` at most, that can each have a sufficient share of the memory."""
    if most_bytes is None:
        return jobs
    return max(1, min(jobs, (most_bytes - resident_bytes()) // LEAST_SHARE))


def share_of(most_bytes: int | None, jobs: int) -> int | None:
    """Return the bytes that each of some processes may hold, if they and this one may hold so many together."""
    return None if most_bytes is None else max(1, (most_bytes - resident_bytes()) // jobs)


def death(ending: str) -> str:
    """Return a description of how the process of a task ended."""
    if is_spent(ending):
        return f"the budget of time is spent; {KILLED}\n  hint: raise the limit"
    hint = "please report it, with what was tried"
    if "SIGKILL" in ending:
        hint = "systems kill processes when memory runs out; give a limit of memory, or use fewer processes"
    return f"the process that tried it {ending}\n  hint: {hint}"


def is_spent(ending: str) -> bool:
    """Return whether a process was killed as its budget of time was spent."""
    return "SIGPROF" in ending


class PoolBroken(Exception):
    """A process of a pool has died.

    killed: the key of each task whose process died, with a description of how it ended; ending: such a description.
    """

    def __init__(self, killed: list[tuple[Hashable, str]], ending: str) -> None:
        super().__init__(ending)
        self.killed = killed
        self.ending = ending


class Pool(AbstractContextManager["Pool"]):
    """Tasks in progress in a ProcessPoolExecutor; a context manager that ends all its processes.

    keys: of the tasks in progress; latest: the last message of each process.
    """

    def __init__(self, jobs: int) -> None:
        context = multiprocessing.get_context(start_method())
        if not hasattr(sys.modules["__main__"], "__spec__"):
            # IPython's %reset takes it away, and `multiprocessing` needs it.
            sys.modules["__main__"].__spec__ = None
        self.jobs = jobs
        self.keys: dict[Hashable, None] = {}
        self.latest: dict[int, Message] = {}
        self.messages: SimpleQueue[Message] = context.SimpleQueue()
        self.futures: dict[Future[Any], Hashable] = {}
        self.processes: set[BaseProcess] = set()
        self.executor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin_process, initargs=(self.messages,)
        )

    def __exit__(self, *ending: object) -> None:
        with _signals_blocked():
            for process in self.processes:
                process.kill()
            self.executor.shutdown(wait=True, cancel_futures=True)
            for process in self.processes:
                process.join()
            self.messages.close()

    def submit(self, key: Hashable, function: Callable[..., Any], *arguments: object) -> None:
        """Begin a task; raises OSError where the system allows no further process, PoolBroken if one has died."""
        self.keys[key] = None
        try:
            # Ctrl-C reaches every process of a terminal; only this one may take notice of it.
            with _signals_blocked(), warnings.catch_warnings():
                # Python warns of the threads of numerical libraries, which wait for work and do no harm.
                warnings.simplefilter("ignore", DeprecationWarning)
                self.futures[self.executor.submit(_called, key, function, arguments)] = key
        except BrokenProcessPool as error:
            raise self._broken() from error
        finally:
            # multiprocessing.active_children() would leave out those that have ended already.
            self.processes.update((self.executor._processes or {}).values())

    def progress(self) -> Iterator[tuple[Hashable, object]]:
        """Yield the keys of the tasks in progress with what was sent last about each, None before that."""
        about = {message.key: message.content for message in self.latest.values()}
        for key in self.keys:
            yield key, about.get(key)

    def results(self) -> list[tuple[Hashable, Future[Any]]]:
        """Wait for futures that have ended, but not long.

        Raises PoolBroken if there will be none since a process has died.

        This also reads messages, whether or not there is a listener: a full queue would block the processes.
        """
        done, _ = wait(self.futures, _LOOK_PERIOD, FIRST_COMPLETED)
        self._receive()
        broken = set(filter(_is_broken, done))
        if broken and broken == done:
            raise self._broken()
        found = []
        for future in done - broken:
            key = self.futures.pop(future)
            del self.keys[key]
            found.append((key, future))
        return found

    def _receive(self) -> None:
        """Take the messages that have arrived; each is so small that it is written and read at once."""
        while not self.messages.empty():
            message = self.messages.get()
            self.latest[message.process] = message

    def _broken(self) -> PoolBroken:
        """Find the processes that died by themselves, and their tasks; the executor has terminated the others."""
        self.executor.shutdown(wait=True)
        self._receive()
        ended = {process.pid: process.exitcode for process in self.processes}
        died = {pid: code for pid, code in ended.items() if pid is not None and code not in (None, -signal.SIGTERM)}
        # A process can also die after it has sent its result.
        unfinished = {key for future, key in self.futures.items() if _is_broken(future)}
        killed = [
            (message.key, ending(died[pid]))
            for pid, message in self.latest.items()
            if pid in died and message.key in unfinished
        ]
        for key, _ in killed:
            del self.keys[key]
        return PoolBroken(killed, next(map(ending, died.values()), "they were terminated"))


def start_method() -> StartMethod:
    """Return the method to start processes: fork if it is safe, since it is faster.

    Fork is unsafe if this process has other threads, and on macOS, whose system libraries do not survive it.
    """
    return "fork" if hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1 else "spawn"


def _is_broken(future: Future[Any]) -> bool:
    """Return whether a future that has ended has no result since a process has died."""
    return isinstance(future.exception(), BrokenProcessPool)


def ending(code: int | None) -> str:
    """Return how a process ended, by its exit code."""
    if code is None or code >= 0:
        return f"ended with status {code}"
    names = {int(known): known.name for known in signal.Signals}
    return f"was killed by {names.get(-code, f'signal {-code}')}"


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Delay Ctrl-C and the signals that end a program; threads that are started meanwhile never receive them.

    Neither do processes, before they have decided what these signals do there.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# The functions below run in a process of the pool.

#: The queue to which a process of a pool sends its messages.
_MESSAGES: ContextVar[SimpleQueue[Message] | None] = ContextVar("_MESSAGES", default=None)

#: The key of the task that this process carries out.
_KEY: ContextVar[Hashable] = ContextVar("_KEY", default=None)


def _begin_process(messages: SimpleQueue[Message]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the process ends with its parent
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    supervise_this_process()
    _MESSAGES.set(messages)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process after its parent process has ended, even in the middle of a task."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _called(key: Hashable, function: Callable[..., Any], arguments: tuple[object, ...]) -> Any:
    messages = _MESSAGES.get()
    if messages is not None:
        messages.put(Message(os.getpid(), key))
    token = _KEY.set(key)
    try:
        with threads(1):  # there is a process for each core
            return function(*arguments)
    finally:
        _KEY.reset(token)


def send(content: object) -> None:
    """Send a small value to the process that made the pool, about the task that is being carried out here."""
    messages = _MESSAGES.get()
    if messages is not None:
        messages.put(Message(os.getpid(), _KEY.get(), content))
