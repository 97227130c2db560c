"""Entries as a prompt has them, answered in a session: formulas, commands, and what the terminator asks for."""

from __future__ import annotations

import argparse
from typing import Protocol

from fibprover.cli import typed, vacuity
from fibprover.cli.eval import shown
from fibprover.cli.run import line
from fibprover.parse.commands import Command, DefCommand, EvalCommand, ends_session, iterate_script, title
from fibprover.session import Result, Session
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict


class Listener(Protocol):
    """Who is told: of what is being done, of answers, and of warnings."""

    title: str

    def say(self, text: str, /) -> None:
        """Takes an answer."""

    def warn(self, text: str, /) -> None:
        """Takes a warning."""


def answer(entry: str, session: Session, arguments: argparse.Namespace, listener: Listener) -> bool:
    """Answers an entry; False if it ends the session.

    A formula is evaluated; of commands each is carried out, up to the first error, which is raised.
    The terminator `:` asks for the effort as well, `::` for the steps.
    """
    macros = session.macros
    if typed.is_formula(entry, macros):
        formula, terminator = typed.formula_of(entry, macros)
        _warn(formula, session, listener)
        verdict = session.eval(formula)
        listener.say(shown(verdict, _with_steps(arguments, terminator)) + _effort(verdict, terminator))
        return True
    script = typed.commands_of(entry)
    for command in iterate_script(script):
        if ends_session(command):
            return False
        listener.title = title(command)
        if isinstance(command, DefCommand | EvalCommand):
            _warn(command.text, session, listener)
        result = session.execute(command, script)
        for each, outcome in flat(command, result):
            how = _with_steps(arguments, command.terminator)
            listener.say(line(each, outcome, how) + _effort(outcome, command.terminator))
    return True


def flat(command: Command, result: Result) -> list[tuple[Command, Result]]:
    """A command with its result, or for `load` all commands of the file with theirs."""
    if not isinstance(result, list):
        return [(command, result)]
    return [pair for each, outcome in result for pair in flat(each, outcome)]


def _warn(formula: str, session: Session, listener: Listener) -> None:
    for remark in vacuity.remarks(formula, session):
        listener.warn(f"warning: {remark}")


def _with_steps(arguments: argparse.Namespace, terminator: str) -> argparse.Namespace:
    if terminator != "::":
        return arguments
    return argparse.Namespace(**{**vars(arguments), "trace": True})


def _effort(outcome: Result, terminator: str) -> str:
    """How large automata got, and how long it took."""
    if terminator != ":" or not isinstance(outcome, Verdict | Relation):
        return ""
    trace = outcome.trace
    if trace is None or not trace.records:
        return ""
    count = len(trace.records)
    return f"\n  {count} step{'s' * (count > 1)}, at most {trace.largest} states, {trace.seconds:.3f} s"
