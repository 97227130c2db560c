"""The page of cells in a browser, answered by a server: what a reader does and sees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fibprover.frontends.web.saved import LOCK, save_cells, saved_cells
from tests.page.browser import Browser
from tests.web.reader import opened, output, run, wait, write, written
from tests.web.test_command import serving
from tests.web.test_server import ENDLESS, HOSTILE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notes")


@pytest.fixture(scope="module")
def served(notes: Path) -> Iterator[str]:
    """The address of a server, with Python."""
    with serving(str(notes), "--python") as (_, address):
        yield address


@pytest.fixture
def page(browser: Browser, served: str, notes: Path) -> Browser:
    """The page with one cell, as it is at first."""
    opened(browser, served)  # the page before it keeps its cells when it is left
    (notes / "cells.json").unlink(missing_ok=True)
    browser.run("window.addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true)")
    opened(browser, served)
    return browser


def test_a_cell_is_run_by_its_button_and_by_keys(page: Browser) -> None:
    from selenium.webdriver.common.keys import Keys

    assert "TRUE" in run(page, 1)
    write(page, 1, "Ex x=x+1")
    page.element(".cell .cm-content").send_keys(Keys.CONTROL, Keys.ENTER)
    page.until("return document.querySelector('.cell .answers').innerText.includes('FALSE')")
    wait(page)
    page.element(".cell .cm-content").send_keys(Keys.SHIFT, Keys.ENTER)
    page.until("return document.querySelectorAll('.cell').length === 2")
    page.until("return document.activeElement.getAttribute('aria-label').startsWith('Cell 2')")
    page.element(".cell:nth-child(2) .cm-content").send_keys(Keys.ESCAPE)
    assert page.focused() == "Cell 2"
    page.type(Keys.ARROW_UP)
    assert page.focused() == "Cell 1"
    page.type("b")
    page.until("return document.querySelectorAll('.cell').length === 3")
    page.element(".cell:nth-child(2) .cm-content").send_keys(Keys.ESCAPE)
    page.type(Keys.DELETE)
    assert page.count(".cell") == 2 and page.focused() == "Cell 2"
    page.click("[name=undo]")
    assert page.count(".cell") == 3


def test_an_error_is_marked_in_the_cell(page: Browser) -> None:
    write(page, 1, "Ax Ey x<<y")
    page.until("return document.querySelector('.cm-lintRange-error')?.textContent === '<'")
    assert "expected a term" in run(page, 1)
    assert page.colour(".answer.failed pre", "whiteSpace") == "pre-wrap"


def test_names_are_offered_while_one_types(page: Browser) -> None:
    from selenium.webdriver.common.keys import Keys

    write(page, 1, 'def evenly "Ey n=2*y";')
    assert "evenly" in run(page, 1)
    write(page, 1, "")
    page.element(".cell .cm-content").send_keys("$even")
    page.until("return document.querySelector('.cm-tooltip-autocomplete li').textContent.includes('evenly')")
    page.element(".cell .cm-content").send_keys(Keys.ESCAPE)


def test_the_name_under_the_mouse_is_explained(page: Browser) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    write(page, 1, "At T[t]=T[t]")
    page.until("return document.querySelectorAll('.cell .tok-typeName').length === 2")
    ActionChains(page.driver).move_to_element(page.element(".cell .tok-typeName")).perform()
    page.until("return document.querySelector('.meaning')?.textContent.includes('msd_2')")


def test_an_automaton_runs_on_numbers_that_are_typed(page: Browser) -> None:
    from selenium.webdriver.common.keys import Keys

    write(page, 1, "?msd_fib x=2*y")
    run(page, 1)
    page.until("return document.querySelectorAll('.runner input[type=text]').length === 2")
    x, y = page.driver.find_elements("css selector", ".runner input[type=text]")
    x.send_keys("12")
    y.send_keys("6")
    page.until("return document.querySelector('.runner .said').textContent.includes('it is in the set')")
    assert [digits.split("=")[1] for digits in page.texts(".runner .digits > div")] == ["10101", "01001"]
    assert page.count(".graph circle.here") >= 1
    passed = page.run("return [...document.querySelectorAll('.graph .wire.passed')].map(e => e.dataset.edge)")
    assert len(set(passed)) >= 3
    page.element(".runner input[type=range]").send_keys(Keys.HOME)
    assert page.count(".graph .wire.passed") == 0
    y.send_keys("0")  # 60
    page.until("return document.querySelector('.runner .said').textContent.includes('it is not in the set')")
    y.send_keys("x")
    page.until("return document.querySelector('.runner .said').textContent.includes('type a number')")
    page.click(".figure-parts details:nth-child(2) summary")
    page.until("return document.querySelectorAll('table.members tbody tr').length === 20")
    page.click(".figure-parts details:nth-child(3) summary")
    page.until("return document.querySelector('.board-holder img')")


def test_a_reader_asks_why(page: Browser) -> None:
    write(page, 1, "?msd_fib Ax Ey x=2*y")
    run(page, 1)
    page.click(".figure-parts summary")
    page.until("return document.querySelectorAll('.why .part').length === 3")
    assert page.texts(".why .truth") == ["FALSE, see x = 1", "FALSE at x = 1", "FALSE for all y"]
    page.element(".why input").send_keys("12")
    page.until("return document.querySelectorAll('.why .truth')[1].textContent === 'TRUE, see y = 6'")
    page.click(".why ul ul ul .part")
    page.until("return document.querySelector('.why .panel svg.graph')")
    assert "(0, 0), (2, 1), (4, 2)" in page.text(".why .panel > .caption")


def test_why_waits_for_the_cell_that_runs(page: Browser) -> None:
    write(page, 1, "?msd_fib Ax Ey x=2*y")
    run(page, 1)
    page.click("[name=add]")
    write(page, 2, ENDLESS)
    page.click(".cell:nth-child(2) [name=run]")
    page.until("return document.querySelector('.cell:nth-child(2) .cell-status').textContent.includes(' s')")
    page.click(".figure-parts summary")
    page.until("return document.querySelector('.why [role=status]').textContent.includes('running')")
    page.click("[name=stop]")
    page.until("return document.querySelectorAll('.why .part').length === 3")
    assert page.text(".why [role=status]") == ""


def test_stop_ends_what_does_not_end(page: Browser) -> None:
    write(page, 1, ENDLESS)
    page.click(".cell [name=run]")
    page.until("return document.querySelector('.cell-status').textContent.includes(' s')")
    page.click("[name=stop]")
    wait(page, "stopped")
    assert "stopped" in output(page, 1)
    write(page, 1, "1=1")
    assert "TRUE" in run(page, 1)


def test_cells_stay_when_the_page_is_opened_again(page: Browser, served: str) -> None:
    write(page, 1, "Ax x=x # stays")
    page.click("[name=add]")
    write(page, 2, 'def a "x>1";\nAx $a(x+2)')
    browser = page
    opened(browser, served)
    browser.until("return document.querySelectorAll('.cell').length === 2")
    assert written(browser) == ["Ax x=x # stays", 'def a "x>1";\nAx $a(x+2)']
    assert output(browser, 1) == ""  # nothing is run by itself


def test_two_pages_on_one_folder_take_the_changes_of_each_other(page: Browser, served: str, notes: Path) -> None:
    browser, first = page, page.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    try:
        opened(browser, served)
        browser.click("[name=add]")
        write(browser, 2, "2=2")
        browser.until("return fetch('cells').then(r => r.json()).then(r => r.cells.length === 2)")
        browser.driver.switch_to.window(first)
        browser.until("return document.querySelectorAll('.cell').length === 2")  # as it is looked at again
        browser.click("[name=add]")
        write(browser, 3, "3=3")
        browser.run(  # of another page, of which this one does not hear
            "return fetch('cells').then(r => r.json()).then(({cells}) => fetch('cells', {method: 'PUT',"
            "headers: {'content-type': 'application/json'},"
            "body: JSON.stringify({cells: [...cells, {kind: 'commands', text: '4=4'}], before: cells})}))"
        )
        browser.until("return document.querySelectorAll('.cell').length === 4")
        assert sorted(written(browser)[1:]) == ["2=2", "3=3", "4=4"]
    finally:
        browser.driver.switch_to.window(browser.driver.window_handles[-1])
        browser.driver.close()
        browser.driver.switch_to.window(first)


_KEEP = """
return fetch('cells').then(r => r.json()).then(({cells}) => fetch('cells', {method: 'PUT',
  headers: {'content-type': 'application/json'}, body: JSON.stringify({cells: arguments[0], before: cells})}))
  .then(() => true)
"""


def test_a_page_takes_the_order_of_another_one(page: Browser) -> None:
    for number, text in enumerate(("1=1", "2=2", "3=3"), 1):
        if number > 1:
            page.click("[name=add]")
        write(page, number, text)
    page.until("return fetch('cells').then(r => r.json()).then(r => r.cells.length === 3)")
    texts = ("2=2", "3=3", "1=1")
    assert page.run(_KEEP, [{"kind": "commands", "text": text} for text in texts])
    page.run("document.dispatchEvent(new Event('visibilitychange'))")
    page.until("return document.querySelector('.cell .cm-content').textContent === '2=2'")
    assert written(page) == list(texts)
    assert page.texts(".cell .number") == ["1", "2", "3"]


def test_cells_that_could_not_be_kept_for_a_while_are_kept_later(page: Browser, notes: Path) -> None:
    write(page, 1, "1=1")
    page.until("return fetch('cells').then(r => r.json()).then(r => r.cells.length === 1)")
    (notes / LOCK).unlink()
    (notes / LOCK).mkdir()
    page.click("[name=add]")
    write(page, 2, "2=2")
    page.until("return document.querySelector('.page-status').textContent.includes('not kept')")
    (notes / LOCK).rmdir()
    page.click("[name=add]")
    write(page, 3, "3=3")
    page.until("return fetch('cells').then(r => r.json()).then(r => r.cells.some(c => c.text === '3=3'))")
    assert [cell["text"] for cell in saved_cells(notes)] == written(page) == ["1=1", "2=2", "3=3"]
    page.run("localStorage.clear()")


def test_the_first_cell_of_a_new_page_is_no_change(page: Browser, served: str) -> None:
    browser, first = page, page.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    try:
        opened(browser, served)
        write(browser, 1, "1=1")
        browser.until("return fetch('cells').then(r => r.json()).then(r => r.cells.length === 1)")
        browser.driver.switch_to.window(first)
        browser.until("return document.querySelector('.cell .cm-content').textContent === '1=1'")
        assert written(browser) == ["1=1"]
    finally:
        browser.driver.switch_to.window(browser.driver.window_handles[-1])
        browser.driver.close()
        browser.driver.switch_to.window(first)


def test_cells_of_python_stay_where_python_is_not_run(browser: Browser, tmp_path: Path) -> None:
    both = [{"kind": "python", "text": "1+1"}, {"kind": "commands", "text": "1=1"}]
    save_cells(tmp_path, {"cells": both})
    with serving(str(tmp_path)) as (_, address):
        opened(browser, address)
        write(browser, 2, "2=2")
        browser.until("return fetch('cells').then(r => r.json()).then(r => r.cells[1].text === '2=2')")
        assert saved_cells(tmp_path)[0] == both[0]
        assert "--python" in run(browser, 1)
        browser.visit("about:blank")


def test_a_link_is_forgotten_when_the_cells_have_changed(page: Browser, served: str) -> None:
    page.click("[name=share]")
    assert page.run("return location.hash") != ""
    write(page, 1, "4=4")
    page.until("return location.hash === ''")


def test_files_are_opened_and_not_run(page: Browser, tmp_path: Path) -> None:
    script, automaton = tmp_path / "script.txt", tmp_path / "parity.txt"
    script.write_text('def later "x>7";\n')
    automaton.write_text("msd_2\n0 1\n0 -> 0\n1 -> 1\n1 0\n0 -> 1\n1 -> 0\n")
    page.element("#cells input[type=file]").send_keys(f"{script}\n{automaton}")
    page.until("return document.querySelector('.status').textContent.includes('$parity')")
    assert written(page)[-1] == 'def later "x>7";' and output(page, 2) == ""
    write(page, 1, "$parity(3) & ~$parity(4)")
    assert "TRUE" in run(page, 1)
    write(page, 1, "$later(8)")
    assert "later" in run(page, 1) and "TRUE" not in output(page, 1)


def test_a_link_adds_cells_and_does_not_run_them(page: Browser, served: str) -> None:
    page.click("[name=share]")
    assert page.run("return location.hash") == "#language=commands&cell=Ax%2Cy+x%2By%3Dy%2Bx"
    page.driver.get("about:blank")
    opened(page, f"{served}#language=python&cell=1%2B1")
    assert written(page)[-1] == "1+1" and output(page, page.count(".cell")) == ""


def test_html_of_users_is_text(page: Browser) -> None:
    """Also in tooltips, names of files, and what the page says."""
    for kind, text in (("commands", f"Ax x={HOSTILE}"), ("python", repr(HOSTILE)), ("python", f"print({HOSTILE!r})")):
        page.choose(".cell select[name=language]", "Python" if kind == "python" else "formulas")
        write(page, 1, text)
        assert HOSTILE in run(page, 1)
        assert page.count("#cells .answers img") == 0
    # Python of the user may make HTML; the policy still carries out none of it.
    html = "<b id=made onclick=x()></b><script>document.title=1</script>"
    write(page, 1, f"class H:\n    def _repr_html_(self): return {html!r}\nH()")
    run(page, 1)
    assert page.count("#made") == 1 and page.run("return document.title") == "fibprover"
    page.run("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"document.title = 2\">')")
    assert page.run("return document.title") == "fibprover"
    page.driver.get_log("browser")  # the policy has complained, as it should


def test_a_phone_has_no_wider_page_and_large_enough_buttons(page: Browser, served: str) -> None:
    page.as_phone()
    opened(page, served)
    write(page, 1, "?msd_fib x+y=z")
    run(page, 1)
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    small = "return [...document.querySelectorAll('#cells button')].filter(e => e.checkVisibility()"
    assert page.run(small + "&& e.getBoundingClientRect().height < 24).map(e => e.textContent)") == []


#: A file of the npm package axe-core, which is not installed with anything here.
AXE = os.environ.get("FIBPROVER_AXE", "")


@pytest.mark.skipif(not AXE, reason="FIBPROVER_AXE does not name the file axe.min.js of the npm package axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Browser, scheme: str) -> None:
    page.prefer(scheme)
    write(page, 1, "?msd_fib x=2*y & x<9")
    run(page, 1)
    page.click(".figure-parts details:nth-child(2) summary")
    page.until("return document.querySelectorAll('table.members tbody tr').length > 2")
    page.click(".figure-parts > details:last-child summary")
    page.until("return document.querySelector('.why .part')")
    page.click(".why ul ul .part")
    page.until("return document.querySelector('.why .panel svg.graph')")
    page.click("[name=add]")
    write(page, 2, "Ax x<<y")
    run(page, 2)
    page.run(Path(AXE).read_text())
    found = page.driver.execute_async_script("axe.run(document).then(arguments[0])")
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]] == []
