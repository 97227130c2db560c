"""Certificates of a theorem about a game: that these are its P-positions, or its positions of another value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from fibprover.base.errors import FibproverError
from fibprover.base.files import make_folder
from fibprover.base.limits import Limits, spending
from fibprover.base.names import file_name
from fibprover.base.values import replaced
from fibprover.games.findings.context import FindingCommand
from fibprover.games.script import proof_script
from fibprover.games.theorem import Theorem
from fibprover.language.builder import call, exists
from fibprover.language.source import source_of
from fibprover.language.tree import Formula, Variable, conjunction
from fibprover.prover.certificate.checking import ENDING, certify
from fibprover.prover.certificate.tables import NotCertified
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.environment import Definition, RecursiveRelation
from fibprover.prover.verdict.verdict import Verdict

#: How the evaluations begin that say what the positions are, in a script.
_SAID_BY_RULES = ("stable", "absorbing")


def certified(theorem: Theorem, folder: str | Path, limits: Limits | None = None) -> Theorem:
    """Return a theorem with its certificate and those of its findings, which are written to a folder and checked.

    limits: of each certificate, and of each check.  Raises FibproverError unless the theorem is proved.
    """
    make_folder(folder)
    names = [each.name.replace(" ", "_") for each in theorem.findings]
    files = ["P", *(f"P.{number}.{name}" for number, name in enumerate(names, start=1))]
    seconds = None if limits is None else limits.seconds
    checks = []
    for number, name in enumerate(files):
        file = str(Path(folder) / file_name(name, ENDING))
        check = certify(partial(certificate_of, theorem, limits, number), file, seconds)
        if not (number or check.checked):  # what the script evaluates is proved by less, piece by piece
            plainly = certify(partial(certificate_of, theorem, limits, number, by_rules=False), file, seconds)
            check = plainly if plainly.checked else check
        checks.append(check)
    return replace(theorem, certificates=tuple(checks))


def certificate_of(
    theorem: Theorem, limits: Limits | None = None, finding: int = 0, *, by_rules: bool = True
) -> Certificate:
    """Return the certificate of what the proof script of a theorem evaluates, as one statement.

    by_rules: of a game whose positions go by its moves alone, say that they are the only solution of a recursion in
    place of the statements that they are stable and absorbing.

    finding: the number of a finding, from 1 on, whose formulas are the statement instead.  The positions are a
    predicate that is an automaton, as are those of smaller values.  Raises NotCertified, a FibproverError, with the
    reason if there is none; FibproverError unless the theorem is proved.
    """
    # A finding may call what those before it define.
    basis, script = (
        proof_script(replace(theorem, findings=theorem.findings[:count]), "game").commands
        for count in (max(0, finding - 1), finding)
    )
    session = theorem.session(limits)
    known = session.namespace.definitions
    automata = {f"V{value}": each for value, each in enumerate(theorem.discovery.smaller)}
    positions = known["P"].automaton
    for each in theorem.findings[:finding]:
        automata |= each.automata
    automata["P"] = positions
    for name, automaton in automata.items():
        known[name] = Definition(name, automaton.with_tracks(tuple(map(theorem.system.track, automaton.names))))
    with spending(session.namespace.budget()):
        others = theorem.discovery.smaller or theorem.game.blocked or theorem.game.passes
        by_rules = by_rules and not finding and not others
        if by_rules:
            known["P"] = replaced(known["P"], recursion=(_recursion(theorem),))
        for command in script:
            if command.word == "def":
                session.define(command.name, command.formula)
        statements = _statements(script)
        if by_rules:  # that the positions are stable and absorbing is what their recursion says
            statements = _statements([each for each in script if not each.name.startswith(_SAID_BY_RULES)])
        if finding:
            statements = statements[len(_statements(basis)):]
        if not statements:
            raise NotCertified("it is no formula; it rests on automata that are compared (games/findings/)")
        verdict = session.eval(conjunction(statements))
        if not isinstance(verdict, Verdict) or not verdict:
            raise FibproverError("the proof of the game cannot be repeated", hint="please report it, with the game")
        return verdict.certificate()


def _recursion(theorem: Theorem) -> RecursiveRelation:
    """Return what the P-positions are the only solution of, as the measure goes down: no move joins two of them."""
    game, names = theorem.game, theorem.game.variables
    target = tuple(map(Variable, names.target))
    may_move = [~game.terminal_source] if game.end is not None and not game.misere else []
    stays = [~exists(*target, conjunction([*may_move, kind, call("P", *target)])) for kind in game.kinds]
    whole = conjunction([~game.ended, *stays] if game.misere else stays)
    return RecursiveRelation("P", source_of(whole.in_system(theorem.system.name)), game.weights)


def _statements(commands: Sequence[FindingCommand]) -> list[Formula]:
    """Return the formulas that commands evaluate."""
    return [command.formula for command in commands if command.word != "def"]
