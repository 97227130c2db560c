"""`regex`: a regular expression for the words of an automaton.

States are taken out one after another, and what led through them becomes an expression (Brzozowski
and McCluskey, IEEE Transactions on Electronic Computers 12, 1963); the cheapest state goes first.
"""

from __future__ import annotations

from typing import NamedTuple

from fibprover.automata import kernels
from fibprover.automata.dfa import Dfa
from fibprover.automata.listing import letters_text
from fibprover.errors import AutomatonError, LimitError
from fibprover.limits import UNLIMITED, Budget, check_budget

#: Characters of an expression: one beyond that explains nothing, and each step may double it.
MOST_CHARACTERS = 1 << 20

_UNION, _CONCATENATION, _ATOM = range(3)


class _Expression(NamedTuple):
    """A text, and how loosely its parts hang together: a union, a concatenation, or an atom that `*` may follow."""

    text: str
    level: int
    has_empty: bool = False

    def at(self, level: int) -> str:
        """The text, in brackets where it would fall apart."""
        return self.text if self.level >= level else f"({self.text})"


_EPSILON = _Expression("()", _ATOM, True)


def regular_expression(a: Dfa, budget: Budget = UNLIMITED) -> str:
    """An expression, in the syntax of `reg`, for the words of an automaton that is given as users see it.

    It is not unique, and its length may be exponential in the states: LimitError beyond a million
    characters.  Nothing at all is `~(.*)`.
    """
    if not a.tracks:
        raise AutomatonError("a closed formula has no words, and so no regular expression")
    a = kernels.minimize(a, budget)
    if kernels.is_empty(a):
        return "~(.*)"
    start, end = -1, -2
    edges: dict[int, dict[int, _Expression]] = {start: {0: _EPSILON}, end: {}}
    for state in range(a.states):
        letters: dict[int, list[str]] = {}
        for code, target in a.row(state):
            letters.setdefault(target, []).append(letters_text((a.letter(code),)))
        edges[state] = {target: _letters(found) for target, found in letters.items()}
        if a.outputs[state]:
            edges[state][end] = _EPSILON
    for left in range(a.states, 0, -1):
        check_budget(budget, left, "a regular expression")
        _take_out(edges, _cheapest(edges))
    return edges[start][end].text


def _letters(spelled: list[str]) -> _Expression:
    return _Expression("|".join(spelled), _ATOM if len(spelled) == 1 else _UNION)


def _cheapest(edges: dict[int, dict[int, _Expression]]) -> int:
    """The state whose way through adds the fewest characters."""
    incoming: dict[int, list[int]] = {state: [] for state in edges}
    for source, targets in edges.items():
        for target, expression in targets.items():
            if target != source:
                incoming[target].append(len(expression.text))

    def weight(state: int) -> tuple[int, int]:
        own = [len(expression.text) for target, expression in edges[state].items() if target != state]
        loop = len(edges[state][state].text) if state in edges[state] else 0
        entering = incoming[state]
        return sum(entering) * len(own) + sum(own) * len(entering) + loop * len(own) * len(entering), state

    return min((state for state in edges if state >= 0), key=weight)


def _take_out(edges: dict[int, dict[int, _Expression]], state: int) -> None:
    """Replaces all ways through a state by edges past it."""
    leaving = edges.pop(state)
    loop = leaving.pop(state, None)
    around = None if loop is None else _Expression(loop.at(_ATOM) + "*", _ATOM, True)
    total = 0
    for targets in edges.values():
        entering = targets.pop(state, None)
        if entering is None:
            continue
        if around is not None:
            entering = _concatenation(entering, around)
        for target, expression in leaving.items():
            past = _concatenation(entering, expression)
            targets[target] = _union(targets[target], past) if target in targets else past
            total += len(targets[target].text)
            if total > MOST_CHARACTERS:
                raise LimitError(
                    f"the regular expression would have more than {MOST_CHARACTERS} characters",
                    hint="export the automaton instead",
                )


def _concatenation(first: _Expression, second: _Expression) -> _Expression:
    if first is _EPSILON:
        return second
    if second is _EPSILON:
        return first
    text = first.at(_CONCATENATION) + second.at(_CONCATENATION)
    return _Expression(text, _CONCATENATION, first.has_empty and second.has_empty)


def _union(first: _Expression, second: _Expression) -> _Expression:
    if first is _EPSILON and second.has_empty:
        return second
    if second is _EPSILON and first.has_empty:
        return first
    return _Expression(f"{first.text}|{second.text}", _UNION, first.has_empty or second.has_empty)
