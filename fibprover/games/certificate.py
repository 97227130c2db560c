"""A certificate of a theorem about a game: that these are the positions from which the next player loses."""

from __future__ import annotations

from dataclasses import replace

from fibprover.certificate.writing import Certificate
from fibprover.errors import FibproverError
from fibprover.games.script import proof_script
from fibprover.games.theorem import Theorem
from fibprover.limits import Limits
from fibprover.plan.environment import Definition
from fibprover.syntax.commands import DefCommand, EvalCommand, iterate_script
from fibprover.verdict.verdict import Verdict

_NAME = "game"


def certificate_of(theorem: Theorem, limits: Limits | None = None) -> Certificate:
    """Return the certificate of what the proof script of a theorem evaluates, without its findings, as one statement.

    The positions are a predicate that is an automaton.  Raises NotCertified, a FibproverError, with the reason if there
    is none; FibproverError unless the theorem is proved.
    """
    session = theorem.session(limits)
    positions = Definition(f"{_NAME}_P", session.namespace.definitions["P"].automaton)
    session.namespace.definitions[positions.name] = positions
    script = proof_script(replace(theorem, findings=()), _NAME).text
    statements = []
    for command in iterate_script(script):
        match command:
            case DefCommand():
                session.execute(command, script)
            case EvalCommand():
                statements.append(f"({command.text})")
    verdict = session.eval(" & ".join(statements))
    if not isinstance(verdict, Verdict) or not verdict:
        raise FibproverError("the proof of the game cannot be repeated", hint="please report it, with the game")
    return verdict.certificate()
