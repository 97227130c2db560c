"""How far terms confirm words and numbers that are guessed from them."""

from __future__ import annotations

from collections.abc import Callable

import numpy
import pytest

import fibprover as fp
from fibprover.infer.choice import Attempt, Guess, guess
from fibprover.infer.confirmation import bits_of_terms, confirmed_depth
from fibprover.sequences.guess import guess_sequence
from fibprover.sheets.confirmed_numbers import confirmed_columns


def digits(base: int) -> Callable[[int], int]:
    return lambda n: next(k for k in range(1, 40) if n < base**k)


def test_the_depth_of_a_machine() -> None:
    """States of Thue and Morse's word are told apart by no digit; from 2^k terms each transition is seen k - 1 deep."""
    system, word = fp.system_named("msd_2"), fp.Session().namespace.library_words["T"]
    for k in range(2, 8):
        assert confirmed_depth(word.machine, word.prefix(2**k), system) == k - 2


@pytest.mark.parametrize("name", ["F", "VTM", "RS", "TR", "pell", "LE"])
def test_more_terms_confirm_more(name: str) -> None:
    session = fp.Session()
    word = session.namespace.library_words[name]
    system = session.namespace.index_system(name, word.machine)
    depths = [confirmed_depth(word.machine, word.prefix(count), system) for count in (20, 200, 2000, 20_000)]
    assert depths == sorted(depths) and depths[-1] > max(depths[0], 0)


def test_a_transition_that_no_term_has_confirmed() -> None:
    """The state of the numbers from 64 on has been seen with no digit after it but those that were not looked at."""
    terms = [digits(4)(n) for n in range(200)]
    found = guess(terms, fp.system_named("msd_2"), "V")
    assert isinstance(found, Attempt)
    letters = [digits(2)(n) % 2 for n in range(400)]
    assert isinstance(guess(letters, fp.system_named("msd_2"), "V"), Guess)


@pytest.mark.parametrize(("terms", "bits"), [([0, 1] * 50, 3), ([0] * 100, 0), ([0] * 90 + [1] * 10, 15)])
def test_bits_of_terms_that_hardly_change(terms: list[int], bits: int) -> None:
    assert bits_of_terms(terms) <= bits


def test_bits_of_terms_of_chance() -> None:
    row = numpy.random.default_rng(5).integers(4, size=4000).tolist()
    assert 0.95 * 8000 < bits_of_terms(row) <= 8001


@pytest.mark.parametrize(("rule", "system", "count"), [
    (digits(6), "msd_6", 200), (digits(7), "msd_7", 300), (digits(10), "msd_10", 300), (digits(10), "msd_5", 1000),
    (digits(16), "msd_2", 500), (digits(20), "msd_rec_2_2", 2000),
])
def test_numbers_that_hardly_change_confirm_nothing(rule: Callable[[int], int], system: str, count: int) -> None:
    """Representations that are right about all terms, and wrong at a number with one digit more."""
    found = guess_sequence([rule(n) for n in range(count)], fp.system_named(system))
    assert found is not None and any(found.sequence[n] != rule(n) for n in range(count, 20 * count))
    assert confirmed_columns(found.sequence, count) < 1


@pytest.mark.parametrize(("rule", "system", "count"), [
    (int.bit_count, "msd_2", 200), (lambda n: sum(fp.system_named("msd_fib").represent(n)), "msd_fib", 200),
    (lambda n: n * n, "msd_fib", 200), (lambda n: 2**n.bit_count(), "msd_2", 200),
    (lambda n: sum(map(int, str(n))), "msd_10", 300), (digits(2), "msd_2", 200), (lambda n: n % 7, "msd_3", 400),
])
def test_numbers_that_are_confirmed(rule: Callable[[int], int], system: str, count: int) -> None:
    found = guess_sequence([rule(n) for n in range(count)], fp.system_named(system))
    assert found is not None and confirmed_columns(found.sequence, count) >= 1
    assert found.sequence.first(3 * count) == [rule(n) for n in range(3 * count)]
