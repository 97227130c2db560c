"""Nondeterministic automata: what a projection is before it is determinized.

In comes a relation and the tracks to project away; out goes an `Nfa` of as many states, at most as many transitions,
and several initial states: those that the zero letter of the kept tracks leads to, so that a tuple is accepted whatever
the length of the numbers that were projected away.  Emptiness, finiteness, membership and lists are answered without
determinizing it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import lsd_first
from fibprover.base.errors import AutomatonError
from fibprover.base.limits import UNLIMITED, Budget, check_budget, polled
from fibprover.base.values import value

#: Of each letter, by increasing code, the states that it may lead to, increasing.
Row = tuple[tuple[int, tuple[int, ...]], ...]

_DURING = "a nondeterministic automaton"


@value
class Nfa:
    """An automaton in which a letter may lead to several states; a word is accepted if one of its paths accepts.

    Each state lies on a path from an initial to an accepting one.  zero: the code of the zero letter, with which no
    listed word begins; -1 if a track is a plain alphabet.
    """

    tracks: tuple[Track, ...]
    initial: tuple[int, ...]
    rows: tuple[Row, ...]
    accepting: tuple[bool, ...]
    zero: int

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.rows)

    @property
    def transitions(self) -> int:
        """The number of transitions."""
        return sum(len(targets) for row in self.rows for _, targets in row)

    @property
    def is_empty(self) -> bool:
        """Whether no word is accepted."""
        return not any(self.accepting)

    def letter(self, code: int) -> tuple[int, ...]:
        """Return a letter as one digit a track."""
        digits = []
        for track in reversed(self.tracks):
            code, place = divmod(code, len(track.digits))
            digits.append(track.digits[place])
        return tuple(reversed(digits))

    def after(self, states: Iterable[int], code: int) -> set[int]:
        """Return the states that a letter leads to from any of these."""
        return {target for state in states for own, targets in self.rows[state] if own == code for target in targets}

    def accepts(self, codes: Iterable[int]) -> bool:
        """Return whether a word is accepted.  O(transitions) for each letter at worst."""
        states = set(self.initial)
        for code in codes:
            states = self.after(states, code)
        return any(self.accepting[state] for state in states)

    def begun(self) -> set[int]:
        """Return the states after a first letter other than the zero letter."""
        return {
            target for state in self.initial for code, targets in self.rows[state] if code != self.zero
            for target in targets
        }

    def is_finite(self, budget: Budget = UNLIMITED) -> bool:
        """Return whether finitely many words that do not begin with the zero letter are accepted.  Linear."""
        following = [{target for _, targets in row for target in targets} for row in polled(self.rows, _DURING)]
        reached, waiting = self.begun(), list(self.begun())
        while waiting:
            fresh = following[waiting.pop()] - reached
            reached |= fresh
            waiting += fresh
            check_budget(budget, self.states, _DURING)
        # All states lead to an accepting one: the words are finitely many if these are on no cycle.
        entering = dict.fromkeys(reached, 0)
        for state in reached:
            for target in following[state]:
                entering[target] += 1
        free = [state for state, count in entering.items() if not count]
        for state in free:
            for target in following[state]:
                entering[target] -= 1
                if not entering[target]:
                    free.append(target)
        return len(free) == len(reached)

    def words(self, budget: Budget = UNLIMITED) -> Iterator[tuple[int, ...]]:
        """Yield the accepted words that do not begin with the zero letter, by length, then letter by letter.

        Each letter of a word takes O(transitions) at most, and each length O(transitions).
        """
        if any(self.accepting[state] for state in self.initial):
            yield ()
        #: Of each number of letters, the states from which so many may lead to an accepting one.
        live = [{state for state, accepts in enumerate(self.accepting) if accepts}]
        reached = self.begun()
        while reached:
            yield from self._of_length(live, budget)
            check_budget(budget, self.states, _DURING)
            last = live[-1]
            live.append({
                state for state, row in enumerate(self.rows) if any(not last.isdisjoint(each) for _, each in row)
            })
            reached = {target for state in reached for _, targets in self.rows[state] for target in targets}

    def _of_length(self, live: Sequence[set[int]], budget: Budget) -> Iterator[tuple[int, ...]]:
        """Yield the words of as many letters as there are sets of live states, letter by letter."""
        #: Words that are begun, the next one last, with the states that each leads to.
        begun: list[tuple[tuple[int, ...], Iterable[int]]] = [((), self.initial)]
        while begun:
            check_budget(budget, self.states, _DURING)
            word, states = begun.pop()
            left = len(live) - len(word)
            if not left:
                yield word
                continue
            reached: dict[int, set[int]] = {}
            for state in states:
                for code, targets in self.rows[state]:
                    if word or code != self.zero:
                        reached.setdefault(code, set()).update(live[left - 1].intersection(targets))
            begun += [((*word, code), reached[code]) for code in sorted(reached, reverse=True) if reached[code]]

    def to_reading_order(self) -> Nfa:
        """Return the automaton that reads numbers of lsd systems least significant digit first.  Linear.

        Raises AutomatonError if msd and lsd tracks occur together.
        """
        backwards = set(map(lsd_first, self.tracks))
        if backwards == {False}:
            return self
        if len(backwards) > 1:
            raise AutomatonError(
                "an automaton cannot read some of these tracks most and others least significant digit first",
                hint="take the msd or the lsd system for all variables",
            )
        tracks = tuple(track._replace(stored_reversed=False) for track in self.tracks)
        if self.is_empty:
            return Nfa(tracks, (0,), ((),), (False,), self.zero)  # no state accepts from which to begin
        rows: list[dict[int, set[int]]] = [{} for _ in self.rows]
        for state, row in enumerate(polled(self.rows, _DURING)):
            for code, targets in row:
                for target in targets:
                    rows[target].setdefault(code, set()).add(state)
        initial = tuple(state for state, accepts in enumerate(self.accepting) if accepts)
        accepting = [False] * self.states
        for state in self.initial:
            accepting[state] = True
        return Nfa(tracks, initial, tuple(map(_row, rows)), tuple(accepting), self.zero)

    def with_one_initial(self) -> Nfa:
        """Return an automaton of the same words whose only initial state is state 0; it may have one state more."""
        if self.initial == (0,):
            return self
        moved = [tuple((code, tuple(each + 1 for each in targets)) for code, targets in row) for row in self.rows]
        first: dict[int, set[int]] = {}
        for state in self.initial:
            for code, targets in moved[state]:
                first.setdefault(code, set()).update(targets)
        accepts = any(self.accepting[state] for state in self.initial)
        return Nfa(self.tracks, (0,), (_row(first), *moved), (accepts, *self.accepting), self.zero)


def projected(a: Dfa, lost: Sequence[str], budget: Budget = UNLIMITED) -> Nfa:
    """Return the automaton of a with the named tracks projected away.  Linear in the size of a.

    a: a canonical relation; lost: names of its tracks.  States of a that the initial states do not lead to are not
    among those of the result.
    """
    unknown = sorted(set(lost) - set(a.names))
    if unknown:
        raise AutomatonError(f"there is no track {', '.join(unknown)} among {', '.join(a.names)}")
    kept = tuple(track for track in a.tracks if track.name not in lost)
    zero = kernel_calls.kept_zero(kept)
    coded = _Coding(a, kept)
    rows: list[Row] = []
    for state in range(a.states):
        check_budget(budget, a.states, _DURING)
        row: dict[int, set[int]] = {}
        for code, target in a.row(state):
            row.setdefault(coded[code], set()).add(target)
        rows.append(_row(row))
    initial, waiting = {0}, [0]
    while waiting and zero >= 0:
        fresh = {target for code, targets in rows[waiting.pop()] if code == zero for target in targets} - initial
        initial |= fresh
        waiting += fresh
    return Nfa(kept, tuple(sorted(initial)), tuple(rows), tuple(output != 0 for output in a.outputs), zero)


class _Coding(dict[int, int]):
    """The letters of an automaton in the coding of some of its tracks."""

    def __init__(self, a: Dfa, kept: Sequence[Track]) -> None:
        super().__init__()
        self.a = a
        self.places = [(a.names.index(track.name), track.digits) for track in kept]

    def __missing__(self, code: int) -> int:
        letter, found = self.a.letter(code), 0
        for place, digits in self.places:
            found = found * len(digits) + digits.index(letter[place])
        self[code] = found
        return found


def _row(row: dict[int, set[int]]) -> Row:
    return tuple((code, tuple(sorted(row[code]))) for code in sorted(row))
