"""The width of every page of the site, on a desk and on a phone; they take as long as all in test_looks.py."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browser import Browser
from tests.site.built import Site, opened
from tests.site.test_site import PAGES, html_of

pytestmark = pytest.mark.browser


def width(browser: Browser) -> Any:
    return browser.run("return [document.documentElement.scrollWidth, window.innerWidth]")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_no_page_is_wider_than_the_window(browser: Browser, site: Site, phone: bool) -> None:
    if phone:
        browser.as_phone()
    too_wide = []
    for page in PAGES:
        opened(browser, site, html_of(page))
        wide, window = width(browser)
        if wide > window:
            too_wide.append((html_of(page), wide, window))
    assert too_wide == []
