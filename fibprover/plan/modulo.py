"""Comparisons modulo equations: with as few variables as one or two equations can leave them.

Equations are looked up by their variables, so that a comparison among many equations is tried with those
only that can make it smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fibprover.plan import logic
from fibprover.plan.affine import linear
from fibprover.plan.logic import Linear

#: The left side of a comparison, and its constant.
Form = tuple[dict[str, int], int]


@dataclass
class Equations:
    """Equations in the order in which they are tried: those of a conjunction, then those around it."""

    own: list[Linear] = field(default_factory=list)
    around: Equations | None = None
    places: dict[str, list[int]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for place, equation in enumerate(self.own):
            for name in equation.variables:
                self.places.setdefault(name, []).append(place)

    def within(self, atoms: Iterable[Linear]) -> Equations:
        """These equations and the ones among `atoms`, which are tried first."""
        return Equations([atom for atom in atoms if atom.relation == "="], self)

    def smaller(self, names: Mapping[str, int], most: int, but: Linear) -> Iterator[Linear]:
        """The equations that can leave `most` variables of a comparison that has these; `but` is not tried.

        An equation of k variables, s of which the comparison has, takes away s of them at most, and
        brings k - s new ones.
        """
        equations: Equations | None = self
        while equations is not None:
            for place, s in equations.meeting(names, len(names) - most):
                equation = equations.own[place]
                if equation is not but and len(names) + len(equation.variables) - 2 * s <= most:
                    yield equation
            equations = equations.around

    def meeting(self, names: Mapping[str, int], fewer: int) -> list[tuple[int, int]]:
        """Places of equations with some of the names, and how many; `fewer`: names that have to go.

        Where an equation needs two of the names, it is not looked for by the one that most equations have.
        """
        lists = sorted((self.places[name] for name in names if name in self.places), key=len)
        # k + fewer <= 2 * s, and only an equation of one variable (k = 1) has that with s = 1 and fewer > 0.
        common = lists.pop() if fewer > 0 and lists else []
        shared = Counter(place for found in lists for place in found)
        for place in common:
            if place in shared or len(self.own[place].variables) == 1:
                shared[place] += 1
        return sorted(shared.items())


def reduced(atom: Linear, equations: Equations, free: frozenset[str]) -> logic.Logic:
    """The atom modulo the equations: with as few variables as one or two of them can leave it.

    As many variables will do if two fewer of them are free: i=j becomes x=y.  Not one fewer: each of
    T[x+1], T[x+2], ... would be told in terms of the first instead of x, which stays as well.
    The atom itself if nothing is gained; never with much larger coefficients, which make large automata.
    """
    start = (dict(zip(atom.variables, atom.coefficients, strict=True)), atom.constant)
    best, least = start, (len(atom.variables), len(free.intersection(atom.variables)))

    def consider(form: Form) -> None:
        nonlocal best, least
        size = (len(form[0]), len(free.intersection(form[0])))
        # Of two that are both better than the atom itself, the one with fewer free variables.
        fewer_free = 2 if best is start else 1
        if size[0] < least[0] or (size[0] == least[0] and size[1] + fewer_free <= least[1]):
            best, least = form, size

    def most() -> int:
        return least[0] if least[1] >= (2 if best is start else 1) else least[0] - 1

    once = []
    for equation in equations.smaller(start[0], len(start[0]) + 1, atom):
        for form in _eliminated(*start, equation):
            consider(form)
            if len(form[0]) <= len(atom.variables) + 1:
                once.append(form)
    # i=j with i=p-x and j=p-y takes both equations to become x=y.
    for first in once:
        for equation in equations.smaller(first[0], most(), atom):
            for form in _eliminated(*first, equation):
                consider(form)
    if best is start:
        return atom
    # What may be left is -x<=0, true of naturals: it stays, for in some systems it is not true of all numbers.
    return linear(atom.system, best[0], best[1], atom.relation)


def _eliminated(terms: Mapping[str, int], constant: int, equation: Linear) -> Iterator[Form]:
    """The form without one of the equation's variables, for each that it has and that divides evenly.

    Left out are forms whose coefficients together exceed those of the form and the equation together: 5000*x+y
    with x=5000*z had better stay.
    """
    factors = {
        terms[name] // coefficient
        for name, coefficient in zip(equation.variables, equation.coefficients, strict=True)
        if name in terms and terms[name] % coefficient == 0
    }
    heaviest = sum(map(abs, terms.values())) + sum(map(abs, equation.coefficients))
    for factor in sorted(factors):
        total = dict(terms)
        for name, coefficient in zip(equation.variables, equation.coefficients, strict=True):
            total[name] = total.get(name, 0) - factor * coefficient
        if sum(map(abs, total.values())) <= heaviest:
            yield {name: c for name, c in total.items() if c}, constant - factor * equation.constant
