"""The questions about numbers of letters in factors, which need those in prefixes as an automaton."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fibprover.language.builder import exists, variables
from fibprover.language.tree import Formula, Operand, Variable, conjunction
from fibprover.sheets.kinds import Balance, Claim, SequenceOfNumbers, SetOfNumbers
from fibprover.sheets.question import Question
from fibprover.sheets.vocabulary import EXCESS, Vocabulary, excess, i, j, letters, m, n, p, q, u, v

#: More letters would need too many variables.
_MOST_LETTERS = 3

#: Differences up to this one are tried one by one.
_MOST_DIFFERENCE = 8


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
        yield from _sums_of_letters(x)


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
    kinds = [excess(letter) for letter in alphabet[1:]]
    pairs = [variables(f"u{place} v{place}") for place in range(len(kinds))]
    yield SequenceOfNumbers(
        "abelian-complexity", "abelian",
        "The abelian complexity: the number of factors of length n up to the order of their letters.",
        exists(j, conjunction(x.call(kind, j, n, *pair) for kind, pair in zip(kinds, pairs, strict=True))),
    )
    for name, blocks, said in (
        ("square", 2, "abelian squares xy, where y has the letters of x in some order."),
        ("cube", 3, "abelian cubes xyz, where y and z have the letters of x in some order."),
    ):
        alike = conjunction(_alike(x, kind, blocks) for kind in kinds)
        yield SetOfNumbers(
            f"abelian-{name}-orders", "abelian", f"The lengths n of x in {said}", (n > 0) & exists(j, alike),
        )


def _sums_of_letters(x: Vocabulary) -> Iterator[Question]:
    """Yield the questions about the sums of the letters of factors; for two letters they are those about numbers."""
    yield SequenceOfNumbers(
        "additive-complexity", "abelian",
        "The number of different sums of the letters of factors of length n.", exists(j, x.call(EXCESS, j, n, u, v)),
    )
    yield SetOfNumbers(
        "additive-cube-orders", "abelian",
        "The lengths n of x in additive cubes xyz, where x, y and z have the same length and sum of letters.",
        (n > 0) & exists(j, _alike(x, EXCESS, 3)),
    )


def _alike(x: Vocabulary, kind: str, blocks: int) -> Formula:
    """Return the formula that so many blocks of length n from j on exceed the prefix of length n by the same number.
    """
    return exists(u, v, conjunction(x.call(kind, j + block * n, n, u, v) for block in range(blocks)))


def _block(x: Vocabulary, letter: int, place: Operand, length: Variable, difference: Variable) -> Formula:
    """Return the formula that so many of the letters from a place on are this one."""
    begin, end = variables(f"{difference.name}b {difference.name}e")
    below, beyond = x.count(letters(letter), place, begin), x.count(letters(letter), place + length, end)
    return exists(begin, end, below & beyond & (begin + difference).eq(end))
