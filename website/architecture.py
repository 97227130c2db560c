"""Writes the table of packages in docs/architecture.md from the import contract: `python website/architecture.py`.

The rows are the layers of pyproject.toml, from the top; what a package contains is the first line of its docstring.
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
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


def page() -> str:
    """Return the text of the page with the table as it has to be."""
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + table() + "\n" + END + after


if __name__ == "__main__":
    PAGE.write_text(page())
