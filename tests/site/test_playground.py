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
from typing import Any

import pytest

from fibprover.frontends.playground import Playground
from tests.page.browser import Browser
from tests.site.built import Site
from website import playground as site_part

ROOT = Path(__file__).resolve().parents[2]

needs_pyodide = pytest.mark.skipif(not site_part.is_there(), reason="no playground was brought: make docs, with npm")


def answers(kind: str, cell: str, playground: Playground | None = None) -> list[dict[str, Any]]:
    shown: list[str] = []
    good = (playground or Playground()).run(kind, cell, shown.append)
    found = [json.loads(each) for each in shown]
    assert good == (not any("error" in each for each in found))
    return found


# -- cells -----------------------------------------------------------------------------------------------


def test_commands_and_python_share_a_session() -> None:
    playground = Playground()
    (made,) = answers("commands", 'def even "Ey n=2*y";', playground)
    assert "infinite, 2 states" in made["text"] and "<" in made["html"]
    printed, value = answers("python", 'print(s.eval("En $even(n) & n>2"))\n6 in s.relation("$even(n)")', playground)
    assert (printed["text"], value["text"]) == ("TRUE\n", "True")


def test_errors_are_answers() -> None:
    assert "<y" in answers("commands", "Ax Ey x<<y")[-1]["error"]
    assert "ZeroDivisionError" in answers("python", "print(1); 1/0")[-1]["error"]
    assert answers("python", "print(1); 1/0")[0]["text"] == "1\n"
    assert "SyntaxError" in answers("python", "def")[0]["error"]
    assert "&lt;b&gt;" in answers("python", "raise ValueError('<b>')")[0]["html"]


def test_whatever_a_cell_raises_is_an_answer() -> None:
    hidden = "class Hidden(Exception):\n    def __str__(self): raise ValueError\nraise Hidden()"
    for cell, said in (
        ("raise KeyboardInterrupt", "KeyboardInterrupt"), ("raise GeneratorExit", "GeneratorExit"), (hidden, "Hidden"),
    ):
        assert said in answers("python", cell)[-1]["error"]


def test_a_cell_may_end_itself() -> None:
    shown: list[str] = []
    assert Playground().run("python", "print(1)\nraise SystemExit\nprint(2)", shown.append)
    assert not Playground().run("python", "raise SystemExit('no')", shown.append)
    assert [json.loads(each)["text"] for each in shown] == ["1\n"]


def test_a_class_is_a_value() -> None:
    assert "Relation" in answers("python", "fp.Relation")[0]["text"]


def test_an_interactive_session_is_run_input_by_input() -> None:
    cell = ">>> x = 3\n>>> for i in range(2):\n...     x += i\n>>> x\n4\n"
    assert [each["text"] for each in answers("python", cell)] == ["4"]


@pytest.mark.parametrize("title", site_part.EXAMPLES)
def test_examples_have_no_error(title: str) -> None:
    cell = site_part.EXAMPLES[title]
    found = answers("python" if cell.startswith("# Python") else "commands", cell)
    assert found
    assert not any("error" in each for each in found)
    proofs = [line for each in found for line in each["text"].splitlines() if re.match(r"\w+: +(TRUE|FALSE)", line)]
    assert all(line.endswith("TRUE") for line in proofs)


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
    playground = Playground()
    for cell, kind in cells:
        expected = "is never closed" if "Ax Ey (x<y" in cell else None
        found = answers(kind, cell, playground) if cell else []
        assert [expected in each["error"] if expected else False for each in found if "error" in each] in ([], [True])


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
        "from fibprover.frontends.playground import Playground; Playground()"
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
const playground = python.runPython("from fibprover.frontends.playground import Playground; Playground()");
const good = playground.run("python", fs.readFileSync(0, "utf8"), (answer) => console.log(answer));
process.exit(good ? 0 : 1);
"""


@needs_pyodide
@pytest.mark.long
def test_the_wheel_proves_theorems_under_node(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    folder = shutil.copytree(site_part.BROUGHT, tmp_path / "playground", ignore=shutil.ignore_patterns("npm"))
    (folder / "run.mjs").write_text(_NODE)
    cell = site_part.EXAMPLES["The game K^2: stable and absorbing"]
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
    shutil.copy(site_part.SOURCE / "worker.js", tmp_path)
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


def wait(browser: Browser, *states: str) -> None:
    """Waits until the playground is in one of these states."""
    script = "return arguments[0].includes(document.getElementById('cell').dataset.state)"
    browser.until(script, states, seconds=180)


@needs_pyodide
@pytest.mark.browser
def test_the_page_answers_shows_and_shares(browser: Browser, address: str) -> None:
    browser.visit(f"{address}/playground.html")
    wait(browser, "ready")
    browser.click("#cell [name=run]")
    wait(browser, "done")
    assert "TRUE" in browser.text("#cell .output")
    count = len(site_part.EXAMPLES)
    for place in range(1, count + 1):
        browser.run(
            "const s = document.querySelector('[name=example]'); s.selectedIndex = arguments[0];"
            "s.dispatchEvent(new Event('change'))", place,
        )
        wait(browser, "done")
    assert browser.text("#cell .output").count("TRUE") == 3 and browser.count("#cell .output svg") >= 1
    link = browser.run("return location.href")
    browser.driver.get("about:blank")
    browser.visit(link)
    wait(browser, "ready")  # Python from a link is not run before a click
    assert "G[n]" in browser.run("return document.querySelector('#cell textarea').value")
    assert browser.text("#cell .output") == ""


@needs_pyodide
@pytest.mark.browser
def test_an_example_of_the_tour_leads_there_and_a_computation_can_be_stopped(browser: Browser, address: str) -> None:
    browser.as_phone()
    browser.visit(f"{address}/tour.html")
    browser.click(".try a")
    wait(browser, "done")
    assert "least witness: x = 7, y = 2" in browser.run("return document.querySelector('#cell .output').innerText")
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    long = "?msd_fib Ex,y,z 255*x+17*y=1001*z & z>3"
    browser.run("document.querySelector('#cell textarea').value = arguments[0]", long)
    browser.click("#cell [name=run]")
    wait(browser, "running", "done")
    if browser.run("return document.getElementById('cell').dataset.state") == "running":
        browser.click("#cell [name=stop]")
        wait(browser, "ready")
    browser.run("document.querySelector('#cell textarea').value = '1=2'")
    browser.click("#cell [name=run]")
    wait(browser, "done")
    assert "FALSE" in browser.text("#cell .output")
