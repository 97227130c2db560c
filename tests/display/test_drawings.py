"""DOT and SVG: every state, edge and label is there, places do not collide, and limits hold."""

from __future__ import annotations

import random
import shutil
import stat
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fibprover as fp
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.formats.dot import quoted, to_dot, wrapped
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, NotInstalled
from fibprover.base.limits import Limits, spending
from fibprover.frontends.display.board_svg import Layer, to_board
from fibprover.frontends.display.drawing import FORMS, Form, drawing_of
from fibprover.frontends.display.layout import Size, Wire, layered

N = (Track("n", (0, 1), "msd_fib"),)
G = build(N, [{0: 0, 1: 1}, {0: 2}, {0: 3, 1: 1}, {0: 4, 1: 5}, {0: 3, 1: 5}, {0: 4}], [1, 0, 1, 1, 0, 1])
AB = (Track("a", (0, 1), "msd_2"), Track("b", (0, 1), "msd_2"))
LESS = build(AB, [{0: 0, 3: 0, 1: 1}, {0: 1, 1: 1, 2: 1, 3: 1}], [0, 1])
SVG = "{http://www.w3.org/2000/svg}"


def ring(states: int, chords: int, seed: int = 1) -> Dfa:
    """A cycle with random chords over two binary tracks."""
    choose = random.Random(seed)
    rows = [{0: (state + 1) % states} for state in range(states)]
    for _ in range(chords):
        rows[choose.randrange(states)][choose.randrange(1, 4)] = choose.randrange(states)
    return build(AB, rows, [state % 2 for state in range(states)])


def own_svg(a: Dfa, name: str = "automaton", *, word: bool = False, limit: int = 200) -> str:
    return drawing_of(a, name, "svg", word=word, limit=limit, layout="own").decode()


def test_the_graph_of_a_relation() -> None:
    assert to_dot(LESS, "less") == (
        'digraph "less" {\n'
        "  rankdir=LR; nodesep=0.2; ranksep=0.4;\n"
        '  label="less (a, b)"; labelloc=t; fontname="Helvetica";\n'
        '  node [shape=circle, fontname="Helvetica", fontsize=12, width=0.3, height=0.3, margin=0.03];\n'
        '  edge [fontname="Helvetica", fontsize=11, arrowsize=0.7];\n'
        '  start [shape=point, style=invis, label=""];\n'
        '  0 [label="0", shape=circle];\n'
        '  1 [label="1", shape=doublecircle];\n'
        "  start -> 0;\n"
        '  0 -> 0 [label="[0,0] [1,1]"];\n'
        '  0 -> 1 [label="[0,1]"];\n'
        '  1 -> 1 [label="[*,*]"];\n'
        "}\n"
    )


def test_the_graph_of_a_word_shows_its_letters() -> None:
    dot = to_dot(G, "G", word=True)
    assert "doublecircle" not in dot
    assert '  4 [label="4/0", shape=circle];' in dot
    assert '  3 -> 5 [label="1"];' in dot
    assert dot.count("->") == 10 + 1


def test_texts_are_quoted() -> None:
    assert quoted('a"b\\c\nd') == '"a\\"b\\\\c\\nd"'
    assert to_dot(LESS, 'x" -> y').splitlines()[0] == 'digraph "x\\" -> y" {'
    assert wrapped(["[0,1]", "[1,0]", "[1,1]"], width=11) == ["[0,1] [1,0]", "[1,1]"]
    assert wrapped([]) == []


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_drawing_of_a_word() -> None:
    svg = own_svg(G, "G", word=True)
    assert sorted(texts(svg)) == sorted(["G (n)", "0/1", "1/0", "2/1", "3/1", "4/0", "5/1"] + ["0"] * 6 + ["1"] * 4)
    root = ElementTree.fromstring(svg)
    assert len(list(root.iter(f"{SVG}circle"))) == 6
    assert sum(element.get("class") == "wire" for element in root.iter(f"{SVG}path")) == 10 + 1
    assert own_svg(G, "G", word=True) == svg


def test_the_drawing_of_a_relation() -> None:
    root = ElementTree.fromstring(own_svg(LESS, "<less>"))
    assert len(list(root.iter(f"{SVG}circle"))) == 3  # one state is accepting
    assert "<less> (a, b)" in texts(own_svg(LESS, "<less>"))


@pytest.mark.parametrize(
    "a",
    [
        build((), [{0: 0}], [1]),
        build((), [{}], [0]),
        build(N, [{}], [0]),
        build(N, [{1: 0}, {0: 0}], [1, 1]),  # a state that nothing reaches
        build(N, [{0: 1, 1: 1}, {0: 0, 1: 0}], [1, 0]),
        ring(60, 120),
    ],
    ids=["true", "false", "empty", "unreachable", "two", "sixty"],
)
def test_drawings_are_within_their_frame(a: Dfa) -> None:
    root = ElementTree.fromstring(own_svg(a))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    circles = list(root.iter(f"{SVG}circle"))
    assert len(circles) == a.states + sum(map(bool, a.outputs))
    for circle in circles:
        x, y, r = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        assert left <= x - r <= x + r <= left + width
        assert top <= y - r <= y + r <= top + height
    for rect in root.iter(f"{SVG}rect"):
        if rect.get("class") == "halo":
            assert left <= float(rect.attrib["x"])
            assert float(rect.attrib["x"]) + float(rect.attrib["width"]) <= left + width
    for path in root.iter(f"{SVG}path"):
        assert "nan" not in path.attrib["d"]


@pytest.mark.parametrize("seed", range(5))
def test_states_and_labels_do_not_overlap(seed: int) -> None:
    a = ring(27, 50, seed)
    pairs = sorted({(s, t) for s in range(a.states) for _, t in a.row(s) if s != t})
    sizes = [Size(30, 15 + (35 if any(t == s for _, t in a.row(s)) else 0), 15) for s in range(a.states)]
    wires = [Wire(s, t, Size(40, 7, 7)) for s, t in pairs]
    layout = layered(sizes, wires)
    boxes = [
        (x - size.width / 2, y - size.above, x + size.width / 2, y + size.below)
        for (x, y), size in [
            *zip(layout.nodes, sizes, strict=True),
            *((place, wire.label) for place, wire in zip(layout.labels, wires, strict=True)),
        ]
    ]
    for i, (left, top, right, bottom) in enumerate(boxes):
        assert left >= -1e-6
        assert top >= -1e-6
        assert right <= layout.width + 1e-6
        assert bottom <= layout.height + 1e-6
        for other in boxes[:i]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] + 1e-6 or other[3] <= top + 1e-6
            assert apart
    for route, label, wire in zip(layout.routes, layout.labels, wires, strict=True):
        assert label in route
        xs = [layout.nodes[wire.source][0], *(x for x, _ in route), layout.nodes[wire.target][0]]
        assert xs in (sorted(xs), sorted(xs, reverse=True)) or len(route) == 1


@pytest.mark.parametrize("name", ["\x01<&\"'", "\ud800", "a\x0cb\x7f", "]]>\u2028"])
def test_names_that_no_document_can_hold(name: str) -> None:
    a = build([Track("x", (0, 1), "msd_2")], [{0: 0}], [1])
    ElementTree.fromstring(drawing_of(a, name, "svg", layout="own"))
    for form in FORMS[:1] + FORMS[3:]:
        assert drawing_of(a, name, form, layout="own")
    drawn = ElementTree.fromstring(to_board([Layer(name, frozenset({(0, 0)}))], 3).encode())
    assert "\N{REPLACEMENT CHARACTER}" in "".join(drawn.itertext())


def test_too_many_states_are_refused() -> None:
    large = ring(212, 0)
    for form in FORMS:
        with pytest.raises(LimitError, match=r"^212 states: not drawn\n.*use limit=212 \(--limit 212 on"):
            drawing_of(large, "large", form)
        with pytest.raises(LimitError, match="6 states"):
            drawing_of(G, "G", form, limit=5)
    assert to_dot(large, limit=212).count("doublecircle") == 106
    assert own_svg(large, limit=212).count("<circle") == 212 + 106


@pytest.mark.long
def test_too_many_edges_are_refused() -> None:
    digits = tuple(range(30))
    everywhere = build((Track("n", digits),), [dict(enumerate(range(30)))] * 30, [1] * 30)
    with pytest.raises(LimitError, match=r"^30 states with 900 edges: not drawn\n.*use limit=90 "):
        own_svg(everywhere, limit=89)
    assert own_svg(everywhere, limit=90).count('class="edge"') == 900
    assert drawing_of(everywhere, "x", "dot", limit=30).count(b"->") == 901  # DOT is a text: nothing is placed
    parallel = build((Track("n", digits),), [dict.fromkeys(range(30), 0)], [1])
    assert own_svg(parallel, limit=2).count('class="edge"') == 1


def test_many_edges_take_little_room() -> None:
    """The adder of Fibonacci representations, 16 states and 42 edges: its drawing was 1843 x 1001 pixels."""
    adder = fp.Session("msd_fib").relation("a+b=c").automaton
    drawn = ElementTree.fromstring(drawing_of(adder, "a+b=c", "svg").decode())
    assert adder.states == 16
    assert int(drawn.get("width", "0")) <= 700 and int(drawn.get("height", "0")) <= 650
    lines = [text for text in texts(own_svg(adder)) if text.startswith("[")]
    assert max(map(len, lines)) <= 7 and len(lines) == 42 + 1 + 1  # two edges have two labels, one below the other


def test_our_own_layout_ends_with_its_time() -> None:
    with pytest.raises(FibproverError, match=r"the layout has not been finished in 1e-09 s\n.*--timeout"):
        drawing_of(ring(60, 60), "x", "svg", layout="own", seconds=1e-9)
    with pytest.raises(LimitError, match="must be positive, not 0 s"):
        drawing_of(G, "x", "svg", layout="own", seconds=0)


# -- graphviz -------------------------------------------------------------------------------------------------


def fake_dot(folder: Path, script: str) -> None:
    program = folder / "dot"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(program.stat().st_mode | stat.S_IEXEC)


def test_graphviz_is_used_where_it_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_dot(tmp_path, 'read -r line; echo "$@: $line"\n')
    monkeypatch.setenv("PATH", str(tmp_path))
    assert drawing_of(G, "G", "svg") == b'-Tsvg: digraph "G" {\n'
    assert drawing_of(G, "G", "png") == b'-Tpng -Gdpi=144: digraph "G" {\n'
    assert drawing_of(G, "G", "pdf", layout="graphviz") == b'-Tpdf: digraph "G" {\n'
    assert own_svg(G).startswith("<svg")
    assert drawing_of(G, "G", "tikz").startswith(b"% G (n)")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'no such font' >&2; exit 3\n", r"dot failed \(status 3\): no such font\n.*--layout own"),
        ("exit 0\n", "dot failed .*: it says nothing"),
        ("while :; do :; done\n", r"graphviz has not finished this drawing in 0.2 s\n.*layout='own'"),
    ],
)
def test_a_failing_graphviz_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    fake_dot(tmp_path, script)
    monkeypatch.setenv("PATH", str(tmp_path))
    for form, layout in (("svg", "auto"), ("png", "graphviz"), ("tikz", "graphviz")):
        with pytest.raises(FibproverError, match=said):
            drawing_of(G, "G", form, layout=layout, seconds=0.2)  # type: ignore[arg-type]
    assert own_svg(G, "G").startswith("<svg")


@pytest.mark.parametrize(
    "answer", ["hello", "[]", '{"bb": "0,0,1,1", "objects": [], "edges": []}', '{"bb": 1, "objects": []}']
)
def test_positions_that_are_not_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    fake_dot(tmp_path, f"echo '{answer}'\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FibproverError, match="graphviz"):
        drawing_of(G, "G", "tikz", layout="graphviz")


@pytest.mark.parametrize("limits", [Limits(cpu_seconds=0.2), Limits(seconds=0.2), Limits(seconds=9, cpu_seconds=0.2)])
def test_graphviz_ends_by_the_budget(limits: Limits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The CPU time that it takes is not that of this thread."""
    fake_dot(tmp_path, "while :; do :; done\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    begun = time.monotonic()
    with spending(limits.start()), pytest.raises(BudgetSpent) as spent:
        drawing_of(G, "G", "svg", layout="graphviz", seconds=20)
    assert (spent.value.resource, spent.value.limit) == ("seconds", 0.2)
    assert time.monotonic() - begun < 5


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of another process is limited on Linux only")
def test_the_memory_of_graphviz_is_that_of_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program takes 4 GB of addresses a while after it has begun."""
    take = "import mmap, time; time.sleep(0.2); print(len(mmap.mmap(-1, 4 << 30)))"
    fake_dot(tmp_path, f"exec '{sys.executable}' -c '{take}'\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert drawing_of(G, "G", "svg", layout="graphviz") == b"%d\n" % (4 << 30)
    said = "Cannot allocate memory; it had 3 GiB of memory"
    with spending(Limits(bytes=3 << 30).start()), pytest.raises(FibproverError, match=said):
        drawing_of(G, "G", "svg", layout="graphviz")


def test_without_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert drawing_of(G, "G", "svg") == own_svg(G, "G").encode()
    with pytest.raises(FibproverError, match=r"dot of graphviz is not installed\n.*apt install graphviz"):
        drawing_of(G, "G", "svg", layout="graphviz")
    with pytest.raises(FibproverError, match="unknown layout 'circo'"):
        drawing_of(G, "G", "svg", layout="circo")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_images_without_graphviz(form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "matplotlib", None)
        without.setitem(sys.modules, "matplotlib.figure", None)
        with pytest.raises(NotInstalled, match=r"needs graphviz or matplotlib.*\n.*pip install 'fibprover\[drawing\]'"):
            drawing_of(G, "G", form)
    pytest.importorskip("matplotlib")
    image = drawing_of(G, "$ _ ^ {", form)
    assert image.startswith({"png": b"\x89PNG", "pdf": b"%PDF"}[form])
    assert image == drawing_of(G, "$ _ ^ {", form)
    assert image != drawing_of(LESS, "$ _ ^ {", form)


@pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")
@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_the_real_graphviz(form: Form) -> None:
    name = 'a "b" \\N \\G <b>&amp;'
    drawn = drawing_of(LESS, name, form, layout="graphviz")
    assert drawn.lstrip().startswith({"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[form])
    if form == "svg":
        assert f"{name} (a, b)" in texts(drawn.decode())
        assert "[0,0] [1,1]" in texts(drawn.decode())
