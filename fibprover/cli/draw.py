"""`fibprover draw NAME`: the automaton of a predicate, a word, a formula or a numeration system."""

from __future__ import annotations

import argparse
from pathlib import Path

from fibprover.automata.dfa import Dfa
from fibprover.automata.reading import as_read
from fibprover.cli import options, output
from fibprover.cli.progress import Progress
from fibprover.cli.status import TRUE
from fibprover.errors import FibproverError, did_you_mean
from fibprover.formats.atomic import write_text
from fibprover.formats.dot import DEFAULT_LIMIT, to_dot
from fibprover.formats.svg import to_svg
from fibprover.parse.names import NAME
from fibprover.session import Session
from fibprover.verdict.verdict import Verdict

_EXAMPLES = """\
examples:
  fibprover draw --words words.json G -o g.svg       a word: states show the letter
  fibprover draw --load definitions.txt pposK2       a predicate, as DOT on standard output
  fibprover draw --system msd_fib 'a+b=c' -o add.svg a formula
  fibprover draw msd_fib -o fib.dot                  the representations of a numeration system

NAME is a word or a predicate; where there are both, NAME is the word and $NAME the predicate.
"""

_SUFFIXES = {".dot": "dot", ".gv": "dot", ".svg": "svg"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("name", metavar="NAME", help="a word, a predicate, a formula, or a numeration system")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file: .svg, .dot or .gv (default: DOT to standard output)"
    )
    parser.add_argument(
        "--limit", type=options.positive, default=DEFAULT_LIMIT, metavar="N",
        help=f"most states to draw (default {DEFAULT_LIMIT})",
    )
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_reading_arguments(parser)
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draws the automaton."""
    form = "dot" if arguments.output is None else form_of(arguments.output)
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        session = options.session(arguments, progress)
        automaton, word = drawn(session, arguments.name)
        automaton = as_read(automaton, session.options.limits.start(), word=word)
        drawing = to_svg if form == "svg" else to_dot
        text = drawing(automaton, arguments.name, word=word, limit=arguments.limit)
        if arguments.output is None:
            progress.say(text.rstrip("\n"))
        else:
            write_text(arguments.output, text)
    return TRUE


def form_of(file: str) -> str:
    """What to write into a file, by the end of its name."""
    form = _SUFFIXES.get(Path(file).suffix.lower())
    if form is None:
        raise FibproverError(
            f"{file}: a drawing is a file called {', '.join(f'*{suffix}' for suffix in _SUFFIXES)}",
            hint="without -o the graph goes to standard output as DOT",
        )
    return form


def drawn(session: Session, what: str) -> tuple[Dfa, bool]:
    """The automaton to draw, and whether its outputs are letters of a word."""
    name = what.removeprefix("$")
    if not NAME.fullmatch(name):
        outcome = session.eval(what)
        if isinstance(outcome, Verdict):
            raise FibproverError(f"the formula has no free variable, so there is nothing to draw: it is {outcome}")
        return outcome.automaton, False
    if name == what and name in session.words:
        return session.words[name].machine, True
    if name in session.definitions:
        return session.definitions[name].automaton, False
    if name == what and name in session.library_words:
        return session.library_words[name].machine, True
    if name.startswith(("msd_", "lsd_")) and name == what:
        return session.system(name).valid, False
    known = sorted({*session.definitions, *session.words})
    raise FibproverError(
        f"there is no word or predicate {what}",
        hint=did_you_mean(name, known) or "load one with --words or --load, or give a formula",
    )
