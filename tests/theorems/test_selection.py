"""Which theorems are tried."""

from __future__ import annotations

import pytest

from tests.theorems.scripts import HEAD, TRUE, Prove, Write, cells, verdicts


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


# -- theorems that take long -----------------------------------------------------------------------

LONG = TRUE + (
    "c.theorem('t.long', 'Ax x=x', statement='it takes long', states_paper=5, long=True)\n"
    "c.define('bad', 'x=')\n"
    "c.theorem('t.longer', '$bad(1)', statement='it takes longer', long=True)\n"
)


def test_long_theorems_are_listed_as_skipped_and_counted(write: Write, prove: Prove) -> None:
    status, objects, out, err = prove(write(LONG))
    assert (status, err) == (0, "")
    assert verdicts(objects) == {"t.true": True, "t.long": None, "t.longer": None}
    assert [row["skipped"] for row in objects] == [False, True, True]
    shown = cells(out, "t.long")
    assert [shown[head] for head in ("verdict", "expected", "paper", "seconds")] == ["skipped", "-", "5", "-"]
    assert out.splitlines()[-1].startswith("all 1 theorem as expected, 2 skipped (--long tries them as well) (")


@pytest.mark.parametrize(
    ("arguments", "tried"),
    [
        (("--long",), {"t.true", "t.long", "t.longer"}),
        (("-k", "t.long"), {"t.long"}),
        (("-k", "T.LONG"), {"t.long"}),
        (("-k", "t.long*"), set()),
        (("-k", "long"), set()),
        (("-k", "long", "--long"), {"t.long", "t.longer"}),
        (("-k", "true"), {"t.true"}),
    ],
)
def test_long_theorems_are_tried_on_request_and_by_their_whole_id(
    write: Write, prove: Prove, arguments: tuple[str, ...], tried: set[str]
) -> None:
    status, objects, _, _ = prove(write(LONG), *arguments)
    assert {row["id"] for row in objects if not row["skipped"]} == tried
    assert status == (2 if "t.longer" in tried or not tried else 0)


def test_what_only_long_theorems_need_is_not_carried_out(write: Write, prove: Prove) -> None:
    status, objects, _, err = prove(write(LONG), "-k", "longer")
    assert (status, [row["skipped"] for row in objects]) == (2, [])
    assert err.startswith("error: no theorem was tried: t.longer is tagged as long") and "--long" in err
