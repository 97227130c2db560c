"""What a sheet is about: a word, or a sequence of numbers.

A word is given as one of the library, the fixed point of a morphism, a file, or a value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, NumerationError, TextError, UnknownName
from fibprover.base.limits import UNBOUNDED, Budget, Limits, spending
from fibprover.base.names import NAME
from fibprover.base.values import value
from fibprover.base.wording import plural
from fibprover.language.equation_parser import are_equations
from fibprover.language.tree import Formula
from fibprover.learn.standard import has_predicates, no_predicates
from fibprover.numeration.composed import ComposedSystem
from fibprover.numeration.dumont_thomas import dumont_thomas
from fibprover.numeration.registry import UnknownSystemError
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.verdict.relation import Relation
from fibprover.prover.verdict.verdict import Verdict
from fibprover.sequences.catalogue import KNOWN
from fibprover.sequences.series import Series
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import entry_of
from fibprover.words.families import FAMILY_OF
from fibprover.words.greedy import greedy_word
from fibprover.words.morphic import MorphicWord, morphic_word, of_automaton
from fibprover.words.rules import parse_rules
from fibprover.workspace.session import Session

#: The name of a word without one: the one that Session.dumont_thomas gives the word of the system msd_w.
UNNAMED = "W"

#: The name of a sequence in its equations.
SEQUENCE = "a"

#: A number in the On-Line Encyclopedia of Integer Sequences.
_NUMBER = re.compile(r"A[0-9]{6}", re.ASCII)

#: How a list of terms begins, which some give in the place of a word.
_TERMS = re.compile(r"\s*[-+]?[0-9]+\s*(,|\s|$)", re.ASCII)

#: A word over a greedy system has so many states at most where questions about sums are asked about it.
_MOST_FOR_SUMS = 40

#: So many numbers of a sequence are shown.
SHOWN = 20


@value
class Numbers:
    """A sequence of numbers: sequence[n] is the term a(n + shift); before: zeros that were put before its terms."""

    sequence: Series
    shift: int
    before: int = 0

    @property
    def name(self) -> str:
        """The name of the sequence."""
        return "a"

    @property
    def term(self) -> str:
        """The term that is sequence[n], such as a(n+1)."""
        return f"{self.name}({f'n{self.shift:+d}' if self.shift else 'n'})"

    @property
    def first(self) -> tuple[int, ...]:
        """The first terms, without the zeros."""
        return tuple(int(self.sequence[n]) for n in range(self.before, self.before + SHOWN))


@value
class WithoutAddition:
    """A fixed point of a morphism, or a coded one, whose places are not added by an automaton; because: why not."""

    name: str
    word: MorphicWord
    because: str

    @property
    def outputs(self) -> tuple[int, ...]:
        """The letters, in rising order."""
        return tuple(sorted(set(self.word.outputs)))

    def prefix(self, count: int) -> list[int]:
        """Return the first letters."""
        return self.word.prefix(count)


class About:
    """What is about a word or a sequence of numbers."""

    __slots__ = ()

    topic: AutomaticWord | WithoutAddition | Numbers

    @property
    def name(self) -> str:
        """The name of the word or the sequence."""
        return self.topic.name

    @property
    def is_word(self) -> bool:
        """Whether it is about a word."""
        return not isinstance(self.topic, Numbers)

    @property
    def is_table(self) -> bool:
        """Whether it is about a word with two indices."""
        return isinstance(self.topic, AutomaticWord) and len(self.topic.indices) == 2

    @property
    def word(self) -> AutomaticWord:
        """The word.  Raises FibproverError if it is about numbers, or about a word without an automaton."""
        if isinstance(self.topic, AutomaticWord):
            return self.topic
        if isinstance(self.topic, WithoutAddition):
            raise FibproverError(f"{self.name} has no automaton: {self.topic.because}", hint="`topic` is the word")
        raise FibproverError("a sequence of numbers is no word", hint="`numbers` is the sequence")

    @property
    def numbers(self) -> Numbers:
        """The sequence of numbers.  Raises FibproverError if it is about a word."""
        if isinstance(self.topic, Numbers):
            return self.topic
        raise FibproverError(f"{self.name} is a word", hint="`topic` is the word")

    @property
    def is_family(self) -> bool:
        """Whether it is about a word over a family, which has letters for each slope."""
        return isinstance(self.topic, AutomaticWord) and len(self.word.indices) < len(self.word.tracks)

    @property
    def letters(self) -> tuple[int, ...]:
        """The letters of the word, in rising order."""
        return () if isinstance(self.topic, Numbers) else tuple(sorted(set(self.topic.outputs)))


@dataclass(frozen=True, slots=True, eq=False)
class Subject(About):
    """A word or a sequence in a session of its own; system: that of its indices; given: what it was made from.

    morphic: a word as a fixed point of a morphism, or a coded one, None where it is not read as one; sums: the same
    word under another name, over a system with a smaller addition, for questions about sums of numbers of letters.
    """

    session: Session
    topic: AutomaticWord | WithoutAddition | Numbers
    system: str
    given: str
    morphic: MorphicWord | None = None
    sums: Subject | None = None

    @property
    def numbers_system(self) -> NumerationSystem:
        """The system of the indices."""
        return self.session.namespace.system(self.system)

    def stated(self, formula: Formula) -> Formula:
        """Return a formula with the system of its numbers."""
        return formula.in_system(self.system)

    def prove(self, formula: Formula) -> Verdict:
        """Decide a closed formula about numbers of the system."""
        return self.session.prove(self.stated(formula))

    def relation(self, formula: Formula) -> Relation:
        """Return the relation of a formula about numbers of the system."""
        return self.session.relation(self.stated(formula))


def subject(
    given: str | AutomaticWord, limits: Limits | None = None, unnamed: str = UNNAMED, coding: str = "",
    making: Limits | None = None,
) -> Subject:
    """Return the word that is given by its name, a morphism such as "0->01, 1->0", a file, or itself.

    Or the word or the sequence with a number of the OEIS, such as "A010060"; the sequence that equations determine,
    such as "a(0)=0, a(2n)=a(n), a(2n+1)=a(n)+1"; the family of words that is given by its name, such as "sturmian", or
    by morphisms with "|" between them.

    A file is a word automaton of Walnut (.txt) or a list of words (.json) with one word.  The letters of a morphism are
    letters or any integers, those below 0 and beyond 9 in brackets.  One that is not uniform has its word over its
    Dumont-Thomas system.  Raises FibproverError for a word with other indices than one or two natural numbers, and for
    a text that is none of these.  unnamed: a capital letter, the name of a word that has none; coding: of the fixed
    point of a morphism, such as "a->011, b->0" (`fibprover.words.morphic`); making: of the search for the addition of a
    morphism, in place of the limits; a word whose addition is not found within them is one without addition.
    """
    session = Session(limits=limits)
    is_morphism = isinstance(given, str) and ("->" in given or "→" in given)
    if coding and (not is_morphism or "|" in given):
        raise FibproverError("a coding is for the fixed point of a morphism", hint="as in 'a->ab, b->a'")
    if isinstance(given, AutomaticWord):
        for system in given.systems.values():
            session.namespace.add_system(system)
        word, said = session.namespace.add_word(given.name, given.machine), given.name
    elif are_equations(SEQUENCE, given) or given in KNOWN:
        return _sequence(session, given)
    else:
        if is_morphism and "|" in given:
            word, said = session.family(unnamed, given), given
        elif is_morphism:
            return _morphic(session, given, coding, unnamed, limits, making)
        else:
            word, said = _named(session, given, unnamed), given
    found = _system(session, word)
    return Subject(session, word, found, said, _morphic_word(session, word, found))


def _morphic_word(session: Session, word: AutomaticWord, system: str) -> MorphicWord | None:
    """Return a word with one index as a coded fixed point, None if it is not read as one."""
    if len(word.tracks) != 1 or word.padding_matters:
        return None
    return of_automaton(word.machine, session.namespace.system(system))


def _system(session: Session, word: AutomaticWord) -> str:
    """Return the system of the indices; raises FibproverError for a word that has no sheet."""
    if has_predicates(word):
        return session.namespace.index_system(word.name, word.machine).name
    hint = "a sheet is about a word with one index, or with two that are natural numbers of one system"
    if len(word.tracks) == 1:
        raise FibproverError(no_predicates(word), hint=hint)
    if len(word.tracks) != 2:
        raise FibproverError(f"{word.name} has {plural(len(word.tracks), 'index', 'indices')}", hint=hint)
    for track in word.tracks:
        if not track.system:
            letters = ",".join(map(str, track.digits))
            raise FibproverError(f"an index of {word.name} is a word over {{{letters}}}, not a number", hint=hint)
        if word.system(track).signed:
            raise FibproverError(f"an index of {word.name} is not a natural number", hint=hint)
    one, two = (track.system for track in word.tracks)
    if one != two:
        raise FibproverError(f"the indices of {word.name} are of two systems, {one} and {two}", hint=hint)
    return one


def _sequence(session: Session, given: str) -> Subject:
    """Return the sequence that equations determine, or that has a number of the OEIS."""
    equations = KNOWN[given].by_name if given in KNOWN else {SEQUENCE: given}
    sequence = session.solve(*chain(*equations.items())).sequences[SEQUENCE]
    if len(sequence.systems) != 1:
        raise FibproverError("the sheet of a sequence is about one index", hint="as in a(0)=0, a(2n)=a(n)+1")
    return Subject(session, Numbers(sequence, 0), sequence.systems[0].name, given)


def _named(session: Session, given: str, unnamed: str) -> AutomaticWord:
    file = Path(given)
    if file.suffix == ".json":
        found = list(session.load_words(file).values())
        if len(found) != 1:
            raise FibproverError(f"{given} has {plural(len(found), 'word')}", hint="give a file with one word")
        return found[0]
    if file.suffix == ".txt":
        return session.namespace.load_word(file, file.stem if NAME.fullmatch(file.stem) else unnamed)
    if _NUMBER.fullmatch(given):
        given = entry_of(given).name
    if not given.strip():
        raise FibproverError("no word is given", hint="give the name of a word, such as T, or a morphism")
    if _TERMS.match(given):
        raise FibproverError("these are numbers, not a word", hint="give them with --terms, as in --terms '0, 1, 1, 0'")
    try:
        return session.namespace.stored_word(FAMILY_OF.get(given, given))
    except TextError as problem:
        try:
            other = entry_of(given).name
        except UnknownName:
            raise problem from None
        return session.namespace.stored_word(other)


def _morphic(
    session: Session, rules: str, coding: str, name: str, limits: Limits | None, making: Limits | None
) -> Subject:
    """Return the word of a morphism and a coding: over a base where it can be, or else over its Dumont-Thomas system,
    or, if that has no addition, over the greedy system of a recurrence.
    """
    found = morphic_word(parse_rules(rules), parse_rules(coding) if coding else None)
    said = f"{rules}, coded {coding}" if coding else rules
    if found.letters:
        said += "; " + ", ".join(f"{letter} is {number}" for letter, number in found.letters)
    if (found.width or 0) > 1:
        lists = [list(image) for image in found.images]
        word = session.define_morphic_word(name, lists, found.outputs, f"msd_{found.width}")
        return Subject(session, word, _system(session, word), said, found)
    budget = session.namespace.budget() if making is None else making.start()
    over_greedy = _greedy(found, name, said, limits, budget, may_end=making is not None)
    if over_greedy is not None and over_greedy.numbers_system.integer_base is not None:
        return over_greedy
    names = session.namespace
    substitution = {str(letter): tuple(map(str, image)) for letter, image in enumerate(found.images)}
    try:
        system, machine = dumont_thomas(f"msd_{name.lower()}", substitution, None, budget)
    except (NumerationError, LimitError, BudgetSpent) as problem:
        if over_greedy is not None:
            return over_greedy
        if making is None and isinstance(problem, BudgetSpent):
            raise
        return Subject(session, WithoutAddition(name, found, problem.message), "", said, found)
    system = names.add_verified_system(system)
    coded = machine.with_outputs(found.outputs[letter] for letter in machine.outputs)
    word = names.add_word(name, coded.with_tracks((system.track("n"),)))
    sums = None
    if isinstance(system, ComposedSystem) and over_greedy is not None:
        sums = _for_sums(over_greedy, system.adder.states)
    return Subject(session, word, _system(session, word), said, found, sums)


def _greedy(
    found: MorphicWord, name: str, said: str, limits: Limits | None, budget: Budget, *, may_end: bool
) -> Subject | None:
    """Return the word of a morphism over the greedy system of a recurrence, None where it has none.

    may_end: whether it has none, too, where the budget is spent; the sizes in that are then those of another addition.
    """
    session = Session(limits=limits)
    within = replace(budget, states=UNBOUNDED, transitions=UNBOUNDED) if may_end else budget
    try:
        with spending(within):
            system, machine = greedy_word(found, within)
    except (NumerationError, LimitError, UnknownSystemError, BudgetSpent) as problem:
        if isinstance(problem, BudgetSpent) and not may_end:
            raise
        return None
    word = session.namespace.add_word(name, machine)
    return Subject(session, word, system.name, said, found)


def _for_sums(over_greedy: Subject, states: int) -> Subject | None:
    """Return the same word for questions about sums, None unless it is small and its addition has fewer states than
    this.
    """
    names = over_greedy.session.namespace
    if over_greedy.word.machine.states > _MOST_FOR_SUMS:
        return None
    try:
        if over_greedy.numbers_system.linear((1, 1, -1), "=", 0, names.budget()).states >= states:
            return None
    except BudgetSpent as spent:
        if spent.resource not in ("states", "transitions"):
            raise
        return None
    word = names.add_word(f"{over_greedy.name}s", over_greedy.word.machine)
    return replace(over_greedy, topic=word)
