"""Sequences of the On-Line Encyclopedia of Integer Sequences that have a linear representation, by their equations.

Only what identifies a sequence is here, written anew: its number, what it is, equations that determine it, and its
first terms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from fibprover.base.values import value

#: The name of a sequence, and the rest of its equations.
_NAMED = re.compile(r"(?:\?\w+ )?(\w+)\(.*", re.DOTALL)


@value
class KnownSequence:
    """A sequence with a number in the On-Line Encyclopedia of Integer Sequences.

    title: what it is; equations: of `a`, and of other sequences that it needs; terms: the first ones, a(0), a(1), ...,
    also where the list of the encyclopedia begins later; shift: a(n) is the term of the encyclopedia at n + shift.
    """

    number: str
    title: str
    equations: tuple[str, ...]
    terms: tuple[int, ...]
    shift: int = 0

    @property
    def relation(self) -> str:
        """How the terms are those of the encyclopedia, "" if they are the same."""
        return f"a(n) = {self.number}(n+{self.shift})" if self.shift else ""

    def __str__(self) -> str:
        return f"{self.number}, {self.title}{f': {self.relation}' if self.relation else ''}"

    @property
    def by_name(self) -> dict[str, str]:
        """The equations by the names of the sequences that they are about."""
        return {_NAMED.sub(r"\1", text): text for text in self.equations}


#: The sequences by their numbers.
KNOWN: Mapping[str, KnownSequence] = MappingProxyType({each.number: each for each in (
    KnownSequence("A000069", "odious numbers", ("a(n)=2n+1-T[n]",),
                  (1, 2, 4, 7, 8, 11, 13, 14, 16, 19, 21, 22, 25, 26), 1),
    KnownSequence("A000120", "ones in base 2", ("a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1",),
                  (0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3)),
    KnownSequence("A000201", "Wythoff's lower sequence", ("?msd_fib a(0)=0, a(1)=1, a(n)=a(n-1)+2-F[n-2] for n>=2",),
                  (0, 1, 3, 4, 6, 8, 9, 11, 12, 14, 16, 17, 19, 21)),
    KnownSequence("A000217", "triangular numbers", ("a(0)=0, a(n)=a(n-1)+n for n>=1",),
                  (0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91)),
    KnownSequence("A000265", "odd part", ("a(0)=0, a(2n)=a(n), a(2n+1)=2n+1",),
                  (0, 1, 1, 3, 1, 5, 3, 7, 1, 9, 5, 11, 3, 13)),
    KnownSequence("A000523", "floor(log2 n)", ("a(0)=0, a(1)=0, a(n)=a(floor(n/2))+1 for n>=2",),
                  (0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3)),
    KnownSequence("A000695", "Moser and de Bruijn", ("a(0)=0, a(2n)=4a(n), a(2n+1)=4a(n)+1",),
                  (0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81)),
    KnownSequence("A000788", "ones in 0, ..., n", ("a(0)=0, a(2n)=a(n)+a(n-1)+n, a(2n+1)=2a(n)+n+1",),
                  (0, 1, 2, 4, 5, 7, 9, 12, 13, 15, 17, 20, 22, 25)),
    KnownSequence(
        "A001196", "each bit twice",
        ("a(0)=0, a(2n)=4a(n), a(2n+1)=4a(n)+3",),
        (0, 3, 12, 15, 48, 51, 60, 63, 192, 195, 204, 207, 240, 243),
    ),
    KnownSequence("A001316", "Gould: odd numbers in a row of Pascal's triangle", ("a(0)=1, a(2n)=a(n), a(2n+1)=2a(n)",),
                  (1, 2, 2, 4, 2, 4, 4, 8, 2, 4, 4, 8, 4, 8)),
    KnownSequence("A001511", "ruler function", ("a(0)=0, a(2n)=a(n)+1, a(2n+1)=1",),
                  (0, 1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3, 1)),
    KnownSequence("A001855", "binary insertion sort", ("a(0)=a(1)=0, a(n)=a(floor(n/2))+a(ceil(n/2))+n-1 for n>=2",),
                  (0, 0, 1, 3, 5, 8, 11, 14, 17, 21, 25, 29, 33, 37)),
    KnownSequence("A001969", "evil numbers", ("a(n)=2n+T[n]",),
                  (0, 3, 5, 6, 9, 10, 12, 15, 17, 18, 20, 23, 24, 27), 1),
    KnownSequence("A002487", "Stern's diatomic sequence", ("a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)",),
                  (0, 1, 1, 2, 1, 3, 2, 3, 1, 4, 3, 5, 2, 5)),
    KnownSequence("A002620", "quarter-squares", ("a(2n)=n^2, a(2n+1)=n^2+n",),
                  (0, 0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30, 36, 42)),
    KnownSequence("A003188", "Gray code", ("a(0)=0, a(2n)=2a(n)+(n mod 2), a(2n+1)=2a(n)+1-(n mod 2)",),
                  (0, 1, 3, 2, 6, 7, 5, 4, 12, 13, 15, 14, 10, 11)),
    KnownSequence("A003314", "binary entropy", ("a(0)=a(1)=0, a(n)=n+a(floor(n/2))+a(ceil(n/2)) for n>=2",),
                  (0, 0, 2, 5, 8, 12, 16, 20, 24, 29, 34, 39, 44, 49)),
    KnownSequence("A003714", "Fibbinary numbers", ("?msd_fib a(0)=0, a(n.0)=2a(n), a(n.1)=2a(n)+1",),
                  (0, 1, 2, 4, 5, 8, 9, 10, 16, 17, 18, 20, 21, 32)),
    KnownSequence("A004718", "Norgard's infinity sequence", ("a(0)=0, a(2n)=-a(n), a(2n+1)=a(n)+1",),
                  (0, 1, -1, 2, 1, 0, -2, 3, -1, 2, 0, 1, 2, -1)),
    KnownSequence("A005187", "2n less the ones", ("a(0)=0, a(n)=a(floor(n/2))+n for n>0",),
                  (0, 1, 3, 4, 7, 8, 10, 11, 15, 16, 18, 19, 22, 23)),
    KnownSequence(
        "A005590", "differences in place of Stern's sums",
        ("a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n+1)-a(n)",),
        (0, 1, 1, 0, 1, -1, 0, 1, 1, -2, -1, 1, 0, 1),
    ),
    KnownSequence("A005811", "runs", ("a(0)=0, a(2n)=a(n)+(n mod 2), a(2n+1)=a(n)+1-(n mod 2)",),
                  (0, 1, 2, 1, 2, 3, 2, 1, 2, 3, 4, 3, 2, 3)),
    KnownSequence("A005823", "Cantor's numbers", ("a(0)=0, a(2n)=3a(n), a(2n+1)=3a(n)+2",),
                  (0, 2, 6, 8, 18, 20, 24, 26, 54, 56, 60, 62, 72, 74), 1),
    KnownSequence("A005836", "no digit 2 in base 3", ("a(0)=0, a(2n)=3a(n), a(2n+1)=3a(n)+1",),
                  (0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37), 1),
    KnownSequence("A006046", "sums of Gould's sequence", ("a(0)=0, a(1)=1, a(2n)=3a(n), a(2n+1)=2a(n)+a(n+1)",),
                  (0, 1, 3, 5, 9, 11, 15, 19, 27, 29, 33, 37, 45, 49)),
    KnownSequence(
        "A006047", "entries of Pascal's triangle not divisible by 3",
        ("a(0)=1, a(3n)=a(n), a(3n+1)=2a(n), a(3n+2)=3a(n)",),
        (1, 2, 3, 2, 4, 6, 3, 6, 9, 2, 4, 6, 4, 8),
    ),
    KnownSequence(
        "A006068", "inverse of the Gray code",
        ("a(0)=0, a(2n)=2a(n)+(a(n) mod 2), a(2n+1)=2a(n)+1-(a(n) mod 2)",),
        (0, 1, 3, 2, 7, 6, 4, 5, 15, 14, 12, 13, 8, 9),
    ),
    KnownSequence(
        "A006165", "Josephus, every second one but the last two",
        ("a(0)=0, a(1)=a(2)=1, a(2n)=2a(n), a(2n+1)=a(n+1)+a(n)",),
        (0, 1, 1, 2, 2, 3, 4, 4, 4, 5, 6, 7, 8, 8),
    ),
    KnownSequence("A006257", "Josephus", ("a(0)=0, a(1)=1, a(2n)=2a(n)-1, a(2n+1)=2a(n)+1",),
                  (0, 1, 1, 3, 1, 3, 5, 7, 1, 3, 5, 7, 9, 11)),
    KnownSequence("A006519", "greatest power of 2 that divides", ("a(0)=0, a(2n)=2a(n), a(2n+1)=1",),
                  (0, 1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1)),
    KnownSequence(
        "A006520", "sums of the greatest powers of 2 that divide",
        ("a(0)=0, a(2n)=2a(n)+n, a(2n+1)=2a(n)+n+1",),
        (0, 1, 3, 4, 8, 9, 11, 12, 20, 21, 23, 24, 28, 29),
    ),
    KnownSequence("A007088", "base 2 read in base 10", ("a(0)=0, a(2n)=10a(n), a(2n+1)=10a(n)+1",),
                  (0, 1, 10, 11, 100, 101, 110, 111, 1000, 1001, 1010, 1011, 1100, 1101)),
    KnownSequence("A007814", "2-adic valuation", ("a(0)=0, a(2n)=a(n)+1, a(2n+1)=0",),
                  (0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0)),
    KnownSequence("A007895", "Zeckendorf's parts", ("?msd_fib a(0)=0, a(n.0)=a(n), a(n.1)=a(n)+1",),
                  (0, 1, 1, 1, 2, 1, 2, 2, 1, 2, 2, 2, 3, 1)),
    KnownSequence("A007949", "3-adic valuation", ("a(0)=0, a(3n)=a(n)+1, a(3n+1)=a(3n+2)=0",),
                  (0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0)),
    KnownSequence("A007953", "sums of decimal digits", ("a(0)=0, a(n)=a(floor(n/10))+(n mod 10) for n>0",),
                  (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4)),
    KnownSequence("A011371", "2-adic valuation of n!", ("a(0)=0, a(n)=a(floor(n/2))+floor(n/2) for n>0",),
                  (0, 0, 1, 1, 3, 3, 4, 4, 7, 7, 8, 8, 10, 10)),
    KnownSequence("A014081", "blocks 11", ("a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+(n mod 2)",),
                  (0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 0, 1, 1, 1)),
    KnownSequence("A020985", "Rudin and Shapiro", ("a(0)=1, a(2n)=a(n), a(2n+1)=(-1)^n*a(n)",),
                  (1, 1, 1, -1, 1, 1, -1, 1, 1, 1, 1, -1, -1, -1)),
    KnownSequence(
        "A020986", "sums of the Rudin-Shapiro sequence",
        ("a(0)=1, a(n)=a(n-1)+r(n) for n>0", "r(0)=1, r(2n)=r(n), r(2n+1)=(-1)^n r(n)"),
        (1, 2, 3, 2, 3, 4, 3, 4, 5, 6, 7, 6, 5, 4),
    ),
    KnownSequence(
        "A022290", "base 2 read in Fibonacci numbers",
        ("a(0)=0, a(2n)=b(n), a(2n+1)=b(n)+1", "b(0)=0, b(2n)=a(n)+b(n), b(2n+1)=a(n)+b(n)+2"),
        (0, 1, 2, 3, 3, 4, 5, 6, 5, 6, 7, 8, 8, 9),
    ),
    KnownSequence("A023416", "zeros in base 2", ("a(0)=1, a(1)=0, a(2n)=a(n)+1, a(2n+1)=a(n)",),
                  (1, 0, 1, 0, 2, 1, 1, 0, 3, 2, 2, 1, 2, 1)),
    KnownSequence("A027868", "zeros at the end of n!", ("a(0)=0, a(n)=a(floor(n/5))+floor(n/5) for n>0",),
                  (0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2)),
    KnownSequence("A029837", "ceil(log2 n)", ("a(0)=a(1)=0; a(n)=max(a(floor(n/2)), a(ceil(n/2)))+1 for n>1",),
                  (0, 0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4)),
    KnownSequence(
        "A030101", "digits reversed in base 2",
        ("a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+p(n)", "p(0)=1, p(n)=2p(floor(n/2)) for n>0"),
        (0, 1, 1, 3, 1, 5, 3, 7, 1, 9, 5, 13, 3, 11),
    ),
    KnownSequence("A033264", "blocks 10", ("a(0)=0, a(2n)=a(n)+(n mod 2), a(2n+1)=a(n)",),
                  (0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 2, 1, 1, 1)),
    KnownSequence("A035327", "digits complemented", ("a(0)=1, a(1)=0, a(2n)=2a(n)+1, a(2n+1)=2a(n)",),
                  (1, 0, 1, 0, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2)),
    KnownSequence("A048724", "n XOR 2n", ("a(0)=0, a(2n)=2a(n), a(2n+1)=2a(n)+3-4(n mod 2)",),
                  (0, 3, 6, 5, 12, 15, 10, 9, 24, 27, 30, 29, 20, 23)),
    KnownSequence(
        "A048883", "3 to the number of ones in base 2",
        ("a(0)=1, a(2n)=a(n), a(2n+1)=3a(n)",),
        (1, 3, 3, 9, 3, 9, 9, 27, 3, 9, 9, 27, 9, 27),
    ),
    KnownSequence("A053644", "greatest power of 2", ("a(0)=0, a(1)=1, a(n)=2a(floor(n/2)) for n>1",),
                  (0, 1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8)),
    KnownSequence("A053645", "n less the greatest power of 2", ("a(0)=a(1)=0, a(2n)=2a(n), a(2n+1)=2a(n)+1",),
                  (0, 0, 0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5)),
    KnownSequence("A053735", "sums of digits in base 3", ("a(0)=0, a(n)=a(floor(n/3))+n mod 3 for n>0",),
                  (0, 1, 2, 1, 2, 3, 2, 3, 4, 1, 2, 3, 2, 3)),
    KnownSequence(
        "A053737", "sums of digits in base 4",
        ("a(0)=0, a(4n)=a(n), a(4n+1)=a(n)+1, a(4n+2)=a(n)+2, a(4n+3)=a(n)+3",),
        (0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4),
    ),
    KnownSequence(
        "A053985", "base 2 read in base -2",
        ("a(0)=0, a(2n)=-2a(n), a(2n+1)=-2a(n)+1",),
        (0, 1, -2, -1, 4, 5, 2, 3, -8, -7, -10, -9, -4, -3),
    ),
    KnownSequence("A054861", "3-adic valuation of n!", ("a(0)=0, a(n)=a(floor(n/3))+floor(n/3) for n>0",),
                  (0, 0, 0, 1, 1, 1, 2, 2, 2, 4, 4, 4, 5, 5)),
    KnownSequence(
        "A057300", "neighbouring digits exchanged",
        ("a(0)=0, a(4n)=4a(n), a(4n+1)=4a(n)+2, a(4n+2)=4a(n)+1, a(4n+3)=4a(n)+3",),
        (0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14),
    ),
    KnownSequence(
        "A060144", "floor(n/(phi+1)), sums of the Fibonacci word",
        ("?msd_fib a(0)=a(1)=0, a(n)=a(n-1)+F[n-2] for n>=2",),
        (0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4),
    ),
    KnownSequence("A062756", "ones in base 3", ("a(0)=0, a(3n)=a(3n+2)=a(n), a(3n+1)=a(n)+1",),
                  (0, 1, 0, 1, 2, 1, 0, 1, 0, 1, 2, 1, 2, 3)),
    KnownSequence("A063694", "odd places removed", ("a(0)=0, a(4n)=a(4n+2)=4a(n), a(4n+1)=a(4n+3)=4a(n)+1",),
                  (0, 1, 0, 1, 4, 5, 4, 5, 0, 1, 0, 1, 4, 5)),
    KnownSequence(
        "A065363", "sums of balanced ternary digits",
        ("a(0)=0, a(3n)=a(n), a(3n+1)=a(n)+1, a(3n-1)=a(n)-1 for n>=1",),
        (0, 1, 0, 1, 2, -1, 0, 1, 0, 1, 2, 1, 2, 3),
    ),
    KnownSequence("A070939", "digits in base 2", ("a(0)=1, a(1)=1, a(n)=a(floor(n/2))+1 for n>=2",),
                  (1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4)),
    KnownSequence(
        "A073642", "sums of places of ones",
        ("a(0)=0, a(2n)=a(n)+s(n), a(2n+1)=a(n)+s(n)", "s(0)=0, s(2n)=s(n), s(2n+1)=s(n)+1"),
        (0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5),
    ),
    KnownSequence("A080791", "zeros that are not in front", ("a(0)=a(1)=0, a(2n)=a(n)+1, a(2n+1)=a(n)",),
                  (0, 0, 1, 0, 2, 1, 1, 0, 3, 2, 2, 1, 2, 1)),
    KnownSequence(
        "A081603", "twos in base 3",
        ("a(0)=0, a(3n)=a(n), a(3n+1)=a(n), a(3n+2)=a(n)+1",),
        (0, 0, 1, 0, 0, 1, 1, 1, 2, 0, 0, 1, 0, 0),
    ),
    KnownSequence(
        "A087808", "a(2n) = 2a(n), a(2n+1) = a(n)+1",
        ("a(0)=0, a(2n)=2a(n), a(2n+1)=a(n)+1",),
        (0, 1, 2, 2, 4, 3, 4, 3, 8, 5, 6, 4, 8, 5),
    ),
    KnownSequence("A106400", "Thue and Morse, 1 and -1", ("a(0)=1, a(2n)=a(n), a(2n+1)=-a(n)",),
                  (1, -1, -1, 1, -1, 1, 1, -1, -1, 1, 1, -1, 1, -1)),
    KnownSequence("A115384", "sums of the Thue-Morse word", ("a(0)=0, a(n)=a(n-1)+T[n] for n>0",),
                  (0, 1, 2, 2, 3, 3, 3, 4, 5, 5, 5, 6, 6, 7)),
    KnownSequence(
        "A117966", "digits of base 3 read with -1 for 2",
        ("a(0)=0, a(3n)=3a(n), a(3n+1)=3a(n)+1, a(3n+2)=3a(n)-1",),
        (0, 1, -1, 3, 4, 2, -3, -2, -4, 9, 10, 8, 12, 13),
    ),
    KnownSequence("A278043", "ones in the tribonacci representation", ("?msd_trib a(0)=0, a(n.0)=a(n), a(n.1)=a(n)+1",),
                  (0, 1, 1, 2, 1, 2, 2, 1, 2, 2, 3, 2, 3, 1)),
)})
