"""`fibprover system [ACTION] NAME ...`: describe, verify and list numeration systems, and write numbers in them."""

from __future__ import annotations

import argparse
import re
import time

from fibprover.automata.digit_order import to_reading_order
from fibprover.base.errors import FibproverError
from fibprover.base.limits import Budget
from fibprover.frontends.cli.status import FALSE, TRUE
from fibprover.frontends.conversation import options, output
from fibprover.frontends.conversation.progress import Progress
from fibprover.numeration.registry import OTHER_NAMES
from fibprover.numeration.system import NumerationSystem
from fibprover.workspace.session import Session

_ACTIONS = ("describe", "verify", "write", "list")
_NUMBER = re.compile(r"-?[0-9]{1,1000}", re.ASCII)

_EXAMPLES = """\
examples:
  fibprover system describe msd_pell lsd_neg_2     digits, terms, sizes
  fibprover system describe '(5+sqrt(13))/6'       the Ostrowski system of a number
  fibprover system verify msd_trib msd_mine.txt    a base file, with msd_mine_addition.txt next to it
  fibprover system write msd_fib 100 lsd_fib       numbers in each of the systems
  fibprover system list                            states and seconds of x+y=z in many systems

NAME is a system's name, a base file, or a quadratic irrational.  verify exits with status 1 if a
system does not verify.
"""

#: The systems that `list` shows by default.
LISTED = (
    "msd_2", "msd_10", "msd_neg_2", "msd_neg_10", "msd_neg_fib", "msd_fib", "msd_lucas", "msd_pell", "msd_wythoff_3",
    "msd_wythoff_10", "msd_fraenkel_2_1", "msd_fraenkel_4_4", "msd_trib", "msd_narayana", "msd_4bonacci",
    "msd_5bonacci", "msd_6bonacci", "msd_rec_3_m1", "msd_rec_1_0_0_1", "msd_ost_0_3_per_1_2", "msd_ost_2_per_1_1_1_4",
    "msd_ost_0_1_2_1_1_per_1_1_1_2", "lsd_2", "lsd_fib", "lsd_trib",
)


class _Offered(tuple[str, ...]):
    """Choices that shells complete; any other word is allowed."""

    __slots__ = ()

    def __contains__(self, word: object) -> bool:
        return True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "action", choices=_Offered(_ACTIONS), metavar="ACTION", help=f"{', '.join(_ACTIONS)}; without one, describe",
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="a system, a base file or a number; see below")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    output.add_latex_argument(parser)
    parser.add_argument("--checks", action="store_true", help="verify: list all checks")
    options.add_limit_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Execute the action for each system."""
    worst = TRUE
    with Progress(arguments.progress) as progress, output.reported(arguments, progress):
        session = Session(limits=progress.over(options.limits(arguments)))
        if arguments.action not in _ACTIONS:
            arguments.names.insert(0, arguments.action)
            arguments.action = "describe"
        latex = output.as_latex(arguments)
        if latex and arguments.action != "describe":
            raise FibproverError("--latex is for descriptions of systems", hint="fibprover system msd_fib --latex")
        names = arguments.names or (LISTED if arguments.action == "list" else ())
        numbers = [int(name) for name in names if arguments.action == "write" and _NUMBER.fullmatch(name)]
        names = [name for name in names if arguments.action != "write" or not _NUMBER.fullmatch(name)]
        if not names or (arguments.action == "write" and not numbers):
            more = " and a number" if arguments.action == "write" else ""
            raise FibproverError(f"{arguments.action} needs a system{more}")
        if arguments.action == "list" and not arguments.json:
            progress.say(_HEAD)
        for name in names:
            system = found(session, name)
            match arguments.action:
                case "describe":
                    text = system.describe()
                    answer: output.Json = {
                        "description": text, "digits": list(system.digits), "signed": system.signed
                    }
                case "write":
                    words = {str(number): list(system.write(number)) for number in numbers}
                    text = "\n".join(f"{system.name} {number}: {shown(digits)}" for number, digits in words.items())
                    answer = {"words": words}
                case "list":
                    answer = adder(system, session.options.limits.start())
                    text = _ROW.format(system.name, *answer.values())
                case _:
                    text, answer = verified(system, session.options.limits.start(), checks=arguments.checks)
                    worst = worst if answer["verified"] else FALSE
            if latex:
                progress.say(output.latex_text(system))
            else:
                progress.say(output.dumped({"system": system.name} | answer) if arguments.json else text)
    return worst


def verified(system: NumerationSystem, budget: Budget, *, checks: bool) -> tuple[str, output.Json]:
    """Return the result of the verification of a system as text and as JSON."""
    begin = time.perf_counter()
    report = system.verify(budget)
    seconds = time.perf_counter() - begin
    lines = [line for line in str(report).splitlines() if checks or not line.startswith("ok")]
    held = len(report.checks) - len(report.failed)
    lines.append(
        f"{system.name}: {'verified' if report else 'NOT VERIFIED'}, {held} of {len(report.checks)} checks hold"
    )
    answer = {
        "verified": bool(report), "failed": list(report.failed), "checks": len(report.checks),
        "seconds": round(seconds, 3),
    }
    return "\n".join(lines), answer


_HEAD = f"{'system':32} {'digits':>6} {'valid':>6} {'x+y=z':>8} {'edges':>9} {'seconds':>8}"
_ROW = "{0:32} {1:6} {2:6} {3:8} {4:9} {5:8.4f}"


def adder(system: NumerationSystem, budget: Budget) -> output.Json:
    """Return the sizes of the automata of valid words and of x+y=z, and the seconds to build the latter."""
    begin = time.perf_counter()
    automaton = system.linear((1, 1, -1), "=", 0, budget)
    seconds = time.perf_counter() - begin
    automaton = to_reading_order(automaton, budget)
    return {
        "digits": len(system.digits),
        "valid_states": system.valid.states,
        "states": automaton.states,
        "transitions": automaton.transitions,
        "seconds": round(seconds, 5),
    }


def found(session: Session, name: str) -> NumerationSystem:
    """Return the system of a name, a base file or a quadratic irrational."""
    if name.endswith(".txt"):
        return session.namespace.load_system(name)
    other = OTHER_NAMES.get("_".join(re.split(r"[\s_-]+", name.lower())))
    if other is not None and f"msd_{name}" not in session.namespace.systems:
        name = other
    if re.fullmatch(r"\w+", name, re.ASCII):
        return session.namespace.system(name)
    from fibprover.numeration.ostrowski import ostrowski

    return ostrowski(name)


def shown(digits: list[int]) -> str:
    """Return a word of digits, digits of several figures in brackets."""
    return "".join(str(digit) if digit < 10 else f"[{digit}]" for digit in digits) or "(empty)"
