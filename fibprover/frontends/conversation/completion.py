"""Completion by the Tab key: commands, predicates, words, systems, macros and files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from fibprover.base.folders import COMMANDS
from fibprover.base.names import VARIABLE, WORD_PREDICATES, SystemName, system_name, word_predicate
from fibprover.frontends.conversation import entry
from fibprover.frontends.conversation.topics import TOPICS
from fibprover.language.commands import FORMATS, MATRIX_FORMATS, WORDS
from fibprover.numeration.registry import BONACCI, RECURRENCES
from fibprover.workspace.session import Session

_NAME = re.compile(r"[$?#.]?\w*\Z", re.ASCII)

#: The kinds of arguments of a command, place by place; the last kind is also that of all further places.
_ARGUMENTS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    **dict.fromkeys(("inf", "test", "first", "first_rej", "count", "regex"), ("predicates", "")),
    **dict.fromkeys(
        ("union", "intersect", "concat", "star", "leftquo", "rightquo", "fixleadzero", "fixtrailzero", "combine"),
        ("", "predicates"),
    ),
    **dict.fromkeys(("reverse", "minimize"), ("", "automata")),
    **dict.fromkeys(("join", "split", "rsplit"), ("", "words")),
    "describe": ("automata", ""),
    "export": ("automata", "formats", ""),
    "reg": ("", "systems"),
    "convert": ("", "systems", "automata"),
    "alphabet": ("", "systems", "systems automata"),
    "promote": ("", "morphisms", "systems", ""),
    "image": ("", "morphisms", "words"),
    "transduce": ("", "transducers", "words"),
    "word": ("", "letters"),
    "load": ("scripts",),
    "solve": ("", "measure"),
    "save": ("files",),
    "show": ("automata",),
    "help": ("topics",),
})


def candidates(before: str, text: str, session: Session) -> list[str]:
    """Return the completions of the word `text` in order, each with the character that always follows it.

    before: the text of the entry up to this word.
    """
    kinds = _kinds(before, text, session)
    if kinds == ["files"]:
        return _files(text)
    if kinds == ["scripts"]:
        folders = session.namespace.folders
        return _files(text) if folders is None else _files(text, folders.home / COMMANDS)
    # The part before the name in a term or a list stays: 2/T, n-T.
    head = "" if kinds == ["topics"] else text[: len(text) - len(_last_name(text))]
    tail = text[len(head) :]
    if word_predicate(tail.removeprefix("$") + "*"):
        kinds = [f"{kind} of words" if kind in ("formula", "automata", "predicates") else kind for kind in kinds]
    offered = {word for kind in kinds for word in _OFFERED[kind](session) if word.startswith(tail)}
    return [head + word for word in sorted(offered, key=lambda word: (word.casefold(), word))]


def _last_name(text: str) -> str:
    found = _NAME.search(text)
    return found[0] if found else ""


def _kinds(before: str, text: str, session: Session) -> list[str]:
    """Return the kinds of names at this place."""
    found = entry.ending(before)
    if found.quoted:
        return ["formula"]
    command = before[found.begin :] if not found.ended else ""
    chunks = entry.significant(command, session.namespace.macros).split()
    if not chunks:
        return ["formula"] if text[:1] in "$?#." and text else ["commands", "formula"] if text else ["commands"]
    if entry.is_formula(command + text, session.namespace.macros):
        return ["formula"]
    places = _ARGUMENTS.get(chunks[0], ("",))
    # A word that directly follows a bracket is not a new argument.
    place = len(chunks) - (0 if command[-1:].isspace() else 1)
    return [kind for kind in places[min(max(place, 1), len(places)) - 1].split() if kind]


# -- the names of each kind, with the character that follows them ---------------------------------------


def _commands(session: Session) -> Iterable[str]:
    words = (*WORDS, *entry.PROMPT_WORDS)
    return (word if word in entry.ALONE else f"{word} " for word in words if not word.startswith("["))


def _formula(session: Session) -> Iterable[str]:
    yield from (f"${name}(" for name in session.namespace.definitions)
    yield from (f"${kind}_" for kind in WORD_PREDICATES)
    yield from (f"#{name}(" for name in session.namespace.macros)
    yield from (f"?{name} " for name in systems(session))
    yield from _letters(session)


def _letters(session: Session) -> Iterable[str]:
    """Yield the words as formulas have them: `Evil[` would begin with a quantifier."""
    for name in words(session):
        if VARIABLE.fullmatch(name):
            yield f"{name}["
        yield f".{name}["


def _automata(session: Session) -> Iterable[str]:
    yield from (f"${name} " for name in session.namespace.definitions)
    yield from (f"{name} " for name in words(session))


def _of_words(session: Session) -> Iterable[str]:
    return (*session.namespace.definitions, *session.namespace.word_predicates.names())


def words(session: Session) -> list[str]:
    """Return the names of words, including those of the library."""
    return list(session.namespace.library_words.overridden_by(session.namespace.words))


def systems(session: Session) -> list[str]:
    """Return the names of numeration systems: those of the session, and common ones."""
    bases = [str(base) for base in range(2, 11)]
    bonacci = [f"{order}bonacci" for order in BONACCI if order > 3]
    own = [system_name(name).base for name in session.namespace.systems]
    known = [*bases, *RECURRENCES, *bonacci, "neg_2", "neg_10", "neg_fib", *own]
    return [SystemName(lsd_first, name).full for name in known for lsd_first in (False, True)]


_OFFERED: Mapping[str, Callable[[Session], Iterable[str]]] = MappingProxyType({
    "commands": _commands,
    "formula": _formula,
    "automata": _automata,
    "predicates": lambda session: (f"{name} " for name in session.namespace.definitions),
    #: The predicates of words are so many that they are offered only after the beginnings of their names.
    "predicates of words": lambda session: (f"{name} " for name in _of_words(session)),
    "formula of words": lambda session: (*_formula(session), *(f"${name}(" for name in _of_words(session))),
    "automata of words": lambda session: (*_automata(session), *(f"${name} " for name in _of_words(session))),
    "words": lambda session: (f"{name} " for name in words(session)),
    "letters": _letters,
    "systems": lambda session: (f"{name} " for name in systems(session)),
    "morphisms": lambda session: (f"{name} " for name in session.namespace.morphisms),
    "transducers": lambda session: (f"{name} " for name in session.namespace.transducers),
    "formats": lambda session: (*FORMATS, *MATRIX_FORMATS),
    "measure": lambda session: ("by ",),
    "topics": lambda session: (*WORDS, *TOPICS, *words(session)),
})


def _files(text: str, within: Path | None = None) -> list[str]:
    """Return the files and folders with this prefix; hidden ones only if the prefix has the dot.

    within: a folder that the text is relative to; by default the current one.
    """
    folder, start = os.path.split(text)
    searched = os.path.expanduser(folder) or "." if within is None else within / folder
    try:
        with os.scandir(searched) as found:
            entries = [(entry.name, entry.is_dir()) for entry in found]
    except OSError:
        return []
    names = (
        os.path.join(folder, name) + ("/" if is_folder else "")
        for name, is_folder in entries
        if name.startswith(start) and (start or not name.startswith("."))
    )
    return sorted(names)
