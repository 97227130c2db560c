"""The lines of a certificate: systems, words, predicates, automata and claims, each written before it is needed."""

from __future__ import annotations

import re
import sys
from collections.abc import Container, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError
from fibprover.base.limits import Budget
from fibprover.base.names import PARAMETER, is_parameter, system_name
from fibprover.base.values import value
from fibprover.prover.certificate.meanings import with_recurrence, with_series
from fibprover.prover.certificate.normal import Node
from fibprover.prover.environment import Definition, Environment, Sort, sort_of
from fibprover.prover.evaluate.atoms import Atoms
from fibprover.prover.logic import Logic
from fibprover.words.automatic import AutomaticWord

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

#: What a line of a certificate holds.
Line = dict[str, Any]


class NotCertified(FibproverError):
    """A statement for which no certificate can be written; the message gives the reason."""


class TooMuchWork(Exception):
    """A proof that is tried takes more work than another one."""


@value
class Proved:
    """A claim that has been written: its number and its automaton; guarded: whether it holds under a guard only."""

    number: int
    automaton: Dfa
    guarded: bool = False


@dataclass
class Written:
    """The lines of a certificate, and what they say already; what may be given up is written into a copy.

    variables: those of the lines; claims: how many there are; work: how many transitions their automata have.
    systems, names: the lines of systems by their names, and these names by sorts.  automata: their numbers; made: how
    one is made that no claim has, without its line, and of which.  proved: the claims of formulas, and atoms, adders,
    defined, shapes those of atoms, of the predicates that add, of definitions, and of linear atoms up to the names of
    their variables.  predicates, languages, solved, reading, meanings: what is known of predicates; of languages, the
    systems of their arguments, and whether words of plain alphabets are read from the other end.  integers: of each
    system of all integers the predicate and the factor by which a number stands for an integer; comparisons: the
    definitions that compare sums of integers.
    """

    lines: list[Line] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    claims: int = 0
    work: int = 0
    systems: dict[str, Line] = field(default_factory=dict)
    names: dict[Sort, str] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    automata: dict[tuple[Any, ...], int] = field(default_factory=dict)
    made: dict[tuple[Any, ...], tuple[Line, tuple[Dfa, ...]]] = field(default_factory=dict)
    proved: dict[Node, Proved] = field(default_factory=dict)
    atoms: dict[Node, Proved] = field(default_factory=dict)
    adders: dict[str, Definition] = field(default_factory=dict)
    defined: dict[str, Proved] = field(default_factory=dict)
    shapes: dict[object, tuple[Proved, tuple[str, ...]]] = field(default_factory=dict)
    predicates: dict[str, None] = field(default_factory=dict)
    languages: dict[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    solved: set[str] = field(default_factory=set)
    integers: dict[str, tuple[Definition, int]] = field(default_factory=dict)
    comparisons: dict[object, Definition] = field(default_factory=dict)
    reading: set[str] = field(default_factory=set)
    meanings: dict[str, tuple[Logic, tuple[str, ...]]] = field(default_factory=dict)

    def copied(self) -> Written:
        """Return a copy that is changed by itself; what the collections hold is never changed."""
        return Written(**{one.name: copy(getattr(self, one.name)) for one in fields(self)})


class Tables:
    """Writes the lines.

    written: what has been written.  No other object keeps a part of it, so a copy can take its place.
    sorts: those of all variables, also of such as are written no more: no name is used twice.  A variable for integers
    has the sort of the natural numbers that stand for them (integers.py), and `signed` has the system of the integers.
    most_work: when to give up what is tried.
    """

    def __init__(self, environment: Environment, budget: Budget) -> None:
        self.environment, self.budget = environment, budget
        self.written = Written()
        self.sorts: dict[str, Sort] = {}
        self.signed: dict[str, str] = {}
        self.atoms = Atoms(environment.system, self.sorts, budget)
        self.most_work = sys.maxsize

    @property
    def lines(self) -> list[Line]:
        """The lines that have been written."""
        return self.written.lines

    @property
    def parameter(self) -> tuple[str, ...]:
        """The variable of the parameter, if the formula is about a family."""
        return (PARAMETER,) if PARAMETER in self.sorts else ()

    # Names

    def variable(self, sort: Sort, like: str = "t") -> str:
        """Return a new variable."""
        plain = re.sub(r"\W", "", like, flags=re.ASCII)
        name = f"{plain if _NAME.fullmatch(plain) else 't'}_{len(self.sorts)}"
        self.sorts[name] = self.natural(sort)
        if self.sorts[name] != sort:
            self.signed[name] = self.shown(sort)
        self.written.variables.append(name)
        return name

    def signed_variable(self, system: str, sort: Sort, like: str) -> str:
        """Return a new variable for the integers of a system; sort: that of the numbers that stand for them."""
        name = self.variable(sort, like)
        self.signed[name] = system
        return name

    def natural(self, sort: Sort) -> Sort:
        """Return the sort of the natural numbers that stand for integers, those with their digits; others stay."""
        if not sort.system or is_parameter(sort.system):
            return sort
        system = self.environment.system(sort.system)
        if not system.signed:
            return sort
        recurrence = system.recurrence
        if recurrence is not None and recurrence.order == 1:
            base = str(-recurrence.coefficients[0])
        elif recurrence is not None and (recurrence.coefficients, recurrence.initial) == ((-1, 1), (1, -1)):
            base = "fib"
        else:
            raise NotCertified(
                f"{sort.system} is about all integers; certificates are about natural numbers, and about the integers"
                " of bases -2, -3, ... and negaFibonacci"
            )
        return Sort(system_name(sort.system)._replace(base=base).full, sort.digits)

    def shown(self, sort: Sort) -> str:
        """Return the name that a certificate has for the system of a variable, of an index, or of an argument."""
        if self.natural(sort) == sort:
            return self.system(sort)
        return system_name(sort.system)._replace(lsd_first=False).full

    def new_name(self, like: str) -> str:
        """Return the name of a predicate that the user has not defined."""
        name = re.sub(r"\W", "_", like, flags=re.ASCII)
        while name in self.environment.definitions:
            name += "_"
        return name

    @staticmethod
    def check_name(name: str) -> None:
        """Raise NotCertified for a name that certificates cannot hold."""
        if not _NAME.fullmatch(name) or name in ("true", "false"):
            raise NotCertified(f"certificates cannot hold the name {name}", hint="give it a name of Latin letters")

    # Lines

    def system(self, sort: Sort) -> str:
        """Return the name of a system; its words are written.

        An lsd system has the numbers of the msd one, and all relations are stored most significant digit first: so it
        is the msd system here.
        """
        if sort not in self.written.names:
            self.written.names[sort] = self._system(sort)
        return self.written.names[sort]

    def shown_of(self, name: str) -> str:
        """Return the same of a variable."""
        return self.signed.get(name) or self.system(self.sorts[name])

    def _system(self, sort: Sort) -> str:
        if not sort.system:
            raise NotCertified("only numbers are certified, not words over a plain alphabet")
        if is_parameter(sort.system):
            self.sorts.setdefault(PARAMETER, sort)  # that of a word may be read from the other end
            return PARAMETER
        if (natural := self.natural(sort)) != sort:
            return self.system(natural)
        system = self.environment.system(sort.system)
        if sort.digits != tuple(range(len(sort.digits))):
            raise NotCertified(f"{sort.system} has other digits than 0, 1, 2, ...")
        name = system_name(sort.system)._replace(lsd_first=False).full
        line = {"system": name, "digits": len(sort.digits), **table(system.valid)}
        if system.parameter is not None:
            self.system(sort_of(system.parameter))
        if name not in self.written.systems:
            self.check_name(name)
            self.lines.append(line if system.parameter is not None else with_recurrence(system, line))
        if self.written.systems.setdefault(name, line) != line:
            raise NotCertified(f"{sort.system} has other numbers than {name}")
        return name

    def variables(self) -> dict[str, str]:
        """Return the names of the systems of the variables."""
        return {name: self.shown_of(name) for name in self.written.variables}

    def word(self, word: AutomaticWord, variables: Sequence[str]) -> None:
        """Write a word, which these variables index."""
        sorts = [sort_of(track) for track in word.tracks]
        systems = [self.shown(sort) for sort in sorts]
        if systems != list(map(self.shown_of, variables)):
            raise NotCertified(f"an index of {word.name} belongs to another system")
        if word.name in self.written.words:
            return
        self.check_name(word.name)
        tracks = [f"#{place}" for place in range(len(sorts))]
        tracks = [PARAMETER if is_parameter(sort.system) else track for sort, track in zip(sorts, tracks, strict=True)]
        valid = [self.atoms.numbers(sort.track(track)) for sort, track in zip(sorts, tracks, strict=True)]
        numbers = operations.cylinder(operations.true(), valid, self.budget)
        machine = word.machine.renamed(tracks)
        if word.padding_matters or not kernel_calls.difference_is_empty(
            numbers, word.renamed(tracks).where(frozenset(word.outputs), self.budget), self.budget
        ):
            raise NotCertified(f"{word.name} has no letter at some numbers, or one that leading zeros change")
        self.written.words.add(word.name)
        self.lines.append(with_series(word, {"word": word.name, "systems": systems, **table(machine)}))

    def predicate(self, name: str, automaton: Dfa, **more: object) -> None:
        """Write a predicate that is an automaton; more: what else is known of it."""
        systems = [self.system(sort_of(track)) for track in automaton.tracks]
        self.lines.append({"predicate": name, "systems": systems, **table(automaton), **more})

    def relation(self, automaton: Dfa) -> list[Any]:
        """Return what stands for a relation between variables; its automaton is written if it is new."""
        key = self._key(automaton)
        if key not in self.written.automata:
            # It is taken out, as some are made of each other: of those with other names, or another order, of tracks.
            line, of = self.written.made.pop(key, (None, ()))
            parts = [self.relation(one) for one in of]
            if key not in self.written.automata:
                given = {"automaton": len(self.written.automata), "systems": list(key[0]), **table(automaton)}
                self.lines.append(given if line is None else {**line, "of": parts})
                self.written.automata[key] = len(self.written.automata)
        return [self.written.automata[key], list(automaton.names)]

    def _key(self, automaton: Dfa) -> tuple[Any, ...]:
        """Return what tells an automaton from others, with the systems of its tracks first."""
        systems = tuple([self.system(self.sorts[name]) for name in automaton.names])
        arrays = (automaton.codes, automaton.targets, automaton.offsets, automaton.outputs)
        return systems, *map(bytes, arrays)

    def made(self, automaton: Dfa, of: Sequence[Dfa], bound: Sequence[str] = ()) -> Dfa:
        """Note, and return, an automaton that accepts what all of some do, or what one does without some tracks."""
        if sorted(automaton.names) == list(automaton.names):
            line: Line = {"make": "exists", "bound": list(bound)} if bound else {"make": "and"}
            self.written.made[self._key(automaton)] = line, tuple(of)
        return automaton

    def claim(
        self, rule: str, of: Sequence[Proved], automaton: Dfa, guard: Dfa | None = None, **more: object
    ) -> Proved:
        """Write a claim; guard: under which it holds."""
        automaton = reordered(automaton, sorted(automaton.names), self.budget)  # as a checker builds it
        self.written.work += automaton.transitions
        if self.written.work > self.most_work:
            raise TooMuchWork
        line: Line = {"rule": rule, **more}
        if of:
            line["of"] = [one.number for one in of]
        if guard is not None:
            line["guards"] = [self.relation(guard)]
        key = self._key(automaton)
        if rule == "limit" or key in self.written.automata:
            line["relation"] = self.relation(automaton)
        else:
            self.written.automata[key] = len(self.written.automata)
        self.lines.append(line)
        self.written.claims += 1
        return Proved(self.written.claims - 1, automaton, guard is not None)


def reordered(automaton: Dfa, names: Sequence[str], budget: Budget) -> Dfa:
    """Return an automaton with its tracks in the order of `names`, and states numbered as they are met then."""
    if list(names) == list(automaton.names):
        return automaton
    return kernel_calls.minimize(kernel_calls.reorder(automaton, names, budget), budget)


def table(automaton: Dfa) -> Line:
    """Return an automaton as a certificate has it; one that accepts nothing gets the loop of zeros."""
    codes, targets, offsets = automaton.codes.tolist(), automaton.targets.tolist(), automaton.offsets.tolist()
    rows: list[list[int]] = []
    for state in range(automaton.states):
        places = range(offsets[state], offsets[state + 1])
        rows.append([number for place in places for number in (codes[place], targets[place])])
    if automaton.transitions == 0:
        rows[0] = [0, 0]
    return {"outputs": automaton.outputs.tolist(), "rows": rows}


def new_name(like: str, taken: Container[str]) -> str:
    """Return a name that is not taken."""
    while like in taken:
        like += "_"
    return like


def rational(number: int | Fraction) -> int | list[int]:
    """Return a rational number as a certificate has it."""
    return int(number) if number.denominator == 1 else [number.numerator, number.denominator]
