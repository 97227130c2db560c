"""Automatic words: a coloured prefix, and the automaton that computes the letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from fibprover.display.drawing import drawing_html
from fibprover.display.html import beside, bold, card, plural, quiet
from fibprover.errors import FibproverError
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.verdict.relation import shown_value
from fibprover.words.automatic import AutomaticWord

#: Letters of a word with one index, in rows of so many; rows and columns of one with two indices.
LETTERS, ROW, SIDE = 160, 40, 24

#: Backgrounds on which black can be read.
COLOURS = ("#e8eef7", "#f6c36b", "#8fc1e3", "#a6d49f", "#e79a9a", "#c9b1e0", "#f0e68c", "#9ad5d0", "#d8bfa5", "#c8c8c8")

#: Looks a numeration system up by name.
Systems = Callable[[str], NumerationSystem]


def html(word: AutomaticWord) -> str:
    """The word over a system that has its name from fibprover; for others `word_html` is given the session's."""
    return word_html(word, system_named)


def text(word: AutomaticWord) -> str:
    """A line with sizes, and the first letters."""
    return word_text(word, system_named)


def word_html(word: AutomaticWord, systems: Systems, *, drawn: bool = True) -> str:
    """Sizes, coloured prefix, and the automaton."""
    return card(_head(word), beside(_prefix_html(word, systems), drawing_html(word) if drawn else ""))


def word_text(word: AutomaticWord, systems: Systems) -> str:
    """A line with sizes, and the first letters of a word with one index."""
    head = f"{word.name}: {_sizes(word)}"
    known, why = _systems(word, systems)
    if why or len(known) != 1:
        return head
    letters = ["?" if letter is None else str(letter) for letter in word.prefix(60, known[0].represent)]
    joint = "" if all(len(letter) == 1 for letter in letters) else " "
    return f"{head}\n  {joint.join(letters)}..."


def _head(word: AutomaticWord) -> str:
    return f"{bold(word.name)} {escape(_sizes(word))}"


def _sizes(word: AutomaticWord) -> str:
    systems = ", ".join(track.system or "words" for track in word.tracks)
    letters = ", ".join(map(str, word.outputs))
    return f"over {systems}, letters {letters}, {plural(word.machine.states, 'state')}"


def _systems(word: AutomaticWord, systems: Systems) -> tuple[list[NumerationSystem], str]:
    """The system of each index; and why there are none, if its letters are not at numbers that are known here."""
    if any(not track.system for track in word.tracks):
        return [], "the indices are words over an alphabet"
    try:
        return [systems(track.system) for track in word.tracks], ""
    except FibproverError:
        return [], "the numeration system of the indices is not known here"


def _prefix_html(word: AutomaticWord, systems: Systems) -> str:
    known, why = _systems(word, systems)
    if len(word.tracks) not in (1, 2):
        why = f"the word has {len(word.tracks)} indices"
    if why:
        return quiet(f"the letters are not listed: {why}")
    if len(word.tracks) == 1:
        numbers = [(number,) for number in _about(known[0], LETTERS)]
        return _rows(word, known, [numbers[first : first + ROW] for first in range(0, LETTERS, ROW)])
    across = _about(known[1], SIDE)
    return _rows(word, known, [[(row, column) for column in across] for row in _about(known[0], SIDE)])


def _about(system: NumerationSystem, count: int) -> range:
    """The first numbers of a system; of integers as many below 0 as not."""
    first = -(count // 2) if system.signed else 0
    return range(first, first + count)


def _rows(word: AutomaticWord, systems: Sequence[NumerationSystem], rows: Sequence[Sequence[tuple[int, ...]]]) -> str:
    """Coloured letters, the first index of each row in front."""
    represented = [
        {number: system.represent(number) for number in {index[place] for row in rows for index in row}}
        for place, system in enumerate(systems)
    ]
    colours = {
        letter: f"color:#111;background:{COLOURS[number % len(COLOURS)]}" for number, letter in enumerate(word.outputs)
    }
    wide = max((len(str(letter)) for letter in word.outputs), default=1)
    lines = []
    for row in rows:
        cells = [f'<span style="display:inline-block;width:3em;text-align:right;opacity:.6">{row[0][0]}</span> ']
        for index in row:
            words = [track[number] for track, number in zip(represented, index, strict=True)]
            letter = word.value(*words)
            shown = "?" if letter is None else str(letter)
            name = f"{word.name}{''.join(f'[{number}]' for number in index)} = {shown}"
            digits = ", ".join(shown_value(each or (0,)) for each in words)
            title, style = escape(f"{name} ({digits})"), "" if letter is None else colours[letter]
            cells.append(f'<span title="{title}" style="{style}">{escape(shown):>{wide}}</span>')
        lines.append("".join(cells))
    block = "margin:2px 0;line-height:1.25;color:inherit;background:none;letter-spacing:.1em"
    return f'<pre style="{block}">' + "\n".join(lines) + "</pre>"
