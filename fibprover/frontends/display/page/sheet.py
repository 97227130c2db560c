"""The content of the page of `fibprover study`: a word or two, or a sequence, and the theorems about them in sections.

An item of the page is a line.  With two words it is a pair of lines, its `sides`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.wording import plural
from fibprover.frontends.display.fluctuation import fluctuation
from fibprover.frontends.display.page.document import about
from fibprover.frontends.display.page.figures import Figures
from fibprover.frontends.display.page.glossary import Glossary, Scope, used
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.environment import Definition
from fibprover.sequences.series import Series
from fibprover.sheets.comparison import Comparison
from fibprover.sheets.line import SECTION, Line
from fibprover.sheets.script import script_of
from fibprover.sheets.sheet import Sheet
from fibprover.sheets.sheet_text import method_of, origin_of, summary_of, told_once, value_of
from fibprover.sheets.subject import Numbers

#: The number of letters of a word that are shown in cells.
LETTERS = 240

#: The matrices of a sequence are shown up to this dimension.
MOST_ROWS = 8

_LEAD = (
    "Each row is a theorem about the word {name}, over {system}: its formula was decided as a finite automaton, or the "
    "set, the sequence or the supremum that it describes was found and proved. Open one to see the formula, automata, "
    "and the same as a script for Walnut."
)

_OF_NUMBERS = (
    "Each row is a theorem about a sequence over {system} with a linear representation, or holds under the conjecture "
    "that the terms are this sequence. Open one to see the recursion, a plot, the matrices, automata, and the same as "
    "a script where it is one."
)

_TWO = (
    "Each row is a pair of theorems, one about each of two words, X in the statement. Open one to see formulas, plots, "
    "automata, and the same as scripts for Walnut."
)

#: The meaning of the marks of pairs.
_LABELS = {
    "differs": "the two theorems say different things",
    "same": "no difference was seen: the same verdict, the same values as far as they are shown",
    "not known": "one of the two is open, or not asked of this word",
}

#: The meaning of the marks of rows.
_LEGEND = {
    "PROVED": "the statement is true, or the value is proved",
    "REFUTED": "the statement is false, which is proved",
    "OPEN": "not decided within the time of a line; bounds are proved",
}

#: What a plot shows, and its axes, by the kind of a line; other kinds have no plot.
_PLOTS = {
    "sequence": ("the values for n = 0 to {last}", "n", ""),
    "function": ("the values for n = 0 to {last}", "n", ""),
    "greatest": ("the values for n = 0 to {last}", "n", ""),
    "balance": ("the members among 0 to {last}", "n", ""),
    "line": ("the letters for n = 0 to {last}", "n", ""),
    "supremum": ("the greatest n for p = 0 to {last}", "p", "n"),
    "limit": ("the greatest n for p = 0 to {last}", "p", "n"),
    "set": ("the members among 0 to {last}", "n", ""),
}

#: The kinds whose plot shows the members of a set.
_SETS = ("set", "balance")

#: The most points of a plot of a fluctuation.
_MOST_POINTS = 512


def content(sheet: Sheet, version: str, lines: int | None = None) -> dict[str, Any]:
    """Return the content of the page, as an object of JSON; lines: how many the sheet will have, if it is unfinished.
    """
    sections = list(dict.fromkeys(line.section for line in sheet.lines))
    writer = _Writer([sheet])
    items = [_item(line, sections) | writer.side(0, line) for line in told_once(sheet.lines)]
    statuses = {line.status.upper() for line in sheet.lines}
    lead = _LEAD if sheet.words and sheet.is_word else method_of(sheet) or _OF_NUMBERS
    origin = origin_of(sheet)
    return writer.content(version, sections, items) | {
        "title": sheet.title,
        "lead": f"{origin}. " * bool(origin) + lead.format(name=sheet.name, system=sheet.system),
        "summary": f"{'' if lines is None else f'Unfinished: so far, of {lines} lines, '}{summary_of(sheet)}.",
        "legend": [[mark, meaning] for mark, meaning in _LEGEND.items() if mark in statuses],
    }


def compared(comparison: Comparison, version: str) -> dict[str, Any]:
    """Return the content of the page of two words side by side."""
    pairs = comparison.pairs
    sections = list(dict.fromkeys(pair.section for pair in pairs))
    writer = _Writer(comparison.sheets)
    items = []
    for pair in pairs:
        sides = [None if line is None else writer.side(number, line) for number, line in enumerate(pair.lines)]
        items.append({
            "id": pair.id, "statement": pair.statement, "group": sections.index(pair.section), "form": "", "source": "",
            "label": {True: "differs", False: "same", None: "not known"}[pair.differs], "good": True, "sides": sides,
            "seconds": sum(side["seconds"] for side in sides if side), "states": max(
                (side["states"] or 0 for side in sides if side), default=0
            ),
        })
    labels = {item["label"] for item in items}
    names = " and ".join(sheet.name for sheet in comparison.sheets)
    return writer.content(version, sections, items) | {
        "title": names, "lead": _TWO, "summary": f"{comparison.summary.replace(' (*)', '')}.",
        "legend": [[mark, meaning] for mark, meaning in _LABELS.items() if mark in labels],
    }


def _item(line: Line, sections: Sequence[str]) -> dict[str, Any]:
    return {
        "id": line.id, "statement": line.statement, "group": sections.index(line.section), "form": "", "source": "",
    }


def _head(sheet: Sheet, scope: Scope) -> dict[str, Any]:
    """Return what the page shows of a word or a sequence at the top.

    Letters are in cells; those of a word with two indices are a board in the entry of its name, and those of a word
    over a family depend on the slope.  A sequence has its first values, and no automaton.
    """
    found: dict[str, Any] = {
        "name": sheet.name, "system": sheet.system, "script": sheet.to_script(), "values": None, "prefix": [],
        "letters": [], "entry": None, "given": "" if sheet.given == sheet.name else sheet.given,
    }
    if isinstance(sheet.topic, Numbers):
        return found | {"values": ", ".join([*map(str, sheet.prefix), "..."])}
    prefix = [] if sheet.is_table or sheet.is_family else sheet.topic.prefix(LETTERS)
    return found | {"letters": list(sheet.letters), "prefix": prefix, "entry": scope.get(sheet.name)}


def _matrices(sequence: Series) -> dict[str, Any] | None:
    """Return the linear representation of a sequence as texts, None for a large one."""
    if not 0 < sequence.dimension <= MOST_ROWS:
        return None
    return {
        "v": [[str(each) for each in sequence.v]], "w": [[str(each)] for each in sequence.w],
        "parts": [
            {"digit": str(*letter), "rows": [[str(each) for each in row] for row in matrix]}
            for letter, matrix in sequence.matrices.items()
        ],
    }


def _fluctuation(numbers: Numbers, exponent: float) -> dict[str, Any] | None:
    """Return the plot of a(n)/n^exponent, of which it is said that it proves nothing; None if there is none."""
    try:
        plot = fluctuation(numbers.sequence, exponent)
    except BudgetSpent:
        raise
    except FibproverError:
        return None
    step = -(-len(plot.heights) // _MOST_POINTS)
    said = plot.title.replace("a(n)", numbers.term, 1)
    points = [[n, float(f"{height:.6g}")] for n, height in enumerate(plot.heights, plot.first)][::step]
    return {
        "kind": "fluctuation", "terms": points, "first": plot.first, "last": plot.last, "x": "n",
        "y": f"{numbers.term}/n^{exponent:.4g}", "said": said, "title": said,
    }


def _is_plotted(line: Line) -> bool:
    """Return whether there is more to see in a plot than in the value: not of one number, nor of a set that is listed.
    """
    seen = {term for term in line.terms if term is not None}
    return line.kind in _PLOTS and ("..." in line.value if line.kind in _SETS else len(seen) > 1)


def _size(line: Line) -> str:
    """Return the states of the automaton of a line, or the dimension of its linear representation."""
    if line.states is None:
        return ""
    of_numbers = line.kind in ("sequence", "greatest", "recursion")
    return f"dimension {line.states}" if of_numbers else plural(line.states, "state")


class _Writer:
    """A writer of the parts of a page, whose names share one glossary."""

    def __init__(self, sheets: Sequence[Sheet]) -> None:
        self.sheets = sheets
        self.figures = Figures(self._system)
        self.glossary = Glossary(self.figures)
        self.scopes = [self._names(sheet) for sheet in sheets]

    def _system(self, name: str) -> NumerationSystem:
        words = [word for sheet in self.sheets for word in sheet.words]
        own = (word.systems[name] for word in words if name in word.systems)
        return next(own, None) or system_named(name)

    def _names(self, sheet: Sheet) -> Scope:
        """Add words and the predicates that their formulas call; return their names."""
        scope: Scope = {word.name: self.glossary.word(word) for word in sheet.words}
        for predicate in sheet.predicates:
            scope[f"${predicate.name}"] = self.glossary.define(predicate, scope)
        return scope

    def side(self, number: int, line: Line) -> dict[str, Any]:
        """Return what the page shows of a line of a sheet."""
        sheet, scope = self.sheets[number], self.scopes[number]
        found: dict[str, Any] = {
            "label": line.status.upper(), "good": line.status != "open", "value": "", "example": "",
            "formula": line.formula, "expanded": "", "calls": used(line.formula, scope), "seconds": line.seconds,
            "states": line.states, "size": _size(line), "script": script_of(sheet, line), "plot": None,
            "word": sheet.name,
        }
        found["example" if line.section == SECTION or line.kind == "claim" else "value"] = value_of(line)
        if line.kind == "recursion":
            found["equations"] = re.split(r", (?=[ab]\()", line.value)
        if not sheet.is_word and line.kind == "sequence":
            found["matrices"] = _matrices(sheet.sequence)
        if line.automaton is not None:
            name = line.id.replace("-", "_")
            found["defines"] = self.glossary.define(Definition(name, line.automaton, line.formula), scope)
        if _is_plotted(line):
            said, across, up = _PLOTS[line.kind]
            kind = "set" if line.kind in _SETS else line.kind
            last = max([63, *filter(None, line.terms)]) if kind == "set" else len(line.terms) - 1
            found["plot"] = {
                "kind": kind, "terms": line.terms, "last": last, "x": across, "y": up,
                "said": f"{sheet.name}: {said.format(last=last)}",
                "title": f"{line.statement} {sheet.name}: {said.format(last=last)}",
            }
        if line.exponent is not None:
            found["plot"] = _fluctuation(sheet.numbers, line.exponent)
        return found

    def content(self, version: str, sections: Sequence[str], items: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return the parts of the content that do not depend on how many words there are."""
        return {
            "kind": "sheet", "remarks": [], "about": about(version), "parts": [{"title": "", "about": ""}],
            "groups": [
                {"title": section.capitalize(), "source": "", "system": "", "place": "", "part": 0}
                for section in sections
            ],
            "words": [_head(sheet, scope) for sheet, scope in zip(self.sheets, self.scopes, strict=True)],
            "items": list(items), "names": self.glossary.entries, **self.figures.objects(),
        }
