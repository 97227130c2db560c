"""Progress in colours, on two lines, by rich; imported for the first view, since importing rich takes 0.1 s."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Column, Table
from rich.text import Text

from fibprover.base.screen import escaped
from fibprover.frontends.display.progress import View, memory, size, steps

#: Columns of the bar, and between two numbers.
_BAR, _GAP = 12, 2


def coloured(view: View, width: int) -> Sequence[str]:
    """Return two lines: title and subformula; then sizes, memory with a bar if it is limited, and time."""
    what = Text()
    for text, style in ((view.title, "bold"), (steps(view), "cyan"), (view.text, "")):
        if text:
            what.append(("  " if what else "") + escaped(text), style)
    numbers: list[Text | ProgressBar] = [] if view.states is None else [Text(size(view), "green")]
    numbers += [Text(memory(view)), Text(f"{view.seconds:.1f} s", "yellow")]
    taken = sum(len(text) + _GAP for text in numbers if isinstance(text, Text))
    if view.most_bytes is not None and taken + _BAR <= width:
        style = "red" if view.held > 0.9 * view.most_bytes else "cyan"
        bar = ProgressBar(view.most_bytes, min(view.held, view.most_bytes), _BAR, complete_style=style)
        numbers.insert(len(numbers) - 2, bar)
    row = Table.grid(*(Column(no_wrap=True) for _ in numbers), padding=(0, _GAP, 0, 0))
    row.add_row(*numbers)
    console = Console(file=StringIO(), force_terminal=True, width=max(width, 20), legacy_windows=False)
    with console.capture() as shown:
        if what:
            console.print(what, no_wrap=True, overflow="ellipsis")
        console.print(row)
    return [line.rstrip() for line in shown.get().splitlines()]
