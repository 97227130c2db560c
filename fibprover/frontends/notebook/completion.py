"""Completion in cells, and the meaning of the name at the cursor."""

from __future__ import annotations

from fibprover.base.errors import UnknownName
from fibprover.base.names import NAME
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.frontends.cli.help import help_text
from fibprover.frontends.conversation import entry
from fibprover.frontends.conversation.completion import candidates
from fibprover.frontends.display.values import word_text
from fibprover.frontends.notebook.conversation import MAGICS
from fibprover.workspace.session import Session


@value
class Completion:
    """Texts that can replace the one from `start` to the cursor."""

    start: int
    texts: tuple[str, ...]


def completion(cell: str, cursor: int, session: Session) -> Completion:
    """Return the completions of the word before the cursor: magics after a leading %, else as at the prompt."""
    start = max((cell.rfind(sign, 0, cursor) for sign in entry.DELIMITERS), default=-1) + 1
    begun = cell[start:cursor]
    line = cell[cell.rfind("\n", 0, start) + 1 : start]
    if begun.startswith("%") and not line.strip():
        return Completion(start, tuple(f"%{name}" for name in MAGICS if name.startswith(begun[1:])))
    before = cell[:start]
    if line.lstrip().startswith("%"):
        return Completion(start, _drawable(begun, session))
    before = "\n".join("" if each.startswith("%") else each for each in before.split("\n"))
    return Completion(start, tuple(candidates(before, begun, session)))


def _drawable(begun: str, session: Session) -> tuple[str, ...]:
    """Return the names of automata: predicates, with or without $, words, systems."""
    known = session.namespace.definitions
    predicates = [] if begun.startswith("$") else [f"{name} " for name in known if name.startswith(begun)]
    others = [
        name for name in (*candidates("describe ", begun, session), *candidates("reg NAME ", begun, session))
        if begun.startswith("$") or not name.startswith("$")
    ]
    return tuple(sorted({*predicates, *others}))


def is_complete(cell: str, session: Session) -> bool:
    """Return whether a cell is complete: no quote is open, and the last command has its terminator."""
    lines = cell.rstrip().split("\n")
    if lines[-1].startswith(("%", "!")):
        return True
    before = [number for number, line in enumerate(lines) if line.startswith(("%", "!"))]
    return not entry.awaited("\n".join(lines[max(before, default=-1) + 1 :]), session.namespace.macros)


def meaning(name: str, session: Session) -> str:
    """Return the description of a name, "" for an unknown one."""
    if name in session.namespace.predicates:
        definition = session.namespace.predicates[name]
        automaton = definition.automaton
        return f"${name}({', '.join(automaton.names)}): {plural(automaton.states, 'state')}\n  {definition.source}"
    if name in session.namespace.words:
        return word_text(session.namespace.words[name], session.namespace.system)
    if name in session.namespace.macros:
        return f"#{name}: {session.namespace.macros[name]}"
    try:
        return help_text([name]) if name else ""
    except UnknownName:
        return ""


def name_at(cell: str, cursor: int) -> str:
    """Return the name at the cursor or directly before it, or ""."""
    for found in NAME.finditer(cell):
        if found.start() <= cursor <= found.end():
            return found[0]
    return ""
