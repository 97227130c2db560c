"""Systems read least significant digit first: a system under another name, its words seen in a mirror.

Inside, automata read most significant digit first (`fibprover.automata.digit_order`), so atoms and valid
words are those of the msd system, and both systems have the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import as_read
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.numeration.verify import Report


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LsdSystem(NumerationSystem):
    """The system `base`, read from the other end; made by `lsd_system`."""

    name: str
    digits: tuple[int, ...]
    valid: Dfa
    base: NumerationSystem
    signed: bool

    def less(self, budget: Budget = UNLIMITED) -> Dfa:
        """Order of two valid words of one length; see `NumerationSystem.less`."""
        return self._own(self.base.less(budget))

    def linear(self, coefficients: tuple[int, ...], relation: str, constant: int, budget: Budget = UNLIMITED) -> Dfa:
        """sum c_i x_i RELATION constant; see `NumerationSystem.linear`."""
        return self._own(self.base.linear(coefficients, relation, constant, budget))

    def _own(self, automaton: Dfa) -> Dfa:
        return automaton.with_tracks(tuple(track._replace(system=self.name) for track in automaton.tracks))

    def verify(self, budget: Budget = UNLIMITED) -> Report:
        """The checks of the msd system, and that what is read from the other end is the same."""
        adder = self.linear((1, 1, -1), "=", 0, budget)
        checks = []
        for what, automaton in (("valid words", self.valid), ("the adder", adder)):
            seen = as_read(automaton, budget)
            twice = kernels.minimize(kernels.reverse(seen, budget), budget)
            checks.append((f"{what}, read twice from the other end, come out as they were", twice == automaton))
        return Report((*self.base.verify(budget).checks, *checks))

    def represent(self, number: int) -> tuple[int, ...]:
        """As in the msd system, most significant digit first."""
        return self.base.represent(number)

    def value(self, digits: Sequence[int]) -> int:
        """As in the msd system, most significant digit first."""
        return self.base.value(digits)

    def describe(self) -> str:
        """That of the msd system, and what is different."""
        first, _, rest = self.base.describe().partition("\n")
        return f"{self.name}: {self.base.name} read least significant digit first\n  {first}\n{rest}"


def lsd_system(base: NumerationSystem) -> LsdSystem:
    """The system of an msd system's numbers, read least significant digit first."""
    name = "lsd_" + base.name.removeprefix("msd_")
    valid = base.valid.with_tracks((base.valid.tracks[0]._replace(system=name),))
    return LsdSystem(name, base.digits, valid, base, base.signed)
