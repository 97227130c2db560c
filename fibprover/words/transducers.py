"""Transducers.  The output of a transducer for an automatic word is an automatic word over the same system.

Dekking, "Iteration of maps by an automaton" (Discrete Mathematics 126, 1994), proves it for uniform
morphisms; here it holds for every system in which numbers of equal length are ordered as their digits.
The numbers that begin with the digits read so far, with l digits to come, are a block of consecutive numbers.
The state of the transducer before the block determines its state after it by a map that depends on the state of
the word's automaton and on l only.  As a sequence in l these maps are ultimately periodic, so there are finitely
many classes of l, and the automaton keeps the transducer's state before the current block for each class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, build_from, explored
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import UNLIMITED, Budget, check_budget, polled
from fibprover.numeration.system import NumerationSystem, lexicographic_order

#: The state of the transducer after a block, by its state before the block; or its states for each class.
_Map = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Transducer:
    """A deterministic letter-to-letter transducer: for every state the moves by letter read.

    moves: by state, then by letter: the next state and the letter written.  State 0 is initial.
    """

    name: str
    moves: tuple[Mapping[int, tuple[int, int]], ...]

    def of(self, word: Sequence[int]) -> list[int]:
        """Return the output for a word, letter by letter; raises AutomatonError for a letter without a move."""
        state, result = 0, []
        for letter in word:
            state, written = self.move(state, letter)
            result.append(written)
        return result

    def move(self, state: int, letter: int) -> tuple[int, int]:
        """Return the next state and the letter written; raises AutomatonError if there is no move."""
        found = self.moves[state].get(letter)
        if found is None:
            raise AutomatonError(f"the transducer {self.name} has no move for {letter} from its state {state}")
        return found


def transduce(machine: Dfa, transducer: Transducer, system: NumerationSystem, budget: Budget = UNLIMITED) -> Dfa:
    """Return the machine of transducer(W[0] W[1] ...) from the machine of W over one index of `system`.

    machine: most significant digit first, insensitive to leading zeros.  Raises AutomatonError if there are several
    indices, if numbers are not ordered by their digits, if W has no letter at some index, or if the transducer has
    no move for a letter.  At most n * t^c states for n states of W, t of the transducer, c classes.
    """
    if len(machine.tracks) != 1:
        raise AutomatonError(
            f"only a word with one index can be transduced; this word has {len(machine.tracks)} indices"
        )
    if system.signed or lexicographic_order(system, budget) != system.less(budget):
        raise AutomatonError(
            f"the numbers of {system.name} are not ordered by their digits, so a word over it cannot be transduced"
        )
    rows, letters = _readings(machine, system, budget)
    for letter in sorted({letter for letter in letters if letter is not None}):
        for state in range(len(transducer.moves)):
            transducer.move(state, letter)
    classes, back = _block_maps(rows, letters, transducer, budget)
    return _result(machine, rows, letters, transducer, classes, back, budget)


def _readings(
    machine: Dfa, system: NumerationSystem, budget: Budget
) -> tuple[list[dict[int, int]], list[int | None]]:
    """Return the product of machine and valid words: successors by digit, and the letter where a number ends."""
    valid = system.valid

    def steps(at: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        for digit, following in polled(valid.row(at[1]), "a transduction"):
            target = machine.successor(at[0], digit)
            if target is None:
                raise AutomatonError("a word that has no letter at some indices cannot be transduced")
            yield digit, (target, following)

    found = list(explored((0, 0), steps, budget, "a transduction"))
    letters = [machine.outputs[state] if valid.outputs[place] else None for (state, place), _ in found]
    return [row for _, row in found], letters


def _block_maps(
    rows: Sequence[Mapping[int, int]], letters: Sequence[int | None], transducer: Transducer, budget: Budget
) -> tuple[list[tuple[_Map, ...]], int]:
    """Return the maps of all states for l = 0, 1, ... until they repeat, and the l that follows the last one."""
    count = len(transducer.moves)
    same = tuple(range(count))
    maps = tuple(
        same if letter is None else tuple(transducer.move(state, letter)[0] for state in range(count))
        for letter in letters
    )
    seen: dict[tuple[_Map, ...], int] = {}
    while maps not in seen:
        check_budget(budget, len(seen), "a transduction")
        seen[maps] = len(seen)
        longer = []
        for row in rows:
            check_budget(budget, len(seen), "a transduction")
            through = same
            for digit in polled(sorted(row), "a transduction"):
                through = tuple(maps[row[digit]][state] for state in through)
            longer.append(through)
        maps = tuple(longer)
    return list(seen), seen[maps]


def _result(
    machine: Dfa,
    rows: Sequence[Mapping[int, int]],
    letters: Sequence[int | None],
    transducer: Transducer,
    classes: Sequence[tuple[_Map, ...]],
    back: int,
    budget: Budget,
) -> Dfa:
    """Return the automaton whose states are a state of the word and, for each class of l, one of the transducer."""
    before = [*range(1, len(classes)), back]

    def steps(at: tuple[int, _Map]) -> Iterator[tuple[int, tuple[int, _Map]]]:
        state, places = at
        # For l digits to come after the next one, there are l + 1 to come now.
        present = tuple(places[before[length]] for length in range(len(classes)))
        for digit in polled(sorted(rows[state]), "a transduction"):
            target = rows[state][digit]
            yield digit, (target, present)
            present = tuple(classes[length][target][place] for length, place in enumerate(present))

    def output(at: tuple[int, _Map]) -> int:
        letter = letters[at[0]]
        return 0 if letter is None else transducer.move(at[1][0], letter)[1]

    found = explored((0, (0,) * len(classes)), steps, budget, "a transduction")
    return kernel_calls.minimize_outputs(build_from(machine.tracks, found, output), budget)
