"""The automaton of a set of number tuples, inferred from all its members below a bound.

The method merges prefixes of representations with equal residuals; `fibprover_ext/residuals.pyx` says
how.  What comes out is a guess about everything beyond the bound, and fits everything below it, but for
what lies so near to the bound that no residual is known far enough to use it: `errors` counts that.
Since the data are complete, a difference between two residuals is never an error: a wrong guess merges too
much, never too little.  How far it can be trusted is measured by the *margin*: what was merged was seen
to be equal to at least so many letters more than any two states need to be told apart.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

from fibprover.automata import calls, operations
from fibprover.automata.dfa import Dfa, check_tracks
from fibprover.errors import FibproverError
from fibprover.infer.places import check_system, slack, weights
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover_ext import guesses as _guesses
from fibprover_ext import residuals as _residuals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Inferred:
    """A guess at the automaton of a set, and what it rests on.

    automaton: canonical, inside the valid representations; positions: how many members were known, all those
    whose components are below `bound`; merged, dead: the least depth to which two residuals that were merged, or
    one that was taken to be empty, are known; apart: the least depth that tells all states from each other and from
    no state; unknown: how many transitions nothing is known of; nodes: of the trie of representations; errors: of
    how many tuples below the bound the automaton says the wrong thing.
    """

    automaton: Dfa
    positions: int
    bound: int
    merged: int
    dead: int
    apart: int
    unknown: int
    nodes: int
    errors: int = 0

    @property
    def states(self) -> int:
        """States of the automaton."""
        return self.automaton.states

    @property
    def margin(self) -> int:
        """How much deeper merges were seen to be right than states need to be told apart.

        -1 if something is unknown or known to be wrong, and negative too if merges are less deep than that.
        """
        margin = min(self.merged, self.dead) - self.apart
        return min(margin, -1) if self.unknown or self.errors else margin


@dataclass(frozen=True, slots=True)
class Merged:
    """What merging gives, before invalid words are taken away.

    automaton: one state for every residual found, which may accept words that are no representations; trusts: how
    deep the residual of each state is known, -1: not at all; known: how many members there are; lost: how many of
    them are not accepted; the others are as in `Inferred`.
    """

    automaton: Dfa
    trusts: tuple[int, ...]
    merged: int
    dead: int
    unknown: int
    nodes: int
    known: int
    lost: int


def infer_set(
    members: ArrayLike, bound: int, system: NumerationSystem, names: Sequence[str], budget: Budget = UNLIMITED
) -> Inferred:
    """The automaton inferred from the members of a set of number tuples.

    members: integers, one row a tuple, all members whose components are below `bound` and no others, in any order;
    system: an msd system of the naturals; names: of the tracks, one a column.  About 24 bytes a member and 8 a node
    of the trie.  Raises FibproverError for what does not fit together, LimitError for sizes that are refused
    whatever the budget is, BudgetSpent.

    It is certainly right from the bound on that is a digit 1 with d+e+1 digits behind it, where words of d letters
    tell the right automaton's states apart and each is reached by one of e letters: every state is found with a trust
    of that many less its distance, and one letter further all merges are still seen to be right.  Mostly it is right
    from far less.
    """
    found = merge(members, bound, system, names, budget)
    words = operations.free_product([system.valid.renamed([name]) for name in names], budget)
    automaton = operations.conjunction(found.automaton, words, budget)
    accepted = members_below(automaton, bound, system, budget)
    errors = found.lost + (accepted - (found.known - found.lost)) % (1 << 64)
    apart = separating_depth(automaton, budget)
    return Inferred(
        automaton, found.known, bound, found.merged, found.dead, apart, found.unknown, found.nodes, errors
    )


def merge(
    members: ArrayLike, bound: int, system: NumerationSystem, names: Sequence[str], budget: Budget = UNLIMITED
) -> Merged:
    """The states and transitions found by merging; arguments and errors as for `infer_set`."""
    check_system(system)
    bound = _natural(bound)
    tracks = tuple(system.track(name) for name in names)
    check_tracks(tracks)
    table = _checked(members, len(tracks), bound)
    worth = weights(system, bound)
    room = array("q", slack(system.valid, worth, bound))
    # All that is not below the bound is alike.
    capped = array("q", [min(weight, max(bound, 1)) for weight in worth])
    with calls.metered(budget, "an automaton from data") as meter:
        arrays, trusts, *numbers = _residuals.infer(
            table.reshape(-1), len(tracks), bound, capped, room, calls.csr(system.valid), len(system.digits), meter
        )
    return Merged(Dfa(tracks, *arrays), tuple(trusts), *numbers)


def separating_depth(a: Dfa, budget: Budget = UNLIMITED) -> int:
    """The least length such that any two states, or a state and none, differ on a word of at most this length.

    For a minimal automaton; O(depth * transitions).
    """
    with calls.metered(budget, "a comparison of states") as meter:
        return _guesses.separating_depth(calls.csr(a), meter)


def members_below(a: Dfa, bound: int, system: NumerationSystem, budget: Budget = UNLIMITED) -> int:
    """How many tuples with all components below a bound a relation over tracks of one system has, modulo 2^64.

    O(states + transitions) for every digit of the bound, where `Relation.count` makes products.
    """
    if bound == 0:
        return 0
    with calls.metered(budget, "a count of tuples") as meter:
        greatest = array("q", system.represent(bound - 1))
        return _guesses.accepted_up_to(calls.csr(a), greatest, len(a.tracks), len(system.digits), meter)


def _natural(bound: Any) -> int:
    try:
        number = index(bound)
    except TypeError:
        raise FibproverError(f"a bound is a natural number, and not {bound!r}") from None
    if number < 0:
        raise FibproverError(f"a bound is not negative, as {number} is")
    return number


def _checked(members: ArrayLike, columns: int, bound: int) -> NDArray[Any]:
    """The members as a table of int64; FibproverError if they are none, or not below the bound."""
    import numpy

    try:
        table = numpy.asarray(members)
    except ValueError as error:
        raise FibproverError(f"members are a table of integers, one row a tuple: {error}") from None
    if table.ndim != 2 or table.shape[1] != columns or not columns:
        raise FibproverError(f"a table needs a column for each name, here {columns}, and not the shape {table.shape}")
    if table.size and table.dtype.kind not in "iu" and not all(type(item) is int for item in table.flat):
        raise FibproverError(f"members are integers, and not of type {table.dtype}")
    if table.size and (table.min() < 0 or table.max() >= bound):
        raise FibproverError(f"members lie from {table.min()} to {table.max()}, and not from 0 to {bound - 1}")
    return numpy.ascontiguousarray(table, dtype=numpy.int64)
