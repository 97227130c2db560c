"""The frequencies of the letters of a word, exactly, or that they do not exist.

The numbers whose first digits lead to a state of the word's automaton are an interval.  Their letters have a limit
frequency that depends on the strongly connected components which the state reaches and which grow like the system
itself, by beta: within one of them it is that of the left eigenvector for beta, in Q(beta), for each residue class of
lengths if the component is periodic, with the last digits that lead out of it.  The frequency exists if and only if
all these are the same, because each such interval is more than a constant part of the numbers before its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import NamedTuple

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import LimitError
from fibprover.base.limits import poll
from fibprover.numeration.digit_values import DigitValues, digit_values
from fibprover.numeration.equations import solved
from fibprover.numeration.number_field import Algebraic
from fibprover.numeration.system import NumerationSystem

#: Larger components are not solved, since the time for elimination grows with the cube.
MOST_NODES = 150


def letter_frequencies(machine: Dfa, system: NumerationSystem) -> dict[int, Algebraic | None]:
    """Return the frequency of each letter of a word, given by its automaton; None for a letter that has none.

    Raises NotSupported for systems that no Pisot number governs, LimitError for a large automaton.
    """
    values = digit_values(system)
    nodes = _nodes(machine, system, values)
    zero = values.field.number(0)
    found: dict[int, Algebraic | None] = {}
    letters = sorted(set(machine.outputs))
    for component in _components(nodes.rows):
        vector = _eigenvector(nodes, component, values)
        if vector is None:
            continue
        for ends in _ends(nodes, _classes(nodes.rows, component), vector, values):
            total = sum(ends.values(), zero)
            if not total:
                continue
            for letter in letters:
                here = ends.get(letter, zero) / total
                found[letter] = here if found.get(letter, here) == here else None
    return found


def _ends(
    nodes: _Nodes, classes: list[list[int]], vector: Mapping[int, Algebraic], values: DigitValues
) -> list[dict[int, Algebraic]]:
    """Return for each class of a component how many numbers end with each letter, compared with each other.

    The last digits may lead out of the component, as in systems whose last places have other digits.  What grows less
    than the component is a solution of linear equations there: what enters a node is what it grows by.
    """
    turn = {node: place for place, part in enumerate(classes) for node in part}
    outside: dict[tuple[int, int], int] = {}
    incoming: dict[tuple[int, int], list[tuple[int, int]]] = {}
    ahead = list(turn.items())
    for node, place in ahead:
        for target in nodes.rows[node]:
            if target in turn:
                continue
            after = target, (place + 1) % len(classes)
            incoming.setdefault(after, []).append((node, place))
            if after not in outside:
                outside[after] = len(outside)
                ahead.append(after)
    if len(outside) > MOST_NODES:
        raise LimitError(f"too many states ({len(outside)}) come after a component of the automaton of the word")
    zero = values.field.number(0)
    rows = []
    for (node, place), number in outside.items():
        row = [zero] * (len(outside) + 1)
        row[number] += values.field.beta if values.grows(nodes.left[node]) else 1
        for source in incoming[node, place]:
            if source in outside:
                row[outside[source]] -= 1
            else:
                row[-1] += vector[source[0]]
        rows.append(row)
    solution = solved(rows) if rows else []
    if solution is None:
        raise LimitError("the numbers of words after a component of the automaton are not determined")
    found: list[dict[int, Algebraic]] = [{} for _ in classes]
    weights = [*((node, place, vector[node]) for node, place in turn.items()),
               *((node, place, each) for (node, place), each in zip(outside, solution, strict=True))]
    for node, place, weight in weights:
        letter = nodes.letters[node]
        if letter is not None:
            found[place][letter] = found[place].get(letter, zero) + weight
    return found


class _Nodes(NamedTuple):
    """The states after a first digit other than 0.

    rows: the successors, once for each digit; letters: the letter of each that ends a number, None for others; left:
    how many digits are left, modulo the period of the system.
    """

    rows: list[list[int]]
    letters: list[int | None]
    left: list[int]


def _nodes(machine: Dfa, system: NumerationSystem, values: DigitValues) -> _Nodes:
    """Return the nodes: each is a state of the word, one of the valid words, and how many digits are left."""
    valid = system.msd_first.valid
    numbers: dict[tuple[int, int, int], int] = {}
    found: list[tuple[int, int, int]] = []

    def row(state: int, other: int, left: int, *, first: bool = False) -> list[int]:
        targets = []
        for code, target in machine.row(state):
            beyond = valid.successor(other, code)
            if beyond is None or (first and not machine.letter(code)[0]):
                continue
            node = target, beyond, (left - 1) % values.period
            if node not in numbers:
                numbers[node] = len(found)
                found.append(node)
            targets.append(numbers[node])
        return targets

    for start in range(values.period):
        row(0, 0, start, first=True)
    rows = [row(*node) for node in found]  # found grows meanwhile
    letters = [
        machine.outputs[state] if valid.outputs[other] and not left else None for state, other, left in found
    ]
    return _useful(_Nodes(rows, letters, [left for _, _, left in found]))


def _useful(nodes: _Nodes) -> _Nodes:
    """Return the nodes from which a number can end."""
    sources: list[list[int]] = [[] for _ in nodes.rows]
    for source, row in enumerate(nodes.rows):
        for target in set(row):
            sources[target].append(source)
    ahead = [node for node, letter in enumerate(nodes.letters) if letter is not None]
    seen = set(ahead)
    for node in ahead:
        new = set(sources[node]) - seen
        seen |= new
        ahead.extend(new)
    kept = sorted(seen)
    place = {node: number for number, node in enumerate(kept)}
    return _Nodes(
        [[place[target] for target in nodes.rows[node] if target in place] for node in kept],
        [nodes.letters[node] for node in kept], [nodes.left[node] for node in kept],
    )


def _reached(rows: list[list[int]], start: int) -> set[int]:
    """Return the nodes that one or more edges lead to."""
    seen = set(rows[start])
    ahead = list(seen)
    for node in ahead:
        new = set(rows[node]) - seen
        seen |= new
        ahead.extend(new)
    return seen


def _components(rows: list[list[int]]) -> list[list[int]]:
    """Return the strongly connected components with an edge."""
    reached = []
    for node in range(len(rows)):
        poll("the components of a word")
        reached.append(_reached(rows, node))
    found: dict[int, list[int]] = {}
    for node, there in enumerate(reached):
        if node in there:
            found.setdefault(min(other for other in there if node in reached[other]), []).append(node)
    return list(found.values())


def _classes(rows: list[list[int]], component: list[int]) -> list[list[int]]:
    """Return the classes of a component that follow each other, one if it has no period."""
    inside, places, period = set(component), {component[0]: 0}, 0
    ahead = [component[0]]
    for node in ahead:
        for target in set(rows[node]) & inside:
            if target in places:
                period = gcd(period, places[node] + 1 - places[target])
            else:
                places[target] = places[node] + 1
                ahead.append(target)
    return [[node for node in component if places[node] % period == turn] for turn in range(period)]


def _eigenvector(nodes: _Nodes, component: list[int], values: DigitValues) -> dict[int, Algebraic] | None:
    """Return the left eigenvector of a component for beta; None if its growth is less."""
    if len(component) > MOST_NODES:
        raise LimitError(f"the automaton of the word has a component of {len(component)} states")
    places = {node: place for place, node in enumerate(component)}
    size, zero = len(component), values.field.number(0)
    # Column by column: the sum over s of x_s B[s][t] is g x_t, where g is what the words grow by before t.
    matrix = [[zero] * size for _ in range(size)]
    for node in component:
        for target in nodes.rows[node]:
            if target in places:
                matrix[places[target]][places[node]] += 1
    for place, node in enumerate(component):
        matrix[place][place] -= values.field.beta if values.grows(nodes.left[node]) else 1
    # The last coordinate is 1: an irreducible matrix has an eigenvector without a 0.
    found = solved([[*row[:-1], -row[-1]] for row in matrix])
    return None if found is None else dict(zip(component, [*found, zero + 1], strict=True))
