"""The linear representation of the numbers of tuples of a relation.

Berstel and Reutenauer, Noncommutative Rational Series with Applications, chapter 1: an automaton's runs are counted by
its incidence matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fibprover.automata import language, operations
from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import lsd_first
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.rational import Matrix, Number, Representation, Vector, matrix_of, minimal, times

#: The representation of a larger automaton is not minimized, since the time for this grows with the cube.
MOST_MINIMIZED = 300


def count_representation(relation: Relation, variables: Sequence[str], budget: Budget = UNLIMITED) -> Representation:
    """Return how many values of all other variables of a relation complete values of these.

    Values of the others that are longer than these count, too.  Raises AutomatonError for a variable that is repeated
    or is not in the relation, for tracks that do not hold numbers, for msd and lsd systems in one relation, and if some
    count is infinite.
    """
    automaton = relation.automaton
    names = ", ".join(automaton.names) or "none"
    for name in variables:
        if name not in automaton.names:
            raise AutomatonError(f"{name} is not a free variable of the formula", hint=f"it has {names}")
    if len(set(variables)) != len(variables) or not variables:
        raise AutomatonError("a linear representation needs at least one variable, and all of them different")
    orders = {lsd_first(track) for track in automaton.tracks}
    if len(orders) > 1 or any(not track.system for track in automaton.tracks):
        raise AutomatonError("a linear representation needs numbers, in msd or in lsd systems only")
    parts = _matrices(automaton, variables)
    # Zeros in front leave the state of the beginning unchanged, so the row never shrinks.  It becomes constant within
    # as many steps as there are states, or a cycle makes it grow without end.
    row: Vector = (1, *(0 for _ in range(automaton.states - 1)))
    for _ in range(automaton.states + 1):
        following = times(row, parts[0])
        if following == row or not any(following):
            break
        row = following
    else:
        others = [name for name in automaton.names if name not in variables]
        raise AutomatonError(_infinite(relation, others, budget), hint="bound the variables that are counted")
    representation: Representation = row, tuple(int(output != 0) for output in automaton.outputs), parts
    return minimal(*representation) if automaton.states <= MOST_MINIMIZED else representation


def _matrices(a: Dfa, variables: Sequence[str]) -> tuple[Matrix, ...]:
    """Return for each letter of some tracks how many transitions there are from state to state."""
    places = [a.names.index(name) for name in variables]
    radices = [a.radices[place] for place in places]
    letters = 1
    for radix in radices:
        letters *= radix
    found: list[dict[tuple[int, int], int]] = [{} for _ in range(letters)]
    codes: dict[int, int] = {}
    for state in range(a.states):
        for code, target in a.row(state):
            if code not in codes:
                letter = a.letter(code)
                short = 0
                for place, radix in zip(places, radices, strict=True):
                    short = short * radix + letter[place]
                codes[code] = short
            part = found[codes[code]]
            part[state, target] = part.get((state, target), 0) + 1
    return tuple(matrix_of(a.states, [(*place, count) for place, count in part.items()]) for part in found)


def values_of_states(machine: Dfa, values: Iterable[Number]) -> Representation:
    """Return the representation whose value at a word is that of the state it leads to, 0 where it leads to none."""
    steps: list[list[tuple[int, int, Number]]] = [[] for _ in range(machine.letters)]
    for state in range(machine.states):
        for code, target in machine.row(state):
            steps[code].append((state, target, 1))
    parts = tuple(matrix_of(machine.states, entries) for entries in steps)
    return (1, *(0 for _ in range(machine.states - 1))), tuple(values), parts


def _infinite(relation: Relation, others: Sequence[str], budget: Budget) -> str:
    """Return the error message for a relation with an infinite count, with an example."""
    where = operations.infinitely_many(relation.automaton, others, budget)
    words = language.first_words(where, 1, budget)
    if not words:
        return "the representation does not settle"
    values = Relation(where, relation.system).decoded(words[0])
    at = ", ".join(f"{name} = {value}" for name, value in zip(where.names, values, strict=True))
    return f"infinitely many values of {', '.join(others)} are related to {at}, so they cannot be counted"
