"""First-order logic over variables: the form of a formula from which plans are made.

Variables are strings; each quantifier of a lowered formula binds variables of its own, and
`ResolvedFormula.sorts` gives the sort of each.  There are no terms: a comparison has become linear atoms,
conditions on words and predicates over variables, and a term that needed a name is an existentially
quantified fresh variable.  `label` is the source text of one comparison, connective or quantifier block,
and empty on nodes that lowering has added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from fibprover.base.names import PARAMETER, is_family
from fibprover.base.values import replaced, value
from fibprover.prover.environment import Definition, Sort
from fibprover.words.automatic import AutomaticWord


@value
class Truth:
    """A formula without variables that is known to be true or false."""

    value: bool
    label: str = ""


@value
class Linear:
    """sum coefficient * variable  relation  constant; coefficients not 0, variables distinct.

    In a family of numeration systems the parameter is free as well.
    """

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
    """True of all values of these variables: keeps a variable that cancelled out of an atom."""

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
#: The type of one kind of atom.
AnyAtom = TypeVar("AnyAtom", bound=Atom)

Logic = Atom | Not | And | Or | Xor | Implies | Iff | Exists | ForAll | Infinite | AtLeast


@value
class ResolvedFormula:
    """A resolved formula: the logic, the sorts of all variables, the free ones in order.

    free: in code-unit order, the order of the result's tracks; names: the user's name of each variable (bound
    variables may have been renamed apart); parts: the node of `logic` that each formula has become, by the number of
    its occurrence, where that is known.
    """

    logic: Logic
    sorts: Mapping[str, Sort]
    free: tuple[str, ...]
    names: Mapping[str, str]
    parts: Mapping[int, Logic] | None = None


def negated_linear(node: Linear) -> Linear:
    """Return the negation of a linear atom as a linear atom; each linear atom is true or false of any naturals."""
    if node.relation == "<=":
        pairs = sorted(zip((-c for c in node.coefficients), node.variables, strict=True), key=lambda p: (-p[0], p[1]))
        return Linear(
            node.system, tuple(c for c, _ in pairs), tuple(name for _, name in pairs), "<=", -node.constant - 1
        )
    opposite = "!=" if node.relation == "=" else "="
    return Linear(node.system, node.coefficients, node.variables, opposite, node.constant)


def children(node: Logic) -> tuple[Logic, ...]:
    """Return the formulas directly below a node, from left to right; an atom has none."""
    match node:
        case Not() | Exists() | ForAll() | Infinite() | AtLeast():
            return (node.body,)
        case And() | Or() | Xor() | Implies() | Iff():
            return (node.left, node.right)
        case _:
            return ()


def map_children(node: Logic, change: Callable[[Logic], Logic]) -> Logic:
    """Return the node with `change` applied to each child; the node itself if no child changes."""
    match node:
        case Not() | Exists() | ForAll() | Infinite() | AtLeast():
            body = change(node.body)
            return node if body is node.body else replaced(node, body=body)
        case And() | Or() | Xor() | Implies() | Iff():
            left, right = change(node.left), change(node.right)
            return node if left is node.left and right is node.right else type(node)(left, right, node.label)
        case _:
            return node


def bound_variables(node: Logic) -> tuple[str, ...]:
    """Return the variables that the node itself binds."""
    match node:
        case Exists() | ForAll() | AtLeast():
            return node.variables
        case Infinite():
            return (node.variable,)
        case _:
            return ()


def free_variables(node: Logic) -> frozenset[str]:
    """Return the free variables of a formula.  Linear in its size."""
    match node:
        case Linear() if is_family(node.system):
            return frozenset((*node.variables, PARAMETER))
        case Linear() | WordLetter() | PredicateAtom() | Universe():
            return frozenset(node.variables)
        case WordPair():
            return frozenset((*node.left_variables, *node.right_variables))
        case _:
            below = (free_variables(child) for child in children(node))
            return frozenset().union(*below).difference(bound_variables(node))


def quantified_variables(node: Logic) -> frozenset[str]:
    """Return all variables that a formula binds anywhere."""
    return frozenset(bound_variables(node)).union(*(quantified_variables(child) for child in children(node)))


def rename_atom(atom: AnyAtom, names: Mapping[str, str]) -> AnyAtom:
    """Return the atom with some of its variables renamed, to different ones."""

    def new(old: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in old)

    match atom:
        case Truth():
            return atom
        case WordPair():
            return replaced(atom, left_variables=new(atom.left_variables), right_variables=new(atom.right_variables))
        case _:
            return replaced(atom, variables=new(atom.variables))


def conjunction(parts: list[Logic]) -> Logic:
    """Return the parts joined by And, leftmost innermost; true if there are none."""
    if not parts:
        return Truth(True)
    result = parts[0]
    for part in parts[1:]:
        result = And(result, part)
    return result


def disjunction(parts: list[Logic]) -> Logic:
    """Return the parts joined by Or, leftmost innermost; false if there are none."""
    if not parts:
        return Truth(False)
    result = parts[0]
    for part in parts[1:]:
        result = Or(result, part)
    return result

