"""The names of a session in Walnut's folders: lazy mappings that read values from files and write new ones.

An automaton goes to Result/ as a drawing and as a text, and then to the library of its type, from
which its name is read again.  Each file is written in one step (`fibprover.base.files`). Only the files of
libraries are flushed to the disk, since those of Result/ can be made again.  Links are not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from fibprover.automata.dfa import Dfa, TrackOfSystem
from fibprover.automata.digit_order import from_reading_order, to_reading_order
from fibprover.automata.formats.dot import to_dot
from fibprover.automata.operations import where
from fibprover.automata.prefixes import has_limit, is_parametric
from fibprover.base import folders as places
from fibprover.base.errors import BudgetSpent, FibproverError, FileProblem, FormatError
from fibprover.base.folders import Folders, LazyFileMapping, read_script
from fibprover.base.limits import Budget
from fibprover.base.names import WORD_PREDICATES
from fibprover.language.tree import Formula
from fibprover.learn.standard import WordPredicate
from fibprover.numeration.system import NumerationSystem, lexicographic_order
from fibprover.prover.environment import Definition, sort_of
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.words.automatic import AutomaticWord, automatic_word
from fibprover.words.morphism import Morphism
from fibprover.words.transducers import Transducer
from fibprover.workspace.walnut import (
    Base,
    automaton_pieces,
    base_files,
    morphism_text,
    read_automaton,
    read_morphism,
    read_transducer,
    transducer_text,
)

T = TypeVar("T")

#: The most states that are drawn: a larger graph takes longer than everything else and shows nothing.
MOST_DRAWN = 2_000


def definitions(
    own: Mapping[str, Definition], folders: Folders, system: Callable[[str], NumerationSystem],
    budget: Callable[[], Budget],
) -> LazyFileMapping[Definition]:
    """Map names to predicates: the raw languages of the files, restricted and closed whenever they are called.

    Those over a family are checked to have a limit.
    """

    def read(name: str) -> Definition | None:
        path = folders.find(places.AUTOMATA, name)
        if path is None:
            return None
        with errors_in_file(path):
            read = read_automaton(path, lambda named: system(named).track("x"), budget=budget())
            automaton = from_reading_order(read, budget())
            _check_limit(automaton, system, budget(), path)
        return Definition(name, automaton, str(path), raw=True)

    def write(name: str, meaning: Definition) -> None:
        _write(folders, places.AUTOMATA, name, to_reading_order(meaning.automaton, budget()), word=False)

    return _in_files(folders, places.AUTOMATA, own, read, write)


def words(
    own: Mapping[str, AutomaticWord], folders: Folders, system: Callable[[str], NumerationSystem],
    budget: Callable[[], Budget], changing: Callable[[Path, Dfa], None] = lambda file, machine: None,
) -> LazyFileMapping[AutomaticWord]:
    """Map names to words, stored as automata with output.

    changing: is called with the file and the machine of each word that depends on leading zeros; the word skips them.
    """

    def read(name: str) -> AutomaticWord | None:
        path = folders.find(places.WORDS, name)
        if path is None:
            return None
        with errors_in_file(path):
            read = read_automaton(path, lambda named: system(named).track("x"), budget=budget(), word=True)
            machine = from_reading_order(read, budget(), word=True)
            for letter in set(machine.outputs) if is_parametric(machine) else ():
                _check_limit(where(machine, letter.__eq__, budget()), system, budget(), path)
            return automatic_word(name, machine, budget(), partial(changing, path)).with_systems(system)

    def write(name: str, meaning: AutomaticWord) -> None:
        _write(folders, places.WORDS, name, to_reading_order(meaning.machine, budget(), word=True), word=True)

    return _in_files(folders, places.WORDS, own, read, write)


def _check_limit(
    automaton: Dfa, system: Callable[[str], NumerationSystem], budget: Budget, path: Path
) -> None:
    """Raise FormatError for a language over a family whose relation has no limit."""
    if not is_parametric(automaton):
        return
    sorts = {track.name: sort_of(track) for track in automaton.tracks}
    if not has_limit(Atoms(system, sorts, budget).relation(automaton, automaton.names), budget):
        raise FormatError(
            "longer and longer beginnings of some parameter do not agree in the end", str(path), 1,
            hint="docs/decisions/0061 says what an automaton over a family means",
        )


def morphisms(own: Mapping[str, Morphism], folders: Folders) -> LazyFileMapping[Morphism]:
    """Map names to morphisms, stored as rules."""

    def read(name: str) -> Morphism | None:
        path = folders.find(places.MORPHISMS, name)
        return None if path is None else read_morphism(path, name)

    def write(name: str, meaning: Morphism) -> None:
        for library in (places.RESULT, places.MORPHISMS) if folders.written else ():
            folders.write(library, name, morphism_text(meaning))

    return _in_files(folders, places.MORPHISMS, own, read, write)


def transducers(own: Mapping[str, Transducer], folders: Folders) -> LazyFileMapping[Transducer]:
    """Map names to transducers, stored as transitions; no command makes one, but Python may."""

    def read(name: str) -> Transducer | None:
        path = folders.find(places.TRANSDUCERS, name)
        return None if path is None else read_transducer(path, name)

    def write(name: str, meaning: Transducer) -> None:
        if folders.written:
            folders.write(places.TRANSDUCERS, name, transducer_text(meaning))

    return _in_files(folders, places.TRANSDUCERS, own, read, write)


def macros(own: Mapping[str, str], folders: Folders) -> LazyFileMapping[str]:
    """Map names to macros, stored as texts."""

    def read(name: str) -> str | None:
        path = folders.find(places.MACROS, name)
        return None if path is None else read_script(str(path), pipe=False).strip()

    def write(name: str, meaning: str) -> None:
        if folders.written:
            folders.write(places.MACROS, name, meaning)

    return _in_files(folders, places.MACROS, own, read, write)


def _in_files(
    folders: Folders, library: str, own: Mapping[str, T], read: Callable[[str], T | None],
    write: Callable[[str, T], None],
) -> LazyFileMapping[T]:
    """Return the mapping of the names in a library."""
    return LazyFileMapping(
        own, read, write, lambda: folders.names(library), lambda name: folders.elsewhere(library, name)
    )


def write_system(folders: Folders, system: NumerationSystem) -> None:
    """Write a numeration system as a custom base, with its order if that is not the lexicographic one."""
    if not folders.written:
        return
    less = None if system.less() == lexicographic_order(system) else system.less()
    base = Base(system.msd_first.name, system.valid, system.linear((1, 1, -1), "=", 0), less)
    for name, automaton in base_files(base):
        folders.write_pieces(places.BASES, name, automaton_pieces(automaton))


def _write(folders: Folders, library: str, name: str, automaton: Dfa, *, word: bool) -> None:
    """Write the drawing and the text to Result/, and the text to the library from which the name is read again."""
    if not folders.written:
        return
    if automaton.states <= MOST_DRAWN:
        drawing = to_dot(automaton, name, word=word, limit=MOST_DRAWN)
        folders.write(places.RESULT, name, drawing, ending=".gv", durable=False)
    else:
        folders.remove(places.RESULT, name, ".gv")
    folders.write_pieces(places.RESULT, name, automaton_pieces(automaton), durable=False)
    folders.write_pieces(library, name, automaton_pieces(automaton))


# -- predicates of words -----------------------------------------------------------------------

def write_word_predicate(folders: Folders, made: WordPredicate, budget: Budget) -> None:
    """Write a predicate of a word to Result/, and not to a library, where it would outlive its word."""
    _write_result(folders, made.name, made.relation.automaton, budget)


def read_word_predicate(
    folders: Folders, kind: str, word: str, track: TrackOfSystem, budget: Budget
) -> Dfa | None:
    """Return the automaton in the file of a predicate of a word, None if there is none, or another kind of file.

    The file is not trusted: the caller has to prove that the automaton is the predicate.
    """
    return _automaton_in(folders.place(places.RESULT, f"{kind}_{word}"), track, WORD_PREDICATES[kind], budget)


# -- relations that were learned ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LearnedFiles:
    """The relations of bounded quantifiers in Result/, where sessions have learned them, one file each.

    A file has its name from the text of the formula, with the system in which it is read.  What the text means now, and
    what is in the file, are not trusted: the caller has to prove the relation.
    """

    folders: Folders
    default_system: str
    track: TrackOfSystem
    budget: Callable[[], Budget]

    def read(self, formula: Formula, names: Sequence[str]) -> Dfa | None:
        """Return the automaton in the file of a formula, None if there is none, or another kind of file."""
        place = self.folders.place(places.RESULT, self._name(formula))
        return _automaton_in(place, self.track, names, self.budget())

    def write(self, formula: Formula, relation: Dfa) -> None:
        """Write the file of a formula."""
        _write_result(self.folders, self._name(formula), relation, self.budget())

    def _name(self, formula: Formula) -> str:
        said = f"?{self.default_system} {formula}"
        return f"learned_{sha256(said.encode()).hexdigest()[:16]}"


def _automaton_in(place: Path, track: TrackOfSystem, names: Sequence[str], budget: Budget) -> Dfa | None:
    """Return the automaton in a file, None if there is none, or another kind of file."""
    if not place.is_file():
        return None
    try:
        return from_reading_order(read_automaton(place, track, names, budget), budget)
    except BudgetSpent:
        raise
    except FibproverError:
        return None


def _write_result(folders: Folders, name: str, automaton: Dfa, budget: Budget) -> None:
    """Write an automaton to Result/ alone.

    It does not go to a library, as it is not what a user has named.  Where something else than a file is in its place,
    such as a folder, it is not kept: it can be made again.
    """
    place = folders.place(places.RESULT, name)
    if folders.written and (place.is_file() or not place.exists()):
        pieces = automaton_pieces(to_reading_order(automaton, budget))
        folders.write_pieces(places.RESULT, name, pieces, durable=False)


@contextmanager
def errors_in_file(path: Path) -> Iterator[None]:
    """Turn an error into a FormatError that names the file, while its content is used."""
    try:
        yield
    except (FormatError, FileProblem, BudgetSpent):
        raise
    except FibproverError as error:
        raise FormatError(error.message, str(path), hint=error.hint) from error

