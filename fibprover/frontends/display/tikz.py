"""Automata as TikZ pictures for papers.

A picture needs \\usepackage{tikz} and \\usetikzlibrary{automata,arrows.meta}, and compiles with pdflatex.
States have the places of the layout.  Edges are straight or bent, as in pictures written by hand, so that a picture
can be edited; they follow the curves of the layout only where a bent edge would cross a state.

`bends` chooses how each edge is drawn: TikZ draws `edge[bend left=25]` as a Bezier curve that is computed here.  Of a
few such curves for each edge, with the label on either side, it takes the one that conflicts least with the other
edges, edge after edge, in several rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, radians, sin
from unicodedata import normalize

from fibprover.frontends.display.diagram import LINE, Arc, Diagram, text_width
from fibprover.frontends.display.layout import Point

#: Centimetres per pixel of the layout, and the most of a picture: TeX has no lengths beyond 575.
_SCALE = 0.025
_MOST = 500.0

_NEEDS = r"\usepackage{tikz} \usetikzlibrary{automata,arrows.meta}"


def to_tikz(diagram: Diagram, *, standalone: bool = False) -> str:
    """Return a diagram as a tikzpicture; standalone: as a document whose only page is the picture, with its title."""
    scale = min(_SCALE, _MOST / max(diagram.width, diagram.height, 1.0))
    lines = [
        f"% {tex_comment(diagram.title)}",
        f"% needs {_NEEDS}",
        r"\begin{tikzpicture}[>=Stealth, initial text={}, font=\footnotesize,",
        rf"    every state/.style={{minimum size={_number(max(diagram.radii) * 2 * scale)}cm, inner sep=1pt}},",
        r"    every node/.style={align=center}]",
        *_states(diagram, scale),
        *_edges(diagram, scale),
    ]
    if standalone:
        title = rf"{{\texttt{{{tex_text(diagram.title)}}}}}"
        lines.append(rf"  \node[above] at (current bounding box.north) {title};")
    lines.append(r"\end{tikzpicture}")
    return "\n".join(_document(lines) if standalone else lines) + "\n"


def _document(picture: Sequence[str]) -> list[str]:
    """Return a document for pdflatex with a page of the picture's size; it needs only TikZ."""
    return [
        r"\documentclass{article}",
        r"\usepackage{tikz}",
        r"\usetikzlibrary{automata,arrows.meta}",
        r"\begin{document}",
        r"\setbox0=\hbox{%",
        *picture[:-1],
        picture[-1] + "}",
        r"\pdfpagewidth=\dimexpr\wd0+12pt\relax",
        r"\pdfpageheight=\dimexpr\ht0+\dp0+12pt\relax",
        r"\pdfhorigin=6pt \pdfvorigin=6pt",
        r"\shipout\box0",
        r"\end{document}",
    ]


def _states(diagram: Diagram, scale: float) -> list[str]:
    lines = []
    for state, place in enumerate(diagram.places):
        options = ["state", *(["initial"] if state == 0 else []), *(["accepting"] if diagram.doubled[state] else [])]
        text = tex_label(diagram.texts[state])
        lines.append(rf"  \node[{', '.join(options)}] (q{state}) at {_place(place, scale)} {{${text}$}};")
    return lines


def _edges(diagram: Diagram, scale: float) -> list[str]:
    """Return all edges: straight or bent if that leaves everything legible, else along the curves of the layout."""
    if not diagram.arcs:
        return []
    chosen = bends(diagram)
    if chosen is None:
        curves = [_curve(arc, scale) for arc in diagram.arcs]
        return curves + [_label_above(arc, scale) for arc in diagram.arcs if arc.lines != ("",)]
    shown = [f"    {_edge(arc, bend)}" for arc, bend in zip(diagram.arcs, chosen, strict=True)]
    return [r"  \path[->]", *shown[:-1], shown[-1] + ";"]


def _edge(arc: Arc, bend: Bend) -> str:
    if bend.loop:
        return f"(q{arc.source}) edge[loop {bend.loop}]{_node('', arc.lines)} ()"
    way = f"[bend {'left' if bend.angle > 0 else 'right'}={abs(bend.angle)}]" if bend.angle else ""
    return f"(q{arc.source}) edge{way}{_node('[auto]' if bend.left else '[auto, swap]', arc.lines)} (q{arc.target})"


def _node(options: str, lines: Sequence[str]) -> str:
    return "" if lines == ("",) else f" node{options} {{{_label(lines)}}}"


def _curve(arc: Arc, scale: float) -> str:
    """Return an edge along the curve of the layout."""
    curve = arc.curve
    drawn = rf"  \draw[->] (q{arc.source})"
    for place in range(1, len(curve), 3):
        end = f"(q{arc.target})" if place + 3 == len(curve) else _place(curve[place + 2], scale)
        controls = f"{_place(curve[place], scale)} and {_place(curve[place + 1], scale)}"
        drawn += f" .. controls {controls} .. {end}"
    return drawn + ";"


def _label_above(arc: Arc, scale: float) -> str:
    """Return the label of such an edge, above all curves."""
    return rf"  \node[fill=white, inner sep=1pt] at {_place(arc.label, scale)} {{{_label(arc.lines)}}};"


def _label(lines: Sequence[str]) -> str:
    """Return the lines of a label in math."""
    return r"\\".join("$" + r"\ ".join(tex_label(part) for part in line.split(" ")) + "$" for line in lines)


def _place(point: Point, scale: float) -> str:
    return f"({_number(point[0] * scale)},{_number(-point[1] * scale)})"


def _number(value: float) -> str:
    """Return centimetres to a tenth of a millimetre, without trailing zeros."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


# -- how edges are bent ---------------------------------------------------------------------------------------------

#: The angles tried, in degrees, in the order of preference; positive ones bend to the left.
_ANGLES = (0, 15, -15, 25, -25, 40, -40, 55, -55, 70, -70)

#: How often every edge is chosen again.
_ROUNDS = 4

#: The edges of larger automata follow the layout.
_MOST_EDGES = 40

#: TikZ puts the control points of a bent edge at this fraction of the distance between its ends.
_PULL = 0.3915

#: Left, top, right and bottom.
_Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Bend:
    """How an edge is drawn: degrees to the left (0: straight) and the side of the label, or the side of a loop."""

    angle: int = 0
    left: bool = True
    loop: str = ""


@dataclass(frozen=True, slots=True)
class _Trial:
    """A candidate for an edge: points on its curve, the boxes of its label and of the curve (frame), and its own cost.
    """

    bend: Bend
    points: tuple[Point, ...]
    box: _Box
    frame: _Box
    cost: float


def bends(diagram: Diagram) -> list[Bend] | None:
    """Return how each edge is drawn, None if conflicts remain, so that edges should follow the layout.

    O(edges * (states + edges)) with a large constant, for up to 40 edges.
    """
    arcs = diagram.arcs
    if len(arcs) > _MOST_EDGES:
        return None
    ends = {(arc.source, arc.target) for arc in arcs}
    trials = [_loops(diagram, arc) if arc.source == arc.target else _curves(diagram, arc, ends) for arc in arcs]
    # Conflicts with states and with the arrow into the first one do not depend on the other edges.
    fixed = [[_in_states(diagram, arc, trial) for trial in tried] for arc, tried in zip(arcs, trials, strict=True)]
    chosen = [min(tried, key=lambda trial: trial.cost) for tried in trials]
    worst = 0.0
    for _ in range(_ROUNDS):
        before, worst = list(chosen), 0.0
        for place, tried in enumerate(trials):
            others = chosen[:place] + chosen[place + 1 :]
            conflicts = [
                states + sum(_conflict(trial, other) for other in others)
                for trial, states in zip(tried, fixed[place], strict=True)
            ]
            best = min(range(len(tried)), key=lambda number: conflicts[number] + tried[number].cost)
            chosen[place] = tried[best]
            worst = max(worst, conflicts[best])
        if chosen == before:
            break
    return [trial.bend for trial in chosen] if worst < 1 else None


def _curves(diagram: Diagram, arc: Arc, ends: set[tuple[int, int]]) -> list[_Trial]:
    """Return the candidates for an edge between two states; two opposite edges both prefer to bend to their left."""
    (x0, y0), (x1, y1) = diagram.places[arc.source], diagram.places[arc.target]
    distance = hypot(x1 - x0, y1 - y0)
    along = ((x1 - x0) / distance, (y1 - y0) / distance)
    left = (along[1], -along[0])  # ordinates grow downwards
    both = (arc.target, arc.source) in ends
    steps = min(40, max(12, 2 * int(distance / 20)))
    found = []
    for angle in _ANGLES[1:] if both else _ANGLES:
        c, s = cos(radians(angle)), sin(radians(angle))
        out = (along[0] * c + left[0] * s, along[1] * c + left[1] * s)
        back = (-along[0] * c + left[0] * s, -along[1] * c + left[1] * s)
        r0, r1 = diagram.radii[arc.source], diagram.radii[arc.target]
        start, stop = (x0 + r0 * out[0], y0 + r0 * out[1]), (x1 + r1 * back[0], y1 + r1 * back[1])
        pull = _PULL * hypot(stop[0] - start[0], stop[1] - start[1])
        control = (start[0] + pull * out[0], start[1] + pull * out[1])
        other = (stop[0] + pull * back[0], stop[1] + pull * back[1])
        points = tuple(_bezier(start, control, other, stop, step / steps) for step in range(1, steps))
        frame = _frame(points)
        cost = abs(angle) / 15 + (6 if both and angle < 0 else 0)
        for inside, on_left in ((0, angle >= 0), (1, angle < 0)):
            box = _beside(points[steps // 2 - 1], left, arc.lines, 1 if on_left else -1)
            found.append(_Trial(Bend(angle, on_left), points, box, frame, cost + inside))
    return found


def _beside(middle: Point, left: Point, lines: Sequence[str], side: int) -> _Box:
    """Return the box of a label that touches a curve at its middle."""
    offset = side * (abs(left[0]) * text_width(lines) / 2 + abs(left[1]) * LINE * len(lines) / 2 + 3)
    return _box((middle[0] + left[0] * offset, middle[1] + left[1] * offset), lines)


def _loops(diagram: Diagram, arc: Arc) -> list[_Trial]:
    """Return a loop on each side, except on the left of the initial state, where the arrow comes in."""
    (x, y), radius = diagram.places[arc.source], diagram.radii[arc.source]
    reach = 0.97 * radius + 0.75 * max(1.6 * radius, 20.0)
    found = []
    for number, (side, (dx, dy)) in enumerate(
        {"above": (0, -1), "below": (0, 1), "right": (1, 0), "left": (-1, 0)}.items()
    ):
        if side == "left" and arc.source == 0:
            continue
        points = tuple(
            (x + dx * part * reach + dy * across, y + dy * part * reach + dx * across)
            for part, across in ((0.6, -4), (0.6, 4), (0.8, -5), (0.8, 5), (1.0, 0))
        )
        half = (text_width(arc.lines) * abs(dx) + LINE * len(arc.lines) * abs(dy)) / 2 + 4
        box = _box((x + dx * (reach + half), y + dy * (reach + half)), arc.lines)
        found.append(_Trial(Bend(loop=side), points, box, _frame(points), number))
    return found


def _bezier(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    u = 1 - t
    p, q, r, s = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
    return p * a[0] + q * b[0] + r * c[0] + s * d[0], p * a[1] + q * b[1] + r * c[1] + s * d[1]


def _box(centre: Point, lines: Sequence[str]) -> _Box:
    half, height = text_width(lines) / 2, LINE * len(lines) / 2
    return centre[0] - half, centre[1] - height, centre[0] + half, centre[1] + height


def _frame(points: Sequence[Point]) -> _Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _meet(one: _Box, other: _Box) -> bool:
    """Return whether two boxes overlap or almost do."""
    return (
        one[0] < other[2] + 4 and other[0] < one[2] + 4 and one[1] < other[3] + 4 and other[1] < one[3] + 4
    )


def _in_states(diagram: Diagram, arc: Arc, trial: _Trial) -> float:
    """Return how much a candidate conflicts with states, and with the arrow into the initial one."""
    found = 0.0
    left, top, right, bottom = trial.box
    for state, ((x, y), radius) in enumerate(zip(diagram.places, diagram.radii, strict=True)):
        if state not in (arc.source, arc.target):
            found += 10 * any(hypot(px - x, py - y) < radius + 4 for px, py in trial.points)
        found += 5 * (hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) < radius)
    (x0, y0), x1 = diagram.entry, diagram.places[0][0]
    found += 5 * (left < x1 and x0 < right and top < y0 < bottom)
    return found + 5 * any(x0 <= px <= x1 and abs(py - y0) < 5 for px, py in trial.points)


def _conflict(one: _Trial, other: _Trial) -> float:
    """Return how much two edges conflict; curves may cross."""
    found = 0.0
    (a, b, c, d), (e, f, g, h) = one.box, other.box
    if a < g and e < c and b < h and f < d:
        found += 5
    # Points of a curve are some ten pixels apart, so it has to stay away from a label by half of that.
    if _meet(one.box, other.frame):
        found += 3 * any(a - 4 < x < c + 4 and b - 2 < y < d + 2 for x, y in other.points)
    if _meet(other.box, one.frame):
        found += 3 * any(e - 4 < x < g + 4 and f - 2 < y < h + 2 for x, y in one.points)
    if _meet(one.frame, other.frame):
        # Curves that run together for a while look like one.
        left, top, right, bottom = other.frame
        inside = [(x, y) for x, y in one.points[2:-2] if left - 4 < x < right + 4 and top - 4 < y < bottom + 4]
        near = sum(abs(x - u) < 4 and abs(y - v) < 4 for x, y in inside for u, v in other.points[2:-2])
        found += near if near > 3 else 0.01 * near
    return found


# -- texts for LaTeX -------------------------------------------------------------------------------------------------

#: Characters by their codes in typewriter type, which has all of ASCII; the groups prevent ligatures.
_SPECIAL = {character: rf"{{\char{ord(character)}}}" for character in "\\{}_^~`-'\""}
_SPECIAL |= {character: "\\" + character for character in "$&#%"}
_SYMBOLS = {
    "\u00ac": r"\lnot", "\u00d7": r"\times", "\u2200": r"\forall", "\u2203": r"\exists", "\u2227": r"\land",
    "\u2228": r"\lor", "\u2264": r"\le", "\u2265": r"\ge", "\u2260": r"\ne", "\u2192": r"\to",
    "\u21d2": r"\Rightarrow", "\u21d4": r"\Leftrightarrow", "\u221a": r"\surd", "\u00b7": r"\cdot",
    "\u03b1": r"\alpha", "\u03b2": r"\beta", "\u03b3": r"\gamma", "\u03b4": r"\delta", "\u03b8": r"\theta",
    "\u03bb": r"\lambda", "\u03bc": r"\mu", "\u03c0": r"\pi", "\u03c1": r"\rho", "\u03c3": r"\sigma",
    "\u03c4": r"\tau", "\u03c6": r"\varphi", "\u03c8": r"\psi", "\u03c9": r"\omega",
}


def tex_text(text: str) -> str:
    """Return a text on one line, for typewriter type: special characters escaped, ligatures prevented.

    Letters with accents stay; symbols and Greek letters are set in math; other characters beyond ASCII become
    their code points, since a standard LaTeX would stop at them.
    """
    return "".join(map(_character, normalize("NFC", " ".join(text.split()))))


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in _SYMBOLS:
        return f"${_SYMBOLS[character]}$"
    if " " <= character <= "~" or ("\u00c0" <= character <= "\u00ff" and len(normalize("NFD", character)) == 2):
        return character
    return f"U+{ord(character):04X}"


def tex_comment(text: str) -> str:
    """Return a text for a TeX comment, on one line and without control characters."""
    return "".join(character for character in " ".join(text.split()) if character.isprintable())


def tex_label(label: str) -> str:
    """Return the label of an edge or a state, such as `[0,*]`, `[-1|1,1]` or `3/-1`, for math."""
    return "".join({"*": "{*}", "|": "{|}", "-": "{-}"}.get(character, character) for character in label)
