"""Display values in IPython and Jupyter: `html(value)`, `text(value)` and `traceback_lines(error)`.

`html` and `text` are generic functions with a registration for each type of value.  The methods of
`fibprover.base.values.RichlyDisplayed` call them, and import this module when a value is displayed for the first time.
The functions `verdict_html`, `relation_html`, `word_html` and `word_text` take more options, for the answers of cells.
"""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import singledispatch
from html import escape
from itertools import islice
from types import ModuleType

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError
from fibprover.base.screen import escaped
from fibprover.base.wording import plural
from fibprover.frontends.display.board import Board, board_html
from fibprover.frontends.display.drawing import Drawing, draw, drawing_html, one_line
from fibprover.frontends.display.html import (
    GREEN,
    RED,
    beside,
    bold,
    card,
    chart,
    code,
    folded,
    picture,
    quiet,
    styled,
    table,
)
from fibprover.frontends.display.text import (
    certified_text,
    evidence_text,
    outcome_text,
    relation_head,
    relation_text,
    shown_evidence,
)
from fibprover.learn.standard import WordPredicate
from fibprover.learn.theorem import Solution, Uniqueness
from fibprover.numeration.registry import system_named
from fibprover.numeration.slope_sets import SlopeSet
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.evaluate.trace import Node, Trace, explained, tree
from fibprover.prover.verdict.relation import Relation, Value, shown_value
from fibprover.prover.verdict.slopes import FamilyRelation, SlopeVerdict
from fibprover.prover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord


@singledispatch
def html(value: object) -> str:
    """Return a value as HTML; what has no registration here is a sequence, of a game, or a TypeError."""
    return str(_module_of(value).html(value))


def latex(value: object) -> str:
    """Return a value as a part of a LaTeX document; raises NotSupported for one that has none."""
    from fibprover.frontends.display.latex import latex as written  # few displays need it, and it needs much

    return written(value)


def latex_if_any(value: object) -> str | None:
    """Return a value as a part of a LaTeX document; None for one that has none, or that is not found in time."""
    try:
        return latex(value)
    except FibproverError:
        return None


@singledispatch
def text(value: object) -> str:
    """Return a value as lines of text; what has no registration here is a sequence, of a game, or a TypeError."""
    return str(_module_of(value).text(value))


def _module_of(value: object) -> ModuleType:
    """Return the module that displays a sequence, or a value of a game; imported here, as they need numpy."""
    if type(value).__module__.startswith("fibprover.sequences."):
        from fibprover.frontends.display import sequence_values

        return sequence_values
    from fibprover.frontends.display import game_values

    return game_values


# ---- verdicts


@text.register
def _(verdict: Verdict) -> str:
    return outcome_text(verdict, 0)


@html.register
def verdict_html(verdict: Verdict, name: str = "", *, unfolded: bool = False) -> str:
    """Return truth and formula, the evidence, and the steps.

    name: of the command, written before the truth; unfolded: whether the steps are visible at once.
    """
    shown = evidence_text(verdict).strip() if isinstance(verdict, SlopeVerdict) else shown_evidence(verdict)
    truth = bold(str(verdict), GREEN if verdict.truth else RED)
    return card(
        f"{bold(name + ' ') if name else ''}{truth} {code(verdict.text)}",
        escape(shown),
        escape(certified_text(verdict).strip()),
        trace_html(verdict.trace, unfolded=unfolded),
    )


# ---- relations

#: The number of tuples in a table.
FIRST = 10

#: The most states of an automaton whose drawing is visible at once.
UNFOLDED_STATES = 16


@text.register
def _(relation: Relation) -> str:
    return relation_text(relation, FIRST)


@html.register
def relation_html(relation: Relation, name: str = "", *, unfolded: bool = False, drawn: bool = True) -> str:
    """Return variables and size, the first tuples beside the automaton, and the steps.

    name: of the command; unfolded: whether the steps are visible at once; drawn: whether to draw the automaton.
    """
    if isinstance(relation, FamilyRelation):
        return card(styled(relation_head(relation), ""), code(relation.text), trace_html(relation.trace))
    drawing = _relation_drawing(relation, name.rpartition(" ")[2]) if drawn else ""
    return card(
        (bold(f"{name} ") if name else "") + styled(relation_head(relation), ""),
        code(relation.text) if relation.text else "",
        beside(tuples_html(relation), drawing),
        trace_html(relation.trace, unfolded=unfolded),
    )


def _relation_drawing(relation: Relation, name: str) -> str:
    """Return the drawing of the automaton, folded unless it is small."""
    drawing, states = drawing_html(relation, name), relation.automaton.states
    return drawing if states <= UNFOLDED_STATES else folded(f"automaton, {plural(states, 'state')}", drawing)


def tuples_html(relation: Relation, count: int = FIRST) -> str:
    """Return the first tuples as a table; the mouse over a number shows its representation."""
    found = list(islice(relation.tuples(), count + 1))
    if not found:
        return ""
    rows = [tuple(_tuple_cell(relation, column, value) for column, value in enumerate(row)) for row in found[:count]]
    more = quiet("and more") if len(found) > count else ""
    return table(relation.names, rows) + more


def _tuple_cell(relation: Relation, column: int, value: Value) -> str:
    shown = escape(shown_value(value))
    track = relation.automaton.tracks[column]
    if not track.system or not isinstance(value, int):
        return shown
    digits = shown_value(tuple(relation.system(track.system).represent(value)) or (0,))
    return f'<span title="{escape(digits)} in {escape(track.system)}">{shown}</span>'


# ---- relations that are defined by recursion


@html.register
def _(theorem: Uniqueness) -> str:
    return card(theorem_html(theorem))


@html.register
def _(solution: Solution) -> str:
    relations = (relation_html(relation, f"${name}") for name, relation in solution.relations.items())
    return card(theorem_html(solution.theorem), *relations)


@html.register
def _(predicate: WordPredicate) -> str:
    how = quiet("built from the formula") if predicate.theorem is None else theorem_html(predicate.theorem)
    return card(relation_html(predicate.relation, f"${predicate.name}"), how)


@html.register
def _(slopes: SlopeSet) -> str:
    return card(code(str(slopes)))


@text.register
def _(defined: SlopeSet | Uniqueness | Solution | WordPredicate) -> str:
    return str(defined)


def theorem_html(theorem: Uniqueness) -> str:
    """Return what was proved, and, folded, the closed formulas that prove it."""
    head, effort, *_ = str(theorem).split("\n")
    statements = "".join(f"<div>{bold('TRUE', GREEN)} {code(each)}</div>" for each in theorem.statements)
    certified = "" if theorem.certificate is None else f"<div>{escape(str(theorem.certificate))}</div>"
    return f"{styled(head, '')}<div>{quiet(effort.strip())}</div>{certified}{folded('what was proved', statements)}"


# ---- traces

#: The most steps that are listed.
MOST_STEPS = 400

#: The most characters of a step's label.
_LABEL = 300


@html.register
def _(trace: Trace) -> str:
    return card(trace_html(trace, unfolded=True))


@text.register
def _(trace: Trace) -> str:
    return explained(trace) if trace.records else str(trace)


def trace_html(trace: Trace | None, *, unfolded: bool = False) -> str:
    """Return the tree of steps with sizes and times, below a summary with a chart; "" for a trace without steps."""
    if trace is None or not trace.records:
        return ""
    records = trace.records
    sizes = [
        (record.states, f"{plural(record.states, 'state')}: {one_line(record.label, _LABEL)}") for record in records
    ]
    largest = plural(trace.largest, "state")
    summary = f"{plural(len(records), 'step')}, largest automaton {largest}, {trace.seconds:.3f} s"
    rows = list(_step_rows(tree(records), 0))
    more = quiet(f"and {len(rows) - MOST_STEPS} more steps") if len(rows) > MOST_STEPS else ""
    head = ("states", "transitions", "expected", "ms", "step")
    steps = table(head, rows[:MOST_STEPS], left=frozenset({4}))
    return folded(escape(summary) + chart(sizes), steps + more, unfolded=unfolded)


def _step_rows(nodes: Sequence[Node], depth: int) -> Iterator[tuple[str, ...]]:
    """Yield a row for each step, before the rows of its parts, which are indented."""
    for node in nodes:
        record = node.record
        expected = "" if record.expected is None else f"{record.expected:.0f}"
        remark = quiet(" (known)") if record.cached else ""
        operation = styled(record.operation, f"padding-left:{1.2 * depth:.1f}em;white-space:nowrap")
        yield (
            str(record.states), str(record.transitions), expected, f"{1000 * record.took:.1f}",
            f"{operation} {code(one_line(record.label, _LABEL))}{remark}",
        )
        yield from _step_rows(node.parts, depth + 1)


# ---- automata, drawings and boards


@html.register
def _(automaton: Dfa) -> str:
    return card(escape(text(automaton)), drawing_html(automaton))


@text.register
def _(automaton: Dfa) -> str:
    tracks = ", ".join(
        f"{track.name}:{track.system or '{' + ','.join(map(str, track.digits)) + '}'}" for track in automaton.tracks
    )
    return (
        f"automaton ({tracks}): {plural(automaton.states, 'state')}, {plural(automaton.transitions, 'transition')}"
    )


@html.register
def _(drawing: Drawing) -> str:
    """The image, or why there is none; only an explicit layout "graphviz" starts another program."""
    shown = draw(drawing, limit=drawing.limit, layout="own") if drawing.layout == "auto" else drawing
    try:
        return card(picture(shown.svg, f"automaton {drawing.name}"))
    except LimitError as large:
        return card(quiet(f"{large.message}; {large.hint}"))


@text.register
def _(drawing: Drawing) -> str:
    automaton = drawing.automaton
    sizes = f"{plural(automaton.states, 'state')}, {plural(automaton.transitions, 'transition')}"
    return f"the automaton {drawing.name}: {sizes}, over {', '.join(automaton.names) or 'no variables'}"


@html.register
def _(shown: Board) -> str:
    return card(board_html(shown))


@text.register
def _(shown: Board) -> str:
    sets = " and ".join(f"{layer.name} ({plural(len(layer.positions), 'position')})" for layer in shown.layers)
    return f"the squares below {shown.size} of {sets}"


# ---- automatic words

#: How many letters of a word are displayed: with one index in rows, with two indices in a square.
LETTERS, ROW, SIDE = 160, 40, 24

#: Backgrounds on which black is legible.
COLOURS = ("#e8eef7", "#f6c36b", "#8fc1e3", "#a6d49f", "#e79a9a", "#c9b1e0", "#f0e68c", "#9ad5d0", "#d8bfa5", "#c8c8c8")

#: Looks up a numeration system by name.
Systems = Callable[[str], NumerationSystem]


@html.register
def _(word: AutomaticWord) -> str:
    return word_html(word, system_named)


@text.register
def _(word: AutomaticWord) -> str:
    return word_text(word, system_named)


def word_html(word: AutomaticWord, systems: Systems, *, drawn: bool = True) -> str:
    """Return sizes, and the coloured first letters beside the automaton; systems: of the session that has the word."""
    head = f"{bold(word.name)} {escape(word_sizes(word))}"
    return card(head, beside(_letters_html(word, systems), drawing_html(word) if drawn else ""))


def word_text(word: AutomaticWord, systems: Systems) -> str:
    """Return a line with sizes, and the first letters of a word with one index."""
    head = f"{word.name}: {word_sizes(word)}"
    known, problem = _index_systems(word, systems)
    if problem or len(known) != 1:
        return head
    letters = ["?" if letter is None else str(letter) for letter in word.prefix(60, known[0].represent)]
    separator = "" if all(len(letter) == 1 for letter in letters) else " "
    return f"{head}\n  {separator.join(letters)}..."


def word_sizes(word: AutomaticWord) -> str:
    """Return systems, letters and the number of states."""
    systems = ", ".join(track.system or "words" for track in word.tracks)
    letters = ", ".join(map(str, word.outputs))
    return f"over {systems}, letters {letters}, {plural(word.machine.states, 'state')}"


def _index_systems(word: AutomaticWord, systems: Systems) -> tuple[list[NumerationSystem], str]:
    """Return the system of each index, and why the letters cannot be listed ("" if they can)."""
    if any(not track.system for track in word.tracks):
        return [], "the indices are words over an alphabet"
    try:
        return [systems(track.system) for track in word.tracks], ""
    except BudgetSpent:
        raise
    except FibproverError:
        return [], "the numeration system of the indices is not known here"


def _letters_html(word: AutomaticWord, systems: Systems) -> str:
    known, problem = _index_systems(word, systems)
    if len(word.tracks) not in (1, 2):
        problem = f"the word has {plural(len(word.tracks), 'index', 'indices')}"
    if problem:
        return quiet(f"the letters are not listed: {problem}")
    if len(word.tracks) == 1:
        numbers = [(number,) for number in _first_numbers(known[0], LETTERS)]
        return _letter_rows(word, known, [numbers[first : first + ROW] for first in range(0, LETTERS, ROW)])
    across = _first_numbers(known[1], SIDE)
    rows = [[(row, column) for column in across] for row in _first_numbers(known[0], SIDE)]
    return _letter_rows(word, known, rows)


def _first_numbers(system: NumerationSystem, count: int) -> range:
    """Return the first numbers of a system; half of them are negative if it has negative numbers."""
    first = -(count // 2) if system.signed else 0
    return range(first, first + count)


def _letter_rows(
    word: AutomaticWord, systems: Sequence[NumerationSystem], rows: Sequence[Sequence[tuple[int, ...]]]
) -> str:
    """Return coloured letters, each row after its first index."""
    represented = [
        {number: system.represent(number) for number in {index[place] for row in rows for index in row}}
        for place, system in enumerate(systems)
    ]
    colours = {
        letter: f"color:#111;background:{COLOURS[number % len(COLOURS)]}" for number, letter in enumerate(word.outputs)
    }
    width = max((len(str(letter)) for letter in word.outputs), default=1)
    lines = []
    for row in rows:
        cells = [f'<span style="display:inline-block;width:3em;text-align:right;opacity:.6">{row[0][0]}</span> ']
        for index in row:
            words = [track[number] for track, number in zip(represented, index, strict=True)]
            letter = word.value(*words)
            shown = "?" if letter is None else str(letter)
            name = f"{word.name}{''.join(f'[{number}]' for number in index)} = {shown}"
            digits = ", ".join(shown_value(each or (0,)) for each in words)
            tooltip, style = escape(f"{name} ({digits})"), "" if letter is None else colours[letter]
            cells.append(f'<span title="{tooltip}" style="{style}">{escape(shown):>{width}}</span>')
        lines.append("".join(cells))
    block = "margin:2px 0;line-height:1.25;color:inherit;background:none;letter-spacing:.1em"
    return f'<pre style="{block}">' + "\n".join(lines) + "</pre>"


# ---- errors

#: The packages between a notebook and the code of its cell.
_SHELLS = ("IPython", "ipykernel")


def traceback_lines(error: FibproverError) -> list[str]:
    """Return the user's own line that raised an error, and its message, in place of a traceback."""
    place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        package, _, module = str(frame.f_globals.get("__name__", "")).partition(".")
        if package == "fibprover":
            if module == "frontends.notebook.magic":  # a cell of commands: the message names the place in it
                place = None
            break
        if package not in _SHELLS:
            place = frame.f_code.co_filename, line
    head = type(error).__name__
    said = escaped(str(error))
    if place is None:
        return [f"{head}: {said}"]
    return [f"{head} in line {place[1]}:\n    {escaped(linecache.getline(*place).strip())}", said]
