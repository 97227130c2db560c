"""Measures the gain of every rule of the optimized plan: each is switched off alone, on every group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks.groups import Group
from benchmarks.job import Job
from benchmarks.measure import Budget, Measured, job_of, measured
from benchmarks.table import Section, seconds, table

#: The budget of one group with one rule switched off.
BUDGET = Budget(60.0, 4 << 30)

#: Cells are run again if they take less than this; there are many of them.
PATIENCE = 3.0

#: The rows that are about no single rule.
ALL, TEXTBOOK = "all rules", "textbook plan"

Measure = Callable[[Job, int, Sequence[bool], float], Measured]


def ablation(
    groups: Sequence[Group], rules: Sequence[str], runs: int, note: Callable[[str], None],
    measure: Measure = measured, budget: Budget = BUDGET,
) -> Section:
    """Return two tables, seconds and largest automata, with a row for each rule and a column for each group.

    note: is called with the name of every cell before it is measured.
    """
    variants = [(ALL, ()), *((f"without {rule}", (rule,)) for rule in rules), (TEXTBOOK, ())]
    times, sizes = [], []
    for title, off in variants:
        cells = []
        for group in groups:
            note(f"{title}: {group.title}")
            job = replace(job_of(group, budget), without=off, plan="textbook" if title == TEXTBOOK else "optimized")
            cells.append(measure(job, runs, group.expected, PATIENCE))
        times.append([title, *(cell.failure or seconds(cell.inside) for cell in cells)])
        sizes.append([title, *(cell.failure or str(cell.largest) for cell in cells)])
    header = ["", *(group.name for group in groups)]
    return Section("What each rule is worth", (
        f"Seconds of all commands of a group, without the start of the process, if one rule of the optimized plan is "
        f"switched off (`--without RULE`). Each may spend {budget.seconds:g} s and {budget.bytes / (1 << 30):g} GB.",
        table(header, times),
        "States of the largest automaton built.",
        table(header, sizes),
    ))
