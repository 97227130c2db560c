"""What the states of small automata in a certificate mean, in sentences such as `s-floor(n*(1+sqrt(5))/2) = 1`.

In: a certificate that has been checked.  Out: for each predicate and definition with few states a sentence about each
state, which is true after all words that lead to it.  The sentences are guessed from the first words and decided by
functions of the checker; the proof does not need them.  Begin with `sketch`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd, isqrt
from typing import TypeAlias

from fibprover.checker import fibcheck
from fibprover.checker.fibcheck import Automaton, Budget, Checker, Integers, Relation, Series, System

#: Automata with more states, or tracks, are left out.
MOST_STATES, _MOST_TRACKS = 20, 4

#: How many tuples of numbers are tried for a state; coefficients of sums are at most this.
_WORDS, _COEFFICIENT = 40, 2

_SHOWN = 4

#: The variable of a floor; no variable of a certificate has such a name.
_VALUE = "floor of"

_FLOOR = re.compile(r"\(n,m\) with m = (floor\(n\*\((-?\d+)\+sqrt\((\d+)\)\)/2\))")
_NUMBER = re.compile(r"_\d+$", re.ASCII)

Numbers: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StateSentence:
    """What is true of the numbers that have been read when a state is reached; whether it accepts; where it leads."""

    state: int
    sentence: str
    accepts: bool
    leads: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        ways = "".join(f"; by {letter} to {there}" for letter, there in self.leads)
        return f"{self.state}: {self.sentence}{' (accepted)' if self.accepts else ''}{ways}"


@dataclass(frozen=True, slots=True)
class NamedStates:
    """The states of the automaton of a name, such as `$plus(x,y,z)`."""

    name: str
    states: tuple[StateSentence, ...]


@dataclass(frozen=True, slots=True)
class _Floor:
    """A function floor(n*(a+sqrt(d))/2) of which the certificate has a relation between n and its value."""

    text: str
    a: int
    d: int
    relation: Relation

    def at(self, number: int) -> int:
        return (number * self.a + isqrt(number * number * self.d)) // 2


def sketch(checker: Checker, budget: Budget) -> tuple[NamedStates, ...]:
    """Return the sentences of the predicates and definitions that have few states, as far as the budget goes."""
    relations, found = list(_relations(checker)), list[NamedStates]()
    floors = [floor for name, _, relation in relations if (floor := _floor(checker.meanings.get(name, ""), relation))]
    for name, parameters, relation in relations:
        if not _is_small(checker, relation, budget):
            continue
        try:
            integers = [checker.integers.get(system) for system in checker.arguments[name]]
            sentences = tuple(_States(checker, relation, parameters, integers, floors, budget).sentences())
        except fibcheck.Malformed:  # more steps than the budget has, or sequences of too large dimensions
            continue
        found.append(NamedStates(f"${name}({','.join(parameters)})", sentences))
    return tuple(found)


def _is_small(checker: Checker, relation: Relation, budget: Budget) -> bool:
    """Return whether an automaton has few states and tracks, and reads only words that are numbers."""
    automaton, names = relation
    if len(automaton.rows) > MOST_STATES or not 0 < len(names) <= _MOST_TRACKS:
        return False
    words = [checker.systems[checker.system(name)].words for name in names]
    if not all(all(each.outputs) for each in words):
        return False
    read = Relation(Automaton(automaton.rows, [1] * len(automaton.rows)), names)
    return fibcheck.walk([read], [Relation(each, [name]) for each, name in zip(words, names, strict=True)], all, budget)


def _relations(checker: Checker) -> Iterator[tuple[str, Sequence[str], Relation]]:
    """Yield names, their parameters, and the relations of these, over variables of the certificate."""
    called: dict[str, Relation] = {}
    for claim in checker.claims:
        match claim.formula:
            case ("call", names, name) if not claim.guards and len(set(names)) == len(names):
                own = [claim.relation.names.index(one) for one in names if one in claim.relation.names]
                if len(own) == len(names) == len(claim.relation.names):
                    rows = [{tuple([letter[place] for place in own]): there for letter, there in row.items()}
                            for row in claim.relation.automaton.rows]
                    called.setdefault(name, Relation(Automaton(rows, claim.relation.automaton.outputs), list(names)))
    for name in (*checker.predicates, *checker.definitions):
        if name in called:
            parameters = checker.definitions[name][0] if name in checker.definitions else called[name].names
            parameters = ["x", "y", "z"] if name in checker.additions else parameters
            short = [_NUMBER.sub("", one) for one in parameters]
            yield name, short if len(set(short)) == len(short) else parameters, called[name]


def _floor(meaning: str, relation: Relation) -> _Floor | None:
    """Return the function that a relation has, if its meaning is a floor."""
    found = _FLOOR.fullmatch(meaning)
    return None if found is None else _Floor(found[1], int(found[2]), int(found[3]), relation)


class _States:
    """Finds sentences about the states of one relation.

    names, integers: of each track its name, and how its words stand for integers, None where they are numbers.
    """

    def __init__(
        self, checker: Checker, relation: Relation, names: Sequence[str], integers: Sequence[Integers | None],
        floors: Sequence[_Floor], budget: Budget,
    ) -> None:
        self.checker, self.relation, self.names, self.integers = checker, relation, names, integers
        self.floors, self.budget = floors, budget
        self.systems = [checker.systems[checker.system(name)] for name in relation.names]
        self.values = [_value_of(system) if one is None else _integer_of(one, system.digits)
                       for system, one in zip(self.systems, integers, strict=True)]
        self.reached = self.samples()

    def sentences(self) -> Iterator[StateSentence]:
        rows, outputs = self.relation.automaton.rows, self.relation.automaton.outputs
        for state, row in enumerate(rows):
            leads = tuple((",".join(map(str, letter)), there) for letter, there in sorted(row.items()))
            yield StateSentence(state, self.sentence(state), bool(outputs[state]), leads)

    def samples(self) -> list[dict[Numbers, None]]:
        """Return of each state the first numbers that are read when it is reached; words are read in turn.

        A state has none only if no word leads to it: a row is followed whenever its state gets numbers.
        """
        rows = self.relation.automaton.rows
        found: list[dict[Numbers, None]] = [{} for _ in rows]
        found[0][(0,) * len(self.systems)] = None
        todo: list[tuple[int, tuple[tuple[int, ...], ...]]] = [(0, ())]
        for state, word in todo:
            self.budget.spend(len(rows[state]))
            for letter, there in rows[state].items():
                if len(found[there]) >= _WORDS:
                    continue
                longer = (*word, letter)
                words = zip(*longer, strict=True)
                numbers = tuple([system.place(one) if kind is None else kind.value(one)
                                 for system, kind, one in zip(self.systems, self.integers, words, strict=True)])
                if numbers not in found[there]:
                    found[there][numbers] = None
                    todo.append((there, longer))
        return found

    def sentence(self, state: int) -> str:
        """Return what is true of the numbers when a state is reached, or the first of them."""
        numbers = list(self.reached[state])
        if not numbers:
            return "it is reached by no words"
        there = Relation(Automaton(self.relation.automaton.rows, [int(one == state) for one in range(
            len(self.relation.automaton.rows))]), self.relation.names)
        facts = [*self.linear_facts(numbers, there)]
        if len(facts) < len(self.names) - 1 or not facts:
            facts += self.floor_facts(numbers, there)
        if facts:
            return " and ".join(facts)
        first = ", ".join(_tuple_text(one) for one in numbers[:_SHOWN])
        return f"{','.join(self.names)} is one of {first}, ..."

    def linear_facts(self, numbers: Sequence[Numbers], there: Relation) -> Iterator[str]:
        """Yield equations between the numbers, the simplest first, none of which follows from those before."""
        tracks = range(len(self.names))
        vectors = sorted(product(range(-_COEFFICIENT, _COEFFICIENT + 1), repeat=len(self.names)),
                         key=lambda one: (sum(map(abs, one)), sum(1 for each in one if each), [-each for each in one]))
        known = fibcheck.Span(self.budget)
        for vector in vectors:
            if gcd(*vector) != 1 or next(each for each in vector if each) < 0:
                continue
            sums = {sum(c * each for c, each in zip(vector, one, strict=True)) for one in numbers}
            if len(sums) > 1 or len(known.rows) == len(self.names):
                continue
            constant, = sums
            terms = [fibcheck.Product(vector[track], [(self.values[track], there.names[track])])
                     for track in tracks if vector[track]]
            if fibcheck.vanishes(there, [*terms, fibcheck.Product(-constant, [])], self.budget) \
                    and known.add(list(vector)) is not None:
                yield f"{_sum_text(vector, self.names)} = {constant}"

    def floor_facts(self, numbers: Sequence[Numbers], there: Relation) -> Iterator[str]:
        """Yield, of pairs of numbers, what one is beside the floor of a multiple of the other."""
        pairs = [(x, y) for x in range(len(self.names)) for y in range(len(self.names)) if x != y]
        for (x, y), floor, times in product(pairs, self.floors, range(-_COEFFICIENT, _COEFFICIENT + 1)):
            if self.integers[x] or self.systems[x] is not self.checker.systems[
                self.checker.system(floor.relation.names[0])
            ]:
                continue
            rest = {one[y] - floor.at(one[x]) - times * one[x] for one in numbers}
            if len(rest) > 1:
                continue
            constant, = rest
            values = _value_of(self.checker.systems[self.checker.system(floor.relation.names[1])])
            both = fibcheck.joined(
                [Relation(there.automaton, there.names), Relation(floor.relation.automaton, [there.names[x], _VALUE])],
                [], all, self.budget,
            )
            terms = [
                fibcheck.Product(1, [(self.values[y], there.names[y])]), fibcheck.Product(-1, [(values, _VALUE)]),
                fibcheck.Product(-times, [(self.values[x], there.names[x])]), fibcheck.Product(-constant, []),
            ]
            if fibcheck.vanishes(both, terms, self.budget):
                text = floor.text.replace("floor(n*", f"floor({self.names[x]}*")
                more = "" if not times else _signed(-times, self.names[x])
                yield f"{self.names[y]}-{text}{more} = {constant}"
                return


def _value_of(system: System) -> Series:
    """Return the sequence 0, 1, 2, ... of the numbers themselves: how many words of the same length come before.

    Its rows have, for each state of the system, how many of these words lead there, and whether the word itself does.
    """
    rows = system.words.rows
    size = len(rows)
    matrices: list[fibcheck.Matrix] = []
    for digit in range(system.digits):
        matrix: fibcheck.Matrix = [{} for _ in range(2 * size)]
        for state, row in enumerate(rows):
            for (other,), there in row.items():
                before = matrix[state]
                before[there] = before.get(there, 0) + 1
                if other < digit:
                    own = matrix[size + state]
                    own[there] = own.get(there, 0) + 1
                if other == digit:
                    own = matrix[size + state]
                    own[size + there] = own.get(size + there, 0) + 1
        matrices.append(matrix)
    first: fibcheck.Row = [int(place == size) for place in range(2 * size)]
    column: fibcheck.Row = [*(int(output != 0) for output in system.words.outputs), *[0] * size]
    return Series(first, matrices, column)


def _integer_of(integers: Integers, digits: int) -> Series:
    """Return the sequence of the integers for which the numbers 0, 1, 2, ... stand.

    A row has the integer of the digits read, and 1 at last; one more digit d makes d - k*z of z in base -k.  In
    negaFibonacci it makes d + y of z, where y is the integer of the same digits one place higher, and z - y that two
    places higher: y is in the row, too.
    """
    k = integers.base
    if k:
        return Series([0, 1], [[{0: -k}, {0: digit, 1: 1}] for digit in range(digits)], [1, 0])
    return Series([0, 0, 1], [[{1: 1}, {0: 1, 1: -1}, {0: d, 1: -d, 2: 1}] for d in range(digits)], [1, 0, 0])


def _signed(coefficient: int, name: str) -> str:
    number = "" if abs(coefficient) == 1 else f"{abs(coefficient)}*"
    return f"{'-' if coefficient < 0 else '+'}{number}{name}"


def _sum_text(vector: Sequence[int], names: Sequence[str]) -> str:
    return "".join(_signed(c, name) for c, name in zip(vector, names, strict=True) if c).removeprefix("+")


def _tuple_text(numbers: Numbers) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"({','.join(map(str, numbers))})"
