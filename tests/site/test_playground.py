"""The playground: its cells here, by node and in a browser."""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fibprover.frontends.web.cells import Cells
from fibprover.frontends.web.examples import EXAMPLES
from fibprover.frontends.web.files import asset
from tests.page.browser import Browser
from tests.site.built import Site
from tests.web.reader import RESTING, opened, output, run, wait, write, written
from tests.web.test_cells import answers
from website import playground as site_part

ROOT = Path(__file__).resolve().parents[2]

needs_pyodide = pytest.mark.skipif(not site_part.is_there(), reason="no playground was brought: make docs, with npm")


# -- examples of pages -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("example", "cell"),
    [
        ("$ fibprover eval 'Ax,y x+y=y+x'\nTRUE\n$ fibprover eval --system msd_fib -n 3 'x<3'\n0",
         ("Ax,y x+y=y+x;\n?msd_fib x<3", "commands")),
        (">>> import fibprover as fp\n", (">>> import fibprover as fp\n", "python")),
        (">>> s.relation('x<3')\n", ("", "")),
        ('def a "n<3";\n', ('def a "n<3";\n', "commands")),
        ("$ fibprover eval --load docs/definitions.txt '$p(1)'\n", ("", "commands")),
        (">>> s.infer_word('V', letters)\n", ("", "")),
        ("pip install .\n", ("", "")),
    ],
)
def test_examples_become_cells(example: str, cell: tuple[str, str]) -> None:
    assert site_part.cell_of(example) == cell


def test_examples_of_the_tour_can_be_run() -> None:
    tour = (ROOT / "docs" / "tour.md").read_text()
    blocks = re.findall(r"^```(?:console|pycon|text|fibprover)\n(.*?)^```$", tour, re.MULTILINE | re.DOTALL)
    cells = [site_part.cell_of(block) for block in blocks]
    assert sum(bool(cell) for cell, _ in cells) >= 7
    playground = Cells()
    for cell, kind in cells:
        expected = "is never closed" if "Ax Ey (x<y" in cell else None
        found = answers(kind, cell, playground) if cell else []
        failed = [each["text"] for each in found if each["kind"] == "error"]
        assert [expected in text if expected else False for text in failed] in ([], [True])


def test_a_site_without_it_says_so(tmp_path: Path) -> None:
    page = site_part.page((ROOT / "docs" / site_part.PAGE).read_text(), tmp_path)
    assert "npm" in page and "<script" not in page
    example = '<div class="highlight"><pre>$ fibprover eval "1=1"</pre></div>'
    assert site_part.with_links(example, tmp_path) == example
    assert site_part.files(tmp_path) == {}


def test_it_needs_neither_numpy_nor_pyeda() -> None:
    """A page in a browser has neither."""
    code = (
        "import sys; sys.modules |= dict.fromkeys(['numpy', 'pyeda', 'sympy', 'pandas', 'matplotlib']);"
        "from fibprover.frontends.web.cells import Cells; Cells()"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=100)


# -- by node ---------------------------------------------------------------------------------------------

_NODE = """
import fs from "node:fs";
import { loadPyodide } from "./pyodide/pyodide.mjs";
const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).pathname });
const wheels = JSON.parse(fs.readFileSync("build.json")).wheels;
for (const wheel of wheels)
  python.unpackArchive(new Uint8Array(fs.readFileSync(wheel)), "wheel", { extractDir: "/wheels" });
python.runPython('import sys; sys.path.insert(0, "/wheels")');
const cells = python.runPython("from fibprover.frontends.web.cells import Cells; Cells()");
const good = cells.run("python", fs.readFileSync(0, "utf8"), (answer) => console.log(answer));
process.exit(good ? 0 : 1);
"""


@needs_pyodide
@pytest.mark.long
def test_the_wheel_proves_theorems_under_node(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    folder = shutil.copytree(site_part.BROUGHT, tmp_path / "playground", ignore=shutil.ignore_patterns("npm"))
    (folder / "run.mjs").write_text(_NODE)
    cell = next(each.text for each in EXAMPLES if each.title.startswith("The game K^2"))
    done = subprocess.run(
        ["node", "run.mjs"], input=cell, capture_output=True, text=True, cwd=folder, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout.splitlines()[0])["text"]
    assert re.findall(r"(\w+): +(\w+)", said) == [("terminal", "TRUE"), ("stable", "TRUE"), ("absorbing", "TRUE")]


#: The thread of the page, where Python is lost in the first cell.
_WORKER = """
globalThis.self = { postMessage: (message) => console.log(JSON.stringify(message)) };
globalThis.fetch = async () => ({ json: async () => ({ wheels: [] }) });
await import("./worker.js");
await self.onmessage({ data: { cell: 1, language: "python", text: "" } });
"""

_LOST = """
const playground = { run() { throw new RangeError("no memory"); } };
export const loadPyodide = async () => ({ unpackArchive() {}, runPython: () => playground });
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_page_hears_that_python_is_lost(tmp_path: Path) -> None:
    (tmp_path / "pyodide").mkdir()
    (tmp_path / "pyodide" / "pyodide.mjs").write_text(_LOST)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "main.js").write_text(_WORKER)
    (tmp_path / "worker.js").write_text(asset("worker.js"))
    done = subprocess.run(["node", "main.js"], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    last = json.loads(done.stdout.splitlines()[-1])
    assert last["kind"] == "broken" and "no memory" in last["text"]


# -- in a browser ----------------------------------------------------------------------------------------


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static server that writes no log."""

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site.folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@needs_pyodide
@pytest.mark.browser
def test_the_page_answers_shows_and_shares(browser: Browser, address: str) -> None:
    opened(browser, f"{address}/playground.html")
    wait(browser, "ready", seconds=180)
    assert "TRUE" in run(browser, 1, seconds=180)
    for place in range(1, len(EXAMPLES) + 1):
        browser.run(
            "const s = document.querySelector('[name=example]'); s.selectedIndex = arguments[0];"
            "s.dispatchEvent(new Event('change'))", place,
        )
        wait(browser, *RESTING, seconds=180)
    last = len(EXAMPLES) + 1
    assert output(browser, last).count("TRUE") == 3
    assert browser.count(f".cell:nth-child({last}) svg.graph") == 1
    browser.click("[name=share]")
    link = browser.run("return location.href")
    browser.run("localStorage.clear()")
    browser.driver.get("about:blank")
    opened(browser, link)
    wait(browser, *RESTING, seconds=180)  # formulas from a link are run; Python is not, before a click
    assert "G[n]" in written(browser)[-1] and output(browser, last) == ""
    assert "TRUE" in output(browser, 1)


@needs_pyodide
@pytest.mark.browser
def test_an_example_of_the_tour_leads_there_and_a_computation_can_be_stopped(browser: Browser, address: str) -> None:
    browser.as_phone()
    browser.visit(f"{address}/tour.html")
    browser.run("localStorage.clear()")
    browser.click(".try a")
    wait(browser, *RESTING, seconds=180)
    assert "least witness: x = 7, y = 2" in output(browser, 1)
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    write(browser, 1, "?msd_fib Ex,y,z 255*x+17*y=1001*z & z>3")
    browser.click(".cell [name=run]")
    wait(browser, "running", *RESTING)
    if browser.run("return document.getElementById('cells').dataset.state") == "running":
        browser.click("[name=stop]")
        wait(browser, "ready", seconds=180)
    write(browser, 1, "1=2")
    assert "FALSE" in run(browser, 1)


@needs_pyodide
@pytest.mark.browser
def test_two_tabs_take_the_changes_of_each_other(browser: Browser, address: str) -> None:
    """While Python is being loaded: the browser keeps the cells."""
    driver, first = browser.driver, browser.driver.current_window_handle
    opened(browser, f"{address}/playground.html")
    write(browser, 1, "1=1")
    browser.until("return localStorage.getItem('fibprover-cells')?.includes('1=1')")
    driver.switch_to.new_window("tab")
    try:
        opened(browser, f"{address}/playground.html")
        browser.click("[name=add]")
        write(browser, 2, "2=2")
        browser.until("return localStorage.getItem('fibprover-cells').includes('2=2')")
        driver.switch_to.window(first)
        browser.until("return document.querySelectorAll('.cell').length === 2")  # nothing was done here
        assert written(browser) == ["1=1", "2=2"]
        browser.click("[name=add]")
        write(browser, 3, "3=3")
        browser.click(".cell:nth-child(1) [name=remove]")
        driver.switch_to.window(driver.window_handles[-1])
        browser.until("return document.querySelectorAll('.cell').length === 2")
        browser.until("return localStorage.getItem('fibprover-cells').includes('3=3')")
        assert written(browser) == ["2=2", "3=3"]
        browser.run("localStorage.clear()")
    finally:
        driver.switch_to.window(driver.window_handles[-1])
        driver.close()
        driver.switch_to.window(first)
