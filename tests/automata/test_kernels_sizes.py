"""Sizes beyond 32 bits, as far as tests can reach them: wide letters, and sizes that are refused."""

from __future__ import annotations

import pytest

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.kernels import automata as backend
from fibprover.base.errors import AutomatonError, LimitError
from fibprover.numeration import RecurrenceSystem, system_named
from tests.oracle import kernels as reference

from .small import everything, less
from .test_kernels import P, Q
from .test_kernels_limits import counter

DECIMAL = tuple(range(10))
NAMES = "abcdefghijkl"
#: The sum of the twelve tracks' weights: d times this is the letter of twelve digits d.
REPUNIT = 111_111_111_111


def twelve(rows: list[dict[int, int]], outputs: list[int]) -> Dfa:
    """An automaton over twelve decimal digits, whose letter codes need 40 bits."""
    return build([Track(name, DECIMAL, "msd_10") for name in NAMES], rows, outputs)


def equal() -> Dfa:
    """Twelve equal numbers."""
    return twelve([{digit * REPUNIT: 0 for digit in DECIMAL}], [1])


def last(*digits: int) -> Dfa:
    """Twelve equal numbers of one digit, which is one of the given digits."""
    return twelve([{0: 0} | {digit * REPUNIT: 1 for digit in digits}, {}], [0, 1])


def test_emptiness_on_the_fly() -> None:
    assert kernel_calls.join_is_empty(last(3, 7), last(4, 8)) and not kernel_calls.join_is_empty(last(3, 7), last(8, 7))
    assert kernel_calls.difference_is_empty(last(3, 7), equal())
    assert not kernel_calls.difference_is_empty(equal(), last(3))
    some = kernel_calls.project(last(3, 7), NAMES[5:])
    assert kernel_calls.difference_is_empty(last(3), some) and not kernel_calls.difference_is_empty(last(3, 4), some)
    assert kernel_calls.guarded_difference_word(last(3), last(3, 7), NAMES[:2]) is None
    assert kernel_calls.guarded_difference_word(last(3, 4), last(3, 7), NAMES[:2]) is not None


def test_union_of_projections() -> None:
    found = kernel_calls.minimize(kernel_calls.project_union([last(3), last(7), last(9)], "a"))
    assert [code for code in found.codes if code] == [digit * (REPUNIT // 10) for digit in (3, 7, 9)]
    found = kernel_calls.minimize(kernel_calls.project_union([last(3), kernel_calls.project(last(7), "b")], NAMES[1:]))
    assert list(found.codes) == [0, 3, 7]


def test_collisions() -> None:
    assert kernel_calls.collisions(equal(), "f") == 0
    # Two letters that differ in the ninth digit only.
    a = twelve([{5: 0, 5 + 4 * 10**3: 0, 6 + 4 * 10**3: 0}], [1])
    assert [name for name in NAMES if kernel_calls.collisions(a, name)] == ["i", "l"]


def test_linear_atoms_beside_wide_letters() -> None:
    ten = system_named("msd_10")
    assert isinstance(ten, RecurrenceSystem)
    found = ten.join_linear(last(3, 4, 7), (1, 2), ("b", "k"), ">", 10)
    assert found == kernel_calls.minimize(last(4, 7))
    call = (ten.valid, (3, -1), "=", 10, ten.recurrence.constants, ("a", "l"))
    assert not kernel_calls.join_linear_is_empty(equal(), *call)
    assert kernel_calls.join_linear_is_empty(last(3, 4, 7), *call)


def test_more_states_in_a_disjoint_union_than_can_be_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_calls, "meter_of", lambda budget: backend.Meter(ceiling=500))
    assert kernel_calls.project_union([counter(200, P), counter(2, P)], ()).states == 200
    with pytest.raises(LimitError, match="500 states"):
        kernel_calls.project_union([counter(300, P), counter(300, P)], ())


def test_a_guarded_difference_drops_cached_steps_instead_of_failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """11 sets of 60 letters are 660 steps; states, sets and pairs are fewer than 500."""
    wide = Track("p", tuple(range(60)))
    a = build([wide], [dict.fromkeys(range(60), (state + 1) % 5) for state in range(5)], [1, 0, 0, 1, 0])
    rows = [{2 * p: (state + 1 + p % 2) % 11 for p in range(60)} for state in range(11)]
    b = build([wide, Track("z", (0, 1))], rows, [1] + [0] * 10)
    wanted = kernel_calls.guarded_difference(a, b, ["z"])
    assert 500 > wanted.states > 50 and wanted.transitions > 660
    assert kernel_calls.minimize(wanted) == reference.minimize(reference.guarded_difference(a, b, ["z"]))
    monkeypatch.setattr(kernel_calls, "meter_of", lambda budget: backend.Meter(ceiling=500))
    assert kernel_calls.guarded_difference(a, b, ["z"]) == wanted
    assert kernel_calls.guarded_difference_word(a, b, ["z"]) is not None


def test_infinitely_many_refuses_more_states_than_an_automaton_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    relation = kernel_calls.minimize(less("x", "y"))
    assert operations.infinitely_many(relation, "y") == everything("x")
    monkeypatch.setattr(operations, "MOST_STATES", relation.states)
    with pytest.raises(LimitError, match="states"):
        operations.infinitely_many(relation, "y")


@pytest.mark.parametrize("output", [1 << 31, -(1 << 31), 1 << 80])
def test_outputs_that_do_not_fit(output: int) -> None:
    with pytest.raises(LimitError, match="too large for an output"):
        build([P], [{0: 1}, {}], [0, output])


def test_outputs_that_just_fit() -> None:
    most = (1 << 31) - 1
    assert list(build([P], [{0: 1}, {}], [-most, most]).outputs) == [-most, most]


def test_counts_and_lengths_beyond_64_bits() -> None:
    pairs = build([P, Q], [{0: 0, 1: 0, 2: 0}], [1])
    with pytest.raises(LimitError):
        kernel_calls.at_least(pairs, ["q"], 1 << 31)
    with pytest.raises(LimitError):
        kernel_calls.at_least(pairs, ["q"], 1 << 70)
    with pytest.raises(LimitError):
        kernel_calls.count_words(pairs, 1 << 70)
    assert len(kernel_calls.words(pairs, 10)) == 10


def test_letters_beyond_62_bits_are_refused_before_any_kernel() -> None:
    tracks = [Track(f"t{number}", DECIMAL, "msd_10") for number in range(20)]
    unchecked = Dfa(tuple(tracks), *(getattr(equal(), name) for name in ("offsets", "codes", "targets", "outputs")))
    for attempt in (
        lambda: kernel_calls.join(unchecked, counter(2, P)),
        lambda: kernel_calls.minimize(unchecked),
        lambda: kernel_calls.collisions(unchecked, "t1"),
        lambda: kernel_calls.project_union([unchecked, unchecked], ["t1"]),
        lambda: kernel_calls.join_is_empty(unchecked, counter(2, P)),
    ):
        with pytest.raises((LimitError, AutomatonError)):
            attempt()
