"""Search, filters, orders, keys, light and dark, a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fibprover.frontends.cli.main import main
from tests.page.browser import Browser
from tests.page.made import Made

pytestmark = pytest.mark.browser

Show = Callable[[Made], Browser]

SEARCH = "#filter input"


def chip(value: str) -> str:
    return f'.chip[data-value="{value}"]'


def test_filters(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    rows = odd.rows()
    every = [row["id"] for row in rows]

    def shown_are(wanted: list[str]) -> None:
        assert browser.ids() == wanted
        said = f"{len(wanted)} of {len(every)} theorems" if len(wanted) < len(every) else f"{len(every)} theorems"
        assert browser.text(".count") == said

    browser.click(chip("printed"))
    assert browser.element(chip("printed")).get_attribute("aria-pressed") == "true"
    shown_are([row["id"] for row in rows if row["form"] == "printed"])
    browser.click(chip("control"))  # either of the two
    shown_are([row["id"] for row in rows if row["form"] in ("printed", "control")])
    browser.click(chip("FALSE"))  # and this
    shown_are([row["id"] for row in rows if row["form"] in ("printed", "control") and row["verdict"] is False])
    browser.click(".clear")
    assert browser.ids() == [row["id"] for row in odd.unfolded()]
    browser.unfold()
    shown_are(every)
    for value, wanted in {
        "unexpected": ["t.wrong", "t.error"], "vacuous": ["t.vacuous"], "published size": ["t.macro"],
        "skipped": ["t.long"], "ERROR": ["t.error"],
    }.items():
        browser.click(chip(value))
        assert browser.text(f"{chip(value)} .number") == str(len(wanted))
        shown_are(wanted)
        browser.click(chip(value))
    browser.choose("#filter select", "Integers")
    browser.unfold()
    shown_are(["n.line", "n.sums"])
    assert browser.run("return [...document.querySelectorAll('h2')].filter(e => e.checkVisibility()).length") == 1


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("ROW two", ["w.ones"]),  # both words, in any order, small or large
        ("$even", ["t.macro", "t.wrong"]),  # formulas
        ("counterexample", ["t.wrong", "n.sums"]),  # evidence
        ("msd_neg_2", ["n.line", "n.sums"]),  # systems
        ("<img", ["t.<b>x</b>&amp;"]),
        (".*", []),
    ],
)
def test_search(shown: Show, odd: Made, words: str, wanted: list[str]) -> None:
    browser = shown(odd)
    browser.element(SEARCH).send_keys(words)
    assert browser.ids() == wanted
    assert browser.element(".nothing").is_displayed() is (not wanted)


def test_orders(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    rows = paper.rows()
    for label, key in (("longest", "seconds"), ("most memory", "peak_bytes"), ("largest", "states_built")):
        browser.choose("#filter select:nth-of-type(2)", label)
        assert browser.ids() == [row["id"] for row in sorted(rows, key=lambda row: -(row[key] or 0))]
    browser.choose("#filter select:nth-of-type(2)", "in order")
    assert browser.ids() == [row["id"] for row in paper.unfolded()]
    browser.unfold()
    assert browser.ids() == [row["id"] for row in rows]
    assert browser.run("return [...document.querySelectorAll('.chapter')].every(e => e.querySelector('.item'))")


def test_controls_are_folded(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    assert browser.texts(".fold summary") == ["1 control: fails, as it must"]
    assert "n.sums" not in browser.ids()
    browser.click(".fold summary")
    assert "n.sums" in browser.ids()
    browser.click(".fold summary")
    browser.click(chip("control"))  # what is asked for is shown
    assert browser.ids() == ["n.sums"]
    browser.click(chip("control"))
    assert "n.sums" not in browser.ids()
    browser.element(SEARCH).send_keys("two ones")
    assert not browser.element(".fold").is_displayed()


def test_a_control_that_does_not_fail_is_not_folded(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = "import fibprover as fp\nc = fp.Chapter('T')\n" + "".join(
        f"c.theorem('{name}', '{formula}', statement='s', form='control')\n"
        for name, formula in (("one", "Ax x=1"), ("two", "Ax x=x"), ("three", "Ax x=2"), ("four", "Ax x=3"))
    )
    (tmp_path / "t.py").write_text(script)
    assert main(["prove", str(tmp_path / "t.py"), "--html", str(tmp_path)]) == 1
    capsys.readouterr()
    browser.open((tmp_path / "index.html").as_uri())
    assert browser.ids() == ["two"]
    assert browser.texts(".fold summary") == ["1 control: fails, as it must", "2 controls: fail, as they must"]
    browser.unfold()
    assert browser.ids() == ["one", "two", "three", "four"]  # in their order, which statements refer to


def test_the_address_keeps_what_is_chosen(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    browser.element(SEARCH).send_keys("even")
    browser.click(chip("TRUE"))
    browser.choose("#filter select:nth-of-type(2)", "largest")
    before = browser.ids()
    assert before
    address = browser.run("return location.href")
    browser.driver.get("about:blank")
    browser.open(address, forget=False)
    assert browser.ids() == before
    assert browser.element(SEARCH).get_attribute("value") == "even"
    assert browser.element(chip("TRUE")).get_attribute("aria-pressed") == "true"


def test_the_address_of_a_theorem(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    browser.run("location.hash = encodeURIComponent('n.sums')")
    browser.until("return document.querySelector('.item.open')?.dataset.id === 'n.sums'")
    for broken in ("%E0%A4%A", "?chapter=99&order=x&form=", "no such theorem"):
        browser.driver.get("about:blank")
        browser.open(f"{odd.url}#{broken}", forget=False)
        assert len(browser.ids()) == len(odd.unfolded())


# -- keys ----------------------------------------------------------------------------------------------------


def test_by_keys_alone(shown: Show, odd: Made) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = shown(odd)
    browser.type(Keys.TAB)
    assert browser.focused() == "To the theorems"
    assert browser.run("return document.activeElement.getBoundingClientRect().left") >= 0  # seen, now
    browser.type("/")
    assert browser.focused() == "Search"
    browser.type("words", Keys.ARROW_DOWN)
    assert browser.ids() == ["w.ones", "w.wide"]
    browser.type(Keys.ARROW_DOWN, Keys.ENTER)
    detail = f"{browser.item('w.wide')} .detail"
    assert browser.element(detail).is_displayed()
    outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    browser.type(Keys.TAB)
    assert browser.focused() == "$wide: what it means"
    browser.type(Keys.ENTER)
    browser.until("return document.getElementById('viewer').open")
    assert browser.text("#viewer-title") == "wide(x,y)"
    browser.run("document.querySelector('#viewer [role=tab]').focus()")
    browser.type(Keys.ARROW_RIGHT)
    assert browser.text("#viewer [aria-selected=true]") == "Automaton"
    browser.type(Keys.ESCAPE)
    browser.until("return !document.getElementById('viewer').open")
    assert browser.focused() == "$wide: what it means"
    browser.type("/", Keys.ESCAPE)
    assert len(browser.ids()) == len(odd.unfolded())
    assert browser.focused() == "Search"


def test_the_rows_are_one_stop_for_tab(shown: Show, paper: Made) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = shown(paper)
    assert browser.count(".row[tabindex='0']") == 1
    browser.run("document.querySelector('.row').focus()")
    browser.type(Keys.END)
    last = browser.run("return document.activeElement.closest('.item').dataset.id")
    assert last == paper.unfolded()[-1]["id"]  # what is folded is passed over
    browser.type("k", Keys.ARROW_UP, "j")
    assert browser.run("return document.activeElement.closest('.item').dataset.id") == paper.unfolded()[-2]["id"]
    browser.unfold()
    browser.type(Keys.END)
    assert browser.run("return document.activeElement.closest('.item').dataset.id") == paper.rows()[-1]["id"]
    browser.type(Keys.HOME)
    assert browser.run("return document.activeElement.closest('.item').dataset.id") == paper.rows()[0]["id"]
    assert browser.count(".row[tabindex='0']") == 1


def test_everything_to_press_has_a_name(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    browser.look_at("K2.stable", "P")
    nameless = browser.run(
        "return [...document.querySelectorAll('button, input, select, canvas.board, [role=img]')]"
        ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim())).map(e => e.outerHTML)"
    )
    assert nameless == []
    ids = browser.run("return [...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    controls = "return [...document.querySelectorAll('[aria-controls]')].map(e => e.getAttribute('aria-controls'))"
    assert set(browser.run(controls)) <= set(ids)


# -- light and dark ------------------------------------------------------------------------------------------


def lightness(colour: str) -> float:
    """The mean of the channels of rgb(...)."""
    channels = [float(part) for part in colour.split("(")[1].rstrip(")").split(",")[:3]]
    return sum(channels) / 3


def test_light_and_dark(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    assert lightness(browser.colour("html", "backgroundColor")) > 200 > 60 > lightness(browser.colour("html", "color"))
    assert browser.text("#theme") == "Dark"
    browser.click("#theme")
    assert lightness(browser.colour("html", "backgroundColor")) < 60 < 200 < lightness(browser.colour("html", "color"))
    assert (browser.text("#theme"), browser.element("#theme").get_attribute("aria-pressed")) == ("Light", "true")
    # A reload stays in one process of the browser: another one may read the storage before this one has written it.
    browser.driver.refresh()
    browser.until("return document.documentElement.dataset.ready === 'true'")
    assert browser.run("return document.documentElement.dataset.theme") == "dark"  # remembered


def test_as_the_system_has_it(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    browser.prefer("dark")
    browser.until("return document.documentElement.dataset.theme === 'dark'")  # at once, without a reload
    browser.open(odd.url)
    assert browser.run("return document.documentElement.dataset.theme") == "dark"
    browser.click("#theme")
    assert browser.run("return document.documentElement.dataset.theme") == "light"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_stand_out(shown: Show, odd: Made, theme: str) -> None:
    """At least 4.5 : 1 (WCAG 2.1, 1.4.3) for the inks on the ground."""
    browser = shown(odd)
    browser.prefer(theme)
    browser.until("return document.documentElement.dataset.theme === arguments[0]", theme)
    names = ["ink", "soft", "accent", "good", "bad", "warn"]
    inks = browser.run(
        "const s = getComputedStyle(document.documentElement);"
        "return arguments[0].map(n => s.getPropertyValue('--' + n).trim())", [*names, "paper", "faint"],
    )
    *inks, paper, faint = inks
    for name, ink in zip(names, inks, strict=True):
        assert contrast(ink, paper) >= 4.5, name
        assert contrast(ink, faint) >= 4.4, name


def contrast(one: str, other: str) -> float:
    """The ratio of the relative luminances of two colours #rrggbb."""
    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# -- a phone -------------------------------------------------------------------------------------------------


def test_on_a_phone(browser: Browser, paper: Made) -> None:
    browser.as_phone()
    browser.open(paper.url)

    def fits() -> bool:
        return bool(browser.run("return document.documentElement.scrollWidth <= innerWidth"))

    assert browser.run("return innerWidth") == 390 and fits()
    detail = browser.opened("K3.stable.printed")
    assert fits()
    left, _, width, _ = browser.box(f"{detail} .formula-box")
    assert 0 <= left < left + width <= 390
    assert not browser.run("return document.querySelector('.key').open")  # the list comes soon
    browser.click(f"{detail} .card")
    browser.until("return document.getElementById('viewer').open")
    assert browser.box("#viewer") == (0, 0, 390, 844)
    small = browser.run(
        "return [...document.querySelectorAll('.chip, .switches button, #viewer [role=tab], #viewer .tools button')]"
        ".map(e => e.getBoundingClientRect().height).filter(h => h < 32)"
    )
    assert small == []
