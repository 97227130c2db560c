"""Certificates of sequences that count: what they count, and what both checkers refuse."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from fibprover.checker import fibcheck
from fibprover.prover.certificate.explained import explained
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


def test_explained(tmp_path: Path) -> None:
    """What is proved is what the sequence counts; the statement of the file is `true`, which is no equation."""
    found = explained(written(numbers_below(), tmp_path))
    assert "=" not in found.words + found.latex
    assert any(line.startswith("sequence p: p(n) is the number of i with i<n") for line in found.names)


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


# -- several systems, by counting words ------------------------------------------------------

#: Systems, each with its number of digits, and by state the rows and which states accept: base 2 and 3, Fibonacci, and
#: those in which n is represented by n or by 3n ones.
SYSTEMS: dict[str, tuple[int, list[dict[int, int]], list[int]]] = {
    "two": (2, [{0: 0, 1: 0}], [1]), "three": (3, [{0: 0, 1: 0, 2: 0}], [1]),
    "fib": (2, [{0: 0, 1: 1}, {0: 0}], [1, 1]), "ones": (2, [{0: 0, 1: 1}, {1: 1}], [1, 1]),
    "threes": (2, [{0: 0, 1: 1}, {1: 2}, {1: 3}, {1: 1}], [1, 0, 0, 1]),
}

#: Zeros in front, with which counts of these relations that are finite are reached: with twelve more they are the same.
ZEROS = 24


@dataclass(frozen=True, slots=True)
class Drawn:
    """A relation whose tuples are counted: tracks in their order, each a variable and its system."""

    lines: Lines
    tracks: list[tuple[str, str]]
    rows: list[dict[tuple[int, ...], int]]
    outputs: list[int]

    def count(self, word: Sequence[int], zeros: int) -> int:
        """The number of tuples of numbers that are accepted beside a word of n with some zeros in front."""
        ways = Counter({(0,) * (1 + len(self.tracks)): 1})
        for digit in [0] * zeros + [*word]:
            after = Counter[tuple[int, ...]]()
            for (state, *places), number in ways.items():
                for letter, there in self.rows[state].items():
                    reached = [SYSTEMS[system][1][place].get(own, -1) if (name != "n" or own == digit) else -1
                               for (name, system), place, own in zip(self.tracks, places, letter, strict=True)]
                    if -1 not in reached:
                        after[there, *reached] += number
            ways = after
        return sum(number for (state, *places), number in ways.items() if self.outputs[state] and all(
            SYSTEMS[system][2][place] for (_, system), place in zip(self.tracks, places, strict=True)))


def drawn(chance: random.Random) -> Drawn:
    """Draw a relation of up to four tracks, over several systems; the file has it, or the checkers build it."""
    systems = {name: chance.choice(list(SYSTEMS)) for name in "nij"[: chance.choice([2, 3, 3])]}
    if len(systems) == 3 and chance.random() < 0.3:
        systems["k"] = chance.choice(["two", "fib", "ones"])
    bound = [name for name in systems if name != "n"]
    names = bound + (["n"] if chance.random() < 0.85 else [])
    chance.shuffle(names)
    alphabet = list(product(*(range(SYSTEMS[systems[name]][0]) for name in names)))
    states, often = chance.randrange(1, 6), chance.choice([0.15, 0.3, 0.5])
    rows = [{letter: chance.randrange(states) for letter in alphabet if chance.random() < often} for _ in range(states)]
    rows[0][alphabet[0]] = 0
    outputs = [chance.randrange(2) for _ in rows]
    own = {"systems": [systems[name] for name in names], "outputs": outputs,
           "rows": [[number for letter, there in sorted(row.items()) for number in (alphabet.index(letter), there)]
                    for row in rows]}
    written = Written([{"certificate": 2, "variables": systems}])
    for name in dict.fromkeys(systems.values()):
        digits, words, ends = SYSTEMS[name]
        written.add(system=name, digits=digits, outputs=ends,
                    rows=[[number for pair in sorted(row.items()) for number in pair] for row in words])
    written.add(predicate="P", **own)
    formula = f"$P({','.join(names)})"
    if chance.random() < 0.4:
        written.add(automaton=0, **own)
        claim = written.claim("atom", formula=formula, relation=[0, names])
    else:
        claim = written.claim("not", of=[written.claim("not", of=[written.claim("atom", formula=formula)])])
    written.add(sequence="p", over=systems["n"], counts=formula, index="n", bound=bound, claim=claim)
    written.claim("and", of=[])
    written.add(statement="true")
    return Drawn(written.lines, [(name, systems[name]) for name in names], rows, outputs)


def agree_on_tuples(count: int, seed: int, folder: Path) -> Counter[str]:
    """Count the files that both checkers accept, where the terms are right, and that both refuse: these have infinite
    counts, or the file has a relation that accepts what are no numbers.
    """
    chance, found, files = random.Random(seed), Counter[str](), list[Path]()
    relations = [drawn(chance) for _ in range(count)]
    for number, relation in enumerate(relations):
        files.append(folder / f"{number}.jsonl")
        files[-1].write_text("".join(json.dumps(line) + "\n" for line in relation.lines))
    theirs = verdicts(files) if PROGRAM.exists() else [""] * len(files)
    for file, verdict, relation in zip(files, theirs, relations, strict=True):
        try:
            checker: fibcheck.Checker | None = fibcheck.check(str(file), 20.0, 5_000_000)
        except fibcheck.Invalid:
            checker = None
        assert verdict in ("", "VALID") if checker else verdict != "VALID", file
        is_given = any("automaton" in line for line in relation.lines)
        found["accepted" if checker else "given, refused" if is_given else "refused"] += 1
        if not checker and is_given:
            continue
        system = fibcheck.Checker(fibcheck.Budget(20.0, 5_000_000))
        for line in relation.lines[: relation.lines.index(next(one for one in relation.lines if "predicate" in one))]:
            system.line(copy.deepcopy(line))
        over = relation.lines[0]["variables"]["n"]
        words = [system.systems[over].representation(n) for n in range(8 if checker else 24)]
        counts = [relation.count(word, ZEROS) for word in words]
        is_finite = counts == [relation.count(word, ZEROS + 12) for word in words]
        assert is_finite is bool(checker), file
        if checker:
            assert counts == [checker.sequences["p"][1].term(word) for word in words], file
    return found


def test_random_tuples(tmp_path: Path) -> None:
    found = agree_on_tuples(40, 1, tmp_path)
    assert found["accepted"] > 15 and found["refused"] > 5 and found["given, refused"] > 3, found
