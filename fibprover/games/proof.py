"""Whether a set is the set of P-positions of a game: decided, not compared with data.

A position is a P-position if it is terminal or at most `blocked` of its options are P-positions, and moves lead to
lesser sums; so one set only satisfies this at every position.  For a set given by an automaton it is decided in
three parts, for which Renard & Rigo have the names: terminal positions are in the set; the set is *stable*, no
position of it that is not terminal has more than `blocked` options in it; and *absorbing*, every other position has.

Options in the set are counted kind of move by kind of move: the automata of the single kinds are small, that of
all together need not be.  With blocking, the counts of the kinds are added, capped at `blocked` + 1.
"""

from __future__ import annotations

from time import perf_counter

from fibprover.automata import kernels, operations
from fibprover.automata.dfa import Dfa
from fibprover.automata.language import shortest
from fibprover.errors import FibproverError
from fibprover.games.rules import Game
from fibprover.limits import UNBOUNDED, Budget, Limits
from fibprover.numeration.system import NumerationSystem
from fibprover.session import Session
from fibprover.values import value
from fibprover.verdict.relation import Relation


@value
class ProofStep:
    """One part of a proof: what was asked, whether it holds, and where it fails if it does not."""

    name: str
    statement: str
    holds: bool
    failure: tuple[int, int] | None
    seconds: float
    states: int


@value
class Proof:
    """What became of the attempt to prove that a set is that of the P-positions."""

    steps: tuple[ProofStep, ...]

    def __bool__(self) -> bool:
        """Whether everything was proved."""
        return all(step.holds for step in self.steps)

    @property
    def failure(self) -> tuple[int, int] | None:
        """A position at which the set is not what the rules demand; some position of no greater sum is wrong in it."""
        failures = [step.failure for step in self.steps if step.failure is not None]
        return min(failures, key=sum, default=None)

    @property
    def states(self) -> int:
        """The largest automaton that a step needed in the end."""
        return max(step.states for step in self.steps)

    @property
    def seconds(self) -> float:
        """Time it took."""
        return sum(step.seconds for step in self.steps)


def session_for(candidate: Dfa, system: NumerationSystem, limits: Limits | None = None) -> Session:
    """A session in which P is the candidate set, a relation of two variables."""
    session = Session(limits=limits)
    session.namespace.systems[system.name] = system
    session.namespace.default_system = system.name
    session.define("P", Relation(candidate, session.namespace.system, "P"))
    return session


def prove_positions(
    game: Game, candidate: Dfa, system: NumerationSystem, limits: Limits | None = None
) -> Proof:
    """Decides whether the candidate (a canonical automaton over two tracks) is the set of P-positions of the game.

    limits: of the whole proof; BudgetSpent when they do not suffice, which says nothing about the candidate.
    Raises FibproverError for a candidate that is no set of pairs of numbers of the system.
    """
    if [track._replace(name="") for track in candidate.tracks] != [system.track("")] * 2:
        raise FibproverError(f"P-positions are pairs of numbers of {system.name}, and the candidate is {candidate!r}")
    pairs = candidate.renamed(("p", "q"))
    words = operations.cartesian_product([system.valid.renamed([name]) for name in pairs.names])
    if operations.as_relation(pairs, words) != pairs:
        # It would be taken to accept a pair or not, as it is asked.
        raise FibproverError(
            f"the candidate is no canonical automaton of pairs of numbers: {candidate!r}",
            hint="as_relation of fibprover.automata.operations makes one",
        )
    return _Prover(game, candidate, system, limits or Limits()).proof()


class _Prover:
    """The automata of one proof, made as they are needed."""

    def __init__(self, game: Game, candidate: Dfa, system: NumerationSystem, limits: Limits) -> None:
        self.game = game
        self.budget = limits.start()
        self.session = session_for(candidate, system, limits)
        self.inside = candidate.renamed(("p", "q"))
        words = [system.valid.renamed([name]) for name in ("p", "q")]
        self.everything = operations.cartesian_product(words, self.budget)
        self.terminal = self._terminal()

    def _terminal(self) -> Dfa:
        if not self.game.terminal:
            return operations.empty(self.everything.tracks)
        return self._positions(self.game.terminal_formula("p", "q"))

    def _positions(self, formula: str) -> Dfa:
        """The positions (p,q) that satisfy a formula."""
        found = self.session.relation(f"p>=0 & q>=0 & ({formula})", limits=remaining_limits(self.budget)).automaton
        return operations.conjunction(found, self.everything, self.budget)

    def proof(self) -> Proof:
        steps = [self._step("terminal", self.terminal, self.inside, "terminal positions are in the set")]
        steps += self._counted() if self.game.blocked else self._plain()
        return Proof(tuple(steps))

    def _step(self, name: str, part: Dfa, whole: Dfa, statement: str, since: float | None = None) -> ProofStep:
        """Whether one set is within another one."""
        since = perf_counter() if since is None else since
        rest = operations.difference(part, whole, self.budget)
        failure = self._least(rest)
        states = max(part.states, whole.states)
        return ProofStep(name, statement, failure is None, failure, perf_counter() - since, states)

    def _least(self, a: Dfa) -> tuple[int, int] | None:
        """A position of a set whose representations are as short as any, None if it is empty."""
        words = shortest(a)
        if words is None:
            return None
        system = self.session.namespace.system(self.session.namespace.default_system)
        values = dict(zip(a.names, map(system.value, words), strict=True))
        return values["p"], values["q"]

    # -- without blocking: into which positions a move of a kind leads from P ---------------------------

    def _plain(self) -> list[ProofStep]:
        session = self.session
        session.define("live", self._named(operations.difference(self.inside, self.terminal, self.budget)))
        rest = operations.difference(self.everything, self.inside, self.budget)
        steps, spent, states = [], 0.0, rest.states
        pieces = [piece for kind in self.game.kinds for piece in pieces_of(kind)]
        for number, kind in enumerate(self.game.kinds, start=1):
            since = perf_counter()
            inside = f"$live(p,q) & $P(r,s) & ({kind})"
            # Closed, so that nothing is projected: only whether there is a word is asked.
            failure = None
            if session.prove(f"Ep,q,r,s {inside}", limits=remaining_limits(self.budget)):
                failure = self._least(session.relation(inside, limits=remaining_limits(self.budget)).automaton)
            steps.append(
                ProofStep(
                    f"stable {number}",
                    f"from no position of the set that is not terminal a move leads into it: {kind}",
                    failure is None, failure, perf_counter() - since, self.inside.states,
                )
            )
        if not all(step.holds for step in steps):
            # That is decided; what is wrong in one way may be very large to look at in another.
            return steps
        for piece in sorted(pieces, key=lambda piece: piece.rank):
            if kernels.is_empty(rest):
                break
            since = perf_counter()
            # What is left guards the projection: only the positions that no other move has explained matter.
            session.define("rest", self._named(rest))
            rest = self._positions(f"$rest(p,q) & ~(Er,s {piece.formula} & $P(r,s))")
            states = max(states, rest.states)
            spent += perf_counter() - since
        failure = self._least(rest)
        steps.append(
            ProofStep(
                "absorbing", "from every other position a move leads into the set", failure is None, failure,
                spent, states,
            )
        )
        return steps

    def _named(self, positions: Dfa) -> Relation:
        return Relation(positions, self.session.namespace.system, "positions")

    # -- with blocking: how many options are in P --------------------------------------------------------

    def _counted(self) -> list[ProofStep]:
        since = perf_counter()
        enough = self.game.blocked + 1
        total = option_counts(self.game, self.session, enough, self.budget)
        reached = operations.where(total, lambda count: count >= enough)
        reached = operations.conjunction(reached, self.everything, self.budget)
        spent = perf_counter() - since
        others = operations.difference(self.everything, self.inside, self.budget)
        live = operations.difference(self.inside, self.terminal, self.budget)
        few = operations.difference(self.everything, reached, self.budget)
        stable = self._step(
            "stable", live, few, f"no position of the set that is not terminal has {enough} options in it"
        )
        absorbing = self._step(
            "absorbing", others, reached, f"every other position has at least {enough} options in the set"
        )
        first = ProofStep("counts", "options in the set, counted by kind of move", True, None, spent, total.states)
        return [first, stable, absorbing]


@value
class Piece:
    """Some moves of a kind: those for which the taken counters and the option's piles are in given orders.

    rank: those of lines come first, then those in which the larger pile of the option had the more taken from it.
    """

    formula: str
    rank: int


def pieces_of(kind: str) -> list[Piece]:
    """A kind in one piece if it says an equation, and in four if it does not: its moves fill part of a plane.

    The automaton of the positions from which a move that fills a wedge leads into P can be very large, while those of
    the pieces are small; and often two of them are enough.
    """
    if any(mark in kind.replace("<=", "").replace(">=", "").replace("!=", "") for mark in ("=",)):
        return [Piece(f"({kind})", 0)]
    less, more = "p+s<=q+r", "p+s>q+r"
    return [
        Piece(f"{taken} & {piles} & ({kind})", 1 if (taken == less) == (piles == "r<=s") else 2)
        for taken in (less, more) for piles in ("r<=s", "r>s")
    ]



# ---- options
# How many options of a position are in a set, counted kind of move by kind of move.
#
# The automaton that counts one kind is small, and so is the sum of few counts; the options of all kinds together would
# be counted by one of 28,764 states for W^8, where the kinds have 360 and the sum 1,404.

def option_counts(game: Game, session: Session, most: int, budget: Budget) -> Dfa:
    """The number of options of (p,q) that are in the session's P, up to `most`, as the output of an automaton."""
    total = None
    for kind in game.kinds:
        options = session.relation(f"$P(r,s) & ({kind})", limits=remaining_limits(budget)).automaton
        counted = operations.counts(options, ["r", "s"], most, budget)
        total = counted if total is None else operations.sums(total, counted, most, budget)
    if total is None:
        return operations.empty(session.relation("p>=0 & q>=0").automaton.tracks)
    return total


def remaining_limits(budget: Budget) -> Limits:
    """What is left of a budget, as the limits of one more evaluation."""
    states, transitions, room = (
        None if bound == UNBOUNDED else bound for bound in (budget.states, budget.transitions, budget.bytes)
    )
    seconds = budget.seconds_left()
    return Limits(states, transitions, room, None if seconds == float("inf") else max(seconds, 0.001))
