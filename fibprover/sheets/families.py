"""The questions about a word over a family, which has letters for each slope: each is a closed formula.

Its answer says for which slopes it is true.  The lengths of palindromic prefixes of a characteristic word, plus 2, and
1, are the denominators of semiconvergents of its slope (A. de Luca, F. Mignosi, Theoretical Computer Science 136,
1994), which bound what the questions about Sturmian words name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fibprover.base.names import STURMIAN
from fibprover.base.wording import plural
from fibprover.language.builder import exactly, exists, forall
from fibprover.language.tree import Formula, Variable, conjunction
from fibprover.sheets.branching import right_special
from fibprover.sheets.kinds import Claim
from fibprover.sheets.question import Question
from fibprover.sheets.questions import closed_factor, privileged, questions, return_word
from fibprover.sheets.vocabulary import Vocabulary, between, d, i, j, k, m, n, p, q

#: The exponents of powers that are asked about, as fractions; those of prefixes are among them.
EXPONENTS = ((2, 1), (5, 2), (3, 1), (7, 2), (4, 1), (9, 2), (5, 1), (6, 1), (7, 1))

#: Each factor of length n occurs again within so many times n places, and begins within so many times n places.
PLACES = (2, 3, 4, 5, 6)

#: So many right special factors of each length are asked about.
MOST_SPECIAL = 4


def family_questions(word: str, letters: Sequence[int], system: str) -> Iterator[Question]:
    """Yield the questions about a word over a family, in the order of the sections."""
    x = Vocabulary(word)
    asked = [
        *(each for each in questions(word, letters) if isinstance(each, Claim)), *_recurrence(x), *_factors(x, letters),
        *_palindromes(x), *_repetitions(x, letters), *_order(x), *(_of_sturmian_words(x) if system == STURMIAN else ()),
    ]
    sections = list(dict.fromkeys(each.section for each in questions(word, letters)))
    yield from sorted(asked, key=lambda each: sections.index(each.section))


def _recurrence(x: Vocabulary) -> Iterator[Question]:
    section = "recurrence"
    yield Claim(
        "return-words-2", section, "Each nonempty factor of X has two return words.",
        forall(i, n, (n > 0) >> exactly(2, j, exists(d, return_word(x, i)))),
    )
    for times in PLACES:
        yield Claim(
            f"again-{times}", section, f"Each factor of X of length n > 0 occurs again within {times}n places.",
            forall(i, n, (n > 0) >> exists(j, (j > i) & (j <= i + times * n) & x.equal(i, j, n))),
        )
    for times in PLACES:
        yield Claim(
            f"early-{times}", section, f"Each factor of X of length n occurs at one of the places 0 to {times}n.",
            forall(i, n, x.first(i, n) >> (i <= times * n)),
        )


def _factors(x: Vocabulary, letters: Sequence[int]) -> Iterator[Question]:
    section = "factors"
    special = x.first(i, n) & right_special(x)
    if len(letters) == 2:
        yield Claim(
            "complexity-sturmian", section,
            "X has n+1 factors of each length n, since one of each length is right special.",
            forall(n, exactly(1, i, special)),
        )
        for count in range(1, MOST_SPECIAL + 1):
            yield Claim(
                f"special-{count}", section,
                f"From some length on, X has {plural(count, 'right special factor')} of each length.",
                exists(m, forall(n, (n >= m) >> exactly(count, i, special))),
            )
    prefix_closed = closed_factor(x, 0)
    longer = exists(n, (n > m) & prefix_closed)
    yield Claim("closed-prefixes", section, "Infinitely many prefixes of X are closed.", forall(m, longer))
    longer = exists(n, (n > m) & ~prefix_closed)
    yield Claim("open-prefixes", section, "Infinitely many prefixes of X are not closed.", forall(m, longer))
    yield Claim(
        "privileged-palindromes", section, "A factor of X is privileged if and only if it is a palindrome.",
        forall(i, n, privileged(x).iff(x.palindrome(i, n))),
    )


def _palindromes(x: Vocabulary) -> Iterator[Question]:
    section = "palindromes"
    yield Claim("palindromes-of-all-lengths", section, "X has palindromes of all lengths.",
                forall(n, exists(i, x.palindrome(i, n))))
    yield Claim("palindromes-unbounded", section, "X has arbitrarily long palindromes.",
                forall(m, exists(i, n, (n > m) & x.palindrome(i, n))))
    for name, length, said in (("even", 2 * n, "even"), ("odd", 2 * n + 1, "odd")):
        for count, number in ((1, "one palindrome"), (2, "two palindromes")):
            yield Claim(
                f"palindromes-{name}-{count}", section, f"X has {number} of each {said} length.",
                forall(n, exactly(count, i, x.palindrome(i, length) & x.first(i, length))),
            )
    yield Claim(
        "palindromic-prefixes-unbounded", section, "X begins with arbitrarily long palindromes.",
        forall(m, exists(n, (n > m) & x.palindrome(0, n))),
    )


def _repetitions(x: Vocabulary, letters: Sequence[int]) -> Iterator[Question]:
    section = "repetitions"
    for start, name, said in (
        (i, "power", "X has a factor of exponent {}, of length n and period p with n/p at least that."),
        (0, "prefix-power", "X has a prefix of exponent {}."),
    ):
        for above, below in EXPONENTS:
            exponent = str(above) if below == 1 else f"{above}/{below}"
            times = n if below == 1 else below * n
            power: Formula = x.call("per", start, n, p) & (times >= above * p)
            yield Claim(
                f"{name}-{exponent.replace('/', '-')}", section, said.format(exponent),
                exists(*([i] if start is i else []), n, p, power),
            )
    yield Claim(
        "squares-everywhere", section, "Arbitrarily long squares begin at each place of X.",
        forall(i, m, exists(n, (n > m) & x.equal(i, i + n, n))),
    )
    yield Claim(
        "quasiperiodic", section, "X is quasiperiodic: occurrences of a prefix cover it.", exists(n, _covers(x)),
    )
    yield Claim(
        "quasiperiods-unbounded", section, "X is covered by arbitrarily long prefixes.",
        forall(m, exists(n, (n > m) & _covers(x))),
    )
    yield from _unbordered(x)
    if len(letters) == 2:
        yield from _opposites(x)


def _covers(x: Vocabulary) -> Formula:
    """Return the formula that each place of X is in an occurrence of the prefix of length n > 0."""
    return (n > 0) & forall(i, exists(j, conjunction([j <= i, i < j + n, x.equal(0, j, n)])))


def _no_border(x: Vocabulary) -> Formula:
    """Return the formula that the factor of length n > 0 at i has no border."""
    return (n > 0) & forall(k, between(0, k, n) >> ~x.equal(i, (i + n) - k, k))


def _unbordered(x: Vocabulary) -> Iterator[Question]:
    section = "repetitions"
    yield Claim(
        "unbordered-unbounded", section, "X has arbitrarily long factors without a border.",
        forall(m, exists(i, n, (n > m) & _no_border(x))),
    )
    yield Claim(
        "unbordered-2", section, "Of each length, X has no factors without a border, or two.",
        forall(n, exists(i, _no_border(x)) >> exactly(2, i, _no_border(x) & x.first(i, n))),
    )


def _opposites(x: Vocabulary) -> Iterator[Question]:
    """Yield the questions about antisquares xy and antipalindromes, where y is x, or x reversed, with other letters."""
    section = "repetitions"
    alternates = forall(j, (j + 1 < m) >> x.at(i + j).ne(x.at(i + j + 1)))
    for name, many, other, length in (
        ("antisquare", "antisquares", i + n + k, 2 * n), ("antipalindrome", "antipalindromes", (i + n) - (k + 1), n),
    ):
        opposite = (n > 0) & forall(k, (k < n) >> x.at(i + k).ne(x.at(other)))
        yield Claim(f"{many}", section, f"X has an {name}.", exists(i, n, opposite))
        yield Claim(
            f"{many}-bounded", section, f"X has finitely many {many}.", exists(m, forall(i, n, opposite >> (n <= m))),
        )
        yield Claim(
            f"{many}-alternate", section, f"All {many} of X are of the form 0101... or 1010...",
            forall(i, n, m, (opposite & m.eq(length)) >> alternates),
        )


def _order(x: Vocabulary) -> Iterator[Question]:
    section = "order"
    less = exists(k, x.equal(0, i, k) & (x.at(k) < x.at(i + k)))
    yield Claim(
        "lyndon", section, "X is less than all its proper suffixes: an infinite Lyndon word.",
        forall(i, (i > 0) >> less),
    )
    lyndon = _lyndon(x)
    yield Claim(
        "lyndon-unbounded", section, "X has arbitrarily long Lyndon factors.",
        forall(m, exists(i, n, (n > m) & lyndon)),
    )
    yield Claim(
        "lyndon-1", section, "Of each length n > 1, X has no Lyndon factor, or one.",
        forall(n, ((n > 1) & exists(i, lyndon)) >> exactly(1, i, lyndon & x.first(i, n))),
    )


def _lyndon(x: Vocabulary) -> Formula:
    """Return the formula that the factor of length n at i is less than all its proper suffixes."""
    less = exists(k, conjunction([j + k < n, x.equal(i, i + j, k), x.at(i + k) < x.at(i + j + k)]))
    return (n > 0) & forall(j, between(0, j, n) >> less)


def _of_sturmian_words(x: Vocabulary) -> Iterator[Question]:
    """Yield the questions that name the denominators of semiconvergents."""

    def semi(length: Variable) -> Formula:
        return length.eq(1) | ((length >= 2) & x.palindrome(0, length - 2))

    yield Claim(
        "unbordered-lengths", "repetitions",
        "X has a factor of length n without a border if and only if n is the denominator of a semiconvergent.",
        forall(n, exists(i, _no_border(x)).iff(semi(n))),
    )
    yield Claim(
        "lyndon-lengths", "order",
        "X has a Lyndon factor of length n if and only if n is the denominator of a semiconvergent.",
        forall(n, exists(i, _lyndon(x)).iff(semi(n))),
    )
    least = x.call("per", i, n, p) & forall(q, x.call("per", i, n, q) >> (q >= p))
    yield Claim(
        "least-periods", "repetitions", "The least period of each factor of X is the denominator of a semiconvergent.",
        forall(i, n, p, least >> semi(p)),
    )
    yield Claim(
        "square-orders", "repetitions",
        "The order of each square is the denominator of a semiconvergent, unless the square has a smaller period.",
        forall(i, n, conjunction([n > 0, x.equal(i, i + n, n), ~exists(q, (q < n) & x.call("per", i, 2 * n, q))])
               >> semi(n)),
    )
    yield Claim(
        "prefix-squares", "repetitions",
        "The order of each square that begins X is the denominator of a semiconvergent.",
        forall(n, ((n > 0) & x.equal(0, n, n)) >> semi(n)),
    )
