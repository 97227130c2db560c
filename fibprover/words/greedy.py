"""The word of a morphism over the greedy system of a recurrence: the one that the lengths of its images satisfy.

Let c be the coding and s the morphism.  If the recurrence of the lengths of c(s^t(a)), for all letters a, is that of a
Pisot number, perhaps after some first terms, the word is automatic over the greedy system of this recurrence, and over
base k if it is U(t+1) = k U(t) (S. Fabre, Substitutions et beta-systemes de numeration, Theoret. Comput. Sci. 137,
1995; V. Bruyere, G. Hansel, Bertrand numeration systems and recognizability, Theoret. Comput. Sci. 181, 1997).

An automaton reads a number n in the greedy system and, beside it, the way to a place of the fixed point.  If n exceeds
the length of what is before this place in the coded word by less than the block of its letter, it is a place of this
block.  So a letter that is found is right, and no more has to be proved than that each number has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build_from, explored
from fibprover.base.errors import NumerationError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.numeration.registry import system_of_recurrence
from fibprover.numeration.system import NumerationSystem
from fibprover.words.morphic import MorphicWord
from fibprover.words.ways import REACHES, Images, Pair, State, ways_of


def greedy_word(word: MorphicWord, budget: Budget = UNLIMITED) -> tuple[NumerationSystem, Dfa]:
    """Return a greedy system over which a word is automatic, and the word's machine, proved to have its letters.

    Raises NumerationError if the recurrence of the lengths is long, or that of no Pisot number, or has no system.
    """
    images, blocks = word.blocks
    coefficients = Pair(images, list(map(len, blocks)), (), ()).recurrence[::-1]
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    if sum(coefficients) <= 1:
        raise NumerationError("the lengths of the images of the morphism do not grow like the powers of a Pisot number")
    system = system_of_recurrence(coefficients)
    for reach in REACHES:
        machine = _machine(images, blocks, system, reach, budget)
        if machine is not None:
            return system, machine
    raise NumerationError(f"no automaton over {system.name} was found for the letters of the word")


def _machine(images: Images, blocks: Images, system: NumerationSystem, reach: int, budget: Budget) -> Dfa | None:
    """Return the machine of a word over a system; None if some number has no letter."""
    numbers, ends = ways_of(system.valid), system.valid.outputs
    if numbers is None:
        return None
    track = system.track("n")
    way = Track("~way", tuple(range(max(map(len, images)))), "")
    pair = Pair(images, list(map(len, blocks)), numbers, list(ends))
    found = list(pair.states(reach, budget, len(track.digits)))

    def letter_at(state: State) -> int | None:
        at, number, (excess, *_) = state
        return blocks[at][excess] if ends[number] and 0 <= excess < len(blocks[at]) else None

    letters = [letter_at(state) for state, _ in found]
    both = build_from((way, track), found, lambda _: 0)
    parts = {}
    for letter in sorted({number for block in blocks for number in block}):
        made = both.with_outputs(each == letter for each in letters)
        parts[letter] = operations.exists(kernel_calls.minimize(made, budget), [way.name], budget)
    if operations.union(list(parts.values()), budget) != system.values("n"):
        return None
    return _joined(parts, track, budget)


def _joined(parts: Mapping[int, Dfa], track: Track, budget: Budget) -> Dfa:
    """Return the machine that has a letter where its part accepts; of the parts one at most does."""

    def steps(state: tuple[int | None, ...]) -> Iterator[tuple[int, tuple[int | None, ...]]]:
        for code in range(len(track.digits)):
            after = tuple(
                None if at is None else part.successor(at, code) for at, part in zip(state, parts.values(), strict=True)
            )
            if any(each is not None for each in after):
                yield code, after

    def output(state: tuple[int | None, ...]) -> int:
        ends = zip(parts.items(), state, strict=True)
        return next((letter for (letter, part), at in ends if at is not None and part.outputs[at]), 0)

    first: tuple[int | None, ...] = (0,) * len(parts)
    joined = build_from((track,), explored(first, steps, budget, "the automaton of a word"), output)
    return kernel_calls.minimize_outputs(joined, budget)
