"""Progress of a computation while it runs.

`Watch` takes notes of a computation, a `View` is its state at one moment, `line` and the functions after it put a view
into words, and a `Painter` shows views on a `Display` from a thread of its own.
"""

from __future__ import annotations

import threading
import time
from contextlib import AbstractContextManager
from contextvars import copy_context
from typing import Protocol

from fibprover.base.limits import UNBOUNDED, Gauge, Limits, MeteredSize, observed_by, resident_bytes
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.prover.evaluate.trace import Record

#: The values of --progress, and the modes of `fp.watched`.
MODES = ("auto", "plain", "none")


@value
class View:
    """The state of a computation at one moment.

    title: of the computation, or ""; steps: the number of finished ones; text: the subformula under evaluation, else
    that of the last step; building: the kind of automaton under construction, or ""; states: of that automaton so
    far, else of the last one, None before the first; rate: states per second, 0.0 if unknown; held: memory of the
    process in bytes; most_bytes: its limit; seconds: since the beginning.
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

    `step` is the callback for finished steps (Options.watch); within `observing()` a computation also reports the
    automaton under construction; `over(limits)` notes its limits.  Only one thread takes views; it need not be that
    of the computation.
    """

    def __init__(self, title: str = "") -> None:
        self.title = title
        self.gauge = Gauge()
        self.begun = time.monotonic()
        self.steps = 0
        self.last: Record | None = None
        self.most_bytes: int | None = None
        self._sample: tuple[MeteredSize | None, float, int] = (None, 0.0, 0)

    def step(self, record: Record) -> None:
        """Record a finished step."""
        self.steps += 1
        self.last = record

    def notify(self, title: str) -> None:
        """Set the title of the current work."""
        self.title = title

    def over(self, limits: Limits) -> Limits:
        """Note the limits of the computation that this watch follows, and return them."""
        self.most_bytes = None if limits.bytes is None or limits.bytes >= UNBOUNDED else limits.bytes
        return limits

    def observing(self) -> AbstractContextManager[object]:
        """Let computations within the block show what they build to this watch."""
        return observed_by(self.gauge)

    def seconds(self) -> float:
        """Return the seconds since the beginning."""
        return time.monotonic() - self.begun

    def view(self) -> View:
        """Return the current view; its rate is measured since the last view of the same construction."""
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

    def _rate(self, meter: MeteredSize, states: int) -> float:
        """Return how fast a construction grows, in states per second."""
        before, moment, size = self._sample
        now = time.monotonic()
        self._sample = (meter, now, states)
        return max(0.0, (states - size) / (now - moment)) if before is meter and now > moment else 0.0


#: Prefixes of powers of 1000.
_PREFIXES = ("", "k", "M", "G", "T")


def line(view: View) -> str:
    """Return a view on one line: title, steps, sizes, memory, time, and last the subformula, which may be long."""
    parts = (view.title, steps(view), size(view), memory(view), f"{view.seconds:.1f} s", view.text)
    return "  ".join(part for part in parts if part)


def steps(view: View) -> str:
    """Return the number of finished steps in words."""
    return f"step {view.steps}" if view.steps else ""


def size(view: View) -> str:
    """Return the construction, its states so far and its rate; else the states of the last automaton."""
    if view.states is None:
        return ""
    if not view.building:
        return plural(view.states, "state")
    if not view.states:  # a construction that does not grow state by state, such as minimization
        return view.building
    fast = f", {rounded(view.rate)}/s" if view.rate else ""
    return f"{view.building}: {plural(view.states, 'state')} so far{fast}"


def memory(view: View) -> str:
    """Return the memory of the process, and its limit if there is one."""
    held = amount(view.held)
    return held if view.most_bytes is None else f"{held} of {amount(view.most_bytes)}"


#: The time that is left is guessed after so many seconds and when so much is done: earlier it would be mere chance.
_FROM_SECONDS, _FROM_SHARE = 2.0, 0.05


def share(done: int, total: int, seconds: float) -> str:
    """Return how much of a known number of tasks is done after some seconds, and about how long the others take.

    They are taken to last as long as those before: 412 of 1197 (34%, about 2 min left).
    """
    counted = f"{done} of {total}"
    if not total:
        return counted
    part = done / total
    left = f", about {duration(seconds * (1 - part) / part)} left" if (
        _FROM_SHARE <= part < 1 and seconds >= _FROM_SECONDS
    ) else ""
    return f"{counted} ({100 * done // total}%{left})"


def duration(seconds: float) -> str:
    """Return a time to come, roughly: 40 s, 3 min, 1 h 20 min."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def amount(size: int) -> str:
    """Return a number of bytes in binary units: 310 MiB."""
    if size < 1 << 30:
        return f"{size / (1 << 20):.0f} MiB"
    return f"{size / (1 << 30):.1f} GiB"


def rounded(number: float) -> str:
    """Return a number with about two digits: 34, 1.2M."""
    power = 0
    while number >= 999.5 and power + 1 < len(_PREFIXES):
        number /= 1000
        power += 1
    return f"{number:.1f}{_PREFIXES[power]}" if power and number < 9.95 else f"{number:.0f}{_PREFIXES[power]}"

class Display(Protocol):
    """A place where views are shown, each replacing the last one or following it."""

    def pause(self, seconds: float) -> float:
        """Return the seconds until the next view of a computation that has run for `seconds`."""

    def paint(self, view: View) -> None:
        """Show a view."""

    def hide(self) -> None:
        """Remove the view that is shown."""


class Painter:
    """A context manager that shows a watch on a display, from a thread, since a single step can take long.

    Without a display it does nothing.  The view is removed at the end.  Hold `lock` while you write to the same place.
    """

    def __init__(self, watch: Watch, display: Display | None) -> None:
        self.watch = watch
        self.display = display
        self.lock = threading.Lock()
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread, unless it runs."""
        if self.display is not None and self._thread is None:
            self._done.clear()
            # The thread inherits the context: by that a Jupyter kernel knows to which cell an output belongs.
            self._thread = threading.Thread(target=copy_context().run, args=(self._paint, self.display), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread; the last view stays."""
        if self._thread is not None:
            self._done.set()
            self._thread.join()
            self._thread = None

    def hide(self) -> None:
        """Remove the view; the lock has to be held."""
        if self.display is not None:
            self.display.hide()

    def __enter__(self) -> Painter:
        self.start()
        return self

    def __exit__(self, *ending: object) -> None:
        self.stop()
        with self.lock:
            self.hide()

    def _paint(self, display: Display) -> None:
        while not self._done.wait(display.pause(self.watch.seconds())):
            view = self.watch.view()
            with self.lock:
                display.paint(view)
