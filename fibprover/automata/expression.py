"""A regular expression for the words of an automaton, in the syntax of `reg`: what the command `regex` writes."""

from __future__ import annotations

from typing import NamedTuple

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.automata.listing import letters_text
from fibprover.automata.state_elimination import Edges, Notation, eliminate_states
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.base.limits import UNLIMITED, Budget, check_budget

#: Most characters of an expression: a longer one explains nothing, and each step may double it.
MOST_CHARACTERS = 1 << 20

_UNION, _CONCATENATION, _ATOM = range(3)


class _Expression(NamedTuple):
    """A text, and the level of its outermost operation: a union, a concatenation, or an atom that `*` may follow."""

    text: str
    level: int
    has_empty: bool = False

    def at(self, level: int) -> str:
        """Return the text, in brackets if its level is lower."""
        return self.text if self.level >= level else f"({self.text})"


_EPSILON = _Expression("()", _ATOM, True)


def regular_expression(a: Dfa, budget: Budget = UNLIMITED) -> str:
    """Return an expression, in the syntax of `reg`, for the words of an automaton in reading order.

    It is not unique, and its length may be exponential in the states: LimitError beyond a million characters.  The
    empty language is `~(.*)`.
    """
    if not a.tracks:
        raise AutomatonError("a closed formula has no words, and so no regular expression")
    a = kernel_calls.minimize(a, budget)
    if kernel_calls.is_empty(a):
        return "~(.*)"
    start, end = -1, -2
    edges: Edges[_Expression] = {start: {0: _EPSILON}, end: {}}
    for state in range(a.states):
        letters: dict[int, list[str]] = {}
        for code, target in a.row(state):
            letters.setdefault(target, []).append(letters_text((a.letter(code),)))
        edges[state] = {target: _letters(found) for target, found in letters.items()}
        if a.outputs[state]:
            edges[state][end] = _EPSILON
    check_budget(budget, a.states, "a regular expression")
    eliminate_states(edges, a.states, _Text(budget))
    return edges[start][end].text


def _letters(spelled: list[str]) -> _Expression:
    return _Expression("|".join(spelled), _ATOM if len(spelled) == 1 else _UNION)


class _Text(Notation[_Expression]):
    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.added = 0  # characters of the edges past the state that is being eliminated

    def union(self, first: _Expression, second: _Expression) -> _Expression:
        if first is _EPSILON and second.has_empty:
            return second
        if second is _EPSILON and first.has_empty:
            return first
        return _Expression(f"{first.text}|{second.text}", _UNION, first.has_empty or second.has_empty)

    def path(self, into: _Expression, loop: _Expression | None, out: _Expression) -> _Expression:
        if loop is not None:
            into = _concatenation(into, _Expression(loop.at(_ATOM) + "*", _ATOM, True))
        return _concatenation(into, out)

    def length(self, expression: _Expression) -> int:
        return len(expression.text)

    def cost(self, into: list[int], loop: int, out: list[int]) -> int:
        """Return how many characters the new edges add."""
        return sum(into) * len(out) + sum(out) * len(into) + loop * len(out) * len(into)

    def check_edges(self, edges: Edges[_Expression]) -> None:
        self.added = 0
        check_budget(self.budget, 0, "a regular expression")

    def check_edge(self, expression: _Expression) -> None:
        self.added += len(expression.text)
        if self.added > MOST_CHARACTERS:
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
