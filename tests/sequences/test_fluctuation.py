"""Plots of fluctuations: the points are those of the sequence, and the title says that nothing is proved."""

from __future__ import annotations

from math import inf, log
from pathlib import Path

import pytest

import fibprover as fp
from fibprover.base.errors import DigitError, FibproverError

ONES = "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1"


@pytest.mark.parametrize("text", [
    ONES, "?msd_fib a(0)=0, a(n.0)=2a(n), a(n.1)=2a(n)+1", "?msd_3 a(0)=1/3, a(n)=a(floor(n/3))/2 for n>0",
])
def test_points(text: str, tmp_path: Path) -> None:
    found = fp.Session().solve("a", text).sequence.partial_sums()
    plot = fp.fluctuation(found, 1.25)
    assert 500 < plot.last - plot.first < 4096 and len(plot.points) == plot.last - plot.first
    n = plot.first + 77
    x, y = plot.points[77]
    assert x == pytest.approx(log(n / plot.first) / log(plot.last / plot.first))
    assert y == pytest.approx(float(found[n]) / n**1.25)
    assert "not proved" in plot.title and plot.title.split(",")[0] in plot.svg
    assert plot.save(tmp_path / "plot.svg").read_text() == plot.svg


def test_errors() -> None:
    session = fp.Session()
    with pytest.raises(FibproverError, match="one natural number"):
        fp.fluctuation(session.counts(["m", "n"], "i<m & i<n"), 1)
    with pytest.raises(DigitError):
        fp.fluctuation(session.solve("a", ONES).sequence, inf)
    assert fp.fluctuation(session.solve("z", "z(0)=0, z(n)=0 for n>0").sequence).heights == (0.0,) * 2048
