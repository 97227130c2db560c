"""Write a regular expression for the words of an automaton, in the syntax of `reg`.

States are eliminated one after the other, and every path through an eliminated state becomes an expression on an edge
that bypasses it (Brzozowski and McCluskey, IEEE Transactions on Electronic Computers 12, 1963).  The cheapest state is
eliminated first (Delgado and Morais, CIAA 2004), for each of two costs, since neither always gives the shorter result.
Each union that arises is factored, so that common beginnings and ends of its alternatives are written once.  An
expression may still be exponentially longer than the automaton, so there is a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Final, Literal, TypeAlias

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.automata.listing import letters_text
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.base.limits import UNLIMITED, Budget, check_budget

#: Most characters of an expression: a longer one explains nothing, and each step may double it.
MOST_CHARACTERS = 1 << 20

#: All edges together may have this many times the characters that one may have.
MOST_EDGES = 8

#: Nothing is factored that would be nested deeper than this: `reg` reads expressions of 100 levels at most.
MOST_DEPTH = 50

_Kind: TypeAlias = Literal["letter", "sequence", "union", "star"]


class _Node:
    """An expression: a letter, parts one after another, a union of parts, or a repeated part; with its text and sizes.

    No parts one after another are the empty word.  Equal texts mean equal expressions; comparing them takes no
    recursion, and their hashes are computed once.
    """

    __slots__ = ("depth", "kind", "letters", "parts", "text")

    def __init__(self, kind: _Kind, parts: Sequence[_Node], text: str) -> None:
        self.kind: Final = kind
        self.parts: Final = tuple(parts)
        self.text: Final = text
        self.letters: Final[int] = 1 if kind == "letter" else sum(part.letters for part in parts)
        # At least that of the tree that `reg` reads: a union is two levels of it if it is optional.
        self.depth: Final[int] = max((part.depth for part in parts), default=0) + (2 if kind == "union" else 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Node) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


_EMPTY_WORD = _Node("sequence", (), "()")


def regular_expression(a: Dfa, budget: Budget = UNLIMITED, most: int = MOST_CHARACTERS) -> str:
    """Return an expression for the words of an automaton, each letter as `reg` reads it: d, or [d,e] of two tracks.

    It is not unique, and its length may be exponential in the states: LimitError if it, or an expression on the way
    to it, has more than `most` characters.  The empty language is `~(.*)`.
    """
    if not a.tracks:
        raise AutomatonError("a closed formula has no words, and so no regular expression")
    a = kernel_calls.minimize(a, budget)
    if kernel_calls.is_empty(a):
        return "~(.*)"
    found: list[str] = []
    for cost in (_letters_gained, _letters_added):
        with suppress(_TooLong):
            found.append(_by_elimination(a, cost, budget, most))
    if not found:
        raise LimitError(
            f"the regular expression would have more than {most} characters", hint="export the automaton instead"
        )
    return min(found, key=len)


# -- eliminating states ------------------------------------------------------------------------


class _TooLong(Exception):
    """An expression has too many characters."""


#: By state and target: the expression of an edge.
_Edges: TypeAlias = dict[int, dict[int, _Node]]

#: The cost of eliminating a state, from the letters of the edges into it, of its loop (0 if there is none), and of
#: the edges out of it.
_Cost: TypeAlias = Callable[[list[int], int, list[int]], int]


def _letters_gained(into: list[int], loop: int, out: list[int]) -> int:
    """Return how many letters more there are without the state, factoring aside."""
    return sum(into) * (len(out) - 1) + sum(out) * (len(into) - 1) + loop * (len(into) * len(out) - 1)


def _letters_added(into: list[int], loop: int, out: list[int]) -> int:
    """Return how many letters the new edges past the state have, factoring aside."""
    return sum(into) * len(out) + sum(out) * len(into) + loop * len(out) * len(into)


def _by_elimination(a: Dfa, cost: _Cost, budget: Budget, most: int) -> str:
    """Return an expression for the words of a minimal automaton that accepts some.

    O(states * edges), expressions aside; the number of edges may grow to states^2.
    """
    start, end = -1, -2
    edges: _Edges = {start: {0: _EMPTY_WORD}, end: {}}
    for state in range(a.states):
        letters: dict[int, list[_Node]] = {}
        for code, target in a.row(state):
            letters.setdefault(target, []).append(_Node("letter", (), letters_text((a.letter(code),))))
        edges[state] = {target: _union(found) for target, found in letters.items()}
        if a.outputs[state]:
            edges[state][end] = _EMPTY_WORD
    left = set(range(a.states))
    while left:
        check_budget(budget, a.states, "a regular expression")
        state = _cheapest(edges, left, cost)
        left.remove(state)
        _eliminate(edges, state, most)
        if sum(len(edge.text) for row in edges.values() for edge in row.values()) > MOST_EDGES * most:
            raise _TooLong
    return edges[start][end].text


def _eliminate(edges: _Edges, state: int, most: int) -> None:
    """Replace the paths through a state by edges past it."""
    leaving = edges.pop(state)
    loop = leaving.pop(state, None)
    repeated = [] if loop is None else [_star(loop)]
    for targets in edges.values():
        entering = targets.pop(state, None)
        if entering is None:
            continue
        for target, expression in leaving.items():
            past = _sequence([entering, *repeated, expression])
            targets[target] = _union([targets[target], past]) if target in targets else past
            if len(targets[target].text) > most:
                raise _TooLong


def _cheapest(edges: _Edges, left: set[int], cost: _Cost) -> int:
    """Return the state whose elimination costs least, of equal ones the first."""
    into: dict[int, list[int]] = {state: [] for state in edges}
    for source, targets in edges.items():
        for target, expression in targets.items():
            if target != source:
                into[target].append(expression.letters)

    def cost_of(state: int) -> tuple[int, int]:
        out = [expression.letters for target, expression in edges[state].items() if target != state]
        loop = edges[state][state].letters if state in edges[state] else 0
        return cost(into[state], loop, out), state

    return min(left, key=cost_of)


# -- making expressions ------------------------------------------------------------------------


def _items(node: _Node) -> tuple[_Node, ...]:
    """Return what stands one after another in an expression."""
    return node.parts if node.kind == "sequence" else (node,)


def _sequence(parts: Iterable[_Node]) -> _Node:
    """Return parts one after another; of two equal repetitions side by side one is enough."""
    items: list[_Node] = []
    for part in parts:
        for item in _items(part):
            if not (items and item.kind == "star" and items[-1] == item):
                items.append(item)
    if len(items) == 1:
        return items[0]
    text = "".join(item.text if item.kind != "union" or _is_optional(item) else f"({item.text})" for item in items)
    return _Node("sequence", items, text or "()")


def _star(body: _Node) -> _Node:
    """Return a repetition of what is left without the empty word and without repetitions of parts of a union."""
    if body.kind == "star" or body == _EMPTY_WORD:
        return body
    if body.kind == "union":
        body = _union(part.parts[0] if part.kind == "star" else part for part in body.parts if part != _EMPTY_WORD)
        if body.kind == "star":
            return body
    return _Node("star", (body,), (body.text if body.kind == "letter" else f"({body.text})") + "*")


def _union(parts: Iterable[_Node], depth: int = 0) -> _Node:
    """Return alternatives, each once, with common beginnings and ends written once; depth: of unions around it."""
    flat = list(dict.fromkeys(one for part in parts for one in (part.parts if part.kind == "union" else (part,))))
    flat = _repeated(flat)
    if depth < MOST_DEPTH:
        for end in (0, -1):
            flat = _factored(flat, end, depth)
        flat = _repeated(flat)
    return flat[0] if len(flat) == 1 else _alternatives(flat)


def _alternatives(parts: Sequence[_Node]) -> _Node:
    """Return a union of different parts as it is; with the empty word it is written as `x?`."""
    rest = [part for part in parts if part != _EMPTY_WORD]
    text = "|".join(part.text for part in rest)
    if len(rest) < len(parts):
        text = f"{text}?" if len(rest) == 1 and rest[0].kind == "letter" else f"({text})?"
    return _Node("union", parts, text)


def _is_optional(node: _Node) -> bool:
    return node.kind == "union" and _EMPTY_WORD in node.parts


def _repeated(parts: list[_Node]) -> list[_Node]:
    """Return alternatives with "the empty word or x x*", and "the empty word or x*", as x*."""
    if _EMPTY_WORD not in parts:
        return parts
    rest = [part for part in parts if part != _EMPTY_WORD]
    for number, part in enumerate(rest):
        items = _items(part)
        for star, other in ((items[-1], items[:-1]), (items[0], items[1:])):
            if star.kind == "star" and (not other or _sequence(other) == star.parts[0]):
                return [star if place == number else one for place, one in enumerate(rest)]
    return [*rest, _EMPTY_WORD]


def _factored(parts: list[_Node], end: int, depth: int) -> list[_Node]:
    """Return alternatives, those that begin (end 0) or end (-1) alike joined, in the order of first appearance."""
    groups: dict[_Node, list[_Node]] = {}
    for part in parts:
        groups.setdefault(part if part == _EMPTY_WORD else _items(part)[end], []).append(part)
    found: list[_Node] = []
    for same in groups.values():
        joined = same[0] if len(same) == 1 else _joined([_items(part) for part in same], end, depth + 1)
        found += [joined] if joined.depth <= MOST_DEPTH else same
    return found


def _joined(sequences: list[tuple[_Node, ...]], end: int, depth: int) -> _Node:
    """Return alternatives that begin (end 0) or end (-1) alike, with what they have in common there written once."""
    step = 1 if end == 0 else -1
    length = sum(1 for _ in takewhile(_are_equal, zip(*(items[::step] for items in sequences), strict=False)))
    if end == 0:
        rests = _union((_sequence(items[length:]) for items in sequences), depth)
        return _sequence([*sequences[0][:length], rests])
    rests = _union((_sequence(items[: len(items) - length]) for items in sequences), depth)
    return _sequence([rests, *sequences[0][len(sequences[0]) - length :]])


def _are_equal(items: tuple[_Node, ...]) -> bool:
    return all(item == items[0] for item in items)
