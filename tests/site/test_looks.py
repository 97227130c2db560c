"""The site in chromium, read from the disk: on a desk and on a phone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.page.browser import Browser
from tests.site.built import Site, opened

pytestmark = pytest.mark.browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  # as it is called there
        pass


@pytest.fixture
def server(site: Site) -> Iterator[str]:
    """The address of the site on a server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site.folder))) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}/"
        served.shutdown()


def test_nothing_is_loaded_from_elsewhere(browser: Browser, server: str) -> None:
    for page in ("index.html", "notebooks/paper.html", "api.html"):
        browser.visit(server + page)
        loaded = browser.run("return performance.getEntriesByType('resource').map(e => e.name)")
        assert any(what.endswith(".css") for what in loaded)
        assert [what for what in loaded if not what.startswith((server, "data:", "blob:"))] == []


def test_the_search_works_on_a_server(browser: Browser, server: str) -> None:
    browser.visit(f"{server}index.html")
    assert any("games.html" in link for link in found(browser, "Fraenkel"))


@pytest.mark.parametrize("page", ["systems.html", "notebooks/paper.html"])
def test_the_search_works_from_the_disk(browser: Browser, site: Site, page: str) -> None:
    opened(browser, site, page)
    links = found(browser, "Ostrowski")
    assert any("systems.html" in link for link in links)
    assert all(link.startswith("file:") for link in links)


def found(browser: Browser, word: str) -> Any:
    """Where the results of a search lead."""
    browser.click(".md-search__input")
    browser.type(word)
    return browser.until(
        "const found = [...document.querySelectorAll('.md-search-result__link')].map(e => e.href);"
        "return found.length ? found : null"
    )


def test_light_and_dark(browser: Browser, site: Site) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        browser.prefer(scheme)
        opened(browser, site, "index.html")
        browser.run("localStorage.clear()")
        opened(browser, site, "index.html")
        seen[scheme] = browser.colour("body", "backgroundColor")
    assert seen["light"] != seen["dark"]


def test_pictures_of_the_notebook_are_seen(browser: Browser, site: Site) -> None:
    opened(browser, site, "notebooks/paper.html")
    boxes = browser.run(
        "return [...document.querySelectorAll('.output svg, .output img')].filter(e => e.checkVisibility())"
        ".map(e => { const b = e.getBoundingClientRect(); return [b.width, b.height] })"
    )
    large = [box for box in boxes if min(box) > 100]
    assert len(large) >= 8
    assert min(browser.box("math")[2:]) > 5
