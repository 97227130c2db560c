"""A certificate of a theorem about a game: that these are its P-positions, or its positions of another value."""

from __future__ import annotations

from dataclasses import replace

from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits
from fibprover.games.script import proof_script
from fibprover.games.theorem import Theorem
from fibprover.language.commands import DefCommand, EvalCommand, iterate_script
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.environment import Definition
from fibprover.prover.verdict.verdict import Verdict

_NAME = "game"


def certificate_of(theorem: Theorem, limits: Limits | None = None) -> Certificate:
    """Return the certificate of what the proof script of a theorem evaluates, without its findings, as one statement.

    The positions are a predicate that is an automaton, as are those of smaller values.  Raises NotCertified, a
    FibproverError, with the reason if there is none; FibproverError unless the theorem is proved.
    """
    session = theorem.session(limits)
    p_positions = session.namespace.definitions["P"].automaton
    sets = {f"V{value}": each for value, each in enumerate(theorem.discovery.smaller)} | {"P": p_positions}
    for each, automaton in sets.items():
        name = f"{_NAME}_{each}"
        tracked = automaton.with_tracks(p_positions.tracks)
        session.namespace.definitions[name] = Definition(name, tracked)
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
