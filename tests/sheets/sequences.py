"""Terms of sequences by their definitions, which share no code with the library: those of the files in docs/terms."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

COUNT = 400


def fibonacci_complement(n: int) -> int:
    """1 - the letter at n of the fixed point of 0 -> 01, 1 -> 0, by the floors of multiples of the golden ratio."""

    def below(m: int) -> int:
        return (m + isqrt(5 * m * m)) // 2

    return below(n + 2) - below(n + 1) - 1


def ones_modulo_3(n: int) -> int:
    """The number of ones in binary, modulo 3."""
    return bin(n).count("1") % 3


def zeckendorf_modulo_3(n: int) -> int:
    """The number of Fibonacci numbers in the greedy sum of n, modulo 3."""
    numbers, count = [1, 2], 0
    while numbers[-1] < n:
        numbers.append(numbers[-1] + numbers[-2])
    for each in reversed(numbers):
        if each <= n:
            n, count = n - each, count + 1
    return count % 3


def multiples_of_root_2(n: int) -> int:
    """The floor of n times the square root of 2."""
    return isqrt(2 * n * n)


def is_square(n: int) -> int:
    """1 if n is a square, else 0."""
    return int(isqrt(n) ** 2 == n)


def mergesort(n: int) -> int:
    return 0 if n < 2 else mergesort(n // 2) + mergesort(n - n // 2) + n - 1


#: By the names of files: the first index, the term, and a comment.
SEQUENCES: dict[str, tuple[int, Callable[[int], int], str]] = {
    "complement": (1, fibonacci_complement, "floor((n+2)*phi) - floor((n+1)*phi) - 1"),
    "ones": (0, ones_modulo_3, "the number of ones in binary, modulo 3"),
    "zeckendorf": (0, zeckendorf_modulo_3, "the number of terms in the Zeckendorf representation, modulo 3"),
    "root2": (1, multiples_of_root_2, "floor(n*sqrt(2))"),
    "mergesort": (1, mergesort, "the most comparisons of a sort by merging n numbers"),
    "squares": (0, is_square, "1 if n is a square, else 0"),
}


def b_file(name: str) -> str:
    """Return a b-file with COUNT terms."""
    first, term, comment = SEQUENCES[name]
    return f"# {comment}\n" + "".join(f"{n} {term(n)}\n" for n in range(first, first + COUNT))
