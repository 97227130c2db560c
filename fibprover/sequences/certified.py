"""The certificate of what `solve` proves of equations: that sequences satisfy them, and that no others do.

The checker has equations in another form: the term at x is a sum of products of terms at variables, where a formula
says what these variables are.  So a(2n+1) = a(n) + a(n+1) is a(x) = a(n) + a(k) where x=2*n+1 & k=n+1, and
a(n.0) = a(n) is a(x) = a(n) where $then_0(n,x): for numbers n, by an automaton that is in the file.  The numbers n
are terms of a sequence themselves, that with number(0) = 0 and number(x) = number(n) + 1 where x=n+1; the powers of -1
are those of another one.  `rule_sequences` of fibprover/checker/fibcheck.py checks it (docs/certificates.md).
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, build_from, explored
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError, nested_too_deeply
from fibprover.base.limits import Budget, spending
from fibprover.base.values import replaced
from fibprover.language.builder import call, exists
from fibprover.language.equations import (
    Constant,
    Digits,
    Equation,
    Expression,
    Index,
    Left,
    Plus,
    TermAt,
    Times,
    terms_of,
)
from fibprover.language.source import Span, source_from
from fibprover.language.tree import Formula, Number, Variable, conjunction
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.certificate.core import joined, text_of, text_of_node
from fibprover.prover.certificate.normal import TRUE, Node, disjunction, free, negation, normal
from fibprover.prover.certificate.normal import conjunction as conjunction_of
from fibprover.prover.certificate.proof import Proof
from fibprover.prover.certificate.tables import Line, NotCertified, Tables, new_name, rational
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.environment import Definition, sort_of
from fibprover.prover.logic import Linear, quantified_variables
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.certified_sums import Product, RightSide, ValueOf
from fibprover.sequences.determined import Decider, N, X, domain, in_order, index_of
from fibprover.sequences.equation_series import SECONDS, SeriesOf
from fibprover.sequences.rational import Number as Rational
from fibprover.sequences.rational import plain
from fibprover.sequences.series import Series, constant
from fibprover.sequences.solution import SequenceSolution
from fibprover.sequences.synchronized import graphs

#: Equations with more least or greatest values, or residues of terms, are not certified.
_MOST_VALUES = 50

#: An equation with terms at more words n.w has no certificate: for each set of them n.w may be no number.
_MOST_ENDINGS = 3

#: The place of an expression that no text has.
_NOWHERE = Span(0, 0)


def sequence_certificate(
    solution: SequenceSolution, known: Mapping[str, Series], decider: Decider, budget: Budget
) -> Certificate:
    """Return the certificate that sequences are the only solution of their equations.

    known: other sequences, which the equations may mention.  Its statement is that the equations say what each term is.
    Raises NotCertified, with the reason, for what the checker has no rule for; BudgetSpent.
    """
    try:
        return _Writer(solution, known, decider, budget).certificate()
    except RecursionError:
        raise nested_too_deeply() from None


class _Writer:
    """Writes the lines of a certificate; solution, known, decider, budget: see `sequence_certificate`."""

    def __init__(
        self, solution: SequenceSolution, known: Mapping[str, Series], decider: Decider, budget: Budget
    ) -> None:
        self.solution, self.known, self.decider = solution, known, decider
        endings = _endings(part for each in solution.theorem.recursions.values() for part in each.equations)
        #: The names of the relations of n and n.w, by w.
        self.endings: Mapping[tuple[int, ...], str] = {word: self.new_ending(word) for word in endings}
        self.relations = {
            name: Definition(name, ending_relation(decider.system, word, budget))
            for word, name in self.endings.items()
        }
        definitions = ChainMap(self.relations, decider.environment.definitions)  # type: ignore[arg-type]  # only read
        self.tables = Tables(replace(decider.environment, definitions=definitions), budget)
        self.proof = Proof(self.tables)
        self.sort = sort_of(decider.system.track("n"))
        self.written = set[str]()
        taken = {*solution.sequences, *known, *decider.environment.words}
        self.number, self.powers = new_name("number", taken), new_name("alternating", taken)
        self.taken = {*taken, self.number, self.powers}
        self.values = list[ValueOf]()

    def new_ending(self, word: tuple[int, ...]) -> str:
        """Return a name for the relation of n and n.w that the user has not defined."""
        return new_name(f"then_{'_'.join(map(str, word))}", set(self.decider.environment.definitions))

    def certificate(self) -> Certificate:
        """Return the certificate."""
        if self.decider.system.signed:
            raise NotCertified("sequences are certified over natural numbers, and not over all integers")
        theorem, system = self.solution.theorem, self.tables.system(self.sort)
        exceptions = {each.equation: each.exceptions for each in theorem.proved}
        names = in_order(theorem.recursions)
        said = self.determined({
            name: [(each, exceptions[each]) for each in theorem.recursions[name].equations] for name in names
        })
        for each in self.values:  # the equation of one may add others
            self.determined_value(each)
        proved = self.proof.formula(conjunction_of(said.values()))
        if not proved.automaton.outputs[0]:
            raise NotCertified(f"in {system} the equations do not say what each term is")
        self.tables.claim("and", [proved], proved.automaton)  # the last claim is the statement
        header = {"certificate": 2, "variables": self.tables.variables()}
        return Certificate(True, (header, *self.tables.lines, {"statement": joined("&", list(said))}))

    def determined(self, recursions: Mapping[str, Sequence[tuple[Equation, tuple[int, ...]]]]) -> dict[str, Node]:
        """Write the proof that sequences are the only ones that satisfy their equations.

        recursions: the equations by the names of the sequences, which are in order, with the indices at which an
        equation does not hold.  Returns for each sequence the formula that its equations say what each term is, by its
        text.
        """
        names = list(recursions)
        for name in names:
            self.sequence(name)
        written = list[tuple[str, list[tuple[Line, Node]]]]()
        for equations in recursions.values():
            x = self.tables.variable(self.sort, "x")
            written.append((x, [
                self.equation(equation, besides, x, names, missing)
                for equation, besides in equations for missing in _subsets(equation)
            ]))
        return self.claimed(names, written)

    def claimed(self, names: Sequence[str], written: Iterable[tuple[str, list[tuple[Line, Node]]]]) -> dict[str, Node]:
        """Claim that sequences are determined by their equations, each with its branch; with the index x of each."""
        lines, formulas = list[Line](), dict[str, Node]()
        for x, equations in written:
            branches = [conjunction_of([branch], sorted(free(branch) - {x})) for _, branch in equations]
            lines += [line for line, _ in equations]
            text = f"(A {x} {joined('|', list(map(text_of_node, branches)))})"
            formulas[text] = negation(conjunction_of([negation(disjunction(branches))], [x]))
        proofs = [self.proof.formula(formula) for formula in formulas.values()]
        self.tables.claim("sequences", proofs, proofs[0].automaton, sequences=list(names), equations=lines)
        return formulas

    def determined_value(self, one: ValueOf) -> None:
        """Write the proof that a sequence has the values of an expression, and those that its pairs with n say."""
        self.sequence(one.name)
        x, k = self.tables.variable(self.sort, "x"), Variable("k")
        equation = Equation(one.name, Left(1, 0), one.expression, N.name, None, f"{one.name}(n)", _NOWHERE)
        written = [self.equation(equation, (), x, [one.name], frozenset())]
        for name, sign in ((one.above, 1), (one.below, -1)):
            products: dict[Product, Rational] = {((self.number, k),): plain(Fraction(sign, one.scale))}
            written.append(self.line(one.name, [X.eq(N), call(name, N, k)], products, frozenset(), x, [one.name]))
        self.claimed([one.name], [(x, written)])

    def value_of(self, expression: Expression, equation: Equation) -> ValueOf:
        """Return the values of an expression about n, which are read in step with it."""
        expression = _placeless(expression)
        if any(isinstance(part.at, Digits) for part in terms_of(expression)):
            raise NotCertified(f"{equation.text} has least or greatest values, or residues, of terms at words n.w")
        for known in self.values:
            if known.expression == expression:
                return known
        if len(self.values) == _MOST_VALUES:
            raise NotCertified(f"more than {_MOST_VALUES} least or greatest values, or residues of terms")
        series = SeriesOf(self.decider, self.solution.sequences, self.known.__getitem__, equation.text).of(expression)
        try:
            with spending(self.decider.options.limits.within(SECONDS).start()):
                scale, above, below = graphs(series)
        except (LimitError, BudgetSpent, AutomatonError) as problem:
            raise NotCertified(
                f"least and greatest values, and residues of terms, are certified where these are read in step with n: "
                f"in {equation.text} {problem.message}"
            ) from None
        name = new_name("value", self.taken)
        self.taken.add(name)
        negative = not (below.exists("v") - below.where(v=0)).is_empty()
        names = self.new_relation("plus", above), self.new_relation("minus", below)
        found = ValueOf(name, expression, series, scale, *names, negative)
        self.values.append(found)
        return found

    def new_relation(self, like: str, relation: Relation) -> str:
        """Define a relation of n and v under a name that is not taken."""
        name = new_name(like, {*self.decider.environment.definitions, *self.relations})
        self.relations[name] = Definition(name, relation.automaton)
        return name

    def equation(
        self, equation: Equation, besides: Sequence[int], x: str, names: Sequence[str],
        missing: frozenset[tuple[int, ...]],
    ) -> tuple[Line, Node]:
        """Return the line of an equation, and that its condition holds and that all terms come before that at x.

        missing: of the words w for which there are terms at n.w, those for which n.w is no number: the term is 0.
        """
        found = RightSide(self, equation, missing)
        if found.partial:
            self.check_domain(equation, conjunction(found.conditions()))
        if equation.left.word is not None:
            left: Formula = call(self.endings[equation.left.word], N, X)
        else:
            left = X.eq(index_of(equation) if equation.left.factor else Number(equation.left.start))
        where = [left, *found.conditions(), *(X.ne(number) for number in besides)]
        return self.line(equation.name, where, found.sum, found.words, x, names)

    def line(
        self, name: str, where: Sequence[Formula], products: Mapping[Product, Rational], words: frozenset[str], x: str,
        names: Sequence[str],
    ) -> tuple[Line, Node]:
        """Return the line of an equation with this condition, a sum of products on its right side, and its branch."""
        source = source_from(conjunction(where).in_system(self.sort.system))
        assert source is not None
        formula, free_names = self.proof.atoms.read(source, {X.name: x})
        if not self.tables.signed.keys().isdisjoint({*free_names, *quantified_variables(formula)}):
            raise NotCertified(f"an equation of {name} has variables for integers, which is not certified")
        indices = dict(zip(source.formula.free, free_names, strict=True))
        node = normal(formula)
        before: list[Node] = [node]
        terms = list[Any]()
        for product, coefficient in products.items():
            for other, index in product:
                self.factor(other, indices[index.name], other in words)
                if other in names:
                    before.append(self.before(indices[index.name], x, names.index(other) < names.index(name)))
            terms.append([rational(coefficient), [[other, indices[index.name]] for other, index in product]])
        claim = self.proof.formula(node)
        return {
            "name": name, "index": x, "where": text_of(formula), "claim": claim.number, "terms": terms,
        }, conjunction_of(before)

    def before(self, index: str, x: str, may_equal: bool) -> Node:
        """Return that the term at an index comes before that at x."""
        if index == x:
            return TRUE if may_equal else negation(TRUE)
        return Linear(self.sort.system, (1, -1), (index, x), "<=" if may_equal else "<", 0)

    def check_domain(self, equation: Equation, where: Formula) -> None:
        """Raise NotCertified if an equation is not written for all n: a floor, or another number in it, is negative."""
        inner = [Variable(name) for name in where.free if name != N.name]
        text = self.solution.theorem.recursions[equation.name].text
        if self.decider.relation(exists(*inner, where), N.name) != domain(equation, text, (), self.decider):
            raise NotCertified(f"a floor or an exponent in {equation.text} is not a natural number for all n")

    # Sequences

    def factor(self, name: str, index: str, is_word: bool) -> None:
        """Write a sequence, or a word, of which there is a term in an equation."""
        words = self.decider.environment.words
        if is_word and (name in self.solution.sequences or name in self.known):
            raise NotCertified(f"{name} is a word, and the name of a sequence")
        if is_word:
            self.tables.word(words[name], [index])
        elif name not in self.written:
            self.sequence(name)
            if name in (self.number, self.powers):
                self.determined({name: [(each, ()) for each in _steps(name, 0 if name == self.number else 1)]})

    def sequence(self, name: str) -> None:
        """Write the linear representation of a sequence."""
        if name in self.written:
            return
        self.tables.check_name(name)
        series = self.solution.sequences.get(name) or self.known.get(name) or self.made(name)
        if series.systems != (self.decider.system,):
            raise NotCertified(f"{name} is a sequence over another system")
        self.written.add(name)
        self.tables.lines.append({
            "sequence": name, "over": self.tables.system(self.sort), "row": list(map(rational, series.entering)),
            "column": list(map(rational, series.leaving)),
            "matrices": [[[part for at, entry in row for part in (at, rational(entry))] for row in matrix]
                         for matrix in series.parts],
        })

    def made(self, name: str) -> Series:
        """Return the sequence of the numbers n, that of the powers of -1, or the values of an expression."""
        for each in self.values:
            if each.name == name:
                return each.series
        one = constant(self.decider.system, 1)
        numbers = one.partial_sums()
        return numbers if name == self.number else one - 2 * (numbers % 2)


def _placeless(part: Any) -> Any:
    """Return an expression without the places of its parts in a text."""
    if isinstance(part, Span):
        return _NOWHERE
    names = getattr(type(part), "__match_args__", ())
    return replaced(part, **{name: _placeless(getattr(part, name)) for name in names}) if names else part


def _endings(equations: Iterable[Equation]) -> set[tuple[int, ...]]:
    """Return the words w for which equations have terms at n.w."""
    found = set()
    for each in equations:
        found |= {each.left.word} if each.left.word is not None else set()
        found |= {part.at.word for part in terms_of(each.right) if isinstance(part.at, Digits) and part.at.word}
    return found


def _subsets(equation: Equation) -> Iterator[frozenset[tuple[int, ...]]]:
    """Yield the sets of words w of terms on the right side at n.w: those for which n.w may be no number."""
    words = sorted({part.at.word for part in terms_of(equation.right) if isinstance(part.at, Digits) and part.at.word})
    if len(words) > _MOST_ENDINGS:
        raise NotCertified(f"{equation.text} has terms at too many words n.w to be certified")
    for count in range(len(words) + 1):
        yield from map(frozenset, combinations(words, count))


def ending_relation(system: NumerationSystem, word: tuple[int, ...], budget: Budget) -> Dfa:
    """Return the automaton of n and of the number whose word is that of n with digits after it."""

    def steps(at: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        # The other number is so many digits ahead.
        for digit in system.digits:
            first, *rest = (*at, digit)
            yield first * len(system.digits) + digit, tuple(rest)

    tracks = [system.track("n"), system.track("x")]
    start = (0,) * len(word)
    machine = build_from(tracks, explored(start, steps), lambda at: int(at == word))
    valid = operations.cartesian_product([system.valid.renamed(["n"]), system.valid.renamed(["x"])], budget)
    return operations.conjunction(kernel_calls.minimize(machine, budget), valid, budget)


def _steps(name: str, start: int) -> tuple[Equation, Equation]:
    """Return the equations of the numbers n, which begin with 0, or of the powers of -1, which begin with 1."""
    before = TermAt(name, Index(), _NOWHERE)
    after = Plus(before, Constant(1)) if start == 0 else Times(Constant(-1), before)
    return (
        Equation(name, Left(0, 0), Constant(start), "", None, f"{name}(0)={start}", _NOWHERE),
        Equation(name, Left(1, 1), after, N.name, None, f"{name}(n+1)", _NOWHERE),
    )
