"""A task of a sweep, and how a process carries it out."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits, peak_bytes, reset_peak
from fibprover.campaigns.sweeps.store import json_text
from fibprover.workspace.guard import enforced


@dataclass(frozen=True, slots=True)
class Answer:
    """A value that the function of a sweep may return: a result with evidence, values of JSON, and the place of a
    proof.
    """

    result: Any
    evidence: Any = None
    certificate: str = ""


@dataclass(frozen=True, slots=True)
class SweepTask:
    """A case under its key, and how often it has been begun."""

    key: str
    what: str
    case: Any
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What a process sends about a task: the JSON texts, or the error and whether more memory might prevent it."""

    result: str
    evidence: str
    certificate: str
    seconds: float
    peak_bytes: int | None
    host: str
    error: str = ""
    short_of_memory: bool = False


def carry_out(function: Callable[..., Any], case: Any, limits: Limits) -> TaskResult:
    """Carry out a task in this process; an error is part of the result."""
    reset_peak()
    begun = time.perf_counter()
    result = evidence = "null"
    certificate = error = ""
    short = False
    try:
        with enforced(limits):
            given = function(case)
        answer = given if isinstance(given, Answer) else Answer(given)
        result, evidence, certificate = json_text(answer.result), json_text(answer.evidence), answer.certificate
    except FibproverError as problem:
        error = str(problem)
        short = isinstance(problem, BudgetSpent) and problem.resource == "bytes"
    except MemoryError:
        error, short = "no memory is left", True
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"
    host = socket.gethostname()
    return TaskResult(result, evidence, certificate, time.perf_counter() - begun, peak_bytes(), host, error, short)


@dataclass(frozen=True, slots=True)
class Died:
    """Why a task has no result although it was begun: its process died of it, or it could not be sent.

    final: whether it is not to be begun again.
    """

    reason: str
    final: bool = False


#: How a task ended; None if it was lost with others and has to begin again.
TaskEnd = TaskResult | Died | None


#: The endings of the files that take part in computations.
_ENDINGS = {".py", ".lark", ".so", ".pyd"}


def program() -> str:
    """Return the version of fibprover with a hash of its files, kernels included.

    A version under development has one number for many programs.  Without files, as in an archive, it is the version.
    """
    digest = sha256()
    home = Path(__file__).parents[2]
    folders = home, home.with_name("fibprover_ext")
    files = (file for folder in folders for file in folder.rglob("*") if file.suffix in _ENDINGS)
    for file in sorted(files):
        digest.update(file.relative_to(home.parent).as_posix().encode() + b"\0")
        digest.update(sha256(file.read_bytes()).digest())
    return f"{sys.modules['fibprover'].__version__} {digest.hexdigest()}"
