"""Counts of the textbook plan: when they hold, and what the kept ones say of the published numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

import fibprover as fp
from fibprover.campaigns.theorems.chapter import claim_of
from fibprover.campaigns.theorems.counts import FILE, TextbookCount, TextbookCounts, counted, fingerprint, read, write
from fibprover.campaigns.theorems.scripts import collect, scripts

PROOFS = Path(__file__).resolve().parents[2] / "proofs"

FORMULA = "An $f(n) => W[n]=0"


def session(system: str = "msd_fib", f: str = "x=2", coding: tuple[int, int] = (0, 1)) -> fp.Session:
    made = fp.Session(system)
    made.define_morphic_word("W", [[0, 1], [0]], coding, system="msd_fib")
    made.define("f", f)
    made.macro("same", "$f(%0)")
    return made


def test_a_fingerprint_is_of_the_text_the_system_and_what_names_mean() -> None:
    known = fingerprint(FORMULA, session())
    assert fingerprint("An   $f(n)\n=> W[n]=0", session()) == known
    assert fingerprint("An #same(n) => W[n]=0", session()) == known
    assert fingerprint(FORMULA, session(f="y=1+1")) == known
    others = [
        fingerprint("An $f(n) => W[n]=1", session()),
        fingerprint(FORMULA, session(f="x=3")),
        fingerprint(FORMULA, session(coding=(1, 0))),
        fingerprint(FORMULA, session(f="?msd_2 x=2")),
        fingerprint(FORMULA, fp.Session("msd_fib")),  # f and W mean nothing
    ]
    assert len({known, *others}) == 1 + len(others)
    assert fingerprint("Ax x=x", session()) != fingerprint("Ax x=x", session("msd_2"))


def test_a_raw_language_is_not_the_relation_it_stands_for() -> None:
    raw, closed = fp.Session("msd_fib"), fp.Session("msd_fib")
    relation = raw.reg("f", ["msd_fib"], "0*(10*)?")
    closed.define("f", relation)
    assert fingerprint("Ax $f(x)", raw) != fingerprint("Ax $f(x)", closed)


def test_no_formula_has_no_fingerprint() -> None:
    with pytest.raises(fp.FibproverError):
        fingerprint("Ax x=", fp.Session())


def test_a_count_names_the_largest_part_and_the_published_one() -> None:
    made = fp.Session("msd_fib", plan="textbook")
    trace = made.eval("Ax,y x+y=y+3 => x<5").trace
    assert trace is not None
    sizes = dict(trace.steps())
    small = min(sizes.values())
    count = counted(trace, small, "hash", 1.5, None)
    assert count.states == max(sizes.values()) == sizes[count.label]
    assert count.paper is not None and sizes[count.paper] == small
    assert counted(trace, 10**6, "hash", 1.5, None).paper is None


def test_counts_are_written_and_read(tmp_path: Path) -> None:
    count = TextbookCount("hash", 645, "a & b", "a", "", 1.5, 10**9)
    counts = TextbookCounts({"limit_seconds": 300}, {"t": count})
    write(tmp_path / FILE, counts)
    again = read(tmp_path / FILE)
    assert again == counts
    assert (again.seconds, again.peak_bytes) == (1.5, 10**9)
    assert read(tmp_path / "missing.json") == TextbookCounts({}, {})
    (tmp_path / FILE).write_text("{}")
    with pytest.raises(fp.FibproverError, match="does not hold counts"):
        read(tmp_path / FILE)


def test_the_published_numbers_are_those_of_parts_of_the_formulas() -> None:
    """All but "approximately 11000"; and one, 449, is not the largest."""
    counts = read(PROOFS / FILE).by_id
    claims = [claim for chapter in collect(scripts([PROOFS])).chapters for claim in map(claim_of, chapter.declarations)]
    published = {claim.id: claim.states_paper for claim in claims if claim is not None and claim.states_paper}
    assert {27, 73, 28, 449, 2130, 5140, 6452, 34813, 116141} <= set(published.values())
    for name, number in published.items():
        count = counts[name]
        assert not count.spent
        if number == 11000:
            assert 10_500 < count.states < 11_500
        else:
            assert count.paper is not None, name
            assert count.states == (645 if number == 449 else number), name
