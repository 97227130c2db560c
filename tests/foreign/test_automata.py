"""Automata as other programs load them: BA, DOT, networkx, automata-lib. They accept the same words."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given, settings

import fibprover as fp
from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.formats.dot import installed, run, to_dot
from fibprover.automata.formats.exports import from_automata_lib, from_networkx, to_automata_lib, to_ba, to_networkx
from fibprover.frontends.display.drawing import drawing_of
from fibprover.workspace.walnut import read_automaton
from tests.display.structure import Picture
from tests.display.test_tikz import automata, check
from tests.foreign.programs import needs_graphviz

#: Names that a graph must not take for its own syntax.
NAMES = (
    'a"b', "a\\", "a\\nb", "\\N\\G", "x&lt;y&#65;&amp", "<b>x</b>", "tab\tx",
    "\u00e9 \u03c6 \u6570", 'a\\"b', '"', "//",
    "/*", "#x",
    "graph", "%", "", "x -> y; z", "%s%d", "a" * 15_999 + '\\"' + "b" * 20_000,
)

NOTHING = build((Track("n", (-1, 0, 1)),), [{0: 1, 1: 0, 2: 1}, {0: 0}], [0, 0])
WORD_EMPTY = build((Track("n", (0, 1)),), [{}], [1])


def accepting(a: Dfa) -> Dfa:
    """The automaton that accepts where another one has an output other than 0."""
    return build(a.tracks, [dict(a.row(state)) for state in range(a.states)], [int(bool(x)) for x in a.outputs])


def least(a: Dfa) -> Dfa:
    return kernel_calls.minimize(accepting(a))


# -- BA -----------------------------------------------------------------------------------------------------------

_TRANSITION = re.compile(r"([^,>-]+),([^,>-]+)->([^,>-]+)")


def of_ba(text: str, tracks: tuple[Track, ...]) -> Dfa:
    """The automaton of a file, as tools for BA read it.

    Names have no `,`, `-` and `>`; the initial state, the transitions, the accepting states; all states are accepting
    where none is listed.
    """
    lines = text.splitlines()
    first = 0
    while first + 1 < len(lines) and _TRANSITION.fullmatch(lines[first + 1]):
        first += 1
    listed = lines[first + 1 :]
    assert all(re.fullmatch("[^,>-]+", name) for name in [lines[0], *listed])
    moves = [found.groups() for line in lines[1 : first + 1] if (found := _TRANSITION.fullmatch(line))]
    names = list(dict.fromkeys([lines[0], *(state for _, *ends in moves for state in ends), *listed]))
    rows: list[dict[int, int]] = [{} for _ in names]
    shape = build(tracks, [{}], [0])
    for letter, source, target in moves:
        digits = [] if letter == "()" else [int(part.replace("m", "-")) for part in letter.split(".")]
        assert rows[names.index(source)].setdefault(shape.code(digits), names.index(target)) == names.index(target)
    return build(tracks, rows, [int(not listed or name in listed) for name in names])


@given(automata())
@example(NOTHING)
@example(WORD_EMPTY)
def test_ba(a: Dfa) -> None:
    assert kernel_calls.minimize(of_ba(to_ba(a), a.tracks)) == least(a)


def test_nothing_is_not_everything_in_ba() -> None:
    """A file that lists no accepting state means that all are."""
    assert of_ba("[0]\nm1,[0]->[0]\n", NOTHING.tracks).outputs[0] == 1
    assert not any(of_ba(to_ba(NOTHING), NOTHING.tracks).outputs[state] for state in range(NOTHING.states))


# -- DOT ----------------------------------------------------------------------------------------------------------


def of_graphviz(graph: str) -> tuple[Picture, list[str]]:
    """What graphviz draws of a graph: the automaton, and the lines of the title."""
    drawn = json.loads(run(graph, "json"))

    def texts(item: dict[str, object]) -> tuple[str, ...]:
        found = item.get("_ldraw_", [])
        assert isinstance(found, list)
        return tuple(each["text"] for each in found if each["op"] == "T")

    nodes = {node["_gvid"]: node for node in drawn["objects"]}
    numbers = {key: int(node["name"]) for key, node in nodes.items() if node["name"] != "start"}
    edges: dict[tuple[int, int], tuple[str, ...]] = {}
    entered = []
    for edge in drawn.get("edges", []):
        if edge["tail"] not in numbers:
            entered.append(numbers[edge["head"]])
            continue
        ends = numbers[edge["tail"]], numbers[edge["head"]]
        assert ends not in edges
        edges[ends] = tuple(" ".join(texts(edge)).split())
    assert entered == [0]
    states = {number: "".join(texts(nodes[key])) for key, number in numbers.items()}
    doubled = frozenset(number for key, number in numbers.items() if nodes[key]["shape"] == "doublecircle")
    return Picture(states, doubled, edges), list(texts(drawn))


@needs_graphviz
@settings(max_examples=10)
@given(automata())
def test_dot(a: Dfa) -> None:
    for word in (False, True):
        check(of_graphviz(to_dot(a, "a", word=word))[0], a, word)


@needs_graphviz
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_of_graphs(name: str) -> None:
    shown, title = of_graphviz(drawing_of(WORD_EMPTY, name, "dot").decode())
    assert title == [f"{name} (n)"]
    check(shown, WORD_EMPTY, False)


@needs_graphviz
def test_a_long_label_in_dot() -> None:
    """Forty boxes of hundreds of digits: more than graphviz reads as one string."""
    tracks = (Track("x", tuple(range(40))), Track("y", tuple(range(600))))
    row = {600 * a + b: 0 for a, b in product(range(40), range(600)) if b * (a + 2) % 601 % 2}
    wide = build(tracks, [row], [1])
    graph = to_dot(wide, "wide")
    assert len(graph) > 16_384
    check(of_graphviz(graph)[0], wide, False)


# -- what the command writes -------------------------------------------------------------------------------------


def padded(system: fp.NumerationSystem, numbers: tuple[int, ...], length: int) -> list[tuple[int, ...]]:
    """The letters of some numbers, in the order in which their system is read."""
    zeros = [[0] * (length - len(digits)) + digits for digits in map(list, map(system.represent, numbers))]
    return list(zip(*(row[::-1] if system.name.startswith("lsd") else row for row in zeros), strict=True))


@pytest.mark.parametrize("system", ["msd_2", "lsd_2", "msd_fib", "lsd_fib", "msd_neg_2", "lsd_neg_3"])
def test_exports(system: str, tmp_path: Path) -> None:
    """Each file accepts the pairs of a relation, in the order of reading, and no other ones."""
    session = fp.Session(system)
    session.namespace.folder = tmp_path
    session.run('def p "y=x+1 | (x=3 & y=9)"; export $p BA; export $p TXT; export $p GV;')
    named = session.namespace.system(system)
    tracks = tuple(named.track(name) for name in "xy")
    loaded = [of_ba((tmp_path / "p.ba").read_text(), tracks)]
    loaded.append(read_automaton(tmp_path / "p.txt", lambda name: named.track("x"), ["x", "y"]))
    for x, y in product(range(12), repeat=2):
        word = padded(named, (x, y), 9)
        for a in loaded:
            assert bool(a.output(map(a.code, word))) == (y == x + 1 or (x, y) == (3, 9)), (x, y)
    if installed():
        check(of_graphviz((tmp_path / "p.gv").read_text())[0], loaded[1], False)


# -- networkx and automata-lib ------------------------------------------------------------------------------------


@given(automata())
def test_networkx(a: Dfa) -> None:
    pytest.importorskip("networkx")
    assert from_networkx(to_networkx(a)) == a


@given(automata())
@example(NOTHING)
@example(WORD_EMPTY)
def test_automata_lib(a: Dfa) -> None:
    pytest.importorskip("automata")
    a = accepting(a)
    machine = to_automata_lib(a)
    assert kernel_calls.minimize(from_automata_lib(machine, a.tracks)) == least(a)
    letters = [a.letter(code) for code in range(min(a.letters, 4))]
    for word in [word for length in range(4) for word in product(letters, repeat=length)]:
        symbols = [",".join(map(str, letter)) for letter in word]
        assert machine.accepts_input(symbols) == bool(a.output(map(a.code, word)))
