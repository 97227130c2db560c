"""Automata for other programs: graphs of networkx and automata of automata-lib (which can also be read), the BA format,
and the matrices of linear representations.

A graph is a MultiDiGraph. Each state is a node, whose `output` is 0 or 1, or the letter of a word. Each transition is
an edge, whose `letter` has one digit for each track. The attributes of the graph itself are `initial`, the initial
node, and `tracks`: the name, digits and numeration system ("" if none) of each track, and the identity of a system
that is not a built-in one.

A symbol in automata-lib is a text: the digits of all tracks, separated by commas, such as `1` or `0,-1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any, Protocol, TypeAlias

from fibprover.automata import kernel_calls
from fibprover.automata.dfa import Dfa, Track, build
from fibprover.automata.digit_order import to_reading_order
from fibprover.automata.nondeterministic import Nfa
from fibprover.base.errors import AutomatonError, NotInstalled

# -- networkx --------------------------------------------------------------------------------


class HasAutomaton(Protocol):
    """A relation: it has an automaton in the digit order of its systems."""

    def to_reading_order(self) -> Dfa:
        """Return the automaton that reads each track as its system does."""


class HasMachine(Protocol):
    """An object with an automaton with output, in stored order, such as a word."""

    @property
    def machine(self) -> Dfa:
        """The automaton of the word."""


#: What `automaton_of` takes.
Exported: TypeAlias = Dfa | HasAutomaton | HasMachine


def automaton_of(value: Exported) -> Dfa:
    """Return an automaton itself, or that of a relation or a word, in the digit order of its systems."""
    if isinstance(value, Dfa):
        return value
    if isinstance(machine := getattr(value, "machine", None), Dfa):
        return to_reading_order(machine, word=True)
    if (read := getattr(value, "to_reading_order", None)) is not None and isinstance(found := read(), Dfa):
        return found
    raise AutomatonError(f"an automaton, a relation or a word is needed, not {type(value).__name__}")


def to_networkx(a: Exported) -> Any:
    """Return the graph of a relation, a word, or an automaton as `Namespace.language` and `.machine` return it.

    Raises NotInstalled without networkx.
    """
    a = automaton_of(a)
    graph = library("networkx", "networkx").MultiDiGraph(
        initial=0, tracks=[_described(track) for track in a.tracks]
    )
    for state in range(a.states):
        graph.add_node(state, output=a.outputs[state])
    for state in range(a.states):
        for code, target in a.row(state):
            graph.add_edge(state, target, letter=a.letter(code))
    return graph


def _described(track: Track) -> tuple[object, ...]:
    """Return the attribute of a track in a graph."""
    return (track.name, track.digits, track.system, *([track.identity] if track.identity else []))


def from_networkx(graph: Any, tracks: Sequence[Track] | None = None) -> Dfa:
    """Return the automaton of a graph, neither trimmed nor minimized; nodes may have any names.

    tracks: by default those of the graph.  The output of a node without `output` is 0.  Raises AutomatonError, with the
    node, for a graph that is not a deterministic automaton.
    """
    about: Mapping[str, Any] = graph.graph
    if tracks is None:
        try:
            tracks = [
                Track(str(name), tuple(map(int, digits)), str(system), identity=str(*identity))
                for name, digits, system, *identity in about["tracks"]
            ]
        except (KeyError, TypeError, ValueError):
            raise AutomatonError(
                "the graph does not say what its tracks are",
                hint='give tracks=[Track("n", (0, 1), "msd_2")], or the graph an attribute tracks',
            ) from None
    nodes = list(graph.nodes)
    initial = about.get("initial", nodes[0] if nodes else None)
    if initial not in graph:
        raise AutomatonError(f"the initial node {initial!r} is not in the graph")
    nodes.remove(initial)
    numbers = {node: number for number, node in enumerate([initial, *nodes])}
    shape = build(tracks, [{}], [0])
    rows: list[dict[int, int]] = [{} for _ in numbers]
    for source, target, letter in graph.edges(data="letter"):
        if not isinstance(letter, Sequence) or isinstance(letter, str):
            raise AutomatonError(f"the edge from {source!r} to {target!r} has no letter, one digit a track")
        code = shape.code(letter)
        if rows[numbers[source]].setdefault(code, numbers[target]) != numbers[target]:
            raise AutomatonError(f"the letter {list(letter)} leads from {source!r} to several nodes")
    outputs = []
    for node in numbers:
        output = graph.nodes[node].get("output", 0)
        if not isinstance(output, int):
            raise AutomatonError(f"the output of {node!r} is {output!r}, which is not an integer")
        outputs.append(int(output))
    return build(tracks, rows, outputs)


# -- automata-lib ----------------------------------------------------------------------------

_SYMBOL = re.compile(r"(-?\d{1,9}(?:,-?\d{1,9})*)?", re.ASCII)


def to_automata_lib(a: Exported) -> Any:
    """Return the partial DFA of a relation, or of an automaton that accepts or rejects (`Namespace.language`).

    Raises AutomatonError for a word with other letters than 0 and 1, and NotInstalled without automata-lib.
    """
    a = automaton_of(a)
    if not set(a.outputs) <= {0, 1}:
        raise AutomatonError("a DFA accepts or rejects, and this automaton has other outputs")
    machine = library("automata.fa.dfa", "automata-lib").DFA
    return machine(
        states=set(range(a.states)),
        input_symbols={_symbol(a.letter(code)) for code in range(a.letters)},
        transitions={
            state: {_symbol(a.letter(code)): target for code, target in a.row(state)} for state in range(a.states)
        },
        initial_state=0,
        final_states={state for state in range(a.states) if a.outputs[state]},
        allow_partial=True,
    )


def from_automata_lib(machine: Any, tracks: Sequence[Track]) -> Dfa:
    """Return the automaton over these tracks with the transitions of a DFA or an NFA, neither trimmed nor minimized.

    Raises AutomatonError for a symbol that does not have one digit for each track.
    """
    if not hasattr(machine, "final_states") or not hasattr(machine, "input_symbols"):
        raise AutomatonError(f"a DFA or an NFA is needed, not {type(machine).__name__}")
    deterministic = library("automata.fa.dfa", "automata-lib").DFA
    if not isinstance(machine, deterministic):
        machine = deterministic.from_nfa(machine)
    shape = build(tracks, [{}], [0])
    order = [machine.initial_state, *(machine.states - {machine.initial_state})]
    numbers = {state: number for number, state in enumerate(order)}
    rows = []
    for state in order:
        row = machine.transitions.get(state, {})
        rows.append({shape.code(_letter(symbol)): numbers[target] for symbol, target in row.items()})
    return build(tracks, rows, [int(state in machine.final_states) for state in order])


def _symbol(letter: Sequence[int]) -> str:
    return ",".join(map(str, letter))


def _letter(symbol: str) -> tuple[int, ...]:
    if not _SYMBOL.fullmatch(symbol):
        raise AutomatonError(
            f"the symbol {symbol!r} is not a letter", hint="a letter has one digit for each track, such as 0,1"
        )
    return tuple(int(digit) for digit in symbol.split(",")) if symbol else ()


# -- the BA format of tools for Buechi automata, here for automata over finite words -----------
#
#     [0]                 the initial state
#     0.1,[0]->[2]        a letter, its digits joined by dots, and the next state; m1 is the digit -1
#     [2]                 the accepting states
#
# Names may not have the characters `,`, `-` and `>`.


def to_ba(a: Dfa) -> str:
    """Return an automaton that accepts or rejects, in BA; without tracks, its only letter is `()`."""
    return b"".join(ba_pieces(a)).decode()


def ba_pieces(a: Dfa) -> Iterator[bytes]:
    """Yield what `to_ba` returns, in pieces of about a megabyte."""
    yield b"[0]\n"
    digits = [[f"{_named(digit)}." for digit in track.digits] for track in a.tracks] or [["()."]]
    digits[-1] = [f"{digit[:-1]},[" for digit in digits[-1]]
    yield from kernel_calls.lines(a, digits, None, ("]->[", "]\n"))
    # A file without accepting states means that all are.  Where none is, the one that is written is out of reach.
    accepting = [state for state in range(a.states) if a.outputs[state]] or [a.states]
    yield "".join(f"[{state}]\n" for state in accepting).encode()


def nondeterministic_ba_pieces(a: Nfa) -> Iterator[bytes]:
    """Yield a nondeterministic automaton in BA; its only initial state is the first one."""
    a = a.with_one_initial()
    yield b"[0]\n"
    for state, row in enumerate(a.rows):
        lines = []
        for code, targets in row:
            letter = ".".join(map(_named, a.letter(code)))
            lines += [f"{letter},[{state}]->[{target}]\n" for target in targets]
        yield "".join(lines).encode()
    accepting = [state for state, accepts in enumerate(a.accepting) if accepts] or [a.states]
    yield "".join(f"[{state}]\n" for state in accepting).encode()


def _named(digit: int) -> str:
    """Return a digit as a part of a name, which cannot have a minus sign."""
    return str(digit) if digit >= 0 else f"m{-digit}"


# -- linear representations for Maple, MATLAB or Octave, Mathematica and Sage ------------------
#
# Each file assigns the row vector v, the column vector w, and one matrix a letter: M_i_j_0_1 for the digits 0 of i and
# 1 of j.  Names in Mathematica have no `_`: there these are the values M[0, 1].

#: Rows of a matrix, or of a vector as a matrix of one row or column.
Rows = Sequence[Sequence[int | Fraction]]

#: MATLAB reads no more characters of a name.
_LONGEST_NAME = 63

#: The largest number up to which MATLAB and Octave, whose numbers are floating-point, have all integers.
_EXACT = 1 << 53


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a program writes a comment, a list, the assignments, and the name of a matrix.

    {0}: the rows, {1} and {2}: their number and length, {3}: the ring of the entries.  before: what comes first;
    indexed: the matrices are values of M, and have no names; rounding: numbers are floating-point.
    """

    comment: str
    row: str
    between: str
    whole: str
    assigned: str
    row_vector: str
    column_vector: str
    matrix: str
    before: str = ""
    indexed: bool = False
    rounding: bool = False

    def name(self, variables: Sequence[str], digits: Sequence[int]) -> str:
        """Return the name of the matrix of some digits of the variables."""
        if self.indexed:
            return f"M[{', '.join(map(str, digits))}]"
        name = "_".join(["M", *variables, *map(_named, digits)])
        return name if len(name) <= _LONGEST_NAME else "_".join(["M", *map(_named, digits)])


#: The dialects by the ending of the file name.
DIALECTS: Mapping[str, Dialect] = {
    "mpl": Dialect(
        "# {}", "[{}]", ",\n", "[{}]", "{} := {};",
        "Vector[row]({0})", "Vector[column]({0})", "Matrix({0})",
    ),
    "m": Dialect("% {}", "{}", "; ", "[{}]", "{} = {};", "{0}", "{0}", "{0}", rounding=True),
    "wl": Dialect(
        "(* {} *)", "{{{}}}", ",\n", "{{{}}}", "{} = {};", "{0}", "{0}", "{0}", before="Clear[M];", indexed=True,
    ),
    "sage": Dialect(
        "# {}", "[{}]", ",\n", "[{}]", "{} = {}",
        "matrix({3}, {1}, {2}, {0})", "matrix({3}, {1}, {2}, {0})", "matrix({3}, {1}, {2}, {0})",
    ),
}


def matrices_text(
    form: str,
    variables: Sequence[str],
    v: Sequence[int | Fraction],
    matrices: Mapping[tuple[int, ...], Rows],
    w: Sequence[int | Fraction],
) -> str:
    """Return the assignments, in the dialect of files that end in .mpl, .m, .wl or .sage."""
    dialect = DIALECTS[form]
    listed = ", ".join(variables)
    one_line = form == "mpl"
    lines = [
        dialect.comment.format(f"v times the matrices of the digits of {listed}, in the order of reading, times w"),
        _assigned(dialect, "v", dialect.row_vector, [v], one_line),
    ]
    if dialect.before:
        lines.insert(1, dialect.before)
    for digits, rows in matrices.items():
        lines.append(_assigned(dialect, dialect.name(variables, digits), dialect.matrix, rows))
    lines.append(_assigned(dialect, "w", dialect.column_vector, [[number] for number in w], one_line))
    every = (v, w, *(row for rows in matrices.values() for row in rows))
    if dialect.rounding and not all(map(_is_exact, every)):
        lines.insert(1, dialect.comment.format("not exact: numbers are floating-point here, and some are rounded"))
    return "\n".join(lines) + "\n"


def _is_exact(row: Sequence[int | Fraction]) -> bool:
    """Return whether a program with floating-point numbers has all numbers of a row."""
    return all(
        abs(number.numerator) <= _EXACT and number.denominator <= _EXACT and number.denominator.bit_count() == 1
        for number in row
    )


def _assigned(dialect: Dialect, name: str, kind: str, rows: Rows, one_line: bool = False) -> str:
    if one_line:
        # Maple's vectors are lists of numbers, and not matrices of one row or column.
        listed = "[" + ",".join(str(number) for row in rows for number in row) + "]"
    else:
        separator = " " if dialect.row == "{}" else ","
        listed = dialect.whole.format(
            dialect.between.join(dialect.row.format(separator.join(map(str, row))) for row in rows)
        )
    ring = "ZZ" if all(isinstance(number, int) for row in rows for number in row) else "QQ"
    return dialect.assigned.format(name, kind.format(listed, len(rows), len(rows[0]), ring))


# -- optional libraries ----------------------------------------------------------------------

def library(module: str, package: str, extra: str = "") -> Any:
    """Import a module of a library; raise NotInstalled, with the command that installs the library, if it is missing.

    extra: the extra of fibprover that includes the library, if there is one.
    """
    try:
        return import_module(module)
    except ImportError as error:
        line = f"pip install 'fibprover[{extra}]'" if extra else f"pip install {package}"
        raise NotInstalled(f"this needs {package}, which is not installed", hint=line) from error
