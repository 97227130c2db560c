"""The words of the library by other constructions: by counting, folding, replacing, playing, drawing.

Each function returns the first letters, at least `count` of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby, pairwise
from math import comb, isqrt


def digits(number: int, base: int) -> list[int]:
    """Return the digits, most significant first; none for 0."""
    return [*digits(number // base, base), number % base] if number else []


def zeckendorf(number: int) -> list[int]:
    """Return the greedy representation as a list of Fibonacci numbers."""
    terms = [1, 2]
    while terms[-1] <= number:
        terms.append(terms[-1] + terms[-2])
    used = []
    for term in reversed(terms):
        if term <= number:
            used.append(term)
            number -= term
    return used


def iterated(rules: Mapping[str, str], start: str, count: int) -> str:
    """Return the fixed point by iterating the morphism."""
    word = start
    while len(word) < count:
        word = "".join(rules[letter] for letter in word)
    return word


def extended(words: list[str], step: Callable[[list[str]], str], count: int) -> str:
    """Extend a list of prefixes by `step` until the last one is long enough, and return it."""
    while len(words[-1]) < count:
        words.append(step(words))
    return words[-1]


def thue_morse(n: int) -> int:
    return bin(n).count("1") % 2


def folded(count: int) -> str:
    """The creases of a strip: S, a valley, and S backwards with valleys and hills exchanged."""
    turned = str.maketrans("01", "10")
    return extended([""], lambda words: words[-1] + "0" + words[-1][::-1].translate(turned), count)


def doubling(count: int) -> str:
    """The word so far, twice, with the last letter changed."""
    return extended(["1"], lambda words: words[-1] + words[-1][:-1] + "10"[int(words[-1][-1])], count)


def waltz(count: int) -> str:
    turned = str.maketrans("01", "10")
    return extended(["0"], lambda words: 2 * words[-1] + words[-1].translate(turned), count)


def fibonacci(n: int) -> int:
    """floor((n+2) phi) - floor((n+1) phi) is 2 for 0 and 1 for 1."""
    wythoff = [(k + isqrt(5 * k * k)) // 2 for k in (n + 1, n + 2)]
    return 2 - (wythoff[1] - wythoff[0])


def rote(count: int) -> str:
    word = ""
    for run in range(count):
        word += "01"[run % 2] * (1 if fibonacci(run) else 2)
    return word


def bonacci(order: int, count: int) -> str:
    """Each word is the concatenation of the words before it, the latest first; the first ones end in a new letter."""
    words = ["0"]
    for letter in range(1, order):
        words.append("".join(reversed(words)) + str(letter))
    return extended(words, lambda before: "".join(reversed(before[-order:])), count)


def narayana(count: int) -> str:
    return extended(["0", "01", "012"], lambda words: words[-1] + words[-3], count)


def pell(n: int) -> int:
    """floor((n+2) s) - floor((n+1) s) with s = 1 - 1/sqrt(2)."""
    return 1 + isqrt((n + 1) ** 2 // 2) - isqrt((n + 2) ** 2 // 2)


def choral(n: int) -> int:
    return {0: 0, 2: 1}[n % 3] if n % 3 != 1 else choral(n // 3)


def baum_sweet(n: int) -> int:
    return int(all(len(list(run)) % 2 == 0 for letter, run in groupby(bin(n)[2:]) if letter == "0") or n == 0)


def by_digits(row: str, n: int) -> int:
    """The sum over the digits of n of the letters in a row, modulo 3."""
    return sum(int(row[digit]) for digit in digits(n, len(row))) % 3


def arshon(count: int) -> str:
    up, down = {"1": "123", "2": "231", "3": "312"}, {"1": "321", "2": "132", "3": "213"}
    word = "1"
    while len(word) < count:
        word = "".join((down if place % 2 else up)[letter] for place, letter in enumerate(word))
    return word


def hanoi(count: int) -> str:
    """Play the game by recursion, from peg 1 to 2 with an odd number of disks, so that the moves agree."""
    moves = {(1, 2): 0, (2, 3): 4, (3, 1): 2, (2, 1): 1, (3, 2): 5, (1, 3): 3}

    def play(disks: int, source: int, target: int) -> Iterator[int]:
        if disks:
            other = 6 - source - target
            yield from play(disks - 1, source, other)
            yield moves[source, target]
            yield from play(disks - 1, other, target)

    return "".join(map(str, play(count.bit_length() | 1, 1, 2)))


def hilbert(count: int) -> str:
    """Draw the curve: four copies of a curve, the first and the last reflected."""
    curve = [(0, 0)]
    side = 1
    while len(curve) <= count or side.bit_length() % 2 == 0:  # at other heights it begins to the south
        last = side - 1
        curve = [
            *((y, x) for x, y in curve),
            *((x + side, y) for x, y in curve),
            *((x + side, y + side) for x, y in curve),
            *((last - y, 2 * side - 1 - x) for x, y in curve),
        ]
        side *= 2
    if curve[1] != (1, 0):
        curve = [(y, x) for x, y in curve]
    directions = {(1, 0): 0, (0, 1): 1, (-1, 0): 2, (0, -1): 3}
    return "".join(str(directions[b[0] - a[0], b[1] - a[1]]) for a, b in pairwise(curve))


def carpet(i: int, j: int) -> int:
    while i or j:
        if i % 3 == j % 3 == 1:
            return 0
        i, j = i // 3, j // 3
    return 1


def folding(folds: list[int]) -> list[int]:
    """The creases by finitely many folds: P, the fold, and P backwards with the other sign."""
    creases: list[int] = []
    for fold in folds:
        creases = [*creases, fold, *(-crease for crease in reversed(creases))]
    return creases


def number_by_number(letter: Callable[[int], int]) -> Callable[[int], str]:
    return lambda count: "".join(str(letter(n)) for n in range(count))


#: Of every word with one index: its first letters.
LETTERS: Mapping[str, Callable[[int], str]] = {
    "T": number_by_number(thue_morse),
    "VTM": lambda count: iterated({"2": "210", "1": "20", "0": "1"}, "2", count),
    "TTM": number_by_number(lambda n: bin(n)[2:].count("0") % 2 if n else 0),
    "FTM": number_by_number(lambda n: len(zeckendorf(n)) % 2),
    "prouhet3": number_by_number(lambda n: sum(digits(n, 3)) % 3),
    "RS": number_by_number(lambda n: bin(n & (n >> 1)).count("1") % 2),
    "P": folded,
    "ZP": lambda count: "0" + folded(count),
    "PR": folded,
    "PD": doubling,
    "F": number_by_number(fibonacci),
    "RF": rote,
    "TR": lambda count: bonacci(3, count),
    "bonacci4": lambda count: bonacci(4, count),
    "bonacci5": lambda count: bonacci(5, count),
    "NA": narayana,
    "pell": number_by_number(pell),
    "KP": lambda count: iterated({"1": "110", "0": "11"}, "1", count),
    "MW": waltz,
    "SC": number_by_number(choral),
    "CA": number_by_number(lambda n: int(1 not in digits(n, 3))),
    "BS": number_by_number(baum_sweet),
    "P2": number_by_number(lambda n: int(n > 0 and n & (n - 1) == 0)),
    "SB": number_by_number(lambda n: int(bin(n)[3:4] or 0)),
    "LE": number_by_number(lambda n: by_digits("0121021201210", n)),
    "DEJ": number_by_number(lambda n: by_digits("0120212012102120210", n)),
    "arshon": arshon,
    "TH": hanoi,
    "HC": hilbert,
}

#: Of every word whose two indices are numbers: its letter.
ARRAYS: Mapping[str, Callable[[int, int], int]] = {
    "SCA": carpet,
    "pascal": lambda n, k: comb(n, k) % 2,
}
