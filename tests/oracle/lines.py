"""Automata as texts and edges, written plainly: the writers that the kernels replaced."""

from __future__ import annotations

from fibprover.automata.dfa import Dfa


def walnut_text(a: Dfa) -> str:
    """Return the automaton in Walnut's format, for tracks that have no identity."""
    if not a.tracks:
        return "true\n" if a.outputs[0] else "false\n"
    lines = [" ".join(track.system or "{" + ", ".join(map(str, track.digits)) + "}" for track in a.tracks)]
    for state in range(a.states):
        lines.append(f"\n{state} {a.outputs[state]}")
        for code, target in a.row(state):
            lines.append(f"{' '.join(map(str, a.letter(code)))} -> {target}")
    return "\n".join(lines) + "\n"


def ba_text(a: Dfa) -> str:
    """Return the automaton in BA, where m1 is the digit -1."""
    lines = ["[0]"]
    for state in range(a.states):
        for code, target in a.row(state):
            letter = ".".join(str(digit).replace("-", "m") for digit in a.letter(code)) or "()"
            lines.append(f"{letter},[{state}]->[{target}]")
    lines += [f"[{state}]" for state in [state for state in range(a.states) if a.outputs[state]] or [a.states]]
    return "\n".join(lines) + "\n"


def edges(a: Dfa) -> list[tuple[int, int, list[int]]]:
    """Return the edges in order, each with its letter codes."""
    found: dict[tuple[int, int], list[int]] = {}
    for state in range(a.states):
        for code, target in a.row(state):
            found.setdefault((state, target), []).append(code)
    return [(*edge, codes) for edge, codes in sorted(found.items())]
