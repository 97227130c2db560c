"""The words of a that are not in (exists x. b): the sets of b's states are found only along the letters of a."""

from __future__ import annotations

from array import array
from functools import reduce
from itertools import pairwise
from operator import add, or_
from typing import Any, Generic

from fibprover.automata.kernels.python.arrays import Arrays, Csr, Numbering, Recode, exported, extend_long
from fibprover.automata.kernels.python.budget import FUEL, Meter
from fibprover.automata.kernels.python.questions import word_from
from fibprover.automata.kernels.python.searches import KeyedRows, Search, letter_apart
from fibprover.automata.kernels.python.sets import S
from fibprover.automata.kernels.python.subsets import Nfa

#: The bytes for the steps of a set, besides the set itself.
BYTES_OF_STEPS = 600


class Guarded(Generic[S]):
    """The sets of b's states, numbered as found from 1 on; 0 stands for a missing one.

    Numbers are multiplied by `factor`, so that with a state of a they make a pair.
    """

    def __init__(self, b: Csr, kept_b: Recode, zero: int, factor: int, meter: Meter) -> None:
        self.meter = meter
        self.factor = factor
        self.nfa: Nfa[S] = Nfa((b,), (kept_b,), zero, meter)
        self.numbers: Numbering[S] = Numbering(meter, self.nfa.initial)
        self.accepting: S = self.nfa.accepting()
        self.rows: dict[int, dict[int, S]] = {}
        self.steps: list[Steps[S]] = []
        #: The bytes that the sets with steps take.
        self.held = self.nfa.held

    def row(self, state: int) -> dict[int, S]:
        """Return the targets of a state of b by kept letter."""
        found = self.rows.get(state)
        if found is None:
            found = self.rows[state] = self.nfa.row(state)
        return found

    def steps_of(self, number: int) -> Steps[S]:
        """Return where a set, 1 or above, leads to."""
        while len(self.steps) < number:
            states = self.numbers.found[len(self.steps)]
            self.held += self.nfa.sets.size(states) + BYTES_OF_STEPS
            self.steps.append(Steps(self, states))
        return self.steps[number - 1]

    def accepts(self, number: int) -> bool:
        """Return whether one of a set's states accepts."""
        return number > 0 and self.nfa.sets.meet(self.numbers.found[number - 1], self.accepting)


class Steps(dict[int, int], Generic[S]):
    """Where one set leads to by each kept letter, computed when it is asked for first."""

    __slots__ = ("rows", "sets")

    def __init__(self, sets: Guarded[S], states: S) -> None:
        super().__init__()
        self.sets: Guarded[S] = sets
        self.rows: list[dict[int, S]] = [sets.row(state) for state in sets.nfa.sets.members(states)]

    def __missing__(self, letter: int) -> int:
        reached = [row[letter] for row in self.rows if letter in row]
        self.sets.meter.work(len(self.rows))
        found = (self.sets.numbers[reduce(or_, reached)] + 1) * self.sets.factor if reached else 0
        self[letter] = found
        return found


def guarded_difference(
    a: Csr, b: Csr, key_a: Recode, part_a: Recode, kept_b: Recode, zero: int, meter: Meter
) -> Arrays:
    """Return all reachable pairs (p, S) of an a-state and a set of b-states, where S may be missing for ever.

    key_a: an a-letter as the projected b reads it; kept_b: b's letter without the quantified digits, in the same
    coding; part_a: an a-letter in the result's coding; zero: kept code of b's zero letter for its zero closure, or -1.
    The result is not trimmed.
    """
    meter.poll()
    sets: Guarded[Any] = Guarded(b, kept_b, zero, a.states, meter)
    shape_of, shapes = a.shapes()
    letters = []
    for shape in shapes:
        parts, keys = part_a.all(shape, meter), key_a.all(shape, meter)
        order = sorted(range(len(parts)), key=parts.__getitem__)
        letters.append((array("q", [parts[i] for i in order]), [keys[i] for i in order], order))
    # A pair is (S, p), the set's number counted from 1.
    numbers = Numbering(meter, a.states)
    number, found = numbers.__getitem__, numbers.found
    offsets, codes, targets = array("q", [0]), array("q"), array("i")
    most, stop = meter.max_states, meter.progress(1, 0)
    for pair in found:
        s, p = divmod(pair, a.states)
        parts_p, keys, order = letters[shape_of[p]]
        following = map(a.row(p).__getitem__, order)
        if s:
            following = map(add, map(sets.steps_of(s).__getitem__, keys), following)
        codes.extend(parts_p)
        if len(keys) > FUEL:
            extend_long(targets, map(number, following), meter)
        else:
            targets.extend(map(number, following))
        offsets.append(len(codes))
        if len(codes) > stop or len(found) > most:
            stop = meter.progress(len(found), len(codes), sets.held)
    meter.progress(len(found), len(codes), sets.held)
    accepts = [sets.accepts(s) for s in range(len(sets.numbers) + 1)]
    outputs = [1 if a.outputs[pair % a.states] and not accepts[pair // a.states] else 0 for pair in found]
    return exported(offsets, codes, targets, array("i", outputs))


def guarded_difference_word(
    a: Csr, b: Csr, key_a: Recode, kept_b: Recode, zero: int, meter: Meter
) -> tuple[int, ...] | None:
    """Return the codes of a word that `guarded_difference` would accept, None without one.

    a and b are trim or single states.  Ends at the first pair that shows it.
    """
    meter.poll()
    sets: Guarded[Any] = Guarded(b, kept_b, zero, a.states, meter)
    left = KeyedRows(a, key_a, 1, 0, meter)
    search = Search(a.states, meter)
    number = search.numbers.__getitem__

    def expand(pair: int) -> int:
        s, p = divmod(pair, a.states)
        steps = sets.steps_of(s)
        count = 0
        for key, states in left[p].items():
            reached = steps[key]
            count += len(states)
            for state in states:
                number(reached + state)
        return count

    def is_goal(pair: int) -> bool:
        # From every state of a trim automaton some word is accepted.
        s, p = divmod(pair, a.states)
        return s == 0 or bool(a.outputs[p] and not sets.accepts(s))

    found = search.run(expand, is_goal)
    if found < 0:
        return None
    path = [divmod(pair, a.states) for pair in search.path(found)]
    begun = []
    for (s, p), (after_s, after_p) in pairwise(path):
        reached = {key: step // a.states for key, step in sets.steps_of(s).items()}
        begun.append(letter_apart(left, reached, p, (after_p, after_s)))
    return (*begun, *(word_from(a, path[-1][1], meter) or ()))
