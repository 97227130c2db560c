"""`fibprover.watched` around what Python asks."""

from __future__ import annotations

import subprocess
import sys

import pytest

import fibprover as fp
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.frontends.display.progress import Watch
from fibprover.frontends.display.terminal import PlainLines
from fibprover.frontends.display.watching import display_for, in_notebook
from tests.cli.command import HEAVY


@pytest.mark.long
def test_the_session_is_watched_inside_the_block(capsys: pytest.CaptureFixture[str]) -> None:
    s = fp.Session(limits=fp.Limits(seconds=1.3))
    before = s.options
    with fp.watched(s, "plain") as watch:
        watch.title = "much ado"
        with pytest.raises(BudgetSpent):
            s.eval(f"a<3 & {HEAVY}")
    assert s.options == before
    assert s.namespace.budget().gauge is None
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith("much ado  step 1  a linear atom: ")


def test_what_is_changed_inside_stays(capsys: pytest.CaptureFixture[str]) -> None:
    s = fp.Session()
    with fp.watched(s) as watch:
        s.options = s.options.__class__("textbook", s.options.limits, s.options.watch)
        assert s.prove("Ax x=x")
    assert s.options.plan == "textbook"
    assert s.options.watch is None
    assert watch.steps > 0
    assert capsys.readouterr().err == ""


def test_a_search_is_watched_without_a_session() -> None:
    with fp.watched() as watch:
        theorem = fp.discover(
            "terminal(1)", "msd_fib", notify=watch.notify, limits=watch.over(fp.Limits(seconds=60)), with_findings=False
        )
    assert theorem
    assert watch.title == "msd_fib: proof with 5 states"


def test_displays() -> None:
    assert display_for(Watch(), "none") is None
    assert display_for(Watch(), "auto") is None  # the tests have no terminal
    assert isinstance(display_for(Watch(), "plain"), PlainLines)
    with pytest.raises(FibproverError, match="'loud'"):
        display_for(Watch(), "loud")
    assert not in_notebook()


def test_ipython_is_not_needed() -> None:
    use = "s = fp.Session()\nwith fp.watched(s): s.eval('Ax x=x')\n"
    code = f"import sys, fibprover as fp\n{use}print('IPython' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "False\n"
