"""Redundant moves of a game, and moves that can be added without changing its P-positions.

A move is *redundant* if the game without it has the same P-positions (Duchene, Fraenkel, Nowakowski & Rigo 2010;
Renard & Rigo, section 7): it does not lead into P from an N-position that has just as many options in P as it needs.
A vector can be *added* if no P-position would then have too many options in P.  Both properties are those of a single
vector, with all other moves unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator

from fibprover.automata import operations
from fibprover.games.findings.context import Finding, GameContext
from fibprover.games.findings.describe import describe_set
from fibprover.language.builder import call, exists, variables
from fibprover.prover.verdict.relation import Relation

i, j, p, q, r, s = variables("i j p q r s")

#: A move from (p,q) to (r,s) takes (i,j).
TAKEN = p.eq(r + i) & q.eq(s + j)


def redundant_moves(context: GameContext) -> Relation | None:
    """Return the vectors (i,j) that are redundant moves; None for games whose moves are not vectors."""
    game, session = context.game, context.session
    if game.vector_regions is None and game.form != "vectors":
        return None
    just = operations.where(context.counts, lambda count: count == context.enough)
    session.define("just_enough", context.relation(just, "just enough"))
    session.define("N", ~call("P", p, q))
    needed = operations.empty(tuple(context.system.track(name) for name in ("i", "j")))
    moves = needed
    for kind in game.kinds:
        taken = kind & TAKEN
        from_n = call("N", p, q) & call("just_enough", p, q) & call("P", r, s)
        found = session.relation(exists(p, q, r, s, from_n & taken)).automaton
        needed = operations.disjunction(needed, found)
        moves = operations.disjunction(moves, session.relation(exists(p, q, r, s, taken)).automaton)
    session.define("move", context.relation(moves, "moves"))
    return context.relation(operations.difference(moves, needed), "redundant moves")


def addable_moves(context: GameContext) -> Relation | None:
    """Return the vectors (i,j) that are not moves but can be added; None for games whose moves are not vectors."""
    game, session = context.game, context.session
    if game.vector_regions is None and game.form != "vectors":
        return None
    if "move" not in session.namespace.definitions:
        redundant_moves(context)
    live = call("P", p, q) & ~call("T", p, q)
    if game.blocked:
        full = operations.where(context.counts, lambda count: count == game.blocked)
        session.define("full", context.relation(full, "as many options in P as can be blocked"))
        live &= call("full", p, q)
    session.define("live", live)
    # In four parts, by which pile is the larger one: this takes one second for W^2 instead of twenty.
    joining = operations.empty(tuple(context.system.track(name) for name in ("i", "j")))
    for source in (p <= q, p > q):
        for target in (r <= s, r > s):
            both = source & target & call("P", r, s) & call("live", p, q)
            part = session.relation(exists(p, q, r, s, both & TAKEN))
            joining = operations.disjunction(joining, part.automaton)
    session.define("joining", context.relation(joining, "differences of positions"))
    return session.relation(((i > 0) | (j > 0)) & ~call("move", i, j) & ~call("joining", i, j))


def redundant_findings(context: GameContext) -> Iterator[Finding]:
    """Return the redundant moves as a finding, in words where they are simple."""
    return _findings(context, redundant_moves(context), "redundant moves", "no move is redundant")


def addable_findings(context: GameContext) -> Iterator[Finding]:
    """Return the moves that can be added as a finding, in words where they are simple."""
    return _findings(context, addable_moves(context), "moves that can be added", "no move can be added")


def _findings(context: GameContext, moves: Relation | None, what: str, none: str) -> Iterator[Finding]:
    """Yield the finding about a set of moves, unless the set is None; none: what it says of the empty set."""
    if moves is not None:
        statement = none if moves.is_empty() else f"the {what} are {describe_set(context, moves)}"
        yield Finding(what, statement, (), {"states": moves.states, "first": moves.first(5)})
