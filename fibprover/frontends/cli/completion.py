"""What the Tab key offers: commands, predicates, words, systems, macros and files, where each may stand."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from fibprover.frontends.cli import typed
from fibprover.frontends.cli.help import TOPICS
from fibprover.names import SystemName, system_name
from fibprover.numeration.registry import BONACCI, RECURRENCES
from fibprover.session import Session
from fibprover.syntax.commands import WORDS

_NAME = re.compile(r"[$?#.]?\w*\Z", re.ASCII)

#: What may stand behind the word of a command, place by place from 1; the last kind also behind it.
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
    "promote": ("", "morphisms", ""),
    "image": ("", "morphisms", "words"),
    "transduce": ("", "transducers", "words"),
    "word": ("", "letters"),
    "load": ("files",),
    "help": ("topics",),
})


def candidates(before: str, text: str, session: Session) -> list[str]:
    """What the word `text` may become, in order; each with what comes behind it in any case."""
    kinds = _kinds(before, text, session)
    if kinds == ["files"]:
        return _files(text)
    # What a term or a list has in front of the name stays: 2/T, n-T.
    head = "" if kinds == ["topics"] else text[: len(text) - len(_last_name(text))]
    tail = text[len(head) :]
    offered = {word for kind in kinds for word in _OFFERED[kind](session) if word.startswith(tail)}
    return [head + word for word in sorted(offered, key=lambda word: (word.casefold(), word))]


def _last_name(text: str) -> str:
    found = _NAME.search(text)
    return found[0] if found else ""


def _kinds(before: str, text: str, session: Session) -> list[str]:
    """What may stand at this place."""
    quoted, ended = typed.scanned(before)
    if quoted:
        return ["formula"]
    command = before[_last_end(before) :] if not ended else ""
    chunks = typed.significant(command, session.namespace.macros).split()
    if not chunks:
        return ["formula"] if text[:1] in "$?#." and text else ["commands", "formula"] if text else ["commands"]
    if typed.is_formula(command + text, session.namespace.macros):
        return ["formula"]
    places = _ARGUMENTS.get(chunks[0], ("",))
    # A word that is being typed directly behind a bracket is no new argument.
    place = len(chunks) - (0 if command[-1:].isspace() else 1)
    return [kind for kind in places[min(max(place, 1), len(places)) - 1].split() if kind]


def _last_end(before: str) -> int:
    """Where the command begins that the end of this text belongs to."""
    begin = 0
    for place, character in enumerate(before):
        if character in ";:" and typed.scanned(before[: place + 1])[1]:
            begin = place + 1
    return begin


# -- what there is, each with what follows it ----------------------------------------------------------


def _commands(session: Session) -> Iterable[str]:
    return (word if word in typed.ALONE else f"{word} " for word in WORDS if not word.startswith("["))


def _formula(session: Session) -> Iterable[str]:
    yield from (f"${name}(" for name in session.namespace.definitions)
    yield from (f"#{name}(" for name in session.namespace.macros)
    yield from (f"?{name} " for name in systems(session))
    for name in words(session):
        yield f"{name}["
        yield f".{name}["


def _automata(session: Session) -> Iterable[str]:
    yield from (f"${name} " for name in session.namespace.definitions)
    yield from (f"{name} " for name in words(session))


def words(session: Session) -> list[str]:
    """Names of words, those of the library among them."""
    return list(session.namespace.library_words.overridden_by(session.namespace.words))


def systems(session: Session) -> list[str]:
    """Names of numeration systems: those of the session, and usual ones."""
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
    "words": lambda session: (f"{name} " for name in words(session)),
    "letters": lambda session: (f"{name}[" for name in words(session)),
    "systems": lambda session: (f"{name} " for name in systems(session)),
    "morphisms": lambda session: (f"{name} " for name in session.namespace.morphisms),
    "transducers": lambda session: (f"{name} " for name in session.namespace.transducers),
    "formats": lambda session: ("BA", "GV", "TXT"),
    "topics": lambda session: (*WORDS, *TOPICS, *words(session)),
})


def _files(text: str) -> list[str]:
    """Files and folders that begin like this; hidden ones only if the dot is there."""
    folder, start = os.path.split(text)
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as found:
            entries = [(entry.name, entry.is_dir()) for entry in found]
    except OSError:
        return []
    names = (
        os.path.join(folder, name) + ("/" if is_folder else "")
        for name, is_folder in entries
        if name.startswith(start) and (start or not name.startswith("."))
    )
    return sorted(names)
