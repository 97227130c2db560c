"""Questions about a language, answered by the automaton of the reversed words (see `fibprover.automata.turned`).

Each is one that `fibprover.automata.kernel_calls` answers by an automaton of the words themselves.  Only the sets of
states on the way to an answer are looked at: an automaton of the words could have exponentially many.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from fibprover.automata.dfa import Dfa, build_from, explored
from fibprover.base.limits import UNLIMITED, Budget, check_budget, polled

#: A set of states.
States = frozenset[int]


def words(a: Dfa, zero: int | None, longest: int | None, budget: Budget = UNLIMITED) -> Iterator[tuple[int, ...]]:
    """Yield the letter codes of the reversed words of a, by length, then letter order, but those with a first zero.

    zero: the letter that must not be the first, None if any may be; longest: the greatest length, None if there is
    none.  O(length * transitions) for each word.
    """
    before = _moves_into(a)
    layers: list[States] = []
    for length in count() if longest is None else range(longest + 1):
        reached = frozenset(target for state in layers[-1] for _, target in a.row(state)) if layers else frozenset({0})
        layers.append(reached)
        if not reached:
            return
        ends = frozenset(state for state in reached if a.outputs[state])
        pending: list[tuple[tuple[int, ...], States]] = [((), ends)] if ends else []
        while pending:
            check_budget(budget, len(pending), "a list of words")
            codes, states = pending.pop()
            if len(codes) == length:
                yield codes
                continue
            sources: dict[int, set[int]] = {}
            for state in states:
                for code, source in before[state]:
                    if source in layers[length - len(codes) - 1] and (codes or code != zero):
                        sources.setdefault(code, set()).add(source)
            pending += [((*codes, code), frozenset(sources[code])) for code in sorted(sources, reverse=True)]


def _moves_into(a: Dfa) -> list[list[tuple[int, int]]]:
    """Return, for each state, the letters of the transitions into it and where they come from."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(a.states)]
    for state in polled(range(a.states), "the transitions of an automaton"):
        for code, target in a.row(state):
            found[target].append((code, state))
    return found


def without_last(a: Dfa, zero: int) -> Dfa:
    """Return the automaton of the words of a whose last letter is another one than this."""
    def steps(state: tuple[int, bool]) -> Iterator[tuple[int, tuple[int, bool]]]:
        return ((code, (target, code != zero)) for code, target in a.row(state[0]))

    return build_from(
        a.tracks, explored((0, True), steps, UNLIMITED, "an automaton"),
        lambda state: a.outputs[state[0]] if state[1] else 0,
    )
