"""Sets of tuples of naturals as polyhedra: exact operations on them, and the way from a formula and back.

The variables of a polyhedron are naturals: x_i >= 0 holds without being listed.  A row holds one coefficient for each
variable and then the constant, and stands for `sum c_i x_i + c = 0` (an equation) or `>= 0` (a bound).  All arithmetic
is exact, in integers.  `is_empty` may miss that there is no integer point (it looks at rational points and rounds, as
in the Omega test, W. Pugh 1991); what it calls empty is empty.

`solution_polyhedra` turns a formula into polyhedra, `make_disjoint` makes their union disjoint, `to_formula` writes a
polyhedron as a formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from operator import neg

from fibprover.base.values import value
from fibprover.games.formulas import ALWAYS
from fibprover.language.builder import total
from fibprover.language.tree import Formula, Number, Term, Variable, conjunction
from fibprover.prover import logic
from fibprover.prover.logic import Logic, ResolvedFormula

Row = tuple[int, ...]

#: A projection with more rows than this leaves emptiness undecided.
MOST_ROWS = 300

#: A union of more polyhedra than this is not used; the formula is then evaluated as a whole.
MOST_PIECES = 64

#: While a formula is taken apart there may be more polyhedra, and so many pairs may be intersected (0.1 ms each).
MOST_PARTS = 128
MOST_PAIRS = 4000


@value
class Polyhedron:
    """The tuples of naturals, one number for each name, that satisfy all equations and bounds."""

    names: tuple[str, ...]
    equations: tuple[Row, ...]
    bounds: tuple[Row, ...]


class Inexact(Exception):
    """A projection is not a polyhedron (such as the even numbers), or not known to be one."""


class NotPolyhedral(Exception):
    """The solutions of a formula are not known to be a union of a few polyhedra."""


def polyhedron(names: tuple[str, ...], equations: Iterable[Row], bounds: Iterable[Row]) -> Polyhedron | None:
    """Return the polyhedron of these rows in a reduced form; None if it is found to be empty."""
    rows = _reduced(list(equations), list(bounds))
    return None if rows is None else Polyhedron(names, *rows)


def _reduced(equations: list[Row], bounds: list[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]] | None:
    """Return reduced rows, None if they have no solution.

    An equation with a coefficient 1 eliminates that variable from all other rows; bounds are divided by common divisors
    and rounded, and two opposite bounds that meet become an equation.
    """
    while True:
        solved = _solve(equations, bounds)
        if solved is None:
            return None
        equations, bounds = solved
        tightened = _tighten(bounds)
        if tightened is None:
            return None
        flat, bounds = tightened
        if not flat:
            return tuple(sorted(set(equations), reverse=True)), tuple(sorted(bounds, reverse=True))
        equations = equations + flat


def _solve(equations: list[Row], bounds: list[Row]) -> tuple[list[Row], list[Row]] | None:
    """Eliminate one variable from all other rows by each equation that has a coefficient 1; None if none can hold."""
    solved: list[Row] = []
    waiting = list(equations)
    while waiting:
        row = waiting.pop(0)
        divisor = gcd(*row[:-1])
        if divisor == 0:
            if row[-1]:
                return None
            continue
        if row[-1] % divisor:
            return None
        row = tuple(c // divisor for c in row)
        column = max((k for k, c in enumerate(row[:-1]) if abs(c) == 1), default=None)
        if column is not None:
            solved, waiting, bounds = ([_without(row, column, other) for other in rows]
                                       for rows in (solved, waiting, bounds))
        if next(c for c in row if c) < 0:
            row = tuple(-c for c in row)
        solved.append(row)
    return solved, bounds


def _tighten(bounds: list[Row]) -> tuple[list[Row], list[Row]] | None:
    """Return the equations that two opposite bounds amount to, and the tightest other bounds; None if none can hold."""
    tightest: dict[Row, int] = {}
    for row in bounds:
        slope, constant = row[:-1], row[-1]
        divisor = gcd(*slope)
        if divisor == 0:
            if constant < 0:
                return None
            continue
        if divisor > 1:
            slope = tuple([c // divisor for c in slope])
            constant //= divisor
        known = tightest.get(slope)
        if known is None or constant < known:
            tightest[slope] = constant
    flat: list[Row] = []
    kept: list[Row] = []
    for slope, constant in tightest.items():
        opposite = tuple(map(neg, slope))
        other = tightest.get(opposite)
        if other is not None and other + constant < 0:
            return None
        if other is None or other + constant > 0:
            kept.append((*slope, constant))
        elif slope > opposite:
            flat.append((*slope, constant))
    return flat, kept


def _without(equation: Row, column: int, row: Row) -> Row:
    """Return a row with a variable eliminated by an equation in which its coefficient is 1 or -1."""
    factor = row[column] * equation[column]
    return tuple([c - factor * e for c, e in zip(row, equation, strict=True)]) if factor else row


def natural_bounds(width: int) -> list[Row]:
    """Return the bounds x_i >= 0."""
    return [(*(int(k == column) for k in range(width)), 0) for column in range(width)]


def is_empty(p: Polyhedron | None, *more: Row) -> bool:
    """Return whether a polyhedron, with additional bounds, is found to have no point; False is no proof of a point.

    Variables are eliminated one by one (Fourier and Motzkin) and rows are rounded.
    """
    if p is None:
        return True
    width = len(p.names)
    given = [*p.equations, *p.bounds, *more]
    used = [bound for k, bound in enumerate(natural_bounds(width)) if any(row[k] for row in given)]
    rows = _reduced(list(p.equations), [*p.bounds, *more, *used])
    while rows is not None:
        equations, bounds = rows
        if not equations and not bounds:
            return False
        both = [*bounds, *equations, *(tuple(-c for c in row) for row in equations)]
        # A variable that an equation defines costs nothing; otherwise take the variable that leaves the fewest rows.
        unit = [(row, k) for row in equations for k, c in enumerate(row[:-1]) if abs(c) == 1]
        if unit:
            row, column = unit[0]
            rows = _reduced([_without(row, column, other) for other in equations if other is not row],
                            [_without(row, column, other) for other in bounds])
            continue
        column = min((k for k in range(width) if any(row[k] for row in both)), key=lambda k: _growth(both, k))
        kept = eliminate(both, column)
        if len(kept) > MOST_ROWS:
            return False
        rows = _reduced([], kept)
    return True


def _growth(rows: Sequence[Row], column: int) -> int:
    """Return by how many rows the elimination of a variable makes a system longer."""
    signs = [row[column] for row in rows if row[column]]
    above = sum([sign > 0 for sign in signs])
    below = len(signs) - above
    return above * below - above - below


def _pairs(rows: Sequence[Row], column: int) -> Iterable[tuple[Row, bool]]:
    """Combine each lower with each upper bound of a variable, and yield with each row whether it implies an integer
    between the two.

    It does where a coefficient is 1, or where the gap is wide enough for an integer whatever the other variables are.
    """
    lower = [row for row in rows if row[column] > 0]
    upper = [row for row in rows if row[column] < 0]
    for low in lower:
        for high in upper:
            a, b = low[column], -high[column]
            row = tuple([b * x + a * y for x, y in zip(low, high, strict=True)])
            wide = not any(row[:-1]) and row[-1] >= (a - 1) * (b - 1)
            yield row, a == 1 or b == 1 or wide


def eliminate(rows: Sequence[Row], column: int) -> list[Row]:
    """Eliminate a variable from bounds: keep those without it, and combine all lower with all upper bounds."""
    return [row for row in rows if not row[column]] + [row for row, _ in _pairs(rows, column)]


def project(p: Polyhedron, column: int) -> Polyhedron | None:
    """Project a variable away: it may take any value in the result (None if the result is empty).

    Raises Inexact unless the projection is found to be exactly a polyhedron.
    """
    width = len(p.names)
    natural = natural_bounds(width)[column]
    for row in p.equations:
        if abs(row[column]) == 1:
            return polyhedron(
                p.names, [_without(row, column, other) for other in p.equations if other is not row],
                [_without(row, column, other) for other in (*p.bounds, natural)],
            )
    if any(row[column] for row in p.equations):
        raise Inexact
    rows = [*p.bounds, natural]
    kept = [row for row in rows if not row[column]]
    for row, exact in _pairs(rows, column):
        if not exact:
            raise Inexact
        kept.append(row)
    return polyhedron(p.names, p.equations, kept)


def project_all(p: Polyhedron | None, columns: Iterable[int]) -> Polyhedron | None:
    """Project several variables away, in an order in which each projection is exact.

    Raises Inexact if none is found.
    """
    left = list(columns)
    while left and p is not None:
        for column in left:
            try:
                narrower = project(p, column)
            except Inexact:
                continue
            p = narrower
            left.remove(column)
            break
        else:
            raise Inexact
    return p


def intersection(a: Polyhedron, b: Polyhedron) -> Polyhedron | None:
    """Return the common points; None if there are none."""
    return polyhedron(a.names, (*a.equations, *b.equations), (*a.bounds, *b.bounds))


def negated_bound(row: Row) -> Row:
    """Return the bound that holds exactly where `row >= 0` does not."""
    return (*(-c for c in row[:-1]), -row[-1] - 1)


def as_bounds(p: Polyhedron) -> list[Row]:
    """Return all rows as bounds, an equation as two."""
    return [bound for row in p.equations for bound in (row, tuple(-c for c in row))] + list(p.bounds)


def difference(a: Polyhedron, b: Polyhedron) -> list[Polyhedron]:
    """Return the points of a that are not in b, as disjoint polyhedra."""
    if is_empty(intersection(a, b)):
        return [a]
    parts = []
    inside: Polyhedron | None = a
    for row in as_bounds(b):
        if inside is None:
            break
        outside = polyhedron(a.names, inside.equations, (*inside.bounds, negated_bound(row)))
        if outside is not None and not is_empty(outside):
            parts.append(outside)
        inside = polyhedron(a.names, inside.equations, (*inside.bounds, row))
    return parts


def includes(a: Polyhedron, b: Polyhedron) -> bool:
    """Return whether all points of b are found to be in a; False is no proof of the contrary."""
    return all(is_empty(b, negated_bound(row)) for row in as_bounds(a))


def simplify(p: Polyhedron) -> Polyhedron:
    """Drop the bounds that follow from the other rows, and shorten bounds by adding equations."""
    bounds = sorted((_shortest(p.equations, row) for row in p.bounds), key=_length)
    for row in reversed(list(bounds)):
        rest = [other for other in bounds if other is not row]
        if is_empty(Polyhedron(p.names, p.equations, tuple(rest)), negated_bound(row)):
            bounds = rest
    return Polyhedron(p.names, p.equations, tuple(bounds))


def _length(row: Row) -> tuple[int, int, Row]:
    """Order rows by their coefficients, then by the constant."""
    return sum(map(abs, row[:-1])), abs(row[-1]), row


def _shortest(equations: Sequence[Row], row: Row) -> Row:
    """Add equations to a row, once or twice each, as long as that makes it shorter."""
    while True:
        changed = [
            tuple(c + factor * e for c, e in zip(row, equation, strict=True))
            for equation in equations for factor in (-2, -1, 1, 2)
        ]
        best = min([row, *changed], key=_length)
        if _length(best)[:2] >= _length(row)[:2]:
            return row
        row = best


def solution_polyhedra(
    formula: ResolvedFormula, names: tuple[str, ...], within: Row | None = None
) -> tuple[Polyhedron, ...]:
    """Return polyhedra over `names` (all free variables among them) whose union is the solutions of a formula.

    within: a bound that the solutions have to satisfy as well.  Raises NotPolyhedral for too many polyhedra, for
    counting quantifiers, and for quantified variables that cannot be eliminated without congruences.
    """
    bound = sorted(logic.quantified_variables(formula.logic))
    columns = {name: column for column, name in enumerate((*names, *bound))}
    parts = _Solver((*names, *bound), columns).solutions(formula.logic, True)
    width = len(names)
    limits = [] if within is None else [within]
    narrow = []
    for part in parts:
        equations, bounds = ([(*row[:width], row[-1]) for row in kind] for kind in (part.equations, part.bounds))
        narrow.append(polyhedron(names, equations, bounds + limits))
    return merge(narrow)


class _Solver:
    """Solves a formula over `names` by polyhedra; columns: the column of each variable."""

    def __init__(self, names: tuple[str, ...], columns: dict[str, int]) -> None:
        self.names = names
        self.columns = columns
        self.pairs = 0

    def solutions(self, formula: Logic, positive: bool) -> list[Polyhedron]:
        """Return the solutions of a formula, or of its negation."""
        match formula:
            case logic.Truth():
                return [Polyhedron(self.names, (), ())] if formula.value is positive else []
            case logic.Universe():
                return [Polyhedron(self.names, (), ())] if positive else []
            case logic.Linear():
                return self.atom(formula, positive)
            case logic.Not():
                return self.solutions(formula.body, not positive)
            case logic.And():
                return self.either(formula.left, formula.right, positive, positive, all_of=positive)
            case logic.Or():
                return self.either(formula.left, formula.right, positive, positive, all_of=not positive)
            case logic.Implies():
                return self.either(formula.left, formula.right, not positive, positive, all_of=not positive)
            case logic.Iff() | logic.Xor():
                same = isinstance(formula, logic.Iff) is positive
                return self.few(
                    self.either(formula.left, formula.right, True, same, all_of=True)
                    + self.either(formula.left, formula.right, False, not same, all_of=True)
                )
            case logic.Exists():
                found = self.eliminated(formula.variables, self.solutions(formula.body, True))
                return found if positive else self.complement(found)
            case logic.ForAll():
                found = self.eliminated(formula.variables, self.solutions(formula.body, False))
                return self.complement(found) if positive else found
            case _:
                raise NotPolyhedral

    def atom(self, atom: logic.Linear, positive: bool) -> list[Polyhedron]:
        """Return the solutions of a comparison, or of its negation."""
        coefficients = [0] * len(self.names)
        for coefficient, name in zip(atom.coefficients, atom.variables, strict=True):
            coefficients[self.columns[name]] += coefficient
        row = (*coefficients, -atom.constant)
        above = (*row[:-1], row[-1] - 1)
        below = (*(-c for c in row[:-1]), -row[-1] - 1)
        found: list[tuple[tuple[Row, ...], tuple[Row, ...]]]
        if atom.relation == "<=":
            found = [((), (tuple(-c for c in row) if positive else above,))]
        elif (atom.relation == "=") is positive:
            found = [((row,), ())]
        else:
            found = [((), (above,)), ((), (below,))]
        made = (polyhedron(self.names, equations, bounds) for equations, bounds in found)
        return [part for part in made if part is not None]

    def either(self, left: Logic, right: Logic, a: bool, b: bool, *, all_of: bool) -> list[Polyhedron]:
        """Return the solutions of two formulas (negated where a or b is false): of both, or of one of them."""
        first, second = self.solutions(left, a), self.solutions(right, b)
        return self.both(first, second) if all_of else self.few(first + second)

    def both(self, first: Sequence[Polyhedron], second: Sequence[Polyhedron]) -> list[Polyhedron]:
        """Return the points of two unions; raises NotPolyhedral after MOST_PAIRS intersections."""
        self.pairs += len(first) * len(second)
        if self.pairs > MOST_PAIRS:
            raise NotPolyhedral
        common = (intersection(a, b) for a in first for b in second)
        return self.few(part for part in common if part is not None and not is_empty(part))

    def few(self, parts: Iterable[Polyhedron]) -> list[Polyhedron]:
        """Drop repeated polyhedra; raises NotPolyhedral for more than MOST_PARTS."""
        found: list[Polyhedron] = []
        for part in parts:
            if part not in found:
                found.append(part)
            if len(found) > MOST_PARTS:
                raise NotPolyhedral
        return found

    def eliminated(self, variables: Sequence[str], parts: Iterable[Polyhedron]) -> list[Polyhedron]:
        """Project variables away; raises NotPolyhedral where a projection is not known to be exact."""
        columns = [self.columns[name] for name in variables]
        try:
            found = [project_all(part, columns) for part in parts]
        except Inexact:
            raise NotPolyhedral from None
        return self.few(part for part in found if part is not None)

    def complement(self, parts: Iterable[Polyhedron]) -> list[Polyhedron]:
        """Return the tuples that are in none of the polyhedra."""
        found = [Polyhedron(self.names, (), ())]
        for part in parts:
            others = [polyhedron(self.names, (), (negated_bound(row),)) for row in as_bounds(part)]
            found = self.both(found, [other for other in others if other is not None])
        return found


def merge(parts: Iterable[Polyhedron | None]) -> tuple[Polyhedron, ...]:
    """Return the same union as fewer, simpler polyhedra: drop those inside others, join two whose union is convex.

    Raises NotPolyhedral if more than MOST_PIECES remain.
    """
    found: list[Polyhedron] = []
    for part in parts:
        if part is None or is_empty(part) or any(includes(other, part) for other in found):
            continue
        new = simplify(part)
        found = [other for other in found if not includes(new, other)]
        while True:
            joined = next(((other, hull) for other in found if (hull := _joined(other, new)) is not None), None)
            if joined is None:
                break
            found.remove(joined[0])
            new = simplify(joined[1])
        found.append(new)
        if len(found) > MOST_PIECES:
            raise NotPolyhedral
    return tuple(found)


def _joined(a: Polyhedron, b: Polyhedron) -> Polyhedron | None:
    """Return the union of two polyhedra if it is a polyhedron with rows of theirs."""
    flat, other_flat = ({row[:-1]: row[-1] for row in p.equations} for p in (a, b))
    if flat.keys() == other_flat.keys():
        # Parallel: either they are next to each other, or there is a gap between them.
        if any(abs(flat[slope] - other_flat[slope]) > 1 for slope in flat):
            return None
    elif not flat.keys() <= other_flat.keys() and not other_flat.keys() <= flat.keys():
        return None
    rows: list[Row] = []
    for one, other in ((a, b), (b, a)):
        rows += [row for row in as_bounds(one) if is_empty(other, negated_bound(row))]
    hull = polyhedron(a.names, (), rows)
    if hull is None:
        return None
    rest = [second for first in difference(hull, a) for second in difference(first, b)]
    return hull if not rest else None


def make_disjoint(parts: Iterable[Polyhedron]) -> tuple[Polyhedron, ...]:
    """Return pairwise disjoint polyhedra with the same union; raises NotPolyhedral for too many."""
    found: list[Polyhedron] = []
    for part in parts:
        left = [part]
        for other in found:
            left = [rest for one in left for rest in difference(one, other)]
            if len(found) + len(left) > MOST_PIECES:
                raise NotPolyhedral
        found += [simplify(rest) for rest in left]
    return tuple(found)


def to_formula(p: Polyhedron) -> Formula:
    """Return a polyhedron as a formula: a conjunction of comparisons without subtraction."""
    equations = [_comparison(p.names, row, "=") for row in p.equations]
    bounds = [_comparison(p.names, row, "<=") for row in p.bounds]
    return conjunction([*equations, *bounds]) if p.equations or p.bounds else ALWAYS


def _comparison(names: Sequence[str], row: Row, relation: str) -> Formula:
    """Return an equation (relation "=") or a bound, with positive coefficients on both sides."""
    *coefficients, constant = row
    less = [_multiple(-c, name) for c, name in zip(coefficients, names, strict=True) if c < 0]
    more = [_multiple(c, name) for c, name in zip(coefficients, names, strict=True) if c > 0]
    if relation == "=":
        if constant > 0:
            less, more, constant = more, less, -constant
        right = less + ([Number(-constant)] if constant or not less else [])
        return total(more).eq(total(right))
    if not less:
        return total(more) > 0 if constant == -1 else total(more) >= -constant
    if constant == -1 and more:
        return total(less) < total(more)
    if constant < 0:
        less.append(Number(-constant))
    elif constant > 0 or not more:
        more.append(Number(constant))
    return total(less) <= total(more)


def _multiple(coefficient: int, name: str) -> Term:
    return Variable(name) if coefficient == 1 else coefficient * Variable(name)
