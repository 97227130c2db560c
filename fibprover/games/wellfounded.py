"""Moves given as steps have to lead to smaller positions, or there is no recursion."""

from __future__ import annotations

from fibprover.errors import BudgetSpent, FibproverError
from fibprover.games.polyhedra import Polyhedron, is_empty

#: Seconds that the prover may take where looking at polyhedra is not enough.
SECONDS = 20.0


def check_decreasing(formula: str, regions: tuple[Polyhedron, ...] | None) -> None:
    """FibproverError unless every step from (p,q) to (r,s) has r+s < p+q; the least counterexample is named."""
    same_or_more = (-1, -1, 1, 1, 0)
    if regions is not None and all(is_empty(region, same_or_more) for region in regions):
        return
    from fibprover.limits import Limits
    from fibprover.session import Session

    session = Session(limits=Limits(seconds=SECONDS))
    try:
        verdict = session.prove(f"Ap,q,r,s ({formula}) => r+s<p+q")
    except BudgetSpent as spent:
        raise FibproverError(
            "whether all moves make p+q smaller could not be found out", hint="say so: add & r+s<p+q to the formula"
        ) from spent
    if verdict:
        return
    values = verdict.evidence.values if verdict.evidence else {}
    place = "({p},{q}) to ({r},{s})".format(**values) if len(values) == 4 else "some position to another one"
    raise FibproverError(
        f"a move leads from {place}, which has no fewer counters: such a game need not end",
        hint="moves have to make p+q smaller: add & r+s<p+q to the formula",
    )
