"""Runs chapters, in this process or in several, and gives what came of them in the order of the scripts."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from fibprover.theorems.attempt import ChapterRun as ChapterRun
from fibprover.theorems.attempt import ProofSettings as ProofSettings
from fibprover.theorems.chapter import Chapter
from fibprover.theorems.collect import Problem
from fibprover.theorems.parallel import Listener, affordable, run_parallel
from fibprover.theorems.report import Row as Row
from fibprover.theorems.work import Task, Work

#: A run of fewer chapters begins in this process, for so many seconds: starting others costs some 0.05 s.
_FEW, _ALONE = 4, 0.25


def run(chapters: Iterable[Chapter], settings: ProofSettings, jobs: int | None = 1) -> list[Row | Problem]:
    """Tries every selected claim of the chapters, with up to so many processes at once (see `carry_out`).

    Rows and problems are in the order of the chapters and of their steps, and the same for every
    number of jobs but for seconds and bytes.
    """
    work = Work(chapters, settings)
    carry_out(work, jobs)
    return list(work.results())


def carry_out(work: Work, jobs: int | None, listener: Listener | None = None) -> None:
    """Does the work; what has been finished when an exception comes, such as Ctrl-C, is in it.

    jobs: how many steps at once, each in a process of its own; 1 is this process alone.  None is one
    for each core, as soon as there is enough to do.
    """
    listener = listener or Listener()
    wanted = cores() if jobs is None else jobs
    if jobs is None and wanted > 1 and len(work.parts) < _FEW:
        _carry_out_here(work, listener, time.monotonic() + _ALONE)
    wanted = affordable(min(wanted, work.size), work.settings.limits.bytes)
    if wanted > 1:
        run_parallel(work, wanted, listener)
    _carry_out_here(work, listener)


def _carry_out_here(work: Work, listener: Listener, until: float = float("inf")) -> None:
    """Does what is left in this process, or begins to."""
    for number, part in enumerate(work.parts):
        steps = part.rest()
        if not steps:
            continue
        chapter = work.resumed(part)
        for step in steps:
            if time.monotonic() >= until:
                return
            task = Task(number, step)
            if listener.begin is not None:
                listener.begin(work.name(task))
            attempt = chapter.attempt(step)
            made = chapter.names.get(step)
            kept = until != float("inf") or work.settings.exhibits
            work.put(task, attempt.result, made.packed() if made is not None and kept else None)


def cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
