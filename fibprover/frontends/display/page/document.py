"""The HTML file of a page: a template, a style sheet, scripts and the content in one file.

The content is JSON inside the document; the page's script makes elements of it by `textContent`, so that no text
of a theorem is ever read as HTML.  A content security policy names the scripts and the style by their hashes: a
browser executes nothing else, and loads nothing from anywhere.
"""

from __future__ import annotations

import json
import os
import platform
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from fibprover.base.errors import FileProblem
from fibprover.base.files import begins_with, make_folder, write_text

#: The file name of a page in its folder.
FILE = "index.html"

_ASSETS = Path(__file__).parent / "assets"

#: The parts of the script, in order.
SCRIPTS = (
    "elements.js", "formula.js", "numbers.js", "automaton.js", "graph.js", "running.js", "bitmap.js",
    "board.js", "sizes.js", "names.js", "download.js", "viewer.js", "plot.js", "sheet.js", "rules.js", "play.js",
    "detail.js", "list.js", "filter.js", "main.js",
)

#: The parts of the style sheet.
STYLES = ("palette.css", "style.css", "graph.css", "play.css")

#: The mark by which a page that fibprover has made is recognized.
MARK = '<meta name="generator" content="fibprover">'


def check_folder(folder: str | Path) -> None:
    """Raise FileProblem unless a page can be written to the folder: it has no foreign page, or does not exist yet."""
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise FileProblem(f"{folder} is not a folder", hint=f"the page is a file {FILE} in a folder")
    file = place / FILE
    if os.path.exists(file) and not begins_with(file, MARK.encode(), 2000):
        raise FileProblem(f"{file} was not written by fibprover", hint="give another folder")


def write_page(content: Mapping[str, Any], folder: str | Path) -> Path:
    """Write the page into a folder, which is made if it does not exist; return the file.

    Other files of the folder stay; the page is either replaced as a whole or left as it was.  Raises FileProblem.
    """
    return write_html(lambda: document(content), folder)


def write_html(document: Callable[[], str], folder: str | Path) -> Path:
    """Write a page, which is made when the folder is known to be fit for it, as `write_page` does."""
    check_folder(folder)
    text = document()
    make_folder(folder)
    file = Path(folder) / FILE
    write_text(file, text, follow=False)
    return file


def document(content: Mapping[str, Any]) -> str:
    """Return the HTML of a page; content: see `fibprover.frontends.display.page.theorems`, `.game` and `.sheet`."""
    style, theme = "".join(map(asset, STYLES)), asset("theme.js")
    script = script_of(SCRIPTS)
    policy = (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(theme)}' '{digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "POLICY": escape(policy), "MARK": MARK, "TITLE": escape(str(content["title"])), "STYLE": style,
        "THEME": theme, "CONTENT": embedded(content), "SCRIPT": script,
    }
    pieces = asset("page.html").split("%%")
    # Every second piece is the name of a part; parts are inserted once, so their own text is not changed.
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def script_of(names: Sequence[str]) -> str:
    """Return files of the folder assets as one script; each may use the definitions of the earlier ones."""
    return '(() => {\n"use strict";\n' + "".join(map(asset, names)) + "})();\n"


def embedded(content: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return JSON that is safe inside a `script` element, with any texts."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    # A code point that is not a character, such as a lone surrogate, cannot be encoded as UTF-8.
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def digest(text: str) -> str:
    """Return the hash by which a content security policy names a script or a style."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def asset(name: str) -> str:
    """Return the text of a file of the folder assets."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def about(version: str) -> str:
    """Return a line for the foot of a page; version: of fibprover."""
    day = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    python = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return f"fibprover {version}, {python}, {day}"
