"""The sheet of a sequence of numbers: its linear representation, a conjecture from terms, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError, did_you_mean
from fibprover.base.limits import Limits, spending
from fibprover.base.names import word_predicate
from fibprover.base.values import value
from fibprover.infer.choice import SYSTEMS
from fibprover.language.tree import Call, Formula, InSystem, WordValue, nodes
from fibprover.numeration.system import NumerationSystem
from fibprover.prover.environment import Definition
from fibprover.sequences.guess import FEWEST, SequenceGuess, guess_sequence
from fibprover.sequences.recursion import recursion_of
from fibprover.sequences.series import Series
from fibprover.sheets.answer import Status
from fibprover.sheets.line import Line, Lines
from fibprover.sheets.no_automaton import NoAutomaton
from fibprover.sheets.script import script_of_sequence
from fibprover.sheets.suprema import PLOTTED
from fibprover.sheets.terms import Terms
from fibprover.words.automatic import AutomaticWord
from fibprover.workspace.session import Session

#: Terms at most this index are also tried as a(0), a(1), ... with zeros before the first one.
_MOST_BEFORE = 16

#: A representation with so many times fewer entries than there are terms is not by chance: no other system is tried.
_FEW = 2

#: A recursion with more equations is not written.
_MOST_EQUATIONS = 24

#: What is said of a recursion over a system that is no base.
_BY_DIGITS = (
    " In it n is any word of digits of {system}, the most significant first, and n.d is n with the digits d after it;"
    " {name} of a word is that of the number which it represents, and 0 if it represents none."
)

_SHOWN = 20


@value
class SequenceSheet(Lines):
    """All lines about a sequence that terms suggest.

    sequence: sequence[n] is the term at n + shift; words, predicates: those that the definition mentions, as far as
    they were made.
    """

    name: str
    given: str
    system: str
    prefix: tuple[int, ...]
    lines: tuple[Line, ...]
    seconds: float
    sequence: Series
    shift: int
    words: tuple[AutomaticWord, ...] = ()
    predicates: tuple[Definition, ...] = ()

    __repr__ = Lines.__repr__  # which `value` would replace

    @property
    def term(self) -> str:
        """The term that is sequence[n], such as a(n+1)."""
        return f"{self.name}({_index(self.shift)})"

    @property
    def title(self) -> str:
        """What the sheet is about."""
        return f"The sequence {self.term}"

    def to_script(self, line: str | None = None) -> str:
        """Return the sheet, or the line with this id, as a script for Walnut and for `fibprover run`."""
        return script_of_sequence(self, None if line is None else self[line])


class _Guessed(NamedTuple):
    """A guess with so many zeros before the first term."""

    guess: SequenceGuess
    before: int


def study_sequence(
    terms: Terms, definition: str = "", *, systems: Sequence[str] = (), only: Sequence[str] = (), limits: Limits,
    notify: Callable[[str], None] | None = None,
) -> SequenceSheet:
    """Return the sheet of the sequence with a linear representation that terms suggest; NoAutomaton if there is none.

    definition: a formula with the free variable n, whose other variables are counted: a(n) is how many values of these
    there are.  Then the conjecture is proved or refuted, by an equality of linear representations.
    """
    begun = perf_counter()
    for name in only:
        if name not in _QUESTIONS:
            hint = did_you_mean(name, [*_QUESTIONS]) or ", ".join(_QUESTIONS)
            raise FibproverError(f"no line of the sheet of a sequence is {name!r}", hint=hint)
    session = Session(limits=limits)
    with spending(limits.start()):
        found, tried = _guessed(session, terms, systems or SYSTEMS)
    shift = terms.first - found.before
    sequence = found.guess.sequence
    first = _conjecture(session, terms, found, tried, definition, perf_counter() - begun)
    lines = [first]
    for name, question in _QUESTIONS.items():
        if only and name not in only:
            continue
        if notify is not None:
            notify(name)
        line = _line(name, question, sequence, shift, limits)
        said = line.statement
        if found.before:
            said += f" Here a(n) = 0 for n < {terms.first}."
        if first.status != "proved":
            said = f"Under the conjecture: {said}"
        lines.append(replace(line, statement=said))
    words = session.namespace.library_words
    return SequenceSheet(
        "a", f"{len(terms)} terms", sequence.system.name, terms.run[:_SHOWN], tuple(lines), perf_counter() - begun,
        sequence, shift, tuple(words[name] for name in _names(first.tree) if name in words),
        tuple(session.namespace.word_predicates.values()),
    )


def _names(formula: Formula | None) -> list[str]:
    """Return what may be names of words in a formula, of letters as in T[n] and of predicates as $feq_T."""
    found = []
    for each in () if formula is None else nodes(formula):
        if isinstance(each, WordValue):
            found.append(each.word)
        elif isinstance(each, Call) and (parts := word_predicate(each.name)) is not None:
            found.append(parts[1])
    return list(dict.fromkeys(found))


def _index(shift: int) -> str:
    return f"n{shift:+d}" if shift else "n"


def _guessed(session: Session, terms: Terms, systems: Sequence[str]) -> tuple[_Guessed, list[str]]:
    """Return the guess of least rank, and the systems that were tried."""
    run = terms.run
    best: _Guessed | None = None
    tried: list[str] = []
    for name in systems if len(run) >= FEWEST else ():
        system = session.namespace.system(name)
        try:
            found = list(_over(system, terms))
        except BudgetSpent:
            if best is None:
                raise
            break
        tried.append(name)
        best = min([*([best] if best else []), *found], key=lambda each: each.guess.rank, default=None)
        if best is not None and _FEW * best.guess.rank**2 * len(system.digits) <= len(run):
            break
    if best is None:
        said = f"tried {', '.join(tried)}, with {len(run)} terms" if tried else f"{len(run)} terms are too few"
        raise NoAutomaton(f"no linear representation: {said}", (), hint="give more terms, or other systems")
    return best, tried


def _over(system: NumerationSystem, terms: Terms) -> Iterator[_Guessed]:
    """Yield the guesses over a system that are right about all terms, also after a gap."""
    for before in (terms.first, 0) if 0 < terms.first <= _MOST_BEFORE else (0,):
        guess = guess_sequence([0] * before + list(terms.run), system)
        shift = terms.first - before
        if guess is not None and all(guess.sequence[index - shift] == term for index, term in terms.beyond):
            yield _Guessed(guess, before)


def _conjecture(
    session: Session, terms: Terms, found: _Guessed, tried: Sequence[str], definition: str, seconds: float
) -> Line:
    """Return the line of the conjecture, proved or refuted if there is a definition."""
    guess, shift = found.guess, terms.first - found.before
    system = guess.sequence.system.name
    index = _index(shift)
    statement = (
        f"The terms a({index}) are the sequence over {system} with a linear representation of dimension {guess.rank}."
    )
    evidence = (
        f"Conjecture, from {len(terms)} terms, rank {guess.rank}: the representation of the first "
        f"{guess.known - found.before} is right about the others. Tried: {', '.join(tried)}."
    )
    first = [guess.sequence[n] for n in range(PLOTTED)]
    line = Line(
        "sequence", "conjecture", statement, "open", evidence, None, guess.rank, seconds, "sequence",
        terms=tuple(int(each) if each.denominator == 1 else None for each in first),
    )
    if definition:
        return _by_definition(session, line, guess.sequence, terms.first, found.before, definition)
    return replace(
        line, value=f"{evidence} It is proved by its recursion, or by a definition, if the terms count something."
    )


def _by_definition(
    session: Session, line: Line, sequence: Series, first: int, before: int, definition: str
) -> Line:
    """Compare a sequence with the counts of a formula from the first term on."""
    if first < 0:
        raise FibproverError(f"the first term is a({first}), and a definition is about natural numbers")
    counted_by = session.parse(definition).formula
    if not isinstance(counted_by, InSystem):
        counted_by = counted_by.in_system(sequence.system.name)
    line = replace(line, tree=counted_by)
    try:
        with spending(session.options.limits.start()):
            counted = session.counts("n", counted_by)
            place = (counted.subsequence(1, first) - sequence.subsequence(1, before)).first_nonzero()
    except (BudgetSpent, LimitError) as problem:
        return replace(line, value=f"{line.value} The definition is not decided: {problem.message}.")
    if place is not None:
        at = place[0] + first
        return replace(
            line, status="refuted", value=f"{line.value} The definition gives other terms: {counted[at]} at n = {at}."
        )
    rest = line.value.removeprefix("Conjecture")
    return replace(
        line, status="proved", value=f"Proved from the definition {definition.strip()}. It was a conjecture{rest}"
    )


# -- what is asked of a sequence -------------------------------------------------------------


class _Said(NamedTuple):
    status: Status
    value: str
    states: int | None = None
    automaton: Dfa | None = None
    more: str = ""  # what is added to the statement


def _recursion(sequence: Series, name: str) -> _Said:
    recursion = recursion_of(sequence)
    texts = recursion.texts(name)
    said = ", ".join(texts) if len(texts) <= _MOST_EQUATIONS else f"{len(texts)} equations, too many to be shown"
    more = _BY_DIGITS.format(system=recursion.system, name=name) if recursion.base is None else ""
    return _Said("proved", said, sequence.dimension, more=more)


def _growth(sequence: Series, _: str) -> _Said:
    found = sequence.growth()
    return _Said("open" if found.degree is None and found.exponent is None else "proved", str(found))


def _weights(sequence: Series, _: str) -> _Said:
    return _Said("proved", str(sequence.recurrence()))


def _synchronized(sequence: Series, _: str) -> _Said:
    found = sequence.graph()
    return _Said("proved", "", found.states, found.automaton)


class _Question(NamedTuple):
    """What is asked of a sequence; answer: of it and its name; kind: of the line.

    statement: about {term}, a(n) or a(n+1), or about {named}, a(n) or b(n) = a(n+1).
    """

    statement: str
    answer: Callable[[Series, str], _Said]
    kind: str = "claim"


_QUESTIONS: Mapping[str, _Question] = MappingProxyType({
    "recursion": _Question("The recursion of {named}, which determines it.", _recursion, "recursion"),
    "growth": _Question("The growth of {term}.", _growth),
    "weights": _Question("{term} at the weights n = U_k of the places, s(k).", _weights),
    "synchronized": _Question("The pairs of n and {term} are an automaton.", _synchronized),
})


def _line(name: str, question: _Question, sequence: Series, shift: int, limits: Limits) -> Line:
    """Answer a question about the sequence that is a(n + shift) at n."""
    begun = perf_counter()
    term = f"a({_index(shift)})"
    letter, named = ("b", f"b(n) = {term}") if shift else ("a", term)
    try:
        with spending(limits.start()):
            said = question.answer(sequence, letter)
    except FibproverError as problem:
        said = _Said("open", f"not decided: {problem.message}")
    statement = question.statement.format(term=term, named=named) + said.more
    seconds = perf_counter() - begun
    return Line(
        name, "sequence", statement, said.status, said.value, None, said.states, seconds, question.kind, said.automaton
    )
