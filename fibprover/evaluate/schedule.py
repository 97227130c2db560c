"""The order in which a conjunction is evaluated: its independent parts, the next pair to join, the last atoms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations
from math import prod

from fibprover.automata.dfa import Dfa
from fibprover.plan import steps
from fibprover.plan.logic import Linear
from fibprover.plan.steps import NegatedConjunct, Step


def defined_last(block: steps.Block) -> dict[str, Linear]:
    """Return the free variables that an equation gives in terms of others, each with its equation.

    They may be projected away and joined again after all negated conjuncts, since they are functions of the
    others.  The result is empty if there is no negated conjunct, or if one needs them.
    """
    found: dict[str, Linear] = {}
    busy = {name for part in block.negated for name in part.variables}
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


#: Linear atoms of fewer variables are always built.
WIDE = 5


def wide_atoms(parts: Iterable[Step]) -> list[Linear]:
    """Return the linear atoms of many variables that are all connected by other parts.

    The automata of these atoms grow fast with the number of variables; an atom that is joined to the product
    of the other parts needs only the remainders that occur there.
    """
    parts = list(parts)
    wide = [
        part for part in parts
        if isinstance(part, steps.Leaf) and isinstance(part.atom, Linear) and len(part.variables) >= WIDE
    ]
    connected: list[set[str]] = []
    for part in parts:
        if wide and part not in wide:
            touched = [names for names in connected if names & set(part.variables)]
            connected = [names for names in connected if names not in touched]
            connected.append(set(part.variables).union(*touched))
    return [
        part.atom for part in wide
        if isinstance(part.atom, Linear) and any(names >= set(part.variables) for names in connected)
    ]


def apart(
    quantified: set[str], parts: tuple[Step, ...], negated: tuple[NegatedConjunct, ...]
) -> tuple[tuple[Step, ...], tuple[NegatedConjunct, ...]]:
    """Return the parts of a conjunction, with the parts that its quantifiers make independent as separate blocks.

    E x,y . P(x) & ~Q(x) & R(y) & ~S(y) is (E x . P(x) & ~Q(x)) & (E y . R(y) & ~S(y)): the
    product of the two need never be built.  Only pieces with a negated conjunct are separated, since the variables of
    others are projected early anyway; and only if there are several, since a single one gains from the other parts.
    """
    pieces = [
        piece for piece in _connected(quantified, parts, negated)
        if any(piece & set(part.variables) for part in parts) and any(piece & set(part.variables) for part in negated)
    ]
    if len(pieces) < 2:
        return parts, negated
    taken = set().union(*pieces)
    beside = [part for part in parts if not quantified & set(part.variables) and isinstance(part, steps.Leaf)]
    blocks: list[Step] = []
    for piece in pieces:
        inside = [part for part in parts if piece & set(part.variables)]
        inside_negated = tuple(part for part in negated if piece & set(part.variables))
        known = {name for part in (*inside, *inside_negated) for name in part.variables}
        inside += [part for part in beside if known >= set(part.variables)]
        names = tuple(sorted(piece))
        blocks.append(steps.Block(names, tuple(inside), inside_negated, tuple(sorted(known - piece))))
    rest = [part for part in parts if not taken & set(part.variables)]
    return (*rest, *blocks), tuple(part for part in negated if not taken & set(part.variables))


def _connected(quantified: set[str], parts: tuple[Step, ...], negated: tuple[NegatedConjunct, ...]) -> list[set[str]]:
    """Return the quantified variables in classes: variables of one part or negated conjunct are in one class."""
    classes: list[set[str]] = []
    for part in (*parts, *negated):
        names = quantified & set(part.variables)
        touched = [found for found in classes if found & names]
        if names:
            classes = [found for found in classes if not found & names] + [names.union(*touched)]
    return classes


#: A product that loses a variable at once, or only restricts a factor, may be this many times as large as another one.
GAIN = 64


def cheapest_pair(pool: list[Dfa], quantified: Collection[str] = ()) -> tuple[Dfa, Dfa]:
    """Return the two automata to join next: those whose product is expected to be the smallest.

    A product is preferred, unless it is expected to be GAIN times as large as another one, if a quantified variable can
    be projected afterwards, since no third automaton has it, or if it is expected to be no larger than one of its
    factors: what is joined later then has a track or states less.
    """
    users = Counter(name for automaton in pool for name in automaton.names if name in quantified)

    def weighed(pair: tuple[Dfa, Dfa]) -> float:
        first, second = pair
        expected = expected_cost(first, second)
        ends = any(users[name] == 2 and name in second.names for name in first.names)
        return expected / GAIN if ends or expected <= max(first.transitions, second.transitions) else expected

    return min(combinations(pool, 2), key=weighed)


def expected_cost(first: Dfa, second: Dfa) -> float:
    """Return the expected transitions of a product: pairs of states times letters that agree on shared tracks."""
    shared = set(first.names) & set(second.names)
    agreeing = prod(len(track.digits) for track in first.tracks if track.name in shared)
    rows = (first.transitions / first.states + 1) * (second.transitions / second.states + 1)
    product = first.states * second.states * max(1.0, rows / agreeing)
    return product if shared else product * 1e6
