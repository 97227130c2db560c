"""Derived words: the return words of a prefix, numbered 0, 1, ... in the order in which they first occur.

The word of these numbers is the derived word of the prefix.  Where the n-th place of the prefix has an automaton, a
formula says that the n-th letter of the derived word is that of another word at n.  If X is the fixed point of a
morphism, that takes a return word to a product of return words, so that the derived word is one, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fibprover.base.errors import LimitError
from fibprover.factors.return_words import Letters, Returns, derived_morphism, in_order, morphism_of, return_words
from fibprover.language.builder import exists, forall
from fibprover.language.tree import Call, Formula, Operand, disjunction
from fibprover.sheets import sheet_text
from fibprover.sheets.line import Answer
from fibprover.sheets.question import Question
from fibprover.sheets.recognition import Recognized, recognize
from fibprover.sheets.subject import Subject
from fibprover.sheets.vocabulary import LENGTHS, Vocabulary, i, letters, m, n, occurrences, p
from fibprover.words.automatic import AutomaticWord

#: The number of letters of X in which return words are searched, and the number by which another word is recognized.
SEEN, COMPARED = 20_000, 600

#: The number of letters shown.
SHOWN = 30


@dataclass(frozen=True, slots=True)
class Derived(Question, kind="derived"):
    """The derived word of the prefix of a length; number: the formula that n places before p begin with the prefix."""

    x: Vocabulary
    length: int
    number: Call

    @property
    def place(self) -> Formula:
        """The formula that p is the n-th place of the prefix."""
        return self.number & self.x.equal(0, p, self.length)

    @property
    def shown(self) -> Formula:
        """The formula that each n has a place."""
        return forall(n, exists(p, self.place))

    def answer(self, about: Subject) -> Answer:
        x, length = self.x, self.length
        returns = return_words(about.word.prefix(SEEN), length)
        infinite = forall(m, exists(i, (i > m) & x.equal(0, i, length)))
        if not about.prove(infinite):
            said = "the prefix does not occur again and again"
            return Answer("refuted", said, None, formula=about.stated(infinite))
        if returns is None:
            raise LimitError(f"the prefix does not occur again among {SEEN} letters")
        ends = [(at, len(word) + length) for at, word in zip(returns.places, returns.words, strict=True)]

        def returned(number: int, place: Operand) -> Formula:
            """Return the formula that a return word, followed by the prefix, is at a place."""
            at, size = ends[number]
            return x.equal(place, at, size)

        some = disjunction(returned(number, i) for number in range(len(ends)))
        formula: Formula = infinite & forall(i, x.equal(0, i, length) >> some)
        verdict = about.prove(formula)
        # With infinitely many return words the morphism would be infinite.
        if not verdict:
            raise LimitError(f"there are more return words than those among {SEEN} letters")
        words = ", ".join(map(sheet_text.letters_text, returns.words))
        said = f"{sheet_text.letters_text(returns.letters[:SHOWN])}..., of the return words {words}"
        rules = _rules(about, returns, length)
        if rules:
            images = ", ".join(f"{number} -> {sheet_text.letters_text(image)}" for number, image in enumerate(rules))
            said += f"; the fixed point of {images}"
        for found in _candidates(about, returns.letters[:COMPARED]):
            same = _by_formula(about, self, returned, found)
            proof = None if same is None else about.prove(same)
            if proof or (rules and rules == _morphism(about, found)):
                if proof and same is not None:
                    formula, verdict = same, proof
                comma = "," if found.shift else ""
                said += f"; which is {sheet_text.from_letter(found.name, found.shift)}"
                said += "" if found.is_identity else f"{comma} with {found.recoding}"
                break
        return Answer("proved", f"{said}.", verdict.trace.largest, formula=about.stated(formula))


def derived(x: Vocabulary, prefix: Sequence[int]) -> Iterator[Question]:
    """Yield the questions; prefix: of X, as long as the longest one."""
    for length in LENGTHS:
        shown = sheet_text.letters_text(prefix[:length])
        kind = letters(prefix[0]) if length == 1 else occurrences(length)
        yield Derived(
            f"derived-{length}", "recurrence",
            f"The derived word of the prefix {shown}: its return words, numbered as they first occur.",
            x, length, x.count(kind, p, n),
        )


def _rules(about: Subject, returns: Returns, length: int) -> list[Letters]:
    """Return the morphism of the derived word; none if the word is no fixed point of a morphism of its letters."""
    images = morphism_of(about.word.machine, about.session.namespace.system(about.system))
    if images is None:
        return []
    return derived_morphism(images, tuple(about.word.prefix(length)), returns.words[0])[0]


def _candidates(about: Subject, first: Letters) -> Iterator[Recognized]:
    """Yield the words that may be the derived word: X itself, and one of the library."""
    own = dict(zip(about.word.prefix(len(first)), first, strict=True))
    if all(own[a] == b for a, b in zip(about.word.prefix(len(first)), first, strict=True)):
        yield Recognized(about.word.name, 0, own)
    found = recognize(about.session, first)
    if found is not None and found.shift >= 0 and found.name not in about.session.namespace.words:
        yield found


def _word(about: Subject, found: Recognized) -> AutomaticWord:
    return about.word if found.name == about.word.name else about.session.namespace.library_words[found.name]


def _morphism(about: Subject, found: Recognized) -> list[Letters]:
    """Return the morphism of a word with its letters in order, or none; the derived word has it if it is that word."""
    word = _word(about, found)
    if found.shift:
        return []
    names = about.session.namespace
    images = morphism_of(word.machine, names.index_system(word.name, word.machine))
    return in_order(images, word[0]) if images else []


def _by_formula(
    about: Subject, question: Derived, returned: Callable[[int, Operand], Formula], found: Recognized
) -> Formula | None:
    """Return a formula that says that the derived word is a word of the same system.

    None for another system, and if the predicate of the n-th place of the prefix was not learned.
    """
    word = _word(about, found)
    names = about.session.namespace
    if question.number.name not in names.definitions:
        return None
    if names.index_system(word.name, word.machine).name != about.system:
        return None
    other, place = Vocabulary(found.name), question.place
    same = disjunction(
        returned(number, p) & other.has(letter, found.place) for letter, number in sorted(found.coding.items())
    )
    return forall(n, exists(p, place)) & forall(n, p, place >> same)
