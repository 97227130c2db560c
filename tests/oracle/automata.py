"""Walnut .txt automata, read independently of the project's own reader, and equality of languages."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from fibprover.automata.dfa import Dfa

#: One digit a track, by value.
Symbol = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """A deterministic automaton as dictionaries. systems: "msd_2", ... or "" a track; state 0 is initial."""

    systems: tuple[str, ...]
    alphabets: tuple[frozenset[int], ...]
    rows: tuple[dict[Symbol, int], ...]
    outputs: tuple[int, ...]


def digits_of(system: str) -> frozenset[int]:
    """Digits of base k or -k and of the Fibonacci and negaFibonacci numeration, read from either end."""
    if re.fullmatch(r"(msd|lsd)_(neg_)?fib", system):
        return frozenset({0, 1})
    base = re.fullmatch(r"(?:msd|lsd)_(?:neg_)?(\d+)", system)
    if not base:
        raise ValueError(f"no digits known for {system}")
    return frozenset(range(int(base[1])))


def read_table(path: Path) -> Table | bool:
    """The automaton in a file, or the truth value of a closed formula."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if lines[0] in ("true", "false"):
        return lines[0] == "true"
    systems, alphabets = [], []
    for token in re.findall(r"\{[^}]*\}|\S+", lines[0]):
        braced = token.startswith("{")
        systems.append("" if braced else token)
        alphabets.append(frozenset(map(int, token.strip("{}").split(","))) if braced else digits_of(token))
    numbers: dict[str, int] = {}
    outputs: list[int] = []
    arrows: list[list[tuple[Symbol, str]]] = []
    for line in lines[1:]:
        left, arrow, target = line.partition("->")
        if not arrow:
            state, output = line.split()
            numbers[state] = len(outputs)
            outputs.append(int(output))
            arrows.append([])
            continue
        tokens = left.split()
        assert len(tokens) == len(systems), line
        choices = [
            sorted(alphabet) if token == "*" else [int(token)]
            for token, alphabet in zip(tokens, alphabets, strict=True)
        ]
        arrows[-1] += [(symbol, target.strip()) for symbol in product(*choices)]
    rows = []
    for row in arrows:
        assert len(dict(row)) == len(row), f"{path}: two transitions on one letter"
        rows.append({symbol: numbers[target] for symbol, target in row})
    return Table(tuple(systems), tuple(alphabets), tuple(rows), tuple(outputs))


def constant(systems: tuple[str, ...], truth: bool) -> Table:
    """All tuples of numbers over these systems, or none: as automata, all representations or none.

    Of the systems known here only Fibonacci has words that represent nothing: those with 11.
    """
    alphabets = tuple(digits_of(system) for system in systems)
    if not truth:
        return Table(systems, alphabets, ({},), (0,))
    # A state is the last symbol, as far as it matters for the next one.
    numbers: dict[Symbol, int] = {(0,) * len(systems): 0}
    order = list(numbers)
    rows = []
    for last in order:
        row = {}
        for symbol in product(*map(sorted, alphabets)):
            if any(a and b for a, b in zip(last, symbol, strict=True)):
                continue
            digits = zip(systems, symbol, strict=True)
            state = tuple(digit if system.endswith("_fib") else 0 for system, digit in digits)
            if state not in numbers:
                numbers[state] = len(order)
                order.append(state)
            row[symbol] = numbers[state]
        rows.append(row)
    return Table(systems, alphabets, tuple(rows), (1,) * len(rows))


def nonempty(alphabets: tuple[frozenset[int], ...]) -> Table:
    """All words but the empty one."""
    row = dict.fromkeys(product(*map(sorted, alphabets)), 1)
    return Table(("",) * len(alphabets), alphabets, (row, row), (0, 1))


def power(one: Table, count: int) -> Table:
    """The tuples of so many words of a one-track automaton, all of one length."""
    start = (0,) * count
    numbers = {start: 0}
    order = [start]
    rows = []
    for states in order:
        row = {}
        for moves in product(*(one.rows[state].items() for state in states)):
            target = tuple(following for _, following in moves)
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
            row[tuple(symbol[0] for symbol, _ in moves)] = numbers[target]
        rows.append(row)
    outputs = tuple(int(all(one.outputs[state] for state in states)) for states in order)
    return Table(one.systems * count, one.alphabets * count, tuple(rows), outputs)


def table_of(dfa: Dfa) -> Table:
    """The project's automaton in the same shape, by its documented layout only."""
    rows = []
    for state in range(dfa.states):
        begin, end = dfa.offsets[state], dfa.offsets[state + 1]
        rows.append({_symbol(dfa, dfa.codes[place]): dfa.targets[place] for place in range(begin, end)})
    return Table(
        tuple(track.system for track in dfa.tracks),
        tuple(frozenset(track.digits) for track in dfa.tracks),
        tuple(rows),
        tuple(dfa.outputs),
    )


def _symbol(dfa: Dfa, code: int) -> Symbol:
    digits = []
    for track in reversed(dfa.tracks):
        code, index = divmod(code, len(track.digits))
        digits.append(track.digits[index])
    return tuple(reversed(digits))


def acceptance(output: int) -> int:
    """Interpret an output as acceptance: 0 or 1."""
    return int(output != 0)


def letter(output: int) -> int:
    """Interpret an output as a letter: all values are different."""
    return output


def difference(
    one: Table, other: Table, seen_as: Callable[[int], int] = acceptance, within: Table | None = None
) -> list[Symbol] | None:
    """A shortest word on which the two disagree, None if they are equal.

    seen_as: the interpretation of outputs, `acceptance` or `letter`; a missing state has output 0.  within: the words
    to compare, all by default; each of its states must have an accepting continuation.
    """
    start = (0, 0, 0)
    queue: deque[tuple[int | None, int | None, int]] = deque([start])
    reached: dict[tuple[int | None, int | None, int], list[Symbol]] = {start: []}
    while queue:
        place = queue.popleft()
        word = reached[place]
        a, b, limit = place
        counts = within is None or within.outputs[limit] != 0
        if counts and seen_as(0 if a is None else one.outputs[a]) != seen_as(0 if b is None else other.outputs[b]):
            return word
        row_a = {} if a is None else one.rows[a]
        row_b = {} if b is None else other.rows[b]
        for symbol in sorted(row_a.keys() | row_b.keys()):
            after = 0 if within is None else within.rows[limit].get(symbol)
            if after is None:
                continue
            following = (row_a.get(symbol), row_b.get(symbol), after)
            if following not in reached:
                reached[following] = [*word, symbol]
                queue.append(following)
    return None
