"""Automata that are known by those of the reversed words: their answers are those of the automata made of them."""

from __future__ import annotations

import pickle
import random
from itertools import product

import pytest

import fibprover as fp
from fibprover.automata import kernel_calls, language, turned
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.digit_order import from_reading_order, reversal, to_reading_order
from fibprover.automata.listing import infinite_family
from fibprover.automata.operations import as_relation
from fibprover.automata.turned import Turned, plain, relation_backward, reversed_words
from fibprover.base.errors import AutomatonError, BudgetSpent
from fibprover.base.limits import Limits, spending
from fibprover.numeration.registry import system_named
from tests.seeds import chosen_seed

SYSTEMS = ("lsd_2", "lsd_fib", "lsd_3", "lsd_trib", "lsd_neg_fib")


def drawn(draw: random.Random, system: str) -> tuple[Dfa, list[Dfa]]:
    """Return an automaton over plain tracks, and the valid words of the tracks that these stand for."""
    names = draw.choice([["x"], ["x"], ["x", "y"], ["y", "x"]])
    numbers = system_named(system)
    letters = len(numbers.digits) ** len(names)
    states, share = draw.randint(1, 5), draw.choice([0.5, 0.9])
    rows = [{c: draw.randrange(states) for c in range(letters) if draw.random() < share} for _ in range(states)]
    tracks = plain(numbers.track(name) for name in names)
    given = build(tracks, rows, [draw.randint(0, 1) for _ in range(states)])
    return kernel_calls.minimize(given), [numbers.valid.renamed([name]) for name in names]


@pytest.mark.parametrize("system", SYSTEMS)
def test_questions_in_either_direction(system: str) -> None:
    draw = random.Random(f"{chosen_seed()} {system}")
    for _ in range(60):
        given, valid = drawn(draw, system)
        tracks = tuple(one.tracks[0] for one in valid)
        made = as_relation(reversed_words(given).with_tracks(tracks), valid)
        kept = Turned(made.tracks, kernel_calls.reorder(relation_backward(given, valid), made.names))
        assert language.is_empty(kept) == language.is_empty(made)
        assert language.is_finite(kept) == language.is_finite(made)
        assert language.shortest(kept) == language.shortest(made)
        assert kernel_calls.words(kept, 20) == kernel_calls.words(made, 20)
        for word in kernel_calls.words(made, 5):
            words = made.digit_words(word)
            longer = tuple((0, *digits) for digits in words)
            assert language.accepts(kept, words) and language.accepts(kept, longer)
        family, other = infinite_family(kept), infinite_family(made)
        assert (family is None) == (other is None)
        if family is not None:
            for times in range(4):
                assert made.output([made.code(letter) for letter in reversed(family.word(times))])
        assert kept.backward is not None  # no question has made it
        assert kept == made and hash(kept) == hash(made) and kept.backward is None


def test_what_is_small_is_turned_at_once() -> None:
    small = fp.Session("lsd_2").reg("small", "lsd_2", "(0|1)(0|1)1(0|1)*").automaton
    assert small.backward is None and type(small) is Dfa
    assert to_reading_order(small) is to_reading_order(small)


def test_reading_order_is_kept() -> None:
    late = from_reading_order(language_with_a_late_one(30))
    assert isinstance(late, Turned) and to_reading_order(late) == language_with_a_late_one(30)


def language_with_a_late_one(place: int) -> Dfa:
    """Return the numbers whose binary digit at this place is 1, read least significant digit first."""
    track = system_named("lsd_2").track("x")
    rows = [{0: state + 1, 1: state + 1} for state in range(place)] + [{1: place + 1}, {0: place + 1, 1: place + 1}]
    return build([track], rows, [0] * (place + 1) + [1])


def test_values_travel() -> None:
    late = from_reading_order(language_with_a_late_one(50))
    sent = pickle.loads(pickle.dumps(late))
    assert sent == late and sent.backward is not None and sent.renamed(["z"]).names == ("z",)
    assert sent != from_reading_order(language_with_a_late_one(51))


def test_making_it_is_bounded() -> None:
    late = from_reading_order(language_with_a_late_one(60))
    with pytest.raises(BudgetSpent), spending(Limits(seconds=0.2).start()):
        _ = late.states
    assert late.backward is not None


def test_user_limits_are_told_apart_from_own_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    given = language_with_a_late_one(12)
    monkeypatch.setattr(turned, "MOST_STATES", 100)
    assert isinstance(from_reading_order(given), Turned)
    with pytest.raises(BudgetSpent):
        from_reading_order(given, Limits(states=50).start())


@pytest.mark.parametrize("share", [1.0, 0.8])
def test_outputs_of_reversed_words(share: float) -> None:
    """Words of up to seven letters have the outputs that they had, or the reversal says that one of them has none."""
    draw = random.Random(f"{chosen_seed()} {share}")
    refused = 0
    for _ in range(80):
        states = draw.randint(1, 6)
        rows = [{c: draw.randrange(states) for c in range(2) if draw.random() < share} for _ in range(states)]
        word = build((Track("x", (0, 1)),), rows, [draw.choice((-3, 0, 5, 7)) for _ in range(states)])
        short = [w for length in range(8) for w in product(range(2), repeat=length)]
        outputs = {w: word.output(w) for w in short}
        # A word without an output is refused if a longer one that ends with it has one.
        holes = any(outputs[w] is not None and outputs[w[at:]] is None for w in short for at in range(len(w) + 1))
        try:
            backward = reversal(word, word=True)
        except AutomatonError:
            refused += 1
            assert share < 1
        else:
            assert not holes
            assert all(backward.output(w[::-1]) == output for w, output in outputs.items())
            assert backward == kernel_calls.minimize_outputs(backward)
    assert refused == 0 if share == 1 else 0 < refused < 80
