"""Environments: the numeration systems, predicates, words and macros that a formula may name."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from fibprover.automata.dfa import Dfa, Track
from fibprover.base.errors import BudgetSpent, FibproverError, did_you_mean, most_similar
from fibprover.base.folders import elsewhere
from fibprover.base.names import WORD_PREDICATES, full_name, is_family, is_parameter, system_name, word_predicate
from fibprover.base.values import value
from fibprover.language.source import Origin, Source, source_from
from fibprover.language.tree import Call, Formula, InSystem, Reversed, SystemTerm, WordValue, nodes
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import unknown_word_hint, word_meant
from fibprover.words.letter_comparison import LetterComparison


class Sort(NamedTuple):
    """The type of a variable: the numbers of one system, or words over a plain alphabet.

    system is empty for a plain alphabet; digits are those of the track; stored_reversed: the words of a
    plain alphabet are kept last letter first; identity: that of a system that is not built in.
    """

    system: str
    digits: tuple[int, ...]
    stored_reversed: bool = False
    identity: str = ""

    def track(self, name: str) -> Track:
        """Return a track of this sort."""
        return Track(name, self.digits, self.system, self.stored_reversed, self.identity)

    @property
    def lsd_first(self) -> bool:
        """Whether these are numbers that users read least significant digit first."""
        return bool(self.system) and system_name(self.system).lsd_first

    def same_numbers(self, other: Sort) -> bool:
        """Return whether two systems differ in the order of reading only, so that both have the same numbers."""
        if self.digits != other.digits or not self.system or not other.system:
            return False
        return system_name(self.system).base == system_name(other.system).base and self.identity == other.identity

    def same_digits(self, other: Sort) -> bool:
        """Return whether both systems have the same digits and the same order of reading."""
        if self.digits != other.digits or not self.system or not other.system:
            return False
        return self.lsd_first == other.lsd_first

    def told_apart(self, other: Sort) -> tuple[str, str]:
        """Return the names of two different sorts for messages, with identities if the names alone are equal."""
        if str(self) != str(other):
            return str(self), str(other)
        return f"{self} ({self.identity or 'built-in'})", f"another {other} ({other.identity or 'built-in'})"

    def opposite_order(self) -> Sort:
        """Return the same numbers, read from the other end."""
        return self._replace(system=system_name(self.system).reversed().full)

    def __str__(self) -> str:
        return self.system or "{" + ",".join(map(str, self.digits)) + "}"


def sort_of(track: Track) -> Sort:
    """Return the sort of an automaton's track."""
    return Sort(track.system, track.digits, track.stored_reversed, track.identity)


class RecursiveRelation(NamedTuple):
    """A relation by recursion: its formula, and the coefficient of each parameter in the measure that goes down."""

    name: str
    formula: Source
    weights: tuple[int, ...]


@value
class Definition:
    """A named relation: the automaton, in the order of its parameters.

    origin: the formula that was evaluated, or words on what else the automaton is, such as the name of its file.
    raw: the language was given as such (`reg`), so every call restricts it to valid representations and
    closes it under leading zeros; other definitions satisfy both already.
    recursion: of a relation that `solve` has found, the relations that were defined together, in order.
    since: of a part of a formula that was evaluated before, by what.
    """

    name: str
    automaton: Dfa
    origin: Origin = ""
    raw: bool = False
    recursion: tuple[RecursiveRelation, ...] = ()
    since: str = ""

    def __eq__(self, other: object) -> bool:
        """Return whether all is equal, formulas by their texts: plans compare their predicates again and again."""
        if self is other:
            return True
        return isinstance(other, Definition) and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((self.name, self.automaton.tracks, self.automaton.held, self.raw))

    def _compared(self) -> tuple[object, ...]:
        said = self.origin.text if isinstance(self.origin, Source) else self.origin
        return self.name, self.raw, said, self.automaton.tracks, self.automaton.held, self.recursion

    @property
    def sorts(self) -> tuple[Sort, ...]:
        """The sorts of the parameters, in order."""
        return tuple(sort_of(track) for track in self.automaton.tracks)

    @property
    def argument_sorts(self) -> tuple[Sort, ...]:
        """The sorts of the arguments of a call: of all parameters but that of a family, which formulas do not name."""
        return tuple(sort for sort in self.sorts if not is_parameter(sort.system))

    @property
    def source(self) -> Source | None:
        """The formula with its text; None if the automaton was not made by one."""
        return source_from(self.origin)


class PredicatesOfWords(Protocol):
    """The predicates that words have, which are made when they are looked up, by their kinds: feq, rev, pal."""

    def made(self, kind: str, letters: LetterComparison) -> Definition:
        """Return a predicate, which is made if it was not."""

    def known(self, kind: str, letters: LetterComparison) -> Definition | None:
        """Return a predicate that was made before; None for any other one."""


class KeptRelations(Protocol):
    """Relations that earlier sessions have learned, by the formulas that say what they are.

    They come from files, so they are candidates: what is read has to be proved.
    """

    def read(self, formula: Formula, names: Sequence[str]) -> Dfa | None:
        """Return a candidate for the relation of a formula, with these names of its tracks; None if there is none."""

    def write(self, formula: Formula, relation: Dfa) -> None:
        """Keep a relation for later sessions."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The meanings of all names of a formula; `system` raises a FibproverError for an unknown one.

    system_chosen: whether the user chose the default system, so that words over plain alphabets are its numbers if
    their letters are its digits; shared_digits: whether an argument or index in another system than that of the
    predicate's or word's track is read by its digits, if both systems have the same digits; of_words: the predicates
    of `words`, also those whose names are those of other definitions; kept: relations that were learned by others.
    """

    system: Callable[[str], NumerationSystem]
    default_system: str
    definitions: Mapping[str, Definition]
    words: Mapping[str, AutomaticWord]
    macros: Mapping[str, str]
    system_chosen: bool = True
    shared_digits: bool = False
    of_words: PredicatesOfWords | None = None
    kept: KeptRelations | None = None

    def sort(self, system: str) -> Sort:
        """Return the sort of the numbers of a system."""
        found = self.system(system)
        return Sort(found.name, found.digits, identity=found.identity)


@value
class SystemTable:
    """Numeration systems by name, as plain data: some that a session has added, and the built-in ones."""

    added: Mapping[str, NumerationSystem]

    def __call__(self, name: str) -> NumerationSystem:
        """Return the system with a name.  Raises a FibproverError if there is none."""
        return self.added.get(full_name(name)) or system_named(name)


def missing_predicate_hint(name: str, definitions: Mapping[str, object], words: Mapping[str, object]) -> str:
    """Return a hint for a predicate that does not exist: the word of this name, where it is, or what was meant."""
    if name in list(words):
        return f"{name} is a word: its letters are {name}[...]"
    own = definitions.maps[0] if isinstance(definitions, ChainMap) else definitions
    parts = word_predicate(name)
    if parts is None or most_similar(name, list(own)) is not None:
        of_words = [f"{kind}_{word}" for kind in WORD_PREDICATES for word in words]
        near = most_similar(name, [*own, *of_words])
        known = did_you_mean(name, list(own)) or f'a predicate is defined before it is called: def {name} "..."'
        return elsewhere(own, name) or (f"did you mean {near}?" if near else known)
    if parts[1] in words:
        return f"{parts[1]} has no such predicate: only words with one index have, which is a natural number"
    meant = word_meant(parts[1])
    if meant is not None and f"{parts[0]}_{meant.name}" in definitions:
        return f"did you mean {parts[0]}_{meant.name}?"
    return f"it would be a predicate of the word {parts[1]}, which is not defined"


def missing_word_hint(name: str, definitions: Mapping[str, object], words: Mapping[str, object]) -> str:
    """Return a hint for a word that does not exist: the predicate of this name, where it is, or what was meant.

    words: those of the library included.
    """
    if name in list(definitions):
        return f"{name} is a predicate: write ${name}"
    own = words.maps[0] if isinstance(words, ChainMap) else words
    return elsewhere(own, name) or unknown_word_hint(name, words)


def plain_lookup(
    system: Callable[[str], NumerationSystem], names: Iterable[str]
) -> Callable[[str], NumerationSystem]:
    """Return a picklable lookup that finds the systems with these names, and the built-in ones."""
    if system is system_named:
        return system
    added = {}
    for name in names:
        found = system(name)
        try:
            built_in = system_named(name) is found
        except BudgetSpent:
            raise
        except FibproverError:
            built_in = False
        if not built_in:
            added[found.name] = found
    return SystemTable(added) if added else system_named


def over_family(source: Source, environment: Environment) -> bool:
    """Return whether a formula names a family of numeration systems, itself or by a word or definition over one."""
    if is_family(environment.default_system):
        return True
    for node in nodes(source.formula):
        if isinstance(node, InSystem | SystemTerm) and is_family(full_name(node.system)):
            return True
        tracks: Iterable[Track] = ()
        if isinstance(node, Call) and (definition := environment.definitions.get(node.name)) is not None:
            tracks = definition.automaton.tracks
        elif isinstance(node, WordValue) and (word := environment.words.get(node.word)) is not None:
            tracks = word.tracks
        if any(is_parameter(track.system) for track in tracks):
            return True
    return False


def restrict(environment: Environment, source: Source) -> Environment:
    """Return the part of an environment that a formula uses, itself or by the definitions it calls, as plain data."""
    definitions: dict[str, Definition] = {}
    words: dict[str, AutomaticWord] = {}
    systems = {environment.default_system}
    reverses = False
    waiting = [source]
    while waiting:
        for node in nodes(waiting.pop().formula):
            if isinstance(node, Call) and node.name in environment.definitions and node.name not in definitions:
                definition = environment.definitions[node.name]
                if (inside := definition.source) is not None:
                    waiting.append(inside)
                definitions[node.name] = definition
                systems.update(sort.system for sort in definition.argument_sorts if sort.system)
            elif isinstance(node, WordValue) and node.word in environment.words:
                words[node.word] = environment.words[node.word]
                systems.update(track.system for track in words[node.word].indices if track.system)
            elif isinstance(node, InSystem | SystemTerm):
                systems.add(node.system)
            elif isinstance(node, Reversed):
                reverses = True
    if reverses:
        # Outside of a reversal its numbers are those of the system of the opposite order.
        systems |= {system_name(name).reversed().full for name in systems}
    lookup = plain_lookup(environment.system, sorted(systems))
    return replace(environment, system=lookup, definitions=definitions, words=words, macros={}, of_words=None)
