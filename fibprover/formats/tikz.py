"""Automata as TikZ pictures for papers.

A picture needs \\usepackage{tikz} and \\usetikzlibrary{automata,arrows.meta}, and compiles with pdflatex.
States stand where a layout put them; edges are straight or bent as people write them, and follow the curve
of the layout only where that would lead through states, so that a picture can be edited by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.formats.bends import Bend, bends
from fibprover.formats.diagram import Arc, Diagram
from fibprover.formats.layout import Point
from fibprover.formats.tex import tex_label, tex_remark, tex_text

#: Centimetres of a pixel of the layout, and at most of a picture: TeX knows no lengths beyond 575.
_SCALE = 0.025
_MOST = 500.0

_NEEDS = r"\usepackage{tikz} \usetikzlibrary{automata,arrows.meta}"


def to_tikz(diagram: Diagram, *, standalone: bool = False) -> str:
    """A diagram as a tikzpicture; standalone: as a document whose only page is the picture, with its title."""
    scale = min(_SCALE, _MOST / max(diagram.width, diagram.height, 1.0))
    lines = [
        f"% {tex_remark(diagram.title)}",
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
    """A document for pdflatex: the page is as large as the picture, and nothing but TikZ is needed."""
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
    """All edges, as people write them if that leaves everything legible."""
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
    """The curve of the layout."""
    curve = arc.curve
    drawn = rf"  \draw[->] (q{arc.source})"
    for place in range(1, len(curve), 3):
        end = f"(q{arc.target})" if place + 3 == len(curve) else _place(curve[place + 2], scale)
        controls = f"{_place(curve[place], scale)} and {_place(curve[place + 1], scale)}"
        drawn += f" .. controls {controls} .. {end}"
    return drawn + ";"


def _label_above(arc: Arc, scale: float) -> str:
    """The label of such an edge, above all curves."""
    return rf"  \node[fill=white, inner sep=1pt] at {_place(arc.label, scale)} {{{_label(arc.lines)}}};"


def _label(lines: Sequence[str]) -> str:
    """Lines of boxes in math, blanks between them."""
    return r"\\".join("$" + r"\ ".join(tex_label(part) for part in line.split(" ")) + "$" for line in lines)


def _place(point: Point, scale: float) -> str:
    return f"({_number(point[0] * scale)},{_number(-point[1] * scale)})"


def _number(value: float) -> str:
    """Centimetres to a tenth of a millimetre, without needless zeros."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
