"""Outcomes, traces and errors as text and as JSON; docs/cli.md describes both."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from fibprover.base.errors import BudgetSpent, FibproverError, NotSupported, TextError
from fibprover.base.limits import Limits
from fibprover.base.screen import Verbatim
from fibprover.base.values import numbers_of_any_length
from fibprover.base.wording import plural
from fibprover.frontends.conversation.progress import Progress
from fibprover.frontends.display.text import evidence_of
from fibprover.prover.environment import sort_of
from fibprover.prover.evaluate.trace import Record, Trace
from fibprover.prover.verdict.relation import Value
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from fibprover.prover.verdict.verdict import Verdict
from fibprover.workspace.commands.interpreter import Outcome

if TYPE_CHECKING:
    from fibprover.prover.verdict.nondeterministic import NondeterministicRelation

#: An object of a JSON answer.
Json = dict[str, Any]


def json_of(outcome: Outcome, plan: str, first: int, *, with_trace: bool, limits: Limits | None = None) -> Json:
    """Return an outcome as JSON, with the schema of docs/cli.md; limits: of the list of tuples."""
    if isinstance(outcome, Verdict):
        evidence, remark = evidence_of(outcome)
        result: Json = {
            "kind": "verdict",
            "formula": outcome.text,
            "plan": plan,
            "verdict": outcome.truth,
            "evidence": None if evidence is None else {
                "kind": evidence.kind, "values": {name: _json_value(value) for name, value in evidence.values.items()},
                "least": evidence.least,
            },
        }
        if remark:
            result["remark"] = remark
        if isinstance(outcome, SlopeVerdict):
            result["slopes"] = outcome.slopes.plain()
        result |= certified_json(outcome)
    elif isinstance(outcome, FamilyRelation):
        result = {
            "kind": "family relation",
            "formula": outcome.text,
            "plan": plan,
            "names": list(outcome.names),
            "systems": [str(sort) for sort in outcome.sorts],
            "states": outcome.automaton.states,
            "transitions": outcome.automaton.transitions,
        }
    else:
        result = {
            "kind": "relation",
            "formula": outcome.text,
            "plan": plan,
            "names": list(outcome.names),
            "systems": [str(sort) for sort in outcome.sorts],
            "states": outcome.states,
            "transitions": outcome.automaton.transitions,
            "empty": outcome.is_empty(),
            "finite": outcome.is_finite(),
            "first": [[_json_value(value) for value in values] for values in islice(outcome.tuples(limits), first)],
        }
    trace = outcome.trace
    if trace is not None:
        result["largest"] = trace.largest
        result["seconds"] = round(trace.seconds, 6)
        if with_trace:
            result["trace"] = json_of_records(trace.records)
    return result


def certified_json(value: object) -> Json:
    """Return what became of the certificate of a verdict, or of a sequence that counts; empty if none was asked for."""
    check = getattr(value, "certified", None)
    return {} if check is None else {"certificate": check.plain()}


def json_of_nondeterministic(
    relation: NondeterministicRelation, formula: str, plan: str, first: int, limits: Limits | None = None
) -> Json:
    """Return a relation whose automaton is not determinized as JSON."""
    return {
        "kind": "relation",
        "nondeterministic": True,
        "formula": formula,
        "plan": plan,
        "names": list(relation.names),
        "systems": [str(sort_of(track)) for track in relation.nfa.tracks],
        "states": relation.states,
        "transitions": relation.transitions,
        "empty": relation.is_empty(),
        "finite": relation.is_finite(limits),
        "first": [[_json_value(value) for value in values] for values in islice(relation.tuples(limits), first)],
    }


def _json_value(value: Value) -> Any:
    return value if isinstance(value, int) else list(value)


def json_of_records(records: Iterable[Record]) -> list[Json]:
    """Return the steps of an evaluation as JSON."""
    return [
        {
            "label": record.label,
            "operation": record.operation,
            "states": record.states,
            "transitions": record.transitions,
            "seconds": round(record.seconds, 6),
            "source": record.source,
        }
        for record in records
    ]


def json_of_error(error: FibproverError) -> Json:
    """Return an error as JSON: its class, message and hint, and the place in the text for a TextError."""
    result: Json = {"kind": "error", "error": type(error).__name__, "message": error.message, "hint": error.hint}
    if isinstance(error, TextError):
        result |= {"text": error.text, "start": error.start, "end": error.end}
    if isinstance(error, BudgetSpent):
        result |= {
            "resource": error.resource, "limit": error.limit, "states": error.states, "transitions": error.transitions,
        }
    return result


def add_latex_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option --latex."""
    parser.add_argument(
        "--latex", action="store_true", help="answer as a part of a LaTeX document, which uses amsmath and amssymb"
    )


def as_latex(arguments: argparse.Namespace) -> bool:
    """Return whether answers are LaTeX; raises FibproverError if they are also JSON."""
    wanted = bool(getattr(arguments, "latex", False))
    if wanted and getattr(arguments, "json", False):
        raise FibproverError("--latex does not go with --json", hint="leave one of them out")
    return wanted


def latex_text(value: object) -> str:
    """Return a value as a part of a LaTeX document, a text in typewriter type if it has no other form."""
    from fibprover.frontends.display.values import latex

    try:
        return latex(value)
    except NotSupported:
        return f"\\begin{{verbatim}}\n{value}\n\\end{{verbatim}}"


#: Escape sequences of terminals: bold green, bold red, and the end of either.
_GREEN, _RED, _PLAIN = "\x1b[1;32m", "\x1b[1;31m", "\x1b[0m"


def verdict_text(verdict: Verdict) -> str:
    """Return TRUE or FALSE; in colour if standard output is a terminal, unless NO_COLOR is set (no-color.org).

    A text in colour is `Verbatim`, also after another text.
    """
    if not in_colour():
        return str(verdict)
    return Verbatim(f"{_GREEN if verdict.truth else _RED}{verdict}{_PLAIN}")


def in_colour() -> bool:
    """Return whether texts on standard output may be coloured."""
    terminal = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return terminal and not os.environ.get("NO_COLOR")


def trace_text(trace: Trace | None) -> str:
    """Return the steps of an evaluation, one on each line, and the size of the largest automaton."""
    if trace is None or not trace.records:
        return "(no steps)"
    return f"{trace}\n{trace.seconds:9.3f} s  largest automaton: {plural(trace.largest, 'state')}"


def records_text(records: Iterable[Record]) -> str:
    """Return the steps that were finished before a budget ran out."""
    done = tuple(records)
    largest = max((record.states for record in done), default=0)
    return trace_text(Trace(done, largest, done[-1].seconds if done else 0.0))


def dumped(result: Json) -> str:
    """Return JSON on one line, in ASCII; numbers of any size are written in full."""
    try:
        return json.dumps(result)
    except ValueError:  # a number is longer than Python writes
        with numbers_of_any_length():
            return json.dumps(result)


@contextmanager
def reported(arguments: argparse.Namespace, progress: Progress, about: Json | None = None) -> Iterator[None]:
    """Print what belongs on standard output if an error occurs in this context, then raise the error again.

    With --json, print the error as an object, after the fields `about`; with --trace, print the steps that were
    finished before a budget ran out.
    """
    try:
        yield
    except FibproverError as problem:
        if getattr(arguments, "json", False):
            result = (about or {}) | json_of_error(problem)
            if isinstance(problem, BudgetSpent) and getattr(arguments, "trace", False):
                result["trace"] = json_of_records(problem.trace)
            progress.say(dumped(result))
        elif isinstance(problem, BudgetSpent) and getattr(arguments, "trace", False):
            progress.say(records_text(problem.trace))
        raise
