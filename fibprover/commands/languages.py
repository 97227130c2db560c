"""Operations on languages: union, intersection, concatenation, star, quotients.

Automata come and go as users see them (`fibprover.automata.reading.as_read`): the first letter of a
word is the one read first, and a language is just that, whatever numbers its words stand for.  All
operands have as many tracks; the result has those of the first, is minimal, and its tracks hold the
first operand's systems.  Nondeterminism is a further track that says which transition is meant,
and is projected away.
"""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.automata import kernels, operations
from fibprover.automata.arcs import Arcs, arcs_of, assembled
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.commands.spending import spend
from fibprover.errors import AutomatonError
from fibprover.limits import UNLIMITED, Budget

#: The name of the track that tells apart what nondeterminism leaves open.
_CHOICE = "choice"

#: A state of either automaton.
_Pair = tuple[int, int]


def union(parts: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """The words of any of the automata."""
    bare = _bare(parts, "a union")
    result = bare[0]
    for part in bare[1:]:
        result = operations.disjunction(result, part, budget)
    return _clothed(result, parts[0], budget)


def intersection(parts: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """The words of all the automata."""
    bare = _bare(parts, "an intersection")
    result = bare[0]
    for part in bare[1:]:
        result = operations.conjunction(result, part, budget)
    return _clothed(result, parts[0], budget)


def concatenation(parts: Sequence[Dfa], budget: Budget = UNLIMITED) -> Dfa:
    """Words of the first automaton, each followed by one of the second, and so on.

    Exponential at worst in the states of all but the first.
    """
    bare = _bare(parts, "a concatenation")
    result = bare[-1]
    for part in reversed(bare[:-1]):
        result = _followed(part, result, budget)
    return _clothed(result, parts[0], budget)


def _followed(a: Dfa, b: Dfa, budget: Budget) -> Dfa:
    """Words of a, then words of b: from where a accepts, b's first transitions lead over."""
    first, second = arcs_of(a), arcs_of(b)
    accepting = [state for state in range(a.states) if a.outputs[state]]
    over = second.of(0).moved(0, 2, 1)
    over = Arcs(over.sources, over.codes, over.targets + a.states).copied(accepting)
    both = bool(b.outputs[0])
    outputs = [int(both and output != 0) for output in a.outputs] + [int(output != 0) for output in b.outputs]
    choosing = assembled(_choosing(a, 2), outputs, [first.moved(0, 2), second.moved(a.states, 2), over])
    return operations.exists(choosing, [_CHOICE], budget)


def star(a: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """Any number of words of the automaton one after the other, the empty word among them.  Exponential at worst."""
    (bare,) = _bare([a], "a star")
    own = arcs_of(bare)
    first = own.of(0).moved(1, 2)
    again = own.of(0).moved(0, 2, 1)
    accepting = [state + 1 for state in range(bare.states) if bare.outputs[state]]
    again = Arcs(again.sources, again.codes, again.targets + 1).copied(accepting)
    outputs = [1, *(int(output != 0) for output in bare.outputs)]
    choosing = assembled(_choosing(bare, 2), outputs, [first.copied([0]), own.moved(1, 2), again])
    return _clothed(operations.exists(choosing, [_CHOICE], budget), a, budget)


def left_quotient(a: Dfa, prefixes: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words w such that xw is a word of a for some x among the prefixes.

    The prefixes' alphabets may differ from a's: letters that a does not have occur in no word of a.
    Exponential at worst.
    """
    (bare,) = _bare([a], "a left quotient")
    other = fitted(prefixes, bare.tracks, "a left quotient")
    pairs = _pairs(bare, other, [0], budget)
    entries = sorted({state for state, prefix in pairs if other.outputs[prefix]})
    if not entries:
        return operations.empty(a.tracks)
    count = len(entries)
    own = arcs_of(bare)
    starts = []
    for number, state in enumerate(entries):
        leaving = own.of(state).moved(0, count, number)
        starts.append(Arcs(leaving.sources, leaving.codes, leaving.targets + 1).copied([0]))
    outputs = [int(any(bare.outputs[state] for state in entries)), *(int(output != 0) for output in bare.outputs)]
    choosing = assembled(_choosing(bare, count), outputs, [own.moved(1, count), *starts])
    return _clothed(operations.exists(choosing, [_CHOICE], budget), a, budget)


def right_quotient(a: Dfa, suffixes: Dfa, budget: Budget = UNLIMITED) -> Dfa:
    """The words w such that wx is a word of a for some x among the suffixes.

    The suffixes' alphabets may differ from a's, as for `left_quotient`.  O(pairs of states).
    """
    (bare,) = _bare([a], "a right quotient")
    other = fitted(suffixes, bare.tracks, "a right quotient")
    pairs = _pairs(bare, other, range(bare.states), budget)
    before: dict[_Pair, list[_Pair]] = {}
    for pair, following in pairs.items():
        for target in following:
            before.setdefault(target, []).append(pair)
    todo = [(state, suffix) for state, suffix in pairs if bare.outputs[state] and other.outputs[suffix]]
    reached = set(todo)
    while todo:
        for pair in before.get(todo.pop(), ()):
            if pair not in reached:
                reached.add(pair)
                todo.append(pair)
    outputs = [int((state, 0) in reached) for state in range(bare.states)]
    return _clothed(assembled(bare.tracks, outputs, [arcs_of(bare)]), a, budget)


def fitted(a: Dfa, tracks: Sequence[Track], what: str) -> Dfa:
    """The words of a that consist of letters over these tracks, as an automaton over them.

    AutomatonError for another number of tracks; what: the operation, for the message.
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
    """The code of a letter over other tracks, None where it is no letter of theirs."""
    code = 0
    for digit, track in zip(letter, tracks, strict=True):
        if digit not in track.digits:
            return None
        code = code * len(track.digits) + track.digits.index(digit)
    return code


def _pairs(a: Dfa, b: Dfa, starts: Sequence[int], budget: Budget) -> dict[_Pair, set[_Pair]]:
    """The pairs of states that common words reach from (start, 0), with the pairs that follow each."""
    rows: dict[int, dict[int, int]] = {}
    found: dict[_Pair, set[_Pair]] = {}
    todo = [(start, 0) for start in starts]
    while todo:
        pair = todo.pop()
        if pair in found:
            continue
        spend(budget, len(found), "a quotient")
        state, other = pair
        row = rows.setdefault(other, dict(b.row(other)))
        found[pair] = {(target, row[code]) for code, target in a.row(state) if code in row}
        todo.extend(found[pair])
    return found


def _bare(parts: Sequence[Dfa], what: str) -> list[Dfa]:
    """The automata over plain tracks 000, 001, ...; AutomatonError unless their alphabets are the same."""
    if not parts:
        raise AutomatonError(f"{what} needs at least one automaton")
    kinds = [[(track.system, track.digits) for track in part.tracks] for part in parts]
    for kind, part in zip(kinds[1:], parts[1:], strict=True):
        if kind != kinds[0]:
            raise AutomatonError(
                f"{what} needs automata over the same alphabets: {alphabets(parts[0])} and {alphabets(part)} differ",
                hint="the command alphabet gives an automaton other alphabets",
            )
    if not kinds[0]:
        raise AutomatonError(f"{what} needs automata with tracks; a closed formula has none")
    tracks = tuple(Track(f"{number:03d}", track.digits) for number, track in enumerate(parts[0].tracks))
    return [part.with_tracks(tracks) for part in parts]


def alphabets(a: Dfa) -> str:
    """What the tracks of an automaton hold, as a script names it."""
    return " ".join(track.system or "{" + ",".join(map(str, track.digits)) + "}" for track in a.tracks)


def _clothed(result: Dfa, model: Dfa, budget: Budget) -> Dfa:
    """The minimal automaton over the tracks of the first operand."""
    return kernels.minimize(result, budget).with_tracks(model.tracks)


def _choosing(a: Dfa, choices: int) -> tuple[Track, ...]:
    return (*a.tracks, Track(_CHOICE, tuple(range(choices))))
