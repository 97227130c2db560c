"""The playground of the site: cells of commands or of Python, answered as JSON for the page that shows them.

`website/playground` runs this in a browser, on the kernels in Python.  Cells of commands are those of notebooks.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import fibprover
from fibprover.base.errors import FibproverError
from fibprover.frontends.display.html import bold, card, preformatted
from fibprover.frontends.display.progress import Watch
from fibprover.frontends.notebook.conversation import Answer, Conversation
from fibprover.workspace.session import Session

_RED = "#cf222e"


class Playground:
    """A session, and the names of Python cells: `fp` is the package, `s` is the session."""

    def __init__(self) -> None:
        self.conversation = Conversation(Session())
        self.names: dict[str, Any] = {"fp": fibprover, "s": self.conversation.session, "__name__": "__playground__"}

    def run(self, kind: str, cell: str, show: Callable[[str], None]) -> bool:
        """Answer a cell; call `show` with {"text": ..., "html": ...} as JSON for each answer, as each is known.

        kind: "commands", or "python".  Return whether the cell ended without an error; an error is shown as well.
        """
        answers = self.commands(cell) if kind == "commands" else self.python(cell)
        try:
            for answer in answers:
                show(json.dumps({"text": answer.text, "html": answer.html}))
        except FibproverError as problem:
            show(json.dumps({"error": str(problem), "html": _error(str(problem))}))
            return False
        except SystemExit as ended:  # as a cell of commands may end by `quit`
            return not ended.code
        except BaseException as problem:  # the page waits for an answer even if a cell raises an error
            said = f"{type(problem).__name__}: {_message(problem)}".removesuffix(": ")
            show(json.dumps({"error": said, "html": _error(said)}))
            return False
        return True

    def commands(self, cell: str) -> Iterator[Answer]:
        """Yield the answers of formulas and commands."""
        yield from self.conversation.answers(cell, Watch())

    def python(self, cell: str) -> Iterator[Answer]:
        """Run Python; yield what it prints, then the value of a last expression, if it is not None.

        A cell may also be an interactive session with `>>> `, of which the input is run, statement by statement.
        """
        for code in _inputs(cell):
            tree = ast.parse(code, "cell")
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            printed, result = io.StringIO(), None
            try:
                with contextlib.redirect_stdout(printed):
                    exec(compile(tree, "cell", "exec"), self.names)
                    if isinstance(last, ast.Expr):
                        result = eval(compile(ast.Expression(last.value), "cell", "eval"), self.names)
            finally:
                if printed.getvalue():
                    yield Answer(printed.getvalue(), card(preformatted(printed.getvalue().rstrip("\n"))))
            if result is not None:
                yield Answer(repr(result), _shown(result))


def _inputs(cell: str) -> list[str]:
    """Return the pieces of Python to run: the whole cell, or each input of an interactive session."""
    lines = cell.strip("\n").splitlines()
    if not lines or not lines[0].startswith(">>> "):
        return [cell]
    pieces: list[str] = []
    for line in lines:
        if line.startswith(">>> "):
            pieces.append(line[4:])
        elif line.startswith("..."):
            pieces[-1] += "\n" + line[4:]
    return pieces


def _shown(value: object) -> str:
    """Return a value as HTML, in its own way if it has one."""
    html = None if isinstance(value, type) else getattr(value, "_repr_html_", None)
    found = html() if html is not None else None
    return found if isinstance(found, str) else card(preformatted(repr(value)))


def _message(problem: BaseException) -> str:
    try:
        return str(problem)
    except Exception:
        return "(its message cannot be shown)"


def _error(text: str) -> str:
    return card(bold("error", _RED), f'<pre style="margin:0;white-space:pre-wrap">{escape(text)}</pre>')
