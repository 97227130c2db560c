"""A shell of IPython in this process, with the magics loaded."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config


@dataclass
class Ran:
    """What a cell did: what it printed, its outputs as texts and as HTML, the error that ended it."""

    printed: str
    texts: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    error: BaseException | None = None


class Shell:
    """Runs cells."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell

    def run(self, *lines: str) -> Ran:
        with capture_output() as captured:
            result = self.shell.run_cell("\n".join(lines))
        ran = Ran(captured.stdout + captured.stderr, error=result.error_in_exec or result.error_before_exec)
        for output in captured.outputs:
            data: dict[str, Any] = output.data
            ran.texts.append(data["text/plain"])
            ran.html.append(data.get("text/html", ""))
        return ran


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """A shell that is the only one, and leaves no traces.

    It may not collect garbage: among the tests of all that takes a third of a second, and a shell does it twice.
    """
    monkeypatch.setattr("gc.collect", lambda generation=2: 0)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    InteractiveShell.clear_instance()
    # At its end a shell empties the module of its names, which would be `__main__`.
    made = InteractiveShell.instance(config=config, user_module=ModuleType("user"))
    made.run_line_magic("load_ext", "fibprover")
    yield Shell(made)
    atexit.unregister(made.atexit_operations)
    made.atexit_operations()
    InteractiveShell.clear_instance()
