"""Derived words: the return words of a prefix, numbered 0, 1, ... in the order in which they first occur.

The word of these numbers is the derived word of the prefix.  Where the n-th place of the prefix has an automaton, a
formula says that the n-th letter of the derived word is that of another word at n.  If X is the fixed point of a
morphism, that takes a return word to a product of return words, so that the derived word is one, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fibprover.base.errors import LimitError
from fibprover.sheets import sheet_text
from fibprover.sheets.answer import Answer, formula_about
from fibprover.sheets.question import Question, about_word
from fibprover.sheets.recognition import Recognized, recognize
from fibprover.sheets.return_words import Letters, Returns, derived_morphism, in_order, morphism_of, return_words
from fibprover.sheets.subject import Subject
from fibprover.words.automatic import AutomaticWord

#: The lengths of the prefixes.
LENGTHS = (1, 2)

#: The number of letters of X in which return words are searched, and the number by which another word is recognized.
SEEN, COMPARED = 20_000, 600

#: The number of letters shown.
SHOWN = 30


def occurrences(length: int) -> str:
    """Return the name, up to that of the word, of the predicate that s of the first n places begin with the prefix."""
    return f"occ{length}"


def occurrences_recursion(length: int) -> str:
    """Return the recursion of that predicate."""
    name, here = f"${occurrences(length)}_X", f"$feq_X(0,m,{length})"
    return f"(n=0 & s=0) | (Em n=m+1 & (({here} & (Et s=t+1 & {name}(m,t))) | (~{here} & {name}(m,s))))"


def derived(prefix: Sequence[int], count: str) -> Iterator[Question]:
    """Yield the questions; prefix: the prefix of X of the greatest length; count: a predicate for the first letter,
    instead of occ1.
    """
    for length in LENGTHS:
        shown = " ".join(map(str, prefix[:length]))
        name = count if length == 1 else occurrences(length)
        yield Question(
            f"derived-{length}", "recurrence", "derived",
            f"The derived word of the prefix {shown}: its return words, numbered as they first occur.",
            f"An Ep ${name}_X(p,n) & $feq_X(0,p,{length})", ((length, f"${name}_X(p,n) & $feq_X(0,p,{length})"),),
        )


def derived_answer(about: Subject, question: Question) -> Answer:
    """Return the first letters of a derived word, its return words, and which word it is, as far as that is proved."""
    ((length, place),) = question.cases
    returns = return_words(about.word.prefix(SEEN), length)
    infinite = f"Am Ei i>m & $feq_X(0,i,{length})"
    recurs = formula_about(about, infinite)
    if not about.session.prove(recurs):
        return Answer("refuted", "the prefix does not occur again and again", None, formula=recurs)
    if returns is None:
        raise LimitError(f"the prefix does not occur again among {SEEN} letters")
    # A return word, followed by the prefix, is at i.
    parts = [
        f"$feq_X(i,{at},{len(word) + length})" for at, word in zip(returns.places, returns.words, strict=True)
    ]
    formula = f"({infinite}) & (Ai $feq_X(0,i,{length}) => ({' | '.join(parts)}))"
    verdict = about.session.prove(formula_about(about, formula))
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
        same = _by_formula(about, place, parts, found) if _is_numbered(about, place) else ""
        proof = about.session.prove(formula_about(about, same)) if same else None
        if proof or (rules and rules == _morphism(about, found)):
            if proof:
                formula, verdict = same, proof
            comma = "," if found.shift else ""
            said += f"; which is {sheet_text.from_letter(found.name, found.shift)}{comma} with {found.recoding}"
            break
    return Answer("proved", f"{said}.", verdict.trace.largest, formula=formula_about(about, formula))


def _rules(about: Subject, returns: Returns, length: int) -> list[Letters]:
    """Return the morphism of the derived word; none if the word is no fixed point of a morphism of its letters."""
    images = morphism_of(about.word.machine, about.session.namespace.system(about.system))
    if images is None:
        return []
    return derived_morphism(images, tuple(about.word.prefix(length)), returns.words[0])


def _candidates(about: Subject, letters: Letters) -> Iterator[Recognized]:
    """Yield the words that may be the derived word: X itself, and one of the library."""
    own = dict(zip(about.word.prefix(len(letters)), letters, strict=True))
    if all(own[a] == b for a, b in zip(about.word.prefix(len(letters)), letters, strict=True)):
        yield Recognized(about.word.name, 0, own)
    found = recognize(about.session, letters)
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


def _is_numbered(about: Subject, place: str) -> bool:
    """Return whether the predicate of the n-th place of the prefix was learned."""
    name = about_word(place, about.word.name).removeprefix("$").partition("(")[0]
    return name in about.session.namespace.definitions


def _by_formula(about: Subject, place: str, parts: Sequence[str], found: Recognized) -> str:
    """Return a formula that says that the derived word is a word of the same system; "" for another system."""
    word = _word(about, found)
    if about.session.namespace.index_system(word.name, word.machine).name != about.system:
        return ""
    at = f"n+{found.shift}" if found.shift else "n"
    same = " | ".join(
        f"({parts[number].replace('(i,', '(p,')} & {found.name}[{at}]=@{letter})"
        for letter, number in sorted(found.coding.items())
    )
    return f"(An Ep {place}) & (An,p ({place}) => ({same}))"
