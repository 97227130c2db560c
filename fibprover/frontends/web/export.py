"""Cells as files for other programs: a script of Walnut's commands, a Jupyter notebook, or LaTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from fibprover import __version__
from fibprover.base.errors import BudgetSpent, FibproverError, TextError
from fibprover.base.limits import UNLIMITED, effective
from fibprover.base.names import full_name
from fibprover.frontends.conversation.output import Json
from fibprover.frontends.conversation.warnings import parsed
from fibprover.frontends.display.tikz import tex_text
from fibprover.frontends.notebook.cells import Formula, Magic, parts
from fibprover.language.commands import Command, DefCommand, EvalCommand, TextCommand
from fibprover.language.source import Span
from fibprover.language.tree import InSystem
from fibprover.workspace.session import Session

#: A line that is a remark already, and no call of a macro.
_REMARK = re.compile(r"\s*(?:#(?!\w+\s*\()|//)")


def exported(cells: Iterable[Json], form: str, session: Session) -> Json:
    """Return {"name", "text"}, the file of cells in a form, one of FORMS.

    cells: {"kind": "commands" or "python", "text": ..., "answers": texts that were shown}.  What cannot be parsed stays
    as it is, in comments where the form would not take it.
    """
    if form not in FORMS:
        raise FibproverError(f"unknown form {form!r}", hint=f"known forms: {', '.join(FORMS)}")
    suffix, write = FORMS[form]
    return {"name": f"fibprover.{suffix}", "text": write([_checked(cell) for cell in cells], session)}


def _checked(cell: Json) -> Json:
    text, answers = cell["text"], cell.get("answers", [])
    if not isinstance(text, str) or not all(isinstance(each, str) for each in answers):
        raise TypeError("a cell has a text, and answers that are texts")
    return {"python": cell.get("kind") == "python", "text": text, "answers": list(answers)}


def _parts(text: str, session: Session) -> Iterator[Command | Magic | Formula]:
    """Yield the parts of a cell up to the first that is faulty."""
    try:
        for part in parts(text, session.namespace.macros):
            yield part.what
    except TextError:
        return


# -- scripts


def _script(cells: Iterable[Json], session: Session) -> str:
    blocks = []
    for number, cell in enumerate(cells, 1):
        lines = _commented(cell["text"]) if cell["python"] else _commands(cell["text"], number, session)
        if lines:
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _commands(text: str, number: int, session: Session) -> list[str]:
    """Return a cell as commands: a formula is an `eval`, and what scripts do not have is a comment."""
    lines: list[str] = []
    done = 0
    for place, what in enumerate(_parts(text, session), 1):
        lines += [line.strip() for line in text[done : what.span.start].split("\n") if _REMARK.match(line)]
        match what:
            case Formula(text=formula):
                source = parsed(formula, session)
                if source is None:  # a term, which scripts do not have, or what is no formula
                    lines += _commented(formula)
                else:
                    lines.append(f'eval cell{number}_{place} "{source.formula}":')
            case Magic():
                lines += _commented(_slice(text, what.span))
            case command:
                written = _slice(text, command.span).strip()
                lines.append(written if written.endswith((";", ":")) else f"{written};")
        done = what.span.end
    return lines + _commented(text[done:].strip())


def _slice(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _commented(text: str) -> list[str]:
    return [line.strip() if _REMARK.match(line) else f"# {line}".rstrip() for line in text.strip("\n").splitlines()]


# -- notebooks


def _notebook(cells: Iterable[Json], session: Session) -> str:
    made: list[Json] = [
        {
            "cell_type": "code", "id": f"cell-{number}", "execution_count": None, "metadata": {}, "outputs": [],
            "source": f"%%python\n{cell['text']}" if cell["python"] else cell["text"],
        }
        for number, cell in enumerate(cells, 1)
    ]
    kernel = {"display_name": "fibprover", "language": "walnut", "name": "fibprover"}
    content = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


# -- LaTeX

_PREAMBLE = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb}
\title{Cells of fibprover}
\date{}
\begin{document}
\maketitle
"""


def _latex(cells: Sequence[Json], session: Session) -> str:
    """Return an article, as `fibprover paper` writes it: closed formulas are theorems.

    Cells that have other answers follow it.  Where there is no theorem, or not all commands are definitions and
    formulas, as `load` may read any file, the article has nothing but the cells.
    """
    article = _article(cells, session)
    if article is None:
        return _PREAMBLE + "\n".join(_shown(enumerate(cells, 1), session)) + "\n\\end{document}\n"
    others = [(number, cell) for number, cell in enumerate(cells, 1) if not _is_told(cell, session)]
    if not others:
        return article
    before, appendix, after = article.partition("\\appendix\n")
    head = r"\section*{Other cells}"
    return before + "\n".join([head, *_shown(others, session)]) + "\n" + appendix + after


def _article(cells: Sequence[Json], session: Session) -> str | None:
    """Return the article of the theorems, which are decided again in a new session; None without one."""
    # Nothing else of the page needs these, and a page in a browser should begin soon.
    from fibprover.campaigns.theorems.commands import chapter_of_text
    from fibprover.campaigns.theorems.runner import run_schedule
    from fibprover.campaigns.theorems.schedule import Schedule
    from fibprover.campaigns.theorems.task import ProofSettings
    from fibprover.frontends.cli.prove import report_of
    from fibprover.frontends.display.paper import PaperOptions, paper

    title = "Cells of fibprover"
    commands = [what for cell in cells if not cell["python"] for what in _parts(cell["text"], session)]
    if any(isinstance(each, Command) and not isinstance(each, TextCommand) for each in commands):
        return None  # some of these, such as `load`, read or write files: only a cell that is run does, in its folder
    try:
        chapter = chapter_of_text(_script(cells, session), title, system=session.namespace.default_system)
        limits = effective(UNLIMITED).remaining()
        schedule = Schedule((chapter,), ProofSettings(limits=limits, exhibits=True))
        run_schedule(schedule, 1)
    except BudgetSpent:
        raise
    except FibproverError:
        return None
    report = report_of((), schedule, 0.0, interrupted=False)
    if not report.tried or report.problems or any(row.verdict is None for row in report.rows):
        return None
    return paper(report, schedule.deltas(), PaperOptions(title, "", "fibprover run fibprover.txt", __version__))


def _is_told(cell: Json, session: Session) -> bool:
    """Return whether the article of the theorems says all that a cell does: it defines, or decides closed formulas."""
    if cell["python"]:
        return not cell["text"].strip()
    for what in _parts(cell["text"], session):
        match what:
            case Formula(text=formula) | EvalCommand(text=formula):
                source = parsed(formula, session)
                if source is None or source.formula.free:
                    return False
            case Magic():
                return False
    return True


def _shown(cells: Iterable[tuple[int, Json]], session: Session) -> list[str]:
    """Return cells with their numbers: the formulas, typeset, and what was answered, as text."""
    lines: list[str] = []
    for number, cell in cells:
        lines.append(rf"\section*{{Cell {number}}}")
        typeset = [] if cell["python"] else [*_typeset(cell["text"], session)]
        lines += typeset or _typewriter(cell["text"])
        lines += _typewriter("\n".join(cell["answers"]))
    return lines


def _typeset(text: str, session: Session) -> Iterator[str]:
    for what in _parts(text, session):
        match what:
            case Formula(text=formula):
                name = ""
            case DefCommand(text=formula) | EvalCommand(text=formula):
                name = rf"\texttt{{{tex_text(what.name)}}}: "
            case _:
                yield from _typewriter(_slice(text, what.span).strip())
                continue
        source = parsed(formula, session)
        if source is None:
            yield from _typewriter(formula)
        else:
            tree = source.formula
            where = rf"\quad(\texttt{{{tex_text(full_name(tree.system))}}})" if isinstance(tree, InSystem) else ""
            yield rf"\begin{{flushleft}}{name}$\displaystyle {tree.latex()}${where}\end{{flushleft}}"


def _typewriter(text: str) -> list[str]:
    """Return lines in typewriter type, with special characters escaped."""
    lines = [rf"\texttt{{{tex_text(line)}}}" for line in text.splitlines() if line.strip()]
    return ["\\begin{flushleft}\\small\\raggedright", " \\\\\n".join(lines), "\\end{flushleft}"] if lines else []


#: The forms: the ending of the file, and the function that writes it.
FORMS: dict[str, tuple[str, Callable[[list[Json], Session], str]]] = {
    "script": ("txt", _script),
    "notebook": ("ipynb", _notebook),
    "latex": ("tex", _latex),
}
