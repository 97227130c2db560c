"""The questions about special factors: how many letters extend a factor on its sides.

A factor w of X has l letters a so that aw is a factor, r letters b so that wb is one, and e pairs so that awb is one.
It is left special if l > 1, right special if r > 1, bispecial if both; its multiplicity is e - l - r + 1 (Cassaigne,
"Complexite et facteurs speciaux", 1997).  The sum of the multiplicities of all w of length n is the second difference
of the number of factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fibprover.language.builder import exactly, exists, forall
from fibprover.language.tree import Formula, Quantified, disjunction
from fibprover.sheets.kinds import Cases, Counts, Greatest, SequenceOfNumbers, SetOfNumbers
from fibprover.sheets.question import Question
from fibprover.sheets.vocabulary import Vocabulary, d, i, j, k, n

#: Words with more letters have too many kinds of bispecial factors.
_MOST_LETTERS = 4


def branching(x: Vocabulary, alphabet: Sequence[int]) -> Iterator[Question]:
    """Yield the questions of the section, about a word with these letters."""
    section = "special factors"
    # The values of j are as many as the letters that follow the factor of length n at i, and that precede it.
    right, left = x.first(j, n + 1) & x.equal(i, j, n), x.first(j, n + 1) & x.equal(i, j + 1, n)
    left_special = exists(j, x.equal(i + 1, j + 1, n) & x.at(i).ne(x.at(j)))
    yield SequenceOfNumbers(
        "right-special", section, "The number of right special factors of length n.",
        x.first(i, n) & right_special(x),
    )
    yield SequenceOfNumbers(
        "left-special", section, "The number of left special factors of length n that occur after the first letter.",
        _first_after_a_letter(x) & left_special,
    )
    for side, counted, said in (("right", right, "follow"), ("left", left, "precede")):
        yield Counts(
            f"{side}-extensions", section, f"The numbers of letters that {said} a factor.", (i, n), None, j, counted,
        )
        for number in range(2, len(alphabet) + 1) if 2 < len(alphabet) <= _MOST_LETTERS else ():
            yield SetOfNumbers(
                f"{side}-extensions-{number}", section, f"The lengths of factors that {number} letters {said}.",
                exists(i, exactly(number, j, counted)),
            )
    yield from _branches(x)
    yield SetOfNumbers(
        "bispecial", section, "The lengths of bispecial factors that occur after the first letter.",
        exists(i, left_special & exists(j, x.equal(i + 1, j, n) & x.at(i + n + 1).ne(x.at(j + n)))),
    )
    if 2 <= len(alphabet) <= _MOST_LETTERS:
        both = x.first(j, n + 2) & x.equal(i, j + 1, n)
        yield from _bispecial(len(alphabet), left, right, both)


def right_special(x: Vocabulary) -> Formula:
    """Return the formula that two letters follow the factor of length n at i."""
    return exists(j, x.equal(i, j, n) & x.at(i + n).ne(x.at(j + n)))


def _first_after_a_letter(x: Vocabulary) -> Formula:
    """Return the formula that the factor at i+1 does not occur before, but perhaps at 0."""
    return forall(j, (j < i) >> ~x.equal(i + 1, j + 1, n))


def _branches(x: Vocabulary) -> Iterator[Question]:
    """Yield how many infinite words branch everywhere.

    The formulas count the special factors of length n that begin, or end, special factors of all greater lengths.
    Their number does not decrease with n, and by Konig's lemma it becomes the number of the infinite words, unless both
    are infinite.
    """
    special = exists(j, x.equal(k + 1, j + 1, n + d) & x.at(k).ne(x.at(j)))
    yield Greatest(
        "left-branches", "special factors",
        "The number of infinite words all of whose prefixes are left special: the greatest number of factors of length"
        " n that begin left special factors of all greater lengths.",
        _first_after_a_letter(x) & forall(d, exists(k, x.equal(i + 1, k + 1, n) & special)),
    )
    special = exists(j, x.equal(k, j, n + d) & x.at(k + n + d).ne(x.at(j + n + d)))
    yield Greatest(
        "right-branches", "special factors",
        "The number of words, infinite to the left, all of whose suffixes are right special: the greatest number of"
        " factors of length n that end right special factors of all greater lengths.",
        x.first(i, n) & forall(d, exists(k, x.equal(i, k + d, n) & special)),
    )


def _bispecial(size: int, left: Formula, right: Formula, both: Formula) -> Iterator[Question]:
    """Yield the questions about multiplicities of bispecial factors of a word with this many letters.

    left, right, both: the formulas of as many j as letters precede the factor, and follow it, and as pairs enclose it.
    """
    # Of the letters on both sides: the numbers of them, and the number of pairs that makes the multiplicity 0.
    sides = {(a, b): a + b - 1 for a in range(2, size + 1) for b in range(2, size + 1)}

    def with_pairs(relation: str, pairs: Mapping[tuple[int, int], int]) -> Formula:
        return disjunction(
            exactly(a, j, left) & exactly(b, j, right) & Quantified("E", (j,), both, relation, number)
            for (a, b), number in pairs.items()
        )

    # Each factor is followed by a letter, so that e >= l; one that begins X may be preceded by none.
    cases = []
    for multiplicity in range(1 - size, (size - 1) ** 2 + 1):
        pairs = {
            (a, b): neutral + multiplicity for (a, b), neutral in sides.items() if a <= neutral + multiplicity <= a * b
        }
        cases.append((multiplicity, exists(i, n, with_pairs("=", pairs))))
    yield Cases(
        "multiplicities", "special factors",
        "The multiplicities e-l-r+1 of bispecial factors, where l letters precede the factor, r letters follow it,"
        " and e pairs of letters enclose it.", tuple(cases),
    )
    for name, relation, beside, said in (
        ("weak", "<=", -1, "less than 0"), ("neutral", "=", 0, "0"), ("strong", ">=", 1, "greater than 0"),
    ):
        numbers = {pair: neutral + beside for pair, neutral in sides.items()}
        yield SetOfNumbers(
            f"{name}-bispecial", "special factors",
            f"The lengths of {name} bispecial factors: their multiplicity is {said}.",
            exists(i, with_pairs(relation, numbers)),
        )
