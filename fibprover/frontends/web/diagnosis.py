"""Errors and warnings about a cell before it is run: what is no formula, no command, or says less than it seems to."""

from __future__ import annotations

from fibprover.base.errors import TextError, UnknownName
from fibprover.frontends.conversation.output import Json
from fibprover.frontends.conversation.warnings import warnings_about
from fibprover.frontends.notebook.cells import Formula, parts
from fibprover.frontends.notebook.conversation import named
from fibprover.language.commands import Command, DefCommand, EvalCommand
from fibprover.language.parser import closed_term
from fibprover.prover.bind import bind
from fibprover.workspace.session import Session


def diagnosis(cell: str, session: Session) -> list[Json]:
    """Return what is wrong with a cell, in order: {"start", "end", "severity", "message"}; nothing is evaluated.

    Names that the cell itself defines are not unknown.
    """
    found: list[Json] = []
    defined: set[str] = set()
    try:
        for part in parts(cell, session.namespace.macros):
            match part.what:
                case Formula(text=text, span=span) if closed_term(text) is None:
                    found += _about(text, span.start, session, defined)
                case DefCommand() | EvalCommand() as command:
                    found += _about(command.text, command.text_offset, session, defined)
            if isinstance(part.what, Command):
                defined.add(named(part.what))
    except TextError as problem:
        found.append(_at("error", problem, 0))
    return [each | {"end": min(each["end"], len(cell))} for each in found if each["start"] <= len(cell)]


def _about(formula: str, offset: int, session: Session, defined: set[str]) -> list[Json]:
    """Return what is wrong with a formula that begins at an offset of the cell."""
    try:
        source = session.parse(formula)
        bind(source, session.namespace.environment())
    except UnknownName as problem:
        name = problem.text[problem.start : problem.end].lstrip("$.#?")
        return [] if name in defined else [_at("error", problem, offset)]
    except TextError as problem:
        return [_at("error", problem, offset)]
    if source.text != formula:  # macros were expanded: places are not those of the cell
        return []
    return [
        {
            "start": offset + each.warning.span.start, "end": offset + each.warning.span.end, "severity": "warning",
            "message": _joined(each.warning.message, each.warning.hint),
        }
        for each in warnings_about(source, session)
    ]


def _at(severity: str, problem: TextError, offset: int) -> Json:
    return {
        "start": offset + problem.start, "end": offset + problem.end, "severity": severity,
        "message": _joined(problem.message, problem.hint),
    }


def _joined(message: str, hint: str) -> str:
    return f"{message} ({hint})" if hint else message
