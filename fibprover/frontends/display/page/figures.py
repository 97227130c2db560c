"""The automata of a page, each of them once, their drawings, and the representations of the first numbers.

A drawing is placed here, with the paths of its arrows, and painted by the page; boards and members are computed by the
page, from the arrays of an automaton and the representations of numbers.  So a page with some hundreds of automata
takes a few megabytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from fibprover.automata.dfa import Dfa
from fibprover.automata.kernel_calls import edge_count
from fibprover.base.errors import BudgetSpent, FibproverError
from fibprover.frontends.display.diagram import Arc, own_diagram
from fibprover.frontends.display.layout import Point
from fibprover.numeration.system import NumerationSystem

#: The number of numbers, from 0 on, that a board has in each direction.
SIDE = 1000

#: The largest automaton that a page holds, and the most that all of them may have together: some 5 bytes a transition.
MOST_TRANSITIONS = 60_000
MOST_TOGETHER = 700_000


#: The largest automaton that is drawn on a page: a drawing with more states or arrows is not legible.
MOST_DRAWN_STATES = 80
MOST_DRAWN_EDGES = 200


class Figures:
    """The automata of a page and their drawings; system: looks up a numeration system by name."""

    def __init__(self, system: Callable[[str], NumerationSystem]) -> None:
        self._system = system
        self._numbers: dict[Any, int] = {}
        self._automata: list[Dfa] = []
        self._drawings: dict[Any, tuple[int, dict[str, Any]]] = {}

    def add(self, automaton: Dfa) -> int:
        """Return the number of an automaton on the page; the names of its tracks do not matter."""
        key = _content(automaton)
        if key not in self._numbers:
            self._numbers[key] = len(self._automata)
            self._automata.append(automaton)
        return self._numbers[key]

    def draw(self, automaton: Dfa, *, word: bool) -> int:
        """Return the number of the drawing of an automaton; word: its outputs are letters, written in the states."""
        key = _content(automaton), word
        if key not in self._drawings:
            self._drawings[key] = len(self._drawings), drawing(automaton, word=word)
        return self._drawings[key][0]

    def objects(self) -> dict[str, Any]:
        """Return the automata in the order of their numbers, null for those too large, and their systems."""
        kept: set[int] = set()
        together = 0
        for number in sorted(range(len(self._automata)), key=lambda number: self._automata[number].transitions):
            transitions = self._automata[number].transitions
            together += transitions
            if transitions > MOST_TRANSITIONS or together > MOST_TOGETHER:
                break
            kept.add(number)
        systems = sorted({track.system for number in kept for track in self._automata[number].tracks if track.system})
        return {
            "side": SIDE,
            "drawings": [drawing for _, drawing in self._drawings.values()],
            "automata": [
                arrays(automaton) if number in kept else None for number, automaton in enumerate(self._automata)
            ],
            "systems": {name: found for name in systems if (found := self._words(name)) is not None},
        }

    def _words(self, name: str) -> dict[str, Any] | None:
        """Return the representations of the first numbers in a system; None for one that is not known, or a family."""
        try:
            system = self._system(name)
            first = -SIDE // 2 if system.signed else 0
            words = [system.represent(number) for number in range(first, first + SIDE)]
        except BudgetSpent:
            raise
        except FibproverError:
            return None
        length = max(map(len, words))
        return {"first": first, "length": length, "words": packed_words([pad(word, length) for word in words])}


def drawing(automaton: Dfa, *, word: bool) -> dict[str, Any]:
    """Return a drawing as plain data in whole pixels, or {"reason": why there is none}.

    width, height, radius of the states; nodes: x and y of each state in turn; doubled: the accepting states; texts of
    the states, null where these are their numbers; entry: where the arrow into state 0 begins; edges: [whether it leads
    forward, label, x and y of the label, path, source, target], where the path is that of SVG.
    """
    if automaton.states > MOST_DRAWN_STATES:
        return {"reason": f"{_grouped(automaton.states)} states: not drawn"}
    arrows = edge_count(automaton)
    if arrows > MOST_DRAWN_EDGES:
        return {"reason": f"{_grouped(arrows)} arrows: not drawn"}
    diagram = own_diagram(automaton, "", word=word)
    return {
        "width": round(diagram.width), "height": round(diagram.height), "radius": round(diagram.radii[0], 1),
        "nodes": [round(length) for place in diagram.places for length in place],
        "doubled": [state for state, doubled in enumerate(diagram.doubled) if doubled],
        "texts": list(diagram.texts) if word else None,
        "entry": round(diagram.entry[0]),
        "edges": [_edge(arc) for arc in diagram.arcs],
    }


def _edge(arc: Arc) -> list[Any]:
    return [int(arc.forward), "\n".join(arc.lines), *map(round, arc.label), _path(arc.curve), arc.source, arc.target]


def _path(curve: Sequence[Point]) -> str:
    """Return a curve as the path of SVG: relative, since a page with hundreds of drawings consists of such numbers."""
    points = [(round(x), round(y)) for x, y in curve]
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for place in range(0, len(points) - 1, 3):
        x0, y0 = points[place]
        steps = " ".join(f"{x - x0} {y - y0}" for x, y in points[place + 1 : place + 4])
        parts.append("c" + steps.replace(" -", "-"))
    return "".join(parts)


def _grouped(number: int) -> str:
    """Return a number with narrow spaces between groups of three digits, as the page writes its own."""
    return f"{number:_}".replace("_", "\u202f")


def _content(automaton: Dfa) -> tuple[Any, ...]:
    """Return a key that is equal for automata that differ only in the names of their tracks."""
    arrays = (automaton.offsets, automaton.codes, automaton.targets, automaton.outputs)
    return tuple(track[1:] for track in automaton.tracks), *(array.tobytes() for array in arrays)


def pad(word: Sequence[int], length: int) -> tuple[int, ...]:
    """Return a word with leading zeros, so that it has this length."""
    return (*(0 for _ in range(length - len(word))), *word)


def packed_words(words: Sequence[tuple[int, ...]]) -> str:
    """Return words of one length as a text: of each its difference from the previous word, a character for a digit."""
    before: tuple[int, ...] = ()
    parts = []
    for word in words:
        shared = next((i for i, pair in enumerate(zip(before, word, strict=False)) if pair[0] != pair[1]), len(before))
        parts.append("".join(chr(48 + digit) for digit in word[shared:]))
        before = word
    return " ".join(parts)


def packed_pairs(pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return pairs of naturals below SIDE, in increasing order, as the gaps between their places, row by row."""
    places = sorted(x * SIDE + y for x, y in pairs if 0 <= x < SIDE and 0 <= y < SIDE)
    return [place - before for before, place in pairwise([0, *places])]


def arrays(automaton: Dfa) -> dict[str, Any]:
    """Return an automaton as lists: systems and digits of its tracks, codes, the row of each state, targets, outputs.

    Many states have arrows for the same letters: `codes` has each list of codes once, `rows` the number of a state's.
    """
    codes: dict[tuple[int, ...], int] = {}
    every = automaton.codes.tolist()
    rows = [
        codes.setdefault(tuple(every[begin:end]), len(codes)) for begin, end in pairwise(automaton.offsets.tolist())
    ]
    return {
        "systems": [track.system for track in automaton.tracks],
        "digits": [list(track.digits) for track in automaton.tracks],
        "codes": list(codes),
        "rows": rows,
        "targets": automaton.targets.tolist(),
        "outputs": automaton.outputs.tolist(),
    }
