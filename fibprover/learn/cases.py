"""Cases of a quantified formula: conjunctions whose equations have been used to eliminate variables.

`Er,s ((p=r & s<q) | (q=s & r<p)) & $P(r,s)` has two cases.  In the first, r is p, and s is the one variable left, on
an interval from 0 to q-1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fibprover.learn.connectives import conjuncts, parts_of
from fibprover.prover import logic
from fibprover.prover.logic import Logic, free_variables

#: The most cases of one quantifier, and the widest band that is taken line by line.
MOST_CASES, WIDEST = 200, 64


class NoCases(Exception):
    """A formula that is not of this form, or has too many cases."""


@dataclass(frozen=True, slots=True)
class Form:
    """A linear form in variables, without zero coefficients."""

    coefficients: Mapping[str, int]
    constant: int

    def plus(self, other: Form, factor: int) -> Form:
        """Return this form plus a multiple of another one."""
        names = dict.fromkeys([*self.coefficients, *other.coefficients])
        added = {
            name: total for name in names
            if (total := self.coefficients.get(name, 0) + factor * other.coefficients.get(name, 0))
        }
        return Form(added, self.constant + factor * other.constant)

    def of(self, name: str) -> int:
        """Return the coefficient of a variable."""
        return self.coefficients.get(name, 0)

    def substituted(self, name: str, value: Form) -> Form:
        """Return the form with a form in place of a variable."""
        factor = self.of(name)
        return self.plus(Form({name: 1}, 0), -factor).plus(value, factor) if factor else self


@dataclass(frozen=True, slots=True)
class Case:
    """A conjunction: forms that are at most 0, and other formulas.

    free: the unknown variables that are left; eliminated: the others, as forms of known and free ones.
    """

    at_most_0: tuple[Form, ...]
    others: tuple[Logic, ...]
    free: tuple[str, ...]
    eliminated: Mapping[str, Form]

    def form(self, name: str) -> Form:
        """Return a variable as a form."""
        return self.eliminated.get(name, Form({name: 1}, 0))

    def touches(self, part: Logic, name: str) -> bool:
        """Return whether the value of a formula may change with a free variable."""
        return any(self.form(each).of(name) for each in free_variables(part))


def cases_of(parts: Sequence[Logic], known: frozenset[str], counted: frozenset[str] | None = None) -> list[Case]:
    """Return cases that hold for some values of the unknown variables if and only if all parts do.

    counted: where it is given, each tuple of values of these variables belongs to one case at most, and determines the
    values of all others.  Raises NoCases.
    """
    return [case for each in _split(parts, known, counted) for case in _eliminated(each, known, counted)]


def _split(parts: Sequence[Logic], known: frozenset[str], counted: frozenset[str] | None) -> list[list[Logic]]:
    """Return conjunctions without disjunctions about unknown variables."""
    done: list[list[Logic]] = []
    waiting = [[each for part in parts for each in conjuncts(part)]]
    while waiting:
        conjunction = waiting.pop()
        if len(waiting) + len(done) > MOST_CASES:
            raise NoCases
        for at, part in enumerate(conjunction):
            sides = [] if known.issuperset(free_variables(part)) else _sides(part)
            if sides:
                if counted is not None and not (known | counted).issuperset(free_variables(part)):
                    raise NoCases  # Both sides may hold for one tuple and different values of another variable.
                rest = [*conjunction[:at], *conjunction[at + 1 :]]
                for number, side in enumerate(sides):
                    before = [logic.Not(each) for each in sides[:number]] if counted is not None else []
                    waiting.append([*(each for new in (side, *before) for each in conjuncts(new)), *rest])
                break
        else:
            done.append(conjunction)
    return done


def _sides(part: Logic) -> list[Logic]:
    """Return the sides of a disjunction, those with quantifiers last; of `!=`, less and greater."""
    if isinstance(part, logic.Or):
        return sorted(parts_of(part, logic.Or), key=_has_quantifier)
    if isinstance(part, logic.Linear) and part.relation == "!=":
        negative = tuple(-c for c in part.coefficients)
        return [
            logic.Linear(part.system, part.coefficients, part.variables, "<=", part.constant - 1),
            logic.Linear(part.system, negative, part.variables, "<=", -part.constant - 1),
        ]
    return []


def _has_quantifier(node: Logic) -> bool:
    own = isinstance(node, logic.Exists | logic.ForAll | logic.AtLeast)
    return own or any(_has_quantifier(child) for child in logic.children(node))


def _eliminated(parts: Sequence[Logic], known: frozenset[str], counted: frozenset[str] | None) -> Iterator[Case]:
    """Yield the cases of a conjunction: one, or one for each line of a band."""
    equations: list[Form] = []
    at_most_0: list[Form] = []
    others = []
    for part in parts:
        if isinstance(part, logic.Linear) and part.relation in ("=", "<="):
            form = Form(dict(zip(part.variables, part.coefficients, strict=True)), -part.constant)
            (equations if part.relation == "=" else at_most_0).append(form)
        else:
            others.append(part)
    unknown = frozenset().union(*map(free_variables, parts)) - known
    if counted is not None and not counted <= unknown:
        raise NoCases  # A variable that nothing restricts has infinitely many values.
    yield from _solved(equations, at_most_0, tuple(others), unknown, counted or frozenset())


def _solved(
    equations: list[Form], at_most_0: list[Form], others: tuple[Logic, ...], unknown: frozenset[str],
    counted: frozenset[str],
) -> Iterator[Case]:
    """Yield the cases of equations, of which as many as possible are solved for a variable."""
    eliminated: dict[str, Form] = {}
    while True:
        left = unknown - frozenset(eliminated)
        # A variable that is not counted comes first: it has to be determined by those that are.
        solvable = [
            (name in counted, name, at) for at, form in enumerate(equations) for name in left if abs(form.of(name)) == 1
        ]
        if not solvable:
            break
        _, name, at = min(solvable)
        form = equations.pop(at)
        sign = form.of(name)
        value = form.plus(Form({name: 1}, 0), -sign)
        value = Form({}, 0).plus(value, -sign)
        at_most_0.append(Form({}, 0).plus(Form({name: 1}, 0), -1))
        equations = [each.substituted(name, value) for each in equations]
        at_most_0 = [each.substituted(name, value) for each in at_most_0]
        eliminated = {each: form.substituted(name, value) for each, form in eliminated.items()}
        eliminated[name] = value
    if counted and left - counted:
        raise NoCases
    band = _band(at_most_0, left) if len(left) > 1 else None
    if band is not None:
        coefficients, values = band
        for each in values:
            line = Form(coefficients, -each)
            yield from _nested([line, *equations], at_most_0, others, eliminated, left, counted)
        return
    both = [each for form in equations for each in (form, Form({}, 0).plus(form, -1))]
    conditions = _strictest([*at_most_0, *both])
    if conditions is not None:
        yield Case(conditions, others, tuple(sorted(left)), eliminated)


def _strictest(at_most_0: Sequence[Form]) -> tuple[Form, ...] | None:
    """Return the strictest of forms that differ by a constant alone; None where two forms exclude each other."""
    constants: dict[tuple[tuple[str, int], ...], int] = {}
    for form in at_most_0:
        key = tuple(sorted(form.coefficients.items()))
        constants[key] = max(form.constant, constants.get(key, form.constant))
    for key, constant in constants.items():
        if constant + constants.get(tuple((name, -c) for name, c in key), -constant) > 0:
            return None
    nothing = constants.pop((), 0)
    return tuple(Form(dict(key), constant) for key, constant in constants.items()) if nothing <= 0 else None


def _band(at_most_0: Sequence[Form], left: frozenset[str]) -> tuple[Mapping[str, int], range] | None:
    """Return the coefficients of a form in several free variables that has few values, and these values."""
    for high in at_most_0:
        opposite = {name: -c for name, c in high.coefficients.items()}
        if len(left.intersection(opposite)) > 1:
            for low in at_most_0:
                if low.coefficients == opposite and -high.constant - low.constant < WIDEST:
                    return high.coefficients, range(low.constant, 1 - high.constant)
    return None


def _nested(
    equations: list[Form], at_most_0: list[Form], others: tuple[Logic, ...], eliminated: Mapping[str, Form],
    left: frozenset[str], counted: frozenset[str],
) -> Iterator[Case]:
    """Yield the cases of more equations, after some variables have been eliminated."""
    for case in _solved(equations, list(at_most_0), others, left, counted & left):
        before = dict(eliminated)
        for name, value in case.eliminated.items():
            before = {each: form.substituted(name, value) for each, form in before.items()}
        yield Case(case.at_most_0, case.others, case.free, {**before, **case.eliminated})
