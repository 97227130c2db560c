"""Theorems of proofs/sturmian.py, looked at in words of 5,000 letters for 200 random slopes."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.families.oracle import characteristic, random_quotients
from tests.few import few
from tests.proofs.chapters import CLAIMS

Word = str

#: So long are the factors that are looked at.
LONGEST = 9

SLOPES = 200
LETTERS = 5000


@pytest.fixture(scope="module")
def words() -> list[Word]:
    rng = random.Random(37)
    made = []
    for _ in range(SLOPES):
        quotients = random_quotients(rng, 4 * LETTERS, largest=6)
        made.append("".join(map(str, characteristic(quotients, LETTERS))))
    return made


def factors(w: Word, n: int) -> set[Word]:
    return {w[i : i + n] for i in range(len(w) - n + 1)}


def is_palindrome(w: Word) -> bool:
    return w == w[::-1]


def is_unbordered(w: Word) -> bool:
    return all(w[:m] != w[-m:] for m in range(1, len(w)))


def opposite(w: Word) -> Word:
    return "".join("1" if letter == "0" else "0" for letter in w)


def is_antipalindrome(w: Word) -> bool:
    return w == opposite(w[::-1])


def semiconvergents(w: Word) -> set[int]:
    return {1} | {n + 2 for n in range(200) if is_palindrome(w[:n])}


def least_period(w: Word) -> int:
    return next(p for p in range(1, len(w) + 1) if w[p:] == w[: len(w) - p])


def special(w: Word, n: int) -> list[Word]:
    longer = factors(w, n + 1)
    return [each for each in factors(w, n) if {each + "0", each + "1"} <= longer]


def balanced(w: Word, n: int) -> bool:
    ones = {each.count("1") for each in factors(w, n)}
    return max(ones) - min(ones) <= 1


#: By the id of a theorem: whether it holds of the factors of some length.
THEOREMS: dict[str, Callable[[Word, int], bool]] = {
    "sturmian.balanced": balanced,
    "sturmian.recurrent": lambda w, n: factors(w[: len(w) // 2], n) <= factors(w[len(w) // 2 :], n),
    "sturmian.mirror": lambda w, n: {each[::-1] for each in factors(w, n)} == factors(w, n),
    "sturmian.special": lambda w, n: len(special(w, n)) == 1,
    "sturmian.special.prefix": lambda w, n: special(w, n) == [w[:n][::-1]],
    "sturmian.palindromes.even": lambda w, n: sum(map(is_palindrome, factors(w, 2 * n))) == 1,
    "sturmian.palindromes.odd": lambda w, n: sum(map(is_palindrome, factors(w, 2 * n + 1))) == 2,
    "sturmian.squares": lambda w, n: any(each[:m] == each[m:] for m in range(1, 3) for each in factors(w, 2 * m)),
    "sturmian.unbordered.lengths": lambda w, n: (
        not any(map(is_unbordered, factors(w, n))) or n in semiconvergents(w)
    ),
    "sturmian.unbordered.two": lambda w, n: (
        n not in semiconvergents(w) or sum(map(is_unbordered, factors(w, n))) == 2
    ),
    "sturmian.periods": lambda w, n: {least_period(each) for each in factors(w, n)} <= semiconvergents(w),
    "sturmian.antipalindromes": lambda w, n: all(
        each in ("01" * n, "10" * n) for each in factors(w, 2 * n) if is_antipalindrome(each)
    ),
    "sturmian.first_letter": lambda w, n: ("11" in w) == (w[0] == "1"),
}


@pytest.mark.parametrize("name", few(THEOREMS, 4))
def test_what_is_proved_holds_of_words(words: list[Word], name: str) -> None:
    for place, word in enumerate(words):
        n = 1 + place % LONGEST
        assert THEOREMS[name](word, n), (name, n, word[:60])


def test_the_theorems_are_those_of_the_chapter() -> None:
    ids = {claim.id for claim in CLAIMS}
    assert set(THEOREMS) <= ids
