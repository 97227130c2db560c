"""Functions that the tests sweep over, in modules of their own so that other processes find them."""

from __future__ import annotations

import itertools
import os
import signal
import time
from pathlib import Path
from typing import Any

import fibprover as fp
from fibprover.automata.dfa import Dfa
from fibprover.base.limits import effective
from fibprover.campaigns.sweeps.tasks import Answer


def noted_square(case: list[Any]) -> int:
    """Notes in a file that it was called, takes a moment, and squares."""
    file, number, seconds = case
    with Path(file).open("a") as out:
        out.write(f"{number}\n")
    time.sleep(seconds)
    return int(number) ** 2


def noted_inverse(case: list[Any]) -> float:
    """Notes in a file that it was called, and inverts."""
    file, number = case
    with Path(file).open("a") as out:
        out.write(f"{number}\n")
    return float(1 / number)


def sizes(number: int, *automata: Dfa) -> list[int]:
    """Returns the number, and those of the states of automata."""
    return [number, *(each.states for each in automata)]


def deadly(number: int) -> int:
    """Kills its process if the number is 3."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return -number


def deadly_once(case: list[Any]) -> int:
    """Kills its process the first time."""
    file, number = case
    if number == 1 and not Path(file).exists():
        Path(file).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return int(number)


def inverse(number: int) -> float:
    return 1 / number


def formula(text: str) -> Answer:
    """Decides a formula."""
    verdict = fp.Session("msd_fib").prove(text)
    evidence = verdict.evidence
    return Answer(verdict.truth, None if evidence is None else dict(evidence.values), "nowhere")


def endless(number: int) -> None:
    while number:
        time.sleep(0.01)


def needing(size: int) -> int:
    """Takes so many bytes, as far as its limit is concerned, and returns them."""
    allowed = effective(fp.Limits().start())
    if allowed.bytes < size:
        raise allowed.spent("bytes")
    return size


def a_set(number: int) -> set[int]:
    return {number}


def maybe_stuck(case: str) -> int:
    """Never end if asked for, in a call that cannot be interrupted."""
    return sum(itertools.repeat(0)) if case == "stuck" else len(case)


def large(size: int) -> int:
    """Take so much memory at once."""
    return len(bytearray(size))
