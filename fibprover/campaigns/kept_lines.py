"""Lines of a sheet in a store: a command that was killed goes on where it was.

Each line is a row of its own, kept as soon as it is finished.  Its key has the content of the word or the sequence, and
the version of the program.  It has its limits beside it, and is answered again where it may take more: an open line may
be decided then, and another one may say more.
"""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fibprover.base.errors import FibproverError
from fibprover.campaigns.stored_line import line_of, plain_line
from fibprover.campaigns.sweeps.store import Store, TaskRecord, json_text
from fibprover.campaigns.sweeps.tasks import program
from fibprover.sheets.line import Line
from fibprover.sheets.subject import Subject, WithoutAddition
from fibprover.words.automatic import AutomaticWord


@dataclass(frozen=True, slots=True)
class StoredLines:
    """The lines of sheets in a store.

    seconds: those that each line may take; memory: the bytes that were asked for, None for the usual part of the
    machine; certify: the folder for certificates, "" without one.
    """

    store: Store
    seconds: float
    memory: int | None = None
    certify: str = ""
    version: str = field(default_factory=program)

    def get(self, about: Subject, name: str) -> Line | None:
        """Return the line with an id; None if it is not there, or if its certificate is not the one that was checked.

        It is not there if it had less time or another amount of memory than it may have now: witnesses and the points
        of plots are looked for while there is time.
        """
        record = self.store.get(self._key(about, name))
        if record is None or record.state != "done":
            return None
        line = line_of(record.result, self.store.path)
        if not self._had_as_much(record.evidence):
            return None
        return line if line.certificate is None or line.certificate.is_there else None

    def keep(self, about: Subject, line: Line) -> None:
        """Keep a line, in place of one that is there unless that is decided and this is open."""
        key = self._key(about, line.id)
        record = self.store.get(key)
        is_decided = record is not None and record.state == "done" and _status(record.result) in ("proved", "refuted")
        if is_decided and line.status == "open":
            return
        what = f"{about.name}: {line.id}, {about.given}"
        limits = {"seconds": self.seconds, "memory": self.memory}
        file = "" if line.certificate is None else line.certificate.file
        self.store.replace(TaskRecord(
            key, what, "done", plain_line(line), limits, file, line.seconds, host=platform.node(),
        ))

    def _had_as_much(self, limits: Any) -> bool:
        """Return whether a line had at least the limits that it would have now."""
        if not isinstance(limits, dict) or not isinstance(limits.get("seconds"), int | float):
            return False
        return bool(limits["seconds"] >= self.seconds) and limits.get("memory") == self.memory

    def _key(self, about: Subject, name: str) -> str:
        content = [
            about.name, about.given, about.system, *_content(about), name,
            str(Path(self.certify).resolve()) if self.certify else "", self.version,
        ]
        return hashlib.sha256(json_text(content).encode()).hexdigest()


def _status(result: Any) -> Any:
    return result.get("status") if isinstance(result, dict) else None


def _content(about: Subject) -> list[Any]:
    """Return what determines a word or a sequence, as values of JSON."""
    if about.is_family:
        raise FibproverError("a store keeps no lines about words over a family", hint="leave --store out")
    topic = about.topic
    if isinstance(topic, AutomaticWord):
        machine = topic.machine
        tracks = [(track.digits, track.system, track.identity) for track in machine.tracks]
        digest = hashlib.sha256(repr(tracks).encode())
        for array in (machine.offsets, machine.codes, machine.targets, machine.outputs):
            digest.update(array.tobytes())
        return ["word", digest.hexdigest()]
    if isinstance(topic, WithoutAddition):
        return ["morphism", repr(topic.word)]
    sequence = topic.sequence
    matrices = [[str(letter), [list(map(str, row)) for row in matrix]] for letter, matrix in sequence.matrices.items()]
    return ["numbers", topic.shift, topic.before, list(map(str, sequence.v)), list(map(str, sequence.w)), matrices]
