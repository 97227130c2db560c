"""The page of a word: what it is made of, and what a reader sees."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.frontends.display.page.document import write_page
from fibprover.frontends.display.page.sheet import compared, content
from tests.page.browser import PHONE, Browser
from tests.page.made import content_of

IDS = ("complexity", "squares", "cubes", "square-orders", "critical-exponent")


@pytest.fixture(scope="module")
def sheet() -> fp.Sheet:
    return fp.study("T", only=IDS)


@pytest.fixture(scope="module")
def file(sheet: fp.Sheet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(content(sheet, "0"), tmp_path_factory.mktemp("sheet"))


def test_items_are_the_lines(sheet: fp.Sheet, file: Path) -> None:
    found = content_of(file)
    assert [item["id"] for item in found["items"]] == [line.id for line in sheet.lines]
    assert [group["title"] for group in found["groups"]] == ["Factors", "Repetitions"]
    for item, line in zip(found["items"], sheet.lines, strict=True):
        assert (item["label"], item["formula"]) == (line.status.upper(), line.formula)
        assert line.value in (item["value"], item["example"])
        assert item["script"] == sheet.to_script(line.id)
        assert ("defines" in item) == (line.kind != "claim")
    (word,) = found["words"]
    assert word["prefix"] == [n.bit_count() % 2 for n in range(len(word["prefix"]))]
    assert {entry["name"] for entry in found["names"]} >= {"T", "feq_T", "per_T", "critical_exponent"}


def test_plots(file: Path) -> None:
    """Of a sequence, a set and a supremum, against counting in a prefix."""
    plots = {item["id"]: item["plot"] for item in content_of(file)["items"]}
    word = [n.bit_count() % 2 for n in range(4000)]
    counts = [len({tuple(word[i : i + n]) for i in range(1000)}) for n in range(20)]
    assert plots["complexity"]["terms"][:20] == counts and len(plots["complexity"]["terms"]) == 64
    assert plots["square-orders"]["terms"] == [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48]
    longest = plots["critical-exponent"]["terms"]
    for p in range(1, 9):
        runs, length = 0, 0
        for i in range(3000):
            length = length + 1 if word[i] == word[i + p] else 0
            runs = max(runs, length)
        assert longest[p] == runs + p
    assert plots["squares"] is None


def test_a_set_that_is_listed_has_no_plot() -> None:
    """Nor one that has all numbers but some, nor a sequence that is constant; any other has one."""
    ids = ["letter-0-gaps", "letter-1-frequency", "abelian-square-orders", "square-orders", "balance-0", "left-special"]
    plots = {item["id"]: item["plot"] for item in content(fp.study("F", only=ids), "0")["items"]}
    assert {name for name, plot in plots.items() if plot is not None} == {"square-orders"}


def test_two_words_with_the_factors_that_both_have() -> None:
    """The line of these factors is in neither sheet, and no script."""
    one, two = (fp.study(word, only=["squares"]) for word in ("F", "0->01, 1->10"))
    items = {item["id"]: item for item in compared(one.beside(two), "0")["items"]}
    assert len(items) == 2 and [side["script"] for side in items["common-factors"]["sides"]] == ["", ""]
    assert items["squares"]["sides"][0]["script"] == one.to_script("squares")


@pytest.mark.parametrize("family", ["sturmian", "0->01,1->10 | 0->01,1->00"])
def test_a_family_has_no_letters_of_its_own(family: str) -> None:
    found = content(fp.study(family, only=["letter-0"]), "0")
    assert found["words"][0]["prefix"] == [] and [item["id"] for item in found["items"]] == ["letter-0"]


@pytest.mark.long
def test_fluctuations(tmp_path: Path) -> None:
    """Of A006046, the odd binomial coefficients in the first n rows: a(2^k) = 3^k."""
    text = "a(0)=0, a(1)=1, a(2n)=3*a(n), a(2n+1)=2*a(n)+a(n+1)"
    sheet = fp.study(text, only=["growth", "recursion"], limits=fp.Limits())
    made = write_page(content(sheet, "0"), tmp_path)
    plots = {item["id"]: item["plot"] for item in content_of(made)["items"]}
    plot = plots["growth"]
    assert (plot["first"], plot["last"]) == (2048, 4096) and plot["said"].startswith("Plot, not proved: a(n)/n^1.585")
    assert plots["recursion"] is None and 256 <= len(plot["terms"]) <= 512
    assert plot["terms"][0] == [2048, 1.0]
    exponent = sheet["growth"].exponent
    assert exponent is not None
    assert all(height == float(f"{float(sheet.sequence[n]) / n**exponent:.6g}") for n, height in plot["terms"])


@pytest.mark.browser
def test_reading(browser: Browser, sheet: fp.Sheet, file: Path) -> None:
    browser.open(file.as_uri())
    assert browser.ids() == [line.id for line in sheet.lines]
    assert browser.texts(".row > .verdict") == [line.status.upper() for line in sheet.lines]
    assert browser.count(".word-head .letter") == 240
    detail = browser.opened("complexity")
    assert browser.count(f"{detail} svg.plot circle") == 64
    assert browser.text(f"{detail} svg.plot > title").startswith("The number of factors")
    browser.look_at("square-orders", "square_orders")
    browser.tab("Automaton")
    assert browser.count("#viewer svg.graph circle") > 0
    browser.click("#viewer .close")
    browser.click(".sections a[href='#section-1']")
    assert browser.run("return document.activeElement.id") == "section-1"


@pytest.mark.browser
def test_a_phone_in_the_dark(browser: Browser, file: Path) -> None:
    browser.as_phone()
    browser.prefer("dark")
    browser.open(f"{file.as_uri()}#critical-exponent")
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    left, _, width, _ = browser.box(".detail svg.plot")
    assert left >= 0 and left + width <= PHONE[0]
    paper, ink = browser.colour("html", "backgroundColor"), browser.colour("svg.plot .mark", "fill")
    assert paper == "rgb(22, 23, 26)" and ink == "rgb(127, 169, 245)"


@pytest.mark.browser
def test_a_sequence_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    values = [-3 * n if n % 2 else 5 * n for n in range(80)]
    sheet = fp.study(terms=values, systems=["msd_2"], only=["recursion"])
    browser.as_phone()
    browser.open(write_page(content(sheet, "0"), tmp_path).as_uri())
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    assert browser.count(".found.equations > span") == len(sheet["recursion"].value.split(", "))
    detail = browser.opened("sequence")
    assert browser.count(f"{detail} .matrix") == 4
    heights = f"return [...document.querySelectorAll('{detail} circle')].map(e => Number(e.getAttribute('cy')))"
    tops = browser.run(heights)
    assert all((a < b) == (values[n] > values[n + 1]) for n, (a, b) in enumerate(pairwise(tops)))
