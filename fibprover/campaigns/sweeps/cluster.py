"""Tasks on other machines, or in processes that Dask starts here: the workers of a Dask scheduler.

`distributed` is an extra.  Its scheduler begins a task again whose worker died, three times unless it is configured
otherwise.  If the scheduler itself ends, its unfinished tasks are begun again once there is one at the same address.
"""

from __future__ import annotations

import io
import logging
import pickle
import queue
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError, NotInstalled
from fibprover.base.threads import cores, threads
from fibprover.campaigns.sweeps.processes import share_of
from fibprover.campaigns.sweeps.tasks import Died, program

#: The address that stands for processes on this machine.
LOCAL = "local"

#: The resource of a worker that limits the bytes of one task.
MEMORY = "memory"

#: Seconds to wait for a scheduler at the beginning, and for a new one after the first has ended.
CONNECTION, PATIENCE = 10.0, 600.0

#: Seconds between two checks of the scheduler, and of the number of its workers.
_LOOK_PERIOD, _COUNT_PERIOD = 0.25, 2.0

#: The number of tasks that are submitted for each thread of a worker, so that no thread waits for its next task, and
#: the least number of tasks submitted.
_TASKS_FOR_EACH, _LEAST_TASKS = 2, 4

#: Automata of at least so many bytes are sent once to each worker that needs them.  Workers keep those that were needed
#: last, of so many bytes together.
_LARGE, _MOST_KEPT = 4 << 10, 256 << 20


class OtherProgram(FibproverError):
    """A worker has another version of fibprover's files, so that its results could differ."""


#: The name that the caller gives a task.
_Task = TypeVar("_Task")


class _UnderWay(NamedTuple):
    future: Any
    task: Any


class Cluster(Generic[_Task]):
    """The workers of a scheduler; a context manager that ends those of "local", and leaves others as they are.

    address: of a scheduler, such as tcp://host:8786, or "local"; jobs: the number of processes for "local", elsewhere
    of tasks under way; needed: the resource `memory` that a worker has to have for a task.  Raises NotInstalled without
    `distributed`; FibproverError if no scheduler is there.
    """

    def __init__(self, address: str, jobs: int | None = None, needed: int | None = None) -> None:
        self.address, self.jobs, self.needed = address, jobs, needed
        self.program = program()
        self.stack = ExitStack()
        self.under: dict[str, _UnderWay] = {}
        self.ended: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.lost: list[tuple[_Task, Any]] = []
        #: All clients of a scheduler share the keys of its tasks.
        self.name, self.number = f"fibprover-{secrets.token_hex(8)}", 0
        self.size, self.counted = _LEAST_TASKS, 0.0
        try:
            import cloudpickle
            import distributed
        except ImportError as error:
            raise NotInstalled("Dask is not installed", hint="pip install 'fibprover[cluster]'") from error
        self.dask: Any = distributed
        self.pickler: Any = cloudpickle.Pickler
        self.automata = _Automata()
        self._silence()
        try:
            where = self._started() if address == LOCAL else address
            self.client = self._connected(where, CONNECTION)
        except BaseException:
            self.stack.close()
            raise

    def _silence(self) -> None:
        """Switch off the log of Dask: the end of workers and schedulers is in the records, or raises an error here."""
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":
                logger = logging.getLogger(name)
                self.stack.callback(logger.setLevel, logger.level)
                logger.setLevel(logging.CRITICAL + 1)

    def _started(self) -> Any:
        """Start a scheduler and processes on this machine."""
        import dask

        # A kernel may be silent for longer than a worker may be.
        self.stack.enter_context(dask.config.set({"distributed.scheduler.worker-ttl": None}))
        local = self.dask.LocalCluster(
            n_workers=self.jobs or cores(), threads_per_worker=1, memory_limit=0, dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
        return self.stack.enter_context(local)

    def _connected(self, where: Any, patience: float) -> Any:
        """Return a client of the scheduler, which may not have started yet."""
        until = time.monotonic() + patience
        while True:
            try:
                return self.dask.Client(where, timeout=min(patience, CONNECTION), set_as_default=False)
            except (OSError, ValueError, TypeError) as error:
                if not isinstance(error, OSError) or time.monotonic() >= until:
                    raise FibproverError(
                        f"no Dask scheduler answers at {self.address}",
                        hint="start one with `dask scheduler`, and workers with `dask worker ADDRESS --nthreads 1`",
                    ) from error
                time.sleep(_LOOK_PERIOD)

    def __enter__(self) -> Cluster[_Task]:
        return self

    def __exit__(self, *ending: object) -> None:
        if self.client.status == "running" and self.under:
            self.client.cancel([each.future for each in self.under.values()])
        self._disconnect()
        self.stack.close()

    def _disconnect(self) -> None:
        with suppress(OSError, TimeoutError, RuntimeError):  # the scheduler may be gone
            self.client.close(timeout=1)

    @property
    def under_way(self) -> int:
        """The number of tasks that have not ended."""
        return len(self.under) + len(self.lost)

    @property
    def tasks(self) -> list[_Task]:
        """The tasks submitted to the scheduler."""
        return [each.task for each in self.under.values()]

    def bytes_each(self, most_bytes: int | None) -> int | None:
        """Return the bytes that a task may take.

        most_bytes: what the processes of "local" may hold together. Elsewhere each worker has the limit that it was
        started with, and the least of them counts, since any worker may get any task; None without limits.
        """
        if self.address == LOCAL:
            return share_of(most_bytes, self.jobs or cores())
        limits = [each["memory_limit"] // max(1, each["nthreads"]) for each in self._workers() if each["memory_limit"]]
        return min(limits, default=None)

    def most_bytes(self) -> int | None:
        """Return the most memory that a worker has as a resource, as in `dask worker --resources memory=64e9`."""
        declared = [int(each.get("resources", {}).get(MEMORY, 0)) for each in self._workers()]
        return max(declared, default=0) or None

    def _workers(self) -> list[dict[str, Any]]:
        """Return what the scheduler reports about its workers."""
        try:
            info = self.client.scheduler_info(n_workers=-1)
        except TypeError:  # an older Dask lists all workers anyway
            info = self.client.scheduler_info()
        return list(info["workers"].values())

    def submit(self, task: _Task, function: Callable[..., Any], *arguments: object) -> None:
        """Begin a task, a call of a function of a module; the task is lost if the scheduler has ended."""
        key = self._next_key()
        try:
            sent, needed = self._pickled((function, arguments))
            resources = None if self.needed is None else {MEMORY: self.needed}
            future = self.client.submit(_called, self.program, sent, needed, key=key, pure=False, resources=resources)
        except Exception as error:
            if self.client.status == "running":
                raise FibproverError(f"the scheduler refused a task: {error}", hint="see its log") from error
            self.lost.append((task, None))
            return
        self.under[key] = _UnderWay(future, task)
        future.add_done_callback(lambda done: self.ended.put(done.key))

    def _next_key(self) -> str:
        self.number += 1
        return f"{self.name}-{self.number}"

    def _pickled(self, value: object) -> tuple[bytes, dict[str, Any]]:
        """Return a value for a worker, and by their names the futures of the large automata in it."""
        stream, needed = io.BytesIO(), dict[str, Any]()
        pickler = self.pickler(stream)

        def name(part: object) -> str | None:
            if not isinstance(part, Dfa) or part.nbytes < _LARGE:
                return None
            kept = self.automata.future(part, self._kept_there)
            needed[kept.key] = kept
            return str(kept.key)

        pickler.persistent_id = name
        pickler.dump(value)
        return stream.getvalue(), needed

    def _kept_there(self, automaton: Dfa) -> Any:
        """Return the future of an automaton, which workers keep, and send to one another, as long as it is held here.

        It is the result of a task, which the scheduler begins again if the only worker that had it dies.
        """
        return self.client.submit(_kept, pickle.dumps(automaton), key=self._next_key(), pure=False)

    def results(self) -> list[tuple[_Task, Any]]:
        """Return what has ended, after a short time at most.

        With each task there is what the function returned, or a `Died`; None if it was lost, and is to be begun again.
        """
        found, self.lost = self.lost, []
        if self.client.status != "running":
            return [*found, *self._reconnected()]
        self._count()
        try:
            keys = [] if found else [self.ended.get(timeout=_LOOK_PERIOD)]
        except queue.Empty:
            return found
        while not self.ended.empty():
            keys.append(self.ended.get())
        for key in keys:
            each = self.under.pop(key, None)
            if each is not None:  # otherwise the task belonged to a scheduler that has ended
                found.append((each.task, self._end(each.future)))
        return found

    def _end(self, future: Any) -> Any:
        """Return how a task ended; None if it has to begin again."""
        if future.cancelled():
            return None
        try:
            return future.result(timeout=CONNECTION)
        except OtherProgram:
            raise
        except self.dask.KilledWorker as killed:
            return Died(f"its workers died, one after the other: {killed}", final=True)
        except (self.dask.TimeoutError, TimeoutError, OSError, self.dask.CancelledError):
            return None  # the worker that held the result has ended
        except Exception as error:
            return Died(f"{type(error).__name__}: {error}")

    def _reconnected(self) -> list[tuple[_Task, Any]]:
        """Wait for another scheduler at the address; all tasks of the one that has ended are lost."""
        self._disconnect()
        lost: list[tuple[_Task, Any]] = [(each.task, None) for each in self.under.values()]
        self.under.clear()
        self.automata.clear()
        self.client = self._connected(self.address, PATIENCE)
        return lost

    def _count(self) -> None:
        """Set how many tasks may be under way, from the number of workers, which may grow and shrink."""
        now = time.monotonic()
        if now < self.counted + _COUNT_PERIOD:
            return
        self.counted = now
        try:
            threads = sum(self.client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError):
            return  # the scheduler has ended: the next check finds out
        self.size = max(_LEAST_TASKS, _TASKS_FOR_EACH * threads)
        if self.jobs is not None and self.address != LOCAL:
            self.size = self.jobs


class _Automata:
    """The automata that workers keep, the least recently used first, each with its future."""

    def __init__(self) -> None:
        self.futures: OrderedDict[Dfa, Any] = OrderedDict()
        self.held = 0

    def future(self, automaton: Dfa, kept: Callable[[Dfa], Any]) -> Any:
        """Return the future of an automaton, by this function if it has none."""
        known = self.futures.get(automaton)
        if known is None or known.status not in ("finished", "pending"):
            self.futures[automaton] = kept(automaton)
            self.held += automaton.nbytes if known is None else 0
        self.futures.move_to_end(automaton)
        while self.held > _MOST_KEPT and len(self.futures) > 1:
            dropped, _ = self.futures.popitem(last=False)
            self.held -= dropped.nbytes
        return self.futures[automaton]

    def clear(self) -> None:
        """Forget all, as there is another scheduler."""
        self.futures.clear()
        self.held = 0


# The functions below run in a worker.

_program = cache(program)


def _called(wanted: str, sent: bytes, kept: Mapping[str, bytes]) -> Any:
    """Carry out a task, if this program is the one that sent it; kept: the automata that are named in it."""
    if _program() != wanted:
        raise OtherProgram(
            "a worker runs another version of fibprover than this program",
            hint="install the same version on all machines"
        )
    unpickler = _Unpickler(io.BytesIO(sent))
    unpickler.kept = kept
    function, arguments = unpickler.load()
    with threads(1):  # a worker has as many tasks as it has threads
        return function(*arguments)


def _kept(automaton: bytes) -> bytes:
    """Return a pickled automaton, so that this worker keeps it."""
    return automaton


class _Unpickler(pickle.Unpickler):
    kept: Mapping[str, bytes]

    def persistent_load(self, name: str) -> Any:
        """Return an automaton that this worker was given before."""
        return pickle.loads(self.kept[name])
