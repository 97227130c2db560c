"""Certificates of the least and the greatest word, and of frequencies of letters."""

from __future__ import annotations

import re
from fractions import Fraction
from math import isqrt
from pathlib import Path

import pytest

from fibprover.checker import fibcheck
from fibprover.sheets.study import study
from tests.few import few

#: Words, with the words that the statement is about: from a letter on, with one before it, and others.
EXTREMAL = {
    ("T", "least-word"): r"least_word_T\[n_\d+\]=@0",
    ("T", "greatest-word"): r"n_\d+\+1=t_\d+ & T\[t_\d+\]=@1|T\[t_\d+\]=@1",
    ("F", "least-word"): r"F\[t_\d+\]=@1",
    ("F", "greatest-word"): r"F\[t_\d+\]=@0",
    ("PD", "least-word"): r"least_word_PD\[n_\d+\]=@1",
    ("RS", "least-word"): r"RS\[t_\d+\]=@1",
}


@pytest.mark.parametrize(("word", "line", "said"), few([(*key, said) for key, said in EXTREMAL.items()], 4))
def test_extremal_words(word: str, line: str, said: str, tmp_path: Path) -> None:
    """Both checkers accept the statement about each letter."""
    (found,) = study(word, only=[line], certify=tmp_path).lines
    check = found.certificate
    assert check is not None and check.checked, check
    printed = list(fibcheck.check(check.file).understood())
    assert re.search(said, printed[-1])
    if f"least_word_{word}" in said:  # the letters that are printed of the word are those of the line
        (letters,) = (each for each in printed if each.startswith(f"word least_word_{word}: "))
        shown = re.search(r"is ([0-9]+)\.\.\.", found.text)
        assert shown and letters.removeprefix(f"word least_word_{word}: ").startswith(shown[1])


def floor_golden(number: int) -> int:
    """Return floor(n phi)."""
    return (number + isqrt(5 * number * number)) // 2


@pytest.mark.parametrize(("word", "letter"), [("T", 0), ("T", 1), ("F", 0), ("F", 1)])
def test_frequencies(word: str, letter: int, tmp_path: Path) -> None:
    """p(n) is the multiple of n, or of floors, with the rest that the word says."""
    (found,) = study(word, only=[f"letter-{letter}-frequency"], certify=tmp_path).lines
    check = found.certificate
    assert check is not None and check.checked, check
    printed = list(fibcheck.check(check.file).understood())
    (sequence,) = (each for each in printed if each.startswith("sequence p: "))
    terms = [int(each) for each in re.findall(r": ([0-9, ]+), \.\.\.", sequence)[0].split(", ")]
    (rest,) = (each.split(": ")[1].split(",")[0] for each in printed if each.startswith("word rest: "))
    letters = [int(each) for each in re.findall("-?[0-9]", rest)]
    (equation,) = (each for each in printed if each.startswith("by induction, the only sequences: "))
    for n, term in enumerate(terms):
        if word == "T":
            assert term == Fraction(n + letters[n], 2)
        else:
            golden = floor_golden(n)
            assert term == (golden - n if letter == 0 else 2 * n - golden) + letters[n]
    assert ("1/2*number" in equation) == (word == "T")
    assert ("with m = floor(n*(1+sqrt(5))/2)" in "".join(printed)) == (word == "F")


def test_a_number_of_letters_that_is_far_away(tmp_path: Path) -> None:
    """It has no certificate, and the line says why."""
    (found,) = study("PD", only=["letter-0-frequency"], certify=tmp_path).lines
    check = found.certificate
    assert check is not None and not check.checked and "far from" in check.reason
