"""What certificates about all slopes print of Ostrowski's numbers and of the characteristic word, by brute force."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import fibprover as fp
from fibprover.checker.fibcheck import (
    Automaton,
    Budget,
    Checker,
    Family,
    FamilySystem,
    Invalid,
    Malformed,
    ostrowski,
)
from fibprover.prover.verdict.verdict import Verdict
from tests.certificate.meaning import SECONDS, STEPS, checked
from tests.families.oracle import characteristic, denominators
from tests.seeds import chosen_seed

Line = dict[str, Any]
SLOPES = Family("slopes", 0)
CHARACTERISTIC = "the characteristic word"

#: The letter of a bit beside a digit of the slope is the number 3 * bit + digit.
FAMILY, VARIABLES = {"family": "slopes"}, {"certificate": 3, "variables": {"x": "ost"}}


def standard_word(quotients: list[int]) -> list[int]:
    """The word s_k of the partial quotients a_1, ..., a_k."""
    return characteristic(quotients, denominators(quotients)[-1])


def digits_of(word: list[int], quotients: list[int]) -> list[int]:
    """The digits b_1, ..., b_k of a word of bits: as many bits each as the partial quotient has."""
    found, rest = list[int](), list(word)
    for quotient in quotients:
        length = quotient.bit_length()
        found.append(int("".join(map(str, rest[-length:])), 2))
        rest = rest[:-length]
    assert not rest
    return found


def drawn(chance: random.Random, most: int) -> list[int]:
    return [chance.choice((1, 1, 2, 3, 4, 7)) for _ in range(chance.randint(1, most))]


def rows_of(automaton: Automaton) -> list[list[int]]:
    return [[part for (bit, own), there in row.items() for part in (3 * bit + own, there)] for row in automaton.rows]


def run(automaton: Automaton, letters: list[tuple[int, int]], state: int = 0) -> int:
    for letter in letters:
        state = automaton.rows[state][letter]
    return int(automaton.outputs[state])


def own_system() -> FamilySystem:
    words = ostrowski(lambda less, is_full: True).automaton
    return FamilySystem(2, words, SLOPES, Budget(SECONDS, STEPS))


@pytest.mark.parametrize("seed", range(20))
def test_numbers_and_standard_words(seed: int) -> None:
    """The n-th word has the value n, and the letter of s_k at n is 1 as the automaton says."""
    chance = random.Random(chosen_seed() + seed)
    quotients = drawn(chance, 5)
    places, word = denominators(quotients), standard_word(quotients)
    assert len(word) == places[-1]
    beginning = SLOPES.beginning(quotients)
    ones = ostrowski(lambda less, is_full: less == 1 and not is_full).automaton
    words = own_system().first_words(beginning, places[-1] + 1)
    assert len(words) == places[-1]
    for number, bits in enumerate(words):
        digits = digits_of(bits, quotients)
        assert sum(digit * place for digit, place in zip(digits, places, strict=False)) == number
        assert run(ones, list(zip(bits, beginning, strict=True))) == word[number]


def test_what_is_printed(tmp_path: Path) -> None:
    """Neither the system nor C has a digest; 0C has one, as it is another word."""
    session = fp.Session("msd_sturmian")
    verdict = session.eval("Ei C[i]=1 & C[i+1]=0")
    assert isinstance(verdict, Verdict)
    system, word = list(checked(verdict.certificate().content, tmp_path).understood())[1:3]
    assert system.startswith("system ") and "b_1 q_0 + b_2 q_1 + ..." in system and "digest" not in system
    assert word.startswith("word ") and CHARACTERISTIC in word and "digest" not in word
    verdict = session.eval("Ei C0[i]=1")
    assert isinstance(verdict, Verdict)
    said = list(checked(verdict.certificate().content, tmp_path).understood())
    (word,) = (line for line in said if line.startswith("word C0"))
    assert CHARACTERISTIC not in word and "digest" in word


def word_line() -> Line:
    """The characteristic word, by an automaton with outputs at the states of Ostrowski's representations."""
    every = ostrowski(lambda less, is_full: True).automaton
    ones = ostrowski(lambda less, is_full: less == 1 and not is_full).automaton
    rows = rows_of(every)
    rows[0] += [3, 0]  # a letter where no number is
    return {"word": "W", "systems": ["ost", "~parameter"], "outputs": ones.outputs, "rows": rows}


def exchanged(line: Line, chance: random.Random) -> Line:
    """A word with another output, or another target."""
    outputs, rows = list(line["outputs"]), [list(row) for row in line["rows"]]
    if chance.random() < 0.3:
        outputs[chance.randrange(len(outputs))] ^= chance.randint(1, 2)
    else:
        row = chance.choice(rows)
        row[2 * chance.randrange(len(row) // 2) + 1] = chance.randrange(len(rows))
    return {**line, "outputs": outputs, "rows": rows}


def read(word: Line, system: Line | None = None) -> Checker:
    own = ostrowski(lambda less, is_full: True).automaton
    whole = {"system": "ost", "digits": 2, "outputs": list(own.outputs), "rows": rows_of(own)}
    checker = Checker(Budget(SECONDS, STEPS))
    for line in (VARIABLES, FAMILY, system or whole, word):
        checker.line(line)
    return checker


def is_characteristic(checker: Checker, period: list[int]) -> bool:
    """Whether the first letters beside a periodic slope, with many periods before a beginning, are those of s_8."""
    (_, automaton), (system,) = checker.words["W"], checker.systems.values()
    assert isinstance(system, FamilySystem)
    quotients = (period * 8)[:8]
    beginning, word = SLOPES.beginning(quotients), characteristic(quotients, min(60, denominators(quotients)[-1]))
    front = [(0, mark) for mark in SLOPES.beginning(period)] * 20
    return all(run(automaton, [*front, *zip(bits, beginning, strict=True)]) == letter
               for bits, letter in zip(system.first_words(beginning, 60), word, strict=False))


def test_changed_words_are_the_characteristic_word_or_have_no_such_line() -> None:
    """What is not met beside infinitely many beginnings does not matter; all else does."""
    chance, told, others = random.Random(chosen_seed()), 0, 0
    assert CHARACTERISTIC in read(word_line()).series["W"]
    for _ in range(100):
        try:
            checker = read(exchanged(word_line(), chance))
        except (Invalid, Malformed):
            continue
        told, others = told + ("W" in checker.series), others + ("W" not in checker.series)
        periods = ([one, other] for one, other in product(range(1, 8), repeat=2))
        assert all(is_characteristic(checker, period) for period in periods) is ("W" in checker.series)
    assert told and others


def test_other_numbers() -> None:
    """Words that are not Ostrowski's are described by their automaton, and so are words over them."""
    own = ostrowski(lambda less, is_full: not is_full).automaton
    checker = read(word_line(), {"system": "ost", "digits": 2, "outputs": list(own.outputs), "rows": rows_of(own)})
    assert not checker.series and "digest" in list(checker.understood_of_family(SLOPES))[1]
