"""What one step of a chapter makes known: definitions, words, ..., and how they get to another process."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

from fibprover.plan.environment import Definition
from fibprover.session import Session
from fibprover.words.automatic import AutomaticWord
from fibprover.words.morphism import Morphism
from fibprover.words.transducers import Transducer

T = TypeVar("T")

#: Automata of more bytes stay in the process that made them: they would be held three times over.
MOST_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class SessionDelta:
    """Names with what they mean."""

    definitions: Mapping[str, Definition] = field(default_factory=dict)
    words: Mapping[str, AutomaticWord] = field(default_factory=dict)
    macros: Mapping[str, str] = field(default_factory=dict)
    morphisms: Mapping[str, Morphism] = field(default_factory=dict)
    transducers: Mapping[str, Transducer] = field(default_factory=dict)

    def since(self, before: SessionDelta) -> SessionDelta:
        """The names that are new, or mean something else than before."""
        return SessionDelta(
            _changed(before.definitions, self.definitions),
            _changed(before.words, self.words),
            _changed(before.macros, self.macros),
            _changed(before.morphisms, self.morphisms),
            _changed(before.transducers, self.transducers),
        )

    def packed(self) -> bytes | None:
        """The names as bytes for `unpacked`; None if they are too large to be sent around."""
        automata = [definition.automaton for definition in self.definitions.values()]
        automata += [word.machine for word in self.words.values()]
        if sum(automaton.nbytes for automaton in automata) > MOST_BYTES:
            return None
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)


#: No names, packed.
NOTHING = pickle.dumps(SessionDelta(), pickle.HIGHEST_PROTOCOL)


def unpacked(packed: bytes) -> SessionDelta:
    """The names that `packed` made bytes of, in a process of the same run."""
    return cast(SessionDelta, pickle.loads(packed))


def set_names(session: Session, parts: Iterable[SessionDelta]) -> SessionDelta:
    """Gives a session these names and no others, later parts before earlier ones; returns them as one."""
    namespace = session.namespace
    namespace.definitions, namespace.words, namespace.macros = {}, {}, {}
    namespace.morphisms, namespace.transducers = {}, {}
    for names in parts:
        namespace.definitions.update(names.definitions)
        namespace.words.update(names.words)
        namespace.macros.update(names.macros)
        namespace.morphisms.update(names.morphisms)
        namespace.transducers.update(names.transducers)
    return names_of(session)


def names_of(session: Session) -> SessionDelta:
    """The names of a session at this moment."""
    namespace = session.namespace
    return SessionDelta(
        dict(namespace.definitions), dict(namespace.words), dict(namespace.macros), dict(namespace.morphisms),
        dict(namespace.transducers),
    )


def _changed(before: Mapping[str, object], after: Mapping[str, T]) -> dict[str, T]:
    return {name: meant for name, meant in after.items() if before.get(name) is not meant}
