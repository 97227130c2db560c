"""What a line about the letters of a word says as a closed formula: which word another one is, and frequencies.

A word that is given by formulas of its letters is the word of the sheet from a letter on, or one that is defined here:
the statement is that it has each letter exactly where the formula of the letter is true.

A letter has the frequency x = (u + w alpha) / v if p(n), the number of the i < n that have it, is never far from x n:
v p(n) = u n + floor(w alpha n) + D[n], where a word D has few letters (for alpha, see `certified_suprema.py`).
"""

from __future__ import annotations

from fractions import Fraction

from fibprover.base.errors import LimitError
from fibprover.base.limits import Budget
from fibprover.language.builder import call, exists, forall
from fibprover.language.tree import Formula, Variable, conjunction
from fibprover.prover.certificate.tables import new_name
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.certified_counts import CountEquation, TermAt, TermsByWord, certificate_by_word, small_word
from fibprover.sequences.series import Series
from fibprover.sheets.certified_suprema import quotient_of
from fibprover.sheets.frequencies import letter_frequencies
from fibprover.sheets.kinds import SHIFTS, Frequency, WordQuestion, occurs_at
from fibprover.sheets.subject import Subject
from fibprover.sheets.vocabulary import Vocabulary, i, n, t


def word_statement(about: Subject, question: WordQuestion) -> Formula:
    """Return the closed formula that a word, given by formulas of its letters, is the word that a sheet says it is.

    If it is not that of the sheet from a letter on, or with a letter before it, the word is defined.
    """
    letters = sorted(set(about.word.outputs))
    parts = {letter: about.relation(question.about_letter(letter)) for letter in letters}
    x = Vocabulary(about.word.name)
    shift = next((each for each in range(-1, SHIFTS) if occurs_at(about, each, parts)), None)
    if shift is None:
        x, shift = Vocabulary(_defined(about, question, parts)), 0
    there = {letter: question.about_letter(letter) for letter in letters}
    if shift >= 0:
        same = [forall(n, x.has(letter, n + shift if shift else n).iff(there[letter])) for letter in letters]
        return about.stated(conjunction(same))
    same = [forall(n, (n > 0) >> x.has(letter, n - 1).iff(there[letter])) for letter in letters]
    first = next(letter for letter, part in parts.items() if 0 in part)
    return about.stated(conjunction([*same, exists(n, n.eq(0) & there[first])]))


def _defined(about: Subject, question: WordQuestion, parts: dict[int, Relation]) -> str:
    """Define the word with these relations of its letters, and return its name."""
    name = Vocabulary(about.word.name).predicate(question.id.replace("-", "_"))
    sources = []
    for number, (letter, part) in enumerate(parts.items()):
        about.session.define(f"{name}_{number}", part)
        sources.append((f"{name}_{number}", letter))
    about.session.combine(name, *sources)
    return name


def frequency_certificate(about: Subject, question: Frequency, budget: Budget) -> Certificate:
    """Return the certificate that a letter has the frequency that a sheet says.

    Raises LimitError if it has none, if its floors are not in certificates, or if the number of letters among the
    first n is not known to be near n times the frequency.
    """
    session, system = about.session, about.session.namespace.system(about.system)
    value = letter_frequencies(about.word.machine, system)[question.letter]
    if value is None:
        raise LimitError("there is no frequency")
    quotient = quotient_of(about, value)
    u, w, v = quotient.u, quotient.w, quotient.v

    def number(*parts: Formula) -> Series:
        return session.counts(n.name, about.stated(conjunction(parts)))

    counted = about.stated((i < n) & Vocabulary(about.word.name).has(question.letter, i))
    rest = v * session.counts(n.name, counted) - u * number(i < n)
    terms: list[tuple[Fraction, Variable | TermAt | None]] = [(Fraction(u, v), n)]
    where = None
    if w:
        where = call(quotient.floor, abs(w) * n, t)
        sign = 1 if w > 0 else -1
        rest -= sign * number(exists(t, where & (i < t)))
        terms.append((Fraction(sign, v), t))
    environment = session.namespace.environment()
    try:
        word, letters = small_word(rest, new_name("rest", environment.words))
    except LimitError:
        raise LimitError("the number of letters may be far from that multiple of n") from None
    equation = CountEquation(where, (*terms, (Fraction(1, v), TermAt(word, n))))
    return certificate_by_word(counted, TermsByWord(word, letters, (equation,)), environment, budget)
