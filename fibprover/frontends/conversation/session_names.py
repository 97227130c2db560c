"""`list` and `show` at the prompt: the names that a session has defined, and one of them in detail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import to_reading_order
from fibprover.automata.listing import letters_text
from fibprover.base.errors import UnknownName, did_you_mean
from fibprover.base.folders import LazyFileMapping
from fibprover.base.wording import plural
from fibprover.frontends.display.text import relation_text
from fibprover.words.catalogue import ENTRIES
from fibprover.workspace.session import Session

T = TypeVar("T")

_WIDTH = 100

#: An automaton is listed state by state if it has no more states and transitions than these.
MOST_STATES, MOST_TRANSITIONS = 16, 64

#: How many tuples of a predicate, and letters of a word, are shown.
_FIRST_TUPLES, _FIRST_LETTERS = 10, 60


def names_text(session: Session) -> str:
    """Return what a session has defined, with systems and states, then the names of files and those of the library."""
    names = session.namespace
    rows = {
        "predicates": [(f"${name}", size_text(made.automaton)) for name, made in _own(names.definitions).items()],
        "words": [(name, size_text(word.machine)) for name, word in _own(names.words).items()],
        "macros": [(f"#{name}", f'"{text}"') for name, text in _own(names.macros).items()],
        "systems": [(f"?{name}", plural(system.valid.states, "state")) for name, system in names.systems.items()],
        "morphisms": [(name, str(morphism)) for name, morphism in _own(names.morphisms).items()],
        "transducers": [(name, "") for name in _own(names.transducers)],
    }
    lines = [line for kind, found in rows.items() for line in _table(kind, sorted(found))]
    tables: tuple[tuple[str, Mapping[str, object]], ...] = (
        ("$", names.definitions), ("", names.words), ("#", names.macros), ("", names.morphisms),
        ("", names.transducers),
    )
    in_files = [mark + name for mark, table in tables for name in _in_files(table)]
    others = {"in files": in_files, "library": list(ENTRIES)}
    for kind, found in others.items():
        if found:
            lines += filled(f"{kind:<12}", found)
    return "\n".join([*lines, "show NAME says more; save FILE keeps the session as a script; help lists the commands"])


def show_text(session: Session, name: str) -> str:
    """Return a name's definition, size, first elements and, where it is small, its automaton.

    Raises UnknownName if the session does not know the name.
    """
    names = session.namespace
    bare = name.lstrip("$#?.")
    words = names.library_words.overridden_by(names.words)
    if bare in names.predicates and name[:1] in (bare[:1], "$"):
        definition = names.predicates[bare]
        relation = names.relation_of(definition)
        head = f"${bare}({', '.join(relation.names)}): {definition.source}".removesuffix(": ")
        language = to_reading_order(definition.automaton, names.budget())
        return "\n".join([head, relation_text(relation, _FIRST_TUPLES), *_listing(language)])
    if bare in words and name[:1] in (bare[:1], "."):
        word = words[bare]
        machine = to_reading_order(word.machine, names.budget(), word=True)
        text = str(word) if len(word.tracks) == 1 else size_text(word.machine)
        return "\n".join([f"{bare}: {text}", *_listing(machine)])
    if bare in names.macros:
        return f'#{bare}: "{names.macros[bare]}"'
    if bare in names.morphisms:
        return f"{bare}: {names.morphisms[bare]}"
    if bare.startswith(("msd_", "lsd_")) or bare in names.systems:
        return names.system(bare).describe()
    known = [*names.definitions, *words, *names.macros, *names.morphisms, *names.systems]
    hint = did_you_mean(bare, known, "`list` shows all names")
    raise UnknownName(f"unknown name {bare}", name, 0, len(name), hint=hint)


def size_text(a: Dfa) -> str:
    """Return the systems or alphabets of the tracks, and the number of states."""
    tracks = ", ".join(track.system or "{" + ",".join(map(str, track.digits)) + "}" for track in a.tracks)
    return f"{tracks or 'a truth value'}; {plural(a.states, 'state')}"


def _listing(a: Dfa) -> list[str]:
    """Return a line for each state of an automaton in reading order: output, then letters and targets."""
    if a.states > MOST_STATES or a.transitions > MOST_TRANSITIONS:
        return [f"  {plural(a.states, 'state')}, {plural(a.transitions, 'transition')}: `fibprover draw` draws them"]
    lines = []
    for state in range(a.states):
        targets: dict[int, list[str]] = {}
        for code, target in a.row(state):
            targets.setdefault(target, []).append(letters_text((a.letter(code),)))
        moves = "  ".join(f"{','.join(letters)} -> {target}" for target, letters in targets.items())
        lines.append(f"  {state}/{a.outputs[state]}:  {moves}".rstrip())
    return ["  state/output: letters -> next state", *lines]


def _own(table: Mapping[str, T]) -> dict[str, T]:
    """Return what was defined, without what is only in files."""
    return table.own if isinstance(table, LazyFileMapping) else dict(table)


def _in_files(table: Mapping[str, object]) -> list[str]:
    """Return the names that are only in files, sorted."""
    return sorted(set(table) - set(_own(table)))


def _table(kind: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return one line for each name, the kind before the first."""
    width = max((len(name) for name, _ in rows), default=0)
    return [
        f"{kind if not number else '':<12}{name:<{width}}  {text}"[: 2 * _WIDTH].rstrip()
        for number, (name, text) in enumerate(rows)
    ]


def filled(head: str, words: Sequence[str]) -> list[str]:
    """Return words after a head, in lines of limited width."""
    lines = [head]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > _WIDTH:
            lines.append(" " * len(head))
        lines[-1] += f"{word} "
    return [line.rstrip() for line in lines]
