"""Equal terms become one variable: the rule `share-terms` (docs/planning.md).

Lowering a formula has given a variable to each argument that is a term such as p-i: some x with x+i=p.
Below a conjunction that has such an equation, every comparison may be taken modulo it: r+i=p becomes
r=x, and p>=i becomes x>=0.  Two variables that are then equal become one, if one
of them is quantified there.  An atom is changed only if that leaves it fewer variables, so
the rewriting ends.

This is sound in every position, under negations too: within `C & F` the equation C may be used
anywhere in F, since all variables range over all numbers and each atom is true or false of any numbers.
Separate atoms say that the terms are defined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fibprover.base.limits import poll, polled
from fibprover.base.values import replaced
from fibprover.prover import logic
from fibprover.prover.logic import Linear
from fibprover.prover.lower import linear
from fibprover.prover.plan import rules, steps
from fibprover.prover.plan.conjunction import Conjunction, union_of
from fibprover.prover.plan.rules import Rules
from fibprover.prover.plan.steps import NegatedConjunct, Step
from fibprover.prover.plan.textbook import leaf


def shared(step: Step, enabled_rules: Rules, free: frozenset[str], known: Equations | None = None) -> Step:
    """Return the step with its comparisons reduced by the equations of the same block and of the blocks around it.

    known: equations that hold at the step; free: the free variables of the whole formula, which are
    eliminated first if there is a choice, since they cannot be projected away.
    """
    known = known or Equations()
    poll("a plan")
    match step:
        case steps.Block():
            return _block(step, enabled_rules, free, known)
        case steps.Union():
            return union_of([shared(part, enabled_rules, free, known) for part in step.parts], step.label)
        case steps.Leaf(atom=Linear() as atom):
            made = reduced(atom, known, free)
            if made == atom:
                return step
            conjunction = Conjunction(enabled_rules)
            _add(conjunction, made)
            return conjunction.step(step.label)
        case steps.AtLeast() | steps.Infinite():
            body = shared(step.body, enabled_rules, free)
            gone = set(step.body.variables) - set(body.variables)
            return step if gone else replaced(step, body=body)
        case _:
            return step


def shared_by_cost(step: Step, enabled_rules: Rules, free: frozenset[str]) -> Step:
    """Return the step with its terms shared; where that may cost more than it gains, leave the choice to the evaluator.

    It may where the negated conjuncts of an outermost block would need more tracks than before.  Blocks further inside
    are not given a choice, since it would hide their members from the block around them.
    """
    if isinstance(step, steps.Union):
        return union_of([shared_by_cost(part, enabled_rules, free) for part in step.parts], step.label)
    made = shared(step, enabled_rules, free)
    if not (isinstance(made, steps.Block) and isinstance(step, steps.Block) and _tracks(made) > _tracks(step)):
        return made
    return steps.Either(made, step, steps.merged(made, step), step.label)


def _tracks(block: steps.Block) -> int:
    """Return the number of variables that a guard has to keep for the negated conjuncts of a block."""
    return len({name for part in block.negated for name in part.variables})


@dataclass
class _Members:
    """The members of a block while they are rewritten."""

    free: frozenset[str]
    quantified: list[str]
    atoms: list[Linear]
    others: list[Step]
    negated: list[NegatedConjunct]
    freed: list[str] = field(default_factory=list)
    false: bool = False

    def simplify(self, known: Equations) -> None:
        """Reduce the atoms by one another until none gets simpler, and unite equal variables."""
        changed = True
        # Of equal equations each would be tried with every other one.
        self.atoms = last_of_equals(self.atoms)
        while changed and not self.false:
            changed = False
            beside = known.within(self.atoms)
            for atom in polled(list(self.atoms), "a plan"):
                made = reduced(atom, beside, self.free)
                if made == atom:
                    continue
                changed = True
                self.atoms = [other for other in self.atoms if other is not atom]
                left = len(self.atoms)
                self.take(made)
                beside.replace(atom, self.atoms[left:])
            while self.unite():
                changed = True
                poll("a plan")

    def take(self, made: logic.Logic) -> None:
        """Add the result of reducing an atom."""
        match made:
            case Linear():
                if made not in self.atoms:
                    self.atoms.append(made)
            case logic.Truth():
                self.false |= not made.value
            case logic.Universe():
                self.freed.extend(made.variables)
            case logic.And():
                self.take(made.left)
                self.take(made.right)
            case _:
                raise AssertionError(f"{made!r} is not a reduced atom")

    def rename(self, mapping: Mapping[str, str]) -> None:
        """Rename a variable in the atoms; only the others that it makes equal to a renamed one are compared."""
        (gone, kept), = mapping.items()
        before, self.atoms = self.atoms, []
        for other in before:
            if gone in other.variables:
                self.take(_renamed_linear(other, mapping))
            elif kept not in other.variables or other not in self.atoms:
                self.atoms.append(other)

    def unite(self) -> bool:
        """Replace one quantified variable that equals another one by an atom; return whether there was one."""
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
            self.rename(mapping)
            self.others = [renamed(step, mapping) for step in self.others]
            self.negated = [_renamed_negation(part, mapping) for part in self.negated]
            return True
        return False


def last_of_equals(atoms: Iterable[Linear]) -> list[Linear]:
    """Return the atoms without the equations that come again later, perhaps under another label."""
    last = {(a.system, a.coefficients, a.variables, a.relation, a.constant): place for place, a in enumerate(atoms)}
    kept = set(last.values())
    return [atom for place, atom in enumerate(atoms) if atom.relation != "=" or place in kept]


def _block(block: steps.Block, enabled_rules: Rules, free: frozenset[str], known: Equations) -> Step:
    """Return a block with its atoms reduced, and its other parts reduced by its equations."""
    atoms = [part.atom for part in block.parts if isinstance(part, steps.Leaf) and isinstance(part.atom, Linear)]
    others = [part for part in block.parts if not (isinstance(part, steps.Leaf) and isinstance(part.atom, Linear))]
    members = _Members(free, list(block.quantified), atoms, others, list(block.negated))
    members.simplify(known)
    made = Conjunction(enabled_rules)
    made.quantified = members.quantified
    made.false = members.false
    for atom in members.atoms:
        made.parts.append(leaf(atom))
    if members.freed:
        made.parts.append(steps.Valid(tuple(sorted(set(members.freed)))))
    equations = known.within(members.atoms)
    made.parts.extend(shared(part, enabled_rules, free, equations) for part in members.others)
    for part in members.negated:
        _add_negated(made, part, enabled_rules, free, equations)
    return made.step(block.label)


def _add_negated(
    made: Conjunction, part: NegatedConjunct, enabled_rules: Rules, free: frozenset[str], known: Equations
) -> None:
    """Add ~E quantified . body, with the body reduced by the equations around it."""
    body = part.body
    if isinstance(body, steps.Block) and rules.NORMAL_FORM in enabled_rules:
        # The quantifiers of the negated conjunct join the body, since they may then be united with other variables.
        body = replaced(body, quantified=(*part.quantified, *body.quantified))
        outside = tuple(name for name in body.variables if name not in part.quantified)
        made.add_negated((), shared(replaced(body, variables=outside), enabled_rules, free, known))
    else:
        made.add_negated(part.quantified, shared(body, enabled_rules, free, known))


def _add(made: Conjunction, atom: logic.Logic) -> None:
    members = _Members(frozenset(), [], [], [], [])
    members.take(atom)
    made.false = members.false
    made.parts = [leaf(item) for item in members.atoms]
    if members.freed:
        made.parts.append(steps.Valid(tuple(sorted(set(members.freed)))))


def renamed(step: Step, mapping: Mapping[str, str]) -> Step:
    """Return the step with free variables renamed; bound ones have other names."""
    if not set(mapping) & set(step.variables):
        return step

    if isinstance(step, steps.Leaf):
        return _renamed_leaf(step, mapping)
    variables = tuple(sorted({mapping.get(name, name) for name in step.variables}))
    return replaced(steps.map_children(step, lambda part: renamed(part, mapping)), variables=variables)


def _renamed_negation(part: NegatedConjunct, mapping: Mapping[str, str]) -> NegatedConjunct:
    return NegatedConjunct(part.quantified, renamed(part.body, mapping))


def _renamed_leaf(step: steps.Leaf, mapping: Mapping[str, str]) -> Step:
    """Return the step of an atom over other variables; an atom that becomes trivial still has them."""
    if isinstance(step.atom, steps.Range):
        raise AssertionError("ranges are made after terms are shared")
    if not isinstance(step.atom, Linear):
        return replaced(leaf(logic.rename_atom(step.atom, mapping)), label=step.label)
    members = _Members(frozenset(), [], [], [], [])
    members.take(_renamed_linear(step.atom, mapping))
    variables = tuple(sorted({mapping.get(name, name) for name in step.variables}))
    parts: list[Step] = [replaced(leaf(item), label=step.label) for item in members.atoms]
    if members.false:
        parts = [steps.Constant(False)]
    if len(parts) == 1 and parts[0].variables == variables:
        return parts[0]
    return steps.Block((), (*parts, steps.Valid(variables)), (), variables, step.label)


def _renamed_linear(atom: Linear, mapping: Mapping[str, str]) -> logic.Logic:
    """Return a linear atom with its variables renamed; some may become the same."""
    total: dict[str, int] = {}
    for name, c in zip(atom.variables, atom.coefficients, strict=True):
        new = mapping.get(name, name)
        total[new] = total.get(new, 0) + c
    return linear(atom.system, total, atom.constant, atom.relation)


#: Equations that share one variable with a comparison cannot make it smaller by themselves, only two of them together;
#: after so many forms no further ones are tried, so that the time stays quadratic in the number of equations.
MOST_TRIED = 64

#: The left side of a comparison, and its constant.
Form = tuple[dict[str, int], int]


@dataclass
class Equations:
    """Equations in the order in which they are tried: those of a conjunction, then those of the formula around it.

    They are looked up by their variables, so that among many equations a comparison is tried only with those that
    can make it smaller.
    """

    own: list[Linear] = field(default_factory=list)
    around: Equations | None = None
    places: dict[str, list[int]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for place, equation in enumerate(self.own):
            for name in equation.variables:
                self.places.setdefault(name, []).append(place)

    def replace(self, atom: Linear, others: Iterable[Linear]) -> None:
        """Remove an equation, if it is one of these, and add the equations among others, to be tried last."""
        for place in self.places.get(atom.variables[0], ()):
            if self.own[place] is atom:
                for name in atom.variables:
                    self.places[name].remove(place)
                break
        for equation in others:
            if equation.relation == "=":
                for name in equation.variables:
                    self.places.setdefault(name, []).append(len(self.own))
                self.own.append(equation)

    def within(self, atoms: Iterable[Linear]) -> Equations:
        """Return these equations and the ones among `atoms`, which are tried first."""
        return Equations([atom for atom in atoms if atom.relation == "="], self)

    def smaller(self, names: Mapping[str, int], most: int, but: Linear) -> Iterator[Linear]:
        """Yield the equations that reduce a comparison of these variables to at most `most`; `but` is not tried.

        An equation of k variables, s of which are in the comparison, eliminates s of them at most, and
        adds k - s new ones.
        """
        equations: Equations | None = self
        while equations is not None:
            for place, s in equations.meeting(names, len(names) - most):
                equation = equations.own[place]
                if equation is not but and len(names) + len(equation.variables) - 2 * s <= most:
                    yield equation
            equations = equations.around

    def meeting(self, names: Mapping[str, int], fewer: int) -> list[tuple[int, int]]:
        """Return the indices of equations with some of the names, and how many; `fewer`: how many names have to go.

        An equation that needs two of the names is not looked up by the name that most equations have.
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
    """Return the atom reduced by one or two of the equations to as few variables as possible.

    The same number of variables is better if at least two fewer of them are free: i=j becomes x=y.  One fewer is
    not enough: each of T[x+1], T[x+2], ... would be expressed by the first instead of x, which would remain as well.
    The atom is returned as it is if nothing is gained.  Its coefficients never grow much, since large
    coefficients make large automata.
    """
    start = (dict(zip(atom.variables, atom.coefficients, strict=True)), atom.constant)
    best, least = start, (len(atom.variables), len(free.intersection(atom.variables)))

    def consider(form: Form) -> None:
        nonlocal best, least
        size = (len(form[0]), len(free.intersection(form[0])))
        # If two forms are both better than the atom itself, the one with fewer free variables is chosen.
        fewer_free = 2 if best is start else 1
        if size[0] < least[0] or (size[0] == least[0] and size[1] + fewer_free <= least[1]):
            best, least = form, size

    def most() -> int:
        return least[0] if least[1] >= (2 if best is start else 1) else least[0] - 1

    once: list[Form] = []
    for equation in equations.smaller(start[0], len(start[0]) + 1, atom):
        if not best[0]:
            break  # nothing is simpler
        if len(once) >= MOST_TRIED and sum(name in start[0] for name in equation.variables) < 2:
            continue
        for form in _eliminated(*start, equation):
            consider(form)
            if len(form[0]) <= len(atom.variables) + 1:
                once.append(form)
    # i=j with i=p-x and j=p-y takes both equations to become x=y.
    for first in polled(once, "a plan"):
        if not best[0]:
            break
        for equation in equations.smaller(first[0], most(), atom):
            for form in _eliminated(*first, equation):
                consider(form)
    if best is start:
        return atom
    # A remaining -x<=0 is kept: it is true of naturals, but in some systems not of all numbers.
    return linear(atom.system, best[0], best[1], atom.relation)


def _eliminated(terms: Mapping[str, int], constant: int, equation: Linear) -> Iterator[Form]:
    """Yield the form without one of the equation's variables, for each common variable whose coefficients divide.

    A form is left out if the sum of its coefficients exceeds those of the form and the equation together: 5000*x+y
    with x=5000*z is better kept.
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
