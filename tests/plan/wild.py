"""Formulas that try to confuse: names bound again and again, two systems, words with gaps, terms without values.

Quantifiers are guarded in ever other ways (in front, behind, as an implication, by a double negation),
so that brute force can judge; everything that a plan might lose or capture occurs: variables that
cancel, sides without variables, quantified variables of the same name side by side and inside one
another, formulas as arguments, equal words on both sides.
"""

from __future__ import annotations

import random
from itertools import product
from typing import TypeVar

import fibprover as fp
from fibprover.automata.dfa import Track, build
from fibprover.base.limits import Limits
from fibprover.words.automatic import automatic_word
from tests.oracle.brute import World
from tests.oracle.definitions import Predicate, predicates_of, words_of

#: Names by system; the code-unit order is not the alphabet's.
NAMES = {"msd_2": ("x", "y", "Z"), "msd_fib": ("u", "v")}
#: Predicates of msd_fib are called so, because predicates of one name have one system.
SUFFIX = {"msd_2": "", "msd_fib": "F"}
#: Largest value of a guarded variable.
GUARD = 7
#: How far brute force looks.
BOUND = 24


def gap_letter(i: int, j: int) -> int | None:
    """D[i][j]: -1, 0, 2 by the number of places where both have a 1, mod 3; no letter after two places
    in a row where i has 1 and j has 0."""
    common, before = 0, False
    for place in reversed(range(max(i.bit_length(), j.bit_length()))):
        a, b = i >> place & 1, j >> place & 1
        if a > b and before:
            return None
        common, before = (common + (a & b)) % 3, a > b
    return (-1, 0, 2)[common]


def sparse_letter(n: int) -> int | None:
    """P[n]: 2 at 0, else whether n is even; no letter where two ones are neighbours in binary."""
    if n & n >> 1:
        return None
    return 1 - n % 2 if n else 2


def _predicates(system: str) -> list[Predicate]:
    """A `reg` over plain digits means one thing in each system: one of them is enough here."""
    return [p for p in predicates_of(system).values() if not (system == "msd_fib" and "{0,1}" in p.command)]


def session(*, states: int = 50_000) -> fp.Session:
    """A session that knows all the names."""
    made = fp.Session("msd_2", limits=Limits(states=states, seconds=20))
    for system in NAMES:
        for word in words_of(system).values():
            made.define_morphic_word(word.name, word.rows, word.outputs, system=system)
        for predicate in _predicates(system):
            head, name, rest = predicate.command.split(" ", 2)
            made.run(f"{head} {name}{SUFFIX[system]} {rest}")
    made.define("yes", "0=0")
    made.define("no", "1=0")
    keys = [(common, before) for common in range(3) for before in (False, True)]
    rows = [
        {
            2 * a + b: keys.index(((common + (a & b)) % 3, a > b))
            for a, b in product((0, 1), repeat=2)
            if not (before and a > b)
        }
        for common, before in keys
    ]
    tracks = (Track("i", (0, 1), "msd_2"), Track("j", (0, 1), "msd_2"))
    made.namespace.words["D"] = automatic_word("D", build(tracks, rows, [(-1, 0, 2)[common] for common, _ in keys]))
    sparse = build(tracks[:1], [{0: 0, 1: 1}, {0: 2}, {0: 2, 1: 1}], [2, 0, 1])
    made.namespace.words["P"] = automatic_word("P", sparse)
    return made


def world() -> World:
    """The same names for brute force."""
    words = {word.name: word.letter for system in NAMES for word in words_of(system).values()}
    predicates = {
        predicate.name + SUFFIX[system]: predicate.truth for system in NAMES for predicate in _predicates(system)
    }
    return World(
        {**words, "D": gap_letter, "P": sparse_letter},
        {**predicates, "yes": lambda: True, "no": lambda: False},
        BOUND,
    )


T = TypeVar("T")


class Wild:
    """One formula a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.scope: dict[str, list[str]] = {system: [] for system in NAMES}

    def text(self, free: tuple[str, ...] | None = None) -> str:
        """A formula with (at most) these free variables."""
        if free is None:
            choices: list[tuple[str, ...]] = [(), ("x",), ("x", "u"), ("x", "y"), ("Z", "x", "u")]
            free = self.random.choice(choices)
        self.scope = {system: [name for name in free if name in names] for system, names in NAMES.items()}
        return self.formula(self.random.choice((1, 2, 3, 3, 4)))

    def evident(self) -> str:
        """A closed formula that begins with quantifiers, all of them guarded."""
        body = self.text(("x", "y", "u"))
        guard = "x<=5 & y<=4 & u<=4"
        return self.one(
            f"Ex,y,u {guard} & ({body})",
            f"Eu,x Ey {guard} & ({body})",
            f"Ax,y Au ({guard} => ({guard} => ({body})))",
            f"~Ey ~Au,x ({guard} => ({body}))",
            f"~~Ex,u ~Ay ({guard} => ~({body}))",
            f"Ay,u Ax ({guard}) => ({body})",
        )

    def one(self, *choices: T) -> T:
        return self.random.choice(choices)

    def small(self, least: int, most: int) -> str:
        return str(self.random.randint(least, most))

    # -- terms -----------------------------------------------------------------------------

    def variable(self, system: str) -> str:
        return self.random.choice(self.scope[system]) if self.scope[system] else self.small(0, 5)

    def total(self, system: str, depth: int) -> str:
        text = self.item(system, depth)
        for _ in range(self.one(0, 0, 1, 1, 2)):
            text += self.one("+", "-") + self.item(system, depth)
        return text

    def item(self, system: str, depth: int) -> str:
        match self.one("variable", "variable", "number", "multiple", "nothing", "sum", "quotient"):
            case "number":
                return self.small(0, 7)
            case "multiple":
                return f"{self.small(0, 3)}*{self.variable(system)}"
            case "nothing":
                return f"{self.variable(system)}*0"
            case "sum" if depth:
                return f"({self.total(system, depth - 1)})"
            case "quotient" if depth:
                return f"({self.total(system, depth - 1)})/{self.small(1, 3)}"
        return self.variable(system)

    def index(self, system: str) -> str:
        """An argument or index; a term without variables says its system, since here the default differs."""
        kind = self.random.random()
        if kind < 0.9 or not self.scope[system]:
            text = self.variable(system) if kind < 0.5 else self.total(system, 1)
            constant = not any(name in text for names in NAMES.values() for name in names)
            return f"?{system} {text}" if constant or self.random.random() < 0.2 else text
        name = self.variable(system)
        return self.one(f"{name}>2", f"{name}<5 & {name}!=2", f"~{name}=1", f"{name}-2<3")

    def letter(self, names: str = "TRNDPFG") -> str:
        name = self.random.choice(names)
        if name == "D":
            return f"D[{self.index('msd_2')}][{self.index('msd_2')}]"
        return f"{name}[{self.index('msd_fib' if name in 'FG' else 'msd_2')}]"

    # -- formulas --------------------------------------------------------------------------

    def relation(self) -> str:
        return self.one("=", "=", "<", "<=", ">", ">=", "!=")

    def atom(self) -> str:
        system = self.one("msd_2", "msd_2", "msd_fib")
        match self.one("number", "number", "number", "letters", "same", "constant", "sum", "closed", "call", "call"):
            case "letters":
                return f"{self.letter()}{self.relation()}{self.letter()}"
            case "same":
                letter = self.letter()
                return f"{letter}{self.one('=', '!=')}{letter}"
            case "constant":
                return f"{self.letter()}{self.relation()}@{self.one(-1, 0, 1, 2, 3)}"
            case "sum":
                first, other = self.letter("TRPFG"), self.letter("TRPFG")
                second = self.one(first, other, self.variable("msd_2"))
                signs = "+-" if "[" not in second else "+-*"
                right = self.one("1", "0", self.variable("msd_2"), self.letter("TRPFG"))
                return f"{first}{self.random.choice(signs)}{second}{self.relation()}{right}"
            case "closed":
                return self.one("$yes()", "$no()", "0=0", "0!=0")
            case "call":
                predicate = self.random.choice(_predicates(system))
                arguments = ",".join(self.index(system) for _ in range(predicate.arity))
                return f"${predicate.name}{SUFFIX[system]}({arguments})"
        text = f"{self.total(system, 1)}{self.relation()}{self.total(system, 1)}"
        return text if any(name in text for name in self.scope[system]) else f"(?{system} {text})"

    def formula(self, depth: int) -> str:
        kind = self.random.random()
        if depth <= 0 or kind < 0.15:
            return self.atom()
        if kind < 0.25:
            return f"~({self.formula(depth - 1)})"
        if kind < 0.62:
            sign = self.one("&", "|", "=>", "<=>", "^", "&", "|")
            return f"({self.formula(depth - 1)}) {sign} ({self.formula(depth - 1)})"
        return self.quantified(depth)

    def quantified(self, depth: int) -> str:
        """One or two variables, each of which the guard mentions; names may be in use already."""
        chosen: dict[str, str] = {}
        for _ in range(self.one(1, 1, 2)):
            system = self.one("msd_2", "msd_2", "msd_fib")
            chosen[self.random.choice(NAMES[system])] = system
        before = {system: list(names) for system, names in self.scope.items()}
        for name, system in chosen.items():
            self.scope[system] = [*(other for other in self.scope[system] if other != name), name]
        body = self.formula(depth - 1)
        self.scope = before
        guard = " & ".join(f"{name}<={self.small(1, GUARD)}" for name in chosen)
        names = ",".join(chosen)
        if self.random.random() < 0.15:
            many = self.one(">=", ">=", "<=", "=") + self.one("0", "1", "1", "2", "3", "5")
            return self.one(
                f"(E{many} {names} ({guard} & ({body})))",
                f"~E{many} {names} (({body}) & {guard})",
                f"(E{many} {names} ~({guard} => ~({body})))",
            )
        return self.one(
            f"E{names} ({guard} & ({body}))",
            f"E{names} (({body}) & {guard})",
            f"E{names} ~({guard} => ~({body}))",
            f"~A{names} ({guard} => ~({body}))",
            f"(E{names} ({guard}) & ({body}))",
            f"A{names} ({guard} => ({body}))",
            f"A{names} (({body}) | ~({guard}))",
            f"~E{names} ({guard} & ~({body}))",
        )
