"""Proofs of atoms: comparisons of sums from an automaton that adds, letters and predicates from their automata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, Protocol

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.names import PARAMETER
from fibprover.language.source import Source
from fibprover.prover.certificate.core import Renaming, text_of, without_parameter
from fibprover.prover.certificate.families import Limits
from fibprover.prover.certificate.integers import Integers
from fibprover.prover.certificate.meanings import expression, sequences
from fibprover.prover.certificate.normal import (
    Atom,
    Equivalence,
    Negation,
    Node,
    conjunction,
    negation,
    normal,
)
from fibprover.prover.certificate.recursion import implications
from fibprover.prover.certificate.tables import Line, NotCertified, Proved, Tables
from fibprover.prover.environment import Definition
from fibprover.prover.logic import (
    Linear,
    Logic,
    PredicateAtom,
    WordLetter,
    WordPair,
    children,
    map_children,
    quantified_variables,
)
from fibprover.prover.lower import resolve

_OPPOSITE = {"<=": ">", ">=": "<", "!=": "="}


class Prove(Protocol):
    """Writes the claim of any formula."""

    def __call__(self, node: Node, guard: Dfa | None = None) -> Proved:
        """Return the claim, which may be about the tuples that a guard accepts."""


class Atoms:
    """Writes the claims of atoms, without guards; `prove` writes that of any formula."""

    def __init__(self, tables: Tables, prove: Prove) -> None:
        self.tables, self.prove, self.limits = tables, prove, Limits(tables)
        self.integers = Integers(tables, prove, self.compared)

    def atom(self, atom: Atom) -> Proved:
        """Return the claim of an atom."""
        if atom not in self.tables.written.atoms:
            match atom:
                case Linear():
                    self.tables.written.atoms[atom] = self._linear(atom)
                case WordLetter():
                    self.tables.word(atom.word, atom.variables)
                    self.tables.written.atoms[atom] = self._plain(atom, self.tables.atoms.atom(atom))
                case PredicateAtom():
                    self.tables.written.atoms[atom] = self._predicate(atom)
        return self.tables.written.atoms[atom]

    def _plain(self, atom: Atom, automaton: Dfa) -> Proved:
        """Return the claim of an atom that needs no proof."""
        return self.tables.claim("atom", [], automaton, formula=text_of(atom))

    # Formulas as texts

    def read(self, source: Source, known: Mapping[str, str] | None = None) -> tuple[Logic, tuple[str, ...]]:
        """Return a lowered formula with variables of its own, and its free variables in order.

        known: variables that are there already, in place of some of those of the formula.
        """
        formula = resolve(source, self.tables.environment)
        sorts = dict(formula.sorts)
        for sort in sorts.values():
            self.tables.system(sort)
            self.integers.declare(sort)

        def new(name: str) -> str:
            return self.tables.variable(sorts[name], formula.names.get(name, name))

        own = {name: name for name in self.tables.parameter}
        names = {name: own.get(name) or (known or {}).get(name) or new(name) for name in formula.free}
        found = Renaming(new, self.integers.beyond)(formula.logic, names)
        found = self._written_out(self.integers.translated(found))
        self._declare(found)
        return found, tuple(names.values())

    def _written_out(self, formula: Logic) -> Logic:
        """Return a formula without calls that have no arguments: their formulas take their places."""
        match formula:
            case PredicateAtom(definition, ()) if definition.source is not None and not definition.recursion:
                found, _ = self._read_again(definition)
                if self.prove(normal(found)).automaton != definition.automaton:
                    _refuse(definition)
                return found
            case _:
                return map_children(formula, self._written_out)

    def _declare(self, formula: Logic) -> None:
        """Write what the names in a formula mean, so that it can be read."""
        match formula:
            case WordLetter():
                self.tables.word(formula.word, formula.variables)
            case WordPair():
                self.tables.word(formula.left, formula.left_variables)
                self.tables.word(formula.right, formula.right_variables)
            case PredicateAtom(definition, variables) if definition.recursion:
                self._recursion(definition, variables)
            case PredicateAtom(definition, variables) if self._is_language(definition):
                self._language(definition, variables)
            case PredicateAtom(definition, variables):
                self._definition(definition, variables)
            case _:
                for part in children(formula):
                    self._declare(part)

    def named(self) -> list[Definition]:
        """Return the definitions that formulas read so far have called, in order."""
        definitions, written = self.tables.environment.definitions, self.tables.written
        return [definitions[name] for name in (*written.predicates, *written.meanings) if name in definitions]

    def _is_language(self, definition: Definition) -> bool:
        """Return whether a predicate has no formula; a comparison of integers is one that this module has defined."""
        return definition.raw or (
            isinstance(definition.origin, str) and definition not in self.tables.written.comparisons.values()
        )

    def _predicate(self, atom: PredicateAtom) -> Proved:
        definition, automaton = atom.definition, self.tables.atoms.atom(atom)
        if definition.recursion:
            self._recursion(definition, atom.variables)
        if definition.recursion or self._is_language(definition):
            return self._plain(atom, automaton)
        meaning = self._definition(definition, atom.variables)
        if definition.name not in self.tables.written.defined:
            self.tables.written.defined[definition.name] = self._proved_definition(definition, *meaning)
        return self.tables.claim(
            "definition", [self.tables.written.defined[definition.name]], automaton,
            name=definition.name, arguments=without_parameter(atom.variables),
        )

    def _language(self, definition: Definition, variables: tuple[str, ...]) -> None:
        """Write a predicate that is an automaton, over the systems of these variables."""
        tables = self.tables
        sorts = tuple(tables.sorts[name] for name in variables)
        # Words over plain alphabets are read in the order of the numbers that they stand for here.
        turned = any(
            not track.system and track.stored_reversed != sort.lsd_first
            for track, sort in zip(definition.automaton.tracks, sorts, strict=True)
        )
        shown = list(map(tables.shown_of, variables))
        read_as = tuple(shown), turned
        if tables.written.languages.setdefault(definition.name, read_as) != read_as:
            raise NotCertified(f"${definition.name} is used for numbers of several systems")
        if definition.name not in self.tables.written.predicates:
            tables.check_name(definition.name)
            self.tables.written.predicates[definition.name] = None
            names = tuple(name if name == PARAMETER else tables.variable(sort)
                          for name, sort in zip(variables, sorts, strict=True))
            relation = tables.atoms.relation(definition.automaton, names)
            described = expression(definition, sorts, tables.budget, turned=turned)
            more: Line = {} if described is None else {"expression": described}
            if variables == tables.parameter != ():
                more = sequences(definition)
            tables.predicate(
                definition.name, kernel_calls.reorder(relation, names, tables.budget), systems=shown, **more
            )

    def _recursion(self, definition: Definition, variables: tuple[str, ...]) -> None:
        """Write a relation that `solve` has found, over the systems of these variables, and the proof about it."""
        tables, relations = self.tables, definition.recursion
        self._language(definition, variables)
        if tables.parameter or any(name in tables.signed for name in variables):
            kind = "over a family" if tables.parameter else "for integers"
            raise NotCertified(f"${definition.name} is a recursion {kind}, which is not certified")
        if definition.name in self.tables.written.solved:
            return
        known = [tables.environment.definitions.get(each.name) for each in relations]
        if any(each is None or each.recursion != relations for each in known):
            raise NotCertified(f"a relation that was solved together with ${definition.name} has another meaning now")
        measured = [sort for own in known if own for each in own.recursion if each.name == own.name
                    for sort, weight in zip(own.sorts, each.weights, strict=True) if weight]
        if len(set(measured)) > 1:
            raise NotCertified(f"the measure of ${definition.name} adds numbers of several systems")
        self.tables.written.solved.update(each.name for each in relations)
        calls, bodies, lines = list[PredicateAtom](), list[Node](), list[Line]()
        for each, own in zip(relations, known, strict=True):
            formula, parameters = self.read(each.formula)
            assert own is not None
            if not tables.signed.keys().isdisjoint({*parameters, *quantified_variables(formula)}):
                raise NotCertified(f"the recursion of ${each.name} has variables for integers, which is not certified")
            self._language(own, parameters)
            calls.append(PredicateAtom(own, parameters))
            bodies.append(normal(formula))
            lines.append({
                "name": each.name, "parameters": list(parameters), "formula": text_of(formula),
                "weights": list(each.weights),
            })
        proofs = [self.prove(node) for node in implications(relations, calls, bodies, measured[0].system)]
        if not all(proof.automaton.outputs[0] for proof in proofs):
            raise NotCertified(f"${definition.name} no longer satisfies its recursion", hint="solve it again")
        tables.claim("recursion", proofs, proofs[0].automaton, recursion=lines)

    def _definition(self, definition: Definition, variables: tuple[str, ...]) -> tuple[Logic, tuple[str, ...]]:
        """Return the formula that a definition means, and its parameters; they are written."""
        if definition in self.tables.written.comparisons.values():
            return self.tables.written.meanings[definition.name]
        for name, sort in zip(variables, definition.sorts, strict=True):
            if self.tables.shown_of(name) != self.tables.shown(sort):
                raise NotCertified(f"an argument of ${definition.name} belongs to another system")
        if definition.name not in self.tables.written.meanings:
            self.tables.check_name(definition.name)
            formula, parameters = self._read_again(definition)
            line = {
                "define": definition.name, "parameters": without_parameter(parameters), "formula": text_of(formula),
            }
            self.tables.lines.append(line)
            self.tables.written.meanings[definition.name] = formula, parameters
        return self.tables.written.meanings[definition.name]

    def _read_again(self, definition: Definition) -> tuple[Logic, tuple[str, ...]]:
        """Return the formula of a definition, and its parameters."""
        if definition.name in self.tables.written.reading:
            raise NotCertified(
                f"the formula of ${definition.name} calls ${definition.name}, which meant something else then",
                hint="give the new relation another name",
            )
        self.tables.written.reading.add(definition.name)
        source = definition.source
        assert source is not None
        try:
            found = self.read(source)
        except (NotCertified, BudgetSpent):
            raise
        except FibproverError as error:
            raise NotCertified(f"the formula of ${definition.name} cannot be read again: {error.message}") from None
        self.tables.written.reading.remove(definition.name)
        return found

    def _proved_definition(self, definition: Definition, formula: Logic, parameters: tuple[str, ...]) -> Proved:
        """Return the claim of a definition's formula, whose automaton is the session's."""
        tables = self.tables
        is_comparison = definition in tables.written.comparisons.values()
        proved = self.integers.proved(formula) if is_comparison else self.prove(normal(formula))
        whole = tables.atoms.cylindrify(proved.automaton, parameters)
        tracks = tuple(tables.sorts[name].track(name) for name in parameters)
        known = definition.automaton.with_tracks(tracks)
        if len(parameters) != len(definition.automaton.tracks):
            _refuse(definition)
        if kernel_calls.reorder(whole, parameters, tables.budget) == known:
            return proved
        if not tables.parameter or not self.limits.are_the_same(whole, known):
            _refuse(definition)
        return self.limits.changed(proved, kernel_calls.reorder(known, sorted(parameters), tables.budget))

    # Linear atoms

    def _linear(self, atom: Linear) -> Proved:
        """Return the claim of a comparison: by the order of numbers, by the opposite one, or from sums of two."""
        automaton = self.tables.atoms.atom(atom)
        shape, names = _shape(atom)
        if shape not in self.tables.written.shapes:
            proved = self._first_linear(atom, automaton)
            if atom.relation != "!=":  # that is no linear atom in the normal form
                self.tables.written.shapes[shape] = proved, names
            return proved
        proved, others = self.tables.written.shapes[shape]
        renaming = dict(zip(others, names, strict=True))
        return self.tables.claim("linear", [proved], automaton, formula=text_of(atom), names=renaming)

    def _first_linear(self, atom: Linear, automaton: Dfa) -> Proved:
        """Return the claim of the first atom of its shape."""
        terms = dict(zip(atom.variables, atom.coefficients, strict=True))
        if atom.relation in _OPPOSITE:
            opposite = Linear(atom.system, atom.coefficients, atom.variables, _OPPOSITE[atom.relation], atom.constant)
            return self.tables.claim("not", [self.atom(opposite)], automaton)
        weights = sorted(terms.values())
        if weights == [-1, 1] and atom.constant == 0 and atom.relation in "<>=":
            return self._plain(atom, automaton)
        if atom.relation == "=" and weights in ([1], [-1]) and weights[0] * atom.constant >= 0:
            return self._plain(atom, automaton)
        plus = self._addition(atom.system)
        addends = [name for name, coefficient in terms.items() for _ in range(max(0, coefficient))]
        totals = [name for name, coefficient in terms.items() if coefficient == -1]
        is_sum = len(addends) == 2 and len(totals) == 1 and len(terms) == len({*addends, *totals})
        if is_sum and atom.relation == "=" and atom.constant == 0:
            proved = self.atom(PredicateAtom(plus, (*addends, *totals, *self.tables.parameter)))
        else:
            proved = self.prove(_Sums(self.tables, atom).formula())
        own = proved.automaton if self.tables.parameter else automaton  # beside short beginnings sums may be missing
        return self.limits.changed(self.tables.claim("linear", [proved], own, formula=text_of(atom)), automaton)

    def compared(self, atom: Linear, guard: Dfa) -> Proved:
        """Return the claim of a comparison under a guard that has all its variables."""
        proved = self.prove(_Sums(self.tables, atom).formula(), guard)
        return self.tables.claim(
            "linear", [proved], proved.automaton, guard if proved.guarded else None, formula=text_of(atom)
        )

    def _addition(self, system: str) -> Definition:
        """Return the predicate of addition; it is proved that it adds."""
        if system in self.tables.written.adders:
            return self.tables.written.adders[system]
        tables = self.tables
        sort = tables.environment.sort(system)
        x, y, z, v, w, o, c, d = (tables.variable(sort, name) for name in "xyzvwocd")
        automaton = tables.environment.system(system).linear((1, 1, -1), "=", 0, tables.budget)
        plus = self.tables.written.adders[system] = Definition(tables.new_name(f"plus_{system}"), automaton)
        tables.predicate(plus.name, automaton)

        def adds(*names: str) -> Node:
            return PredicateAtom(plus, (*names, *tables.parameter))

        def compared(left: str, relation: str, right: str) -> Node:
            return Linear(system, (1, -1), (left, right), relation, 0)

        def follows(left: str, right: str, between: str) -> tuple[Node, Node]:
            inner = conjunction((compared(left, "<", between), compared(between, "<", right)), (between,))
            return compared(left, "<", right), negation(inner)

        zero = Linear(system, (1,), (o,), "=", 0)
        base = conjunction((zero, Negation(Equivalence(adds(x, o, z), compared(x, "=", z)))), (x, z, o))
        inner = conjunction((adds(x, y, w), *follows(w, z, d)), (w,))
        step = conjunction((*follows(y, v, c), Negation(Equivalence(adds(x, v, z), inner))), (x, y, v, z))
        proofs = [self.limits.everywhere(self.prove(negation(each))) for each in (base, step)]
        if not all(proof.automaton.outputs[0] for proof in proofs):
            raise NotCertified(f"numbers of {system} are not ordered as their words are, or its automaton does not add")
        tables.claim("addition", proofs, proofs[0].automaton, predicate=plus.name, variables=[o, x, y, z, v, w, c, d])
        return plus


def _refuse(definition: Definition) -> NoReturn:
    """Raise NotCertified: the formula of a definition has another automaton than the definition."""
    raise NotCertified(
        f"the formula of ${definition.name} no longer has the meaning it had when it was defined",
        hint="define it again after what it calls",
    )


def _shape(atom: Linear) -> tuple[object, tuple[str, ...]]:
    """Return what a linear atom says, without the names of its variables, and these names in order."""
    signs = (1, -1) if atom.relation in ("=", "!=") else (1,)
    terms = list(zip(atom.coefficients, atom.variables, strict=True))
    constant, ordered = max((sign * atom.constant, sorted((sign * c, name) for c, name in terms)) for sign in signs)
    return (atom.system, atom.relation, constant, tuple(c for c, _ in ordered)), tuple(name for _, name in ordered)


class _Sums:
    """Writes a linear atom by sums of two variables, constants, and a comparison of two variables."""

    def __init__(self, tables: Tables, atom: Linear) -> None:
        self.tables, self.atom = tables, atom
        self.parts: list[Node] = []
        self.bound: list[str] = []

    def formula(self) -> Node:
        """Return the formula that says the same as the atom."""
        compared = Linear(self.atom.system, (1, -1), (self.side(1), self.side(-1)), self.atom.relation, 0)
        return conjunction([*self.parts, compared], self.bound)

    def new(self) -> str:
        self.bound.append(self.tables.variable(self.tables.sorts[self.atom.variables[0]]))
        return self.bound[-1]

    def side(self, sign: int) -> str:
        """Return a variable that is the sum of the terms on the side of positive, or of negative coefficients."""
        terms = zip(self.atom.coefficients, self.atom.variables, strict=True)
        found = [self.times(sign * coefficient, name) for coefficient, name in terms if sign * coefficient > 0]
        constant = max(0, -sign * self.atom.constant)
        if constant or not found:
            number = self.new()
            self.parts.append(Linear(self.atom.system, (1,), (number,), "=", constant))
            found.append(number)
        total = found[0]
        for other in found[1:]:
            total = self.plus(total, other)
        return total

    def times(self, factor: int, name: str) -> str:
        """Return a variable that is factor * name, by doubling."""
        result = ""
        while factor:
            if factor & 1:
                result = self.plus(result, name) if result else name
            factor >>= 1
            if factor:
                name = self.plus(name, name)
        return result

    def plus(self, left: str, right: str) -> str:
        """Return a variable that is the sum of two."""
        total = self.new()
        coefficients, names = ((2, -1), (left, total)) if left == right else ((1, 1, -1), (left, right, total))
        self.parts.append(Linear(self.atom.system, coefficients, names, "=", 0))
        return total


