"""The word of a sheet: a word of the library, the fixed point of a morphism, a file, or a value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fibprover.errors import FibproverError
from fibprover.learn.standard import has_predicates, no_predicates
from fibprover.limits import Limits
from fibprover.names import NAME
from fibprover.session import Session
from fibprover.words.automatic import AutomaticWord

#: The name of a word that has none: the one that Session.dumont_thomas gives the word of the system msd_w.
UNNAMED = "W"


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A word in a session of its own; system: that of its indices; given: what it was made from."""

    session: Session
    word: AutomaticWord
    system: str
    given: str


def subject(given: str | AutomaticWord, limits: Limits | None = None) -> Subject:
    """Return the word that is given by its name, a morphism such as "0->01, 1->0", a file, or itself.

    A file is a word automaton of Walnut (.txt) or a list of words (.json) with one word.  A morphism that is not
    uniform has its word over its Dumont-Thomas system.  FibproverError for a word with several indices, and for a
    text that is none of these.
    """
    session = Session(limits=limits)
    if isinstance(given, AutomaticWord):
        word, said = session.namespace.add_word(given.name, given.machine), given.name
    else:
        word, said = _named(session, given), given
    if not has_predicates(word):
        raise FibproverError(no_predicates(word), hint="a sheet is about a word with one index")
    return Subject(session, word, session.namespace.index_system(word.name, word.machine).name, said)


def _named(session: Session, given: str) -> AutomaticWord:
    if "->" in given:
        return _fixed_point(session, given)
    file = Path(given)
    if file.suffix == ".json":
        found = list(session.load_words(file).values())
        if len(found) != 1:
            raise FibproverError(f"{given} has {len(found)} words", hint="give a file with one word")
        return found[0]
    if file.suffix == ".txt":
        return session.namespace.load_word(file, file.stem if NAME.fullmatch(file.stem) else UNNAMED)
    names = session.namespace
    names.machine(given)  # an error names similar words
    return names.library_words[given]


def _fixed_point(session: Session, rules: str) -> AutomaticWord:
    """Return the fixed point of a morphism: from 0 if it is uniform, else from the letter of its first rule."""
    morphism = session.morphism("m", rules.replace(",", " "))
    lengths = {len(image) for image in morphism.images.values()}
    if len(lengths) == 1 and lengths != {1}:
        return session.promote(UNNAMED, "m")
    session.dumont_thomas(UNNAMED.lower(), rules)
    return session.namespace.words[UNNAMED]
