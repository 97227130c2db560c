"""The content of the page of `fibprover prove`: chapters, theorems, and the meanings of their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fibprover.campaigns.theorems.chapter import Chapter, Declaration, DeclaredDefinition, claim_of
from fibprover.campaigns.theorems.contents import Contents
from fibprover.campaigns.theorems.proof_report import ProofReport, Row, cell
from fibprover.campaigns.theorems.scripts import shown, shown_file
from fibprover.campaigns.theorems.task import SessionDelta
from fibprover.frontends.display.page.document import about
from fibprover.frontends.display.page.figures import Figures
from fibprover.frontends.display.page.glossary import Glossary, Scope, used
from fibprover.language.macros import expanded
from fibprover.numeration.registry import system_named

#: A chapter with the names that its declarations have made.
Named = tuple[Chapter, Mapping[int, SessionDelta]]

#: The text of a page for scripts without contents (fibprover.campaigns.theorems.contents).
_LEAD = (
    "Each row is a statement on numbers or words with its formula, which was decided as a finite automaton when this "
    "page was made. Open one to see what its names mean, as automata, boards and first members."
)


def content(
    report: ProofReport, chapters: Iterable[Named], version: str, contents: Contents | None = None
) -> dict[str, Any]:
    """Return the content of the page, as an object of JSON; docs/page.md describes the page.

    contents: of the folder whose scripts have been proved, if it is one folder and has any.
    """
    figures = Figures(system_named)
    glossary = Glossary(figures)
    rows = {row.claim.id: (row, fields) for row, fields in zip(report.rows, report.objects(), strict=True)}
    groups: list[dict[str, Any]] = []
    items: list[dict[str, Any]] = []
    for chapter, named in chapters:
        scope: Scope = {}
        macros: dict[str, str] = {}
        for number, step in enumerate(chapter.declarations):
            own = _learned(glossary, scope, named.get(number), step)
            if number in named:
                macros |= named[number].macros
            claim = claim_of(step)
            if claim is not None and claim.id in rows:
                row, fields = rows[claim.id]
                items.append(_item(row, fields, len(groups), scope, macros) | own)
        groups.append({
            "title": chapter.title, "source": chapter.source, "system": chapter.system,
            "place": shown_file(chapter.place.file),
            "part": 0 if contents is None else contents.place(chapter.place.file)[0],
        })
    title = f"Theorems: {groups[0]['title']}" if len(groups) == 1 else "Theorems decided by automata"
    tally = report.tally()
    return {
        "kind": "theorems", "title": title if contents is None else contents.title,
        "lead": _LEAD if contents is None else contents.about or _LEAD,
        "summary": tally[:1].upper() + tally[1:], "remarks": report.notes().splitlines()[:-1],
        "legend": _legend(report.rows), "about": f"{about(version)}; {report.cost()}",
        "parts": _parts(contents), "groups": groups, "items": items, "names": glossary.entries, **figures.objects(),
    }


def _parts(contents: Contents | None) -> list[dict[str, str]]:
    """Return the parts to which groups refer by number, the last of them for scripts that no part names."""
    named = () if contents is None else contents.parts
    last = {"title": "Other theorems" if named else "", "about": ""}
    return [*({"title": part.title, "about": part.about} for part in named), last]


def _legend(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Return the words that rows are marked with, of those that occur, and what they mean."""
    tried = [row for row in rows if not row.skipped]
    meanings = {
        "as expected": ("the verdict is the expected one", any(row.as_expected for row in tried)),
        "unexpected": ("the verdict is not the expected one, or is missing", not all(row.as_expected for row in tried)),
        "printed": ("the formula as printed in its source", any(row.form == "printed" for row in rows)),
        "strong": ("the formula that the theorem in words needs", any(row.form == "strong" for row in rows)),
        "control": (
            "a wrong statement close to a theorem: it fails, as it must, since a prover that always says TRUE would "
            "pass everything else",
            any(row.form == "control" for row in rows),
        ),
        "vacuous": ("TRUE, but it would be TRUE with any formula in the marked part", any(row.vacuous for row in rows)),
        "skipped": ("not tried: it takes long; fibprover prove --long tries it", any(row.skipped for row in rows)),
    }
    return [(word, meaning) for word, (meaning, occurs) in meanings.items() if occurs]


def _learned(glossary: Glossary, scope: Scope, names: SessionDelta | None, step: Declaration) -> dict[str, int]:
    """Add the names that a declaration has made; return the fields for the item of a definition that is a claim."""
    place = shown(step.place)
    if names is not None:
        before = dict(scope)
        for name, definition in names.definitions.items():
            # A script may use the definitions of its earlier lines.
            scope[f"${name}"] = glossary.define(definition, before, place)
            before.setdefault(f"${name}", scope[f"${name}"])
        for name, word in names.words.items():
            scope[name] = glossary.word(word, place)
    elif isinstance(step, DeclaredDefinition):
        scope[f"${step.name}"] = glossary.unseen(step.name, step.formula, scope, place)
    if isinstance(step, DeclaredDefinition) and f"${step.name}" in scope:
        return {"defines": scope[f"${step.name}"]}
    return {}


def _item(
    row: Row, fields: Mapping[str, Any], group: int, scope: Scope, macros: Mapping[str, str]
) -> dict[str, Any]:
    """Return the item of a theorem: the fields of its row in the JSON report, and more."""
    claim = row.claim
    whole = expanded(claim.formula, macros)
    more: dict[str, Any] = {
        "group": group,
        "formula": claim.formula,
        "expanded": "" if whole == claim.formula else whole,
        "calls": used(claim.formula, scope, macros),
        "place": shown(claim.place),
        "label": cell(row, "verdict"),
        "good": row.skipped or row.as_expected,
        "example": "" if row.evidence is None else str(row.evidence),
        "problem": row.problem,
        "detail": row.detail if row.problem or row.verdict not in (None, row.expected) else "",
        "parts": [] if row.vacuity is None else [
            {"grade": part.grade, "text": part.text, "start": part.span.start, "end": part.span.end,
             "sentence": part.sentence, "inside": part.formula == whole}
            for part in row.vacuity.findings
        ],
        "looked": row.vacuity is not None,
        "textbook": "" if row.count is None else _counted(row),
    }
    return {**fields, **more}


def _counted(row: Row) -> str:
    """Return the part of the formula that a number of states belongs to."""
    count, paper = row.count, row.claim.states_paper
    assert count is not None
    if count.spent:
        return f"at least {count.states}, of {count.label}: a budget was spent first"
    if paper is None or count.paper == count.label:
        return f"of {count.label}"
    return f"{count.states} of {count.label}" + ("" if count.paper is None else f"; {paper} of {count.paper}")
