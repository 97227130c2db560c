"""The BA format of tools for Buechi automata, here for automata over finite words.

    [0]                 the initial state
    0.1,[0]->[2]        a letter, its digits joined by dots, and where it leads
    [2]                 the accepting states
"""

from __future__ import annotations

from fibprover.automata.dfa import Dfa


def to_ba(a: Dfa) -> str:
    """An automaton that accepts or rejects, in BA; one without tracks has the letter `()`."""
    lines = ["[0]"]
    spelled: dict[int, str] = {}
    for state in range(a.states):
        for code, target in a.row(state):
            if code not in spelled:
                spelled[code] = ".".join(map(str, a.letter(code))) or "()"
            lines.append(f"{spelled[code]},[{state}]->[{target}]")
    lines += [f"[{state}]" for state in range(a.states) if a.outputs[state]]
    return "\n".join(lines) + "\n"
