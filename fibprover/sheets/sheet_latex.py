"""A sheet as LaTeX: sentences, formulas, and what the predicates in them mean."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from fibprover.base.names import WORD_PREDICATES, word_predicate
from fibprover.language.builder import call, variable
from fibprover.language.sentences import prose_latex
from fibprover.sheets.called_predicates import called_predicates
from fibprover.sheets.line import Line
from fibprover.sheets.sheet_text import WIDTH, each_of, method_of, origin_of, told_once

if TYPE_CHECKING:
    from fibprover.sheets.sheet import Sheet

#: So many letters stand together in LaTeX.
_UNBROKEN = 10


def latex_of(sheet: Sheet) -> str:
    """Return a sheet as LaTeX, a part of a document."""
    lines = [
        r"% needs \usepackage{amsmath}",
        rf"\section*{{{_heading(sheet)}}}",
        # A line of letters alone cannot be stretched.
        rf"{{\raggedright {_over(sheet)}{_beginning(sheet)}\par}}",
    ]
    if origin := origin_of(sheet):
        lines += ["", *_filled(prose_latex(f"{origin}."))]
    if method := method_of(sheet):
        lines += _filled(prose_latex(method))
    for section, group in groupby(told_once(sheet.lines), key=lambda line: line.section):
        lines += [rf"\subsection*{{{section.capitalize()}}}", r"\begin{description}\raggedright"]
        for line in group:
            lines += _item(line)
        lines.append(r"\end{description}")
    return "\n".join([*lines, *_predicates(sheet)]) + "\n"


def _predicates(sheet: Sheet) -> Iterator[str]:
    """Yield what the predicates in the formulas mean; what is said of powers is said in the lines that call them."""
    words = [word for word in sheet.words if len(word.indices) == 1]
    called = [each for word in words for each in called_predicates(word, sheet.lines) if each.formula is not None]
    if not called:
        return
    yield r"\subsection*{The predicates in the formulas}"
    yield r"\begin{description}\raggedright"
    for each in called:
        assert each.formula is not None
        parts = word_predicate(each.name)
        parameters = each.formula.free if parts is None else WORD_PREDICATES[parts[0]]
        named = call(each.name, *map(variable, parameters))
        means = ": the only relation that holds exactly if" if each.is_recursive else " means"
        yield from _filled(rf"\item {{\small ${named.latex()}${means} ${each.formula.latex()}$}}")
    yield r"\end{description}"


def _beginning(sheet: Sheet) -> str:
    return rf"\texttt{{{_broken(sheet.beginning)}}}\ldots" if sheet.prefix else each_of(sheet)


def _broken(letters: str) -> str:
    """Return letters with places where a line of LaTeX may end."""
    if " " in letters:
        return letters
    return r"\allowbreak ".join(letters[start : start + _UNBROKEN] for start in range(0, len(letters), _UNBROKEN))


def _over(sheet: Sheet) -> str:
    return rf"Over \texttt{{{_name(sheet.system)}}}: " if sheet.system else ""


def _item(line: Line) -> Iterator[str]:
    yield from _filled(rf"\item[{line.status.capitalize()}.] {prose_latex(line.text)}")
    if line.tree is not None:
        yield from _filled(rf"  \\ {{\small ${line.tree.latex()}$}}")


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _heading(sheet: Sheet) -> str:
    """Return the title of a sheet, with the name in typewriter type."""
    before, _, after = sheet.title.rpartition(" ")
    return rf"{before} \texttt{{{_name(after)}}}"


def _name(name: str) -> str:
    return name.replace("_", r"\_")
