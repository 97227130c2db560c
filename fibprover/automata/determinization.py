"""Determinization: a portfolio of strategies, which run in turns until one of them ends.

In: a nondeterministic automaton of the backend.  Out: the arrays of a deterministic one, not always minimal.  No
strategy is the quickest on all inputs: for each pair of strategies there are inputs where one is 1000 times faster
(docs/decisions/0032).

- subsets: the subset construction.
- simulation: the same, but a set loses the states that another of its states simulates (direct simulation).
- reverse: the minimal automaton of the reversed words, by subsets, and that of its reversal (Brzozowski 1962).
- reverse-simulation: as reverse, with simulation in the first of its two steps.
- reverse-first: as reverse-simulation, but the automata are reversed, and made deterministic, before their tracks are
  projected away.

Subsets go first, and run alone until they have taken some steps.  Then they take turns with reverse, and later with the
others, each with a share of its own.  A strategy that is expected to end, since its sets lead to fewer and fewer new
ones, gets a far larger share, and so does reverse in its second step, which meets the states of the minimal automaton
and no more.  One whose sets lead to the fewest new sets gets a larger one, and so does one that has not run long enough
to tell (docs/decisions/0078).  All share one meter, and with it one memory budget.

`forced` uses a single strategy for all determinizations in its block; `chosen_by` chooses one for each determinization;
within `giving_up`, a bound on sizes that subsets meet is an error at once, and so is a bound on the steps of all;
`observed` reports what was done in a block.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from math import inf
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from fibprover.automata.kernels import automata as backend
from fibprover.base.meanwhile import on_top
from fibprover.base.values import value

Arrays: TypeAlias = "backend.Arrays"

#: The names of the strategies.
STRATEGIES = ("subsets", "simulation", "reverse", "reverse-simulation", "reverse-first")

#: What they are called in scripts of Walnut, by `[strategy 6 BRZ]`.  The strategies that merge states with convexity
#: closures (Nicol and Frohme 2025) are not carried out; simulation, which serves the same purpose, stands in for them.
IN_SCRIPTS: Mapping[str, str] = {
    "SC": "subsets", "BRZ": "reverse", "CCL": "simulation", "CCLS": "simulation",
    "BRZ-CCL": "reverse-simulation", "BRZ-CCLS": "reverse-simulation",
}

#: Those that join subsets first, and those that join later, which have to relate all pairs of states first.
_SOON, _LATE = ("reverse",), ("simulation", "reverse-simulation", "reverse-first")

#: After so many steps of subsets, and so many for each pair of a state and a transition, or when no other strategy is
#: left, the late ones join: relating the states takes about as many, and often more.
LATE = 100_000_000
LATE_FOR_EACH_PAIR = 0.3

#: How many steps a strategy takes while subsets take one, if neither of them leads.
SHARES = {"subsets": 1.0, "reverse": 0.75, "simulation": 0.1, "reverse-simulation": 1.0, "reverse-first": 0.25}

#: How many times its share a strategy gets while it leads, or while it has not met so many sets that this is known; and
#: while it is about to end.
LEADING, ABOUT_TO_END = 2.0, 30.0
LEAST_SETS = 60

#: A strategy leads if each of its sets leads to at most so many times the new sets of any other strategy.
LEAD = 0.75

#: A strategy is about to end if its steps would be doubled so many times at most.
DOUBLINGS = 5

#: Where another order of projections is tried next, the strategies together may take so many steps, or so many times
#: those of subsets alone if that is more.
GIVING_UP = 400_000_000
GIVING_UP_FACTOR = 5

#: A strategy that holds so many bytes, while another one is about to end, gets such a part of its share.
LARGE, PART = 256 << 20, 0.25

#: Steps of subsets alone, and how many more for each transition of the nondeterministic automaton.
ALONE = 400_000
ALONE_FOR_EACH = 240

#: Steps of a turn; a step takes about two nanoseconds.
TURN = 50_000

#: Turns grow with the steps taken, by such a part of these, since caches are filled again in each turn.
GROWTH = 8

#: What minimization takes for each transition, in steps.
STEPS_OF_MINIMIZATION = 30

#: A simulation of more states is not tried: its bits would take more than 18 MB.
MOST_SIMULATED = 12_000

#: After subsets have met a bound on sizes, the others may take so many times the steps that they took; so many while
#: they are ending.
MORE_STEPS, ENDING_STEPS = 1, 30


@value
class Outcome:
    """How an automaton was made deterministic: the strategy that ended first, and how many sets each has met."""

    strategy: str
    met: tuple[tuple[str, int], ...]

    @property
    def is_plain(self) -> bool:
        """Whether subsets alone have done it."""
        return self.met == (("subsets", self.met[0][1]),)

    def __str__(self) -> str:
        return ", ".join(f"{name} {sets}" for name, sets in sorted(self.met, key=lambda one: one[0] != self.strategy))


def in_turns() -> str:
    """Return "", which stands for the portfolio."""
    return ""


#: What stands for the portfolio that ends where subsets meet a bound on sizes.
_GIVING_UP = "giving up"

#: What chooses in this context, and where outcomes are noted: the innermost, the last one, does.
_CHOICES: ContextVar[tuple[Callable[[], str], ...]] = ContextVar("choices of strategies", default=(in_turns,))
_OBSERVED: ContextVar[tuple[list[Outcome] | None, ...]] = ContextVar("observed determinizations", default=(None,))


def chosen_by(choice: Callable[[], str]) -> AbstractContextManager[object]:
    """Let a function choose for each determinization of the block: one of the STRATEGIES, or "" for the portfolio."""
    return on_top(_CHOICES, choice)


def forced(strategy: str) -> AbstractContextManager[object]:
    """Let one of the STRATEGIES alone do all determinizations of the block."""
    return chosen_by(lambda: strategy)


def giving_up() -> AbstractContextManager[object]:
    """Let a bound on sizes that subsets meet in the block be an error at once, where no strategy has been chosen.

    So is a bound on the steps that all strategies take together: the resource of this error is "steps".
    """
    choice = _CHOICES.get()[-1]
    return chosen_by(lambda: choice() or _GIVING_UP)


@contextmanager
def observed() -> Iterator[list[Outcome]]:
    """Yield a list to which the outcome of each determinization in the block is appended."""
    outcomes = list[Outcome]()
    with on_top(_OBSERVED, outcomes):
        yield outcomes


def determinize(nfa: backend.Nfa, letters: int, meter: backend.Meter) -> Arrays:
    """Return a deterministic automaton of the same words; letters: how many letters its codes may range over.

    The exceptions are those of the kernels; a bound on sizes is an error when every strategy has met it.
    """
    strategy = _CHOICES.get()[-1]()
    together = strategy in ("", _GIVING_UP)
    attempts = [_Attempt("subsets" if together else strategy, nfa, letters, meter)]
    winner = _in_turns(attempts, giving_up=strategy == _GIVING_UP) if together else _alone(attempts)
    outcomes = _OBSERVED.get()[-1]
    if outcomes is not None:
        outcomes.append(Outcome(winner.name, tuple((attempt.name, attempt.met) for attempt in attempts)))
    assert winner.arrays is not None
    return winner.arrays


class _Progress(NamedTuple):
    """After so many steps: the sets met, and those of them whose successors are known."""

    steps: int
    sets: int
    expanded: int

    def growth_since(self, then: _Progress) -> float | None:
        """Return how many new sets each set has led to since then, None if there was none."""
        more = self.expanded - then.expanded
        return (self.sets - then.sets) / more if more else None

    def steps_left(self, growth: float, less: float) -> float:
        """Return the steps until no set is open, infinite if no end is in sight.

        growth: the number of new sets for each set lately; less: by how much it falls whenever as many sets as before
        have been expanded.
        """
        each, more, still_open = self.steps / self.expanded, float(self.expanded), float(self.sets - self.expanded)
        left = 0.0
        for _ in range(DOUBLINGS):
            growth -= max(less, 0.0)
            if growth < 1 and still_open <= more * (1 - growth):
                return left + each * still_open / (1 - growth)
            left += each * more
            still_open += more * (growth - 1)
            more *= 2
        return inf


class _Attempt:
    """A strategy that runs in turns.

    arrays: the automaton, once the strategy has ended; useless: whether the strategy turned out to be the same as
    subsets; met: the number of sets found; held: the bytes in use; steps: the steps that were allowed; growth: the
    number of new sets for each set in the later half of these steps, None while they are too few to tell; left: the
    steps that it is expected to take until it ends, infinite if no end is in sight, None while that is not known;
    least: whether it meets the states of the minimal automaton only; preparing: whether another construction follows.
    """

    def __init__(self, name: str, nfa: backend.Nfa, letters: int, meter: backend.Meter) -> None:
        self.name, self.nfa, self.letters, self.meter = name, nfa, letters, meter
        self.arrays: Arrays | None = None
        self.useless = False
        self.before = self.held = self.steps = 0
        self.growth: float | None = None
        self.left: float | None = None
        self.least = self.preparing = False
        self._construction: backend.SubsetConstruction | None = None
        self._marks: list[_Progress] = []
        self._turn = self._debt = 0
        self._turns = self._reverse() if name.startswith("reverse") else self._forward(nfa)

    def other(self, name: str) -> _Attempt:
        """Return an attempt at the same automaton by another strategy, or once more."""
        return _Attempt(name, self.nfa, self.letters, self.meter)

    @property
    def is_ending(self) -> bool:
        """Whether it is expected to end."""
        return self.left is not None and self.left < inf

    @property
    def met(self) -> int:
        """How many sets it has met."""
        return self.before + (self._construction.states if self._construction else 0)

    def advance(self, steps: int) -> bool:
        """Go on for about so many steps; return whether it has ended."""
        self.steps += steps
        if self._debt > steps:
            self._debt -= steps
            return False
        self._turn = steps
        bytes_before = self.meter.bytes
        try:
            next(self._turns)
        except StopIteration as ended:
            self.arrays = ended.value
        finally:
            self.held += self.meter.bytes - bytes_before
        self._measure()
        return self.arrays is not None

    def _measure(self) -> None:
        """Note how far the construction has come, how it has grown since half of the steps, and what is left."""
        self.growth, self.left = None, 0.0 if self.least else None
        if self._construction is None:
            return
        now = _Progress(self.steps, self._construction.states, self._construction.states - self._construction.open)
        self._marks.append(now)
        half, quarter = (self._mark(self.steps // part) for part in (2, 4))
        growth = now.growth_since(half)
        if now.sets >= LEAST_SETS and growth is not None:
            self.growth, before = growth, half.growth_since(quarter)
            if self.preparing:
                self.left = inf
            elif not self.least:
                self.left = now.steps_left(growth, 0.0 if before is None else before - growth)

    def _mark(self, steps: int) -> _Progress:
        """Return how far the construction had come after so many steps, or at first."""
        return self._marks[max(0, bisect_right(self._marks, steps, key=attrgetter("steps")) - 1)]

    def drop(self) -> None:
        """Free what it holds."""
        self.before = self.met
        self._construction = None
        self._turns.close()
        self.held = 0

    def _subsets(self, nfa: backend.Nfa, simulation: backend.Simulation | None) -> Generator[None, None, Arrays]:
        self._construction = backend.SubsetConstruction(nfa, simulation, self.meter)
        self._marks = []
        yield from self._carried_out(self._construction)
        self.before += self._construction.states
        arrays = self._construction.export()
        self._construction = None
        return arrays

    def _carried_out(self, work: backend.Simulation | backend.SubsetConstruction) -> Generator[None, None, None]:
        complete = False
        while not complete:
            before = work.steps
            complete = work.run(self._turn)
            self._debt += max(0, work.steps - before - self._turn)
            if not complete:
                yield

    def _forward(self, nfa: backend.Nfa) -> Generator[None, None, Arrays | None]:
        """Take subsets, of what is left by simulation if the name says so."""
        if self.name in ("subsets", "reverse"):
            return (yield from self._subsets(nfa, None))
        simulation = backend.Simulation(nfa, self.meter)
        yield from self._carried_out(simulation)
        if not simulation.pairs and self.name != "reverse-first":
            self.useless = True
            return None
        return (yield from self._subsets(nfa, simulation if simulation.pairs else None))

    def _reverse(self) -> Generator[None, None, Arrays | None]:
        """Take the minimal automaton of the reversed words, and subsets of its reversal."""
        back = (yield from self._reversed_first()) if self.name == "reverse-first" else self.nfa.reversed(self.meter)
        reversed_words = None if back is None else (yield from self._forward(back))
        if reversed_words is None:
            return None
        subsets = backend.Csr(*reversed_words, self.letters)
        # Minimization cannot be interrupted; the turns that it will take are left out before.
        self._debt += STEPS_OF_MINIMIZATION * subsets.transitions
        self.least = True
        yield
        least = backend.Csr(*backend.minimize(subsets, True, self.meter), self.letters)
        yield
        words = yield from self._subsets(self._unchanged(least).reversed(self.meter), None)
        if self.name == "reverse-first" and self.nfa.zero >= 0 and not _loops(words, self.nfa.zero):
            # What is left of words without zeros in front is among them already, but not all that is longer.
            self.least = False
            return (yield from self._subsets(self._unchanged(backend.Csr(*words, self.letters), self.nfa.zero), None))
        return words

    def _reversed_first(self) -> Generator[None, None, backend.Nfa | None]:
        """Return an automaton of the reversed words, projected after the parts were reversed and made deterministic."""
        if not self.nfa.parts:
            self.useless = True
            return None
        parts = []
        self.preparing = True
        for part in self.nfa.parts:
            arrays = yield from self._subsets(self._unchanged(part).reversed(self.meter), None)
            parts.append(backend.Csr(*arrays, part.letters))
            if sum(each.states for each in parts) > MOST_SIMULATED:
                self.useless = True
                return None
        self.preparing = False
        back = backend.Nfa(tuple(parts), self.nfa.kept, -1, self.meter)
        return back if self.nfa.zero < 0 else back.removing(self.nfa.zero, self.meter)

    def _unchanged(self, a: backend.Csr, zero: int = -1) -> backend.Nfa:
        """Return an automaton that reads all letters as they are."""
        same = backend.Recode((a.letters,), (1,), a.letters, a.transitions, self.meter)
        return backend.Nfa((a,), (same,), zero, self.meter)


def _loops(arrays: Arrays, letter: int) -> bool:
    """Return whether a letter leads from the first state to itself."""
    offsets, codes, targets, _ = arrays
    return any(codes[i] == letter and targets[i] == 0 for i in range(offsets[0], offsets[1]))


def _alone(attempts: list[_Attempt]) -> _Attempt:
    """Carry out the one attempt, and subsets if it is of no use; return which has ended."""
    attempt = attempts[-1]
    while not attempt.advance(ALONE):
        if attempt.useless:
            attempts.append(attempt.other("subsets"))
            return _alone(attempts)
    return attempt


def _in_turns(attempts: list[_Attempt], *, giving_up: bool) -> _Attempt:
    """Carry out subsets, which are given, alone for a while, and then the others as well; return which has ended."""
    (subsets,) = attempts
    turns = _Turns(attempts, giving_up)
    alone = ALONE + ALONE_FOR_EACH * subsets.nfa.transitions
    most = max(GIVING_UP, GIVING_UP_FACTOR * alone)
    if turns.take(subsets, alone):
        return subsets
    turns.join(_SOON)
    late = _LATE if subsets.nfa.states <= MOST_SIMULATED else ()
    until = max(LATE, LATE_FOR_EACH_PAIR * subsets.nfa.states * subsets.nfa.transitions)
    while turns.alive or late:
        if giving_up and sum(attempt.steps for attempt in attempts) > most:
            raise backend.BudgetExhausted("steps", most, 0, 0)
        if late and (subsets.steps > until or not turns.alive):
            turns.join(late if turns.most == inf else ())
            late = ()
            continue
        turns.next_turn()
        if turns.ended:
            return turns.ended
    raise turns.problem or AssertionError("no strategy has ended")


class _Turns:
    """The attempts that take turns.

    attempts: all there were; alive: those that go on; problem: the bound that was met first; most: the steps that
    subsets had taken when they met a bound on sizes; giving_up: whether that is an error instead; ended: the one that
    has ended.
    """

    def __init__(self, attempts: list[_Attempt], giving_up: bool) -> None:
        self.attempts, self.giving_up = attempts, giving_up
        self.alive = list(attempts)
        self.problem: backend.BudgetExhausted | MemoryError | None = None
        self.most: float = inf
        self.ended: _Attempt | None = None

    def next_turn(self) -> None:
        """Let the attempt that has taken the fewest steps, by its share, go on."""
        attempt = min(self.alive, key=lambda one: one.steps / self.share(one))
        if self.take(attempt, max(TURN, attempt.steps // GROWTH)):
            self.ended = attempt

    def share(self, attempt: _Attempt) -> float:
        """Return how many steps an attempt takes, in proportion to the others."""
        others = [other for other in self.alive if other is not attempt]
        if attempt.is_ending:
            factor = ABOUT_TO_END
        elif attempt.growth is None:
            factor = LEADING
        elif attempt.held > LARGE and any(other.is_ending for other in others):
            factor = PART
        else:
            least = min((other.growth for other in others if other.growth is not None), default=attempt.growth)
            factor = LEADING if attempt.growth < LEAD * least else 1.0
        return factor * SHARES[attempt.name]

    def join(self, names: Iterable[str]) -> None:
        """Let other strategies take turns as well."""
        for name in names:
            self.attempts.append(self.attempts[0].other(name))
            self.alive.append(self.attempts[-1])

    def take(self, attempt: _Attempt, steps: int) -> bool:
        """Take one turn; return whether the attempt has ended.  A bound that it meets ends it, or a larger one."""
        try:
            if attempt.advance(steps):
                return True
        except MemoryError as problem:
            self.meet(attempt, problem, sizes=False)
        except backend.BudgetExhausted as problem:
            if problem.resource == "seconds" or (
                self.giving_up and attempt.name == "subsets" and problem.resource != "bytes"
            ):
                raise
            self.meet(attempt, problem, sizes=problem.resource != "bytes")
        else:
            if attempt.useless or attempt.steps > self.most * (ENDING_STEPS if attempt.is_ending else MORE_STEPS):
                self.leave(attempt)
        return False

    def meet(self, attempt: _Attempt, problem: backend.BudgetExhausted | MemoryError, *, sizes: bool) -> None:
        """End an attempt that has met a bound; or, for memory, begin it again without the one that holds more."""
        self.problem = self.problem or problem
        if sizes and attempt.name == "subsets":
            self.most = attempt.steps
        largest = attempt if sizes else max(self.alive, key=lambda other: other.held)
        self.leave(largest)
        if largest is not attempt:
            self.leave(attempt)
            self.attempts.remove(attempt)
            self.join([attempt.name])

    def leave(self, attempt: _Attempt) -> None:
        """Let an attempt go on no more."""
        attempt.drop()
        self.alive.remove(attempt)
