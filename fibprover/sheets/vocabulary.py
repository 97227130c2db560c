"""What formulas about a word are made of: its letters, its predicates, and the recursions of those that are learned.

Variables are here, too: `n` is the length of a factor or the number of a place, the others are bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fibprover.base.values import value
from fibprover.language.builder import call, exists, letter, variables
from fibprover.language.tree import Call, Compare, Formula, Letter, Operand, Term, Variable, WordValue, conjunction

d, i, j, k, ell, m, n, p, q, r, s, t, u, v = variables("d i j k l m n p q r s t u v")

#: The kind of the predicate that compares the sum of the letters of a factor with that of a prefix.
EXCESS = "excess"

#: The lengths of the prefixes whose places are counted.
LENGTHS = (1, 2)


@value
class Vocabulary:
    """The terms and formulas about the word with a name."""

    word: str

    def at(self, *indices: Operand) -> WordValue:
        """Return the letter at an index, or at two."""
        return letter(self.word, *indices)

    def has(self, each: int, *indices: Operand) -> Compare:
        """Return the formula that the letter at an index is this one."""
        return self.at(*indices).eq(Letter(each))

    def predicate(self, kind: str) -> str:
        """Return the name of a predicate of the word."""
        return f"{kind}_{self.word}"

    def call(self, kind: str, *arguments: Operand) -> Call:
        """Return the call of a predicate of the word."""
        return call(self.predicate(kind), *arguments)

    def equal(self, one: Operand, other: Operand, length: Operand) -> Call:
        """Return the formula that the factors at two places are equal."""
        return self.call("feq", one, other, length)

    def first(self, place: Operand, length: Operand) -> Call:
        """Return the formula that the factor at a place does not occur before."""
        return self.call("first", place, length)

    def palindrome(self, place: Operand, length: Operand) -> Call:
        """Return the formula that the factor at a place is a palindrome."""
        return self.call("pal", place, length)

    def count(self, kind: str, below: Operand, number: Operand) -> Call:
        """Return the formula that so many places below a number are of a kind: `letters` or `occurrences`."""
        return self.call(kind, below, number)

    def recursions(self, alphabet: Iterable[int]) -> dict[str, Formula]:
        """Return the recursions of the predicates that count, by their names, for a word with these letters."""
        here = {letters(each): self.has(each, m) for each in sorted(set(alphabet))}
        found = {kind: self._counting(kind, one, self.at(m).ne(one.right)) for kind, one in here.items()}
        for length in LENGTHS:
            start = self.equal(0, m, length)
            found[occurrences(length)] = self._counting(occurrences(length), start, ~start)
        return {self.predicate(kind): recursion for kind, recursion in found.items()}

    def definition(self, name: str, alphabet: Iterable[int]) -> Formula | None:
        """Return the formula of a predicate that compares factors with prefixes, None for any other name.

        That of a letter says that the factor of length n at j has v - u letters more of this kind than the prefix of
        length n, where u or v is 0; that of all letters compares the sums of letters. The numbers u and v are small
        where the word is balanced, or nearly so, and then these have smaller automata than numbers of letters.
        """
        if not name.startswith(EXCESS):
            return None
        kinds = sorted(set(alphabet))
        if name == self.predicate(EXCESS) and len(kinds) > 1:
            return self._excess_of_sums(kinds)
        return next((self._excess_of(each) for each in kinds if name == self.predicate(excess(each))), None)

    def _excess_of_sums(self, kinds: Sequence[int]) -> Formula:
        # The least letter counts 0: a constant that is added to all letters changes no comparison of factors.
        parts: list[Formula] = []
        bound: list[Variable] = []
        left: Term = u
        right: Term = v
        for place, each in enumerate(kinds[1:]):
            fewer, more = variables(f"u{place} v{place}")
            parts.append(self.call(excess(each), j, n, fewer, more))
            weight = each - kinds[0]
            if weight > 1:
                left, right = left + weight * more, right + weight * fewer
            else:
                left, right = left + more, right + fewer
            bound += [fewer, more]
        return exists(*bound, conjunction([*parts, left.eq(right), u.eq(0) | v.eq(0)]))

    def _excess_of(self, each: int) -> Formula:
        before, prefix, after = variables("b p e")
        counts = [self.count(letters(each), *pair) for pair in ((j, before), (n, prefix), (j + n, after))]
        equal = (after + u).eq(before + prefix + v)
        return exists(before, prefix, after, conjunction([*counts, equal, u.eq(0) | v.eq(0)]))

    def _counting(self, kind: str, here: Formula, not_here: Formula) -> Formula:
        one_more = exists(t, s.eq(t + 1) & self.call(kind, m, t))
        step = exists(m, n.eq(m + 1) & ((here & one_more) | (not_here & self.call(kind, m, s))))
        return (n.eq(0) & s.eq(0)) | step


def letters(each: int) -> str:
    """Return the kind of the predicate that s of the first n letters are this one."""
    return f"sum{each}" if each >= 0 else f"sumneg{-each}"


def excess(each: int) -> str:
    """Return the kind of the predicate that compares how many letters of a kind factors and prefixes have."""
    return f"{EXCESS}{each}" if each >= 0 else f"{EXCESS}neg{-each}"


def occurrences(length: int) -> str:
    """Return the kind of the predicate that s of the first n places begin with the prefix of this length."""
    return f"occ{length}"


def between(low: Operand, variable: Variable, high: Operand) -> Formula:
    """Return the formula that a variable is greater than a term and less than another one."""
    return (variable > low) & (variable < high)
