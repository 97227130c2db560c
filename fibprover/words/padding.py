"""Automata with output whose letters depend on leading zeros, or on trailing ones: they are no functions of numbers.

The word has the letter of the representation without these zeros, but the author of the file may have meant the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fibprover.automata.dfa import Dfa
from fibprover.base.limits import polled
from fibprover.base.names import system_name
from fibprover.numeration.system import NumerationSystem

#: The most combinations of states in which a number is looked for: one that exists is nearly always small.
_MOST_LOOKED_AT = 200_000

#: States after the digits with zeros in front and without them, and those of the valid words of each index.
_Place = tuple[int, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ChangedLetter:
    """A letter that zeros change.

    index: the numbers; digits, padded: how they are written, without these zeros and with them, in the order in which
    the systems are read; letter, other: the letters that the automaton has for them.
    """

    index: tuple[int, ...]
    digits: tuple[str, ...]
    padded: tuple[str, ...]
    letter: int
    other: int
    trailing: bool = False

    def __str__(self) -> str:
        at, written, padded = (self._joined(each) for each in (map(str, self.index), self.digits, self.padded))
        where = "trailing" if self.trailing else "leading"
        return (
            f"the letter at {at} depends on {where} zeros: it is {self.letter} for {written} and {self.other} for "
            f"{padded}; the word has {self.letter} there"
        )

    def _joined(self, parts: Sequence[str] | Iterator[str]) -> str:
        shown = [part or "no digits" for part in parts]
        return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def changed_letter(machine: Dfa, system: Callable[[str], NumerationSystem]) -> ChangedLetter | None:
    """Return the letter at the least number, or about so, that zeros change; None if there is none, or none is found.

    machine: the automaton as it is stored, most significant digits first, all of whose indices are numbers; system:
    returns the numeration system with a name.  That the automaton has a letter only without zeros, or only with them,
    is no change.  Raises BudgetSpent.
    """
    systems = [system(track.system) for track in machine.tracks]
    zero = machine.zero_code
    if zero is None:
        return None
    valid = [each.msd_first.valid for each in systems]
    zeros = _zeros(machine, zero)
    begin = {(state, 0, (0,) * len(valid)): ((), count) for state, count in zeros.items()}
    found: dict[_Place, tuple[tuple[int, ...], int]] = dict(begin)
    for place in polled(_following(machine, zero, valid, found), "a letter that zeros change"):
        padded, plain, states = place
        letter, other = machine.outputs[plain], machine.outputs[padded]
        if letter != other and all(automaton.outputs[at] for automaton, at in zip(valid, states, strict=True)):
            codes, count = found[place]
            return _described(machine, systems, codes, count, (letter, other))
    return None


def _zeros(machine: Dfa, zero: int) -> dict[int, int]:
    """Return the states after one zero or more, each with the least number of zeros that leads there."""
    states: dict[int, int] = {}
    state = machine.successor(0, zero)
    while state is not None and state not in states:
        states[state] = len(states) + 1
        state = machine.successor(state, zero)
    return states


def _following(
    machine: Dfa, zero: int, valid: Sequence[Dfa], found: dict[_Place, tuple[tuple[int, ...], int]]
) -> Iterator[_Place]:
    """Yield the places that are reached, shorter numbers first, and note in `found` the letters that lead there."""
    waiting = list(found)
    for place in waiting:
        if len(found) > _MOST_LOOKED_AT:
            return
        yield place
        padded, plain, states = place
        codes, count = found[place]
        for code, target in machine.row(plain):
            other = machine.successor(padded, code)
            if other is None or (not codes and code == zero):
                continue
            after = tuple(
                automaton.successor(state, automaton.code((digit,)))
                for automaton, state, digit in zip(valid, states, machine.letter(code), strict=True)
            )
            if (there := tuple(state for state in after if state is not None)) == after:
                reached = (other, target, there)
                if reached not in found:
                    found[reached] = ((*codes, code), count)
                    waiting.append(reached)


def _described(
    machine: Dfa, systems: Sequence[NumerationSystem], codes: tuple[int, ...], zeros: int, letters: tuple[int, int]
) -> ChangedLetter:
    words = list(zip(*map(machine.letter, codes), strict=True)) if codes else [()] * len(systems)
    lsd = [system_name(track.system).lsd_first for track in machine.tracks]

    def written(word: Sequence[int], turned: bool) -> str:
        digits = [*map(str, word[::-1] if turned else word)]
        return ("" if all(len(digit) == 1 for digit in digits) else ".").join(digits)

    return ChangedLetter(
        tuple(system.msd_first.value(word) for system, word in zip(systems, words, strict=True)),
        tuple(written(word, turned) for word, turned in zip(words, lsd, strict=True)),
        tuple(written((*(0,) * zeros, *word), turned) for word, turned in zip(words, lsd, strict=True)),
        *letters, trailing=all(lsd),
    )
