"""Certificates of the lines of a sheet that are formulas, and of the other lines what they rest on."""

from __future__ import annotations

from pathlib import Path

from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits, spending
from fibprover.base.names import file_name
from fibprover.language.builder import exists, forall
from fibprover.language.tree import Formula, conjunction, disjunction
from fibprover.prover.certificate.checking import ENDING, CertificateCheck, certify
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.verdict.relation import Relation
from fibprover.sheets.kinds import SHOWN
from fibprover.sheets.line import Line
from fibprover.sheets.subject import Subject
from fibprover.sheets.vocabulary import n

_COUNTED = "the automaton of its formula, and on the linear representation that counts by it (sequences/)"

#: What the lines rest on that are no closed formulas, by their kinds.
RESTS_ON = {
    "set": "the automaton of its formula: the set is infinite, as are the numbers that are not in it",
    "balance": "the automaton of its formula",
    "sequence": _COUNTED,
    "greatest": _COUNTED,
    "function": _COUNTED,
    "closed form": _COUNTED,
    "size": "the automaton of its formula, whose words are counted",
    "supremum": "the automaton of its formula, and on a search of the best paths in it (sheets/suprema.py)",
    "limit": "the automaton of its formula, and on a search of the best paths in it (sheets/suprema.py)",
    "frequency": "the automaton of the word, and on exact linear algebra (sheets/frequencies.py)",
    "word": "the automata of the formulas of its letters, which are compared with those of the word",
    "recursion": "the linear representation of the sequence, by exact linear algebra (sequences/)",
    "growth": "the linear representation of the sequence, by exact linear algebra (sequences/)",
    "weights": "the linear representation of the sequence, by exact linear algebra (sequences/)",
    "mean": "the linear representation of the sequence, by exact linear algebra (sequences/)",
    "graph": "the linear representation of the sequence, from which the automaton is made (sequences/)",
}


_SOME = "the automaton of its formula, from which it is read for which slopes it is true (numeration/slope_sets.py)"

_BY_FACTORS = "desubstitution, by which no formula is decided (factors/)"


def certified(about: Subject, line: Line, folder: str | Path, limits: Limits) -> CertificateCheck | None:
    """Return the certificate of a line, which is written to a folder and checked; None for an open line.

    limits: of the certificate, and of its check.  A line that is no closed formula has none: the reason says what it
    rests on.
    """
    if line.status == "open":
        return None
    if line.slopes is not None and line.slopes.answer == "some":
        return CertificateCheck("", reason=f"it rests on {_SOME}")
    statement = None if line.by else _statement(about, line)
    if statement is None:
        return CertificateCheck("", reason=f"it rests on {_BY_FACTORS if line.by else RESTS_ON[line.kind]}")

    def made() -> Certificate:
        with spending(limits.start()):
            verdict = about.session.prove(statement)
            holds = line.status == "proved" if line.slopes is None else line.slopes.answer == "every"
            if bool(verdict) != holds:
                raise FibproverError(f"the line {line.id} and its formula disagree", hint="please report it")
            return verdict.certificate()

    return certify(made, str(Path(folder) / file_name(f"{about.name}.{line.id}", ENDING)), limits.seconds)


def _statement(about: Subject, line: Line) -> Formula | None:
    """Return the closed formula that a line says; None if it says more, or something else."""
    if line.tree is None or not line.tree.free:
        return line.tree
    if line.kind not in ("set", "balance") or line.tree.free != (n.name,):
        return None
    return _members(about, line.tree, about.session.relation(line.tree))


def _members(about: Subject, formula: Formula, found: Relation) -> Formula | None:
    """Return the formula that says which numbers satisfy one: none, all, few, or all but few; None for others."""
    others = ~found
    if found.is_empty():
        return about.stated(~exists(n, formula))
    if others.is_empty():
        return about.stated(forall(n, formula))
    if found.is_finite() and found.count() <= SHOWN:
        members = disjunction(n.eq(each) for each in found.values(found.count()))
        return about.stated(forall(n, formula.iff(members)))
    if others.is_finite() and others.count() <= SHOWN:
        members = conjunction(n.ne(each) for each in others.values(others.count()))
        return about.stated(forall(n, formula.iff(members)))
    return None
