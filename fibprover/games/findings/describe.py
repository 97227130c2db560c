"""Describe a set of pairs in words, where it is simple: empty, finite, some lines, or a wedge.

A description is guessed from the members below a small bound, and used only if the prover finds it equal to the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from fibprover.base.errors import BudgetSpent
from fibprover.base.limits import poll
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.games.findings.context import GameContext
from fibprover.games.formulas import NEVER
from fibprover.language.builder import call, forall
from fibprover.language.tree import Formula, Operand, Term, Variable, disjunction, term
from fibprover.prover.verdict.relation import Relation

#: The description is guessed from the members below this bound.
LOOK = 48

#: A finite set of at most so many pairs is listed.
LISTED = 12

#: Lines and wedges are recognized if they begin at or below this bound.
BEGINS = 24


@value
class SetDescription:
    """A set in words, and as a formula in two variables."""

    words: str
    formula: Formula


def describe_set(context: GameContext, pairs: Relation, i: str = "i", j: str = "j") -> str:
    """Return the set in words: its description, or some members and the size of its automaton."""
    found = find_description(context, pairs, i, j)
    if found is not None:
        return found.words
    first = ", ".join(f"({a},{b})" for a, b in pairs.first(6))
    return f"{first}, ...: recognized by an automaton with {plural(pairs.states, 'state')}"


def find_description(context: GameContext, pairs: Relation, i: str = "i", j: str = "j") -> SetDescription | None:
    """Return the set in words and as a formula that is proved to be equal to it; None if it is not simple."""
    x, y = Variable(i), Variable(j)
    if pairs.is_empty():
        return SetDescription("none", NEVER)
    if pairs.is_finite() and len(members := pairs.first(LISTED + 1)) <= LISTED:
        return SetDescription(
            ", ".join(f"({a},{b})" for a, b in members), disjunction(x.eq(a) & y.eq(b) for a, b in members)
        )
    context.session.define("described", pairs)
    described = call("described", x, y)
    shown = context.session.relation(described & (x < LOOK) & (y < LOOK))
    inside = {(a, b) for a, b in shown.first(LOOK * LOOK)}
    if not inside:
        return None
    for guess in (*_lines(inside, x, y), *_wedges(inside, x, y)):
        try:
            if context.session.prove(forall(x, y, described.iff(guess.formula))):
                return guess
        except BudgetSpent:
            poll()  # that of all guesses may be spent
    return None


def _lines(inside: set[tuple[int, int]], i: Variable, j: Variable) -> Iterator[SetDescription]:
    """Yield descriptions by rows, columns or diagonals from some place on, if all members lie on such lines."""
    above = _starts({(a, b - a) for a, b in inside if b >= a})
    below = _starts({(b, a - b) for a, b in inside if a > b})
    if above is not None and below is not None and (above or below):
        mirrored = below == {k: start for k, start in above.items() if k} and 0 not in above
        parts = []
        if mirrored:
            parts.append(_diagonals(above, lambda k: f"({i},{_plus(i, k)}) and ({_plus(i, k)},{i})", i))
        else:
            if above:
                parts.append(_diagonals(above, lambda k: f"({i},{_plus(i, k)})", i))
            if below:
                parts.append(_diagonals(below, lambda k: f"({_plus(j, k)},{j})", j))
        formulas = [j.eq(i + k) & (i >= start) for k, start in above.items()]
        formulas += [i.eq(j + k) & (j >= start) for k, start in below.items()]
        yield SetDescription(" and ".join(parts), disjunction(formulas))
    for fixed, running, at in ((i, j, 0), (j, i, 1)):
        lines = _starts({(pair[1 - at], pair[at]) for pair in inside})
        if lines:
            words = " and ".join(f"{fixed}={k}, {running}>={start}" for k, start in lines.items())
            formulas = [fixed.eq(k) & (running >= start) for k, start in lines.items()]
            yield SetDescription(f"({i},{j}) with {words}", disjunction(formulas))


def _starts(points: set[tuple[int, int]]) -> dict[int, int] | None:
    """Return for points (place, line) where each line begins; None unless each is complete from there to the edge."""
    starts = {}
    for line in sorted({line for _, line in points}):
        places = sorted(place for place, other in points if other == line)
        if line > BEGINS or places[0] > BEGINS or len(places) != places[-1] - places[0] + 1:
            return None
        # A diagonal that is farther out leaves the square earlier.
        if places[-1] < LOOK - 1 - line:
            return None
        starts[line] = places[0]
    return starts


def _plus(name: Variable, k: Operand) -> Operand:
    return name if k == 0 else name + k


def _diagonals(starts: dict[int, int], pair: Callable[[Operand], str], name: Variable) -> str:
    """Write lines k with their beginnings, in one phrase where the beginnings are a progression."""
    lines = list(starts)
    steps = {starts[b] - starts[a] for a, b in pairwise(lines)}
    consecutive = lines == list(range(lines[0], lines[-1] + 1))
    if len(lines) == 1:
        return f"{pair(lines[0])} with {name}>={starts[lines[0]]}"
    if consecutive and len(steps) == 1:
        (step,) = steps
        base = starts[lines[0]] - step * lines[0]
        begin = {0: f"{base}", 1: f"k+{base}" if base else "k", -1: f"{base}-k"}.get(step, f"{step}k+{base}")
        return f"{pair(Variable('k'))} with {lines[0]}<=k<={lines[-1]} and {name}>={begin}"
    return f"{pair(Variable('k'))} with " + " or ".join(f"k={k}, {name}>={start}" for k, start in starts.items())


def _wedges(inside: set[tuple[int, int]], i: Variable, j: Variable) -> Iterator[SetDescription]:
    """Yield descriptions in which j runs from one line to another, or without end, and i from some place on."""
    columns = {a: sorted(b for c, b in inside if c == a) for a in {a for a, _ in inside}}
    first = min(columns)
    low = {a: bs[0] for a, bs in columns.items()}
    high = {a: bs[-1] for a, bs in columns.items() if bs[-1] < LOOK - 1}
    if first > BEGINS or any(len(bs) != bs[-1] - bs[0] + 1 for bs in columns.values()):
        return
    lower = _line(low, first)
    if lower is None:
        return
    least = _term(lower, i)
    formula = (i >= first) & (j >= least)
    words = f"({i},{j}) with " + (f"{i}>={first} and " if first else "")
    if not high:
        yield SetDescription(f"{words}{j}>={least}", formula)
        return
    upper = _line(high, first)
    if upper is not None:
        most = _term(upper, i)
        yield SetDescription(f"{words}{least}<={j}<={most}", formula & (j <= most))


def _line(values: dict[int, int], first: int) -> tuple[int, int] | None:
    """Return (slope, value at 0) of the line with a natural slope through all points; None if there is none."""
    if first not in values or first + 1 not in values:
        return None
    slope = values[first + 1] - values[first]
    start = values[first] - slope * first
    if slope < 0 or any(value != slope * at + start for at, value in values.items()):
        return None
    return slope, start


def _term(line: tuple[int, int], name: Variable) -> Term:
    """Return a line as a term."""
    slope, start = line
    if not slope:
        return term(max(start, 0))
    multiple = slope * name if slope > 1 else name
    return multiple + start if start > 0 else multiple - -start if start < 0 else multiple
