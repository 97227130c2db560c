"""From a prefix of a sequence to a morphism and a coding, by t-types.

The heuristic of seed 000, section 2 (Renard and Rigo), for every numeration system: two indices are
taken to be alike if the letters behind them, along all digits that can follow, agree to depth t; the
classes are the letters of a morphism, the letter behind a class is its coding.  The smallest depth
that makes a machine is taken.  `fibprover.infer.words` has the steps.

What is inferred is a conjecture.  The *margin* says how far the data support it: every transition of
the machine was seen to lead where it does by comparing at least that many levels more than the
types need to be told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from fibprover.errors import BudgetSpent, FibproverError
from fibprover.infer.tree import NO_NUMBER, Edges, Integers, Tree, tree_of
from fibprover.limits import UNLIMITED, Budget
from fibprover.numeration.system import NumerationSystem
from fibprover.values import value
from fibprover.words.automatic import AutomaticWord
from fibprover.words.morphism import from_morphism

#: Levels that the data must show beyond what tells the letters apart, unless asked otherwise.
LEAST_MARGIN = 1


@value
class Support:
    """What a letter of an inferred morphism rests on.

    first: the first number at which it was seen; positions: at how many numbers its type lies inside
    the data; confirmed: at how many of these its image does, too; depth: to what depth at most all
    that follows it was seen.
    """

    first: int
    positions: int
    confirmed: int
    depth: int


@value
class InferredWord:
    """A morphism and a coding that agree with all of a sequence, and what they rest on.

    images, coding: of the letters 0, 1, ..., in the order in which they occur in the fixed point of 0;
    depth: the t of the t-types; margin: see the module; length: how many values of the sequence there
    were; support: for each letter; word: the automatic word, whose machine is minimal; types: how many
    t-types there are for t = 0, 1, ..., to one beyond the depth.
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
        """Letters of the morphism."""
        return len(self.images)

    @property
    def minimal(self) -> int:
        """Letters that are needed: states of the minimal machine."""
        return self.word.machine.states

    def entry(self) -> dict[str, Any]:
        """The word as a file of words holds it (`fibprover.words.morphism.load_words`)."""
        remark = f"inferred from {self.length} values: {self.depth}-types, margin {self.margin}"
        return {
            "for": remark,
            "system": self.system,
            "morphism": [list(image) for image in self.images],
            "coding": list(self.coding),
        }


#: What may be wrong with the types of a depth, the most telling first: the machine they make is supported by
#: too little of the data, or does not say all of them; two nodes of one type differ; an image is never seen.
PROBLEMS = ("margin", "data", "conflict", "image")


@value
class Attempt:
    """Why one depth gave no word.

    types: how many there were, among positions numbers; kind: one of PROBLEMS; problem: the same for people.
    """

    depth: int
    types: int
    positions: int
    kind: str
    problem: str


class NoMorphism(FibproverError):
    """No depth that was tried makes a morphism of the data; says what is wrong at the one that came nearest.

    attempts: one for each depth.
    """

    def __init__(self, message: str, attempts: tuple[Attempt, ...], *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.attempts = attempts


def infer_word(
    sequence: Sequence[int],
    system: NumerationSystem,
    name: str = "w",
    depths: Iterable[int] | None = None,
    *,
    first: int = 0,
    margin: int = LEAST_MARGIN,
    budget: Budget = UNLIMITED,
) -> InferredWord:
    """The word that a sequence begins, by the t-types of the smallest depth that makes a machine.

    sequence: the letters at first, first + 1, ...: from 0 on, but for systems of all integers, which
    need both sides; depths: those to try, in order (default: 0, 1, ..., as far as the data reach);
    margin: the least one to accept.  A depth makes a machine if types decide the types of children
    wherever both lie inside the data (and then greater depths change nothing), if no type is left
    without its children, and if the machine says all the data.  NoMorphism where no depth does.
    O(n log n) for each digit and depth: 10^5 values take a tenth of a second over Fibonacci.
    """
    tree = tree_of(system, sequence, first)
    length = len(sequence)
    wanted = range(int(tree.trust[0])) if depths is None else sorted(set(depths))
    if any(depth < 0 for depth in wanted):
        raise FibproverError("the depths of types are 0, 1, 2, ...")
    tried = [depth for depth in wanted if depth < tree.trust[0]]
    if not tried:
        least = "0" if not wanted else str(min(wanted))
        raise NoMorphism(
            f"{length} values are too few for {least}-types over {system.name}", (), hint="give more of the sequence"
        )
    attempts: list[Attempt] = []
    found: list[Round] = []
    for following in rounds(tree, budget):
        found.append(following)
        depth = following.depth - 1
        if depth not in tried:
            continue
        answer = _attempt(tree, found, system, name, length, margin)
        if isinstance(answer, InferredWord):
            return answer
        this = found[depth]
        attempts.append(Attempt(depth, this.count, int((this.types >= 0).sum()), *answer))
        if depth == tried[-1]:
            break
    raise _none(attempts, system, length)


def _attempt(
    tree: Tree, found: Sequence[Round], system: NumerationSystem, name: str, length: int, margin: int
) -> InferredWord | tuple[str, str]:
    """The word by the types of the last round but one; or which of PROBLEMS these have, and the same for people."""
    this, following = found[-2:]
    depth = this.depth
    if not consistent(this, following):
        return "conflict", _conflict(tree, found, depth)
    lost = unfollowed(this, following)
    if lost is not None:
        return "image", f"the {depth}-type of {_number(tree, lost)} is seen only where its image lies outside the data"
    machine = machine_of(tree, this, following)
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
        return "data", f"the machine of {len(images)} letters says another letter at {_number(tree, wrong)}"
    word = from_morphism(name, images, coding, system.track("n"))
    types = tuple(each.count for each in found)
    support = _support(tree, this, machine)
    return InferredWord(name, system.name, images, coding, depth, reached, length, support, word, types)


def _margin(tree: Tree, machine: Machine, depth: int) -> int:
    """The least trusted depth of a node that a transition was read from, beyond what tells types apart."""
    nodes = set(machine.nodes)
    least = int(tree.trust[0])
    for edge in tree.edges:
        for owner, child in zip(edge.owners.tolist(), edge.children.tolist(), strict=True):
            if owner in nodes:
                least = min(least, int(tree.trust[child]))
    return least - depth


def _morphism(tree: Tree, machine: Machine) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Images and coding.

    Where a digit cannot follow but a larger one can, the image holds the letter 0, and where a prefix
    is no number, the coding is the least letter: no representation of a number ever gets to see these.
    """
    images = []
    for image in machine.images:
        last = max((digit for digit, target in enumerate(image) if target is not None), default=-1)
        images.append(tuple(0 if target is None else target for target in image[: last + 1]) or (0,))
    coding = tuple(tree.alphabet[0 if letter == NO_NUMBER else letter] for letter in machine.letters)
    return tuple(images), coding


def _support(tree: Tree, this: Round, machine: Machine) -> tuple[Support, ...]:
    """What each state rests on."""
    import numpy

    support = []
    for node in machine.nodes:
        alike = numpy.flatnonzero(this.types == this.types[node])
        trust = tree.trust[alike]
        confirmed = int((trust > this.depth).sum())
        support.append(Support(int(numpy.min(tree.numbers[alike])), len(alike), confirmed, int(numpy.max(trust))))
    return tuple(support)


def _number(tree: Tree, node: int) -> str:
    """A node, for people."""
    if tree.letters[node] == NO_NUMBER:
        return f"the prefix behind {tree.numbers[node]}"
    return str(tree.numbers[node])


def _conflict(tree: Tree, found: Sequence[Round], depth: int) -> str:
    """What two nodes of one type do differently."""
    seen = conflict(tree, found, depth)
    assert seen is not None
    left, right = (_number(tree, node) for node in seen.nodes)
    path = "".join(str(digit) if digit < 10 else f"[{digit}]" for digit in seen.path)
    said = []
    for end in seen.ends:
        if end is None:
            said.append("nothing can stand")
        elif tree.letters[end] == NO_NUMBER:
            said.append("there is no number")
        else:
            said.append(f"the letter is {tree.alphabet[tree.letters[end]]} (at {tree.numbers[end]})")
    return (
        f"{left} and {right} have one {depth}-type, but behind the digits {path} {said[0]} for the one and"
        f" {said[1]} for the other"
    )


def _none(attempts: Sequence[Attempt], system: NumerationSystem, length: int) -> NoMorphism:
    """The error for data of which no depth makes a machine."""
    kind = min((attempt.kind for attempt in attempts), key=PROBLEMS.index)
    shown = [attempt for attempt in attempts if attempt.kind == kind][-1]
    counts = ", ".join(str(attempt.types) for attempt in attempts)
    return NoMorphism(
        f"{length} values make no morphism over {system.name}: at depth {shown.depth}, {shown.problem}"
        f" (types at depth {_depths(attempts)}: {counts})",
        tuple(attempts),
        hint="give more of the sequence, or try another numeration system",
    )


def _depths(attempts: Sequence[Attempt]) -> str:
    """The depths that were tried, for people."""
    depths = [attempt.depth for attempt in attempts]
    if len(depths) > 2 and depths == list(range(depths[0], depths[-1] + 1)):
        return f"{depths[0]} to {depths[-1]}"
    return ", ".join(map(str, depths))



# ---- refinement
# Types of nodes, depth by depth, and the machine they make.
#
# The 0-type of a node is its letter; its (t+1)-type is its letter with the t-types of its children,
# digit by digit: what can be read from it in at most t + 1 steps.  That is the t-type of seed 000,
# section 2 (the letter with the factors that belong to mu(g_n), ..., mu^t(g_n)), with the factors kept
# in the shape of the tree, which matters where other systems have words of equal length in other shapes.
#
# Every depth refines the one before.  Where one depth does not, no later one does, and the types are the
# states of a machine: that is what consistent means.

#: The type of a node that is not trusted deeply enough to have one.
UNKNOWN = -1

#: A node at which a machine has no state any more, and one that is not reached within the data.
NO_STATE, UNREACHED = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """The t-types of all nodes: types[node] in 0 .. count - 1, or UNKNOWN; numbered by their first nodes."""

    depth: int
    types: Integers
    count: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A deterministic machine over the types that can be reached: state 0 is the root's.

    images: (states), the targets of a state by its digits, None where the digit is not read; letters:
    (states), indices into the alphabet or NO_NUMBER; nodes: (states), the node that each was read from.
    """

    images: tuple[tuple[int | None, ...], ...]
    letters: tuple[int, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two nodes of equal type whose next types differ, and where: behind `path`, at the nodes `ends`.

    An end is None where the representation cannot go on along the path, and the other one can.
    """

    nodes: tuple[int, int]
    path: tuple[int, ...]
    ends: tuple[int | None, int | None]


def rounds(tree: Tree, budget: Budget = UNLIMITED) -> Iterator[Round]:
    """The types to depth 0, 1, ..., as far as the data reach; O(nodes log nodes) a digit, less the deeper.

    BudgetSpent once the budget's time is over.
    """
    begin = budget.seconds_left()
    types, count = _numbered(tree.letters)
    this = Round(0, types, count)
    yield this
    while this.depth < tree.trust[0]:
        if budget.seconds_left() < 0:
            raise BudgetSpent("seconds", max(begin, 0.0), during="the types of a sequence")
        this = _next(tree, this)
        yield this


def _next(tree: Tree, before: Round) -> Round:
    """The types one depth further."""
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
    return Round(depth, types, count)


def _numbered(keys: Integers) -> tuple[Integers, int]:
    """Equal keys by equal numbers 0, 1, ... in the order of their first places, and how many there are."""
    different, first, inverse = numpy.unique(keys, return_index=True, return_inverse=True)
    rank = numpy.empty(len(different), dtype=numpy.int64)
    rank[numpy.argsort(first)] = numpy.arange(len(different))
    return rank[inverse], len(different)


def consistent(this: Round, following: Round) -> bool:
    """Whether nodes of one type have equal next types, as far as these are known."""
    known = following.types >= 0
    return len(numpy.unique(this.types[known])) == following.count


def unfollowed(this: Round, following: Round) -> int | None:
    """The first node of a type of which no node's children are known, or None."""
    known = following.types >= 0
    seen = numpy.zeros(this.count, dtype=numpy.bool_)
    seen[this.types[known]] = True
    lost = numpy.flatnonzero((this.types >= 0) & ~seen[this.types])
    return int(lost[0]) if len(lost) else None


def machine_of(tree: Tree, this: Round, following: Round) -> Machine:
    """The machine of consistent types that all are followed.

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
    start = int(this.types[0])
    numbers = {start: 0}
    pending = [start]
    images = []
    for old in pending:
        image: list[int | None] = []
        for target in table[old].tolist():
            if target == UNKNOWN:
                image.append(None)
                continue
            if target not in numbers:
                numbers[target] = len(pending)
                pending.append(target)
            image.append(numbers[target])
        images.append(tuple(image))
    nodes = tuple(int(read_from[old]) for old in pending)
    return Machine(tuple(images), tuple(int(tree.letters[node]) for node in nodes), nodes)


def states_of(tree: Tree, images: Sequence[Sequence[int | None]]) -> Integers:
    """The state in which a machine is at each node, read from the root; NO_STATE, or UNREACHED.

    images: as in `Machine`; an image may be shorter than there are digits.
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
            # No state is the last row of the table, which leads nowhere.
            states[edge.children[new]] = table[states[edge.owners[new]], digit]
            reached += int(new.sum())
            waiting[digit] = Edges(edge.owners[~ready], edge.children[~ready])
    return states


def disagreement(tree: Tree, images: Sequence[Sequence[int | None]], letters: Sequence[int]) -> int | None:
    """The first node inside the data at which a machine says another letter than the data, or None.

    letters: of the states, indices into the alphabet; what it says where there is no number is ignored.
    """
    states = states_of(tree, images)
    said = numpy.array([*letters, len(tree.alphabet)], dtype=numpy.int64)[numpy.maximum(states, NO_STATE)]
    wrong = numpy.flatnonzero((states != UNREACHED) & (tree.letters != NO_NUMBER) & (said != tree.letters))
    return int(wrong[0]) if len(wrong) else None


def conflict(tree: Tree, found: Sequence[Round], depth: int) -> Conflict | None:
    """The first nodes that agree to `depth` and not one further, with the path that tells them apart; or None."""
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
            kinds = [None if end is None else int(found[level].types[end]) for end in ends]
            if kinds[0] != kinds[1]:
                path.append(digit)
                left, right = ends
                break
        if left is None or right is None or tree.letters[left] != tree.letters[right]:
            break
    return Conflict((node, second), tuple(path), (left, right))


def _child(owners: Integers, children: Integers, node: int | None) -> int | None:
    """A node's child along the edges of a digit."""
    if node is None:
        return None
    place = int(numpy.searchsorted(owners, node))
    return int(children[place]) if place < len(owners) and owners[place] == node else None
