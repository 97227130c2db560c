"""The design of the site: its colours, what is drawn and played on it, how it is searched, and the mended theme."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from fibprover.frontends.display.page.document import asset
from tests.page.browser import Browser
from tests.site.built import Site, opened
from tests.site.test_looks import server
from website import live, typeset

__all__ = ["server"]

#: Pairs of the palette that are text and what is below it, on the site and on pages.
TEXTS = ("ink", "soft", "accent", "good", "bad", "warn")
GROUNDS = ("paper", "raised", "faint")


def colours(palette: str, scheme: str) -> dict[str, str]:
    """The colours of a scheme."""
    light, dark = re.findall(r"\{([^}]*)\}", re.sub(r"/\*.*?\*/", "", palette, flags=re.DOTALL))
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", light))
    return found | (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", dark)) if scheme == "dark" else {})


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.2, of two colours such as #1d1b18."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_contrast(scheme: str) -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    palette = colours(asset("palette.css"), scheme)
    pairs = {(text, ground): contrast(palette[text], palette[ground]) for text in TEXTS for ground in GROUNDS}
    assert {pair: ratio for pair, ratio in pairs.items() if ratio < 4.5} == {}


def test_the_cards_of_the_atlas_have_the_colours_of_pages() -> None:
    cards = asset("atlas.css")
    for scheme, text in (("light", cards), ("dark", cards.partition("@media")[2])):
        theirs, ours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", text)), colours(asset("palette.css"), scheme)
        names = ("paper", "raised", "ink", "soft", "rule", "accent", "good", "bad")
        if scheme == "light":
            theirs = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", cards.partition("@media")[0]))
        assert {name: theirs[name] for name in names} == {name: ours[name] for name in names}


def test_the_theme_has_them(site: Site) -> None:
    assert '[data-md-color-scheme="slate"]' in site.text("assets/palette.css")
    style = site.text("assets/fibprover.css")
    used = set(re.findall(r"var\(--(\w+)\)", style)) - {"serif", "mono"}
    assert used <= set(colours(asset("palette.css"), "light")) | {"serif", "mono"}
    assert not re.search(r":[^;]*#[0-9a-f]{3,6}\b", re.sub(r"\[style\*=\"[^\"]*\"\]|background: #fff", "", style))


def test_the_first_page_has_a_game_and_the_playground(site: Site) -> None:
    page = site.text("index.html")
    assert f'src="{live.GAME_PAGE}"' in page and "<!--" not in page.partition("<article")[2].partition("</article")[0]
    game = site.text(live.GAME_PAGE)
    assert "PROVED" in game and '"play"' in game
    assert 'data-begin="asked"' in page or "npm" in page
    assert 'data-begin="at once"' in site.text("playground.html") or "npm" in site.text("playground.html")


def test_the_atlas_has_cards_with_boards_and_automata(site: Site) -> None:
    assert live.ATLAS_PAGE in site.document("atlas.html").links
    cards = site.text(live.ATLAS_PAGE)
    assert cards.count('<article class="card"') > 150
    assert cards.count("<summary>Automaton, ") > 40 and ' style="' not in cards  # its policy forbids that
    assert re.search(r"<h3><a[^>]*>K<sup>\d</sup>", cards)
    assert "K^2" not in re.sub(r"<code>.*?</code>|<svg[^>]*>|<img[^>]*>|<script.*", "", cards, flags=re.DOTALL)


def test_sheets_of_words_have_a_drawing(site: Site) -> None:
    for name in ("F", "T", "pascal"):
        assert f"words/{name}.svg" in {f"words/{image}" for image in site.document(f"words/{name}.html").images}
        drawn = site.text(f"words/{name}.svg")
        assert drawn.startswith("<svg") and "</svg>" in drawn
    states = site.text("words/F.svg").count('<g class="node">')
    assert states == 2


def test_guides_count_more_in_the_search(site: Site) -> None:
    index = json.loads(site.text("search/search_index.json"))["docs"]
    boosts = {each["location"]: each.get("boost", 1) for each in index}
    assert boosts["tour.html"] > 1 > boosts["words/F.html"] > 0
    assert boosts["tour.html"] > boosts["api.html"] > boosts["decisions/0001-arrays-are-memoryviews.html"]


def test_names_of_games_are_typeset(site: Site) -> None:
    page = site.text("terminal.html")
    assert "<title>The games K¹ to K⁵⁰" in page and "K<sup>50</sup>" in page
    text = re.sub(r"<(script|style|svg|code|pre)\b.*?</\1>|<[^>]+>", "", page, flags=re.DOTALL)
    assert not re.search(r"\bK\^\d", text)


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<p>K^2 and W^k</p>", "<p>K<sup>2</sup> and W<sup>k</sup></p>"),
        ("<code>K^2</code> <a href='K^2'>", "<code>K^2</code> <a href='K^2'>"),
        ("<pre><b>K^2</b></pre>K^10", "<pre><b>K^2</b></pre>K<sup>10</sup>"),
        ("AB^2 x^2 K^22a K^ab", "AB^2 x^2 K^22a K^ab"),
        ("<!-- K^2 --><title>K^2</title>", "<!-- K^2 --><title>K^2</title>"),
    ],
)
def test_only_names_in_texts_are_raised(html: str, shown: str) -> None:
    assert typeset.typeset(html) == shown


def test_lists_of_the_theme_have_different_names() -> None:
    html = (
        '<label id="__nav_1_label"><span>Start</span></label>'
        '<nav class="md-nav" data-md-level="1" aria-labelledby="__nav_1_label">'
        '<nav class="md-nav" aria-label=" Verdict"><nav class="md-nav" aria-label=" Verdict"><th align="right"></th>'
    )
    found = typeset.accessible(html)
    assert re.findall(r'aria-label="([^"]*)"', found) == [
        "Pages and sections: Start", "Pages and sections: Verdict", "Pages and sections: Verdict (2)",
    ]
    assert '<td align="right"></td>' in found


# -- in a browser ----------------------------------------------------------------------------------------

#: A file of the npm package axe-core, which is not installed with anything here.
AXE = os.environ.get("FIBPROVER_AXE", "")


@pytest.mark.browser
@pytest.mark.skipif(not AXE, reason="FIBPROVER_AXE does not name the file axe.min.js of the npm package axe-core")
@pytest.mark.parametrize(
    "page", ["index", "tour", "atlas", "words/F", "api", "notebooks/paper", "live/atlas", "live/wythoff"]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, site: Site, page: str, scheme: str) -> None:
    browser.prefer(scheme)
    opened(browser, site, f"{page}.html")
    browser.run("localStorage.clear()")
    opened(browser, site, f"{page}.html")
    browser.driver.set_script_timeout(120)
    browser.run(Path(AXE).read_text())
    found = browser.driver.execute_async_script(
        "setTimeout(() => axe.run(document, {preload: false}).then(arguments[0]), 600)"
    )
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found["violations"]] == []


@pytest.mark.browser
@pytest.mark.parametrize(("asked", "first"), [("Ostrowski", "systems.html"), ("prompt", "prompt.html")])
def test_guides_are_found_first(browser: Browser, site: Site, asked: str, first: str) -> None:
    opened(browser, site, "index.html")
    browser.click(".md-search__input")
    browser.type(asked)
    links = browser.until(
        "const found = [...document.querySelectorAll('.md-search-result__link')].map(e => e.href);"
        "return found.length > 2 ? found : null"
    )
    assert first in links[0]


@pytest.mark.browser
def test_the_game_of_the_first_page_is_seen_and_played(browser: Browser, server: str) -> None:
    browser.visit(f"{server}index.html")
    browser.run("document.querySelector('iframe.live').scrollIntoView()")
    browser.until("return !!document.querySelector('iframe.live').contentDocument?.querySelector('.play')")
    browser.until(
        "const frame = document.querySelector('iframe.live'), play = frame.contentDocument.querySelector('.play');"
        "const top = play.getBoundingClientRect().top; return top >= 0 && top < 60"
    )
    script = "return document.querySelector('iframe.live').contentDocument.querySelectorAll('.play svg').length"
    assert browser.run(script) > 0


@pytest.mark.browser
def test_boxes_that_scroll_are_reached_by_keys(browser: Browser, site: Site) -> None:
    browser.as_phone()
    opened(browser, site, "atlas.html")
    browser.until("return [...document.querySelectorAll('.md-typeset__scrollwrap')].some(e => e.tabIndex === 0)")
    assert browser.run(
        "return [...document.querySelectorAll('.md-typeset__scrollwrap')]"
        ".filter(e => e.scrollWidth > e.clientWidth && e.tabIndex !== 0).length"
    ) == 0
