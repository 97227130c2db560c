"""`fibprover explain FORMULA`: how a formula is decided, as a tree with the sizes of the automata."""

from __future__ import annotations

import argparse

from fibprover.base.wording import plural
from fibprover.frontends.cli import eval as evaluation
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.conversation.warnings import parsed_with_warnings
from fibprover.prover.evaluate.trace import Trace, explained, tree

_EXAMPLES = """\
examples:
  fibprover explain --system msd_fib 'Ex,y x+y=7 & x<y & ~(Ez z+z=x)'
  fibprover explain --without share-terms --load definitions.txt 'Ep $f(p-i) & p-i>3'
  fibprover explain --plan textbook 'An Em m>n'

Each step is printed above its parts, in their order.  `expected` is the planner's estimate where it had a choice: the
transitions of a product, or of the operand of a projection or a difference.  Milliseconds are those of a step with its
parts.  `(known)` marks results from the cache.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument("formula", metavar="FORMULA", help="a formula, in quotes")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
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
        outcome = session.eval(parsed_with_warnings(formula, session, progress.warn) or formula)
        trace = outcome.trace or Trace((), 0, 0.0)
        if arguments.json:
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
