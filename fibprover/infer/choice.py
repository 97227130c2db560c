"""The numeration system in which the first terms of a sequence look like those of an automatic word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from fibprover.base.errors import LimitError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.values import value
from fibprover.infer.residuals import infer_set
from fibprover.infer.state_growth import Growth, growth
from fibprover.infer.words import InferredWord, NoMorphism, infer_word
from fibprover.numeration.system import NumerationSystem

#: Systems that are tried unless others are named, the simplest first.
SYSTEMS = (
    "msd_2", "msd_3", "msd_fib", "msd_trib", "msd_5", "msd_6", "msd_7", "msd_10", "msd_wythoff_2", "msd_pell",
    "msd_lucas", "msd_narayana", "msd_4bonacci", "msd_rec_2_2", "msd_wythoff_3",
)

#: A word is guessed from this part of the terms, and has to be right about the others.
KNOWN = (2, 3)

#: The fractions of the terms for which states are counted.
_PARTS = (8, 4, 2, 1)

#: The most letters of a word: terms with more values are taken for numbers.
MOST_LETTERS = 24


@value
class Guess:
    """A word guessed from some terms that predicts the others.

    found: guessed from all terms; known: how many terms gave the same word; states: of the words guessed from some
    terms, as pairs (terms, states), None where these terms make no word.
    """

    found: InferredWord
    known: int
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

    Two thirds of the terms have to give the word, and it has to be right about the others; an `Attempt` says why this
    failed.
    """
    known = len(terms) * KNOWN[0] // KNOWN[1]
    try:
        part = infer_word(terms[:known], system, name, budget=budget)
        found = infer_word(terms, system, name, budget=budget)
    except NoMorphism as none:
        return Attempt(system.name, none.message, _growth(terms, system, budget))
    wrong = next((n for n, (a, b) in enumerate(zip(part.word.prefix(len(terms)), terms, strict=True)) if a != b), None)
    if wrong is not None:
        problem = f"the word of the first {known} terms is wrong at {wrong}"
        return Attempt(system.name, problem, _growth(terms, system, budget))
    states: list[tuple[int, int | None]] = []
    for divisor in _PARTS[:-1]:
        try:
            shorter = infer_word(terms[: len(terms) // divisor], system, name, budget=budget)
            states.append((len(terms) // divisor, shorter.minimal))
        except NoMorphism:
            states.append((len(terms) // divisor, None))
    return Guess(found, known, (*states, (len(terms), found.minimal)))


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
