"""Random automata for Hypothesis: partial, with dead and unreachable states."""

from __future__ import annotations

from math import prod

from hypothesis import strategies as st

from fibprover.automata.dfa import Dfa, Track, build

ALPHABETS = ((0,), (0, 1), (0, 1, 2), (-1, 0, 1), (-2, 0))
NAMES = ("a", "b", "c", "d")


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Track, ...]:
    """One track for every name; automata over tracks of one draw fit together."""
    plain = draw(st.sampled_from(("none", "some")))
    return tuple(
        Track(
            name,
            draw(st.sampled_from(ALPHABETS)),
            draw(st.sampled_from(("msd_x", ""))) if plain == "some" else "msd_x",
        )
        for name in NAMES
    )


@st.composite
def automata(draw: st.DrawFn, tracks: tuple[Track, ...], states: int = 8) -> Dfa:
    """An automaton over these tracks, with outputs 0, 1 and 2."""
    count = draw(st.integers(1, states))
    letters = prod(len(track.digits) for track in tracks)
    state = st.integers(0, count - 1)
    size = draw(st.integers(0, 4 * count))
    edges = draw(st.lists(st.tuples(state, st.integers(0, letters - 1), state), min_size=size, max_size=size + 4))
    outputs = draw(st.lists(st.sampled_from((0, 0, 1, 1, 2)), min_size=count, max_size=count))
    rows: list[dict[int, int]] = [{} for _ in range(count)]
    for source, code, target in edges:
        rows[source][code] = target
    return build(tracks, rows, outputs)


@st.composite
def tracks_of(draw: st.DrawFn, world: tuple[Track, ...], least: int = 0) -> tuple[Track, ...]:
    """Up to three of the world's tracks, in any order."""
    return tuple(draw(st.lists(st.sampled_from(world), min_size=least, max_size=3, unique=True)))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Dfa, Dfa, Dfa, tuple[str, ...]]:
    """Three automata a, b, c that fit together, and the names of tracks of b to quantify.

    c has the tracks of a in another order, as `union` and `difference` need; b without the quantified
    tracks can be subtracted from a.
    """
    world = draw(worlds())
    first = draw(tracks_of(world))
    second = draw(tracks_of(world))
    a = draw(automata(first))
    b = draw(automata(second))
    c = draw(automata(tuple(draw(st.permutations(first)))))
    shared = [track.name for track in second if track not in first]
    more = draw(st.lists(st.sampled_from(second), max_size=1)) if second else []
    quantified = tuple(sorted({*shared, *(track.name for track in more)}))
    return a, b, c, quantified
