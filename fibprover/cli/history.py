"""The lines typed at the prompt, kept from one time to the next in the user's state folder."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import ModuleType

#: Entries that are kept.
MOST = 10_000


def history_file() -> Path | None:
    """Where the history is: below XDG_STATE_HOME, or ~/.local/state; None for a user without a home."""
    state = os.environ.get("XDG_STATE_HOME", "")
    with contextlib.suppress(RuntimeError):
        base = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
        return base / "fibprover" / "history"
    return None


class History:
    """What was typed, for the arrow keys: read when it begins, written entry by entry.

    A file that cannot be read or written is no reason to complain: there is a history as long as the prompt.
    """

    def __init__(self, readline: ModuleType | None, file: Path | None) -> None:
        self.readline = readline
        self.file = file
        if readline is None:
            return
        readline.set_auto_history(False)
        readline.set_history_length(MOST)
        if file is None:
            return
        with contextlib.suppress(OSError, ValueError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
            readline.read_history_file(file)

    def add(self, entry: str) -> None:
        """Keeps an entry, unless it is the one before once more."""
        readline = self.readline
        if readline is None or not entry.strip():
            return
        last = readline.get_current_history_length()
        if last and readline.get_history_item(last) == entry:
            return
        readline.add_history(entry)
        if self.file is not None:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                readline.append_history_file(1, self.file)
