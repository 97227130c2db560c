"""What came of one claim of a script."""

from __future__ import annotations

from dataclasses import dataclass

from fibprover.theorems.chapter import Define, Theorem
from fibprover.theorems.counts import Count
from fibprover.verdict.vacuity import UNDECIDED, VACUOUS, Finding
from fibprover.verdict.verdict import Evidence


@dataclass(frozen=True, slots=True)
class Vacuity:
    """The parts of a true theorem that do not matter, and what it took to find them."""

    findings: tuple[Finding, ...]
    seconds: float
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one claim.

    verdict: None if there is none; states_textbook: the largest minimal automaton of the textbook
    plan's steps, None unless measured; states_built: the largest automaton of the plan in use, None
    without a verdict; seconds: of the plan in use; peak_bytes: see memory.py; problem: what went
    wrong, with the place; spent: whether that is a spent budget; detail: why an unexpected verdict
    is what it is, where that is known; vacuity: the parts that do not matter, None unless looked for;
    count: what was measured of the textbook plan before, None if nothing that still holds; skipped:
    a long theorem that nobody asked for, so nothing came of it; evidence: None unless looked for and found.
    """

    claim: Theorem | Define
    verdict: bool | None
    states_textbook: int | None
    states_built: int | None
    seconds: float
    peak_bytes: int | None
    problem: str = ""
    spent: bool = False
    detail: str = ""
    vacuity: Vacuity | None = None
    count: Count | None = None
    skipped: bool = False
    evidence: Evidence | None = None

    @property
    def vacuous(self) -> tuple[str, ...] | None:
        """The parts that say nothing; None if they were not looked for, or if the limits left it open."""
        if self.vacuity is None:
            return None
        found = tuple(finding.text for finding in self.vacuity.findings if finding.grade == VACUOUS)
        return found if found or not any(item.grade == UNDECIDED for item in self.vacuity.findings) else None

    @property
    def expected(self) -> bool:
        """The verdict that the claim should get."""
        return self.claim.expected if isinstance(self.claim, Theorem) else True

    @property
    def form(self) -> str:
        """printed, strong or control; a published number of states is printed."""
        return self.claim.form if isinstance(self.claim, Theorem) else "printed"

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the expected one and nothing went wrong on the way."""
        return self.verdict == self.expected and not self.problem
