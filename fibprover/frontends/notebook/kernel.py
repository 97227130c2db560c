"""A Jupyter kernel with cells of commands, for notebooks of the Walnut kernel too.

It is a Python kernel that executes every cell as `%%fibprover` does, except cells that begin with another cell magic;
`%%python` begins a cell of Python, in which `session` is the session of the commands.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from ipykernel.ipkernel import IPythonKernel

from fibprover import __version__
from fibprover.base.errors import FileProblem
from fibprover.frontends.notebook.completion import completion, is_complete, meaning, name_at
from fibprover.frontends.notebook.magic import installed

#: The environment variable with Walnut's folder, as for the Walnut kernel.
HOME = "WALNUT_HOME"


class FibproverKernel(IPythonKernel):
    """The kernel; its session is in `magics`."""

    implementation = "fibprover"
    implementation_version = __version__
    banner = f"fibprover {__version__}"
    language_info = {  # noqa: RUF012  # as ipykernel declares it
        "name": "walnut", "version": __version__, "mimetype": "text/x-walnut", "file_extension": ".txt",
        "pygments_lexer": "fibprover", "codemirror_mode": "null",
    }
    help_links: list[dict[str, str]] = []  # noqa: RUF012

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        assert self.shell is not None
        home = os.environ.get(HOME, "")
        try:
            self.magics = installed(self.shell, home)
        except FileProblem as problem:
            self.log.warning("%s is not used: %s", HOME, problem)
            self.magics = installed(self.shell)

    async def do_execute(
        self, code: str, silent: bool, store_history: bool = True, user_expressions: dict[str, Any] | None = None,
        allow_stdin: bool = False, *, cell_meta: dict[str, Any] | None = None, cell_id: str | None = None,
    ) -> dict[str, Any]:
        """Execute a cell."""
        self.magics.running.user_ns["session"] = self.magics.own.session
        reply: dict[str, Any] = await super().do_execute(
            as_python(code), silent, store_history, user_expressions, allow_stdin, cell_meta=cell_meta, cell_id=cell_id
        )
        return reply

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """Return the completions at the cursor."""
        body = python_in(code)
        if body is not None:
            head = len(code) - len(body)
            found: dict[str, Any] = super().do_complete(body, max(0, cursor_pos - head))
            return found | {"cursor_start": found["cursor_start"] + head, "cursor_end": found["cursor_end"] + head}
        known = completion(code, cursor_pos, self.magics.conversation.session)
        return {
            "matches": list(known.texts), "cursor_start": known.start, "cursor_end": cursor_pos, "metadata": {},
            "status": "ok",
        }

    async def do_is_complete(self, code: str) -> dict[str, str]:
        """Return whether a console should execute the text typed so far."""
        if python_in(code) is None and not is_complete(code, self.magics.conversation.session):
            return {"status": "incomplete", "indent": ""}
        return {"status": "complete"}

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return the description of the name at the cursor."""
        body = python_in(code)
        if body is not None:
            head = len(code) - len(body)
            answer: dict[str, Any] = super().do_inspect(body, max(0, cursor_pos - head), detail_level, omit_sections)
            return answer
        said = meaning(name_at(code, cursor_pos), self.magics.conversation.session)
        data = {"text/plain": said} if said else {}
        return {"status": "ok", "found": bool(said), "data": data, "metadata": {}}


def as_python(cell: str) -> str:
    """Return the Python code for a cell."""
    body = python_in(cell)
    if body is not None:
        return body
    if cell.startswith("%%") or not cell.strip():
        return cell
    return f"%%fibprover\n{cell}"


def python_in(cell: str) -> str | None:
    """Return the Python code of a cell that begins with `%%python`, None for any other cell."""
    head, _, body = cell.partition("\n")
    return body if head.split() == ["%%python"] else None
