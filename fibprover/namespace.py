"""What names mean in a session: predicates, words, morphisms, transducers, macros and numeration systems.

Names are given here by hand or from files; `fibprover.session` gives them to what formulas and
commands make.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fibprover.automata.dfa import Dfa
from fibprover.automata.digit_order import from_read
from fibprover.decide import Options
from fibprover.errors import FibproverError, SyntaxProblem
from fibprover.evaluate.atoms import Atoms
from fibprover.io.folders import snapshot
from fibprover.limits import Budget, Limits
from fibprover.names import NAME, full_name, system_name
from fibprover.numeration.registry import DEFAULT_SYSTEM, system_named
from fibprover.numeration.system import NumerationSystem, lsd_system
from fibprover.plan.environment import Definition, Environment
from fibprover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord, automatic_word
from fibprover.words.catalogue import LibraryWords

if TYPE_CHECKING:
    from fibprover.infer.words import InferredWord
    from fibprover.io.folders import Folders
    from fibprover.words.morphism import Morphism
    from fibprover.words.transducers import Transducer

# Files and morphisms are imported by the methods that need them: the start of `fibprover eval` is to
# stay under 0.3 s, and it needs none of them.


class Library:
    """Definitions, words and systems by name, and the options that evaluations use.

    system: the numeration system of formulas that name none with `?`, by default msd_2, where variables
    that stand for words over plain alphabets only are words and no numbers; plan: "optimized" or
    "textbook"; limits: what each evaluation may spend; without: rules of the optimized plan to
    switch off (`fibprover.plan.rules`); shared_digits: whether an argument or index in another system than
    its predicate or word wants is read by its digits, where that system has the same ones (`fibprover.plan.lower`).
    """

    def __init__(
        self, system: str | None = None, *, plan: str = "optimized", limits: Limits | None = None,
        without: Collection[str] = (), shared_digits: bool = False,
    ) -> None:
        off = frozenset([without] if isinstance(without, str) else without)
        self.options = Options(plan, limits or Limits(), without=off)
        self.definitions: MutableMapping[str, Definition] = {}
        self.words: MutableMapping[str, AutomaticWord] = {}
        self.library_words = LibraryWords(self._digits)
        self.morphisms: MutableMapping[str, Morphism] = {}
        self.transducers: MutableMapping[str, Transducer] = {}
        self.macros: MutableMapping[str, str] = {}
        self.systems: dict[str, NumerationSystem] = {}
        self.folders: Folders | None = None
        #: Systems that have been asked for since there are folders.
        self._met: dict[str, NumerationSystem] = {}
        self.default_system = self.system(system or DEFAULT_SYSTEM).name
        self.system_chosen = system is not None
        self.shared_digits = shared_digits

    def environment(self) -> Environment:
        """What a formula's names mean at this moment."""
        return Environment(
            self.system, self.default_system, snapshot(self.definitions),
            self.library_words.overridden_by(snapshot(self.words)), snapshot(self.macros), self.system_chosen,
            self.shared_digits,
        )

    def use_folders(self, home: str | Path, session: str | Path | None = None, *, written: bool = True) -> None:
        """From now on names are looked for in Walnut's folders, too, and what is made is written to them.

        home: read; session: read first, and written to; made if it is not there; home itself unless given;
        written: False leaves both folders as they are.
        Names that are here already hide those of files.  FileProblem where the folders cannot be used.
        """
        from fibprover.commands import storage
        from fibprover.io.folders import Folders

        folders = Folders(Path(home), Path(home if session is None else session), written)
        folders.prepare()
        self.folders = folders
        self.definitions = storage.definitions(self.definitions, folders, self._digits, self.budget)
        self.words = storage.words(self.words, folders, self._digits, self.budget)
        self.morphisms = storage.morphisms(self.morphisms, folders)
        self.transducers = storage.transducers(self.transducers, folders)
        self.macros = storage.macros(self.macros, folders)

    def budget(self) -> Budget:
        """What the session's limits allow for something that begins now."""
        return self.options.limits.start()

    def check_name(self, name: str) -> None:
        """SyntaxProblem unless this may be the name of a predicate, a word, ...."""
        if not isinstance(name, str):
            raise FibproverError(f"a name is a text, not {name!r}")
        if not NAME.fullmatch(name):
            hint = "a name is a letter, then letters, digits or _"
            raise SyntaxProblem("this is not a name", name, 0, len(name), hint=hint)

    # -- numeration systems ----------------------------------------------------------------

    def system(self, name: str) -> NumerationSystem:
        """The numeration system with this name: one added to the session, one of its folders, or a built-in one."""
        full = full_name(name)
        if self.folders is None or full in self.systems:
            return self._system_here(name)
        if full not in self._met:
            base = system_name(full).base
            msd = full_name(base)
            path = self.folders.base(base)
            if path is not None and msd not in self._met:
                self._met[msd] = self.load_system(path)
            if full not in self._met:
                self._met[full] = self._system_here(name)
        return self._met[full]

    def _system_here(self, name: str) -> NumerationSystem:
        """The system with this name that was added or is built-in."""
        full = full_name(name)
        found = self.systems.get(full)
        parts = system_name(full)
        if found is None and parts.lsd_first and (base := self.systems.get(parts.reversed().full)) is not None:
            found = self.systems[full] = lsd_system(base)
        return found if found is not None else system_named(name)

    def add_system(self, system: NumerationSystem) -> NumerationSystem:
        """Makes a system usable as `?name`, once it has verified itself.

        A name that means a system already is refused: definitions and cached automata go by it.
        """
        report = system.verify(self.budget())
        if not report:
            raise FibproverError(f"the numeration system {system.name} does not verify:\n{report}")
        return self._added(system, self.folders)

    def _added(self, system: NumerationSystem, kept_in: Folders | None = None) -> NumerationSystem:
        """Makes a verified system usable; one that is known under its name already is left as it is."""
        try:
            known: NumerationSystem | None = self._met.get(system.name) or self._system_here(system.name)
        except FibproverError:
            known = None
        if known is not None and known is not system:
            adders = [each.linear((1, 1, -1), "=", 0) for each in (known, system)]
            if adders[0] == adders[1] and known.less() == system.less():
                return known
            raise FibproverError(
                f"there is already a numeration system {system.name}", hint="give this one another name"
            )
        if kept_in is not None:
            from fibprover.commands.storage import keep_system

            keep_system(kept_in, system)
        self.systems[system.name] = system
        return system

    def load_system(self, path: str | Path) -> NumerationSystem:
        """Adds a base from the files msd_NAME.txt and msd_NAME_addition.txt (Walnut's custom bases), verified."""
        from fibprover.commands.storage import blaming
        from fibprover.io.walnut import read_base
        from fibprover.numeration.composed import given_system

        budget = self.budget()
        base = read_base(path, budget)
        with blaming(Path(path)):
            return self._added(given_system(base.name, base.valid, base.adder, base.less, budget))

    # -- macros, predicates ----------------------------------------------------------------

    def macro(self, name: str, text: str) -> None:
        """Names a piece of formula text; `#name(a,b)` puts a for %0 and b for %1."""
        self.check_name(name)
        if not isinstance(text, str):
            raise FibproverError(f"a macro is a text, not {text!r}")
        self.macros[name] = text

    def define_language(self, name: str, automaton: Dfa, source: str = "") -> Relation:
        """Names a language, given as it is read, such as that of a regular expression.

        The name stands for the raw language: calls restrict it to valid representations and close it
        under leading zeros, as the relation returned is.
        """
        self.check_name(name)
        definition = Definition(name, from_read(automaton, self.budget()), source, raw=True)
        relation = self.relation_of(definition)
        self.definitions[name] = definition
        return relation

    def relation_of(self, definition: Definition) -> Relation:
        """What a definition means: its language, or the numbers that a raw language speaks of."""
        automaton = definition.automaton
        if definition.raw:
            names = automaton.names
            kinds = dict(zip(names, definition.kinds, strict=True))
            automaton = Atoms(self.system, kinds, self.budget()).relation(automaton, names)
        return Relation(automaton, self.system, definition.source)

    def load_predicate(self, path: str | Path, name: str | None = None) -> Relation:
        """Adds a predicate from a Walnut text file; like a regular expression's, its language is raw."""
        from fibprover.io.walnut import read_automaton

        place = Path(path)
        self.check_name(name or place.stem)
        return self.define_language(name or place.stem, read_automaton(place, self._digits), str(place))

    def _digits(self, system: str) -> tuple[int, ...]:
        return self.system(system).digits

    # -- words -----------------------------------------------------------------------------

    def add_word(self, name: str, machine: Dfa) -> AutomaticWord:
        """Names the word with this machine, given as kept inside (`fibprover.automata.digit_order`)."""
        self.check_name(name)
        self.words[name] = automatic_word(name, machine, self.budget())
        return self.words[name]

    def word(
        self, name: str, images: Sequence[Sequence[int]], coding: Sequence[int], system: str | None = None
    ) -> AutomaticWord:
        """Names the word coding(fixed point of a morphism), indexed by representations in a system."""
        from fibprover.words.morphism import from_morphism

        self.check_name(name)
        index = self.system(system or self.default_system).track("n")
        self.words[name] = from_morphism(name, images, coding, index)
        return self.words[name]

    def infer_word(self, name: str, sequence: Sequence[int], system: str | None = None, **options: Any) -> InferredWord:
        """Names the word that a sequence begins, as far as one can tell: see `fibprover.infer.words.infer_word`."""
        from fibprover.infer.words import infer_word

        self.check_name(name)
        found = infer_word(
            sequence, self.system(system or self.default_system), name, budget=self.budget(), **options
        )
        self.words[name] = found.word
        return found

    def load_words(self, source: str | Path | Mapping[str, Any]) -> dict[str, AutomaticWord]:
        """Adds the words of a JSON file: {name: {"morphism": ..., "coding": ..., "system": optional}}."""
        from fibprover.words.morphism import load_words

        words = load_words(source, self._digits)
        for name in words:
            self.check_name(name)
        self.words.update(words)
        return words

    def load_word(self, path: str | Path, name: str | None = None) -> AutomaticWord:
        """Adds a word automaton from a Walnut text file, called as the file unless a name is given."""
        from fibprover.io.walnut import read_automaton

        place = Path(path)
        self.check_name(name or place.stem)
        machine = from_read(read_automaton(place, self._digits), self.budget(), word=True)
        return self.add_word(name or place.stem, machine)

    # -- morphisms and transducers ---------------------------------------------------------

    def morphism(self, name: str, text: str) -> Morphism:
        """Names a morphism, written as in `0->01 1->10`."""
        from fibprover.words.morphism import parse_morphism

        self.check_name(name)
        self.morphisms[name] = parse_morphism(name, text)
        return self.morphisms[name]

    def load_morphism(self, path: str | Path, name: str | None = None) -> Morphism:
        """Adds a morphism from a Walnut text file, called as the file unless a name is given."""
        from fibprover.io.walnut import read_morphism

        name = name or Path(path).stem
        self.check_name(name)
        self.morphisms[name] = read_morphism(path, name)
        return self.morphisms[name]

    def load_transducer(self, path: str | Path, name: str | None = None) -> Transducer:
        """Adds a transducer from a Walnut text file, called as the file unless a name is given."""
        from fibprover.io.walnut import read_transducer

        name = name or Path(path).stem
        self.check_name(name)
        self.transducers[name] = read_transducer(path, name)
        return self.transducers[name]
