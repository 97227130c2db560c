"""Comparisons of languages for tests; the kernels that they call are compared with enumeration in test_language.py."""

from __future__ import annotations

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import AutomatonError


def includes(a: Dfa, b: Dfa) -> bool:
    """Return whether a accepts every word that b accepts; their tracks must be the same, in any order."""
    _check_same_tracks(a, b)
    return kernel_calls.difference_is_empty(b, a)


def same_language(a: Dfa, b: Dfa) -> bool:
    """Return whether a and b accept the same words; their tracks must be the same, in any order."""
    _check_same_tracks(a, b)
    return kernel_calls.minimize(a).same_arrays(kernel_calls.minimize(kernel_calls.reorder(b, a.names)))


def _check_same_tracks(a: Dfa, b: Dfa) -> None:
    if sorted(a.tracks) != sorted(b.tracks):
        raise AutomatonError(f"these automata have different tracks: {a!r} and {b!r}")
