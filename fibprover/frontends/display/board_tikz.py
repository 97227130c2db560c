"""Boards as pictures of TikZ, for papers; they need no library of TikZ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fibprover.frontends.display.board_lines import Line, line_colour
from fibprover.frontends.display.board_svg import Layer, check_size, coloured, runs, steps
from fibprover.frontends.display.tikz import tex_text

#: The width of a board, in centimetres, and the largest side of a square.
_WIDTH, _SQUARE = 8.0, 0.3


def board_tikz(layers: Sequence[Layer], size: int, *, x: str = "x", y: str = "y", lines: Sequence[Line] = ()) -> str:
    """Return what `to_board` draws as a tikzpicture.  Raises as `to_board`."""
    check_size(size)
    colours = coloured(layers, size)
    shown = [(each.name, each.colour) for each in colours] + [
        (line.name, line_colour(number)) for number, line in enumerate(lines)
    ]
    names = {colour: f"fibprover{number}" for number, colour in enumerate(dict.fromkeys(colour for _, colour in shown))}
    body = [
        *(rf"\definecolor{{{name}}}{{HTML}}{{{colour.removeprefix('#')}}}" for colour, name in names.items()),
        rf"\draw[gray!35, very thin] (0,0) grid ({size},{size});",
        *(_squares(each, names[each.colour]) for each in colours if each.positions),
        *_lines(lines, size, names), rf"\draw[gray] (0,0) rectangle ({size},{size});", *_axes(size, x, y),
    ]
    for number, (name, colour) in enumerate(shown):
        style, said = rf"anchor=west, font=\footnotesize, text={names[colour]}", rf"\texttt{{{tex_text(name)}}}"
        body.append(rf"\node[{style}] at (0,{-2.6 - 1.6 * number:.1f}) {{$\blacksquare$ {said}}};")
    side = min(_SQUARE, _WIDTH / size)
    return "\n".join([
        f"\\begin{{tikzpicture}}[scale={side:.4f}]", *(f"  {line}" for line in body), "\\end{tikzpicture}", "",
    ])


def _squares(layer: Layer, colour: str) -> str:
    """Return the squares of one colour as one path of horizontal runs."""
    drawn = " ".join(f"({x},{y}) rectangle ({x + length},{y + 1})" for x, y, length in runs(layer.positions))
    return rf"\fill[{colour}] {drawn};"


def _lines(lines: Sequence[Line], size: int, names: dict[str, str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        ends = line.within(size)
        if ends is not None:
            (x0, y0), (x1, y1) = ends
            colour = names[line_colour(number)]
            yield rf"\draw[{colour}, thick] ({x0 + 0.5:.2f},{y0 + 0.5:.2f}) -- ({x1 + 0.5:.2f},{y1 + 0.5:.2f});"


def _axes(size: int, x: str, y: str) -> Iterator[str]:
    """Yield the numbers and the names of the axes."""
    for k in steps(size):
        yield rf"\node[below, font=\scriptsize] at ({k + 0.5},0) {{{k}}};"
        yield rf"\node[left, font=\scriptsize] at (0,{k + 0.5}) {{{k}}};"
    yield rf"\node[below, font=\scriptsize] at ({size - 0.5},0) {{${tex_text(x)}$}};"
    yield rf"\node[left, font=\scriptsize] at (0,{size - 0.5}) {{${tex_text(y)}$}};"
