"""The playground of the site: bring Pyodide and the wheels, and put them with the page's scripts into the site.

    python -m website.playground        brings them into build/playground; needs npm and pip

`website/hooks.py` asks for the files of the site, for the page's HTML and for links from other pages into the
playground.  Where nothing was brought, the page says so, and there are no links.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from html import escape, unescape
from pathlib import Path
from urllib.parse import urlencode

from fibprover.frontends.web.files import assets, filled

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(__file__).resolve().parent / "playground.html"
BROUGHT = ROOT / "build" / "playground"

#: The version of the npm package; its Python has to be one that the wheels allow.
PYODIDE = "314.0.7"

#: The files of Pyodide that a browser loads.
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

PAGE, PLACE = "playground.md", "<!-- playground -->"

#: The pages that have one.
PAGES = (PAGE, "index.md")

_BLOCK = re.compile(r'<div class="highlight">.*?</div>', re.DOTALL)
_TAGS = re.compile(r"<[^>]+>")

_COMMAND = re.compile(r'^(def|eval|reg) [^\n]*"[;:]', re.MULTILINE)

#: What the browser has no numpy for.
_NEEDS_NUMPY = ("infer_word", "discover(", "to_numpy", "fibprover game", "fibprover infer")


def bring(target: Path = BROUGHT) -> None:
    """Bring Pyodide with npm, and the wheels of the project and of lark, into a folder."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not installed: the site will have no playground")
    shutil.rmtree(target, ignore_errors=True)
    modules = target / "npm"
    modules.mkdir(parents=True)
    run = subprocess.run
    run([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", modules, f"pyodide@{PYODIDE}"], check=True)
    (target / "pyodide").mkdir()
    for name in FILES:
        shutil.copy(modules / "node_modules" / "pyodide" / name, target / "pyodide" / name)
    quiet = ("--quiet", "--disable-pip-version-check")
    pip: list[str | Path] = [sys.executable, "-m", "pip", "wheel", *quiet, "--no-deps", "-w", target]
    run([*pip, ROOT], check=True, env=os.environ | {"FIBPROVER_PURE": "1", "FIBPROVER_THEOREMS": "0"})
    run([*pip, "lark>=1.1.9,<2"], check=True)
    wheels = sorted(file.name for file in target.glob("*.whl"))
    (target / "build.json").write_text(json.dumps({"wheels": wheels, "pyodide": PYODIDE}) + "\n")


def is_there(brought: Path = BROUGHT) -> bool:
    """Return whether everything was brought."""
    return (brought / "build.json").is_file()


def files(brought: Path = BROUGHT) -> dict[str, Path | str]:
    """Return the files of the playground, or their texts, by their places in the site."""
    if not is_there(brought):
        return {}
    build = json.loads((brought / "build.json").read_text())
    names = ["build.json", *build["wheels"], *(f"pyodide/{name}" for name in FILES)]
    scripts: dict[str, Path | str] = {f"playground/{name}": text() for name, (_, text) in assets().items()}
    return scripts | {f"playground/{name}": brought / name for name in names}


def page(markdown: str, brought: Path = BROUGHT, *, at_once: bool = True) -> str:
    """Return the page with the cells in their place, or with the reason why there are none.

    at_once: they begin when the page is opened, and not when a button is pressed.
    """
    if not is_there(brought):
        return markdown.replace(
            PLACE, "!!! note\n    This site was built without the playground: `make docs` needs npm to bring Pyodide.\n"
        )
    html = SOURCE.read_text(encoding="utf-8").replace("%%BEGIN%%", "at once" if at_once else "asked")
    return markdown.replace(PLACE, filled(html, python=True))


def link(cell: str, language: str) -> str:
    """Return the address, from a page beside it, of the playground with a cell."""
    return f"playground.html#{urlencode({'language': language, 'cell': cell})}"


def with_links(html: str, brought: Path = BROUGHT) -> str:
    """Return a page with a link "try it" after each example that the playground can run."""
    if not is_there(brought):
        return html

    def linked(match: re.Match[str]) -> str:
        cell, language = cell_of(unescape(_TAGS.sub("", match[0])))
        return f'{match[0]}<p class="try"><a href="{escape(link(cell, language))}">try it</a></p>' if cell else match[0]

    return _BLOCK.sub(linked, html)


def cell_of(example: str) -> tuple[str, str]:
    """Return the cell that an example of the documentation is in the playground, and its language; "" if it is none.

    example: command lines with `$ `, of which formulas and scripts are taken, Python with `>>> `, or a script.
    """
    if any(word in example for word in _NEEDS_NUMPY):
        return "", ""
    if example.startswith(">>> "):
        # Others continue an example before them.
        return (example.strip("\n") + "\n", "python") if "import fibprover" in example else ("", "")
    if example.startswith("$ "):
        cells = [_formula(line[2:]) for line in example.splitlines() if line.startswith("$ fibprover ")]
        return ";\n".join(filter(None, cells)), "commands"
    return (example.strip("\n") + "\n", "commands") if _COMMAND.search(example) else ("", "")


def _formula(line: str) -> str:
    """Return the formula of a command line, in its system; a script's text for `run`; "" for others."""
    words = shlex.split(line)
    if words[1] == "run" and (ROOT / words[-1]).is_file():
        return (ROOT / words[-1]).read_text(encoding="utf-8")
    if words[1] != "eval":
        return ""
    parser = argparse.ArgumentParser(exit_on_error=False)
    parser.add_argument("formula")
    parser.add_argument("--system")
    parser.add_argument("-n")
    given, others = parser.parse_known_args(words[2:])
    system = "" if given.system is None else f"?{given.system} "
    return "" if others else system + given.formula


if __name__ == "__main__":
    bring()
