"""The predicates that each word has: equality of factors, palindromes, periods, borders, first occurrences.

Equality of factors and palindromes are built from a formula with a bounded quantifier, or learned from the recursion
that they satisfy: whichever ends first.  The others are formulas about equality of factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING

from fibprover.base.errors import BudgetSpent, NotSupported, Unsolved
from fibprover.base.limits import Limits, poll, spending
from fibprover.base.names import WORD_PREDICATES, word_predicate
from fibprover.base.values import Displayed, value
from fibprover.prover.decide import Options, decide
from fibprover.prover.environment import Definition, Environment, SystemTable
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord

if TYPE_CHECKING:
    from fibprover.learn.theorem import Uniqueness

#: The formula of each predicate of a word W.
FORMULAS: Mapping[str, str] = MappingProxyType({
    "feq": "Ak k<n => W[i+k]=W[j+k]",
    "pal": "Ak k<n => W[i+k]=W[(i+n)-(k+1)]",
    "per": "p>=1 & p<=n & $feq_W(i,i+p,n-p)",
    "border": "m>=1 & m<n & $feq_W(i,i+n-m,m)",
    "first": "Aj j<i => ~$feq_W(i,j,n)",
})

#: The recursions of predicates that can be learned.  A letter that does not exist is equal to none.
RECURSIONS: Mapping[str, str] = MappingProxyType({
    "feq": "n=0 | Em n=m+1 & $feq_W(i,j,m) & W[i+m]=W[j+m]",
    "pal": "n=0 | (n=1 & W[i]=W[i]) | Em n=m+2 & $pal_W(i+1,m) & W[i]=W[i+m+1]",
})

#: The formula is evaluated for so many seconds; then the recursion is solved for as many, then both have twice as many.
FIRST_SECONDS = 2.0


@value
class WordPredicate(Displayed):
    """A predicate that each word has, such as equality of its factors.

    name: that of the predicate, such as feq_T; formula: what it says; relation: its tuples; theorem: None where the
    relation was built from the formula, else that it is the only one that satisfies a recursion, as the formula does.
    """

    name: str
    formula: str
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
        how = "built from the formula" if self.theorem is None else f"learned\n{self.theorem}"
        return f"{self.name}({', '.join(self.relation.names)}): {self.formula}\n  {states}, {how}"

    def __repr__(self) -> str:
        return f"WordPredicate({self.name}, {self.states} states)"


def has_predicates(word: AutomaticWord) -> bool:
    """Return whether a word is a sequence of letters at the natural numbers."""
    return len(word.tracks) == 1 and bool(word.tracks[0].system) and not word.system(word.tracks[0]).signed


def no_predicates(word: AutomaticWord) -> str:
    """Return why a word has no predicates."""
    if len(word.tracks) != 1:
        return f"{word.name} has {len(word.tracks)} indices, and such predicates are those of words with one"
    return f"the index of {word.name} is no natural number, so it has no such predicates"


def formula_of(kind: str, word: AutomaticWord) -> str:
    """Return the formula of a predicate of a word."""
    return _of_word(FORMULAS[kind], word)


def _of_word(formula: str, word: AutomaticWord) -> str:
    return f"?{word.tracks[0].system} {formula.replace('W', word.name)}"


def predicate_of(
    kind: str, word: AutomaticWord, limits: Limits | None = None, equality: WordPredicate | None = None
) -> WordPredicate:
    """Return a predicate of a word.

    kind: a key of FORMULAS; equality: that of its factors, if it is known.  Raises NotSupported for words with several
    indices and for indices that are no natural numbers, BudgetSpent.
    """
    if not has_predicates(word):
        raise NotSupported(no_predicates(word), word.name, 0, len(word.name))
    limits = limits or Limits()
    with spending(limits.start()):
        known = {}
        if kind not in RECURSIONS:
            equality = equality or predicate_of("feq", word, limits)
            known[equality.name] = equality.definition
        environment = Environment(
            SystemTable(word.systems), word.tracks[0].system, known, {word.name: word}, {}
        )
        return _Making(kind, word, environment, limits).made()


class _Making:
    """The ways to a predicate, and how long each may take."""

    def __init__(self, kind: str, word: AutomaticWord, environment: Environment, limits: Limits) -> None:
        self.kind = kind
        self.name = f"{kind}_{word.name}"
        self.formula = formula_of(kind, word)
        recursion = RECURSIONS.get(kind)
        self.recursion = recursion and _of_word(recursion, word)
        self.environment = environment
        self.limits = limits

    def made(self) -> WordPredicate:
        """Return the predicate by the way that ends first, each of which has ever more time in turn."""
        ways = [self.built, self.learned] if self.recursion else [self.built]
        seconds = FIRST_SECONDS
        while len(ways) > 1:
            for way in list(ways):
                since = monotonic()
                try:
                    return way(self.limits.within(seconds))
                except (BudgetSpent, Unsolved):
                    poll(self.name)
                    if monotonic() - since < seconds:
                        ways.remove(way)  # More time would not help.
            seconds *= 2
        return (ways or [self.built])[0](self.limits)

    def built(self, limits: Limits) -> WordPredicate:
        """Return what the formula says."""
        relation = decide(self.formula, self.environment, Cache(), Options(limits=limits))
        if not isinstance(relation, Relation):
            raise AssertionError("a predicate of a word has parameters")
        return WordPredicate(self.name, self.formula, relation)

    def learned(self, limits: Limits) -> WordPredicate:
        """Return the solution of the recursion."""
        from fibprover.learn.solving import solve  # late: most predicates are built

        solution = solve({self.name: str(self.recursion)}, self.environment, Options(limits=limits), by="n")
        relation = replace(solution.relation, text=self.formula)
        return WordPredicate(self.name, self.formula, relation, solution.theorem)


class WordPredicates(Mapping[str, Definition]):
    """The predicates of words by their names, each made when it is looked up.

    words: the words there are; made: returns a predicate by its name, its kind and its word; kept: the names of those
    that were made before.  Iteration is over these alone, so that nothing is made by it; `names` are all.
    """

    def __init__(
        self, words: Mapping[str, AutomaticWord], made: Callable[[str, str, AutomaticWord], WordPredicate],
        kept: Iterable[str],
    ) -> None:
        self._words = words
        self._made = made
        self._kept = tuple(kept)

    def _parts(self, name: object) -> tuple[str, AutomaticWord] | None:
        """Return the kind of a predicate and its word; None where there is no such predicate."""
        parts = word_predicate(name) if isinstance(name, str) else None
        if parts is None or parts[1] not in self._words:
            return None
        word = self._words[parts[1]]
        return (parts[0], word) if has_predicates(word) else None

    def __contains__(self, name: object) -> bool:
        return self._parts(name) is not None

    def predicate(self, name: str) -> WordPredicate:
        """Return a predicate with its theorem; KeyError for a name that none has."""
        found = self._parts(name)
        if found is None:
            raise KeyError(name)
        return self._made(name, *found)

    def __getitem__(self, name: str) -> Definition:
        return self.predicate(name).definition

    def names(self) -> list[str]:
        """Return the names of the predicates of all words."""
        return [name for kind in WORD_PREDICATES for word in self._words if (name := f"{kind}_{word}") in self]

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._kept if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
