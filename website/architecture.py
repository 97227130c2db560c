"""Writes the table and the picture of the packages from the import contract: `python website/architecture.py`.

The rows of docs/architecture.md and of docs/img/architecture.svg are the layers of pyproject.toml, from the top; what a
package contains is the first line of its docstring.
"""

from __future__ import annotations

import ast
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "img" / "architecture.svg"
BEGIN, END = "<!-- packages: made by website/architecture.py -->\n", "<!-- end of packages -->\n"


def layers() -> list[list[str]]:
    """Return the packages of each layer, by their folders below fibprover/, from the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    found = next(each["layers"] for each in contracts if each["name"] == "imports point one way")
    return [[name.strip(" ()").removeprefix("fibprover.") for name in layer.split("|")] for layer in found]


def summary(folder: Path) -> str:
    """Return the first line of the docstring of a package, without its full stop."""
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or ""
    return docstring.splitlines()[0].removesuffix(".")


def table() -> str:
    """Return the table: a row for each package, in the order of the layers, each followed by its own packages."""
    rows = ["| Layer | Package | Contents |", "|---|---|---|"]
    for number, names in enumerate(reversed(layers())):
        for name in names:
            home = ROOT / "fibprover" / name
            for folder in sorted(each.parent for each in home.rglob("__init__.py")):
                place = folder.relative_to(ROOT / "fibprover").as_posix()
                rows.append(f"| {number if folder == home else ''} | `{place}/` | {summary(folder)} |")
    rows[2:] = _from_the_top(rows[2:])
    return "\n".join(rows) + "\n"


def _from_the_top(rows: list[str]) -> list[str]:
    """Return the rows with the highest layer first; the rows of one layer stay in order."""
    groups: list[list[str]] = []
    for row in rows:
        if row.startswith("|  |") or (groups and row.split("|")[1] == groups[-1][0].split("|")[1]):
            groups[-1].append(row)
        else:
            groups.append([row])
    return [row for group in reversed(groups) for row in group]


#: The stations of the spine, which the picture names inside the prover.
STATIONS = ("parse", "bind", "lower", "plan", "evaluate", "verdict")

_WIDTH, _ROW, _GAP, _CHARACTER = 880, 46, 14, 6.5


def picture() -> str:
    """Return the picture: a box for each package, the packages of one layer side by side."""
    rows = layers()
    height = _GAP + len(rows) * (_ROW + _GAP) + _ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="14">',
        "<title>The packages of fibprover, those that others stand on below</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    y = _GAP
    for names in rows:
        width = (_WIDTH - _GAP * (len(names) + 1)) / len(names)
        tall = _ROW * 2 if "prover" in names else _ROW
        for place, name in enumerate(names):
            parts += _box(name, _GAP + place * (width + _GAP), y, width, tall)
        y += tall + _GAP
    return "\n".join([*parts, "</svg>"]) + "\n"


def _box(name: str, x: float, y: float, width: float, height: float) -> list[str]:
    """Return the box of a package with its name, and what it contains as far as there is room."""
    middle = x + width / 2
    said = summary(ROOT / "fibprover" / name)
    if len(said) * _CHARACTER > width:
        said = min(said.split(":")[0], said.split(",")[0], key=len)
    parts = [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="#f4f7fb" stroke="#4a6a8a"/>',
        f'<text x="{middle:g}" y="{y + 20:g}" text-anchor="middle" font-weight="bold">{name}</text>',
        f'<text x="{middle:g}" y="{y + 37:g}" text-anchor="middle" font-size="12" fill="#333">{escape(said)}</text>',
    ]
    if name == "prover":
        way = " \u2192 ".join(STATIONS)
        parts.append(f'<text x="{middle:g}" y="{y + 70:g}" text-anchor="middle" font-size="15">{way}</text>')
    return parts


def page() -> str:
    """Return the text of the page with the table as it has to be."""
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + table() + "\n" + END + after


if __name__ == "__main__":
    PAGE.write_text(page())
    PICTURE.write_text(picture())
