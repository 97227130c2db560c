"""The questions about numbers of letters in factors, which need those in prefixes as an automaton."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from fibprover.language.builder import exists, variables
from fibprover.language.tree import Arithmetic, Formula, Operand, Variable, conjunction
from fibprover.sheets.kinds import Balance, Claim, SequenceOfNumbers, SetOfNumbers
from fibprover.sheets.question import Question
from fibprover.sheets.vocabulary import Vocabulary, i, j, letters, m, n, p, q, s

#: More letters would need too many variables.
_MOST_LETTERS = 3

#: Differences up to this one are tried one by one.
_MOST_DIFFERENCE = 8

#: The places, from j on, of the first two of three blocks of length n, and of the last two.
_SQUARE, _NEXT_SQUARE = (j, j + n), (j + n, j + 2 * n)


def abelian(x: Vocabulary, alphabet: Sequence[int]) -> Iterator[Question]:
    """Yield the questions of the section, about a word with these letters, in rising order."""
    if len(alphabet) == 2:
        yield _balanced(x, alphabet)
    for letter in alphabet[: 1 if len(alphabet) == 2 else None]:
        first, second = _block(x, letter, i, m, p), _block(x, letter, j, m, q)
        yield Balance(
            f"balance-{letter}", "abelian",
            f"The differences between the numbers of letters {letter} in two factors of the same length.",
            exists(i, j, m, p, q, first & second & (p + n).eq(q)),
            tuple(
                exists(m, p, exists(i, first) & exists(j, q, q.eq(p + c) & second))
                for c in range(1, _MOST_DIFFERENCE + 1)
            ),
        )
    if 2 <= len(alphabet) <= _MOST_LETTERS:
        yield from _anagrams(x, alphabet)
    if 3 <= len(alphabet) <= _MOST_LETTERS:
        yield from _sums_of_letters(x, alphabet)


def _balanced(x: Vocabulary, alphabet: Sequence[int]) -> Question:
    """Return whether a word with two letters is balanced, after Coven and Hedlund (1973)."""
    a, b = alphabet
    ends = [x.has(letter, end) for letter, place in ((a, i), (b, j)) for end in (place, place + n + 1)]
    return Claim(
        "balanced", "abelian",
        "X is balanced: two factors of the same length contain each letter equally often, up to a difference of one.",
        ~exists(i, j, n, conjunction([x.palindrome(i + 1, n), x.equal(i + 1, j + 1, n), *ends])),
    )


def _anagrams(x: Vocabulary, alphabet: Sequence[int]) -> Iterator[Question]:
    """Yield the questions about factors up to the order of their letters."""
    counted: Mapping[int, Variable] = dict(zip(alphabet[:-1], (p, q), strict=False))

    def blocks(*places: Operand) -> Formula:
        return conjunction(_block(x, letter, place, n, d) for letter, d in counted.items() for place in places)

    yield SequenceOfNumbers(
        "abelian-complexity", "abelian",
        "The abelian complexity: the number of factors of length n up to the order of their letters.",
        exists(j, blocks(j)),
    )
    square, next_square = (exists(*counted.values(), blocks(*places)) for places in (_SQUARE, _NEXT_SQUARE))
    yield SetOfNumbers(
        "abelian-square-orders", "abelian",
        "The lengths n of x in abelian squares xy, where y has the letters of x in some order.",
        (n > 0) & exists(j, square),
    )
    yield SetOfNumbers(
        "abelian-cube-orders", "abelian",
        "The lengths n of x in abelian cubes xyz, where y and z have the letters of x in some order.",
        (n > 0) & exists(j, square & next_square),
    )


def _sums_of_letters(x: Vocabulary, alphabet: Sequence[int]) -> Iterator[Question]:
    """Yield the questions about the sums of the letters of factors; for two letters they are those about numbers."""
    # The least letter counts 0: a constant that is added to all letters changes no question.
    weights: Mapping[int, Variable] = dict(zip(alphabet[1:], (p, q), strict=False))
    total = reduce(lambda a, b: a + b, ((letter - alphabet[0]) * d for letter, d in weights.items()))

    def prefix(below: Operand, sum_: Variable) -> Formula:
        parts = [x.count(letters(letter), below, d) for letter, d in weights.items()]
        return exists(*weights.values(), conjunction([*parts, sum_.eq(total)]))

    def block(place: Variable | Arithmetic) -> Formula:
        begin, end = variables("sb se")
        return exists(begin, end, prefix(place, begin) & prefix(place + n, end) & (begin + s).eq(end))

    yield SequenceOfNumbers(
        "additive-complexity", "abelian",
        "The number of different sums of the letters of factors of length n.", exists(j, block(j)),
    )
    squares = [exists(s, block(first) & block(second)) for first, second in (_SQUARE, _NEXT_SQUARE)]
    yield SetOfNumbers(
        "additive-cube-orders", "abelian",
        "The lengths n of x in additive cubes xyz, where x, y and z have the same length and sum of letters.",
        (n > 0) & exists(j, conjunction(squares)),
    )


def _block(x: Vocabulary, letter: int, place: Operand, length: Variable, difference: Variable) -> Formula:
    """Return the formula that so many of the letters from a place on are this one."""
    begin, end = variables(f"{difference.name}b {difference.name}e")
    below, beyond = x.count(letters(letter), place, begin), x.count(letters(letter), place + length, end)
    return exists(begin, end, below & beyond & (begin + difference).eq(end))
