"""The rows of theorems in a store: a theorem that has been proved is not proved again.

The key of a row is a hash of all that determines it: the formula, the declarations before it whose names it may
mention (with the content of files that they read), the system, the settings, and the program.  So theorems that say the
same have one row, and one certificate.  Limits on memory are not part of the key, since the default follows what is
free; a row with a problem is not used again.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from fibprover.base.errors import FibproverError, FileProblem
from fibprover.base.files import MOST_AUTOMATON, read_bytes
from fibprover.base.names import NAME, file_name
from fibprover.campaigns.sweeps.store import Store, TaskRecord, json_text
from fibprover.campaigns.sweeps.tasks import program
from fibprover.campaigns.theorems.chapter import (
    Chapter,
    Claim,
    Declaration,
    DeclaredAutomaton,
    DeclaredScript,
    DeclaredTheorem,
    DeclaredWordFile,
    claim_of,
)
from fibprover.campaigns.theorems.counts import TextbookCount
from fibprover.campaigns.theorems.proof_report import Row, VacuityCheck
from fibprover.campaigns.theorems.task import ProofSettings
from fibprover.language.commands import iterate_script
from fibprover.language.source import Span
from fibprover.language.tokens import tokens
from fibprover.prover.certificate.checking import ENDING, CertificateCheck
from fibprover.prover.verdict.evidence import Evidence
from fibprover.prover.verdict.vacuity import VacuousPart

#: Commands of scripts that read or write files: claims after them have no key.
_OF_FILES = {"load", "export"}


class StoredRows:
    """The rows of a run in a store; found: how many of them were there already."""

    def __init__(self, store: Store, settings: ProofSettings) -> None:
        self.store = store
        self.found = 0
        self.settings = settings
        limits = settings.limits
        self._common: list[Any] = [
            program(), settings.plan, settings.textbook, settings.vacuity, sorted(settings.without), settings.exhibits,
            settings.certificates, limits.states, limits.transitions, limits.seconds, limits.cpu_seconds,
        ]

    # Rows

    def row(self, chapter: Chapter, index: int, count: TextbookCount | None) -> Row | None:
        """Return the row of the claim with this number in a chapter, if it is in the store; count: as in Task."""
        key = self.key(chapter, index, count)
        record = None if key is None else self.store.get(key)
        claim = claim_of(chapter.declarations[index])
        if claim is None or record is None or record.state != "done":
            return None
        try:
            row = _row(claim, record)
        except (KeyError, TypeError, ValueError):
            return None  # a row with other content is proved again and replaced
        made = row.certificate
        if made is not None and not (made.is_there and self._stays(made, chapter, key, count)):
            return None
        self.found += 1
        return row

    def _stays(
        self, made: CertificateCheck, chapter: Chapter, key: str | None, count: TextbookCount | None
    ) -> bool:
        """Return whether no other claim of the chapter, which says something else, has the file of a certificate.

        Theorems that say the same share one; when one of them says something else, its file will be another proof.
        """
        for index, declaration in enumerate(chapter.declarations):
            claim = claim_of(declaration)
            if claim is not None and made.file and file_name(claim.id, ENDING) == Path(made.file).name:
                return self.key(chapter, index, count) == key
        return True

    def claim(self, chapter: Chapter, index: int, count: TextbookCount | None) -> bool:
        """Return whether this program is to obtain the row: no other one is at it, or has put it into the store."""
        key, claim = self.key(chapter, index, count), claim_of(chapter.declarations[index])
        if key is None or claim is None:
            return True
        record = self.store.claim(key, claim.id, retry=True)
        return record is None or (record.state == "done" and self.row(chapter, index, count) is None)

    def keep(self, chapter: Chapter, index: int, count: TextbookCount | None, row: Row) -> None:
        """Store a row; raises FileProblem if that fails."""
        key = self.key(chapter, index, count)
        if key is None:
            return
        made = row.certificate
        self.store.replace(TaskRecord(
            key, row.claim.id, "failed" if row.problem else "done", None if row.problem else _content(row),
            None if row.evidence is None else asdict(row.evidence), "" if made is None else made.file,
            row.seconds, row.peak_bytes, socket.gethostname(), row.problem,
        ))

    def key(self, chapter: Chapter, index: int, count: TextbookCount | None) -> str | None:
        """Return the key of a claim, None if files that are not known may determine it."""
        before = _used(chapter, index)
        claim = claim_of(chapter.declarations[index])
        if before is None or claim is None:
            return None
        own: list[Any] = [claim.formula, claim.states_paper]
        own += [claim.expected] if isinstance(claim, DeclaredTheorem) else [claim.name]
        return self._hash([own, before, chapter.system, None if count is None else asdict(count)])

    # The declarations between the theorems

    def made(self, chapter: Chapter, last: int) -> bool:
        """Return whether all names that are declared up to a number have been made without a problem."""
        key = self._key_of_names(chapter, last)
        record = None if key is None else self.store.get(key)
        return record is not None and record.state == "done"

    def keep_made(self, chapter: Chapter, last: int) -> None:
        """Store that all names declared up to a number have been made."""
        key = self._key_of_names(chapter, last)
        if key is not None:
            what = f"the names of {chapter.title}"
            self.store.replace(TaskRecord(key, what, "done", True, host=socket.gethostname()))

    def _key_of_names(self, chapter: Chapter, last: int) -> str | None:
        names = chapter.declarations[: last + 1]
        if any(map(_of_files, names)):
            return None
        return self._hash(["names", [_said(each) for each in _without_theorems(names)], chapter.system])

    def _hash(self, content: list[Any]) -> str | None:
        try:
            return sha256(json_text([self._common, content]).encode()).hexdigest()
        except FibproverError:  # a script may have passed any object; the declaration then fails
            return None


def _without_theorems(declarations: Iterable[Declaration]) -> Iterator[Declaration]:
    return (each for each in declarations if not isinstance(each, DeclaredTheorem))


def _used(chapter: Chapter, index: int) -> list[Any] | None:
    """Return the declarations before a claim that may affect it; None if a script reads or writes files.

    A name that is nowhere in the texts of a formula, of what it uses, and of scripts (which make macros) is not used,
    unless a macro makes names.
    """
    before = list(_without_theorems(chapter.declarations[:index]))
    if any(map(_of_files, before)):
        return None
    scripts = [each.text for each in before if isinstance(each, DeclaredScript)]
    claim = claim_of(chapter.declarations[index])
    any_name = any(map(_makes_names, scripts))
    mentioned = set(NAME.findall("\n".join([str(claim.formula if claim else ""), *scripts])))
    used = []
    for declaration in reversed(before):
        always = any_name or isinstance(declaration, DeclaredScript | DeclaredWordFile)
        if always or getattr(declaration, "name", "") in mentioned:
            used.append(_said(declaration))
            mentioned.update(NAME.findall(str(used[-1])))
    return used


def _makes_names(script: str) -> bool:
    """Return whether a macro makes names of pieces, such as `$%0_twice`."""
    return any(
        (first.type == "PARAMETER" and second.type in ("NAME", "QUANTIFIER", "NUMBER", "MINUS", "PARAMETER"))
        or (second.type == "PARAMETER" and first.type in ("NAME", "CALL", "DOTTED", "SYSTEM", "MACRO"))
        for first, second in pairwise(tokens(script))
    )


def _said(declaration: Declaration) -> list[Any]:
    """Return the content of a declaration as JSON, with that of its file."""
    said: dict[str, Any] = asdict(declaration)
    for irrelevant in ("place", "statement", "source"):
        said.pop(irrelevant, None)
    if isinstance(declaration, DeclaredWordFile | DeclaredAutomaton):
        try:
            content = read_bytes(declaration.file, MOST_AUTOMATON)
        except FileProblem:
            content = b""
        said["file"] = sha256(content).hexdigest()
    return [type(declaration).__name__, said]


def _of_files(declaration: Declaration) -> bool:
    """Return whether a declaration is a script that reads or writes files by its commands."""
    if not isinstance(declaration, DeclaredScript):
        return False
    for command in iterate_script(declaration.text):
        if {command.word, *(word for each in command.metacommands for word in each.words)} & _OF_FILES:
            return True
    return False


def _content(row: Row) -> dict[str, Any]:
    """Return the result that a store keeps for a row, next to the fields of a record."""
    return {
        "verdict": row.verdict, "states_textbook": row.states_textbook, "states_built": row.states_built,
        "detail": row.detail, "vacuity": None if row.vacuity is None else asdict(row.vacuity) | {
            "findings": [
                [each.grade, each.text, each.span.start, each.span.end, each.replaced_by, each.formula,
                 list(each.within), each.since]
                for each in row.vacuity.findings
            ],
        },
        "count": None if row.count is None else asdict(row.count),
        "certificate": None if row.certificate is None else asdict(row.certificate),
    }


def _row(claim: Claim, record: TaskRecord) -> Row:
    """Return the row of a record; raises KeyError, TypeError or ValueError if it is of something else."""
    result = record.result
    vacuity, count, made, evidence = result["vacuity"], result["count"], result["certificate"], record.evidence
    if vacuity is not None:
        findings = tuple(
            VacuousPart(grade, text, Span(start, end), replaced_by, formula, tuple(within), since)
            for grade, text, start, end, replaced_by, formula, within, since in vacuity["findings"]
        )
        vacuity = VacuityCheck(findings, vacuity["seconds"], vacuity["peak_bytes"])
    if evidence is not None:
        values = {
            name: tuple(value) if isinstance(value, list) else value for name, value in evidence["values"].items()
        }
        evidence = replace(Evidence(**evidence), values=values)
    return Row(
        claim, result["verdict"], result["states_textbook"], result["states_built"], float(record.seconds or 0.0),
        record.peak_bytes, detail=result["detail"], vacuity=vacuity,
        count=None if count is None else TextbookCount(**count), evidence=evidence,
        certificate=None if made is None else CertificateCheck(**made),
    )
