"""Progress in a notebook: one output of the cell, which is repainted, and shows the time at the end."""

from __future__ import annotations

from html import escape
from uuid import uuid4

from IPython.display import display, update_display

from fibprover.base.wording import plural
from fibprover.frontends.display.html import GREY
from fibprover.frontends.display.progress import View, Watch, amount, memory, size, steps

#: Seconds before the first view, and between two views.
PERIOD = 0.5


class NotebookOutput:
    """A display in the output of the running cell."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.name = f"fibprover-{uuid4()}"
        self.painted = False

    def pause(self, seconds: float) -> float:
        """Return the period."""
        return PERIOD

    def paint(self, view: View) -> None:
        """Show a view in place of the last one."""
        self._show(_words(view), _bar(view))

    def hide(self) -> None:
        """Leave one line in grey."""
        if self.painted:
            view = self.watch.view()
            done = [plural(view.steps, "step")] if view.steps else []
            self._show(", ".join([f"{view.seconds:.1f} s", *done, amount(view.held)]), "")
            self.painted = False

    def _show(self, words: str, bar: str) -> None:
        html = f'<div style="color:{GREY};font-size:90%">{escape(words)}{bar}</div>'
        data = {"text/plain": words, "text/html": html}
        if self.painted:
            update_display(data, display_id=self.name, raw=True)
        else:
            self.painted = True
            display(data, display_id=self.name, raw=True)


def _words(view: View) -> str:
    parts = (view.title, steps(view), size(view), memory(view), f"{view.seconds:.1f} s", view.text[:200])
    return " \u00b7 ".join(part for part in parts if part)


def _bar(view: View) -> str:
    """Return a bar of the memory in its limit, "" without a limit."""
    if view.most_bytes is None:
        return ""
    most = view.most_bytes
    return (
        f' <progress max="{most}" value="{min(view.held, most)}" style="width:8em;vertical-align:middle"></progress>'
    )
