"""A trace as a tree."""

from __future__ import annotations

import pytest

import fibprover as fp
from fibprover.prover.evaluate.trace import Node, Record, Recorder, Trace, explained, tree


def record(label: str, depth: int, **more: object) -> Record:
    return Record(label, "atom", 3, 4, 0.5, True, depth, **more)  # type: ignore[arg-type]


def shape(nodes: tuple[Node, ...]) -> list[object]:
    """Labels, each with those of its parts."""
    return [(node.record.label, shape(node.parts)) if node.parts else node.record.label for node in nodes]


@pytest.mark.parametrize(
    ("depths", "expected"),
    [
        ([], []),
        ([0], ["0"]),
        ([1, 0], [("1", ["0"])]),
        ([1, 1, 0], [("2", ["0", "1"])]),
        ([2, 1, 2, 2, 1, 0], [("5", [("1", ["0"]), ("4", ["2", "3"])])]),
        # A level may be missing: what is deeper belongs to what comes next, all the same.
        ([2, 0, 3, 1, 0], [("1", ["0"]), ("4", [("3", ["2"])])]),
        # An evaluation that was broken off: the outermost steps are not there.
        ([2, 1, 2], [("1", ["0"]), "2"]),
        ([0, 1], ["0", "1"]),
    ],
)
def test_shape(depths: list[int], expected: list[object]) -> None:
    assert shape(tree([record(str(number), depth) for number, depth in enumerate(depths)])) == expected


def test_columns_and_branches() -> None:
    records = (
        record("a", 2, took=0.0012, expected=123_456.0),
        record("b  &\n c", 1, expected=7.4, took=0.1),
        record("d", 1, cached=True),
        Record("e", "join", 1000, 20, 1.0, False),
    )
    assert explained(Trace(records, 1000, 1.0)).splitlines() == [
        "states  transitions  expected     ms  step",
        "  1000           20              0.0  join  e",
        "     3            4         7  100.0  ├ atom  b & c",
        "     3            4   1.2e+05    1.2  │ └ atom  a",
        "     3            4              0.0  └ atom  d  (known)",
    ]


def test_no_steps() -> None:
    assert explained(Trace((), 0, 0.0)) == "states  transitions  expected  ms  step"


def test_for_programs() -> None:
    (node,) = tree([record("a", 1, cached=True), record("b", 0, expected=2.6, took=0.25)])
    inner = {
        "operation": "atom", "label": "a", "source": True, "states": 3, "transitions": 4, "expected": None,
        "seconds": 0.0, "cached": True, "strategies": [], "parts": [],
    }
    assert node.as_json() == {**inner, "label": "b", "expected": 3, "seconds": 0.25, "cached": False, "parts": [inner]}


TEXTS = [
    "x=1",
    "Ex,y x+y=7 & x<y & ~(Ez z+z=x)",
    "Ax x<5 => ~(Ey y+y=x & y>3)",
    "Ea,b a<x & b<x & a!=b & ~(a=3)",
    "x<y & (Ar r<y => r=x | r=z)",
    "x<9 & (Iz z>x) & (E>=2 z z<x) & (x=1 <=> (y=1 <=> (x=2 <=> y=3)))",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("plan", ["textbook", "optimized"])
def test_every_record_is_in_the_tree_once_under_the_root(text: str, plan: str) -> None:
    trace = fp.Session().eval(text, plan=plan).trace
    assert trace is not None
    nodes = tree(trace.records)

    def records(node: Node) -> list[Record]:
        return [inner for part in node.parts for inner in records(part)] + [node.record]

    assert [inner for node in nodes for inner in records(node)] == list(trace.records)
    assert len(nodes) == 1 and nodes[0].record.depth == 0
    assert len(explained(trace).splitlines()) == len(trace.records) + 1
    assert all(part.record.took <= node.record.took + 1e-6 for node in nodes for part in node.parts)


def test_a_step_that_fails_leaves_the_depth_as_it_was() -> None:
    recorder = Recorder()
    with pytest.raises(ValueError, match="x"), recorder.parts(), recorder.parts():
        raise ValueError("x")
    assert recorder.depth == 0
