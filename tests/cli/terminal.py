"""A program on a pseudo terminal: what is typed there, and what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

#: How long anything may take before it is a failure; nothing waits for it otherwise.
PATIENCE = 60.0

_CONTROLS = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\x07")


class Terminal:
    """`fibprover` with a terminal of its own, in a folder, with a home of its own.

    Everything that it writes is kept; `wait` goes on from where the last one ended.
    """

    def __init__(self, folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        surroundings = {
            **os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), "TERM": "xterm",
            "INPUTRC": os.devnull, **(environment or {}),
        }
        surroundings["PYTHONPATH"] = os.pathsep.join(
            filter(None, [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH")])
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=surroundings, start_new_session=True,
        )
        os.close(theirs)
        self.shown = b""
        self.at = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def type(self, text: str) -> None:
        """Types keys; control characters as they are."""
        os.write(self.ours, text.encode())

    def interrupt(self, awaited: str) -> str:
        """Types Ctrl-C, again if nothing comes of it: Python misses one that arrives just before it waits for a key."""
        for _ in range(int(PATIENCE)):
            self.type("\x03")
            if self._more(1):
                break
        return self.wait(awaited)

    def wait(self, awaited: str) -> str:
        """What is shown up to this text, which has to come."""
        while (found := self.plain().find(awaited, self.at)) < 0:
            assert self._more(), f"{awaited!r} did not come; shown: {self.plain()[self.at :]!r}"
        said = self.plain()[self.at : found]
        self.at = found + len(awaited)
        return said

    def say(self, entry: str, prompt: str = "fibprover> ") -> str:
        """Types a line at the prompt, which has been waited for; what is shown until the next prompt."""
        self.type(f"{entry}\r")
        return self.wait(prompt)

    def end(self) -> int:
        """The exit status, once the program has ended."""
        while self._more():
            pass
        return self.process.wait(PATIENCE)

    def plain(self) -> str:
        """All that was shown, without control sequences and returns."""
        return _CONTROLS.sub(b"", self.shown).replace(b"\r", b"").decode(errors="replace")

    def _more(self, patience: float = PATIENCE) -> bool:
        """Reads something; False at the end, or after all patience."""
        ready, _, _ = select.select([self.ours], [], [], patience)
        if not ready:
            return False
        try:
            read = os.read(self.ours, 65536)
        except OSError:  # nobody has the terminal open any more
            return False
        self.shown += read
        return bool(read)


#: Takes the terminal for its own, so that Ctrl-C is for this program.
_START = """
import fcntl, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
from fibprover.frontends.cli.main import main
sys.exit(main())
"""
