"""The contents of a folder of scripts: the order of its chapters, and what is wrong with such a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from fibprover.base.errors import FileProblem
from fibprover.campaigns.bundled import bundled_folder
from fibprover.campaigns.theorems.contents import FILE, contents
from fibprover.campaigns.theorems.scripts import collect, scripts, shown_file
from tests.theorems.scripts import TRUE

PROOFS = Path(__file__).resolve().parents[2] / "proofs"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.py", "b.py", "below/c.py", "d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(TRUE.replace("t.true", name))
    return tmp_path


def names(folder: Path) -> list[str]:
    return [file.relative_to(folder).as_posix() for file in scripts([folder])]


def test_without_contents_scripts_are_sorted(folder: Path) -> None:
    assert contents(folder) is None
    assert names(folder) == ["a.py", "b.py", "below/c.py", "d.py"]


def test_the_order_is_that_of_the_contents(folder: Path) -> None:
    (folder / FILE).write_text('title = "T"\n[[part]]\ntitle = "P"\nscripts = ["d.py"]\n'
                               '[[part]]\ntitle = "Q"\nabout = """two\nlines"""\nscripts = ["below/c.py", "a.py"]\n')
    assert names(folder) == ["d.py", "below/c.py", "a.py", "b.py"]
    found = contents(folder)
    assert found is not None
    assert [(part.title, part.about) for part in found.parts] == [("P", ""), ("Q", "two lines")]
    assert [found.place(folder / name)[0] for name in names(folder)] == [0, 1, 1, 2]
    assert found.place(folder.parent / "d.py") == (2, 0)  # a script of that name elsewhere


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = 'x'\nabout = x", "line 2"),
        ("about = 'x'", "`title` is missing"), ("title = 3", "`title` is no text"),
        ("title = 'x'\nchapters = []", "unknown key `chapters`"),
        ("title = 'x'\npart = 'a.py'", "not a list of tables"),
        ("title = 'x'\npart = ['a.py']", "not a list of tables"),
        ("title = 'x'\n[[part]]\ntitle = 'p'", "no list `scripts`"),
        ("title = 'x'\n[[part]]\ntitle = 'p'\nscripts = ['x.py']", "no such script: x.py"),
        ("title = 'x'\n[[part]]\ntitle = 'p'\nscripts = ['a.py', 'a.py']", "a.py is named twice"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, text: str, said: str) -> None:
    (folder / FILE).write_text(text)
    with pytest.raises(FileProblem, match=said) as caught:
        scripts([folder])
    assert str(folder / FILE) in str(caught.value)


def test_no_text(folder: Path) -> None:
    (folder / FILE).write_bytes(b"title = '\xff'")
    with pytest.raises(FileProblem, match="not UTF-8"):
        contents(folder)


def test_the_paper_comes_first_and_every_script_has_its_part() -> None:
    found = contents(PROOFS)
    assert found is not None
    places = [found.place(chapter.place.file)[0] for chapter in collect(scripts([PROOFS])).chapters]
    assert places == sorted(places) and set(places) == set(range(len(found.parts)))
    assert found.parts[0].scripts[:3] == ("hofstadter_g.py", "k2.py", "k1.py")


def test_scripts_that_come_with_fibprover_are_shown_without_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own" / "a.py"
    monkeypatch.chdir(tmp_path)
    assert shown_file(str(bundled_folder() / "k2.py")) == "proofs/k2.py"
    assert shown_file(str(own)) == str(Path("own", "a.py"))
    monkeypatch.chdir(bundled_folder())
    assert shown_file(str(own)) == str(own)
    assert shown_file(str(bundled_folder() / "k2.py")) == "k2.py"
