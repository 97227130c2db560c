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
tracks at a time.  The initial state 0 has a loop at the letter of zeros, so zeros in front change nothing, and an
automaton is a set of tuples of numbers: those whose words, filled up with zeros to any one length, it accepts.  Its
tracks are named by variables, and each variable belongs to one system.

STATEMENTS are about natural numbers.  Atoms are comparisons of sums, letters of words (an automaton whose output after
the digits of n is the letter at n; every index has one), predicates that are automata, and those that formulas define.
~ & | => <=> E A have their usual meaning; (E>=k x,y F): at least k pairs.

MEANINGS.  What names stand for is printed.  Of a system: its recurrence, if the file gives one.  Of a word: its first
letters, and the morphism that its automaton is (`morphism`), or that they are the coefficients of a power series modulo
a prime power (`PowerSeries`), if the file gives that.  Of a predicate: its regular expression, its recursion, or
that it is a sum or a floor, if the file gives that; otherwise its first members.  Of a sequence: its first terms, what
it counts, and the equations that determine it (`rule_sequences`).  What the file gives is checked.

INTEGERS.  A number n with the digits d_j, ..., d_0 in base k stands for the sum of d_i (-k)^i, or by its digits for the
weights 1, 2, 3, 5, ... for the sum with the weights 1, -1, 2, -3, ...; each integer has one such n.  So a variable for
integers has numbers as its values.  Comparisons of sums of integers are those that a line has defined by sums of
numbers (`Checker.comparison`), or equalities of two variables.  They are printed as what they mean.

FAMILIES.  A file may be about all infinite sequences a_1, a_2, ... of choices, or of partial quotients (`Family`).  Its
automata have one more track, for a beginning of the sequence.  For one sequence, numbers are the words that are valid
beside long beginnings, in their order, and letters and predicates what automata say beside all beginnings but finitely
many.  The statement is true for all sequences; or false for one that ends in a period.

SEQUENCES of rational numbers are linear representations: a row, times a matrix for each digit of n, times a column.
That of a sequence which counts is built here (`counted`).

CLAIMS.  A claim is a formula F, a relation R (an automaton over named tracks) and guards, which are relations too: "for
all values of all variables: if every guard accepts them, then R accepts them exactly if F is true of them".  A rule
makes a claim of earlier ones; each function `rule_...` says of which formula, and docs/certificates.md why that is so.
The last claim has the statement as its formula, neither tracks nor guards, and accepts: so the statement is true.
In a file about a family: for all sequences and all values, beside all beginnings but finitely many.
From version 2 on a claim may have no relation: `Checker.left_out` builds what its rule makes of those used.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import reduce
from itertools import chain, dropwhile, islice, product
from math import comb, gcd, lcm, prod
from typing import Any, NamedTuple, NoReturn

Letter = tuple[int, ...]
Part = tuple[bool, set[int], set[int]]
Formula = tuple[Any, ...]
Line = dict[str, Any]


class Malformed(Exception):
    """The file is no certificate, or too large."""


class Unreadable(Malformed):
    """The file cannot be read."""


class TooLarge(Malformed):
    """Checking the file takes more memory than the limit."""


class Invalid(Exception):
    """A step does not follow."""


def fail(reason: str) -> NoReturn:
    raise Malformed(reason)


MOST_LINE, MOST_MEMORY = 16 << 20, 900 << 20  # bytes
MOST_KEPT, MOST_TRANSITIONS = 1 << 12, 1 << 20  # states; transitions of one state, and letters
MOST_FORMULA = 1 << 20  # characters, as long as it is when its parts are written out
MOST_BUILT, MOST_SPOKEN = 1 << 24, 1 << 22  # transitions of all states; characters that say how integers are compared


def resident() -> int:
    """Return the bytes that this process holds, 0 where that is not known."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


SPENT = "checking the file takes more steps, or more time, than the limit"


class Budget:
    """Limits of time, of steps, and of the bytes that the process holds beside those that it held before."""

    def __init__(self, seconds: float, steps: int, memory: int = MOST_MEMORY) -> None:
        self.until, self.left, self.calls, self.most = time.monotonic() + seconds, steps, 0, resident() + memory

    def hold(self, size: int) -> None:
        """Refuse what is about to take so many bytes, if there is no room for them."""
        if resident() + size > self.most:
            raise TooLarge("checking the file takes more memory than the limit")

    def spend(self, steps: int) -> None:
        self.left, self.calls = self.left - steps - 1, self.calls + 1
        if self.left < 0:
            fail(SPENT)
        if self.calls % 256 == 0 or steps > 1 << 16:
            self.ask()

    def ask(self) -> None:
        """Refuse the file if its time is spent, or the process holds more than the limit."""
        if time.monotonic() > self.until:
            fail(SPENT)
        self.hold(0)


# -- automata --------------------------------------------------------------------------------------------------------

BITS = 10  # of a digit, in a letter that is written as a number
DIGIT = (1 << BITS) - 1


class Memo(dict[Any, Any]):
    """A function whose values are kept."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self.function(key)
        return value


class Automaton:
    """By state its transitions, the target by the letter, and its output (of automata that accept: 0 refuses)."""

    def __init__(self, rows: Any, outputs: Any) -> None:
        self.rows, self.outputs = rows, outputs
        self.readers: dict[Any, Memo] = {}

    def accepts(self, state: int) -> bool:
        """Return whether a state accepts; -1 is the state of words that have no transition."""
        return state >= 0 and self.outputs[state] != 0

    def reader(self, shifts: Letter, known: int) -> Memo:
        """Return a table, by state, by the digits that are known: the other digits, with the target.

        Letters are numbers here: the digit of each track begins at a bit, its shift; tracks of one shift have equal
        digits.  known: the bits of the tracks that are known, -1 if all are: then the table has the target alone.
        """
        if (shifts, known) not in self.readers:
            letters = Memo(lambda letter: sum(digit << shift for digit, shift in digits)
                           if len(digits := set(zip(letter, shifts, strict=True))) == len(set(shifts)) else -1)
            self.readers[shifts, known] = Memo(lambda state: self.row(state, letters, known))
        return self.readers[shifts, known]

    def row(self, state: int, letters: Memo, known: int) -> dict[int, Any]:
        """Return the row of a state in a table."""
        read = [(letters[letter], there) for letter, there in self.rows[state].items()] if state >= 0 else []
        found: dict[int, Any] = {}
        for letter, there in read:
            if letter >= 0:
                found.setdefault(letter & known, []).append((letter & ~known, there))
        return found if known != -1 else {letter: there for letter, ((_, there),) in found.items()}


class Sets(Automaton):
    """The sets of states of an automaton that are reached if digits are given at some places only, and any at others.

    It accepts words with `most` witnesses, or more: a state is counted with the number of ways to it, as far as `most`.
    The automaton is deterministic: ways are words, so numbers.  These may be longer than what is given: so in the first
    set are states that are reached along zeros; it grows with their number, as the first state has a loop.  Backward,
    words are read from their end, the first set are the states that accept, and one of those along zeros has to be met.

    loses: by state, others: a set with one of these loses the state.  Then what is accepted has a witness, still.
    """

    def __init__(
        self, automaton: Automaton, kept: Sequence[int], budget: Budget, most: int = 1, backward: bool = False,
        loses: Sequence[Sequence[int]] = (),
    ) -> None:
        self.budget, self.most, self.backward, self.sets = budget, most, backward, list[frozenset[int]]()
        self.loses: dict[int, Sequence[int]] = {}
        self.moves: list[dict[Letter, list[int]]] = [{} for _ in automaton.rows]
        for state, row in enumerate(automaton.rows):
            for letter, there in row.items():
                one, other = (there, state) if backward else (state, there)
                self.moves[one].setdefault(tuple([letter[place] for place in kept]), []).append(other)
        ends = {state for state, output in enumerate(automaton.outputs) if output}
        if backward:
            begin, ends = frozenset(ends), set(Sets(automaton, kept, budget).sets[0])
        else:
            begin, zeros = frozenset({0}), (0,) * len(kept)  # the one way to state 0 is the number 0 * most
            while (longer := self.after(begin)[zeros]) != begin:
                begin = longer
            if loses:
                order = breadth_first(automaton.rows)
                self.loses = {order[one]: [order[other] for other in others] for one, *others in loses}
                begin = self.smaller(begin)
        self.ends, self.sets, self.numbers = ends, [begin], {begin: 0}
        super().__init__(Memo(self.targets), Memo(self.output))

    def after(self, ways: frozenset[int]) -> dict[Letter, frozenset[int]]:
        """Return the sets after a set, by letter; a state with n ways is the number state * most + n - 1."""
        if self.most == 1:
            reached: dict[Letter, set[int]] = {}
            for state in ways:
                for letter, targets in self.moves[state].items():
                    reached.setdefault(letter, set()).update(targets)
            self.budget.spend(sum(map(len, reached.values())))
            return {letter: self.smaller(states) if self.loses else frozenset(states)
                    for letter, states in reached.items()}
        found: dict[Letter, dict[int, int]] = {}
        for state, others in (divmod(way, self.most) for way in ways):
            for letter, targets in self.moves[state].items():
                there = found.setdefault(letter, {})
                for target in targets:
                    there[target] = min(self.most, there.get(target, 0) + others + 1)
        self.budget.spend(sum(map(len, found.values())))
        return {letter: frozenset([target * self.most + number - 1 for target, number in there.items()])
                for letter, there in found.items()}

    def smaller(self, states: AbstractSet[int]) -> frozenset[int]:
        """Return a set without the states that it loses."""
        return frozenset(one for one in states if states.isdisjoint(self.loses.get(one, ())))

    def targets(self, number: int) -> dict[Letter, int]:
        """Return the transitions of a set, by its number."""
        found = {}
        for letter, ways in self.after(self.sets[number]).items():
            found[letter] = self.numbers.setdefault(ways, len(self.sets))
            if found[letter] == len(self.sets):
                self.sets.append(ways)
        return found if len(self.sets) < 1 << 21 else fail("checking the file takes more memory than the limit")

    def output(self, number: int) -> int:
        """Return whether a set accepts."""
        return sum(way % self.most + 1 for way in self.sets[number] if way // self.most in self.ends) >= self.most


class Relation(NamedTuple):
    """An automaton whose tracks are named; tracks of one name have equal digits."""

    automaton: Automaton
    names: Sequence[str]

    def renamed(self, names: Mapping[str, str]) -> Relation:
        return Relation(self.automaton, [names.get(name, name) for name in self.names])


def walk(
    parts: Sequence[Relation], others: Sequence[Relation], holds: Callable[[list[bool]], bool], budget: Budget
) -> bool:
    """Return whether a condition on the acceptance of the others holds wherever all parts accept.

    It walks through the states of all of them, along the letters that all parts have a transition for.  The parts name
    all variables of the others.
    """
    parts = parts or [Relation(Automaton([{(): 0}], [1]), [])]
    shifts, plans = dict[str, int](), list[tuple[Memo, int]]()
    for number, (automaton, names) in enumerate([*parts, *others]):
        known = sum({DIGIT << shifts[name] for name in names if name in shifts})
        for name in names:
            if name not in shifts:
                shifts[name] = BITS * len(shifts) if number < len(parts) else fail(f"{name} has no values")
        places = tuple([shifts[name] for name in names])
        plans.append((automaton.reader(places, known if number < len(parts) else -1), known))
    accepts = [relation.automaton.accepts for relation in (*parts, *others)]
    todo = [(0,) * len(plans)]
    seen = set(todo)
    while todo:
        states = todo.pop()
        ends = [accept(state) for accept, state in zip(accepts, states, strict=True)]
        if all(ends[: len(parts)]) and not holds(ends[len(parts) :]):
            return False
        rows = [(reader[state], known) for (reader, known), state in zip(plans, states, strict=True)]
        found: list[tuple[int, Letter]] = [(letter, (there,)) for letter, there in rows[0][0].get(0, ())]
        for (row, known), (automaton, _), state in zip(rows[1 : len(parts)], parts[1:], states[1:], strict=False):
            if len(found) * len(automaton.rows[state]) > 1 << 20:  # tracks of other names multiply
                budget.hold(200 * sum(len(row.get(letter & known, ())) for letter, _ in found))
            found = [(letter | more, (*before, there))
                     for letter, before in found for more, there in row.get(letter & known, ())]
        for row, known in rows[len(parts) : -1]:
            get = row.get
            found = [(letter, (*before, get(letter & known, -1))) for letter, before in found]
        if others:
            get, known = rows[-1][0].get, rows[-1][1]
            new = {(*before, get(letter & known, -1)) for letter, before in found} - seen
        else:
            new = {before for _, before in found} - seen
        seen |= new
        todo += new
        budget.spend(len(found))
        if len(seen) > 1 << 22:
            fail("checking the file takes more memory than the limit")
    return True


# -- relations that a file leaves out ----------------------------------------------------------------------------------
#
# They are built here: `joined` walks through the reachable states of a product, as `walk` does, and merges states that
# `minimal` finds to be equivalent.  That they are is checked, so `minimal` need not be trusted.

Rows = list[dict[int, int]]  # a letter is a number: the digit of each track begins at a bit


def joined(
    parts: Sequence[Relation], others: Sequence[Relation], holds: Callable[[list[bool]], bool], budget: Budget
) -> Relation:
    """Return a minimal relation: that all parts accept, and a condition on the acceptance of the others holds.

    The parts name all variables; the tracks of the result are in the order of their names.
    """
    order = sorted({name for part in parts for name in part.names})
    shifts = {name: BITS * place for place, name in enumerate(order)}
    plans, there = list[tuple[Memo, int]](), set[str]()
    for number, (automaton, names) in enumerate([*parts, *others]):
        known = sum({DIGIT << shifts[name] for name in names if name in there})
        there.update(names)
        plans.append((automaton.reader(tuple([shifts[name] for name in names]), known if number < len(parts) else -1),
                      known if number < len(parts) else sum({DIGIT << shifts[name] for name in names})))
    accepts = [relation.automaton.accepts for relation in (*parts, *others)]
    todo = [(0,) * len(plans)]
    numbers, rows, outputs, transitions = {todo[0]: 0}, Rows(), list[bool](), 0
    for states in todo:
        ends = [accept(state) for accept, state in zip(accepts, states, strict=True)]
        outputs.append(all(ends[: len(parts)]) and bool(holds(ends[len(parts) :])))
        found: list[tuple[int, Letter]] = [(0, ())]
        for (reader, known), (automaton, _), state in zip(plans, parts, states, strict=False):
            row = reader[state]
            if len(found) * len(automaton.rows[state]) > MOST_TRANSITIONS and (
                    sum(len(row.get(letter & known, ())) for letter, _ in found) > MOST_TRANSITIONS):
                fail("an automaton has too many tracks")
            found = [(letter | more, (*before, there))
                     for letter, before in found for more, there in row.get(letter & known, ())]
        for (reader, known), state in zip(plans[len(parts) :], states[len(parts) :], strict=True):
            get = reader[state].get
            found = [(letter, (*before, get(letter & known, -1))) for letter, before in found]
        own = {}
        for letter, after in found:
            own[letter] = numbers.setdefault(after, len(numbers))
            if own[letter] == len(todo):
                todo.append(after)
        rows.append(own)
        budget.spend(len(found))
        transitions += len(found)
        if len(found) > MOST_KEPT:
            budget.hold(150 * len(found))
        if len(todo) > 1 << 21 or transitions > MOST_BUILT:
            fail("checking the file takes more memory than the limit")
    merged, places = minimal(rows, outputs, budget)
    accepting = {place for place, output in zip(places, outputs, strict=True) if output}
    for row, output, place in zip(rows, outputs, places, strict=True):
        new = {letter: places[target] for letter, target in row.items() if places[target] >= 0}
        if (place >= 0 and merged[place] != new) or (place < 0 and new) or output is not (place in accepting):
            raise Invalid("states of a relation that the file leaves out are merged wrongly")
        budget.spend(len(row))
    if places[0] > 0 or -1 in accepting:
        raise Invalid("a relation that the file leaves out has another first state")
    letters = Memo(lambda code: tuple([code >> shift & DIGIT for shift in shifts.values()]))
    named = [{letters[code]: there for code, there in row.items()} for row in merged]
    return Relation(Automaton(named, [int(place in accepting) for place in range(len(named))]), order)


def breadth_first(rows: Sequence[Mapping[Letter, int]]) -> list[int]:
    """Return the states that are reached, in the order in which they are met, letter by letter."""
    order, met = [0], {0}
    for state in order:  # which grows
        new = dict.fromkeys(there for _, there in sorted(rows[state].items()) if there not in met)
        met.update(new)
        order += new
    return order


def leading_to(states: list[int], sources: Sequence[Sequence[int]]) -> set[int]:
    """Return the states from which some states are reached, these among them; sources: those before each state."""
    found, todo = set(states), list(states)
    for state in todo:
        new = [before for before in sources[state] if before not in found]
        found.update(new)
        todo += new
    return found


def minimal(rows: Rows, outputs: Sequence[bool], budget: Budget) -> tuple[Rows, list[int]]:
    """Return the automaton with the fewest states that accepts the same, and of each state its number there.

    All states are reached from state 0.  Those from which nothing is accepted have the number -1.

    States are told apart by what their letters lead to.  Of states that are told apart, all but most get a new number,
    and only states that lead to these are looked at again.
    """
    sources: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for there in set(row.values()):
            sources[there].append(state)
        budget.spend(len(row))
    alive = leading_to([state for state, output in enumerate(outputs) if output], sources)
    if 0 not in alive:
        return [{0: 0}], [-1] * len(rows)
    kept = [[pair for pair in sorted(row.items()) if pair[1] in alive] for row in rows]
    targets = [[there for _, there in row] for row in kept]
    kinds, first = [-1] * len(rows), dict[Any, int]()
    for state in alive:  # at first by their outputs and letters
        kinds[state] = first.setdefault((outputs[state], tuple([letter for letter, _ in kept[state]])), len(first))
    blocks: list[set[int]] = [set() for _ in first]
    for state in alive:
        blocks[kinds[state]].add(state)
    dirty = {kind: set(block) for kind, block in enumerate(blocks)}
    while dirty:
        kind, looked = dirty.popitem()
        block, told = blocks[kind], dict[Any, set[int]]()
        other = next((state for state in block if state not in looked), None) if len(block) > len(looked) else None
        for state in looked if other is None else (other, *looked):
            told.setdefault(tuple([kinds[there] for there in targets[state]]), set()).add(state)
            budget.spend(len(targets[state]))
        groups = list(told.values())
        if other is not None:  # the first group is that of all states that are not looked at
            for group in groups[1:]:
                block -= group
            groups[0] = block
        groups.sort(key=len)
        blocks[kind] = groups.pop()
        for group in groups:
            for state in group:
                kinds[state] = len(blocks)
            blocks.append(group)
        for before in {before for group in groups for state in group for before in sources[state]} & alive:
            dirty.setdefault(kinds[before], set()).add(before)
    names = {kinds[0]: 0}
    order = [0]
    found = Rows()
    for state in order:
        own = {}
        for letter, there in kept[state]:
            if kinds[there] not in names:
                names[kinds[there]] = len(order)
                order.append(there)
            own[letter] = names[kinds[there]]
        found.append(own)
    return found, [names[kinds[state]] if state in alive else -1 for state in range(len(rows))]


def turned(automaton: Automaton, budget: Budget) -> Automaton:
    """Return an automaton that reads words from their end; all states of the other one are known."""
    before: list[dict[Letter, list[int]]] = [{} for _ in automaton.rows]
    for state, row in enumerate(automaton.rows):
        for letter, there in row.items():
            before[there].setdefault(letter, []).append(state)
    todo = [frozenset(state for state, output in enumerate(automaton.outputs) if output)]
    numbers, rows = {todo[0]: 0}, list[dict[Letter, int]]()
    for states in todo:
        reached: dict[Letter, set[int]] = {}
        for state in states:
            for letter, sources in before[state].items():
                reached.setdefault(letter, set()).update(sources)
        row = {}
        for letter, group in reached.items():
            row[letter] = numbers.setdefault(frozenset(group), len(numbers))
            if row[letter] == len(todo):
                todo.append(frozenset(group))
        rows.append(row)
        budget.spend(sum(map(len, reached.values())))
    return Automaton(rows, [int(0 in states) for states in todo])


def without(sets: Sets, names: Sequence[str], budget: Budget) -> Relation:
    """Return a minimal relation of the words that sets accept; names: those of its tracks."""
    if not sets.backward:
        return joined([Relation(sets, names)], [], all, budget)
    rows = list[dict[Letter, int]]()
    while len(rows) < len(sets.sets):  # sets get their numbers when those before them are asked for their transitions
        rows.append(sets.rows[len(rows)])
    read = Automaton(rows, [sets.output(number) for number in range(len(rows))])
    return joined([Relation(turned(read, budget), names)], [], all, budget)


# -- families --------------------------------------------------------------------------------------------------------
#
# A relation over a family has a track for beginnings of the sequence a.  These functions are about relations of numbers
# alone: in front of a beginning all digits are 0.

PARAMETER = "~parameter"  # the name of that track, and of its system: no formula can contain it


class Family:
    """All sequences a_1, a_2, ... of choices between 1 and some number; or of partial quotients, any numbers from 1 on.

    A choice is written as a digit, a partial quotient in binary with 2 for its first digit; a beginning with a_1 last.

    first: the digits that begin an a_i; more: those that may follow.
    """

    def __init__(self, name: str, choices: int) -> None:
        self.name, self.choices, self.one = name, choices, "the choices" if choices else "the slope"
        self.first, self.more = (range(1, choices + 1), range(0)) if choices else (range(2, 3), range(2))
        self.digits = choices + 1 if choices else 3
        begin = {(digit,): 1 for digit in self.first}
        self.beginnings = Automaton([{(0,): 0} | begin, begin | {(digit,): 1 for digit in self.more}], [0, 1])

    def __str__(self) -> str:
        said = (f"choices between 1 and {self.choices}" if self.choices else
                "partial quotients, numbers from 1 on: all irrational slopes [0; a_1, a_2, ...]")
        return f"all sequences a_1, a_2, ... of {said}"

    def shown(self, first: Sequence[int], period: Sequence[int]) -> str:
        """Return a sequence that ends in a period, as a text."""
        if self.choices:
            return " ".join([*map(str, first), f"({' '.join(map(str, period))})"])
        return f"[0; {', '.join([*map(str, first), '(' + ', '.join(map(str, period)) + ')'])}]"

    def written(self, number: int) -> Letter:
        """Return how one number of a sequence is written."""
        return (number,) if self.choices else (2, *map(int, f"{number:b}"[1:]))

    def beginning(self, numbers: Sequence[int]) -> list[int]:
        """Return how a beginning is written."""
        return [digit for number in reversed(numbers) for digit in self.written(number)]

    def zero_beside(self, relation: Relation, digits: Iterable[int]) -> list[Letter]:
        """Return the letters with these digits of the sequence and zeros of all numbers."""
        return [tuple([digit if name == PARAMETER else 0 for name in relation.names]) for digit in digits]

    def stays(self, relation: Relation, budget: Budget) -> bool:
        """Return whether a relation accepts what it accepts also with one more a_i in front, beside zeros."""
        rows, accepts = relation.automaton.rows, relation.automaton.accepts
        place = list(relation.names).index(PARAMETER)
        more, ends = self.zero_beside(relation, self.more), set[int]()
        for state in (todo := [rows[0].get(letter, -1) for letter in self.zero_beside(relation, self.first)]):
            if state not in ends:
                ends.add(state)
                todo += [rows[state].get(letter, -1) for letter in more] if state >= 0 else []
        pairs = {(there, rows[end].get(letter, -1) if end >= 0 else -1)
                 for letter, there in rows[0].items() if letter[place] in self.first for end in ends}
        for state, other in (todo_pairs := list(pairs)):
            if accepts(state) and not accepts(other):
                return False
            after = rows[other] if other >= 0 else {}
            new = {(there, after.get(letter, -1)) for letter, there in rows[state].items()} - pairs
            todo_pairs += new
            pairs |= new
            budget.spend(len(rows[state]))
        return True

    def repeats(self, relation: Relation, bound: Sequence[str] = ()) -> bool:
        """Return whether a cycle, through the first digit of an a_i, is in front of all numbers but those bound.

        If some are bound, the cycle comes after the first digit of one of these that is not 0.  In other words:
        infinitely many beginnings of one sequence may be accepted beside some numbers; or the bound ones may have any
        number of digits more than the others.  All states of the relation, which is minimal, lead to some that accept.
        """
        edges: dict[int, list[tuple[Letter, int]]] = {}
        for state, row in enumerate(relation.automaton.rows):
            edges[state] = [(letter, there) for letter, there in row.items()
                            if not any(digit for digit, name in zip(letter, relation.names, strict=True)
                                       if name != PARAMETER and name not in bound)]
        places = [place for place, name in enumerate(relation.names) if name in bound]
        place = list(relation.names).index(PARAMETER)
        starts = {0}
        if bound:
            front = reached_from({0}, {state: [there for letter, there in row if not any(letter[at] for at in places)]
                                       for state, row in edges.items()})
            starts = {there for state in front for letter, there in edges[state] if any(letter[at] for at in places)}
        known = reached_from(starts, {state: [there for _, there in row] for state, row in edges.items()})
        parts = components({state: {there for _, there in edges[state]} for state in known})
        return any(parts[state] == parts[there] for state in known for letter, there in edges[state]
                   if letter[place] in self.first)

    def returns(self, relation: Relation, budget: Budget, always: bool = False) -> bool:
        """Return whether infinitely many beginnings of one sequence are accepted beside some numbers: the same exactly.

        Read from the end, they lead to a state that accepts, is reached by the first digit of an a_i beside zeros, and
        then by more of these again and again.  always: whether all but finitely many are; there are no other states.
        """
        back = turned(relation.automaton, budget)
        return any(back.accepts(there) for _, there in self.ends(relation, back, always))

    def settles(self, relation: Relation, budget: Budget) -> bool:
        """Return whether, beside all numbers, all beginnings but finitely many are accepted, or all but these refused.
        """
        back, found = turned(relation.automaton, budget), dict[int, bool]()
        return all(found.setdefault(part, back.accepts(there)) is back.accepts(there)
                   for part, there in self.ends(relation, back))

    def ends(self, relation: Relation, back: Automaton, always: bool = False) -> Iterator[tuple[int, int]]:
        """Yield the states after which an a_i may end again and again beside zeros, each with one of its component.

        back: the automaton that reads words of the relation from their end; always: without states that refuse.
        """
        first = set(self.zero_beside(relation, self.first))
        beside = first.union(self.zero_beside(relation, self.more))
        edges = [[(letter in first, there) for letter, there in row.items()
                  if letter in beside and not (always and letter in first and not back.accepts(there))]
                 for row in back.rows]
        parts = components({state: [there for _, there in row] for state, row in enumerate(edges)})
        yield from ((parts[state], there) for state, row in enumerate(edges) for is_end, there in row
                    if is_end and parts[state] == parts[there])


def reached_from(starts: Iterable[int], targets: Mapping[int, Iterable[int]]) -> set[int]:
    """Return the states that are reached from some, these among them."""
    found = set(starts)
    for state in (todo := list(found)):
        new = set(targets[state]) - found
        todo += new
        found |= new
    return found


def components(targets: Mapping[int, Iterable[int]]) -> dict[int, int]:
    """Return for each state one of those that it leads to and that lead to it, the same for all of these."""
    order, seen, before = list[int](), set[int](), {state: list[int]() for state in targets}
    for state, row in targets.items():
        for there in row:
            before[there].append(state)
    for start in targets:
        todo = [(start, False)]
        while todo:
            state, is_done = todo.pop()
            if is_done:
                order.append(state)
            elif state not in seen:
                seen.add(state)
                todo += [(state, True), *((there, False) for there in targets[state])]
    found: dict[int, int] = {}
    for start in reversed(order):
        waiting = [start]
        while waiting:
            if (state := waiting.pop()) not in found:
                found[state] = start
                waiting += before[state]
    return found


# -- sequences -------------------------------------------------------------------------------------------------------

Number = int | Fraction
Row = list[Number]
Matrix = list[dict[int, Number]]  # its rows, without their zeros
MOST_DIMENSION, MOST_ENTRY = 1 << 11, 1 << 512
MOST_BITS = 14284  # of a number that is printed: it has at most 4,300 digits


class Series:
    """A row, a matrix for each digit, and a column: the term at n is their product along the digits of n."""

    def __init__(self, row: Row, matrices: Sequence[Matrix], column: Row) -> None:
        self.row, self.matrices, self.column = row, matrices, column

    def term(self, word: Iterable[int]) -> Number:
        """Return the term at the number that a word represents."""
        row = self.row
        for digit in word:
            row = times(row, self.matrices[digit])
        return dot(row, self.column)


def times(row: Row, matrix: Matrix) -> Row:
    """Return a row times a matrix."""
    found: Row = [0] * len(row)
    for factor, entries in zip(row, matrix, strict=True):
        if factor:
            for place, entry in entries.items():
                found[place] += factor * entry
    return found


def dot(row: Row, column: Row) -> Number:
    """Return a row times a column."""
    found = sum((one * other for one, other in zip(row, column, strict=True)), start=Fraction(0))
    return found.numerator if found.denominator == 1 else found


def tensor(rows: Iterable[Row]) -> Row:
    """Return the products of entries, one of each row."""
    return [prod(entries) for entries in product(*rows)]


def tensor_matrix(matrices: Sequence[Matrix]) -> Matrix:
    """Return the matrix by which a tensor product of rows is multiplied if each of them is by its own matrix."""
    found: Matrix = [{0: 1}]
    for matrix in matrices:
        size = len(matrix)
        found = [{place * size + column: one * other for place, one in row.items() for column, other in new.items()}
                 for row in found for new in matrix]
    return found


def counted(name: str, relation: Relation, index: str, digits: int, budget: Budget) -> Series:
    """Return how many tuples a relation accepts for each value of one of its variables, the others being counted.

    The automaton is deterministic, and tuples are its words of one length: the row has the number of ways to each state
    along zeros of the index, so that what is counted may be longer.  It grows with these zeros, as the first state has
    a loop, until it is the same, if all counts are finite: from each state that has a place here some word is accepted.
    What has not ended after as many steps as there are states goes in a circle.
    """
    automaton, names = relation
    sources: list[list[int]] = [[] for _ in automaton.rows]
    for state, row in enumerate(automaton.rows):
        for there in row.values():
            sources[there].append(state)
    live = leading_to([state for state, output in enumerate(automaton.outputs) if output], sources)
    if 0 not in live:  # nothing is accepted; there may be many ways from the first state to itself
        return Series([0], [[{}]] * digits, [0])
    places = {state: place for place, state in enumerate(sorted(live))}
    if len(places) > MOST_DIMENSION:
        fail(f"{name} has too many states")
    at = names.index(index) if index in names else None
    budget.hold(80 * len(places) * (1 if at is None else digits))
    own: list[Matrix] = [[{} for _ in places] for _ in range(1 if at is None else digits)]
    for state, place in places.items():
        budget.spend(len(automaton.rows[state]))
        for letter, there in automaton.rows[state].items():
            if there in places:
                row_of = own[0 if at is None else letter[at]][place]
                row_of[places[there]] = row_of.get(places[there], 0) + 1
    matrices = own * digits if at is None else own  # all digits have one matrix where the index does not occur
    first: Row = [1, *[0] * (len(places) - 1)]
    for _ in range(len(places) + 1):
        budget.spend(sum(map(len, matrices[0])))
        if (longer := times(first, matrices[0])) == first:
            return Series(first, matrices, [int(automaton.accepts(state)) for state in places])
        first = longer
    raise Invalid(f"some number that {name} counts is infinite")


class Span:
    """The sums of rational multiples of some rows, by rows of integers: each by the place of its first entry."""

    def __init__(self, budget: Budget) -> None:
        self.rows: dict[int, list[int]] = {}
        self.budget = budget

    def add(self, row: Row) -> bool:
        """Add a row; return whether it was no such sum before."""
        common = lcm(*(entry.denominator for entry in row))
        rest = [int(entry * common) for entry in row]
        for place in sorted(self.rows):
            if rest[place]:
                rest = self.without(rest, place, self.rows[place])
        pivot = next((place for place, entry in enumerate(rest) if entry), None)
        if pivot is None:
            return False
        # No other row has an entry there, so that entries stay small.
        self.rows = {place: self.without(known, pivot, rest) if known[pivot] else known
                     for place, known in self.rows.items()}
        self.rows[pivot] = rest
        return True

    def without(self, row: list[int], place: int, known: list[int]) -> list[int]:
        """Return a multiple of a row plus one of a known row, which is 0 at a place."""
        one, other = known[place], row[place]
        rest = [one * entry - other * less for entry, less in zip(row, known, strict=True)]
        most = gcd(*rest) or 1
        rest = [entry // most for entry in rest]
        self.budget.spend(len(rest) * (1 + max(map(abs, rest)).bit_length() // 64))
        return rest


class Product(NamedTuple):
    """A coefficient times terms of sequences, each with the name of the variable that is its index."""

    coefficient: Number
    factors: list[tuple[Series, str]]


def vanishes(relation: Relation, products: Sequence[Product], budget: Budget) -> bool:
    """Return whether a sum of products is 0 for all numbers that a relation accepts; it names all their variables.

    The products, one beside the other, have one row.  Of each state, the rows that reach it along words span a space,
    which is found by its basis: what the matrices make of a sum they make of its parts.  So all words are met by
    finitely many rows.  Where the state accepts, the columns have to make 0 of each row.
    """
    automaton, names = relation
    size = sum(prod(len(series.row) for series, _ in one.factors) for one in products)
    if size > MOST_DIMENSION:
        fail("an equation has too many terms, or sequences of too large dimensions")
    column = list(chain.from_iterable(tensor(series.column for series, _ in one.factors) for one in products))
    places = [[(series, names.index(name)) for series, name in one.factors] for one in products]

    def matrix(letter: Letter) -> Matrix:
        whole: Matrix = []
        for factors in places:
            shift = len(whole)
            own = tensor_matrix([series.matrices[letter[place]] for series, place in factors])
            whole += [{shift + at: entry for at, entry in row.items()} for row in own]
        return whole

    matrices, spans = Memo(matrix), Memo(lambda state: Span(budget))
    start = [one.coefficient * entry for one in products for entry in tensor(series.row for series, _ in one.factors)]
    todo = [(0, start)] if spans[0].add(start) else []
    while todo:
        state, row = todo.pop()
        if automaton.accepts(state) and dot(row, column):
            return False
        for letter, there in automaton.rows[state].items():
            budget.spend(sum(map(len, matrices[letter])))
            # The row itself, and not what is left of it: that has longer numbers.
            following = times(row, matrices[letter])
            if spans[there].add(following):
                todo.append((there, following))
    return True


# -- coefficients of power series --------------------------------------------------------------------------------------

Polynomial = dict[Letter, int]  # its coefficients other than 0, by the exponents of its variables, perhaps negative
VARIABLES = "xyzuvw"
MOST_MODULUS, MOST_COEFFICIENT, MOST_EXPONENT, MOST_GIVEN = 10**4, 10**16, 1 << 8, 1 << 10
MOST_TERMS, MOST_POLYNOMIALS = 1 << 18, 1 << 16


class PowerSeries:
    """Coefficients of a rational function R/Q modulo q = p^e, as those of a word over base p.

    equation: of the series y with y(0) = first and P(x,y) = 0, where P(0,first) = 0 and p does not divide P_y(0,first).
    So there is one such series, its coefficients have no p below the line, and (Furstenberg 1967) it is the diagonal of
    y^2 P_y(xy,y)/P(xy,y), if first = 0; otherwise P(x,y+first) takes the place of P.  diagonal: R and Q are
    polynomials, and p does not divide the constant of Q.  power: the constant terms of P^n F, Laurent polynomials, are
    the coefficients of F/(1 - tP) at t^n, with all other exponents 0.  steps: 1 for the variables whose exponent is n.

    Polynomials are the states (Rowland and Yassawi 2015).  With N = p^(e-1), Q^q = Q(x^p)^N modulo q.  So the
    coefficients of s/Q^N at exponents with some residues modulo p are those of s'/Q^N, where s' consists of the terms
    of s Q^(N(p-1)) with these exponents, divided by p.  s begins as R Q^(N-1).
    """

    def __init__(self, line: Line, budget: Budget) -> None:
        self.budget, self.count = budget, 0
        self.prime, self.exponent = integer(line["prime"], 2, MOST_MODULUS), integer(line["exponent"], 1, 14)
        self.modulus = integer(self.prime**self.exponent, 2, MOST_MODULUS)
        if any(self.prime % other == 0 for other in range(2, self.prime)):
            fail("a modulus is no power of a prime")
        if "equation" in line:
            self.algebraic(self.polynomial(line["equation"], True), integer(line["first"], -10**12, 10**12))
        elif "diagonal" in line:
            self.above, self.under = (self.polynomial(one, True) for one in listed(line["diagonal"]))
            place = "*".join(f"{name}^n" for name in VARIABLES[: self.count])
            self.text = f"coefficients of {place} in {self.written(self.above, True)}/({self.written(self.under)})"
            self.steps: Letter = (1,) * self.count
        else:
            power, factor = (self.polynomial(one, False) for one in listed(line["power"]))
            more = "" if factor == {(0,) * self.count: 1} else f"*{self.written(factor, True)}"
            self.text = f"constant terms of ({self.written(power)})^n{more}"
            self.steps = (1, *(0,) * self.count)
            self.above = {(0, *at): number for at, number in factor.items()}
            self.under = {(0,) * len(self.steps): 1, **{(1, *at): -number for at, number in power.items()}}
        if self.under.get((0,) * len(self.steps), 0) % self.prime == 0:
            raise Invalid(f"the denominator of a series has no constant that {self.prime} does not divide")

    def polynomial(self, terms: Any, plain: bool) -> Polynomial:
        """Return a polynomial: a list of [coefficient, exponent of each variable]; plain: no exponent is negative."""
        least = 0 if plain else -MOST_EXPONENT
        if len(listed(terms)) > MOST_GIVEN:
            fail("a polynomial has too many terms")
        found = {tuple([integer(each, least, MOST_EXPONENT) for each in at]):
                 integer(number, -MOST_COEFFICIENT, MOST_COEFFICIENT) for number, *at in terms}
        self.count = self.count or max(map(len, found), default=0)
        if not 0 < self.count <= len(VARIABLES) or set(map(len, found)) != {self.count} or len(found) != len(terms):
            fail("a polynomial has terms of other variables, or two terms of one kind")
        return {at: number for at, number in found.items() if number}

    def algebraic(self, equation: Polynomial, first: int) -> None:
        if self.count != 2:
            fail("an equation of a series has two variables, x and y")
        self.text = f"coefficients of the power series y with y(0) = {first} and {self.written(equation)} = 0"
        moved: Polynomial = {}
        for (x, y), number in equation.items():
            for power in range(y + 1):
                moved[x, power] = moved.get((x, power), 0) + number * comb(y, power) * first ** (y - power)
        if moved.get((0, 0)) or not moved.get((0, 1), 0) % self.prime:
            raise Invalid("an equation does not determine its power series")
        self.under = {(x, x + y - 1): number for (x, y), number in moved.items() if number}
        self.above = {at: first * number for at, number in self.under.items()}
        for (x, y), number in moved.items():
            self.above[x, x + y] = self.above.get((x, x + y), 0) + y * number
        self.steps = (1, 1)

    def written(self, polynomial: Polynomial, bracketed: bool = False) -> str:
        """Return a polynomial as a text, in brackets if it is a sum and they are wanted."""
        text = ""
        for at, number in sorted(polynomial.items(), key=lambda one: (sum(one[0]), *(-each for each in one[0]))):
            named = [name if each == 1 else f"{name}^{each}" for name, each in zip(VARIABLES, at, strict=False) if each]
            shown_number = [str(abs(number))] if abs(number) != 1 or not named else []
            sign = (" - " if number < 0 else " + ") if text else "-" if number < 0 else ""
            text += sign + "*".join([*shown_number, *named])
        return f"({text})" if bracketed and len(polynomial) > 1 else text or "0"

    def times(self, one: Polynomial, two: Polynomial) -> Polynomial:
        """Return a product modulo q."""
        found: Polynomial = {}
        for at, number in one.items():
            self.budget.spend(len(two))
            for other, factor in two.items():
                place = tuple(map(int.__add__, at, other))
                found[place] = (found.get(place, 0) + number * factor) % self.modulus
            if len(found) > MOST_TERMS:
                fail("a polynomial has too many terms")
        return {at: number for at, number in found.items() if number}

    def power(self, exponent: int) -> Polynomial:
        """Return a power of Q modulo q."""
        found: Polynomial = {(0,) * len(self.steps): 1}
        for bit in f"{exponent:b}":
            found = self.times(found, found)
            found = self.times(found, self.under) if bit == "1" else found
        return found

    def check(self, name: str, word: Automaton) -> None:
        """Refuse unless the letters of a word over base p are these coefficients.

        Beside a polynomial s it keeps, of each state of the word, the letter after the digits that led to s, the last
        one first: that of state 0 is the letter at the number whose last digits these are.  It has to be the constant
        of s/Q^N.  In the same way the letters after one more digit are those of the states that it leads to.
        """
        height, origin = self.prime ** (self.exponent - 1), (0,) * len(self.steps)
        unit = pow(self.under[origin], -height, self.modulus)
        parts: dict[Letter, list[tuple[Letter, int]]] = {}  # the terms of Q^(N(p-1)), by residues of their exponents
        for at, number in self.power(height * (self.prime - 1)).items():
            parts.setdefault(tuple([each % self.prime for each in at]), []).append((at, number))
        letters = [tuple(word.outputs)]
        places = {letters[0]: 0}
        todo = [(self.times(self.above, self.power(height - 1)), 0)]
        seen = {(frozenset(todo[0][0].items()), 0)}

        def longer(key: Letter) -> int:
            after = tuple([letters[key[0]][row[key[1],]] for row in word.rows])
            self.budget.spend(len(after))
            if places.setdefault(after, len(letters)) == len(letters):
                self.budget.hold(8 * len(after))
                letters.append(after)
            return places[after]

        after_digit = Memo(longer)
        for state, place in todo:
            if letters[place][0] != state.get(origin, 0) * unit % self.modulus:
                raise Invalid(f"the letters of {name} are not the {self.text} modulo {self.modulus}")
            for digit in range(self.prime):
                after = self.section(state, parts, [digit * step for step in self.steps])
                key = frozenset(after.items()), after_digit[place, digit]
                if key not in seen:
                    seen.add(key)
                    todo.append((after, key[1]))
            if len(todo) > MOST_POLYNOMIALS:
                fail("a power series needs too many polynomials")

    def section(
        self, state: Polynomial, parts: dict[Letter, list[tuple[Letter, int]]], residues: list[int]
    ) -> Polynomial:
        """Return the terms of s Q^(N(p-1)) whose exponents have some residues modulo p, with exponents divided by p."""
        found: Polynomial = {}
        for at, number in state.items():
            wanted = tuple([(residue - each) % self.prime for residue, each in zip(residues, at, strict=True)])
            terms = parts.get(wanted, [])
            self.budget.spend(len(terms))
            for other, factor in terms:
                place = tuple([(one + two) // self.prime for one, two in zip(at, other, strict=True)])
                found[place] = (found.get(place, 0) + number * factor) % self.modulus
            if len(found) > MOST_TERMS:
                fail("a polynomial has too many terms")
        return {at: number for at, number in found.items() if number}


# -- formulas in normal form -----------------------------------------------------------------------------------------
#
# ("linear", variables, coefficients, "=" or "<", constant)      ("letter", variables, word, letter)
# ("call", variables, predicate)      ("block", bound variables, conjuncts): E bound . & conjuncts      ("not", {}, {F})
# ("iff", {}, {F, G})      (k, bound variables, {F}): at least k > 1 tuples, and all these variables are free in F
#
# | => A are written by ~ & E, and E is lifted out of conjunctions.  The functions below make formulas that are
# equivalent to those that they name.

ATOMS = ("linear", "letter", "call")
NONE = frozenset[Any]()
TRUE: Formula = ("block", NONE, NONE)


def free(formula: Formula) -> frozenset[str]:
    """Return the free variables."""
    if formula[0] in ATOMS:
        return frozenset(formula[1])
    return frozenset[str]().union(*map(free, formula[2])).difference(formula[1])


def linear(terms: Iterable[tuple[str, int]], sign: str, constant: int) -> Formula:
    """Return: the sum of variable * coefficient = constant, or <."""
    total: dict[str, int] = {}
    for name, coefficient in terms:
        total[name] = total.get(name, 0) + coefficient
    names = tuple(sorted(name for name in total if total[name]))
    if not names:
        return TRUE if (constant == 0 if sign == "=" else constant > 0) else negation(TRUE)
    turn = -1 if sign == "=" and total[names[0]] < 0 else 1
    return ("linear", names, tuple(turn * total[name] for name in names), sign, turn * constant)


def plus(atom: Formula, times: int, other: Formula) -> Formula:
    """Return a linear atom to which a multiple of an equation has been added."""
    terms = [(name, times * factor) for name, factor in factors(other).items()]
    return linear([*factors(atom).items(), *terms], atom[3], atom[4] + times * other[4])


def factors(atom: Formula) -> dict[str, int]:
    """Return the coefficients of a linear atom."""
    return dict(zip(*atom[1:3], strict=True)) if atom[0] == "linear" else {}


def is_sum(name: str, turn: int, atom: Formula) -> bool:
    """Return whether an atom, times 1 or -1, says that a variable equals a sum of others and a natural number."""
    others = {**factors(atom), name: -turn}.values()
    return factors(atom).get(name) == turn and atom[3] == "=" and turn * atom[4] >= 0 > max(turn * c for c in others)


def parts_of(formula: Formula) -> tuple[frozenset[str], frozenset[Formula]]:
    """Return the bound variables and the conjuncts."""
    return formula[1:] if formula[0] == "block" else (NONE, frozenset({formula}))


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """Return F & G & ..., with E lifted out: no variable that one of them binds occurs in another one, bound or free.

    Only conjuncts that are there already, with the variables that they bind, may be repeated: they follow.
    """
    whole, parts, there = frozenset[str](), frozenset[Formula](), frozenset[str]()
    for formula in formulas:
        (bound, own), names = parts_of(formula), free(formula)
        if not whole & names and own <= parts and bound <= whole:
            continue
        if whole & names or bound & there:
            raise Invalid(f"a variable is bound in one conjunct and occurs in another: {formula!s:.200}")
        whole, parts, there = whole | bound, parts | own, there | names | bound
    return next(iter(parts)) if len(parts) == 1 and not whole else ("block", whole, parts)


def negation(formula: Formula) -> Formula:
    """Return ~F; there is no ~ before <."""
    if formula[0] == "linear" and formula[3] == "<":
        return linear([(name, -factor) for name, factor in factors(formula).items()], "<", 1 - formula[4])
    return next(iter(formula[2])) if formula[0] == "not" else ("not", NONE, frozenset({formula}))


def disjunction(*formulas: Formula) -> Formula:
    return negation(conjunction(map(negation, formulas)))


def equivalence(left: Formula, right: Formula) -> Formula:
    """Return F <=> G: neither of them begins with ~, as that is put before the whole."""
    for one, other in ((left, right), (right, left)):
        if one[0] == "not":
            return negation(equivalence(negation(one), other))
    return TRUE if left == right else ("iff", NONE, frozenset({left, right}))


def exists(names: Iterable[str], formula: Formula) -> Formula:
    """Return E names . F; variables that do not occur in F are left out, since there are numbers."""
    bound, (inner, parts) = frozenset(names) & free(formula), parts_of(formula)
    return ("block", bound | inner, parts) if bound else formula


# -- the language of statements --------------------------------------------------------------------------------------

NAME = r"[A-Za-z_]\w*"
QUANTIFIER = r"\((?:E|A|E>=(\d+)) ([\w,]+) "
CONNECTIVE = r" (&|\||=>|<=>) "
CALL = r"\$(\w+)\(([\w,]*)\)"
LETTER = r"(\w+)\[([\w\]\[]+)\]=@(-?\d+)"
COMPARISON = r"([\w+*]+)(<=|!=|<|=)([\w+*]+)"
CONNECTIVES: dict[str, Callable[[Formula, Formula], Formula]] = {
    "&": lambda f, g: conjunction((f, g)), "|": disjunction, "=>": lambda f, g: disjunction(negation(f), g),
    "<=>": equivalence,
}


class Reader:
    """Reads a formula F into its normal form; the checker knows the names.

    F is (F & F), or so with | => <=>; ~F; (E x,y F); (A x,y F); (E>=k x,y F); true; false; $name(x,y); W[x][y]=@a; or a
    comparison of sums like 2*x+y<=z+3, or so with = < !=.

    strict: variables for integers are told from those for numbers, as is necessary where a formula is printed.
    """

    def __init__(self, source: str, checker: Checker, strict: bool = False) -> None:
        self.source, self.at, self.checker, self.strict = source, 0, checker, strict

    def whole(self) -> Formula:
        formula = self.formula()
        return formula if self.at == len(self.source) else fail(f"text after a formula: {self.source[self.at:]!r:.80}")

    def takes(self, pattern: str) -> Any:
        """Return what the text goes on with, if it is what a pattern says: then it is taken."""
        found = re.compile(pattern, re.ASCII).match(self.source, self.at)
        self.at = found.end() if found else self.at
        return found

    def needs(self, pattern: str) -> Any:
        return self.takes(pattern) or fail(f"a formula cannot be read at {self.source[self.at : self.at + 20]!r}")

    def formula(self) -> Formula:
        if self.takes("~"):
            return negation(self.formula())
        if found := self.takes(QUANTIFIER):
            bound, body, _ = strings(found[2].split(",")), self.formula(), self.needs(r"\)")
            return self.quantified(found[0][1], int(found[1] or 1), bound, body)
        if self.takes(r"\("):
            left, found, right, _ = self.formula(), self.needs(CONNECTIVE), self.formula(), self.needs(r"\)")
            return CONNECTIVES[found[1]](left, right)
        if found := self.takes(CALL):
            names = found[2].split(",") if found[2] or not self.checker.family else []
            self.told(names, self.checker.arguments.get(found[1]))
            return self.checker.call(found[1], names)
        if found := self.takes(LETTER):
            names = found[2].split("][")
            self.told(names, self.checker.arguments.get(found[1] + "["))
            self.checker.fit(names, self.checker.words[found[1]][0])
            return ("letter", tuple(names), found[1], int(found[3]))
        if found := self.takes(COMPARISON):
            return self.comparison(*found.groups())
        return TRUE if self.needs("true|false")[0] == "true" else negation(TRUE)

    def told(self, names: Sequence[str], systems: Sequence[str] | None) -> None:
        """Refuse variables that do not belong to these systems, if those of integers are told from those of numbers."""
        if self.strict and [self.checker.variables[name] for name in names] != systems:
            fail(f"numbers in place of integers, or the other way round: {', '.join(names):.80}")

    def quantified(self, quantifier: str, count: int, bound: list[str], body: Formula) -> Formula:
        if not all(map(self.checker.system, bound)) or (count > 1 and not set(bound) <= free(body)):
            fail(f"a counted variable does not occur: {', '.join(bound)}")
        if quantifier == "A":
            return negation(exists(bound, negation(body)))
        if count < 2:
            return exists(bound, body) if count else TRUE
        return (count, frozenset(bound), frozenset({body}))

    def comparison(self, left: str, sign: str, right: str) -> Formula:
        terms, constant = list[tuple[str, int]](), 0
        for side, turn in ((left, 1), (right, -1)):
            for factor, times, name in (term.rpartition("*") for term in side.split("+")):
                if times and not factor.isdigit():  # int() would read 1_0 as 10
                    fail(f"this is no factor: {factor!r:.40}")
                if name.isdigit() and not times:
                    constant -= turn * int(name)
                else:
                    terms.append((name, turn * int(factor or 1)))
        names = [name for name, _ in terms]
        if any(self.checker.variables[name] in self.checker.integers for name in names):
            self.told(names, [self.checker.variables[names[0]]] * 2)
            if self.strict and (sign not in ("=", "!=") or not left == names[0] != names[1] == right):
                fail(f"integers are compared, but not by a definition: {left}{sign}{right:.80}")
        self.checker.fit(names, [self.checker.system(name) for name in names[:1]] * len(names))
        formula = linear(terms, "<" if "<" in sign else "=", constant + (sign == "<="))
        return negation(formula) if sign == "!=" else formula


# -- certificates ----------------------------------------------------------------------------------------------------


def recurrence_text(first: list[int], recurrence: list[int]) -> str:
    """Return U = 1, 2, 3, 5, ... and its recurrence."""
    terms = list(first)
    while len(terms) < max(6, len(first)):
        terms.append(sum(c * terms[-1 - place] for place, c in enumerate(recurrence)))
    parts = [f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)} '}U(t-{place})"
             for place, c in enumerate(recurrence, start=1) if c]
    text = " ".join(parts).removeprefix("+ ") or "0"
    return f"U = {', '.join(map(str, terms))}, ...: U(t) = {text} from U({len(first)}) on"


class Expression:
    """A regular expression: the places at which it reads a letter, numbered from 1, and which may follow which.

    It is ["letters", [digits of a letter], ...], ["then", F, G, ...], ["or", F, G, ...], ["and", F, G, ...],
    ["not", F], all other words over the digits of the systems, or ["repeat", F, least, most], where most is -1 for any
    number.  A letter has a digit of each track.
    """

    def __init__(self, tree: Any, digits: Sequence[int], budget: Budget) -> None:
        self.digits, self.budget = digits, budget
        self.letters: list[list[Letter]] = [[]]
        self.follow: list[set[int]] = [set()]
        self.parts = 0
        self.empty, self.follow[0], self.last, self.text = self.part(tree, 0)

    def automaton(self) -> Automaton:
        """Return the automaton with one more track, the place: words of places are the ways to read a word.

        Before the first letter of a way it reads zeros: a number has its words with zeros in front.
        """
        rows = [{(*letter, place): place for place in after for letter in self.letters[place]} for after in self.follow]
        return Automaton([rows[0] | {(0,) * (len(self.digits) + 1): 0}, *rows[1:]],
                         [int(self.empty), *(int(place in self.last) for place in range(1, len(rows)))])

    def part(self, tree: Any, depth: int) -> tuple[bool, set[int], set[int], str]:
        """Return whether a part may be empty, the places that are first and last in it, and its text."""
        self.parts += 1
        if type(tree) is not list or depth >= 90 or self.parts >= 1 << 14 or not self.digits:
            fail("this is no regular expression, or one that is too long")
        kind, *rest = tree
        if kind == "letters":
            if not rest:
                fail("a regular expression has no letter at a place")
            letters = [tuple([integer(digit, 0, most - 1) for digit, most in zip(letter, self.digits, strict=True)])
                       for letter in rest]
            place = self.place(letters)
            plain = len(self.digits) == 1 and max(self.digits) <= 10
            texts = [str(letter[0]) if plain else f"[{','.join(map(str, letter))}]" for letter in letters]
            return False, {place}, {place}, texts[0] if len(texts) == 1 else f"({'|'.join(texts)})"
        if kind == "repeat":
            body, least, most = rest
            least, most = integer(least, 0, 1 << 10), integer(most, -1, 1 << 10)
            number = max(least, most, 1) if most != -1 else least + 1
            found = [self.part(body, depth + 1) for _ in range(number)]
            if most == -1:
                for place in found[-1][2]:
                    self.follow[place] |= found[-1][1]
            skipped = [(empty or place >= least, first, last) for place, (empty, first, last, _) in enumerate(found)]
            mark = {(0, -1): "*", (1, -1): "+", (0, 1): "?"}.get(
                (least, most), f"{{{least},{'' if most == -1 else most}}}")
            if most != -1 and most < max(least, 1):
                fail("an expression is repeated too seldom")
            text = found[0][3]
            return *self.joined(skipped), (text if is_closed(text) else f"({text})") + mark
        found = [self.part(one, depth + 1) for one in rest]
        if kind == "then":
            texts = [f"({text})" if one[0] in ("or", "and") else text
                     for one, (*_, text) in zip(rest, found, strict=True)]
            return *self.joined([part[:3] for part in found]), "".join(texts) or "()"
        if kind == "and" and found:
            texts = [f"({text})" if one[0] == "or" else text for one, (*_, text) in zip(rest, found, strict=True)]
            return *reduce(self.both, [part[:3] for part in found]), "&".join(texts)
        if kind == "not" and len(found) == 1:
            (*body, text), = found
            return *self.others(*body), f"~{text if is_closed(text) else f'({text})'}"
        if kind != "or" or not found:
            fail(f"not a regular expression: {kind!r:.40}")
        empty, first, last, ends = zip(*found, strict=True)
        return any(empty), set[int]().union(*first), set[int]().union(*last), "|".join(ends)

    def joined(self, parts: Sequence[Part]) -> Part:
        """Return the same of parts that follow each other."""
        empty, first, last = True, set[int](), set[int]()
        for may, begin, end in parts:
            for place in last:
                self.follow[place] |= begin
            first = first | begin if empty else first
            last = last | end if may else end
            empty = empty and may
        return empty, first, last

    def place(self, letters: list[Letter]) -> int:
        """Return a new place, which reads one of these letters."""
        self.budget.spend(len(letters))
        self.letters.append(letters)
        self.follow.append(set())
        return len(self.letters) - 1 if len(self.letters) <= 1 << 10 else fail("a regular expression is too long")

    def both(self, one: Part, two: Part) -> Part:
        """Return the same of the words that both parts have: its places are two places that read a common letter."""
        read = Memo(lambda place: frozenset(self.letters[place]))
        places: dict[tuple[int, int], int] = {}

        def shared(pair: tuple[int, int]) -> list[Letter]:
            own = self.letters[pair[0]]
            self.budget.spend(len(own))
            return [letter for letter in own if letter in read[pair[1]]]

        common = Memo(shared)

        def pairs(left: set[int], right: set[int]) -> set[int]:
            self.budget.spend(len(left) * len(right))
            found = [pair for pair in product(left, right) if common[pair]]
            for pair in found:
                if pair not in places:
                    places[pair] = self.place(common[pair])
                    todo.append(pair)
            return {places[pair] for pair in found}

        todo: list[tuple[int, int]] = []
        first = pairs(one[1], two[1])
        for a, b in todo:  # which grows
            self.follow[places[a, b]] = pairs(self.follow[a], self.follow[b])
        return one[0] and two[0], first, {place for (a, b), place in places.items() if a in one[2] and b in two[2]}

    def others(self, empty: bool, first: set[int], last: set[int]) -> Part:
        """Return the same of all other words: its places are the ways from one set of places to the next one.

        The set of a word has the places that read its last letter, in the ways in which the part may read it.
        """
        if prod(self.digits) > MOST_KEPT:
            fail("there are too many letters for the complement of an expression")
        begin = frozenset({0})  # no part has the place 0
        todo, after, ends = [begin], dict[frozenset[int], set[int]](), set[int]()
        entered: dict[int, frozenset[int]] = {}
        for one in todo:  # which grows
            if one in after:
                continue
            ways: dict[Letter, set[int]] = {letter: set() for letter in product(*map(range, self.digits))}
            for place in first if one == begin else set[int]().union(*(self.follow[place] for place in one)):
                self.budget.spend(len(self.letters[place]))
                for letter in self.letters[place]:
                    ways[letter].add(place)
            letters: dict[frozenset[int], list[Letter]] = {}
            for letter, places in ways.items():
                letters.setdefault(frozenset(places), []).append(letter)
            new = {self.place(read): reached for reached, read in letters.items()}
            entered.update(new)
            after[one] = set(new)
            ends |= {place for place, reached in new.items() if not reached & last}
            todo += new.values()
        for place, reached in entered.items():
            self.follow[place] = after[reached]
        return not empty, after[begin], ends


def is_closed(text: str) -> bool:
    """Return whether a mark of repetition may follow a regular expression, and ~ precede it."""
    return len(text) == 1 or (text[:1] in ("(", "[") and text.find(")" if text[0] == "(" else "]") == len(text) - 1)


class SequenceExpression:
    """A regular expression of beginnings of a sequence, with a_1 first: `2 (1 | [3-5])*`, and `.` for any number.

    tree: that of the digits, as `Expression` has it, in their order: with a_1 last.
    """

    def __init__(self, text: str, family: Family) -> None:
        self.text, self.at, self.family, self.room = text, 0, family, 1 << 10
        if len(text) > 1 << 12:
            fail("an expression of sequences is too long")
        self.tree = self.union(0)
        if self.at < len(text):
            fail(f"an expression cannot be read at {text[self.at : self.at + 20]!r}")

    def takes(self, pattern: str) -> Any:
        """Return what the text goes on with, after spaces, if it is what a pattern says: then it is taken."""
        found = re.compile(rf" *({pattern})", re.ASCII).match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found

    def union(self, depth: int) -> list[Any]:
        """Read F | G | ..., where each is one expression after the other, with marks of repetition."""
        branches = list[Any]()
        while not branches or self.takes(r"\|"):
            parts = list[Any]()
            while (part := self.part(depth)) is not None:
                mark = self.takes("[*+?]")
                least_and_most = {"*": (0, -1), "+": (1, -1), "?": (0, 1)}.get(mark[1] if mark else "")
                parts.insert(0, ["repeat", part, *least_and_most] if least_and_most else part)
            branches.append(["then", *parts])
        return ["or", *branches]

    def part(self, depth: int) -> list[Any] | None:
        """Read an expression in brackets, or a set of numbers; None at the end."""
        if depth < 40 and self.takes(r"\("):
            found = self.union(depth + 1)
            return found if self.takes(r"\)") else fail("a bracket of an expression is not closed")
        if self.takes(r"\."):
            return self.numbers(1, -1)
        if found := self.takes(r"\d{1,4}(?!\d)"):
            return self.numbers(int(found[1]), int(found[1]))
        if not (listed := self.takes(r"\[([^\[\]]*)\]")):
            return None
        items = [re.fullmatch(r"((?:[<>]=(?!.*-))?)(\d{1,4})(?:-(\d{1,4}))?", item, re.ASCII)
                 or fail(f"no numbers: {item!r:.40}") for item in listed[2].split(",")]
        return ["or", *(self.numbers(1 if sign == "<=" else int(one), -1 if sign == ">=" else int(other or one))
                        for sign, one, other in (item.groups() for item in items))]

    def numbers(self, least: int, most: int) -> list[Any]:
        """Return the numbers from one to another, -1 for no greatest one."""
        least, last = max(least, 1), most
        if most == -1:
            last = self.family.choices or (1 << least.bit_length()) - 1
        self.room -= max(last - least, 0) + 1
        if self.room < 0 or last > (self.family.choices or last):
            fail("an expression has too large numbers, or too many")
        known: list[Any] = [["then", *(["letters", [digit]] for digit in self.family.written(one))]
                            for one in range(least, last + 1)]
        if most == -1 and not self.family.choices:
            known.append(["then", ["letters", [2]], ["repeat", ["letters", [0], [1]], least.bit_length(), -1]])
        return ["or", *known] if known else fail("an expression has no number where one is needed")


class System:
    """A numeration system: how many digits it has, the automaton of its words, and what follows from it."""

    def __init__(self, digits: int, words: Automaton, budget: Budget) -> None:
        self.digits, self.words, self.budget = digits, words, budget
        self.counts = [[int(output != 0) for output in words.outputs]]
        self.meaning = ""
        self.weights: tuple[list[int], list[int]] | None = None  # the first ones, and their recurrence

    def count(self, length: int) -> int:
        """Return how many numbers have words of at most some length."""
        while len(self.counts) <= length:  # of each state: how many words of some length are accepted from it
            self.budget.spend(sum(map(len, self.words.rows)))
            self.counts.append([sum(self.counts[-1][there] for there in row.values()) for row in self.words.rows])
        return self.counts[length][0] if length * len(self.words.rows) < 1 << 21 else fail("a number is too large")

    def place(self, word: Sequence[int]) -> int:
        """Return the number that a word represents: how many words of its length come before it."""
        state, number = 0, 0
        self.count(len(word))
        for length, digit in zip(range(len(word) - 1, -1, -1), word, strict=True):
            row = self.words.rows[state]
            number += sum(self.counts[length][there] for (other,), there in row.items() if other < digit)
            state = row[digit,]
        return number

    def check_weights(self, first: list[int], recurrence: list[int]) -> None:
        """Refuse unless the words are the greedy representations d_k ... d_0 of n = d_k U_k + ... + d_0 U_0.

        U begins with `first`; then U_t = c_1 U_(t-1) + c_2 U_(t-2) + ...  A word is at place n, where n adds up, for
        each digit, the words with a smaller one here: there have to be digit * U_k.  This is so for all k if it is so
        for those below a bound: the difference, times the number of words that go on, obeys a recurrence of that order,
        since counts obey one whose order is the number of states, and U one whose order is that of its first terms.
        There are U_k words of length k: so all numbers below U_k have one.  What follows a digit is a word, too, so
        it is less than U_k: the digit is the greatest possible one.
        """
        rows, weights, reached = self.words.rows, list(first), {0}
        for state in (todo := [0]):
            todo += (new := set(rows[state].values()) - reached)
            reached |= new
        most = len(rows) * (len(rows) + len(first))
        if most > 1 << 14:
            fail("a system is too large for a recurrence")
        for length in range(most):
            self.budget.spend(sum(map(len, rows)))
            self.count(length)
            if length >= len(first):
                weights.append(sum(c * weights[length - 1 - place] for place, c in enumerate(recurrence)))
            counts = self.counts[length]
            if counts[0] != weights[length]:
                raise Invalid(f"there are {counts[0]} words of length {length}, not {weights[length]}")
            for state in reached:
                before = 0
                for (digit,), there in sorted(rows[state].items()):
                    if counts[there] and before != digit * weights[length]:
                        raise Invalid("words do not have the values that their digits add up to")
                    before += counts[there]
        pairs = {(state, 0) for state in reached}
        for state, other in (todo_pairs := list(pairs)):
            if self.words.accepts(state) and not self.words.accepts(other):
                raise Invalid("a representation is not greedy")
            after = rows[other] if other >= 0 else {}
            new_pairs = {(there, after.get(letter, -1)) for letter, there in rows[state].items()} - pairs
            todo_pairs += new_pairs
            pairs |= new_pairs
            self.budget.spend(len(new_pairs))

    def representation(self, number: int) -> list[int]:
        """Return the word of a number, without leading zeros: it is found by counting words."""
        word, state, length = list[int](), 0, 0
        while self.count(length) <= number:
            length += 1
        for count in reversed(self.counts[:length]):
            for (digit,), there in sorted(self.words.rows[state].items()):
                if number < count[there]:
                    word, state = [*word, digit], there
                    break
                number -= count[there]
        return word

    def constant(self, number: int) -> Automaton:
        """Return the automaton of x = number."""
        word = self.representation(number)
        rows = [{(digit,): place + 1} for place, digit in enumerate(word)] + [{}]
        return Automaton([rows[0] | {(0,): 0}, *rows[1:]], [0] * len(word) + [1])

    def order(self, less: bool) -> Automaton:
        """Return the automaton of x < y, or of x = y, for words of one length: by the first difference."""
        pairs = [(a, b) for a in range(self.digits) for b in range(self.digits) if less or a == b]
        rows = [{(a, b): int(a < b) for a, b in pairs if a <= b}, dict.fromkeys(pairs, 1)]
        return Automaton(rows, [int(not less), 1])


def ostrowski(outputs: Callable[[int, bool], bool]) -> Relation:
    """Return a relation of digits b_1, ..., b_k beside partial quotients a_1, ..., a_k, among those of Ostrowski.

    Those are b_1 < a_1, b_i <= a_i, and b_(i-1) = 0 if b_i = a_i.  Let q_0 = 1, q_1 = a_1, q_i = a_i q_(i-1) + q_(i-2).
    By induction the words for k are, in their order, those of b_1 q_0 + ... + b_k q_(k-1) = 0, 1, ..., q_k - 1: after
    each b_k < a_k come those for k-1, and after b_k = a_k a zero and those for k-2 (A. Ostrowski, 1922).

    outputs: which of these are meant, by a_1 - b_1, up to 2, and whether b_2 = a_2.  A state is the same of the bits
    that were read: their difference, and whether the digit before was as great as it can be.
    """
    rows: list[dict[Letter, int]] = [{(0, 0): 0, (0, 2): 2, (1, 2): 1}]
    for is_full, less in product((False, True), range(3)):
        bits = range(1 if is_full else 2)
        row: dict[Letter, int] = {(bit, own): 1 + min(2, 2 * less + own - bit) + 3 * is_full
                                  for bit in bits for own in (0, 1) if 2 * less + own >= bit}
        rows.append(row | {(bit, 2): 2 - bit + 3 * (not less) for bit in range(2 if less else 1)})
    accepts = [int(less > 0 and outputs(less, is_full)) for is_full, less in product((False, True), range(3))]
    return Relation(Automaton(rows, [0, *accepts]), ["x", PARAMETER])


class FamilySystem(System):
    """A system over a family: the automaton has one more track, for beginnings of the sequence a."""

    def __init__(self, digits: int, words: Automaton, family: Family, budget: Budget) -> None:
        super().__init__(digits, words, budget)
        self.family = family
        self.valid = Relation(words, ["x", PARAMETER])
        self.check()
        is_base = walk([Relation(words, ["y", PARAMETER]), Relation(self.order(True), ["x", "y"])], [self.valid], all,
                       budget)
        self.base = digits if is_base else 0  # then all words of a length are numbers, as far as the greatest of these
        own = ostrowski(lambda less, is_full: True)
        self.is_ostrowski = not family.choices and digits == 2 and all(
            walk([one], [other], all, budget) for one, other in ((self.valid, own), (own, self.valid)))

    def is_characteristic(self, word: Automaton) -> bool:
        """Return whether a word is the limit of s_k = s_(k-1)^(a_k) s_(k-2), where s_0 = 0 and s_1 = 0^(a_1 - 1) 1.

        The letter of s_k at b_k q_(k-1) + n is that of s_(k-1) at n, and of s_(k-2) if b_k = a_k.  Down to s_1, or to
        s_0 after b_2 = a_2, it is 1 if b_1 = a_1 - 1 and not b_2 = a_2.
        """
        if not self.is_ostrowski:
            return False
        ones = ostrowski(lambda less, is_full: less == 1 and not is_full)
        read = [Relation(Automaton(word.rows, [int(output == letter) for output in word.outputs]), self.valid.names)
                for letter in (0, 1)]
        others = joined([self.valid], [ones, *read], lambda has: not has[1 + has[0]], self.budget)
        return not self.family.returns(others, self.budget)

    def check(self) -> None:
        """Refuse unless, for each sequence, there are infinitely many numbers: longer beginnings add greater ones."""
        begun, family, budget = Relation(self.family.beginnings, [PARAMETER]), self.family, self.budget
        any_digits = range(self.digits)
        first = {(digit, mark): int(digit > 0) for digit in any_digits for mark in family.first}
        after = {(digit, other): int(digit > 0) for digit in any_digits for other in family.more}
        # Whether a digit beside the first a_i is not 0: before its first digit, after a 0, after another digit, later.
        rows = [{(0, 0): 0} | {letter: 1 + there for letter, there in first.items()},
                {letter: 1 + there for letter, there in after.items()} | dict.fromkeys(first, 3),
                dict.fromkeys([*first, *after], 2), dict.fromkeys([*first, *after], 3)]
        within, new = (Relation(Automaton(rows, outputs), self.valid.names) for outputs in ([0, 1, 1, 1], [0, 0, 1, 0]))
        zero = Relation(Automaton([{(0,): 0}], [1]), ["x"])
        if not walk([self.valid], [within], all, budget) or not walk([begun, zero], [self.valid], all, budget):
            raise Invalid("a number is no word beside a beginning, or 0 is not a number")
        greater = [self.valid.renamed({"x": "y"}), Relation(self.order(True), ["x", "y"])]
        others = joined([within, *greater], [self.valid], lambda has: not has[0], budget)  # x is none, and y > x is one
        if not all(family.stays(one, budget) for one in (joined([self.valid, begun], [], all, budget), others)):
            raise Invalid("the numbers are not the first ones beside a longer beginning")
        more = Relation(Sets(joined([self.valid, new], [], all, budget).automaton, [1], budget), [PARAMETER])
        if family.repeats(joined([begun], [more], lambda has: not has[0], budget)):
            raise Invalid("there are only finitely many numbers for some sequence")

    def constant(self, number: int) -> Automaton:
        """Return the automaton of x = number: as many words of numbers come before it."""
        if not number:
            zero = Relation(Automaton([{(0,): 0}], [1]), ["x"])
            return joined([self.valid, zero], [], all, self.budget).automaton
        below = Relation(self.words, ["before", PARAMETER])
        pairs = joined([self.valid, below, Relation(self.order(True), ["before", "x"])], [], all, self.budget)
        least, most = (Relation(Sets(pairs.automaton, [1, 2], self.budget, count), self.valid.names)
                       for count in (number, number + 1))
        return joined([self.valid], [least, most], lambda has: has[0] and not has[1], self.budget).automaton

    def first_words(self, beginning: Sequence[int], most: int) -> list[list[int]]:
        """Return the words of the first numbers, as long as a beginning."""
        alive = [{state for state, output in enumerate(self.words.outputs) if output}]
        for mark in reversed(beginning):
            alive.append({state for state, row in enumerate(self.words.rows)
                          if any(row.get((digit, mark)) in alive[-1] for digit in range(self.digits))})
        found, todo = list[list[int]](), [(list[int](), 0)]
        while todo and len(found) < most:
            word, state = todo.pop()
            if len(word) == len(beginning):
                found.append(word)
                continue
            row, mark = self.words.rows[state], beginning[len(word)]
            todo += [([*word, digit], row[digit, mark]) for digit in range(self.digits - 1, -1, -1)
                     if row.get((digit, mark)) in alive[len(beginning) - len(word) - 1]]
        return found


# -- what is printed of automata ---------------------------------------------------------------------------------------

SHOWN, MOST_LETTERS, MOST_DIGITS, MOST_PAIRS = 60, 26, 64, 1 << 12


def digest(automaton: Automaton) -> str:
    """Return a number that other automata do not have: two of one digest are equal, state for state."""
    lines = [f"{output}:" + ";".join(f"{'.'.join(map(str, letter))}>{there}" for letter, there in sorted(row.items()))
             for row, output in zip(automaton.rows, automaton.outputs, strict=True)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]


def series_digest(series: Series) -> str:
    """Return a number that other linear representations do not have."""
    plain = [series.row, series.column, [[sorted(row.items()) for row in matrix] for matrix in series.matrices]]
    return hashlib.sha256(repr(plain).encode()).hexdigest()[:32]


def diagonals(length: int, total: int = -1) -> Iterator[Letter]:
    """Yield the tuples of natural numbers: SHOWN of them or more by their sums, or those with one sum."""
    if total < 0:
        for total in range(SHOWN if length else 1):
            yield from diagonals(length, total)
    elif length < 2:
        yield (total,) * length
    else:
        yield from ((first, *rest) for first in range(total + 1) for rest in diagonals(length - 1, total - first))


def fixed_point(system: System, word: Automaton) -> tuple[list[list[int]], list[int]] | None:
    """Return of which morphism a word with one index is the fixed point that begins with 0: of each letter, 0, 1, ...,
    its image, and the output that stands for it.  None unless it is one of few letters.

    Each beginning of a word of the system has to be one, too.  Of the words of one length, in order, let the letters be
    the states that are reached, of the system and of the word's automaton.  Another digit at the end of each gives the
    words of the next length, in order; so it replaces each state by those that it leads to, in the order of digits.
    States with one output whose images agree are one letter.
    """
    pairs = {(0, 0): 0}
    images: list[list[int]] = []
    for one, other in (todo := [(0, 0)]):
        row = sorted(system.words.rows[one].items())
        if not row or not system.words.accepts(one) or len(pairs) > MOST_PAIRS:
            return None
        after = [(there, word.rows[other][digit]) for digit, there in row]
        todo += [pair for pair in dict.fromkeys(after) if pair not in pairs]
        images.append([pairs.setdefault(pair, len(pairs)) for pair in after])
    kinds: list[Any] = [word.outputs[other] for _, other in pairs]
    number = 0
    while len(set(kinds)) > number:  # letters are told apart by their images, until no more of them are
        number, names = len(set(kinds)), dict[Any, int]()
        told = [(kind, *(kinds[other] for other in image)) for kind, image in zip(kinds, images, strict=True)]
        kinds = [names.setdefault(one, len(names)) for one in told]
    if number > MOST_LETTERS:
        return None
    own = {kind: place for place, kind in reversed(list(enumerate(kinds)))}  # one of each kind, the first
    outputs = [word.outputs[other] for _, other in pairs]
    return [[kinds[other] for other in images[own[kind]]] for kind in range(number)], [
        outputs[own[kind]] for kind in range(number)]


def morphism(system: System, word: Automaton) -> str:
    """Return what a word with one index is: the fixed point of a morphism, "" unless it is one of few letters."""
    found = fixed_point(system, word)
    if found is None:
        return ""
    images, coded = found
    number, bare = len(images), len(set(coded)) == len(images)
    texts = [str(coded[kind]) if bare else chr(ord("a") + kind) for kind in range(number)]
    between = "" if max(map(len, texts)) == 1 else " "
    rules = [f"{texts[kind]} -> {between.join(texts[other] for other in images[kind])}" for kind in range(number)]
    said = f"the fixed point of {', '.join(rules)} that begins with {texts[0]}"
    values = [f"{value} for {', '.join(texts[kind] for kind in range(number) if coded[kind] == value)}"
              for value in dict.fromkeys(coded)]
    return said if bare else f"{said}, with {'; '.join(values)}"


def morphisms(system: FamilySystem, word: Automaton) -> str:
    """Return by which morphisms a word of choices is made, "" unless its numbers are those of a base.

    All words of one length, as far as the greatest, are numbers in their order.  Its states are letters, and the image
    of one under s_c are those after each digit beside the choice c: so the letters at numbers of at most m digits are
    those of s_(a_1)(s_(a_2)(... s_(a_m)(first state))).
    """
    states, family = [0], system.family
    for state in states:
        row = word.rows[state]
        after = [row.get((digit, mark), -1) for digit in range(system.digits) for mark in family.first]
        if not system.base or not family.choices or -1 in after:
            return ""
        states += [there for there in dict.fromkeys(after) if there not in states]
        if len(states) > MOST_LETTERS:
            return ""
    bare = len({word.outputs[state] for state in states}) == len(states)
    names = {state: str(word.outputs[state]) if bare else chr(ord("a") + place) for place, state in enumerate(states)}
    between = "" if max(map(len, names.values())) == 1 else " "
    rules = [f"s_{mark}: " + ", ".join(
        f"{names[state]} -> {between.join(names[word.rows[state][digit, mark]] for digit in range(system.digits))}"
        for state in states) for mark in family.first]
    coded = "" if bare else "".join(f"; {names[state]} is {word.outputs[state]}" for state in states)
    return f"the limit of s_(a_1)(s_(a_2)(...s_(a_m)({names[0]}))) with {'; '.join(rules)}{coded}"


MUCH, LITTLE = "the relation accepts too much", "the relation accepts too little"
BOTH = "the relation does not accept exactly what it should"


class Claim(NamedTuple):
    """A formula, its relation, and the guards under which they agree."""

    relation: Relation
    guards: list[Relation]
    formula: Formula = TRUE
    built: bool = False  # the relation, by `left_out`: it accepts what the rule wants
    size: int = 0  # of the formula: at most so many characters if it is written out, parts that are shared each time

    def says(self, formula: Formula) -> bool:
        """Return whether it says that a formula without free variables is true."""
        true = not self.relation.names and not self.guards and self.relation.automaton.accepts(0)
        return bool(true and self.formula == formula)


def integer(value: Any, least: int, most: int) -> int:
    return value if type(value) is int and least <= value <= most else fail(f"{value!r:.40} is not in {least}..{most}")


def rational(value: Any) -> Number:
    """Return a rational number: an integer, or [numerator, denominator]."""
    above, below = (value, 1) if type(value) is int else value
    found = Fraction(integer(above, -MOST_ENTRY, MOST_ENTRY), integer(below, 1, MOST_ENTRY))
    return found.numerator if found.denominator == 1 else found


def strings(value: Any) -> list[str]:
    """Return a list of different names."""
    if type(value) is list and all(type(one) is str for one in value) and len(set(value)) == len(value):
        return value
    fail(f"{value!r:.40} is not a list of different names")


def losses(line: Line) -> list[list[int]]:
    """Return the states that sets lose, each with those for which they do."""
    return [[integer(one, 0, 1 << 21) for one in listed(each)] for each in listed(line.get("loses", []))]


def listed(value: Any) -> list[Any]:
    """Return a list."""
    return value if type(value) is list else fail(f"{value!r:.40} is not a list")


class Integers(NamedTuple):
    """Integers for which the numbers of a system stand, in base -base, in negaFibonacci if that is 0.

    by: the predicate that says so.
    """

    over: str
    base: int
    by: str

    def value(self, word: Sequence[int]) -> int:
        """Return the integer for which a word stands."""
        total, here, before = 0, 1, 0
        for place, digit in enumerate(reversed(word)):
            total += digit * here * (-1) ** place
            here, before = (here * self.base, 0) if self.base else (here + before, here)
        return total

    def __str__(self) -> str:
        k = self.base
        if k:
            digits = f"n = d_0 + d_1*{k} + ... + d_j*{k}^j for d_0 - d_1*{k} + ... + d_j*(-{k})^j"
            return f"{digits}, 2*p-n if ${self.by}(n,p)"
        digits = "n = d_0 + d_1*2 + d_2*3 + d_3*5 + ... for d_0 - d_1 + d_2*2 - d_3*3 + ..."
        return f"{digits}, p-n if ${self.by}(n,p)"


class Checker:
    """Reads the lines of a certificate; each is checked when it is read."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.version = 0  # of the format
        self.lines = 0  # that are read
        self.variables: dict[str, str] = {}  # their systems
        self.family: Family | None = None
        self.systems: dict[str, System] = {}
        self.orders = Memo(lambda key: self.systems[key[0]].order(key[1]))
        self.alphabets = Memo(lambda sizes: dict(enumerate(product(*map(range, sizes)))))
        self.words: dict[str, tuple[list[str], Automaton]] = {}  # with the systems of their tracks, as the next two
        self.predicates: dict[str, tuple[list[str], Automaton]] = {}
        self.automata: list[tuple[list[str], Automaton]] = []
        self.definitions: dict[str, tuple[list[str], Formula, str]] = {}
        self.calls: dict[str, frozenset[str]] = {}  # the predicates that definitions call
        self.additions: set[str] = set()
        self.recursions: list[str] = []
        self.sequences: dict[str, tuple[str, Series]] = {}  # with their systems
        self.counts: dict[str, tuple[str, list[str], str]] = {}  # of sequences: the index, what is counted, and where
        self.equations: dict[str, str] = {}  # of sequences, that determine them
        self.given: set[str] = set()  # sequences that equations mention before anything determines them
        self.integers: dict[str, Integers] = {}
        self.arguments: dict[str, list[str]] = {}  # systems, of integers too; of a word W by the name W[
        self.comparisons: dict[str, tuple[list[str], str]] = {}  # of integers: their parameters and texts
        self.spoken_room, self.texts = MOST_SPOKEN, dict[str, str]()  # of formulas, as they are printed
        self.meanings: dict[str, str] = {}  # of predicates and definitions
        self.series: dict[str, str] = {}  # of words, whose letters are the coefficients of power series
        self.last_sets: tuple[Any, Sets] | None = None
        self.claims: list[Claim] = []
        self.statement: tuple[Formula, str] | None = None
        self.fails: tuple[list[int], list[int]] | None = None  # the sequence for which the statement is false

    # -- lines

    def line(self, line: Line) -> None:
        kinds = ("rule", "automaton", "make", "certificate", "system", "word", "predicate", "define", "floor",
                 "sequence", "statement", "integers", "family")
        kind = next((kind for kind in kinds if kind in line), "") or fail(f"unknown kind of line: {list(line)!r:.80}")
        if self.version == 3 and not self.family and kind != "family":
            fail("version 3 of the format is about a family, and the second line says which")
        if self.family and (kind in ("floor", "sequence", "integers") or {"weights", "series", "expression"} & {*line}):
            fail("a certificate about a family has no such line")
        if kind == "family" and self.lines != 1:
            fail("the line of a family is not the second one")
        self.lines += 1
        getattr(self, "read_" + kind)(line)

    def new(self, name: str, *known: Iterable[str]) -> str:
        """Return a name that is not taken."""
        if re.fullmatch(NAME, name, re.ASCII) and name not in chain(("true", "false"), *known):
            return name
        fail(f"not a name, or already taken: {name!r:.40}")

    def read_certificate(self, line: Line) -> None:
        if self.variables or self.version:
            fail("a second header")
        if type(line["certificate"]) is not int or line["certificate"] not in (1, 2, 3):
            fail(f"the file has version {line['certificate']!r:.40} of the format, and this program reads 1, 2 and 3")
        self.version = line["certificate"]
        self.variables = {self.new(name, "EA"): self.new(system) for name, system in line["variables"].items()}

    def read_family(self, line: Line) -> None:
        """All sequences of choices, or of partial quotients; the rest of the file is about them."""
        if self.family or self.version != 3 or line["family"] not in ("choices", "slopes"):
            fail("a second family, an unknown one, or one in another version of the format than 3")
        choices = integer(line["number"], 1, 99) if line["family"] == "choices" else 0
        self.family = Family(line["family"], choices)

    def read_system(self, line: Line) -> None:
        name, digits = self.new(line["system"], self.systems, self.integers), integer(line["digits"], 1, 1 << 10)
        if self.family:
            self.systems[name] = FamilySystem(digits, self.table(line, digits, self.family.digits), self.family,
                                              self.budget)
            return
        self.systems[name] = system = System(digits, self.table(line, digits), self.budget)
        states = len(system.words.rows)
        if system.count(2 * states) == system.count(states):  # longer words repeat states, so there are infinitely many
            fail(f"{name} has only finitely many numbers")
        if "weights" in line:
            first, recurrence = ([integer(one, -(1 << 31), 1 << 53) for one in line["weights"][key]]
                                 for key in ("first", "recurrence"))
            if not 0 < len(recurrence) <= len(first) <= 1 << 6:
                fail(f"{name} has no recurrence, or one without first terms")
            system.check_weights(first, recurrence)
            system.weights = first, recurrence
            system.meaning = f", greedy for {recurrence_text(first, recurrence)}"

    def read_integers(self, line: Line) -> None:
        """Each number n with the digits d_i stands for the sum of d_i (-k)^i, or of d_i (-1)^i F(i+1)."""
        name, over, by = self.new(line["integers"], self.systems, self.integers), line["over"], line["by"]
        pairs, variables = strings(line.get("pairs", [])), strings(line["variables"])
        self.fit(variables, [over] * len(variables))
        if any(one not in self.predicates or self.arguments[one] != [over, over] for one in (by, *pairs)):
            fail(f"{by}, or another predicate of integers, is not about two numbers of {over}")
        system = self.systems[over]
        if pairs:
            if system.weights != ([1, 2], [1, 1]):
                fail(f"{over} is not shown to have the weights 1, 2, 3, 5, ...")
            wanted = self.of_negafibonacci(by, pairs, variables)
        else:
            words, base = system.words, system.digits
            if base < 2 or not all(words.outputs) or any(len(row) < base for row in words.rows):
                fail(f"not all words are numbers of {over}, or they have one digit")
            wanted = self.of_base(base, by, variables)
        for number, formula in zip(line["of"], wanted, strict=True):
            if not self.claims[integer(number, 0, len(self.claims) - 1)].says(self.read(formula)):
                raise Invalid(f"it is not claimed that {formula}")
        self.integers[name] = Integers(over, 0 if pairs else system.digits, by)
        self.meanings[by] = "(n,p) with p = n + z for the integer z that n stands for" if pairs else (
            f"(n,p) with p the sum of d_i*{system.digits}^i for even i, d_i being the digits of n")

    def of_base(self, base: int, by: str, variables: list[str]) -> list[str]:
        """Return what says of $P(n,p) that p is the sum of d_i k^i for even i: so 2 p - n is the integer.

        By the division of n by k, p = n - k r, where r is that of floor(n/k); and each n has such a p.  By induction on
        n it has no other one.
        """
        n, p, m, r = variables
        return [
            f"(A {n} (E {p} ${by}({n},{p})))",
            f"(A {n},{p},{m},{r} (((${by}({n},{p}) & ${by}({m},{r})) & ({base}*{m}<={n} & {n}<{base}*{m}+{base})) => "
            f"{p}+{base}*{r}={n}))",
        ]

    def of_negafibonacci(self, by: str, pairs: list[str], variables: list[str]) -> list[str]:
        """Return what says of $P(n,p) that p is n and its integer: so p - n is the integer.

        $E(m,r), or $O(m,r), is true if m = F(i+2) and r = F(i+1) for even i, or odd i, by induction on i.  The word of
        n+m is a digit 1 at place i before that of n, if n < r; then p and m + r, or m - r, belong to n+m.  By induction
        on the number of digits n has the p, and no number has two.
        """
        (even, odd), (n, p, m, r, x, y) = pairs, variables

        def with_digit(which: str, equation: str) -> str:
            given = f"((${by}({n},{p}) & ${which}({m},{r})) & ({n}<{r} & ({n}+{m}={x} & {equation})))"
            return f"(A {n},{p},{m},{r},{x},{y} ({given} => ${by}({x},{y})))"

        return [
            f"(A {n} ({n}=1 => ${even}({n},{n})))",
            f"(A {n},{p},{m} ((${even}({n},{p}) & {n}+{p}={m}) => ${odd}({m},{n})))",
            f"(A {n},{p},{m} ((${odd}({n},{p}) & {n}+{p}={m}) => ${even}({m},{n})))",
            f"(A {n} ({n}=0 => ${by}({n},{n})))",
            with_digit(even, f"{p}+{m}+{r}={y}"), with_digit(odd, f"{p}+{m}={y}+{r}"),
            f"(A {n},{p},{m} ((${by}({n},{p}) & ${by}({n},{m})) => {p}={m}))",
        ]

    def comparison(self, line: Line, parameters: list[str]) -> Formula:
        """Return what a comparison of sums of integers is: that of 2 p - n, or p - n, for each of them."""
        names = {self.variables[name] for name in parameters}
        integers = self.integers[names.pop()]
        others, text, times = strings(line["with"]), line["compares"], 2 if integers.base else 1
        atom = self.read(text)
        self.fit(others, [integers.over] * len(parameters))
        is_comparison = bool(re.fullmatch(COMPARISON, text, re.ASCII)) and atom[0] == "linear"
        if names or not is_comparison or atom[1] != tuple(sorted(parameters)) or {*others} & {*parameters}:
            fail(f"this is no comparison of sums of integers: {text!r:.80}")
        pairs = list(zip(parameters, others, strict=True))
        terms = [(one, factor) for name, p in pairs for one, factor in (
            (p, times * factors(atom)[name]), (name, -factors(atom)[name]))]
        said = conjunction([*(("call", pair, integers.by) for pair in pairs), linear(terms, atom[3], atom[4])])
        return exists(others, said)

    def read_word(self, line: Line) -> None:
        name, (systems, word) = self.new(line["word"], self.words, self.sequences), self.machine(line)
        tracks = self.tracks(systems)
        numbers = self.all_numbers(systems)
        every = Automaton(word.rows, [1] * len(word.outputs))
        if not walk(numbers, [Relation(every, tracks)], all, self.budget):
            fail(f"{name} has no letter at some index")
        for letter in set(word.outputs) if self.family else ():
            read = Automaton(word.rows, [int(output == letter) for output in word.outputs])
            self.check_limit(name, numbers, Relation(read, tracks))
        system = self.systems[systems[0]] if systems else None
        if len(systems) == 1 and isinstance(system, FamilySystem) and system.is_characteristic(word):
            self.series[name] = ("the characteristic word: the limit of s_k = s_(k-1)^(a_k) s_(k-2) with s_0 = 0 and"
                                 " s_1 = 0^(a_1 - 1) 1")
        if "series" in line:
            series, base = PowerSeries(line["series"], self.budget), self.systems[systems[0]]
            if len(systems) != 1 or base.digits != series.prime or systems != line["systems"]:
                fail(f"{name} has not one index in base {series.prime}, that is a number")
            if not all(base.words.outputs) or any(len(row) < base.digits for row in base.words.rows):
                fail(f"not all words are numbers of {systems[0]}")
            series.check(name, word)
            self.series[name] = f"the {series.text}, modulo {series.modulus}"
        self.words[name], self.arguments[name + "["] = (systems, word), line["systems"][: len(systems)]

    def read_predicate(self, line: Line) -> None:
        name, (systems, automaton) = self.new(line["predicate"], self.predicates, self.definitions), self.machine(line)
        if self.family:
            numbers, said = self.all_numbers(systems), Relation(automaton, self.tracks(systems))
            self.check_limit(name, numbers, said)
            if "sequences" in line:
                self.meanings[name] = self.described(line["sequences"], systems, said, self.family)
        if "expression" in line:
            digits = [self.systems[one].digits for one in systems]
            expression = Expression(line["expression"], digits, self.budget)
            places = list(map(str, range(len(systems))))
            numbers = [Relation(self.systems[one].words, [place]) for one, place in zip(systems, places, strict=True)]
            read = Sets(expression.automaton(), range(len(systems)), self.budget)
            if not walk(numbers, [Relation(automaton, places), Relation(read, places)], lambda has: has[0] == has[1],
                        self.budget):
                raise Invalid(f"{name} is not what its regular expression describes")
            self.meanings[name] = f"the numbers of the regular expression {expression.text}"
        self.predicates[name], self.arguments[name] = (systems, automaton), line["systems"][: len(systems)]

    def described(self, text: str, systems: Sequence[str], said: Relation, family: Family) -> str:
        """Return of which sequences a predicate is true by an expression: infinitely many beginnings are its words."""
        if systems:
            fail("an expression of sequences is one of a predicate without arguments")
        read = Expression(SequenceExpression(text, family).tree, [family.digits], self.budget).automaton()
        relations = [Relation(Sets(read, [0], self.budget), [PARAMETER]), said]
        begun = self.all_numbers([])
        more = joined(begun, relations, lambda has: has[0] and not has[1], self.budget)
        fewer = joined(begun, relations, lambda has: has[1] and not has[0], self.budget)
        if family.returns(more, self.budget) or family.returns(fewer, self.budget, always=True):
            raise Invalid(f"a predicate is not true of the sequences that its expression describes: {shown(text):.80}")
        return f"true of the sequences of which infinitely many beginnings are words of {text}"

    def tracks(self, systems: Sequence[str]) -> list[str]:
        """Return names for the tracks of a word or a predicate, the sequence last if it is about a family."""
        return [*map(str, range(len(systems))), *([PARAMETER] if self.family else [])]

    def all_numbers(self, systems: Sequence[str]) -> list[Relation]:
        """Return the relations that accept all values of each track of a word or a predicate."""
        named = self.tracks(systems)
        begun = [Relation(self.family.beginnings, [PARAMETER])] if self.family else []
        return [*begun, *(self.values(one, track) for one, track in zip(systems, named, strict=False))]

    def check_limit(self, name: str, numbers: Sequence[Relation], relation: Relation) -> None:
        """Refuse a name if, beside some numbers, what is said by it changes again and again with longer beginnings."""
        assert self.family
        if not self.family.settles(joined(numbers, [relation], all, self.budget), self.budget):
            raise Invalid(f"what is said by {name} changes again and again with longer beginnings")

    def read_automaton(self, line: Line) -> None:
        systems = listed(line["systems"])
        if self.family:  # the track of the sequence is one of those named
            self.automata.append((systems, self.table(line, *map(self.digits_of, systems))))
        else:
            self.automata.append(self.machine(line))

    def digits_of(self, system: str) -> int:
        """Return how many digits a track of a system has; that of the sequence is one, too."""
        return self.family.digits if self.family and system == PARAMETER else self.systems[system].digits

    def values(self, system: str, name: str) -> Relation:
        """Return the relation that accepts all values of a variable of a system."""
        if system == PARAMETER and self.family:
            return Relation(self.family.beginnings, [name])
        return Relation(self.systems[system].words, [name, PARAMETER] if self.family else [name])

    def read_make(self, line: Line) -> None:
        """An automaton that is built: of what several relations accept, or of one without some of its tracks."""
        if self.version < 2:
            fail("version 1 of the format has no such line")
        of = [self.relation(one) for one in listed(line["of"])]
        if line["make"] == "exists":
            self.add(self.without(of[0], strings(line["bound"])))
        elif line["make"] == "and":
            self.add(self.joined(of, [], all))
        else:
            fail(f"nothing is made by {line['make']!r:.40}")

    def read_define(self, line: Line) -> None:
        name, parameters = self.new(line["define"], self.predicates, self.definitions), strings(line["parameters"])
        compares = "compares" in line
        text = line["compares" if compares else "formula"]
        if compares and set(re.findall(NAME, text, re.ASCII)) != set(parameters):
            fail(f"{name} compares other variables than its parameters: {text!r:.80}")
        formula = self.comparison(line, parameters) if compares else self.read(text, strict=True)
        if not free(formula) <= set(parameters) or not all(map(self.system, parameters)):
            fail(f"the parameters of {name} are not the free variables of its formula")
        self.definitions[name], self.calls[name] = (parameters, formula, text), self.called(formula)
        self.arguments[name] = [self.variables[one] for one in parameters]
        if compares:
            self.comparisons[name] = parameters, text
        self.spoken(text)

    def read_floor(self, line: Line) -> None:
        """$A(n,m) says that m = floor(n alpha), alpha = (2 - s + sqrt(s^2 + 4)) / 2, of which five claims say

        that A is a function, A(0) = 0 < A(1) < A(2) < ..., and that each m > 0 is either an A(n) or an A(n) + s n with
        n > 0.  So A(n) is the least number > 0 that is neither before, and A is the only such function.  By Beatty's
        theorem the floor is one: 1/alpha + 1/(alpha + s) = 1, and alpha is irrational.
        """
        name, slope, variables = line["floor"], integer(line["slope"], 1, 1 << 20), strings(line["variables"])
        known = self.predicates
        systems = known[name][0] if name in known else [*map(self.system, self.definitions[name][0])]
        self.fit(variables, systems[:1] * 4)
        self.fit(variables[:2], systems)
        self.only_numbers(name)
        n, m, k, z = variables
        p = f"${name}"
        more = f"{z}+{slope}*{n}"
        wanted = (
            f"(A {n} (E {m} {p}({n},{m})))",
            f"(A {n} (~{n}=0 | {p}({n},{n})))",
            f"(A {n},{m},{k},{z} (({p}({n},{m}) & {p}({k},{z})) => (({n}<{k} => {m}<{z}) & ({n}={k} => {m}={z}))))",
            f"(A {m} ({m}=0 | (E {n} (~{n}=0 & ({p}({n},{m}) | (E {z} ({p}({n},{z}) & {m}={more})))))))",
            f"(A {n},{m},{k},{z} (((~{n}=0 & ~{k}=0) & ({p}({k},{m}) & {p}({n},{z}))) => {m}!={more}))",
        )
        for number, formula in zip(line["of"], wanted, strict=True):
            if not self.claims[integer(number, 0, len(self.claims) - 1)].says(self.read(formula)):
                raise Invalid(f"it is not claimed that {formula}")
        alpha = "(1+sqrt(5))/2" if slope == 1 else f"({2 - slope}+sqrt({slope * slope + 4}))/2"
        self.meanings[name] = f"(n,m) with m = floor(n*{alpha})"

    def read_sequence(self, line: Line) -> None:
        """A linear representation in which zeros in front change nothing, or one that is built since it counts."""
        name, system = self.new(line["sequence"], self.words, self.sequences), line["over"]
        if "counts" in line:
            self.sequences[name] = system, self.count(name, system, line)
            return
        row, column = ([rational(one) for one in listed(line[key])] for key in ("row", "column"))
        size, digits = len(row), self.systems[system].digits
        if not size == len(column) <= MOST_DIMENSION or len(listed(line["matrices"])) != digits:
            fail(f"{name} needs a row and a column of one length, and a matrix for each digit")
        matrices = list[Matrix]()
        for flat in line["matrices"]:
            self.budget.spend(sum(len(listed(one)) for one in listed(flat)))
            matrices.append([dict(zip([integer(place, 0, size - 1) for place in one[::2]], map(rational, one[1::2]),
                                      strict=True)) for one in flat])
            if len(flat) != size:
                fail(f"a matrix of {name} needs {size} rows")
        if times(row, matrices[0]) != row:
            raise Invalid(f"zeros in front of a number change the term of {name}")
        self.sequences[name] = system, Series(row, matrices, column)

    def count(self, name: str, system: str, line: Line) -> Series:
        """Return the number of tuples of which a formula is true, by a claim without guards that says the formula."""
        index, bound, source = line["index"], strings(line["bound"]), line["counts"]
        relation, guards, formula, *_ = self.claims[integer(line["claim"], 0, len(self.claims) - 1)]
        self.fit([index], [system])
        self.no_integers(source, [index, *bound])
        if guards or self.read(source, strict=True) != formula:
            raise Invalid(f"what {name} counts is not claimed for all numbers")
        if not bound or index in bound or not set(bound) <= set(relation.names) <= {index, *bound}:
            raise Invalid(f"{name} counts variables of which nothing is claimed, or its formula has others")
        self.refuse_unless(all, [relation], self.numbers(bound), f"what {name} counts are not only numbers")
        self.counts[name] = index, bound, source
        return counted(name, relation, index, self.systems[system].digits, self.budget)

    def read_statement(self, line: Line) -> None:
        formula = self.read(line["statement"], strict=True)
        if self.statement or free(formula):
            fail("a second statement, or a statement with free variables")
        if "fails" in line:
            first, period = ([integer(one, 1, self.family.choices or 1 << 20) for one in listed(line["fails"][key])]
                             for key in ("first", "period")) if self.family else fail("there are no sequences")
            self.fails = (first, period) if period else fail("nothing is repeated in a sequence")
        self.statement = formula, line["statement"]
        self.spoken(line["statement"])

    def read_rule(self, line: Line) -> None:
        rule = getattr(self, "rule_" + line["rule"], None) or fail(f"unknown rule {line['rule']!r:.40}")
        if (line["rule"] == "limit") != bool(self.family) and line["rule"] in ("limit", "recursion", "sequences"):
            fail(f"the rule {line['rule']} is not for certificates {'about' if self.family else 'without'} a family")
        of = [self.claims[integer(number, 0, len(self.claims) - 1)] for number in line.get("of", [])]
        guards = [self.relation(one) for one in line.get("guards", [])]
        given = "relation" in line or self.version < 2
        relation = self.relation(line["relation"]) if given else self.left_out(line, of, guards)
        new = Claim(relation, guards, built=not given and not line.get("backward"), size=self.size_of(line, of))
        try:
            self.claims.append(new._replace(formula=rule(new, of, line)))
        except Invalid as problem:
            raise Invalid(f"claim {len(self.claims)} ({line['rule']}): {problem}") from None
        for one in (relation, *guards, *(claim.relation for claim in of)):
            if len(one.automaton.rows) > MOST_KEPT:  # tables of large automata are made again rather than kept
                one.automaton.readers.clear()

    def size_of(self, line: Line, of: list[Claim]) -> int:
        """Return the size of the formula of a new claim, which is refused if it is too large.

        A formula is kept with its parts shared, and is gone through as a tree: this doubles with each `iff` of one
        claim and itself, say.
        """
        if line["rule"] in ("any", "atom", "or", "linear"):
            size = len(line["formula"])
        elif line["rule"] in ("definition", "addition", "recursion", "sequences"):
            size = len(line.get("arguments", ())) + 1
        else:
            size = sum(claim.size for claim in of) + 1
        if size > MOST_FORMULA:
            fail("the formula of a claim is too large")
        self.budget.spend(size)
        return size

    def left_out(self, line: Line, of: list[Claim], guards: list[Relation]) -> Relation:
        """Return the relation of a claim that the file leaves out; its automaton gets the next number."""
        rule, relations, wanted = line["rule"], [claim.relation for claim in of], list[str]()
        names = dict[str, str]()
        if rule == "exists":
            count = integer(line.get("count", 1), 1, 1 << 31)
            return self.add(self.without(
                relations[0], strings(line["bound"]), count, bool(line.get("backward")), losses(line)))
        if rule == "limit":
            fail("the relation of a limit is left out")
        if rule in ("not", "iff", "or"):
            wanted = [name for one in relations for name in one.names]
            holds: Callable[[list[bool]], bool] = {
                "not": lambda has: not has[0], "iff": lambda has: has[0] == has[1], "or": any}[rule]
            return self.add(self.over(wanted, [] if rule == "or" else guards, relations, holds))
        if rule == "atom":
            own = self.atom_relation(self.read(line["formula"]), line)
            return self.add(self.over(own.names, [own], [], all, True))
        if rule == "definition":
            wanted = line["arguments"]
            names = dict(zip(self.definitions[line["name"]][0], wanted, strict=True))
        elif rule == "linear":
            names = dict(line.get("names", {}))
        elif rule == "share":
            names, relations = {line["from"]: line["to"]}, relations[:1]
        elif not relations:
            relations, wanted = guards, strings(line.get("numbers", []))
        if rule in ("addition", "recursion", "sequences"):
            relations = []
        return self.add(self.over(wanted, [one.renamed(names) for one in relations], [], all))

    def without(
        self, relation: Relation, bound: list[str], count: int = 1, back: bool = False, loses: Sequence[list[int]] = ()
    ) -> Relation:
        """Return a minimal relation without some tracks: that there are values for them, as many as `count`."""
        kept = [place for place, name in enumerate(relation.names) if name not in bound]
        names = [relation.names[place] for place in kept]
        return without(self.sets_of(relation, kept, count, back, loses), names, self.budget)

    def sets_of(
        self, relation: Relation, kept: Sequence[int], count: int, back: bool, loses: Sequence[list[int]]
    ) -> Sets:
        """Return sets of states of a relation; those of last time may be wanted again."""
        key = (relation.automaton, tuple(kept), count, back, loses)
        if self.last_sets is None or self.last_sets[0] != key:
            self.last_sets = key, Sets(relation.automaton, kept, self.budget, count, back, loses)
        return self.last_sets[1]

    def over(
        self, wanted: Iterable[str], parts: Sequence[Relation], others: Sequence[Relation],
        holds: Callable[[list[bool]], bool], every: bool = False,
    ) -> Relation:
        """Return what `joined` does, with all numbers for the variables wanted that no part has, or for every one."""
        there = set[str]() if every else {name for part in parts for name in part.names}
        missing = dict.fromkeys(name for name in wanted if name not in there)
        return self.joined([*parts, *self.numbers(missing)], others, holds)

    def joined(
        self, parts: Sequence[Relation], others: Sequence[Relation], holds: Callable[[list[bool]], bool]
    ) -> Relation:
        """Return what `joined` does, unless it has more letters than there are numbers for them in a word of memory."""
        names = {name for part in parts for name in part.names}
        if prod(self.digits_of(self.system(name)) for name in names) > 1 << 40:
            fail("an automaton has too many tracks")
        return joined(parts, others, holds, self.budget)

    def add(self, relation: Relation) -> Relation:
        """Give the automaton of a relation the next number."""
        if relation.automaton.rows[0].get((0,) * len(relation.names)) != 0:
            fail("an automaton needs a loop of zeros at the first state")
        self.automata.append((list(map(self.system, relation.names)), relation.automaton))
        return relation

    # -- what lines consist of

    def machine(self, line: Line) -> tuple[list[str], Automaton]:
        """Return the systems of tracks, and the automaton; it has the sequence as a last track if it is of a family."""
        systems = [self.integers[one].over if one in self.integers else one for one in listed(line["systems"])]
        if self.family and (not systems or systems.pop() != PARAMETER or PARAMETER in systems):
            fail(f"the last track, and no other, is {PARAMETER}")
        more = [self.family.digits] if self.family else []
        return systems, self.table(line, *[self.systems[name].digits for name in systems], *more)

    def table(self, line: Line, *sizes: int) -> Automaton:
        """Return an automaton: rows of letter, target, letter, target ...; a letter is a number in mixed radix."""
        if prod(sizes) > MOST_TRANSITIONS or len(sizes) > 1 << 10:
            fail("an automaton has too many tracks")
        if sizes not in self.alphabets:
            self.budget.hold(prod(sizes) * (250 + 8 * len(sizes)))
        letters = self.alphabets[sizes]
        outputs = [integer(output, -(1 << 31), 1 << 31) for output in line["outputs"]]
        states, rows = frozenset(range(len(outputs))), list[dict[Letter, int]]()
        for flat in line["rows"]:
            targets = flat[1::2] if states.issuperset(flat[1::2]) else fail("a transition leads to no state")
            rows.append(dict(zip([letters[code] for code in flat[::2]], targets, strict=True)))
            self.budget.spend(len(flat))
        if len(rows) != len(outputs) or rows[0].get((0,) * len(sizes)) != 0:
            fail("an automaton needs an output for each state, and a loop of zeros at the first")
        return Automaton(rows, outputs)

    def relation(self, value: Any) -> Relation:
        """Return the relation that [number of an automaton, names of its tracks] stands for."""
        systems, automaton = self.automata[integer(value[0], 0, len(self.automata) - 1)]
        self.fit(strings(value[1]), systems)
        return Relation(automaton, value[1])

    def system(self, variable: str) -> str:
        """Return the system of a variable, which is known."""
        if self.family and variable == PARAMETER:
            return PARAMETER
        name = self.variables[variable]
        name = self.integers[name].over if name in self.integers else name
        return name if name in self.systems else fail(f"{name} is not a system")

    def fit(self, names: Sequence[str], systems: Sequence[str]) -> None:
        """Refuse variables that do not belong to these systems."""
        if [self.system(name) for name in names] != list(systems):
            fail(f"variables of systems {', '.join(systems):.80} are needed instead of {', '.join(names):.80}")

    def call(self, name: str, names: Sequence[str]) -> Formula:
        """Return $name(names)."""
        known = self.predicates
        self.fit(names, known[name][0] if name in known else list(map(self.system, self.definitions[name][0])))
        return ("call", tuple(names), name)

    def only_numbers(self, name: str) -> None:
        """Refuse a word W, by the name W[, or a predicate, that is about integers: what is said is about numbers."""
        if not self.integers.keys().isdisjoint(self.arguments[name]):
            fail(f"{name} is about integers, and numbers are needed")

    def no_integers(self, source: str, names: Sequence[str]) -> None:
        """Refuse a formula with variables that are integers, or such names: what is said with them is about numbers.

        Integers that a definition binds are allowed: the definition is printed, and says that they are integers.
        """
        if known := self.integers_of(source, names):
            fail(f"numbers are needed, and these are integers: {', '.join(chain(*known.values())):.80}")

    def read(self, source: str, strict: bool = False) -> Formula:
        self.budget.spend(len(source) if len(source) <= MOST_FORMULA else fail("a formula is too long"))
        try:
            return Reader(source, self, strict).whole()
        except Invalid as problem:
            fail(str(problem))

    # -- inclusions: a step is refused unless they hold

    def refuse_unless(
        self, holds: Callable[[list[bool]], bool], parts: Sequence[Relation], others: Sequence[Relation], what: str
    ) -> None:
        """Refuse unless a condition on the acceptance of the others holds wherever all parts accept.
        """
        parts = [part for place, part in enumerate(parts) if part not in parts[:place]]
        there = {name for part in parts for name in part.names}
        missing = dict.fromkeys(name for other in others for name in other.names if name not in there)
        if not walk([*parts, *self.numbers(missing)], others, holds, self.budget):
            raise Invalid(what)

    def numbers(self, names: Iterable[str]) -> list[Relation]:
        """Return the relations that accept all values of a variable each."""
        return [self.values(self.system(name), name) for name in names]

    def cover(self, parts: Sequence[Relation], targets: Sequence[Relation], what: str) -> None:
        """Refuse unless what all parts accept is accepted by one of the targets."""
        if not any(target == part for target in targets for part in parts):
            self.refuse_unless(any, parts, targets, what)

    def guarded(self, parts: Sequence[Relation], *claims: Claim) -> None:
        """Refuse unless the guards of claims hold where the parts do."""
        for guard in {id(guard): guard for claim in claims for guard in claim.guards}.values():
            self.cover(parts, [guard], "the guards do not imply those of a claim that is used")

    def agree(self, new: Claim, others: Sequence[Relation], numbers: Sequence[Relation] = ()) -> None:
        """Refuse unless, for numbers under the guards, a claim's relation accepts the tuples that one of the others
        does.
        """
        if new.built:
            return
        self.cover([*new.guards, new.relation], others, MUCH)
        for other in others:
            self.cover([*new.guards, *numbers, other], [new.relation], LITTLE)

    def rename(self, new: Claim, claim: Claim, names: Mapping[str, str]) -> None:
        """Refuse unless a claim agrees with another one, without guards, all of whose variables get other names."""
        if claim.guards or not set(claim.relation.names) <= names.keys() | {PARAMETER}:
            raise Invalid("variables are renamed under a guard, or not all of them")
        self.fit(list(names.values()), list(map(self.system, names)))
        self.agree(new, [claim.relation.renamed(names)])

    # -- rules: each gets the claim that is made, without its formula; those that are used; and the line.  It returns
    # the formula.  Why they are sound is in docs/certificates.md.

    def rule_any(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """Any F, if no tuple is accepted by all guards."""
        self.cover(new.guards, [], "the guards can hold")
        return self.read(line["formula"])

    def rule_atom(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """W[x]=@a or $p(x) with an automaton for W or p; or x=y, x<y, x=c, as numbers are ordered by their words."""
        formula = self.read(line["formula"])
        own = self.atom_relation(formula, line)
        self.agree(new, [own], self.numbers(dict.fromkeys(own.names)))
        return formula

    def atom_relation(self, formula: Formula, line: Line) -> Relation:
        """Return the relation of an atom; it may accept words that are no numbers."""
        beside = [PARAMETER] if self.family else []
        match formula:
            case ("linear", (x, y), (1, -1) | (-1, 1) as signs, "=" | "<" as sign, 0):
                names = [x, y] if signs[0] == 1 else [y, x]
                return Relation(self.orders[self.system(x), sign == "<"], names)
            case ("linear", (x,), (1,), "=", constant) if constant >= 0:
                return Relation(self.systems[self.system(x)].constant(constant), [x, *beside])
            case ("letter", names, word, letter):
                machine = self.words[word][1]
                read = Automaton(machine.rows, [int(output == letter) for output in machine.outputs])
                return Relation(read, [*names, *beside])
            case ("call", names, name) if name in self.predicates:
                return Relation(self.predicates[name][1], [*names, *beside])
            case _:
                raise Invalid(f"this is not an atom of rule atom: {line['formula']:.200}")

    def rule_definition(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """$p(x,...), from the claim of the formula that defines it: arguments take the place of parameters."""
        (claim,), (parameters, body, _) = of, self.definitions[line["name"]]
        if claim.formula != body:
            raise Invalid(f"the claim used is not what {line['name']} means")
        self.rename(new, claim, dict(zip(parameters, line["arguments"], strict=True)))
        return self.call(line["name"], line["arguments"])

    def rule_addition(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """true; and from now on a predicate P adds, of which it is claimed that (v is y+1, z is w+1)

        P(x,0,z) iff x=z; and P(x,v,z) iff P(x,y,w) for such a w.  The next number is the least greater one.
        """
        name, variables = line["predicate"], strings(line["variables"])
        systems = self.predicates[name][0]
        self.fit(variables, systems[:1] * 8)
        self.fit(variables[:3], systems)
        o, x, y, z, v, w, c, d = variables
        wanted = (
            f"(A {x},{z},{o} ({o}=0 => (${name}({x},{o},{z}) <=> {x}={z})))",
            f"(A {x},{y},{v},{z} (({y}<{v} & ~(E {c} ({y}<{c} & {c}<{v}))) => (${name}({x},{v},{z}) <=> "
            f"(E {w} (${name}({x},{y},{w}) & ({w}<{z} & ~(E {d} ({w}<{d} & {d}<{z}))))))))",
        )
        for claim, formula in zip(of, wanted, strict=True):
            if not claim.says(self.read(formula)):
                raise Invalid(f"it is not claimed that {formula}")
        self.only_numbers(name)
        self.additions.add(name)
        self.meanings[name] = "(x,y,z) with x+y=z"
        return self.rule_and(new, [], line)

    def rule_linear(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """A linear atom F, from E x,y,... (x=s & y=t & ... & G): F is G with the sums s, t, ... in place of x, y, ...

        $P(x,y,z) is x+y=z if P adds.  Of an atom that holds without guards the variables may be renamed.
        """
        (claim,), names = of, dict(line.get("names", {}))
        bound, parts = parts_of(claim.formula)
        atoms = [linear(zip(part[1], (1, 1, -1), strict=True), "=", 0)
                 if part[0] == "call" and part[2] in self.additions else part for part in parts]
        if any(atom[0] != "linear" for atom in atoms):
            raise Invalid("the claim used has an atom that is not linear")
        for left in range(len(bound), 0, -1):
            sums = [(x, turn, atom) for atom in atoms for x in bound for turn in (1, -1) if is_sum(x, turn, atom)]
            name, turn, equation = sums[0] if sums else fail(f"{left} variables are not said to be sums")
            atoms = [plus(atom, -turn * factors(atom).get(name, 0), equation) for atom in atoms if atom is not equation]
        if names:
            self.rename(new, claim, names)
            atoms[0] = linear([(names[x], factor) for x, factor in factors(atoms[0]).items()], *atoms[0][3:])
        if atoms != [self.read(line["formula"])]:
            raise Invalid(f"another atom follows: {atoms!s:.200}")
        if not names:
            self.guarded(new.guards, claim)
            self.agree(new, [claim.relation])
        return atoms[0]

    def rule_share(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """E t (t=s & F), from F and the equation: if the guards imply u=s, this is F with u in place of t."""
        (body, equation), old, turned = of, line["from"], {line["from"]: line["to"]}
        if equation.guards or old not in factors(equation.formula) or equation.formula[3] != "=":
            raise Invalid(f"no equation says what {old} is")
        self.fit([line["to"]], [self.system(old)])
        self.cover(new.guards, [equation.relation.renamed(turned)], f"the guards do not say what {old} is")
        moved = Claim(body.relation.renamed(turned), [one.renamed(turned) for one in body.guards])
        self.guarded(new.guards, moved)
        self.agree(new, [moved.relation])
        return exists([old], conjunction((equation.formula, body.formula)))

    def rule_and(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """F & G & ..., true without any: the guards of each hold where those of the conclusion and all before it do."""
        relations = [claim.relation for claim in of]
        for place, claim in enumerate(of):
            self.guarded([*new.guards, *relations[:place]], claim)
        if not new.built:
            self.cover([*new.guards, *relations], [new.relation], LITTLE)
        if of and not new.built:
            self.refuse_unless(all, [*new.guards, new.relation], relations, MUCH)
        return conjunction(claim.formula for claim in of)

    def rule_or(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """E x (C & (F | G | ...)), from E x (C & F), E x (C & G), ...; there may be no x, and no C."""
        whole = self.read(line["formula"])
        bound, parts = parts_of(whole)
        for part in parts:
            inner, denied = parts_of(negation(part))
            if part[0] == "not" and not inner:
                branches = {exists(bound, conjunction((*(parts - {part}), negation(one)))) for one in denied}
                if branches == {claim.formula for claim in of}:
                    self.guarded(new.guards, *of)
                    self.agree(new, [claim.relation for claim in of])
                    return whole
        raise Invalid("the claims used are not the branches of a disjunction")

    def rule_not(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """~F."""
        (claim,) = of
        self.guarded(new.guards, claim)
        if not new.built:
            self.refuse_unless(lambda has: has[0] != has[1], new.guards, [new.relation, claim.relation], BOTH)
        return negation(claim.formula)

    def rule_iff(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """F <=> G."""
        first, second = of
        self.guarded(new.guards, *of)
        relations = [new.relation, first.relation, second.relation]
        if not new.built:
            self.refuse_unless(lambda has: has[0] == (has[1] == has[2]), new.guards, relations, BOTH)
        return equivalence(first.formula, second.formula)

    def rule_exists(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """E x F, or E>=k x,y F for a count k: the relation accepts where that of F does for some x, or k pairs x,y."""
        (claim,), bound, count = of, strings(line["bound"]), integer(line.get("count", 1), 1, 1 << 31)
        names = claim.relation.names
        if any(name in bound for one in (new.relation, *new.guards) for name in one.names):
            raise Invalid("a bound variable occurs in the conclusion")
        if PARAMETER in bound:
            raise Invalid("sequences are not quantified")
        self.numbers(bound)  # they are variables
        self.guarded(new.guards, claim)
        if self.family:
            self.lasting(claim.relation, new.guards, bound)
        witnesses = self.numbers(name for name in names if name in bound)
        kept, back = [place for place, name in enumerate(names) if name not in bound], bool(line.get("backward"))
        others = [names[place] for place in kept]
        loses = losses(line)
        if loses and (count > 1 or back):
            raise Invalid("sets that lose states are counted, or backward")
        witnessed = Relation(self.sets_of(claim.relation, kept, count, back, loses), others)
        if count > 1:
            if back or not set(bound) <= free(claim.formula) & set(names):
                raise Invalid("a counted variable does not occur, or is counted backward")
            self.refuse_unless(all, [*new.guards, claim.relation], witnesses, "some witnesses are not numbers")
            if not new.built:
                self.refuse_unless(lambda has: has[0] == has[1], new.guards, [new.relation, witnessed], BOTH)
            return (count, frozenset(bound), frozenset({claim.formula}))
        if new.built and not loses:
            self.refuse_unless(all, [*new.guards, claim.relation], witnesses, "some witnesses are not numbers")
            return exists(bound, claim.formula)
        self.refuse_unless(all, [*new.guards, claim.relation], [new.relation, *witnesses], LITTLE)
        if new.built:  # of these sets
            return exists(bound, claim.formula)
        there = {name for one in (new.relation, *new.guards) for name in one.names}
        parts = [*new.guards, new.relation, *self.numbers(name for name in others if name not in there)]
        if back:
            parts = [Relation(Sets(one, range(len(own)), self.budget, 1, True), own) for one, own in parts]
        self.cover(parts, [witnessed], "the relation accepts what has no witness")
        return exists(bound, claim.formula)

    def lasting(self, relation: Relation, guards: Sequence[Relation], bound: Sequence[str]) -> None:
        """Refuse unless witnesses beside infinitely many beginnings are some in the limit.

        They are if longer beginnings keep them; and also if they have a bounded number of digits more than the other
        numbers, so that they are finitely many.
        """
        assert self.family
        for parts in ([relation], [relation, *guards]):
            whole = self.over([PARAMETER, *(name for one in parts for name in one.names)], parts, [], all, True)
            if self.family.stays(whole, self.budget) or not self.family.repeats(whole, bound):
                return
        raise Invalid("a longer beginning may lose a witness, and there may be infinitely many")

    def rule_limit(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """F, with a relation that differs, for numbers under the guards, beside finitely many beginnings of a sequence.
        """
        (claim,) = of
        assert self.family
        self.guarded(new.guards, claim)
        relations = [new.relation, claim.relation]
        names = [PARAMETER, *(name for one in (*new.guards, *relations) for name in one.names)]
        differ = self.over(names, new.guards, relations, lambda has: has[0] != has[1], True)
        if self.family.repeats(differ) and self.family.returns(differ, self.budget):
            raise Invalid("the relations differ beside infinitely many beginnings of a sequence")
        return claim.formula

    def rule_recursion(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """true; and it is known that predicates P are the only ones with P(x) <=> F, where F may call them.

        A call goes down if a measure, a sum, is less than at x, or equal if its predicate is before P.  In the lower
        copy of F a call that does not counts as false if it helps F, as true if it hinders F, below ~; in the upper
        copy the other way round.  P implies the lower copy, and the upper one implies P.
        """
        relations, known = line["recursion"], {claim.formula for claim in of if claim.says(claim.formula)}
        strings([one["name"] for one in relations])
        weights = {one["name"]: (place, [integer(weight, 0, 1 << 31) for weight in one["weights"]])
                   for place, one in enumerate(relations)}
        equations: list[str] = []
        for one in relations:
            name, parameters, body = one["name"], strings(one["parameters"]), self.read(one["formula"], strict=True)
            self.fit(parameters, self.predicates[name][0])
            self.only_numbers(name)
            self.no_integers(one["formula"], parameters)
            hidden = frozenset[str]().union(*(self.calls.get(other, NONE) for other in self.called(body)))
            if not free(body) <= set(parameters) or hidden & weights.keys():
                raise Invalid(f"the formula of {name} has free variables, or calls it by another name")
            here: Formula = ("call", tuple(parameters), name)
            lower, upper = (self.copied(body, lower, here, weights) for lower in (True, False))
            for first, second in ((here, negation(lower)), (upper, negation(here))):
                if negation(exists(parameters, conjunction((first, second)))) not in known:
                    raise Invalid(f"it is not claimed that {name} follows from its recursion, or the other way round")
            equations.append(f"${name}({','.join(parameters)}) <=> {one['formula']}")
        # The equations of one claim have one solution together, the other predicates being what the file says.
        if (joint := "; ".join(equations)) not in self.recursions:
            self.recursions.append(joint)
        # A recursion is a meaning only if what else it calls has one: otherwise two sets might give each other theirs.
        bodies = [self.read(one["formula"]) for one in relations]
        game = len(bodies) == 1 and self.is_game(relations[0]["name"], bodies[0])
        kind = "P-positions of the game" if game else "only solution"
        if frozenset[str]().union(*map(self.called, bodies)) <= {*self.meanings, *self.definitions, *weights}:
            for name in weights:
                self.meanings.setdefault(name, f"the {kind} of its recursion below")
        return self.rule_and(new, [], line)

    def is_game(self, name: str, formula: Formula) -> bool:
        """Return whether P(x) is said of x if no move leads from x to a y with P(y): ~(E y (move & P(y))), or several.
        """
        for part in parts_of(formula)[1]:
            bound, inner = parts_of(negation(part))
            calls = [one for one in inner if name in self.called(one)]
            if part[0] != "not" or [one[::2] for one in calls] != [("call", name)] or not bound >= set(calls[0][1]):
                return False
        return not parts_of(formula)[0]

    def called(self, formula: Formula) -> frozenset[str]:
        """Return the predicates that a formula calls, also by definitions."""
        if formula[0] not in ATOMS:
            return frozenset[str]().union(*map(self.called, formula[2]))
        return self.calls.get(formula[2], NONE) | {formula[2]} if formula[0] == "call" else NONE

    def copied(self, formula: Formula, lower: bool, here: Formula, weights: dict[str, Any]) -> Formula:
        """Return the lower, or the upper copy of a formula in a recursion of the predicate that is called here."""
        self.budget.spend(1)  # each <=> has two copies of both sides
        if not self.called(formula) & weights.keys():
            return formula
        if formula[0] == "call":
            (place, there), (own, around) = weights[formula[2]], weights[here[2]]
            minus = zip(here[1], [-weight for weight in around], strict=True)
            down = linear([*zip(formula[1], there, strict=True), *minus], "<", int(place < own))
            return conjunction((formula, down)) if lower else disjunction(formula, negation(down))
        if not frozenset(here[1]).isdisjoint(formula[1]):  # there the measure would be that of another number
            raise Invalid(f"the formula of {here[2]} binds a parameter")
        if formula[0] == "iff":  # F => G and G => F
            ways = (tuple(formula[2]), tuple(formula[2])[::-1])
            return conjunction([self.copied(negation(conjunction((one, negation(other)))), lower, here, weights)
                                for one, other in ways])
        parts = [self.copied(part, lower is not (formula[0] == "not"), here, weights) for part in formula[2]]
        if formula[0] == "block":
            return exists(formula[1], conjunction(parts))
        return negation(parts[0]) if formula[0] == "not" else (*formula[:2], frozenset(parts))

    def rule_sequences(self, new: Claim, of: list[Claim], line: Line) -> Formula:
        """true; and it is known that sequences are the only ones which satisfy their equations.

        An equation says: for all values of its variables for which a formula, its condition, is true, the term at x is
        a sum of products of terms at variables.  A claim without guards has the condition, so that the difference has
        to be 0 along its relation (`vanishes`).  Of each sequence it is claimed that for all x one of its equations has
        values for which its condition is true and the terms of these sequences come before that at x: their index is
        less, or it is equal and the sequence comes before this one.  By induction there is no other solution.
        """
        names, known = strings(line["sequences"]), {claim.formula for claim in of if claim.says(claim.formula)}
        branches: dict[str, list[Formula]] = {name: [] for name in names}
        indices, said = dict[str, str](), list[str]()
        for one in listed(line["equations"]):
            name, x, claim = one["name"], one["index"], self.claims[integer(one["claim"], 0, len(self.claims) - 1)]
            place, (relation, guards, where, *_) = names.index(name), claim
            self.no_integers(one["where"], [x])
            if guards or self.read(one["where"], strict=True) != where or indices.setdefault(name, x) != x:
                raise Invalid(f"the condition of an equation of {name} is not claimed for all numbers")
            products, before, texts = [Product(-1, [self.factor(name, x)])], [where], list[str]()
            for coefficient, factors in map(listed, listed(one["terms"])):
                factors = [listed(factor) for factor in listed(factors)]
                products.append(Product(rational(coefficient), [self.factor(other, index) for other, index in factors]))
                shown_number = [str(products[-1].coefficient)] if coefficient != 1 or not factors else []
                texts.append("*".join([*shown_number, *(f"{other}({index})" for other, index in factors)]))
                for other, index in factors:
                    if other in names:
                        earlier = names.index(other) < place
                        before.append(linear([(index, 1), (x, -1)], "<", int(earlier)))
                self.no_integers("", [index for _, index in factors])
            missing = {index for one in products for _, index in one.factors} - set(relation.names)
            if missing:
                fail(f"the relation of an equation has no track of {', '.join(sorted(missing))}")
            if not vanishes(relation, products, self.budget):
                raise Invalid(f"an equation of {name} does not hold: that where {one['where']}")
            whole = conjunction(before)
            branches[name].append(exists(free(whole) - {x}, whole))
            said.append(f"{name}({x}) = {' + '.join(texts) or '0'} where {one['where']}")
        for name in names:
            covered = disjunction(*branches[name])
            if not branches[name] or negation(exists([indices[name]], negation(covered))) not in known:
                raise Invalid(f"it is not claimed that the equations of {name} say what each of its terms is")
        # What is said of sequences may not go round in a circle: one that nothing determines yet is what the file says.
        mentioned = {other for one in line["equations"] for _, factors in one["terms"] for other, _ in factors}
        known_sequences = {*names, *self.equations, *self.counts}
        self.given |= {other for other in mentioned - known_sequences if other in self.sequences}
        for name in names:
            if name not in self.given:
                self.equations.setdefault(name, "; ".join(said))
        return self.rule_and(new, [], line)

    def factor(self, name: str, index: str) -> tuple[Series, str]:
        """Return a sequence, or the letters of a word with one index as a sequence, and the variable of its index."""
        if name not in self.sequences:
            (system,), word = self.words[name]
            self.only_numbers(name + "[")
            size, digits = len(word.rows), range(self.systems[system].digits)
            first: Row = [1, *[0] * (size - 1)]
            matrices: list[Matrix] = [[{row[digit,]: 1} if (digit,) in row else {} for row in word.rows]
                                      for digit in digits]
            self.fit([index], [system])
            return Series(first, matrices, list(word.outputs)), index
        system, series = self.sequences[name]
        self.fit([index], [system])
        return series, index

    # -- the end

    def conclude(self) -> None:
        """Refuse the certificate unless its last claim is the statement."""
        if not self.statement or not self.claims:
            fail("the statement or the claims are missing")
        if self.fails:
            self.check_failure(self.statement[0], *self.fails)
        elif not self.claims[-1].says(self.statement[0]):
            raise Invalid("the last claim does not say that the statement is true")

    def check_failure(self, statement: Formula, first: list[int], period: list[int]) -> None:
        """Refuse unless the last claim says that the statement is false for a sequence that ends in a period.

        Its relation agrees with the statement beside all beginnings but finitely many, and refuses infinitely many.
        """
        claim, family = self.claims[-1], self.family
        if family is None or claim.guards or claim.formula != statement or list(claim.relation.names) != [PARAMETER]:
            raise Invalid("the last claim does not say for which sequences the statement is true")

        def after(state: int, numbers: Sequence[int]) -> int:
            self.budget.spend(len(numbers))
            for digit in family.beginning(numbers):
                state = claim.relation.automaton.rows[state].get((digit,), -1) if state >= 0 else -1
            return state

        known = dict[int, int]()  # the states after the period has been repeated, the last ones again and again
        state = 0
        while state not in known:
            known[state] = len(known)
            state = after(state, period)
        again = list(known)[known[state] :]
        if all(claim.relation.automaton.accepts(after(one, first)) for one in again):
            raise Invalid("the statement is not shown to be false for this sequence")

    def understood(self) -> Iterator[str]:
        """Yield what the names mean, and what has been proved."""
        if self.family:
            yield from self.understood_of_family(self.family)
            return
        for name, system in self.systems.items():
            between = "" if system.digits <= 10 else "."
            first = [between.join(map(str, system.representation(number))) or "0" for number in range(10)]
            yield f"system {name}: the numbers 0, 1, 2, ... are {', '.join(first)}, ...{system.meaning}"
        for name, integers in self.integers.items():
            words = map(self.systems[integers.over].representation, range(10))
            yield (f"integers {name}: the numbers 0, 1, 2, ... of {integers.over} stand for "
                   f"{', '.join(str(integers.value(word)) for word in words)}, ..., each integer once: {integers}")
        for name, (systems, automaton) in self.words.items():
            said = self.letters(systems, automaton, self.series.get(name, ""))
            said, over = self.by_numbers(name + "[") + said, ", ".join(self.arguments[name + "["])
            yield f"word {name}: {said}; an automaton of {len(automaton.rows)} states, over {over}"
        for name, (systems, automaton) in self.predicates.items():
            said = self.meanings.get(name) or self.members(systems, automaton)
            said, over = self.by_numbers(name) + said, ", ".join(self.arguments[name])
            yield f"predicate {name}: {said}; an automaton of {len(automaton.rows)} states, over {over}"
        yield from (f"by induction, the only solution: {source}" for source in self.recursions)
        for name, (over, series) in self.sequences.items():
            terms = self.first_terms(name)
            if name in self.counts:
                yield f"sequence {name}: {self.counted(name)}: {terms}, ...; over {over}"
                continue
            own = "" if name in self.equations else f", digest {series_digest(series)}"
            yield f"sequence {name}: {terms}, ...; of dimension {len(series.row)}, over {over}{own}"
        yield from (f"by induction, the only sequences: {said}" for said in dict.fromkeys(self.equations.values()))
        for name, (parameters, _, source) in self.definitions.items():
            yield self.definition(name, parameters, source)
            if name in self.meanings:
                yield f"${name} is {self.meanings[name]}"
        source = self.statement[1] if self.statement else ""
        if self.integers_of(source):
            yield f"about numbers: {source}"
        yield f"by {len(self.claims)} claims: {self.spoken(source)}{self.sorts(source)}{self.finite()}"

    def understood_of_family(self, family: Family) -> Iterator[str]:
        """Yield the same of a certificate about a family."""
        written = "one digit" if family.choices else "its digits in binary, 2 for the first one"
        yield (f"family {family.name}: {family}; automata read a beginning beside the digits of numbers, a_1 last, each"
               f" a_i as {written}, and what they say beside all beginnings but finitely many is what is meant")
        for name, system in self.systems.items():
            assert isinstance(system, FamilySystem)
            yield f"system {name}: {self.numbers_of(system)}"
        for name, (systems, automaton) in self.words.items():
            said = self.letters_of(systems, automaton, self.series.get(name, ""))
            yield f"word {name}: {said}, over {', '.join(systems)}"
        for name, (systems, automaton) in self.predicates.items():
            over = f", over {', '.join(systems)}" if systems else ", of the sequence alone"
            said = self.meanings.get(name) or f"what an automaton says, digest {digest(automaton)}"
            yield f"predicate {name}: {said}; an automaton of {len(automaton.rows)} states{over}"
        for name, (parameters, _, source) in self.definitions.items():
            yield self.definition(name, parameters, source)
        yield f"by {len(self.claims)} claims: {self.scope()}{self.statement[1] if self.statement else ''}"

    def scope(self) -> str:
        """Return what comes before the statement: for which sequences of a family it is true, or for one it is false.
        """
        if self.family is None:
            return ""
        if self.fails is None:
            return f"for all {self.family.name}: "
        return f"false for {self.family.one} {self.family.shown(*self.fails)}: "

    def samples(self) -> list[list[int]]:
        """Return some periods of sequences for which letters are printed."""
        assert self.family
        return [[1], [2], [1, 2]] if self.family.choices != 1 else [[1]]

    def numbers_of(self, system: FamilySystem) -> str:
        """Return what the numbers of a system are."""
        if system.base:
            return f"the numbers 0, 1, 2, ... in base {system.base}, whatever the sequence is"
        between, texts = "" if system.digits <= 10 else ".", list[str]()
        for period in self.samples():
            words = system.first_words(system.family.beginning((period * 12)[:12]), 10)
            first = [between.join(map(str, dropwhile(lambda digit: not digit, word))) or "0" for word in words]
            texts.append(f"{', '.join(first)}, ... for {system.family.shown([], period)}")
        if system.is_ostrowski:
            return ("the numbers 0, 1, 2, ... are b_1 q_0 + b_2 q_1 + ..., with 0 <= b_i <= a_i, b_1 < a_1, b_(i-1) = 0"
                    " if b_i = a_i, q_0 = 1, q_1 = a_1, and q_i = a_i q_(i-1) + q_(i-2); each b_i is written in binary"
                    f" beside a_i: {'; '.join(texts)}")
        return (f"the numbers 0, 1, 2, ... are, in order, the words that an automaton accepts: {'; '.join(texts)}; of"
                f" {len(system.words.rows)} states, digest {digest(system.words)}")

    def letters_of(self, systems: Sequence[str], automaton: Automaton, known: str) -> str:
        """Return the first letters of a word for some sequences, and what is known of it, its morphisms, or a digest.

        In front of a beginning there are as many periods as lead to a cycle of states.  The letters beside the
        beginnings that come to a state of the cycle again and again are those in the limit, which there is.
        """
        own = [self.systems[one] for one in systems]
        states = f"an automaton of {len(automaton.rows)} states"
        if len(own) != 1 or not isinstance(own[0], FamilySystem):
            return f"of several indices, digest {digest(automaton)}; {states}"
        system, texts = own[0], list[str]()
        for period in self.samples():
            beginning, settled = system.family.beginning((period * 12)[:12]), 0
            for mark in system.family.beginning(period) * len(automaton.rows):  # then letters do not change any more
                settled = automaton.rows[settled][0, mark]
            letters = list[str]()
            for word in system.first_words(beginning, SHOWN // 2):
                state = settled
                for letter in zip(word, beginning, strict=True):
                    state = automaton.rows[state][letter]
                letters.append(str(automaton.outputs[state]))
            between = "" if max(map(len, letters)) == 1 else " "
            texts.append(f"{between.join(letters)}... for {system.family.shown([], period)}")
        return f"{'; '.join(texts)}; {known or morphisms(system, automaton) or f'digest {digest(automaton)}'}; {states}"

    def finite(self) -> str:
        """Return what a file proves whose statement is true, and whose content is what its sequences count."""
        return ", and each count is finite" if self.counts and self.statement and self.statement[1] == "true" else ""

    def first_terms(self, name: str) -> str:
        """Return the first terms of a sequence, which are refused if they are too long to be printed."""
        over, series = self.sequences[name]
        terms = list[str]()
        for number in range(16):
            row = series.row
            for digit in self.systems[over].representation(number):
                row = times(row, series.matrices[digit])
                self.budget.spend(sum(1 + entry.numerator.bit_length() // 64 for entry in row))
            term = dot(row, series.column)
            if max(term.numerator.bit_length(), term.denominator.bit_length()) > MOST_BITS:
                fail(f"a term of {name} has too many digits")
            terms.append(str(term))
        return ", ".join(terms)

    def counted(self, name: str) -> str:
        """Return what a sequence counts."""
        index, bound, source = self.counts[name]
        said = bound[0] if len(bound) == 1 else f"({','.join(bound)})"
        return f"{name}({index}) is the number of {said} with {source}"

    def definition(self, name: str, parameters: Sequence[str], source: str) -> str:
        """Return what a definition says."""
        said = f"{self.spoken(source)}{self.sorts(source, parameters)}"
        return f"definition ${name}({','.join(parameters)}): {said}"

    def spoken(self, source: str) -> str:
        """Return a formula, in place of calls of definitions that compare integers what these say."""
        if self.comparisons and source not in self.texts:
            self.texts[source] = re.sub(CALL, self.compared, source, flags=re.ASCII)
        return self.texts.get(source, source)

    def compared(self, call: re.Match[str]) -> str:
        """Return what takes the place of a call."""
        if call[1] not in self.comparisons:
            return call[0]
        parameters, text = self.comparisons[call[1]]
        names = dict(zip(parameters, call[2].split(","), strict=True))
        self.spoken_room -= len(text) + sum(len(names[name]) for name in re.findall(NAME, text, re.ASCII))
        if self.spoken_room < 0:
            fail("the comparisons of integers are too long where they are called")
        return re.sub(NAME, lambda name: names[name[0]], text, flags=re.ASCII)

    def by_numbers(self, name: str) -> str:
        """Return that what follows of a word W, by the name W[, or a predicate has numbers in place of integers."""
        are_numbers = self.integers.keys().isdisjoint(self.arguments[name])
        return "" if are_numbers else "by the numbers that stand for integers: "

    def sorts(self, source: str, more: Sequence[str] = ()) -> str:
        """Return which variables of a formula are integers, if any."""
        known = self.integers_of(source, more)
        return "".join(f"; {', '.join(names)}: integers of {system}" for system, names in known.items())

    def integers_of(self, source: str, more: Sequence[str] = ()) -> dict[str, list[str]]:
        """Return the variables of a formula that are integers, by their systems."""
        names = dict.fromkeys([*more, *re.findall(rf"(?<![$\w@]){NAME}(?![\w\[(])", source, re.ASCII)])
        known: dict[str, list[str]] = {}
        for name in names:
            if self.variables.get(name) in self.integers:
                known.setdefault(self.variables[name], []).append(name)
        return known

    def letters(self, systems: Sequence[str], automaton: Automaton, series: str) -> str:
        """Return the first letters of a word, at 0, 1, 2, ..., and what word it is, by its power series if it has one.
        """
        own, letters = [self.systems[name] for name in systems], list[str]()
        for numbers in islice(diagonals(len(own)), SHOWN):
            words = [system.representation(number) for system, number in zip(own, numbers, strict=True)]
            state, length = 0, max(map(len, words), default=0)
            for letter in zip(*([0] * (length - len(word)) + word for word in words), strict=True):
                state = automaton.rows[state][letter]
            letters.append(str(automaton.outputs[state]))
        between = "" if max(map(len, letters)) == 1 else " "
        said = (series or morphism(own[0], automaton)) if len(own) == 1 else "by diagonals"
        more = said if len(own) == 1 and said else f"{said or 'of no short morphism'}, digest {digest(automaton)}"
        return f"{between.join(letters)}..., {more}"

    def members(self, systems: Sequence[str], automaton: Automaton) -> str:
        """Return the first members of a set of tuples: by the length of their words, those of one length in order."""
        own = [self.systems[name] for name in systems]
        try:
            found = list(islice(self.accepted(own, automaton), SHOWN))
        except Malformed as problem:
            return f"{problem}; digest {digest(automaton)}"
        texts = [",".join(str(system.place(word)) for system, word in zip(own, zip(*letters, strict=True), strict=True))
                 for letters in found]
        all_of_them = f" and no other of fewer than {MOST_DIGITS} digits" if len(found) < SHOWN else ", ..."
        shown_members = ", ".join(texts if len(own) == 1 else [f"({text})" for text in texts])
        return f"{shown_members or 'none'}{all_of_them}; digest {digest(automaton)}"

    def accepted(self, systems: Sequence[System], automaton: Automaton) -> Iterator[list[Letter]]:
        """Yield the words of an automaton that are numbers, without zeros in front, as long as they are short.

        The words of the number 0 have no letters: one letter stands for them.
        """
        rows = Memo(lambda states: [
            (letter, (there, *after)) for letter, there in sorted(automaton.rows[states[0]].items())
            if -1 not in (after := [system.words.rows[state].get((digit,), -1)
                                    for system, state, digit in zip(systems, states[1:], letter, strict=True)])])
        ends = Memo(lambda key: self.ends(systems, automaton, key[0]) if not key[1] else any(
            ends[there, key[1] - 1] for _, there in rows[key[0]]))
        begin = (0,) * (len(systems) + 1)
        zero = (0,) * len(systems)
        if ends[begin, 0]:
            yield [zero]
        for length in range(1, MOST_DIGITS):
            todo: list[tuple[list[Letter], Letter]] = [([], begin)]
            while todo:
                word, states = todo.pop()
                if len(word) == length:
                    yield word
                else:
                    if len(ends) > MOST_PAIRS * MOST_DIGITS:
                        fail("its first members are not listed: there are too many states")
                    todo += [([*word, letter], there) for letter, there in reversed(rows[states])
                             if (word or letter != zero) and ends[there, length - len(word) - 1]]

    @staticmethod
    def ends(systems: Sequence[System], automaton: Automaton, states: Letter) -> bool:
        """Return whether an automaton accepts, and all tracks are numbers."""
        return automaton.accepts(states[0]) and all(
            system.words.accepts(state) for system, state in zip(systems, states[1:], strict=True))


# -- the program -----------------------------------------------------------------------------------------------------


#: What a file of another kind leads to.
PROBLEMS = (LookupError, TypeError, ValueError, AttributeError, RecursionError, MemoryError, OSError, EOFError)


def chunks(file: str, budget: Budget) -> Iterator[bytes]:
    """Yield the content of a regular file in pieces, unpacked if it is packed by gzip."""
    size, number = 1 << 16, os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(number, "rb") as stream:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError("it is not a regular file")
        data, unpack = stream.read(size), zlib.decompressobj(31)
        packed = data[:2] == b"\x1f\x8b"
        while data:
            budget.spend(len(data) >> 10)
            if not packed:
                yield data
                data = b""
            else:
                unpack = zlib.decompressobj(31) if unpack.eof else unpack  # another part, as gzip has it
                yield unpack.decompress(data, size)
                data = unpack.unused_data if unpack.eof else unpack.unconsumed_tail
            data = data or stream.read(size)
        while packed and not unpack.eof and (rest := unpack.decompress(b"", size)):
            yield rest
        if packed and not unpack.eof:
            raise EOFError("it ends too early")


def lines_of(file: str, budget: Budget, most_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a file, each when the checker asks for it."""
    rest = bytearray()
    for chunk in chunks(file, budget):
        most_bytes -= len(chunk)
        if most_bytes < 0:
            fail("the file is too large")
        *lines, last = chunk.split(b"\n")
        for line in lines:
            yield bytes(rest + line)
            rest.clear()
        rest += last
        if len(rest) > MOST_LINE:
            fail(f"a line is longer than {MOST_LINE >> 20} MB")
    if rest:
        yield bytes(rest)


def value_of(line: bytes, budget: Budget) -> Any:
    """Return the value of JSON, unless it might take more memory than there is, by its brackets and commas."""
    budget.spend(len(line) >> 10)
    budget.hold(8 * len(line) + 80 * line.count(b"[") + 300 * line.count(b"{") + 48 * line.count(b","))
    return json.loads(line)


def check(
    file: str, seconds: float = 3600, steps: int = 1 << 32, most_bytes: int = 1 << 30, memory: int = MOST_MEMORY
) -> Checker:
    """Check a certificate: return what was read, or raise Malformed or Invalid."""
    checker, number = Checker(Budget(seconds, steps, memory)), 0
    try:
        for line in lines_of(file, checker.budget, most_bytes):
            number += 1
            checker.budget.ask()
            value = value_of(line, checker.budget)
            checker.line(value if isinstance(value, dict) else fail("a line is not an object"))
        checker.conclude()
    except TooLarge as problem:
        raise TooLarge(f"after line {number}: {problem}") from None
    except (EOFError, zlib.error) as problem:
        raise Malformed(f"the file is damaged after line {number}: {problem}") from None
    except OSError as problem:
        why = "no such file" if isinstance(problem, FileNotFoundError) else problem.strerror or str(problem)
        raise Unreadable(f"cannot read {file}: {why}") from None
    except (Malformed, *PROBLEMS) as problem:
        place = f"line {number}: " if number else ""
        raise Malformed(f"{place}{_reason(problem)}") from None
    return checker


def _reason(problem: Exception) -> str:
    """Return what is wrong with a line."""
    kinds = {
        Malformed: f"{problem}", json.JSONDecodeError: f"this is not JSON: {problem}",
        KeyError: f"the key {problem} is missing",
        LookupError: "a number is out of range", RecursionError: "it is nested too deeply",
        MemoryError: "it needs too much memory", TypeError: "a value has the wrong type",
        AttributeError: "a value has the wrong type", ValueError: f"a value is wrong: {problem}",
    }
    return next(said for kind, said in kinds.items() if isinstance(problem, kind))[:200]


def shown(text: str) -> str:
    """Return a text as one line in which nothing acts on a terminal."""
    return text if text.isprintable() else "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def report(file: str, memory: int = MOST_MEMORY) -> int:
    """Check a file, print the result, and return the exit status; raise TooLarge."""
    try:
        print(*map(shown, check(file, memory=memory).understood()), "VALID", sep="\n")
    except TooLarge:
        raise
    except Unreadable as problem:
        print(f"error: {shown(str(problem))}", file=sys.stderr)
        return 2
    except Malformed as problem:
        print(f"no certificate: {shown(str(problem))}", file=sys.stderr)
        return 2
    except Invalid as problem:
        print(f"INVALID {shown(str(problem))}")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(report(sys.argv[1]))
    except TooLarge as problem:
        print(f"no certificate: {shown(str(problem))}", file=sys.stderr)
        sys.exit(2)
