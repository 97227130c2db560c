"""The predicates that each word has: equality of factors, reversals, palindromes, periods, borders, first occurrences.

Equality of factors, reversals and palindromes are built from a formula with a bounded quantifier, or learned from the
recursion that they satisfy, from values or from experiments: whichever ends first; those of words over a family are
built.  The others are formulas about equality of factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from fibprover.automata import operations
from fibprover.base.errors import BudgetSpent, FibproverError, NotSupported, Unsolved
from fibprover.base.limits import Budget, Limits, cpu_clock, poll, spending
from fibprover.base.names import WORD_PREDICATES, is_family, word_predicate
from fibprover.base.values import RichlyDisplayed, replaced, value
from fibprover.language.builder import call, exists, forall, variables
from fibprover.language.tree import Formula
from fibprover.learn.theorem import Effort, Solution, Uniqueness
from fibprover.prover.decide import Options, decide
from fibprover.prover.environment import Definition, Environment, SystemTable
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord
from fibprover.words.letter_comparison import LetterComparison, equal_letters

if TYPE_CHECKING:
    from fibprover.automata.dfa import Dfa
    from fibprover.infer.word_predicates import Guess

_I, _J, _K, _M, _N, _P = variables("i j k m n p")


def _equal_factors(letters: LetterComparison) -> Formula:
    return forall(_K, (_K < _N) >> letters.formula(_I + _K, _J + _K))


def _reversals(letters: LetterComparison) -> Formula:
    return forall(_K, (_K < _N) >> letters.formula(_I + _K, (_J + _N) - (_K + 1)))


def _palindromes(letters: LetterComparison) -> Formula:
    return forall(_K, (_K < _N) >> letters.formula(_I + _K, (_I + _N) - (_K + 1)))


def _periods(letters: LetterComparison) -> Formula:
    return (_P >= 1) & (_P <= _N) & call(f"feq_{letters.name}", _I, _I + _P, _N - _P)


def _borders(letters: LetterComparison) -> Formula:
    return (_M >= 1) & (_M < _N) & call(f"feq_{letters.name}", _I, _I + _N - _M, _M)


def _first_occurrences(letters: LetterComparison) -> Formula:
    return forall(_J, (_J < _I) >> ~call(f"feq_{letters.name}", _I, _J, _N))


#: The formula of each predicate.
FORMULAS: Mapping[str, Callable[[LetterComparison], Formula]] = MappingProxyType({
    "feq": _equal_factors, "rev": _reversals, "pal": _palindromes, "per": _periods, "border": _borders,
    "first": _first_occurrences,
})


def _equality_recursion(letters: LetterComparison) -> Formula:
    # From the first letter on, not up to the last one: successors have few states, whatever sums have.
    shorter = call(f"feq_{letters.name}", _I + 1, _J + 1, _M)
    return _N.eq(0) | exists(_M, _N.eq(_M + 1) & letters.formula(_I, _J) & shorter)


def _reversal_recursion(letters: LetterComparison) -> Formula:
    shorter = call(f"rev_{letters.name}", _I + 1, _J, _M)
    return _N.eq(0) | exists(_M, _N.eq(_M + 1) & letters.formula(_I, _J + _M) & shorter)


def _palindrome_recursion(letters: LetterComparison) -> Formula:
    one = _N.eq(1) & letters.formula(_I, _I)  # a letter that does not exist is equal to none
    around = letters.formula(_I, _I + _M + 1)
    return _N.eq(0) | one | exists(_M, _N.eq(_M + 2) & call(f"pal_{letters.name}", _I + 1, _M) & around)


#: The recursions of predicates that can be learned.
RECURSIONS: Mapping[str, Callable[[LetterComparison], Formula]] = MappingProxyType({
    "feq": _equality_recursion, "rev": _reversal_recursion, "pal": _palindrome_recursion,
})

#: By how much the arguments of these calls exceed the parameters.
CALLED: Mapping[str, tuple[int, ...]] = MappingProxyType({"feq": (1, 1, -1), "rev": (1, 0, -1), "pal": (1, -2)})

#: The seconds of each way to a predicate in the first round, GUESSING times as many for the guess; each further round
#: has MORE times as many.
FIRST_SECONDS = 0.25
GUESSING = 16
MORE = 4

#: So many counterexamples to a guess are learned from before the next guess.
COUNTEREXAMPLES = 10


@value
class WordPredicate(RichlyDisplayed):
    """A predicate that each word has, such as equality of its factors.

    name: that of the predicate, such as feq_T; formula: what it says; relation: its tuples; theorem: None where the
    relation was built from the formula, else that it is the only one that satisfies a recursion, as the formula does.
    The relation was then learned, or read from a file (where the theorem has no rounds).
    """

    name: str
    formula: Formula
    relation: Relation
    theorem: Uniqueness | None = None

    @property
    def states(self) -> int:
        """States of the relation."""
        return self.relation.states

    @property
    def definition(self) -> Definition:
        """The predicate as formulas call it."""
        return Definition(self.name, self.relation.automaton, self.formula)

    def __contains__(self, values: object) -> bool:
        return values in self.relation

    def __str__(self) -> str:
        states = f"{self.states} state{'s' * (self.states != 1)}"
        if self.theorem is None:
            how = "built from the formula"
        else:
            how = f"{'learned' if self.theorem.rounds else 'read from a file'}\n{self.theorem}"
        return f"{self.name}({', '.join(self.relation.names)}): {self.formula}\n  {states}, {how}"

    def __repr__(self) -> str:
        return f"WordPredicate({self.name}, {self.states} states)"


def has_predicates(word: AutomaticWord) -> bool:
    """Return whether a word is a sequence of letters at the natural numbers, or one for each slope."""
    return len(word.indices) == 1 and bool(word.indices[0].system) and not word.system(word.indices[0]).signed


def no_predicates(word: AutomaticWord) -> str:
    """Return why a word has no predicates."""
    if len(word.indices) != 1:
        return f"{word.name} has {len(word.indices)} indices, but only words with one index have such predicates"
    return f"the index of {word.name} is not a natural number, so the word has no such predicates"


def formula_of(kind: str, letters: LetterComparison) -> Formula:
    """Return the formula of a predicate of words."""
    return FORMULAS[kind](letters).in_system(letters.left.indices[0].system)


def predicate_of(
    kind: str, letters: LetterComparison, limits: Limits | None = None, equality: WordPredicate | None = None,
    candidate: Dfa | None = None,
) -> WordPredicate:
    """Return a predicate of a word, or of two words of one system.

    kind: a key of FORMULAS, of RECURSIONS where other letters than equal ones of one word are compared; equality: that
    of its factors, if it is known; candidate: an automaton from anywhere, for a key of RECURSIONS, which is the
    predicate only if that is proved.  Raises NotSupported for words with several indices and for indices that are no
    natural numbers, BudgetSpent; Unsolved where all ways that end otherwise fail.
    """
    for word in letters.words.values():
        if not has_predicates(word):
            raise NotSupported(no_predicates(word), word.name, 0, len(word.name))
    limits = limits or Limits()
    with spending(limits.start()):
        known = {}
        if kind not in RECURSIONS:
            equality = equality or predicate_of("feq", letters, limits)
            known[equality.name] = equality.definition
        systems = {**letters.right.systems, **letters.left.systems}
        environment = Environment(SystemTable(systems), letters.left.indices[0].system, known, letters.words, {})
        return _PredicateBuilder(kind, letters, environment, limits, candidate).made()


class _PredicateBuilder:
    """The ways to a predicate, and how long each may take."""

    def __init__(
        self, kind: str, letters: LetterComparison, environment: Environment, limits: Limits, candidate: Dfa | None
    ) -> None:
        self.kind = kind
        self.letters = letters
        self.candidate = candidate
        self.name = f"{kind}_{letters.name}"
        self.formula = formula_of(kind, letters)
        recursion = RECURSIONS.get(kind)
        self.recursion = None if recursion is None else recursion(letters).in_system(environment.default_system)
        self.environment = environment
        self.limits = limits
        #: The guess, how many of its candidates were wrong, and the seconds that it has taken.
        self.guess: Guess | None = None
        self.rounds = 0
        self.guessing = 0.0

    def made(self) -> WordPredicate:
        """Return the predicate by the way that ends first: the ways take turns, and have ever more time."""
        ways = {self.proved: 1} if self.candidate is not None else {}
        ways[self.built] = 1
        if self.recursion is not None and not is_family(self.environment.default_system):
            ways |= {self.guessed: GUESSING, self.learned: 1}
        seconds = FIRST_SECONDS
        while len(ways) > 1:
            for way, share in list(ways.items()):
                since = cpu_clock()
                try:
                    return way(self.limits.within(share * seconds))
                except (BudgetSpent, Unsolved):
                    poll(self.name)
                    if cpu_clock() - since < share * seconds:
                        del ways[way]  # More time would not help.
            seconds *= MORE
        return next(iter(ways), self.built)(self.limits)

    def built(self, limits: Limits) -> WordPredicate:
        """Return what the formula says."""
        relation = decide(self.formula, self.environment, Cache(), Options(limits=limits))
        if not isinstance(relation, Relation):
            raise AssertionError("a predicate of a word has parameters")
        return WordPredicate(self.name, self.formula, relation)

    def proved(self, limits: Limits) -> WordPredicate:
        """Return the candidate if it is the solution of the recursion; raise Unsolved if it is not."""
        if self.candidate is None:
            raise AssertionError("there is no candidate")
        return self._confirmed(self.candidate, limits, Effort(0, 0, 0.0, 0.0))

    def guessed(self, limits: Limits) -> WordPredicate:
        """Return what is guessed from experiments, when it is the solution of the recursion.

        Raises Unsolved where there is no guess.
        """
        since = cpu_clock()
        with spending(limits.start()) as budget:
            try:
                guess = self._begun(budget)
                candidate = self._refined(guess, budget)
            except (BudgetSpent, Unsolved):
                raise
            except FibproverError as problem:
                raise Unsolved(problem.message) from None
            finally:
                self.guessing += cpu_clock() - since
            effort = Effort(self.rounds + 1, guess.questions, self.guessing, 0.0)
            return self._confirmed(candidate, budget.remaining(), effort)

    def _begun(self, budget: Budget) -> Guess:
        """Return the guess: a new one, or the one that has begun, which goes on where a budget was spent."""
        from fibprover.infer import word_predicates as guesses  # late: most predicates are built

        if self.guess is None:
            kinds: dict[str, Callable[[LetterComparison, Budget], Guess]] = {
                "feq": guesses.EqualityOfFactors, "rev": guesses.Reversals, "pal": guesses.Palindromes,
            }
            self.guess = kinds[self.kind](self.letters, budget)
        else:
            self.guess.resume(budget)
        return self.guess

    def _refined(self, guess: Guess, budget: Budget) -> Dfa:
        """Return the relation of a guess that satisfies the recursion, after it has learned where it did not."""
        while guess.compare():
            pass
        candidate = self._candidate(guess, budget)
        while wrong := self._counterexamples(candidate, budget.remaining()):
            self.rounds += 1
            if not sum(guess.learn_from(numbers) for numbers in self._asked_for(wrong)):
                raise Unsolved(f"the letters and the formula disagree about {self.name}")
            candidate = self._candidate(guess, budget)
        return candidate

    def _candidate(self, guess: Guess, budget: Budget) -> Dfa:
        """Return what a guess says of the predicate."""
        found = guess.automaton()
        valid = self.environment.system(self.environment.default_system).valid
        found = operations.as_relation(found, [valid.renamed([name]) for name in found.names], budget)
        if self.kind == "feq":
            return found
        ends = replaced(self.environment, definitions={"ends": Definition("ends", found)})
        formula = call("ends", _I, _J + _N, _N) if self.kind == "rev" else call("ends", _I, _I + _N)
        around = formula.in_system(self.environment.default_system)
        relation = decide(around, ends, Cache(), Options(limits=budget.remaining()))
        if not isinstance(relation, Relation):
            raise AssertionError("a predicate has parameters")
        return relation.automaton

    def _asked_for(self, wrong: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
        """Yield numbers for a guess: where the predicate is wrong, and where the recursion calls it from there."""
        for numbers in wrong:
            called = tuple(number + more for number, more in zip(numbers, CALLED[self.kind], strict=True))
            for *places, n in (numbers, called):
                if n >= 0:
                    last = places[-1] + n
                    yield {"feq": (*places, n), "rev": (places[0], last, n), "pal": (places[0], last)}[self.kind]

    def _counterexamples(self, candidate: Dfa, limits: Limits) -> list[tuple[int, ...]]:
        """Return some numbers where a candidate does not satisfy the recursion; none if it does."""
        if self.recursion is None:
            raise AssertionError("this predicate has no recursion")
        known = {**self.environment.definitions, self.name: Definition(self.name, candidate)}
        around, names = replaced(self.environment, definitions=known), " ".join(WORD_PREDICATES[self.kind])
        here = call(self.name, *variables(names)).in_system(self.environment.default_system)
        sides = [decide(side, around, Cache(), Options(limits=limits)) for side in (self.recursion, here)]
        left, right = (side for side in sides if isinstance(side, Relation))
        return (left ^ right).first(COUNTEREXAMPLES, limits)

    def _confirmed(self, candidate: Dfa, limits: Limits, effort: Effort) -> WordPredicate:
        """Return a candidate if it is the solution of the recursion; raise Unsolved if it is not."""
        from fibprover.learn.solving import confirmed

        if self.recursion is None:
            raise AssertionError("this predicate has no recursion")
        formulas, candidates = {self.name: self.recursion}, {self.name: candidate}
        solution = confirmed(formulas, candidates, self.environment, Options(limits=limits), _N, effort)
        if solution is None:
            raise Unsolved(f"the candidate for {self.name} is another relation")
        return self._by(solution)

    def learned(self, limits: Limits) -> WordPredicate:
        """Return the solution of the recursion."""
        from fibprover.learn.solving import solve  # late: most predicates are built

        if self.recursion is None:
            raise AssertionError("this predicate has no recursion")

        solution = solve({self.name: self.recursion}, self.environment, Options(limits=limits), by="n")
        return self._by(solution)

    def _by(self, solution: Solution) -> WordPredicate:
        relation = replaced(solution.relation, origin=self.formula)
        return WordPredicate(self.name, self.formula, relation, solution.theorem)


class WordPredicates(Mapping[str, Definition]):
    """The predicates of words by their names, each made when it is looked up.

    words: the words there are; made: returns a predicate by its kind and the letters that it compares; before: returns
    one that was made before, None if it was not; kept: the names of those that were made before.
    Iteration is over these alone, so that nothing is made by it; `names` are all.
    """

    def __init__(
        self, words: Mapping[str, AutomaticWord], made: Callable[[str, LetterComparison], WordPredicate],
        before: Callable[[str, LetterComparison], WordPredicate | None], kept: Iterable[str],
    ) -> None:
        self._words = words
        self._made = made
        self._before = before
        self._kept = tuple(kept)

    def _parts(self, name: object) -> tuple[str, LetterComparison] | None:
        """Return the kind of a predicate and the letters of its word; None where there is no such predicate."""
        parts = word_predicate(name) if isinstance(name, str) else None
        if parts is None or parts[1] not in self._words:
            return None
        word = self._words[parts[1]]
        return (parts[0], equal_letters(word)) if has_predicates(word) else None

    def __contains__(self, name: object) -> bool:
        return self._parts(name) is not None

    def predicate(self, name: str) -> WordPredicate:
        """Return a predicate with its theorem; KeyError for a name that none has."""
        found = self._parts(name)
        if found is None:
            raise KeyError(name)
        return self._made(*found)

    def __getitem__(self, name: str) -> Definition:
        return self.predicate(name).definition

    def made(self, kind: str, letters: LetterComparison) -> Definition:
        """Return a predicate of words, which is made if it was not."""
        return self._made(kind, letters).definition

    def known(self, kind: str, letters: LetterComparison) -> Definition | None:
        """Return a predicate of words that was made before; None for any other."""
        before = self._before(kind, letters)
        return None if before is None else before.definition

    def names(self) -> list[str]:
        """Return the names of the predicates of all words."""
        return [name for kind in WORD_PREDICATES for word in self._words if (name := f"{kind}_{word}") in self]

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._kept if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
