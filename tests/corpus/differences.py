"""The cases of the corpus in which the prover deliberately does something else than the peer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """Why a case differs; instead: commands that give the peer's automaton, where its reading is legitimate."""

    reason: str
    instead: tuple[str, ...] = ()


def _mixed(inner: str, system: str, outer: str) -> Difference:
    """Digits that one system has written are read in another one: that has to be said."""
    return Difference(
        "the peer reads the digits of a in lsd_fib and in msd_2 within one formula; here a number is in one system",
        (f'def written "{inner}";', f"alphabet digits {system} $written;", f'eval read "{outer}";'),
    )


#: The cases of words over msd_2 at an index in msd_neg_2, or split by its signs: errors, unless digits are asked to be
#: shared.
SHARED = frozenset({440, 441, 443, 469, 473, 475, 490, 502, 503, 509, 510, 516})

#: By the number of the case.
DIFFERENCES: Mapping[int, Difference] = {
    119: _mixed("?lsd_fib a = 10", "msd_2", "E a $digits(a) & b = a+1"),
    120: _mixed("?lsd_fib `(a = 10)", "msd_2", "E a $digits(a) & b = a+3"),
    121: _mixed("`(?lsd_fib a = 10)", "msd_2", "E a $digits(a) & b = a+3"),
    124: _mixed("?lsd_fib a = 10", "lsd_2", "?lsd_2 E a $digits(a) & b = a+5"),
    125: _mixed("`(?lsd_fib a = 10)", "msd_2", "`(E a $digits(a) & b = a+5)"),
    150: Difference(
        "the digits 2 and 7 are not in the alphabet of lsd_2: that is an error here, and for the peer letters that"
        " occur nowhere",
        ('reg read lsd "100*";',),
    ),
    522: Difference(
        "the peer forgets the free variable y below I and answers true; for no y are there infinitely many x with 2x=y"
    ),
    603: Difference(
        "the peer's concatenation accepts words of the first automaton alone although the second does not accept"
        " the empty word"
    ),
}
