"""The sizes of the textbook plan's automata, measured once and kept in a file.

The textbook plan takes minutes and gigabytes where the optimized one takes seconds, so a run does not
measure its sizes again: `make bench-textbook` writes the counts to textbook_counts.json beside the scripts.  A count
is valid as long as the fingerprint of its formula is the same: the text, the default system, and the
automata of everything that it calls (their names and definitions do not matter).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FileProblem
from fibprover.base.files import MOST_VALUES, read_text, write_text
from fibprover.language.tree import Call, Formula, WordValue, nodes
from fibprover.prover.evaluate.trace import Trace
from fibprover.workspace.session import Session

#: The name of the file, in the folder of the scripts.
FILE = "textbook_counts.json"


@dataclass(frozen=True, slots=True)
class TextbookCount:
    """The automata that the textbook plan built for one formula.

    hash: see `fingerprint`; states: of the largest minimal automaton, and label: its part of the
    formula; paper: the part whose automaton has the published number of states, None if there is none;
    spent: the resource whose budget ran out, "" if none did (else states and label are of the parts
    that were finished); seconds; peak_bytes: the largest resident memory of the process.
    """

    hash: str
    states: int
    label: str
    paper: str | None
    spent: str
    seconds: float
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class TextbookCounts:
    """The counts of a folder of scripts by id, and the limits and versions with which they were made."""

    made: Mapping[str, Any]
    by_id: Mapping[str, TextbookCount]

    @property
    def seconds(self) -> float:
        """The seconds of all counts together."""
        return sum(count.seconds for count in self.by_id.values())

    @property
    def peak_bytes(self) -> int | None:
        """The largest peak of a count."""
        return max((count.peak_bytes for count in self.by_id.values() if count.peak_bytes is not None), default=None)


def fingerprint(formula: str, session: Session) -> str:
    """Return a hash of a formula and of the content of its names; raises FibproverError if it is no formula."""
    source = session.parse(formula)
    content: list[Any] = [" ".join(source.text.split()), session.namespace.default_system]
    for kind, name in sorted(set(_names(source.formula))):
        if kind == "$":
            definition = session.namespace.predicates.get(name)
            known = [] if definition is None else [definition.raw, _digest(definition.automaton)]
        else:
            word = session.namespace.words.get(name)
            known = [] if word is None else [_digest(word.machine)]
        content.append([kind, name, *known])
    return sha256(json.dumps(content).encode()).hexdigest()[:32]


def _names(formula: Formula) -> Iterator[tuple[str, str]]:
    """Yield the predicates and words of a formula, each with the sign that marks its kind."""
    for node in nodes(formula):
        if isinstance(node, Call):
            yield "$", node.name
        elif isinstance(node, WordValue):
            yield "[]", node.word


def _digest(automaton: Dfa) -> str:
    """Return a hash of an automaton, with the alphabets and systems of its tracks but not their names."""
    digest = sha256(repr([(track.digits, track.system) for track in automaton.tracks]).encode())
    for array in (automaton.offsets, automaton.codes, automaton.targets, automaton.outputs):
        digest.update(array.tobytes())
    return digest.hexdigest()


def counted(
    trace: Trace, published: int | None, hash_: str, seconds: float, peak: int | None, spent: str = ""
) -> TextbookCount:
    """Return the count of a formula from the trace of its evaluation by the textbook plan, finished or not."""
    steps = trace.steps()
    label, states = max(steps, key=lambda step: step[1], default=("", 1))
    paper = next((label for label, size in steps if size == published), None)
    return TextbookCount(hash_, states, label, paper, spent, round(seconds, 3), peak)


def read(file: Path) -> TextbookCounts:
    """Read the counts of a file; none if there is no such file.  Raises FileProblem if the file has another format."""
    if not os.path.exists(file):
        return TextbookCounts({}, {})
    try:
        content = json.loads(read_text(file, MOST_VALUES))
        by_id = {name: TextbookCount(**item) for name, item in content["counts"].items()}
        return TextbookCounts(content["made"], by_id)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise FileProblem(
            f"{file} does not hold counts of the textbook plan: {error}",
            hint="remove it, or measure again with make bench-textbook",
        ) from error


def write(file: Path, counts: TextbookCounts) -> None:
    """Write counts, one number a line, so that a comparison of two files shows where they differ."""
    content = {
        "made": dict(counts.made),
        "seconds": round(counts.seconds, 3),
        "peak_bytes": counts.peak_bytes,
        "counts": {name: asdict(count) for name, count in sorted(counts.by_id.items())},
    }
    write_text(file, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
