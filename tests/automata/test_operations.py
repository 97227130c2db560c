"""Operations on relations against enumeration, and `infinitely many` against counting by length."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.base.errors import AutomatonError, BudgetSpent
from fibprover.base.limits import Budget
from tests.automata.small import accepted, automata, everything, less, table, tracks

XY = tracks("xy")
LONGEST = 4


def is_canonical(a: Dfa) -> bool:
    return kernel_calls.minimize(a) == a


@given(automata(XY), automata(XY))
def test_boolean_operations_are_those_of_sets(a: Dfa, b: Dfa) -> None:
    in_a, in_b = accepted(a, LONGEST), accepted(b, LONGEST)
    for result, expected in [
        (operations.conjunction(a, b), in_a & in_b),
        (operations.disjunction(a, b), in_a | in_b),
        (operations.difference(a, b), in_a - in_b),
        (operations.complement(a, b), in_b - in_a),
        (operations.symmetric_difference(a, b), in_a ^ in_b),
    ]:
        assert accepted(result, LONGEST) == expected
        assert is_canonical(result)


@given(automata(XY), automata(tracks("x")))
def test_a_cylinder_restricts_and_widens(a: Dfa, b: Dfa) -> None:
    wide = operations.cylinder(b, [a])
    assert accepted(wide, 3) == {word for word in accepted(a, 3) if b.output(code >> 1 for code in word)}
    free = operations.cylinder(b, [everything("w")])
    assert free.names == ("w", "x")
    assert accepted(free, 3) == {w for w in accepted(everything("wx"), 3) if b.output(code & 1 for code in w)}


def test_closed_formulas() -> None:
    assert operations.conjunction(operations.true(), operations.true()) == operations.true()
    assert operations.conjunction(operations.true(), operations.false()) == operations.false()
    assert operations.disjunction(operations.true(), operations.false()) == operations.true()
    assert operations.complement(operations.true(), operations.true()) == operations.false()
    assert operations.complement(operations.false(), operations.true()) == operations.true()
    assert operations.cartesian_product([]) == operations.true()
    assert operations.exists(less("x", "y"), ["x", "y"]) == operations.true()
    assert operations.exists(operations.empty(XY), ["x", "y"]) == operations.false()
    assert operations.conjunction(less("x", "y"), operations.true()) == kernel_calls.minimize(less("x", "y"))


def test_the_cheapest_track_to_lose() -> None:
    # z is free, so projecting it away removes half of all transitions; x and y depend on each other.
    a = operations.conjunction(less("x", "y"), everything("zw"))
    assert operations.cheapest_to_lose(a, ["x", "y", "z"]) == "z"
    assert operations.cheapest_to_lose(a, ["x"]) == "x"


def test_exists_over_a_disjunction() -> None:
    parts = [less("x", "y"), less("y", "x"), kernel_calls.join(less("x", "y"), everything("z"))]
    for names in (["x"], ["y"], ["x", "y"]):
        wanted = operations.exists(operations.disjunction(parts[0], parts[1]), names)
        assert operations.exists_union(parts[:2], names) == wanted
    assert operations.exists_union(parts, ["y", "z"]) == everything("x")


def test_exists_finds_longer_witnesses() -> None:
    # every y has a larger x, although x may need one digit more
    assert operations.exists(less("y", "x"), ["x"]) == everything("y")
    positive = table("y", {"z": "0>z 1>p", "p": "0>p 1>p"}, "p")
    assert operations.exists(less("x", "y"), {"x"}) == kernel_calls.minimize(positive)


def test_cartesian_products() -> None:
    no_11 = table("a", {"s": "0>s 1>t", "t": "0>s"}, "st")
    product = operations.cartesian_product([no_11.renamed("b"), no_11])
    assert product.names == ("a", "b")
    assert product.states == 4
    assert accepted(product, 3) == {
        word
        for word in accepted(everything("ab"), 3)
        if no_11.output(code >> 1 for code in word) and no_11.output(code & 1 for code in word)
    }
    with pytest.raises(AutomatonError, match="names repeat"):
        operations.cartesian_product([no_11, no_11])
    with pytest.raises(AutomatonError, match="one track"):
        operations.cartesian_product([less("x", "y")])


def test_tracks_that_do_not_fit_are_errors() -> None:
    with pytest.raises(AutomatonError, match="same tracks"):
        operations.complement(less("x", "y"), everything("xz"))
    with pytest.raises(AutomatonError, match="valid tuples"):
        operations.as_relation(less("x", "y"), [everything("x")])
    with pytest.raises(AutomatonError, match="no track z"):
        operations.infinitely_many(less("x", "y"), "z")
    plain = build([Track("x", (0, 1))], [{0: 0}], [1])
    with pytest.raises(AutomatonError, match="hold numbers"):
        operations.infinitely_many(plain, "x")


def test_a_raw_language_becomes_a_relation() -> None:
    # 1* as numbers: all ones, with any leading zeros; not (0|1)*, which a loop on the first state would give
    raw = build(tracks("x"), [{1: 0}], [1])
    expected = table("x", {"z": "0>z 1>o", "o": "1>o"}, "zo")
    assert operations.as_relation(raw, [everything("x")]) == kernel_calls.minimize(expected)
    no_11 = table("x", {"s": "0>s 1>t", "t": "0>s"}, "st")
    relation = operations.as_relation(raw, [no_11])
    assert accepted(relation, 4) == {word for word in accepted(everything("x"), 4) if not any(word[:-1])}


def test_a_raw_language_may_demand_leading_zeros() -> None:
    # 00(0|1)*: every number has a representation that begins with two zeros
    raw = build(tracks("x"), [{0: 1}, {0: 2}, {0: 2, 1: 2}], [0, 0, 1])
    assert operations.as_relation(raw, [everything("x")]) == everything("x")


@given(st.data())
def test_valid_words_are_joined_together_or_one_by_one(data: st.DataObject) -> None:
    """Whichever way is chosen for the size of the language, the relation is that of all tuples of valid words."""
    no_11 = table("x", {"s": "0>s 1>t", "t": "0>s"}, "st")
    valid = [data.draw(st.sampled_from([no_11, everything("x")])).renamed([name]) for name in "xyz"]
    raw = data.draw(automata(tracks("xyz"), most=5))
    together = kernel_calls.join(raw, operations.cartesian_product(valid))
    expected = kernel_calls.minimize(kernel_calls.close_zeros(together))
    assert operations.as_relation(raw, valid) == expected


def test_a_spent_budget_is_reported() -> None:
    with pytest.raises(BudgetSpent):
        operations.conjunction(less("x", "y"), less("y", "z"), Budget(states=2))


POWERS = table("x", {"z": "0>z 1>o", "o": "0>o"}, "o")
EVEN = table("y", {"e": "0>e 1>o", "o": "0>e 1>o"}, "e")


def of(name: str, a: Dfa) -> Dfa:
    return a.renamed([name])


FAMILIES = [
    ("x is a power of 2", POWERS, operations.true()),
    ("x < 8", table("x", {"z": "0>z 1>a", "a": "0>b 1>b", "b": "0>c 1>c", "c": ""}, "zabc"), operations.false()),
    ("x > y", less("y", "x"), everything("y")),
    ("x < y", less("x", "y"), operations.empty(tracks("y"))),
    ("x any, y even", operations.cylinder(EVEN, [everything("x")]), EVEN),
    (
        "x any where y is even, else x < y",
        operations.disjunction(operations.cylinder(EVEN, [everything("x")]), less("x", "y")),
        EVEN,
    ),
    ("x a power of 2 beyond y", operations.conjunction(POWERS, less("y", "x")), everything("y")),
    ("x below the power of 2 that is y", operations.conjunction(of("y", POWERS), less("x", "y")), None),
    ("x = y", table("xy", {"e": "00>e 11>e"}, "e"), None),
    (
        "y < z and x any, or x < y",
        operations.disjunction(
            operations.cylinder(less("y", "z"), [everything("x")]),
            operations.cylinder(less("x", "y"), [everything("z")]),
        ),
        less("y", "z"),
    ),
    ("x > y and x > z", operations.conjunction(less("y", "x"), less("z", "x")), everything("yz")),
    # the digits of x before those of y are one 1 and zeros: but only where y begins with its own 1
    (
        "x = y + a larger power of 2, y = 0 excluded",
        table("xy", {"z": "00>z 10>p", "p": "00>p 11>q", "q": "00>q 11>q"}, "q"),
        table("y", {"z": "0>z 1>o", "o": "0>o 1>o"}, "o"),
    ),
    # x in 100* goes with y = 1, x in 1100* with y = 2: two cycles, neither of which leads to the other
    (
        "two cycles",
        table("xy", {"z": "00>z 10>p", "p": "00>a 10>q", "a": "00>a 01>c", "c": "",
                     "q": "00>d", "d": "00>d 01>e", "e": "00>f", "f": ""}, "cf"),
        table("y", {"z": "0>z 1>c", "c": "0>f", "f": ""}, "cf"),
    ),
]


@pytest.mark.parametrize(("relation", "expected"), [family[1:] for family in FAMILIES], ids=[f[0] for f in FAMILIES])
def test_families_of_infinitely_many(relation: Dfa, expected: Dfa | None) -> None:
    result = operations.infinitely_many(relation, "x")
    rest = tuple(track for track in relation.tracks if track.name != "x")
    expected = operations.empty(rest) if expected is None else expected
    assert result == kernel_calls.minimize(expected)


def test_infinitely_many_pairs() -> None:
    one_pair_each = table("xy", {"e": "00>e 11>e"}, "e")
    assert operations.infinitely_many(one_pair_each, ["x", "y"]) == operations.true()
    below = operations.conjunction(less("x", "z"), less("y", "z"))
    assert operations.infinitely_many(below, ["x", "y"]) == operations.empty(tracks("z"))


def count_of_length(a: Dfa, digits: list[int], length: int) -> int:
    """How many x of exactly this many digits (the first one 1) are related to the y with these digits."""
    padded = [0] * (length - len(digits)) + digits
    runs = {0: 1}
    for place, digit in enumerate(padded):
        following: dict[int, int] = {}
        for state, count in runs.items():
            for x in (0, 1) if place else (1,):
                target = a.successor(state, 2 * x + digit)
                if target is not None:
                    following[target] = following.get(target, 0) + count
        runs = following
    return sum(count for state, count in runs.items() if a.outputs[state])


@settings(max_examples=100)
@given(automata(XY, most=6))
def test_infinitely_many_against_counting_by_length(raw: Dfa) -> None:
    a = operations.as_relation(raw, [everything("xy")])
    result = operations.infinitely_many(a, "x")
    assert is_canonical(result)
    for value in range(8):
        digits = [int(bit) for bit in f"{value:b}"]
        # A word that is longer than y by more than the number of states can be pumped, and one can
        # be cut down to at most twice that; so these lengths decide.
        lengths = range(len(digits) + a.states + 1, len(digits) + 2 * a.states + 2)
        infinite = any(count_of_length(a, digits, length) for length in lengths)
        for padding in range(3):
            assert bool(result.output([0] * padding + digits)) == infinite


@given(st.data())
def test_the_order_of_tracks_does_not_matter(data: st.DataObject) -> None:
    raw = data.draw(automata(tracks("xyz"), most=4))
    a = operations.as_relation(raw, [everything("xyz")])
    expected = operations.infinitely_many(a, "y")
    reordered = operations.infinitely_many(kernel_calls.reorder(a, ["z", "y", "x"]), "y")
    assert kernel_calls.minimize(kernel_calls.reorder(reordered, ["x", "z"])) == expected
