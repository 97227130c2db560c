"""Predicates and words over all slopes, called by a formula whose numbers are in the Ostrowski system of one slope.

In `?msd_ost_0_2_per_1 C[i]=1` the word C is the characteristic word of [0; 2, (1)]: the automaton over all slopes is
intersected with this one, and read in the digits of its system (`fibprover.numeration.members`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.outputs import combined
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.base.names import full_name, is_slope, ostrowski_slope
from fibprover.base.values import replaced
from fibprover.language.source import Occurrence, Source
from fibprover.language.tree import Call, InSystem, SystemTerm, WordValue
from fibprover.numeration.members import at_parameter
from fibprover.prover.environment import Definition, Environment, restrict, sort_of
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.words.automatic import AutomaticWord, automatic_word


def at_one_slope(source: Source, environment: Environment, budget: Budget = UNLIMITED) -> Environment:
    """Return the environment with what the formula calls over all slopes taken at the slope of its numbers.

    Returns what the formula uses; the environment itself where not all of it is called with numbers of one Ostrowski
    system.
    """
    called = list(_called_over_slopes(source, environment))
    systems = {system for _, system in called}
    if len(systems) != 1:
        return environment
    (system,) = systems
    slope = ostrowski_slope(system)
    if slope is None:
        return environment
    definitions, words = dict[str, Definition](), dict[str, AutomaticWord]()
    for node, _ in called:
        if isinstance(node, Call):
            given = environment.definitions[node.name]
            there = _at(given.automaton, slope, system, environment, budget)
            definitions[node.name] = replaced(given, automaton=there, origin=f"{node.name} at {slope}", recursion=())
        else:
            words[node.word] = _word_at(environment.words[node.word], slope, system, environment, budget)
    used = restrict(environment, source)
    return replace(used, definitions={**used.definitions, **definitions}, words={**used.words, **words})


def _called_over_slopes(source: Source, environment: Environment) -> Iterator[tuple[Call | WordValue, str]]:
    """Yield the predicates and words over all slopes that a formula calls, each with the system that is around it."""
    waiting: list[tuple[Occurrence, str]] = [(source.root, full_name(environment.default_system))]
    while waiting:
        at, system = waiting.pop()
        node = at.node
        if isinstance(node, InSystem | SystemTerm):
            system = full_name(node.system)
        tracks: tuple[Track, ...] = ()
        if isinstance(node, Call) and node.name in environment.definitions:
            tracks = environment.definitions[node.name].automaton.tracks
        elif isinstance(node, WordValue) and node.word in environment.words:
            tracks = environment.words[node.word].tracks
        if isinstance(node, Call | WordValue) and any(is_slope(track.system) for track in tracks):
            yield node, system
        waiting += [(each, system) for each in at.below]


def _at(automaton: Dfa, slope: str, system: str, environment: Environment, budget: Budget) -> Dfa:
    """Return a relation over all slopes at one of them, over the system of the formula."""
    found, _ = at_parameter(automaton, slope, budget)
    numbers = environment.system(system)
    return found.with_tracks(tuple(numbers.track(name) for name in found.names))


def _word_at(
    word: AutomaticWord, slope: str, system: str, environment: Environment, budget: Budget
) -> AutomaticWord:
    """Return a word over all slopes at one of them."""
    atoms = Atoms(environment.system, {track.name: sort_of(track) for track in word.tracks}, budget)
    parts = []
    for letter in sorted(set(word.outputs)):
        relation = atoms.relation(word.where([letter], budget), word.machine.names)
        parts.append((_at(relation, slope, system, environment, budget), letter))
    return automatic_word(word.name, combined(parts, budget), budget)
