"""The subset construction, which can be interrupted and resumed, with or without pruning by simulation."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

from fibprover.automata.kernels.python.arrays import Arrays, Numbering, exported, extend_long
from fibprover.automata.kernels.python.budget import (
    BYTES_OF_STATE,
    BYTES_OF_TRANSITION,
    FUEL,
    InvalidArrayError,
    Meter,
)
from fibprover.automata.kernels.python.simulation import Simulation
from fibprover.automata.kernels.python.subsets import Nfa

#: What a set costs beside its rows in steps, and each of its transitions.
STEPS_OF_SET = 40
STEPS_OF_TRANSITION = 22


class SubsetConstruction:
    """The sets of states that words lead to; a set accepts if one of its states does.

    simulation: None, or one of the automaton that has ended: then a set loses the states that another of its states
    simulates.  The result is deterministic and has the same language either way.  After an exception it cannot go on.
    """

    #: The bytes that count against the meter; here, as `__del__` may come before `__init__` has ended.
    _claimed = 0

    def __init__(self, nfa: Nfa[Any], simulation: Simulation | None, meter: Meter) -> None:
        self._meter = meter
        self._simulation = simulation
        self._nfa = nfa if simulation is None else simulation.pruned(nfa)
        #: The sets by number, and those among them that are still open.
        self._numbers: Numbering[Any] = Numbering(meter, self._nfa.initial)
        self._todo = iter(self._numbers.found)
        self._offsets, self._codes, self._targets = array("q", [0]), array("q"), array("i")
        self._held = self._nfa.held
        self._broken = self._exported = False
        #: Taken so far.
        self.steps = 0

    def __del__(self) -> None:
        if self._claimed:
            self._meter.bytes -= self._claimed

    @property
    def states(self) -> int:
        """The number of sets so far."""
        return len(self._numbers)

    @property
    def open(self) -> int:
        """The number of sets whose successors are not known yet."""
        return len(self._numbers) - len(self._offsets) + 1

    def run(self, steps: int) -> bool:
        """Go on for at least so many steps; return whether the construction is complete."""
        if self._broken:
            raise InvalidArrayError("the subset construction has ended with an error")
        self._broken = True
        if steps > 0 and self.open:
            self._advance(steps)
        self._broken = False
        return not self.open

    def export(self) -> Arrays:
        """Return the arrays of the automaton, which is complete; then it cannot be used any more."""
        if self._broken or self._exported or self.open:
            raise InvalidArrayError("the subset construction is not complete, or was exported before")
        self._exported = True
        meet, accepting = self._nfa.sets.meet, self._nfa.accepting()
        outputs = array("i", (1 if meet(states, accepting) else 0 for states in self._numbers.found))
        return exported(self._offsets, self._codes, self._targets, outputs)

    def _advance(self, steps: int) -> None:
        """Find the successors of the next open sets."""
        meter, nfa, simulation = self._meter, self._nfa, self._simulation
        number, found = self._numbers.__getitem__, self._numbers.found
        offsets, codes, targets = self._offsets, self._codes, self._targets
        successors, size = nfa.successors, nfa.sets.size
        most, stop, held, left = meter.max_states, self._report(self._held), self._held, steps
        reached: Iterable[Any]
        for states in self._todo:
            letters, reached, spent = successors(states)
            held += size(states)
            codes.extend(letters)
            if simulation is not None:
                reached, pruning = simulation.pruned_sets(reached, nfa.sets, nfa.singles)
                left -= pruning
            if len(letters) > FUEL:
                extend_long(targets, map(number, reached), meter)
            else:
                targets.extend(map(number, reached))
            offsets.append(len(codes))
            if len(codes) > stop or len(found) > most:
                stop = self._report(held)
            left -= STEPS_OF_SET + STEPS_OF_TRANSITION * len(letters) + spent
            if left <= 0:
                break
        self.steps += steps - left
        self._held = held
        self._report(held)
        self._claim(held + BYTES_OF_STATE * len(found) + BYTES_OF_TRANSITION * len(codes))

    def _report(self, held: int) -> int:
        """Report sizes to the meter; return the number of transitions at which to report again."""
        return self._meter.progress(len(self._numbers), len(self._codes), held - self._claimed)

    def _claim(self, size: int) -> None:
        """Count so many bytes against the meter until the construction is freed."""
        self._meter.bytes += size - self._claimed
        self._claimed = size
