"""First terms of sequences in the On-Line Encyclopedia of Integer Sequences, and how words are aligned with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


def _move(term: str) -> int:
    """Return the number of a move in the Tower of Hanoi, which OEIS numbers differently."""
    return (0, 4, 2, 1, 5, 3)[int(term) - 1]



@dataclass(frozen=True)
class Sequence:
    """Terms from `offset`; the letter of the word at n is `letter` of the term at n + shift, for n >= begin."""

    terms: str
    offset: int = 0
    shift: int = 0
    begin: int = 0
    letter: Callable[[str], int] = int


SEQUENCES: Mapping[str, Sequence] = {
    "A010060": Sequence("0110100110010110100101100110100110010110"),
    "A036577": Sequence("210201210120210201202101210201210120210121020120", offset=1, shift=1),
    "A059448": Sequence("0100110100101100110100110010110100", offset=1, begin=1),
    "A095076": Sequence("0111010010001100010111000101101110"),
    "A053838": Sequence("0121202011202010122010121201202010"),
    "A020987": Sequence("0001001000011101000100101110001000"),
    "A014707": Sequence("0010011000110110001001110011011000"),
    "A038189": Sequence("0001001100011011000100111001101100"),
    "A035263": Sequence("1011101010111011101110101011101010", offset=1, shift=1),
    "A003849": Sequence("0100101001001010010100100101001001"),
    "A273129": Sequence("0010011011011001001101101100100100"),
    "A080843": Sequence("0102010010201010201001020102010010"),
    "A254990": Sequence("0102010301020100102010301020101020"),
    "A105083": Sequence("1231121231231123112123112123123112", letter=lambda term: int(term) - 1),
    "A171588": Sequence("0010010001001000100100100010010001", offset=1, shift=1),
    "A064990": Sequence("0010011100010011101101100010010011"),
    "A116178": Sequence("0010010110010010110010110110010010"),
    "A088917": Sequence("1010001010000000001010001010000000"),
    "A086747": Sequence("0101100101001001100100000100100101", begin=1),
    "A209229": Sequence("0110100010000000100000000000000010"),
    "A079944": Sequence("0100110000111100000000111111110000", shift=-2, begin=2),
    "A337005": Sequence("0121021201210120210201202120102101"),
    "A099054": Sequence("1231323123213121323123212312132313"),
    "A101607": Sequence("1621351624321621351324351621351624", offset=1, shift=1, letter=_move),
    "A163540": Sequence("0121103010332300103001210122321110", offset=1, shift=1),
}

#: Arrays: rows of the triangle of binomial coefficients, and antidiagonals of the carpet.
TRIANGLE = ("1", "11", "101", "1111", "10001", "110011", "1010101", "11111111")
ANTIDIAGONALS = ("1", "11", "101", "1111", "11111", "101101", "1110111", "11100111", "101000101", "1111001111")
