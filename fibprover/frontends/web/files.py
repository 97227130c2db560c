"""The files of the page: those in the folder assets, and the scripts that pages of reports have as well."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

from fibprover.frontends.display.page.document import asset as page_asset
from fibprover.frontends.display.page.document import embedded
from fibprover.frontends.web.examples import EXAMPLES, about

_ASSETS = Path(__file__).resolve().parent / "assets"

_JAVASCRIPT = "text/javascript"

#: Files of the pages of reports that are parts of files here: of one module, of which the page uses some names, and of
#: the style.
_SHARED = ("elements.js", "automaton.js", "graph.js", "running.js", "download.js")
_USED = (
    "make", "plural", "drawnGraph", "unpackedAutomaton", "runnerElement", "downloadButtons", "svgOf", "pngOf", "tikzOf",
    "blobOf", "csvOf",
)
_STYLES = ("palette.css", "graph.css")

#: The modules in the folder.
_MODULES = (
    "page.js", "cell.js", "figure.js", "editor.js", "highlighting.js", "codemirror.js", "engine_here.js",
    "engine_in_browser.js", "kept.js", "why.js", "worker.js",
)


def asset(name: str) -> str:
    """Return the text of a file of the folder assets."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def page(*, python: bool) -> str:
    """Return the HTML of the page; python: whether cells of Python are run."""
    return filled(asset("page.html"), python=python)


def filled(html: str, *, python: bool) -> str:
    """Return HTML with the examples, and what the page has to know, in their places."""
    examples = [example.as_json() for example in EXAMPLES if python or example.kind != "python"]
    parts = {"ABOUT": escape(about(python=python)), "EXAMPLES": embedded(examples)}
    pieces = html.split("%%")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def assets() -> dict[str, tuple[str, Callable[[], str]]]:
    """Return the media type and the text of each file that the page loads, by its name."""
    found: dict[str, tuple[str, Callable[[], str]]] = {name: (_JAVASCRIPT, partial(asset, name)) for name in _MODULES}
    return found | {
        "shared.js": (_JAVASCRIPT, _shared_module),
        "theme.js": (_JAVASCRIPT, partial(page_asset, "theme.js")),
        "page.css": ("text/css", lambda: "".join(map(page_asset, _STYLES)) + asset("page.css")),
    }


def _shared_module() -> str:
    return "".join(map(page_asset, _SHARED)) + f"export {{ {', '.join(_USED)} }};\n"
