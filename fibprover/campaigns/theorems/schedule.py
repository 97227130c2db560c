"""The order of the declarations of a run, and the results so far.

The declarations of a chapter that make names are carried out one after the other.  A theorem waits only
for those before it.  The results are in the order of the scripts, independent of
the order in which they were obtained.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from fibprover.base.errors import FibproverError
from fibprover.campaigns.theorems.chapter import Chapter, DeclaredDefinition, DeclaredTheorem, claim_of
from fibprover.campaigns.theorems.counts import FILE, TextbookCounts, read
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.scripts import Problem, shown, shown_file
from fibprover.campaigns.theorems.stored import StoredRows
from fibprover.campaigns.theorems.task import ProofSettings, SessionDelta, Task, TaskResult
from fibprover.workspace.session import Session

#: Seconds between two checks of theorems that another program is proving.
LOOK_PERIOD = 0.25

#: Tasks of so many seconds, by what others took so far, are sent to a worker of Dask together, at most so many.
_SECONDS_TOGETHER, _MOST_TOGETHER = 0.3, 32


@dataclass(eq=False)
class ChapterProgress:
    """One chapter: the declarations left, by number, and the results so far.

    problems: errors outside the declarations; unfinished: all declarations left, including those in progress
    and the deferred ones; definitions: the declarations left that make names, in order; running: whether
    the first of these is in progress, blocked: whether it is deferred; theorems: the theorems left that are
    neither in progress nor deferred; waiting: those that another program with the same store is proving; deltas: the
    names made so far; last: the number of the last claim that is tried.
    """

    chapter: Chapter
    counts: TextbookCounts
    problems: list[Problem] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)
    definitions: list[int] = field(default_factory=list)
    running: bool = False
    blocked: bool = False
    theorems: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    deltas: dict[int, SessionDelta] = field(default_factory=dict)
    last: int = -1
    outcomes: dict[int, Row | Problem] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        """The seconds of the textbook plan, if measured: an estimate of what the chapter takes.

        Long chapters begin early, so that at the end no process works on one while the others are idle.
        """
        return self.counts.seconds

    def next(self) -> int | None:
        """Take a declaration that can be carried out now: one that makes names first, since others wait for it."""
        if self.definitions and not self.running and not self.blocked:
            self.running = True
            return self.definitions[0]
        if self.theorems and (not self.definitions or self.theorems[0] < self.definitions[0]):
            return self.theorems.pop(0)
        return None

    def requeue(self, index: int) -> None:
        """Queue a declaration again that was not carried out."""
        if index in self.definitions:
            self.running = False
        else:
            self.theorems = sorted([*self.theorems, index])

    def defer(self, index: int) -> None:
        """Leave a declaration out from now on."""
        if index in self.definitions:
            self.running, self.blocked = False, True

    def look_again(self) -> None:
        """Ask again for the theorems that another program is proving."""
        self.theorems = sorted([*self.theorems, *self.waiting])
        self.waiting.clear()


class Schedule:
    """The selected claims of chapters, and the declarations they need.

    total: how many claims are to be tried.  A chapter without a selected claim is left out, and a
    chapter is carried out no further than its last claim that is tried.  kept: rows of earlier runs, which are not
    obtained again, and where those of this run are kept; names are made again if a claim is left that may need them.
    A theorem that another program with the same store is proving is left to it.
    """

    def __init__(self, chapters: Iterable[Chapter], settings: ProofSettings, kept: StoredRows | None = None) -> None:
        self.settings = settings
        self.kept = kept
        self.chapters: list[ChapterProgress] = []
        self.total = 0
        self.looked = time.monotonic()
        files: dict[Path, TextbookCounts] = {}
        for chapter in chapters:
            self._add(chapter, files)
        self.order = sorted(range(len(self.chapters)), key=lambda number: -self.chapters[number].weight)

    def _add(self, chapter: Chapter, files: dict[Path, TextbookCounts]) -> None:
        settings = self.settings
        found = ((index, settings.selected_claim(each)) for index, each in enumerate(chapter.declarations))
        selected = {index: claim for index, claim in found if claim is not None}
        if not selected:
            return
        problems: list[Problem] = []
        file = Path(chapter.place.file).parent / FILE
        if file not in files:
            files[file] = TextbookCounts({}, {})
            try:
                files[file] = read(file)
            except FibproverError as error:
                problems.append(Problem(shown_file(str(file)), str(error)))
        counts = files[file].by_id
        own = {claim.id: counts[claim.id] for claim in selected.values() if claim.id in counts}
        progress = ChapterProgress(chapter, TextbookCounts(files[file].made, own), problems)
        self.chapters.append(progress)
        try:
            Session(chapter.system, plan=settings.plan, limits=settings.limits, without=settings.without)
        except FibproverError as error:
            problems.append(Problem(shown(chapter.place), str(error)))
            return
        tried = [index for index, claim in selected.items() if not settings.skips(claim)]
        self.total += len(tried)
        progress.outcomes.update(
            (index, Row(claim, None, None, None, 0.0, None, skipped=True))
            for index, claim in selected.items()
            if index not in tried
        )
        progress.last = max(tried, default=-1)
        theorems = {i for i, each in enumerate(chapter.declarations) if isinstance(each, DeclaredTheorem)}
        known = self._known(progress, tried)
        progress.outcomes.update(known)
        progress.theorems = [index for index in tried if index in theorems and index not in known]
        progress.definitions = [index for index in range(progress.last + 1) if index not in theorems]
        all_known = self.kept is not None and len(known) == len(tried) and self.kept.made(chapter, progress.last)
        if all_known and not settings.exhibits:  # a page shows the names
            progress.definitions.clear()
        progress.unfinished = {*progress.theorems, *progress.definitions}

    def _known(self, progress: ChapterProgress, tried: Iterable[int]) -> dict[int, Row]:
        """Return the rows of earlier runs for some claims of a chapter, by number."""
        if self.kept is None:
            return {}
        counts, chapter = progress.counts.by_id, progress.chapter
        found = {}
        for index in tried:
            claim = claim_of(chapter.declarations[index])
            row = None if claim is None else self.kept.row(chapter, index, counts.get(claim.id))
            if row is not None:
                found[index] = row
        return found

    # Tasks

    def next(self) -> Task | None:
        """Return the next task; None if all that are left have to wait for others."""
        if self.waits and time.monotonic() >= self.looked + LOOK_PERIOD:
            self.looked = time.monotonic()
            for progress in self.chapters:
                progress.look_again()
        for number in self.order:
            progress = self.chapters[number]
            while (index := progress.next()) is not None:
                if not self._is_elsewhere(number, index):
                    return self.task(number, index)
                if index in progress.unfinished:
                    progress.waiting.append(index)
        return None

    @property
    def waits(self) -> bool:
        """Whether another program with the same store is proving theorems that are left."""
        return any(progress.waiting for progress in self.chapters)

    def _is_elsewhere(self, number: int, index: int) -> bool:
        """Return whether another program with the same store proves a theorem, or has proved it: then take its row."""
        progress = self.chapters[number]
        if self.kept is None or index in progress.definitions:
            return False
        claim = claim_of(progress.chapter.declarations[index])
        count = None if claim is None else progress.counts.by_id.get(claim.id)
        if self.kept.claim(progress.chapter, index, count):
            return False
        row = self.kept.row(progress.chapter, index, count)
        if row is not None:
            progress.outcomes[index] = row
            progress.unfinished.discard(index)
            self._keep(progress, index, row)
        return True

    def task(self, number: int, index: int) -> Task:
        """Return the task of a declaration, by the numbers of its chapter and of itself."""
        progress = self.chapters[number]
        chapter = progress.chapter
        declaration = chapter.declarations[index]
        names = SessionDelta.merged(delta for other, delta in sorted(progress.deltas.items()) if other < index)
        count = None
        if isinstance(declaration, DeclaredTheorem | DeclaredDefinition):
            if not self.settings.certificates:  # these read definitions again, with the names in them
                names = names.for_formula(declaration.formula)
            count = progress.counts.by_id.get(declaration.id)
        return Task((number, index), chapter.system, declaration, names, count, self.settings)

    def title(self, task: Task) -> str:
        """Return the name under which a task is shown while it is carried out."""
        if isinstance(task.declaration, DeclaredTheorem | DeclaredDefinition):
            return task.declaration.id
        return self.chapters[task.key[0]].chapter.title

    def finish(self, task: Task, result: TaskResult) -> None:
        """Take the result of a task."""
        number, index = task.key
        progress = self.chapters[number]
        known = progress.outcomes.get(index)  # a definition of an earlier run, whose name is made again
        outcome = result.outcome
        if outcome is not None and (known is None or not isinstance(outcome, Row) or outcome.problem):
            progress.outcomes[index] = outcome
        if index in progress.definitions:
            progress.definitions.remove(index)
            progress.running = False
            progress.deltas[index] = result.delta
        if index in progress.theorems:
            progress.theorems.remove(index)
        progress.unfinished.discard(index)
        self._keep(progress, index, known)
        if not progress.unfinished and not self.settings.exhibits:
            progress.deltas.clear()

    def _keep(self, progress: ChapterProgress, index: int, known: Row | Problem | None) -> None:
        """Store the result of a declaration; known: the stored result, if there was one."""
        if self.kept is None:
            return
        row = progress.outcomes.get(index)
        if isinstance(row, Row) and row is not known:
            self.kept.keep(progress.chapter, index, progress.counts.by_id.get(row.claim.id), row)
        outcomes = progress.outcomes.values()
        if not progress.unfinished and not any(isinstance(each, Problem) or each.problem for each in outcomes):
            self.kept.keep_made(progress.chapter, progress.last)

    def requeue(self, task: Task) -> None:
        """Queue a task again that was not carried out."""
        self.chapters[task.key[0]].requeue(task.key[1])

    def defer(self, task: Task) -> None:
        """Leave a task that was short of memory beside other processes to the end of the run."""
        self.chapters[task.key[0]].defer(task.key[1])

    def remaining(self) -> Iterator[tuple[int, int]]:
        """Yield the keys of the tasks left, deferred ones too, in the order of the scripts, each after the last one."""
        waits = True
        while waits:
            waits = False
            for number, progress in enumerate(self.chapters):
                for index in sorted(progress.unfinished):
                    if not self._is_elsewhere(number, index):
                        yield number, index
                    elif index in progress.unfinished:
                        waits = True
            if waits:
                time.sleep(LOOK_PERIOD)

    @property
    def size(self) -> int:
        """The number of declarations that are left."""
        return sum(len(progress.unfinished) for progress in self.chapters)

    # Results

    @property
    def finished(self) -> int:
        """The number of claims that have been tried."""
        outcomes = (outcome for progress in self.chapters for outcome in progress.outcomes.values())
        return sum(isinstance(outcome, Row) and not outcome.skipped for outcome in outcomes)

    def deltas(self) -> Iterator[tuple[Chapter, dict[int, SessionDelta]]]:
        """Yield each chapter with the names that its declarations made, by number of the declaration."""
        for progress in self.chapters:
            yield progress.chapter, progress.deltas

    def outcomes(self) -> Iterator[Row | Problem]:
        """Yield the rows and problems so far, in the order of the scripts."""
        for progress in self.chapters:
            yield from progress.problems
            yield from (progress.outcomes[index] for index in sorted(progress.outcomes))


class Groups:
    """How many tasks are sent to a worker together: those of a fraction of a second.

    alone: the keys of tasks that are sent by themselves, since a worker died of them or of others beside them.
    """

    def __init__(self) -> None:
        self.tasks, self.seconds = 0, 0.0
        self.alone: set[tuple[int, int]] = set()

    def note(self, tasks: int, seconds: float) -> None:
        """Note what a group has taken."""
        self.tasks += tasks
        self.seconds += seconds

    def next(self, schedule: Schedule, under_way: int) -> tuple[Task, ...]:
        """Take the next tasks from a schedule.

        under_way: how many groups may be; a group leaves enough tasks for twice as many of its size.
        """
        in_time = int(_SECONDS_TOGETHER * self.tasks / max(self.seconds, 1e-9))
        most = max(1, min(in_time, _MOST_TOGETHER, schedule.size // (2 * under_way)))
        found: list[Task] = []
        while len(found) < most and (task := schedule.next()) is not None:
            if found and task.key in self.alone:
                schedule.requeue(task)
                break
            found.append(task)
            if task.key in self.alone:
                break
        return tuple(found)


def with_bytes(task: Task, most_bytes: int | None) -> Task:
    """Return a task with another limit of memory."""
    limits = replace(task.settings.limits, bytes=most_bytes)
    return replace(task, settings=replace(task.settings, limits=limits))
