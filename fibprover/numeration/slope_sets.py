"""Sets of slopes: irrational numbers [0; a_1, a_2, ...] that have a property, told from their partial quotients.

Sets of sequences of choices are the same, with choices in place of partial quotients: finitely many, one digit each.

A set is kept as the language of the beginnings that are in it in the limit (`fibprover.automata.prefixes`).  Read from
the first partial quotient on, that is a deterministic automaton in which all states of a strongly connected component
agree: a weak automaton, as Boolean combinations of open sets have (L. Staiger, K. Wagner, Elektronische
Informationsverarbeitung und Kybernetik 10, 1974; C. Loeding, Information Processing Letters 79, 2001).  A slope is in
the set if its run ends in a component that accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from typing import Literal, NamedTuple

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.automata.prefixes import MARK
from fibprover.base.errors import AutomatonError, NumerationError
from fibprover.base.limits import UNLIMITED, Budget, poll
from fibprover.base.names import SLOPES, is_slope, parameter_name
from fibprover.base.values import value
from fibprover.numeration.parameters import ChoiceSequence, Parameter, beginnings, choices_named, in_order_of
from fibprover.numeration.system import ContinuedFraction

#: Partial quotients of so many bits are told apart in expressions; those that need more have none.
MOST_BITS = 8

#: So many continued fractions are tried for the least slope of a set; where it is longer, a short way is taken.
MOST_TRIED = 20_000

#: Where partial quotients of many bits are told apart, those up to this are tried first.
SMALL = 8

#: The label of the set of all partial quotients.
ANY = "."


@value
class Quotients:
    """A set of partial quotients: some below a bound, and all or none from the bound on."""

    below: frozenset[int]
    bound: int
    rest: bool

    def __str__(self) -> str:
        """Return it as in expressions: 3, [1-3], [>=2], [1,4,>=7], or . for all."""
        parts, run = [], list[int]()
        for number in [*sorted(self.below), 0]:
            if run and number != run[-1] + 1:
                parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
                run = []
            run.append(number)
        if self.rest:
            first = self.bound
            while first - 1 in self.below:
                first -= 1
            if first == 1:
                return ANY
            parts = [part for part in parts if int(part.split("-")[0]) < first]
            parts.append(f">={first}")
        text = ",".join(parts)
        return text if len(parts) == 1 and text.isdigit() else f"[{text}]"


class _Row(NamedTuple):
    """Where the partial quotients lead: the least one for each target; and all of them, unless that takes many bits.

    choices: how many choices there are, the last of which is `rest`; 0 for partial quotients.
    """

    least: Mapping[int, int]
    below: tuple[int, ...] | None
    rest: int
    choices: int = 0

    def target(self, quotient: int) -> int | None:
        """Return where a partial quotient leads, None if that is not known."""
        if self.below is None:
            return None
        return self.below[quotient - 1] if quotient <= len(self.below) else self.rest

    def quotients(self, target: int) -> Quotients:
        """Return the partial quotients that lead to a state."""
        assert self.below is not None
        own = frozenset(a for a in range(1, (self.choices or len(self.below)) + 1) if self.target(a) == target)
        if self.choices:
            every = len(own) == self.choices
            return Quotients(frozenset(), 1, True) if every else Quotients(own, self.choices + 1, False)
        return Quotients(own, len(self.below) + 1, self.rest == target)


#: For which slopes a statement holds.
Answer = Literal["every", "none", "some"]


@dataclass(frozen=True)
class SlopeSet:
    """A set of irrational slopes between 0 and 1; or of sequences of choices.

    `"[0; 2, (1)]" in slopes` tests a quadratic number, and `"1 2 (1)" in choices` a sequence of choices.

    Fields:

    - automaton: the beginnings that are in the set in the limit; one track

    >>> verdict = fp.Session("msd_sturmian").eval("C[0]=1")
    >>> print(verdict.slopes)
    1 .*
    """

    automaton: Dfa

    def __post_init__(self) -> None:
        """Name the track as that of numbers read most significant digit first: a set has no digit order."""
        (track,) = self.automaton.tracks
        object.__setattr__(self, "automaton", self.automaton.with_tracks((in_order_of(track, SLOPES),)))

    @cached_property
    def _weak(self) -> _Weak:
        return weak_automaton(self.automaton)

    @property
    def choices(self) -> int:
        """Between how many choices the sequences choose; 0 for slopes.

        >>> fp.Session("msd_sturmian").eval("C[0]=1").slopes.choices
        0
        """
        (track,) = self.automaton.tracks
        return 0 if is_slope(track.system) else len(track.digits) - 1

    @property
    def noun(self) -> str:
        """What is in the set: "slope", or "sequence of choices".

        >>> fp.Session("msd_sturmian").eval("C[0]=1").slopes.noun
        'slope'
        """
        return parameter_name(self.automaton.tracks[0].system)

    @property
    def plural(self) -> str:
        """What is in the set, in the plural.

        >>> fp.Session("msd_sturmian").eval("C[0]=1").slopes.plural
        'slopes'
        """
        return "sequences of choices" if self.choices else "slopes"

    @property
    def answer(self) -> Answer:
        """Whether these are all slopes, none, or some.

        >>> fp.Session("msd_sturmian").eval("C[0]=1").slopes.answer
        'some'
        """
        return self._weak.answer

    def __contains__(self, slope: object) -> bool:
        """Return whether a slope is in the set, given by its continued fraction, or as a text as in `members`."""
        if isinstance(slope, str):
            from fibprover.numeration.members import slope_named  # late: it needs more of the package

            slope = choices_named(slope, self.choices) if self.choices else slope_named(slope)
        if not isinstance(slope, ChoiceSequence if self.choices else ContinuedFraction):
            raise NumerationError(f"a slope is a continued fraction, not {slope!r}", hint='such as "[0; 2, (1)]"')
        return self._weak.holds(list(slope.preperiod), list(slope.period))

    @property
    def least(self) -> Parameter | None:
        """The slope in the set with the fewest partial quotients in preperiod and period, and of these the least ones.

        If it has many, it may be another short one.  None if there is none.

        >>> str(fp.Session("msd_sturmian").eval("C[0]=1").slopes.least)
        '[0; (1)]'
        """
        return self._weak.least(True)

    @property
    def least_outside(self) -> Parameter | None:
        """The slope outside of the set, as for `least`; None if there is none.

        >>> str(fp.Session("msd_sturmian").eval("C[0]=1").slopes.least_outside)
        '[0; (2)]'
        """
        return self._weak.least(False)

    @property
    def expression(self) -> str | None:
        """The set as an expression over partial quotients, of which infinitely many beginnings of a slope are words.

        None if partial quotients of more than 8 bits have to be told apart in it.

        >>> fp.Session("msd_sturmian").eval("C[0]=1").slopes.expression
        '1 .*'
        """
        return self._weak.expression()

    @property
    def complement(self) -> SlopeSet:
        """The slopes that are not in the set.

        >>> str(fp.Session("msd_sturmian").eval("C[0]=1").slopes.complement)
        '[>=2] .*'
        """
        every = beginnings(self.automaton.tracks[0])
        return SlopeSet(kernel_calls.minimize(kernel_calls.difference(every, self.automaton)))

    @property
    def description(self) -> str:
        """The set as a phrase: for which slopes, by the shorter expression of it and of its complement.

        >>> fp.Session("msd_sturmian").eval("C[0]=1").slopes.description
        'for exactly the slopes 1 .*'
        """
        if self.answer != "some":
            return f"for every {self.noun}" if self.answer == "every" else f"for no {self.noun}"
        own, other = self.expression, self.complement.expression
        if other is not None and (own is None or len(other) < len(own)):
            return f"for all {self.plural} but {other}"
        if own is not None:
            return f"for exactly the {self.plural} {own}"
        return f"for some {self.plural}, such as {self.least}, and not for {self.least_outside}"

    def plain(self) -> dict[str, str | None]:
        """Return the set as a value of JSON: its answer, its expression, and the least slope on each side."""
        least, outside = self.least, self.least_outside
        return {
            "answer": self.answer,
            "expression": self.expression,
            "least": None if least is None else str(least),
            "least_outside": None if outside is None else str(outside),
        }

    def __eq__(self, other: object) -> bool:
        """Return whether the same slopes are in both sets."""
        if not isinstance(other, SlopeSet):
            return NotImplemented
        return all(
            SlopeSet(kernel_calls.minimize(kernel_calls.difference(one, two))).answer == "none"
            for one, two in ((self.automaton, other.automaton), (other.automaton, self.automaton))
        )

    def __hash__(self) -> int:
        return hash(self.answer)

    def __reduce__(self) -> tuple[type[SlopeSet], tuple[Dfa]]:
        return SlopeSet, (self.automaton,)

    def __str__(self) -> str:
        return self.expression or "a set without a short expression"


@value
class _Weak:
    """A weak automaton that reads partial quotients, the first one first.

    rows: where each state leads; accepts: whether a run that comes back to this state for ever accepts; recurs: whether
    a run can; walk: returns the state after one more partial quotient.
    """

    rows: tuple[_Row, ...]
    accepts: tuple[bool, ...]
    recurs: tuple[bool, ...]
    walk: Callable[[int, int], int] = field(compare=False)

    @property
    def answer(self) -> Answer:
        """Whether all runs accept, none, or some."""
        states = range(len(self.rows))
        some, other = (any(self.recurs[s] and self.accepts[s] is kind for s in states) for kind in (True, False))
        return "some" if some and other else "every" if some else "none"

    def holds(self, preperiod: Sequence[int], period: Sequence[int]) -> bool:
        """Return whether the run of a slope accepts."""
        state = 0
        for quotient in preperiod:
            state = self.walk(state, quotient)
        seen: set[int] = set()
        while state not in seen:
            seen.add(state)
            for quotient in period:
                state = self.walk(state, quotient)
        return self.accepts[state]

    def least(self, inside: bool) -> Parameter | None:
        """Return the simplest slope whose run accepts, or does not; None without one."""
        if not self.leads(0, inside):
            return None
        return self.least_short(inside) or self.least_path(inside)

    def least_short(self, inside: bool) -> Parameter | None:
        """Return the slope with the fewest partial quotients in preperiod and period, if few enough can be tried."""
        columns: dict[object, int] = {}
        if any(row.below is None for row in self.rows):
            columns = {quotient: quotient for quotient in range(1, SMALL + 1)}
        else:
            # Of partial quotients that lead from each state to the same one, the least is enough.
            bound = max(len(row.below or ()) for row in self.rows) + 1
            for quotient in range(1, bound + 1):
                columns.setdefault(tuple(row.target(quotient) for row in self.rows), quotient)
        length = 1
        while len(columns) ** length * length <= MOST_TRIED:
            for quotients in product(columns.values(), repeat=length):
                for place in range(length):
                    if self.holds(quotients[:place], quotients[place:]) is inside:
                        return self.parameter(quotients[:place], quotients[place:])
            length += 1
        return None

    def least_path(self, inside: bool) -> Parameter | None:
        """Return a slope on a shortest way to a cycle that accepts, or does not."""
        found: tuple[int, list[int], list[int]] | None = None
        for state, path in self.paths(0).items():
            if not self.recurs[state] or self.accepts[state] is not inside:
                continue
            cycle = min(
                ([a, *back[state]] for target, a in self.rows[state].least.items()
                 if state in (back := self.paths(target))),
                key=lambda quotients: (len(quotients), quotients),
            )
            candidate = (len(path) + len(cycle), path, cycle)
            found = candidate if found is None else min(found, candidate)
        if found is None:
            return None
        _, path, cycle = found
        while path and path[-1] == cycle[-1]:
            path, cycle = path[:-1], [cycle[-1], *cycle[:-1]]
        return self.parameter(tuple(path), tuple(cycle))

    def parameter(self, preperiod: tuple[int, ...], period: tuple[int, ...]) -> Parameter:
        """Return a slope, or a sequence of choices."""
        return (ChoiceSequence if self.rows[0].choices else ContinuedFraction)(preperiod, period)

    def paths(self, start: int) -> dict[int, list[int]]:
        """Return, for each state, the shortest partial quotients that lead to it, and of these the least."""
        found: dict[int, list[int]] = {start: []}
        layer = [start]
        while layer:
            poll("a set of slopes")
            following: dict[int, list[int]] = {}
            for state in layer:
                for target, quotient in self.rows[state].least.items():
                    path = [*found[state], quotient]
                    if target not in found and path < following.get(target, [*path, 0]):
                        following[target] = path
            found |= following
            layer = list(following)
        return found

    def expression(self) -> str | None:
        """Return the expression of `SlopeSet.expression`."""
        if self.answer == "every":
            return ".*"
        if self.answer == "none":
            return "[]"
        if any(row.below is None for row in self.rows):
            return None
        live = [state for state in range(len(self.rows)) if self.leads(state, True)]
        if not live:
            return "[]"
        edges = {
            (state, target): str(self.rows[state].quotients(target))
            for state in live
            for target in self.rows[state].least
            if target in live
        }
        return eliminated(edges, 0, {s for s in live if self.recurs[s] and self.accepts[s]}, live)

    def reduced(self) -> _Weak:
        """Return the automaton with states from which the same runs accept made one, unless some row is not known."""
        if any(row.below is None for row in self.rows):
            return self
        classes = self.classes()
        # The state 0 stays the first one.
        order = [classes[0], *sorted(set(classes) - {classes[0]})]
        number = {each: place for place, each in enumerate(order)}
        of = [number[each] for each in classes]
        first = [of.index(place) for place in range(len(order))]
        rows = []
        for state in first:
            least: dict[int, int] = {}
            for target, quotient in sorted(self.rows[state].least.items(), key=lambda item: item[1]):
                least.setdefault(of[target], quotient)
            below = [of[target] for target in self.rows[state].below or ()]
            rest = of[self.rows[state].rest]
            while below and below[-1] == rest:
                below.pop()
            rows.append(_Row(least, tuple(below), rest, self.rows[state].choices))
        recurs = tuple(state in _reachable(rows, rows[state].least) for state in range(len(rows)))
        accepting = {
            of[s] for s in range(len(of)) if not self.leads(s, False) or (self.recurs[s] and self.accepts[s])
        }
        accepts = tuple(state in accepting for state in range(len(order)))
        return _Weak(tuple(rows), accepts, recurs, lambda state, quotient: of[self.walk(first[state], quotient)])

    def leads(self, state: int, inside: bool) -> bool:
        """Return whether some run from a state accepts, or does not."""
        return any(self.recurs[s] and self.accepts[s] is inside for s in self.paths(state))

    def classes(self) -> list[int]:
        """Return a number for each state; states from which the same runs accept have one number."""
        states = range(len(self.rows))
        bound = max(len(row.below or ()) for row in self.rows) + 1
        certain = {s: inside for s in states for inside in (True, False) if not self.leads(s, not inside)}
        numbers = [
            {True: 0, False: 1}[certain[s]] if s in certain else 2 + (self.recurs[s] and self.accepts[s])
            for s in states
        ]
        while True:
            poll("a set of slopes")
            keys = [
                (numbers[s], *(numbers[self.rows[s].target(a) or 0] for a in range(1, bound + 1)))
                if s not in certain else (numbers[s],)
                for s in states
            ]
            order = {key: place for place, key in enumerate(sorted(set(keys)))}
            renumbered = [order[key] for key in keys]
            if len(order) == len(set(numbers)):
                break
            numbers = renumbered
        # A state to which no run comes back is one with any state that leads to the same states.
        while True:
            rows = [tuple(numbers[self.rows[s].target(a) or 0] for a in range(1, bound + 1)) for s in states]
            pairs = (
                (s, t) for s in states for t in states
                if numbers[s] != numbers[t] and rows[s] == rows[t] and not {s, t} & set(certain)
                and not any(self.recurs[r] for r in states if numbers[r] == numbers[s])
            )
            pair = next(pairs, None)
            if pair is None:
                return numbers
            one, other = (numbers[s] for s in pair)
            numbers = [other if each == one else each for each in numbers]


@lru_cache(maxsize=64)
def weak_automaton(automaton: Dfa, budget: Budget = UNLIMITED) -> _Weak:
    """Return the weak automaton of beginnings, most significant position first, that are right in the limit.

    Raises AutomatonError if they are not: if a component has states of both kinds.
    """
    back = kernel_calls.minimize(kernel_calls.reverse(automaton, budget), budget)
    slope = is_slope(automaton.tracks[0].system)
    reader = _Reader(back) if slope else _ChoiceReader(back)
    rows = reader.rows()
    reached = [_reachable(rows, [*row.least]) for row in rows]
    recurs = tuple(state in reached[state] for state in range(len(rows)))
    accepts = []
    for state in range(len(rows)):
        component = [s for s in reached[state] if state in reached[s]] if recurs[state] else [state]
        kinds = {reader.output(s) for s in component}
        if len(kinds) > 1:
            raise AutomatonError("the beginnings of parameters have no limit: please report this defect")
        accepts.append(kinds.pop())
    return _Weak(tuple(rows), tuple(accepts), recurs, reader.walk).reduced()


def _reachable(rows: Sequence[_Row], starts: Iterable[int]) -> set[int]:
    found = set(starts)
    todo = list(found)
    while todo:
        new = set(rows[todo.pop()].least) - found
        found |= new
        todo.extend(new)
    return found


class _Reader:
    """Reads partial quotients, least significant bit first, in the automaton of the reversed beginnings.

    States are those after whole partial quotients; what leads nowhere is a state as well.
    """

    def __init__(self, back: Dfa) -> None:
        self.back = back
        self.number: dict[int | None, int] = {0: 0}
        self.states: list[int | None] = [0]

    def step(self, state: int | None, bit: int) -> int | None:
        return None if state is None else self.back.successor(state, bit)

    def numbered(self, state: int | None) -> int:
        if state not in self.number:
            self.number[state] = len(self.states)
            self.states.append(state)
        return self.number[state]

    def output(self, number: int) -> bool:
        state = self.states[number]
        return state is not None and self.back.outputs[state] != 0

    def walk(self, number: int, quotient: int) -> int:
        """Return the state after one more partial quotient."""
        state = self.states[number]
        while quotient > 1:
            state = self.step(state, quotient & 1)
            quotient >>= 1
        return self.number[self.step(state, MARK)]

    def rows(self) -> list[_Row]:
        """Return the rows of all states, which are numbered on the way."""
        found: list[_Row] = []
        while len(found) < len(self.states):
            poll("a set of slopes")
            found.append(self.row(self.states[len(found)]))
        return found

    def row(self, start: int | None) -> _Row:
        """Return where the partial quotients lead from a state."""
        least: dict[int, int] = {}
        # States within a partial quotient, with the least bits that lead there.
        layer: dict[int | None, int] = {start: 0}
        seen: set[frozenset[int | None]] = set()
        size = 1
        while frozenset(layer) not in seen:
            seen.add(frozenset(layer))
            for state, low in sorted(layer.items(), key=lambda item: item[1]):
                least.setdefault(self.numbered(self.step(state, MARK)), size + low)
            following: dict[int | None, int] = {}
            for bit in (0, 1):
                for state, low in layer.items():
                    after, number = self.step(state, bit), low + bit * size
                    following[after] = min(number, following.get(after, number))
            layer, size = following, 2 * size
        below, rest = self.explicit(start)
        return _Row(least, below, rest)

    def explicit(self, start: int | None) -> tuple[tuple[int, ...] | None, int]:
        """Return the targets of the partial quotients below some bound, and the one of all others; None without one."""
        targets: list[int] = []
        layer: list[int | None] = [start]
        for _ in range(MOST_BITS + 1):
            within = set(layer)
            todo = list(within)
            while todo:
                state = todo.pop()
                new = {self.step(state, bit) for bit in (0, 1)} - within
                within |= new
                todo.extend(new)
            ends = {self.numbered(self.step(state, MARK)) for state in within}
            if len(ends) == 1:
                (rest,) = ends
                while targets and targets[-1] == rest:
                    targets.pop()
                return tuple(targets), rest
            targets += [self.numbered(self.step(state, MARK)) for state in layer]
            layer = [self.step(state, bit) for bit in (0, 1) for state in layer]
        return None, 0


class _ChoiceReader(_Reader):
    """Reads choices, one digit each, in the automaton of the reversed beginnings."""

    def walk(self, number: int, quotient: int) -> int:
        """Return the state after one more choice."""
        return self.number[self.step(self.states[number], quotient)]

    def row(self, start: int | None) -> _Row:
        """Return where the choices lead from a state."""
        choices = len(self.back.tracks[0].digits) - 1
        targets = [self.numbered(self.step(start, choice)) for choice in range(1, choices + 1)]
        least: dict[int, int] = {}
        for choice, target in enumerate(targets, 1):
            least.setdefault(target, choice)
        return _Row(least, tuple(targets[:-1]), targets[-1], choices)


# Expressions by the elimination of states


class _Text(NamedTuple):
    """An expression, and how tightly it binds: 0 a union, 1 a sequence, 2 an atom."""

    text: str
    tightness: int

    def within(self, tightness: int) -> str:
        return self.text if self.tightness >= tightness else f"({self.text})"


_EMPTY_WORD = _Text("()", 2)


def eliminated(edges: Mapping[tuple[int, int], str], start: int, final: set[int], states: Sequence[int]) -> str:
    """Return an expression for the paths from a state to some others (J. Brzozowski, E. McCluskey 1963)."""
    first, last = "first", "last"
    table: dict[tuple[object, object], _Text] = {pair: _Text(text, 2) for pair, text in edges.items()}
    table[first, start] = _EMPTY_WORD
    for state in final:
        table[state, last] = _EMPTY_WORD
    left = list(states)

    def cost(state: int) -> int:
        before = sum(b == state != a for a, b in table)
        return before * sum(a == state != b for a, b in table)

    while left:
        poll("an expression")
        state = min(left, key=cost)
        left.remove(state)
        loop = table.pop((state, state), None)
        before = [(a, text) for (a, b), text in table.items() if b == state]
        after = [(b, text) for (a, b), text in table.items() if a == state]
        table = {pair: text for pair, text in table.items() if state not in pair}
        for a, one in before:
            for b, two in after:
                path = _sequence([one, *([_starred(loop)] if loop else []), two])
                table[a, b] = _either(table.get((a, b)), path)
    return table[first, last].text


def _sequence(parts: Iterable[_Text]) -> _Text:
    kept = [part for part in parts if part != _EMPTY_WORD]
    if len(kept) <= 1:
        return kept[0] if kept else _EMPTY_WORD
    texts = [part.within(1) for part in kept]
    for place in reversed(range(len(texts) - 1)):
        if texts[place + 1] == kept[place].within(2) + "*":
            texts[place : place + 2] = [kept[place].within(2) + "+"]
    return _Text(" ".join(texts), 2 if len(texts) == 1 else 1)


def _starred(part: _Text) -> _Text:
    return _Text(part.within(2) + "*", 2) if not part.text.endswith("*") or part.tightness < 2 else part


def _either(one: _Text | None, two: _Text) -> _Text:
    if one is None or one == two:
        return two
    if _EMPTY_WORD in (one, two):
        some = two if one == _EMPTY_WORD else one
        repeated = some.tightness == 2 and some.text[-1] in "+*?"
        return _Text(some.text[:-1] + ("?" if some.text[-1] == "?" else "*"), 2) if repeated else _Text(
            some.within(2) + "?", 2
        )
    return _Text(" | ".join((one.text, two.text)), 0)

