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


def _indexed(formula: str, *words: str) -> Difference:
    """A word over msd_2 whose index is a sum in msd_neg_2: the digits have to be declared to be those."""
    declared = tuple(f"alphabet N{word} msd_neg_2 {word};" for word in words)
    for word in words:
        formula = formula.replace(f"{word}[", f"N{word}[")
    return Difference(
        "the word is indexed in msd_2, and the index is in msd_neg_2: that is an error here, since the letter at a"
        " number is not that at its digits in another system",
        (*declared, f'eval read "{formula}";'),
    )


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
    469: _indexed("?msd_neg_2 T[a<5] - (b + c) = 1", "T"),
    473: _indexed("?msd_neg_2 T[a+d] - (b + c) = 1", "T"),
    475: _indexed("?msd_neg_2 (b + c) / TEST[a+d] = 1", "TEST"),
    490: _indexed("?msd_neg_2 T[?msd_neg_2 a + d] > b + c", "T"),
    502: _indexed("?msd_neg_2 TH[a<5] / TEST[b>5] = _2", "TH", "TEST"),
    503: _indexed("?msd_neg_2 TH[a<5] / TEST[b>5] = 2", "TH", "TEST"),
    509: _indexed("?msd_neg_2 TH[a+c] / TEST[b-d] = _2", "TH", "TEST"),
    510: _indexed("?msd_neg_2 TH[a+c] / TEST[b-d] = 2", "TH", "TEST"),
    516: _indexed("?msd_neg_2 TH[a<5] / TEST[b-d] = _2", "TH", "TEST"),
    522: Difference(
        "the peer forgets the free variable y below I and answers true; for no y are there infinitely many x with 2x=y"
    ),
    603: Difference(
        "the peer's concatenation accepts words of the first automaton alone although the second does not accept"
        " the empty word"
    ),
}
