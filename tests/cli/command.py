"""Runs command lines: in this process, or in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from fibprover.frontends.cli.main import main

#: The atom has tens of millions of states: nobody waits for it.
HEAVY = "30000001*a-29999999*b+7777777*c=d"

#: Ctrl-C must work even if the tests run in the background of a shell, where it is ignored.
_START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from fibprover.frontends.cli.main import main
status = main()
"""

_EXIT = "sys.exit(status)\n"


@dataclass(frozen=True)
class Answer:
    """What a command line answered."""

    status: int
    out: str
    err: str


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Answer:
    """Runs a command line in this process."""
    capsys.readouterr()
    try:
        status = main(arguments)
    except SystemExit as ended:
        assert isinstance(ended.code, int)
        status = ended.code
    said = capsys.readouterr()
    return Answer(status, said.out, said.err)


def started(*arguments: str, afterwards: str = "", **options: Any) -> subprocess.Popen[str]:
    """Starts a command line in a process of its own; `afterwards` is Python that runs before it ends."""
    code = _START + afterwards + _EXIT
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen([sys.executable, "-c", code, *arguments], text=True, env=dict(os.environ), **streams)


def finished(process: subprocess.Popen[str], given: str | None = None) -> Answer:
    """What a started command line answered when it ended."""
    with process:
        out, err = process.communicate(given, timeout=300)
    return Answer(process.returncode, out or "", err or "")
