"""Replace copies of a condition by counts: the rule `counting` (docs/planning.md).

"At least two" is often written as two copies of a condition with `!=` between them, and "no other one" as
`~E r,s (condition & ~(r=x & s=y))`.  A relation's automaton is deterministic, so its witnesses correspond to
its accepting runs: one count of the condition alone decides both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations
from math import comb

from fibprover.base.values import value
from fibprover.prover.environment import Sort
from fibprover.prover.logic import Linear
from fibprover.prover.plan import steps
from fibprover.prover.plan.steps import NegatedConjunct, Numbering, Step, Variables, key_of, merged


@value
class CountRewrite:
    """The condition and the tuples of a negated conjunct `~E quantified . condition & ~tuple & ...`.

    Each tuple gives every quantified variable in terms of the others, by equations: it has at most
    one value.  Wherever the tuples satisfy the condition and differ from one another, the
    negated conjunct says that the condition has no more values than these.
    """

    quantified: Variables
    condition: steps.Block
    tuples: tuple[tuple[Linear, ...], ...]

    def others(self) -> steps.AtLeast:
        """Return the step for: the condition is satisfied by more values than there are tuples."""
        rest = tuple(name for name in self.condition.variables if name not in self.quantified)
        return steps.AtLeast(self.quantified, len(self.tuples) + 1, self.condition, rest)


def count_rewrite(part: NegatedConjunct) -> CountRewrite | None:
    """Return the condition and the excepted tuples of a negated conjunct, None if it has another form."""
    body = part.body
    if not isinstance(body, steps.Block) or body.quantified or not part.quantified:
        return None
    quantified = set(part.quantified)
    tuples: list[tuple[Linear, ...]] = []
    others = []
    for exception in body.negated:
        equations = _equations(exception)
        if equations is not None and quantified.intersection(exception.variables):
            tuples.append(equations)
        else:
            others.append(exception)
    # Variables that the tuples do not mention are quantified within the condition: they add no values to count.
    determined = quantified & {name for equations in tuples for atom in equations for name in atom.variables}
    if not determined or any(not determined <= _determined(equations, quantified) for equations in tuples):
        return None
    if not determined <= set(merged(*body.parts)):
        return None
    names = {*merged(*body.parts), *(name for other in others for name in other.variables)}
    hidden = tuple(name for name in part.quantified if name in names - determined)
    condition = steps.Block(hidden, body.parts, tuple(others), tuple(sorted(names - set(hidden))))
    return CountRewrite(tuple(name for name in part.quantified if name in determined), condition, tuple(tuples))


def _equations(part: NegatedConjunct) -> tuple[Linear, ...] | None:
    """Return the equations whose conjunction is negated, None if another formula is negated."""
    if part.quantified:
        return None
    body = part.body
    members = body.parts if isinstance(body, steps.Block) and not (body.quantified or body.negated) else (body,)
    atoms = [member.atom for member in members if isinstance(member, steps.Leaf)]
    found = tuple(atom for atom in atoms if isinstance(atom, Linear) and atom.relation == "=")
    return found if len(found) == len(members) else None


def _determined(equations: tuple[Linear, ...], quantified: set[str]) -> set[str]:
    """Return the quantified variables that the equations give in terms of others, one for each equation."""
    found = set()
    for atom in equations:
        elsewhere = {name for other in equations if other is not atom for name in other.variables}
        for coefficient, name in zip(atom.coefficients, atom.variables, strict=True):
            if abs(coefficient) == 1 and name in quantified - elsewhere:
                found.add(name)
                break
    return found


def counted_copies(block: steps.Block) -> Step:
    """Return the block with copies of one condition that pairwise differ replaced by a count of it."""
    quantified = set(block.quantified)
    pairs = {part: names for part in block.negated for names in [_inequality(part, quantified)] if names}
    if not pairs:
        return block
    groups = _groups(block, quantified, set(pairs))
    apart: dict[frozenset[int], dict[str, str]] = {}
    used: dict[frozenset[int], list[NegatedConjunct]] = {}
    for part, names in pairs.items():
        ends = [(_group_of(one, groups), _group_of(other, groups)) for one, other in names]
        first, second = ends[0]
        mapping: dict[str, str] = {}
        for (one, other), (left, right) in zip(names, ends, strict=True):
            if {left, right} != {first, second} or left == right:
                return block
            mapping |= {one: other, other: one}
        apart[frozenset((first, second))] = mapping
        used.setdefault(frozenset((first, second)), []).append(part)
    for copies in _cliques(apart):
        first, *others = copies
        # A count expresses one inequality for each pair of copies, and would lose any other inequality about them.
        said = [part for ends, parts in used.items() if ends & set(copies) for part in parts]
        if len(said) != comb(len(copies), 2):
            continue
        to = {
            number: {name: apart[frozenset((first, number))].get(name, "") for name in groups[first]}
            for number in others
        }
        # The variables of two further copies are paired through those of the first.
        if any(
            apart[frozenset((one, other))].get(to[one][name]) != to[other][name]
            for one, other in combinations(others, 2) for name in groups[first]
        ):
            continue
        inside = {number: _members(block, groups[number]) for number in copies}
        if all(_same(inside[first], inside[number], groups[number], to[number]) for number in others):
            return _counted(block, groups[first], [inside[number] for number in copies], said)
    return block


def _inequality(part: NegatedConjunct, quantified: set[str]) -> list[tuple[str, str]] | None:
    """Return the pairs of quantified variables whose equality is negated, None for another negated conjunct."""
    equations = _equations(part)
    if equations is None:
        return None
    for atom in equations:
        if atom.coefficients != (1, -1) or atom.constant or not set(atom.variables) <= quantified:
            return None
    return [(atom.variables[0], atom.variables[1]) for atom in equations]


def _groups(block: steps.Block, quantified: set[str], apart: set[NegatedConjunct]) -> list[set[str]]:
    """Return the classes of quantified variables that occur together outside the inequalities."""
    groups: list[set[str]] = [{name} for name in block.quantified]
    together = [set(part.variables) & quantified for part in block.parts]
    together += [set(part.variables) & quantified for part in block.negated if part not in apart]
    for names in together:
        touched = [group for group in groups if group & names]
        if len(touched) > 1:
            groups = [group for group in groups if not group & names] + [set().union(*touched)]
    return groups


def _group_of(name: str, groups: list[set[str]]) -> int:
    return next(number for number, group in enumerate(groups) if name in group)


def _cliques(apart: Mapping[frozenset[int], object]) -> Iterator[list[int]]:
    """Yield sets of groups that all differ pairwise, larger ones first (grown greedily from every pair)."""
    found = set()
    for pair in apart:
        clique = set(pair)
        for other in sorted(set().union(*apart) - clique):
            if all(frozenset((other, member)) in apart for member in clique):
                clique.add(other)
        found.add(frozenset(clique))
    return iter(sorted((sorted(clique) for clique in found), key=lambda clique: (-len(clique), clique)))


def _members(block: steps.Block, group: set[str]) -> tuple[list[Step], list[NegatedConjunct]]:
    """Return the parts and negated conjuncts of a block about a group's variables, inequalities aside."""
    parts = [part for part in block.parts if set(part.variables) & group]
    negated = [
        part for part in block.negated
        if set(part.variables) & group and _inequality(part, set(block.quantified)) is None
    ]
    return parts, negated


def _same(
    first: tuple[list[Step], list[NegatedConjunct]], second: tuple[list[Step], list[NegatedConjunct]], group: set[str],
    mapping: Mapping[str, str],
) -> bool:
    """Return whether the second group's members are the first's with the variables exchanged.

    group: the second group; mapping: from the variables of the first.
    """
    if set(mapping.values()) != group or len(mapping) != len(group) or not (first[0] or first[1]):
        return False
    one = Counter(_shape(part, mapping) for part in [*first[0], *first[1]])
    return one == Counter(_shape(part, {}) for part in [*second[0], *second[1]])


def _shape(part: Step | NegatedConjunct, renamed: Mapping[str, str]) -> Hashable:
    """Return a key of a member that depends on the renamed names of its free variables, not on those of bound ones."""
    if isinstance(part, steps.Leaf) and isinstance(part.atom, Linear):
        atom = part.atom
        terms = sorted(
            (renamed.get(name, name), c) for c, name in zip(atom.coefficients, atom.variables, strict=True)
        )
        if atom.relation != "<=" and terms[0][1] < 0:
            return (atom.system, tuple((name, -c) for name, c in terms), atom.relation, -atom.constant)
        return (atom.system, tuple(terms), atom.relation, atom.constant)
    numbering = Numbering(_Untyped())
    body = part.body if isinstance(part, NegatedConjunct) else part
    key = key_of(body, numbering)
    free = tuple(renamed.get(name, name) if name in part.variables else "" for name in numbering.order)
    return (isinstance(part, NegatedConjunct), key, free)


class _Untyped(dict[str, Sort]):
    """Gives every variable the same sort; the sorts of copies are equal, so they need not be compared."""

    def __missing__(self, name: str) -> Sort:
        return Sort("", ())


def _counted(
    block: steps.Block, group: set[str], inside: list[tuple[list[Step], list[NegatedConjunct]]],
    apart: list[NegatedConjunct],
) -> Step:
    """Return the block with the groups' members replaced by one count of the first group's."""
    parts, negated = inside[0]
    dropped = [member for members in inside for member in members[0]]
    copied = [member for members in inside for member in members[1]] + apart
    condition = steps.Block(
        (), tuple(parts), tuple(negated), tuple(sorted({*merged(*parts), *(n for e in negated for n in e.variables)}))
    )
    names = tuple(name for name in block.quantified if name in group)
    rest = tuple(name for name in condition.variables if name not in group)
    count = steps.AtLeast(names, len(inside), condition, rest)
    kept = [part for part in block.parts if part not in dropped]
    left = tuple(part for part in block.negated if part not in copied)
    bound = {name for part in [*kept, count] for name in part.variables} | {n for e in left for n in e.variables}
    quantified = tuple(name for name in block.quantified if name in bound)
    if not (kept or left or quantified):
        return steps.AtLeast(names, len(inside), condition, rest, block.label)
    return steps.Block(quantified, (*kept, count), left, block.variables, block.label)
