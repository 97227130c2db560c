"""Each line of the sheet of all Sturmian words against prefixes of the words of random slopes, by definitions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
import pytest

import fibprover as fp
from fibprover.numeration.parameters import ChoiceSequence
from fibprover.sheets.families import EXPONENTS, PLACES
from tests.families.oracle import characteristic
from tests.families.test_choices import FAMILIES, composed, folded, random_choices

#: The letters of a prefix, the greatest length of factors that are followed through it, and that of those listed.
LETTERS, LENGTH, LISTED = 5000, 150, 12

#: Lines that only characteristic words have.
STURMIAN_LINES = ("unbordered-lengths", "least-periods", "square-orders", "prefix-squares", "lyndon-lengths")

#: Lines that take seconds.
SLOW = ("privileged-palindromes", "lyndon-1", "early-5", "early-6", "again-5", "again-6")


def is_palindrome(w: str) -> bool:
    return w == w[::-1]


def is_unbordered(w: str) -> bool:
    return all(w[:m] != w[-m:] for m in range(1, len(w)))


def is_lyndon(w: str) -> bool:
    return all(w < w[m:] for m in range(1, len(w)))


def is_closed(w: str) -> bool:
    return len(w) < 2 or any(w[:m] == w[-m:] and w.find(w[:m], 1) == len(w) - m for m in range(1, len(w)))


def is_privileged(w: str) -> bool:
    return len(w) < 2 or any(
        w[:m] == w[-m:] and w.find(w[:m], 1) == len(w) - m and is_privileged(w[:m]) for m in range(1, len(w))
    )


def opposite(w: str) -> str:
    return w.translate(str.maketrans("01", "10"))


def least_period(w: str) -> int:
    return next(p for p in range(1, len(w) + 1) if w[p:] == w[: len(w) - p])


class Prefix:
    """What a prefix of one word shows."""

    def __init__(self, letters: list[int]) -> None:
        self.letters = np.array(letters)
        self.w = "".join(map(str, self.letters))

    def factors(self, n: int) -> set[str]:
        return {self.w[i : i + n] for i in range(LETTERS - n + 1)}

    @cached_property
    def classes(self) -> list[np.ndarray]:
        """For each length the number of the factor at each place; equal ones have equal numbers."""
        found = [np.zeros(LETTERS, dtype=np.int64)]
        for n in range(1, LENGTH):
            own = 2 * found[-1][: LETTERS - n + 1] + self.letters[n - 1 :]
            found.append(np.unique(own, return_inverse=True)[1])
        return found

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """For each length the greatest first place of a factor, and the greatest distance to its next place."""
        found = []
        for own in self.classes[1:]:
            order = np.argsort(own, kind="stable")
            same = np.diff(own[order]) == 0
            found.append((int(np.unique(own, return_index=True)[1].max()), int(np.diff(order)[same].max())))
        return found

    def again(self, times: int) -> bool:
        return all(far <= times * n for n, (_, far) in enumerate(self.places, 1))

    def early(self, times: int) -> bool:
        return all(first <= times * n for n, (first, _) in enumerate(self.places, 1))

    def special(self, n: int) -> int:
        return len(np.unique(self.classes[n + 1])) - len(np.unique(self.classes[n]))

    @cached_property
    def runs(self) -> list[tuple[int, int, int]]:
        """For each period the greatest length of a factor with it, and of a prefix."""
        found = []
        for p in range(1, LENGTH):
            breaks = np.flatnonzero(self.letters[:-p] != self.letters[p:])
            ends = np.concatenate(([-1], breaks))
            found.append((p, int(np.diff(ends).max()) - 1 + p, int(breaks[0]) + p))
        return found

    def power(self, above: int, below: int) -> bool:
        return any(below * longest >= above * p for p, longest, _ in self.runs)

    def prefix_power(self, above: int, below: int) -> bool:
        return any(below * longest >= above * p for p, _, longest in self.runs)

    @cached_property
    def semiconvergents(self) -> set[int]:
        return {1} | {n + 2 for n in range(LENGTH) if is_palindrome(self.w[:n])}

    def anti(self, order: int, *, reverse: bool) -> list[str]:
        """The antisquares, or antipalindromes, whose half has this many letters."""
        step = -1 if reverse else 1
        return [f for f in self.factors(2 * order) if f[order:] == opposite(f[:order][::step])]

    def returns(self, factor: str) -> set[str]:
        places = [i for i in range(LETTERS) if self.w.startswith(factor, i)]
        return {self.w[a:b] for a, b in pairwise(places)}

    def covered(self, n: int) -> bool:
        places = [i for i in range(LETTERS) if self.w.startswith(self.w[:n], i)]
        return all(b - a <= n for a, b in pairwise(places))

    def counts(self, test: Callable[[str], bool]) -> list[int]:
        return [sum(map(test, self.factors(n))) for n in range(LISTED)]


def _alternate(p: Prefix, *, reverse: bool) -> bool:
    return all(f in ("01" * n, "10" * n) for n in range(1, 40) for f in p.anti(n, reverse=reverse))


def _squares(p: Prefix) -> Iterator[str]:
    for n in range(1, 20):
        yield from (f for f in p.factors(2 * n) if f[:n] == f[n:])


#: By the id of a line: whether the prefix satisfies it.
LINES: dict[str, Callable[[Prefix], bool]] = {
    **{f"again-{times}": lambda p, times=times: p.again(times) for times in PLACES},  # type: ignore[misc]
    **{f"early-{times}": lambda p, times=times: p.early(times) for times in PLACES},  # type: ignore[misc]
    **{
        f"power-{f'{a}-{b}' if b > 1 else a}": lambda p, a=a, b=b: p.power(a, b)  # type: ignore[misc]
        for a, b in EXPONENTS
    },
    **{
        f"prefix-power-{f'{a}-{b}' if b > 1 else a}": lambda p, a=a, b=b: p.prefix_power(a, b)  # type: ignore[misc]
        for a, b in EXPONENTS
    },
    **{
        f"special-{k}": lambda p, k=k: all(p.special(n) == k for n in range(40, 60))  # type: ignore[misc]
        for k in range(1, 5)
    },
    "letter-0": lambda p: "0" in p.w[LETTERS // 2 :],
    "letter-1": lambda p: "1" in p.w[LETTERS // 2 :],
    "eventually-periodic": lambda p: any(p.w[1000:-q] == p.w[1000 + q :] for q in range(1, 500)),
    "recurrent": lambda p: p.factors(LISTED) == {p.w[i : i + LISTED] for i in range(LETTERS // 2, LETTERS - LISTED)},
    "uniformly-recurrent": lambda p: all(far < LETTERS // 2 for _, far in p.places[:LISTED]),
    "return-words-2": lambda p: all(len(p.returns(f)) == 2 for n in range(1, 6) for f in p.factors(n)),
    "complexity-sturmian": lambda p: all(len(np.unique(p.classes[n])) == n + 1 for n in range(60)),
    "closed-prefixes": lambda p: any(is_closed(p.w[:n]) for n in range(40, 200)),
    "open-prefixes": lambda p: not all(is_closed(p.w[:n]) for n in range(40, 200)),
    "privileged-palindromes": lambda p: all(
        is_privileged(f) == is_palindrome(f) for n in range(LISTED) for f in p.factors(n)
    ),
    "reversal": lambda p: all({f[::-1] for f in p.factors(n)} == p.factors(n) for n in range(LISTED)),
    "complement": lambda p: {opposite(f) for f in p.factors(60)} == p.factors(60),
    "rich": lambda p: len({p.w[i:j] for j in range(61) for i in range(j + 1) if is_palindrome(p.w[i:j])}) == 61,
    "palindromes-of-all-lengths": lambda p: all(p.counts(is_palindrome)),
    "palindromes-unbounded": lambda p: any(is_palindrome(p.w[:n]) for n in range(60, 1000)),
    "palindromes-even-1": lambda p: set(p.counts(is_palindrome)[::2]) == {1},
    "palindromes-even-2": lambda p: set(p.counts(is_palindrome)[::2]) == {2},
    "palindromes-odd-1": lambda p: set(p.counts(is_palindrome)[1::2]) == {1},
    "palindromes-odd-2": lambda p: set(p.counts(is_palindrome)[1::2]) == {2},
    "palindromic-prefixes-unbounded": lambda p: any(is_palindrome(p.w[:n]) for n in range(60, 1000)),
    "squares": lambda p: p.power(2, 1),
    "overlaps": lambda p: any(longest > 2 * q for q, longest, _ in p.runs),
    "cubes": lambda p: p.power(3, 1),
    "fourth-powers": lambda p: p.power(4, 1),
    "squares-everywhere": lambda p: all(
        any(p.w[i : i + n] == p.w[i + n : i + 2 * n] for n in range(20, 2000)) for i in range(10)
    ),
    "quasiperiodic": lambda p: any(map(p.covered, range(1, 100))),
    "quasiperiods-unbounded": lambda p: any(map(p.covered, range(40, 300, 7))) or any(map(p.covered, range(40, 300))),
    "unbordered-unbounded": lambda p: any(is_unbordered(f) for n in range(40, 200) for f in p.factors(n)),
    "unbordered-2": lambda p: set(p.counts(is_unbordered)[1:]) <= {0, 2},
    "antisquares": lambda p: any(p.anti(n, reverse=False) for n in range(1, 4)),
    "antisquares-bounded": lambda p: not any(p.anti(n, reverse=False) for n in range(60, 80)),
    "antisquares-alternate": lambda p: _alternate(p, reverse=False),
    "antipalindromes": lambda p: any(p.anti(n, reverse=True) for n in range(1, 4)),
    "antipalindromes-bounded": lambda p: not any(p.anti(n, reverse=True) for n in range(60, 80)),
    "antipalindromes-alternate": lambda p: _alternate(p, reverse=True),
    "unbordered-lengths": lambda p: [bool(count) for count in p.counts(is_unbordered)][1:]
    == [n in p.semiconvergents for n in range(1, LISTED)],
    "least-periods": lambda p: {least_period(f) for f in p.factors(LISTED)} <= p.semiconvergents,
    "square-orders": lambda p: all(2 * least_period(f) < len(f) or len(f) // 2 in p.semiconvergents
                                   for f in _squares(p)),
    "prefix-squares": lambda p: all(
        n in p.semiconvergents for n in range(1, LENGTH) if p.w[:n] == p.w[n : 2 * n]
    ),
    "lyndon": lambda p: all(p.w[i : i + 2000] > p.w[:2000] for i in range(1, 500)),
    "lyndon-unbounded": lambda p: any(is_lyndon(f) for n in range(40, 200) for f in p.factors(n)),
    "lyndon-1": lambda p: all(count <= 1 for count in p.counts(is_lyndon)[2:]),
    "lyndon-lengths": lambda p: [bool(count) for count in p.counts(is_lyndon)][1:]
    == [n in p.semiconvergents for n in range(1, LISTED)],
    "balanced": lambda p: all(
        np.ptp(np.convolve(p.letters, np.ones(n, dtype=int), "valid")) <= 1 for n in range(1, LENGTH)
    ),
}


@pytest.fixture(scope="module")
def sheet() -> fp.Sheet:
    return fp.study("sturmian", only=[name for name in LINES if name not in SLOW])


def check(sheet: fp.Sheet, *, slopes: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(slopes):
        preperiod, period = ([rng.randint(1, 4) for _ in range(rng.randint(*size))] for size in ((0, 2), (1, 2)))
        prefix = Prefix(characteristic([*preperiod, *period * 20], LETTERS))
        written = f"[0; {', '.join([*map(str, preperiod), f'({chr(44).join(map(str, period))})'])}]"
        for line in sheet.lines:
            assert line.slopes is not None
            assert (written in line.slopes) == LINES[line.id](prefix), (written, line.text)


@pytest.mark.long
def test_lines_agree_with_prefixes(sheet: fp.Sheet) -> None:
    check(sheet, slopes=2, seed=1)


#: Lines whose truth a prefix does not show where a choice matters late.
LATE = (
    "reversal", "rich", "privileged-palindromes", "palindromes-unbounded", "palindromic-prefixes-unbounded", "lyndon-1",
    "special-1", "special-2", "special-3", "special-4", "early-5", "early-6", "unbordered-2",
)


@pytest.mark.long
@pytest.mark.parametrize(("given", "words"), [
    ("paperfolding", folded),
    pytest.param(
        FAMILIES["thue"], lambda choices, length: composed(FAMILIES["thue"], choices, length), marks=pytest.mark.long,
    ),
])
def test_words_by_choices(given: str, words: Callable[[ChoiceSequence, int], list[int]]) -> None:
    rng = random.Random(given)
    asked = [name for name in LINES if name not in LATE and name not in STURMIAN_LINES]
    found = fp.study(given, only=asked)
    for _ in range(3):
        choices = random_choices(rng, 2)
        prefix = Prefix(words(choices, LETTERS))
        for line in found.lines:
            assert line.slopes is not None
            assert (choices in line.slopes) == LINES[line.id](prefix), (choices, line.text)


@pytest.mark.parametrize("slopes", [
    pytest.param(40, marks=pytest.mark.long), pytest.param(200, marks=pytest.mark.very_long),
])
def test_all_lines_agree_with_prefixes_of_many_slopes(slopes: int) -> None:
    found = fp.study("C", limits=fp.Limits(seconds=60))
    assert {line.id for line in found.lines} == set(LINES)
    check(found, slopes=slopes, seed=2)
