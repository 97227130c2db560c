"""Automata to networkx and automata-lib, and back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

import fibprover as fp
from fibprover.automata.formats.exports import from_automata_lib, from_networkx, to_automata_lib, to_networkx
from fibprover.base.errors import AutomatonError, DigitError, NotInstalled


def shift() -> fp.Dfa:
    session = fp.Session("msd_fib")
    session.reg("shift", [(0, 1), "msd_fib"], "([0,0]|[0,1][1,1]*[1,0])*")
    return session.namespace.language("shift")


def test_a_predicate_to_networkx_and_back() -> None:
    networkx = pytest.importorskip("networkx")
    a = shift()
    graph = to_networkx(a)
    assert isinstance(graph, networkx.MultiDiGraph)
    assert graph.number_of_nodes() == a.states
    assert {letter for _, _, letter in graph.edges(data="letter")} <= {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert from_networkx(graph) == a
    relabelled = networkx.relabel_nodes(graph, {0: "start", 1: "carry"})
    relabelled.graph["initial"] = "start"
    assert from_networkx(relabelled) == a


def test_a_word_to_networkx_and_back() -> None:
    pytest.importorskip("networkx")
    session = fp.Session()
    session.run('morphism h "0->01 1->20 2->22"; promote W h;')
    machine = session.namespace.machine("W")
    graph = to_networkx(machine)
    assert sorted(output for _, output in graph.nodes(data="output")) == [0, 1, 2]
    assert from_networkx(graph) == machine


def graph_with(**changes: Any) -> Any:
    """The graph of two states over {0,1}, with something wrong."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.MultiDiGraph(initial="a", tracks=[("n", (0, 1), "")])
    graph.add_node("a", output=1)
    graph.add_node("b", output=changes.get("output", 0))
    graph.add_edge("a", "b", letter=changes.get("letter", (0,)))
    graph.add_edge("a", "a", letter=changes.get("other", (1,)))
    graph.graph.update(changes.get("graph", {}))
    return graph


def test_the_graph_that_is_wrong_below_is_right_without_the_change() -> None:
    a = from_networkx(graph_with())
    assert [a.row(state) for state in range(a.states)] == [[(0, 1), (1, 0)], []]
    assert list(a.outputs) == [1, 0]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"letter": None}, "no letter"),
        ({"letter": "0"}, "no letter"),
        ({"letter": (1,)}, "several nodes"),
        ({"output": "x"}, "not an integer"),
        ({"graph": {"initial": "c"}}, "initial node 'c'"),
        ({"graph": {"tracks": 5}}, "tracks"),
        ({"letter": (2,)}, "2 is not a digit"),
        ({"letter": (0, 0)}, "1 digit, not 2"),
    ],
)
def test_graphs_that_are_no_automata(changes: dict[str, Any], says: str) -> None:
    with pytest.raises((AutomatonError, DigitError), match=says):
        from_networkx(graph_with(**changes))


def test_a_predicate_to_automata_lib_and_back() -> None:
    pytest.importorskip("automata")
    a = shift()
    machine = to_automata_lib(a)
    assert machine.accepts_input(["0,0", "0,1", "1,0"])
    assert not machine.accepts_input(["0,1", "0,1"])
    again = from_automata_lib(machine, a.tracks)
    session = fp.Session("msd_fib")
    session.namespace.define_language("again", again)
    session.namespace.define_language("first", a)
    assert session.prove("Ax,y $again(x,y) <=> $first(x,y)").truth


def test_an_nfa_is_determinized() -> None:
    nfa = pytest.importorskip("automata.fa.nfa").NFA
    ends_in_11 = nfa(
        states={"p", "q", "r"}, input_symbols={"0", "1"}, initial_state="p", final_states={"r"},
        transitions={"p": {"0": {"p"}, "1": {"p", "q"}}, "q": {"1": {"r"}}},
    )
    session = fp.Session("msd_2")
    session.namespace.define_language("three", from_automata_lib(ends_in_11, [fp.Track("n", (0, 1), "msd_2")]))
    assert session.prove("An $three(n) <=> Em n=4*m+3").truth


def test_what_automata_lib_cannot_hold() -> None:
    session = fp.Session()
    session.run('morphism h "0->01 1->20 2->22"; promote W h;')
    with pytest.raises(AutomatonError, match="other outputs"):
        to_automata_lib(session.namespace.machine("W"))
    with pytest.raises(AutomatonError, match="not int"):
        from_automata_lib(5, [fp.Track("n", (0, 1))])


@pytest.mark.parametrize(
    ("module", "convert", "package"),
    [("networkx", to_networkx, "networkx"), ("automata.fa.dfa", to_automata_lib, "automata-lib")],
)
def test_a_library_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, module: str, convert: Callable[[fp.Dfa], object], package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(NotInstalled, match=f"needs {package}") as raised:
        convert(shift())
    assert raised.value.hint == f"pip install {package}"


def test_relations_and_words_as_graphs() -> None:
    pytest.importorskip("networkx")
    session = fp.Session("lsd_fib")
    relation = session.relation("x+1=y")
    assert from_networkx(to_networkx(relation)) == relation.to_reading_order()
    word = fp.Session().namespace.library_words["T"]
    assert from_networkx(to_networkx(word)) == word.machine
    with pytest.raises(AutomatonError, match="not int"):
        to_networkx(5)  # type: ignore[arg-type]


def test_a_relation_to_automata_lib() -> None:
    pytest.importorskip("automata")
    machine = to_automata_lib(fp.Session().relation("x=5"))
    assert machine.accepts_input(["1", "0", "1"])
    assert not machine.accepts_input(["1", "0"])
