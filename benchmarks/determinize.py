"""Each strategy of determinization against the portfolio, on nondeterministic automata of many kinds.

    python -m benchmarks.determinize [--only GROUP ...] [--seconds S] [--hard FOLDER]
    python -m benchmarks.determinize --threads [--only GROUP ...]

The groups: letters (a letter from the end, from both ends, unions), random (Tabakov and Vardi 2005), sums (of members
of random automatic sets), paper, wythoff, coefficients (a relation over 3,125 letters), and hard (scripts in a folder,
with words in its subfolder words).  Of scripts, every determinization is taken that the portfolio spends LEAST seconds
on; all seconds are those of the processor.  The portfolio is stopped after S seconds, and a strategy when it has taken
twice as long as the portfolio: it is not the best one then.  With --threads, the ten subset constructions of all groups
that take longest, below S seconds, by one thread and by two: medians of five runs of each in turns, wall seconds.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, reduce
from itertools import product
from math import inf
from pathlib import Path
from statistics import median
from unittest import mock

import numpy

import fibprover as fp
from benchmarks.groups import paper_groups, wythoff_group
from fibprover.automata import determinization, kernel_calls
from fibprover.automata.dfa import Dfa, Track, build, build_from, explored
from fibprover.automata.kernels import automata as backend
from fibprover.base.errors import FibproverError
from fibprover.base.limits import Limits

#: Determinizations of scripts that the portfolio has done in less are left out.
LEAST = 0.004

#: Of one group, so many are measured, those that took longest.
MOST = 60

#: Seconds that a script may take while its determinizations are collected.
SCRIPT_SECONDS = 60.0

#: Ratios are to no less than this: less is not worth a choice.
SHORT = 0.01

MEMORY = 4 << 30

BIT = (Track("a", (0, 1)),)


@dataclass(frozen=True, slots=True)
class Case:
    """A nondeterministic automaton over so many letters."""

    name: str
    nfa: backend.Nfa
    letters: int
    took: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds, sets met and states of the minimal automaton; -1 states if it was stopped."""

    seconds: float
    met: int
    states: int
    strategy: str


# -- cases -------------------------------------------------------------------------------------


@contextmanager
def collected(label: str, cases: list[Case]) -> Iterator[None]:
    """Add what is determinized in the block, and takes LEAST seconds, to the cases."""
    original = determinization.determinize

    def determinize(nfa: backend.Nfa, letters: int, meter: backend.Meter) -> determinization.Arrays:
        begun = time.process_time()
        try:
            return original(nfa, letters, meter)
        finally:
            took = time.process_time() - begun
            if took >= LEAST:
                cases.append(Case(f"{label}.{len(cases)}", nfa, letters, took))

    with mock.patch.object(determinization, "determinize", determinize):
        yield


def from_moves(name: str, moves: Sequence[set[tuple[int, int]]], accepting: set[int]) -> Case:
    """Return the case of a nondeterministic automaton over {0, 1} with initial state 0."""
    cases: list[Case] = []

    def determinize(nfa: backend.Nfa, letters: int, meter: backend.Meter) -> determinization.Arrays:
        cases.append(Case(name, nfa, letters))
        return nothing.offsets, nothing.codes, nothing.targets, nothing.outputs

    nothing = build(BIT, [{}], [0])
    with mock.patch.object(determinization, "determinize", determinize):
        kernel_calls.determinize(BIT, moves, [int(state in accepting) for state in range(len(moves))])
    return cases[0]


def letters() -> list[Case]:
    """Return automata that guess: the k-th letter from the end is 1, or is the k-th from the beginning, or unions."""
    cases = []
    for k in (8, 12, 16, 18):
        chain: list[set[tuple[int, int]]] = [{(0, 0), (1, 0), (1, 1)}]
        chain += [{(0, s + 1), (1, s + 1)} for s in range(1, k)]
        cases.append(from_moves(f"end-{k}", [*chain, set()], {k}))
        # The k-th letter from the beginning and the k-th from the end are 1.
        begin: list[set[tuple[int, int]]] = [{(0, s + 1), (1, s + 1)} for s in range(k - 1)] + [{(1, k)}]
        loop = [{(d, t + k) for d, t in row} for row in [*chain, set()]]
        cases.append(from_moves(f"both-{k}", [*begin, *loop], {2 * k}))
        # Two letters, k apart, are equal somewhere.
        some: list[set[tuple[int, int]]] = [{(0, 0), (1, 0), (0, 1), (1, k + 1)}]
        for d in range(2):
            first = 1 + d * k
            some += [{(0, first + s + 1), (1, first + s + 1)} for s in range(k - 1)] + [{(d, 2 * k + 1)}]
        cases.append(from_moves(f"apart-{k}", [*some, {(0, 2 * k + 1), (1, 2 * k + 1)}], {2 * k + 1}))
    return cases


def random_automata() -> list[Case]:
    """Return random automata over two letters: r*n transitions a letter, n/2 accepting states (Tabakov, Vardi 2005)."""
    cases = []
    for n in (30, 45, 60):
        for density in (1.0, 1.25, 1.5, 2.0, 3.0):
            for seed in range(2):
                g = random.Random(f"{n} {density} {seed}")
                moves: list[set[tuple[int, int]]] = [set() for _ in range(n)]
                for letter in range(2):
                    for place in g.sample(range(n * n), round(density * n)):
                        moves[place // n].add((letter, place % n))
                accepting = {0, *g.sample(range(n), n // 2)}
                cases.append(from_moves(f"random-{n}-{density}-{seed}", moves, accepting))
    return cases


def sums() -> list[Case]:
    """Return what is determinized for sums of 2, 3 and 4 members of 50 random automatic sets."""
    cases: list[Case] = []
    for seed in range(50):
        g = random.Random(seed)
        states = g.randint(3, 12)
        session = fp.Session(limits=Limits(seconds=SCRIPT_SECONDS, bytes=MEMORY))
        morphism = [[g.randrange(states), g.randrange(states)] for _ in range(states)]
        morphism[0][0] = 0
        coding = [int(g.random() < 0.4) for _ in range(states)]
        session.load_words({"W": {"morphism": morphism, "coding": coding}})
        for members in (2, 3, 4):
            names = [f"x{i}" for i in range(members)]
            text = f"E{','.join(names)} n={'+'.join(names)} & {' & '.join(f'W[{name}]=@1' for name in names)}"
            with collected(f"sum{members}-{seed}", cases):
                attempt(lambda session=session, text=text: session.define("s", text))  # type: ignore[misc]
    return cases


def coefficients() -> list[Case]:
    """Return the projection that Hajdu and Tijdeman's question leads to (arXiv 2503.04122).

    For which a_1, ..., a_4 does the product of (x-r)^a_r modulo 5 have no coefficient 0?
    """
    cases: list[Case] = []
    relation = kernel_calls.minimize(kernel_calls.reverse(vanishing_coefficients(5)))
    with collected("coefficients", cases):
        kernel_calls.project(relation, ["k"])
    return cases


def vanishing_coefficients(p: int) -> Dfa:
    """Return "the coefficient of x^k in the product of (x-r)^a_r modulo p is 0, and k is at most its degree".

    p: a prime.  Tracks: a1, ..., a(p-1) and k in base p, least significant digit first.  The product for a_r = p b_r +
    d_r is the one for b in x^p, times the one for d; so what is left after a digit k is every p-th coefficient of a
    polynomial of degree below p.  It counts up to a factor.
    """
    def multiplied(one: Sequence[int], other: Sequence[int]) -> list[int]:
        return [each % p for each in numpy.convolve(one, other).tolist()]

    linear = {row: [[-r, 1] for r, d in enumerate(row, 1) for _ in range(d)] for row in product(range(p), repeat=p - 1)}
    factors = {row: reduce(multiplied, each, [1]) for row, each in linear.items()}

    @cache
    def sections(left: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return what is left after each letter."""
        products = [multiplied(left, factor) for factor in factors.values()]
        return [normed(p, [*each[k::p], *[0] * p][:p]) for each in products for k in range(p)]

    def steps(state: tuple[tuple[int, ...], int]) -> Iterator[tuple[int, tuple[tuple[int, ...], int]]]:
        """Yield the letters, each with what is left after it, and by how much k may exceed the degree to come."""
        left, slack = state
        after = [(slack - k + sum(row)) // p for row in factors for k in range(p)]
        yield from enumerate(zip(sections(left), after, strict=True))

    tracks = [Track(f"a{r}" if r < p else "k", tuple(range(p)), f"msd_{p}") for r in range(1, p + 1)]
    found = explored(((1, *[0] * (p - 1)), 0), steps)
    return kernel_calls.minimize(build_from(tracks, found, lambda state: int(state[0][0] == 0 <= state[1])))


def normed(p: int, polynomial: Sequence[int]) -> tuple[int, ...]:
    """Return a multiple of a polynomial modulo p whose first coefficient that is not 0 is 1."""
    first = next(filter(None, polynomial), 1)
    return tuple(a * pow(first, -1, p) % p for a in polynomial)


def attempt(work: Callable[[], object]) -> None:
    """Carry out a script; one that does not end in time has shown what is slow in it."""
    try:
        work()
    except FibproverError as problem:
        print(f"# {problem}", file=sys.stderr)


def paper() -> list[Case]:
    """Return what is determinized for the paper's commands."""
    cases: list[Case] = []
    for group in paper_groups():
        if group.name == "all":
            continue
        session = fp.Session(limits=Limits(seconds=SCRIPT_SECONDS, bytes=MEMORY))
        session.load_words(Path("proofs/words.json"))
        with collected(group.name, cases):
            attempt(lambda session=session, group=group: session.run(group.script))  # type: ignore[misc]
    return cases


def wythoff() -> list[Case]:
    """Return what is determinized for m-Wythoff, m = 10 and 20."""
    cases: list[Case] = []
    for m in (10, 20):
        session = fp.Session(limits=Limits(seconds=SCRIPT_SECONDS, bytes=MEMORY))
        with collected(f"wythoff-{m}", cases):
            attempt(lambda session=session, m=m: session.run(wythoff_group(m).script))  # type: ignore[misc]
    return cases


def hard(folder: Path) -> list[Case]:
    """Return what is determinized for the scripts of a folder."""
    cases: list[Case] = []
    with tempfile.TemporaryDirectory() as home:
        words = Path(home) / "Word Automata Library"
        words.mkdir()
        for word in (folder / "words").glob("*.txt"):
            (words / word.name).write_bytes(word.read_bytes())
        for script in sorted(folder.glob("*.txt")):
            session = fp.Session(limits=Limits(seconds=SCRIPT_SECONDS, bytes=MEMORY))
            session.use_folders(home, written=False)
            with collected(script.stem, cases):
                attempt(lambda session=session, script=script: session.run(script.read_text()))  # type: ignore[misc]
    return cases


# -- measuring ---------------------------------------------------------------------------------


def measured(case: Case, strategy: str, limit: float) -> Run:
    """Return what a strategy, or "" for the portfolio, takes."""
    begun = time.process_time()
    meter = backend.Meter(bytes=MEMORY, deadline=time.monotonic() + limit)
    with determinization.forced(strategy), determinization.observed() as outcomes:
        try:
            arrays = determinization.determinize(case.nfa, case.letters, meter)
        except (backend.BudgetExhausted, MemoryError):
            return Run(time.process_time() - begun, 0, -1, "")
    took = time.process_time() - begun
    least = backend.minimize(backend.Csr(*arrays, case.letters), True, backend.Meter())
    return Run(took, sum(met for _, met in outcomes[0].met), len(least[3]), outcomes[0].strategy)


def row(case: Case, limit: float) -> tuple[float, str]:
    """Return the ratio of the portfolio to the best strategy, and the row of the table."""
    begun = time.monotonic()
    whole = measured(case, "", limit)
    enough = min(limit, 2 * (time.monotonic() - begun) + SHORT)
    runs = {strategy: measured(case, strategy, enough) for strategy in determinization.STRATEGIES}
    ended = [run for run in (*runs.values(), whole) if run.states >= 0]
    sizes = {run.states for run in ended}
    if len(sizes) > 1:
        raise AssertionError(f"{case.name}: minimal automata of {sizes} states")
    best = min((run.seconds for run in ended), default=limit)
    cells = [f"{run.seconds:.3f}" if run.states >= 0 else f"> {run.seconds:.2f}" for run in (*runs.values(), whole)]
    ratio = whole.seconds / max(best, SHORT)
    parts = [case.name, str(case.nfa.states), str(case.nfa.transitions), *cells, f"{ratio:.1f}", whole.strategy,
             str(whole.met), str(sizes.pop() if sizes else "")]
    return ratio, "| " + " | ".join(parts) + " |"


def constructed(case: Case, threads: int, limit: float) -> tuple[float, int]:
    """Return the wall seconds of a subset construction, infinite if it is stopped, and the number of sets."""
    meter = backend.Meter(bytes=MEMORY, deadline=time.monotonic() + limit, threads=threads)
    begun = time.monotonic()
    try:
        construction = backend.SubsetConstruction(case.nfa, None, meter)
        construction.run(1 << 62)
    except (backend.BudgetExhausted, MemoryError):
        return inf, 0
    return time.monotonic() - begun, construction.states


def compare_threads(cases: Sequence[Case], limit: float) -> None:
    """Print a table of the ten largest subset constructions, by one thread and by two."""
    taken = [(constructed(case, 1, limit)[0], case) for case in cases]
    largest = sorted((one for one in taken if one[0] < inf), key=lambda one: -one[0])[:10]
    print("| automaton | states | transitions | sets | 1 thread | 2 threads | |\n|---|---|---|---|---|---|---|")
    for _, case in largest:
        runs = [[constructed(case, threads, 4 * limit) for threads in (1, 2)] for _ in range(5)]
        one, two = (median(run[place][0] for run in runs) for place in (0, 1))
        sizes = {found[1] for run in runs for found in run}
        if len(sizes) > 1:
            raise AssertionError(f"{case.name}: {sizes} sets")
        print(f"| {case.name} | {case.nfa.states} | {case.nfa.transitions} | {sizes.pop()} | {one:.2f} | {two:.2f} "
              f"| {one / two:.2f} |", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each group, and the worst ratio of the portfolio to the best strategy."""
    makers: dict[str, Callable[[], list[Case]]] = {
        "letters": letters, "random": random_automata, "sums": sums, "paper": paper, "wythoff": wythoff,
        "coefficients": coefficients,
    }
    parser = argparse.ArgumentParser(prog="python -m benchmarks.determinize")
    parser.add_argument("--only", nargs="*", default=[*makers, "hard"])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--hard", type=Path)
    parser.add_argument("--threads", action="store_true")
    chosen = parser.parse_args(arguments)
    if chosen.hard is not None:
        makers["hard"] = lambda: hard(chosen.hard)
    if chosen.threads:
        compare_threads([case for name in chosen.only if name in makers for case in makers[name]()], chosen.seconds)
        return 0
    for name in (name for name in chosen.only if name in makers):
        cases = sorted(makers[name](), key=lambda case: -case.took)[:MOST]
        print(f"\n## {name}\n\n| automaton | states | transitions | {' | '.join(determinization.STRATEGIES)} "
              "| portfolio | ratio | strategy | sets | minimal |")
        print("|---" * (len(determinization.STRATEGIES) + 8) + "|")
        ratios = []
        for case in cases:
            ratio, text = row(case, chosen.seconds)
            ratios.append(ratio)
            print(text, flush=True)
        worst = sorted(ratios, reverse=True)[:3]
        print(f"\nworst ratios: {', '.join(f'{ratio:.1f}' for ratio in worst)}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
