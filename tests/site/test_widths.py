"""The width of every page of the site, on a desk and on a phone, which take longer than all in test_looks.py."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browser import Browser
from tests.site.built import Site, opened
from tests.site.test_site import PAGES, html_of

pytestmark = pytest.mark.browser


def width(browser: Browser) -> Any:
    return browser.run("return [document.documentElement.scrollWidth, window.innerWidth]")


def test_no_page_is_wider_than_the_window(browser: Browser, site: Site) -> None:
    too_wide = []
    for page in PAGES:
        browser.as_desk()
        opened(browser, site, html_of(page))
        for screen in (browser.as_desk, browser.as_phone):
            screen()
            wide, window = width(browser)
            if wide > window:
                too_wide.append((html_of(page), screen.__name__, wide, window))
    assert too_wide == []
