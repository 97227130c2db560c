"""What a reader does on the page of cells."""

from __future__ import annotations

from tests.page.browser import Browser

#: The states in which a page that was computing rests.
RESTING = ("done", "failed", "stopped")


def opened(browser: Browser, url: str) -> None:
    """Opens the page, and waits until its cells are there."""
    browser.visit(url)
    browser.until("return document.documentElement.dataset.ready === 'true'")


def wait(browser: Browser, *states: str, seconds: float = 60) -> None:
    """Waits until the page is in one of these states."""
    script = "return arguments[0].includes(document.getElementById('cells').dataset.state)"
    browser.until(script, states or RESTING, seconds=seconds)


def write(browser: Browser, cell: int, text: str) -> None:
    """Writes a text into a cell, in place of what is there; cells are counted from 1."""
    browser.run(
        """
        const content = document.querySelectorAll(".cell .cm-content")[arguments[0] - 1];
        content.focus();
        document.getSelection().selectAllChildren(content);
        document.execCommand("insertText", false, arguments[1]);
        """,
        cell, text,
    )


def run(browser: Browser, cell: int, seconds: float = 60) -> str:
    """Runs a cell, waits for its end and returns the text of its answers."""
    browser.run("document.querySelectorAll('.cell [name=run]')[arguments[0] - 1].click()", cell)
    wait(browser, seconds=seconds)
    return output(browser, cell)


def output(browser: Browser, cell: int) -> str:
    """The text of a cell's answers that is seen."""
    return str(browser.run("return document.querySelectorAll('.cell .answers')[arguments[0] - 1].innerText", cell))


def written(browser: Browser) -> list[str]:
    """The texts of the cells."""
    found = browser.run(
        "return [...document.querySelectorAll('.cell .cm-content')]"
        ".map(e => [...e.querySelectorAll('.cm-line')].map(line => line.textContent).join('\\n'))"
    )
    assert isinstance(found, list)
    return found
