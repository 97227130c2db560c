"""Search for an automaton of the P-positions of a game, or of the positions of another value, and prove it.

The positions are computed to a bound.  In one numeration system after another an automaton is inferred from them, and
a candidate that the data support is proved or refuted.  The bounds grow until a proof succeeds, the automata grow with
the data in all systems like a power of the bound, or the budget is spent; a refutation says how far the next data have
to go.  For a value above 0 the positions of all smaller values are found first; it is searched for in their system.  So
are, of a game with a pass, the P-positions without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy

from fibprover.automata.dfa import Dfa
from fibprover.base.errors import BudgetSpent, FibproverError, LimitError
from fibprover.base.limits import Limits, peak_bytes, spending
from fibprover.base.values import RichlyDisplayed, value
from fibprover.base.wording import plural
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

#: The bounds for games on three piles.
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

#: Bytes that a proof may take unless the limits say otherwise.
PROOF_BYTES = 3 << 30

STATUSES = ("proved", "refuted", "no automaton", "undecided")

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
class Discovery(RichlyDisplayed):
    """The outcome of a search for an automaton of the P-positions of a game; true if it is proved.

    status: one of STATUSES ("refuted": the last candidate was refuted, and there were no more data); system,
    candidate, proof: those of the theorem if it is proved, otherwise of the last candidate that was worth a proof (None
    if there was none); data: the positions it was inferred from; attempts: all of them, in order; smaller: the automata
    of the positions of smaller Sprague-Grundy values, as many as the value of the positions, or that of the P-positions
    without the pass of a game that has one; following: without a theorem, the next data and what they would cost, None
    if the positions below a larger bound cannot be computed.
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
    limits, notify = limits or Limits(seconds=60), notify or (lambda line: None)
    smaller: tuple[Dfa, ...] = ()
    with spending(limits.start()):
        needed = 1 if game.passes else value
        while True:
            part = without_pass(game) if len(smaller) < needed else game
            found = _AutomatonSearch(part, limits, largest, notify, smaller).run(systems)
            if not found or len(smaller) == needed:
                return found
            assert found.candidate is not None
            assert found.system is not None
            smaller, systems = (*smaller, found.candidate.automaton), [found.system]


class _AutomatonSearch:
    """The state of one search: the data, the candidates of each system, the attempts."""

    def __init__(
        self, game: Game, limits: Limits, largest: int, notify: Notify, smaller: tuple[Dfa, ...]
    ) -> None:
        self.game = game
        self.smaller = smaller
        self.value = 0 if game.passes else len(smaller)
        self.limits = limits
        self.budget = limits.start()
        self.largest = largest
        self.notify = notify
        self.begun = perf_counter()
        self.attempts: list[SearchAttempt] = []
        self.data: Positions | None = None
        #: By the name of a system: how the states inferred from parts of the last data grow.
        self.growths: dict[str, Growth] = {}
        self.following: NextData | None = None
        self.peak = peak_bytes() or 0
        self.costs: list[Cost] = []
        #: The seconds of inference from the last data, by the name of the system.
        self.inferring: dict[str, float] = {}
        #: By the name of a system: its candidates, one for each bound of the data.
        self.history: dict[str, list[InferredSet]] = {}
        self.refused: set[str] = set()
        self.preferred = ""
        self.best: tuple[NumerationSystem, InferredSet, Proof | None] | None = None

    def run(self, systems: str | Sequence[str | NumerationSystem]) -> Discovery:
        """Search with larger and larger data; return the outcome."""
        try:
            status = self._status(systems)
        except BudgetSpent as stop:
            if self.data is None:
                raise
            self.notify(str(stop))
            status = ""
        failed = self.best is not None and self.best[2] is not None and not self.best[2]
        return self._result(status or ("refuted" if failed else "undecided"))

    def _status(self, systems: str | Sequence[str | NumerationSystem]) -> str:
        """Return "proved" or "no automaton", or "" if the data or the time did not suffice."""
        self.largest = min(self.largest, most_bound(self.game, self.value))
        bounds = [bound for bound in self._bounds() if bound < self.largest]
        far = self.largest > KEPT_BOUND and queen_steps(self.game) is not None
        if not far:
            bounds.append(self.largest)
        left: list[NumerationSystem] | None = None
        need = 0
        for number, bound in enumerate(bounds):
            last = number + 1 == len(bounds)
            if bound < need and not last:
                continue
            try:
                spent = self._extend(bound)
            except LimitError:
                # The solvers for moves that are not full lines have largest bounds of their own.
                if self.data is None:
                    raise
                break
            if self._too_few() and not last:
                continue
            if left is None:
                left = self._systems(systems)
            left, need = self._round(left, last)
            if need < 0:
                return "proved"
            self.costs.append(Cost(bound, spent, dict(self.inferring), peak_bytes() or 0))
            self.following = self._next(FARTHER * bound if last else bounds[number + 1], left)
            if not left:
                return "no automaton"
            if not last and self.following is not None and self.following.computing > self.budget.seconds_left():
                return ""
        return self._far(left[0]) if far and left else ""

    def _far(self, system: NumerationSystem) -> str:
        """Return "proved" if an automaton inferred from more positions than are kept is proved, else ""."""
        steps = queen_steps(self.game)
        assert steps is not None
        costs: list[Cost] = []
        for digits in far_digits(system, self.largest):
            bound = system.value((1, *(0 for _ in range(digits))))
            if costs:
                self.following = next_data(costs, bound, [system.name], 1, self.peak)
                if self.following.computing > self.budget.seconds_left():
                    break
            self.notify(f"{system.name}: inference from the residuals of all positions below {bound}")
            since = perf_counter()
            inferred = far_set(steps, self.value, system, digits, self.budget)
            costs.append(Cost(bound, perf_counter() - since, {}, peak_bytes() or 0))
            if bound < MOST_BOUND:
                self.following = next_data(costs, min(FARTHER * bound, MOST_BOUND), [system.name], 1, self.peak)
            self.history[system.name].append(inferred)
            outcome, failure, reason = "too few data", None, ""
            if not inferred.unknown and not inferred.errors:
                outcome, failure, reason = self._judged(system, inferred)
            self._note(system.name, inferred, outcome, failure, reason, perf_counter() - since)
            if outcome == "proved":
                return outcome
        return ""

    def _next(self, bound: int, left: Sequence[NumerationSystem]) -> NextData | None:
        """Return the cost of the data below the next bound, with the remaining systems, or the best one if none
        remains.
        """
        bound = min(bound, most_bound(self.game, self.value))
        if bound <= self.costs[-1].bound:
            return None
        known = {name: found[-1].states for name, found in self.history.items() if found}
        systems = [system.name for system in left] or sorted(known, key=known.__getitem__)[:KEPT]
        # Moves on full lines cost in proportion to the positions, others in proportion to the cells.
        power = 1 if marks_lines(self.game) else 3 if by_automaton(self.game) else self.game.piles
        return next_data(self.costs, bound, systems, power, self.peak)

    def _bounds(self) -> tuple[int, ...]:
        """Return the bounds of the data; smaller ones for games in which many positions are P-positions."""
        if self.game.piles == 3:
            return CUBE_BOUNDS
        self.notify(f"positions below {DENSE_BOUND}")
        found = positions(self.game, DENSE_BOUND, self.budget, value=self.value)
        if len(found) > DENSE * DENSE_BOUND:
            dense = (DENSE_BOUND, 4 * DENSE_BOUND, 16 * DENSE_BOUND)
            return (*dense, *BOUNDS[1:3]) if marks_lines(self.game) else dense
        if by_automaton(self.game):
            return SLOW_BOUNDS
        return BOUNDS if marks_lines(self.game) else COSTLY_BOUNDS

    def _table(self) -> NDArray[numpy.int64]:
        """Return the positions, one a row."""
        assert self.data is not None
        return numpy.stack(self.data.columns, axis=1)

    def _extend(self, bound: int) -> float:
        """Compute the positions below a bound; return the seconds that this took."""
        self.notify(f"positions below {bound}")
        since = perf_counter()
        self.data = positions(self.game, bound, self.budget, value=self.value)
        self.inferring = {}
        return perf_counter() - since

    def _too_few(self) -> bool:
        """Return whether there are too few positions to infer from, in particular if most of them are terminal."""
        assert self.data is not None
        return len(self.data) < PER_TERMINAL * self.data.terminal + AT_LEAST

    def _result(self, status: str) -> Discovery:
        assert self.data is not None
        system, candidate, proof = self.best or (None, None, None)
        return Discovery(
            self.game, status, system, candidate, proof, self.data, tuple(self.attempts),
            perf_counter() - self.begun, peak_bytes() or 0, self.smaller,
            None if status == "proved" else self.following,
        )

    def _systems(self, systems: str | Sequence[str | NumerationSystem]) -> list[NumerationSystem]:
        """Return the systems to try: the given ones, or the usual ones and those that the slopes suggest."""
        if systems != "auto":
            named = [systems] if isinstance(systems, str) else systems
            names = Namespace(limits=lambda: self.limits)
            return [system_named(item) if isinstance(item, str) else names.add_system(item) for item in named]
        assert self.data is not None
        found = []
        suggested = suggested_systems(*self._sample())
        self.preferred = suggested[0] if suggested else ""
        for name in dict.fromkeys((*SYSTEMS, *suggested)):
            try:
                found.append(system_named(name))
            except FibproverError as refused:
                self._note(name, None, "refused", reason=refused.message)
        return found

    def _sample(self) -> tuple[list[int], list[int]]:
        """Return the positions from which the slopes are estimated."""
        assert self.data is not None
        kept = numpy.flatnonzero((self.data.a < FIRST_BOUND) & (self.data.b < FIRST_BOUND))
        return self.data.a[kept].tolist(), self.data.b[kept].tolist()

    def _note(
        self, system: str, inferred: InferredSet | None, outcome: str, failure: tuple[int, ...] | None = None,
        reason: str = "", seconds: float = 0.0, growth: Growth | None = None,
    ) -> None:
        """Record an attempt."""
        assert self.data is not None
        found = (0, -1, self.data.bound, len(self.data)) if inferred is None else (
            inferred.states, inferred.margin, inferred.bound, inferred.positions
        )
        states, margin, bound, count = found
        self.attempts.append(
            SearchAttempt(system, bound, count, states, margin, outcome, failure, reason, seconds, growth)
        )

    def _inferred(self, system: NumerationSystem) -> InferredSet | None:
        """Infer the automaton from all data, once for each bound; None for a system that cannot be used."""
        assert self.data is not None
        if self.history.get(system.name) is None and system.name in self.refused:
            return None
        known = self.history.setdefault(system.name, [])
        if not known or known[-1].bound != self.data.bound:
            try:
                self.notify(f"{system.name}: inference from {len(self.data)} positions")
                since = perf_counter()
                names = self.game.variables.position
                known.append(infer_set(self._table(), self.data.bound, system, names, self.budget))
                self._spent(system, since)
            except BudgetSpent:
                raise
            except FibproverError as refused:
                self._note(system.name, None, "refused", reason=refused.message)
                del self.history[system.name]
                self.refused.add(system.name)
                return None
        return known[-1]

    def _round(self, systems: list[NumerationSystem], last: bool) -> tuple[list[NumerationSystem], int]:
        """Try every system on the data; return those that remain, and the bound that the next data need (-1: proved).

        Systems are compared by the ratio of inferred states to nodes of the trie of all representations.
        """
        assert self.data is not None
        first = not self.history
        if first:
            systems = [system for _, system, _ in self._ranked(systems)]
        need, tried = 0, 0
        outcomes: dict[str, str] = {}
        for system in systems:
            since = perf_counter()
            inferred = self._inferred(system)
            if inferred is None:
                continue
            outcome, failure, reason = "", None, ""
            if tried < KEPT and self._worth_a_proof(system, last):
                tried += 1
                outcome, failure, reason = self._judged(system, inferred)
            seen = None if outcome == "proved" else self._growth(system)
            outcome = outcome or _unjudged(seen)
            self._note(system.name, inferred, outcome, failure, reason, perf_counter() - since, seen)
            if outcome == "proved":
                return [system], -1
            if failure is not None:
                # The set is wrong at a position of no greater sum, which data to this bound contain.
                need = max(need, min(sum(failure) + 1, self.largest))
            outcomes[system.name] = outcome
        left = [system for _, system, _ in self._ranked(systems) if outcomes.get(system.name, "grows") != "grows"]
        return (left if self.data.bound < GROWTH_FROM else left[:KEPT]), need

    def _ranked(self, systems: list[NumerationSystem]) -> list[tuple[float, NumerationSystem, InferredSet]]:
        """Return systems with their candidates, the best first."""
        ranked = []
        for system in systems:
            inferred = self._inferred(system)
            if inferred is not None:
                factor = PREFERENCE if system.name == self.preferred else 1.0
                ranked.append((factor * inferred.states / inferred.nodes, system, inferred))
        return sorted(ranked, key=lambda item: item[0])

    def _judged(
        self, system: NumerationSystem, inferred: InferredSet
    ) -> tuple[str, tuple[int, ...] | None, str]:
        """Prove or refute a candidate; return the outcome, where it fails, and why it could not be decided."""
        self.notify(f"{system.name}: proof with {plural(inferred.states, 'state')}")
        try:
            trusted = is_trusted(self.history[system.name])
            limits = self._proof_limits(trusted)
            proof = prove_positions(self.game, inferred.automaton, system, limits, self.smaller)
        except BudgetSpent as spent:
            if self.budget.seconds_left() <= 0:  # the proof's own limit is a part of the user's
                raise self.budget.spent(
                    "seconds", states=spent.states, transitions=spent.transitions, during=spent.during
                ) from None
            if self.best is None:
                self.best = system, inferred, None
            return "too large", None, str(spent)
        self.best = system, inferred, proof
        if proof:
            return "proved", None, ""
        return "refuted", proof.failure, ""

    def _growth(self, system: NumerationSystem) -> Growth | None:
        """Return what the states do that are inferred from halves of halves of the data; None for few data."""
        assert self.data is not None
        bound = self.data.bound
        if bound < GROWTH_FROM:
            return None
        known = self.growths.get(system.name)
        if known is None or known.bounds[-1] != bound:
            since = perf_counter()
            table = self._table()
            names = self.game.variables.position
            bounds, states = [], []
            for part in reversed(range(1, HALVES + 1)):
                below = table[(table < bound >> part).all(axis=1)]
                bounds.append(bound >> part)
                states.append(infer_set(below, bound >> part, system, names, self.budget).states)
            known = growth([*bounds, bound], [*states, self.history[system.name][-1].states])
            self.growths[system.name] = known
            self._spent(system, since)
        return known

    def _spent(self, system: NumerationSystem, since: float) -> None:
        """Record the seconds of an inference."""
        self.inferring[system.name] = self.inferring.get(system.name, 0.0) + perf_counter() - since

    def _worth_a_proof(self, system: NumerationSystem, last: bool) -> bool:
        """Return whether the last candidate of a system is worth the time of a proof.

        A proof does not depend on trust, so this accepts more than `is_trusted`: a candidate that hardly grew, and any
        candidate that does not grow when there will be no more data.
        """
        known = self.history[system.name]
        now = known[-1]
        if now.unknown or now.errors or self._too_few():
            return False
        settled = len(known) > 1 and now.states <= SETTLED * known[-2].states
        if now.margin >= 0 or survived_more_data(known) or settled:
            return True
        return last and not is_growing(self._growth(system))

    def _proof_limits(self, trusted: bool) -> Limits:
        """Return the limits of a proof: half of the remaining time; a few seconds for a candidate not trusted."""
        seconds = self.budget.seconds_left() / 2
        if not trusted:
            seconds = min(seconds, max(UNSURE_SECONDS, (self.limits.seconds or 0) * UNSURE_PART))
        return Limits(
            self.limits.states, self.limits.transitions, self.limits.bytes or PROOF_BYTES,
            None if seconds == float("inf") else max(seconds, 0.01),
        )


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
