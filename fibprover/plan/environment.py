"""What a formula may refer to: numeration systems, predicates, words and macros by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fibprover.automata.dfa import Dfa, Track
from fibprover.names import system_name
from fibprover.numeration.system import NumerationSystem
from fibprover.words.automatic import AutomaticWord


class Sort(NamedTuple):
    """The type of a variable: the numbers of one system, or words over a plain alphabet.

    system is empty for a plain alphabet; digits are those of the track; stored_reversed: the words of a
    plain alphabet are kept last letter first.
    """

    system: str
    digits: tuple[int, ...]
    stored_reversed: bool = False

    def track(self, name: str) -> Track:
        """A track of this kind."""
        return Track(name, self.digits, self.system, self.stored_reversed)

    @property
    def lsd_first(self) -> bool:
        """Whether these are numbers that users read least significant digit first."""
        return bool(self.system) and system_name(self.system).lsd_first

    def same_numbers(self, other: Sort) -> bool:
        """Whether two systems differ in the order of reading only, so that both have the same numbers."""
        if self.digits != other.digits or not self.system or not other.system:
            return False
        return system_name(self.system).base == system_name(other.system).base

    def same_digits(self, other: Sort) -> bool:
        """Whether what one system writes can be read in the other one: equal digits, from the same end."""
        if self.digits != other.digits or not self.system or not other.system:
            return False
        return self.lsd_first == other.lsd_first

    def opposite_order(self) -> Sort:
        """The same numbers, read from the other end."""
        return self._replace(system=system_name(self.system).reversed().full)

    def __str__(self) -> str:
        return self.system or "{" + ",".join(map(str, self.digits)) + "}"


def sort_of(track: Track) -> Sort:
    """The kind of an automaton's track."""
    return Sort(track.system, track.digits, track.stored_reversed)


@dataclass(frozen=True, slots=True)
class Definition:
    """A named relation: the automaton, in the order of its parameters.

    raw: the language was given as such (`reg`), so it is cut down to valid representations and
    closed under leading zeros whenever it is called; otherwise it already is.
    """

    name: str
    automaton: Dfa
    source: str = ""
    raw: bool = False

    @property
    def kinds(self) -> tuple[Sort, ...]:
        """Kinds of the parameters, in order."""
        return tuple(sort_of(track) for track in self.automaton.tracks)


@dataclass(frozen=True, slots=True)
class Environment:
    """Everything a formula's names can mean; `system` raises a FibproverError for unknown ones.

    system_chosen: whether the default system was asked for, so that words over plain alphabets are meant
    to be its numbers where their letters are its digits; shared_digits: whether an argument or index that is
    a number of another system than the predicate or word wants is read by its digits, if that has the same ones.
    """

    system: Callable[[str], NumerationSystem]
    default_system: str
    definitions: Mapping[str, Definition]
    words: Mapping[str, AutomaticWord]
    macros: Mapping[str, str]
    system_chosen: bool = True
    shared_digits: bool = False
