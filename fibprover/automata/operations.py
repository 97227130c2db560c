"""Operations on relations and on languages, composed of kernels; each returns a canonical automaton.

A relation is a set of tuples of numbers: its language lies inside Valid^k and is closed under adding and removing
leading all-zero letters.  Every operation on relations keeps that invariant if its arguments have it, and minimizes
before it returns, so that equal relations over equal tracks are equal arrays.  Complement is relative to the valid
representations, which the caller passes.  Relations over a family of numeration systems have a further track and are
right in the limit: `fibprover.automata.prefixes` says what a projection and a difference then need.

The operations on languages (union, concatenation, star, quotients, zeros) take and return automata in reading order
(`fibprover.automata.digit_order`), whatever numbers their words stand for.  All operands have as many tracks; the
result has the tracks of the first one.  Nondeterminism is a further track that says which transition is meant, and is
projected away.

The budget comes last; `BudgetSpent` leaves the arguments untouched.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from fibprover.automata import kernel_calls, prefixes
from fibprover.automata.dfa import MOST_STATES, Dfa, Track, build, check_tracks, frozen
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.base.limits import UNLIMITED, Budget, check_budget

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: Up to this count, witnesses are listed: on a large automaton that is far quicker than counting all of them.
MOST_LISTED = 1000


def true() -> Dfa:
    """Return the true closed formula: no tracks, one accepting state with a loop on the only letter."""
    return build((), [{0: 0}], [1])


def false() -> Dfa:
    """Return the false closed formula: the empty relation without tracks."""
    return empty(())


def empty(tracks: Sequence[Track]) -> Dfa:
    """Return the empty relation over these tracks: one rejecting state, no transitions."""
    return build(tracks, [{}], [0])


def conjunction(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return a & b, a product on the tracks they share by name; the result's tracks are sorted by name."""
    return kernel_calls.minimize(kernel_calls.join(a, b, budget), budget)


def disjunction(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return a | b, over the same track names in any order; the result's tracks are sorted by name."""
    return kernel_calls.minimize(kernel_calls.union(a, b, budget), budget)


def difference(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return a & ~b; every track of b is one of a, and b does not restrict the other tracks."""
    return kernel_calls.minimize(kernel_calls.difference(a, prefixes.subtrahend(b, budget), budget), budget)


def complement(a: Dfa, valid: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the tuples of `valid` that are not in a; `valid` is Valid^k over the same track names."""
    if set(a.names) != set(valid.names):
        raise AutomatonError(
            f"a complement needs the valid tuples over the same tracks: {sorted(a.names)}, not {sorted(valid.names)}"
        )
    return difference(valid, a, budget)


def symmetric_difference(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the tuples in exactly one of a and b, over the same track names."""
    return disjunction(difference(a, b, budget), difference(b, a, budget), budget)


def exists(a: Dfa, names: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """Project the named tracks away: the tuples that some values of these tracks complete to a tuple of a."""
    a = prefixes.projectable(a, names, budget)
    return kernel_calls.minimize(kernel_calls.project(a, list(names), budget), budget)


def cheapest_to_lose(a: Dfa, names: Collection[str], budget: Budget = UNLIMITED) -> str:
    """Return the track among `names` to project first: the one whose loss leaves the fewest transitions.

    On 450 projections of two or three tracks, this order took 1.3 times as long as the best order, and the
    opposite order 1.9 times.
    """
    if len(names) == 1:
        return next(iter(names))
    lost = {name: kernel_calls.collisions(a, name, budget) for name in sorted(names)}
    return max(lost, key=lost.__getitem__)


def exists_union(parts: Sequence[Dfa], names: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """Project the named tracks away from the union of the parts.

    parts: at least one, with the same tracks beside the named ones; a part need not have all of the named tracks.
    The disjunction itself is never made deterministic.
    """
    parts = [prefixes.projectable(part, names, budget) for part in parts] if names else parts
    return kernel_calls.minimize(kernel_calls.project_union(parts, list(names), budget), budget)


def cylinder(a: Dfa, others: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Add the further tracks of `others` to a, each restricted by its own automaton only.

    An automaton of `others` whose tracks a already has restricts a.
    """
    for other in others:
        a = kernel_calls.join(a, other, budget)
    return kernel_calls.minimize(a, budget)


def cartesian_product(valid: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Return Valid^k, the tuples with one component in each of these one-track automata; TRUE for none."""
    for one in valid:
        if len(one.tracks) != 1:
            raise AutomatonError(f"an automaton of one track was expected, not {one!r}")
    names = [one.names[0] for one in valid]
    if len(set(names)) != len(names):
        raise AutomatonError(f"track names repeat: {names}")
    return cylinder(true(), valid, budget)


def as_relation(raw: Dfa, valid: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Return the relation that a raw language describes: its valid words, closed under leading zeros.

    raw: any language, for instance of a regular expression or from a file; valid: the valid words of each of its
    tracks.  A tuple of numbers is in the result if one of its representations, all padded to a common length, is in
    `raw`.
    """
    names = [name for one in valid for name in one.names]
    if set(raw.names) != set(names):
        raise AutomatonError(f"the valid tuples have tracks {sorted(names)}, not {sorted(raw.names)}")
    inside, restricting = raw, [one for one in valid if not _is_everything(one)]
    if prod(one.transitions for one in restricting) > raw.transitions:
        inside = cylinder(raw, restricting, budget)  # the tuples of valid words can be many more than those of `raw`
    elif restricting:
        inside = kernel_calls.join(raw, cylinder(true(), restricting, budget), budget)  # one pass over `raw`
    if inside.zero_code is not None:
        inside = kernel_calls.close_zeros(inside, budget)
    return kernel_calls.minimize(inside, budget)


def _is_everything(a: Dfa) -> bool:
    """Return whether an automaton of one state accepts all words, as that of the valid words of a base does."""
    return a.states == 1 and a.transitions == a.letters and bool(a.outputs[0])


def at_least(a: Dfa, names: Collection[str], count: int, budget: Budget = UNLIMITED) -> Dfa:
    """Return the values of the other tracks that at least `count` tuples of values of the named ones complete.

    a: a relation, in which every tuple has exactly one word of each sufficient length, on which the automaton has at
    most one run: witnesses are counted as accepting runs, up to `count`.  The named tracks hold numbers.  Without
    other tracks the result is TRUE or FALSE.
    """
    a = prefixes.projectable(a, names, budget)
    if set(names) >= set(a.names):
        if count <= MOST_LISTED:
            return true() if len(kernel_calls.words(a, count, budget)) >= count else false()
        # The words of a finite relation are shorter than its states are many, and each is padded in one way.
        enough = not kernel_calls.is_finite(a) or kernel_calls.count_words(a, a.states) >= count
        return true() if enough else false()
    last = names
    if len(names) > 1:
        a, last = _counted_but_one(a, names, count, budget)
    return kernel_calls.minimize(kernel_calls.at_least(a, last, count, budget), budget)


def counts(a: Dfa, names: Collection[str], most: int, budget: Budget = UNLIMITED) -> Dfa:
    """Count the tuples of values of the named tracks that complete those of the others; the outputs stop at `most`.

    a, names: as for `at_least`, and a track has to remain.  The result is minimal; a word without a run counts 0.
    """
    a, last = _counted_but_one(prefixes.projectable(a, names, budget), names, most, budget)
    return _counted(a, last, most, budget)


def _counted(a: Dfa, names: Collection[str], most: int, budget: Budget) -> Dfa:
    return kernel_calls.minimize_outputs(kernel_calls.trim(kernel_calls.counts(a, names, most, budget), budget), budget)


def _counted_but_one(a: Dfa, names: Collection[str], most: int, budget: Budget) -> tuple[Dfa, Collection[str]]:
    """Count all named tracks but one; return the counts and that track."""
    left = set(names)
    while len(left) > 1:
        # One variable at a time, as with E: the counts so far are the outputs of a smaller automaton.
        name = cheapest_to_lose(a, left, budget)
        left.remove(name)
        a = _counted(a, [name], most, budget)
    return a, list(left)


def sums(a: Dfa, b: Dfa, most: int, budget: Budget = UNLIMITED) -> Dfa:
    """Add the outputs of two automata over the same tracks, up to `most`; minimal, as `counts` returns them."""
    return kernel_calls.minimize_outputs(kernel_calls.trim(kernel_calls.sums(a, b, most, budget), budget), budget)


def where(counted: Dfa, holds: Callable[[int], bool], budget: Budget = UNLIMITED) -> Dfa:
    """Return the words whose output satisfies a condition, such as tuples by their count; canonical.

    A word without a run is not among them: for counts, the condition must not hold for 0.
    """
    verdict = {output: int(holds(output)) for output in set(counted.outputs)}
    outputs = frozen(array("i", (verdict[output] for output in counted.outputs)))
    return kernel_calls.minimize(Dfa(counted.tracks, counted.offsets, counted.codes, counted.targets, outputs), budget)


def at_least_together(parts: Sequence[Dfa], names: Collection[str], count: int, budget: Budget = UNLIMITED) -> Dfa:
    """As `at_least` for the union of disjoint relations over the same tracks; a track has to remain.

    Each relation is counted on its own, and the sums are minimized one by one; counting all runs at once would make
    combinations of all their states before anything is minimized.
    """
    total = counts(parts[0], names, count, budget)
    for part in parts[1:]:
        total = sums(total, counts(part, names, count, budget), count, budget)
    return where(total, lambda runs: runs >= count, budget)


def infinitely_many(a: Dfa, names: str | Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """Return the values of the other tracks that infinitely many values of the named ones complete.

    a: a relation over msd positive systems only, in which a number has exactly one representation
    that does not begin with 0.  With several names, tuples of values are counted.  Without other
    tracks the result is TRUE or FALSE.

    Proof.  Fix words v on the other tracks.  There are finitely many tuples x of each length, and
    lengths (without leading zeros) of distinct tuples are unbounded if there are infinitely many;
    so v counts iff for infinitely many m >= 1 a word of `a` has 0^m v on the other tracks and on the
    named ones a word of length m + |v| whose first letter is not all zero (closure under zeros lets
    us pad v).  Let S_m be the set of states reached from state 0 by words of length m that are zero
    on the other tracks and not all zero in their first letter.  There being finitely many states, v
    counts iff some s lying in S_m for infinitely many m accepts (y, v) for some y.  A state is in
    infinitely many S_m iff it is reached, along letters that are zero on the other tracks, from a
    state on a cycle of such letters that is itself reached from S_1 (a path longer than the number
    of states repeats one; conversely a cycle can be repeated).  Call that set S.  The language wanted
    is the projection of a started from S.  It is closed under leading zeros: S is closed under
    letters zero on the other tracks, and every s in S has a predecessor in S under such a letter,
    because infinitely many S_m hold one of finitely many predecessors.

    Construction: S is the zero closure of one state of each such cycle.  A chain of new rejecting
    states, read under letters zero on the other tracks, leads from a new initial state to each of
    them; the zero closure of `project` then starts from S and the chain, which accept the same.
    Complexity: linear in a, and one projection.
    """
    chosen = {names} if isinstance(names, str) else set(names)
    if not chosen <= set(a.names):
        raise AutomatonError(f"{a!r} has no track {', '.join(sorted(chosen - set(a.names)))}")
    zero = a.zero_code
    if zero is None:
        raise AutomatonError("infinitely many values: every track has to hold numbers")
    free = _codes_zero_elsewhere(a, chosen)
    rest = tuple(track for track in a.tracks if track.name not in chosen)
    graph = _zero_graph(a, free, [code for code in free if code != zero])
    entries = _cycle_representatives(graph)
    if not entries:
        return empty(rest)
    return exists(_entered_at(a, entries, free), chosen, budget)


def _codes_zero_elsewhere(a: Dfa, chosen: set[str]) -> list[int]:
    """Return the sorted codes of the letters that are zero on every track outside `chosen`."""
    codes = [0]
    for track in a.tracks:
        indices = range(len(track.digits)) if track.name in chosen else [track.digits.index(0)]
        codes = [code * len(track.digits) + index for code in codes for index in indices]
    return codes


def _zero_graph(a: Dfa, free: list[int], first: list[int]) -> dict[int, list[int]]:
    """Map each state reached by a `first` and then `free` letters to its successors under the `free` letters."""
    found = (a.successor(0, code) for code in first)
    graph: dict[int, list[int]] = {}
    todo = list({state for state in found if state is not None})
    while todo:
        state = todo.pop()
        if state in graph:
            continue
        following = (a.successor(state, code) for code in free)
        graph[state] = sorted({target for target in following if target is not None})
        todo.extend(target for target in graph[state] if target not in graph)
    return graph


def _cycle_representatives(graph: dict[int, list[int]]) -> list[int]:
    """Return one state of every strongly connected component that contains a cycle, sorted.

    Tarjan's algorithm with an explicit stack, O(edges).
    """
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_states: list[int] = []
    is_open: set[int] = set()
    representatives: list[int] = []
    for root in sorted(graph):
        if root in order:
            continue
        work = [(root, iter(graph[root]))]
        order[root] = low[root] = len(order)
        open_states.append(root)
        is_open.add(root)
        while work:
            state, targets = work[-1]
            for target in targets:
                if target not in order:
                    order[target] = low[target] = len(order)
                    open_states.append(target)
                    is_open.add(target)
                    work.append((target, iter(graph[target])))
                    break
                if target in is_open:
                    low[state] = min(low[state], order[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[state])
                if low[state] == order[state]:
                    size = 0
                    while True:
                        member = open_states.pop()
                        is_open.remove(member)
                        size += 1
                        if member == state:
                            break
                    if size > 1 or state in graph[state]:
                        representatives.append(state)
    return sorted(representatives)


def _entered_at(a: Dfa, entries: list[int], free: list[int]) -> Dfa:
    """Put a chain of new states before a: link i leads to entries[i] and to link i + 1, on `free` letters.

    If there are entries, at least two letters are free, since a letter other than the zero letter led there.
    """
    check_tracks(a.tracks)
    chain = len(entries)
    if chain + a.states > MOST_STATES:
        raise LimitError(f"an automaton of more than {MOST_STATES} states cannot be entered at {chain} of them")
    offsets, codes, targets = array("q", [0]), array("q"), array("i")
    for link, entry in enumerate(entries):
        codes.append(free[0])
        targets.append(chain + entry)
        if link + 1 < chain:
            codes.append(free[1])
            targets.append(link + 1)
        offsets.append(len(codes))
    base = len(codes)
    codes.extend(a.codes)
    targets.extend(chain + target for target in a.targets)
    offsets.extend(base + offset for offset in a.offsets[1:])
    outputs = array("i", [0] * chain)
    outputs.extend(a.outputs)
    return Dfa(a.tracks, frozen(offsets), frozen(codes), frozen(targets), frozen(outputs))


# Lists of transitions, from which the operations on languages assemble automata.

class Arcs(NamedTuple):
    """Transitions in any order: sources, letter codes and targets, all int64."""

    sources: NDArray[Any]
    codes: NDArray[Any]
    targets: NDArray[Any]

    def moved(self, states: int, letters: int = 1, letter: int = 0) -> Arcs:
        """Raise the state numbers, and recode for a further last track of so many letters that holds `letter`."""
        return Arcs(self.sources + states, self.codes * letters + letter, self.targets + states)

    def of(self, state: int) -> Arcs:
        """Return the transitions of one state."""
        chosen = self.sources == state
        return Arcs(self.sources[chosen], self.codes[chosen], self.targets[chosen])

    def copied(self, sources: Sequence[int]) -> Arcs:
        """Repeat these transitions for each of the sources, in place of their own."""
        import numpy

        count = len(self.codes)
        begin = numpy.repeat(numpy.asarray(sources, dtype=numpy.int64), count)
        return Arcs(begin, numpy.tile(self.codes, len(sources)), numpy.tile(self.targets, len(sources)))


def arcs_of(a: Dfa) -> Arcs:
    """Return the transitions of an automaton."""
    import numpy

    arrays = a.arrays()
    sources = numpy.repeat(numpy.arange(a.states, dtype=numpy.int64), numpy.diff(arrays["offsets"]))
    return Arcs(sources, arrays["codes"].astype(numpy.int64), arrays["targets"].astype(numpy.int64))


def assembled(tracks: Sequence[Track], outputs: Sequence[int], parts: Sequence[Arcs]) -> Dfa:
    """Return the automaton with these transitions, no two of which may share source and letter.

    outputs: one a state; state 0 is initial.  O(m log m) for m transitions.
    """
    import numpy

    check_tracks(tracks)
    if len(outputs) > MOST_STATES:
        raise LimitError(f"an automaton of more than {MOST_STATES} states")
    sources, codes, targets = (numpy.concatenate(column) for column in zip(*parts, strict=True))
    order = numpy.lexsort((codes, sources))
    offsets = numpy.zeros(len(outputs) + 1, dtype=numpy.int64)
    numpy.cumsum(numpy.bincount(sources, minlength=len(outputs)), out=offsets[1:])
    return Dfa(
        tuple(tracks),
        frozen(array("q", offsets.tobytes())),
        frozen(array("q", codes[order].astype(numpy.int64).tobytes())),
        frozen(array("i", targets[order].astype(numpy.int32).tobytes())),
        frozen(array("i", outputs)),
    )


# Operations on languages

#: The name of the track that tells nondeterministic transitions apart.
_CHOICE = "choice"

#: A state of either automaton.
_Pair = tuple[int, int]


def union(parts: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Return the words of any of the automata."""
    plain = _over_plain_tracks(parts, "a union")
    result = plain[0]
    for part in plain[1:]:
        result = disjunction(result, part, budget)
    return _over_tracks_of(result, parts[0], budget)


def intersection(parts: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Return the words that are in all of the automata."""
    plain = _over_plain_tracks(parts, "an intersection")
    result = plain[0]
    for part in plain[1:]:
        result = conjunction(result, part, budget)
    return _over_tracks_of(result, parts[0], budget)


def concatenation(parts: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Return the words of the first automaton, each followed by one of the second, and so on.

    Exponential at worst in the states of all but the first.
    """
    plain = _over_plain_tracks(parts, "a concatenation")
    result = plain[-1]
    for part in reversed(plain[:-1]):
        result = _concatenated(part, result, budget)
    return _over_tracks_of(result, parts[0], budget)


def _concatenated(a: Dfa, b: Dfa, budget: Budget) -> Dfa:
    """Concatenate two languages: b's first transitions also leave the accepting states of a."""
    first, second = arcs_of(a), arcs_of(b)
    accepting = [state for state in range(a.states) if a.outputs[state]]
    over = second.of(0).moved(0, 2, 1)
    over = Arcs(over.sources, over.codes, over.targets + a.states).copied(accepting)
    both = bool(b.outputs[0])
    outputs = [int(both and output != 0) for output in a.outputs] + [int(output != 0) for output in b.outputs]
    choosing = assembled(_with_choice(a, 2), outputs, [first.moved(0, 2), second.moved(a.states, 2), over])
    return exists(choosing, [_CHOICE], budget)


def star(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the concatenations of any number of words of the automaton, none included.  Exponential at worst."""
    (plain,) = _over_plain_tracks([a], "a star")
    own = arcs_of(plain)
    first = own.of(0).moved(1, 2)
    again = own.of(0).moved(0, 2, 1)
    accepting = [state + 1 for state in range(plain.states) if plain.outputs[state]]
    again = Arcs(again.sources, again.codes, again.targets + 1).copied(accepting)
    outputs = [1, *(int(output != 0) for output in plain.outputs)]
    choosing = assembled(_with_choice(plain, 2), outputs, [first.copied([0]), own.moved(1, 2), again])
    return _over_tracks_of(exists(choosing, [_CHOICE], budget), a, budget)


def left_quotient(a: Dfa, prefixes: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the words w such that xw is a word of a for some x among the prefixes.

    The prefixes' alphabets may differ from a's: letters that a does not have occur in no word of a.
    Exponential at worst.
    """
    (plain,) = _over_plain_tracks([a], "a left quotient")
    other = fitted(prefixes, plain.tracks, "a left quotient")
    pairs = _pairs(plain, other, [0], budget)
    entries = sorted({state for state, prefix in pairs if other.outputs[prefix]})
    if not entries:
        return empty(a.tracks)
    count = len(entries)
    own = arcs_of(plain)
    starts = []
    for number, state in enumerate(entries):
        leaving = own.of(state).moved(0, count, number)
        starts.append(Arcs(leaving.sources, leaving.codes, leaving.targets + 1).copied([0]))
    outputs = [int(any(plain.outputs[state] for state in entries)), *(int(output != 0) for output in plain.outputs)]
    choosing = assembled(_with_choice(plain, count), outputs, [own.moved(1, count), *starts])
    return _over_tracks_of(exists(choosing, [_CHOICE], budget), a, budget)


def right_quotient(a: Dfa, suffixes: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Return the words w such that wx is a word of a for some x among the suffixes.

    The suffixes' alphabets may differ from a's, as for `left_quotient`.  O(pairs of states).
    """
    (plain,) = _over_plain_tracks([a], "a right quotient")
    other = fitted(suffixes, plain.tracks, "a right quotient")
    pairs = _pairs(plain, other, range(plain.states), budget)
    before: dict[_Pair, list[_Pair]] = {}
    for pair, following in pairs.items():
        for target in following:
            before.setdefault(target, []).append(pair)
    todo = [(state, suffix) for state, suffix in pairs if plain.outputs[state] and other.outputs[suffix]]
    reached = set(todo)
    while todo:
        for pair in before.get(todo.pop(), ()):
            if pair not in reached:
                reached.add(pair)
                todo.append(pair)
    outputs = [int((state, 0) in reached) for state in range(plain.states)]
    return _over_tracks_of(assembled(plain.tracks, outputs, [arcs_of(plain)]), a, budget)


def fitted(a: Dfa, tracks: Sequence[Track], what: str) -> Dfa:
    """Return the words of a that consist of letters over these tracks, as an automaton over them.

    Raises AutomatonError for another number of tracks; what: the operation, for the message.
    """
    if len(a.tracks) != len(tracks):
        raise AutomatonError(f"{what} needs automata with as many tracks: here are {len(tracks)} and {len(a.tracks)}")
    if a.radices == tuple(len(track.digits) for track in tracks) and all(
        own.digits == other.digits for own, other in zip(a.tracks, tracks, strict=True)
    ):
        return a.with_tracks(tuple(tracks))
    codes = {code: _code(a.letter(code), tracks) for code in set(a.codes)}
    rows = []
    for state in range(a.states):
        row = {}
        for code, target in a.row(state):
            new = codes[code]
            if new is not None:
                row[new] = target
        rows.append(row)
    return build(tracks, rows, a.outputs)


def _code(letter: Sequence[int], tracks: Sequence[Track]) -> int | None:
    """Return the code of a letter over other tracks, or None if they do not have it."""
    code = 0
    for digit, track in zip(letter, tracks, strict=True):
        if digit not in track.digits:
            return None
        code = code * len(track.digits) + track.digits.index(digit)
    return code


def _pairs(a: Dfa, b: Dfa, starts: Sequence[int], budget: Budget) -> dict[_Pair, set[_Pair]]:
    """Map each pair of states that a common word reaches from (start, 0) to the pairs that follow it."""
    rows: dict[int, dict[int, int]] = {}
    found: dict[_Pair, set[_Pair]] = {}
    todo = [(start, 0) for start in starts]
    while todo:
        pair = todo.pop()
        if pair in found:
            continue
        check_budget(budget, len(found), "a quotient")
        state, other = pair
        row = rows.setdefault(other, dict(b.row(other)))
        found[pair] = {(target, row[code]) for code, target in a.row(state) if code in row}
        todo.extend(found[pair])
    return found


def _over_plain_tracks(parts: Sequence[Dfa], what: str) -> list[Dfa]:
    """Return the automata over plain tracks 000, 001, ....

    Raises AutomatonError unless their alphabets are the same.
    """
    if not parts:
        raise AutomatonError(f"{what} needs at least one automaton")
    track_alphabets = [[(track.system, track.digits) for track in part.tracks] for part in parts]
    for others, part in zip(track_alphabets[1:], parts[1:], strict=True):
        if others != track_alphabets[0]:
            raise AutomatonError(
                f"{what} needs automata over the same alphabets: {alphabets(parts[0])} and {alphabets(part)} differ",
                hint="the command alphabet gives an automaton other alphabets",
            )
    if not track_alphabets[0]:
        raise AutomatonError(f"{what} needs automata with tracks; a closed formula has none")
    tracks = tuple(Track(f"{number:03d}", track.digits) for number, track in enumerate(parts[0].tracks))
    return [part.with_tracks(tracks) for part in parts]


def alphabets(a: Dfa) -> str:
    """Return the systems and alphabets of the tracks, as a Walnut script names them."""
    return " ".join(track.system or "{" + ",".join(map(str, track.digits)) + "}" for track in a.tracks)


def _over_tracks_of(result: Dfa, model: Dfa, budget: Budget) -> Dfa:
    """Return the minimal automaton over the tracks of the first operand."""
    return kernel_calls.minimize(result, budget).with_tracks(model.tracks)


def _with_choice(a: Dfa, choices: int) -> tuple[Track, ...]:
    return (*a.tracks, Track(_CHOICE, tuple(range(choices))))


# Zeros at either end of the words

def fix_leading_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Close a under adding and removing zero letters at the beginning.  Exponential at worst."""
    _zero(a)
    # The kernel needs a system on every track, which tells it that there is a zero letter.
    numbers = tuple(track._replace(system="msd_zeros") for track in a.tracks)
    closed = kernel_calls.close_zeros(a.with_tracks(numbers), budget)
    return kernel_calls.minimize(closed, budget).with_tracks(a.tracks)


def fix_trailing_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Close a under adding and removing zero letters at the end.  Exponential at worst."""
    zero = _zero(a)
    arcs = arcs_of(a)
    outputs = array("b", (int(output != 0) for output in a.outputs))
    before: dict[int, list[int]] = {}
    for source, target in zip(arcs.sources[arcs.codes == zero], arcs.targets[arcs.codes == zero], strict=True):
        before.setdefault(int(target), []).append(int(source))
    todo = [state for state in range(a.states) if outputs[state]]
    while todo:
        for state in before.get(todo.pop(), ()):
            if not outputs[state]:
                outputs[state] = 1
                todo.append(state)
    without = assembled(a.tracks, outputs, [arcs])
    return concatenation([without, build(a.tracks, [{zero: 0}], [1])], budget)


def _zero(a: Dfa) -> int:
    """Return the code of the letter that is 0 on every track."""
    missing = [track for track in a.tracks if 0 not in track.digits]
    if missing or not a.tracks:
        what = f"the alphabet of track {missing[0].name} has no 0" if missing else "a closed formula has no tracks"
        raise AutomatonError(f"there are no zeros to add or take away: {what}")
    return a.code((0,) * len(a.tracks))
