"""Relations of formulas that begin with E, whose automata are not determinized."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import cast

from fibprover.automata.nondeterministic import Nfa
from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits, spending
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.language.tree import Formula, InSystem, Quantified
from fibprover.prover.verdict.relation import Relation, number_of, shown_tuple
from fibprover.prover.verdict.tuples import Value, decoder


@value
class NondeterministicRelation:
    """The tuples of numbers that satisfy `E x,y ... body`: a relation whose automaton is not determinized.

    It can be tested, listed, asked whether it is empty or finite, and written to a file. All else needs
    `determinized()`, which is the relation that the formula has otherwise.

    Fields:

    - nfa: the automaton, over the tracks of the free variables
    - body: the relation of the body
    - lost: the variables that E binds

    >>> r = fp.Session("msd_fib").nondeterministic("Ey x=y+y & y>3")
    >>> r.first(3), 9 in r, r.is_finite(), r.determinized() == fp.Session("msd_fib").relation("Ey x=y+y & y>3")
    ([(8,), (10,), (12,)], False, False, True)
    """

    nfa: Nfa
    body: Relation
    lost: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The free variables, in code-unit order."""
        return tuple(track.name for track in self.nfa.tracks)

    @property
    def states(self) -> int:
        """The number of states."""
        return self.nfa.states

    @property
    def transitions(self) -> int:
        """The number of transitions."""
        return self.nfa.transitions

    def is_empty(self) -> bool:
        """Return whether no tuple satisfies the formula."""
        return self.nfa.is_empty

    def is_finite(self, limits: Limits | None = None) -> bool:
        """Return whether finitely many tuples satisfy the formula; BudgetSpent by the limits."""
        with spending((limits or self.body.limits).start()) as budget:
            return self.nfa.is_finite(budget)

    def __contains__(self, values: object) -> bool:
        """Return whether a tuple satisfies the formula; of one variable also a bare number."""
        given = values if isinstance(values, tuple) and (len(self.names) > 1 or len(values) == 1) else (values,)
        if len(given) != len(self.names):
            raise FibproverError(f"this relation has {plural(len(self.names), 'variable')}, not {len(given)}")
        words = [list(self.body.word(track, each)) for track, each in zip(self.nfa.tracks, given, strict=True)]
        length = max(map(len, words))
        if any(len(word) < length and not track.system for word, track in zip(words, self.nfa.tracks, strict=True)):
            return False
        padded = [[0] * (length - len(word)) + word for word in words]
        codes = []
        for letter in zip(*padded, strict=True):
            code = 0
            for digit, track in zip(letter, self.nfa.tracks, strict=True):
                if digit not in track.digits:
                    return False
                code = code * len(track.digits) + track.digits.index(digit)
            codes.append(code)
        return self.nfa.accepts(codes)

    def tuples(self, limits: Limits | None = None) -> Iterator[tuple[Value, ...]]:
        """Yield all tuples, in the order of `Relation.first`, as they are asked for."""
        decode = decoder(self.nfa.tracks, self.body.system)
        for codes in self.nfa.words((limits or Limits()).start()):
            letters = [self.nfa.letter(code) for code in codes]
            yield decode(tuple(tuple(letter[i] for letter in letters) for i in range(len(self.names))))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield what `tuples` does, as for `Relation`."""
        return cast("Iterator[tuple[int, ...]]", self.tuples())

    def first(self, count: int, limits: Limits | None = None) -> list[tuple[int, ...]]:
        """Return the first tuples, or all if there are fewer; see `Relation.first`."""
        return list(islice(cast("Iterator[tuple[int, ...]]", self.tuples(limits)), number_of("tuples", count)))

    def determinized(self, limits: Limits | None = None) -> Relation:
        """Return the relation.  Exponential at worst: BudgetSpent by the limits, or those of the session.

        >>> r = fp.Session().nondeterministic("Ex y=3*x")
        >>> r.states, r.determinized().states
        (3, 3)
        """
        with spending((limits or self.body.limits).start()):
            return self.body.exists(*self.lost)

    def __str__(self) -> str:
        shown = [shown_tuple(values) for values in islice(self.tuples(), 11)]
        listed = ", ".join(shown[:10]) + (", ..." if len(shown) > 10 else "")
        return f"{head(self)}\n  {listed}" if listed else head(self)


def head(relation: NondeterministicRelation) -> str:
    """Return variables, kind and size in one line."""
    size = "empty" if relation.is_empty() else "finite" if relation.is_finite() else "infinite"
    sizes = f"{plural(relation.states, 'state')}, {plural(relation.transitions, 'transition')}"
    return f"{{{', '.join(relation.names)}}}: {size}, nondeterministic: {sizes}"


def without_quantifiers(formula: Formula) -> tuple[Formula, tuple[str, ...]]:
    """Return the body of a formula that begins with E, in its numeration system, and the variables that E binds.

    Raises FibproverError for a formula that begins otherwise.
    """
    if isinstance(formula, InSystem):
        body, names = without_quantifiers(formula.body)
        return InSystem(formula.system, body), names
    lost: tuple[str, ...] = ()
    while isinstance(formula, Quantified) and formula.kind == "E" and not formula.relation:
        if set(formula.names) & set(lost):
            break
        lost += formula.names
        formula = formula.body
    if not lost:
        raise FibproverError(
            "only a formula that begins with E has an automaton before it is determinized",
            hint="write it with E in front, as in Ej i=2*j",
        )
    return formula, lost
