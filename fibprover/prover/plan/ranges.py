"""A sum between two numbers is one atom: the rule `ranges` (docs/planning.md).

`x=y/1000` is `0<=y-1000*x & y-1000*x<=999`.  Each of the two inequalities alone has about as many states as both
together, so that one automaton is built in place of two and their product.
"""

from __future__ import annotations

from fibprover.base.limits import poll
from fibprover.base.names import is_family
from fibprover.base.values import replaced
from fibprover.prover.logic import Linear
from fibprover.prover.plan import steps
from fibprover.prover.plan.conjunction import simplest
from fibprover.prover.plan.steps import Step

#: Atoms of more variables may be joined without being built, which needs them as they are.
MOST_VARIABLES = 4


def with_ranges(step: Step) -> Step:
    """Return a step with one atom for each two inequalities of a block that bound one sum.  Linear in the plan."""
    poll("a plan")
    step = steps.map_children(step, with_ranges)
    if not isinstance(step, steps.Block):
        return step
    parts = _united(step.parts)
    return step if len(parts) == len(step.parts) else simplest(replaced(step, parts=parts))


def _united(parts: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the parts of a conjunction with ranges in place of pairs of inequalities."""
    united: list[Step] = []
    #: The places of inequalities that wait for their opposite, by the sum that they bound from above.
    waiting: dict[tuple[str, frozenset[tuple[str, int]]], int] = {}
    for part in parts:
        atom = part.atom if isinstance(part, steps.Leaf) else None
        bounds = isinstance(atom, Linear) and atom.relation == "<=" and len(atom.variables) <= MOST_VARIABLES
        if not isinstance(atom, Linear) or not bounds or is_family(atom.system):
            united.append(part)
            continue
        terms = list(zip(atom.variables, atom.coefficients, strict=True))
        place = waiting.pop((atom.system, frozenset((name, -c) for name, c in terms)), None)
        if place is None:
            waiting[atom.system, frozenset(terms)] = len(united)
            united.append(part)
        else:
            united[place] = _range(united[place], atom, part.variables)
    return tuple(united)


def _range(first: Step, second: Linear, variables: steps.Variables) -> steps.Leaf:
    """Return the conjunction of two inequalities, whose coefficients are opposite."""
    assert isinstance(first, steps.Leaf) and isinstance(first.atom, Linear)
    upper, lower = first.atom, second
    if upper.coefficients < tuple(-c for c in upper.coefficients):
        upper, lower = lower, upper
    return steps.Leaf(
        steps.Range(upper.system, upper.coefficients, upper.variables, -lower.constant, upper.constant), variables
    )
