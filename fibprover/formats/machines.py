"""Automata as those of automata-lib, and back.

Its symbols are texts: the digits of all tracks with commas between them, `1` or `0,-1`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fibprover.automata.dfa import Dfa, Track, build
from fibprover.errors import AutomatonError
from fibprover.formats.optional import library

_SYMBOL = re.compile(r"(-?\d{1,9}(?:,-?\d{1,9})*)?", re.ASCII)


def to_automata_lib(a: Dfa) -> Any:
    """The partial DFA of an automaton that accepts or rejects, as `Session.language` gives it.

    AutomatonError for a word with other letters than 0 and 1; NotInstalled without automata-lib.
    """
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
    """The automaton over these tracks with the transitions of a DFA or an NFA, neither trimmed nor minimized.

    AutomatonError for a symbol that is not one digit a track.
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
        raise AutomatonError(f"the symbol {symbol!r} is no letter", hint="one digit a track, such as 0,1")
    return tuple(int(digit) for digit in symbol.split(",")) if symbol else ()
