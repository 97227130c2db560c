"""What `solve` returns: the relations that satisfy a recursion, and the theorem that no others do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fibprover.base.errors import FibproverError
from fibprover.base.values import RichlyDisplayed, value
from fibprover.prover.verdict.relation import Relation

if TYPE_CHECKING:
    from fibprover.prover.certificate.checking import CertificateCheck


@value
class Effort:
    """What a solution took: candidates, questions, and seconds; no candidate and no question if it was given."""

    rounds: int
    questions: int
    learning: float
    proving: float


@value
class Uniqueness(RichlyDisplayed):
    """The theorem that a recursion has one solution, and how it was found.

    recursion: the formula of each relation; measures: the term that goes down with calls, for each relation;
    statements: the closed formulas that are TRUE of the relations, and from which the theorem follows by induction on
    the measure; states: of each relation; rounds: how many candidates there were; questions: how many tuples were
    asked for, or computed on boards, or given as members; learning, proving: seconds; certificate: None unless asked
    for.
    """

    recursion: Mapping[str, str]
    measures: Mapping[str, str]
    statements: tuple[str, ...]
    states: Mapping[str, int]
    rounds: int
    questions: int
    learning: float
    proving: float
    certificate: CertificateCheck | None = None

    @property
    def way(self) -> str:
        """How it is known: nothing else calls what was learned proved."""
        certified = self.certificate is None or self.certificate.checked
        measures = dict.fromkeys(self.measures.values())
        return f"{'proved' if certified else 'decided'} by induction on {', '.join(measures)}"

    def __str__(self) -> str:
        names = ", ".join(self.recursion)
        head = (
            f"{names}: the only relation{'s' * (len(self.recursion) > 1)} that satisf"
            f"{'ies' if len(self.recursion) == 1 else 'y'} the recursion, {self.way}"
        )
        sizes = ", ".join(f"{name} {count}" for name, count in self.states.items())
        effort = f"states: {sizes}; {self.rounds} round{'s' * (self.rounds != 1)}, {self.questions} questions"
        lines = [head, f"  {effort}", *(f"  TRUE {each}" for each in self.statements)]
        return "\n".join([*lines, *([] if self.certificate is None else [f"  {self.certificate}"])])

    def __repr__(self) -> str:
        return f"Uniqueness({', '.join(self.recursion)})"


@value
class Solution(RichlyDisplayed):
    """The relations that a recursion defines, by name, and the theorem.

    weights: for each relation, the coefficients of its parameters in the measure, in their order.
    """

    relations: Mapping[str, Relation]
    theorem: Uniqueness
    weights: Mapping[str, tuple[int, ...]]

    @property
    def relation(self) -> Relation:
        """The relation, if there is one; FibproverError for several that are defined together."""
        if len(self.relations) > 1:
            names = ", ".join(self.relations)
            raise FibproverError(f"this recursion defines {names}", hint="relations[name] is one of them")
        return next(iter(self.relations.values()))

    @property
    def states(self) -> int:
        """States of all relations together."""
        return sum(each.states for each in self.relations.values())

    def __contains__(self, values: object) -> bool:
        """Return whether a tuple is in the relation; FibproverError for several that are defined together."""
        return values in self.relation

    def __str__(self) -> str:
        return str(self.theorem)

    def __repr__(self) -> str:
        return f"Solution({', '.join(self.relations)}, {self.states} states)"
