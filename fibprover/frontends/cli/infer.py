"""`fibprover infer FILE`: guess the morphism and the coding of a sequence from its first values."""

from __future__ import annotations

import argparse
import json
import re
from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError, SyntaxProblem
from fibprover.base.files import write_text
from fibprover.base.names import NAME
from fibprover.frontends.cli.status import FALSE, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.infer.words import InferredWord, NoMorphism

_EXAMPLES = """\
examples:
  fibprover infer g.txt --system msd_fib                 smallest depth that makes a morphism
  fibprover infer - --system msd_2 --name T --out t.json values from standard input, words to a file
  fibprover infer g.txt --system msd_fib --depth 4       by 4-types only

FILE holds integers, separated by blanks, ends of lines or commas: the letters at 0, 1, 2, ...
Exit status 1 if there is no such morphism.
"""

_PART = re.compile(r"[^\s,]+", re.ASCII)
_INTEGER = re.compile(r"[-+]?[0-9]{1,10}", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("file", metavar="FILE", help="the values; - is standard input")
    parser.add_argument(
        "--system", default="msd_2", metavar="NAME", help="numeration system of the indices (default msd_2)"
    )
    parser.add_argument(
        "--base", action="append", default=[], metavar="msd_NAME.txt",
        help="add a numeration system from base files, verified (repeatable)",
    )
    parser.add_argument("--name", default="w", metavar="NAME", help="the name of the word (default w)")
    parser.add_argument(
        "--depth", action="append", type=options.count, metavar="T",
        help="by T-types only (repeatable; default: the least depth that makes a morphism)",
    )
    parser.add_argument(
        "--margin", type=options.count, metavar="N",
        help="levels that the data must show beyond those that distinguish the letters (default 1)",
    )
    parser.add_argument(
        "--first", type=_index, default=0, metavar="N",
        help="the index of the first value, as --first=-100, for systems of all integers (default 0)",
    )
    parser.add_argument("--out", metavar="WORDS.json", help="write the word to a file for --words")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Infer the morphism and print it."""
    from fibprover.infer.words import NoMorphism

    if not NAME.fullmatch(arguments.name):
        raise FibproverError(f"{arguments.name!r} is not a name for a word")
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        session = Session(limits=progress.over(options.limits(arguments)))
        for file in arguments.base:
            session.namespace.load_system(file)
        values = read_values(arguments.file)
        try:
            found = session.infer_word(
                arguments.name, values, arguments.system, depths=arguments.depth, first=arguments.first,
                margin=arguments.margin,
            )
        except NoMorphism as none:
            progress.say(output.dumped(json_of_none(none)) if arguments.json else str(none))
            return FALSE
        if arguments.out is not None:
            write_text(arguments.out, json.dumps({found.name: found.entry()}, indent=1) + "\n")
        progress.say(output.dumped(json_of(found)) if arguments.json else str(found))
    return TRUE


def _index(text: str) -> int:
    """Return a whole number of either sign."""
    if not re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def read_values(file: str) -> list[int]:
    """Return the integers of a file; an error shows the place of anything else."""
    text = options.read_script(file)
    with options.naming(file, text):
        return integers(text)


def integers(text: str) -> list[int]:
    """Return the integers of a text, separated by blanks, ends of lines or commas.

    Raises SyntaxProblem for anything else.
    """
    values = []
    for part in _PART.finditer(text):
        if not _INTEGER.fullmatch(part[0]):
            hint = "values are integers of at most 10 figures, separated by blanks, ends of lines or commas"
            raise SyntaxProblem("this is not an integer", text, part.start(), part.end(), hint=hint)
        values.append(int(part[0]))
    return values


def json_of(found: InferredWord) -> output.Json:
    """Return a word as JSON, with the schema of docs/inference.md."""
    return {
        "kind": "word",
        "name": found.name,
        "system": found.system,
        "morphism": [list(image) for image in found.images],
        "coding": list(found.coding),
        "letters": found.letters,
        "minimal": found.minimal,
        "depth": found.depth,
        "margin": found.margin,
        "values": found.length,
        "types": list(found.types),
        "support": [
            {"first": each.first, "positions": each.positions, "confirmed": each.confirmed, "depth": each.depth}
            for each in found.support
        ],
    }


def json_of_none(none: NoMorphism) -> output.Json:
    """Return the reasons why there is no word as JSON."""
    return {
        "kind": "none",
        "message": none.message,
        "hint": none.hint,
        "attempts": [
            {
                "depth": each.depth, "types": each.types, "positions": each.positions, "kind": each.kind,
                "problem": each.problem,
            }
            for each in none.failures
        ],
    }
