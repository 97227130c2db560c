"""The site of the documentation: whole, by itself, and without a broken link."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import fibprover
from tests.site.built import Document, Site
from tests.site.conftest import ROOT, build

DOCS = ROOT / "docs"

PAGES = sorted([*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")])


def html_of(page: Path) -> str:
    return page.relative_to(DOCS).with_suffix(".html").as_posix()


def test_every_page_is_there_and_in_the_navigation(site: Site) -> None:
    links = {urlsplit(link).path for link in site.document("index.html").links}
    assert {html_of(page) for page in PAGES} <= links
    assert all((site.folder / html_of(page)).is_file() for page in PAGES)


def test_formulas_in_tables_have_no_backslash_before_a_bar(site: Site) -> None:
    page = (site.folder / "words" / "F.html").read_text()
    assert "F[n]=@0) | (" in page and "\\|" not in page


def test_nothing_is_fetched_from_elsewhere(site: Site) -> None:
    fetched = {what for document in site.documents.values() for what in document.fetched}
    assert len(fetched) > 5
    assert [what for what in fetched if urlsplit(what).scheme not in ("", "data") or what.startswith("//")] == []
    styles = "".join(file.read_text() for file in site.folder.rglob("*.css"))
    inline = "".join(file.read_text() for file in site.documents)
    for text in (styles, inline):
        assert not re.search(r"@import|url\(\s*[\"']?(?:https?:)?//", text)
    assert "fonts.g" not in styles + inline


def test_links_and_anchors_lead_somewhere(site: Site) -> None:
    # The fragment of a link into the playground is a cell, and no anchor.
    broken = [
        (page.name, link) for page, document in site.documents.items() if page.name != "404.html"
        for link in document.links if site.broken(page, link.partition("#language=")[0])
    ]
    assert broken == []


def test_images_and_scripts_are_there(site: Site) -> None:
    images = 0
    for page, document in site.documents.items():
        if page.name == "404.html":  # which is made for the root of a server
            continue
        images += len(document.images)
        lost = [what for what in document.fetched if not what.startswith("data:") and site.broken(page, what)]
        assert lost == [], page
    assert images >= 5


def test_the_search_itself_finds_broken_links(tmp_path: Path) -> None:
    """Of the tests above."""
    (tmp_path / "a.html").write_text('<h1 id="x">A</h1><a href="a.html#x"></a><a href="a.html#y"></a><a href="b.html">')
    (tmp_path / "c.html").write_text('<script src="https://example.org/s.js"></script><img src="no.png">')
    found = Site(tmp_path)
    page = tmp_path / "a.html"
    assert [found.broken(page, link) for link in found.document("a.html").links] == [False, True, True]
    assert isinstance(found.document("c.html"), Document)
    assert found.document("c.html").fetched == ["https://example.org/s.js", "no.png"]


def test_the_search_has_an_index(site: Site) -> None:
    index = json.loads(site.text("search/search_index.json"))
    texts = {each["location"]: each["text"] for each in index["docs"]}
    assert {html_of(page) for page in PAGES} <= set(texts)
    assert "counterexample" in texts["tour.html#ask"]
    assert not any(location.startswith("source/") for location in texts)
    script = site.text("search/search_index.js")
    assert json.loads(script.removeprefix("var __index = ").rstrip().rstrip(";")) == index
    # What cells of the notebook show is no text of its.
    assert all("states" not in text for place, text in texts.items() if place.endswith("#k1"))


def test_files_outside_the_docs_are_shown(site: Site) -> None:
    assert "Chapter" in site.text("source/proofs/k2.py.html")
    links = site.document("source/proofs.html").links
    assert "proofs/k2.py.html" in links
    assert 'href="source/proofs/k2.py.html"' in site.text("paper.html")
    assert "paper_commands.txt" in site.text("source/proofs.html")


def test_links_called_as_files_are_called_as_pages(site: Site) -> None:
    assert not re.search(r"<a href=\"[^\"]*\">[\w/-]+\.(?:md|ipynb)</a>", site.text("cli.html"))
    assert re.search(r'<a href="systems.html">Numeration systems</a>', site.text("cli.html"))


class TestNotebook:
    def test_cells_are_executed(self, site: Site) -> None:
        text = site.text("notebooks/paper.html")
        assert len(re.findall(r'<div class="output">', text)) >= 18
        assert text.count("<svg") + text.count("data:image") >= 12
        assert text.count("TRUE") >= 18 and "least counterexample: p = 4, q = 6, r = 0, s = 2" in text
        assert "Traceback" not in text
        assert 'id="output-' not in text

    def test_formulas_are_drawn(self, site: Site) -> None:
        text = site.text("notebooks/paper.html")
        assert text.count("<math") >= 20
        assert not re.search(r">[^<]*\$[^<$]*\\[a-z]+[^<$]*\$", text)

    def test_formulas_are_in_their_sentences(self, site: Site) -> None:
        article = re.search(r"<article.*</article>", site.text("notebooks/paper.html"), re.DOTALL)
        assert article is not None
        outside = re.sub(r"<(p|h1|h2|h3|li)\b.*?</\1>", "", article[0], flags=re.DOTALL)
        assert "<math" not in outside
        assert not re.search(r"<p>\s*;", article[0])


def _names_of_method(name: str) -> set[str]:
    """Return the names under which the page may show a method of a session: its own, and that of the command it is."""
    function = getattr(fibprover.Session, name)
    return {f"fibprover.Session.{name}", f"{function.__module__}.{function.__qualname__}"}


class TestPython:
    """The page of what Python may use."""

    def test_every_public_name_is_there(self, site: Site) -> None:
        ids = site.document("api.html").ids
        names = [name for name in fibprover.__all__ if name not in ("games", "__version__")]
        assert [name for name in names if f"fibprover.{name}" not in ids] == []
        assert [name for name in fibprover.games.__all__ if f"fibprover.games.{name}" not in ids] == []
        public = [name for name in dir(fibprover.Session) if not name.startswith("_")]
        assert [name for name in public if not _names_of_method(name) & set(ids)] == []

    def test_nothing_private_is_there(self, site: Site) -> None:
        ids = [each for each in site.document("api.html").ids if each.startswith("fibprover.")]
        assert len(ids) > 150
        assert [each for each in ids if re.search(r"\._[a-z]", each)] == []

    def test_everything_has_a_text(self, site: Site) -> None:
        """A heading is followed by a signature, and that by a sentence."""
        text = site.text("api.html")
        bodies = re.findall(r'<div class="doc doc-contents[^"]*">(.*?)(?=<div class="doc doc-|</article>)', text, re.S)
        assert len(bodies) > 100
        assert [body for body in bodies if "<p>" not in body] == []

    def test_docstrings_are_what_they_were_meant_to_be(self, site: Site) -> None:
        """Lists follow "Parameters:" or "Fields:", nothing was taken for emphasis, each backtick has its other one."""
        text = site.text("api.html")
        article = text[text.index("<article") : text.index("</article>")]
        assert not re.search(r"<(?:em|strong|blockquote|ol)[ >]", article)
        lists = [article[: found.start()].rstrip().rpartition("<p>")[2] for found in re.finditer(r"<ul[ >]", article)]
        assert set(lists) == {"Parameters:</p>", "Fields:</p>"}
        for paragraph in re.findall(r"<p>(.*?)</p>", article, re.S):
            assert not re.search(r"`|\*\*|::", re.sub(r"<code>.*?</code>", "", paragraph, flags=re.S)), paragraph

    def test_parameters_are_set_as_code(self, site: Site) -> None:
        assert "<code>limits</code>: what each evaluation may spend" in site.text("api.html")


@pytest.mark.long
def test_what_is_wrong_stops_the_build(tmp_path: Path) -> None:
    """A link or an anchor that leads nowhere, in docs/ or out of it."""
    for name in ("docs", "website", "proofs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("fibprover", "fibprover_ext", "benchmarks", "tests", "mkdocs.yml"):
        (tmp_path / name).symlink_to(ROOT / name)
    configuration = tmp_path / "mkdocs.yml"
    configuration.unlink()
    configuration.write_text((ROOT / "mkdocs.yml").read_text())
    with (tmp_path / "docs" / "tour.md").open("a") as page:
        page.write("\n[a](cli.md#nowhere) [b](nowhere.md) [c](../proofs/nowhere.py)\n")
    (tmp_path / "docs" / "new.md").write_text("# New\n")
    done = build(configuration, tmp_path / "site")
    assert done.returncode != 0
    for link in ("cli.md#nowhere", "'nowhere.md'", "source/proofs/nowhere.py.md"):
        assert link in done.stderr
    assert "new.md" not in done.stderr  # it gets its place


@pytest.mark.parametrize("page", ["index.html", "api.html", "notebooks/paper.html"])
def test_pages_are_not_huge(site: Site, page: str) -> None:
    assert (site.folder / page).stat().st_size < 4_000_000
