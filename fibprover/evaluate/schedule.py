"""The order in which a conjunction is carried out: which pair to join next, what to leave for the end."""

from __future__ import annotations

from math import prod

from fibprover.automata.dfa import Dfa
from fibprover.plan import steps
from fibprover.plan.logic import Linear


def defined_last(block: steps.Block) -> dict[str, Linear]:
    """Free variables that an equation gives in terms of others, each with its equation.

    They may be projected away and joined again when all exclusions are done, for they are functions of the
    others.  None if there is no exclusion, or if it needs them.
    """
    found: dict[str, Linear] = {}
    busy = {name for part in block.excluded for name in part.variables}
    if not busy:
        return {}
    for part in block.parts:
        if not (isinstance(part, steps.Leaf) and isinstance(part.atom, Linear) and part.atom.relation == "="):
            continue
        atom = part.atom
        used = {name for other in found.values() for name in other.variables}
        for name, coefficient in zip(atom.variables, atom.coefficients, strict=True):
            others = set(atom.variables) - {name}
            if (
                abs(coefficient) == 1
                and name in block.variables
                and name not in busy | used
                and not others & set(found)
                and others & busy
            ):
                found[name] = atom
                break
    return found


def cheapest_pair(pool: list[Dfa]) -> tuple[Dfa, Dfa]:
    """The two automata whose product is expected to be the smallest."""
    pairs = ((first, second) for i, first in enumerate(pool) for second in pool[i + 1 :])
    return min(pairs, key=lambda pair: expected_cost(*pair))


def expected_cost(first: Dfa, second: Dfa) -> float:
    """Transitions expected in a product: pairs of states times letters that agree on shared tracks."""
    shared = set(first.names) & set(second.names)
    agreeing = prod(len(track.digits) for track in first.tracks if track.name in shared)
    rows = (first.transitions / first.states + 1) * (second.transitions / second.states + 1)
    product = first.states * second.states * max(1.0, rows / agreeing)
    return product if shared else product * 1e6
