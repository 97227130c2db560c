"""The order in which a conjunction is evaluated: its independent parts, the next pair to join, the last atoms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from math import prod
from typing import TypeAlias

from fibprover.automata.dfa import Dfa
from fibprover.prover.logic import Linear
from fibprover.prover.plan import steps
from fibprover.prover.plan.steps import NegatedConjunct, Step


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
        piece for piece in steps.connected(quantified, parts, negated)
        if any(piece & set(part.variables) for part in parts) and any(piece & set(part.variables) for part in negated)
    ]
    if len(pieces) < 2:
        return parts, negated
    return _divided(pieces, parts, negated)


def inner(
    quantified: set[str], parts: tuple[Step, ...], negated: tuple[NegatedConjunct, ...]
) -> tuple[tuple[Step, ...], tuple[NegatedConjunct, ...]] | None:
    """Return the parts of a conjunction, with blocks of their own for variables that meet only some of the others.

    E x,y,d,e . P(x,d) & ~Q(x,d) & P(y,e) & ~Q(y,e) & x<y is E x,y . (E d . P(x,d) & ~Q(x,d)) & (E e . P(y,e) &
    ~Q(y,e)) & x<y: the guard of a negated conjunct has two tracks, and not four.  None if there are no such blocks.
    """
    late = quantified & _names(negated)
    if not late:
        return None
    early = quantified - late
    guard = _names((*parts, *negated)) - early
    pieces: list[set[str]] = []
    busy: set[str] = set()
    found = [_met(name, early, parts, negated) for name in sorted(late)]
    for piece, known in sorted(found, key=lambda each: len(each[1])):
        touching = [part for part in parts if not piece.isdisjoint(part.variables)]
        # Where only negated conjuncts restrict a variable, the block alone is a complement.
        if not guard <= known and known <= _names(touching) and busy.isdisjoint(known):
            pieces.append(piece)
            busy |= piece
    return _divided(pieces, parts, negated) if pieces else None


def _met(
    name: str, early: set[str], parts: tuple[Step, ...], negated: tuple[NegatedConjunct, ...]
) -> tuple[set[str], set[str]]:
    """Return a variable with those of `early` that it is connected with, and all variables that meet one of these."""
    piece, known = {name}, {name}
    fresh = piece
    while fresh:
        known |= _names(part for part in (*parts, *negated) if not fresh.isdisjoint(part.variables))
        fresh = (known & early) - piece
        piece = piece | fresh
    return piece, known


def _names(members: Iterable[Step | NegatedConjunct]) -> set[str]:
    """Return the variables of parts and negated conjuncts."""
    return {name for part in members for name in part.variables}


def _divided(
    pieces: Sequence[set[str]], parts: tuple[Step, ...], negated: tuple[NegatedConjunct, ...]
) -> tuple[tuple[Step, ...], tuple[NegatedConjunct, ...]]:
    """Return the parts of a conjunction, with a block for each piece of its quantified variables.

    What is about other variables of the block goes along, since it restricts them.
    """
    taken = set().union(*pieces)
    beside = [part for part in parts if not taken & set(part.variables) and isinstance(part, steps.Leaf)]
    blocks: list[Step] = []
    for piece in pieces:
        inside = [part for part in parts if piece & set(part.variables)]
        inside_negated = tuple(part for part in negated if piece & set(part.variables))
        known = _names((*inside, *inside_negated))
        inside += [part for part in beside if known >= set(part.variables)]
        blocks.append(steps.Block(tuple(sorted(piece)), tuple(inside), inside_negated, tuple(sorted(known - piece))))
    rest = [part for part in parts if not taken & set(part.variables)]
    return (*rest, *blocks), tuple(part for part in negated if not taken & set(part.variables))


#: Two automata of a pool.
Pair: TypeAlias = tuple[Dfa, Dfa]

#: A preferred product may be expected to be this many times as large as the cheapest one.
GAIN = 64


def cheapest_pair(pool: list[Dfa]) -> Pair:
    """Return the two automata whose product is expected to be the smallest."""
    return min(combinations(pool, 2), key=lambda pair: expected_cost(*pair))


def preferred_pair(pool: list[Dfa], quantified: Collection[str], refused: Sequence[Pair]) -> Pair | None:
    """Return the two automata to join next if their product promises more than the cheapest one.

    That is so if a quantified variable can be projected afterwards, since no third automaton has it, or if the product
    is expected to be no larger than one of its factors: what is joined later then has a track or states less.  None if
    there is no such pair but refused ones, or only pairs expected to be GAIN times as large as the cheapest one.
    """
    users = Counter(name for automaton in pool for name in automaton.names if name in quantified)

    def promises(first: Dfa, second: Dfa) -> bool:
        ends = any(users[name] == 2 and name in second.names for name in first.names)
        return ends or expected_cost(first, second) <= max(first.transitions, second.transitions)

    def is_refused(first: Dfa, second: Dfa) -> bool:
        return any(first is one and second is other for one, other in refused)

    pairs = [pair for pair in combinations(pool, 2) if promises(*pair) and not is_refused(*pair)]
    best = min(pairs, key=lambda pair: expected_cost(*pair), default=None)
    if best is None or expected_cost(*best) > GAIN * expected_cost(*cheapest_pair(pool)):
        return None
    return best


def expected_cost(first: Dfa, second: Dfa) -> float:
    """Return the expected transitions of a product: pairs of states times letters that agree on shared tracks."""
    shared = set(first.names) & set(second.names)
    agreeing = prod(len(track.digits) for track in first.tracks if track.name in shared)
    rows = (first.transitions / first.states + 1) * (second.transitions / second.states + 1)
    product = first.states * second.states * max(1.0, rows / agreeing)
    return product if shared else product * 1e6
