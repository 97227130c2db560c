"""Where progress is shown, and that nothing is left of it."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fibprover.base.values import replaced
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.display.progress import Painter, View, Watch
from fibprover.frontends.display.terminal import LONGEST, FileLines, PlainLines, Terminal, best_look, one_line
from fibprover.frontends.display.terminal_rich import coloured

VIEW = View("eval t", 3, "x<y", "a conjunction", 34567, 1_200_000.0, 310 << 20, 2 << 30, 3.44)

_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\r")


class Screen(io.StringIO):
    """A terminal that keeps what is written."""

    def isatty(self) -> bool:
        return True


class Gone(io.StringIO):
    """A terminal that has been closed."""

    def write(self, text: str) -> int:
        raise OSError("gone")


def visible(text: str) -> str:
    """What a terminal shows in the end: lines, erased ones left out."""
    lines = [""]
    for piece in re.split(r"(\r\x1b\[K|\x1b\[1A\x1b\[K|\n)", text):
        if piece == "\n":
            lines.append("")
        elif piece == "\r\x1b[K":
            lines[-1] = ""
        elif piece == "\x1b[1A\x1b[K":
            lines.pop()
            lines[-1] = ""
        else:
            lines[-1] += _CONTROL.sub("", piece)
    return "\n".join(lines)


@pytest.mark.parametrize("look", [one_line, coloured])
def test_views_are_painted_over_each_other(monkeypatch: pytest.MonkeyPatch, look: object) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    screen = Screen()
    terminal = Terminal(screen, look)  # type: ignore[arg-type]
    terminal.paint(VIEW)
    first = visible(screen.getvalue())
    assert "x<y" in first
    terminal.paint(replaced(VIEW, text="y<z"))
    second = visible(screen.getvalue())
    assert "y<z" in second
    assert "x<y" not in second
    assert second.count("\n") == first.count("\n")
    terminal.hide()
    assert visible(screen.getvalue()) == ""
    terminal.hide()
    assert visible(screen.getvalue()) == ""


def test_the_look_of_one_line_fits_and_moves_nothing() -> None:
    shown = one_line(replaced(VIEW, text="a\nb\x1b[2Jc" * 50), 60)
    assert len(shown) == 1
    assert len(shown[0]) == 60
    assert shown[0].isprintable()


@pytest.mark.parametrize("width", [20, 60, 100, 200])
def test_the_coloured_look_fits(width: int) -> None:
    shown = coloured(replaced(VIEW, text="x<y & " * 60), width)
    assert len(shown) == 2
    assert all(len(_CONTROL.sub("", line)) <= width for line in shown)


def test_the_coloured_look_says_the_same() -> None:
    text = _CONTROL.sub("", " ".join(coloured(VIEW, 120)))
    size, memory = "a conjunction: 34567 states so far, 1.2M/s", "310 MiB of 2.0 GiB"
    for part in ("eval t", "step 3", "x<y", size, memory, "3.4 s"):
        assert part in text
    assert "\u2501" in text  # the bar


def test_the_coloured_look_of_nothing_much() -> None:
    view = View("", 0, "", "", None, 0.0, 50 << 20, None, 0.3)
    assert [_CONTROL.sub("", line).strip() for line in coloured(view, 80)] == ["50 MiB  0.3 s"]


def test_without_rich_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_look() is coloured
    monkeypatch.delitem(sys.modules, "fibprover.frontends.display.terminal_rich")
    monkeypatch.setitem(sys.modules, "rich.console", ModuleType("rich.console"))
    assert best_look() is one_line


def test_a_terminal_that_has_gone_does_no_harm() -> None:
    terminal = Terminal(Gone(), one_line)
    terminal.paint(VIEW)
    terminal.hide()
    PlainLines(Gone()).paint(VIEW)


def test_plain_lines_come_ever_more_rarely() -> None:
    stream = io.StringIO()
    plain = PlainLines(stream)
    plain.paint(VIEW)
    plain.paint(replaced(VIEW, text="y\x1b<z"))
    plain.hide()
    assert stream.getvalue().splitlines() == [
        "eval t  step 3  a conjunction: 34567 states so far, 1.2M/s  310 MiB of 2.0 GiB  3.4 s  x<y",
        "eval t  step 3  a conjunction: 34567 states so far, 1.2M/s  310 MiB of 2.0 GiB  3.4 s  y <z",
    ]
    assert [plain.pause(seconds) for seconds in (0.0, 4.0, 40.0, 4000.0)] == [1.0, 1.0, 10.0, 60.0]


def test_plain_lines_end_somewhere() -> None:
    stream = io.StringIO()
    PlainLines(stream).paint(replaced(VIEW, text="x<y & " * 100))
    assert len(stream.getvalue()) == LONGEST + 1
    assert stream.getvalue().endswith("...\n")


def test_a_painter_shows_and_takes_away() -> None:
    class Once:
        """A display that ends the waiting after its first view."""

        def __init__(self) -> None:
            self.views: list[View] = []
            self.hidden = 0

        def pause(self, seconds: float) -> float:
            return 0.0 if not self.views else 3600.0

        def paint(self, view: View) -> None:
            self.views.append(view)

        def hide(self) -> None:
            self.hidden += 1

    once = Once()
    watch = Watch("something")
    with Painter(watch, once) as painter:
        painter.start()  # it runs already
        while not once.views:
            pass
    assert [view.title for view in once.views] == ["something"]
    assert once.hidden == 1


@pytest.mark.parametrize(
    ("mode", "stream", "shown"),
    [
        ("auto", Screen(), Terminal), ("auto", io.StringIO(), None), ("none", Screen(), None),
        ("plain", io.StringIO(), PlainLines), ("plain", Screen(), PlainLines),
    ],
)
def test_modes(mode: str, stream: io.StringIO, shown: type | None) -> None:
    progress = Progress(mode, stream)
    assert progress.display is None if shown is None else isinstance(progress.display, shown)
    assert progress.stream is (None if shown is None else stream)


def test_a_file_gets_a_line_every_ten_seconds_and_a_pipe_none(tmp_path: Path) -> None:
    file = tmp_path / "log"
    with file.open("w") as stream:
        progress = Progress("auto", stream, started=False)
        assert isinstance(progress.display, FileLines)
        assert {progress.display.pause(seconds) for seconds in (0.0, 9.0, 1e6)} == {10.0}
        progress.show(["too soon"])
        progress.due = 0.0
        progress.show(["3 of 7", "K2.stable"])
        progress.show(["too soon"])
        assert Progress("none", stream).display is None
    assert file.read_text().startswith("3 of 7  K2.stable  ") and file.read_text().count("\n") == 1
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w") as pipe:
        assert Progress("auto", pipe, started=False).display is None


def test_output_goes_past_the_progress(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    with Progress("auto", screen, started=False) as progress:
        progress.due = 0.0
        progress.show(["3 of 7", "K2.stable"])
        assert visible(screen.getvalue()).startswith("3 of 7  K2.stable  ")
        progress.say("answer")
        assert visible(screen.getvalue()) == ""
        progress.show(["too soon"])
        assert visible(screen.getvalue()) == ""
        progress.warn("remark")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("answer\n", "remark\n")
    assert visible(screen.getvalue()) == ""
