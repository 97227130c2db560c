"""Labels of drawings touch no arrow but their own, no other label and no state: measured over many automata."""

from __future__ import annotations

from collections.abc import Iterator
from operator import mul

import pytest

import fibprover as fp
from fibprover.frontends.display.diagram import LINE, Arc, Diagram, own_diagram, text_width
from fibprover.frontends.display.layout import Point
from tests.display.test_drawings import ring

Box = tuple[float, float, float, float]

FORMULAS = (
    "x+y=z", "x=y+1", "x<y", "x=5*y+2", "?msd_2 x=17*y", "?msd_trib x=y+1", "?msd_pell x+y=z", "?msd_3 x+2*y=z",
    "?lsd_fib x+y=z", "?msd_neg_2 x+y=z", "2*x=3*y", "Ex x+y=2*z & $a(x)", "F[x]=F[y+1]",
)


def box(arc: Arc) -> Box:
    """Where the text of a label is."""
    (x, y), width, height = arc.label, text_width(arc.lines), LINE * len(arc.lines)
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


#: Bernstein's polynomials at many places.
WEIGHTS = [((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3) for t in (step / 32 for step in range(33))]


def points(arc: Arc) -> Iterator[Point]:
    """Many points of a curve."""
    for place in range(0, len(arc.curve) - 1, 3):
        xs, ys = zip(*arc.curve[place : place + 4], strict=True)
        yield from ((sum(map(mul, at, xs)), sum(map(mul, at, ys))) for at in WEIGHTS)


def inside(point: Point, within: Box) -> bool:
    return within[0] < point[0] < within[2] and within[1] < point[1] < within[3]


def overlaps(diagram: Diagram) -> list[tuple[str, int, int]]:
    """What touches: "label" or "arrow", and the numbers of two arcs, or "state" and that of an arc and a state."""
    boxes = {number: box(arc) for number, arc in enumerate(diagram.arcs) if arc.lines != ("",)}
    found = []
    for number, (left, top, right, bottom) in boxes.items():
        for other, (x0, y0, x1, y1) in boxes.items():
            if other < number and left < x1 and x0 < right and top < y1 and y0 < bottom:
                found.append(("label", number, other))
        for state, ((x, y), radius) in enumerate(zip(diagram.places, diagram.radii, strict=True)):
            across, down = max(left - x, 0, x - right), max(top - y, 0, y - bottom)
            if across * across + down * down < radius * radius:
                found.append(("state", number, state))
    for other, arc in enumerate(diagram.arcs):
        curve = [*points(arc)]
        (left, right), (low, high) = ((min(along), max(along)) for along in zip(*curve, strict=True))
        near = [
            (number, each) for number, each in boxes.items()
            if each[1] < high and each[3] > low and each[0] < right and each[2] > left
        ]
        found += [
            ("arrow", number, other) for number, each in near if number != other and any(inside(p, each) for p in curve)
        ]
    return found


@pytest.fixture(scope="module")
def diagrams() -> list[Diagram]:
    session = fp.Session("msd_fib")
    session.define("a", "n>3")
    made = [session.relation(formula).automaton for formula in FORMULAS]
    rings = [ring(states, 2 * states, states) for states in range(2, 36, 4)]
    return [own_diagram(automaton, "") for automaton in (*made, *rings)]


def test_labels_touch_nothing(diagrams: list[Diagram]) -> None:
    assert [overlaps(diagram) for diagram in diagrams] == [[]] * len(diagrams)
    assert sum(len(diagram.arcs) for diagram in diagrams) > 500


def test_each_arrow_leads_from_its_state_to_its_state(diagrams: list[Diagram]) -> None:
    """Whichever way round the labels it takes; and it passes through its own label, or meets it at a side."""
    for diagram in diagrams:
        for arc in diagram.arcs:
            for (x, y), state in ((arc.curve[0], arc.source), (arc.curve[-1], arc.target)):
                (centre, middle), radius = diagram.places[state], diagram.radii[state]
                assert abs((x - centre) ** 2 + (y - middle) ** 2 - radius * radius) < 0.2 * radius * radius
            if arc.source != arc.target:
                left, top, right, bottom = box(arc)
                assert any(inside(point, (left - 6, top, right + 6, bottom)) for point in points(arc))


def test_the_measure_sees_what_touches() -> None:
    """A label is moved onto a state, another label and a curve."""
    diagram = own_diagram(ring(6, 4), "")
    first, second, *others = diagram.arcs
    on_label = Arc(first.source, first.target, first.lines, first.curve, second.label, first.forward)
    changed = Diagram(
        diagram.title, diagram.places, diagram.radii, diagram.texts, diagram.doubled, (on_label, second, *others),
        diagram.width, diagram.height,
    )
    assert {kind for kind, *_ in overlaps(changed)} >= {"label", "arrow"}
    on_state = Arc(first.source, first.target, first.lines, first.curve, diagram.places[2], first.forward)
    changed = Diagram(
        diagram.title, diagram.places, diagram.radii, diagram.texts, diagram.doubled, (on_state, second, *others),
        diagram.width, diagram.height,
    )
    assert "state" in {kind for kind, *_ in overlaps(changed)}
