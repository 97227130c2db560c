"""Which theorems are tried."""

from __future__ import annotations

import pytest

from tests.theorems.scripts import HEAD, TRUE, Prove, Write


@pytest.mark.parametrize(
    ("pattern", "ids"),
    [("one", ["a.one", "b.one"]), ("A.", ["a.one", "a.two"]), ("a.*", ["a.one", "a.two"]), ("[b]*", ["b.one"])],
)
def test_k_selects_ids(write: Write, prove: Prove, pattern: str, ids: list[str]) -> None:
    script = HEAD + "".join(f"c.theorem('{name}', '1=1', statement='s')\n" for name in ("a.one", "a.two", "b.one"))
    status, objects, _, _ = prove(write(script), "-k", pattern)
    assert (status, [row["id"] for row in objects]) == (0, ids)


def test_a_chapter_runs_no_further_than_its_last_selected_theorem(write: Write, prove: Prove) -> None:
    script = TRUE + "c.define('bad', 'x=')\nc.theorem('late', '$bad(1)', statement='s')\n"
    assert prove(write(script), "-k", "t.true")[0] == 0
    assert prove(write(script))[0] == 2


@pytest.mark.parametrize("text", [TRUE, "x = 1\n"])
def test_nothing_to_prove_is_an_error(write: Write, prove: Prove, text: str) -> None:
    status, objects, _, err = prove(write(text), "-k", "nothing")
    assert (status, objects) == (2, []) and "no theorem" in err
