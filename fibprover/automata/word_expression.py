"""A short regular expression for the language of an automaton, as `reg` takes it; unions are factored.

Expressions can be exponentially longer than automata, so there is a limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from fibprover.automata.dfa import Dfa
from fibprover.automata.state_elimination import Edges, Notation, eliminate_states

#: Expressions with more letters than this are given up.
MOST_LETTERS = 400


@dataclass(frozen=True, slots=True)
class _Node:
    """An expression: a letter (its text), parts one after another, a union of parts, or a repeated part.

    No parts one after another are the empty word.
    """

    kind: str
    parts: tuple[_Node, ...] = ()
    letter: str = ""
    letters: int = 0


_EMPTY_WORD = _Node("sequence")


def regular_expression(a: Dfa, most: int = MOST_LETTERS) -> str | None:
    """An expression for the words that an automaton accepts; None if it has no tracks, accepts none, or it gets long.

    most: letters in the expression at most.  A letter is [d,e] with a digit for each track, or d where there is one.
    """
    if not a.tracks:
        return None
    start, end = a.states, a.states + 1
    edges: Edges[_Node] = {state: {} for state in range(a.states + 2)}
    for state in range(a.states):
        for code, target in a.row(state):
            edge = _Node("letter", (), _letter(a.letter(code)), 1)
            edges[state][target] = _union([edges[state][target], edge]) if target in edges[state] else edge
        if a.outputs[state]:
            edges[state][end] = _EMPTY_WORD
    edges[start][0] = _EMPTY_WORD
    try:
        eliminate_states(edges, a.states, _Letters(most))
    except _TooLong:
        return None
    found = edges[start].get(end)
    return None if found is None else _written(found)


class _TooLong(Exception):
    pass


class _Letters(Notation[_Node]):
    """Simplified expressions, whose length is the number of their letters."""

    def __init__(self, most: int) -> None:
        self.most = most

    def union(self, first: _Node, second: _Node) -> _Node:
        return _union([first, second])

    def path(self, into: _Node, loop: _Node | None, out: _Node) -> _Node:
        return _sequence([into, out] if loop is None else [into, _star(loop), out])

    def length(self, expression: _Node) -> int:
        return expression.letters

    def cost(self, into: list[int], loop: int, out: list[int]) -> int:
        """Return how many letters all expressions gain, factoring aside."""
        return sum(into) * (len(out) - 1) + sum(out) * (len(into) - 1) + loop * (len(into) * len(out) - 1)

    def check_edges(self, edges: Edges[_Node]) -> None:
        if sum(edge.letters for row in edges.values() for edge in row.values()) > 8 * self.most:
            raise _TooLong

    def check_edge(self, expression: _Node) -> None:
        if expression.letters > self.most:
            raise _TooLong


def _letter(digits: tuple[int, ...]) -> str:
    if len(digits) == 1 and 0 <= digits[0] <= 9:
        return str(digits[0])
    return f"[{','.join(map(str, digits))}]"


def _made(kind: str, parts: Iterable[_Node]) -> _Node:
    kept = tuple(parts)
    return _Node(kind, kept, "", sum(part.letters for part in kept))


def _items(node: _Node) -> tuple[_Node, ...]:
    """What stands one after another in an expression."""
    return node.parts if node.kind == "sequence" else (node,)


def _sequence(parts: Iterable[_Node]) -> _Node:
    items: list[_Node] = []
    for part in parts:
        for item in _items(part):
            if not (items and item.kind == "star" and items[-1] == item):
                items.append(item)
    return items[0] if len(items) == 1 else _made("sequence", items)


def _star(body: _Node) -> _Node:
    """A repetition: of what is left without the empty word and without repetitions of parts of a union."""
    if body.kind == "star" or body == _EMPTY_WORD:
        return body
    if body.kind == "union":
        parts = [part.parts[0] if part.kind == "star" else part for part in body.parts if part != _EMPTY_WORD]
        body = _union(parts)
        if body.kind == "star":
            return body
    return _made("star", [body])


def _union(parts: Iterable[_Node]) -> _Node:
    """Alternatives, each once, common beginnings and ends written once."""
    flat: list[_Node] = []
    for part in parts:
        flat += [one for one in (part.parts if part.kind == "union" else (part,)) if one not in flat]
    flat = _repeated(flat)
    for end in (0, -1):
        flat = _factored(flat, end)
    flat = _repeated(flat)
    return flat[0] if len(flat) == 1 else _made("union", flat)


def _repeated(parts: list[_Node]) -> list[_Node]:
    """The empty word or x x* is x*; the empty word or x* likewise."""
    if _EMPTY_WORD not in parts:
        return parts
    rest = [part for part in parts if part != _EMPTY_WORD]
    for number, part in enumerate(rest):
        items = _items(part)
        for star, other in ((items[-1], items[:-1]), (items[0], items[1:])):
            if star.kind == "star" and (not other or _sequence(other) == star.parts[0]):
                return [star if place == number else one for place, one in enumerate(rest)]
    return [*rest, _EMPTY_WORD]


def _factored(parts: list[_Node], end: int) -> list[_Node]:
    """Alternatives that begin (end 0) or end (-1) alike are joined; the order of first appearance is kept."""
    keys = [_items(part)[end] if part != _EMPTY_WORD else None for part in parts]
    if len(set(keys)) == len(keys):
        return parts
    order = {key: place for place, key in reversed(list(enumerate(keys)))}
    placed = sorted(zip(keys, parts, strict=True), key=lambda pair: order[pair[0]])
    found: list[_Node] = []
    for key, group in groupby(placed, key=lambda pair: order[pair[0]]):
        same = [part for _, part in group]
        common = keys[key]
        if len(same) == 1 or common is None:
            found += same
            continue
        rests = [_sequence(_items(part)[1:] if end == 0 else _items(part)[:-1]) for part in same]
        inner = _union(rests)
        found.append(_sequence([common, inner] if end == 0 else [inner, common]))
    return found


def _written(node: _Node) -> str:
    if node.kind == "letter":
        return node.letter
    if node.kind == "star":
        body = node.parts[0]
        optional = body.kind == "union" and _EMPTY_WORD in body.parts
        return f"({_written(body)})*" if optional else f"{_bracketed(body, 'sequence', 'union')}*"
    if node.kind == "sequence":
        return "".join(_optional(part) or _bracketed(part, "union") for part in node.parts) or "()"
    return _optional(node) or "|".join(_written(part) for part in node.parts)


def _optional(node: _Node) -> str:
    """A union with the empty word as `x?`; an empty text for anything else."""
    if node.kind != "union" or _EMPTY_WORD not in node.parts:
        return ""
    rest = [part for part in node.parts if part != _EMPTY_WORD]
    inner = rest[0] if len(rest) == 1 else _made("union", rest)
    return f"{_bracketed(inner, 'sequence', 'union', 'star')}?"


def _bracketed(node: _Node, *kinds: str) -> str:
    """An expression, in brackets if it is of a kind that binds less tightly than what is around it."""
    text = _written(node)
    return f"({text})" if node.kind in kinds else text
