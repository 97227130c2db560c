"""`fibprover prove`: find the theorems declared in scripts, prove them, and report."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from fibprover import __version__
from fibprover.base.errors import FibproverError
from fibprover.base.files import make_folder
from fibprover.base.limits import PATIENCE, Limits, limits_of_part
from fibprover.base.wording import plural
from fibprover.campaigns.bundled import paths_meant
from fibprover.campaigns.sweeps.store import Store
from fibprover.campaigns.theorems.contents import contents
from fibprover.campaigns.theorems.proof_report import ProofReport, Row, write_markdown
from fibprover.campaigns.theorems.runner import ProgressMessage, RunListener, run_schedule
from fibprover.campaigns.theorems.schedule import Schedule
from fibprover.campaigns.theorems.scripts import Problem, collect, scripts
from fibprover.campaigns.theorems.stored import StoredRows
from fibprover.campaigns.theorems.task import ProofSettings
from fibprover.frontends.cli.termination import status_after
from fibprover.frontends.conversation.options import add_memory_argument, add_plan_argument, count, memory_of, seconds
from fibprover.frontends.conversation.progress import Progress, add_progress_argument
from fibprover.frontends.display.progress import share

#: The width of the table, in columns, without a terminal.
_WIDTH = 160

_EXAMPLES = """\
examples:
  fibprover prove
  fibprover prove K2
  fibprover prove proofs/k2.py --json k2.json
  fibprover prove -k 'k2.*' --textbook
  fibprover prove --markdown report.md --no-vacuity
  fibprover prove --html page
  fibprover prove --certificates certificates
  fibprover prove --jobs 1 --long
  fibprover prove proofs --store work.sqlite
  fibprover prove --dask tcp://127.0.0.1:8786 --store work.sqlite

exit status:
  0 every verdict is the expected one, 1 some verdict is not, 2 an error, 3 a budget was spent,
  130 interrupted, 143 ended by SIGTERM, 129 by SIGHUP; the table has the rows that are finished
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "paths", nargs="*", metavar="PATH",
        help="a script, a folder of scripts (every *.py whose name does not begin with _), or the name of one that "
        "comes with fibprover, such as K2 (default: the folder proofs, or all that come with fibprover)",
    )
    add_selection_arguments(parser)
    parser.add_argument(
        "-j", "--jobs", type=_jobs, default=None, metavar="N",
        help="how many theorems at once, each in a separate process; 0 or auto (default): one on each core, as soon "
        "as there is enough work",
    )
    add_plan_argument(parser)
    parser.add_argument(
        "--textbook", action="store_true",
        help="run the textbook plan as well: compare the results, and report its largest automaton",
    )
    parser.add_argument(
        "--vacuity", action=argparse.BooleanOptionalAction, default=True,
        help="whether to look for the parts of true theorems that do not matter (default: yes)",
    )
    parser.add_argument("--json", metavar="FILE", help="write the results as a list of objects")
    parser.add_argument(
        "--markdown", metavar="FILE", help="write the results as a page, with the parts that do not matter"
    )
    parser.add_argument(
        "--html", metavar="DIR",
        help="write an HTML page into a folder: formulas, evidence, sizes, automata and boards; needs no network",
    )
    parser.add_argument(
        "--certificates", metavar="DIR",
        help="write a proof of each verdict into a folder, for fibprover check, and check it",
    )
    parser.add_argument(
        "--store", metavar="FILE",
        help="keep the results in a file, and do not prove them again: an interrupted run continues (see fibprover "
        "store)",
    )
    parser.add_argument(
        "--dask", metavar="ADDRESS",
        help="prove on the workers of a Dask scheduler, such as tcp://host:8786; local starts one here",
    )
    add_limit_arguments(parser)


def add_selection_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose theorems of scripts."""
    parser.add_argument(
        "-k", dest="pattern", default="", metavar="PATTERN",
        help="only theorems whose id contains PATTERN, or matches it if it has * ? or [...]",
    )
    parser.add_argument(
        "--long", action="store_true",
        help="also the theorems tagged as long, which are skipped unless -k gives their id in full",
    )


def add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the limits of theorems, and how progress is shown."""
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--timeout", type=seconds, metavar="SECONDS",
        help=f"CPU time of each theorem and definition, and {PATIENCE:.0f} times that as wall time",
    )
    add_memory_argument(group, "memory of all processes together")
    add_progress_argument(parser)


def _jobs(text: str) -> int | None:
    """Return a number of jobs, None for one on each core."""
    return None if text == "auto" else count(text) or None


def run(arguments: argparse.Namespace) -> int:
    """Prove the requested theorems and return the exit status."""
    begun = time.perf_counter()
    if arguments.html is not None:
        from fibprover.frontends.display.page.document import check_folder

        check_folder(arguments.html)
    if arguments.certificates is not None:
        make_folder(arguments.certificates)
    found = collect(scripts(paths_meant(arguments.paths)))
    interruption: KeyboardInterrupt | None = None
    with _opened(arguments.store) as store, Progress(arguments.progress, started=False) as progress:
        settings = ProofSettings(
            plan=arguments.plan,
            limits=progress.over(limits_of_part(arguments.timeout, Limits(**memory_of(arguments)))),
            textbook=arguments.textbook,
            vacuity=arguments.vacuity,
            pattern=arguments.pattern,
            long=arguments.long,
            without=tuple(arguments.without),
            exhibits=arguments.html is not None,
            certificates=_folder(arguments),
        )
        kept = None if store is None else StoredRows(store, settings)
        schedule = Schedule(found.chapters, settings, kept)
        if kept is not None and kept.found:
            progress.warn(f"{kept.found} of {schedule.total} theorems are in {arguments.store} and not proved again")
        try:
            run_schedule(schedule, arguments.jobs, listener(schedule, progress), arguments.dask)
        except KeyboardInterrupt as stopped:
            interruption = stopped
    report = report_of(found.problems, schedule, time.perf_counter() - begun, interruption is not None)
    if interruption is not None:
        _show(report)
        return status_after(interruption)
    if not report.rows and not report.problems:
        raise FibproverError(
            f"no theorem's id matches {arguments.pattern!r}" if arguments.pattern else "the scripts declare no theorem",
            hint="a script declares theorems with fibprover.Chapter",
        )
    if not report.tried and not report.problems:
        raise FibproverError(
            f"no theorem was tried: all {len(report.rows)} are tagged as long" if len(report.rows) > 1
            else f"no theorem was tried: {report.rows[0].claim.id} is tagged as long",
            hint="use --long, or -k with the full id",
        )
    try:
        if arguments.json is not None:
            report.write_json(arguments.json)
        if arguments.markdown is not None:
            write_markdown(report, arguments.markdown)
        if arguments.html is not None:
            _write_page(report, schedule, arguments.html, arguments.paths)
    finally:  # the results are printed even if a file cannot be written
        _show(report)
    return report.status


def _folder(arguments: argparse.Namespace) -> str:
    """Return the folder of certificates, "" without one; workers of Dask have another working directory."""
    if arguments.certificates is None:
        return ""
    return str(arguments.certificates) if arguments.dask is None else os.path.abspath(arguments.certificates)


def _opened(file: str | None) -> AbstractContextManager[Store | None]:
    """Return the store of a run, None if there is none."""
    return nullcontext() if file is None else Store(file)


def _write_page(report: ProofReport, schedule: Schedule, folder: str, paths: Sequence[str]) -> None:
    from fibprover.frontends.display.page.document import write_page
    from fibprover.frontends.display.page.theorems import content

    listed = contents(paths[0]) if len(paths) == 1 else None
    page = content(report, schedule.deltas(), __version__, listed)
    for item in page["items"]:
        if item.get("certificate"):
            item["certificate"]["link"] = Path(os.path.relpath(item["certificate"]["file"] or ".", folder)).as_posix()
    write_page(page, folder)


def listener(schedule: Schedule, progress: Progress) -> RunListener:
    """Return the listener that paints a progress line on a terminal, and prints warnings."""

    def counted() -> str:
        return share(schedule.finished, schedule.total, progress.watch.seconds())

    def begin(name: str) -> None:
        progress.title = f"{counted()}  {name}"
        progress.start()

    def busy(tasks: Sequence[tuple[str, ProgressMessage | None]]) -> None:
        shown = [
            name if message is None else f"{name} step {message.steps} {plural(message.states, 'state')}"
            for name, message in tasks
        ]
        progress.stop()  # processes are started by fork, which is unsafe while another thread runs
        progress.show([counted(), " | ".join(shown)])

    if progress.stream is None:
        return RunListener(warn=progress.warn)
    return RunListener(begin, progress.step, busy, progress.warn)


def _show(report: ProofReport) -> None:
    """Print the table on standard output, and unexpected results after it on standard error."""
    if report.rows:
        print(report.table(shutil.get_terminal_size((_WIDTH, 24)).columns), end="\n\n", flush=True)
    print(report.notes(), file=sys.stdout if report.status == 0 else sys.stderr)


def report_of(problems: Sequence[Problem], schedule: Schedule, elapsed: float, interrupted: bool) -> ProofReport:
    """Return the report, with rows and problems in separate lists, in order."""
    outcomes = list(schedule.outcomes())
    rows = tuple(outcome for outcome in outcomes if isinstance(outcome, Row))
    found = (outcome for outcome in outcomes if isinstance(outcome, Problem))
    return ProofReport(rows, (*problems, *found), elapsed, schedule.total if interrupted else None)
