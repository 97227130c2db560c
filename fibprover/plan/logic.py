"""A formula with its names resolved: what plans are made from.

Variables are strings, unique in the formula, and `Scoped.kinds` gives each its type.  Terms are
gone: a comparison has become linear atoms, conditions on words and predicates over variables,
with existential fresh variables where a term had to be named.  `label` is the source text of
what the user wrote as one comparison, connective or quantifier block, and empty on everything
that only came from taking terms apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from fibprover.plan.environment import Definition, Sort
from fibprover.values import value
from fibprover.words.automatic import AutomaticWord


@value
class Truth:
    """A formula without variables that is known to be true or false."""

    value: bool
    label: str = ""


@value
class Linear:
    """sum coefficient * variable  relation  constant; coefficients not 0, variables distinct."""

    system: str
    coefficients: tuple[int, ...]
    variables: tuple[str, ...]
    relation: str
    constant: int
    label: str = ""


@value
class WordLetter:
    """The letter of a word at an index is one of `letters`."""

    word: AutomaticWord
    variables: tuple[str, ...]
    letters: frozenset[int]
    label: str = ""


@value
class WordPair:
    """The letters of two words at two indices compare by `relation`."""

    left: AutomaticWord
    left_variables: tuple[str, ...]
    right: AutomaticWord
    right_variables: tuple[str, ...]
    relation: str
    label: str = ""


@value
class PredicateAtom:
    """A defined relation holds of these variables (which may repeat)."""

    definition: Definition
    variables: tuple[str, ...]
    label: str = ""


@value
class Universe:
    """True of all values of these variables: keeps a variable that cancelled out."""

    variables: tuple[str, ...]
    label: str = ""


@value
class Not:
    """Negation."""

    body: Logic
    label: str = ""


@value
class And:
    """Conjunction of two."""

    left: Logic
    right: Logic
    label: str = ""


@value
class Or:
    """Disjunction of two."""

    left: Logic
    right: Logic
    label: str = ""


@value
class Xor:
    """Exactly one of two."""

    left: Logic
    right: Logic
    label: str = ""


@value
class Implies:
    """If left then right."""

    left: Logic
    right: Logic
    label: str = ""


@value
class Iff:
    """Both or neither."""

    left: Logic
    right: Logic
    label: str = ""


@value
class Exists:
    """Some values of the variables."""

    variables: tuple[str, ...]
    body: Logic
    label: str = ""


@value
class ForAll:
    """All values of the variables."""

    variables: tuple[str, ...]
    body: Logic
    label: str = ""


@value
class Infinite:
    """Infinitely many values of the variable."""

    variable: str
    body: Logic
    label: str = ""


@value
class AtLeast:
    """At least `count` tuples of values of the variables; count is at least 2."""

    variables: tuple[str, ...]
    count: int
    body: Logic
    label: str = ""


Atom = Truth | Linear | WordLetter | WordPair | PredicateAtom | Universe
Connective = And | Or | Xor | Implies | Iff
Logic = Atom | Not | And | Or | Xor | Implies | Iff | Exists | ForAll | Infinite | AtLeast


@value
class ResolvedFormula:
    """A resolved formula: the logic, the kinds of all variables, the free ones in order.

    free: in code-unit order, the order of the result's tracks; names: what the user calls each
    variable (bound variables may have been renamed apart).
    """

    logic: Logic
    kinds: Mapping[str, Sort]
    free: tuple[str, ...]
    names: Mapping[str, str]


def free_variables(logic: Logic) -> frozenset[str]:
    """The free variables of a formula.  Linear in its size."""
    match logic:
        case Truth():
            return frozenset()
        case Linear() | WordLetter() | PredicateAtom() | Universe():
            return frozenset(logic.variables)
        case WordPair():
            return frozenset(logic.left_variables) | frozenset(logic.right_variables)
        case Not():
            return free_variables(logic.body)
        case And() | Or() | Xor() | Implies() | Iff():
            return free_variables(logic.left) | free_variables(logic.right)
        case Exists() | ForAll() | AtLeast():
            return free_variables(logic.body) - frozenset(logic.variables)
        case Infinite():
            return free_variables(logic.body) - {logic.variable}


def conjunction(parts: list[Logic]) -> Logic:
    """The parts joined by And, leftmost innermost; true if there are none."""
    if not parts:
        return Truth(True)
    result = parts[0]
    for part in parts[1:]:
        result = And(result, part)
    return result


def disjunction(parts: list[Logic]) -> Logic:
    """The parts joined by Or, leftmost innermost; false if there are none."""
    if not parts:
        return Truth(False)
    result = parts[0]
    for part in parts[1:]:
        result = Or(result, part)
    return result


__all__ = [
    "And",
    "AtLeast",
    "Atom",
    "Connective",
    "Exists",
    "ForAll",
    "Iff",
    "Implies",
    "Infinite",
    "Linear",
    "Logic",
    "Not",
    "Or",
    "PredicateAtom",
    "ResolvedFormula",
    "Truth",
    "Universe",
    "WordLetter",
    "WordPair",
    "Xor",
    "conjunction",
    "disjunction",
    "free_variables",
]
