"""Executes a notebook and writes it as a page: texts, cells and their outputs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from latex2mathml.converter import convert
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

#: The time limit of a cell, in seconds.
_MOST_SECONDS = 120

_MATH = re.compile(r"\$([^$\n]+(?:\n[^$\n]+)?)\$")
_CODE = re.compile(r"(`[^`\n]+`)")


class Failed(Exception):
    """A cell raised an exception."""


def page(notebook: Path, root: Path) -> tuple[str, dict[str, str]]:
    """Return the text of the page, and the HTML of outputs by their placeholders in the text.

    root: the folder of the package, so that the notebook does not import an installed one.
    """
    done = _run(notebook, root)
    pieces = []
    shown: dict[str, str] = {}
    for cell in done.cells:
        if cell.cell_type == "markdown":
            pieces.append(_with_math(cell.source))
            continue
        language = "text" if cell.source.startswith("%%fibprover") else "python"
        pieces.append(f"```{language}\n{cell.source}\n```")
        outputs = "".join(_outputs(cell))
        if outputs:
            pieces.append(_placeholder(shown, f'<div class="output">{outputs}</div>'))
    pieces.append(f"[This notebook as a file]({notebook.name}), without outputs.")
    return "\n\n".join(pieces) + "\n", shown


def _run(notebook: Path, root: Path) -> Any:
    """Return the notebook with its outputs, without reading or writing the user's Jupyter settings."""
    done = nbformat.read(notebook, as_version=4)
    with TemporaryDirectory() as folder:
        client = NotebookClient(
            done, timeout=_MOST_SECONDS, kernel_name="python3", resources={"metadata": {"path": str(notebook.parent)}}
        )
        path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH", "")]))
        environment = os.environ | {"IPYTHONDIR": folder, "JUPYTER_RUNTIME_DIR": folder, "PYTHONPATH": path}
        with (Path(folder) / "log").open("w") as log:
            try:
                client.execute(env=environment, stdout=log, stderr=log)
            except CellExecutionError as error:
                raise Failed(str(error)) from None
    return done


def _placeholder(shown: dict[str, str], html: str) -> str:
    """Return a placeholder for HTML that must not go through Markdown."""
    name = f'<div id="output-{len(shown) + 1}"></div>'
    shown[name] = html
    return name


def _outputs(cell: Any) -> Iterator[str]:
    for output in cell.outputs:
        if output.output_type == "stream":
            yield f"<pre>{escape(output.text)}</pre>"
            continue
        data = output.get("data", {})
        if "text/html" in data:
            yield f"<div>{data['text/html']}</div>"
        elif "image/svg+xml" in data:
            yield f"<div>{data['image/svg+xml']}</div>"
        elif "text/plain" in data:
            yield f"<pre>{escape(data['text/plain'])}</pre>"


def _with_math(text: str) -> str:
    """Return the text with its formulas as MathML, which browsers draw without a library.

    At the beginning of a line, Markdown reads <math> as a block, but not <span>.
    """
    parts = _CODE.split(text)
    for i in range(0, len(parts), 2):
        parts[i] = _MATH.sub(lambda match: f"<span>{convert(match[1])}</span>", parts[i])
    return "".join(parts)
