"""Pages, made once, and a browser to look at them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.page.browser import Browser, started
from tests.page.made import ROOT, SCRIPT, Made, made


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The page of a script with one of everything."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd.py").write_text(SCRIPT)
    return made(folder, "prove", str(folder / "odd.py"))


@pytest.fixture(scope="session")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The page of the games K^2 and K^3."""
    scripts = [str(ROOT / "proofs" / name) for name in ("k2.py", "k3.py")]
    return made(tmp_path_factory.mktemp("paper"), "prove", *scripts, "--no-vacuity", "-j", "1")


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The page of `make page`, but for the parts that do not matter."""
    return made(tmp_path_factory.mktemp("everything"), "prove", str(ROOT / "proofs"), "--no-vacuity")


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The page of a game beside another one."""
    return made(tmp_path_factory.mktemp("game"), "game", "terminal(2)", "--compare", "terminal(3)")


@pytest.fixture(scope="session")
def unsolved(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The page of a game for which there is no automaton."""
    arguments = ("game", "blocking(5)", "--system", "msd_5", "--largest", "16384")
    return made(tmp_path_factory.mktemp("unsolved"), *arguments)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless Chromium; a test that needs it is skipped, with the reason, where there is none."""
    pytest.importorskip("selenium", reason="selenium is not installed: pip install 'fibprover[browser]'")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no chromium with its driver: apt-get install chromium chromium-driver")
    browser = started(program, driver)
    yield browser
    browser.quit()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser with a window of a desk, light, nothing remembered; a script that fails fails the test."""
    chromium.as_new()
    yield chromium
    assert chromium.complaints() == []


@pytest.fixture
def shown(browser: Browser) -> Callable[[Made], Browser]:
    """Opens a page."""

    def show(page: Made) -> Browser:
        browser.open(page.url)
        return browser

    return show


@pytest.fixture
def unwritable(tmp_path: Path) -> Path:
    """A folder in which nothing can be made."""
    if os.geteuid() == 0:
        pytest.skip("the superuser may write everywhere")
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    return folder
