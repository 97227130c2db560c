"""A certificate of a theorem about a game: that these are its P-positions, or its positions of another value."""

from __future__ import annotations

from dataclasses import replace

from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits
from fibprover.games.script import proof_script
from fibprover.games.theorem import Theorem
from fibprover.language.tree import conjunction
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.environment import Definition
from fibprover.prover.verdict.verdict import Verdict


def certificate_of(theorem: Theorem, limits: Limits | None = None) -> Certificate:
    """Return the certificate of what the proof script of a theorem evaluates, without its findings, as one statement.

    The positions are a predicate that is an automaton, as are those of smaller values.  Raises NotCertified, a
    FibproverError, with the reason if there is none; FibproverError unless the theorem is proved.
    """
    session = theorem.session(limits)
    known = session.namespace.definitions
    positions = known["P"].automaton
    for name, automaton in {"P": positions, **{f"V{g}": v for g, v in enumerate(theorem.discovery.smaller)}}.items():
        known[name] = Definition(name, automaton.with_tracks(positions.tracks))
    statements = []
    for command in proof_script(replace(theorem, findings=()), "game").commands:
        if command.word == "def":
            session.define(command.name, command.formula)
        else:
            statements.append(command.formula)
    verdict = session.eval(conjunction(statements))
    if not isinstance(verdict, Verdict) or not verdict:
        raise FibproverError("the proof of the game cannot be repeated", hint="please report it, with the game")
    return verdict.certificate()
