"""The lines of a certificate: systems, words, predicates, automata and claims, each written before it is needed."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

from fibprover.automata import kernel_calls, operations
from fibprover.automata.dfa import Dfa
from fibprover.base.errors import FibproverError
from fibprover.base.limits import Budget
from fibprover.base.names import system_name
from fibprover.base.values import value
from fibprover.prover.certificate.meanings import with_recurrence, with_series
from fibprover.prover.environment import Environment, Sort, sort_of
from fibprover.prover.evaluate.atoms import Atoms
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


class Tables:
    """Writes the lines, and knows what has been written.

    sorts: those of the variables.
    """

    def __init__(self, environment: Environment, budget: Budget) -> None:
        self.environment, self.budget = environment, budget
        self.sorts: dict[str, Sort] = {}
        self.lines: list[Line] = []
        self.atoms = Atoms(environment.system, self.sorts, budget)
        self._claims = 0
        #: How many transitions the automata of claims have, and when to give up what is tried.
        self.work, self.most_work = 0, sys.maxsize
        #: The lines of systems by their names, and these names by sorts.
        self._systems: dict[str, Line] = {}
        self._names: dict[Sort, str] = {}
        self._words: set[str] = set()
        self._automata: dict[tuple[Any, ...], int] = {}
        #: How an automaton is made that no claim has: without its line, and of these.
        self._made: dict[tuple[Any, ...], tuple[Line, tuple[Dfa, ...]]] = {}

    # Names

    def variable(self, sort: Sort, like: str = "t") -> str:
        """Return a new variable."""
        plain = re.sub(r"\W", "", like, flags=re.ASCII)
        name = f"{plain if _NAME.fullmatch(plain) else 't'}_{len(self.sorts)}"
        self.sorts[name] = sort
        return name

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
        if sort not in self._names:
            self._names[sort] = self._system(sort)
        return self._names[sort]

    def _system(self, sort: Sort) -> str:
        if not sort.system:
            raise NotCertified("only numbers are certified, not words over a plain alphabet")
        system = self.environment.system(sort.system)
        if system.signed:
            raise NotCertified(f"{sort.system} is about all integers; certificates are about natural numbers")
        if sort.digits != tuple(range(len(sort.digits))):
            raise NotCertified(f"{sort.system} has other digits than 0, 1, 2, ...")
        name = system_name(sort.system)._replace(lsd_first=False).full
        line = {"system": name, "digits": len(sort.digits), **table(system.valid)}
        if name not in self._systems:
            self.check_name(name)
            self.lines.append(with_recurrence(system, line))
        if self._systems.setdefault(name, line) != line:
            raise NotCertified(f"{sort.system} has other numbers than {name}")
        return name

    def variables(self) -> dict[str, str]:
        """Return the names of the systems of all variables."""
        return {name: self.system(sort) for name, sort in self.sorts.items()}

    def word(self, word: AutomaticWord, variables: Sequence[str]) -> None:
        """Write a word, which these variables index."""
        sorts = [sort_of(track) for track in word.tracks]
        systems = [self.system(sort) for sort in sorts]
        if systems != [self.system(self.sorts[name]) for name in variables]:
            raise NotCertified(f"an index of {word.name} belongs to another system")
        if word.name in self._words:
            return
        self.check_name(word.name)
        tracks = [f"#{place}" for place in range(len(sorts))]
        valid = [self.environment.system(sort.system).valid for sort in sorts]
        numbers = operations.cartesian_product(
            [one.renamed([track]) for one, track in zip(valid, tracks, strict=True)], self.budget
        )
        machine = word.machine.renamed(tracks)
        if word.padding_matters or not kernel_calls.difference_is_empty(
            numbers, word.renamed(tracks).where(frozenset(word.outputs), self.budget), self.budget
        ):
            raise NotCertified(f"{word.name} has no letter at some numbers, or one that leading zeros change")
        self._words.add(word.name)
        self.lines.append(with_series(word, {"word": word.name, "systems": systems, **table(machine)}))

    def predicate(self, name: str, automaton: Dfa, **more: object) -> None:
        """Write a predicate that is an automaton; more: what else is known of it."""
        systems = [self.system(sort_of(track)) for track in automaton.tracks]
        self.lines.append({"predicate": name, "systems": systems, **table(automaton), **more})

    def relation(self, automaton: Dfa) -> list[Any]:
        """Return what stands for a relation between variables; its automaton is written if it is new."""
        key = self._key(automaton)
        if key not in self._automata:
            # It is taken out, as some may be made of each other: they are equal up to names and the order of tracks.
            line, of = self._made.pop(key, (None, ()))
            parts = [self.relation(one) for one in of]
            if key not in self._automata:
                given = {"automaton": len(self._automata), "systems": list(key[0]), **table(automaton)}
                self.lines.append(given if line is None else {**line, "of": parts})
                self._automata[key] = len(self._automata)
        return [self._automata[key], list(automaton.names)]

    def _key(self, automaton: Dfa) -> tuple[Any, ...]:
        """Return what tells an automaton from others, with the systems of its tracks first."""
        systems = tuple([self.system(self.sorts[name]) for name in automaton.names])
        arrays = (automaton.codes, automaton.targets, automaton.offsets, automaton.outputs)
        return systems, *map(bytes, arrays)

    def made(self, automaton: Dfa, of: Sequence[Dfa], bound: Sequence[str] = ()) -> Dfa:
        """Note, and return, an automaton that accepts what all of some do, or what one does without some tracks."""
        if sorted(automaton.names) == list(automaton.names):
            line: Line = {"make": "exists", "bound": list(bound)} if bound else {"make": "and"}
            self._made[self._key(automaton)] = line, tuple(of)
        return automaton

    def claim(
        self, rule: str, of: Sequence[Proved], automaton: Dfa, guard: Dfa | None = None, **more: object
    ) -> Proved:
        """Write a claim; guard: under which it holds."""
        self.work += automaton.transitions
        if self.work > self.most_work:
            raise TooMuchWork
        line: Line = {"rule": rule, **more}
        if of:
            line["of"] = [one.number for one in of]
        if guard is not None:
            line["guards"] = [self.relation(guard)]
        key = self._key(automaton)
        if key in self._automata or sorted(automaton.names) != list(automaton.names):
            line["relation"] = self.relation(automaton)
        else:
            self._automata[key] = len(self._automata)
        self.lines.append(line)
        self._claims += 1
        return Proved(self._claims - 1, automaton, guard is not None)


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
