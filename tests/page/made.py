"""Pages made for the tests, and what they contain."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fibprover.frontends.cli.main import main

ROOT = Path(__file__).resolve().parents[2]

#: Texts that would do something if a page took them for HTML.
NASTY_TITLE = "<script>document.title='broken'</script> & \"quotes\""
NASTY_STATEMENT = (
    "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\"> ]]> <!--"
)
NASTY_ID = "t.<b>x</b>&amp;"

#: One of everything: systems of all kinds, words, languages, macros, what goes wrong.
SCRIPT = f"""\
import fibprover as fp
c = fp.Chapter({NASTY_TITLE!r}, source="<i>nobody</i>", system="lsd_fib")
c.reg("shift", [(0, 1), (0, 1)], "([0,0]|([0,1][1,1]*[1,0]))*")
c.script('macro double "%0+%0";')
c.define("less", "x<y & x+y<30")
c.define("even", "Ey x=2*y")
c.theorem({NASTY_ID!r}, "Ax,y $less(x,y) => x<y", statement={NASTY_STATEMENT!r}, source="<u>s</u>")
c.theorem("t.macro", "Ax,y #double(x)=y => $even(y)", statement="twice x is even, a_n <= 2^m", states_paper=12)
c.theorem("t.vacuous", "An Em (m=n+1 => m>n)", statement="nothing of m > n", form="printed")
c.theorem("t.wrong", "Ax $even(x)", statement="every number is even")
c.theorem("t.error", "Ax $odd(x)", statement="no such predicate")
c.theorem("t.long", "Ax x=x", statement="not tried", long=True)
n = fp.Chapter("Integers", source="nowhere", system="msd_neg_2")
n.define("line", "y=2*x")
n.define("sums", "x+y=z & x<y")
n.theorem("n.line", "Ax Ey $line(x,y)", statement="every integer has a double")
n.theorem("n.sums", "Ax,y Ez $line(x,y) => $sums(x,y,z)", statement="or so", form="control")
w = fp.Chapter("Words", source="nowhere", system="msd_2")
w.word("T", [(0, 1), (1, 0)], (0, 1))
w.define("wide", "y=97*x+11 | x=1000")
w.define("big", "x=1023")
w.theorem("w.ones", "En T[n]=@1 & T[n+1]=@1 & (E=2 m m<2)", statement="two ones in a row")
w.theorem("w.wide", "Ex,y $wide(x,y) & $big(x)", statement="a large automaton")
"""


@dataclass(frozen=True)
class Made:
    """A page with the JSON of the same run, and its exit status."""

    file: Path
    found: Any
    status: int

    @property
    def url(self) -> str:
        return self.file.as_uri()

    @property
    def content(self) -> dict[str, Any]:
        """What the page was made of."""
        return content_of(self.file)

    def rows(self) -> list[dict[str, Any]]:
        """The objects of the JSON of `fibprover prove`."""
        assert isinstance(self.found, list)
        return self.found

    def unfolded(self) -> list[dict[str, Any]]:
        """The rows that the page shows at first: all but the controls that fail, or are skipped."""
        return [row for row in self.rows() if row["form"] != "control" or row["verdict"] not in (False, None)]


def content_of(file: Path) -> dict[str, Any]:
    """The JSON inside a page."""
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', file.read_text(), re.DOTALL)
    assert found is not None
    content = json.loads(found[1])
    assert isinstance(content, dict)
    return content


def made(folder: Path, *arguments: str) -> Made:
    """Runs a command with --html and --json."""
    file = folder / "found.json"
    status = main([*arguments, "--html", str(folder / "page"), "--json", str(file)])
    return Made(folder / "page" / "index.html", json.loads(file.read_text()), status)
