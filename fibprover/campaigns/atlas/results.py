"""The results of an atlas: a file of JSON for each game, written when its search has ended.

A result belongs to a question: the rules, the value, the systems and the limits.  It answers a question with the same
rules, value and systems, if it is a theorem or was found within limits that are no smaller.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fibprover.base.errors import FibproverError, FormatError, SyntaxProblem
from fibprover.base.files import MOST_VALUES, make_folder, read_text, write_text
from fibprover.base.names import file_name
from fibprover.campaigns.atlas.entries import Entry, Expected
from fibprover.language.parser import formula
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session
from fibprover.workspace.walnut import parse_automaton


@dataclass(frozen=True, slots=True)
class Question:
    """What determines a result.

    form, moves, terminal, blocked, misere, passes: the rules; systems: those to try, none for "auto"; largest: the
    largest bound of the data; seconds: of the search.
    """

    form: str
    moves: str
    terminal: str
    blocked: int
    misere: bool
    passes: bool
    value: int
    systems: tuple[str, ...]
    largest: int
    seconds: float


@dataclass(frozen=True, slots=True)
class SystemAttempt:
    """A candidate of a search: the states that data below the bound have in the system, and the outcome."""

    system: str
    bound: int
    states: int
    outcome: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the search for a game.

    status: as that of a Theorem; system, states, proof_states, automaton: null unless it is proved (the automaton in
    Walnut's format); data_bound, positions: of the last data; statement, proof: for readers, and for a game of which
    nothing is proved the meaning of the status and the data; seconds: wall time of everything; version: of fibprover.
    """

    id: str
    question: Question
    status: str
    system: str | None
    states: int | None
    proof_states: int | None
    data_bound: int
    positions: int
    statement: str
    proof: str
    attempts: tuple[SystemAttempt, ...]
    automaton: str | None
    seconds: float
    version: str

    def answers(self, question: Question) -> bool:
        """Return whether this is the result of a question, or of one with larger limits."""
        mine = self.question
        names = ("form", "blocked", "misere", "passes", "value", "systems")
        if any(getattr(mine, name) != getattr(question, name) for name in names):
            return False
        if not _same(mine.moves, question.moves) or not _same(mine.terminal, question.terminal):
            return False
        enough = mine.largest >= question.largest and mine.seconds >= question.seconds
        return self.status == "proved" or enough

    def agrees(self, expected: Expected | None) -> bool:
        """Return whether this is the expected result; anything agrees where nothing is expected."""
        if expected is None:
            return True
        return (self.status, self.system, self.states) == (expected.status, expected.system, expected.states)


def _same(one: str, other: str) -> bool:
    """Return whether two rules are the same formula, however it is spelled."""
    try:
        return one == other or formula(one) == formula(other)
    except SyntaxProblem:
        return False


def question_of(entry: Entry, seconds: float, largest: int) -> Question:
    """Return the question about a game; seconds, largest: the limits unless the game has its own."""
    game = entry.game
    return Question(
        game.form, game.formula, game.terminal, game.blocked, game.misere, game.passes, entry.value, entry.systems,
        entry.largest or largest, entry.seconds or seconds,
    )


def file_of(folder: str | Path, name: str) -> Path:
    """Return the file of the game with this id."""
    return Path(folder) / file_name(name, ".json")


def write_result(result: Result, folder: str | Path) -> None:
    """Write a result into a folder, which is made if it does not exist.  Raises FileProblem if that fails."""
    make_folder(str(folder))
    text = json.dumps(asdict(result), indent=1, ensure_ascii=False)
    write_text(file_of(folder, result.id), f"{text}\n", follow=False)


def read_result(folder: str | Path, name: str) -> Result | None:
    """Return the result of the game with this id; None if there is none.

    Raises FileProblem if the file cannot be read, FormatError if it has another form.
    """
    file = file_of(folder, name)
    if not os.path.exists(file):
        return None
    text = read_text(file, MOST_VALUES)
    try:
        return result_of(json.loads(text))
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(f"this is not a result of an atlas: {error}", str(file), hint="delete the file") from error


def positions_of_result(folder: str | Path, name: str) -> Relation:
    """Return the positions of a game with a result that is proved; FibproverError without such a result."""
    result = read_result(folder, name)
    if result is None:
        raise FibproverError(
            f"there is no result of a game {name} in {folder}", hint="fibprover atlas searches for the results"
        )
    if result.automaton is None:
        raise FibproverError(f"the positions of {name} are not known: {result.status}")
    return positions_in(result, str(file_of(folder, name)))


def positions_in(result: Result, file: str = "") -> Relation:
    """Return the positions of a result that is proved; file: where it was read, for errors."""
    assert result.automaton is not None
    session = Session(result.system or "")
    text = parse_automaton(result.automaton, file, session.namespace.track)
    return session.namespace.define_language("P", text, file)


#: The types of the fields, as JSON has them.
_QUESTION: Mapping[str, Any] = {
    "form": str, "moves": str, "terminal": str, "blocked": int, "misere": bool, "passes": bool, "value": int,
    "systems": list, "largest": int, "seconds": int | float,
}
_ATTEMPT: Mapping[str, Any] = {"system": str, "bound": int, "states": int, "outcome": str}
_RESULT: Mapping[str, Any] = {
    "id": str, "question": dict, "status": str, "system": str | None, "states": int | None, "proof_states": int | None,
    "data_bound": int, "positions": int, "statement": str, "proof": str, "attempts": list, "automaton": str | None,
    "seconds": int | float, "version": str,
}


def result_of(found: Any) -> Result:
    """Return the result that an object of JSON describes; raises ValueError for any other object."""
    fields = _checked(found, _RESULT)
    question = _checked(fields["question"], _QUESTION)
    fields["question"] = Question(**(question | {"systems": tuple(map(str, question["systems"]))}))
    fields["attempts"] = tuple(SystemAttempt(**_checked(each, _ATTEMPT)) for each in fields["attempts"])
    made = Result(**fields)
    proved = (made.system, made.states, made.automaton)
    if any((part is not None) != (made.status == "proved") for part in proved):
        raise ValueError("system, states and automaton belong to a proved result, and only to such a result")
    return made


def _checked(found: Any, types: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object of JSON that has these keys and types."""
    if not isinstance(found, dict):
        raise ValueError(f"an object is expected, not {found!r:.60}")
    if set(found) != set(types):
        odd = sorted(set(found) ^ set(types))
        raise ValueError(f"the keys {', '.join(odd)} are missing or unknown")
    for key, kind in types.items():
        if not isinstance(found[key], kind) or (isinstance(found[key], bool) and kind is not bool):
            raise ValueError(f"{key} is {found[key]!r:.60}")
    return dict(found)
