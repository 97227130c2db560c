"""Hand-made automata with known answers, for the compiled kernels and the reference implementation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from types import ModuleType

import pytest

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import AutomatonError

BITS = (0, 1)
X, Y, Z = (Track(name, BITS, "msd_2") for name in "xyz")
P, Q = Track("p", BITS), Track("q", BITS)


def equal(first: Track = X, second: Track = Y) -> Dfa:
    """first = second, in binary."""
    return build((first, second), [{0: 0, 3: 0}], [1])


def less(first: Track = X, second: Track = Y) -> Dfa:
    """first < second: the first difference is 0 against 1."""
    return build((first, second), [{0: 0, 3: 0, 1: 1}, dict.fromkeys(range(4), 1)], [0, 1])


def everything(*tracks: Track) -> Dfa:
    return build(tracks, [dict.fromkeys(range(2 ** len(tracks)), 0)], [1])


def value(number: int, track: Track = X) -> Dfa:
    """Only this number, with leading zeros."""
    digits = [int(digit) for digit in f"{number:b}"]
    rows: list[dict[int, int]] = [{digit: place + 1} for place, digit in enumerate(digits)]
    rows[0][0] = 0
    return build((track,), [*rows, {}], [0] * len(rows) + [1])


def true() -> Dfa:
    return build((), [{0: 0}], [1])


def false() -> Dfa:
    return build((), [{}], [0])


def from_the_end(distance: int, track: Track = P) -> Dfa:
    """The letter at this distance from the beginning is 1; the reversal needs 2^distance states."""
    rows: list[dict[int, int]] = [{0: state + 1, 1: state + 1} for state in range(distance - 1)]
    return build((track,), [*rows, {1: distance}, {0: distance, 1: distance}], [0] * distance + [1])


def arrays(a: Dfa) -> tuple[list[int], list[int], list[int], list[int]]:
    return list(a.offsets), list(a.codes), list(a.targets), list(a.outputs)


def test_join_on_two_shared_tracks_in_other_orders(kernels: ModuleType) -> None:
    found = kernels.minimize(kernels.join(less(Y, X), less(X, Y)))
    assert found.names == ("x", "y")
    assert arrays(found) == ([0, 0], [], [], [0])


def test_join_makes_order_transitive(kernels: ModuleType) -> None:
    chain = kernels.join(less(X, Y), less(Y, Z))
    assert chain.names == ("x", "y", "z")
    outer = kernels.minimize(kernels.project(chain, ["y"]))
    # x < y < z: z is at least x + 2, so the successor pair drops out.
    assert outer.output([0, 1]) != 1
    assert outer.output([1, 0]) == 1
    assert kernels.is_empty(kernels.difference(outer, less(X, Z)))


def test_join_of_disjoint_tracks_is_their_product(kernels: ModuleType) -> None:
    both = kernels.minimize(kernels.join(value(2, Y), value(1, X)))
    assert both.names == ("x", "y")
    assert kernels.words(both, 5) == [(1, 2)]


def test_true_and_false_without_tracks(kernels: ModuleType) -> None:
    assert kernels.minimize(kernels.join(true(), true())) == true()
    assert kernels.minimize(kernels.join(true(), false())) == false()
    assert kernels.minimize(kernels.union(false(), true())) == true()
    assert kernels.minimize(kernels.difference(true(), true())) == false()
    assert kernels.minimize(kernels.difference(true(), false())) == true()
    assert kernels.minimize(kernels.join(less(), true())) == kernels.minimize(less())
    assert kernels.minimize(kernels.difference(less(), true())).transitions == 0
    assert kernels.project(true(), ()) == true() and kernels.project(false(), ()) == false()
    assert kernels.shortest(true()) == () and kernels.shortest(false()) is None
    assert kernels.is_finite(true()) and kernels.words(true(), 3) == [()]
    assert kernels.count_words(true(), 4) == 1 and kernels.count_words(false(), 0) == 0


def test_union_of_less_and_greater_is_unequal(kernels: ModuleType) -> None:
    unequal = kernels.minimize(kernels.union(less(X, Y), less(Y, X)))
    assert unequal == kernels.minimize(kernels.difference(everything(X, Y), equal()))
    assert arrays(unequal) == ([0, 4, 8], [0, 1, 2, 3, 0, 1, 2, 3], [0, 1, 1, 0, 1, 1, 1, 1], [0, 1])


def test_difference_leaves_missing_tracks_alone(kernels: ModuleType) -> None:
    found = kernels.difference(everything(X, Y), value(0, Y))
    assert kernels.minimize(found) == kernels.minimize(
        kernels.join(kernels.difference(everything(Y), value(0, Y)), everything(X))
    )


def test_guarded_difference_is_the_difference_of_the_projection(kernels: ModuleType) -> None:
    # x with no y < x: just 0.
    found = kernels.minimize(kernels.guarded_difference(everything(X), less(Y, X), ["y"]))
    assert kernels.words(found, 3) == [()]
    # Everything quantified: TRUE or FALSE is subtracted.
    assert kernels.is_empty(kernels.guarded_difference(everything(X), less(Y, Z), ["y", "z"]))
    nothing = kernels.join(less(Y, Z), less(Z, Y))
    kept = kernels.guarded_difference(everything(X), nothing, ["y", "z"])
    assert kernels.minimize(kept) == kernels.minimize(everything(X))


def test_emptiness_of_products_on_the_fly(kernels: ModuleType) -> None:
    assert kernels.join_is_empty(less(X, Y), less(Y, X))
    assert not kernels.join_is_empty(less(X, Y), less(Y, Z))
    assert kernels.join_is_empty(value(2, X), value(3, X)) and not kernels.join_is_empty(value(2, X), value(3, Y))
    assert kernels.join_is_empty(false(), true()) and not kernels.join_is_empty(true(), true())
    assert kernels.difference_is_empty(equal(), everything(Y, X)) and not kernels.difference_is_empty(equal(), less())
    assert kernels.difference_is_empty(less(), everything(X)) and not kernels.difference_is_empty(less(), value(1))
    assert kernels.difference_is_empty(false(), false()) and not kernels.difference_is_empty(true(), false())
    # Dead states of a form no words, although b cannot read the 1.
    dead = build((P,), [{0: 0, 1: 1}, {1: 1}], [1, 0])
    assert kernels.difference_is_empty(dead, build((P,), [{0: 0}], [1]))
    # Nor do dead states of b: after 1 it has transitions, but accepts nothing.
    assert not kernels.difference_is_empty(build((P,), [{1: 0}], [1]), dead)


def test_inclusion_in_a_projection_on_the_fly(kernels: ModuleType) -> None:
    assert kernels.guarded_difference_word(everything(X), less(X, Y), ["y"]) is None
    # No y is below 0, and 0 is the only such x.
    assert kernels.guarded_difference_word(everything(X), less(Y, X), ["y"]) is not None
    positive = build((X,), [{0: 0, 1: 1}, {0: 1, 1: 1}], [0, 1])
    assert kernels.guarded_difference_word(positive, less(Y, X), ["y"]) is None
    assert kernels.guarded_difference_word(everything(X), less(Y, Z), ["y", "z"]) is None
    assert kernels.guarded_difference_word(true(), false(), ()) is not None
    nothing = kernels.join(less(Y, Z), less(Z, Y))
    assert kernels.guarded_difference_word(everything(X), nothing, ["y", "z"]) is not None
    assert kernels.guarded_difference_word(build((X,), [{1: 0}], [0]), nothing, ["y", "z"]) is None


def test_projection_finds_longer_witnesses(kernels: ModuleType) -> None:
    # Some y > x: the y may be longer than x, so every x has one.
    assert kernels.minimize(kernels.project(less(), ["y"])) == everything(X)
    # Over plain alphabets lengths matter: no y of the same length above 11.
    plain = kernels.minimize(kernels.project(less(P, Q), ["q"]))
    assert plain.output([1, 1]) != 1 and plain.output([1, 0]) == 1


def test_projection_of_a_disjunction(kernels: ModuleType) -> None:
    unequal = kernels.minimize(kernels.project_union([less(X, Y), less(Y, X)], ()))
    assert unequal == kernels.minimize(kernels.difference(everything(X, Y), equal()))
    # Some y above x, or x is 6; only the second part has z, and y in one part is as good as in both.
    parts = [less(X, Y), kernels.join(value(6), value(1, Z))]
    assert kernels.minimize(kernels.project_union(parts, ["y", "z"])) == everything(X)
    below = kernels.minimize(kernels.project_union([value(6, Y), kernels.join(less(Y, X), value(2, X))], ["x"]))
    assert kernels.words(below, 9) == [(), (1,), (1, 1, 0)]
    # Three automata at once, two of them empty.
    nothing = kernels.join(less(X, Y), less(Y, X))
    assert kernels.minimize(kernels.project_union([nothing, less(), nothing], ["y"])) == everything(X)
    assert kernels.minimize(kernels.project_union([nothing, nothing], ["y"])).transitions == 0
    assert kernels.project_union([nothing, less()], ["x", "y"]) == true()
    assert kernels.project_union([nothing, nothing], ["x", "y"]) == false()
    assert kernels.project_union([false(), true()], ()) == true()
    # A longer witness in either part counts, and over a plain alphabet none does.
    plain = kernels.minimize(kernels.project_union([less(P, Q), less(Q, P)], ["q"]))
    assert plain.output([]) is None or plain.output([]) == 0
    assert plain.output([1, 1]) == 1 and plain.output([1, 0]) == 1


def test_collisions(kernels: ModuleType) -> None:
    # Equal digits stay apart without either track; of the four letters below another two and two fall together.
    assert kernels.collisions(equal(), "x") == kernels.collisions(equal(), "y") == 0
    assert kernels.collisions(everything(X, Y, Z), "y") == 4
    a = build((X, Y), [{0: 1, 1: 0, 3: 0}, {2: 1, 3: 1}], [0, 1])
    assert kernels.collisions(a, "y") == 2 and kernels.collisions(a, "x") == 1
    assert kernels.collisions(value(5), "x") == 1


def test_projection_to_nothing(kernels: ModuleType) -> None:
    assert kernels.project(less(), ["x", "y"]) == true()
    assert kernels.project(kernels.join(less(X, Y), less(Y, X)), ["y", "x"]) == false()
    assert kernels.project(less(P, Q), ["p", "q"]) == true()


def test_numbers_left_by_a_plain_track_are_closed_under_zeros(kernels: ModuleType) -> None:
    # Three letters, of which the plain track takes any: over x alone 001 is the number 1.
    a = build((P, X), [{0: 1, 2: 1}, {0: 2, 2: 2}, {1: 3, 3: 3}, {}], [0, 0, 0, 1])
    assert arrays(kernels.minimize(kernels.project(a, ["p"]))) == ([0, 2, 2], [0, 1], [0, 1], [0, 1])
    # A plain track that stays is read letter by letter: nothing is closed.
    assert kernels.words(kernels.minimize(kernels.project(a, ["x"])), 9) == sorted(product(BITS, repeat=3))


def test_projection_with_negative_digits(kernels: ModuleType) -> None:
    signed = Track("s", (-1, 0, 1), "msd_s")
    # The zero letter of (s, x) is code 2; s = -1 first, x = 1 at once.
    a = build((signed, X), [{2: 0, 1: 1}, {2: 1}], [0, 1])
    over_x = kernels.minimize(kernels.project(a, ["s"]))
    assert arrays(over_x) == ([0, 2, 3], [0, 1, 0], [0, 1, 1], [0, 1])
    over_s = kernels.minimize(kernels.project(a, ["x"]))
    assert arrays(over_s) == ([0, 2, 3], [0, 1, 1], [1, 0, 1], [0, 1])


def test_zero_closure_does_not_loop_in_the_middle(kernels: ModuleType) -> None:
    # 1* closed under zeros in front is 0*1*, and not (0|1)*.
    closed = kernels.minimize(kernels.close_zeros(build((X,), [{1: 0}], [1])))
    assert arrays(closed) == ([0, 2, 3], [0, 1, 1], [0, 1, 1], [1, 1])
    # Zeros are removed, too: 001 becomes 0*1.
    shortened = kernels.minimize(kernels.close_zeros(build((X,), [{0: 1}, {0: 2}, {1: 3}, {}], [0, 0, 0, 1])))
    assert arrays(shortened) == ([0, 2, 2], [0, 1], [0, 1], [0, 1])
    # The initial state's set is met again after 10: there zero must not loop.
    again = kernels.minimize(kernels.close_zeros(build((X,), [{1: 1}, {0: 2}, {1: 1}], [0, 0, 1])))
    assert again.output([0, 0, 1, 0]) == 1 and again.output([1, 0, 0]) is None


def test_minimize_numbers_breadth_first_and_trims(kernels: ModuleType) -> None:
    # States 3 (dead), 4 (unreachable) and the equivalent states 1 and 2.
    a = build((P, Q), [{0: 2, 2: 1, 3: 3}, {1: 1}, {1: 2}, {0: 3}, {0: 1}], [0, 5, 7, 0, 1])
    found = kernels.minimize(a)
    assert arrays(found) == ([0, 2, 3], [0, 2, 1], [1, 1, 1], [0, 1])
    distinguished = kernels.minimize_outputs(a)
    assert arrays(distinguished) == ([0, 3, 4, 5, 6], [0, 2, 3, 1, 1, 0], [1, 2, 3, 1, 2, 3], [0, 7, 5, 0])


def test_minimize_of_nothing(kernels: ModuleType) -> None:
    for a in (build((P,), [{0: 1, 1: 0}, {0: 0}], [0, 0]), build((P,), [{}, {0: 0}], [0, 1])):
        assert arrays(kernels.minimize(a)) == arrays(kernels.trim(a)) == ([0, 0], [], [], [0])
        assert kernels.is_empty(a) and kernels.shortest(a) is None and kernels.words(a, 3) == []


def test_minimize_of_a_chain_of_equal_pairs(kernels: ModuleType) -> None:
    length = 60
    rows: list[dict[int, int]] = [{0: 1, 1: 2}]
    for level in range(length):
        rows += [{0: 2 * level + 3}, {0: 2 * level + 4}]
    rows += [{}, {}]
    a = build((P,), rows, [0] * (2 * length + 1) + [1, 1])
    assert kernels.minimize(a).states == length + 2


def test_reverse(kernels: ModuleType) -> None:
    a = from_the_end(4)
    backwards = kernels.minimize(kernels.reverse(a))
    assert backwards.states == 16
    assert kernels.minimize(kernels.reverse(backwards)) == kernels.minimize(a)
    assert kernels.minimize(kernels.reverse(build((P,), [{0: 0}], [0]))).transitions == 0


def test_reorder(kernels: ModuleType) -> None:
    assert kernels.reorder(less(X, Y), ("y", "x")) == build(
        (Y, X), [{0: 0, 3: 0, 2: 1}, dict.fromkeys(range(4), 1)], [0, 1]
    )
    with pytest.raises(AutomatonError):
        kernels.reorder(less(X, Y), ("y",))


def test_words_shortest_and_finiteness(kernels: ModuleType) -> None:
    assert kernels.words(less(), 4) == [(1,), (1, 0), (1, 1), (1, 2), (1, 3)][:4]
    assert kernels.shortest(less()) == (1,)
    assert not kernels.is_finite(less())
    six = value(6)
    assert kernels.is_finite(six) and kernels.words(six, 9) == [(1, 1, 0)] and kernels.shortest(six) == (1, 1, 0)
    # As words over a plain alphabet the zeros in front count, and there are infinitely many.
    plain = value(6, P)
    assert not kernels.is_finite(plain) and kernels.words(plain, 2) == [(1, 1, 0), (0, 1, 1, 0)]
    # The initial state is reached again by a digit other than zero: infinite.
    assert not kernels.is_finite(build((X,), [{0: 0, 1: 0}], [1]))
    # Lengths with gaps.
    third = build((P,), [{0: 1, 1: 1}, {1: 2}, {0: 0, 1: 0}], [1, 0, 0])
    assert kernels.words(third, 6) == [(), (0, 1, 0), (0, 1, 1), (1, 1, 0), (1, 1, 1), (0, 1, 0, 0, 1, 0)]
    assert kernels.words(third, 0) == []
    assert kernels.count_words(third, 99) == 4**33 and kernels.count_words(third, 100) == 0


def test_letters_beyond_32_bits(kernels: ModuleType) -> None:
    digits = tuple(range(10))
    names = "abcdefghijkl"
    tracks = tuple(Track(name, digits, "msd_10") for name in names)
    repunit = sum(10**place for place in range(12))
    # All twelve equal, and 3 or 7 in the end.
    a = build(tracks, [{d * repunit: 0 for d in digits} | {0: 0}], [1])
    b = build(tracks, [{0: 0, 3 * repunit: 1, 7 * repunit: 1}, {}], [0, 1])
    both = kernels.minimize(kernels.join(a, b))
    assert list(both.codes) == [0, 3 * repunit, 7 * repunit]
    kept = kernels.minimize(kernels.project(both, names[1:]))
    assert kept.names == ("a",) and list(kept.codes) == [0, 3, 7]
    most = kernels.minimize(kernels.project(both, ["c"]))
    assert list(most.codes) == [0, 3 * (repunit // 10), 7 * (repunit // 10)]
    assert kernels.is_empty(kernels.guarded_difference(both, b, ["c"]))
    left = kernels.guarded_difference(a, b, ["c"])
    assert kernels.words(kernels.minimize(left), 3) == [(), (repunit,), (2 * repunit,)]
    backwards = kernels.minimize(kernels.reverse(both))
    assert backwards.output([7 * repunit, 0, 0]) == 1 and backwards.output([0, 7 * repunit]) is None
    turned = kernels.reorder(b, tuple(reversed(names)))
    assert list(turned.codes) == list(b.codes)
    assert kernels.is_empty(kernels.difference(kernels.join(a, b), b))
    assert kernels.minimize(kernels.union(b, both)) == kernels.minimize(b)
    assert kernels.shortest(both) == (3 * repunit,)


def test_long_rows_are_sorted(kernels: ModuleType) -> None:
    wide = [Track(name, tuple(range(6)), "msd_6") for name in "ab"]
    a = build(wide, [{code: code % 3 for code in range(36)}, dict.fromkeys(range(36), 0), {5: 2}], [0, 1, 1])
    turned = kernels.reorder(a, ("b", "a"))
    for state in range(3):
        codes = [code for code, _ in turned.row(state)]
        assert codes == sorted(codes) and len(codes) == len(a.row(state))
    assert kernels.reorder(turned, ("a", "b")) == a


@pytest.mark.parametrize(
    "attempt",
    [
        lambda kernels: kernels.join(value(1, X), value(1, Track("x", BITS))),
        lambda kernels: kernels.join(value(1, X), value(1, Track("x", (0, 1, 2), "msd_2"))),
        lambda kernels: kernels.union(value(1, X), value(1, Y)),
        lambda kernels: kernels.union(value(1, X), less()),
        lambda kernels: kernels.difference(value(1, X), less()),
        lambda kernels: kernels.guarded_difference(value(1, X), less(), ()),
        lambda kernels: kernels.join_is_empty(value(1, X), value(1, Track("x", BITS))),
        lambda kernels: kernels.difference_is_empty(value(1, X), less()),
        lambda kernels: kernels.difference_is_empty(value(1, X), value(1, Track("x", BITS))),
        lambda kernels: kernels.guarded_difference_word(value(1, X), less(), ()),
        lambda kernels: kernels.guarded_difference_word(less(), value(1, X), ["y"]),
        lambda kernels: kernels.project(value(1, X), ["y"]),
        lambda kernels: kernels.close_zeros(value(1, P)),
        lambda kernels: kernels.collisions(less(), "z"),
        lambda kernels: kernels.project_union([], ()),
        lambda kernels: kernels.project_union([less()], ["z"]),
        lambda kernels: kernels.project_union([less(), value(1)], ()),
        lambda kernels: kernels.project_union([less(), value(1, Z)], ["z"]),
        lambda kernels: kernels.project_union([less(), value(1, Track("x", BITS))], ["y"]),
        lambda kernels: kernels.project_union([value(1), kernels.join(value(1), value(1, P))], ["x"]),
    ],
)
def test_automata_that_do_not_fit(kernels: ModuleType, attempt: Callable[[ModuleType], object]) -> None:
    with pytest.raises(AutomatonError):
        attempt(kernels)
