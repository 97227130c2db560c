"""The word of a sheet from its first terms: recognized or guessed, and proved if there is a definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, Unsolved
from fibprover.base.limits import Limits
from fibprover.base.wording import plural
from fibprover.infer.choice import MOST_LETTERS, Attempt, Guess, guess
from fibprover.infer.fixed_points import fixed_point_of
from fibprover.infer.systems import SYSTEMS
from fibprover.infer.words import InferredWord
from fibprover.language.builder import call, forall, variable
from fibprover.language.tree import Call, Formula, InSystem, Variable, disjunction, has_calls, nodes
from fibprover.numeration.system import NumerationSystem
from fibprover.sheets.k_kernel import kernel_equations
from fibprover.sheets.line import SECTION, Line
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.recognition import LEAST_TERMS, Recognized, coded, recognize, shifted
from fibprover.sheets.subject import UNNAMED, Subject, subject
from fibprover.sheets.suprema import PLOTTED
from fibprover.sheets.terms import Terms
from fibprover.sheets.vocabulary import Vocabulary, n
from fibprover.words.automatic import AutomaticWord
from fibprover.words.catalogue import ENTRIES
from fibprover.workspace.guard import enforced
from fibprover.workspace.session import Session

#: The least number of terms from which a word is guessed.
FEWEST = LEAST_TERMS

#: The name of the relation that a definition defines, unless its formula calls another one.
RELATION = "a"

#: The beginning of the evidence.
CONJECTURE = "Conjecture, from"

#: The name of a guessed word whose shift is the word of the sheet.
_GUESSED = "V"

#: If the first index is at most this, the terms are also tried as a(0), a(1), ... with letters before the first one.
_MOST_BEFORE = 16

#: A guess with this many times fewer states than terms is no accident: no other system is tried.
_FEW = 8

#: Differences are summed over a gap of at most so many terms.
MOST_SUMMED = 1 << 16

_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth ", "ninth ")

#: The addition of the system of a morphism that is read from the terms may take this part of the time.
PART_OF_ADDITION = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Conjecture:
    """A word w[0], w[1], ... that begins with the terms a(first), a(first+1), ..., or with their differences.

    It may be a sequence of numbers instead.  about: the word in its session; statement: that the terms are its letters;
    evidence: the evidence for it; way: how it could be proved; status: "open", or "proved" or "refuted" by a
    definition; formula: the one that was decided, or the definition; types: the word by its types, with its support,
    if it was guessed so and begins with the terms; of_differences: whether the word begins with their differences.
    """

    about: Subject
    statement: str
    evidence: str
    way: str
    status: Literal["proved", "refuted", "open"] = "open"
    formula: Formula | None = None
    states: int | None = None
    types: InferredWord | None = None
    of_differences: bool = False

    def defined_by(self, definition: str) -> Formula:
        """Return a definition as a tree, over the system of the conjecture unless it begins with another one."""
        formula = self.about.session.parse(definition).formula
        return formula if isinstance(formula, InSystem) else self.about.stated(formula)

    def proved(self, definition: str, formula: Formula | None, states: int | None = None) -> Conjecture:
        """Return the conjecture as a theorem."""
        before = self.evidence.removeprefix("Conjecture")
        said = f"Proved from the definition {definition.strip()}. It was a conjecture{before}"
        return replace(self, evidence=said, way="", status="proved", formula=formula, states=states or self.states)

    def refuted(self, difference: str, formula: Formula | None) -> Conjecture:
        """Return the conjecture with what a definition gives instead."""
        said = f"{self.evidence} The definition gives other terms: {difference}."
        return replace(self, evidence=said, status="refuted", formula=formula)

    def undecided(self, problem: FibproverError, definition: Formula | None) -> Conjecture:
        """Return the conjecture with the reason why a definition is not decided."""
        said = f"{self.evidence} The definition is not decided: {problem.message}."
        return replace(self, evidence=said, formula=definition)

    def line(self, seconds: float) -> Line:
        """Return the line that says so, the first one of a sheet."""
        value = f"{self.evidence} {self.way}".strip()
        line = Line("word", SECTION, self.statement, self.status, value, self.formula, self.states, seconds)
        if self.about.is_word:
            return line
        first = [self.about.numbers.sequence[n] for n in range(PLOTTED)]
        terms = tuple(int(each) if each.denominator == 1 else None for each in first)
        return replace(line, id="sequence", kind="sequence", terms=terms)


def conjecture(
    terms: Terms, definition: str = "", *, systems: Sequence[str | NumerationSystem] = (), limits: Limits | None = None,
    are_numbers: Callable[[NumerationSystem], bool] = lambda system: False, name: str = UNNAMED,
    morphisms: bool = False,
) -> Conjecture:
    """Return the word that terms suggest; raises NoAutomaton if there is none.

    morphisms: whether the fixed point of a morphism is looked for, which may be over a system of its own.
    are_numbers: whether the terms are a sequence of numbers over a system, beyond doubt; no word is looked for then
    over the systems that follow.  name: of the word, unless it is one of the library.

    First the words of the library are compared, then words are guessed over several systems, from two thirds of the
    terms, and have to be right about the others.  Terms with more than MOST_LETTERS different values are numbers, of
    which the differences are taken.  definition: a formula for `Session.solve`, about $a(n), which holds where a(n)
    is 1, or $a(n,v), for a(n) = v, with n the index of the terms: then the conjecture is proved or refuted.
    """
    run = terms.run
    if len(run) < FEWEST:
        gap = f", up to the gap before {terms.beyond[0][0]}" if terms.beyond else ""
        raise FibproverError(f"only {plural(len(run), 'term')}{gap}: at least {FEWEST} are needed")
    session = Session(limits=limits)
    if len(set(run)) > MOST_LETTERS:
        if definition:
            what = f"the terms have {len(set(run))} different values, too many for letters, which a definition is about"
            raise FibproverError(what, hint=f"at most {MOST_LETTERS} values are letters")
        return _of_differences(session, name, terms, systems)
    found = _fixed_point(session, name, terms, run) if morphisms else None
    if found is None:
        found = _of_run(session, name, terms, run, systems, are_numbers)
    for index, term in terms.beyond:
        if found.about.word[index - terms.first] != term:
            what = f"no automaton: the word of the terms before the gap is wrong at {index}, after the gap"
            raise NoAutomaton(f"{what}. {found.statement}", ())
    return _by_definition(found, terms, definition) if definition else found


def _of_differences(
    session: Session, name: str, terms: Terms, systems: Sequence[str | NumerationSystem]
) -> Conjecture:
    """Return the word of the differences of terms that are numbers."""
    differences = tuple(following - term for term, following in pairwise(terms.run))
    if len(set(differences)) > MOST_LETTERS:
        values = f"{len(set(terms.run))} different values, and their differences {len(set(differences))}"
        raise NoAutomaton(f"no automaton: the {len(terms.run)} terms have {values}", ())
    found = _of_run(session, name, terms, differences, systems, lambda system: False)
    index, term = terms.first + len(differences), terms.run[-1]
    for beyond, value in terms.beyond:
        if beyond - index > MOST_SUMMED:
            break
        term += sum(found.about.word[place - terms.first] for place in range(index, beyond))
        index = beyond
        if term != value:
            what = f"no automaton: the differences of the terms before the gap are wrong up to {beyond}, after the gap"
            raise NoAutomaton(f"{what}. {found.statement}", ())
    said = found.statement.replace(" a(", " b(").replace("The terms", "The differences b(n) = a(n+1) - a(n)", 1)
    way = found.way.replace(" a(", " b(").replace("terms", "differences")
    return replace(found, statement=said, way=way, types=None, of_differences=True)


def _of_run(
    session: Session, name: str, terms: Terms, run: Sequence[int], systems: Sequence[str | NumerationSystem],
    are_numbers: Callable[[NumerationSystem], bool],
) -> Conjecture:
    """Return a word of the library or a guessed one that begins with the run; raises NoAutomaton for none."""
    if max(map(abs, run)) >= 1 << 31:
        raise NoAutomaton("no automaton: a term has more than 31 bits, so it is not a letter", ())
    recognized = None if systems else recognize(session, run)
    if recognized is not None and recognized.is_permutation:
        return _recognized(session, name, terms, run, recognized)
    try:
        return _guessed(session, name, terms, run, systems or SYSTEMS, are_numbers)
    except NoAutomaton:
        # A coding that identifies letters may give a simpler word, such as a periodic one, and is mentioned only if
        # necessary.
        if recognized is None:
            raise
        return _recognized(session, name, terms, run, recognized)


# -- words of the library ------------------------------------------------------------------


def _recognized(session: Session, name: str, terms: Terms, run: Sequence[int], found: Recognized) -> Conjecture:
    entry = ENTRIES[found.name]
    unnamed = UNNAMED if name == entry.name else name  # statements call both by their names
    word = coded(session, unnamed, found, run)
    # a(n) is a term here, so the sequence of the encyclopedia is called by its number.
    number = entry.relation.replace("a(", f"{entry.oeis}(") if entry.oeis else entry.title
    place = ""
    if found.shift > 0:
        many = found.shift >= len(_ORDINALS)
        place = f", from its letter {found.shift + 1} on" if many else f", from its {_ORDINALS[found.shift]}letter on"
    if found.shift < 0:
        place = f", after {-found.shift} other letter{'s' * (found.shift < -1)}"
    letters = "" if found.is_identity else f", with {found.recoding}"
    statement = f"The terms are those of {entry.name}, the {entry.title} ({number}){place}{letters}."
    if word.name == unnamed:
        statement += f" {unnamed}[n] is the term a({_index(terms)})."
    at = _index(terms, found.shift)
    image = "" if found.is_identity else "the image of "
    where = f" for n >= {terms.first - found.shift}" if found.shift < 0 else ""
    way = f"It is proved if a(n) is {image}{entry.name}[{at}]{where}: {entry.definition}."
    return Conjecture(_subject(session, word, len(terms)), statement, f"{CONJECTURE} {len(run)} terms.", way)


def _index(terms: Terms, shift: int | None = None) -> str:
    """Return the index of the term that is w[n]; with a shift the index of X at the term a(n)."""
    add = terms.first if shift is None else shift - terms.first
    return f"n{add:+d}" if add else "n"


def _subject(session: Session, word: AutomaticWord, count: int) -> Subject:
    return Subject(session, word, session.namespace.index_system(word.name, word.machine).name, f"{count} terms")


# -- fixed points ------------------------------------------------------------------------


def _fixed_point(session: Session, name: str, terms: Terms, run: Sequence[int]) -> Conjecture | None:
    """Return the fixed point of a morphism whose images are read from the run, None without one that has an automaton.
    """
    found = fixed_point_of(run)
    if found is None or recognize(session, run) is not None:
        return None
    rules = ", ".join(f"{_letters([letter])}->{_letters(image)}" for letter, image in found.images.items())
    limits = session.options.limits
    about = subject(rules, limits, name, making=limits.share(PART_OF_ADDITION))
    if not isinstance(about.topic, AutomaticWord) or about.word.prefix(len(run)) != list(run):
        return None
    said = f"The terms are the fixed point of {rules}. {name}[n] is the term a({_index(terms)})."
    evidence = (
        f"{CONJECTURE} {len(run)} terms: the images have {found.chosen} letters together, which are read from the"
        " terms, and the other terms follow from them."
    )
    return Conjecture(replace(about, given=f"{len(terms)} terms"), said, evidence, "It is proved if this is known.")


def _letters(letters: Sequence[int]) -> str:
    return "".join(str(each) if 0 <= each <= 9 else f"[{each}]" for each in letters)


# -- guessed words -------------------------------------------------------------------------


def _guessed(
    session: Session, name: str, terms: Terms, run: Sequence[int], systems: Sequence[str | NumerationSystem],
    are_numbers: Callable[[NumerationSystem], bool],
) -> Conjecture:
    """Guess the word of the run over each system, w[0] being the first term, or a(0) if the first term is near."""
    longer = UNNAMED if name == _GUESSED else _GUESSED
    attempts: list[Attempt] = []
    best: tuple[Guess, int] | None = None
    tried: list[str] = []
    for each in systems:
        system = session.namespace.chosen_system(each)
        tried.append(system.name)
        for before in (0, terms.first) if 0 < terms.first <= _MOST_BEFORE else (0,):
            found = guess([run[0]] * before + list(run), system, longer, session.namespace.budget())
            if isinstance(found, Guess):
                if best is None or found.found.minimal < best[0].found.minimal:
                    best = found, before
            elif not before:
                attempts.append(found)
        if best is not None and _FEW * best[0].found.minimal <= len(run):
            break  # by Cobham's theorem a guess over another system would be a different word, unless it is periodic
        if best is None and are_numbers(system):
            break  # bounded sequences of numbers over a system are words over it
    if best is None:
        raise _no_automaton(run, attempts)
    chosen, before = best
    word = session.namespace.add_word(longer if before else name, chosen.found.word.machine)
    if before:
        word = shifted(session, name, word, before, {letter: letter for letter in set(word.outputs)})
    about = _subject(session, word, len(terms))
    types = None if before else chosen.found.types
    said, evidence = _statement(chosen, name, terms, before), _evidence(chosen, tried)
    return Conjecture(about, said, evidence, _way(session, word), types=types)


def _statement(chosen: Guess, name: str, terms: Terms, before: int) -> str:
    found = chosen.found
    images = ", ".join(f"{letter} -> {' '.join(map(str, image))}" for letter, image in enumerate(found.images))
    coding = " ".join(map(str, found.coding))
    start = f" from its letter {before} on" if before else ""
    return (
        f"The terms are the word over {found.system}{start} that is the coding {coding} of the fixed point of {images}."
        f" {name}[n] is the term a({_index(terms)})."
    )


def _evidence(chosen: Guess, tried: Sequence[str]) -> str:
    found = chosen.found
    states = ", ".join(f"{'no word' if count is None else count} at {terms}" for terms, count in chosen.states)
    return (
        f"{CONJECTURE} {found.length} terms: the word of the first {chosen.known} is right about the others, and each"
        f" transition is confirmed {plural(chosen.confirmed, 'digit')} deeper than it was guessed."
        f" States by terms: {states}. Tried: {', '.join(tried)}."
    )


def _way(session: Session, word: AutomaticWord) -> str:
    """Return what would prove that terms are the letters of a guessed word."""
    equations = kernel_equations(session, word)
    if equations:
        return f"It is proved by this recursion: {', '.join(equations)}."
    return "It is proved if the terms are that coding of that fixed point."


def _no_automaton(run: Sequence[int], attempts: Sequence[Attempt]) -> NoAutomaton:
    """Return the error that says what was tried."""
    lines = [f"no automaton: tried {', '.join(each.system for each in attempts)}, with {len(run)} terms"]
    for each in attempts:
        if each.growth is None:
            lines.append(f"  {each.system}: {each.problem}")
            continue
        expected = round(each.growth.states[-1] * 2**each.growth.exponent)
        lines.append(f"  {each.system}: states {each.growth}; with {2 * len(run)} terms about {expected} are next")
    return NoAutomaton("\n".join(lines), tuple(attempts), hint="give more terms, or other systems")


# -- definitions ---------------------------------------------------------------------------


def _by_definition(found: Conjecture, terms: Terms, definition: str) -> Conjecture:
    """Prove or refute that a definition has the word's letters as its terms."""
    about, session = found.about, found.about.session
    defined = found.defined_by(definition)
    name = _called(session, defined)
    try:
        with enforced(session.options.limits):
            recursive = has_calls(defined, {name})
            relation = session.solve(name, defined).relation if recursive else session.define(name, defined)
            names = tuple(getattr(relation, "names", ()))
            if names not in (("n",), ("n", "v")):
                what = f"the definition is about {', '.join(names) or 'no number'}"
                raise FibproverError(what, hint="call the index n, and the value v, if the definition has one")
            formula = about.stated(_claim(about.word, name, len(names), terms.first))
            verdict = session.prove(formula)
    except (BudgetSpent, LimitError, Unsolved) as problem:
        return found.undecided(problem, defined)
    if not verdict:
        return found.refuted(str(verdict.evidence), formula)
    return found.proved(definition, formula, verdict.trace.largest)


def _called(session: Session, definition: Formula) -> str:
    """Return the name of the relation that a definition is about: the first one that it calls and that is not known."""
    names = (each.name for each in nodes(definition) if isinstance(each, Call))
    return next((name for name in names if name not in session.namespace.predicates), RELATION)


def _claim(word: AutomaticWord, name: str, parameters: int, first: int) -> Formula:
    """Return the formula that the letters of the word are the terms of the defined relation."""
    letters = sorted(set(word.outputs))
    if first < 0:
        raise FibproverError(f"the first term is a({first}), and a definition is about natural numbers")
    x, v = Vocabulary(word.name), variable("v")
    place = n - first if first else n

    def claim(same: Formula, *bound: Variable) -> Formula:
        return forall(*bound, (n >= first) >> same if first else same)

    if parameters == 1 and set(letters) <= {0, 1}:
        return claim(call(name, n).iff(x.has(1, place)), n)
    if parameters == 2 and letters[0] >= 0:
        values = disjunction(x.has(letter, place) & v.eq(letter) for letter in letters)
        return claim(call(name, n, v).iff(values), n, v)
    raise FibproverError(
        f"the definition has {parameters} parameters, and the terms are {', '.join(map(str, letters))}",
        hint="$a(n) holds where a(n) is 1 and not 0; $a(n,v) holds where a(n) is v, 0 or more",
    )
