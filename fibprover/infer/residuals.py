"""The automaton of a set of number tuples, inferred from all its members below a bound.

The method merges prefixes of representations with equal residuals; `fibprover_ext/residuals.pxi` says
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

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa, check_tracks
from fibprover.errors import DigitError, FibproverError, LimitError
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover_ext import automata as compiled

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
    words = operations.cartesian_product([system.valid.renamed([name]) for name in names], budget)
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
    with kernels.metered(budget, "an automaton from data") as meter:
        arrays, trusts, *numbers = compiled.infer(
            table.reshape(-1), len(tracks), bound, capped, room, kernels.csr(system.valid), len(system.digits), meter
        )
    return Merged(Dfa(tracks, *arrays), tuple(trusts), *numbers)


def separating_depth(a: Dfa, budget: Budget = UNLIMITED) -> int:
    """The least length such that any two states, or a state and none, differ on a word of at most this length.

    For a minimal automaton; O(depth * transitions).
    """
    with kernels.metered(budget, "a comparison of states") as meter:
        return compiled.separating_depth(kernels.csr(a), meter)


def members_below(a: Dfa, bound: int, system: NumerationSystem, budget: Budget = UNLIMITED) -> int:
    """How many tuples with all components below a bound a relation over tracks of one system has, modulo 2^64.

    O(states + transitions) for every digit of the bound, where `Relation.count` makes products.
    """
    if bound == 0:
        return 0
    with kernels.metered(budget, "a count of tuples") as meter:
        greatest = array("q", system.represent(bound - 1))
        return compiled.accepted_up_to(kernels.csr(a), greatest, len(a.tracks), len(system.digits), meter)


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



# ---- places
# What the places of a numeration system are worth, as the kernel that infers automata takes it.

#: Bounds the kernels calculate with: products of them with nothing, sums of two of them.
MOST_BOUND = 1 << 62

#: Numbers that are written in two ways to see whether they are the same.
COMPARED = 100


def check_system(system: NumerationSystem) -> None:
    """FibproverError for systems that are signed or read from the other end."""
    if not isinstance(system, NumerationSystem):
        raise FibproverError(f"a numeration system is needed, not {system!r}", hint="system_named makes one of a name")
    if system.signed or system.lsd_first:
        raise FibproverError(
            f"automata are inferred in systems of natural numbers, most significant digit first, not in {system.name}"
        )


def weights(system: NumerationSystem, bound: int) -> list[int]:
    """What a digit 1 is worth with 0, 1, ... digits behind it, up to the first not below the bound.

    FibproverError where numbers are not written greedily with such weights, LimitError for a bound above 2^62.
    """
    if bound > MOST_BOUND:
        raise LimitError(f"the bound {bound} is too large for an inference", hint=f"the largest one is {MOST_BOUND}")
    worth: list[int] = []
    try:
        while not worth or worth[-1] < bound:
            worth.append(system.value((1, *(0 for _ in worth))))
    except DigitError:
        worth = []
    if not worth or not _written_greedily(system, worth):
        raise FibproverError(
            f"digits of {system.name} are not worth the same in all numbers, so nothing is inferred in it",
            hint="systems of linear recurrences and Ostrowski systems will do",
        )
    return worth


def _written_greedily(system: NumerationSystem, worth: list[int]) -> bool:
    """Whether small numbers, and those around the weights, are written greedily."""
    numbers = {*range(COMPARED), *(number + d for number in worth for d in (-1, 0, 1))}
    return all(system.represent(number) == greedy(number, worth) for number in numbers if number < worth[-1])


def greedy(number: int, worth: list[int]) -> tuple[int, ...]:
    """A number below the last weight, written with the largest digit that is possible from the top on."""
    digits: list[int] = []
    for weight in reversed(worth):
        digit, number = divmod(number, weight)
        if digit or digits:
            digits.append(digit)
    return tuple(digits)


def slack(valid: Dfa, worth: list[int], bound: int) -> list[int]:
    """By validity state and j: the greatest number that j further digits can be worth, `bound` if it is more.

    At state * len(worth) + j, -1 where no j digits go on validly.  O(transitions * len(worth)).
    """
    greatest = [0 if output else -1 for output in valid.outputs]
    columns = [greatest]
    for weight in worth[:-1]:
        following = []
        for state in range(valid.states):
            values = [digit * weight + greatest[to] for digit, to in valid.row(state) if greatest[to] >= 0]
            following.append(min(max(values, default=-1), bound))
        greatest = following
        columns.append(greatest)
    return [min(column[state], bound) for state in range(valid.states) for column in columns]
