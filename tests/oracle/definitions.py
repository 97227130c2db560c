"""The words and predicates that generated formulas use: each as a Python function and for the prover.

The Python function uses no automaton if there is a definition without one (Thue-Morse counts ones,
the game word has a recursion); for the prover, a word is a transition table and a predicate a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

SYSTEMS = ("msd_2", "msd_3", "msd_fib")


@dataclass(frozen=True)
class Word:
    """An automatic word. rows[state][digit] = following state; outputs[state] = letter.

    A row that is too short has no transition on the further digits, and numbers that need one have
    no letter: None.
    """

    name: str
    system: str
    letter: Callable[[int], int | None]
    rows: tuple[tuple[int, ...], ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Predicate:
    """A predicate of numbers. command: the command that defines it in a session, `def` or `reg`."""

    name: str
    system: str
    arity: int
    truth: Callable[..., bool]
    command: str


def zeckendorf(number: int) -> str:
    """Greedy digits over 1, 2, 3, 5, ..., most significant first; empty for 0."""
    basis = [1, 2]
    while basis[-1] <= number:
        basis.append(basis[-1] + basis[-2])
    digits = ""
    for value in reversed(basis):
        digits += "1" if value <= number else "0"
        number -= value * (value <= number)
    return digits.lstrip("0")


def fibonacci_value(digits: str) -> int:
    """The value of a string of digits over 1, 2, 3, 5, ..."""
    total, one, two = 0, 1, 2
    for digit in reversed(digits):
        total += one * int(digit)
        one, two = two, one + two
    return total


def to_base(number: int, base: int) -> str:
    """Digits in a base of at most 10, empty for 0."""
    digits = ""
    while number:
        number, digit = divmod(number, base)
        digits = str(digit) + digits
    return digits


def thue_morse(n: int) -> int:
    return n.bit_count() % 2


def fibonacci_word(n: int) -> int:
    """0100101001001...: the n-th letter says whether the representation of n ends with 1."""
    return int(zeckendorf(n).endswith("1"))


def hofstadter(n: int) -> int:
    """h(0) = 0, h(n) = n - h(h(n-1))."""
    return _hofstadter_prefix(1 << max(6, n.bit_length()))[n]


@cache
def _hofstadter_prefix(length: int) -> tuple[int, ...]:
    values = [0]
    for n in range(1, length + 1):
        values.append(n - values[values[n - 1]])
    return tuple(values)


def game_word(n: int) -> int:
    """The word of the game K^2: 1, 0 and then, with s = h(n-2) and t = h(n-1),
    1 - g(t) where s < t and 1 where s = t."""
    return _game_prefix(1 << max(6, n.bit_length()))[n]


@cache
def _game_prefix(length: int) -> tuple[int, ...]:
    letters = [1, 0]
    for n in range(2, length + 1):
        s, t = hofstadter(n - 2), hofstadter(n - 1)
        letters.append(1 - letters[t] if s < t else 1)
    return tuple(letters)


def marked(n: int) -> int:
    """-1 at powers of two, 2 elsewhere: letters that are not digits, one of them negative."""
    return -1 if n > 0 and n & (n - 1) == 0 else 2


def partial(n: int) -> int | None:
    """By the binary digits: 0 for zeros and pairs of ones, 1 with one more 1, 2 with 1 and zeros."""
    found = re.fullmatch(r"(?:0|11)*(?:(1)|(10+))?", to_base(n, 2))
    return None if found is None else 1 if found[1] else 2 if found[2] else 0


WORDS: tuple[Word, ...] = (
    Word("T", "msd_2", thue_morse, ((0, 1), (1, 0)), (0, 1)),
    Word("R", "msd_2", lambda n: n % 3, ((0, 1), (2, 0), (1, 2)), (0, 1, 2)),
    Word("N", "msd_2", marked, ((0, 1), (1, 2), (2, 2)), (2, -1, 2)),
    Word("U", "msd_2", partial, ((0, 1), (2, 0), (2,)), (0, 1, 2)),
    Word("S", "msd_3", lambda n: sum(map(int, to_base(n, 3))) % 3, ((0, 1, 2), (1, 2, 0), (2, 0, 1)), (0, 1, 2)),
    Word("C", "msd_3", lambda n: int("1" not in to_base(n, 3)), ((0, 1, 0), (1, 1, 1)), (1, 0)),
    Word("F", "msd_fib", fibonacci_word, ((0, 1), (0,)), (0, 1)),
    Word("G", "msd_fib", game_word, ((0, 1), (2,), (3, 1), (4, 5), (3, 5), (4,)), (1, 0, 1, 1, 0, 1)),
)


def _everywhere(system: str) -> list[Predicate]:
    """Predicates that mean the same in every system."""
    return [
        Predicate("near", system, 2, lambda x, y: x + 3 <= y, f'def near "?{system} x+3<=y":'),
        # Arguments go by the code-unit order of the names, not by first use: (Q, a, b) below.
        Predicate("sum", system, 3, lambda q, a, b: q == a + b, f'def sum "?{system} a+b=Q":'),
        Predicate("rest", system, 2, lambda n, r: n % 3 == r, f'def rest "?{system} r<3 & Ek n=3*k+r":'),
        Predicate("half", system, 2, lambda x, y: y == x // 2, f'def half "?{system} y=x/2":'),
        Predicate("between", system, 3, lambda x, y, z: x <= y < z, f'def between "?{system} x<=y & ~(y>=z)":'),
    ]


#: `reg` over plain digits: the second number's word is the first one's, shifted left once.
_SHIFT = 'reg shift {0,1} {0,1} "([0,0]|([0,1][1,1]*[1,0]))*":'


def _raw(name: str, system: str, arity: int, regex: str) -> Predicate:
    """A predicate defined by any regular expression: true if some representation of the numbers is in its language.

    The numbers' digits are padded with zeros to one length, and then further, far enough for the
    short expressions below; the symbols of a pair of digits are written as one letter for `re`.
    """
    letters = {"[0,0]": "a", "[0,1]": "b", "[1,0]": "c", "[1,1]": "d"}
    pattern = regex
    for pair, letter in letters.items():
        pattern = pattern.replace(pair, letter)
    compiled = re.compile(pattern)

    def truth(*numbers: int) -> bool:
        words = [representation(number, system) for number in numbers]
        least = max(map(len, words))
        for length in range(least, least + 6):
            padded = zip(*(word.rjust(length, "0") for word in words), strict=True)
            symbols = ["".join(symbol) if arity == 1 else letters[f"[{','.join(symbol)}]"] for symbol in padded]
            if compiled.fullmatch("".join(symbols)):
                return True
        return False

    kinds = " ".join([system] * arity)
    return Predicate(name, system, arity, truth, f'reg {name} {kinds} "{regex}":')


PREDICATES: tuple[Predicate, ...] = (
    # Languages without leading zeros, with a fixed number of them, and with words that represent no number.
    _raw("ones", "msd_2", 1, "1*"),
    _raw("led", "msd_2", 1, "00(0|1)*1|10"),
    _raw("few", "msd_2", 1, "0|01|111"),
    _raw("pairs", "msd_2", 2, "([0,0]|[1,1]|[0,1])*[1,0]"),
    _raw("early", "msd_2", 2, "[0,0][0,1]([0,0]|[1,0])*"),
    _raw("second", "msd_fib", 1, "(0|1)*1(0|1)"),
    _raw("twos", "msd_fib", 1, "(1(0|1))*|11"),
    _raw("pairs", "msd_fib", 2, "([0,0]|[1,1]|[0,1])*[1,0]([1,0]|[0,1])"),
    _raw("early", "msd_fib", 2, "[0,0][0,1]([0,0]|[1,0]|[0,1])*"),
    *_everywhere("msd_2"),
    *_everywhere("msd_3"),
    *_everywhere("msd_fib"),
    Predicate("power", "msd_2", 1, lambda n: n > 0 and n & (n - 1) == 0, 'reg power msd_2 "0*10*":'),
    # Words without leading zeros: the closure of the language adds the other representations.
    Predicate("power", "msd_3", 1, lambda n: to_base(n, 3).rstrip("0") == "1", 'reg power msd_3 "10*":'),
    Predicate("power", "msd_fib", 1, lambda n: zeckendorf(n).rstrip("0") == "1", 'reg power msd_fib "0*10*":'),
    Predicate("shift", "msd_2", 2, lambda x, y: y == 2 * x, _SHIFT),
    # Numbers with digits outside the alphabet of the expression do not satisfy it.
    Predicate("shift", "msd_3", 2, lambda x, y: y == 3 * x and "2" not in to_base(x, 3), _SHIFT),
    Predicate("shift", "msd_fib", 2, lambda x, y: y == fibonacci_value(zeckendorf(x) + "0"), _SHIFT),
)


def words_of(system: str) -> Mapping[str, Word]:
    """Name -> word, for the words over a system."""
    return {word.name: word for word in WORDS if word.system == system}


def predicates_of(system: str) -> Mapping[str, Predicate]:
    """Name -> predicate, for the predicates over a system."""
    return {predicate.name: predicate for predicate in PREDICATES if predicate.system == system}


def representation(number: int, system: str) -> str:
    """Digits of a number in one of the systems above, most significant first, empty for 0."""
    return zeckendorf(number) if system == "msd_fib" else to_base(number, int(system.removeprefix("msd_")))


def read_word(word: Word, number: int) -> int | None:
    """The word's letter as its transition table gives it: the check of table against description."""
    state = 0
    for digit in representation(number, word.system):
        if int(digit) >= len(word.rows[state]):
            return None
        state = word.rows[state][int(digit)]
    return word.outputs[state]
