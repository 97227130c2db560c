"""What names mean in a session: predicates, words, morphisms, transducers, macros and numeration systems.

A `Namespace` maps names to values. Values are added ready-made (`add_word`, `add_system`, `define_language`), from
files (`load_...`) or from data (`infer_word`, `define_morphic_word`); commands
(`fibprover.workspace.commands`) make new values from old ones.
"""

from __future__ import annotations

import warnings
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import from_reading_order, to_reading_order
from fibprover.base.errors import (
    BudgetSpent,
    FibproverError,
    NotSupported,
    SyntaxProblem,
    UnknownName,
    check_text,
    did_you_mean,
    most_similar,
)
from fibprover.base.folders import LazyFileMapping, elsewhere, snapshot
from fibprover.base.limits import Budget, Limits, spending
from fibprover.base.names import NAME, full_name, is_family, is_parameter, system_name
from fibprover.learn.standard import RECURSIONS, WordPredicate, WordPredicates, predicate_of
from fibprover.numeration.registry import A_NAME, DEFAULT_SYSTEM, RECURRENCES, UnknownSystemError, system_named
from fibprover.numeration.system import NumerationSystem, identified, lsd_system
from fibprover.prover.environment import Definition, Environment, missing_predicate_hint, missing_word_hint
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.slopes import FamilyRelation
from fibprover.words.automatic import AutomaticWord, automatic_word
from fibprover.words.catalogue import LibraryWords, unknown_word_hint
from fibprover.words.letter_comparison import LetterComparison

if TYPE_CHECKING:
    from fibprover.base.folders import Folders
    from fibprover.infer.words import InferredWord
    from fibprover.sequences.series import Series
    from fibprover.words.morphism import Morphism
    from fibprover.words.transducers import Transducer
    from fibprover.workspace.storage import LearnedFiles

# Files, morphisms and operations are imported where they are used: `fibprover eval` must start within 0.2 s and
# needs none of them.

T = TypeVar("T")


def _check_slope(tracks: Sequence[Track], source: str) -> None:
    """Check that a word or predicate, which a command takes, is not over a family.  Raises NotSupported."""
    if any(is_parameter(track.system) for track in tracks):
        raise NotSupported(
            f"{source} is over a family, and only formulas take such words and predicates", source, 0, len(source),
            hint='take what it is at one slope, as in session["name"].at("[0; 2, (1)]"), or at one sequence of choices',
        )


def python_warning(text: str) -> None:
    """Warn as Python does, once for each text."""
    warnings.warn(text, UserWarning, stacklevel=2)


class Namespace:
    """Definitions, words, morphisms, transducers, macros and numeration systems by name.

    system: the default numeration system, as an object or by name; `?name` in a formula overrides it.  Without it the
    default is msd_2, and a variable that is used only as a word over a plain alphabet is a word, not a number.  limits:
    returns the limits of the next computation.  shared_digits: whether an argument or index in another system than its
    predicate or word requires is read by its digits where that system has the same ones (`fibprover.prover.lower`).
    """

    def __init__(
        self, system: str | NumerationSystem | None = None, limits: Callable[[], Limits] = Limits, *,
        shared_digits: bool = False,
    ) -> None:
        self.limits = limits
        self.definitions: MutableMapping[str, Definition] = {}
        self.words: MutableMapping[str, AutomaticWord] = {}
        #: The counts of `eval NAME n "..."`.
        self.sequences: dict[str, Series] = {}
        self.library_words = LibraryWords(self.track)
        self.morphisms: MutableMapping[str, Morphism] = {}
        self.transducers: MutableMapping[str, Transducer] = {}
        self.macros: MutableMapping[str, str] = {}
        #: The predicates of words that were used, each with the automaton of its word, which may be defined anew.
        self._made_predicates: dict[tuple[str, object], tuple[LetterComparison, WordPredicate]] = {}
        self.systems: dict[str, NumerationSystem] = {}
        self.folders: Folders | None = None
        #: The folder in which `export` writes its files.
        self.folder = Path()
        #: Systems that were looked up after `use_folders`.
        self._systems_seen: dict[str, NumerationSystem] = {}
        self.default_system = self.chosen_system(system or DEFAULT_SYSTEM).name
        self.system_chosen = system is not None
        self.shared_digits = shared_digits
        #: Is called with a warning about what a file says, which its author may not have meant.
        self.warn: Callable[[str], None] = python_warning

    def chosen_system(self, system: str | NumerationSystem) -> NumerationSystem:
        """Return the system that is given, or that has the name that is given."""
        return self.add_system(system) if isinstance(system, NumerationSystem) else self.system(system)

    def __repr__(self) -> str:
        tables = ("definitions", "words", "morphisms", "transducers", "macros", "systems")
        held = [f"{len(getattr(self, table))} {table}" for table in tables if len(getattr(self, table))]
        return f"Namespace({self.default_system}; {', '.join(held) or 'empty'})"

    def environment(self) -> Environment:
        """Return what names mean now, for one formula; later changes do not affect it."""
        words = self.library_words.overridden_by(snapshot(self.words))
        own, of_words = snapshot(self.definitions), self._predicates_of(words)
        definitions: ChainMap[str, Definition] = ChainMap(own, of_words)  # type: ignore[arg-type]  # it is only read
        return Environment(
            self.system, self.default_system, definitions, words, snapshot(self.macros), self.system_chosen,
            self.shared_digits, of_words, self._learned_files(),
        )

    def _learned_files(self) -> LearnedFiles | None:
        """Return the relations that were learned by sessions of this folder."""
        if self.folders is None:
            return None
        from fibprover.workspace.storage import LearnedFiles

        return LearnedFiles(self.folders, self.default_system, self.track, self.budget)

    @property
    def predicates(self) -> Mapping[str, Definition]:
        """All predicates: those that are defined, which hide others of the same names, and those of words."""
        return ChainMap(self.definitions, self.word_predicates)  # type: ignore[arg-type]  # it is only read

    @property
    def word_predicates(self) -> WordPredicates:
        """The predicates of words, each made when it is looked up."""
        return self._predicates_of(self.library_words.overridden_by(self.words))

    def _predicates_of(self, words: Mapping[str, AutomaticWord]) -> WordPredicates:
        made = (each.name for letters, each in self._made_predicates.values() if letters.is_plain)
        return WordPredicates(words, self._word_predicate, self._known_predicate, made)

    def _known_predicate(self, kind: str, letters: LetterComparison) -> WordPredicate | None:
        """Return a predicate of words from an earlier use; None where it was not used."""
        known = self._made_predicates.get((kind, letters.key))
        return known[1] if known is not None and known[0].meaning == letters.meaning else None

    def _word_predicate(self, kind: str, letters: LetterComparison) -> WordPredicate:
        """Return a predicate of words: that of an earlier use, or one that is made now and kept."""
        known = self._known_predicate(kind, letters)
        if known is None:
            known = self._made_or_read(kind, letters.with_systems(self.system))
            self._made_predicates[kind, letters.key] = letters, known
        return known

    def _made_or_read(self, kind: str, letters: LetterComparison) -> WordPredicate:
        """Return a predicate of words, from the folder of the session if what is kept there is proved; write it."""
        equality = None if kind in RECURSIONS else self._word_predicate("feq", letters)
        # One over a family is built: what a file has cannot be proved by a recursion.
        recursive = kind in RECURSIONS and not is_family(letters.left.indices[0].system)
        candidate: Dfa | None = None
        if self.folders is not None and recursive:
            from fibprover.workspace.storage import read_word_predicate

            candidate = read_word_predicate(self.folders, kind, letters.name, self.track, self.budget())
        made = predicate_of(kind, letters, self.limits(), equality, candidate)
        if self.folders is not None and (candidate is None or made.relation.automaton != candidate):
            from fibprover.workspace.storage import write_word_predicate

            write_word_predicate(self.folders, made, self.budget())
        return made

    def use_folders(self, home: str | Path, session: str | Path | None = None, *, written: bool = True) -> None:
        """Look names up in Walnut's folders as well from now on, and write new values to them.

        home: a folder that is read. session: a folder that is read first and written to; it is created if it does not
        exist, and it is `home` unless given. written: if False, neither folder is changed.
        Names that exist already hide those of files. Raises FileProblem if the folders cannot be used.
        """
        from fibprover.base.folders import Folders

        folders = Folders(Path(home), Path(home if session is None else session), written)
        folders.prepare()
        self.folders = folders
        self._look_up_in(folders)
        if written:
            self.folder = folders.result

    def _look_up_in(self, folders: Folders) -> None:
        """Let the tables of names read values from folders and write them there."""
        from fibprover.workspace import storage

        self.definitions = storage.definitions(self.definitions, folders, self.system, self.budget)
        self.words = storage.words(self.words, folders, self.system, self.budget, self.warn_of_zeros)
        self.morphisms = storage.morphisms(self.morphisms, folders)
        self.transducers = storage.transducers(self.transducers, folders)
        self.macros = storage.macros(self.macros, folders)

    def __getstate__(self) -> dict[str, Any]:
        """Return the namespace as plain data; names in folders are looked up again by the copy."""
        return {
            name: found.own if isinstance(found, LazyFileMapping) else found for name, found in self.__dict__.items()
        } | {"warn": python_warning}  # the other one may be a terminal

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.folders is not None:
            self._look_up_in(self.folders)

    def budget(self) -> Budget:
        """Start a budget with the limits of the session."""
        return self.limits().start()

    # -- looking names up ------------------------------------------------------------------

    def check_name(self, name: str) -> None:
        """Raise SyntaxProblem unless `name` may be the name of a predicate, a word and so on."""
        if not isinstance(name, str):
            raise FibproverError(f"a name must be a text, not {name!r}")
        if not NAME.fullmatch(name):
            hint = "a name is a letter, then letters, digits or _"
            raise SyntaxProblem("this is not a name", name, 0, len(name), hint=hint)

    def names(self) -> list[str]:
        """Return all names that `meaning` takes without a mark, predicates of words aside."""
        tables: tuple[Mapping[str, object], ...] = (
            self.words, self.definitions, self.sequences, self.morphisms, self.transducers, self.macros,
            self.library_words, self.systems,
        )
        systems = ["msd_2", "msd_3", "msd_10", *(full_name(name) for name in RECURRENCES)]
        return list(dict.fromkeys([*(name for table in tables for name in table), *systems]))

    def meaning(self, name: str) -> object:
        """Return what a name means: a word, a relation, a sequence, a morphism, a transducer, a macro or a system.

        The marks of formulas choose a kind: `$P` is a predicate, `?msd_fib` a numeration system and `#m` a macro.
        Without a mark, what this namespace defines comes before the library: a word, a sequence of counts, a
        predicate, a morphism, a transducer, a macro; then a word of the library, a predicate of a word, and a system.

        Parameters:

        - name: with a mark or without

        Returns: an AutomaticWord, Relation, Series, Morphism, Transducer, text of a macro, or NumerationSystem.

        Errors: UnknownName, with the most similar name, for a name without meaning.

        >>> names = fp.Session("msd_fib").namespace
        >>> names.meaning("T")[:6], names.meaning("msd_fib").name
        ([0, 1, 1, 0, 1, 0], 'msd_fib')
        """
        check_text(name, "a name")
        if name.startswith("$"):
            return self.relation_of(self.stored_predicate(name))
        if name.startswith("?"):
            return self.system(name[1:])
        if name.startswith("#"):
            return _found("macro", self.macros, name[1:])
        own: tuple[Mapping[str, object], ...] = (
            self.words, self.sequences, self.definitions, self.morphisms, self.transducers, self.macros,
            self.library_words, self.word_predicates,
        )
        for table in own:
            found = table.get(name)
            if found is not None:
                return self.relation_of(found) if isinstance(found, Definition) else found
        try:
            return self.system(name)
        except UnknownSystemError as problem:
            near = most_similar(name, self.names())
            hint = f"did you mean {near}?" if near else unknown_word_hint(name, self.words)
            # The name of a system that is nearly right, such as msd_fibb, has a hint of its own.
            hint = problem.hint if name.startswith(("msd_", "lsd_")) else hint
        raise UnknownName(f"{name} means nothing here", name, 0, len(name), hint=hint)

    def predicate(self, source: str) -> Definition:
        """Return the predicate of this name, with or without `$` in front; raises UnknownName if it does not exist.

        Raises NotSupported for a predicate over a family, which only formulas take.
        """
        found = self.stored_predicate(source)
        _check_slope(found.automaton.tracks, source)
        return found

    def stored_predicate(self, source: str) -> Definition:
        """Return the predicate of this name, which may be over a family; see `predicate`."""
        check_text(source, "the name of a predicate", hint="define gives a relation a name")
        bare = source.removeprefix("$")
        return _found(
            "predicate", self.predicates, source,
            lambda: missing_predicate_hint(bare, self.predicates, self.library_words.overridden_by(self.words)),
        )

    def morphism(self, name: str) -> Morphism:
        """Return the morphism of this name; raises UnknownName if it does not exist."""
        return _found("morphism", self.morphisms, name)

    def transducer(self, name: str) -> Transducer:
        """Return the transducer of this name; raises UnknownName if it does not exist."""
        return _found("transducer", self.transducers, name)

    def language(self, source: str) -> Dfa:
        """Return the automaton of a predicate, in the digit order of its systems."""
        return to_reading_order(self.predicate(source).automaton, self.budget())

    def machine(self, source: str) -> Dfa:
        """Return the automaton with output of a word as it is stored (`fibprover.automata.digit_order`).

        That of a predicate `$name` has output 1 where the predicate holds, and 0 elsewhere.
        """
        from fibprover.automata.outputs import completed

        check_text(source, "the name of a word", hint="add_word gives an automaton a name")
        if not source.startswith("$"):
            found = self.stored_word(source)
            _check_slope(found.tracks, source)
            return found.machine
        return completed(self.relation_of(self.predicate(source)).automaton, 0, self.budget())

    def stored_word(self, source: str) -> AutomaticWord:
        """Return the word of this name, which may be over a family; raises UnknownName if it does not exist."""
        words = self.library_words.overridden_by(self.words)
        return _found("word", words, source, lambda: missing_word_hint(source, self.definitions, words))

    def relation_of(self, definition: Definition) -> Relation:
        """Return the relation of a definition: its language, or the numbers that a raw language represents."""
        automaton = definition.automaton
        if definition.raw:
            names = automaton.names
            sorts = dict(zip(names, definition.sorts, strict=True))
            automaton = Atoms(self.system, sorts, self.budget()).relation(automaton, names)
        kind = FamilyRelation if any(is_parameter(track.system) for track in automaton.tracks) else Relation
        return kind(
            automaton, self.system, definition.origin, limits=self.limits(), default_system=self.default_system
        )

    def index_system(self, source: str, machine: Dfa) -> NumerationSystem:
        """Return the system of the one index of a word; raises NotSupported for another number of indices."""
        tracks = [track for track in machine.tracks if not is_parameter(track.system)]
        if len(tracks) != 1 or not tracks[0].system:
            held = " ".join(track.system or "letters" for track in tracks) or "none"
            what = f"a word indexed by one number is needed, but {source} has {held}"
            raise NotSupported(what, source, 0, len(source))
        return self.system(tracks[0].system)

    def tracks(self, alphabets: Sequence[str | Sequence[int]]) -> list[Track]:
        """Return tracks x0, x1, ... over alphabets: numeration systems by name, or the digits of plain ones.

        A single name stands for the only track.
        """
        if isinstance(alphabets, str):
            alphabets = [alphabets]
        width = len(str(max(len(alphabets) - 1, 0)))
        tracks = []
        for number, alphabet in enumerate(alphabets):
            name = f"x{number:0{width}}"
            if isinstance(alphabet, str):
                if is_family(full_name(alphabet)):
                    raise NotSupported(
                        f"words of digits of {alphabet} are numbers beside their parameter only", alphabet, 0,
                        len(alphabet), hint="formulas over a family make its relations",
                    )
                tracks.append(self.system(alphabet).track(name))
            elif not isinstance(alphabet, Iterable):
                raise FibproverError(
                    f"an alphabet is the name of a numeration system or a list of digits, not {alphabet!r}",
                    hint='there is one for each track, as in [[0, 1]] or ["msd_fib", "msd_fib"]',
                )
            else:
                tracks.append(Track(name, tuple(sorted(alphabet))))
        return tracks

    # -- numeration systems ----------------------------------------------------------------

    def system(self, name: str) -> NumerationSystem:
        """Return the numeration system of this name: an added one, one of the folders, or a built-in one."""
        check_text(name, "the name of a numeration system", hint=A_NAME)
        full = full_name(name)
        if self.folders is None or full in self.systems:
            return self._system_without_folders(name)
        if full not in self._systems_seen:
            base = system_name(full).base
            msd = full_name(base)
            path = self.folders.base(base)
            if path is not None and msd not in self._systems_seen:
                self._systems_seen[msd] = self.load_system(path)
            if full not in self._systems_seen:
                self._systems_seen[full] = self._system_without_folders(name)
        return self._systems_seen[full]

    def _system_without_folders(self, name: str) -> NumerationSystem:
        """Return the added or built-in system of this name."""
        full = full_name(name)
        found = self.systems.get(full)
        parts = system_name(full)
        if found is None and parts.lsd_first and (base := self.systems.get(parts.reversed().full)) is not None:
            found = self.systems[full] = lsd_system(base)
        return found if found is not None else system_named(name)

    def track(self, system: str) -> Track:
        """Return a track of the numeration system with this name."""
        return self.system(system).track("x")

    def parameter(self, family: str) -> Track:
        """Return the track of the parameter of a family.  Raises UnknownSystemError for another system."""
        track = self.system(family).parameter
        if track is None:
            raise UnknownSystemError(f"{family} is not a family of systems", hint="such as msd_2_choices_2")
        return track

    def add_system(self, system: NumerationSystem) -> NumerationSystem:
        """Verify a system and make it usable as `?name`; return it with its identity, or the equal one of this name.

        Raises FibproverError if it does not verify, or if its name belongs to another system: definitions and cached
        automata refer to systems by name.
        """
        report = None if self._is_verified(system) else system.verify(self.budget())
        if report is not None and not report:
            raise FibproverError(f"the numeration system {system.name} does not verify:\n{report}")
        return self.add_verified_system(system)

    def _is_verified(self, system: NumerationSystem) -> bool:
        """Return whether a system is built in, or has been added to some session."""
        if system.identity:
            return True
        try:
            return system_named(system.name) is system
        except BudgetSpent:
            raise
        except FibproverError:
            return False

    def add_verified_system(self, system: NumerationSystem, *, write: bool = True) -> NumerationSystem:
        """Make a verified system usable, and write it to the folders; return the equal one that has its name already.

        Raises FibproverError if its name belongs to a different system.  Both digit orders are added: a system read
        least significant digit first is that of the msd system of its name.
        """
        if system.lsd_first:
            self.add_verified_system(system.msd_first, write=write)
            return self._system_without_folders(system.name)
        if write and self.folders is not None and self.folders.base(system_name(system.name).base) is not None:
            self.system(system.name)  # a different system must not overwrite the one in the folders
        try:
            known: NumerationSystem | None = (
                self._systems_seen.get(system.name) or self._system_without_folders(system.name)
            )
        except BudgetSpent:
            raise
        except FibproverError:
            known = None
        if known is system:
            return system
        system = identified(system, self.budget())
        if known is not None:
            if identified(known, self.budget()).identity == system.identity:
                return known
            raise FibproverError(
                f"another numeration system is already called {system.name}",
                hint="choose another name for this one",
            )
        if write and self.folders is not None:
            from fibprover.workspace.storage import write_system

            write_system(self.folders, system)
        self.systems[system.name] = system
        return system

    def load_system(self, path: str | Path) -> NumerationSystem:
        """Read, verify and add a base from msd_NAME.txt and msd_NAME_addition.txt (Walnut's custom bases)."""
        from fibprover.numeration.composed import given_system
        from fibprover.workspace.storage import errors_in_file
        from fibprover.workspace.walnut import read_base

        budget = self.budget()
        base = read_base(path, budget)
        with errors_in_file(Path(path)):
            system = given_system(base.name, base.valid, base.adder, base.less, budget)
            return self.add_verified_system(system, write=False)

    # -- predicates ------------------------------------------------------------------------

    def define_language(self, name: str, automaton: Dfa, source: str = "") -> Relation:
        """Define a predicate by the automaton of a language, in the digit order of its systems.

        The name stands for the raw language: calls restrict it to valid representations and close it under leading
        zeros, and so does the relation that is returned.
        """
        self.check_name(name)
        definition = Definition(name, from_reading_order(automaton, self.budget()), source, raw=True)
        relation = self.relation_of(definition)
        self.definitions[name] = definition
        return relation

    def load_predicate(self, path: str | Path, name: str | None = None) -> Relation:
        """Define a predicate by a Walnut text file, as `define_language` does; its name is the file's unless given."""
        from fibprover.workspace.walnut import read_automaton

        place = Path(path)
        self.check_name(name or place.stem)
        return self.define_language(name or place.stem, read_automaton(place, self.track), str(place))

    # -- words -----------------------------------------------------------------------------

    def add_word(
        self, name: str, machine: Dfa, changing: Callable[[Dfa], None] | None = None
    ) -> AutomaticWord:
        """Define a word by an automaton with output, in the order it is stored (`fibprover.automata.digit_order`).

        changing: see `fibprover.words.automatic.automatic_word`.
        """
        self.check_name(name)
        self.words[name] = automatic_word(name, machine, self.budget(), changing).with_systems(self.system)
        return self.words[name]

    def define_morphic_word(
        self, name: str, images: Sequence[Sequence[int]], coding: Sequence[int], system: str | None = None
    ) -> AutomaticWord:
        """Define a word as the coding of the fixed point of a morphism, indexed by representations in a system.

        images: the image of each letter 0, 1, ...; coding: the output of each letter.
        """
        from fibprover.words.morphism import from_morphism

        self.check_name(name)
        index = self.system(system or self.default_system).track("n")
        self.words[name] = from_morphism(name, images, coding, index).with_systems(self.system)
        return self.words[name]

    def infer_word(self, name: str, sequence: Sequence[int], system: str | None = None, **options: Any) -> InferredWord:
        """Define the word that a sequence begins, as far as the data tell: see `fibprover.infer.words.infer_word`."""
        from fibprover.infer.words import infer_word

        self.check_name(name)
        found = infer_word(
            sequence, self.system(system or self.default_system), name, budget=self.budget(), **options
        )
        self.words[name] = found.word.with_systems(self.system)
        return found

    def load_words(self, source: str | Path | Mapping[str, Any]) -> dict[str, AutomaticWord]:
        """Define the words of a JSON file: {name: {"morphism": ..., "coding": ..., "system": optional}}."""
        from fibprover.words.morphism import load_words

        words = load_words(source, self.track)
        for name in words:
            self.check_name(name)
        words = {name: word.with_systems(self.system) for name, word in words.items()}
        self.words.update(words)
        return words

    def load_word(self, path: str | Path, name: str | None = None) -> AutomaticWord:
        """Define a word by a Walnut text file of its automaton; its name is the file's unless given."""
        from fibprover.workspace.walnut import read_automaton

        place = Path(path)
        self.check_name(name or place.stem)
        machine = from_reading_order(read_automaton(place, self.track, word=True), self.budget(), word=True)
        return self.add_word(name or place.stem, machine, partial(self.warn_of_zeros, place))

    def warn_of_zeros(self, file: Path, machine: Dfa) -> None:
        """Warn of a letter that zeros change in the machine of a file, which the word then skips."""
        from fibprover.words.padding import changed_letter  # seldom needed

        with spending(self.budget()):
            found = changed_letter(machine, self.system)
        if found is not None:
            self.warn(f"{file}: {found}")

    # -- morphisms and transducers ---------------------------------------------------------

    def load_morphism(self, path: str | Path, name: str | None = None) -> Morphism:
        """Define a morphism by a Walnut text file; its name is the file's unless given."""
        from fibprover.workspace.walnut import read_morphism

        name = name or Path(path).stem
        self.check_name(name)
        self.morphisms[name] = read_morphism(path, name)
        return self.morphisms[name]

    def load_transducer(self, path: str | Path, name: str | None = None) -> Transducer:
        """Define a transducer by a Walnut text file; its name is the file's unless given."""
        from fibprover.workspace.walnut import read_transducer

        name = name or Path(path).stem
        self.check_name(name)
        self.transducers[name] = read_transducer(path, name)
        return self.transducers[name]


def _found(what: str, known: Mapping[str, T], name: str, hint: Callable[[], str] | None = None) -> T:
    """Return the value of a name; raises UnknownName, with the name as its text, if it has none.

    what: "predicate", "word", ..., for messages; predicates may have a `$` in front. hint: returns that of the error,
    by default the place of the name, or a similar one.
    """
    check_text(name, f"the name of a {what}")
    bare = name.removeprefix("$") if what == "predicate" else name
    found = known.get(bare)
    if found is None:
        if not NAME.fullmatch(bare):
            raise SyntaxProblem("this is not a name", name, 0, len(name), hint=f"the name of a {what} is expected")
        meant = hint(
            ) if hint is not None else elsewhere(known, bare) or did_you_mean(bare, list(known), kind=f"{what}s"
        )
        raise UnknownName(f"no {what} is called {bare}", name, 0, len(name), hint=meant)
    return found
