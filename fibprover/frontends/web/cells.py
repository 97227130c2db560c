"""Cells of commands or of Python in a session, answered by events; the two engines of the page call this.

In a browser `assets/worker.js` runs it on the kernels in Python; `fibprover web` runs it in a process of its own.  All
that goes in and out is JSON as text, which both ways of transport carry.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from typing import Any

import fibprover
from fibprover.base.errors import FibproverError, TextError
from fibprover.base.limits import Limits
from fibprover.frontends.conversation.output import Json
from fibprover.frontends.display import progress
from fibprover.frontends.display.html import RED, bold, card, preformatted
from fibprover.frontends.display.values import relation_html, word_html
from fibprover.frontends.notebook.completion import completion, meaning, name_at
from fibprover.frontends.notebook.conversation import Answer, Conversation, sentence_answer
from fibprover.frontends.web.diagnosis import diagnosis
from fibprover.frontends.web.dropped import opened
from fibprover.frontends.web.export import exported
from fibprover.frontends.web.figures import Kept
from fibprover.prover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

#: Takes an event, as JSON.
Show = Callable[[str], None]

#: Seconds between two events about progress.
_PERIOD = 0.15

#: Seconds that the answer to a question of the page may take.
_SECONDS = 10.0


class Cells:
    """A session, and the names of Python cells: `fp` is the package, `s` is the session.

    python: whether cells of Python are run; limits: of each cell, none without them.
    """

    def __init__(self, session: Session | None = None, *, python: bool = True, limits: Limits | None = None) -> None:
        self.conversation = Conversation(Session() if session is None else session, drawn=False)
        self.session = self.conversation.session
        self.names: dict[str, Any] = {"fp": fibprover, "s": self.session, "__name__": "__cells__"}
        self.python_is_run, self.limits = python, limits
        self.kept = Kept(self.session)

    # -- running ---------------------------------------------------------------------------

    def run(self, kind: str, cell: str, show: Show) -> bool:
        """Answer a cell; call `show` with each event, as JSON, when it happens.

        kind: "commands", or "python".  Events: {"kind": "progress", ...}, {"kind": "answer", "text", "html"}, with
        "figure" for what has an automaton and "why" for what has a formula, and {"kind": "error", "text", "html"}, with
        "start" and "end" if it has a place in the cell.  Return whether the cell ended without an error.
        """
        watch = _Watch(show)
        painter = progress.Painter(watch, watch if _has_threads() else None)
        try:
            with self._limited(), self._warning(show), painter:
                for answer in self.python(cell) if kind == "python" else self.conversation.answers(cell, watch):
                    with painter.lock:
                        show(json.dumps(self._event(answer)))
        except FibproverError as problem:
            show(json.dumps(_error(str(problem)) | _place(problem, cell)))
            return False
        except SystemExit as ended:  # as a cell of Python may end by sys.exit(), whose argument says why
            if ended.code:
                show(json.dumps(_error(f"SystemExit: {_message(ended)}")))
            return not ended.code
        except KeyboardInterrupt:
            if self.limits is not None:  # Stop, which is said by the engine
                raise
            show(json.dumps(_error("KeyboardInterrupt")))
            return False
        except BaseException as problem:  # the page waits for an answer even if a cell raises an error
            show(json.dumps(_error(f"{type(problem).__name__}: {_message(problem)}".removesuffix(": "))))
            return False
        return True

    @contextlib.contextmanager
    def _warning(self, show: Show) -> Iterator[None]:
        """Let warnings of the session be answers."""
        names = self.session.namespace
        before = names.warn
        names.warn = lambda text: show(json.dumps(self._event(sentence_answer(text))))
        try:
            yield
        finally:
            names.warn = before

    def _event(self, answer: Answer) -> Json:
        """Return an answer as an event."""
        return {"kind": "answer", "text": answer.text, "html": answer.html, **self.kept.shown(answer.outcome)}

    @contextlib.contextmanager
    def _limited(self, most: float = float("inf")) -> Iterator[None]:
        """Let a cell spend the limits, and at most so many seconds."""
        if self.limits is None:
            yield
            return
        before, seconds = self.session.options, min(most, self.limits.seconds or most)
        limits = replace(self.limits, seconds=None if seconds == float("inf") else seconds)
        self.session.options = replace(before, limits=replace(limits, seconds=None))
        try:
            with enforced(limits):
                yield
        finally:
            self.session.options = before

    def python(self, cell: str) -> Iterator[Answer]:
        """Run Python; yield what it prints, then the value of a last expression, if it is not None.

        A cell may also be an interactive session with `>>> `, of which the input is run, statement by statement.
        """
        if not self.python_is_run:
            raise FibproverError("cells of Python are not run here", hint="start it by fibprover web --python")
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
                yield Answer(repr(result), self._shown(result), result)

    def _shown(self, value: object) -> str:
        """Return a value as HTML, in its own way if it has one; the page draws the automaton."""
        match value:
            case Relation():
                return relation_html(value, drawn=False)
            case AutomaticWord():
                return word_html(value, self.session.namespace.system, drawn=False)
        html = None if isinstance(value, type) else getattr(value, "_repr_html_", None)
        found = html() if html is not None else None
        return found if isinstance(found, str) else card(preformatted(repr(value)))

    # -- other questions -------------------------------------------------------------------

    def ask(self, question: str, arguments: str) -> str:
        """Return the answer to a question of the page, which is one of QUESTIONS, as JSON; errors are answers.

        arguments: an object, as JSON.
        """
        try:
            if question not in QUESTIONS:
                raise FibproverError(f"there is no question {question!r}")
            with self._limited(_SECONDS):
                found = QUESTIONS[question](self, **json.loads(arguments))
        except FibproverError as problem:
            found = {"error": str(problem)}
        except (TypeError, ValueError, AttributeError, KeyError) as problem:
            found = {"error": f"the question {question} is not well formed: {_message(problem)}"}
        except Exception as problem:  # a defect, or no memory: the names of the session are worth more
            found = {"error": f"{type(problem).__name__}: {_message(problem)}"}
        return json.dumps(found)

    def complete(self, cell: str, cursor: int) -> Json:
        """Return the texts that can replace the one from `start` to the cursor."""
        found = completion(cell, cursor, self.session)
        return {"start": found.start, "texts": list(found.texts[:200])}

    def describe(self, cell: str, cursor: int) -> Json:
        """Return what the name at the cursor means, "" for an unknown one."""
        return {"text": meaning(name_at(cell, cursor), self.session)}

    def diagnose(self, cell: str) -> Json:
        """Return the errors and warnings about a cell that is not run."""
        return {"found": diagnosis(cell, self.session)}

    def open(self, name: str, text: str) -> Json:
        """Take a file that was dropped on the page: cells of a script, or names of an automaton."""
        return opened(name, text, self.session)

    def export(self, cells: list[Json], form: str) -> Json:
        """Return cells as a file."""
        return exported(cells, form, self.session)


#: What the page may ask, by its name.
QUESTIONS: dict[str, Callable[..., Json]] = {
    "complete": Cells.complete,
    "describe": Cells.describe,
    "diagnose": Cells.diagnose,
    "open": Cells.open,
    "export": Cells.export,
    "represent": lambda cells, **given: cells.kept.represent(**given),
    "members": lambda cells, **given: cells.kept.members(**given),
    "board": lambda cells, **given: cells.kept.board(**given),
    "why": lambda cells, **given: cells.kept.why(**given),
    "part": lambda cells, **given: cells.kept.part(**given),
}


class _Watch(progress.Watch):
    """Takes notes of a cell and shows them as events: from a thread, or, where there is none, after steps."""

    def __init__(self, show: Show) -> None:
        super().__init__()
        self.show = show
        self.shown = self.begun

    def step(self, record: Any) -> None:
        """Record a finished step."""
        super().step(record)
        if not _has_threads() and time.monotonic() - self.shown > _PERIOD:
            self.shown = time.monotonic()
            self.paint(self.view())

    def pause(self, seconds: float) -> float:
        """Return the seconds until the next event."""
        return _PERIOD if seconds < 10 else 1.0

    def paint(self, view: progress.View) -> None:
        """Show a view."""
        self.show(json.dumps({
            "kind": "progress", "step": view.steps, "states": view.states, "seconds": round(view.seconds, 2),
            "text": progress.line(view),
        }))

    def hide(self) -> None:
        """Leave the page alone, which removes the progress at the end."""


def _has_threads() -> bool:
    return sys.platform != "emscripten"


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


def _message(problem: BaseException) -> str:
    try:
        return str(problem)
    except Exception:
        return "(its message cannot be shown)"


def _error(text: str) -> Json:
    html = card(bold("error", RED), f'<pre style="margin:0;white-space:pre-wrap">{escape(text)}</pre>')
    return {"kind": "error", "text": text, "html": html}


def _place(problem: FibproverError, cell: str) -> Json:
    """Return the place of an error in its cell, if it has one."""
    if isinstance(problem, TextError) and problem.text.rstrip("; \n") == cell.rstrip("; \n"):
        return {"start": problem.start, "end": problem.end}
    return {}
