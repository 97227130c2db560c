"""Solve equations between the terms of sequences: guess linear representations, and prove that they are the solution.

The proof has two parts.  Every term is given or taken from terms before it (`determined.py`): so there is one solution
at most.  The guesses have the terms that are given, and satisfy each equation: the difference of its sides is a
sequence with a linear representation (`equation_series.py`), which is 0 everywhere.  So they are the solution.  The
first terms, from which representations are guessed, are computed by the equations (`equation_terms.py`) and used for
nothing else but the errors about equations that contradict each other.

Allouche and Shallit, The ring of k-regular sequences (1992), have such recursions for base k.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from time import perf_counter

from fibprover.base.errors import FibproverError, LimitError, NotSupported, TextError, UnknownName, did_you_mean
from fibprover.base.limits import spending
from fibprover.base.names import is_family
from fibprover.base.values import value
from fibprover.language.equations import (
    Digits,
    Equation,
    Equations,
    Extreme,
    Floor,
    Index,
    LetterAt,
    TermAt,
    all_parts,
    terms_of,
)
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.decide import Options
from fibprover.prover.environment import Environment
from fibprover.prover.evaluate.cache import Cache
from fibprover.prover.verdict.relation import Relation
from fibprover.sequences.determined import Decider, check_determined, condition_of, covered_at, domain
from fibprover.sequences.equation_series import SeriesOf
from fibprover.sequences.equation_terms import FirstTerms
from fibprover.sequences.equation_words import exceptions_of_words
from fibprover.sequences.guess import guess_or_rank
from fibprover.sequences.rational import Number
from fibprover.sequences.series import Series
from fibprover.sequences.solution import ProvedEquation, RecursionProblem, SequenceSolution, SequenceTheorem

#: From so many first terms a representation is guessed, until one is proved.
TERMS = (192, 800, 3200)

#: Greater factors of n are no powers of bases.
LARGEST_BASE = 1 << 20

#: The largest dimension of a guess.
MOST_RANK = 48

#: A term with more bits than this, and than so many for each bit of its index, grows too fast.
_LEAST_BITS, _FAST = 160, 16


@value
class Known:
    """What equations may mention: the prover with its names, and sequences that are known."""

    environment: Environment
    options: Options
    sequences: Mapping[str, Series]


def solve_equations(recursions: Mapping[str, Equations], known: Known) -> SequenceSolution:
    """Return the sequences that equations determine, with the theorem.

    RecursionProblem, with the place, for equations that contradict each other or do not determine the terms, and where
    no linear representation is found; UnknownName and NotSupported for what the right sides may not have.
    """
    begun = perf_counter()
    with spending(known.options.limits.start()):
        _check_names(recursions, known)
        system = known.environment.system(_system(recursions, known.environment))
        if system.signed or is_family(system.name):
            raise LimitError(f"equations are about the natural numbers of one system, and not over {system.name}")
        decider = Decider(known.environment, known.options, system, Cache())
        _check_digits(recursions, system)
        determined = check_determined(recursions, decider)
        terms = _first_terms(recursions, known, decider)
        guessing = 0.0
        for count in TERMS:
            start = perf_counter()
            terms.extend(count)
            _check_agreement(terms)
            if _too_large(terms) is not None:
                break
            sequences = _guesses(terms, system, known)
            guessing += perf_counter() - start
            if isinstance(sequences, str):
                raise _unsolved(recursions, terms, system, sequences)
            if sequences is None:
                continue
            proved = _proved(recursions, sequences, known, decider)
            if proved is not None:
                dimensions = {name: sequence.dimension for name, sequence in sequences.items()}
                seconds = perf_counter() - begun - guessing
                theorem = SequenceTheorem(
                    dict(recursions), system.name, proved, determined, dimensions, count, guessing, seconds
                )
                return SequenceSolution(sequences, theorem)
        raise _unsolved(recursions, terms, system, "")


# -- what equations mention ------------------------------------------------------------------


def _check_names(recursions: Mapping[str, Equations], known: Known) -> None:
    """Raise UnknownName for a sequence or word that is not known."""
    for equations in recursions.values():
        for each in equations.equations:
            for part in all_parts(each.right):
                if isinstance(part, TermAt) and part.name not in recursions and part.name not in known.sequences:
                    names = [*recursions, *known.sequences]
                    hint = did_you_mean(part.name, names, kind="sequences")
                    raise UnknownName(
                        f"{part.name} is no sequence that is known", equations.text, part.place.start,
                        part.place.start + len(part.name), hint=hint,
                    )
                if isinstance(part, LetterAt) and part.word not in known.environment.words:
                    raise UnknownName(
                        f"{part.word} is no word that is known", equations.text, part.place.start,
                        part.place.start + len(part.word),
                        hint=did_you_mean(part.word, list(known.environment.words), kind="words"),
                    )
                if isinstance(part, TermAt) and not isinstance(part.at, Digits) and terms_of(part.at):
                    raise NotSupported(
                        "an index cannot have a term of a sequence in it", equations.text, part.place.start,
                        part.place.end, hint="solve finds such functions by a formula about $G(n,v): docs/solve.md",
                    )
        _check_values(equations)


def _check_values(equations: Equations) -> None:
    """Raise RecursionProblem for a term that is given by others, or twice."""
    given: dict[int, Equation] = {}
    for each in equations.equations:
        if each.left.factor:
            continue
        if each.variable or any(isinstance(part, Index | TermAt | LetterAt) for part in all_parts(each.right)):
            raise NotSupported(
                "a term at one index is given by a number", equations.text, each.place.start, each.place.end,
                hint="such as a(0)=1",
            )
        other = given.setdefault(each.left.start, each)
        if other.right != each.right:
            raise RecursionProblem(
                f"{each.name}({each.left.start}) is given twice, also by {other.text}", equations.text,
                each.place.start, each.place.end,
            )


def _system(recursions: Mapping[str, Equations], environment: Environment) -> str:
    """Return the system that equations name, or the base of which their factors are powers, or the default one."""
    named = dict.fromkeys(equations.system for equations in recursions.values() if equations.system)
    if len(named) > 1:
        raise FibproverError(f"the equations name several numeration systems: {', '.join(named)}")
    if named:
        return next(iter(named))
    factors = {number for equations in recursions.values() for number in _factors(equations)}
    roots = {_root(number) for number in factors if number > 1}
    words = any(each.left.word is not None for equations in recursions.values() for each in equations.equations)
    if len(roots) == 1 and not words:
        return f"msd_{min(number for number in factors if number > 1) if len(factors - {1}) == 1 else roots.pop()}"
    return environment.default_system


def _factors(equations: Equations) -> Iterator[int]:
    """Yield the factors of indices on left sides, and if they are all 1 the divisors of indices on right sides."""
    lefts = {each.left.factor for each in equations.equations if each.left.factor}
    if lefts - {1}:
        yield from lefts
        return
    for each in equations.equations:
        for term in terms_of(each.right):
            parts = () if isinstance(term.at, Digits) else all_parts(term.at)
            yield from (part.divisor for part in parts if isinstance(part, Floor))


def _root(number: int) -> int:
    """Return the least number of which another one is a power; a number too large for a base is its own."""
    if number > LARGEST_BASE:
        return number
    for root in range(2, number):
        power = root
        while power < number:
            power *= root
        if power == number:
            return root
        if root * root > number:
            break
    return number


def _check_digits(recursions: Mapping[str, Equations], system: NumerationSystem) -> None:
    """Raise NotSupported for digits that a system does not have, and for indices of two kinds in one equation."""
    for equations in recursions.values():
        for each in equations.equations:
            parts = list(all_parts(each.right))
            words = [part.at.word for part in parts if isinstance(part, TermAt) and isinstance(part.at, Digits)]
            own = each.left.word
            for word in (*words, *(() if own is None else (own,))):
                if not set(word) <= set(system.digits):
                    raise NotSupported(
                        f"{' '.join(map(str, word))} has a digit that is none of {system.name}", equations.text,
                        each.place.start, each.place.end, hint="?msd_fib in front names a numeration system",
                    )
            mixed = any(
                isinstance(part, Index | LetterAt | Extreme)
                or (isinstance(part, TermAt) and not isinstance(part.at, Digits)) for part in parts
            )
            if (own is None and words) or (own is not None and (mixed or each.condition is not None)):
                raise NotSupported(
                    "the indices of an equation are all words n.w, or all numbers", equations.text, each.place.start,
                    each.place.end, hint="such as a(n.01) = a(n.0) + a(n) + 1, or a(2n+1) = a(n) + n",
                )


# -- guessing ----------------------------------------------------------------------------------


def _first_terms(recursions: Mapping[str, Equations], known: Known, decider: Decider) -> FirstTerms:
    words = known.environment.words
    conditions: dict[Equation, Relation] = {}
    for each in chain.from_iterable(equations.equations for equations in recursions.values()):
        for formula in condition_of(each):
            try:
                conditions[each] = decider.relation(formula, "n")
            except TextError as problem:
                raise NotSupported(
                    f"in the condition: {problem.message}", recursions[each.name].text, each.place.start,
                    each.place.end, hint=problem.hint,
                ) from None

    def of_sequence(name: str, number: int) -> Number:
        return known.sequences[name][number]

    return FirstTerms(recursions, decider.system, lambda word, at: int(words[word][at]), of_sequence, conditions)


def _check_agreement(terms: FirstTerms) -> None:
    found = terms.disagreement()
    if found is None:
        return
    name = found.equation.name
    raise RecursionProblem(
        f"the equations contradict each other: {name}({found.number}) is {found.value} by this one, and {found.known} "
        f"by {found.other.text}", terms.recursions[name].text, found.equation.place.start, found.equation.place.end,
    )


def _guesses(terms: FirstTerms, system: NumerationSystem, known: Known) -> dict[str, Series] | str | None:
    """Return the sequences that the first terms suggest; None if there is none for some name.

    A name alone if the first terms of its sequence prove that no representation has the dimension MOST_RANK or less.
    """
    found = {}
    for name, values in terms.values.items():
        guess = guess_or_rank(values, system, MOST_RANK)
        if isinstance(guess, int):
            return name
        if guess is None:
            return None
        found[name] = guess.sequence.with_limits(known.options.limits)
    return found


def _too_large(terms: FirstTerms) -> tuple[str, int, int] | None:
    """Return the name, the index and the bits of a term that is larger than small powers of its index; None for none.
    """
    for name, values in terms.values.items():
        for number, term in enumerate(values):
            bits = term.numerator.bit_length()
            if bits > max(_LEAST_BITS, _FAST * number.bit_length()):
                return name, number, bits
    return None


def _unsolved(
    recursions: Mapping[str, Equations], terms: FirstTerms, system: NumerationSystem, large_rank: str
) -> RecursionProblem:
    """Return the error for equations without a representation; large_rank: see `_guesses`, else ""."""
    name = large_rank or next(iter(recursions))
    count = len(terms.values[name])
    message = (
        f"no linear representation over {system.name} of dimension {MOST_RANK} or less was found that the first "
        f"{count} terms of {', '.join(recursions)} have"
    )
    if large_rank:
        message = (
            f"each linear representation of {name} over {system.name} has a dimension of more than {MOST_RANK}: the "
            f"matrix of its first {count} terms has a greater rank"
        )
    large = _too_large(terms)
    if large is not None:
        message = (
            f"{large[0]}({large[1]}) has {large[2]} bits, and the terms of a sequence with a linear representation "
            "grow like a power of n at most: none is looked for"
        )
    text = recursions[name].text
    first = next(each for each in recursions[name].equations if each.left.factor)
    return RecursionProblem(
        message, text, first.place.start, first.place.end,
        hint="the equations have one solution, but it may be regular over another system (?msd_3 in front), or nowhere",
    )


# -- proving -----------------------------------------------------------------------------------


def _proved(
    recursions: Mapping[str, Equations], sequences: Mapping[str, Series], known: Known, decider: Decider
) -> tuple[ProvedEquation, ...] | None:
    """Return all equations, proved for guesses; None if a guess is wrong about one."""
    proved: list[ProvedEquation] = []
    for name, equations in recursions.items():
        series = SeriesOf(decider, sequences, known.sequences.__getitem__, equations.text)
        given = [each.left.start for each in equations.equations if not each.left.factor]
        for each in equations.equations:
            if not each.left.factor:
                # A given term is compared; there is nothing else to prove.
                if sequences[name][each.left.start] != series.of(each.right)[0]:
                    return None
                proved.append(ProvedEquation(each))
                continue
            difference = series.difference(each)
            if not difference.dimension or difference.first_nonzero() is None:
                proved.append(ProvedEquation(each))
                continue
            exceptions = _exceptions(each, difference, given, equations.text, decider, series)
            if exceptions is None:
                return None
            proved.append(ProvedEquation(each, exceptions))
    return tuple(proved)


def _exceptions(
    equation: Equation, difference: Series, given: Sequence[int], text: str, decider: Decider, series: SeriesOf
) -> tuple[int, ...] | None:
    """Return the indices with given terms at which an equation does not hold; None if it does not hold elsewhere."""
    left = equation.left
    if left.word is not None:
        return exceptions_of_words(decider.system, difference, given, left.word)
    where = domain(equation, text, given, decider)
    if (difference * series.indicator(where)).first_nonzero() is not None:
        return None
    needed = domain(equation, text, (), decider)
    places = {number: covered_at(equation, number) for number in given}
    return tuple(
        number for number, at in places.items() if at is not None and (at,) in needed and difference[at]
    )
