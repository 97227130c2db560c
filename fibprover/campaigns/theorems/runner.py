"""Run a schedule, in this process, in several with `concurrent.futures`, or on the workers of a Dask scheduler.

Every process has an equal share of the memory limit.  A task for which a share is too small is carried
out at the end, in this process, with all of the memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass

from fibprover.base.threads import cores
from fibprover.campaigns.sweeps.processes import (
    Pool,
    PoolBroken,
    affordable,
    death,
    is_spent,
    send,
    share_of,
    start_method,
    startable,
)
from fibprover.campaigns.sweeps.tasks import Died
from fibprover.campaigns.theorems.chapter import Chapter
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.schedule import LOOK_PERIOD, Groups, Schedule, with_bytes
from fibprover.campaigns.theorems.scripts import Problem
from fibprover.campaigns.theorems.task import ProofSettings, Task, TaskResult, Watch, carry_out, failed
from fibprover.language.parser import parse_formula
from fibprover.prover.evaluate.trace import Record

#: A run with few chapters begins in this process, for this part of a second: starting a process takes some 0.05 s.
_FEW_CHAPTERS, _SECONDS_ALONE = 4, 0.25

#: Definitions of more bytes, of tasks that are sent together, are not sent between processes, which would hold them
#: several times.
MOST_BYTES = 256 << 20

#: Seconds between two progress messages of a process.
_MESSAGE_PERIOD = 0.2


@dataclass(frozen=True, slots=True)
class ProgressMessage:
    """The progress of a task: steps of the evaluation finished, states of the last automaton."""

    steps: int
    states: int


@dataclass(frozen=True, slots=True)
class RunListener:
    """Functions that are called during a run; each may be None.

    begin: called with the name of a task that this process begins; step: with a finished step of its evaluation;
    busy: with the tasks of other processes, several times a second (and once, with none, before a process is started:
    from then on no other thread may run in this process); warn: with a warning for the user.
    """

    begin: Callable[[str], None] | None = None
    step: Watch | None = None
    busy: Callable[[Sequence[tuple[str, ProgressMessage | None]]], None] | None = None
    warn: Callable[[str], None] | None = None


def run(chapters: Iterable[Chapter], settings: ProofSettings, jobs: int | None = 1) -> list[Row | Problem]:
    """Try every selected claim of the chapters in up to `jobs` processes (see `run_schedule`).

    Rows and problems are in the order of the chapters and of their declarations, and the same for every
    number of jobs, seconds and bytes excepted.
    """
    schedule = Schedule(chapters, settings)
    run_schedule(schedule, jobs)
    return list(schedule.outcomes())


def run_schedule(
    schedule: Schedule, jobs: int | None, listener: RunListener | None = None, dask: str | None = None
) -> None:
    """Carry out all tasks; after an exception such as Ctrl-C the schedule keeps the results so far.

    jobs: the number of tasks at the same time, each in a separate process; 1 means this process alone.  None
    means one for each core, as soon as there is enough work.  dask: the address of a Dask scheduler whose workers
    carry them out, or "local" (see `Cluster`).
    """
    try:
        _run(schedule, jobs, listener or RunListener(), dask)
    finally:
        if schedule.kept is not None:
            schedule.kept.store.release()


def _run(schedule: Schedule, jobs: int | None, listener: RunListener, dask: str | None) -> None:
    if dask is not None:
        _run_on_workers(schedule, dask, jobs, listener)
        _run_here(schedule, listener)
        return
    wanted = cores() if jobs is None else jobs
    if jobs is None and wanted > 1 and len(schedule.chapters) < _FEW_CHAPTERS:
        _run_here(schedule, listener, time.monotonic() + _SECONDS_ALONE)
    wanted = affordable(startable(min(wanted, schedule.size)), schedule.settings.limits.bytes)
    if wanted > 1:
        _run_in_processes(schedule, wanted, listener)
    _run_here(schedule, listener)


def _run_here(schedule: Schedule, listener: RunListener, until: float = float("inf")) -> None:
    """Carry out the remaining tasks in this process, until the time `until`."""
    kept = schedule.kept
    # Within a quarter of a second no claim has to be renewed, and processes are not forked from one with threads.
    brief = kept is None or until < float("inf")
    with nullcontext() if brief or kept is None else kept.store.renewing():
        for key in schedule.remaining():
            if time.monotonic() >= until:
                return
            task = schedule.task(*key)
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
    if start_method() == "fork":
        parse_formula("0=0")  # builds the parser, once for all processes
    unexplained = 0
    tasks: dict[Hashable, Task] = {}
    while True:
        try:
            with Pool(jobs) as pool:
                _serve(schedule, pool, tasks, listener)
            return
        except OSError as error:
            why = str(error.strerror)
            break
        except PoolBroken as broken:
            for key, ending in broken.killed:
                schedule.finish(tasks[key], failed(tasks[key], death(ending), spent=is_spent(ending)))
            why = broken.ending
            unexplained += not broken.killed
            if unexplained == 2:
                break
    if listener.warn is not None:
        listener.warn(f"no further processes can be started here ({why}): one job at a time")


def _serve(schedule: Schedule, pool: Pool, tasks: dict[Hashable, Task], listener: RunListener) -> None:
    """Give tasks to a pool until none is left for it; raises OSError or PoolBroken if the pool cannot continue.

    tasks: those given to a pool so far, by key.
    """
    most_bytes = schedule.settings.limits.bytes
    try:
        while True:
            while len(pool.keys) < pool.jobs and (task := schedule.next()) is not None:
                tasks[task.key] = task = with_bytes(task, share_of(most_bytes, pool.jobs))
                pool.submit(task.key, _carry_out_in_process, task)
            _renew(schedule)
            if not pool.keys:
                if not schedule.waits:
                    return
                time.sleep(LOOK_PERIOD)
                continue
            if listener.busy is not None:
                listener.busy([(schedule.title(tasks[key]), _progress(content)) for key, content in pool.progress()])
            for key, future in pool.results():
                task = tasks.pop(key)
                result = _result(task, future)
                if result.short_of_memory:
                    schedule.defer(task)
                else:
                    schedule.finish(task, result)
    except (OSError, PoolBroken):
        for key in pool.keys:
            schedule.requeue(tasks[key])
        raise


def _renew(schedule: Schedule) -> None:
    """Renew the claims of this program."""
    if schedule.kept is not None:
        schedule.kept.store.renew()


def _run_on_workers(schedule: Schedule, address: str, jobs: int | None, listener: RunListener) -> None:
    """Carry out the tasks for which the memory of a worker suffices, on the workers of a Dask scheduler.

    Several are sent together where they are short: a scheduler takes some 10 ms for each thing that it is sent.
    """
    from fibprover.campaigns.sweeps.cluster import Cluster  # an extra

    groups = Groups()
    with Cluster[tuple[Task, ...]](address, jobs) as cluster:
        most_bytes = cluster.bytes_each(schedule.settings.limits.bytes)
        while True:
            while cluster.under_way < cluster.size and (tasks := groups.next(schedule, cluster.size)):
                cluster.submit(tasks, _carry_out_together, [with_bytes(task, most_bytes) for task in tasks])
            _renew(schedule)
            if not cluster.under_way:
                if not schedule.waits:
                    return
                time.sleep(LOOK_PERIOD)
                continue
            if listener.busy is not None:
                listener.busy([(schedule.title(task), None) for tasks in cluster.tasks for task in tasks[:1]])
            for tasks, end in cluster.results():
                if end is None or (isinstance(end, Died) and len(tasks) > 1):
                    groups.alone.update(task.key for task in tasks if end is not None)
                    for task in tasks:
                        schedule.requeue(task)
                elif isinstance(end, Died):
                    schedule.finish(tasks[0], failed(tasks[0], end.reason))
                else:
                    results, seconds = end
                    groups.note(len(results), seconds)
                    for task, result in zip(tasks, results, strict=True):
                        if result.short_of_memory:
                            schedule.defer(task)
                        else:
                            schedule.finish(task, result)


def _progress(content: object) -> ProgressMessage | None:
    return content if isinstance(content, ProgressMessage) else None


def _result(task: Task, future: Future[TaskResult]) -> TaskResult:
    """Return the result of a future; an error of the future is a failure to send the task or its result."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, MemoryError):
        return TaskResult(None, short_of_memory=True)
    return failed(task, f"internal error: {type(error).__name__}: {error}")


# The functions below run in a process of the pool.


def _carry_out_in_process(task: Task) -> TaskResult:
    return _carry_out_elsewhere(task, _sender())


def _carry_out_elsewhere(task: Task, watch: Watch | None = None) -> TaskResult:
    result = carry_out(task, watch)
    # A definition that is too large to be sent is made again in the main process, for all tasks.
    return TaskResult(None, short_of_memory=True) if result.delta.nbytes > MOST_BYTES else result


def _carry_out_together(tasks: Sequence[Task]) -> tuple[list[TaskResult], float]:
    begun, results, sent = time.perf_counter(), list[TaskResult](), 0
    for task in tasks:
        result = _carry_out_elsewhere(task)
        sent += result.delta.nbytes
        results.append(result if sent <= MOST_BYTES else TaskResult(None, short_of_memory=True))
    return results, time.perf_counter() - begun


def _sender() -> Watch:
    """Return a function that sends a progress message, once in a fixed time at most."""
    steps, sent = 0, time.monotonic()

    def report(record: Record) -> None:
        nonlocal steps, sent
        steps += 1
        now = time.monotonic()
        if now >= sent + _MESSAGE_PERIOD:
            sent = now
            send(ProgressMessage(steps, record.states))

    return report
