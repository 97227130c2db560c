"""The automaton of a set of number tuples, inferred from all its members below a bound.

The method merges prefixes of representations with equal residuals (Myhill-Nerode classes), as far as the data show
them; the algorithm is in `fibprover_ext/residuals.pxi`.  The result is a guess about everything beyond the bound.
It agrees with the data below the bound, except for members so near to the bound that no residual is known to
the depth that would use them: `errors` counts these.  Since the data are complete, residuals that differ are
different: a wrong guess merges too much, never too little.  The *margin* measures how far a guess can be
trusted: all merged residuals agree to a depth that exceeds by the margin the depth that tells any two states apart.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

from fibprover.automata import kernel_calls, kernels, operations
from fibprover.automata.dfa import Dfa, check_tracks
from fibprover.base.errors import DigitError, FibproverError, LimitError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


#: The largest bound: the kernels form sums of two bounds, and no products.
MOST_BOUND = 1 << 62

#: Numbers below this are used to check that representations are greedy.
COMPARED = 100


@dataclass(frozen=True, slots=True)
class InferredSet:
    """A guess at the automaton of a set, and its evidence.

    automaton: canonical, inside the valid representations; positions: the number of known members, which are all
    members whose components are below `bound`; merged, dead: the least depth to which two merged residuals, or one
    that was assumed to be empty, are known; apart: the least depth that distinguishes all states from each other and
    from no state; unknown: the number of transitions without any data; nodes: of the trie of representations;
    errors: the number of tuples below the bound on which the automaton is wrong.
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
        """The depth to which all merges are confirmed, minus the depth that distinguishes all states.

        At most -1 if a transition is unknown or an error is known.
        """
        margin = min(self.merged, self.dead) - self.apart
        return min(margin, -1) if self.unknown or self.errors else margin


@dataclass(frozen=True, slots=True)
class MergeResult:
    """The result of merging, before invalid words are removed.

    automaton: one state for every residual found, may accept words that are not representations; trusts: the depth
    to which the residual of each state is known, -1: not at all; known: the number of members; lost: the number of
    members that are not accepted; the other fields are as in `InferredSet`.
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
) -> InferredSet:
    """Return the automaton inferred from the members of a set of number tuples.

    members: integers, one tuple a row, all members whose components are below `bound` and no others, in any order;
    system: an msd system of the naturals; names: of the tracks, one a column.  Takes about 24 bytes a member and 8 a
    node of the trie.  Raises FibproverError for arguments that do not fit together, LimitError for sizes that no budget
    allows, and BudgetSpent when the budget is spent.

    The result is correct if the bound is at least the value of a digit 1 followed by d+e+1 digits, where words of d
    letters distinguish the states of the correct automaton and words of e letters reach them: every state is found
    with a trust of d+e+1 minus its distance, and one letter later all merges are still confirmed.  Usually far
    smaller bounds suffice.
    """
    found = merge(members, bound, system, names, budget)
    words = operations.cartesian_product([system.valid.renamed([name]) for name in names], budget)
    automaton = operations.conjunction(found.automaton, words, budget)
    accepted = members_below(automaton, bound, system, budget)
    errors = found.lost + (accepted - (found.known - found.lost)) % (1 << 64)
    apart = separating_depth(automaton, budget)
    return InferredSet(
        automaton, found.known, bound, found.merged, found.dead, apart, found.unknown, found.nodes, errors
    )


def merge(
    members: ArrayLike, bound: int, system: NumerationSystem, names: Sequence[str], budget: Budget = UNLIMITED
) -> MergeResult:
    """Return the states and transitions found by merging; arguments and errors as for `infer_set`."""
    check_system(system)
    bound = _natural(bound)
    tracks = tuple(system.track(name) for name in names)
    check_tracks(tracks)
    table = _checked(members, len(tracks), bound)
    weights = digit_weights(system, bound)
    suffixes = array("q", greatest_suffixes(system.valid, weights, bound))
    # All values from the bound on are equivalent.
    capped = array("q", [min(weight, max(bound, 1)) for weight in weights])
    with kernel_calls.metered(budget, "an automaton from data") as meter:
        valid, digits = kernel_calls.csr(system.valid), len(system.digits)
        arrays, trusts, *numbers = kernels.inference.infer(
            table.reshape(-1), len(tracks), bound, capped, suffixes, valid, digits, meter
        )
    return MergeResult(Dfa(tracks, *arrays), tuple(trusts), *numbers)


def separating_depth(a: Dfa, budget: Budget = UNLIMITED) -> int:
    """Return the least length such that any two states, or a state and none, differ on a word of at most this length.

    For a minimal automaton; O(depth * transitions).
    """
    with kernel_calls.metered(budget, "a comparison of states") as meter:
        return kernels.inference.separating_depth(kernel_calls.csr(a), meter)


def members_below(a: Dfa, bound: int, system: NumerationSystem, budget: Budget = UNLIMITED) -> int:
    """Return the number of tuples of a relation with all components below a bound, modulo 2^64.

    a: over tracks of one system.  O(states + transitions) for every digit of the bound, without products.
    """
    if bound == 0:
        return 0
    with kernel_calls.metered(budget, "a count of tuples") as meter:
        greatest = array("q", system.represent(bound - 1))
        return kernels.inference.accepted_up_to(kernel_calls.csr(a), greatest, len(a.tracks), len(system.digits), meter)


def _natural(bound: Any) -> int:
    try:
        number = index(bound)
    except TypeError:
        raise FibproverError(f"a bound is a natural number, not {bound!r}") from None
    if number < 0:
        raise FibproverError(f"a bound is not negative, as {number} is")
    return number


def _checked(members: ArrayLike, columns: int, bound: int) -> NDArray[Any]:
    """Return the members as a table of int64; raises FibproverError if they are malformed or not below the bound."""
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


def check_system(system: NumerationSystem) -> None:
    """Raise FibproverError for systems that are signed or least significant digit first."""
    if not isinstance(system, NumerationSystem):
        raise FibproverError(f"a numeration system is needed, not {system!r}", hint="system_named makes one of a name")
    if system.signed or system.lsd_first:
        raise FibproverError(
            f"automata are inferred in systems of natural numbers, most significant digit first, not in {system.name}"
        )


def digit_weights(system: NumerationSystem, bound: int) -> list[int]:
    """Return the values of a digit 1 followed by 0, 1, ... digits, up to the first one that is not below the bound.

    Raises FibproverError if representations are not greedy with such weights, LimitError for a bound above 2^62.
    """
    if bound > MOST_BOUND:
        raise LimitError(f"the bound {bound} is too large for an inference", hint=f"the largest one is {MOST_BOUND}")
    weights: list[int] = []
    try:
        while not weights or weights[-1] < bound:
            weights.append(system.value((1, *(0 for _ in weights))))
    except DigitError:
        weights = []
    if not weights or not _is_greedy(system, weights):
        raise FibproverError(
            f"digits of {system.name} are not worth the same in all numbers, so nothing is inferred in it",
            hint="systems of linear recurrences and Ostrowski systems will do",
        )
    return weights


def _is_greedy(system: NumerationSystem, weights: Sequence[int]) -> bool:
    """Return whether the representations of small numbers, and of those around the weights, are greedy."""
    numbers = {*range(COMPARED), *(weight + d for weight in weights for d in (-1, 0, 1))}
    return all(system.represent(number) == greedy(number, weights) for number in numbers if number < weights[-1])


def greedy(number: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Return the greedy representation of a number below the last weight."""
    digits: list[int] = []
    for weight in reversed(weights):
        digit, number = divmod(number, weight)
        if digit or digits:
            digits.append(digit)
    return tuple(digits)


def greatest_suffixes(valid: Dfa, weights: Sequence[int], bound: int) -> list[int]:
    """Return, at state * len(weights) + j, the greatest value of j further digits from a state, at most `bound`.

    -1 where no word of j digits is accepted from the state.  O(transitions * len(weights)).
    """
    greatest = [0 if output else -1 for output in valid.outputs]
    columns = [greatest]
    for weight in weights[:-1]:
        following = []
        for state in range(valid.states):
            values = [digit * weight + greatest[to] for digit, to in valid.row(state) if greatest[to] >= 0]
            following.append(min(max(values, default=-1), bound))
        greatest = following
        columns.append(greatest)
    return [min(column[state], bound) for state in range(valid.states) for column in columns]
