"""Run a schedule, in this process or in several, with `concurrent.futures`.

Every process has an equal share of the memory limit.  A task for which a share is too small is carried
out at the end, in this process, with all of the memory.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from types import TracebackType
from typing import Literal

from fibprover.automata.kernels import resident_bytes
from fibprover.evaluate.trace import Record
from fibprover.syntax.formula import parse_formula
from fibprover.theorems.chapter import Chapter
from fibprover.theorems.collect import Problem
from fibprover.theorems.report import Row
from fibprover.theorems.schedule import Schedule, with_bytes
from fibprover.theorems.task import ProofSettings, Task, TaskResult, Watch, carry_out, failed

#: A run begins in this process, for so many seconds, if it has fewer chapters: to start a process takes some 0.05 s.
_FEW_CHAPTERS, _SECONDS_ALONE = 4, 0.25

#: Bytes below which a process's share of the memory is useless: an interpreter alone has 20 MB.
LEAST_SHARE = 64 << 20

#: Definitions of more bytes are not sent between processes, which would hold them several times.
MOST_BYTES = 256 << 20

#: A pool of Python cannot wait for more processes on Windows.
MOST_PROCESSES_ON_WINDOWS = 61

#: Seconds between two progress messages of a process, and between two checks for messages.
_MESSAGE_PERIOD, _LOOK_PERIOD = 0.2, 0.25

#: The name of a method by which processes are started.
StartMethod = Literal["fork", "spawn"]


@dataclass(frozen=True, slots=True)
class ProgressMessage:
    """The progress of a task: steps of the evaluation finished, states of the last automaton."""

    process: int
    key: tuple[int, int]
    steps: int = 0
    states: int = 0


@dataclass(frozen=True, slots=True)
class RunListener:
    """Functions that are called during a run; each may be None.

    begin: called with the name of a task that this process begins; step: with a finished step of its evaluation;
    busy: with the tasks of other processes, several times a second (and once, with none, before a process is started:
    from then on no other thread may run in this process); remark: with a remark for the user.
    """

    begin: Callable[[str], None] | None = None
    step: Watch | None = None
    busy: Callable[[Sequence[tuple[str, ProgressMessage | None]]], None] | None = None
    remark: Callable[[str], None] | None = None


def run(chapters: Iterable[Chapter], settings: ProofSettings, jobs: int | None = 1) -> list[Row | Problem]:
    """Try every selected claim of the chapters in up to `jobs` processes (see `run_schedule`).

    Rows and problems are in the order of the chapters and of their declarations, and the same for every
    number of jobs, seconds and bytes excepted.
    """
    schedule = Schedule(chapters, settings)
    run_schedule(schedule, jobs)
    return list(schedule.outcomes())


def run_schedule(schedule: Schedule, jobs: int | None, listener: RunListener | None = None) -> None:
    """Carry out all tasks; after an exception such as Ctrl-C the schedule keeps the results so far.

    jobs: the number of tasks at the same time, each in a separate process; 1 means this process alone.  None
    means one for each core, as soon as there is enough work.
    """
    listener = listener or RunListener()
    wanted = cores() if jobs is None else jobs
    if jobs is None and wanted > 1 and len(schedule.chapters) < _FEW_CHAPTERS:
        _run_here(schedule, listener, time.monotonic() + _SECONDS_ALONE)
    wanted = affordable(startable(min(wanted, schedule.size)), schedule.settings.limits.bytes)
    if wanted > 1:
        _run_in_processes(schedule, wanted, listener)
    _run_here(schedule, listener)


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def startable(jobs: int) -> int:
    """Return the number of processes, `jobs` at most, that a pool may have on this system."""
    return min(jobs, MOST_PROCESSES_ON_WINDOWS) if sys.platform == "win32" else jobs


def affordable(jobs: int, most_bytes: int | None) -> int:
    """Return the number of processes, `jobs` at most, that can each have a sufficient share of the memory."""
    if most_bytes is None:
        return jobs
    return max(1, min(jobs, (most_bytes - resident_bytes()) // LEAST_SHARE))


def _run_here(schedule: Schedule, listener: RunListener, until: float = float("inf")) -> None:
    """Carry out the remaining tasks in this process, until the time `until`."""
    for task in schedule.remaining():
        if time.monotonic() >= until:
            return
        if listener.begin is not None:
            listener.begin(schedule.title(task))
        schedule.finish(task, carry_out(task, listener.step))


# Several processes: this process gives them tasks and collects the results.


def _run_in_processes(schedule: Schedule, jobs: int, listener: RunListener) -> None:
    """Carry out the tasks for which a process's share of the memory suffices.

    If a process dies, all others end too, and new processes carry out their unfinished tasks again.
    """
    if listener.busy is not None:
        listener.busy([])
    unexplained = 0
    while True:
        try:
            with _Pool(jobs) as pool:
                _serve(schedule, pool, listener)
            return
        except OSError as error:
            why = str(error.strerror)
            break
        except _PoolBroken as broken:
            for task, ending in broken.killed:
                schedule.finish(task, failed(task, _death(ending)))
            why = broken.ending
            unexplained += not broken.killed
            if unexplained == 2:
                break
    if listener.remark is not None:
        listener.remark(f"no further processes can be started here ({why}): one job at a time")


def _serve(schedule: Schedule, pool: _Pool, listener: RunListener) -> None:
    """Give tasks to a pool until none is left for it; OSError or _PoolBroken if it cannot continue."""
    most_bytes = schedule.settings.limits.bytes
    try:
        while True:
            while len(pool.tasks) < pool.jobs and (task := schedule.next()) is not None:
                share = None if most_bytes is None else max(1, (most_bytes - resident_bytes()) // pool.jobs)
                pool.submit(with_bytes(task, share))
            if not pool.tasks:
                return
            if listener.busy is not None:
                listener.busy([(schedule.title(task), message) for task, message in pool.progress()])
            for task, result in pool.results():
                if result.short_of_memory:
                    schedule.defer(task)
                else:
                    schedule.finish(task, result)
    except (OSError, _PoolBroken):
        for task in pool.tasks.values():
            schedule.requeue(task)
        raise


def _death(ending: str) -> str:
    hint = "please report it, with the script"
    if "SIGKILL" in ending:
        hint = "systems kill processes when memory runs out; give a --max-memory, or fewer --jobs"
    return f"the process that tried it {ending}\n  hint: {hint}"


class _PoolBroken(Exception):
    """A process of a pool has died.

    killed: each task whose process died, with a description of how it ended; ending: such a description.
    """

    def __init__(self, killed: list[tuple[Task, str]], ending: str) -> None:
        super().__init__(ending)
        self.killed = killed
        self.ending = ending


class _Pool:
    """Tasks in progress in a ProcessPoolExecutor; a context manager that ends all its processes.

    tasks: those in progress, by key; latest: the last message of each process.
    """

    def __init__(self, jobs: int) -> None:
        method = start_method()
        context = multiprocessing.get_context(method)
        if not hasattr(sys.modules["__main__"], "__spec__"):
            # IPython's %reset takes it away, and `multiprocessing` needs it.
            sys.modules["__main__"].__spec__ = None
        if method == "fork":
            parse_formula("0=0")  # builds the parser, once for all processes
        self.jobs = jobs
        self.tasks: dict[tuple[int, int], Task] = {}
        self.latest: dict[int, ProgressMessage] = {}
        self.messages: SimpleQueue[ProgressMessage] = context.SimpleQueue()
        self.futures: dict[Future[TaskResult], Task] = {}
        self.processes: set[BaseProcess] = set()
        self.executor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin_process, initargs=(self.messages,)
        )

    def __enter__(self) -> _Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _sigint_blocked():
            for process in self.processes:
                process.kill()
            self.executor.shutdown(wait=True, cancel_futures=True)
            for process in self.processes:
                process.join()
            self.messages.close()

    def submit(self, task: Task) -> None:
        """Begin a task; OSError where the system allows no further process."""
        self.tasks[task.key] = task
        try:
            # Ctrl-C reaches every process of a terminal; only this one may take notice of it.
            with _sigint_blocked(), warnings.catch_warnings():
                # Python warns of the threads of numerical libraries, which wait for work and do no harm.
                warnings.simplefilter("ignore", DeprecationWarning)
                self.futures[self.executor.submit(_carry_out_in_process, task)] = task
        except BrokenProcessPool as error:
            raise self._broken() from error
        finally:
            # multiprocessing.active_children() would leave out those that have ended already.
            self.processes.update((self.executor._processes or {}).values())

    def progress(self) -> Iterator[tuple[Task, ProgressMessage | None]]:
        """Yield the tasks in progress with the last message about each."""
        about = {message.key: message for message in self.latest.values() if message.steps}
        for task in self.tasks.values():
            yield task, about.get(task.key)

    def results(self) -> list[tuple[Task, TaskResult]]:
        """Wait for results, but not long; _PoolBroken if there will be none since a process has died.

        This also reads messages, whether or not there is a listener: a full queue would block the processes.
        """
        done, _ = wait(self.futures, _LOOK_PERIOD, FIRST_COMPLETED)
        self._receive()
        broken = set(filter(_is_broken, done))
        if broken and broken == done:
            raise self._broken()
        found = []
        for future in done - broken:
            task = self.futures.pop(future)
            del self.tasks[task.key]
            found.append((task, _result(task, future)))
        return found

    def _receive(self) -> None:
        """Take the messages that have arrived; each is so small that it is written and read at once."""
        while not self.messages.empty():
            message = self.messages.get()
            self.latest[message.process] = message

    def _broken(self) -> _PoolBroken:
        """Find the processes that died by themselves, and their tasks; the executor has terminated the others."""
        self.executor.shutdown(wait=True)
        self._receive()
        ended = {process.pid: process.exitcode for process in self.processes}
        died = {pid: code for pid, code in ended.items() if pid is not None and code not in (None, -signal.SIGTERM)}
        # A process can also die after it has sent its result.
        unfinished = {task.key for future, task in self.futures.items() if _is_broken(future)}
        killed = [
            (self.tasks.pop(message.key), _ending(died[pid]))
            for pid, message in self.latest.items()
            if pid in died and message.key in unfinished
        ]
        return _PoolBroken(killed, next(map(_ending, died.values()), "they were terminated"))


def start_method() -> StartMethod:
    """Return the method to start processes: fork if it is safe, since it is faster.

    Fork is unsafe if this process has other threads, and on macOS, whose system libraries do not survive it.
    """
    return "fork" if hasattr(os, "fork") and sys.platform != "darwin" and threading.active_count() == 1 else "spawn"


def _is_broken(future: Future[TaskResult]) -> bool:
    """Return whether a future that has ended has no result since a process has died."""
    return isinstance(future.exception(), BrokenProcessPool)


def _result(task: Task, future: Future[TaskResult]) -> TaskResult:
    """Return the result of a future; an error of the future is a failure to send the task or its result."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, MemoryError):
        return TaskResult(None, short_of_memory=True)
    return failed(task, f"internal error: {type(error).__name__}: {error}")


def _ending(code: int | None) -> str:
    if code is None or code >= 0:
        return f"ended with status {code}"
    names = {int(known): known.name for known in signal.Signals}
    return f"was killed by {names.get(-code, f'signal {-code}')}"


@contextlib.contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Delay Ctrl-C; processes and threads that are started meanwhile never receive it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# The functions below run in a process of the pool.

#: The queue to which a process of a pool sends its messages.
_MESSAGES: ContextVar[SimpleQueue[ProgressMessage] | None] = ContextVar("_MESSAGES", default=None)


def _begin_process(messages: SimpleQueue[ProgressMessage]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _MESSAGES.set(messages)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process after its parent process has ended, even in the middle of a task."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _carry_out_in_process(task: Task) -> TaskResult:
    messages = _MESSAGES.get()
    if messages is None:
        return carry_out(task)
    messages.put(ProgressMessage(os.getpid(), task.key))
    result = carry_out(task, _sender(messages, task.key))
    # A definition that is too large to be sent is made again in the main process, for all tasks.
    return TaskResult(None, short_of_memory=True) if result.delta.nbytes > MOST_BYTES else result


def _sender(messages: SimpleQueue[ProgressMessage], key: tuple[int, int]) -> Watch:
    """Return a function that sends a progress message, once in a fixed time at most."""
    steps, sent = 0, time.monotonic()

    def send(record: Record) -> None:
        nonlocal steps, sent
        steps += 1
        now = time.monotonic()
        if now >= sent + _MESSAGE_PERIOD:
            sent = now
            messages.put(ProgressMessage(os.getpid(), key, steps, record.states))

    return send
