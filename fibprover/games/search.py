"""Search for an automaton of the P-positions of a game, or of the positions of another value, and prove it.

The positions are computed to a bound.  In one numeration system after another an automaton is inferred from them, and
a candidate that the data support is proved or refuted.  The bounds grow until a proof succeeds, the automata grow with
the data in all systems like a power of the bound, or the budget is spent; a refutation says how far the next data have
to go.  For a value above 0 the positions of all smaller values are found first; it is searched for in their system.  So
are, of a game with a pass, the P-positions without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError
from fibprover.base.limits import UNLIMITED, Budget, Limits, cpu_clock, peak_bytes, resident_bytes, spending
from fibprover.base.values import RichlyDisplayed, value
from fibprover.games.boards import terminal_rows
from fibprover.games.costs import Cost, NextData, next_data
from fibprover.games.passing import without_pass
from fibprover.games.positions import Positions, by_automaton, marks_lines, positions
from fibprover.games.proof import Proof, prove_positions
from fibprover.games.queens import KEPT_BOUND, MOST_BOUND, far_digits, far_set, most_bound, queen_steps
from fibprover.games.rules import Game
from fibprover.infer.residuals import InferredSet, infer_set
from fibprover.infer.slopes import suggested_systems
from fibprover.infer.state_growth import GROWING, Growth, growth
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.workspace.namespace import Namespace

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Systems that are tried for every game, besides those that the slopes of its positions suggest.
SYSTEMS = (
    "msd_fib", "msd_2", "msd_3", "msd_4", "msd_5", "msd_6", "msd_7", "msd_pell", "msd_trib", "msd_4bonacci",
    "msd_narayana", "msd_lucas", *(f"msd_wythoff_{m}" for m in range(2, 9)),
    *(f"msd_fraenkel_{s}_{m}" for s in range(2, 5) for m in range(1, 5)),
)

#: Bounds of the data, in this order; each is at least eight times the bound two places before it.
BOUNDS = (3000, 1 << 14, 1 << 17, 1 << 20)

#: The bounds for games whose moves are not full lines: their cost is proportional to the number of cells.
COSTLY_BOUNDS = (3000, 1 << 14, 1 << 15, 1 << 16)

#: The bounds for games whose moves are not polyhedra, and depend on the position.
SLOW_BOUNDS = (200, 400, 800, 1600)

#: The bounds for games on three piles, and for those in which a pile may grow.
CUBE_BOUNDS = (64, 128, 256, 512)

#: A game is dense if it has more positions per row than the first number, below the second.
DENSE, DENSE_BOUND = 30, 160

#: Slopes are estimated from the positions below this bound.
FIRST_BOUND = BOUNDS[0]

#: The system that the slopes suggest first is preferred unless another one is better by this factor.
PREFERENCE = 0.75

#: How many systems are kept after the comparison.
KEPT = 6

#: The states of a candidate grow if they follow a power of the bound that is greater than this one, for bounds from
#: GROWTH_FROM on.  They are inferred from the data below the bound, half of it, and so on, so many times.
GROWTH = 0.25
GROWTH_FROM = 1 << 14
HALVES = 4

#: The factor by which the bound would grow after the last data.
FARTHER = 8

#: A candidate is tried if it has grown by at most this factor since the last data.
SETTLED = 1.1

#: A candidate with at least this margin is trusted; with less it has to agree with eight times the data.
SURE_MARGIN = 2

#: The least number of positions for a candidate: so many for each terminal position, and so many more.
PER_TERMINAL, AT_LEAST = 3, 100

#: Seconds for the proof of a candidate that is not trusted, or this part of the whole budget if that is more: proofs of
#: correct candidates have taken two seconds at most.
UNSURE_SECONDS, UNSURE_PART = 10.0, 1 / 6

#: Bytes that a proof may take, besides those that the process holds, unless the limits say otherwise.
PROOF_BYTES = 3 << 30

Notify = Callable[[str], None]


@value
class SearchAttempt:
    """One candidate: the system, the data, the inferred automaton, and the outcome.

    outcome: "proved", "refuted" (at `failure`), "too few data", "grows" or "slows" (the states, as `growth` says),
    "too large" (the proof did not end within its budget) or "refused" (the system cannot be used, for this `reason`).
    """

    system: str
    bound: int
    positions: int
    states: int
    margin: int
    outcome: str
    failure: tuple[int, ...] | None = None
    reason: str = ""
    seconds: float = 0.0
    growth: Growth | None = None


@value
class Stopped:
    """The step of a search in which its budget was spent: what it was, its seconds, and the words of the budget.

    bound: of the positions, if these were computed.
    """

    step: str
    seconds: float
    reason: str
    bound: int | None


@value
class Discovery(RichlyDisplayed):
    """The outcome of a search for an automaton of the P-positions of a game; true if it is proved.

    status: "proved", "refuted" (the last candidate, and there were no more data), "no automaton" or "undecided";
    system, candidate, proof: those of the theorem if it is proved, otherwise of the last candidate that was worth a
    proof (None if there was none); data: the positions it was inferred from; attempts: all of them, in order; smaller:
    the automata of the positions of smaller Sprague-Grundy values, as many as the value of the positions, or that of
    the P-positions without the pass of a game that has one; following: without a theorem, the next data and what they
    would cost, None if the positions below a larger bound cannot be computed; stopped: the step in which the budget was
    spent.
    """

    game: Game
    status: str
    system: NumerationSystem | None
    candidate: InferredSet | None
    proof: Proof | None
    data: Positions
    attempts: tuple[SearchAttempt, ...]
    seconds: float
    peak_bytes: int
    smaller: tuple[Dfa, ...] = ()
    following: NextData | None = None
    stopped: Stopped | None = None

    def __bool__(self) -> bool:
        """Return whether the P-positions are proved."""
        return self.status == "proved"


def find_automaton(
    game: Game, systems: str | Sequence[str | NumerationSystem] = "auto", *, limits: Limits | None = None,
    largest: int = BOUNDS[-1], notify: Notify | None = None, value: int = 0,
) -> Discovery:
    """Find an automaton of the P-positions of a game and prove it; value: or of those of another Sprague-Grundy value.

    systems: "auto", a name, or several names or systems; limits: of the whole search (by default a minute); largest:
    the largest bound of the data.  A failure is not an error but a status; BudgetSpent only if the limits do not
    suffice for the first positions; raises FibproverError for a value of a game with blocking.

    Where the positions of a smaller value, or those without a pass, are not found, the outcome is that of the search
    for these.
    """
    limits, notify = limits or Limits(cpu_seconds=60), notify or (lambda line: None)
    smaller: tuple[Dfa, ...] = ()
    with spending(limits.start()):
        needed = 1 if game.passes else value
        while True:
            part = without_pass(game) if len(smaller) < needed else game
            found = _search(_Task(part, smaller, limits, limits.start(), largest, notify), systems)
            if not found or len(smaller) == needed:
                return found
            assert found.candidate is not None
            assert found.system is not None
            smaller, systems = (*smaller, found.candidate.automaton), [found.system]


@dataclass(frozen=True)
class _Task:
    """What is searched for, within what: largest: the largest bound of data; peak: the bytes taken before."""

    game: Game
    smaller: tuple[Dfa, ...]
    limits: Limits
    budget: Budget
    largest: int
    notify: Notify
    begun: float = field(default_factory=perf_counter)
    peak: int = field(default_factory=lambda: peak_bytes() or 0)

    @property
    def value(self) -> int:
        """The Sprague-Grundy value of the positions."""
        return 0 if self.game.passes else len(self.smaller)

    def computed(self, bound: int) -> _Data:
        """Return the positions below a bound."""
        since = cpu_clock()
        found = positions(self.game, bound, self.budget, value=self.value)
        return _Data(found, cpu_clock() - since)

    def bounds(self) -> list[int]:
        """Return the bounds of the data; smaller ones for games in which many positions are P-positions."""
        below = [bound for bound in self._usual_bounds() if bound < self.largest]
        return below if self.goes_far else [*below, self.largest]

    @property
    def goes_far(self) -> bool:
        """Whether the last automata are inferred from more positions than are kept."""
        return self.largest > KEPT_BOUND and queen_steps(self.game) is not None

    def _usual_bounds(self) -> tuple[int, ...]:
        if self.game.piles == 3:
            return CUBE_BOUNDS
        self.notify(f"positions below {DENSE_BOUND}")
        found = positions(self.game, DENSE_BOUND, self.budget, value=self.value)
        if len(found) > DENSE * DENSE_BOUND:
            dense = (DENSE_BOUND, 4 * DENSE_BOUND, 16 * DENSE_BOUND)
            return (*dense, *BOUNDS[1:3]) if marks_lines(self.game) else dense
        if self.game.by:
            return CUBE_BOUNDS
        if by_automaton(self.game):
            return SLOW_BOUNDS
        return BOUNDS if marks_lines(self.game) else COSTLY_BOUNDS


@dataclass(frozen=True)
class _Data:
    """The positions below a bound, and the seconds that they took."""

    positions: Positions
    seconds: float

    @property
    def bound(self) -> int:
        """The bound."""
        return self.positions.bound

    @cached_property
    def table(self) -> NDArray[numpy.int64]:
        """The positions, one a row."""
        return numpy.stack(self.positions.columns, axis=1)

    @property
    def too_few(self) -> bool:
        """Whether there are too few positions to infer from, in particular if most of them are terminal.

        That is no objection where more positions are terminal the farther one looks.
        """
        found = self.positions
        terminal = found.terminal
        if terminal and terminal_rows(found.game, found.bound // 2, UNLIMITED).points() < terminal:
            terminal = 0
        return len(found) < PER_TERMINAL * terminal + AT_LEAST

    @property
    def sample(self) -> tuple[list[int], list[int]]:
        """The positions from which the slopes are estimated."""
        a, b = self.positions.a, self.positions.b
        kept = numpy.flatnonzero((a < FIRST_BOUND) & (b < FIRST_BOUND))
        return a[kept].tolist(), b[kept].tolist()


@value
class _Step:
    """What a search does, since when; bound: of the positions, if it computes these."""

    what: str
    since: float
    bound: int | None


@value
class _Judgement:
    """What became of a candidate: the outcome, where it is wrong, why it could not be decided."""

    outcome: str
    failure: tuple[int, ...] | None = None
    reason: str = ""


@dataclass(frozen=True)
class _State:
    """What a search knows; another one takes its place when it knows more.

    data: the last ones; step: the one that is being done; candidates: by the name of a system, one for each bound
    of the data; refused: the systems that cannot be used; growths: by system, what the states do that are inferred
    from parts of the last data; inferring: by system, the seconds of inference from the last data; preferred: the
    system that the slopes suggest; best: the last candidate that was worth a proof, and its proof, if that ended.
    """

    data: _Data
    step: _Step
    candidates: Mapping[str, tuple[InferredSet, ...]] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    growths: Mapping[str, Growth] = field(default_factory=dict)
    inferring: Mapping[str, float] = field(default_factory=dict)
    preferred: str | None = None
    attempts: tuple[SearchAttempt, ...] = ()
    costs: tuple[Cost, ...] = ()
    following: NextData | None = None
    best: tuple[NumerationSystem, InferredSet, Proof | None] | None = None


@value
class _Round:
    """What a round of all systems leaves: the systems to go on with, and how far the next data have to go."""

    left: list[NumerationSystem]
    need: int = 0
    proved: bool = False


def _search(task: _Task, systems: str | Sequence[str | NumerationSystem]) -> Discovery:
    """Search with larger and larger data; BudgetSpent if the budget does not suffice for the first ones."""
    task = replace(task, largest=min(task.largest, most_bound(task.game, task.value)))
    bounds = task.bounds()
    task.notify(f"positions below {bounds[0]}")
    search = _AutomatonSearch(task, _State(task.computed(bounds[0]), _Step("", task.begun, None)))
    stopped = None
    try:
        status = search.status(bounds, systems)
    except BudgetSpent as stop:
        task.notify(str(stop))
        step = search.state.step
        status, stopped = None, Stopped(step.what, perf_counter() - step.since, str(stop), step.bound)
    found = search.state
    system, candidate, proof = found.best or (None, None, None)
    if status is None:
        status = "undecided" if proof is None or proof else "refuted"
    return Discovery(
        task.game, status, system, candidate, proof, found.data.positions, found.attempts,
        perf_counter() - task.begun, peak_bytes() or 0, task.smaller,
        None if status == "proved" else found.following, stopped,
    )


class _AutomatonSearch:
    """A search that goes on: its task, and its state so far."""

    def __init__(self, task: _Task, state: _State) -> None:
        self.task = task
        self.state = state

    def knows(self, **more: Any) -> None:
        """Replace a part of the state."""
        self.state = replace(self.state, **more)

    def begins(self, what: str, bound: int | None = None) -> None:
        """Tell the step that begins."""
        self.task.notify(what)
        self.knows(step=_Step(what, perf_counter(), bound))

    def status(self, bounds: Sequence[int], systems: str | Sequence[str | NumerationSystem]) -> str | None:
        """Return "proved" or "no automaton", or None if the data or the time did not suffice."""
        left: list[NumerationSystem] | None = None
        need = 0
        for number, bound in enumerate(bounds):
            last = number + 1 == len(bounds)
            if bound < need and not last:
                continue
            if number:
                self.begins(f"positions below {bound}", bound)
                try:
                    self.knows(data=self.task.computed(bound), inferring={})
                except LimitError:
                    # The solvers for moves that are not full lines have largest bounds of their own.
                    break
            if self.state.data.too_few and not last:
                continue
            if left is None:
                left = self._systems(systems)
            made = self._round(left, last)
            if made.proved:
                return "proved"
            left, need = made.left, made.need
            cost = Cost(bound, self.state.data.seconds, dict(self.state.inferring), peak_bytes() or 0)
            self.knows(costs=(*self.state.costs, cost))
            following = self._next(FARTHER * bound if last else bounds[number + 1], left)
            self.knows(following=following)
            if not left:
                return "no automaton"
            if not last and following is not None and following.computing > self.task.budget.seconds_left():
                return None
        return self._far(left[0]) if self.task.goes_far and left else None

    def _far(self, system: NumerationSystem) -> str | None:
        """Return "proved" if an automaton is that is inferred from more positions than are kept."""
        steps, task = queen_steps(self.task.game), self.task
        assert steps is not None
        costs: list[Cost] = []
        for digits in far_digits(system, task.largest):
            bound = system.value((1, *(0 for _ in range(digits))))
            if costs:
                following = next_data(costs, bound, [system.name], 1, task.peak)
                self.knows(following=following)
                if following.computing > task.budget.seconds_left():
                    break
            self.begins(f"{system.name}: inference from the residuals of all positions below {bound}")
            since = cpu_clock()
            inferred = far_set(steps, task.value, system, digits, task.budget)
            costs.append(Cost(bound, cpu_clock() - since, {}, peak_bytes() or 0))
            if bound < MOST_BOUND:
                self.knows(following=next_data(costs, min(FARTHER * bound, MOST_BOUND), [system.name], 1, task.peak))
            self._add_candidate(system, inferred)
            judged = _Judgement("too few data")
            if not inferred.unknown and not inferred.errors:
                judged = self._judged(system, inferred)
            self._note(system.name, inferred, judged, cpu_clock() - since)
            if judged.outcome == "proved":
                return "proved"
        return None

    def _next(self, bound: int, left: Sequence[NumerationSystem]) -> NextData | None:
        """Return what the data below the next bound would cost, with the systems left, or the best if none is."""
        game = self.task.game
        bound = min(bound, most_bound(game, self.task.value))
        if bound <= self.state.costs[-1].bound:
            return None
        known = {name: found[-1].states for name, found in self.state.candidates.items()}
        systems = [system.name for system in left] or sorted(known, key=known.__getitem__)[:KEPT]
        # Moves on full lines cost in proportion to the positions, others in proportion to the cells.
        power = 1 if marks_lines(game) else 3 if by_automaton(game) else game.piles
        return next_data(list(self.state.costs), bound, systems, power, self.task.peak)

    def _systems(self, systems: str | Sequence[str | NumerationSystem]) -> list[NumerationSystem]:
        """Return the systems to try: the given ones, or the usual ones and those that the slopes suggest."""
        if systems != "auto":
            named = [systems] if isinstance(systems, str) else systems
            names = Namespace(limits=lambda: self.task.limits)
            return [system_named(item) if isinstance(item, str) else names.add_system(item) for item in named]
        found = []
        suggested = suggested_systems(*self.state.data.sample)
        self.knows(preferred=suggested[0] if suggested else None)
        for name in dict.fromkeys((*SYSTEMS, *suggested)):
            try:
                found.append(system_named(name))
            except BudgetSpent:
                raise
            except FibproverError as refused:
                self._note(name, None, _Judgement("refused", reason=refused.message))
        return found

    def _note(
        self, system: str, inferred: InferredSet | None, judged: _Judgement, seconds: float = 0.0,
        growth: Growth | None = None,
    ) -> None:
        """Record an attempt."""
        data = self.state.data
        states, margin, bound, count = (0, -1, data.bound, len(data.positions)) if inferred is None else (
            inferred.states, inferred.margin, inferred.bound, inferred.positions
        )
        attempt = SearchAttempt(
            system, bound, count, states, margin, judged.outcome, judged.failure, judged.reason, seconds, growth
        )
        self.knows(attempts=(*self.state.attempts, attempt))

    def _add_candidate(self, system: NumerationSystem, inferred: InferredSet) -> None:
        known = self.state.candidates
        self.knows(candidates={**known, system.name: (*known.get(system.name, ()), inferred)})

    def _inferred(self, system: NumerationSystem) -> InferredSet | None:
        """Infer the automaton from all data, once for each bound; None for a system that cannot be used."""
        if system.name in self.state.refused:
            return None
        data = self.state.data
        known = self.state.candidates.get(system.name, ())
        if not known or known[-1].bound != data.bound:
            self.begins(f"{system.name}: inference from {len(data.positions)} positions")
            since = cpu_clock()
            try:
                names = self.task.game.variables.position
                inferred = infer_set(data.table, data.bound, system, names, self.task.budget)
            except BudgetSpent:
                raise
            except FibproverError as refused:
                self._note(system.name, None, _Judgement("refused", reason=refused.message))
                kept = {name: found for name, found in self.state.candidates.items() if name != system.name}
                self.knows(refused=self.state.refused | {system.name}, candidates=kept)
                return None
            self._add_candidate(system, inferred)
            self._spent(system, since)
        return self.state.candidates[system.name][-1]

    def _round(self, systems: list[NumerationSystem], last: bool) -> _Round:
        """Try every system on the data.

        Systems are compared by the ratio of inferred states to nodes of the trie of all representations.
        """
        if not self.state.candidates:
            systems = [system for _, system, _ in self._ranked(systems)]
        need, tried = 0, 0
        outcomes: dict[str, str] = {}
        for system in systems:
            since = cpu_clock()
            inferred = self._inferred(system)
            if inferred is None:
                continue
            judged = None
            if tried < KEPT and self._worth_a_proof(system, last):
                tried += 1
                judged = self._judged(system, inferred)
            proved = judged is not None and judged.outcome == "proved"
            seen = None if proved else self._growth(system)
            judged = judged or _Judgement(_unjudged(seen))
            self._note(system.name, inferred, judged, cpu_clock() - since, seen)
            if proved:
                return _Round([system], proved=True)
            if judged.failure is not None:
                # The set is wrong at a position of no greater sum, which data to this bound contain.
                need = max(need, min(sum(judged.failure) + 1, self.task.largest))
            outcomes[system.name] = judged.outcome
        left = [system for _, system, _ in self._ranked(systems) if outcomes.get(system.name, "grows") != "grows"]
        return _Round(left if self.state.data.bound < GROWTH_FROM else left[:KEPT], need)

    def _ranked(self, systems: list[NumerationSystem]) -> list[tuple[float, NumerationSystem, InferredSet]]:
        """Return systems with their candidates, the best first."""
        ranked = []
        for system in systems:
            inferred = self._inferred(system)
            if inferred is not None:
                factor = PREFERENCE if system.name == self.state.preferred else 1.0
                ranked.append((factor * inferred.states / inferred.nodes, system, inferred))
        return sorted(ranked, key=lambda item: item[0])

    def _judged(self, system: NumerationSystem, inferred: InferredSet) -> _Judgement:
        """Prove or refute a candidate."""
        self.begins(f"{system.name}: proof with {inferred.states} states")
        task = self.task
        try:
            limits = self._proof_limits(trusted=is_trusted(self.state.candidates[system.name]))
            proof = prove_positions(task.game, inferred.automaton, system, limits, task.smaller)
        except BudgetSpent as spent:
            if task.budget.seconds_left() <= 0:  # the proof's own limit is a part of the user's
                raise task.budget.spent(
                    "seconds", states=spent.states, transitions=spent.transitions, during=spent.during
                ) from None
            if self.state.best is None:
                self.knows(best=(system, inferred, None))
            return _Judgement("too large", reason=str(spent))
        self.knows(best=(system, inferred, proof))
        return _Judgement("proved") if proof else _Judgement("refuted", proof.failure)

    def _growth(self, system: NumerationSystem) -> Growth | None:
        """Return what the states do that are inferred from halves of halves of the data; None for few data."""
        bound, table = self.state.data.bound, self.state.data.table
        if bound < GROWTH_FROM:
            return None
        known = self.state.growths.get(system.name)
        if known is None or known.bounds[-1] != bound:
            since = cpu_clock()
            names = self.task.game.variables.position
            bounds, states = [], []
            for part in reversed(range(1, HALVES + 1)):
                below = table[(table < bound >> part).all(axis=1)]
                bounds.append(bound >> part)
                states.append(infer_set(below, bound >> part, system, names, self.task.budget).states)
            known = growth([*bounds, bound], [*states, self.state.candidates[system.name][-1].states])
            self.knows(growths={**self.state.growths, system.name: known})
            self._spent(system, since)
        return known

    def _spent(self, system: NumerationSystem, since: float) -> None:
        """Record the seconds of an inference."""
        before = self.state.inferring
        self.knows(inferring={**before, system.name: before.get(system.name, 0.0) + cpu_clock() - since})

    def _worth_a_proof(self, system: NumerationSystem, last: bool) -> bool:
        """Return whether the last candidate of a system is worth the time of a proof.

        A proof does not depend on trust, so this accepts more than `is_trusted`: a candidate that hardly grew, and any
        candidate that does not grow when there will be no more data.
        """
        known = self.state.candidates[system.name]
        now = known[-1]
        if now.unknown or now.errors or self.state.data.too_few:
            return False
        settled = len(known) > 1 and now.states <= SETTLED * known[-2].states
        if now.margin >= 0 or survived_more_data(known) or settled:
            return True
        return last and not is_growing(self._growth(system))

    def _proof_limits(self, *, trusted: bool) -> Limits:
        """Return the limits of a proof: half of the remaining time; a few seconds for a candidate not trusted."""
        limits, seconds = self.task.limits, self.task.budget.seconds_left() / 2
        if not trusted:
            seconds = min(seconds, max(UNSURE_SECONDS, (limits.cpu_seconds or limits.seconds or 0) * UNSURE_PART))
        part = limits.within(None) if seconds == float("inf") else limits.part(max(seconds, 0.01))
        return part if part.bytes else replace(part, bytes=resident_bytes() + PROOF_BYTES)


def is_trusted(known: Sequence[InferredSet]) -> bool:
    """Return whether the last candidate of a system has a sufficient margin or has survived more data."""
    last = known[-1]
    return not last.unknown and (last.margin >= SURE_MARGIN or survived_more_data(known))


def survived_more_data(known: Sequence[InferredSet]) -> bool:
    """Return whether there are many data and the last candidate is already that of an eighth of the data or less."""
    last = known[-1]
    return last.positions >= 10_000 and any(
        8 * earlier.bound <= last.bound and earlier.automaton == last.automaton for earlier in known
    )


def is_growing(found: Growth | None) -> bool:
    """Return whether states grow like a power of the bound, and fast."""
    return found is not None and bool(found) and found.exponent > GROWTH


def _unjudged(found: Growth | None) -> str:
    """Return the outcome for a candidate that was not worth a proof."""
    if is_growing(found):
        return "grows"
    return "too few data" if found is None or found.verdict == GROWING else "slows"
