"""Reads what is shown: the elements, and whether they are well formed."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass, field
from html.parser import HTMLParser

#: Elements that are never closed.
VOID = {"img", "br"}

#: What may stand in an output of a notebook: nothing that runs, loads or changes the page around it.
ALLOWED = {
    "code", "details", "div", "g", "img", "li", "ol", "p", "pre", "rect", "span", "sub", "summary",
    "sup", "svg", "table", "td", "th", "title", "tr",
}


@dataclass
class Element:
    """An element with its attributes, and all text in it."""

    tag: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Reader(HTMLParser):
    """All elements of a piece of HTML in order, and its text without those of titles."""

    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        assert not [name for name, _ in attrs if name.startswith("on") or name in ("id", "href")]
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1].tag == tag, f"</{tag}> in {[element.tag for element in self.open]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data
        if not any(element.tag == "title" for element in self.open):
            self.text += data


def read(html: str) -> Reader:
    """The elements of a well formed piece of HTML."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def elements(html: str, tag: str) -> list[Element]:
    """All elements of a kind."""
    return [element for element in read(html).elements if element.tag == tag]


def images(html: str) -> list[str]:
    """The SVG documents in a piece of HTML."""
    head = "data:image/svg+xml;base64,"
    return [b64decode(image.attributes["src"].removeprefix(head)).decode() for image in elements(html, "img")]
