"""Texts in pages of Markdown, as CommonMark, GitHub and Python-Markdown read them alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Signs where these take them for more than a character.  An `_` within a name is no more than that, nor a bracket
#: unless it follows one, as in W[i][j].
_SIGN = re.compile(r"[\\`*{#$~|]|(?<=\])[\[(]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#?\w+;)")

#: Those that get no backslash, as not all know one.
_HTML = {"<": "&lt;", "&": "&amp;", "$": "&#36;", "~": "&#126;", "|": "&#124;"}

#: What begins a quotation, a list or a reference, up to the character that gets a backslash.
_BEGIN = re.compile(r"\d{1,9}(?=[.)](?:\s|$))|(?=[>\[]|[+-][\s-]|\+$)")

#: A bar that has no backslash yet.
_BAR = re.compile(r"(?<!\\)\|")


def escaped(text: str) -> str:
    """Return a text on one line that is shown as it is; a name such as F1_G1 needs no backslash."""
    line = " ".join(text.split())
    begin = _BEGIN.match(line)
    head = line[: begin.end()] if begin else ""
    rest = _SIGN.sub(lambda sign: _HTML.get(sign[0], f"\\{sign[0]}"), line[len(head) :])
    return f"{head}\\{rest}" if begin else rest


def code(text: str) -> str:
    """Return a text as code on one line, between more backticks than it has in a row."""
    line = " ".join(text.split())
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}" if line else ""


def row_of(cells: Sequence[str]) -> str:
    """Return a row of a table of cells in Markdown, whose bars get a backslash."""
    return "| " + " | ".join(_BAR.sub(r"\\|", cell) for cell in cells) + " |"
