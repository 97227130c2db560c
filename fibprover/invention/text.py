"""An invention in sentences, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fibprover.base.wording import plural
from fibprover.games.rules import VARIABLES
from fibprover.workspace.walnut import automaton_text

if TYPE_CHECKING:
    from fibprover.invention.invent import Invention, Unreached
    from fibprover.prover.verdict.relation import Relation

#: So many vectors that are no moves, and options of a position that is not reached, are listed.
LISTED = 6


def text_of(found: Invention) -> str:
    """Return an invention as sentences."""
    states = plural(found.positions.states, "state")
    lines = [f"P: {states} in {found.system.name}, {'symmetric' if found.symmetric else 'not symmetric'}"]
    if found.terminal:
        lines[0] += f"; play ends where {found.terminal}"
    if found.status == "undecided":
        lines.append(
            f"Undecided: below {found.bound} some vectors lead into P from all other positions, but no proof ended."
        )
    if found.unreached is not None:
        lines += ["No invariant game has these P-positions.", *_reasons(found.unreached)]
    if found:
        lines.append("An invariant game has these P-positions.")
        lines += _rules(found)
    if found.moves is not None and found:
        names = ",".join(VARIABLES[found.piles].vector)
        lines.append(
            f"All vectors ({names}) that can be moves: all that are no differences of P, "
            f"{plural(found.moves.states, 'state')}; the largest set of moves."
        )
    if found.nearest is not None:
        lines += ["With terminal positions there is one.", *(f"  {line}" for line in str(found.nearest).splitlines())]
    return "\n".join(lines)


def _rules(found: Invention) -> list[str]:
    """Return the rules and their proof."""
    if not found.rules and found.vectors is None:
        return ["Its moves are all vectors that are no differences of P; no few lines and vectors suffice."]
    if found.game is None or found.proof is None:
        lines = ["Its moves:", *(f"  {part}" for part in found.rules)]
        if found.vectors is not None:
            first = ", ".join(map(str, found.vectors.first(LISTED)))
            shown = f"{first}, ...: {plural(found.vectors.states, 'state')}"
            lines.append(f"  the vectors {shown}")
        return [*lines, "Proved: none of these is a difference of P, and they lead into P from all other positions."]
    lines = ["Its moves, of which no line can be left out:"]
    lines += [f"  {part}; needed at {part.needed}" for part in found.rules]
    lines.append(f"Proved: stable and absorbing, with automata of at most {plural(found.proof.states, 'state')}.")
    terminal = f" --terminal '{found.terminal}'" if found.terminal else ""
    lines.append(f"  fibprover game '{found.game.formula}'{terminal}")
    return lines


def _reasons(found: Unreached) -> list[str]:
    """Return why no vector leads from a position into the set."""
    lines = [f"From {found.position}, which is not in P, no vector that could be a move leads into P:"]
    lines += [
        f"  to {target}: but the same vector leads from {high} to {low}, both in P"
        for target, low, high in found.options[:LISTED]
    ]
    more = len(found.options) - LISTED
    return [*lines, f"  and {plural(more, 'more option')}"] if more > 0 else lines


def as_json(found: Invention) -> dict[str, Any]:
    """Return an invention as an object of JSON."""
    unreached = found.unreached
    return {
        "status": found.status,
        "system": found.system.name,
        "states": found.positions.states,
        "piles": found.piles,
        "symmetric": found.symmetric,
        "terminal": found.terminal,
        "moves": _relation(found.moves),
        "rules": [
            {
                "words": part.words, "formula": str(part.formula),
                "needed": None if part.needed is None else list(part.needed),
            }
            for part in found.rules
        ],
        "vectors": _relation(found.vectors),
        "game": None if found.game is None else found.game.formula,
        "proof_states": None if found.proof is None else found.proof.states,
        "unreached": None if unreached is None else {
            "position": list(unreached.position),
            "options": [
                {"to": list(target), "same": [list(high), list(low)]} for target, low, high in unreached.options
            ],
            "claim": str(unreached.claim),
        },
        "nearest": None if found.nearest is None else as_json(found.nearest),
        "bound": found.bound,
        "seconds": round(found.seconds, 6),
    }


def _relation(vectors: Relation | None) -> dict[str, Any] | None:
    if vectors is None:
        return None
    return {"states": vectors.states, "automaton": automaton_text(vectors.automaton)}
