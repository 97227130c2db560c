"""The hooks of the site: functions that mkdocs calls by their names (see mkdocs.yml).

- Sheets of words, decisions, and pages that mkdocs.yml does not place, are added to the navigation.
- The notebook of the paper is executed and becomes a page with its outputs.
- Links that lead out of docs/ lead to pages that show the files.
- The playground gets its files, also on the first page, and the tour's examples lead there.
- Sheets of words have drawings; the first page has a board on which a game is played, the atlas a page of cards.
- The site has the colours of the other pages, and names of games are printed as there.
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

from fibprover.frontends.display.page.document import asset
from website import executed, live, outside, playground, typeset

HERE = Path(__file__).resolve().parent

#: Notebooks of docs/ and the pages made of them.
NOTEBOOKS = {"notebooks/paper.ipynb": "notebooks/paper.md"}

#: Files of the site that are not in docs/.
ASSETS = ("fibprover.css", "disk_search.js", "site.js")

#: How much a page counts in the search, by the beginning of its file's name: guides come first; others have 1.
BOOSTS = {"decisions/": 0.2, "words/": 0.5, "notebooks/": 0.7, "api.md": 0.5}

#: The same of pages that explain.
GUIDE = 3.0

#: The parts of the navigation whose pages are guides.
GUIDES = ("Start", "Language", "Programs", "Games and words")

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
    config.extra["guides"] = [
        leaf for part in config.nav for name in GUIDES if name in part for leaf in _leaves(part[name])
    ]
    decisions = [f"decisions/{file.name}" for file in sorted((docs / "decisions").glob("*.md"))]
    others = [file.name for file in sorted(docs.glob("*.md")) if file.name not in placed]
    words = [f"words/{file.name}" for file in sorted((docs / "words").glob("*.md"), key=_index_first)]
    if words:
        config.nav.append({"Sheets of words": words})
    config.nav.append({"Decisions": decisions})
    if others:
        config.nav.append({"More": others})
    config.extra.setdefault("polyfills", []).append("assets/disk_search.js")
    config.extra_javascript.append("assets/site.js")
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
    # The colours of the other pages, which the theme calls dark by another name.
    palette = asset("palette.css").replace('[data-theme="dark"]', '[data-theme="dark"], [data-md-color-scheme="slate"]')
    files.append(File.generated(config, "assets/palette.css", content=palette))
    for name in ASSETS:
        files.append(File.generated(config, f"assets/{name}", content=(HERE / name).read_text()))
    for name, text in live.pages(root).items():
        files.append(File.generated(config, name, content=text))
    for word, (svg, _) in _pictures(config, files).items():
        files.append(File.generated(config, f"words/{word}.svg", content=svg))
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


def _pictures(config: MkDocsConfig, files: Files) -> dict[str, tuple[str, str]]:
    """Return the drawings of words that have a sheet, with a sentence about each."""
    pictures: dict[str, tuple[str, str]] = config.extra.setdefault("pictures", {})
    for file in files.documentation_pages():
        if file.src_uri.startswith("words/"):
            name = Path(file.src_uri).stem
            found = None if name == "index" else live.picture_of_word(name)
            if found is not None:
                pictures[name] = found
    return pictures


def _outputs(config: MkDocsConfig) -> dict[str, dict[str, str]]:
    """Return the HTML of outputs by page and by the placeholder it replaces."""
    found: dict[str, dict[str, str]] = config.extra.setdefault("outputs", {})
    return found


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make links to notebooks and to files outside docs/ lead to their pages."""
    here = page.file.src_uri
    if here.startswith(outside.FOLDER):
        return markdown
    boost = next((value for begin, value in BOOSTS.items() if here.startswith(begin)), 1.0)
    page.meta["search"] = {"boost": GUIDE if here in config.extra["guides"] else boost}
    if here in playground.PAGES:
        markdown = playground.page(markdown, at_once=here == playground.PAGE)
    for place, html in live.PLACES.items():
        markdown = markdown.replace(place, html)
    if here == "index.md":
        page.meta["hide"] = ["toc"]
    picture = config.extra["pictures"].get(Path(here).stem) if here.startswith("words/") else None
    if picture is not None:
        before, head, rest = markdown.partition("\n## ")
        drawing = f"![{picture[1]}]({Path(here).stem}.svg)\n\n{picture[1]}\n{{: .caption }}\n"
        markdown = f"{before}\n{drawing}{head}{rest}"
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
    return typeset.accessible(typeset.titled(typeset.typeset(output)))


def on_post_build(config: MkDocsConfig) -> None:
    """Write the search index as a script as well, which a page can load without a server."""
    folder = Path(config.site_dir) / "search"
    index = json.loads((folder / "search_index.json").read_text())
    (folder / "search_index.js").write_text(f"var __index = {json.dumps(index)};{os.linesep}")
