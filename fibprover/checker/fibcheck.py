#!/usr/bin/env python3
"""Check a certificate: a proof of a statement about natural numbers, by a program that knows nothing of any prover.

    python fibcheck.py FILE     prints the statement and what its names mean; its last line is VALID, or INVALID and why

Exit status: 0 valid, 1 invalid, 2 no certificate, or one too large for the limits.  It needs Python 3.11 alone.

WHAT IS TRUSTED: this file and Python.  Who has written the certificate, and how, does not matter.

NUMBERS.  A numeration system is a set of words over the digits 0, ..., d-1, given by an automaton, such that w is in it
exactly if 0w is.  Order its words without leading zeros by length, and those of one length by their digits from the
left: the word at place n, counted from 0, represents n.  So among words of one length, with zeros in front, numbers are
ordered as their words are.  No more is assumed of a system: that an automaton adds is proved (`rule_addition`).

AUTOMATA are deterministic; where there is no transition, a word is refused.  They read one digit for each of their
tracks at a time.  The initial state has a loop at the letter of zeros, so zeros in front change nothing, and an
automaton is a set of tuples of numbers: those whose words, filled up with zeros to any one length, it accepts.  Its
tracks are named by variables, and each variable belongs to one system.

STATEMENTS are about natural numbers.  Atoms are comparisons of sums, letters of words (an automaton whose output after
the digits of n is the letter at n; every index has one), predicates that are automata, and those that formulas define.
~ & | ^ => <=> E A have their usual meaning; (E>=k x,y F): at least k pairs.  Formulas are read into a normal form,
where | => ^ A are written by ~ & E, conjunctions are sets, and E is lifted out of them.  Its constructors
(`linear`, `conjunction`, `negation`, `equivalence`, `exists`) return formulas equivalent to those that they name.

CLAIMS.  A claim is a formula F, a relation R (an automaton over named tracks) and guards, which are relations too: "for
all values of all variables: if every guard accepts them, then R accepts them exactly if F is true of them".  A rule
makes a claim of earlier ones; each function `rule_...` says of which formula, and why that is so.  Relations of claims
accept numbers only.  The last claim has the statement as its formula, neither tracks nor guards, and accepts: so the
statement is true.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NoReturn

Letter = tuple[int, ...]
Formula = tuple[Any, ...]
Line = dict[str, Any]


class Malformed(Exception):
    """The file is no certificate, or too large."""


class Invalid(Exception):
    """A step does not follow."""


def fail(reason: str) -> NoReturn:
    raise Malformed(reason)


# -- automata --------------------------------------------------------------------------------------------------------


class Automaton:
    """For each state its transitions by letter, and its output (of automata that accept: 0 refuses)."""

    def __init__(self, rows: list[dict[Letter, int]], outputs: list[int]) -> None:
        self.rows, self.outputs = rows, outputs
        self._joins: dict[Any, list[dict[Letter, list[tuple[Letter, int]]] | None]] = {}

    def join(self, state: int, key: tuple[Letter, Letter]) -> dict[Letter, list[tuple[Letter, int]]]:
        """Return, for the digits at some places, the transitions of a state: the digits at others, and the target."""
        rows = self._joins.setdefault(key, [None] * len(self.rows))
        found = rows[state]
        if found is None:
            found = rows[state] = {}
            for letter, target in self.rows[state].items():
                known, new = [tuple([letter[i] for i in places]) for places in key]
                found.setdefault(known, []).append((new, target))
        return found

    def where(self, holds: Callable[[int], bool]) -> Automaton:
        """Return the automaton that accepts where something holds of the output."""
        return Automaton(self.rows, [int(holds(output)) for output in self.outputs])


class Relation:
    """An automaton over named tracks: tracks that are given the same name become one, where their digits are equal."""

    def __init__(self, automaton: Automaton, names: Sequence[str]) -> None:
        self.automaton, self.names = automaton, tuple(dict.fromkeys(names))
        if len(self.names) < len(names):
            kept, first = [names.index(name) for name in self.names], [names.index(name) for name in names]
            self.automaton = Automaton([
                {tuple(letter[i] for i in kept): target for letter, target in row.items()
                 if all(letter[i] == digit for i, digit in zip(first, letter, strict=True))}
                for row in automaton.rows
            ], automaton.outputs)

    def renamed(self, names: Mapping[str, str]) -> Relation:
        return Relation(self.automaton, [names.get(name, name) for name in self.names])


def picker(names: Sequence[str], wanted: Sequence[str]) -> Callable[[Letter], Letter]:
    """Return a function that takes the digits of wanted tracks out of a letter over names."""
    places = [names.index(name) for name in wanted]
    if len(places) == 1:
        (place,) = places
        return lambda letter: (letter[place],)
    return itemgetter(*places) if places else lambda letter: ()


class Product:
    """Several relations that read the same digits of the variables that they share; its letters are over `names`."""

    def __init__(self, parts: Sequence[Relation]) -> None:
        self.names: list[str] = []
        self.steps = []
        for part in parts:
            old, new = [x for x in part.names if x in self.names], [x for x in part.names if x not in self.names]
            key = tuple(map(part.names.index, old)), tuple(map(part.names.index, new))
            self.steps.append((part.automaton, picker(self.names, old), key))
            self.names += new

    def accepts(self, states: Letter) -> bool:
        return all(automaton.outputs[state] for (automaton, _, _), state in zip(self.steps, states, strict=True))

    def moves(self, states: Letter) -> list[tuple[Letter, Letter]]:
        """Return the letters that all parts have a transition for, and where these lead."""
        found: list[tuple[Letter, Letter]] = [((), ())]
        for state, (automaton, pick, key) in zip(states, self.steps, strict=True):
            rows = automaton.join(state, key)
            found = [
                (letter + more, (*before, target))
                for letter, before in found for more, target in rows.get(pick(letter), ())
            ]
        return found


class Walker:
    """Walks through products of automata, within limits of time and of steps."""

    def __init__(self, seconds: float, steps: int) -> None:
        self.until, self.left, self.calls = time.monotonic() + seconds, steps, 0

    def spend(self, steps: int) -> None:
        self.left, self.calls = self.left - steps - 1, self.calls + 1
        if self.left < 0 or (self.calls % 256 == 0 and time.monotonic() > self.until):
            fail("checking it takes more steps, or more time, than the limit")

    def walk(
        self, product: Product, start: Any, after: Callable[[Any, Letter], Any], ends: Callable[[Any], bool]
    ) -> bool:
        """Return whether all that a product accepts leads what goes on beside it, from `start`, to a good end."""
        todo = [((0,) * len(product.steps), start)]
        seen = set(todo)
        while todo:
            states, beside = todo.pop()
            if product.accepts(states) and not ends(beside):
                return False
            moves = product.moves(states)
            self.spend(len(moves))
            for letter, there in moves:
                both = (there, after(beside, letter))
                if both not in seen:
                    seen.add(both)
                    todo.append(both)
            if len(seen) > 1 << 23:
                fail("checking it takes more memory than the limit")
        return True

    def covered(self, parts: Sequence[Relation], targets: Sequence[Relation]) -> bool:
        """Return whether one of the targets accepts whatever all parts do; its names are among theirs."""
        if any(one.automaton is part.automaton and one.names == part.names for one in targets for part in parts):
            return True
        product = Product(parts)
        looks = [(one.automaton.rows, picker(product.names, one.names), one.automaton.outputs) for one in targets]

        def after(states: Letter, letter: Letter) -> Letter:  # -1: there was no transition
            return tuple([
                rows[state].get(pick(letter), -1) if state >= 0 else -1
                for state, (rows, pick, _) in zip(states, looks, strict=True)
            ])

        def ends(states: Letter) -> bool:
            return any(state >= 0 and outputs[state] for state, (_, _, outputs) in zip(states, looks, strict=True))

        return self.walk(product, (0,) * len(looks), after, ends)

    def counted(
        self, parts: Sequence[Relation], body: Relation, bound: Sequence[str], most: int, target: Relation | None = None
    ) -> bool:
        """Return whether all that the parts accept has `most` values of the bound variables, or more, in the body.

        With a target: whether of what the parts accept it accepts exactly that.  The names of the target, and those of
        the body that are not bound, are among the parts'.

        Beside the walk go the states of the body that can be reached by any digits of the bound variables, each with
        the number of ways, as far as `most`.  The body is deterministic: ways are words, so values.  These may be
        longer than the other words, so at first it reads digits of the bound variables beside zeros, until nothing
        changes: that happens, as the loop at the first state makes the numbers grow.
        """
        product, kept = Product(parts), [name for name in body.names if name not in bound]
        key = tuple(map(body.names.index, kept)), ()
        pick, look = picker(product.names, kept), picker(product.names, target.names if target else ())
        rows, outputs = (target.automaton.rows, target.automaton.outputs) if target else ([{}], [1])
        memo: dict[Any, frozenset[tuple[int, int]]] = {}

        def step(ways: frozenset[tuple[int, int]], digits: Letter) -> frozenset[tuple[int, int]]:
            if (ways, digits) not in memo:
                found: dict[int, int] = {}
                for state, number in ways:
                    for _, there in body.automaton.join(state, key).get(digits, ()):
                        found[there] = min(most, found.get(there, 0) + number)
                self.spend(len(found))
                memo[ways, digits] = frozenset(found.items())
            return memo[ways, digits]

        def after(beside: tuple[Any, int], letter: Letter) -> tuple[Any, int]:
            there = rows[beside[1]].get(look(letter), -1) if target and beside[1] >= 0 else beside[1]
            return step(beside[0], pick(letter)), there

        def ends(beside: tuple[Any, int]) -> bool:
            enough = sum(number for state, number in beside[0] if body.automaton.outputs[state]) >= most
            return bool(enough == (beside[1] >= 0 and outputs[beside[1]] != 0))

        first: frozenset[tuple[int, int]] = frozenset({(0, 1)})
        while (longer := step(first, (0,) * len(kept))) != first:
            first = longer
        return self.walk(product, (first, 0), after, ends)


# -- formulas in normal form -----------------------------------------------------------------------------------------
#
# ("linear", ((variable, coefficient), ...), "=" or "<", constant)          ("letter", word, variables, letter)
# ("call", name, variables)   ("block", bound variables, conjuncts): E bound . & conjuncts   ("not", F)
# ("iff", {F, G})             ("count", k, variables, F): at least k tuples, k > 1, all variables free in F

TRUE: Formula = ("block", frozenset(), frozenset())
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


def free(formula: Formula) -> frozenset[str]:
    """Return the free variables."""
    match formula:
        case ("linear", terms, _, _):
            return frozenset(name for name, _ in terms)
        case ("letter", _, names, _) | ("call", _, names):
            return frozenset(names)
        case ("block", bound, parts):
            return frozenset[str]().union(*map(free, parts)).difference(bound)
        case ("not", body):
            return free(body)
        case ("iff", sides):
            return frozenset[str]().union(*map(free, sides))
        case ("count", _, bound, body):
            return free(body).difference(bound)
    raise AssertionError(formula)


def linear(terms: Mapping[str, int], comparison: str, constant: int) -> Formula:
    """Return: the sum of coefficient * variable compares with the constant."""
    match comparison:
        case "!=":
            return negation(linear(terms, "=", constant))
        case "<=":
            return linear(terms, "<", constant + 1)
        case ">" | ">=":
            turned = {name: -coefficient for name, coefficient in terms.items()}
            return linear(turned, "<" if comparison == ">" else "<=", -constant)
    listed = tuple(sorted((name, coefficient) for name, coefficient in terms.items() if coefficient))
    if not listed:
        return TRUE if COMPARISONS[comparison](0, constant) else negation(TRUE)
    if comparison == "=" and listed[0][1] < 0:
        listed, constant = tuple((name, -coefficient) for name, coefficient in listed), -constant
    return ("linear", listed, comparison, constant)


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """Return F & G & ..., with E lifted out: no variable that one of them binds occurs in another one, bound or free.

    Only conjuncts that are there already, with the variables that they bind, may be repeated: they follow.
    """
    whole, parts, there = frozenset[str](), frozenset[Formula](), frozenset[str]()
    for formula in formulas:
        bound, own = formula[1:] if formula[0] == "block" else (frozenset(), frozenset({formula}))
        names = free(formula)
        if not whole & names and own <= parts and bound <= whole:
            continue
        if whole & names or bound & there:
            raise Invalid(f"a variable is bound in one conjunct and occurs in another: {formula!s:.200}")
        whole, parts, there = whole | bound, parts | own, there | names | bound
    return next(iter(parts)) if len(parts) == 1 and not whole else ("block", whole, parts)


def negation(formula: Formula) -> Formula:
    """Return ~F; there is no ~ before <."""
    if formula[0] == "linear" and formula[2] == "<":
        return linear({name: -coefficient for name, coefficient in formula[1]}, "<", 1 - formula[3])
    return formula[1] if formula[0] == "not" else ("not", formula)


def disjunction(formulas: Iterable[Formula]) -> Formula:
    return negation(conjunction(map(negation, formulas)))


def equivalence(left: Formula, right: Formula) -> Formula:
    if left[0] == "not":
        return negation(equivalence(left[1], right))
    if right[0] == "not":
        return negation(equivalence(left, right[1]))
    return TRUE if left == right else ("iff", frozenset({left, right}))


def exists(names: Iterable[str], formula: Formula) -> Formula:
    """Return E names . F; variables that do not occur in F are left out, since there are numbers."""
    bound = frozenset(names) & free(formula)
    if not bound:
        return formula
    inner, parts = formula[1:] if formula[0] == "block" else (frozenset(), frozenset({formula}))
    return ("block", bound | inner, parts)


# -- the language of statements --------------------------------------------------------------------------------------

NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
TOKEN = re.compile(rf"\s*(E>=|<=>|=>|!=|<=|>=|{NAME.pattern}|\d+|@-?\d+|[$()\[\],~&|^=<>+*])", re.ASCII)
CONNECTIVES: dict[str, Callable[[Formula, Formula], Formula]] = {
    "&": lambda f, g: conjunction((f, g)), "|": lambda f, g: disjunction((f, g)), "<=>": equivalence,
    "=>": lambda f, g: disjunction((negation(f), g)), "^": lambda f, g: negation(equivalence(f, g)),
}


class Reader:
    """Reads a formula F into its normal form; the checker knows the names.

    F is (F & F), or so with | ^ => <=>; ~F; (E x,y F); (A x,y F); (E>=k x,y F); true; false; $name(x,y); W[x][y]=@a or
    W[x]=V[y], or so with != < <= > >=; or a comparison of sums like 2*x+y<=z+3.  No variable is bound twice.
    """

    def __init__(self, source: str, checker: Checker) -> None:
        self.checker, self.bound, self.tokens, at = checker, set[str](), list[str](), 0
        while source[at:].strip():
            found = TOKEN.match(source, at) or fail(f"a formula cannot be read at {source[at:at + 20]!r}")
            self.tokens.append(found[1])
            at = found.end()
        self.tokens = ["", "", *reversed(self.tokens)]

    def whole(self) -> Formula:
        formula = self.formula()
        self.take("")
        if self.bound & free(formula):
            fail(f"a variable is both bound and free: {', '.join(sorted(self.bound & free(formula)))}")
        return formula

    def take(self, *wanted: str) -> str:
        """Take the next token; if some are wanted, it has to be one of them."""
        token = self.tokens.pop()
        if wanted and token not in wanted:
            fail(f"{' or '.join(wanted)} is expected before {' '.join([token, *self.tokens[:-9:-1]])!r}")
        return token

    def several(self, separator: str, one: Callable[[], Any]) -> list[Any]:
        found = [one()]
        while self.tokens[-1] == separator:
            self.take()
            found.append(one())
        return found

    def formula(self) -> Formula:
        match self.take():
            case "~":
                return negation(self.formula())
            case "(":
                quantified = self.tokens[-1] in ("E", "A", "E>=") and self.tokens[-2] != "["  # or a word E
                formula = self.quantified() if quantified else self.connected()
                self.take(")")
                return formula
            case "$":
                name, _, names, _ = self.take(), self.take("("), tuple(self.several(",", self.take)), self.take(")")
                self.checker.fit(names, self.checker.arguments(name))
                return ("call", name, names)
            case "true":
                return TRUE
            case "false":
                return negation(TRUE)
            case token:
                self.tokens.append(token)
                return self.letters() if self.tokens[-2] == "[" else self.comparison()

    def connected(self) -> Formula:
        left, connective = self.formula(), self.take(*CONNECTIVES)
        return CONNECTIVES[connective](left, self.formula())

    def quantified(self) -> Formula:
        quantifier = self.take()
        count = int(self.take()) if quantifier == "E>=" else 1
        bound = self.several(",", self.take)
        if len(set(bound)) < len(bound) or self.bound & set(bound) or not set(bound) <= self.checker.variables.keys():
            fail(f"a variable is bound twice, or unknown: {', '.join(bound)}")
        self.bound.update(bound)
        body = self.formula()
        if quantifier == "A":
            return negation(exists(bound, negation(body)))
        if count < 2:
            return exists(bound, body) if count else TRUE
        if not set(bound) <= free(body):
            fail(f"a counted variable does not occur: {', '.join(bound)}")
        return ("count", count, frozenset(bound), body)

    def letters(self) -> Formula:
        """Read the comparison of a letter with a letter, or with that of another word: of which letters it is true."""
        (word, names, own), sign = self.indexed(), self.take(*COMPARISONS)
        compare = COMPARISONS["=" if sign == "!=" else sign]
        if self.tokens[-1].startswith("@"):
            letter = int(self.take()[1:])
            formula = disjunction(("letter", word, names, a) for a in own if compare(a, letter))
        else:
            other, more, letters = self.indexed()
            fits = [(a, [("letter", other, more, b) for b in letters if compare(a, b)]) for a in own]
            formula = disjunction(conjunction((("letter", word, names, a), disjunction(bs))) for a, bs in fits if bs)
        return negation(formula) if sign == "!=" else formula

    def indexed(self) -> tuple[str, tuple[str, ...], list[int]]:
        """Read a word and its index; return its letters, too."""
        word, names = self.take(), list[str]()
        systems, automaton = self.checker.words[word]
        while self.tokens[-1] == "[":
            names.append(self.take("[") and self.take())
            self.take("]")
        self.checker.fit(names, systems)
        return word, tuple(names), sorted(set(automaton.outputs))

    def comparison(self) -> Formula:
        left, sign, right = self.several("+", self.term), self.take(*COMPARISONS), self.several("+", self.term)
        terms: dict[str, int] = {}
        for name, factor in [*left, *((name, -factor) for name, factor in right)]:
            terms[name] = terms.get(name, 0) + factor
        constant = -terms.pop("", 0)
        self.checker.fit(tuple(terms), [self.checker.variables[name] for name in list(terms)[:1]] * len(terms))
        return linear(terms, sign, constant)

    def term(self) -> tuple[str, int]:
        """Read a number, a variable, or a number times a variable: the variable, if any, and its factor."""
        token = self.take()
        if not token.isdigit():
            return token or fail("a formula ends too early"), 1
        return (self.take("*") and self.take() if self.tokens[-1] == "*" else ""), int(token)


# -- certificates ----------------------------------------------------------------------------------------------------


class System:
    """A numeration system: the automaton of its words, and what follows from it."""

    def __init__(self, words: Automaton) -> None:
        self.words = words

    def is_infinite(self) -> bool:
        """Whether there are infinitely many words without leading zeros, so one for each number."""
        rows = [set(row.values()) for row in self.words.rows]
        useful = {state for state, output in enumerate(self.words.outputs) if output}
        while more := {state for state, row in enumerate(rows) if state not in useful and row & useful}:
            useful |= more
        inner = {there for (digit,), there in self.words.rows[0].items() if digit}
        while more := set[int]().union(*(rows[state] for state in inner)) - inner:
            inner |= more
        inner &= useful
        while ends := {state for state in inner if not rows[state] & inner}:
            inner -= ends
        return bool(inner)  # from each of these states another one is reached

    def representation(self, number: int) -> list[int]:
        """Return the word of a number, without leading zeros: it is found by counting words."""
        rows, counts = self.words.rows, [[int(output != 0) for output in self.words.outputs]]
        while counts[-1][0] <= number:  # of each state: how many words of some length are accepted from it
            counts.append([sum(counts[-1][there] for there in row.values()) for row in rows])
            if len(counts) * len(rows) > 1 << 20:
                fail("a number is too large")
        word, state = list[int](), 0
        for count in reversed(counts[:-1]):
            for (digit,), there in sorted(rows[state].items()):
                if number < count[there]:
                    word.append(digit)
                    state = there
                    break
                number -= count[there]
        return word

    def constant(self, number: int) -> Automaton:
        """Return the automaton of x = number."""
        word = self.representation(number)
        rows: list[dict[Letter, int]] = [{} for _ in range(len(word) + 1)]
        for place, digit in enumerate(word):
            rows[place][(digit,)] = place + 1
        rows[0][(0,)] = 0
        return Automaton(rows, [0] * len(word) + [1])

    def order(self, less: bool) -> Automaton:
        """Return the automaton of x < y, or of x = y: words of one length are compared by their first difference."""
        states, todo = {(0, 0, False): 0}, [(0, 0, False)]
        rows, outputs = list[dict[Letter, int]](), list[int]()
        for left, right, differ in todo:
            rows.append({})
            for (a,), first in self.words.rows[left].items():
                for (b,), second in self.words.rows[right].items():
                    if differ or a == b or (less and a < b):
                        there = (first, second, differ or a < b)
                        if there not in states:
                            states[there] = len(todo)
                            todo.append(there)
                        rows[-1][a, b] = states[there]
            outputs.append(int(self.words.outputs[left] and self.words.outputs[right] and differ == less))
        return Automaton(rows, outputs)


class Claim:
    """A formula, its relation, and the guards under which they agree."""

    def __init__(self, relation: Relation, guards: list[Relation], formula: Formula = TRUE) -> None:
        self.relation, self.guards, self.formula = relation, guards, formula

    def is_true(self) -> bool:
        """Whether it says that a formula without variables is true."""
        return not self.relation.names and not self.guards and self.relation.automaton.outputs[0] != 0


def integer(value: Any, least: int, most: int) -> int:
    return value if type(value) is int and least <= value <= most else fail(f"{value!r:.40} is not in {least}..{most}")


def strings(value: Any) -> list[str]:
    if type(value) is list and all(type(one) is str for one in value):
        return value
    fail(f"{value!r:.40} is no list of names")


class Checker:
    """Reads the lines of a certificate; each is checked when it is read."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self.variables: dict[str, str] = {}  # their systems
        self.systems: dict[str, System] = {}
        self.digits: dict[str, int] = {}
        self.words: dict[str, tuple[list[str], Automaton]] = {}  # with the systems of their tracks, as the next two
        self.predicates: dict[str, tuple[list[str], Automaton]] = {}
        self.automata: list[tuple[list[str], Automaton]] = []
        self.definitions: dict[str, tuple[list[str], Formula, str]] = {}
        self.additions: set[str] = set()
        self.claims: list[Claim] = []
        self.statement: tuple[Formula, str] | None = None

    # -- lines

    def line(self, line: Line) -> None:
        kinds = ("rule", "automaton", "certificate", "system", "word", "predicate", "define", "statement")
        kind = next((kind for kind in kinds if kind in line), "") or fail(f"no known kind: {', '.join(line):.80}")
        getattr(self, "read_" + kind)(line)

    def new(self, name: str, *known: Iterable[str]) -> str:
        """Return a name that is not taken."""
        if NAME.fullmatch(name) and name not in ("true", "false") and not any(name in one for one in known):
            return name
        fail(f"no name, or one that is taken: {name!r:.40}")

    def read_certificate(self, line: Line) -> None:
        if line["certificate"] != 1 or self.variables:
            fail("it needs one header, of version 1")
        reserved = ("E", "A")
        self.variables = {self.new(name, reserved): self.new(system) for name, system in line["variables"].items()}

    def read_system(self, line: Line) -> None:
        name = self.new(line["system"], self.systems)
        self.digits[name] = integer(line["digits"], 1, 1 << 16)
        self.systems[name] = System(self.table(line, [name]))
        if len(self.systems[name].words.rows) > 5000 or not self.systems[name].is_infinite():
            fail(f"{name} has too many states, or not infinitely many numbers")

    def read_word(self, line: Line) -> None:
        name, (systems, automaton) = self.new(line["word"], self.words), self.machine(line)
        tracks = [str(place) for place in range(len(systems))]
        numbers = [Relation(self.systems[system].words, [track]) for system, track in zip(systems, tracks, strict=True)]
        if not self.walker.covered(numbers, [Relation(automaton.where(lambda _: True), tracks)]):
            fail(f"{name} has no letter at some index")
        self.words[name] = systems, automaton

    def read_predicate(self, line: Line) -> None:
        self.predicates[self.new(line["predicate"], self.predicates, self.definitions)] = self.machine(line)

    def read_automaton(self, line: Line) -> None:
        """Read an automaton of relations: it accepts nothing but numbers."""
        systems, automaton = self.machine(line)
        tracks = [str(place) for place in range(len(systems))]
        for track, system in zip(tracks, systems, strict=True):
            if not self.walker.covered([Relation(automaton, tracks)], [Relation(self.systems[system].words, [track])]):
                raise Invalid(f"automaton {len(self.automata)} accepts words that are no numbers of {system}")
        self.automata.append((systems, automaton))

    def read_define(self, line: Line) -> None:
        name, parameters = self.new(line["define"], self.predicates, self.definitions), strings(line["parameters"])
        formula = self.read(line["formula"])
        if len(set(parameters)) < len(parameters) or not free(formula) <= set(parameters) <= self.variables.keys():
            fail(f"the parameters of {name} are not the free variables of its formula")
        self.definitions[name] = parameters, formula, line["formula"]

    def read_statement(self, line: Line) -> None:
        formula = self.read(line["statement"])
        if self.statement or free(formula):
            fail("there are two statements, or one has free variables")
        self.statement = formula, line["statement"]

    def read_rule(self, line: Line) -> None:
        rule = getattr(self, "rule_" + line["rule"], None) or fail(f"there is no rule {line['rule']!r:.40}")
        of = [self.claims[integer(number, 0, len(self.claims) - 1)] for number in line.get("of", [])]
        new = Claim(self.relation(line["relation"]), [self.relation(one) for one in line.get("guards", [])])
        try:
            new.formula = rule(new, of, line)
        except Invalid as problem:
            raise Invalid(f"claim {len(self.claims)} ({line['rule']}): {problem}") from None
        self.claims.append(new)

    # -- what lines consist of

    def machine(self, line: Line) -> tuple[list[str], Automaton]:
        """Return the systems of tracks and the automaton."""
        systems = strings(line["systems"])
        return systems, self.table(line, systems)

    def table(self, line: Line, systems: list[str]) -> Automaton:
        """Return an automaton: rows of letter, target, letter, target ...; a letter is a number in mixed radix."""
        outputs = [integer(output, -(1 << 31), 1 << 31) for output in line["outputs"]]
        letters: dict[int, Letter] = {}
        rows: list[dict[Letter, int]] = []
        for flat in line["rows"]:
            rows.append({})
            for code, target in zip(flat[::2], flat[1::2], strict=True):
                if code not in letters:
                    rest, letter = integer(code, 0, 1 << 64), list[int]()
                    for system in reversed(systems):
                        rest, digit = divmod(rest, self.digits[system])
                        letter.insert(0, digit)
                    letters[code] = fail(f"{code} is no letter") if rest else tuple(letter)
                rows[-1][letters[code]] = integer(target, 0, len(outputs) - 1)
            self.walker.spend(len(flat))
        if len(rows) != len(outputs) or rows[0].get((0,) * len(systems)) != 0:
            fail("an automaton needs an output for each state, and a loop of zeros at the first")
        return Automaton(rows, outputs)

    def relation(self, value: Any) -> Relation:
        """Return the relation that [number of an automaton, names of its tracks] stands for."""
        systems, automaton = self.automata[integer(value[0], 0, len(self.automata) - 1)]
        self.fit(strings(value[1]), systems)
        return Relation(automaton, value[1])

    def fit(self, names: Sequence[str], systems: Sequence[str]) -> None:
        """Refuse variables that do not belong to these systems."""
        if [self.variables[name] for name in names] != list(systems):
            fail(f"variables of systems {', '.join(systems):.80} are needed instead of {', '.join(names):.80}")

    def arguments(self, name: str) -> list[str]:
        """Return the systems of a predicate's arguments."""
        known = self.predicates
        return known[name][0] if name in known else [self.variables[x] for x in self.definitions[name][0]]

    def numbers(self, names: Iterable[str]) -> list[Relation]:
        """Return the relations that accept all values of a variable each."""
        return [Relation(self.systems[self.variables[name]].words, [name]) for name in dict.fromkeys(names)]

    def read(self, source: str) -> Formula:
        try:
            return Reader(source, self).whole()
        except Invalid as problem:
            fail(str(problem))

    # -- inclusions: a step is refused unless they hold

    def cover(
        self, parts: Sequence[Relation], targets: Sequence[Relation], what: str = "relation accepts too much"
    ) -> None:
        """What all parts accept is accepted by one of the targets; variables that the parts lack have all values."""
        there = {name for part in parts for name in part.names}
        missing = self.numbers(name for target in targets for name in target.names if name not in there)
        if not self.walker.covered([*parts, *missing], targets):
            raise Invalid(f"the {what}")

    def guarded(self, parts: Sequence[Relation], *claims: Claim) -> None:
        """The guards of claims hold where the parts do."""
        for claim in claims:
            for guard in claim.guards:
                self.cover(parts, [guard], "guards do not imply those of a claim that is used")

    def agree(self, new: Claim, *others: Relation) -> None:
        """Under the guards a claim's relation accepts what one of the others does; of variables, it accepts numbers."""
        self.cover([*new.guards, new.relation], others)
        for other in others:
            self.cover([*new.guards, *self.numbers(other.names), other], [new.relation], "relation accepts too little")

    # -- rules: each gets the claim that is made, without its formula; those that are used; and the line

    def rule_true(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """true, if the relation accepts all numbers under the guards."""
        self.cover(new.guards, [new.relation], "relation accepts too little")
        return TRUE

    def rule_any(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """F, whatever it is, if nothing is accepted by all guards."""
        self.cover(new.guards, [], "guards can hold")
        return self.read(line["formula"])

    def rule_atom(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """W[x]=@a or $p(x) with an automaton for W or p; or x=y, x<y, x=c, as numbers are ordered by their words."""
        match formula := self.read(line["formula"]):
            case ("linear", ((x, 1), (y, -1)), ("=" | "<") as sign, 0) | ("linear", ((y, -1), (x, 1)), "<" as sign, 0):
                own = Relation(self.systems[self.variables[x]].order(sign == "<"), [x, y])
            case ("linear", ((x, 1),), "=", constant) if constant >= 0:
                own = Relation(self.systems[self.variables[x]].constant(constant), [x])
            case ("letter", word, names, letter):
                own = Relation(self.words[word][1].where(letter.__eq__), names)
            case ("call", name, names) if name in self.predicates:
                own = Relation(self.predicates[name][1], names)
            case _:
                raise Invalid(f"this is no atom that needs no proof: {line['formula']:.200}")
        self.agree(new, own)
        return formula

    def rule_definition(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """$p(x,...), from the claim of the formula that defines it: arguments take the place of parameters."""
        (claim,), name, names = of, line["name"], strings(line["arguments"])
        parameters, body, _ = self.definitions[name]
        if claim.formula != body or claim.guards or not set(claim.relation.names) <= set(parameters):
            raise Invalid(f"the claim used is not what {name} means")
        self.fit(names, self.arguments(name))
        self.agree(new, claim.relation.renamed(dict(zip(parameters, names, strict=True))))
        return ("call", name, tuple(names))

    def rule_addition(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """true; and from now on a predicate P adds, of which it is claimed that (v is y+1, z is w+1)

        P(x,0,z) iff x=z; and P(x,v,z) iff P(x,y,w) for such a w.  By induction on y, P(x,y,z) iff x+y=z.  The next
        number is the least greater one.
        """
        name, (base, step), variables = line["predicate"], of, strings(line["variables"])
        systems = self.predicates[name][0]
        self.fit(variables, systems[:1] * 8)
        self.fit(variables[:3], systems)
        o, x, y, z, v, w, c, d = variables
        wanted = (
            f"(A {x},{z},{o} ({o}=0 => (${name}({x},{o},{z}) <=> {x}={z})))",
            f"(A {x},{y},{v},{z} (({y}<{v} & ~(E {c} ({y}<{c} & {c}<{v}))) => (${name}({x},{v},{z}) <=> "
            f"(E {w} (${name}({x},{y},{w}) & ({w}<{z} & ~(E {d} ({w}<{d} & {d}<{z}))))))))",
        )
        for claim, formula in zip((base, step), wanted, strict=True):
            if not claim.is_true() or claim.formula != self.read(formula):
                raise Invalid(f"it is not claimed that {formula}")
        self.additions.add(name)
        return self.rule_true(new, of, line)

    def rule_linear(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """A linear atom F, from E x,y,... (x=s & y=t & ... & G): F is G with the sums s, t, ... in place of x, y, ...

        The sums have natural coefficients and constants, so these x, y, ... exist.  $P(x,y,z) is x+y=z if P adds.
        """
        (claim,) = of
        bound, parts = claim.formula[1:] if claim.formula[0] == "block" else (frozenset(), {claim.formula})
        atoms = [self.sum_of(*atom[1:]) if atom[0] == "call" else atom for atom in parts]
        if any(atom[0] != "linear" for atom in atoms):
            raise Invalid("the claim used has an atom that is not linear")
        for left in range(len(bound), 0, -1):
            solved = [(x, atom) for atom in atoms for x in bound if atom[0] == "linear" and self.is_sum(x, *atom[1:])]
            if not solved:
                raise Invalid(f"{left} variables are not said to be sums")
            name, equation = solved[0]
            atoms = [self.substituted(name, equation, atom) for atom in atoms if atom is not equation]
        if atoms != [self.read(line["formula"])]:
            raise Invalid(f"another atom follows: {atoms!s:.200}")
        return self.same(new, claim, atoms[0])

    def sum_of(self, name: str, names: Sequence[str]) -> Formula:
        """Return x+y=z for $P(x,y,z), if P adds."""
        if name not in self.additions:
            raise Invalid(f"it is not proved that {name} adds")
        return self.read(f"{names[0]}+{names[1]}={names[2]}")

    def is_sum(self, name: str, terms: Sequence[tuple[str, int]], sign: str, constant: int) -> bool:
        """Whether an atom says that a variable equals a sum of others and a natural number."""
        own = dict(terms).get(name, 0)
        return sign == "=" and abs(own) == 1 and own * constant >= 0 and all(own * c < 0 for x, c in terms if x != name)

    def substituted(self, name: str, equation: Formula, atom: Formula) -> Formula:
        """Return a linear atom, with the sum in place of the variable that equals it by an equation."""
        if atom[0] != "linear":
            return atom
        terms, solved = dict(atom[1]), dict(equation[1])
        times = terms.get(name, 0) * solved[name]  # solved[name] is 1 or -1
        for other, coefficient in solved.items():
            terms[other] = terms.get(other, 0) - times * coefficient
        return linear(terms, atom[2], atom[3] - times * equation[3])

    def same(self, new: Claim, claim: Claim, formula: Formula) -> Formula:
        """Return a formula that means under the guards what a claim says, whose relation has to agree."""
        self.guarded(new.guards, claim)
        self.agree(new, claim.relation)
        return formula

    def rule_same(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """F, with another relation, or under other guards."""
        (claim,) = of
        return self.same(new, claim, claim.formula)

    def rule_share(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """E t (t=s & F), from F and the equation: if the guards imply u=s, this is F with u in place of t.

        The equation is linear, so t has one value at most, and u is it.
        """
        (body, equation), old, turned = of, line["from"], {line["from"]: line["to"]}
        if equation.guards or equation.formula[::2][:2] != ("linear", "=") or old not in free(equation.formula):
            raise Invalid(f"no equation says what {old} is")
        self.fit([line["to"]], [self.variables[old]])
        self.cover(new.guards, [equation.relation.renamed(turned)], f"guards do not imply that {line['to']} is {old}")
        moved = Claim(body.relation.renamed(turned), [one.renamed(turned) for one in body.guards])
        return self.same(new, moved, exists([old], conjunction((equation.formula, body.formula))))

    def rule_and(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """F & G: the guards of G hold where those of the conclusion and F do."""
        first, second = of
        self.guarded(new.guards, first)
        self.guarded([*new.guards, first.relation], second)
        self.cover([*new.guards, first.relation, second.relation], [new.relation], "relation accepts too little")
        for claim in of:
            self.cover([*new.guards, new.relation], [claim.relation])
        return conjunction((first.formula, second.formula))

    def rule_or(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """E x (C & (F | G | ...)), from E x (C & F), E x (C & G), ...; there may be no x, and no C."""
        whole = self.read(line["formula"])
        bound, parts = whole[1:] if whole[0] == "block" else (frozenset(), frozenset({whole}))
        for part in parts:
            if part[0] == "not" and part[1][0] == "block" and not part[1][1]:
                branches = {exists(bound, conjunction((*(parts - {part}), negation(one)))) for one in part[1][2]}
                if branches == {claim.formula for claim in of}:
                    self.guarded(new.guards, *of)
                    self.agree(new, *(claim.relation for claim in of))
                    return whole
        raise Invalid("the claims used are not the branches of a disjunction")

    def rule_not(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """~F."""
        (claim,) = of
        self.guarded(new.guards, claim)
        self.cover([*new.guards, new.relation, claim.relation], [])
        self.cover(new.guards, [new.relation, claim.relation], "relation accepts too little")
        return negation(claim.formula)

    def rule_iff(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """F <=> G."""
        first, second = of
        self.guarded(new.guards, *of)
        for one, other in ((first, second), (second, first)):
            self.cover([*new.guards, new.relation, one.relation], [other.relation])
        self.cover([*new.guards, first.relation, second.relation], [new.relation], "relation accepts too little")
        self.cover(new.guards, [first.relation, second.relation, new.relation], "relation accepts too little")
        return equivalence(first.formula, second.formula)

    def rule_exists(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """E x F: the relation accepts where that of F does for some x; where it accepts, there is such an x."""
        (claim,), bound = of, strings(line["bound"])
        self.quantified(new, claim, bound)
        self.cover([*new.guards, claim.relation], [new.relation], "relation accepts too little")
        there = {name for one in (new.relation, *new.guards) for name in one.names}
        others = self.numbers(name for name in claim.relation.names if name not in {*there, *bound})
        if not self.walker.counted([*new.guards, new.relation, *others], claim.relation, bound, 1):
            raise Invalid("the relation accepts what has no witness")
        return exists(bound, claim.formula)

    def rule_count(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """E>=k x,y F: the relation accepts exactly where that of F accepts k pairs x,y or more."""
        (claim,), bound, count = of, strings(line["bound"]), integer(line["count"], 2, 1 << 31)
        self.quantified(new, claim, bound)
        if len(set(bound)) < len(bound) or not set(bound) <= free(claim.formula) & set(claim.relation.names):
            raise Invalid("a counted variable does not occur, or twice")
        others = self.numbers(name for name in (*claim.relation.names, *new.relation.names) if name not in bound)
        if not self.walker.counted([*new.guards, *others], claim.relation, bound, count, new.relation):
            raise Invalid("the relation does not accept exactly what has enough values")
        return ("count", count, frozenset(bound), claim.formula)

    def quantified(self, new: Claim, claim: Claim, bound: list[str]) -> None:
        """The bound variables are none of the new claim's tracks, and the guards imply those of the claim used."""
        if any(name in bound for one in (new.relation, *new.guards) for name in one.names):
            raise Invalid("a bound variable occurs in the conclusion")
        self.guarded(new.guards, claim)

    # -- the end

    def conclude(self) -> None:
        """Refuse the certificate unless its last claim is the statement."""
        if not self.statement or not self.claims:
            fail("there is no statement, or no claim")
        if self.claims[-1].formula != self.statement[0] or not self.claims[-1].is_true():
            raise Invalid("the last claim does not say that the statement is true")

    def understood(self) -> Iterator[str]:
        """Yield what the names mean, and what has been proved."""
        for name, system in self.systems.items():
            between = "" if self.digits[name] <= 10 else "."
            first = [between.join(map(str, system.representation(number))) or "0" for number in range(10)]
            yield f"system {name}: the numbers 0, 1, 2, ... are {', '.join(first)}, ..."
        for kind, table in (("word", self.words), ("predicate", self.predicates)):
            for name, (systems, automaton) in table.items():
                yield f"{kind} {name}: an automaton of {len(automaton.rows)} states, over {', '.join(systems)}"
        for name, (parameters, _, source) in self.definitions.items():
            yield f"definition ${name}({','.join(parameters)}): {source}"
        yield f"by {len(self.claims)} claims: {self.statement[1] if self.statement else ''}"


# -- the program -----------------------------------------------------------------------------------------------------


def lines(file: str, most_bytes: int) -> Iterator[Line]:
    """Yield the objects of a file, compressed or not."""
    with open(file, "rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    with gzip.open(file, "rb") if packed else open(file, "rb") as stream:
        while line := stream.readline(most_bytes + 1):
            most_bytes -= len(line)
            value = json.loads(line) if most_bytes >= 0 else fail("the file is too large")
            yield value if isinstance(value, dict) else fail("a line is no object")


def check(file: str, seconds: float = 3600, steps: int = 1 << 32, most_bytes: int = 1 << 30) -> Checker:
    """Check a certificate: return what was read, or raise Malformed or Invalid."""
    checker, number = Checker(Walker(seconds, steps)), 0
    try:
        for line in lines(file, most_bytes):
            number += 1
            checker.line(line)
    except (OSError, EOFError, zlib.error) as problem:
        raise Malformed(f"it cannot be read: {problem}") from None
    except (Malformed, LookupError, TypeError, ValueError, AttributeError, RecursionError, MemoryError) as problem:
        kind = "" if isinstance(problem, Malformed) else f"{type(problem).__name__}: "
        raise Malformed(f"line {number}: {kind}{problem!s:.200}") from None
    checker.conclude()
    return checker


def report(file: str) -> int:
    """Check a file, print the result, and return the exit status."""
    try:
        print(*check(file).understood(), "VALID", sep="\n")
    except Malformed as problem:
        print(f"no certificate: {problem}", file=sys.stderr)
        return 2
    except Invalid as problem:
        print(f"INVALID {problem}")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    sys.exit(report(sys.argv[1]))
