"""A plan: the tree of automaton operations that the evaluator carries out.

A step has the variables of its result, in code-unit order; the plan has the sorts of all variables.
`label` is the formula text of the step; a trace lists the steps that have a label.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from fibprover.base.errors import FibproverError
from fibprover.base.names import PARAMETER, is_family
from fibprover.base.values import replaced, value
from fibprover.prover.environment import Sort
from fibprover.prover.logic import Linear, PredicateAtom, WordLetter, WordPair
from fibprover.prover.plan.rules import ALL, Rules

Variables = tuple[str, ...]


@value
class Constant:
    """True or false, without variables."""

    value: bool
    label: str = ""

    @property
    def variables(self) -> Variables:
        return ()


@value
class Range:
    """least <= sum coefficient * variable <= most; coefficients not 0, variables distinct."""

    system: str
    coefficients: tuple[int, ...]
    variables: Variables
    least: int
    most: int


#: What is evaluated without further steps.
Atom = Linear | Range | WordLetter | WordPair | PredicateAtom


@value
class Leaf:
    """The automaton of one atom."""

    atom: Atom
    variables: Variables
    label: str = ""


@value
class Valid:
    """All values of some variables."""

    variables: Variables
    label: str = ""


@value
class Complement:
    """The valid words that the body rejects."""

    body: Step
    variables: Variables
    label: str = ""


@value
class Combine:
    """Two automata combined by a connective, op one of & | ^ => <=>."""

    op: str
    left: Step
    right: Step
    variables: Variables
    label: str = ""


@value
class Project:
    """Some values of the quantified variables."""

    quantified: Variables
    body: Step
    variables: Variables
    label: str = ""


@value
class Infinite:
    """Infinitely many values of one variable."""

    quantified: str
    body: Step
    variables: Variables
    label: str = ""


@value
class AtLeast:
    """At least `count` tuples of values of the quantified variables."""

    quantified: Variables
    count: int
    body: Step
    variables: Variables
    label: str = ""


@value
class NegatedConjunct:
    """A negated part of a block: no values of `quantified` satisfy `body`."""

    quantified: Variables
    body: Step

    @property
    def variables(self) -> Variables:
        """The variables that a guard has to provide."""
        return tuple(name for name in self.body.variables if name not in self.quantified)


@value
class Block:
    """E quantified . (conjunction of parts) & ~(E .. negated) & ...

    The evaluator chooses the order; `variables` are those that remain.
    """

    quantified: Variables
    parts: tuple[Step, ...]
    negated: tuple[NegatedConjunct, ...]
    variables: Variables
    label: str = ""


@value
class Union:
    """Any of the parts, whose variables may differ."""

    parts: tuple[Step, ...]
    variables: Variables
    label: str = ""


@value
class Either:
    """Two blocks with the same relation, one of which is carried out; the evaluator chooses by sizes.

    shared: with its terms shared, which is tried first; plain: as it was before.
    """

    shared: Block
    plain: Block
    variables: Variables
    label: str = ""


Step = Constant | Leaf | Valid | Complement | Combine | Project | Infinite | AtLeast | Block | Union | Either


@value
class Plan:
    """The input of the evaluator: a root step, the sorts of all variables, and the plan's name.

    free: the free variables of the formula, the tracks of the result, in code-unit order; rules:
    the enabled rules of the optimized plan.
    """

    root: Step
    sorts: Mapping[str, Sort]
    free: Variables
    name: str
    rules: Rules = ALL

    def __post_init__(self) -> None:
        """Check the scopes of all names: a plan that captures a variable would give a wrong verdict."""
        check_scopes(self.root, frozenset(self.free))


class PlanError(FibproverError):
    """A plan with a variable in the wrong scope: a defect of fibprover, which is never hidden."""


def check_scopes(step: Step, scope: frozenset[str]) -> None:
    """Check that no name is bound twice on one path, or both bound and free, and that no other name is used.

    scope: the names that are free in the formula or bound above the step.  Linear in the size of the plan.
    Raises PlanError.
    """
    match step:
        case Leaf() | Valid():
            if not scope.issuperset(step.variables):
                unbound = sorted(set(step.variables) - scope)
                raise PlanError(f"a plan uses {', '.join(unbound)} unbound: please report this defect")
        case Project() | AtLeast() | Infinite():
            names = (step.quantified,) if isinstance(step, Infinite) else step.quantified
            check_scopes(step.body, extend_scope(scope, names))
        case Block():
            scope = extend_scope(scope, step.quantified)
            for part in step.parts:
                check_scopes(part, scope)
            for negated in step.negated:
                check_scopes(negated.body, extend_scope(scope, negated.quantified))
        case _:
            for part in children(step):
                check_scopes(part, scope)


def extend_scope(scope: frozenset[str], names: Variables) -> frozenset[str]:
    """Return the scope below a quantifier of some names.  Raises PlanError for a name that it has already."""
    if not names:
        return scope
    inner = scope.union(names)
    if len(inner) < len(scope) + len(names):
        twice = sorted({name for name in names if name in scope or names.count(name) > 1})
        raise PlanError(f"a plan binds {', '.join(twice)} twice: please report this defect")
    return inner


def merged(*parts: Step) -> Variables:
    """Return the variables of several steps together, in order."""
    return tuple(sorted({name for part in parts for name in part.variables}))


def connected(
    quantified: set[str], parts: tuple[Step, ...], negated: tuple[NegatedConjunct, ...]
) -> list[set[str]]:
    """Return the quantified variables in classes: variables of one part or negated conjunct are in one class."""
    classes: list[set[str]] = []
    for part in (*parts, *negated):
        names = quantified & set(part.variables)
        touched = [found for found in classes if found & names]
        if names:
            classes = [found for found in classes if not found & names] + [names.union(*touched)]
    return classes


def children(step: Step) -> tuple[Step, ...]:
    """Return the steps a step is made from, in order."""
    match step:
        case Constant() | Leaf() | Valid():
            return ()
        case Complement() | Project() | Infinite() | AtLeast():
            return (step.body,)
        case Combine():
            return (step.left, step.right)
        case Block():
            return step.parts + tuple(part.body for part in step.negated)
        case Union():
            return step.parts
        case Either():
            return (step.shared, step.plain)


def map_children(step: Step, change: Callable[[Step], Step]) -> Step:
    """Return the step with `change` applied to each child; its own variables stay as they are."""
    match step:
        case Constant() | Leaf() | Valid():
            return step
        case Complement() | Project() | Infinite() | AtLeast():
            return replaced(step, body=change(step.body))
        case Combine():
            return replaced(step, left=change(step.left), right=change(step.right))
        case Block():
            negated = tuple(NegatedConjunct(part.quantified, change(part.body)) for part in step.negated)
            return replaced(step, parts=tuple(map(change, step.parts)), negated=negated)
        case Union():
            return replaced(step, parts=tuple(map(change, step.parts)))
        case Either():
            return replaced(step, shared=change(step.shared), plain=change(step.plain))


def may_be_invalid(step: Step) -> bool:
    """Return whether a step's automaton, with raw predicates left as they are, may accept words that are no numbers.

    Only a conjunction may keep the words of raw languages: all other operations are applied to valid words.
    """
    match step:
        case Leaf():
            return isinstance(step.atom, PredicateAtom) and step.atom.definition.raw
        case Combine(op="&"):
            return may_be_invalid(step.left) or may_be_invalid(step.right)
        case _:
            return False


def text_of(step: Step) -> str:
    """Return a step in a few words, atoms in full: its label in a trace if it is no text of the formula."""
    match step:
        case Constant():
            return "true" if step.value else "false"
        case Leaf():
            return atom_text(step.atom)
        case Valid():
            return f"any {', '.join(step.variables)}"
        case Complement():
            return f"~({text_of(step.body)})"
        case Combine():
            return f"... {step.op} ..."
        case Project():
            return f"E{','.join(step.quantified)} ..."
        case Infinite():
            return f"I{step.quantified} ..."
        case AtLeast():
            return f"E>={step.count} {','.join(step.quantified)} {_short(step.body)}"
        case Union():
            return f"any of {len(step.parts)}"
        case Block():
            return _short(step)
        case Either():
            return _short(step.plain)


def _short(step: Step) -> str:
    """Return a short text of a step: a conjunction by its atoms."""
    if not isinstance(step, Block):
        return text_of(step)
    parts = [text_of(part) if isinstance(part, Leaf) else "(...)" for part in step.parts]
    parts += ["~(...)" if isinstance(part.body, Block) else f"~{text_of(part.body)}" for part in step.negated]
    head = f"E{','.join(step.quantified)} " if step.quantified else ""
    return head + " & ".join(parts)


def atom_text(atom: Atom) -> str:
    """Return the text of an atom."""
    match atom:
        case Linear():
            return _linear_text(atom)
        case Range():
            return _range_text(atom)
        case WordLetter():
            letters = ",".join(map(str, sorted(atom.letters)))
            return f"{atom.word.name}{_indices(atom.variables)} in {{{letters}}}"
        case WordPair():
            left = f"{atom.left.name}{_indices(atom.left_variables)}"
            return f"{left}{atom.relation}{atom.right.name}{_indices(atom.right_variables)}"
        case PredicateAtom():
            return f"${atom.definition.name}({','.join(atom.variables)})"


def _indices(names: Variables) -> str:
    return "".join(f"[{name}]" for name in names)


def _linear_text(atom: Linear) -> str:
    """Return the text with negative terms moved to the right, and the constant on the side where it is positive."""
    left: list[str] = []
    right: list[str] = []
    for coefficient, name in zip(atom.coefficients, atom.variables, strict=True):
        size = abs(coefficient)
        (left if coefficient > 0 else right).append(name if size == 1 else f"{size}*{name}")
    if atom.constant > 0:
        right.append(str(atom.constant))
    elif atom.constant < 0:
        left.append(str(-atom.constant))
    return f"{'+'.join(left) or 0}{atom.relation}{'+'.join(right) or 0}"


def _range_text(atom: Range) -> str:
    """Return the text with negative terms moved to both ends."""
    terms = list(zip(atom.coefficients, atom.variables, strict=True))
    middle = "+".join(name if c == 1 else f"{c}*{name}" for c, name in terms if c > 0)
    moved = [name if c == -1 else f"{-c}*{name}" for c, name in terms if c < 0]

    def end(number: int) -> str:
        shown = [*moved, str(number)] if number or not moved else moved
        return "+".join(shown).replace("+-", "-")

    return f"{end(atom.least)}<={middle or 0}<={end(atom.most)}"


@dataclass
class Numbering:
    """Variables of a step numbered by first occurrence, for keys that do not depend on names."""

    sorts: Mapping[str, Sort]
    order: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> Hashable:
        """Return the number of a variable, with its sort at its first occurrence."""
        if name in self.order:
            return self.order[name]
        self.order[name] = len(self.order)
        if is_family(self.sorts[name].system):
            self.order.setdefault(PARAMETER, len(self.order))  # its automata have the track of the parameter, too
        return (self.order[name], self.sorts[name])

    def all(self, names: tuple[str, ...]) -> Hashable:
        """Return the numbers of several variables."""
        return tuple(self.of(name) for name in names)


def key_of(step: Step, numbering: Numbering) -> Hashable:
    """Return a hashable form of a step up to renaming of its variables."""
    match step:
        case Constant():
            return ("constant", step.value)
        case Valid():
            return ("valid", numbering.all(step.variables))
        case Leaf():
            return atom_key(step.atom, numbering)
        case Complement():
            return ("not", key_of(step.body, numbering))
        case Combine():
            return (step.op, key_of(step.left, numbering), key_of(step.right, numbering))
        case Project():
            return ("exists", key_of(step.body, numbering), numbering.all(step.quantified))
        case Infinite():
            return ("infinite", key_of(step.body, numbering), numbering.of(step.quantified))
        case AtLeast():
            body = key_of(step.body, numbering)
            return ("at least", step.count, body, numbering.all(step.quantified))
        case Union():
            return ("union", tuple(key_of(part, numbering) for part in step.parts))
        case Block():
            parts = tuple(key_of(part, numbering) for part in step.parts)
            negated = tuple(
                (key_of(part.body, numbering), numbering.all(part.quantified)) for part in step.negated
            )
            return ("block", parts, negated, numbering.all(step.quantified))
        case Either():
            return ("either", key_of(step.shared, numbering), key_of(step.plain, numbering))


def atom_key(atom: Atom, numbering: Numbering) -> Hashable:
    """Return a hashable form of an atom up to renaming of its variables."""
    match atom:
        case Linear():
            names = atom.variables
            if len(set(atom.coefficients)) < len(names):
                names = _interchanged(atom, numbering)
            return (atom.system, atom.coefficients, numbering.all(names), atom.relation, atom.constant)
        case Range():
            return (atom.system, atom.coefficients, numbering.all(atom.variables), atom.least, atom.most)
        case WordLetter():
            return (atom.word, atom.letters, numbering.all(atom.variables))
        case WordPair():
            left, right = numbering.all(atom.left_variables), numbering.all(atom.right_variables)
            return (atom.left, left, atom.right, right, atom.relation)
        case PredicateAtom():
            return (atom.definition, numbering.all(atom.variables))


def _interchanged(atom: Linear, numbering: Numbering) -> Variables:
    """Return the variables, those of one coefficient in the order of their numbers, and those without numbers last.

    Such variables may change places; so what is equal up to the names of variables has one key in more cases.
    """
    numbers = numbering.order
    places = range(len(atom.variables))
    order = sorted(places, key=lambda i: (-atom.coefficients[i], numbers.get(atom.variables[i], len(numbers)), i))
    return tuple(atom.variables[i] for i in order)
