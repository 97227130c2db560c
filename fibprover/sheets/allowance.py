"""What the lines of a sheet may spend: each line its limits, and all together CPU seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import Limits, cpu_clock
from fibprover.sheets.line import OPEN


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

    def part(self, share: float | None = None) -> Limits:
        """Return the limits of a line, or of so many lines together, within what is left of the whole.

        Raises BudgetSpent if nothing is left.
        """
        limits = self.line if share is None else self.line.share(share)
        if self.whole is None:
            return limits
        left = self._left()
        if left <= 0:
            raise BudgetSpent("seconds", self.whole, during="the sheet")
        own = limits.cpu_seconds
        return replace(limits, cpu_seconds=left if own is None else min(left, own))

    def _left(self) -> float:
        assert self.whole is not None
        return self.whole - (cpu_clock() - self.begun)

    @property
    def spent(self) -> str:
        """What is said of a line that was not begun, or not finished, since the whole was spent."""
        return f"{OPEN}the {self.whole:g} s of CPU time for the whole sheet are spent"
