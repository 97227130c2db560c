"""The page of theorems in a browser: what is shown is what the JSON of the same run says."""

from __future__ import annotations

import os
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.frontends.display.page.document import write_page
from fibprover.frontends.display.page.sheet import content
from tests.page.browser import Browser
from tests.page.made import NASTY_ID, NASTY_STATEMENT, NASTY_TITLE, Made

pytestmark = pytest.mark.browser

Show = Callable[[Made], Browser]


def plain(text: str) -> str:
    """A number as the JSON has it: groups of three figures stand apart on the page."""
    return text.replace("\u202f", "")


def test_every_row(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    rows = paper.rows()
    assert browser.ids() == [row["id"] for row in paper.unfolded()]
    browser.unfold()
    assert browser.ids() == [row["id"] for row in rows]
    browser.click("#notation")  # as typed
    assert browser.texts(".statement") == [row["statement"] for row in rows]
    assert browser.texts(".row > .verdict") == ["TRUE" if row["verdict"] else "FALSE" for row in rows]
    assert browser.texts(".row .id + .tag") == [row["form"] for row in rows]
    seconds = browser.texts(".row .bar.time .amount")
    assert seconds == [duration(row["seconds"]) for row in rows]
    assert browser.texts(".row .bar.memory .amount") == [f"{row['peak_bytes'] / 1e6:.0f} MB" for row in rows]
    sized = [f"{row['states_paper']} states published" for row in rows if row["states_paper"]]
    assert [plain(text) for text in browser.texts(".row .tag.sized")] == sized != []
    assert browser.text(".count") == f"{len(rows)} theorems"


def duration(seconds: float) -> str:
    """As elements.js has it: JavaScript rounds a half up."""
    number, places, unit = (
        (1000 * seconds, 1 if seconds < 0.00995 else 0, "ms") if seconds < 0.0995
        else (seconds, 2 if seconds < 9.95 else 1, "s")
    )
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)} {unit}"


def test_longer_bars_stand_for_more(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    browser.unfold()
    widths = browser.run("return [...document.querySelectorAll('.row .bar.time .filled')].map(e => e.clientWidth)")
    seconds = [row["seconds"] for row in paper.rows()]
    order = sorted(range(len(seconds)), key=seconds.__getitem__)
    assert [widths[i] for i in order] == sorted(widths)
    rail = browser.run("return document.querySelector('.row .bar.time .rail').clientWidth")
    assert widths[order[-1]] == rail > widths[order[0]] > 0


def test_an_open_theorem(shown: Show, paper: Made) -> None:
    """All of its formula, sizes, evidence, names; against the JSON of the run."""
    browser = shown(paper)
    row = next(row for row in paper.rows() if row["id"] == "K3.stable.printed")
    item = next(item for item in paper.content["items"] if item["id"] == row["id"])
    detail = browser.opened(row["id"])
    assert browser.element(f"{browser.item(row['id'])} .row").get_attribute("aria-expanded") == "true"
    drawn = browser.text(f"{detail} .formula-box .formula")
    assert drawn.startswith(("msd_fib ∀", "∀", "∃")) and "⇒" in drawn and "$" not in drawn and "=>" not in drawn
    browser.click("#notation")
    assert browser.text(f"{detail} .formula-box .formula") == item["formula"]
    for key in ("states_paper", "states_textbook", "states_built"):
        assert plain(browser.text(f"{detail} [data-size={key}] .amount")) == str(row[key])
    assert browser.text(f"{detail} [data-size=seconds] .amount") == duration(row["seconds"])
    assert browser.text(f"{detail} .judged") == "TRUE, as expected."
    assert browser.text(f"{detail} .origin") == f"{row['source']} · {item['place']}"
    called = {paper.content["names"][entry]["name"] for entry in item["calls"].values()}
    assert set(browser.run(
        "return [...document.querySelectorAll(arguments[0])].map(e => e.dataset.name)", f"{detail} .card"
    )) == called
    browser.click(f"{browser.item(row['id'])} .row")
    assert not browser.element(detail).is_displayed()


def test_evidence(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    found = [row for row in paper.rows() if row["evidence"]]
    assert len(found) > 10
    for row in found[:5]:
        values = ", ".join(f"{name} = {value}" for name, value in row["evidence"]["values"].items())
        detail = browser.opened(row["id"])
        assert browser.text(f"{detail} .example") == f"least {row['evidence']['kind']}: {values}"
        assert browser.text(f"{detail} .judged") == "FALSE: the control fails, as it must."


def test_what_went_wrong(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    detail = browser.opened("t.error")
    assert "no predicate is called odd" in browser.text(f"{detail} .problem")
    detail = browser.opened("t.wrong")
    assert browser.text(f"{detail} .judged") == "FALSE, expected TRUE."
    assert browser.text(f"{detail} .example") == "least counterexample: x = 1"
    assert browser.text(f"{browser.item('t.wrong')} .tag.unexpected") == "unexpected"
    detail = browser.opened("t.long")
    assert browser.text(f"{detail} .judged") == "Not tried: it takes long (--long)."
    browser.click(".remarks summary")
    assert any("t.wrong is FALSE, expected TRUE" in text for text in browser.texts(".remarks li"))


def test_what_says_nothing_is_marked_in_its_formula(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    detail = browser.opened("t.vacuous")
    assert browser.text(f"{detail} .judged") == "TRUE, as expected; vacuous."
    assert browser.text(f"{detail} mark.vacuous") == "m>n"
    assert "could be anything" in browser.text(f"{detail} .parts .vacuous")
    assert browser.text(f"{browser.item('t.vacuous')} .tag.vacuous") == "vacuous"


def test_floors_and_greek_letters(shown: Show, game: Made) -> None:
    browser = shown(game)
    text = next(text for text in browser.texts(".statement") if "⌊" in text)
    assert "floor" not in text and "⌊(n+2)\u202fφ⌋ + λ(n)" in text
    browser.click("#notation")
    assert any("floor((n+2) * (1+sqrt(5))/2) + lambda(n)" in text for text in browser.texts(".statement"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_say_whether_it_was_expected(shown: Show, odd: Made, theme: str) -> None:
    """A control that is FALSE has the colour of a theorem that is TRUE, and a theorem that is FALSE another one."""
    browser = shown(odd)
    browser.prefer(theme)
    browser.until("return document.documentElement.dataset.theme === arguments[0]", theme)
    browser.unfold()

    def ink(name: str) -> str:
        return browser.colour(f"{browser.item(name)} .row > .verdict", "color")

    assert ink("n.sums") == ink("n.line") != ink("t.wrong") == ink("t.error")
    legend = dict(zip(browser.texts(".key dt"), browser.texts(".key dd"), strict=True))
    assert {"as expected", "unexpected", "printed", "strong", "control", "vacuous", "skipped"} == set(legend)
    assert "it fails, as it must" in legend["control"]


def test_both_notations(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    detail = browser.opened("w.ones")
    formula = f"{detail} .formula"
    assert browser.text(formula) == "∃n T[n]=1 ∧ T[n+1]=1 ∧ (∃=2m m<2)"
    assert browser.text(f"{browser.item('t.macro')} .statement") == "twice x is even, an ≤ 2m"
    assert browser.texts(f"{browser.item('t.macro')} .statement :is(sub, sup)") == ["n", "m"]
    browser.click("#notation")
    assert browser.text(formula) == "En T[n]=@1 & T[n+1]=@1 & (E=2 m m<2)"
    assert browser.text(f"{browser.item('t.macro')} .statement") == "twice x is even, a_n <= 2^m"
    detail = browser.opened("t.macro")  # opened now, it is as typed at once
    assert browser.texts(f"{detail} > .formula, {detail} .formula-box .formula") == [
        "Ax,y #double(x)=y => $even(y)", "Ax,y x+x=y => $even(y)",
    ]


def test_every_formula_is_whole(shown: Show, paper: Made) -> None:
    """No sign is lost on the way through the page's own reading of formulas."""
    browser = shown(paper)
    browser.click("#notation")
    browser.run("for (const row of document.querySelectorAll('.row')) row.click()")
    formulas = browser.texts(".formula-box .formula")
    assert formulas == [item["formula"] for item in paper.content["items"]]
    kinds = set(browser.run(
        "return [...document.querySelectorAll('.formula-box [class^=t-]')].map(e => e.className.split(' ')[0])"
    ))
    assert {"t-quantifier", "t-variable", "t-call", "t-connective", "t-relation", "t-number", "t-bracket"} <= kinds
    assert "t-other" not in kinds


def test_texts_are_texts(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    browser.click("#notation")
    browser.opened(NASTY_ID)
    assert browser.run("return document.title") == "Theorems decided by automata"
    assert browser.texts("h2")[0] == NASTY_TITLE
    assert browser.text(f"{browser.item(NASTY_ID)} .statement") == NASTY_STATEMENT
    assert browser.text(f"{browser.item(NASTY_ID)} .id") == NASTY_ID
    assert browser.text(f"{browser.item(NASTY_ID)} .source") == "<u>s</u>"
    assert browser.count("img, iframe, object, b, i, u, :not(head, body) > script") == 0
    assert browser.count("script") == 3
    # Not even a script that has found its way in would be carried out.
    browser.run(
        "const s = document.createElement('script'); s.textContent = 'document.title = 1'; document.body.append(s)"
    )
    assert browser.run("return document.title") == "Theorems decided by automata"
    assert any("Content Security Policy" in text for text in browser.complaints())


#: A file of the npm package axe-core, which is not installed with anything here.
AXE = os.environ.get("FIBPROVER_AXE", "")


@pytest.mark.skipif(not AXE, reason="FIBPROVER_AXE does not name the file axe.min.js of the npm package axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["paper", "game", "sheet"])
def test_axe_finds_nothing(
    browser: Browser, request: pytest.FixtureRequest, tmp_path: Path, kind: str, scheme: str
) -> None:
    browser.prefer(scheme)
    if kind == "sheet":
        browser.open(write_page(content(fp.study("T", only=["complexity", "squares"]), "0"), tmp_path).as_uri())
    else:
        browser.open(request.getfixturevalue(kind).url)
    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
    if kind == "paper":
        browser.opened("pposK2")
    browser.run(Path(AXE).read_text())
    found = browser.driver.execute_async_script("axe.run(document, {preload: false}).then(arguments[0])")
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found["violations"]] == []


def test_nothing_is_loaded(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    browser.opened("pposK2")
    loaded: list[Any] = browser.run("return performance.getEntriesByType('resource').map(e => e.name)")
    assert [name for name in loaded if not name.startswith("data:")] == []


def test_a_page_without_theorems(browser: Browser, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from fibprover.frontends.cli.main import main

    (tmp_path / "x.py").write_text("import nothing_of_this_name\n")
    assert main(["prove", str(tmp_path / "x.py"), "--html", str(tmp_path)]) == 2
    capsys.readouterr()
    browser.open((tmp_path / "index.html").as_uri())
    assert "nothing_of_this_name" in browser.text(".remarks li")
