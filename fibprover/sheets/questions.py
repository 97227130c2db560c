"""The questions that are asked of every word with one index.

A formula mentions the word as X, its predicates as $feq_X and so on (`fibprover.learn.standard`), and is about numbers
of the system of its indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

#: How a question is answered: a closed formula is decided; of a formula with one free variable n the set is described;
#: of one with i and n the number of i is a sequence; of one with n and p the supremum of n/p is found.
Kind = Literal["claim", "set", "sequence", "supremum"]

#: The sections of a sheet, in order.
SECTIONS = ("letters", "recurrence", "factors", "symmetry", "palindromes", "repetitions", "special factors")


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a sheet.

    id: its name, the same for all words; statement: what is claimed or asked, as a sentence about X; formula: for X.
    """

    id: str
    section: str
    kind: Kind
    statement: str
    formula: str


#: No earlier position has the same factor of length n.
_FIRST = "Aj j<i => ~$feq_X(i,j,n)"

#: The letters after two equal factors of length n differ.
_RIGHT_SPECIAL = "Ej $feq_X(i,j,n) & X[i+n]!=X[j+n]"
_BISPECIAL = (
    "(Ej $feq_X(i+1,j+1,n) & X[i]!=X[j]) & (Ej $feq_X(i+1,j,n) & X[i+n+1]!=X[j+n])"
)

_QUESTIONS = (
    Question(
        "eventually-periodic", "recurrence", "claim", "X is eventually periodic.",
        "Ep,m p>0 & (Ai i>=m => X[i]=X[i+p])",
    ),
    Question(
        "recurrent", "recurrence", "claim", "Each factor of X occurs again and again.", "Ai,n Ej j>i & $feq_X(i,j,n)",
    ),
    Question(
        "uniformly-recurrent", "recurrence", "claim",
        "X is uniformly recurrent: each factor occurs in every factor of some length. So its subshift is minimal.",
        "An Em Ai,k Ej j>=k & j<k+m & $feq_X(i,j,n)",
    ),
    Question(
        "gaps", "recurrence", "supremum",
        "The distance from an occurrence of a factor of length n to the next one, divided by n, is at most this.",
        "p>0 & (Ei,j j=i+n & n>0 & $feq_X(i,j,p) & (Ak (k>i & k<j) => ~$feq_X(i,k,p)))",
    ),
    Question(
        "appearance", "recurrence", "supremum",
        "The end of the first occurrence of a factor of length n, divided by n, is at most this.",
        f"p>0 & (Ei n=i+p & ({_FIRST.replace('n)', 'p)')}))",
    ),
    Question("complexity", "factors", "sequence", "The number of factors of length n.", _FIRST),
    Question(
        "right-special", "special factors", "sequence", "The number of right special factors of length n.",
        f"({_FIRST}) & ({_RIGHT_SPECIAL})",
    ),
    Question(
        "bispecial", "special factors", "set",
        "The lengths of bispecial factors that occur after the first letter.", f"Ei {_BISPECIAL}",
    ),
    Question(
        "reversal", "symmetry", "claim", "The reversal of each factor is a factor.",
        "Ai,n Ej Ak k<n => X[i+k]=X[(j+n)-(k+1)]",
    ),
    Question("palindrome-lengths", "palindromes", "set", "The lengths of palindromes.", "Ei $pal_X(i,n)"),
    Question(
        "palindromes", "palindromes", "sequence", "The number of palindromes of length n.", f"$pal_X(i,n) & ({_FIRST})",
    ),
    Question(
        "palindromic-prefixes", "palindromes", "set", "The lengths of prefixes that are palindromes.", "$pal_X(0,n)",
    ),
    Question(
        "rich", "palindromes", "claim",
        "X is rich: each prefix that is not empty ends in a palindrome that occurs in it only there.",
        "An n>0 => Ei i<n & (Em m+i=n & $pal_X(i,m) & (Aj j<i => ~$feq_X(i,j,m)))",
    ),
    Question("squares", "repetitions", "claim", "X has a square.", "Ei,n n>0 & $feq_X(i,i+n,n)"),
    Question(
        "square-orders", "repetitions", "set", "The lengths n of the roots of squares xx.",
        "n>0 & (Ei $feq_X(i,i+n,n))",
    ),
    Question(
        "overlaps", "repetitions", "claim", "X has an overlap axaxa, with a letter a.", "Ei,n n>0 & $feq_X(i,i+n,n+1)",
    ),
    Question("cubes", "repetitions", "claim", "X has a cube.", "Ei,n n>0 & $feq_X(i,i+n,2*n)"),
    Question(
        "cube-orders", "repetitions", "set", "The lengths n of the roots of cubes xxx.",
        "n>0 & (Ei $feq_X(i,i+n,2*n))",
    ),
    Question("fourth-powers", "repetitions", "claim", "X has a fourth power.", "Ei,n n>0 & $feq_X(i,i+n,3*n)"),
    Question(
        "critical-exponent", "repetitions", "supremum",
        "The critical exponent, the supremum of n/p over factors of length n and period p.",
        "p>0 & (Ei $per_X(i,n,p))",
    ),
    Question(
        "prefix-exponent", "repetitions", "supremum",
        "The supremum of n/p over prefixes of length n and period p.", "p>0 & $per_X(0,n,p)",
    ),
    Question(
        "unbordered", "repetitions", "set", "The lengths of factors without a border.",
        "n>0 & (Ei Am (m>0 & m<n) => ~$border_X(i,m,n))",
    ),
)

#: Asked of words with two letters.
_COMPLEMENT = Question(
    "complement", "symmetry", "claim", "The complement of each factor is a factor.", "Ai,n Ej Ak k<n => X[i+k]!=X[j+k]",
)


def questions(letters: Sequence[int]) -> Iterator[Question]:
    """Yield the questions about a word with these letters, in the order of the sections."""
    for letter in letters:
        yield Question(
            f"letter-{letter}", "letters", "claim", f"The letter {letter} occurs infinitely often.",
            f"Am Ei i>m & X[i]=@{letter}",
        )
        yield Question(
            f"letter-{letter}-gaps", "letters", "set",
            f"The distances from one letter {letter} to the next.",
            f"n>0 & (Ei X[i]=@{letter} & X[i+n]=@{letter} & (Aj (j>i & j<i+n) => X[j]!=@{letter}))",
        )
    for section in SECTIONS:
        yield from (each for each in _QUESTIONS if each.section == section)
        if section == _COMPLEMENT.section and len(letters) == 2:
            yield _COMPLEMENT
