"""Plain twins of the kernels that answer a question; `reference` offers them too."""

from __future__ import annotations

from collections import deque

from fibprover.automata.dfa import Dfa
from fibprover.errors import AutomatonError
from fibprover.limits import UNLIMITED, Budget


def is_empty(a: Dfa) -> bool:
    """Whether no accepting state is reachable."""
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
    """Whether the words that do not begin with the zero letter are finitely many."""
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
