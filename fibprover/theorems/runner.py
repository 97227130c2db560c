"""Runs chapters, in this process or in several, and gives what came of them in the order of the scripts."""

from __future__ import annotations

import os
from collections.abc import Iterable

from fibprover.theorems.attempt import ChapterRun as ChapterRun
from fibprover.theorems.attempt import Settings as Settings
from fibprover.theorems.chapter import Chapter
from fibprover.theorems.collect import Problem
from fibprover.theorems.parallel import Listener, affordable, run_parallel
from fibprover.theorems.row import Row as Row
from fibprover.theorems.work import Task, Work


def run(chapters: Iterable[Chapter], settings: Settings, jobs: int = 1) -> list[Row | Problem]:
    """Tries every selected claim of the chapters, with up to so many processes at once (0: one for each core).

    Rows and problems are in the order of the chapters and of their steps, and the same for every
    number of jobs but for seconds and bytes.
    """
    work = Work(chapters, settings)
    carry_out(work, jobs or cores())
    return list(work.results())


def carry_out(work: Work, jobs: int, listener: Listener | None = None) -> None:
    """Does the work; what has been finished when an exception comes, such as Ctrl-C, is in it."""
    listener = listener or Listener()
    jobs = affordable(min(jobs, work.size), work.settings.limits.bytes)
    if jobs > 1:
        run_parallel(work, jobs, listener)
    for number, part in enumerate(work.parts):
        steps = part.rest()
        if not steps:
            continue
        chapter = work.resumed(part)
        for step in steps:
            task = Task(number, step)
            if listener.begin is not None:
                listener.begin(work.name(task))
            work.put(task, chapter.attempt(step).result)


def cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
