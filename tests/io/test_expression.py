"""Regular expressions for automata: they mean the same language, read back by `reg`."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.word_expression import regular_expression
from fibprover.base.limits import UNLIMITED
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
    text = regular_expression(a, 10**6)
    if text is None:
        assert kernel_calls.is_empty(a)
    else:
        assert read_back(text, a.tracks) == a


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
    found = regular_expression(Session(system).relation(formula).automaton)
    assert found is not None
    tracks = Session(system).relation(formula).automaton.tracks
    assert read_back(found, tracks) == read_back(expression, tracks)
    assert len(found) <= len(expression) + 8


def test_long_ones_are_given_up() -> None:
    relation = Session("msd_fib").relation("x+y=z")
    assert regular_expression(relation.automaton, 30) is None
    assert regular_expression(Session().relation("x=1").automaton, 1) is None


def test_nothing_to_write() -> None:
    assert regular_expression(Session().relation("x!=x").automaton) is None
    assert regular_expression(build((), [{}], [1])) is None
