"""Expressions over partial quotients: which slopes they mean.

    3   [1-3]   [1,4,>=7]   .   []   one partial quotient: this one, one of these, any, none
    e f   e|f   (e)   e*  e+  e?     in a row, either, grouping, any number of times, at least once, or not at all

A slope [0; a_1, a_2, ...] is meant if infinitely many beginnings a_1 ... a_k are words of the expression: `[1-3]*` are
the slopes whose partial quotients are at most 3, `.* 4 .*` those with a 4, `2 (1 3)*` is [0; 2, (1, 3)].  What is not
settled by beginnings, such as `(.* 4)*`, infinitely many 4, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.prefixes import MARK
from fibprover.base.errors import LimitError, NotSupported, SyntaxProblem
from fibprover.base.limits import UNLIMITED, Budget, check_budget
from fibprover.base.names import is_slope
from fibprover.numeration.parameters import SLOPE_TRACK
from fibprover.numeration.slope_sets import Quotients, SlopeSet

#: The largest partial quotient that an expression may name.
MOST_NAMED = 4096

#: Brackets may be nested this deep.
MOST_NESTED = 100

_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+)|(?P<set>\[[^\]]*\])|(?P<sign>[().|*+?]))", re.ASCII)
_ITEM = re.compile(r"\s*(?:([0-9]+)\s*(?:-\s*([0-9]+))?|(>=|<=|>|<)\s*([0-9]+))\s*", re.ASCII)

#: Beginning and end of a part of the nondeterministic automaton.
_Part = tuple[int, int]


def slopes_of(expression: str, budget: Budget = UNLIMITED, track: Track = SLOPE_TRACK) -> SlopeSet:
    """Return the slopes that an expression means, or the sequences of choices if the track is one of choices.

    Raises SyntaxProblem with the place for what is no expression, and NotSupported for what beginnings do not settle.
    """
    slope = is_slope(track.system)
    reader = _Reader(expression, MOST_NAMED if slope else len(track.digits) - 1)
    start, end = reader.whole()
    rows, accepting = _deterministic(reader, start, end, budget)
    final = _in_the_limit(rows, accepting)
    if final is None:
        raise NotSupported(
            "whether infinitely many beginnings of a slope are words of this is settled by no beginning",
            expression, 0, len(expression),
            hint="(.* 4)*, infinitely many 4, is such a set; `.* 4 .*` are the slopes with a 4",
        )
    if not slope:
        return SlopeSet(_choices_backwards(track, reader.cells, rows, final, budget))
    return SlopeSet(_backwards(reader.cells, rows, final, budget))


@dataclass
class _Reader:
    """Reads an expression into a nondeterministic automaton over sets of partial quotients."""

    text: str
    most: int = MOST_NAMED
    position: int = 0
    depth: int = 0
    silent: list[list[int]] = field(default_factory=list)
    moves: list[list[tuple[Quotients, int]]] = field(default_factory=list)

    @property
    def cells(self) -> list[int]:
        """The first ones of the ranges of partial quotients that are not told apart."""
        found = {1}
        for moves in self.moves:
            for quotients, _ in moves:
                found |= {quotients.bound, *quotients.below, *(a + 1 for a in quotients.below)}
        return sorted(found)

    def state(self) -> int:
        self.silent.append([])
        self.moves.append([])
        return len(self.moves) - 1

    def fail(self, message: str, start: int, end: int | None = None) -> SyntaxProblem:
        return SyntaxProblem(message, self.text, start, end, hint="an expression is such as `2 [1-3]* (1 | [>=7])`")

    def peek(self) -> re.Match[str] | None:
        """Return the next token, None at the end."""
        found = _TOKEN.match(self.text, self.position)
        if found is None and self.text[self.position :].strip():
            start = len(self.text) - len(self.text[self.position :].lstrip())
            raise self.fail(f"`{self.text[start]}` is not a part of an expression over partial quotients", start)
        return found

    def take(self, sign: str) -> bool:
        """Read a sign if it is next."""
        found = self.peek()
        if found is None or found["sign"] != sign:
            return False
        self.position = found.end()
        return True

    def whole(self) -> _Part:
        found = self.union()
        if (rest := self.peek()) is not None:
            raise self.fail(f"`{rest[0].strip()}` is one too many", rest.end() - 1)
        return found

    def union(self) -> _Part:
        start, end = self.state(), self.state()
        while True:
            first, last = self.sequence()
            self.silent[start].append(first)
            self.silent[last].append(end)
            if not self.take("|"):
                return start, end

    def sequence(self) -> _Part:
        start = end = self.state()
        while (found := self.peek()) is not None and found["sign"] not in ("|", ")"):
            first, last = self.repeated()
            self.silent[end].append(first)
            end = last
        return start, end

    def repeated(self) -> _Part:
        first, last = self.atom()
        while (found := self.peek()) is not None and (sign := found["sign"]) and sign in "*+?":
            self.position = found.end()
            start, end = self.state(), self.state()
            self.silent[start].append(first)
            self.silent[last].append(end)
            if sign in "*?":
                self.silent[start].append(end)
            if sign in "*+":
                self.silent[last].append(first)
            first, last = start, end
        return first, last

    def atom(self) -> _Part:
        found = self.peek()
        assert found is not None
        self.position = found.end()
        if found["sign"] == "(":
            self.depth += 1
            if self.depth > MOST_NESTED:
                raise LimitError(f"brackets are nested deeper than {MOST_NESTED}")
            inner = self.union()
            self.depth -= 1
            if not self.take(")"):
                raise self.fail("this bracket is not closed", found.end() - 1)
            return inner
        if found["number"]:
            quotients = self.quotients([(found["number"], "", "", "")], found.start("number"), found.end())
        elif found["set"]:
            quotients = self.listed(found)
        elif found["sign"] == ".":
            quotients = Quotients(frozenset(), 1, True)
        else:
            raise self.fail(f"there is nothing that `{found['sign']}` could repeat", found.end() - 1)
        start, end = self.state(), self.state()
        self.moves[start].append((quotients, end))
        return start, end

    def listed(self, found: re.Match[str]) -> Quotients:
        """Return the set of a token in brackets."""
        items, place = [], found.start("set") + 1
        if not found["set"][1:-1].strip():
            return Quotients(frozenset(), 1, False)
        for part in found["set"][1:-1].split(","):
            item = _ITEM.fullmatch(part)
            if item is None:
                raise self.fail(
                    f"`{part.strip()}` is not a partial quotient, a range such as 1-3, or a comparison such as >=7",
                    place, place + max(1, len(part)),
                )
            items.append(item.groups(default=""))
            place += len(part) + 1
        return self.quotients(items, found.start("set"), found.end())

    def quotients(self, items: Iterable[tuple[str | None, ...]], start: int, end: int) -> Quotients:
        """Return the union of numbers, ranges and comparisons; start, end: their place."""
        below: set[int] = set()
        least: int | None = None
        for first, last, sign, bound in items:
            numbers = [int(each) for each in (first, last, bound) if each and len(each) < 10]
            if len(numbers) < sum(bool(each) for each in (first, last, bound)) or max(numbers) > self.most:
                raise self.fail(f"this expression may name numbers up to {self.most}", start, end)
            if first and numbers[0] == 0:
                raise self.fail("a partial quotient is at least 1", start, end)
            if last and numbers[1] < numbers[0]:
                raise self.fail(f"the range {first}-{last} is empty", start, end)
            if first:
                below |= set(range(numbers[0], numbers[-1] + 1))
            elif sign in (">=", ">"):
                own = max(1, numbers[0] + (sign == ">"))
                least = own if least is None else min(own, least)
            else:
                below |= set(range(1, numbers[0] + (sign == "<=")))
        return Quotients(frozenset(below), max(below, default=0) + 1, False) if least is None else Quotients(
            frozenset(a for a in below if a < least), least, True
        )


#: A state of the deterministic automaton: where each cell of partial quotients leads.
_Rows = list[list[int]]


def _deterministic(reader: _Reader, start: int, end: int, budget: Budget) -> tuple[_Rows, list[bool]]:
    """Return the subset automaton over the cells, complete, and which of its states accept."""

    def closed(states: Iterable[int]) -> frozenset[int]:
        found = set(states)
        todo = list(found)
        while todo:
            new = set(reader.silent[todo.pop()]) - found
            found |= new
            todo.extend(new)
        return frozenset(found)

    def contains(quotients: Quotients, number: int) -> bool:
        return quotients.rest if number >= quotients.bound else number in quotients.below

    cells = reader.cells
    order = [closed([start])]
    number = {order[0]: 0}
    rows: _Rows = []
    for states in order:
        check_budget(budget, len(order), "an expression over partial quotients")
        row = []
        for cell in cells:
            after = closed(t for s in states for quotients, t in reader.moves[s] if contains(quotients, cell))
            if after not in number:
                number[after] = len(order)
                order.append(after)
            row.append(number[after])
        rows.append(row)
    return rows, [end in states for states in order]


def _in_the_limit(rows: _Rows, accepting: list[bool]) -> set[int] | None:
    """Return the states of the components in which every cycle accepts; None if one has cycles of both kinds."""
    reached = {state: _reachable(rows, state, lambda _: True) for state in range(len(rows))}
    final: set[int] = set()
    for state in range(len(rows)):
        component = {s for s in reached[state] if state in reached[s]}
        if not component or not any(accepting[s] for s in component):
            continue
        rejecting = {s for s in component if not accepting[s]}
        if any(s in _reachable(rows, s, rejecting.__contains__) for s in rejecting):
            return None
        final |= component
    return final


def _reachable(rows: _Rows, state: int, inside: Callable[[int], bool]) -> set[int]:
    """Return the states that a state leads to, in one step at least, all of them inside."""
    found: set[int] = set()
    todo = [state]
    while todo:
        new = {target for target in rows[todo.pop()] if inside(target)} - found
        found |= new
        todo.extend(new)
    return found


def _choices_backwards(track: Track, cells: list[int], rows: _Rows, final: set[int], budget: Budget) -> Dfa:
    """Return the automaton of the beginnings that lead to final states, the last choice first."""
    moves: list[set[tuple[int, int]]] = [set() for _ in rows]
    for state, row in enumerate(rows):
        for choice in range(1, len(track.digits)):
            cell = max(place for place, cell in enumerate(cells) if cell <= choice)
            moves[row[cell]].add((choice, state + 1))
    first = {(0, 0)}.union(*(moves[state] for state in final))
    made = kernel_calls.determinize([track], [first, *moves], [0, 1, *([0] * (len(rows) - 1))], budget)
    return kernel_calls.minimize(made, budget)


def _backwards(cells: list[int], rows: _Rows, final: set[int], budget: Budget) -> Dfa:
    """Return the automaton of the beginnings that lead to final states, the last partial quotient first."""
    largest = cells[-1]
    before: dict[tuple[int, int], list[int]] = {}
    for state, row in enumerate(rows):
        for cell, target in zip(cells, row, strict=True):
            before.setdefault((target, cell), []).append(state)
    number: dict[tuple[int, int], int] = {}
    order: list[tuple[int, int]] = []

    def numbered(state: int, quotient: int) -> int:
        """Return the number of the state that leads to `state`, while the bits of a partial quotient are read."""
        key = (state, min(quotient, largest))
        if key not in number:
            number[key] = len(order) + 1
            order.append(key)
        return number[key]

    def cell_of(quotient: int) -> int:
        return max(cell for cell in cells if cell <= quotient)

    moves: list[set[tuple[int, int]]] = [{(0, 0), *((MARK, numbered(state, 1)) for state in sorted(final))}]
    outputs = [0]
    sources: Mapping[tuple[int, int], list[int]] = before
    for state, quotient in order:
        check_budget(budget, len(order), "an expression over partial quotients")
        own = sources.get((state, cell_of(quotient)), [])
        moves.append({
            *((bit, numbered(state, 2 * quotient + bit)) for bit in (0, 1)),
            *((MARK, numbered(source, 1)) for source in own),
        })
        outputs.append(int(0 in own))
    return kernel_calls.minimize(kernel_calls.determinize([SLOPE_TRACK], moves, outputs, budget), budget)
