"""Words of the library that begin like a sequence, up to a shift and a coding of letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise
from types import MappingProxyType

from fibprover.automata.outputs import combined
from fibprover.base.limits import polled
from fibprover.base.values import value
from fibprover.language.builder import exists
from fibprover.language.tree import Arithmetic, Formula, Variable, disjunction
from fibprover.sheets.vocabulary import Vocabulary, m, n
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import ENTRIES
from fibprover.workspace.session import Session

#: The most letters of a word that are left out at its beginning, and the most that precede it.
MOST_SHIFT, MOST_BEFORE = 64, 8

#: How many terms, and how many changes from a term to the next one, there are at least: fewer fit too many words.
LEAST_TERMS, LEAST_CHANGES = 32, 8

#: Terms by which words are told from each other before all terms are compared.
_SCREENED = 256


@value
class Recognized:
    """A word of the library that agrees with terms w[0], w[1], ...: w[n] = coding(X[n+shift]) for n + shift >= 0.

    name: X; shift: negative if terms precede the word; coding: the term for each letter of X.
    """

    name: str
    shift: int
    coding: Mapping[int, int]

    @property
    def is_identity(self) -> bool:
        """Whether the letters are the terms."""
        return all(letter == term for letter, term in self.coding.items())

    @property
    def place(self) -> Variable | Arithmetic:
        """The index of the letter of X that is coded at n."""
        return _later(self.shift)

    @property
    def recoding(self) -> str:
        """The coding as text, such as 0 -> 1, 1 -> 0."""
        return ", ".join(f"{letter} -> {term}" for letter, term in sorted(self.coding.items()))

    @property
    def is_permutation(self) -> bool:
        """Whether different letters are different terms."""
        return len(set(self.coding.values())) == len(self.coding)


def recognize(session: Session, terms: Sequence[int]) -> Recognized | None:
    """Return the word of the library that agrees with terms, the one whose shift and coding are the simplest.

    None if there is no such word, or if the terms are too few or too monotonous to tell.
    """
    if len(terms) < LEAST_TERMS or sum(a != b for a, b in pairwise(terms)) < LEAST_CHANGES:
        return None
    found = []
    words = session.namespace.library_words
    for name in polled(tuple(ENTRIES), "the words of the library"):
        if len(ENTRIES[name].indices) != 1:
            continue
        found += _fits(name, words[name], terms)
    return min(found, key=_complexity, default=None)


def _later(shift: int) -> Variable | Arithmetic:
    return n + shift if shift else n


def _complexity(found: Recognized) -> tuple[int, int, int]:
    """Return what makes a guess less simple: a coding that loses letters, then any shift or exchange of letters."""
    change = 0 if found.is_identity else 1
    return 0 if found.is_permutation else 1, abs(found.shift) + change, change


def _fits(name: str, word: AutomaticWord, terms: Sequence[int]) -> list[Recognized]:
    """Return the shifts and codings of one word that give the terms."""
    if len(set(terms)) < 2:
        return []
    letters = word.prefix(MOST_SHIFT + _SCREENED)
    found = []
    for shift in sorted(range(-MOST_BEFORE, MOST_SHIFT + 1), key=abs):
        start, first = max(0, -shift), max(0, shift)
        if _coding(islice(letters, first, None), islice(terms, start, None)) is None:
            continue
        whole = word.prefix(len(terms) + shift)
        coding = _coding(islice(whole, first, None), islice(terms, start, None))
        # Without a letter no term says what becomes of it.
        if coding is not None and len(coding) == len(set(word.outputs)) and len(set(coding.values())) > 1:
            found.append(Recognized(name, shift, MappingProxyType(coding)))
    return found


def _coding(letters: Iterable[int], terms: Iterable[int]) -> dict[int, int] | None:
    """Return the term for each letter, None where a letter has different ones."""
    coding: dict[int, int] = {}
    for letter, term in zip(letters, terms, strict=False):
        if coding.setdefault(letter, term) != term:
            return None
    return coding


def coded(session: Session, name: str, recognized: Recognized, terms: Sequence[int]) -> AutomaticWord:
    """Define the word of the terms in a session; the library's own word if it is that."""
    word = session.namespace.library_words[recognized.name]
    if recognized.is_identity and not recognized.shift:
        return word
    return shifted(session, name, word, recognized.shift, recognized.coding, terms)


def shifted(
    session: Session, name: str, word: AutomaticWord, shift: int, coding: Mapping[int, int], before: Sequence[int] = ()
) -> AutomaticWord:
    """Define the word w[n] = coding(X[n+shift]), with letters before X where n + shift is negative."""
    system = session.namespace.index_system(word.name, word.machine).name
    x = Vocabulary(word.name)

    def at(letter: int) -> Formula:
        return x.has(letter, _later(shift)) if shift >= 0 else exists(m, n.eq(m + -shift) & x.has(letter, m))

    parts = []
    for term in sorted({*coding.values(), *before[: max(0, -shift)]}):
        places = [at(letter) for letter, each in sorted(coding.items()) if each == term]
        places += [n.eq(place) for place in range(-shift) if before[place] == term]
        relation = session.relation(disjunction(places).in_system(system))
        parts.append((relation.automaton, term))
    machine = combined(parts, session.namespace.budget(), otherwise=parts[0][1])
    return session.namespace.add_word(name, machine)
