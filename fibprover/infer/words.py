"""From a prefix of a sequence to a morphism and a coding, by t-types.

The heuristic is that of A. Renard and M. Rigo, Variants of Wythoff game with terminal positions or blocking
maneuvers (Journal of Integer Sequences, 2026), for every numeration system.  The 0-type of a node of the tree of
representations (`fibprover.infer.tree`) is its letter; its (t+1)-type is its letter with the t-types of its
children, digit by digit: everything that can be read from it in at most t + 1 steps.  Their t-type of an index is
the letter with the factors that belong to mu(g_n), ..., mu^t(g_n); here these factors keep the shape of the tree,
which matters where words of equal length have different shapes.

Types are the classes of a partition of the nodes, and every depth refines the partition of the depth before.  Where
one depth does not, no later one does, and the classes are the states of an automaton, hence the letters of a
morphism; the letter of a class is its coding.  The smallest depth with such a partition is chosen.

The result is a conjecture.  The *margin* says how far the data support it: every transition of the
automaton was confirmed by comparing at least that many levels more than are needed to distinguish the types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from fibprover.automata.dfa import explored
from fibprover.base.errors import FibproverError
from fibprover.base.limits import UNLIMITED, Budget, check_budget
from fibprover.base.values import PlainlyDisplayed, value
from fibprover.base.wording import plural
from fibprover.infer.tree import NO_NUMBER, Edges, Integers, Tree, tree_of
from fibprover.numeration.system import NumerationSystem
from fibprover.words.automatic import AutomaticWord
from fibprover.words.morphism import from_morphism

#: The default of the least margin to accept.
LEAST_MARGIN = 1


#: The type of a node that is not trusted to the depth of the types.
UNKNOWN = -1

#: The state at a node that an automaton does not reach, and at one that the data do not reach.
NO_STATE, UNREACHED = -1, -2


@value
class Support:
    """The evidence for a letter of an inferred morphism.

    first: the first number at which it occurs; positions: the number of positions whose type lies inside the data;
    confirmed: the number of these whose image lies inside the data, too; depth: the largest depth to which
    everything after an occurrence lies inside the data.
    """

    first: int
    positions: int
    confirmed: int
    depth: int


@value
class InferredWord(PlainlyDisplayed):
    """A morphism and a coding that agree with all of a sequence, and the evidence for them.

    images, coding: of the letters 0, 1, ..., in the order in which they occur in the fixed point of 0;
    depth: the t of the t-types; margin: see the module; length: the number of values of the sequence;
    support: for each letter; word: the automatic word, whose machine is minimal; types: the number of t-types for
    t = 0, 1, ..., depth + 1.
    """

    name: str
    system: str
    images: tuple[tuple[int, ...], ...]
    coding: tuple[int, ...]
    depth: int
    margin: int
    length: int
    support: tuple[Support, ...]
    word: AutomaticWord
    types: tuple[int, ...]

    @property
    def letters(self) -> int:
        """The number of letters of the morphism."""
        return len(self.images)

    @property
    def minimal(self) -> int:
        """The number of letters that are needed: states of the minimal machine."""
        return self.word.machine.states

    def __str__(self) -> str:
        """Return the morphism, the coding and what supports them, as lines of text."""
        images = [f"{letter} -> {' '.join(map(str, image))}" for letter, image in enumerate(self.images)]
        letters = {value: [str(n) for n, coded in enumerate(self.coding) if coded == value] for value in self.coding}
        coding = [f"{' '.join(letters[value])} -> {value}" for value in sorted(letters)]
        least = min(range(self.letters), key=lambda letter: self.support[letter].positions if letter else self.length)
        support = self.support[least]
        minimal = "" if self.minimal == self.letters else f" ({self.minimal} are enough)"
        places = "place" if support.positions == 1 else "places"
        return "\n".join([
            f"{self.name}: {self.letters} letters{minimal} over {self.system}, by {self.depth}-types",
            f"  morphism: {', '.join(images)}",
            f"  coding: {', '.join(coding)}",
            f"  data: all {self.length} values agree; margin {self.margin};"
            f" the rarest letter, {least}, at {support.positions} {places}, first at {support.first}",
        ])

    def __repr__(self) -> str:
        return f"InferredWord({self.name} over {self.system}; {self.letters} letters, margin {self.margin})"

    def entry(self) -> dict[str, Any]:
        """Return the entry of the word in a file of words (see `fibprover.words.morphism.load_words`)."""
        remark = f"inferred from {self.length} values: {self.depth}-types, margin {self.margin}"
        return {
            "for": remark,
            "system": self.system,
            "morphism": [list(image) for image in self.images],
            "coding": list(self.coding),
        }


#: Reasons why the types of a depth give no word, the most informative first: the data support the automaton too
#: little, or contradict it; two nodes of one type differ one step deeper; an image is never inside the data.
PROBLEMS = ("margin", "data", "conflict", "image")


@value
class DepthFailure:
    """The reason why one depth gave no word.

    types: the number of types, among `positions` nodes; kind: one of PROBLEMS; problem: the reason in words.
    """

    depth: int
    types: int
    positions: int
    kind: str
    problem: str


class NoMorphism(FibproverError):
    """Raised if no depth that was tried gives a morphism; the message has the reason at the most promising depth.

    failures: one for each depth.
    """

    def __init__(self, message: str, failures: tuple[DepthFailure, ...], *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.failures = failures


def infer_word(
    sequence: Sequence[int],
    system: NumerationSystem,
    name: str = "w",
    depths: Iterable[int] | None = None,
    *,
    first: int = 0,
    margin: int | None = None,
    budget: Budget = UNLIMITED,
) -> InferredWord:
    """Return the word that begins with a sequence, by the t-types of the smallest depth that gives an automaton.

    sequence: the letters at first, first + 1, ...; first is 0 but for systems of all integers, which need data on
    both sides of 0; depths: those to try (default: 0, 1, ..., as far as the data reach); margin: the least one to
    accept (default: 1).  A depth makes an automaton if the type of a node determines the types of its children wherever
    both lie inside the data (then greater depths change nothing), if the children of every type are known, and if
    the automaton agrees with all data.  Raises NoMorphism if no depth does.
    O(n log n) for each digit and depth: 10^5 values take a tenth of a second over Fibonacci.
    """
    tree = tree_of(system, sequence, first)
    length = len(sequence)
    margin = LEAST_MARGIN if margin is None else margin
    wanted = range(int(tree.trust[0])) if depths is None else sorted(set(depths))
    if any(depth < 0 for depth in wanted):
        raise FibproverError("the depths of types are 0, 1, 2, ...")
    tried = [depth for depth in wanted if depth < tree.trust[0]]
    if not tried:
        least = "0" if not wanted else str(min(wanted))
        raise NoMorphism(
            f"too few values ({length}) for {least}-types over {system.name}", (), hint="give more of the sequence"
        )
    failures: list[DepthFailure] = []
    found: list[TypePartition] = []
    for following in partitions(tree, budget):
        found.append(following)
        depth = following.depth - 1
        if depth not in tried:
            continue
        answer = _word_at_depth(tree, found, system, name, length, margin)
        if isinstance(answer, InferredWord):
            return answer
        this = found[depth]
        failures.append(DepthFailure(depth, this.count, int((this.types >= 0).sum()), *answer))
        if depth == tried[-1]:
            break
    raise _no_morphism(failures, system, length)


def _word_at_depth(
    tree: Tree, found: Sequence[TypePartition], system: NumerationSystem, name: str, length: int, margin: int
) -> InferredWord | tuple[str, str]:
    """Return the word of the last partition but one; or the one of PROBLEMS that it has, and the reason in words."""
    this, following = found[-2:]
    depth = this.depth
    if not consistent(this, following):
        return "conflict", _conflict(tree, found, depth)
    unseen = without_image(this, following)
    if unseen is not None:
        reason = f"the {depth}-type of {_number(tree, unseen)} is seen only where its image lies outside the data"
        return "image", reason
    machine = type_automaton(tree, this, following)
    reached = _margin(tree, machine, depth)
    if reached < margin:
        letters, levels = len(machine.images), reached or "no"
        return "margin", (
            f"there is a morphism of {letters} letter{'' if letters == 1 else 's'}, but the data show {levels}"
            f" level{'' if reached == 1 else 's'} beyond what tells letters apart, and {margin} would be needed"
        )
    images, coding = _morphism(tree, machine)
    wrong = disagreement(tree, images, [tree.alphabet.index(letter) for letter in coding])
    if wrong is not None:
        size = plural(len(images), "letter")
        return "data", f"the machine with {size} gives another letter at {_number(tree, wrong)}"
    word = from_morphism(name, images, coding, system.track("n"))
    types = tuple(each.count for each in found)
    support = _support(tree, this, machine)
    return InferredWord(name, system.name, images, coding, depth, reached, length, support, word, types)


def _margin(tree: Tree, machine: TypeAutomaton, depth: int) -> int:
    """Return the least trust of a node that a transition was read from, minus the depth that distinguishes types."""
    nodes = set(machine.nodes)
    least = int(tree.trust[0])
    for edge in tree.edges:
        for owner, child in zip(edge.owners.tolist(), edge.children.tolist(), strict=True):
            if owner in nodes:
                least = min(least, int(tree.trust[child]))
    return least - depth


def _morphism(tree: Tree, machine: TypeAutomaton) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return images and coding.

    Where a digit cannot follow but a larger one can, the image holds the letter 0, and where a prefix is not a
    number, the coding is the least letter: no representation of a number uses these.
    """
    images = []
    for image in machine.images:
        last = max((digit for digit, target in enumerate(image) if target is not None), default=-1)
        images.append(tuple(0 if target is None else target for target in image[: last + 1]) or (0,))
    coding = tuple(tree.alphabet[0 if letter == NO_NUMBER else letter] for letter in machine.letters)
    return tuple(images), coding


def _support(tree: Tree, this: TypePartition, machine: TypeAutomaton) -> tuple[Support, ...]:
    """Return the evidence for each state."""
    support = []
    for node in machine.nodes:
        alike = numpy.flatnonzero(this.types == this.types[node])
        trust = tree.trust[alike]
        confirmed = int((trust > this.depth).sum())
        support.append(Support(int(numpy.min(tree.numbers[alike])), len(alike), confirmed, int(numpy.max(trust))))
    return tuple(support)


def _number(tree: Tree, node: int) -> str:
    """Return a node in words."""
    if tree.letters[node] == NO_NUMBER:
        return f"the prefix after {tree.numbers[node]}"
    return str(tree.numbers[node])


def _conflict(tree: Tree, found: Sequence[TypePartition], depth: int) -> str:
    """Return in words how two nodes of one type differ."""
    seen = find_conflict(tree, found, depth)
    assert seen is not None
    left, right = (_number(tree, node) for node in seen.nodes)
    path = "".join(str(digit) if digit < 10 else f"[{digit}]" for digit in seen.path)
    prefixes = any(text.startswith("the") for text in (left, right))
    both = f"{left} and {right}" if prefixes else f"positions {left} and {right}"
    said = f"{both} have the same type, but after the digits {path}"
    first, second = (_at_end(tree, end) for end in seen.ends)
    if all(end is not None and tree.letters[end] != NO_NUMBER for end in seen.ends):
        return f"{said} their letters differ ({first}, {second})"
    return f"{said} they differ ({first} for the first, {second} for the second)"


def _at_end(tree: Tree, end: int | None) -> str:
    """Return in words what stands in the tree at the end of a path."""
    if end is None:
        return "nothing can follow"
    if tree.letters[end] == NO_NUMBER:
        return "no number"
    return f"{tree.alphabet[tree.letters[end]]} at {tree.numbers[end]}"


def _no_morphism(failures: Sequence[DepthFailure], system: NumerationSystem, length: int) -> NoMorphism:
    """Return the error for data that give no word at any depth."""
    kind = min((failure.kind for failure in failures), key=PROBLEMS.index)
    shown = [failure for failure in failures if failure.kind == kind][-1]
    counts = ", ".join(str(failure.types) for failure in failures)
    return NoMorphism(
        f"no morphism over {system.name} fits the {plural(length, 'value')}: at depth {shown.depth} {shown.problem}"
        f" (types at depth {_depths(failures)}: {counts})",
        tuple(failures),
        hint="give more of the sequence, or try another numeration system",
    )


def _depths(failures: Sequence[DepthFailure]) -> str:
    """Return the depths that were tried, in words."""
    depths = [failure.depth for failure in failures]
    if len(depths) > 2 and depths == list(range(depths[0], depths[-1] + 1)):
        return f"{depths[0]} to {depths[-1]}"
    return ", ".join(map(str, depths))


@dataclass(frozen=True, slots=True, eq=False)
class TypePartition:
    """The nodes by their t-types: types[node] in 0 .. count - 1, or UNKNOWN; numbered by their first nodes."""

    depth: int
    types: Integers
    count: int


@dataclass(frozen=True, slots=True)
class TypeAutomaton:
    """The deterministic automaton of the types that can be reached; state 0 is the type of the root.

    images: (states), the targets of a state by digit, None for a digit without transition; letters: (states), indices
    into the alphabet or NO_NUMBER; nodes: (states), the node that each state was read from.
    """

    images: tuple[tuple[int | None, ...], ...]
    letters: tuple[int, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two nodes of equal type whose types one step deeper differ: after the digits `path`, at the nodes `ends`.

    An end is None where no representation continues along the path.
    """

    nodes: tuple[int, int]
    path: tuple[int, ...]
    ends: tuple[int | None, int | None]


def partitions(tree: Tree, budget: Budget = UNLIMITED) -> Iterator[TypePartition]:
    """Yield the partitions by 0-types, 1-types, ..., as far as the data reach; O(nodes log nodes) for each digit.

    Raises BudgetSpent once the budget's time is over.
    """
    types, count = _numbered(tree.letters)
    this = TypePartition(0, types, count)
    yield this
    while this.depth < tree.trust[0]:
        check_budget(budget, 0, "the types of a sequence")
        this = _refined(tree, this)
        yield this


def _refined(tree: Tree, before: TypePartition) -> TypePartition:
    """Return the partition by types of the next depth."""
    depth = before.depth + 1
    nodes = numpy.flatnonzero(tree.trust >= depth)
    place = numpy.full(tree.nodes, -1, dtype=numpy.int64)
    place[nodes] = numpy.arange(len(nodes))
    key, count = _numbered(tree.letters[nodes])
    for edge in tree.edges:
        owners = place[edge.owners]
        here = owners >= 0
        child = numpy.zeros(len(nodes), dtype=numpy.int64)
        child[owners[here]] = before.types[edge.children[here]] + 1
        # Both factors are at most the number of nodes: no overflow below 2^31 of them.
        key, count = _numbered(key * (before.count + 1) + child)
    types = numpy.full(tree.nodes, UNKNOWN, dtype=numpy.int64)
    types[nodes] = key
    return TypePartition(depth, types, count)


def _numbered(keys: Integers) -> tuple[Integers, int]:
    """Return numbers 0, 1, ... for keys, in the order of their first occurrences, and the number of keys."""
    different, first, inverse = numpy.unique(keys, return_index=True, return_inverse=True)
    rank = numpy.empty(len(different), dtype=numpy.int64)
    rank[numpy.argsort(first)] = numpy.arange(len(different))
    return rank[inverse], len(different)


def consistent(this: TypePartition, following: TypePartition) -> bool:
    """Return whether nodes of one type have equal types one step deeper, as far as these are known."""
    known = following.types >= 0
    return len(numpy.unique(this.types[known])) == following.count


def without_image(this: TypePartition, following: TypePartition) -> int | None:
    """Return the first node whose type has no node with known children, or None."""
    known = following.types >= 0
    seen = numpy.zeros(this.count, dtype=numpy.bool_)
    seen[this.types[known]] = True
    unseen = numpy.flatnonzero((this.types >= 0) & ~seen[this.types])
    return int(unseen[0]) if len(unseen) else None


def type_automaton(tree: Tree, this: TypePartition, following: TypePartition) -> TypeAutomaton:
    """Return the automaton of consistent types whose images are all known.

    States are numbered as they occur in the fixed point; each is read from its most trusted node.
    """
    candidates = numpy.flatnonzero(following.types >= 0)
    candidates = candidates[numpy.argsort(-tree.trust[candidates], kind="stable")]
    _, first = numpy.unique(this.types[candidates], return_index=True)
    read_from = candidates[first]
    table = numpy.full((this.count, len(tree.edges)), UNKNOWN, dtype=numpy.int64)
    for digit, edge in enumerate(tree.edges):
        child = numpy.full(tree.nodes, UNKNOWN, dtype=numpy.int64)
        child[edge.owners] = this.types[edge.children]
        table[:, digit] = child[read_from]

    def steps(old: int) -> Iterator[tuple[int, int]]:
        return ((digit, target) for digit, target in enumerate(table[old].tolist()) if target != UNKNOWN)

    found = list(explored(int(this.types[0]), steps))
    images = tuple(tuple(map(row.get, range(len(tree.edges)))) for _, row in found)
    nodes = tuple(int(read_from[old]) for old, _ in found)
    return TypeAutomaton(images, tuple(int(tree.letters[node]) for node in nodes), nodes)


def states_at_nodes(tree: Tree, images: Sequence[Sequence[int | None]]) -> Integers:
    """Return the state of an automaton at each node, read from the root; NO_STATE, or UNREACHED.

    images: as in `TypeAutomaton`; an image may be shorter than the digit set.
    """
    table = numpy.full((len(images) + 1, len(tree.edges)), NO_STATE, dtype=numpy.int64)
    for state, image in enumerate(images):
        for digit, target in enumerate(image):
            table[state, digit] = NO_STATE if target is None else target
    states = numpy.full(tree.nodes, UNREACHED, dtype=numpy.int64)
    states[0] = 0
    waiting = list(tree.edges)
    reached = 1
    while reached:
        reached = 0
        for digit, edge in enumerate(waiting):
            ready = states[edge.owners] != UNREACHED
            new = ready & (edge.children != 0)
            # NO_STATE selects the last row of the table, which leads nowhere.
            states[edge.children[new]] = table[states[edge.owners[new]], digit]
            reached += int(new.sum())
            waiting[digit] = Edges(edge.owners[~ready], edge.children[~ready])
    return states


def disagreement(tree: Tree, images: Sequence[Sequence[int | None]], letters: Sequence[int]) -> int | None:
    """Return the first node at which the letter of an automaton is not that of the data, or None.

    letters: of the states, indices into the alphabet; nodes without a number do not count.
    """
    states = states_at_nodes(tree, images)
    letter = numpy.array([*letters, len(tree.alphabet)], dtype=numpy.int64)[numpy.maximum(states, NO_STATE)]
    wrong = numpy.flatnonzero((states != UNREACHED) & (tree.letters != NO_NUMBER) & (letter != tree.letters))
    return int(wrong[0]) if len(wrong) else None


def find_conflict(tree: Tree, found: Sequence[TypePartition], depth: int) -> Conflict | None:
    """Return the first nodes of equal types at `depth` but not at the next depth, with the path to the difference."""
    known = numpy.flatnonzero(found[depth + 1].types >= 0)
    old, new = found[depth].types[known], found[depth + 1].types[known]
    _, first = numpy.unique(old, return_index=True)
    expected = numpy.full(found[depth].count, UNKNOWN, dtype=numpy.int64)
    expected[old[first]] = new[first]
    other = numpy.flatnonzero(new != expected[old])
    if not len(other):
        return None
    second = int(known[other[0]])
    node = int(known[numpy.flatnonzero(old == old[other[0]])[0]])
    left: int | None = node
    right: int | None = second
    path: list[int] = []
    for level in range(depth, -1, -1):
        for digit, edge in enumerate(tree.edges):
            ends = [_child(edge.owners, edge.children, end) for end in (left, right)]
            types = [None if end is None else int(found[level].types[end]) for end in ends]
            if types[0] != types[1]:
                path.append(digit)
                left, right = ends
                break
        if left is None or right is None or tree.letters[left] != tree.letters[right]:
            break
    return Conflict((node, second), tuple(path), (left, right))


def _child(owners: Integers, children: Integers, node: int | None) -> int | None:
    """Return the child of a node along the edges of a digit."""
    if node is None:
        return None
    place = int(numpy.searchsorted(owners, node))
    return int(children[place]) if place < len(owners) and owners[place] == node else None
