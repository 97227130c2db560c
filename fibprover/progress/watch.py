"""What there is to be said of a computation while it runs."""

from __future__ import annotations

import time
from dataclasses import replace

from fibprover.automata.calls import resident_bytes
from fibprover.evaluate.trace import Record
from fibprover.limits import Gauge, Growing, Limits
from fibprover.values import value

#: What --progress may be, and what `fp.watched` may be told.
MODES = ("auto", "plain", "none")


@value
class View:
    """How far a computation is at one moment.

    title: what is done, "" if it needs no name; steps: how many are finished; text: the subformula under
    evaluation, else that of the last step; building: what is under construction, "" if nothing is; states: so
    far, or of the last automaton, None before there is one; rate: states a second, 0.0 where unknown; held:
    bytes of the process; most_bytes: what it may have; seconds: since the beginning.
    """

    title: str
    steps: int
    text: str
    building: str
    states: int | None
    rate: float
    held: int
    most_bytes: int | None
    seconds: float


class Watch:
    """Takes notes of one computation.

    `step` is told of every finished step (Options.watch), `over(limits)` are limits under which the
    computation also shows what it is building.  Views are taken by one thread, which may be another one than
    that of the computation.
    """

    def __init__(self, title: str = "") -> None:
        self.title = title
        self.gauge = Gauge()
        self.begun = time.monotonic()
        self.steps = 0
        self.last: Record | None = None
        self.most_bytes: int | None = None
        self._sample: tuple[Growing | None, float, int] = (None, 0.0, 0)

    def step(self, record: Record) -> None:
        """Takes note of a finished step."""
        self.steps += 1
        self.last = record

    def notify(self, title: str) -> None:
        """Takes note of what is done now."""
        self.title = title

    def over(self, limits: Limits) -> Limits:
        """The same limits for a computation that is watched here."""
        self.most_bytes = limits.bytes
        return replace(limits, gauge=self.gauge)

    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.begun

    def view(self) -> View:
        """How far it is now; the rate is that since the last view of the same construction."""
        last, texts, building, meter = self.last, self.gauge.texts[-1:], self.gauge.building, self.gauge.meter
        states = None if last is None else last.states
        rate = 0.0
        if meter is not None:
            states = meter.states
            rate = self._rate(meter, states)
        text = texts[0] if texts else "" if last is None else last.label
        return View(
            self.title, self.steps, " ".join(text.split()), building if meter is not None else "", states, rate,
            resident_bytes(), self.most_bytes, self.seconds(),
        )

    def _rate(self, meter: Growing, states: int) -> float:
        """How fast a construction grows."""
        before, moment, size = self._sample
        now = time.monotonic()
        self._sample = (meter, now, states)
        return max(0.0, (states - size) / (now - moment)) if before is meter and now > moment else 0.0
