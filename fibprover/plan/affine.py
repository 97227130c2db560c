"""Affine forms, and the normal form of linear atoms.

Equal constraints should look alike, whatever way round they were written: the cache of automata
goes by what an atom looks like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd
from operator import eq, ge, gt, le, lt, ne

from fibprover.plan import logic
from fibprover.plan.logic import Logic

#: What the relations between terms mean.
RELATIONS: Mapping[str, Callable[[int, int], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


@dataclass(frozen=True, slots=True)
class Affine:
    """sum coefficient * variable + constant.

    letter: it is a letter of a word, which may be negative where a term may not; unchecked: it is a
    term that may be undefined, and whoever asked for it has to require that it is natural.
    """

    coefficients: Mapping[str, int]
    constant: int
    letter: bool = False
    unchecked: bool = False

    def plus(self, other: Affine, factor: int = 1) -> Affine:
        total = dict(self.coefficients)
        for name, coefficient in other.coefficients.items():
            total[name] = total.get(name, 0) + factor * coefficient
        return Affine(total, self.constant + factor * other.constant)

    def times(self, factor: int) -> Affine:
        return Affine({name: factor * c for name, c in self.coefficients.items()}, factor * self.constant)

    @property
    def is_constant(self) -> bool:
        return not any(self.coefficients.values())

    @property
    def is_natural(self) -> bool:
        """Whether it cannot be negative, whatever naturals the variables stand for."""
        return self.constant >= 0 and all(c >= 0 for c in self.coefficients.values())


def linear(system: str, coefficients: Mapping[str, int], constant: int, relation: str) -> Logic:
    """The normal form of sum c x relation constant: relation one of = != <=, divided by the gcd.

    Coefficients descend, so equal atoms over other variables look alike; variables that cancelled
    stay as `Anything`.
    """
    terms = {name: c for name, c in coefficients.items() if c}
    lost = tuple(sorted(name for name, c in coefficients.items() if not c))
    sign = -1 if relation in (">", ">=") else 1
    shift = {"<": -1, ">": -1}.get(relation, 0)
    kind = relation if relation in ("=", "!=") else "<="
    bound = sign * constant + shift
    pairs = [(sign * c, name) for name, c in terms.items()]
    body: Logic
    if not pairs:
        body = logic.Truth(RELATIONS[kind](0, bound))
    else:
        divisor = gcd(*(c for c, _ in pairs))
        exact = bound % divisor == 0
        bound //= divisor
        pairs = sorted(((c // divisor, name) for c, name in pairs), key=lambda pair: (-pair[0], pair[1]))
        if kind != "<=":
            mirrored = sorted(((-c, name) for c, name in pairs), key=lambda pair: (-pair[0], pair[1]))
            if ([c for c, _ in mirrored], -bound) > ([c for c, _ in pairs], bound):
                pairs, bound = mirrored, -bound
        if kind != "<=" and not exact:
            body = logic.And(logic.Truth(kind == "!="), logic.Anything(tuple(sorted(name for _, name in pairs))))
        else:
            body = logic.Linear(system, tuple(c for c, _ in pairs), tuple(name for _, name in pairs), kind, bound)
    return logic.And(body, logic.Anything(lost)) if lost else body
