"""An automaton for a set of number tuples that is known up to a bound, by merging equal residuals.

The representations of the known tuples make a trie.  The residual of a prefix is the set of words that complete it; it
is known up to the greatest length at which every valid completion is a tuple below the bound, the prefix's trust.
Prefixes are taken in order of decreasing trust: one whose residual equals that of an earlier one as deep as it is
known is the same state, one whose residual is empty as deep as it is known is no state at all, any other is a
new state.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

from fibprover.automata.kernels.python.arrays import Arrays, Csr, exported
from fibprover.automata.kernels.python.budget import InvalidArrayError, Meter
from tests.oracle.twins.trie import Trie, words_of

MOST_WIDTH = 64
MOST_WEIGHT = 1 << 62

BYTES_OF_PREFIX = 200


def infer(
    values: Any, width: int, bound: int, weights: Any, slack: Any, valid: Csr, digits: int, meter: Meter
) -> tuple[Arrays, Sequence[int], int, int, int, int, int, int]:
    """Return (arrays of an automaton, trusts of its states, merged, dead, unknown, nodes, known, lost).

    values: tuples of `width` components from 0 to `bound` - 1, all there are, one after the other in any order;
    weights: what the digits are worth, least first, the last one the first that is not below the bound, at most 2^62
    all; slack: at validity state * len(weights) + j, the greatest number that a valid completion by j digits is worth,
    not more than `bound`, and -1 where there is none; valid: the valid representations over digits 0 .. digits-1.  The
    automaton loops at state 0 with the zero letter; it may hold words that are not valid.  merged, dead: the least
    trusts of a prefix that was merged, and of one whose residual is empty; unknown: how many transitions lead out of
    what is known; nodes: of the trie; known: how many tuples there are; lost: how many of them the automaton does not
    accept.
    """
    meter.poll()
    weights, slack = list(weights), list(slack)
    check_problem(values, width, bound, weights, slack, valid, digits)
    trie = Trie(words_of(values, width, weights, digits, meter), meter)
    merging = Merging(trie, width, bound, weights, slack, valid, digits)
    merging.run()
    offsets, codes, targets = array("q", [0]), array("q"), array("i")
    for row in merging.rows:
        for code, prefix in row:
            codes.append(code)
            targets.append(prefix.state)
        offsets.append(len(codes))
    outputs = array("i", [1 if trie.near[prefix.node] == 0 else 0 for prefix in merging.states])
    meter.progress(len(outputs), len(codes), trie.held)
    rows = [{code: prefix.state for code, prefix in row} for row in merging.rows]
    lost = trie.words - accepted_words(trie, rows, outputs)
    return (
        exported(offsets, codes, targets, outputs), [prefix.trust for prefix in merging.states],
        merging.least_merge, merging.least_dead, merging.unknown, len(trie.letters), trie.words, lost,
    )


def check_problem(
    values: Any, width: int, bound: int, weights: list[int], slack: list[int], valid: Csr, digits: int
) -> None:
    """Raise InvalidArrayError for what no caller may hand in."""
    good = len(weights) >= 1 and 1 <= width <= MOST_WIDTH and digits >= 1 and bound >= 0
    good = good and len(values) % width == 0 and len(slack) == valid.states * len(weights)
    good = good and (not len(values) or (min(values) >= 0 and max(values) < bound))
    good = good and all(1 <= weight <= MOST_WEIGHT for weight in weights)
    good = good and all(low <= high for low, high in pairwise(weights))
    good = good and weights[-1] >= bound and all(-1 <= item <= bound for item in slack)
    if not good or any(code >= digits for code in valid.codes):
        raise InvalidArrayError("numbers, weights and valid representations do not fit together")


class Prefix:
    """A word that may become a state: the state it extends by a letter, its node in the trie, and its trust.

    validity: the states of the components in the automaton of valid words; state: the one that it is, -1 none so far.
    """

    __slots__ = ("letter", "node", "parent", "state", "trust", "validity")

    def __init__(self, parent: Prefix | None, letter: int, node: int, trust: int, validity: tuple[int, ...]) -> None:
        self.parent, self.letter, self.node, self.trust, self.validity = parent, letter, node, trust, validity
        self.state = -1


class Reach(NamedTuple):
    """For one more digit of a component, sets of j as bits: some j digits can follow; all that can stay below."""

    digit: int
    target: int
    possible: int
    below: int


class Merging:
    """States found so far, and prefixes one letter longer than a state's, which wait in a queue for every trust."""

    def __init__(
        self, trie: Trie, width: int, bound: int, weights: list[int], slack: list[int], valid: Csr, digits: int
    ) -> None:
        self.trie, self.width, self.bound, self.weights, self.slack = trie, width, bound, weights, slack
        self.valid, self.digits, self.places = valid, digits, len(weights)
        self.meter = trie.meter
        self.states: list[Prefix] = []
        self.rows: list[list[tuple[int, Prefix]]] = []
        self.waiting: list[deque[Prefix]] = [deque() for _ in weights]
        #: The states by what a look at their residuals shows, as deep as `depth`.
        self.known: dict[int, list[Prefix]] = {}
        self.depth = self.places
        self.least_merge = self.least_dead = self.places
        self.unknown = self.transitions = 0

    def run(self) -> None:
        """Find the states and their transitions."""
        trust = self.places - 1
        # The empty prefix stands for all words of zeros.
        while trust >= 0 and self.slack[trust] >= self.bound:
            trust -= 1
        self._new_state(Prefix(None, 0, 0, trust, (0,) * self.width))
        while True:
            while len(self.rows) < len(self.states):
                self._expand(self.states[len(self.rows)])
            while trust >= 0 and not self.waiting[trust]:
                trust -= 1
            if trust < 0:
                return
            prefix = self.waiting[trust].popleft()
            state = self._equal_state(prefix)
            if state is None:
                self._new_state(prefix)
            else:
                prefix.state = state
                self.least_merge = min(self.least_merge, trust)

    def _new_state(self, prefix: Prefix) -> None:
        prefix.state = len(self.states)
        self.states.append(prefix)
        self._remember(prefix)
        meter = self.meter
        if len(self.states) > meter.max_states or self.transitions > meter.max_transitions or not prefix.state & 255:
            meter.progress(len(self.states), self.transitions, self.trie.held + BYTES_OF_PREFIX * self.transitions)

    def _remember(self, state: Prefix) -> None:
        """Put a state after those of the same look: the first one found is the one known deepest."""
        self.known.setdefault(hash(self.trie.look(state.node, self.depth)), []).append(state)

    def _equal_state(self, prefix: Prefix) -> int | None:
        """Return the first state whose residual is that of a prefix, up to the prefix's trust."""
        trie = self.trie
        if prefix.trust < self.depth:
            self.depth = prefix.trust
            self.known = {}
            for state in self.states:
                self._remember(state)
        for state in self.known.get(hash(trie.look(prefix.node, self.depth)), ()):
            if trie.same(prefix.node, state.node, self.depth):
                return state.state
        return None

    def _expand(self, state: Prefix) -> None:
        """Find the prefixes one letter longer than a state's."""
        near, children = self.trie.near, self.trie.children(state.node)
        row: list[tuple[int, Prefix]] = []
        self.rows.append(row)
        for choice in product(*self._reaches(state)):
            code, possible, below = 0, -1, -1
            for reach in choice:
                code = code * self.digits + reach.digit
                possible &= reach.possible
                below &= reach.below
            self.meter.work(1)
            if state.parent is None and code == 0:
                row.append((0, state))
                continue
            trust = trust_of(state.trust, possible, below)
            child = children.get(code)
            if trust < 0:
                self.unknown += 1
            elif child is None or near[child] > trust:
                self.least_dead = min(self.least_dead, trust)
            else:
                prefix = Prefix(state, code, child, trust, tuple([reach.target for reach in choice]))
                row.append((code, prefix))
                self.waiting[trust].append(prefix)
        self.transitions += len(row)

    def _reaches(self, state: Prefix) -> list[list[Reach]]:
        """Return for every component the digits that may follow a state's prefix."""
        valid, places, bound = self.valid, self.places, self.bound
        found = []
        for k, worths in enumerate(self._worths(state)):
            validity = state.validity[k]
            reaches = []
            for digit, target in zip(valid.letters_of(validity), valid.row(validity), strict=True):
                possible = below = 0
                for j, worth in enumerate(worths):
                    slack = self.slack[target * places + j]
                    if slack >= 0:
                        possible |= 1 << j
                        if worth + digit * self.weights[j] + slack < bound:
                            below |= 1 << j
                reaches.append(Reach(digit, target, possible, below))
            self.meter.work(len(reaches) * len(worths))
            found.append(reaches)
        return found

    def _worths(self, state: Prefix) -> list[list[int]]:
        """Return what the components of a state's prefix are worth before j + 1 more digits, for j up to its trust.

        The bound stands for all that is greater.
        """
        count = state.trust + 1
        worths = [[0] * count for _ in range(self.width)]
        place, prefix = 1, state
        while prefix.parent is not None:
            letter = prefix.letter
            for k in range(self.width - 1, -1, -1):
                letter, digit = divmod(letter, self.digits)
                if digit:
                    worth = worths[k]
                    for j in range(count):
                        more = digit * self.weights[j + place] if j + place < self.places else self.bound
                        worth[j] = min(self.bound, worth[j] + more)
            self.meter.work(self.width * count)
            place, prefix = place + 1, prefix.parent
        return worths


def trust_of(most: int, possible: int, below: int) -> int:
    """Return the greatest j <= most such that all valid continuations of at most j letters stay below the bound.

    Return -1 if there is none. possible, below: bit sets of the numbers of letters for which some valid continuation
    exists, and for which all of them are below the bound.  More letters make greater numbers, so that the greatest
    possible number of letters decides.
    """
    settled = (possible & below).bit_length()
    beyond = (possible & ~below) >> settled
    if not beyond:
        return most
    return settled + (beyond & -beyond).bit_length() - 2


def accepted_words(trie: Trie, rows: list[dict[int, int]], outputs: Sequence[int]) -> int:
    """Return how many words of the trie the automaton with these rows accepts."""
    count = 0
    stack = [(0, 0)]
    while stack:
        node, state = stack.pop()
        if trie.near[node] == 0 and outputs[state]:
            count += 1
        row = rows[state]
        trie.meter.work(1)
        for letter, child in trie.children(node).items():
            target = row.get(letter)
            if target is not None:
                stack.append((child, target))
    return count
