"""The certificate of a sequence that counts, and of what its terms are.

p(n) is the number of values of the other variables for which a formula is true of them and n: the checker builds the
linear representation itself, of the claim of the formula (`counted` in fibprover/checker/fibcheck.py).  What the terms
are is said by equations, by the rule `sequences`: p(x) is a sum of multiples of numbers, of letters of words and of
earlier terms, where a formula says for which x and numbers that is so.  Closed forms are of this kind; other sequences
have the equation p(n) = V[n] if they take few values, and p(n+1) = p(n) + D[n] if their differences do.  The number x
is a term, too: of the sequence that counts the numbers below x.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, nested_too_deeply
from fibprover.base.limits import Budget, effective, poll, spending
from fibprover.language.builder import exists, forall
from fibprover.language.source import source_from
from fibprover.language.tree import Formula, Letter, Variable, WordValue, conjunction, disjunction
from fibprover.prover.certificate.core import joined, text_of, text_of_node
from fibprover.prover.certificate.floors import write_floor
from fibprover.prover.certificate.normal import TRUE, Node, free, negation, normal
from fibprover.prover.certificate.normal import conjunction as conjunction_of
from fibprover.prover.certificate.normal import disjunction as disjunction_of
from fibprover.prover.certificate.proof import Proof
from fibprover.prover.certificate.tables import Line, NotCertified, Proved, Tables, new_name, rational
from fibprover.prover.certificate.writing import Certificate
from fibprover.prover.environment import Environment, Sort
from fibprover.prover.logic import Linear, quantified_variables
from fibprover.sequences.counting import MOST_MINIMIZED
from fibprover.words.automatic import AutomaticWord

if TYPE_CHECKING:
    from fibprover.sequences.series import Series

#: Terms at n, as the equations of closed forms have them, and at the number after m.
INDEX, BEFORE = Variable("n"), Variable("m")

#: The names of the sequence that counts, of that of the numbers, and of the words of values and of differences, where
#: no word has them.
_NAME, _NUMBER, _VALUES, _DIFFERENCES = "p", "number", "values", "differences"

#: The most states and letters of a word of values, or of differences.
_MOST_STATES, _MOST_LETTERS = 500, 40

#: The most states of the automaton of what is counted, as in the checkers.
_MOST_PLACES = 1 << 11

#: The part of the remaining time for such a word and the proof of its equations.
_SHARE = 0.7


class TermAt(NamedTuple):
    """The letter of a word at a number, or the term of the sequence itself, without a word, at an earlier one."""

    word: AutomaticWord | None
    at: Variable


class CountEquation(NamedTuple):
    """p(n) is a sum of multiples of numbers, of terms and of 1 for None, for all values for which a formula is true.

    where: the formula; None if it is so for all n.
    """

    where: Formula | None
    terms: tuple[tuple[Fraction, Variable | TermAt | None], ...]


class TermsByWord(NamedTuple):
    """What the terms of a sequence are by a word: the word, its letters, and the equations, which it is in."""

    word: AutomaticWord
    letters: Sequence[int]
    equations: tuple[CountEquation, ...]

    def statement(self, other: Formula | None = None) -> Formula:
        """Return the statement that the word has these letters and no others, after another one."""
        at_n = WordValue(self.word.name, (INDEX,))
        each = [at_n.eq(Letter(letter)) for letter in self.letters]
        said = conjunction([forall(INDEX, disjunction(each)), *(exists(INDEX, one) for one in each)])
        stated = said.in_system(self.word.tracks[0].system)
        return stated if other is None else conjunction([other, stated])


def count_certificate(
    formula: Formula, environment: Environment, budget: Budget, equations: Sequence[CountEquation] = (),
    statement: Formula | None = None, index: Variable = INDEX, name: str = _NAME,
) -> Certificate:
    """Return the certificate that p(n) is the number of values of the variables of a formula beside n.

    formula, statement: with their systems; equations: what the terms of p are, about numbers of the system of n;
    statement: that of the certificate, by default that the equations say what each term is, or without any that true is
    true: then the certificate proves that all numbers are finite.  index: the variable n of the formula; name: what p
    is called.
    Raises NotCertified, with the reason, for what the checker has no rule for; FibproverError for a statement that is
    false, or equations that do not say what each term is; BudgetSpent.
    """
    try:
        return _Writer(environment, budget, name).certificate(formula, equations, statement, index)
    except RecursionError:
        raise nested_too_deeply() from None


def certificate_of_terms(
    formula: Formula, counts: Series, environment: Environment, budget: Budget, name: str = _NAME,
    statement: Formula | None = None,
) -> Certificate:
    """Return the certificate of what a sequence counts, and of what its terms are if a word says it.

    formula: with its system; counts: the number of values of its other variables; statement: what else is stated.  The
    word is that of the terms, or of the differences of two that follow each other; that it has these letters and no
    others is in the statement.  Where a part of the budget does not suffice for the word and its equations, they are
    left out.
    Raises what `count_certificate` does, and NotCertified for a sequence of several numbers.
    """
    if len(counts.variables) > 1:
        raise NotCertified(f"numbers are counted beside one number, not beside {', '.join(counts.variables)}")
    index = Variable(counts.variables[0])
    try:
        with spending(effective(budget).share(_SHARE).start()) as part:
            if (found := _terms_by_word(counts, environment)) is not None:
                return certificate_by_word(formula, found, environment, part, statement, index, name)
    except BudgetSpent:
        poll("the terms of a sequence")
    return count_certificate(formula, environment, budget, (), statement, index, name)


def certificate_by_word(
    formula: Formula, terms: TermsByWord, environment: Environment, budget: Budget, statement: Formula | None = None,
    index: Variable = INDEX, name: str = _NAME,
) -> Certificate:
    """Return the certificate of what a sequence counts, whose equations are about a word.

    Its statement is that the word has its letters, each of them, and no others, after the statement given.  Raises what
    `count_certificate` does.
    """
    environment = replace(environment, words=ChainMap({terms.word.name: terms.word}, environment.words))  # type: ignore[arg-type]
    return count_certificate(formula, environment, budget, terms.equations, terms.statement(statement), index, name)


def _terms_by_word(counts: Series, environment: Environment) -> TermsByWord | None:
    """Return what the terms are by a word; None if it has too many states or letters, or infinitely many.

    None also for integers, which have no equations, and for representations that are too large to calculate with.
    """
    if counts.system.signed or counts.dimension > MOST_MINIMIZED:
        return None
    try:
        word, letters = small_word(counts, new_name(_VALUES, environment.words))
        return TermsByWord(word, letters, (CountEquation(None, ((Fraction(1), TermAt(word, INDEX)),)),))
    except LimitError:
        pass
    try:
        word, letters = small_word(counts.subsequence(1, 1) - counts, new_name(_DIFFERENCES, environment.words))
    except LimitError:
        return None
    before, step = TermAt(None, BEFORE), TermAt(word, BEFORE)
    return TermsByWord(word, letters, (
        CountEquation(INDEX.eq(0), ((Fraction(counts[0]), None),)),
        CountEquation(INDEX.eq(BEFORE + 1), ((Fraction(1), before), (Fraction(1), step))),
    ))


def small_word(sequence: Series, name: str) -> tuple[AutomaticWord, list[int]]:
    """Return the word of the terms of a sequence, with its letters.

    Raises LimitError if it has too many states or letters, or infinitely many.
    """
    word = sequence.word(name, _MOST_STATES)
    # The word has other letters where there are no numbers.
    letters = sorted(map(int, sequence.values(most=_MOST_STATES)))
    if len(letters) > _MOST_LETTERS:
        raise LimitError(f"there are more than {_MOST_LETTERS} letters")
    return word, letters


class _Writer:
    """Writes the lines of a certificate."""

    def __init__(self, environment: Environment, budget: Budget, name: str) -> None:
        self.tables = Tables(environment, budget)
        self.proof = Proof(self.tables)
        self.name, self.number = (new_name(each, environment.words) for each in (name, _NUMBER))

    def certificate(
        self, formula: Formula, equations: Sequence[CountEquation], statement: Formula | None, index: Variable
    ) -> Certificate:
        """Return the certificate; see `count_certificate`."""
        sort = self.counted(self.name, formula, index.name)
        if equations:
            proved, text = self.determined(equations, sort)
        if statement is not None:
            node, text, _ = self.read(statement, {})
            proved = self.proof.formula(node)
        elif not equations:
            proved, text = self.proof.truth(()), "true"
        if not proved.automaton.outputs[0]:
            raise FibproverError("the proof contradicts what the terms are said to be", hint="please report it")
        for definition in self.proof.atoms.named():
            write_floor(definition, self.proof)
        self.tables.claim("and", [proved], proved.automaton)  # the last claim is the statement
        header = {"certificate": 2, "variables": self.tables.variables()}
        return Certificate(True, (header, *self.tables.lines, {"statement": text}))

    def counted(self, name: str, formula: Formula, index: str) -> Sort:
        """Write a sequence that counts; return the sort of its index."""
        node, text, names = self.read(formula, {})
        if index not in names or len(names) < 2:
            raise NotCertified(f"a formula that counts is about {index} and other variables")
        claim = self.proof.formula(node)
        bound = [names[each] for each in names if each != index]
        if not set(bound) <= set(claim.automaton.names):
            raise NotCertified("a variable that is counted may have any value")
        if claim.automaton.states > _MOST_PLACES:
            raise NotCertified(f"to count takes {claim.automaton.states} states, too many for the checkers")
        sort = self.tables.sorts[names[index]]
        self.tables.check_name(name)
        self.tables.lines.append({
            "sequence": name, "over": self.tables.system(sort), "counts": text, "index": names[index], "bound": bound,
            "claim": claim.number,
        })
        return sort

    def read(self, formula: Formula, known: dict[str, str]) -> tuple[Node, str, dict[str, str]]:
        """Return a formula in normal form, its text, and the names of its free variables; known: those of some."""
        source = source_from(formula)
        assert source is not None
        found, free_names = self.proof.atoms.read(source, known)
        if not self.tables.signed.keys().isdisjoint({*free_names, *quantified_variables(found)}):
            raise NotCertified("integers are not counted in certificates")
        return normal(found), text_of(found), dict(zip(source.formula.free, free_names, strict=True))

    def determined(self, equations: Sequence[CountEquation], sort: Sort) -> tuple[Proved, str]:
        """Claim equations of the sequence; return the claim that they say what each term is, with its text."""
        x = self.tables.variable(sort, "x")
        if any(isinstance(term, Variable) for one in equations for _, term in one.terms):
            m = Variable("m")
            self.counted(self.number, (m < INDEX).in_system(sort.system), INDEX.name)
        lines, branches = list[Line](), list[Node]()
        for one in equations:
            node, text, names, claim = self.where(one, x, sort)
            before, terms = [node], list[Any]()
            for factor, term in one.terms:
                if isinstance(term, TermAt) and term.word is None:
                    before.append(Linear(sort.system, (1, -1), (names[term.at.name], x), "<", 0))
                if factor:
                    terms.append([rational(factor), [] if term is None else [self.factor(term, names)]])
            lines.append({"name": self.name, "index": x, "where": text, "claim": claim.number, "terms": terms})
            whole = conjunction_of(before)
            branches.append(conjunction_of([whole], sorted(free(whole) - {x})))
        every = negation(conjunction_of([negation(disjunction_of(branches))], [x]))
        proved = self.proof.formula(every)
        self.tables.claim("sequences", [proved], proved.automaton, sequences=[self.name], equations=lines)
        return proved, f"(A {x} {joined('|', list(map(text_of_node, branches)))})"

    def where(self, one: CountEquation, x: str, sort: Sort) -> tuple[Node, str, dict[str, str], Proved]:
        """Return the condition of an equation, its text, the names of its variables, and its claim."""
        if one.where is None:
            return TRUE, "true", {INDEX.name: x}, self.proof.truth((x,))
        node, text, names = self.read(one.where.in_system(sort.system), {INDEX.name: x})
        return node, text, names, self.proof.formula(node)

    def factor(self, term: Variable | TermAt, names: dict[str, str]) -> list[str]:
        """Return a number, the letter of a word, or a term of the sequence itself, as an equation has it."""
        if isinstance(term, Variable):
            return [self.number, names[term.name]]
        if term.word is None:
            return [self.name, names[term.at.name]]
        self.tables.word(term.word, [names[term.at.name]])
        return [term.word.name, names[term.at.name]]
