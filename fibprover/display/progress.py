"""What there is to be said of a computation while it runs."""

from __future__ import annotations

import threading
import time
from contextlib import AbstractContextManager
from contextvars import copy_context
from types import TracebackType
from typing import Protocol

from fibprover.automata.kernels import resident_bytes
from fibprover.evaluate.trace import Record
from fibprover.limits import Gauge, Limits, MeteredSize, observed_by
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

    `step` takes every finished step (Options.watch); within `observing()` a computation also shows what it is
    building; `over(limits)` notes its limits.  Views are taken by one thread, which may be another one than
    that of the computation.
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
        """Takes note of a finished step."""
        self.steps += 1
        self.last = record

    def notify(self, title: str) -> None:
        """Takes note of what is done now."""
        self.title = title

    def over(self, limits: Limits) -> Limits:
        """Note the limits of the computation that is watched; return them."""
        self.most_bytes = limits.bytes
        return limits

    def observing(self) -> AbstractContextManager[None]:
        """Let computations within the block show what they build to this watch."""
        return observed_by(self.gauge)

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

    def _rate(self, meter: MeteredSize, states: int) -> float:
        """How fast a construction grows."""
        before, moment, size = self._sample
        now = time.monotonic()
        self._sample = (meter, now, states)
        return max(0.0, (states - size) / (now - moment)) if before is meter and now > moment else 0.0



# ---- wording
# A view of a computation in words.

_PREFIXES = ("", "k", "M", "G", "T")


def line(view: View) -> str:
    """Everything on one line: what and where, sizes, memory, time, and last the subformula, which may be long."""
    parts = (view.title, steps(view), size(view), memory(view), f"{view.seconds:.1f} s", view.text)
    return "  ".join(part for part in parts if part)


def steps(view: View) -> str:
    """How many steps are finished."""
    return f"step {view.steps}" if view.steps else ""


def size(view: View) -> str:
    """What is under construction, its states so far and how fast it grows; or the states of the last automaton."""
    if view.states is None:
        return ""
    if not view.building:
        return f"{view.states} state{'s' * (view.states != 1)}"
    if not view.states:  # what does not grow state by state, such as a minimal automaton
        return view.building
    fast = f", {rounded(view.rate)}/s" if view.rate else ""
    return f"{view.building}: {view.states} state{'s' * (view.states != 1)} so far{fast}"


def memory(view: View) -> str:
    """Memory of the process, beside what it may have."""
    held = amount(view.held)
    return held if view.most_bytes is None else f"{held} of {amount(view.most_bytes)}"


def amount(size: int) -> str:
    """A number of bytes, in powers of 1024: 310 MiB."""
    if size < 1 << 30:
        return f"{size / (1 << 20):.0f} MiB"
    return f"{size / (1 << 30):.1f} GiB"


def rounded(number: float) -> str:
    """A number to about two digits: 34, 1.2M."""
    power = 0
    while number >= 999.5 and power + 1 < len(_PREFIXES):
        number /= 1000
        power += 1
    return f"{number:.1f}{_PREFIXES[power]}" if power and number < 9.95 else f"{number:.0f}{_PREFIXES[power]}"



# ---- painter
# Shows a computation again and again while it runs.

class Display(Protocol):
    """A place where views are shown, one in place of the other or one after the other."""

    def pause(self, seconds: float) -> float:
        """How long to wait for the next view of a computation that has run for so many seconds."""

    def paint(self, view: View) -> None:
        """Shows a view."""

    def hide(self) -> None:
        """Takes away what is shown, to make room for output or for good."""


class Painter:
    """A thread that shows a watch on a display, since a single step can take long; a context manager.

    Without a display it does nothing.  What the display shows is taken away at the end; `lock` is to be held
    while something else is written to the same place.
    """

    def __init__(self, watch: Watch, display: Display | None) -> None:
        self.watch = watch
        self.display = display
        self.lock = threading.Lock()
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins the thread, if there is none."""
        if self.display is not None and self._thread is None:
            self._done.clear()
            # In the context of whoever starts it: a kernel of Jupyter knows by that which cell an output belongs to.
            self._thread = threading.Thread(target=copy_context().run, args=(self._paint, self.display), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends the thread; what is shown stays."""
        if self._thread is not None:
            self._done.set()
            self._thread.join()
            self._thread = None

    def hide(self) -> None:
        """Takes away what is shown; the lock has to be held."""
        if self.display is not None:
            self.display.hide()

    def __enter__(self) -> Painter:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        with self.lock:
            self.hide()

    def _paint(self, display: Display) -> None:
        while not self._done.wait(display.pause(self.watch.seconds())):
            view = self.watch.view()
            with self.lock:
                display.paint(view)
