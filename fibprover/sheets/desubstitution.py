"""Lines of a sheet that are proved by desubstitution: no formula is decided, and numbers are not added by automata.

The questions are those of formulas (`questions.py`); here the same questions are answered for a fixed point of a
morphism, or a coded one, by its bispecial factors, repetitions and return words (`fibprover.factors`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

from fibprover.base.errors import Undecided
from fibprover.base.limits import poll
from fibprover.base.wording import exactly, sentence
from fibprover.factors.bispecial import Graph, of_image
from fibprover.factors.counts import Steps, Weighted, steps
from fibprover.factors.desubstitution import synchronizing_length
from fibprover.factors.mirrors import keeps_factors
from fibprover.factors.repetitions import Repetitions
from fibprover.factors.returns import Prefix, Returns, ReturnsOfFactors, of_short_ones, quotients
from fibprover.factors.sequences import Orbit
from fibprover.factors.suprema import limit_superior, supremum
from fibprover.factors.word import Desubstituted, multiplicity
from fibprover.numeration.number_field import Algebraic
from fibprover.sheets.closed_form import sum_text
from fibprover.sheets.kinds import SHOWN, Frequency, Supremum
from fibprover.sheets.line import Answer
from fibprover.sheets.question import Question
from fibprover.sheets.suprema import PLOTTED
from fibprover.sheets.suprema import Supremum as Value
from fibprover.words.morphic import MorphicWord

T = TypeVar("T")

#: What lines that are proved like this say of it.
METHOD = "desubstitution"

#: Letters of the prefix that is looked at first, and the lengths up to which factors are compared with their images.
SEEN, COMPARED = 6000, 40

#: The longest periods of repetitions that are looked for in the prefix.
PERIODS = 80

#: Lengths up to which all factors are in the prefixes that return words are read off, one after another.
COMPLETE = (500, 2000, 8000)

#: Numbers of palindromes are computed up to this length.
MOST_LISTED = 100_000

#: Palindromes are listed up to this length where they are finitely many.
MOST_PALINDROME = 400


class ByDesubstitution:
    """The answers about a word; they are computed when they are asked for."""

    def __init__(self, word: MorphicWord) -> None:
        self._given = word
        self._periods: dict[tuple[int, int], tuple[list[int], list[Orbit]]] = {}

    @cached_property
    def word(self) -> Desubstituted:
        """The word.  Raises Undecided where the method does not apply."""
        return Desubstituted(*self._given.blocks)

    def answer(self, question: Question) -> Answer:
        """Answer a question.  Raises Undecided, with the reason, where the method does not suffice."""
        found = _ANSWERS[_named(question.id)](self, question)
        return found._replace(by=METHOD)

    @cached_property
    def first(self) -> str:
        """The first letters."""
        return self.word.language.prefix(SEEN)

    @cached_property
    def seen(self) -> float:
        """The greatest exponent of repetitions with short periods in the prefix."""
        import numpy as np

        letters = np.frombuffer(self.first.encode("utf-32-le"), dtype=np.uint32)
        best = 1.0
        for period in range(1, PERIODS + 1):
            differ = np.flatnonzero(letters[:-period] != letters[period:])
            ends = np.concatenate(([-1], differ, [len(letters) - period]))
            best = max(best, (int(np.diff(ends).max()) - 1 + period) / period)
        return best

    @cached_property
    def repetitions(self) -> Repetitions:
        """The repetitions of an exponent of at least 2, or of the greatest one that was seen."""
        if self.seen <= 1:
            raise Undecided(f"no letter comes back within {PERIODS} places of the prefix that is looked at first")
        return self.word.repetitions(min(1.0, self.seen - 1))

    def periods(self, times: int, beyond: int = 0) -> tuple[list[int], list[Orbit]]:
        """Return the periods p of the repetitions of length (1 + times) p + beyond or more: single ones, and orbits."""
        if (times, beyond) in self._periods:
            return self._periods[times, beyond]
        single = [each.period for each in self.repetitions.single if each.more >= times * each.period + beyond]
        orbits: list[Orbit] = []
        for family in self.repetitions.families:
            poll("repetitions")
            found = family.combination(1, times, beyond).sign_from()
            if found is None:
                raise Undecided("the lengths of a family of repetitions were not compared with their periods")
            sign, place = found
            single += [bottom for top, bottom in family.first(place) if top >= times * bottom + beyond]
            if sign >= 0:
                orbits.append(family.bottom.later(place))
        self._periods[times, beyond] = single, orbits
        return single, orbits

    @cached_property
    def returns(self) -> list[Returns]:
        """The return words of all bispecial factors, and of these with a letter on each side."""
        return _in_prefixes(self._returns)

    def _returns(self, complete: int) -> list[Returns]:
        word = self.word
        contexts, last = word.contexts
        all_words = Graph(contexts).words(synchronizing_length(word.inner, word.inner.morphism))
        of = ReturnsOfFactors(word.inner, word.outer, contexts, last, complete)
        found: list[Returns] = []
        if last is not None:
            prefix = Prefix(word.inner, word.outer, complete)
            found += of_short_ones(word.language, prefix, word.synchronizing)
        for words, end in of_image(all_words, word.inner.morphism, last, word.synchronizing):
            poll("return words")
            for letters in (None, *sorted({(left[-1], right[0]) for left, right in end[2]})):
                found += of.of(words, letters, None if last is None else end, word.synchronizing)
        return found

    @cached_property
    def mirrored(self) -> bool:
        """Whether the reversal of each factor is a factor."""
        return self._maps(lambda word: word[::-1], mirror=True, letters=None)

    def _maps(self, image: Callable[[str], str], mirror: bool, letters: Mapping[str, str] | None) -> bool:
        """Return whether factors are mapped to factors; image: of a word; letters: images of letters, if they change.
        """
        for length in range(1, COMPARED):
            factors = self.word.language.factors(length)
            if not all(image(each) in factors for each in factors):
                return False
        if keeps_factors(self.word.inner.morphism, self.word.outer, mirror, letters):
            return True
        raise Undecided("factors up to 39 letters are mapped to factors, but this was not proved for all")


def is_answered(question: Question) -> bool:
    """Return whether there is a method for a question."""
    return _named(question.id) in _ANSWERS


def _named(name: str) -> str:
    """Return the id of a question without a letter in it, or a permutation."""
    parts = name.split("-")
    if parts[0] in ("letter", "permutation"):
        return "-".join([parts[0], *(part for part in parts[1:] if part in ("frequency", "gaps"))])
    return name


def _proved(value: str = "", terms: Iterable[int | None] = (), sentence: str = "") -> Answer:
    return Answer("proved", value, None, None, tuple(terms), sentence=sentence)


def _refuted(value: str = "") -> Answer:
    return Answer("refuted", value, None)


def _letter_occurs(about: ByDesubstitution, question: Question) -> Answer:
    assert about.word.numbers
    return _proved()


def _frequency(about: ByDesubstitution, question: Question) -> Answer:
    assert isinstance(question, Frequency)
    letter = question.letter
    found = about.word.frequencies()[letter]
    return _proved(str(found), sentence=f"The letter {letter} has frequency {str(found).removesuffix('.')}.")


def _letter_gaps(about: ByDesubstitution, question: Question) -> Answer:
    letter = chr(about.word.numbers.index(int(question.id.removeprefix("letter-").removesuffix("-gaps"))))
    return _set_of(map(len, _returns_of_letter(about, letter)))


def _returns_of_letter(about: ByDesubstitution, letter: str) -> set[str]:
    return _in_prefixes(
        lambda complete: Prefix(about.word.inner, about.word.outer, complete).returns(frozenset([("", "")]), letter)
    )


def _in_prefixes(read: Callable[[int], T]) -> T:
    """Return what is read off prefixes that have all factors of some length; longer ones are tried until one suffices.
    """
    for complete in COMPLETE[:-1]:
        try:
            return read(complete)
        except Undecided:
            continue
    return read(COMPLETE[-1])


def _set_of(single: Iterable[int], orbits: Sequence[Orbit] = ()) -> Answer:
    """Return the answer that describes a set of numbers: single ones, and the lengths of orbits."""
    found = set(single)
    bound = max([PLOTTED, *(each + 1 for each in found)])
    while orbits:
        now = found.union(*(each.below(bound) for each in orbits))
        if len([each for each in now if each < bound]) > SHOWN:
            break
        bound *= 2
    members = sorted(found.union(*(each.below(bound) for each in orbits)))
    terms = [each for each in members if each < PLOTTED]
    if orbits or len(members) > SHOWN:
        size = "" if orbits else f"{len(members)} numbers: "
        return _proved(f"{size}{', '.join(map(str, members[:SHOWN]))}, ...", terms)
    return _proved(", ".join(map(str, members)) or "none", terms)


def _periodic(about: ByDesubstitution, question: Question) -> Answer:
    if min(about.word.growth.values()) > 0:
        return _refuted()
    raise Undecided("the number of factors may stop growing")


def _gaps(about: ByDesubstitution, question: Question, more: bool = False) -> Answer:
    pairs = []
    for letter in sorted(about.word.language.factors(1)):
        pairs.append((max(map(len, _returns_of_letter(about, letter))), 1))
    factors = [each for each in about.returns if each.letters is not None]
    single, families = quotients(factors, more)
    found = supremum([*pairs, *single], families, about.word.field)
    return _of_supremum(question, found.value, found.pair)


def _recurrence_quotient(about: ByDesubstitution, question: Question) -> Answer:
    return _gaps(about, question, more=True)


def _of_supremum(question: Question, value: Algebraic, pair: tuple[int, int] | None) -> Answer:
    assert isinstance(question, Supremum)
    found = Value(value, None, pair is not None, pair)
    return _proved(str(found), sentence=question.sentence_of(found))


def _return_words(about: ByDesubstitution, question: Question) -> Answer:
    numbers = {each.number for each in about.returns if each.letters is None and each.lengths != 0}
    return _proved(", ".join(map(str, sorted(numbers))))


def _sequence(found: Steps) -> Answer:
    """Return the answer with the values of a function of n."""
    first = found.first(PLOTTED)
    said = f"{', '.join(map(str, first[:SHOWN]))}, ..."
    return _proved(f"{said} {sentence(exactly('values', sorted(found.values())))}", first)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def _complexity(about: ByDesubstitution, question: Question) -> Answer:
    growth = about.word.growth
    terms = [1]
    for each in growth.first(PLOTTED - 1):
        terms.append(terms[-1] + each)
    said = f"{', '.join(map(str, terms[:SHOWN]))}, ... {sentence(exactly('differences', sorted(growth.values())))}"
    return _proved(said, terms)


def _complexity_formula(about: ByDesubstitution, question: Question) -> Answer:
    growth = about.word.growth
    if growth.turns:
        low, high = growth.limits_of_sum(about.word.field)
        said = f"the limit inferior of p(n)/n is {low}, its limit superior is {high}"
        return _proved(f"no closed form; {said}", sentence=f"Factor complexity: {said.removesuffix('.')}.")
    slope, start, before = growth.at(growth.settled), 0, growth.start
    for length, after in growth.changes(growth.settled):
        start, before = (length + 1 if before != slope else start), after
    first = [1]
    for each in growth.first(start):
        first.append(first[-1] + each)
    rest = first[start] - slope * start
    said = f"{sum_text((slope, 'n'), (rest, ''))} for n >= {start}"
    said += f"; before, {_listed(first[:start])}" if start else ""
    return _proved(f"{said}.", sentence=f"Factor complexity: p(n) = {said}.")


def _reversal(about: ByDesubstitution, question: Question) -> Answer:
    return _proved() if about.mirrored else _refuted()


def _complement(about: ByDesubstitution, question: Question) -> Answer:
    one, two = chr(0), chr(1)
    return _permuted(about, {one: two, two: one})


def _permutation(about: ByDesubstitution, question: Question) -> Answer:
    text = question.id.removeprefix("permutation-")
    images = [int(each) for each in (text.split("_") if "_" in text else text)]
    numbers = about.word.numbers
    return _permuted(about, {
        chr(letter): chr(numbers.index(image)) for letter, image in enumerate(images)
    })


def _permuted(about: ByDesubstitution, letters: Mapping[str, str]) -> Answer:
    table = {ord(letter): image for letter, image in letters.items()}
    return _proved() if about._maps(lambda word: word.translate(table), mirror=False, letters=letters) else _refuted()


def _finite_palindromes(about: ByDesubstitution) -> list[int] | None:
    """Return the numbers of palindromes of the lengths 0, 1, ... up to the longest one; None if there is none.

    A uniformly recurrent word with infinitely many palindromes has the reversals of all its factors.
    """
    if about.mirrored:
        return None
    found: list[int] = []
    while len(found) < 3 or found[-1] or found[-2]:
        poll("palindromes")
        found.append(sum(each == each[::-1] for each in about.word.language.factors(len(found))))
        if len(found) > MOST_PALINDROME:
            raise Undecided(f"there are palindromes of more than {MOST_PALINDROME} letters")
    return found


def _palindrome_counts(about: ByDesubstitution) -> tuple[Steps, Steps]:
    """Return two functions: the numbers of palindromes of even lengths, and of odd ones."""
    weighted: tuple[list[Weighted], list[Weighted]] = ([], [])
    for single in about.word.bispecials.single:
        if single.word == single.word[::-1]:
            length = len(single.word)
            weighted[length % 2].append(Weighted(length, _on_both_sides(single.around) - 1))
    for family in about.word.bispecials.families:
        weight = _on_both_sides(family.around) - 1
        if family.palindromes is None and (weight or multiplicity(family.around)):
            raise Undecided("it is not known which bispecial factors are palindromes")
        if family.palindromes and weight:
            for length, part in _by_parity(family.orbit):
                weighted[length % 2].append(Weighted(part, weight))
    letters = len(about.word.language.factors(1))
    # The only palindrome of length -1, so to say, is in the middle of each letter.
    return steps(1, weighted[0]), steps(letters, weighted[1])


def _by_parity(orbit: Orbit) -> list[tuple[int, int | Orbit]]:
    """Return orbits of lengths of one parity, after single lengths, each with one of its lengths."""
    seen: dict[tuple[int, ...], int] = {}
    vector, place = orbit.start, 0
    while (key := tuple(each % 2 for each in vector)) not in seen:
        seen[key] = place
        vector, place = orbit.after(vector), place + 1
        if place > 64:
            raise Undecided("the parities of lengths do not repeat soon")
    begin = seen[key]
    lengths = orbit.lengths(begin + 1)
    found: list[tuple[int, int | Orbit]] = [(length, length) for length in lengths[:begin]]
    found += [(part.length(part.start), part) for part in orbit.later(begin).split(place - begin)]
    return found


def _on_both_sides(around: Iterable[tuple[str, str]]) -> int:
    return sum(a == b for a, b in around)


def _palindromes(about: ByDesubstitution, question: Question) -> Answer:
    finite = _finite_palindromes(about)
    if finite is not None:
        terms = [*finite, *(0 for _ in range(PLOTTED))][:PLOTTED]
        values = set(finite) | {0}
    else:
        even, odd = _palindrome_counts(about)
        evens, odds = even.first(PLOTTED), odd.first(PLOTTED)
        terms = [(evens, odds)[length % 2][length] for length in range(PLOTTED)]
        values = even.values() | odd.values()
    said = f"{', '.join(map(str, terms[:SHOWN]))}, ..."
    return _proved(f"{said} {sentence(exactly('values', sorted(values)))}", terms)


def _palindrome_lengths(about: ByDesubstitution, question: Question) -> Answer:
    finite = _finite_palindromes(about)
    if finite is not None:
        return _set_of(length for length, number in enumerate(finite) if number)
    even, odd = _palindrome_counts(about)
    if 0 not in even.values() | odd.values():
        return _proved("all", range(PLOTTED))
    bound = max(PLOTTED, even.settled + 2, odd.settled + 2)
    if bound > MOST_LISTED:
        raise Undecided("the numbers of palindromes change for long lengths")
    numbers = [pair[n % 2] for n, pair in enumerate(zip(even.first(bound), odd.first(bound), strict=True))]
    if not even.turns and not odd.turns and all(numbers[-2:]):
        return _proved(f"all but {_listed(n for n, number in enumerate(numbers) if not number)}")
    members = [n for n, number in enumerate(numbers) if number]
    if len(members) <= SHOWN:
        raise Undecided("the lengths of palindromes are too rare to be listed")
    return _proved(f"{', '.join(map(str, members[:SHOWN]))}, ...", (each for each in members if each < PLOTTED))


def _rich(about: ByDesubstitution, question: Question) -> Answer:
    """Balkova, Pelantova and Starosta, "Sturmian jungle (or garden?) on multiliteral alphabets" (2010)."""
    if not about.mirrored:
        return _refuted()
    found = about.word.bispecials
    pairs = [(each.word == each.word[::-1], each.around) for each in found.single]
    for family in found.families:
        weight = multiplicity(family.around)
        if family.palindromes is None:
            if weight or _on_both_sides(family.around) != 1:
                raise Undecided("it is not known which bispecial factors are palindromes")
            continue
        pairs.append((family.palindromes, family.around))
    is_rich = all(
        multiplicity(around) == (_on_both_sides(around) - 1 if palindrome else 0) for palindrome, around in pairs
    )
    return _proved() if is_rich else _refuted()


def _power(times: int, beyond: int = 0) -> Callable[[ByDesubstitution, Question], Answer]:
    """Return the answer to whether there is a power of an exponent 1 + times, or more."""

    def answer(about: ByDesubstitution, question: Question) -> Answer:
        single, orbits = about.periods(times, beyond)
        if not single and not orbits:
            return _refuted()
        least = min([*single, *(each.length(each.start) for each in orbits)])
        text = about.first
        for place in range(len(text) - (times + 1) * least - beyond):
            end = place + times * least + beyond
            if text[place:end] == text[place + least : end + least]:
                return _proved(f"witness: i = {place}, n = {least}")
        return _proved()

    return answer


def _orders(times: int) -> Callable[[ByDesubstitution, Question], Answer]:
    """Return the answer to which lengths the roots of powers of an exponent 1 + times have."""
    return lambda about, question: _set_of(*about.periods(times))


def _critical_exponent(about: ByDesubstitution, question: Question) -> Answer:
    found = about.repetitions
    top = supremum([(each.more, each.period) for each in found.single], found.families, about.word.field)
    pair = None if top.pair is None else (top.pair[0] + top.pair[1], top.pair[1])
    return _of_supremum(question, top.value + 1, pair)


def _asymptotic_exponent(about: ByDesubstitution, question: Question) -> Answer:
    found = limit_superior(about.repetitions.families, about.word.field)
    least = min(1.0, about.seen - 1)
    if found is None or (found < 1 and float(found) < least):
        raise Undecided("repetitions of smaller exponents were not looked at")
    return _proved(str(found + 1))


def _specials(side: int) -> Callable[[ByDesubstitution, Question], Answer]:
    return lambda about, question: _sequence(about.word.specials(side))


def _extensions(side: int) -> Callable[[ByDesubstitution, Question], Answer]:
    return lambda about, question: _proved(_listed(
        {1} | {len({pair[side] for pair in around}) for around in about.word.around}
    ))


def _bispecial(chosen: Callable[[int], bool]) -> Callable[[ByDesubstitution, Question], Answer]:
    """Return the answer to which lengths the bispecial factors have whose multiplicity is chosen."""

    def answer(about: ByDesubstitution, question: Question) -> Answer:
        found = about.word.bispecials
        return _set_of(
            (len(each.word) for each in found.single if chosen(multiplicity(each.around))),
            [each.orbit for each in found.families if chosen(multiplicity(each.around))],
        )

    return answer


def _multiplicities(about: ByDesubstitution, question: Question) -> Answer:
    return _proved(_listed({multiplicity(around) for around in about.word.around}))


_ANSWERS: Mapping[str, Callable[[ByDesubstitution, Question], Answer]] = MappingProxyType({
    "letter": _letter_occurs, "letter-frequency": _frequency, "letter-gaps": _letter_gaps,
    "eventually-periodic": _periodic, "recurrent": _letter_occurs, "uniformly-recurrent": _letter_occurs,
    "gaps": _gaps, "recurrence-quotient": _recurrence_quotient, "return-words": _return_words,
    "complexity": _complexity, "complexity-formula": _complexity_formula,
    "reversal": _reversal, "complement": _complement, "permutation": _permutation,
    "palindromes": _palindromes, "palindrome-lengths": _palindrome_lengths, "rich": _rich,
    "squares": _power(1), "overlaps": _power(1, 1), "cubes": _power(2), "fourth-powers": _power(3),
    "square-orders": _orders(1), "cube-orders": _orders(2), "critical-exponent": _critical_exponent,
    "asymptotic-critical-exponent": _asymptotic_exponent,
    "right-special": _specials(1), "left-special": _specials(0),
    "right-extensions": _extensions(1), "left-extensions": _extensions(0),
    "bispecial": _bispecial(lambda number: True), "multiplicities": _multiplicities,
    "weak-bispecial": _bispecial(lambda number: number < 0),
    "neutral-bispecial": _bispecial(lambda number: number == 0),
    "strong-bispecial": _bispecial(lambda number: number > 0),
})
