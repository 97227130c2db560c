"""The pairs of a relation on a square board."""

from __future__ import annotations

from fibprover.automata.dfa import Track
from fibprover.errors import BudgetSpent
from fibprover.limits import Limits
from fibprover.verdict.relation import Relation

#: The numbers that begin with the same digits, by the place of the next digit in its alphabet; at the end, a number.
_Tree = dict[int, "_Tree"] | int

#: Steps between two looks at the clock.
_STEPS = 10_000


def pairs_in_square(relation: Relation, size: int, limits: Limits | None = None) -> frozenset[tuple[int, int]]:
    """The pairs of naturals below `size`, at least 1, of a relation of two numbers; of integers, too.

    Numbers that begin with the same digits are sought together, for as long as some may be found: at worst
    O(digits * size^2).  BudgetSpent after the seconds of the limits.
    """
    limits = limits or Limits()
    budget = limits.start()
    automaton = relation.automaton
    columns, rows = (_tree(relation, track, size) for track in automaton.tracks)
    targets = [dict(automaton.row(state)) for state in range(automaton.states)]
    radix = automaton.radices[1]
    found: set[tuple[int, int]] = set()
    pending, steps = [(0, columns, rows)], 0
    while pending:
        state, column, row = pending.pop()
        steps += 1
        if steps % _STEPS == 0 and budget.seconds_left() < 0:
            raise BudgetSpent("seconds", limits.seconds or 0.0, during=f"the list of pairs below {size}")
        if isinstance(column, int) or isinstance(row, int):
            if automaton.outputs[state]:
                assert isinstance(column, int) and isinstance(row, int)
                found.add((column, row))
            continue
        there = targets[state]
        for digit, left in column.items():
            for other, right in row.items():
                target = there.get(digit * radix + other)
                if target is not None:
                    pending.append((target, left, right))
    return frozenset(found)


def _tree(relation: Relation, track: Track, size: int) -> _Tree:
    """The numbers below `size` by their digits, with leading zeros so that all are as long as on both tracks."""
    systems = {each.system for each in relation.automaton.tracks}
    length = max(len(relation.system(name).represent(number)) for name in systems for number in range(size))
    places = {digit: place for place, digit in enumerate(track.digits)}
    if not length:
        return 0
    tree: dict[int, _Tree] = {}
    for number in range(size):
        digits = relation.system(track.system).represent(number)
        node = tree
        path = [places[digit] for digit in (*(0 for _ in range(length - len(digits))), *digits)]
        for place in path[:-1]:
            inner = node.setdefault(place, {})
            assert isinstance(inner, dict)
            node = inner
        node[path[-1]] = number
    return tree
