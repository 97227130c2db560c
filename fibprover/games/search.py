"""From the rules of a game to a proved theorem about its P-positions.

Positions are computed to a bound, an automaton is inferred from them in one numeration system after the other, and
what the data support is proved or refuted by the prover; a refutation asks for more data.  The bounds grow until a
proof succeeds, no system is left in which the automata stop growing, or the budget is spent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log
from time import perf_counter

from fibprover.errors import BudgetSpent, FibproverError
from fibprover.games.positions import Positions, positions
from fibprover.games.proof import Proof, prove_positions
from fibprover.games.rules import Game
from fibprover.infer.residuals import Inferred, infer_set
from fibprover.infer.slopes import suggested_systems
from fibprover.limits import Limits
from fibprover.memory import peak_bytes
from fibprover.numeration.registry import system_named
from fibprover.numeration.system import NumerationSystem
from fibprover.values import value

#: Systems that are tried for every game, beside those that the slopes of its positions suggest.
SYSTEMS = (
    "msd_fib", "msd_2", "msd_3", "msd_4", "msd_5", "msd_6", "msd_7", "msd_pell", "msd_trib", "msd_4bonacci", "msd_narayana",
    "msd_lucas", *(f"msd_wythoff_{m}" for m in range(2, 9)),
    *(f"msd_fraenkel_{s}_{m}" for s in range(2, 5) for m in range(1, 5)),
)

#: Bounds of the data, one after the other; each at least eight times the last but one.
BOUNDS = (3000, 1 << 14, 1 << 17, 1 << 20)

#: The bound up to which systems are compared.
FIRST_BOUND = BOUNDS[0]

#: How many systems are kept after the comparison.
KEPT = 6

#: What a grown candidate means: states as this power of the bound or a greater one, from data at least so large.
GROWTH = 0.25
GROWTH_FROM = 1 << 14

#: Margin at which a candidate is taken for more than a fit; a lesser one has to stand the test of eight times the data.
SURE_MARGIN = 2

#: Positions a candidate has to rest on: so many for each terminal one, and so many more.
PER_TERMINAL, AT_LEAST = 3, 100

#: Memory that a proof may take unless the limits say otherwise.
PROOF_BYTES = 3 << 30

STATUSES = ("proved", "refuted", "no automaton", "undecided")

Notify = Callable[[str], None]


@value
class Attempt:
    """One candidate: the system, what was inferred from which data, and what became of it.

    outcome: "proved", "refuted" (at `failure`), "too few data", "grows", "too large" (the proof did not end within
    its budget) or "refused" (the system could not be used at all: `reason`).
    """

    system: str
    bound: int
    positions: int
    states: int
    margin: int
    outcome: str
    failure: tuple[int, int] | None = None
    reason: str = ""
    seconds: float = 0.0


@value
class Discovery:
    """What was found out about the P-positions of a game.

    status: one of STATUSES; system, candidate, proof: of the theorem if it is proved, of the last candidate that was
    worth a proof otherwise (None if there was none); bound, positions: the data; attempts: everything tried, in order.
    """

    game: Game
    status: str
    system: NumerationSystem | None
    candidate: Inferred | None
    proof: Proof | None
    data: Positions
    attempts: tuple[Attempt, ...]
    seconds: float
    peak_bytes: int

    def __bool__(self) -> bool:
        """Whether the P-positions are proved."""
        return self.status == "proved"


def discover(
    game: Game, systems: str | Sequence[str | NumerationSystem] = "auto", *, limits: Limits | None = None,
    largest: int = BOUNDS[-1], notify: Notify | None = None,
) -> Discovery:
    """Finds the automaton of the P-positions of a game and proves it.

    systems: "auto", a name, or several names or systems; limits: what the whole search may spend (a minute unless
    said otherwise); largest: bound of the data.  Never raises for a game that it cannot solve: the status says so.
    """
    return _Search(game, limits or Limits(seconds=60), largest, notify or (lambda line: None)).run(systems)


class _Search:
    """The state of one search: data so far, systems that are left, what was tried."""

    def __init__(self, game: Game, limits: Limits, largest: int, notify: Notify) -> None:
        self.game = game
        self.limits = limits
        self.budget = limits.start()
        self.largest = largest
        self.notify = notify
        self.begun = perf_counter()
        self.attempts: list[Attempt] = []
        self.data: Positions | None = None
        #: By system: (bound, inferred) of all data so far.
        self.history: dict[str, list[Inferred]] = {}
        self.best: tuple[NumerationSystem, Inferred, Proof | None] | None = None

    def run(self, systems: str | Sequence[str | NumerationSystem]) -> Discovery:
        left: list[NumerationSystem] = []
        bounds = [bound for bound in BOUNDS if bound < self.largest] + [self.largest]
        need = 0
        try:
            for number, bound in enumerate(bounds):
                if bound < need and bound != bounds[-1]:
                    continue
                self.notify(f"positions below {bound}")
                since = perf_counter()
                self.data = positions(self.game, bound, self.budget)
                spent = perf_counter() - since
                if not left:
                    left = self._chosen(systems)
                left, need = self._round(left)
                if left == []:
                    return self._result("no automaton")
                if need < 0:
                    return self._result("proved")
                following = bounds[number + 1] if number + 1 < len(bounds) else 0
                # Rules that mark lines cost as much as there are positions, others as much as there are cells.
                if spent * (following / bound) ** self.game.cost_exponent > self.budget.seconds_left():
                    break
        except BudgetSpent as stop:
            self.notify(str(stop))
        return self._result("undecided")

    def _result(self, status: str) -> Discovery:
        assert self.data is not None
        system, candidate, proof = self.best or (None, None, None)
        return Discovery(
            self.game, status, system, candidate, proof, self.data, tuple(self.attempts),
            perf_counter() - self.begun, peak_bytes(),
        )

    # -- which systems -----------------------------------------------------------------------------------

    def _chosen(self, systems: str | Sequence[str | NumerationSystem]) -> list[NumerationSystem]:
        """The systems to try: those named, or the best of all by states over trie nodes."""
        if systems != "auto":
            named = [systems] if isinstance(systems, str) else systems
            return [system_named(item) if isinstance(item, str) else item for item in named]
        return [system for _, system in self.ranking(SYSTEMS)[:KEPT]]

    def ranking(self, names: Iterable[str]) -> list[tuple[float, NumerationSystem]]:
        """Systems by inferred states over trie nodes, on the positions known."""
        assert self.data is not None
        names = dict.fromkeys((*names, *suggested_systems(self.data.a, self.data.b)))
        ranked = []
        for name in names:
            try:
                system = system_named(name)
                inferred = self._inferred(system)
            except BudgetSpent:
                raise
            except FibproverError as refused:
                self.attempts.append(
                    Attempt(name, self.data.bound, len(self.data), 0, -1, "refused", reason=refused.message)
                )
                continue
            ranked.append((inferred.states / inferred.nodes, system))
        return sorted(ranked, key=lambda item: item[0])

    def _inferred(self, system: NumerationSystem) -> Inferred:
        """The automaton inferred from all data; once for each bound."""
        assert self.data is not None
        known = self.history.setdefault(system.name, [])
        if not known or known[-1].bound != self.data.bound:
            known.append(infer_set(self.data.table, self.data.bound, system, ("a", "b"), self.budget))
        return known[-1]

    # -- one round -----------------------------------------------------------------------------------------

    def _round(self, systems: list[NumerationSystem]) -> tuple[list[NumerationSystem], int]:
        """Tries every system on the data; which are left, and the bound that the next data need (-1: proved)."""
        left, need = [], 0
        for system in systems:
            since = perf_counter()
            self.notify(f"{system.name}: inference from {len(self.data or ())} positions")
            inferred = self._inferred(system)
            outcome, failure, reason = self._judged(system, inferred)
            self.attempts.append(
                Attempt(
                    system.name, inferred.bound, inferred.positions, inferred.states, inferred.margin, outcome, failure,
                    reason, perf_counter() - since,
                )
            )
            if outcome == "proved":
                return [system], -1
            if failure is not None:
                # A position of no greater sum is wrong, so data to this bound show it.
                need = max(need, min(sum(failure) + 1, self.largest))
            if outcome != "grows":
                left.append(system)
        return left, need

    def _judged(
        self, system: NumerationSystem, inferred: Inferred
    ) -> tuple[str, tuple[int, int] | None, str]:
        """What becomes of a candidate: its outcome, where it fails, and why it could not be decided."""
        known = self.history[system.name]
        if not self._worth_a_proof(known):
            return ("grows" if grows(known) else "too few data"), None, ""
        self.notify(f"{system.name}: proof with {inferred.states} states")
        try:
            proof = prove_positions(self.game, inferred.automaton, system, self._proof_limits())
        except BudgetSpent as spent:
            if self.budget.seconds_left() <= 0:
                raise
            if self.best is None:
                self.best = system, inferred, None
            return "too large", None, str(spent)
        self.best = system, inferred, proof
        if proof:
            return "proved", None, ""
        return "refuted", proof.failure, ""

    def _worth_a_proof(self, known: list[Inferred]) -> bool:
        """Whether the last candidate of a system is more than a fit to the data."""
        assert self.data is not None
        last = known[-1]
        if last.unknown or last.positions < PER_TERMINAL * self.data.terminal + AT_LEAST:
            return False
        return last.margin >= 0 or stood(known)

    def _proof_limits(self) -> Limits:
        """A proof may take half of the time that is left."""
        left = self.budget.seconds_left()
        seconds = None if left == float("inf") else max(left / 2, 0.01)
        return Limits(self.limits.states, self.limits.transitions, self.limits.bytes or PROOF_BYTES, seconds)


def sure(known: Sequence[Inferred]) -> bool:
    """Whether the last of a system's candidates has the margin to be trusted, or stood the test of more data."""
    last = known[-1]
    return not last.unknown and (last.margin >= SURE_MARGIN or stood(known))


def stood(known: Sequence[Inferred]) -> bool:
    """Whether the last candidate is that of an eighth of the data or less, and there are many data."""
    last = known[-1]
    return last.positions >= 10_000 and any(
        8 * earlier.bound <= last.bound and earlier.automaton == last.automaton for earlier in known
    )


def grows(known: Sequence[Inferred]) -> bool:
    """Whether the states of a system's candidates grow like a power of the bound."""
    if len(known) < 2 or known[-1].bound < GROWTH_FROM:
        return False
    before, last = known[-2], known[-1]
    return log(last.states / before.states) / log(last.bound / before.bound) > GROWTH
