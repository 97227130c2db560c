"""Predicates of words that are guessed from experiments: against twins, letters, and what is built."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fibprover as fp
from fibprover.automata.dfa import build
from fibprover.automata.kernels.python import automata as python_automata
from fibprover.base.errors import BudgetSpent, FibproverError, Unsolved
from fibprover.base.limits import Limits
from fibprover.infer import word_predicates
from fibprover.infer.word_predicates import EqualityOfFactors, Palindromes
from fibprover.learn import standard
from fibprover.learn.standard import WordPredicate, predicate_of
from fibprover.numeration.registry import system_named
from fibprover.words.automatic import AutomaticWord, automatic_word
from fibprover.words.letter_comparison import LetterComparison, equal_letters
from tests.few import few
from tests.oracle.twins import inference as twin


def morphic(images: str, coding: str, system: str) -> AutomaticWord:
    session = fp.Session(system)
    blocks = [[int(letter) for letter in image] for image in images.split()]
    return session.define_morphic_word("W", blocks, [int(letter) for letter in coding], system)


def dumont_thomas(morphism: str, coding: str = "") -> AutomaticWord:
    """The fixed point of a morphism over its own system, with a coding."""
    session = fp.Session()
    session.dumont_thomas("own", morphism)
    word = session.namespace.words["Own"]
    if not coding:
        return word
    machine = word.machine.with_outputs(int(coding[letter]) for letter in word.machine.outputs)
    return AutomaticWord("W", machine, word.systems)


def word_by(system: str, rows: list[dict[int, int]], letters: list[int]) -> AutomaticWord:
    """The word of an automaton over a system."""
    return automatic_word("W", build([system_named(system).track("x")], rows, letters))


def word_of(system: str, step: Callable[[int, int], int | None], states: int) -> AutomaticWord:
    """The word whose letters are the states of an automaton."""
    track = system_named(f"msd_{system}").track("x")
    rows = [
        {digit: target for digit in track.digits if (target := step(state, digit)) is not None}
        for state in range(states)
    ]
    return automatic_word("W", build([track], rows, range(states)))


def guessed(word: AutomaticWord, limits: Limits | None = None, kind: str = "feq") -> WordPredicate:
    """A predicate of a word by the guess alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standard._PredicateBuilder, "made", lambda self: self.guessed(self.limits))
        return predicate_of(kind, equal_letters(word), limits)


def blocks(targets: list[list[int]], accepting: list[int], levels: int) -> list[int]:
    """How many words of each length begin with a lower digit."""
    size, found = accepting, []
    found += [number for each in accepting for number in [0] * len(targets[0]) + [each]]
    for _ in range(levels - 1):
        rows = [[0] for _ in targets]
        for state, row in enumerate(targets):
            for target in row:
                rows[state].append(rows[state][-1] + (size[target] if target >= 0 else 0))
        size = [row[-1] for row in rows]
        found += [number for row in rows for number in row]
    return found


@st.composite
def words(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[int]]:
    """Targets of states and digits, which states accept, and letters; leading zeros lead to the first state."""
    states, digits = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    targets = draw(st.lists(
        st.lists(st.integers(-1, states - 1), min_size=digits, max_size=digits), min_size=states, max_size=states
    ))
    targets[0][0] = 0
    accepting = [1, *draw(st.lists(st.integers(0, 1), min_size=states - 1, max_size=states - 1))]
    return targets, accepting, draw(st.lists(st.integers(0, 1), min_size=states, max_size=states))


@settings(max_examples=60)
@given(words(), st.integers(1, 7), st.integers(0, 2**32))
def test_kernel_and_twin(word: tuple[list[list[int]], list[int], list[int]], levels: int, seed: int) -> None:
    targets, accepting, letters = word
    other = 0
    if seed % 2:  # a second word, with other letters
        other = len(targets)
        targets = targets + [[each if each < 0 else each + other for each in row] for row in targets]
        accepting, letters = 2 * accepting, letters + [(seed >> place) % 2 for place in range(other)]
    before = blocks(targets, accepting, levels)
    most = before[(levels - 1) * len(targets) * (len(targets[0]) + 1) + len(targets[0])]
    chance = random.Random(seed)
    questions = [[chance.randrange(most + 2) for _ in range(40)] for _ in range(2)]
    questions += [[chance.randrange(min(most, 12) + 1) for _ in range(40)] for _ in range(2)]
    arrays = [np.array(each, np.int64) for each in questions]
    found = []
    for inference, automata in (
        (import_module("fibprover_ext.inference"), import_module("fibprover_ext.automata")), (twin, python_automata),
    ):
        made = inference.Extensions(
            np.array(targets, np.int32).reshape(-1), np.array(before, np.int64), np.array(letters, np.int64),
            len(targets[0]), other, word_predicates.POINT, automata.Meter(),
        )
        equal = made.clipped(*arrays, automata.Meter())
        reversals = made.reversals(*arrays, automata.Meter())
        found.append([list(equal), list(reversals)])
    assert found[0] == found[1]


@pytest.mark.parametrize("letters", [
    LetterComparison(fp.word("T"), fp.word("T"), "!="), LetterComparison(fp.word("T"), fp.word("RS")),
    LetterComparison(fp.word("VTM"), fp.word("RS"), "<=>", (1,), (0,)),
    LetterComparison(fp.word("F"), fp.word("F"), "!="),
    LetterComparison(fp.word("TR"), fp.word("TR"), "<=>", (1,), (2,)),
], ids=lambda letters: str(letters.name))
@pytest.mark.parametrize("kind", ["feq", "rev"])
def test_two_words(letters: LetterComparison, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is guessed and proved is what is built, and the letters, one by one, say the same."""
    built = predicate_of(kind, letters)
    monkeypatch.setattr(standard._PredicateBuilder, "built", lambda self, limits: _unsolved())
    guessed = predicate_of(kind, letters)
    assert guessed.theorem is not None and guessed.relation.automaton == built.relation.automaton
    numbers = letters.classes()
    left = [numbers[0][each] for each in letters.left[:40]]
    right = [numbers[1][each] for each in letters.right[:40]]
    for i, j, n in product(range(12), range(12), range(12)):
        other = right[j : j + n] if kind == "feq" else right[j : j + n][::-1]
        assert ((i, j, n) in guessed.relation) == (left[i : i + n] == other), (i, j, n)


def _unsolved() -> Any:
    raise Unsolved("not built")


def test_numbers_near_the_end_of_64_bits() -> None:
    """Blocks of the Thue-Morse word of nearly 2^60 letters: W[2n] = W[n], and what follows from it."""
    guess = EqualityOfFactors(equal_letters(fp.word("T")))
    far = (1 << 58) - 1
    i, j = np.array([0, 1, far, 0]), np.array([1 << 58, 0, far, far])
    n, windows = np.array([0, 0, 5, 1 << 59]), np.array([1 << 57, 4, 9, 1 << 59])
    from fibprover_ext.automata import Meter

    found = list(guess.extensions.clipped(i, j, n, windows, Meter()))
    assert found == [0, 0, 8, -2]
    i, j = np.array([0]), np.array([3 << 56])  # an even number of ones: the same letters, for a long time
    assert list(guess.extensions.clipped(i, j, np.array([1 << 40]), np.array([1 << 57]), Meter())) == [
        (1 << 57) - (1 << 40)
    ]


@pytest.mark.parametrize("arrays", [
    ([1, 0], [0, 0, 1, 0, 0, 1], [0, 0], 1),  # zeros lead elsewhere
    ([0, 5], [0, 0, 1, 0, 0, 1], [0, 0], 1),  # no such state
    ([0, 0], [0, 2], [0, 0], 1),  # too few numbers
    ([0], [0, 2], [0], 1),  # two words without letters
    ([0], [0, 1, 0, 2], [0], 1),  # not the number of words
    ([0], [0, 1], [-1], 1),
    ([0], [], [0], 1),
    ([0, 0], [0, 1, 0, 1], [0, 0], 1, 1),  # zeros lead elsewhere
    ([0, 1], [0, 1, 0, 0], [0, 0], 1, 1),  # no letters at the same numbers
    ([0, 1], [0, 1, 0, 1], [0, 0], 1, 2),
])
def test_arrays_that_do_not_fit(arrays: tuple[list[int], list[int], list[int], int]) -> None:
    from fibprover_ext.automata import InvalidArrayError, Meter
    from fibprover_ext.inference import Extensions

    targets, before, letters, digits, other = (*arrays, 0)[:5]
    with pytest.raises(InvalidArrayError):
        Extensions(
            np.array(targets, np.int32), np.array(before, np.int64), np.array(letters, np.int64), digits,
            other, word_predicates.POINT, Meter(),
        )


WORDS = {
    "Thue-Morse": lambda: fp.word("T"),
    "Rudin-Shapiro": lambda: fp.word("RS"),
    "Fibonacci": lambda: fp.word("F"),
    "Tribonacci": lambda: fp.word("TR"),
    "Mephisto": lambda: morphic("001 110", "01", "msd_3"),
    "lsd": lambda: morphic("01 10", "01", "lsd_2"),
    "Ostrowski": lambda: _characteristic("ost_0_2_1_per_1_3"),
    "Pell": lambda: _characteristic("pell"),
    "a morphism's own system": lambda: dumont_thomas("0->010,1->0"),
}


def _characteristic(system: str) -> AutomaticWord:
    """Whether the last digit is 0."""
    return word_of(system, lambda state, digit: int(digit > 0), 2)


@pytest.mark.parametrize("kind", ["feq", "rev", "pal"])
@pytest.mark.parametrize("name", few(WORDS, 4))
def test_what_is_guessed_is_what_is_built(name: str, kind: str) -> None:
    word = WORDS[name]()
    learned = guessed(word, kind=kind)
    assert learned.theorem is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standard._PredicateBuilder, "made", lambda self: self.built(self.limits))
        built = predicate_of(kind, equal_letters(word))
    assert learned.relation.automaton == built.relation.automaton


#: Words whose equality of factors is not built in minutes: morphism, coding, and states of this and of palindromes.
HARD = [
    ("0->01,1->2,2->3,3->453,4->01,5->2", "011001", 240, 31),
    ("0->01,1->20,2->0", "", 99, 10),
    ("0->01,1->02,2->03,3->04,4->0", "", 64, 1444),
    ("0->01,1->2,2->3,3->0", "", 774, 7),
]


@pytest.mark.long
@pytest.mark.parametrize(("morphism", "coding", "states", "palindromes"), few(HARD, 4))
def test_words_with_a_large_adder(morphism: str, coding: str, states: int, palindromes: int) -> None:
    word = dumont_thomas(morphism, coding)
    made, of_ends = guessed(word), guessed(word, kind="pal")
    assert (made.states, of_ends.states) == (states, palindromes)
    assert made.theorem is not None and of_ends.theorem is not None
    letters, chance = word[:700], random.Random(7)
    for _ in range(300):
        i, n = chance.randrange(300), chance.randrange(40)
        assert ((i, n) in of_ends) == (letters[i : i + n] == letters[i : i + n][::-1])
    for _ in range(300):
        i, j, n = (chance.randrange(bound) for bound in (300, 300, 40))
        assert ((i, j, n) in made) == (letters[i : i + n] == letters[j : j + n])


@pytest.mark.long
def test_published_states() -> None:
    """tailc of the panel of hard words: 1,381 states without the dead one."""
    assert guessed(morphic("05 23 44 42 51 10", "000010", "msd_2")).states == 1381


def test_a_guess_is_corrected_where_it_is_wrong() -> None:
    """With a single experiment there is a guess of few states, and counterexamples alone lead to the right one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_predicates, "FIRST_EXPERIMENTS", 1)
        patch.setattr(EqualityOfFactors, "compare", lambda self: 0)
        made = guessed(fp.word("RS"))
    assert made.theorem is not None and made.theorem.rounds > 3
    assert made.states == 67


def test_numbers_where_a_guess_is_right_teach_nothing() -> None:
    guess = EqualityOfFactors(equal_letters(fp.word("T")))
    states = guess.automaton().states
    assert not any(guess.learn_from(numbers) for numbers in ((0, 3, 1), (1000, 5, 77), (0, 0, 0)))
    assert guess.automaton().states == states
    ends = Palindromes(equal_letters(fp.word("T")))
    assert not any(ends.learn_from(numbers) for numbers in ((0, 4), (4, 0), (1000, 1001)))


def test_words_without_a_guess() -> None:
    no_letter = word_of("2", lambda state, digit: None if digit and state else digit, 2)
    with pytest.raises(FibproverError, match="no letter"):
        EqualityOfFactors(equal_letters(no_letter))
    large = word_of("17", lambda state, digit: digit % 2, 2)
    with pytest.raises(FibproverError, match="17 digits"):
        EqualityOfFactors(equal_letters(large))


def test_a_guess_ends_with_its_budget() -> None:
    word = morphic("01 12 23 34 45 56 60", "0100000", "msd_2")
    for limits in (Limits(cpu_seconds=0.3), Limits(states=100), Limits(seconds=0.3)):
        with pytest.raises(BudgetSpent):
            guessed(word, limits)


@pytest.mark.long
def test_a_guess_goes_on_after_a_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    guesses = []

    def in_turns(self: Any) -> Any:
        """Let the guess have a little more time in each turn, wherever the one before has ended."""
        for turn in range(100):
            try:
                return self.guessed(Limits(cpu_seconds=0.02 * 1.1**turn))
            except BudgetSpent:
                guesses.append(self.guess)
        raise AssertionError("no turn has ended")

    monkeypatch.setattr(standard._PredicateBuilder, "made", in_turns)
    made = predicate_of("feq", equal_letters(morphic("01 12 23 30", "0100", "msd_2")))
    assert made.states == 697 and made.theorem is not None
    begun = [guess for guess in guesses if guess is not None]
    assert len(begun) > 1 and all(guess is begun[0] for guess in begun)


#: Words over systems with a digit that is allowed in the last place only, so that nothing follows some prefixes.
LAST = [
    ("msd_lucas", [{0: 0, 1: 4, 2: 1}, {0: 2, 1: 1, 2: 1}, {0: 3, 1: 2, 2: 0}, {0: 3, 1: 4, 2: 0}, {0: 1, 1: 2, 2: 0}],
     [1, 1, 0, 1, 1]),
    ("msd_ost_0_3_1_2_per_1", [{0: 0, 1: 1, 2: 1}, {0: 1, 1: 0, 2: 1}], [1, 0]),
    ("lsd_lucas", [{0: 0, 1: 1, 2: 1}, {0: 1, 1: 0, 2: 1}], [1, 0]),
]


@pytest.mark.long
@pytest.mark.parametrize(("system", "rows", "letters"), few(LAST, 2))
def test_systems_with_digits_of_the_last_place_only(
    system: str, rows: list[dict[int, int]], letters: list[int]
) -> None:
    word, chance = word_by(system, rows, letters), random.Random(3)
    prefix = word[:400]
    for kind in ("feq", "rev", "pal"):
        made = guessed(word, kind=kind)
        assert made.theorem is not None
        for _ in range(150):
            i, j, n = (chance.randrange(bound) for bound in (200, 200, 12))
            there = {"feq": prefix[j : j + n], "rev": prefix[j : j + n][::-1], "pal": prefix[i : i + n][::-1]}[kind]
            assert (((i, n) if kind == "pal" else (i, j, n)) in made) == (prefix[i : i + n] == there)


@pytest.mark.parametrize("kind", ["feq", "rev", "pal"])
def test_letters_that_differ_beyond_all_blocks(kind: str) -> None:
    """The first letter 1 is at 2^60 and more, where the guess knows nothing: it says so, and another way is taken."""
    rows = [{0: 0, 1: 1}, *({0: min(k + 1, 61), 1: min(k + 1, 61)} for k in range(1, 62))]
    word = word_by("msd_2", rows, [0] * 61 + [1])
    with pytest.raises(Unsolved, match="2\\^60"):
        guessed(word, kind=kind)
