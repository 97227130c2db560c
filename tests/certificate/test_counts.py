"""Certificates of sequences that count: what they count, and what both checkers refuse."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from fibprover.checker import fibcheck
from tests.certificate.meaning import Meaning
from tests.certificate.mutants import COUNT_MUTATIONS, mutants
from tests.certificate.test_forged import Lines, Written, refused, said, written
from tests.certificate.verified import PROGRAM, verdicts

#: The numbers for which counts are compared with those by brute force.
SEEN = 40

#: The rows of the automata of systems.
WORDS = {"msd_2": [[0, 0, 1, 0]], "msd_fib": [[0, 0, 1, 1], [0, 0]]}


class Counting(Written):
    """Lines of a certificate in which predicates are automata, and sequences count what is claimed of them."""

    def __init__(self, system: str = "msd_2") -> None:
        self.system = system
        super().__init__([
            {"certificate": 2, "variables": dict.fromkeys("ijknx", system)},
            {"system": system, "digits": 2, "outputs": [1] * len(WORDS[system]), "rows": WORDS[system]},
        ])

    def atom(self, formula: str) -> int:
        return self.claim("atom", formula=formula)

    def both(self, one: str, other: str) -> int:
        return self.claim("and", of=[self.atom(one), self.atom(other)])

    def count(self, formula: str, claim: int, *bound: str, index: str = "n", name: str = "p", **more: Any) -> None:
        self.add(**{"sequence": name, "over": self.system, "counts": formula, "index": index, "bound": [*bound],
                    "claim": claim, **more})

    def end(self) -> Lines:
        self.claim("and", of=[])
        self.add(statement="true")
        return self.lines


def counts_of(lines: Lines, name: str = "p") -> list[fibcheck.Number]:
    """The first terms of a sequence, by the checker."""
    checker = fibcheck.Checker(fibcheck.Budget(20.0, 5_000_000))
    for line in lines:
        checker.line(copy.deepcopy(line))
    system, series = checker.sequences[name]
    return [series.term(checker.systems[system].representation(n)) for n in range(SEEN)]


def numbers_below() -> Lines:
    counting = Counting()
    counting.count("i<n", counting.atom("i<n"), "i")
    return counting.end()


def pairs_below() -> Lines:
    counting = Counting("msd_fib")
    counting.count("(i<n & j<n)", counting.both("i<n", "j<n"), "i", "j")
    return counting.end()


def longer_numbers() -> Lines:
    """$next(i,n) says that i is 2n or 2n+1: its word is longer than that of n.  States are the next digit of n."""
    counting = Counting()
    counting.add(predicate="next", systems=["msd_2", "msd_2"], outputs=[1, 1], rows=[[0, 0, 2, 1], [1, 0, 3, 1]])
    counting.count("$next(i,n)", counting.atom("$next(i,n)"), "i")
    return counting.end()


def five_for_each() -> Lines:
    """The formula is not about the index."""
    counting = Counting("msd_fib")
    counting.count("i<j", counting.atom("i<j"), "i", index="j")
    five = counting.claim("exists", of=[counting.both("i<j", "j=5")], bound=["j"])
    counting.count("(E j (i<j & j=5))", five, "i", name="q")
    return counting.end()


def none_at_all() -> Lines:
    counting = Counting()
    counting.count("(i<n & n<i)", counting.both("i<n", "n<i"), "i")
    return counting.end()


def states_that_lead_nowhere() -> Lines:
    """In the relation given, words with a 1 of i before the first one of n lead to a state from which none is accepted,
    by as many ways as there are zeros in front.
    """
    counting = Counting()
    counting.add(automaton=0, systems=["msd_2", "msd_2"], outputs=[1, 0, 0],
                 rows=[[0, 0, 1, 1, 2, 2, 3, 0], [0, 1, 1, 1, 2, 1, 3, 1], [0, 2, 1, 2, 2, 2, 3, 2]])
    equal = counting.claim("atom", formula="i=n", relation=[0, ["i", "n"]])
    counting.count("i=n", equal, "i")
    return counting.end()


def nothing_is_accepted() -> Lines:
    """In the relation given no state that accepts is reached, but another one leads to the first one; and there are as
    many ways from the first one to itself as letters without a digit of n.
    """
    counting = Counting()
    counting.add(automaton=0, systems=["msd_2", "msd_2"], outputs=[0, 0], rows=[[0, 0, 1, 1, 2, 0], [0, 0, 2, 1]])
    counting.count("(i<n & n<i)", counting.claim("and", of=[counting.atom("i<n"), counting.atom("n<i")],
                                                 relation=[0, ["i", "n"]]), "i")
    return counting.end()


@pytest.mark.parametrize(("make", "wanted", "text"), [
    (numbers_below, lambda n: n, "p(n) is the number of i with i<n"),
    (pairs_below, lambda n: n * n, "p(n) is the number of (i,j) with (i<n & j<n)"),
    (longer_numbers, lambda n: 2, "p(n) is the number of i with $next(i,n)"),
    (none_at_all, lambda n: 0, "p(n) is the number of i with (i<n & n<i)"),
    (states_that_lead_nowhere, lambda n: 1, "p(n) is the number of i with i=n"),
    (nothing_is_accepted, lambda n: 0, "p(n) is the number of i with (i<n & n<i)"),
])
def test_counts(make: Callable[[], Lines], wanted: Callable[[int], int], text: str, tmp_path: Path) -> None:
    """Both checkers say the numbers."""
    lines = make()
    assert counts_of(lines) == [wanted(n) for n in range(SEEN)]
    first = ", ".join(str(wanted(n)) for n in range(16))
    assert any(line.startswith(f"sequence p: {text}: {first}, ...") for line in said(lines, tmp_path))


def test_index_that_does_not_occur(tmp_path: Path) -> None:
    lines = five_for_each()
    assert counts_of(lines, "q") == [5] * SEEN
    assert counts_of(lines) == list(range(SEEN))
    assert sum("is the number of i with" in line for line in said(lines, tmp_path)) == 2


# -- what is refused -------------------------------------------------------------------------

def infinite() -> Lines:
    counting = Counting()
    counting.count("n<i", counting.atom("n<i"), "i")
    return counting.end()


def infinite_for_one() -> Lines:
    """Only the count at 0 is infinite."""
    counting = Counting()
    counting.count("(n<i & n=0)", counting.both("n<i", "n=0"), "i")
    return counting.end()


def words_that_are_no_numbers() -> Lines:
    """A predicate, and so the relation of a claim, may accept the word 11 for i, which is none."""
    counting = Counting("msd_fib")
    automaton = {"systems": ["msd_fib", "msd_fib"], "outputs": [1, 0, 1],
                 "rows": [[0, 0, 2, 1, 3, 0], [2, 2, 3, 2], [0, 2, 1, 2, 2, 2, 3, 2]]}
    counting.add(predicate="equal", **automaton)
    counting.add(automaton=0, **automaton)
    counting.count("$equal(i,n)", counting.claim("atom", formula="$equal(i,n)", relation=[0, ["i", "n"]]), "i")
    return counting.end()


def another_formula() -> Lines:
    counting = Counting()
    counting.count("i<n", counting.atom("n<i"), "i")
    return counting.end()


def under_a_guard() -> Lines:
    counting = Counting()
    counting.add(automaton=0, systems=["msd_2"], outputs=[0], rows=[[0, 0]])
    any_formula = counting.claim("any", formula="i<n", relation=[0, ["i"]], guards=[[0, ["i"]]])
    counting.count("i<n", any_formula, "i")
    return counting.end()


def a_variable_more() -> Lines:
    counting = Counting()
    counting.count("(i<n & i<k)", counting.both("i<n", "i<k"), "i")
    return counting.end()


def a_variable_that_does_not_occur() -> Lines:
    counting = Counting()
    counting.count("i<n", counting.atom("i<n"), "i", "j")
    return counting.end()


def the_index() -> Lines:
    counting = Counting()
    counting.count("i<n", counting.atom("i<n"), "i", "n")
    return counting.end()


def nothing() -> Lines:
    counting = Counting()
    counting.count("n=n", counting.claim("and", of=[], numbers=["n"]))
    return counting.end()


def a_later_claim() -> Lines:
    counting = Counting()
    counting.count("i<n", 0, "i")
    counting.atom("i<n")
    return counting.end()


def another_system() -> Lines:
    counting = Counting()
    counting.lines.append(dict(Counting("msd_fib").lines[1]))
    counting.count("i<n", counting.atom("i<n"), "i", over="msd_fib")
    return counting.end()


def another_closed_form() -> Lines:
    """p(x) = 2 is not so for the number of numbers below x."""
    counting = Counting()
    counting.count("i<n", counting.atom("i<n"), "i")
    every = counting.claim("and", of=[], numbers=["x"])
    none = counting.claim("exists", of=[counting.claim("not", of=[every])], bound=["x"])
    counting.claim("sequences", of=[counting.claim("not", of=[none])], sequences=["p"], equations=[
        {"name": "p", "index": "x", "where": "true", "claim": every, "terms": [[2, []]]}])
    return counting.end()


@pytest.mark.parametrize(("forge", "reason"), [
    (infinite, "infinite"), (infinite_for_one, "infinite"), (words_that_are_no_numbers, "not only numbers"),
    (another_formula, "not claimed"), (under_a_guard, "not claimed"), (a_variable_more, "has others"),
    (a_variable_that_does_not_occur, "nothing is claimed"), (the_index, "nothing is claimed"),
    (nothing, "nothing is claimed"), (a_later_claim, "is not in"), (another_system, "variables of systems"),
    (another_closed_form, "does not hold"),
])
def test_refused(forge: Callable[[], Lines], reason: str, tmp_path: Path) -> None:
    """Both refuse a file, and say why."""
    with pytest.raises((fibcheck.Invalid, fibcheck.Malformed), match=reason):
        fibcheck.check(str(written(forge(), tmp_path)))
    refused(forge(), tmp_path)


# -- by brute force --------------------------------------------------------------------------

#: What is counted is looked for below this number.
FAR = 128


def random_counts(count: int, seed: int) -> Iterator[Lines]:
    """Yield certificates in which the pairs of a random relation are counted, for each value of one of its tracks.

    Some of the counts are infinite.  What is counted for a number below 8 is below FAR.
    """
    chance = random.Random(seed)
    for _ in range(count):
        counting = Counting(chance.choice(list(WORDS)))
        states = chance.randrange(1, 5)
        rows = [{letter: chance.randrange(states) for letter in range(4) if chance.random() < 0.6}
                for _ in range(states)]
        flat = [[number for pair in sorted(row.items()) for number in pair] for row in (rows[0] | {0: 0}, *rows[1:])]
        outputs = [chance.randrange(2) for _ in rows]
        counting.add(predicate="P", systems=[counting.system] * 2, outputs=outputs, rows=flat)
        counting.count("$P(i,n)", counting.atom("$P(i,n)"), "i")
        yield counting.end()


def same_by_brute_force(checker: fibcheck.Checker) -> bool:
    """Return whether the first terms of sequences that count are the numbers that brute force finds."""
    meaning = Meaning(checker, FAR)
    for name, (index, bound, source) in checker.counts.items():
        formula, (system, series) = checker.read(source), checker.sequences[name]
        for n in range(4):
            tuples = product(range(FAR if len(bound) == 1 else 20), repeat=len(bound))
            found = sum(meaning.holds(formula, {index: n, **dict(zip(bound, each, strict=True))}) for each in tuples)
            if found != series.term(checker.systems[system].representation(n)):
                return False
    return True


def agree(certificates: Iterable[Lines], folder: Path) -> Counter[str]:
    """Count the files that both checkers accept, where brute force agrees, and that both refuse."""
    found, files = Counter[str](), list[Path]()
    for number, lines in enumerate(certificates):
        files.append(folder / f"{number}.jsonl")
        files[-1].write_text("".join(json.dumps(line) + "\n" for line in lines))
    theirs = verdicts(files) if PROGRAM.exists() else [""] * len(files)
    for file, verdict in zip(files, theirs, strict=True):
        try:
            checker = fibcheck.check(str(file), 20.0, 5_000_000)
        except (fibcheck.Invalid, fibcheck.Malformed):
            assert verdict != "VALID", file
            found["refused"] += 1
            continue
        assert verdict in ("VALID", "") and same_by_brute_force(checker), file
        found["accepted"] += 1
    return found


def test_random_counts(tmp_path: Path) -> None:
    found = agree(random_counts(150, 1), tmp_path)
    assert min(found["accepted"], found["refused"]) > 20, found


def test_changed_counts(tmp_path: Path) -> None:
    """What is changed is refused, or it still counts."""
    sources = [json.dumps(make()) for make in (numbers_below, pairs_below, longer_numbers, five_for_each, none_at_all)]
    changed = [lines for *_, lines in mutants(90, 1, sources, COUNT_MUTATIONS)]
    found = agree(changed, tmp_path)
    assert min(found["accepted"], found["refused"]) > 10, found
