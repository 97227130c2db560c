"""Sequences of the OEIS, written down by recursions, morphisms and closed forms, with no code of fibprover.

Each has its number where we know it, the index of its first term, and a rule.  The terms are made from these rules;
none is copied.  Every fourth sequence is kept: nothing is tuned by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, islice, product
from math import isqrt
from typing import TypeAlias

#: The term at n, given the earlier ones from index 0 on.
Rule: TypeAlias = Callable[[list[int], int], int]


@dataclass(frozen=True, slots=True)
class Known:
    """A sequence.

    number: in the OEIS, "" where we do not know it; text: what it is; first: the index of its first term; rule: its
    term at n. Or images: the images of the letters of a morphism, whose fixed point has the letters of `letters`, which
    may be summed.
    """

    number: str
    text: str
    first: int = 0
    rule: Rule | None = None
    images: tuple[str, ...] = ()
    letters: tuple[int, ...] = ()
    sums: bool = False

    def terms(self, count: int) -> list[int]:
        """Return the first terms."""
        if self.rule is not None:
            found: list[int] = []
            for n in range(self.first + count):
                found.append(self.rule(found, n) if n >= self.first else 0)
            return found[self.first :]
        rows = [[int(letter) for letter in image] for image in self.images]
        word = list(rows[0])
        place = 1
        while len(word) < count:
            word += rows[word[place]]
            place += 1
        found = [self.letters[letter] for letter in word[:count]]
        return list(accumulate(found[:-1], initial=0)) if self.sums else found


def _digits(n: int, base: int) -> list[int]:
    found = []
    while n:
        n, digit = divmod(n, base)
        found.append(digit)
    return found[::-1]


def _read(digits: list[int], base: int) -> int:
    value = 0
    for digit in digits:
        value = value * base + digit
    return value


def _times(n: int, base: int) -> int:
    """How often a base divides n > 0."""
    count = 0
    while n % base == 0:
        n, count = n // base, count + 1
    return count


def _greedy(n: int, first: tuple[int, ...], coefficients: tuple[int, ...]) -> list[int]:
    """The greedy digits of n in the numbers of a recurrence."""
    numbers = list(first)
    while numbers[-1] <= n:
        numbers.append(sum(c * x for c, x in zip(coefficients, numbers[: -len(coefficients) - 1 : -1], strict=True)))
    found = []
    for number in reversed(numbers):
        found.append(n // number)
        n %= number
    return found[next((place for place, digit in enumerate(found) if digit), len(found)) :]


def _zeckendorf(n: int) -> list[int]:
    return _greedy(n, (1, 2), (1, 1))


def _tribonacci(n: int) -> list[int]:
    return _greedy(n, (1, 2, 4), (1, 1, 1))


def _golden(n: int) -> int:
    """The floor of n times the golden ratio."""
    return (n + isqrt(5 * n * n)) // 2


def _balanced(n: int) -> list[int]:
    """The balanced ternary digits, least significant first."""
    found = []
    while n:
        digit = (n + 1) % 3 - 1
        found.append(digit)
        n = (n - digit) // 3
    return found


def _fibonacci_bits(n: int) -> int:
    value, small, large = 0, 1, 2
    while n:
        value += small * (n % 2)
        n, small, large = n // 2, large, small + large
    return value


def _sums_of_fibonacci(n: int) -> int:
    """The sums of distinct Fibonacci numbers that are n, by the gaps between the terms of Zeckendorf's sum."""
    digits = _zeckendorf(n)[::-1]
    places = [place for place, digit in enumerate(digits) if digit]
    with_last, without = 1, 0
    before = -1
    for number, place in enumerate(places):
        gap = place - before
        if number == 0:
            with_last, without = 1, place // 2
        else:
            with_last, without = with_last + without, with_last * ((gap - 1) // 2) + without * (gap // 2)
        before = place
    return with_last + without if places else 1


def _rule(number: str, text: str, rule: Rule, first: int = 0) -> Known:
    return Known(number, text, first, rule)


def _of_n(number: str, text: str, term: Callable[[int], int], first: int = 0) -> Known:
    return Known(number, text, first, lambda _, n: term(n))


def _morphism(number: str, images: str, letters: str = "", first: int = 0) -> Known:
    rows = tuple(images.split(","))
    said = f"the fixed point of {', '.join(f'{letter}->{image}' for letter, image in enumerate(rows))}"
    coded = tuple(map(int, letters.split())) if letters else tuple(range(len(rows)))
    return Known(number, f"{said}, coded {letters}" if letters else said, first, None, rows, coded)


def _in_bases(
    text: str, numbers: Mapping[int, str], term: Callable[[int, int], int], first: int = 0
) -> Iterator[Known]:
    """Yield the sequences term(base, n) for bases with their numbers."""
    for base, number in numbers.items():
        yield Known(number, text.format(base), first, partial(_term, term, base))


def _term(term: Callable[[int, int], int], base: int, earlier: list[int], n: int) -> int:
    return term(base, n)


def _from(least: int, numbers: str) -> dict[int, str]:
    """The numbers of sequences, by bases from the least one on."""
    return dict(enumerate(numbers.split(), least))


#: What is read off the digits in a base.
_BASES = (
    *_in_bases(
        "sum of the digits in base {}",
        _from(2, "A000120 A053735 A053737 A053824 A053827 A053828 A053829 A053830 A007953"),
        lambda base, n: sum(_digits(n, base)),
    ),
    *_in_bases(
        "sum of the digits modulo the base {}",
        _from(2, "A010060 A053838 A053839 A053840 A053841 A053842 A053843 A053844 A053837"),
        lambda base, n: sum(_digits(n, base)) % base,
    ),
    *_in_bases(
        "how often {} divides n", _from(2, "A007814 A007949 A235127 A112765 A122841 A214411 A244413") | {10: "A122840"},
        lambda base, n: _times(n, base), 1,
    ),
    *_in_bases(
        "number of digits in base {}", _from(2, "A070939 A081604 A110591 A110592") | {10: "A055642"},
        lambda base, n: len(_digits(n, base)) or 1,
    ),
    *_in_bases("number of zeros in base {}", {3: "A077267"}, lambda base, n: _digits(n, base).count(0) if n else 1),
    *_in_bases("number of zeros in base {}, none for 0", {2: "A080791"}, lambda base, n: _digits(n, base).count(0)),
    *_in_bases("number of ones in base {}", {3: "A062756", 4: "A160381"}, lambda base, n: _digits(n, base).count(1)),
    *_in_bases("number of twos in base {}", {3: "A081603", 4: "A160382"}, lambda base, n: _digits(n, base).count(2)),
    *_in_bases("number of threes in base {}", {4: "A160383"}, lambda base, n: _digits(n, base).count(3)),
    *_in_bases(
        "digits in base {} reversed", _from(2, "A030101 A030102 A030103") | {10: "A004086"},
        lambda base, n: _read(_digits(n, base)[::-1], base),
    ),
    *_in_bases(
        "n in base {}, read in base 10", _from(2, "A007088 A007089 A007090 A007091 A007092 A007093 A007094 A007095"),
        lambda base, n: _read(_digits(n, base), 10),
    ),
    *_in_bases("sums of distinct powers of {}", {3: "A005836"}, lambda base, n: _read(_digits(n - 1, 2), base), 1),
    *_in_bases(
        "sums of distinct powers of {}", _from(4, "A000695 A033042 A033043 A033044 A033045 A033046"),
        lambda base, n: _read(_digits(n, 2), base),
    ),
    *_in_bases(
        "n mod {}", _from(2, "A000035 A010872 A010873 A010874 A010875 A010876 A010877 A010878 A010879"),
        lambda base, n: n % base,
    ),
    *_in_bases("floor(n/{})", _from(2, "A004526 A002264 A002265 A002266 A152467"), lambda base, n: n // base),
    *_in_bases("1 if {} divides n", _from(2, "A059841 A079978 A121262"), lambda base, n: int(n % base == 0)),
)

#: What is read off the binary digits, or computed by halves.
_BINARY = (
    _rule("A023416", "number of zeros in binary", lambda a, n: a[n // 2] + 1 - n % 2 if n > 1 else 1 - n),
    _of_n("A000523", "floor of the binary logarithm", lambda n: n.bit_length() - 1, 1),
    _of_n("A029837", "ceiling of the binary logarithm", lambda n: (n - 1).bit_length(), 1),
    _of_n("A003188", "Gray code", lambda n: n ^ n // 2),
    _rule("A006068", "inverse Gray code", lambda a, n: 2 * a[n // 2] + (a[n // 2] + n) % 2 if n else 0),
    _of_n("A048724", "n xor 2n", lambda n: n ^ 2 * n),
    _of_n("A048725", "n xor 4n", lambda n: n ^ 4 * n),
    _of_n("A213370", "n and 2n", lambda n: n & 2 * n),
    _of_n("A163617", "n or 2n", lambda n: n | 2 * n),
    _of_n("A129760", "n and n-1", lambda n: n & (n - 1), 1),
    _rule("A063694", "every other bit removed, from the second", lambda a, n: 4 * a[n // 4] + n % 2 if n else 0),
    _rule("A063695", "every other bit removed, from the first", lambda a, n: 4 * a[n // 4] + (n & 2) if n else 0),
    _rule("A001196", "each bit twice", lambda a, n: 4 * a[n // 2] + 3 * (n % 2) if n else 0),
    _rule("A059905", "the even bits of n", lambda a, n: 2 * a[n // 4] + n % 2 if n else 0),
    _rule("A059906", "the odd bits of n", lambda a, n: 2 * a[n // 4] + n // 2 % 2 if n else 0),
    _rule("A057300", "adjacent bits exchanged", lambda a, n: 4 * a[n // 4] + (0, 2, 1, 3)[n % 4] if n else 0),
    _of_n("A053644", "most significant bit", lambda n: 1 << n.bit_length() - 1 if n else 0),
    _of_n("A053645", "without the most significant bit", lambda n: n - (1 << n.bit_length() - 1), 1),
    _of_n("A062050", "1 to 2^k, for each k", lambda n: n - (1 << n.bit_length() - 1) + 1, 1),
    _rule("A006257", "Josephus, every second", lambda a, n: 2 * a[n // 2] + (1 if n % 2 else -1) if n else 0),
    _of_n("A054429", "each binary order reversed", lambda n: 3 * (1 << n.bit_length() - 1) - n - 1, 1),
    _of_n("A035327", "bits exchanged", lambda n: n ^ (1 << n.bit_length()) - 1 if n else 1),
    _rule("A087808", "a(2n) = 2a(n), a(2n+1) = a(n)+1", lambda a, n: (
        0 if not n else a[n // 2] + 1 if n % 2 else 2 * a[n // 2])),
    _of_n("A005187", "2n minus the number of ones", lambda n: 2 * n - n.bit_count()),
    _of_n("A011371", "n minus the number of ones", lambda n: n - n.bit_count()),
    _rule("A000788", "ones in 0, ..., n", lambda a, n: (a[n - 1] if n else 0) + n.bit_count()),
    _rule("A001316", "odd binomial coefficients in row n", lambda a, n: (1 + n % 2) * a[n // 2] if n else 1),
    _rule("A006046", "odd binomial coefficients in n rows", lambda a, n: (
        a[n - 1] + 2 ** (n - 1).bit_count() if n else 0)),
    _rule("A048883", "3 to the number of ones", lambda a, n: 3 ** (n % 2) * a[n // 2] if n else 1),
    _rule("A102376", "4 to the number of ones", lambda a, n: 4 ** (n % 2) * a[n // 2] if n else 1),
    _rule("A130665", "partial sums of 3 to the number of ones", lambda a, n: (
        (a[n - 1] if n else 0) + 3 ** n.bit_count())),
    _rule("A002487", "Stern's diatomic sequence", lambda a, n: (
        n if n < 2 else a[n // 2] + (a[n // 2 + 1] if n % 2 else 0))),
    _rule("A005590", "a(2n) = a(n), a(2n+1) = a(n+1)-a(n)", lambda a, n: (
        n if n < 2 else a[n // 2 + 1] - a[n // 2] if n % 2 else a[n // 2])),
    _of_n("A037861", "zeros minus ones in binary", lambda n: n.bit_length() - 2 * n.bit_count() if n else 1),
    _of_n("A033264", "blocks 10", lambda n: bin(n).count("10")),
    _of_n("A014081", "blocks 11", lambda n: (n & n >> 1).bit_count()),
    _of_n("A014082", "blocks 111", lambda n: (n & n >> 1 & n >> 2).bit_count()),
    _of_n("A020985", "Rudin-Shapiro", lambda n: 1 - 2 * ((n & n >> 1).bit_count() % 2)),
    _of_n("A020987", "Rudin-Shapiro, zeros and ones", lambda n: (n & n >> 1).bit_count() % 2),
    _rule("A020986", "sums of Rudin-Shapiro", lambda a, n: (
        (a[n - 1] if n else 0) + 1 - 2 * ((n & n >> 1).bit_count() % 2))),
    _of_n("A005811", "runs of bits", lambda n: (n ^ n >> 1).bit_count()),
    _of_n("A069010", "runs of ones", lambda n: (n & ~(n >> 1)).bit_count()),
    _of_n("A010059", "even number of ones", lambda n: 1 - n.bit_count() % 2),
    _of_n("A001285", "Thue-Morse with 1, 2", lambda n: 1 + n.bit_count() % 2),
    _of_n("A106400", "Thue-Morse with signs", lambda n: 1 - 2 * (n.bit_count() % 2)),
    _of_n("A001969", "evil numbers", lambda n: 2 * (n - 1) + (n - 1).bit_count() % 2, 1),
    _of_n("A000069", "odious numbers", lambda n: 2 * (n - 1) + 1 - (n - 1).bit_count() % 2, 1),
    _rule("A115384", "sums of Thue-Morse", lambda a, n: (a[n - 1] if n else 0) + n.bit_count() % 2),
    _of_n("A035263", "period-doubling", lambda n: 1 - _times(n, 2) % 2, 1),
    _of_n("A096268", "period-doubling, the other letter", lambda n: _times(n + 1, 2) % 2),
    _of_n("A014577", "paperfolding", lambda n: 1 - (((n + 1) >> _times(n + 1, 2)) >> 1 & 1)),
    _of_n("A014707", "paperfolding, the other letter", lambda n: ((n + 1) >> _times(n + 1, 2)) >> 1 & 1),
    _of_n("A034947", "Jacobi symbol (-1/n)", lambda n: 1 - 2 * ((n >> _times(n, 2)) >> 1 & 1), 1),
    _of_n("A014709", "paperfolding with 1, 2", lambda n: 1 + (((n + 1) >> _times(n + 1, 2)) >> 1 & 1)),
    _of_n("A001511", "ruler", lambda n: _times(n, 2) + 1, 1),
    _of_n("A006519", "greatest power of 2 that divides n", lambda n: n & -n, 1),
    _rule("A006520", "sums of these", lambda a, n: a[n - 1] + (n & -n), 1),
    _of_n("A000265", "odd part", lambda n: n >> _times(n, 2), 1),
    _of_n("A003602", "Kimberling's paraphrases", lambda n: ((n >> _times(n, 2)) + 1) // 2, 1),
    _rule("A025480", "a(2n) = n, a(2n+1) = a(n)", lambda a, n: a[n // 2] if n % 2 else n // 2),
    _of_n("A038712", "n xor n-1", lambda n: n ^ n - 1, 1),
    _rule("A080277", "sums of these", lambda a, n: a[n - 1] + (n ^ n - 1), 1),
    _rule("A061168", "sums of floors of logarithms", lambda a, n: a[n - 1] + n.bit_length() - 1, 1),
    _rule("A001855", "sorting by insertion", lambda a, n: a[n - 1] + (n - 1).bit_length(), 1),
    _rule("A003314", "binary entropy", lambda a, n: (
        0 if n < 2 else a[n // 2] + a[(n + 1) // 2] + n), 1),
    _rule("A006165", "a(2n) = 2a(n), a(2n+1) = a(n+1)+a(n)", lambda a, n: (
        1 if n <= 2 else a[n // 2] + a[(n + 1) // 2]), 1),
    _rule("A060973", "the same from 0, 1", lambda a, n: (
        n - 1 if n <= 2 else a[n // 2] + a[(n + 1) // 2]), 1),
    _rule("A004718", "the infinity sequence of Norgard", lambda a, n: (
        0 if not n else a[n // 2] + 1 if n % 2 else -a[n // 2])),
    _of_n("A036987", "1 if n+1 is a power of 2", lambda n: int(n & n + 1 == 0)),
    _of_n("A209229", "1 if n is a power of 2", lambda n: int(n > 0 and n & n - 1 == 0)),
    _of_n("A030300", "runs of 2^k letters", lambda n: n.bit_length() % 2, 1),
    _of_n("A030301", "runs of 2^k letters, the other letter", lambda n: 1 - n.bit_length() % 2, 1),
    _of_n("A079944", "second most significant bit", lambda n: n >> n.bit_length() - 2 & 1, 2),
    _of_n("A090996", "leading ones", lambda n: n.bit_length() - ((1 << n.bit_length()) - 1 - n).bit_length()),
    _rule("A080100", "2 to the number of zeros", lambda a, n: (2 - n % 2) * a[n // 2] if n > 1 else 1),
    _of_n("A038554", "differences of bits", lambda n: (n ^ n >> 1) & ~(1 << n.bit_length() - 1) if n else 0),
    _rule("A053985", "bits in base -2", lambda a, n: -2 * a[n // 2] + n % 2 if n else 0),
    _rule("A065620", "a(2n) = 2a(n), a(2n+1) = 1-2a(n)", lambda a, n: (
        0 if not n else 1 - 2 * a[n // 2] if n % 2 else 2 * a[n // 2])),
    _of_n("A004754", "numbers that begin with 10", lambda n: n + (1 << n.bit_length() - 1), 1),
    _of_n("A004755", "numbers that begin with 11", lambda n: n + (2 << n.bit_length() - 1), 1),
    _rule("A022290", "bits in the Fibonacci numbers", lambda a, n: _fibonacci_bits(n)),
    _of_n("A059448", "parity of zeros", lambda n: (n.bit_length() - n.bit_count()) % 2, 1),
    _of_n("A086747", "Baum-Sweet", lambda n: int(not any(len(run) % 2 for run in bin(n)[2:].split("1"))) if n else 1),
    _of_n("A003484", "Radon function", lambda n: 8 * (_times(n, 2) // 4) + 2 ** (_times(n, 2) % 4), 1),
    _rule("A046699", "a(n) = a(n-a(n-1)) + a(n-1-a(n-2))", lambda a, n: (
        1 if n <= 2 else a[n - a[n - 1]] + a[n - 1 - a[n - 2]]), 1),
    _rule("A006949", "a(n) = a(n-1-a(n-1)) + a(n-2-a(n-2))", lambda a, n: (
        1 if n <= 2 else a[n - 1 - a[n - 1]] + a[n - 2 - a[n - 2]])),
    _rule("A004001", "Hofstadter-Conway", lambda a, n: 1 if n <= 2 else a[a[n - 1]] + a[n - a[n - 1]], 1),
    _rule("A005185", "Hofstadter Q", lambda a, n: 1 if n <= 2 else a[n - a[n - 1]] + a[n - a[n - 2]], 1),
)


#: What is read off the digits in other bases, and periodic sequences.
_OTHER_BASES = (
    _of_n("A054861", "how often 3 divides n!", lambda n: (n - sum(_digits(n, 3))) // 2),
    _of_n("A027868", "zeros at the end of n!", lambda n: (n - sum(_digits(n, 5))) // 4),
    _rule("A006047", "binomial coefficients in row n that 3 does not divide", lambda a, n: (
        (n % 3 + 1) * a[n // 3] if n else 1)),
    _of_n("A038500", "greatest power of 3 that divides n", lambda n: 3 ** _times(n, 3), 1),
    _of_n("A038502", "n without its factors 3", lambda n: n // 3 ** _times(n, 3), 1),
    _of_n("A051064", "how often 3 divides 3n", lambda n: _times(3 * n, 3), 1),
    _of_n("A060236", "last ternary digit that is not 0", lambda n: n // 3 ** _times(n, 3) % 3, 1),
    _of_n("A080846", "ternary turns", lambda n: ((n + 1) // 3 ** _times(n + 1, 3)) % 3 - 1),
    _of_n("A088917", "Cantor: no ternary digit is 1", lambda n: int(1 not in _digits(n, 3))),
    _of_n("A039966", "no ternary digit is 2", lambda n: int(2 not in _digits(n, 3))),
    _of_n("A005823", "numbers without a ternary digit 1", lambda n: 2 * _read(_digits(n - 1, 2), 3), 1),
    _rule("A004488", "ternary digits doubled", lambda a, n: 3 * a[n // 3] + 2 * n % 3 if n else 0),
    _rule("A065369", "ternary digits in base -3", lambda a, n: -3 * a[n // 3] + n % 3 if n else 0),
    _rule("A117966", "balanced ternary digits", lambda a, n: 3 * a[n // 3] + (0, 1, -1)[n % 3] if n else 0),
    _of_n("A065363", "sum of the balanced ternary digits", lambda n: sum(_balanced(n))),
    _of_n("A005812", "balanced ternary digits that are not 0", lambda n: sum(map(abs, _balanced(n)))),
    _of_n("A160384", "ternary digits that are not 0", lambda n: sum(map(bool, _digits(n, 3)))),
    _of_n("A160385", "digits in base 4 that are not 0", lambda n: sum(map(bool, _digits(n, 4)))),
    _of_n("A055640", "decimal digits that are not 0", lambda n: sum(map(bool, _digits(n, 10)))),
    _rule("A048647", "1 and 3 exchanged in base 4", lambda a, n: 4 * a[n // 4] + (0, 3, 2, 1)[n % 4] if n else 0),
    _of_n("A011655", "1 unless 3 divides n", lambda n: int(n % 3 > 0)),
    _of_n("A102283", "Legendre symbol (n/3)", lambda n: (0, 1, -1)[n % 3]),
    _of_n("A101455", "Kronecker symbol (-4/n)", lambda n: (0, 1, 0, -1)[n % 4]),
    _of_n("A080891", "Legendre symbol (n/5)", lambda n: (0, 1, -1, -1, 1)[n % 5]),
    _of_n("A091337", "Kronecker symbol (2/n)", lambda n: (0, 1, 0, -1, 0, -1, 0, 1)[n % 8]),
    _of_n("A033999", "(-1)^n", lambda n: 1 - 2 * (n % 2)),
)


def _polynomials() -> Iterator[Known]:
    for number, text, term in (
        ("A000027", "n", lambda n: n), ("A000290", "n^2", lambda n: n * n), ("A000578", "n^3", lambda n: n**3),
        ("A000217", "n(n+1)/2", lambda n: n * (n + 1) // 2), ("A002378", "n(n+1)", lambda n: n * (n + 1)),
        ("A000384", "n(2n-1)", lambda n: n * (2 * n - 1)), ("A000326", "n(3n-1)/2", lambda n: n * (3 * n - 1) // 2),
        ("A005843", "2n", lambda n: 2 * n), ("A005408", "2n+1", lambda n: 2 * n + 1),
        ("A000292", "n(n+1)(n+2)/6", lambda n: n * (n + 1) * (n + 2) // 6),
        ("A002620", "floor(n^2/4)", lambda n: n * n // 4), ("A032766", "floor(3n/2)", lambda n: 3 * n // 2),
        ("A001057", "0, 1, -1, 2, -2, ...", lambda n: (n + 1) // 2 if n % 2 else -(n // 2)),
    ):
        yield _of_n(number, text, term, 1 if number == "A000027" else 0)


#: Fibonacci's system and others; the last four are no sequences that are looked for.
_GOLDEN_RATIO = (
    _of_n("A000201", "lower Wythoff", _golden, 1),
    _of_n("A001950", "upper Wythoff", lambda n: _golden(n) + n, 1),
    _rule("A005206", "G(n) = n - G(G(n-1))", lambda a, n: n - a[a[n - 1]] if n else 0),
    _rule("A005374", "H(n) = n - H(H(H(n-1)))", lambda a, n: n - a[a[a[n - 1]]] if n else 0),
    _rule("A005375", "four times", lambda a, n: n - a[a[a[a[n - 1]]]] if n else 0),
    _of_n("A022342", "numbers that end in 0", lambda n: _golden(n) - 1, 1),
    _of_n("A003622", "numbers that end in 01", lambda n: _golden(_golden(n)), 1),
    _of_n("A003623", "A(B(n))", lambda n: _golden(_golden(n) + n), 1),
    _of_n("A035336", "B(A(n))", lambda n: _golden(_golden(n)) + _golden(n), 1),
    _of_n("A001468", "floor((n+1) phi) - floor(n phi)", lambda n: _golden(n + 1) - _golden(n)),
    _of_n("A007895", "terms in Zeckendorf's sum", lambda n: sum(_zeckendorf(n))),
    _of_n("A095076", "their parity", lambda n: sum(_zeckendorf(n)) % 2),
    _of_n("A102364", "zeros in Zeckendorf's sum", lambda n: _zeckendorf(n).count(0) if n else 1),
    _of_n("A003714", "Zeckendorf's digits in binary", lambda n: _read(_zeckendorf(n), 2)),
    _of_n("A014417", "Zeckendorf's digits in decimal", lambda n: _read(_zeckendorf(n), 10)),
    _of_n("A010056", "1 if n is a Fibonacci number", lambda n: int(n == 0 or sum(_zeckendorf(n)) == 1)),
    _rule("A000119", "sums of distinct Fibonacci numbers", lambda a, n: _sums_of_fibonacci(n)),
    _of_n("A001951", "floor(n sqrt(2))", lambda n: isqrt(2 * n * n)),
    _of_n("A001952", "floor(n (2+sqrt(2)))", lambda n: 2 * n + isqrt(2 * n * n), 1),
    _of_n("A003151", "floor(n (1+sqrt(2)))", lambda n: n + isqrt(2 * n * n), 1),
    _of_n("A006337", "differences of floor(n sqrt(2))", lambda n: isqrt(2 * (n + 1) ** 2) - isqrt(2 * n * n), 1),
    _of_n("A022838", "floor(n sqrt(3))", lambda n: isqrt(3 * n * n), 1),
    _of_n("A049472", "floor(n/sqrt(2))", lambda n: isqrt(n * n // 2)),
    _of_n("A022839", "floor(n sqrt(5))", lambda n: isqrt(5 * n * n), 1),
    _of_n("", "terms in the greedy sum of Tribonacci numbers", lambda n: sum(_tribonacci(n))),
    _of_n("", "terms in the greedy sum of Narayana numbers", lambda n: sum(_greedy(n, (1, 2, 3), (1, 0, 1)))),
    _of_n("", "sum of the greedy digits in Pell numbers", lambda n: sum(_greedy(n, (1, 2), (2, 1)))),
    _of_n("A010052", "1 if n is a square", lambda n: int(isqrt(n) ** 2 == n)),
    _of_n("A010054", "1 if n is triangular", lambda n: int(isqrt(8 * n + 1) ** 2 == 8 * n + 1)),
    _of_n("A000196", "floor of the square root", isqrt),
    _of_n("A010051", "1 if n is a prime", lambda n: int(n > 1 and all(n % d for d in range(2, isqrt(n) + 1))), 1),
)


def _fixed_points() -> Iterator[Known]:
    """Fixed points of morphisms."""
    yield _morphism("A003849", "01,0")
    yield _morphism("A005614", "01,0", "1 0")
    yield _morphism("A003842", "01,0", "1 2", 1)
    yield _morphism("A014675", "01,0", "2 1")
    yield _morphism("A080843", "01,02,0")
    yield _morphism("A092782", "01,02,0", "1 2 3", 1)
    yield _morphism("A036577", "012,02,1", "2 1 0")
    yield _morphism("A007413", "012,02,1", "1 2 3", 1)
    yield _morphism("A049320", "0010,1")
    yield _morphism("A096270", "01,011")
    yield _morphism("", "01,02,03,0")
    yield _morphism("", "001,0")
    yield _morphism("", "01,2,0")
    # Morphisms of two letters, each of two or three letters, with both letters and not periodic in an obvious way.
    words = ["".join(each) for size in (2, 3) for each in product("01", repeat=size)]
    for first, second in product(words, repeat=2):
        if first[0] == "0" and "1" in first and "0" in second and first != second:
            yield _morphism("", f"{first},{second}")
    for images in (
        "012,120,201", "02,01,21", "01,02,10", "012,2,0", "02,0,1", "01,12,0", "01,22,0", "001,2,0", "01,23,2,0",
        "01,21,03,23",
    ):
        yield _morphism("", images)
    # Of three letters, each of two, with all letters.
    pairs = ["".join(each) for each in product("012", repeat=2)]
    for first, second in product(pairs, repeat=2):
        if "2" in first and "0" in second and first not in ("22", "02"):
            yield _morphism("", f"01,{first},{second}")
    # Of four letters each, and of three letters that are not uniform.
    for first, second in product(
        ("0001", "0010", "0011", "0100", "0101", "0110", "0111"),
        ("0000", "1000", "1001", "1010", "1011", "1100", "1101", "1110"),
    ):
        yield _morphism("", f"{first},{second}")
    for first, second, third in product(("01", "012"), ("2", "02", "20", "12", "22"), ("0", "01", "10", "1", "012")):
        if "2" in first + second:
            yield _morphism("", f"{first},{second},{third}")
    for images in _SUMMED:
        yield replace(_morphism("", images), sums=True)


#: Morphisms of whose fixed points the letters are summed.
_SUMMED = ("01,0", "01,10", "01,00", "001,0", "01,02,0", "010,011", "01,011", "001,10", "01,20,1", "01,12,20")

def _different(found: Iterable[Known]) -> Iterator[Known]:
    """Yield the sequences that begin like none before."""
    seen = set[tuple[int, ...]]()
    for each in found:
        beginning = tuple(each.terms(_TOLD))
        if beginning not in seen:
            yield each
        seen.add(beginning)


#: Sequences are told from each other by so many terms; so many are listed.
_TOLD, _COUNT = 300, 400

_ALL = (*_BASES, *_BINARY, *_OTHER_BASES, *_polynomials(), *_GOLDEN_RATIO, *_fixed_points())

#: All sequences, in order.
SEQUENCES = tuple(islice(_different(_ALL), _COUNT))


def is_kept(place: int) -> bool:
    """Return whether the sequence at a place is kept for the last run."""
    return place % 4 == 3
