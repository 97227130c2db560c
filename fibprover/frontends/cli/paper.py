"""`fibprover paper`: a LaTeX article of the theorems that scripts declare."""

from __future__ import annotations

import argparse
import shlex
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fibprover import __version__
from fibprover.base.errors import FibproverError
from fibprover.base.files import make_folder, write_text
from fibprover.base.limits import Limits, limits_of_part
from fibprover.campaigns.bundled import paths_meant
from fibprover.campaigns.theorems.chapter import Chapter, claim_of
from fibprover.campaigns.theorems.commands import chapter_of_commands
from fibprover.campaigns.theorems.runner import run_schedule
from fibprover.campaigns.theorems.schedule import Schedule
from fibprover.campaigns.theorems.scripts import Problem, collect, scripts
from fibprover.campaigns.theorems.task import ProofSettings
from fibprover.frontends.cli.prove import add_limit_arguments, add_selection_arguments, listener, report_of
from fibprover.frontends.conversation.options import memory_of, positive
from fibprover.frontends.conversation.progress import Progress

_EXAMPLES = """\
examples:
  fibprover paper K2 -o k2.tex && pdflatex k2.tex
  fibprover paper proofs/w2.py -k 'W2.*' --title 'Blocking' --author 'A. Mathematician' -o w2.tex
  fibprover paper --certificates certificates K2 -o k2.tex   with the digests of certificates
  fibprover paper script.txt -o script.tex                   commands: each eval of a closed formula is a theorem

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
    add_selection_arguments(parser)
    parser.add_argument(
        "--certificates", metavar="DIR",
        help="write a proof of each verdict into a folder, and its digest into the article",
    )
    parser.add_argument(
        "-j", "--jobs", type=positive, metavar="N", help="how many theorems at once (default: one on each core)"
    )
    add_limit_arguments(parser)


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
    commands, others = _parted(arguments.paths)
    chosen = [*(["-k", arguments.pattern] if arguments.pattern else []), *(["--long"] if arguments.long else [])]
    lines = [shlex.join(["fibprover", "prove", *others, *chosen])] if others else []
    return "; ".join([*lines, *(shlex.join(["fibprover", "run", path]) for path in commands)])


def _parted(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the scripts of commands, and the scripts of theorems."""
    commands = [path for path in paths if Path(path).suffix == ".txt"]
    return commands, [path for path in paths if path not in commands]


def _chapters(paths: Sequence[str]) -> tuple[tuple[Chapter, ...], tuple[Problem, ...]]:
    """Return the chapters of scripts of theorems and of scripts of commands."""
    commands, others = _parted(paths)
    found = collect(scripts(paths_meant(others))) if others else None
    # Results go by ids: those of scripts of commands begin with the name of the file where there are several files.
    made = [chapter_of_commands(Path(path), f"{Path(path).stem}." if len(paths) > 1 else "") for path in commands]
    chapters = (*(found.chapters if found else ()), *made)
    claims = [claim_of(step) for chapter in chapters for step in chapter.declarations]
    for name, times in Counter(claim.id for claim in claims if claim is not None).items():
        if times > 1:
            raise FibproverError(f"two theorems have the id {name}", hint="write an article of each, or rename one")
    return chapters, found.problems if found else ()
