"""Equal terms become one variable: rule 6 of DESIGN section 4.

A term such as p-i that is an argument was named when the formula was lowered: some x with x+i=p.
Below a conjunction that has such an equation, every comparison may be taken modulo it: r+i=p becomes
r=x, and p>=i becomes x>=0.  What then says that two variables are equal makes them one, if one
of them is quantified there.  An atom is changed only if that leaves it fewer variables, so
it ends.

This is sound in every position, under negations too: within `C & F` the equation C may be used
anywhere in F, for all variables range over all numbers and the atoms are true or false of all
of them; that terms are defined, atoms of their own say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fibprover.plan import logic, rules, steps
from fibprover.plan.affine import linear
from fibprover.plan.conjunction import Conjunction, union_of
from fibprover.plan.logic import Linear, Predicate, WordLetter, WordPair
from fibprover.plan.modulo import Equations, reduced
from fibprover.plan.rules import Rules
from fibprover.plan.steps import Excluded, Names, Step, merged
from fibprover.plan.textbook import leaf
from fibprover.values import replaced


def shared(step: Step, in_force: Rules, free: frozenset[str], known: Equations | None = None) -> Step:
    """The step with its comparisons taken modulo the equations beside and above them.

    known: equations that hold where the step stands; free: the free variables of the whole formula;
    where there is a choice, comparisons get rid of these, for they cannot be projected away.
    """
    known = known or Equations()
    match step:
        case steps.Block():
            return _block(step, in_force, free, known)
        case steps.Union():
            return union_of([shared(part, in_force, free, known) for part in step.parts], step.label)
        case steps.Leaf(atom=Linear() as atom):
            made = reduced(atom, known, free)
            if made == atom:
                return step
            conjunction = Conjunction(in_force)
            _add(conjunction, made)
            return conjunction.step(step.label)
        case steps.AtLeast() | steps.Infinite():
            body = shared(step.body, in_force, free)
            gone = set(step.body.variables) - set(body.variables)
            return step if gone else replaced(step, body=body)
        case _:
            return step


@dataclass
class _Members:
    """The members of a block while they are rewritten."""

    free: frozenset[str]
    quantified: list[str]
    atoms: list[Linear]
    others: list[Step]
    excluded: list[Excluded]
    freed: list[str] = field(default_factory=list)
    false: bool = False

    def simplify(self, known: Equations) -> None:
        """Reduces the atoms by one another until nothing gets simpler, and unites equal variables."""
        changed = True
        while changed and not self.false:
            changed = False
            beside = known.within(self.atoms)
            for atom in list(self.atoms):
                made = reduced(atom, beside, self.free)
                if made == atom:
                    continue
                changed = True
                self.atoms = [other for other in self.atoms if other is not atom]
                self.take(made)
                beside = known.within(self.atoms)
            changed |= self.unite()

    def take(self, made: logic.Logic) -> None:
        """Adds what an atom was reduced to."""
        match made:
            case Linear():
                if made not in self.atoms:
                    self.atoms.append(made)
            case logic.Truth():
                self.false |= not made.value
            case logic.Anything():
                self.freed.extend(made.variables)
            case logic.And():
                self.take(made.left)
                self.take(made.right)
            case _:
                raise AssertionError(f"{made!r} is no reduced atom")

    def unite(self) -> bool:
        """Replaces one quantified variable that an atom says is another; whether there was one."""
        for place, atom in enumerate(self.atoms):
            if atom.relation != "=" or atom.coefficients != (1, -1) or atom.constant:
                continue
            left, right = atom.variables
            gone, kept = (right, left) if right in self.quantified else (left, right)
            if gone not in self.quantified:
                continue
            del self.atoms[place]
            self.quantified.remove(gone)
            mapping = {gone: kept}
            self.freed = [mapping.get(name, name) for name in self.freed] + [kept]
            before, self.atoms = self.atoms, []
            for other in before:
                self.take(_renamed_linear(other, mapping))
            self.others = [renamed(step, mapping) for step in self.others]
            self.excluded = [_renamed_exclusion(part, mapping) for part in self.excluded]
            return True
        return False


def _block(block: steps.Block, in_force: Rules, free: frozenset[str], known: Equations) -> Step:
    """A block with its atoms reduced, then whatever stands in it in the light of its equations."""
    atoms = [part.atom for part in block.parts if isinstance(part, steps.Leaf) and isinstance(part.atom, Linear)]
    others = [part for part in block.parts if not (isinstance(part, steps.Leaf) and isinstance(part.atom, Linear))]
    members = _Members(free, list(block.quantified), atoms, others, list(block.excluded))
    members.simplify(known)
    made = Conjunction(in_force)
    made.quantified = members.quantified
    made.false = members.false
    for atom in members.atoms:
        made.parts.append(leaf(atom))
    if members.freed:
        made.parts.append(steps.Valid(tuple(sorted(set(members.freed)))))
    equations = known.within(members.atoms)
    made.parts.extend(shared(part, in_force, free, equations) for part in members.others)
    for part in members.excluded:
        _exclude(made, part, in_force, free, equations)
    return made.step(block.label)


def _exclude(
    made: Conjunction, part: Excluded, in_force: Rules, free: frozenset[str], known: Equations
) -> None:
    """Adds ~E quantified . body, its body taken modulo the equations around it."""
    body = part.body
    if isinstance(body, steps.Block) and rules.NORMAL_FORM in in_force:
        # Its quantifiers stand at the exclusion; put back, they may be united with other variables.
        body = replaced(body, quantified=(*part.quantified, *body.quantified))
        outside = tuple(name for name in body.variables if name not in part.quantified)
        made.exclude((), shared(replaced(body, variables=outside), in_force, free, known))
    else:
        made.exclude(part.quantified, shared(body, in_force, free, known))


def _add(made: Conjunction, atom: logic.Logic) -> None:
    members = _Members(frozenset(), [], [], [], [])
    members.take(atom)
    made.false = members.false
    made.parts = [leaf(item) for item in members.atoms]
    if members.freed:
        made.parts.append(steps.Valid(tuple(sorted(set(members.freed)))))


def renamed(step: Step, mapping: Mapping[str, str]) -> Step:
    """The step with free variables renamed; bound ones have other names."""
    if not set(mapping) & set(step.variables):
        return step

    def names(old: Names) -> Names:
        return tuple(dict.fromkeys(mapping.get(name, name) for name in old))

    match step:
        case steps.Constant():
            return step
        case steps.Leaf():
            return _renamed_leaf(step, mapping)
        case steps.Valid():
            return steps.Valid(tuple(sorted(names(step.variables))), step.label)
        case steps.Block():
            parts = tuple(renamed(part, mapping) for part in step.parts)
            excluded = tuple(_renamed_exclusion(part, mapping) for part in step.excluded)
            return replaced(step, parts=parts, excluded=excluded, variables=tuple(sorted(names(step.variables))))
        case steps.Union():
            parts = tuple(renamed(part, mapping) for part in step.parts)
            return steps.Union(parts, merged(*parts), step.label)
        case steps.Combine():
            left, right = renamed(step.left, mapping), renamed(step.right, mapping)
            return replaced(step, left=left, right=right, variables=merged(left, right))
        case steps.Complement() | steps.Project() | steps.Infinite() | steps.AtLeast():
            variables = tuple(sorted(names(step.variables)))
            return replaced(step, body=renamed(step.body, mapping), variables=variables)


def _renamed_exclusion(part: Excluded, mapping: Mapping[str, str]) -> Excluded:
    return Excluded(part.quantified, renamed(part.body, mapping))


def _renamed_leaf(step: steps.Leaf, mapping: Mapping[str, str]) -> Step:
    """An atom about other variables; one that becomes trivial is still about them."""
    def new(names: Names) -> Names:
        return tuple(mapping.get(name, name) for name in names)

    match step.atom:
        case Linear() as atom:
            members = _Members(frozenset(), [], [], [], [])
            members.take(_renamed_linear(atom, mapping))
            variables = tuple(sorted({*new(step.variables)}))
            parts: list[Step] = [replaced(leaf(item), label=step.label) for item in members.atoms]
            if members.false:
                parts = [steps.Constant(False)]
            if len(parts) == 1 and parts[0].variables == variables:
                return parts[0]
            return steps.Block((), (*parts, steps.Valid(variables)), (), variables, step.label)
        case WordLetter() as letter:
            return replaced(leaf(replaced(letter, variables=new(letter.variables))), label=step.label)
        case WordPair() as pair:
            changed = replaced(
                pair, left_variables=new(pair.left_variables), right_variables=new(pair.right_variables)
            )
            return replaced(leaf(changed), label=step.label)
        case Predicate() as predicate:
            return replaced(leaf(replaced(predicate, variables=new(predicate.variables))), label=step.label)


def _renamed_linear(atom: Linear, mapping: Mapping[str, str]) -> logic.Logic:
    """A linear atom about other variables, of which some may now be the same."""
    total: dict[str, int] = {}
    for name, c in zip(atom.variables, atom.coefficients, strict=True):
        new = mapping.get(name, name)
        total[new] = total.get(new, 0) + c
    return linear(atom.system, total, atom.constant, atom.relation)
