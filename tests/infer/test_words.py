"""Words from prefixes: the paper's morphisms, other systems, and data that make no morphism."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy
import pytest

from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.base.limits import Limits
from fibprover.infer.tree import NO_NUMBER, tree_of
from fibprover.infer.words import PROBLEMS, InferredWord, NoMorphism, infer_word, partitions
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.words.morphism import from_morphism, load_words
from fibprover.workspace.session import Session
from tests.few import few
from tests.infer.positions import PAPER, coded, of_all_moves, offsets, published, queens

FIB = system_named("fib")

NAMES = [name for name, *_ in PAPER]


def none(sequence: Sequence[int], system: NumerationSystem = FIB, **options: Any) -> NoMorphism:
    with pytest.raises(NoMorphism) as caught:
        infer_word(sequence, system, **options)
    return caught.value


# -- the paper ---------------------------------------------------------------------------------


@pytest.mark.parametrize("terminal", range(6))
def test_positions_are_those_of_the_rules(terminal: int) -> None:
    a, b = queens(terminal, 60)
    below = {(x, y) for x, y in zip(a, b, strict=True) if y < 60}
    expected = {(x, y) for x, y in of_all_moves(terminal, 60) if x <= y and x + y > terminal}
    assert below == expected


@pytest.mark.parametrize(("name", "sequence", "depth", "letters"), PAPER, ids=NAMES)
@pytest.mark.parametrize("length", [900, 4000])
def test_the_papers_words_from_the_games(
    name: str, sequence: Any, depth: int, letters: int, length: int
) -> None:
    found = infer_word(sequence(length), FIB, name)
    expected = published()[name]
    assert (found.depth, found.letters, found.length) == (depth, letters, length)
    paper = from_morphism(name, expected["morphism"], expected["coding"], FIB.track("n"))
    assert found.word.machine == paper.machine
    assert found.minimal == letters
    if name != "F1G1":  # where the paper has a letter too many
        assert [list(image) for image in found.images] == expected["morphism"]
        assert list(found.coding) == expected["coding"]


def test_two_letters_of_f1_are_one() -> None:
    found = infer_word(coded(1, 500), FIB)
    assert found.images == ((0, 1), (2,), (0, 3), (2,))
    assert found.coding == (1, 1, 2, 2)
    assert len(published()["F1G1"]["coding"]) == 5


def test_the_papers_six_hundred_values() -> None:
    """The 600 positions mentioned in the paper suffice, and fewer only as far as the margin allows."""
    found = infer_word(offsets(4, 600), FIB)
    assert (found.letters, found.depth, found.margin) == (18, 4, 1)
    fewer = none(offsets(4, 400))
    assert fewer.failures[4].kind == "margin"
    assert infer_word(offsets(4, 400), FIB, margin=0).images == found.images


@pytest.mark.parametrize(("name", "sequence", "depth", "letters"), PAPER, ids=NAMES)
def test_too_few_values_give_no_word_rather_than_a_wrong_one(
    name: str, sequence: Any, depth: int, letters: int
) -> None:
    data = sequence(1500)
    expected = infer_word(data, FIB)
    found = 0
    for length in range(10, 1500, 35):
        try:
            word = infer_word(data[:length], FIB, margin=0)
        except NoMorphism:
            assert not found  # once there is enough, more does no harm
            continue
        found += 1
        assert (word.images, word.coding) == (expected.images, expected.coding)
    assert found > 10


def test_a_session_proves_what_it_inferred() -> None:
    session = Session("msd_fib")
    session.load_words({name: published()[name] for name in ("K3", "F3G3")})
    session.infer_word("H", offsets(3, 1000))
    session.infer_word("C", coded(3, 1500), "msd_fib")
    assert session.prove("An H[n]=K3[n] & C[n]=F3G3[n]")
    assert not session.prove("An H[n]=C[n]")


# -- what a word is ----------------------------------------------------------------------------


def types_by_words(system: NumerationSystem, data: Sequence[int], depth: int) -> set[Any]:
    """Return the types of a depth as nested tuples, over words that are generated one by one (naturals only)."""
    letters = {system.represent(n): letter for n, letter in enumerate(data)}
    last = system.represent(len(data) - 1)
    longer = [system.represent(n) for n in range(50 * len(data) + 500)]
    prefixes = {word[:end] for word in longer for end in range(len(word) + 1)}

    def residual(word: tuple[int, ...], left: int) -> Any:
        if (len(word), word) > (len(last), last):
            raise LookupError
        letter = letters.get(word)
        if not left:
            return letter
        children = []
        for digit in system.digits:
            child = () if not word and not digit else (*word, digit)
            if child in prefixes or child in letters:
                children.append((digit, residual(child, left - 1)))
        return letter, tuple(children)

    found = set()
    for word in prefixes | set(letters):
        try:
            found.add(residual(word, depth))
        except LookupError:
            continue
    return found


@pytest.mark.parametrize("name", ["msd_2", "msd_3", "fib", "lucas", "pell", "rec_3_m1", "ost_2_per_1_1_1_4"])
@pytest.mark.parametrize("length", [1, 2, 7, pytest.param(40, marks=pytest.mark.long)])
def test_types_are_residuals(name: str, length: int) -> None:
    system = system_named(name)
    rng = random.Random(length)
    data = [rng.randrange(2) for _ in range(length)]
    tree = tree_of(system, data)
    for found in partitions(tree):
        assert found.count == len(types_by_words(system, data, found.depth))


SYSTEMS = (
    "msd_2", "msd_3", "msd_10", "fib", "lucas", "pell", "trib", "narayana", "4bonacci", "wythoff_3", "fraenkel_2_1",
    "rec_3_m1", "rec_1_0_0_1", "ost_0_3_per_1_2", "ost_2_per_1_1_1_4", "lsd_fib", "neg_2", "neg_fib", "lsd_neg_3",
)


@pytest.mark.parametrize("name", few(SYSTEMS, 3))
def test_words_of_random_machines(name: str) -> None:
    """Words inferred from the numbers below a bound are correct beyond it."""
    system = system_named(name)
    rng = random.Random(name)
    for _ in range(2):
        size = rng.randrange(1, 4)
        machine = [[rng.randrange(size) for _ in system.digits] for _ in range(size)]
        machine[0][0] = 0
        outputs = [rng.randrange(-1, 2) for _ in range(size)]

        def letter(number: int, machine: list[list[int]] = machine, outputs: list[int] = outputs) -> int:
            state = 0
            for digit in system.represent(number):
                state = machine[state][digit]
            return outputs[state]

        bound = 8000 if "ost" in name else 1200
        first = -bound if system.signed else 0
        found = infer_word([letter(n) for n in range(first, bound)], system, first=first, margin=0)
        numbers = [*range(first, bound, 7), *(rng.randrange(10**6) for _ in range(200))]
        assert [found.word.value(system.represent(n)) for n in numbers] == [letter(n) for n in numbers]


def test_prefixes_that_are_no_numbers() -> None:
    """If the digits allowed depend on the position, a prefix of a representation need not be a representation."""
    system = system_named("msd_ost_2_per_1_1_1_4")
    tree = tree_of(system, [0] * 100)
    assert (tree.letters == NO_NUMBER).any()
    ends = [int(system.represent(n)[-1:] == (0,)) for n in range(3000)]
    found = infer_word(ends, system)
    assert set(found.coding) == {0, 1}
    assert found.word.prefix(3000, system.represent) == ends
    session = Session(system.name)
    session.namespace.words["Z"] = found.word
    assert session.prove("Im Z[m]=1 & Z[m+1]=0")


def test_thue_morse_is_its_own_letters() -> None:
    found = infer_word([n.bit_count() % 2 for n in range(1000)], system_named("msd_2"))
    assert (found.images, found.coding, found.depth) == (((0, 1), (1, 0)), (0, 1), 0)


def test_numpy_arrays_are_sequences() -> None:
    data = offsets(2, 300)
    assert infer_word(numpy.array(data), FIB) == infer_word(data, FIB)  # type: ignore[arg-type]


def test_support_of_each_letter() -> None:
    data = offsets(2, 500)
    found = infer_word(data, FIB, "G")
    # Letters by number, read along the representations.
    states = [run(found, FIB.represent(n)) for n in range(500)]
    trust = tree_of(FIB, data).trust.tolist()
    for letter, support in enumerate(found.support):
        places = [n for n, state in enumerate(states) if state == letter]
        assert support.first == places[0]
        assert support.positions == sum(trust[n] >= found.depth for n in places)
        assert support.confirmed == sum(trust[n] > found.depth for n in places)
        assert support.depth == max(trust[n] for n in places)
    assert found.types == (2, 5, 6, 6)
    successors = [FIB.value((*FIB.represent(s.first), d)) for s in found.support for d in range(2)
                  if FIB.is_valid((*FIB.represent(s.first), d))]
    assert found.margin == min(trust[n] for n in successors) - found.depth


def run(found: InferredWord, digits: Sequence[int]) -> int:
    state = 0
    for digit in digits:
        state = found.images[state][digit]
    return state


def test_trust_is_what_lies_inside() -> None:
    trust = tree_of(FIB, [0] * 200).trust.tolist()
    for n in range(0, 200, 3):
        word = FIB.represent(n)
        # The largest number that begins like n and has so many digits more.
        largest = [
            max(FIB.value((*word, *more)) for more in words(depth) if FIB.is_valid((*word, *more)))
            for depth in range(trust[n] + 2)
        ]
        assert largest[-2] < 200 <= largest[-1]


def words(length: int) -> list[tuple[int, ...]]:
    """Return the two greatest words over 0 and 1 of a length without adjacent ones."""
    alternate = tuple(1 - place % 2 for place in range(length))
    return [alternate, tuple(place % 2 for place in range(length))]


def test_words_can_be_written_and_loaded() -> None:
    found = infer_word(coded(2, 1000), FIB, "C")
    loaded = load_words({"C": found.entry()}, lambda name: system_named(name).track("x"), "msd_2")
    assert loaded["C"].machine.same_arrays(found.word.machine)
    assert loaded["C"].tracks[0].system == "msd_fib"


# -- data that make no morphism ------------------------------------------------------------------


@pytest.mark.parametrize("place", [50, 400, 998, 999])
def test_one_wrong_value_is_detected(place: int) -> None:
    """An exception among the first letters could be represented by a larger automaton."""
    data = offsets(2, 1000)
    data[place] = 1 - data[place]
    none(data)


@pytest.mark.parametrize("name", ["msd_2", "msd_3", "fib", "pell", "trib"])
def test_random_values_and_squares_and_primes_are_refused(name: str) -> None:
    system = system_named(name)
    rng = random.Random(7)
    for length in (20, 60, 400, 3000):
        none([rng.randrange(2) for _ in range(length)], system)
        none([int(isqrt(n) ** 2 == n) for n in range(length)], system)
        none([int(n > 1 and all(n % d for d in range(2, isqrt(n) + 1))) for n in range(length)], system)
        none([isqrt(n) % 2 for n in range(length)], system)


def test_a_word_of_another_system_is_refused() -> None:
    assert {attempt.kind for attempt in none(offsets(2, 5000), system_named("msd_2")).failures} <= {"conflict", "image"}
    none([n.bit_count() % 2 for n in range(5000)])


def test_conflicts_are_described() -> None:
    data = offsets(4, 2000)
    problem = none(data, depths=[2, 3])
    assert [(attempt.depth, attempt.types, attempt.kind) for attempt in problem.failures] == [
        (2, 14, "conflict"), (3, 15, "conflict"),
    ]
    # 8 and 16, say, and the digits that tell them apart.
    assert "no morphism over msd_fib fits the 2000 values: at depth 3" in problem.message
    text = problem.failures[1].problem
    left, right = (int(text.split()[place]) for place in (1, 3))
    digits = tuple(int(digit) for digit in text.split("the digits ")[1].split()[0])
    assert len(digits) == 4
    ends = [FIB.value((*FIB.represent(n), *digits)) for n in (left, right)]
    assert f"their letters differ ({data[ends[0]]} at {ends[0]}, {data[ends[1]]} at {ends[1]})" in text
    assert data[ends[0]] != data[ends[1]]
    assert types_at(data, left, 3) == types_at(data, right, 3) != types_at(data, right, 4)
    assert types_at(data, left, 4) != types_at(data, right, 4)


def types_at(data: Sequence[int], number: int, depth: int) -> Any:
    """Return the letters below a number level by level, as in the paper."""
    level = [FIB.represent(number)]
    found = []
    for _ in range(depth + 1):
        found.append(tuple(data[FIB.value(word)] for word in level))
        level = [(*word, digit) for word in level for digit in (0, 1) if not (digit and word and word[-1])]
    return found


def test_requested_depths() -> None:
    data = offsets(2, 1000)
    assert infer_word(data, FIB, depths=[4]).depth == 4
    assert infer_word(data, FIB, depths=[4]).images == infer_word(data, FIB).images
    assert [attempt.depth for attempt in none(data, depths=[0, 1]).failures] == [0, 1]
    assert "too few values (1000) for 30-types" in none(data, depths=[30]).message
    assert none(data, depths=[]).failures == ()


def test_kinds_of_failures() -> None:
    assert none(offsets(4, 400)).failures[-1].kind == "image"
    assert {attempt.kind for attempt in none(offsets(4, 400)).failures} <= set(PROBLEMS)
    message = none(offsets(4, 400)).message
    assert "the data show no levels beyond what tells letters apart, and 1 would be needed" in message


@pytest.mark.parametrize(
    ("sequence", "system", "options", "message"),
    [
        ([], "fib", {}, "the sequence is empty"),
        ([1], "fib", {}, "too few"),
        ([1, 2.5], "fib", {}, r"value 1 of the sequence is 2\.5"),
        ([1, 2, "x"], "fib", {}, "value 2 of the sequence is 'x'"),
        ([0, 2**31], "fib", {}, "value 1 of the sequence is 2147483648, which is too large"),
        ([0] * 9, "fib", {"first": 1}, "begin with 0, not 1"),
        ([0] * 9, "fib", {"depths": [-1]}, "depths of types are 0, 1, 2"),
        ([0] * 9, "neg_2", {"first": 1}, "none at 0"),
        ([0] * 9, "neg_2", {}, "the data show no levels"),
    ],
)
def test_invalid_arguments(sequence: Any, system: str, options: Any, message: str) -> None:
    with pytest.raises(FibproverError, match=message):
        infer_word(sequence, system_named(system), **options)


def test_spent_time() -> None:
    budget = Limits(seconds=1e-9).start()
    with pytest.raises(BudgetSpent, match="types of a sequence"):
        infer_word([0, 1] * 500, FIB, budget=budget)


def test_names_are_checked() -> None:
    with pytest.raises(FibproverError, match="not a name"):
        Session().infer_word("2x", [0] * 100)
