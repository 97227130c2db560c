"""SVG, PNG and PDF of automata and boards as their readers load them: XML, Pillow, poppler."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.formats.dot import installed
from fibprover.frontends.cli.main import main
from fibprover.frontends.display.drawing import Form, LayoutName, drawing_of
from tests.foreign.programs import needs, said
from tests.foreign.test_automata import NAMES

A = build((Track("n", (0, 1)),), [{0: 0, 1: 1}, {0: 1}], [1, 0])

#: Names that fit on one page.
SHORT = [name for name in NAMES if len(name) < 50]

LAYOUTS: list[LayoutName] = ["own", "graphviz"] if installed() else ["own"]


def drawn(a: Dfa, name: str, form: Form, layout: LayoutName) -> bytes:
    if form in ("png", "pdf") and layout == "own":
        pytest.importorskip("matplotlib")
    return drawing_of(a, name, form, layout=layout)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_svg(layout: LayoutName) -> None:
    for name in [*SHORT, "\x00\x1b[1m\u200b"]:
        root = ElementTree.fromstring(drawn(A, name, "svg", layout))
        texts = [" ".join("".join(each.itertext()).split()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
        assert {"0", "1"} <= set(texts)
        if name.isprintable():
            assert " ".join(f"{name} (n)".split()) in texts, (name, texts)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_png(layout: LayoutName) -> None:
    image = pytest.importorskip("PIL.Image")
    for name in ("a", 'a"$x_1$\\%<b>'):
        with image.open(io.BytesIO(drawn(A, name, "png", layout))) as opened:
            opened.load()
            assert opened.format == "PNG" and min(opened.size) > 40
            assert len(opened.convert("L").getcolors() or ()) > 2  # it is not blank


@needs("pdftotext", "poppler")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pdf(layout: LayoutName, tmp_path: Path) -> None:
    for name in ("a", 'a"$x_1$\\%<b>&lt;'):
        (tmp_path / "x.pdf").write_bytes(drawn(A, name, "pdf", layout))
        words = said(["pdftotext", "-layout", "x.pdf", "-"], tmp_path).split()
        assert {name, "(n)"} <= set(words) and words.count("0") >= 2 and words.count("1") >= 2, words


def test_boards(tmp_path: Path) -> None:
    assert main(["board", "terminal(1)", "--size", "20", "-o", str(tmp_path / "b.svg")]) == 0
    ElementTree.fromstring((tmp_path / "b.svg").read_bytes())
    pytest.importorskip("matplotlib")
    assert main(["board", "terminal(1)", "--size", "20", "-o", str(tmp_path / "b.png")]) == 0
    with pytest.importorskip("PIL.Image").open(tmp_path / "b.png") as opened:
        opened.load()
