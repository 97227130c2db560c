"""The program `dot` of graphviz, where it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any, Literal

from fibprover.errors import FibproverError

#: Seconds that the program may take for one drawing unless told otherwise.
SECONDS = 20.0

_OWN_LAYOUT = "the layout of fibprover is quick: layout='own', on the command line --layout own"


def installed() -> bool:
    """Whether the program is found."""
    return shutil.which("dot") is not None


def run(graph: str, form: Literal["svg", "png", "pdf", "json"], seconds: float = SECONDS) -> bytes:
    """What `dot` makes of a graph in its language, in one of its output formats.

    FibproverError where the program is missing, fails, or takes longer.
    """
    program = shutil.which("dot")
    if program is None:
        raise FibproverError(
            "the program dot of graphviz is not installed", hint="on Debian and Ubuntu: apt install graphviz"
        )
    options = [f"-T{form}", *(["-Gdpi=144"] if form == "png" else [])]
    try:
        done = subprocess.run(
            [program, *options], input=graph.encode(), capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise FibproverError(
            f"graphviz has not finished this drawing in {seconds:.4g} s", hint=_OWN_LAYOUT
        ) from None
    except (OSError, ValueError) as error:
        raise FibproverError(f"the program {program} cannot be run: {error}", hint=_OWN_LAYOUT) from error
    if done.returncode != 0 or not done.stdout:
        said = " ".join(done.stderr.decode(errors="replace").split())[:200] or "it says nothing"
        raise FibproverError(f"the program {program} failed (status {done.returncode}): {said}", hint=_OWN_LAYOUT)
    return done.stdout


def positions(graph: str, seconds: float = SECONDS) -> dict[str, Any]:
    """The graph with the positions of its nodes and the curves of its edges, as graphviz writes it in JSON."""
    written = run(graph, "json", seconds)
    try:
        found = json.loads(written)
    except ValueError as error:
        raise FibproverError("what graphviz says of the drawing is no JSON", hint=_OWN_LAYOUT) from error
    if not isinstance(found, dict) or "objects" not in found or "bb" not in found:
        raise FibproverError("graphviz does not say where it drew what", hint=_OWN_LAYOUT)
    return found
