"""What the lines of a sheet may spend: each line its limits, and all together CPU seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits, cpu_clock
from fibprover.sheets.line import OPEN

#: A line by its formula may take so many times the mean of what is left of the whole for each line.
FAIR = 2

#: The addition of the system of a word, without which no line has a formula, may take this part of the whole; what
#: else comes before the lines, such as equality of factors, may each take that part of what is left.
ADDITION, BEFORE = 0.4, 0.25


@dataclass(frozen=True, slots=True)
class Allowance:
    """The limits of each line, and those of the whole sheet.

    line: what each line may spend; whole: the CPU seconds of the sheet, None without a limit; begun: when it began, on
    `cpu_clock`.
    """

    line: Limits
    whole: float | None
    begun: float

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left for a further line."""
        return self.whole is not None and self._left() <= 0

    def part(self, share: float | None = None, of_rest: float = 1) -> Limits:
        """Return the limits of a line, or of so many lines together, within this part of what is left of the whole.

        Raises BudgetSpent if nothing is left.
        """
        limits = self.line if share is None else self.line.share(share)
        if self.whole is None:
            return limits
        left = self._left()
        if left <= 0:
            raise BudgetSpent("seconds", self.whole, during="the sheet")
        own = limits.cpu_seconds
        left *= min(of_rest, 1)
        return replace(limits, cpu_seconds=left if own is None else min(left, own))

    def fair(self, lines: int) -> Limits:
        """Return the limits of a line by its formula, where so many lines are left, which shall have their time, too.

        Raises BudgetSpent if nothing is left.
        """
        return self.part(of_rest=FAIR / max(lines, 1))

    def has_all(self, lines: int) -> bool:
        """Return whether a line by its formula may spend all that a line may, where so many lines are left."""
        return self._has(1, FAIR / max(lines, 1))

    def has_all_before(self, share: float) -> bool:
        """Return whether what comes before the lines may spend as much as so many lines, whatever they leave."""
        return self._has(share, BEFORE)

    def _has(self, share: float, of_rest: float) -> bool:
        own = self.line.cpu_seconds
        return self.whole is None or (own is not None and self._left() * min(of_rest, 1) >= own * share)

    def _left(self) -> float:
        assert self.whole is not None
        return self.whole - (cpu_clock() - self.begun)

    @property
    def spent(self) -> str:
        """What is said of a line that was not begun, or not finished, since the whole was spent."""
        return f"{OPEN}the {self.whole:g} s of CPU time for the whole sheet are spent"
