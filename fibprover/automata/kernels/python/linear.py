"""Linear atoms: sum c_i x_i RELATION c over a recurrence, read most significant digit first.

A state is a node of `remainders.py` together with each track's state in the automaton of valid words, or with a state
of another automaton with which the atom is joined without being built.  Which letters lead on from a state depends on
the weights (sums of coefficient times digit) by which its node leads on: it is found once for the same weights.
"""

from __future__ import annotations

from array import array
from operator import add
from typing import NamedTuple

from fibprover.automata.kernels.python.arrays import (
    Arrays,
    Csr,
    Integers,
    Numbering,
    Picker,
    Recode,
    exported,
    extend_long,
    nothing,
    picker,
)
from fibprover.automata.kernels.python.budget import FUEL, InvalidArrayError, Meter, TooLargeError
from fibprover.automata.kernels.python.remainders import DEAD, Nodes, Recurrence
from fibprover.automata.kernels.python.searches import KeyedRows, Search

MOST_TRACKS = 62
MOST_LETTERS = (1 << 62) - 1
MOST_COMBINATIONS = (1 << 31) - 1

#: Most distinct weights of a letter.
MOST_WEIGHTS = 1 << 22

#: Letters in all choices that are kept at a time.
MOST_CHOSEN = 1 << 20

BYTES_OF_NODE = 600


class Choice(NamedTuple):
    """The letters of some weights: their codes, how to pick the nodes they lead to, and the states of words."""

    codes: array[int]
    nodes: Picker
    words: tuple[int, ...]


class Choices(dict[tuple[int, tuple[bool, ...]], Choice]):
    """Choices by row, and by which of the row's weights lead on; forgotten where they hold too many letters."""

    __slots__ = ("letters",)

    def __init__(self) -> None:
        super().__init__()
        self.letters = 0

    def keep(self, row: int, live: tuple[bool, ...], choice: Choice) -> Choice:
        """Remember a choice, and return it."""
        self.letters += len(choice.codes)
        if self.letters > MOST_CHOSEN:
            self.clear()
            self.letters = len(choice.codes)
        self[row, live] = choice
        return choice


class ValidWords:
    """The letters that lead on from k states of the automaton of valid words, by phase and weight.

    The states of the tracks are one number, first track most significant.
    """

    def __init__(self, valid: Csr, radix: int, coefficients: Integers, phases: int, meter: Meter) -> None:
        self.meter = meter
        self.valid, self.radix, self.phases = valid, radix, phases
        self.coefficients = list(coefficients)
        self.tracks = len(self.coefficients)
        self.combinations = valid.states**self.tracks
        #: Of a phase and a state: digits with their targets.
        self.rows: list[list[list[tuple[int, int]]]] = [[[] for _ in range(valid.states)] for _ in range(phases)]
        for state in range(valid.states):
            for code, target in zip(valid.letters_of(state), valid.row(state), strict=True):
                phase, digit = divmod(code, radix)
                if phase < phases:
                    self.rows[phase][state].append((digit, target))
        self.sums: dict[tuple[int, int, int], frozenset[int]] = {}
        self.packed: dict[tuple[int, int, int, int], list[int]] = {}
        self.of_row: dict[int, list[int]] = {}
        self.accepted: dict[int, bool] = {}
        self.choices = Choices()

    def accepts(self, states: int) -> bool:
        """Return whether all tracks may end here."""
        found = self.accepted.get(states)
        if found is None:
            rest, found = states, True
            for _ in range(self.tracks):
                rest, state = divmod(rest, self.valid.states)
                found = found and self.valid.outputs[state] != 0
            self.accepted[states] = found
        return found

    def weights(self, phase: int, states: int) -> list[int]:
        """Return the distinct weights of the letters that lead on, increasing."""
        row = phase * self.combinations + states
        found = self.of_row.get(row)
        if found is None:
            found = self.of_row[row] = sorted(self._sums(phase, 0, states))
        return found

    def choice(self, phase: int, states: int, live: tuple[bool, ...]) -> Choice:
        """Return the letters of those of the `weights` that are live."""
        row = phase * self.combinations + states
        known = self.choices.get((row, live))
        if known is not None:
            return known
        weights = self.weights(phase, states)
        count, combinations = len(weights), self.combinations
        begun = self.meter.transitions
        merged: list[int] = []
        for place, weight in enumerate(weights):
            if live[place]:
                merged += [letter * count + place for letter in self._packed(phase, 0, states, weight)]
                self.meter.progress(self.meter.states, begun + len(merged))
        merged.sort()
        base = phase * self.radix**self.tracks
        codes = array("q", [base + letter // (count * combinations) for letter in merged])
        nodes = picker([letter % count for letter in merged], count)
        words = tuple([letter // count % combinations for letter in merged])
        return self.choices.keep(row, live, Choice(codes, nodes, words))

    def _split(self, track: int, states: int) -> tuple[int, int, int]:
        """Return the state of a track, those of the tracks after it, and how many of these there are."""
        others = int(self.valid.states ** (self.tracks - 1 - track))
        return (*divmod(states, others), others)

    def _sums(self, phase: int, track: int, states: int) -> frozenset[int]:
        """Return the distinct weights of the digits of a track and those after it."""
        if track == self.tracks:
            return frozenset((0,))
        found = self.sums.get((phase, track, states))
        if found is None:
            state, rest, _ = self._split(track, states)
            others, c = self._sums(phase, track + 1, rest), self.coefficients[track]
            grown: set[int] = set()
            for digit, _ in self.rows[phase][state]:
                grown.update([c * digit + other for other in others])
                self.meter.work(len(others))
                if len(grown) > MOST_WEIGHTS:
                    raise TooLargeError("the letters of a linear atom have too many weights")
            found = self.sums[phase, track, states] = frozenset(grown)
        return found

    def _packed(self, phase: int, track: int, states: int, weight: int) -> list[int]:
        """Return the letters of a weight over a track and those after it, increasing.

        Each is its code * combinations + the states that it leads to.
        """
        if track == self.tracks:
            return [0]
        found = self.packed.get((phase, track, states, weight))
        if found is None:
            state, rest, others = self._split(track, states)
            worth = self.radix ** (self.tracks - 1 - track) * self.combinations
            found = []
            for digit, target in self.rows[phase][state]:
                left = weight - self.coefficients[track] * digit
                if left in self._sums(phase, track + 1, rest):
                    high = digit * worth + target * others
                    found += [high + low for low in self._packed(phase, track + 1, rest, left)]
                    self.meter.work(len(found))
            self.packed[phase, track, states, weight] = found
        return found


def linear_atom(
    valid: Csr,
    radix: int,
    coefficients: Integers,
    relation: int,
    constant: int,
    extent: int,
    recurrence: Recurrence,
    meter: Meter,
) -> Arrays:
    """Return the automaton of sum c_i x_i RELATION constant inside valid^k, not minimized, its first track the phase.

    valid: the representations over (phase, digit), the phase being that of the digits still to come; relation: 0 for =,
    1 for !=, 2 for <; extent: = compares with each number from the constant to constant + extent, and != says that none
    of them is the sum; 0 for <; radix: number of digits.  With one phase, letters are coded as without that track.
    Raises TooLargeError where remainders, weights or states outgrow the bounds of the contract.
    """
    tracks = len(coefficients)
    if tracks < 1 or radix < 1:
        raise InvalidArrayError("a linear atom needs variables and digits")
    if tracks > MOST_TRACKS or recurrence.phases * radix**tracks > MOST_LETTERS:
        raise TooLargeError("the tracks of a linear atom have more than 2^62 letters")
    meter.poll()
    nodes = Nodes(coefficients, relation, constant, extent, radix, recurrence, meter)
    words = ValidWords(valid, radix, coefficients, recurrence.phases, meter)
    if words.combinations > MOST_COMBINATIONS:
        raise TooLargeError("a linear atom has too many combinations of validity states")
    start = nodes.start()
    return nothing(meter) if start == DEAD else _walk_linear(nodes, words, start, meter)


def _walk_linear(nodes: Nodes, words: ValidWords, start: int, meter: Meter) -> Arrays:
    """Return the reachable pairs of a node and states of words."""
    combinations = words.combinations
    numbers = Numbering(meter, start * combinations)
    number, found = numbers.__getitem__, numbers.found
    offsets, codes, targets, outputs = array("q", [0]), array("q"), array("i"), array("i")
    most, stop = meter.max_states, meter.progress(1, 0)
    for pair in found:
        node, states = divmod(pair, combinations)
        meter.states, meter.transitions = len(found), len(codes)
        for phase in nodes.following(node):
            steps = nodes.steps_of(node, phase)
            reached = tuple(map(steps.__getitem__, words.weights(phase, states)))
            letters, pick, following = words.choice(phase, states, tuple(map(DEAD.__ne__, reached)))
            codes.extend(letters)
            scaled = [each * combinations for each in reached]
            targets.extend(map(number, map(add, pick(scaled), following)))
        offsets.append(len(codes))
        outputs.append(1 if words.accepts(states) and nodes.holds(node) else 0)
        if len(codes) > stop or len(found) > most:
            stop = meter.progress(len(found), len(codes), BYTES_OF_NODE * len(nodes.numbers))
    meter.progress(len(found), len(codes), BYTES_OF_NODE * len(nodes.numbers))
    return exported(offsets, codes, targets, outputs)


class Joined:
    """Pairs of a node and a state of another automaton, whose letters have weights.

    letters: of each shape, the codes in the result's coding, increasing; the places of their targets in a row; the
    distinct weights; and the place of each letter's weight among them.
    """

    def __init__(
        self, a: Csr, weight: Recode, part: Recode, nodes: Nodes, meter: Meter
    ) -> None:
        if nodes.recurrence.phases != 1:
            raise InvalidArrayError("a join with a linear atom reads no phases")
        meter.poll()
        self.a, self.nodes, self.meter = a, nodes, meter
        self.shape_of, shapes = a.shapes()
        self.letters: list[tuple[list[int], list[int], list[int], list[int]]] = []
        for shape in shapes:
            codes, weights = part.all(shape, meter), weight.all(shape, meter)
            order = sorted(range(len(codes)), key=codes.__getitem__)
            distinct = sorted(set(weights))
            place_of = {weight: place for place, weight in enumerate(distinct)}
            self.letters.append(
                ([codes[i] for i in order], order, distinct, [place_of[weights[i]] for i in order])
            )
            meter.work(4 * len(codes))
        self.choices: dict[tuple[int, tuple[bool, ...]], tuple[array[int], Picker, Picker]] = {}
        self.chosen = 0

    def accepts(self, node: int, state: int) -> bool:
        """Return whether a pair accepts."""
        return self.a.outputs[state] != 0 and self.nodes.holds(node)

    def choice(self, shape: int, live: tuple[bool, ...]) -> tuple[array[int], Picker, Picker]:
        """Return the letters whose weights are live, and how to pick their nodes and their targets."""
        known = self.choices.get((shape, live))
        if known is None:
            codes, order, distinct, places = self.letters[shape]
            chosen = [i for i, place in enumerate(places) if live[place]]
            self.meter.work(4 * len(codes))
            self.chosen += len(chosen)
            if self.chosen > MOST_CHOSEN:
                self.choices.clear()
                self.chosen = len(chosen)
            known = self.choices[shape, live] = (
                array("q", [codes[i] for i in chosen]),
                picker([places[i] for i in chosen], len(distinct)),
                picker([order[i] for i in chosen], len(order)),
            )
        return known


def join_linear(
    a: Csr,
    weight: Recode,
    part: Recode,
    radix: int,
    coefficients: Integers,
    relation: int,
    constant: int,
    extent: int,
    recurrence: Recurrence,
    meter: Meter,
) -> Arrays:
    """Return all reachable pairs of an a-state and a node of sum c_i x_i RELATION constant.

    weight: sum of coefficient times digit of an a-letter; part: an a-letter in the result's coding; the rest as for
    `linear_atom`; the recurrence must have one phase.  a must hold valid representations on the atom's tracks, or words
    are lost.  The result is not trimmed.
    """
    nodes = Nodes(coefficients, relation, constant, extent, radix, recurrence, meter)
    joined = Joined(a, weight, part, nodes, meter)
    start = nodes.start()
    if start == DEAD:
        return nothing(meter)
    states = a.states
    numbers = Numbering(meter, start * states)
    number, found = numbers.__getitem__, numbers.found
    offsets, codes, targets, outputs = array("q", [0]), array("q"), array("i"), array("i")
    most, stop = meter.max_states, meter.progress(1, 0)
    for pair in found:
        node, p = divmod(pair, states)
        shape = joined.shape_of[p]
        reached = tuple(map(nodes.steps_of(node, 0).__getitem__, joined.letters[shape][2]))
        letters, pick_nodes, pick_targets = joined.choice(shape, tuple(map(DEAD.__ne__, reached)))
        codes.extend(letters)
        scaled = [each * states for each in reached]
        row = map(number, map(add, pick_nodes(scaled), pick_targets(a.row(p))))
        if len(letters) > FUEL:
            extend_long(targets, row, meter)
        else:
            targets.extend(row)
        offsets.append(len(codes))
        outputs.append(1 if joined.accepts(node, p) else 0)
        if len(codes) > stop or len(found) > most:
            stop = meter.progress(len(found), len(codes), BYTES_OF_NODE * len(nodes.numbers))
    meter.progress(len(found), len(codes), BYTES_OF_NODE * len(nodes.numbers))
    return exported(offsets, codes, targets, outputs)


def join_linear_is_empty(
    a: Csr,
    weight: Recode,
    radix: int,
    coefficients: Integers,
    relation: int,
    constant: int,
    extent: int,
    recurrence: Recurrence,
    meter: Meter,
) -> bool:
    """Return whether `join_linear` would accept nothing; ends at the first accepting pair, and keeps only the pairs."""
    nodes = Nodes(coefficients, relation, constant, extent, radix, recurrence, meter)
    if recurrence.phases != 1:
        raise InvalidArrayError("a join with a linear atom reads no phases")
    meter.poll()
    start = nodes.start()
    if start == DEAD:
        return True
    states = a.states
    rows = KeyedRows(a, weight, 1, 0, meter)
    search = Search(start * states, meter)
    number = search.numbers.__getitem__

    def expand(pair: int) -> int:
        node, p = divmod(pair, states)
        steps, count = nodes.steps_of(node, 0), 0
        for key, reached in rows[p].items():
            following = steps[key]
            if following != DEAD:
                count += len(reached)
                for target in reached:
                    number(following * states + target)
        return count + len(rows[p])

    def is_goal(pair: int) -> bool:
        node, p = divmod(pair, states)
        return a.outputs[p] != 0 and nodes.holds(node)

    return search.run(expand, is_goal) < 0
