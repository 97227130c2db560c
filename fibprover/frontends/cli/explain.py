"""`fibprover explain FORMULA`: how a formula is decided, as a tree with the sizes of the automata; or why it holds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from fibprover.base.errors import FibproverError
from fibprover.base.values import numbers_of_any_length
from fibprover.base.wording import plural
from fibprover.frontends.cli import eval as evaluation
from fibprover.frontends.cli.status import FALSE, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.conversation.warnings import parsed_with_warnings
from fibprover.prover.evaluate.trace import Trace, explained, tree
from fibprover.workspace.session import Session

_EXAMPLES = """\
examples:
  fibprover explain --system msd_fib 'Ex,y x+y=7 & x<y & ~(Ez z+z=x)'
  fibprover explain --without share-terms --load definitions.txt 'Ep $f(p-i) & p-i>3'
  fibprover explain --plan textbook 'An Em m>n'
  fibprover explain --why 'Ax Ey x=2*y'          the truth of each part, where the formula fails
  fibprover explain --at x=6 'Ey x=2*y & y>3'    the same at x = 6

Each step is printed above its parts, in their order.  `expected` is the planner's estimate where it had a choice: the
transitions of a product, or of the operand of a projection or a difference.  Milliseconds are those of a step with its
parts.  `(known)` marks results from the cache.

With --why and --at each part is decided by itself, and is TRUE or FALSE where its variables have values.  --at gives
values to variables that are free, or that the first quantifiers bind; below an E that is true and an A that is false,
the variables have the least values that show this.  Other variables stay free, and the first values are listed for
which the part is TRUE.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("formula", metavar="FORMULA", help="a formula, in quotes")
    parser.add_argument("--why", action="store_true", help="show the truth of each part")
    parser.add_argument(
        "--at", metavar="NAME=VALUE[,...]", action="append", default=[],
        help="as --why, with these values of variables that are free or of the first quantifiers (repeatable)",
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    output.add_latex_argument(parser)
    options.add_plan_argument(parser)
    options.add_session_arguments(parser)
    options.add_reading_arguments(parser)
    options.add_limit_arguments(parser)
    parser.set_defaults(trace=True, first=0)


def run(arguments: argparse.Namespace) -> int:
    """Evaluate the formula and print the steps."""
    formula = arguments.formula
    with Progress(arguments.progress) as progress, output.reported(arguments, progress), options.from_shell(formula):
        session = options.session(arguments, progress)
        if arguments.why or arguments.at:
            return _say_why(arguments, session, progress)
        outcome = session.eval(parsed_with_warnings(formula, session, progress.warn) or formula)
        trace = outcome.trace or Trace((), 0, 0.0)
        if output.as_latex(arguments):
            progress.say(output.latex_text(outcome))
        elif arguments.json:
            answer = output.json_of(outcome, arguments.plan, 0, with_trace=False)
            answer["steps"] = [node.as_json() for node in tree(trace.records)]
            progress.say(output.dumped(answer))
        else:
            largest = f"largest automaton: {plural(trace.largest, 'state')}, {trace.seconds:.3f} s"
            progress.say(f"{explained(trace)}\n{largest}")
            without_trace = argparse.Namespace(**{**vars(arguments), "trace": False})
            for part in evaluation.parts(outcome, without_trace, checked=False):
                progress.say(part)
    return evaluation.status(outcome)


def _say_why(arguments: argparse.Namespace, session: Session, progress: Progress) -> int:
    """Print the truth of each part of the formula."""
    values = _values(arguments.at)
    source = parsed_with_warnings(arguments.formula, session, progress.warn)
    found = session.truths(source or arguments.formula, values)
    if output.as_latex(arguments):
        progress.say(output.latex_text(found))
    elif arguments.json:
        progress.say(output.dumped({"kind": "truths", "formula": arguments.formula, **found.as_json()}))
    else:
        progress.say(str(found))
    return FALSE if found.truth is False else TRUE


def _values(given: Sequence[str]) -> dict[str, int]:
    """Return the values of `--at x=3,y=-5`.  Raises FibproverError for what is none, and for a name with two values."""
    values = dict[str, int]()
    for each in ",".join(given).split(",") if given else ():
        name, equals, number = (part.strip() for part in each.partition("="))
        digits = number.removeprefix("-")
        if not equals or not digits.isascii() or not digits.isdigit():
            raise FibproverError(f"--at cannot be {each.strip() or 'empty'}", hint="it takes values such as x=3,y=5")
        if name in values:
            raise FibproverError(f"--at gives {name} two values")
        with numbers_of_any_length():
            values[name] = int(number)
    return values
