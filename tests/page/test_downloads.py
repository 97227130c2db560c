"""What the viewer's buttons save: read again, it is what the prover says."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fibprover as fp
from tests.page.browser import Browser
from tests.page.made import Made

pytestmark = pytest.mark.browser

Show = Callable[[Made], Browser]


def saved(browser: Browser, label: str) -> tuple[str, bytes]:
    """Presses a button; the name of the file that it offers, and its content."""
    browser.run(
        """
        window.offered = null;
        HTMLAnchorElement.prototype.click = function () {
          const name = this.download;
          const reader = new FileReader();
          reader.onload = () => { window.offered = [name, reader.result.split(",")[1]]; };
          window.blobs.get(this.href) && reader.readAsDataURL(window.blobs.get(this.href));
        };
        window.blobs ??= new Map();
        const before = window.before ??= URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          const url = before.call(URL, blob);
          window.blobs.set(url, blob);
          return url;
        };
        """
    )
    browser.click(f'#viewer .downloads [data-file="{label}"]')
    name, content = browser.until("return window.offered")
    return name, b64decode(content)


def table(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


def test_an_automaton(shown: Show, paper: Made) -> None:
    browser = shown(paper)
    browser.prefer("dark")
    browser.look_at("pposK2", "pposK2")
    browser.tab("Automaton")
    name, content = saved(browser, "SVG")
    assert name == "pposK2.svg"
    root = ElementTree.fromstring(content)
    circles = root.findall(".//{*}circle")
    # The colours of paper, on a page that is dark, in attributes: a file has no style sheet.
    assert len(circles) > 27 and {circle.get("fill") for circle in circles} == {"#fff"}
    assert all(path.get("stroke") or path.get("fill") for path in root.findall(".//{*}path"))
    name, content = saved(browser, "PNG")
    width, height = int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    assert name == "pposK2.png" and content.startswith(b"\x89PNG")
    assert (width, height) == (2 * int(root.get("width", "0")), 2 * int(root.get("height", "0")))
    assert len(content) > 20_000  # not blank
    name, content = saved(browser, "CSV")
    (entry,) = [entry for entry in paper.content["names"] if entry["name"] == "pposK2"]
    head, *rows = table(content)
    assert (name, head, len(rows)) == ("pposK2.csv", ["state", "output", "a", "b", "target"], entry["transitions"])
    steps = {(row[0], row[2], row[3]): row[4] for row in rows}
    accepted = {row[0] for row in rows if row[1] == "1"}
    relation = fp.Session("msd_fib")

    def accepts(a: int, b: int) -> bool:
        state = "0"
        for digits in zip(*(written(relation, number, 6) for number in (a, b)), strict=True):
            state = steps.get((state, *digits), "none")
        return state in accepted

    lost: set[tuple[int, int]] = set()
    for a, b in sorted(((a, b) for a in range(13) for b in range(13)), key=sum):
        moves = {(x, b) for x in range(a)} | {(a, y) for y in range(b)}
        moves |= {(a - k, b - k) for k in range(1, min(a, b) + 1)}
        if a + b <= 2 or not lost & moves:
            lost.add((a, b))
    # The printed set lacks (1,1), from which there is no move either.
    assert {(a, b) for a in range(13) for b in range(13) if accepts(a, b)} == lost - {(1, 1)}


def written(session: fp.Session, number: int, length: int) -> str:
    return "".join(map(str, session.namespace.system("msd_fib").represent(number))).rjust(length, "0")


def test_a_drawing_for_latex(shown: Show, paper: Made, tmp_path: Path) -> None:
    browser = shown(paper)
    browser.look_at("pposK2", "pposK2")
    browser.tab("Automaton")
    name, content = saved(browser, "TikZ")
    text = content.decode()
    assert name == "pposK2.tex"
    assert len(re.findall(r"\\node\[state", text)) == 27
    assert len(re.findall(r"\\draw\[->\]", text)) == browser.count("#viewer .graph .wire") - 1
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    document = (
        "\\documentclass{article}\\usepackage{tikz}\\usetikzlibrary{automata,arrows.meta}\n"
        f"\\begin{{document}}\n{text}\\end{{document}}\n"
    )
    (tmp_path / "x.tex").write_text(document)
    made = subprocess.run(["pdflatex", "-halt-on-error", "x.tex"], cwd=tmp_path, capture_output=True, check=False)
    assert made.returncode == 0, made.stdout[-2000:]


def test_members_letters_and_positions(shown: Show, odd: Made) -> None:
    browser = shown(odd)
    browser.look_at("t.macro", "even")
    browser.tab("Members")
    _, content = saved(browser, "CSV")
    assert table(content)[:3] == [["x"], ["0"], ["2"]] and len(table(content)) == 501
    browser.click("#viewer .close")
    browser.look_at("w.ones", "T")
    browser.tab("Letters")
    _, content = saved(browser, "CSV")
    assert [row[1] for row in table(content)[1:]] == [str(n.bit_count() % 2) for n in range(1000)]
    browser.click("#viewer .close")
    browser.look_at("w.wide", "wide")
    _, content = saved(browser, "CSV")
    assert table(content)[1:] == [[str(x), str(97 * x + 11), "wide"] for x in range(11)]
    _, content = saved(browser, "PNG")
    assert content.startswith(b"\x89PNG")


def test_a_phone_shows_that_there_is_more(browser: Browser, paper: Made) -> None:
    browser.as_phone()
    browser.open(paper.url)
    browser.look_at("pposK2", "pposK2")
    browser.tab("Automaton")
    browser.until("return document.querySelector('#viewer .more')?.hidden === false")
    assert browser.run("const b = document.querySelector('.graph-box'); return b.scrollWidth > b.clientWidth")
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    browser.as_new()
    browser.open(paper.url)
    browser.look_at("pposK2", "pposK2")
    browser.tab("Automaton")
    browser.until("return document.querySelector('#viewer .graph').getAttribute('width')")
    assert browser.run("return document.querySelector('#viewer .more').hidden")
