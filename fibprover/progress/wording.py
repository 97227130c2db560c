"""A view of a computation in words."""

from __future__ import annotations

from fibprover.progress.watch import View

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
