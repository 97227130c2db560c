"""What a certificate says of its names beyond their automata: recurrences, power series, and regular expressions.

Each is written only if it is right, and the checker makes sure of it (docs/certificates.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from fibprover.automata.dfa import Track
from fibprover.automata.digit_order import from_reading_order, lsd_first
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Budget
from fibprover.base.names import system_name
from fibprover.language.regular_expression import (
    Complement,
    Concat,
    Epsilon,
    Intersection,
    Letters,
    Regex,
    Repeat,
    Union,
    parse_regex,
)
from fibprover.numeration.equations import shortest_recurrence
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.environment import Definition, Sort
from fibprover.prover.evaluate.regular_language import compile_regex
from fibprover.words.automatic import AutomaticWord
from fibprover.words.laurent import Exponents
from fibprover.words.series_text import SeriesModulo

#: A recurrence is looked for in systems of at most so many states, with so many first terms.
_MOST_STATES, _MOST_TERMS = 40, 12

#: What the checker may take to make sure of a recurrence.
_SECONDS, _STEPS = 2.0, 1 << 20


def with_recurrence(system: NumerationSystem, line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the line of a system, with the recurrence for which its words are the greedy representations, if any."""
    from fibprover.checker import fibcheck  # makes sure of it, and is loaded for certificates alone

    states, bare = system.valid.states, dict(line)
    counts = system.word_counts(2 * states + 2 * _MOST_TERMS)
    try:
        coefficients = shortest_recurrence(counts)
    except BudgetSpent:
        raise
    except FibproverError:
        return bare
    if states > _MOST_STATES or not 0 < len(coefficients) <= _MOST_TERMS:
        return bare
    first = counts[: len(coefficients)]
    while len(coefficients) > 1 and coefficients[-1] == 0:
        coefficients.pop()
    found = {**bare, "weights": {"first": first, "recurrence": coefficients}}
    try:
        fibcheck.Checker(fibcheck.Budget(_SECONDS, _STEPS)).line(found)
    except (fibcheck.Invalid, fibcheck.Malformed):
        return bare
    return found


def with_series(word: AutomaticWord, line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the line of a word, with the power series of which its letters are coefficients, if it was made of one.

    Left out if its numbers are larger than the checker reads.
    """
    from fibprover.checker import fibcheck  # reads it, and is loaded for certificates alone

    if word.series is None:
        return dict(line)
    found = series_line(word.series)
    try:
        fibcheck.PowerSeries(found, fibcheck.Budget(_SECONDS, _STEPS))
    except fibcheck.Malformed:
        return dict(line)
    return {**line, "series": found}


def series_line(series: SeriesModulo) -> dict[str, Any]:
    """Return a power series as a certificate has it."""
    modulus = {"prime": series.prime, "exponent": series.exponent}
    if series.kind == "coefficients":
        return {**modulus, "equation": _terms(series.equation, series.steps), "first": series.first}
    if series.kind == "diagonal":
        parts = (series.numerator, series.denominator)
        return {**modulus, "diagonal": [_terms(part, series.steps) for part in parts]}
    powers = [(at[1:], -number) for at, number in series.denominator if at[0]]
    factor = [(at[1:], number) for at, number in series.numerator]
    return {**modulus, "power": [_terms(part, series.steps[1:]) for part in (powers, factor)]}


def _terms(polynomial: Iterable[tuple[Exponents, int]], variables: Exponents) -> list[list[int]]:
    """Return the coefficient and the exponents of each term; 0 has a term, too, which has as many variables."""
    return [[number, *at] for at, number in polynomial] or [[0] * (1 + len(variables))]


def expression(
    definition: Definition, sorts: Sequence[Sort], budget: Budget, *, turned: bool = False
) -> list[Any] | None:
    """Return the regular expression of a language as a certificate has it, None if it has none.

    sorts: those of the numbers, which may have more digits than the expression; turned: whether words over plain
    alphabets stand for numbers that are read from the other end.
    """
    from fibprover.checker import fibcheck  # loaded for certificates alone

    if not definition.raw or not isinstance(definition.origin, str):
        return None
    tracks = definition.automaton.tracks
    try:
        tree = parse_regex(definition.origin, [track.digits for track in tracks])
        if tracks and all(map(lsd_first, tracks)):  # certificates have words that begin with the most significant digit
            tree = _mirrored(tree)
            tracks = tuple(track._replace(system=system_name(track.system).reversed().full) for track in tracks)
        found = from_reading_order(compile_regex(tree, tracks, budget), budget)
        if found.with_tracks(definition.automaton.tracks) != definition.automaton:
            return None
    except BudgetSpent:
        raise
    except FibproverError:
        return None
    try:
        plain = _plain(_mirrored(tree) if turned else tree, _every_word(tracks, sorts))
        fibcheck.Expression(plain, [len(sort.digits) for sort in sorts], fibcheck.Budget(_SECONDS, _STEPS))
    except (NotImplementedError, fibcheck.Malformed):
        return None
    return plain


def sequences(definition: Definition) -> dict[str, Any]:
    """Return the expression of the sequences of a family for which a predicate is true, if there is a short one."""
    from fibprover.checker import fibcheck  # loaded for certificates alone

    found = SlopeSet(definition.automaton)
    if found.expression is None:
        return {}
    try:
        family = fibcheck.Family("", found.choices)
        tree = fibcheck.SequenceExpression(found.expression, family).tree
        fibcheck.Expression(tree, [family.digits], fibcheck.Budget(_SECONDS, _STEPS))
    except fibcheck.Malformed:
        return {}
    return {"sequences": found.expression}


def _mirrored(tree: Regex) -> Regex:
    """Return an expression of the reversed words."""
    match tree:
        case Concat(parts):
            return Concat(tuple(map(_mirrored, reversed(parts))))
        case Union(parts):
            return Union(tuple(map(_mirrored, parts)))
        case Intersection(parts):
            return Intersection(tuple(map(_mirrored, parts)))
        case Complement(body):
            return Complement(_mirrored(body))
        case Repeat(body, least, most):
            return Repeat(_mirrored(body), least, most)
        case _:
            return tree


def _every_word(tracks: Sequence[Track], sorts: Sequence[Sort]) -> Regex | None:
    """Return all words over some tracks, if the numbers of the sorts have others, too; None otherwise."""
    if all(track.digits == sort.digits for track, sort in zip(tracks, sorts, strict=True)):
        return None
    return Repeat(Letters(frozenset(product(*(track.digits for track in tracks)))), 0, None)


def _plain(tree: Regex, every: Regex | None) -> list[Any]:
    """Return an expression as lists; every: the words of which a complement consists, if these are not all."""
    match tree:
        case Letters(letters):
            return ["letters", *map(list, sorted(letters))]
        case Concat(parts):
            return ["then", *(_plain(part, every) for part in parts)]
        case Union(parts):
            return ["or", *(_plain(part, every) for part in parts)]
        case Intersection(parts):
            return ["and", *(_plain(part, every) for part in parts)]
        case Complement(body):
            others = ["not", _plain(body, every)]
            return others if every is None else ["and", others, _plain(every, every)]
        case Repeat(body, least, most):
            return ["repeat", _plain(body, every), least, -1 if most is None else most]
        case Epsilon():
            return ["then"]
    raise NotImplementedError(tree)
