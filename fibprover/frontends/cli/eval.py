"""`fibprover eval FORMULA`: the verdict on a formula, or the relation it defines."""

from __future__ import annotations

import argparse

from fibprover.commands.interpreter import Outcome
from fibprover.display.text import outcome_text
from fibprover.frontends.cli import options, output
from fibprover.frontends.cli import remarks as vacuity
from fibprover.frontends.cli.options import Progress
from fibprover.frontends.cli.status import FALSE, TRUE
from fibprover.verdict.verdict import Verdict

_EXAMPLES = """\
examples:
  fibprover eval 'Ax,y x+y=y+x'
  fibprover eval 'Ex x*x=2'                        an error, with the place
  fibprover eval '?msd_fib Ex,y x<y & x+y=8'       TRUE, with the least x and y
  fibprover eval --system msd_fib 'a+b=c & c<6'    the relation of a, b and c
  fibprover eval --plan textbook --trace 'An Em m>n'
  fibprover eval --vacuity 'An n<5 => Em m=n+1'    names the parts that do not matter

A formula that begins with - comes after --.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("formula", metavar="FORMULA", help="a formula, in quotes")
    add_outcome_arguments(parser)
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_reading_arguments(parser)
    options.add_limit_arguments(parser)


def add_outcome_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that say how outcomes are shown."""
    parser.add_argument(
        "-n", "--first", type=options.count, default=10, metavar="N",
        help="how many tuples of a relation to list (default 10)",
    )
    parser.add_argument("--trace", action="store_true", help="list the steps with the sizes of their automata")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    vacuity.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Evaluates the formula and prints the outcome."""
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        session = options.session(arguments, progress)
        source = vacuity.parsed(arguments.formula, session)
        remarks = vacuity.remarks(source)
        for remark in remarks:
            progress.warn(f"warning: {remark}")
        outcome = session.eval(source or arguments.formula)
        if arguments.json:
            progress.say(output.dumped(json_of(outcome, arguments) | vacuity.json_of_remarks(remarks)))
        else:
            progress.say(shown(outcome, arguments))
    return status(outcome)


def json_of(outcome: Outcome, arguments: argparse.Namespace, *, checked: bool = True) -> output.Json:
    """The outcome for programs, as the options want it; checked: whether vacuity is of interest here."""
    answer = output.json_of(outcome, arguments.plan, arguments.first, with_trace=arguments.trace)
    return answer | vacuity.json_of(outcome, arguments) if checked else answer


def shown(outcome: Outcome, arguments: argparse.Namespace, *, checked: bool = True) -> str:
    """The outcome for people, likewise."""
    text = outcome_text(outcome, arguments.first)
    if arguments.trace:
        text = f"{output.trace_text(outcome.trace)}\n{text}"
    said = vacuity.text_of(outcome, arguments) if checked else ""
    return f"{text}\n{said}" if said else text


def status(outcome: Outcome) -> int:
    """The exit status of one outcome: a relation is neither true nor false, but done."""
    return FALSE if isinstance(outcome, Verdict) and not outcome.truth else TRUE
