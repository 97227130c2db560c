"""Straight lines on boards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """The line y = slope * x + intercept, and what it is called."""

    slope: float
    intercept: float
    name: str

    def within(self, size: int) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The ends of its part on a board of `size` columns, the middle of whose first square is (0,0); None off it."""
        low, high = -0.5, size - 0.5
        first, last = low, high
        if self.slope:
            crossings = sorted((bound - self.intercept) / self.slope for bound in (low, high))
            first, last = max(first, crossings[0]), min(last, crossings[1])
        elif not low <= self.intercept <= high:
            return None
        if first >= last:
            return None
        return (first, self.slope * first + self.intercept), (last, self.slope * last + self.intercept)
