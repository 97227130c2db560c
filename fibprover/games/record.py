"""A theorem, or what was tried, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fibprover.automata.dfa import Dfa
from fibprover.formats.walnut import automaton_text
from fibprover.games.findings.finding import Finding
from fibprover.games.search import Attempt

if TYPE_CHECKING:
    from fibprover.games.theorem import Theorem


def record(theorem: Theorem) -> dict[str, Any]:
    """A theorem as an object of JSON: numbers, texts, lists and mappings; null where nothing is proved."""
    found = theorem.discovery
    proved = bool(theorem)
    candidate, proof = found.candidate, found.proof
    return {
        "game": found.game.name,
        "rules": {
            "form": found.game.form,
            "moves": found.game.moves if isinstance(found.game.moves, str) else None,
            "terminal": found.game.terminal,
            "blocked": found.game.blocked,
        },
        "status": found.status,
        "system": theorem.system.name if proved else None,
        "states": theorem.automaton.states if proved else None,
        "data_bound": found.data.bound,
        "positions": len(found.data),
        "terminal_positions": found.data.terminal,
        "margin": candidate.margin if proved and candidate is not None else None,
        "proof_states": proof.states if proved and proof is not None else None,
        "seconds": round(found.seconds, 6),
        "peak_bytes": found.peak_bytes,
        "findings": [_finding(finding) for finding in theorem.findings],
        "undecided": list(theorem.undecided),
        "attempts": [_attempt(attempt) for attempt in found.attempts],
        "automaton": automaton_text(theorem.automaton) if proved else None,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "statement": finding.statement,
        "script": list(finding.script),
        "data": _plain(finding.data),
        "automata": {name: automaton_text(found) for name, found in finding.automata.items()},
    }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "system": attempt.system,
        "bound": attempt.bound,
        "positions": attempt.positions,
        "states": attempt.states,
        "margin": attempt.margin,
        "outcome": attempt.outcome,
        "failure": None if attempt.failure is None else list(attempt.failure),
        "reason": attempt.reason,
        "seconds": round(attempt.seconds, 6),
    }


def _plain(item: Any) -> Any:
    """Data of a finding as JSON can say it."""
    if isinstance(item, Mapping):
        return {str(key): _plain(part) for key, part in item.items()}
    if isinstance(item, list | tuple | set | frozenset):
        return [_plain(part) for part in item]
    if isinstance(item, Dfa):
        return automaton_text(item)
    if item is None or isinstance(item, bool | int | float | str):
        return item
    return item.item() if hasattr(item, "item") else str(item)
