"""The numeration system in which the first terms of a sequence look like those of an automatic word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, build_from, explored
from fibprover.base.errors import LimitError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.infer.confirmation import bits_of_terms, confirmed_depth
from fibprover.infer.residuals import infer_set
from fibprover.infer.state_growth import Growth, growth
from fibprover.infer.words import InferredWord, NoMorphism, infer_word
from fibprover.numeration.system import NumerationSystem
from fibprover.words.automatic import AutomaticWord, automatic_word

#: A word is guessed from this part of the terms, and has to be right about the others.
KNOWN = (2, 3)

#: The fractions of the terms for which states are counted.
_PARTS = (8, 4, 2, 1)

#: So many digits deeper than the terms that a transition was guessed from it has to be seen.
LEAST_CONFIRMED = 1

#: The most letters of a word: terms with more values are taken for numbers.
MOST_LETTERS = 24


@value
class GuessedWord:
    """A word that agrees with all terms: the coding of the fixed point of the images of the letters 0, 1, ...

    types: the same with its support, if it was made by types.
    """

    system: str
    images: tuple[tuple[int, ...], ...]
    coding: tuple[int, ...]
    length: int
    word: AutomaticWord
    types: InferredWord | None = None

    @property
    def minimal(self) -> int:
        """The states of the minimal machine."""
        return self.word.machine.states


@value
class Guess:
    """A word guessed from some terms that predicts the others.

    found: guessed from all terms; known: how many terms gave the same word; confirmed: how many digits deeper than what
    a transition was guessed from the terms are known, for each of them (`fibprover.infer.confirmation`); states: of the
    words guessed from some terms, as pairs (terms, states), None where these terms make no word.
    """

    found: GuessedWord
    known: int
    confirmed: int
    states: tuple[tuple[int, int | None], ...]


@value
class Attempt:
    """A system over which the terms suggest no word: the reason, and how the states of the automata that agree with the
    terms grow.
    """

    system: str
    problem: str
    growth: Growth | None


def guess(terms: Sequence[int], system: NumerationSystem, name: str, budget: Budget = UNLIMITED) -> Guess | Attempt:
    """Guess the word over a system that begins with the terms w[0], w[1], ...

    It is made by types (`fibprover.infer.words`) or, where they make none, by residuals (`fibprover.infer.residuals`).
    Two thirds of the terms have to give the word, and it has to be right about the others; each letter has to occur
    before one more digit is needed; and each transition has to be confirmed LEAST_CONFIRMED digits deeper than the
    terms that it was guessed from.  An `Attempt` says which of these failed.
    """
    known = len(terms) * KNOWN[0] // KNOWN[1]
    first = {letter: place for place, letter in reversed(tuple(enumerate(terms)))}
    latest = max(first.values(), default=0)
    if latest * len(system.digits) > len(terms):
        # A number with one digit more may have a letter that was not seen: terms of few values may be numbers.
        return Attempt(system.name, f"the letter {terms[latest]} is first at {latest}, which is late", None)

    def by_types(count: int) -> GuessedWord | None:
        try:
            return _of_inferred(infer_word(terms[:count], system, name, budget=budget))
        except NoMorphism:
            return None

    def by_residuals(count: int) -> GuessedWord | None:
        return _by_residuals(terms[:count], system, name, budget)

    try:
        part = infer_word(terms[:known], system, name, budget=budget)
        found = infer_word(terms, system, name, budget=budget)
    except NoMorphism as none:
        problem = none.message
    else:
        wrong = _first_wrong(part.word, terms)
        depth = confirmed_depth(found.word.machine, terms, system)
        if wrong is None and depth >= LEAST_CONFIRMED:
            return Guess(_of_inferred(found), known, depth, _states(terms, by_types))
        problem = _unconfirmed(depth) if wrong is None else f"the word of the first {known} terms is wrong at {wrong}"
    if system.signed:
        return Attempt(system.name, problem, None)  # residuals are those of natural numbers
    likely, final = by_residuals(known), by_residuals(len(terms))
    if likely is None or final is None or likely.word.machine != final.word.machine:
        return Attempt(system.name, problem, _growth(terms, system, budget))
    depth = confirmed_depth(final.word.machine, terms, system)
    if depth < LEAST_CONFIRMED:
        return Attempt(system.name, _unconfirmed(depth), _growth(terms, system, budget))
    return Guess(final, known, depth, _states(terms, by_residuals))


def _unconfirmed(depth: int) -> str:
    """Return what is missing where a transition is not seen deeply enough."""
    digits = "no digit" if depth <= 0 else plural(depth, "digit")
    return f"the terms confirm some transition of the automaton by {digits} more than it was guessed from"


def _first_wrong(word: AutomaticWord, terms: Sequence[int]) -> int | None:
    return next((n for n, (a, b) in enumerate(zip(word.prefix(len(terms)), terms, strict=True)) if a != b), None)


def _states(
    terms: Sequence[int], guessed: Callable[[int], GuessedWord | None]
) -> tuple[tuple[int, int | None], ...]:
    """Return the states of the words guessed from parts of the terms."""
    counts = [len(terms) // divisor for divisor in _PARTS]
    words = [guessed(count) for count in counts]
    return tuple((count, None if word is None else word.minimal) for count, word in zip(counts, words, strict=True))


def _of_inferred(found: InferredWord) -> GuessedWord:
    return GuessedWord(found.system, found.images, found.coding, found.length, found.word, found)


def _by_residuals(
    terms: Sequence[int], system: NumerationSystem, name: str, budget: Budget
) -> GuessedWord | None:
    """Return the word of the inferred sets of places of its letters; None if it is not right about all terms."""
    letters = sorted(set(terms))
    if len(letters) < 2:
        return None
    row = numpy.array(terms)
    parts = []
    for letter in letters[1:]:
        members = numpy.flatnonzero(row == letter).reshape(-1, 1)
        try:
            parts.append((infer_set(members, len(terms), system, ["n"], budget).automaton, letter))
        except LimitError:
            return None
    machine = _united(parts, letters[0], system, _most_states(terms, len(system.digits)), budget)
    if machine is None:
        return None
    word = automatic_word(name, machine, budget)
    if _first_wrong(word, terms) is not None:
        return None
    images = tuple(tuple(target for _, target in machine.row(state)) for state in range(machine.states))
    digits = [[code for code, _ in machine.row(state)] for state in range(machine.states)]
    if not all(images) or any(codes != list(range(len(codes))) for codes in digits):
        return None
    return GuessedWord(system.name, images, tuple(map(int, machine.outputs)), len(terms), word)


def _most_states(terms: Sequence[int], digits: int) -> int:
    """Return the most states of a machine whose transitions take half as many bits as the terms."""
    bits = bits_of_terms(terms) / 2
    states = 1
    while (states + 1) * digits * numpy.log2(states + 1) <= bits:
        states += 1
    return states


def _united(
    parts: Sequence[tuple[Dfa, int]], otherwise: int, system: NumerationSystem, most: int, budget: Budget
) -> Dfa | None:
    """Return the machine whose output is the letter of the part that accepts, on the words of the system.

    None if it has more states before it is minimized than `most`, or there is none.
    """
    valid = system.valid
    start: tuple[int | None, ...] = (0, *(0 for _ in parts))

    def steps(at: tuple[int | None, ...]) -> Iterator[tuple[int, tuple[int | None, ...]]]:
        own, *places = at
        assert own is not None
        for code, target in valid.row(own):
            following = (
                None if place is None else part.successor(place, code)
                for (part, _), place in zip(parts, places, strict=True)
            )
            yield code, (target, *following)

    def output(at: tuple[int | None, ...]) -> int:
        accepting = (
            letter for (part, letter), place in zip(parts, at[1:], strict=True)
            if place is not None and part.outputs[place]
        )
        return next(accepting, otherwise)

    too_many = NoMorphism("the residuals are too many", ())
    found = explored(start, steps, budget, "a word from its terms", most=most, refused=too_many)
    try:
        return kernel_calls.minimize_outputs(build_from((system.track("n"),), found, output), budget)
    except NoMorphism:
        return None


def _growth(terms: Sequence[int], system: NumerationSystem, budget: Budget) -> Growth | None:
    """Return how the states of the automata for the places of the letters grow, all letters together; None for few
    terms.
    """
    bounds = [len(terms) // divisor for divisor in _PARTS]
    if bounds[0] < 4:
        return None
    letters = sorted(set(terms))[1:] or [terms[0]]
    row = numpy.array(terms)
    states = []
    for bound in bounds:
        total = 0
        for letter in letters:
            members = numpy.flatnonzero(row[:bound] == letter).reshape(-1, 1)
            try:
                total += infer_set(members, bound, system, ["n"], budget).states
            except LimitError:
                return None
        states.append(max(1, total))
    return growth(bounds, states)
