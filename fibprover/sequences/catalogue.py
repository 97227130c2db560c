"""Sequences of numbers that are known by their number in the On-Line Encyclopedia of Integer Sequences.

Each is given by equations that determine it, which `Session.solve` proves when the sequence is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fibprover.base.values import value
from fibprover.sequences.series import Series


@value
class SequenceEntry:
    """A sequence that is known.

    number: in the OEIS; title: what it is; system, equations: what determines it; first: its first terms, a(0) and so
    on, by which it is found.
    """

    number: str
    title: str
    system: str
    equations: str
    first: tuple[int, ...]


def _entry(number: str, title: str, first: str, equations: str, system: str = "msd_2") -> SequenceEntry:
    return SequenceEntry(number, title, system, equations, tuple(map(int, first.split())))


def known_sequence(sequence: Series) -> SequenceEntry | None:
    """Return the entry of a sequence, by its first terms: that it is the same for all n is not proved."""
    (system,) = sequence.systems
    for entry in ENTRIES.values():
        if entry.system == system.name and all(sequence[n] == term for n, term in enumerate(entry.first)):
            return entry
    return None


#: The sequences by their numbers.
ENTRIES: Mapping[str, SequenceEntry] = MappingProxyType({each.number: each for each in (
    _entry(
        "A000120", "the number of ones in binary", "0 1 1 2 1 2 2 3 1 2 2 3 2 3 3 4 1 2 2 3",
        "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1",
    ),
    _entry(
        "A000695", "the sums of distinct powers of 4", "0 1 4 5 16 17 20 21 64 65 68 69 80 81 84 85 256 257 260 261",
        "a(0)=0, a(2n)=4a(n), a(2n+1)=4a(n)+1",
    ),
    _entry(
        "A000788", "the number of ones in 0, ..., n in binary", "0 1 2 4 5 7 9 12 13 15 17 20 22 25 28 32 33 35 37 40",
        "a(0)=0, a(2n)=a(n)+a(n-1)+n, a(2n+1)=2a(n)+n+1",
    ),
    _entry(
        "A001196", "the numbers with each bit twice",
        "0 3 12 15 48 51 60 63 192 195 204 207 240 243 252 255 768 771 780 783",
        "a(0)=0, a(2n)=4a(n), a(2n+1)=4a(n)+3",
    ),
    _entry(
        "A001316", "the number of odd binomial coefficients in row n", "1 2 2 4 2 4 4 8 2 4 4 8 4 8 8 16 2 4 4 8",
        "a(0)=1, a(2n)=a(n), a(2n+1)=2a(n)",
    ),
    _entry(
        "A002487", "Stern's diatomic sequence", "0 1 1 2 1 3 2 3 1 4 3 5 2 5 3 4 1 5 4 7",
        "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n)+a(n+1)",
    ),
    _entry(
        "A003188", "the Gray code", "0 1 3 2 6 7 5 4 12 13 15 14 10 11 9 8 24 25 27 26",
        "a(0)=0, a(4n)=2a(2n), a(4n+1)=2a(2n)+1, a(4n+2)=2a(2n+1)+1, a(4n+3)=2a(2n+1)",
    ),
    _entry(
        "A005187", "2n minus the number of ones in binary", "0 1 3 4 7 8 10 11 15 16 18 19 22 23 25 26 31 32 34 35",
        "a(0)=0, a(2n)=a(n)+2n, a(2n+1)=a(n)+2n+1",
    ),
    _entry(
        "A005590", "a variation on Stern's diatomic sequence", "0 1 1 0 1 -1 0 1 1 -2 -1 1 0 1 1 0 1 -3 -2 1",
        "a(0)=0, a(1)=1, a(2n)=a(n), a(2n+1)=a(n+1)-a(n)",
    ),
    _entry(
        "A006046", "the number of odd binomial coefficients in n rows",
        "0 1 3 5 9 11 15 19 27 29 33 37 45 49 57 65 81 83 87 91",
        "a(0)=0, a(1)=1, a(2n)=3a(n), a(2n+1)=2a(n)+a(n+1)",
    ),
    _entry(
        "A011371", "n minus the number of ones in binary", "0 0 1 1 3 3 4 4 7 7 8 8 10 10 11 11 15 15 16 16",
        "a(0)=0, a(2n)=a(n)+n, a(2n+1)=a(n)+n",
    ),
    _entry(
        "A048883", "3 to the number of ones in binary", "1 3 3 9 3 9 9 27 3 9 9 27 9 27 27 81 3 9 9 27",
        "a(0)=1, a(2n)=a(n), a(2n+1)=3a(n)",
    ),
    _entry(
        "A087808", "twice a(n/2), or a((n-1)/2) + 1", "0 1 2 2 4 3 4 3 8 5 6 4 8 5 6 4 16 9 10 6",
        "a(0)=0, a(2n)=2a(n), a(2n+1)=a(n)+1",
    ),
    _entry(
        "A004718", "Norgard's infinity sequence", "0 1 -1 2 1 0 -2 3 -1 2 0 1 2 -1 -3 4 1 0 -2 3",
        "a(0)=0, a(2n)=-a(n), a(2n+1)=a(n)+1",
    ),
    _entry(
        "A053985", "n, whose digits are read in base -2", "0 1 -2 -1 4 5 2 3 -8 -7 -10 -9 -4 -3 -6 -5 16 17 14 15",
        "a(0)=0, a(2n)=-2a(n), a(2n+1)=-2a(n)+1",
    ),
    _entry(
        "A005836", "the numbers without a ternary digit 2", "0 1 3 4 9 10 12 13 27 28 30 31 36 37 39 40 81 82 84 85",
        "a(0)=0, a(2n)=3a(n), a(2n+1)=3a(n)+1",
    ),
    _entry(
        "A053735", "the sum of the ternary digits", "0 1 2 1 2 3 2 3 4 1 2 3 2 3 4 3 4 5 2 3",
        "a(0)=0, a(3n)=a(n), a(3n+1)=a(n)+1, a(3n+2)=a(n)+2", "msd_3",
    ),
    _entry(
        "A062756", "the number of ones in base 3", "0 1 0 1 2 1 0 1 0 1 2 1 2 3 2 1 2 1 0 1",
        "a(0)=0, a(3n)=a(n), a(3n+1)=a(n)+1, a(3n+2)=a(n)", "msd_3",
    ),
    _entry(
        "A081603", "the number of twos in base 3", "0 0 1 0 0 1 1 1 2 0 0 1 0 0 1 1 1 2 1 1",
        "a(0)=0, a(3n)=a(n), a(3n+1)=a(n), a(3n+2)=a(n)+1", "msd_3",
    ),
    _entry(
        "A006047", "the number of binomial coefficients in row n that 3 does not divide",
        "1 2 3 2 4 6 3 6 9 2 4 6 4 8 12 6 12 18 3 6",
        "a(0)=1, a(3n)=a(n), a(3n+1)=2a(n), a(3n+2)=3a(n)", "msd_3",
    ),
    _entry(
        "A117966", "n, whose ternary digits 2 are read as -1", "0 1 -1 3 4 2 -3 -2 -4 9 10 8 12 13 11 6 7 5 -9 -8",
        "a(0)=0, a(3n)=3a(n), a(3n+1)=3a(n)+1, a(3n+2)=3a(n)-1", "msd_3",
    ),
    _entry(
        "A053737", "the sum of the digits in base 4", "0 1 2 3 1 2 3 4 2 3 4 5 3 4 5 6 1 2 3 4",
        "a(0)=0, a(4n)=a(n), a(4n+1)=a(n)+1, a(4n+2)=a(n)+2, a(4n+3)=a(n)+3", "msd_4",
    ),
    _entry(
        "A007895", "the number of terms in Zeckendorf's sum of n", "0 1 1 1 2 1 2 2 1 2 2 2 3 1 2 2 2 3 2 3",
        "a(0)=0, a(n.0)=a(n), a(n.1)=a(n)+1", "msd_fib",
    ),
    _entry(
        "A007953", "the sum of the decimal digits", "0 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 10",
        ", ".join(["a(0)=0", "a(10n)=a(n)", *(f"a(10n+{digit})=a(n)+{digit}" for digit in range(1, 10))]), "msd_10",
    ),
)})
