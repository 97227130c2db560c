"""A headless Chromium, driven by selenium: what a reader does, and what a reader sees."""

from __future__ import annotations

import json
from typing import Any

#: The size of a desk's window and of a phone's.
DESK, PHONE = (1280, 950), (390, 844)


class Browser:
    """One browser for all tests; selenium is imported only if there is one."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    # -- the window ------------------------------------------------------------------------------

    def as_new(self) -> None:
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.as_desk()
        self.driver.set_window_size(*DESK)
        self.prefer("light")

    def prefer(self, scheme: str) -> None:
        """What the system says of light and dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def as_desk(self) -> None:
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def as_phone(self) -> None:
        size = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 2, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def visit(self, url: str) -> None:
        """Opens a page; the driver may return while the page before it, or none, is still there."""
        self.driver.get(url)
        self.until(
            "const at = new URL(arguments[0]);"
            "return document.readyState === 'complete' && location.pathname === at.pathname",
            url,
        )

    def open(self, url: str, *, forget: bool = True) -> None:
        self.visit(url)
        if forget:
            self.run("localStorage.clear()")
            self.driver.refresh()
        self.until("return document.documentElement.dataset.ready === 'true'")

    def complaints(self) -> list[str]:
        """What went wrong in scripts, or was not allowed."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def quit(self) -> None:
        self.driver.quit()

    # -- looking -----------------------------------------------------------------------------------

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, *arguments: Any, seconds: float = 30) -> Any:
        """Waits for a script to return something true, and returns it.

        Where the script fails, as it does on a page that is not the one awaited, it is tried again.
        """
        from selenium.common.exceptions import JavascriptException
        from selenium.webdriver.support.ui import WebDriverWait

        wait = WebDriverWait(self.driver, seconds, poll_frequency=0.02, ignored_exceptions=[JavascriptException])
        return wait.until(lambda driver: driver.execute_script(script, *arguments))

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements, seen or not."""
        found = self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)
        assert isinstance(found, list)
        return found

    def text(self, selector: str) -> str:
        (found,) = self.texts(selector)
        return found

    def count(self, selector: str) -> int:
        return len(self.texts(selector))

    def ids(self) -> list[str]:
        """The theorems that are shown, in order."""
        found = self.run(
            "return [...document.querySelectorAll('.item')].filter(e => e.checkVisibility()).map(e => e.dataset.id)"
        )
        assert isinstance(found, list)
        return found

    def colour(self, selector: str, name: str) -> str:
        script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
        return str(self.run(script, selector, name))

    def box(self, selector: str) -> tuple[float, float, float, float]:
        """Left, top, width and height in the window."""
        script = "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
        left, top, width, height = self.run(script + "return [b.x, b.y, b.width, b.height]", selector)
        return left, top, width, height

    # -- doing -----------------------------------------------------------------------------------------

    def element(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def click(self, selector: str) -> None:
        element = self.element(selector)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def type(self, *keys: str) -> None:
        """Keys to whatever has the focus."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver, duration=0).send_keys(key).perform()

    def focused(self) -> str:
        """What has the focus: its text or its label."""
        return str(self.run(
            "const e = document.activeElement; return e.getAttribute('aria-label') || e.dataset.id || e.textContent"
        ))

    def item(self, name: str) -> str:
        """The selector of a theorem."""
        return f".item[data-id={json.dumps(name)}]"

    def unfold(self) -> None:
        """Opens what is folded: the controls."""
        self.run("for (const fold of document.querySelectorAll('.fold details')) fold.open = true")

    def opened(self, name: str) -> str:
        """Opens a theorem, and the controls around it if it is one; the selector of its details."""
        item = self.item(name)
        self.run("document.querySelector(arguments[0]).closest('details')?.setAttribute('open', '')", item)
        self.click(f"{item} .row")
        return f"{item} .detail"

    def look_at(self, theorem: str, name: str) -> None:
        """Opens the viewer on a name of a theorem."""
        detail = self.opened(theorem)
        self.click(f'{detail} .card[data-name="{name}"]')
        self.until("return document.getElementById('viewer').open")

    def tab(self, name: str) -> None:
        """Turns the viewer to one of its tabs."""
        for tab in self.driver.find_elements("css selector", "#viewer [role=tab]"):
            if tab.text == name:
                tab.click()
                return
        raise AssertionError(f"there is no tab {name}: {self.texts('#viewer [role=tab]')}")

    def counted(self) -> dict[str, int]:
        """What the legend of the board in the viewer says, by colour."""
        found = self.run(
            "const parts = [...document.querySelectorAll('.legend li')];"
            "return Object.fromEntries(parts.map(e => [e.className, +e.dataset.count]))"
        )
        assert isinstance(found, dict)
        return found

    def choose(self, selector: str, label: str) -> None:
        """Chooses the option that begins so."""
        from selenium.webdriver.support.ui import Select

        select = Select(self.element(selector))
        place = next(i for i, option in enumerate(select.options) if option.text.startswith(label))
        select.select_by_index(place)


def started(program: str, driver: str) -> Browser:
    """Starts a browser with the driver that is installed; nothing is downloaded."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = program
    # No sandbox: tests may run as root, in a container; the pages are ours.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    found.set_script_timeout(60)
    return Browser(found)
