"""Regular expressions for automata: they mean the same language, read back by `reg`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.expression import regular_expression
from fibprover.base.errors import AutomatonError, BudgetSpent, LimitError
from fibprover.base.limits import UNLIMITED, Budget
from fibprover.language.regular_expression import parse_regex
from fibprover.prover.evaluate.regular_language import compile_regex
from fibprover.workspace.session import Session


def read_back(text: str, tracks: tuple[Track, ...]) -> Dfa:
    regex = parse_regex(text, [track.digits for track in tracks])
    return kernel_calls.minimize(compile_regex(regex, tracks, UNLIMITED))


@st.composite
def automata(draw: st.DrawFn) -> Dfa:
    count = draw(st.integers(1, 2))
    tracks = tuple(Track(f"x{k}", tuple(draw(st.sampled_from([(0, 1), (0, 1, 2), (-1, 4, 12)])))) for k in range(count))
    letters = 1
    for track in tracks:
        letters *= len(track.digits)
    states = draw(st.integers(1, 5))
    row = st.dictionaries(st.integers(0, letters - 1), st.integers(0, states - 1), max_size=4)
    rows = draw(st.lists(row, min_size=states, max_size=states))
    outputs = draw(st.lists(st.integers(0, 1), min_size=states, max_size=states))
    return kernel_calls.minimize(build(tracks, rows, outputs))


@given(automata())
@settings(max_examples=100, deadline=None)
def test_the_expression_means_the_language(a: Dfa) -> None:
    assert read_back(regular_expression(a), a.tracks) == a


@pytest.mark.parametrize(
    ("system", "formula"),
    [
        ("msd_fib", "x<y"), ("msd_fib", "x!=y"), ("msd_fib", "x=3*y"), ("msd_fib", "x+y=z"), ("msd_2", "Ey x=11*y"),
        ("msd_fib", "x<1000000000"),
        pytest.param("msd_fib", f"x<{10**34}", marks=pytest.mark.long),
        ("msd_neg_2", "x<y"), ("msd_10", "Ey x=3*y"),
    ],
)
def test_expressions_of_relations_are_read_back(system: str, formula: str) -> None:
    """Also where factoring could nest deeper than `reg` reads."""
    relation = Session(system).relation(formula).automaton
    assert read_back(regular_expression(relation), relation.tracks) == kernel_calls.minimize(relation)


@pytest.mark.parametrize(
    ("formula", "expression"),
    [
        ("x=0", "0*"),
        ("x=1", "0*1"),
        ("x<2", "0*1?"),
        ("x=y & x<2", "[0,0]*[1,1]?"),
        ("Ey x=2*y", "((0|1)*0)?"),
    ],
)
def test_short_ones(formula: str, expression: str) -> None:
    system = "msd_2" if "E" in formula else "msd_fib"
    relation = Session(system).relation(formula).automaton
    found = regular_expression(relation)
    assert read_back(found, relation.tracks) == read_back(expression, relation.tracks)
    assert len(found) <= len(expression) + 8


@pytest.mark.parametrize(
    ("system", "formula", "length"),
    [("msd_fib", "x<y", 130), ("msd_fib", "x=2*y", 275), ("msd_fib", "x+y=z", 2913), ("msd_2", "Ey x=11*y", 496)],
)
def test_common_parts_are_written_once(system: str, formula: str, length: int) -> None:
    """Without factoring these have 179, 316, 4961 and 922 characters."""
    assert len(regular_expression(Session(system).relation(formula).automaton)) <= length


def test_long_ones_are_given_up() -> None:
    relation = Session("msd_fib").relation("x+y=z").automaton
    with pytest.raises(LimitError, match="more than 1000 characters"):
        regular_expression(relation, most=1000)
    with pytest.raises(LimitError):
        regular_expression(Session().relation("x=1").automaton, most=1)
    with pytest.raises(BudgetSpent):
        regular_expression(relation, Budget(states=3))


def test_nothing_to_write() -> None:
    assert regular_expression(Session().relation("x!=x").automaton) == "~(.*)"
    with pytest.raises(AutomatonError):
        regular_expression(build((), [{}], [1]))
