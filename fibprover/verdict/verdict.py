"""A verdict: whether a closed formula holds, with evidence and the trace of how it was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fibprover.errors import FibproverError
from fibprover.evaluate.trace import Trace
from fibprover.values import Displayed
from fibprover.verdict.relation import Value, shown_value

if TYPE_CHECKING:
    from fibprover.verdict.vacuity import VacuousPart


@dataclass(frozen=True, slots=True)
class Evidence:
    """Numbers that show a verdict: a witness of a true E, a counterexample of a false A.

    kind: "witness" or "counterexample"; values: by variable, the least ones, the first variable
    minimized first.
    """

    kind: str
    values: dict[str, Value]

    def __str__(self) -> str:
        listed = ", ".join(f"{name} = {shown_value(value)}" for name, value in self.values.items())
        return f"{self.kind}: {listed}"


@dataclass(frozen=True)
class Verdict(Displayed):
    """TRUE or FALSE.  `bool(verdict)` is the truth; `evidence` is computed when first asked for."""

    truth: bool
    text: str
    plan: str
    trace: Trace
    search: Callable[[], Evidence | None]
    inspect: Callable[[bool], tuple[VacuousPart, ...]]

    def __bool__(self) -> bool:
        return self.truth

    @cached_property
    def evidence(self) -> Evidence | None:
        """The least witness or counterexample, re-checked; None where the outer form has none."""
        return self.search()

    def vacuity(self, deep: bool = False) -> tuple[VacuousPart, ...]:
        """The parts of a TRUE formula that do not matter: see verdict/vacuity.py; computed anew by every call.

        deep: whether to look into the definitions of what is called as well.  Each evaluation has the
        limits of the one that gave the verdict.  FibproverError for a FALSE formula.
        """
        if not self.truth:
            raise FibproverError(
                "vacuity is about true closed formulas, and this one is FALSE",
                hint="its counterexample, or ~ in front of it, tells more",
            )
        return self.inspect(deep)

    def __str__(self) -> str:
        return "TRUE" if self.truth else "FALSE"

    def __repr__(self) -> str:
        return f"Verdict({self}, {self.text!r})"
