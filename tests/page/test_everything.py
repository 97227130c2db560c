"""The page of all theorems."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.page.browser import Browser
from tests.page.made import Made

MOST_BYTES = 13_000_000


@pytest.mark.long
def test_its_size(everything: Made) -> None:
    assert everything.file.stat().st_size < MOST_BYTES
    content = everything.content
    assert len(content["items"]) == len(everything.rows()) > 1200
    assert sum(automaton is None for automaton in content["automata"]) < 20


@pytest.mark.long
@pytest.mark.browser
def test_it_shows_all_of_them(shown: Callable[[Made], Browser], everything: Made) -> None:
    browser = shown(everything)
    rows = everything.rows()
    assert browser.ids() == [row["id"] for row in everything.unfolded()]
    chapters = browser.texts(".part:first-of-type .chapter-title")
    assert chapters[:3] == ["The sequences h and g", "The game K2", "The game K1"]
    browser.unfold()
    assert browser.ids() == [row["id"] for row in rows]
    browser.element("#filter input").send_keys("wythoff")
    browser.choose("#filter select:nth-of-type(2)", "longest")
    shown_rows = browser.ids()
    assert 0 < len(shown_rows) < len(rows)
    seconds = {row["id"]: row["seconds"] for row in rows}
    times = [seconds[name] for name in shown_rows]
    assert times == sorted(times, reverse=True)


@pytest.mark.long
@pytest.mark.browser
def test_every_theorem_can_be_opened(shown: Callable[[Made], Browser], everything: Made) -> None:
    """All formulas, all small figures: no script fails, and each formula is whole."""
    browser = shown(everything)
    browser.click("#notation")
    browser.run("for (const row of document.querySelectorAll('.row')) row.click()")
    formulas = browser.texts(".formula-box .formula")
    assert formulas == [item["formula"] for item in everything.content["items"]]
    browser.click("#notation")
    assert browser.count(".t-other") == 0
