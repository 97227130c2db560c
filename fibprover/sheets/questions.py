"""The questions that are asked of every word with one index, in the order of the sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations

from fibprover.language.builder import exists, forall, variable
from fibprover.language.tree import Formula, Letter, Operand, Variable, conjunction, disjunction
from fibprover.sheets.abelian import abelian
from fibprover.sheets.branching import branching
from fibprover.sheets.closed_form import complexity_formula
from fibprover.sheets.derived import derived
from fibprover.sheets.kinds import (
    Claim,
    Counts,
    Frequency,
    Function,
    Limit,
    SequenceOfNumbers,
    SetOfNumbers,
    Steps,
    Supremum,
    WordQuestion,
)
from fibprover.sheets.question import Question
from fibprover.sheets.vocabulary import Vocabulary, between, d, ell, i, j, k, m, n, p, r


def return_word(x: Vocabulary, start: Operand) -> Formula:
    """Return the formula that a return word of the factor at a place, of length d, is at j for the first time."""
    none_between = forall(m, between(0, m, d) >> ~x.equal(j, j + m, n))
    # With $first_X the automata in between are larger, by a factor of 2 to 8.
    first = forall(ell, (ell < j) >> ~x.equal(ell, j, n + d))
    return conjunction([d > 0, x.equal(start, j, n), x.equal(j, j + d, n), none_between, first])


def _palindromes(x: Vocabulary, count: int) -> Formula:
    """Return the formula that the prefix of length n is a product of so many palindromes, which may be empty."""
    ends = [*(variable(f"m{part}") for part in range(1, count)), n]
    formula: Formula = x.palindrome(0, ends[0])
    for start, end in pairwise(ends):
        formula = exists(start, (start <= end) & formula & x.palindrome(start, end - start))
    return formula


def _recurrence(x: Vocabulary) -> Iterator[Question]:
    section = "recurrence"
    yield Claim(
        "eventually-periodic", section, "X is eventually periodic.",
        exists(p, m, (p > 0) & forall(i, (i >= m) >> x.at(i).eq(x.at(i + p)))),
    )
    yield Claim(
        "recurrent", section, "X is recurrent: each factor occurs infinitely often.",
        forall(i, n, exists(j, (j > i) & x.equal(i, j, n))),
    )
    yield Claim(
        "uniformly-recurrent", section,
        "X is uniformly recurrent: for each factor, all factors of some length contain it. So its subshift is minimal.",
        forall(n, exists(m, forall(i, k, exists(j, (j >= k) & (j < k + m) & x.equal(i, j, n))))),
    )
    none_between = forall(k, between(i, k, j) >> ~x.equal(i, k, p))
    yield Supremum(
        "gaps", section,
        "The supremum of n/p over distances n between consecutive occurrences of a factor of length p.",
        (p > 0) & exists(i, j, j.eq(i + n) & (n > 0) & x.equal(i, j, p) & none_between),
        "Consecutive occurrences of a factor of length n > 0 are at most {bound} apart{factor} ({how}).",
    )
    yield Supremum(
        "appearance", section,
        "The supremum of n/p over the ends n of first occurrences of factors of length p.",
        (p > 0) & exists(i, n.eq(i + p) & x.first(i, p)),
        "The first occurrence of a factor of length n ends at {bound} at the latest{factor} ({how}).",
    )
    yield from _recurrence_functions(x)
    yield Counts(
        "return-words", section,
        "The numbers of return words of nonempty factors: of words from one occurrence to the next.",
        (i, n), n > 0, j, exists(d, return_word(x, i)),
    )
    yield SequenceOfNumbers(
        "returns", section, "The number of return words of the prefix of length n.", return_word(x, 0),
    )


def _recurrence_functions(x: Vocabulary) -> Iterator[Question]:
    """Yield the questions about the appearance function and the recurrence function.

    Morse and Hedlund, "Symbolic dynamics" (1938), have R(n); Allouche and Shallit, Automatic Sequences (2003), sections
    10.9 and 10.10, both.  Parts of R for the length n: some factor occurs a last time, the prefix of length m ends
    before a first occurrence does, and a word of length m fits between two occurrences without one in between.
    """
    section = "recurrence"
    before_first = exists(i, (m < i + n) & x.first(i, n))
    yield Function(
        "appearance-function", section,
        "The appearance function A(n): the length of the shortest prefix that has all factors of length n.",
        before_first,
    )

    def last(length: Variable) -> Formula:
        return exists(i, forall(j, (j > i) >> ~x.equal(i, j, length)))

    def gap(size: Formula, length: Variable) -> Formula:
        none_between = forall(k, between(i, k, j) >> ~x.equal(i, k, length))
        return exists(i, j, (i < j) & size & x.equal(i, j, length) & none_between)

    yield Function(
        "recurrence-function", section,
        "The recurrence function R(n): the least length such that each factor of this length has all factors of length"
        " n.", last(n) | before_first | gap(m + i + 2 <= j + n, n),
    )
    yield Supremum(
        "recurrence-quotient", section, "The supremum of R(n)/n for the recurrence function R.",
        (p > 0) & (last(p) | exists(i, n.eq(i + p) & x.first(i, p)) | gap((n + i + 1).eq(j + p), p)),
        "The recurrence function R(n) is at most {bound}{factor} ({how}).",
    )


def closed_factor(x: Vocabulary, start: Operand) -> Formula:
    """Return the formula that the factor of length n at a place has at most one letter, or a border only at its ends.
    """
    nowhere_else = forall(j, ((j > start) & (j + m < start + n)) >> ~x.equal(start, j, m))
    return (n <= 1) | exists(m, between(0, m, n) & x.equal(start, start + n - m, m) & nowhere_else)


def privileged(x: Vocabulary) -> Formula:
    """Return the formula that the factor of length n at i is privileged.

    By Schaeffer and Shallit, "Closed, palindromic, rich, privileged, trapezoidal, and balanced words" (2016).
    """
    not_again = forall(j, ((j > i) & (j + p <= i + m)) >> ~x.equal(i, j, p))
    not_before = forall(j, ((j + m >= i + n) & (j + p < i + n)) >> ~x.equal(i, j, p))
    border = exists(p, conjunction([p >= 1, p <= m, x.equal(i, i + n - p, p), not_again, not_before]))
    return (n <= 1) | forall(m, ((m >= 1) & (m <= n)) >> border)


def _factors(x: Vocabulary) -> Iterator[Question]:
    section = "factors"
    yield SequenceOfNumbers("complexity", section, "The number of factors of length n.", x.first(i, n))
    yield complexity_formula(x)
    yield SequenceOfNumbers(
        "closed", section,
        "The number of closed factors of length n: of at most one letter, or with a border that occurs nowhere else in"
        " the factor.",
        x.first(i, n) & closed_factor(x, i),
    )
    yield SequenceOfNumbers(
        "privileged", section,
        "The number of privileged factors of length n: of at most one letter, or with a privileged border that occurs"
        " nowhere else in the factor.", x.first(i, n) & privileged(x),
    )
    yield _trapezoidal(x)


def _trapezoidal(x: Vocabulary) -> Question:
    once = forall(j, ((j >= i) & (j < i + r)) >> ~x.equal(j, i + r, k))
    shorter_twice = exists(j, (j >= i) & (j < i + r + 1) & x.equal(j, i + r + 1, k - 1))
    pair = conjunction([j >= i, j < ell, ell + r < i + n, x.equal(j, ell, r)])
    not_special = forall(j, ell, pair >> x.at(j + r).eq(x.at(ell + r)))
    pair = conjunction([j >= i, j < ell, ell + r < i + n + 1, x.equal(j, ell, r - 1)])
    shorter_special = exists(j, ell, pair & x.at(j + r - 1).ne(x.at(ell + r - 1)))
    parts: list[Formula] = [n.eq(k + r), once, k.eq(0) | shorter_twice, not_special, r.eq(0) | shorter_special]
    return SequenceOfNumbers(
        "trapezoidal", "factors",
        "The number of trapezoidal factors of length n: n = k+r for the least length k of a suffix that occurs once in"
        " the factor, and the least r such that it has no right special factor of length r.",
        x.first(i, n) & exists(k, r, conjunction(parts)),
    )


def _symmetry(x: Vocabulary, letters: Sequence[int]) -> Iterator[Question]:
    section = "symmetry"

    def maps(image: Formula) -> Formula:
        # Each factor is a factor of a prefix, so that prefixes are enough.
        return forall(n, exists(j, forall(k, (k < n) >> image)))

    yield Claim(
        "reversal", section, "The reversal of each factor is a factor.", maps(x.at(k).eq(x.at((j + n) - (k + 1)))),
    )
    if len(letters) == 2:
        yield Claim("complement", section, "The complement of each factor is a factor.", maps(x.at(k).ne(x.at(j + k))))
    for images in list(permutations(letters))[1:] if len(letters) == 3 else []:
        pairs = list(zip(letters, images, strict=True))
        yield Claim(
            f"permutation-{('' if 0 <= min(images) <= max(images) < 10 else '_').join(map(str, images))}", section,
            f"The permutation {', '.join(f'{a} -> {b}' for a, b in pairs)} of the letters maps factors to factors.",
            maps(disjunction(x.has(a, k) & x.has(b, j + k) for a, b in pairs)),
        )


def _of_palindromes(x: Vocabulary) -> Iterator[Question]:
    section = "palindromes"
    for count, number in ((2, "two"), (3, "three"), (4, "four")):
        yield SetOfNumbers(
            f"{number}-palindromes", section,
            f"The lengths of prefixes that are a product of {number} palindromes, some of them perhaps empty.",
            _palindromes(x, count),
        )
    yield Steps(
        "palindromic-length", section,
        "The least k, up to 6, such that each prefix is a product of k palindromes.",
        tuple(_palindromes(x, count) for count in range(1, 7)),
    )
    yield SetOfNumbers("palindrome-lengths", section, "The lengths of palindromes.", exists(i, x.palindrome(i, n)))
    yield SequenceOfNumbers(
        "palindromes", section, "The number of palindromes of length n.", x.palindrome(i, n) & x.first(i, n),
    )
    yield SetOfNumbers(
        "palindromic-prefixes", section, "The lengths of prefixes that are palindromes.", x.palindrome(0, n),
    )
    only_there = exists(m, (m + i).eq(n) & x.palindrome(i, m) & x.first(i, m))
    yield Claim(
        "rich", section, "X is rich: each nonempty prefix ends in a palindrome that occurs nowhere else in the prefix.",
        forall(n, (n > 0) >> exists(i, (i < n) & only_there)),
    )


def _repetitions(x: Vocabulary) -> Iterator[Question]:
    section = "repetitions"
    unbordered = forall(m, between(0, m, n) >> ~x.equal(i, i + n - m, m))
    yield SequenceOfNumbers(
        "unbordered-factors", section, "The number of factors of length n > 0 without a border.",
        (n > 0) & x.first(i, n) & unbordered,
    )

    def again(length: Operand) -> Formula:
        return x.equal(i, i + n, length)

    yield Claim("squares", section, "X has a square.", exists(i, n, (n > 0) & again(n)))
    yield SetOfNumbers(
        "square-orders", section, "The lengths n of the roots of squares xx.", (n > 0) & exists(i, again(n)),
    )
    yield Claim("overlaps", section, "X has an overlap axaxa, with a letter a.", exists(i, n, (n > 0) & again(n + 1)))
    yield Claim("cubes", section, "X has a cube.", exists(i, n, (n > 0) & again(2 * n)))
    yield SetOfNumbers(
        "cube-orders", section, "The lengths n of the roots of cubes xxx.", (n > 0) & exists(i, again(2 * n)),
    )
    yield Claim("fourth-powers", section, "X has a fourth power.", exists(i, n, (n > 0) & again(3 * n)))
    power = (p > 0) & exists(i, x.call("per", i, n, p))
    prefix_power = (p > 0) & x.call("per", 0, n, p)
    yield Supremum(
        "critical-exponent", section,
        "The critical exponent, the supremum of n/p over factors of length n and period p.", power,
    )
    yield Limit(
        "asymptotic-critical-exponent", section,
        "The asymptotic critical exponent, the limit superior of n/p over factors of length n and large period p.",
        power,
    )
    yield Supremum(
        "prefix-exponent", section, "The supremum of n/p over prefixes of length n and period p.", prefix_power,
    )
    yield Limit(
        "initial-critical-exponent", section,
        "The initial critical exponent, the limit superior of n/p over prefixes of length n and large period p.",
        prefix_power,
    )
    yield SetOfNumbers(
        "unbordered", section, "The lengths of factors without a border.",
        (n > 0) & exists(i, forall(m, between(0, m, n) >> ~x.call("border", i, m, n))),
    )


def _order(x: Vocabulary, greatest_letter: int) -> Iterator[Question]:
    section = "order"
    less = exists(m, (i + m < n) & x.equal(0, i, m) & (x.at(m) < x.at(i + m)))
    yield SetOfNumbers(
        "lyndon-prefixes", section,
        "The lengths of prefixes that are Lyndon words: less than all their proper suffixes.",
        (n > 0) & forall(i, between(0, i, n) >> less),
    )
    less = exists(m, x.equal(j, n, m) & (x.at(n + m) < x.at(j + m)))
    yield SetOfNumbers(
        "lyndon-factorization", section, "The positions where the words of the Lyndon factorization begin.",
        forall(j, (j < n) >> (forall(m, x.equal(j, n, m)) | less)),
    )
    for name, said, best in (
        ("least-word", "The least infinite word all of whose prefixes are factors of X.", x.at(i + m) < x.at(j + m)),
        (
            "greatest-word", "The greatest infinite word all of whose prefixes are factors of X.",
            x.at(i + m) > x.at(j + m),
        ),
    ):
        better = exists(m, (m <= n) & x.equal(i, j, m) & best)
        where = forall(j, x.equal(i, j, n + 1) | better)
        yield WordQuestion(name, section, said, i, x.at(i + n), where, greatest_letter)


def _letters(x: Vocabulary, letters: Sequence[int]) -> Iterator[Question]:
    section = "letters"
    for letter in letters:
        yield Claim(
            f"letter-{letter}", section, f"The letter {letter} occurs infinitely often.",
            forall(m, exists(i, (i > m) & x.has(letter, i))),
        )
        yield Frequency(
            f"letter-{letter}-frequency", section, f"The frequency of the letter {letter}.", x.has(letter, n), letter,
        )
        none_between = forall(j, between(i, j, i + n) >> x.at(j).ne(Letter(letter)))
        yield SetOfNumbers(
            f"letter-{letter}-gaps", section, f"The distances between consecutive letters {letter}.",
            (n > 0) & exists(i, x.has(letter, i) & x.has(letter, i + n) & none_between),
        )


def questions(word: str, letters: Sequence[int], prefix: Sequence[int] = ()) -> Iterator[Question]:
    """Yield the questions about the word with a name and these letters, in the order of the sections.

    prefix: the first letters of the word; without them none is about derived words.
    """
    x = Vocabulary(word)
    yield from _letters(x, letters)
    yield from _recurrence(x)
    if prefix:
        yield from derived(x, prefix)
    yield from _factors(x)
    yield from _symmetry(x, letters)
    yield from _of_palindromes(x)
    yield from _repetitions(x)
    yield from branching(x, letters)
    yield from _order(x, max(letters))
    yield from abelian(x, letters)
