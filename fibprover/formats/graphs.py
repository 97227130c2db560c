"""Automata as graphs of networkx, and back.

A MultiDiGraph with a node a state, whose `output` is 0 or 1, or a word's letter, and an edge a
transition, whose `letter` has one digit a track.  Of the graph itself, `initial` is the node to
start from, and `tracks` says of each track its name, its digits and its numeration system ("" if none).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.errors import AutomatonError
from fibprover.formats.optional import library


def to_networkx(a: Dfa) -> Any:
    """The graph of an automaton, as `Session.language` and `Session.machine` give it.

    NotInstalled without networkx.
    """
    graph = library("networkx", "networkx").MultiDiGraph(
        initial=0, tracks=[(track.name, track.digits, track.system) for track in a.tracks]
    )
    for state in range(a.states):
        graph.add_node(state, output=a.outputs[state])
    for state in range(a.states):
        for code, target in a.row(state):
            graph.add_edge(state, target, letter=a.letter(code))
    return graph


def from_networkx(graph: Any, tracks: Sequence[Track] | None = None) -> Dfa:
    """The automaton of a graph, neither trimmed nor minimized; nodes may be called anything.

    tracks: instead of those the graph names.  A node without `output` has 0.  AutomatonError for a graph
    that is no deterministic automaton, with the node where it is none.
    """
    about: Mapping[str, Any] = graph.graph
    if tracks is None:
        try:
            parts = [(str(name), tuple(map(int, digits)), str(system)) for name, digits, system in about["tracks"]]
            tracks = [Track(*part) for part in parts]
        except (KeyError, TypeError, ValueError):
            raise AutomatonError(
                "the graph does not say what its tracks are",
                hint='give tracks=[Track("n", (0, 1), "msd_2")], or the graph an attribute tracks',
            ) from None
    nodes = list(graph.nodes)
    initial = about.get("initial", nodes[0] if nodes else None)
    if initial not in graph:
        raise AutomatonError(f"the initial node {initial!r} is not in the graph")
    nodes.remove(initial)
    numbers = {node: number for number, node in enumerate([initial, *nodes])}
    shape = build(tracks, [{}], [0])
    rows: list[dict[int, int]] = [{} for _ in numbers]
    for source, target, letter in graph.edges(data="letter"):
        if not isinstance(letter, Sequence) or isinstance(letter, str):
            raise AutomatonError(f"the edge from {source!r} to {target!r} has no letter, one digit a track")
        code = shape.code(letter)
        if rows[numbers[source]].setdefault(code, numbers[target]) != numbers[target]:
            raise AutomatonError(f"the letter {list(letter)} leads from {source!r} to several nodes")
    outputs = []
    for node in numbers:
        output = graph.nodes[node].get("output", 0)
        if not isinstance(output, int):
            raise AutomatonError(f"the output of {node!r} is {output!r}, and no integer")
        outputs.append(int(output))
    return build(tracks, rows, outputs)
