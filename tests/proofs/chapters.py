"""The chapters of proofs/, and sessions that hold what they define."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import fibprover as fp
from fibprover.campaigns.theorems.chapter import (
    Chapter,
    Claim,
    Declaration,
    DeclaredAutomaton,
    DeclaredDefinition,
    DeclaredLanguage,
    DeclaredScript,
    DeclaredTheorem,
    DeclaredWord,
    DeclaredWordFile,
    claim_of,
)
from fibprover.campaigns.theorems.proof_report import Row
from fibprover.campaigns.theorems.runner import run
from fibprover.campaigns.theorems.scripts import collect, scripts
from fibprover.campaigns.theorems.task import ProofSettings

PROOFS = Path(__file__).resolve().parents[2] / "proofs"

FOUND = collect(scripts([PROOFS]))
CLAIMS = [claim for chapter in FOUND.chapters for claim in map(claim_of, chapter.declarations) if claim is not None]

#: Theorems that are tried on request only.
LONG = [claim for claim in CLAIMS if isinstance(claim, DeclaredTheorem) and claim.long]

#: The definitions of these take 2 to 60 seconds each under the textbook plan.
HEAVY = (
    "The game W^2",
    "The game W^3",
    "The game W^8",
    "m-Wythoff for m = 4",
    "m-Wythoff for m = 5",
    "The (1,10)-game",
    "The (2,4)-game",
    "The (3,2)-game",
    "Splithoff",
    "2-Splithoff",
    "Sprague-Grundy values of Splithoff",
    "Wythoff's game on three heaps",
    "The tables of the 5bonacci word",
    "The rules of the 5bonacci tables",
    "Sprague-Grundy values of Wythoff's game",
    "P-positions of a queen with a knight's moves (2,3)",
    "P-positions of a queen with a knight's moves (1,2): Maharaja Nim",
    "P-positions of Wythoff's game with a pass",
    "The Tribonacci game",
)

#: The textbook plan takes 15 seconds and more for all that these define.
HEAVIEST = (
    "The game W^2",
    "The game W^3",
    "Sprague-Grundy values of Wythoff's game",
    "P-positions of a queen with a knight's moves (1,2): Maharaja Nim",
    "P-positions of Wythoff's game with a pass",
    "The Tribonacci game",
)

#: These take minutes together, and `make test-very-long` alone tries them.
VERY_LONG = (
    *(f"Wythoff's game on three heaps, first heap {m}" for m in range(21, 31)),
    *(f"m-Wythoff for m = {m}" for m in range(15, 21)),
    "The rules of the 7bonacci tables",
)

#: Of the families in these chapters `make test-long` tries the first members, which say the same of other numbers, and
#: `make test-very-long` all.
FIRST_MEMBERS = {"Wythoff's game on three heaps": "three_heaps.[0-9].*"}

#: Those of these take more memory under the textbook plan than a computer has, or more time than tests should.
TOO_HEAVY = (
    "The game W^10",
    "The rules of the 6bonacci tables",
    *VERY_LONG,
    *(f"m-Wythoff for m = {m}" for m in range(6, 21)),
    *(f"The ({s},{m})-game" for s in (3, 4) for m in (1, 2, 3, 4) if (s, m) != (3, 2)),
)


#: Those of these take many seconds under either plan, and so do some theorems.
SLOW = tuple(f"The (4,{m})-game" for m in (1, 2, 3, 4))

#: Further members of families: `make test` tries the first members, which say the same of other numbers.
FURTHER = (
    *(f"m-Wythoff for m = {m}" for m in range(6, 21)),
    *(f"The (1,{m})-game" for m in range(5, 11)),
    *(f"The ({s},{m})-game" for s in (2, 3) for m in (1, 2, 3, 4) if (s, m) not in ((2, 1), (2, 2))),
    "m-Wythoff for m = 5",
    "The game W^4, over 1, 3, 7, 17, ...",
    "The game W^8",
    "The game W^10",
    "The game W^14",
    "The game W^14, in base 3",
    "2-Splithoff",
    "The tables of the 4bonacci word",
    "The rules of the 4bonacci tables",
    "The tables of the 5bonacci word",
    "The rules of the 5bonacci tables",
    "The rules of the 6bonacci tables",
    "The rules of the 7bonacci tables",
    "P-positions of a queen with a knight's moves (1,2): Maharaja Nim",
    "Sprague-Grundy values of 3-Wythoff",
    "The Tribonacci game",
    "Wythoff's game on three heaps",
    "P-positions of Wythoff's game with a pass",
)

#: What `make test` tries, and of it the chapters that it tries under both plans.
QUICK = [one for one in FOUND.chapters if one.title not in SLOW + FURTHER]
LIGHT = [one for one in QUICK if one.title not in HEAVY + TOO_HEAVY]


def claims_of(one: Chapter) -> list[Claim]:
    """The definitions and theorems of a chapter."""
    return [claim for claim in map(claim_of, one.declarations) if claim is not None]


#: The chapters with theorems that `make test` does not try and `make test-long` does.
WITH_LONG = [
    one.title
    for one in FOUND.chapters
    if one.title not in VERY_LONG and (one not in QUICK or any(claim in LONG for claim in claims_of(one)))
]


def as_expected(one: Chapter, settings: ProofSettings) -> list[Row]:
    """The rows of a chapter, one for each claim that is not long; each has the verdict that is expected."""
    results = run([one], settings)
    rows = [result for result in results if isinstance(result, Row)]
    assert rows == results
    assert [row.claim.id for row in rows] == [claim.id for claim in claims_of(one)]
    assert [row.claim.id for row in rows if row.skipped] == [claim.id for claim in claims_of(one) if claim in LONG]
    tried = [row for row in rows if not row.skipped]
    assert [(row.claim.id, row.problem) for row in tried if row.problem] == []
    assert [row.claim.id for row in tried if row.verdict is not row.expected] == []
    assert [row.claim.id for row in tried if row.expected is (row.form == "control")] == []
    return tried


def unexpected(title: str, pattern: str = "") -> list[object]:
    """What is not a row with the expected verdict, of all statements of a chapter whose ids match the pattern."""
    rows = run([chapter(title)], ProofSettings(long=True, pattern=pattern))
    assert rows
    return [row for row in rows if not (isinstance(row, Row) and row.as_expected)]


def chapter(title: str) -> Chapter:
    """The chapter of this title."""
    (found,) = (chapter for chapter in FOUND.chapters if chapter.title == title)
    return found


@cache
def session(title: str) -> fp.Session:
    """A session with everything that a chapter defines; tests share it and only ask."""
    made = fp.Session(chapter(title).system)
    for step in chapter(title).declarations:
        if not isinstance(step, DeclaredTheorem):
            carry_out(made, step)
    return made


def carry_out(made: fp.Session, step: Declaration) -> None:
    """A step that makes a name known."""
    match step:
        case DeclaredDefinition():
            made.define(step.name, step.formula)
        case DeclaredLanguage():
            made.reg(step.name, step.alphabets, step.regex)
        case DeclaredWord():
            made.define_morphic_word(step.name, step.images, step.coding)
        case DeclaredWordFile():
            made.load_words(step.file)
        case DeclaredAutomaton():
            made.namespace.load_predicate(step.file, step.name)
        case DeclaredScript():
            made.run(step.text)
        case DeclaredTheorem():
            raise AssertionError("a theorem names nothing")


def theorem(name: str) -> DeclaredTheorem:
    """The theorem of this id."""
    (found,) = (claim for claim in CLAIMS if claim.id == name)
    assert isinstance(found, DeclaredTheorem)
    return found
