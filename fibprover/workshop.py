"""Predicates and words made of those there are: the commands that need no formula."""

from __future__ import annotations

from collections.abc import Sequence

from fibprover.automata.dfa import Dfa, Track
from fibprover.automata.digit_order import as_read
from fibprover.errors import NotSupported
from fibprover.namespace import Library
from fibprover.numeration.system import NumerationSystem
from fibprover.plan.environment import Definition
from fibprover.verdict.relation import Relation
from fibprover.words.automatic import AutomaticWord

# The operations are imported by the methods that need them, as a formula needs none of them.


class Workshop(Library):
    """A library, and the commands that make new predicates and words of those in it.

    Commands take names as scripts write them: where words and predicates are both possible, `$name`
    is the predicate.  What a command makes replaces what had the name before; an error leaves
    everything as it was.
    """

    def predicate(self, source: str) -> Definition:
        """The predicate of this name, `$` in front or not; UnknownName if there is none."""
        from fibprover.commands.help import named

        return named("predicate", self.definitions, source)

    def language(self, source: str) -> Dfa:
        """The automaton of a predicate as users see it."""
        return as_read(self.predicate(source).automaton, self.budget())

    def machine(self, source: str) -> Dfa:
        """The automaton of a word as kept inside; that of a predicate `$name` gives 1 where it is true, and else 0."""
        from fibprover.automata.outputs import completed
        from fibprover.commands.help import named

        if not source.startswith("$"):
            return named("word", self.library_words.overridden_by(self.words), source).machine
        return completed(self.relation_of(self.predicate(source)).automaton, 0, self.budget())

    def _index_system(self, source: str, machine: Dfa) -> NumerationSystem:
        """The system of the one index of a word."""
        if len(machine.tracks) != 1 or not machine.tracks[0].system:
            held = " ".join(track.system or "letters" for track in machine.tracks) or "none"
            what = f"a word with one number as its index is needed, and {source} has {held}"
            raise NotSupported(what, source, 0, len(source))
        return self.system(machine.tracks[0].system)

    def tracks(self, alphabets: Sequence[str | Sequence[int]]) -> list[Track]:
        """Tracks x0, x1, ... over alphabets: numeration systems by name, or the digits of plain ones."""
        width = len(str(max(len(alphabets) - 1, 0)))
        tracks = []
        for number, alphabet in enumerate(alphabets):
            name = f"x{number:0{width}}"
            if isinstance(alphabet, str):
                tracks.append(self.system(alphabet).track(name))
            else:
                tracks.append(Track(name, tuple(sorted(alphabet))))
        return tracks

    def ost(self, name: str, preperiod: Sequence[int], period: Sequence[int]) -> NumerationSystem:
        """Names the Ostrowski system of the continued fraction with these terms."""
        from fibprover.numeration.ostrowski import ostrowski_system

        return self.add_system(ostrowski_system(name, list(preperiod), list(period)))

    def dumont_thomas(self, name: str, substitution: str, bound: int | None = None) -> NumerationSystem:
        """Names the Dumont-Thomas system of a substitution such as "a->ab, b->a", and the word of its fixed point.

        The word is called as the system, with a capital: of "blop", msd_blop and Blop, whose letters are 0, 1, ... in
        the order of the rules.  bound: see `fibprover.numeration.dumont_thomas.dumont_thomas`.
        """
        from fibprover.numeration.dumont_thomas import dumont_thomas, parse_substitution

        self.check_name(name)
        system, machine = dumont_thomas(f"msd_{name}", parse_substitution(substitution), bound, self.budget())
        system = self._added(system, self.folders)
        self.add_word(name[0].upper() + name[1:], machine)
        return system

    # -- languages -------------------------------------------------------------------------

    def union(self, name: str, *sources: str) -> Relation:
        """Names the union of languages over the same alphabets."""
        from fibprover.automata.operations import union

        return self.define_language(name, union([self.language(source) for source in sources], self.budget()))

    def intersect(self, name: str, *sources: str) -> Relation:
        """Names the intersection of languages over the same alphabets."""
        from fibprover.automata.operations import intersection

        return self.define_language(name, intersection([self.language(source) for source in sources], self.budget()))

    def concat(self, name: str, *sources: str) -> Relation:
        """Names the words of the first language, each followed by one of the second, and so on.

        Where numbers are not in base k, the result is: its words need not represent any (see `alphabet`).
        """
        from fibprover.automata.alphabets import digits_only
        from fibprover.automata.operations import concatenation

        parts = [digits_only(self.language(source)) for source in sources]
        return self.define_language(name, concatenation(parts, self.budget()))

    def star(self, name: str, source: str) -> Relation:
        """Names any number of words of a language one after the other; alphabets as for `concat`."""
        from fibprover.automata.alphabets import digits_only
        from fibprover.automata.operations import star

        return self.define_language(name, star(digits_only(self.language(source)), self.budget()))

    def leftquo(self, name: str, source: str, prefixes: str) -> Relation:
        """Names what follows one of the prefixes in words of a language."""
        from fibprover.automata.operations import left_quotient

        return self.define_language(
            name, left_quotient(self.language(source), self.language(prefixes), self.budget())
        )

    def rightquo(self, name: str, source: str, suffixes: str) -> Relation:
        """Names what precedes one of the suffixes in words of a language."""
        from fibprover.automata.operations import right_quotient

        return self.define_language(
            name, right_quotient(self.language(source), self.language(suffixes), self.budget())
        )

    def fixleadzero(self, name: str, source: str) -> Relation:
        """Names a language with zeros added in front or taken away."""
        from fibprover.automata.operations import fix_leading_zeros

        return self.define_language(name, fix_leading_zeros(self.language(source), self.budget()))

    def fixtrailzero(self, name: str, source: str) -> Relation:
        """Names a language with zeros added at the end or taken away."""
        from fibprover.automata.operations import fix_trailing_zeros

        return self.define_language(name, fix_trailing_zeros(self.language(source), self.budget()))

    # -- automata over other alphabets -----------------------------------------------------

    def alphabet(self, name: str, alphabets: Sequence[str | Sequence[int]], source: str) -> Relation | AutomaticWord:
        """Names an automaton over other alphabets, one a track: its words, or indices, that have letters of these only.

        Of a predicate, the words that are numbers remain; a word has the letter 0 at every other index.
        """
        from fibprover.automata.alphabets import language_over, word_over

        tracks = self.tracks(alphabets)
        if not source.startswith("$"):
            return self.add_word(name, word_over(self.machine(source), tracks, self.budget()))
        valid = [
            as_read(self.system(track.system).valid, self.budget()) if track.system else None for track in tracks
        ]
        return self.define_language(name, language_over(self.language(source), tracks, valid, self.budget()))

    def reverse(self, name: str, source: str) -> Relation | AutomaticWord:
        """Names an automaton read from the other end; msd systems become lsd ones."""
        from fibprover.automata.alphabets import reversed_automaton

        if not source.startswith("$"):
            return self.add_word(name, reversed_automaton(self.machine(source), self.budget(), word=True))
        self.check_name(name)
        old = self.predicate(source)
        new = Definition(name, reversed_automaton(old.automaton, self.budget()), old.source, old.raw)
        relation = self.relation_of(new)
        self.definitions[name] = new
        return relation

    def minimize(self, name: str, source: str) -> Relation | AutomaticWord:
        """Names the smallest automaton for a word (or a predicate); all automata here are that already."""
        if not source.startswith("$"):
            return self.add_word(name, self.machine(source))
        return self.define_language(name, self.language(source))

    def convert(self, name: str, system: str, source: str) -> Relation | AutomaticWord:
        """Names a word over base k^i as one over base k^j; with `$` at the name, a predicate as a predicate."""
        from fibprover.words.algebra import convert_base

        if name.startswith("$") and not source.startswith("$"):
            raise NotSupported("a word does not become a predicate", name, 0, len(name), hint="drop the $ in front")
        old, new = self.machine(source), self.system(system)
        if old.tracks and old.tracks[0].system == new.name:
            raise NotSupported(f"{source} is in {system} already", system, 0, len(system))
        machine = convert_base(old, new, self.system, self.budget())
        if not name.startswith("$"):
            return self.add_word(name, machine)
        return self.define_language(name[1:], as_read(machine, self.budget()))

    # -- words -----------------------------------------------------------------------------

    def combine(self, name: str, *sources: str | tuple[str, int]) -> AutomaticWord:
        """Names the word whose letter tells which predicate accepts the index: the value of the last that does, or 0.

        A predicate without a value has its place among them, from 1.
        """
        from fibprover.automata.outputs import combined

        pairs = [(each, number) if isinstance(each, str) else each for number, each in enumerate(sources, 1)]
        parts = [(self.relation_of(self.predicate(source)).automaton, value) for source, value in pairs]
        return self.add_word(name, combined(parts, self.budget()))

    def join(self, name: str, *sources: Sequence[str]) -> AutomaticWord:
        """Names the word with the first letter that is not 0, of words given with the names of their indices.

        For example join("M", ("N", "a", "b"), ("K", "b", "c")), whose indices are a, b and c.
        """
        from fibprover.automata.outputs import joined

        parts = [self._indexed(*source) for source in sources]
        return self.add_word(name, joined(parts, self.budget()))

    def _indexed(self, source: str, *labels: str) -> Dfa:
        machine = self.machine(source)
        if len(labels) != len(machine.tracks) or len(set(labels)) != len(labels):
            what = f"{source} needs {len(machine.tracks)} different names of indices, not {', '.join(labels) or 'none'}"
            raise NotSupported(what, source, 0, len(source))
        return machine.renamed(labels)

    def split(self, name: str, source: str, signs: Sequence[str]) -> AutomaticWord:
        """Names the word M[x]... = N[x']... over a positive base, where x' is x or -x by the sign "+" or "-".

        N: over negative bases where there is a sign; its digits count as such in any case.
        """
        from fibprover.words.algebra import split_word

        return self.add_word(name, split_word(self.machine(source), signs, self.system, self.budget()))

    def rsplit(self, name: str, signs: Sequence[str], source: str) -> AutomaticWord:
        """Names the word N[x']... = M[x]... over a negative base, where x' is x or -x; other indices have letter 0."""
        from fibprover.words.algebra import rsplit_word

        return self.add_word(name, rsplit_word(self.machine(source), signs, self.system, self.budget()))

    def promote(self, name: str, morphism: str, system: str | None = None) -> AutomaticWord:
        """Names the fixed point of a morphism from letter 0; by default over the base of its longest image."""
        from fibprover.commands.help import named
        from fibprover.words.morphism import fixed_point

        self.check_name(name)
        rule = named("morphism", self.morphisms, morphism)
        index = self.system(system or f"msd_{max(rule.longest, 2)}").track("n")
        self.words[name] = fixed_point(rule, name, index)
        return self.words[name]

    def image(self, name: str, morphism: str, source: str) -> AutomaticWord:
        """Names the image of a word with one index under a uniform morphism."""
        from fibprover.commands.help import named
        from fibprover.words.morphism import uniform_image

        rule, machine = named("morphism", self.morphisms, morphism), self.machine(source)
        system = self._index_system(source, machine)
        return self.add_word(name, uniform_image(machine, rule, system, self.budget()))

    def transduce(self, name: str, transducer: str, source: str) -> AutomaticWord:
        """Names what a transducer makes of the letters of a word with one index."""
        from fibprover.commands.help import named
        from fibprover.words.transducers import transduce

        rule, machine = named("transducer", self.transducers, transducer), self.machine(source)
        system = self._index_system(source, machine)
        return self.add_word(name, transduce(machine, rule, system, self.budget()))
