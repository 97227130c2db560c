"""Which sequences of the On-Line Encyclopedia a sequence is, of those that the library knows: no network is asked.

A candidate has the same first terms; then its own equations are solved, and the equality is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from fibprover.base.limits import spending
from fibprover.base.values import value
from fibprover.language.equation_parser import read_equations
from fibprover.numeration.registry import system_named
from fibprover.prover.decide import Options
from fibprover.prover.environment import Environment
from fibprover.sequences.across import over_power
from fibprover.sequences.catalogue import KNOWN, KnownSequence
from fibprover.sequences.counting import values_of_states
from fibprover.sequences.rational import minimal
from fibprover.sequences.series import Series
from fibprover.sequences.solving import Known, solve_equations
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import ENTRIES, LibraryWords

#: So many letters of a word are compared before a proof.
_COMPARED = 40


@value
class EncyclopediaEntry:
    """A number of the On-Line Encyclopedia of Integer Sequences, and what the sequence is.

    relation: how the terms are those of the encyclopedia, "" if they are the same, from where its list begins.
    """

    number: str
    title: str
    relation: str = ""

    def __str__(self) -> str:
        return f"{self.number}, {self.title}{f': {self.relation}' if self.relation else ''}"


def oeis(sequence: Series) -> list[EncyclopediaEntry]:
    """Return the sequences of the encyclopedia, of those that the library knows, that a sequence is; each proved.

    Parameters:

    - sequence: a sequence of one variable

    Returns: the entries, by their numbers; none if the library knows no such sequence. Equality over different systems
    is not seen, but for powers of one base.

    Errors: AutomatonError for a sequence of several variables; BudgetSpent.

    >>> s = fp.Session()
    >>> [str(each) for each in fp.oeis(s.solve("a", "a(0)=0, a(n)=a(n-1)+n for n>0").sequence)]
    ['A000217, triangular numbers']
    """
    _ = sequence.system
    with spending(sequence.limits.start()):
        found = {each.number: each for each in (*_words(sequence), *_sequences(sequence))}
    return [found[number] for number in sorted(found)]


def _sequences(sequence: Series) -> Iterator[EncyclopediaEntry]:
    words = LibraryWords(lambda name: system_named(name).track("n"))
    environment = Environment(system_named, "msd_2", {}, words, {})
    for each in alike(sequence):
        if _are_equal(sequence, _solved(each, environment, sequence)):
            yield EncyclopediaEntry(each.number, each.title, each.relation)


def alike(sequence: Series) -> Iterator[KnownSequence]:
    """Yield the sequences that are known and begin with the same terms."""
    return (each for each in KNOWN.values() if sequence[: len(each.terms)] == list(each.terms))


def _solved(known: KnownSequence, environment: Environment, like: Series) -> Series:
    """Return a known sequence, by its equations."""
    recursions = {name: read_equations(name, text, {}) for name, text in known.by_name.items()}
    return solve_equations(recursions, Known(environment, Options(limits=like.limits), {})).sequences["a"]


def _are_equal(one: Series, other: Series) -> bool:
    """Return whether sequences are equal, also over a base and a power of it."""
    if one.system == other.system:
        return one == replace(other, variables=one.variables)
    for small, large in ((one, other), (other, one)):
        base, whole = small.system.integer_base, large.system.integer_base
        if base and whole and 1 < base < whole and small.system.name == f"msd_{base}":
            size = next(size for size in count(2) if base**size >= whole)
            if f"msd_{base**size}" == large.system.name:
                return over_power(small, size) == replace(large, variables=small.variables)
    return False


def _words(sequence: Series) -> Iterator[EncyclopediaEntry]:
    """Yield the words of the library of which a sequence has the letters."""
    words = LibraryWords(lambda name: system_named(name).track("n"))
    first = sequence[:_COMPARED]
    for name, entry in ENTRIES.items():
        if entry.oeis and entry.indices == (sequence.system.name,):
            word = words[name]
            if word[:_COMPARED] == first and _are_equal(sequence, _letters(word, sequence)):
                relation = "" if entry.relation == f"{name}[n] = a(n)" else entry.relation
                yield EncyclopediaEntry(entry.oeis, entry.title, relation)


def _letters(word: AutomaticWord, like: Series) -> Series:
    """Return the letters of a word as a sequence, over the system of another one."""
    found = minimal(*values_of_states(word.machine, (int(output) for output in word.machine.outputs)))
    return Series(like.variables, like.systems, *found)
