"""`fibprover study WORD`: the theorems about a word."""

from __future__ import annotations

import argparse
import json

from fibprover.errors import FibproverError
from fibprover.frontends.cli import options, output
from fibprover.frontends.cli.progress import Progress, add_progress_argument
from fibprover.frontends.cli.status import SPENT, TRUE
from fibprover.io.files import write_text
from fibprover.limits import Limits

_EXAMPLES = """\
examples:
  fibprover study FTM                           what is true of the Fibonacci-Thue-Morse word
  fibprover study '0->01, 1->02, 2->0'          of the fixed point of a morphism
  fibprover study word.txt --json theorems.json of a word automaton of Walnut
  fibprover study T --only critical-exponent,complexity

Each line is a theorem: the formula is decided, or its set, sequence or bound is proved. Refuted ones are theorems, too.
Exit status 0 if every line is decided, 3 if one is open within its time, 2 for an error.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "word", metavar="WORD", help="a name of the library, a morphism, or a file: .txt of Walnut, .json with one word"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID[,ID...]", help="only the lines with these ids (repeatable)"
    )
    parser.add_argument("--json", metavar="FILE", help="write the lines as a list of objects; - is standard output")
    parser.add_argument("--markdown", metavar="FILE", help="write a page")
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--timeout", type=options.seconds, metavar="SECONDS", help="wall time of each line (default 10)"
    )
    options.add_memory_argument(group, "memory of the process")
    add_progress_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Study the word, print the sheet and write the files; return the exit status."""
    from fibprover.sheets.sheet import SECONDS, study

    only = [name.strip() for each in arguments.only for name in each.split(",")]
    if not all(only):
        raise FibproverError("--only has an empty id", hint="as in --only complexity,squares")
    about = argparse.Namespace(json=arguments.json == "-", trace=False, timeout=arguments.timeout)
    with Progress(arguments.progress) as progress, output.reported(about, progress):

        def notify(name: str) -> None:
            progress.title = name

        limits = progress.over(Limits(seconds=arguments.timeout or SECONDS, **options.memory_of(arguments)))
        sheet = study(arguments.word, only=only, limits=limits, notify=notify)
        text = json.dumps(sheet.as_json())
        progress.say(text if arguments.json == "-" else str(sheet))
    if arguments.json not in (None, "-"):
        write_text(arguments.json, text + "\n")
    if arguments.markdown is not None:
        write_text(arguments.markdown, sheet.to_markdown())
    return SPENT if sheet.count("open") else TRUE
