"""Measures the textbook plan on the theorems of scripts, and keeps the counts for `fibprover prove`.

    python -m benchmarks.textbook [--all] [--timeout 300] [--max-memory 4G] [-k PATTERN] [PATH ...]

For every claim of the scripts (default: proofs) the formula is evaluated as it is written, every
part to its minimal automaton; the largest one is written, with the seconds and the peak memory it
took, to textbook_counts.json in the script's folder.  What a formula calls is computed by the
optimized plan: it is the same automaton.  A claim whose formula has not changed since is
skipped; the file is written after every claim, so that the work can be interrupted.  A claim that
meets its budget is recorded as such, with the largest automaton until then.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import fibprover as fp
from fibprover.base.limits import peak_bytes, reset_peak
from fibprover.campaigns.theorems.chapter import Chapter, Claim, DeclaredTheorem, claim_of
from fibprover.campaigns.theorems.counts import FILE, TextbookCount, TextbookCounts, counted, fingerprint, read, write
from fibprover.campaigns.theorems.scripts import CollectedScripts, collect, scripts
from fibprover.campaigns.theorems.task import DeclarationRunner, ProofSettings
from fibprover.frontends.conversation.options import seconds, size
from fibprover.prover.evaluate.trace import Trace


def measured(claim: Claim, session: fp.Session, limits: fp.Limits) -> TextbookCount:
    """Evaluate one claim by the textbook plan and return its count; a spent budget is a result too."""
    known = fingerprint(claim.formula, session)
    reset_peak()
    begun = time.perf_counter()
    spent = ""
    try:
        trace = session.eval(claim.formula, plan="textbook", limits=limits).trace or Trace((), 1, 0.0)
    except fp.BudgetSpent as error:
        trace, spent = Trace(tuple(error.trace), 0, 0.0), error.resource
    return counted(trace, claim.states_paper, known, time.perf_counter() - begun, peak_bytes(), spent)


def measure(chapter: Chapter, limits: fp.Limits, pattern: str, again: bool) -> bool:
    """Measure the claims of a chapter that have no valid count; return whether all could be measured."""
    file = Path(chapter.place.file).parent / FILE
    counts = read(file)
    settings = ProofSettings(pattern=pattern)
    runner = DeclarationRunner(fp.Session(chapter.system), settings)
    complete = True
    for step in chapter.declarations:
        claim = claim_of(step)
        if claim is not None and settings.selects(claim.id):
            try:
                if again or runner.valid_count(claim, counts.by_id.get(claim.id)) is None:
                    count = measured(claim, runner.session, limits)
                    counts = TextbookCounts(made(limits), {**counts.by_id, claim.id: count})
                    write(file, counts)
                    spent = f"  (the {count.spent} are spent)" if count.spent else ""
                    print(f"{count.seconds:9.2f} s  {count.states:>7}  {claim.id}{spent}", flush=True)
            except fp.FibproverError as error:
                print(f"{claim.id}: {error}", file=sys.stderr)
                complete = False
        if not isinstance(step, DeclaredTheorem):
            runner.declare(step)
    return complete


def made(limits: fp.Limits) -> dict[str, object]:
    """Return the versions and limits with which counts are made."""
    return {
        "fibprover": fp.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "limit_seconds": limits.seconds,
        "limit_bytes": limits.bytes,
    }


def forget_others(found: CollectedScripts) -> None:
    """Drop the counts of claims that no script makes any more."""
    by_file: dict[Path, set[str]] = {}
    for chapter in found.chapters:
        ids = {claim.id for claim in map(claim_of, chapter.declarations) if claim is not None}
        by_file.setdefault(Path(chapter.place.file).parent / FILE, set()).update(ids)
    for file, ids in by_file.items():
        counts = read(file)
        kept = {name: count for name, count in counts.by_id.items() if name in ids}
        if len(kept) < len(counts.by_id):
            write(file, replace(counts, by_id=kept))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; return exit status 2 if a script or a claim is in error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.textbook", description="Measures the textbook plan.")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="scripts or folders of scripts (default: proofs)")
    parser.add_argument("-k", dest="pattern", default="", metavar="PATTERN", help="only claims with such an id")
    parser.add_argument("--all", action="store_true", help="measure what has not changed, too")
    parser.add_argument(
        "--timeout", type=seconds, default=300.0, metavar="SECONDS", help="of each claim (default 300)"
    )
    parser.add_argument(
        "--max-memory", type=size, default=4 << 30, metavar="SIZE", help="of the process (default 4G)"
    )
    arguments = parser.parse_args(argv)
    limits = fp.Limits(seconds=arguments.timeout, bytes=arguments.max_memory)
    found = collect(scripts(arguments.paths or ["proofs"]))
    for problem in found.problems:
        print(f"{problem.place}: {problem.message}", file=sys.stderr)
    complete = not found.problems
    for chapter in found.chapters:
        try:
            complete &= measure(chapter, limits, arguments.pattern, arguments.all)
        except fp.FibproverError as error:
            print(f"{chapter.title}: {error}", file=sys.stderr)
            complete = False
    if not arguments.paths and complete:
        forget_others(found)
    return 0 if complete else 2


if __name__ == "__main__":
    raise SystemExit(main())
