"""`fibprover draw NAME`: draw the automaton of a predicate, a word, a formula or a numeration system."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import to_reading_order
from fibprover.automata.formats.dot import DEFAULT_LIMIT, SECONDS
from fibprover.base.errors import FibproverError, did_you_mean
from fibprover.base.files import write_bytes
from fibprover.base.names import NAME, has_digit_order
from fibprover.frontends.cli.status import TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.conversation.warnings import parsed_with_warnings
from fibprover.frontends.display.drawing import FORMS, LAYOUTS, check_installed, drawing_of, form_of
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.session import Session

_EXAMPLES = """\
examples:
  fibprover draw --words words.json G -o g.svg       a word: states show the letter
  fibprover draw --load definitions.txt pposK2       a predicate, as DOT on standard output
  fibprover draw --system msd_fib 'a+b=c' -o add.svg a formula
  fibprover draw msd_fib -o fib.dot                  the representations of a numeration system
  fibprover draw T -o thue_morse.tex --standalone    TikZ for papers; without --standalone, the picture alone

NAME is a word or a predicate; where there are both, NAME is the word and $NAME the predicate.

SVG, PNG and PDF are drawn by the program dot of graphviz where it is installed and there are at most 20 edges,
else (or with --layout own) by a layout of fibprover's own, for whose PNG and PDF matplotlib is needed:
pip install 'fibprover[drawing]'.  TikZ uses the own layout unless --layout graphviz is given.  Either may take
20 seconds, or --timeout or --cpu-timeout.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("name", metavar="NAME", help="a word, a predicate, a formula, or a numeration system")
    parser.add_argument(
        "-o", "--output", metavar="FILE",
        help="write to a file: .svg, .png, .pdf, .dot (.gv) or .tex (.tikz); default: DOT to standard output",
    )
    parser.add_argument(
        "--format", choices=FORMS, help="the form, by default that of the end of the file name"
    )
    parser.add_argument("--standalone", action="store_true", help="TikZ as a complete document")
    parser.add_argument(
        "--layout", choices=LAYOUTS, default="auto", help="the program that places the states (default auto)"
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
    """Draw the automaton."""
    form = arguments.format or ("dot" if arguments.output is None else form_of(arguments.output))
    if arguments.standalone and form != "tikz":
        raise FibproverError("--standalone works only with TikZ", hint="add --format tikz, or -o FILE.tex")
    if arguments.output is None and form in ("png", "pdf") and sys.stdout.isatty():
        raise FibproverError(f"{form.upper()} cannot be written to a terminal", hint=f"add -o FILE.{form}")
    check_installed(form, arguments.layout)
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        session = options.session(arguments, progress)
        with options.from_shell(arguments.name):
            automaton, word = drawn(session, arguments.name, progress.warn)
        budget = session.options.limits.start()
        automaton = to_reading_order(automaton, budget, word=word)
        unlimited = arguments.timeout is None and arguments.cpu_timeout is None
        seconds = SECONDS if unlimited else max(budget.seconds_left(), 0.1)
        drawing = drawing_of(
            automaton, arguments.name, form, word=word, limit=arguments.limit, layout=arguments.layout,
            seconds=seconds, standalone=arguments.standalone,
        )
        if arguments.output is not None:
            write_bytes(arguments.output, drawing)
        elif form in ("png", "pdf"):
            sys.stdout.buffer.write(drawing)
        else:
            progress.say(drawing.decode().rstrip("\n"))
    return TRUE


def drawn(session: Session, what: str, warn: Callable[[str], None]) -> tuple[Dfa, bool]:
    """Return the automaton to draw, and whether its outputs are letters of a word; print warnings about a formula."""
    name = what.removeprefix("$")
    if not NAME.fullmatch(name):
        outcome = session.eval(parsed_with_warnings(what, session, warn) or what)
        if isinstance(outcome, Verdict):
            raise FibproverError(
                f"the formula is {outcome}; it has no free variables, so there is no automaton to draw"
            )
        return outcome.automaton, False
    if name == what and name in session.namespace.words:
        return session.namespace.words[name].machine, True
    if name in session.namespace.predicates:
        return session.namespace.predicates[name].automaton, False
    if name == what and name in session.namespace.library_words:
        return session.namespace.library_words[name].machine, True
    if has_digit_order(name) and name == what:
        return session.namespace.system(name).valid, False
    known = sorted({*session.namespace.definitions, *session.namespace.words})
    if name != what and name in session.namespace.library_words.overridden_by(session.namespace.words):
        raise FibproverError(f"unknown predicate {what}", hint=f"{name} is a word: leave $ out")
    raise FibproverError(
        f"unknown word or predicate {what}",
        hint=did_you_mean(name, known) or "load one with --words or --load, or give a formula",
    )
