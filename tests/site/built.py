"""A built site, as a reader's browser sees its files."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.page.browser import Browser

#: Attributes whose value a browser fetches by itself, or at a click.
_FETCHED = {"src", "srcset", "poster", "data"}

#: Relations of <link> that are not fetched.
_ONLY_SAID = {"canonical", "next", "prev", "edit", "alternate"}


@dataclass
class Document(HTMLParser):
    """What one page refers to.

    links: of <a>; fetched: what is loaded by itself; ids: where links may lead; images: those among what is fetched.
    """

    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and not set(given.get("rel", "").split()) & _ONLY_SAID:
            self.fetched.append(given.get("href", ""))
        self.fetched += [given[name] for name in _FETCHED if given.get(name)]
        if tag == "img":
            self.images.append(given.get("src", ""))

    handle_startendtag = handle_starttag


class Site:
    """The folder of a built site."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def documents(self) -> dict[Path, Document]:
        """All pages."""
        found = {}
        for file in sorted(self.folder.rglob("*.html")):
            found[file] = Document()
            found[file].feed(file.read_text())
        return found

    def document(self, name: str) -> Document:
        return self.documents[self.folder / name]

    def text(self, name: str) -> str:
        return (self.folder / name).read_text()

    def url(self, name: str) -> str:
        """Its address on the disk."""
        return (self.folder / name).as_uri()

    def broken(self, page: Path, link: str) -> bool:
        """Return whether a link of a page leads nowhere; those to other sites are not followed."""
        parts = urlsplit(link)
        if parts.scheme:
            return False
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            return True
        fragment = unquote(parts.fragment)
        return bool(fragment) and target.suffix == ".html" and fragment not in self.documents[target].ids


def opened(browser: Browser, site: Site, name: str) -> None:
    """Let a browser read a page from the disk."""
    browser.visit(site.url(name))
