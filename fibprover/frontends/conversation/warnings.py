"""Formulas that say less than they seem to: warnings before an evaluation, vacuous parts after it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError
from fibprover.base.values import replaced, value
from fibprover.frontends.conversation.output import Json
from fibprover.language.source import Source, Span
from fibprover.prover.formula_warnings import FormulaWarning, formula_warnings
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.commands.interpreter import Outcome
from fibprover.workspace.session import Session

if TYPE_CHECKING:
    from fibprover.language.commands import DefCommand, EvalCommand
    from fibprover.prover.verdict.vacuity import VacuousPart

_NOTHING = "every part matters: none is vacuous, none unused"


def add_vacuity_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options --vacuity and --vacuity-deep."""
    parser.add_argument(
        "--vacuity", action="store_true", help="list the parts that do not matter, for a true closed formula"
    )
    parser.add_argument(
        "--vacuity-deep", action="store_true", help="the same, with the parts of the definitions that it calls"
    )


# -- vacuity -------------------------------------------------------------------------------------


def _vacuous_parts(outcome: Outcome, arguments: argparse.Namespace) -> tuple[VacuousPart, ...] | None:
    """Return the parts that do not matter; None if they are not requested or the outcome is not a true verdict."""
    if not (arguments.vacuity or arguments.vacuity_deep) or not isinstance(outcome, Verdict) or not outcome.truth:
        return None
    return outcome.vacuity(deep=arguments.vacuity_deep)


def vacuity_text(outcome: Outcome, arguments: argparse.Namespace) -> str:
    """Return the lines about vacuity below an outcome, "" if they are not requested."""
    found = _vacuous_parts(outcome, arguments)
    if found is not None:
        return "\n".join(map(str, found)) or _NOTHING
    if not (arguments.vacuity or arguments.vacuity_deep):
        return ""
    why = "this one is FALSE" if isinstance(outcome, Verdict) else "this one has free variables"
    return f"(vacuity is about true closed formulas, and {why})"


def vacuity_json(outcome: Outcome, arguments: argparse.Namespace) -> Json:
    """Return the field `vacuity` if it is requested: null for a formula that is not closed or not true."""
    if not (arguments.vacuity or arguments.vacuity_deep):
        return {}
    found = _vacuous_parts(outcome, arguments)
    return {"vacuity": None if found is None else [_part_json(finding) for finding in found]}


def _part_json(finding: VacuousPart) -> Json:
    """Return a part that does not matter as JSON."""
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
class CommandLocation:
    """The command of a script that holds a formula."""

    file: str
    text: str
    command: DefCommand | EvalCommand


@value
class LocatedWarning:
    """A warning with the text that its span refers to; where: the file and the line, if there is one."""

    warning: FormulaWarning
    text: str
    where: str = ""

    def __str__(self) -> str:
        return self.where + self.warning.shown(self.text)


def parsed(formula: str, session: Session) -> Source | None:
    """Return the syntax tree of a formula; None if it has none; its evaluation, which follows, raises the error."""
    try:
        return session.parse(formula)
    except FibproverError:
        return None


def warnings_about(
    source: Source | None, session: Session, script: CommandLocation | None = None
) -> tuple[LocatedWarning, ...]:
    """Return the warnings about a formula that is about to be evaluated, none if it could not be parsed."""
    if source is None:
        return ()
    found = formula_warnings(source, session.namespace.environment())
    if script is None:
        return tuple(LocatedWarning(warning, source.text) for warning in found)
    name = "standard input" if script.file == "-" else script.file
    where = f"{name}, line {script.command.line}: "
    if source.text != script.command.text:  # macros were expanded: the span is not a place in the script
        return tuple(LocatedWarning(warning, source.text, where) for warning in found)
    return tuple(_in_script(warning, script, name) for warning in found)


def _in_script(warning: FormulaWarning, script: CommandLocation, name: str) -> LocatedWarning:
    begin = script.command.text_offset
    span = Span(begin + warning.span.start, begin + warning.span.end)
    line = script.text.count("\n", 0, span.start) + 1
    return LocatedWarning(replaced(warning, span=span), script.text, f"{name}, line {line}: ")


def parsed_with_warnings(formula: str, session: Session, warn: Callable[[str], None]) -> Source | None:
    """Return the syntax tree of a formula, None if it has none, and print the warnings about it."""
    source = parsed(formula, session)
    for warning in warnings_about(source, session):
        warn(f"warning: {warning}")
    return source


def warnings_json(found: Sequence[LocatedWarning]) -> Json:
    """Return the field `warnings`, if there are any; places are offsets in `text`, as in errors."""
    if not found:
        return {}
    return {
        "warnings": [
            {
                "message": shown.warning.message,
                "hint": shown.warning.hint,
                "text": shown.text,
                "start": shown.warning.span.start,
                "end": shown.warning.span.end,
            }
            for shown in found
        ]
    }
