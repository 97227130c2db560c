"""A sweep: one function, many cases, each a task that is carried out once and kept in a store."""

from __future__ import annotations

import hashlib
import inspect
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits
from fibprover.base.threads import cores
from fibprover.campaigns.sweeps.processes import (
    Pool,
    PoolBroken,
    affordable,
    death,
    is_spent,
    share_of,
    startable,
)
from fibprover.campaigns.sweeps.store import Store, TaskRecord, json_text, json_value
from fibprover.campaigns.sweeps.tasks import Died, SweepTask, TaskEnd, TaskResult, carry_out, program

#: The greatest number of attempts at a task, if its processes die.
MOST_ATTEMPTS = 3

#: The number of times in a row that processes may die without a result, for other reasons than a task, before a sweep
#: gives up.
_MOST_DEATHS = 10

#: The number of tasks that a user's executor has at a time, unless it is given.
_WAITING_THERE = 64

#: Seconds between two checks of the tasks that another program carries out, and of an executor.
_LOOK_PERIOD = 0.25


def sweep(
    function: Callable[..., Any],
    cases: Iterable[Any],
    *,
    store: str | Path | None = None,
    executor: Executor | None = None,
    dask: str | None = None,
    jobs: int | None = None,
    limits: Limits | None = None,
    memory: int | None = None,
    retry: bool = False,
    watch: Callable[[TaskRecord], None] | None = None,
    name: Callable[[Any], str] | None = None,
) -> list[TaskRecord]:
    """Call a function with each of the cases, several at a time; return a record for each, in their order.

    Parameters:

    - function: of a module, since other processes import it; it takes a case and returns a value of JSON, or an
      `Answer`. An exception makes the record a failed one, with its message, and the sweep goes on
    - cases: values of JSON; a tuple or a list is one argument
    - store: a file (see `Store`). What it has is not done again, except what failed if `retry`. The key of a task is a
      hash of the function's name and text, the case, the limits, and the files of fibprover. Functions that it calls
      are not looked at: use another store after a change of these
    - executor: any of `concurrent.futures`; by default processes on this machine. One that dies is replaced; the task
      that it died of is begun three times at most, then recorded as failed
    - dask: the address of a scheduler of Dask, or "local" for one of its own here
    - jobs: how many tasks at a time; by default one on each core, with another executor 64, and on Dask twice as many
      as its workers have threads
    - limits: of each task
    - memory: bytes of all processes together, of which each has its share; it is not part of keys. A task for which
      its share is too small is begun again at the end, by itself with all of the memory, or on a worker of Dask that
      declares more
    - retry: whether what failed before is done again
    - watch: is called with each record as soon as there is one
    - name: what records call a case

    Errors: FibproverError if the function or a case does not fit, or if no process can be started; FileProblem if the
    store cannot be written. What has been finished is in the store even then.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from math import factorial
    >>> records = fp.sweep(factorial, [3, 4, 5], executor=ThreadPoolExecutor(1))
    >>> [record.result for record in records]
    [6, 24, 120]
    """
    allowed = limits or Limits()
    named = _named(function)
    version = program()
    tasks = [_task(named, case, allowed, version, name) for case in cases]
    opened: AbstractContextManager[Store | None] = nullcontext() if store is None else Store(store)
    with opened as kept:
        run = _Sweep(kept, retry, watch)
        run.todo.extend({task.key: task for task in tasks}.values())
        try:
            _carry_out(run, function, allowed, executor, dask, jobs, memory)
        finally:
            if kept is not None:
                kept.release()
    return [run.records[task.key] for task in tasks]


def _carry_out(
    run: _Sweep, function: Callable[..., Any], limits: Limits, executor: Executor | None, dask: str | None,
    jobs: int | None, memory: int | None,
) -> None:
    """Carry out all tasks of a sweep, those for which their share of the memory is too small at the end, by themselves.
    """
    with _workers(executor, dask, jobs, memory, len(run.todo)) as place:
        limited = _within(limits, place.bytes_each)
        run.more = place.most_bytes if limited != limits else None
        run.carry_out(place.workers, function, limited)
    if run.large:
        run.todo.extend(run.large)
        most, run.more = run.more, None
        with _workers(None, dask, 1, memory, 1, most) as place:
            run.carry_out(place.workers, function, _within(limits, most))


def _within(limits: Limits, most_bytes: int | None) -> Limits:
    """Return limits with no more bytes than these."""
    given = [each for each in (limits.bytes, most_bytes) if each is not None]
    return replace(limits, bytes=min(given, default=None))


class _Workplace(NamedTuple):
    """The place where tasks are carried out, with the bytes that each may take, and those for a task that runs alone.
    """

    workers: _Workers
    bytes_each: int | None
    most_bytes: int | None


@contextmanager
def _workers(
    executor: Executor | None, dask: str | None, jobs: int | None, memory: int | None, tasks: int,
    needed: int | None = None,
) -> Iterator[_Workplace]:
    """Yield where the tasks are carried out; end what was started for them.

    needed: bytes that a worker of Dask has to have, by the resource `memory` that it was started with.
    """
    if dask is not None:
        if executor is not None:
            raise FibproverError("both an executor and Dask are given", hint="give one of them")
        from fibprover.campaigns.sweeps.cluster import LOCAL, Cluster  # an extra

        with Cluster[SweepTask](dask, jobs, needed if dask != LOCAL else None) as cluster:
            most = share_of(memory, 1) if dask == LOCAL else cluster.most_bytes()
            yield _Workplace(cluster, cluster.bytes_each(memory), most)
    elif executor is not None:
        size = max(1, min(jobs or _WAITING_THERE, tasks))
        with _UserExecutor(executor, size) as elsewhere:
            yield _Workplace(elsewhere, share_of(memory, size), None)
    else:
        size = affordable(max(1, min(startable(jobs or cores()), tasks)), memory)
        with _LocalProcesses(size) as processes_here:
            yield _Workplace(processes_here, share_of(memory, size), None if size == 1 else share_of(memory, 1))


def _named(function: Callable[..., Any]) -> list[str]:
    """Return the parts of a key that identify a function: its module, name and text."""
    name = getattr(function, "__qualname__", "")
    try:
        pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise FibproverError(
            f"{name or function!r} cannot be sent to other processes: {error}", hint="give a function of a module"
        ) from error
    if not name:
        raise FibproverError(f"{function!r} has no name", hint="give a function of a module")
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        text = ""
    return [function.__module__, name, text]


def _task(
    named: Sequence[str], case: Any, limits: Limits, version: str, name: Callable[[Any], str] | None
) -> SweepTask:
    try:
        said = json_text(case)
    except FibproverError as error:
        raise FibproverError(
            f"the case {case!r} of a sweep is not a value of JSON",
            hint="give numbers, texts, or lists and dictionaries of these",
        ) from error
    bounds = [limits.states, limits.transitions, limits.bytes, limits.seconds, limits.cpu_seconds]
    content = json_text([*named, said, bounds, version])
    what = f"{named[1]}({said})" if name is None else name(case)
    return SweepTask(hashlib.sha256(content.encode()).hexdigest(), what, case)


class _Workers(Protocol):
    """The interface of a place where tasks are carried out; size: how many at a time."""

    size: int

    def submit(self, task: SweepTask, function: Callable[..., TaskResult], *arguments: object) -> None:
        """Begin a task, a call of this function."""

    def results(self) -> list[tuple[SweepTask, TaskEnd]]:
        """Return the tasks that have ended: with a result, the reason for having none, or None for a task lost with
        others.
        """

    @property
    def under_way(self) -> int:
        """The number of tasks that have not ended."""


class _LocalProcesses(AbstractContextManager["_LocalProcesses"]):
    """Processes on this machine, which are replaced when one dies; a context manager that ends them."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pool: Pool | None = None
        self.tasks: dict[str, SweepTask] = {}
        self.deaths = 0
        self.lost: list[tuple[SweepTask, TaskEnd]] = []

    def __exit__(self, *ending: object) -> None:
        pool, self.pool = self.pool, None
        if pool is not None:
            pool.__exit__(*ending)

    @property
    def under_way(self) -> int:
        return len(self.tasks) + len(self.lost)

    def submit(self, task: SweepTask, function: Callable[..., TaskResult], *arguments: object) -> None:
        self.tasks[task.key] = task
        try:
            self.pool = self.pool or Pool(self.size)
            self.pool.submit(task.key, function, *arguments)
        except PoolBroken as broken:
            self._replaced(broken)
        except OSError as error:
            raise FibproverError(
                f"no further process can be started here: {error.strerror or error}", hint="use fewer jobs"
            ) from error

    def results(self) -> list[tuple[SweepTask, TaskEnd]]:
        found, self.lost = self.lost, []
        if self.pool is None or found:
            return found
        try:
            for key, future in self.pool.results():
                found.append((self.tasks.pop(str(key)), _result_of(future)))
                self.deaths = 0
        except PoolBroken as broken:
            self._replaced(broken)
        return found

    def _replaced(self, broken: PoolBroken) -> None:
        """End the pool; all its tasks are lost, and some of them made a process die."""
        self.__exit__(None, None, None)
        self.deaths += not broken.killed
        if self.deaths >= _MOST_DEATHS:
            raise FibproverError(
                f"processes end again and again before they have carried out a task: the last one {broken.ending}",
                hint="use fewer jobs, or see what ends them",
            )
        killed = {key: Died(death(ending), final=is_spent(ending)) for key, ending in broken.killed}
        self.lost += [(task, killed.get(key)) for key, task in self.tasks.items()]
        self.tasks.clear()


class _UserExecutor(AbstractContextManager["_UserExecutor"]):
    """An executor that the user has given, and ends."""

    def __init__(self, executor: Executor, size: int) -> None:
        self.executor, self.size = executor, size
        self.futures: dict[Future[TaskResult], SweepTask] = {}

    def __exit__(self, *ending: object) -> None:
        for future in self.futures:
            future.cancel()

    @property
    def under_way(self) -> int:
        return len(self.futures)

    def submit(self, task: SweepTask, function: Callable[..., TaskResult], *arguments: object) -> None:
        try:
            self.futures[self.executor.submit(function, *arguments)] = task
        except (BrokenExecutor, RuntimeError) as error:
            raise FibproverError(f"the executor refused a task: {error}", hint="use another executor") from error

    def results(self) -> list[tuple[SweepTask, TaskEnd]]:
        done, _ = wait(self.futures, _LOOK_PERIOD, FIRST_COMPLETED)
        for future in done:
            if isinstance(future.exception(), BrokenExecutor):
                raise FibproverError(f"the executor has ended: {future.exception()}", hint="start the sweep again")
        return [(self.futures.pop(future), _result_of(future)) for future in done]


def _result_of(future: Future[TaskResult]) -> TaskResult | Died:
    """Return the result of a future; an error of the future means that the task could not be sent, or that the machine
    failed.
    """
    error = future.exception()
    return future.result() if error is None else Died(f"{type(error).__name__}: {error}")


class _Sweep:
    """The state of a sweep: the tasks left, those that another program has claimed, the records so far."""

    def __init__(self, store: Store | None, retry: bool, watch: Callable[[TaskRecord], None] | None) -> None:
        self.store, self.retry, self.watch = store, retry, watch
        self.todo: deque[SweepTask] = deque()
        self.others: deque[SweepTask] = deque()
        self.claimed: set[str] = set()
        self.records: dict[str, TaskRecord] = {}
        #: The bytes for a task that runs alone, None if these are not more than usual; the tasks that wait for this.
        self.more: int | None = None
        self.large: list[SweepTask] = []
        self.looked = time.monotonic()

    def carry_out(self, workers: _Workers, function: Callable[..., Any], limits: Limits) -> None:
        """Carry out all tasks, or see their records in the store."""
        while self.todo or self.others or workers.under_way:
            while workers.under_way < workers.size and (task := self._next()) is not None:
                begun = replace(task, attempts=task.attempts + 1)
                workers.submit(begun, carry_out, function, task.case, limits)
            if workers.under_way:
                for task, result in workers.results():
                    self._ended(task, result)
            elif self.others:
                time.sleep(_LOOK_PERIOD)
            if self.store is not None:
                self.store.renew()

    def _next(self) -> SweepTask | None:
        """Take a task that is to be carried out here; note those that the store has."""
        if time.monotonic() >= self.looked + _LOOK_PERIOD:
            self.looked = time.monotonic()
            self.todo.extend(self.others)
            self.others.clear()
        while self.todo:
            task = self.todo.popleft()
            if self.store is None or task.key in self.claimed:
                return task
            found = self.store.claim(task.key, task.what, retry=self.retry)
            if found is None:
                self.claimed.add(task.key)
                return task
            if found.state == "claimed":
                self.others.append(task)
            else:
                self._note(found)
        return None

    def _ended(self, task: SweepTask, result: TaskEnd) -> None:
        """Store the result of a task, or queue the task again."""
        if result is None:
            self.todo.appendleft(replace(task, attempts=task.attempts - 1))  # it was not the one
            return
        if isinstance(result, TaskResult) and result.short_of_memory and self.more is not None:
            self.large.append(task)
            return
        if isinstance(result, Died):
            if task.attempts < MOST_ATTEMPTS and not result.final:
                self.todo.append(task)
                return
            record = TaskRecord(task.key, task.what, "failed", error=result.reason, attempts=task.attempts)
        else:
            record = TaskRecord(
                task.key, task.what, "failed" if result.error else "done", json_value(result.result),
                json_value(result.evidence), result.certificate, result.seconds, result.peak_bytes, result.host,
                result.error, task.attempts,
            )
        if self.store is not None:
            self.store.finish(record)
        self._note(record)

    def _note(self, record: TaskRecord) -> None:
        self.records[record.key] = record
        if self.watch is not None:
            self.watch(record)
