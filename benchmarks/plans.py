"""Measures the optimized plan against the textbook plan on scripts: the optimized one must not lose.

    python -m benchmarks.plans [--timeout 10] [--max-memory 2G] [--worst 10] [--home-dir DIR] PATH ...

A path is a script of Walnut's commands, a script of theorems (`*.py`), or a folder of the latter or, if it has none, of
the former (`*.txt`).  Every `def`, `eval`, definition and theorem is evaluated by both plans in turn, each without what
the cache has, and then defined; other commands and declarations are carried out, and theorems that take long are left
out.  The law: optimized takes at most 1.5 times the processor seconds of textbook, plus 20 ms.  Textbook is stopped as
soon as the law holds whatever else it would take; what breaks the law is measured twice more, and the least times
count.  Where both plans spend their budget nothing is compared.  A command that is in error is counted, no more:
commands may call what an earlier command could not define.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

import fibprover as fp
from benchmarks.table import table
from fibprover.campaigns.theorems.chapter import Chapter, DeclaredDefinition, DeclaredScript, DeclaredTheorem
from fibprover.campaigns.theorems.scripts import collect, scripts
from fibprover.campaigns.theorems.task import DeclarationRunner, ProofSettings
from fibprover.frontends.conversation.options import seconds, size
from fibprover.language.commands import DefCommand, EvalCommand, iterate_script
from fibprover.prover.evaluate.cache import Cache
from fibprover.workspace.guard import enforced

#: The law: optimized takes at most FACTOR times the seconds of textbook, plus SLACK.
FACTOR, SLACK = 1.5, 0.02

#: How often what breaks the law is measured.
RUNS = 3

#: Wall seconds on a busy machine for each processor second that textbook needs for the law to hold.
PATIENCE = 4.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What an evaluation took: processor seconds, and states of the largest automaton.

    spent: the resource whose budget ended it, empty if none did.
    """

    seconds: float
    largest: int
    spent: str = ""

    def __str__(self) -> str:
        return f"> {self.seconds:.3f}" if self.spent else f"{self.seconds:.3f}"


@dataclass(frozen=True, slots=True)
class Compared:
    """One command under both plans."""

    script: str
    name: str
    optimized: Cost
    textbook: Cost

    @property
    def ratio(self) -> float:
        """How many times as long as textbook optimized takes beyond the slack: at most FACTOR by the law."""
        if self.optimized.spent:
            return 0.0 if self.textbook.spent else inf
        return max(0.0, self.optimized.seconds - SLACK) / max(self.textbook.seconds, 1e-6)

    @property
    def lost(self) -> bool:
        """Whether the law is broken; not if textbook was stopped, too."""
        return not self.textbook.spent and self.ratio > FACTOR


def cost(
    session: fp.Session, formula: str, plan: str, limits: fp.Limits
) -> tuple[Cost, fp.Relation | fp.Verdict | None]:
    """Evaluate a formula without what the cache has; return the cost, and the outcome, None if a budget is spent."""
    session.cache = Cache()
    begun = time.process_time()
    try:
        with session.overridable(), enforced(limits):
            outcome = session.eval(formula, plan=plan, limits=limits)
    except fp.BudgetSpent as error:
        largest = max((record.states for record in error.trace), default=0)
        return Cost(time.process_time() - begun, largest, error.resource), None
    took = time.process_time() - begun
    return Cost(took, outcome.trace.largest if outcome.trace is not None else 1), outcome


def compared(
    session: fp.Session, formula: str, name: str, script: str, limits: fp.Limits, *, defines: bool = True
) -> Compared:
    """Evaluate a formula by both plans, and define its name (if it has to) as far as one of them has an outcome."""
    optimized, outcome = cost(session, formula, "optimized", limits)
    enough = limits.seconds if optimized.spent else min(limits.seconds or inf, 1 + PATIENCE * optimized.seconds)
    textbook, other = cost(session, formula, "textbook", fp.Limits(seconds=enough, bytes=limits.bytes))
    found = Compared(script, name, optimized, textbook)
    for _ in range(RUNS - 1 if found.lost and not optimized.spent else 0):
        optimized = min(optimized, cost(session, formula, "optimized", limits)[0], key=lambda one: one.seconds)
        textbook = min(textbook, cost(session, formula, "textbook", limits)[0], key=lambda one: one.seconds)
        found = Compared(script, name, optimized, textbook)
    outcome = other if outcome is None else outcome
    if defines and name and outcome is not None:
        session.define(name, outcome if isinstance(outcome, fp.Relation) else formula)
    return found


def of_commands(session: fp.Session, text: str, script: str, limits: fp.Limits) -> Iterator[Compared | str]:
    """Yield the comparison of each formula of some commands, and the error of each command that is in error."""
    try:
        for command in iterate_script(text):
            try:
                if isinstance(command, DefCommand | EvalCommand):
                    yield compared(session, command.text, command.name, script, limits)
                elif getattr(command, "word", "") not in ("load", "export", "draw"):
                    with enforced(limits):
                        session.execute(command, text)
            except fp.FibproverError as error:
                yield f"{script}, line {command.line}: {error.message}"
    except fp.FibproverError as error:
        yield f"{script}: {error.message}"


def of_chapter(chapter: Chapter, script: str, limits: fp.Limits) -> Iterator[Compared | str]:
    """Yield the comparison of each formula of a chapter, and the error of each declaration that is in error."""
    session = fp.Session(chapter.system)
    runner = DeclarationRunner(session, ProofSettings(limits=limits))
    for step in chapter.declarations:
        try:
            match step:
                case DeclaredScript():
                    yield from of_commands(session, step.text, script, limits)
                case DeclaredDefinition():
                    yield compared(session, step.formula, step.name, script, limits)
                case DeclaredTheorem():
                    if not step.long:
                        yield compared(session, step.formula, step.id, script, limits, defines=False)
                case _:
                    runner.declare(step)
        except fp.FibproverError as error:
            yield f"{step.place}: {error.message}"


def of_file(file: Path, home: str | None, limits: fp.Limits) -> Iterator[Compared | str]:
    """Yield the comparisons of a script of commands or of theorems, and errors."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        found = collect([file])
        yield from (f"{problem.place}: {problem.message}" for problem in found.problems)
        for chapter in found.chapters:
            yield from of_chapter(chapter, file.name, limits)
        return
    session = fp.Session()
    if home is not None:
        session.use_folders(home, written=False)
    yield from of_commands(session, text, file.name, limits)


def files(paths: Sequence[str]) -> list[Path]:
    """Return the scripts that paths name: in a folder those of theorems, or else those of commands."""
    found: list[Path] = []
    for path in map(Path, paths):
        found += (scripts([path]) or sorted(path.glob("*.txt"))) if path.is_dir() else [path]
    return found


def page(found: Sequence[Compared], worst: int) -> str:
    """Return a table of the worst comparisons, and a line on all of them."""
    order = sorted(found, key=lambda one: (one.lost, one.ratio, one.optimized.seconds), reverse=True)
    rows = [
        [one.script, one.name or "-", str(one.optimized), str(one.textbook),
         "-" if one.textbook.spent else f"{one.ratio:.2f}", str(one.optimized.largest), str(one.textbook.largest)]
        for one in order[:worst]
    ]
    lost = sum(one.lost for one in found)
    neither = sum(bool(one.optimized.spent and one.textbook.spent) for one in found)
    total, other = sum(one.optimized.seconds for one in found), sum(one.textbook.seconds for one in found)
    header = ["script", "command", "optimized s", "textbook s", "times", "largest", "of textbook"]
    return (
        table(header, rows, left=2)
        + f"\n\n{len(found)} formulas: {lost} lose, {neither} spend their budget by both plans; "
        f"processor seconds: optimized {total:.1f}, textbook {other:.1f}"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; return exit status 1 if the law is broken, 2 if a script cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.plans", description="Measures the optimized plan against the textbook plan."
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="scripts or folders of scripts")
    parser.add_argument(
        "--timeout", type=seconds, default=10.0, metavar="SECONDS", help="of each evaluation (default 10)"
    )
    parser.add_argument("--max-memory", type=size, default=2 << 30, metavar="SIZE", help="of the process (default 2G)")
    parser.add_argument("--worst", type=int, default=10, metavar="N", help="how many are shown (default 10)")
    parser.add_argument("--home-dir", metavar="DIR", help="a folder of Walnut, with the words that the scripts need")
    arguments = parser.parse_args(argv)
    limits = fp.Limits(seconds=arguments.timeout, bytes=arguments.max_memory)
    found: list[Compared] = []
    errors = 0
    for file in files(arguments.paths):
        try:
            for one in of_file(file, arguments.home_dir, limits):
                if isinstance(one, Compared):
                    found.append(one)
                else:
                    errors += 1
                    print(one, file=sys.stderr)
        except OSError as error:
            print(f"{file}: {error.strerror}", file=sys.stderr)
            return 2
    print(page(found, arguments.worst) + f"; {errors} commands in error" * bool(errors))
    return 1 if any(one.lost for one in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
