"""Measures the prover: every measurement is a separate process.

    python -m benchmarks [--runs N] [--only NAME ...] [-o RESULTS.md]
    python -m benchmarks --peer COMMAND [--runs N] [--only GROUP ...] [-o TABLE.md]

The result is a page of Markdown tables.  See README.md in this folder.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.groups import WYTHOFF, Group, paper_groups, wythoff_group
from benchmarks.measure import Budget, Measured, job_of, measured, plain
from benchmarks.table import Section, megabytes, page, seconds, table

#: The budgets of one group of the paper, and of one game m-Wythoff.
PAPER_BUDGET = Budget(60.0, 4 << 30)
WYTHOFF_BUDGET = Budget(300.0, 6 << 30)

#: The group of m-Wythoff whose rules are switched off one by one.
ABLATED = 5

#: The parts of the page by name.
SECTIONS = ("start", "paper", "wythoff", "ablation", "scaling")

def start(runs: int) -> Section:
    """Measure command lines as a user would type them, from a cold start."""
    prover = (sys.executable, "-m", "fibprover")
    wanted = {
        "`python -c pass` (for comparison)": (sys.executable, "-c", "pass"),
        "`fibprover --version`": (*prover, "--version"),
        "`fibprover eval 'Ax,y x+y=y+x'`": (*prover, "eval", "Ax,y x+y=y+x"),
        "`fibprover prove` (all of proofs/)": (*prover, "prove", "proofs"),
        "`fibprover prove --no-vacuity`": (*prover, "prove", "proofs", "--no-vacuity"),
        "`fibprover prove proofs/k2.py`": (*prover, "prove", "proofs/k2.py"),
    }
    rows = []
    for title, command in wanted.items():
        note(title)
        found = plain(command, runs)
        figures = ["-"] * 5 if found.failure else [
            seconds(found.seconds), seconds(min(run.seconds for run in found.runs)),
            seconds(max(run.seconds for run in found.runs)), seconds(found.processor), megabytes(found.peak),
        ]
        rows.append([title + (f" ({found.failure})" if found.failure else ""), *figures, str(len(found.runs))])
    return Section("Command lines", (
        "Whole processes: wall seconds, and processor seconds, which tell more on a busy machine.",
        table(["what", "median s", "least s", "most s", "processor s", "peak MB", "runs"], rows),
    ))


def paper(groups: Sequence[Group], runs: int) -> Section:
    """Measure the paper's commands as printed, a process for each group."""
    rows = []
    for group in groups:
        note(group.title)
        rows.append([group.title, str(len(group.commands)), *figures(measured(
            job_of(group, PAPER_BUDGET), runs, group.expected
        ))])
    return Section("The paper's commands", (
        "Each group with the definitions it needs. Seconds of all commands together, wall and processor seconds of the "
        "whole process, states of the largest automaton built.",
        table(["what", "commands", "commands s", "process s", "processor s", "peak MB", "largest", "runs"], rows),
    ))


def figures(found: Measured) -> list[str]:
    """Return the cells of a row about a job."""
    if found.failure:
        return [found.failure, "-", "-", "-", "-", str(len(found.runs))]
    return [
        seconds(found.inside), seconds(found.seconds), seconds(found.processor), megabytes(found.peak),
        str(found.largest), str(len(found.runs)),
    ]


def wythoff(groups: Sequence[Group], runs: int) -> Section:
    """Measure each command of m-Wythoff."""
    names = ("stable", "absorbing", "needed", "redundant", "conjecture")
    rows = []
    for group in groups:
        note(group.title)
        found = measured(job_of(group, WYTHOFF_BUDGET), runs, group.expected)
        each = ["-" if found.failure else seconds(found.of(name, "seconds")) for name in names]
        rows.append([group.title, *each, *figures(found)])
    return Section("m-Wythoff", (
        "The theorems of [proofs/m_wythoff.py](../proofs/m_wythoff.py): stability and absorption of the set of "
        "P-positions, the set of the moves that are needed, that of the redundant ones, and the conjecture on them. "
        f"Seconds of each, of all commands with the definitions, and of the process. Each row may spend "
        f"{WYTHOFF_BUDGET.seconds:g} s and {WYTHOFF_BUDGET.bytes / (1 << 30):g} GB.",
        table(
            ["what", *(f"{name} s" for name in names), "commands s", "process s", "processor s", "peak MB", "largest",
             "runs"], rows,
        ),
    ))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    printed, games = paper_groups(), [wythoff_group(m) for m in WYTHOFF]
    arguments = parsed(argv, [group.name for group in (*printed, *games)])
    if arguments.peer:
        sections = [against(arguments, chosen(arguments.only or SECTIONS, printed, games))]
    else:
        sections = measurements(arguments.only or SECTIONS, printed, games, arguments.runs)
    text = page(sections, arguments.runs)
    print(text, end="")
    if arguments.output:
        Path(arguments.output).write_text(text, encoding="utf-8")
    return 0


def note(text: str) -> None:
    """Print what is measured next."""
    print(text, file=sys.stderr, flush=True)


def chosen(only: Sequence[str], printed: Sequence[Group], games: Sequence[Group]) -> tuple[list[Group], list[Group]]:
    """Return the groups that are requested by name, or by the part of the page they belong to."""
    own = [group for group in printed if group.name in only]
    others = [group for group in games if group.name in only]
    return own or list(printed if "paper" in only else ()), others or list(games if "wythoff" in only else ())


def measurements(only: Sequence[str], printed: Sequence[Group], games: Sequence[Group], runs: int) -> list[Section]:
    """Return the requested parts of the page; with `ablation`, named groups are its columns."""
    sections = []
    own, others = chosen(only, printed, games)
    named = [group for group in (*printed, *games) if group.name in only]
    if "start" in only:
        sections.append(start(runs))
    if own and ("paper" in only or "ablation" not in only):
        sections.append(paper(own, runs))
    if others and ("wythoff" in only or "ablation" not in only):
        sections.append(wythoff(others, runs))
    if "ablation" in only:
        from benchmarks.ablation import ablation
        from fibprover.prover.plan.rules import RULES

        usual = [*printed, *(group for group in games if group.name == f"wythoff-{ABLATED}")]
        sections.append(ablation(named or usual, RULES, runs, note))
    if "scaling" in only:
        from benchmarks.scaling import scaling, series

        sections.append(scaling(series(), runs, note))
    return sections


def against(arguments: argparse.Namespace, groups: tuple[list[Group], list[Group]]) -> Section:
    """Return the comparison with a peer."""
    from benchmarks.peer import peers

    return peers([*groups[0], *groups[1]], arguments.peer, arguments.runs, arguments.peer_timeout, note)


def parsed(argv: Sequence[str] | None, groups: Sequence[str]) -> argparse.Namespace:
    """Parse the options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measures the prover.")
    parser.add_argument(
        "--runs", type=int, default=3, metavar="N",
        help="most runs of each measurement (default 3); what takes long is run once",
    )
    parser.add_argument(
        "--only", nargs="+", default=[], choices=(*SECTIONS, *groups), metavar="NAME",
        help=f"parts of the page ({', '.join(SECTIONS)}) or groups ({', '.join(groups)})",
    )
    parser.add_argument(
        "--peer", metavar="COMMAND",
        help="compare with another program; {file} in its command line is the script (else it is its standard input), "
        "{home} a folder with the words",
    )
    parser.add_argument(
        "--peer-timeout", type=float, default=600.0, metavar="SECONDS", help="of each run of either (default 600)"
    )
    parser.add_argument("-o", "--output", metavar="TABLE.md", help="write the page to a file as well")
    arguments = parser.parse_args(argv)
    if arguments.runs < 1:
        parser.error("--runs has to be at least 1")
    if not arguments.peer_timeout > 0:
        parser.error("--peer-timeout has to be positive")
    return arguments
