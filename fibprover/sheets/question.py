"""A question about a word with one index, how it is answered, and the sections of a sheet.

A formula mentions the word as X, its predicates as $feq_X and so on (`fibprover.learn.standard`), and is about numbers
of the system of its indices.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

#: How a question is answered, by the kind of its formula:
#:
#:   claim        a closed formula, which is decided
#:   set          a formula with the free variable n, whose set is described
#:   sequence     a formula with n and other variables; the number of values of these is a sequence
#:   greatest     as for a sequence, but the greatest of these numbers is the answer
#:   function     a formula with n and m; the value at n is the number of the m, which are the numbers below it
#:   supremum     a formula with n and p; the supremum of n/p is the answer
#:   limit        the same, with the limit superior for large p
#:   frequency    a formula with n; the frequency of the places n is the answer
#:   word         a formula for the n-th letter to be a certain one, the last one, of the word that is the answer
#:   cases        closed formulas, each for a number; the set of the numbers whose formula is true is the answer
#:   balance      the same, for 1, 2, ...; the set has no gaps, so that the cases are tried in order
#:   counts       a formula with the sign # after E: #=k says that some count is k, #>k that some count is greater
#:   steps        formulas for n; the first one that all numbers satisfy is the answer
#:   derived      $occ1_X or $occ2_X: the prefix of this length occurs for the n-th time
#:   closed form  none; the number of factors as a function of n
#:   size, line   of a word with two indices: the number of values of all variables; the word of the cells of a formula
#:   recursion    no formula but equations, separated by commas; of the sheet of a sequence
Kind = Literal[
    "claim", "set", "sequence", "greatest", "supremum", "limit", "frequency", "word", "cases", "counts", "steps",
    "derived", "closed form", "size", "line", "balance", "recursion", "function",
]

#: Counts that are not less are not looked for.
MOST_COUNTED = 100

#: The sections of a sheet, in order.
SECTIONS = (
    "letters", "recurrence", "factors", "symmetry", "palindromes", "repetitions", "special factors", "order", "abelian",
)


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a sheet.

    id: its name, the same for all words; statement: what is claimed or asked, as a sentence about X; formula: for X;
    cases: of the kinds that have them, a number and a formula each.
    """

    id: str
    section: str
    kind: Kind
    statement: str
    formula: str = ""
    cases: tuple[tuple[int, str], ...] = ()

    @property
    def mentioned(self) -> str:
        """The formula and those of the cases, where names of predicates are looked for."""
        return " ".join([self.formula, *(formula for _, formula in self.cases)])

    @property
    def shown(self) -> str:
        """The formula of an open line: of cases the last one, of counts that one is too large to be looked for."""
        return (self.formula or self.cases[-1][1]).replace("#", f">={MOST_COUNTED}")


def about_word(text: str, name: str) -> str:
    """Return a formula about X as one about the word with this name."""
    return re.sub(r"\bX\[", f"{name}[", text.replace("_X(", f"_{name}("))
