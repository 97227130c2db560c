"""Several processes on one run: steps handed out, answers collected, memory shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fibprover.automata.kernels import resident_bytes
from fibprover.theorems.pool import Pool, Worker, method
from fibprover.theorems.work import Task, Work
from fibprover.theorems.worker import Done, Failed, Message, ProgressMessage, Ready, Start

#: Bytes below which a worker's share of the memory is no use: an interpreter alone has 20 MB.
LEAST_SHARE = 64 << 20

#: Seconds between two looks at what the workers do.
_PERIOD = 0.25


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told of a run as it goes; each may be None.

    begin: the name of a step that this process begins; busy: what the workers do, some times a second
    (before there are any, nothing: from then on no thread may run beside this one); note: a remark for
    the user.
    """

    begin: Callable[[str], None] | None = None
    busy: Callable[[Sequence[tuple[str, ProgressMessage | None]]], None] | None = None
    note: Callable[[str], None] | None = None

    def remark(self, text: str) -> None:
        """Tells the user, if anybody listens."""
        if self.note is not None:
            self.note(text)


def affordable(jobs: int, most_bytes: int | None) -> int:
    """How many of so many workers can have a share of the memory that is of use."""
    if most_bytes is None:
        return jobs
    return max(1, min(jobs, (most_bytes - resident_bytes()) // LEAST_SHARE))


def run_parallel(work: Work, jobs: int, listener: Listener) -> None:
    """Carries out what workers can; left are the steps that need more memory than a worker's share."""
    parts = tuple((part.chapter, part.counts) for part in work.parts)
    telling = listener.busy is not None
    if listener.busy is not None:
        listener.busy([])
    start = Start(parts, replace(work.settings, watch=None), telling)
    how = method(start)
    if how is None:
        listener.remark("no further processes can be started here: one job at a time")
        return
    for part in work.parts:
        part.orphan()  # of this process, which may have begun
    numbers = list(range(jobs))
    with Pool(start, how) as pool:
        while True:
            _hand_out(work, pool, numbers, listener)
            at_work = [worker for worker in pool.workers.values() if worker.task is not None]
            if not at_work:
                return
            if listener.busy is not None:
                listener.busy([(work.name(worker.task), worker.doing) for worker in at_work if worker.task])
            for worker, heard, gone in pool.heard(_PERIOD if telling else None):
                for message in heard:
                    _take(work, worker, message)
                if gone:
                    ending = pool.end(worker, by_force=False)
                    if worker.ready:
                        work.lost(worker.number, worker.task, _lost(ending))
                    elif worker.task is not None:
                        _do_without(work, numbers, worker.number, worker.task, ending, listener)


def _hand_out(work: Work, pool: Pool, numbers: list[int], listener: Listener) -> None:
    """Gives every idle worker a step, where there is one; numbers of workers that cannot be started are dropped."""
    share = _share(work.settings.limits.bytes, len(numbers))
    for number in list(numbers):
        worker = pool.workers.get(number)
        if worker is not None and worker.task is not None:
            continue
        task = work.next(number)
        if task is None:
            continue
        if worker is None:
            try:
                worker = pool.add(number)
            except OSError as error:
                _do_without(work, numbers, number, task, str(error.strerror), listener)
                continue
        pool.give(worker, task, work.names_for(task), share)


def _do_without(work: Work, numbers: list[int], number: int, task: Task, why: str, listener: Listener) -> None:
    """A worker could not be started: its step is for another one, or for this process at the end."""
    work.give_back(task)
    work.lost(number, None, "")
    numbers.remove(number)
    listener.remark(f"a further process cannot be started ({why}): {len(numbers) or 'one'} at work")


def _share(most_bytes: int | None, jobs: int) -> int | None:
    """The memory of each worker: together, and with what this process holds, they stay below the limit."""
    return None if most_bytes is None else max(1, (most_bytes - resident_bytes()) // max(1, jobs))


def _take(work: Work, worker: Worker, message: Message) -> None:
    if isinstance(message, Ready):
        worker.ready = True
        return
    if isinstance(message, ProgressMessage):
        worker.doing = message
        return
    task, worker.task = worker.task, None
    assert task is not None
    if message.short:
        work.set_aside(task)
    elif isinstance(message, Failed):
        work.fail(task, message.why)
    elif isinstance(message, Done):
        work.put(task, message.result, message.packed)


def _lost(ending: str) -> str:
    hint = "please report it, with the script"
    if "SIGKILL" in ending:
        hint = "systems kill processes when memory runs out; give a --max-memory, or fewer --jobs"
    return f"the process that tried it {ending}\n  hint: {hint}"
