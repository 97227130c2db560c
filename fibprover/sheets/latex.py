"""A sheet as LaTeX: a section for the word or the sequence, and an item for each line with its formula."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from fibprover.language.sentences import prose_latex

if TYPE_CHECKING:
    from fibprover.sheets.line import Line
    from fibprover.sheets.sheet import Sheet

#: The most columns of a line of the text.
_WIDTH = 110


def latex_of(sheet: Sheet) -> str:
    """Return a sheet as LaTeX, a part of a document."""
    lines = [
        r"% needs \usepackage{amsmath}",
        rf"\section*{{{_heading(sheet)}}}",
        rf"Over \texttt{{{_name(sheet.system)}}}: \texttt{{{sheet.beginning}}}\ldots",
    ]
    for section, group in groupby(sheet.lines, key=lambda line: line.section):
        lines += [rf"\subsection*{{{section.capitalize()}}}", r"\begin{description}\raggedright"]
        for line in group:
            lines += _item(line)
        lines.append(r"\end{description}")
    return "\n".join(lines) + "\n"


def _item(line: Line) -> Iterator[str]:
    yield from _filled(rf"\item[{line.status.capitalize()}.] {prose_latex(line.text)}")
    if line.tree is not None:
        yield from _filled(rf"  \\ {{\small ${line.tree.latex()}$}}")


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _heading(sheet: Sheet) -> str:
    """Return the title of a sheet, with the name in typewriter type."""
    before, _, after = sheet.title.rpartition(" ")
    return rf"{before} \texttt{{{_name(after)}}}"


def _name(name: str) -> str:
    return name.replace("_", r"\_")
