"""What a run has to carry out: who takes which step next, and what has come of the steps so far.

The steps of a chapter that make names known are carried out one after the other by one worker, the
chapter's leader.  A theorem waits for those before it and for nothing else, so the theorems of a
chapter spread over all workers as soon as these have no chapter of their own to begin.  The results
are in the order of the scripts, whoever came to them and when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fibprover.errors import FibproverError
from fibprover.theorems.attempt import ChapterRun, ProofSettings, in_error
from fibprover.theorems.chapter import Chapter, DeclaredDefinition, DeclaredTheorem
from fibprover.theorems.collect import Problem, shown, shown_file
from fibprover.theorems.counts import FILE, TextbookCounts, read
from fibprover.theorems.names import NOTHING, SessionDelta, unpacked
from fibprover.theorems.report import Row

#: What comes of a step: a row, a problem, or nothing to tell.
Result = Row | Problem | None


@dataclass(frozen=True, slots=True)
class Task:
    """A step of a part, both by number."""

    part: int
    step: int


@dataclass(eq=False)
class Part:
    """What has to be done in one chapter.

    naming: the steps left that make names known, in order; theorems: the theorems left; aside: those
    that have to be tried again when nothing else needs memory; busy: the naming step in progress;
    blocked: whether the first of `naming` has to wait for memory too; leader: the worker that takes
    the naming steps; packed: what these made known, None where only the leader knows; before: what
    went wrong before the first step.
    """

    chapter: Chapter
    counts: TextbookCounts
    before: list[Problem]
    naming: list[int] = field(default_factory=list)
    theorems: list[int] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    busy: int | None = None
    blocked: bool = False
    leader: int | None = None
    packed: dict[int, bytes | None] = field(default_factory=dict)
    results: dict[int, Result] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        """What the chapter may take, as far as that is known: the seconds of the textbook plan, if measured.

        Long chapters are to be begun early, so that no worker is left with one at the end.
        """
        return sum(count.seconds for count in self.counts.by_id.values())

    def ready(self, worker: int) -> list[int]:
        """The theorems that a worker could try now."""
        pending = [*self.naming[:1], *([] if self.busy is None else [self.busy])]
        if self.leader != worker:
            pending += [step for step, packed in self.packed.items() if packed is None]
        return [step for step in self.theorems if all(step < naming for naming in pending)]

    def take(self, worker: int) -> int | None:
        """The next step for a worker: names first, since others may wait for them."""
        if self.leader == worker and self.naming and not self.blocked:
            self.busy = self.naming.pop(0)
            return self.busy
        ready = self.ready(worker)
        if not ready:
            return None
        self.theorems.remove(ready[0])
        return ready[0]

    def orphan(self) -> None:
        """The leader is no more: what only it knew has to be made known again."""
        self.leader = None
        gone = [step for step, packed in self.packed.items() if packed is None]
        self.naming = sorted([*self.naming, *gone])
        for step in gone:
            del self.packed[step]

    def rest(self) -> list[int]:
        """The steps that are left, in order, for a process that has nothing but what is packed."""
        left = sorted({*self.naming, *self.theorems, *self.aside})
        unknown = [step for step, packed in self.packed.items() if packed is None]
        return sorted({*left, *(step for step in unknown if left and step < left[-1])})


class Work:
    """The selected claims of chapters, and the steps they need.

    total: how many claims are to be tried.  Chapters without a selected claim are left out, and a
    chapter is carried out no further than its last claim that is tried.
    """

    def __init__(self, chapters: Iterable[Chapter], settings: ProofSettings) -> None:
        self.settings = settings
        self.parts: list[Part] = []
        self.total = 0
        self.last: dict[int, Part] = {}
        known: dict[Path, TextbookCounts] = {}
        for chapter in chapters:
            self._add(chapter, known)

    def _add(self, chapter: Chapter, known: dict[Path, TextbookCounts]) -> None:
        settings = self.settings
        found = ((index, settings.row_of(step)) for index, step in enumerate(chapter.declarations))
        selected = {index: claim for index, claim in found if claim is not None}
        if not selected:
            return
        tried = [index for index, claim in selected.items() if not settings.skips(claim)]
        before: list[Problem] = []
        file = Path(chapter.place.file).parent / FILE
        if file not in known:
            known[file] = TextbookCounts({}, {})
            try:
                known[file] = read(file)
            except FibproverError as error:
                before.append(Problem(shown_file(str(file)), str(error)))
        counts = TextbookCounts(known[file].made, {
            claim.id: known[file].by_id[claim.id] for claim in selected.values() if claim.id in known[file].by_id
        })
        part = Part(chapter, counts, before)
        self.parts.append(part)
        try:
            ChapterRun(chapter, settings, counts).begin()
        except FibproverError as error:
            before.append(Problem(shown(chapter.place), str(error)))
            return
        self.total += len(tried)
        part.results.update(
            (index, Row(claim, None, None, None, 0.0, None, skipped=True))
            for index, claim in selected.items()
            if index not in tried
        )
        last = tried[-1] if tried else -1
        theorems = {i for i, step in enumerate(chapter.declarations) if isinstance(step, DeclaredTheorem)}
        part.theorems = [index for index in tried if index in theorems]
        part.naming = [index for index in range(last + 1) if index not in theorems]

    # -- workers ---------------------------------------------------------------------------

    def next(self, worker: int) -> Task | None:
        """The step that a worker is to carry out next; None if there is none for it at the moment."""
        mine = [part for part in self.parts if part.leader == worker]
        recent = [self.last[worker]] if worker in self.last else []
        fresh = [part for part in self.parts if part.leader is None and (part.naming or part.theorems)]
        fresh.sort(key=lambda part: -part.weight)
        others = sorted(self.parts, key=lambda part: -len(part.theorems))
        for part in (*mine, *fresh, *recent, *others):
            if part.leader is None and not part.blocked:
                part.leader = worker
            step = part.take(worker)
            if step is not None:
                self.last[worker] = part
                return Task(self.parts.index(part), step)
        return None

    def name(self, task: Task) -> str:
        """What a step is called while it is carried out."""
        chapter = self.parts[task.part].chapter
        step = chapter.declarations[task.step]
        return step.id if isinstance(step, DeclaredTheorem | DeclaredDefinition) else chapter.title

    def put(self, task: Task, result: Result, packed: bytes | None = None) -> None:
        """What came of a step, and the names that it made known, unless they were too large to be sent."""
        part = self.parts[task.part]
        part.results[task.step] = result
        for left in (part.naming, part.theorems, part.aside):
            if task.step in left:
                left.remove(task.step)
        if not isinstance(part.chapter.declarations[task.step], DeclaredTheorem):
            part.packed[task.step] = packed
        if part.busy == task.step:
            part.busy = None

    def fail(self, task: Task, why: str) -> None:
        """Nothing came of a step."""
        step = self.parts[task.part].chapter.declarations[task.step]
        self.put(task, in_error(step, self.settings.row_of(step), why), NOTHING)

    def names_for(self, task: Task) -> list[tuple[int, bytes]]:
        """The names that a step may refer to, as far as they can be sent."""
        packed = self.parts[task.part].packed
        return [(step, names) for step, names in packed.items() if names is not None and step < task.step]

    def set_aside(self, task: Task) -> None:
        """A step for which there was too little memory beside the other workers: the run ends with it."""
        part = self.parts[task.part]
        if part.busy == task.step:
            self.give_back(task)
            part.blocked = True
        else:
            part.aside.append(task.step)

    def give_back(self, task: Task) -> None:
        """A step that nobody has carried out after all."""
        part = self.parts[task.part]
        if part.busy == task.step:
            part.naming.insert(0, task.step)
            part.busy = None
        else:
            part.theorems = sorted([*part.theorems, task.step])

    def lost(self, worker: int, task: Task | None, why: str) -> None:
        """A worker has gone, in the middle of a step or without one."""
        self.last.pop(worker, None)
        if task is not None:
            self.fail(task, why)
        for part in self.parts:
            if part.leader == worker:
                part.orphan()

    def resumed(self, part: Part) -> ChapterRun:
        """A chapter in progress that knows what is packed."""
        run = ChapterRun(part.chapter, self.settings, part.counts)
        run.begin()
        run.names = {step: unpacked(packed) for step, packed in part.packed.items() if packed is not None}
        return run

    @property
    def size(self) -> int:
        """How many steps are left."""
        return sum(len(part.naming) + len(part.theorems) for part in self.parts)

    # -- results ---------------------------------------------------------------------------

    @property
    def finished(self) -> int:
        """How many claims have been tried."""
        rows = (result for part in self.parts for result in part.results.values())
        return sum(isinstance(row, Row) and not row.skipped for row in rows)

    def named(self) -> Iterator[tuple[Chapter, dict[int, SessionDelta]]]:
        """Each chapter with what its steps have made known, by number of the step, as far as that was kept.

        See Settings.exhibits; names whose automata are too large to be sent are not kept.
        """
        for part in self.parts:
            kept = {step: packed for step, packed in part.packed.items() if packed is not None}
            yield part.chapter, {step: unpacked(kept[step]) for step in sorted(kept)}

    def results(self) -> Iterator[Row | Problem]:
        """What has come of the steps so far, in the order of the scripts."""
        for part in self.parts:
            yield from part.before
            for step in sorted(part.results):
                result = part.results[step]
                if result is not None:
                    yield result
