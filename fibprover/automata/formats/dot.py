"""Automata as graphs in the DOT language, and the program `dot` of graphviz, if it is installed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.automata.formats.labels import edges, nondeterministic_edges
from fibprover.automata.nondeterministic import Nfa
from fibprover.base.errors import FibproverError, LimitError, size_text
from fibprover.base.limits import UNBOUNDED, UNLIMITED, effective
from fibprover.base.wording import plural

#: The most states of a drawing unless the caller sets another limit.
DEFAULT_LIMIT = 200


#: A text that graphviz would read as a character of HTML.
_ENTITY = re.compile(r"&(?=#?\w+;)")

#: The most characters of one string: graphviz reads 16 KB.
_LONGEST = 4000


def to_dot(a: Dfa, name: str = "automaton", *, word: bool = False, limit: int = DEFAULT_LIMIT) -> str:
    """Return a graph of the automaton: one edge between two states, its letters as few labels.

    word: the outputs are letters of an automatic word, shown as `state/output`; otherwise states
    with an output other than 0 are accepting and drawn with two circles.  Raises LimitError beyond
    `limit` states, since such a drawing is unreadable.
    """
    check_drawable(a, limit)
    nodes = [
        (state_text(a, state, word), not word and bool(a.outputs[state])) for state in range(a.states)
    ]
    return _graph(name, titled(a, name), nodes, (0,), edges(a))


def nondeterministic_to_dot(a: Nfa, name: str = "automaton", *, limit: int = DEFAULT_LIMIT) -> str:
    """Return a graph of a nondeterministic automaton, with an arrow into each initial state; otherwise as `to_dot`."""
    if a.states > limit:
        raise LimitError(f"{plural(a.states, 'state')}: not drawn", hint=f"use limit={a.states}")
    nodes = [(str(state), accepts) for state, accepts in enumerate(a.accepting)]
    title = f"{name} ({', '.join(track.name for track in a.tracks)})"
    return _graph(name, title, nodes, a.initial, nondeterministic_edges(a))


def _graph(
    name: str, title: str, nodes: Sequence[tuple[str, bool]], initial: Sequence[int],
    labels_of: Mapping[tuple[int, int], list[str]],
) -> str:
    """Return a graph in DOT; nodes: of each state its label, and whether it has two circles."""
    lines = [
        f"digraph {quoted(name)} {{",
        "  rankdir=LR; nodesep=0.2; ranksep=0.4;",
        f'  label={quoted(title)}; labelloc=t; fontname="Helvetica";',
        '  node [shape=circle, fontname="Helvetica", fontsize=12, width=0.3, height=0.3, margin=0.03];',
        '  edge [fontname="Helvetica", fontsize=11, arrowsize=0.7];',
        '  start [shape=point, style=invis, label=""];',
    ]
    for state, (label, double) in enumerate(nodes):
        lines.append(f"  {state} [label={quoted(label)}, shape={'doublecircle' if double else 'circle'}];")
    lines += [f"  start -> {state};" for state in initial]
    for (source, target), labels in labels_of.items():
        lines.append(f"  {source} -> {target} [label={quoted(chr(10).join(wrapped(labels)))}];")
    return "\n".join([*lines, "}"]) + "\n"


def check_drawable(a: Dfa, limit: int, edges_too: int = 0) -> None:
    """Raise LimitError for an automaton of more than `limit` states, or with too many edges.

    edges_too: the most edges is this number times `limit`; 0: edges do not matter.  Parallel transitions are one edge.
    """
    needed, sizes = a.states, plural(a.states, "state")
    if edges_too and a.states <= limit and a.transitions > edges_too * limit:
        count = kernel_calls.edge_count(a)
        needed, sizes = max(needed, -(-count // edges_too)), f"{plural(a.states, 'state')} with {plural(count, 'edge')}"
    if needed > limit:
        raise LimitError(f"{sizes}: not drawn", hint=f"use limit={needed} (--limit {needed} on the command line)")


def titled(a: Dfa, name: str) -> str:
    """Return the title of a drawing: the name of the automaton, and those of its tracks."""
    return f"{name} ({', '.join(a.names)})" if a.tracks else name


def state_text(a: Dfa, state: int, word: bool) -> str:
    """Return the label of a state."""
    return f"{state}/{a.outputs[state]}" if word else str(state)


def wrapped(labels: list[str], width: int = 12) -> list[str]:
    """Join labels by blanks into lines of about `width` characters."""
    lines: list[str] = []
    for label in labels:
        if lines and len(lines[-1]) + 1 + len(label) <= width:
            lines[-1] += " " + label
        else:
            lines.append(label)
    return lines


def quoted(text: str) -> str:
    """Return a DOT string: quotes and backslashes escaped, line breaks as `\\n`, and `&lt;` not taken for `<`.

    A long text is a sum of strings.
    """
    text = _ENTITY.sub("&amp;", text)
    parts = [text[start : start + _LONGEST] for start in range(0, len(text), _LONGEST)] or [""]
    escaped = (part.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for part in parts)
    return " + ".join(f'"{part}"' for part in escaped)


# -- running graphviz ------------------------------------------------------------------------

#: The default limit, in seconds, of the time for one drawing.
SECONDS = 20.0

#: The addresses, in bytes, of the code of graphviz and its libraries.
_CODE = 200 << 20

_OWN_LAYOUT = "the layout of fibprover is quick: layout='own', on the command line --layout own"


def installed() -> bool:
    """Return whether graphviz is installed."""
    return shutil.which("dot") is not None


def run(graph: str, form: Literal["svg", "png", "pdf", "json"], seconds: float = SECONDS) -> bytes:
    """Return the drawing that `dot` makes of a graph, in one of its output formats.

    Raises FibproverError if the program is missing, fails, or takes longer than `seconds`; BudgetSpent if it takes what
    the budget that is being spent has left, of CPU time, too: the program has a clock of its own.  It may take as many
    bytes as the budget allows, and fails where these do not suffice.
    """
    program = shutil.which("dot")
    if program is None:
        raise FibproverError(
            "the program dot of graphviz is not installed", hint="on Debian and Ubuntu: apt install graphviz"
        )
    options = [f"-T{form}", *(["-Gdpi=144"] if form == "png" else [])]
    budget = effective(UNLIMITED)
    left = budget.seconds_left()
    try:
        done = _output([program, *options], graph.encode(), min(seconds, left), budget.bytes)
    except subprocess.TimeoutExpired:
        if left <= seconds:
            spent = budget.spent("seconds", during="the drawing by graphviz")
            spent.hint = _OWN_LAYOUT
            raise spent from None
        raise FibproverError(
            f"graphviz has not finished this drawing in {seconds:.4g} s", hint=_OWN_LAYOUT
        ) from None
    except (OSError, ValueError) as error:
        raise FibproverError(f"the program {program} cannot be run: {error}", hint=_OWN_LAYOUT) from error
    if done.returncode != 0 or not done.stdout:
        # What is said last is why it failed.
        said = " ".join(done.stderr.decode(errors="replace").split())[-200:] or "it says nothing"
        memory = "" if budget.bytes >= UNBOUNDED else f"; it had {size_text(budget.bytes)} of memory"
        raise FibproverError(
            f"the program {program} failed (status {done.returncode}): {said}{memory}", hint=_OWN_LAYOUT
        )
    return done.stdout


def _output(command: list[str], given: bytes, seconds: float, most: int) -> subprocess.CompletedProcess[bytes]:
    """Return what a program writes; raise TimeoutExpired after so many seconds.

    most: how many bytes it may take, beside its own code, where the system can limit the memory of another process.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        if most < UNBOUNDED and sys.platform == "linux":
            import resource

            # The program may have ended by now.
            with suppress(ProcessLookupError):
                soft, hard = resource.prlimit(process.pid, resource.RLIMIT_AS)
                lower = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
                resource.prlimit(process.pid, resource.RLIMIT_AS, (min([most + _CODE, *lower]), hard))
        try:
            written, said = process.communicate(given, seconds)
        except BaseException:  # such as Ctrl-C
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, written, said)


def positions(graph: str, seconds: float = SECONDS) -> dict[str, Any]:
    """Return the graph with the positions of its nodes and the curves of its edges, as graphviz writes it in JSON."""
    written = run(graph, "json", seconds)
    try:
        found = json.loads(written)
    except ValueError as error:
        raise FibproverError("the output of graphviz is not JSON", hint=_OWN_LAYOUT) from error
    if not isinstance(found, dict) or "objects" not in found or "bb" not in found:
        raise FibproverError("the output of graphviz has no positions", hint=_OWN_LAYOUT)
    return found
