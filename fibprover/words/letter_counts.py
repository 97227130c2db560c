"""How many of the first n letters of a word are a given one, as an automaton of the pairs of n and that number.

The two are numbers of one system, and so two ways side by side: the one to place n of the word, whose letters have
weight 1 or 0, and the one to the number, which is the length of what is before it.  They fit if nothing exceeds.

A word that is given over another system than that of its own morphism has states of which some need not behave like the
word.  Then the way of the morphism stands between the two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build_from, explored
from fibprover.base.errors import LimitError, NumerationError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.words.morphic import MorphicWord
from fibprover.words.ways import REACHES, Pair, State, ways_of


def letter_counts(machine: Dfa, letter: int, system: NumerationSystem, budget: Budget = UNLIMITED) -> Dfa | None:
    """Return the pairs of n and the number of those letters among the first n, over tracks "n" and "s".

    machine: of a word over the system.  None where there need not be such an automaton, or where none was found; each n
    has a number in one that is.
    """
    if system.signed:
        return None
    word = _with_ends(machine, letter, system, budget)
    places, numbers, ends = ways_of(word), ways_of(system.valid), system.valid.outputs
    if places is None or numbers is None:
        return None
    pair = Pair(places, [output == 2 for output in word.outputs], numbers, list(ends))
    tracks = system.track("n"), system.track("s")

    def fits(state: State) -> bool:
        return bool(word.outputs[state[0]] and ends[state[1]]) and state[2][0] == 0

    for reach in REACHES:
        try:
            found = list(pair.states(reach, budget, len(system.digits)))
        except (NumerationError, LimitError):
            return None
        relation = kernel_calls.minimize(build_from(tracks, found, fits), budget)
        if operations.exists(relation, ["s"], budget) == system.values("n"):
            return relation
    return None


def letter_counts_by_morphism(
    word: MorphicWord, letter: int, system: NumerationSystem, budget: Budget = UNLIMITED
) -> Dfa | None:
    """Return the same, of the fixed point of a morphism, by the ways of its places to n and to that number."""
    numbers = ways_of(system.valid)
    if numbers is None or system.signed:
        return None
    ends, images = list(system.valid.outputs), word.images
    way = Track("~way", tuple(range(max(map(len, images)))), "")

    def fits(state: State) -> bool:
        return bool(ends[state[1]]) and state[2][0] == 0

    for reach in REACHES:
        parts = []
        for weights, name in (([1] * len(images), "n"), ([output == letter for output in word.outputs], "s")):
            try:
                found = list(Pair(images, weights, numbers, ends).states(reach, budget, len(system.digits)))
            except (NumerationError, LimitError):
                return None
            parts.append(kernel_calls.minimize(build_from((way, system.track(name)), found, fits), budget))
        relation = operations.exists(operations.conjunction(parts[0], parts[1], budget), [way.name], budget)
        if operations.exists(relation, ["s"], budget) == system.values("n"):
            return relation
    return None


def _with_ends(machine: Dfa, letter: int, system: NumerationSystem, budget: Budget) -> Dfa:
    """Return the automaton of what numbers begin with, and for each number 2 if it has the letter, or else 1."""
    valid = system.valid

    def steps(state: tuple[int | None, int]) -> Iterator[tuple[int, tuple[int | None, int]]]:
        at, number = state
        for code, target in valid.row(number):
            yield code, (None if at is None else machine.successor(at, code), target)

    def output(state: tuple[int | None, int]) -> int:
        at, number = state
        return valid.outputs[number] and 1 + (at is not None and machine.outputs[at] == letter)

    first: tuple[int | None, int] = (0, 0)
    return build_from((system.track("n"),), explored(first, steps, budget, "the letters of numbers"), output)
