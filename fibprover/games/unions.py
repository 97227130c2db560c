"""Unions of polyhedra: from a formula, made disjoint, written as formulas again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fibprover.games.polyhedra import (
    Inexact,
    Polyhedron,
    Row,
    halves,
    includes,
    is_empty,
    meet,
    minus,
    opposite,
    polyhedron,
    projected_all,
    simplified,
)
from fibprover.plan import logic
from fibprover.plan.logic import Logic, Scoped

#: More pieces than this are not worth the trouble: the formula is then taken as a whole.
MOST_PIECES = 64

#: While a formula is taken apart there may be more of them, and so many pairs may be intersected (0.1 ms each).
MOST_PARTS = 128
MOST_PAIRS = 4000


class NotPolyhedral(Exception):
    """A formula whose solutions are not seen to be a union of a few polyhedra."""


def union_of(formula: Scoped, names: tuple[str, ...], within: Row | None = None) -> tuple[Polyhedron, ...]:
    """Polyhedra over `names` (all free variables among them) whose union is the solutions of a formula.

    within: a bound that all solutions wanted have to satisfy.

    Raises NotPolyhedral for too many of them, for counting quantifiers, and for quantified variables
    that cannot be eliminated without congruences.
    """
    bound = sorted(_quantified(formula.logic))
    columns = {name: column for column, name in enumerate((*names, *bound))}
    parts = _Parts((*names, *bound), columns).parts(formula.logic, True)
    width = len(names)
    limits = [] if within is None else [within]
    narrow = []
    for part in parts:
        equations, bounds = ([(*row[:width], row[-1]) for row in kind] for kind in (part.equations, part.bounds))
        narrow.append(polyhedron(names, equations, bounds + limits))
    return merged(narrow)


def _quantified(formula: Logic) -> set[str]:
    """All quantified variables, which are distinct."""
    match formula:
        case logic.Not():
            return _quantified(formula.body)
        case logic.And() | logic.Or() | logic.Xor() | logic.Implies() | logic.Iff():
            return _quantified(formula.left) | _quantified(formula.right)
        case logic.Exists() | logic.ForAll() | logic.AtLeast():
            return _quantified(formula.body) | set(formula.variables)
    return set()


class _Parts:
    """One formula on its way to polyhedra; columns: which variable is which."""

    def __init__(self, names: tuple[str, ...], columns: dict[str, int]) -> None:
        self.names = names
        self.columns = columns
        self.pairs = 0

    def parts(self, formula: Logic, positive: bool) -> list[Polyhedron]:
        """The polyhedra of a formula, or of its negation."""
        match formula:
            case logic.Truth():
                return [Polyhedron(self.names, (), ())] if formula.value is positive else []
            case logic.Anything():
                return [Polyhedron(self.names, (), ())] if positive else []
            case logic.Linear():
                return self.atom(formula, positive)
            case logic.Not():
                return self.parts(formula.body, not positive)
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
                found = self.eliminated(formula.variables, self.parts(formula.body, True))
                return found if positive else self.complement(found)
            case logic.ForAll():
                found = self.eliminated(formula.variables, self.parts(formula.body, False))
                return self.complement(found) if positive else found
            case _:
                raise NotPolyhedral

    def atom(self, atom: logic.Linear, positive: bool) -> list[Polyhedron]:
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
        """Of two formulas (negated where a or b is false) both, or one."""
        first, second = self.parts(left, a), self.parts(right, b)
        return self.both(first, second) if all_of else self.few(first + second)

    def both(self, first: Sequence[Polyhedron], second: Sequence[Polyhedron]) -> list[Polyhedron]:
        self.pairs += len(first) * len(second)
        if self.pairs > MOST_PAIRS:
            raise NotPolyhedral
        common = (meet(a, b) for a in first for b in second)
        return self.few(part for part in common if part is not None and not is_empty(part))

    def few(self, parts: Iterable[Polyhedron]) -> list[Polyhedron]:
        found: list[Polyhedron] = []
        for part in parts:
            if part not in found:
                found.append(part)
            if len(found) > MOST_PARTS:
                raise NotPolyhedral
        return found

    def eliminated(self, variables: Sequence[str], parts: Iterable[Polyhedron]) -> list[Polyhedron]:
        columns = [self.columns[name] for name in variables]
        try:
            found = [projected_all(part, columns) for part in parts]
        except Inexact:
            raise NotPolyhedral from None
        return self.few(part for part in found if part is not None)

    def complement(self, parts: Iterable[Polyhedron]) -> list[Polyhedron]:
        found = [Polyhedron(self.names, (), ())]
        for part in parts:
            others = [polyhedron(self.names, (), (opposite(row),)) for row in halves(part)]
            found = self.both(found, [other for other in others if other is not None])
        return found


def merged(parts: Iterable[Polyhedron | None]) -> tuple[Polyhedron, ...]:
    """The same union in fewer, simpler polyhedra: without those inside others, and joined where that is convex.

    Raises NotPolyhedral if more than MOST_PIECES remain.
    """
    found: list[Polyhedron] = []
    for part in parts:
        if part is None or is_empty(part) or any(includes(other, part) for other in found):
            continue
        new = simplified(part)
        found = [other for other in found if not includes(new, other)]
        while True:
            joined = next(((other, hull) for other in found if (hull := _joined(other, new)) is not None), None)
            if joined is None:
                break
            found.remove(joined[0])
            new = simplified(joined[1])
        found.append(new)
        if len(found) > MOST_PIECES:
            raise NotPolyhedral
    return tuple(found)


def _joined(a: Polyhedron, b: Polyhedron) -> Polyhedron | None:
    """The union of two polyhedra if it is a polyhedron cut out by rows of theirs."""
    flat, other_flat = ({row[:-1]: row[-1] for row in p.equations} for p in (a, b))
    if flat.keys() == other_flat.keys():
        # Parallel: next to each other, or there is something between them.
        if any(abs(flat[slope] - other_flat[slope]) > 1 for slope in flat):
            return None
    elif not flat.keys() <= other_flat.keys() and not other_flat.keys() <= flat.keys():
        return None
    rows: list[Row] = []
    for one, other in ((a, b), (b, a)):
        rows += [row for row in halves(one) if is_empty(other, opposite(row))]
    hull = polyhedron(a.names, (), rows)
    if hull is None:
        return None
    rest = [second for first in minus(hull, a) for second in minus(first, b)]
    return hull if not rest else None


def disjoint(parts: Iterable[Polyhedron]) -> tuple[Polyhedron, ...]:
    """Polyhedra with the same union of which no two have a common point; raises NotPolyhedral if they are many."""
    found: list[Polyhedron] = []
    for part in parts:
        left = [part]
        for other in found:
            left = [rest for one in left for rest in minus(one, other)]
            if len(found) + len(left) > MOST_PIECES:
                raise NotPolyhedral
        found += [simplified(rest) for rest in left]
    return tuple(found)


def written(p: Polyhedron) -> str:
    """A polyhedron as a formula: a conjunction of comparisons without subtraction."""
    return " & ".join([_comparison(p.names, row, "=") for row in p.equations]
                      + [_comparison(p.names, row, "<=") for row in p.bounds]) or "0=0"


def _comparison(names: Sequence[str], row: Row, relation: str) -> str:
    *coefficients, constant = row
    less = [_term(-c, name) for c, name in zip(coefficients, names, strict=True) if c < 0]
    more = [_term(c, name) for c, name in zip(coefficients, names, strict=True) if c > 0]
    if relation == "=":
        if constant > 0:
            less, more, constant = more, less, -constant
        left, right = more, less + ([str(-constant)] if constant or not less else [])
        return f"{'+'.join(left)}={'+'.join(right)}"
    if not less:
        return f"{'+'.join(more)}>{-constant - 1}" if constant == -1 else f"{'+'.join(more)}>={-constant}"
    if constant == -1 and more:
        return f"{'+'.join(less)}<{'+'.join(more)}"
    if constant < 0:
        less.append(str(-constant))
    elif constant > 0 or not more:
        more.append(str(constant))
    return f"{'+'.join(less)}<={'+'.join(more)}"


def _term(coefficient: int, name: str) -> str:
    return name if coefficient == 1 else f"{coefficient}*{name}"
