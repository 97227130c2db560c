"""A question about a word with one index, how it is answered, and the sections of a sheet.

A formula mentions the word as X, its predicates as $feq_X and so on (`fibprover.learn.standard`), and is about numbers
of the system of its indices.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

#: How a question is answered: a closed formula is decided; of a formula with one free variable n the set is described;
#: of one with n and others the number of values of these is a sequence, or the greatest of these numbers is asked for;
#: of a function with n and m the value is the number of the m, which are those less than it;
#: of one with n and p the supremum of n/p is found, or its limit superior for large p.  A frequency is that of the
#: places n of the formula.  The formula of a word is for one letter, the last one, as its n-th letter.
#: Cases are numbers with a closed formula each, and the set of those whose formula is true is found.  Of counts the
#: formula has the sign # after E: with #=k it says that some count is k, with #>k that one is greater.
#: Of steps the cases are formulas for n, and the first one that all numbers satisfy is looked for.
#: The set of a balance has no gaps, so that its cases, for 1, 2, ..., are tried first.
#: Of a table, the size is the number of values of all variables, and a line is the word of the cells of a formula.
#: The formula of a derived word has $occ1_X or $occ2_X and says that the prefix of this length occurs an n-th time.
#: A recursion, of the sheet of a sequence, has no formula but equations, separated by commas.
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
