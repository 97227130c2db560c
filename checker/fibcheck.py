#!/usr/bin/env python3
"""Check a certificate: a proof of a statement about natural numbers, step by step, by a program that knows nothing of any prover.

    python fibcheck.py FILE        prints what is proved, and as its last line VALID, or INVALID and the step that is wrong

Exit status: 0 valid, 1 invalid, 2 no certificate (or too large for the limits).  It needs Python 3.11 and nothing else.

WHAT IS TRUSTED.  This file, and Python.  Who wrote the certificate, and how, does not matter.

NUMBERS.  A numeration system is a set of words over the digits 0, 1, ..., d-1, given by an automaton, such that w is in
it exactly if 0w is.  Order the words without leading zeros by length, then by digits from the left: the word at place n,
counted from 0, represents the number n (the empty word, zero).  So among words of equal length, with zeros in front, the
order of numbers is that of the words.  Nothing else is assumed of a system: that an automaton adds is proved (rule add).

AUTOMATA read words over several tracks, one digit a track at a time; a track is named after a variable.  They are
deterministic; where there is no transition, a word is refused.  The initial state has a loop at the letter of zeros
alone, so that zeros in front change nothing, and an automaton is a set of tuples of numbers: it accepts a tuple if it
accepts its representations, filled up with zeros to any equal length.

STATEMENTS.  Variables range over natural numbers; each belongs to one system.  Atoms are linear comparisons of integers,
letters of words (an automaton with outputs: the output after the digits of n is the letter at n), regular predicates
(automata), and predicates that formulas define.  ~, &, |, ^, =>, <=>, E, A have their usual meaning; (E>=k x,y F): at least
k pairs; (I x F): infinitely many x.  Statements are read into a normal form in which =>, |, ^ and A are written by
~, & and E, conjunctions are sets, and E is lifted out of them; formulas of one normal form are equivalent.

CLAIMS.  A claim is a formula F, an automaton A and guards G: "every tuple of numbers that all guards accept is
accepted by A exactly if F holds of it".  Guards are sets like any other: they need no meaning.  A rule makes a claim of earlier
ones; each function `rule_...` says what it concludes, and why that is so.  They all rest on three walks through
products of automata: `covered`, `witnessed` and `counted`.  The last claim has the statement's normal form, no variable and no
guard, and its automaton accepts: so the statement is true.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, NoReturn

Letter = tuple[int, ...]
Formula = tuple[Any, ...]


class Malformed(Exception):
    """The file is no certificate."""


class Invalid(Exception):
    """A step does not follow."""


# -- automata ----------------------------------------------------------------------------------------


class Automaton:
    """A deterministic automaton: for each state its transitions by letter, and its output (0: refused)."""

    def __init__(self, width: int, rows: list[dict[Letter, int]], outputs: list[int]) -> None:
        self.width, self.rows, self.outputs = width, rows, outputs
        self._joins: dict[tuple[Any, ...], list[dict[Letter, list[tuple[Letter, int]]] | None]] = {}

    def join(self, state: int, key: tuple[Any, ...]) -> dict[Letter, list[tuple[Letter, int]]]:
        """Return the transitions of a state by the digits at some places: the digits at others, and the target.

        key: the places of the known digits, of the others, and the pairs of places that have to be equal.
        """
        rows = self._joins.setdefault(key, [None] * len(self.rows))
        found = rows[state]
        if found is None:
            known, others, equal = key
            found = rows[state] = {}
            for letter, target in self.rows[state].items():
                if all(letter[i] == letter[j] for i, j in equal):
                    entry = (tuple(letter[i] for i in others), target)
                    found.setdefault(tuple(letter[i] for i in known), []).append(entry)
        return found


class Part:
    """An automaton whose tracks have names; tracks of equal name have equal digits."""

    def __init__(self, automaton: Automaton, names: Sequence[str]) -> None:
        if automaton.width != len(names):
            raise Invalid(f"an automaton of {automaton.width} tracks has {len(names)} names")
        self.automaton, self.names = automaton, tuple(names)

    def same(self, other: Part) -> bool:
        """Whether it is the same automaton over the same names."""
        return self.automaton is other.automaton and self.names == other.names

    def renamed(self, names: Mapping[str, str]) -> Part:
        """Return it with other names of its tracks."""
        return Part(self.automaton, [names.get(name, name) for name in self.names])

    def key(self, known: Sequence[str]) -> tuple[list[str], tuple[Any, ...]]:
        """Return the names that are not known, and the key of the join by those that are."""
        first: dict[str, int] = {}
        equal = []
        for place, name in enumerate(self.names):
            if name in first:
                equal.append((first[name], place))
            else:
                first[name] = place
        new = [name for name in first if name not in known]
        return new, (tuple(first[name] for name in first if name in known), tuple(first[name] for name in new), tuple(equal))


def picker(places: Sequence[int]) -> Callable[[Letter], Letter]:
    """Return a function that takes the digits at these places out of a letter."""
    if len(places) == 1:
        (place,) = places
        return lambda letter: (letter[place],)
    return itemgetter(*places) if places else lambda letter: ()


class Product:
    """The product of parts: the letters and targets that a tuple of their states has in common."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        self.names: list[str] = []
        self.steps = []
        for part in parts:
            new, key = part.key(self.names)
            places = [self.names.index(name) for name in dict.fromkeys(part.names) if name in self.names]
            self.steps.append((part.automaton, picker(places), key))
            self.names += new

    def start(self) -> tuple[int, ...]:
        return (0,) * len(self.parts)

    def accepts(self, states: tuple[int, ...]) -> bool:
        return all(part.automaton.outputs[state] for part, state in zip(self.parts, states, strict=True))

    def moves(self, states: tuple[int, ...]) -> list[tuple[Letter, tuple[int, ...]]]:
        """Return the letters over `names`, and where they lead."""
        found: list[tuple[Letter, tuple[int, ...]]] = [((), ())]
        for state, (automaton, pick, key) in zip(states, self.steps, strict=True):
            rows = automaton.join(state, key)
            if not rows:
                return []
            found = [
                (letter + more, before + (target,))
                for letter, before in found
                for more, target in rows.get(pick(letter), ())
            ]
        return found

    def picker(self, names: Sequence[str]) -> Callable[[Letter], Letter]:
        """Return a function that takes the digits of these tracks out of a letter."""
        return picker([self.names.index(name) for name in names])


class Walker:
    """The three walks, within limits of time and of steps."""

    def __init__(self, seconds: float, steps: int) -> None:
        self.until, self.left = time.monotonic() + seconds, steps

    def spend(self, steps: int) -> None:
        self.left -= steps + 1
        if self.left < 0:
            raise Malformed("the certificate needs more steps than the limit allows")
        if self.left & 0xFF == 0 and time.monotonic() > self.until:
            raise Malformed("the certificate needs more time than the limit allows")

    def covered(self, parts: Sequence[Part], targets: Sequence[Part]) -> bool:
        """Return whether whatever all parts accept is accepted by one of the targets, whose tracks are among theirs."""
        if any(target.same(part) for target in targets for part in parts):
            return True
        product = Product(parts)
        looks = [(target.automaton.rows, product.picker(target.names), target.automaton.outputs) for target in targets]
        start = (product.start(), (0,) * len(targets))
        seen = {start}
        todo = [start]
        while todo:
            states, others = todo.pop()
            if product.accepts(states):
                if not any(o >= 0 and look[2][o] for o, look in zip(others, looks, strict=True)):
                    return False
            moves = product.moves(states)
            self.spend(len(moves))
            for letter, after in moves:
                there = tuple(
                    rows[o].get(pick(letter), -1) if o >= 0 else -1
                    for o, (rows, pick, _) in zip(others, looks, strict=True)
                )
                both = (after, there)
                if both not in seen:
                    seen.add(both)
                    todo.append(both)
        return True

    def witnessed(self, parts: Sequence[Part], body: Part, bound: Sequence[str]) -> bool:
        """Return whether whatever all parts accept has values of the bound variables that the body accepts with it."""
        return self._counted(parts, body, bound, 1, None)

    def counted(self, parts: Sequence[Part], body: Part, bound: Sequence[str], count: int, target: Part) -> bool:
        """Return whether of what all parts accept the target accepts that with at least `count` values in the body."""
        return self._counted(parts, body, bound, count, target)

    def _counted(
        self, parts: Sequence[Part], body: Part, bound: Sequence[str], most: int, target: Part | None
    ) -> bool:
        """Walk through the parts beside sets of states of the body, with how many words of the bound tracks lead there.

        Numbers above `most` count as `most`.  The body is deterministic, so words are counted by runs; at the beginning,
        the kept tracks may have zeros while the bound ones have digits.
        """
        product = Product(parts)
        kept = [name for name in dict.fromkeys(body.names) if name not in bound]
        _, key = body.key(kept)
        pick = product.picker(kept)
        look = product.picker(target.names) if target else None
        automaton, outputs = body.automaton, body.automaton.outputs
        zeros = (0,) * len(kept)

        def after(numbers: Iterable[tuple[int, int]], letter: Letter) -> frozenset[tuple[int, int]]:
            found: dict[int, int] = {}
            for state, number in numbers:
                for _, there in automaton.join(state, key).get(letter, ()):
                    found[there] = min(most, found.get(there, 0) + number)
            self.spend(len(found))
            return frozenset(found.items())

        first: frozenset[tuple[int, int]] = frozenset({(0, 1)})
        while (longer := after(first, zeros)) != first:
            first = longer
        memo: dict[tuple[frozenset[tuple[int, int]], Letter], frozenset[tuple[int, int]]] = {}
        start = (product.start(), first, 0)
        seen = {start}
        todo = [start]
        while todo:
            states, numbers, other = todo.pop()
            if product.accepts(states):
                enough = sum(number for state, number in numbers if outputs[state]) >= most
                wanted = target is None or (other >= 0 and target.automaton.outputs[other] != 0)
                if enough != wanted:
                    return False
            moves = product.moves(states)
            self.spend(len(moves))
            for letter, there in moves:
                digits = pick(letter)
                reached = memo.get((numbers, digits))
                if reached is None:
                    reached = memo[numbers, digits] = after(numbers, digits)
                after_target = other
                if target and look and other >= 0:
                    after_target = target.automaton.rows[other].get(look(letter), -1)
                triple = (there, reached, after_target)
                if triple not in seen:
                    seen.add(triple)
                    todo.append(triple)
        return True


# -- formulas in normal form ---------------------------------------------------------------------------
#
# ("linear", ((variable, coefficient), ...), "=" or "<", constant)   ("letter", word, variables, relation, letter)
# ("letters", word, variables, relation, word, variables)            ("call", name, variables)
# ("block", bound variables, conjuncts): E bound . & conjuncts       ("not", F)   ("iff", {F, F})
# ("count", k, variables, F): at least k tuples

TRUE: Formula = ("block", frozenset(), frozenset())
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


def free(formula: Formula) -> frozenset[str]:
    """Return the free variables."""
    match formula:
        case ("linear", terms, _, _):
            return frozenset(name for name, _ in terms)
        case ("letter", _, names, _, _) | ("call", _, names):
            return frozenset(names)
        case ("letters", _, left, _, _, right):
            return frozenset((*left, *right))
        case ("block", bound, parts):
            return frozenset().union(*map(free, parts)) - bound
        case ("not", body):
            return free(body)
        case ("iff", sides):
            return frozenset().union(*map(free, sides))
        case ("count", _, bound, body):
            return free(body) - bound
    raise AssertionError(formula)


def linear(terms: Mapping[str, int], relation: str, constant: int) -> Formula:
    """Return the normal form of: the sum of coefficient * variable, `relation`, constant."""
    match relation:
        case "!=":
            return negation(linear(terms, "=", constant))
        case "<=":
            return linear(terms, "<", constant + 1)
        case ">" | ">=":
            turned = {name: -coefficient for name, coefficient in terms.items()}
            return linear(turned, "<" if relation == ">" else "<=", -constant)
    listed = tuple(sorted((name, coefficient) for name, coefficient in terms.items() if coefficient))
    if not listed:
        return TRUE if RELATIONS[relation](0, constant) else negation(TRUE)
    if relation == "=" and listed[0][1] < 0:
        listed, constant = tuple((name, -coefficient) for name, coefficient in listed), -constant
    return ("linear", listed, relation, constant)


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """Return the conjunction, with E lifted out of it: no bound variable may occur twice, or elsewhere free."""
    whole, parts = frozenset[str](), frozenset[Formula]()
    for formula in formulas:
        bound, own = formula[1:] if formula[0] == "block" else (frozenset(), frozenset({formula}))
        if whole & free(formula):
            raise Invalid(f"a free variable of {text(formula)} is bound beside it")
        if own <= parts and bound <= whole:
            continue
        if bound & (whole | frozenset().union(*map(free, parts))):
            raise Invalid(f"a bound variable of {text(formula)} occurs beside it")
        whole, parts = whole | bound, parts | own
    return next(iter(parts)) if len(parts) == 1 and not whole else ("block", whole, parts)


def negation(formula: Formula) -> Formula:
    """Return ~F; there is no ~ before <."""
    if formula[0] == "linear" and formula[2] == "<":
        return linear({name: -coefficient for name, coefficient in formula[1]}, "<", 1 - formula[3])
    return formula[1] if formula[0] == "not" else ("not", formula)


def disjunction(formulas: Iterable[Formula]) -> Formula:
    """Return the disjunction."""
    return negation(conjunction(map(negation, formulas)))


def equivalence(left: Formula, right: Formula) -> Formula:
    """Return F <=> G."""
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
    if formula[0] == "block":
        return ("block", bound | formula[1], formula[2])
    return ("block", bound, frozenset({formula}))


def text(formula: Formula) -> str:
    """Return a formula as a text to be read."""
    match formula:
        case ("linear", terms, relation, constant):
            return f"{'+'.join(f'{c}*{x}' if c != 1 else x for x, c in terms)}{relation}{constant}".replace("+-", "-")
        case ("letter", word, names, relation, letter):
            return f"{word}{''.join(f'[{x}]' for x in names)}{relation}@{letter}"
        case ("letters", word, names, relation, other, more):
            return f"{word}{''.join(f'[{x}]' for x in names)}{relation}{other}{''.join(f'[{x}]' for x in more)}"
        case ("call", name, names):
            return f"${name}({','.join(names)})"
        case ("block", bound, parts):
            body = " & ".join(sorted(map(text, parts))) or "true"
            return f"(E {','.join(sorted(bound))} ({body}))" if bound else f"({body})"
        case ("not", ("block", bound, parts)) if bound and len(parts) == 1 and next(iter(parts))[0] == "not":
            return f"(A {','.join(sorted(bound))} {text(next(iter(parts))[1])})"
        case ("not", body):
            return f"~{text(body)}"
        case ("iff", sides):
            return f"({' <=> '.join(sorted(map(text, sides)))})"
        case ("count", count, bound, body):
            return f"(E>={count} {','.join(sorted(bound))} {text(body)})"
    raise AssertionError(formula)


# -- the core language -----------------------------------------------------------------------------------

TOKEN = re.compile(r"\s*(E>=|<=>|=>|!=|<=|>=|[A-Za-z_'][\w']*|\d+|@-?\d+|[$()\[\],~&|^=<>+*?-])")
CONNECTIVES: dict[str, Callable[[Formula, Formula], Formula]] = {
    "&": lambda f, g: conjunction((f, g)),
    "|": lambda f, g: disjunction((f, g)),
    "=>": lambda f, g: disjunction((negation(f), g)),
    "^": lambda f, g: negation(equivalence(f, g)),
    "<=>": equivalence,
}


class Reader:
    """Reads one formula of the core language.

    F = (F & F), also with | ^ => <=>; ~F; (E x,y F), (A x,y F), (E>=k x,y F), (I x F); true, false; $name(x,y); W[x][y] = @a or
    W[x] = V[y], with = != < <= > >=; or a comparison of sums such as 2*x+y<=z+3.  Each variable is bound once.
    """

    def __init__(self, source: str) -> None:
        self.tokens: list[str] = []
        place = 0
        source = source.rstrip()
        while place < len(source):
            found = TOKEN.match(source, place)
            if not found:
                raise Malformed(f"a formula cannot be read at: {source[place:place + 20]!r}")
            self.tokens.append(found[1])
            place = found.end()
        self.tokens.append("")
        self.place = 0
        self.bound: set[str] = set()

    def whole(self) -> Formula:
        """Return the normal form of the formula."""
        try:
            formula = self.formula()
        except RecursionError:
            raise Malformed("a formula is nested too deeply") from None
        if self.next():
            self.fail("the end")
        if self.bound & free(formula):
            raise Malformed(f"a variable is both bound and free: {', '.join(sorted(self.bound & free(formula)))}")
        return formula

    def next(self) -> str:
        return self.tokens[self.place]

    def take(self, wanted: str = "") -> str:
        token = self.next()
        if wanted and token != wanted:
            self.fail(repr(wanted))
        self.place += 1
        return token

    def fail(self, wanted: str) -> NoReturn:
        raise Malformed(f"{wanted} is expected before: {' '.join(self.tokens[self.place:self.place + 8])!r}")

    def name(self) -> str:
        if not re.match(r"[A-Za-z_']", self.next()):
            self.fail("a name")
        return self.take()

    def names(self, before: str, after: str) -> tuple[str, ...]:
        """Return names between brackets, with commas between them."""
        if before:
            self.take(before)
        found = [self.name()]
        while self.next() == ",":
            self.take()
            found.append(self.name())
        if after:
            self.take(after)
        return tuple(found)

    def formula(self) -> Formula:
        token = self.next()
        if token == "~":
            self.take()
            return negation(self.formula())
        if token == "(":
            return self.bracket()
        if token == "$":
            self.take()
            return ("call", self.name(), self.names("(", ")"))
        if token in ("true", "false"):
            self.take()
            return TRUE if token == "true" else negation(TRUE)
        return self.letters() if self.tokens[self.place + 1] == "[" else self.comparison()

    def bracket(self) -> Formula:
        """Read what a bracket opens: a quantifier or a connective."""
        self.take("(")
        quantifier = self.next()
        if quantifier in ("E", "A", "I", "E>="):
            self.take()
            count = self.number() if quantifier == "E>=" else 1
            bound = self.names("", "")
            if len(set(bound)) < len(bound) or self.bound & set(bound):
                raise Malformed(f"a variable is bound twice: {', '.join(bound)}")
            self.bound.update(bound)
            formula = self.quantified(quantifier, count, bound, self.formula())
        else:
            left = self.formula()
            connective = self.take()
            if connective not in CONNECTIVES:
                self.place -= 1
                self.fail("a connective")
            formula = CONNECTIVES[connective](left, self.formula())
        self.take(")")
        return formula

    def quantified(self, quantifier: str, count: int, bound: tuple[str, ...], body: Formula) -> Formula:
        if quantifier == "A":
            return negation(exists(bound, negation(body)))
        if quantifier == "I":  # for every number there is a larger one
            if len(bound) != 1:
                raise Malformed("I has one variable")
            (name,) = bound
            beyond = name + "'"
            self.bound.add(beyond)
            larger = linear({beyond: 1, name: -1}, "<", 0)
            return negation(exists((beyond,), negation(exists(bound, conjunction((larger, body))))))
        if count == 0:
            return TRUE
        if count == 1:
            return exists(bound, body)
        if not set(bound) <= free(body):
            raise Malformed(f"a counted variable does not occur: {', '.join(bound)}")
        return ("count", count, frozenset(bound), body)

    def number(self) -> int:
        if not self.next().isdigit():
            self.fail("a number")
        return int(self.take())

    def letters(self) -> Formula:
        word, names = self.indexed()
        relation = self.relation()
        if self.next().startswith("@"):
            return ("letter", word, names, relation, int(self.take()[1:]))
        other, more = self.indexed()
        return ("letters", word, names, relation, other, more)

    def indexed(self) -> tuple[str, tuple[str, ...]]:
        word, names = self.name(), list[str]()
        while self.next() == "[":
            names += self.names("[", "]")
        return word, tuple(names) or self.fail("[")

    def relation(self) -> str:
        if self.next() not in RELATIONS:
            self.fail("a relation")
        return self.take()

    def comparison(self) -> Formula:
        terms: dict[str, int] = {}
        constant = -self.sum(terms, 1)
        relation = self.relation()
        constant -= self.sum(terms, -1)
        return linear(terms, relation, constant)

    def sum(self, terms: dict[str, int], sign: int) -> int:
        """Add the terms of a sum, times a sign; return its constant, times the sign."""
        constant = 0
        while True:
            if self.next().isdigit():
                factor = sign * self.number()
                if self.next() == "*":
                    self.take()
                    name = self.name()
                    terms[name] = terms.get(name, 0) + factor
                else:
                    constant += factor
            else:
                name = self.name()
                terms[name] = terms.get(name, 0) + sign
            if self.next() != "+":
                return constant
            self.take()


# -- certificates ------------------------------------------------------------------------------------------


class System:
    """A numeration system: its digits and the automaton of its words."""

    def __init__(self, digits: int, words: Automaton) -> None:
        self.digits, self.words = digits, words
        self._counts: list[list[int]] = [[int(output != 0) for output in words.outputs]]
        self._built: dict[str, Automaton] = {}

    def counts(self, length: int) -> list[int]:
        """Return for each state how many words of this length lead on to acceptance."""
        while len(self._counts) <= length:
            last = self._counts[-1]
            self._counts.append([sum(last[there] for there in row.values()) for row in self.words.rows])
        return self._counts[length]

    def is_infinite(self) -> bool:
        """Whether there is a word for every number: whether numbers of words by length never end to grow."""
        states = len(self.words.rows)
        return self.counts(2 * states + 1)[0] > self.counts(states)[0]

    def representation(self, number: int) -> list[int]:
        """Return the word of a number, without leading zeros."""
        length = 0
        while self.counts(length)[0] <= number:
            length += 1
            if length > 10_000:
                raise Malformed(f"the representation of {number} is too long")
        word, state = [], 0
        for left in reversed(range(length)):
            for (digit,), there in sorted(self.words.rows[state].items()):
                if number < self.counts(left)[there]:
                    break
                number -= self.counts(left)[there]
            word.append(digit)
            state = there
        return word

    def constant(self, number: int) -> Automaton:
        """Return the automaton of x = number."""
        word = self.representation(number)
        rows: list[dict[Letter, int]] = [{(digit,): place + 1} for place, digit in enumerate(word)] + [{}]
        rows[0][(0,)] = 0
        return Automaton(1, rows, [0] * len(word) + [1])

    def order(self, relation: str) -> Automaton:
        """Return the automaton of x = y, or of x < y: words of equal length are compared digit by digit."""
        if relation not in self._built:
            start = (0, 0, False)
            numbers, rows, outputs = {start: 0}, list[dict[Letter, int]](), list[int]()
            states = [start]
            for left, right, less in states:
                row: dict[Letter, int] = {}
                for (a,), first in self.words.rows[left].items():
                    for (b,), second in self.words.rows[right].items():
                        if less or a == b or (a < b and relation == "<"):
                            there = (first, second, less or a < b)
                            if there not in numbers:
                                numbers[there] = len(states)
                                states.append(there)
                            row[a, b] = numbers[there]
                both = self.words.outputs[left] and self.words.outputs[right]
                rows.append(row)
                outputs.append(int(bool(both and less == (relation == "<"))))
            self._built[relation] = Automaton(2, rows, outputs)
        return self._built[relation]


class Claim:
    """A formula, its automaton, and the guards under which they agree."""

    def __init__(self, formula: Formula, part: Part, guard: tuple[Part, ...]) -> None:
        self.formula, self.part, self.guard = formula, part, guard


class Checker:
    """Reads the lines of a certificate; each is checked when it is read."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self.statement: Formula = ()
        self.variables: dict[str, str] = {}
        self.systems: dict[str, System] = {}
        self.words: dict[str, tuple[list[str], Automaton]] = {}
        self.predicates: dict[str, tuple[list[str], Automaton]] = {}
        self.definitions: dict[str, tuple[tuple[str, ...], Formula]] = {}
        self.automata: list[tuple[list[str], Automaton]] = []
        self.claims: list[Claim] = []
        self.adders: set[str] = set()
        self.statement_text = ""

    # -- lines

    def line(self, line: dict[str, Any]) -> None:
        """Read one line."""
        kinds: dict[str, Callable[[dict[str, Any]], None]] = {
            "rule": self.read_claim, "certificate": self.read_header, "system": self.read_system, "word": self.read_word,
            "predicate": self.read_predicate, "define": self.read_definition, "statement": self.read_statement,
            "automaton": self.read_automaton,
        }
        for kind, read in kinds.items():
            if kind in line:
                return read(line)
        raise Malformed(f"a line of no known kind: {', '.join(line)[:80]}")

    def read_header(self, line: dict[str, Any]) -> None:
        if line["certificate"] != 1 or self.variables:
            raise Malformed("this is not the one header of a certificate of version 1")
        self.variables = {self.string(name): self.string(system) for name, system in line["variables"].items()}

    def read_system(self, line: dict[str, Any]) -> None:
        name, digits = self.new(line["system"], self.systems), self.integer(line["digits"], 1, 1 << 16)
        words = self.table(line, [digits])
        if any(output not in (0, 1) for output in words.outputs):
            raise Malformed(f"{name}: outputs of words are 0 or 1")
        system = self.systems[name] = System(digits, words)
        if not system.is_infinite():
            raise Malformed(f"{name} has no word for every number")

    def read_word(self, line: dict[str, Any]) -> None:
        name = self.new(line["word"], self.words)
        self.words[name] = self.machine(line)

    def read_predicate(self, line: dict[str, Any]) -> None:
        name = self.new(line["predicate"], self.predicates | self.definitions)
        self.predicates[name] = self.machine(line)

    def read_definition(self, line: dict[str, Any]) -> None:
        name, parameters = self.new(line["define"], self.predicates | self.definitions), tuple(line["parameters"])
        formula = self.read(line["formula"])
        if len(set(parameters)) < len(parameters) or not free(formula) <= set(parameters) <= set(self.variables):
            raise Malformed(f"the parameters of {name} are not the free variables of its formula")
        self.definitions[name] = (parameters, formula)

    def read_statement(self, line: dict[str, Any]) -> None:
        if self.statement:
            raise Malformed("there are two statements")
        self.statement_text = self.string(line["statement"])
        self.statement = self.read(self.statement_text)
        if free(self.statement):
            raise Malformed(f"the statement has free variables: {', '.join(sorted(free(self.statement)))}")

    def read_automaton(self, line: dict[str, Any]) -> None:
        """Read an automaton that parts may use: whatever it accepts has to be numbers."""
        systems, automaton = self.machine(line["automaton"])
        names = [f"#{place}" for place in range(len(systems))]
        for name, system in zip(names, systems, strict=True):
            if not self.walker.covered([Part(automaton, names)], [Part(self.systems[system].words, [name])]):
                raise Invalid(f"automaton {len(self.automata)} accepts words that are no numbers of {system}")
        self.automata.append((systems, automaton))

    def read_claim(self, line: dict[str, Any]) -> None:
        rule = getattr(self, "rule_" + self.string(line["rule"]), None)
        if rule is None:
            raise Malformed(f"there is no rule {line['rule']!r}")
        premises = []
        for number in line.get("of", []):
            premises.append(self.claims[self.integer(number, 0, len(self.claims) - 1)])
        guard = tuple(self.part(one) for one in line.get("guard", []))
        part = self.part(line["part"]) if "part" in line else None
        try:
            self.claims.append(rule(line, premises, part, guard))
        except Invalid as problem:
            raise Invalid(f"claim {len(self.claims)} ({line['rule']}): {problem}") from None

    # -- what lines consist of

    def string(self, value: Any) -> str:
        if not isinstance(value, str):
            raise Malformed(f"a text is expected: {value!r:.40}")
        return value

    def integer(self, value: Any, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            raise Malformed(f"a number from {least} to {most} is expected: {value!r:.40}")
        return value

    def new(self, value: Any, known: Mapping[str, Any]) -> str:
        """Return a name that is not taken."""
        if self.string(value) in known:
            raise Malformed(f"{value} is there twice")
        return self.string(value)

    def machine(self, line: dict[str, Any]) -> tuple[list[str], Automaton]:
        """Return the systems of tracks and the automaton."""
        systems = [self.string(name) for name in line["systems"]]
        return systems, self.table(line, [self.systems[name].digits for name in systems])

    def table(self, line: dict[str, Any], digits: list[int]) -> Automaton:
        """Return an automaton: rows of letter, target, letter, target ...; a letter is a number in mixed radix."""
        outputs = [self.integer(output, -(1 << 31), 1 << 31) for output in line["outputs"]]
        letters: dict[int, Letter] = {}
        most = 1
        for radix in digits:
            most *= radix
        rows: list[dict[Letter, int]] = []
        for flat in line["rows"]:
            row: dict[Letter, int] = {}
            for code, target in zip(flat[::2], flat[1::2], strict=True):
                if code not in letters:
                    rest, letter = self.integer(code, 0, most - 1), list[int]()
                    for radix in reversed(digits):
                        rest, digit = divmod(rest, radix)
                        letter.append(digit)
                    letters[code] = tuple(reversed(letter))
                row[letters[code]] = self.integer(target, 0, len(outputs) - 1)
            rows.append(row)
            self.walker.spend(len(row))
        if not rows or len(rows) != len(outputs) or rows[0].get((0,) * len(digits)) != 0:
            raise Malformed("an automaton needs states, and a loop of zeros at the first")
        return Automaton(len(digits), rows, outputs)

    def part(self, value: Any) -> Part:
        """Return the part that [number of an automaton, names of its tracks] stands for; -1: words of a system."""
        number, names = value
        if number == -1:
            return self.valid(names[0]) if len(names) == 1 else self.fail("words of a system have one track")
        systems, automaton = self.automata[self.integer(number, 0, len(self.automata) - 1)]
        if [self.variables[name] for name in names] != systems:
            raise Malformed(f"tracks of automaton {number} have other systems")
        return Part(automaton, names)

    def fail(self, reason: str) -> NoReturn:
        raise Malformed(reason)

    def valid(self, name: str) -> Part:
        """Return the numbers of a variable's system."""
        return Part(self.systems[self.variables[name]].words, [name])

    def read(self, value: Any) -> Formula:
        """Return the normal form of a text, of which all names and systems are known."""
        try:
            formula = Reader(self.string(value)).whole()
        except Invalid as problem:
            raise Malformed(str(problem)) from None
        self.known(formula)
        return formula

    def known(self, formula: Formula) -> None:
        """Refuse a formula with unknown names, or with variables of systems that do not fit."""

        def fit(names: Sequence[str], systems: Sequence[str]) -> None:
            if [self.variables[name] for name in names] != list(systems):
                raise Malformed(f"arguments do not fit in {text(formula)}")

        match formula:
            case ("linear", terms, _, _):
                fit([name for name, _ in terms], [self.variables[terms[0][0]]] * len(terms))
            case ("letter", word, names, _, _):
                fit(names, self.words[word][0])
            case ("letters", word, names, _, other, more):
                fit(names, self.words[word][0])
                fit(more, self.words[other][0])
            case ("call", name, names) if name in self.predicates:
                fit(names, self.predicates[name][0])
            case ("call", name, names):
                fit(names, [self.variables[parameter] for parameter in self.definitions[name][0]])
            case ("block", _, parts) | ("iff", parts):
                for one in parts:
                    self.known(one)
            case ("not", body) | ("count", _, _, body):
                self.known(body)

    # -- inclusions

    def cover(self, parts: Sequence[Part], targets: Sequence[Part], reason: str) -> None:
        """Refuse the step unless every tuple of numbers in all parts is in one of the targets."""
        there = {name for part in parts for name in part.names}
        missing = dict.fromkeys(name for target in targets for name in target.names if name not in there)
        if not self.walker.covered([*parts, *map(self.valid, missing)], targets):
            raise Invalid(reason)

    def guarded(self, parts: Sequence[Part], claim: Claim) -> None:
        """Refuse the step unless a claim's guards hold wherever these parts do."""
        for guard in claim.guard:
            self.cover(parts, [guard], "the guards do not imply those of the claim used")

    def agree(self, guard: Sequence[Part], part: Part, other: Part) -> None:
        """Refuse the step unless two automata agree under the guards."""
        self.cover([*guard, part], [other], "the automaton accepts too much")
        self.cover([*guard, other], [part], "the automaton accepts too little")

    # -- rules: atoms

    def rule_order(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """x=y, x<y or x=c: the words of a system are ordered as its numbers are."""
        formula = self.read(line["formula"])
        match formula:
            case ("linear", ((x, 1), (y, -1)), ("=" | "<") as relation, 0):
                own = Part(self.systems[self.variables[x]].order(relation), [x, y])
            case ("linear", ((x, -1), (y, 1)), "<", 0):
                own = Part(self.systems[self.variables[x]].order("<"), [y, x])
            case ("linear", ((x, 1),), "=", constant):
                if constant < 0:
                    return self.agreed(negation(TRUE), part, guard, of)
                own = Part(self.systems[self.variables[x]].constant(constant), [x])
            case _:
                raise Invalid(f"{text(formula)} is not x=y, x<y or x=c")
        if part is None:
            return Claim(formula, own, guard)
        self.agree(guard, part, own)
        return Claim(formula, part, guard)

    def rule_addition(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """P is addition: x+0=z iff x=z, and x+(y+1)=z iff x+y=z-1; so by induction on y, P(x,y,z) iff x+y=z.

        Both formulas are claims; the next number is the least greater one, by the order.
        """
        name, (base, step) = self.string(line["predicate"]), of
        systems, automaton = self.predicates[name]
        if len(set(systems)) != 1 or len(systems) != 3:
            raise Invalid(f"{name} has not three arguments of one system")
        o, x, y, z, v, w, c, d = line["variables"]
        if {self.variables[variable] for variable in line["variables"]} != set(systems):
            raise Invalid("variables of another system")
        wanted = (
            f"(A {x},{z},{o} ({o}=0 => (${name}({x},{o},{z}) <=> {x}={z})))",
            f"(A {x},{y},{v},{z} (({y}<{v} & ~(E {c} ({y}<{c} & {c}<{v}))) => (${name}({x},{v},{z}) <=> "
            f"(E {w} (${name}({x},{y},{w}) & ({w}<{z} & ~(E {d} ({w}<{d} & {d}<{z}))))))))",
        )
        for claim, formula in zip((base, step), wanted, strict=True):
            if claim.formula != self.read(formula) or not self.is_true(claim):
                raise Invalid(f"it is not proved: {formula}")
        self.adders.add(name)
        return Claim(TRUE, base.part, ())

    def is_true(self, claim: Claim) -> bool:
        """Whether a claim says that a formula without variables is true."""
        return not claim.part.names and not claim.guard and claim.part.automaton.outputs[0] != 0

    def rule_sum(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """x+y=z, by an automaton of which `addition` is proved; the variables may coincide."""
        name, names = line["predicate"], line["variables"]
        x, y, z = names
        systems, automaton = self.predicates[name]
        if name not in self.adders or [self.variables[variable] for variable in names] != systems:
            raise Invalid("no addition of this system is proved")
        terms: dict[str, int] = {}
        for variable, coefficient in ((x, 1), (y, 1), (z, -1)):
            terms[variable] = terms.get(variable, 0) + coefficient
        own = Part(automaton, names)
        if part is None:
            self.cover([own], [self.valid(x)], "the automaton of the addition accepts words that are no numbers")
            self.cover([own], [self.valid(y)], "the automaton of the addition accepts words that are no numbers")
            self.cover([own], [self.valid(z)], "the automaton of the addition accepts words that are no numbers")
            return Claim(linear(terms, "=", 0), own, guard)
        self.agree([*guard, *map(self.valid, dict.fromkeys(names))], part, own)
        return Claim(linear(terms, "=", 0), part, guard)

    def rule_linear(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """A linear atom, from a claim that says it with E: every bound variable equals a sum of others, and is replaced by it."""
        (claim,) = of
        _, bound, parts = claim.formula if claim.formula[0] == "block" else ("block", frozenset(), {claim.formula})
        atoms = list(parts)
        if any(atom[0] != "linear" for atom in atoms):
            raise Invalid("there are other atoms than linear ones")
        left = set(bound)
        while left:
            solved = next(((name, atom) for atom in atoms for name in left if self.is_sum(name, atom)), None)
            if solved is None:
                raise Invalid(f"no equation says what {', '.join(sorted(left))} is")
            name, equation = solved
            atoms.remove(equation)
            atoms = [self.substituted(name, equation, atom) for atom in atoms]
            left.remove(name)
        formula = self.read(line["formula"])
        if atoms != [formula]:
            raise Invalid(f"that is not {text(formula)}")
        return self.agreed(formula, part, guard, of)

    def is_sum(self, name: str, atom: Formula) -> bool:
        """Whether an atom says that a variable equals a sum, which is a number whatever the others are."""
        if atom[0] != "linear" or atom[2] != "=":
            return False
        terms = dict(atom[1])
        own = terms.pop(name, 0)
        return abs(own) == 1 and all(own * other < 0 for other in terms.values()) and own * atom[3] >= 0

    def substituted(self, name: str, equation: Formula, atom: Formula) -> Formula:
        """Return an atom with a variable replaced by what an equation says that it equals."""
        if atom[0] != "linear":
            raise Invalid("an equation has become another formula")
        terms, solved = dict(atom[1]), dict(equation[1])
        times = terms.get(name, 0) * solved[name]  # solved[name] is 1 or -1
        for other, coefficient in solved.items():
            terms[other] = terms.get(other, 0) - times * coefficient
        return linear(terms, atom[2], atom[3] - times * equation[3])

    def rule_letter(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """A letter of a word, compared with a letter or with one of another word: by what the automata put out."""
        formula = self.read(line["formula"])
        if part is None or formula[0] not in ("letter", "letters"):
            raise Invalid("this rule is for letters of words, and needs an automaton")
        holds = RELATIONS[formula[3]]
        if formula[0] == "letter":
            _, word, names, _, letter = formula
            automaton = self.words[word][1]
            own = Part(self.where(automaton, lambda output: holds(output, letter)), names)
            self.agree([*guard, *map(self.valid, dict.fromkeys(names))], part, own)
            return Claim(formula, part, guard)
        _, word, names, _, other, more = formula
        first, second = self.words[word][1], self.words[other][1]
        domain = [*guard, *map(self.valid, dict.fromkeys((*names, *more)))]
        both = []
        for a in sorted(set(first.outputs)):
            left = Part(self.where(first, a.__eq__), names)
            b = frozenset(b for b in second.outputs if holds(a, b))
            both.append((left, Part(self.where(second, b.__contains__), more)))
        for left, right in both:
            self.cover([*domain, left, right], [part], "the automaton accepts too little")
            others = Part(self.where(right.automaton, lambda output: not output), more)
            self.cover([*domain, part, left, others], [], "the automaton accepts too much")
        total = [Part(self.where(first, lambda _: True), names), Part(self.where(second, lambda _: True), more)]
        for one in total:
            self.cover([*domain, part], [one], "the automaton accepts an index without a letter")
        return Claim(formula, part, guard)

    def where(self, automaton: Automaton, holds: Callable[[int], bool]) -> Automaton:
        """Return an automaton with the outputs 1 where something holds of them, else 0."""
        return Automaton(automaton.width, automaton.rows, [int(holds(output)) for output in automaton.outputs])

    def rule_call(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """A predicate: the words that its automaton accepts; or its defining formula, with the arguments in place of the parameters."""
        name, names = self.string(line["name"]), tuple(line["arguments"])
        formula: Formula = ("call", name, names)
        self.known(formula)
        if name in self.predicates:
            own = Part(self.predicates[name][1], names)
            if part is None:
                raise Invalid("a predicate that is an automaton needs an automaton of numbers")
            self.agree([*guard, *map(self.valid, dict.fromkeys(names))], part, own)
            return Claim(formula, part, guard)
        (claim,) = of
        parameters, body = self.definitions[name]
        if claim.formula != body or claim.guard or not set(claim.part.names) <= set(parameters):
            raise Invalid(f"the claim used is not what {name} means")
        own = claim.part.renamed(dict(zip(parameters, names, strict=True)))
        return self.agreed(formula, part, guard, [Claim(formula, own, ())])

    # -- rules: connectives and quantifiers

    def agreed(self, formula: Formula, part: Part | None, guard: tuple[Part, ...], of: list[Claim]) -> Claim:
        """Return the claim of another formula that means the same as the one used, perhaps with another automaton."""
        if not of:
            raise Invalid("a claim is used that is not named")
        (claim,) = of
        self.guarded(guard, claim)
        if part is None or part.same(claim.part):
            return Claim(formula, claim.part, guard)
        self.agree(guard, part, claim.part)
        return Claim(formula, part, guard)

    def rule_same(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """The same formula, with an automaton that agrees, or with guards that imply those of the claim used."""
        return self.agreed(of[0].formula, part, guard, of)

    def rule_true(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """true, of the tuples in an automaton that accepts all numbers under the guards."""
        if part is None:
            raise Invalid("it needs an automaton")
        self.cover([*guard, *map(self.valid, part.names)], [part], "the automaton accepts too little")
        return Claim(TRUE, part, guard)

    def rule_and(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """F & G: the guards of G hold where those of the conclusion and F do."""
        first, second = of
        if part is None:
            raise Invalid("it needs an automaton")
        self.guarded(guard, first)
        self.guarded([*guard, first.part], second)
        self.cover([*guard, first.part, second.part], [part], "the automaton accepts too little")
        self.cover([*guard, part], [first.part], "the automaton accepts too much")
        self.cover([*guard, part], [second.part], "the automaton accepts too much")
        return Claim(conjunction((first.formula, second.formula)), part, guard)

    def rule_not(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """~F."""
        (claim,) = of
        if part is None:
            raise Invalid("it needs an automaton")
        self.guarded(guard, claim)
        self.cover([*guard, part, claim.part], [], "the automaton accepts too much")
        self.cover(guard, [part, claim.part], "the automaton accepts too little")
        return Claim(negation(claim.formula), part, guard)

    def rule_without(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """F & ~G: the guards of G hold where those of the conclusion and F do."""
        first, second = of
        if part is None:
            raise Invalid("it needs an automaton")
        self.guarded(guard, first)
        self.guarded([*guard, first.part], second)
        self.cover([*guard, first.part], [part, second.part], "the automaton accepts too little")
        self.cover([*guard, part, second.part], [], "the automaton accepts too much")
        self.cover([*guard, part], [first.part], "the automaton accepts too much")
        return Claim(conjunction((first.formula, negation(second.formula))), part, guard)

    def rule_iff(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """F <=> G."""
        first, second = of
        if part is None:
            raise Invalid("it needs an automaton")
        self.guarded(guard, first)
        self.guarded(guard, second)
        self.cover([*guard, first.part, second.part], [part], "the automaton accepts too little")
        self.cover(guard, [first.part, second.part, part], "the automaton accepts too little")
        self.cover([*guard, part, first.part], [second.part], "the automaton accepts too much")
        self.cover([*guard, part, second.part], [first.part], "the automaton accepts too much")
        return Claim(equivalence(first.formula, second.formula), part, guard)

    def rule_exists(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """E x . F: each word of F without its digits of x is covered, and each word of the automaton has a witness."""
        return self.quantified(line, of, part, guard, 1)

    def rule_count(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """E>=k x,y . F: values are counted as words, by the runs of a deterministic automaton."""
        return self.quantified(line, of, part, guard, self.integer(line["count"], 2, 1 << 31))

    def quantified(
        self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...], count: int
    ) -> Claim:
        (claim,) = of
        bound = list(line["bound"])
        if part is None or set(bound) & {name for one in (part, *guard) for name in one.names} or len(set(bound)) < len(bound):
            raise Invalid("the bound variables occur in the conclusion")
        self.guarded(guard, claim)
        body = claim.part
        kept = [name for name in dict.fromkeys(body.names) if name not in bound]
        known = {name for one in (part, *guard) for name in one.names}
        parts = [*guard, *(self.valid(name) for name in kept if name not in known)]
        if count == 1:
            self.cover([*parts, body], [part], "the automaton accepts too little")
            inside = [name for name in bound if name in body.names]
            if not self.walker.witnessed([*parts, part], body, inside):
                raise Invalid("the automaton accepts what has no witness")
            return Claim(exists(bound, claim.formula), part, guard)
        formula: Formula = ("count", count, frozenset(bound), claim.formula)
        if not set(bound) <= set(body.names) & free(claim.formula):
            raise Invalid("a counted variable does not occur")
        names = dict.fromkeys([*kept, *part.names])
        domain = [*guard, *(self.valid(name) for name in names if all(name not in one.names for one in guard))]
        if not self.walker.counted(domain, body, bound, count, part):
            raise Invalid("the automaton does not accept exactly what has enough values")
        return Claim(formula, part, guard)

    def rule_union(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """E x . C & (F1 | F2 | ...), from the claims of E x . C & F1, E x . C & F2, ..."""
        blocks = [one.formula[1:] if one.formula[0] == "block" else (frozenset(), frozenset({one.formula})) for one in of]
        if part is None or len(of) < 1:
            raise Invalid("it needs claims and an automaton")
        bound = frozenset.intersection(*(block[0] for block in blocks))
        common = frozenset.intersection(*(block[1] for block in blocks))
        branches = []
        for own, parts in blocks:
            if (own - bound) & frozenset().union(*map(free, common)):
                raise Invalid("a variable is bound in one of the claims and free in another")
            branches.append(("block", own - bound, parts - common))
        for claim in of:
            self.guarded(guard, claim)
            self.cover([*guard, claim.part], [part], "the automaton accepts too little")
        self.cover([*guard, part], [claim.part for claim in of], "the automaton accepts too much")
        either = disjunction(conjunction([branch]) for branch in branches)
        inner = [conjunction([("block", frozenset(), common)]), either] if common else [either]
        return Claim(exists(bound, conjunction(inner)), part, guard)

    def rule_share(self, line: dict[str, Any], of: list[Claim], part: Part | None, guard: tuple[Part, ...]) -> Claim:
        """E t . t=s & F(t), from F(t) and the equation: where the guards imply u=s, that is F(u).

        t has one value at most, since the equation is linear; and under the guards, u is it.
        """
        body, equation = of
        old, new = self.string(line["from"]), self.string(line["to"])
        if self.variables[old] != self.variables[new]:
            raise Invalid("the variables have other systems")
        match equation.formula:
            case ("linear", terms, "=", _) if old in dict(terms) and not equation.guard:
                pass
            case _:
                raise Invalid(f"{text(equation.formula)} does not say what {old} is")
        renaming = {old: new}
        self.cover(guard, [equation.part.renamed(renaming)], f"the guards do not imply that {new} is {old}")
        moved = Claim(body.formula, body.part.renamed(renaming), tuple(one.renamed(renaming) for one in body.guard))
        formula = exists([old], conjunction((equation.formula, body.formula)))
        if old in {name for one in guard for name in one.names}:
            raise Invalid(f"{old} occurs in the guards")
        return self.agreed(formula, part, guard, [moved])

    # -- the end

    def conclude(self) -> None:
        """Refuse the certificate unless its last claim is the statement."""
        if not self.statement or not self.claims:
            raise Malformed("there is no statement, or no claim")
        last = self.claims[-1]
        if last.formula != self.statement:
            raise Invalid(f"the last claim is not the statement, but {text(last.formula):.200}")
        if not self.is_true(last):
            raise Invalid("the last claim does not say that the statement is true")


# -- the program ---------------------------------------------------------------------------------------------


def lines(file: str, most_bytes: int) -> Iterator[dict[str, Any]]:
    """Read the objects of a file, compressed or not."""
    with open(file, "rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    with gzip.open(file, "rb") if packed else open(file, "rb") as stream:
        left = most_bytes
        while line := stream.readline(left + 1):
            left -= len(line)
            if left < 0:
                raise Malformed(f"the file has more than {most_bytes} bytes")
            value = json.loads(line)
            if not isinstance(value, dict):
                raise Malformed("a line is no object")
            yield value


def check(file: str, seconds: float = 3600, steps: int = 1 << 34, most_bytes: int = 1 << 32) -> Checker:
    """Check a certificate; return what was read, or raise Malformed or Invalid."""
    checker = Checker(Walker(seconds, steps))
    try:
        for number, line in enumerate(lines(file, most_bytes), 1):
            try:
                checker.line(line)
            except Malformed as problem:
                raise Malformed(f"line {number}: {problem}") from None
            except (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError) as problem:
                raise Malformed(f"line {number}: {type(problem).__name__}: {problem!s:.80}") from None
    except (OSError, EOFError, ValueError, RecursionError, MemoryError) as problem:
        raise Malformed(f"{type(problem).__name__}: {problem!s:.200}") from None
    checker.conclude()
    return checker


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        checker = check(arguments[0])
    except Malformed as problem:
        print(f"no certificate: {problem}", file=sys.stderr)
        return 2
    except Invalid as problem:
        print(f"INVALID {problem}")
        return 1
    for name, (parameters, formula) in checker.definitions.items():
        print(f"${name}({','.join(parameters)}) means {text(formula)}")
    print(f"proved of natural numbers, by {len(checker.claims)} steps:\n{checker.statement_text}\nthat is\n{text(checker.statement)}")
    print("VALID")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
