"""The reference implementation of the kernels: the same names and signatures, with sets and dictionaries.

Tests compare it with `fibprover.automata.kernel_calls`; it shares no code with that module, and clarity comes
before speed: letters are tuples of digits, never codes.  Budgets are ignored.  The algorithms are naive, for
automata of a few dozen states.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import UNLIMITED, Budget

_Letter = tuple[int, ...]
_Marked = tuple[bool, frozenset[int]]
_State = TypeVar("_State", bound=Hashable)


def join(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Conjunction over the union of the tracks: both components read their part of every letter."""
    tracks = _merged(a, b)
    mine, theirs = _rows(a), _rows(b)

    def successors(pair: tuple[int, int]) -> Iterable[tuple[_Letter, tuple[int, int]]]:
        for first, p in mine[pair[0]].items():
            for second, q in theirs[pair[1]].items():
                digits = dict(zip(a.names, first, strict=True))
                others = dict(zip(b.names, second, strict=True))
                if all(digits.get(name, digit) == digit for name, digit in others.items()):
                    digits |= others
                    yield tuple(digits[track.name] for track in tracks), (p, q)

    return _explore(tracks, (0, 0), successors, lambda pair: bool(a.outputs[pair[0]] and b.outputs[pair[1]]))


def join_is_empty(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Return whether the conjunction accepts no word."""
    return is_empty(join(a, b))


def union(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Disjunction over the same tracks; a component becomes None after a missing transition."""
    return sums(a, b, 1)


def sums(a: Dfa, b: Dfa, most: int, budget: Budget = UNLIMITED) -> Dfa:
    """Add outputs, capped at `most`."""
    tracks = _merged(a, b)
    if not len(tracks) == len(a.tracks) == len(b.tracks):
        raise AutomatonError("a union needs the same tracks on both sides")
    mine, theirs = _rows(a), _rows(b)

    def successors(pair: tuple[int | None, int | None]) -> Iterable[tuple[_Letter, tuple[int | None, int | None]]]:
        letters = {_part(letter, a.tracks, tracks) for letter in ({} if pair[0] is None else mine[pair[0]])}
        letters |= {_part(letter, b.tracks, tracks) for letter in ({} if pair[1] is None else theirs[pair[1]])}
        for letter in letters:
            p = _step(mine, pair[0], _part(letter, tracks, a.tracks))
            q = _step(theirs, pair[1], _part(letter, tracks, b.tracks))
            yield letter, (p, q)

    initial: tuple[int | None, int | None] = (0, 0)

    def output(pair: tuple[int | None, int | None]) -> int:
        p, q = pair
        if most == 1:
            return int(_accepts(a, p) or _accepts(b, q))
        return min(most, (0 if p is None else a.outputs[p]) + (0 if q is None else b.outputs[q]))

    return _explore(tracks, initial, successors, output)


def difference(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a whose part on b's tracks is not in b."""
    for track in b.tracks:
        if track not in a.tracks:
            raise AutomatonError(f"the difference needs track {track.name} on the left")
    tracks = tuple(sorted(a.tracks))
    mine, theirs = _rows(a), _rows(b)

    def successors(pair: tuple[int, int | None]) -> Iterable[tuple[_Letter, tuple[int, int | None]]]:
        for letter, p in mine[pair[0]].items():
            q = _step(theirs, pair[1], _part(letter, a.tracks, b.tracks))
            yield _part(letter, a.tracks, tracks), (p, q)

    initial: tuple[int, int | None] = (0, 0)
    return _explore(tracks, initial, successors, lambda pair: _accepts(a, pair[0]) and not _accepts(b, pair[1]))


def difference_is_empty(a: Dfa, b: Dfa, budget: Budget = UNLIMITED) -> bool:
    """Return whether each word of a is, on b's tracks, one of b."""
    return is_empty(difference(a, b))


def guarded_difference(a: Dfa, b: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """a & ~(exists quantified . b), by its definition."""
    return difference(a, project(b, quantified))


def guarded_difference_word(
    a: Dfa, b: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED
) -> tuple[()] | None:
    """None if each word of a is, on the kept tracks, one of exists quantified . b; else ()."""
    return None if is_empty(guarded_difference(a, b, quantified)) else ()


def project(a: Dfa, quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """exists quantified . a, with zero closure if every track that is kept has a system."""
    if not set(quantified) <= set(a.names):
        raise AutomatonError(f"no such track to quantify: {sorted(quantified)}")
    kept = tuple(track for track in a.tracks if track.name not in quantified)
    if not kept:
        return build((), [{}], [0]) if is_empty(a) else build((), [{0: 0}], [1])
    arrows = [(p, _part(letter, a.tracks, kept), q) for p, row in enumerate(_rows(a)) for letter, q in row.items()]
    zero = None if any(not track.system for track in kept) else (0,) * len(kept)
    return _subsets(kept, arrows, {0}, zero, lambda p: bool(a.outputs[p]))


def project_union(automata: Sequence[Dfa], quantified: Collection[str], budget: Budget = UNLIMITED) -> Dfa:
    """exists quantified . a1 | a2 | ...: the automata are one nondeterministic automaton with an entry each."""
    tracks = {track for a in automata for track in a.tracks}
    kept = tuple(sorted(track for track in tracks if track.name not in quantified))
    if len({track.name for track in tracks}) != len(tracks):
        raise AutomatonError("one name stands for two tracks")
    if not automata or not set(quantified) <= {track.name for track in tracks}:
        raise AutomatonError(f"no such track to quantify: {sorted(quantified)}")
    if any(not set(kept) <= set(a.tracks) for a in automata):
        raise AutomatonError("the parts of a disjunction differ in their tracks")
    if not kept:
        return build((), [{}], [0]) if all(map(is_empty, automata)) else build((), [{0: 0}], [1])
    arrows: list[tuple[int, _Letter, int]] = []
    outputs: list[int] = []
    entries = set()
    for a in automata:
        first = len(outputs)
        entries.add(first)
        outputs += a.outputs
        for p, row in enumerate(_rows(a)):
            arrows += [(first + p, _part(letter, a.tracks, kept), first + q) for letter, q in row.items()]
    zero = None if any(not track.system for track in kept) else (0,) * len(kept)
    return _subsets(kept, arrows, entries, zero, lambda p: bool(outputs[p]))


def at_least(a: Dfa, quantified: Collection[str], count: int, budget: Budget = UNLIMITED) -> Dfa:
    """At least `count` values of the quantified tracks: accepting runs are counted, up to `count` of them."""
    return _counted(a, quantified, count, lambda total: int(total >= count))


def counts(a: Dfa, quantified: Collection[str], most: int, budget: Budget = UNLIMITED) -> Dfa:
    """As `at_least`; the outputs of the result are the numbers of accepting runs, up to `most`."""
    return _counted(a, quantified, most, lambda total: min(total, most))


def _counted(a: Dfa, quantified: Collection[str], count: int, output: Callable[[int], int]) -> Dfa:
    """Add up the outputs of all runs, and apply `output` to the sum.

    A state is the number of runs, at most `count`, that lead to each state of a.  Leading zeros only
    add runs, so they are read until nothing changes.
    """
    if not set(quantified) <= set(a.names):
        raise AutomatonError(f"no such track to count: {sorted(quantified)}")
    kept = tuple(track for track in a.tracks if track.name not in quantified)
    if not kept:
        raise AutomatonError("a track has to remain beside those that are counted")
    if is_empty(a):
        return build(kept, [{}], [0])
    rows = [[(_part(letter, a.tracks, kept), q) for letter, q in row.items()] for row in _rows(a)]

    def read(runs: Mapping[int, int], wanted: _Letter) -> dict[int, int]:
        after: dict[int, int] = {}
        for p, number in runs.items():
            for letter, q in rows[p]:
                if letter == wanted:
                    after[q] = min(count, after.get(q, 0) + number)
        return after

    start = {0: 1}
    if all(track.system for track in kept):
        zero = (0,) * len(kept)
        if a.zero_code is None or a.successor(0, a.zero_code) != 0:
            raise AutomatonError("runs are counted only of relations closed under leading zeros")
        while (grown := read(start, zero)) != start:
            start = grown

    def successors(runs: frozenset[tuple[int, int]]) -> Iterable[tuple[_Letter, frozenset[tuple[int, int]]]]:
        for letter in sorted({letter for p, _ in runs for letter, _ in rows[p]}):
            yield letter, frozenset(read(dict(runs), letter).items())

    def result(runs: frozenset[tuple[int, int]]) -> int:
        return output(sum(number * a.outputs[p] for p, number in runs))

    return _explore(kept, frozenset(start.items()), successors, result)


def close_zeros(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a with zeros added to or removed from the front."""
    if a.zero_code is None:
        raise AutomatonError("zeros can be closed only where every track has a numeration system")
    return project(a, ())


def reverse(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words of a read backwards."""
    arrows = [(q, letter, p) for p, row in enumerate(_rows(a)) for letter, q in row.items()]
    ends = {p for p in range(a.states) if a.outputs[p]}
    return _subsets(a.tracks, arrows, ends, None, lambda p: p == 0)


def minimize(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The canonical automaton of the language, by Moore's algorithm."""
    a = trim(a)
    return _canonical(build(a.tracks, [dict(a.row(p)) for p in range(a.states)], [int(o != 0) for o in a.outputs]))


def minimize_outputs(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The canonical automaton that tells all outputs apart; only unreachable states are removed."""
    return _canonical(_restricted(a, reached(a)))


def trim(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Only states that some word reaches and that lead to acceptance."""
    return _restricted(a, reached(a) & useful(a))


def reorder(a: Dfa, names: Sequence[str], budget: Budget = UNLIMITED) -> Dfa:
    """The same automaton with its tracks in the order of `names`."""
    if sorted(names) != sorted(a.names):
        raise AutomatonError(f"not an order of the tracks: {names}")
    tracks = tuple(next(track for track in a.tracks if track.name == name) for name in names)
    rows = [{_part(letter, a.tracks, tracks): q for letter, q in row.items()} for row in _rows(a)]
    return _assemble(tracks, rows, a.outputs)


def _rows(a: Dfa) -> list[dict[_Letter, int]]:
    return [{a.letter(code): target for code, target in a.row(state)} for state in range(a.states)]


def _part(letter: _Letter, tracks: Sequence[Track], wanted: Sequence[Track]) -> _Letter:
    """The digits of the wanted tracks, in their order."""
    digits = {track.name: digit for track, digit in zip(tracks, letter, strict=True)}
    return tuple(digits[track.name] for track in wanted)


def _step(rows: list[dict[_Letter, int]], state: int | None, letter: _Letter) -> int | None:
    return None if state is None else rows[state].get(letter)


def _accepts(a: Dfa, state: int | None) -> bool:
    return state is not None and a.outputs[state] != 0


def _merged(a: Dfa, b: Dfa) -> tuple[Track, ...]:
    """All tracks of both sorted by name; one name must be one track."""
    tracks = tuple(sorted(set(a.tracks) | set(b.tracks)))
    if len({track.name for track in tracks}) != len(tracks):
        raise AutomatonError("one name stands for two tracks")
    return tracks


def _assemble(tracks: Sequence[Track], rows: Sequence[dict[_Letter, int]], outputs: Sequence[int]) -> Dfa:
    """A Dfa from rows of letters."""
    empty = build(tracks, [{}], [0])
    return build(tracks, [{empty.code(letter): q for letter, q in row.items()} for row in rows], outputs)


def _explore(
    tracks: tuple[Track, ...],
    initial: _State,
    successors: Callable[[_State], Iterable[tuple[_Letter, _State]]],
    output: Callable[[_State], int],
) -> Dfa:
    """The states reached from `initial`, numbered as found."""
    numbers = {initial: 0}
    found = [initial]
    rows: list[dict[_Letter, int]] = []
    for state in found:
        row: dict[_Letter, int] = {}
        for letter, following in successors(state):
            if following not in numbers:
                numbers[following] = len(found)
                found.append(following)
            row[letter] = numbers[following]
        rows.append(row)
    return _assemble(tracks, rows, [int(output(state)) for state in found])


def _subsets(
    tracks: tuple[Track, ...],
    arrows: Sequence[tuple[int, _Letter, int]],
    initial: set[int],
    zero: _Letter | None,
    accepting: Callable[[int], bool],
) -> Dfa:
    """Subset construction; with a zero letter, the initial state stands for all that zeros reach and loops on zero."""
    start = set(initial)
    grown = zero is not None
    while grown:
        reached = {q for p, letter, q in arrows if p in start and letter == zero}
        grown = not reached <= start
        start |= reached

    # The mark distinguishes the initial state from the same set reached within a word.
    def successors(state: _Marked) -> Iterable[tuple[_Letter, _Marked]]:
        row: dict[_Letter, set[int]] = {}
        for p, letter, q in arrows:
            if p in state[1]:
                row.setdefault(letter, set()).add(q)
        if state[0] and zero is not None:
            row.pop(zero, None)
            yield zero, state
        for letter, reached in row.items():
            yield letter, (False, frozenset(reached))

    return _explore(tracks, (True, frozenset(start)), successors, lambda state: any(map(accepting, state[1])))


def _restricted(a: Dfa, kept: set[int]) -> Dfa:
    """Only the kept states and the transitions between them; FALSE if state 0 is not kept."""
    if 0 not in kept:
        return build(a.tracks, [{}], [0])
    numbers = {p: number for number, p in enumerate(sorted(kept))}
    rows = [{code: numbers[q] for code, q in a.row(p) if q in kept} for p in sorted(kept)]
    return build(a.tracks, rows, [a.outputs[p] for p in sorted(kept)])


def _canonical(a: Dfa) -> Dfa:
    """States with equal outputs on all words merged, and numbered breadth first by letter code."""
    classes: list[Hashable] = list(a.outputs)
    count = len(set(classes))
    while True:
        # Missing transitions are part of the signature: they differ from all others.
        signatures = [(classes[p], tuple((code, classes[q]) for code, q in a.row(p))) for p in range(a.states)]
        numbers = {signature: number for number, signature in enumerate(dict.fromkeys(signatures))}
        classes = [numbers[signature] for signature in signatures]
        if len(numbers) == count:
            break
        count = len(numbers)
    order = {classes[0]: 0}
    members = [0]
    rows: list[dict[int, int]] = []
    for p in members:
        row: dict[int, int] = {}
        for code, q in a.row(p):
            if classes[q] not in order:
                order[classes[q]] = len(members)
                members.append(q)
            row[code] = order[classes[q]]
        rows.append(row)
    return build(a.tracks, rows, [a.outputs[p] for p in members])


# Questions

def is_empty(a: Dfa) -> bool:
    """Return whether no accepting state is reachable."""
    return not any(a.outputs[p] for p in reached(a))


def shortest(a: Dfa) -> tuple[int, ...] | None:
    """The first word by length, then letter codes."""
    queue: deque[tuple[int, tuple[int, ...]]] = deque([(0, ())])
    seen = {0}
    while queue:
        state, word = queue.popleft()
        if a.outputs[state]:
            return word
        for code, target in a.row(state):
            if target not in seen:
                seen.add(target)
                queue.append((target, (*word, code)))
    return None


def is_finite(a: Dfa) -> bool:
    """Return whether the words that do not begin with the zero letter are finitely many."""
    kept = useful(a)
    # A word of `states` letters or more repeats a state; the language is then infinite.
    last = {q for code, q in a.row(0) if code != a.zero_code} & kept
    for _ in range(a.states):
        last = {q for p in last for _, q in a.row(p)} & kept
    return not last


def words(a: Dfa, count: int, budget: Budget = UNLIMITED) -> list[tuple[int, ...]]:
    """The first `count` words by length, then letter codes, not beginning with the zero letter."""
    kept = useful(a)
    found: list[tuple[int, ...]] = []
    layer: list[tuple[tuple[int, ...], int]] = [((), 0)] if 0 in kept else []
    while layer and len(found) < count:
        found += [word for word, p in layer if a.outputs[p]]
        layer = [
            ((*word, code), q)
            for word, p in layer
            for code, q in a.row(p)
            if q in kept and (word or code != a.zero_code)
        ]
    return found[: max(count, 0)]


def collisions(a: Dfa, name: str, budget: Budget = UNLIMITED) -> int:
    """Transitions less the pairs of a state and one of its letters without this track."""
    if name not in a.names:
        raise AutomatonError(f"no track {name} to drop")
    dropped = a.names.index(name)
    letters = [(p, a.letter(code)) for p in range(a.states) for code, _ in a.row(p)]
    return len(letters) - len({(p, letter[:dropped], letter[dropped + 1 :]) for p, letter in letters})


def count_words(a: Dfa, length: int) -> int:
    """How many words of exactly this length there are."""
    runs = {0: 1}
    for _ in range(length):
        longer: dict[int, int] = {}
        for p, ways in runs.items():
            for _code, q in a.row(p):
                longer[q] = longer.get(q, 0) + ways
        runs = longer
    return sum(ways for p, ways in runs.items() if a.outputs[p])


def reached(a: Dfa) -> set[int]:
    """States that some word reaches."""
    found = {0}
    stack = [0]
    while stack:
        for _, q in a.row(stack.pop()):
            if q not in found:
                found.add(q)
                stack.append(q)
    return found


def useful(a: Dfa) -> set[int]:
    """States from which some word is accepted."""
    found = {p for p in range(a.states) if a.outputs[p]}
    grown = True
    while grown:
        more = {p for p in range(a.states) if any(q in found for _, q in a.row(p))} - found
        found |= more
        grown = bool(more)
    return found
