"""The hooks of the site: functions that mkdocs calls by their names (see mkdocs.yml).

- Sheets of words, decisions, and pages that mkdocs.yml does not place, are added to the navigation.
- The notebook of the paper is executed and becomes a page with its outputs.
- Links that lead out of docs/ lead to pages that show the files.
- The playground gets its files, and the tour's examples lead there.
- The site can be read and searched without a server.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from website import executed, outside, playground

HERE = Path(__file__).resolve().parent

#: Notebooks of docs/ and the pages made of them.
NOTEBOOKS = {"notebooks/paper.ipynb": "notebooks/paper.md"}

#: Files of the site that are not in docs/.
ASSETS = ("fibprover.css", "disk_search.js")

#: Pages whose examples lead into the playground.
WITH_LINKS = ("tour.md",)

_NAMED = re.compile(r"\[((?:[\w./-]*/)?[\w-]+\.(?:md|ipynb))\]\(((?:[\w./-]*/)?[\w-]+\.md)(?=[)#])")
_TITLE = re.compile(r"# (.*)")

#: A cell of a table: Python-Markdown leaves the backslash in code there, which other programs need.
_CELL = re.compile(r"<td\b.*?</td>", re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Complete the navigation, and let pages search without a server."""
    docs = Path(config.docs_dir)
    assert config.nav is not None
    placed = set(_leaves(config.nav))
    decisions = [f"decisions/{file.name}" for file in sorted((docs / "decisions").glob("*.md"))]
    others = [file.name for file in sorted(docs.glob("*.md")) if file.name not in placed]
    words = [f"words/{file.name}" for file in sorted((docs / "words").glob("*.md"), key=_index_first)]
    if words:
        config.nav.append({"Sheets of words": words})
    config.nav.append({"Decisions": decisions})
    if others:
        config.nav.append({"More": others})
    config.extra.setdefault("polyfills", []).append("assets/disk_search.js")
    return config


def _index_first(file: Path) -> tuple[bool, str]:
    return file.stem != "index", file.stem.lower()


def _leaves(nav: Any) -> list[str]:
    """Return the files that a navigation names."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [leaf for part in parts for leaf in _leaves(part)]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages made of notebooks and of files outside docs/."""
    root = Path(config.config_file_path).parent
    for name in ASSETS:
        files.append(File.generated(config, f"assets/{name}", content=(HERE / name).read_text()))
    for notebook, page in NOTEBOOKS.items():
        try:
            text, shown = executed.page(Path(config.docs_dir) / notebook, root)
        except executed.Failed as failure:
            raise PluginError(f"{notebook}: {failure}") from failure
        files.append(File.generated(config, page, content=text))
        _outputs(config)[page] = shown
    for name, source in playground.files().items():
        if isinstance(source, Path):
            files.append(File.generated(config, name, abs_src_path=str(source)))
        else:
            files.append(File.generated(config, name, content=source))
    for name, text in outside.pages(Path(config.docs_dir), root):
        files.append(File.generated(config, name, content=text))
    return files


def _outputs(config: MkDocsConfig) -> dict[str, dict[str, str]]:
    """Return the HTML of outputs by page and by the placeholder it replaces."""
    found: dict[str, dict[str, str]] = config.extra.setdefault("outputs", {})
    return found


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make links to notebooks and to files outside docs/ lead to their pages."""
    here = page.file.src_uri
    if here.startswith(outside.FOLDER):
        return markdown
    if here == playground.PAGE:
        markdown = playground.page(markdown)
    for notebook, made in NOTEBOOKS.items():
        if here != made:
            markdown = markdown.replace(f"]({notebook})", f"]({made})")
    return outside.with_page_links(_with_titles(markdown, files, here), here)


def _with_titles(markdown: str, files: Files, here: str) -> str:
    """Replace link texts that are names of files by the titles of those pages."""

    def titled(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), match[2]))
        file = files.get_file_from_path(path)
        title = None if file is None else _TITLE.match(file.content_string)
        return match[0] if title is None else f"[{title[1]}]({match[2]}"

    return _NAMED.sub(titled, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Add links into the playground to the examples of the tour; signs in code of tables are as they were meant."""
    html = _CELL.sub(lambda cell: cell[0].replace("\\|", "|"), html)
    return playground.with_links(html) if page.file.src_uri in WITH_LINKS else html


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Replace the placeholders of a notebook by its outputs, after the search index is made, which omits them."""
    for place, shown in _outputs(config).get(page.file.src_uri, {}).items():
        if output.count(place) != 1:
            raise PluginError(f"{page.file.src_uri} has lost an output: {place}")
        output = output.replace(place, shown)
    return output


def on_post_build(config: MkDocsConfig) -> None:
    """Write the search index as a script as well, which a page can load without a server."""
    folder = Path(config.site_dir) / "search"
    index = json.loads((folder / "search_index.json").read_text())
    (folder / "search_index.js").write_text(f"var __index = {json.dumps(index)};{os.linesep}")
