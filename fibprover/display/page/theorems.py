"""The content of the page of `fibprover prove`: chapters, theorems, and the meanings of their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fibprover.display.page.document import about
from fibprover.display.page.figures import Figures
from fibprover.display.page.names import Glossary, Scope, expanded, used
from fibprover.numeration.registry import system_named
from fibprover.theorems.chapter import Chapter, Declaration, DeclaredDefinition, claim_of
from fibprover.theorems.collect import shown, shown_file
from fibprover.theorems.report import ProofReport, Row, cell
from fibprover.theorems.task import SessionDelta

#: A chapter with the names that its declarations have made.
Named = tuple[Chapter, Mapping[int, SessionDelta]]


def content(report: ProofReport, chapters: Iterable[Named], version: str) -> dict[str, Any]:
    """Return the content of the page, as an object of JSON; docs/page.md describes the page."""
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
        })
    lines = report.remarks().splitlines()
    return {
        "kind": "theorems", "title": "Theorems", "summary": lines[-1] if lines else "", "remarks": lines[:-1],
        "about": about(version), "groups": groups, "items": items, "names": glossary.entries, **figures.objects(),
    }


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
