"""What is said of a computation while it runs."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace

import pytest

from fibprover.automata.kernel_calls import metered
from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Gauge, Limits
from fibprover.base.values import replaced
from fibprover.frontends.display.progress import View, Watch, amount, duration, line, memory, rounded, share, size
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.session import Session

VIEW = View("eval t", 3, "x<y", "a conjunction", 34567, 1_200_000.0, 310 << 20, 2 << 30, 3.44)


def watched(limits: Limits, watch: Watch) -> Session:
    session = Session(limits=watch.over(limits))
    session.options = replace(session.options, watch=watch.step)
    return session


def test_steps_are_counted_and_the_last_one_is_shown() -> None:
    watch = Watch("eval t")
    verdict = watched(Limits(bytes=1 << 40), watch).eval("Ax,y x+y=y+x")
    view = watch.view()
    assert view.title == "eval t"
    assert verdict.trace is not None
    records = verdict.trace.records
    assert view.steps == len(records) > 0
    assert (view.text, view.states) == (records[-1].label, records[-1].states)
    assert (view.building, view.rate) == ("", 0.0)
    assert view.most_bytes == 1 << 40
    assert view.held > 1 << 20


@pytest.mark.parametrize("later", [lambda v: v.vacuity(), lambda v: v.vacuity(deep=True), lambda v: v.evidence])
def test_steps_of_vacuity_and_evidence_are_counted(later: Callable[[Verdict], object]) -> None:
    watch = Watch()
    session = watched(Limits(), watch)
    session.define("small", "x<5 | x=2")
    verdict = session.prove("Ex,y $small(x) & (y=x+1 => y>x)")
    before = watch.view().steps
    copy = pickle.loads(pickle.dumps(verdict))
    assert later(verdict)
    after = watch.view().steps
    assert after > before
    assert later(copy) and watch.view().steps == after


def test_what_is_under_construction_when_it_ends() -> None:
    """At every moment of a construction the gauge knows what it is, and how large so far."""
    watch = Watch()
    seen: list[View] = []
    gauge = watch.gauge

    class Listening(Gauge):
        __slots__ = ()

        def leave(self) -> None:
            seen.append(watch.view())
            super().leave()

    watch.gauge = Listening()
    assert gauge is not watch.gauge
    session = watched(Limits(states=50), watch)
    with pytest.raises(BudgetSpent), watch.observing():
        session.eval("x+y=3 & 1001*a-999*b=c")
    last = seen[-1]
    assert last.building == "a linear atom"
    assert last.states is not None
    assert last.states > 50
    assert last.text == "1001*a-999*b=c"
    assert watch.view().building == ""
    assert watch.gauge.texts == []


def test_the_rate_is_that_of_one_construction() -> None:
    watch = Watch()
    with watch.observing():
        budget = Limits().start()
    assert Limits().start().gauge is None
    with metered(budget, "something"):
        assert watch.view().rate == 0.0
        assert watch.view().building == "something"
    with metered(budget, "something else"):
        assert watch.view().rate == 0.0
    assert watch.view().states is None


def test_limits_are_the_same_limits() -> None:
    limits = Limits(states=5, seconds=2.0)
    assert Watch().over(limits) == limits
    assert Watch().over(limits).start().states == 5


def test_a_line() -> None:
    assert line(VIEW) == (
        "eval t  step 3  a conjunction: 34567 states so far, 1.2M/s  310 MiB of 2.0 GiB  3.4 s  x<y"
    )


def test_a_line_at_the_beginning() -> None:
    view = View("", 0, "", "", None, 0.0, 50 << 20, None, 0.26)
    assert line(view) == "50 MiB  0.3 s"
    assert size(view) == ""
    assert memory(view) == "50 MiB"


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (34, "34"), (999.4, "999"), (999.6, "1.0k"), (1200, "1.2k"), (34567, "35k"), (1.2e6, "1.2M"),
     (5e15, "5000T")],
)
def test_rounding(number: float, text: str) -> None:
    assert rounded(number) == text


def test_what_does_not_grow_has_no_states() -> None:
    view = View("", 1, "x<y", "a minimal automaton", 0, 0.0, 50 << 20, None, 0.26)
    assert size(view) == "a minimal automaton"
    assert size(replaced(view, states=5)) == "a minimal automaton: 5 states so far"
    assert size(replaced(view, states=1)) == "a minimal automaton: 1 state so far"
    assert size(replaced(view, states=1, building="")) == "1 state"


def test_amounts() -> None:
    assert [amount(size) for size in (0, 1 << 20, (1 << 30) - (1 << 20), 3 << 29)] == [
        "0 MiB", "1 MiB", "1023 MiB", "1.5 GiB"
    ]


@pytest.mark.parametrize(
    ("done", "total", "seconds", "said"),
    [
        (0, 0, 9.0, "0 of 0"), (0, 40, 9.0, "0 of 40 (0%)"), (1, 40, 60.0, "1 of 40 (2%)"),  # too early to guess
        (20, 40, 1.0, "20 of 40 (50%)"), (20, 40, 30.0, "20 of 40 (50%, about 30 s left)"),
        (10, 40, 60.0, "10 of 40 (25%, about 3 min left)"), (40, 40, 60.0, "40 of 40 (100%)"),
        (1196, 1197, 60.0, "1196 of 1197 (99%, about 1 s left)"),
    ],
)
def test_how_much_is_done(done: int, total: int, seconds: float, said: str) -> None:
    assert share(done, total, seconds) == said


def test_times_to_come() -> None:
    times = [duration(seconds) for seconds in (0.1, 89, 91, 3600, 6600)]
    assert times == ["1 s", "89 s", "2 min", "60 min", "1 h 50 min"]
