"""`fibprover paper`: a LaTeX article of the theorems that scripts declare."""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Sequence
from pathlib import Path

from fibprover import __version__
from fibprover.base.errors import FibproverError
from fibprover.base.files import make_folder, write_text
from fibprover.base.limits import PATIENCE, Limits, limits_of_part
from fibprover.campaigns.bundled import paths_meant
from fibprover.campaigns.theorems.chapter import Chapter
from fibprover.campaigns.theorems.commands import chapter_of_commands
from fibprover.campaigns.theorems.runner import run_schedule
from fibprover.campaigns.theorems.schedule import Schedule
from fibprover.campaigns.theorems.scripts import Problem, collect, scripts
from fibprover.campaigns.theorems.task import ProofSettings
from fibprover.frontends.cli.prove import listener, report_of
from fibprover.frontends.conversation.options import add_memory_argument, memory_of, positive, seconds
from fibprover.frontends.conversation.progress import Progress, add_progress_argument

_EXAMPLES = """\
examples:
  fibprover paper K2 -o k2.tex && pdflatex k2.tex
  fibprover paper proofs/w2.py -k 'W2.*' --title 'Blocking' --author 'A. Mathematician' -o w2.tex
  fibprover paper --certificates certificates K2 -o k2.tex   with the digests of certificates
  fibprover paper docs/games.txt                             a script of commands: each eval is a theorem

exit status:
  0 written, and every verdict is the expected one, 1 some verdict is not, 2 an error, 3 a budget was spent
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "paths", nargs="+", metavar="FILE",
        help="a script of theorems (*.py), the name of one that comes with fibprover, such as K2, or a script of "
        "commands (*.txt)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the article (default: standard output)")
    parser.add_argument("--title", default="", help="the title (default: that of the chapter)")
    parser.add_argument("--author", default="", help="the author")
    parser.add_argument(
        "-k", dest="pattern", default="", metavar="PATTERN",
        help="only theorems whose id contains PATTERN, or matches it if it has * ? or [...]",
    )
    parser.add_argument("--long", action="store_true", help="also the theorems tagged as long")
    parser.add_argument(
        "--certificates", metavar="DIR",
        help="write a proof of each verdict into a folder, and its digest into the article",
    )
    parser.add_argument(
        "-j", "--jobs", type=positive, metavar="N", help="how many theorems at once (default: one on each core)"
    )
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--timeout", type=seconds, metavar="SECONDS",
        help=f"CPU time of each theorem and definition, and {PATIENCE:.0f} times that as wall time",
    )
    add_memory_argument(group, "memory of all processes together")
    add_progress_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Decide the theorems, write the article, and return the exit status."""
    from fibprover.frontends.display.paper import PaperOptions, paper

    if arguments.certificates is not None:
        make_folder(arguments.certificates)
    begun = time.perf_counter()
    chapters, problems = _chapters(arguments.paths)
    with Progress(arguments.progress, started=False) as progress:
        settings = ProofSettings(
            limits=progress.over(limits_of_part(arguments.timeout, Limits(**memory_of(arguments)))),
            pattern=arguments.pattern, long=arguments.long, exhibits=True, certificates=arguments.certificates or "",
        )
        schedule = Schedule(chapters, settings)
        run_schedule(schedule, arguments.jobs, listener(schedule, progress))
        report = report_of(problems, schedule, time.perf_counter() - begun, interrupted=False)
        if not report.tried:
            raise FibproverError("there is no theorem to write about", hint="use --long, or another -k")
        for problem in report.problems:
            progress.warn(f"{problem.place}: {problem.message}")
        title = arguments.title or " and ".join(chapter.title for chapter in chapters)
        options = PaperOptions(title, arguments.author, _again(arguments), __version__)
        text = paper(report, schedule.deltas(), options)
        if arguments.output is None:
            progress.say(text.removesuffix("\n"))
        else:
            write_text(arguments.output, text)
    return report.status


def _again(arguments: argparse.Namespace) -> str:
    """Return the command line that decides the theorems again."""
    scripts_of_commands = [path for path in arguments.paths if Path(path).suffix == ".txt"]
    others = [path for path in arguments.paths if path not in scripts_of_commands]
    chosen = [*(["-k", arguments.pattern] if arguments.pattern else []), *(["--long"] if arguments.long else [])]
    lines = [shlex.join(["fibprover", "prove", *others, *chosen])] if others else []
    return "; ".join([*lines, *(f"fibprover run {path}" for path in scripts_of_commands)])


def _chapters(paths: Sequence[str]) -> tuple[tuple[Chapter, ...], tuple[Problem, ...]]:
    """Return the chapters of scripts of theorems and of scripts of commands."""
    commands = [path for path in paths if Path(path).suffix == ".txt"]
    others = [path for path in paths if path not in commands]
    found = collect(scripts(paths_meant(others))) if others else None
    # Results go by ids: those of scripts of commands begin with the name of the file where there are several files.
    made = tuple(chapter_of_commands(Path(path), f"{path}." if len(paths) > 1 else "") for path in commands)
    return (*(found.chapters if found else ()), *made), found.problems if found else ()
