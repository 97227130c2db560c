"""Markdown as its readers show it: CommonMark with tables, as on GitHub, and Python-Markdown, which makes the site."""

from __future__ import annotations

import string
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fibprover as fp
from fibprover.base.markdown import code, escaped, row_of
from fibprover.frontends.cli.main import main
from tests.foreign.test_latex import WORDS

Render = Callable[[str], str]

#: Texts that Markdown takes for lists, links, emphasis, HTML, tables and entities.
TEXTS = (
    "2*n + 3*m", "a<b and c>d", "<script>x</script>", "&lt;b&gt; &#65;", "W[i][j] [x](y) ![z](t) [x]: y", "F1_G1",
    "_x_ __y__", "a|b || c \\| d", "`x` ``y` \\`", "~~a~~ ~b~", "# x", "x #", "> x", "- x", "+ x", "12. x", "3) x",
    "--- x", "1.5", "-1, 0, 1", "\\", "\\\\*", "* * *", "***", "x  \ny\r\n\nz", "http://x.y", "a_1 *b* c_2",
    "x^2^", "$a$ {: .b} {#c}", "x {: #d }", "==x==", "",
)


def renders() -> list[Render]:
    """The readers that are installed."""
    found: list[Render] = []
    with suppress(ImportError):
        common = import_module("markdown_it").MarkdownIt("commonmark")
        found.append(common.enable(["table", "strikethrough"]).render)
    with suppress(ImportError):
        found.append(partial(import_module("markdown").markdown, extensions=["tables", "attr_list"]))
    return found


RENDERS = renders()
needs_markdown = pytest.mark.skipif(not RENDERS, reason="markdown-it-py is not installed")


class Cells(HTMLParser):
    """The texts of headings, paragraphs, items and cells, in order, and all tags."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag in ("td", "th", "h1", "h2", "li", "p") and not (tag == "p" and self.texts and self.texts[-1] == ""):
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.texts:
            self.texts[-1] += data


def shown(html: str) -> tuple[list[str], set[str]]:
    parser = Cells()
    parser.feed(html)
    return [" ".join(text.split()) for text in parser.texts], parser.tags


def check(text: str) -> None:
    """In a table, as an item and as a heading the text is shown, and nothing else; so is the same as code."""
    plain = " ".join(text.split())
    for render in RENDERS:
        page = [row_of(["", "x"]), "|---|---|", row_of([escaped(text), "y"])]
        texts, tags = shown(render("\n".join(page)))
        assert texts == ["", "x", plain, "y"], (render, page)
        assert tags <= {"table", "thead", "tbody", "tr", "th", "td"}
        if plain:
            texts, tags = shown(render(f"# {escaped(text)}\n\n- {escaped(text)}\n"))
            assert texts == [plain, plain] and tags <= {"h1", "ul", "li", "p"}, (render, escaped(text))
            texts, tags = shown(render(f"- of {code(text)} and\n"))
            assert texts == [f"of {plain} and"] and tags <= {"ul", "li", "code"}, (render, code(text))


@needs_markdown
@pytest.mark.parametrize("text", TEXTS)
def test_texts(text: str) -> None:
    check(text)


def test_no_text_is_a_formula() -> None:
    """GitHub and Jupyter set what is between dollars in math."""
    assert "$" not in escaped("it costs $a$ or $$b$$")


@needs_markdown
@given(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join) | st.text(string.printable))
def test_any_text(text: str) -> None:
    check(text)


@needs_markdown
@pytest.mark.parametrize("formula", ["x=1|y=2", "`($p(x))|x=1", "a||b"])
def test_code_in_a_table(formula: str) -> None:
    """Python-Markdown shows the backslash, which the site's hook takes away (tests/site/test_site.py)."""
    markdown_it = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    texts, tags = shown(markdown_it.render("\n".join([row_of(["x"]), "|---|", row_of([code(formula)])])))
    assert texts == ["x", formula] and "code" in tags


@needs_markdown
def test_a_report_and_a_sheet(tmp_path: Path) -> None:
    """The table of `prove --markdown` has the ids and statements; that of `study --markdown` the lines."""
    names = {"a*b*_c_": "a<b and c>d | 2*n & 3*m", "t.<b>x</b>": "- `W`[n][m] &lt; ~~1~~"}
    lines = ["import fibprover as fp", 'c = fp.Chapter("T", source="<i>*S*</i>", system="msd_2")']
    lines += [f"c.theorem({name!r}, 'Ax x=x', statement={statement!r})" for name, statement in names.items()]
    (tmp_path / "t.py").write_text("\n".join(lines))
    assert main(["prove", str(tmp_path / "t.py"), "--markdown", str(tmp_path / "t.md"), "--no-vacuity"]) == 0
    sheet = fp.study("SC", only=("complexity", "reversal"))
    pair = sheet.beside(fp.study("CA", only=("complexity", "reversal")))
    for render in RENDERS:
        texts, tags = shown(render((tmp_path / "t.md").read_text()))
        assert all(name in texts and statement in texts for name, statement in names.items()), texts
        assert texts.count("*S*") == 0 and texts.count("<i>*S*</i>") == len(names)
        assert tags <= {"h1", "h2", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "strong"}
        sentences, statements = shown(render(sheet.to_markdown()))[0], shown(render(pair.to_markdown()))[0]
        assert all(line.text in sentences and line.statement in statements for line in sheet.lines)
