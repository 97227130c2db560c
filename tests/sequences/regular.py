"""Sequences with sources: the recursions of the library, and the terms by their definition, which uses no recursion.

`EXAMPLES` are regular, and each oracle computes a term from the digits of n or by counting.  `NOT_REGULAR` have no
linear representation that `solve` finds, and the first words of what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate, count, islice
from math import comb, isqrt
from typing import NamedTuple

import fibprover as fp
from fibprover.sequences.catalogue import KNOWN

AS1 = "Allouche and Shallit, The ring of k-regular sequences (1992)"
AS2 = "Allouche and Shallit, The ring of k-regular sequences, II (2003)"
BOOK = "Allouche and Shallit, Automatic Sequences (2003), chapter 16"
OEIS = "On-Line Encyclopedia of Integer Sequences"


class Example(NamedTuple):
    """A sequence: its name, its source, its dimension, and its terms by a definition; the library has its equations."""

    name: str
    source: str
    rank: int
    terms: Callable[[int], Iterator[int | Fraction]]

    @property
    def equations(self) -> tuple[str, ...]:
        return KNOWN[self.name].equations


def each(term: Callable[[int], int]) -> Callable[[int], Iterator[int]]:
    """The terms by a function of n."""
    return lambda length: map(term, range(length))


def summed(term: Callable[[int], int]) -> Callable[[int], Iterator[int]]:
    """The sums of the terms from 0 to n."""
    return lambda length: accumulate(map(term, range(length)))


def digits(number: int, base: int) -> list[int]:
    """The digits, least significant first; none of 0."""
    found = []
    while number:
        number, digit = divmod(number, base)
        found.append(digit)
    return found


def valuation(number: int, prime: int) -> int:
    return next(k for k in count() if number % prime ** (k + 1)) if number else 0


def read_in(number: int, base: int, other: int) -> int:
    """The number whose digits in another base are those of a number."""
    return sum(digit * other**place for place, digit in enumerate(digits(number, base)))


def greedy(number: int, weights: list[int]) -> list[int]:
    """The digits of a number, greedy, most significant first."""
    found = []
    for weight in reversed([each for each in weights if each <= max(number, 1)]):
        digit, number = divmod(number, weight)
        found.append(digit)
    return found


def weights(first: list[int], factors: list[int]) -> list[int]:
    found = list(first)
    while len(found) < 60:
        found.append(sum(factor * found[-1 - place] for place, factor in enumerate(factors)))
    return found


FIBONACCI = weights([1, 2], [1, 1])
TRIBONACCI = weights([1, 2, 4], [1, 1, 1])


def runs(number: int) -> int:
    return (number ^ (number >> 1)).bit_count()


def gray_inverse(number: int) -> int:
    found = 0
    while number:
        found, number = found ^ number, number >> 1
    return found


def josephus(number: int) -> int:
    return 2 * (number - (1 << (number.bit_length() - 1))) + 1 if number else 0


def hyperbinary(length: int) -> Iterator[int]:
    """Stern's sequence: a(n+1) is the number of ways to write n with the digits 0, 1, 2 in base 2."""
    ways = [1] + [0] * length
    for place in range(length.bit_length()):
        weight = 1 << place
        ways = [
            ways[n] + (ways[n - weight] if n >= weight else 0) + (ways[n - 2 * weight] if n >= 2 * weight else 0)
            for n in range(length + 1)
        ]
    return iter([0, *ways[: length - 1]])


def blocks(number: int, block: str) -> int:
    written = bin(number)[2:]
    return sum(written.startswith(block, place) for place in range(len(written)))


def rudin_shapiro(number: int) -> int:
    return -1 if (number & (number >> 1)).bit_count() % 2 else 1


def insertion(number: int) -> int:
    """The sum of ceil(log2 k) for k <= n."""
    return sum((k - 1).bit_length() for k in range(2, number + 1))


def merge_terms(extra: int) -> Callable[[int], Iterator[int]]:
    """The sums of 1 + ... of the depths of a balanced tree: n bit_length(n-1) - 2^bit_length(n-1) + extra."""
    def term(n: int) -> int:
        bits = (n - 1).bit_length()
        return n * bits - (1 << bits) + extra if n > 1 else 0

    return each(term)


def balanced(number: int) -> list[int]:
    """The digits -1, 0, 1 of a number in base 3, least significant first."""
    found = []
    while number:
        digit = (number + 1) % 3 - 1
        found.append(digit)
        number = (number - digit) // 3
    return found


def norgard(length: int) -> Iterator[int]:
    """The infinity sequence: each binary digit 1 adds 1, each 0 changes the sign, from the left."""
    for n in range(length):
        value = 0
        for digit in bin(n)[2:]:
            value = value + 1 if digit == "1" else -value
        yield value


def stern_difference(length: int) -> Iterator[int]:
    """The coefficients of x times the product of 1 + x^(2^k) - ... by their power series."""
    series = [1] + [0] * length
    for place in range(length.bit_length()):
        weight = 1 << place
        series = [
            series[n] + (series[n - weight] if n >= weight else 0) - (series[n - 2 * weight] if n >= 2 * weight else 0)
            for n in range(length + 1)
        ]
    yield from [0, *series[: length - 1]]


def letters(word: str, length: int) -> list[int]:
    return [int(letter) for letter in fp.word(word)[:length]]


def of_letters(word: str, term: Callable[[int, int], int]) -> Callable[[int], Iterator[int]]:
    return lambda length: (term(n, letter) for n, letter in enumerate(letters(word, length)))


def sums_of(word: str) -> Callable[[int], Iterator[int]]:
    """The sums of the letters before n."""
    return lambda length: iter([0, *accumulate(letters(word, length - 1))])


def floor_phi(n: int) -> int:
    return (n + isqrt(5 * n * n)) // 2


def pascal_odd(length: int) -> Iterator[int]:
    """The odd numbers in the rows of Pascal's triangle, which are 2^k for k ones."""
    for n in range(length):
        yield sum(1 for k in range(n + 1) if not k & ~n) if n < 512 else 2 ** n.bit_count()


EXAMPLES = (
    Example("A000120", f"{AS1}; ones in base 2", 2,
            each(int.bit_count)),
    Example("A023416", f"{OEIS}; zeros in base 2", 3,
            each(lambda n: bin(n)[2:].count("0"))),
    Example("A080791", f"{OEIS}; zeros that are not in front", 3,
            each(lambda n: n.bit_length() - n.bit_count())),
    Example("A070939", f"{OEIS}; digits in base 2", 3,
            each(lambda n: max(n.bit_length(), 1))),
    Example("A000523", f"{OEIS}; floor(log2 n)", 3,
            each(lambda n: max(n.bit_length() - 1, 0))),
    Example("A029837", f"{OEIS}; ceil(log2 n)", 4,
            each(lambda n: max(n - 1, 0).bit_length())),
    Example("A007814", f"{AS1}; 2-adic valuation", 3,
            each(lambda n: valuation(n, 2))),
    Example("A001511", f"{OEIS}; ruler function", 3,
            each(lambda n: valuation(n, 2) + 1 if n else 0)),
    Example("A006519", f"{AS1}; greatest power of 2 that divides", 2,
            each(lambda n: n & -n)),
    Example("A000265", f"{OEIS}; odd part", 3,
            each(lambda n: n // (n & -n) if n else 0)),
    Example("A002487", f"{AS2}; Stern (1858)", 2,
            hyperbinary),
    Example("A005590", f"{OEIS}; differences in place of Stern's sums", 2, stern_difference),
    Example("A005187", f"{OEIS}; 2n less the ones", 3,
            each(lambda n: 2 * n - n.bit_count())),
    Example("A011371", f"{AS1}; 2-adic valuation of n!", 3, each(lambda n: n - n.bit_count())),
    Example("A000788", f"{AS1}; ones in 0, ..., n", 4,
            summed(int.bit_count)),
    Example("A003188", f"{AS1}; Gray code", 3, each(lambda n: n ^ (n >> 1))),
    Example("A006068", f"{OEIS}; inverse of the Gray code", 3, each(gray_inverse)),
    Example("A030101", f"{AS1}; digits reversed in base 2", 3,
            each(lambda n: int(bin(n)[:1:-1], 2))),
    Example("A053644", f"{OEIS}; greatest power of 2", 2,
            each(lambda n: 1 << n.bit_length() >> 1)),
    Example("A053645", f"{OEIS}; n less the greatest power of 2", 3,
            each(lambda n: n - (1 << n.bit_length() >> 1))),
    Example("A006257", "Graham, Knuth and Patashnik, Concrete Mathematics, section 1.3; Josephus", 3, each(josephus)),
    Example("A006165", f"{OEIS}; Josephus, every second one but the last two", 4,
            each(lambda n: 0 if n == 0 else 1 if n == 1 else _a006165(n))),
    Example("A033264", f"{BOOK}; blocks 10", 3,
            each(lambda n: blocks(n, "10"))),
    Example("A014081", f"{BOOK}; blocks 11", 3,
            each(lambda n: blocks(n, "11"))),
    Example("A005811", f"{BOOK}; runs", 3, each(runs)),
    Example("A020985", f"{AS1}; Rudin and Shapiro", 2,
            each(rudin_shapiro)),
    Example("A020986", "Brillhart and Morton (1978); sums of it", 4, summed(rudin_shapiro)),
    Example("A106400", f"{OEIS}; Thue and Morse, 1 and -1", 1,
            each(lambda n: (-1) ** n.bit_count())),
    Example("A001316", f"{AS1}; Gould: odd numbers in a row of Pascal's triangle", 1, pascal_odd),
    Example("A006046", f"{AS1}; sums of it", 2,
            lambda length: iter([0, *accumulate(2 ** n.bit_count() for n in range(length - 1))])),
    Example("A001855", f"{AS1}; binary insertion sort", 5, merge_terms(1)),
    Example("A003314", f"{OEIS}; binary entropy", 5,
            each(lambda n: n * (n - 1).bit_length() + n - (1 << (n - 1).bit_length()) if n > 1 else 0)),
    Example("A048724", f"{OEIS}; n XOR 2n", 3,
            each(lambda n: n ^ 2 * n)),
    Example("A000695", f"{AS1}; Moser and de Bruijn", 2,
            each(lambda n: read_in(n, 2, 4))),
    Example("A005836", f"{AS1}; no digit 2 in base 3", 2,
            each(lambda n: read_in(n, 2, 3))),
    Example("A005823", f"{AS1}; Cantor's numbers", 2,
            each(lambda n: 2 * read_in(n, 2, 3))),
    Example("A007088", f"{OEIS}; base 2 read in base 10", 2,
            each(lambda n: read_in(n, 2, 10))),
    Example("A073642", f"{OEIS}; sums of places of ones", 3,
            each(lambda n: sum(place for place, digit in enumerate(digits(n, 2)) if digit))),
    Example("A001969", f"{BOOK}; evil numbers", 3,
            of_letters("T", lambda n, letter: 2 * n + letter)),
    Example("A000069", f"{AS2}; odious numbers", 3,
            of_letters("T", lambda n, letter: 2 * n + 1 - letter)),
    Example("A115384", f"{BOOK}; sums of the Thue-Morse word", 4,
            summed(lambda n: n.bit_count() % 2)),
    Example("A035327", f"{AS2}; digits complemented", 3,
            each(lambda n: (1 << max(n.bit_length(), 1)) - 1 - n)),
    Example("A006520", f"{OEIS}; sums of the greatest powers of 2 that divide", 3, summed(lambda n: n & -n)),
    Example("A004718", f"{OEIS}; Norgard's infinity sequence", 2, norgard),
    Example("A022290", f"{OEIS}; base 2 read in Fibonacci numbers", 3,
            each(lambda n: sum(FIBONACCI[place] for place, digit in enumerate(digits(n, 2)) if digit))),
    Example("A063694", f"{OEIS}; odd places removed", 2,
            each(lambda n: n & 0x5555555555555555)),
    Example("A057300", f"{OEIS}; neighbouring digits exchanged", 2,
            each(lambda n: (n & 0x5555555555555555) << 1 | (n & 0xAAAAAAAAAAAAAAAA) >> 1)),
    Example("A053737", f"{OEIS}; sums of digits in base 4", 2,
            each(lambda n: sum(digits(n, 4)))),
    Example("A053735", f"{AS1}; sums of digits in base 3", 2, each(lambda n: sum(digits(n, 3)))),
    Example("A062756", f"{OEIS}; ones in base 3", 2,
            each(lambda n: digits(n, 3).count(1))),
    Example("A006047", f"{OEIS}; entries of Pascal's triangle not divisible by 3", 1,
            each(lambda n: 2 ** digits(n, 3).count(1) * 3 ** digits(n, 3).count(2))),
    Example("A007949", f"{AS1}; 3-adic valuation", 3,
            each(lambda n: valuation(n, 3))),
    Example("A054861", f"{OEIS}; 3-adic valuation of n!", 3,
            each(lambda n: (n - sum(digits(n, 3))) // 2)),
    Example("A117966", f"{OEIS}; digits of base 3 read with -1 for 2", 2,
            each(lambda n: sum((digit, digit - 3)[digit == 2] * 3**place for place, digit in enumerate(digits(n, 3))))),
    Example("A065363", f"{OEIS}; sums of balanced ternary digits", 3, each(lambda n: sum(balanced(n)))),
    Example("A027868", f"{OEIS}; zeros at the end of n!", 3,
            each(lambda n: (n - sum(digits(n, 5))) // 4)),
    Example("A007953", f"{OEIS}; sums of decimal digits", 2,
            each(lambda n: sum(map(int, str(n))))),
    Example("A002620", f"{OEIS}; quarter-squares", 4, each(lambda n: n * n // 4)),
    Example("A000217", f"{OEIS}; triangular numbers", 3,
            each(lambda n: comb(n + 1, 2))),
    Example("A007895", f"{OEIS}; Zeckendorf's parts", 4,
            each(lambda n: sum(greedy(n, FIBONACCI)))),
    Example("A003714", f"{OEIS}; Fibbinary numbers", 4,
            each(lambda n: int("".join(map(str, greedy(n, FIBONACCI))), 2))),
    Example("A000201", f"{OEIS}; Wythoff's lower sequence", 8, each(floor_phi)),
    Example("A060144", f"{OEIS}; floor(n/(phi+1)), sums of the Fibonacci word", 8,
            each(lambda n: (3 * n - isqrt(5 * n * n) - 1) // 2 if n else 0)),
    Example("A278043", f"{OEIS}; ones in the tribonacci representation", 6, each(lambda n: sum(greedy(n, TRIBONACCI)))),
)


def _a006165(n: int) -> int:
    """The number of the survivor: min(2^k, n - 2^k) for 3 2^(k-1) or more, by the closed formula."""
    power = 1 << (n.bit_length() - 1)
    return min(power, n - (power >> 1))


#: Recursions without a linear representation, each with the first words of what `solve` says, and the source.
NOT_REGULAR = (
    ("a(0)=1, a(n)=a(n-1)+a(floor(n/2)) for n>0", "no linear", "A000123, binary partitions: not polynomial"),
    ("a(0)=1, a(n)=2a(n-1) for n>0", "a(160) has", "powers of 2"),
    ("a(0)=0, a(1)=1, a(n)=a(n-1)+a(n-2) for n>1", "a(", "Fibonacci numbers"),
    ("a(0)=1, a(n)=n*a(n-1) for n>0", "a(", "factorials"),
    ("a(0)=2, a(2n)=a(n)^2, a(2n+1)=a(n)^2+1", "a(", "squares of squares"),
    ("a(0)=1, a(n)=a(floor(n/2))+a(floor(n/3)) for n>0", "no linear", "A083662, two divisors"),
    ("a(0)=0, a(n)=a(floor(n/2))+a(floor(n/3))+n for n>0", "no linear", "Erdos et al.: two divisors"),
    ("a(0)=1, a(2n)=n*a(n), a(2n+1)=a(n)", "no linear", "products of n: n^(log n)"),
    ("a(0)=1, a(2n)=a(n)*a(n+1), a(2n+1)=a(n)+1 for n>0; a(1)=2, a(2)=2", "a(", "products of terms"),
    ("a(0)=1, a(n)=1/2 n*a(floor(n/2))+1 for n>0", "no linear", "n^(log n) with fractions"),
)


def first(example: Example, length: int) -> list[int | Fraction]:
    return list(islice(example.terms(length), length))
