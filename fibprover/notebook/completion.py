"""Names that may stand at a place of a cell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fibprover.notebook.conversation import MAGICS
from fibprover.numeration.registry import RECURRENCES
from fibprover.parse.commands import WORDS
from fibprover.parse.names import NAME
from fibprover.session import Session
from fibprover.show.markup import plural
from fibprover.show.word import word_text
from fibprover.values import value

#: What stands before the cursor: a name, perhaps begun by a sign that says of what kind it is.
_BEGUN = re.compile(r"([$?#%]?)(\w*)$")

#: Numeration systems offered beside those of the session.
SYSTEMS = (*sorted(RECURRENCES), "2", "3", "10", "neg_2", "neg_fib", "4bonacci", "wythoff_2", "fraenkel_2_1")


@value
class Completion:
    """Texts that may stand from `start` to the cursor."""

    start: int
    texts: tuple[str, ...]


def completion(cell: str, cursor: int, session: Session) -> Completion:
    """What the name before the cursor may become: after `$` a predicate, after `?` a system, after `#` a macro.

    Where a command may begin that is one of their words, or a magic; anywhere else any name.
    """
    before = cell[:cursor]
    found = _BEGUN.search(before)
    assert found is not None
    sign, begun = found[1], found[2]
    start = found.start()
    texts = sorted({f"{sign}{name}" for name in _names(sign, before[:start], session) if name.startswith(begun)})
    return Completion(start, tuple(texts))


def _names(sign: str, before: str, session: Session) -> Iterable[str]:
    systems = {f"msd_{name}" for name in SYSTEMS} | {f"lsd_{name}" for name in SYSTEMS} | set(session.systems)
    match sign:
        case "$":
            return session.definitions
        case "?":
            return systems
        case "#":
            return session.macros
        case "%":
            return MAGICS
    if _begins_command(before):
        return WORDS
    words = session.library_words.behind(session.words)
    if before.count('"') % 2:
        return words
    things = (session.definitions, words, session.macros, session.morphisms, session.transducers)
    return {name for named in things for name in named} | systems


def _begins_command(before: str) -> bool:
    """Whether nothing but blanks lies between the last terminator and this place, outside of quotes."""
    outside = re.sub(r'"[^"]*"', "", before)
    return '"' not in outside and not re.split(r"[;:]", outside)[-1].strip()


def is_complete(cell: str) -> bool:
    """Whether nothing is missing at the end of a cell: neither a quote nor the terminator of a command."""
    outside = re.sub(r'"[^"]*"', '""', cell)
    if outside.count('"') % 2:
        return False
    last = re.split(r"[;:]", outside)[-1].strip()
    word = NAME.match(last)
    return last.startswith(("%", "!")) or not (word is not None and word[0] in WORDS)


def meaning(name: str, session: Session) -> str:
    """What a name stands for, "" if for nothing."""
    if name in session.definitions:
        definition = session.definitions[name]
        automaton = definition.automaton
        return f"${name}({', '.join(automaton.names)}): {plural(automaton.states, 'state')}\n  {definition.source}"
    words = session.library_words.behind(session.words)
    if name in words:
        return word_text(words[name], session.system)
    if name in session.macros:
        return f"#{name}: {session.macros[name]}"
    return session.help(name) if name in WORDS else ""


def name_at(cell: str, cursor: int) -> str:
    """The name that the cursor stands in or behind, "" if it stands in none."""
    for found in NAME.finditer(cell):
        if found.start() <= cursor <= found.end():
            return found[0]
    return ""
