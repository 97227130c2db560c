"""Verdicts: truth, evidence, and how they were found."""

from __future__ import annotations

from html import escape

from fibprover.display.html import GREEN, RED, bold, card, code
from fibprover.display.text import evidence_of, text_of
from fibprover.display.trace import trace_html
from fibprover.verdict.verdict import Verdict


def html(verdict: Verdict) -> str:
    """Truth and formula, evidence, and the steps folded."""
    return verdict_html(verdict)


def text(verdict: Verdict) -> str:
    """Truth and evidence."""
    return text_of(verdict, 0)


def verdict_html(verdict: Verdict, name: str = "", *, unfolded: bool = False) -> str:
    """The same under a name; unfolded: whether the steps are shown at once."""
    evidence, remark = evidence_of(verdict)
    truth = bold(str(verdict), GREEN if verdict.truth else RED)
    return card(
        f"{bold(name + ' ') if name else ''}{truth} {code(verdict.text)}",
        escape(remark if evidence is None else str(evidence)),
        trace_html(verdict.trace, unfolded=unfolded),
    )
