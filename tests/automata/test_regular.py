"""Compiled regular expressions against sets of short words, and against Python's `re`."""

from __future__ import annotations

import random
import re
from functools import reduce
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track
from fibprover.base.errors import BudgetSpent, DigitError
from fibprover.base.limits import Budget
from fibprover.language.regular_expression import (
    Complement,
    Concat,
    Empty,
    Epsilon,
    Intersection,
    Letters,
    Regex,
    Repeat,
    Union,
)
from fibprover.prover.evaluate import regular_language as regex
from fibprover.prover.evaluate.regular_language import compile_regex
from tests.automata.small import accepted

#: Not in order of their names, and with a digit that is no index.
TRACKS = (Track("b", (-1, 1)), Track("a", (0, 1), "msd_2"))
ALPHABET: list[tuple[int, ...]] = list(product((-1, 1), (0, 1)))
LONGEST = 4
Words = set[tuple[int, ...]]


def expressions(complement: bool) -> st.SearchStrategy[Regex]:
    """Random expressions over TRACKS; without complement and intersection they are `re`'s."""
    letters = st.frozensets(st.sampled_from(ALPHABET), max_size=3).map(Letters)
    bounds = st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(0, 4)))

    def larger(inner: st.SearchStrategy[Regex]) -> st.SearchStrategy[Regex]:
        parts = st.lists(inner, min_size=2, max_size=3).map(tuple)
        choices: list[st.SearchStrategy[Regex]] = [
            parts.map(Concat),
            parts.map(Union),
            st.builds(lambda body, b: Repeat(body, b[0], b[1]), inner, bounds),
        ]
        if complement:
            choices += [parts.map(Intersection), inner.map(Complement)]
        return st.one_of(choices)

    return st.recursive(st.one_of(letters, st.just(Epsilon()), st.just(Empty())), larger, max_leaves=6)


UNIVERSE: frozenset[tuple[int, ...]] = frozenset(
    word for length in range(LONGEST + 1) for word in product(range(4), repeat=length)
)


def joined(left: Words, right: Words) -> Words:
    return {u + v for u in left for v in right if len(u) + len(v) <= LONGEST}


def meaning(regex: Regex) -> Words:
    """The words of at most LONGEST letters that an expression describes, by its definition."""
    match regex:
        case Empty():
            return set()
        case Epsilon():
            return {()}
        case Letters(letters):
            return {(ALPHABET.index(letter),) for letter in letters}
        case Concat(parts):
            return reduce(joined, map(meaning, parts))
        case Union(parts):
            return set().union(*map(meaning, parts))
        case Intersection(parts):
            return set.intersection(*map(meaning, parts))
        case Complement(body):
            return set(UNIVERSE - meaning(body))
        case Repeat(body, least, most):
            once = meaning(body)
            words: Words = set()
            power: Words = {()}
            # More than LONGEST + least copies give nothing new: all but LONGEST of them are empty.
            for times in range(least + LONGEST + 1 if most is None else most + 1):
                if times >= least:
                    words |= power
                power = joined(power, once)
            return words
    raise AssertionError(regex)


@settings(max_examples=100)
@given(expressions(complement=True))
def test_compiled_expressions_mean_what_they_say(regex: Regex) -> None:
    a = compile_regex(regex, TRACKS)
    assert a.tracks == TRACKS
    assert kernel_calls.minimize(a) == a
    assert accepted(a, LONGEST) == meaning(regex)


def as_re(regex: Regex) -> str:
    """The expression in Python's syntax, letters written as the characters a, b, c, d."""
    match regex:
        case Empty():
            return "[^abcd]"
        case Epsilon():
            return "(?:)"
        case Letters(letters):
            return f"[{''.join('abcd'[ALPHABET.index(letter)] for letter in letters)}]" if letters else "[^abcd]"
        case Concat(parts):
            return "".join(f"(?:{as_re(part)})" for part in parts)
        case Union(parts):
            return "|".join(f"(?:{as_re(part)})" for part in parts)
        case Repeat(body, least, most):
            if most is not None and most < least:
                return "[^abcd]"
            return f"(?:{as_re(body)}){{{least},{'' if most is None else most}}}"
    raise AssertionError(regex)


@given(expressions(complement=False))
def test_compiled_expressions_agree_with_re(regex: Regex) -> None:
    a = compile_regex(regex, TRACKS)
    pattern = re.compile(as_re(regex))
    matched = {word for word in UNIVERSE if pattern.fullmatch("".join("abcd"[code] for code in word))}
    assert accepted(a, LONGEST) == matched


BIT = (Track("x", (0, 1), "msd_2"),)
ZERO, ONE = Letters(frozenset([(0,)])), Letters(frozenset([(1,)]))
ANY = Letters(frozenset([(0,), (1,)]))


def states(regex: Regex) -> int:
    return compile_regex(regex, BIT).states


def test_sizes_of_known_automata() -> None:
    assert states(Repeat(ANY, 0, None)) == 1
    assert states(Empty()) == 1
    assert states(Epsilon()) == 1
    assert states(Repeat(ANY, 7, 7)) == 8
    assert states(Concat((Repeat(ANY, 0, None), ONE, Repeat(ANY, 5, 5)))) == 64
    assert states(Complement(Concat((Repeat(ANY, 0, None), ONE, ONE, Repeat(ANY, 0, None))))) == 2
    # zero or more blocks of three, by an intersection of blocks of 3 with words of even length
    three, two = Repeat(Repeat(ANY, 3, 3), 0, None), Repeat(Repeat(ANY, 2, 2), 0, None)
    assert states(Intersection((three, two))) == 6


def test_a_loop_does_not_leak_into_what_precedes_it() -> None:
    # 0* 1*: after a 1 no 0 any more
    a = compile_regex(Concat((Repeat(ZERO, 0, None), Repeat(ONE, 0, None))), BIT)
    assert accepted(a, 3) == {w for n in range(4) for w in product((0, 1), repeat=n) if list(w) == sorted(w)}


def test_silent_cycles_add_nothing() -> None:
    loop = Repeat(Repeat(Epsilon(), 0, None), 0, None)
    assert compile_regex(Concat((loop, ONE, loop)), BIT) == compile_regex(ONE, BIT)


def test_subsets_of_a_nondeterministic_automaton_accept_what_it_accepts() -> None:
    rng = random.Random(3)
    for _ in range(60):
        states = rng.randrange(1, 7)
        moves = [{(rng.randrange(2), rng.randrange(states)) for _ in range(rng.randrange(5))} for _ in range(states)]
        outputs = [rng.randrange(2) for _ in range(states)]
        a = kernel_calls.determinize(BIT, moves, outputs)
        for length in range(6):
            for word in product(range(2), repeat=length):
                reached = {0}
                for letter in word:
                    reached = {target for state in reached for code, target in moves[state] if code == letter}
                assert bool(a.output(word)) == any(outputs[state] for state in reached)


def test_an_empty_alphabet_of_one_digit() -> None:
    a = compile_regex(Repeat(Letters(frozenset([(0,)])), 2, 2), [Track("u", (0,))])
    assert accepted(a, 4) == {(0, 0)}


@pytest.mark.parametrize(
    "budget", [Budget(states=100), Budget(transitions=50), Budget(deadline=0.0)], ids=["states", "transitions", "time"]
)
def test_repetitions_are_bounded_by_the_budget(budget: Budget) -> None:
    with pytest.raises(BudgetSpent):
        compile_regex(Repeat(ANY, 1000, 1000), BIT, budget)


def test_repetitions_are_bounded_without_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regex, "MOST_FRAGMENT_STATES", 10_000)
    with pytest.raises(BudgetSpent):
        compile_regex(Repeat(ANY, 10**9, 10**9), BIT)


def test_nested_repetitions_are_bounded() -> None:
    regex: Regex = ANY
    for _ in range(12):
        regex = Repeat(regex, 10, 10)
    with pytest.raises(BudgetSpent):
        compile_regex(regex, BIT, Budget(states=20_000))


def test_a_complement_needs_an_alphabet_that_fits() -> None:
    wide = [Track(f"t{place}", tuple(range(10))) for place in range(12)]
    with pytest.raises(BudgetSpent):
        compile_regex(Complement(Empty()), wide)


@pytest.mark.parametrize(("letter", "cause"), [((2,), "2 is not among the digits"), ((0, 1), "2 digits for 1 tracks")])
def test_foreign_letters(letter: tuple[int, ...], cause: str) -> None:
    with pytest.raises(DigitError, match=cause):
        compile_regex(Letters(frozenset([letter])), BIT)


def test_the_automaton_is_over_the_given_tracks_in_their_order() -> None:
    swapped: Dfa = compile_regex(Complement(Letters(frozenset([(-1, 1)]))), TRACKS)
    assert swapped.names == ("b", "a")
    assert accepted(swapped, 1) == {(), (0,), (2,), (3,)}
