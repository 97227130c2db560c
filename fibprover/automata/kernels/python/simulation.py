"""Direct simulation: which states of a nondeterministic automaton accept at least the words of another."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter
from fibprover.automata.kernels.python.sets import S, Sets, bits_of
from fibprover.automata.kernels.python.subsets import Nfa

#: The number of states whose bit set costs one step more.
STATES_A_STEP = 256

#: What it costs to look up a row, in steps.
STEPS_OF_ROW = 8


class Simulation:
    """The greatest relation p >= q such that p accepts if q does, and follows each of q's transitions to a target
    that is >= its target.  Then p accepts all words that q accepts, and a set with p does not need q.

    It can be interrupted and resumed; after an exception it cannot go on.
    """

    #: The bytes that count against the meter; here, as `__del__` may come before `__init__` has ended.
    _claimed = 0

    def __init__(self, nfa: Nfa[Any], meter: Meter) -> None:
        self._nfa, self._meter = nfa, meter
        back = nfa.reversed(meter)
        mask = back.sets.mask
        #: Of each state, what leads to it, by letter.
        self._before: list[dict[int, int]] = [
            {letter: mask(sources) for letter, sources in back.row(state).items()} for state in range(nfa.states)
        ]
        #: Of each state, those that simulate it; none before the first step.
        self._above: list[int] = []
        #: States whose row was changed, and whether a state is one of them.
        self._queue: deque[int] = deque()
        self._queued: list[bool] = []
        #: How many rows are strict.
        self._ordered = 0
        self._broken = False
        #: In strict rows, how many pairs of different states.
        self.pairs = 0
        #: Taken so far.
        self.steps = 0
        size = (nfa.states // 8 + 40) * nfa.states + back.held
        meter.hold(size)
        meter.bytes += size
        self._claimed = size

    def __del__(self) -> None:
        if self._claimed:
            self._meter.bytes -= self._claimed

    def run(self, steps: int) -> bool:
        """Go on for at least so many steps; return whether the relation is complete."""
        if self._broken:
            raise InvalidArrayError("the simulation has ended with an error")
        self._broken = True
        end = self.steps + steps
        if not self._above:
            self._begin()
        while self.steps < end and self._queue:
            self._spend(self._refine())
        while self.steps < end and not self._queue and self._ordered < self._nfa.states:
            self._spend(self._order())
        self._broken = False
        return self._is_complete()

    def simulating(self, state: int) -> bytes:
        """Return the other states that simulate a state, as bits, the lowest first.  The relation is complete."""
        if self._broken or not self._is_complete() or not 0 <= state < self._nfa.states:
            raise InvalidArrayError("the simulation is not complete, or has no such state")
        return self._above[state].to_bytes((self._nfa.states + 63) // 64 * 8, "little")

    def pruned(self, nfa: Nfa[S]) -> Nfa[S]:
        """Return the automaton without the transitions and initial states that others simulate."""
        if nfa is not self._nfa or self._broken or not self._is_complete():
            raise InvalidArrayError("the simulation is not complete, or one of another automaton")
        (initial,), _ = self.pruned_sets([nfa.initial], nfa.sets, nfa.singles)
        targets = (self.pruned_sets(row, nfa.sets, nfa.singles)[0] for row in nfa.targets)
        return nfa.with_sets(initial, targets, self._meter)

    def pruned_sets(self, found: Iterable[S], sets: Sets[S], singles: Mapping[S, int]) -> tuple[list[S], int]:
        """Return the sets without the states that others of them simulate, and the steps it took."""
        pruned, steps, above = [], 0, self._above
        for states in found:
            if states in singles:
                pruned.append(states)
                continue
            members, mask = sets.members(states), sets.mask(states)
            needed = [state for state in members if not above[state] & mask]
            pruned.append(states if len(needed) == len(members) else sets.of(needed))
            steps += 4 * len(members)
        self._meter.work(steps)
        return pruned, steps

    def _is_complete(self) -> bool:
        return self._ordered == self._nfa.states

    def _spend(self, steps: int) -> None:
        self.steps += steps
        self._meter.work(steps)

    def _begin(self) -> None:
        """Relate states by their letters and their outputs."""
        nfa = self._nfa
        everything = (1 << nfa.states) - 1
        accepting = nfa.sets.mask(nfa.accepting())
        with_shape = [0] * len(nfa.letters)
        for state, shape in enumerate(nfa.shape_of):
            with_shape[shape] |= 1 << state
        able: dict[int, int] = {}
        for letters, those in zip(nfa.letters, with_shape, strict=True):
            self._spend(len(letters) + 1)
            for letter in letters:
                able[letter] = able.get(letter, 0) | those
            self._meter.hold(len(able) * (nfa.states // 8 + 100))
        of_shape = []
        for letters in nfa.letters:
            self._spend(len(letters) * self._steps_of_set() + 1)
            above = everything
            for letter in letters:
                above &= able[letter]
            of_shape.append(above)
        for shape, output in zip(nfa.shape_of, nfa.outputs, strict=True):
            self._spend(1)
            self._above.append(of_shape[shape] & accepting if output else of_shape[shape])
        self._queue.extend(range(nfa.states))
        self._queued = [True] * nfa.states

    def _steps_of_set(self) -> int:
        return self._nfa.states // STATES_A_STEP + 1

    def _refine(self) -> int:
        """Take the next state of the queue: what leads to it must be simulated along the same letter.

        Returns the steps it took.
        """
        above, queued, before = self._above, self._queued, self._before
        state = self._queue.popleft()
        queued[state] = False
        own = before[state]
        if not own:
            return 1
        allowed = dict.fromkeys(own, 0)
        others = bits_of(above[state])
        for other in others:
            row = before[other]
            for letter in own.keys() & row.keys() if len(own) > 1 else own:
                allowed[letter] |= row.get(letter, 0)
        steps = len(others) * (STEPS_OF_ROW + len(own))
        for letter, sources in own.items():
            good = allowed[letter]
            leading = bits_of(sources)
            steps += len(leading) * self._steps_of_set()
            for source in leading:
                left = above[source] & good
                if left != above[source]:
                    above[source] = left
                    if not queued[source]:
                        queued[source] = True
                        self._queue.append(source)
        return steps

    def _order(self) -> int:
        """Make the next row strict: of states that simulate each other, the least simulates the others.

        Returns the steps it took.
        """
        state = self._ordered
        row = self._above[state] & ~(1 << state)
        others = bits_of(row)
        for other in others:
            if other > state and self._above[other] >> state & 1:
                row &= ~(1 << other)
        self._above[state] = row
        self.pairs += row.bit_count()
        self._ordered += 1
        return self._steps_of_set() + 4 * len(others)
