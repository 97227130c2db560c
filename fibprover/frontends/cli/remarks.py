"""What commands say of formulas that say less than they seem to: vacuity, and warnings before it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fibprover.commands.interpreter import Outcome
from fibprover.errors import FibproverError
from fibprover.frontends.cli.output import Json
from fibprover.session import Session
from fibprover.syntax.formula import Source, Span
from fibprover.syntax.lint import Remark, warnings
from fibprover.values import replaced, value
from fibprover.verdict.verdict import Verdict

if TYPE_CHECKING:
    from fibprover.syntax.commands import DefCommand, EvalCommand
    from fibprover.verdict.vacuity import VacuousPart

_NOTHING = "every part matters: none is vacuous, none unused"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options --vacuity and --vacuity-deep."""
    parser.add_argument(
        "--vacuity", action="store_true", help="of a true closed formula, name the parts that do not matter"
    )
    parser.add_argument(
        "--vacuity-deep", action="store_true", help="the same, and look into the definitions of what is called"
    )


# -- vacuity -------------------------------------------------------------------------------------


def _findings(outcome: Outcome, arguments: argparse.Namespace) -> tuple[VacuousPart, ...] | None:
    """None where nobody asks, or where there is nothing to ask."""
    if not (arguments.vacuity or arguments.vacuity_deep) or not isinstance(outcome, Verdict) or not outcome.truth:
        return None
    return outcome.vacuity(deep=arguments.vacuity_deep)


def text_of(outcome: Outcome, arguments: argparse.Namespace) -> str:
    """What there is to say below the outcome; empty if nobody asks."""
    found = _findings(outcome, arguments)
    if found is not None:
        return "\n".join(map(str, found)) or _NOTHING
    if not (arguments.vacuity or arguments.vacuity_deep):
        return ""
    why = "this one is FALSE" if isinstance(outcome, Verdict) else "this one has free variables"
    return f"(vacuity is about true closed formulas, and {why})"


def json_of(outcome: Outcome, arguments: argparse.Namespace) -> Json:
    """The field `vacuity`, if it is asked for: null where the formula is not closed or not true."""
    if not (arguments.vacuity or arguments.vacuity_deep):
        return {}
    found = _findings(outcome, arguments)
    return {"vacuity": None if found is None else [json_of_finding(finding) for finding in found]}


def json_of_finding(finding: VacuousPart) -> Json:
    """One finding."""
    return {
        "grade": finding.grade,
        "text": finding.text,
        "start": finding.span.start,
        "end": finding.span.end,
        "replaced_by": finding.replaced_by,
        "sentence": finding.sentence,
        "within": list(finding.within),
    }


# -- warnings --------------------------------------------------------------------------------------


@value
class Script:
    """Where a formula stands: a command of a script."""

    file: str
    text: str
    command: DefCommand | EvalCommand


@value
class Shown:
    """A warning, and the text that its place is in; where: the file and the line, if there is one."""

    remark: Remark
    text: str
    where: str = ""

    def __str__(self) -> str:
        return self.where + self.remark.shown(self.text)


def parsed(formula: str, session: Session) -> Source | None:
    """Return the syntax tree of a formula; None if it has none: its evaluation, which follows, says why."""
    try:
        return session.parse(formula)
    except FibproverError:
        return None


def remarks(source: Source | None, script: Script | None = None) -> tuple[Shown, ...]:
    """Return the warnings about a formula that is about to be evaluated, none if it could not be parsed."""
    if source is None:
        return ()
    found = warnings(source)
    if script is None:
        return tuple(Shown(remark, source.text) for remark in found)
    name = "standard input" if script.file == "-" else script.file
    where = f"{name}, line {script.command.line}: "
    if source.text != script.command.text:  # macros: the place is in no text of the script
        return tuple(Shown(remark, source.text, where) for remark in found)
    return tuple(_in_script(remark, script, name) for remark in found)


def _in_script(remark: Remark, script: Script, name: str) -> Shown:
    begin = script.command.text_offset
    span = Span(begin + remark.span.start, begin + remark.span.end)
    line = script.text.count("\n", 0, span.start) + 1
    return Shown(replaced(remark, span=span), script.text, f"{name}, line {line}: ")


def json_of_remarks(found: Sequence[Shown]) -> Json:
    """The field `warnings`, if there are any; places are offsets in `text`, as in errors."""
    if not found:
        return {}
    return {
        "warnings": [
            {
                "message": shown.remark.message,
                "hint": shown.remark.hint,
                "text": shown.text,
                "start": shown.remark.span.start,
                "end": shown.remark.span.end,
            }
            for shown in found
        ]
    }
