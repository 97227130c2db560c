"""Union, concatenation, star, quotients, zeros: against the words themselves, up to a length."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import AutomatonError, BudgetSpent
from fibprover.base.limits import Limits
from tests.automata import small

LONGEST = 6
NUMBERS = (Track("n", (0, 1), "msd_2"),)
PAIRS = (Track("a", (0, 1), "msd_fib"), Track("b", (-1, 0), ""))
TRACKS = (NUMBERS, PAIRS)

Words = set[tuple[int, ...]]


@st.composite
def several(draw: st.DrawFn, count: int, most: int = 4) -> list[Dfa]:
    """Automata over the same tracks."""
    tracks = draw(st.sampled_from(TRACKS))
    return [draw(small.automata(tracks, most)) for _ in range(count)]


def accepted(a: Dfa, longest: int = LONGEST) -> Words:
    return small.accepted(a, longest if a.letters == 2 else 3)


def all_words(a: Dfa) -> Words:
    return set(small.words(a.letters, LONGEST if a.letters == 2 else 3))


def check(result: Dfa, model: Dfa, expected: Words) -> None:
    """The language, the tracks, and that the automaton is canonical."""
    assert accepted(result) == expected
    assert result.tracks == model.tracks
    assert kernel_calls.minimize(result).same_arrays(result)


@given(several(3))
def test_union(parts: list[Dfa]) -> None:
    check(operations.union(parts), parts[0], accepted(parts[0]) | accepted(parts[1]) | accepted(parts[2]))


@given(several(3))
def test_intersection(parts: list[Dfa]) -> None:
    check(operations.intersection(parts), parts[0], accepted(parts[0]) & accepted(parts[1]) & accepted(parts[2]))


def splits(word: tuple[int, ...], count: int) -> list[tuple[tuple[int, ...], ...]]:
    """All ways to cut a word into so many parts."""
    if count == 1:
        return [(word,)]
    return [(word[:at], *rest) for at in range(len(word) + 1) for rest in splits(word[at:], count - 1)]


@given(several(3, 3))
def test_concatenation(parts: list[Dfa]) -> None:
    expected = {
        word
        for word in all_words(parts[0])
        if any(all(part.output(piece) for part, piece in zip(parts, cut, strict=True)) for cut in splits(word, 3))
    }
    check(operations.concatenation(parts), parts[0], expected)


@given(several(1))
def test_star(parts: list[Dfa]) -> None:
    (part,) = parts

    def in_star(word: tuple[int, ...]) -> bool:
        return not word or any(part.output(word[:at]) and in_star(word[at:]) for at in range(1, len(word) + 1))

    check(operations.star(part), part, {word for word in all_words(part) if in_star(word)})


#: Enough for the prefixes and suffixes that automata of three states tell apart.
AFFIX = 6


@given(several(2, 3))
def test_left_quotient(parts: list[Dfa]) -> None:
    a, prefixes = parts
    some = small.accepted(prefixes, AFFIX if a.letters == 2 else 4)
    expected = {word for word in all_words(a) if any(a.output((*prefix, *word)) for prefix in some)}
    result = operations.left_quotient(a, prefixes)
    assert expected <= accepted(result)
    if a.letters == 2:
        check(result, a, {word for word in all_words(a) if _reaches(a, prefixes, word)})


def _reaches(a: Dfa, prefixes: Dfa, word: tuple[int, ...]) -> bool:
    """Return whether some pair of states that a prefix leads to accepts the word: prefixes shorter than the pairs
    suffice.
    """
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        state, prefix = todo.pop()
        if (state, prefix) in seen:
            continue
        seen.add((state, prefix))
        moves, others = dict(a.row(state)), dict(prefixes.row(prefix))
        todo += [(moves[code], others[code]) for code in moves.keys() & others.keys()]
    return any(prefixes.outputs[prefix] and _output_from(a, state, word) for state, prefix in seen)


def _output_from(a: Dfa, state: int | None, word: tuple[int, ...]) -> bool:
    for code in word:
        state = None if state is None else a.successor(state, code)
    return state is not None and bool(a.outputs[state])


@given(several(2, 3))
def test_right_quotient(parts: list[Dfa]) -> None:
    """w x in A for some suffix x, if and only if the mirrored x is a prefix that leads to the mirrored w."""
    a, suffixes = parts
    some = small.accepted(suffixes, 9 if a.letters == 2 else 4)
    expected = {word for word in all_words(a) if any(a.output((*word, *suffix)) for suffix in some)}
    result = operations.right_quotient(a, suffixes)
    if a.letters == 2:
        # Nine letters are as many as there are pairs of states.
        check(result, a, expected)
    mirrored = operations.left_quotient(kernel_calls.reverse(a), kernel_calls.reverse(suffixes))
    assert kernel_calls.minimize(kernel_calls.reverse(mirrored)).same_arrays(result)


def test_quotients_by_other_alphabets() -> None:
    """Letters that the one alphabet lacks occur in no common word, and the codes of letters differ."""
    three, swapped = Track("n", (0, 1, 2), ""), Track("n", (0, 2), "")
    a = build((three,), [{0: 1}, {2: 2}, {1: 3}, {}], [0, 0, 0, 1])  # 021
    only_02 = build((swapped,), [{0: 1}, {1: 2}, {}], [0, 0, 1])  # 02
    left = operations.left_quotient(a, only_02)
    assert (left.tracks, small.accepted(left, 4)) == ((three,), {(1,)})
    only_1 = build((Track("n", (1, 5), ""),), [{0: 1}, {}], [0, 1])  # 1
    assert small.accepted(operations.right_quotient(a, only_1), 4) == {(0, 2)}
    assert small.accepted(operations.left_quotient(a, only_1), 4) == set()
    with pytest.raises(AutomatonError, match="as many tracks"):
        operations.left_quotient(a, build(PAIRS, [{}], [1]))


def stripped(word: tuple[int, ...], zero: int) -> tuple[int, ...]:
    while word and word[0] == zero:
        word = word[1:]
    return word


@given(several(1))
def test_zeros(parts: list[Dfa]) -> None:
    (a,) = parts
    zero = a.code((0,) * len(a.tracks))
    states = a.states
    words = all_words(a)
    padded = [(zero,) * count for count in range(states + LONGEST + 1)]

    def leading(word: tuple[int, ...]) -> bool:
        return any(a.output((*zeros_in_front, *stripped(word, zero))) for zeros_in_front in padded)

    def trailing(word: tuple[int, ...]) -> bool:
        kept = stripped(word[::-1], zero)[::-1]
        return any(a.output((*kept, *zeros_behind)) for zeros_behind in padded)

    check(operations.fix_leading_zeros(a), a, {word for word in words if leading(word)})
    check(operations.fix_trailing_zeros(a), a, {word for word in words if trailing(word)})


def test_the_peers_concatenation_is_not_repeated() -> None:
    """The words 0 and 1: their concatenation is 01, and not also 0."""
    zero, one = (build(NUMBERS, [{digit: 1}, {}], [0, 1]) for digit in (0, 1))
    assert small.accepted(operations.concatenation([zero, one]), 4) == {(0, 1)}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a, b, t: operations.union([a, b]), "same alphabets: msd_2 and msd_fib {-1,0} differ"),
        (lambda a, b, t: operations.concatenation([a, b]), "same alphabets"),
        (lambda a, b, t: operations.star(t), "has none"),
        (lambda a, b, t: operations.union([]), "at least one"),
        (lambda a, b, t: operations.fix_leading_zeros(t), "no tracks"),
        (lambda a, b, t: operations.fix_trailing_zeros(build([Track("n", (1, 2), "")], [{}], [1])), "has no 0"),
    ],
)
def test_what_does_not_fit(call: Callable[[Dfa, Dfa, Dfa], Dfa], message: str) -> None:
    a, b, truth = build(NUMBERS, [{}], [1]), build(PAIRS, [{}], [1]), build((), [{0: 0}], [1])
    with pytest.raises(AutomatonError, match=message.replace("{", r"\{").replace("}", r"\}")):
        call(a, b, truth)


def test_budgets() -> None:
    """The k-th letter from the end: 2^k states once the words are followed by others, or a quotient is taken."""
    rows = [{0: 0, 1: 1}, {0: 0, 1: 1}]
    ones = build(NUMBERS, rows, [0, 1])
    tail = build(NUMBERS, [dict.fromkeys((0, 1), number + 1) for number in range(14)] + [{}], [0] * 14 + [1])
    few = Limits(states=1000).start()
    with pytest.raises(BudgetSpent):
        operations.concatenation([ones, tail], few)
    assert operations.concatenation([ones, tail]).states == 1 << 15
    cycle = [build(NUMBERS, [{0: (state + 1) % size} for state in range(size)], [1] * size) for size in (61, 62)]
    with pytest.raises(BudgetSpent):
        operations.left_quotient(cycle[0], cycle[1], few)
    with pytest.raises(BudgetSpent):
        operations.right_quotient(cycle[0], cycle[1], few)


@pytest.mark.parametrize("word", ["".join(letters) for length in range(5) for letters in product("01", repeat=length)])
def test_a_star_by_its_expression(word: str) -> None:
    """(01|0)*: no two 1s side by side, and no 1 in front."""
    part = build(NUMBERS, [{0: 1}, {1: 2}, {}], [0, 1, 1])
    assert bool(operations.star(part).output(map(int, word))) is ("11" not in word and not word.startswith("1"))
